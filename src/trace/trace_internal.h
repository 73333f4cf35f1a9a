/* SPDX-License-Identifier: Apache-2.0 */
/* trace_internal: the parts of a trace, for the files of this directory. */
#ifndef TT_TRACE_INTERNAL_H
#define TT_TRACE_INTERNAL_H

#include "trace/cache/cache.h"
#include "trace/follow/follow.h"
#include "trace/index/index.h"
#include "trace/symbol_names.h"
#include "tracetui/trace.h"

/* Results of opening the capture, when not all of its bytes had arrived. */
struct tt_early_opening {
    bool is_early;         /* more bytes were to come */
    _Atomic bool outdated; /* the complete bytes are another capture (tt_trace_is_outdated) */
    uint32_t facts;
    uint32_t health;
    uint32_t cpus;
};

struct tt_trace {
    char *path;
    struct tt_trace_options options;
    struct tt_found found; /* with options.find */
    struct tt_map *map;
    struct tt_capture *capture;
    struct tt_early_opening early;
    struct tt_index index;
    struct tt_follow *follow; /* NULL: not followed */
    bool has_index;
    struct tt_cache cache;
    struct tt_programs *programs; /* NULL: none */
};

/* Opens the capture in trace->map (trace.c). The caller frees *capture, also after an error. */
struct tt_status tt_trace_open_capture(const struct tt_trace *trace, struct tt_capture **capture);
/* Creates the index of trace->capture. */
struct tt_status tt_trace_make_index(struct tt_trace *trace);

/* ---- trace_early.c ---------------------------------------------------------------------------- */

/*
 * Opens the capture of trace->map, of which more bytes may come, when there are enough. A followed pipe cannot be
 * opened again: its first bytes are waited for until they are recognized, or until the deadline.
 */
struct tt_status tt_trace_open_arriving(struct tt_trace *trace);
/* Indexes the capture as it arrives; again from the start if it was not what its first bytes were. */
struct tt_status tt_trace_index_early(struct tt_trace *trace);
/* Indexes it as it arrives, while others read it; sets `outdated` if it was not what its first bytes were. */
struct tt_status tt_trace_index_arriving(struct tt_trace *trace);

#endif
