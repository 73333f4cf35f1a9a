/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_json: declarations of CTF 2: fragments, each a JSON object after a record separator. jansson parses them; its objects
 * live as long as their fragment, texts are copied.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

#define RECORD 0x1e

struct alias {
    const char *name;
    struct ctf_class *type;
    struct alias *older;
};

struct reader {
    struct ctf *d;
    struct ctf_trace *trace;
    struct alias *aliases;
    unsigned alias_count;
    unsigned depth;
    const char *failure; /* a constant; NULL: none */
};

#define ALIASES_MOST 1024u

static void *json_failed(struct reader *reader, const char *what)
{
    reader->failure = reader->failure ? reader->failure : what;
    return NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Returns a number, which may have been read as a real; `otherwise` if it is none. */
static uint64_t ctf_json_number_of(const json_t *value, uint64_t otherwise)
{
    if (json_is_integer(value)) {
        return (uint64_t)json_integer_value(value);
    }
    if (json_is_real(value)) {
        double real = json_real_value(value);
        return real >= 18446744073709551615.0 ? UINT64_MAX
               : real < 0                     ? (uint64_t)(int64_t)real
                                              : (uint64_t)real;
    }
    return otherwise;
}

static const char *copy_of(struct reader *reader, const json_t *value)
{
    return json_is_string(value)
               ? ctf_text(reader->d, json_string_value(value), json_string_length(value))
               : NULL;
}

static void read_uuid(const json_t *list, uint8_t uuid[16], bool *has)
{
    if (json_is_array(list) && json_array_size(list) == 16) {
        for (size_t i = 0; i < 16; i++) {
            uuid[i] = (uint8_t)ctf_json_number_of(json_array_get(list, i), 0);
        }
        *has = true;
    }
}

/* ---- field classes -------------------------------------------------------------------------- */

static const struct {
    const char *type;
    uint8_t kind;
    bool is_signed;
    bool is_enumeration;
} types[] = {
    {"fixed-length-unsigned-integer", CTF_INTEGER, false, false},
    {"fixed-length-signed-integer", CTF_INTEGER, true, false},
    {"fixed-length-unsigned-enumeration", CTF_INTEGER, false, true},
    {"fixed-length-signed-enumeration", CTF_INTEGER, true, true},
    {"fixed-length-bit-array", CTF_INTEGER, false, false},
    {"fixed-length-bit-map", CTF_INTEGER, false, true},
    {"fixed-length-boolean", CTF_INTEGER, false, false},
    {"fixed-length-floating-point-number", CTF_FLOAT, false, false},
    {"variable-length-unsigned-integer", CTF_VARINT, false, false},
    {"variable-length-signed-integer", CTF_VARINT, true, false},
    {"variable-length-unsigned-enumeration", CTF_VARINT, false, true},
    {"variable-length-signed-enumeration", CTF_VARINT, true, true},
    {"null-terminated-string", CTF_STRING, false, false},
    {"static-length-string", CTF_TEXT, false, false},
    {"dynamic-length-string", CTF_TEXT, false, false},
    {"static-length-blob", CTF_BLOB, false, false},
    {"dynamic-length-blob", CTF_BLOB, false, false},
    {"structure", CTF_STRUCT, false, false},
    {"static-length-array", CTF_ARRAY, false, false},
    {"dynamic-length-array", CTF_ARRAY, false, false},
    {"optional", CTF_VARIANT, false, false},
    {"variant", CTF_VARIANT, false, false},
};

static const struct {
    const char *name;
    uint8_t role;
} roles[] = {
    {"packet-magic-number", CTF_ROLE_MAGIC},
    {"metadata-stream-uuid", CTF_ROLE_UUID},
    {"data-stream-class-id", CTF_ROLE_STREAM_ID},
    {"data-stream-id", CTF_ROLE_INSTANCE},
    {"packet-total-length", CTF_ROLE_SIZE},
    {"packet-content-length", CTF_ROLE_CONTENT},
    {"default-clock-timestamp", CTF_ROLE_TIME},
    {"packet-end-default-clock-timestamp", CTF_ROLE_END},
    {"discarded-event-record-counter-snapshot", CTF_ROLE_DISCARDED},
    {"packet-sequence-number", CTF_ROLE_SEQUENCE},
    {"event-record-class-id", CTF_ROLE_ID},
};

static struct ctf_class *read_class(struct reader *reader, const json_t *value);

static struct ctf_path **ctf_json_add_step(struct reader *reader, struct ctf_path **link,
                                           const char *before, const char *name)
{
    struct ctf_path *step = ctf_new(reader->d, sizeof *step);
    size_t length = strlen(before);
    char *text = name ? ctf_new(reader->d, length + strlen(name) + 1) : NULL;
    if (!step || (name && !text)) {
        return NULL;
    }
    if (text) {
        memcpy(text, before, length);
        memcpy(text + length, name, strlen(name) + 1);
    }
    step->name = text;
    *link = step;
    return &step->next;
}

/* Reads a location: an origin and names, in one list in drafts. Names are protected by an underscore, as in CTF 1. */
static bool read_location(struct reader *reader, const json_t *value, struct ctf_class *type)
{
    const json_t *names = json_is_array(value) ? value : json_object_get(value, "path");
    const json_t *origin =
        json_is_array(value) ? json_array_get(value, 0) : json_object_get(value, "origin");
    struct ctf_path **link = &type->path;
    size_t first = 0;
    for (size_t i = 0; i < CTF_SCOPES && json_is_string(origin); i++) {
        if (strcmp(json_string_value(origin), ctf_origins[i].json) == 0) {
            for (unsigned k = 0; k < 3 && ctf_origins[i].words[k] && link; k++) {
                link = ctf_json_add_step(reader, link, "", ctf_origins[i].words[k]);
            }
            first = json_is_array(value) ? 1 : 0;
        }
    }
    for (size_t i = first; i < json_array_size(names) && i < CTF_DEPTH && link; i++) {
        link = ctf_json_add_step(reader, link, "_", json_string_value(json_array_get(names, i)));
    }
    type->has_path = type->path != NULL;
    return type->has_path || json_failed(reader, "a location is empty");
}

/* Reads ranges: [[low, high], ...]. */
static struct ctf_label *read_ranges(struct reader *reader, const json_t *list, const char *text,
                                     struct ctf_label *after)
{
    size_t i;
    json_t *range;
    json_array_foreach(list, i, range)
    {
        struct ctf_label *label = ctf_new(reader->d, sizeof *label);
        if (!label || ++reader->trace->member_count > CTF_MEMBERS) {
            return json_failed(reader, "too many ranges");
        }
        label->text = text;
        label->low = ctf_json_number_of(json_is_array(range) ? json_array_get(range, 0) : range, 0);
        label->high =
            ctf_json_number_of(json_is_array(range) ? json_array_get(range, 1) : range, 0);
        label->next = after;
        after = label;
    }
    return after;
}

/* Reads the members of a structure, the options of a variant, or the one field of an array or an optional. */
static bool read_members(struct reader *reader, const json_t *value, struct ctf_class *type)
{
    struct ctf_member **link = &type->members;
    const json_t *list =
        json_object_get(value, type->kind == CTF_VARIANT ? "options" : "member-classes");
    const json_t *one =
        json_object_get(value, type->kind == CTF_ARRAY ? "element-field-class" : "field-class");
    size_t count = list ? json_array_size(list) : one ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = list ? json_array_get(list, i) : value;
        struct ctf_member *member = ctf_new(reader->d, sizeof *member);
        if (!member || ++reader->trace->member_count > CTF_MEMBERS) {
            return json_failed(reader, "too many fields") != NULL;
        }
        const char *name = list ? copy_of(reader, json_object_get(item, "name")) : "";
        const json_t *ranges = json_object_get(item, "selector-field-ranges");
        member->name = name ? name : "";
        member->ranges = type->kind == CTF_VARIANT ? read_ranges(reader, ranges, "", NULL) : NULL;
        member->any = type->kind == CTF_VARIANT && !list && !ranges;
        member->type = read_class(reader, list ? json_object_get(item, "field-class") : one);
        if (!member->type) {
            return false;
        }
        *link = member;
        link = &member->next;
        type->member_count++;
    }
    return type->kind == CTF_STRUCT || type->members ||
           json_failed(reader, "an array or a variant of nothing");
}

