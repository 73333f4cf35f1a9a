/* SPDX-License-Identifier: Apache-2.0 */
/* summary/table: the numbers of one table, and the order of its rows. */
#include "tui/views/summary/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "print/print.h"
#include "tracetui/event_line.h"
#include "tracetui/jobs.h"
#include "tui/model/visible_rows.h"
#include "tui/model/workspace.h"

#define CSV_BYTES (4 * 2 * TT_TABLE_CELL_BYTES) /* a row with its longest names, quoted */
/* Intervals or events processed between two checks of the clock: as many as take about STEP_NS. */
#define WORK_LEAST    50u /* explained intervals decode events */
#define WORK_MOST     2000u
#define WORK_LANES    5000u /* the first step of lanes: those of a small capture at once */
#define STEP_NS       UINT64_C(200000)
#define ROWS_AT_ONCE  4096u
#define GIVEN_AT_ONCE ((size_t)1 << 20) /* bytes */
/* Rows whose columns are measured between two checks of the clock. */
#define MEASURED_AT_ONCE 250u
/* While the index grows, complete numbers are recomputed after this time. */
#define AGAIN_NS UINT64_C(1000000000)
/* Maximum rows of pairs: only the most frequent ones, as there may be a million. */
#define PAIRS_MOST 2000u
/* Time of a layout for arranging rows: usually enough for all of them. */
#define ARRANGE_NS UINT64_C(400000)
/* While numbers are incomplete, their rows are arranged for a part of the time: 1 / ARRANGE_REST. */
#define ARRANGE_REST 50u
/* Maximum rows of single messages: the longest. */
#define MESSAGES_MOST 1000u

/* ---- ranges ------------------------------------------------------------------------------- */

static const char *const scope_names[TT_SCOPE_COUNT] = {
#define X(id, name) name,
    TT_SCOPE_INFO(X)
#undef X
};

bool tt_summary_range_of(const struct tt_workspace *ws, enum tt_scope scope,
                         struct tt_summary_range *range)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    const struct tt_bookmark *marks = ws->nav.marks;
    uint64_t from, to;
    int first, second;
    range->scope = scope;
    range->keys = (struct tt_key_range){.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    if (scope == TT_SCOPE_SELECTION && tt_viewport_selection(viewport, &from, &to)) {
        range->keys = (struct tt_key_range){.from_ticks = from, .to_ticks = to};
    } else if (scope == TT_SCOPE_SELECTION) {
        if (!tt_bookmarks_two(&ws->nav, &first, &second)) {
            return false;
        }
        range->keys = (struct tt_key_range){.from_ticks = marks[first].ticks,
                                            .from_pos = marks[first].pos,
                                            .to_ticks = marks[second].ticks,
                                            .to_pos = marks[second].pos};
    } else if (scope == TT_SCOPE_VIEW && !viewport->all && viewport->to > viewport->from) {
        range->keys = (struct tt_key_range){.from_ticks = viewport->from, .to_ticks = viewport->to};
    }
    return true;
}

void tt_summary_range_ends(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           uint64_t *from, uint64_t *to)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    *from = range->keys.from_ticks > bounds.begin ? range->keys.from_ticks : bounds.begin;
    *to = range->keys.to_ticks < bounds.end ? range->keys.to_ticks : bounds.end - 1;
}

void tt_summary_moment(const struct tt_workspace *ws, uint64_t ticks, size_t decimals,
                       struct tt_text *text)
{
    const struct tt_capture *capture = ws->opened.capture;
    char buffer[64];
    struct tt_text whole = tt_text_of(buffer, sizeof buffer);
    tt_line_time(&whole, capture,
                 tt_relative_ticks(capture, ticks, ws->index.progress.first_ticks));
    const char *point = memchr(buffer, '.', whole.used);
    const size_t most = point ? (size_t)(point - buffer) + 1 + decimals : whole.used;
    tt_text_bytes(text, buffer, most < whole.used ? most : whole.used);
}

