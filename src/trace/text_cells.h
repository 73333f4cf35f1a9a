/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_cells: texts rendered once, to be copied into many lines.
 *
 * Blanks follow each text up to TT_CELL bytes, or to the next multiple of 16: a text that fits its
 * column is copied with them as one piece of constant size, and a longer one 16 bytes at a time.
 * The owner frees `texts`, or closes the names; a zeroed struct is empty. Cells may be read by any
 * thread once all are added.
 */
#ifndef TT_TRACE_TEXT_CELLS_H
#define TT_TRACE_TEXT_CELLS_H

#include <string.h>

#include "tracetui/capture.h"
#include "tracetui/text.h"

#define TT_CELL 32u

/* Maximum number of threads whose names are rendered: of more threads, few occur twice. */
#define TT_CELL_THREADS_MAX (UINT32_C(1) << 14)

/* A text in the buffer. */
struct tt_cell {
    uint32_t offset;
    uint32_t length; /* without the blanks */
};

struct tt_text_cells {
    char *texts;
    size_t used;
    size_t capacity;
};

/* Appends the text of a thread, a type or a kind. */
typedef void tt_cell_writer(struct tt_text *text, const struct tt_capture *capture,
                            uint32_t number);

/*
 * Adds the texts of the numbers below `count`; returns an array with a cell for each, which the
 * caller frees. NULL if out of memory.
 */
struct tt_cell *tt_text_cells_add_all(struct tt_text_cells *cells, tt_cell_writer *write,
                                      const struct tt_capture *capture, uint32_t count);

/* Returns the cell of a number, or NULL if it was not rendered. */
static inline const struct tt_cell *tt_cell_find(const struct tt_cell *all, uint32_t count,
                                                 uint32_t number)
{
    return number < count ? &all[number] : NULL;
}

/* The names of threads and types. */
struct tt_name_cells {
    struct tt_text_cells cells;
    struct tt_cell *threads;
    struct tt_cell *types;
    struct tt_cell no_thread;
    uint32_t thread_count; /* TT_CELL_THREADS_MAX at most */
    uint32_t type_count;
};

/* Renders the names, in a zeroed struct; false if out of memory. Close it in any case. */
bool tt_name_cells_open(struct tt_name_cells *names, const struct tt_capture *capture,
                        tt_cell_writer *put_thread, tt_cell_writer *put_type);
void tt_name_cells_close(struct tt_name_cells *names);

/* Returns the cell of a thread, or NULL if it was not rendered. */
static inline const struct tt_cell *tt_thread_cell(const struct tt_name_cells *names,
                                                   uint32_t thread)
{
    return thread == TT_NO_THREAD ? &names->no_thread
                                  : tt_cell_find(names->threads, names->thread_count, thread);
}

/* Does the same for an event type. */
static inline const struct tt_cell *tt_type_cell(const struct tt_name_cells *names, uint32_t type)
{
    return tt_cell_find(names->types, names->type_count, type);
}

/* Copies a text of any length; changes up to 15 bytes after it. Returns its end. */
static inline char *tt_cell_copy(char *to, const struct tt_text_cells *cells,
                                 const struct tt_cell *cell)
{
    const char *from = cells->texts + cell->offset;
    for (uint32_t i = 0; i < cell->length; i += 16) {
        memcpy(to + i, from + i, 16);
    }
    return to + cell->length;
}

#endif
