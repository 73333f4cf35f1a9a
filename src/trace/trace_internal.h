/* SPDX-License-Identifier: Apache-2.0 */
/* trace_internal: the parts of a trace, for the files of this directory. */
#ifndef TT_TRACE_INTERNAL_H
#define TT_TRACE_INTERNAL_H

#include "trace/cache/cache.h"
#include "trace/follow/follow.h"
#include "trace/index/index.h"
#include "trace/symbol_names.h"
#include "tracetui/trace.h"

struct tt_trace {
    char *path;
    struct tt_trace_options options;
    struct tt_found found; /* with options.find */
    struct tt_map *map;
    struct tt_capture *capture;
    struct tt_index index;
    struct tt_follow *follow; /* NULL: not followed */
    bool has_index;
    struct tt_cache cache;
    struct tt_programs *programs; /* NULL: none */
};

#endif
