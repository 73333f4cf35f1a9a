/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cause: describes the cause of a state: the waker or displacer of the thread, or the object of its
 * wait. The words are those of `why` and of the Why pane.
 *
 *      READY     reply by fusion/1 fuse | timer by interrupt 0 on CPU 0 | displaced by pty/3 echo
 *                waits for CPU 2: hmi/1 render      it runs next on another CPU than last
 *      REPLY     message to fusion/1 fuse, READY | message to fusion 4103
 *      MUTEX     held by store/2 journal, RUNNING
 *
 * tt_causes_refresh has been called for the timelines (in the layout). The first call for a state
 * decodes a few blocks: use it only for states displayed as text. One thread.
 */
#ifndef TRACETUI_TUI_LANES_CAUSE_H
#define TRACETUI_TUI_LANES_CAUSE_H

#include "tracetui/timeline.h"
#include "tui/model/workspace.h"

/* Appends the cause of the interval's state; false if the events do not contain it. */
bool tt_lanes_cause(const struct tt_workspace *ws, const struct tt_interval *interval,
                    struct tt_text *text);

#endif
