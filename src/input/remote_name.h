/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_name: the parts of HOST:PATH and the command that reads it. Pure functions; any thread.
 *
 * The command is WORDS... -- HOST COMMAND, where COMMAND is one line for the login shell of the host:
 *
 *      exec sh -c 'SCRIPT' tracetui MODE FROM ENCODED 'PATH'
 *
 * SCRIPT is constant and contains neither a quote nor a character that csh or fish interpret between
 * single quotes. PATH consists of harmless characters; all other bytes of the name are octal
 * escapes, which printf decodes on the host (ENCODED is 1; without one, 0).
 */
#ifndef TT_INPUT_REMOTE_NAME_H
#define TT_INPUT_REMOTE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"
#include "tracetui/text.h"

#define TT_REMOTE_HOST_BYTES 256
/* The first word of the line that the script prints before the bytes of the file. */
#define TT_REMOTE_MARK "tracetui-remote-1"
/* Exit statuses of the script that follows. */
#define TT_REMOTE_REPLACED  71
#define TT_REMOTE_TRUNCATED 72

struct tt_remote_name {
    char host[TT_REMOTE_HOST_BYTES]; /* with the user, without the brackets of an IPv6 address */
    const char *path;                /* on the host; relative to the home directory */
};

/* Returns whether a path has the form HOST:PATH; does not look for a file of that name. */
bool tt_remote_has_host(const char *path);
/* Splits HOST:PATH. Fails if the host or the path cannot be used. */
struct tt_status tt_remote_split(const char *path, struct tt_remote_name *name);

/* Appends the command for the host: the bytes from offset `from`, to the end or growing. */
void tt_remote_command(struct tt_text *text, const char *path, uint64_t from, bool follow);

/*
 * Splits the words of a shell command in place: blanks separate words, quotes of both kinds keep them.
 * Returns their number, or 0 if there are none, more than `most`, or an open quote.
 */
int tt_remote_words(char *text, char **words, int most);
/* Returns whether a program is OpenSSH's client, judged by its name. */
bool tt_remote_is_ssh(const char *program);

#endif
