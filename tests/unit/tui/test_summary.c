/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the Summary view: their columns, their numbers in steps, their order. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot.h"
#include "base/clock.h"
#include "open_app.h"
#include "print/print.h"
#include "tracetui/table.h"
#include "tracetui/time.h"
#include "tui/views/summary/foot.h"
#include "tui/views/summary/table.h"

#define DEMO "samples/demo.kev"

static struct tt_trace *trace;
static struct tt_events *events;

static void setup(void)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(DEMO, &options, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
    events = tt_events_new(trace);
    cr_assert_not_null(events);
}

static void teardown(void)
{
    tt_events_free(events);
    tt_trace_close(trace);
}

TestSuite(tui_summary, .init = setup, .fini = teardown);

static const struct tt_table *const tables[] = {
    &tt_table_threads, &tt_table_cpus, &tt_table_processes, &tt_table_pairs, &tt_table_event_names};

#define TABLES (sizeof tables / sizeof *tables)

/* ---- columns ------------------------------------------------------------------------------ */

Test(tui_summary, every_column_of_stats_is_in_its_table_once)
{
    for (size_t i = 0; i < TABLES; i++) {
        struct tt_summary_columns columns;
        const size_t count = tables[i]->column_count;
        const struct tt_table_column *stats = tables[i]->columns;
        unsigned printed_only = 0;
        tt_summary_columns_open(&columns, tables[i]);
        for (size_t j = 0; j < count; j++) {
            const struct tt_summary_column *c = tt_summary_column_find(&columns, stats[j].key);
            printed_only += stats[j].of_clients;
            if (stats[j].of_clients) {
                cr_assert_null(c, "%s", stats[j].key);
                continue;
            }
            cr_assert_not_null(c, "%s", stats[j].key);
            cr_assert_eq(c->stat, &stats[j]);
        }
        cr_assert_eq(columns.count + printed_only, count, "table %zu has %u of %zu columns", i,
                     columns.count, count);
    }
}

Test(tui_summary, ranks_of_columns_are_unique)
{
    for (size_t i = 0; i < TABLES; i++) {
        struct tt_summary_columns columns;
        tt_summary_columns_open(&columns, tables[i]);
        for (unsigned a = 0; a < columns.count; a++) {
            cr_assert_lt(columns.v[a].stat->screen.rank, TT_SUMMARY_COLUMNS);
            for (unsigned b = 0; b < a; b++) {
                cr_assert_neq(columns.v[a].stat->screen.rank, columns.v[b].stat->screen.rank,
                              "%s and %s", columns.v[a].stat->key, columns.v[b].stat->key);
            }
        }
    }
}

/* Writes the full title on screen: group and heading. */
static const char *title_of(const struct tt_table_screen *screen, char *buffer, size_t size)
{
    bool both = screen->group[0] && screen->head[0];
    snprintf(buffer, size, "%s%s%s", screen->group, both ? " " : "", screen->head);
    return buffer;
}

/*
 * A heading of `stats` may omit the words of its group, "p99" after "delay mean", and has the base of a percentage, which
 * the footer of the screen has: "run % of a CPU".
 */
static bool ends_with_words(const char *title, const char *words)
{
    const char *base = strstr(words, "% of ");
    size_t length = strlen(title), end = base ? (size_t)(base - words) + 1 : strlen(words);
    return end <= length && memcmp(title + length - end, words, end) == 0 &&
           (end == length || title[length - end - 1] == ' ');
}

Test(tui_summary, headings_of_stats_are_those_on_screen)
{
    for (size_t i = 0; i < TABLES; i++) {
        const size_t count = tables[i]->column_count;
        const struct tt_table_column *columns = tables[i]->columns;
        for (size_t a = 0; a < count; a++) {
            char title[64], other[64];
            title_of(&columns[a].screen, title, sizeof title);
            cr_expect_neq(title[0], '\0', "%s", columns[a].key);
            cr_expect(!columns[a].heading || ends_with_words(title, columns[a].heading),
                      "%s: `stats` prints \"%s\", Summary \"%s\"", columns[a].key,
                      columns[a].heading, title);
            for (size_t b = 0; b < a; b++) {
                title_of(&columns[b].screen, other, sizeof other);
                cr_expect_str_neq(title, other, "%s and %s", columns[a].key, columns[b].key);
            }
        }
    }
}

