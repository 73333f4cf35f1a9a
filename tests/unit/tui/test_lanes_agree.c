/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawn cells, states as text, numbers of the gutter, sums of stats and the list of events agree
 * after random keys. The expected values are computed here by plain walks from the first interval
 * and the first event.
 */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracetui/counters.h"
#include "tracetui/format.h"
#include "tracetui/slices.h"
#include "tracetui/stats.h"
#include "tui/app/app.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/lanes.h"
#include "tui/lanes/status.h"
#include "tui/term/keys.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 17) % below : 0;
}

/* ---- plain walks -------------------------------------------------------------------------- */

/* Class sums of [from, to), and the number of intervals that begin inside. */
static unsigned walk_sums(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                          uint64_t sums[TT_CLASS_COUNT])
{
    struct tt_interval_at at;
    unsigned inside = 0;
    memset(sums, 0, TT_CLASS_COUNT * sizeof *sums);
    for (bool more = tt_interval_first(t, thread, &at); more; more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        uint64_t first = i.start > from ? i.start : from, last = i.end < to ? i.end : to;
        sums[i.class_] += last > first ? last - first : 0;
        inside += i.start > from && i.start < to;
    }
    return inside;
}

static bool walk_state(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                       struct tt_interval *found)
{
    struct tt_interval_at at;
    bool is = false;
    for (bool more = tt_interval_first(t, thread, &at); more; more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        bool last = i.open ? ticks <= i.end : ticks < i.end;
        if (i.start <= ticks && last) {
            *found = i;
            is = true;
        }
    }
    return is;
}

/* ---- content of the screen ------------------------------------------------------------------ */

static void read_line(const struct tt_app *app, int y, char *out, size_t size)
{
    struct tt_text text = tt_text_of(out, size);
    tt_grid_line(&app->ws.term.grid, y, &text);
    tt_text_cstr(&text);
}

/* The line with the mark of the cursor's lane, or -1. */
static int cursor_line(const struct tt_app *app, const struct tt_lanes_layout *l)
{
    for (int y = l->lanes; y < l->lanes + l->lanes_height; y++) {
        if (tt_grid_at(&app->ws.term.grid, 0, app->ws.term.body.y + y)->role ==
            TT_ROLE_CURSOR_MARK) {
            return app->ws.term.body.y + y;
        }
    }
    return -1;
}

static unsigned class_of_role(unsigned role)
{
    static const uint8_t roles[TT_CLASS_COUNT] = {
        [TT_CLASS_UNKNOWN] = TT_ROLE_UNKNOWN, [TT_CLASS_RUNNING] = TT_ROLE_RUNNING,
        [TT_CLASS_READY] = TT_ROLE_READY,     [TT_CLASS_IPC] = TT_ROLE_IPC,
        [TT_CLASS_LOCK] = TT_ROLE_LOCK,       [TT_CLASS_SLEEP] = TT_ROLE_SLEEP,
        [TT_CLASS_WAIT] = TT_ROLE_WAIT,       [TT_CLASS_STOPPED] = TT_ROLE_STOPPED,
        [TT_CLASS_DEAD] = TT_ROLE_DEAD,       [TT_CLASS_CONDITION] = TT_ROLE_CONDITION,
    };
    unsigned class_ = 0;
    while (class_ < TT_CLASS_COUNT && roles[class_] != role) {
        class_++;
    }
    return class_;
}

/* ---- checks ------------------------------------------------------------------------------- */

