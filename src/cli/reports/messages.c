/* SPDX-License-Identifier: Apache-2.0 */
/* messages: prints messages as lines of text, CSV or JSON. */
#include "cli/reports/messages.h"

#include <string.h>

#include "base/bits.h"
#include "cli/message_filter.h"
#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"
#include "tracetui/message_walk.h"

struct line {
    const struct tt_capture *capture;
    const struct tt_message *message;
    const struct tt_message_parts *parts;
    uint64_t id;
    uint64_t first_ticks;
};

/* ---- fields ------------------------------------------------------------------------------- */

enum field_kind {
    FIELD_ID,
    FIELD_CLIENT_PID,
    FIELD_CLIENT_TID,
    FIELD_CLIENT,
    FIELD_SERVER_PID,
    FIELD_SERVER_TID,
    FIELD_SERVER,
    FIELD_CHANNEL,
    FIELD_CONNECTION,
    FIELD_KIND,
    FIELD_HOW,
    FIELD_ERRNO,
    FIELD_ERROR,
    FIELD_AT,    /* uint64_t in struct tt_message: a time */
    FIELD_REPLY, /* the answer: a time */
    FIELD_RUN,   /* the client runs again: a time */
    FIELD_PART,  /* uint64_t in struct tt_message_parts: a duration */
    FIELD_QUEUE, /* the same; in text only if the thread was busy */
    FIELD_CLASS, /* the same, if the classes are known */
    FIELD_OTHER, /* stopped, dead and unknown: the rest of the service */
};

#define AT(member)    offsetof(struct tt_message, member)
#define PART(member)  offsetof(struct tt_message_parts, member)
#define CLASS(class_) PART(class_ticks) + TT_CLASS_##class_ * sizeof(uint64_t)

/* clang-format off */
static const struct field {
    const char *key; /* of times without the unit */
    enum field_kind kind;
    size_t field;
} fields[] = {
    {"id", FIELD_ID, 0},
    {"client_pid", FIELD_CLIENT_PID, 0},
    {"client_tid", FIELD_CLIENT_TID, 0},
    {"client", FIELD_CLIENT, 0},
    {"server_pid", FIELD_SERVER_PID, 0},
    {"server_tid", FIELD_SERVER_TID, 0},
    {"server", FIELD_SERVER, 0},
    {"channel", FIELD_CHANNEL, 0},
    {"connection", FIELD_CONNECTION, 0},
    {"kind", FIELD_KIND, 0},
    {"end", FIELD_HOW, 0},
    {"errno", FIELD_ERRNO, 0},
    {"error", FIELD_ERROR, 0},
    {"send", FIELD_AT, AT(send)},
    {"receive", FIELD_AT, AT(receive)},
    {"reply", FIELD_REPLY, 0},
    {"ended", FIELD_AT, AT(end)},
    {"return", FIELD_RUN, 0},
    {"queue", FIELD_PART, PART(queue)},
    {"queue_busy", FIELD_QUEUE, PART(queue_busy)},
    {"queue_sched", FIELD_QUEUE, PART(queue_sched)},
    {"service", FIELD_PART, PART(service)},
    {"back", FIELD_PART, PART(back)},
    {"round", FIELD_PART, PART(round)},
    {"run", FIELD_CLASS, CLASS(RUNNING)},
    {"irq", FIELD_CLASS, PART(irq)},
    {"ready", FIELD_CLASS, CLASS(READY)},
    {"ipc", FIELD_CLASS, CLASS(IPC)},
    {"lock", FIELD_CLASS, CLASS(LOCK)},
    {"sleep", FIELD_CLASS, CLASS(SLEEP)},
    {"wait", FIELD_CLASS, CLASS(WAIT)},
    {"other", FIELD_OTHER, 0},
};
/* clang-format on */

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static bool is_time(enum field_kind kind)
{
    return kind >= FIELD_AT;
}

static uint32_t server_process(const struct tt_message *m)
{
    return m->process;
}

