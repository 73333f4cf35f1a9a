/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message: writes errors to standard error, in one form:
 *
 *      tracetui: capture.kev: offset 0x1a40: what is wrong
 *
 * The whole message is escaped, as text from a capture is: a status may quote raw bytes. One
 * thread.
 */
#ifndef TT_CLI_MESSAGE_H
#define TT_CLI_MESSAGE_H

#include <stddef.h>

#include "tracetui/status.h"

/* Exit status of the program. */
enum tt_exit {
    TT_EXIT_GOOD = 0,
    TT_EXIT_DAMAGED = 1,   /* bytes of the input are malformed or truncated; the rest was used */
    TT_EXIT_FAILED = 2,    /* usage error, unusable input, or failed output */
    TT_EXIT_NOT_MET = 3,   /* the condition did not occur before the timeout, or a rule failed */
    TT_EXIT_UNDECIDED = 4, /* it is unknown whether a filter matches some events, or a rule holds */
};

/* Reports a failure. `path`: the file concerned, or NULL. */
void tt_message_error(const char *path, const struct tt_status *status);

/* Writes a message that is already escaped, of a child process. */
void tt_message_pass(const char *bytes, size_t length);

#endif
