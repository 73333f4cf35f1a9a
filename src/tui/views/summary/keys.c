/* SPDX-License-Identifier: Apache-2.0 */
/* summary/keys: handles keys and the mouse in the Summary view. */
#include <stdio.h>
#include <string.h>

#include "tracetui/event_line.h"
#include "tui/input/contains.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/rows.h"
#include "tui/lanes/top_threads.h"
#include "tui/views/summary/view.h"

#define EVENTS_LOOKED 64u
/* Occupants of a maximum: how many are named, and the time to find them. */
#define OCCUPANTS_NAMED 2u
#define OCCUPANTS_NS    UINT64_C(20000000)

/* Returns whether a row of the table is about one thread. */
static bool has_thread(const struct tt_summary_table *tab)
{
    return tab->table == &tt_table_threads || tab->table == &tt_table_jobs ||
           tab->table == &tt_table_blame || tab->table == &tt_table_inversions ||
           tab->table == &tt_table_services || tab->table == &tt_table_stacks;
}

/* Returns whether the rows have the time of the first of their events. */
static bool is_first(const struct tt_summary_table *tab)
{
    return tab->table == &tt_table_pairs || tab->table == &tt_table_services;
}

/* ---- going to a maximum ------------------------------------------------------------------- */

/* Returns when the chosen column's maximum occurred; false if it has no such time. */
static bool maximum_of(const struct tt_summary_table *tab, const struct tt_table_row *row,
                       struct tt_table_place *place)
{
    const struct tt_table_column *chosen = tab->columns.v[tab->chosen].stat;
    const struct tt_table_column *column = tt_table_longest(&tab->sheet, chosen, row);
    if (!column || !tt_table_place_of(&tab->sheet, column, row, place)) {
        return false;
    }
    const char *group = column->screen.group;
    if (!place->what) {
        place->what = column->distribution == TT_TABLE_ALWAYS      ? "sch delay"
                      : group[0] && strcmp(group, "switches") != 0 ? group
                                                                   : "slice";
    }
    return true;
}

/* Rates how well an event matches a row: by its thread, and by a change of its state. */
static int match_quality(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         const struct tt_table_row *row, const struct tt_event *event)
{
    const struct tt_capture *c = ws->opened.capture;
    bool change = event->kind == TT_KIND_STATE || event->kind == TT_KIND_SWITCH;
    bool own = false;
    if (tab->table == &tt_table_event_names || tab->table == &tt_table_services) {
        const struct tt_event_type *type = tt_types_at(c, event->type);
        bool of_row = tab->table == &tt_table_event_names || event->thread == row->of.thread;
        return of_row && type->class_id == row->of.class_id &&
               strcmp(type->name, row->of.name) == 0;
    }
    if (tab->table == &tt_table_interrupts) {
        return event->kind == TT_KIND_INTERRUPT_EXIT || event->kind == TT_KIND_INTERRUPT_ENTER;
    }
    if (tab->table == &tt_table_pairs) {
        own = event->thread == row->of.to;
    } else if (tab->table == &tt_table_processes) {
        own = event->thread < tt_thread_count(c) &&
              tt_thread_at(c, event->thread)->process == row->of.process;
    } else {
        own = event->thread == row->of.thread;
    }
    return own ? 1 + change : 0;
}

/* Finds the event at `ticks` that matches the row best; returns false if there is none. */
static bool matching_event(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           const struct tt_table_row *row, uint64_t ticks, struct tt_event *found)
{
    struct tt_event events[EVENTS_LOOKED];
    uint64_t first = tt_events_row_at_key(ws->opened.events, ticks, 0);
    uint32_t count = tt_events_read(ws->opened.events, first, EVENTS_LOOKED, events);
    int best = -1;
    if (tab->table == &tt_table_stacks) {
        first = tt_table_number(tab->table, row, "min_event");
        return tt_events_read(ws->opened.events, first, 1, found) == 1;
    }
    for (uint32_t i = 0; i < count && events[i].ticks == ticks; i++) {
        int fit = match_quality(ws, tab, row, &events[i]);
        if (fit > best) {
            best = fit;
            *found = events[i];
        }
    }
    return best >= 0;
}

