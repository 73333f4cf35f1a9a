/* SPDX-License-Identifier: Apache-2.0 */
#include "format/text_plan.h"

#include "base/format_fast.h"
#include "tracetui/bytes.h"

/* ---- making a plan ------------------------------------------------------------------------ */

void tt_text_plan_begin(struct tt_text_plan_maker *maker)
{
    maker->made = (struct tt_text_plan){.v = maker->v};
    maker->is_whole = true;
}

void tt_text_plan_add(struct tt_text_plan_maker *maker, const struct tt_arg *arg,
                      struct tt_text_field field)
{
    struct tt_text_plan *made = &maker->made;
    if (arg->hidden) {
        return;
    }
    const bool is_text = field.kind >= TT_TEXT_CHARACTERS,
               is_number = arg->type == TT_ARG_U64 || arg->type == TT_ARG_I64 ||
                           arg->type == TT_ARG_HEX || arg->type == TT_ARG_POINTER;
    const uint32_t size = field.size;
    maker->is_whole = maker->is_whole && arg->plain && arg->digits == 0 &&
                      made->count < TT_ARGS_MAX && arg->name.length + 4u <= TT_TEXT_LITERAL &&
                      (is_text ? arg->type == TT_ARG_STRING && size < UINT16_MAX
                               : is_number && (size == 1 || size == 2 || size == 4 || size == 8));
    if (!maker->is_whole) {
        return;
    }
    if (!is_text) {
        field.kind = arg->type == TT_ARG_U64   ? TT_TEXT_UNSIGNED
                     : arg->type == TT_ARG_I64 ? TT_TEXT_SIGNED
                                               : TT_TEXT_HEX;
    }
    struct tt_text text = tt_text_of(field.literal, sizeof field.literal);
    tt_text_str(&text, made->count > 0 ? " " : "");
    tt_text_bytes(&text, arg->name.data, arg->name.length);
    tt_text_str(&text, is_text ? "=\"" : field.kind == TT_TEXT_HEX ? "=0x" : "=");
    field.literal_length = (uint8_t)text.used;
    maker->v[made->count++] = field;
    made->least = field.at + size > made->least ? field.at + size : made->least;
    made->most += TT_TEXT_LITERAL + (field.label ? TT_TEXT_LABEL : 0) + TT_DIGITS_MAX + 2 +
                  (field.kind == TT_TEXT_CHARACTERS ? size + TT_TEXT_SHORT
                   : is_text                        ? TT_TEXT_VARIABLE + TT_TEXT_SHORT
                                                    : 0);
}

