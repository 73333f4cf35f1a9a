/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the rules of a file with their verdicts on the capture, as `tracetui check` (docs/check.md). The
 * capture is judged in steps, after indexing; the verdicts are known at the end. One thread.
 */
#ifndef TRACETUI_TUI_PANES_CHECK_H
#define TRACETUI_TUI_PANES_CHECK_H

#include "check/check_report.h"
#include "tui/list/rows.h"

#define TT_CHECK_PATH 1024u
#define TT_CHECK_FILE "rules.check" /* where the first rule is written */

struct tt_check_pane {
    struct tt_rows rows;         /* of verdicts; or its list is of the errors of the rules */
    int details;                 /* line above the details; 0: there is no room */
    char path[TT_CHECK_PATH];    /* of the rules file; "": none */
    struct tt_rules *rules;      /* NULL: there are none */
    struct tt_check *check;      /* under way, not complete */
    struct tt_check_file judged; /* the verdicts; judged.check NULL: there are none yet */
    size_t *order;               /* indices of the results: failed, undecided, passed */
    size_t wanted;               /* rule to select once there are verdicts; SIZE_MAX: none */
    bool laid_out;               /* with the verdicts */
    struct tt_status status;     /* why the capture could not be judged */
    uint64_t events;             /* of the capture when judging began */
    unsigned version;            /* of the verdicts */
    /* State at the begin of the check under way; a change of one of them restarts it. */
    uint32_t timelines;
    uint32_t threads;
    const uint64_t *deadlines;
};

#endif