/* Returns the value of a numeric field; TT_NO_TIME: unknown. Times are ticks. */
static uint64_t number_of(const struct line *l, const struct field *field)
{
    const struct tt_message *m = l->message;
    const struct tt_message_parts *parts = l->parts;
    const struct tt_capture *c = l->capture;
    uint32_t thread =
        field->kind == FIELD_CLIENT_PID || field->kind == FIELD_CLIENT_TID ? m->client : m->server;
    switch (field->kind) {
    case FIELD_ID:
        return l->id;
    case FIELD_CLIENT_PID:
        return thread == TT_NO_THREAD ? TT_NO_TIME
                                      : tt_process_at(c, tt_thread_at(c, thread)->process)->pid;
    case FIELD_CLIENT_TID:
    case FIELD_SERVER_TID:
        return thread == TT_NO_THREAD ? TT_NO_TIME : tt_thread_at(c, thread)->tid;
    case FIELD_SERVER_PID:
        return server_process(m) < tt_process_count(c) ? tt_process_at(c, server_process(m))->pid
                                                       : TT_NO_TIME;
    case FIELD_CONNECTION:
        return m->connection;
    case FIELD_CHANNEL:
        return m->channel != TT_NO_CHANNEL ? m->channel : TT_NO_TIME;
    case FIELD_ERRNO:
        return m->error != 0 ? m->error : TT_NO_TIME;
    case FIELD_AT:
        return *(const uint64_t *)((const char *)m + field->field);
    case FIELD_REPLY:
        return m->how == TT_MESSAGE_REPLIED || m->how == TT_MESSAGE_ERROR ? m->end : TT_NO_TIME;
    case FIELD_RUN:
        return parts->run;
    case FIELD_PART:
    case FIELD_QUEUE:
        return *(const uint64_t *)((const char *)parts + field->field);
    case FIELD_CLASS:
        return parts->has_classes ? *(const uint64_t *)((const char *)parts + field->field)
                                  : TT_NO_TIME;
    case FIELD_OTHER:
        return parts->has_classes
                   ? parts->class_ticks[TT_CLASS_UNKNOWN] + parts->class_ticks[TT_CLASS_STOPPED] +
                         parts->class_ticks[TT_CLASS_DEAD]
                   : TT_NO_TIME;
    default:
        return TT_NO_TIME;
    }
}

static uint64_t known(uint64_t ticks)
{
    return ticks != TT_NO_TIME ? ticks : 0;
}

/* Returns the value in nanoseconds, of a duration by the times of its edges after the send. */
static uint64_t ns_of(const struct line *l, const struct field *field, uint64_t number)
{
    const struct tt_message_parts *parts = l->parts;
    uint64_t before = 0;
    if (field->kind == FIELD_QUEUE && field->field == PART(queue_sched)) {
        before = known(parts->queue_busy);
    } else if (field->kind == FIELD_PART && field->field == PART(service)) {
        before = known(parts->queue);
    } else if (field->kind == FIELD_PART && field->field == PART(back)) {
        before = known(parts->queue) + known(parts->service);
    } else if (field->kind == FIELD_CLASS || field->kind == FIELD_OTHER) {
        before = known(parts->queue);
        for (const struct field *part = field - 1; part->kind == FIELD_CLASS; part--) {
            before += number_of(l, part);
        }
    }
    return tt_line_part_ns(l->capture, before, number);
}

/* Returns a word: the kind of the message, how it ended, or the name of its error (or NULL). */
static const char *word_of(const struct line *l, enum field_kind kind)
{
    const struct tt_message *m = l->message;
    return kind == FIELD_HOW     ? tt_message_end_name(m->how)
           : kind == FIELD_ERROR ? tt_message_error_name(l->capture, m->error)
           : m->async            ? "post"
                                 : "message";
}

/*
 * Appends a thread, or the process of a server whose thread is unknown, if the format has some; "-" and
 * false: unknown.
 */
static bool put_name(struct tt_text *text, const struct line *l, bool is_server)
{
    const struct tt_message *m = l->message;
    uint32_t thread = is_server ? m->server : m->client;
    bool has_process =
        server_process(m) < tt_process_count(l->capture) && !l->capture->format->no_processes;
    if (thread != TT_NO_THREAD || !is_server || !has_process) {
        tt_line_thread(text, l->capture, thread);
        return thread != TT_NO_THREAD;
    }
    const struct tt_process *process = tt_process_at(l->capture, server_process(m));
    size_t length;
    const char *name = tt_process_base_name(l->capture, process, &length);
    if (length > 0) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_u64(text, process->pid);
    }
    return true;
}

