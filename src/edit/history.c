/* SPDX-License-Identifier: Apache-2.0 */
/* history: stores the lines of one kind of prompt. */
#include "edit/history.h"

#include <stdlib.h>
#include <string.h>

static void remove_line(struct tt_history *history, unsigned at)
{
    free(history->lines[at]);
    history->typed -= at + history->typed >= history->count;
    history->count--;
    memmove(&history->lines[at], &history->lines[at + 1],
            (history->count - at) * sizeof *history->lines);
}

bool tt_history_add(struct tt_history *history, const char *line)
{
    size_t length = strlen(line);
    if (length == 0) {
        return true;
    }
    char *copy = malloc(length + 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, line, length + 1);
    for (unsigned i = 0; i < history->count; i++) {
        if (strcmp(history->lines[i], copy) == 0) {
            remove_line(history, i);
            break;
        }
    }
    if (history->count == TT_HISTORY_LINES) {
        remove_line(history, 0);
    }
    history->lines[history->count++] = copy;
    return true;
}

bool tt_history_type(struct tt_history *history, const char *line)
{
    bool added = tt_history_add(history, line);
    history->typed += added && line[0] && history->typed < history->count;
    return added;
}

unsigned tt_history_find(const struct tt_history *history, unsigned at, const char *part)
{
    for (unsigned i = at; i > 0; i--) {
        if (strstr(history->lines[i - 1], part)) {
            return i - 1;
        }
    }
    return at;
}

void tt_history_free(struct tt_history *history)
{
    while (history->count > 0) {
        remove_line(history, history->count - 1);
    }
}
