/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry_watch: a call before a thread gets another process or becomes an idle thread.
 *
 * The timelines read both. If another thread builds them while the decoder reads on, it first has
 * to apply the actions before the change. New threads and processes are not announced: no earlier
 * action refers to them.
 */
#ifndef TRACETUI_FORMAT_REGISTRY_WATCH_H
#define TRACETUI_FORMAT_REGISTRY_WATCH_H

#include "tracetui/capture.h"

/*
 * Calls `before(arg)` in the decoding thread before each such change; NULL: no call. Writer only.
 */
void tt_registry_watch(struct tt_capture *capture, void (*before)(void *arg), void *arg);

#endif