static bool is_name(enum field_kind kind)
{
    return kind == FIELD_CLIENT || kind == FIELD_SERVER;
}

static bool is_word(enum field_kind kind)
{
    return kind == FIELD_KIND || kind == FIELD_HOW || kind == FIELD_ERROR;
}

/* ---- JSON and CSV ------------------------------------------------------------------------- */

static void json_value(struct tt_text *text, const struct line *l, const struct field *field)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_text name = tt_text_of(buffer, sizeof buffer);
    if (is_name(field->kind)) {
        if (put_name(&name, l, field->kind == FIELD_SERVER)) {
            tt_text_json(text, name.buffer, name.used);
        } else {
            tt_text_str(text, "null");
        }
        return;
    }
    if (is_word(field->kind)) {
        const char *word = word_of(l, field->kind);
        if (word) {
            tt_text_json(text, word, strlen(word));
        } else {
            tt_text_str(text, "null");
        }
        return;
    }
    uint64_t number = number_of(l, field);
    if (number == TT_NO_TIME) {
        tt_text_str(text, "null");
    } else {
        tt_json_u64(text, is_time(field->kind) ? ns_of(l, field, number) : number);
    }
}

static void put_key(struct tt_text *text, const struct line *l, const struct field *field)
{
    tt_text_str(text, field->key);
    tt_text_str(text, !is_time(field->kind) ? "" : l->capture->clock_hz != 0 ? "_ns" : "_ticks");
}

static void json_line(struct tt_text *text, const struct line *l)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        tt_text_str(text, i == 0 ? "{\"" : ",\"");
        put_key(text, l, &fields[i]);
        tt_text_str(text, "\":");
        json_value(text, l, &fields[i]);
    }
    tt_text_str(text, "}\n");
}

static void csv_header(struct tt_text *text, const struct line *l)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        tt_text_str(text, i == 0 ? "" : ",");
        put_key(text, l, &fields[i]);
    }
    tt_text_char(text, '\n');
}

static void csv_line(struct tt_text *text, const struct line *l)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        tt_text_str(text, i == 0 ? "" : ",");
        size_t start = text->used;
        if (is_name(field->kind)) {
            if (put_name(text, l, field->kind == FIELD_SERVER)) {
                tt_csv_text_from(text, start);
            } else {
                text->used = start;
            }
        } else if (is_word(field->kind)) {
            const char *word = word_of(l, field->kind);
            tt_text_str(text, word ? word : "");
        } else {
            uint64_t number = number_of(l, field);
            if (number != TT_NO_TIME) {
                tt_text_u64(text, is_time(field->kind) ? ns_of(l, field, number) : number);
            }
        }
    }
    tt_text_char(text, '\n');
}

/* ---- text --------------------------------------------------------------------------------- */

#define NAMES_COLUMN 14u
#define END_COLUMN   60u
#define PARTS_COLUMN 67u

/* Appends "error=EBUSY ", or the number of an error without a name. */
static void put_error(struct tt_text *text, const struct line *l)
{
    const char *name = word_of(l, FIELD_ERROR);
    tt_text_str(text, "error=");
    if (name) {
        tt_text_str(text, name);
    } else {
        tt_text_u64(text, l->message->error);
    }
    tt_text_char(text, ' ');
}

/* Appends "queue=0.000012 ": the parts that are known, and of the service those that are not 0. */
static void put_parts(struct tt_text *text, const struct line *l)
{
    bool first = true;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        bool is_part = field->kind == FIELD_PART;
        bool is_share =
            field->kind == FIELD_CLASS || field->kind == FIELD_OTHER || field->kind == FIELD_QUEUE;
        uint64_t number = is_part || is_share ? number_of(l, field) : TT_NO_TIME;
        bool is_whole = field->kind == FIELD_QUEUE && l->parts->queue_busy == 0;
        if (number == TT_NO_TIME || (is_share && number == 0) || is_whole) {
            continue;
        }
        tt_text_str(text, first ? "" : " ");
        first = false;
        tt_text_str(text, field->key);
        tt_text_char(text, '=');
        tt_line_time(text, l->capture, (struct tt_relative){number, false});
    }
}

