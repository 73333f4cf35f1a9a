/* SPDX-License-Identifier: Apache-2.0 */
/* diff_row: draws the changes of a row as cursor movements, styles and characters. */
#include <string.h>

#include "tui/term/diff_internal.h"

#define ERASE_BYTES 9 /* ECH, and the cursor movement after it */
#define CLEAR_BYTES 3 /* EL */
#define AGAIN_MOST  8 /* columns that may be rewritten instead of moving the cursor */
#define LEAST_PARTS 5 /* style changes in a row from which other drawing orders are tried */
#define NO_PASS     UINT8_MAX

/* ---- drawing order ------------------------------------------------------------------------ */

/*
 * Where styles alternate, drawing one of them in a later pass may be shorter than switching styles
 * each time. Cells left for a later pass may meanwhile be overwritten with anything:
 *
 *      wanted   g y g g y g      the class of each cell is the index of its style in the row
 *      pass 0   g _ g g _ g
 *      pass 1     y     y
 */
static bool is_due(const struct tt_diff *diff, int x)
{
    return diff->classes[x] != 0 && diff->passes[diff->classes[x]] == diff->pass;
}

static bool comes_later(const struct tt_diff *diff, int x)
{
    return diff->classes[x] != 0 && diff->passes[diff->classes[x]] > diff->pass;
}

/* Returns the class of a style; the last class holds all styles beyond the limit. */
static uint8_t diff_row_class_of(struct tt_cell_style *styles, int *count,
                                 struct tt_cell_style style)
{
    for (int i = 0; i < *count; i++) {
        if (tt_cell_style_equal(styles[i], style)) {
            return (uint8_t)(i + 1);
        }
    }
    if (*count < TT_DIFF_CLASSES - 2) {
        styles[(*count)++] = style;
        return (uint8_t)*count;
    }
    return TT_DIFF_CLASSES - 1;
}

/* Classifies the cells, all in pass 0; `parts` counts the runs of each class. */
static int classify_cells(struct tt_diff *diff, int y, int end, int parts[TT_DIFF_CLASSES])
{
    const struct tt_diff_cell *wanted = tt_diff_at(diff->wanted, diff, 0, y);
    const struct tt_diff_cell *shown = tt_diff_at(diff->shown, diff, 0, y);
    struct tt_cell_style styles[TT_DIFF_CLASSES];
    int count = 0, total = 0;
    uint8_t last = 0;
    memset(parts, 0, TT_DIFF_CLASSES * sizeof *parts);
    memset(diff->passes, 0, sizeof diff->passes);
    for (int x = 0; x < end; x++) {
        const struct tt_diff_cell *cell = &wanted[x];
        if (tt_diff_cell_equal(cell, &shown[x])) {
            diff->classes[x] = 0;
            continue;
        }
        bool suits = last > 0 && last <= count && tt_diff_cell_blank(cell) &&
                     styles[last - 1].bg == cell->style.bg &&
                     !tt_cell_style_shows_on_blanks(styles[last - 1]);
        uint8_t sort = suits ? last : diff_row_class_of(styles, &count, cell->style);
        parts[sort] += sort != last;
        total += sort != last;
        last = diff->classes[x] = sort;
    }
    return total;
}

/* ---- characters --------------------------------------------------------------------------- */

/* Writes the cell at (x, y), where the cursor is. */
static void write_cell(struct tt_diff *diff, int x, int y)
{
    const struct tt_diff_cell *cell = tt_diff_at(diff->wanted, diff, x, y);
    bool wide = x + 1 < diff->width && cell[1].ch == 0;
    char utf8[4];
    if (!tt_diff_style_matches(diff, cell)) {
        tt_diff_use_style(diff, cell->style);
    }
    tt_text_bytes(&diff->out, utf8, tt_utf8_encode(cell->ch, utf8));
    if (cell->mark) {
        tt_text_bytes(&diff->out, utf8, tt_utf8_encode(cell->mark, utf8));
    }
    diff->x_known &= tt_diff_narrow(diff, cell);
    diff->x = x + (wide ? 2 : 1);
    if (diff->x >= diff->width) {
        diff->x = -1; /* pending wrap: the terminal may delay moving to the next line */
    }
}

/* ---- moves -------------------------------------------------------------------------------- */

static int diff_row_digits_of(int number)
{
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4;
}

void tt_diff_control(struct tt_diff *diff, int number, char final)
{
    tt_text_str(&diff->out, "\033[");
    if (number > 1) {
        tt_text_u64(&diff->out, (uint64_t)number);
    }
    tt_text_char(&diff->out, final);
}

