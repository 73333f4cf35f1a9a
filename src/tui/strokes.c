/* SPDX-License-Identifier: Apache-2.0 */
/* strokes: rows of cells as characters, moves and looks. */
#include "tui/strokes.h"

#include <stdlib.h>
#include <string.h>

#include "tui/grid.h"

#define NEVER       10000 /* bytes: more than anything takes */
#define CELL_BYTES  64    /* a move, a look, a character with its mark */
#define LEAST_RUN   2     /* lines that are worth being moved */
#define ERASE_BYTES 9     /* ECH, and the move behind it */
#define CLEAR_BYTES 3     /* EL */

/* ---- cells -------------------------------------------------------------------------------- */

static const struct tt_look plain = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};

static bool same_look(struct tt_look a, struct tt_look b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static bool same_cell(const struct tt_stroke_cell *a, const struct tt_stroke_cell *b)
{
    return a->ch == b->ch && a->mark == b->mark && same_look(a->look, b->look);
}

/* Can it be seen on a cell without a character? */
static bool shows_on_blanks(struct tt_look look)
{
    return look.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE);
}

/* A blank of a background and nothing else. */
static bool is_blank(const struct tt_stroke_cell *cell)
{
    return cell->ch == ' ' && cell->mark == 0 && !shows_on_blanks(cell->look);
}

static struct tt_stroke_cell *cell_at(struct tt_stroke_cell *cells, const struct tt_strokes *s,
                                      int x, int y)
{
    return &cells[(size_t)y * (size_t)s->width + (size_t)x];
}

/* Blocks have no strokes that could be bold. Where bold means bright, these are bright already. */
static bool has_no_weight(const struct tt_stroke_cell *cell)
{
    return cell->ch >= 0x2580 && cell->ch <= 0x259f && cell->look.fg >= 8;
}

/* What looks the same becomes the same. */
static struct tt_stroke_cell normal(struct tt_stroke_cell cell)
{
    if (is_blank(&cell)) {
        cell.look.fg = TT_COLOR_DEFAULT;
        cell.look.attrs = 0;
    } else if (has_no_weight(&cell)) {
        cell.look.attrs &= (uint8_t)~TT_ATTR_BOLD;
    }
    return cell;
}

void tt_strokes_put(struct tt_strokes *s, int x, int y, struct tt_stroke_cell cell)
{
    *cell_at(s->wanted, s, x, y) = normal(cell);
}

/* A look with what the terminal has. */
static struct tt_look look_of(const struct tt_strokes *s, const struct tt_theme *theme,
                              const struct tt_cell *cell)
{
    struct tt_look look = tt_theme_look(theme, cell->role, cell->over);
    look = tt_theme_fit(theme, look, s->colors);
    bool colored = look.fg != TT_COLOR_DEFAULT || look.bg != TT_COLOR_DEFAULT;
    look.attrs &= colored ? s->attrs_color : s->attrs;
    return look;
}

void tt_strokes_want(struct tt_strokes *s, const struct tt_grid *grid, const struct tt_theme *theme)
{
    int width = grid->width < s->width ? grid->width : s->width;
    int height = grid->height < s->height ? grid->height : s->height;
    struct tt_look look = plain;
    for (int y = 0; y < height; y++) {
        unsigned role = TT_ROLE_COUNT, over = 0;
        for (int x = 0; x < width; x++) {
            const struct tt_cell *cell = tt_grid_at(grid, x, y);
            if (cell->role != role || cell->over != over) {
                role = cell->role;
                over = cell->over;
                look = look_of(s, theme, cell);
            }
            tt_strokes_put(s, x, y, (struct tt_stroke_cell){cell->ch, cell->mark, look});
        }
    }
}

static void blank(struct tt_stroke_cell *cells, size_t count)
{
    const struct tt_stroke_cell cell = {' ', 0, plain};
    for (size_t i = 0; i < count; i++) {
        cells[i] = cell;
    }
}

/* ---- room --------------------------------------------------------------------------------- */

void tt_strokes_free(struct tt_strokes *s)
{
    free(s->shown);
    free(s->wanted);
    free(s->hashes);
    free(s->bytes);
    s->shown = s->wanted = NULL;
    s->hashes = NULL;
    s->bytes = NULL;
    s->width = s->height = 0;
}

