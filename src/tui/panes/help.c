/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help: begins with what has the keys: an open pane, then its view, or a pane over the view, then the
 * view below. Each has a line or two on what it shows and the keys that work in it. Then the panes that
 * the view can open, and all other keys. Long lines are continued, so that nothing is cut.
 *
 *       Detail pane
 *        All fields of the event at the cursor ...
 *       Showing
 *        Tab l Right     select the next field; its bytes are highlighted
 *       Events
 *        ...
 *       In other views, lists and prompts
 *
 * The keys are generated from the action table and the keymap.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tui/app/view.h"
#include "tui/input/contains.h"
#include "tui/list/list.h"
#include "tui/term/keys.h"

#define INDENT       2
#define KEYS_WIDTH   16    /* least columns of the keys */
#define KEYS_BYTES   16384 /* of the keys of all actions */
#define COLUMNS_MOST 3
#define SUBJECTS     8
#define LINE_BYTES   512
#define FIND_BYTES   64
#define REST         "In other views, lists and prompts"

/* A view or pane whose keys are listed together. */
struct help_subject {
    char title[48];
    const char *const *about;   /* as in struct tt_view; NULL: none */
    const struct tt_view *view; /* whose words for the verbs are listed, or NULL */
    unsigned contexts;          /* contexts of its actions; 0: all that no subject before has */
    unsigned lookup[4];         /* contexts in which its keys are looked up, innermost first */
};

/* An action with its keys, or a use of the mouse. */
struct help_entry {
    const char *keys; /* in help->keys; NULL: no entry */
    const char *help;
    const char *name; /* of the action */
};

struct help_line {
    const char *text; /* a title, or part of a line of `about`; NULL: entries side by side */
    size_t length;
    bool title;
    bool continued; /* continues the line before */
    uint8_t columns;
    int part;       /* line of an entry that has several */
    int keys_width; /* columns of the keys of an entry */
    struct help_entry entries[COLUMNS_MOST];
};

struct help {
    struct tt_list list;       /* without a cursor */
    char selected[LINE_BYTES]; /* a sentence on what is selected, or "" */
    char found[FIND_BYTES];    /* text searched last, in lower case */
    struct help_subject subjects[SUBJECTS];
    unsigned subject_count;
    struct help_line *lines;
    size_t count, capacity;
    char keys[KEYS_BYTES]; /* texts that end with a zero */
    size_t keys_used;
};

static void help_close(void *state)
{
    free(((struct help *)state)->lines);
}

/* ---- subjects ----------------------------------------------------------------------------- */

static struct help_subject *add_subject(struct help *help, const char *title, unsigned contexts,
                                        const char *const *about, const struct tt_view *view)
{
    struct help_subject *subject = &help->subjects[help->subject_count++];
    *subject = (struct help_subject){.about = about, .contexts = contexts, .view = view};
    struct tt_text text = tt_text_of(subject->title, sizeof subject->title);
    tt_text_str(&text, title);
    tt_text_cstr(&text);
    subject->title[0] = (char)toupper((unsigned char)subject->title[0]);
    return subject;
}

static void add_pane(struct help *help, const struct tt_view_pane *pane, const struct tt_view *view)
{
    struct help_subject *subject =
        add_subject(help, tt_context_name(pane->context), pane->context, pane->about, view);
    subject->lookup[0] = pane->context;
}