int tt_diff_control_bytes(int number)
{
    return 3 + (number > 1 ? diff_row_digits_of(number) : 0);
}

/*
 * Returns the bytes for rewriting the unchanged cells [from, to) in the current style. Cells left
 * for a later pass are written as blanks.
 */
static int repeat_bytes(const struct tt_diff *diff, int from, int to, int y)
{
    int bytes = 0;
    if (to - from > AGAIN_MOST) {
        return TT_DIFF_NEVER;
    }
    for (int x = from; x < to; x++) {
        const struct tt_diff_cell *cell = tt_diff_at(diff->wanted, diff, x, y);
        bool whole = cell->ch != 0 && cell->mark == 0 && (x + 1 >= diff->width || cell[1].ch != 0);
        if (comes_later(diff, x)) {
            bytes++;
        } else if (whole && tt_diff_style_matches(diff, cell)) {
            bytes += tt_diff_bytes_of(cell->ch);
        } else {
            return TT_DIFF_NEVER;
        }
    }
    return bytes;
}

/* Returns the bytes for moving right: by rewriting cells, relative or absolute movement. */
static int forward_bytes(const struct tt_diff *diff, int from, int to, int y, bool x_known)
{
    int again = repeat_bytes(diff, from, to, y);
    int step = tt_diff_control_bytes(x_known ? to - from : to + 1);
    return to == from ? 0 : again < step ? again : step;
}

static void write_again(struct tt_diff *diff, int to)
{
    for (int x = diff->x; x < to; x++) {
        if (comes_later(diff, x)) {
            tt_text_char(&diff->out, ' ');
        } else {
            write_cell(diff, x, diff->y);
        }
    }
    diff->x = to;
}

static void go_forward(struct tt_diff *diff, int to)
{
    int from = diff->x;
    if (to == from) {
        return;
    }
    if (repeat_bytes(diff, from, to, diff->y) ==
        forward_bytes(diff, from, to, diff->y, diff->x_known)) {
        write_again(diff, to);
    } else if (diff->x_known) {
        tt_diff_control(diff, to - from, 'C');
    } else {
        tt_diff_control(diff, to + 1, 'G');
        diff->x_known = true;
    }
    diff->x = to;
}

void tt_diff_go_straight(struct tt_diff *diff, int x, int y)
{
    tt_text_str(&diff->out, "\033[");
    if (y > 0 || x > 0) {
        tt_text_u64(&diff->out, (uint64_t)y + 1);
    }
    if (x > 0) {
        tt_text_char(&diff->out, ';');
        tt_text_u64(&diff->out, (uint64_t)x + 1);
    }
    tt_text_char(&diff->out, 'H');
    diff->x = x;
    diff->y = y;
    diff->x_known = true;
}

static int straight_bytes(int x, int y)
{
    return 3 + (x > 0 || y > 0 ? diff_row_digits_of(y + 1) : 0) +
           (x > 0 ? 1 + diff_row_digits_of(x + 1) : 0);
}

/* Returns the bytes for moving to column 0 of row y: CR and LF, or ESC M upwards. */
static int lines_bytes(const struct tt_diff *diff, int y)
{
    int down = diff->y < 0 ? TT_DIFF_NEVER : y - diff->y;
    if (down >= 0) {
        return 1 + down;
    }
    return diff->can & TT_DIFF_CAN_SCROLL ? 1 - 2 * down : TT_DIFF_NEVER;
}

/* Sends CR before any LF, so it does not matter whether LF implies CR. */
static void go_lines(struct tt_diff *diff, int y)
{
    tt_text_char(&diff->out, '\r');
    for (; diff->y < y; diff->y++) {
        tt_text_char(&diff->out, '\n');
    }
    for (; diff->y > y; diff->y--) {
        tt_text_str(&diff->out, "\033M");
    }
    diff->x = 0;
    diff->x_known = true;
}

