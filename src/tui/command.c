/* SPDX-License-Identifier: Apache-2.0 */
/* command: the line behind `:`, looked up, checked while it is typed, and done. */
#include "tui/command.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tracetui/sheet.h"
#include "tracetui/when.h"
#include "tui/app.h"
#include "tui/lanes_view.h"
#include "tui/settings.h"
#include "tui/write.h"

#define NAME_BYTES 48
#define PATH_BYTES 1024

static void say_error(struct tt_app *app, const struct tt_status *status)
{
    if (tt_failed(status)) {
        tt_app_say(app, TT_ROLE_ERROR, "%s", status->text);
    }
}

/* ---- places --------------------------------------------------------------------------------- */

struct tt_status tt_command_place(struct tt_app *app, const char *text, uint64_t *ticks,
                                  uint64_t *pos)
{
    char with_sign[64];
    size_t digits = strspn(text, "0123456789");
    if (text[0] == '\'') {
        int mark = text[1] >= 'a' && text[1] <= 'z' && !text[2] ? text[1] - 'a' : -1;
        if (mark < 0 || !app->marks[mark].set) {
            return tt_error(TT_ERR_USAGE, "no such mark");
        }
        *ticks = app->marks[mark].ticks;
        *pos = app->marks[mark].pos;
        return tt_ok();
    }
    if (digits > 0 && text[digits] == '\0' && digits < sizeof with_sign - 1) {
        snprintf(with_sign, sizeof with_sign, "#%s", text); /* a bare number is an event's */
        text = with_sign;
    }
    struct tt_when when;
    struct tt_status status = tt_when_parse(text, &when);
    if (!tt_failed(&status)) {
        status = tt_when_resolve(&when, app->opened.trace, app->opened.events, ticks, pos);
    }
    return status;
}

static void run_goto(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    uint64_t ticks, pos;
    if (text[0] == '\'') {
        tt_marks_goto_key(app, (unsigned char)text[1]);
        return;
    }
    struct tt_status status = tt_command_place(app, text, &ticks, &pos);
    if (tt_failed(&status)) {
        say_error(app, &status);
        return;
    }
    tt_go_show_place(app);
    /* A time is no thread: one stays on one's lane. An event leads to its own. */
    size_t digits = strspn(text, "0123456789");
    app->lane.stays = text[0] != '#' && text[digits] != '\0';
    tt_app_jump(app, ticks, pos);
    if (ticks == UINT64_MAX && pos == UINT64_MAX) {
        tt_app_say(app, TT_ROLE_WARNING, "behind the last event%s",
                   app->progress.finished ? "" : " that is indexed so far");
    } else if (!app->progress.finished) {
        tt_app_say(app, TT_ROLE_STATUS, "of what is indexed so far");
    }
}

/* ---- ranges --------------------------------------------------------------------------------- */

static void show_lanes(struct tt_app *app)
{
    app->overlay = TT_OVERLAY_NONE;
    if (app->view != TT_VIEW_THREADS && app->view != TT_VIEW_CPUS) {
        tt_app_show(app, TT_VIEW_THREADS);
    }
}

/* "1.2s..1.3s" */
static struct tt_status parse_range(struct tt_app *app, const char *text, uint64_t *from,
                                    uint64_t *to)
{
    char start[64];
    uint64_t pos;
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : 0;
    if (!dots || length == 0 || length >= sizeof start || !dots[2]) {
        return tt_error(TT_ERR_USAGE, "expected in, out, all, selection, or FROM..TO as 1s..2s");
    }
    memcpy(start, text, length);
    start[length] = '\0';
    struct tt_status status = tt_command_place(app, start, from, &pos);
    if (!tt_failed(&status)) {
        status = tt_command_place(app, dots + 2, to, &pos);
    }
    if (!tt_failed(&status) && *from >= *to) {
        status = tt_error(TT_ERR_USAGE, "the range ends before it begins");
    }
    return status;
}

