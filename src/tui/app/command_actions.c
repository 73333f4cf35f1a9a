/* SPDX-License-Identifier: Apache-2.0 */
/* command_actions: the functions of the commands, and their table. */
#include "tui/app/commands_internal.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/app/export.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/places.h"
#include "tui/app/settings.h"
#include "tui/model/place_text.h"
#include "tui/term/keys.h"

#define NAME_BYTES 48

static void show_error(struct tt_app *app, const struct tt_status *status)
{
    if (tt_failed(status)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", status->text);
    }
}

/* ---- places
 * --------------------------------------------------------------------------------------- */

void tt_command_goto(struct tt_app *app, const char *text)
{
    uint64_t ticks, pos;
    if (text[0] == '\'') {
        tt_bookmarks_goto_key(&app->ws, (unsigned char)text[1]);
        return;
    }
    struct tt_status status = tt_place_parse(&app->ws, text, &ticks, &pos);
    if (tt_failed(&status)) {
        show_error(app, &status);
        return;
    }
    tt_nav_show_place(&app->ws);
    /* A jump to a time keeps the current lane; a jump to an event selects the event's lane. */
    size_t digits = strspn(text, "0123456789");
    app->ws.nav.lane.stays = text[0] != '#' && text[digits] != '\0';
    if (app->ws.nav.view == TT_VIEW_SNAPSHOT && pos == 0 && ticks < tt_nav_bounds(&app->ws).end) {
        tt_nav_go_thread(&app->ws, TT_NO_THREAD,
                         ticks); /* a time, at which there may be no event */
    } else {
        tt_nav_jump(&app->ws, ticks, pos);
    }
    if (ticks == UINT64_MAX && pos == UINT64_MAX) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "after the last event%s",
                       app->ws.index.progress.finished ? "" : " indexed so far");
    } else if (!app->ws.index.progress.finished) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "of the events indexed so far");
    }
}

static void run_goto(struct tt_app *app, const char *text)
{
    tt_command_goto(app, text);
}

/* ---- ranges
 * --------------------------------------------------------------------------------------- */

static void show_lanes(struct tt_app *app)
{
    app->ws.nav.overlay = app->ws.nav.below = TT_OVERLAY_NONE;
    if (app->ws.nav.view != TT_VIEW_THREADS && app->ws.nav.view != TT_VIEW_CPUS) {
        tt_nav_show(&app->ws.nav, TT_VIEW_THREADS);
    }
}

static void run_zoom(struct tt_app *app, const char *text)
{
    const struct tt_zoom_word *zoom;
    for (unsigned i = 0; (zoom = tt_zoom_word_at(i)) != NULL; i++) {
        if (strcmp(text, zoom->word) == 0) {
            show_lanes(app);
            tt_app_act(app, zoom->action);
            return;
        }
    }
    uint64_t from, to;
    struct tt_status status = tt_place_parse_range(&app->ws, text, &from, &to);
    if (tt_failed(&status)) {
        show_error(app, &status);
        return;
    }
    show_lanes(app);
    tt_nav_show_range(&app->ws, from, to);
}

static void set_end(struct tt_app *app, const char *text, bool end)
{
    uint64_t ticks, pos;
    struct tt_status status = tt_place_parse(&app->ws, text, &ticks, &pos);
    if (tt_failed(&status)) {
        show_error(app, &status);
        return;
    }
    struct tt_bounds bounds = tt_nav_bounds(&app->ws);
    const struct tt_viewport *w = &app->ws.nav.viewport;
    bool whole = w->all || w->to <= w->from;
    uint64_t from = end ? (whole ? bounds.begin : w->from) : ticks;
    uint64_t to = end ? ticks : whole ? bounds.end : w->to;
    if (from >= to) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "the range ends before it begins");
        return;
    }
    show_lanes(app);
    tt_nav_show_range(&app->ws, from, to);
}

static void run_from(struct tt_app *app, const char *text)
{
    set_end(app, text, false);
}

static void run_to(struct tt_app *app, const char *text)
{
    set_end(app, text, true);
}

/* ---- filter, search ------------------------------------------------------------------------- */

static void run_filter(struct tt_app *app, const char *text)
{
    tt_find_prompt_quick(app, true);
    if (app->prompt.line.open) {
        tt_prompt_enter(app, app->prompt.line.kind, text);
    }
}

static void run_search(struct tt_app *app, const char *text)
{
    tt_find_prompt_search(app);
    tt_prompt_enter(app, TT_PROMPT_SEARCH, text);
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* Parses "a the note": returns the letter's number or -1; *note is the rest. */
static int parse_mark(struct tt_app *app, const char *text, const char **note)
{
    if (text[0] < 'a' || text[0] > 'z' || (text[1] && text[1] != ' ')) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "expected a letter from a to z");
        return -1;
    }
    *note = text + 1 + strspn(text + 1, " ");
    return text[0] - 'a';
}

static void run_mark(struct tt_app *app, const char *text)
{
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (mark >= 0 && tt_bookmarks_set(&app->ws.nav, mark)) {
        tt_bookmarks_note(&app->ws.nav, mark, note);
    }
}

