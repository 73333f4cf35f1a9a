/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring unfinished timelines with the state of their builder. */
#include "trace/cache/save_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "trace/cache/save_open_track.h"
#include "trace/cache/save_track.h"

#define CPUS_MAX 65536u

/* ---- layout --------------------------------------------------------------------------------- */

struct saved_lane {
    uint64_t irq;
    uint16_t cpu;
    int16_t priority;
    uint8_t created;
    uint8_t left_class;
    uint8_t out;
    uint8_t flags;
};

enum {
    LANE_KNOWN = 1,
    LANE_RUNNING = 2,
    LANE_IDLE = 4,
    LANE_MORE = 8,
    LANE_NOTES = 16,
    LANE_LATE_OUTS = 32,
    LANE_IN_MESSAGE = 64
};

struct saved_cpu {
    uint64_t sums[CPU_SUMS];
    uint64_t since;
    uint64_t irq_at_start;
    uint64_t irq_sums[IRQ_SUMS];
    uint64_t irq_since;
    uint32_t irq_depth;
    uint32_t occupant;
    uint32_t last;
    uint32_t last_out;
};

struct saved_row {
    uint64_t edge;
    uint64_t id;
    uint32_t thread;
    uint32_t above;
    uint32_t below;
    uint16_t depth;
    uint16_t stream;
    uint8_t open;
    uint8_t async;
    uint8_t listed;
    uint8_t zero[5];
};

struct saved_slices {
    uint32_t nested;
    uint32_t async;
    uint32_t top;
    uint32_t deep;
    uint32_t cut;
};

struct saved_message_row {
    uint64_t key;
    uint32_t connection;
    uint32_t receiver;
    uint8_t state;
    uint8_t listed;
    uint8_t slot;
    uint8_t zero[5];
};

struct saved_counter {
    uint32_t stream;
    uint32_t known;
};

/* ---- saving --------------------------------------------------------------------------------- */

struct noting {
    struct tt_section_writer *w;
    struct tt_open_tracks *open;
    bool good;
};

static void note_track(struct noting *n, const struct tt_track *track)
{
    n->good = tt_open_track_save(n->open, track, n->w) && n->good;
}

static void note_more(struct noting *n, const struct tt_lane_more *more)
{
    const struct tt_late_outs *late = tt_late_outs_of(more);
    note_track(n, &more->priorities);
    if (late) {
        tt_section_put(n->w, late->sums, sizeof late->sums);
        note_track(n, &late->track);
    }
}

static void note_lane(struct noting *n, const struct tt_lane *lane)
{
    const struct tt_lane_more *more = tt_lane_more(lane);
    const struct tt_track *notes = tt_lane_notes(lane);
    unsigned flags = (lane->known ? LANE_KNOWN : 0u) | (lane->running ? LANE_RUNNING : 0u) |
                     (lane->idle ? LANE_IDLE : 0u) | (more ? LANE_MORE : 0u) |
                     (notes ? LANE_NOTES : 0u) |
                     (more && tt_late_outs_of(more) ? LANE_LATE_OUTS : 0u) |
                     (lane->in_message ? LANE_IN_MESSAGE : 0u);
    struct saved_lane saved = {.irq = lane->irq,
                               .cpu = lane->cpu,
                               .priority = lane->priority,
                               .created = lane->created,
                               .left_class = lane->left_class,
                               .out = (uint8_t)lane->out,
                               .flags = (uint8_t)flags};
    tt_section_put(n->w, &saved, sizeof saved);
    note_track(n, &lane->states);
    if (more) {
        note_more(n, more);
    }
    if (notes) {
        note_track(n, notes);
    }
}

static void note_cpu(struct noting *n, const struct tt_cpu_lane *cpu)
{
    struct saved_cpu saved = {.since = cpu->since,
                              .irq_at_start = cpu->irq_at_start,
                              .irq_since = cpu->irq_since,
                              .irq_depth = cpu->irq_depth,
                              .occupant = cpu->occupant,
                              .last = cpu->last,
                              .last_out = cpu->last_out};
    memcpy(saved.sums, cpu->sums, sizeof saved.sums);
    memcpy(saved.irq_sums, cpu->irq_sums, sizeof saved.irq_sums);
    tt_section_put(n->w, &saved, sizeof saved);
    note_track(n, &cpu->occupants);
    note_track(n, &cpu->irqs);
}

