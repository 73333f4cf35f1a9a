/* SPDX-License-Identifier: Apache-2.0 */
/* cause: names what the library of causes found for a state. */
#include "tui/lanes/cause.h"

#include "analysis/causes/why_text.h"
#include "tracetui/event_line.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/status.h"
#include "tui/model/causes.h"

static bool write_wake(const struct tt_workspace *ws, const struct tt_interval *interval,
                       struct tt_text *text)
{
    struct tt_wake wake;
    if (!tt_causes_wake_before(&ws->opened, interval, &wake)) {
        return false;
    }
    tt_why_wake_by(text, ws->opened.capture, &wake);
    return true;
}

/* Returns whether the interval directly follows one in which the thread ran. */
static bool follows_run(const struct tt_timelines *timelines, const struct tt_interval *interval)
{
    struct tt_interval_at at;
    return tt_interval_find(timelines, interval->thread, interval->start, &at) &&
           tt_interval_previous(timelines, &at) &&
           tt_interval_get(timelines, at).class_ == TT_CLASS_RUNNING;
}

static bool write_displaced(const struct tt_workspace *ws, const struct tt_interval *interval,
                            struct tt_text *text)
{
    uint32_t thread;
    uint16_t cpu;
    if (!tt_causes_displacer(&ws->opened, interval, interval->start, &thread, &cpu)) {
        return false;
    }
    if (cpu == interval->cpu) {
        tt_text_str(text, "displaced by ");
    } else {
        tt_text_put(text, "waits for CPU %d: ", cpu);
    }
    tt_line_thread(text, ws->opened.capture, thread);
    return true;
}

static bool write_awaited(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                          const struct tt_interval *interval, struct tt_text *text)
{
    struct tt_blocked_on on;
    bool lock = interval->class_ == TT_CLASS_LOCK;
    if (!tt_causes_blocked_on(&ws->opened, interval, ws->nav.viewport.at, &on)) {
        return false;
    }
    if (on.thread != TT_NO_THREAD) {
        tt_text_str(text, lock ? "held by " : on.message ? "message to " : "waits for ");
        tt_line_thread(text, ws->opened.capture, on.thread);

        /* Appends ", READY": what the awaited thread does at the cursor, or when the wait began. */
        uint32_t thread = on.thread;
        uint64_t at = ws->nav.viewport.at;
        struct tt_interval theirs;
        at = at >= interval->start && at < interval->end ? at : interval->start;
        if (tt_lane_at(timelines, thread, at, &theirs)) {
            tt_text_put(text, ", %s", tt_lanes_state_name(ws, theirs.state));
        }
    } else if (on.process < tt_process_count(ws->opened.capture)) {
        tt_text_str(text, "message to ");
        tt_lanes_process_text(ws, on.process, true, text);
    } else {
        return false;
    }
    return true;
}

bool tt_lanes_cause(const struct tt_workspace *ws, const struct tt_interval *interval,
                    struct tt_text *text)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (!timelines || interval->since_before) {
        return false;
    }
    if (tt_class_is_blocked(interval->class_)) {
        return write_awaited(ws, timelines, interval, text);
    }
    if (interval->class_ == TT_CLASS_READY) {
        return follows_run(timelines, interval) ? write_displaced(ws, interval, text)
                                                : write_wake(ws, interval, text);
    }
    return false;
}
