/* SPDX-License-Identifier: Apache-2.0 */
/* text_columns: the columns that a text occupies on a terminal, in any locale. */
#ifndef TT_BASE_TEXT_COLUMNS_H
#define TT_BASE_TEXT_COLUMNS_H

#include <stddef.h>

struct tt_text;

/* Returns the columns of a UTF-8 text: 2 for a wide character, 0 for a combining one, otherwise 1. */
size_t tt_text_columns(const char *bytes, size_t length);
/* Returns how many of the bytes fit into `width` columns; never cuts a character. */
size_t tt_text_fitting(const char *bytes, size_t length, size_t width);

/* Cuts what a text has from `start` on to `width` (1 at least) columns, with an ellipsis. */
void tt_text_shorten(struct tt_text *text, size_t start, size_t width);

/* Columns of a name in a table for reading at most. */
#define TT_NAME_COLUMNS 60u

#endif
