/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help: what the view below shows and its legend, the keys that work in it, then all other keys.
 * The keys are generated from the action table and the keymap.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/input/contains.h"
#include "tui/input/list_motion.h"

#define KEYS_WIDTH   16
#define COLUMNS_MOST 3
#define LINES_MOST   (TT_DO_COUNT + 2 * TT_GROUP_COUNT + 16)
#define FIND_BYTES   64

struct help_line {
    const char *text; /* a title or a line about the view; NULL: actions */
    bool title;
    uint8_t columns;
    uint16_t actions[COLUMNS_MOST]; /* side by side; 0: none */
};

struct help {
    int top;
    int height;
    int count;
    char found[FIND_BYTES]; /* text searched last, in lower case */
    struct help_line lines[LINES_MOST];
};

static void *help_open(void)
{
    return calloc(1, sizeof(struct help));
}

/* ---- lines -------------------------------------------------------------------------------- */

static struct help_line *add_line(struct help *help)
{
    if (help->count == LINES_MOST) {
        help->count--;
    }
    struct help_line *line = &help->lines[help->count++];
    *line = (struct help_line){.text = NULL};
    return line;
}

static void add_text(struct help *help, const char *text, bool title)
{
    struct help_line *line = add_line(help);
    line->text = text;
    line->title = title;
}

/* Returns true if a key of this action works in the view, or in a pane of it. */
static bool works_here(const struct tt_workspace *ws, unsigned action)
{
    unsigned here = TT_IN_VIEW_OF(ws->nav.view) | TT_IN_VIEWS;
    here |= ws->nav.view == TT_VIEW_EVENTS ? TT_IN_DETAIL : 0;
    here |= TT_IN_VIEW_OF(ws->nav.view) & TT_IN_TABLES ? TT_IN_PLOT : 0;
    here = ws->nav.below != TT_OVERLAY_NONE ? TT_IN_OVERLAY_OF(ws->nav.below) : here;
    here |= ws->nav.below == TT_OVERLAY_MEASURE ? TT_IN_PLOT : 0;
    return (tt_do_at(action)->contexts & here) != 0;
}

/* Adds the actions of a group below its title, in rows of as many columns as there are. */
static void add_group(struct help *help, const struct tt_workspace *ws, int width, unsigned group,
                      bool here)
{
    uint16_t actions[TT_DO_COUNT];
    int count = 0, longest = 0;
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        if (tt_do_at(action)->group == group && works_here(ws, action) == here) {
            int length = (int)strlen(tt_do_at(action)->help);
            longest = length > longest ? length : longest;
            actions[count++] = (uint16_t)action;
        }
    }
    if (count == 0) {
        return;
    }
    add_text(help, tt_group_name(group), true);
    int columns = width / (longest + KEYS_WIDTH + 3);
    columns = columns < 1 ? 1 : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
    int rows = (count + columns - 1) / columns;
    for (int row = 0; row < rows; row++) {
        struct help_line *line = add_line(help);
        line->columns = (uint8_t)columns;
        for (int column = 0; column < columns; column++) {
            int i = column * rows + row;
            line->actions[column] = i < count ? actions[i] : TT_DO_NOTHING;
        }
    }
}

static void help_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct help *help = state;
    const struct tt_view *view = tt_views[ws->nav.view];
    help->height = area.height;
    help->count = 0;
    add_text(help, tt_view_names(ws->nav.view)->title, true);
    for (const char *const *about = view->about; about && *about; about++) {
        add_text(help, *about, false);
    }
    for (int here = 1; here >= 0; here--) {
        if (!here) {
            add_text(help, "", false);
            add_text(help, "In other views, lists and prompts", true);
        }
        for (unsigned group = 0; group < TT_GROUP_COUNT; group++) {
            add_group(help, ws, area.width, group, here != 0);
        }
    }
    int last = help->count - area.height;
    help->top = help->top > last ? last : help->top;
    help->top = help->top < 0 ? 0 : help->top;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void draw_action(const struct tt_workspace *ws, struct tt_area area, unsigned action)
{
    char buffer[128];
    struct tt_text keys = tt_text_of(buffer, sizeof buffer);
    tt_keymap_keys(&ws->term.keymap, (enum tt_do)action, 4, &keys);
    tt_draw_text(area, 2, 0, KEYS_WIDTH - 1, TT_ROLE_KEY, keys.buffer, keys.used);
    tt_draw(area, 2 + KEYS_WIDTH, 0, area.width - 2 - KEYS_WIDTH, TT_ROLE_TEXT,
            tt_do_at(action)->help);
}

