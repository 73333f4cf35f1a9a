/* SPDX-License-Identifier: Apache-2.0 */
/* keys: names of keys, both ways. */
#include "tui/term/keys.h"

#include <string.h>

#include "tracetui/text.h"
#include "tui/draw/grid.h"

static const struct {
    uint32_t key;
    const char *name;
} names[] = {{TT_KEY_TAB, "Tab"}, {TT_KEY_ENTER, "Enter"}, {TT_KEY_ESC, "Esc"},
             {TT_KEY_BS, "BS"},   {' ', "Space"},          {'<', "lt"},
             {';', "semi"},
#define X(id, name) {id, name},
             TT_KEY_INFO(X)
#undef X
};

#define NAME_COUNT (sizeof names / sizeof *names)

static size_t parse_name(const char *text, size_t length, uint32_t *key)
{
    if (length == 3 && text[0] == 'C' && text[1] == '-') {
        char letter = (char)(text[2] | 0x20);
        if (letter < 'a' || letter > 'z') {
            return 0;
        }
        *key = (uint32_t)(letter - 'a' + 1);
        return length;
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (strlen(names[i].name) == length && memcmp(names[i].name, text, length) == 0) {
            *key = names[i].key;
            return length;
        }
    }
    return 0;
}

size_t tt_key_parse(const char *text, size_t length, uint32_t *key)
{
    if (length == 0) {
        return 0;
    }
    if (text[0] == '<') {
        const char *end = memchr(text, '>', length);
        size_t inner = end ? (size_t)(end - text) - 1 : 0;
        return inner > 0 && parse_name(text + 1, inner, key) ? inner + 2 : 0;
    }
    uint32_t ch;
    unsigned used = tt_utf8_decode(text, length, &ch);
    if (used == 0 || (ch < ' ' && ch != TT_KEY_TAB && ch != TT_KEY_ENTER && ch != TT_KEY_ESC)) {
        return 0;
    }
    *key = ch;
    return used;
}

const char *tt_key_name(uint32_t key, char out[TT_KEY_NAME])
{
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (names[i].key == key && key != '<' && key != ';') {
            return names[i].name;
        }
    }
    if (key < ' ') {
        out[0] = '^';
        out[1] = (char)('@' + key);
        out[2] = '\0';
    } else {
        out[tt_utf8_encode(key, out)] = '\0';
    }
    return out;
}

const char *tt_key_write(uint32_t key, char out[TT_KEY_NAME])
{
    struct tt_text text = tt_text_of(out, TT_KEY_NAME);
    const char *name = NULL;
    for (size_t i = 0; i < NAME_COUNT && !name; i++) {
        name = names[i].key == key ? names[i].name : NULL;
    }
    if (name || key < ' ') {
        tt_text_str(&text, name ? "<" : "<C-");
        if (name) {
            tt_text_str(&text, name);
        } else {
            tt_text_char(&text, (char)(key - 1 + 'a'));
        }
        tt_text_char(&text, '>');
    } else {
        char utf8[4];
        tt_text_bytes(&text, utf8, tt_utf8_encode(key, utf8));
    }
    return tt_text_cstr(&text);
}
