/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_perf: perf.data with tracepoints. A sample of a tracepoint has the bytes that the ring buffer has, and the
 * file has the same descriptions of events, as the begin of a trace.dat of version 6. So the samples of each CPU
 * are written as pages of a ring buffer into the spool, once, and are read from there as those of a trace.dat:
 *
 *      perf.data   | header | attributes, ids | records: COMM, FORK, SAMPLE, LOST ... | tracing data, host ... |
 *      spool       | page of CPU 0 | page of CPU 2 | page of CPU 0 | ...
 *
 * Samples of other events (cycles, cpu-clock) become events with the fields ip, addr and period. Compressed records (-z)
 * are unpacked before, with those between them. A file that was written to a pipe has attributes and descriptions
 * as records, which come before the samples. The layouts are those of tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h of Linux.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/ftrace/ftrace_perf.h"

/* A sample, as far as it is used. */
struct sample {
    uint64_t time, ip, addr, period;
    uint32_t pid, tid, cpu;
    const struct attr *attr;
    struct tt_bytes raw;
};

/* ---- header and attributes ---------------------------------------------------------------- */

bool ftrace_is_perf(struct tt_bytes head)
{
    return tt_bytes_has(head, 0, 8) &&
           (memcmp(head.data, "PERFILE2", 8) == 0 || memcmp(head.data, "2ELIFREP", 8) == 0);
}

/* Adds the ids of the last attribute: the next `size` bytes. */
static bool add_ids(struct perf *perf, struct tt_reader *reader, uint64_t size)
{
    for (uint64_t i = 0; i < size / 8 && perf->id_count < IDS_MAX; i++) {
        uint64_t id = tt_read_u64(reader);
        if (reader->failed) {
            return true;
        }
        struct attr_id *ids =
            tt_array_grow(perf->ids, perf->id_count, &perf->id_capacity, sizeof *ids);
        if (!ids) {
            return false;
        }
        perf->ids = ids;
        ids[perf->id_count++] = (struct attr_id){id, (uint32_t)perf->attr_count - 1};
    }
    return true;
}