/* Appends the threads that had the CPU in [from, to) longest, except `thread` itself. */
static void write_occupants(const struct tt_workspace *ws, uint16_t cpu, uint32_t thread,
                            uint64_t from, uint64_t to, struct tt_text *text)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    struct tt_top_threads top = {0};
    uint32_t threads = tt_thread_count(ws->opened.capture), named = 0;
    bool known = tt_top_threads_ask(&top, t, cpu, from, to, threads) &&
                 tt_top_threads_work(&top, tt_term_report(&ws->term, OCCUPANTS_NS));
    for (uint32_t i = 0; known && i < top.count && named < OCCUPANTS_NAMED; i++) {
        const struct tt_top_threads_row *row = &top.rows[i];
        if (row->occupant >= threads || row->occupant == thread ||
            tt_thread_at(ws->opened.capture, row->occupant)->idle) {
            continue;
        }
        if (named++ == 0) {
            tt_text_str(text, "; CPU ");
            tt_text_u64(text, cpu);
            tt_text_str(text, " ran ");
        } else {
            tt_text_str(text, ", ");
        }
        tt_line_thread(text, ws->opened.capture, row->occupant);
        tt_text_char(text, ' ');
        tt_time_label_duration(ws, text, row->ticks);
    }
    tt_top_threads_free(&top);
}

void tt_summary_show_interval(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to)
{
    struct tt_viewport *w = &ws->nav.viewport;
    uint64_t margin = (to - from) / 4 + 1;
    tt_nav_show(&ws->nav, TT_VIEW_THREADS);
    ws->nav.lane.sequence = false;
    tt_nav_show_range(ws, from > margin ? from - margin : 0,
                      to < UINT64_MAX - margin ? to + margin : to);
    tt_viewport_go(w, tt_nav_bounds(ws), 1, from);
    ws->nav.lane.thread = thread;
    ws->nav.lane.process = tt_thread_at(ws->opened.capture, thread)->process;
    ws->nav.lane.kind = TT_LANE_THREAD;
    ws->nav.lane.chosen = ws->nav.lane.taken = true;
    ws->nav.lane.ticks = ws->nav.cursor.event.ticks;
    ws->nav.lane.pos = ws->nav.cursor.event.pos;
    w->spans = true;
    w->growing = false;
    w->anchor = from;
    w->other = to;
}

/* Returns the start of the longest interval, which ends at `ticks`; a slice excludes interrupts. */
static uint64_t start_of(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         uint32_t thread, uint64_t ticks, uint64_t length)
{
    const struct tt_table_column *column = tab->columns.v[tab->chosen].stat;
    bool is_slice = column->samples == TT_SAMPLES_slice;
    struct tt_interval run;
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    if (is_slice && tt_lane_at(t, thread, ticks - 1, &run)) {
        return run.start;
    }
    return ticks - length;
}

/* Returns the thread of the row, or that of the event that ends the row's longest interval. */
static uint32_t thread_of(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_table_row *row, const struct tt_event *event)
{
    uint32_t thread = has_thread(tab) ? row->of.thread : event->thread;
    return thread < tt_thread_count(ws->opened.capture) ? thread : TT_NO_THREAD;
}

/* Returns the first miss of the row's thread if the column of misses is chosen; else NULL. */
static const struct tt_miss *miss_of(struct tt_workspace *ws, const struct tt_summary_table *tab,
                                     const struct tt_table_row *row)
{
    if (tab->table != &tt_table_jobs || tt_table_number(tab->table, row, "misses") == 0 ||
        strcmp(tab->columns.v[tab->chosen].stat->key, "misses") != 0) {
        return NULL;
    }
    tt_jobs_work(ws, tt_term_report(&ws->term, OCCUPANTS_NS));
    return tt_jobs_miss_of(&ws->jobs, row->of.thread, 0);
}

/*
 * Sets the interval of a job that ends at `end`, of which the chosen column has a value: for a period
 * or the jitter from the start of the previous job to its own, else its response. Returns false if it
 * is not found.
 */
