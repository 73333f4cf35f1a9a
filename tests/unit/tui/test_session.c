/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: restored state, the capture of a session, and damage. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/lanes/rows.h"
#include "tui/model/visible_rows.h"
#include "tui/views/threads/view.h"

static char folder[] = "/tmp/tt-session-XXXXXX";
static struct tt_app *app;
static struct tt_tui_options options;
static const char *paths[1];

static void shell(const char *format, const char *a, const char *b)
{
    char command[512];
    snprintf(command, sizeof command, format, a, b);
    cr_assert_eq(system(command), 0, "%s", command);
}

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    app = malloc(sizeof *app);
}

static void teardown(void)
{
    free(app);
    shell("rm -rf %s%s", folder, "");
}

TestSuite(tui_session, .init = setup, .fini = teardown, ALONE);

static void open_at(const char *path)
{
    paths[0] = path;
    options = (struct tt_tui_options){.paths = paths, .path_count = 1, .session = true};
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    tt_event_loop_settle(app);
}

static void type(const char *keys)
{
    tt_event_loop_type(app, keys);
}

static uint64_t number(void)
{
    return tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row);
}

/* Returns the frame without its last lines, which show the last action. */
static void frame(char *out, size_t capacity)
{
    struct tt_text text = tt_text_of(out, capacity);
    tt_app_update(app);
    tt_event_loop_settle(app);
    for (int y = 0; y < app->ws.term.grid.height - 2; y++) {
        tt_grid_line(&app->ws.term.grid, y, &text);
        tt_text_char(&text, '\n');
    }
    tt_text_cstr(&text);
    cr_assert_not(text.truncated);
}

static unsigned sessions(char *name, size_t capacity)
{
    char path[128];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/tracetui/sessions", folder);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            count++;
            snprintf(name, capacity, "%s/%.80s", path, entry->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    return count;
}

Test(tui_session, position_marks_filters_and_settings_are_restored)
{
    open_at("samples/demo.kev");
    type(":1234<Enter>:mark b here it is, 100%<Enter>:1300<Enter>ma");
    type(":set time ticks<Enter>:columns -cpu<Enter>");
    type(":filter class = THREAD<Enter>:view.threads<Enter>");
    tt_event_loop_settle(app);
    type("<Space>p:zoom 1ms..9ms<Enter>:5ms<Enter>");
    uint64_t row = app->ws.nav.cursor.row, from = app->ws.nav.viewport.from,
             to = app->ws.nav.viewport.to;
    cr_assert_eq(app->ws.filters.stack.count, 1);
    tt_app_close(app);

    open_at("samples/demo.kev");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_assert_str_eq(app->ws.message.text,
                     "restored: position, zoom, 2 marks, 1 filter, columns and "
                     "times, lists; without: --no-session");
    cr_assert_eq(app->ws.nav.cursor.row, row);
    cr_assert_eq(app->ws.nav.viewport.from, from);
    cr_assert_eq(app->ws.nav.viewport.to, to);
    cr_assert_eq(app->ws.nav.times, TT_TIMES_TICKS);
    cr_assert_neq(app->ws.nav.hidden_columns, 0);
    cr_assert_str_eq(app->ws.nav.marks[1].note, "here it is, 100%");
    cr_assert_neq(app->ws.nav.marks[0].set, 0);
    cr_assert_eq(app->ws.filters.stack.count, 1);
    cr_assert_str_eq(app->ws.filters.stack.stack[0].text, "class = THREAD");
    type(":<Up><Up>");
    cr_assert_str_eq(app->prompt.line.text, "zoom 1ms..9ms", "the history is there too");
    type("<Esc>:'b<Enter>");
    cr_assert_eq(number(), 1234);
    tt_app_close(app);
}

Test(tui_session, a_session_belongs_to_the_content)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s/other.kev", folder);
    open_at("samples/demo.kev");
    type(":500<Enter>");
    tt_app_close(app);
    shell("cp %s %s", "samples/demo.kev", copy);
    open_at(copy);
    cr_assert_eq(number(), 500);
    tt_app_close(app);
    open_at("samples/fast1.kev");
    cr_assert_eq(number(), 0);
    tt_app_close(app);
}