static int ftrace_perf_compare_ids(const void *a, const void *b)
{
    const struct attr_id *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

/* Reads an attribute at the reader's place, and moves after it. */
static bool read_attr(struct perf *perf, struct tt_reader *reader)
{
    struct attr *attrs =
        tt_array_grow(perf->attrs, perf->attr_count, &perf->attr_capacity, sizeof *attrs);
    if (!attrs) {
        return false;
    }
    const uint64_t at = reader->pos;
    struct attr *attr = &attrs[perf->attr_count];
    perf->attrs = attrs;
    memset(attr, 0, sizeof *attr);
    attr->type = tt_read_u32(reader);
    uint32_t size = tt_read_u32(reader);
    tt_read_span(reader, 16); /* which event, its period or frequency */
    attr->sample_type = tt_read_u64(reader);
    attr->read_format = tt_read_u64(reader);
    attr->flags = tt_read_u64(reader);
    tt_read_seek(reader, at + (size > ATTR_LEAST ? size : ATTR_LEAST));
    perf->attr_count += !reader->failed && perf->attr_count < ATTRS_MAX;
    perf->mixed |= attr->sample_type != attrs[0].sample_type;
    return true;
}

static const struct attr *attr_of(const struct perf *perf, uint64_t id)
{
    size_t count = ftrace_count_to(perf->ids, perf->id_count, sizeof *perf->ids, id);
    return count > 0 && perf->ids[count - 1].id == id ? &perf->attrs[perf->ids[count - 1].attr]
                                                      : NULL;
}

/* ---- records ------------------------------------------------------------------------------ */

/* Returns the place in the file of a record: of unpacked ones that of the compressed record that it came from. */
static uint64_t file_offset(const struct perf *perf, uint64_t at)
{
    size_t count = ftrace_count_to(perf->packed, perf->packed_count, sizeof *perf->packed, at);
    return count > 0 ? perf->packed[count - 1].offset : at;
}

/* ---- features: descriptions of events, names ------------------------------------------------- */

/* Finds a feature's section, which are in a table after the records. */
static bool find_feature(const struct perf *perf, const uint8_t *bits, unsigned feature,
                         struct tt_bytes *content)
{
    struct tt_reader r = tt_reader_of(perf->d->capture->bytes, perf->d->big);
    uint64_t before = 0;
    for (unsigned i = 0; i < feature; i++) {
        before += bits[i / 8] >> i % 8 & 1;
    }
    if ((bits[feature / 8] >> feature % 8 & 1) == 0) {
        return false;
    }
    tt_read_seek(&r, perf->features + before * 16);
    uint64_t offset = tt_read_u64(&r), size = tt_read_u64(&r);
    *content =
        r.failed ? tt_bytes_of(NULL, 0) : tt_bytes_slice(perf->d->capture->bytes, offset, size);
    return content->size > 0;
}

/* Reads a text: u32 length, with its NUL and padding, and the characters. */
static const char *read_text(struct ftrace *ftrace, struct tt_reader *reader)
{
    uint32_t size = tt_read_u32(reader);
    const uint8_t *data = size < 4096 ? tt_read_span(reader, size) : NULL;
    const uint8_t *end = data ? memchr(data, 0, size) : NULL;
    const char *text = end ? ftrace_text(ftrace, data, (size_t)(end - data)) : NULL;
    return text ? text : "";
}

/* Reads the descriptions of events: a trace.dat up to its command lines. */
static bool read_tracing(struct ftrace *ftrace, struct tt_bytes content)
{
    struct tt_reader r = tt_reader_of(content, ftrace->big);
    tt_read_span(&r, 10); /* magic */
    ftrace_read_text(ftrace, &r, 16);
    tt_read_u8(&r);
    ftrace->user_long = tt_read_u8(&r);
    tt_read_u32(&r);
    return ftrace_read_descriptions(ftrace, &r);
}

/* Adds a description for samples of an event that is no tracepoint. */
static bool describe_attr(struct perf *perf, struct attr *attr, const char *name)
{
    struct ftrace *ftrace = perf->d;
    char text[1024], safe[64];
    while (perf->next_event > 0 && ftrace->events[perf->next_event]) {
        perf->next_event--;
    }
    ftrace_safe_text(safe, sizeof safe, name);
    int size =
        snprintf(text, sizeof text,
                 "name: %s\nID: %u\nformat:\n"
                 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
                 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                 "\tfield:u64 ip;\toffset:16;\tsize:8;\tsigned:0;\n"
                 "\tfield:u64 addr;\toffset:24;\tsize:8;\tsigned:0;\n"
                 "\tfield:u64 period;\toffset:32;\tsize:8;\tsigned:0;\n"
                 "\nprint fmt: \"%%lx %%lx %%lu\", REC->ip, REC->addr, REC->period\n",
                 safe[0] ? safe : "sample", perf->next_event);
    attr->event = perf->next_event--;
    return ftrace_add_format(ftrace, "perf", tt_bytes_of((const uint8_t *)text, (uint64_t)size));
}

/* Describes the events that are no tracepoints, by the names of the feature EVENT_DESC. */
static bool describe_attrs(struct perf *perf, struct tt_bytes names)
{
    struct ftrace *ftrace = perf->d;
    struct tt_reader r = tt_reader_of(names, ftrace->big);
    uint32_t count = tt_read_u32(&r), each = tt_read_u32(&r);
    for (size_t i = 0; i < perf->attr_count; i++) {
        const char *name = "";
        if (i < count && !r.failed) {
            tt_read_span(&r, each);
            uint32_t ids = tt_read_u32(&r);
            name = read_text(ftrace, &r);
            tt_read_span(&r, (uint64_t)ids * 8);
        }
        if (perf->attrs[i].type != TRACEPOINT && !describe_attr(perf, &perf->attrs[i], name)) {
            return false;
        }
    }
    return true;
}

/* Reads a feature that is a text, after the reader's place. */
static void read_feature(struct ftrace *ftrace, uint64_t feature, struct tt_reader *reader)
{
    const char **text = feature == FEATURE_RELEASE ? &ftrace->release
                        : feature == FEATURE_ARCH  ? &ftrace->machine
                                                   : NULL;
    if (text) {
        *text = read_text(ftrace, reader);
    }
}

/* Reads what comes before the samples: sections of the file, or records of one that was written to a pipe. */
static struct tt_status read_features(struct perf *perf, const uint8_t *bits)
{
    struct ftrace *ftrace = perf->d;
    struct tt_bytes content = {0};
    bool good = true;
    for (unsigned feature = FEATURE_TRACING; bits && good && feature <= FEATURE_ARCH; feature++) {
        if (find_feature(perf, bits, feature, &content)) {
            struct tt_reader r = tt_reader_of(content, ftrace->big);
            read_feature(ftrace, feature, &r);
            good = feature != FEATURE_TRACING || read_tracing(ftrace, content);
        }
    }
    uint32_t type, size;
    for (uint64_t at = perf->data, next;
         !bits && good && (next = ftrace_perf_next(perf, at, &type, &size)); at = next) {
        struct tt_reader r =
            tt_reader_of(tt_bytes_slice(perf->in, at + 8, next - at - 8), ftrace->big);
        if (type == RECORD_ATTR) {
            good = read_attr(perf, &r) && (r.failed || add_ids(perf, &r, tt_read_left(&r)));
        } else if (type == RECORD_TRACING) {
            good = read_tracing(ftrace, tt_bytes_slice(perf->in, at + size, next - at - size));
        } else if (type == RECORD_FEATURE) {
            uint64_t feature = tt_read_u64(&r);
            read_feature(ftrace, feature, &r);
        }
    }
    if (perf->id_count > 0) {
        qsort(perf->ids, perf->id_count, sizeof *perf->ids, ftrace_perf_compare_ids);
    }
    content = tt_bytes_of(NULL, 0);
    if (bits) {
        find_feature(perf, bits, FEATURE_EVENTS, &content);
    }
    return good && describe_attrs(perf, content) && !ftrace->no_memory ? tt_ok()
                                                                       : tt_error_memory();
}

/* ---- samples ------------------------------------------------------------------------------ */

static void skip_words(struct tt_reader *reader, uint64_t words)
{
    tt_read_span(reader, words <= reader->bytes.size / 8 ? words * 8 : UINT64_MAX);
}

static uint64_t read_if(struct tt_reader *reader, bool is_there)
{
    return is_there ? tt_read_u64(reader) : 0;
}

/* Reads the sample in `reader`, which is its record. Returns false if it is cut. */
static bool read_sample(const struct perf *perf, struct tt_reader *reader, struct sample *sample)
{
    const struct attr *attr = &perf->attrs[0];
    uint64_t type = attr->sample_type;
    memset(sample, 0, sizeof *sample);
    if ((type & SAMPLE_IDENTIFIER) != 0) {
        const struct attr *own = attr_of(perf, tt_read_u64(reader));
        attr = own ? own : attr;
        type = attr->sample_type;
    }
    sample->ip = read_if(reader, type & SAMPLE_IP);
    if ((type & SAMPLE_TID) != 0) {
        sample->pid = tt_read_u32(reader);
        sample->tid = tt_read_u32(reader);
    }
    sample->time = read_if(reader, type & SAMPLE_TIME);
    sample->addr = read_if(reader, type & SAMPLE_ADDR);
    const struct attr *by_id = attr_of(perf, read_if(reader, type & SAMPLE_ID));
    attr = by_id && !perf->mixed ? by_id : attr;
    read_if(reader, type & SAMPLE_STREAM_ID);
    if ((type & SAMPLE_CPU) != 0) {
        sample->cpu = tt_read_u32(reader);
        tt_read_u32(reader);
    }
    sample->period = read_if(reader, type & SAMPLE_PERIOD);
    if ((type & SAMPLE_READ) != 0) {
        /* Skips the values of counters. */
        uint64_t format = attr->read_format;
        uint64_t counters = (format & READ_GROUP) != 0 ? tt_read_u64(reader) : 1;
        unsigned each = 1u + ((format & READ_ID) != 0) + ((format & READ_LOST) != 0);
        skip_words(reader, 0u + ((format & READ_ENABLED) != 0) + ((format & READ_RUNNING) != 0));
        skip_words(reader, counters <= reader->bytes.size ? counters * each : UINT64_MAX);
    }
    skip_words(reader, read_if(reader, type & SAMPLE_CALLCHAIN));
    if ((type & SAMPLE_RAW) != 0) {
        uint32_t size = tt_read_u32(reader);
        const uint8_t *data = tt_read_span(reader, size);
        sample->raw = tt_bytes_of(data, data ? size : 0);
    }
    sample->attr = attr;
    return !reader->failed;
}

/* ---- pages -------------------------------------------------------------------------------- */

static void ftrace_perf_store(const struct ftrace *ftrace, uint8_t *to, uint64_t number,
                              unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        to[ftrace->big ? size - 1 - i : i] = (uint8_t)(number >> 8 * i);
    }
}

