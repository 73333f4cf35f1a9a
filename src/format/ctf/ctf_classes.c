/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_classes: completes the classes that metadata declare. Each part of a packet and of an event becomes a tree of its
 * own, since fields refer to others of the same part, or of parts before it: a length, a selector. What is referred to
 * gets a register; those of events are numbered from 0, those of packets and streams from the last one down.
 */
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

#define COMPARED_MOST (UINT32_C(1) << 24)
#define FIXED_MOST    (UINT64_C(1) << 40)

void *ctf_new(struct ctf *ctf, size_t size)
{
    void *bytes = tt_arena_alloc(&ctf->arena, size);
    if (!bytes) {
        ctf->no_memory = true;
        return NULL;
    }
    return memset(bytes, 0, size);
}

char *ctf_text(struct ctf *ctf, const char *bytes, size_t length)
{
    char *text = tt_arena_text(&ctf->arena, bytes, length);
    ctf->no_memory |= !text;
    return text;
}

const char *ctf_bare(const char *name)
{
    return name[0] == '_' ? name + 1 : name;
}

const struct ctf_entry *ctf_env(const struct ctf_trace *trace, const char *key)
{
    for (const struct ctf_entry *entry = trace->env; entry; entry = entry->next) {
        if (strcmp(entry->key, key) == 0) {
            return entry;
        }
    }
    return NULL;
}

const char *ctf_env_text(const struct ctf_trace *trace, const char *key)
{
    const struct ctf_entry *entry = ctf_env(trace, key);
    return entry && entry->text ? entry->text : "";
}

struct ctf_stream_class *ctf_stream_class(const struct ctf_trace *trace, uint64_t id)
{
    for (struct ctf_stream_class *of = trace->streams; of; of = of->next) {
        if (of->id == id) {
            return of;
        }
    }
    return NULL;
}

const struct ctf_member *ctf_member(const struct ctf_class *type, const char *name)
{
    for (const struct ctf_member *member = type ? type->members : NULL; member;
         member = member->next) {
        if (strcmp(member->name, name) == 0) {
            return member;
        }
    }
    return NULL;
}

/* ---- binding -------------------------------------------------------------------------------- */

struct binder {
    struct ctf *d;
    struct ctf_trace *trace;
    struct ctf_class *roots[CTF_SCOPES]; /* parts that are bound, */
    unsigned scope;                      /* and the one that is being bound */
    struct ctf_class *around[CTF_DEPTH]; /* structures around the field */
    unsigned depth;
    unsigned event_registers; /* that the event uses, */
    unsigned most_registers;  /* any event, */
    unsigned trace_registers; /* and packets and streams */
    const char *failure;
};

static struct ctf_class *bind_failed(struct binder *binder, const char *what)
{
    binder->failure = binder->failure ? binder->failure : what;
    return NULL;
}

const struct ctf_origin ctf_origins[CTF_SCOPES] = {
    {"packet-header", {"trace", "packet", "header"}, CTF_PACKET_HEADER},
    {"packet-context", {"stream", "packet", "context"}, CTF_PACKET_CONTEXT},
    {"event-record-header", {"stream", "event", "header"}, CTF_EVENT_HEADER},
    {"event-record-common-context", {"stream", "event", "context"}, CTF_COMMON_CONTEXT},
    {"event-record-specific-context", {"event", "context", NULL}, CTF_EVENT_CONTEXT},
    {"event-record-payload", {"event", "fields", NULL}, CTF_PAYLOAD},
};

/* Returns the rest of an absolute path and its part; NULL if it is relative. */
static const struct ctf_path *path_origin(const struct ctf_path *path, unsigned *scope)
{
    for (unsigned i = 0; i < CTF_SCOPES; i++) {
        const struct ctf_path *step = path;
        unsigned word = 0;
        while (word < 3 && ctf_origins[i].words[word] && step && step->name &&
               strcmp(step->name, ctf_origins[i].words[word]) == 0) {
            step = step->next;
            word++;
        }
        if ((word == 3 || !ctf_origins[i].words[word]) && step) {
            *scope = ctf_origins[i].scope;
            return step;
        }
    }
    return NULL;
}