void tt_summary_range_text(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           struct tt_text *text)
{
    uint64_t from, to, hz = ws->opened.capture->clock_hz;
    tt_summary_range_ends(ws, range, &from, &to);
    size_t decimals = 4; /* more, until the range is at least ten units of the last one */
    for (uint64_t part = hz / 1000; decimals < 9 && part > 0 && to - from < part; part /= 10) {
        decimals++;
    }
    tt_text_put(text, "%s ", scope_names[range->scope]);
    tt_summary_moment(ws, from, decimals, text);
    tt_text_str(text, "..");
    tt_summary_moment(ws, to, decimals, text);
    tt_text_str(text, hz ? " s" : " ticks");
}

/* ---- lifetime ----------------------------------------------------------------------------- */

void tt_summary_table_open(struct tt_summary_table *tab, const struct tt_table *table)
{
    memset(tab, 0, sizeof *tab);
    tab->table = table;
    tt_summary_columns_open(&tab->columns, table);
    const struct tt_summary_column *order = tt_summary_column_find(&tab->columns, table->order);
    tab->sorted = tab->chosen = order ? (unsigned)(order - tab->columns.v) : 0;
    tab->downwards = table != &tt_table_cpus;
    tab->hides_idle = table == &tt_table_blame;
    tab->list.end = -1;
}

/* Frees the rest of the previous numbers: all of it, or one step's worth. */
static void free_discarded(struct tt_summary_table *tab, bool all)
{
    if (tab->has_discarded && (all || !tt_table_shrink(&tab->discarded, GIVEN_AT_ONCE))) {
        tt_table_free(&tab->discarded);
        tab->has_discarded = false;
    }
}

/* Drops the numbers. A large table is freed in steps after the next frame, not to block keys. */
static void drop_numbers(struct tt_summary_table *tab)
{
    tt_summary_arrange_free(tab);
    if (tab->has_ahead) {
        tt_table_free(&tab->ahead);
        tab->has_ahead = false;
    }
    free_discarded(tab, true); /* usually already freed */
    tab->discarded = tab->sheet;
    tab->has_discarded = tab->discarded.state != NULL;
    memset(&tab->sheet, 0, sizeof tab->sheet);
    tt_summary_columns_renew(&tab->columns, true);
    tab->unmeasured = false;
    tt_row_owners_free(&tab->owners);
    tab->finds_owners = false;
}

void tt_summary_table_renew(struct tt_summary_table *tab)
{
    drop_numbers(tab);
    free_discarded(tab, true);
    tab->begun = tab->stopped = tab->failed = false;
    tab->count = 0;
    tab->list = (struct tt_list){.end = -1};
}

