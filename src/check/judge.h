/* SPDX-License-Identifier: Apache-2.0 */
/* judge: the state of a check, for the files that judge one kind of rules each. One thread. */
#ifndef TT_CHECK_JUDGE_H
#define TT_CHECK_JUDGE_H

#include "analysis/causes/explain.h"
#include "base/arena.h"
#include "check/check.h"
#include "tracetui/timeline.h"

/* The range that would contain the value if nothing were lost. */
enum tt_doubt {
    TT_DOUBT_NONE,
    TT_DOUBT_MORE,   /* the value or more, up to `most` if it is known */
    TT_DOUBT_LESS,   /* the value or less */
    TT_DOUBT_EITHER, /* any value */
};

#define TT_NO_AT UINT64_MAX

/* A value that a rule is judged by. */
struct tt_finding {
    bool known;
    struct tt_decimal value; /* in the unit of the measure; times in ns, or ticks without a clock */
    uint64_t ticks;          /* of a time: the same in ticks */
    enum tt_doubt doubt;
    bool has_most;
    struct tt_decimal most;
    uint64_t most_ticks;
    uint64_t at;   /* place, or TT_NO_AT */
    uint64_t from; /* interval of `thread` to explain; from == to: none */
    uint64_t to;
    uint32_t thread;   /* or TT_NO_THREAD */
    uint64_t row;      /* event to show first, or UINT64_MAX */
    const char *where; /* in the arena, or "" */
    const char *kind;  /* of the interval, as in `why`: "delay" */
    bool absent;       /* the value is the lower bound: the event did not occur */
};

/* A window of a rule: rows [first_row, end_row), ticks [from, to). */
struct tt_check_window {
    struct tt_key_range keys;
    uint64_t from, to;
    uint64_t first_row, end_row;
};

struct tt_check_windows {
    struct tt_rule_window of;
    struct tt_check_window *items;
    size_t count, capacity;
    struct tt_status status; /* why there are none */
};

/* The worst finding of a rule so far. */
struct tt_judgement {
    bool any;
    enum tt_verdict verdict;
    struct tt_finding worst;
    size_t matches;
    const char *reason;
    uint32_t windows; /* index in the check's list */
};

/* A time in which the records of a CPU are lost. */
struct tt_check_loss {
    uint64_t from, to;
    uint16_t cpu;
    bool of_all; /* those of all CPUs are lost at once */
};

/* The threads that a name selects, one bit each: many rules have the same name. */
struct tt_check_selection {
    const struct tt_rule_name *name;
    uint64_t *threads;
};

/* The stages of a check, in order. */
enum tt_check_stage {
    TT_CHECK_WINDOWS,
    TT_CHECK_TABLES,
    TT_CHECK_ROWS,
    TT_CHECK_EVENTS,
    TT_CHECK_REACTIONS,
    TT_CHECK_RESULTS,
    TT_CHECK_COMPLETE,
};

struct tt_check_tables; /* the state of judge_tables.c */
struct tt_check_rows;   /* the state of judge_rows.c */
struct tt_check_walk;   /* the state of judge_events.c */
struct tt_reacting;     /* the state of judge.c */

struct tt_check {
    struct tt_check_request request;
    enum tt_check_stage stage;
    size_t next;        /* rule of the stage */
    uint32_t next_lane; /* of a reaction: its next thread */
    bool found;         /* a thread that the rule names */
    struct tt_check_tables *tables;
    struct tt_check_rows *rows;
    struct tt_check_walk *walk;
    struct tt_reacting *reacting;
    struct tt_check_selection *selections;
    size_t selection_count, selection_capacity;
    size_t selection_last;    /* index of the one that was used last */
    uint32_t selection_limit; /* threads in each */
    struct tt_check_loss *losses;
    size_t loss_count, loss_capacity;
    struct tt_capture *capture;
    const struct tt_timelines *t; /* NULL: there are no events */
    struct tt_events *events;
    struct tt_wakes *wakes;
    uint64_t first_ticks;
    struct tt_arena texts;
    struct tt_judgement *judged;
    struct tt_check_result *results;
    size_t count;
    struct tt_check_windows *windows;
    uint32_t window_count, window_capacity;
    bool truncated;
};

/* ---- findings ----------------------------------------------------------------------------- */