/* Follows a path from a structure; NULL if it does not lead to a number. */
static struct ctf_class *ctf_classes_follow(struct ctf_class *from, const struct ctf_path *path)
{
    for (; path && from; path = path->next) {
        const struct ctf_member *member =
            from->kind == CTF_STRUCT || from->kind == CTF_VARIANT
                ? ctf_member(from, path->name ? ctf_bare(path->name) : "")
                : NULL;
        from = member ? member->type : NULL;
    }
    return from && (from->kind == CTF_INTEGER || from->kind == CTF_VARINT) ? from : NULL;
}

/* Finds the field that a path means. */
static struct ctf_class *ctf_classes_resolve(struct binder *binder, const struct ctf_path *path,
                                             unsigned *scope)
{
    const struct ctf_path *rest = path_origin(path, scope);
    if (rest) {
        if (*scope == binder->scope) {
            return binder->depth > 0 ? ctf_classes_follow(binder->around[0], rest) : NULL;
        }
        return ctf_classes_follow(binder->roots[*scope], rest);
    }
    unsigned depth = binder->depth;
    for (; path && !path->name && depth > 0; path = path->next) {
        depth--;
    }
    *scope = binder->scope;
    for (; path && depth > 0; depth--) {
        struct ctf_class *around = binder->around[depth - 1];
        struct ctf_class *found =
            around->kind == CTF_STRUCT ? ctf_classes_follow(around, path) : NULL;
        if (found) {
            return found;
        }
    }
    for (unsigned i = binder->scope; path && i-- > 0;) {
        struct ctf_class *found = ctf_classes_follow(binder->roots[i], path);
        if (found) {
            *scope = i;
            return found;
        }
    }
    return NULL;
}

/* Finds the field that a class refers to, and gives it a register with its value. */
static const struct ctf_class *refer(struct binder *binder, struct ctf_class *type)
{
    unsigned scope = 0;
    struct ctf_class *target = ctf_classes_resolve(binder, type->path, &scope);
    if (!target) {
        return bind_failed(binder, "a reference to a field that is no number before it");
    }
    if (target->save == 0) {
        bool of_event = scope >= CTF_EVENT_CONTEXT;
        unsigned *used = of_event ? &binder->event_registers : &binder->trace_registers;
        if (binder->most_registers + binder->trace_registers >= CTF_REGISTERS - 1) {
            return bind_failed(binder, "too many references to fields");
        }
        binder->trace->has_registers |= scope <= CTF_PACKET_CONTEXT;
        target->save = (uint16_t)(of_event ? *used + 1 : CTF_REGISTERS - *used);
        *used += 1;
        binder->most_registers = binder->event_registers > binder->most_registers
                                     ? binder->event_registers
                                     : binder->most_registers;
    }
    type->from = target->save;
    type->selector_is_signed = target->is_signed;
    return target;
}

/* Finds the values that select each option: those of the labels with its name. */
static bool select_options(struct binder *binder, struct ctf_class *type,
                           const struct ctf_class *target)
{
    for (struct ctf_member *member = type->members; member; member = member->next) {
        for (const struct ctf_label *label = member->ranges || member->any ? NULL : target->labels;
             label; label = label->next) {
            if (++binder->trace->compared > COMPARED_MOST) {
                return bind_failed(binder, "too many options of variants") != NULL;
            }
            if (strcmp(ctf_bare(label->text), member->name) == 0) {
                struct ctf_label *range = ctf_new(binder->d, sizeof *range);
                if (!range) {
                    return false;
                }
                *range = *label;
                range->next = member->ranges;
                member->ranges = range;
            }
        }
    }
    return true;
}

static struct ctf_class *ctf_classes_bind(struct binder *binder, const struct ctf_class *from);

