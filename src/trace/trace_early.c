/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures that are opened and indexed while a pipe or the decompression still delivers their bytes.
 *
 *      bytes   |## first ##|.... arrive ....................|
 *              open         index as they arrive             open again and compare
 *
 * The results are those of the complete bytes. Opening reads the beginning of a capture, usually far
 * less than has arrived by then; but a header may say otherwise, and a compressed file may turn out to
 * be damaged. The capture is therefore opened again at the end, for less than a millisecond. If the
 * second opening finds anything else, the capture is indexed again; by its owner, in a trace of its own,
 * if other threads read this one.
 */
#include "base/clock.h"
#include "trace/trace_internal.h"

#define HEADER_MOST (UINT64_C(4) << 20) /* no format needs more bytes to be recognised */

/* Waits for more than `size` bytes, with which the capture cannot be opened. `all`: no fewer than all suffice. */
static struct tt_status await_more(struct tt_trace *trace, uint64_t size, bool all)
{
    const struct tt_map_options *options = &trace->options.map;
    const bool is_remote = tt_map_arrival(trace->map).host != NULL;
    const struct tt_map_watch *watch =
        is_remote || options->kinds == TT_MAP_ANY ? options->watch : NULL;
    if (!options->follow) {
        const uint64_t next = all || size >= options->early ? UINT64_MAX : 2 * size + 1;
        tt_map_wait(trace->map, next, UINT64_MAX, watch, trace->path);
        return tt_ok();
    }
    const uint64_t deadline = options->deadline_ms, now = tt_now_ms();
    const uint64_t left = deadline == 0 ? UINT64_MAX : now < deadline ? deadline - now : 0;
    tt_map_wait(trace->map, size + 1, left, NULL, NULL);
    const bool late = deadline != 0 && tt_now_ms() >= deadline;
    return late && tt_map_file_size(trace->map) <= size
               ? tt_error(TT_ERR_IO, "the input ended before a capture was recognized")
               : tt_ok();
}

struct tt_status tt_trace_open_arriving(struct tt_trace *trace)
{
    const bool follows = trace->options.map.follow;
    struct tt_status status = tt_ok();
    while (!tt_failed(&status)) {
        /* Read before the bytes are mapped, which are all if no more come. */
        const struct tt_arrival arrival = tt_map_arrival(trace->map);
        bool grown;
        status = tt_map_grow(trace->map, &grown);
        if (tt_failed(&status) || (!follows && tt_failed(&arrival.status))) {
            return tt_failed(&status) ? status : arrival.status;
        }
        const uint64_t size = tt_map_bytes(trace->map).size;
        status = tt_trace_open_capture(trace, &trace->capture);
        if (!arrival.more || status.code == TT_ERR_MEMORY || (follows && size >= HEADER_MOST)) {
            return tt_failed(&status) && tt_failed(&arrival.status) ? arrival.status : status;
        }
        const bool needs_all =
            !tt_failed(&status) && !follows && tt_capture_is_snapshot(trace->capture);
        if (!tt_failed(&status) && !needs_all) {
            if (!follows) {
                /* Notes what opening the first bytes has found. */
                trace->early.is_early = true;
                trace->early.facts = tt_facts_count(trace->capture);
                trace->early.health = tt_health_kept(trace->capture);
                trace->early.cpus = trace->capture->cpu_count;
            }
            return status;
        }
        tt_capture_free(trace->capture);
        trace->capture = NULL;
        status = await_more(trace, size, needs_all);
    }
    return status;
}

static bool same_health(const struct tt_capture *left, const struct tt_capture *right,
                        uint32_t count)
{
    if (tt_health_kept(right) != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct tt_health_record x = tt_health_at(left, i), y = tt_health_at(right, i);
        if (x.kind != y.kind || x.offset != y.offset || x.pos != y.pos || x.value != y.value ||
            x.detail != y.detail) {
            return false;
        }
    }
    return true;
}

/* Returns whether `left`, opened and indexed as its bytes arrived, is what it is in complete bytes. */
static bool is_same(const struct tt_capture *left, const struct tt_early_opening *early,
                    const struct tt_capture *right)
{
    return !left->guessed && early->cpus == right->cpu_count &&
           same_health(left, right, early->health) &&
           tt_follow_same_opening(left, early->facts, right);
}

/*
 * Opens the capture again, when all of it has arrived. *whole is NULL if it is what its first bytes were;
 * otherwise the caller frees it.
 */
static struct tt_status open_whole(const struct tt_trace *trace, struct tt_capture **whole)
{
    struct tt_status status = tt_trace_open_capture(trace, whole);
    if (tt_failed(&status) || is_same(trace->capture, &trace->early, *whole)) {
        tt_capture_free(*whole);
        *whole = NULL;
    }
    return status;
}

/* Replaces the capture and its index by those of the complete bytes. */
static struct tt_status index_again(struct tt_trace *trace, struct tt_capture *whole)
{
    tt_index_free(&trace->index);
    trace->has_index = false;
    tt_capture_free(trace->capture);
    trace->capture = whole;
    struct tt_status status = tt_trace_make_index(trace);
    return tt_failed(&status) ? status : tt_index_run(&trace->index);
}

/* Indexes the capture as it arrives; *whole as of open_whole. The index is not marked as finished. */
static struct tt_status index_arriving(struct tt_trace *trace, struct tt_capture **whole)
{
    *whole = NULL;
    trace->index.receives = true;
    struct tt_status status = tt_index_make(&trace->index);
    return tt_failed(&status) ? status : open_whole(trace, whole);
}

struct tt_status tt_trace_index_early(struct tt_trace *trace)
{
    struct tt_capture *whole;
    struct tt_status status = index_arriving(trace, &whole);
    if (whole) {
        return index_again(trace, whole);
    }
    tt_index_finish(&trace->index, status);
    return status;
}

struct tt_status tt_trace_index_arriving(struct tt_trace *trace)
{
    struct tt_capture *whole;
    struct tt_status status = index_arriving(trace, &whole);
    atomic_store(&trace->early.outdated, whole != NULL);
    tt_capture_free(whole);
    tt_index_finish(&trace->index, status);
    return status;
}
