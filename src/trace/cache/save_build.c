/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/save_build.h"

#include <stdlib.h>
#include <string.h>

#include "trace/cache/save_lanes.h"
#include "trace/index/sort_actions.h"

struct saved_builder {
    uint64_t size; /* of the file */
    uint64_t pos;
    uint64_t block_pos;
    struct tt_key first;
    struct tt_key last;
    struct tt_key fed;
    uint32_t published;
    uint32_t derived;
    uint32_t actions;
    uint32_t zero;
};

_Static_assert(sizeof(struct tt_action) == 40, "actions are kept as they are held: no gaps");

/* ---- saving -------------------------------------------------------------------------------- */

bool tt_builder_can_save(const struct tt_builder *b)
{
    const struct tt_capture *c = b->index->capture;
    return tt_capture_can_save(c) && (!c->decoder || c->format->cache.save_cursor) &&
           b->publisher.feed.timelines && !b->publish_thread && b->publisher.holds_health &&
           !b->shrunk && !b->index->order.chaotic && !tt_builder_is_stale(b);
}

static void put_blob(struct tt_section_writer *w, const void *bytes, uint64_t size)
{
    tt_section_put_u64(w, size);
    tt_section_put(w, bytes, (size_t)size);
    tt_section_align(w);
}

static bool put_cursor(const struct tt_builder *b, struct tt_section_writer *w)
{
    const struct tt_format *format = b->index->capture->format;
    size_t size = format->cursor_save(b->cursor, NULL, 0);
    uint8_t *state = malloc(size ? size : 1);
    if (state) {
        size = format->cursor_save(b->cursor, state, size);
        put_blob(w, state, size);
        if (format->cache.save_cursor) {
            format->cache.save_cursor(b->cursor, w);
        }
        tt_section_align(w);
    }
    free(state);
    return state != NULL;
}

static void put_health(const struct tt_deferred_health *held, struct tt_section_writer *w)
{
    tt_section_put_u64(w, held->count);
    for (size_t i = 0; i < held->count; i++) {
        const struct tt_health_record *record = &held->records[i];
        tt_section_put_u64(w, record->offset);
        tt_section_put_u64(w, record->pos);
        tt_section_put_u64(w, record->value);
        tt_section_put_u32(w, record->kind);
        tt_section_put_text(w, record->detail);
    }
    tt_section_align(w);
    tt_section_put(w, held->more, sizeof held->more);
}

static void put_action(void *arg, const struct tt_action *timed)
{
    tt_section_put(arg, timed, sizeof *timed);
}

bool tt_builder_save(const struct tt_builder *b, struct tt_section_writer *w)
{
    /* While the current block has no events, publisher and survey still have the previous one. */
    const struct tt_publisher *p = &b->publisher;
    struct saved_builder saved = {.size = b->limit,
                                  .pos = tt_builder_pos(b),
                                  .block_pos = b->block_pos,
                                  .first = b->survey.first,
                                  .last = b->survey.last,
                                  .fed = p->feed.fed,
                                  .published = b->batch.count,
                                  .derived = b->batch.count > 0 ? p->derived : 0,
                                  .actions = b->batch.action_count};
    tt_section_put(w, &saved, sizeof saved);
    put_blob(w, b->blob, b->blob_size);
    bool good = put_cursor(b, w);
    put_health(&p->held, w);
    tt_section_put_u64(w, p->feed.reorder.count);
    tt_reorder_visit(&p->feed.reorder, put_action, w);
    return good && !tt_section_failed(w);
}

/* ---- restoring ----------------------------------------------------------------------------- */

uint64_t tt_builder_saved_size(struct tt_bytes section, uint64_t *read)
{
    struct saved_builder saved;
    if (section.size < sizeof saved) {
        return 0;
    }
    memcpy(&saved, section.data, sizeof saved);
    *read = saved.pos;
    return saved.pos <= saved.size ? saved.size : 0;
}

static struct tt_bytes take_blob(struct tt_reader *r)
{
    uint64_t size = tt_section_count(r, 1);
    const uint8_t *bytes = tt_read_span(r, size);
    tt_section_skip(r);
    return tt_bytes_of(bytes, bytes ? size : 0);
}

static bool take_cursor(struct tt_builder *b, struct tt_reader *r)
{
    const struct tt_format *format = b->index->capture->format;
    struct tt_bytes state = take_blob(r);
    if (r->failed) {
        return false;
    }
    format->cursor_load(b->cursor, state.data, (size_t)state.size);
    bool good = tt_builder_pos(b) == b->forgotten &&
                (!format->cache.restore_cursor || format->cache.restore_cursor(b->cursor, r));
    tt_section_skip(r);
    return good && !r->failed;
}

static bool take_health(struct tt_deferred_health *held, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, 3 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
    bool good = count <= TT_HEALTH_KEPT;
    for (uint64_t i = 0; good && i < count; i++) {
        struct tt_health_record record = {.offset = tt_read_u64(r)};
        record.pos = tt_read_u64(r);
        record.value = tt_read_u64(r);
        uint32_t kind = tt_read_u32(r);
        record.detail = tt_section_text(r);
        record.kind = (uint8_t)kind;
        good = !r->failed && kind < TT_HEALTH_COUNT && tt_deferred_health_add(held, &record);
    }
    tt_section_skip(r);
    const uint8_t *more = tt_read_span(r, sizeof held->more);
    if (more) {
        memcpy(held->more, more, sizeof held->more);
    }
    return good && more;
}

