/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the lanes of threads: intervals by time, and exact sums over windows.
 *
 * A sum over [from, to) is the difference of two sums from the start of the lane. The sum up to a
 * time is that at the start of the chunk plus at most 64 items.
 */
#include <string.h>

#include "trace/timeline/priority_part.h"
#include "trace/timeline/timeline.h"
#include "trace/track/track_store.h"
#include "tracetui/merge.h"

uint32_t tt_timelines_number(const struct tt_timelines *timelines)
{
    return timelines->number;
}

bool tt_timelines_provisional(const struct tt_timelines *timelines)
{
    return atomic_load_explicit(&timelines->provisional, memory_order_acquire);
}

uint64_t tt_timelines_begin(const struct tt_timelines *timelines)
{
    return atomic_load_explicit(&timelines->begin, memory_order_acquire);
}

uint64_t tt_timelines_end(const struct tt_timelines *timelines)
{
    return atomic_load_explicit(&timelines->end, memory_order_acquire);
}

static const struct tt_lane *timeline_threads_lane_of(const struct tt_timelines *timelines,
                                                      uint32_t thread)
{
    return thread < tt_column_count(&timelines->lanes) ? tt_column_at(&timelines->lanes, thread)
                                                       : NULL;
}

void tt_timelines_free_tracks(struct tt_timelines *timelines)
{
    tt_arena_free(&timelines->arena);
    tt_track_store_free(timelines->store);
}

uint64_t tt_timelines_memory(const struct tt_timelines *timelines)
{
    return tt_arena_memory(&timelines->arena) +
           (timelines->store ? tt_track_store_memory(timelines->store) : 0) +
           tt_column_memory(&timelines->lanes) + tt_column_memory(&timelines->cpus) +
           tt_column_memory(&timelines->slices.lanes) + tt_column_memory(&timelines->slices.rows) +
           tt_column_memory(&timelines->counters.lanes);
}

uint64_t tt_timelines_intervals(const struct tt_timelines *timelines)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < tt_column_count(&timelines->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&timelines->lanes, i);
        count += tt_track_count(&lane->states);
    }
    for (uint64_t i = 0; i < tt_column_count(&timelines->cpus); i++) {
        const struct tt_cpu_lane *cpu = tt_column_at(&timelines->cpus, i);
        count += tt_track_count(&cpu->occupants) + tt_track_count(&cpu->irqs);
    }
    return count;
}

/* ---- threads ------------------------------------------------------------------------------ */

static struct tt_track_place timeline_threads_place_of(struct tt_interval_at at)
{
    struct tt_track_place place = {at.chunk, at.slot};
    return place;
}

static struct tt_interval_at interval_at(uint32_t thread, struct tt_track_place place)
{
    struct tt_interval_at at = {thread, place.chunk, place.slot};
    return at;
}

/* Returns whether an item is the end of a lane whose capture ends: the interval before it has no end. */
static bool is_open_end(uint32_t value)
{
    return VALUE_STATE(value) == VALUE_ENDED && (value & VALUE_CUT_BEFORE) != 0;
}

/* Returns whether the lane ends with this item. */
static bool timeline_threads_is_end(const struct tt_lane *lane, struct tt_track_place place)
{
    return VALUE_STATE(tt_track_item(&lane->states, place).value) == VALUE_ENDED;
}

bool tt_interval_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      struct tt_interval_at *at)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    struct tt_track_place place;
    if (!lane || !tt_track_find(&lane->states, ticks, &place)) {
        return false;
    }
    struct tt_track_item item = tt_track_item(&lane->states, place);
    if (VALUE_STATE(item.value) == VALUE_ENDED) { /* a capture includes its last tick */
        bool is_last = is_open_end(item.value) && item.time == ticks;
        if (!is_last || !tt_track_previous(&lane->states, &place)) {
            return false;
        }
    }
    *at = interval_at(thread, place);
    return true;
}