static bool job_interval(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         const struct tt_table_row *row, uint64_t end, uint64_t *from, uint64_t *to)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    struct tt_job_walk walk;
    struct tt_job job;
    uint64_t work = UINT64_MAX;
    if (!t || row->of.thread >= tt_thread_count(ws->opened.capture)) {
        return false;
    }
    tt_job_walk_begin(&walk, t, ws->opened.capture, &tab->request.job_ends, row->of.thread, end,
                      end + 1);
    if (!tt_job_walk_next(&walk, &work, &job)) {
        return false;
    }
    bool of_period = strcmp(tab->columns.v[tab->chosen].stat->screen.group, "period") == 0 &&
                     job.period != TT_JOB_UNKNOWN;
    *from = of_period ? job.start - job.period : job.ready;
    *to = of_period ? job.start : job.end;
    return true;
}

static void go_to_maximum(struct tt_workspace *ws, struct tt_summary_view *v)
{
    const struct tt_summary_table *tab = tt_summary_shown(v);
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    struct tt_event event = {.thread = TT_NO_THREAD, .cpu = TT_NO_CPU};
    struct tt_table_place place;
    const struct tt_miss *miss = row ? miss_of(ws, tab, row) : NULL;
    if (!row) {
        return;
    }
    if (miss) {
        tt_jobs_show_miss(ws, miss);
        return;
    }
    if (!maximum_of(tab, row, &place)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       tt_table_is_settled(tab->table, row) ? "this row has no maximum"
                                                            : "not counted yet");
        return;
    }
    uint64_t ticks = place.at, length = place.length;
    bool found = matching_event(ws, tab, row, ticks, &event);
    uint32_t thread = thread_of(ws, tab, row, &event);
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_table_row_title(&text, &tab->sheet, row);
    if (tab->table == &tt_table_stacks) {
        tt_text_str(&text, ": ");
        tt_text_grouped(&text, tt_table_number(tab->table, row, "min"));
        tt_text_str(&text, " bytes of the stack are free");
    } else if (is_first(tab)) {
        tt_text_str(&text, ": the first of ");
        tt_text_grouped(&text, tt_table_number(tab->table, row, "count"));
    } else {
        tt_text_str(&text, ": ");
        tt_text_str(&text, place.what);
        tt_text_str(&text, " of ");
        tt_time_label_duration(ws, &text, length);
    }
    if (length == 0 || length > ticks || thread == TT_NO_THREAD) {
        tt_text_str(&text, is_first(tab) || tab->table == &tt_table_stacks ? "" : " ends here");
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, ticks, found ? event.pos : 0);
    } else {
        struct tt_interval run;
        const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
        uint64_t from = start_of(ws, tab, thread, ticks, length);
        if (tab->table == &tt_table_jobs) {
            job_interval(ws, tab, row, ticks, &from, &ticks);
        }
        tt_nav_leave(ws);
        if (tt_lane_at(t, thread, ticks, &run) && run.cpu != TT_NO_CPU) {
            write_occupants(ws, run.cpu, thread, from, ticks, &text);
        }
        tt_summary_show_interval(ws, thread, from, ticks);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

/* A thread of a row that has an interval of the maximum's length, which ends there. */
static uint32_t thread_of_maximum(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                                  const struct tt_table_row *row, uint64_t ticks, uint64_t length)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    const struct tt_capture *c = ws->opened.capture;
    struct tt_interval_at at;
    if (has_thread(tab)) {
        return row->of.thread;
    }
    for (uint32_t i = 0; tab->table == &tt_table_processes && t && i < tt_thread_count(c); i++) {
        if (tt_thread_at(c, i)->process == row->of.process && length > 0 && ticks >= length &&
            tt_interval_find(t, i, ticks - length, &at)) {
            struct tt_interval found = tt_interval_get(t, at);
            if (found.start == ticks - length && found.end == ticks) {
                return i;
            }
        }
    }
    return TT_NO_THREAD;
}

/*
 * Explains the longest interval of the chosen column; of a pair, the job that its switch began; of
 * blame, the range of the thread.
 */
