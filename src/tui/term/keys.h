/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys: a key as one number, and its name in text.
 *
 * A character key is its code point; control keys are 1..31 as the terminal sends them; all other
 * keys are numbered above Unicode. In text a key is written as itself (`g`) or as a name in angle
 * brackets: <Enter> <C-d> <F1> <S-Tab> <Space> <lt>.
 * Pure functions; any thread.
 */
#ifndef TRACETUI_TUI_TERM_KEYS_H
#define TRACETUI_TUI_TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_KEY_NONE  0u
#define TT_KEY_TAB   9u
#define TT_KEY_ENTER 13u
#define TT_KEY_ESC   27u
#define TT_KEY_BS    127u

/* X(id, name) */
#define TT_KEY_INFO(X)                                                                             \
    X(TT_KEY_UP, "Up")                                                                             \
    X(TT_KEY_DOWN, "Down")                                                                         \
    X(TT_KEY_LEFT, "Left")                                                                         \
    X(TT_KEY_RIGHT, "Right")                                                                       \
    X(TT_KEY_HOME, "Home")                                                                         \
    X(TT_KEY_END, "End")                                                                           \
    X(TT_KEY_PAGE_UP, "PgUp")                                                                      \
    X(TT_KEY_PAGE_DOWN, "PgDn")                                                                    \
    X(TT_KEY_INSERT, "Ins")                                                                        \
    X(TT_KEY_DELETE, "Del")                                                                        \
    X(TT_KEY_BACK_TAB, "S-Tab")                                                                    \
    X(TT_KEY_F1, "F1")                                                                             \
    X(TT_KEY_F2, "F2")                                                                             \
    X(TT_KEY_F3, "F3")                                                                             \
    X(TT_KEY_F4, "F4")                                                                             \
    X(TT_KEY_F5, "F5")                                                                             \
    X(TT_KEY_F6, "F6")                                                                             \
    X(TT_KEY_F7, "F7")                                                                             \
    X(TT_KEY_F8, "F8")                                                                             \
    X(TT_KEY_F9, "F9")                                                                             \
    X(TT_KEY_F10, "F10")                                                                           \
    X(TT_KEY_F11, "F11")                                                                           \
    X(TT_KEY_F12, "F12")                                                                           \
    X(TT_KEY_MOUSE, "Mouse")        /* see tt_screen_mouse */                                      \
    X(TT_KEY_PASTE, "Paste")        /* start of pasted text */                                     \
    X(TT_KEY_PASTE_END, "PasteEnd") /* end of pasted text */

enum tt_key {
    TT_KEY_BEYOND_UNICODE = 0x110000,
#define X(id, name) id,
    TT_KEY_INFO(X)
#undef X
        TT_KEY_AFTER_LAST
};

/*
 * Parses the first key of a text such as "j<C-d>:50%<Enter>". Returns the bytes used, or 0 when
 * the text is empty or names no key.
 */
size_t tt_key_parse(const char *text, size_t length, uint32_t *key);

#define TT_KEY_NAME 12

/* Writes a key in the notation that tt_key_parse reads: "g", "<C-d>", "<PgDn>". */
const char *tt_key_write(uint32_t key, char out[TT_KEY_NAME]);

/* Returns the display name of a key: "g", "Enter", "^D", "PgDn", "S-Tab". */
const char *tt_key_name(uint32_t key, char out[TT_KEY_NAME]);

/* Returns whether the key types a character. */
static inline bool tt_key_is_text(uint32_t key)
{
    return key >= ' ' && key != TT_KEY_BS && key < TT_KEY_BEYOND_UNICODE;
}

#endif
