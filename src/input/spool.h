/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: a temporary file without a name that receives the bytes of a source, unpacked, while others read it.
 *
 *      source --> thread: [unpacker] --write--> temporary file      size: bytes written so far
 *                                       |
 *                                       +--> tt_spool_wake_fd: readable after more bytes and at the end
 *
 * The compression is detected from the first bytes, which are kept until it is known. Damage ends the
 * unpacking; the rest of a pipe is then read and dropped, so that its writer is not disturbed. If no thread can
 * be started, everything is copied before the start returns.
 *
 * A spool without a thread contains what its owner appends, or copies a file that grows when its owner lets it do
 * so (tt_spool_copy_more).
 *
 * A spool is reference-counted by the maps of its file: releasing the last one ends the thread, which may
 * wait for bytes, and deletes the file. Any thread, except as noted.
 */
#ifndef TT_INPUT_SPOOL_H
#define TT_INPUT_SPOOL_H

#include "input/intake.h"
#include "input/unpack.h"

#define TT_DAMAGED_TEXT "damaged container"

struct tt_spool;

/*
 * Starts a spool; owns the source from then on, even on failure. `limit`: maximum number of bytes; 0: half of
 * the free space, or no limit if the system does not report it. Exceeding it ends the spool with an error, and so
 * does damage before the first byte.
 */
struct tt_status tt_spool_start(const struct tt_source *source, uint64_t limit,
                                struct tt_spool **spool);
/* Creates a spool that copies a file, when tt_spool_copy_more is called; borrows `fd`. -1: of no file. */
struct tt_status tt_spool_of_file(int fd, uint64_t limit, struct tt_spool **spool);
/* Appends the bytes by which the file has grown. One thread. */
struct tt_status tt_spool_copy_more(struct tt_spool *spool);
/* Appends bytes, and shows them to readers. One thread; not of a spool with a source. */
struct tt_status tt_spool_append(struct tt_spool *spool, const uint8_t *bytes, size_t length);

void tt_spool_hold(struct tt_spool *spool);
/* NULL is allowed. */
void tt_spool_release(struct tt_spool *spool);

/* Returns the temporary file's descriptor, owned by the spool. */
int tt_spool_fd(const struct tt_spool *spool);
/* Returns the number of bytes in the file. */
uint64_t tt_spool_size(const struct tt_spool *spool);
/* Returns whether no more will come. */
bool tt_spool_ended(const struct tt_spool *spool);
/* Returns whether the source is compressed, as far as its bytes show it yet. */
bool tt_spool_is_packed(const struct tt_spool *spool);
struct tt_arrival tt_spool_arrival(const struct tt_spool *spool);
int tt_spool_wake_fd(const struct tt_spool *spool);
/* Ends the copying with TT_ERR_CANCELLED, unless it has ended. */
void tt_spool_cancel(struct tt_spool *spool);

/* When a wait ends: `bytes` are there; or `few`, `ms` after the start of the spool. */
struct tt_spool_enough {
    uint64_t bytes;
    uint64_t few;
    uint32_t ms; /* 0: `few` never suffice */
};

/*
 * Waits for bytes, until no more will come, or at most `most_ms` (UINT64_MAX: no limit). `watch`: NULL, or
 * shows the arrival, and may cancel it. One thread.
 */
void tt_spool_wait(struct tt_spool *spool, const struct tt_spool_enough *enough, uint64_t most_ms,
                   const struct tt_map_watch *watch, const char *path);
/* Waits until the source is connected, or has ended; then as long as `most_ms` for `bytes` bytes. One thread. */
void tt_spool_wait_connected(struct tt_spool *spool, uint64_t bytes, uint64_t most_ms,
                             const struct tt_map_watch *watch, const char *path);
/* The opener waits no longer. */
void tt_spool_opened(struct tt_spool *spool);

#endif