/* Reads the properties of numbers. */
static bool ctf_json_read_number(struct reader *reader, const json_t *value, struct ctf_class *type)
{
    const char *order = json_string_value(json_object_get(value, "byte-order"));
    const char *bits = json_string_value(json_object_get(value, "bit-order"));
    uint64_t length = ctf_json_number_of(json_object_get(value, "length"), 0);
    uint64_t base = ctf_json_number_of(json_object_get(value, "preferred-display-base"), 10);
    const json_t *mappings = json_object_get(value, "mappings");
    const char *label;
    json_t *ranges;
    bool is_big = order && strcmp(order, "big-endian") == 0;
    if (type->kind != CTF_VARINT && (length == 0 || length > 64)) {
        return json_failed(reader, "a number has 1 to 64 bits") != NULL;
    }
    if (type->kind == CTF_FLOAT && length != 32 && length != 64) {
        return json_failed(reader, "a floating point number has 32 or 64 bits") != NULL;
    }
    type->bits = (uint8_t)length;
    type->order = is_big ? CTF_BIG : CTF_LITTLE;
    type->reversed = bits && strcmp(bits, is_big ? "last-to-first" : "first-to-last") != 0;
    type->base = base == 2 || base == 8 || base == 16 ? (uint8_t)base : 10;
    type->is_enumeration |= mappings != NULL;
    json_object_foreach((json_t *)(uintptr_t)mappings, label, ranges)
    {
        const char *text = ctf_text(reader->d, label, strlen(label));
        type->labels = read_ranges(reader, ranges, text, type->labels);
    }
    return !reader->failure && !reader->d->no_memory;
}

