/* SPDX-License-Identifier: Apache-2.0 */
/* osc52: OSC 52 and passthrough of multiplexers. */
#include "tui/term/osc52.h"

#include <string.h>

#define SCREEN_PIECE 240 /* older versions of screen accept 256 bytes per string */

static char *osc52_put(char *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

static char *put_base64(char *out, const char *text, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned value = (unsigned)bytes[i] << 16;
        value |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        value |= left > 2 ? bytes[i + 2] : 0;
        *out++ = digits[value >> 18];
        *out++ = digits[value >> 12 & 63];
        *out++ = left > 1 ? digits[value >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[value & 63] : '=';
    }
    return out;
}

/* Splits [from, out) into pieces, each a DCS string. */
static char *cut(char *from, char *out)
{
    static const char between[] = "\033\\\033P";
    const size_t gap = sizeof between - 1;
    for (char *at = from + SCREEN_PIECE; at < out; at += SCREEN_PIECE + gap) {
        memmove(at + gap, at, (size_t)(out - at));
        memcpy(at, between, gap);
        out += gap;
    }
    return out;
}

size_t tt_osc52_write(enum tt_osc52_way way, const char *text, size_t length, char *out)
{
    char *at = put_base64(osc52_put(out, "\033]52;c;"), text, length);
    at = osc52_put(at, "\a");
    if (way == TT_CLIPBOARD_TMUX) {
        at = put_base64(osc52_put(at, "\033Ptmux;\033\033]52;c;"), text, length);
        at = osc52_put(at, "\a\033\\");
    } else if (way == TT_CLIPBOARD_SCREEN) {
        at = osc52_put(at, "\033P");
        char *from = at;
        at = put_base64(osc52_put(at, "\033]52;c;"), text, length);
        at = osc52_put(cut(from, osc52_put(at, "\a")), "\033\\");
    }
    return (size_t)(at - out);
}
