/* SPDX-License-Identifier: Apache-2.0 */
/* baseline: measures the window of a capture, then each of its blocks, as sheets of `stats`. */
#include "compare/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "compare/baseline_internal.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define STEP_WORK 20000u /* intervals or events of one step of a sheet */
#define RAW_ROWS  1000u  /* of one step */

struct tt_baseline_work {
    struct tt_baseline_request request;
    uint64_t from, to; /* the window inside the capture, in ticks */
    uint64_t block_ticks;
    struct tt_table_run sheet;
    bool sheet_begun;
    uint32_t next;               /* 0: the whole window; block next - 1 */
    struct tt_event_stats *walk; /* over the events of the blocks so far */
    struct tt_arena values;
};

/* ---- windows ------------------------------------------------------------------------------ */

/* Sets the part of a range inside the capture, in ticks. */
static void baseline_clip(const struct tt_timelines *timelines, const struct tt_key_range *keys,
                          uint64_t *from, uint64_t *to)
{
    uint64_t begin = timelines ? tt_timelines_begin(timelines) : 0,
             end = timelines ? tt_timelines_end(timelines) : 0;
    *from = keys->from_ticks > begin ? keys->from_ticks : begin;
    *to = keys->to_ticks < end ? keys->to_ticks : end;
    *to = *to > *from ? *to : *from;
}

static uint64_t to_units(uint64_t ticks, uint64_t hz)
{
    int64_t ns;
    return hz == 0 ? ticks : tt_ticks_to_ns(ticks, hz, &ns) ? (uint64_t)ns : 0;
}

uint64_t tt_baseline_window(struct tt_trace *trace, const struct tt_key_range *keys)
{
    uint64_t from, to;
    baseline_clip(tt_trace_timelines(trace), keys, &from, &to);
    return to_units(to - from, tt_trace_capture(trace)->clock_hz);
}

/* Returns the begin of a block: blocks are next to each other, or spread evenly over the window. */
static uint64_t block_begin(const struct tt_baseline *baseline, const struct tt_baseline_work *work,
                            uint32_t block)
{
    uint64_t offset = 0;
    uint64_t room = work->to - work->from - work->block_ticks;
    if (baseline->block_count > 1 && baseline->block_count == work->request.block_most) {
        tt_mul_div(room, block, baseline->block_count - 1, &offset);
    } else {
        offset = work->block_ticks * block;
    }
    return work->from + offset;
}

uint64_t tt_baseline_block_begin(const struct tt_baseline *baseline, uint32_t block)
{
    return baseline->work && block < baseline->block_count
               ? block_begin(baseline, baseline->work, block)
               : TT_BASELINE_NONE;
}

/* ---- rows --------------------------------------------------------------------------------- */

size_t tt_baseline_find(const struct tt_baseline *baseline, const char *key, size_t length)
{
    struct tt_probe probe;
    uint64_t hash = tt_hash_of(key, length);
    for (uint32_t n = tt_hash_first(&baseline->names->by_key, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&baseline->names->by_key, &probe)) {
        if (strlen(baseline->rows[n].key) == length &&
            memcmp(baseline->rows[n].key, key, length) == 0) {
            return n;
        }
    }
    return SIZE_MAX;
}

struct tt_baseline_row *tt_baseline_add_row(struct tt_baseline *baseline, const char *key,
                                            size_t length)
{
    struct tt_baseline_row *room =
        baseline->count < UINT32_MAX - 1
            ? tt_array_grow(baseline->rows, baseline->count, &baseline->capacity, sizeof *room)
            : NULL;
    if (!room) {
        return NULL;
    }
    baseline->rows = room;
    struct tt_baseline_row *row = &baseline->rows[baseline->count];
    memset(row, 0, sizeof *row);
    row->thread = TT_NO_THREAD;
    row->key = tt_arena_text(&baseline->names->texts, key, length);
    if (!row->key || !tt_hash_add(&baseline->names->by_key, tt_hash_of(key, length),
                                  (uint32_t)baseline->count)) {
        return NULL;
    }
    baseline->count++;
    return row;
}

