/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/lanes/own.h"

#include <string.h>

#include "tui/lanes/counters.h"

#define COLORS     8u    /* from TT_ROLE_CPU_1 on, for the states of a lane */
#define LOOKS      4096u /* spans of a cell that are read; of more, every second, third, ... */
#define VALUE_MOST 12

/* A cell: the span that has most of its time, and whether it contains several. */
struct own_cell {
    size_t span; /* SIZE_MAX: none */
    bool many;
    double most;
};

/* Returns the next row from `row` on if each lane has at most `keys` lines; the number of rows: none. */
static size_t next_shown(const struct tt_own_lanes *own, size_t row, unsigned keys)
{
    while (row < own->count && row >= keys &&
           own->rows[row - keys].like.lane == own->rows[row].like.lane) {
        row++;
    }
    return row;
}

/* Returns the number of lines if each lane has at most `keys` of them. */
static int lines_with(const struct tt_own_lanes *own, unsigned keys)
{
    int lines = 0;
    for (size_t row = next_shown(own, 0, keys); row < own->count;
         row = next_shown(own, row + 1, keys)) {
        lines++;
    }
    return lines;
}

void tt_lanes_place_own(const struct tt_workspace *ws, struct tt_lanes_layout *layout)
{
    int room = layout->lanes_height / 2;
    layout->own = layout->lanes;
    layout->own_keys = TT_OWN_KEYS;
    while (layout->own_keys > 1 && lines_with(&ws->own, layout->own_keys) > room) {
        layout->own_keys--;
    }
    layout->own_lines = lines_with(&ws->own, layout->own_keys);
    layout->own_lines = layout->own_lines < room ? layout->own_lines : room;
    layout->lanes += layout->own_lines;
    layout->lanes_height -= layout->own_lines;
}

static struct own_cell own_cell_of(const struct tt_own_lane *row, uint64_t from, uint64_t to)
{
    struct own_cell cell = {SIZE_MAX, false, 0};
    size_t first = tt_own_lane_find(row, from), last = first;
    uint64_t longest = 0, ends = tt_own_lane_find(row, to - (to > from));
    last = ends < row->count && row->spans[ends].begin < to ? ends + 1 : ends;
    for (size_t i = first; i < last; i += 1 + (last - first) / LOOKS) {
        const struct tt_own_span *span = &row->spans[i];
        uint64_t begin = span->begin > from ? span->begin : from;
        uint64_t end = span->end < to ? span->end : to;
        if (cell.span == SIZE_MAX || end - begin > longest) {
            longest = end > begin ? end - begin : 0;
            cell.span = i;
        }
        cell.most = i == first || span->value > cell.most ? span->value : cell.most;
    }
    cell.many = last > first + 1;
    return cell;
}

/* Returns the role with a name; `other` if there is none. */
static unsigned role_named(const char *name, unsigned other)
{
    for (unsigned role = 0; name && role < TT_ROLE_COUNT; role++) {
        if (strcmp(tt_role_name(role), name) == 0) {
            return role;
        }
    }
    return other;
}

static unsigned own_role_of(const struct tt_lane_definition *lane, const struct tt_own_span *span)
{
    unsigned state = span->state != TT_LANE_NO_STATE ? span->state : 0;
    const char *name = lane->role_count > 0
                           ? lane->roles[state < lane->role_count ? state : lane->role_count - 1]
                           : NULL;
    bool plain = span->state == TT_LANE_NO_STATE;
    return role_named(name, plain ? (unsigned)TT_ROLE_SLICE : TT_ROLE_CPU_1 + state % COLORS);
}

/* Draws a state or interval over `width` columns, with its word where there is room. */
static void draw_own_span(const struct tt_workspace *ws, const struct tt_own_lane *row,
                          struct tt_area area, int x, int y, int width, struct own_cell cell)
{
    const struct tt_own_span *span = &row->spans[cell.span];
    const struct tt_lane_definition *lane = ws->own.set->v[row->like.lane];
    struct tt_lane_span like = row->like;
    unsigned role = own_role_of(lane, span);
    like.state = span->state;
    const char *word = tt_lane_state(ws->own.walk, &like);
    enum tt_glyph glyph = cell.many && width == 1 ? TT_GLYPH_SLICE_MANY : TT_GLYPH_SLICE;
    tt_draw_fill(area, x, y, width, role, tt_term_glyph(&ws->term, glyph));
    if (word && tt_grid_columns(area.grid, word, strlen(word)) < width) {
        tt_draw_text(area, x, y, width - 1, role, word, strlen(word));
    }
}