static const struct {
    const char *word;
    enum tt_do action;
} zooms[] = {
    {"in", TT_DO_ZOOM_IN},
    {"out", TT_DO_ZOOM_OUT},
    {"all", TT_DO_ZOOM_ALL},
    {"selection", TT_DO_ZOOM_SELECTION},
};

static struct tt_status check_range(struct tt_app *app, const char *text)
{
    uint64_t from, to;
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        if (strncmp(text, zooms[i].word, strlen(text)) == 0) {
            return tt_ok();
        }
    }
    return parse_range(app, text, &from, &to);
}

static void run_zoom(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        if (strcmp(text, zooms[i].word) == 0) {
            show_lanes(app);
            tt_app_act(app, zooms[i].action);
            return;
        }
    }
    uint64_t from, to;
    struct tt_status status = parse_range(app, text, &from, &to);
    if (tt_failed(&status)) {
        say_error(app, &status);
        return;
    }
    show_lanes(app);
    tt_app_show_range(app, from, to);
}

static void set_end(struct tt_app *app, const char *text, bool end)
{
    uint64_t ticks, pos;
    struct tt_status status = tt_command_place(app, text, &ticks, &pos);
    if (tt_failed(&status)) {
        say_error(app, &status);
        return;
    }
    struct tt_bounds bounds = tt_lanes_bounds(app);
    const struct tt_viewport *w = &app->viewport;
    bool whole = w->all || w->to <= w->from;
    uint64_t from = end ? (whole ? bounds.begin : w->from) : ticks;
    uint64_t to = end ? ticks : whole ? bounds.end : w->to;
    if (from >= to) {
        tt_app_say(app, TT_ROLE_ERROR, "the range would end before it begins");
        return;
    }
    show_lanes(app);
    tt_app_show_range(app, from, to);
}

static void run_from(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    set_end(app, text, false);
}

static void run_to(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    set_end(app, text, true);
}

/* ---- filter, search ------------------------------------------------------------------------- */

static void run_filter(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    tt_find_ask_quick(app, true);
    if (app->prompt.open) {
        tt_prompts_enter(app, app->prompt.kind, text);
    }
}

