/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_options: the options of both versions, and the sections of version 7 that they lead to. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define MAX_TEXT     4096u
#define MAX_SECTIONS 4096u /* of options */
#define FLAG_PACKED  1u

/* clang-format off */
enum option {
    OPTION_DONE, OPTION_DATE, OPTION_CPUSTAT, OPTION_BUFFER, OPTION_TRACECLOCK, OPTION_UNAME,
    OPTION_HOOK, OPTION_OFFSET, OPTION_CPUCOUNT, OPTION_VERSION, OPTION_PROCMAPS, OPTION_TRACEID,
    OPTION_TIME_SHIFT, OPTION_GUEST, OPTION_TSC2NSEC, OPTION_STRINGS, OPTION_HEADER_INFO,
    OPTION_FTRACE_EVENTS, OPTION_EVENT_FORMATS, OPTION_KALLSYMS, OPTION_PRINTK, OPTION_CMDLINES,
    OPTION_BUFFER_TEXT,
};
/* clang-format on */

/* Where sections are, and what the options say of the clock. */
struct options {
    struct ftrace *d;
    uint64_t at[OPTION_BUFFER_TEXT + 1]; /* file offset of a section, by option; 0: none */
    bool has_text;                       /* a latency trace */
    const char *stat_buffer;
};

static const char *option_text(struct ftrace *d, const struct tt_reader *r)
{
    size_t length = r->bytes.size < MAX_TEXT ? (size_t)r->bytes.size : MAX_TEXT;
    const uint8_t *end = length ? memchr(r->bytes.data, 0, length) : NULL;
    const char *text = ftrace_text(d, r->bytes.data, end ? (size_t)(end - r->bytes.data) : length);
    return text ? text : "";
}

bool ftrace_add_fact(struct ftrace *d, const char *section, const char *key, const char *value)
{
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == '\n' || value[length - 1] == ' ')) {
        length--;
    }
    return length == 0 || tt_facts_add(d->capture, section, key, value, length);
}

/* "Linux host 5.15.18 i686" */
static void read_uname(struct ftrace *d, const char *text)
{
    const char *release = strchr(text, ' '), *machine = strrchr(text, ' ');
    release = release ? strchr(release + 1, ' ') : NULL;
    if (release && machine && machine > release) {
        const char *copy = ftrace_text(d, release + 1, (size_t)(machine - release - 1));
        d->release = copy ? copy : "";
        d->machine = machine + 1;
    }
}

/* A text of trace_clock: "[local] global counter"; the clock in use is in brackets. */
const char *ftrace_clock_in_use(struct ftrace *d, const char *text)
{
    const char *begin = strchr(text, '['), *end = begin ? strchr(begin, ']') : NULL;
    const char *name = end ? ftrace_text(d, begin + 1, (size_t)(end - begin - 1)) : text;
    return name ? name : "";
}

/* Adds the sums of a text of CPUSTAT: what the kernel itself counted as lost. */
static bool read_stat(struct options *o, const char *text)
{
    static const struct {
        const char *key;
        const char *fact;
    } keys[] = {{"\noverrun: ", "overwritten"},
                {"\ncommit overrun: ", "nested too deep"},
                {"\ndropped events: ", "dropped"}};
    if (strstr(text, "Buffer: ")) {
        o->stat_buffer = strstr(text, "Buffer: ") + 8;
        return true;
    }
    const char *cpu = strstr(text, "CPU: ");
    bool good = true;
    for (size_t i = 0; good && cpu && i < sizeof keys / sizeof keys[0]; i++) {
        const char *at = strstr(text, keys[i].key);
        unsigned long long value = at ? strtoull(at + strlen(keys[i].key), NULL, 10) : 0;
        if (value > 0) {
            o->d->capture->lanes_by_time = true; /* each CPU has losses of its own */
            char key[64], number[32];
            struct tt_text k = tt_text_of(key, sizeof key), n = tt_text_of(number, sizeof number);
            tt_text_str(&k, keys[i].fact);
            tt_text_str(&k, " on CPU ");
            tt_text_u64(&k, strtoull(cpu + 5, NULL, 10));
            if (o->stat_buffer) {
                tt_text_str(&k, " of ");
                size_t length = strcspn(o->stat_buffer, "\n");
                tt_text_bytes(&k, o->stat_buffer, length < 16 ? length : 16);
            }
            tt_text_u64(&n, value);
            const char *copy = ftrace_text(o->d, tt_text_cstr(&k), k.used);
            good = copy && ftrace_add_fact(o->d, "recording", copy, tt_text_cstr(&n));
        }
    }
    return good;
}

