/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: building lines without printf, and the one place where text from a capture is escaped.
 *
 * A `struct tt_text` writes into a buffer that the caller owns and never beyond it; what does
 * not fit is dropped and `truncated` is set, so that a line costs no allocation:
 *
 *      buffer                 used                    capacity
 *       |----------------------|-----------------------|
 *
 * The text is not NUL-terminated until tt_text_cstr() is asked for it. Each tt_text belongs to
 * one thread.
 *
 * Escaping: bytes from a file never drive a terminal. tt_text_escaped() copies valid UTF-8 that
 * is printable as it is, and writes everything else (C0 and C1 controls, DEL, invalid UTF-8,
 * bidirectional and other format controls, line and paragraph separators) as \xNN per byte, or
 * \n \t \r \e \0 for the usual ones, and a backslash as \\ so that no escape can be forged.
 */
#ifndef TRACETUI_TEXT_H
#define TRACETUI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The text so far as a C string (gives up the last byte if the buffer is full). */
const char *tt_text_cstr(struct tt_text *text);

void tt_text_bytes(struct tt_text *text, const char *bytes, size_t length);
void tt_text_str(struct tt_text *text, const char *str);
void tt_text_char(struct tt_text *text, char c);
/* `count` times `c`. */
void tt_text_fill(struct tt_text *text, char c, size_t count);
/* Spaces up to byte column `column` of the line that began at `start`; at least `least`. */
void tt_text_pad_to(struct tt_text *text, size_t start, size_t column, size_t least);

void tt_text_u64(struct tt_text *text, uint64_t value);
void tt_text_i64(struct tt_text *text, int64_t value);
/* Decimal, right-aligned in `width` with `fill` (' ' or '0'). */
void tt_text_u64_width(struct tt_text *text, uint64_t value, unsigned width, char fill);
/* Hexadecimal digits without 0x, at least `digits` of them. */
void tt_text_hex(struct tt_text *text, uint64_t value, unsigned digits);
/* A decimal that reads back as the same double; nan, inf, -inf. */
void tt_text_double(struct tt_text *text, double value);
/* Decimal with a comma every three digits: 3,104,221. */
void tt_text_grouped(struct tt_text *text, uint64_t value);
/* Seconds from nanoseconds with nine decimals: 1.204118204. */
void tt_text_seconds(struct tt_text *text, int64_t ns);

/* Text from a file, escaped as described above. */
void tt_text_escaped(struct tt_text *text, const char *bytes, size_t length);
/*
 * The same, but a backslash stays one: for text of which parts are escaped already. What comes out
 * is as safe to print, and is not changed by a second pass.
 */
void tt_text_printable(struct tt_text *text, const char *bytes, size_t length);
/* A JSON string with its quotes; invalid UTF-8 becomes U+FFFD, what is not plain \uNNNN. */
void tt_text_json(struct tt_text *text, const char *bytes, size_t length);

/*
 * A text cell of CSV: what was written from `start` on gets an apostrophe in front where it begins
 * with one of = + - @ tab CR, which spreadsheets read as a formula, or with an apostrophe, so that
 * taking one leading apostrophe away gives the text back; then quotes where RFC 4180 asks for them.
 * Numbers are written without it.
 */
void tt_csv_text_from(struct tt_text *text, size_t start);

/* Decodes one UTF-8 sequence: its length 1..4 and the code point, or 0 if it is not valid. */
unsigned tt_utf8_decode(const char *bytes, size_t length, uint32_t *code_point);
/* May this code point be shown as it is? (Not a control, format control, surrogate, ...) */
bool tt_code_point_is_plain(uint32_t code_point);

#endif
