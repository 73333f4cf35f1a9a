/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_args_text: formats arguments directly, without struct tt_args, for nearly all events. The
 * text equals that of kev_describe() and tt_line_args(), or the JSON of `dump`.
 *
 * Code and word count of an event determine the names and formats of its arguments. A plan per type
 * and word count is made once, with the interpreter of the tables:
 *
 *      plan of KER_CALL MSG_SENDV, 6 words    | "coid=0x" word 0, 8 digits |
 *                                             | " rparts=" word 1, signed  | ...
 *      the same in JSON                       | "\"coid\":" word 0, unsigned | ...
 *
 * JSON has no labels, and numbers the second of two equal names.
 * An event with a text that depends on more (names, user events, a failed call, slots that are not
 * adjacent) has no plan and goes through kev_describe().
 */
#include <stdlib.h>
#include <string.h>

#include "base/format_fast.h"
#include "format/kev/kev_decode.h"
#include "tracetui/fields.h"

#define WORDS_MAX 32u /* of an event that has a plan */
#define TEXT_MAX  40u /* of one argument before its number */
#define LABEL_MAX 22u
#define CHARS_MAX 16u  /* of adjacent words that form one text */
#define PIECE_MAX 128u /* more than TEXT_MAX, a number, a label; or a struct sigevent */

enum piece_format {
    FORMAT_SIGNED,
    FORMAT_SIGNED_64,
    FORMAT_HEX_8,
    FORMAT_HEX,
    FORMAT_HEX_64,
    FORMAT_CHARS, /* a word with its characters and those of the next words as label */
    FORMAT_SIGEVENT,
    FORMAT_UNSIGNED, /* from here on: JSON only */
    FORMAT_JSON_64,
    FORMAT_JSON_SIGNED_64,
};

struct piece {
    char text[TEXT_MAX]; /* " name=0x", padded with zeros */
    uint8_t length;
    uint8_t format;
    uint8_t at;     /* offset of the first word from the event's first slot, in words */
    uint8_t second; /* the same of the second word */
    uint8_t word;   /* the first word's number */
    uint8_t words;  /* of FORMAT_CHARS and FORMAT_SIGEVENT */
    const struct kev_label *labels; /* of values of one word; NULL: none */
};

struct plan {
    uint32_t code;
    uint8_t words;
    uint8_t list_end; /* words from here on must be zero, else kev_describe() */
    uint8_t count;
    bool may_fail; /* a failed call has other arguments */
    bool quoted;   /* the form is CSV, and a text may need quotes */
    struct piece pieces[];
};

struct plan_builder {
    const struct kev_decoder *d;
    enum tt_texts_form form;
    uint32_t code;
    uint32_t words;
    uint32_t list_end;
    uint32_t count;
    struct piece pieces[WORDS_MAX];
    struct tt_arg_span names[WORDS_MAX]; /* of the pieces */
};

/* Plans of a type, by number of slots. */
struct plans {
    struct plan *of[WORDS_MAX / 2 + 1];
};

struct tt_texts {
    struct plans *types;
    uint32_t count;
};

/* ---- building plans ----------------------------------------------------------------------- */

/* Returns the offset of a word, in words, in an event with adjacent slots. */
static uint8_t word_offset(uint32_t word)
{
    return (uint8_t)((word / 2 * KEV_SLOT + KEV_SLOT_HEAD) / 4 + word % 2);
}

static unsigned format_of(unsigned type, enum tt_texts_form form)
{
    /* clang-format off */
    static const uint8_t formats[][2] = { /* text, JSON */
        [KEV_H32]      = {FORMAT_HEX_8,     FORMAT_UNSIGNED},
        [KEV_D32]      = {FORMAT_SIGNED,    FORMAT_SIGNED},
        [KEV_P32]      = {FORMAT_HEX,       FORMAT_UNSIGNED},
        [KEV_H64]      = {FORMAT_HEX_64,    FORMAT_JSON_64},
        [KEV_P64]      = {FORMAT_HEX_64,    FORMAT_JSON_64},
        [KEV_D64]      = {FORMAT_SIGNED_64, FORMAT_JSON_SIGNED_64},
        [KEV_SIGEVENT] = {FORMAT_SIGEVENT,  FORMAT_SIGEVENT},
        [KEV_TEXT]     = {FORMAT_CHARS,     FORMAT_UNSIGNED},
    };
    /* clang-format on */
    return formats[type][form == TT_TEXTS_JSON];
}

