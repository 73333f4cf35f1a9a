/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving and restoring finished timelines. Each function passes a kind of lane: it writes the lanes that
 * there are, or reads and creates them.
 */
#include "trace/cache/save_timeline.h"

#include "base/varint.h"
#include "trace/track/track_store.h"

#define CPUS_MAX 65536u

/* Either `w` and `saver` are set, or `r` and `store`. */
struct passing {
    struct tt_section_writer *w;
    struct tt_track_saver *saver;
    struct tt_reader r;
    struct tt_track_store *store;
    bool failed; /* an invalid number, or out of memory */
};

/* Writes a number, or reads one; 0 after an error. */
static uint64_t pass(struct passing *p, uint64_t number)
{
    if (p->w) {
        tt_varint_put(p->w, number);
        return number;
    }
    number = tt_varint_read(&p->r);
    p->failed = p->failed || p->r.failed;
    return number;
}

/* Does the same for one below a limit. */
static uint32_t pass_below(struct passing *p, uint32_t number, uint64_t limit)
{
    uint64_t passed = pass(p, number);
    p->failed = p->failed || (!p->w && passed >= limit);
    return p->failed ? 0 : (uint32_t)passed;
}

/* Does the same for a number below a limit, or UINT32_MAX: none. */
static uint32_t pass_or_none(struct passing *p, uint32_t number, uint64_t limit)
{
    return (uint32_t)(pass_below(p, number + 1, limit + 1) - 1);
}

static void pass_link(struct passing *p, _Atomic uint32_t *link, uint64_t limit)
{
    uint32_t number = pass_or_none(p, atomic_load_explicit(link, memory_order_acquire), limit);
    if (!p->w) {
        atomic_store_explicit(link, number, memory_order_relaxed);
    }
}

/* Passes the number of items of a column, at most `most`, each of which has a number after it. */
static uint64_t pass_count(struct passing *p, const struct tt_column *column, uint64_t most)
{
    uint64_t count = pass(p, p->w ? tt_column_count(column) : 0);
    p->failed =
        p->failed || (!p->w && (p->r.failed || count > most || count > tt_read_left(&p->r)));
    return p->failed ? 0 : count;
}

/* Returns an item of a column, created when it is read; NULL when out of memory. */
static void *pass_item(struct passing *p, struct tt_column *column, uint64_t number)
{
    if (p->w) {
        return tt_column_at(column, number);
    }
    void *item = tt_column_next(column);
    p->failed = p->failed || !item;
    if (item) {
        tt_column_publish(column);
    }
    return item;
}

static void pass_track(struct passing *p, struct tt_track *track)
{
    if (p->w) {
        tt_track_save(p->saver, track);
    } else {
        p->failed = p->failed || !tt_track_restore_from(p->store, &p->r, track);
    }
}

/* ---- threads and CPUs ---------------------------------------------------------------------- */

/* Tracks of a lane besides its states. */
#define HAS_MORE      1u
#define HAS_NOTES     2u
#define HAS_LATE_OUTS 4u

static void pass_thread(struct passing *p, struct tt_timelines *t, uint64_t number)
{
    struct tt_lane *lane = pass_item(p, &t->lanes, number);
    if (!lane) {
        return;
    }
    const struct tt_lane_more *had = tt_lane_more(lane);
    uint32_t has = pass_below(p,
                              (had ? HAS_MORE : 0) | (tt_lane_notes(lane) ? HAS_NOTES : 0) |
                                  (had && tt_late_outs_of(had) ? HAS_LATE_OUTS : 0),
                              8);
    if (!p->w) {
        tt_track_init(&lane->states, LANE_SUMS);
        p->failed = p->failed ||
                    ((has & (HAS_MORE | HAS_LATE_OUTS)) && !tt_lane_add_more(t, lane)) ||
                    ((has & HAS_LATE_OUTS) && !tt_late_outs_add(t, tt_lane_more(lane))) ||
                    ((has & HAS_NOTES) && !tt_lane_add_notes(t, lane));
    }
    struct tt_lane_more *more = tt_lane_more(lane);
    pass_track(p, &lane->states);
    if (!p->failed && more) {
        pass_track(p, &more->priorities);
    }
    if (!p->failed && (has & HAS_LATE_OUTS)) {
        pass_track(p, &tt_late_outs_of(more)->track);
    }
    if (!p->failed && (has & HAS_NOTES)) {
        pass_track(p, tt_lane_notes(lane));
    }
}

