/* SPDX-License-Identifier: Apache-2.0 */
/*
 * osc52: encodes a text as the sequence that copies it to the terminal's clipboard (OSC 52, "XTerm
 * Control Sequences", Operating System Commands):
 *
 *      ESC ] 52 ; c ; BASE64 BEL
 *
 * A multiplexer may handle it itself (tmux with set-clipboard on) or drop it, so the sequence is
 * also passed through to the outer terminal:
 *
 *      ESC P tmux; ESC ESC ] 52 ... BEL ESC \     tmux: every inner ESC doubled
 *      ESC P ESC ] 52 ... ESC \ ESC P ... BEL ESC \     screen: in pieces, its strings are limited
 *
 * A multiplexer that forbids passthrough drops it silently. Any thread.
 */
#ifndef TRACETUI_TUI_TERM_OSC52_H
#define TRACETUI_TUI_TERM_OSC52_H

#include <stddef.h>

enum tt_osc52_way { TT_CLIPBOARD_PLAIN, TT_CLIPBOARD_TMUX, TT_CLIPBOARD_SCREEN };

/* Maximum output of tt_osc52_write for `length` bytes of text. */
#define TT_CLIPBOARD_BYTES(length) (4 * ((length) + 3) + 64)

/* Writes the sequence to `out`; returns its length in bytes. O(length) */
size_t tt_osc52_write(enum tt_osc52_way way, const char *text, size_t length, char *out);

#endif
