/* SPDX-License-Identifier: Apache-2.0 */
/* Commands typed at `:` in an app without a terminal, and the pages generated from their tables. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "tracetui/text.h"
#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/config.h"
#include "tui/app/event_loop.h"
#include "tui/app/settings.h"
#include "tui/model/event_columns.h"

static struct tt_app *app;
static const char *const paths[] = {"samples/demo.kev"};
static struct tt_tui_options options;
static char folder[] = "/tmp/tt-command-XXXXXX";

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    options = (struct tt_tui_options){.paths = paths, .path_count = 1, .view = "events"};
    app = malloc(sizeof *app);
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    tt_event_loop_settle(app);
}

static void teardown(void)
{
    tt_app_close(app);
    free(app);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(tui_command, .init = setup, .fini = teardown, ALONE);

static void run(const char *line)
{
    app->ws.message.text[0] = '\0';
    tt_command_run(app, line);
}

static void says(const char *line, const char *message)
{
    run(line);
    cr_assert_not_null(strstr(app->ws.message.text, message), ":%s says \"%s\", not \"%s\"", line,
                       app->ws.message.text, message);
}

static void does(const char *line)
{
    run(line);
    cr_assert_str_eq(app->ws.message.text, "", ":%s says \"%s\"", line, app->ws.message.text);
}

/* Types at the prompt and returns its error message. */
static const char *typing(const char *keys)
{
    tt_event_loop_type(app, "<Esc><Esc>:");
    tt_event_loop_type(app, keys);
    return app->prompt.line.error;
}

/* Types keys and returns the copied text. */
static const char *copied(const char *keys)
{
    struct tt_terminal_requests *requests = &app->ws.term.requests;
    requests->copy = false;
    tt_event_loop_type(app, keys);
    cr_assert(requests->copy, "%s copies nothing", keys);
    requests->copy_text[requests->copy_length] = '\0';
    return requests->copy_text;
}

Test(tui_command, copy_reports_the_copied_text)
{
    const char *text = copied("4y");
    cr_assert_not_null(strstr(text, "thread\tpri\trun ms\trun %\t"), "%s", text);
    cr_assert_not_null(strstr(text, "\nsh/4 crunch2\t7\t"), "%s", text);
    text = copied("Y");
    cr_assert_not_null(strstr(text, "\nthread=sh/4 crunch2\n"), "%s", text);
    cr_assert_not_null(strstr(text, "\nrun_ns="), "%s", text);
    text = copied("1:100<Enter>y");
    cr_assert_null(strchr(text, '\n'), "%s", text);
    text = copied("<Enter>y");
    cr_assert_not_null(strstr(text, "time="), "%s", text);
    cr_assert_not_null(strstr(text, "\nevent="), "%s", text);
}

Test(tui_command, a_key_is_bound_until_the_end)
{
    says("map x view.info", "x: view.info; before: filter.add.exclude, axis");
    tt_event_loop_type(app, "x");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_INFO);
    says("map <F5> view.events", "F5: view.events");
    tt_event_loop_type(app, "<F5>");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_EVENTS);
    says("map xy view.info", "is not a key");
    says("map x view.nowhere", "no action \"view.nowhere\"");
}

