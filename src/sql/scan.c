/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/counters.h"
#include "tracetui/event_line.h"
#include "tracetui/objects.h"
#include "tracetui/slices.h"
#include "tracetui/sql.h"
#include "tracetui/time.h"
#include "tracetui/wakes.h"

#define SCRATCH_FIRST ((size_t)16 * 1024)

/* ---- sessions ------------------------------------------------------------------------------- */

/* Returns an escaped copy of a text. */
static struct sql_label copy_label(const char *text)
{
    size_t length = strlen(text), room = 4 * length + 1;
    struct sql_label label = {NULL, 0};
    char *copy = malloc(room);
    if (copy) {
        struct tt_text out = tt_text_of(copy, room);
        tt_text_escaped(&out, text, length);
        label.text = tt_text_cstr(&out);
        label.length = out.used;
    }
    return label;
}

static bool open_capture(struct sql_capture *c, const struct tt_sql_source *source)
{
    struct tt_progress progress = tt_trace_progress(source->trace);
    c->trace = source->trace;
    c->capture = tt_trace_capture(source->trace);
    c->timelines = tt_trace_timelines(source->trace);
    c->first_ticks = progress.first_ticks;
    c->last_ticks = progress.last_ticks;
    c->name = strdup(source->name);
    c->name_length = strlen(source->name);
    const struct tt_format *format = c->capture->format;
    uint32_t types = tt_types_count(c->capture);
    c->states = calloc(format->state_count + 1u, sizeof *c->states);
    c->types = calloc(types + 1u, sizeof *c->types);
    if (!c->name || !c->states || !c->types) {
        return false;
    }
    for (uint32_t i = 0; i < format->state_count; i++) {
        c->states[i] = (struct sql_label){format->states[i].name, strlen(format->states[i].name)};
    }
    bool all = true;
    for (; c->type_count < types; c->type_count++) {
        c->types[c->type_count] = copy_label(tt_types_at(c->capture, c->type_count)->name);
        all = all && c->types[c->type_count].text;
    }
    return all;
}

struct tt_status sql_session_open(struct sql_session *session, const struct tt_sql_source *sources,
                                  size_t count)
{
    session->captures = calloc(count + 1, sizeof *session->captures);
    session->scratch = malloc(SCRATCH_FIRST);
    session->capacity = SCRATCH_FIRST;
    if (!session->captures || !session->scratch) {
        return tt_error_memory();
    }
    for (; session->count < count; session->count++) {
        struct sql_capture *c = &session->captures[session->count];
        c->session = session;
        c->number = (uint32_t)session->count;
        if (!open_capture(c, &sources[session->count])) {
            session->count++;
            return tt_error_memory();
        }
    }
    return tt_ok();
}

void sql_session_close(struct sql_session *session)
{
    for (size_t i = 0; i < session->count; i++) {
        struct sql_capture *c = &session->captures[i];
        tt_wakes_free(c->wakes);
        tt_events_free(c->events);
        for (uint32_t type = 0; c->types && type < c->type_count; type++) {
            free((char *)c->types[type].text);
        }
        for (int kind = 0; kind < SQL_LANES_KINDS; kind++) {
            free(c->rows_before[kind]);
        }
        free(c->types);
        free(c->states);
        free(c->name);
    }
    free(session->captures);
    free(session->scratch);
}

struct tt_events *sql_events(struct sql_capture *c)
{
    if (!c->events) {
        c->events = tt_events_new(c->trace);
    }
    return c->events;
}

struct tt_wakes *sql_wakes(struct sql_capture *c)
{
    if (!c->wakes) {
        c->wakes = tt_wakes_new(c->trace);
    }
    return c->wakes;
}

bool sql_is_stopped(struct sql_session *session)
{
    if (session->deadline_ns != 0 && !session->late) {
        session->late = tt_now_ns() >= session->deadline_ns;
    }
    return session->late || session->interrupted;
}

bool sql_fail(struct sql_scan *scan, struct tt_status status)
{
    scan->status = status;
    return false;
}