static void run_search(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    tt_find_ask_search(app);
    tt_prompts_enter(app, TT_PROMPT_SEARCH, text);
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* "a the note": the letter's number, -1 if it is none; *note is what follows. */
static int parse_mark(struct tt_app *app, const char *text, const char **note)
{
    if (text[0] < 'a' || text[0] > 'z' || (text[1] && text[1] != ' ')) {
        tt_app_say(app, TT_ROLE_ERROR, "expected a letter from a to z");
        return -1;
    }
    *note = text + 1 + strspn(text + 1, " ");
    return text[0] - 'a';
}

static void run_mark(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (mark >= 0 && tt_marks_set(app, mark)) {
        tt_marks_note(app, mark, note);
    }
}

static bool is_set(struct tt_app *app, int mark)
{
    if (mark >= 0 && !app->marks[mark].set) {
        tt_app_say(app, TT_ROLE_ERROR, "mark %c is not set", 'a' + mark);
        return false;
    }
    return mark >= 0;
}

static void run_note(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (is_set(app, mark)) {
        tt_marks_note(app, mark, note);
    }
}

static void run_unmark(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    const char *note;
    int mark = parse_mark(app, text, &note);
    if (is_set(app, mark)) {
        tt_marks_clear(app, mark);
        tt_app_say(app, TT_ROLE_STATUS, "mark %c taken away", 'a' + mark);
    }
}

/* ---- settings ------------------------------------------------------------------------------- */

static void run_set(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    char name[NAME_BYTES];
    struct tt_text out = tt_text_of(name, sizeof name);
    size_t length = strcspn(text, " ");
    tt_text_bytes(&out, text, length);
    const char *value = text + length + strspn(text + length, " ");
    const struct tt_setting *setting = tt_setting_find(text, length);
    if (setting && !value[0]) {
        char shown[TT_STATUS_TEXT];
        out = tt_text_of(shown, sizeof shown);
        setting->get(app, &out);
        tt_app_say(app, TT_ROLE_STATUS, "%s is %.80s; it may be: %s", setting->name,
                   tt_text_cstr(&out), setting->values);
        return;
    }
    struct tt_status status = tt_setting_set(app, tt_text_cstr(&out), value);
    say_error(app, &status);
}

static void run_theme(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    struct tt_status status = tt_app_theme(app, text);
    say_error(app, &status);
}

static void run_columns(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    if (!text[0]) {
        tt_app_act(app, TT_DO_COLUMNS);
        return;
    }
    struct tt_status status = tt_setting_set(app, "columns", text);
    say_error(app, &status);
}

/* ---- numbers, files, the program ------------------------------------------------------------ */

static const char *const table_words[TT_STATS_BY_COUNT] = {
#define X(id, word) word,
    TT_STATS_BY_INFO(X)
#undef X
};

static void run_stats(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    const struct tt_view *view = tt_views[TT_VIEW_SUMMARY];
    if (text[0] && !view->choose(app->view_states[TT_VIEW_SUMMARY], text)) {
        tt_app_say(app, TT_ROLE_ERROR,
                   "\"%.40s\" is no table of Summary: thread, cpu, process, "
                   "pair, event",
                   text);
        return;
    }
    tt_app_show(app, TT_VIEW_SUMMARY);
}

static void run_write(struct tt_app *app, const char *text, bool bang)
{
    struct tt_status status = tt_write_start(app, text, bang);
    say_error(app, &status);
}

static void run_open(struct tt_app *app, const char *text, bool bang)
{
    (void)bang;
    tt_app_open_file(app, text);
}

static void run_next(struct tt_app *app, const char *text, bool bang)
{
    (void)text;
    (void)bang;
    tt_app_switch_file(app, true);
}

static void run_previous(struct tt_app *app, const char *text, bool bang)
{
    (void)text;
    (void)bang;
    tt_app_switch_file(app, false);
}

static void run_files(struct tt_app *app, const char *text, bool bang)
{
    (void)text;
    (void)bang;
    char list[TT_STATUS_TEXT];
    struct tt_text out = tt_text_of(list, sizeof list);
    for (size_t i = 0; i < app->path_count; i++) {
        const char *slash = strrchr(app->paths[i], '/');
        const char *name = slash && slash[1] ? slash + 1 : app->paths[i];
        tt_text_str(&out, i == 0 ? "" : "  ");
        tt_text_str(&out, i == app->path ? "[" : "");
        tt_text_escaped(&out, name, strlen(name));
        tt_text_str(&out, i == app->path ? "]" : "");
    }
    tt_app_say(app, TT_ROLE_STATUS, "%s", tt_text_cstr(&out));
}

static void run_quit(struct tt_app *app, const char *text, bool bang)
{
    (void)text;
    (void)bang;
    app->wishes.quit = true;
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

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A line taken apart; `name` is `length` bytes at the line's beginning. */
struct line {
    size_t length;
    bool bang;
    bool complete; /* something stands behind the name */
    const char *argument;
    const struct tt_command *command; /* or NULL */
    enum tt_do action;                /* or TT_DO_NOTHING */
};

static bool is_word(const char *word, const char *text, size_t length)
{
    return word[0] && strlen(word) == length && memcmp(word, text, length) == 0;
}

static struct line take_apart(const char *text)
{
    struct line line = {.length = strcspn(text, " !")};
    const char *rest = text + line.length;
    line.complete = *rest != '\0';
    line.bang = *rest == '!';
    rest += line.bang;
    line.argument = rest + strspn(rest, " ");
    for (size_t i = 0; i < COMMANDS && !line.command; i++) {
        if (is_word(table[i].name, text, line.length) ||
            is_word(table[i].alias, text, line.length)) {
            line.command = &table[i];
        }
    }
    for (unsigned action = 1; action < TT_DO_COUNT && !line.command; action++) {
        const struct tt_do_info *info = tt_do_at(action);
        if (!(info->contexts & TT_IN_PROMPT) && is_word(info->name, text, line.length)) {
            line.action = (enum tt_do)action;
        }
    }
    return line;
}

void tt_command_run(struct tt_app *app, const char *text)
{
    text += strspn(text, " ");
    if (!is_name(text[0])) {
        if (text[0]) {
            run_goto(app, text, false);
        }
        return;
    }
    struct line line = take_apart(text);
    if (line.action != TT_DO_NOTHING && !line.argument[0]) {
        tt_app_act(app, line.action);
    } else if (line.action != TT_DO_NOTHING) {
        tt_app_say(app, TT_ROLE_ERROR, "%s takes no argument", tt_do_at(line.action)->name);
    } else if (!line.command) {
        tt_app_say(app, TT_ROLE_ERROR, "no command \"%.*s\"; Tab lists them",
                   line.length < 40 ? (int)line.length : 40, text);
    } else if (line.command->needs && !line.argument[0]) {
        tt_app_say(app, TT_ROLE_ERROR, "%s: expected %s", line.command->name,
                   line.command->argument);
    } else if (line.command->kind == TT_ARGUMENT_NONE && line.argument[0]) {
        tt_app_say(app, TT_ROLE_ERROR, "%s takes no argument", line.command->name);
    } else {
        line.command->run(app, line.argument, line.bang);
    }
}

/* ---- while it is typed ---------------------------------------------------------------------- */

/* Does any command or action begin like this? */
static bool begins_one(const char *text, size_t length)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strncmp(table[i].name, text, length) == 0) {
            return true;
        }
    }
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        if (strncmp(tt_do_at(action)->name, text, length) == 0) {
            return true;
        }
    }
    return false;
}

