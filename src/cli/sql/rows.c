/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sql/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text_columns.h"
#include "cli/options.h"
#include "print/record/fields.h"

#define SAMPLED    500u /* rows from which the widths of a table follow */
#define WIDTH_MOST 60u  /* of a column of a table; longer texts are not cut */
#define COLUMNS    512u

/* ---- csv and jsonl -------------------------------------------------------------------------- */

/* Appends the current row as a record, or the header. */
static void sql_rows_put_row(struct tt_text *text, enum tt_fields_form form,
                             struct tt_sql_query *query)
{
    const struct tt_sql_value none = {.type = TT_SQL_NULL};
    struct tt_fields fields = tt_fields_begin(text, form);
    for (unsigned i = 0; i < tt_sql_column_count(query); i++) {
        const char *name = form != TT_FIELDS_CSV ? tt_sql_column_name(query, i) : NULL;
        struct tt_sql_value value = form != TT_FIELDS_HEADER ? tt_sql_value_of(query, i) : none;
        tt_sql_put_field(&fields, name, &value);
    }
    tt_fields_end(&fields);
}

static struct tt_status sql_rows_print_lines(struct tt_sql_query *query, bool json,
                                             struct tt_output *out)
{
    bool row = true;
    struct tt_status status = tt_ok();
    if (!json) {
        TT_PRINT_LINE(out, sql_rows_put_row(&text, TT_FIELDS_HEADER, query));
    }
    while (row && !tt_failed(&status) && tt_output_is_open(out)) {
        status = tt_sql_step(query, &row);
        if (row && !tt_failed(&status)) {
            TT_PRINT_LINE(out,
                          sql_rows_put_row(&text, json ? TT_FIELDS_JSON : TT_FIELDS_CSV, query));
        }
    }
    return status;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* The first rows, as texts that end with NUL, and the widths of their columns. */
struct table {
    struct tt_sql_query *query;
    unsigned columns;
    char *texts;
    size_t used, capacity;
    size_t *cells; /* offsets in `texts` */
    size_t count, cell_capacity;
    size_t widths[COLUMNS];
    bool is_text[COLUMNS];
};

/* Keeps a value; false if out of memory. */
static bool sql_rows_keep(struct table *table, unsigned column)
{
    struct tt_sql_value value = tt_sql_value_of(table->query, column);
    size_t room = 4 * value.length + 64;
    char *texts = tt_array_reserve(table->texts, table->used + room, &table->capacity, 1);
    table->texts = texts ? texts : table->texts;
    size_t *cells = tt_array_grow(table->cells, table->count, &table->cell_capacity, sizeof *cells);
    table->cells = cells ? cells : table->cells;
    if (!texts || !cells) {
        return false;
    }
    struct tt_text text = tt_text_of(table->texts + table->used, room);

    switch (value.type) {
    case TT_SQL_NULL:
        tt_text_char(&text, '-');
        break;
    case TT_SQL_INTEGER:
        tt_text_i64(&text, value.integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(&text, value.real);
        break;
    case TT_SQL_TEXT:
        tt_text_printable(&text, value.text, value.length);
        break;
    case TT_SQL_BLOB:
        for (size_t i = 0; i < value.length; i++) {
            tt_text_hex(&text, (unsigned char)value.text[i], 2);
        }
        break;
    }

    size_t width = tt_text_columns(text.buffer, text.used);
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    table->widths[column] = width > table->widths[column] ? width : table->widths[column];
    table->is_text[column] |= value.type == TT_SQL_TEXT;
    tt_text_cstr(&text);
    table->cells[table->count++] = table->used;
    table->used += text.used + 1;
    return true;
}

static void sql_rows_put_cell(struct tt_text *text, const struct table *table, unsigned column,
                              const char *cell)
{
    size_t length = strlen(cell), width = tt_text_columns(cell, length);
    size_t blanks = width < table->widths[column] ? table->widths[column] - width : 0;
    bool last = column + 1 == table->columns;
    tt_text_fill(text, ' ', table->is_text[column] ? 0 : blanks);
    tt_text_bytes(text, cell, length);
    tt_text_fill(text, ' ', (table->is_text[column] && !last ? blanks : 0) + (last ? 0 : 2));
    if (last) {
        tt_text_char(text, '\n');
    }
}

/* Prints the rows in columns, as wide as the first rows need, and keeps these until then. */
static struct tt_status print_table(struct table *table, struct tt_output *out)
{
    bool row = true, begun = false;
    struct tt_status status = tt_ok();
    for (unsigned i = 0; i < table->columns; i++) {
        const char *name = tt_sql_column_name(table->query, i);
        table->widths[i] = tt_text_columns(name, strlen(name));
    }
    while (row && !tt_failed(&status) && tt_output_is_open(out)) {
        status = tt_sql_step(table->query, &row);
        for (unsigned i = 0; row && i < table->columns && !tt_failed(&status); i++) {
            status = sql_rows_keep(table, i) ? tt_ok() : tt_error_memory();
        }
        bool full = begun || table->count / table->columns >= SAMPLED || !row;
        if (!full && !tt_failed(&status)) {
            continue;
        }
        if (!begun && (!tt_failed(&status) || table->count > 0)) {
            TT_PRINT_LINE(out, for (unsigned i = 0; i < table->columns; i++) sql_rows_put_cell(
                                   &text, table, i, tt_sql_column_name(table->query, i)));
            begun = true;
        }
        for (size_t i = 0; i < table->count; i++) {
            TT_PRINT_LINE(out, sql_rows_put_cell(&text, table, (unsigned)(i % table->columns),
                                                 table->texts + table->cells[i]));
        }
        table->used = table->count = 0;
    }
    return status;
}

struct tt_status tt_sql_print(struct tt_sql_query *query, int format, struct tt_output *out)
{
    if (format == TT_OUTPUT_CSV || format == TT_OUTPUT_JSONL) {
        return sql_rows_print_lines(query, format == TT_OUTPUT_JSONL, out);
    }
    struct table *table = calloc(1, sizeof *table);
    if (!table) {
        return tt_error_memory();
    }
    table->query = query;
    table->columns = tt_sql_column_count(query);
    struct tt_status status =
        table->columns <= COLUMNS
            ? print_table(table, out)
            : tt_error(TT_ERR_USAGE, "a table has at most %u columns", COLUMNS);
    free(table->texts);
    free(table->cells);
    free(table);
    return status;
}
