/* SPDX-License-Identifier: Apache-2.0 */
/* message: the message in the status line, shown until the next key. */
#ifndef TRACETUI_TUI_MODEL_MESSAGE_H
#define TRACETUI_TUI_MODEL_MESSAGE_H

#include <stdint.h>

#include "tracetui/status.h"
#include "tui/draw/theme.h"

struct tt_message {
    char text[TT_STATUS_TEXT]; /* "": none */
    uint8_t role;              /* enum tt_role */
};

void tt_message_set(struct tt_message *message, enum tt_role role, const char *fmt, ...)
    TT_PRINTF(3, 4);

#endif