/* Writes the page of a CPU to the spool. */
static struct tt_status end_page(struct perf *perf, struct cpu_page *cpu)
{
    struct ftrace *ftrace = perf->d;
    if (cpu->used == 0) {
        return tt_ok();
    }
    uint64_t *places =
        tt_array_grow(cpu->places, cpu->place_count, &cpu->place_capacity, sizeof *places);
    struct ftrace_chunk *chunks =
        tt_array_grow(ftrace->chunks, ftrace->chunk_count, &ftrace->chunk_capacity, sizeof *chunks);
    cpu->places = places ? places : cpu->places;
    ftrace->chunks = chunks ? chunks : ftrace->chunks;
    if (!places || !chunks) {
        return tt_error_memory();
    }
    uint32_t size = cpu->used - ftrace->data_at;
    uint32_t flags = cpu->has_lost ? FTRACE_COMMIT_LOST : 0;
    if (cpu->has_lost && cpu->used + ftrace->kernel_long <= ftrace->page_size) {
        ftrace_perf_store(ftrace, cpu->bytes + cpu->used, cpu->lost, ftrace->kernel_long);
        flags |= FTRACE_COMMIT_STORED;
    }
    ftrace_perf_store(ftrace, cpu->bytes + ftrace->commit_at, flags | size, ftrace->kernel_long);
    places[cpu->place_count++] = ftrace->spooled_size;
    chunks[ftrace->chunk_count++] = (struct ftrace_chunk){ftrace->spooled_size, cpu->offset};
    struct tt_status status = tt_map_append(ftrace->spool, cpu->bytes, ftrace->page_size);
    ftrace->spooled_size += ftrace->page_size;
    memset(cpu->bytes, 0, ftrace->page_size);
    cpu->used = 0;
    cpu->has_lost = false;
    cpu->lost = 0;
    return status;
}

