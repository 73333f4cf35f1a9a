/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_describe: the arguments of an event, by the format description in the file. */
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

/* The bytes of a field in a record, and where they are. */
struct field_bytes {
    const uint8_t *at;
    uint32_t offset;
    uint32_t size;
};

/* Finds the bytes of a field; clips what leaves the record. Returns false if none are in it. */
static bool find_bytes(const struct ftrace_record *record, const struct ftrace_field *field,
                       struct field_bytes *bytes)
{
    uint32_t offset = field->offset, size = field->size;
    if (offset > record->size) {
        return false;
    }
    if (field->kind == FTRACE_DYNAMIC || field->kind == FTRACE_RELATIVE) {
        if (record->size - offset < 4) {
            return false;
        }
        uint32_t where = tt_load_u32(record->data + offset, record->big);
        size = where >> 16;
        offset = (where & 0xffff) + (field->kind == FTRACE_RELATIVE ? offset + 4 : 0);
    } else if (field->kind == FTRACE_REST) {
        size = record->size - offset;
    }
    if (offset > record->size) {
        return false;
    }
    bytes->at = record->data + offset;
    bytes->offset = offset;
    bytes->size = size < record->size - offset ? size : record->size - offset;
    return true;
}

/* ---- labels ------------------------------------------------------------------------------- */

static void add_label(struct tt_args *args, struct tt_arg *arg, const char *text, size_t length)
{
    char *copy = tt_args_scratch(args, (uint32_t)length);
    if (copy) {
        memcpy(copy, text, length);
        tt_arg_label(arg, copy, (uint32_t)length);
    }
}

/* Labels a number with the names of its bits, or of its value. */
static void label_number(struct tt_args *args, struct tt_arg *arg, const struct ftrace_field *field,
                         uint64_t value)
{
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t left = value & field->mask;
    for (unsigned i = 0; i < field->label_count; i++) {
        const struct ftrace_label *label = &field->labels[i];
        if (!field->is_flags && left == label->value) {
            tt_arg_label(arg, label->text, (uint32_t)strlen(label->text));
            return;
        }
        if (field->is_flags && label->value != 0 && (left & label->value) == label->value) {
            if (text.used > 0) {
                tt_text_char(&text, '|');
            }
            tt_text_str(&text, label->text);
            left &= ~label->value;
        } else if (field->is_flags && label->value == 0 && (value & field->mask) == 0) {
            tt_arg_label(arg, label->text, (uint32_t)strlen(label->text));
            return;
        }
    }
    if (field->is_flags && text.used > 0) {
        add_label(args, arg, buffer, text.used);
    }
}

static void label_symbol(const struct ftrace *d, struct tt_args *args, struct tt_arg *arg,
                         uint64_t address, uint64_t limit)
{
    char buffer[160];
    uint64_t distance;
    const char *name = ftrace_symbol(d, address, limit, &distance);
    if (name) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, name);
        if (distance > 0) {
            tt_text_str(&text, "+");
            tt_text_hex(&text, distance, 1);
        }
        add_label(args, arg, buffer, text.used);
    }
}

/* ---- values ------------------------------------------------------------------------------- */

static void set_number(const struct ftrace *d, struct tt_args *args, struct tt_arg *arg,
                       const struct ftrace_field *field, const struct field_bytes *bytes,
                       uint64_t limit)
{
    uint64_t value = ftrace_number_at(bytes->at, bytes->size, d->big);
    uint64_t extended = field->is_signed ? ftrace_extend(value, bytes->size) : value;
    arg->value.u = extended;
    arg->type = field->is_signed ? TT_ARG_I64 : TT_ARG_U64;
    if (field->base == FTRACE_HEX) {
        arg->type = TT_ARG_HEX;
        arg->value.u = value;
    } else if (field->base != FTRACE_DECIMAL) {
        arg->type = TT_ARG_POINTER;
        arg->value.u = value;
    }
    if (field->labels) {
        label_number(args, arg, field, value);
    } else if (field->base == FTRACE_SYMBOL) {
        label_symbol(d, args, arg, value, limit);
    }
}

static void set_text(struct tt_arg *arg, const struct field_bytes *bytes)
{
    const uint8_t *end = bytes->size ? memchr(bytes->at, 0, bytes->size) : NULL;
    arg->type = TT_ARG_STRING;
    arg->value.s.data = (const char *)bytes->at;
    arg->value.s.length = end ? (uint32_t)(end - bytes->at) : bytes->size;
}

#define ITEM_DIGITS 12u /* of an index, with its brackets */

