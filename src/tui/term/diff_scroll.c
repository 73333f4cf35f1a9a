/* SPDX-License-Identifier: Apache-2.0 */
/* diff_scroll: scrolls rows that the terminal already shows at another position. */
#include <string.h>

#include "tui/term/diff_internal.h"

/* Estimated bytes of a scroll, of a style change, of a cursor movement within a row, of REP. */
#define MOVE_BYTES   18
#define PEN_BYTES    5
#define STEP_BYTES   4
#define REPEAT_BYTES 5
/* Cells per frame to examine for other drawing orders: half a millisecond, a few rows of lanes. */
#define TRIES 40000

static uint64_t hash_row(const struct tt_diff_cell *cells, int width)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < width; i++) {
        uint64_t fg = (uint16_t)cells[i].style.fg, bg = (uint16_t)cells[i].style.bg;
        uint64_t style = fg << 24 | bg << 8 | cells[i].style.attrs;
        hash = (hash ^ cells[i].ch ^ (uint64_t)cells[i].mark << 32) * UINT64_C(1099511628211);
        hash = (hash ^ style) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

/* Estimates the bytes of drawing a row over another row, or over a blank one. */
static int row_bytes(const struct tt_diff *diff, int wanted, const struct tt_diff_cell *shown)
{
    const struct tt_diff_cell blank = {' ', 0, tt_cell_style_plain()};
    const struct tt_diff_cell *cells = tt_diff_at(diff->wanted, diff, 0, wanted);
    struct tt_cell_style current = tt_cell_style_plain();
    int bytes = 0, again = 0; /* again: bytes of the cells that REP may draw */
    int gap = STEP_BYTES;     /* of moving there: few unchanged cells are written again instead */
    for (int x = 0; x < diff->width; x++) {
        bool suits = tt_cell_style_equal(current, cells[x].style) || tt_diff_cell_blank(&cells[x]);
        int length = tt_diff_bytes_of(cells[x].ch);
        if (tt_diff_cell_equal(&cells[x], shown ? &shown[x] : &blank)) {
            gap += suits ? length : STEP_BYTES;
            gap = gap < STEP_BYTES ? gap : STEP_BYTES;
            continue;
        }
        bool same = gap == 0 && tt_diff_cell_equal(&cells[x], &cells[x - 1]) &&
                    tt_diff_repeats(diff, &cells[x]);
        again = same ? again + length : 0;
        bytes += same && again > REPEAT_BYTES ? 0 : length + gap;
        bytes += suits ? 0 : PEN_BYTES;
        current = suits ? current : cells[x].style;
        gap = 0;
    }
    return bytes;
}

/* Rows [first, last] of the next frame, shown `by` rows below on the terminal. */
struct shift {
    int first, last, by;
    int gain; /* bytes */
};

/*
 * Counts the bytes saved by scrolling row y from `by` rows below, and by finding it blank
 * (negative), as scrolling leaves the rows it vacates.
 */
static void count_gains(struct tt_diff *diff, int by)
{
    for (int y = 0; y < diff->height; y++) {
        bool there = y + by >= 0 && y + by < diff->height;
        int stay = row_bytes(diff, y, tt_diff_at(diff->shown, diff, 0, y));
        int come = there ? row_bytes(diff, y, tt_diff_at(diff->shown, diff, 0, y + by)) : 0;
        diff->gains[y].moved = there ? stay - come : -TT_DIFF_NEVER;
        diff->gains[y].blank = stay - row_bytes(diff, y, NULL);
    }
}

/* Returns the range of rows that saves the most bytes; scans in the direction of `by`. */
static struct shift best_rows(const struct tt_diff *diff, int by)
{
    int count = by < 0 ? -by : by, height = diff->height;
    struct shift best = {.by = by}, now = {.by = by};
    for (int i = 0; i < height; i++) {
        int y = by > 0 ? i : height - 1 - i;
        if (now.gain <= 0) {
            now.gain = 0;
            now.first = now.last = y;
        }
        now.gain += diff->gains[y].moved;
        *(by > 0 ? &now.last : &now.first) = y;
        struct shift whole = now;
        for (int left = 1; left <= count && now.gain > best.gain; left++) {
            int row = by > 0 ? y + left : y - left;
            whole.gain += row >= 0 && row < height ? diff->gains[row].blank : -TT_DIFF_NEVER;
        }
        best = whole.gain > best.gain ? whole : best;
    }
    return best;
}

/* Returns the distance that most changed rows have moved; 0: none. */
static int common_distance(const struct tt_diff *diff)
{
    const uint64_t *wanted = diff->hashes, *shown = diff->hashes + diff->height;
    int best = 0, most = 0;
    for (int i = 2; i < 2 * diff->height; i++) {
        int by = i % 2 ? -(i / 2) : i / 2, count = 0;
        int from = by < 0 ? -by : 0, to = by > 0 ? diff->height - by : diff->height;
        for (int y = from; y < to; y++) {
            count += wanted[y] == shown[y + by] && wanted[y] != shown[y];
        }
        if (count > most) {
            most = count;
            best = by;
        }
    }
    return best;
}

static void set_margins(struct tt_diff *diff, int top, int bottom)
{
    tt_text_str(&diff->out, "\033[");
    tt_text_u64(&diff->out, (uint64_t)top + 1);
    tt_text_char(&diff->out, ';');
    tt_text_u64(&diff->out, (uint64_t)bottom + 1);
    tt_text_char(&diff->out, 'r');
}

static void move_rows(struct tt_diff *diff, const struct shift *shift)
{
    int by = shift->by, count = by < 0 ? -by : by;
    int top = by < 0 ? shift->first + by : shift->first;
    int bottom = by > 0 ? shift->last + by : shift->last;
    size_t width = (size_t)diff->width;
    tt_diff_use_style(diff, tt_cell_style_plain()); /* style of the blank lines scrolled in */
    set_margins(diff, top, bottom);
    if (diff->can & TT_DIFF_CAN_SHIFT) {
        tt_diff_control(diff, count, by > 0 ? 'S' : 'T');
    } else {
        tt_diff_go_straight(diff, 0, by > 0 ? bottom : top);
        for (int i = 0; i < count; i++) {
            tt_text_str(&diff->out, by > 0 ? "\n" : "\033M");
        }
    }
    tt_text_str(&diff->out, "\033[r");
    diff->x = diff->y = -1; /* setting margins moves the cursor */
    memmove(tt_diff_at(diff->shown, diff, 0, shift->first),
            tt_diff_at(diff->shown, diff, 0, shift->first + by),
            (size_t)(shift->last - shift->first + 1) * width * sizeof *diff->shown);
    tt_diff_blank(tt_diff_at(diff->shown, diff, 0, by > 0 ? bottom - count + 1 : top),
                  (size_t)count * width);
}

void tt_diff_scroll(struct tt_diff *diff)
{
    int changed = 0;
    diff->plan_budget = TRIES;
    for (int y = 0; y < diff->height; y++) {
        diff->hashes[y] = hash_row(tt_diff_at(diff->wanted, diff, 0, y), diff->width);
        diff->hashes[diff->height + y] = hash_row(tt_diff_at(diff->shown, diff, 0, y), diff->width);
        changed += diff->hashes[y] != diff->hashes[diff->height + y];
    }
    int by = diff->can & TT_DIFF_CAN_SCROLL && changed > 1 ? common_distance(diff) : 0;
    if (by != 0) {
        count_gains(diff, by);
        struct shift best = best_rows(diff, by);
        if (best.gain > MOVE_BYTES) {
            move_rows(diff, &best);
        }
    }
}