bool sql_check(struct sql_scan *scan)
{
    if (sql_is_stopped(scan->session)) {
        sql_fail(scan, tt_error(TT_ERR_CANCELLED, "stopped"));
        return false;
    }
    return true;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static uint32_t lane_count(const struct sql_capture *c, enum sql_lanes kind)
{
    switch (kind) {
    case SQL_LANES_CPUS:
        return tt_cpu_count(c->timelines);
    case SQL_LANES_OBJECTS:
        return tt_object_count(c->timelines);
    case SQL_LANES_SLICES:
        return tt_thread_count(c->capture) + 1;
    case SQL_LANES_SERIES:
        return tt_counter_series(c->timelines);
    default:
        return tt_thread_count(c->capture);
    }
}

static uint64_t count_slices(const struct sql_capture *c, uint32_t lane)
{
    uint32_t thread = lane < tt_thread_count(c->capture) ? lane : TT_NO_THREAD;
    uint64_t count = 0;
    for (uint32_t row = tt_slice_rows(c->timelines, thread); row-- > 0;) {
        count += tt_slice_count(tt_slice_row(c->timelines, thread, row));
    }
    return count;
}

static uint64_t count_rows(const struct sql_capture *c, enum sql_lanes kind, uint32_t lane)
{
    switch (kind) {
    case SQL_LANES_CPUS:
        return tt_occupation_count(c->timelines, (uint16_t)lane);
    case SQL_LANES_OBJECTS:
        return tt_object_steps(c->timelines, lane);
    case SQL_LANES_SLICES:
        return count_slices(c, lane);
    case SQL_LANES_SERIES:
        return tt_counter_values(c->timelines, lane);
    default:
        return tt_interval_count(c->timelines, lane);
    }
}

uint64_t sql_rows_before(struct sql_scan *scan, enum sql_lanes kind, uint32_t lane)
{
    struct sql_capture *c = scan->c;
    if (!c->rows_before[kind]) {
        uint32_t lanes = lane_count(c, kind);
        uint64_t *before = calloc((size_t)lanes + 1, sizeof *before);
        if (!before) {
            sql_fail(scan, tt_error_memory());
            return 0;
        }
        for (uint32_t i = 0; i < lanes; i++) {
            before[i + 1] = before[i] + count_rows(c, kind, i);
        }
        c->rows_before[kind] = before;
    }
    return c->rows_before[kind][lane];
}

/* ---- values --------------------------------------------------------------------------------- */

void sql_put_key(struct sql_scan *scan, struct sql_value *v, uint32_t number)
{
    if (number != UINT32_MAX) {
        sql_put_u64(v, sql_key(scan->c, number));
    }
}

void sql_put_ns(struct sql_scan *scan, struct sql_value *v, uint64_t ticks)
{
    int64_t ns;
    if (tt_ticks_to_ns(ticks, scan->c->capture->clock_hz, &ns)) {
        sql_put_i64(v, ns);
    }
}

void sql_put_part_ns(struct sql_scan *scan, struct sql_value *v, uint64_t before, uint64_t ticks)
{
    int64_t from, to;
    uint64_t hz = scan->c->capture->clock_hz;
    if (tt_ticks_to_ns(before, hz, &from) && tt_ticks_to_ns(before + ticks, hz, &to)) {
        sql_put_i64(v, to - from);
    }
}

void sql_put_process_pid(struct sql_scan *scan, struct sql_value *v, uint32_t process)
{
    if (process < tt_process_count(scan->c->capture)) {
        sql_put_u64(v, tt_process_at(scan->c->capture, process)->pid);
    }
}

void sql_put_pid(struct sql_scan *scan, struct sql_value *v, uint32_t thread)
{
    if (thread < tt_thread_count(scan->c->capture)) {
        sql_put_process_pid(scan, v, tt_thread_at(scan->c->capture, thread)->process);
    }
}

void sql_put_tid(struct sql_scan *scan, struct sql_value *v, uint32_t thread)
{
    if (thread < tt_thread_count(scan->c->capture)) {
        sql_put_u64(v, tt_thread_at(scan->c->capture, thread)->tid);
    }
}

struct named {
    const struct tt_capture *capture;
    uint32_t number;
};

static void write_thread(struct tt_text *text, const void *arg)
{
    const struct named *named = arg;
    tt_line_thread(text, named->capture, named->number);
}

void sql_put_thread_name(struct sql_scan *scan, struct sql_value *v, uint32_t thread)
{
    const struct named named = {scan->c->capture, thread};
    if (thread < tt_thread_count(scan->c->capture)) {
        sql_put_written(scan, v, write_thread, &named);
    }
}

static void write_process(struct tt_text *text, const void *arg)
{
    const struct named *named = arg;
    const struct tt_process *process = tt_process_at(named->capture, named->number);
    size_t length;
    const char *name = tt_process_base_name(named->capture, process, &length);
    if (length > 0) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_u64(text, process->pid);
    }
}

