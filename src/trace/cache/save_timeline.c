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
static uint64_t save_timeline_pass(struct passing *passing, uint64_t number)
{
    if (passing->w) {
        tt_varint_put(passing->w, number);
        return number;
    }
    number = tt_varint_read(&passing->r);
    passing->failed = passing->failed || passing->r.failed;
    return number;
}

/* Does the same for one below a limit. */
static uint32_t pass_below(struct passing *passing, uint32_t number, uint64_t limit)
{
    uint64_t passed = save_timeline_pass(passing, number);
    passing->failed = passing->failed || (!passing->w && passed >= limit);
    return passing->failed ? 0 : (uint32_t)passed;
}

/* Does the same for a number below a limit, or UINT32_MAX: none. */
static uint32_t pass_or_none(struct passing *passing, uint32_t number, uint64_t limit)
{
    return (uint32_t)(pass_below(passing, number + 1, limit + 1) - 1);
}

static void pass_link(struct passing *passing, _Atomic uint32_t *link, uint64_t limit)
{
    uint32_t number =
        pass_or_none(passing, atomic_load_explicit(link, memory_order_acquire), limit);
    if (!passing->w) {
        atomic_store_explicit(link, number, memory_order_relaxed);
    }
}

/* Passes the number of items of a column, at most `most`, each of which has a number after it. */
static uint64_t pass_count(struct passing *passing, const struct tt_column *column, uint64_t most)
{
    uint64_t count = save_timeline_pass(passing, passing->w ? tt_column_count(column) : 0);
    passing->failed =
        passing->failed ||
        (!passing->w && (passing->r.failed || count > most || count > tt_read_left(&passing->r)));
    return passing->failed ? 0 : count;
}

/* Returns an item of a column, created when it is read; NULL when out of memory. */
static void *pass_item(struct passing *passing, struct tt_column *column, uint64_t number)
{
    if (passing->w) {
        return tt_column_at(column, number);
    }
    void *item = tt_column_next(column);
    passing->failed = passing->failed || !item;
    if (item) {
        tt_column_publish(column);
    }
    return item;
}

static void pass_track(struct passing *passing, struct tt_track *track)
{
    if (passing->w) {
        tt_track_save(passing->saver, track);
    } else {
        passing->failed =
            passing->failed || !tt_track_restore_from(passing->store, &passing->r, track);
    }
}

/* ---- threads and CPUs ---------------------------------------------------------------------- */

/* Tracks of a lane besides its states. */
#define HAS_MORE      1u
#define HAS_NOTES     2u
#define HAS_LATE_OUTS 4u

static void pass_lanes(struct passing *passing, struct tt_timelines *timelines)
{
    uint64_t threads = pass_count(passing, &timelines->lanes, tt_thread_count(timelines->capture));
    for (uint64_t i = 0; i < threads && !passing->failed; i++) {
        struct tt_lane *lane = pass_item(passing, &timelines->lanes, i);
        if (!lane) {
            continue;
        }
        const struct tt_lane_more *had = tt_lane_more(lane);
        uint32_t has = pass_below(passing,
                                  (had ? HAS_MORE : 0) | (tt_lane_notes(lane) ? HAS_NOTES : 0) |
                                      (had && tt_late_outs_of(had) ? HAS_LATE_OUTS : 0),
                                  8);
        if (!passing->w) {
            tt_track_init(&lane->states, LANE_SUMS);
            passing->failed =
                passing->failed ||
                ((has & (HAS_MORE | HAS_LATE_OUTS)) && !tt_lane_add_more(timelines, lane)) ||
                ((has & HAS_LATE_OUTS) && !tt_late_outs_add(timelines, tt_lane_more(lane))) ||
                ((has & HAS_NOTES) && !tt_lane_add_notes(timelines, lane));
        }
        struct tt_lane_more *more = tt_lane_more(lane);
        pass_track(passing, &lane->states);
        if (!passing->failed && more) {
            pass_track(passing, &more->priorities);
        }
        if (!passing->failed && (has & HAS_LATE_OUTS)) {
            pass_track(passing, &tt_late_outs_of(more)->track);
        }
        if (!passing->failed && (has & HAS_NOTES)) {
            pass_track(passing, tt_lane_notes(lane));
        }
    }
    uint64_t cpus = pass_count(passing, &timelines->cpus, CPUS_MAX);
    for (uint64_t i = 0; i < cpus && !passing->failed; i++) {
        struct tt_cpu_lane *cpu = pass_item(passing, &timelines->cpus, i);
        if (cpu && !passing->w) {
            tt_track_init(&cpu->occupants, CPU_SUMS);
            tt_track_init(&cpu->irqs, IRQ_SUMS);
        }
        if (cpu) {
            pass_track(passing, &cpu->occupants);
            pass_track(passing, &cpu->irqs);
        }
    }
    pass_track(passing, &timelines->losses);
}

/* ---- slices -------------------------------------------------------------------------------- */

