/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_describe: the arguments of an event, by the format description in the file.
 *
 * When a format is read, its fields become a plan: a step per argument, which has all that does not depend on the
 * record (name, type, place). An argument then is a copy of its step's, with a value and maybe a label.
 */
#include <arpa/inet.h>
#include <string.h>

#include "base/format_fast.h"
#include "format/ftrace/ftrace_internal.h"
#include "format/text_plan.h"
#include "tracetui/text.h"

/* ---- the plan ----------------------------------------------------------------------------- */

#define ITEMS_MAX 16u /* of an array whose items have steps of their own */
#define NAME_MOST 64u
#define ITEM_ROOM 12u /* of an index, with its brackets */

/* Sets the name of an item of an array: "args[2]". */
static void name_item(struct tt_text *text, const struct ftrace_field *field, uint32_t item)
{
    tt_text_bytes(text, field->name, field->name_length);
    tt_text_char(text, '[');
    tt_text_u64(text, item);
    tt_text_char(text, ']');
}

/* Determines how the value of a field is made, and its type. */
static void plan_value(struct ftrace_step *step, const struct ftrace_field *field, unsigned meaning)
{
    const bool is_call = meaning == FTRACE_SYS_ENTER || meaning == FTRACE_SYS_EXIT;
    if (field->kind != FTRACE_NUMBER) {
        step->kind = field->item > 1 && field->kind != FTRACE_TEXT ? FTRACE_STEP_ITEMS
                     : field->is_text                              ? FTRACE_STEP_TEXT
                     : field->base >= FTRACE_IP                    ? FTRACE_STEP_FORM
                                                                   : FTRACE_STEP_BYTES;
        step->arg.type = field->is_text ? TT_ARG_STRING : TT_ARG_BYTES;
        return;
    }
    step->is_signed = field->is_signed && field->base == FTRACE_DECIMAL;
    step->arg.type = field->base == FTRACE_HEX       ? TT_ARG_HEX
                     : field->base != FTRACE_DECIMAL ? TT_ARG_POINTER
                     : field->is_signed              ? TT_ARG_I64
                                                     : TT_ARG_U64;
    step->kind = meaning == FTRACE_SWITCH && strcmp(field->name, "prev_state") == 0
                     ? FTRACE_STEP_STATE
                 : is_call && strcmp(field->name, "id") == 0 ? FTRACE_STEP_CALL
                 : field->labels                             ? FTRACE_STEP_LABELS
                 : field->base == FTRACE_SYMBOL              ? FTRACE_STEP_SYMBOL
                                                             : FTRACE_STEP_NUMBER;
}

/* Adds a step for each item of an array of numbers. */
static bool plan_items(struct ftrace *ftrace, const struct ftrace_field *field,
                       struct ftrace_step *steps)
{
    for (uint32_t i = 0; (i + 1) * field->item <= field->size; i++) {
        char name[NAME_MOST + ITEM_ROOM];
        struct tt_text text = tt_text_of(name, sizeof name);
        name_item(&text, field, i);
        steps[i] = (struct ftrace_step){
            .kind = FTRACE_STEP_NUMBER,
            .is_fixed = true,
            .arg = {.name = {ftrace_text(ftrace, name, text.used), (uint32_t)text.used},
                    .plain = 1,
                    .type = TT_ARG_HEX,
                    .raw_offset = field->offset + i * field->item,
                    .raw_length = field->item}};
        if (!steps[i].arg.name.data) {
            return false;
        }
    }
    return true;
}

#define LABEL_MOST 256u

/* Returns the names of the bits of a number, or of its value; empty: it has none. Uses `buffer` of LABEL_MOST bytes. */
static struct tt_text label_text(const struct ftrace_field *field, uint64_t value, char *buffer)
{
    struct tt_text text = tt_text_of(buffer, LABEL_MOST);
    uint64_t left = value & field->mask;
    for (unsigned i = 0; i < field->label_count; i++) {
        const struct ftrace_label *label = &field->labels[i];
        const bool is_all = field->is_flags ? label->value == 0 && (value & field->mask) == 0
                                            : left == label->value;
        if (is_all) {
            text.used = 0;
            tt_text_bytes(&text, label->text, label->length);
            return text;
        }
        if (field->is_flags && label->value != 0 && (left & label->value) == label->value) {
            tt_text_str(&text, text.used > 0 ? "|" : "");
            tt_text_bytes(&text, label->text, label->length);
            left &= ~label->value;
        }
    }
    return text;
}

