/* SPDX-License-Identifier: Apache-2.0 */
#include "print/record/fields.h"

#include <math.h>
#include <string.h>

#include "base/format_fast.h"

/* ---- text cells of CSV -------------------------------------------------------------------- */

/*
 * Returns whether a spreadsheet reads a cell with this first character as a formula, or it is the
 * apostrophe that prevents that.
 */
static bool needs_mark(char first)
{
    return first == '=' || first == '+' || first == '-' || first == '@' || first == '\t' ||
           first == '\r' || first == '\'';
}

/* Inserts a byte before the text written from `start` on. */
static void put_before(struct tt_text *text, size_t start, char c)
{
    if (text->used == text->capacity) {
        text->truncated = true;
        return;
    }
    memmove(text->buffer + start + 1, text->buffer + start, text->used - start);
    text->buffer[start] = c;
    text->used++;
}

/* Returns false if a cell needs no quotes, as nearly all: eight bytes at a time. */
static bool may_need_quotes(const char *cell, size_t length)
{
    uint64_t bytes = TT_EACH_BYTE(' ');
    if (length < sizeof bytes) {
        for (size_t i = 0; i < length; i++) {
            bytes = bytes << 8 | (unsigned char)cell[i];
        }
        return tt_any_csv(bytes);
    }
    for (size_t i = 0; i + sizeof bytes < length; i += sizeof bytes) {
        memcpy(&bytes, cell + i, sizeof bytes);
        if (tt_any_csv(bytes)) {
            return true;
        }
    }
    memcpy(&bytes, cell + length - sizeof bytes, sizeof bytes); /* overlaps the previous eight */
    return tt_any_csv(bytes);
}

/* Returns whether a cell needs quotes; counts those that it contains. */
static bool needs_quotes(const char *cell, size_t length, size_t *quotes)
{
    bool needs = false;
    *quotes = 0;
    for (size_t i = 0; i < length; i++) {
        *quotes += cell[i] == '"';
        needs = needs || cell[i] == '"' || cell[i] == ',' || cell[i] == '\n' || cell[i] == '\r';
    }
    return needs;
}

void tt_field_quote(struct tt_text *text, size_t start)
{
    if (text->used <= start) {
        return;
    }
    if (needs_mark(text->buffer[start])) {
        put_before(text, start, '\'');
    }
    const char *cell = text->buffer + start;
    size_t length = text->used - start;
    size_t quotes;
    if (!may_need_quotes(cell, length) || !needs_quotes(cell, length, &quotes)) {
        return;
    }
    size_t more = quotes + 2;
    if (text->capacity - text->used < more) {
        text->truncated = true;
        return;
    }
    text->used += more;
    char *to = text->buffer + text->used;
    *--to = '"';
    for (size_t i = start + length; i-- > start;) {
        *--to = text->buffer[i];
        if (text->buffer[i] == '"') {
            *--to = '"';
        }
    }
    *--to = '"';
}

/* ---- records ------------------------------------------------------------------------------ */

struct tt_fields tt_fields_begin(struct tt_text *text, enum tt_fields_form form)
{
    tt_text_str(text, form == TT_FIELDS_JSON ? "{" : "");
    return (struct tt_fields){text, form, false, false};
}

void tt_fields_end(struct tt_fields *fields)
{
    tt_text_str(fields->text, fields->form == TT_FIELDS_JSON ? "}\n" : "\n");
}

static void separate(struct tt_fields *fields)
{
    if (fields->begun) {
        tt_text_char(fields->text, ',');
    }
    fields->begun = true;
}

void tt_field_name(struct tt_fields *fields, const char *bytes, size_t length, const char *ending)
{
    separate(fields);
    fields->named = true;
    if (fields->form == TT_FIELDS_JSON) {
        tt_text_char(fields->text, '"');
        tt_text_json_part(fields->text, bytes, length);
        if (ending) {
            tt_text_str(fields->text, ending);
        }
        tt_text_bytes(fields->text, "\":", 2);
    } else if (fields->form == TT_FIELDS_HEADER) {
        size_t start = fields->text->used;
        tt_text_escaped(fields->text, bytes, length);
        tt_field_quote(fields->text, start);
    }
}

