/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index_cache: what a user sees of the index cache: its options and what became of the index of a
 * capture. Plain data; any thread.
 */
#ifndef TRACETUI_INDEX_CACHE_H
#define TRACETUI_INDEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A folder of files in which what was worked out of large captures is kept, so that one that was
 * indexed once is opened again at once. What comes of it is the same.
 */
struct tt_cache_options {
    bool on;
    const char *folder; /* NULL: the person's own, $XDG_CACHE_HOME/tracetui or ~/.cache/tracetui */
    uint64_t limit;     /* bytes that all of them may have together; 0: TT_CACHE_LIMIT */
};

#define TT_CACHE_LIMIT (UINT64_C(2) << 30)

/* X(id, key, what a person reads; empty: nothing is to be said) */
#define TT_CACHE_INFO(X)                                                                           \
    X(TT_CACHE_OFF, "off", "")                                                                     \
    X(TT_CACHE_LEFT, "left", "not kept for the next time")                                         \
    X(TT_CACHE_AHEAD, "ahead", "to be kept for the next time")                                     \
    X(TT_CACHE_WRITING, "writing", "being kept for the next time")                                 \
    X(TT_CACHE_KEPT, "kept", "kept for the next time")                                             \
    X(TT_CACHE_RESTORED, "restored", "as it was kept")                                             \
    X(TT_CACHE_FAILED, "failed", "could not be kept for the next time")                            \
    X(TT_CACHE_GONE, "gone", "cut short where it was kept")

enum tt_cache_state {
#define X(id, key, text) id,
    TT_CACHE_INFO(X)
#undef X
        TT_CACHE_STATES
};

#endif
