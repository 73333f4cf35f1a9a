/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/list/find.h"

#include "base/clock.h"
#include "tui/input/contains.h"

#define LINE_BYTES 4096

/* The rows [first, end) on a grid that is not shown. */
struct page {
    struct tt_grid grid;
    size_t first, end;
    bool upwards; /* the first page ends with its row */
};

static bool open_page(const struct tt_list_pages *pages, struct page *page, int width)
{
    const struct tt_terminal *term = &pages->ws->term;
    *page = (struct page){.grid = {.ascii = term->grid.ascii, .ellipsis = term->grid.ellipsis}};
    return pages->list->at < pages->list->count && pages->list->lines > 0 &&
           tt_grid_resize(&page->grid, width > term->body.width ? width : term->body.width,
                          term->body.height);
}

/* Appends the text of a row. Of rows that are not drawn, a page is drawn that has it at one end. */
static void list_find_write_row(const struct tt_list_pages *pages, struct page *page, size_t row,
                                struct tt_text *text)
{
    struct tt_list *list = pages->list;
    const size_t lines = (size_t)list->lines, top = list->top;
    if (row < page->first || row >= page->end) {
        const bool above = page->end > 0 ? row < page->first : page->upwards;
        page->first = !above ? row : row < lines ? 0 : row + 1 - lines;
        page->end = page->first + lines;
        list->top = page->first;
        tt_grid_clear(&page->grid);
        pages->draw(pages->ws, pages->state, tt_grid_area(&page->grid));
        list->top = top;
    }
    tt_grid_line(&page->grid, list->y + (int)(row - page->first), text);
}

void tt_list_search_begin(struct tt_list_search *search, const struct tt_list *list, bool forward)
{
    search->active = true;
    search->forward = forward;
    search->row = list->at;
    search->left = search->rows = list->count;
}

bool tt_list_search_step(struct tt_list_search *search, const struct tt_list_pages *pages,
                         uint64_t budget_ns)
{
    const size_t count = pages->list->count;
    const uint64_t until = tt_now_ns() + budget_ns;
    char buffer[LINE_BYTES];
    struct page page;
    bool found = false, open = open_page(pages, &page, 0);
    page.upwards = !search->forward;
    while (open && search->left > 0 && !found) {
        struct tt_text line = tt_text_of(buffer, sizeof buffer);
        const size_t next = (search->forward ? search->row + 1 : search->row + count - 1) % count;
        const bool is_drawn = next >= page.first && next < page.end;
        if (!is_drawn && page.end > 0 && tt_now_ns() >= until) {
            break;
        }
        search->row = next;
        search->left--;
        list_find_write_row(pages, &page, search->row, &line);
        found = tt_text_contains(tt_text_cstr(&line), search->text);
    }
    search->active = open && !found && search->left > 0;
    if (found) {
        tt_list_go(pages->list, search->row);
    }
    tt_grid_free(&page.grid);
    return found;
}

unsigned tt_list_search_percent(const struct tt_list_search *search)
{
    return search->rows > 0
               ? (unsigned)((uint64_t)(search->rows - search->left) * 100 / search->rows)
               : 100;
}

void tt_list_copy(const struct tt_list_pages *pages, int width, struct tt_text *text)
{
    struct page page;
    if (open_page(pages, &page, width)) {
        list_find_write_row(pages, &page, pages->list->at, text);
    }
    tt_grid_free(&page.grid);
}
