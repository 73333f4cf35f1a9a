/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_json: reads the records of an export back and writes each as a JSON object. */
#include "export/chrome_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/fxt_value.h"
#include "export/fxt_writer.h"
#include "print/record/fields.h"

#define BUFFER_BYTES  ((size_t)512 * 1024) /* room for FLUSH_BYTES and the longest record, escaped */
#define FLUSH_BYTES   ((size_t)64 * 1024)
#define TEXT_INDEXES  0x8000u
#define THREAD_REFS   256u
#define OBJECT_THREAD 2u

/* A text of the string table, in `pool`. */
struct span {
    size_t at;
    size_t length;
};

struct thread_ids {
    uint64_t pid;
    uint64_t tid;
};

/* The two lists of the document. */
enum part { PART_EVENTS, PART_SYSTEM };

struct chrome {
    const struct tt_export_request *request;
    enum part part;
    bool first; /* no object of this list is written */
    struct tt_sink sink;
    bool no_memory;
    char *buffer;
    struct tt_text text;
    struct tt_fields fields; /* of the current object */
    struct span *texts;      /* TEXT_INDEXES */
    char *pool;
    size_t pool_used;
    size_t pool_capacity;
    struct thread_ids refs[THREAD_REFS];
    struct thread_ids *threads; /* sorted by tid once `sorted` */
    size_t thread_count;
    size_t thread_capacity;
    bool sorted;
};

/* ---- records ------------------------------------------------------------------------------ */

/* Reads the words of one record. The export writes only whole records. */
struct reader {
    const unsigned char *bytes;
    size_t at;
    size_t length;
};

static uint64_t bits(uint64_t word, unsigned low, unsigned width)
{
    return word >> low & ((UINT64_C(1) << width) - 1);
}

static uint64_t chrome_word(struct reader *reader)
{
    uint64_t value = 0;
    if (reader->length - reader->at < 8) {
        reader->at = reader->length;
        return 0;
    }
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)reader->bytes[reader->at + i] << (8 * i);
    }
    reader->at += 8;
    return value;
}

struct text_span {
    const char *bytes;
    size_t length;
};

/* Returns the text of a reference; an inline one is the next words of the record. */
static struct text_span chrome_text_of(const struct chrome *chrome, struct reader *reader,
                                       uint64_t ref)
{
    if (!(ref & TEXT_INDEXES)) {
        const struct span *span = &chrome->texts[ref];
        return (struct text_span){chrome->pool ? chrome->pool + span->at : "", span->length};
    }
    size_t length = ref & (TEXT_INDEXES - 1), padded = (length + 7) / 8 * 8;
    const char *bytes = (const char *)reader->bytes + reader->at;
    if (padded > reader->length - reader->at) {
        return (struct text_span){"", 0};
    }
    reader->at += padded;
    return (struct text_span){bytes, length};
}

static void convert_text(struct chrome *chrome, struct reader *reader, uint64_t header)
{
    size_t index = bits(header, 16, 15), length = bits(header, 32, 15);
    char *pool =
        tt_array_reserve(chrome->pool, chrome->pool_used + length, &chrome->pool_capacity, 1);
    if (!pool) {
        chrome->no_memory = true;
        return;
    }
    chrome->pool = pool;
    if (length <= reader->length - reader->at) {
        memcpy(pool + chrome->pool_used, reader->bytes + reader->at, length);
        chrome->texts[index] = (struct span){chrome->pool_used, length};
        chrome->pool_used += length;
    }
}

static int by_tid(const void *x, const void *y)
{
    const struct thread_ids *left = x, *right = y;
    return (left->tid > right->tid) - (left->tid < right->tid);
}

static void convert_thread(struct chrome *chrome, uint64_t pid, uint64_t tid)
{
    struct thread_ids *threads = tt_array_grow(chrome->threads, chrome->thread_count,
                                               &chrome->thread_capacity, sizeof *threads);
    if (!threads) {
        chrome->no_memory = true;
        return;
    }
    chrome->threads = threads;
    threads[chrome->thread_count++] = (struct thread_ids){pid, tid};
    chrome->sorted = false;
}