Test(tui_session, a_grown_capture_keeps_its_session)
{
    char part[128];
    snprintf(part, sizeof part, "%s/part.kev", folder);
    shell("head -c 40000 %s >%s", "samples/demo.kev", part);
    open_at(part);
    type(":100<Enter>:mark c<Enter>");
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_eq(number(), 100, "%llu", (unsigned long long)number());
    cr_assert_neq(app->ws.nav.marks[2].set, 0);
    tt_app_close(app);
}

Test(tui_session, nothing_is_saved_without_actions_or_if_disabled)
{
    char name[256];
    open_at("samples/demo.kev");
    tt_app_close(app);
    cr_assert_eq(sessions(name, sizeof name), 0);
    open_at("samples/demo.kev");
    type(":set session off<Enter>:7<Enter>");
    tt_app_close(app);
    cr_assert_eq(sessions(name, sizeof name), 0);
}

Test(tui_session, the_first_actions_of_the_user_win)
{
    open_at("samples/demo.kev");
    type(":500<Enter>");
    tt_app_close(app);
    paths[0] = "samples/demo.kev";
    options.view = "info";
    options =
        (struct tt_tui_options){.paths = paths, .path_count = 1, .session = true, .view = "info"};
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert_eq(app->ws.nav.view, TT_VIEW_INFO, "the command line asked for it");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_nav_go_row(&app->ws, 3);
    tt_app_update(app);
    cr_assert_eq(number(), 3);
    tt_app_close(app);
}

Test(tui_session, moving_before_the_restore_keeps_everything_but_the_position)
{
    open_at("samples/demo.kev");
    type(":500<Enter>2Z");
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    uint32_t process = 0, count = tt_process_count(app->ws.opened.capture);
    while (process < count && !tt_lane_rows_folded(&v->rows, process)) {
        process++;
    }
    cr_assert_lt(process, count);
    tt_app_close(app);
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_nav_go_row(&app->ws, 3);
    tt_app_update(app);
    cr_assert_eq(number(), 3);
    v = app->view_states[TT_VIEW_THREADS];
    cr_assert(tt_lane_rows_folded(&v->rows, process));
    tt_app_close(app);
}

static size_t slurp(const char *path, char *out, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    size_t length = fread(out, 1, capacity, file);
    fclose(file);
    return length;
}

static void spill(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

Test(tui_session, a_damaged_session_is_ignored_and_reported)
{
    char name[256];
    static char good[8192], bad[8192];
    open_at("samples/demo.kev");
    type(":500<Enter>:mark a a note<Enter>");
    tt_app_close(app);
    cr_assert_eq(sessions(name, sizeof name), 1);
    size_t length = slurp(name, good, sizeof good);
    for (size_t at = 0; at < length; at += 1 + length / 60) {
        memcpy(bad, good, length);
        bad[at] ^= 1;
        spill(name, bad, length);
        open_at("samples/demo.kev");
        cr_assert_eq(number(), 0, "byte %zu", at);
        cr_assert_eq(app->ws.nav.marks[0].set, 0);
        cr_assert_not_null(strstr(app->ws.message.text, "saved session ignored"), "byte %zu: %s",
                           at, app->ws.message.text);
        tt_app_close(app);
    }
    for (size_t cut = 0; cut < length; cut += 1 + length / 20) {
        spill(name, good, cut);
        open_at("samples/demo.kev");
        cr_assert_eq(number(), 0);
        tt_app_close(app);
    }
}

Test(tui_session, the_number_of_sessions_is_limited)
{
    char name[256], path[300];
    shell("mkdir -p %s/tracetui/sessions%s", folder, "");
    for (int i = 0; i < 2 * TT_SESSIONS; i++) {
        snprintf(path, sizeof path, "%s/tracetui/sessions/%016x.session", folder, i);
        spill(path, "old", 3);
    }
    shell("touch -d '2 days ago' %s/tracetui/sessions/*%s", folder, "");
    open_at("samples/demo.kev");
    type(":500<Enter>");
    tt_app_close(app);
    cr_assert_eq(sessions(name, sizeof name), TT_SESSIONS);
    open_at("samples/demo.kev");
    cr_assert_eq(number(), 500, "the newest stays");
    tt_app_close(app);
}

Test(tui_session, another_file_has_its_own_session)
{
    open_at("samples/demo.kev");
    type(":500<Enter>:open samples/demo.fxt<Enter>:70<Enter>:prev<Enter>");
    cr_assert_eq(number(), 500);
    type(":next<Enter>");
    cr_assert_eq(number(), 70);
    tt_app_close(app);
}

Test(tui_session, the_tables_of_summary_are_restored)
{
    static char first[16384], left[16384], back[16384];
    open_at("samples/demo.kev");
    type("4");
    frame(first, sizeof first);
    type("}}rr<Right><Right><Right>oOg");
    frame(left, sizeof left);
    cr_assert_str_neq(left, first);
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_SUMMARY);
    frame(back, sizeof back);
    cr_assert_str_eq(back, left);
    type("c<Down><Down><Space>qg");
    frame(left, sizeof left);
    cr_assert_str_neq(left, back, "a column went");
    tt_app_close(app);
    open_at("samples/demo.kev");
    frame(back, sizeof back);
    cr_assert_str_eq(back, left);
    tt_app_close(app);
}