bool tt_interval_first(const struct tt_timelines *timelines, uint32_t thread,
                       struct tt_interval_at *at)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    struct tt_track_place place;
    if (!lane || !tt_track_first(&lane->states, &place)) {
        return false;
    }
    *at = interval_at(thread, place);
    return true;
}

static bool timeline_threads_step(const struct tt_timelines *timelines, struct tt_interval_at *at,
                                  bool (*move)(const struct tt_track *, struct tt_track_place *))
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, at->thread);
    struct tt_track_place place = timeline_threads_place_of(*at);
    if (!lane || !move(&lane->states, &place) || timeline_threads_is_end(lane, place)) {
        return false;
    }
    *at = interval_at(at->thread, place);
    return true;
}

bool tt_interval_next(const struct tt_timelines *timelines, struct tt_interval_at *at)
{
    return timeline_threads_step(timelines, at, tt_track_next);
}

bool tt_interval_previous(const struct tt_timelines *timelines, struct tt_interval_at *at)
{
    return timeline_threads_step(timelines, at, tt_track_previous);
}

static struct tt_interval interval_of(const struct tt_timelines *timelines, uint32_t thread,
                                      uint32_t value)
{
    uint16_t cpu = VALUE_CPU(value);
    struct tt_interval interval = {
        .thread = thread,
        .cpu = cpu < tt_cpu_count(timelines) ? cpu : TT_NO_CPU,
        .state = tt_value_state(timelines, value),
        .class_ = (uint8_t)tt_state_class(timelines, VALUE_STATE(value)),
        .since_before = (value & VALUE_SINCE_BEFORE) != 0,
        .switched_in = (value & VALUE_SWITCHED_IN) != 0,
        .migrated = (value & VALUE_MIGRATED) != 0,
        .cut_before = (value & VALUE_CUT_BEFORE) != 0,
        .out_before = (uint8_t)VALUE_OUT(value),
    };
    return interval;
}

struct tt_interval tt_interval_get(const struct tt_timelines *timelines, struct tt_interval_at at)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, at.thread);
    struct tt_track_place place = timeline_threads_place_of(at), next = place;
    struct tt_track_item item = tt_track_item(&lane->states, place);
    struct tt_interval interval = interval_of(timelines, at.thread, item.value);
    interval.start = item.time;
    interval.end = tt_timelines_end(timelines);
    interval.open = !tt_track_next(&lane->states, &next);
    if (!interval.open) {
        struct tt_track_item following = tt_track_item(&lane->states, next);
        interval.end = following.time;
        interval.open = is_open_end(following.value);
    }
    return interval;
}

uint32_t tt_intervals_read(const struct tt_timelines *timelines, struct tt_interval_at *at,
                           struct tt_interval intervals[TT_INTERVALS], bool *more)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, at->thread);
    struct tt_track_page page;
    uint64_t timelines_end = tt_timelines_end(timelines);
    uint32_t done = 0, slot = at->slot;
    tt_track_load(&lane->states, at->chunk, TT_TRACK_CHUNK, &page);
    for (; slot < page.count; slot++) {
        if (VALUE_STATE(page.value[slot]) == VALUE_ENDED) {
            *more = false;
            return done;
        }
        struct tt_interval *interval = &intervals[done++];
        *interval = interval_of(timelines, at->thread, page.value[slot]);
        interval->start = tt_page_time(&page, slot);
        interval->end = tt_page_end(&page, slot, timelines_end);
        interval->open =
            slot + 1 == page.count ? !page.has_next : is_open_end(page.value[slot + 1]);
    }
    at->chunk++;
    at->slot = 0;
    *more = page.has_next && !timeline_threads_is_end(lane, timeline_threads_place_of(*at));
    if (page.has_next && !*more && done > 0) {
        uint32_t end = tt_track_item(&lane->states, timeline_threads_place_of(*at)).value;
        intervals[done - 1].open = is_open_end(end);
    }
    return done;
}