/* Returns the process of a thread; 0: it has no kernel object. */
static uint64_t chrome_process_of(struct chrome *chrome, uint64_t tid)
{
    const struct thread_ids key = {0, tid};
    if (chrome->thread_count == 0) {
        return 0;
    }
    if (!chrome->sorted) {
        qsort(chrome->threads, chrome->thread_count, sizeof *chrome->threads, by_tid);
        chrome->sorted = true;
    }
    const struct thread_ids *found =
        bsearch(&key, chrome->threads, chrome->thread_count, sizeof *chrome->threads, by_tid);
    return found ? found->pid : 0;
}

/* ---- fields ------------------------------------------------------------------------------- */

/* Begins an object on a line of its own; the caller closes it. */
static struct tt_fields *begin_object(struct chrome *chrome)
{
    if (chrome->text.used > FLUSH_BYTES) {
        tt_sink_flush(&chrome->sink, &chrome->text);
    }
    tt_text_str(&chrome->text, chrome->first ? "\n" : ",\n");
    chrome->first = false;
    chrome->fields = tt_fields_begin(&chrome->text, TT_FIELDS_JSON);
    return &chrome->fields;
}

static void chrome_put_text(struct tt_fields *fields, const char *key, struct text_span value)
{
    tt_field_bytes(fields, key, value.bytes, value.length);
}

/* Writes nanoseconds as microseconds. */
static void chrome_put_time(struct tt_fields *fields, const char *key, uint64_t ns)
{
    tt_field_decimal(fields, key, ns, 3);
}

/* Writes an id as hexadecimal text: readers of JSON keep 53 bits of a number. */
static void put_id(struct tt_fields *fields, const char *key, uint64_t id)
{
    size_t start = tt_field_open_text(fields, key);
    tt_text_str(fields->text, "0x");
    tt_text_hex(fields->text, id, 1);
    tt_field_close_text(fields, start);
}

/* ---- arguments ---------------------------------------------------------------------------- */

/* An argument: its value is a text, or a number by type. */
struct argument {
    struct text_span name;
    unsigned type;
    uint64_t value;
    struct text_span text;
};

static struct argument read_argument(const struct chrome *chrome, struct reader *reader)
{
    uint64_t header = chrome_word(reader);
    struct argument a = {.type = (unsigned)bits(header, 0, 4), .value = bits(header, 32, 32)};
    a.name = chrome_text_of(chrome, reader, bits(header, 16, 16));
    if (a.type == TT_FXT_VALUE_STRING) {
        a.text = chrome_text_of(chrome, reader, a.value);
    } else if (a.type >= TT_FXT_VALUE_INT64 && a.type <= TT_FXT_VALUE_KOID) {
        a.value = chrome_word(reader);
    }
    return a;
}

static void chrome_put_value(struct tt_fields *fields, const struct argument *argument)
{
    double real;
    size_t start;
    switch (argument->type) {
    case TT_FXT_VALUE_INT32:
        tt_field_i64(fields, NULL, (int32_t)(uint32_t)argument->value);
        break;
    case TT_FXT_VALUE_INT64:
        tt_field_i64(fields, NULL, (int64_t)argument->value);
        break;
    case TT_FXT_VALUE_UINT32:
    case TT_FXT_VALUE_UINT64:
        tt_field_u64(fields, NULL, argument->value);
        break;
    case TT_FXT_VALUE_DOUBLE:
        memcpy(&real, &argument->value, sizeof real);
        tt_field_real(fields, NULL, real);
        break;
    case TT_FXT_VALUE_STRING:
        chrome_put_text(fields, NULL, argument->text);
        break;
    case TT_FXT_VALUE_POINTER:
        put_id(fields, NULL, argument->value);
        break;
    case TT_FXT_VALUE_KOID:
        start = tt_field_open_text(fields, NULL);
        tt_text_char(fields->text, '#');
        tt_text_u64(fields->text, argument->value);
        tt_field_close_text(fields, start);
        break;
    case TT_FXT_VALUE_BOOL:
        tt_field_flag(fields, NULL, argument->value);
        break;
    default:
        tt_field_none(fields, NULL);
        break;
    }
}

