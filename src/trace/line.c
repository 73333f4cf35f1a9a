/* SPDX-License-Identifier: Apache-2.0 */
/* An event as a line of text: what dump prints and what a regex sees. */
#include "tracetui/line.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/time.h"

/* Byte columns of the padded fields; see line.h. */
enum { TIME_WIDTH = 15, CPU_WIDTH = 3, THREAD_END = 42, CLASS_END = 53, EVENT_END = 73 };

int64_t tt_relative_ticks(const struct tt_capture *c, uint64_t ticks, uint64_t first_ticks)
{
    uint64_t origin = c->origin_ticks != UINT64_MAX ? c->origin_ticks : first_ticks;
    return (int64_t)(ticks - origin);
}

void tt_line_time(struct tt_text *text, const struct tt_capture *c, int64_t relative_ticks)
{
    int64_t ns;
    uint64_t magnitude =
        relative_ticks < 0 ? 0 - (uint64_t)relative_ticks : (uint64_t)relative_ticks;
    if (c->clock_hz != 0 && tt_ticks_to_ns(magnitude, c->clock_hz, &ns)) {
        tt_text_seconds(text, relative_ticks < 0 ? -ns : ns);
    } else {
        tt_text_i64(text, relative_ticks);
    }
}

void tt_line_thread_with(struct tt_text *text, const struct tt_capture *c, uint32_t thread,
                         void (*put)(struct tt_text *text, const char *bytes, size_t length))
{
    if (thread >= tt_thread_count(c)) {
        tt_text_char(text, '-');
        return;
    }
    const struct tt_thread *t = tt_thread_at(c, thread);
    const struct tt_process *p = tt_process_at(c, t->process);
    size_t process_length, thread_length;
    const char *process_name = tt_capture_text(c, p->name, &process_length);
    const char *thread_name = tt_capture_text(c, t->name, &thread_length);
    if (p->pid == 0 && process_length == 0) {
        /* A system without processes: the thread's name says all. */
        if (thread_length > 0) {
            put(text, thread_name, thread_length);
        } else {
            tt_text_str(text, "0x");
            tt_text_hex(text, t->tid, 1);
        }
        return;
    }
    if (process_length > 0) {
        put(text, process_name, process_length);
    } else {
        tt_text_u64(text, p->pid);
    }
    tt_text_char(text, '/');
    tt_text_u64(text, t->tid);
    if (thread_length > 0) {
        tt_text_char(text, ' ');
        put(text, thread_name, thread_length);
    }
}

void tt_line_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread)
{
    tt_line_thread_with(text, c, thread, tt_text_escaped);
}

static void value_bytes(struct tt_text *text, struct tt_arg_span span)
{
    for (uint32_t i = 0; i < span.length; i++) {
        if (i > 0) {
            tt_text_char(text, ' ');
        }
        tt_text_hex(text, (unsigned char)span.data[i], 2);
    }
}

static void value_number(struct tt_text *text, const struct tt_arg *arg)
{
    switch (arg->type) {
    case TT_ARG_I64:
        tt_text_i64(text, arg->value.i);
        break;
    case TT_ARG_U64:
    case TT_ARG_KOID:
        tt_text_u64(text, arg->value.u);
        break;
    case TT_ARG_DOUBLE:
        tt_text_double(text, arg->value.d);
        break;
    case TT_ARG_BOOL:
        tt_text_str(text, arg->value.u ? "true" : "false");
        break;
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
        tt_text_str(text, "0x");
        tt_text_hex(text, arg->value.u, arg->digits ? arg->digits : 1);
        break;
    default:
        tt_text_str(text, "null");
        break;
    }
}

void tt_line_value(struct tt_text *text, const struct tt_arg *arg)
{
    if (arg->type == TT_ARG_STRING) {
        tt_text_char(text, '"');
        tt_text_escaped(text, arg->value.s.data, arg->value.s.length);
        tt_text_char(text, '"');
        return;
    }
    if (arg->type == TT_ARG_BYTES) {
        value_bytes(text, arg->value.s);
        return;
    }
    value_number(text, arg);
    if (arg->label.length > 0) {
        tt_text_char(text, '(');
        tt_text_escaped(text, arg->label.data, arg->label.length);
        tt_text_char(text, ')');
    }
}

void tt_line_args(struct tt_text *text, const struct tt_args *args)
{
    bool first = true;
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (arg->hidden) {
            continue;
        }
        if (!first) {
            tt_text_char(text, ' ');
        }
        first = false;
        tt_text_escaped(text, arg->name.data, arg->name.length);
        tt_text_char(text, '=');
        tt_line_value(text, arg);
    }
}

/* Right-aligns what was written since `start` in `width` bytes. */
static void align_right(struct tt_text *text, size_t start, size_t width)
{
    size_t length = text->used - start;
    if (length >= width) {
        return;
    }
    size_t shift = width - length;
    tt_text_fill(text, ' ', shift);
    if (text->used - start == width) {
        memmove(text->buffer + start + shift, text->buffer + start, length);
        memset(text->buffer + start, ' ', shift);
    }
}

/* ---- names rendered once ------------------------------------------------------------------ */

