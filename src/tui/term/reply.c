/* SPDX-License-Identifier: Apache-2.0 */
/* reply: parses what the terminal sends besides keys. */
#include "tui/term/reply.h"

#include <string.h>

#define ESC        27u
#define BEL        7u
#define OLD_LENGTH 4 /* M, button, column, row */
#define NUMBER_MAX 1000000u

bool tt_reply_begins(uint32_t ch, bool strings)
{
    return ch == '[' || ch == 'O' || (strings && ch == ']');
}

void tt_reply_begin(struct tt_reply_reader *reader, uint32_t ch)
{
    *reader = (struct tt_reply_reader){.begin = ch};
}

static void reply_keep(struct tt_reply_reader *reader, uint32_t ch)
{
    if (reader->length < TT_REPLY_BYTES) {
        reader->text[reader->length] = ch < 0x100 ? (char)ch : '\0';
    }
    reader->length++;
}

bool tt_reply_add(struct tt_reply_reader *reader, uint32_t ch)
{
    if (reader->begin == ']') {
        if (reader->escape || ch == BEL) {
            return true;
        }
        if (reader->length == 0 && (ch < '0' || ch > '9')) {
            return true; /* a key with Alt, not an answer: those begin with a number */
        }
        reader->escape = ch == ESC;
        if (!reader->escape) {
            reply_keep(reader, ch);
        }
        return false;
    }
    reply_keep(reader, ch);
    if (reader->begin == '[' && reader->text[0] == 'M') {
        return reader->length == OLD_LENGTH;
    }
    return ch >= '@' && ch <= '~';
}

/* ---- parsing ------------------------------------------------------------------------------ */

/* The kept characters that are not parsed yet. */
struct rest {
    const char *at;
    const char *end;
};

static bool reply_skip_text(struct rest *rest, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0) {
        return false;
    }
    rest->at += length;
    return true;
}

static bool reply_parse_number(struct rest *rest, unsigned *out)
{
    const char *begin = rest->at;
    unsigned number = 0;
    while (rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9' && number < NUMBER_MAX) {
        number = number * 10 + (unsigned)(*rest->at - '0');
        rest->at++;
    }
    *out = number;
    return rest->at > begin;
}

static int reply_hex_digit(char ch)
{
    return ch >= '0' && ch <= '9'   ? ch - '0'
           : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
           : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
                                    : -1;
}

/* Takes one to four hexadecimal digits, scaled to 65535 (X11: XParseColor). */
static bool parse_channel(struct rest *rest, uint16_t *out)
{
    unsigned value = 0, most = 0;
    while (rest->at < rest->end && reply_hex_digit(*rest->at) >= 0) {
        if (most > 0xfff) {
            return false;
        }
        value = value * 16 + (unsigned)reply_hex_digit(*rest->at++);
        most = most * 16 + 15;
    }
    *out = (uint16_t)(most ? value * 65535u / most : 0);
    return most > 0;
}

static bool parse_background(struct rest rest, struct tt_reply *reply)
{
    if (!reply_skip_text(&rest, "11;rgb") ||
        !(reply_skip_text(&rest, ":") || reply_skip_text(&rest, "a:"))) {
        return false;
    }
    /* rgba: a fourth channel may follow. */
    return parse_channel(&rest, &reply->red) && reply_skip_text(&rest, "/") &&
           parse_channel(&rest, &reply->green) && reply_skip_text(&rest, "/") &&
           parse_channel(&rest, &reply->blue) && (rest.at == rest.end || *rest.at == '/');
}

static bool parse_mouse(struct rest rest, struct tt_reply *reply)
{
    bool parsed = reply_skip_text(&rest, "<") && reply_parse_number(&rest, &reply->button) &&
                  reply_skip_text(&rest, ";") && reply_parse_number(&rest, &reply->x) &&
                  reply_skip_text(&rest, ";") && reply_parse_number(&rest, &reply->y) &&
                  reply->x > 0 && reply->y > 0 && rest.end - rest.at == 1;
    reply->release = parsed && *rest.at == 'm';
    reply->x -= parsed;
    reply->y -= parsed;
    return parsed && (*rest.at == 'M' || *rest.at == 'm');
}

static bool parse_old_mouse(const struct tt_reply_reader *reader, struct tt_reply *reply)
{
    const unsigned char *text = (const unsigned char *)reader->text;
    if (text[0] != 'M' || text[1] < 32 || text[2] < 33 || text[3] < 33) {
        return false;
    }
    reply->button = text[1] - 32u;
    reply->x = text[2] - 33u;
    reply->y = text[3] - 33u;
    reply->release = (reply->button & 0x43) == 3; /* any button */
    return true;
}

static bool parse_mode(struct rest rest, struct tt_reply *reply)
{
    return reply_skip_text(&rest, "?") && reply_parse_number(&rest, &reply->mode) &&
           reply_skip_text(&rest, ";") && reply_parse_number(&rest, &reply->state) &&
           reply_skip_text(&rest, "$y") && rest.at == rest.end;
}

struct tt_reply tt_reply_parse(const struct tt_reply_reader *reader)
{
    struct tt_reply reply = {.kind = TT_REPLY_OTHER};
    size_t length = reader->length;
    if (length == 0 || length > TT_REPLY_BYTES) {
        return reply;
    }
    struct rest rest = {reader->text, reader->text + length};
    char last = rest.end[-1];
    if (reader->begin == ']') {
        reply.kind = parse_background(rest, &reply) ? TT_REPLY_BACKGROUND : TT_REPLY_OTHER;
    } else if (reader->begin != '[') {
        return reply;
    } else if (*rest.at == 'M' && length == OLD_LENGTH) {
        reply.kind = parse_old_mouse(reader, &reply) ? TT_REPLY_MOUSE : TT_REPLY_OTHER;
    } else if (*rest.at == '<') {
        reply.kind = parse_mouse(rest, &reply) ? TT_REPLY_MOUSE : TT_REPLY_OTHER;
    } else if (length == 2 && last == 'n' && (*rest.at == '0' || *rest.at == '3')) {
        reply.kind = TT_REPLY_STATUS;
    } else if (*rest.at == '?' && length > 1 && last == 'c') {
        reply.kind = TT_REPLY_ATTRIBUTES;
    } else if (*rest.at == '?' && last == 'y') {
        reply.kind = parse_mode(rest, &reply) ? TT_REPLY_MODE : TT_REPLY_OTHER;
    }
    return reply;
}