static struct tt_status check_setting(const char *text)
{
    size_t length = strcspn(text, " ");
    if (text[length] == '\0' || tt_setting_find(text, length)) {
        return tt_ok();
    }
    return tt_error(TT_ERR_USAGE, "no such setting");
}

static struct tt_status check_argument(struct tt_app *app, const struct line *line)
{
    uint64_t ticks, pos;
    switch (line->command->kind) {
    case TT_ARGUMENT_PLACE:
        return tt_command_place(app, line->argument, &ticks, &pos);
    case TT_ARGUMENT_RANGE:
        return check_range(app, line->argument);
    case TT_ARGUMENT_SETTING:
        return check_setting(line->argument);
    case TT_ARGUMENT_NONE:
        return tt_error(TT_ERR_USAGE, "%s takes no argument", line->command->name);
    default:
        return tt_ok();
    }
}

/* The number of a byte's character, from 1. */
static uint32_t column_of(const char *text, size_t byte)
{
    uint32_t column = 1;
    for (size_t i = 0; i < byte; i++) {
        column += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return column;
}

static void prompt_edited(struct tt_app *app)
{
    const char *text = app->prompt.text;
    uint64_t ticks, pos;
    if (!is_name(text[0])) {
        struct tt_status status = tt_ok();
        if (text[0] && text[0] != '\'') {
            status = tt_command_place(app, text, &ticks, &pos);
        }
        tt_prompt_fail(&app->prompt, 0, tt_failed(&status) ? status.text : "");
        return;
    }
    struct line line = take_apart(text);
    if (!line.command && line.action == TT_DO_NOTHING) {
        if (line.complete || !begins_one(text, line.length)) {
            tt_prompt_fail(&app->prompt, 1, "no such command; Tab lists them");
        }
    } else if (line.command && line.argument[0]) {
        struct tt_status status = check_argument(app, &line);
        if (tt_failed(&status)) {
            tt_prompt_fail(&app->prompt, column_of(text, (size_t)(line.argument - text)),
                           status.text);
        }
    }
}

static void prompt_accepted(struct tt_app *app)
{
    char *line = strdup(app->prompt.text); /* the command may open a prompt itself */
    if (line) {
        tt_command_run(app, line);
        free(line);
    }
}

static void prompt_hint(struct tt_app *app, struct tt_text *text)
{
    if (app->prompt.length == 0) {
        tt_text_str(text, "1234 an event   1.5s a time   50% of it   500t ticks   "
                          "or a command: Tab");
        return;
    }
    if (!is_name(app->prompt.text[0])) {
        return;
    }
    struct line line = take_apart(app->prompt.text);
    if (line.command) {
        tt_text_str(text, line.command->name);
        tt_text_str(text, line.command->argument[0] ? " " : "");
        tt_text_str(text, line.command->argument);
        tt_text_str(text, ": ");
        tt_text_str(text, line.command->help);
    } else if (line.action != TT_DO_NOTHING) {
        tt_text_str(text, tt_do_at(line.action)->help);
    }
}

/* ---- completion ----------------------------------------------------------------------------- */

static void offer_names(struct tt_completion *out)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        char insert[NAME_BYTES], shown[NAME_BYTES];
        bool argument = table[i].kind != TT_ARGUMENT_NONE;
        snprintf(insert, sizeof insert, "%s%s", table[i].name, argument ? " " : "");
        snprintf(shown, sizeof shown, "%s%s%s", table[i].name, argument ? " " : "",
                 table[i].argument);
        tt_completion_offer(out, insert, shown, table[i].help);
    }
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        const struct tt_do_info *info = tt_do_at(action);
        struct line line = take_apart(info->name);
        if (!(info->contexts & TT_IN_PROMPT) && !line.command) {
            tt_completion_offer(out, info->name, NULL, info->help);
        }
    }
}