/* Binds the members of a structure, a variant or an array. */
static bool bind_members(struct binder *binder, struct ctf_class *type,
                         const struct ctf_class *from)
{
    struct ctf_member **link = &type->members;
    type->members = NULL;
    for (const struct ctf_member *member = from->members; member; member = member->next) {
        struct ctf_member *copy = ctf_new(binder->d, sizeof *copy);
        if (!copy || ++binder->trace->bound_count > CTF_MEMBERS) {
            return bind_failed(binder, "too many fields") != NULL;
        }
        copy->name = member->name;
        copy->ranges = member->ranges;
        copy->any = member->any;
        copy->type = ctf_classes_bind(binder, member->type);
        if (!copy->type) {
            return false;
        }
        *link = copy;
        link = &copy->next;
    }
    return true;
}

/* Computes the alignment and the size of a compound class. */
static void ctf_classes_measure(struct ctf_class *type)
{
    uint64_t at = 0;
    for (const struct ctf_member *member = type->kind == CTF_VARIANT ? NULL : type->members; member;
         member = member->next) {
        type->align = member->type->align > type->align ? member->type->align : type->align;
        at = at == CTF_NONE || member->type->fixed == CTF_NONE
                 ? CTF_NONE
                 : ctf_align(at, member->type->align) + member->type->fixed;
        at = at > FIXED_MOST ? CTF_NONE : at;
    }
    type->fixed = type->kind == CTF_VARIANT ? CTF_NONE : at;
    if (type->kind == CTF_ARRAY) {
        const struct ctf_class *item = type->members->type;
        uint64_t stride = at == CTF_NONE ? CTF_NONE : ctf_align(at, item->align);
        type->fixed = type->from || stride == CTF_NONE ? CTF_NONE
                      : type->length == 0              ? 0
                      : stride > 0 && type->length > FIXED_MOST / (stride + 1)
                          ? CTF_NONE
                          : (type->length - 1) * stride + at;
    }
}

/* Makes a text of an array of characters. */
static void make_text(struct ctf_class *type)
{
    const struct ctf_class *item = type->kind == CTF_ARRAY ? type->members->type : NULL;
    if (item && item->kind == CTF_INTEGER && item->bits == 8 && item->align % 8 == 0 &&
        item->is_text && !item->is_enumeration) {
        type->kind = CTF_TEXT;
        type->is_text = true;
        type->align = item->align;
    }
}

static struct ctf_class *ctf_classes_bind(struct binder *binder, const struct ctf_class *from)
{
    struct ctf_class *type = ctf_new(binder->d, sizeof *type);
    if (!type || binder->depth >= CTF_DEPTH) {
        return bind_failed(binder, "types are nested too deeply");
    }
    *type = *from;
    type->big = from->order == CTF_NATIVE ? binder->trace->big : from->order == CTF_BIG;
    type->save = type->from = 0;
    type->is_simple = !type->reversed &&
                      (type->bits == 8 || type->bits == 16 || type->bits == 32 || type->bits == 64);
    const struct ctf_class *target = type->has_path ? refer(binder, type) : NULL;
    if (type->has_path && !target) {
        return NULL;
    }
    if (type->kind == CTF_VARIANT && !target) {
        return bind_failed(binder, "a variant without a selector");
    }
    switch ((enum ctf_kind)type->kind) {
    case CTF_INTEGER:
    case CTF_FLOAT:
        type->fixed = type->bits;
        break;
    case CTF_VARINT:
    case CTF_STRING:
        type->fixed = CTF_NONE;
        break;
    case CTF_TEXT:
    case CTF_BLOB:
        type->fixed = type->from || type->length > FIXED_MOST / 8 ? CTF_NONE : type->length * 8;
        break;
    case CTF_STRUCT:
    case CTF_ARRAY:
    case CTF_VARIANT:
        binder->around[binder->depth++] = type;
        if (!bind_members(binder, type, from)) {
            return NULL;
        }
        binder->depth--;
        if (type->kind == CTF_VARIANT && !select_options(binder, type, target)) {
            return NULL;
        }
        ctf_classes_measure(type);
        make_text(type);
        break;
    }
    return binder->d->no_memory ? NULL : type;
}

