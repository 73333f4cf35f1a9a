/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/totals: the two lines below a table of the Summary view.
 *
 *      total  128 switches  61.0 k/s  busy 87.1 % of 4 CPUs
 *      sensor/2 isr: RUNNING 28.1 %  READY 0.9 %  NANOSLEEP 71.0 %  max 31.2 us
 *
 * A thread's states are summed over its intervals in steps; for all other rows, the state classes
 * are known at once. One thread; the struct owns its sums.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_TOTALS_H
#define TRACETUI_TUI_VIEWS_SUMMARY_TOTALS_H

#include "tui/views/summary/table.h"

struct tt_summary_states {
    uint64_t *ticks; /* indexed by the format's states */
    uint32_t count;
    uint32_t thread; /* the thread of the sums, or TT_NO_THREAD */
    uint64_t from, to;
    uint64_t reached;
    bool complete;
};

/* Sums over all CPUs in a range; initially {0}. */
struct tt_summary_total {
    uint64_t busy;
    uint64_t switches;
    uint32_t cpus;
    uint32_t summed; /* CPUs that are part of the sums */
    /* Their timelines, and the range. */
    uint32_t number;
    uint64_t limit;
    uint64_t rows;
    uint64_t from, to;
};

/* Appends a share in percent with a decimal, its integer part in at least `width` columns; false: too large. */
bool tt_summary_share(struct tt_text *text, uint64_t ticks, uint64_t whole, unsigned width);

void tt_summary_states_free(struct tt_summary_states *states);
/* Requests the sums of the row's thread in the tab's range; a no-op if they are current. */
void tt_summary_states_ask(struct tt_summary_states *states, const struct tt_workspace *ws,
                           const struct tt_summary_table *tab);
/* Continues for about `budget_ns`; true when the sums are complete. */
bool tt_summary_states_work(struct tt_summary_states *states, const struct tt_workspace *ws,
                            uint64_t budget_ns);

/* Requests the sums of the tab's range; a no-op if they are current. */
void tt_summary_total_ask(struct tt_summary_total *total, const struct tt_workspace *ws,
                          const struct tt_summary_table *tab);
/* Continues until `deadline` (tt_now_ns); true when the sums are complete. */
bool tt_summary_total_work(struct tt_summary_total *total, const struct tt_workspace *ws,
                           uint64_t deadline);
void tt_summary_total_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           const struct tt_summary_total *total, struct tt_area line);
/* Draws what is missing or still pending at the right end of a line; returns its width. */
int tt_summary_progress_draw(const struct tt_summary_table *tab, struct tt_area line);
void tt_summary_line_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_summary_states *states, struct tt_area line);

#endif
