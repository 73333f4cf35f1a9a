/* SPDX-License-Identifier: Apache-2.0 */
/* log_decode: the lines in order, as events with a time on one clock and a lane. */
#include <stdlib.h>

#include "base/hash.h"
#include "format/log/log_internal.h"
#include "tracetui/time.h"

#define TEXT_MOST  65536u /* a longer line is reported */
#define LANE_SLOTS 256u

/* The state between lines: that of a checkpoint. */
struct log_state {
    uint64_t pos;
    uint64_t line;    /* lines before */
    uint64_t ticks;   /* of the line before */
    int64_t seconds;  /* of the latest date, which times without one are near to */
    int64_t shift_ns; /* added to times of the other clock, dates or uptimes */
    uint64_t form;    /* hash of the name of the latest form; 0: none */
    uint32_t thread;  /* of the line before: lines without a time continue it */
    bool has_shift;
};

struct lane {
    uint64_t pid;
    uint64_t tid;
    uint32_t thread;
    bool is_set;
};

struct tt_cursor {
    struct tt_capture *capture;
    const struct log_decoder *decoder;
    bool learn;
    struct log_state state;
    struct lane lanes[LANE_SLOTS]; /* found before, by pid and tid */
    uint32_t types[LOG_LEVELS];    /* + 1; 0: not looked up */
};

struct tt_cursor *log_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->capture = capture;
        cursor->decoder = capture->decoder;
        cursor->learn = learn;
        cursor->state.ticks = cursor->decoder->begin;
        cursor->state.seconds = cursor->decoder->first;
        cursor->state.thread = TT_NO_THREAD;
    }
    return cursor;
}

size_t log_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->state) {
        memcpy(blob, &cursor->state, sizeof cursor->state);
    }
    return sizeof cursor->state;
}

void log_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    if (size == sizeof cursor->state) {
        memcpy(&cursor->state, blob, size);
    }
}

uint64_t log_cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->state.pos;
}

static void note(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t value,
                 const char *detail)
{
    if (cursor->learn) {
        cursor->capture->line = cursor->state.line + 1;
        tt_health_add(cursor->capture, kind, cursor->state.pos, cursor->state.pos, value, detail);
    }
}

/* ---- times ---------------------------------------------------------------------------------- */

/*
 * Returns the time of a line in ticks. The other clock, of which no instant is known, continues where the first line
 * with such a time is.
 */