/* Collects the subjects when the help is opened: the pane or view that had the keys comes first. */
static void help_enter(const struct tt_workspace *ws, void *state, const struct tt_view *front,
                       const void *front_state)
{
    struct help *help = state;
    const enum tt_overlay_id below = ws->nav.below;
    const enum tt_view_id id = ws->nav.view;
    const struct tt_view *view = tt_views[id];
    const struct tt_view_pane *open = front->pane ? front->pane(front_state) : NULL;
    help->list = (struct tt_list){0};
    help->subject_count = 0;
    struct tt_text selected = tt_text_of(help->selected, sizeof help->selected);
    if (front->describe && !open) {
        front->describe(ws, front_state, &selected);
    } else if (tt_view_rows(front, front_state) && !open) {
        tt_rows_describe(front_state, front->rows, &selected);
    }
    tt_text_cstr(&selected);
    if (open) {
        add_pane(help, open, front);
    }
    const unsigned pane = open ? open->context : 0;
    if (below != TT_OVERLAY_NONE) {
        const unsigned context = TT_IN_OVERLAY_OF(below);
        struct help_subject *subject =
            add_subject(help, tt_context_name(context), context, front->about, front);
        subject->lookup[0] = pane ? pane : context;
        subject->lookup[1] = pane ? context : 0;
    }
    struct help_subject *subject = add_subject(help, tt_view_names(id)->title,
                                               TT_IN_VIEW_OF(id) | TT_IN_VIEWS, view->about, view);
    unsigned *lookup = subject->lookup;
    if (front == view && pane) {
        *lookup++ = pane;
    }
    *lookup++ = TT_IN_VIEW_OF(id);
    *lookup = TT_IN_VIEWS;
    for (const struct tt_view_pane *const *other = front->panes; other && *other; other++) {
        if (*other != open) {
            add_pane(help, *other, front);
        }
    }
    add_subject(help, REST, 0, NULL, NULL);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Returns the bytes of the mark-up "{ready}" at the beginning of a text, and the glyph; 0: none. */
static size_t glyph_at(const char *text, size_t length, enum tt_glyph *glyph)
{
    const char *end = length > 0 && *text == '{' ? memchr(text, '}', length) : NULL;
    if (!end) {
        return 0;
    }
    *glyph = tt_glyph_find(text + 1, (size_t)(end - text) - 1);
    return *glyph < TT_GLYPH_COUNT ? (size_t)(end - text) + 1 : 0;
}

/* Returns the columns of a text; a glyph has one. */
static int pane_help_columns_of(const struct tt_grid *grid, const char *text, size_t length)
{
    int columns = tt_grid_columns(grid, text, length);
    for (size_t i = 0; i < length; i++) {
        enum tt_glyph glyph;
        size_t markup = glyph_at(text + i, length - i, &glyph);
        columns -= markup > 0 ? (int)markup - 1 : 0;
    }
    return columns;
}

/* Returns the bytes of the next line of a text, up to a blank that is not after a glyph. */
static size_t line_length(const struct tt_grid *grid, const char *text, int width)
{
    size_t fit = 0;
    for (size_t end = strcspn(text, " ");; end += 1 + strcspn(text + end + 1, " ")) {
        if (fit > 0 && pane_help_columns_of(grid, text, end) > width) {
            return fit;
        }
        fit = text[end] == ' ' && end > 0 && text[end - 1] == '}' ? fit : end;
        if (!text[end]) {
            return fit;
        }
    }
}

/* Returns where line `part` of a text begins, and its length; 0 bytes after the last. */
static const char *pane_help_part_of(const struct tt_grid *grid, const char *text, int width,
                                     int part, size_t *length)
{
    *length = line_length(grid, text, width);
    for (; part > 0 && *length > 0; part--) {
        text += *length;
        text += *text == ' ';
        *length = line_length(grid, text, width);
    }
    return text;
}

static int count_parts(const struct tt_grid *grid, const char *text, int width)
{
    int count = 0;
    for (size_t length = 1; length > 0; count++) {
        pane_help_part_of(grid, text, width, count, &length);
    }
    return count - 1;
}

/* Adds a line; a copy of no use if out of memory. */
static struct help_line *pane_help_add_line(struct help *help)
{
    static const struct help_line empty;
    struct help_line *lines =
        tt_array_grow(help->lines, help->count, &help->capacity, sizeof *lines);
    if (!lines) {
        return NULL;
    }
    help->lines = lines;
    lines[help->count] = empty;
    return &lines[help->count++];
}

static void pane_help_add_text(struct help *help, const struct tt_grid *grid, const char *text,
                               bool title, int width)
{
    size_t length;
    for (int part = 0;; part++) {
        const char *from = pane_help_part_of(grid, text, width, part, &length);
        struct help_line *line = length > 0 || part == 0 ? pane_help_add_line(help) : NULL;
        if (!line) {
            return;
        }
        line->text = from;
        line->length = length;
        line->title = title;
        line->continued = part > 0;
    }
}

/* Makes the entry of an action in a subject, with the keys that work there; false if it has none there. */
static bool make_entry(struct help *help, const struct tt_workspace *ws,
                       const struct help_subject *subject, unsigned action,
                       struct help_entry *entry)
{
    const struct tt_keymap *map = &ws->term.keymap;
    struct tt_text keys = tt_text_of(help->keys + help->keys_used, KEYS_BYTES - help->keys_used);
    if (subject->contexts && !(tt_do_at(action)->contexts & subject->contexts)) {
        return false;
    }
    for (unsigned i = 0; i < map->count; i++) {
        const struct tt_binding *binding = &map->bindings[i];
        if (binding->action == action &&
            (!subject->lookup[0] ||
             tt_keymap_find(map, binding->key, subject->lookup) == (enum tt_do)action)) {
            char name[TT_KEY_NAME];
            tt_text_put(&keys, "%s%s", keys.used > 0 ? " " : "", tt_key_name(binding->key, name));
        }
    }
    const struct tt_verb verb = subject->view ? tt_view_verb(subject->view, (enum tt_do)action)
                                              : (struct tt_verb){.help = tt_do_at(action)->help};
    *entry = (struct help_entry){tt_text_cstr(&keys), verb.help, tt_do_at(action)->name};
    help->keys_used += keys.used + 1;
    return !subject->contexts || keys.used > 0;
}

/* Adds entries below their title, in rows of as many columns as there are. */
static void pane_help_add_entries(struct help *help, const struct tt_grid *grid, const char *title,
                                  const struct help_entry *entries, int count, int width)
{
    int longest = 0, keys_width = KEYS_WIDTH;
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(entries[i].help), keys = (int)strlen(entries[i].keys) + 1;
        longest = length > longest ? length : longest;
        keys_width = keys > keys_width ? keys : keys_width;
    }
    if (count > 0) {
        pane_help_add_text(help, grid, title, true, width - INDENT);
    }
    int columns = width / (longest + keys_width + 3);
    columns = columns < 1 ? 1 : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
    keys_width = columns == 1 && keys_width > width / 2 ? width / 2 : keys_width;
    const int rows = (count + columns - 1) / columns;
    for (int row = 0; row < rows; row++) {
        /* Alone in its row, an entry has as many lines as its keys and its description need. */
        const struct help_entry *first = &entries[row];
        bool fits = columns > 1 || INDENT + keys_width + (int)strlen(first->help) <= width;
        int own = fits ? keys_width : KEYS_WIDTH;
        int parts = columns > 1 ? 1 : count_parts(grid, first->keys, own - 1);
        int texts = columns > 1 ? 1 : count_parts(grid, first->help, width - INDENT - own);
        for (int part = 0; part == 0 || part < parts || part < texts; part++) {
            struct help_line *line = pane_help_add_line(help);
            for (int column = 0; line && column < columns; column++) {
                int i = column * rows + row;
                line->columns = (uint8_t)columns;
                line->part = part;
                line->continued = part > 0;
                line->keys_width = own;
                line->entries[column] = i < count ? entries[i] : (struct help_entry){0};
            }
        }
    }
}