/* A text in the one buffer of tt_line_names. */
struct named {
    uint32_t offset;
    uint32_t length;
};

struct tt_line_names {
    char *texts;
    size_t used;
    size_t capacity;
    struct named *threads;
    uint32_t thread_count;
    struct named *types; /* class, padding, name */
    uint32_t type_count;
};

static void put_type(struct tt_text *text, const struct tt_capture *c, uint32_t type_number,
                     size_t class_end)
{
    const struct tt_event_type *type = tt_types_at(c, type_number);
    size_t start = text->used;
    tt_text_escaped(text, type->class_name, strlen(type->class_name));
    tt_text_pad_to(text, start, class_end, 1);
    tt_text_escaped(text, type->name, strlen(type->name));
}

static bool names_grow(struct tt_line_names *names)
{
    size_t capacity = names->capacity ? names->capacity * 2 : 4096;
    char *texts = capacity < UINT32_MAX ? realloc(names->texts, capacity) : NULL;
    if (texts) {
        names->texts = texts;
        names->capacity = capacity;
    }
    return texts != NULL;
}

/* Keeps the text of thread or type `number`. */
static bool names_add(struct tt_line_names *names, const struct tt_capture *c, uint32_t number,
                      bool is_thread, struct named *named)
{
    for (;;) {
        if (names->texts) {
            struct tt_text text =
                tt_text_of(names->texts + names->used, names->capacity - names->used);
            if (is_thread) {
                tt_line_thread(&text, c, number);
            } else {
                put_type(&text, c, number, CLASS_END - THREAD_END);
            }
            if (!text.truncated) {
                named->offset = (uint32_t)names->used;
                named->length = (uint32_t)text.used;
                names->used += text.used;
                return true;
            }
        }
        if (!names_grow(names)) {
            return false;
        }
    }
}

static bool names_fill(struct tt_line_names *names, const struct tt_capture *c)
{
    uint32_t threads = tt_thread_count(c), types = tt_types_count(c);
    names->threads = calloc((size_t)threads + 1, sizeof *names->threads);
    names->types = calloc((size_t)types + 1, sizeof *names->types);
    if (!names->threads || !names->types) {
        return false;
    }
    for (uint32_t i = 0; i < threads; i++, names->thread_count++) {
        if (!names_add(names, c, i, true, &names->threads[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < types; i++, names->type_count++) {
        if (!names_add(names, c, i, false, &names->types[i])) {
            return false;
        }
    }
    return true;
}

struct tt_line_names *tt_line_names_new(const struct tt_capture *c)
{
    struct tt_line_names *names = calloc(1, sizeof *names);
    if (names && !names_fill(names, c)) {
        tt_line_names_free(names);
        return NULL;
    }
    return names;
}

void tt_line_names_free(struct tt_line_names *names)
{
    if (names) {
        free(names->texts);
        free(names->threads);
        free(names->types);
        free(names);
    }
}

/* ---- the whole line ----------------------------------------------------------------------- */

static void line_thread(struct tt_text *text, const struct tt_capture *c,
                        const struct tt_line_names *names, uint32_t thread)
{
    if (names && thread < names->thread_count) {
        const struct named *named = &names->threads[thread];
        tt_text_bytes(text, names->texts + named->offset, named->length);
    } else {
        tt_line_thread(text, c, thread);
    }
}

static void line_type(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_line_names *names, uint32_t type, size_t column)
{
    if (names && type < names->type_count && column == THREAD_END) {
        const struct named *named = &names->types[type];
        tt_text_bytes(text, names->texts + named->offset, named->length);
    } else {
        put_type(text, c, type, column < CLASS_END ? CLASS_END - column : 0);
    }
}

void tt_line_event_named(struct tt_text *text, const struct tt_capture *c,
                         const struct tt_line_names *names, const struct tt_event *event,
                         const struct tt_args *args, uint64_t first_ticks)
{
    size_t start = text->used;
    tt_line_time(text, c, tt_relative_ticks(c, event->ticks, first_ticks));
    align_right(text, start, TIME_WIDTH);
    size_t cpu = text->used;
    tt_text_char(text, ' ');
    if (event->cpu == TT_NO_CPU) {
        tt_text_char(text, '-');
    } else {
        tt_text_u64(text, event->cpu);
    }
    align_right(text, cpu, CPU_WIDTH);
    tt_text_char(text, ' ');
    tt_text_char(text, event->flags & TT_EVENT_INFERRED ? '~' : ' ');
    line_thread(text, c, names, event->thread);
    tt_text_pad_to(text, start, THREAD_END, 1);
    line_type(text, c, names, event->type, text->used - start);
    if (args && args->count > 0) {
        size_t name_end = text->used;
        tt_text_pad_to(text, start, EVENT_END, 1);
        size_t args_start = text->used;
        tt_line_args(text, args);
        if (text->used == args_start && !text->truncated) {
            text->used = name_end;
        }
    }
}

void tt_line_event(struct tt_text *text, const struct tt_capture *c, const struct tt_event *event,
                   const struct tt_args *args, uint64_t first_ticks)
{
    tt_line_event_named(text, c, NULL, event, args, first_ticks);
}