/* Returns the times of a column; on the axis of events those of its event. */
static bool column_of(const struct tt_workspace *ws, const struct tt_lanes_view *view, int column,
                      uint64_t *from, uint64_t *to)
{
    if (!ws->nav.lane.sequence) {
        *from = view->edges[column];
        *to = view->edges[column + 1];
        return true;
    }
    *from = (uint32_t)column < view->event_count ? view->events[column].ticks : 0;
    *to = *from + 1;
    return (uint32_t)column < view->event_count;
}

static void draw_own_cells(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           const struct tt_own_lane *row, struct tt_area area, int y)
{
    const struct tt_lane_definition *lane = ws->own.set->v[row->like.lane];
    struct own_cell last = {SIZE_MAX, false, 0};
    int x = view->layout.gutter, begin = 0, columns = view->layout.columns;
    for (int i = 0; i <= columns; i++) {
        uint64_t from, to;
        struct own_cell cell = {SIZE_MAX, false, 0};
        if (i < columns && column_of(ws, view, i, &from, &to)) {
            cell = own_cell_of(row, from, to);
        }
        if (lane->kind == TT_LANE_VALUES) {
            if (cell.span != SIZE_MAX) {
                tt_lanes_draw_bar(ws, area, x + i, y, cell.most,
                                  &(struct tt_counter_range){.min = row->least, .max = row->most},
                                  cell.many);
            }
            continue;
        }
        if (cell.span != last.span || cell.many || last.many) {
            if (last.span != SIZE_MAX) {
                draw_own_span(ws, row, area, x + begin, y, i - begin, last);
            }
            begin = i;
            last = cell;
        }
    }
}

/* Draws the name and key, and the state or value at the cursor. */
static void draw_own_gutter(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                            const struct tt_own_lane *row, struct tt_area area, int y)
{
    char buffer[128], value[64];
    struct tt_text name = tt_text_of(buffer, sizeof buffer);
    struct tt_text now = tt_text_of(value, sizeof value);
    size_t at = tt_own_lane_find(row, ws->nav.viewport.at);
    tt_text_put(&name, "%s ", ws->own.set->v[row->like.lane]->name);
    tt_lane_put_key(&name, ws->own.walk, &row->like);
    if (at < row->count && row->spans[at].begin <= ws->nav.viewport.at) {
        struct tt_lane_span like = row->like;
        like.state = row->spans[at].state;
        const char *state = tt_lane_state(ws->own.walk, &like);
        if (state) {
            tt_text_escaped(&now, state, strlen(state));
        } else if (row->spans[at].value == row->spans[at].value) {
            tt_lanes_counter_text(row->spans[at].value, &now);
        }
    }
    int right = tt_grid_columns(area.grid, value, now.used);
    right = right < VALUE_MOST ? right : VALUE_MOST;
    tt_draw_text(area, 1, y, view->layout.gutter - 3 - right, TT_ROLE_TITLE, buffer, name.used);
    tt_draw_text(area, view->layout.gutter - 1 - right, y, right, TT_ROLE_TEXT, value, now.used);
}

void tt_lanes_draw_own(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                       struct tt_area area)
{
    size_t number = 0;
    for (int line = 0; line < view->layout.own_lines; line++, number++) {
        number = next_shown(&ws->own, number, view->layout.own_keys);
        if (number >= ws->own.count) {
            return; /* the rows have changed since the layout */
        }
        const struct tt_own_lane *row = &ws->own.rows[number];
        const int y = view->layout.own + line;
        draw_own_gutter(ws, view, row, area, y);
        draw_own_cells(ws, view, row, area, y);
        tt_lanes_draw_over(ws, view, area, y);
    }
}
