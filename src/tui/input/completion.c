/* SPDX-License-Identifier: Apache-2.0 */
/* completion: candidates, Tab, and the list above a prompt. */
#include "tui/input/completion.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracetui/text.h"

/* ---- candidates ----------------------------------------------------------------------------- */

static char completion_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Returns the length of the common prefix of two texts, ASCII letters case-insensitive. */
static size_t common(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] && b[n] && completion_lower(a[n]) == completion_lower(b[n])) {
        n++;
    }
    return n;
}

void tt_completion_begin(struct tt_completion *completion, const char *text, size_t from,
                         size_t caret)
{
    completion->used = 0;
    completion->count = 0;
    completion->more = 0;
    completion->top = 0;
    completion->from = from;
    completion->to = caret;
    completion->word = text + from;
}

/* Stores a copy of a text and returns its offset; SIZE_MAX if out of memory. */
static size_t completion_keep(struct tt_completion *completion, const char *text)
{
    size_t length = strlen(text) + 1;
    char *bytes = tt_array_reserve(completion->bytes, completion->used + length,
                                   &completion->capacity, sizeof *bytes);
    if (!bytes) {
        return SIZE_MAX;
    }
    completion->bytes = bytes;
    size_t at = completion->used;
    memcpy(completion->bytes + at, text, length);
    completion->used += length;
    return at;
}

static bool completion_has_room(struct tt_completion *completion)
{
    struct tt_candidate *items = tt_array_grow(completion->items, completion->count,
                                               &completion->item_capacity, sizeof *items);
    completion->items = items ? items : completion->items;
    return items != NULL;
}

static void completion_offer(struct tt_completion *completion, const char *insert,
                             const char *shown, const char *help)
{
    if (completion->count == TT_COMPLETION_MOST || !completion_has_room(completion)) {
        completion->more++;
        return;
    }
    struct tt_candidate item = {completion_keep(completion, insert),
                                completion_keep(completion, shown ? shown : insert),
                                completion_keep(completion, help ? help : "")};
    if (item.insert == SIZE_MAX || item.shown == SIZE_MAX || item.help == SIZE_MAX) {
        completion->more++;
        return;
    }
    completion->items[completion->count++] = item;
}

static bool begins(const struct tt_completion *completion, const char *text)
{
    size_t length = completion->to - completion->from;
    return common(text, completion->word, length) == length;
}

void tt_completion_offer(struct tt_completion *completion, const char *insert, const char *shown,
                         const char *help)
{
    if (begins(completion, insert)) {
        completion_offer(completion, insert, shown, help);
    }
}

void tt_completion_offer_quoted(struct tt_completion *completion, const char *insert,
                                const char *bare, const char *help)
{
    if (begins(completion, insert) || begins(completion, bare)) {
        completion_offer(completion, insert, NULL, help);
    }
}

void tt_completion_sort(struct tt_completion *completion)
{
    /* Insertion sort: the names of one directory, once per key. */
    for (unsigned i = 1; i < completion->count; i++) {
        struct tt_candidate item = completion->items[i];
        unsigned at = i;
        while (at > 0 && strcmp(completion->bytes + item.insert,
                                completion->bytes + completion->items[at - 1].insert) < 0) {
            completion->items[at] = completion->items[at - 1];
            at--;
        }
        completion->items[at] = item;
    }
}

const char *tt_completion_insert(const struct tt_completion *completion, unsigned item)
{
    return completion->bytes + completion->items[item].insert;
}

static void completion_gather(struct tt_completion *completion, const struct tt_line_edit *prompt,
                              tt_complete_source source, void *arg)
{
    tt_completion_begin(completion, prompt->text, prompt->caret, prompt->caret);
    source(arg, prompt->text, prompt->caret, completion);
    completion->chosen = completion->count;
}

/* ---- Tab ------------------------------------------------------------------------------------ */

static bool put_in(struct tt_completion *completion, struct tt_line_edit *prompt, const char *text)
{
    if (!tt_line_edit_replace(prompt, completion->from, completion->to, text)) {
        return false;
    }
    completion->to = prompt->caret;
    return true;
}