bool tt_text_plan_end(const struct tt_text_plan_maker *maker, struct tt_arena *arena,
                      const struct tt_text_plan **plan)
{
    *plan = NULL;
    if (!maker->is_whole) {
        return true;
    }
    struct tt_text_plan *made = tt_arena_alloc(arena, sizeof *made);
    struct tt_text_field *v = tt_arena_alloc(arena, (maker->made.count + 1) * sizeof *v);
    if (!made || !v) {
        return false;
    }
    memcpy(v, maker->v, maker->made.count * sizeof *v);
    *made = maker->made;
    made->v = v;
    *plan = made;
    return true;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Returns the bytes before the first zero byte of a word as a mask, the lowest byte first; all ones if there is none. */
static inline uint64_t mask_to_zero(uint64_t word)
{
    const uint64_t zeros = (word - TT_EACH_BYTE(1)) & ~word & TT_EACH_BYTE(0x80);
    return ((zeros & (0 - zeros)) >> 7) - 1;
}

/*
 * Writes characters up to the first NUL, which `size` bytes have or end. Returns their end; NULL if they have to be
 * escaped.
 */
static inline char *put_text(char *to, const uint8_t *bytes, uint32_t size)
{
    if (size >= TT_TEXT_SHORT) {
        /* Both words in any case: which one has the NUL is hard to predict. */
        const uint64_t low = tt_load_u64(bytes, false), high = tt_load_u64(bytes + 8, false),
                       low_mask = mask_to_zero(low), more = 0 - (uint64_t)(low_mask == UINT64_MAX),
                       high_mask = mask_to_zero(high) & more;
        if (high_mask != UINT64_MAX) {
            const uint64_t blanks = TT_EACH_BYTE(' '), ends = more ? high_mask : low_mask,
                           first = (low & low_mask) | (blanks & ~low_mask),
                           second = (high & high_mask) | (blanks & ~high_mask);
            tt_store_lowest_first(to, first);
            tt_store_lowest_first(to + 8, second);
            to += (more & 8) + tt_lowest_bit(~ends) / 8;
            return tt_any_special(first) || tt_any_special(second) ? NULL : to;
        }
    }
    const uint8_t *nul = size > 0 ? memchr(bytes, 0, size) : NULL;
    const size_t length = nul ? (size_t)(nul - bytes) : size;
    return tt_fast_plain(to, (const char *)bytes, length) ? to + length : NULL;
}

static inline char *put_number(char *to, const struct tt_text_field *field, const uint8_t *bytes)
{
    uint64_t value;
    switch (field->size) {
    case 1:
        value = *bytes;
        break;
    case 2:
        value = tt_load_u16(bytes, field->big);
        break;
    case 4:
        value = tt_load_u32(bytes, field->big);
        break;
    default:
        value = tt_load_u64(bytes, field->big);
        break;
    }
    if (field->kind == TT_TEXT_SIGNED) {
        const unsigned unused = 64 - 8 * field->size;
        value = (uint64_t)((int64_t)(value << unused) >> unused);
        to = tt_fast_i64(to, (int64_t)value);
    } else {
        to = field->kind == TT_TEXT_HEX ? tt_fast_hex(to, value, 0) : tt_fast_u64(to, value);
    }
    if (field->label) {
        char *end = field->label(to + 1, field->label_of, value);
        if (end && end != to + 1) {
            *to = '(';
            *end = ')';
            end++;
        }
        to = end == to + 1 ? to : end;
    }
    return to;
}

/* The bytes of a record from which places of fields count, and its end. */
struct text_source {
    const uint8_t *base, *end;
};

/* Writes a text whose size is in the record, and the quote after it. Moves the base after a string. */
static char *put_variable(char *to, const struct tt_text_field *field, struct text_source *source)
{
    const uint8_t *text = source->base + field->at;
    size_t size = (size_t)(source->end - text);
    if (field->kind == TT_TEXT_STRING) {
        const uint8_t *nul = size > 0 ? memchr(text, 0, size) : NULL;
        if (!nul) {
            return NULL;
        }
        size = (size_t)(nul - text);
        source->base += size + 1;
    } else {
        const uint32_t word = tt_load_u32(text, field->big), at = word & 0xffff;
        const size_t all = (size_t)(source->end - source->base);
        size = word >> 16;
        if (at > all || size > all - at) {
            return NULL;
        }
        text = source->base + at;
    }
    return size <= TT_TEXT_VARIABLE ? put_text(to, text, (uint32_t)size) : NULL;
}

bool tt_text_plan_put(const struct tt_text_plan *plan, const uint8_t *record, uint64_t size,
                      struct tt_text *text)
{
    if (!plan || size < plan->least || text->capacity - text->used < plan->most) {
        return false;
    }
    struct text_source source = {record, record + size};
    char *to = text->buffer + text->used;
    for (const struct tt_text_field *field = plan->v, *end = field + plan->count; field < end;
         field++) {
        memcpy(to, field->literal, TT_TEXT_LITERAL);
        to += field->literal_length;
        if (field->kind < TT_TEXT_CHARACTERS) {
            to = put_number(to, field, source.base + field->at);
        } else {
            to = field->kind == TT_TEXT_CHARACTERS
                     ? put_text(to, source.base + field->at, field->size)
                     : put_variable(to, field, &source);
            if (to) {
                *to++ = '"';
            }
        }
        if (!to || (size_t)(source.end - source.base) < plan->least) {
            return false;
        }
    }
    text->used = (size_t)(to - text->buffer);
    return true;
}
