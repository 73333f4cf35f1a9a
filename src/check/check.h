/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the verdicts of rules (check_rules.h) on one capture.
 *
 *      rules ---windows---> tables, by table and window: the sheets of `stats`  ---+
 *                     |---> one walk over the events: counts, sequences, times  ---+--> findings
 *                     '---> health, reactions ------------------------------------+      |
 *                                                                        verdict of each rule
 *
 * A rule is judged by its worst finding, a row or a window that it selects. Each finding is a value
 * and the range in which it could be if the records that are lost were there. A verdict is passed or
 * failed if all values of that range agree, else undecided. docs/check.md has the rules.
 *
 * Times are ticks. A check belongs to one thread; several may run on one indexed trace. The rules, the
 * trace and the path outlive it.
 */
#ifndef TRACETUI_CHECK_CHECK_H
#define TRACETUI_CHECK_CHECK_H

#include "check/check_rules.h"
#include "tracetui/jobs.h"
#include "tracetui/trace.h"

/* X(id, word) */
#define TT_VERDICT_INFO(X)                                                                         \
    X(TT_VERDICT_PASSED, "passed")                                                                 \
    X(TT_VERDICT_UNDECIDED, "undecided")                                                           \
    X(TT_VERDICT_FAILED, "failed")

enum tt_verdict {
#define X(id, word) id,
    TT_VERDICT_INFO(X)
#undef X
};

const char *tt_verdict_word(unsigned verdict);

#define TT_CHECK_WHY 5u /* lines of the reason */

/* The verdict of a rule. Texts are escaped and belong to the check; "": none. */
struct tt_check_result {
    const struct tt_rule *rule;
    enum tt_verdict verdict;
    bool has_value;
    struct tt_decimal value;
    enum tt_rule_unit unit; /* of `value`; TICKS without a clock, or if the limit is in ticks */
    const char *value_text; /* "203.4 us"; "-" without a value */
    const char *limit_text; /* "< 200us" */
    const char *where;      /* the row or the thread: "sensor/1" */
    const char *reason;     /* of an undecided verdict: "records are lost in the window" */
    uint64_t at;            /* place of the value, or UINT64_MAX */
    const char *at_text;    /* the same as a position: "0.002500000s" */
    const char *why[TT_CHECK_WHY]; /* of a failure */
    unsigned why_count;
    const char *command; /* of a failure: opens the capture there */
    uint32_t thread;     /* of the worst finding, or TT_NO_THREAD */
    uint64_t from;       /* its interval of that thread, in ticks; from == to: none */
    uint64_t to;
    const char *kind;        /* of the interval, as in `why`: "delay" */
    size_t matches;          /* findings: rows of the table, or windows */
    const char *warning;     /* of a name in a filter: "the capture has no event 'THREDY'; ..." */
    uint32_t warning_column; /* in the rules file */
};

struct tt_check_request {
    const struct tt_rules *rules;
    struct tt_trace *trace;
    const char *path;            /* for commands */
    struct tt_job_ends job_ends; /* see tt_job_ends_parse */
    const uint64_t *deadlines;   /* as in struct tt_table_request */
    uint32_t deadline_limit;
    bool growing; /* more events follow: only verdicts that they cannot change are final */
    bool explain; /* resolve the selectors only */
};

struct tt_check;

/*
 * Judges all rules on an indexed trace. TT_ERR_MEMORY, TT_ERR_USAGE (a filter that the format does not
 * support). The caller frees *check.
 */
struct tt_status tt_check_run(const struct tt_check_request *request, struct tt_check **check);
/*
 * Does the same in steps, with the same results. tt_check_begin copies the request. tt_check_step
 * continues until `deadline_ns` (tt_now_ns), or for one step: a block of events or a part of a table,
 * but all windows of a `during`. Sets *complete at the end, before which there are no results. After
 * an error the check can only be freed. The trace must not grow in between.
 */
struct tt_status tt_check_begin(const struct tt_check_request *request, struct tt_check **check);
struct tt_status tt_check_step(struct tt_check *check, uint64_t deadline_ns, bool *complete);
/* Returns the progress in percent. */
unsigned tt_check_percent(const struct tt_check *check);
void tt_check_free(struct tt_check *check);
/* Returns the results, in the order of the rules. */
const struct tt_check_result *tt_check_results(const struct tt_check *check, size_t *count);
/* Returns whether bytes of the file were gone. */
bool tt_check_truncated(const struct tt_check *check);

#endif
