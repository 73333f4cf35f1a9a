/* SPDX-License-Identifier: Apache-2.0 */
/* command_actions: the functions of the commands, and their table. */
#include "tui/app/commands.h"

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
#define LANE_NS    UINT64_C(300000000) /* time to read the events of a lane before a message */

/* ---- places -------------------------------------------------------------------------------- */

struct tt_status tt_command_goto(struct tt_app *app, const char *text)
{
    uint64_t ticks, pos;
    if (text[0] == '\'') {
        tt_bookmarks_goto_key(&app->ws, (unsigned char)text[1]);
        return tt_ok();
    }
    struct tt_status status = tt_place_parse(&app->ws, text, &ticks, &pos);
    if (tt_failed(&status)) {
        return status;
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
    return status;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static void show_lanes(struct tt_app *app)
{
    app->ws.nav.overlay = app->ws.nav.below = TT_OVERLAY_NONE;
    if (app->ws.nav.view != TT_VIEW_THREADS && app->ws.nav.view != TT_VIEW_CPUS) {
        tt_nav_show(&app->ws.nav, TT_VIEW_THREADS);
    }
}

static struct tt_status run_zoom(struct tt_app *app, const char *text)
{
    const struct tt_zoom_word *zoom;
    for (unsigned i = 0; (zoom = tt_zoom_word_at(i)) != NULL; i++) {
        if (strcmp(text, zoom->word) == 0) {
            show_lanes(app);
            tt_app_act(app, zoom->action);
            return tt_ok();
        }
    }
    uint64_t from, to;
    struct tt_status status = tt_place_parse_range(&app->ws, text, &from, &to);
    if (!tt_failed(&status)) {
        show_lanes(app);
        tt_nav_show_range(&app->ws, from, to);
    }
    return status;
}

static struct tt_status set_end(struct tt_app *app, const char *text, bool end)
{
    uint64_t ticks, pos;
    struct tt_status status = tt_place_parse(&app->ws, text, &ticks, &pos);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_bounds bounds = tt_nav_bounds(&app->ws);
    const struct tt_viewport *viewport = &app->ws.nav.viewport;
    bool whole = viewport->all || viewport->to <= viewport->from;
    uint64_t from = end ? (whole ? bounds.begin : viewport->from) : ticks;
    uint64_t to = end ? ticks : whole ? bounds.end : viewport->to;
    if (from >= to) {
        return tt_error(TT_ERR_USAGE, "the range ends before it begins");
    }
    show_lanes(app);
    tt_nav_show_range(&app->ws, from, to);
    return status;
}

static struct tt_status run_from(struct tt_app *app, const char *text)
{
    return set_end(app, text, false);
}

static struct tt_status run_to(struct tt_app *app, const char *text)
{
    return set_end(app, text, true);
}

/* ---- filter, search ------------------------------------------------------------------------- */

static struct tt_status run_filter(struct tt_app *app, const char *text)
{
    tt_find_prompt_quick(app, true);
    if (app->prompt.line.open) {
        tt_prompt_enter(app, app->prompt.line.kind, text);
    }
    return tt_ok();
}

static struct tt_status run_search(struct tt_app *app, const char *text)
{
    tt_find_prompt_search(app);
    tt_prompt_enter(app, TT_PROMPT_SEARCH, text);
    return tt_ok();
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* Parses "a the note": the number of the letter of a mark, which must be `set`; *note is the rest. */
static struct tt_status parse_mark(const struct tt_app *app, const char *text, bool set, int *mark,
                                   const char **note)
{
    if (text[0] < 'a' || text[0] > 'z' || (text[1] && text[1] != ' ')) {
        return tt_error(TT_ERR_USAGE, "expected a letter from a to z");
    }
    *note = text + 1 + strspn(text + 1, " ");
    *mark = text[0] - 'a';
    return set && !app->ws.nav.marks[*mark].set
               ? tt_error(TT_ERR_USAGE, "mark %c is not set", text[0])
               : tt_ok();
}

static struct tt_status run_mark(struct tt_app *app, const char *text)
{
    const char *note;
    int mark;
    struct tt_status status = parse_mark(app, text, false, &mark, &note);
    if (!tt_failed(&status) && tt_bookmarks_set(&app->ws.nav, mark)) {
        tt_bookmarks_note(&app->ws.nav, mark, note);
    }
    return status;
}

static struct tt_status run_note(struct tt_app *app, const char *text)
{
    const char *note;
    int mark;
    struct tt_status status = parse_mark(app, text, true, &mark, &note);
    if (!tt_failed(&status)) {
        tt_bookmarks_note(&app->ws.nav, mark, note);
    }
    return status;
}

static struct tt_status run_unmark(struct tt_app *app, const char *text)
{
    const char *note;
    int mark;
    struct tt_status status = parse_mark(app, text, true, &mark, &note);
    if (!tt_failed(&status)) {
        tt_bookmarks_clear(&app->ws.nav, mark);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "mark %c deleted", text[0]);
    }
    return status;
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Changes a setting for `:save settings` as well. */
static struct tt_status change_setting(struct tt_app *app, const char *name, const char *value)
{
    struct tt_status status = tt_setting_set(app, name, value);
    for (unsigned i = 0; !tt_failed(&status) && tt_setting_at(i); i++) {
        app->set_settings |= strcmp(tt_setting_at(i)->name, name) == 0 ? 1u << i : 0;
    }
    return status;
}

static struct tt_status run_set(struct tt_app *app, const char *text)
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
        return tt_ok();
    }
    const struct tt_setting *setting = tt_setting_find(text, length);
    if (setting && !value[0]) {
        char shown[TT_STATUS_TEXT];
        out = tt_text_of(shown, sizeof shown);
        tt_setting_get(setting, app, &out);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s is %.80s; values: %s", setting->name,
                       tt_text_cstr(&out), setting->values);
        return tt_ok();
    }
    return change_setting(app, tt_text_cstr(&out), value);
}

