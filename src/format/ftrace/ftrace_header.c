/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_header: the begin of a trace.dat, and the blocks of metadata, which follow each other in version 6 and
 * are sections in version 7 (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)).
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/ftrace/ftrace_internal.h"

#define MAGIC_BYTES  10u
#define MAX_TEXT     256u
#define MAX_FORMATS  65536u
#define TAG_BYTES    10u
#define LEAST_PAGE   256u
#define LARGEST_PAGE (1u << 20)

const char *ftrace_text(struct ftrace *ftrace, const void *bytes, size_t length)
{
    const char *text = tt_arena_text(&ftrace->arena, bytes, length);
    ftrace->no_memory |= text == NULL;
    return text;
}

void ftrace_safe_text(char *to, size_t size, const char *text)
{
    size_t length = 0;
    for (; text[length] && length < size - 1; length++) {
        to[length] = text[length] > ' ' && text[length] < 127 ? text[length] : '_';
    }
    to[length] = '\0';
}

const char *ftrace_read_text(struct ftrace *ftrace, struct tt_reader *reader, size_t most)
{
    struct tt_bytes left =
        tt_bytes_slice(reader->bytes, reader->pos, reader->failed ? 0 : most + 1);
    const uint8_t *end = left.size ? memchr(left.data, 0, (size_t)left.size) : NULL;
    if (!end) {
        reader->failed = true;
        return "";
    }
    size_t length = (size_t)(end - left.data);
    tt_read_span(reader, length + 1);
    const char *text = ftrace_text(ftrace, left.data, length);
    return text ? text : "";
}

/* Returns the next `size` bytes, a number of 64 bits before them; empty, with `failed` set, if they are cut. */
static struct tt_bytes read_sized(struct tt_reader *reader)
{
    uint64_t size = tt_read_u64(reader);
    const uint8_t *data = tt_read_span(reader, size);
    return tt_bytes_of(data, data ? size : 0);
}

/* ---- blocks of metadata ------------------------------------------------------------------- */

/* Finds the number after `key` in the line of a field: "field: local_t commit; offset:8; size:8;". */
static bool number_after(const char *line, const char *key, uint32_t *number)
{
    const char *at = strstr(line, key), *end = strchr(line, '\n');
    if (!at || (end && at > end)) {
        return false;
    }
    *number = (uint32_t)strtoul(at + strlen(key), NULL, 10);
    return true;
}

void ftrace_read_header_info(struct ftrace *ftrace, struct tt_reader *reader)
{
    ftrace_read_text(ftrace, reader, MAX_TEXT); /* header_page */
    struct tt_bytes page = read_sized(reader);
    char text[2048];
    size_t length = page.size < sizeof text - 1 ? (size_t)page.size : sizeof text - 1;
    memcpy(text, page.data ? page.data : (const uint8_t *)"", length);
    text[length] = '\0';
    const char *commit = strstr(text, " commit;"), *data = strstr(text, " data;");
    uint32_t at, size;
    if (commit && number_after(commit, "offset:", &at) && number_after(commit, "size:", &size) &&
        (size == 4 || size == 8) && at < 64) {
        ftrace->commit_at = (uint16_t)at;
        ftrace->kernel_long = (uint8_t)size;
        ftrace->data_at = (uint16_t)(at + size);
    }
    if (data && number_after(data, "offset:", &at) && at >= ftrace->data_at && at < 128) {
        ftrace->data_at = (uint16_t)at;
    }
    ftrace_read_text(ftrace, reader, MAX_TEXT); /* header_event */
    read_sized(reader);
}

static bool read_formats(struct ftrace *ftrace, struct tt_reader *reader, const char *system)
{
    uint32_t count = tt_read_u32(reader);
    bool good = true;
    for (uint32_t i = 0; good && i < count && i < MAX_FORMATS && !reader->failed; i++) {
        struct tt_bytes text = read_sized(reader);
        good = text.size == 0 || ftrace_add_format(ftrace, system, text);
    }
    return good;
}

bool ftrace_read_ftrace_formats(struct ftrace *ftrace, struct tt_reader *reader)
{
    return read_formats(ftrace, reader, "ftrace");
}

bool ftrace_read_event_formats(struct ftrace *ftrace, struct tt_reader *reader)
{
    uint32_t systems = tt_read_u32(reader);
    bool good = true;
    for (uint32_t i = 0; good && i < systems && i < MAX_FORMATS && !reader->failed; i++) {
        const char *system = ftrace_read_text(ftrace, reader, MAX_TEXT);
        good = read_formats(ftrace, reader, system);
    }
    return good;
}