Test(tui_session, the_order_of_lanes_is_restored)
{
    static char first[16384], left[16384], back[16384];
    open_at("samples/demo.fxt");
    type("2");
    frame(first, sizeof first);
    type(":zoom 20%..60%<Enter>:#1234<Enter>oooOiZg:#1234<Enter>");
    frame(left, sizeof left);
    cr_assert_str_neq(left, first);
    tt_app_close(app);
    open_at("samples/demo.fxt");
    type("g:#1234<Enter>");
    frame(back, sizeof back);
    cr_assert_str_eq(back, left);
    tt_app_close(app);
}

Test(tui_session, folded_slices_are_restored)
{
    static char open[16384], left[16384], back[16384];
    open_at("samples/demo.fxt");
    type("2");
    frame(open, sizeof open);
    bool folded = false;
    for (int i = 0; i < 20 && !folded; i++) { /* the first thread that has slices */
        type("<Down><Space>");
        frame(left, sizeof left);
        folded = app->ws.nav.lane.kind == TT_LANE_THREAD && app->ws.nav.lane.thread != TT_NO_THREAD;
        type(folded ? "" : "<Space>");
    }
    cr_assert(folded);
    tt_app_close(app);
    open_at("samples/demo.fxt");
    frame(back, sizeof back);
    cr_assert_str_eq(back, left);
    cr_assert_str_neq(back, open);
    tt_app_close(app);
}

Test(tui_session, the_stack_of_filters_is_restored_and_runs)
{
    static const struct {
        enum tt_use use;
        bool on;
        const char *name, *text;
    } stack[] = {
        {TT_USE_INCLUDE, true, "on one", "cpu = 0 or cpu = 1"},
        {TT_USE_EXCLUDE, true, "", "class = INT"},
        {TT_USE_HIGHLIGHT, true, "lit 100%", "/THRUNNING/"},
        {TT_USE_EXCLUDE, false, "", "thread ~ /^sh/"},
    };
    uint64_t hits[4], shown;
    struct tt_filter_error error;
    open_at("samples/demo.kev");
    type("j");
    struct tt_filter_target in = tt_find_target(&app->ws);
    for (unsigned i = 0; i < 4; i++) {
        cr_assert_eq(
            tt_filter_stack_add(&app->ws.filters.stack, &in, stack[i].use, stack[i].text, &error),
            i);
        tt_filter_stack_set_name(&app->ws.filters.stack, i, stack[i].name);
        tt_filter_stack_enable(&app->ws.filters.stack, i, stack[i].on);
    }
    tt_find_settle(app);
    for (unsigned i = 0; i < 4; i++) {
        hits[i] = tt_row_set_count(tt_filter_run_rows(app->ws.filters.stack.stack[i].run));
        cr_assert_gt(hits[i], 0);
    }
    shown = tt_visible_count(&app->ws);
    cr_assert_lt(shown, app->ws.index.rows);
    tt_app_close(app);

    open_at("samples/demo.kev");
    tt_find_settle(app);
    cr_assert_eq(app->ws.filters.stack.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct tt_filter_entry *f = &app->ws.filters.stack.stack[i];
        cr_assert_eq(f->use, stack[i].use);
        cr_assert_eq(f->on, stack[i].on);
        cr_assert_str_eq(f->name, stack[i].name);
        cr_assert_str_eq(f->text, stack[i].text);
        cr_assert_eq(tt_row_set_count(tt_filter_run_rows(f->run)), hits[i], "%s", stack[i].text);
    }
    cr_assert_eq(tt_visible_count(&app->ws), shown);
    tt_app_close(app);
}