/* Requires that each row above another is later and one deeper: the links then form no cycle. */
static bool slices_are_chains(const struct tt_timelines *timelines)
{
    uint64_t count = tt_column_count(&timelines->slices.rows);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_slice_row *row = tt_column_at(&timelines->slices.rows, i);
        uint32_t number = atomic_load_explicit(&row->above, memory_order_relaxed);
        if (number == NO_ROW) {
            continue;
        }
        if (number <= i || number >= count) {
            return false;
        }
        const struct tt_slice_row *above = tt_column_at(&timelines->slices.rows, number);
        if (above->depth != row->depth + 1 || above->async != row->async ||
            above->thread != row->thread) {
            return false;
        }
    }
    return true;
}

/* Passes the link of a lane: 0, or that of a first row of this kind. */
static void pass_first_row(struct passing *passing, struct tt_timelines *timelines,
                           _Atomic uint32_t *link, uint32_t thread, bool async)
{
    uint64_t rows = tt_column_count(&timelines->slices.rows);
    uint32_t number =
        pass_below(passing, atomic_load_explicit(link, memory_order_acquire), rows + 1);
    if (passing->w || number == 0) {
        return;
    }
    const struct tt_slice_row *row = tt_column_at(&timelines->slices.rows, number - 1);
    atomic_store_explicit(link, number, memory_order_relaxed);
    passing->failed =
        passing->failed || row->depth != 0 || row->async != async || row->thread != thread;
}

static void pass_slices(struct passing *passing, struct tt_timelines *timelines)
{
    const uint64_t threads = tt_thread_count(timelines->capture);
    uint64_t rows = pass_count(passing, &timelines->slices.rows, NO_ROW - 1);
    passing->failed = passing->failed || (rows > 0 && tt_types_count(timelines->capture) == 0);
    for (uint64_t i = 0; i < rows && !passing->failed; i++) {
        struct tt_slice_row *row = pass_item(passing, &timelines->slices.rows, i);
        if (!row) {
            return;
        }
        uint32_t thread = pass_or_none(passing, row->thread, threads);
        uint32_t depth = pass_below(passing, row->depth, TT_SLICE_DEPTHS);
        bool async = pass_below(passing, row->async, 2) != 0;
        if (!passing->w) { /* readers have the others */
            tt_track_init_wide(&row->slices, SLICE_SUMS);
            tt_track_init(&row->longs, 0);
            row->thread = thread;
            row->depth = (uint16_t)depth;
            row->async = async;
        }
        pass_link(passing, &row->above, rows);
        pass_track(passing, &row->slices);
        pass_track(passing, &row->longs);
    }
    uint64_t lanes = pass_count(passing, &timelines->slices.lanes, threads);
    passing->failed = passing->failed || (!passing->w && !slices_are_chains(timelines));
    for (uint64_t i = 0; i <= lanes && !passing->failed; i++) {
        bool last = i == lanes;
        uint32_t thread = last ? TT_NO_THREAD : (uint32_t)i;
        struct tt_slice_lane *lane =
            last ? &timelines->slices.threadless : pass_item(passing, &timelines->slices.lanes, i);
        if (lane) {
            pass_first_row(passing, timelines, &lane->nested, thread, false);
            pass_first_row(passing, timelines, &lane->async, thread, true);
        }
    }
}

static void pass_connection(struct passing *passing, struct tt_timelines *timelines,
                            uint64_t number)
{
    struct tt_message_lanes *messages = &timelines->messages;
    const uint64_t processes = tt_process_count(timelines->capture);
    static const struct tt_connection none;
    const struct tt_connection *had =
        passing->w ? tt_column_at(&messages->connections, number) : &none;
    uint64_t id = save_timeline_pass(passing, had->id);
    uint32_t process = pass_or_none(passing, had->process, processes);
    uint32_t client = pass_or_none(passing, had->client, processes);
    uint32_t channel = (uint32_t)save_timeline_pass(
        passing, atomic_load_explicit(&had->channel, memory_order_relaxed));
    if (passing->w || passing->failed) {
        return;
    }
    passing->failed = !tt_message_connection_add(messages, process, id);
    if (!passing->failed) {
        struct tt_connection *connection = tt_column_at(&messages->connections, number);
        connection->client = client;
        atomic_store_explicit(&connection->channel, channel, memory_order_relaxed);
    }
}