/* Draws a line about the view; "{ready}" is the glyph of that name as it is on the screen now. */
static void draw_about(const struct tt_workspace *ws, struct tt_area line, const char *text)
{
    int x = 2;
    while (*text) {
        size_t length = strcspn(text, "{");
        x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TEXT, text, length);
        text += length;
        if (*text == '{') {
            size_t name = strcspn(text + 1, "}");
            enum tt_glyph glyph = tt_glyph_find(text + 1, name);
            if (glyph < TT_GLYPH_COUNT) {
                tt_draw_fill(line, x++, 0, 1, TT_ROLE_KEY, tt_term_glyph(&ws->term, glyph));
            }
            text += 2 + name;
        }
    }
}

static void help_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct help *help = state;
    tt_draw_blank(area, 0, 0, area.width, area.height);
    for (int y = 0; y < area.height && help->top + y < help->count; y++) {
        const struct help_line *line = &help->lines[help->top + y];
        struct tt_area row = tt_area_part(area, 0, y, area.width, 1);
        if (line->text && line->title) {
            tt_draw(row, 1, 0, row.width - 1, TT_ROLE_TITLE, line->text);
            continue;
        }
        if (line->text) {
            draw_about(ws, row, line->text);
            continue;
        }
        int width = area.width / (line->columns > 0 ? line->columns : 1);
        for (int column = 0; column < line->columns; column++) {
            if (line->actions[column] != TT_DO_NOTHING) {
                draw_action(ws, tt_area_part(row, column * width, 0, width, 1),
                            line->actions[column]);
            }
        }
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool line_has(const struct tt_workspace *ws, const struct help_line *line, const char *found)
{
    if (line->text) {
        return tt_text_contains(line->text, found);
    }
    for (int column = 0; column < COLUMNS_MOST && line->actions[column]; column++) {
        char buffer[128];
        struct tt_text keys = tt_text_of(buffer, sizeof buffer);
        tt_keymap_keys(&ws->term.keymap, (enum tt_do)line->actions[column], 4, &keys);
        const struct tt_do_info *info = tt_do_at(line->actions[column]);
        if (tt_text_contains(info->help, found) || tt_text_contains(info->name, found) ||
            tt_text_contains(tt_text_cstr(&keys), found)) {
            return true;
        }
    }
    return false;
}

/* Scrolls to the next line that has the text searched last. */
static void find_next(struct tt_workspace *ws, struct help *help)
{
    for (int i = 1; i <= help->count && help->found[0]; i++) {
        int at = (help->top + i) % help->count;
        if (line_has(ws, &help->lines[at], help->found)) {
            help->top = at;
            return;
        }
    }
    tt_message_set(&ws->message, TT_ROLE_WARNING, "no line of the help has \"%s\"", help->found);
}

/* Finds the text typed at the prompt that TT_DO_HELP_FIND opened. */
static bool help_choose(void *state, const char *part)
{
    struct help *help = state;
    size_t length = 0;
    for (; part[length] && length + 1 < FIND_BYTES; length++) {
        help->found[length] = (char)tolower((unsigned char)part[length]);
    }
    help->found[length] = '\0';
    return length > 0;
}

static bool help_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct help *help = state;
    struct tt_move move = tt_list_motion_of(action, help->height);
    if (move.kind != TT_MOVE_NONE) {
        int64_t top = help->top + move.by;
        help->top = top < 0 ? 0 : top > help->count ? help->count : (int)top;
        return true;
    }
    if (action == TT_DO_HELP_FIND) {
        tt_prompt_open(app, TT_PROMPT_HELP, "");
        return true;
    }
    if (action == TT_DO_HELP_FIND_NEXT) {
        find_next(&app->ws, help);
        return true;
    }
    return false;
}

static const enum tt_do offers[] = {TT_DO_PAGE_DOWN, TT_DO_HELP_FIND, TT_DO_QUIT, TT_DO_NOTHING};

const struct tt_view tt_overlay_help = {
    .open = help_open,
    .close = free,
    .layout = help_layout,
    .draw = help_draw,
    .act = help_act,
    .choose = help_choose,
    .footer = offers,
};
