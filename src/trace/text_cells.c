/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text_cells.h"

#include <stdlib.h>

#include "base/array.h"

static bool text_cells_grow(struct tt_text_cells *cells)
{
    size_t min = cells->capacity ? cells->capacity + 1 : 4096;
    /* Offsets have 32 bits. */
    char *texts = tt_array_reserve_to(cells->texts, min, &cells->capacity, 1, UINT32_MAX);
    cells->texts = texts ? texts : cells->texts;
    return texts != NULL;
}

/* Returns the bytes of a cell with its blanks. */
static size_t padded(size_t length)
{
    size_t whole = (length + 15) / 16 * 16;
    return whole > TT_CELL ? whole : TT_CELL;
}

/* Adds the text that `write` appends; false if out of memory. */
static bool text_cells_add(struct tt_text_cells *cells, tt_cell_writer *write,
                           const struct tt_capture *capture, uint32_t number, struct tt_cell *cell)
{
    while (cells->texts || text_cells_grow(cells)) {
        struct tt_text text = tt_text_of(cells->texts + cells->used, cells->capacity - cells->used);
        write(&text, capture, number);
        size_t length = text.used;
        tt_text_fill(&text, ' ', padded(length) - length);
        if (!text.truncated) {
            *cell = (struct tt_cell){(uint32_t)cells->used, (uint32_t)length};
            cells->used += text.used;
            return true;
        }
        if (!text_cells_grow(cells)) {
            return false;
        }
    }
    return false;
}

struct tt_cell *tt_text_cells_add_all(struct tt_text_cells *cells, tt_cell_writer *write,
                                      const struct tt_capture *capture, uint32_t count)
{
    struct tt_cell *all = calloc((size_t)count + 1, sizeof *all);
    for (uint32_t i = 0; all && i < count; i++) {
        if (!text_cells_add(cells, write, capture, i, &all[i])) {
            free(all);
            return NULL;
        }
    }
    return all;
}

bool tt_name_cells_open(struct tt_name_cells *names, const struct tt_capture *capture,
                        tt_cell_writer *put_thread, tt_cell_writer *put_type)
{
    uint32_t threads = tt_thread_count(capture);
    names->thread_count = threads < TT_CELL_THREADS_MAX ? threads : TT_CELL_THREADS_MAX;
    names->type_count = tt_types_count(capture);
    names->threads = tt_text_cells_add_all(&names->cells, put_thread, capture, names->thread_count);
    names->types = tt_text_cells_add_all(&names->cells, put_type, capture, names->type_count);
    return names->threads && names->types &&
           text_cells_add(&names->cells, put_thread, capture, TT_NO_THREAD, &names->no_thread);
}

void tt_name_cells_close(struct tt_name_cells *names)
{
    free(names->cells.texts);
    free(names->threads);
    free(names->types);
}