/* Two tables with the same key have the same heading. */
Test(tui_summary, a_key_has_one_heading)
{
    for (size_t i = 0; i < TABLES; i++) {
        for (size_t j = 0; j < i; j++) {
            const size_t count = tables[i]->column_count, others = tables[j]->column_count;
            const struct tt_table_column *columns = tables[i]->columns;
            const struct tt_table_column *other = tables[j]->columns;
            for (size_t at = 0; at < count * others; at++) {
                const struct tt_table_column *a = &columns[at % count], *b = &other[at / count];
                if (strcmp(a->key, b->key) == 0) {
                    cr_expect_str_eq(a->screen.head, b->screen.head, "%s", a->key);
                    cr_expect(!a->heading || !b->heading || strcmp(a->heading, b->heading) == 0,
                              "%s: \"%s\", \"%s\"", a->key, a->heading, b->heading);
                }
            }
        }
    }
    cr_expect_str_eq(tt_table_head(&tt_table_threads, "priority"), "pri");
    cr_expect_str_eq(tt_table_head(&tt_table_cpus, "busy"), "busy");
    cr_expect_str_eq(tt_table_head(&tt_table_cpus, "nothing"), "");
}

/* ---- numbers in steps --------------------------------------------------------------------- */

static struct tt_table_request request_of(const struct tt_table *by, uint64_t first, uint64_t end)
{
    struct tt_table_request request = {.table = by, .trace = trace, .events = events};
    struct tt_key_range keys = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_event event;
    if (first > 0) {
        cr_assert_eq(tt_events_read(events, first, 1, &event), 1);
        keys.from_ticks = event.ticks;
        keys.from_pos = event.pos;
    }
    if (end > 0) {
        cr_assert_eq(tt_events_read(events, end, 1, &event), 1);
        keys.to_ticks = event.ticks;
        keys.to_pos = event.pos;
    }
    tt_table_request_range(&request, &keys);
    return request;
}

static struct tt_table_run whole_sheet(const struct tt_table *by)
{
    struct tt_table_run sheet;
    struct tt_table_request request = request_of(by, 0, 0);
    struct tt_status status = tt_table_begin(&sheet, &request);
    for (int step = 0; !tt_failed(&status) && step < 100 && !sheet.complete; step++) {
        status = tt_table_step(&sheet, UINT64_MAX);
    }
    cr_assert(!tt_failed(&status) && sheet.complete);
    return sheet;
}

/* Returns the sheet as CSV, computed in steps of `work`; the caller frees it. */
static char *sheet_text(const struct tt_table *by, uint64_t first, uint64_t end, uint64_t work,
                        unsigned *steps)
{
    struct tt_table_run sheet;
    struct tt_table_request request = request_of(by, first, end);
    struct tt_status status = tt_table_begin(&sheet, &request);
    unsigned percent = 0;
    *steps = 0;
    while (!tt_failed(&status) && !sheet.complete) {
        status = tt_table_step(&sheet, work);
        cr_assert_lt(++*steps, 1000000u, "it gets nowhere");
        unsigned now = tt_table_percent(&sheet);
        cr_assert(now >= percent && now <= 100, "from %u %% to %u %%", percent, now);
        percent = now;
        cr_assert_not(tt_failed(&status));
        if (*steps % 7 == 0) { /* actions of a screen in between change nothing */
            status = tt_table_refresh(&sheet);
        }
    }
    cr_assert_not(tt_failed(&status), "%s", status.text);
    size_t capacity = 4u << 20;
    char *buffer = malloc(capacity);
    cr_assert_not_null(buffer);
    struct tt_text text = tt_text_of(buffer, capacity);
    struct tt_print print;
    tt_print_begin(&print, &sheet, TT_PRINT_CSV);
    tt_print_header(&print, &text);
    for (size_t i = 0; i < sheet.count; i++) {
        struct tt_table_row row;
        tt_table_row_at(&sheet, i, &row);
        cr_assert(tt_table_is_settled(sheet.table, &row));
        tt_print_row(&print, &text, &row);
    }
    if (sheet.has_total) {
        tt_print_row(&print, &text, sheet.total);
    }
    tt_text_cstr(&text);
    cr_assert_not(text.truncated);
    tt_table_free(&sheet);
    return buffer;
}