static bool read_alignment(struct reader *reader, const json_t *value, struct ctf_class *type)
{
    const char *key =
        type->kind == CTF_STRUCT || type->kind == CTF_ARRAY ? "minimum-alignment" : "alignment";
    bool is_bytes = type->kind >= CTF_VARINT && type->kind <= CTF_BLOB;
    uint64_t align = ctf_json_number_of(json_object_get(value, key), is_bytes ? 8 : 1);
    if (align == 0 || align > 65536 || (align & (align - 1)) != 0) {
        return json_failed(reader, "an alignment is no power of two") != NULL;
    }
    type->align = (uint32_t)align;
    return true;
}

static struct ctf_class *read_properties(struct reader *reader, const json_t *value,
                                         struct ctf_class *type)
{
    const json_t *list = json_object_get(value, "roles");
    const char *location =
        type->kind == CTF_VARIANT ? "selector-field-location" : "length-field-location";
    size_t i;
    json_t *name;
    json_array_foreach(list, i, name)
    {
        for (size_t k = 0; k < sizeof roles / sizeof roles[0] && json_is_string(name); k++) {
            type->role =
                strcmp(json_string_value(name), roles[k].name) == 0 ? roles[k].role : type->role;
        }
    }
    type->base = 10;
    type->is_text = type->kind == CTF_STRING || type->kind == CTF_TEXT;
    type->length = ctf_json_number_of(json_object_get(value, "length"), 0);
    if (json_object_get(value, location) &&
        !read_location(reader, json_object_get(value, location), type)) {
        return NULL;
    }
    if (!read_alignment(reader, value, type) ||
        (type->kind <= CTF_VARINT && !ctf_json_read_number(reader, value, type)) ||
        (type->kind >= CTF_STRUCT && !read_members(reader, value, type))) {
        return NULL;
    }
    return type;
}

