/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/causes.h"

#include <stdlib.h>

#include "analysis/causes/holder.h"
#include "analysis/causes/ready.h"

#define ENTRIES    32u
#define STEPS_MOST 4096u

/* A blocked interval, and what was found for it. */
struct entry {
    uint64_t start;
    uint64_t end;
    uint32_t thread;
    bool has_wake;
    bool has_on;
    bool on_known;
    struct tt_wake wake;
    struct tt_blocked_on on;
};

struct tt_causes {
    struct tt_wakes *wakes;
    uint32_t number; /* of the timelines */
    struct entry entries[ENTRIES];
    unsigned next; /* entry that is replaced next */
};

void tt_causes_free(struct tt_causes *causes)
{
    if (causes) {
        tt_wakes_free(causes->wakes);
        free(causes);
    }
}

void tt_causes_refresh(struct tt_open_capture *opened)
{
    const struct tt_timelines *timelines = opened->trace ? tt_trace_timelines(opened->trace) : NULL;
    if (!timelines ||
        (opened->causes && opened->causes->number == tt_timelines_number(timelines))) {
        return;
    }
    tt_causes_free(opened->causes);
    opened->causes = calloc(1, sizeof *opened->causes);
    struct tt_causes *causes = opened->causes;
    if (!causes) {
        return;
    }
    causes->wakes = tt_wakes_new(opened->trace);
    causes->number = causes->wakes ? tt_timelines_number(tt_wakes_timelines(causes->wakes)) : 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        causes->entries[i].thread = TT_NO_THREAD;
    }
}

/* Returns the reader if it is of the present timelines. */
static struct tt_causes *valid(const struct tt_open_capture *opened)
{
    const struct tt_timelines *timelines = tt_trace_timelines(opened->trace);
    struct tt_causes *causes = opened->causes;
    return timelines && causes && causes->wakes && causes->number == tt_timelines_number(timelines)
               ? causes
               : NULL;
}

struct tt_wakes *tt_causes_wakes(const struct tt_open_capture *opened)
{
    struct tt_causes *causes = valid(opened);
    return causes ? causes->wakes : NULL;
}

/* Returns the entry of an interval, a new one if there is none. */
static struct entry *causes_entry_of(struct tt_causes *causes, const struct tt_interval *blocked)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        struct entry *entry = &causes->entries[i];
        if (entry->thread == blocked->thread && entry->start == blocked->start &&
            entry->end == blocked->end) {
            return entry;
        }
    }
    struct entry *e = &causes->entries[causes->next++ % ENTRIES];
    *e = (struct entry){.start = blocked->start, .end = blocked->end, .thread = blocked->thread};
    return e;
}

/* Moves to the last of consecutive blocked intervals; returns whether a wake ends it. */
static bool last_blocked(const struct tt_open_capture *opened, struct tt_interval *blocked)
{
    const struct tt_timelines *timelines = tt_trace_timelines(opened->trace);
    struct tt_interval_at at;
    if (!tt_ends_in_wake(timelines, opened->capture, blocked) ||
        !tt_interval_find(timelines, blocked->thread, blocked->start, &at)) {
        return false;
    }
    for (unsigned i = 0; i < STEPS_MOST && tt_interval_next(timelines, &at); i++) {
        struct tt_interval next = tt_interval_get(timelines, at);
        if (!tt_class_is_blocked(next.class_)) {
            return next.class_ == TT_CLASS_READY || next.class_ == TT_CLASS_RUNNING;
        }
        *blocked = next;
    }
    return false;
}

bool tt_causes_wake(const struct tt_open_capture *opened, const struct tt_interval *blocked,
                    struct tt_wake *wake)
{
    struct tt_causes *causes = valid(opened);
    struct tt_interval last = *blocked;
    if (!causes || !last_blocked(opened, &last)) {
        return false;
    }
    struct entry *entry = causes_entry_of(causes, &last);
    if (!entry->has_wake) {
        tt_wake_find(causes->wakes, &last, &entry->wake);
        entry->has_wake = true;
    }
    *wake = entry->wake;
    return wake->by != TT_WAKER_UNKNOWN;
}

static bool find_blocked_on(const struct tt_open_capture *opened, const struct tt_interval *blocked,
                            struct tt_blocked_on *on)
{
    struct tt_causes *causes = valid(opened);
    if (!causes || !tt_class_is_blocked(blocked->class_)) {
        return false;
    }
    struct entry *entry = causes_entry_of(causes, blocked);
    if (!entry->has_on) {
        entry->on_known = tt_blocked_on_find(causes->wakes, blocked, &entry->on);
        entry->has_on = true;
    }
    *on = entry->on;
    return entry->on_known;
}

bool tt_causes_blocked_on(const struct tt_open_capture *opened, const struct tt_interval *blocked,
                          uint64_t at, struct tt_blocked_on *on)
{
    struct tt_causes *causes = valid(opened);
    uint64_t until;
    bool known = find_blocked_on(opened, blocked, on);
    if (!causes || !blocked->open || blocked->class_ != TT_CLASS_LOCK) {
        return known;
    }
    at = at >= blocked->start ? at : blocked->start;
    on->thread =
        tt_holder_at(causes->wakes, blocked, known ? on->thread : TT_NO_THREAD, at, &until);
    return known || on->thread != TT_NO_THREAD;
}

bool tt_causes_wake_before(const struct tt_open_capture *opened, const struct tt_interval *interval,
                           struct tt_wake *wake)
{
    const struct tt_timelines *timelines = tt_trace_timelines(opened->trace);
    struct tt_interval_at at;
    if (!timelines || !tt_interval_find(timelines, interval->thread, interval->start, &at)) {
        return false;
    }
    for (unsigned i = 0; i < STEPS_MOST && tt_interval_previous(timelines, &at); i++) {
        struct tt_interval before = tt_interval_get(timelines, at);
        if (tt_ends_in_wake(timelines, opened->capture, &before)) {
            return tt_causes_wake(opened, &before, wake);
        }
        if (before.class_ != TT_CLASS_READY && before.class_ != TT_CLASS_RUNNING) {
            return false;
        }
    }
    return false;
}

bool tt_causes_displacer(const struct tt_open_capture *opened, const struct tt_interval *ready,
                         uint64_t ticks, uint32_t *thread, uint16_t *cpu)
{
    const struct tt_timelines *timelines = tt_trace_timelines(opened->trace);
    struct tt_interval_at at;
    struct tt_ready_piece piece;
    if (!timelines || !tt_interval_find(timelines, ready->thread, ready->start, &at)) {
        return false;
    }
    struct tt_ready_walk walk = {.t = timelines,
                                 .c = opened->capture,
                                 .thread = ready->thread,
                                 .cpu = tt_ready_cpu(timelines, at, ready),
                                 .at = ticks,
                                 .to = ready->end};
    for (unsigned i = 0; i < STEPS_MOST && tt_ready_next(&walk, &piece); i++) {
        if (piece.by != TT_NO_THREAD) {
            *thread = piece.by;
            *cpu = walk.cpu;
            return true;
        }
        if (piece.cause == TT_CAUSE_IDLE || piece.cause == TT_CAUSE_UNKNOWN) {
            return false;
        }
    }
    return false;
}
