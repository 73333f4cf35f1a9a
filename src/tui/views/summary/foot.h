/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/foot: the lines below a table. Of Summary, the totals and the states of the row:
 *
 *      total  128 switches  61.0 k/s  busy 87.1 % of 4 CPUs
 *      sensor/2 isr: RUNNING 28.1 %  READY 0.9 %  NANOSLEEP 71.0 %  max 31.2 us
 *
 * A thread's states are summed over its intervals in steps; for all other rows, the state classes
 * are known at once. Of Messages, the parts of a service, with the glyphs and colours of the lanes:
 *
 *      a -> b   service  running 31.0 %  ready 4.1 %  lock 64.9 %
 *      ██████▒▒xxxxxxxxxxxx
 *      longest queue 12.1 us  service 31.2 us  return 2.1 us
 *
 * One thread; the structs own their sums.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_FOOT_H
#define TRACETUI_TUI_VIEWS_SUMMARY_FOOT_H

#include "tui/views/summary/table.h"

/* The states of a thread in a range; initially {0}. */
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

void tt_summary_states_free(struct tt_summary_states *states);
/* Requests the sums of the row's thread in the tab's range; a no-op if they are current. */
void tt_summary_states_ask(struct tt_summary_states *states, const struct tt_workspace *ws,
                           const struct tt_summary_table *tab);
/* Continues for about `budget_ns`; true when the sums are complete. */
bool tt_summary_states_work(struct tt_summary_states *states, const struct tt_workspace *ws,
                            uint64_t budget_ns);
void tt_summary_states_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                            const struct tt_summary_states *states, struct tt_area line);

/* Requests the sums of the tab's range; a no-op if they are current. */
void tt_summary_total_ask(struct tt_summary_total *total, const struct tt_workspace *ws,
                          const struct tt_summary_table *tab);
/* Continues until `deadline` (tt_now_ns); true when the sums are complete. */
bool tt_summary_total_work(struct tt_summary_total *total, const struct tt_workspace *ws,
                           uint64_t deadline);
/* Draws the totals, and at the right end what is missing or still pending. */
void tt_summary_total_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           const struct tt_summary_total *total, struct tt_area line);

/* Height of the lines below a table of messages, and their drawing. */
#define TT_MESSAGES_FOOT_LINES 3
void tt_messages_foot_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           struct tt_area area);
/* Draws the reason that a table of messages is empty. */
void tt_messages_none_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           struct tt_area area);
/* Draws the parts of a service as a bar over the whole width of a line; nothing if they are unknown. */
void tt_service_draw_bar(const struct tt_workspace *ws, const struct tt_table *table,
                         const struct tt_table_row *row, struct tt_area line);

#endif
