/* SPDX-License-Identifier: Apache-2.0 */
/* summary/range: the time range that the numbers cover. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tui/lanes/lanes.h"
#include "tui/model/workspace.h"
#include "tui/views/summary/table.h"

static const char *const names[TT_SCOPE_COUNT] = {
#define X(id, name) name,
    TT_SCOPE_INFO(X)
#undef X
};

static bool between_marks(const struct tt_workspace *ws, struct tt_key_range *keys)
{
    int first, second;
    if (!tt_bookmarks_two(&ws->nav, &first, &second)) {
        return false;
    }
    keys->from_ticks = ws->nav.marks[first].ticks;
    keys->from_pos = ws->nav.marks[first].pos;
    keys->to_ticks = ws->nav.marks[second].ticks;
    keys->to_pos = ws->nav.marks[second].pos;
    return true;
}

bool tt_summary_range_of(const struct tt_workspace *ws, enum tt_scope scope,
                         struct tt_summary_range *range)
{
    const struct tt_viewport *w = &ws->nav.viewport;
    uint64_t from, to;
    range->scope = scope;
    range->keys = (struct tt_key_range){.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    if (scope == TT_SCOPE_SELECTION) {
        if (!tt_viewport_selection(w, &from, &to)) {
            return between_marks(ws, &range->keys);
        }
        range->keys = (struct tt_key_range){.from_ticks = from, .to_ticks = to};
    } else if (scope == TT_SCOPE_VIEW && !w->all && w->to > w->from) {
        range->keys = (struct tt_key_range){.from_ticks = w->from, .to_ticks = w->to};
    }
    return true;
}

void tt_summary_range_ends(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           uint64_t *from, uint64_t *to)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    *from = range->keys.from_ticks > bounds.begin ? range->keys.from_ticks : bounds.begin;
    *to = range->keys.to_ticks < bounds.end ? range->keys.to_ticks : bounds.end - 1;
}

void tt_summary_moment(const struct tt_workspace *ws, uint64_t ticks, size_t decimals,
                       struct tt_text *text)
{
    const struct tt_capture *c = ws->opened.capture;
    char buffer[64];
    struct tt_text whole = tt_text_of(buffer, sizeof buffer);
    tt_line_time(&whole, c, tt_relative_ticks(c, ticks, ws->index.progress.first_ticks));
    const char *point = memchr(buffer, '.', whole.used);
    size_t length = whole.used;
    if (point && (size_t)(point - buffer) + 1 + decimals < length) {
        length = (size_t)(point - buffer) + 1 + decimals;
    }
    tt_text_bytes(text, buffer, length);
}

void tt_summary_range_text(const struct tt_workspace *ws, const struct tt_summary_range *range,
                           struct tt_text *text)
{
    uint64_t from, to, hz = ws->opened.capture->clock_hz;
    tt_summary_range_ends(ws, range, &from, &to);
    size_t decimals = 4; /* more, until the range is at least ten units of the last one */
    for (uint64_t part = hz / 1000; decimals < 9 && part > 0 && to - from < part; part /= 10) {
        decimals++;
    }
    tt_text_str(text, names[range->scope]);
    tt_text_char(text, ' ');
    tt_summary_moment(ws, from, decimals, text);
    tt_text_str(text, "..");
    tt_summary_moment(ws, to, decimals, text);
    tt_text_str(text, hz ? " s" : " ticks");
}