/* Adds an event to the page of its CPU. A time that goes back, or far ahead, begins a page. */
static struct tt_status ftrace_perf_add_event(struct perf *perf, const struct sample *sample,
                                              struct tt_bytes event, uint64_t offset)
{
    struct ftrace *ftrace = perf->d;
    struct cpu_page *cpu = &perf->cpus[sample->cpu];
    uint32_t size = (uint32_t)event.size, whole = (size + 3) & ~3u;
    struct tt_status status = tt_ok();
    if (sample->time < cpu->time || sample->time - cpu->time > DELTA_MAX ||
        whole + 8 > ftrace->page_size - cpu->used) {
        status = end_page(perf, cpu);
    }
    cpu->bytes = cpu->bytes ? cpu->bytes : calloc(1, ftrace->page_size);
    if (tt_failed(&status) || !cpu->bytes) {
        return tt_failed(&status) ? status : tt_error_memory();
    }
    if (cpu->used == 0) {
        ftrace_perf_store(ftrace, cpu->bytes, sample->time, 8);
        cpu->used = ftrace->data_at;
        cpu->time = sample->time;
        cpu->offset = offset;
    }
    uint32_t delta = (uint32_t)(sample->time - cpu->time);
    ftrace_perf_store(ftrace, cpu->bytes + cpu->used, ftrace->big ? delta : delta << 5, 4);
    ftrace_perf_store(ftrace, cpu->bytes + cpu->used + 4, size + 4, 4);
    memcpy(cpu->bytes + cpu->used + 8, event.data, size);
    cpu->used += 8 + whole;
    cpu->time = sample->time;
    return status;
}

/* ---- what records mean -------------------------------------------------------------------- */

