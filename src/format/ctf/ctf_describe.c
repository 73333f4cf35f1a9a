/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_describe: the arguments of an event. Structures are flattened with dots, arrays with indexes:
 *
 *      { a = 1, b = { c = 2, d = [ 3, 4 ] } }      a=1 b.c=2 b.d[0]=3 b.d[1]=4
 */
#include <stdio.h>
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
static size_t push_name(struct describer *describer, const char *between, const char *name,
                        uint64_t index)
{
    struct tt_text text = {describer->name, describer->length, sizeof describer->name, false};
    const size_t before = describer->length;
    if (name) {
        tt_text_str(&text, before > 0 && describer->name[before - 1] != '.' ? between : "");
        tt_text_str(&text, name);
    } else {
        tt_text_char(&text, '[');
        tt_text_u64(&text, index);
        tt_text_char(&text, ']');
    }
    describer->length = text.used;
    return before;
}

/* Adds an argument with the current name for the bits from `at` to the walk's place. */
static struct tt_arg *add_argument(struct describer *describer, uint64_t at)
{
    char *name = tt_args_scratch(describer->args, (uint32_t)describer->length);
    if (!name) {
        return NULL;
    }
    memcpy(name, describer->name, describer->length);
    struct tt_arg *arg = tt_args_add_span(describer->args, name, (uint32_t)describer->length);
    if (arg) {
        arg->raw_offset = (uint32_t)((at - describer->payload) / 8);
        arg->raw_length = (uint32_t)((describer->walk.at + 7) / 8 - at / 8);
    }
    return arg;
}

/* Returns how values of a class are printed. */
static uint8_t ctf_describe_type_of(const struct ctf_class *type)
{
    return type->kind == CTF_FLOAT                                 ? TT_ARG_DOUBLE
           : type->kind == CTF_BLOB                                ? TT_ARG_BYTES
           : type->kind != CTF_INTEGER && type->kind != CTF_VARINT ? TT_ARG_STRING
           : type->base == 16                                      ? TT_ARG_HEX
           : type->is_signed                                       ? TT_ARG_I64
                                                                   : TT_ARG_U64;
}

static inline void set_number(struct tt_args *args, struct tt_arg *arg,
                              const struct ctf_class *type, uint64_t value)
{
    arg->value.u = value;
    if (arg->type == TT_ARG_HEX && type->is_signed && type->bits > 0 && type->bits < 64) {
        arg->value.u &= (UINT64_C(1) << type->bits) - 1;
    }
    if (type->labels) {
        /* Labels a number with all labels whose ranges contain it. */
        char buffer[LABEL_MOST];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const char *only = NULL;
        unsigned count = 0;
        for (const struct ctf_label *label = type->labels; label; label = label->next) {
            if (ctf_in_range(label, value, type->is_signed)) {
                only = label->text;
                tt_text_str(&text, count++ > 0 ? ", " : "");
                tt_text_str(&text, label->text);
            }
        }
        if (count == 1) {
            tt_arg_label(arg, only, (uint32_t)strlen(only));
        } else if (count > 1) {
            char *copy = tt_args_scratch(args, (uint32_t)text.used);
            if (copy) {
                memcpy(copy, buffer, text.used);
                tt_arg_label(arg, copy, (uint32_t)text.used);
            }
        }
    }
}

/* Sets the value of a number of constant size, a text or bytes, which take `bits` from `at` on. */
static void set_value(struct tt_args *args, struct tt_arg *arg, const struct ctf_class *type,
                      const uint8_t *bytes, uint64_t at, uint64_t bits)
{
    if (type->kind == CTF_INTEGER) {
        set_number(args, arg, type, ctf_load(bytes, at, type));
    } else if (type->kind == CTF_FLOAT) {
        const uint64_t value = ctf_load_bits(bytes, at, type);
        const uint32_t word = (uint32_t)value;
        float single;
        memcpy(&single, &word, sizeof single);
        memcpy(&arg->value.d, &value, sizeof value);
        arg->value.d = type->bits == 32 ? (double)single : arg->value.d;
    } else {
        const char *text = (const char *)bytes + at / 8;
        const uint64_t length = bits / 8;
        const char *nul = length && type->kind != CTF_BLOB ? memchr(text, 0, length) : NULL;
        arg->value.s.data = text;
        arg->value.s.length = (uint32_t)(nul ? (uint64_t)(nul - text) : length);
    }
}

/* ---- fields at constant places -------------------------------------------------------------- */