static void offer_marks(struct tt_app *app, bool with_quote, struct tt_completion *out)
{
    for (int i = 0; i < TT_MARKS; i++) {
        if (app->marks[i].set) {
            const char mark[] = {'\'', (char)('a' + i), '\0'};
            tt_completion_offer(out, with_quote ? mark : mark + 1, NULL,
                                app->marks[i].note[0] ? app->marks[i].note : "a mark");
        }
    }
}

/* The files of a folder; folders end in a slash, so that the next Tab looks into them. */
static void offer_files(const char *word, size_t length, struct tt_completion *out)
{
    char folder[PATH_BYTES], insert[2 * PATH_BYTES], path[3 * PATH_BYTES];
    const char *slash = NULL;
    for (size_t i = 0; i < length; i++) {
        slash = word[i] == '/' ? word + i : slash;
    }
    size_t head = slash ? (size_t)(slash - word) + 1 : 0;
    if (head >= sizeof folder) {
        return;
    }
    memcpy(folder, word, head);
    folder[head] = '\0';
    DIR *dir = opendir(head > 0 ? folder : ".");
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        struct stat what;
        bool hidden = entry->d_name[0] == '.' && (length == head || word[head] != '.');
        snprintf(path, sizeof path, "%s%s", head > 0 ? folder : "./", entry->d_name);
        if (hidden || stat(path, &what) != 0) {
            continue;
        }
        snprintf(insert, sizeof insert, "%s%s%s", folder, entry->d_name,
                 S_ISDIR(what.st_mode) ? "/" : "");
        tt_completion_offer(out, insert, NULL, NULL);
    }
    if (dir) {
        closedir(dir);
    }
    tt_completion_sort(out);
}

static void offer_settings(const char *argument, const char *text, size_t caret,
                           struct tt_completion *out)
{
    size_t length = strcspn(argument, " ");
    const struct tt_setting *setting = tt_setting_find(argument, length);
    size_t word = caret;
    while (word > (size_t)(argument - text) && text[word - 1] != ' ') {
        word--;
    }
    tt_completion_begin(out, text, word, caret);
    if (text + word > argument) {
        if (setting) {
            tt_setting_offer(setting, out);
        }
        return;
    }
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        char insert[NAME_BYTES];
        snprintf(insert, sizeof insert, "%s ", setting->name);
        tt_completion_offer(out, insert, setting->name, setting->help);
    }
}

static void offer_columns(const char *text, size_t caret, struct tt_completion *out)
{
    size_t word = caret;
    while (word > 0 && text[word - 1] != ' ') {
        word--;
    }
    word += text[word] == '+' || text[word] == '-';
    tt_completion_begin(out, text, word, caret);
    tt_setting_offer(tt_setting_find("columns", 7), out);
}

