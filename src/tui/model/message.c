/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tt_message_set(struct tt_notices *message, enum tt_role role, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(message->text, sizeof message->text, fmt, args);
    va_end(args);
    message->role = (uint8_t)role;

    struct tt_past_message *last = &message->kept[(message->count - 1) % TT_MESSAGES_KEPT];
    if (message->count > 0 && last->role == message->role &&
        strcmp(last->text, message->text) == 0) {
        last->times++;
        return;
    }
    last = &message->kept[message->count++ % TT_MESSAGES_KEPT];
    memcpy(last->text, message->text, sizeof last->text);
    last->role = message->role;
    last->times = 1;
}

unsigned tt_message_kept(const struct tt_notices *message)
{
    return message->count < TT_MESSAGES_KEPT ? message->count : TT_MESSAGES_KEPT;
}

const struct tt_past_message *tt_message_past(const struct tt_notices *message, unsigned number)
{
    return &message->kept[(message->count - 1 - number) % TT_MESSAGES_KEPT];
}
