/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_store: the finished tracks of an index cache, whose chunks are unpacked when they are used
 * for the first time.
 *
 *      mapped    | codes of a track | its directory | codes | directory | ... | end |
 *                        |
 *                        |  tt_stored_unpack
 *                        v
 *      memory    | chunk | chunk | chunk | ...            in the order of their first use
 *
 *      directory   for each chunk: ticks since the base of the chunk before | 2 x size of the code
 *                  + 1 if the number of items is not the capacity | that number, if so (varints)
 *      end         directories of the CPUs' occupants: for each position: 64 | chunks: 64;
 *                  number of CPUs: 64 | size of all chunks in memory: 64 | TT_CODE_AFTER zeros
 *
 * A track's entries (track.h) are in memory from the beginning, without the layout of the chunks. A
 * word per chunk is its place among the codes, and later in memory. It is read with acquire before a
 * chunk; the first reader unpacks the chunk under a lock. Chunks of thread states refer to the
 * occupants of CPUs (track_code.h), which have a lock of their own and no references.
 *
 * The sums of every 16th chunk are complete; those of the others are differences.
 *
 * A damaged code is a chunk of zeros. Any thread reads; one thread creates, restores and frees.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_STORE_H
#define TRACETUI_TRACE_TRACK_TRACK_STORE_H

#include "trace/track/track.h"
#include "tracetui/bytes.h"

/* Chunks whose sums depend on each other. */
#define TT_STORE_GROUP 16u

struct tt_track_store;

/* The chunks of one track. */
struct tt_stored_track {
    struct tt_track_store *store;
    uint8_t sum_count;
    bool wide;
    bool is_cpu;              /* a track of a CPU's occupants, to which others refer */
    _Atomic uint64_t where[]; /* by chunk: | place: 63 | unpacked: 1 | */
};

/*
 * Creates the store of a section's bytes, which stay mapped; NULL if its end is invalid, or if out
 * of memory. `cpu_sums`: number of sums of an occupants' track.
 */
struct tt_track_store *tt_track_store_new(struct tt_bytes bytes, uint32_t cpu_sums);
void tt_track_store_free(struct tt_track_store *store);
/* Releases pages of the bytes, which are those of a mapped file, while chunks are unpacked. */
void tt_track_store_release(struct tt_track_store *store);
/* Returns the memory of the store in bytes, with all chunks unpacked. */
uint64_t tt_track_store_memory(const struct tt_track_store *store);

/*
 * Returns the directory of the first `chunks` chunks, at least 1, of the track whose directory is
 * at `place`; NULL if there is none, it is inconsistent, or if out of memory. `track` defines the
 * number of sums and whether it is wide.
 */
const struct tt_track_directory *tt_track_store_directory(struct tt_track_store *store,
                                                          uint64_t place, uint64_t chunks,
                                                          const struct tt_track *track);

/* Unpacks a chunk unless it is unpacked already; returns its word. For tt_stored_chunk. */
uint64_t tt_stored_unpack(struct tt_stored_track *stored, struct tt_track_entry *entries,
                          uint64_t chunk);
const uint8_t *tt_stored_bytes(const struct tt_stored_track *stored, uint64_t word);

/* Returns the bytes of a chunk; its entry is complete afterwards. */
static inline const uint8_t *tt_stored_chunk(struct tt_stored_track *stored,
                                             const struct tt_track_entry *entries, uint64_t chunk)
{
    uint64_t word = atomic_load_explicit(&stored->where[chunk], memory_order_acquire);
    if (!(word & 1)) {
        word = tt_stored_unpack(stored, (struct tt_track_entry *)(uintptr_t)entries, chunk);
    }
    return tt_stored_bytes(stored, word);
}

#endif