/* Notes the process of a thread, and its newest name, which events with a name replace. */
static void learn_thread(struct perf *perf, uint32_t pid, uint32_t tid, struct tt_bytes comm)
{
    struct linux_task *task =
        pid < LINUX_TIDS ? linux_task_add(&perf->d->threads, (int32_t)tid) : NULL;
    if (task && task->process == 0) {
        task->process = pid;
    }
    if (task && comm.size > 0 && comm.data[0] != 0) {
        const size_t most =
            comm.size < sizeof task->comm ? (size_t)comm.size : sizeof task->comm - 1;
        memset(task->comm, 0, sizeof task->comm);
        memcpy(task->comm, comm.data, strnlen((const char *)comm.data, most));
    }
}

static struct tt_status ftrace_perf_add_sample(struct perf *perf, struct tt_reader *reader,
                                               uint64_t offset)
{
    struct ftrace *ftrace = perf->d;
    struct tt_capture *capture = ftrace->capture;
    struct sample sample;
    uint8_t bytes[40] = {0};
    if (!read_sample(perf, reader, &sample)) {
        tt_health_add(capture, TT_HEALTH_MALFORMED, offset, 0, reader->bytes.size,
                      "sample that is longer than its record");
        return tt_ok();
    }
    bool is_new = sample.cpu < LINUX_CPUS && !perf->cpus[sample.cpu].bytes;
    perf->memory += is_new ? ftrace->page_size : 0;
    if (sample.cpu >= LINUX_CPUS || (is_new && perf->memory > MEMORY_MOST + capture->bytes.size)) {
        tt_health_add(capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, 0, sample.cpu,
                      "CPU that cannot be");
        return tt_ok();
    }
    learn_thread(perf, sample.pid, sample.tid, tt_bytes_of(NULL, 0));
    if (sample.raw.size >= 8 && sample.attr->event == NO_EVENT) {
        return ftrace_perf_add_event(perf, &sample, sample.raw, offset);
    }
    ftrace_perf_store(ftrace, bytes, sample.attr->event, 2);
    ftrace_perf_store(ftrace, bytes + 4, sample.tid, 4);
    ftrace_perf_store(ftrace, bytes + 16, sample.ip, 8);
    ftrace_perf_store(ftrace, bytes + 24, sample.addr, 8);
    ftrace_perf_store(ftrace, bytes + 32, sample.period, 8);
    return ftrace_perf_add_event(perf, &sample, tt_bytes_of(bytes, sizeof bytes), offset);
}

/* The CPU of a record that is no sample is near its end: ... cpu u32, u32 | identifier. */
static uint32_t ftrace_perf_cpu_of(const struct perf *perf, struct tt_reader *reader)
{
    const struct attr *attr = &perf->attrs[0];
    uint64_t after = (attr->sample_type & SAMPLE_IDENTIFIER) != 0 ? 16 : 8;
    if ((attr->flags & FLAG_ID_ALL) == 0 || (attr->sample_type & SAMPLE_CPU) == 0 ||
        reader->bytes.size < after) {
        return UINT32_MAX;
    }
    tt_read_seek(reader, reader->bytes.size - after);
    return tt_read_u32(reader);
}

/* Samples were lost: those of the CPU until its next page. */
static struct tt_status ftrace_perf_add_loss(struct perf *perf, struct tt_reader *reader,
                                             uint64_t lost, uint64_t offset)
{
    uint32_t number = ftrace_perf_cpu_of(perf, reader);
    if (number >= LINUX_CPUS) {
        tt_health_add(perf->d->capture, TT_HEALTH_LOST, offset, 0, lost,
                      "samples lost, their CPU is not recorded");
        return tt_ok();
    }
    struct cpu_page *cpu = &perf->cpus[number];
    struct tt_status status = end_page(perf, cpu);
    cpu->has_lost = true;
    cpu->lost += lost;
    return status;
}

