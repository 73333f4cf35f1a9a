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
#define SEARCH       (UINT64_C(64) << 10)

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

static const char *option_text(struct ftrace *ftrace, const struct tt_reader *reader)
{
    size_t length = reader->bytes.size < MAX_TEXT ? (size_t)reader->bytes.size : MAX_TEXT;
    const uint8_t *end = length ? memchr(reader->bytes.data, 0, length) : NULL;
    const char *text =
        ftrace_text(ftrace, reader->bytes.data, end ? (size_t)(end - reader->bytes.data) : length);
    return text ? text : "";
}

bool ftrace_add_fact(struct ftrace *ftrace, const char *section, const char *key, const char *value)
{
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == '\n' || value[length - 1] == ' ')) {
        length--;
    }
    return length == 0 || tt_facts_add(ftrace->capture, section, key, value, length);
}

/* "Linux host 5.15.18 i686" */
static void read_uname(struct ftrace *ftrace, const char *text)
{
    const char *release = strchr(text, ' '), *machine = strrchr(text, ' ');
    release = release ? strchr(release + 1, ' ') : NULL;
    if (release && machine && machine > release) {
        const char *copy = ftrace_text(ftrace, release + 1, (size_t)(machine - release - 1));
        ftrace->release = copy ? copy : "";
        ftrace->machine = machine + 1;
    }
}

/* A text of trace_clock: "[local] global counter"; the clock in use is in brackets. */
const char *ftrace_clock_in_use(struct ftrace *ftrace, const char *text)
{
    const char *begin = strchr(text, '['), *end = begin ? strchr(begin, ']') : NULL;
    const char *name = end ? ftrace_text(ftrace, begin + 1, (size_t)(end - begin - 1)) : text;
    return name ? name : "";
}

/* Adds the sums of a text of CPUSTAT: what the kernel itself counted as lost. */
static bool read_stat(struct options *options, const char *text)
{
    static const struct {
        const char *key;
        const char *fact;
    } keys[] = {{"\noverrun: ", "overwritten"},
                {"\ncommit overrun: ", "nested too deep"},
                {"\ndropped events: ", "dropped"}};
    if (strstr(text, "Buffer: ")) {
        options->stat_buffer = strstr(text, "Buffer: ") + 8;
        return true;
    }
    const char *cpu = strstr(text, "CPU: ");
    bool good = true;
    for (size_t i = 0; good && cpu && i < sizeof keys / sizeof keys[0]; i++) {
        const char *at = strstr(text, keys[i].key);
        unsigned long long value = at ? strtoull(at + strlen(keys[i].key), NULL, 10) : 0;
        if (value > 0) {
            options->d->capture->lanes_by_time = true; /* each CPU has losses of its own */
            char key[64], number[32];
            struct tt_text k = tt_text_of(key, sizeof key), n = tt_text_of(number, sizeof number);
            tt_text_str(&k, keys[i].fact);
            tt_text_str(&k, " on CPU ");
            tt_text_u64(&k, strtoull(cpu + 5, NULL, 10));
            if (options->stat_buffer) {
                tt_text_str(&k, " of ");
                size_t length = strcspn(options->stat_buffer, "\n");
                tt_text_bytes(&k, options->stat_buffer, length < 16 ? length : 16);
            }
            tt_text_u64(&n, value);
            const char *copy = ftrace_text(options->d, tt_text_cstr(&k), k.used);
            good = copy && ftrace_add_fact(options->d, "recording", copy, tt_text_cstr(&n));
        }
    }
    return good;
}

static bool add_buffer_7(struct options *options, struct tt_reader *reader)
{
    struct ftrace *ftrace = options->d;
    struct tt_capture *capture = ftrace->capture;
    uint64_t at = tt_read_u64(reader);
    const char *name = ftrace_read_text(ftrace, reader, MAX_TEXT);
    const char *clock = ftrace_read_text(ftrace, reader, MAX_TEXT);
    uint32_t page_size = tt_read_u32(reader), cpus = tt_read_u32(reader);
    struct tt_reader section = tt_reader_of(capture->bytes, ftrace->big);
    tt_read_seek(&section, at);
    uint16_t id = tt_read_u16(&section), flags = tt_read_u16(&section);
    if (reader->failed) {
        return true;
    }
    if (section.failed || id != OPTION_BUFFER) {
        tt_health_add(capture, TT_HEALTH_TRUNCATED,
                      at < capture->bytes.size ? at : capture->bytes.size, 0, 0,
                      "buffer whose section is missing");
        flags = ftrace->packer ? FLAG_PACKED : 0;
    }
    struct ftrace_buffer *buffer = ftrace_add_buffer(ftrace, name);
    if (!buffer) {
        return false;
    }
    buffer->clock = clock;
    if (page_size >= 256 && page_size <= (1u << 20)) {
        buffer->page_size = page_size;
    }
    bool good = true;
    for (uint32_t i = 0; good && i < cpus; i++) {
        uint32_t cpu = tt_read_u32(reader);
        uint64_t offset = tt_read_u64(reader), size = tt_read_u64(reader);
        if (reader->failed) {
            tt_health_add(capture, TT_HEALTH_TRUNCATED, at, 0, cpus - i,
                          "CPUs whose places are missing");
            break;
        }
        good = ftrace_add_stream(ftrace, cpu, offset, size, (flags & FLAG_PACKED) != 0);
    }
    return good;
}