/* Appends what precedes the value in a line: " name=0x". */
static void put_line_name(struct tt_text *text, const struct plan_builder *b, unsigned format,
                          struct tt_arg_span name)
{
    /* clang-format off */
    static const char *const suffix[] = {
        [FORMAT_SIGNED] = "=",
        [FORMAT_SIGNED_64] = "=",
        [FORMAT_HEX_8] = "=0x",
        [FORMAT_HEX] = "=0x",
        [FORMAT_HEX_64] = "=0x",
        [FORMAT_CHARS] = "=0x",
        [FORMAT_SIGEVENT] = "=\"",
    };
    /* clang-format on */
    tt_text_str(text, b->count > 0 ? " " : "");
    tt_text_bytes(text, name.data, name.length);
    tt_text_str(text, suffix[format]);
}

/* Returns the number of earlier pieces with the same name. */
static unsigned times_before(const struct plan_builder *b, struct tt_arg_span name)
{
    unsigned times = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        times += b->names[i].length == name.length &&
                 memcmp(b->names[i].data, name.data, name.length) == 0;
    }
    return times;
}

/* Appends what precedes the value in JSON: ,"name": or ,"name~2": */
static void put_json_name(struct tt_text *text, const struct plan_builder *b, unsigned format,
                          struct tt_arg_span name)
{
    const unsigned before = times_before(b, name);
    tt_text_str(text, b->count > 0 ? ",\"" : "\"");
    tt_text_bytes(text, name.data, name.length);
    if (before > 0) {
        tt_text_char(text, '~');
        tt_text_u64(text, before + 1);
    }
    tt_text_str(text, format == FORMAT_SIGEVENT ? "\":\"" : "\":");
}

/* Appends a piece; returns NULL if its text is too long. */
static struct piece *add_piece(struct plan_builder *b, unsigned format, uint32_t word,
                               const char *name, size_t length)
{
    const struct tt_arg_span span = {name, (uint32_t)length};
    struct piece *piece = &b->pieces[b->count];
    struct tt_text text = tt_text_of(piece->text, sizeof piece->text);
    (b->form == TT_TEXTS_JSON ? put_json_name : put_line_name)(&text, b, format, span);
    piece->length = (uint8_t)text.used;
    piece->format = (uint8_t)format;
    piece->word = (uint8_t)word;
    piece->at = word_offset(word);
    piece->second = word_offset(word + 1);
    b->names[b->count++] = span;
    return text.truncated ? NULL : piece;
}

/* Returns the words of the text that begins with this one; 0: it is not the first. */
static uint32_t chars_words(const struct kev_walk *walk, const struct kev_value *value)
{
    const char *name = value->field->name;
    size_t length = value->field->length;
    uint32_t words = 1;
    if (length >= 3 && memcmp(name + length - 3, "[0]", 3) != 0) {
        return 0;
    }
    for (const struct kev_field *f = walk->next; f && f->type == KEV_TEXT; f++) {
        words += (f->modes & walk->mode) && value->word + words < walk->payload.words;
    }
    return words;
}

static bool labels_fit(const struct kev_label *labels, unsigned format)
{
    for (const struct kev_label *label = labels; label && label->text; label++) {
        if (label->length > LABEL_MAX || (format != FORMAT_SIGNED && format != FORMAT_HEX_8)) {
            return false;
        }
    }
    return true;
}

static bool add_value(struct plan_builder *b, const struct kev_walk *walk,
                      const struct kev_value *value)
{
    const struct kev_field *field = value->field;
    const struct kev_label *labels = NULL;
    if (field->type == KEV_STRING || value->words != kev_words_of(field->type)) {
        return false;
    }
    const unsigned format = format_of(field->type, b->form);
    struct piece *piece = add_piece(b, format, value->word, field->name, field->length);
    const bool has_labels = b->form != TT_TEXTS_JSON && format < FORMAT_CHARS;
    if (!piece || (has_labels && (!kev_labels_of(b->d, b->code, field, &labels) ||
                                  !labels_fit(labels, format)))) {
        return false;
    }
    piece->labels = labels;
    piece->words = (uint8_t)(format == FORMAT_CHARS ? chars_words(walk, value) : value->words);
    return format != FORMAT_CHARS || 4 * piece->words <= CHARS_MAX;
}