void tt_summary_table_close(struct tt_summary_table *tab)
{
    drop_numbers(tab);
    free_discarded(tab, true);
    free(tab->rows);
    free(tab->deadlines);
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Returns the version of the active filters; 0: nothing is filtered out. */
static unsigned filters_of(const struct tt_workspace *ws)
{
    return tt_filter_stack_all_shown(&ws->filters.stack) ? 0 : 1 + ws->filters.stack.shown_version;
}

/* Returns whether the results of the filters are known; a stopped run counts as known. */
static bool filters_known(const struct tt_workspace *ws)
{
    const struct tt_filter_stack *stack = &ws->filters.stack;
    return tt_filter_stack_all_shown(stack) || tt_row_set_whole(stack->shown) ||
           (!tt_filter_stack_busy(stack) && !ws->filters.find.more);
}

static bool row_is_shown(const void *ws, uint64_t row)
{
    return tt_visible_has(ws, row);
}

/* Returns whether the numbers are of this range, or of a part of it that was the whole before the capture grew. */
static bool summary_table_is_asked(const struct tt_summary_table *tab,
                                   const struct tt_workspace *ws,
                                   const struct tt_summary_range *range)
{
    const struct tt_summary_range *own = tab->has_ahead ? &tab->ahead_range : &tab->range;
    const struct tt_key_range *left = &own->keys, *right = &range->keys;
    const bool same = left->from_ticks == right->from_ticks && left->from_pos == right->from_pos &&
                      left->to_ticks == right->to_ticks && left->to_pos == right->to_pos;
    const bool follows = ws->index.following.at_end && own->scope == range->scope;
    return tab->begun && (same || follows) && tab->filters == filters_of(ws) &&
           (tab->table != &tt_table_jobs || tab->jobs == ws->jobs.version) &&
           (tab->table != &tt_table_lanes ||
            tab->lanes == tt_lane_list_now(ws->opened.capture->lanes));
}

/* Returns whether the numbers are the latest ones, or recent enough until newer ones exist. */
static bool is_recent(const struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    const bool busy = tab->has_ahead || (!tab->sheet.complete && !tab->stopped);
    return (tab->built_rows == ws->index.rows &&
            tab->built_finished == ws->index.progress.finished) ||
           (!ws->index.progress.finished && (busy || tt_now_ns() - tab->built_at < AGAIN_NS));
}

/* Copies the deadlines, which may be replaced while the table is computed. */
static void set_job_rules(struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    const struct tt_job_settings *jobs = &ws->jobs;
    size_t size = jobs->limits.count * sizeof *tab->deadlines;
    tab->jobs = jobs->version;
    tab->request.job_ends = jobs->job_ends;
    free(tab->deadlines);
    tab->deadlines = size > 0 ? malloc(size) : NULL;
    tab->failed |= size > 0 && !tab->deadlines;
    if (tab->deadlines) {
        memcpy(tab->deadlines, jobs->limits.ticks, size);
        tab->request.deadlines = tab->deadlines;
        tab->request.deadline_limit = jobs->limits.count;
    }
}

static void summary_table_begin(struct tt_summary_table *tab)
{
    struct tt_table_run *run = tab->has_ahead ? &tab->ahead : &tab->sheet;
    struct tt_status status = tt_table_begin(run, &tab->request);
    tab->failed = tt_failed(&status);
}

void tt_summary_table_ask(struct tt_summary_table *tab, struct tt_workspace *ws,
                          const struct tt_summary_range *range, bool again)
{
    const bool asked = !again && summary_table_is_asked(tab, ws, range);
    if (asked && is_recent(tab, ws)) {
        tab->range.scope = range->scope;
        return;
    }
    if (!ws->opened.search_events) {
        ws->opened.search_events = tt_events_new(ws->opened.trace);
    }
    if (!filters_known(ws)) {
        tab->range = tab->begun ? tab->range : *range;
        return;
    }
    tab->ahead_of = ws->index.progress.last_ticks;
    tab->has_ahead =
        asked && !tab->has_ahead && tab->sheet.complete && tab->count > 0 && filters_of(ws) == 0;
    if (tab->has_ahead) {
        tab->ahead_range = *range;
    } else {
        drop_numbers(tab);
        tab->count = 0;
        tab->list.count = 0;
        tab->fresh = true;
        tab->range = *range;
        tab->as_of = tab->ahead_of;
    }
    tab->begun = true;
    /* The first steps may cost more than the last ones did. */
    const bool lanes = tab->table == &tt_table_threads || tab->table == &tt_table_processes ||
                       tab->table == &tt_table_cpus; /* known, and summed without a walk */
    tab->work = lanes ? WORK_LANES : WORK_LEAST;
    tab->stopped = tab->failed = false;
    tab->built_rows = ws->index.rows;
    tab->built_finished = ws->index.progress.finished;
    tab->built_at = tt_now_ns();
    tab->filters = filters_of(ws);
    tab->lanes = tt_lane_list_now(ws->opened.capture->lanes);
    tab->request = (struct tt_table_request){
        .table = tab->table,
        .trace = ws->opened.trace,
        .events = ws->opened.search_events,
        .short_names = true,
        .row_limit = tab->table == &tt_table_single_messages ? MESSAGES_MOST : PAIRS_MOST,
        .with_clients = tab->table == &tt_table_message_pairs};
    tab->failed = !tab->request.events;
    if (!tab->failed) {
        tt_table_request_range(&tab->request, &range->keys);
        if (tab->table == &tt_table_jobs) {
            tt_jobs_refresh(ws);
            if (!tab->has_ahead) { /* it has those of the sheet */
                set_job_rules(tab, ws);
            }
        }
        bool by_event = tab->table == &tt_table_event_names || tab->table == &tt_table_interrupts ||
                        tab->table == &tt_table_services || tab->table == &tt_table_lanes;
        tab->finds_owners = tab->filters != 0 && !by_event;
        if (tab->filters != 0 && by_event) {
            tab->request.wanted = row_is_shown;
            tab->request.wanted_arg = ws;
        }
        if (!tab->finds_owners) {
            summary_table_begin(tab);
        }
    }
}

/* Determines the threads and CPUs that pass the filters, as far as the shown rows are known. */
static void find_owners(struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    struct tt_table_request *request = &tab->request;
    if (!ws->filters.stack.shown || tab->filters != filters_of(ws)) {
        tab->begun = false; /* drawing requests it again */
        return;
    }
    if (!tt_row_owners_step(&tab->owners, request->events, ws->filters.stack.shown,
                            request->first_row, request->end_row, ROWS_AT_ONCE)) {
        return;
    }
    tab->finds_owners = false;
    tab->failed = tab->owners.failed;
    if (tab->failed) {
        return;
    }
    if (tab->table == &tt_table_cpus) {
        request->window.cpus = tab->owners.cpus;
        request->window.cpu_limit = tab->owners.cpu_limit;
    } else {
        request->threads = tab->owners.threads;
        request->thread_limit = tab->owners.thread_limit;
    }
    summary_table_begin(tab);
}

static bool is_done(const struct tt_summary_table *tab)
{
    return !tab->begun || tab->stopped || tab->failed || (tab->sheet.complete && !tab->has_ahead);
}

static void return_to_place(struct tt_summary_table *tab)
{
    tab->list.count = tab->count;
    tt_summary_table_go(tab, tab->return_at);
    tab->list.end = tab->list.at == tab->return_at ? tab->return_end : 0;
    tab->list.end_at = tab->list.at;
    tab->list.top = tab->return_top;
}

/* Continues to arrange the rows, and moves the cursor as keys asked for once there are rows. */
static void arrange_step(struct tt_summary_table *tab, const struct tt_workspace *ws,
                         uint64_t until)
{
    uint64_t began = tt_now_ns();
    bool done = tt_summary_arrange_step(tab, ws, until);
    uint64_t now = tt_now_ns();
    tab->arranging.spent += now - began;
    if (done) {
        tab->arrange_after = now + ARRANGE_REST * tab->arranging.spent;
        if (tab->returns && tab->sheet.complete) {
            return_to_place(tab);
        }
        tt_summary_table_place(tab, tab->list.y, tab->list.lines);
    }
}

/* Does one step of work; once the numbers are final, measures the columns of all rows. */
static void work_once(struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    if (is_done(tab)) {
        tab->unmeasured =
            !tt_summary_columns_measure(&tab->columns, ws, &tab->sheet, MEASURED_AT_ONCE);
        return;
    }
    if (tab->finds_owners) {
        find_owners(tab, ws);
    } else {
        /* Does a step of the sheet, and adapts the size of the next one. */
        uint64_t began = tt_now_ns();
        uint64_t work = tab->work > WORK_LEAST ? tab->work : WORK_LEAST;
        struct tt_status status =
            tt_table_step(tab->has_ahead ? &tab->ahead : &tab->sheet, (uint32_t)work);
        uint64_t spent = tt_now_ns() - began;
        tab->failed = tt_failed(&status);
        if (spent > STEP_NS) {
            /* Other programs may have had the processor meanwhile. */
            uint64_t fits = work * STEP_NS / spent;
            work = fits > work / 8 ? fits : work / 8;
        } else {
            work = spent < STEP_NS / 2 ? work * 2 : work;
        }
        tab->work = work < WORK_MOST ? (uint32_t)work : WORK_MOST;
    }
    if (tab->has_ahead && tab->ahead.complete && !tab->failed) {
        /*
         * Replaces the sheet by the newer numbers, which are complete; the cursor stays on its row.
         */
        tt_summary_arrange_free(tab);
        free_discarded(tab, true);
        tab->discarded = tab->sheet;
        tab->has_discarded = true;
        tab->sheet = tab->ahead;
        tab->has_ahead = false;
        tab->range = tab->ahead_range;
        tab->as_of = tab->ahead_of;
        tab->built_at = tt_now_ns();
        tab->count = 0; /* the rows are those of the other sheet */
        tt_summary_arrange_begin(tab, true, true);
        arrange_step(tab, ws, UINT64_MAX);
    }
    tab->fresh |= !tab->has_ahead;
    if (is_done(tab) && tab->sheet.state) {
        tt_summary_columns_renew(&tab->columns, false);
        tab->unmeasured = true;
    }
}

static bool summary_table_is_settled(const struct tt_summary_table *tab)
{
    return is_done(tab) && !tab->unmeasured;
}

bool tt_summary_table_settled(const struct tt_summary_table *tab)
{
    return tab->failed || tab->stopped ||
           (tab->sheet.complete && !(tab->has_ahead && tab->built_finished) && !tab->unmeasured &&
            !tab->fresh && !tab->shifted && tab->arranging.stage == TT_ARRANGE_NOTHING);
}

/* ---- order -------------------------------------------------------------------------------- */

/* Sorts by the most important column with values if the sorted one has none. */
static void leave_empty_column(struct tt_summary_table *tab)
{
    const struct tt_summary_column *column = tab->columns.v;
    const struct tt_summary_column *best = NULL, *sorted = &column[tab->sorted];
    if (!sorted->empty || sorted->choice == TT_CHOICE_SHOWN) {
        return;
    }
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_table_column *stat = column[i].stat;
        const bool fits = !column[i].empty && tt_table_has(&tab->sheet, stat) &&
                          !tt_unit_has_text(stat->unit) && stat->unit != TT_UNIT_AT;
        best = fits && (!best || stat->screen.rank < best->stat->screen.rank) ? &column[i] : best;
    }
    if (best) {
        tab->chosen = tab->chosen == tab->sorted ? (unsigned)(best - column) : tab->chosen;
        tab->sorted = (unsigned)(best - column);
        tab->downwards = tab->shifted = true;
    }
}

