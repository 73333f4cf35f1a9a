/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_formats: format descriptions of events (Documentation/trace/events.rst, "Event formats"):
 *
 *      name: sched_wakeup
 *      ID: 313
 *      format:
 *      	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *      	field:char comm[16];	offset:8;	size:16;	signed:1;
 *      print fmt: "comm=%s ...", REC->comm, ...
 *
 * Offsets and sizes are used as they are; the declaration determines only whether a field is a text, an array or
 * a number. Texts are copied: formats live as long as the decoder.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"

/* Finds `key` in [at, end); returns what follows it, or NULL. */
static const char *ftrace_formats_after(const char *at, const char *end, const char *key)
{
    size_t length = strlen(key);
    for (; at && (size_t)(end - at) >= length; at++) {
        if (memcmp(at, key, length) == 0) {
            return at + length;
        }
    }
    return NULL;
}

static const char *line_end(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end : at + strlen(at);
}

static bool ftrace_formats_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    const char *begin = at;
    while ((at = ftrace_formats_after(at, end, word)) != NULL) {
        const char *first = at - length;
        if ((first == begin || !ftrace_formats_is_word(first[-1])) &&
            (at == end || !ftrace_formats_is_word(*at))) {
            return true;
        }
    }
    return false;
}

/* Returns the size of an item by its type: of arrays whose items are no single bytes. */
static uint8_t item_size(const struct ftrace *ftrace, const char *type, const char *end)
{
    static const struct {
        const char *word;
        uint8_t size;
    } sizes[] = {
        {"char", 1}, {"u8", 1},    {"__u8", 1},     {"uint8_t", 1},  {"s8", 1},
        {"bool", 1}, {"short", 2}, {"u16", 2},      {"__u16", 2},    {"uint16_t", 2},
        {"s16", 2},  {"u32", 4},   {"__u32", 4},    {"uint32_t", 4}, {"s32", 4},
        {"u64", 8},  {"__u64", 8}, {"uint64_t", 8}, {"s64", 8},      {"dma_addr_t", 8},
    };
    if (memchr(type, '*', (size_t)(end - type))) {
        return ftrace->kernel_long;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (has_word(type, end, sizes[i].word)) {
            return sizes[i].size;
        }
    }
    if (ftrace_formats_after(type, end, "long long")) {
        return 8;
    }
    return has_word(type, end, "long") || has_word(type, end, "size_t") ? ftrace->kernel_long : 4;
}

static bool is_unsigned_type(const char *type, const char *end)
{
    return has_word(type, end, "unsigned") || memchr(type, '*', (size_t)(end - type)) ||
           (end - type > 0 && (*type == 'u' || (end - type > 2 && memcmp(type, "__u", 3) == 0)));
}

/*
 * Reads the declaration in [at, end): "unsigned long args[6]", "__data_loc char[] name". Returns false if it has
 * no name.
 */
static bool read_declaration(struct ftrace *ftrace, const char *at, const char *end,
                             struct ftrace_field *field)
{
    bool dynamic = ftrace_formats_after(at, end, "__data_loc ") != NULL;
    bool relative = ftrace_formats_after(at, end, "__rel_loc ") != NULL;
    bool is_array = false;
    const char *name_end = end;
    if (end > at && end[-1] == ']') {
        is_array = true;
        while (name_end > at && name_end[-1] != '[') {
            name_end--;
        }
        name_end -= name_end > at;
    }
    const char *name = name_end;
    while (name > at && ftrace_formats_is_word(name[-1])) {
        name--;
    }
    if (name == name_end) {
        return false;
    }
    field->name = ftrace_text(ftrace, name, (size_t)(name_end - name));
    is_array |= dynamic || relative;
    field->item = item_size(ftrace, at, name);
    field->is_text =
        field->item == 1 && has_word(at, name, "char") && !has_word(at, name, "unsigned");
    field->is_signed = !is_unsigned_type(at, name);
    field->base = memchr(at, '*', (size_t)(name - at)) ? FTRACE_ADDRESS : FTRACE_DECIMAL;
    field->kind = (uint8_t)(dynamic    ? FTRACE_DYNAMIC
                            : relative ? FTRACE_RELATIVE
                            : is_array ? (field->is_text ? FTRACE_TEXT : FTRACE_ARRAY)
                                       : FTRACE_NUMBER);
    return field->name != NULL;
}

/* Reads the line of a field. Returns false if it is none. */
static bool read_field(struct ftrace *ftrace, const char *at, const char *end,
                       struct ftrace_field *field)
{
    const char *declaration = ftrace_formats_after(at, end, "field:");
    if (!declaration) {
        declaration = ftrace_formats_after(at, end, "field special:");
    }
    const char *stop = declaration ? memchr(declaration, ';', (size_t)(end - declaration)) : NULL;
    const char *offset = stop ? ftrace_formats_after(stop, end, "offset:") : NULL;
    const char *size = offset ? ftrace_formats_after(offset, end, "size:") : NULL;
    memset(field, 0, sizeof *field);
    if (!size || !read_declaration(ftrace, declaration, stop, field)) {
        return false;
    }
    unsigned long first = strtoul(offset, NULL, 10), length = strtoul(size, NULL, 10);
    const char *is_signed = ftrace_formats_after(size, end, "signed:");
    if (first >= FTRACE_NONE || length >= FTRACE_NONE) {
        return false;
    }
    field->offset = (uint16_t)first;
    field->size = (uint16_t)length;
    field->is_signed = is_signed ? *is_signed == '1' : field->is_signed;
    if (length == 0 || (field->kind != FTRACE_NUMBER && field->kind != FTRACE_TEXT &&
                        field->kind != FTRACE_ARRAY && length < 4)) {
        field->kind = FTRACE_REST;
    } else if (field->kind == FTRACE_NUMBER && length != 1 && length != 2 && length != 4 &&
               length != 8) {
        field->kind = FTRACE_ARRAY; /* a structure */
        field->item = 1;
        field->is_signed = false;
    }
    field->common = strncmp(field->name, "common_", 7) == 0;
    field->name_length = (uint16_t)strlen(field->name);
    return true;
}