static void pass_lanes(struct passing *p, struct tt_timelines *t)
{
    uint64_t threads = pass_count(p, &t->lanes, tt_thread_count(t->capture));
    for (uint64_t i = 0; i < threads && !p->failed; i++) {
        pass_thread(p, t, i);
    }
    uint64_t cpus = pass_count(p, &t->cpus, CPUS_MAX);
    for (uint64_t i = 0; i < cpus && !p->failed; i++) {
        struct tt_cpu_lane *cpu = pass_item(p, &t->cpus, i);
        if (cpu && !p->w) {
            tt_track_init(&cpu->occupants, CPU_SUMS);
            tt_track_init(&cpu->irqs, IRQ_SUMS);
        }
        if (cpu) {
            pass_track(p, &cpu->occupants);
            pass_track(p, &cpu->irqs);
        }
    }
    pass_track(p, &t->losses);
}

/* ---- slices -------------------------------------------------------------------------------- */

/* Requires that each row above another is later and one deeper: the links then form no cycle. */
static bool slices_are_chains(const struct tt_timelines *t)
{
    uint64_t count = tt_column_count(&t->slices.rows);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_slice_row *row = tt_column_at(&t->slices.rows, i);
        uint32_t number = atomic_load_explicit(&row->above, memory_order_relaxed);
        if (number == NO_ROW) {
            continue;
        }
        if (number <= i || number >= count) {
            return false;
        }
        const struct tt_slice_row *above = tt_column_at(&t->slices.rows, number);
        if (above->depth != row->depth + 1 || above->async != row->async ||
            above->thread != row->thread) {
            return false;
        }
    }
    return true;
}

/* Passes the link of a lane: 0, or that of a first row of this kind. */
static void pass_first_row(struct passing *p, struct tt_timelines *t, _Atomic uint32_t *link,
                           uint32_t thread, bool async)
{
    uint64_t rows = tt_column_count(&t->slices.rows);
    uint32_t number = pass_below(p, atomic_load_explicit(link, memory_order_acquire), rows + 1);
    if (p->w || number == 0) {
        return;
    }
    const struct tt_slice_row *row = tt_column_at(&t->slices.rows, number - 1);
    atomic_store_explicit(link, number, memory_order_relaxed);
    p->failed = p->failed || row->depth != 0 || row->async != async || row->thread != thread;
}

static void pass_slices(struct passing *p, struct tt_timelines *t)
{
    const uint64_t threads = tt_thread_count(t->capture);
    uint64_t rows = pass_count(p, &t->slices.rows, NO_ROW - 1);
    p->failed = p->failed || (rows > 0 && tt_types_count(t->capture) == 0);
    for (uint64_t i = 0; i < rows && !p->failed; i++) {
        struct tt_slice_row *row = pass_item(p, &t->slices.rows, i);
        if (!row) {
            return;
        }
        uint32_t thread = pass_or_none(p, row->thread, threads);
        uint32_t depth = pass_below(p, row->depth, TT_SLICE_DEPTHS);
        bool async = pass_below(p, row->async, 2) != 0;
        if (!p->w) { /* readers have the others */
            tt_track_init_wide(&row->slices, SLICE_SUMS);
            tt_track_init(&row->longs, 0);
            row->thread = thread;
            row->depth = (uint16_t)depth;
            row->async = async;
        }
        pass_link(p, &row->above, rows);
        pass_track(p, &row->slices);
        pass_track(p, &row->longs);
    }
    uint64_t lanes = pass_count(p, &t->slices.lanes, threads);
    p->failed = p->failed || (!p->w && !slices_are_chains(t));
    for (uint64_t i = 0; i <= lanes && !p->failed; i++) {
        bool last = i == lanes;
        uint32_t thread = last ? TT_NO_THREAD : (uint32_t)i;
        struct tt_slice_lane *lane =
            last ? &t->slices.threadless : pass_item(p, &t->slices.lanes, i);
        if (lane) {
            pass_first_row(p, t, &lane->nested, thread, false);
            pass_first_row(p, t, &lane->async, thread, true);
        }
    }
}

