/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands_internal: what the files of the command line share: app/commands.c takes a line apart
 * and runs it, app/command_actions.c has what each command does, command_place.c the places and
 * ranges that they are given, command_prompt.c what happens while one is typed. One thread.
 */
#ifndef TRACETUI_TUI_APP_COMMANDS_INTERNAL_H
#define TRACETUI_TUI_APP_COMMANDS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app/commands.h"
#include "tui/input/actions.h"

/* A line taken apart; `name` is `length` bytes at the line's beginning. */
struct tt_command_line {
    size_t length;
    bool bang;
    bool complete; /* something stands behind the name */
    const char *argument;
    const struct tt_command *command; /* or NULL */
    enum tt_do action;                /* or TT_DO_NOTHING */
};

/* Does a line that begins so name something, rather than a place? */
bool tt_command_is_name(char first);

struct tt_command_line tt_command_take_apart(const char *text);

/* "1.2s..1.3s": ticks from <= t < to. An error says what was expected. */
struct tt_status tt_command_range(struct tt_app *app, const char *text, uint64_t *from,
                                  uint64_t *to);

/* A range by a word, and the action that shows it. */
struct tt_zoom_word {
    const char *word;
    enum tt_do action;
};

/* Those words by number, NULL behind the last one. */
const struct tt_zoom_word *tt_zoom_word_at(unsigned number);

/* Goes to a place; what is wrong with it is said. */
void tt_command_goto(struct tt_app *app, const char *place);

#endif
