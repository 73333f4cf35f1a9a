/* SPDX-License-Identifier: Apache-2.0 */
/* command_prompt: checks, explains and completes the line after `:` while it is typed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/settings.h"
#include "tui/model/place_text.h"

#define NAME_BYTES 48
#define PATH_BYTES 1024

/* ---- while it is typed ----------------------------------------------------------------------- */

/* Returns true if the name of a command or action begins with this text. */
static bool begins_one(const char *text, size_t length)
{
    const struct tt_command *command;
    for (unsigned i = 0; (command = tt_command_at(i)) != NULL; i++) {
        if (strncmp(command->name, text, length) == 0) {
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

static struct tt_status check_range(struct tt_app *app, const char *text)
{
    uint64_t from, to;
    const struct tt_zoom_word *zoom;
    for (unsigned i = 0; (zoom = tt_zoom_word_at(i)) != NULL; i++) {
        if (strncmp(text, zoom->word, strlen(text)) == 0) {
            return tt_ok();
        }
    }
    return tt_place_parse_range(&app->ws, text, &from, &to);
}

static struct tt_status check_argument(struct tt_app *app, const struct tt_command_line *line)
{
    uint64_t ticks, pos;
    switch (line->command->kind) {
    case TT_ARGUMENT_PLACE:
        return tt_place_parse(&app->ws, line->argument, &ticks, &pos);
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

/* Returns the number of the character at a byte, from 1. */
static uint32_t command_prompt_column_of(const char *text, size_t byte)
{
    uint32_t column = 1;
    for (size_t i = 0; i < byte; i++) {
        column += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return column;
}

static void prompt_edited(struct tt_app *app)
{
    const char *text = app->prompt.line.text;
    uint64_t ticks, pos;
    if (!tt_command_is_name(text[0])) {
        struct tt_status status = tt_ok();
        if (text[0] && text[0] != '\'') {
            status = tt_place_parse(&app->ws, text, &ticks, &pos);
        }
        tt_line_edit_fail(&app->prompt.line, 0, tt_failed(&status) ? status.text : "");
        return;
    }
    struct tt_command_line line = tt_command_parse(text);
    if (!line.command && line.action == TT_DO_NOTHING) {
        if (line.complete || !begins_one(text, line.length)) {
            tt_line_edit_fail(&app->prompt.line, 1, "unknown command; Tab lists commands");
        }
    } else if (line.command && line.argument[0]) {
        struct tt_status status = check_argument(app, &line);
        if (tt_failed(&status)) {
            tt_line_edit_fail(&app->prompt.line,
                              command_prompt_column_of(text, (size_t)(line.argument - text)),
                              status.text);
        }
    }
}

static void prompt_accepted(struct tt_app *app)
{
    char *line = strdup(app->prompt.line.text); /* the command may open a prompt itself */
    if (!line) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "out of memory");
        return;
    }
    tt_command_run(app, line);
    free(line);
}

static void prompt_hint(const struct tt_app *app, struct tt_text *text)
{
    if (app->prompt.line.length == 0) {
        tt_text_str(text, "1234 an event  1.5s time  50% part  500t ticks  0x1a40 offset  "
                          "a command: Tab");
        return;
    }
    if (!tt_command_is_name(app->prompt.line.text[0])) {
        return;
    }
    struct tt_command_line line = tt_command_parse(app->prompt.line.text);
    if (line.command) {
        tt_text_put(text, "%s%s%s: %s", line.command->name, line.command->argument[0] ? " " : "",
                    line.command->argument, line.command->help);
    } else if (line.action != TT_DO_NOTHING) {
        tt_text_str(text, tt_do_at(line.action)->help);
    }
}

/* ---- completion ----------------------------------------------------------------------------- */

static void command_prompt_offer_names(struct tt_completion *completion)
{
    const struct tt_command *command;
    for (unsigned i = 0; (command = tt_command_at(i)) != NULL; i++) {
        char insert[NAME_BYTES], shown[NAME_BYTES];
        bool argument = command->kind != TT_ARGUMENT_NONE;
        snprintf(insert, sizeof insert, "%s%s", command->name, argument ? " " : "");
        snprintf(shown, sizeof shown, "%s%s%s", command->name, argument ? " " : "",
                 command->argument);
        if (command->help[0]) {
            tt_completion_offer(completion, insert, shown, command->help);
        }
    }
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        const struct tt_do_info *info = tt_do_at(action);
        struct tt_command_line line = tt_command_parse(info->name);
        if (!(info->contexts & TT_IN_PROMPT) && !line.command) {
            tt_completion_offer(completion, info->name, NULL, info->help);
        }
    }
}

static void offer_marks(struct tt_app *app, bool with_quote, struct tt_completion *out)
{
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        if (app->ws.nav.marks[i].set) {
            const char mark[] = {'\'', (char)('a' + i), '\0'};
            tt_completion_offer(out, with_quote ? mark : mark + 1, NULL,
                                app->ws.nav.marks[i].note[0] ? app->ws.nav.marks[i].note
                                                             : "a mark");
        }
    }
}

/* Offers the files of a directory; a directory ends in a slash, so that Tab descends into it. */
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

/* Offers the actions for the second word of `map`, then the earlier names of the verbs. */
static void offer_actions(const char *argument, const char *text, size_t caret,
                          struct tt_completion *out)
{
    size_t key = strcspn(argument, " ");
    if (!argument[key]) {
        return;
    }
    const char *word = argument + key + strspn(argument + key, " ");
    const struct tt_do_alias *alias;
    tt_completion_begin(out, text, (size_t)(word - text), caret);
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        tt_completion_offer(out, tt_do_at(action)->name, NULL, tt_do_at(action)->help);
    }
    for (unsigned i = 0; (alias = tt_do_alias_at(i)) != NULL; i++) {
        char buffer[NAME_BYTES * 3];
        struct tt_text where = tt_text_of(buffer, sizeof buffer);
        tt_text_put(&where, "%s in ", tt_do_at(alias->action)->name);
        tt_contexts_write(&where, alias->contexts);
        tt_completion_offer(out, alias->name, NULL, tt_text_cstr(&where));
    }
}

static void offer_settings(struct tt_app *app, const char *argument, const char *text, size_t caret,
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
        char insert[NAME_BYTES], label[NAME_BYTES * 2], value[NAME_BYTES];
        struct tt_text shown = tt_text_of(value, sizeof value);
        tt_setting_get(setting, app, &shown);
        snprintf(insert, sizeof insert, "%s ", setting->name);
        snprintf(label, sizeof label, "%s %s", setting->name, tt_text_cstr(&shown));
        tt_completion_offer(out, insert, label, setting->help);
    }
}

