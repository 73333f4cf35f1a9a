/* SPDX-License-Identifier: Apache-2.0 */
/* output_rows: an event as a row of CSV or an object of JSON. */
#include <string.h>

#include "base/format_fast.h"
#include "cli/writers.h"
#include "trace/event_row.h"
#include "tracetui/event_line.h"

static bool is_left_out(const struct tt_arg *arg)
{
    const struct tt_arg_span *name = &arg->name;
    return arg->hidden || (name->length == 5 && memcmp(name->data, "empty", 5) == 0) ||
           (name->length == 3 && memcmp(name->data, "pad", 3) == 0);
}

/* Names the next member after an argument; the second one of that name gets ~2. */
static void name_arg(struct tt_fields *fields, const struct tt_args *args, unsigned index)
{
    const struct tt_arg_span *name = &args->v[index].name;

    /* The number of printed arguments before `index` with the same name. */

    unsigned before = 0;
    for (unsigned i = 0; i < index; i++) {
        const struct tt_arg_span *other = &args->v[i].name;
        if (other->length == name->length && memcmp(other->data, name->data, name->length) == 0 &&
            !is_left_out(&args->v[i])) {
            before++;
        }
    }

    char buffer[16];
    const char *ending = NULL;
    if (before > 0) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_char(&text, '~');
        tt_text_u64(&text, before + 1);
        ending = tt_text_cstr(&text);
    }
    tt_field_name(fields, name->data, name->length, ending);
}

static void output_rows_put_hex(struct tt_fields *fields, const struct tt_arg_span *bytes)
{
    size_t start = tt_field_open_text(fields, NULL);
    for (uint32_t i = 0; i < bytes->length; i++) {
        tt_text_hex(fields->text, (uint8_t)bytes->data[i], 2);
    }
    tt_field_close_text(fields, start);
}

/* Enough for quotes, a colon and a comma, and any number in quotes. */
#define NUMBER_ROOM 32u

/* Writes a number with a plain name that no argument before has. Returns false if it is another kind. */
static bool put_quickly(struct tt_fields *fields, const struct tt_arg *arg)
{
    struct tt_text *text = fields->text;
    const bool is_signed = arg->type == TT_ARG_I64;
    if (!arg->plain || text->capacity - text->used < (size_t)arg->name.length + NUMBER_ROOM ||
        !(is_signed || (arg->type >= TT_ARG_U64 && arg->type <= TT_ARG_POINTER))) {
        return false;
    }
    char *to = text->buffer + text->used;
    *to = ',';
    to += fields->begun;
    *to = '"';
    to = tt_fast_bytes(to + 1, arg->name.data, arg->name.length);
    memcpy(to, "\":", 2);
    to =
        is_signed ? tt_fast_json_i64(to + 2, arg->value.i) : tt_fast_json_u64(to + 2, arg->value.u);
    text->used = (size_t)(to - text->buffer);
    fields->begun = true;
    return true;
}

/* Writes the arguments as members, with the full size of truncated bytes as NAME.bytes. */
static void output_rows_put_args(struct tt_fields *fields, const struct tt_args *args)
{
    uint64_t seen = 0; /* a bit for each length and last letter of the names */
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (is_left_out(arg)) {
            continue;
        }
        const unsigned last =
            arg->name.length > 0 ? (uint8_t)arg->name.data[arg->name.length - 1] : 0;
        const uint64_t bit = UINT64_C(1) << ((arg->name.length * 7 + last) & 63);
        const bool is_new = !(seen & bit);
        seen |= bit;
        if (is_new && put_quickly(fields, arg)) {
            continue;
        }
        name_arg(fields, args, i);

        switch ((enum tt_arg_type)arg->type) {
        case TT_ARG_NULL:
            tt_field_none(fields, NULL);
            break;
        case TT_ARG_I64:
            tt_field_i64(fields, NULL, arg->value.i);
            break;
        case TT_ARG_U64:
        case TT_ARG_HEX:
        case TT_ARG_POINTER:
        case TT_ARG_KOID:
            tt_field_u64(fields, NULL, arg->value.u);
            break;
        case TT_ARG_DOUBLE:
            tt_field_real(fields, NULL, arg->value.d);
            break;
        case TT_ARG_BOOL:
            tt_field_flag(fields, NULL, arg->value.u != 0);
            break;
        case TT_ARG_STRING:
            tt_field_bytes(fields, NULL, arg->value.s.data, arg->value.s.length);
            break;
        case TT_ARG_BYTES:
            output_rows_put_hex(fields, &arg->value.s);
            break;
        }

        if (arg->type == TT_ARG_BYTES && arg->raw_length > arg->value.s.length) {
            tt_field_name(fields, arg->name.data, arg->name.length, ".bytes");
            tt_field_u64(fields, NULL, arg->raw_length);
        }
    }
}

void tt_export_jsonl(struct tt_text *text, const struct tt_record *record)
{
    struct tt_fields fields = tt_row_head(text, TT_FIELDS_JSON, record->capture, record->rows,
                                          record->run, record->event, record->number);
    output_rows_put_args(&fields, record->args);
    if (record->with_names) {
        /* Writes what the text output shows beside the values. */
        const struct tt_args *args = record->args;
        tt_field_close(&fields, '}');
        tt_field_open(&fields, "names", '{');
        for (unsigned i = 0; i < args->count; i++) {
            const struct tt_arg_span *label = &args->v[i].label;
            if (!is_left_out(&args->v[i]) && label->length > 0) {
                name_arg(&fields, args, i);
                tt_field_bytes(&fields, NULL, label->data, label->length);
            }
        }
    }
    tt_row_tail(&fields, record->capture, record->rows, record->run, record->event);
}

void tt_export_csv(struct tt_text *text, const struct tt_record *record)
{
    struct tt_fields fields = tt_row_head(text, TT_FIELDS_CSV, record->capture, record->rows,
                                          record->run, record->event, record->number);
    size_t start = text->used;
    tt_line_args(text, record->args);
    tt_field_close_text(&fields, start);
    tt_row_tail(&fields, record->capture, record->rows, record->run, record->event);
}