static void note_row(struct noting *n, const struct tt_slice_row *row)
{
    struct saved_row saved = {.edge = row->edge,
                              .id = row->id,
                              .thread = row->thread,
                              .above = atomic_load_explicit(&row->above, memory_order_relaxed),
                              .below = row->lower ? row->lower->number : NO_ROW,
                              .depth = row->depth,
                              .stream = row->stream,
                              .open = row->open,
                              .async = row->async,
                              .listed = row->listed};
    tt_section_put(n->w, &saved, sizeof saved);
    note_track(n, &row->slices);
    note_track(n, &row->longs);
}

static void note_slices_of(struct noting *n, const struct tt_slice_lane *lane)
{
    struct saved_slices saved = {atomic_load_explicit(&lane->nested, memory_order_relaxed),
                                 atomic_load_explicit(&lane->async, memory_order_relaxed),
                                 lane->top ? lane->top->number + 1 : 0, lane->deep, lane->cut};
    tt_section_put(n->w, &saved, sizeof saved);
}

static void note_list(struct noting *n, const uint32_t *list, size_t count)
{
    tt_section_put_u64(n->w, count);
    if (count > 0) {
        tt_section_put(n->w, list, count * sizeof *list);
    }
}

/* Writes the spans of a key, the latest first. */
static void note_spans(struct noting *n, const struct tt_open_spans *edges,
                       const struct tt_open_edge *edge)
{
    for (; edge; edge = tt_open_spans_older(edges, edge)) {
        tt_section_put_u64(n->w, edge->key);
        tt_section_put_u64(n->w, edge->ticks);
        tt_section_put_u64(n->w, edge->what);
    }
}

/* By bucket, the latest begin of each key first. */
static void note_edges(struct noting *n, const struct tt_open_spans *edges)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < edges->capacity; i++) {
        for (uint32_t at = edges->buckets[i]; at != UINT32_MAX; at = edges->nodes[at].next) {
            count += edges->nodes[at].count;
        }
    }
    tt_section_put_u64(n->w, count);
    for (uint32_t i = 0; i < edges->capacity; i++) {
        for (uint32_t at = edges->buckets[i]; at != UINT32_MAX; at = edges->nodes[at].next) {
            note_spans(n, edges, &edges->nodes[at]);
        }
    }
}

static void note_slices(struct noting *n, const struct tt_slice_lanes *slices)
{
    uint64_t rows = tt_column_count(&slices->rows), lanes = tt_column_count(&slices->lanes);
    tt_section_put_u64(n->w, rows);
    for (uint64_t i = 0; i < rows; i++) {
        note_row(n, tt_column_at(&slices->rows, i));
    }
    tt_section_put_u64(n->w, lanes);
    for (uint64_t i = 0; i < lanes; i++) {
        note_slices_of(n, tt_column_at(&slices->lanes, i));
    }
    note_slices_of(n, &slices->threadless);
    note_edges(n, &slices->asyncs);
    note_list(n, slices->open, slices->open_count);
}

static void note_counters(struct noting *n, const struct tt_counter_lanes *counters)
{
    uint64_t count = tt_column_count(&counters->lanes);
    tt_section_put_u64(n->w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_counter_lane *lane = tt_column_at(&counters->lanes, i);
        struct saved_counter saved = {lane->stream, lane->known};
        tt_section_put(n->w, &saved, sizeof saved);
        note_track(n, &lane->values);
    }
    note_list(n, counters->known, counters->known_count);
}

static void note_messages(struct noting *n, const struct tt_timelines *t)
{
    const struct tt_message_lanes *messages = &t->messages;
    tt_messages_save(t, n->w);
    note_track(n, &messages->gaps);
    for (uint64_t i = 0; i < tt_column_count(&messages->rows); i++) {
        const struct tt_message_row *row = tt_column_at(&messages->rows, i);
        struct saved_message_row saved = {.key = row->key,
                                          .connection = row->connection,
                                          .receiver = row->receiver,
                                          .state = row->state,
                                          .listed = row->listed,
                                          .slot = row->slot};
        tt_section_put(n->w, &saved, sizeof saved);
        note_track(n, &row->steps);
    }
    tt_messages_save_builder(t, n->w);
    note_edges(n, &messages->open);
    note_list(n, messages->listed, messages->listed_count);
    tt_section_put_u64(n->w, messages->orphan_count);
    tt_section_put(n->w, messages->orphans, messages->orphan_count * sizeof *messages->orphans);
}