static bool is_set(struct tt_app *app, int mark)
{
    if (mark >= 0 && !app->ws.nav.marks[mark].set) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "mark %c is not set", 'a' + mark);
        return false;
    }
    return mark >= 0;
}

static void run_note(struct tt_app *app, const char *text)
{
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (is_set(app, mark)) {
        tt_bookmarks_note(&app->ws.nav, mark, note);
    }
}

static void run_unmark(struct tt_app *app, const char *text)
{
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (is_set(app, mark)) {
        tt_bookmarks_clear(&app->ws.nav, mark);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "mark %c deleted", 'a' + mark);
    }
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Changes a setting for `:save settings` as well. */
static void change_setting(struct tt_app *app, const char *name, const char *value)
{
    struct tt_status status = tt_setting_set(app, name, value);
    show_error(app, &status);
    for (unsigned i = 0; !tt_failed(&status) && tt_setting_at(i); i++) {
        app->set_settings |= strcmp(tt_setting_at(i)->name, name) == 0 ? 1u << i : 0;
    }
}

static void run_set(struct tt_app *app, const char *text)
{
    char name[NAME_BYTES];
    struct tt_text out = tt_text_of(name, sizeof name);
    size_t length = strcspn(text, " ");
    tt_text_bytes(&out, text, length);
    const char *value = text + length + strspn(text + length, " ");
    if (!text[0]) {
        /* The list of completions has every setting and its value. */
        tt_prompt_open(app, TT_PROMPT_COMMAND, "set ");
        tt_prompt_key(app, TT_KEY_TAB);
        return;
    }
    const struct tt_setting *setting = tt_setting_find(text, length);
    if (setting && !value[0]) {
        char shown[TT_STATUS_TEXT];
        out = tt_text_of(shown, sizeof shown);
        tt_setting_get(setting, app, &out);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s is %.80s; values: %s", setting->name,
                       tt_text_cstr(&out), setting->values);
        return;
    }
    change_setting(app, tt_text_cstr(&out), value);
}

#define SESSION_OPTION "--session"

static void run_save(struct tt_app *app, const char *text)
{
    char path[TT_SAVE_PATH];
    const size_t option = strlen(SESSION_OPTION);
    bool with_marks =
        strncmp(text, SESSION_OPTION, option) == 0 && (text[option] == ' ' || text[option] == '\0');
    if (with_marks) {
        text += option + strspn(text + option, " ");
    }
    if (with_marks || strcmp(text, "settings") != 0) {
        struct tt_status started = text[0]
                                       ? tt_export_start_excerpt(app, text, app->bang, with_marks)
                                       : tt_error(TT_ERR_USAGE, "save: expected FILE, or settings");
        show_error(app, &started);
        return;
    }
    if (app->set_settings == 0 && !app->mapped) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "no setting and no key was changed by a command");
        return;
    }
    struct tt_status status = tt_config_save(app, path, sizeof path);
    show_error(app, &status);
    if (!tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "settings saved in %s", path);
    }
}

static void run_map(struct tt_app *app, const char *text)
{
    struct tt_status status = tt_config_map(app, text);
    show_error(app, &status);
}

static void run_theme(struct tt_app *app, const char *text)
{
    change_setting(app, "theme", text);
}

static void run_columns(struct tt_app *app, const char *text)
{
    if (!text[0]) {
        tt_app_act(app, TT_DO_COLUMNS);
        return;
    }
    change_setting(app, "columns", text);
}

/* ---- panes ---------------------------------------------------------------------------------- */

struct tt_status tt_app_rule(struct tt_app *app, struct tt_text *text)
{
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    return view->rule && app->ws.opened.trace
               ? view->rule(&app->ws, state, text)
               : tt_error(TT_ERR_USAGE, "no number is selected here; :check add works in Summary, "
                                        "Messages, Measure and Why");
}

/* Runs the command of a pane and shows it; what it has computed is a new result. */
static void run_pane(struct tt_app *app, enum tt_overlay_id pane, const char *command,
                     const char *text)
{
    const char *result = NULL;
    struct tt_status status =
        tt_overlays[pane]->begin(&app->ws, app->overlay_states[pane], text, &result);
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, text[0] ? TT_ROLE_ERROR : TT_ROLE_WARNING, "%s",
                       status.text);
        return;
    }
    tt_why_close(&app->ws);
    app->ws.trail.left = true;
    app->ws.nav.below = TT_OVERLAY_NONE;
    app->ws.nav.overlay = pane;
    if (result) {
        tt_results_add(app, pane, command, result);
    }
}