/* Returns whether a field is the length of the one after it: LTTng's `_NAME_length`. */
static bool ctf_describe_is_length(const struct ctf_member *member)
{
    size_t length = strlen(member->name);
    const char *next = member->next ? member->next->name : "";
    return length > 8 && member->name[0] == '_' &&
           strcmp(member->name + length - 7, "_length") == 0 && strlen(next) == length - 8 &&
           memcmp(member->name + 1, next, length - 8) == 0;
}

/* Counts leaves, or lists them. */
struct lister {
    struct ctf *d;
    struct ctf_leaf *leaves;
    uint32_t count;
};

/* Lists a field of constant size. Returns false if the event has too many, or if out of memory. */
static bool list_leaves(struct lister *lister, const struct ctf_class *type, const char *name,
                        uint64_t at, bool is_hidden)
{
    char text[NAME_MOST];
    if (type->kind == CTF_STRUCT || (type->kind == CTF_ARRAY && type->length > 0)) {
        const struct ctf_member *member = type->members;
        uint64_t place = 0, count = type->kind == CTF_ARRAY ? type->length : type->member_count;
        for (uint64_t i = 0; i < count; i++) {
            int length = type->kind == CTF_ARRAY
                             ? snprintf(text, sizeof text, "%s[%llu]", name, (unsigned long long)i)
                             : snprintf(text, sizeof text, "%s.%s", name, member->name);
            place = ctf_align(place, member->type->align);
            bool hides = type->kind == CTF_STRUCT && ctf_describe_is_length(member);
            if (length < 0 || (size_t)length >= sizeof text ||
                !list_leaves(lister, member->type, text, at + place, is_hidden || hides)) {
                return false;
            }
            place += member->type->fixed;
            member = type->kind == CTF_ARRAY ? member : member->next;
        }
        return true;
    }
    const char *copy = ctf_text(lister->d, name, strlen(name));
    if (!copy || lister->count == CTF_LEAVES || at > UINT32_MAX) {
        return false;
    }
    struct ctf_leaf *leaf = &lister->leaves[lister->count++];
    *leaf = (struct ctf_leaf){.type = type,
                              .at = (uint32_t)at,
                              .arg = {.name = {copy, (uint32_t)strlen(copy)},
                                      .type = ctf_describe_type_of(type),
                                      .plain = true,
                                      .hidden = is_hidden}};
    for (const char *c = copy; *c; c++) {
        leaf->arg.plain = leaf->arg.plain && *c > ' ' && *c < 0x7f && *c != '"' && *c != '\\';
    }
    return true;
}

bool ctf_leaves_make(struct ctf *ctf, struct ctf_plan *plan)
{
    struct ctf_leaf leaves[CTF_LEAVES];
    struct lister lister = {.d = ctf, .leaves = leaves};
    char name[NAME_MOST];
    uint64_t at = 0;
    plan->rest = plan->type->members;
    while (plan->rest && plan->rest->type->fixed != CTF_NONE) {
        const uint32_t before = lister.count;
        at = ctf_align(at, plan->rest->type->align);
        int length = snprintf(name, sizeof name, "%s%s", plan->prefix, plan->rest->name);
        if (length < 0 || (size_t)length >= sizeof name ||
            !list_leaves(&lister, plan->rest->type, name, at, ctf_describe_is_length(plan->rest))) {
            lister.count = before;
            break;
        }
        at += plan->rest->type->fixed;
        plan->rest = plan->rest->next;
    }
    plan->rest_at = at;
    plan->leaf_count = lister.count;
    plan->leaves = ctf_new(ctf, (lister.count + 1) * sizeof leaves[0]);
    if (plan->leaves) {
        memcpy(plan->leaves, leaves, lister.count * sizeof leaves[0]);
    }
    return plan->leaves != NULL;
}

/* Adds the arguments of the fields at constant places of a part. */
static void describe_leaves(const struct ctf_record *record, unsigned scope,
                            const struct ctf_plan *plan, struct tt_args *args)
{
    const uint8_t *bytes = record->bytes;
    for (uint32_t i = 0; i < plan->leaf_count; i++) {
        const struct ctf_leaf *leaf = &plan->leaves[i];
        const struct ctf_class *type = leaf->type;
        const uint64_t at = record->at[scope] + leaf->at;
        if (args->count == TT_ARGS_MAX) {
            args->cut = true;
            return;
        }
        struct tt_arg *arg = &args->v[args->count++];
        *arg = leaf->arg;
        arg->raw_offset = (uint32_t)((at - record->begin) / 8);
        arg->raw_length = (uint32_t)((at % 8 + type->fixed + 7) / 8);
        set_value(args, arg, type, bytes, at, type->fixed);
    }
}