Test(tui_summary, steps_of_any_size_give_the_same_numbers)
{
    static const uint64_t works[] = {1, 2, 17, 300};
    static const uint64_t ranges[][2] = {{0, 0}, {700, 0}, {0, 2500}, {511, 1999}, {900, 901}};
    for (size_t i = 0; i < TABLES; i++) {
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            unsigned one, many;
            char *whole = sheet_text(tables[i], ranges[r][0], ranges[r][1], UINT64_MAX, &one);
            for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
                char *parts = sheet_text(tables[i], ranges[r][0], ranges[r][1], works[w], &many);
                cr_assert_str_eq(parts, whole, "table %zu, range %zu, steps of %llu", i, r,
                                 (unsigned long long)works[w]);
                bool walks = tables[i] != &tt_table_cpus && r == 0;
                cr_assert(!walks || works[w] > 20 || many > 10, "%u steps are none", many);
                free(parts);
            }
            free(whole);
        }
    }
}

Test(tui_summary, the_most_frequent_pairs_are_the_first_of_all_pairs)
{
    static const uint64_t works[] = {1, 40, 5000};
    struct tt_table_run all = whole_sheet(&tt_table_pairs), few;
    struct tt_table_request request = request_of(&tt_table_pairs, 0, 0);
    struct tt_status status;
    cr_assert_eq(all.left_out, 0);
    for (size_t limit = 1; limit < all.count + 2; limit = limit * 3 + 1) {
        for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
            request.row_limit = limit;
            status = tt_table_begin(&few, &request);
            while (!tt_failed(&status) && !few.complete) {
                status = tt_table_step(&few, works[w]);
            }
            cr_assert_not(tt_failed(&status));
            cr_assert_eq(few.count, limit < all.count ? limit : all.count);
            cr_assert_eq(few.left_out, all.count - few.count);
            for (size_t i = 0; i < few.count; i++) {
                struct tt_table_row a, b;
                tt_table_row_at(&few, i, &a);
                tt_table_row_at(&all, i, &b);
                cr_assert(tt_subject_is(&a.of, &b.of), "row %zu", i);
                cr_assert_eq(tt_table_number(few.table, &a, "count"),
                             tt_table_number(all.table, &b, "count"));
            }
            tt_table_free(&few);
        }
    }
    tt_table_free(&all);
}

Test(tui_summary, percentiles_in_steps_are_those_of_a_sorted_list)
{
    struct tt_samples samples = {0};
    uint64_t state = 7;
    for (unsigned i = 0; i < 5000; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        cr_assert(tt_samples_add(&samples, state >> 33 & (i % 3 ? 0xffff : 7), i));
    }
    uint64_t *sorted = malloc(5000 * sizeof *sorted), times;
    cr_assert_not_null(sorted);
    for (size_t i = 0, next = 0; i < 5000; i++) {
        cr_assert(tt_samples_next(&samples, &next, &sorted[i], &times) && times == 1);
    }
    for (size_t i = 1; i < 5000; i++) {
        for (size_t j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            uint64_t t = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = t;
        }
    }
    struct tt_selection selection = {0};
    struct tt_distribution d;
    unsigned steps = 0;
    for (uint64_t work = 3; !tt_samples_distribution_step(&samples, &selection, &work, &d);
         work = 3) {
        cr_assert_lt(++steps, 100000u);
    }
    cr_assert_gt(steps, 1000u);
    cr_assert_eq(d.p50, sorted[2499]);
    cr_assert_eq(d.p95, sorted[4749]);
    cr_assert_eq(d.p99, sorted[4949]);
    cr_assert_eq(d.max, sorted[4999]);
    free(sorted);
    tt_samples_free(&samples);
}

/* ---- histograms and states ---------------------------------------------------------------- */

/* Returns the bin of a sample by comparing every edge. */
static unsigned plain_bin(const struct tt_plot *p, uint64_t ticks)
{
    int64_t ns;
    unsigned bin = 0;
    cr_assert(tt_ticks_to_ns(ticks, p->request.capture->clock_hz, &ns));
    while (bin + 1 < p->bins.used && p->bins.edge[bin + 1] <= (uint64_t)ns) {
        bin++;
    }
    return bin;
}

