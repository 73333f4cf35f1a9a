/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring finished timelines: threads, CPUs, losses. */
#include "trace/cache/save_timeline.h"

#include <stdlib.h>

#include "trace/cache/save_track.h"

#define CPUS_MAX 65536u

/* Tracks of a lane besides its states. */
#define HAS_MORE      1u
#define HAS_NOTES     2u
#define HAS_LATE_OUTS 4u

/* ---- writing ------------------------------------------------------------------------------- */

/* Visits all tracks, in the order in which they are saved and restored. */
static void visit_all(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                      tt_track_visitor *visit)
{
    for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        const struct tt_lane_more *more = tt_lane_more(lane);
        saved->is_states = true;
        visit(saved, &lane->states);
        saved->is_states = false;
        const struct tt_track *notes = tt_lane_notes(lane);
        if (more) {
            visit(saved, &more->priorities);
            if (tt_late_outs_of(more)) {
                visit(saved, &tt_late_outs_of(more)->track);
            }
        }
        if (notes) {
            visit(saved, notes);
        }
    }
    for (uint64_t i = 0; i < tt_column_count(&t->cpus); i++) {
        const struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        visit(saved, &cpu->occupants);
        visit(saved, &cpu->irqs);
    }
    visit(saved, &t->losses);
    tt_slices_visit(t, saved, visit);
    tt_counters_visit(t, saved, visit);
    tt_messages_visit(t, saved, visit);
    tt_objects_visit(t, saved, visit);
}

static void put_lanes(const struct tt_timelines *t, struct tt_section_writer *w)
{
    tt_section_put_u64(w, tt_timelines_begin(t));
    tt_section_put_u64(w, tt_timelines_end(t));
    tt_section_put_u32(w, tt_timelines_provisional(t));
    tt_section_put_u64(w, tt_column_count(&t->lanes));
    for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        const struct tt_lane_more *more = tt_lane_more(lane);
        bool late = more && tt_late_outs_of(more);
        uint8_t has = (uint8_t)((more ? HAS_MORE : 0) | (tt_lane_notes(lane) ? HAS_NOTES : 0) |
                                (late ? HAS_LATE_OUTS : 0));
        tt_section_put(w, &has, sizeof has);
    }
    tt_section_put_u64(w, tt_column_count(&t->cpus));
    tt_slices_save(t, w);
    tt_counters_save(t, w);
    tt_messages_save(t, w);
    tt_objects_save(t, w);
}

/* Lists the occupants of each CPU, which states refer to; returns NULL if out of memory. */
static const struct tt_track **occupants_of(const struct tt_timelines *t,
                                            struct tt_tracks_saved *saved)
{
    uint64_t count = tt_column_count(&t->cpus);
    const struct tt_track **occupants = malloc((size_t)(count + 1) * sizeof *occupants);
    for (uint64_t i = 0; occupants && i < count; i++) {
        const struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        occupants[i] = &cpu->occupants;
    }
    saved->refs = (struct tt_code_refs){occupants, (uint32_t)count};
    saved->no_memory = !occupants;
    return occupants;
}

void tt_timelines_save(const struct tt_timelines *t, struct tt_section_writer *w)
{
    struct tt_tracks_saved saved = {.w = w};
    const struct tt_track **occupants = occupants_of(t, &saved);
    tt_section(w, TT_SECTION_TRACKS);
    if (occupants) {
        visit_all(t, &saved, tt_track_save);
        tt_tracks_end(&saved);
    }
    tt_section_packed(w, TT_SECTION_TIMELINES);
    /* Without the positions of the tracks the section is empty, and is not restored. */
    if (!saved.no_memory) {
        put_lanes(t, w);
        visit_all(t, &saved, tt_track_put_place);
    }
    free(occupants);
    free(saved.places);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool take_threads(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, 1 + sizeof(uint32_t));
    const uint8_t *has = tt_section_read(r, count);
    if (r->failed || count > tt_thread_count(t->capture)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_lane *lane = tt_column_next(&t->lanes);
        if (!lane || ((has[i] & (HAS_MORE | HAS_LATE_OUTS)) && !tt_lane_add_more(t, lane)) ||
            ((has[i] & HAS_LATE_OUTS) && !tt_late_outs_add(t, tt_lane_more(lane))) ||
            ((has[i] & HAS_NOTES) && !tt_lane_add_notes(t, lane))) {
            return false;
        }
        tt_track_init(&lane->states, LANE_SUMS);
        tt_column_publish(&t->lanes);
    }
    return true;
}

