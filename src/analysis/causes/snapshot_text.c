/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/snapshot_text.h"

#include "analysis/causes/why_text.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"

#define CHAIN_MOST 64u /* links of a chain that are printed */

/* clang-format off */
const struct tt_snapshot_run tt_snapshot_runs[TT_SNAPSHOT_RUNS] = {
    {"1 ms", 1000000}, {"10 ms", 10000000}, {"100 ms", 100000000}, {"1 s", 1000000000}
};
/* clang-format on */

uint64_t tt_snapshot_run(const struct tt_snapshot_scene *scene, uint32_t thread, unsigned window)
{
    const struct tt_capture *capture = scene->capture;
    struct tt_thread_sums sums;
    uint64_t ticks, at = scene->snapshot->at;
    if (capture->clock_hz == 0 ||
        !tt_ns_to_ticks(tt_snapshot_runs[window].ns, capture->clock_hz, &ticks)) {
        return UINT64_MAX;
    }
    tt_thread_sum(scene->timelines, thread, at > ticks ? at - ticks : 0, at, &sums);
    return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
}

/* ---- text --------------------------------------------------------------------------------- */

/*
 * Append text; those with a result return false if there is nothing to append.
 *
 * snapshot_put_waits_for appends the object that the thread of a row waits for: a thread,
 * "timer", "interrupt 14"; for a ready thread, the thread that has the CPU, or "CPU".
 */
static bool snapshot_put_waits_for(struct tt_text *text, const struct tt_capture *capture,
                                   const struct tt_snapshot_row *row)
{
    switch (row->waits_for) {
    case TT_WAITS_FOR_THREAD:
        tt_line_thread(text, capture, row->by);
        return true;
    case TT_WAITS_FOR_CPU:
        if (row->by != TT_NO_THREAD) {
            tt_line_thread(text, capture, row->by);
        } else {
            tt_text_str(text, "CPU");
        }
        return true;
    case TT_WAITS_FOR_TIMER:
        tt_text_str(text, "timer");
        return true;
    case TT_WAITS_FOR_INTERRUPT:
        tt_text_str(text, "interrupt");
        if (row->vector != TT_NO_VECTOR) {
            tt_text_char(text, ' ');
            tt_text_u64(text, row->vector);
        }
        return true;
    default:
        return false;
    }
}

bool tt_snapshot_put_blocked_on(struct tt_text *text, const struct tt_capture *capture,
                                const struct tt_snapshot_row *row)
{
    return row->waits_for != TT_WAITS_FOR_CPU && snapshot_put_waits_for(text, capture, row);
}

bool tt_snapshot_put_chain(struct tt_text *text, const struct tt_snapshot_scene *scene,
                           const struct tt_snapshot_row *row)
{
    uint32_t depth = row->depth, i = 0;
    bool later = false;
    while (row && i <= depth) {
        const struct tt_snapshot_row *next = tt_snapshot_next(scene->snapshot, row);
        size_t start = text->used;
        if (i == depth && next) {
            break; /* a cycle */
        }
        tt_text_str(text, i > 0 ? " > " : "");
        if (i == CHAIN_MOST) {
            tt_text_str(text, "..");
            break;
        }
        const bool page =
            tt_format_state(scene->capture->format, row->state)->wake == TT_WAKE_PAGE &&
            tt_why_page(text, scene->timelines, scene->events, row->thread, scene->snapshot->at);
        const bool is_next = row->from_wake && row->doing != TT_DOING_BLOCKED;
        const size_t cause = text->used;
        tt_text_str(text, !page ? "" : is_next && !later ? ", " : " > ");
        tt_text_str(text, is_next && !later ? "next: " : "");
        later |= is_next;
        i++;
        if (!snapshot_put_waits_for(text, scene->capture, row)) {
            text->used = page ? cause : start;
            i -= !page;
            break;
        }
        row = next;
    }
    return i > 0;
}

bool tt_snapshot_put_wait(struct tt_text *text, const struct tt_snapshot_scene *scene,
                          const struct tt_snapshot_row *row)
{
    const bool idle = row->doing == TT_DOING_IDLE;
    tt_text_str(text, idle ? "idle, " : "");
    if (tt_snapshot_put_chain(text, scene, row)) {
        return true;
    }
    text->used -= idle ? 2 : 0;
    if (row->class_ == TT_CLASS_UNKNOWN) {
        const bool off = tt_format_has(tt_merge_format_of(scene->capture, row->thread),
                                       TT_FORMAT_UNKNOWN_IS_OFF);
        tt_text_str(text, off ? "not recorded" : "no data");
    }
    return idle || row->class_ == TT_CLASS_UNKNOWN;
}

void tt_snapshot_put_root(struct tt_text *text, const struct tt_capture *capture,
                          const struct tt_snapshot_row *row)
{
    if (row->doing == TT_DOING_IDLE) {
        tt_text_str(text, "idle");
    } else if (row->waits_for == TT_WAITS_FOR_THREAD) {
        tt_text_str(text, row->from_wake ? "next: " : "");
        tt_line_thread(text, capture, row->by);
        tt_text_str(text, " (not there at this time)");
    } else if (!snapshot_put_waits_for(text, capture, row)) {
        tt_text_str(text, tt_waits_for_name(row->waits_for));
    }
}

bool tt_snapshot_put_cpu(struct tt_text *text, const struct tt_capture *capture,
                         const struct tt_snapshot_cpu *cpu)
{
    if (cpu->has_call) {
        tt_text_str(text, "in ");
        tt_text_str(text, tt_types_at(capture, cpu->call)->name);
    }
    if (cpu->interrupts > 0) {
        tt_text_str(text, cpu->has_call ? "  interrupt" : "interrupt");
        if (cpu->vector != TT_NO_VECTOR) {
            tt_text_char(text, ' ');
            tt_text_u64(text, cpu->vector);
        }
        if (cpu->interrupts > 1) {
            tt_text_str(text, ", nested ");
            tt_text_u64(text, cpu->interrupts);
        }
    }
    return cpu->has_call || cpu->interrupts > 0;
}