Test(tui_session, a_session_of_another_version_is_not_changed)
{
    char name[256];
    static char text[8192];
    open_at("samples/demo.kev");
    type(":500<Enter>");
    tt_app_close(app);
    cr_assert_eq(sessions(name, sizeof name), 1);
    size_t length = slurp(name, text, sizeof text);
    char *version = strstr(text, "session 1");
    cr_assert_not_null(version);
    version[8] = '9';
    spill(name, text, length);
    open_at("samples/demo.kev");
    cr_assert_eq(number(), 0);
    cr_assert_not_null(strstr(app->ws.message.text, "not a session of this version"), "%s",
                       app->ws.message.text);
    tt_app_close(app); /* no actions: it is not overwritten */
    cr_assert_eq(slurp(name, text, sizeof text), length);
    cr_assert_not_null(strstr(text, "session 9"));
}

Test(tui_session, two_programs_merge_their_histories)
{
    struct tt_app *one = app, *other = malloc(sizeof *other);
    open_at("samples/demo.kev");
    type(":11<Enter>:12<Enter>");
    app = other;
    open_at("samples/demo.fxt");
    type(":21<Enter>:12<Enter>/sensor<Enter>");
    tt_app_close(other);
    app = one;
    tt_app_close(one);
    open_at("samples/demo.kev");
    const struct tt_history *lines = &app->prompt.line.histories[TT_PROMPT_COMMAND];
    cr_assert_eq(lines->count, 3);
    cr_assert_str_eq(lines->lines[0], "21");
    cr_assert_str_eq(lines->lines[1], "11");
    cr_assert_str_eq(lines->lines[2], "12");
    cr_assert_eq(app->prompt.line.histories[TT_PROMPT_SEARCH].count, 1);
    tt_app_close(app);
    free(other);
}

Test(tui_session, an_unfinished_filter_is_not_saved)
{
    open_at("samples/demo.kev");
    type(":filter cpu = 0<Enter>f and class = THREAD");
    cr_assert(app->prompt.line.open);
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_eq(app->ws.filters.stack.count, 1);
    cr_assert_str_eq(app->ws.filters.stack.stack[0].text, "cpu = 0");
    tt_app_close(app);
}

Test(tui_session, table_and_order_of_the_snapshot_are_restored)
{
    static char first[16384], left[16384], back[16384];
    open_at("samples/demo.kev");
    type("7:50%<Enter>");
    frame(first, sizeof first);
    type("oooOg");
    frame(left, sizeof left);
    cr_assert_str_neq(left, first);
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_SNAPSHOT);
    type("g");
    frame(back, sizeof back);
    cr_assert_str_eq(back, left);
    tt_app_close(app);
}

/* ---- the session beside a part ------------------------------------------------------------ */

/* Returns the type of the marked event, and its time in ticks. */
static const char *marked(char letter, uint64_t *ticks)
{
    const struct tt_bookmark *m = &app->ws.nav.marks[letter - 'a'];
    struct tt_event event;
    cr_assert(m->set, "mark %c in %s", letter, tt_trace_path(app->ws.opened.trace));
    uint64_t row = tt_events_row_at_key(app->ws.opened.events, m->ticks, m->pos);
    cr_assert_eq(tt_events_read(app->ws.opened.events, row, 1, &event), 1);
    cr_assert_eq(event.pos, m->pos, "mark %c is at an event", letter);
    *ticks = event.ticks;
    return tt_types_at(app->ws.opened.capture, event.type)->name;
}

static void save_with_marks(const char *keys, const char *suffix, char *path, size_t capacity)
{
    char line[256];
    snprintf(path, capacity, "%s/part.%s", folder, suffix);
    snprintf(line, sizeof line, "%s:save! --session %s<Enter>", keys, path);
    type(line);
    tt_event_loop_settle(app);
}

