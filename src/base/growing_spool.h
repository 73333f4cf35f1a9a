/* SPDX-License-Identifier: Apache-2.0 */
/*
 * growing_spool: copies or unpacks a descriptor into an unlinked temporary file on a thread of its own,
 * while its owner reads what has arrived.
 *
 *      fd --read--> thread: unpack --write--> temporary file      written: bytes of it so far
 *                                  +--> wakes the owner in tt_growing_spool_wait
 *
 * File and results are those of tt_spool: the compression is detected from the first bytes, damage
 * ends the unpacking, and what a pipe contains after damage is read and dropped, so that its writer
 * is not disturbed. If no thread can be started, the whole input is copied before the start returns.
 *
 * One thread owns it and calls all functions.
 */
#ifndef TRACETUI_BASE_GROWING_SPOOL_H
#define TRACETUI_BASE_GROWING_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unpack.h"
#include "tracetui/status.h"

struct tt_growing_spool;

/* Starts to copy `fd`, which it owns from then on, even on failure. `limit`: as for tt_spool. */
struct tt_status tt_growing_spool_start(int fd, uint64_t limit, struct tt_growing_spool **spool);
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
/* Waits until the file has `bytes` bytes, or no more will arrive. */
void tt_growing_spool_wait(struct tt_growing_spool *spool, uint64_t bytes);

#endif
