/* SPDX-License-Identifier: Apache-2.0 */
/* trace_internal: what a trace is made of, for the files of this folder. */
#ifndef TT_TRACE_INTERNAL_H
#define TT_TRACE_INTERNAL_H

#include "trace/cache/cache.h"
#include "trace/follow/follow.h"
#include "trace/index/index.h"
#include "tracetui/trace.h"

struct tt_trace {
    char *path;
    struct tt_trace_options options;
    struct tt_map *map;
    struct tt_capture *capture;
    struct tt_index index;
    struct tt_follow *follow; /* NULL: the file is whole */
    bool has_index;
    struct tt_cache cache;
};

#endif