static void note_objects(struct noting *n, const struct tt_timelines *t)
{
    tt_objects_save(t, n->w);
    for (uint64_t i = 0; i < tt_column_count(&t->objects.objects); i++) {
        const struct tt_object_lane *lane = tt_column_at(&t->objects.objects, i);
        note_track(n, &lane->steps);
    }
    tt_objects_save_builder(t, n->w);
}

bool tt_lanes_save(const struct tt_timelines *t, struct tt_open_tracks *open,
                   struct tt_section_writer *w)
{
    struct noting n = {w, open, true};
    uint64_t lanes = tt_column_count(&t->lanes), cpus = tt_column_count(&t->cpus);
    tt_section_put_u64(w, tt_timelines_begin(t));
    tt_section_put_u64(w, tt_timelines_end(t));
    tt_section_put_u64(w, lanes);
    for (uint64_t i = 0; i < lanes; i++) {
        note_lane(&n, tt_column_at(&t->lanes, i));
    }
    tt_section_put_u64(w, cpus);
    for (uint64_t i = 0; i < cpus; i++) {
        note_cpu(&n, tt_column_at(&t->cpus, i));
    }
    note_track(&n, &t->losses);
    note_list(&n, t->known, t->known_count);
    note_slices(&n, &t->slices);
    note_counters(&n, &t->counters);
    note_messages(&n, t);
    note_objects(&n, t);
    return n.good && !tt_section_failed(w);
}

/* ---- restoring ------------------------------------------------------------------------------- */

struct taking {
    struct tt_timelines *t;
    struct tt_reader *r;
    struct tt_reader places;
    struct tt_track_store *tracks;
};

static bool take(struct tt_reader *r, void *to, size_t size)
{
    const uint8_t *bytes = tt_read_span(r, size);
    if (bytes && size > 0) {
        memcpy(to, bytes, size);
    }
    return bytes != NULL;
}

static bool take_track(struct taking *k, struct tt_track *track)
{
    return tt_open_track_restore(k->r, &k->places, k->tracks, &k->t->arena, track);
}

/* Reads a list of numbers below `count`. */
static bool take_list(struct tt_reader *r, uint64_t count, uint32_t **list, size_t *length)
{
    uint64_t numbers = tt_section_count(r, sizeof **list);
    const uint8_t *bytes = tt_read_span(r, numbers * sizeof **list);
    if (numbers == 0 || !bytes) {
        return !r->failed;
    }
    *list = malloc((size_t)numbers * sizeof **list);
    if (!*list) {
        return false;
    }
    memcpy(*list, bytes, (size_t)numbers * sizeof **list);
    *length = (size_t)numbers;
    for (uint64_t i = 0; i < numbers; i++) {
        if ((*list)[i] >= count) {
            return false;
        }
    }
    return true;
}

static bool take_late_outs(struct taking *k, struct tt_lane_more *more)
{
    struct tt_late_outs *late = tt_late_outs_add(k->t, more);
    return late && take(k->r, late->sums, sizeof late->sums) && take_track(k, &late->track);
}

static bool take_more(struct taking *k, struct tt_lane *lane, bool has_late_outs)
{
    struct tt_lane_more *more = tt_lane_add_more(k->t, lane);
    return more && take_track(k, &more->priorities) && (!has_late_outs || take_late_outs(k, more));
}

static bool take_notes(struct taking *k, struct tt_lane *lane)
{
    struct tt_track *notes = tt_lane_add_notes(k->t, lane);
    return notes && take_track(k, notes);
}

static bool take_lane(struct taking *k)
{
    struct saved_lane saved;
    struct tt_lane *lane = tt_lane_next(k->t);
    if (!lane || !take(k->r, &saved, sizeof saved) || saved.out > TT_OUT_UNKNOWN ||
        saved.left_class >= TT_CLASS_COUNT) {
        return false;
    }
    lane->irq = saved.irq;
    lane->cpu = saved.cpu;
    lane->priority = saved.priority;
    lane->created = saved.created;
    lane->left_class = saved.left_class;
    lane->out = saved.out & 3u;
    lane->known = (saved.flags & LANE_KNOWN) != 0;
    lane->running = (saved.flags & LANE_RUNNING) != 0;
    lane->idle = (saved.flags & LANE_IDLE) != 0;
    lane->kind = tt_occupant_kind(k->t, lane->thread) & 3u;
    lane->in_message = (saved.flags & LANE_IN_MESSAGE) != 0;
    return take_track(k, &lane->states) &&
           (!(saved.flags & LANE_MORE) ||
            take_more(k, lane, (saved.flags & LANE_LATE_OUTS) != 0)) &&
           (!(saved.flags & LANE_NOTES) || take_notes(k, lane));
}

