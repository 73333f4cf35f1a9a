/* SPDX-License-Identifier: Apache-2.0 */
/* text_columns: the columns that a text occupies on a terminal, in any locale. */
#ifndef TT_BASE_TEXT_COLUMNS_H
#define TT_BASE_TEXT_COLUMNS_H

#include <stddef.h>

/* Returns the columns of a UTF-8 text: 2 for a wide character, 0 for a combining one, otherwise 1. */
size_t tt_text_columns(const char *bytes, size_t length);
/* Returns how many of the bytes fit into `width` columns; never cuts a character. */
size_t tt_text_fitting(const char *bytes, size_t length, size_t width);

#endif
