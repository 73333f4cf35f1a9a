/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misses: the list of jobs that missed their deadline.
 *
 *       misses: sensor/1=150us                               3 of 16 jobs missed the deadline
 *          over by   response   deadline  begin of the job  thread
 *      ▌  10.73 µs   160.7 µs     150 µs  0.015 000 262     sensor/1 sampler
 *       over by: Time from the deadline to the end of the job.
 *
 * It covers the view below it. The misses of the model are in order of thread and time.
 */
#include <string.h>

#include "base/clock.h"
#include "table/columns.h"
#include "tui/panes/pane.h"

struct misses_pane {
    struct tt_rows rows;
    bool laid_out; /* with all misses */
};

static void misses_close(void *state)
{
    tt_rows_free(state);
}

/* Lists the misses of the deadlines, which are set. */
static struct tt_status misses_begin(struct tt_workspace *ws, void *state, const char *text,
                                     const char **result)
{
    (void)state;
    (void)text;
    *result = ws->jobs.deadlines;
    return tt_ok();
}

/* ---- rows --------------------------------------------------------------------------------- */

struct miss_row {
    struct tt_miss miss;
    uint64_t response, deadline, over;
};

#define ROW struct miss_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    COLUMN("thread", "thread", LANE_NAME, miss.thread, SCREEN("", "thread", 0, 5), "Process, number and name of the thread.", .is_key = true),
    COLUMN("ready", "ready", AT, miss.ready, SCREEN("", "begin of the job", 1, 4), "When the thread became ready: the begin of the job.", .is_key = true),
    COLUMN("end", "end", AT, miss.end, OFF_SCREEN, "When the job ended."),
    COLUMN("response", "response", TIME_US, response, SCREEN("", "response", 3, 2), "Time from ready to the end of the job."),
    COLUMN("deadline", "deadline", TIME_US, deadline, SCREEN("", "deadline", 4, 3), "The longest response that the deadline permits."),
    COLUMN("over", "over", TIME_US, over, SCREEN("", "over by", 2, 1), "Time from the deadline to the end of the job."),
};
/* clang-format on */

static const struct tt_table table_misses = {
    NAMES("miss", "Misses", "A job that missed its deadline.", "[thread]"),
    COLUMNS(columns),
    .row_size = sizeof(struct miss_row),
    .is_overall = true,
    .order = "over",
};

static void misses_make(const struct tt_workspace *ws, const void *state, size_t index,
                        struct tt_table_row *row)
{
    const struct tt_miss *miss = &ws->jobs.misses[index];
    (void)state;
    *(struct miss_row *)(void *)row = (struct miss_row){.miss = *miss,
                                                        .response = miss->end - miss->ready,
                                                        .deadline = miss->deadline - miss->ready,
                                                        .over = miss->end - miss->deadline};
}

/* Appends which misses are listed, if not all are. */
static void misses_note(const struct tt_workspace *ws, const void *state, struct tt_text *text)
{
    (void)state;
    tt_text_str(text, ws->jobs.complete ? "" : " so far");
    if (ws->jobs.missed > ws->jobs.count) {
        tt_text_put(text, ", only the first %'zu of %'ju, thread by thread", ws->jobs.count,
                    ws->jobs.missed);
    }
}

static const struct tt_rows_of rows_of_misses = {
    .table = &table_misses,
    .make = misses_make,
    .note = misses_note,
};

static void misses_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct misses_pane *pane = state;
    tt_jobs_refresh(ws);
    pane->laid_out = tt_jobs_work(ws, tt_now_ns());
    tt_rows_layout(ws, &pane->rows, &rows_of_misses, ws->jobs.count,
                   ws->jobs.number + ws->jobs.of_version, ws->jobs.complete, 1, area.height - 1);
}

static bool misses_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    const struct misses_pane *pane = state;
    return tt_jobs_work(ws, tt_now_ns() + budget_ns) && (budget_ns > 0 || pane->laid_out);
}

static bool misses_settled(const struct tt_workspace *ws, const void *state)
{
    (void)state;
    return !ws->jobs.deadlines[0] || ws->jobs.complete || ws->jobs.failed;
}

static void misses_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct misses_pane *pane = state;
    char left[TT_PANE_LINE], right[128];
    struct tt_text title = tt_text_of(left, sizeof left), text = tt_text_of(right, sizeof right);
    if (ws->jobs.failed) {
        tt_text_str(&text, "out of memory");
    } else {
        tt_jobs_write_counts(ws, &text);
    }
    if (ws->jobs.missed > ws->jobs.count) {
        tt_text_put(&text, ", listed: the first %'zu, thread by thread", ws->jobs.count);
    }
    tt_text_put(&title, "misses: %s", ws->jobs.deadlines);
    tt_pane_title(area, &title, &text, ws->jobs.failed ? TT_ROLE_ERROR : TT_ROLE_PROGRESS);
    tt_rows_draw(ws, &pane->rows, &rows_of_misses, area);
    if (pane->rows.list.count == 0 && ws->jobs.complete) {
        tt_draw(area, 1, pane->rows.list.y, area.width - 2, TT_ROLE_DIM,
                "no job missed its deadline");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool misses_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    const struct misses_pane *pane = state;
    const size_t at = tt_rows_at(&pane->rows, pane->rows.list.at);
    const struct tt_miss *miss = at < ws->jobs.count ? &ws->jobs.misses[at] : NULL;
    switch (action) {
    case TT_DO_GO:
        if (miss) {
            ws->nav.overlay = TT_OVERLAY_NONE;
            tt_jobs_show_miss(ws, miss);
        }
        return true;
    case TT_DO_WHY:
        if (miss) {
            tt_pane_explain(ws, miss->thread, miss->ready, miss->end, "range");
        }
        return true;
    default:
        return false;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct misses_pane, rows.chosen),
    TT_MEMBER(struct misses_pane, rows.sorted),
    TT_MEMBER(struct misses_pane, rows.upwards),
    {0, 0},
};

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY,  TT_DO_COLUMN_RIGHT, TT_DO_SORT,    TT_DO_WRITE,
    TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL,       TT_DO_NOTHING,
};

static const char *const about[] = {
    "The jobs whose response was longer than the deadline of their thread; `dump --jobs` prints "
    "all jobs. :deadline opens the list again, D and A go from miss to miss.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to this job, in the lanes; :deadline returns"},
    {TT_DO_WHY, "why", "explain what the thread did in this job"},
    {TT_DO_WRITE, "csv", "write the listed misses to a file"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_misses = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct misses_pane),
    .close = misses_close,
    .begin = misses_begin,
    .list = tt_pane_list,
    .layout = misses_layout,
    .work = misses_work,
    .settled = misses_settled,
    .draw = misses_draw,
    .act = misses_act,
    .dismiss = tt_pane_dismiss,
    .rows = &rows_of_misses,
    .file = "misses.csv",
    .saved = saved,
};
