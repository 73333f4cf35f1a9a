/* SPDX-License-Identifier: Apache-2.0 */
/* index_cache: options and state of the index cache. Plain data; any thread. */
#ifndef TRACETUI_INDEX_CACHE_H
#define TRACETUI_INDEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The index cache is a folder of files with the indexes of large captures, so that an indexed
 * capture opens again without indexing. Results are identical.
 */
struct tt_cache_options {
    bool on;
    const char *folder; /* NULL: the user's, $XDG_CACHE_HOME/tracetui or ~/.cache/tracetui */
    uint64_t limit;     /* maximum size of all files in bytes; 0: TT_CACHE_LIMIT */
};

#define TT_CACHE_LIMIT (UINT64_C(2) << 30)

/* X(id, key, text for the user; empty: none) */
#define TT_CACHE_INFO(X)                                                                           \
    X(TT_CACHE_OFF, "off", "")                                                                     \
    X(TT_CACHE_NONE, "none", "not cached")                                                         \
    X(TT_CACHE_PENDING, "pending", "not cached yet")                                               \
    X(TT_CACHE_WRITING, "writing", "writing the index cache")                                      \
    X(TT_CACHE_SAVED, "saved", "cached")                                                           \
    X(TT_CACHE_RESTORED, "restored", "from the index cache")                                       \
    X(TT_CACHE_FAILED, "failed", "cannot write the index cache")                                   \
    X(TT_CACHE_TRUNCATED, "truncated", "index cache truncated")

enum tt_cache_state {
#define X(id, key, text) id,
    TT_CACHE_INFO(X)
#undef X
        TT_CACHE_STATES
};

#endif