/* Returns how many earlier arguments have the name of argument `index`. */
static unsigned times_before(const struct argument *args, unsigned index)
{
    const struct text_span *name = &args[index].name;
    unsigned times = 0;
    for (unsigned i = 0; i < index; i++) {
        times += args[i].name.length == name->length &&
                 memcmp(args[i].name.bytes, name->bytes, name->length) == 0;
    }
    return times;
}

static unsigned read_arguments(const struct chrome *chrome, struct reader *reader, uint64_t count,
                               struct argument args[TT_FXT_ARGS_MAX])
{
    unsigned n = count < TT_FXT_ARGS_MAX ? (unsigned)count : TT_FXT_ARGS_MAX;
    for (unsigned i = 0; i < n; i++) {
        args[i] = read_argument(chrome, reader);
    }
    return n;
}

/* Writes the arguments; the second one of a name gets ~2. */
static void chrome_put_arguments(struct tt_fields *fields, const struct argument *args,
                                 unsigned count)
{
    tt_field_open(fields, "args", '{');
    for (unsigned i = 0; i < count; i++) {
        char ending[16];
        struct tt_text text = tt_text_of(ending, sizeof ending);
        unsigned before = times_before(args, i);
        if (before > 0) {
            tt_text_char(&text, '~');
            tt_text_u64(&text, before + 1);
        }
        tt_field_name(fields, args[i].name.bytes, args[i].name.length, tt_text_cstr(&text));
        chrome_put_value(fields, &args[i]);
    }
    tt_field_close(fields, '}');
}

/* Returns the number with that name among the arguments; 0: there is none. */
static uint64_t number_named(const struct argument *args, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (args[i].name.length == strlen(name) &&
            memcmp(args[i].name.bytes, name, args[i].name.length) == 0) {
            return args[i].value;
        }
    }
    return 0;
}

/* ---- objects ------------------------------------------------------------------------------ */

static const char *const phases[] = {
    [TT_FXT_EVENT_INSTANT] = "i",       [TT_FXT_EVENT_COUNTER] = "C",
    [TT_FXT_EVENT_BEGIN] = "B",         [TT_FXT_EVENT_END] = "E",
    [TT_FXT_EVENT_COMPLETE] = "X",      [TT_FXT_EVENT_ASYNC_BEGIN] = "b",
    [TT_FXT_EVENT_ASYNC_INSTANT] = "n", [TT_FXT_EVENT_ASYNC_END] = "e",
    [TT_FXT_EVENT_FLOW_BEGIN] = "s",    [TT_FXT_EVENT_FLOW_STEP] = "t",
    [TT_FXT_EVENT_FLOW_END] = "f",
};

/* Writes the members of an event after its arguments: its scope, end or id. */
static void chrome_put_tail(struct tt_fields *fields, struct reader *reader, unsigned kind,
                            uint64_t ns)
{
    if (kind == TT_FXT_EVENT_INSTANT) {
        tt_field_text(fields, "s", "t");
    } else if (kind == TT_FXT_EVENT_COMPLETE) {
        uint64_t end = chrome_word(reader);
        chrome_put_time(fields, "dur", end > ns ? end - ns : 0);
    } else if (kind == TT_FXT_EVENT_COUNTER) {
        uint64_t id = chrome_word(reader);
        if (id != 0) {
            put_id(fields, "id", id);
        }
    } else if (kind >= TT_FXT_EVENT_ASYNC_BEGIN) {
        put_id(fields, "id", chrome_word(reader));
    }
    if (kind == TT_FXT_EVENT_FLOW_END) {
        tt_field_text(fields, "bp", "e"); /* binds to the slice around it, not to the next one */
    }
}

