/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pump: brings what comes through a pipe into an unlinked temporary file while others read that
 * file already.
 *
 *      pipe --read--> thread --write--> temporary file      size: bytes that are there
 *                        |
 *                        +--> tt_pipe_spool_wake_fd: readable when there are more, or it ended
 *
 * A pump is shared by those who map its file: it stops, and its file goes, with the last of them.
 * Any thread; hold and release are counted.
 */
#ifndef TRACETUI_BASE_PIPE_SPOOL_H
#define TRACETUI_BASE_PIPE_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

struct tt_pipe_spool;

/* Takes over `fd`, also where it fails. `limit`: as for tt_spool. */
struct tt_status tt_pipe_spool_start(int fd, uint64_t limit, struct tt_pipe_spool **pump);
void tt_pipe_spool_hold(struct tt_pipe_spool *pump);
void tt_pipe_spool_release(struct tt_pipe_spool *pump);

/* The temporary file; the pump's. */
int tt_pipe_spool_file(const struct tt_pipe_spool *pump);
uint64_t tt_pipe_spool_size(const struct tt_pipe_spool *pump);
/* Has the pipe ended? *status says why, where it was not the writer's end. */
bool tt_pipe_spool_ended(struct tt_pipe_spool *pump, struct tt_status *status);
int tt_pipe_spool_wake_fd(const struct tt_pipe_spool *pump);
/* Waits until there are `bytes` of it, or it ended, or `ms` have passed. */
void tt_pipe_spool_wait(struct tt_pipe_spool *pump, uint64_t bytes, int ms);

/* ---- a pipe to wake somebody who polls ------------------------------------------------------ */

/* Neither end blocks. False: errno says why. */
bool tt_wake_pipe(int ends[2]);
void tt_wake(int end);
void tt_wake_drain(int end);

#endif
