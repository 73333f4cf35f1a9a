/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/sql.h"
#include "tracetui/wakes.h"

#define SCRATCH_FIRST ((size_t)16 * 1024)

/* ---- sessions ------------------------------------------------------------------------------- */

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
    return c->name != NULL;
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

bool sql_enlarge_scratch(struct sql_scan *scan)
{
    struct sql_session *session = scan->session;
    char *more = realloc(session->scratch, 2 * session->capacity);
    if (!more) {
        return sql_fail(scan, tt_error_memory());
    }
    session->scratch = more;
    session->capacity *= 2;
    return true;
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