static bool add_instance_6(struct ftrace *ftrace, struct tt_reader *reader)
{
    uint64_t offset = tt_read_u64(reader);
    const char *name = ftrace_read_text(ftrace, reader, MAX_TEXT);
    if (reader->failed || name[0] == '\0') {
        return !ftrace->no_memory; /* the top instance has its table after the options */
    }
    struct ftrace_instance *all = tt_array_grow(ftrace->instances, ftrace->instance_count,
                                                &ftrace->instance_capacity, sizeof *all);
    if (all) {
        ftrace->instances = all;
        all[ftrace->instance_count++] = (struct ftrace_instance){offset, name};
    }
    return all != NULL;
}

static bool read_option(struct options *options, unsigned id, struct tt_reader *reader)
{
    struct ftrace *ftrace = options->d;
    struct tt_capture *capture = ftrace->capture;
    switch (id) {
    case OPTION_DATE:
        ftrace->clock.offset += strtoull(option_text(ftrace, reader), NULL, 0) * 1000;
        capture->has_wall_clock = true;
        break;
    case OPTION_OFFSET:
        ftrace->clock.offset += (uint64_t)strtoll(option_text(ftrace, reader), NULL, 0);
        break;
    case OPTION_CPUSTAT:
        return read_stat(options, option_text(ftrace, reader));
    case OPTION_BUFFER:
        if (ftrace->version == 7) {
            return add_buffer_7(options, reader);
        }
        return add_instance_6(ftrace, reader);
    case OPTION_TRACECLOCK:
        if (reader->bytes.size > 0) {
            options->stat_buffer = NULL;
            ftrace->clock_name = ftrace_clock_in_use(ftrace, option_text(ftrace, reader));
        }
        break;
    case OPTION_UNAME:
        read_uname(ftrace, option_text(ftrace, reader));
        break;
    case OPTION_VERSION:
        return ftrace_add_fact(ftrace, "recording", "trace-cmd", option_text(ftrace, reader));
    case OPTION_CPUCOUNT:
        ftrace->cpus = tt_read_u32(reader);
        break;
    case OPTION_TSC2NSEC:
        ftrace->clock.mult = tt_read_u32(reader);
        ftrace->clock.shift = tt_read_u32(reader) & 63;
        break;
    case OPTION_BUFFER_TEXT:
        options->has_text = true;
        break;
    default:
        if (id >= OPTION_HEADER_INFO && id <= OPTION_CMDLINES) {
            options->at[id] = tt_read_u64(reader);
        }
        break;
    }
    return true;
}

/* Reads options until DONE; *next is what that leads to, 0 if there is none. */
static bool read_options(struct options *options, struct tt_reader *reader, uint64_t *next)
{
    bool good = true;
    *next = 0;
    while (good && !reader->failed && tt_read_left(reader) >= 2) {
        unsigned id = tt_read_u16(reader);
        if (id == OPTION_DONE && options->d->version == 6) {
            return true;
        }
        uint32_t size = tt_read_u32(reader);
        const uint8_t *data = tt_read_span(reader, size);
        struct tt_reader option = tt_reader_of(tt_bytes_of(data, data ? size : 0), options->d->big);
        if (!data) {
            tt_health_add(options->d->capture, TT_HEALTH_TRUNCATED, reader->pos, 0, id,
                          "option that is cut");
            return true;
        }
        if (id == OPTION_DONE) {
            *next = tt_read_u64(&option);
            return true;
        }
        good = read_option(options, id, &option);
    }
    return good;
}

struct tt_status ftrace_read_options_6(struct ftrace *ftrace, struct tt_reader *reader,
                                       uint32_t *cpus)
{
    struct options o = {.d = ftrace};
    uint64_t next;
    bool good = read_options(&o, reader, &next);
    *cpus = ftrace->cpus ? ftrace->cpus : *cpus;
    return good ? tt_ok() : tt_error_memory();
}

/* ---- version 7 ---------------------------------------------------------------------------- */

