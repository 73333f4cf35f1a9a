/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/message.h"

#include <stdarg.h>
#include <stdio.h>

void tt_message_set(struct tt_message *message, enum tt_role role, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(message->text, sizeof message->text, fmt, args);
    va_end(args);
    message->role = (uint8_t)role;
}
