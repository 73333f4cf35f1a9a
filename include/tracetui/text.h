/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: builds lines without printf's library, and escapes all text that comes from a capture.
 *
 * A `struct tt_text` writes into a buffer that the caller owns and never past its end. Text that
 * does not fit is dropped and `truncated` is set. Nothing allocates:
 *
 *      buffer                 used                    capacity
 *       |----------------------|-----------------------|
 *
 * The text is NUL-terminated only by tt_text_cstr(). Each tt_text belongs to one thread.
 *
 * Escaping: bytes from a file must never drive a terminal. tt_text_escaped() copies printable valid
 * UTF-8 unchanged and writes everything else (C0 and C1 controls, DEL, invalid UTF-8, bidirectional
 * and other format controls, line and paragraph separators) as \xNN per byte, or as \n \t \r \e \0,
 * and a backslash as \\ so that a file cannot forge an escape.
 */
#ifndef TRACETUI_TEXT_H
#define TRACETUI_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

struct tt_text {
    char *buffer;
    size_t used;
    size_t capacity;
    bool truncated;
};

static inline struct tt_text tt_text_of(char *buffer, size_t capacity)
{
    struct tt_text text = {buffer, 0, capacity, false};
    return text;
}

/* Returns the bytes from a position on, for reading; "" if there are none, as in a text without a buffer. */
static inline const char *tt_text_from(const struct tt_text *text, size_t start)
{
    return start < text->used ? text->buffer + start : "";
}

/* Returns the text as a C string; overwrites the last byte if the buffer is full. */
const char *tt_text_cstr(struct tt_text *text);

/* Append bytes, a C string or a character, unescaped. */
void tt_text_bytes(struct tt_text *text, const char *bytes, size_t length);
void tt_text_str(struct tt_text *text, const char *str);
void tt_text_char(struct tt_text *text, char c);
/* Appends `c` `count` times. */
void tt_text_fill(struct tt_text *text, char c, size_t count);
/* Appends spaces up to byte column `column` of the line that began at `start`; at least `min`. */
void tt_text_pad_to(struct tt_text *text, size_t start, size_t column, size_t min);

/*
 * Appends values by a format that the compiler checks: %s a text, printable as of tt_text_printable; %c, %d, %u, %x;
 * %'u with thousands separators; %ju a uint64_t. A width counts columns; - and 0 are as in printf, %.*s has the bytes
 * of a text. Not for hot paths.
 */
void tt_text_put(struct tt_text *text, const char *format, ...) TT_PRINTF(2, 3);
void tt_text_put_list(struct tt_text *text, const char *format, va_list list);

/* Append a decimal number. */
void tt_text_u64(struct tt_text *text, uint64_t value);
void tt_text_i64(struct tt_text *text, int64_t value);
/* Appends a decimal, right-aligned in `width` columns with `fill` (' ' or '0'). */
/* Appends a number of which the last `decimals` digits are decimal places. */
void tt_text_decimal(struct tt_text *text, uint64_t number, unsigned decimals);
void tt_text_u64_width(struct tt_text *text, uint64_t value, unsigned width, char fill);
/* Appends at least `digits` hexadecimal digits without 0x. */
void tt_text_hex(struct tt_text *text, uint64_t value, unsigned digits);
/* Appends a decimal that reads back as the same double; nan, inf, -inf. */
void tt_text_double(struct tt_text *text, double value);
/* Appends a decimal with thousands separators: 3,104,221. */
void tt_text_grouped(struct tt_text *text, uint64_t value);

/* Appends text from a file, escaped as described above. */
void tt_text_escaped(struct tt_text *text, const char *bytes, size_t length);
/*
 * Appends text of which parts are already escaped: like tt_text_escaped, but keeps backslashes. The
 * result is safe to print and is not changed by a second pass.
 */
void tt_text_printable(struct tt_text *text, const char *bytes, size_t length);
/*
 * Appends a character of XML or HTML text, or of an attribute's value, as a reference if it is one of
 * & < > " '; returns false, and appends nothing, for other characters.
 */
bool tt_text_reference(struct tt_text *text, uint32_t code_point);
/* Appends a quoted JSON string; invalid UTF-8 becomes U+FFFD, unprintable characters \uNNNN. */
void tt_text_json(struct tt_text *text, const char *bytes, size_t length);
/* Does the same without the quotes. */
void tt_text_json_part(struct tt_text *text, const char *bytes, size_t length);

/* Decodes a UTF-8 sequence; returns its length, 1..4 bytes, or 0 if it is invalid. */
unsigned tt_utf8_decode(const char *bytes, size_t length, uint32_t *code_point);
/*
 * Returns whether a code point may be printed unchanged: no control, format control, surrogate, ...
 */
bool tt_code_point_is_plain(uint32_t code_point);

#endif