static struct tt_status add_record(struct perf *perf, uint32_t type, struct tt_reader *reader,
                                   uint64_t offset)
{
    uint32_t pid, tid;
    switch (type) {
    case RECORD_SAMPLE:
        return ftrace_perf_add_sample(perf, reader, offset);
    case RECORD_COMM:
        pid = tt_read_u32(reader);
        tid = tt_read_u32(reader);
        learn_thread(perf, pid, tid,
                     tt_bytes_slice(reader->bytes, reader->pos, tt_read_left(reader)));
        return tt_ok();
    case RECORD_FORK:
        pid = tt_read_u32(reader);
        tt_read_u32(reader);
        tid = tt_read_u32(reader);
        learn_thread(perf, pid, tid, tt_bytes_of(NULL, 0));
        return tt_ok();
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES:
        read_if(reader, type == RECORD_LOST);
        return ftrace_perf_add_loss(perf, reader, tt_read_u64(reader), offset);
    default:
        return tt_ok();
    }
}

/* Chooses pages that have room for each record. Returns whether there are compressed records, whose size is not known. */
static bool choose_page(struct perf *perf)
{
    uint32_t type, size, largest = 0;
    bool packed = false;
    for (uint64_t at = perf->data, next; (next = ftrace_perf_next(perf, at, &type, &size)) != 0;
         at = next) {
        largest = type == RECORD_SAMPLE && size > largest ? size : largest;
        packed |= ftrace_perf_is_packed(type);
    }
    perf->d->page_size = PAGE_BYTES;
    while (perf->d->page_size < largest + 64) {
        perf->d->page_size *= 2;
    }
    return packed;
}