/* Writes the label of a value of a field. */
static char *put_labels(char *to, const void *of, uint64_t value)
{
    const struct ftrace_field *field = of;
    char buffer[LABEL_MOST];
    const struct tt_text text = label_text(
        field, field->size < 8 ? value & ((UINT64_C(1) << 8 * field->size) - 1) : value, buffer);
    return text.used + 8 <= TT_TEXT_LABEL && tt_fast_plain(to, buffer, text.used) ? to + text.used
                                                                                  : NULL;
}

/* Writes the name of a system call; its number is the value. */
static char *put_call(char *to, const void *of, uint64_t value)
{
    const struct ftrace *ftrace = of;
    const char *name = value < LINUX_CALL_NUMBERS && ftrace->calls[value] != LINUX_NO_CALL
                           ? linux_call_name(ftrace->calls[value])
                           : "";
    const size_t length = strlen(name);
    return length <= TT_TEXT_LABEL ? (char *)memcpy(to, name, length) + length : NULL;
}

/* Makes the plan of the text of all steps. Returns false if out of memory. */
static bool plan_text(struct ftrace *ftrace, struct ftrace_event *event)
{
    struct tt_text_plan_maker maker;
    tt_text_plan_begin(&maker);
    maker.is_whole = event->meaning != FTRACE_BPRINT;
    for (unsigned i = 0; i < event->step_count; i++) {
        const struct ftrace_step *step = &event->steps[i];
        struct tt_text_field field = {.at = step->arg.raw_offset,
                                      .size = step->arg.raw_length,
                                      .big = ftrace->big,
                                      .kind = step->kind == FTRACE_STEP_TEXT ? TT_TEXT_CHARACTERS
                                                                             : TT_TEXT_UNSIGNED};
        switch ((enum ftrace_step_kind)step->kind) {
        case FTRACE_STEP_NUMBER:
            break;
        case FTRACE_STEP_STATE:
            field.label = linux_leave_label;
            field.label_of = &ftrace->leave;
            break;
        case FTRACE_STEP_CALL:
            field.label = put_call;
            field.label_of = ftrace;
            break;
        case FTRACE_STEP_LABELS:
            field.label = put_labels;
            field.label_of = step->field;
            break;
        case FTRACE_STEP_TEXT:
            field.kind = step->field->kind == FTRACE_DYNAMIC ? TT_TEXT_ELSEWHERE : field.kind;
            break;
        default:
            maker.is_whole = maker.is_whole && step->arg.hidden;
            break;
        }
        maker.is_whole &= step->is_fixed || field.kind == TT_TEXT_ELSEWHERE || step->arg.hidden;
        tt_text_plan_add(&maker, &step->arg, field);
    }
    return tt_text_plan_end(&maker, &ftrace->arena, &event->text);
}

bool ftrace_plan(struct ftrace *ftrace, struct ftrace_event *event)
{
    struct ftrace_step steps[TT_ARGS_MAX];
    unsigned count = 0;
    for (unsigned i = event->common_count; i < event->field_count && count < TT_ARGS_MAX; i++) {
        const struct ftrace_field *field = &event->fields[i];
        const unsigned items = field->item > 1 ? field->size / field->item : 0;
        if (field->kind == FTRACE_ARRAY && items > 0 && items <= ITEMS_MAX &&
            items <= TT_ARGS_MAX - count && field->name_length <= NAME_MOST) {
            if (!plan_items(ftrace, field, steps + count)) {
                return false;
            }
            count += items;
            continue;
        }
        struct ftrace_step *step = &steps[count++];
        *step = (struct ftrace_step){.field = field,
                                     .is_fixed = field->kind == FTRACE_NUMBER ||
                                                 field->kind == FTRACE_TEXT ||
                                                 field->kind == FTRACE_ARRAY,
                                     .arg = {.name = {field->name, field->name_length},
                                             .plain = 1,
                                             .hidden = field->common,
                                             .raw_offset = field->offset,
                                             .raw_length = field->size}};
        plan_value(step, field, event->meaning);
    }
    event->steps = tt_arena_alloc(&ftrace->arena, (count ? count : 1) * sizeof *steps);
    if (!event->steps) {
        return false;
    }
    memcpy(event->steps, steps, count * sizeof *steps);
    event->step_count = (uint16_t)count;
    return plan_text(ftrace, event);
}

