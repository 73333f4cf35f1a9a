/* SPDX-License-Identifier: Apache-2.0 */
/* output_rows: an event as a row of CSV or an object of JSON. */
#include <string.h>

#include "cli/writers.h"
#include "tracetui/event_line.h"
#include "tracetui/event_row.h"

static bool span_is(const struct tt_arg_span *span, const char *str)
{
    size_t length = strlen(str);
    return span->length == length && memcmp(span->data, str, length) == 0;
}

static bool is_left_out(const struct tt_arg *arg)
{
    return arg->hidden || span_is(&arg->name, "empty") || span_is(&arg->name, "pad");
}

/* Returns the number of printed arguments before `index` with the same name. */
static unsigned times_before(const struct tt_args *args, unsigned index)
{
    const struct tt_arg_span *name = &args->v[index].name;
    unsigned times = 0;
    for (unsigned i = 0; i < index; i++) {
        const struct tt_arg_span *other = &args->v[i].name;
        if (other->length == name->length && memcmp(other->data, name->data, name->length) == 0 &&
            !is_left_out(&args->v[i])) {
            times++;
        }
    }
    return times;
}

/* Names the next member after an argument; the second one of that name gets ~2. */
static void name_arg(struct tt_fields *fields, const struct tt_args *args, unsigned index)
{
    const struct tt_arg_span *name = &args->v[index].name;
    unsigned before = times_before(args, index);
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

static void put_hex(struct tt_fields *fields, const struct tt_arg_span *bytes)
{
    size_t start = tt_field_open_text(fields, NULL);
    for (uint32_t i = 0; i < bytes->length; i++) {
        tt_text_hex(fields->text, (uint8_t)bytes->data[i], 2);
    }
    tt_field_close_text(fields, start);
}

static void put_value(struct tt_fields *fields, const struct tt_arg *arg)
{
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
        put_hex(fields, &arg->value.s);
        break;
    }
}

/* Writes the arguments as members, with the full size of truncated bytes as NAME.bytes. */
static void put_args(struct tt_fields *fields, const struct tt_args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (is_left_out(arg)) {
            continue;
        }
        name_arg(fields, args, i);
        put_value(fields, arg);
        if (arg->type == TT_ARG_BYTES && arg->raw_length > arg->value.s.length) {
            tt_field_name(fields, arg->name.data, arg->name.length, ".bytes");
            tt_field_u64(fields, NULL, arg->raw_length);
        }
    }
}

/* Writes what the text output shows beside the values. */
static void put_labels(struct tt_fields *fields, const struct tt_args *args)
{
    tt_field_close(fields, '}');
    tt_field_open(fields, "names", '{');
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg_span *label = &args->v[i].label;
        if (!is_left_out(&args->v[i]) && label->length > 0) {
            name_arg(fields, args, i);
            tt_field_bytes(fields, NULL, label->data, label->length);
        }
    }
}

void tt_export_jsonl(struct tt_text *text, const struct tt_record *r)
{
    struct tt_fields fields =
        tt_row_head(text, TT_FIELDS_JSON, r->capture, r->rows, r->event, r->number);
    put_args(&fields, r->args);
    if (r->with_names) {
        put_labels(&fields, r->args);
    }
    tt_row_tail(&fields, r->capture, r->rows, r->event);
}

void tt_export_csv(struct tt_text *text, const struct tt_record *r)
{
    struct tt_fields fields =
        tt_row_head(text, TT_FIELDS_CSV, r->capture, r->rows, r->event, r->number);
    size_t start = text->used;
    tt_line_args(text, r->args);
    tt_field_close_text(&fields, start);
    tt_row_tail(&fields, r->capture, r->rows, r->event);
}
