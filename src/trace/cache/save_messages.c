/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring messages. */
#include "trace/cache/save_track.h"

void tt_messages_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit)
{
    const struct tt_message_lanes *messages = &t->messages;
    visit(saved, &messages->gaps);
    for (uint64_t i = 0; i < tt_column_count(&messages->rows); i++) {
        const struct tt_message_row *row = tt_column_at(&messages->rows, i);
        visit(saved, &row->steps);
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_connections(const struct tt_message_lanes *messages, struct tt_section_writer *w)
{
    tt_section_put_u64(w, tt_column_count(&messages->connections));
    for (uint64_t i = 0; i < tt_column_count(&messages->connections); i++) {
        const struct tt_connection *connection = tt_column_at(&messages->connections, i);
        tt_section_put_u64(w, connection->id);
        tt_section_put_u32(w, connection->process);
        tt_section_put_u32(w, connection->client);
        tt_section_put_u32(w, atomic_load_explicit(&connection->channel, memory_order_relaxed));
    }
}

static void put_rows(const struct tt_message_lanes *messages, struct tt_section_writer *w)
{
    tt_section_put_u64(w, tt_column_count(&messages->rows));
    for (uint64_t i = 0; i < tt_column_count(&messages->rows); i++) {
        const struct tt_message_row *row = tt_column_at(&messages->rows, i);
        tt_section_put_u32(w, row->thread);
        tt_section_put_u32(w, row->async);
        tt_section_put_u32(w, atomic_load_explicit(&row->next, memory_order_acquire));
    }
}

void tt_messages_save(const struct tt_timelines *t, struct tt_section_writer *w)
{
    const struct tt_message_lanes *messages = &t->messages;
    put_connections(messages, w);
    put_rows(messages, w);
    tt_section_put_u64(w, tt_column_count(&messages->lanes));
    for (uint64_t i = 0; i < tt_column_count(&messages->lanes); i++) {
        const struct tt_message_lane *lane = tt_column_at(&messages->lanes, i);
        tt_section_put_u32(w, atomic_load_explicit(&lane->first, memory_order_acquire));
    }
    tt_section_put_u32(w, atomic_load_explicit(&messages->threadless.first, memory_order_acquire));
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool take_connections(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, sizeof(uint64_t) + 3 * sizeof(uint32_t));
    uint32_t processes = tt_process_count(t->capture);
    bool sound = count < STEP_NONE;
    for (uint64_t i = 0; sound && i < count; i++) {
        uint64_t id = tt_read_u64(r);
        uint32_t process = tt_read_u32(r), client = tt_read_u32(r), channel = tt_read_u32(r);
        sound = !r->failed && (process == TT_NO_THREAD || process < processes) &&
                (client == TT_NO_THREAD || client < processes) &&
                tt_message_connection_add(&t->messages, process, id);
        if (sound) {
            struct tt_connection *connection = tt_column_at(&t->messages.connections, i);
            connection->client = client;
            atomic_store_explicit(&connection->channel, channel, memory_order_relaxed);
        }
    }
    return sound && !r->failed;
}

/* Each row links to a later one: the links form no cycle. */
static bool take_rows(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, 4 * sizeof(uint32_t)); /* with its track */
    bool sound = count < STEP_NONE;
    for (uint64_t i = 0; sound && i < count; i++) {
        uint32_t thread = tt_read_u32(r), async = tt_read_u32(r), next = tt_read_u32(r);
        struct tt_message_row *row = tt_message_row_add(&t->messages, thread, async != 0, 0);
        sound = row && !r->failed &&
                (thread == TT_NO_THREAD || thread < tt_thread_count(t->capture)) &&
                (next == TT_NO_ROW || (next > i && next < count));
        if (sound) {
            atomic_store_explicit(&row->next, next, memory_order_relaxed);
        }
    }
    return sound && !r->failed;
}

static bool take_first(struct tt_timelines *t, struct tt_message_lane *lane, struct tt_reader *r)
{
    uint32_t first = tt_read_u32(r);
    atomic_store_explicit(&lane->first, first, memory_order_relaxed);
    return !r->failed && first <= tt_column_count(&t->messages.rows);
}

bool tt_messages_restore(struct tt_timelines *t, struct tt_reader *r)
{
    struct tt_message_lanes *messages = &t->messages;
    bool sound = take_connections(t, r) && take_rows(t, r);
    uint64_t lanes = sound ? tt_section_count(r, sizeof(uint32_t)) : 0;
    sound = sound && lanes <= tt_thread_count(t->capture);
    for (uint64_t i = 0; sound && i < lanes; i++) {
        struct tt_message_lane *lane = tt_column_next(&messages->lanes);
        sound = lane && tt_column_index_add(&messages->lane_at, lane, sizeof *lane) &&
                take_first(t, lane, r);
        if (lane) {
            tt_column_publish(&messages->lanes);
        }
    }
    return sound && take_first(t, &messages->threadless, r);
}

bool tt_messages_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                struct tt_track_store *tracks)
{
    bool sound = tt_track_restore_at(r, tracks, &t->messages.gaps);
    for (uint64_t i = 0; sound && i < tt_column_count(&t->messages.rows); i++) {
        struct tt_message_row *row = tt_column_at(&t->messages.rows, i);
        sound = tt_track_restore_at(r, tracks, &row->steps);
    }
    return sound;
}