static struct ctf_class *read_class(struct reader *reader, const json_t *value)
{
    if (json_is_string(value)) {
        for (const struct alias *alias = reader->aliases; alias; alias = alias->older) {
            if (strcmp(alias->name, json_string_value(value)) == 0) {
                return alias->type;
            }
        }
        return json_failed(reader, "an alias is not declared");
    }
    const char *name = json_string_value(json_object_get(value, "type"));
    struct ctf_class *type = ctf_new(reader->d, sizeof *type);
    if (!type || !name || reader->depth >= CTF_DEPTH) {
        return json_failed(reader,
                           name ? "classes are nested too deeply" : "a field class without type");
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].type) == 0) {
            type->kind = types[i].kind;
            type->is_signed = types[i].is_signed;
            type->is_enumeration = types[i].is_enumeration;
            reader->depth++;
            type = read_properties(reader, value, type);
            reader->depth--;
            return type;
        }
    }
    return json_failed(reader, "a field class of unknown type");
}

/* Reads a class that may be absent. */
static struct ctf_class *class_in(struct reader *reader, const json_t *fragment, const char *key)
{
    const json_t *value = json_object_get(fragment, key);
    return value && !json_is_null(value) ? read_class(reader, value) : NULL;
}

static void read_trace(struct reader *reader, const json_t *fragment)
{
    struct ctf_trace *trace = reader->trace;
    struct ctf_entry **link = &trace->env;
    const char *key;
    json_t *value;
    trace->packet_header = class_in(reader, fragment, "packet-header-field-class");
    trace->name = copy_of(reader, json_object_get(fragment, "name"));
    json_object_foreach(json_object_get(fragment, "environment"), key, value)
    {
        struct ctf_entry *entry = ctf_new(reader->d, sizeof *entry);
        if (!entry || !(entry->key = ctf_text(reader->d, key, strlen(key)))) {
            return;
        }
        entry->text = copy_of(reader, value);
        entry->number = (int64_t)ctf_json_number_of(value, 0);
        *link = entry;
        link = &entry->next;
    }
}

static void read_clock(struct reader *reader, const json_t *fragment)
{
    struct ctf_clock *clock = ctf_new(reader->d, sizeof *clock), **link = &reader->trace->clocks;
    const json_t *offset = json_object_get(fragment, "offset-from-origin");
    if (!clock) {
        return;
    }
    clock->name = copy_of(reader, json_object_get(fragment, "id"));
    clock->name = clock->name ? clock->name : copy_of(reader, json_object_get(fragment, "name"));
    clock->name = clock->name ? clock->name : "";
    clock->uid = copy_of(reader, json_object_get(fragment, "uid"));
    clock->description = copy_of(reader, json_object_get(fragment, "description"));
    clock->freq = ctf_json_number_of(json_object_get(fragment, "frequency"), 0);
    clock->offset_s = (int64_t)ctf_json_number_of(json_object_get(offset, "seconds"), 0);
    clock->offset = ctf_json_number_of(json_object_get(offset, "cycles"), 0);
    while (*link) {
        link = &(*link)->next;
    }
    *link = clock;
}

static void ctf_json_read_stream(struct reader *reader, const json_t *fragment)
{
    struct ctf_stream_class *of = ctf_new(reader->d, sizeof *of);
    if (!of || ++reader->trace->stream_count > CTF_STREAMS) {
        json_failed(reader, "too many streams");
        return;
    }
    of->id = ctf_json_number_of(json_object_get(fragment, "id"), 0);
    of->trace = reader->trace;
    of->name = copy_of(reader, json_object_get(fragment, "name"));
    of->clock_name = copy_of(reader, json_object_get(fragment, "default-clock-class-id"));
    if (!of->clock_name) {
        of->clock_name = copy_of(reader, json_object_get(fragment, "default-clock-class-name"));
    }
    of->classes[CTF_PACKET_CONTEXT] = class_in(reader, fragment, "packet-context-field-class");
    of->classes[CTF_EVENT_HEADER] = class_in(reader, fragment, "event-record-header-field-class");
    of->classes[CTF_COMMON_CONTEXT] =
        class_in(reader, fragment, "event-record-common-context-field-class");
    of->next = reader->trace->streams;
    reader->trace->streams = of;
}