static void offer_argument(struct tt_app *app, const struct line *line, const char *text,
                           size_t caret, struct tt_completion *out)
{
    size_t from = (size_t)(line->argument - text);
    tt_completion_begin(out, text, from, caret);
    switch (line->command->kind) {
    case TT_ARGUMENT_PLACE:
        offer_marks(app, true, out);
        break;
    case TT_ARGUMENT_MARK:
        offer_marks(app, false, out);
        break;
    case TT_ARGUMENT_RANGE:
        for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
            tt_completion_offer(out, zooms[i].word, NULL, tt_do_at(zooms[i].action)->help);
        }
        break;
    case TT_ARGUMENT_THEME:
        tt_theme_offer(out);
        break;
    case TT_ARGUMENT_SETTING:
        offer_settings(line->argument, text, caret, out);
        break;
    case TT_ARGUMENT_COLUMNS:
        offer_columns(text, caret, out);
        break;
    case TT_ARGUMENT_TABLE:
        for (int i = 0; i < TT_STATS_BY_TOTAL; i++) {
            tt_completion_offer(out, table_words[i], NULL, NULL);
        }
        break;
    case TT_ARGUMENT_FILE:
        offer_files(line->argument, caret - from, out);
        break;
    default:
        break;
    }
}

static void prompt_complete(void *arg, const char *text, size_t caret, struct tt_completion *out)
{
    struct line line = take_apart(text);
    size_t from = (size_t)(line.argument - text);
    if (line.command && line.complete && caret >= from) {
        if (line.command->kind == TT_ARGUMENT_EXPRESSION) {
            tt_prompts_complete(
                arg, line.command->run == run_filter ? TT_PROMPT_FILTER : TT_PROMPT_SEARCH, text,
                from, caret, out);
            return;
        }
        offer_argument(arg, &line, text, caret, out);
    } else if (caret <= line.length) {
        tt_completion_begin(out, text, 0, caret);
        offer_names(out);
    }
}

const struct tt_prompt_use tt_command_prompt = {
    .edited = prompt_edited,
    .accepted = prompt_accepted,
    .complete = prompt_complete,
    .hint = prompt_hint,
};

/* ---- the page ------------------------------------------------------------------------------- */

void tt_commands_page(struct tt_text *text)
{
    tt_text_str(text,
                "# Commands\n\n`:` opens a line for a command or for a place to go to: `1234` or "
                "`#1234` an event, `1.5s` a time,\n`50%` a part, `500t` ticks, `'a` a mark. Tab "
                "completes, Up and Down go through what was typed before,\n`^R` looks in it for "
                "what is typed. The name of any action in [keys.md](keys.md) is a command too.\n"
                "This page is made from the table in `src/tui/command.h`.\n\n"
                "| command | short | what it does |\n|---|---|---|\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        tt_text_str(text, "| `:");
        tt_text_str(text, table[i].name);
        tt_text_str(text, table[i].argument[0] ? " " : "");
        tt_text_str(text, table[i].argument);
        tt_text_str(text, table[i].alias[0] ? "` | `:" : "` |");
        tt_text_str(text, table[i].alias);
        tt_text_str(text, table[i].alias[0] ? "` | " : " | ");
        tt_text_str(text, table[i].help);
        tt_text_str(text, " |\n");
    }
    tt_text_str(text, "\n## Settings\n\n`:set NAME VALUE` changes one; `:set NAME` tells it. The "
                      "configuration file has the same names\n([config.md](config.md)).\n\n"
                      "| setting | values | at first | what it is |\n|---|---|---|---|\n");
    const struct tt_setting *setting;
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        const char *const cells[] = {setting->name, setting->values, setting->initial};
        for (size_t c = 0; c < 3; c++) {
            tt_text_str(text, "| `");
            tt_text_str(text, cells[c]);
            tt_text_str(text, "` ");
        }
        tt_text_str(text, "| ");
        tt_text_str(text, setting->help);
        tt_text_str(text, " |\n");
    }
}
