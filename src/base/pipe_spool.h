/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipe_spool: copies the data of a pipe into an unlinked temporary file that others read at the
 * same time.
 *
 *      pipe --read--> thread --write--> temporary file      size: bytes written so far
 *                        |
 *                        +--> tt_pipe_spool_wake_fd: readable after more data or at the end
 *
 * A spool is reference-counted by the maps of its file: releasing the last one stops the thread and
 * deletes the file. Any thread.
 */
#ifndef TRACETUI_BASE_PIPE_SPOOL_H
#define TRACETUI_BASE_PIPE_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/spool.h"
#include "base/unpack.h"
#include "tracetui/status.h"

struct tt_pipe_spool;

/* The source of bytes after the end of a descriptor. Called by the spool's thread. */
struct tt_pipe_source {
    void *arg;
    /*
     * Returns the descriptor that continues after `bytes` bytes, or -1 at the end; *status is the
     * reason if it is not a regular end. Returns soon when `stop` is readable.
     */
    int (*next)(void *arg, uint64_t bytes, int stop, struct tt_status *status);
    /* Closes all descriptors and frees `arg`. Called by the last owner, after the thread ended. */
    void (*close)(void *arg);
};

/* Starts a spool; owns `fd` from then on, even on failure. `limit`: as for tt_spool. */
struct tt_status tt_pipe_spool_start(int fd, uint64_t limit, struct tt_pipe_spool **pump);
/* Does the same for a source, which it owns from then on, even on failure; `fd` is its first one. */
struct tt_status tt_pipe_spool_start_source(int fd, uint64_t limit,
                                            const struct tt_pipe_source *source,
                                            struct tt_pipe_spool **pump);
void tt_pipe_spool_hold(struct tt_pipe_spool *pump);
void tt_pipe_spool_release(struct tt_pipe_spool *pump);

/* Returns the temporary file's descriptor, owned by the spool. */
int tt_pipe_spool_file(const struct tt_pipe_spool *pump);
uint64_t tt_pipe_spool_size(const struct tt_pipe_spool *pump);
/* Returns whether the pipe has ended; *status is the reason if the writer did not end it. */
bool tt_pipe_spool_ended(struct tt_pipe_spool *pump, struct tt_status *status);
int tt_pipe_spool_wake_fd(const struct tt_pipe_spool *pump);
/* Waits until `bytes` bytes are there, the pipe has ended or `ms` have passed. */
void tt_pipe_spool_wait(struct tt_pipe_spool *pump, uint64_t bytes, int ms);

/* ---- unpacking ------------------------------------------------------------------------------ */

/*
 * The same for input that may be compressed, and for a single owner, which waits for the bytes:
 *
 *      fd --read--> thread: unpack --write--> temporary file      size: bytes of it so far
 *                                  |
 *                                  +--> wakes the owner in tt_growing_spool_wait
 *
 * File and results are those of tt_spool: the compression is detected from the first bytes, and damage
 * ends the unpacking. The rest of a pipe is then read and dropped, so that its writer is not disturbed.
 * If no thread can be started, the whole input is copied before the start returns. All functions are
 * called by the owner's thread, except as noted.
 */
struct tt_growing_spool;

/* A source of bytes that is no descriptor, such as a connection that is made again when it is lost. */
struct tt_growing_source {
    void *arg;
    /* Appends all bytes to the sink. Called once, by the spool's thread. */
    struct tt_status (*fill)(void *arg, struct tt_spool_sink *sink);
    /* Returns the number of bytes if it is known; otherwise 0. Any thread. */
    uint64_t (*total)(void *arg);
    /* Lets `fill` end soon with TT_ERR_CANCELLED. Any thread. */
    void (*cancel)(void *arg);
    /* Frees `arg`. Called by the owner, after the thread ended. */
    void (*close)(void *arg);
};

/* Starts to copy `fd`, which it owns from then on, even on failure. `limit`: as for tt_spool. */
struct tt_status tt_growing_spool_start(int fd, uint64_t limit, struct tt_growing_spool **spool);
/* Does the same for a source, which it owns from then on, even on failure; its bytes stay as they are. */
struct tt_status tt_growing_spool_start_source(const struct tt_growing_source *source,
                                               uint64_t limit, struct tt_growing_spool **spool);
/*
 * Unpacks the bytes of another spool as they arrive, which it owns from then on, even on failure; it has
 * no other user. `limit`: as for tt_spool, of the unpacked bytes.
 */
struct tt_status tt_growing_spool_start_packed(struct tt_growing_spool *packed, uint64_t limit,
                                               struct tt_growing_spool **spool);
/* Ends the copying, which may be waiting for bytes, and deletes the file; NULL is allowed. */
void tt_growing_spool_free(struct tt_growing_spool *spool);

/* Returns the temporary file's descriptor, owned by the spool. */
int tt_growing_spool_file(const struct tt_growing_spool *spool);
/* Returns the number of bytes in the file so far. */
uint64_t tt_growing_spool_size(const struct tt_growing_spool *spool);
/*
 * Returns whether no more bytes will arrive. *status is the reason if that is no regular end, and
 * *damage the damage of the compressed input.
 */
bool tt_growing_spool_ended(struct tt_growing_spool *spool, struct tt_status *status,
                            struct tt_damage *damage);
/* Waits until the file has `bytes` bytes, or no more will arrive. `watch`: NULL, or shows the progress. */
void tt_growing_spool_wait(struct tt_growing_spool *spool, uint64_t bytes,
                           const struct tt_spool_watch *watch);
/* The end of a wait for the first bytes: `bytes` are there; or, `ms` after the start of the spool, `few`. */
struct tt_spool_enough {
    uint64_t bytes;
    uint64_t few;
    uint32_t ms; /* 0: `few` never suffice */
};

/* Does the same for the first bytes. */
void tt_growing_spool_wait_first(struct tt_growing_spool *spool,
                                 const struct tt_spool_enough *enough,
                                 const struct tt_spool_watch *watch);
/* Returns the progress, without the path. Any thread. */
struct tt_copy_progress tt_growing_spool_progress(const struct tt_growing_spool *spool);
/* Ends the copying with TT_ERR_CANCELLED, unless it has ended; the owner's wait ends, too. Any thread. */
void tt_growing_spool_cancel(struct tt_growing_spool *spool);

/* ---- wake-up pipes -------------------------------------------------------------------------- */

/* Creates a pipe with two non-blocking ends. Returns false with errno. */
bool tt_wake_pipe(int ends[2]);
void tt_wake(int end);
void tt_wake_drain(int end);

#endif