/* Returns the first event at or after a time; they are in order of time. */
static uint32_t first_from(const struct tt_event *events, uint32_t count, uint64_t ticks)
{
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (events[middle].ticks < ticks) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* Returns whether the lane has a user event in [from, to). */
static bool walk_notes(const struct tt_app *app, const struct tt_event *events, uint32_t count,
                       uint64_t from, uint64_t to)
{
    for (uint32_t i = first_from(events, count, from); i < count && events[i].ticks < to; i++) {
        unsigned kind = events[i].kind;
        if (events[i].thread == app->ws.nav.lane.thread &&
            (kind == TT_KIND_USER || kind == TT_KIND_LOG || kind == TT_KIND_INSTANT)) {
            return true;
        }
    }
    return false;
}

static void check_cells(const struct tt_app *app, const struct tt_lanes_layout *l, int y,
                        const struct tt_event *events, uint32_t count)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    unsigned columns = (unsigned)l->columns;
    for (unsigned i = 0; i < columns; i++) {
        uint64_t from = tt_viewport_edge(&app->ws.nav.viewport, columns, i);
        uint64_t to = tt_viewport_edge(&app->ws.nav.viewport, columns, i + 1);
        uint64_t sums[TT_CLASS_COUNT], most = 0, whole = 0;
        unsigned inside = walk_sums(t, app->ws.nav.lane.thread, from, to, sums);
        for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
            most = sums[class_] > most ? sums[class_] : most;
            whole += sums[class_];
        }
        const struct tt_cell *cell = tt_grid_at(&app->ws.term.grid, l->gutter + (int)i, y);
        unsigned shown = class_of_role(cell->role);
        bool noted = !app->ws.nav.lane.sequence && walk_notes(app, events, count, from, to);
        if (cell->role == TT_ROLE_EVENT_USER || cell->over == TT_ROLE_OWN_EVENT) {
            cr_assert(noted || app->ws.nav.lane.sequence, "column %u has no event of its own", i);
            continue;
        }
        if (cell->role == TT_ROLE_PARTNER) {
            continue; /* an end of the message at the cursor */
        }
        cr_assert(!noted || cell->over != 0, "column %u hides an event of its own", i);
        if (most == 0) {
            cr_assert_eq(shown, TT_CLASS_COUNT, "a cell where nothing is known");
            continue;
        }
        cr_assert_lt(shown, TT_CLASS_COUNT, "no state in a cell that holds one");
        /* Of many states, what holds a thread up for more than an eighth goes before waiting. */
        const uint64_t ready = sums[TT_CLASS_READY], lock = sums[TT_CLASS_LOCK];
        const uint64_t held = ready > lock ? ready : lock;
        bool is_held = inside > 1 && held > whole / 8 && sums[TT_CLASS_RUNNING] < most;
        cr_assert_eq(sums[shown], is_held ? held : most, "%s held less than another",
                     tt_class_name(shown));
        /* A single interval: the cell shows its class. */
        if (inside == 0) {
            struct tt_interval interval;
            cr_assert(walk_state(t, app->ws.nav.lane.thread, from, &interval));
            cr_assert_eq(shown, interval.class_);
        }
    }
}

/* Returns whether the line contains the text, or its part up to the end of the line. */
static bool says(const char *line, const char *text)
{
    if (strstr(line, text)) {
        return true;
    }
    size_t length = strlen(line), most = strlen(text);
    if (length == 0 || line[length - 1] != '>') {
        return false;
    }
    length--;
    for (size_t part = most < length ? most : length; part > 0; part--) {
        if (memcmp(line + length - part, text, part) == 0) {
            return true;
        }
    }
    return false;
}

static void check_words(struct tt_app *app, const struct tt_lanes_layout *l)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    struct tt_interval interval;
    char line[4096], expected[512];
    struct tt_text text = tt_text_of(expected, sizeof expected);
    read_line(app, app->ws.term.body.y + l->status, line, sizeof line);
    if (!walk_state(t, app->ws.nav.lane.thread, app->ws.nav.viewport.at, &interval)) {
        cr_assert(says(line, "  unknown so far") || says(line, "  has ended"), "%s", line);
        return;
    }
    tt_text_str(&text, "  ");
    tt_text_str(&text, interval.state ? app->ws.opened.capture->format->states[interval.state].name
                                      : "unknown");
    if (!interval.since_before || app->ws.nav.viewport.at > interval.start) {
        tt_text_str(&text, interval.since_before ? " for at least " : " for ");
        tt_time_label_duration(&app->ws, &text, app->ws.nav.viewport.at - interval.start);
    }
    cr_assert(says(line, tt_text_cstr(&text)), "'%s' is not in: %s", expected, line);
}

static void check_numbers(struct tt_app *app, int y, int width)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    struct tt_delays scratch;
    struct tt_numbers numbers;
    struct tt_window window = {.from = app->ws.nav.viewport.from, .to = app->ws.nav.viewport.to};
    memset(&scratch, 0, sizeof scratch);
    cr_assert(tt_numbers_of_thread(t, app->ws.nav.lane.thread, &window, &scratch, &numbers));
    tt_delays_free(&scratch);
    uint64_t run = numbers.sums.ticks[TT_CLASS_RUNNING] - numbers.sums.irq;
    uint64_t end = tt_timelines_end(t);
    uint64_t to = window.to < end ? window.to : end;
    struct tt_lanes_gutter g = tt_lanes_gutter_of(width);
    char shown[8] = "";
    for (int i = 0; i < 4; i++) {
        shown[i] = (char)tt_grid_at(&app->ws.term.grid, g.percent + i, y)->ch;
    }
    if (run == 0) {
        cr_assert_str_eq(shown, "    ");
    } else {
        cr_assert_eq(strtoul(shown, NULL, 10),
                     (unsigned long)((double)run * 100.0 / (double)(to - window.from) + 0.5));
    }
}