static bool add_fields(struct plan_builder *b, struct kev_walk *walk)
{
    struct kev_value value = {0};
    while (kev_walk_next(walk, &value)) {
        if (!kev_is_filler(value.field) && !add_value(b, walk, &value)) {
            return false;
        }
    }
    b->list_end = walk->word;
    return walk->word + 2 >= b->words; /* more of them would be shown */
}

static bool add_words(struct plan_builder *b)
{
    for (uint32_t word = 0; word < b->words; word++) {
        const char *name = kev_word_name(word);
        if (!add_piece(b, format_of(KEV_H32, b->form), word, name, strlen(name))) {
            return false;
        }
    }
    b->list_end = b->words;
    return true;
}

/* Returns false if events of this length need kev_describe(). */
static bool add_pieces(struct plan_builder *b)
{
    static const uint8_t zeros[4 * WORDS_MAX];
    struct kev_payload payload = {zeros, b->words, false, b->words > 2};
    unsigned mode;
    if (b->words > WORDS_MAX || kev_class_of(b->code) == KEV_CLASS_USER) {
        return false;
    }
    const struct kev_field *fields = kev_fields(b->d, b->code, &payload, &mode);
    if (!fields) {
        return !kev_is_broken_off(b->code) && add_words(b);
    }
    struct kev_walk walk = {payload, fields, mode, 0};
    return add_fields(b, &walk);
}

/* Returns whether a cell of CSV with this text differs from the text. */
static bool changes_in_csv(const char *bytes, size_t length)
{
    char cell[2 * TEXT_MAX];
    struct tt_text text = tt_text_of(cell, sizeof cell);
    tt_text_bytes(&text, bytes, length);
    tt_field_quote(&text, 0);
    return text.truncated || text.used != length;
}

static bool labels_change_in_csv(const struct kev_label *labels)
{
    while (labels && labels->text && !changes_in_csv(labels->text, labels->length)) {
        labels++;
    }
    return labels && labels->text;
}

/* Returns whether the text of a plan may need quotes. Numbers do not. */
static bool may_need_quotes(const struct plan_builder *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const struct piece *piece = &b->pieces[i];
        if (piece->format >= FORMAT_CHARS || changes_in_csv(piece->text, piece->length) ||
            labels_change_in_csv(piece->labels)) {
            return true;
        }
    }
    return false;
}

/* Makes the plan for `words` words, if possible; returns false when out of memory. */
static bool add_plan(struct plan **place, const struct kev_decoder *d, enum tt_texts_form form,
                     uint32_t code, uint32_t words)
{
    struct plan_builder b = {.d = d, .form = form, .code = code, .words = words};
    if (!add_pieces(&b)) {
        return true;
    }
    struct plan *plan = malloc(sizeof *plan + b.count * sizeof b.pieces[0]);
    if (plan) {
        plan->code = code;
        plan->words = (uint8_t)words;
        plan->list_end = (uint8_t)b.list_end;
        plan->count = (uint8_t)b.count;
        plan->may_fail = words == 2 && kev_may_fail(code);
        plan->quoted = form == TT_TEXTS_CSV && may_need_quotes(&b);
        memcpy(plan->pieces, b.pieces, b.count * sizeof b.pieces[0]);
    }
    *place = plan;
    return plan != NULL;
}

/* Returns the word count of the longest list or variant. */
static uint32_t max_words(const struct kev_decoder *d, uint32_t code)
{
    const struct kev_layout *layout = d->layouts[code];
    uint32_t most = 2, words = 0;
    for (const struct kev_field *f = layout ? layout->fields : NULL; f && f->name; f++) {
        words += f->modes & KEV_WIDE ? kev_words_of(f->type) : 0;
    }
    most = words > most ? words : most;
    for (const struct kev_variant *v = kev_call_variants; v->fields; v++) {
        bool is_of = (KEV_CLASS_CALL << 10 | v->event) == code;
        most = is_of && v->words > most ? v->words : most;
    }
    return most < WORDS_MAX ? (most + 1) / 2 * 2 : WORDS_MAX;
}

