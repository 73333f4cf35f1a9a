/* SPDX-License-Identifier: Apache-2.0 */
/* row_text: values of a query on the screen and in files. */
#include <math.h>
#include <string.h>

#include "tracetui/json.h"
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

void tt_query_put_csv(struct tt_text *text, const struct tt_querying *q,
                      const struct tt_query_row *row)
{
    for (unsigned i = 0; i < tt_querying_columns(q); i++) {
        tt_text_str(text, i > 0 ? "," : "");
        size_t start = text->used;
        if (!row) {
            const char *name = tt_querying_column(q, i);
            tt_text_escaped(text, name, strlen(name));
        } else {
            tt_query_put(text, &row->cells[i]);
        }
        if (!row || row->cells[i].type == TT_SQL_TEXT) {
            tt_csv_text_from(text, start);
        }
    }
    tt_text_char(text, '\n');
}

static void put_json_cell(struct tt_text *text, const struct tt_query_cell *cell)
{
    switch ((enum tt_sql_type)cell->type) {
    case TT_SQL_NULL:
        tt_text_str(text, "null");
        break;
    case TT_SQL_INTEGER:
        tt_json_i64(text, cell->value.integer);
        break;
    case TT_SQL_REAL:
        if (isfinite(cell->value.real)) {
            tt_text_double(text, cell->value.real);
        } else {
            tt_text_str(text, "null"); /* JSON has no infinity */
        }
        break;
    case TT_SQL_TEXT:
        tt_text_json(text, cell->text, cell->value.length);
        break;
    case TT_SQL_BLOB:
        tt_text_char(text, '"');
        put_hex(text, cell);
        tt_text_char(text, '"');
        break;
    }
}

void tt_query_put_json(struct tt_text *text, const struct tt_querying *q,
                       const struct tt_query_row *row)
{
    for (unsigned i = 0; i < tt_querying_columns(q); i++) {
        const char *name = tt_querying_column(q, i);
        tt_text_char(text, i > 0 ? ',' : '{');
        tt_text_json(text, name, strlen(name));
        tt_text_char(text, ':');
        put_json_cell(text, &row->cells[i]);
    }
    tt_text_str(text, "}\n");
}
