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
#include "trace/trace_internal.h"

static void drop_capture(struct tt_trace *trace)
{
    tt_capture_free(trace->capture);
    trace->capture = NULL;
}

/* Opens the capture with the bytes that have arrived. Returns false if they do not suffice. */
static bool open_arriving(struct tt_trace *trace, bool *needs_all)
{
    struct tt_status status = tt_trace_open_capture(trace, &trace->capture);
    *needs_all = !tt_failed(&status) && tt_format_has(trace->capture->format, TT_FORMAT_SNAPSHOT);
    if (tt_failed(&status) || *needs_all) {
        drop_capture(trace);
        return false;
    }
    trace->early.is_early = true;
    trace->early.facts = tt_facts_count(trace->capture);
    trace->early.health = tt_health_kept(trace->capture);
    trace->early.cpus = trace->capture->cpu_count;
    return true;
}

/* Returns how many bytes to wait for if opening failed with `size` bytes. */
static uint64_t next_size(uint64_t size, uint64_t early)
{
    return size >= early ? UINT64_MAX : 2 * size + 1;
}

struct tt_status tt_trace_open_early(struct tt_trace *trace)
{
    const struct tt_map_options *options = &trace->options.map;
    struct tt_status status = tt_ok();
    while (tt_map_is_arriving(trace->map)) {
        const uint64_t size = tt_map_bytes(trace->map).size;
        bool needs_all;
        if (open_arriving(trace, &needs_all)) {
            return tt_ok();
        }
        status = tt_map_receive_up_to(trace->map,
                                      needs_all ? UINT64_MAX : next_size(size, options->early),
                                      trace->path, options);
        if (tt_failed(&status)) {
            return status;
        }
    }
    status = tt_map_receive_up_to(trace->map, UINT64_MAX, trace->path, options);
    return tt_failed(&status) ? status : tt_trace_open_capture(trace, &trace->capture);
}

static bool same_health(const struct tt_capture *a, const struct tt_capture *b, uint32_t count)
{
    if (tt_health_kept(b) != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct tt_health_record x = tt_health_at(a, i), y = tt_health_at(b, i);
        if (x.kind != y.kind || x.offset != y.offset || x.pos != y.pos || x.value != y.value ||
            x.detail != y.detail) {
            return false;
        }
    }
    return true;
}

/* Returns whether `a`, opened and indexed as its bytes arrived, is what it is in complete bytes. */
static bool is_same(const struct tt_capture *a, const struct tt_early_opening *early,
                    const struct tt_capture *b)
{
    return !a->guessed && early->cpus == b->cpu_count && same_health(a, b, early->health) &&
           tt_follow_same_opening(a, early->facts, b);
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