static void help_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct help *help = state;
    const struct tt_grid *grid = &ws->term.grid;
    const int width = area.width - INDENT;
    bool listed[TT_DO_COUNT] = {false};
    struct help_entry entries[TT_DO_COUNT];
    help->count = help->keys_used = 0;
    for (unsigned i = 0; i < help->subject_count; i++) {
        const struct help_subject *subject = &help->subjects[i];
        if (i > 0) {
            pane_help_add_text(help, grid, "", false, area.width);
        }
        pane_help_add_text(help, grid, subject->title, true, width);
        if (i == 0 && help->selected[0]) {
            pane_help_add_text(help, grid, help->selected, false, width);
        }
        for (const char *const *about = subject->about; about && *about; about++) {
            pane_help_add_text(help, grid, *about, false, width);
        }
        for (unsigned group = 0; group < TT_GROUP_COUNT; group++) {
            int count = 0;
            for (unsigned action = 1; action < TT_DO_COUNT; action++) {
                if (tt_do_at(action)->group == group && !listed[action] &&
                    make_entry(help, ws, subject, action, &entries[count])) {
                    listed[action] = true;
                    count++;
                }
            }
            pane_help_add_entries(help, grid, tt_group_name(group), entries, count, area.width);
        }
        int count = 0;
        const struct tt_mouse_use *use;
        for (unsigned number = 0; (use = tt_mouse_use_at(number)) != NULL; number++) {
            if (use->contexts & subject->contexts) {
                entries[count++] = (struct help_entry){use->mouse, use->help, ""};
            }
        }
        pane_help_add_entries(help, grid, "Mouse", entries, count, area.width);
    }
    tt_list_layout(&help->list, help->count, 0, area.height);
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Draws a line about a view; "{ready}" is the glyph of that name as it is on the screen now. */
static void draw_about(const struct tt_workspace *ws, struct tt_area line, const char *text,
                       size_t length)
{
    int x = INDENT;
    while (length > 0) {
        enum tt_glyph glyph;
        size_t used = glyph_at(text, length, &glyph);
        if (used > 0) {
            tt_draw_fill(line, x++, 0, 1, TT_ROLE_KEY, tt_term_glyph(&ws->term, glyph));
        } else {
            used = 1;
            while (used < length && text[used] != '{') {
                used++;
            }
            x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TEXT, text, used);
        }
        text += used;
        length -= used;
    }
}