#define X(id, name)                                                                                \
    static void run_##name(struct tt_app *app, const char *text)                                   \
    {                                                                                              \
        run_pane(app, TT_OVERLAY_##id, #name, text);                                               \
    }
X(MEASURE, measure)
X(CHECK, check)
X(DIFF, diff)
X(ALIGN, align)
X(SQL, sql)
#undef X

/* Sets the deadlines, or lists the misses. */
static void run_deadline(struct tt_app *app, const char *text)
{
    if (!text[0] && app->ws.jobs.deadlines[0]) {
        run_pane(app, TT_OVERLAY_MISSES, "deadline", text);
        return;
    }
    if (!text[0]) {
        tt_jobs_go_miss(&app->ws, true); /* sets the message */
        return;
    }
    struct tt_status status = tt_jobs_set_deadlines(&app->ws, text, true);
    if (tt_failed(&status)) {
        show_error(app, &status);
        return;
    }
    app->ws.trail.current[TT_OVERLAY_MISSES] = 0; /* its list has other misses now */
    change_setting(app, "deadline", text);
    tt_jobs_report(&app->ws);
}

/* ---- numbers, files, the program ------------------------------------------------------------ */

static void run_stats(struct tt_app *app, const char *text)
{
    static const enum tt_view_id views[] = {TT_VIEW_SUMMARY, TT_VIEW_MESSAGES};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const struct tt_view *view = tt_views[views[i]];
        if (!text[0] || view->choose(app->view_states[views[i]], text)) {
            tt_nav_show(&app->ws.nav, views[i]);
            return;
        }
    }
    tt_message_set(&app->ws.message, TT_ROLE_ERROR,
                   "\"%.40s\" is not a table of Summary or Messages: thread, cpu, process, pair, "
                   "event, message, server, channel, object, matrix, single",
                   text);
}

/* Opens a plot in the shown view, or else in the first one that has it. */
static void run_plot(struct tt_app *app, const char *text)
{
    const enum tt_view_id views[] = {app->ws.nav.view, TT_VIEW_SUMMARY, TT_VIEW_MESSAGES};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const struct tt_view *view = tt_views[views[i]];
        if (view->plot && view->plot(app->view_states[views[i]], text)) {
            tt_nav_show(&app->ws.nav, views[i]);
            return;
        }
    }
    tt_message_set(&app->ws.message, TT_ROLE_ERROR,
                   "no plot \"%.60s\"; expected load, load process, events, switches, "
                   "migrations, crossings, or [KIND] NUMBER [of ROW], as delay_max of sensor/1",
                   text);
}

static void run_write(struct tt_app *app, const char *text)
{
    struct tt_status status = tt_export_start(app, text, app->bang);
    show_error(app, &status);
}

static void run_picture(struct tt_app *app, const char *text)
{
    struct tt_status status = tt_export_picture(app, text, app->bang);
    show_error(app, &status);
    if (tt_failed(&status) && !tt_failed(&app->failure)) {
        app->failure = status;
    }
}

/* Returns true, with a message, on a terminal. */
static bool is_on_terminal(struct tt_app *app, const char *command)
{
    if (app->ws.index.notify) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s works in scripts of render", command);
    }
    return app->ws.index.notify != NULL;
}

static void run_size(struct tt_app *app, const char *text)
{
    unsigned width, height;
    char end;
    if (is_on_terminal(app, "size")) {
        return;
    }
    if (sscanf(text, "%4ux%4u%c", &width, &height, &end) != 2 || width == 0 || width > 1000 ||
        height == 0 || height > 1000) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "a size is as 120x40, at most 1000x1000");
    } else if (!tt_grid_resize(&app->ws.term.grid, (int)width, (int)height)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "out of memory");
    }
}

static void run_restart(struct tt_app *app, const char *text)
{
    (void)text;
    if (!is_on_terminal(app, "restart")) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "restart is a line of a script");
    }
}

static void run_export(struct tt_app *app, const char *text)
{
    struct tt_status status = tt_export_start_fxt(app, text, app->bang);
    show_error(app, &status);
}

static void run_say(struct tt_app *app, const char *text)
{
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", text);
}

static void run_open(struct tt_app *app, const char *text)
{
    tt_app_open_file(app, text);
}

static void run_next(struct tt_app *app, const char *text)
{
    (void)text;
    tt_app_switch_file(app, true);
}

static void run_previous(struct tt_app *app, const char *text)
{
    (void)text;
    tt_app_switch_file(app, false);
}

static void run_files(struct tt_app *app, const char *text)
{
    (void)text;
    char list[TT_STATUS_TEXT];
    struct tt_text out = tt_text_of(list, sizeof list);
    for (size_t i = 0; i < app->files.path_count; i++) {
        const char *slash = strrchr(app->files.paths[i], '/');
        const char *name = slash && slash[1] ? slash + 1 : app->files.paths[i];
        tt_text_str(&out, i == 0 ? "" : "  ");
        tt_text_str(&out, i == app->files.path ? "[" : "");
        tt_text_escaped(&out, name, strlen(name));
        tt_text_str(&out, i == app->files.path ? "]" : "");
    }
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", tt_text_cstr(&out));
}

static void run_quit(struct tt_app *app, const char *text)
{
    (void)text;
    app->asked_to_quit |= app->bang;
    tt_app_quit(app);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct tt_command table[] = {
#define X(name, alias, argument, kind, needs, help, run)                                           \
    {name, alias, argument, TT_ARGUMENT_##kind, needs, help, run},
    TT_COMMAND_LINE_INFO(X)
#undef X
};

#define COMMANDS (sizeof table / sizeof *table)

const struct tt_command *tt_command_at(unsigned number)
{
    return number < COMMANDS ? &table[number] : NULL;
}