/* Counts the slices or sch delays of a thread by interval, as defined in docs/metrics.md. */
static void count_plainly(const struct tt_plot *p, bool slice, uint64_t bins[TT_BINS_MOST])
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_interval_at at;
    struct tt_interval before = {.class_ = TT_CLASS_UNKNOWN}, ready = before;
    for (bool more = tt_interval_first(t, p->request.row.of.thread, &at); more;
         more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        bool runs = i.class_ == TT_CLASS_RUNNING;
        if (slice && runs && !i.open && !i.since_before) {
            uint64_t irq = tt_cpu_irq(t, i.cpu, i.start, i.end);
            bins[plain_bin(p, i.end - i.start - irq)]++;
        }
        bool waited = before.class_ == TT_CLASS_IPC || before.class_ == TT_CLASS_LOCK ||
                      before.class_ == TT_CLASS_CONDITION || before.class_ == TT_CLASS_SLEEP ||
                      before.class_ == TT_CLASS_WAIT;
        if (!slice && runs && waited && ready.class_ == TT_CLASS_READY && !ready.since_before) {
            bins[plain_bin(p, ready.end - ready.start)]++;
        }
        before = ready;
        ready = i;
    }
}

Test(tui_summary, a_histogram_equals_a_plain_count)
{
    struct tt_table_run sheet = whole_sheet(&tt_table_threads);
    uint64_t counted = 0;
    for (size_t i = 0; i < sheet.count * sheet.column_count; i++) {
        const struct tt_table_column *c = &sheet.columns[i % sheet.column_count];
        bool slice = c->samples == TT_SAMPLES_slice;
        uint64_t bins[TT_BINS_MOST] = {0};
        if (!slice && c->samples != TT_SAMPLES_delay) {
            continue;
        }
        struct tt_plot_request request = {.kind = TT_PLOT_HISTOGRAM, .sheet = &sheet, .column = c};
        tt_table_row_at(&sheet, i / sheet.column_count, &request.row);
        struct tt_plot *p = tt_plot_new(&request);
        cr_assert_not_null(p);
        while (!tt_plot_step(p, 7)) {
        }
        cr_assert(p->complete);
        count_plainly(p, slice, bins);
        for (unsigned bin = 0; bin < p->bins.used; bin++) {
            cr_assert_eq(p->bins.count[bin], bins[bin], "row %zu, %s, bin %u",
                         i / sheet.column_count, c->key, bin);
            counted += bins[bin];
        }
        tt_plot_free(p);
    }
    cr_assert_gt(counted, 500u);
    tt_table_free(&sheet);
}

Test(tui_summary, states_in_parts_add_up_to_the_classes)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_capture *c = tt_trace_capture(trace);
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
    uint64_t from = begin + (end - begin) / 3, to = end - (end - begin) / 4;
    uint64_t ticks[256];
    cr_assert_leq(c->format->state_count, 256u);
    for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
        memset(ticks, 0, sizeof ticks);
        for (uint64_t reached = from; reached < to;) {
            uint64_t work = 3;
            tt_thread_states_part(t, thread, to, &reached, &work, ticks, 256);
        }
        struct tt_thread_sums sums;
        uint64_t classes[TT_CLASS_COUNT] = {0};
        tt_thread_sum(t, thread, from, to, &sums);
        for (unsigned i = 0; i < c->format->state_count; i++) {
            classes[c->format->states[i].class_] += ticks[i];
        }
        for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
            cr_assert_eq(classes[i], sums.ticks[i], "thread %u, %s", thread, tt_class_name(i));
        }
    }
}