uint64_t tt_interval_index(const struct tt_timelines *timelines, struct tt_interval_at at)
{
    return tt_track_index(&timeline_threads_lane_of(timelines, at.thread)->states,
                          timeline_threads_place_of(at));
}

bool tt_interval_skip(const struct tt_timelines *timelines, struct tt_interval_at *at,
                      uint32_t count)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, at->thread);
    struct tt_track_place place = timeline_threads_place_of(*at);
    if (!tt_track_skip(&lane->states, &place, count) || timeline_threads_is_end(lane, place)) {
        return false;
    }
    *at = interval_at(at->thread, place);
    return true;
}

/* Returns the ticks of a class before a chunk. */
static uint64_t class_before(const struct tt_lane *lane, uint32_t chunk, enum tt_class class_)
{
    uint64_t sums[LANE_SUMS];
    tt_track_sums(&lane->states, (struct tt_track_place){chunk, 0}, sums);
    return sums[LANE_CLASS + (int)class_];
}

void tt_intervals_skip_short(const struct tt_timelines *timelines, struct tt_interval_at *at,
                             enum tt_class class_, uint64_t least)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, at->thread);
    uint64_t chunks = tt_track_chunks(&lane->states), before;
    uint32_t chunk = at->chunk;
    if (at->slot > 0 || chunk + 1 >= chunks) {
        return;
    }
    before = class_before(lane, chunk, class_);
    while (chunk + 1 < chunks) {
        uint64_t after = class_before(lane, chunk + 1, class_);
        if (after - before >= least) {
            break;
        }
        before = after;
        chunk++;
    }
    if (chunk > at->chunk) {
        struct tt_track_place place = {chunk, 0};
        tt_track_previous(&lane->states, &place);
        *at = interval_at(at->thread, place);
    }
}

uint64_t tt_interval_count(const struct tt_timelines *timelines, uint32_t thread)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    return lane ? tt_track_count(&lane->states) : 0;
}

/* Adds the time of an item, without its counts. */
static void add_ticks(const struct tt_timelines *timelines, uint32_t value, uint64_t start,
                      uint64_t end, uint64_t *sums)
{
    if (VALUE_STATE(value) == VALUE_ENDED || end <= start) {
        return;
    }
    enum tt_class class_ = tt_state_class(timelines, VALUE_STATE(value));
    sums[LANE_CLASS + (int)class_] += end - start;
    if (class_ == TT_CLASS_RUNNING) {
        sums[LANE_IRQ] += tt_cpu_irq(timelines, VALUE_CPU(value), start, end);
    }
}

static void timeline_threads_add_item(const struct tt_timelines *timelines, uint32_t value,
                                      uint64_t start, uint64_t end, uint64_t *sums)
{
    add_ticks(timelines, value, start, end, sums);
    if (VALUE_STATE(value) == VALUE_ENDED ||
        tt_state_class(timelines, VALUE_STATE(value)) != TT_CLASS_RUNNING) {
        return;
    }
    sums[LANE_RUNS] += (value & VALUE_SINCE_BEFORE) == 0;
    sums[LANE_IN] += (value & VALUE_SWITCHED_IN) != 0;
    sums[LANE_MIGRATIONS] += (value & VALUE_MIGRATED) != 0;
    tt_lane_count_out(sums, VALUE_OUT(value));
}

/* Position of a time in a lane: the last item before it. */
struct lane_cut {
    uint64_t time;
    bool begun; /* there is one */
    struct tt_track_place last;
};

static struct lane_cut cut_lane(const struct tt_lane *lane, uint64_t time)
{
    struct lane_cut cut = {.time = time};
    cut.begun = time > 0 && tt_track_find(&lane->states, time - 1, &cut.last);
    return cut;
}

