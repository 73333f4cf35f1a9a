/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: what comes back when a capture is opened again, whose it is, and what damage does. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/app.h"
#include "tui/command.h"
#include "tui/loop.h"

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

TestSuite(tui_session, .init = setup, .fini = teardown);

static void open_at(const char *path)
{
    paths[0] = path;
    options = (struct tt_tui_options){.paths = paths, .path_count = 1, .session = true};
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->grid, 80, 24));
    tt_app_update(app);
    tt_loop_settle(app);
}

static void type(const char *keys)
{
    tt_loop_type(app, keys);
}

static uint64_t number(void)
{
    return tt_events_number(app->opened.events, app->cursor.row);
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

Test(tui_session, places_marks_filters_and_the_rest_come_back)
{
    open_at("samples/demo.kev");
    type(":1234<Enter>:mark b here it is, 100%<Enter>:1300<Enter>ma");
    type(":set time ticks<Enter>:columns -cpu<Enter>");
    type(":filter class = THREAD<Enter>:view.threads<Enter>");
    tt_loop_settle(app);
    type("<Space>p:zoom 1ms..9ms<Enter>:5ms<Enter>");
    uint64_t row = app->cursor.row, from = app->viewport.from, to = app->viewport.to;
    cr_assert_eq(app->filters.count, 1);
    tt_app_close(app);

    open_at("samples/demo.kev");
    cr_assert_eq(app->view, TT_VIEW_THREADS);
    cr_assert_eq(app->cursor.row, row);
    cr_assert_eq(app->viewport.from, from);
    cr_assert_eq(app->viewport.to, to);
    cr_assert_eq(app->times, TT_TIMES_TICKS);
    cr_assert_neq(app->hidden_columns, 0);
    cr_assert_str_eq(app->marks[1].note, "here it is, 100%");
    cr_assert_neq(app->marks[0].set, 0);
    cr_assert_eq(app->filters.count, 1);
    cr_assert_str_eq(app->filters.stack[0].text, "class = THREAD");
    type(":<Up><Up>");
    cr_assert_str_eq(app->prompt.text, "zoom 1ms..9ms", "the history is there too");
    type("<Esc>:'b<Enter>");
    cr_assert_eq(number(), 1234);
    tt_app_close(app);
}

Test(tui_session, it_belongs_to_the_content)
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

Test(tui_session, a_capture_that_has_grown_is_known_again)
{
    char part[128];
    snprintf(part, sizeof part, "%s/part.kev", folder);
    shell("head -c 40000 %s >%s", "samples/demo.kev", part);
    open_at(part);
    type(":100<Enter>:mark c<Enter>");
    tt_app_close(app);
    open_at("samples/demo.kev");
    cr_assert_eq(number(), 100, "%llu", (unsigned long long)number());
    cr_assert_neq(app->marks[2].set, 0);
    tt_app_close(app);
}

Test(tui_session, nothing_is_kept_of_who_did_nothing_or_does_not_want_it)
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

Test(tui_session, what_the_person_does_first_wins)
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
    cr_assert_eq(app->view, TT_VIEW_INFO, "the command line asked for it");
    cr_assert(tt_grid_resize(&app->grid, 80, 24));
    tt_app_go_row(app, 3);
    tt_app_update(app);
    cr_assert_eq(number(), 3);
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

Test(tui_session, a_damaged_one_is_left_out_and_said)
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
        cr_assert_eq(app->marks[0].set, 0);
        cr_assert_not_null(strstr(app->message, "left out"), "byte %zu: %s", at, app->message);
        tt_app_close(app);
    }
    for (size_t cut = 0; cut < length; cut += 1 + length / 20) {
        spill(name, good, cut);
        open_at("samples/demo.kev");
        cr_assert_eq(number(), 0);
        tt_app_close(app);
    }
}

Test(tui_session, only_so_many_are_kept_and_the_oldest_go)
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

Test(tui_session, another_file_has_a_session_of_its_own)
{
    open_at("samples/demo.kev");
    type(":500<Enter>:open samples/demo.fxt<Enter>:70<Enter>:prev<Enter>");
    cr_assert_eq(number(), 500);
    type(":next<Enter>");
    cr_assert_eq(number(), 70);
    tt_app_close(app);
}
