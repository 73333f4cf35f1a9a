/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring the index. */
#include "trace/cache/save_index.h"

#include <stdlib.h>
#include <string.h>

#include "trace/cache/save_timeline.h"
#include "trace/track/track_store.h"

/* A block in the file; its decoder state follows those of the blocks before it. */
struct saved_block {
    uint64_t pos;
    uint32_t blob_size;
    uint32_t count;
    uint32_t derived;
    uint32_t zero;
};

void tt_index_save(struct tt_index *index, struct tt_section_writer *writer)
{
    pthread_mutex_lock(&index->lock);
    struct tt_progress progress = index->progress;
    pthread_mutex_unlock(&index->lock);

    /*
     * ---- saving --------------------------------------------------------------------------------
     */
    tt_section_put_u64(writer, progress.bytes_total);
    tt_section_put_u64(writer, progress.events);
    tt_section_put_u64(writer, progress.derived);
    tt_section_put_u64(writer, progress.records);
    tt_section_put_u64(writer, progress.first_ticks);
    tt_section_put_u64(writer, progress.last_ticks);

    uint64_t types = tt_column_count(&index->type_counts);
    tt_section_put_u64(writer, types);
    for (uint64_t type = 0; type < types; type++) {
        _Atomic uint64_t *count = tt_column_at(&index->type_counts, type);
        tt_section_put_u64(writer, atomic_load_explicit(count, memory_order_relaxed));
    }

    const struct tt_runs *order = &index->order;
    tt_section_put_u64(writer, order->run_count);
    for (size_t i = 0; i < order->run_count; i++) {
        const struct tt_run *run = &order->runs[i];
        tt_section_put_u64(writer, run->count);
        tt_section_put(writer, run->ranges, run->count * sizeof *run->ranges);
    }
    /* no lock: a finished index does not change */
    uint64_t blocks = tt_column_count(&index->blocks);
    tt_section_put_u64(writer, blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        const struct tt_block *block = tt_column_at(&index->blocks, i);
        struct saved_block saved = {block->pos, block->blob_size, block->count, block->derived, 0};
        tt_section_put(writer, &saved, sizeof saved);
    }
    for (uint64_t i = 0; i < blocks; i++) {
        const struct tt_block *block = tt_column_at(&index->blocks, i);
        tt_section_put(writer, block->blob, block->blob_size);
        tt_section_align(writer);
    }
}

/* ---- restoring ------------------------------------------------------------------------------ */

static void restore_progress(struct tt_index *index, struct tt_reader *reader)
{
    struct tt_progress *progress = &index->progress;
    progress->bytes_total = tt_read_u64(reader);
    progress->bytes_done = progress->bytes_total;
    progress->events = tt_read_u64(reader);
    progress->derived = tt_read_u64(reader);
    progress->records = tt_read_u64(reader);
    progress->first_ticks = tt_read_u64(reader);
    progress->last_ticks = tt_read_u64(reader);
}

static bool restore_counts(struct tt_index *index, struct tt_reader *reader)
{
    uint64_t types = tt_section_count(reader, sizeof(uint64_t));
    for (uint64_t type = 0; type < types; type++) {
        _Atomic uint64_t *count = tt_column_next(&index->type_counts);
        if (!count) {
            return false;
        }
        atomic_store_explicit(count, tt_read_u64(reader), memory_order_relaxed);
        tt_column_publish(&index->type_counts);
    }
    return !reader->failed;
}

/* Returns whether the ranges ascend without overlap, which every search in a run relies on. */
static bool is_run(const struct tt_run *run)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct tt_block_range *range = &run->ranges[i];
        if (range->rows_before != rows || range->rows == 0 || range->rows > TT_BLOCK_EVENTS ||
            range->sum != 0 || tt_key_before(range->last, range->first) ||
            (i > 0 && !tt_key_before(run->ranges[i - 1].last, range->first))) {
            return false;
        }
        rows += range->rows;
    }
    return run->count > 0;
}