/*
 * The event of the cursor is the last one up to its time; a state that began with an event of the
 * thread has that event's name.
 */
static void check_event(struct tt_app *app, const struct tt_event *events, uint32_t count)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        last = events[i].ticks <= app->ws.nav.viewport.at ? i : last;
    }
    if (!app->ws.nav.lane.sequence && app->ws.nav.cursor_moved) {
        cr_assert_eq(app->ws.nav.cursor.event.ticks, events[last].ticks);
        cr_assert_geq(app->ws.nav.viewport.at, app->ws.nav.cursor.event.ticks);
    }
    struct tt_interval interval;
    if (strcmp(app->ws.opened.capture->format->name, "kev") != 0 ||
        !walk_state(t, app->ws.nav.lane.thread, app->ws.nav.viewport.at, &interval) ||
        interval.state == 0) {
        return;
    }
    /* Returns the last state of the thread in the list of events. */
    const char *name = NULL;
    uint64_t when = 0;
    for (uint32_t i = 0; i < count && events[i].ticks <= app->ws.nav.viewport.at; i++) {
        const struct tt_event_type *type = tt_types_at(app->ws.opened.capture, events[i].type);
        if (events[i].kind == TT_KIND_STATE && events[i].thread == app->ws.nav.lane.thread &&
            strncmp(type->name, "TH", 2) == 0) {
            name = type->name + 2;
            when = events[i].ticks;
        }
    }
    const char *state = app->ws.opened.capture->format->states[interval.state].name;
    bool displaced = interval.class_ == TT_CLASS_READY; /* shown by the other thread's THRUNNING */
    if (name && when >= interval.start && !displaced && !interval.since_before) {
        cr_assert_str_eq(name, state);
    }
}

/* ---- slices and counters ------------------------------------------------------------------ */

/* Walks the row from its first slice: ticks of slices in [from, to), and the slice at `at`. */
static bool walk_slices(const struct tt_timelines *t, const struct tt_slice_row *row, uint64_t from,
                        uint64_t to, uint64_t at, struct tt_slice *found)
{
    struct tt_slice_at place;
    uint64_t end = tt_timelines_end(t);
    bool any = false;
    memset(found, 0, sizeof *found);
    found->type = UINT32_MAX;
    for (bool more = tt_slice_first(t, row, 0, UINT64_MAX, &place); more;
         more = tt_slice_next(&place)) {
        struct tt_slice s = tt_slice_get(t, place);
        bool instant = s.start == s.end && s.start >= from && s.start < to;
        any |= instant || (s.start < to && s.end > from);
        if (s.start <= at && (at < s.end || at == s.start || (s.open && at <= end))) {
            *found = s;
        }
    }
    return any;
}

static void check_slices(struct tt_app *app, const struct tt_lanes_layout *l, int y)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    const struct tt_slice_row *row =
        tt_slice_row(t, app->ws.nav.lane.thread, app->ws.nav.lane.number);
    unsigned columns = (unsigned)l->columns;
    struct tt_slice at;
    char line[4096], expected[512];
    cr_assert_not_null(row);
    for (unsigned i = 0; i < columns && !app->ws.nav.lane.sequence; i++) {
        uint64_t from = tt_viewport_edge(&app->ws.nav.viewport, columns, i);
        uint64_t to = tt_viewport_edge(&app->ws.nav.viewport, columns, i + 1);
        bool any = walk_slices(t, row, from, to, UINT64_MAX, &at);
        unsigned role = tt_grid_at(&app->ws.term.grid, l->gutter + (int)i, y)->role;
        bool drawn = role == TT_ROLE_SLICE || role == TT_ROLE_SLICE_OTHER || role == TT_ROLE_LOST;
        cr_assert_eq(drawn, any, "column %u", i);
    }
    walk_slices(t, row, 0, 0, app->ws.nav.viewport.at, &at);
    read_line(app, app->ws.term.body.y + l->status, line, sizeof line);
    struct tt_text text = tt_text_of(expected, sizeof expected);
    if (at.type == UINT32_MAX) {
        tt_text_str(&text, "in no slice");
    } else {
        tt_text_str(&text, tt_types_at(app->ws.opened.capture, at.type)->name);
        tt_text_str(&text, " for ");
        tt_time_label_duration(&app->ws, &text, app->ws.nav.viewport.at - at.start);
    }
    cr_assert(says(line, tt_text_cstr(&text)), "'%s' is not in: %s", expected, line);
}

