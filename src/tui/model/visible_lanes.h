/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visible_lanes: the threads and CPUs with at least one event that passes the filters; only their
 * lanes are shown.
 *
 *      shown rows --scanned between keys--> looking --complete--> answer
 *
 * The answer stays in use until a complete one exists for new filters, so that lanes do not flicker
 * while a filter is typed; it grows with the capture. Only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_MODEL_VISIBLE_LANES_H
#define TRACETUI_TUI_MODEL_VISIBLE_LANES_H

#include "filter/row_owners.h"

struct tt_filters;
struct tt_workspace;
struct tt_text;

struct tt_visible_lanes {
    struct tt_events *events; /* a reader of its own */
    struct tt_row_owners answer;
    struct tt_row_owners next;
    unsigned answer_version; /* version of the shown rows that `answer` is based on */
    unsigned next_version;
    bool valid;       /* there is an answer */
    bool computing;   /* another answer is being computed */
    unsigned version; /* changes with the answer */
};

/* Continues for a few milliseconds. *news: the answer changed. True: there is more to do. */
bool tt_visible_lanes_update(struct tt_workspace *ws, bool *changed);
/* Drops everything; call it before the capture is closed. */
void tt_visible_lanes_drop(struct tt_workspace *ws);

/* Return whether an event of the thread or CPU is shown; true while that is not known. */
bool tt_visible_thread(const struct tt_filters *filters, uint32_t thread);
bool tt_visible_cpu(const struct tt_filters *filters, uint32_t cpu);
/* Returns whether the thread's lane is shown without a match, since filtered-out events are. */
bool tt_visible_thread_peeked(const struct tt_filters *filters, uint32_t thread);
/* Returns a number that changes whenever the results of these two may have changed. */
unsigned tt_visible_lanes_version(const struct tt_filters *filters);
/* Appends "12 of 43 threads", or nothing if all are shown. */
void tt_visible_lanes_text(const struct tt_workspace *ws, struct tt_text *text);

#endif
