/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/remote/remote_watch.h"

#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "edit/key_mode.h"
#include "tracetui/text.h"

#define QUIET_MS 500u /* a shorter transfer shows no progress */

/* Lets Esc cancel, if this process has the terminal. */
static bool begin_keys(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp() &&
           tt_key_mode_begin(STDIN_FILENO, TT_KEY_MODE_CANCEL);
}

/* ---- progress -------------------------------------------------------------------------------- */

static void show_line(struct tt_remote_watch *watch, const struct tt_remote_progress *p)
{
    char buffer[640];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&text, p->host, strnlen(p->host, 40));
    tt_text_str(&text, ": ");
    tt_progress_line_megabytes(&text, p->bytes);
    if (p->total >= p->bytes) {
        tt_text_str(&text, " of ");
        tt_progress_line_megabytes(&text, p->total);
    }
    tt_text_str(&text, ", ");
    tt_progress_line_megabytes(&text, p->elapsed_ms ? p->bytes * 1000 / p->elapsed_ms : 0);
    tt_text_str(&text, watch->reads_keys ? "/s (Esc cancels)" : "/s");
    tt_progress_line_show(&watch->line, &text);
}

static bool progress(void *arg, const struct tt_remote_progress *p)
{
    struct tt_remote_watch *watch = arg;
    if (p->ended) {
        tt_progress_line_clear(&watch->line);
        if (watch->reads_keys) {
            tt_key_mode_end();
            watch->reads_keys = false;
        }
        return true;
    }
    if (!p->connected || !isatty(STDERR_FILENO)) {
        return true;
    }
    if (!watch->reads_keys) {
        watch->reads_keys = begin_keys();
    }
    if (p->elapsed_ms >= QUIET_MS) {
        show_line(watch, p);
    }
    return !watch->reads_keys || !tt_key_mode_escaped(STDIN_FILENO);
}

static void message(void *arg, const char *host, const char *line)
{
    struct tt_remote_watch *watch = arg;
    tt_progress_line_clear(&watch->line);
    struct tt_status status = tt_error(TT_ERR_IO, "%s", line);
    tt_message_error(host, &status);
}

void tt_remote_watch_init(struct tt_remote_watch *watch, const char *shell)
{
    *watch = (struct tt_remote_watch){0};
    watch->options = (struct tt_remote_options){
        .shell = shell, .message = message, .progress = progress, .arg = watch};
}