/* Uses the mapped ranges: no block is added to the order of a complete file. */
static bool restore_order(struct tt_runs *order, struct tt_reader *reader)
{
    uint64_t runs = tt_section_count(reader, sizeof(uint64_t) + sizeof(struct tt_block_range));
    if (reader->failed || runs > TT_RUNS_MAX) {
        return false;
    }
    order->runs = calloc(runs ? (size_t)runs : 1, sizeof *order->runs);
    if (!order->runs) {
        return false;
    }
    order->run_capacity = (size_t)runs;
    for (; order->run_count < runs; order->run_count++) {
        struct tt_run *run = &order->runs[order->run_count];
        uint64_t count = tt_section_count(reader, sizeof *run->ranges);
        run->ranges = (void *)(uintptr_t)tt_section_read(reader, count * sizeof *run->ranges);
        run->count = (size_t)count;
        if (reader->failed || !is_run(run)) {
            return false;
        }
        order->rows += tt_run_rows(run, run->count);
    }
    return true;
}

static bool restore_block(struct tt_index *index, const struct saved_block *saved,
                          struct tt_reader *blobs)
{
    struct tt_block *block = tt_column_next(&index->blocks);
    const uint8_t *blob = tt_section_read(blobs, ((uint64_t)saved->blob_size + 7) / 8 * 8);
    if (!block || !blob || saved->count > TT_BLOCK_EVENTS || saved->derived > saved->count) {
        return false;
    }
    block->pos = saved->pos;
    block->blob = blob;
    block->blob_size = saved->blob_size;
    atomic_init(&block->count, saved->count);
    atomic_init(&block->derived, saved->derived);
    tt_column_publish(&index->blocks);
    return true;
}

static bool restore_blocks(struct tt_index *index, struct tt_reader *reader)
{
    uint64_t count = tt_section_count(reader, sizeof(struct saved_block));
    const struct saved_block *saved = tt_section_read(reader, count * sizeof *saved);
    if (reader->failed || count > UINT32_MAX) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!restore_block(index, &saved[i], reader) ||
            (i > 0 && saved[i].pos < saved[i - 1].pos)) {
            return false;
        }
    }
    return true;
}

/* Returns whether the order has every block exactly once, with all of its events. */
static bool is_every_block_listed(const struct tt_index *index)
{
    uint64_t listed = 0, count = tt_column_count(&index->blocks);
    for (size_t i = 0; i < index->order.run_count; i++) {
        const struct tt_run *run = &index->order.runs[i];
        for (size_t k = 0; k < run->count; k++) {
            const struct tt_block_range *range = &run->ranges[k];
            struct tt_block *block =
                range->block < count ? tt_column_at(&index->blocks, range->block) : NULL;
            if (!block || block->listed != 0 || block->count != range->rows) {
                return false;
            }
            block->listed = range->rows;
            listed++;
        }
    }
    return listed == count;
}

bool tt_index_restore(struct tt_index *index, struct tt_reader *reader)
{
    index->restore_timelines = tt_index_restore_timelines;
    restore_progress(index, reader);
    if (!restore_counts(index, reader) || !restore_order(&index->order, reader) ||
        !restore_blocks(index, reader) || !is_every_block_listed(index)) {
        return false;
    }
    struct tt_progress *progress = &index->progress;
    progress->runs = (uint32_t)index->order.run_count;
    return progress->bytes_total == index->capture->bytes.size &&
           index->order.rows == progress->events + progress->derived &&
           progress->first_ticks <= progress->last_ticks;
}

bool tt_index_restore_timelines(struct tt_index *index)
{
    struct tt_section *timelines = &index->cached->sections[TT_SECTION_TIMELINES];
    const struct tt_section *tracks = &index->cached->sections[TT_SECTION_TRACKS];
    bool sound = index->cached_check ? tt_section_check_end(index->cached_check)
                                     : tt_section_is_valid(tracks);
    if (!tracks->bytes.data || !sound || !tt_section_open(timelines)) {
        return false;
    }
    struct tt_timelines *t = tt_timelines_restore(index->capture, timelines, tracks);
    if (t) {
        t->gone = index->cached_gone;
        if (index->cached_gone) {
            tt_track_store_release(t->store);
        }
    }
    atomic_store_explicit(&index->timelines, t, memory_order_release);
    return t != NULL;
}