static void chrome_put_event(struct chrome *chrome, struct reader *reader, uint64_t header)
{
    struct argument args[TT_FXT_ARGS_MAX];
    unsigned kind = (unsigned)bits(header, 16, 4);
    uint64_t ref = bits(header, 24, 8), ns = chrome_word(reader);
    struct thread_ids thread = chrome->refs[ref];
    if (chrome->part != PART_EVENTS || kind >= sizeof phases / sizeof *phases) {
        return;
    }
    if (ref == 0) {
        thread.pid = chrome_word(reader);
        thread.tid = chrome_word(reader);
    }
    struct text_span category = chrome_text_of(chrome, reader, bits(header, 32, 16));
    struct text_span name = chrome_text_of(chrome, reader, bits(header, 48, 16));
    unsigned count = read_arguments(chrome, reader, bits(header, 20, 4), args);
    struct tt_fields *fields = begin_object(chrome);
    chrome_put_text(fields, "cat", category);
    chrome_put_text(fields, "name", name);
    chrome_put_time(fields, "ts", ns);
    tt_field_u64(fields, "pid", thread.pid);
    tt_field_u64(fields, "tid", thread.tid);
    tt_field_text(fields, "ph", phases[kind]);
    chrome_put_tail(fields, reader, kind, ns);
    if (count > 0) {
        chrome_put_arguments(fields, args, count);
    }
    tt_field_close(fields, '}');
}

/* Writes a name as metadata, which Perfetto reads, or in the form of Fuchsia's tools. */
static void put_object_name(struct chrome *chrome, bool is_thread, struct thread_ids ids,
                            struct text_span name)
{
    bool plain = chrome->part == PART_SYSTEM;
    struct tt_fields *fields = begin_object(chrome);
    tt_field_text(fields, "ph", !plain ? "M" : is_thread ? "t" : "p");
    if (!plain) {
        tt_field_text(fields, "name", is_thread ? "thread_name" : "process_name");
    }
    tt_field_u64(fields, "pid", ids.pid);
    if (is_thread) {
        tt_field_u64(fields, "tid", ids.tid);
    }
    if (!plain) {
        tt_field_open(fields, "args", '{');
    }
    chrome_put_text(fields, "name", name);
    if (!plain) {
        tt_field_close(fields, '}');
    }
    tt_field_close(fields, '}');
}

static void chrome_put_object(struct chrome *chrome, struct reader *reader, uint64_t header)
{
    struct argument args[TT_FXT_ARGS_MAX];
    bool is_thread = bits(header, 16, 8) == OBJECT_THREAD;
    uint64_t koid = chrome_word(reader);
    struct text_span name = chrome_text_of(chrome, reader, bits(header, 24, 16));
    unsigned count = read_arguments(chrome, reader, bits(header, 40, 4), args);
    struct thread_ids ids = {koid, koid};
    if (is_thread) {
        ids.pid = number_named(args, count, "process");
        convert_thread(chrome, ids.pid, koid);
    }
    put_object_name(chrome, is_thread, ids, name);
}

/* Writes a thread of a switch: its ids, the state in which it leaves, and its weight. */
static void put_switched(struct chrome *chrome, struct tt_fields *fields, const char *key,
                         uint64_t tid, const uint64_t *state, uint64_t weight)
{
    tt_field_open(fields, key, '{');
    tt_field_u64(fields, "pid", chrome_process_of(chrome, tid));
    tt_field_u64(fields, "tid", tid);
    if (state) {
        tt_field_u64(fields, "state", *state);
    }
    tt_field_i64(fields, "prio", (int32_t)(uint32_t)weight);
    tt_field_close(fields, '}');
}

static void put_scheduling(struct chrome *chrome, struct reader *reader, uint64_t header)
{
    struct argument args[TT_FXT_ARGS_MAX];
    if (chrome->part != PART_SYSTEM) {
        return;
    }
    bool is_wakeup = bits(header, 60, 4) == 2;
    uint64_t state = bits(header, 36, 4), ns = chrome_word(reader), first = chrome_word(reader);
    uint64_t second = is_wakeup ? 0 : chrome_word(reader);
    unsigned count = read_arguments(chrome, reader, bits(header, 16, 4), args);
    struct tt_fields *fields = begin_object(chrome);
    tt_field_text(fields, "ph", is_wakeup ? "w" : "k");
    chrome_put_time(fields, "ts", ns);
    tt_field_u64(fields, "cpu", bits(header, 20, 16));
    if (is_wakeup) {
        tt_field_u64(fields, "pid", chrome_process_of(chrome, first));
        tt_field_u64(fields, "tid", first);
        tt_field_i64(fields, "prio", (int32_t)(uint32_t)number_named(args, count, "weight"));
        chrome_put_arguments(fields, args, count);
    } else {
        put_switched(chrome, fields, "out", first, &state,
                     number_named(args, count, "outgoing_weight"));
        put_switched(chrome, fields, "in", second, NULL,
                     number_named(args, count, "incoming_weight"));
    }
    tt_field_close(fields, '}');
}