void tt_summary_table_arrange(struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    if (tab->sheet.complete && !tab->unmeasured) {
        leave_empty_column(tab);
    }
    uint64_t now = tt_now_ns();
    bool active = tab->arranging.stage != TT_ARRANGE_NOTHING;
    /* A large table whose rows do not change waits: arranging them takes longer than a frame. */
    bool waits = (tab->table == &tt_table_services || tab->table == &tt_table_blame ||
                  tab->table == &tt_table_inversions) &&
                 !is_done(tab) && tab->count > 0 && now < tab->arrange_after;
    bool begins = tab->sheet.state && (tab->shifted || (tab->fresh && !waits));
    if (!active && !begins) {
        return;
    }
    if (!active || tab->shifted) {
        tt_summary_arrange_begin(tab, tab->fresh, is_done(tab));
        tab->fresh = tab->shifted = false;
    }
    arrange_step(tab, ws, now + ARRANGE_NS);
}

/* ---- work -------------------------------------------------------------------------------- */

void tt_summary_table_begin(struct tt_summary_table *tab, const struct tt_workspace *ws,
                            uint64_t budget_ns)
{
    uint64_t until = tt_now_ns() + budget_ns;
    while (tab->arranging.stage == TT_ARRANGE_NOTHING && !summary_table_is_settled(tab)) {
        work_once(tab, ws);
        if (tt_now_ns() >= until) {
            break;
        }
    }
}