/* Adds the items of a page from `first` to the cut. */
static void timeline_threads_add_items(const struct tt_timelines *timelines,
                                       const struct tt_track_page *page, uint32_t first,
                                       const struct lane_cut *cut, uint64_t *sums)
{
    uint64_t timelines_end = tt_timelines_end(timelines);
    for (uint32_t i = first; i <= cut->last.slot; i++) {
        uint64_t end = tt_page_end(page, i, timelines_end);
        timeline_threads_add_item(timelines, page->value[i], tt_page_time(page, i),
                                  end < cut->time ? end : cut->time, sums);
    }
}

/* Subtracts the items of a page after the cut. */
static void subtract_items(const struct tt_timelines *timelines, const struct tt_track_page *page,
                           const struct lane_cut *cut, uint64_t *sums)
{
    uint64_t behind[LANE_SUMS] = {0};
    uint32_t slot = cut->last.slot;
    add_ticks(timelines, page->value[slot], cut->time, tt_page_end(page, slot, cut->time), behind);
    for (uint32_t i = slot + 1; i < page->count; i++) {
        uint64_t start = tt_page_time(page, i);
        timeline_threads_add_item(timelines, page->value[i], start, tt_page_end(page, i, start),
                                  behind);
    }
    for (unsigned i = 0; i < LANE_SUMS; i++) {
        sums[i] -= behind[i];
    }
}

/* Computes the sums of everything before the cut. */
static void lane_before(const struct tt_timelines *timelines, uint32_t thread,
                        const struct tt_lane *lane, const struct lane_cut *cut, uint64_t *sums)
{
    struct tt_track_page page;
    memset(sums, 0, LANE_SUMS * sizeof *sums);
    if (!cut->begun) {
        return;
    }
    bool late = tt_track_is_late(cut->last);
    tt_track_load(&lane->states, cut->last.chunk, late ? TT_TRACK_CHUNK : cut->last.slot + 2,
                  &page);
    if (late && page.has_next) {
        struct tt_track_place behind = {cut->last.chunk + 1, 0};
        tt_track_sums(&lane->states, behind, sums);
        subtract_items(timelines, &page, cut, sums);
    } else {
        tt_track_sums(&lane->states, cut->last, sums);
        timeline_threads_add_items(timelines, &page, 0, cut, sums);
    }
    tt_outs_before(timelines, thread, lane, cut->last, cut->time, sums);
}

void tt_thread_sum(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                   uint64_t to, struct tt_thread_sums *out)
{
    memset(out, 0, sizeof *out);
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    if (!lane || from >= to) {
        return;
    }
    uint64_t a[LANE_SUMS], b[LANE_SUMS];
    struct lane_cut first = cut_lane(lane, from), last = cut_lane(lane, to);
    if (first.begun && first.last.chunk == last.last.chunk) {
        /*
         * Computes the sums between two cuts of one chunk: the rest of the first cut's item, and
         * the items after it.
         */
        struct tt_track_page page;
        uint32_t slot = first.last.slot;
        memset(a, 0, LANE_SUMS * sizeof *a);
        memset(b, 0, LANE_SUMS * sizeof *b);
        tt_track_load(&lane->states, last.last.chunk, last.last.slot + 2, &page);
        uint64_t end = tt_page_end(&page, slot, tt_timelines_end(timelines));
        add_ticks(timelines, page.value[slot], first.time, end < last.time ? end : last.time, b);
        timeline_threads_add_items(timelines, &page, slot + 1, &last, b);
        tt_outs_before(timelines, thread, lane, first.last, first.time, a);
        tt_outs_before(timelines, thread, lane, last.last, last.time, b);
    } else {
        lane_before(timelines, thread, lane, &first, a);
        lane_before(timelines, thread, lane, &last, b);
    }
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        out->ticks[i] = b[LANE_CLASS + i] - a[LANE_CLASS + i];
    }
    out->irq = b[LANE_IRQ] - a[LANE_IRQ];
    out->in = b[LANE_IN] - a[LANE_IN];
    out->out_voluntary = b[LANE_VOLUNTARY] - a[LANE_VOLUNTARY];
    out->out_preempted = b[LANE_PREEMPTED] - a[LANE_PREEMPTED];
    out->out_unknown = b[LANE_UNKNOWN_OUT] - a[LANE_UNKNOWN_OUT];
    out->migrations = b[LANE_MIGRATIONS] - a[LANE_MIGRATIONS];
    out->runs = b[LANE_RUNS] - a[LANE_RUNS];
}