static bool add_plans(struct plans *plans, const struct kev_decoder *d, enum tt_texts_form form,
                      uint32_t code)
{
    bool good = true;
    for (uint32_t words = max_words(d, code); words > 0 && good; words -= 2) {
        good = add_plan(&plans->of[words / 2], d, form, code, words);
    }
    return good;
}

struct tt_texts *kev_texts_new(const struct tt_capture *c, enum tt_texts_form form)
{
    const struct kev_decoder *d = c->decoder;
    struct tt_texts *texts = calloc(1, sizeof *texts);
    uint32_t count = tt_types_count(c);
    if (!texts || d->by_words) {
        return texts; /* without plans */
    }
    texts->types = calloc((size_t)count + 1, sizeof *texts->types);
    bool good = texts->types != NULL;
    for (uint32_t type = 0; type < count && good; type++) {
        texts->count = type + 1;
        good = add_plans(&texts->types[type], d, form, (uint32_t)tt_types_at(c, type)->code);
    }
    if (!good) {
        kev_texts_free(texts);
        return NULL;
    }
    return texts;
}

void kev_texts_free(struct tt_texts *texts)
{
    for (uint32_t type = 0; texts && type < texts->count; type++) {
        for (uint32_t slots = 0; slots <= WORDS_MAX / 2; slots++) {
            free(texts->types[type].of[slots]);
        }
    }
    if (texts) {
        free(texts->types);
        free(texts);
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Returns the slots of an event, or 0 if they are not adjacent. */
static KEV_HOT uint32_t count_slots(const uint8_t *slot, uint64_t available, bool big)
{
    const uint32_t header = tt_load_u32(slot, big);
    const uint32_t most = available < WORDS_MAX / 2 ? (uint32_t)available : WORDS_MAX / 2;
    if (kev_structure(header) == KEV_SIMPLE) {
        return 1;
    }
    for (uint32_t i = 1; i < most; i++) {
        const uint8_t *next = slot + (size_t)i * KEV_SLOT;
        const uint32_t other = tt_load_u32(next, big);
        if (((other ^ header) & KEV_SAME_EVENT) != 0 || kev_structure(other) < KEV_MIDDLE ||
            tt_load_u32(next + 4, big) != tt_load_u32(slot + 4, big)) {
            return 0;
        }
        if (kev_structure(other) == KEV_END) {
            return kev_structure(header) == KEV_BEGIN ? i + 1 : 0;
        }
    }
    return 0;
}

static KEV_HOT uint32_t word_at(const uint8_t *slot, uint32_t place, bool big)
{
    return tt_load_u32(slot + 4 * (size_t)place, big);
}

static KEV_HOT uint64_t two_words_at(const uint8_t *slot, const struct piece *piece, bool big)
{
    uint64_t first = word_at(slot, piece->at, big), second = word_at(slot, piece->second, big);
    return big ? first << 32 | second : second << 32 | first;
}

static char *put_label(char *to, const struct kev_label *label, uint32_t value)
{
    while (label->text && label->value != value) {
        label++;
    }
    if (!label->text) {
        return to;
    }
    *to = '(';
    to = tt_fast_bytes(to + 1, label->text, label->length);
    *to = ')';
    return to + 1;
}

/* Copies the words without changing their byte order. */
static void copy_words(uint8_t *to, const struct piece *piece, const uint8_t *slot)
{
    for (uint32_t i = 0; i < piece->words; i++) {
        memcpy(to + 4 * (size_t)i, slot + 4 * (size_t)word_offset(piece->word + i), 4);
    }
}

/* Returns NULL if the text needs escaping. */
static char *put_chars(char *to, const struct piece *piece, const uint8_t *slot)
{
    uint8_t chars[CHARS_MAX];
    const size_t length = 4 * (size_t)piece->words;
    copy_words(chars, piece, slot);
    for (size_t i = 0; i < length; i++) {
        if (chars[i] < ' ' || chars[i] > '~') {
            return to; /* no text */
        }
    }
    if (length == 0) {
        return to;
    }
    *to = '(';
    to[length + 1] = ')';
    return tt_fast_plain(to + 1, (const char *)chars, length) ? to + length + 2 : NULL;
}

static char *put_sigevent(char *to, const struct piece *piece, const uint8_t *slot, bool big)
{
    uint8_t words[16];
    struct kev_payload payload = {words, 4, big, true};
    struct tt_text text = tt_text_of(to, PIECE_MAX - TEXT_MAX - 1);
    copy_words(words, piece, slot);
    kev_sigevent_text(&payload, 0, &text);
    to += text.used;
    *to = '"';
    return to + 1;
}

/* Returns NULL if the event needs kev_describe(). */
static KEV_HOT char *put_piece(char *to, const struct piece *piece, const uint8_t *slot, bool big)
{
    const uint32_t word = word_at(slot, piece->at, big);
    memcpy(to, piece->text, 16); /* nearly always all of it */
    if (KEV_RARELY(piece->length > 16)) {
        memcpy(to + 16, piece->text + 16, TEXT_MAX - 16);
    }
    to += piece->length;
    switch (piece->format) {
    case FORMAT_SIGNED:
        to = tt_fast_i64(to, (int32_t)word);
        break;
    case FORMAT_HEX_8:
        to = tt_fast_hex8(to, word);
        break;
    case FORMAT_HEX:
        return tt_fast_hex(to, word, 1);
    case FORMAT_SIGNED_64:
        return tt_fast_i64(to, (int64_t)two_words_at(slot, piece, big));
    case FORMAT_HEX_64:
        return tt_fast_hex(to, two_words_at(slot, piece, big), 1);
    case FORMAT_CHARS:
        return put_chars(tt_fast_hex8(to, word), piece, slot);
    case FORMAT_UNSIGNED:
        return tt_fast_u64(to, word);
    case FORMAT_JSON_64:
        return tt_fast_json_u64(to, two_words_at(slot, piece, big));
    case FORMAT_JSON_SIGNED_64:
        return tt_fast_json_i64(to, (int64_t)two_words_at(slot, piece, big));
    default:
        return put_sigevent(to, piece, slot, big);
    }
    return piece->labels ? put_label(to, piece->labels, word) : to;
}

/* Returns whether the values of the event make its plan invalid. */
static KEV_HOT bool needs_describe(const struct plan *plan, const uint8_t *slot, bool big)
{
    uint32_t rest = 0;
    for (uint32_t word = plan->list_end; word < plan->words; word++) {
        rest |= word_at(slot, word_offset(word), big);
    }
    return rest != 0 || (plan->may_fail && word_at(slot, word_offset(0), big) == UINT32_MAX);
}

/* Turns the text [to, end) into a cell of CSV; returns its new end, or NULL if it does not fit. */
static char *put_quotes(char *to, const char *end, size_t room)
{
    struct tt_text text = {to, (size_t)(end - to), room, false};
    tt_field_quote(&text, 0);
    return text.truncated ? NULL : to + text.used;
}

/* Instantiated once per byte order. */
static KEV_HOT char *put_event(const struct plans *plans, const uint8_t *slot, uint64_t available,
                               bool big, char *to, size_t room)
{
    const struct plan *plan = plans->of[count_slots(slot, available, big)];
    if (!plan || plan->code != kev_code(tt_load_u32(slot, big)) || room < plan->count * PIECE_MAX ||
        needs_describe(plan, slot, big)) {
        return NULL;
    }
    char *end = to;
    for (uint32_t i = 0; i < plan->count && end; i++) {
        end = put_piece(end, &plan->pieces[i], slot, big);
    }
    return KEV_RARELY(plan->quoted) && end ? put_quotes(to, end, room) : end;
}

char *kev_texts_put(const struct tt_texts *texts, const struct tt_capture *c,
                    const struct tt_event *event, uint64_t limit, char *to, size_t room)
{
    const struct kev_decoder *d = c->decoder;
    if (event->type >= texts->count || limit < KEV_SLOT || event->pos > limit - KEV_SLOT) {
        return NULL;
    }
    const struct plans *plans = &texts->types[event->type];
    const uint8_t *slot = c->bytes.data + event->pos;
    const uint64_t available = (limit - event->pos) / KEV_SLOT;
    return d->big ? put_event(plans, slot, available, true, to, room)
                  : put_event(plans, slot, available, false, to, room);
}