bool tt_field_key(struct tt_fields *fields, const char *key)
{
    bool named = fields->named;
    fields->named = false;
    if (!named) {
        separate(fields);
    }
    if (fields->form == TT_FIELDS_HEADER) {
        tt_text_str(fields->text, named ? "" : key);
        return false;
    }
    if (fields->form == TT_FIELDS_JSON && key) {
        tt_text_char(fields->text, '"');
        tt_text_str(fields->text, key);
        tt_text_bytes(fields->text, "\":", 2);
    }
    return true;
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Appends a quote around a number that JSON cannot represent. */
static void put_quote(struct tt_fields *fields, bool quoted)
{
    if (quoted) {
        tt_text_char(fields->text, '"');
    }
}

void tt_field_none(struct tt_fields *fields, const char *key)
{
    if (tt_field_key(fields, key) && fields->form == TT_FIELDS_JSON) {
        tt_text_str(fields->text, "null");
    }
}

void tt_field_u64(struct tt_fields *fields, const char *key, uint64_t value)
{
    if (!tt_field_key(fields, key)) {
        return;
    }
    bool quoted = fields->form == TT_FIELDS_JSON && value > TT_JSON_EXACT;
    put_quote(fields, quoted);
    tt_text_u64(fields->text, value);
    put_quote(fields, quoted);
}

void tt_field_i64(struct tt_fields *fields, const char *key, int64_t value)
{
    if (value >= 0) {
        tt_field_u64(fields, key, (uint64_t)value);
    } else if (tt_field_key(fields, key)) {
        bool quoted = fields->form == TT_FIELDS_JSON && 0 - (uint64_t)value > TT_JSON_EXACT;
        put_quote(fields, quoted);
        tt_text_i64(fields->text, value);
        put_quote(fields, quoted);
    }
}

void tt_field_number(struct tt_fields *fields, const char *key, bool known, uint64_t value)
{
    if (known) {
        tt_field_u64(fields, key, value);
    } else {
        tt_field_none(fields, key);
    }
}

void tt_field_decimal(struct tt_fields *fields, const char *key, uint64_t number, unsigned decimals)
{
    if (tt_field_key(fields, key)) {
        tt_text_decimal(fields->text, number, decimals);
    }
}

void tt_field_real(struct tt_fields *fields, const char *key, double value)
{
    if (tt_field_key(fields, key)) {
        bool quoted = fields->form == TT_FIELDS_JSON && !isfinite(value);
        put_quote(fields, quoted);
        tt_text_double(fields->text, value);
        put_quote(fields, quoted);
    }
}

void tt_field_flag(struct tt_fields *fields, const char *key, bool value)
{
    if (tt_field_key(fields, key)) {
        bool json = fields->form == TT_FIELDS_JSON;
        tt_text_str(fields->text, value ? json ? "true" : "1" : json ? "false" : "0");
    }
}

/* ---- texts -------------------------------------------------------------------------------- */

void tt_field_text(struct tt_fields *fields, const char *key, const char *string)
{
    if (string) {
        tt_field_bytes(fields, key, string, strlen(string));
    } else {
        tt_field_none(fields, key);
    }
}

void tt_field_bytes(struct tt_fields *fields, const char *key, const char *bytes, size_t length)
{
    size_t start;
    if (fields->form == TT_FIELDS_CSV) {
        start = tt_field_open_text(fields, key);
        tt_text_escaped(fields->text, bytes, length);
        tt_field_close_text(fields, start);
    } else if (tt_field_key(fields, key)) {
        tt_text_json(fields->text, bytes, length);
    }
}

void tt_field_line(struct tt_fields *fields, const char *key, const char *bytes, size_t length)
{
    size_t start;
    if (fields->form == TT_FIELDS_CSV) {
        start = tt_field_open_text(fields, key);
        tt_text_bytes(fields->text, bytes, length);
        tt_field_close_text(fields, start);
    } else if (tt_field_key(fields, key)) {
        tt_text_json(fields->text, bytes, length);
    }
}

size_t tt_field_open_text(struct tt_fields *fields, const char *key)
{
    if (tt_field_key(fields, key) && fields->form == TT_FIELDS_JSON) {
        tt_text_char(fields->text, '"');
    }
    return fields->text->used;
}

void tt_field_close_text(struct tt_fields *fields, size_t start)
{
    if (fields->form == TT_FIELDS_JSON) {
        tt_text_char(fields->text, '"');
    } else if (fields->form == TT_FIELDS_CSV) {
        tt_field_quote(fields->text, start);
    }
}

/* ---- parts of JSON ------------------------------------------------------------------------ */

void tt_field_open(struct tt_fields *fields, const char *key, char bracket)
{
    if (tt_field_key(fields, key) && fields->form == TT_FIELDS_JSON) {
        tt_text_char(fields->text, bracket);
        fields->begun = false;
    }
}

void tt_field_close(struct tt_fields *fields, char bracket)
{
    if (fields->form == TT_FIELDS_JSON) {
        tt_text_char(fields->text, bracket);
        fields->begun = true;
    }
}
