/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_tracks: the threads and processes of an exported capture, and their koids.
 *
 * A track is a thread of the capture, or one that the export adds for events that belong to no
 * thread:
 *
 *      tracks   | threads of the capture | CPU 0, 1 ... | idle on CPU 0, 1 ... | capture |
 *
 * A koid is unique among threads and processes and below 2^32. The capture's own ids are kept if
 * they meet this (Fuchsia); else processes keep their pids where these are unique, and threads are
 * numbered after them, because the tids of most systems repeat in each process.
 *
 * Owned by the caller until tt_fxt_tracks_free. One thread.
 */
#ifndef TRACETUI_EXPORT_FXT_TRACKS_H
#define TRACETUI_EXPORT_FXT_TRACKS_H

#include "export/fxt_writer.h"
#include "tracetui/capture.h"
#include "tracetui/status.h"

struct tt_fxt_tracks {
    const struct tt_capture *capture;
    uint32_t threads;
    uint32_t processes;
    uint32_t cpus;
    uint32_t *koids;         /* of tracks */
    uint32_t *process_koids; /* of processes, then of the CPUs and of the capture's own track */
    uint8_t *refs;           /* of tracks: index in the thread table; 0: none */
    unsigned refs_used;
    bool kept;          /* the capture's ids are kept */
    uint32_t free_koid; /* the first one after all of these */
};

/* Errors: TT_ERR_MEMORY; TT_ERR_USAGE if there are too many threads. */
struct tt_status tt_fxt_tracks_make(struct tt_fxt_tracks *tracks, const struct tt_capture *capture,
                                    uint32_t cpus);
void tt_fxt_tracks_free(struct tt_fxt_tracks *tracks);

/* Writes the kernel objects of all processes and threads. */
void tt_fxt_tracks_write(const struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer);

/* Return the tracks that the export adds. */
static inline uint32_t tt_fxt_track_of_cpu(const struct tt_fxt_tracks *tracks, uint32_t cpu)
{
    return tracks->threads + cpu;
}
static inline uint32_t tt_fxt_track_of_idle(const struct tt_fxt_tracks *tracks, uint32_t cpu)
{
    return tracks->threads + tracks->cpus + cpu;
}
static inline uint32_t tt_fxt_track_of_capture(const struct tt_fxt_tracks *tracks)
{
    return tracks->threads + 2 * tracks->cpus;
}

/* Returns the koid of the process of a track. */
uint32_t tt_fxt_track_process(const struct tt_fxt_tracks *tracks, uint32_t track);

/* Returns the koids of a track and of its process. */
static inline struct tt_fxt_ids tt_fxt_track_ids(const struct tt_fxt_tracks *tracks, uint32_t track)
{
    return (struct tt_fxt_ids){tt_fxt_track_process(tracks, track), tracks->koids[track]};
}

/*
 * Returns the thread reference of a track, after writing its thread record if it is new. 0: the
 * table is full, and the koids are written inline.
 */
uint8_t tt_fxt_track_ref(struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer,
                         uint32_t track);

#endif
