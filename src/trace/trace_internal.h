/* SPDX-License-Identifier: Apache-2.0 */
/* trace_internal: what a trace is made of, for the files of this folder. */
#ifndef TT_TRACE_INTERNAL_H
#define TT_TRACE_INTERNAL_H

#include "trace/index.h"

struct tt_trace {
    char *path;
    struct tt_map *map;
    struct tt_capture *capture;
    struct tt_index index;
    bool has_index;
};

#endif
