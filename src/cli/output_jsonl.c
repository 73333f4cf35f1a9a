/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "cli/writers.h"
#include "tracetui/event_row.h"

static void json_bool(struct tt_text *text, bool value)
{
    tt_text_str(text, value ? "true" : "false");
}

/* JSON has no representation of NaN and infinity. */
static void json_double(struct tt_text *text, double value)
{
    bool quoted = !isfinite(value);
    if (quoted) {
        tt_text_char(text, '"');
    }
    tt_text_double(text, value);
    if (quoted) {
        tt_text_char(text, '"');
    }
}

static void json_hex(struct tt_text *text, const struct tt_arg_span *bytes)
{
    tt_text_char(text, '"');
    for (uint32_t i = 0; i < bytes->length; i++) {
        tt_text_hex(text, (uint8_t)bytes->data[i], 2);
    }
    tt_text_char(text, '"');
}

static void json_value(struct tt_text *text, const struct tt_arg *arg)
{
    switch ((enum tt_arg_type)arg->type) {
    case TT_ARG_NULL:
        tt_text_str(text, "null");
        break;
    case TT_ARG_I64:
        tt_json_i64(text, arg->value.i);
        break;
    case TT_ARG_U64:
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
    case TT_ARG_KOID:
        tt_json_u64(text, arg->value.u);
        break;
    case TT_ARG_DOUBLE:
        json_double(text, arg->value.d);
        break;
    case TT_ARG_BOOL:
        json_bool(text, arg->value.u != 0);
        break;
    case TT_ARG_STRING:
        tt_text_json(text, arg->value.s.data, arg->value.s.length);
        break;
    case TT_ARG_BYTES:
        json_hex(text, &arg->value.s);
        break;
    }
}

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

static void json_name(struct tt_text *text, const struct tt_args *args, unsigned index)
{
    const struct tt_arg_span *name = &args->v[index].name;
    tt_text_json(text, name->data, name->length);
    unsigned before = times_before(args, index);
    if (before > 0 && text->used > 0 && !text->truncated) {
        text->used--; /* the number is inside the quotes */
        tt_text_char(text, '~');
        tt_text_u64(text, before + 1);
        tt_text_char(text, '"');
    }
    tt_text_char(text, ':');
}

/* Writes the full size of truncated bytes as NAME.bytes. */
static void json_cut(struct tt_text *text, const struct tt_arg *arg)
{
    if (arg->type != TT_ARG_BYTES || arg->raw_length <= arg->value.s.length) {
        return;
    }
    tt_text_char(text, ',');
    tt_text_json(text, arg->name.data, arg->name.length);
    if (text->used > 0 && !text->truncated) {
        text->used--; /* the rest of the name is inside the quotes */
        tt_text_str(text, ".bytes\":");
        tt_text_u64(text, arg->raw_length);
    }
}

/* Writes the members of the object; its braces belong to the row, as for json_labels. */
static void json_args(struct tt_text *text, const struct tt_args *args)
{
    bool first = true;
    for (unsigned i = 0; i < args->count; i++) {
        if (is_left_out(&args->v[i])) {
            continue;
        }
        if (!first) {
            tt_text_char(text, ',');
        }
        first = false;
        json_name(text, args, i);
        json_value(text, &args->v[i]);
        json_cut(text, &args->v[i]);
    }
}

/* Writes what the text output shows beside the values. */
static void json_labels(struct tt_text *text, const struct tt_args *args)
{
    bool first = true;
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg_span *label = &args->v[i].label;
        if (is_left_out(&args->v[i]) || label->length == 0) {
            continue;
        }
        if (!first) {
            tt_text_char(text, ',');
        }
        first = false;
        json_name(text, args, i);
        tt_text_json(text, label->data, label->length);
    }
}

void tt_export_jsonl(struct tt_text *text, const struct tt_record *r)
{
    tt_row_head(text, TT_ROW_JSON, r->capture, r->rows, r->event, r->number);
    json_args(text, r->args);
    if (r->with_names) {
        tt_text_str(text, "},\"names\":{");
        json_labels(text, r->args);
    }
    tt_row_tail(text, TT_ROW_JSON, r->capture, r->event);
}
