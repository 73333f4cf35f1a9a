/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress/progress_line.h"

#include <unistd.h>

#define ERASE "\r\033[K"

static void progress_line_put(const char *bytes, size_t length)
{
    ssize_t written = write(STDERR_FILENO, bytes, length);
    (void)written; /* progress only */
}

void tt_progress_line_show(struct tt_progress_line *line, const struct tt_text *text)
{
    char buffer[640];
    struct tt_text whole = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&whole, ERASE);
    tt_text_bytes(&whole, text->buffer, text->used);
    progress_line_put(whole.buffer, whole.used);
    line->shown = true;
}

void tt_progress_line_clear(struct tt_progress_line *line)
{
    if (line->shown) {
        progress_line_put(ERASE, sizeof ERASE - 1);
        line->shown = false;
    }
}

void tt_progress_line_megabytes(struct tt_text *text, uint64_t bytes)
{
    uint64_t tenths = bytes / 100000;
    tt_text_u64(text, tenths / 10);
    tt_text_char(text, '.');
    tt_text_u64(text, tenths % 10);
    tt_text_str(text, " MB");
}