void tt_thread_sum_prefetch(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                            uint64_t to)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    if (lane && !tt_track_is_empty(&lane->states)) {
        const uint64_t times[2] = {from, to > 0 ? to - 1 : 0};
        tt_track_prefetch(&lane->states, times, 2);
    }
}

int tt_thread_priority(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    struct tt_track_place place;
    const struct tt_lane_more *more = lane ? tt_lane_more(lane) : NULL;
    if (!more || !tt_track_find(&more->priorities, ticks, &place)) {
        return TT_NO_PRIORITY;
    }
    return (int16_t)tt_track_item(&more->priorities, place).value;
}

int tt_thread_priority_until(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                             uint64_t *until)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    const struct tt_lane_more *more = lane ? tt_lane_more(lane) : NULL;
    uint32_t value;
    *until = UINT64_MAX;
    return more && tt_track_value_at(&more->priorities, ticks, &value, until) ? (int16_t)value
                                                                              : TT_NO_PRIORITY;
}

bool tt_thread_priority_part(const struct tt_timelines *timelines, uint32_t thread, uint64_t to,
                             uint64_t *reached, uint64_t *work, int *min, int *max)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    struct tt_track_place place;
    const struct tt_lane_more *more = lane ? tt_lane_more(lane) : NULL;
    if (!more || *reached >= to || tt_track_is_empty(&more->priorities)) {
        return true;
    }
    if (!tt_track_find(&more->priorities, *reached, &place)) {
        tt_track_first(&more->priorities, &place);
    }
    uint64_t last = UINT64_MAX; /* time of the previous change */
    do {
        struct tt_track_item item = tt_track_item(&more->priorities, place);
        if (item.time >= to) {
            break;
        }
        if (*work == 0 && item.time > last) {
            *reached = item.time - 1; /* all changes at item.time come after it */
            return false;
        }
        int priority = (int16_t)item.value;
        *min = *min != TT_NO_PRIORITY && *min < priority ? *min : priority;
        *max = *max != TT_NO_PRIORITY && *max > priority ? *max : priority;
        *work -= last != UINT64_MAX && *work > 0; /* the first may be repeated */
        last = item.time;
    } while (tt_track_next(&more->priorities, &place));
    return true;
}

bool tt_thread_priority_range(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                              uint64_t to, int *min, int *max)
{
    uint64_t work = UINT64_MAX;
    int low = TT_NO_PRIORITY, high = TT_NO_PRIORITY;
    tt_thread_priority_part(timelines, thread, to, &from, &work, &low, &high);
    if (low == TT_NO_PRIORITY) {
        return false;
    }
    *min = low;
    *max = high;
    return true;
}

/* ---- rare things -------------------------------------------------------------------------- */

/* Finds the first item from a time on. */
static bool find_from(const struct tt_track *track, uint64_t from, struct tt_track_place *place)
{
    return from > 0 && tt_track_find(track, from - 1, place) ? tt_track_next(track, place)
                                                             : tt_track_first(track, place);
}

/* Finds the first item in [from, to). */
static bool first_in(const struct tt_track *track, uint64_t from, uint64_t to,
                     struct tt_track_item *item)
{
    struct tt_track_place place;
    bool there = find_from(track, from, &place);
    if (there) {
        *item = tt_track_item(track, place);
    }
    return there && item->time < to;
}

bool tt_thread_note(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                    uint64_t to, uint64_t *ticks, uint32_t *type)
{
    const struct tt_lane *lane = timeline_threads_lane_of(timelines, thread);
    struct tt_track_item item;
    const struct tt_track *notes = lane ? tt_lane_notes(lane) : NULL;
    if (!notes || !first_in(notes, from, to, &item)) {
        return false;
    }
    *ticks = item.time;
    *type = item.value;
    return item.value < tt_types_count(timelines->capture);
}

