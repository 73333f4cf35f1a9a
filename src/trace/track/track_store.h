/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_store: the finished tracks of an index cache, whose chunks are unpacked when they are used
 * for the first time.
 *
 *      mapped    | frame | frame | frame | ...      a zstd frame for every 8 chunks of a track
 *                            |
 *                            |  first use of one of its chunks
 *                            v
 *      memory    | chunk | chunk | ... x 8 |        packed as in track.h
 *
 *      content of a frame, in varints, for each chunk
 *                | ticks since the item before | value | second values | sums |
 *                           x items              x items     x items    differences from the chunk before
 *
 *      directory of a track, in varints
 *                | chunks |  size of the frame | ticks since the first item of the chunk before | items | ...
 *                            for each 8 chunks                             for each chunk
 *
 * Frames follow each other in the order of the directories. A track's entries (track.h) are in memory
 * from the beginning, without the layout of the chunks. The pointer to the memory of a frame is read with
 * acquire before a chunk; the first reader unpacks the frame under a lock.
 *
 * The chunks of a damaged frame have zeros only. Any thread reads; one thread creates, restores and
 * frees.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_STORE_H
#define TRACETUI_TRACE_TRACK_TRACK_STORE_H

#include "base/section_file.h"
#include "trace/track/track_pack.h"

/* ---- saving --------------------------------------------------------------------------------- */

struct tt_track_saver;

/* Writes frames and directories to the current sections of two writers. NULL when out of memory. */
struct tt_track_saver *tt_track_saver_new(struct tt_section_writer *frames,
                                          struct tt_section_writer *directories);
void tt_track_saver_free(struct tt_track_saver *saver);
/* Writes a finished track. Errors are sticky. */
void tt_track_save(struct tt_track_saver *saver, const struct tt_track *track);
bool tt_track_saver_failed(const struct tt_track_saver *saver);

/* ---- restoring ------------------------------------------------------------------------------ */

/* Chunks of a frame. */
#define TT_STORE_GROUP 8u

struct tt_track_store;

/* The unpacked chunks of a frame. */
struct tt_stored_chunks {
    uint32_t at[TT_STORE_GROUP]; /* bytes from here to each chunk */
};

struct tt_stored_group {
    _Atomic(const struct tt_stored_chunks *) chunks; /* NULL: not unpacked yet */
    uint64_t at;                                     /* of the frame in the section */
    uint64_t size;
};

/* The chunks of one track. */
struct tt_stored_track {
    struct tt_track_store *store;
    uint64_t count; /* of chunks */
    uint8_t sum_count;
    bool wide;
    struct tt_stored_group groups[];
};

/* Creates the store of a section's frames, which stay mapped; NULL if out of memory. */
struct tt_track_store *tt_track_store_new(struct tt_bytes frames);
void tt_track_store_free(struct tt_track_store *store);
/* Releases pages of the frames, which are those of a mapped file, while they are unpacked. */
void tt_track_store_release(struct tt_track_store *store);
/* Returns the memory of the store in bytes. Any thread. */
uint64_t tt_track_store_memory(const struct tt_track_store *store);

/*
 * Reads the directory of the next track into a new one, whose sums and width are set. Returns false if it
 * is inconsistent, or if out of memory.
 */
bool tt_track_restore_from(struct tt_track_store *store, struct tt_reader *reader,
                           struct tt_track *track);

/* Unpacks a group of chunks unless it is unpacked already; returns its chunks. For tt_stored_chunk. */
const struct tt_stored_chunks *tt_stored_unpack(struct tt_stored_track *stored,
                                                struct tt_track_entry *entries, uint64_t group);

/* Returns the bytes of a chunk; its entry is complete afterwards. */
static inline const uint8_t *tt_stored_chunk(struct tt_stored_track *stored,
                                             const struct tt_track_entry *entries, uint64_t chunk)
{
    uint64_t group = chunk / TT_STORE_GROUP;
    const struct tt_stored_chunks *chunks =
        atomic_load_explicit(&stored->groups[group].chunks, memory_order_acquire);
    if (!chunks) {
        chunks = tt_stored_unpack(stored, (struct tt_track_entry *)(uintptr_t)entries, group);
    }
    return (const uint8_t *)chunks + chunks->at[chunk % TT_STORE_GROUP];
}

#endif