/* The large parts of a sheet can be freed in steps before the sheet. */
Test(tui_summary, a_sheet_is_freed_in_steps)
{
    static const struct {
        const struct tt_table *by;
        unsigned pieces;
    } of[] = {{&tt_table_pairs, 20}, {&tt_table_event_names, 20}, {&tt_table_cpus, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct tt_table_run sheet = whole_sheet(of[i].by);
        unsigned pieces = 1;
        while (tt_table_shrink(&sheet, 256)) {
            pieces++;
            cr_assert_lt(pieces, 1000000u);
        }
        cr_expect_geq(pieces, of[i].pieces, "by %s: %u", of[i].by->name, pieces);
        cr_expect_not(tt_table_shrink(&sheet, 256));
        tt_table_free(&sheet);
    }
}

/* ---- widths of columns ---------------------------------------------------------------------- */

Test(tui_summary, columns_measured_in_steps_have_the_same_width)
{
    static struct tt_app app;
    for (size_t i = 0; i < TABLES; i++) {
        struct tt_table_run sheet = whole_sheet(tables[i]);
        static struct tt_summary_columns whole, parts;
        tt_summary_columns_open(&whole, tables[i]);
        tt_summary_columns_open(&parts, tables[i]);
        cr_assert(tt_summary_columns_measure(&whole, &app.ws, &sheet, SIZE_MAX));
        for (int pass = 0; pass < 2; pass++) {
            size_t calls = 1;
            for (; !tt_summary_columns_measure(&parts, &app.ws, &sheet, 3); calls++) {
                for (unsigned c = 0; c < parts.count; c++) {
                    cr_assert_leq(parts.v[c].max, whole.v[c].max);
                }
            }
            cr_assert_eq(calls, sheet.count > 0 ? (sheet.count + 2) / 3 : 1);
            for (unsigned c = 0; c < parts.count; c++) {
                cr_assert_eq(parts.v[c].max, whole.v[c].max);
                cr_assert_eq(parts.v[c].unit, whole.v[c].unit);
            }
        }
        tt_table_free(&sheet);
    }
}

Test(tui_summary, a_stopped_table_stays_unchanged_and_reports_it)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    struct tt_summary_total total = {0};
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_event_names);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    struct tt_area line = tt_grid_area(&app->ws.term.grid);
    tt_grid_clear(&app->ws.term.grid);
    tt_summary_total_draw(&app->ws, &tab, &total, line);
    cr_assert_geq(screen_line(app, "counting 0 %, Esc stops"), 0);
    cr_assert_not(tt_summary_table_work(&tab, &app->ws, 0));
    tab.stopped = true;
    cr_assert(tt_summary_table_work(&tab, &app->ws, UINT64_C(1000000000)));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    cr_assert_not(tab.sheet.complete);
    tt_grid_clear(&app->ws.term.grid);
    tt_summary_total_draw(&app->ws, &tab, &total, line);
    cr_assert_geq(screen_line(app, "stopped at 0 %, R resumes"), 0);
    tab.stopped = false;
    while (!tt_summary_table_work(&tab, &app->ws, 1000)) {
        tt_summary_table_arrange(&tab, &app->ws);
    }
    cr_assert(tab.sheet.complete);
    tt_grid_clear(&app->ws.term.grid);
    tt_summary_total_draw(&app->ws, &tab, &total, line);
    cr_assert_lt(screen_line(app, "stopped"), 0);
    cr_assert_lt(screen_line(app, "counting"), 0);
    tt_summary_table_close(&tab);
    close_app(app);
}

Test(tui_summary, totals_in_steps_of_a_cpu)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    struct tt_summary_table tab;
    struct tt_summary_total total = {0};
    struct tt_summary_range range;
    uint64_t busy = 0, switches = 0;
    tt_summary_table_open(&tab, &tt_table_threads);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    tt_summary_total_ask(&total, &app->ws, &tab);
    cr_assert_not(tt_summary_total_work(&total, &app->ws, 0), "no time: nothing is added");
    cr_assert_eq(total.summed, 0);
    while (!tt_summary_total_work(&total, &app->ws, tt_now_ns() + 500)) {
        tt_grid_clear(&app->ws.term.grid);
        tt_summary_total_draw(&app->ws, &tab, &total, tt_grid_area(&app->ws.term.grid));
        cr_assert_lt(screen_line(app, "switches"), 0, "incomplete sums are not shown");
        tt_summary_total_ask(&total, &app->ws, &tab);
    }
    for (uint16_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, cpu, range.keys.from_ticks, tt_timelines_limit(t), &sums);
        busy += sums.busy;
        switches += sums.switches;
    }
    cr_assert_eq(total.busy, busy);
    cr_assert_eq(total.switches, switches);
    tt_summary_table_close(&tab);
    close_app(app);
}

Test(tui_summary, the_cursor_keeps_its_row_while_numbers_arrive)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_pairs);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    struct tt_table_run *sheet = &tab.sheet;
    struct tt_status status = tt_table_step(sheet, 60);
    cr_assert_not(tt_failed(&status) || sheet->complete);
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert_gt(tab.count, 3u);
    tt_summary_table_go(&tab, 2);
    struct tt_table_row room;
    const struct tt_table_row row = *tt_summary_table_row(&tab, &room);
    for (unsigned i = 0; !sheet->complete; i++) {
        status = tt_table_step(sheet, 40);
        cr_assert_not(tt_failed(&status));
        tab.fresh = true;
        tt_summary_table_arrange(&tab, &app->ws);
        cr_assert(tt_subject_is(&tt_summary_table_row(&tab, &room)->of, &row.of), "after step %u",
                  i);
    }
    for (unsigned column = 0; column < tab.columns.count; column++) {
        tab.chosen = column;
        tt_summary_table_sort(&tab, false);
        tt_summary_table_arrange(&tab, &app->ws);
        cr_assert(tt_subject_is(&tt_summary_table_row(&tab, &room)->of, &row.of), "by column %u",
                  column);
    }
    tt_summary_table_close(&tab);
    close_app(app);
}