/* Returns the value at `at`, and the maximum in [from, to). */
static bool walk_values(const struct tt_timelines *t, uint32_t series, uint64_t from, uint64_t to,
                        uint64_t at, struct tt_counter_value *found, double *max)
{
    struct tt_counter_at place;
    bool any = false;
    memset(found, 0, sizeof *found);
    if (!tt_counter_find(t, series, tt_timelines_end(t), &place)) {
        return false;
    }
    while (tt_counter_previous(t, &place)) {
    }
    do {
        struct tt_counter_value v = tt_counter_get(t, place);
        if (v.start <= at) {
            *found = v; /* of several at one time the last applies */
        }
        bool lasts = v.end > from || v.end == tt_timelines_end(t); /* the last one applies there */
        bool holds = v.start < to && (lasts || v.start >= from);
        if (v.known && holds) {
            *max = !any || v.value > *max ? v.value : *max;
            any = true;
        }
    } while (tt_counter_next(t, &place));
    return any;
}

static void check_counter(struct tt_app *app, const struct tt_lanes_layout *l, int y)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    unsigned columns = (unsigned)l->columns;
    uint64_t end = tt_timelines_end(t);
    struct tt_counter_value at;
    double max = 0, top = 0;
    char line[4096], expected[512];
    walk_values(t, app->ws.nav.lane.number, 0, UINT64_MAX, 0, &at, &top);
    for (unsigned i = 0; i < columns && !app->ws.nav.lane.sequence; i++) {
        uint64_t from = tt_viewport_edge(&app->ws.nav.viewport, columns, i);
        uint64_t to = tt_viewport_edge(&app->ws.nav.viewport, columns, i + 1);
        bool any = from <= end && walk_values(t, app->ws.nav.lane.number, from, to, 0, &at, &max);
        uint32_t ch = tt_grid_at(&app->ws.term.grid, l->gutter + (int)i, y)->ch;
        cr_assert_eq(ch != ' ', any, "column %u", i);
        cr_assert(!any || max < top || top <= 0 || ch == '8', "column %u has the greatest", i);
    }
    walk_values(t, app->ws.nav.lane.number, 0, 0, app->ws.nav.viewport.at, &at, &max);
    read_line(app, app->ws.term.body.y + l->status, line, sizeof line);
    struct tt_text text = tt_text_of(expected, sizeof expected);
    if (at.known && app->ws.nav.viewport.at <= end) {
        tt_text_double(&text, at.value);
        tt_text_str(&text, " for ");
        tt_time_label_duration(&app->ws, &text, app->ws.nav.viewport.at - at.start);
        cr_assert(says(line, tt_text_cstr(&text)), "'%s' is not in: %s", expected, line);
    } else {
        cr_assert(says(line, "not known for") || says(line, "unknown so far"), "%s", line);
    }
}

static struct tt_lanes_layout layout_of(const struct tt_app *app)
{
    struct tt_lanes_layout l;
    tt_lanes_place(&l, app->ws.term.body, tt_lanes_gutter_of(app->ws.term.grid.width).width);
    return l;
}

/* ---- keys --------------------------------------------------------------------------------- */

static const char *const keys[] = {
    "j",           "k",         "l",       "h",     "+",
    "-",           "0",         ".",       ",",     "]",
    "[",           "J",         "K",       "}",     "{",
    "L",           "H",         ">",       "<lt>",  "^",
    "$",           "<PgDn>",    "<PgUp>",  "g",     "G",
    "<Space>",     "p",         "i",       "o",     "O",
    "v",           "z",         "m",       "t",     ":50%<Enter>",
    ":13%<Enter>", ":7<Enter>", "''",      "<Esc>", "<Tab><Tab><Tab><Tab>",
    "2",           "1",         "<Enter>", "<C-d>", "<C-u>",
    "=",           "_",         "Z",       "++++",  "+++",
    "+",           "+",         ".",       ".",
};

#define KEYS (sizeof keys / sizeof *keys)

