/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clipboard: a text as the sequence that puts it on the terminal's clipboard (OSC 52, "XTerm
 * Control Sequences", Operating System Commands):
 *
 *      ESC ] 52 ; c ; BASE64 BEL
 *
 * A multiplexer may take it for itself (tmux with set-clipboard on) or drop it; so the same goes to
 * the terminal outside as well:
 *
 *      ESC P tmux; ESC ESC ] 52 ... BEL ESC \     tmux: every ESC inside twice
 *      ESC P ESC ] 52 ... ESC \ ESC P ... BEL ESC \     screen: in pieces, its strings are short
 *
 * Where it is not let through it is dropped silently. Any thread.
 */
#ifndef TRACETUI_TUI_TERM_OSC52_H
#define TRACETUI_TUI_TERM_OSC52_H

#include <stddef.h>

enum tt_osc52_way { TT_CLIPBOARD_PLAIN, TT_CLIPBOARD_TMUX, TT_CLIPBOARD_SCREEN };

/* As much as tt_osc52_write may write for so many bytes. */
#define TT_CLIPBOARD_BYTES(length) (4 * ((length) + 3) + 64)

/* Writes the sequence to `out`; returns its length in bytes. O(length) */
size_t tt_osc52_write(enum tt_osc52_way way, const char *text, size_t length, char *out);

#endif