static struct tt_status run_theme(struct tt_app *app, const char *text)
{
    return change_setting(app, "theme", text);
}

static struct tt_status run_columns(struct tt_app *app, const char *text)
{
    if (text[0]) {
        return change_setting(app, "columns", text);
    }
    tt_app_act(app, TT_DO_COLUMNS);
    return tt_ok();
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
static struct tt_status run_pane(struct tt_app *app, enum tt_overlay_id pane, const char *command,
                                 const char *text)
{
    const char *result = NULL;
    struct tt_status status =
        tt_overlays[pane]->begin(&app->ws, app->overlay_states[pane], text, &result);
    if (tt_failed(&status) && text[0]) {
        return status;
    }
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s", status.text);
        return tt_ok();
    }
    tt_why_close(&app->ws);
    app->ws.trail.left = true;
    app->ws.nav.below = TT_OVERLAY_NONE;
    app->ws.nav.overlay = pane;
    if (result) {
        tt_results_add(app, pane, command, result);
    }
    return status;
}

#define X(id, name)                                                                                \
    static struct tt_status run_##name(struct tt_app *app, const char *text)                       \
    {                                                                                              \
        return run_pane(app, TT_OVERLAY_##id, #name, text);                                        \
    }
X(MEASURE, measure)
X(CHECK, check)
X(DIFF, diff)
X(ALIGN, align)
X(SQL, sql)
#undef X

static struct tt_status run_worst(struct tt_app *app, const char *text)
{
    const char *word;
    for (unsigned kind = 0; (word = tt_worst_word(kind)) != NULL; kind++) {
        if (strcmp(text, word) == 0) {
            tt_why_worst(&app->ws, kind);
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_USAGE,
                    "\"%.40s\" is not delay, wait, message, response, inversion, miss", text);
}

/*
 * Compares the selection with the part before it (at the beginning, after it), or the first two files of the command
 * line in their order; else the file to compare with is asked for.
 */
static void show_changes(struct tt_app *app)
{
    char command[2 * TT_SAVE_PATH + 8];
    const struct tt_why *why = &app->ws.why; /* its pane selects what it explains */
    uint64_t from, to;
    if (tt_viewport_selection(why->open ? &why->saved.viewport : &app->ws.nav.viewport, &from,
                              &to)) {
        tt_command_run(app, from > tt_nav_bounds(&app->ws).begin ? "diff before" : "diff after");
    } else if (app->files.path_count > 1) {
        snprintf(command, sizeof command, "diff %s %s", app->files.paths[0], app->files.paths[1]);
        tt_command_run(app, command);
    } else {
        tt_prompt_open(app, TT_PROMPT_COMMAND, "diff ");
        tt_prompt_key(app, TT_KEY_TAB);
    }
}

void tt_command_answer(struct tt_app *app, uint32_t key)
{
    static const struct {
        const char *key, *command;
    } questions[] = {
#define X(key, words, command) {key, command},
        TT_QUESTION_INFO(X)
#undef X
    };
    struct tt_navigation *nav = &app->ws.nav;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if ((unsigned char)questions[i].key[0] != key) {
            continue;
        }
        if (nav->overlay != TT_OVERLAY_NONE && !(TT_IN_OVERLAY_OF(nav->overlay) & TT_IN_PANES)) {
            nav->overlay = nav->below; /* a list, which the answer replaces */
            nav->below = TT_OVERLAY_NONE;
        }
        if (questions[i].command[0]) {
            tt_command_run(app, questions[i].command);
        } else {
            show_changes(app);
        }
    }
}

/* Sets the deadlines, or lists the misses. */
static struct tt_status run_deadline(struct tt_app *app, const char *text)
{
    if (!text[0] && app->ws.jobs.deadlines[0]) {
        return run_pane(app, TT_OVERLAY_MISSES, "deadline", text);
    }
    if (!text[0]) {
        tt_jobs_go_miss(&app->ws, true); /* sets the message */
        return tt_ok();
    }
    struct tt_status status = tt_jobs_set_deadlines(&app->ws, text, true);
    if (!tt_failed(&status)) {
        app->ws.trail.current[TT_OVERLAY_MISSES] = 0; /* its list has other misses now */
        status = change_setting(app, "deadline", text);
        tt_jobs_report(&app->ws);
    }
    return status;
}

/* Defines or removes a lane, or lists the names of all. */
static struct tt_status run_lane(struct tt_app *app, const char *text)
{
    struct tt_workspace *ws = &app->ws;
    if (text[0]) {
        struct tt_status status = tt_own_lanes_define(ws, text);
        if (!tt_failed(&status) && !tt_own_lanes_work(ws, tt_term_report(&ws->term, LANE_NS))) {
            tt_message_set(&ws->message, TT_ROLE_STATUS, "reading the events of the lane");
        }
        return status;
    }
    char names[256];
    struct tt_text list = tt_text_of(names, sizeof names);
    const struct tt_lane_set *set = tt_lane_list_now(ws->opened.capture->lanes);
    for (uint32_t i = 0; i < set->count; i++) {
        tt_text_put(&list, "%s%s", i > 0 ? ", " : "", set->v[i]->name);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s%s",
                   set->count > 0 ? "lanes: " : "no lanes; :lane NAME = BEGIN -> END draws one",
                   tt_text_cstr(&list));
    return tt_ok();
}

/* ---- numbers, files, the program ------------------------------------------------------------ */

static struct tt_status run_stats(struct tt_app *app, const char *text)
{
    static const enum tt_view_id views[] = {TT_VIEW_SUMMARY, TT_VIEW_MESSAGES};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const struct tt_view *view = tt_views[views[i]];
        if (!text[0] || view->choose(app->view_states[views[i]], text)) {
            tt_nav_show(&app->ws.nav, views[i]);
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_USAGE, "\"%.40s\" is not a table of Summary or Messages; Tab lists them",
                    text);
}

/*
 * Replaces "value of NAME" by the column of values of that lane, and "value of FILTER.arg.ARGUMENT" by those of a lane that
 * it defines, of the argument's name. Other texts stay.
 */
static struct tt_status plot_value(struct tt_app *app, const char *text, struct tt_text *plot)
{
    const char *value = strstr(text, "value of "), *name = value ? value + strlen("value of ") : "";
    if (!value || (value > text && value[-1] != ' ')) {
        tt_text_str(plot, text);
        return tt_ok();
    }
    char lane[TT_LANE_NAME_BYTES];
    struct tt_text copy = tt_text_of(lane, sizeof lane);
    struct tt_status status = tt_ok();
    for (const char *at = name; (at = strstr(at, ".arg.")) != NULL;) {
        copy.used = 0;
        at += strlen(".arg.");
        tt_text_bytes(&copy, at, strcspn(at, " "));
    }
    if (copy.used > 0) {
        char whole[TT_FILTER_BYTES_MAX];
        struct tt_text definition = tt_text_of(whole, sizeof whole);
        tt_text_put(&definition, "%s = %s", tt_text_cstr(&copy), value);
        status = tt_own_lanes_define(&app->ws, tt_text_cstr(&definition));
        name = lane;
    }
    tt_text_bytes(plot, text, (size_t)(value - text));
    tt_text_str(plot, "value_max of ");
    tt_text_str(plot, name);
    return status;
}

/* Opens a plot in the shown view, or else in the first one that has it. */
static struct tt_status run_plot(struct tt_app *app, const char *asked)
{
    char buffer[TT_FILTER_BYTES_MAX];
    struct tt_text plot = tt_text_of(buffer, sizeof buffer);
    struct tt_status status = plot_value(app, asked, &plot);
    if (tt_failed(&status)) {
        return status;
    }
    const char *text = tt_text_cstr(&plot);
    const enum tt_view_id views[] = {app->ws.nav.view, TT_VIEW_SUMMARY, TT_VIEW_MESSAGES};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const struct tt_view *view = tt_views[views[i]];
        if (view->plot && view->plot(app->view_states[views[i]], text)) {
            tt_nav_show(&app->ws.nav, views[i]);
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_USAGE,
                    "no plot \"%.60s\"; expected load, load process, events, switches, "
                    "migrations, crossings, or [KIND] NUMBER [of ROW], as delay_max of sensor/1",
                    text);
}

#define SESSION_OPTION "--session"

/* Writes what the name of the file is for; `saves`: the capture in its own format, whatever the name. */
static struct tt_status write_file(struct tt_app *app, const char *text, bool saves)
{
    const size_t option = strlen(SESSION_OPTION);
    const bool with_marks =
        strncmp(text, SESSION_OPTION, option) == 0 && (text[option] == ' ' || text[option] == '\0');
    text += with_marks ? option + strspn(text + option, " ") : 0;
    if (!text[0]) {
        return tt_error(TT_ERR_USAGE, "expected FILE, or settings");
    }
    if (!with_marks && strcmp(text, "settings") == 0) {
        char path[TT_SAVE_PATH];
        if (app->set_settings == 0 && !app->mapped) {
            tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                           "no setting and no key was changed by a command");
            return tt_ok();
        }
        struct tt_status status = tt_config_save(app, path, sizeof path);
        if (!tt_failed(&status)) {
            tt_message_set(&app->ws.message, TT_ROLE_STATUS, "settings saved in %s", path);
        }
        return status;
    }
    return saves || with_marks || tt_export_is_excerpt(app, text)
               ? tt_export_start_excerpt(app, text, app->bang, with_marks)
               : tt_export_start(app, text, app->bang);
}