static void help_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct help *help = state;
    tt_draw_blank(area, 0, 0, area.width, area.height);
    for (int y = 0; tt_list_row(&help->list, y) < help->count; y++) {
        const struct help_line *line = &help->lines[tt_list_row(&help->list, y)];
        struct tt_area row = tt_area_part(area, 0, y, area.width, 1);
        if (line->text && line->title) {
            tt_draw_text(row, 1, 0, row.width - 1, TT_ROLE_TITLE, line->text, line->length);
            continue;
        }
        if (line->text) {
            draw_about(ws, row, line->text, line->length);
            continue;
        }
        for (int column = 0; column < line->columns && line->entries[column].keys; column++) {
            const struct help_entry *entry = &line->entries[column];
            const int width = area.width / line->columns, x = INDENT + line->keys_width;
            const struct tt_area cell = tt_area_part(row, column * width, 0, width, 1);
            size_t length;
            const char *from = pane_help_part_of(area.grid, entry->keys, line->keys_width - 1,
                                                 line->part, &length);
            tt_draw_text(cell, INDENT, 0, line->keys_width - 1, TT_ROLE_KEY, from, length);
            from = pane_help_part_of(area.grid, entry->help, width - x, line->part, &length);
            tt_draw_text(cell, x, 0, width - x, TT_ROLE_TEXT, from, length);
        }
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns whether a text, or an entry, that begins on this line has the text searched. */
static bool line_has(const struct help_line *line, const char *found)
{
    bool has = line->text && tt_text_contains(line->text, found);
    for (int i = 0; !line->text && i < COLUMNS_MOST && line->entries[i].keys; i++) {
        const struct help_entry *entry = &line->entries[i];
        has |= tt_text_contains(entry->help, found) || tt_text_contains(entry->name, found) ||
               tt_text_contains(entry->keys, found);
    }
    return has && !line->continued;
}

/* Scrolls to the next line that has the text searched last. */
static void pane_help_find_next(struct tt_workspace *ws, struct help *help)
{
    const int count = (int)help->count;
    for (int i = 1; i <= count && help->found[0]; i++) {
        int at = ((int)help->list.top + i) % count;
        if (line_has(&help->lines[at], help->found)) {
            help->list.top = help->list.at = (size_t)at;
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

static bool help_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct help *help = state;
    if (tt_list_scroll(&help->list, action)) {
        return true;
    }
    if (action == TT_DO_HELP_FIND) {
        ws->host.prompt(ws->host.app, TT_PROMPT_HELP, "");
        return true;
    }
    if (action == TT_DO_HELP_FIND_NEXT) {
        pane_help_find_next(ws, help);
        return true;
    }
    return false;
}

static const enum tt_do offers[] = {TT_DO_PAGE_DOWN, TT_DO_HELP_FIND, TT_DO_QUIT, TT_DO_NOTHING};

const struct tt_view tt_overlay_help = {
    .state_size = sizeof(struct help),
    .close = help_close,
    .enter = help_enter,
    .layout = help_layout,
    .draw = help_draw,
    .act = help_act,
    .choose = help_choose,
    .footer = offers,
};
