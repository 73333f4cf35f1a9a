/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message: the message in the status line, shown until the next key, and the messages before it, which
 * the list of messages shows. Plain data; one thread.
 */
#ifndef TRACETUI_TUI_MODEL_MESSAGE_H
#define TRACETUI_TUI_MODEL_MESSAGE_H

#include <stdint.h>

#include "tracetui/status.h"
#include "tui/draw/theme.h"

#define TT_MESSAGES_KEPT 64u

struct tt_past_message {
    char text[TT_STATUS_TEXT];
    uint8_t role;
    unsigned times; /* how often it came in a row */
};

struct tt_notices {
    char text[TT_STATUS_TEXT];                     /* "": none */
    uint8_t role;                                  /* enum tt_role */
    struct tt_past_message kept[TT_MESSAGES_KEPT]; /* a ring, by serial number */
    unsigned count;                                /* messages so far */
};

/* Shows a message and keeps it. */
void tt_message_set(struct tt_notices *message, enum tt_role role, const char *fmt, ...)
    TT_PRINTF(3, 4);
/* Returns the number of kept messages. */
unsigned tt_message_kept(const struct tt_notices *message);
/* Returns a kept message; 0 is the latest. */
const struct tt_past_message *tt_message_past(const struct tt_notices *message, unsigned number);

#endif