/* ---- counters, messages, objects ----------------------------------------------------------- */

static void pass_counters(struct passing *p, struct tt_timelines *t)
{
    uint64_t lanes = pass_count(p, &t->counters.lanes, tt_series_count(t->capture));
    for (uint64_t i = 0; i < lanes && !p->failed; i++) {
        struct tt_counter_lane *lane = pass_item(p, &t->counters.lanes, i);
        if (lane && !p->w) {
            tt_track_init_wide(&lane->values, COUNTER_SUMS);
            lane->series = (uint32_t)i;
        }
        if (lane) {
            pass_track(p, &lane->values);
        }
    }
}

static void pass_connection(struct passing *p, struct tt_timelines *t, uint64_t number)
{
    struct tt_message_lanes *messages = &t->messages;
    const uint64_t processes = tt_process_count(t->capture);
    static const struct tt_connection none;
    const struct tt_connection *had = p->w ? tt_column_at(&messages->connections, number) : &none;
    uint64_t id = pass(p, had->id);
    uint32_t process = pass_or_none(p, had->process, processes);
    uint32_t client = pass_or_none(p, had->client, processes);
    uint32_t channel = (uint32_t)pass(p, atomic_load_explicit(&had->channel, memory_order_relaxed));
    if (p->w || p->failed) {
        return;
    }
    p->failed = !tt_message_connection_add(messages, process, id);
    if (!p->failed) {
        struct tt_connection *connection = tt_column_at(&messages->connections, number);
        connection->client = client;
        atomic_store_explicit(&connection->channel, channel, memory_order_relaxed);
    }
}

/* Each row links to a later one: the links form no cycle. */
static void pass_message_row(struct passing *p, struct tt_timelines *t, uint64_t number,
                             uint64_t rows)
{
    struct tt_message_lanes *messages = &t->messages;
    struct tt_message_row *row = p->w ? tt_column_at(&messages->rows, number) : NULL;
    uint32_t thread = pass_or_none(p, row ? row->thread : 0, tt_thread_count(t->capture));
    uint32_t async = pass_below(p, row ? row->async : 0, 2);
    if (!row && !p->failed) {
        row = tt_message_row_add(messages, thread, async != 0, 0);
        p->failed = !row;
    }
    if (row) {
        pass_link(p, &row->next, rows);
        p->failed = p->failed || atomic_load_explicit(&row->next, memory_order_relaxed) <= number;
        pass_track(p, &row->steps);
    }
}

static void pass_messages(struct passing *p, struct tt_timelines *t)
{
    struct tt_message_lanes *messages = &t->messages;
    uint64_t connections = pass_count(p, &messages->connections, STEP_NONE - 1);
    for (uint64_t i = 0; i < connections && !p->failed; i++) {
        pass_connection(p, t, i);
    }
    uint64_t rows = pass_count(p, &messages->rows, STEP_NONE - 1);
    for (uint64_t i = 0; i < rows && !p->failed; i++) {
        pass_message_row(p, t, i, rows);
    }
    uint64_t lanes = pass_count(p, &messages->lanes, tt_thread_count(t->capture));
    for (uint64_t i = 0; i <= lanes && !p->failed; i++) {
        struct tt_message_lane *lane =
            i == lanes ? &messages->threadless : pass_item(p, &messages->lanes, i);
        if (lane && !p->w && i < lanes) {
            p->failed = p->failed || !tt_column_index_add(&messages->lane_at, lane, sizeof *lane);
        }
        if (lane) {
            uint32_t first = atomic_load_explicit(&lane->first, memory_order_acquire);
            first = pass_below(p, first, rows + 1);
            if (!p->w) {
                atomic_store_explicit(&lane->first, first, memory_order_relaxed);
            }
        }
    }
    pass_track(p, &messages->gaps);
}