static struct tt_app *open_app(const char *path, struct tt_tui_options *options,
                               const char *const *paths, int width, int height)
{
    struct tt_app *app = malloc(sizeof *app);
    cr_assert_not_null(app);
    memset(options, 0, sizeof *options);
    options->paths = paths;
    options->path_count = 1;
    options->view = "threads";
    struct tt_status status = tt_app_open(app, options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s: %s", path, status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, width, height));
    tt_app_update(app);
    tt_event_loop_settle(app);
    return app;
}

static void check_capture(const char *path, unsigned rounds)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {40, 10}, {200, 60}};
    const char *paths[1] = {path};
    setlocale(LC_CTYPE, "C.UTF-8");
    for (unsigned size = 0; size < 4; size++) {
        struct tt_tui_options options;
        struct tt_app *app = open_app(path, &options, paths, sizes[size][0], sizes[size][1]);
        uint32_t count = (uint32_t)app->ws.index.rows;
        struct tt_event *events = malloc((count + 1) * sizeof *events);
        cr_assert_not_null(events);
        cr_assert_eq(tt_events_read(app->ws.opened.events, 0, count, events), count);
        unsigned checked = 0;
        for (unsigned round = 0; round < rounds; round++) {
            tt_event_loop_type(app, keys[dice(KEYS)]);
            if (app->awaiting != TT_DO_NOTHING) {
                tt_event_loop_type(app, "a");
            }
            app->ws.term.requests.quit = false;
            if (app->ws.nav.overlay != TT_OVERLAY_NONE && dice(2) == 0) {
                tt_event_loop_type(app, "<Esc>");
            }
            if (app->ws.nav.view != TT_VIEW_THREADS) {
                tt_event_loop_type(app, "2");
            }
            app->ws.message.text[0] = '\0'; /* a long one covers the line of the state */
            tt_app_draw(app);
            struct tt_lanes_layout l = layout_of(app);
            int y = cursor_line(app, &l);
            if (app->ws.nav.view != TT_VIEW_THREADS || app->ws.nav.overlay != TT_OVERLAY_NONE ||
                y < 0 || app->ws.nav.lane.kind == TT_LANE_PROCESS) {
                continue;
            }
            checked++;
            if (app->ws.nav.lane.kind == TT_LANE_SLICES) {
                check_slices(app, &l, y);
                continue;
            }
            if (app->ws.nav.lane.kind == TT_LANE_COUNTER) {
                check_counter(app, &l, y);
                continue;
            }
            check_cells(app, &l, y, events, count);
            check_words(app, &l);
            check_numbers(app, y, app->ws.term.grid.width);
            check_event(app, events, count);
        }
        cr_assert_gt(checked, rounds / 16, "%s: keys led away: %u of %u", path, checked, rounds);
        free(events);
        tt_app_close(app);
        free(app);
    }
}

static void check_if_there(const char *path, unsigned rounds)
{
    if (access(path, R_OK) != 0) {
        cr_skip_test("%s is not there", path);
    }
    check_capture(path, rounds);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 42;
}

TestSuite(lanes_agree, .init = begin_seed);

Test(lanes_agree, demo)
{
    check_capture("samples/demo.kev", 250);
}

Test(lanes_agree, demo_fuchsia)
{
    check_capture("samples/demo.fxt", 250);
}

Test(lanes_agree, demo_threadx)
{
    check_capture("samples/demo.trx", 250);
}

Test(lanes_agree, demo_symbian)
{
    check_capture("samples/demo.btrace", 250);
}

Test(lanes_agree, fast)
{
    check_capture("samples/fast1.kev", 250);
}

Test(lanes_agree, wide)
{
    check_capture("samples/wide4.kev", 250);
}

Test(lanes_agree, qnx_6)
{
    check_if_there("../shared/captures/kev/synthetic-seed-be.kev", 250);
}

Test(lanes_agree, threadx)
{
    check_if_there("../shared/captures/trx/demo_threadx.trx", 250);
}

Test(lanes_agree, threadx_net)
{
    check_if_there("../shared/captures/trx/demo_netx_tcp.trx", 150);
}

Test(lanes_agree, threadx_wrapped)
{
    check_if_there("../shared/captures/trx/gen_up_le32_wrapped.trx", 150);
}

Test(lanes_agree, threadx_four_cores)
{
    check_if_there("../shared/captures/trx/gen_smp_le64_4core.trx", 250);
}

Test(lanes_agree, fuchsia)
{
    check_if_there("../shared/captures/fxt/sched_new.fxt", 250);
}

Test(lanes_agree, fuchsia_records)
{
    check_if_there("../shared/captures/fxt/all_records.fxt", 150);
}

Test(lanes_agree, fuchsia_slices)
{
    check_if_there("../shared/captures/fxt/simple_trace_reconstructed.fxt", 250);
}

Test(lanes_agree, symbian)
{
    check_if_there("../shared/captures/btrace/ulogger.log", 60);
}