static struct tt_status run_write(struct tt_app *app, const char *text)
{
    return write_file(app, text, false);
}

/* The earlier names of :write write one format, whatever the name of the file. */
static struct tt_status run_save(struct tt_app *app, const char *text)
{
    return write_file(app, text, true);
}

static struct tt_status run_export(struct tt_app *app, const char *text)
{
    return tt_export_start_fxt(app, text, app->bang);
}

static struct tt_status run_report(struct tt_app *app, const char *text)
{
    return tt_export_start_report(app, text, app->bang);
}

static struct tt_status run_picture(struct tt_app *app, const char *text)
{
    struct tt_status status = tt_export_picture(app, text, app->bang);
    if (tt_failed(&status) && !tt_failed(&app->failure)) {
        app->failure = status;
    }
    return status;
}

/* Returns true, with a message, on a terminal. */
static bool is_on_terminal(struct tt_app *app, const char *command)
{
    if (app->ws.index.notify) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s works in scripts of render", command);
    }
    return app->ws.index.notify != NULL;
}

static struct tt_status run_size(struct tt_app *app, const char *text)
{
    unsigned width, height;
    char end;
    if (is_on_terminal(app, "size")) {
        return tt_ok();
    }
    if (sscanf(text, "%4ux%4u%c", &width, &height, &end) != 2 || width == 0 || width > 1000 ||
        height == 0 || height > 1000) {
        return tt_error(TT_ERR_USAGE, "a size is as 120x40, at most 1000x1000");
    }
    return tt_grid_resize(&app->ws.term.grid, (int)width, (int)height) ? tt_ok()
                                                                       : tt_error_memory();
}

