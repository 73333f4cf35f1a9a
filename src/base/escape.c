/* SPDX-License-Identifier: Apache-2.0 */
/* escape: makes text from a file safe for terminals and JSON. */
#include "tracetui/text.h"

#include <string.h>

unsigned tt_utf8_decode(const char *bytes, size_t length, uint32_t *code_point)
{
    if (length == 0) {
        return 0;
    }
    const unsigned char *s = (const unsigned char *)bytes;
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    unsigned count = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length < count) {
        return 0;
    }
    uint32_t value = s[0] & (0x7fu >> count);
    for (unsigned i = 1; i < count; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = (value << 6) | (s[i] & 0x3fu);
    }
    static const uint32_t min[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < min[count] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        return 0;
    }
    *code_point = value;
    return count;
}

bool tt_code_point_is_plain(uint32_t c)
{
    /*
     * Ranges (first and last code point) that are never printed: controls, format and bidirectional
     * controls, separators, surrogates, private use, specials, tags.
     */
    static const uint32_t refused[][2] = {
        {0x0000, 0x001f}, {0x007f, 0x009f},   {0x00ad, 0x00ad},    {0x061c, 0x061c},
        {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},    {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},    {0xd800, 0xf8ff},
        {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},   {0xffa0, 0xffa0},    {0xfff0, 0xfffc},
        {0xfffe, 0xffff}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
    };
    if (c < 0x7f) {
        return c >= 0x20;
    }
    for (size_t i = 1; i < sizeof refused / sizeof *refused; i++) {
        if (c < refused[i][0]) {
            return true;
        }
        if (c <= refused[i][1]) {
            return false;
        }
    }
    return false;
}

static void escape_byte(struct tt_text *text, unsigned char byte)
{
    static const char letters[] = {['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', [27] = 'e'};
    tt_text_char(text, '\\');
    if (byte < sizeof letters && letters[byte]) {
        tt_text_char(text, letters[byte]);
        return;
    }
    if (byte == 0) {
        tt_text_char(text, '0');
        return;
    }
    tt_text_char(text, 'x');
    tt_text_hex(text, byte, 2);
}

/* Bytes that need escaping or decoding: all but printable ASCII without " and \. */
static const bool special[256] = {
#define EIGHT(n)                                                                                   \
    [n] = true, [n + 1] = true, [n + 2] = true, [n + 3] = true, [n + 4] = true, [n + 5] = true,    \
    [n + 6] = true, [n + 7] = true
#define THIRTY_TWO(n) EIGHT(n), EIGHT(n + 8), EIGHT(n + 16), EIGHT(n + 24)
    THIRTY_TWO(0),   THIRTY_TWO(128), THIRTY_TWO(160), THIRTY_TWO(192),
    THIRTY_TWO(224), ['"'] = true,    ['\\'] = true,   [127] = true,
#undef THIRTY_TWO
#undef EIGHT
};

/* Copies bytes up to the first special one; returns how many. */
static size_t copy_plain(struct tt_text *text, const char *bytes, size_t length)
{
    size_t room = text->capacity - text->used;
    size_t most = length < room ? length : room;
    if (most == 0) {
        return 0; /* there may be no buffer */
    }
    char *to = text->buffer + text->used;
    size_t i = 0;
    while (i < most && !special[(unsigned char)bytes[i]]) {
        to[i] = bytes[i];
        i++;
    }
    text->used += i;
    if (i == room && i < length) { /* full: drop the rest */
        text->truncated = true;
        return length;
    }
    return i;
}

/* Escapes unprintable bytes, and the backslash unless `keep_backslash`. */
static void escape(struct tt_text *text, const char *bytes, size_t length, bool keep_backslash)
{
    size_t i = 0;
    while (i < length) {
        i += copy_plain(text, bytes + i, length - i);
        if (i == length) {
            break;
        }
        uint32_t code_point = 0;
        unsigned count = tt_utf8_decode(bytes + i, length - i, &code_point);
        if (bytes[i] == '\\') {
            tt_text_bytes(text, "\\\\", keep_backslash ? 1 : 2);
            i++;
        } else if (count > 0 && tt_code_point_is_plain(code_point)) {
            tt_text_bytes(text, bytes + i, count);
            i += count;
        } else {
            for (unsigned k = 0; k < (count ? count : 1); k++) {
                escape_byte(text, (unsigned char)bytes[i++]);
            }
        }
    }
}

void tt_text_escaped(struct tt_text *text, const char *bytes, size_t length)
{
    escape(text, bytes, length, false);
}

void tt_text_printable(struct tt_text *text, const char *bytes, size_t length)
{
    escape(text, bytes, length, true);
}

/* Appends \uNNNN, or a surrogate pair. */
static void json_code_point(struct tt_text *text, uint32_t code_point)
{
    if (code_point > 0xffff) {
        tt_text_bytes(text, "\\u", 2);
        tt_text_hex(text, 0xd800 + ((code_point - 0x10000) >> 10), 4);
        code_point = 0xdc00 + ((code_point - 0x10000) & 0x3ff);
    }
    tt_text_bytes(text, "\\u", 2);
    tt_text_hex(text, code_point, 4);
}

void tt_text_json_part(struct tt_text *text, const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length) {
        i += copy_plain(text, bytes + i, length - i);
        if (i == length) {
            break;
        }
        uint32_t code_point = 0;
        unsigned count = tt_utf8_decode(bytes + i, length - i, &code_point);
        if (count == 1) {
            char c = bytes[i];
            switch (c) {
            case '"':
                tt_text_bytes(text, "\\\"", 2);
                break;
            case '\\':
                tt_text_bytes(text, "\\\\", 2);
                break;
            case '\n':
                tt_text_bytes(text, "\\n", 2);
                break;
            case '\t':
                tt_text_bytes(text, "\\t", 2);
                break;
            default:
                tt_text_bytes(text, "\\u", 2);
                tt_text_hex(text, (unsigned char)c, 4);
                break;
            }

            i++;
        } else if (count > 1 && !tt_code_point_is_plain(code_point)) {
            json_code_point(text, code_point);
            i += count;
        } else if (count > 1) {
            tt_text_bytes(text, bytes + i, count);
            i += count;
        } else {
            tt_text_bytes(text, "\xef\xbf\xbd", 3);
            i++;
        }
    }
}

void tt_text_json(struct tt_text *text, const char *bytes, size_t length)
{
    tt_text_char(text, '"');
    tt_text_json_part(text, bytes, length);
    tt_text_char(text, '"');
}