bool tt_strokes_resize(struct tt_strokes *s, int width, int height)
{
    size_t rows = height > 0 ? (size_t)height : 1, columns = width > 0 ? (size_t)width : 1;
    /* Looked at after each row: what was there before, the lines that move, and the row. */
    size_t bytes = TT_STROKES_FULL + CELL_BYTES + 2 * rows + columns * CELL_BYTES;
    tt_strokes_free(s);
    s->shown = malloc(rows * columns * sizeof *s->shown);
    s->wanted = malloc(rows * columns * sizeof *s->wanted);
    s->hashes = malloc(rows * 2 * sizeof *s->hashes);
    s->bytes = malloc(bytes);
    if (!s->shown || !s->wanted || !s->hashes || !s->bytes) {
        tt_strokes_free(s);
        return false;
    }
    s->width = width > 0 ? width : 0;
    s->height = height > 0 ? height : 0;
    s->out = tt_text_of(s->bytes, bytes);
    tt_strokes_cleared(s);
    blank(s->wanted, (size_t)s->width * (size_t)s->height);
    return true;
}

void tt_strokes_cleared(struct tt_strokes *s)
{
    blank(s->shown, (size_t)s->width * (size_t)s->height);
    s->x = s->y = -1;
    s->pen = plain;
}

/* ---- looks -------------------------------------------------------------------------------- */

struct list {
    char bytes[48];
    struct tt_text text;
};

static void add_code(struct tt_text *list, unsigned code)
{
    if (list->used > 0) {
        tt_text_char(list, ';');
    }
    tt_text_u64(list, code);
}

static void add_color(struct tt_text *list, int16_t color, unsigned base)
{
    unsigned number = (uint8_t)color;
    if (number < 16) {
        add_code(list, number < 8 ? base + number : base + 52 + number);
    } else {
        add_code(list, base + 8);
        add_code(list, 5);
        add_code(list, number);
    }
}

static const struct {
    uint8_t attr, on, off;
} codes[] = {{TT_ATTR_BOLD, 1, 22},
             {TT_ATTR_DIM, 2, 22},
             {TT_ATTR_ITALIC, 3, 23},
             {TT_ATTR_UNDERLINE, 4, 24},
             {TT_ATTR_REVERSE, 7, 27}};

#define CODES (sizeof codes / sizeof *codes)

static void add_attributes(struct tt_text *list, unsigned attrs)
{
    for (size_t i = 0; i < CODES; i++) {
        if (attrs & codes[i].attr) {
            add_code(list, codes[i].on);
        }
    }
}

/* From nothing on; no codes at all are SGR 0. */
static void list_whole(struct tt_text *list, struct tt_look look)
{
    if (!same_look(look, plain)) {
        add_code(list, 0);
    }
    add_attributes(list, look.attrs);
    if (look.fg != TT_COLOR_DEFAULT) {
        add_color(list, look.fg, 30);
    }
    if (look.bg != TT_COLOR_DEFAULT) {
        add_color(list, look.bg, 40);
    }
}

/* What differs. Bold and dim go off together. */
static void list_changes(struct tt_text *list, struct tt_look from, struct tt_look to)
{
    unsigned gone = from.attrs & ~(unsigned)to.attrs, last = 0;
    unsigned weight = TT_ATTR_BOLD | TT_ATTR_DIM;
    for (size_t i = 0; i < CODES; i++) {
        if (gone & codes[i].attr && codes[i].off != last) {
            last = codes[i].off;
            add_code(list, last);
        }
    }
    unsigned left = from.attrs & ~gone & ~(gone & weight ? weight : 0);
    add_attributes(list, to.attrs & ~left);
    if (from.fg != to.fg && to.fg == TT_COLOR_DEFAULT) {
        add_code(list, 39);
    } else if (from.fg != to.fg) {
        add_color(list, to.fg, 30);
    }
    if (from.bg != to.bg && to.bg == TT_COLOR_DEFAULT) {
        add_code(list, 49);
    } else if (from.bg != to.bg) {
        add_color(list, to.bg, 40);
    }
}

static bool takes_off(struct tt_look from, struct tt_look to)
{
    return (from.attrs & ~(unsigned)to.attrs) != 0 ||
           (from.fg != to.fg && to.fg == TT_COLOR_DEFAULT) ||
           (from.bg != to.bg && to.bg == TT_COLOR_DEFAULT);
}

static void use_pen(struct tt_strokes *s, struct tt_look look)
{
    struct list whole, changes;
    if (same_look(s->pen, look)) {
        return;
    }
    whole.text = tt_text_of(whole.bytes, sizeof whole.bytes);
    changes.text = tt_text_of(changes.bytes, sizeof changes.bytes);
    list_whole(&whole.text, look);
    list_changes(&changes.text, s->pen, look);
    bool can = s->can & TT_STROKES_CAN_UNDO || !takes_off(s->pen, look);
    const struct tt_text *shorter =
        can && changes.text.used < whole.text.used ? &changes.text : &whole.text;
    tt_text_str(&s->out, "\033[");
    tt_text_bytes(&s->out, shorter == &whole.text ? whole.bytes : changes.bytes, shorter->used);
    tt_text_char(&s->out, 'm');
    s->pen = look;
}