static void text_line(struct tt_text *text, const struct line *l)
{
    const struct tt_message *m = l->message;
    size_t start = text->used;
    tt_line_time(text, l->capture,
                 tt_relative_ticks(l->capture, tt_message_begin(m), l->first_ticks));
    tt_text_pad_to(text, start, NAMES_COLUMN, 2);
    put_name(text, l, false);
    tt_text_str(text, " -> ");
    put_name(text, l, true);
    tt_text_pad_to(text, start, END_COLUMN, 2);
    tt_text_str(text, tt_message_end_name(m->how));
    tt_text_pad_to(text, start, PARTS_COLUMN, 2);
    if (l->message->error != 0) {
        put_error(text, l);
    }
    put_parts(text, l);
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

/* ---- selection ---------------------------------------------------------------------------- */

static bool is_picked(const struct tt_event_selection *pick, uint32_t thread)
{
    return thread < pick->thread_count && tt_bit_at(pick->threads, thread);
}

/* A message is selected by its client or its receiving thread. */
static bool is_selected(const struct tt_event_selection *pick, const struct tt_message *m)
{
    return !pick->threads || is_picked(pick, m->client) || is_picked(pick, m->server);
}

/* Returns whether a message begins before `to` and is not over before `from`. */
static bool overlaps(const struct tt_message *m, uint64_t from)
{
    return m->how == TT_MESSAGE_OPEN || m->last >= from;
}

static void print_line(const struct line *l, int format, struct tt_output *out)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        if (format == TT_OUTPUT_JSONL) {
            json_line(&text, l);
        } else if (format == TT_OUTPUT_CSV) {
            csv_line(&text, l);
        } else {
            text_line(&text, l);
        }
    } while (!tt_output_end(out, &text));
}

static void print_header(const struct line *l, struct tt_output *out)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        csv_header(&text, l);
    } while (!tt_output_end(out, &text));
}

static struct tt_status print_messages(const struct tt_options *options, struct tt_input *input,
                                       const struct tt_event_selection *pick, struct tt_output *out)
{
    const struct tt_timelines *t = tt_trace_timelines(input->trace);
    bool has_from = options->from.kind != TT_TIME_SPEC_NONE;
    uint64_t from = has_from ? pick->from.ticks : 0;
    struct tt_message message;
    struct tt_message_parts parts;
    struct tt_message_walk walk;
    struct tt_message_filter filter;
    struct line line = {.capture = input->capture,
                        .message = &message,
                        .parts = &parts,
                        .first_ticks = input->progress.first_ticks};
    if (options->format == TT_OUTPUT_CSV && !out->begun) {
        print_header(&line, out);
    }
    if (!t) {
        return tt_ok();
    }
    /* From the beginning, so that `id` does not depend on the range. */
    bool ok = tt_message_walk_begin(&walk, t, 0);
    ok = tt_message_filter_begin(&filter, pick, input) && ok;
    for (; ok && tt_output_is_open(out) && tt_message_walk_next(&walk, &message); line.id++) {
        if (!pick->to_end && tt_message_begin(&message) >= pick->to.ticks) {
            break;
        }
        if (overlaps(&message, from) && is_selected(pick, &message) &&
            tt_message_filter_test(&filter, &message)) {
            tt_message_parts_of(t, &message, &parts);
            print_line(&line, options->format, out);
        }
    }
    tt_message_walk_free(&walk);
    ok = tt_message_filter_end(&filter, input) && ok;
    return ok ? tt_ok() : tt_error_memory();
}

static struct tt_status messages_input(const struct tt_options *options, struct tt_input *input,
                                       struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (!tt_failed(&status)) {
        status = print_messages(options, input, &pick, out);
        tt_event_selection_free(&pick);
    }
    return status;
}

enum tt_exit tt_command_messages(const struct tt_options *options)
{
    return tt_command_each_input(options, messages_input);
}