static bool take_lanes(struct taking *k)
{
    uint64_t lanes = tt_section_count(k->r, sizeof(struct saved_lane));
    bool sound = lanes <= tt_thread_count(k->t->capture);
    for (uint64_t i = 0; sound && i < lanes; i++) {
        sound = take_lane(k);
    }
    return sound && !k->r->failed;
}

/* Returns whether the CPU of every lane exists, and every running lane has a CPU. */
static bool cpus_are_there(const struct tt_timelines *t)
{
    for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        if (lane->cpu == TT_NO_CPU ? lane->running : lane->cpu >= tt_column_count(&t->cpus)) {
            return false;
        }
    }
    return true;
}

static bool take_cpu(struct taking *k)
{
    struct saved_cpu saved;
    struct tt_cpu_lane *cpu = tt_column_next(&k->t->cpus);
    if (!cpu || !tt_column_index_add(&k->t->cpu_at, cpu, sizeof *cpu) ||
        !take(k->r, &saved, sizeof saved) || saved.last_out > TT_OUT_UNKNOWN) {
        return false;
    }
    tt_track_init(&cpu->occupants, CPU_SUMS);
    tt_track_init(&cpu->irqs, IRQ_SUMS);
    tt_column_publish(&k->t->cpus);
    memcpy(cpu->sums, saved.sums, sizeof cpu->sums);
    memcpy(cpu->irq_sums, saved.irq_sums, sizeof cpu->irq_sums);
    cpu->since = saved.since;
    cpu->irq_at_start = saved.irq_at_start;
    cpu->irq_since = saved.irq_since;
    cpu->irq_depth = saved.irq_depth;
    cpu->occupant = saved.occupant;
    cpu->kind = (uint8_t)tt_occupant_kind(k->t, saved.occupant);
    cpu->last = saved.last;
    cpu->last_out = (uint8_t)saved.last_out;
    return take_track(k, &cpu->occupants) && take_track(k, &cpu->irqs);
}

static bool take_cpus(struct taking *k)
{
    uint64_t cpus = tt_section_count(k->r, sizeof(struct saved_cpu));
    bool sound = cpus <= CPUS_MAX;
    for (uint64_t i = 0; sound && i < cpus; i++) {
        sound = take_cpu(k);
    }
    return sound && !k->r->failed && cpus_are_there(k->t);
}

/* ---- slices --------------------------------------------------------------------------------- */

static bool take_row(struct taking *k, uint32_t number, uint64_t rows)
{
    struct tt_timelines *t = k->t;
    struct saved_row saved;
    struct tt_slice_row *row = tt_column_next(&t->slices.rows);
    if (!row || !take(k->r, &saved, sizeof saved)) {
        return false;
    }
    tt_track_init_wide(&row->slices, SLICE_SUMS);
    tt_track_init(&row->longs, 0);
    row->edge = saved.edge;
    row->id = saved.id;
    row->number = number;
    row->thread = saved.thread;
    row->depth = saved.depth;
    row->stream = saved.stream;
    row->open = saved.open != 0;
    row->async = saved.async != 0;
    row->listed = saved.listed != 0;
    atomic_store_explicit(&row->above, saved.above, memory_order_relaxed);
    tt_column_publish(&t->slices.rows);
    bool nests = saved.below == NO_ROW ? saved.depth == 0 : saved.below < number && saved.depth > 0;
    row->lower = nests ? tt_column_index_at(&t->slices.row_at, saved.below) : NULL;
    return tt_column_index_add(&t->slices.row_at, row, sizeof *row) && nests &&
           saved.depth < TT_SLICE_DEPTHS &&
           (saved.above == NO_ROW || (saved.above > number && saved.above < rows)) &&
           (saved.thread == TT_NO_THREAD || saved.thread < tt_thread_count(t->capture)) &&
           take_track(k, &row->slices) && take_track(k, &row->longs);
}

static bool take_slices_of(struct taking *k, struct tt_slice_lane *lane, uint32_t thread)
{
    struct tt_slice_lanes *slices = &k->t->slices;
    struct saved_slices saved;
    if (!take(k->r, &saved, sizeof saved)) {
        return false;
    }
    atomic_store_explicit(&lane->nested, saved.nested, memory_order_relaxed);
    atomic_store_explicit(&lane->async, saved.async, memory_order_relaxed);
    lane->deep = saved.deep;
    lane->cut = saved.cut;
    tt_slice_lane_set_top(slices, lane, tt_column_index_at(&slices->row_at, saved.top - 1));
    return tt_slices_is_first_row(k->t, saved.nested, thread, false) &&
           tt_slices_is_first_row(k->t, saved.async, thread, true) &&
           saved.top <= tt_column_count(&slices->rows);
}