static bool add_buffer_7(struct options *o, struct tt_reader *r)
{
    struct ftrace *d = o->d;
    struct tt_capture *c = d->capture;
    uint64_t at = tt_read_u64(r);
    const char *name = ftrace_read_text(d, r, MAX_TEXT);
    const char *clock = ftrace_read_text(d, r, MAX_TEXT);
    uint32_t page_size = tt_read_u32(r), cpus = tt_read_u32(r);
    struct tt_reader section = tt_reader_of(c->bytes, d->big);
    tt_read_seek(&section, at);
    uint16_t id = tt_read_u16(&section), flags = tt_read_u16(&section);
    if (r->failed || section.failed || id != OPTION_BUFFER) {
        tt_health_add(c, TT_HEALTH_TRUNCATED, at < c->bytes.size ? at : c->bytes.size, 0, 0,
                      "buffer whose section is missing");
        return true;
    }
    struct ftrace_buffer *buffer = ftrace_add_buffer(d, name);
    if (!buffer) {
        return false;
    }
    buffer->clock = clock;
    if (page_size >= 256 && page_size <= (1u << 20)) {
        buffer->page_size = page_size;
    }
    bool good = true;
    for (uint32_t i = 0; good && i < cpus; i++) {
        uint32_t cpu = tt_read_u32(r);
        uint64_t offset = tt_read_u64(r), size = tt_read_u64(r);
        if (r->failed) {
            tt_health_add(c, TT_HEALTH_TRUNCATED, at, 0, cpus - i, "CPUs whose places are missing");
            break;
        }
        good = ftrace_add_stream(d, cpu, offset, size, (flags & FLAG_PACKED) != 0);
    }
    return good;
}

static bool add_instance_6(struct ftrace *d, struct tt_reader *r)
{
    uint64_t offset = tt_read_u64(r);
    const char *name = ftrace_read_text(d, r, MAX_TEXT);
    if (r->failed || name[0] == '\0') {
        return !d->no_memory; /* the top instance has its table after the options */
    }
    struct ftrace_instance *all =
        tt_array_grow(d->instances, d->instance_count, &d->instance_capacity, sizeof *all);
    if (all) {
        d->instances = all;
        all[d->instance_count++] = (struct ftrace_instance){offset, name};
    }
    return all != NULL;
}

static bool read_option(struct options *o, unsigned id, struct tt_reader *r)
{
    struct ftrace *d = o->d;
    struct tt_capture *c = d->capture;
    switch (id) {
    case OPTION_DATE:
        d->clock.offset += strtoull(option_text(d, r), NULL, 0) * 1000;
        c->has_wall_clock = true;
        break;
    case OPTION_OFFSET:
        d->clock.offset += (uint64_t)strtoll(option_text(d, r), NULL, 0);
        break;
    case OPTION_CPUSTAT:
        return read_stat(o, option_text(d, r));
    case OPTION_BUFFER:
        if (d->version == 7) {
            return add_buffer_7(o, r);
        }
        return add_instance_6(d, r);
    case OPTION_TRACECLOCK:
        if (r->bytes.size > 0) {
            o->stat_buffer = NULL;
            d->clock_name = ftrace_clock_in_use(d, option_text(d, r));
        }
        break;
    case OPTION_UNAME:
        read_uname(d, option_text(d, r));
        break;
    case OPTION_VERSION:
        return ftrace_add_fact(d, "recording", "trace-cmd", option_text(d, r));
    case OPTION_CPUCOUNT:
        d->cpus = tt_read_u32(r);
        break;
    case OPTION_TSC2NSEC:
        d->clock.mult = tt_read_u32(r);
        d->clock.shift = tt_read_u32(r) & 63;
        break;
    case OPTION_BUFFER_TEXT:
        o->has_text = true;
        break;
    default:
        if (id >= OPTION_HEADER_INFO && id <= OPTION_CMDLINES) {
            o->at[id] = tt_read_u64(r);
        }
        break;
    }
    return true;
}

