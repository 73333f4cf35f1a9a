/* SPDX-License-Identifier: Apache-2.0 */
/* row_text: values of a query on the screen and in files. */
#include <string.h>

#include "tracetui/fields.h"
#include "tui/query/querying.h"

static void put_hex(struct tt_text *text, const struct tt_query_cell *cell)
{
    tt_text_str(text, "x'");
    for (uint64_t i = 0; i < cell->value.length && !text->truncated; i++) {
        tt_text_hex(text, (uint8_t)cell->text[i], 2);
    }
    tt_text_char(text, '\'');
}

void tt_query_put(struct tt_text *text, const struct tt_query_cell *cell)
{
    switch ((enum tt_sql_type)cell->type) {
    case TT_SQL_NULL:
        break;
    case TT_SQL_INTEGER:
        tt_text_i64(text, cell->value.integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(text, cell->value.real);
        break;
    case TT_SQL_TEXT:
        tt_text_escaped(text, cell->text, cell->value.length);
        break;
    case TT_SQL_BLOB:
        put_hex(text, cell);
        break;
    }
}

void tt_query_put_row(struct tt_text *text, enum tt_fields_form form, const struct tt_querying *q,
                      const struct tt_query_row *row)
{
    struct tt_fields fields = tt_fields_begin(text, form);
    for (unsigned i = 0; i < tt_querying_columns(q); i++) {
        struct tt_sql_value value = {.type = TT_SQL_NULL};
        if (row) {
            const struct tt_query_cell *cell = &row->cells[i];
            value = (struct tt_sql_value){.type = (enum tt_sql_type)cell->type,
                                          .text = cell->text,
                                          .integer = cell->value.integer,
                                          .real = cell->value.real,
                                          .length = cell->value.length};
        }
        tt_sql_put_field(&fields, tt_querying_column(q, i), &value);
    }
    tt_fields_end(&fields);
}