/* Keys arrive faster than numbers: the requested first row is that of the next range. */
Test(tui_summary, the_last_row_stays_selected_with_new_numbers)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_threads);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    while (!tt_summary_table_work(&tab, &app->ws, UINT64_C(1000000000))) {
    }
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert_gt(tab.count, 3u);
    for (int last = 0; last < 2; last++) {
        tt_summary_table_go(&tab, 2);
        tt_list_move(&tab.list, last ? TT_DO_LAST : TT_DO_FIRST);
        tt_summary_table_moved(&tab);
        struct tt_table_row room;
        const struct tt_table_row stood = *tt_summary_table_row(&tab, &room);
        tab.downwards = !tab.downwards; /* simulates new numbers */
        tab.shifted = true;
        tt_summary_table_arrange(&tab, &app->ws);
        cr_assert_eq(tab.list.at, last ? tab.count - 1 : 0u);
        cr_assert_not(tt_subject_is(&tt_summary_table_row(&tab, &room)->of, &stood.of));
    }
    tt_summary_table_close(&tab);
    close_app(app);
}

/* A slice without time ends after its first step, and the previous sheet is freed then. */
Test(tui_summary, a_step_without_time_ends)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_event_names);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    for (int again = 0; again < 2; again++) {
        tt_summary_table_ask(&tab, &app->ws, &range, again);
        cr_expect_eq(tab.has_discarded, again == 1);
        unsigned slices = 1, percent = 0;
        for (; !tt_summary_table_work(&tab, &app->ws, 1); slices++) {
            unsigned now = tt_table_percent(&tab.sheet);
            cr_expect(slices > 1 || now < 100, "all in one slice");
            cr_expect_geq(now, percent);
            percent = now;
        }
        cr_expect(tab.sheet.complete && !tab.has_discarded);
        cr_expect_geq(slices, 2u);
    }
    tt_summary_table_ask(&tab, &app->ws, &range, true);
    cr_expect(tab.has_discarded);
    tt_summary_table_close(&tab);
    close_app(app);
}

/* A row is packed and unpacked without loss, for any words. */
Test(tui_summary, a_packed_row_is_restored)
{
    struct tt_table_run sheet = whole_sheet(&tt_table_threads);
    uint64_t words[sizeof(struct tt_table_row) / sizeof(uint64_t)], seed = 1;
    cr_assert_gt(sheet.count, 2u);
    for (unsigned round = 0; round < 2000; round++) {
        struct tt_table_row row, got;
        tt_table_clear_row(sheet.table, &row);
        memcpy(words, &row, sheet.table->row_size);
        for (size_t i = 0; i < sheet.table->row_size / sizeof *words; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            words[i] = seed >> 62 == 0   ? words[i]
                       : seed >> 62 == 1 ? UINT64_MAX << (seed >> 8 & 63)
                                         : seed >> (seed >> 16 & 63);
        }
        memcpy(&row, words, sheet.table->row_size);
        cr_assert(tt_table_put(&sheet, 1, &row));
        tt_table_row_at(&sheet, 1, &got);
        cr_assert_eq(memcmp(&got, &row, sheet.table->row_size), 0, "round %u", round);
    }
    tt_table_free(&sheet);
}

/* While they are counted, rows that take long to arrange are arranged seldom, and at the end. */
Test(tui_summary, services_are_arranged_seldom_while_they_are_counted)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_services);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    struct tt_status status = tt_table_step(&tab.sheet, 500);
    cr_assert_not(tt_failed(&status) || tab.sheet.complete);
    tab.fresh = true;
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert_gt(tab.count, 0);
    cr_assert_gt(tab.arrange_after, 0);
    tab.arrange_after = UINT64_MAX;
    tab.fresh = true;
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert(tab.fresh, "not yet");
    while (!tab.sheet.complete) {
        status = tt_table_step(&tab.sheet, 500);
        cr_assert_not(tt_failed(&status));
    }
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert_not(tab.fresh, "complete numbers are arranged");
    tt_summary_table_close(&tab);
    close_app(app);
}
