/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote: reads a file of another machine through a remote shell (include/tracetui/remote.h).
 *
 *      remote shell --stdout--> spool            tt_remote_fetch: the calling thread
 *                                                tt_remote_arrive, tt_remote_follow: the spool's thread
 *                   --stderr--> attendant        a thread per connection: messages, progress, cancel
 *
 * A lost connection is made again from the byte after the last one received: by fetch and arrive if they
 * have received any bytes, by follow until it succeeds, after 1, 2, 4 ... 30 s.
 */
#ifndef TT_BASE_REMOTE_H
#define TT_BASE_REMOTE_H

#include "base/pipe_spool.h"
#include "base/unpack.h"
#include "tracetui/remote.h"
#include "tracetui/status.h"

struct tt_remote;

/* Changes of a followed file. */
enum tt_remote_change { TT_REMOTE_UNCHANGED, TT_REMOTE_WAS_TRUNCATED, TT_REMOTE_WAS_REPLACED };

/* Copies a file to a new temporary file, which the caller closes. `limit`: as for tt_spool. */
struct tt_status tt_remote_fetch(const char *path, const struct tt_remote_options *options,
                                 uint64_t limit, int *spooled);

/*
 * Does the same while the caller waits for the first bytes of the spool. *remote belongs to the spool and is
 * valid as long.
 */
struct tt_status tt_remote_arrive(const char *path, const struct tt_remote_options *options,
                                  uint64_t limit, struct tt_growing_spool **spool,
                                  struct tt_remote **remote);
/* Ends the progress: the caller waits no longer. The remote shell may not ask for a password from now on. */
void tt_remote_opened(struct tt_remote *remote);

/*
 * Copies a file that grows to a spool, until it is released. *remote belongs to the spool and is
 * valid as long.
 */
struct tt_status tt_remote_follow(const char *path, const struct tt_remote_options *options,
                                  uint64_t limit, struct tt_pipe_spool **pump,
                                  struct tt_remote **remote);
/* Returns the change that ended the copy. Any thread. */
enum tt_remote_change tt_remote_changed(const struct tt_remote *remote);

#endif
