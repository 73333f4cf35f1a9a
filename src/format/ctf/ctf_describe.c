/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_describe: the arguments of an event. Structures are flattened with dots, arrays with indexes:
 *
 *      { a = 1, b = { c = 2, d = [ 3, 4 ] } }      a=1 b.c=2 b.d[0]=3 b.d[1]=4
 */
#include <string.h>

#include "format/ctf/ctf_internal.h"

#define NAME_MOST  200u
#define LABEL_MOST 200u

struct describer {
    const struct ctf_record *record;
    struct ctf_walk walk;
    struct tt_args *args;
    char name[NAME_MOST];
    size_t length;
    uint64_t payload; /* bits of the packet before the part that raw_offset counts from */
};

/* Appends to the name of the argument; returns the length before. */
static size_t push_name(struct describer *x, const char *between, const char *name, uint64_t index)
{
    struct tt_text text = {x->name, x->length, sizeof x->name, false};
    const size_t before = x->length;
    if (name) {
        tt_text_str(&text, before > 0 && x->name[before - 1] != '.' ? between : "");
        tt_text_str(&text, name);
    } else {
        tt_text_char(&text, '[');
        tt_text_u64(&text, index);
        tt_text_char(&text, ']');
    }
    x->length = text.used;
    return before;
}

/* Adds an argument with the current name for the bits from `at` to the walk's place. */
static struct tt_arg *add_argument(struct describer *x, uint64_t at)
{
    char *name = tt_args_scratch(x->args, (uint32_t)x->length);
    if (!name) {
        return NULL;
    }
    memcpy(name, x->name, x->length);
    struct tt_arg *arg = tt_args_add_span(x->args, name, (uint32_t)x->length);
    if (arg) {
        arg->raw_offset = (uint32_t)((at - x->payload) / 8);
        arg->raw_length = (uint32_t)((x->walk.at + 7) / 8 - at / 8);
    }
    return arg;
}

/* Labels a number with all labels whose ranges contain it. */
static void label_number(struct describer *x, struct tt_arg *arg, const struct ctf_class *type,
                         uint64_t value)
{
    char buffer[LABEL_MOST];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *only = NULL;
    unsigned count = 0;
    for (const struct ctf_label *l = type->labels; l; l = l->next) {
        if (ctf_in_range(l, value, type->is_signed)) {
            only = l->text;
            tt_text_str(&text, count++ > 0 ? ", " : "");
            tt_text_str(&text, l->text);
        }
    }
    if (count == 1) {
        tt_arg_label(arg, only, (uint32_t)strlen(only));
    } else if (count > 1) {
        char *copy = tt_args_scratch(x->args, (uint32_t)text.used);
        if (copy) {
            memcpy(copy, buffer, text.used);
            tt_arg_label(arg, copy, (uint32_t)text.used);
        }
    }
}

static void set_number(struct describer *x, struct tt_arg *arg, const struct ctf_class *type,
                       uint64_t value)
{
    arg->type = type->is_signed ? TT_ARG_I64 : TT_ARG_U64;
    arg->value.u = value;
    if (type->base == 16) {
        arg->type = TT_ARG_HEX;
        arg->value.u &=
            type->bits > 0 && type->bits < 64 ? (UINT64_C(1) << type->bits) - 1 : UINT64_MAX;
    }
    label_number(x, arg, type, value);
}

static double double_of(const struct ctf_class *type, const uint8_t *bytes, uint64_t at)
{
    uint64_t value = ctf_load_bits(bytes, at, type);
    double number;
    if (type->bits == 32) {
        uint32_t word = (uint32_t)value;
        float small;
        memcpy(&small, &word, sizeof small);
        return (double)small;
    }
    memcpy(&number, &value, sizeof number);
    return number;
}

static void set_text(struct describer *x, struct tt_arg *arg, const struct ctf_class *type,
                     uint64_t at)
{
    const char *text = (const char *)x->walk.bytes + at / 8;
    uint64_t length = (x->walk.at - at) / 8;
    const char *nul = length && type->kind != CTF_BLOB ? memchr(text, 0, length) : NULL;
    arg->type = type->kind == CTF_BLOB ? TT_ARG_BYTES : TT_ARG_STRING;
    arg->value.s.data = text;
    arg->value.s.length = (uint32_t)(nul ? (uint64_t)(nul - text) : length);
}

static bool describe_class(struct describer *x, const struct ctf_class *type);