static bool summary_table_has_work(const struct tt_summary_table *tab)
{
    return tab->has_discarded || tab->arranging.stage != TT_ARRANGE_NOTHING ||
           !summary_table_is_settled(tab);
}

bool tt_summary_table_work(struct tt_summary_table *tab, const struct tt_workspace *ws,
                           uint64_t budget_ns)
{
    uint64_t until = tt_now_ns() + budget_ns;
    while (budget_ns > 0 && summary_table_has_work(tab)) {
        if (tab->arranging.stage != TT_ARRANGE_NOTHING) {
            arrange_step(tab, ws, until); /* the rows stay the same meanwhile */
        } else if (!summary_table_is_settled(tab)) {
            work_once(tab, ws);
        }
        free_discarded(tab, false);
        if (tt_now_ns() >= until) {
            break;
        }
    }
    return !summary_table_has_work(tab);
}

/* ---- moving ------------------------------------------------------------------------------- */

void tt_summary_table_row_at(const struct tt_summary_table *tab, size_t at,
                             struct tt_table_row *row)
{
    tt_table_unpack(tab->sheet.table, tab->rows[at], row);
}

const struct tt_table_row *tt_summary_table_row(const struct tt_summary_table *tab,
                                                struct tt_table_row *row)
{
    if (tab->list.at >= tab->count) {
        return NULL;
    }
    tt_summary_table_row_at(tab, tab->list.at, row);
    return row;
}