void tt_diff_go(struct tt_diff *diff, int x, int y)
{
    int lines = lines_bytes(diff, y) + forward_bytes(diff, 0, x, y, true);
    int ahead = diff->y == y && diff->x >= 0 && x >= diff->x
                    ? forward_bytes(diff, diff->x, x, y, diff->x_known)
                    : TT_DIFF_NEVER;
    int along = diff->y == y ? tt_diff_control_bytes(x + 1) : TT_DIFF_NEVER;
    int straight = straight_bytes(x, y);
    if (ahead <= lines && ahead <= straight && ahead <= along) {
        go_forward(diff, x);
    } else if (lines <= straight && lines <= along) {
        go_lines(diff, y);
        go_forward(diff, x);
    } else if (along <= straight) {
        tt_diff_control(diff, x + 1, 'G');
        diff->x = x;
        diff->x_known = true;
    } else {
        tt_diff_go_straight(diff, x, y);
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns whether erasing produces this cell. */
static bool can_blank(const struct tt_diff *diff, const struct tt_diff_cell *cell)
{
    return tt_diff_cell_blank(cell) &&
           (cell->style.bg == TT_COLOR_DEFAULT || diff->can & TT_DIFF_CAN_FILL);
}

/* Switches to the cell's background for erasing. */
static void use_background(struct tt_diff *diff, const struct tt_diff_cell *cell)
{
    if (!tt_diff_style_matches(diff, cell)) {
        tt_diff_use_style(diff, cell->style);
    }
}

/*
 * Returns the length of the run of equal cells from x, up to the last changed one before `end`. Cells
 * left for a later pass are part of a run: REP draws over them in no more bytes.
 */
static int diff_row_run_of(const struct tt_diff *diff, int x, int y, int end)
{
    const struct tt_diff_cell *wanted = tt_diff_at(diff->wanted, diff, x, y);
    const struct tt_diff_cell *shown = tt_diff_at(diff->shown, diff, x, y);
    int changed = 0;
    for (int i = 0; x + i < end; i++) {
        if (comes_later(diff, x + i)) {
            continue;
        }
        if (!tt_diff_cell_equal(&wanted[i], wanted)) {
            break;
        }
        if (!tt_diff_cell_equal(&shown[i], &wanted[i])) {
            changed = i + 1;
        }
    }
    return changed;
}

/*
 * Returns how many cells of a run after its first one REP draws in fewer bytes; 0: none. The last
 * cell of a row is not among them: terminals differ in what REP does after a pending wrap.
 */
static int repeated(const struct tt_diff *diff, const struct tt_diff_cell *cell, int x, int run)
{
    int count = run - 1 - (x + run >= diff->width);
    bool shorter = count * tt_diff_bytes_of(cell->ch) > tt_diff_control_bytes(count);
    return count > 0 && shorter && tt_diff_repeats(diff, cell) ? count : 0;
}

/* Draws one or more cells from x on, where the cursor is; returns their number. */
static int draw_run(struct tt_diff *diff, int x, int y, int end)
{
    const struct tt_diff_cell *cell = tt_diff_at(diff->wanted, diff, x, y);
    int run = diff_row_run_of(diff, x, y, end);
    if (run > ERASE_BYTES && diff->can & TT_DIFF_CAN_ERASE && can_blank(diff, cell)) {
        use_background(diff, cell);
        tt_diff_control(diff, run, 'X');
        return run;
    }
    write_cell(diff, x, y);
    int again = repeated(diff, cell, x, run);
    if (again > 0) {
        tt_diff_control(diff, again, 'b');
        diff->x = x + 1 + again;
        return 1 + again;
    }
    return diff->x < 0 ? diff->width - x : diff->x - x;
}

/* Returns the start of the row's blank tail, which a single erase can clear. */
static int blank_tail(struct tt_diff *diff, int y)
{
    const struct tt_diff_cell *row = tt_diff_at(diff->wanted, diff, 0, y);
    int x = diff->width;
    while (x > 0 && can_blank(diff, &row[x - 1]) &&
           tt_diff_cell_equal(&row[x - 1], &row[diff->width - 1])) {
        x--;
    }
    return x;
}

/* A row: its changes end before column `end`; a single erase clears it from `tail` on. */
struct row {
    int y, end, tail;
};

static void draw_pass(struct tt_diff *diff, const struct row *row)
{
    const struct tt_diff_cell *wanted = tt_diff_at(diff->wanted, diff, 0, row->y);
    for (int x = 0; x < row->end;) {
        if (!is_due(diff, x)) {
            x++;
            continue;
        }
        x -= wanted[x].ch == 0 && x > 0;
        tt_diff_go(diff, x, row->y);
        if (x >= row->tail && row->end - x > CLEAR_BYTES) {
            use_background(diff, &wanted[x]);
            tt_text_str(&diff->out, "\033[K");
            return;
        }
        x += draw_run(diff, x, row->y, row->end);
    }
}

static uint8_t last_pass(const struct tt_diff *diff)
{
    uint8_t last = 0;
    for (int i = 1; i < TT_DIFF_CLASSES; i++) {
        last = diff->passes[i] > last ? diff->passes[i] : last;
    }
    return last;
}

static void draw_passes(struct tt_diff *diff, const struct row *row)
{
    uint8_t last = last_pass(diff);
    for (diff->pass = 0; diff->pass <= last; diff->pass++) {
        draw_pass(diff, row);
    }
    diff->pass = NO_PASS;
}

/* Returns the bytes of drawing the row with the current passes; restores the state. */
static size_t passes_bytes(struct tt_diff *diff, const struct row *row)
{
    int x = diff->x, y = diff->y;
    bool x_known = diff->x_known;
    struct tt_cell_style current = diff->current;
    size_t used = diff->out.used;
    draw_passes(diff, row);
    size_t bytes = diff->out.used - used;
    diff->x = x;
    diff->y = y;
    diff->x_known = x_known;
    diff->current = current;
    diff->out.used = used;
    return bytes;
}

/* Returns whether the row has no wide or combining characters; else it takes a single pass. */
static bool is_simple(const struct tt_diff *diff, const struct row *row)
{
    const struct tt_diff_cell *wanted = tt_diff_at(diff->wanted, diff, 0, row->y);
    const struct tt_diff_cell *shown = tt_diff_at(diff->shown, diff, 0, row->y);
    for (int x = 0; x < diff->width; x++) {
        if (wanted[x].ch == 0 || wanted[x].mark || shown[x].ch == 0 || shown[x].mark) {
            return false;
        }
    }
    return true;
}

/* Measures the current passes; true if they are the shortest so far. */
static bool try_plan(struct tt_diff *diff, const struct row *row, size_t *min)
{
    size_t bytes = passes_bytes(diff, row);
    bool shorter = bytes < *min;
    *min = shorter ? bytes : *min;
    return shorter;
}

/* Gives each style a pass of its own, the most frequent one first. */
static void part_all(struct tt_diff *diff, const int parts[TT_DIFF_CLASSES])
{
    for (int i = 1; i < TT_DIFF_CLASSES - 1; i++) {
        int before = 0;
        for (int k = 1; k < TT_DIFF_CLASSES - 1; k++) {
            before += parts[k] > parts[i] || (parts[k] == parts[i] && k < i);
        }
        diff->passes[i] = parts[i] > 0 ? (uint8_t)before : 0;
    }
}

/*
 * Starts with one pass per style or a single pass, whichever is shorter; then moves one style at a
 * time to another pass while that shortens the row and the frame has tries left.
 */
static void choose_passes(struct tt_diff *diff, const struct row *row,
                          const int parts[TT_DIFF_CLASSES])
{
    size_t min = TT_DIFF_NEVER;
    try_plan(diff, row, &min);
    part_all(diff, parts);
    if (!try_plan(diff, row, &min)) {
        memset(diff->passes, 0, sizeof diff->passes);
    }
    for (bool better = true; better && diff->plan_budget > 0;) {
        better = false;
        for (int i = 1; i < TT_DIFF_CLASSES - 1; i++) {
            uint8_t best = diff->passes[i], last = last_pass(diff);
            for (int pass = 0; parts[i] > 0 && pass <= last + 1 && diff->plan_budget > 0; pass++) {
                diff->passes[i] = (uint8_t)pass;
                diff->plan_budget -= row->end * (last + 1); /* each pass examines the row */
                if (try_plan(diff, row, &min)) {
                    best = (uint8_t)pass;
                    better = true;
                }
            }
            diff->passes[i] = best;
        }
    }
}

void tt_diff_row(struct tt_diff *diff, int y)
{
    struct tt_diff_cell *wanted = tt_diff_at(diff->wanted, diff, 0, y);
    struct tt_diff_cell *shown = tt_diff_at(diff->shown, diff, 0, y);
    int parts[TT_DIFF_CLASSES];
    struct row row = {.y = y, .end = diff->width};
    while (row.end > 0 && tt_diff_cell_equal(&wanted[row.end - 1], &shown[row.end - 1])) {
        row.end--;
    }
    if (row.end == 0) {
        return;
    }
    row.tail = blank_tail(diff, y);
    bool many = classify_cells(diff, y, row.end, parts) >= LEAST_PARTS;
    if (many && is_simple(diff, &row)) {
        choose_passes(diff, &row, parts);
    }
    draw_passes(diff, &row);
    memcpy(shown, wanted, (size_t)diff->width * sizeof *shown);
}

void tt_diff_rest(struct tt_diff *diff, int x, int y)
{
    bool there = diff->x == x && diff->y == y;
    tt_diff_use_style(diff, tt_cell_style_plain());
    if (!there && x >= 0 && y >= 0 && x < diff->width && y < diff->height) {
        tt_diff_go(diff, x, y);
    }
}
