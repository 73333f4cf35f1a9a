/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache: saves the index and the tables of a large capture in an index cache, a file from which
 * they are restored when the capture is opened again.
 *
 *      open      reads the capture's header | cache found: restores tables, decoder and index
 *      index     restores the timelines     | no cache: indexes, then writes it in the background
 *
 * An index cache is found by the identity of the capture (cache/identity.h), checked
 * (base/section_file.h), and mapped while the trace is open: decoder states are used in place, and
 * tracks are unpacked on first use (track/track_store.h). If it is truncated meanwhile, the missing bytes read as zeros (sigbus_guard.h),
 * and tt_trace_cache returns TT_CACHE_TRUNCATED: all results from it are invalid. A cache that does not
 * match, since the capture has changed or grown, is removed and written again. Failure to write one is
 * not an error; tt_trace_cache returns it.
 *
 * Not cached: a capture that is read from a pipe, compressed, followed, small or chaotic, or whose
 * format does not support it (tt_decoder_cache.save is NULL).
 *
 * The trace's owner calls; one thread of the cache writes, while readers use the same data.
 */
#ifndef TRACETUI_TRACE_CACHE_CACHE_H
#define TRACETUI_TRACE_CACHE_CACHE_H

#include <pthread.h>

#include "trace/cache/directory.h"
#include "trace/cache/identity.h"
#include "trace/index/index.h"
#include "tracetui/index_cache.h"

/*
 * Smallest capture, in bytes, that is cached; smaller ones are indexed without a noticeable delay.
 */
#define TT_CACHE_LEAST (UINT64_C(8) << 20)

struct tt_cache {
    struct tt_index *index;     /* the trace's */
    bool enabled;               /* the next four members are valid */
    char folder[TT_CACHE_PATH]; /* directory of index caches, ends in a slash */
    char path[TT_CACHE_PATH];   /* index cache of the capture */
    uint64_t limit;
    struct tt_identity identity;
    /* The index cache found. */
    struct tt_bytes mapped; /* the whole file, or empty */
    int fd;                 /* of the mapped file */
    _Atomic bool gone;      /* the file was truncated: zeros were read */
    struct tt_section_file file;
    struct tt_section_check tracks;
    /* The writer. */
    pthread_t writer;
    bool has_writer;
    bool waits_for_it; /* closing waits for the writer instead of stopping it */
    _Atomic bool stop;
    _Atomic int state;       /* enum tt_cache_state */
    struct tt_status status; /* cause of FAILED; published with the state */
};

/*
 * Searches for the index cache of the capture of `index`, a new index that is borrowed. Returns
 * whether one was found whose checksums, as far as tt_cache_restore reads it, are right.
 */
bool tt_cache_find(struct tt_cache *cache, struct tt_index *index,
                   const struct tt_cache_options *options,
                   const struct tt_capture_options *capture_options);
/*
 * Restores the index and its capture's tables, which were just made. Returns false when the content
 * is inconsistent, or if out of memory: the caller frees both and makes them again after
 * tt_cache_remove.
 */
bool tt_cache_restore(struct tt_cache *cache);
/*
 * Creates the folder for the index, which is still to be built; if it is not writable, sets the state
 * FAILED, and nothing is written later.
 */
void tt_cache_request(struct tt_cache *cache);
/* Removes an inconsistent index cache. Nothing may refer to the mapping. */
void tt_cache_remove(struct tt_cache *cache);

/* Writes the sections of a finished index, without its identity. Any thread. */
void tt_cache_put(struct tt_index *index, struct tt_section_writer *writer);
/* Writes the finished index, unless it was restored. `waits`: see waits_for_it. */
void tt_cache_start_writing(struct tt_cache *cache, bool waits);
/* Returns the state of the index cache; *why is set with TT_CACHE_FAILED. Any thread. */
enum tt_cache_state tt_cache_state_of(const struct tt_cache *cache, struct tt_status *why);
/* Waits for the writer, or stops it; see waits_for_it. */
void tt_cache_end_writing(struct tt_cache *cache);
/* Cancels writing, because indexing failed. */
void tt_cache_abandon(struct tt_cache *cache);
/* Unmaps the index cache. Nothing may refer to the mapping. */
void tt_cache_free(struct tt_cache *cache);

#endif