static void convert_record(struct chrome *chrome, struct reader *reader)
{
    uint64_t header = chrome_word(reader);
    switch (bits(header, 0, 4)) {
    case TT_FXT_RECORD_STRING:
        convert_text(chrome, reader, header);
        break;
    case TT_FXT_RECORD_THREAD: {
        struct thread_ids *ids = &chrome->refs[bits(header, 16, 8)];
        ids->pid = chrome_word(reader);
        ids->tid = chrome_word(reader);
        break;
    }
    case TT_FXT_RECORD_EVENT:
        chrome_put_event(chrome, reader, header);
        break;
    case TT_FXT_RECORD_KERNEL_OBJECT:
        chrome_put_object(chrome, reader, header);
        break;
    case TT_FXT_RECORD_SCHEDULING:
        put_scheduling(chrome, reader, header);
        break;
    default:
        break;
    }
}

/* Receives whole records from the export. */
static bool convert_records(void *arg, const char *bytes, size_t length)
{
    struct chrome *chrome = arg;
    const unsigned char *all = (const unsigned char *)bytes;
    for (size_t at = 0; at < length && !chrome->sink.stopped && !chrome->no_memory;) {
        struct reader header = {all + at, 0, length - at};
        size_t size = bits(chrome_word(&header), 4, 12) * 8;
        if (size == 0 || size > length - at) {
            break;
        }
        struct reader record = {all + at, 0, size};
        convert_record(chrome, &record);
        at += size;
    }
    return !chrome->sink.stopped && !chrome->no_memory;
}

/* ---- the document ------------------------------------------------------------------------- */

static struct tt_status write_part(struct chrome *chrome, enum part part,
                                   struct tt_export_counts *counts)
{
    struct tt_export_request request = *chrome->request;
    request.sink = (struct tt_sink){.write = convert_records, .arg = chrome};
    if (part == PART_SYSTEM) {
        request.first_row = request.end_row; /* the scheduling comes from the timelines */
    }
    chrome->part = part;
    chrome->first = true;
    chrome->pool_used = 0;
    chrome->thread_count = 0;
    struct tt_status status = tt_export_fxt(&request, counts);
    return !tt_failed(&status) && chrome->no_memory ? tt_error_memory() : status;
}

struct tt_status tt_export_chrome_json(const struct tt_export_request *request,
                                       struct tt_export_counts *counts)
{
    struct tt_export_counts system = {0};
    struct chrome *chrome = calloc(1, sizeof *chrome);
    struct tt_status status = tt_error_memory();
    memset(counts, 0, sizeof *counts);
    if (!chrome) {
        return status;
    }
    chrome->request = request;
    chrome->sink = request->sink;
    chrome->buffer = malloc(BUFFER_BYTES);
    chrome->texts = calloc(TEXT_INDEXES, sizeof *chrome->texts);
    if (chrome->buffer && chrome->texts) {
        chrome->text = tt_text_of(chrome->buffer, BUFFER_BYTES);
        tt_text_str(&chrome->text, "{\"displayTimeUnit\":\"ns\",\n\"traceEvents\":[");
        status = write_part(chrome, PART_EVENTS, counts);
        if (!tt_failed(&status) && !chrome->sink.stopped) {
            tt_text_str(&chrome->text,
                        "\n],\n\"systemTraceEvents\":{\"type\":\"fuchsia\",\"events\":[");
            status = write_part(chrome, PART_SYSTEM, &system);
        }
        tt_text_str(&chrome->text, "\n]}}\n");
        tt_sink_flush(&chrome->sink, &chrome->text);
    }
    free(chrome->buffer);
    free(chrome->texts);
    free(chrome->pool);
    free(chrome->threads);
    free(chrome);
    return status;
}
