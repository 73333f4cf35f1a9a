/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cause: finds the thread that caused a state: the one that woke or preempted the thread, received
 * its message or holds its lock. Uses only the events around the start of the state.
 *
 *      READY     woken by sensor/1 sample | woken by interrupt 37 on CPU 0 |
 *                answered by fusion/1 fuse | displaced by devc-pty/3 echo
 *      REPLY     message to fusion 4103
 *      MUTEX     held by fusion/2 publish
 *
 * A call decodes one or two blocks: use it only for states displayed as text. One thread.
 */
#ifndef TRACETUI_TUI_LANES_CAUSE_H
#define TRACETUI_TUI_LANES_CAUSE_H

#include "tracetui/timeline.h"
#include "tui/model/workspace.h"

/* Appends the cause of the interval's state; false if the events do not contain it. */
bool tt_lanes_cause(const struct tt_workspace *ws, const struct tt_interval *interval,
                    struct tt_text *text);

#endif
