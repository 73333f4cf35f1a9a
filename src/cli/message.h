/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message: what goes to standard error, always in the same words:
 *
 *      tracetui: capture.kev: offset 0x1a40: what is wrong
 *
 * All of a message is escaped where it leaves, as text from a capture is: a status may quote bytes
 * as they came. One thread.
 */
#ifndef TT_CLI_MESSAGE_H
#define TT_CLI_MESSAGE_H

#include "tracetui/status.h"

/* Exit status of the program. */
enum tt_exit {
    TT_EXIT_GOOD = 0,
    TT_EXIT_DAMAGED = 1,   /* bytes of the input were malformed or cut short; the rest was used */
    TT_EXIT_FAILED = 2,    /* usage, unusable input, or the output failed */
    TT_EXIT_NOT_MET = 3,   /* what was waited for did not come */
    TT_EXIT_UNDECIDED = 4, /* of some events it is not known whether the filter matches them */
};

/* Says why something failed. `path`: what it is about, or NULL. */
void tt_message_error(const char *path, const struct tt_status *status);

#endif