static bool describe_leaf(struct describer *x, const struct ctf_class *type)
{
    const uint64_t at = ctf_align(x->walk.at, type->align);
    uint64_t value = 0;
    if (type->kind == CTF_VARINT) {
        x->walk.at = at;
        value = ctf_walk_varint(&x->walk, type);
        if (type->save) {
            x->walk.registers[type->save - 1] = value;
        }
    } else {
        ctf_walk_over(&x->walk, type);
    }
    if (x->walk.at == CTF_NONE) {
        return false;
    }
    struct tt_arg *arg = add_argument(x, at);
    if (!arg) {
        return true;
    }
    if (type->kind == CTF_INTEGER) {
        set_number(x, arg, type, ctf_load(x->walk.bytes, at, type));
    } else if (type->kind == CTF_VARINT) {
        set_number(x, arg, type, value);
    } else if (type->kind == CTF_FLOAT) {
        arg->type = TT_ARG_DOUBLE;
        arg->value.d = double_of(type, x->walk.bytes, at);
    } else {
        set_text(x, arg, type, at);
    }
    return true;
}

/* Returns whether a field is the length of the one after it: LTTng's `_NAME_length`. */
static bool is_length(const struct ctf_member *m)
{
    size_t length = strlen(m->name);
    const char *next = m->next ? m->next->name : "";
    return length > 8 && m->name[0] == '_' && strcmp(m->name + length - 7, "_length") == 0 &&
           strlen(next) == length - 8 && memcmp(m->name + 1, next, length - 8) == 0;
}

static bool describe_members(struct describer *x, const struct ctf_class *type)
{
    for (const struct ctf_member *m = type->members; m; m = m->next) {
        const size_t before = push_name(x, ".", m->name, 0);
        const unsigned first = x->args->count;
        if (!describe_class(x, m->type)) {
            return false;
        }
        for (unsigned i = first; i < x->args->count && is_length(m); i++) {
            x->args->v[i].hidden = 1;
        }
        x->length = before;
    }
    return true;
}

static bool describe_array(struct describer *x, const struct ctf_class *type)
{
    const struct ctf_class *item = type->members->type;
    uint64_t length = ctf_length(type, x->walk.registers);
    x->walk.at = ctf_align(x->walk.at, type->align);
    if (length == 0) {
        struct tt_arg *arg = add_argument(x, x->walk.at);
        if (arg) {
            arg->type = TT_ARG_STRING;
            arg->value.s.data = "";
        }
    }
    for (uint64_t i = 0; i < length && !x->args->cut; i++) {
        const size_t before = push_name(x, "", NULL, i);
        if (!describe_class(x, item)) {
            return false;
        }
        x->length = before;
    }
    return true;
}

static bool describe_class(struct describer *x, const struct ctf_class *type)
{
    switch ((enum ctf_kind)type->kind) {
    case CTF_STRUCT:
        x->walk.at = ctf_align(x->walk.at, type->align);
        return describe_members(x, type);
    case CTF_ARRAY:
        return describe_array(x, type);
    case CTF_VARIANT: {
        const struct ctf_member *m = ctf_option(type, x->walk.registers[type->from - 1]);
        return m ? describe_class(x, m->type) : type->members && type->members->any;
    }
    default:
        return describe_leaf(x, type);
    }
}

/* Describes a part of an event, whose arguments begin with `prefix`. */
static void describe_part(struct describer *x, unsigned scope, const struct ctf_class *type,
                          const char *prefix)
{
    if (!type) {
        return;
    }
    x->walk =
        ctf_walk_of(x->record->bytes, x->record->at[scope], x->record->after, x->record->registers);
    x->length = strlen(prefix);
    memcpy(x->name, prefix, x->length);
    describe_class(x, type);
}

bool ctf_describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args)
{
    uint64_t registers[CTF_REGISTERS];
    struct ctf_record record;
    tt_args_clear(args);
    if (!ctf_find_record(c->decoder, event, limit, &record, registers)) {
        return false;
    }
    struct describer x = {.record = &record, .args = args, .payload = record.begin};
    const struct ctf_stream_class *of = record.stream->of;
    describe_part(&x, CTF_COMMON_CONTEXT, of->classes[CTF_COMMON_CONTEXT], "ctx.");
    describe_part(&x, CTF_EVENT_CONTEXT, record.of->context, "context.");
    describe_part(&x, CTF_PAYLOAD, record.of->payload, "");
    const struct ctf_tracer *tracer = record.stream->trace->tracer;
    if (tracer->label) {
        tracer->label(&record, event, args);
    }
    return true;
}