static void pass_messages(struct passing *passing, struct tt_timelines *timelines)
{
    struct tt_message_lanes *messages = &timelines->messages;
    uint64_t connections = pass_count(passing, &messages->connections, STEP_NONE - 1);
    for (uint64_t i = 0; i < connections && !passing->failed; i++) {
        pass_connection(passing, timelines, i);
    }
    uint64_t rows = pass_count(passing, &messages->rows, STEP_NONE - 1);
    for (uint64_t i = 0; i < rows && !passing->failed; i++) {
        /* Each row links to a later one: the links form no cycle. */

        struct tt_message_row *row = passing->w ? tt_column_at(&messages->rows, i) : NULL;
        uint32_t thread =
            pass_or_none(passing, row ? row->thread : 0, tt_thread_count(timelines->capture));
        uint32_t async = pass_below(passing, row ? row->async : 0, 2);
        if (!row && !passing->failed) {
            row = tt_message_row_add(messages, thread, async != 0, 0);
            passing->failed = !row;
        }
        if (row) {
            pass_link(passing, &row->next, rows);
            passing->failed =
                passing->failed || atomic_load_explicit(&row->next, memory_order_relaxed) <= i;
            pass_track(passing, &row->steps);
        }
    }
    uint64_t lanes = pass_count(passing, &messages->lanes, tt_thread_count(timelines->capture));
    for (uint64_t i = 0; i <= lanes && !passing->failed; i++) {
        struct tt_message_lane *lane =
            i == lanes ? &messages->threadless : pass_item(passing, &messages->lanes, i);
        if (lane && !passing->w && i < lanes) {
            passing->failed =
                passing->failed || !tt_column_index_add(&messages->lane_at, lane, sizeof *lane);
        }
        if (lane) {
            uint32_t first = atomic_load_explicit(&lane->first, memory_order_acquire);
            first = pass_below(passing, first, rows + 1);
            if (!passing->w) {
                atomic_store_explicit(&lane->first, first, memory_order_relaxed);
            }
        }
    }
    pass_track(passing, &messages->gaps);
}

static void pass_objects(struct passing *passing, struct tt_timelines *timelines)
{
    struct tt_object_lanes *objects = &timelines->objects;
    uint64_t count = pass_count(passing, &objects->objects, TT_NO_OBJECT - 1);
    for (uint64_t i = 0; i < count && !passing->failed; i++) {
        struct tt_object_lane *lane = passing->w ? tt_column_at(&objects->objects, i) : NULL;
        struct tt_object object = lane ? lane->object : (struct tt_object){0};
        object.id = save_timeline_pass(passing, object.id);
        object.process =
            pass_or_none(passing, object.process, tt_process_count(timelines->capture));
        object.kind = (uint8_t)pass_below(passing, object.kind, TT_OBJECT_KINDS);
        passing->failed = passing->failed || object.kind == TT_OBJECT_NONE;
        if (!lane && !passing->failed) {
            lane = tt_object_add(objects, &object);
            passing->failed = !lane;
        }
        if (lane) {
            pass_track(passing, &lane->steps);
        }
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

static bool pass_all(struct passing *passing, struct tt_timelines *timelines)
{
    uint64_t begin = save_timeline_pass(passing, tt_timelines_begin(timelines)),
             end = save_timeline_pass(passing, tt_timelines_end(timelines));
    bool provisional = pass_below(passing, tt_timelines_provisional(timelines), 2) != 0;
    if (!passing->w) {
        atomic_store_explicit(&timelines->begin, begin, memory_order_relaxed);
        atomic_store_explicit(&timelines->end, end, memory_order_relaxed);
        atomic_store_explicit(&timelines->provisional, provisional, memory_order_relaxed);
    }
    passing->failed = passing->failed || begin > end;
    pass_lanes(passing, timelines);
    pass_slices(passing, timelines);

    /*
     * ---- counters, messages, objects -----------------------------------------------------------
     */
    uint64_t lanes =
        pass_count(passing, &timelines->counters.lanes, tt_series_count(timelines->capture));
    for (uint64_t i = 0; i < lanes && !passing->failed; i++) {
        struct tt_counter_lane *lane = pass_item(passing, &timelines->counters.lanes, i);
        if (lane && !passing->w) {
            tt_track_init_wide(&lane->values, COUNTER_SUMS);
            lane->series = (uint32_t)i;
        }
        if (lane) {
            pass_track(passing, &lane->values);
        }
    }

    pass_messages(passing, timelines);
    pass_objects(passing, timelines);
    return !passing->failed &&
           (passing->w || (!passing->r.failed && tt_read_left(&passing->r) == 0));
}

void tt_timelines_save(const struct tt_timelines *timelines, struct tt_section_writer *writer)
{
    struct tt_timelines *t = (struct tt_timelines *)(uintptr_t)timelines; /* only read */
    struct passing p = {.w = tt_section_writer_gathering()};
    tt_section(writer, TT_SECTION_TRACKS);
    p.saver = p.w ? tt_track_saver_new(writer, p.w) : NULL;
    bool saved =
        p.saver && pass_all(&p, t) && !tt_track_saver_failed(p.saver) && !tt_section_failed(p.w);
    /* Without lanes the section is empty, and is not restored. */
    tt_section_packed(writer, TT_SECTION_TIMELINES);
    if (saved) {
        struct tt_bytes lanes = tt_section_gathered(p.w);
        tt_section_put(writer, lanes.data, (size_t)lanes.size);
    }
    tt_track_saver_free(p.saver);
    tt_section_writer_free(p.w);
}

struct tt_timelines *tt_timelines_restore(struct tt_capture *capture,
                                          const struct tt_section *timelines,
                                          const struct tt_section *tracks)
{
    struct passing p = {.r = tt_section_reader(timelines)};
    struct tt_timelines *t = tt_timelines_new(capture, 0);
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
