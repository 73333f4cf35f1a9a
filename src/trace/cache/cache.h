/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache (internal): what was worked out of a large capture is kept in a file of its own and taken
 * from there when the capture is opened again.
 *
 *      open      header read as always | kept file found? -> tables, decoder, index from it
 *      index     restored: timelines from it             | else: made, then kept, in the background
 *
 * A kept file is found by the identity of the capture (cache/identity.h), checked (base/section_file.h),
 * and mapped as long as the trace is open: texts, states of the decoder and tracks are used in
 * place. If it is cut short meanwhile, what is gone reads as zeros (sigbus_guard.h), and whoever asks
 * (tt_trace_cache) is told that all that came of it is worth nothing. One that does not fit is
 * removed and made anew. That nothing can be kept is no error: tt_trace_cache says so.
 *
 * Not kept: what comes through a pipe, is compressed or followed, is small, has no order at all, or
 * is of a format that does not know how (tt_format.keep).
 *
 * The trace's owner calls; one thread of the cache's own writes, while readers read the same model.
 */
#ifndef TRACETUI_TRACE_CACHE_CACHE_H
#define TRACETUI_TRACE_CACHE_CACHE_H

#include <pthread.h>

#include "trace/cache/checkpoint.h"
#include "trace/cache/directory.h"
#include "trace/cache/identity.h"
#include "tracetui/index_cache.h"

/* A smaller capture is indexed in less time than a person notices. */
#define TT_CACHE_LEAST (UINT64_C(8) << 20)

struct tt_cache {
    struct tt_index *index;     /* the trace's */
    bool wanted;                /* the next four are good */
    char folder[TT_CACHE_PATH]; /* with a slash at its end */
    char path[TT_CACHE_PATH];   /* of the kept file */
    char older[TT_CACHE_PATH];  /* that of the capture before it grew; empty: there is none */
    uint64_t limit;
    struct tt_identity identity;
    /* What was found. */
    struct tt_bytes mapped; /* the whole kept file, or nothing */
    int fd;                 /* of the file that is mapped */
    _Atomic bool gone;      /* a part of it was not there when it was looked at: zeros were read */
    struct tt_section_file file;
    struct tt_section_check tracks;
    uint64_t taken; /* bytes of the capture whose index it is */
    /* The writer. */
    struct tt_cache_checkpoint *pause; /* or NULL: it is kept so that it cannot be gone on with */
    pthread_t writer;
    bool has_writer;
    bool waits_for_it; /* closing does, instead of stopping it */
    _Atomic bool stop;
    _Atomic int state;       /* enum tt_cache_state */
    struct tt_status status; /* with FAILED: why; published with the state */
};

/*
 * Looks for the index cache of the capture that `index` was just made for; borrows the index.
 * Returns whether one was found that is sound as far as tt_cache_restore needs it.
 */
bool tt_cache_find(struct tt_cache *cache, struct tt_index *index,
                   const struct tt_cache_options *options,
                   const struct tt_capture_options *capture_options);
/*
 * Restores the index and its capture's tables, which were just made. Returns false when the content
 * is inconsistent or memory is out: the caller frees both and makes them again after
 * tt_cache_forget.
 */
bool tt_cache_restore(struct tt_cache *cache);
/* Requests a checkpoint from the index, which has to be built wholly or in part. */
void tt_cache_await(struct tt_cache *cache);
/* What was found is good for nobody: it is removed. Nothing may refer to the mapping. */
void tt_cache_forget(struct tt_cache *cache);

/* The index is whole: keeps it if it was not kept. `waits`: see struct tt_cache. */
void tt_cache_start_writing(struct tt_cache *cache, bool waits);
/* Returns what became of the index cache; *why is set with TT_CACHE_FAILED. Any thread. */
enum tt_cache_state tt_cache_state_of(const struct tt_cache *cache, struct tt_status *why);
/* The writer is done, or has stopped. */
void tt_cache_end_writing(struct tt_cache *cache);
/* The index could not be made. */
void tt_cache_give_up(struct tt_cache *cache);
/* When nothing refers to the mapping any more. */
void tt_cache_free(struct tt_cache *cache);

#endif