static void explain_maximum(struct tt_workspace *ws, struct tt_summary_view *v)
{
    const struct tt_summary_table *tab = tt_summary_shown(v);
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    struct tt_table_place place;
    uint64_t ticks, length;
    if (!row) {
        return;
    }
    const struct tt_miss *miss = miss_of(ws, tab, row);
    if (miss) {
        tt_why_open_range(ws, row->of.thread, miss->ready, miss->end, "response");
        return;
    }
    if (tab->table == &tt_table_blame) {
        tt_summary_range_ends(ws, &tab->range, &ticks, &length);
        tt_why_open_range(ws, row->of.thread, ticks, length, "range");
        return;
    }
    if (!maximum_of(tab, row, &place)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       tt_table_is_settled(tab->table, row) ? "this row has no maximum"
                                                            : "not counted yet");
        return;
    }
    ticks = place.at;
    length = place.length;
    if (tab->table == &tt_table_pairs) {
        tt_why_open_at(ws, row->of.to, ticks);
        return;
    }
    uint32_t thread = thread_of_maximum(ws, tab, row, ticks, length);
    if (thread == TT_NO_THREAD) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no thread has this maximum");
    } else {
        uint64_t from = ticks - length;
        if (tab->table == &tt_table_jobs) {
            job_interval(ws, tab, row, ticks, &from, &ticks);
        }
        tt_why_open_range(ws, thread, from, ticks,
                          strcmp(place.what, "sch delay") == 0 ? "delay" : place.what);
    }
}

/* Names the file of the table, or of its plot: "thread.csv". */
void tt_summary_name_file(const void *state, struct tt_text *text)
{
    const struct tt_summary_view *v = state;
    tt_text_str(text, v->pane > 0 ? "plot" : v->tabs[v->tab].table->name);
    tt_text_str(text, ".csv");
}

/* ---- keys --------------------------------------------------------------------------------- */

static void next_scope(struct tt_workspace *ws, struct tt_summary_view *v)
{
    struct tt_summary_range range;
    do {
        v->scope = (v->scope + 1) % TT_SCOPE_COUNT;
    } while (!tt_summary_range_of(ws, v->scope, &range));
}

static void next_tab(const struct tt_workspace *ws, struct tt_summary_view *v, int by)
{
    do {
        v->tab = (v->tab + by + v->kind->count) % v->kind->count;
    } while (!tt_summary_has_tab(ws, v, v->tab));
    tt_summary_list_columns(v, 0);
}

int tt_summary_listed(const struct tt_summary_view *v)
{
    return v->list.at < v->list.count ? v->listed[v->list.at] : -1;
}

void tt_summary_list_columns(struct tt_summary_view *v, int column)
{
    const struct tt_summary_columns *columns = &tt_summary_shown(v)->columns;
    v->list.count = v->list.at = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        char buffer[64];
        struct tt_text title = tt_text_of(buffer, sizeof buffer);
        tt_summary_column_title(&columns->v[i], &title);
        if (tt_text_contains(columns->v[i].stat->key, v->list_text) ||
            tt_text_contains(tt_text_cstr(&title), v->list_text)) {
            v->list.at = (int)i == column ? v->list.count : v->list.at;
            v->listed[v->list.count++] = (uint8_t)i;
        }
    }
}

/* Hides a visible column; gives a hidden one precedence over columns the user did not choose. */
static void toggle_column(struct tt_summary_view *v)
{
    const int column = tt_summary_listed(v);
    if (column >= 0) {
        struct tt_summary_column *c = &tt_summary_shown(v)->columns.v[column];
        c->choice = (uint8_t)(c->width > 0                   ? TT_CHOICE_HIDDEN
                              : c->choice == TT_CHOICE_SHOWN ? TT_CHOICE_AUTO
                                                             : TT_CHOICE_SHOWN);
    }
}

void tt_summary_find_column(struct tt_workspace *ws, void *state, const char *text, bool accepted)
{
    struct tt_summary_view *v = state;
    const int column = tt_summary_listed(v);
    (void)ws;
    snprintf(v->list_text, sizeof v->list_text, "%s", text);
    tt_summary_list_columns(v, column);
    if (accepted && text[0] && v->list.count == 1) {
        toggle_column(v);
        v->list_text[0] = '\0';
        tt_summary_list_columns(v, tt_summary_listed(v));
    }
}