/* Gives a new row its values: none for the whole window, and those of an absent row for each block. */
static bool give_values(struct tt_baseline *baseline, struct tt_baseline_row *row)
{
    struct tt_arena *arena = &baseline->work->values;
    size_t count = baseline->measure_count, blocks = count * baseline->block_count;
    row->values = tt_arena_words(arena, 2 * count * sizeof *row->values);
    if (!row->values) {
        return false;
    }
    row->places = row->values + count;
    for (size_t i = 0; i < 2 * count; i++) {
        row->values[i] = TT_BASELINE_NONE;
    }
    if (baseline->block_count == 0 || baseline->count > TT_BASELINE_DETAILED) {
        return true;
    }
    row->blocks = tt_arena_words(arena, blocks * sizeof *row->blocks);
    for (size_t i = 0; row->blocks && i < blocks; i++) {
        row->blocks[i] = tt_baseline_is_sum(&baseline->measures[i / baseline->block_count])
                             ? 0
                             : TT_BASELINE_NONE;
    }
    return row->blocks != NULL;
}

/* Merges a row of the sheet into that of its key: the values of the whole window, or of a block. */
static bool baseline_add_row(struct tt_baseline *baseline, const void *from)
{
    const struct tt_baseline_work *work = baseline->work;
    char buffer[4096];
    struct tt_text key = tt_text_of(buffer, sizeof buffer);
    if (tt_table_is_idle(work->sheet.table, from)) {
        return true; /* its time is the rest of the window */
    }
    tt_baseline_put_key(&key, baseline->names, &work->sheet, from);
    size_t found = tt_baseline_find(baseline, key.buffer, key.used);
    struct tt_baseline_row *row = found != SIZE_MAX ? &baseline->rows[found] : NULL;
    if (!row && work->next == 0) {
        row = tt_baseline_add_row(baseline, key.buffer, key.used);
        if (!row || !tt_baseline_name_row(baseline, row, &work->sheet, from) ||
            !give_values(baseline, row)) {
            return false;
        }
    }
    for (uint32_t i = 0; row && (work->next == 0 || row->blocks) && i < baseline->measure_count;
         i++) {
        const struct tt_baseline_measure *measure = &baseline->measures[i];
        uint64_t value = tt_baseline_value(measure, &work->sheet, from);
        uint64_t *to = work->next == 0
                           ? &row->values[i]
                           : &row->blocks[(size_t)i * baseline->block_count + work->next - 1];
        if (*to == TT_BASELINE_NONE) {
            *to = value;
        } else if (tt_baseline_is_sum(measure) && value != TT_BASELINE_NONE) {
            *to = *to < UINT64_MAX - value ? *to + value : TT_BASELINE_NONE;
        }
        if (work->next == 0 && row->places[i] == TT_BASELINE_NONE) {
            row->places[i] = tt_baseline_place(measure, from);
        }
    }
    return true;
}

/* Continues the sheet, and merges its rows of one name: those of a complete sheet, or some raw rows. */
static struct tt_status baseline_add_rows(struct tt_baseline *baseline)
{
    struct tt_table_run *run = &baseline->work->sheet;
    struct tt_status status = tt_ok();
    struct tt_table_row row;
    bool ok = true;
    if (baseline->table->next) {
        for (unsigned i = 0; i < RAW_ROWS && ok && tt_table_next(run, &row, &status); i++) {
            ok = baseline_add_row(baseline, &row);
        }
        return ok ? status : tt_error_memory();
    }
    status = tt_table_step(run, STEP_WORK);
    for (size_t i = 0; !tt_failed(&status) && run->complete && ok && i < run->count; i++) {
        tt_table_row_at(run, i, &row);
        ok = baseline_add_row(baseline, &row);
    }
    return ok ? status : tt_error_memory();
}