/* Lines "PID COMM": names of threads that no event names. */
bool ftrace_read_cmdlines(struct ftrace *ftrace, struct tt_reader *reader)
{
    struct tt_bytes text = read_sized(reader);
    const char *at = text.size ? (const char *)text.data : "", *end = at + text.size;
    bool good = true;
    while (good && at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        int64_t pid = 0;
        const char *digit = at;
        while (digit < line_end && *digit >= '0' && *digit <= '9' && pid <= LINUX_TIDS) {
            pid = pid * 10 + (*digit++ - '0');
        }
        if (digit > at && digit < line_end && *digit == ' ' && pid > 0 && pid < LINUX_TIDS) {
            struct linux_task *task = linux_task_add(&ftrace->threads, pid);
            size_t length = (size_t)(line_end - digit - 1);
            good = task != NULL;
            if (good && length > 0 && length < sizeof task->comm && task->comm[0] == '\0') {
                memcpy(task->comm, digit + 1, length);
            }
        }
        at = line_end + 1;
    }
    return good;
}

bool ftrace_read_printk(struct ftrace *ftrace, struct tt_reader *reader)
{
    uint32_t size = tt_read_u32(reader);
    const uint8_t *data = tt_read_span(reader, size);
    const char *text = data ? ftrace_text(ftrace, data, size) : NULL;
    ftrace->printk = tt_bytes_of(text, text ? size : 0);
    return !data || text;
}

bool ftrace_read_descriptions(struct ftrace *ftrace, struct tt_reader *reader)
{
    const struct tt_bytes bytes = ftrace->capture->bytes;
    ftrace->kernel_long = ftrace->user_long == 4 ? 4 : 8;
    ftrace->commit_at = 8;
    ftrace->data_at = (uint16_t)(8 + ftrace->kernel_long);
    ftrace_read_header_info(ftrace, reader);
    bool good =
        ftrace_read_ftrace_formats(ftrace, reader) && ftrace_read_event_formats(ftrace, reader);
    uint32_t size = tt_read_u32(reader);
    if (reader->bytes.data >= bytes.data && reader->bytes.data < bytes.data + bytes.size) {
        ftrace->kallsyms = (uint64_t)(reader->bytes.data - bytes.data) + reader->pos;
        ftrace->kallsyms_size = size;
    }
    tt_read_span(reader, size);
    return good && ftrace_read_printk(ftrace, reader);
}

/* ---- buffers and streams ------------------------------------------------------------------ */

struct ftrace_buffer *ftrace_add_buffer(struct ftrace *ftrace, const char *name)
{
    struct ftrace_buffer *buffers = tt_array_grow(ftrace->buffers, ftrace->buffer_count,
                                                  &ftrace->buffer_capacity, sizeof *buffers);
    if (!buffers || ftrace->buffer_count >= FTRACE_NONE) {
        ftrace->no_memory = true;
        return NULL;
    }
    ftrace->buffers = buffers;
    buffers[ftrace->buffer_count] =
        (struct ftrace_buffer){.name = name, .clock = "", .page_size = ftrace->page_size};
    return &buffers[ftrace->buffer_count++];
}

/* Adds the pages of a CPU of the last buffer. */
bool ftrace_add_stream(struct ftrace *ftrace, uint64_t cpu, uint64_t offset, uint64_t size,
                       bool packed)
{
    struct tt_capture *capture = ftrace->capture;
    if (size == 0) {
        return true;
    }
    if (cpu >= LINUX_CPUS) {
        tt_health_add(capture, TT_HEALTH_HEADER, offset, 0, cpu, "CPU that cannot be");
        return true;
    }
    if (offset >= capture->bytes.size) {
        tt_health_add(capture, TT_HEALTH_TRUNCATED, capture->bytes.size, 0, size,
                      "bytes of a CPU that are after the end");
        return true;
    }
    if (!packed && size > capture->bytes.size - offset) {
        tt_health_add(capture, TT_HEALTH_TRUNCATED, capture->bytes.size, 0,
                      size - (capture->bytes.size - offset),
                      "bytes of a CPU that are after the end");
        size = capture->bytes.size - offset;
    }
    struct ftrace_stream *streams = tt_array_grow(ftrace->streams, ftrace->stream_count,
                                                  &ftrace->stream_capacity, sizeof *streams);
    if (!streams) {
        ftrace->no_memory = true;
        return false;
    }
    ftrace->streams = streams;
    streams[ftrace->stream_count++] =
        (struct ftrace_stream){.offset = offset,
                               .size = size,
                               .page_size = ftrace->buffers[ftrace->buffer_count - 1].page_size,
                               .cpu = (uint16_t)cpu,
                               .buffer = (uint16_t)(ftrace->buffer_count - 1),
                               .packed = packed};
    if (cpu >= capture->cpu_count) {
        capture->cpu_count = (uint32_t)cpu + 1;
    }
    return true;
}

