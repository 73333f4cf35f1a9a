/* SPDX-License-Identifier: Apache-2.0 */
/* diff_style: switches styles with the shortest SGR sequence. */
#include "tui/term/diff_internal.h"

struct list {
    char bytes[48];
    struct tt_text text;
};

static void add_code(struct tt_text *text, unsigned code)
{
    if (text->used > 0 && text->buffer[text->used - 1] != ';') {
        tt_text_char(text, ';');
    }
    tt_text_u64(text, code);
}

static void add_color(struct tt_text *text, int16_t color, unsigned base)
{
    unsigned number = (uint8_t)color;
    if (number < 16) {
        add_code(text, number < 8 ? base + number : base + 52 + number);
    } else {
        add_code(text, base + 8);
        add_code(text, 5);
        add_code(text, number);
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

static void add_attributes(struct tt_text *text, unsigned attrs)
{
    for (size_t i = 0; i < CODES; i++) {
        if (attrs & codes[i].attr) {
            add_code(text, codes[i].on);
        }
    }
}

/* Lists a whole style after a reset: an empty parameter, or an empty list, is SGR 0. */
static void list_whole(struct tt_text *text, struct tt_cell_style style)
{
    if (!tt_cell_style_equal(style, tt_cell_style_plain())) {
        tt_text_char(text, ';');
    }
    add_attributes(text, style.attrs);
    if (style.fg != TT_COLOR_DEFAULT) {
        add_color(text, style.fg, 30);
    }
    if (style.bg != TT_COLOR_DEFAULT) {
        add_color(text, style.bg, 40);
    }
}

/* Lists the differences between two styles. Bold and dim are reset together. */
static void list_changes(struct tt_text *text, struct tt_cell_style from, struct tt_cell_style to)
{
    unsigned gone = from.attrs & ~(unsigned)to.attrs, last = 0;
    unsigned weight = TT_ATTR_BOLD | TT_ATTR_DIM;
    for (size_t i = 0; i < CODES; i++) {
        if (gone & codes[i].attr && codes[i].off != last) {
            last = codes[i].off;
            add_code(text, last);
        }
    }
    unsigned left = from.attrs & ~gone & ~(gone & weight ? weight : 0);
    add_attributes(text, to.attrs & ~left);
    if (from.fg != to.fg && to.fg == TT_COLOR_DEFAULT) {
        add_code(text, 39);
    } else if (from.fg != to.fg) {
        add_color(text, to.fg, 30);
    }
    if (from.bg != to.bg && to.bg == TT_COLOR_DEFAULT) {
        add_code(text, 49);
    } else if (from.bg != to.bg) {
        add_color(text, to.bg, 40);
    }
}

static bool removes_attributes(struct tt_cell_style from, struct tt_cell_style to)
{
    return (from.attrs & ~(unsigned)to.attrs) != 0 ||
           (from.fg != to.fg && to.fg == TT_COLOR_DEFAULT) ||
           (from.bg != to.bg && to.bg == TT_COLOR_DEFAULT);
}

void tt_diff_use_style(struct tt_diff *diff, struct tt_cell_style style)
{
    struct list whole, changes;
    if (tt_cell_style_equal(diff->current, style)) {
        return;
    }
    whole.text = tt_text_of(whole.bytes, sizeof whole.bytes);
    changes.text = tt_text_of(changes.bytes, sizeof changes.bytes);
    list_whole(&whole.text, style);
    list_changes(&changes.text, diff->current, style);
    bool can = diff->can & TT_DIFF_CAN_UNDO || !removes_attributes(diff->current, style);
    const struct tt_text *shorter =
        can && changes.text.used <= whole.text.used ? &changes.text : &whole.text;
    tt_text_str(&diff->out, "\033[");
    tt_text_bytes(&diff->out, shorter == &whole.text ? whole.bytes : changes.bytes, shorter->used);
    tt_text_char(&diff->out, 'm');
    diff->current = style;
}

bool tt_diff_style_matches(const struct tt_diff *diff, const struct tt_diff_cell *cell)
{
    return tt_cell_style_equal(diff->current, cell->style) ||
           (tt_diff_cell_blank(cell) && diff->current.bg == cell->style.bg &&
            !tt_cell_style_shows_on_blanks(diff->current));
}
