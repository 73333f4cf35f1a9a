/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tracetui/text.h"

/* A path of PATH_MAX bytes, each of them escaped, and the reason. */
#define MESSAGE_BYTES (4 * 4096 + 1024)
#define ESCAPED_BYTES (MESSAGE_BYTES + 4 * sizeof((struct tt_status *)0)->text)

/* The only function that writes to standard error. Its own failure cannot be reported. */
void tt_message_pass(const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t n = write(STDERR_FILENO, bytes + done, length - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return;
        }
        done += (size_t)n;
    }
}

/* Escapes control characters of quoted text (an option's value, a key of a file, a file name). */
static void message_send(const struct tt_text *text)
{
    char buffer[ESCAPED_BYTES];
    struct tt_text escaped = tt_text_of(buffer, sizeof buffer - 1);
    tt_text_printable(&escaped, text->buffer, text->used);
    buffer[escaped.used++] = '\n';
    tt_message_pass(buffer, escaped.used);
}

void tt_message_error(const char *path, const struct tt_status *status)
{
    char buffer[MESSAGE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);

    uint64_t offset = status->offset;
    tt_text_str(&text, "tracetui: ");
    if (path) {
        tt_text_escaped(&text, path, strlen(path));
        tt_text_str(&text, ": ");
    }
    if (offset != TT_NO_OFFSET) {
        tt_text_str(&text, "offset 0x");
        tt_text_hex(&text, offset, 1);
        tt_text_str(&text, ": ");
    }

    tt_text_str(&text, status->text);
    message_send(&text);
}