static void pass_objects(struct passing *p, struct tt_timelines *t)
{
    struct tt_object_lanes *objects = &t->objects;
    uint64_t count = pass_count(p, &objects->objects, TT_NO_OBJECT - 1);
    for (uint64_t i = 0; i < count && !p->failed; i++) {
        struct tt_object_lane *lane = p->w ? tt_column_at(&objects->objects, i) : NULL;
        struct tt_object object = lane ? lane->object : (struct tt_object){0};
        object.id = pass(p, object.id);
        object.process = pass_or_none(p, object.process, tt_process_count(t->capture));
        object.kind = (uint8_t)pass_below(p, object.kind, TT_OBJECT_KINDS);
        p->failed = p->failed || object.kind == TT_OBJECT_NONE;
        if (!lane && !p->failed) {
            lane = tt_object_add(objects, &object);
            p->failed = !lane;
        }
        if (lane) {
            pass_track(p, &lane->steps);
        }
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

static bool pass_all(struct passing *p, struct tt_timelines *t)
{
    uint64_t begin = pass(p, tt_timelines_begin(t)), end = pass(p, tt_timelines_end(t));
    bool provisional = pass_below(p, tt_timelines_provisional(t), 2) != 0;
    if (!p->w) {
        atomic_store_explicit(&t->begin, begin, memory_order_relaxed);
        atomic_store_explicit(&t->end, end, memory_order_relaxed);
        atomic_store_explicit(&t->provisional, provisional, memory_order_relaxed);
    }
    p->failed = p->failed || begin > end;
    pass_lanes(p, t);
    pass_slices(p, t);
    pass_counters(p, t);
    pass_messages(p, t);
    pass_objects(p, t);
    return !p->failed && (p->w || (!p->r.failed && tt_read_left(&p->r) == 0));
}

void tt_timelines_save(const struct tt_timelines *saved_timelines, struct tt_section_writer *w)
{
    struct tt_timelines *t = (struct tt_timelines *)(uintptr_t)saved_timelines; /* only read */
    struct passing p = {.w = tt_section_writer_gathering()};
    tt_section(w, TT_SECTION_TRACKS);
    p.saver = p.w ? tt_track_saver_new(w, p.w) : NULL;
    bool saved =
        p.saver && pass_all(&p, t) && !tt_track_saver_failed(p.saver) && !tt_section_failed(p.w);
    /* Without lanes the section is empty, and is not restored. */
    tt_section_packed(w, TT_SECTION_TIMELINES);
    if (saved) {
        struct tt_bytes lanes = tt_section_gathered(p.w);
        tt_section_put(w, lanes.data, (size_t)lanes.size);
    }
    tt_track_saver_free(p.saver);
    tt_section_writer_free(p.w);
}

struct tt_timelines *tt_timelines_restore(struct tt_capture *c, const struct tt_section *timelines,
                                          const struct tt_section *tracks)
{
    struct passing p = {.r = tt_section_reader(timelines)};
    struct tt_timelines *t = tt_timelines_new(c, 0);
    if (!t) {
        return NULL;
    }
    t->store = p.store = tt_track_store_new(tracks->bytes);
    if (!t->store || !pass_all(&p, t)) {
        tt_timelines_free(t);
        return NULL;
    }
    return t;
}