static void write_config(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void config_is(const char *path, const char *expected)
{
    char text[4096];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_assert_str_eq(text, expected);
}

Test(tui_command, settings_are_saved_beside_the_lines_of_the_file)
{
    char path[64];
    snprintf(path, sizeof path, "%s/config", folder);
    options.config = path;
    write_config(path,
                 "# mine\n[keys]\nquit = q\ntime = relative\n[settings]\n"
                 "  time : relative ; as at work\n# not theme\nmouse = off\n\n[keys]\nhelp = ?");
    says("save settings", "no setting and no key was changed");
    does("set time delta");
    does("columns time event");
    does("theme mono");
    says("save settings", "settings saved in ");
    config_is(path, "# mine\n[keys]\nquit = q\ntime = relative\n[settings]\n"
                    "time = delta ; as at work\n# not theme\nmouse = off\ntheme = mono\n"
                    "columns = time event\n\n[keys]\nhelp = ?\n");
    write_config(path, "[keys]\nquit = q\n");
    says("save settings", "settings saved in ");
    config_is(path, "[keys]\nquit = q\n\n[settings]\ntheme = mono\ntime = delta\n"
                    "columns = time event\n");
    struct tt_status status = tt_config_load(app, path);
    cr_assert_not(tt_failed(&status), "%s", status.text);
}

Test(tui_command, keys_are_saved_beside_the_lines_of_the_file)
{
    char path[64];
    snprintf(path, sizeof path, "%s/config", folder);
    options.config = path;
    write_config(path, "[keys]\nfilters = e X ; as at work\nquit = q\n[settings]\nmouse = off\n");
    tt_config_load(app, path);
    says("map X view.info", "X: view.info; before: filters (");
    says("map <F5> view.info", "F5: view.info");
    says("map <C-x> quit", "^X: quit");
    does("set time delta");
    says("save settings", "settings saved in ");
    config_is(path, "[keys]\nfilters = e ; as at work\nquit = q <C-x>\nview.info = 5 X <F5>\n"
                    "[settings]\nmouse = off\ntime = delta\n");
    struct tt_status status = tt_config_load(app, path);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    tt_event_loop_type(app, "X");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_INFO);
    write_config(path, "");
    says("save settings", "settings saved in ");
    config_is(path, "[settings]\ntime = delta\n\n[keys]\nview.info = 5 X <F5>\nquit = q <C-x>\n");
}

/* A key for an earlier name of a verb is saved with that name, and the keys of the other names beside it. */
Test(tui_command, keys_of_one_place_are_saved)
{
    char path[64];
    snprintf(path, sizeof path, "%s/config", folder);
    options.config = path;
    write_config(path, "[keys]\n");
    says("map e why.write", "e: write in Why");
    says("save settings", "settings saved in ");
    config_is(path, "[keys]\nwrite = w\nwhy.write = w e\ninterval.write = w\ncheck.write = w\n"
                    "sql.write = w\n");
    struct tt_status status = tt_config_load(app, path);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    says("map <F9> write", "F9: write");
    says("save settings", "settings saved in ");
    config_is(path, "[keys]\nwrite = w <F9>\nwhy.write = w e <F9>\ninterval.write = w <F9>\n"
                    "check.write = w <F9>\nsql.write = w <F9>\n");
}

Test(tui_command, settings_are_saved_in_a_new_file_of_the_user)
{
    char path[64];
    does("set frame_rate 10");
    says("set frame_rate 0", "not a number from 1 to 60");
    says("set frame_rate 1x", "not a number from 1 to 60");
    says("set frame_rate", "frame_rate is 10");
    says("save settings", "there is no configuration file");
    options.own_config = true;
    says("save settings", "settings saved in ");
    snprintf(path, sizeof path, "%s/tracetui/config", folder);
    config_is(path, "[settings]\nframe_rate = 10\n");
    says("save", "save: expected FILE");
    options.config = "/dev/null/config";
    says("save settings", "/dev/null/config");
}

Test(tui_command, escape_hides_the_distance_of_the_marks)
{
    char text[200];
    struct tt_text out = tt_text_of(text, sizeof text);
    does("100");
    does("mark a");
    does("300");
    does("mark b");
    tt_event_loop_type(app, "<Esc>");
    tt_bookmarks_difference(&app->ws, 80, &out);
    cr_assert_eq(out.used, 0, "%s", tt_text_cstr(&out));
    does("mark b");
    tt_bookmarks_difference(&app->ws, 80, &out);
    cr_assert_neq(out.used, 0, "a mark that is set shows it again");
}

Test(tui_command, set_alone_lists_the_settings)
{
    does("set");
    cr_assert(app->prompt.line.open);
    cr_assert(app->prompt.completion.open);
    cr_assert_geq(app->prompt.completion.count, 5);
}

Test(tui_command, an_offset_is_a_position)
{
    struct tt_event event;
    does("0x1a40");
    cr_assert(tt_events_at_offset(app->ws.opened.events, 0x1a40, &event));
    cr_assert_eq(app->ws.nav.cursor.event.pos, event.pos);
    says("0x1a4z", "is not a file offset");
}

Test(tui_command, positions_work_with_and_without_goto)
{
    does("goto 100");
    cr_assert_eq(tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row), 100);
    does("#200");
    cr_assert_eq(tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row), 200);
    does("mark a");
    does("0%");
    cr_assert_eq(app->ws.nav.cursor.row, 0);
    does("goto 'a");
    cr_assert_eq(tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row), 200);
    says("goto 1.5x", "1.5x");
    says("goto 'q", "no such mark");
}

