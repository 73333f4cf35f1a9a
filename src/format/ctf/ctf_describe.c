/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_describe: the arguments of an event. Structures are flattened with dots, arrays with indexes:
 *
 *      { a = 1, b = { c = 2, d = [ 3, 4 ] } }      a=1 b.c=2 b.d[0]=3 b.d[1]=4
 */
#include <stdio.h>
#include <string.h>

#include "base/format_fast.h"
#include "format/ctf/ctf_internal.h"
#include "format/text_plan.h"

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

/* Returns all labels whose ranges contain a value; empty: none does. Uses `buffer` of LABEL_MOST bytes. */
static struct tt_text label_text(const struct ctf_class *type, uint64_t value, char *buffer)
{
    struct tt_text text = tt_text_of(buffer, LABEL_MOST);
    for (const struct ctf_label *label = type->labels; label; label = label->next) {
        if (ctf_in_range(label, value, type->is_signed)) {
            tt_text_str(&text, text.used > 0 ? ", " : "");
            tt_text_str(&text, label->text);
        }
    }
    return text;
}

static void add_label(struct tt_args *args, struct tt_arg *arg, const char *text, size_t length)
{
    char *copy = length > 0 ? tt_args_scratch(args, (uint32_t)length) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        tt_arg_label(arg, copy, (uint32_t)length);
    }
}

