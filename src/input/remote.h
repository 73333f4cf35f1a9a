/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote: a file of another machine as a source, read through a remote shell (include/tracetui/remote.h).
 *
 *      remote shell --stdout--> [unpacker of the transfer] --> tt_intake_read
 *                   --stderr--> messages
 *
 * A lost connection is made again from the byte after the last one received: of a whole file if it has
 * brought any bytes, of a followed one until it succeeds, after 1, 2, 4 ... 30 s.
 */
#ifndef TT_INPUT_REMOTE_H
#define TT_INPUT_REMOTE_H

#include "input/intake.h"

/*
 * Creates a source of the file HOST:PATH; connects when it is first read. `follow`: it grows, and the source
 * does not end. TT_ERR_IO, TT_ERR_MEMORY, TT_ERR_USAGE.
 */
struct tt_status tt_remote_source(const char *path, const struct tt_remote_options *options,
                                  bool follow, struct tt_source *source);

#endif
