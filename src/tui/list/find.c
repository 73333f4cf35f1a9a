/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/list/find.h"

#include "tui/input/contains.h"

#define FIND_MOST  100000u /* rows that one search looks at */
#define LINE_BYTES 4096

/* The rows [first, end) on a grid that is not shown. */
struct page {
    struct tt_grid grid;
    size_t first, end;
};

static bool open_page(const struct tt_list_pages *pages, struct page *page)
{
    const struct tt_terminal *term = &pages->ws->term;
    *page = (struct page){.grid = {.ascii = term->grid.ascii, .ellipsis = term->grid.ellipsis}};
    return pages->list->at < pages->list->count && pages->list->lines > 0 &&
           tt_grid_resize(&page->grid, term->body.width, term->body.height);
}

/* Appends the text of a row. Of rows that are not drawn, a page is drawn that has it at one end. */
static void list_find_write_row(const struct tt_list_pages *pages, struct page *page, size_t row,
                                struct tt_text *text)
{
    struct tt_list *list = pages->list;
    const size_t lines = (size_t)list->lines, top = list->top;
    if (row < page->first || row >= page->end) {
        const bool above = row < page->first;
        page->first = !above ? row : row < lines ? 0 : row + 1 - lines;
        page->end = page->first + lines;
        list->top = page->first;
        tt_grid_clear(&page->grid);
        pages->draw(pages->ws, pages->state, tt_grid_area(&page->grid));
        list->top = top;
    }
    tt_grid_line(&page->grid, list->y + (int)(row - page->first), text);
}

bool tt_list_find(const struct tt_list_pages *pages, const char *text, bool forward)
{
    const size_t count = pages->list->count, most = count < FIND_MOST ? count : FIND_MOST;
    char buffer[LINE_BYTES];
    struct page page;
    bool found = false, open = open_page(pages, &page);
    size_t row = pages->list->at;
    for (size_t i = 0; open && i < most && !found; i++) {
        struct tt_text line = tt_text_of(buffer, sizeof buffer);
        row = forward ? (row + 1) % count : (row + count - 1) % count;
        list_find_write_row(pages, &page, row, &line);
        found = tt_text_contains(tt_text_cstr(&line), text);
    }
    if (found) {
        tt_list_go(pages->list, row);
    }
    tt_grid_free(&page.grid);
    return found;
}

void tt_list_copy(const struct tt_list_pages *pages, struct tt_text *text)
{
    struct page page;
    if (open_page(pages, &page)) {
        list_find_write_row(pages, &page, pages->list->at, text);
    }
    tt_grid_free(&page.grid);
}
