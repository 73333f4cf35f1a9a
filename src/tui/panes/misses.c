/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misses: the list of jobs that missed their deadline.
 *
 *       misses: sensor/1=150us                               3 of 16 jobs missed the deadline
 *      ─ by the time over the deadline ──────
 *          over by   response   deadline  begin of the job  thread
 *      ▌  10.73 µs   160.7 µs     150 µs  0.015 000 262     sensor/1 sampler
 *
 * It covers the view below it. A sorted array refers to the misses of the model, which are in order of
 * thread and time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/panes/pane.h"

#define WIDTH      10 /* of a duration */
#define TIME_WIDTH 17
#define LIST_Y     3

struct key {
    uint64_t first; /* smaller ones come first, */
    uint32_t miss;  /* then earlier ones */
};

struct misses_pane {
    struct tt_list list;
    bool by_time;
    struct key *keys;
    size_t sorted;    /* number of keys */
    uint32_t number;  /* timelines, */
    unsigned version; /* settings, */
    bool of_time;     /* and order of the keys */
    bool laid_out;    /* with all misses */
};

static void misses_close(void *state)
{
    free(((struct misses_pane *)state)->keys);
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

/* ---- order -------------------------------------------------------------------------------- */

static int compare_keys(const void *x, const void *y)
{
    const struct key *left = x, *right = y;
    return left->first != right->first ? (left->first > right->first) - (left->first < right->first)
                                       : (left->miss > right->miss) - (left->miss < right->miss);
}

/* Returns whether the misses have changed so far that they are sorted again. */
static bool is_stale(const struct misses_pane *pane, const struct tt_job_settings *jobs)
{
    bool same = pane->number == jobs->number && pane->version == jobs->of_version &&
                pane->of_time == pane->by_time && pane->sorted <= jobs->count;
    return !same || (jobs->complete ? pane->sorted < jobs->count
                                    : pane->sorted < jobs->count / 2 ||
                                          (pane->sorted == 0 && jobs->count > 0));
}

/* Sorts the misses found so far; a cursor on a miss stays on it if the order changes. */
static void misses_sort(struct misses_pane *pane, const struct tt_job_settings *jobs)
{
    struct key *keys = malloc((jobs->count + 1) * sizeof *keys);
    if (!keys) {
        return; /* the list stays as it is */
    }
    bool follows = pane->of_time != pane->by_time && pane->list.at < pane->sorted;
    uint32_t chosen = follows ? pane->keys[pane->list.at].miss : 0;
    for (uint32_t i = 0; i < jobs->count; i++) {
        const struct tt_miss *miss = &jobs->misses[i];
        keys[i] = (struct key){
            pane->by_time ? miss->ready : UINT64_MAX - (miss->end - miss->deadline), i};
    }
    qsort(keys, jobs->count, sizeof *keys, compare_keys);
    for (size_t i = 0; follows && i < jobs->count; i++) {
        pane->list.at = keys[i].miss == chosen ? i : pane->list.at;
    }
    free(pane->keys);
    pane->keys = keys;
    pane->sorted = jobs->count;
    pane->number = jobs->number;
    pane->version = jobs->of_version;
    pane->of_time = pane->by_time;
}

static void misses_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct misses_pane *pane = state;
    tt_jobs_refresh(ws);
    pane->laid_out = tt_jobs_work(ws, tt_now_ns());
    if (is_stale(pane, &ws->jobs)) {
        misses_sort(pane, &ws->jobs);
    }
    size_t count = pane->sorted <= ws->jobs.count ? pane->sorted : 0;
    tt_list_layout(&pane->list, count, LIST_Y, area.height - LIST_Y);
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

static const struct tt_miss *miss_at(const struct tt_workspace *ws, const struct misses_pane *pane,
                                     size_t index)
{
    return index < pane->list.count ? &ws->jobs.misses[pane->keys[index].miss] : NULL;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void misses_write_line(const struct tt_workspace *ws, const void *arg, size_t index,
                              struct tt_text *text)
{
    const struct tt_miss *miss = miss_at(ws, arg, index);
    tt_pane_duration(ws, text, miss->end - miss->deadline, WIDTH);
    tt_text_char(text, ' ');
    tt_pane_duration(ws, text, miss->end - miss->ready, WIDTH);
    tt_text_char(text, ' ');
    tt_pane_duration(ws, text, miss->deadline - miss->ready, WIDTH);
    tt_text_str(text, "  ");
    size_t start = text->used;
    tt_time_label_moment(ws, text, miss->ready);
    size_t used = text->used - start;
    tt_text_fill(text, ' ', used < TIME_WIDTH ? TIME_WIDTH - used : 0);
    tt_text_char(text, ' ');
    tt_line_thread(text, ws->opened.capture, miss->thread);
}

static void draw_misses_title(const struct tt_workspace *ws, struct tt_area area)
{
    char left[TT_PANE_LINE], right[128];
    struct tt_text title = tt_text_of(left, sizeof left), text = tt_text_of(right, sizeof right);
    if (ws->jobs.failed) {
        tt_text_str(&text, "out of memory");
    } else {
        tt_jobs_write_counts(ws, &text);
    }
    tt_text_str(&title, "misses: ");
    tt_text_escaped(&title, ws->jobs.deadlines, strlen(ws->jobs.deadlines));
    tt_pane_title(area, &title, &text, ws->jobs.failed ? TT_ROLE_ERROR : TT_ROLE_PROGRESS);
}

/* Appends which misses are listed, if not all are. */
static void misses_put_limit(const struct tt_workspace *ws, struct tt_text *text)
{
    if (ws->jobs.missed > ws->jobs.count) {
        tt_text_put(text, "only the first %'ju of %'ju, thread by thread", ws->jobs.count,
                    ws->jobs.missed);
    }
}

static void misses_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    static const char *const heads[] = {"over by", "response", "deadline"};
    const struct misses_pane *pane = state;
    char buffer[TT_PANE_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    draw_misses_title(ws, area);
    tt_text_put(&text, "%s%s", pane->by_time ? " by time" : " by the time over the deadline",
                ws->jobs.missed > ws->jobs.count ? ": " : "");
    misses_put_limit(ws, &text);
    tt_text_char(&text, ' ');
    tt_pane_rule(ws, area, 1, tt_text_cstr(&text));
    for (int i = 0; i < 3; i++) {
        tt_draw_right(area, 1 + i * (WIDTH + 1), 2, WIDTH, TT_ROLE_COLUMNS, heads[i]);
    }
    int x = 3 * (WIDTH + 1) + 2;
    tt_draw(area, x, 2, area.width - x, TT_ROLE_COLUMNS, "begin of the job  thread");
    if (pane->list.count == 0) {
        tt_draw(area, 1, LIST_Y, area.width - 2, TT_ROLE_DIM,
                ws->jobs.complete ? "no job missed its deadline" : "");
    }
    tt_pane_lines(ws, &pane->list, area, misses_write_line, pane);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Writes a miss as a row of CSV, or the header: NULL. */
static bool misses_write_row(const struct tt_capture *capture, const struct tt_miss *miss,
                             FILE *file)
{
    char buffer[TT_PANE_LINE];
    const struct tt_miss none = {.thread = TT_NO_THREAD};
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_fields fields = tt_fields_begin(&text, miss ? TT_FIELDS_CSV : TT_FIELDS_HEADER);
    miss = miss ? miss : &none;
    tt_field_thread(&fields, capture, "thread", miss->thread);
    tt_field_time(&fields, capture, "ready", miss->ready);
    tt_field_time(&fields, capture, "end", miss->end);
    tt_field_time(&fields, capture, "response", miss->end - miss->ready);
    tt_field_time(&fields, capture, "deadline", miss->deadline - miss->ready);
    tt_field_time(&fields, capture, "over", miss->end - miss->deadline);
    tt_fields_end(&fields);
    return fwrite(buffer, 1, text.used, file) == text.used;
}

static struct tt_status misses_write(struct tt_workspace *ws, void *state, FILE *file,
                                     const char *path, struct tt_text *what)
{
    const struct misses_pane *pane = state;
    const struct tt_capture *capture = ws->opened.capture;
    (void)path;
    bool ok = misses_write_row(capture, NULL, file);
    for (size_t i = 0; i < pane->list.count && ok; i++) {
        ok = misses_write_row(capture, miss_at(ws, pane, i), file);
    }
    tt_text_put(what, "%'ju%s%s%s", pane->list.count, pane->list.count == 1 ? " row" : " rows",
                ws->jobs.complete ? "" : " so far", ws->jobs.missed > ws->jobs.count ? ", " : "");
    misses_put_limit(ws, what);
    return ok ? tt_ok() : tt_error_errno(errno, "write");
}

static void misses_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct misses_pane *pane = state;
    (void)all;
    if (miss_at(ws, pane, pane->list.at)) {
        misses_write_line(ws, pane, pane->list.at, text);
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool misses_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct misses_pane *pane = state;
    const struct tt_miss *miss = miss_at(ws, pane, pane->list.at);
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
    case TT_DO_SORT:
        pane->by_time = !pane->by_time;
        return true;
    default:
        return false;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct misses_pane, by_time),
    {0, 0},
};

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY,  TT_DO_SORT,   TT_DO_WRITE,
    TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
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
    {TT_DO_SORT, "sort", "sort by the time over the deadline, or by time"},
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
    .copy = misses_copy,
    .file = "misses.csv",
    .write = misses_write,
    .saved = saved,
};
