/* SPDX-License-Identifier: Apache-2.0 */
/* commands: parses and runs the line after `:` with its places, and writes the page of the commands. */
#include "tui/app/commands.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/settings.h"

bool tt_command_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool commands_is_word(const char *word, const char *text, size_t length)
{
    return word[0] && strlen(word) == length && memcmp(word, text, length) == 0;
}

struct tt_command_line tt_command_parse(const char *text)
{
    struct tt_command_line line = {.length = strcspn(text, " !")};
    const char *rest = text + line.length;
    line.complete = *rest != '\0';
    line.bang = *rest == '!';
    rest += line.bang;
    line.argument = rest + strspn(rest, " ");
    const struct tt_command *command;
    for (unsigned i = 0; !line.command && (command = tt_command_at(i)) != NULL; i++) {
        if (commands_is_word(command->name, text, line.length) ||
            commands_is_word(command->alias, text, line.length)) {
            line.command = command;
        }
    }
    if (!line.command) {
        line.action = tt_do_find(text, line.length, &line.contexts);
        line.action = line.contexts & TT_IN_PROMPT ? TT_DO_NOTHING : line.action;
    }
    return line;
}

static struct tt_status run_action(struct tt_app *app, const struct tt_command_line *line,
                                   const char *name)
{
    char where[160];
    struct tt_text text = tt_text_of(where, sizeof where);
    if (tt_app_contexts(app) & line->contexts) {
        tt_app_act(app, line->action);
        return tt_ok();
    }
    tt_contexts_write(&text, line->contexts);
    return tt_error(TT_ERR_USAGE, "%.*s works in: %s", (int)line->length, name,
                    tt_text_cstr(&text));
}

/* Closes the Why pane, which owns the navigation, unless the command leaves it open. */
static void close_why(struct tt_app *app, const struct tt_command *command)
{
    static const char *const stay[] = {"write", "check", "say",    "set",     "save",
                                       "theme", "map",   "export", "picture", "size"};
    bool stays = false;
    for (size_t i = 0; command && i < sizeof stay / sizeof *stay; i++) {
        stays |= strcmp(stay[i], command->name) == 0;
    }
    if (!stays) {
        tt_why_close(&app->ws);
    }
}

static struct tt_status commands_run(struct tt_app *app, const char *text)
{
    if (!tt_command_is_name(text[0])) {
        if (!text[0]) {
            return tt_ok();
        }
        close_why(app, NULL);
        return tt_command_goto(app, text);
    }
    struct tt_command_line line = tt_command_parse(text);
    const struct tt_command *command = line.command;
    if (line.action != TT_DO_NOTHING && !line.argument[0]) {
        return run_action(app, &line, text);
    }
    if (line.action == TT_DO_NOTHING && !command) {
        return tt_error(TT_ERR_USAGE, "no command \"%.*s\"; Tab lists them",
                        line.length < 40 ? (int)line.length : 40, text);
    }
    if (line.argument[0] && (!command || command->kind == TT_ARGUMENT_NONE)) {
        return tt_error(TT_ERR_USAGE, "%s takes no argument",
                        command ? command->name : tt_do_at(line.action)->name);
    }
    if (command->needs && !line.argument[0]) {
        return tt_error(TT_ERR_USAGE, "%s: expected %s", command->name, command->argument);
    }
    close_why(app, command);
    app->bang = line.bang;
    return command->run(app, line.argument);
}

void tt_command_run(struct tt_app *app, const char *text)
{
    tt_app_layout(app);
    struct tt_status status = commands_run(app, text + strspn(text, " "));
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", status.text);
    }
    app->stale = true;
}

/* ---- ranges --------------------------------------------------------------------------------- */

static const struct tt_zoom_word zooms[] = {
    {"in", TT_DO_ZOOM_IN},
    {"out", TT_DO_ZOOM_OUT},
    {"all", TT_DO_ZOOM_ALL},
    {"selection", TT_DO_ZOOM_SELECTION},
};

const struct tt_zoom_word *tt_zoom_word_at(unsigned number)
{
    return number < sizeof zooms / sizeof *zooms ? &zooms[number] : NULL;
}

/* ---- the page ------------------------------------------------------------------------------- */

void tt_commands_page(struct tt_text *text)
{
    tt_text_str(
        text, "# Commands\n\n`:` opens a prompt for a command or a position: `1234` or `#1234` an "
              "event, `1.5s` a time,\n`50%` a part, `500t` ticks, `0x1a40` a file offset, `'a` a "
              "mark. Tab completes, Up and "
              "Down step through the history,\n`^R` searches it. The name of any action in "
              "[keys.md](keys.md) is a command too.\n"
              "This page is generated from the table in `src/tui/app/commands.h`.\n\n"
              "| command | short | description |\n|---|---|---|\n");
    const struct tt_command *command;
    for (unsigned i = 0; (command = tt_command_at(i)) != NULL; i++) {
        if (!command->help[0]) {
            continue;
        }
        tt_text_put(text, "| `:%s%s%s%s%s%s%s |\n", command->name, command->argument[0] ? " " : "",
                    command->argument, command->alias[0] ? "` | `:" : "` |", command->alias,
                    command->alias[0] ? "` | " : " | ", command->help);
    }
    tt_text_str(text,
                "\n`:write` has two earlier names, which write one format whatever the name of the "
                "file: `:save FILE` the capture or\nthe selection in its own format, `:export "
                "FILE` as FXT. The command line has `save`, `export`, `report` and `render`.\n\n## "
                "Settings\n\n`:set NAME VALUE` changes one; `:set NAME` shows it. The "
                "configuration file has the same names\n([config.md](config.md)).\n\n| setting | "
                "values | default | meaning |\n|---|---|---|---|\n");
    const struct tt_setting *setting;
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        const char *const cells[] = {setting->name, setting->values, setting->initial};
        for (size_t c = 0; c < 3; c++) {
            tt_text_put(text, "| `%s` ", cells[c]);
        }
        tt_text_put(text, "| %s |\n", setting->help);
    }
}
