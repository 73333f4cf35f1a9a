/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/missing.h"

#include "analysis/causes/wakes.h"
#include "tracetui/merge.h"
#include "tracetui/stats.h"

static const struct missing_row {
    const char *key;
    const char *cost;
} rows[TT_MISSING_COUNT] = {
#define X(id, key, cost) [id] = {key, cost},
    TT_MISSING_INFO(X)
#undef X
};

const char *tt_missing_key(unsigned missing)
{
    return missing < TT_MISSING_COUNT ? rows[missing].key : "";
}

const char *tt_missing_cost(unsigned missing)
{
    return missing < TT_MISSING_COUNT ? rows[missing].cost : "";
}

const char *tt_missing_remedy(const struct tt_capture *capture, unsigned missing)
{
    const char *how = NULL;
    unsigned members = capture->merge ? capture->merge->count : 1;
    for (unsigned i = 0; i < members && !how && missing < TT_MISSING_COUNT; i++) {
        const struct tt_capture *own =
            capture->merge ? capture->merge->members[i].capture : capture;
        bool can = own->recording && !(own->unrecordable >> missing & 1);
        how = can ? own->recording[missing] : NULL;
    }
    return how;
}

/* Adds up the context switches and interrupts of all CPUs. */
static struct tt_cpu_sums sums_of_cpus(const struct tt_timelines *timelines)
{
    struct tt_cpu_sums all = {0};
    for (uint32_t cpu = 0; cpu < tt_cpu_count(timelines) && cpu < TT_NO_CPU; cpu++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(timelines, (uint16_t)cpu, tt_timelines_begin(timelines),
                   tt_timelines_limit(timelines), &sums);
        all.switches += sums.switches;
        all.interrupts += sums.interrupts;
    }
    return all;
}

/* Returns whether the thread becomes ready after it was blocked; at most *budget intervals. */
static bool thread_has_wakeup(const struct tt_timelines *timelines, uint32_t thread,
                              uint32_t *budget)
{
    struct tt_interval_at at;
    struct tt_interval list[TT_INTERVALS];
    bool blocked = false;
    if (!tt_interval_first(timelines, thread, &at)) {
        return false;
    }
    for (bool more = true; more && *budget > 0;) {
        uint32_t count = tt_intervals_read(timelines, &at, list, &more);
        for (uint32_t i = 0; i<count && * budget> 0; i++, --*budget) {
            if (blocked && list[i].class_ == TT_CLASS_READY) {
                return true;
            }
            blocked = tt_class_is_blocked(list[i].class_);
        }
    }
    return false;
}

static bool has_wakeups(const struct tt_timelines *timelines, uint32_t threads)
{
    uint32_t budget = TT_MISSING_INTERVALS;
    for (uint32_t thread = 0; thread < threads && budget > 0; thread++) {
        if (thread_has_wakeup(timelines, thread, &budget)) {
            return true;
        }
    }
    return budget == 0; /* the budget ended first: it may have one later */
}

static bool has_priorities(const struct tt_timelines *timelines, uint32_t threads)
{
    int low, high;
    for (uint32_t thread = 0; thread < threads; thread++) {
        if (tt_thread_priority_range(timelines, thread, tt_timelines_begin(timelines),
                                     tt_timelines_limit(timelines), &low, &high)) {
            return true;
        }
    }
    return false;
}

static bool missing_has_names(const struct tt_capture *capture)
{
    for (uint32_t thread = 0; thread < tt_thread_count(capture); thread++) {
        if (tt_thread_at(capture, thread)->name != 0) {
            return true;
        }
    }
    for (uint32_t process = 0; process < tt_process_count(capture); process++) {
        if (tt_process_at(capture, process)->name != 0) {
            return true;
        }
    }
    return tt_thread_count(capture) == 0;
}

static uint32_t missing_bit(bool is_missing, enum tt_missing missing)
{
    return is_missing ? UINT32_C(1) << missing : 0;
}

static uint32_t missing_of_lanes(const struct tt_timelines *timelines, uint32_t threads)
{
    struct tt_cpu_sums sums = sums_of_cpus(timelines);
    if (sums.switches == 0) {
        return missing_bit(true, TT_MISSING_SCHEDULING);
    }
    return missing_bit(!has_wakeups(timelines, threads), TT_MISSING_WAKEUPS) |
           missing_bit(!has_priorities(timelines, threads), TT_MISSING_PRIORITIES) |
           missing_bit(sums.interrupts == 0, TT_MISSING_INTERRUPTS);
}

uint32_t tt_missing_find(struct tt_trace *trace)
{
    const struct tt_capture *capture = tt_trace_capture(trace);
    if (tt_trace_progress(trace).events == 0) {
        return 0;
    }

    /* The kinds of the events in the capture, one bit each. */
    uint64_t kinds = 0;
    for (uint32_t type = 0; type < tt_types_count(capture); type++) {
        if (tt_trace_type_events(trace, type) > 0) {
            kinds |= UINT64_C(1) << tt_types_at(capture, type)->kind;
        }
    }

    uint32_t missing =
        missing_of_lanes(tt_trace_timelines(trace), tt_thread_count(capture)) |
        missing_bit((kinds >> TT_KIND_ENTER & 1) == 0, TT_MISSING_CALLS) |
        missing_bit((kinds >> TT_KIND_MESSAGE & 1) == 0, TT_MISSING_MESSAGES) |
        missing_bit(!missing_has_names(capture), TT_MISSING_NAMES) |
        missing_bit(capture->clock_hz == 0, TT_MISSING_CLOCK) |
        missing_bit(tt_health_count(capture, TT_HEALTH_LOST) > 0, TT_MISSING_RECORDS);
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        missing &= tt_missing_remedy(capture, i) ? UINT32_MAX : ~(UINT32_C(1) << i);
    }
    return missing;
}