bool tt_summary_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_summary_view *v = state;
    struct tt_summary_table *tab = tt_summary_shown(v);
    if (tt_plot_pane_act(&v->plot, ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_COLUMNS:
        v->list_open = !v->list_open;
        v->list_text[0] = '\0';
        tt_summary_list_columns(v, (int)tab->chosen);
        return true;
    case TT_DO_COLUMN_TOGGLE:
        toggle_column(v);
        return true;
    case TT_DO_COLUMN_FIND:
        ws->host.prompt(ws->host.app, TT_PROMPT_COLUMN, "");
        return true;
    case TT_DO_COLUMN_LEFT:
    case TT_DO_COLUMN_RIGHT:
        tt_summary_table_choose(tab, action == TT_DO_COLUMN_RIGHT);
        v->plot_whole = 0;
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        tt_summary_table_sort(tab, action == TT_DO_REVERSE);
        return true;
    case TT_DO_HIDE_IDLE:
        tab->hides_idle = !tab->hides_idle;
        tab->shifted = true;
        return true;
    case TT_DO_TABLE_NEXT:
    case TT_DO_TABLE_PREVIOUS:
        next_tab(ws, v, action == TT_DO_TABLE_NEXT ? 1 : -1);
        return true;
    case TT_DO_RANGE:
        next_scope(ws, v);
        return true;
    case TT_DO_GO:
        if (tt_plot_pane_go(&v->plot, ws)) {
            return true;
        }
        if (tab->table->of_messages) {
            tt_summary_go_to_message(ws, v);
        } else {
            go_to_maximum(ws, v);
        }
        return true;
    case TT_DO_WHY:
        if (tab->table->of_messages) {
            tt_summary_explain_message(ws, v);
        } else {
            explain_maximum(ws, v);
        }
        return true;
    case TT_DO_PLOT:
        v->plot.open = !v->plot.open;
        v->plot.follows = v->plot.large = false;
        v->plot_whole = 0;
        return true;
    case TT_DO_COUNT_AGAIN:
        if (tab->stopped) {
            tab->stopped = false;
        } else {
            tt_summary_ask(ws, v, true);
        }
        return true;
    default:
        return false;
    }
}

bool tt_summary_stop(void *state)
{
    struct tt_summary_table *tab = tt_summary_shown(state);
    bool counts = tab->begun && !tab->sheet.complete && !tab->stopped && !tab->failed;
    tab->stopped |= counts;
    return counts;
}

bool tt_summary_dismiss(struct tt_workspace *ws, void *state)
{
    struct tt_summary_view *v = state;
    if (v->list_open && v->list_text[0]) {
        tt_summary_find_column(ws, v, "", false); /* first all columns again */
        return true;
    }
    const bool closes = v->list_open || v->plot.open;
    v->plot.open = v->plot.open && v->list_open;
    v->plot_whole = v->plot.open ? v->plot_whole : 0;
    v->list_open = false;
    return closes;
}

/* ---- mouse -------------------------------------------------------------------------------- */

static void click_head(struct tt_summary_table *tab, int x)
{
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *c = &tab->columns.v[i];
        if (c->width > 0 && x >= c->x && x < c->x + c->width) {
            bool again = i == tab->sorted;
            tab->chosen = i;
            tt_summary_table_sort(tab, again);
            return;
        }
    }
}

void tt_summary_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_summary_view *v = state;
    struct tt_summary_table *tab = tt_summary_shown(v);
    const int pane = TT_SUMMARY_HEAD_LINES + tab->list.lines;
    if (v->list_open) {
        if (x >= ws->term.body.width - TT_SUMMARY_LIST_WIDTH &&
            tt_list_row(&v->list, y - v->list.y) < v->list.count) {
            toggle_column(v);
        }
    } else if (y == 0) {
        const char *titles[TT_SUMMARY_TABS_MOST];
        const struct tt_tabs tabs = tt_summary_tabs(ws, v, ws->term.body.width, titles);
        int hit = tt_tabs_at(&tabs, x);
        next_tab(ws, v, hit >= 0 ? hit - v->tab : 0);
    } else if (y < TT_SUMMARY_HEAD_LINES) {
        click_head(tab, x);
    } else if (v->pane > 0 && y > pane) {
        tt_plot_pane_click(&v->plot, ws, x);
    }
}
