/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pump: brings what comes through a pipe into an unlinked temporary file while others read that
 * file already.
 *
 *      pipe --read--> thread --write--> temporary file      size: bytes that are there
 *                        |
 *                        +--> tt_pump_wake_fd: readable when there are more, or it ended
 *
 * A pump is shared by those who map its file: it stops, and its file goes, with the last of them.
 * Any thread; hold and release are counted.
 */
#ifndef TT_BASE_PUMP_H
#define TT_BASE_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

struct tt_pump;

/* Takes over `fd`, also where it fails. `limit`: as for tt_spool. */
struct tt_status tt_pump_start(int fd, uint64_t limit, struct tt_pump **pump);
void tt_pump_hold(struct tt_pump *pump);
void tt_pump_release(struct tt_pump *pump);

/* The temporary file; the pump's. */
int tt_pump_file(const struct tt_pump *pump);
uint64_t tt_pump_size(const struct tt_pump *pump);
/* Has the pipe ended? *status says why, where it was not the writer's end. */
bool tt_pump_ended(struct tt_pump *pump, struct tt_status *status);
int tt_pump_wake_fd(const struct tt_pump *pump);
/* Waits until there are `bytes` of it, or it ended, or `ms` have passed. */
void tt_pump_await(struct tt_pump *pump, uint64_t bytes, int ms);

/* ---- a pipe to wake somebody who polls ------------------------------------------------------ */

/* Neither end blocks. False: errno says why. */
bool tt_wake_pipe(int ends[2]);
void tt_wake(int end);
void tt_wake_drain(int end);

#endif