/* ---- roles ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t scope;
    uint8_t role;
} names_of_roles[] = {
    {"magic", CTF_PACKET_HEADER, CTF_ROLE_MAGIC},
    {"uuid", CTF_PACKET_HEADER, CTF_ROLE_UUID},
    {"stream_id", CTF_PACKET_HEADER, CTF_ROLE_STREAM_ID},
    {"stream_instance_id", CTF_PACKET_HEADER, CTF_ROLE_INSTANCE},
    {"timestamp_begin", CTF_PACKET_CONTEXT, CTF_ROLE_BEGIN},
    {"timestamp_end", CTF_PACKET_CONTEXT, CTF_ROLE_END},
    {"content_size", CTF_PACKET_CONTEXT, CTF_ROLE_CONTENT},
    {"packet_size", CTF_PACKET_CONTEXT, CTF_ROLE_SIZE},
    {"events_discarded", CTF_PACKET_CONTEXT, CTF_ROLE_DISCARDED},
    {"packet_seq_num", CTF_PACKET_CONTEXT, CTF_ROLE_SEQUENCE},
    {"cpu_id", CTF_PACKET_CONTEXT, CTF_ROLE_CPU},
    {"id", CTF_EVENT_HEADER, CTF_ROLE_ID},
};

/* Sets the roles of fields by their names (CTF 1), and that of the clock's values. */
static void set_roles(struct ctf_trace *trace, struct ctf_class *type, unsigned scope)
{
    for (struct ctf_member *member = type ? type->members : NULL; member; member = member->next) {
        for (unsigned i = 0; i < sizeof names_of_roles / sizeof names_of_roles[0]; i++) {
            if (names_of_roles[i].scope == scope &&
                strcmp(member->name, names_of_roles[i].name) == 0 &&
                (trace->version == 1 || names_of_roles[i].role == CTF_ROLE_CPU)) {
                member->type->role = names_of_roles[i].role;
            }
        }
        if (scope == CTF_EVENT_HEADER) {
            bool counts = !trace->clocks && strcmp(member->name, "timestamp") == 0 &&
                          member->type->kind == CTF_INTEGER && member->type->bits >= 32;
            trace->is_implicit_clock |= counts;
            if (member->type->is_clock || counts) {
                member->type->role = CTF_ROLE_TIME;
            }
            set_roles(trace, member->type, scope);
        } else if (member->type->role == CTF_ROLE_TIME && scope == CTF_PACKET_CONTEXT) {
            member->type->role = CTF_ROLE_BEGIN;
        }
    }
}

/* ---- traces --------------------------------------------------------------------------------- */

static bool bind_part(struct binder *binder, unsigned scope, struct ctf_class **type)
{
    binder->scope = scope;
    if (*type && (*type)->kind != CTF_STRUCT) {
        return bind_failed(binder, "a part of an event or of a packet is no structure") != NULL;
    }
    *type = *type ? ctf_classes_bind(binder, *type) : NULL;
    binder->roots[scope] = *type;
    if (scope <= CTF_EVENT_HEADER) {
        set_roles(binder->trace, *type, scope);
    }
    return !binder->failure && !binder->d->no_memory;
}