/* Does the pen at hand write this cell as it is to look? */
static bool pen_suits(const struct tt_strokes *s, const struct tt_stroke_cell *cell)
{
    return same_look(s->pen, cell->look) ||
           (is_blank(cell) && s->pen.bg == cell->look.bg && !shows_on_blanks(s->pen));
}

/* ---- characters --------------------------------------------------------------------------- */

static int bytes_of(uint32_t ch)
{
    return ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
}

/* Writes the cell at (x, y) where the cursor is. */
static void write_cell(struct tt_strokes *s, int x, int y)
{
    const struct tt_stroke_cell *cell = cell_at(s->wanted, s, x, y);
    bool wide = x + 1 < s->width && cell[1].ch == 0;
    char utf8[4];
    if (!pen_suits(s, cell)) {
        use_pen(s, cell->look);
    }
    tt_text_bytes(&s->out, utf8, tt_utf8_encode(cell->ch, utf8));
    if (cell->mark) {
        tt_text_bytes(&s->out, utf8, tt_utf8_encode(cell->mark, utf8));
    }
    s->sure &= cell->ch < 0x80 && cell->mark == 0;
    s->x = x + (wide ? 2 : 1);
    if (s->x >= s->width) {
        s->x = -1; /* the terminal may wait before it goes to the next line */
    }
}

/* ---- moves -------------------------------------------------------------------------------- */

static int digits_of(int number)
{
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4;
}

static void write_control(struct tt_strokes *s, int number, char final)
{
    tt_text_str(&s->out, "\033[");
    if (number > 1) {
        tt_text_u64(&s->out, (uint64_t)number);
    }
    tt_text_char(&s->out, final);
}

static int control_bytes(int number)
{
    return 3 + (number > 1 ? digits_of(number) : 0);
}

/* To write the cells [from, to) of a row again, which stand there already, with the pen at hand. */
static int again_bytes(const struct tt_strokes *s, int from, int to, int y)
{
    int bytes = 0;
    for (int x = from; x < to && bytes < NEVER; x++) {
        const struct tt_stroke_cell *cell = cell_at(s->wanted, s, x, y);
        bool whole = cell->ch != 0 && cell->mark == 0 && (x + 1 >= s->width || cell[1].ch != 0);
        bytes = whole && pen_suits(s, cell) ? bytes + bytes_of(cell->ch) : NEVER;
    }
    return bytes;
}

/* From column `from` of a row to a later one: by writing, by a step, or by its number. */
static int forward_bytes(const struct tt_strokes *s, int from, int to, int y, bool sure)
{
    int again = to - from > 8 ? NEVER : again_bytes(s, from, to, y);
    int step = sure ? control_bytes(to - from) : control_bytes(to + 1);
    return to == from ? 0 : again < step ? again : step;
}

static void go_forward(struct tt_strokes *s, int to)
{
    int from = s->x, best = forward_bytes(s, from, to, s->y, s->sure);
    if (to == from) {
        return;
    }
    if (to - from <= 8 && again_bytes(s, from, to, s->y) == best) {
        for (int x = from; x < to; x++) {
            write_cell(s, x, s->y);
        }
    } else if (s->sure) {
        write_control(s, to - from, 'C');
    } else {
        write_control(s, to + 1, 'G');
        s->sure = true;
    }
    s->x = to;
}

static void go_straight(struct tt_strokes *s, int x, int y)
{
    tt_text_str(&s->out, "\033[");
    if (y > 0 || x > 0) {
        tt_text_u64(&s->out, (uint64_t)y + 1);
    }
    if (x > 0) {
        tt_text_char(&s->out, ';');
        tt_text_u64(&s->out, (uint64_t)x + 1);
    }
    tt_text_char(&s->out, 'H');
    s->sure = true;
}

static int straight_bytes(int x, int y)
{
    return 3 + (x > 0 || y > 0 ? digits_of(y + 1) : 0) + (x > 0 ? 1 + digits_of(x + 1) : 0);
}

