/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields: writes a record as a row of CSV (RFC 4180) or as a JSON object. One function describes the
 * fields; the form decides whether they become the header, a row or an object:
 *
 *      struct tt_fields fields = tt_fields_begin(&text, form);
 *      tt_field_number(&fields, "cpu", known, cpu);        cpu  |  2  |  "cpu":2
 *      tt_field_text(&fields, "state", name);              ,state  |  ,READY  |  ,"state":"READY"
 *      tt_fields_end(&fields);
 *
 * Only this module separates, quotes and escapes. Unknown values are empty in CSV and null in JSON;
 * integers beyond 2^53 are strings in JSON. All functions append to the caller's text, which is enlarged
 * and filled again if it was truncated. Nothing is allocated. Any thread.
 *
 * `key` is text of the program. NULL: the value is an item of an array, or tt_field_name has named it.
 */
#ifndef TRACETUI_PRINT_RECORD_FIELDS_H
#define TRACETUI_PRINT_RECORD_FIELDS_H

#include "tracetui/text.h"

enum tt_fields_form {
    TT_FIELDS_CSV,
    TT_FIELDS_JSON,
    TT_FIELDS_HEADER, /* the keys, as the first line of CSV */
};

struct tt_fields {
    struct tt_text *text;
    enum tt_fields_form form;
    bool begun; /* a separator precedes the next field */
    bool named; /* tt_field_name has written the key of the next field */
};

struct tt_fields tt_fields_begin(struct tt_text *text, enum tt_fields_form form);
/* Ends the record and the line. */
void tt_fields_end(struct tt_fields *fields);

/* Names the next field by bytes of a capture or a query, and an ending such as "~2" or NULL. */
void tt_field_name(struct tt_fields *fields, const char *bytes, size_t length, const char *ending);
/* Appends the separator and the key; returns whether a value follows, which a header does not have. */
bool tt_field_key(struct tt_fields *fields, const char *key);

void tt_field_none(struct tt_fields *fields, const char *key);
void tt_field_u64(struct tt_fields *fields, const char *key, uint64_t value);
void tt_field_i64(struct tt_fields *fields, const char *key, int64_t value);
void tt_field_number(struct tt_fields *fields, const char *key, bool known, uint64_t value);
/* A number of which the last `decimals` digits are decimal places. */
void tt_field_decimal(struct tt_fields *fields, const char *key, uint64_t number,
                      unsigned decimals);
/* NaN and infinity are strings in JSON. */
void tt_field_real(struct tt_fields *fields, const char *key, double value);
/* 1 or 0; in JSON true or false. */
void tt_field_flag(struct tt_fields *fields, const char *key, bool value);

/* Text of the capture, which is escaped; NULL: unknown. */
void tt_field_text(struct tt_fields *fields, const char *key, const char *string);
void tt_field_bytes(struct tt_fields *fields, const char *key, const char *bytes, size_t length);
/* Text that is escaped already, as lines of the screen are. */
void tt_field_line(struct tt_fields *fields, const char *key, const char *bytes, size_t length);
/*
 * Begin and end a text that the caller appends in parts: in CSV escaped, in JSON by
 * tt_text_json_part or plain ASCII. Returns its start.
 */
size_t tt_field_open_text(struct tt_fields *fields, const char *key);
void tt_field_close_text(struct tt_fields *fields, size_t start);

/* Begin and end an array '[' or an object '{' of JSON; in CSV a cell that the caller fills. */
void tt_field_open(struct tt_fields *fields, const char *key, char bracket);
void tt_field_close(struct tt_fields *fields, char bracket);

/*
 * Turns the text from `start` on into a text cell of CSV. Prepends an apostrophe if it begins with
 * one of = + - @ tab CR, which spreadsheets read as a formula, or with an apostrophe, so that
 * removing one leading apostrophe restores the text; then quotes it as RFC 4180 requires.
 */
void tt_field_quote(struct tt_text *text, size_t start);

#endif