Test(tui_command, errors_name_the_cause_and_the_expected_form)
{
    says("nonsense", "no command \"nonsense\"");
    says("goto", "expected PLACE");
    says("zoom.selection", "works in: Threads, CPUs");
    says("write /no/such/folder/out", "No such file or directory: /no/such/folder/out");
    says("theme nothing", "there are: ");
    says("next now", "takes no argument");
    says("view.info now", "takes no argument");
    says("mark 1", "a letter from a to z");
    says("note b text", "mark b is not set");
    says("zoom sideways", "in, out, all, selection");
    says("zoom 2ms..1ms", "ends before it begins");
    says("columns time colour", "\"colour\" is not one of: time delta duration");
    says("set nothing on", "no setting \"nothing\"; there are: theme");
    says("set time backwards", "is not one of: relative absolute delta ticks");
    says("stats weather", "is not a table of Summary");
    says("theme nothing", "nothing");
    says("write", "expected FILE");
    says("write -", "standard output is the screen");
    says("write! samples/demo.kev", "the output file is the capture");
    says("write /dev/null", "not a regular file");
    says("open /nowhere/at/all", "/nowhere/at/all");
}

Test(tui_command, errors_are_marked_while_typing)
{
    cr_assert_str_eq(typing("go"), "");
    cr_assert_str_eq(typing("gox"), "unknown command; Tab lists commands");
    cr_assert_eq(app->prompt.line.error_column, 1);
    cr_assert_str_eq(typing("goto 50%"), "");
    cr_assert_str_neq(typing("goto 50x"), "");
    cr_assert_eq(app->prompt.line.error_column, 6);
    cr_assert_str_eq(typing("zoom sel"), "");
    cr_assert_str_neq(typing("zoom sel 3"), "");
    cr_assert_str_eq(typing("set ti"), "");
    cr_assert_str_neq(typing("set ti x"), "");
    cr_assert_str_neq(typing("next x"), "");
    cr_assert_str_neq(typing("12x"), "");
}

