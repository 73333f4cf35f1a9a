/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tpt_args: the arguments of a record as payload words. Names and types are those of the lists in kev's tables:
 * the list that has all names of the text, in their order, is the one that it was printed from.
 *
 *      name:0x0000001f name:-1 name:f0023170 name:"data" (0x61746164) name:to the end of the line
 *
 * A list may be longer than the text, since a payload may end before it.
 */
#include "base/scan_number.h"
#include "format/tpt/tpt_internal.h"

static bool is_blank(uint8_t ch)
{
    return ch == ' ' || ch == '\n' || ch == '\r' || ch == '\t' || ch == ',';
}

static void skip_blanks(struct tpt_span *text)
{
    while (text->at < text->end && is_blank(*text->at)) {
        text->at++;
    }
}

/* Moves after some bytes if they are next. */
static bool skip_bytes(struct tpt_span *text, const char *bytes, size_t length)
{
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, bytes, length) != 0) {
        return false;
    }
    text->at += length;
    return true;
}
#define SKIP(text, literal) skip_bytes(text, literal, sizeof literal - 1)

static void put_two_words(struct tpt_payload *payload, uint64_t value)
{
    tpt_put_word(payload, (uint32_t)(payload->big ? value >> 32 : value));
    tpt_put_word(payload, (uint32_t)(payload->big ? value : value >> 32));
}

/* ---- values --------------------------------------------------------------------------------- */

struct number {
    uint64_t value;
    uint32_t digits;
    bool hex;
    bool negative;
    bool padded; /* begins with a zero that is not all of it */
};

/* How closely a text follows a list. */
enum how {
    WHOLLY,  /* it has all fields, in the digits of their types */
    PARTLY,  /* it ends where an even number of words ends */
    LOOSELY, /* numbers may have any digits */
};

/* Reads a number up to a blank or the end. `bare`: hexadecimal without 0x. */
static bool read_number(struct tpt_span *text, bool bare, struct number *number)
{
    *number = (struct number){.negative = SKIP(text, "-"), .hex = SKIP(text, "0x") || bare};
    const uint8_t *from = text->at;
    const bool read = number->hex ? tt_scan_hex(&text->at, text->end, &number->value)
                                  : tt_scan_decimal(&text->at, text->end, &number->value);
    number->digits = (uint32_t)(text->at - from);
    number->padded = number->digits > 1 && *from == '0';
    return read &&
           (text->at == text->end || is_blank(*text->at) || *text->at == ')' || *text->at == '(');
}

/* Returns whether a number can have been printed for a type; those of the two widths differ in their digits. */
static bool fits(const struct number *number, unsigned type, bool strict)
{
    const uint64_t most = number->negative ? UINT64_C(1) << 31 : UINT32_MAX;
    switch (type) {
    case KEV_H32:
        return number->value <= UINT32_MAX && (!strict || (number->hex && number->digits == 8));
    case KEV_P32:
        return number->value <= UINT32_MAX && (!strict || !number->padded);
    case KEV_D32:
        return number->value <= most &&
               (!strict || (!number->hex && (number->negative || number->value <= INT32_MAX)));
    case KEV_H64:
        return !strict || (number->hex && !number->padded);
    case KEV_D64:
        return !strict || !number->hex;
    default:
        return !strict || !number->padded;
    }
}

static bool put_number(struct tpt_span *text, unsigned type, enum how how,
                       struct tpt_payload *payload)
{
    struct number number;
    if (!read_number(text, type == KEV_P32 || type == KEV_P64, &number) ||
        !fits(&number, type, how != LOOSELY)) {
        return false;
    }
    if (text->at < text->end && *text->at == '(') { /* the same number in decimal */
        const uint8_t *close = memchr(text->at, ')', (size_t)(text->end - text->at));
        text->at = close ? close + 1 : text->at;
    }
    const uint64_t value = number.negative ? 0u - number.value : number.value;
    if (kev_words_of(type) == 2) {
        put_two_words(payload, value);
    } else {
        tpt_put_word(payload, (uint32_t)value);
    }
    return true;
}

