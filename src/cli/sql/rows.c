/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sql/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text_columns.h"
#include "cli/options.h"
#include "tracetui/fields.h"

#define SAMPLED    500u /* rows from which the widths of a table follow */
#define WIDTH_MOST 60u  /* of a column of a table; longer texts are not cut */
#define COLUMNS    512u

/* ---- csv and jsonl -------------------------------------------------------------------------- */

/* Appends the current row as a record, or the header. */
static void put_row(struct tt_text *text, enum tt_fields_form form, struct tt_sql_query *query)
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

static struct tt_status print_lines(struct tt_sql_query *query, bool json, struct tt_output *out)
{
    bool row = true;
    struct tt_status status = tt_ok();
    if (!json) {
        TT_PRINT_LINE(out, put_row(&text, TT_FIELDS_HEADER, query));
    }
    while (row && !tt_failed(&status) && tt_output_is_open(out)) {
        status = tt_sql_step(query, &row);
        if (row && !tt_failed(&status)) {
            TT_PRINT_LINE(out, put_row(&text, json ? TT_FIELDS_JSON : TT_FIELDS_CSV, query));
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

static void table_value(struct tt_text *text, const struct tt_sql_value *v)
{
    switch (v->type) {
    case TT_SQL_NULL:
        tt_text_char(text, '-');
        break;
    case TT_SQL_INTEGER:
        tt_text_i64(text, v->integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(text, v->real);
        break;
    case TT_SQL_TEXT:
        tt_text_printable(text, v->text, v->length);
        break;
    case TT_SQL_BLOB:
        for (size_t i = 0; i < v->length; i++) {
            tt_text_hex(text, (unsigned char)v->text[i], 2);
        }
        break;
    }
}

/* Keeps a value; false if out of memory. */
static bool keep(struct table *t, unsigned column)
{
    struct tt_sql_value value = tt_sql_value_of(t->query, column);
    size_t room = 4 * value.length + 64;
    char *texts = tt_array_reserve(t->texts, t->used + room, &t->capacity, 1);
    t->texts = texts ? texts : t->texts;
    size_t *cells = tt_array_grow(t->cells, t->count, &t->cell_capacity, sizeof *cells);
    t->cells = cells ? cells : t->cells;
    if (!texts || !cells) {
        return false;
    }
    struct tt_text text = tt_text_of(t->texts + t->used, room);
    table_value(&text, &value);
    size_t width = tt_text_columns(text.buffer, text.used);
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    t->widths[column] = width > t->widths[column] ? width : t->widths[column];
    t->is_text[column] |= value.type == TT_SQL_TEXT;
    tt_text_cstr(&text);
    t->cells[t->count++] = t->used;
    t->used += text.used + 1;
    return true;
}

static void put_cell(struct tt_text *text, const struct table *t, unsigned column, const char *cell)
{
    size_t length = strlen(cell), width = tt_text_columns(cell, length);
    size_t blanks = width < t->widths[column] ? t->widths[column] - width : 0;
    bool last = column + 1 == t->columns;
    tt_text_fill(text, ' ', t->is_text[column] ? 0 : blanks);
    tt_text_bytes(text, cell, length);
    tt_text_fill(text, ' ', (t->is_text[column] && !last ? blanks : 0) + (last ? 0 : 2));
    if (last) {
        tt_text_char(text, '\n');
    }
}

/* Prints the rows in columns, as wide as the first rows need, and keeps these until then. */
static struct tt_status print_table(struct table *t, struct tt_output *out)
{
    bool row = true, begun = false;
    struct tt_status status = tt_ok();
    for (unsigned i = 0; i < t->columns; i++) {
        const char *name = tt_sql_column_name(t->query, i);
        t->widths[i] = tt_text_columns(name, strlen(name));
    }
    while (row && !tt_failed(&status) && tt_output_is_open(out)) {
        status = tt_sql_step(t->query, &row);
        for (unsigned i = 0; row && i < t->columns && !tt_failed(&status); i++) {
            status = keep(t, i) ? tt_ok() : tt_error_memory();
        }
        bool full = begun || t->count / t->columns >= SAMPLED || !row;
        if (!full && !tt_failed(&status)) {
            continue;
        }
        if (!begun && (!tt_failed(&status) || t->count > 0)) {
            TT_PRINT_LINE(out, for (unsigned i = 0; i < t->columns; i++)
                                   put_cell(&text, t, i, tt_sql_column_name(t->query, i)));
            begun = true;
        }
        for (size_t i = 0; i < t->count; i++) {
            TT_PRINT_LINE(out,
                          put_cell(&text, t, (unsigned)(i % t->columns), t->texts + t->cells[i]));
        }
        t->used = t->count = 0;
    }
    return status;
}

struct tt_status tt_sql_print(struct tt_sql_query *query, int format, struct tt_output *out)
{
    if (format == TT_OUTPUT_CSV || format == TT_OUTPUT_JSONL) {
        return print_lines(query, format == TT_OUTPUT_JSONL, out);
    }
    struct table *t = calloc(1, sizeof *t);
    if (!t) {
        return tt_error_memory();
    }
    t->query = query;
    t->columns = tt_sql_column_count(query);
    struct tt_status status =
        t->columns <= COLUMNS ? print_table(t, out)
                              : tt_error(TT_ERR_USAGE, "a table has at most %u columns", COLUMNS);
    free(t->texts);
    free(t->cells);
    free(t);
    return status;
}
