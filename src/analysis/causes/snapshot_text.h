/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot_text: the values of a snapshot's rows as text, and the tree of what threads wait for.
 *
 *      timer                                   root: what a row waits for, if that is no thread
 *        sensor/1 sample NANOSLEEP             indent 1: waits for the root
 *          hmi/1 render REPLY                  indent 2: waits for the thread above
 *      netmgr/2 worker RUNNING                 indent 0: waits for nothing
 *      idle                                    root: the threads below wait for their next message
 *
 * Texts are appended to a buffer of the caller. A tree owns its lines. One thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_SNAPSHOT_TEXT_H
#define TRACETUI_ANALYSIS_CAUSES_SNAPSHOT_TEXT_H

#include "analysis/causes/snapshot.h"
#include "tracetui/text.h"

/* The source of the texts. All rows are linked. */
struct tt_snapshot_scene {
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    const struct tt_snapshot *snapshot;
    struct tt_events
        *events; /* in which the page of a page fault is searched; NULL: it is not named */
};

/* The windows before the instant, for which the run time of a thread is computed. */
#define TT_SNAPSHOT_RUNS 4

struct tt_snapshot_run {
    const char *head;
    uint64_t ns;
};
extern const struct tt_snapshot_run tt_snapshot_runs[TT_SNAPSHOT_RUNS];

/* Returns the ticks that a thread ran in a window, without interrupts; UINT64_MAX without a clock. */
uint64_t tt_snapshot_run(const struct tt_snapshot_scene *scene, uint32_t thread, unsigned window);

/* Appends the same, but nothing for a ready thread. */
bool tt_snapshot_put_blocked_on(struct tt_text *text, const struct tt_capture *capture,
                                const struct tt_snapshot_row *row);
/*
 * Appends the chain: "logger/1 > netmgr/2". What ends a wait for no lock and no answer comes after
 * "next: ": it is known only later. The page of a page fault is known: "page libc.so.5, next: timer".
 */
bool tt_snapshot_put_chain(struct tt_text *text, const struct tt_snapshot_scene *scene,
                           const struct tt_snapshot_row *row);
/* Appends the chain, or why there is none; of an idle thread "idle, next: sh/1 > timer". */
bool tt_snapshot_put_wait(struct tt_text *text, const struct tt_snapshot_scene *scene,
                          const struct tt_snapshot_row *row);
/* Appends the root of a tree. */
void tt_snapshot_put_root(struct tt_text *text, const struct tt_capture *capture,
                          const struct tt_snapshot_row *row);
/* Appends the kernel call and the interrupts of a CPU: "in MSG_SENDV  interrupt 14, nested 2". */
bool tt_snapshot_put_cpu(struct tt_text *text, const struct tt_capture *capture,
                         const struct tt_snapshot_cpu *cpu);

struct tt_snapshot_line {
    uint32_t row;
    uint32_t indent;
    bool root; /* what the row waits for; the row itself is another line */
};

struct tt_snapshot_tree {
    struct tt_snapshot_line *lines;
    uint32_t count;
};

/*
 * Builds the tree of the rows that `wanted` accepts; each has one line. `*tree` is {0} or the result
 * of a previous call. O(rows) for a bounded number of roots. Returns false if out of memory.
 */
bool tt_snapshot_tree_make(struct tt_snapshot_tree *tree, const struct tt_snapshot *snapshot,
                           bool (*wanted)(const void *arg, const struct tt_snapshot_row *row),
                           const void *arg);
void tt_snapshot_tree_free(struct tt_snapshot_tree *tree);

#endif
