/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/list/list.h"

#include "tracetui/text.h"
#include "tui/input/list_motion.h"

#define HEAD_BYTES 64

/* Returns `at` + `by`, within [0, last]. */
static size_t moved(size_t at, int64_t by, size_t last)
{
    int64_t to = (int64_t)at + by;
    return to <= 0 ? 0 : (uint64_t)to < last ? (size_t)to : last;
}

static size_t list_list_last_of(size_t count, size_t lines)
{
    return count > lines ? count - lines : 0;
}

static size_t shown_of(const struct tt_list *list)
{
    return list->lines > 1 ? (size_t)list->lines : 1;
}

bool tt_list_layout(struct tt_list *list, size_t count, int y, int lines)
{
    list->count = count;
    list->y = y;
    list->lines = lines > 0 ? lines : 0;
    const size_t shown = shown_of(list), was = list->at;
    bool moves = false;
    if (list->returns) {
        list->at = list->return_at;
        list->top = list->return_top;
        list->returns = list->at >= count || list->top > list_list_last_of(count, shown);
    }
    if (count > 0 && list->pending != 0) {
        list->at = moved(list->at, list->pending, count - 1);
        list->pending = 0;
        moves = true;
    }
    list->end = list->at == list->end_at ? list->end : 0;
    if (list->end != 0) {
        list->at = list->end_at = list->end > 0 ? list_list_last_of(count, 1) : 0;
        moves |= list->at != was;
    }
    list->at = list->at < count ? list->at : list_list_last_of(count, 1);
    if (list->at < list->top) {
        list->top = list->at;
    } else if (list->at >= list->top + shown) {
        list->top = list->at - shown + 1;
    }
    list->top =
        list->top < list_list_last_of(count, shown) ? list->top : list_list_last_of(count, shown);
    return moves;
}

void tt_list_return(struct tt_list *list, uint64_t at, uint64_t top)
{
    tt_list_go(list, at);
    list->at = list->return_at = (size_t)at;
    list->top = list->return_top = (size_t)top;
    list->returns = true;
}

void tt_list_go(struct tt_list *list, uint64_t at)
{
    list->at = at < list->count ? (size_t)at : list_list_last_of(list->count, 1);
    list->returns = false;
    list->pending = 0;
    list->end = 0;
}

bool tt_list_move(struct tt_list *list, enum tt_do action)
{
    const struct tt_move move = tt_list_motion_of(action, list->lines);
    if (move.kind == TT_MOVE_NONE) {
        return false;
    }
    if (list->count == 0 && move.kind != TT_MOVE_END) {
        list->pending += move.by;
        return true;
    }
    tt_list_go(list, moved(list->at, move.by, list_list_last_of(list->count, 1)));
    if (move.kind == TT_MOVE_PAGE) {
        list->top = moved(list->top, move.by, list_list_last_of(list->count, shown_of(list)));
    } else if (move.kind == TT_MOVE_END) {
        list->end = move.by > 0 ? 1 : -1;
        list->end_at = list->at;
    }
    return true;
}

bool tt_list_scroll(struct tt_list *list, enum tt_do action)
{
    const struct tt_move move = tt_list_motion_of(action, list->lines);
    list->top = list->at =
        moved(list->top, move.by, list_list_last_of(list->count, shown_of(list)));
    return move.kind != TT_MOVE_NONE;
}

size_t tt_list_row(const struct tt_list *list, int line)
{
    size_t row = list->top + (size_t)(line > 0 ? line : 0);
    return line >= 0 && line < list->lines && row < list->count ? row : SIZE_MAX;
}

bool tt_list_click(struct tt_list *list, int y)
{
    size_t row = tt_list_row(list, y - list->y);
    if (row != SIZE_MAX) {
        tt_list_go(list, row);
    }
    return row != SIZE_MAX;
}

void tt_list_draw_cursor(const struct tt_list *list, const struct tt_terminal *term,
                         struct tt_area area)
{
    if (list->at >= list->top && list->at - list->top < (size_t)list->lines &&
        list->at < list->count) {
        int y = list->y + (int)(list->at - list->top);
        tt_draw_fill(area, 0, y, 1, TT_ROLE_CURSOR_MARK, tt_term_glyph(term, TT_GLYPH_CURSOR));
        tt_draw_over(area, 1, y, area.width - 1, TT_ROLE_CURSOR);
    }
}

void tt_list_draw_head(const struct tt_terminal *term, struct tt_area line,
                       const struct tt_list_head *head, const char *text)
{
    char buffer[HEAD_BYTES], arrow[4];
    struct tt_text t = tt_text_of(buffer, sizeof buffer);
    uint32_t glyph = tt_term_glyph(term, head->down ? TT_GLYPH_DOWN : TT_GLYPH_UP);
    size_t size = head->sorted ? tt_utf8_encode(glyph, arrow) : 0;
    if (head->right) {
        tt_text_bytes(&t, arrow, size);
        tt_text_str(&t, text);
        tt_draw_right(line, head->x, 0, head->width, TT_ROLE_COLUMNS, tt_text_cstr(&t));
    } else {
        tt_text_str(&t, text);
        tt_text_bytes(&t, arrow, size);
        tt_draw(line, head->x, 0, head->width, TT_ROLE_COLUMNS, tt_text_cstr(&t));
    }
    if (head->chosen) {
        tt_draw_over(line, head->x, 0, head->width, TT_ROLE_FIELD);
    }
}