struct tt_status tt_baseline_step(struct tt_baseline *baseline, uint64_t deadline_ns,
                                  bool *complete)
{
    struct tt_baseline_work *work = baseline->work;
    struct tt_status status = tt_ok();
    do {
        *complete = work->next > baseline->block_count;
        if (!*complete && !work->sheet_begun) {
            /*
             * ---- steps
             * --------------------------------------------------------------------------------
             */

            struct tt_key_range keys = work->request.keys;
            struct tt_table_request request = {.table = baseline->table,
                                               .trace = work->request.trace,
                                               .events = work->request.events,
                                               .job_ends = work->request.job_ends,
                                               .walk = &work->walk,
                                               .without_ready_by = true};
            if (work->next > 0) {
                keys.from_ticks = block_begin(baseline, work, work->next - 1);
                keys.to_ticks = keys.from_ticks + work->block_ticks;
                keys.from_pos = keys.to_pos = 0;
            }
            tt_table_request_range(&request, &keys);
            work->sheet_begun = true;
            status = tt_table_begin(&work->sheet, &request);
        }
        if (!*complete && !tt_failed(&status)) {
            status = baseline_add_rows(baseline);
        }
        if (!*complete && !tt_failed(&status) && work->sheet.complete) {
            baseline->shrunk |= work->sheet.shrunk;
            tt_table_free(&work->sheet);
            work->sheet_begun = false;
            *complete = ++work->next > baseline->block_count;
        }
    } while (!tt_failed(&status) && !*complete && tt_now_ns() < deadline_ns);
    return status;
}

unsigned tt_baseline_percent(const struct tt_baseline *baseline)
{
    const struct tt_baseline_work *work = baseline->work;
    uint32_t all = baseline->block_count + 1;
    return work ? (unsigned)(UINT64_C(100) * (work->next < all ? work->next : all) / all) : 100;
}

struct tt_status tt_baseline_begin(struct tt_baseline **baseline,
                                   const struct tt_baseline_request *request)
{
    struct tt_trace *trace = request->trace;
    struct tt_baseline *b = *baseline = calloc(1, sizeof *b);
    if (!b) {
        return tt_error_memory();
    }
    b->table = request->table;
    b->format = tt_trace_capture(trace)->format->name;
    b->work = calloc(1, sizeof *b->work);
    b->names = calloc(1, sizeof *b->names);
    if (!b->work || !b->names) {
        return tt_error_memory();
    }
    b->work->request = *request;

    /* Sets the window and its blocks. */
    struct tt_baseline_work *work = b->work;
    uint64_t hz = tt_trace_capture(work->request.trace)->clock_hz;
    baseline_clip(tt_trace_timelines(work->request.trace), &work->request.keys, &work->from,
                  &work->to);
    b->has_clock = hz != 0;
    b->window = to_units(work->to - work->from, hz);
    b->block = work->block_ticks = work->request.block;
    if (hz != 0 && !tt_ns_to_ticks(b->block, hz, &work->block_ticks)) {
        work->block_ticks = 0;
    }
    uint64_t count = work->block_ticks > 0 ? (work->to - work->from) / work->block_ticks : 0;
    b->block_count = count < work->request.block_most ? (uint32_t)count : work->request.block_most;

    if (!tt_baseline_set_measures(b, request->table, request->extra)) {
        return tt_error(TT_ERR_USAGE, "the table cannot be compared");
    }
    return tt_baseline_make_names(b->names, tt_trace_capture(trace), tt_trace_timelines(trace))
               ? tt_ok()
               : tt_error_memory();
}

void tt_baseline_free(struct tt_baseline *baseline)
{
    if (!baseline) {
        return;
    }
    if (baseline->work) {
        if (baseline->work->sheet_begun) {
            tt_table_free(&baseline->work->sheet);
        }
        tt_event_stats_free(baseline->work->walk);
        tt_arena_free(&baseline->work->values);
        free(baseline->work);
    }
    if (baseline->names) {
        tt_baseline_free_names(baseline->names);
        free(baseline->names);
    }
    free(baseline->rows);
    free(baseline);
}
