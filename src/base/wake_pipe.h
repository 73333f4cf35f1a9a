/* SPDX-License-Identifier: Apache-2.0 */
/* wake_pipe: a pipe with two non-blocking ends, by which one thread ends the poll of another. */
#ifndef TT_BASE_WAKE_PIPE_H
#define TT_BASE_WAKE_PIPE_H

#include <stdbool.h>

/* Creates the pipe: [0] is polled, [1] wakes. Returns false with errno. */
bool tt_wake_pipe(int ends[2]);
void tt_wake(int end);
void tt_wake_drain(int end);

#endif