/* Links each row to the one above it. */
static void link_rows(struct tt_slice_lanes *slices)
{
    for (uint64_t i = 0; i < tt_column_count(&slices->rows); i++) {
        struct tt_slice_row *row = tt_column_at(&slices->rows, i);
        uint32_t above = atomic_load_explicit(&row->above, memory_order_relaxed);
        row->upper = tt_column_index_at(&slices->row_at, above);
    }
}

/* Pushed from the oldest on, so that the latest of each key is again found first. */
static bool take_edges(struct taking *k, struct tt_open_spans *open)
{
    const size_t size = 3 * sizeof(uint64_t);
    uint64_t count = tt_section_count(k->r, size);
    const uint8_t *edges = tt_read_span(k->r, count * size);
    for (uint64_t i = count; edges && i-- > 0;) {
        uint64_t edge[3];
        memcpy(edge, edges + i * size, size);
        if (!tt_open_spans_push(open, edge[0], edge[1], (uint32_t)edge[2])) {
            return false;
        }
    }
    return edges != NULL;
}

static bool take_slices(struct taking *k)
{
    struct tt_slice_lanes *slices = &k->t->slices;
    uint64_t rows = tt_section_count(k->r, sizeof(struct saved_row));
    bool sound = rows < NO_ROW && (rows == 0 || tt_types_count(k->t->capture) > 0);
    for (uint64_t i = 0; sound && i < rows; i++) {
        sound = take_row(k, (uint32_t)i, rows);
    }
    uint64_t lanes = sound ? tt_section_count(k->r, sizeof(struct saved_slices)) : 0;
    sound = sound && tt_slices_are_chains(k->t) && lanes <= tt_thread_count(k->t->capture);
    link_rows(slices);
    for (uint64_t i = 0; sound && i < lanes; i++) {
        struct tt_slice_lane *lane = tt_column_next(&slices->lanes);
        sound = lane && tt_column_index_add(&slices->lane_at, lane, sizeof *lane) &&
                take_slices_of(k, lane, (uint32_t)i);
        if (lane) {
            tt_column_publish(&slices->lanes);
        }
    }
    sound = sound && take_slices_of(k, &slices->threadless, TT_NO_THREAD) &&
            take_edges(k, &slices->asyncs) &&
            take_list(k->r, rows, &slices->open, &slices->open_count);
    slices->open_capacity = slices->open_count;
    return sound;
}

/* ---- counters ------------------------------------------------------------------------------- */

static bool take_counter(struct taking *k)
{
    struct tt_counter_lanes *counters = &k->t->counters;
    struct saved_counter saved;
    struct tt_counter_lane *lane = tt_column_next(&counters->lanes);
    if (!lane || !tt_column_index_add(&counters->lane_at, lane, sizeof *lane) ||
        !take(k->r, &saved, sizeof saved)) {
        return false;
    }
    tt_track_init_wide(&lane->values, COUNTER_SUMS);
    lane->series = counters->lane_at.count - 1;
    tt_column_publish(&counters->lanes);
    lane->stream = (uint16_t)saved.stream;
    lane->known = saved.known != 0;
    return take_track(k, &lane->values);
}

/* A loss reads the last value of every known series. */
static bool known_have_values(const struct tt_counter_lanes *counters)
{
    for (size_t i = 0; i < counters->known_count; i++) {
        const struct tt_counter_lane *lane = tt_column_at(&counters->lanes, counters->known[i]);
        if (tt_track_is_empty(&lane->values)) {
            return false;
        }
    }
    return true;
}

static bool take_counters(struct taking *k)
{
    struct tt_counter_lanes *counters = &k->t->counters;
    uint64_t count = tt_section_count(k->r, sizeof(struct saved_counter));
    bool sound = count <= tt_series_count(k->t->capture);
    for (uint64_t i = 0; sound && i < count; i++) {
        sound = take_counter(k);
    }
    sound = sound && take_list(k->r, count, &counters->known, &counters->known_count) &&
            known_have_values(counters);
    counters->known_capacity = counters->known_count;
    return sound;
}

