/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress/arrival_line.h"

#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "edit/key_mode.h"

#define QUIET_MS  500u /* what arrives sooner shows no progress */
#define NAME_MOST 200u
#define HOST_MOST 40u

static void show_line(struct tt_arrival_line *line, const struct tt_arrival *arrival)
{
    char buffer[640];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const bool is_unpacked = !arrival->host && arrival->total > 0;

    const char *slash = strrchr(arrival->path, '/');
    const char *name = slash ? slash + 1 : arrival->path;
    if (arrival->host) {
        tt_text_escaped(&text, arrival->host, strnlen(arrival->host, HOST_MOST));
    } else if (strcmp(arrival->path, "-") == 0) {
        tt_text_str(&text, "standard input");
    } else {
        tt_text_escaped(&text, name, strnlen(name, NAME_MOST));
    }
    tt_text_str(&text, ": ");

    if (is_unpacked) {
        tt_text_u64(&text, (uint64_t)(100.0 * (double)arrival->read / (double)arrival->total));
        tt_text_str(&text, " %, ");
    }
    tt_progress_line_megabytes(&text, arrival->host ? arrival->read : arrival->bytes);
    if (is_unpacked) {
        tt_text_str(&text, " unpacked");
    } else {
        const uint64_t bytes = arrival->host ? arrival->read : arrival->bytes;
        if (arrival->host && arrival->total >= bytes) {
            tt_text_str(&text, " of ");
            tt_progress_line_megabytes(&text, arrival->total);
        }
        tt_text_str(&text, ", ");
        tt_progress_line_megabytes(&text,
                                   arrival->elapsed_ms ? bytes * 1000 / arrival->elapsed_ms : 0);
        tt_text_str(&text, "/s");
    }
    tt_text_str(&text, line->reads_keys ? " (Esc cancels)"
                       : arrival->host  ? ""
                                        : " (Ctrl-C cancels)");
    tt_progress_line_show(&line->line, &text);
}

static bool arrival_line_show(void *arg, const struct tt_arrival *arrival)
{
    struct tt_arrival_line *line = arg;
    if (arrival->last || !arrival->connected) {
        /* Erases the line, and leaves the terminal to others. */
        tt_progress_line_clear(&line->line);
        if (line->reads_keys) {
            tt_key_mode_end();
            line->reads_keys = false;
        }

        return true;
    }
    if ((!arrival->host && !line->shows_local) || !isatty(STDERR_FILENO)) {
        return true;
    }
    if (arrival->host && !line->reads_keys) {
        /* Lets Esc cancel, if this process has the terminal. */
        line->reads_keys = tcgetpgrp(STDIN_FILENO) == getpgrp() &&
                           tt_key_mode_begin(STDIN_FILENO, TT_KEY_MODE_CANCEL);
    }
    if (arrival->elapsed_ms >= QUIET_MS) {
        show_line(line, arrival);
    }
    return !line->reads_keys || !tt_key_mode_escaped(STDIN_FILENO);
}

/* Shows a line of the remote shell; the line of progress is shown again soon. */
static void arrival_line_message(void *arg, const char *host, const char *text)
{
    struct tt_arrival_line *line = arg;
    tt_progress_line_clear(&line->line);
    struct tt_status status = tt_error(TT_ERR_IO, "%s", text);
    tt_message_error(host, &status);
}

void tt_arrival_line_init(struct tt_arrival_line *line, const char *shell)
{
    *line = (struct tt_arrival_line){
        .watch = {arrival_line_show, line},
        .remote = {.shell = shell, .message = arrival_line_message, .arg = line},
    };
}
