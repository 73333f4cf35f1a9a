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

static void put(const char *bytes, size_t length)
{
    ssize_t written = write(STDERR_FILENO, bytes, length);
    (void)written; /* progress only */
}

static void clear_line(struct tt_remote_watch *watch)
{
    if (watch->shown) {
        static const char erase[] = "\r\033[K";
        put(erase, sizeof erase - 1);
        watch->shown = false;
    }
}

static void append_megabytes(struct tt_text *text, uint64_t bytes)
{
    uint64_t tenths = bytes / 100000;
    tt_text_u64(text, tenths / 10);
    tt_text_char(text, '.');
    tt_text_u64(text, tenths % 10);
    tt_text_str(text, " MB");
}

static void show_line(struct tt_remote_watch *watch, const struct tt_remote_progress *p)
{
    char buffer[640];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "\r\033[K");
    tt_text_escaped(&text, p->host, strnlen(p->host, 40));
    tt_text_str(&text, ": ");
    append_megabytes(&text, p->bytes);
    if (p->total >= p->bytes) {
        tt_text_str(&text, " of ");
        append_megabytes(&text, p->total);
    }
    tt_text_str(&text, ", ");
    append_megabytes(&text, p->elapsed_ms ? p->bytes * 1000 / p->elapsed_ms : 0);
    tt_text_str(&text, watch->reads_keys ? "/s (Esc cancels)" : "/s");
    put(text.buffer, text.used);
    watch->shown = true;
}

static bool progress(void *arg, const struct tt_remote_progress *p)
{
    struct tt_remote_watch *watch = arg;
    if (p->ended) {
        clear_line(watch);
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
    clear_line(arg);
    struct tt_status status = tt_error(TT_ERR_IO, "%s", line);
    tt_message_error(host, &status);
}

void tt_remote_watch_init(struct tt_remote_watch *watch, const char *shell)
{
    *watch = (struct tt_remote_watch){0};
    watch->options = (struct tt_remote_options){shell, message, progress, watch, false};
}
