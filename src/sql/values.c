/* SPDX-License-Identifier: Apache-2.0 */
/* values: values of a query as fields of a record. */
#include <string.h>

#include "print/record/fields.h"
#include "sql/sql.h"

static void values_put_hex(struct tt_fields *fields, const struct tt_sql_value *value)
{
    size_t start = tt_field_open_text(fields, NULL);
    for (size_t i = 0; i < value->length && !fields->text->truncated; i++) {
        tt_text_hex(fields->text, (unsigned char)value->text[i], 2);
    }
    tt_field_close_text(fields, start);
}

/* Appends a text: as a cell of CSV it keeps the escapes that functions have written. */
static void values_put_text(struct tt_fields *fields, const struct tt_sql_value *value)
{
    if (fields->form == TT_FIELDS_JSON) {
        tt_field_bytes(fields, NULL, value->text, value->length);
        return;
    }
    size_t start = tt_field_open_text(fields, NULL);
    tt_text_printable(fields->text, value->text, value->length);
    tt_field_close_text(fields, start);
}

void tt_sql_put_field(struct tt_fields *fields, const char *name, const struct tt_sql_value *value)
{
    if (name) {
        tt_field_name(fields, name, strlen(name), NULL);
    }
    switch (value->type) {
    case TT_SQL_NULL:
        tt_field_none(fields, NULL);
        break;
    case TT_SQL_INTEGER:
        tt_field_i64(fields, NULL, value->integer);
        break;
    case TT_SQL_REAL:
        tt_field_real(fields, NULL, value->real);
        break;
    case TT_SQL_TEXT:
        values_put_text(fields, value);
        break;
    case TT_SQL_BLOB:
        values_put_hex(fields, value);
        break;
    }
}