/* Every line feed follows a carriage return: no matter whether it means one as well. */
static void go(struct tt_strokes *s, int x, int y)
{
    int down = s->y >= 0 && y >= s->y ? y - s->y : NEVER;
    int lines = down < NEVER ? 1 + down + forward_bytes(s, 0, x, y, true) : NEVER;
    int ahead = down == 0 && s->x >= 0 && x >= s->x ? forward_bytes(s, s->x, x, y, s->sure) : NEVER;
    int straight = straight_bytes(x, y);
    if (ahead <= lines && ahead <= straight) {
        go_forward(s, x);
    } else if (lines <= straight) {
        tt_text_char(&s->out, '\r');
        for (int i = 0; i < down; i++) {
            tt_text_char(&s->out, '\n');
        }
        s->x = 0;
        s->y = y;
        s->sure = true;
        go_forward(s, x);
    } else {
        go_straight(s, x, y);
    }
    s->x = x;
    s->y = y;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* May the terminal blank what has this look? */
static bool can_blank(const struct tt_strokes *s, const struct tt_stroke_cell *cell)
{
    return is_blank(cell) && (cell->look.bg == TT_COLOR_DEFAULT || s->can & TT_STROKES_CAN_FILL);
}

/* Blanking takes the background of the pen. */
static void use_background(struct tt_strokes *s, const struct tt_stroke_cell *cell)
{
    if (!pen_suits(s, cell)) {
        use_pen(s, cell->look);
    }
}

/* Cells alike from x on, up to the last of them before `end` that changes. */
static int run_of(const struct tt_strokes *s, int x, int y, int end)
{
    const struct tt_stroke_cell *wanted = cell_at(s->wanted, s, x, y);
    const struct tt_stroke_cell *shown = cell_at(s->shown, s, x, y);
    int changed = 0;
    for (int i = 0; x + i < end && same_cell(&wanted[i], wanted); i++) {
        if (!same_cell(&shown[i], &wanted[i])) {
            changed = i + 1;
        }
    }
    return changed;
}

/*
 * Is the rest of a run told shorter by a number? Only of ASCII: terminals that call themselves
 * xterm know of no other characters to repeat. Not up to the end of a row, where they may wait.
 */
static bool is_repeated(const struct tt_strokes *s, const struct tt_stroke_cell *cell, int x,
                        int run)
{
    return s->can & TT_STROKES_CAN_REPEAT && cell->ch < 0x80 && cell->mark == 0 &&
           x + run < s->width && run - 1 > control_bytes(run - 1);
}

/* Draws one or more cells from x on, where the cursor is; returns how many. */
static int draw_run(struct tt_strokes *s, int x, int y, int end)
{
    const struct tt_stroke_cell *cell = cell_at(s->wanted, s, x, y);
    int run = run_of(s, x, y, end);
    if (run > ERASE_BYTES && s->can & TT_STROKES_CAN_ERASE && can_blank(s, cell)) {
        use_background(s, cell);
        write_control(s, run, 'X');
        return run;
    }
    write_cell(s, x, y);
    if (is_repeated(s, cell, x, run)) {
        write_control(s, run - 1, 'b');
        s->x = x + run;
        return run;
    }
    return s->x < 0 ? s->width - x : s->x - x;
}

/* The first of the cells at the end of a row that the terminal can blank at once. */
static int blank_tail(struct tt_strokes *s, int y)
{
    const struct tt_stroke_cell *row = cell_at(s->wanted, s, 0, y);
    int x = s->width;
    while (x > 0 && can_blank(s, &row[x - 1]) && same_cell(&row[x - 1], &row[s->width - 1])) {
        x--;
    }
    return x;
}

void tt_strokes_row(struct tt_strokes *s, int y)
{
    struct tt_stroke_cell *wanted = cell_at(s->wanted, s, 0, y);
    struct tt_stroke_cell *shown = cell_at(s->shown, s, 0, y);
    int end = s->width;
    while (end > 0 && same_cell(&wanted[end - 1], &shown[end - 1])) {
        end--;
    }
    int tail = end > 0 ? blank_tail(s, y) : 0;
    for (int x = 0; x < end;) {
        if (same_cell(&wanted[x], &shown[x])) {
            x++;
            continue;
        }
        x -= wanted[x].ch == 0 && x > 0;
        go(s, x, y);
        if (x >= tail && end - x > CLEAR_BYTES) {
            use_background(s, &wanted[x]);
            tt_text_str(&s->out, "\033[K");
            break;
        }
        x += draw_run(s, x, y, end);
    }
    memcpy(shown, wanted, (size_t)s->width * sizeof *shown);
}

void tt_strokes_rest(struct tt_strokes *s, int x, int y)
{
    bool there = s->x == x && s->y == y;
    use_pen(s, plain);
    if (!there && x >= 0 && y >= 0 && x < s->width && y < s->height) {
        go(s, x, y);
    }
}

/* ---- lines that move ---------------------------------------------------------------------- */

static uint64_t hash_row(const struct tt_stroke_cell *cells, int width)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < width; i++) {
        uint64_t fg = (uint16_t)cells[i].look.fg, bg = (uint16_t)cells[i].look.bg;
        uint64_t look = fg << 24 | bg << 8 | cells[i].look.attrs;
        hash = (hash ^ cells[i].ch ^ (uint64_t)cells[i].mark << 32) * UINT64_C(1099511628211);
        hash = (hash ^ look) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

static int differing(const struct tt_strokes *s, int wanted, int shown)
{
    const struct tt_stroke_cell *a = cell_at(s->wanted, s, 0, wanted);
    const struct tt_stroke_cell *b = cell_at(s->shown, s, 0, shown);
    int count = 0;
    for (int x = 0; x < s->width; x++) {
        count += !same_cell(&a[x], &b[x]);
    }
    return count;
}

/* Rows [first, last] of the next picture are on the terminal already, `by` rows below. */
struct shift {
    int first, last, by;
    int gain; /* rows that need not be drawn for it */
};

/* Is a row's neighbour nearly what it is to be, so that it should come along? */
static bool comes_along(const struct tt_strokes *s, int y, int by)
{
    return y >= 0 && y < s->height && y + by >= 0 && y + by < s->height &&
           differing(s, y, y + by) < differing(s, y, y);
}

/* The best rows to be moved by so many; those that the move leaves blank must be drawn again. */
static struct shift best_run(const struct tt_strokes *s, int by)
{
    const uint64_t *wanted = s->hashes, *shown = s->hashes + s->height;
    struct shift best = {.by = by}, now = {.by = by};
    int from = by < 0 ? -by : 0, to = by > 0 ? s->height - by : s->height;
    for (int y = from; y < to; y++) {
        bool same = wanted[y] == shown[y + by];
        if (!same && (now.gain == 0 || !comes_along(s, y, by))) {
            now.gain = 0;
        } else if (same && wanted[y] != shown[y]) {
            now.first = now.gain == 0 ? y : now.first;
            now.last = y;
            now.gain++;
            best = now.gain > best.gain ? now : best;
        }
    }
    for (int i = 0; best.gain > 0 && i < (by < 0 ? -by : by); i++) {
        int y = by > 0 ? best.last + 1 + i : best.first - 1 - i;
        best.gain -= wanted[y] == shown[y];
    }
    return best;
}

static void move_rows(struct tt_strokes *s, const struct shift *shift)
{
    int by = shift->by, count = by < 0 ? -by : by;
    int top = by < 0 ? shift->first + by : shift->first;
    int bottom = by > 0 ? shift->last + by : shift->last;
    size_t width = (size_t)s->width;
    use_pen(s, plain); /* the lines that come in are blank in it */
    tt_text_str(&s->out, "\033[");
    tt_text_u64(&s->out, (uint64_t)top + 1);
    tt_text_char(&s->out, ';');
    tt_text_u64(&s->out, (uint64_t)bottom + 1);
    tt_text_char(&s->out, 'r');
    go_straight(s, 0, by > 0 ? bottom : top);
    for (int i = 0; i < count; i++) {
        tt_text_str(&s->out, by > 0 ? "\n" : "\033M");
    }
    tt_text_str(&s->out, "\033[r");
    s->x = s->y = -1; /* setting margins moves the cursor */
    memmove(cell_at(s->shown, s, 0, shift->first), cell_at(s->shown, s, 0, shift->first + by),
            (size_t)(shift->last - shift->first + 1) * width * sizeof *s->shown);
    blank(cell_at(s->shown, s, 0, by > 0 ? bottom - count + 1 : top), (size_t)count * width);
}

void tt_strokes_scroll(struct tt_strokes *s)
{
    int changed = 0;
    struct shift best = {.gain = 0};
    for (int y = 0; y < s->height; y++) {
        s->hashes[y] = hash_row(cell_at(s->wanted, s, 0, y), s->width);
        s->hashes[s->height + y] = hash_row(cell_at(s->shown, s, 0, y), s->width);
        changed += s->hashes[y] != s->hashes[s->height + y];
    }
    if (!(s->can & TT_STROKES_CAN_SCROLL) || changed <= LEAST_RUN) {
        return;
    }
    for (int by = 1; by < s->height; by++) {
        struct shift up = best_run(s, by), down = best_run(s, -by);
        best = up.gain > best.gain ? up : best;
        best = down.gain > best.gain ? down : best;
    }
    if (best.gain < LEAST_RUN) {
        return;
    }
    best.first -= comes_along(s, best.first - 1, best.by);
    best.last += comes_along(s, best.last + 1, best.by);
    move_rows(s, &best);
}