Test(tui_command, tab_completes_names_and_arguments)
{
    typing("unm<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "unmark ");
    typing("set ti<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "set time ");
    typing("set time abs<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "set time absolute");
    typing("columns -cl<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "columns -class");
    typing("theme mo<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "theme mono");
    typing("stats proc<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "stats process");
    typing("open samples/dem<Tab>");
    cr_assert_not_null(strstr(app->prompt.line.text, "open samples/demo"));
    typing("goto '<Tab>");
    cr_assert_str_eq(app->prompt.line.text, "goto '");
}

Test(tui_command, every_command_and_every_action_is_offered)
{
    typing("<Tab>");
    unsigned commands = 0, actions = 0, earlier = 0; /* names, which are not offered */
    for (; tt_command_at(commands); commands++) {
        earlier += tt_command_at(commands)->help[0] == '\0';
    }
    for (unsigned i = 1; i < TT_DO_COUNT; i++) {
        actions += !(tt_do_at(i)->contexts & TT_IN_PROMPT);
        for (unsigned c = 0; c < commands; c++) {
            actions -= strcmp(tt_do_at(i)->name, tt_command_at(c)->name) == 0;
        }
    }
    cr_assert_eq(app->prompt.completion.count, commands - earlier + actions);
}

Test(tui_command, every_action_is_a_command)
{
    for (unsigned i = 1; i < TT_DO_COUNT; i++) {
        const struct tt_do_info *info = tt_do_at(i);
        if (!(info->contexts & TT_IN_PROMPT)) {
            run(info->name);
            cr_assert_null(strstr(app->ws.message.text, "no command"), "%s", info->name);
            tt_event_loop_type(app, "<Esc><Esc>");
        }
    }
}

Test(tui_command, settings_show_their_defaults)
{
    const struct tt_setting *setting;
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        if (strcmp(setting->name, "session") == 0 || strcmp(setting->name, "view") == 0) {
            continue; /* this suite runs without a configuration, and names the view */
        }
        char value[200];
        struct tt_text text = tt_text_of(value, sizeof value);
        tt_setting_get(setting, app, &text);
        cr_assert_str_eq(tt_text_cstr(&text), setting->initial, "%s", setting->name);
        struct tt_status status = tt_setting_set(app, setting->name, setting->initial);
        cr_assert_not(tt_failed(&status), "%s", status.text);
    }
    does("set time ticks");
    cr_assert_eq(app->ws.nav.times, TT_TIMES_TICKS);
    says("set time", "time is ticks");
    does("columns time event");
    cr_assert_eq(app->ws.nav.hidden_columns & (1u << TT_COLUMN_CPU), 1u << TT_COLUMN_CPU);
    does("columns +cpu -time");
    says("set columns", "columns is cpu event;");
    does("set view info");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_INFO);
}

Test(tui_command, ranges_are_shown)
{
    does("zoom 1ms..2ms");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    uint64_t length = app->ws.nav.viewport.to - app->ws.nav.viewport.from;
    does("zoom in");
    tt_event_loop_settle(app);
    cr_assert_lt(app->ws.nav.viewport.to - app->ws.nav.viewport.from, length);
    does("zoom all");
    does("from 10ms");
    does("to 20ms");
    cr_assert_geq(app->ws.nav.viewport.to - app->ws.nav.viewport.from, 9 * length);
    says("to 5ms", "ends before it begins");
}

Test(tui_command, marks_are_set_noted_listed_selected_and_deleted)
{
    does("100");
    does("mark a the first");
    does("300");
    does("mark b");
    does("note b the second");
    cr_assert_str_eq(app->ws.nav.marks[0].note, "the first");
    cr_assert_str_eq(app->ws.nav.marks[1].note, "the second");
    char text[200];
    struct tt_text out = tt_text_of(text, sizeof text);
    tt_bookmarks_difference(&app->ws, 80, &out);
    cr_assert_not_null(strstr(tt_text_cstr(&out), "200 events"), "%s", text);
    cr_assert_not_null(strstr(text, "ticks"), "%s", text);
    run("select.marks");
    uint64_t from, to;
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_assert_eq(from, app->ws.nav.marks[0].ticks);
    tt_event_loop_type(app, "\"g<Enter>");
    cr_assert_eq(tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row), 100);
    cr_assert_not_null(strstr(app->ws.message.text, "the first"));
    tt_event_loop_type(app, "\"Gn<C-u>another<Enter>");
    cr_assert_str_eq(app->ws.nav.marks[1].note, "another");
    tt_event_loop_type(app, "d");
    cr_assert_eq(app->ws.nav.marks[1].set, 0);
    says("unmark a", "mark a deleted");
    cr_assert_eq(app->ws.nav.marks[0].set, 0);
}

static unsigned lines_of(const char *path, char *first, size_t capacity)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    unsigned lines = 0;
    static char line[65536];
    while (fgets(line, sizeof line, file)) {
        if (lines++ == 0) {
            snprintf(first, capacity, "%.*s", (int)strcspn(line, "\n"), line);
        }
    }
    fclose(file);
    return lines;
}

static void write_to(const char *command, const char *name, char *path, size_t capacity)
{
    char line[256];
    snprintf(path, capacity, "%s/%s", folder, name);
    snprintf(line, sizeof line, "%s %s", command, path);
    run(line);
    while (tt_app_working(app)) {
        tt_app_work(app, 1000000);
    }
}

Test(tui_command, write_saves_the_frame)
{
    char path[200], first[200];
    write_to("write", "events.txt", path, sizeof path);
    cr_assert_eq(lines_of(path, first, sizeof first), app->ws.index.rows);
    cr_assert_not_null(strstr(first, " 0.000000000 "), "%s", first);
    write_to("write", "events.txt", path, sizeof path);
    cr_assert_not_null(strstr(app->ws.message.text, "write! overwrites it"), "%s",
                       app->ws.message.text);
    write_to("write!", "events.txt", path, sizeof path);
    cr_assert_not_null(strstr(app->ws.message.text, "events written"), "%s", app->ws.message.text);
    write_to("w", "events.csv", path, sizeof path);
    cr_assert_eq(lines_of(path, first, sizeof first), app->ws.index.rows + 1);
    cr_assert_str_eq(first, "time_s,cpu,thread,class,event,arguments");
    run("stats cpu");
    tt_event_loop_settle(app);
    write_to("write", "cpus.csv", path, sizeof path);
    cr_assert_eq(lines_of(path, first, sizeof first), 5, "a heading and 4 CPUs");
    run("view.info");
    tt_event_loop_settle(app);
    write_to("write", "info.txt", path, sizeof path);
    cr_assert_eq(lines_of(path, first, sizeof first), 22);
}

/* The screen cannot be written where none is drawn, whatever was drawn before. */
Test(tui_command, a_terminal_that_is_too_small_is_not_written)
{
    char path[200];
    run("view.info");
    tt_event_loop_settle(app);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 30, 8));
    write_to("write", "small.txt", path, sizeof path);
    cr_expect_not_null(strstr(app->ws.message.text, "not written: the terminal is too small"), "%s",
                       app->ws.message.text);
    cr_expect_neq(access(path, F_OK), 0);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    write_to("write", "small.txt", path, sizeof path);
    cr_expect_not_null(strstr(app->ws.message.text, "the screen written"), "%s",
                       app->ws.message.text);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

Test(tui_command, save_writes_the_capture_or_what_is_shown)
{
    char path[200];
    write_to("save", "whole.kev", path, sizeof path);
    cr_expect_eq(size_of(path), size_of("samples/demo.kev"));
    cr_expect_not_null(strstr(app->ws.message.text, "events written to "), "%s",
                       app->ws.message.text);
    tt_event_loop_type(app, ":filter class = COMM<Enter>");
    tt_event_loop_settle(app);
    write_to("save", "part.kev", path, sizeof path);
    cr_expect_gt(size_of(path), 1000);
    cr_expect_lt(size_of(path), size_of("samples/demo.kev"));
    write_to("save", "part.kev", path, sizeof path);
    cr_expect_not_null(strstr(app->ws.message.text, "overwrites it"), "%s", app->ws.message.text);
    char line[256];
    snprintf(line, sizeof line, "save! %s", path);
    run(line);
    cr_assert(app->writing.active);
    tt_export_stop(app);
    cr_expect_not(app->writing.active);
    cr_expect_gt(size_of(path), 1000, "the file of before stays");
}

Test(tui_command, open_appends_to_the_files_of_the_command_line)
{
    does("open samples/demo.fxt");
    cr_assert_str_eq(tt_trace_path(app->ws.opened.trace), "samples/demo.fxt");
    says("next", "last file");
    does("prev");
    cr_assert_str_eq(tt_trace_path(app->ws.opened.trace), "samples/demo.kev");
    says("files", "[demo.kev]  demo.fxt");
    says("open README.md", "README.md");
    cr_assert_str_eq(tt_trace_path(app->ws.opened.trace), "samples/demo.kev");
    does("quit");
    cr_assert(app->ws.term.requests.quit);
}

Test(tui_command, pasted_text_is_not_handled_as_keys)
{
    tt_event_loop_type(app, "<Paste>q<Enter>1<PasteEnd>");
    cr_assert_not(app->ws.term.requests.quit);
    cr_assert_not_null(strstr(app->ws.message.text, "no prompt is open"));
    tt_event_loop_type(app, ":<Paste>goto<Enter><Tab>50%<PasteEnd>");
    cr_assert_str_eq(app->prompt.line.text, "goto  50%");
    tt_event_loop_type(app, "<C-u><Paste>");
    for (int i = 0; i < 10240; i++) {
        tt_app_key(app, i % 7 ? 'x' : '(');
    }
    tt_event_loop_type(app, "<PasteEnd>");
    cr_assert_eq(app->prompt.line.length, TT_PROMPT_BYTES - 1);
    cr_assert_not_null(strstr(app->prompt.line.error, "2048 pasted characters ignored"), "%s",
                       app->prompt.line.error);
    tt_event_loop_type(app, "<Enter>");
    cr_assert_not(app->prompt.line.open);
    cr_assert_neq(app->ws.message.text[0], '\0');
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void page_is(const char *path, const char *build, void (*page)(struct tt_text *text))
{
    static char made[65536], kept[65536];
    struct tt_text text = tt_text_of(made, sizeof made);
    page(&text);
    cr_assert_not(text.truncated);
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(kept, 1, sizeof kept - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    kept[length] = '\0';
    if (strcmp(tt_text_cstr(&text), kept) != 0) {
        file = fopen(build, "wb");
        if (file) {
            fwrite(made, 1, text.used, file);
            fclose(file);
        }
        cr_assert_fail("%s is not as the table has it: see %s", path, build);
    }
}

Test(tui_pages, configuration)
{
    page_is("docs/config.md", "build/config.md", tt_config_page);
}

Test(tui_pages, commands)
{
    page_is("docs/commands.md", "build/commands.md", tt_commands_page);
}