/* Puts bytes and a NUL, padded to a word. Undoes escapes of the form \n and \x1b. */
static void put_text(const uint8_t *bytes, size_t length, struct tpt_payload *payload)
{
    static const char letters[][2] = {
        {'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'e', 27}, {'\\', '\\'}};
    uint8_t word[4] = {0};
    unsigned used = 0;
    for (size_t i = 0; i <= length; i++) {
        uint8_t byte = i < length ? bytes[i] : 0;
        if (byte == '\\' && length - i > 3 && bytes[i + 1] == 'x' &&
            tt_hex_digit(bytes[i + 2]) < 16 && tt_hex_digit(bytes[i + 3]) < 16) {
            byte = (uint8_t)(tt_hex_digit(bytes[i + 2]) << 4 | tt_hex_digit(bytes[i + 3]));
            i += 3;
        } else if (byte == '\\' && length - i > 1) {
            for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++) {
                if ((char)bytes[i + 1] == letters[k][0]) {
                    byte = (uint8_t)letters[k][1];
                    i++;
                    break;
                }
            }
        }
        word[used++] = byte;
        if (used == sizeof word || i == length) {
            tpt_put_word(payload, tt_load_u32(word, payload->big));
            memset(word, 0, sizeof word);
            used = 0;
        }
    }
}

static const uint8_t *line_end(struct tpt_span text)
{
    const uint8_t *end =
        text.at < text.end ? memchr(text.at, '\n', (size_t)(text.end - text.at)) : NULL;
    end = end ? end : text.end;
    return end > text.at && end[-1] == '\r' ? end - 1 : end;
}

/* Reads "text" (0x... 0x...): the words are those in the parentheses. Returns their number. */
static uint32_t put_text_words(struct tpt_span *text, struct tpt_payload *payload)
{
    static const char middle[] = "\" (0x";
    uint32_t count = 0;
    if (!SKIP(text, "\"")) {
        return 0;
    }
    const uint8_t *p = text->at;
    while (p && text->end - p > (ptrdiff_t)sizeof middle - 1 &&
           memcmp(p, middle, sizeof middle - 1) != 0) {
        p = memchr(p + 1, '"', (size_t)(text->end - p - 1));
    }
    if (!p || text->end - p <= (ptrdiff_t)sizeof middle - 1) {
        return 0;
    }
    text->at = p + 2;
    while (SKIP(text, " ") || SKIP(text, "(")) {
        struct number number;
        if (!read_number(text, false, &number) || number.value > UINT32_MAX) {
            return 0;
        }
        tpt_put_word(payload, (uint32_t)number.value);
        count++;
    }
    return SKIP(text, ")") ? count : 0;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* Moves after the name of a field and its colon; the words of a text are named as the first one or without its index. */
static bool skip_name(struct tpt_span *text, const struct kev_field *field)
{
    const uint8_t *from = text->at;
    size_t length = field->length;
    if (skip_bytes(text, field->name, length) && SKIP(text, ":")) {
        return true;
    }
    text->at = from;
    length = field->type == KEV_TEXT && length > 3 ? length - 3 : length;
    if (skip_bytes(text, field->name, length) && SKIP(text, ":")) {
        return true;
    }
    text->at = from;
    return false;
}

static const struct kev_field *next_field(const struct kev_field *field, unsigned mode)
{
    while (field->name && !(field->modes & mode)) {
        field++;
    }
    return field;
}

/* Reads the text by a list; returns whether all of it follows the list. */
static bool read_list(struct tpt_span text, const struct kev_field *field, unsigned mode,
                      enum how how, struct tpt_payload *payload)
{
    payload->words = 0;
    for (;;) {
        skip_blanks(&text);
        field = next_field(field, mode);
        if (text.at == text.end) {
            /* A payload has an even number of words: the next one would have been printed. */
            return how == LOOSELY || !field->name || field->type == KEV_PAD ||
                   (how == PARTLY && !(payload->words & 1));
        }
        if (!field->name) {
            return false;
        }
        if (field->type == KEV_PAD) {
            tpt_put_word(payload, 0);
            field++;
            continue;
        }
        if (!skip_name(&text, field)) {
            return false;
        }
        if (field->type == KEV_TEXT) {
            uint32_t count = put_text_words(&text, payload);
            if (count == 0) {
                return false;
            }
            for (; count > 0 && field->name && field->type == KEV_TEXT; count--) {
                field = next_field(field + 1, mode);
            }
            continue;
        }
        if (field->type == KEV_STRING) {
            const uint8_t *end = line_end(text);
            put_text(text.at, (size_t)(end - text.at), payload);
            text.at = end;
        } else if (field->type == KEV_SIGEVENT) {
            uint32_t words[4];
            const uint64_t length = kev_sigevent_words(
                tt_bytes_of(text.at, (uint64_t)(text.end - text.at)), payload->big, words);
            for (unsigned i = 0; i < 4 && length > 0; i++) {
                tpt_put_word(payload, words[i]);
            }
            if (length == 0) {
                return false;
            }
            text.at += length;
        } else if (!put_number(&text, field->type, how, payload)) {
            return false;
        }
        field++;
    }
}

/* Takes the values one after the other, whatever their names are. */
static bool read_values(struct tpt_span text, struct tpt_payload *payload)
{
    payload->words = 0;
    for (;;) {
        skip_blanks(&text);
        const uint8_t *colon =
            text.at < text.end ? memchr(text.at, ':', (size_t)(text.end - text.at)) : NULL;
        if (!colon) {
            return text.at == text.end;
        }
        text.at = colon + 1;
        struct number number;
        if (!read_number(&text, false, &number)) {
            return false;
        }
        if (number.value > UINT32_MAX && !number.negative) {
            put_two_words(payload, number.value);
        } else {
            tpt_put_word(payload,
                         number.negative ? 0u - (uint32_t)number.value : (uint32_t)number.value);
        }
    }
}

/* Reads the text by one of the lists of a code. */
static bool read_by_code(const struct tpt_decoder *decoder, uint32_t code, struct tpt_span text,
                         enum how how, struct tpt_payload *payload)
{
    const struct kev_layout *layout = decoder->kev.layouts[code];
    if (!layout || !layout->fields) {
        return false;
    }
    const bool is_fast = next_field(layout->fields, KEV_FAST)->name != NULL;
    if ((is_fast && read_list(text, layout->fields, KEV_FAST, how, payload)) ||
        read_list(text, layout->fields, KEV_WIDE, how, payload)) {
        return true;
    }
    const struct kev_field *printed = kev_print_fields_6(code);
    if (printed && (read_list(text, printed, KEV_FAST, how, payload) ||
                    read_list(text, printed, KEV_WIDE, how, payload))) {
        return true;
    }
    for (const struct kev_variant *variant = kev_call_variants;
         kev_class_of(code) == KEV_CLASS_CALL && decoder->kev.release >= KEV_7 && variant->fields;
         variant++) {
        if ((KEV_CLASS_CALL << 10 | variant->event) == code &&
            read_list(text, variant->fields, KEV_WIDE, how, payload)) {
            return true;
        }
    }
    return false;
}

bool tpt_args_read(const struct tpt_decoder *decoder, const struct tpt_codes *codes,
                   struct tpt_span text, uint32_t *code, struct tpt_payload *payload)
{
    for (unsigned how = codes->count > 1 ? WHOLLY : PARTLY; how <= LOOSELY; how++) {
        for (uint32_t i = 0; i < codes->count; i++) {
            *code = codes->codes[i];
            if (read_by_code(decoder, *code, text, (enum how)how, payload)) {
                return true;
            }
        }
    }
    *code = codes->codes[0];
    const struct kev_layout *layout = decoder->kev.layouts[*code];
    return read_values(text, payload) && (!layout || !layout->fields);
}

/* ---- forms of their own --------------------------------------------------------------------- */

#define AT_NAME(text, name) (skip_blanks(text), SKIP(text, name ":"))

/* 0x00000025 (37)       IP:0x0104a2f0 */
bool tpt_args_of_vector(const struct tpt_decoder *decoder, uint32_t event, struct tpt_span text,
                        uint32_t *code, struct tpt_payload *payload)
{
    struct number vector, pid = {0}, address = {0}, area = {0};
    payload->words = 0;
    *code = KEV_CLASS_INTERRUPT << 10 | event;
    skip_blanks(&text);
    if (!read_number(&text, false, &vector)) {
        return false;
    }
    const uint8_t *close = memchr(text.at, ')', (size_t)(text.end - text.at));
    text.at = close ? close + 1 : text.at;
    if (event == 4) {
        tpt_put_word(payload, (uint32_t)vector.value);
        static const struct kev_field fields[] = {{"SIGEVENT", 8, KEV_SIGEVENT, KEV_BOTH},
                                                  {NULL, 0, 0, 0}};
        struct tpt_payload rest = {.big = payload->big};
        uint8_t bytes[16] = {0};
        rest.bytes = bytes;
        rest.capacity = 4;
        const bool read = read_list(text, fields, KEV_WIDE, WHOLLY, &rest);
        for (uint32_t i = 0; i < 4; i++) {
            tpt_put_word(payload, tt_load_u32(bytes + 4 * (size_t)i, payload->big));
        }
        return read;
    }
    if (event == 3 && (!AT_NAME(&text, "PID") || !read_number(&text, false, &pid))) {
        return false;
    }
    if ((!AT_NAME(&text, "IP") && !AT_NAME(&text, "inkernel")) ||
        !read_number(&text, false, &address) ||
        (event == 3 && (!AT_NAME(&text, "AREA") || !read_number(&text, false, &area)))) {
        return false;
    }
    const bool is_64 = event != 2 && (decoder->is_64 || (address.value | area.value) > UINT32_MAX);
    if (event == 3) {
        tpt_put_word(payload, pid.negative ? 0u - (uint32_t)pid.value : (uint32_t)pid.value);
    }
    tpt_put_word(payload, (uint32_t)vector.value);
    if (!is_64) {
        tpt_put_word(payload, (uint32_t)address.value);
        if (event == 3) {
            tpt_put_word(payload, (uint32_t)area.value);
        }
        return true;
    }
    *code = KEV_CLASS_INTERRUPT << 10 | (event == 3 ? 6u : 5u);
    if (event != 3) {
        tpt_put_word(payload, 0);
    }
    put_two_words(payload, address.value);
    if (event == 3) {
        put_two_words(payload, area.value);
    }
    return true;
}

/* d0:0x00000001 d1:0x00000002, or STR:"text", or both */
bool tpt_args_of_user(struct tpt_span text, struct tpt_payload *payload)
{
    payload->words = 0;
    skip_blanks(&text);
    if (!SKIP(&text, "STR:\"")) {
        return read_values(text, payload);
    }
    const uint8_t *close = NULL;
    for (const uint8_t *p = text.at; p && p < text.end;
         p = memchr(p + 1, '"', (size_t)(text.end - p - 1))) {
        if (*p != '"') {
            continue;
        }
        close = p;
        struct tpt_span rest = {p, text.end};
        if (SKIP(&rest, "\", d0:")) {
            rest.at -= sizeof "d0:" - 1;
            return read_values(rest, payload);
        }
    }
    put_text(text.at, (size_t)((close ? close : text.end) - text.at), payload);
    return close != NULL;
}

bool tpt_args_of_buffer(struct tpt_span text, bool hex, struct tpt_payload *payload)
{
    payload->words = 0;
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *equals =
            text.at < text.end ? memchr(text.at, '=', (size_t)(text.end - text.at)) : NULL;
        struct number number;
        if (!equals) {
            return false;
        }
        text.at = equals + 1;
        skip_blanks(&text);
        if (!read_number(&text, hex, &number)) {
            return false;
        }
        tpt_put_word(payload,
                     number.negative ? 0u - (uint32_t)number.value : (uint32_t)number.value);
    }
    return true;
}
