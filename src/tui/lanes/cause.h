/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cause: who had a part in a thread's state: who woke it, displaced it, has its message, holds
 * its lock. Only what events next to the state's beginning tell; nothing where they tell nothing.
 *
 *      READY     woken by sensor/1 sample | woken by interrupt 37 on CPU 0 |
 *                answered by fusion/1 fuse | displaced by devc-pty/3 echo
 *      REPLY     message to fusion 4103
 *      MUTEX     held by fusion/2 publish
 *
 * Costs the decoding of a block or two: for the states that are shown in words. One thread.
 */
#ifndef TRACETUI_TUI_LANES_CAUSE_H
#define TRACETUI_TUI_LANES_CAUSE_H

#include "tracetui/timeline.h"
#include "tui/model/workspace.h"

/* Writes it; false where nothing is known. */
bool tt_lanes_cause(const struct tt_workspace *ws, const struct tt_interval *interval,
                    struct tt_text *text);

#endif