/* Returns whether the numbers of an action are those of the capture. */
static bool is_acceptable(const struct tt_capture *c, const struct tt_action *action)
{
    uint64_t kinds = tt_timelines_kinds();
    bool of_type = action->kind == TT_ACTION_NOTE ||
                   (action->kind >= TT_ACTION_SLICE_BEGIN && action->kind <= TT_ACTION_ASYNC_END);
    bool to_state = action->kind == TT_ACTION_STATE || action->kind == TT_ACTION_SWITCH;
    bool to_process = action->kind == TT_ACTION_MESSAGE_SEND || action->kind == TT_ACTION_POST;
    return action->kind < 64 && (kinds >> action->kind & 1) != 0 &&
           (!of_type || action->other < tt_types_count(c)) &&
           (!to_process || action->other == TT_NO_THREAD || action->other < tt_process_count(c)) &&
           (!to_state || action->state < c->format->state_count);
}

/* Refills the reorder buffer; no action may be before the last fed one. */
static bool take_held(struct tt_builder *b, struct tt_reader *r)
{
    struct tt_reorder *reorder = &b->publisher.feed.reorder;
    uint64_t count = tt_section_count(r, sizeof(struct tt_action));
    const uint8_t *saved = tt_read_span(r, count * sizeof(struct tt_action));
    struct tt_action *actions = saved ? tt_reorder_reserve(reorder, (size_t)count) : NULL;
    if (!actions) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        memcpy(&actions[i], saved + i * sizeof actions[i], sizeof actions[i]);
        struct tt_key key = {actions[i].ticks, actions[i].pos};
        if (!is_acceptable(b->index->capture, &actions[i]) ||
            tt_key_before(key, b->publisher.feed.fed)) {
            return false;
        }
    }
    for (size_t at = 0, end; at < count; at = end) {
        end = tt_stretch_end(actions, (size_t)count, at);
        if (!tt_reorder_take(reorder, end - at)) {
            return false;
        }
    }
    return true;
}

static bool take_blob_of_block(struct tt_builder *b, struct tt_reader *r)
{
    struct tt_bytes blob = take_blob(r);
    b->blob = malloc((size_t)blob.size + 1);
    if (!b->blob || r->failed) {
        return false;
    }
    if (blob.size > 0) {
        memcpy(b->blob, blob.data, (size_t)blob.size);
    }
    b->blob_capacity = (size_t)blob.size + 1;
    b->blob_size = (size_t)blob.size;
    return true;
}

struct again {
    const struct tt_format *format;
    struct tt_cursor *cursor;
    struct tt_batch *batch;
    uint64_t limit;
};

static void decode_again(void *arg)
{
    struct again *again = arg;
    again->format->decode(again->cursor, again->limit, true, again->batch);
}

/* Decodes the events of the open block so far; later records may add to the last one. */
static bool read_block_again(struct tt_builder *b)
{
    struct tt_capture *c = b->index->capture;
    struct tt_batch batch = {
        .events = b->batch.events, .capacity = b->batch.count, .byte_budget = TT_BLOCK_BYTES};
    if (b->batch.count == 0) {
        return true;
    }
    const struct tt_block *block =
        tt_column_at(&b->index->blocks, tt_column_count(&b->index->blocks) - 1);
    struct again again = {c->format, c->format->cursor_new(c, false), &batch, c->bytes.size};
    if (!again.cursor) {
        return false;
    }
    c->format->cursor_load(again.cursor, block->blob, block->blob_size);
    bool read = tt_sigbus_guard(decode_again, &again) && batch.count == b->batch.count;
    tt_cursor_free(c->format, again.cursor);
    return read;
}

static bool take_numbers(struct tt_builder *b, struct tt_reader *r)
{
    struct saved_builder saved;
    const uint8_t *bytes = tt_read_span(r, sizeof saved);
    uint64_t blocks = tt_column_count(&b->index->blocks);
    if (!bytes) {
        return false;
    }
    memcpy(&saved, bytes, sizeof saved);
    const struct tt_block *last = blocks > 0 ? tt_column_at(&b->index->blocks, blocks - 1) : NULL;
    bool is_of_last =
        saved.published == 0 || (last && saved.published == last->count &&
                                 saved.derived == last->derived && saved.block_pos == last->pos);
    if (!is_of_last || saved.published > TT_BLOCK_EVENTS || saved.actions > TT_BLOCK_ACTIONS ||
        saved.block_pos > saved.pos || saved.pos - saved.block_pos > TT_BLOCK_BYTES ||
        saved.pos > b->index->capture->bytes.size) {
        return false;
    }
    b->block_pos = saved.block_pos;
    b->forgotten = saved.pos;
    b->batch.count = b->events_out = saved.published;
    b->batch.action_count = b->actions_out = saved.actions;
    b->survey.first = saved.first;
    b->survey.last = saved.last;
    b->publisher.feed.fed = saved.fed;
    b->publisher.published = saved.published;
    b->publisher.derived = saved.derived;
    b->open = true;
    return true;
}

bool tt_builder_resume(struct tt_builder *b, struct tt_timelines *t, struct tt_reader *r)
{
    b->publisher.feed.timelines = t;
    return take_numbers(b, r) && take_blob_of_block(b, r) && take_cursor(b, r) &&
           take_health(&b->publisher.held, r) && take_held(b, r) && r->pos == r->bytes.size &&
           tt_survey_resume_counts(&b->survey) && read_block_again(b);
}