/* Returns whether the bytes at a place are a section of options, which lead from one to the next up to its end. */
static bool is_options(const struct ftrace *ftrace, uint64_t at)
{
    struct tt_reader r = tt_reader_of(ftrace->capture->bytes, ftrace->big);
    tt_read_seek(&r, at);
    const uint16_t section = tt_read_u16(&r), flags = tt_read_u16(&r);
    tt_read_u32(&r); /* its description */
    const uint64_t size = tt_read_u64(&r), end = r.pos + size;
    bool is_done = false;
    if (section != OPTION_DONE || flags > FLAG_PACKED || size > r.bytes.size) {
        return false;
    }
    if (flags == FLAG_PACKED) {
        return (uint64_t)tt_read_u32(&r) + 8 == size && !r.failed;
    }
    while (!r.failed && r.pos < end && !is_done) {
        is_done = tt_read_u16(&r) == OPTION_DONE;
        tt_read_span(&r, tt_read_u32(&r));
    }
    return is_done && !r.failed && r.pos == end;
}

/*
 * Finds the section that an option leads to: where its content is, and whether that is compressed. Options are also found
 * near there, after bytes that were inserted or deleted.
 */
static bool find_section(struct ftrace *ftrace, unsigned id, uint64_t at, uint64_t *offset,
                         uint64_t *size, bool *packed)
{
    struct tt_reader r = tt_reader_of(ftrace->capture->bytes, ftrace->big);
    tt_read_seek(&r, at);
    bool is_there = id == OPTION_DONE ? is_options(ftrace, at) : tt_read_u16(&r) == id;
    if (r.failed || !is_there) {
        tt_health_add(ftrace->capture, TT_HEALTH_TRUNCATED, at < r.bytes.size ? at : r.bytes.size,
                      0, id, "section that is not where an option says");
    }
    uint64_t place =
        at > SEARCH && at - SEARCH > ftrace->options_end ? at - SEARCH : ftrace->options_end;
    for (; id == OPTION_DONE && !is_there && place < at + SEARCH; place++) {
        is_there = is_options(ftrace, place);
        at = is_there ? place : at;
    }
    r.failed = false;
    tt_read_seek(&r, at + 2);
    *packed = (tt_read_u16(&r) & FLAG_PACKED) != 0;
    tt_read_u32(&r); /* its description */
    *size = tt_read_u64(&r);
    *offset = r.pos;
    ftrace->options_end = id == OPTION_DONE && is_there ? *offset + *size : ftrace->options_end;
    return is_there && !r.failed;
}

static bool ftrace_options_section_of(struct ftrace *ftrace, unsigned id, uint64_t at,
                                      struct tt_bytes *content)
{
    uint64_t offset, size;
    bool packed;
    return find_section(ftrace, id, at, &offset, &size, &packed) &&
           ftrace_section(ftrace, offset, size, packed, content);
}

/* Reads the section of an option by `read`, if there is one. */
static bool read_section(struct options *options, unsigned id,
                         bool (*read)(struct ftrace *ftrace, struct tt_reader *reader))
{
    struct tt_bytes content;
    if (options->at[id] == 0 ||
        !ftrace_options_section_of(options->d, id, options->at[id], &content)) {
        return !options->d->no_memory;
    }
    struct tt_reader r = tt_reader_of(content, options->d->big);
    return read(options->d, &r);
}

static bool read_header_info(struct ftrace *ftrace, struct tt_reader *reader)
{
    ftrace_read_header_info(ftrace, reader);
    return true;
}

struct tt_status ftrace_read_options_7(struct ftrace *ftrace, uint64_t offset)
{
    struct options *options = calloc(1, sizeof *options);
    if (!options) {
        return tt_error_memory();
    }
    options->d = ftrace;
    bool good = true;
    uint64_t next = offset;
    for (unsigned count = 0; good && next != 0 && count < MAX_SECTIONS; count++) {
        struct tt_bytes content;
        if (!ftrace_options_section_of(ftrace, OPTION_DONE, next, &content)) {
            break;
        }
        struct tt_reader r = tt_reader_of(content, ftrace->big);
        good = read_options(options, &r, &next);
    }
    bool is_text = options->has_text && ftrace->stream_count == 0;
    good = good && read_section(options, OPTION_HEADER_INFO, read_header_info) &&
           read_section(options, OPTION_FTRACE_EVENTS, ftrace_read_ftrace_formats) &&
           read_section(options, OPTION_EVENT_FORMATS, ftrace_read_event_formats) &&
           read_section(options, OPTION_PRINTK, ftrace_read_printk) &&
           read_section(options, OPTION_CMDLINES, ftrace_read_cmdlines);
    if (options->at[OPTION_KALLSYMS] != 0 &&
        !find_section(ftrace, OPTION_KALLSYMS, options->at[OPTION_KALLSYMS], &ftrace->kallsyms,
                      &ftrace->kallsyms_size, &ftrace->kallsyms_packed)) {
        ftrace->kallsyms_size = 0;
    }
    free(options);
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
