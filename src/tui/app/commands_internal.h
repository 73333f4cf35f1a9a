/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands_internal: declarations shared by the files of the command line: commands.c parses and
 * runs a line, command_actions.c implements the commands, command_place.c parses places and ranges,
 * command_prompt.c checks and completes a command while it is typed. One thread.
 */
#ifndef TRACETUI_TUI_APP_COMMANDS_INTERNAL_H
#define TRACETUI_TUI_APP_COMMANDS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app/commands.h"
#include "tui/input/actions.h"

/* A parsed line; the name is its first `length` bytes. */
struct tt_command_line {
    size_t length;
    bool bang;
    bool complete; /* text follows the name */
    const char *argument;
    const struct tt_command *command; /* or NULL */
    enum tt_do action;                /* or TT_DO_NOTHING */
    unsigned contexts;                /* in which the name stands for the action */
};

/* Returns true if a line with this first character is a name, not a place. */
bool tt_command_is_name(char first);

struct tt_command_line tt_command_parse(const char *text);

/* A word for a range, and the action that shows it. */
struct tt_zoom_word {
    const char *word;
    enum tt_do action;
};

/* Returns a word by its number; NULL after the last one. */
const struct tt_zoom_word *tt_zoom_word_at(unsigned number);

/* Goes to a place. */
struct tt_status tt_command_goto(struct tt_app *app, const char *place);

#endif