/* Reads options until DONE; *next is what that leads to, 0 if there is none. */
static bool read_options(struct options *o, struct tt_reader *r, uint64_t *next)
{
    bool good = true;
    *next = 0;
    while (good && !r->failed && tt_read_left(r) >= 2) {
        unsigned id = tt_read_u16(r);
        if (id == OPTION_DONE && o->d->version == 6) {
            return true;
        }
        uint32_t size = tt_read_u32(r);
        const uint8_t *data = tt_read_span(r, size);
        struct tt_reader option = tt_reader_of(tt_bytes_of(data, data ? size : 0), o->d->big);
        if (!data) {
            tt_health_add(o->d->capture, TT_HEALTH_TRUNCATED, r->pos, 0, id, "option that is cut");
            return true;
        }
        if (id == OPTION_DONE) {
            *next = tt_read_u64(&option);
            return true;
        }
        good = read_option(o, id, &option);
    }
    return good;
}

struct tt_status ftrace_read_options_6(struct ftrace *d, struct tt_reader *r, uint32_t *cpus)
{
    struct options o = {.d = d};
    uint64_t next;
    bool good = read_options(&o, r, &next);
    *cpus = d->cpus ? d->cpus : *cpus;
    return good ? tt_ok() : tt_error_memory();
}

/* ---- version 7 ---------------------------------------------------------------------------- */

/* Finds the section that an option leads to: where its content is, and whether that is compressed. */
static bool find_section(struct ftrace *d, unsigned id, uint64_t at, uint64_t *offset,
                         uint64_t *size, bool *packed)
{
    struct tt_reader r = tt_reader_of(d->capture->bytes, d->big);
    tt_read_seek(&r, at);
    uint16_t found = tt_read_u16(&r), flags = tt_read_u16(&r);
    tt_read_u32(&r); /* its description */
    *size = tt_read_u64(&r);
    *offset = r.pos;
    *packed = (flags & FLAG_PACKED) != 0;
    if (r.failed || found != id) {
        tt_health_add(d->capture, TT_HEALTH_TRUNCATED, at < r.bytes.size ? at : r.bytes.size, 0, id,
                      "section that is not where an option says");
        return false;
    }
    return true;
}

static bool section_of(struct ftrace *d, unsigned id, uint64_t at, struct tt_bytes *content)
{
    uint64_t offset, size;
    bool packed;
    return find_section(d, id, at, &offset, &size, &packed) &&
           ftrace_section(d, offset, size, packed, content);
}

/* Reads the section of an option by `read`, if there is one. */
static bool read_section(struct options *o, unsigned id,
                         bool (*read)(struct ftrace *d, struct tt_reader *r))
{
    struct tt_bytes content;
    if (o->at[id] == 0 || !section_of(o->d, id, o->at[id], &content)) {
        return !o->d->no_memory;
    }
    struct tt_reader r = tt_reader_of(content, o->d->big);
    return read(o->d, &r);
}

static bool read_header_info(struct ftrace *d, struct tt_reader *r)
{
    ftrace_read_header_info(d, r);
    return true;
}

struct tt_status ftrace_read_options_7(struct ftrace *d, uint64_t offset)
{
    struct options *o = calloc(1, sizeof *o);
    if (!o) {
        return tt_error_memory();
    }
    o->d = d;
    bool good = true;
    uint64_t next = offset;
    for (unsigned count = 0; good && next != 0 && count < MAX_SECTIONS; count++) {
        struct tt_bytes content;
        if (!section_of(d, OPTION_DONE, next, &content)) {
            break;
        }
        struct tt_reader r = tt_reader_of(content, d->big);
        good = read_options(o, &r, &next);
    }
    bool is_text = o->has_text && d->stream_count == 0;
    good = good && read_section(o, OPTION_HEADER_INFO, read_header_info) &&
           read_section(o, OPTION_FTRACE_EVENTS, ftrace_read_ftrace_formats) &&
           read_section(o, OPTION_EVENT_FORMATS, ftrace_read_event_formats) &&
           read_section(o, OPTION_PRINTK, ftrace_read_printk) &&
           read_section(o, OPTION_CMDLINES, ftrace_read_cmdlines);
    if (o->at[OPTION_KALLSYMS] != 0 &&
        !find_section(d, OPTION_KALLSYMS, o->at[OPTION_KALLSYMS], &d->kallsyms, &d->kallsyms_size,
                      &d->kallsyms_packed)) {
        d->kallsyms_size = 0;
    }
    free(o);
    if (!good) {
        return tt_error_memory();
    }
    if (is_text) {
        return tt_error_at(TT_ERR_FORMAT, offset,
                           "trace.dat of a latency tracer: it contains text and no events "
                           "(trace-cmd report prints it)");
    }
    return tt_ok();
}