static void command_prompt_offer_columns(const char *text, size_t caret, struct tt_completion *out)
{
    size_t word = caret;
    while (word > 0 && text[word - 1] != ' ') {
        word--;
    }
    word += text[word] == '+' || text[word] == '-';
    tt_completion_begin(out, text, word, caret);
    tt_setting_offer(tt_setting_find("columns", 7), out);
}

static void offer_zooms(struct tt_completion *completion)
{
    const struct tt_zoom_word *zoom;
    for (unsigned i = 0; (zoom = tt_zoom_word_at(i)) != NULL; i++) {
        tt_completion_offer(completion, zoom->word, NULL, tt_do_at(zoom->action)->help);
    }
}

/* Offers what :write takes: a file, also after --session, or settings. */
static void offer_writes(const char *argument, const char *text, size_t caret,
                         struct tt_completion *out)
{
    static const char option[] = "--session ";
    const size_t length = sizeof option - 1;
    size_t from = (size_t)(argument - text);
    if (strncmp(argument, option, length) == 0 && caret >= from + length) {
        from += length;
        tt_completion_begin(out, text, from, caret);
    } else {
        tt_completion_offer(out, "settings", NULL, NULL);
        tt_completion_offer(out, option, "--session", "marks and notes, too");
    }
    offer_files(text + from, caret - from, out);
}

static void offer_argument(struct tt_app *app, const struct tt_command_line *line, const char *text,
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
        offer_zooms(out);
        break;
    case TT_ARGUMENT_THEME:
        tt_setting_offer_themes(out);
        break;
    case TT_ARGUMENT_SETTING:
        offer_settings(app, line->argument, text, caret, out);
        break;
    case TT_ARGUMENT_WRITE:
        offer_writes(line->argument, text, caret, out);
        break;
    case TT_ARGUMENT_MAP:
        offer_actions(line->argument, text, caret, out);
        break;
    case TT_ARGUMENT_COLUMNS:
        command_prompt_offer_columns(text, caret, out);
        break;
    case TT_ARGUMENT_TABLE:
        tt_views[TT_VIEW_SUMMARY]->complete(&app->ws, text, from, caret, out);
        break;
    case TT_ARGUMENT_WORST:
        for (unsigned kind = 0; tt_worst_word(kind); kind++) {
            tt_completion_offer(out, tt_worst_word(kind), NULL, NULL);
        }
        break;
    case TT_ARGUMENT_FILTER:
        tt_prompt_complete(app, TT_PROMPT_FILTER, text, from, caret, out);
        break;
    case TT_ARGUMENT_SEARCH:
        tt_prompt_complete(app, TT_PROMPT_SEARCH, text, from, caret, out);
        break;
    case TT_ARGUMENT_SQL:
        tt_overlays[TT_OVERLAY_SQL]->complete(&app->ws, text, from, caret, out);
        break;
    case TT_ARGUMENT_RULES:
        tt_completion_offer(out, "add", NULL, "a rule for the selected number");
        offer_files(line->argument, caret - from, out);
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
    struct tt_command_line line = tt_command_parse(text);
    size_t from = (size_t)(line.argument - text);
    if (line.command && line.complete && caret >= from) {
        offer_argument(arg, &line, text, caret, out);
    } else if (caret <= line.length) {
        tt_completion_begin(out, text, 0, caret);
        command_prompt_offer_names(out);
    }
}

const struct tt_line_edit_use tt_command_prompt = {
    .edited = prompt_edited,
    .accepted = prompt_accepted,
    .complete = prompt_complete,
    .hint = prompt_hint,
};