static uint64_t ticks_of(struct tt_cursor *cursor, const struct log_time *time)
{
    struct log_state *state = &cursor->state;
    const struct log_decoder *decoder = cursor->decoder;
    const bool is_uptime = time->clock == LOG_UPTIME;
    const int64_t seconds = is_uptime ? time->seconds : log_seconds_near(time, state->seconds);
    const bool is_other = is_uptime != decoder->is_uptime;
    const int64_t since = seconds - (is_uptime ? 0 : decoder->base);
    state->seconds = is_uptime ? state->seconds : seconds;
    if (since < -LOG_SECONDS_MOST || since > LOG_SECONDS_MOST) {
        note(cursor, TT_HEALTH_TIME_RANGE, state->line + 1,
             "line: it has the time of the one before");
        return state->ticks;
    }
    int64_t ns = since * TT_NS_PER_S + time->ns;
    if (is_other && !state->has_shift) {
        state->shift_ns = (int64_t)state->ticks - ns;
        state->has_shift = true;
    }
    ns += is_other ? state->shift_ns : 0;
    if (ns < 0) {
        note(cursor, TT_HEALTH_TIME_RANGE, state->line + 1,
             "line: it has the time of the one before");
        return state->ticks;
    }
    if ((uint64_t)ns < state->ticks) {
        note(cursor, TT_HEALTH_TIME_BACK, state->ticks - (uint64_t)ns, "ns before the line before");
    }
    return (uint64_t)ns;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* Returns the lane of the log for a process and thread, which the learning cursor adds. */
static uint32_t own_lane(struct tt_cursor *cursor, const struct log_line *line)
{
    struct tt_capture *capture = cursor->capture;
    const uint64_t pid = line->has_pid ? line->pid : 0, tid = line->has_tid ? line->tid : 0;
    uint32_t thread = tt_registry_find_thread(capture, pid, tid, 0);
    if (thread != UINT32_MAX || !cursor->learn) {
        return thread;
    }
    thread = tt_registry_thread(capture, pid, tid, 0);
    if (thread == UINT32_MAX) {
        return thread;
    }
    const char *label = capture->label ? capture->label : "log";
    const uint32_t process = tt_thread_at(capture, thread)->process;
    if (tt_process_at(capture, process)->name == 0) {
        const bool is_named = line->has_pid && line->name.at < line->name.end;
        const tt_string name = is_named ? tt_capture_intern(capture, (const char *)line->name.at,
                                                            log_length(line->name))
                               : line->has_pid ? 0
                                               : tt_capture_intern(capture, label, strlen(label));
        tt_registry_process_name(capture, process, name);
    }
    tt_registry_set_pseudo(capture, thread);
    return thread;
}

/*
 * Returns the thread of the capture beside the log that has written a line; UINT32_MAX if there is none, or if the log
 * has a lane of its own for it.
 */
static uint32_t beside_lane(const struct tt_cursor *cursor, const struct log_line *line)
{
    const struct tt_capture *capture = cursor->capture, *beside = capture->beside;
    if (!beside || !line->has_pid ||
        tt_registry_find_thread(capture, line->pid, line->has_tid ? line->tid : 0, 0) !=
            UINT32_MAX) {
        return UINT32_MAX;
    }
    /* On Linux the first thread of a process has its pid, and a thread may be known without its process. */
    const uint64_t tid = line->has_tid ? line->tid : line->pid;
    const uint32_t thread = tt_registry_find_thread(beside, line->pid, tid, UINT64_MAX);
    const bool has_process = tt_registry_find_process(beside, line->pid, UINT64_MAX) != UINT32_MAX;
    return thread != UINT32_MAX || has_process
               ? thread
               : tt_registry_find_thread(beside, tid, tid, UINT64_MAX);
}

static uint32_t lane_of(struct tt_cursor *cursor, const struct log_line *line)
{
    const uint64_t pid = line->has_pid ? line->pid : 0;
    const uint64_t tid = line->has_tid ? line->tid : UINT64_MAX;
    struct lane *lane = &cursor->lanes[(pid * 31 + tid + line->has_pid) % LANE_SLOTS];
    if (lane->is_set && lane->pid == pid && lane->tid == tid) {
        return lane->thread;
    }
    uint32_t thread = beside_lane(cursor, line);
    thread = thread != UINT32_MAX ? thread : own_lane(cursor, line);
    *lane = (struct lane){pid, tid, thread, thread != UINT32_MAX};
    return thread;
}

/* ---- events --------------------------------------------------------------------------------- */

static uint32_t type_of(struct tt_cursor *cursor, unsigned level)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } levels[LOG_LEVELS] = {
#define X(id, name, kind) {name, kind},
        LOG_LEVEL_INFO(X)
#undef X
    };
    uint32_t *type = &cursor->types[level];
    if (*type == 0) {
        *type =
            1 + (cursor->learn ? tt_types_add(cursor->capture, "LOG", levels[level].name, level,
                                              levels[level].kind)
                               : tt_types_find(cursor->capture, "LOG", levels[level].name, level));
    }
    return *type - 1;
}

/* Lines without a time that follow each other: they are one report. */
struct untimed {
    uint64_t pos;
    uint64_t line;
    uint64_t count;
};

static void note_untimed(struct tt_cursor *cursor, struct untimed *untimed)
{
    if (untimed->count > 0 && cursor->learn) {
        cursor->capture->line = untimed->line;
        tt_health_add(cursor->capture, TT_HEALTH_LINE_TIME, untimed->pos, untimed->pos,
                      untimed->count, "lines");
    }
    untimed->count = 0;
}

/* Reports what is unusual about the bytes of a line and about its form. */
static void note_line(struct tt_cursor *cursor, struct log_span span, const struct log_line *line,
                      bool has_nul)
{
    if (has_nul) {
        note(cursor, TT_HEALTH_MALFORMED, log_length(span), "bytes of a line with NUL bytes");
    }
    if (log_length(span) > TEXT_MOST) {
        note(cursor, TT_HEALTH_LONG_LINE, log_length(span), "bytes");
    }
    if (line->form) {
        const uint64_t form = tt_hash_of(line->form, strlen(line->form)) | 1;
        if (cursor->state.form != 0 && cursor->state.form != form) {
            note(cursor, TT_HEALTH_LINE_FORM, cursor->state.line + 1, line->form);
        }
        cursor->state.form = form;
    }
}