static int ctf_classes_compare_ids(const void *a, const void *b)
{
    const struct ctf_event *const *x = a, *const *y = b;
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/* Makes the tables by which events are found by their ids. */
static bool sort_events(struct ctf *ctf, struct ctf_stream_class *of)
{
    of->sorted = ctf_new(ctf, (of->event_count + 1) * sizeof(struct ctf_event *));
    if (!of->sorted) {
        return false;
    }
    uint32_t count = 0;
    for (struct ctf_event *event = of->events; event; event = event->next) {
        of->sorted[count++] = event;
    }
    qsort(of->sorted, count, sizeof(struct ctf_event *), ctf_classes_compare_ids);
    uint64_t last = count ? of->sorted[count - 1]->id : 0;
    of->direct_count = last < CTF_EVENTS ? (uint32_t)last + 1 : 0;
    of->direct = ctf_new(ctf, (of->direct_count + 1) * sizeof(struct ctf_event *));
    for (uint32_t i = 0; of->direct && of->direct_count && i < count; i++) {
        of->direct[of->sorted[i]->id] = of->sorted[i];
    }
    return of->direct != NULL;
}

const struct ctf_event *ctf_event_search(const struct ctf_stream_class *of, uint64_t id)
{
    uint32_t low = 0, high = of->event_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (of->sorted[middle]->id == id) {
            return of->sorted[middle];
        }
        if (of->sorted[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static bool bind_stream(struct binder *binder, struct ctf_stream_class *of)
{
    for (unsigned scope = CTF_PACKET_CONTEXT; scope <= CTF_COMMON_CONTEXT; scope++) {
        if (!bind_part(binder, scope, &of->classes[scope])) {
            return false;
        }
    }
    for (struct ctf_event *event = of->events; event; event = event->next) {
        binder->event_registers = 0;
        if (!bind_part(binder, CTF_EVENT_CONTEXT, &event->context) ||
            !bind_part(binder, CTF_PAYLOAD, &event->payload) ||
            !ctf_plan_make(binder->d, &event->plans[CTF_EVENT_CONTEXT], event->context,
                           "context.") ||
            !ctf_plan_make(binder->d, &event->plans[CTF_PAYLOAD], event->payload, "")) {
            return false;
        }
        event->registers = (uint16_t)binder->event_registers;
        atomic_init(&event->type, CTF_NO_TYPE);
    }
    binder->roots[CTF_EVENT_CONTEXT] = binder->roots[CTF_PAYLOAD] = NULL;
    for (unsigned scope = CTF_PACKET_CONTEXT; scope <= CTF_COMMON_CONTEXT; scope++) {
        if (!ctf_plan_make(binder->d, &of->plans[scope], of->classes[scope], "ctx.")) {
            return false;
        }
    }
    for (struct ctf_event *event = of->events; event; event = event->next) {
        /* Finds the places of an event's parts, if they are the same in all of its records. */
        event->bits = 0;
        for (unsigned scope = CTF_COMMON_CONTEXT; scope < CTF_SCOPES; scope++) {
            const struct ctf_plan *plan =
                scope == CTF_COMMON_CONTEXT ? &of->plans[scope] : &event->plans[scope];
            const bool is_constant = event->bits != CTF_NONE &&
                                     (!plan->type || (plan->align <= 8 && plan->bits < 1u << 24));
            event->bits = is_constant ? ctf_align(event->bits, plan->align) : CTF_NONE;
            event->offsets[scope] = (uint32_t)event->bits;
            event->bits += is_constant && plan->type ? plan->bits : 0;
        }
    }
    ctf_header_make(of);
    const struct ctf_class *first = of->classes[CTF_EVENT_HEADER] ? of->classes[CTF_EVENT_HEADER]
                                                                  : of->classes[CTF_COMMON_CONTEXT];
    of->event_align = first ? first->align : 1;
    return sort_events(binder->d, of);
}

struct tt_status ctf_bind(struct ctf_trace *trace)
{
    struct binder b = {.d = trace->decoder, .trace = trace};
    if (!trace->streams) {
        struct ctf_stream_class *of = ctf_new(b.d, sizeof *of);
        if (!of) {
            return tt_error_memory();
        }
        of->trace = trace;
        trace->streams = of;
    }

    /* Puts the events into the lists of their streams. */
    struct ctf_event *event = trace->declared, *next;
    trace->declared = NULL;
    for (; event; event = next) {
        next = event->next;
        struct ctf_stream_class *of = ctf_stream_class(trace, event->stream_id);
        if (of) {
            event->of = of;
            event->next = of->events;
            of->events = event;
            of->event_count++;
        }
    }

    bool good = bind_part(&b, CTF_PACKET_HEADER, &trace->packet_header);
    for (struct ctf_stream_class *of = trace->streams; good && of; of = of->next) {
        good = bind_stream(&b, of);
    }
    return good             ? tt_ok()
           : b.d->no_memory ? tt_error_memory()
                            : tt_error(TT_ERR_FORMAT, "metadata: %s", b.failure);
}
