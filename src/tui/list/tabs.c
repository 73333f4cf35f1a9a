/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/list/tabs.h"

#include <string.h>

#include "tui/draw/theme.h"

#define MORE_WIDTH 2 /* of ".." */

static int tabs_width_of(const struct tt_tabs *tabs, int tab)
{
    return tabs->titles[tab] ? (int)strlen(tabs->titles[tab]) + 2 : 0;
}

int tt_tabs_width(const struct tt_tabs *tabs)
{
    int width = 1;
    for (int i = 0; i < tabs->count; i++) {
        width += tabs_width_of(tabs, i);
    }
    return width;
}

/* Returns the first table to show so that the current one fits. */
static int tabs_first_of(const struct tt_tabs *tabs)
{
    int width = tt_tabs_width(tabs), first;
    if (width <= tabs->room) {
        return 0;
    }
    width = 1 + 2 * MORE_WIDTH;
    for (first = tabs->current; first >= 0 && width + tabs_width_of(tabs, first) <= tabs->room;
         first--) {
        width += tabs_width_of(tabs, first);
    }
    return first < tabs->current ? first + 1 : tabs->current;
}

/* Walks over the names; returns the table at `at` or -1, or, with a line, draws them: the column after. */
static int tabs_walk(const struct tt_tabs *tabs, const struct tt_area *line, int at)
{
    int first = tabs_first_of(tabs), x = first > 0 ? 1 + MORE_WIDTH : 1, i = first;
    int last = tabs->count - 1; /* that the capture has */
    while (last > 0 && !tabs->titles[last]) {
        last--;
    }
    if (line && first > 0) {
        tt_draw(*line, 1, 0, line->width - 1, TT_ROLE_DIM, "..");
    }
    for (; i < tabs->count; i++) {
        const bool on = i == tabs->current;
        const int width = tabs_width_of(tabs, i), more = i < last ? MORE_WIDTH : 0;
        if (width > 0 && i > tabs->current && x + width + more > tabs->room) {
            break;
        }
        if (width > 0 && !line && at >= x && at < x + width) {
            return i;
        }
        if (width > 0 && line) {
            const unsigned role = on ? TT_ROLE_TITLE : TT_ROLE_TEXT;
            const int end = x + width - 1;
            tt_draw(*line, x, 0, 1, role, on ? "[" : " ");
            tt_draw(*line, x + 1, 0, line->width - x - 1, role, tabs->titles[i]);
            tt_draw(*line, end, 0, line->width - end, role, on ? "]" : " ");
        }
        x += width;
    }
    if (line && i < tabs->count) {
        tt_draw(*line, x, 0, line->width - x, TT_ROLE_DIM, "..");
    }
    return !line ? -1 : i < tabs->count ? x + MORE_WIDTH : x;
}

int tt_tabs_draw(const struct tt_tabs *tabs, struct tt_area line)
{
    return tabs_walk(tabs, &line, -1);
}

int tt_tabs_at(const struct tt_tabs *tabs, int x)
{
    return tabs_walk(tabs, NULL, x);
}