static struct tt_status run_restart(struct tt_app *app, const char *text)
{
    (void)text;
    if (!is_on_terminal(app, "restart")) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "restart is a line of a script");
    }
    return tt_ok();
}

static struct tt_status run_say(struct tt_app *app, const char *text)
{
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", text);
    return tt_ok();
}

static struct tt_status run_open(struct tt_app *app, const char *text)
{
    tt_app_open_file(app, text);
    return tt_ok();
}

static struct tt_status run_next(struct tt_app *app, const char *text)
{
    (void)text;
    tt_app_switch_file(app, true);
    return tt_ok();
}

static struct tt_status run_previous(struct tt_app *app, const char *text)
{
    (void)text;
    tt_app_switch_file(app, false);
    return tt_ok();
}

static struct tt_status run_files(struct tt_app *app, const char *text)
{
    (void)text;
    char list[TT_STATUS_TEXT];
    struct tt_text out = tt_text_of(list, sizeof list);
    for (size_t i = 0; i < app->files.path_count; i++) {
        const char *slash = strrchr(app->files.paths[i], '/');
        const char *name = slash && slash[1] ? slash + 1 : app->files.paths[i];
        tt_text_put(&out, "%s%s", i == 0 ? "" : "  ", i == app->files.path ? "[" : "");
        tt_text_escaped(&out, name, strlen(name));
        tt_text_str(&out, i == app->files.path ? "]" : "");
    }
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", tt_text_cstr(&out));
    return tt_ok();
}

static struct tt_status run_quit(struct tt_app *app, const char *text)
{
    (void)text;
    app->asked_to_quit |= app->bang;
    tt_app_quit(app);
    return tt_ok();
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
