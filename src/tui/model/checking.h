/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checking: the rules and verdicts of the Check pane, as `tracetui check` (docs/check.md). The capture
 * is judged in steps, after indexing; the verdicts are known at the end. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_CHECKING_H
#define TRACETUI_TUI_MODEL_CHECKING_H

#include "tracetui/check_report.h"

#define TT_CHECKING_PATH 1024u
#define TT_CHECKING_FILE "rules.check" /* where the first rule is written */

struct tt_workspace;

struct tt_checking {
    char path[TT_CHECKING_PATH]; /* of the rules file; "": none */
    struct tt_rules *rules;      /* NULL: there are none */
    struct tt_check *check;      /* under way, not complete */
    struct tt_check_file judged; /* the verdicts; judged.check NULL: there are none yet */
    size_t *order;               /* indices of the results: failed, undecided, passed */
    size_t wanted;               /* rule to select once there are verdicts; SIZE_MAX: none */
    struct tt_status status;     /* why the capture could not be judged */
    uint64_t rows;               /* of the capture when judging began */
    /* State at the begin of the check under way; a change of one of them restarts it. */
    uint32_t timelines;
    uint32_t threads;
    const uint64_t *deadlines;
};

/*
 * Reads a rules file; Check judges the capture by it from now on. A file that cannot be read is an
 * error, and the previous rules stay. Wrong lines are no error: `rules` has them, and nothing is judged.
 */
struct tt_status tt_checking_begin(struct tt_workspace *ws, const char *path);
/*
 * Appends a rule to the open rules file, or to `path`, or to TT_CHECKING_FILE, which is created, and reads
 * that file. TT_ERR_USAGE: it is no rule; TT_ERR_IO.
 */
struct tt_status tt_checking_add(struct tt_workspace *ws, const char *path, const char *rule);
/* Judges again if the capture has grown since the last time. */
void tt_checking_refresh(struct tt_workspace *ws);
/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
bool tt_checking_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Returns the number of wrong lines of the rules. */
size_t tt_checking_errors(const struct tt_checking *c);
/* Returns the result on a line of the list, below judged.count; the check must be complete. */
const struct tt_check_result *tt_checking_result(const struct tt_checking *c, size_t line);
/* Frees the verdicts; call it before the capture is closed. */
void tt_checking_drop(struct tt_checking *c);
/* Frees the rules too. */
void tt_checking_free(struct tt_checking *c);

#endif