bool tt_loss_on(const struct tt_timelines *timelines, uint16_t cpu, uint64_t from, uint64_t to)
{
    struct tt_track_place place;
    bool there = find_from(&timelines->losses, from, &place);
    for (; there; there = tt_track_next(&timelines->losses, &place)) {
        struct tt_track_item item = tt_track_item(&timelines->losses, place);
        if (item.time >= to) {
            return false;
        }
        bool of_cpu = LOSS_CPU(item.value) == TT_NO_CPU &&
                      (cpu == TT_NO_CPU ||
                       LOSS_SYSTEM(item.value) == tt_merge_of_cpu(timelines->capture, cpu));
        if (of_cpu || LOSS_CPU(item.value) == cpu) {
            return true;
        }
    }
    return false;
}

bool tt_loss_in(const struct tt_timelines *timelines, uint64_t from, uint64_t to, uint64_t *ticks)
{
    struct tt_track_item item;
    bool is = first_in(&timelines->losses, from, to, &item);
    *ticks = is ? item.time : 0;
    return is;
}

bool tt_loss_of(const struct tt_timelines *timelines, uint32_t thread, uint64_t from, uint64_t to,
                uint64_t *ticks)
{
    unsigned system = tt_merge_of_thread(timelines->capture, thread);
    struct tt_track_place place;
    bool there = find_from(&timelines->losses, from, &place);
    for (; there; there = tt_track_next(&timelines->losses, &place)) {
        struct tt_track_item item = tt_track_item(&timelines->losses, place);
        *ticks = item.time;
        if (item.time >= to || LOSS_SYSTEM(item.value) == system) {
            return item.time < to;
        }
    }
    return false;
}

/* ---- states of a chunk, for filters, which need the state at the time of an event ---------- */

_Static_assert(TT_STATES == TT_TRACK_CHUNK, "a chunk fits");

static bool load_states(const struct tt_timelines *timelines, const struct tt_track *track,
                        uint32_t chunk, struct tt_states *states)
{
    struct tt_track_page page;
    tt_track_load(track, chunk, TT_STATES, &page);
    /* None, or too many: only in an index cache that was truncated while mapped. */
    uint32_t count = page.count < TT_STATES ? page.count : TT_STATES;
    struct tt_track_place before = {chunk, 0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = page.value[i];
        if (is_open_end(value) && (i > 0 || tt_track_previous(track, &before))) {
            /* The last event of a capture is in the last state of its threads. */
            value = i > 0 ? page.value[i - 1] : tt_track_item(track, before).value;
        }
        uint32_t state = tt_value_state(timelines, value);
        uint32_t what = state * TT_CLASS_COUNT + (uint32_t)tt_state_class(timelines, state);
        bool ended = VALUE_STATE(value) == VALUE_ENDED;
        states->start[i] = page.delta[i];
        states->what[i] = (uint16_t)(ended ? TT_STATES_ENDED : what);
    }
    states->base = page.base;
    states->end = page.has_next ? page.next : tt_timelines_end(timelines);
    states->count = count;
    states->chunk = chunk;
    states->more = page.has_next;
    return count > 0;
}

bool tt_states_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t time,
                  struct tt_states *states)
{
    if (thread >= tt_column_count(&timelines->lanes)) {
        states->count = 0;
        return false;
    }
    const struct tt_lane *lane = tt_column_at(&timelines->lanes, thread);
    struct tt_track_place place;
    if (states->count > 0 && states->more && time >= states->end &&
        load_states(timelines, &lane->states, states->chunk + 1, states) &&
        (time < states->end || !states->more)) {
        return true;
    }
    states->count = 0;
    return tt_track_find(&lane->states, time, &place) &&
           load_states(timelines, &lane->states, place.chunk, states);
}