bool tt_completion_tab(struct tt_completion *completion, struct tt_line_edit *prompt, bool back,
                       tt_complete_source source, void *arg)
{
    if (completion->open) {
        unsigned count = completion->count, chosen = completion->chosen;
        if (back) {
            chosen = chosen == 0 || chosen == count ? count - 1 : chosen - 1;
        } else {
            chosen = chosen >= count - 1 ? 0 : chosen + 1;
            if (completion->chosen == count) {
                chosen = 0;
            }
        }
        completion->chosen = chosen;
        completion->open =
            count > 1; /* a single candidate is done: the next Tab completes what follows */
        return put_in(completion, prompt, tt_completion_insert(completion, chosen));
    }
    completion_gather(completion, prompt, source, arg);
    if (completion->count == 0) {
        return false;
    }
    if (completion->count == 1 && completion->more == 0) {
        return put_in(completion, prompt, tt_completion_insert(completion, 0));
    }
    completion->open = true;

    /* The length of the candidates' common prefix, cut at a character boundary. */
    const char *first = tt_completion_insert(completion, 0);
    size_t length = strlen(first);
    for (unsigned i = 1; i < completion->count; i++) {
        length = common(first, tt_completion_insert(completion, i), length);
    }
    while (length > 0 && ((unsigned char)first[length] & 0xc0) == 0x80) {
        length--;
    }

    if (completion->more > 0 || length <= completion->to - completion->from) {
        return false;
    }
    char *text = malloc(length + 1);
    if (!text) {
        return false;
    }
    memcpy(text, tt_completion_insert(completion, 0), length);
    text[length] = '\0';
    bool changed = put_in(completion, prompt, text);
    free(text);
    return changed;
}

void tt_completion_follow(struct tt_completion *completion, const struct tt_line_edit *prompt,
                          tt_complete_source source, void *arg)
{
    if (completion->open) {
        completion_gather(completion, prompt, source, arg);
        completion->open = completion->count > 0;
    }
}

void tt_completion_close(struct tt_completion *completion)
{
    completion->open = false;
}

void tt_completion_free(struct tt_completion *completion)
{
    free(completion->bytes);
    free(completion->items);
    memset(completion, 0, sizeof *completion);
}

/* Returns the columns of the longest visible text, at most three fifths of the width. */
static int shown_width(const struct tt_completion *completion, unsigned lines, struct tt_area area)
{
    int width = 0;
    for (unsigned i = completion->top; i < completion->top + lines; i++) {
        const char *shown = completion->bytes + completion->items[i].shown;
        int columns = tt_grid_columns(area.grid, shown, strlen(shown));
        width = columns > width ? columns : width;
    }
    int most = area.width * 3 / 5;
    return width > most ? most : width;
}

/* Returns the number of visible items in an area of `height` lines. */
static unsigned visible_items(const struct tt_completion *completion, int height)
{
    int lines = (height < TT_COMPLETION_LINES ? height : TT_COMPLETION_LINES) - 1;
    if (!completion->open || lines < 1) {
        return 0;
    }
    return (unsigned)lines > completion->count ? completion->count : (unsigned)lines;
}

void tt_completion_layout(struct tt_completion *completion, int height)
{
    unsigned lines = visible_items(completion, height), chosen = completion->chosen;
    if (lines > 0 && chosen < completion->count) {
        completion->top = chosen < completion->top            ? chosen
                          : chosen >= completion->top + lines ? chosen - lines + 1
                                                              : completion->top;
    }
}

void tt_completion_draw(const struct tt_completion *completion, const struct tt_theme *theme,
                        struct tt_area area)
{
    unsigned lines = visible_items(completion, area.height), chosen = completion->chosen;
    if (lines == 0) {
        return;
    }
    int y = area.height - (int)lines - 1;
    tt_draw_blank(area, 0, y, area.width, (int)lines + 1);

    /*
     * ---- the list -------------------------------------------------------------------------------
     */
    struct tt_area line = tt_area_part(area, 0, y, area.width, 1);
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_char(&text, ' ');
    if (completion->chosen < completion->count) {
        tt_text_put(&text, "%'u of ", completion->chosen + 1);
    }
    tt_text_put(&text, "%'ju ", (uint64_t)completion->count + completion->more);
    tt_draw_fill(line, 0, 0, line.width, TT_ROLE_LINE,
                 tt_theme_glyph(theme, TT_GLYPH_LINE, line.grid->ascii));
    tt_draw_text(line, 2, 0, line.width - 2, TT_ROLE_DIM, text.buffer, text.used);

    int width = shown_width(completion, lines, area);
    for (unsigned i = completion->top; i < completion->top + lines; i++) {
        const char *shown = completion->bytes + completion->items[i].shown;
        const char *help = completion->bytes + completion->items[i].help;
        y++;
        tt_draw(area, 1, y, width, TT_ROLE_KEY, shown);
        tt_draw(area, width + 3, y, area.width - width - 3, TT_ROLE_TEXT, help);
        if (i == chosen) {
            tt_draw_over(area, 0, y, area.width, TT_ROLE_FIELD);
        }
    }
}