const struct ftrace_field *ftrace_field_of(const struct ftrace_event *event, const char *name)
{
    for (unsigned i = 0; i < event->field_count; i++) {
        if (strcmp(event->fields[i].name, name) == 0) {
            return &event->fields[i];
        }
    }
    return NULL;
}

struct ftrace_place ftrace_place_of(const struct ftrace_event *event, const char *name)
{
    const struct ftrace_field *field = ftrace_field_of(event, name);
    struct ftrace_place none = {FTRACE_NONE, 0, false};
    if (!field) {
        return none;
    }
    return (struct ftrace_place){field->offset,
                                 field->kind == FTRACE_NUMBER ? (uint8_t)field->size : (uint8_t)0,
                                 field->is_signed};
}

/* The common fields are those of every event: the first format determines their places. */
static void find_common(struct ftrace *ftrace, const struct ftrace_event *event)
{
    if (ftrace->event_count > 0) {
        return;
    }
    ftrace->common_type = ftrace_place_of(event, "common_type");
    ftrace->common_flags = ftrace_place_of(event, "common_flags");
    ftrace->common_preempt = ftrace_place_of(event, "common_preempt_count");
    ftrace->common_pid = ftrace_place_of(event, "common_pid");
    const struct ftrace_place type = ftrace->common_type, pid = ftrace->common_pid;
    ftrace->common_end = type.size != 2 || pid.size != 4      ? UINT32_MAX
                         : type.offset + 2u > pid.offset + 4u ? type.offset + 2u
                                                              : pid.offset + 4u;
    ftrace->is_rt = ftrace_field_of(event, "common_preempt_lazy_count") ||
                    ftrace_field_of(event, "common_migrate_disable");
}

static bool read_fields(struct ftrace *ftrace, struct ftrace_event *event, const char *at)
{
    struct ftrace_field fields[FTRACE_MAX_FIELDS];
    unsigned count = 0;
    while (*at && count < FTRACE_MAX_FIELDS && strncmp(at, "print fmt:", 10) != 0) {
        const char *end = line_end(at);
        if (read_field(ftrace, at, end, &fields[count])) {
            const struct ftrace_field *field = &fields[count++];
            const uint32_t last =
                field->kind == FTRACE_REST ? field->offset : (uint32_t)field->offset + field->size;
            event->least =
                last > event->least && last < FTRACE_NONE ? (uint16_t)last : event->least;
        }
        at = *end ? end + 1 : end;
    }
    event->fields = tt_arena_alloc(&ftrace->arena, (count ? count : 1) * sizeof *fields);
    if (!event->fields) {
        return false;
    }
    memcpy(event->fields, fields, count * sizeof *fields);
    event->field_count = (uint16_t)count;
    while (event->common_count < count && fields[event->common_count].common) {
        event->common_count++;
    }
    return true;
}

bool ftrace_add_format(struct ftrace *ftrace, const char *system, struct tt_bytes text)
{
    const char *copy = ftrace_text(ftrace, text.data, (size_t)text.size);
    if (!copy) {
        return false;
    }
    const char *end = copy + strlen(copy);
    const char *name = ftrace_formats_after(copy, end, "name: "),
               *id = ftrace_formats_after(copy, end, "\nID: ");
    const char *fields = ftrace_formats_after(copy, end, "\nformat:"),
               *print = ftrace_formats_after(copy, end, "\nprint fmt: ");
    unsigned long number = id ? strtoul(id, NULL, 10) : FTRACE_IDS;
    if (!name || !fields || number >= FTRACE_IDS) {
        tt_health_add(ftrace->capture, TT_HEALTH_HEADER, 0, 0, ftrace->event_count,
                      "format description that cannot be read, after this number of others");
        return true;
    }
    if (ftrace->events[number]) {
        return true; /* trace-cmd repeats those of the system ftrace */
    }
    struct ftrace_event *event = tt_arena_alloc(&ftrace->arena, sizeof *event);
    if (!event) {
        return false;
    }
    memset(event, 0, sizeof *event);
    atomic_init(&event->type, FTRACE_NO_TYPE);
    event->system = system;
    event->id = (uint16_t)number;
    event->name = ftrace_text(ftrace, name, (size_t)(line_end(name) - name));
    if (!event->name || !read_fields(ftrace, event, fields)) {
        return false;
    }
    find_common(ftrace, event);
    if (print && !ftrace_read_print(ftrace, event, print)) {
        return false;
    }
    ftrace_mean(ftrace, event);
    if (!ftrace_plan(ftrace, event)) {
        return false;
    }
    ftrace->events[number] = event;
    ftrace->event_count++;
    return !ftrace->no_memory;
}
