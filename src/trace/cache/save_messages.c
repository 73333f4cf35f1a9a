/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring messages. */
#include <string.h>

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

/* ---- what the builder alone uses ------------------------------------------------------------ */

void tt_messages_save_builder(const struct tt_timelines *t, struct tt_section_writer *w)
{
    const struct tt_message_lanes *messages = &t->messages;
    for (uint64_t i = 0; i < tt_column_count(&messages->lanes); i++) {
        const struct tt_message_lane *lane = tt_column_at(&messages->lanes, i);
        tt_section_put_u32(w, lane->waiting);
        tt_section_put_u32(w, lane->channel);
        tt_section_put_u32(w, (uint32_t)lane->error << 16 | lane->losses);
    }
    for (uint64_t i = 0; i < tt_column_count(&messages->connections); i++) {
        const struct tt_connection *connection = tt_column_at(&messages->connections, i);
        tt_section_put_u32(w, connection->counted);
    }
    tt_section_put_u32(w, messages->gap_max);
    tt_section_put_u32(w, messages->losses);
    tt_section_put_u32(w, messages->posted);
    tt_section_put_u32(w, messages->posted_process);
    tt_section_put_u32(w, messages->posted_cpu);
    tt_section_put(w, messages->known, sizeof messages->known);
}

/* Restores the row in which a thread waits for its answers: one of its own. */
static bool take_waiting(const struct tt_timelines *t, struct tt_message_lane *lane,
                         uint32_t thread, uint32_t waiting)
{
    const struct tt_column *rows = &t->messages.rows;
    lane->waiting = waiting;
    if (waiting > tt_column_count(rows)) {
        return false;
    }
    const struct tt_message_row *row = waiting > 0 ? tt_column_at(rows, waiting - 1) : NULL;
    return !row || (row->thread == thread && !row->async);
}

/* Restores the ids used last. Each row refers to the entry that refers to it. */
static bool take_known(struct tt_message_lanes *messages, struct tt_reader *r)
{
    const uint8_t *bytes = tt_read_span(r, sizeof messages->known);
    if (!bytes) {
        return false;
    }
    memcpy(messages->known, bytes, sizeof messages->known);
    uint64_t rows = tt_column_count(&messages->rows), slots = 0;
    for (uint32_t i = 0; i < TT_KNOWN_IDS; i++) {
        const struct tt_known_id *known = &messages->known[i];
        bool sound = known->key == 0 || known->connection < tt_column_count(&messages->connections);
        if (!sound || known->row > rows || (known->row != 0 && known->key == 0)) {
            return false;
        }
        const struct tt_message_row *row =
            known->row != 0 ? tt_column_at(&messages->rows, known->row - 1) : NULL;
        if (row && row->slot != i + 1) {
            return false;
        }
        slots += row != NULL;
    }
    for (uint64_t i = 0; i < rows; i++) {
        slots -= ((const struct tt_message_row *)tt_column_at(&messages->rows, i))->slot != 0;
    }
    return slots == 0;
}

bool tt_messages_restore_builder(struct tt_timelines *t, struct tt_reader *r)
{
    struct tt_message_lanes *messages = &t->messages;
    bool sound = true;
    for (uint64_t i = 0; sound && i < tt_column_count(&messages->lanes); i++) {
        struct tt_message_lane *lane = tt_column_at(&messages->lanes, i);
        sound = take_waiting(t, lane, (uint32_t)i, tt_read_u32(r));
        lane->channel = tt_read_u32(r);
        uint32_t noted = tt_read_u32(r);
        lane->error = (uint16_t)(noted >> 16);
        lane->losses = (uint16_t)noted;
    }
    for (uint64_t i = 0; sound && i < tt_column_count(&messages->connections); i++) {
        struct tt_connection *connection = tt_column_at(&messages->connections, i);
        connection->counted = tt_read_u32(r);
    }
    messages->gap_max = tt_read_u32(r);
    messages->losses = (uint16_t)tt_read_u32(r);
    messages->posted = tt_read_u32(r);
    messages->posted_process = tt_read_u32(r);
    messages->posted_cpu = (uint16_t)tt_read_u32(r);
    return sound && !r->failed && messages->posted <= tt_column_count(&messages->rows) &&
           take_known(messages, r);
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
