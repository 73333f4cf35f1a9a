/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visible_lanes: the threads and CPUs of which the filters leave an event: whose lanes are shown.
 *
 *      rows shown --looked at between keys--> looking --whole--> answer
 *
 * The answer holds until there is a whole one for other filters, so that lanes do not come and go
 * while a filter is typed; it grows with the capture. The thread of the screen alone.
 */
#ifndef TRACETUI_TUI_MODEL_VISIBLE_LANES_H
#define TRACETUI_TUI_MODEL_VISIBLE_LANES_H

#include "tracetui/row_owners.h"

struct tt_filters;
struct tt_workspace;
struct tt_text;

struct tt_visible_lanes {
    struct tt_events *events; /* a reader of its own */
    struct tt_row_owners answer;
    struct tt_row_owners looking;
    unsigned answers; /* the version of the rows shown that it is about */
    unsigned looking_at;
    bool holds;       /* there is an answer */
    bool looks;       /* another one is on its way */
    unsigned version; /* changes with the answer */
};

/* Goes on for some milliseconds. *news: the answer is another one. True: there is more to do. */
bool tt_visible_lanes_update(struct tt_workspace *ws, bool *news);
/* The capture is being closed. */
void tt_visible_lanes_drop(struct tt_workspace *ws);

/* Is an event of it shown, or are all? True while that is not known. */
bool tt_visible_thread(const struct tt_filters *filters, uint32_t thread);
bool tt_visible_cpu(const struct tt_filters *filters, uint32_t cpu);
/* Changes whenever what these two say may have changed. */
unsigned tt_visible_lanes_version(const struct tt_filters *filters);
/* "12 of 43 threads", or nothing where all are shown. */
void tt_visible_lanes_text(const struct tt_workspace *ws, struct tt_text *text);

#endif