/* ---- where the bytes are ------------------------------------------------------------------ */

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
    char buffer[LABEL_MOST];
    const struct tt_text text = label_text(field, value, buffer);
    if (text.used > 0) {
        add_label(args, arg, text.buffer, text.used);
    }
}

static void label_symbol(const struct ftrace *ftrace, struct tt_args *args, struct tt_arg *arg,
                         uint64_t address, uint64_t limit)
{
    char buffer[160];
    uint64_t distance;
    const char *name = ftrace_symbol(ftrace, address, limit, &distance);
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

/* Adds the items of an array of numbers as "name[0]", "name[1]", ... */
static void ftrace_describe_add_items(const struct ftrace *ftrace, struct tt_args *args,
                                      const struct ftrace_field *field,
                                      const struct field_bytes *bytes)
{
    for (uint32_t i = 0; (i + 1) * field->item <= bytes->size; i++) {
        char *name = tt_args_scratch(args, field->name_length + ITEM_ROOM);
        struct tt_text text = tt_text_of(name, name ? field->name_length + ITEM_ROOM : 0);
        name_item(&text, field, i);
        struct tt_arg *arg = name ? tt_args_add_constant(args, name, (uint32_t)text.used) : NULL;
        if (!arg) {
            return;
        }
        arg->type = TT_ARG_HEX;
        arg->value.u = ftrace_number_at(bytes->at + i * field->item, field->item, ftrace->big);
        arg->raw_offset = bytes->offset + i * field->item;
        arg->raw_length = field->item;
    }
}

/* Replaces bytes by their form, if they are as many as it has. */
static void set_form(struct tt_args *args, struct tt_arg *arg, unsigned base,
                     const struct field_bytes *bytes)
{
    static const uint16_t dashes = 1u << 4 | 1u << 6 | 1u << 8 | 1u << 10; /* of a UUID */
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (base == FTRACE_IP && (bytes->size == 4 || bytes->size == 16)) {
        inet_ntop(bytes->size == 4 ? AF_INET : AF_INET6, bytes->at, buffer, sizeof buffer);
        text.used = strlen(buffer);
    } else if (bytes->size == (base == FTRACE_MAC ? 6u : 16u) && base != FTRACE_IP) {
        for (unsigned i = 0; i < bytes->size; i++) {
            if (base == FTRACE_MAC ? i > 0 : (dashes >> i & 1) != 0) {
                tt_text_char(&text, base == FTRACE_MAC ? ':' : '-');
            }
            tt_text_hex(&text, bytes->at[i], 2);
        }
    }
    char *copy = text.used > 0 ? tt_args_scratch(args, (uint32_t)text.used) : NULL;
    if (copy) {
        memcpy(copy, buffer, text.used);
        arg->type = TT_ARG_STRING;
        arg->value.s = (struct tt_arg_span){copy, (uint32_t)text.used};
    }
}

/* Adds the argument of a step, unless the record ends before it. */
static inline void ftrace_describe_add_step(const struct ftrace *ftrace, struct tt_args *args,
                                            const struct ftrace_record *record,
                                            const struct ftrace_step *step, uint64_t limit)
{
    struct field_bytes bytes = {record->data, step->arg.raw_offset, step->arg.raw_length};
    if (step->is_fixed && bytes.offset + bytes.size <= record->size) {
        bytes.at += bytes.offset;
    } else {
        if (!step->field || !find_bytes(record, step->field, &bytes)) {
            return;
        }
        if (step->kind == FTRACE_STEP_ITEMS) {
            ftrace_describe_add_items(ftrace, args, step->field, &bytes);
            return;
        }
    }
    if (args->count == TT_ARGS_MAX) {
        args->cut = true;
        return;
    }
    struct tt_arg *arg = &args->v[args->count++];
    *arg = step->arg;
    arg->raw_offset = bytes.offset;
    arg->raw_length = bytes.size;
    if (step->kind >= FTRACE_STEP_TEXT) {
        const uint8_t *end = step->kind == FTRACE_STEP_TEXT && bytes.size > 0
                                 ? memchr(bytes.at, 0, bytes.size)
                                 : NULL;
        arg->value.s.data = (const char *)bytes.at;
        arg->value.s.length = end ? (uint32_t)(end - bytes.at) : bytes.size;
        if (step->kind == FTRACE_STEP_FORM) {
            set_form(args, arg, step->field->base, &bytes);
        }
        return;
    }
    uint64_t value = ftrace_number_at(bytes.at, bytes.size, ftrace->big);
    arg->value.u = step->is_signed ? ftrace_extend(value, bytes.size) : value;
    char letters[LINUX_LETTERS * 2 + 2];
    switch ((enum ftrace_step_kind)step->kind) {
    case FTRACE_STEP_LABELS:
        label_number(args, arg, step->field, value);
        break;
    case FTRACE_STEP_SYMBOL:
        label_symbol(ftrace, args, arg, value, limit);
        break;
    case FTRACE_STEP_STATE:
        add_label(args, arg, letters, linux_leave_text(&ftrace->leave, arg->value.u, letters));
        break;
    case FTRACE_STEP_CALL:
        if (value < LINUX_CALL_NUMBERS && ftrace->calls[value] != LINUX_NO_CALL) {
            const char *name = linux_call_name(ftrace->calls[value]);
            tt_arg_label(arg, name, (uint32_t)strlen(name));
        }
        break;
    default:
        break;
    }
}

bool ftrace_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    const struct ftrace *ftrace = capture->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    tt_args_clear(args);
    if (!ftrace_find_record(ftrace, event, limit, &record, &of)) {
        return false;
    }
    if (!of) {
        struct tt_arg *arg = tt_args_add(args, "bytes");
        arg->type = TT_ARG_BYTES;
        arg->value.s.data = (const char *)record.data;
        arg->value.s.length = record.size;
        return true;
    }
    for (unsigned i = 0; i < of->step_count; i++) {
        ftrace_describe_add_step(ftrace, args, &record, &of->steps[i], limit);
    }
    if (of->meaning == FTRACE_BPRINT && of->at[3].offset <= record.size) {
        struct tt_bytes arguments =
            tt_bytes_of(record.data + of->at[3].offset, record.size - of->at[3].offset);
        ftrace_bprint_text(ftrace, ftrace_get(&record, of->at[1]), arguments, args);
    }
    return true;
}

bool ftrace_put_args(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_text *text)
{
    struct ftrace_record record;
    const struct ftrace_event *of;
    return ftrace_find_record(capture->decoder, event, limit, &record, &of) && of &&
           tt_text_plan_put(of->text, record.data, record.size, text);
}

uint32_t ftrace_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max)
{
    const struct ftrace *ftrace = capture->decoder;
    struct ftrace_record record;
    const struct ftrace_event *of;
    if (!ftrace_find_record(ftrace, event, limit, &record, &of) ||
        ftrace_stream_of(ftrace, event->pos)->packed) {
        return 0; /* the file has other bytes there */
    }
    uint64_t offset = (uint64_t)(record.data - capture->bytes.data);
    if (max > 0) {
        uint32_t header = (uint32_t)(offset - ftrace_offset(capture, event->pos));
        parts[0] = (struct tt_part){offset - header, record.size + header, header};
    }
    return 1;
}
