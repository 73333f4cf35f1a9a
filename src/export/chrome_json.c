/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_json: receives the records of an export and writes each as a JSON object. */
#include "export/chrome_json.h"

#include <stdlib.h>
#include <string.h>

#include "export/fxt_writer.h"
#include "print/record/fields.h"

#define BUFFER_BYTES ((size_t)512 * 1024) /* room for FLUSH_BYTES and the longest record, escaped */
#define FLUSH_BYTES  ((size_t)64 * 1024)

/* The two lists of the document. */
enum part { PART_EVENTS, PART_SYSTEM };

struct chrome {
    const struct tt_export_request *request;
    enum part part;
    bool first; /* no object of this list is written */
    struct tt_sink sink;
    char *buffer;
    struct tt_text text;
    struct tt_fields fields; /* of the current object */
};

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

static void chrome_put_text(struct tt_fields *fields, const char *key, struct tt_arg_span value)
{
    tt_field_bytes(fields, key, value.data, value.length);
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

static void chrome_put_value(struct tt_fields *fields, const struct tt_fxt_encoded *value)
{
    double real;
    size_t start;
    switch (value->type) {
    case TT_FXT_VALUE_INT32:
        tt_field_i64(fields, NULL, (int32_t)(uint32_t)value->number);
        break;
    case TT_FXT_VALUE_INT64:
        tt_field_i64(fields, NULL, (int64_t)value->number);
        break;
    case TT_FXT_VALUE_UINT32:
    case TT_FXT_VALUE_UINT64:
        tt_field_u64(fields, NULL, value->number);
        break;
    case TT_FXT_VALUE_DOUBLE:
        memcpy(&real, &value->number, sizeof real);
        tt_field_real(fields, NULL, real);
        break;
    case TT_FXT_VALUE_STRING:
        tt_field_bytes(fields, NULL, value->bytes, value->length);
        break;
    case TT_FXT_VALUE_POINTER:
        put_id(fields, NULL, value->number);
        break;
    case TT_FXT_VALUE_KOID:
        start = tt_field_open_text(fields, NULL);
        tt_text_char(fields->text, '#');
        tt_text_u64(fields->text, value->number);
        tt_field_close_text(fields, start);
        break;
    case TT_FXT_VALUE_BOOL:
        tt_field_flag(fields, NULL, value->number);
        break;
    default:
        tt_field_none(fields, NULL);
        break;
    }
}

/* Writes the arguments; the second one of a name gets ~2. */
static void chrome_put_arguments(struct tt_fields *fields, const struct tt_fxt_writer *writer,
                                 const struct tt_fxt_out_arg *args, unsigned count)
{
    struct tt_arg_span names[TT_FXT_ARGS_MAX];
    char scratch[TT_FXT_TEXT_MAX];
    tt_field_open(fields, "args", '{');
    for (unsigned i = 0; i < count; i++) {
        char ending[16];
        struct tt_text text = tt_text_of(ending, sizeof ending);
        unsigned before = 0;
        names[i] = tt_fxt_writer_bytes(writer, args[i].name);
        for (unsigned k = 0; k < i; k++) {
            before += names[k].length == names[i].length &&
                      memcmp(names[k].data, names[i].data, names[i].length) == 0;
        }
        if (before > 0) {
            tt_text_char(&text, '~');
            tt_text_u64(&text, before + 1);
        }
        tt_field_name(fields, names[i].data, names[i].length, tt_text_cstr(&text));
        struct tt_fxt_encoded value = tt_fxt_encode(&args[i].value, scratch);
        chrome_put_value(fields, &value);
    }
    tt_field_close(fields, '}');
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

static bool chrome_put_event(void *arg, const struct tt_fxt_writer *writer,
                             const struct tt_fxt_event *event)
{
    struct chrome *chrome = arg;
    if (chrome->part != PART_EVENTS) {
        return !chrome->sink.stopped;
    }
    struct tt_fields *fields = begin_object(chrome);
    chrome_put_text(fields, "cat", tt_fxt_writer_bytes(writer, event->category));
    chrome_put_text(fields, "name", tt_fxt_writer_bytes(writer, event->name));
    chrome_put_time(fields, "ts", event->ns);
    tt_field_u64(fields, "pid", event->ids.process);
    tt_field_u64(fields, "tid", event->ids.thread);
    tt_field_text(fields, "ph", phases[event->kind]);

    /* Writes the members of an event after its arguments: its scope, end or id. */
    unsigned kind = event->kind;
    if (kind == TT_FXT_EVENT_INSTANT) {
        tt_field_text(fields, "s", "t");
    } else if (kind == TT_FXT_EVENT_COMPLETE) {
        chrome_put_time(fields, "dur", event->tail > event->ns ? event->tail - event->ns : 0);
    } else if (kind == TT_FXT_EVENT_COUNTER) {
        if (event->tail != 0) {
            put_id(fields, "id", event->tail);
        }
    } else if (kind >= TT_FXT_EVENT_ASYNC_BEGIN) {
        put_id(fields, "id", event->tail);
    }
    if (kind == TT_FXT_EVENT_FLOW_END) {
        tt_field_text(fields, "bp", "e"); /* binds to the slice around it, not to the next one */
    }

    if (event->count > 0) {
        chrome_put_arguments(fields, writer, event->args, event->count);
    }
    tt_field_close(fields, '}');
    return !chrome->sink.stopped;
}

/* Writes a name as metadata, which Perfetto reads, or in the form of Fuchsia's tools. */
static void put_object_name(struct chrome *chrome, struct tt_fxt_ids ids, struct tt_arg_span name)
{
    bool plain = chrome->part == PART_SYSTEM, is_thread = ids.thread != 0;
    struct tt_fields *fields = begin_object(chrome);
    tt_field_text(fields, "ph", !plain ? "M" : is_thread ? "t" : "p");
    if (!plain) {
        tt_field_text(fields, "name", is_thread ? "thread_name" : "process_name");
    }
    tt_field_u64(fields, "pid", ids.process);
    if (is_thread) {
        tt_field_u64(fields, "tid", ids.thread);
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

static bool chrome_put_object(void *arg, const struct tt_fxt_writer *writer, struct tt_fxt_ids ids,
                              struct tt_fxt_text_ref name)
{
    struct chrome *chrome = arg;
    put_object_name(chrome, ids, tt_fxt_writer_bytes(writer, name));
    return !chrome->sink.stopped;
}

/* Writes a thread of a switch: its ids, the state in which it leaves, and its weight. */
static void put_switched(struct tt_fields *fields, const char *key, struct tt_fxt_ids ids,
                         const unsigned *state, int32_t weight)
{
    tt_field_open(fields, key, '{');
    tt_field_u64(fields, "pid", ids.process);
    tt_field_u64(fields, "tid", ids.thread);
    if (state) {
        tt_field_u64(fields, "state", *state);
    }
    tt_field_i64(fields, "prio", weight);
    tt_field_close(fields, '}');
}

static bool chrome_put_switch(void *arg, const struct tt_fxt_switch *change)
{
    struct chrome *chrome = arg;
    if (chrome->part == PART_SYSTEM) {
        struct tt_fields *fields = begin_object(chrome);
        tt_field_text(fields, "ph", "k");
        chrome_put_time(fields, "ts", change->ns);
        tt_field_u64(fields, "cpu", change->cpu);
        put_switched(fields, "out", change->from, &change->state, change->from_weight);
        put_switched(fields, "in", change->to, NULL, change->to_weight);
        tt_field_close(fields, '}');
    }
    return !chrome->sink.stopped;
}

static bool chrome_put_wakeup(void *arg, const struct tt_fxt_wakeup *wakeup)
{
    struct chrome *chrome = arg;
    if (chrome->part == PART_SYSTEM) {
        struct tt_fields *fields = begin_object(chrome);
        tt_field_text(fields, "ph", "w");
        chrome_put_time(fields, "ts", wakeup->ns);
        tt_field_u64(fields, "cpu", wakeup->cpu);
        tt_field_u64(fields, "pid", wakeup->thread.process);
        tt_field_u64(fields, "tid", wakeup->thread.thread);
        tt_field_i64(fields, "prio", wakeup->weight);
        tt_field_open(fields, "args", '{');
        tt_field_i64(fields, "weight", wakeup->weight);
        if (wakeup->has_waker) {
            tt_field_name(fields, "waker", strlen("waker"), "");
            chrome_put_value(fields, &(struct tt_fxt_encoded){.type = TT_FXT_VALUE_KOID,
                                                              .number = wakeup->waker});
        }
        tt_field_close(fields, '}');
        tt_field_close(fields, '}');
    }
    return !chrome->sink.stopped;
}

/* ---- the document ------------------------------------------------------------------------- */

static struct tt_status write_part(struct chrome *chrome, enum part part,
                                   struct tt_export_counts *counts)
{
    const struct tt_fxt_form form = {chrome_put_event, chrome_put_object, chrome_put_switch,
                                     chrome_put_wakeup, chrome};
    struct tt_export_request request = *chrome->request;
    request.form = &form;
    if (part == PART_SYSTEM) {
        request.first_row = request.end_row; /* the scheduling comes from the timelines */
    }
    chrome->part = part;
    chrome->first = true;
    return tt_export_fxt(&request, counts);
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
    if (chrome->buffer) {
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
    free(chrome);
    return status;
}