static void ctf_json_read_event(struct reader *reader, const json_t *fragment)
{
    struct ctf_event *event = ctf_new(reader->d, sizeof *event);
    if (!event || ++reader->trace->event_count > CTF_EVENTS) {
        json_failed(reader, "too many events");
        return;
    }
    event->name = copy_of(reader, json_object_get(fragment, "name"));
    event->name = event->name ? event->name : "";
    event->id = ctf_json_number_of(json_object_get(fragment, "id"), 0);
    event->stream_id = ctf_json_number_of(json_object_get(fragment, "data-stream-class-id"), 0);
    event->context = class_in(reader, fragment, "specific-context-field-class");
    event->payload = class_in(reader, fragment, "payload-field-class");
    event->next = reader->trace->declared;
    reader->trace->declared = event;
}

static void read_fragment(struct reader *reader, const json_t *fragment)
{
    const char *type = json_string_value(json_object_get(fragment, "type"));
    if (!type) {
        json_failed(reader, "a fragment without type");
    } else if (strcmp(type, "preamble") == 0) {
        if (ctf_json_number_of(json_object_get(fragment, "version"), 0) != 2) {
            json_failed(reader, "the version is not 2");
        }
        read_uuid(json_object_get(fragment, "uuid"), reader->trace->uuid, &reader->trace->has_uuid);
    } else if (strcmp(type, "field-class-alias") == 0) {
        /*
         * ---- fragments
         * ------------------------------------------------------------------------------
         */
        struct alias *alias = ctf_new(reader->d, sizeof *alias);
        if (!alias || ++reader->alias_count > ALIASES_MOST) {
            json_failed(reader, "too many aliases");
            return;
        }
        alias->name = copy_of(reader, json_object_get(fragment, "name"));
        alias->type = class_in(reader, fragment, "field-class");
        if (alias->name && alias->type) {
            alias->older = reader->aliases;
            reader->aliases = alias;
        }
    } else if (strcmp(type, "trace-class") == 0) {
        read_trace(reader, fragment);
    } else if (strcmp(type, "clock-class") == 0) {
        read_clock(reader, fragment);
    } else if (strcmp(type, "data-stream-class") == 0) {
        ctf_json_read_stream(reader, fragment);
    } else if (strcmp(type, "event-record-class") == 0) {
        ctf_json_read_event(reader, fragment);
    }
}

struct tt_status ctf_json_read(struct ctf_trace *trace, const char *text, size_t length)
{
    struct reader r = {.d = trace->decoder, .trace = trace};
    unsigned number = 0;
    for (size_t at = 0; at < length && !r.failure && !r.d->no_memory;) {
        const char *next = memchr(text + at + 1, RECORD, length - at - 1);
        size_t end = next ? (size_t)(next - text) : length;
        size_t begin = at + (text[at] == RECORD);
        json_error_t error;
        json_t *fragment = json_loadb(text + begin, end - begin, 0, &error);
        if (!fragment) { /* a number above INT64_MAX is read as a real */
            fragment = json_loadb(text + begin, end - begin, JSON_DECODE_INT_AS_REAL, &error);
        }
        number++;
        if (!fragment && !next && trace->declared) {
            tt_health_add(r.d->capture, TT_HEALTH_TRUNCATED, length, 0, number,
                          "fragment of metadata that end in it");
        } else if (!fragment) {
            return tt_error(TT_ERR_FORMAT, "metadata, fragment %u, line %d: %.100s", number,
                            error.line, error.text);
        } else {
            read_fragment(&r, fragment);
        }
        json_decref(fragment);
        at = end;
    }
    return r.d->no_memory ? tt_error_memory()
           : r.failure    ? tt_error(TT_ERR_FORMAT, "metadata, fragment %u: %s", number, r.failure)
                          : tt_ok();
}
