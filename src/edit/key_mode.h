/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key_mode: a terminal that passes each key as it is typed, outside the screen of the program: for a
 * prompt, and for work that Esc cancels. The terminal's modes are restored at the end, and before a
 * signal ends the process.
 *
 * A signal handler can only reach file-level state, so this module has some: one terminal at a time,
 * one thread. tt_key_mode_escaped: any thread.
 */
#ifndef TT_EDIT_KEY_MODE_H
#define TT_EDIT_KEY_MODE_H

#include <stdbool.h>

enum tt_key_mode {
    TT_KEY_MODE_CANCEL, /* reads return at once; ^C and ^Z are signals */
    TT_KEY_MODE_PROMPT, /* reads wait for a byte; ^C, ^Z and Enter are passed as typed */
};

/* Changes the terminal's modes. False if `fd` is not a terminal. */
bool tt_key_mode_begin(int fd, enum tt_key_mode mode);
void tt_key_mode_end(void);

/* Reads the keys typed so far, and returns whether one of them is Esc. */
bool tt_key_mode_escaped(int fd);

#endif