/* ---- messages ------------------------------------------------------------------------------- */

static bool take_message_row(struct taking *k, struct tt_message_row *row)
{
    struct saved_message_row saved;
    if (!take(k->r, &saved, sizeof saved) || saved.state > MESSAGE_AMBIGUOUS ||
        (saved.state != MESSAGE_IDLE &&
         saved.connection >= tt_column_count(&k->t->messages.connections))) {
        return false;
    }
    row->key = saved.key;
    row->connection = saved.connection;
    row->receiver = saved.receiver;
    row->slot = saved.slot;
    row->state = saved.state;
    row->listed = saved.listed != 0;
    return take_track(k, &row->steps) &&
           (row->state == MESSAGE_IDLE || !tt_track_is_empty(&row->steps));
}

static bool take_orphans(struct taking *k, struct tt_message_lanes *messages)
{
    uint64_t count = tt_section_count(k->r, sizeof *messages->orphans);
    if (count > TT_MESSAGE_ORPHANS ||
        !take(k->r, messages->orphans, (size_t)count * sizeof *messages->orphans)) {
        return false;
    }
    messages->orphan_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        if (messages->orphans[i].connection >= tt_column_count(&messages->connections)) {
            return false;
        }
    }
    return true;
}

/* Returns whether every open message refers to a row. */
static bool rows_are_there(const struct tt_message_lanes *messages)
{
    for (uint32_t i = 0; i < messages->open.used; i++) {
        if (messages->open.nodes[i].what >= tt_column_count(&messages->rows)) {
            return false;
        }
    }
    return true;
}

static bool take_messages(struct taking *k)
{
    struct tt_message_lanes *messages = &k->t->messages;
    bool sound = tt_messages_restore(k->t, k->r) && take_track(k, &messages->gaps);
    uint64_t rows = tt_column_count(&messages->rows);
    for (uint64_t i = 0; sound && i < rows; i++) {
        sound = take_message_row(k, tt_column_at(&messages->rows, i));
    }
    sound = sound && tt_messages_restore_builder(k->t, k->r) && take_edges(k, &messages->open) &&
            rows_are_there(messages) &&
            take_list(k->r, rows, &messages->listed, &messages->listed_count) &&
            take_orphans(k, messages);
    messages->listed_capacity = messages->listed_count;
    return sound;
}

static bool take_objects(struct taking *k)
{
    bool sound = tt_objects_restore(k->t, k->r);
    for (uint64_t i = 0; sound && i < tt_column_count(&k->t->objects.objects); i++) {
        struct tt_object_lane *lane = tt_column_at(&k->t->objects.objects, i);
        sound = take_track(k, &lane->steps);
    }
    return sound && tt_objects_restore_builder(k->t, k->r);
}

/* ---- whole timelines ------------------------------------------------------------------------ */

static bool take_all(struct taking *k)
{
    struct tt_timelines *t = k->t;
    uint64_t begin = tt_read_u64(k->r), end = tt_read_u64(k->r);
    atomic_store_explicit(&t->begin, begin, memory_order_relaxed);
    atomic_store_explicit(&t->end, end, memory_order_relaxed);
    bool sound = begin <= end && take_lanes(k) && take_cpus(k) && take_track(k, &t->losses) &&
                 take_list(k->r, tt_column_count(&t->lanes), &t->known, &t->known_count);
    t->known_capacity = t->known_count;
    return sound && take_slices(k) && take_counters(k) && take_messages(k) && take_objects(k) &&
           tt_read_left(k->r) == 0 && tt_read_left(&k->places) == 0;
}

/* Restores from the unpacked sections. */
static struct tt_timelines *restore(struct tt_capture *c, struct tt_reader *r,
                                    struct tt_bytes places, const struct tt_section *tracks)
{
    struct taking k = {tt_timelines_new(c, 0), r, tt_reader_of(places, r->big_endian), NULL};
    if (!k.t) {
        return NULL;
    }
    k.t->store = k.tracks = tt_track_store_new(tracks->bytes, CPU_SUMS);
    if (!k.t->store || !take_all(&k)) {
        tt_timelines_free(k.t);
        return NULL;
    }
    return k.t;
}

struct tt_timelines *tt_lanes_restore(struct tt_capture *c, const struct tt_section *lanes,
                                      const struct tt_section *places,
                                      const struct tt_section *tracks)
{
    struct tt_reader r = tt_section_reader(lanes);
    return restore(c, &r, places->bytes, tracks);
}