/* Adds the items of an array of numbers as "name[0]", "name[1]", ... */
static void add_items(const struct ftrace *d, struct tt_args *args,
                      const struct ftrace_field *field, const struct field_bytes *bytes)
{
    for (uint32_t i = 0; (i + 1) * field->item <= bytes->size; i++) {
        char *name = tt_args_scratch(args, field->name_length + ITEM_DIGITS);
        struct tt_text text = tt_text_of(name, name ? field->name_length + ITEM_DIGITS : 0);
        tt_text_bytes(&text, field->name, field->name_length);
        tt_text_char(&text, '[');
        tt_text_u64(&text, i);
        tt_text_char(&text, ']');
        struct tt_arg *arg = name ? tt_args_add_constant(args, name, (uint32_t)text.used) : NULL;
        if (!arg) {
            return;
        }
        arg->type = TT_ARG_HEX;
        arg->value.u = ftrace_number_at(bytes->at + i * field->item, field->item, d->big);
        arg->raw_offset = bytes->offset + i * field->item;
        arg->raw_length = field->item;
    }
}

static void add_field(const struct ftrace *d, struct tt_args *args,
                      const struct ftrace_record *record, const struct ftrace_field *field,
                      uint64_t limit)
{
    struct field_bytes bytes;
    if (!find_bytes(record, field, &bytes)) {
        return;
    }
    bool items = field->item > 1 && (field->kind == FTRACE_ARRAY || field->kind == FTRACE_DYNAMIC ||
                                     field->kind == FTRACE_RELATIVE || field->kind == FTRACE_REST);
    if (items) {
        add_items(d, args, field, &bytes);
        return;
    }
    struct tt_arg *arg = tt_args_add_constant(args, field->name, field->name_length);
    if (!arg) {
        return;
    }
    arg->hidden = field->common;
    arg->raw_offset = bytes.offset;
    arg->raw_length = bytes.size;
    if (field->kind == FTRACE_NUMBER) {
        set_number(d, args, arg, field, &bytes, limit);
    } else if (field->is_text) {
        set_text(arg, &bytes);
    } else {
        arg->type = TT_ARG_BYTES;
        arg->value.s.data = (const char *)bytes.at;
        arg->value.s.length = bytes.size;
    }
}

/* Labels prev_state with its letters, as the kernel prints them: S, R+. */
static void label_state(const struct ftrace *d, struct tt_args *args)
{
    char letters[LINUX_LETTERS * 2 + 2];
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if (arg->name.length == 10 && memcmp(arg->name.data, "prev_state", 10) == 0) {
            add_label(args, arg, letters, linux_leave_text(&d->leave, arg->value.u, letters));
        }
    }
}

/* Labels the number of a system call with its name. */
static void label_call(const struct ftrace *d, struct tt_args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if (arg->name.length == 2 && memcmp(arg->name.data, "id", 2) == 0 &&
            arg->value.u < LINUX_CALL_NUMBERS && d->calls[arg->value.u] != LINUX_NO_CALL) {
            const char *name = linux_call_name(d->calls[arg->value.u]);
            tt_arg_label(arg, name, (uint32_t)strlen(name));
        }
    }
}

bool ftrace_describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    const struct ftrace *d = c->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    tt_args_clear(args);
    if (!ftrace_find_record(d, event, limit, &record, &of)) {
        return false;
    }
    if (!of) {
        struct tt_arg *arg = tt_args_add(args, "bytes");
        arg->type = TT_ARG_BYTES;
        arg->value.s.data = (const char *)record.data;
        arg->value.s.length = record.size;
        return true;
    }
    for (unsigned i = of->common_count; i < of->field_count; i++) {
        add_field(d, args, &record, &of->fields[i], limit);
    }
    if (of->meaning == FTRACE_BPRINT && of->at[3].offset <= record.size) {
        struct tt_bytes arguments =
            tt_bytes_of(record.data + of->at[3].offset, record.size - of->at[3].offset);
        ftrace_bprint_text(d, ftrace_get(&record, of->at[1]), arguments, args);
    } else if (of->meaning == FTRACE_SWITCH) {
        label_state(d, args);
    } else if (of->meaning == FTRACE_SYS_ENTER || of->meaning == FTRACE_SYS_EXIT) {
        label_call(d, args);
    }
    return true;
}

uint32_t ftrace_parts(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                      struct tt_part *parts, uint32_t max)
{
    const struct ftrace *d = c->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    if (!ftrace_find_record(d, event, limit, &record, &of) ||
        ftrace_stream_of(d, event->pos)->packed) {
        return 0; /* the file has other bytes there */
    }
    uint64_t offset = (uint64_t)(record.data - c->bytes.data);
    if (max > 0) {
        uint32_t header = (uint32_t)(offset - ftrace_offset(c, event->pos));
        parts[0] = (struct tt_part){offset - header, record.size + header, header};
    }
    return 1;
}