Test(tui_session, marks_go_along_with_a_part)
{
    static const char *const suffixes[] = {"kev", "fxt", "trx", "btrace"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[128], name[64], first[64], second[64];
        uint64_t at[4];
        snprintf(name, sizeof name, "samples/demo.%s", suffixes[i]);
        open_at(name);
        type(":view.events<Enter>:1<Enter>:mark a outside<Enter>");
        type(":50%<Enter>:mark b half way, 50%<Enter>jjj:mark c<Enter>");
        snprintf(first, sizeof first, "%s", marked('b', &at[0]));
        snprintf(second, sizeof second, "%s", marked('c', &at[1]));
        save_with_marks(":view.threads<Enter>:40%<Enter>v:60%<Enter>", suffixes[i], path,
                        sizeof path);
        cr_expect_not_null(strstr(app->ws.message.text, " events and 2 marks; 1 outside written"),
                           "%s: %s", suffixes[i], app->ws.message.text);
        tt_app_close(app);
        open_at(path);
        cr_expect_not(app->ws.nav.marks[0].set);
        cr_expect_str_eq(marked('b', &at[2]), first, "%s", suffixes[i]);
        cr_expect_str_eq(marked('c', &at[3]), second, "%s", suffixes[i]);
        cr_expect_str_eq(app->ws.nav.marks[1].note, "half way, 50%");
        cr_expect_eq(at[1] - at[0], at[3] - at[2], "%s", suffixes[i]);
        tt_app_close(app);
    }
}

Test(tui_session, marks_of_events_that_are_not_saved_are_left_out)
{
    char path[128];
    uint64_t ticks;
    open_at("samples/demo.kev");
    type(":search class = COMM<Enter>");
    tt_event_loop_settle(app);
    type(":mark c message<Enter>:search class = THREAD<Enter>");
    tt_event_loop_settle(app);
    type(":mark b switch<Enter>:filter class = THREAD<Enter>");
    tt_event_loop_settle(app);
    save_with_marks("", "kev", path, sizeof path);
    cr_expect_not_null(strstr(app->ws.message.text, "1 mark; 1 outside"), "%s",
                       app->ws.message.text);
    tt_app_close(app);
    open_at(path);
    marked('b', &ticks);
    cr_expect_not(app->ws.nav.marks['c' - 'a'].set);
    tt_app_close(app);
}

Test(tui_session, the_newer_of_two_sessions_is_restored)
{
    char path[128], own[256];
    uint64_t ticks;
    open_at("samples/demo.kev");
    type(":50%<Enter>:mark b first<Enter>");
    save_with_marks("", "kev", path, sizeof path);
    cr_expect_not_null(strstr(app->ws.message.text, " events and 1 mark written"), "%s",
                       app->ws.message.text);
    tt_app_close(app);
    unlink((sessions(own, sizeof own), own)); /* the copy has the same content */
    open_at(path);
    marked('b', &ticks);
    type(":unmark b<Enter>");
    tt_app_close(app);
    cr_assert_eq(sessions(own, sizeof own), 1);
    open_at(path);
    cr_expect_not(app->ws.nav.marks[1].set, "the own session is newer");
    tt_app_close(app);
    char beside[160];
    snprintf(beside, sizeof beside, "%s.session", path);
    shell("touch -d 2030-01-01 %s%s", beside, "");
    open_at(path);
    cr_expect(app->ws.nav.marks[1].set, "the session beside the capture is newer");
    tt_app_close(app);
}

Test(tui_session, the_prompt_completes_the_session_of_write)
{
    open_at("samples/demo.kev");
    type(":write --s<Tab>");
    cr_expect_str_eq(app->prompt.line.text, "write --session ");
    type("samples/demo.k<Tab>");
    cr_expect_str_eq(app->prompt.line.text, "write --session samples/demo.kev");
    type("<Esc><Esc>");
    tt_app_close(app);
}

/* Parts that equal the start without a session are not mentioned. */
Test(tui_session, the_message_names_what_is_restored)
{
    open_at("samples/demo.kev");
    cr_assert_str_eq(app->ws.message.text, "");
    type(":100<Enter>");
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_str_eq(app->ws.message.text, "restored: position; without: --no-session");
    type(":view.summary<Enter>:mark b<Enter>");
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_str_eq(app->ws.message.text,
                     "restored: view, position, 1 mark; without: --no-session");
    tt_app_close(app);
}