static bool take_cpus(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, 2 * sizeof(uint32_t));
    if (r->failed || count > CPUS_MAX) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_cpu_lane *cpu = tt_column_next(&t->cpus);
        if (!cpu) {
            return false;
        }
        tt_track_init(&cpu->occupants, CPU_SUMS);
        tt_track_init(&cpu->irqs, IRQ_SUMS);
        tt_column_publish(&t->cpus);
    }
    return true;
}

/* Reads the lanes, without their tracks. */
static bool take_lanes(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t begin = tt_read_u64(r), end = tt_read_u64(r);
    bool provisional = tt_read_u32(r) != 0;
    atomic_store_explicit(&t->begin, begin, memory_order_relaxed);
    atomic_store_explicit(&t->end, end, memory_order_relaxed);
    atomic_store_explicit(&t->provisional, provisional, memory_order_relaxed);
    return !r->failed && begin <= end && take_threads(t, r) && take_cpus(t, r) &&
           tt_slices_restore(t, r) && tt_counters_restore(t, r) && tt_messages_restore(t, r) &&
           tt_objects_restore(t, r);
}

static bool take_more(struct tt_reader *r, struct tt_track_store *tracks, struct tt_lane_more *more)
{
    struct tt_late_outs *late = tt_late_outs_of(more);
    return tt_track_restore_at(r, tracks, &more->priorities) &&
           (!late || tt_track_restore_at(r, tracks, &late->track));
}

static bool take_tracks(struct tt_timelines *t, struct tt_reader *r, struct tt_track_store *tracks)
{
    bool sound = true;
    for (uint64_t i = 0; sound && i < tt_column_count(&t->lanes); i++) {
        struct tt_lane *lane = tt_column_at(&t->lanes, i);
        struct tt_lane_more *more = tt_lane_more(lane);
        struct tt_track *notes = tt_lane_notes(lane);
        sound = tt_track_restore_at(r, tracks, &lane->states) &&
                (!more || take_more(r, tracks, more)) &&
                (!notes || tt_track_restore_at(r, tracks, notes));
    }
    for (uint64_t i = 0; sound && i < tt_column_count(&t->cpus); i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        sound = tt_track_restore_at(r, tracks, &cpu->occupants) &&
                tt_track_restore_at(r, tracks, &cpu->irqs);
    }
    return sound && tt_track_restore_at(r, tracks, &t->losses) &&
           tt_slices_restore_tracks(t, r, tracks) && tt_counters_restore_tracks(t, r, tracks) &&
           tt_messages_restore_tracks(t, r, tracks) && tt_objects_restore_tracks(t, r, tracks) &&
           tt_read_left(r) == 0;
}

struct tt_timelines *tt_timelines_restore(struct tt_capture *c, const struct tt_section *timelines,
                                          const struct tt_section *tracks)
{
    struct tt_reader r = tt_section_reader(timelines);
    struct tt_timelines *t = tt_timelines_new(c, 0);
    if (!t) {
        return NULL;
    }
    t->store = tt_track_store_new(tracks->bytes, CPU_SUMS);
    if (!t->store || !take_lanes(t, &r) || !take_tracks(t, &r, t->store)) {
        tt_timelines_free(t);
        return NULL;
    }
    return t;
}