static inline void set_number(struct tt_args *args, struct tt_arg *arg,
                              const struct ctf_class *type, uint64_t value)
{
    arg->value.u = value;
    if (arg->type == TT_ARG_HEX && type->is_signed && type->bits > 0 && type->bits < 64) {
        arg->value.u &= (UINT64_C(1) << type->bits) - 1;
    }
    if (type->labels) {
        char buffer[LABEL_MOST];
        const struct tt_text text = label_text(type, value, buffer);
        add_label(args, arg, text.buffer, text.used);
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

/* Returns whether a name needs no escaping. */
static bool is_plain(const char *name)
{
    for (; *name; name++) {
        if (*name <= ' ' || *name >= 0x7f || *name == '"' || *name == '\\') {
            return false;
        }
    }
    return true;
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
    leaf->arg.plain = is_plain(copy);
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

/* ---- the text of arguments ------------------------------------------------------------------ */

/* Returns whether an argument is the state in which a switch of Linux leaves a thread. */
static bool is_state(const struct tt_arg_span *name)
{
    return name->length == 10 && memcmp(name->data, "prev_state", 10) == 0;
}

/* Writes the labels of a value of a class. */
static char *put_labels(char *to, const void *of, uint64_t value)
{
    char buffer[LABEL_MOST];
    const struct tt_text text = label_text(of, value, buffer);
    return text.used + 8 <= TT_TEXT_LABEL && tt_fast_plain(to, buffer, text.used) ? to + text.used
                                                                                  : NULL;
}

/* Adds a field after `at` bits. */
static void add_field(struct ctf *ctf, const struct ctf_event *event,
                      struct tt_text_plan_maker *maker, const struct ctf_leaf *leaf)
{
    const struct ctf_class *type = leaf->type;
    struct tt_text_field field = {.at = leaf->at / 8, .big = type->big};
    bool good = leaf->at % 8 == 0 && type->align <= 8;
    if (type->kind == CTF_STRING) {
        field.kind = TT_TEXT_STRING;
    } else {
        field.kind = type->kind == CTF_TEXT ? TT_TEXT_CHARACTERS : TT_TEXT_UNSIGNED;
        field.size = type->fixed < UINT16_MAX ? (uint32_t)(type->fixed / 8) : UINT16_MAX;
        good = good && type->fixed % 8 == 0 &&
               (type->kind == CTF_TEXT || (type->kind == CTF_INTEGER && type->is_simple));
    }
    if (event->has_letters && is_state(&leaf->arg.name)) {
        field.label = linux_leave_label;
        field.label_of = &ctf->leave;
    } else if (type->labels) {
        field.label = put_labels;
        field.label_of = type;
        good = good && (leaf->arg.type != TT_ARG_HEX || !type->is_signed);
    }
    maker->is_whole = maker->is_whole && (good || leaf->arg.hidden);
    tt_text_plan_add(maker, &leaf->arg, field);
}

/* Adds the fields of a part, which begins after *at bits. */
static void add_part(struct ctf *ctf, const struct ctf_event *event, const struct ctf_plan *plan,
                     struct tt_text_plan_maker *maker, uint32_t *at)
{
    char name[NAME_MOST];
    maker->is_whole = maker->is_whole && plan->align <= 8 && plan->rest_at < UINT16_MAX * 8u;
    for (uint32_t i = 0; i < plan->leaf_count; i++) {
        struct ctf_leaf leaf = plan->leaves[i];
        leaf.at += *at;
        add_field(ctf, event, maker, &leaf);
    }
    *at += (uint32_t)plan->rest_at;
    for (const struct ctf_member *member = plan->rest; member && maker->is_whole;
         member = member->next) {
        int length = snprintf(name, sizeof name, "%s%s", plan->prefix, member->name);
        const bool is_string = member->type->kind == CTF_STRING;
        maker->is_whole = length >= 0 && (size_t)length < sizeof name &&
                          (is_string || member->type->kind == CTF_INTEGER);
        struct ctf_leaf leaf = {.type = member->type,
                                .at = *at,
                                .arg = {.name = {name, (uint32_t)length},
                                        .type = ctf_describe_type_of(member->type),
                                        .plain = is_plain(name),
                                        .hidden = ctf_describe_is_length(member)}};
        add_field(ctf, event, maker, &leaf);
        *at += is_string ? 0 : (uint32_t)member->type->fixed;
    }
}

/* Returns whether the headers of the events of a stream end with a byte if they begin with one. */
static bool has_whole_bytes(const struct ctf_stream_class *of)
{
    const struct ctf_header *header = &of->header;
    bool whole = !of->classes[CTF_EVENT_HEADER] ||
                 (header->is_usual && (header->option_count > 0 || header->first.bits % 8 == 0));
    for (unsigned i = 0; i < header->option_count; i++) {
        const struct ctf_header_part *option = &header->options[i];
        whole = whole && (ctf_align(header->first.bits, option->align) + option->bits) % 8 == 0;
    }
    return whole;
}

bool ctf_text_make(struct ctf *ctf, struct ctf_event *event)
{
    struct tt_text_plan_maker maker;
    uint32_t at = 0;
    tt_text_plan_begin(&maker);
    event->text_scope = CTF_SCOPES;
    for (unsigned scope = CTF_COMMON_CONTEXT; scope < CTF_SCOPES; scope++) {
        const struct ctf_plan *plan =
            scope == CTF_COMMON_CONTEXT ? &event->of->plans[scope] : &event->plans[scope];
        if (plan->type) {
            event->text_scope = event->text_scope < scope ? event->text_scope : scope;
            add_part(ctf, event, plan, &maker, &at);
        }
    }
    event->text_scope = event->text_scope < CTF_SCOPES ? event->text_scope : CTF_EVENT_HEADER;
    event->is_at_end =
        event->bits != CTF_NONE && event->bits % 8 == 0 && has_whole_bytes(event->of);
    return tt_text_plan_end(&maker, &ctf->arena, &event->text);
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
    for (unsigned i = 0; record.of->has_letters && i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if (is_state(&arg->name)) {
            char letters[LINUX_LETTERS * 2 + 2];
            add_label(args, arg, letters,
                      linux_leave_text(&record.d->leave, arg->value.u, letters));
        }
    }
    return true;
}

bool ctf_put_args(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_text *text)
{
    const struct ctf *ctf = capture->decoder;
    if (event->type < tt_column_count(&ctf->of_types) && ctf->position_shift == 0) {
        const struct ctf_event *of = atomic_load_explicit(
            (ctf_of_type *)tt_column_at(&ctf->of_types, event->type), memory_order_relaxed);
        const struct ctf_packet *packet =
            of && of->is_at_end ? ctf_packet_at(ctf, event->pos) : NULL;
        if (packet) {
            const uint64_t end = packet->offset + (event->pos - packet->base) + event->length,
                           size = of->bits / 8;
            return end <= limit && size <= event->length &&
                   tt_text_plan_put(of->text, capture->bytes.data + end - size, size, text);
        }
    }
    uint64_t registers[CTF_REGISTERS];
    struct ctf_record record;
    if (!ctf_find_record(ctf, event, limit, &record, registers)) {
        return false;
    }
    const uint64_t at = record.at[record.of->text_scope];
    return at % 8 == 0 &&
           tt_text_plan_put(record.of->text, record.bytes + at / 8, (record.after - at) / 8, text);
}
