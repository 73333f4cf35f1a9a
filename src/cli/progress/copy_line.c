/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress/copy_line.h"

#include <string.h>
#include <unistd.h>

#define QUIET_MS  500u /* a shorter copy shows no progress */
#define NAME_MOST 200u

static void append_name(struct tt_text *text, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0) {
        tt_text_str(text, "standard input");
    } else {
        tt_text_escaped(text, name, strnlen(name, NAME_MOST));
    }
}

static void show(void *arg, const struct tt_copy_progress *p)
{
    struct tt_copy_line *line = arg;
    char buffer[600];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (p->ended) {
        tt_progress_line_clear(&line->line);
        return;
    }
    if (p->elapsed_ms < QUIET_MS || !isatty(STDERR_FILENO)) {
        return;
    }
    append_name(&text, p->path);
    tt_text_str(&text, ": ");
    if (p->total > 0) {
        tt_text_u64(&text, (uint64_t)(100.0 * (double)p->read / (double)p->total));
        tt_text_str(&text, " %, ");
        tt_progress_line_megabytes(&text, p->bytes);
        tt_text_str(&text, " unpacked");
    } else {
        tt_progress_line_megabytes(&text, p->bytes);
        tt_text_str(&text, ", ");
        tt_progress_line_megabytes(&text, p->bytes * 1000 / p->elapsed_ms);
        tt_text_str(&text, "/s");
    }
    tt_text_str(&text, " (Ctrl-C cancels)");
    tt_progress_line_show(&line->line, &text);
}

void tt_copy_line_init(struct tt_copy_line *line)
{
    *line = (struct tt_copy_line){.watch = {show, line}};
}