/* Adds the event of the line at the cursor. */
static void emit(struct tt_cursor *cursor, struct log_span span, struct tt_batch *batch,
                 struct untimed *untimed)
{
    struct log_state *state = &cursor->state;
    struct log_line line;
    const bool has_nul = memchr(span.at, 0, log_length(span)) != NULL;
    log_line_read(cursor->decoder, span, &line);
    note_line(cursor, span, &line, has_nul);
    const bool is_timed = line.time.clock != LOG_NO_CLOCK;
    if (is_timed) {
        note_untimed(cursor, untimed);
        state->ticks = ticks_of(cursor, &line.time);
    } else if (untimed->count++ == 0) {
        untimed->pos = state->pos;
        untimed->line = state->line + 1;
    }
    if (is_timed || state->thread == TT_NO_THREAD) {
        state->thread = lane_of(cursor, &line);
    }
    const size_t length = log_length(span);
    struct tt_event *event = &batch->events[batch->count++];
    event->ticks = state->ticks;
    event->pos = state->pos;
    event->type = type_of(cursor, line.level);
    event->thread = state->thread;
    event->length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    event->cpu = TT_NO_CPU;
    event->kind = tt_types_at(cursor->capture, event->type)->kind;
    event->flags = has_nul ? TT_EVENT_MALFORMED : 0;
    tt_batch_note(batch, event);
}

enum tt_decode_result log_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch)
{
    const struct tt_bytes bytes = tt_bytes_of(cursor->capture->bytes.data, limit);
    const uint64_t begin = cursor->state.pos;
    const uint64_t stop = batch->byte_budget > 0 && batch->byte_budget < UINT64_MAX - begin
                              ? begin + batch->byte_budget
                              : UINT64_MAX;
    struct untimed untimed = {0};
    while (
        batch->count < batch->capacity && cursor->state.pos < stop &&
        (!batch->actions || batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT)) {
        uint64_t next;
        if (cursor->state.pos >= limit) {
            note_untimed(cursor, &untimed);
            return TT_DECODE_END;
        }
        const struct log_span span = log_line_at(bytes, cursor->state.pos, &next);
        if (next == limit && bytes.data[limit - 1] != '\n' && !final) {
            note_untimed(cursor, &untimed);
            return TT_DECODE_END; /* the rest of the line may still come */
        }
        batch->records++;
        if (span.at < span.end) {
            emit(cursor, span, batch, &untimed);
        }
        cursor->state.pos = next;
        cursor->state.line++;
        if (cursor->learn && tt_capture_out_of_memory(cursor->capture)) {
            return TT_DECODE_MEMORY;
        }
    }
    note_untimed(cursor, &untimed);
    return TT_DECODE_MORE;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void add_text(struct tt_args *args, const char *name, struct log_span value,
                     const uint8_t *line)
{
    struct tt_arg *arg =
        value.at < value.end ? tt_args_add_constant(args, name, (uint32_t)strlen(name)) : NULL;
    if (arg) {
        const size_t length = log_length(value);
        arg->type = TT_ARG_STRING;
        arg->value.s.data = (const char *)value.at;
        arg->value.s.length = length < TEXT_MOST ? (uint32_t)length : TEXT_MOST;
        arg->raw_offset = (uint32_t)(value.at - line);
        arg->raw_length = arg->value.s.length;
        args->cut = args->cut || length > TEXT_MOST;
    }
}

bool log_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args)
{
    tt_args_clear(args);
    if (event->pos >= limit) {
        return false;
    }
    uint64_t next;
    struct log_line line;
    const struct log_span span =
        log_line_at(tt_bytes_of(capture->bytes.data, limit), event->pos, &next);
    log_line_read(capture->decoder, span, &line);
    add_text(args, "text", line.text, span.at);
    if (!line.has_pid) { /* otherwise it is the name of the process */
        add_text(args, "name", line.name, span.at);
    }
    for (uint32_t i = 0; i < line.field_count; i++) {
        add_text(args, line.fields[i].name, line.fields[i].value, span.at);
    }
    return true;
}