/* ---- the other fields ----------------------------------------------------------------------- */

static bool describe_class(struct describer *describer, const struct ctf_class *type);

static bool describe_leaf(struct describer *describer, const struct ctf_class *type)
{
    const uint64_t at = ctf_align(describer->walk.at, type->align);
    uint64_t value = 0;
    if (type->kind == CTF_VARINT) {
        describer->walk.at = at;
        value = ctf_walk_varint(&describer->walk, type);
        if (type->save) {
            describer->walk.registers[type->save - 1] = value;
        }
    } else {
        ctf_walk_over(&describer->walk, type);
    }
    if (describer->walk.at == CTF_NONE) {
        return false;
    }
    struct tt_arg *arg = add_argument(describer, at);
    if (!arg) {
        return true;
    }
    arg->type = ctf_describe_type_of(type);
    if (type->kind == CTF_VARINT) {
        set_number(describer->args, arg, type, value);
    } else {
        set_value(describer->args, arg, type, describer->walk.bytes, at, describer->walk.at - at);
    }
    return true;
}

static bool describe_members(struct describer *describer, const struct ctf_member *first)
{
    for (const struct ctf_member *member = first; member; member = member->next) {
        const size_t before = push_name(describer, ".", member->name, 0);
        const unsigned count = describer->args->count;
        if (!describe_class(describer, member->type)) {
            return false;
        }
        for (unsigned i = count; i < describer->args->count && ctf_describe_is_length(member);
             i++) {
            describer->args->v[i].hidden = 1;
        }
        describer->length = before;
    }
    return true;
}

static bool describe_array(struct describer *describer, const struct ctf_class *type)
{
    const struct ctf_class *item = type->members->type;
    uint64_t length = ctf_length(type, describer->walk.registers);
    describer->walk.at = ctf_align(describer->walk.at, type->align);
    if (length == 0) {
        struct tt_arg *arg = add_argument(describer, describer->walk.at);
        if (arg) {
            arg->type = TT_ARG_STRING;
            arg->value.s.data = "";
        }
    }
    for (uint64_t i = 0, begin = CTF_NONE;
         i < length && describer->walk.at != begin && !describer->args->cut; i++) {
        begin = describer->walk.at;
        const size_t before = push_name(describer, "", NULL, i);
        if (!describe_class(describer, item)) {
            return false;
        }
        describer->length = before;
    }
    return true;
}

static bool describe_class(struct describer *describer, const struct ctf_class *type)
{
    switch ((enum ctf_kind)type->kind) {
    case CTF_STRUCT:
        describer->walk.at = ctf_align(describer->walk.at, type->align);
        return describe_members(describer, type->members);
    case CTF_ARRAY:
        return describe_array(describer, type);
    case CTF_VARIANT: {
        const struct ctf_member *member =
            ctf_option(type, describer->walk.registers[type->from - 1]);
        return member ? describe_class(describer, member->type)
                      : type->members && type->members->any;
    }
    default:
        return describe_leaf(describer, type);
    }
}

/* Describes a part of an event. */
static void describe_part(const struct ctf_record *record, unsigned scope,
                          const struct ctf_plan *plan, struct tt_args *args)
{
    if (!plan->type) {
        return;
    }
    describe_leaves(record, scope, plan, args);
    if (plan->rest) {
        struct describer x = {.record = record, .args = args, .payload = record->begin};
        x.walk = ctf_walk_of(record->bytes, record->at[scope] + plan->rest_at, record->after,
                             record->registers);
        x.length = strlen(plan->prefix);
        memcpy(x.name, plan->prefix, x.length);
        describe_members(&x, plan->rest);
    }
}

bool ctf_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args)
{
    uint64_t registers[CTF_REGISTERS];
    struct ctf_record record;
    tt_args_clear(args);
    if (!ctf_find_record(capture->decoder, event, limit, &record, registers)) {
        return false;
    }
    describe_part(&record, CTF_COMMON_CONTEXT, &record.stream->of->plans[CTF_COMMON_CONTEXT], args);
    describe_part(&record, CTF_EVENT_CONTEXT, &record.of->plans[CTF_EVENT_CONTEXT], args);
    describe_part(&record, CTF_PAYLOAD, &record.of->plans[CTF_PAYLOAD], args);
    const struct ctf_tracer *tracer = record.stream->trace->tracer;
    if (tracer->label) {
        tracer->label(&record, event, args);
    }
    return true;
}