void sql_put_process_name(struct sql_scan *scan, struct sql_value *v, uint32_t process)
{
    const struct named named = {scan->c->capture, process};
    if (process < tt_process_count(scan->c->capture)) {
        sql_put_written(scan, v, write_process, &named);
    }
}

void sql_put_state(struct sql_scan *scan, struct sql_value *v, unsigned state)
{
    if (state < scan->c->capture->format->state_count) {
        sql_put_constant(v, scan->c->states[state].text, scan->c->states[state].length);
    }
}

void sql_put_state_class(struct sql_scan *scan, struct sql_value *v, unsigned class_)
{
    (void)scan;
    sql_put_cstr(v, tt_class_name(class_));
}

void sql_put_cstr(struct sql_value *v, const char *text)
{
    if (text) {
        sql_put_constant(v, text, strlen(text));
    }
}

void sql_put_capture(struct sql_scan *scan, struct sql_value *v)
{
    sql_put_constant(v, scan->c->name, scan->c->name_length);
}

struct copied {
    const char *text;
    size_t length;
};

static void write_copy(struct tt_text *text, const void *arg)
{
    const struct copied *copied = arg;
    tt_text_bytes(text, copied->text, copied->length);
}

void sql_put_text(struct sql_scan *scan, struct sql_value *v, const char *text, size_t length)
{
    const struct copied copied = {text, length};
    sql_put_written(scan, v, write_copy, &copied);
}

void sql_put_written(struct sql_scan *scan, struct sql_value *v, sql_writer *put, const void *arg)
{
    struct sql_session *session = scan->session;
    for (;;) {
        struct tt_text text = tt_text_of(session->scratch, session->capacity);
        put(&text, arg);
        if (!text.truncated) {
            v->type = SQL_VALUE_SCRATCH;
            v->text = session->scratch;
            v->length = text.used;
            return;
        }
        char *more = realloc(session->scratch, 2 * session->capacity);
        if (!more) {
            scan->status = tt_error_memory();
            return;
        }
        session->scratch = more;
        session->capacity *= 2;
    }
}

/* ---- bounds --------------------------------------------------------------------------------- */

bool sql_wants_thread(const struct sql_scan *scan, uint32_t thread)
{
    const struct sql_bounds *b = &scan->bounds;
    const struct tt_capture *c = scan->c->capture;
    if (b->thread != UINT32_MAX && b->thread != thread) {
        return false;
    }
    if (b->process == UINT32_MAX && !b->has_pid && !b->has_tid) {
        return true;
    }
    if (thread >= tt_thread_count(c)) {
        return false;
    }
    const struct tt_thread *t = tt_thread_at(c, thread);
    return (b->process == UINT32_MAX || t->process == b->process) &&
           (!b->has_tid || t->tid == b->tid) &&
           (!b->has_pid || tt_process_at(c, t->process)->pid == b->pid);
}

uint32_t sql_next_thread(const struct sql_scan *scan, uint32_t thread)
{
    uint32_t count = tt_thread_count(scan->c->capture);
    const struct sql_bounds *b = &scan->bounds;
    if (b->thread != UINT32_MAX) {
        thread = thread <= b->thread ? b->thread : count;
    }
    while (thread < count && !sql_wants_thread(scan, thread)) {
        thread++;
    }
    return thread;
}