/* Returns a finding without a place. */
struct tt_finding tt_finding_of(uint64_t number, unsigned decimals);
/* Returns the number of a cell that has one, a negative one as 0. */
struct tt_decimal tt_check_number(const struct tt_table_cell *cell);
/* Returns a finding of a time. */
struct tt_finding tt_finding_time(const struct tt_check *check, uint64_t ticks);
/* Judges a finding and keeps it if it is worse than the others of the rule. */
void tt_check_add_finding(struct tt_check *check, size_t rule, const struct tt_finding *finding);
/* Sets the reason of a rule without findings; the first one counts. */
void tt_check_miss(struct tt_check *check, size_t rule, const char *reason);
/* Writes the result of a rule. */
struct tt_status tt_check_result_make(struct tt_check *check, size_t rule);
/* Warns of a name in the rule's filters that is probably misspelled. */
void tt_check_warn(struct tt_check *check, size_t rule);
/* Explains a failure and writes the command that opens it. */
struct tt_status tt_check_explain(struct tt_check *check, size_t rule,
                                  const struct tt_finding *worst);
/* Returns a copy of a text in the arena; "" if out of memory. */
const char *tt_check_text(struct tt_check *check, const struct tt_text *text);
const char *tt_check_line(struct tt_check *check, const char *text);
/* Appends a position as the prompt reads it: 0.002500000s, 500t. */
void tt_check_place(const struct tt_check *check, struct tt_text *text, uint64_t ticks);

struct tt_tester;
/*
 * Prepares a filter of a rule, unless it is; `column` is that of the filter, for errors: FILE:LINE:COLUMN. The
 * caller frees plan and worker, also after an error.
 */
struct tt_status tt_check_make_tester(struct tt_check *check, const struct tt_rule *rule,
                                      uint32_t filter, uint32_t column, struct tt_tester *tester);

/* ---- losses ------------------------------------------------------------------------------- */

/* Returns whether records are lost in a window, or more of them follow. */
bool tt_check_lost(const struct tt_check *check, const struct tt_check_window *window);
/* Does the same for a lane: the state of the thread is unknown at a loss in the window. */
bool tt_check_lost_lane(const struct tt_check *check, uint32_t thread,
                        const struct tt_check_window *window);
/*
 * Does the same for a lane that has a state during a loss on another CPU: the thread may have run
 * there, so that its recorded times are too long or too short.
 */
bool tt_check_lost_elsewhere(const struct tt_check *check, uint32_t thread,
                             const struct tt_check_window *window);
/* Finds the losses of each CPU. */
struct tt_status tt_check_find_losses(struct tt_check *check);
bool tt_check_lost_cpu(const struct tt_check *check, uint16_t cpu,
                       const struct tt_check_window *window);

/* ---- kinds of rules ----------------------------------------------------------------------- */

/* Resolves the windows of a rule. */
struct tt_status tt_check_resolve_windows(struct tt_check *check, size_t rule);
/*
 * Judge the tables, their rows and the events until `deadline_ns`, or for one step; *over: that was the last one.
 * The free functions may be called at any time.
 */
struct tt_status tt_check_judge_tables(struct tt_check *check, uint64_t deadline_ns, bool *over);
struct tt_status tt_check_judge_rows(struct tt_check *check, uint64_t deadline_ns, bool *over);
struct tt_status tt_check_judge_events(struct tt_check *check, uint64_t deadline_ns, bool *over);
void tt_check_free_tables(struct tt_check *check);
void tt_check_free_rows(struct tt_check *check);
void tt_check_free_walk(struct tt_check *check);
/* Return the progress of the tables and of the events in percent. */
unsigned tt_check_tables_percent(const struct tt_check *check);
unsigned tt_check_walk_percent(const struct tt_check *check);

/* Returns whether a name selects a thread; idle threads only by their exact name. */
bool tt_check_selects_thread(struct tt_check *check, const struct tt_rule_name *name,
                             uint32_t thread);
void tt_check_free_selections(struct tt_check *check);
/* Returns whether a name selects a process, or another text. */
bool tt_check_selects_process(const struct tt_check *check, const struct tt_rule_name *name,
                              uint32_t process);
bool tt_check_selects_text(const struct tt_rule_name *name, const char *text, size_t length);
/* Returns whether a name selects the thread, process, number or text of a cell; "-": an unknown one. */
bool tt_check_selects_cell(struct tt_check *check, const struct tt_table_run *run,
                           const struct tt_rule_name *name, const struct tt_table_column *column,
                           const void *row);
/* Sets the reason that no row matches, with the nearest name of a thread or process. */
void tt_check_miss_name(struct tt_check *check, size_t rule);
/* Compare the names of a thread or a process with a word. */
struct tt_nearest_word;
void tt_check_try_thread(struct tt_check *check, struct tt_nearest_word *search, uint32_t thread);
void tt_check_try_process(struct tt_check *check, struct tt_nearest_word *search, uint32_t process);

#endif