static bool ftrace_read_table_6(struct ftrace *ftrace, struct tt_reader *reader, uint32_t cpus,
                                const char *name)
{
    bool good = ftrace_add_buffer(ftrace, name) != NULL;
    for (uint32_t cpu = 0; good && cpu < cpus; cpu++) {
        uint64_t offset = tt_read_u64(reader), size = tt_read_u64(reader);
        if (reader->failed) {
            tt_health_add(ftrace->capture, TT_HEALTH_TRUNCATED, reader->pos, 0, cpus - cpu,
                          "CPUs whose places are missing");
            return true;
        }
        good = ftrace_add_stream(ftrace, cpu, offset, size, false);
    }
    return good;
}

/* ---- version 6 ---------------------------------------------------------------------------- */

/* Returns whether a tag of 10 bytes follows, and reads it. */
static bool read_tag(struct tt_reader *reader, const char tag[TAG_BYTES])
{
    struct tt_bytes next = tt_bytes_slice(reader->bytes, reader->pos, TAG_BYTES);
    if (reader->failed || next.size < TAG_BYTES || memcmp(next.data, tag, TAG_BYTES) != 0) {
        return false;
    }
    tt_read_span(reader, TAG_BYTES);
    return true;
}

static struct tt_status read_6(struct ftrace *ftrace, struct tt_reader *reader)
{
    bool good = ftrace_read_descriptions(ftrace, reader) && ftrace_read_cmdlines(ftrace, reader);
    uint32_t cpus = tt_read_u32(reader);
    if (!good) {
        return tt_error_memory();
    }
    if (reader->failed) {
        return tt_error_at(TT_ERR_FORMAT, reader->bytes.size,
                           "trace.dat ends before its events: %llu bytes",
                           (unsigned long long)reader->bytes.size);
    }
    if (read_tag(reader, "options  ")) {
        struct tt_status status = ftrace_read_options_6(ftrace, reader, &cpus);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (read_tag(reader, "latency  ")) {
        return tt_error_at(TT_ERR_FORMAT, reader->pos,
                           "trace.dat of a latency tracer: it contains text and no events "
                           "(trace-cmd report prints it)");
    }
    struct tt_capture *capture = ftrace->capture;
    if (capture->files) {
        return tt_ok();
    }
    if (!read_tag(reader, "flyrecord")) {
        return tt_error_at(TT_ERR_FORMAT, reader->pos, "trace.dat has no table of its CPUs");
    }
    if (cpus > LINUX_CPUS) {
        tt_health_add(capture, TT_HEALTH_HEADER, reader->pos, 0, cpus, "CPUs that cannot be");
    } else if (cpus > capture->cpu_count) {
        capture->cpu_count = cpus;
    }
    if (!ftrace_read_table_6(ftrace, reader, cpus, "")) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < ftrace->instance_count; i++) {
        struct tt_reader table = tt_reader_of(capture->bytes, ftrace->big);
        tt_read_seek(&table, ftrace->instances[i].offset);
        if (!read_tag(&table, "flyrecord")) {
            tt_health_add(capture, TT_HEALTH_TRUNCATED, table.pos, 0, i,
                          "instance whose table of CPUs is missing");
        } else if (!ftrace_read_table_6(ftrace, &table, cpus, ftrace->instances[i].name)) {
            return tt_error_memory();
        }
    }
    /* The clock follows as a text since 3.0, and where the option is empty. */
    struct tt_bytes clock = tt_bytes_slice(reader->bytes, reader->pos, 8);
    struct tt_reader after = *reader;
    uint64_t size = clock.size == 8 ? tt_read_u64(&after) : 0;
    if (size > 0 && size < MAX_TEXT && ftrace->clock_name[0] == '\0') {
        const uint8_t *text = tt_read_span(&after, size);
        const char *copy = text ? ftrace_text(ftrace, text, size) : NULL;
        ftrace->clock_name = copy && strchr(copy, '[') ? ftrace_clock_in_use(ftrace, copy) : "";
    }
    return tt_ok();
}

/* ---- version 7 ---------------------------------------------------------------------------- */

