/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply: parses the terminal's input besides keys: answers to requests and mouse reports.
 *
 *      ESC [ 0 n                                  status report: the terminal is there
 *      ESC [ ? 2026 ; 2 $ y                       a mode's state (DECRPM)
 *      ESC [ ? 62 ; 22 c                          its attributes (DA1)
 *      ESC ] 11 ; rgb:1e1e/1e1e/2e2e ESC \        its background; BEL may end it
 *      ESC [ < 0 ; 10 ; 5 M                       a mouse report (SGR, mode 1006)
 *      ESC [ M ! * *                              an old one: button, column, row, each plus 32
 *
 * The bytes after the Esc arrive one by one, at any time. At most TT_REPLY_BYTES are kept; the rest
 * of a longer sequence is dropped. Pure functions on a struct; one thread.
 */
#ifndef TRACETUI_TUI_TERM_REPLY_H
#define TRACETUI_TUI_TERM_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_REPLY_BYTES 64

enum tt_reply_kind {
    TT_REPLY_OTHER, /* a sequence without a meaning here */
    TT_REPLY_STATUS,
    TT_REPLY_MODE,
    TT_REPLY_ATTRIBUTES,
    TT_REPLY_BACKGROUND,
    TT_REPLY_MOUSE
};

struct tt_reply {
    enum tt_reply_kind kind;
    unsigned mode, state;      /* MODE: its number and state */
    uint16_t red, green, blue; /* BACKGROUND: 0 to 65535 */
    unsigned button;           /* MOUSE: as reported, with modifiers and motion */
    unsigned x, y;             /* MOUSE: from 0 */
    bool release;              /* MOUSE: a button was released */
};

struct tt_reply_reader {
    uint32_t begin; /* the character after the Esc: [ O ] */
    bool escape;    /* the last character of a string was an Esc */
    size_t length;  /* characters so far, also those not kept */
    char text[TT_REPLY_BYTES];
};

/* Returns true if a sequence begins with this character after an Esc. `strings`: also with ]. */
bool tt_reply_begins(uint32_t ch, bool strings);
void tt_reply_begin(struct tt_reply_reader *reader, uint32_t ch);
/* Adds a character; returns true if it ends the sequence. */
bool tt_reply_add(struct tt_reply_reader *reader, uint32_t ch);
/* Returns the meaning of a complete sequence. */
struct tt_reply tt_reply_parse(const struct tt_reply_reader *reader);

#endif
