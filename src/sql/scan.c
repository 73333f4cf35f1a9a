/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/scan.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/wakes.h"
#include "base/clock.h"
#include "sql/sql.h"
#include "tracetui/time.h"

#define SCRATCH_FIRST ((size_t)16 * 1024)

/* ---- sessions ------------------------------------------------------------------------------- */

static bool scan_open_capture(struct sql_capture *capture, const struct tt_sql_source *source)
{
    struct tt_progress progress = tt_trace_progress(source->trace);
    capture->trace = source->trace;
    capture->capture = tt_trace_capture(source->trace);
    capture->timelines = tt_trace_timelines(source->trace);
    capture->first_ticks = progress.first_ticks;
    capture->last_ticks = progress.last_ticks;
    capture->without_queries = source->without_queries;
    capture->name = strdup(source->name);
    capture->name_length = strlen(source->name);
    return capture->name != NULL;
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
        struct sql_capture *capture = &session->captures[session->count];
        capture->session = session;
        capture->number = (uint32_t)session->count;
        if (!scan_open_capture(capture, &sources[session->count])) {
            session->count++;
            return tt_error_memory();
        }
    }
    return tt_ok();
}

void sql_session_close(struct sql_session *session)
{
    for (size_t i = 0; i < session->count; i++) {
        struct sql_capture *capture = &session->captures[i];
        tt_wakes_free(capture->wakes);
        tt_events_free(capture->events);
        free(capture->name);
    }
    free(session->captures);
    free(session->scratch);
}

struct tt_events *sql_events(struct sql_capture *capture)
{
    if (!capture->events) {
        capture->events = tt_events_new(capture->trace);
    }
    return capture->events;
}

struct tt_wakes *sql_wakes(struct sql_capture *capture)
{
    if (!capture->wakes) {
        capture->wakes = tt_wakes_new(capture->trace);
    }
    return capture->wakes;
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
    const struct sql_bounds *bounds = &scan->bounds;
    const struct tt_capture *capture = scan->c->capture;
    if (bounds->thread != UINT32_MAX && bounds->thread != thread) {
        return false;
    }
    if (bounds->process == UINT32_MAX && !bounds->has_pid && !bounds->has_tid) {
        return true;
    }
    if (thread >= tt_thread_count(capture)) {
        return false;
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    return (bounds->process == UINT32_MAX || t->process == bounds->process) &&
           (!bounds->has_tid || t->tid == bounds->tid) &&
           (!bounds->has_pid || tt_process_at(capture, t->process)->pid == bounds->pid);
}

uint32_t sql_next_thread(const struct sql_scan *scan, uint32_t thread)
{
    uint32_t count = tt_thread_count(scan->c->capture);
    const struct sql_bounds *bounds = &scan->bounds;
    if (bounds->thread != UINT32_MAX) {
        thread = thread <= bounds->thread ? bounds->thread : count;
    }
    while (thread < count && !sql_wants_thread(scan, thread)) {
        thread++;
    }
    return thread;
}

bool sql_first_tick(uint64_t hz, int64_t ns, uint64_t *ticks)
{
    int64_t back;
    bool known = ns >= 0 && hz != 0 && tt_ns_to_ticks((uint64_t)ns, hz, ticks);
    while (known && tt_ticks_to_ns(*ticks, hz, &back) && back < ns) {
        ++*ticks;
    }
    return known;
}