static struct tt_status read_7(struct ftrace *ftrace, struct tt_reader *reader)
{
    const char *name = ftrace_read_text(ftrace, reader, MAX_TEXT);
    ftrace_read_text(ftrace, reader, MAX_TEXT); /* its version */
    uint64_t options = tt_read_u64(reader);
    if (reader->failed) {
        return tt_error_at(TT_ERR_FORMAT, reader->bytes.size, "trace.dat ends in its header");
    }
    ftrace->packer = strcmp(name, "zstd") == 0 ? 'z' : strcmp(name, "zlib") == 0 ? 'g' : 0;
    if (ftrace->packer == 0 && strcmp(name, "none") != 0) {
        char escaped[64];
        ftrace_safe_text(escaped, sizeof escaped, name);
        return tt_error_at(TT_ERR_FORMAT, MAGIC_BYTES, "trace.dat with unknown compression %s",
                           escaped);
    }
    return ftrace_read_options_7(ftrace, options);
}

/*
 * Makes the files beside the descriptions the streams: OUT.cpu0, OUT.cpu1, ..., which trace-cmd writes while it records.
 * Pages that the descriptions' own file may have are another capture.
 */
static struct tt_status find_pages(struct ftrace *ftrace)
{
    struct tt_capture *capture = ftrace->capture;
    const unsigned count = tt_map_file_count(capture->files);
    ftrace->stream_count = 0;
    if (ftrace->buffer_count == 0 && !ftrace_add_buffer(ftrace, "")) {
        return tt_error_memory();
    }
    ftrace->buffer_count = 1;
    ftrace->streams =
        tt_array_reserve(ftrace->streams, count, &ftrace->stream_capacity, sizeof *ftrace->streams);
    if (!ftrace->streams) {
        return tt_error_memory();
    }
    for (unsigned i = 1; i < count; i++) {
        const struct tt_map_file file = tt_map_file(capture->files, i);
        const char *number = strrchr(file.name, '.');
        unsigned long cpu =
            number && strncmp(number, ".cpu", 4) == 0 ? strtoul(number + 4, NULL, 10) : LINUX_CPUS;
        if (cpu >= LINUX_CPUS) {
            return tt_error_at(TT_ERR_FORMAT, file.at,
                               "a file that is no OUT.cpuN of trace-cmd, with other descriptions");
        }
        const uint32_t page_size = ftrace->buffers[0].page_size;
        ftrace->streams[ftrace->stream_count++] =
            (struct ftrace_stream){.offset = file.at,
                                   .size = file.bytes.size - file.bytes.size % page_size,
                                   .file = i,
                                   .page_size = page_size,
                                   .cpu = (uint16_t)cpu};
        capture->cpu_count = cpu >= capture->cpu_count ? (uint32_t)cpu + 1 : capture->cpu_count;
    }
    return tt_ok();
}

struct tt_status ftrace_header_read(struct ftrace *ftrace)
{
    struct tt_capture *capture = ftrace->capture;
    struct tt_reader r =
        tt_reader_of(capture->files ? tt_map_file(capture->files, 0).bytes : capture->bytes, false);
    tt_read_span(&r, MAGIC_BYTES);
    const char *version = ftrace_read_text(ftrace, &r, 16);
    ftrace->version = (unsigned)strtoul(version, NULL, 10);
    if (r.failed || (ftrace->version != 6 && ftrace->version != 7)) {
        return tt_error_at(TT_ERR_FORMAT, MAGIC_BYTES,
                           "trace.dat of version %u: versions 6 and 7 are read", ftrace->version);
    }
    uint8_t order = tt_read_u8(&r);
    ftrace->big = r.big_endian = capture->big_endian = order == 1;
    ftrace->user_long = tt_read_u8(&r);
    ftrace->page_size = tt_read_u32(&r);
    ftrace->kernel_long = ftrace->user_long == 4 ? 4 : 8;
    ftrace->commit_at = 8;
    ftrace->data_at = (uint16_t)(8 + ftrace->kernel_long);
    if (r.failed || order > 1) {
        return tt_error_at(TT_ERR_FORMAT, r.pos, "trace.dat ends in its header");
    }
    if (ftrace->page_size < LEAST_PAGE || ftrace->page_size > LARGEST_PAGE) {
        return tt_error_at(TT_ERR_FORMAT, r.pos - 4, "trace.dat with pages of %u bytes",
                           ftrace->page_size);
    }
    struct tt_status status = ftrace->version == 6 ? read_6(ftrace, &r) : read_7(ftrace, &r);
    return !tt_failed(&status) && capture->files ? find_pages(ftrace) : status;
}