void tt_summary_table_moved(struct tt_summary_table *tab)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    tab->returns = false;
    tab->list.pending = tab->sheet.complete ? 0 : tab->list.pending;
    if (row && tab->list.end == 0) {
        tab->row = row->of;
    }
}

void tt_summary_table_place(struct tt_summary_table *tab, int y, int lines)
{
    if (tab->count == 0 && !tab->sheet.complete) {
        tab->list.count = 0; /* the cursor waits for its row */
        tab->list.y = y;
        tab->list.lines = lines > 0 ? lines : 0;
    } else if (tt_list_layout(&tab->list, tab->count, y, lines)) {
        tt_summary_table_moved(tab);
    }
}

void tt_summary_table_go(struct tt_summary_table *tab, size_t at)
{
    tt_list_go(&tab->list, at);
    tt_summary_table_moved(tab);
}

void tt_summary_table_resume(struct tt_summary_table *tab, uint32_t at, uint32_t top, int8_t end)
{
    tab->list.pending = 0;
    tab->return_at = at;
    tab->return_top = top;
    tab->return_end = end;
    tab->returns = !tt_summary_table_settled(tab);
    if (!tab->returns) {
        return_to_place(tab);
    }
}

void tt_summary_table_sort(struct tt_summary_table *tab, bool reverse)
{
    const struct tt_table_column *column = tab->columns.v[tab->chosen].stat;
    if (reverse) {
        tab->downwards = !tab->downwards;
    } else {
        tab->sorted = tab->chosen;
        tab->downwards = !tt_unit_has_text(column->unit) && column->unit != TT_UNIT_AT &&
                         column->unit != TT_UNIT_CPU;
    }
    tab->shifted = true;
}

/* Scrolls to a hidden column: to the left it becomes the first one after the names. */
static void reveal(struct tt_summary_table *tab, unsigned column, bool right)
{
    tab->columns.reveal = column;
    tab->columns.reveals_last = right;
    tab->chosen = column;
}

void tt_summary_table_reveal(struct tt_summary_table *tab)
{
    if (tab->columns.v[tab->chosen].width == 0) {
        reveal(tab, tab->chosen, true);
    }
}

void tt_summary_table_choose(struct tt_summary_table *tab, bool right)
{
    unsigned count = tab->columns.count, hidden = 0;
    bool scrolled = tab->columns.reveal > 0;
    for (unsigned i = tab->chosen; right ? i + 1 < count : i > 0;) {
        i = right ? i + 1 : i - 1;
        if (tab->columns.v[i].width > 0 && (hidden == 0 || !scrolled)) {
            tab->chosen = i;
            tab->columns.reveal =
                tt_unit_is_name(tab->columns.v[i].stat->unit) ? 0 : tab->columns.reveal;
            return;
        }
        bool reached =
            tab->sheet.state && tt_summary_column_scrolls(&tab->sheet, &tab->columns.v[i]);
        hidden = hidden == 0 && reached ? i : hidden;
    }
    if (hidden > 0 && (right || scrolled)) {
        reveal(tab, hidden, right);
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

struct tt_status tt_summary_table_write(const struct tt_summary_table *tab, FILE *file)
{
    char *buffer = malloc(CSV_BYTES);
    struct tt_print print;
    struct tt_table_run run = tab->sheet; /* files have whole names */
    if (!buffer) {
        return tt_error_memory();
    }
    run.request.short_names = false;
    tt_print_begin(&print, &run, TT_PRINT_CSV);
    bool ok = true;
    for (uint32_t i = 0; ok && i <= tab->count; i++) {
        struct tt_text text = tt_text_of(buffer, CSV_BYTES);
        struct tt_table_row row;
        if (i == 0) {
            tt_print_header(&print, &text);
        } else {
            tt_summary_table_row_at(tab, i - 1, &row);
            tt_print_row(&print, &text, &row);
        }
        ok = fwrite(buffer, 1, text.used, file) == text.used;
    }
    int error = errno;
    free(buffer);
    return ok ? tt_ok() : tt_error_errno(error, "write");
}