static struct tt_status read_records(struct perf *perf)
{
    struct tt_status status = tt_ok();
    uint32_t type = 0, size = 0;
    uint64_t at = perf->data, next;
    while (!tt_failed(&status) && (next = ftrace_perf_next(perf, at, &type, &size)) != 0) {
        struct tt_reader r =
            tt_reader_of(tt_bytes_slice(perf->in, at + 8, size - 8u), perf->d->big);
        status = add_record(perf, type, &r, file_offset(perf, at));
        at = next;
    }
    if (!tt_failed(&status) && at < perf->data_end) {
        tt_health_add(perf->d->capture,
                      perf->data_end - at < 8 || size > perf->data_end - at ? TT_HEALTH_TRUNCATED
                                                                            : TT_HEALTH_DAMAGED,
                      file_offset(perf, at), 0, perf->data_end - at,
                      "bytes after a record that cannot be one");
    }
    for (uint32_t i = 0; !tt_failed(&status) && i < LINUX_CPUS; i++) {
        status = end_page(perf, &perf->cpus[i]);
    }
    return status;
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Makes the pages of each CPU a stream. */
static bool add_streams(struct perf *perf)
{
    struct ftrace *ftrace = perf->d;
    if (!ftrace_add_buffer(ftrace, "")) {
        return false;
    }
    for (uint32_t i = 0; i < LINUX_CPUS; i++) {
        struct cpu_page *cpu = &perf->cpus[i];
        size_t bytes = cpu->place_count * sizeof *cpu->places;
        if (cpu->place_count == 0) {
            continue;
        }
        uint64_t *places = tt_arena_words(&ftrace->arena, bytes);
        if (!places || !ftrace_add_stream(ftrace, i, 0,
                                          cpu->place_count * (uint64_t)ftrace->page_size, true)) {
            return false;
        }
        memcpy(places, cpu->places, bytes);
        ftrace->streams[ftrace->stream_count - 1].places = places;
    }
    return true;
}

static struct tt_status read_all(struct perf *perf, const uint8_t *bits)
{
    struct ftrace *ftrace = perf->d;
    struct tt_status status = choose_page(perf) ? ftrace_perf_unpack(perf) : tt_ok();
    if (!tt_failed(&status)) {
        choose_page(perf);
        status = read_features(perf, bits);
    }
    if (!tt_failed(&status) && perf->attr_count == 0) {
        return tt_error_at(TT_ERR_FORMAT, perf->data, "perf.data without attributes of its events");
    }
    if (!tt_failed(&status) && (perf->attrs[0].sample_type & SAMPLE_TIME) == 0) {
        return tt_error_at(TT_ERR_FORMAT, 0, "perf.data without times (perf record -T)");
    }
    perf->cpus = calloc(LINUX_CPUS, sizeof *perf->cpus);
    if (tt_failed(&status) || !perf->cpus) {
        return tt_failed(&status) ? status : tt_error_memory();
    }
    status = tt_map_of_own(0, &ftrace->spool);
    if (!tt_failed(&status)) {
        status = read_records(perf);
    }
    status = tt_failed(&status) ? status : ftrace_spool_map(ftrace);
    return tt_failed(&status) || add_streams(perf) ? status : tt_error_memory();
}

/* Reads the header of a file: where its records and attributes are, and the bits of its features. */
static struct tt_status ftrace_perf_read_header(struct perf *perf, struct tt_reader *reader,
                                                uint64_t header, uint8_t set[FEATURES / 8])
{
    struct tt_capture *capture = perf->d->capture;
    uint64_t attr_size = tt_read_u64(reader), attrs = tt_read_u64(reader),
             attrs_size = tt_read_u64(reader);
    perf->data = tt_read_u64(reader);
    uint64_t size = tt_read_u64(reader);
    tt_read_span(reader, 16); /* types of events, unused */
    const uint8_t *bits = tt_read_span(reader, FEATURES / 8);
    if (!bits || header < HEADER_BYTES) {
        return tt_error_at(TT_ERR_FORMAT, 8, "perf.data ends in its header");
    }
    uint64_t left = perf->data < capture->bytes.size ? capture->bytes.size - perf->data : 0;
    if (size == 0 || size > left) { /* perf was killed, or the file is cut */
        tt_health_add(capture, TT_HEALTH_TRUNCATED, capture->bytes.size, 0,
                      size > left ? size - left : 0, "bytes of records that are after the end");
        size = left;
    }
    perf->data_end = perf->features = perf->data + size;
    for (unsigned i = 0; i < FEATURES / 8; i++) { /* they are words of the file's byte order */
        set[i] = perf->d->big ? bits[(i & ~7u) + 7 - (i & 7)] : bits[i];
    }

    const struct tt_bytes bytes = perf->d->capture->bytes;
    uint64_t count = attr_size >= ATTR_LEAST + 16 ? attrs_size / attr_size : 0;
    if (count == 0 || count > ATTRS_MAX || !tt_bytes_has(bytes, attrs, attrs_size)) {
        return tt_error_at(TT_ERR_FORMAT, attrs, "perf.data without attributes of its events");
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_reader r = tt_reader_of(bytes, perf->d->big), ids = r;
        tt_read_seek(&r, attrs + i * attr_size);
        bool good = read_attr(perf, &r);
        tt_read_seek(&r, attrs + (i + 1) * attr_size - 16);
        tt_read_seek(&ids, tt_read_u64(&r));
        if (!good || !add_ids(perf, &ids, tt_read_u64(&r))) {
            return tt_error_memory();
        }
    }
    return tt_ok();
}

struct tt_status ftrace_perf_read(struct ftrace *ftrace)
{
    struct tt_capture *capture = ftrace->capture;
    struct perf p = {.d = ftrace,
                     .next_event = FTRACE_IDS - 1,
                     .in = capture->bytes,
                     .data = PIPE_HEADER,
                     .data_end = capture->bytes.size};
    uint8_t set[FEATURES / 8];
    ftrace->big = capture->big_endian = capture->bytes.data[0] == '2';
    ftrace->is_perf = true;
    ftrace->clock_name = "perf";
    ftrace->kernel_long = ftrace->user_long = 8;
    ftrace->commit_at = 8;
    ftrace->data_at = 16;
    struct tt_reader r = tt_reader_of(capture->bytes, ftrace->big);
    tt_read_span(&r, 8);
    const uint64_t header = tt_read_u64(&r);
    const bool is_pipe = header == PIPE_HEADER;
    struct tt_status status = is_pipe ? tt_ok() : ftrace_perf_read_header(&p, &r, header, set);
    if (!tt_failed(&status)) {
        status = read_all(&p, is_pipe ? NULL : set);
    }
    for (uint32_t i = 0; p.cpus && i < LINUX_CPUS; i++) {
        free(p.cpus[i].bytes);
        free(p.cpus[i].places);
    }
    tt_map_close(p.unpacked);
    free(p.packed);
    free(p.cpus);
    free(p.ids);
    free(p.attrs);
    return status;
}
