/* SPDX-License-Identifier: Apache-2.0 */
/* Formats an event as a line of text, for dump and for matching. */
#include "tracetui/event_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/format_fast.h"
#include "base/u128.h"
#include "trace/text_cells.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"

/* Byte columns of the padded fields; see event_line.h. */
enum { TIME_WIDTH = 15, CPU_WIDTH = 3, THREAD_END = 42, CLASS_END = 53, EVENT_END = TT_LINE_ARGS };

struct tt_relative tt_relative_ticks(const struct tt_capture *capture, uint64_t ticks,
                                     uint64_t first_ticks)
{
    uint64_t origin = capture->origin_ticks != UINT64_MAX ? capture->origin_ticks : first_ticks;
    bool before = ticks < origin;
    return (struct tt_relative){before ? origin - ticks : ticks - origin, before};
}

void tt_line_time(struct tt_text *text, const struct tt_capture *capture, struct tt_relative time)
{
    uint64_t ns = 0, hz = capture->clock_hz;
    bool clock = hz != 0 && tt_mul_div(time.ticks % hz, TT_NS_PER_S, hz, &ns);
    if (time.before && (!clock || time.ticks / hz > 0 || ns > 0)) {
        tt_text_char(text, '-');
    }
    tt_text_u64(text, clock ? time.ticks / hz : time.ticks);
    if (clock) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, ns, 9, '0');
    }
}

/* Returns the last component of a path: proc/boot/devc-pty is devc-pty, as in ps. */
static const char *path_base_name(const char *path, size_t *length)
{
    for (size_t i = *length; i > 1; i--) {
        if (path[i - 2] == '/' && i <= *length) {
            *length -= i - 1;
            return path + i - 1;
        }
    }
    return path;
}

const char *tt_process_base_name(const struct tt_capture *capture, const struct tt_process *process,
                                 size_t *length)
{
    tt_string string = atomic_load_explicit(&process->name, memory_order_acquire);
    const char *name = tt_capture_text(capture, string, length);
    return *length > 0 ? path_base_name(name, length) : name;
}

void tt_line_id(struct tt_text *text, const struct tt_capture *capture, uint32_t process,
                uint64_t id)
{
    const struct tt_capture *own = capture;
    if (capture->merge) {
        own = capture->merge->members[tt_merge_of_process(capture, process)].capture;
    }
    if (own->has_addresses && id != 0) {
        tt_text_str(text, "0x");
        tt_text_hex(text, id, 1);
    } else {
        tt_text_u64(text, id);
    }
}

bool tt_line_is_own_process(const struct tt_capture *capture, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *process = tt_process_at(capture, t->process);
    return t->tid == process->pid && t->name != 0 && t->name == process->name;
}

void tt_line_process(struct tt_text *text, const struct tt_capture *capture, uint32_t process)
{
    const struct tt_process *p = tt_process_at(capture, process);
    size_t length;
    const char *name = tt_process_base_name(capture, p, &length);
    if (length > 0) {
        tt_text_escaped(text, name, length);
    } else {
        tt_line_id(text, capture, process, p->pid);
    }
}

static void event_line_put_thread(struct tt_text *text, const struct tt_capture *capture,
                                  uint32_t thread, bool path,
                                  void (*put)(struct tt_text *text, const char *bytes,
                                              size_t length))
{
    if (thread >= tt_thread_count(capture)) {
        tt_text_char(text, '-');
        return;
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *process = tt_process_at(capture, t->process);
    size_t process_length, thread_length;
    const char *process_name = path ? tt_capture_text(capture, process->name, &process_length)
                                    : tt_process_base_name(capture, process, &process_length);
    const char *thread_name = tt_capture_text(capture, t->name, &thread_length);
    if (process->pid == 0 && process_length == 0) {
        /* A system without processes: only the thread's name. */
        if (thread_length > 0) {
            put(text, thread_name, thread_length);
        } else {
            tt_line_id(text, capture, t->process, t->tid);
        }
        return;
    }
    if (tt_line_is_own_process(capture, thread)) {
        put(text, thread_name, thread_length);
        tt_text_char(text, '-');
        tt_line_id(text, capture, t->process, t->tid);
        return;
    }
    if (process_length > 0) {
        put(text, process_name, process_length);
    } else {
        tt_line_id(text, capture, t->process, process->pid);
    }
    tt_text_char(text, '/');
    tt_line_id(text, capture, t->process, t->tid);
    if (thread_length > 0) {
        tt_text_char(text, ' ');
        put(text, thread_name, thread_length);
    }
}

void tt_line_thread_with(struct tt_text *text, const struct tt_capture *capture, uint32_t thread,
                         void (*put)(struct tt_text *text, const char *bytes, size_t length))
{
    event_line_put_thread(text, capture, thread, false, put);
}

void tt_line_thread(struct tt_text *text, const struct tt_capture *capture, uint32_t thread)
{
    event_line_put_thread(text, capture, thread, false, tt_text_escaped);
}

void tt_line_thread_path(struct tt_text *text, const struct tt_capture *capture, uint32_t thread)
{
    event_line_put_thread(text, capture, thread, true, tt_text_escaped);
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
        /* Writes bytes in hex: "79 79 ... (100 bytes)" if there are more in the file. */
        struct tt_arg_span span = arg->value.s;
        for (uint32_t i = 0; i < span.length; i++) {
            if (i > 0) {
                tt_text_char(text, ' ');
            }
            tt_text_hex(text, (unsigned char)span.data[i], 2);
        }
        if (arg->raw_length > span.length) {
            tt_text_str(text, " ... (");
            tt_text_u64(text, arg->raw_length);
            tt_text_str(text, " bytes)");
        }

        return;
    }
    value_number(text, arg);
    if (arg->label.length > 0) {
        tt_text_char(text, arg->named ? ' ' : '(');
        tt_text_escaped(text, arg->label.data, arg->label.length);
        tt_text_str(text, arg->named ? "" : ")");
    }
}

/* Enough for any number with 0x or sign, the parentheses of a label, and a blank. */
#define NUMBER_ROOM 32u

/* Writes a number without checking the room; returns NULL for other kinds of values. */
static char *quick_number(char *to, const struct tt_arg *arg)
{
    switch (arg->type) {
    case TT_ARG_I64:
        return tt_fast_i64(to, arg->value.i);
    case TT_ARG_U64:
    case TT_ARG_KOID:
        return tt_fast_u64(to, arg->value.u);
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
        *to++ = '0';
        *to++ = 'x';
        return tt_fast_hex(to, arg->value.u, arg->digits);
    default:
        return NULL;
    }
}

static char *quick_plain(char *to, struct tt_arg_span span)
{
    return tt_fast_plain(to, span.data, span.length) ? to + span.length : NULL;
}

/* Writes a plain text in quotes; returns NULL if it is another one or may not fit. */
static char *quick_text(char *to, size_t room, struct tt_arg_span span)
{
    if (room < span.length) {
        return NULL;
    }
    *to++ = '"';
    to = quick_plain(to, span);
    if (to) {
        *to++ = '"';
    }
    return to;
}

/*
 * Writes a usual argument: a plain name, a number or a plain text, possibly a plain label, after a blank unless it
 * is the first. Returns its end; NULL if it is another kind or may not fit.
 */
static char *quick_arg(char *to, size_t room, bool first, const struct tt_arg *arg)
{
    if (room < (size_t)arg->name.length + arg->label.length + NUMBER_ROOM) {
        return NULL;
    }
    *to = ' ';
    to += !first;
    to = arg->plain ? tt_fast_bytes(to, arg->name.data, arg->name.length)
                    : quick_plain(to, arg->name);
    if (!to) {
        return NULL;
    }
    *to++ = '=';
    if (arg->type == TT_ARG_STRING) {
        return quick_text(to, room - arg->name.length - NUMBER_ROOM, arg->value.s);
    }
    to = quick_number(to, arg);
    if (to && arg->label.length > 0) {
        *to++ = arg->named ? ' ' : '(';
        to = quick_plain(to, arg->label);
        if (to) {
            *to = ')';
            to += !arg->named;
        }
    }
    return to;
}

void tt_line_args(struct tt_text *text, const struct tt_args *args)
{
    bool first = true;
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (arg->hidden) {
            continue;
        }
        char *to = quick_arg(text->buffer + text->used, text->capacity - text->used, first, arg);
        if (to) {
            text->used = (size_t)(to - text->buffer);
        } else {
            if (!first) {
                tt_text_char(text, ' ');
            }
            tt_text_escaped(text, arg->name.data, arg->name.length);
            tt_text_char(text, '=');
            tt_line_value(text, arg);
        }
        first = false;
    }
}

/* Right-aligns the text from `start` on in `width` bytes. */
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

struct tt_line_names {
    struct tt_divider clock; /* ticks per second; divisor 0: not representable */
    struct tt_name_cells rendered;
    uint32_t *class_lengths; /* of each type: bytes of its class in its cell */
};

/* Appends class, padding and name. */
static void event_line_put_type(struct tt_text *text, const struct tt_capture *capture,
                                uint32_t type_number)
{
    const struct tt_event_type *type = tt_types_at(capture, type_number);
    size_t start = text->used;
    tt_text_escaped(text, type->class_name, strlen(type->class_name));
    tt_text_pad_to(text, start, CLASS_END - THREAD_END, 1);
    tt_text_escaped(text, type->name, strlen(type->name));
}

struct tt_line_names *tt_line_names_new(const struct tt_capture *capture)
{
    struct tt_line_names *names = calloc(1, sizeof *names);
    if (names && capture->clock_hz <= UINT64_MAX / TT_NS_PER_S) {
        names->clock = tt_divider_of(capture->clock_hz);
    }
    bool good =
        names && tt_name_cells_open(&names->rendered, capture, tt_line_thread, event_line_put_type);
    if (good) {
        names->class_lengths = calloc((size_t)names->rendered.type_count + 1, sizeof(uint32_t));
        good = names->class_lengths != NULL;
    }
    for (uint32_t i = 0; good && i < names->rendered.type_count; i++) {
        char cell[128]; /* classes that are longer are printed by the slow path */
        struct tt_text text = tt_text_of(cell, sizeof cell);
        const char *name = tt_types_at(capture, i)->class_name;
        tt_text_escaped(&text, name, strlen(name));
        names->class_lengths[i] = text.truncated ? UINT32_MAX : (uint32_t)text.used;
    }
    if (!good) {
        tt_line_names_free(names);
        return NULL;
    }
    return names;
}

void tt_line_names_free(struct tt_line_names *names)
{
    if (names) {
        tt_name_cells_close(&names->rendered);
        free(names->class_lengths);
        free(names);
    }
}

/* ---- the whole line ----------------------------------------------------------------------- */

static void line_thread(struct tt_text *text, const struct tt_capture *capture,
                        const struct tt_line_names *names, uint32_t thread)
{
    const struct tt_cell *cell = names ? tt_thread_cell(&names->rendered, thread) : NULL;
    if (cell) {
        tt_text_bytes(text, names->rendered.cells.texts + cell->offset, cell->length);
    } else {
        tt_line_thread(text, capture, thread);
    }
}

#define SECONDS_WIDTH (TIME_WIDTH - 9u) /* with the dot */

/* The second of the last line, which the next line usually shares. */
struct second {
    uint64_t from; /* relative ticks: [from, from + clock) */
    bool known;
    char text[SECONDS_WIDTH]; /* right-aligned, with the dot */
};

/* Returns false if the seconds have too many digits. Divides by multiplication. */
static bool find_second(struct second *second, const struct tt_line_names *names, uint64_t ticks)
{
    const uint64_t widest = 99999;
    uint64_t seconds = tt_divided(ticks, names->clock);
    second->known = seconds <= widest;
    if (second->known) {
        second->from = seconds * names->clock.by;
        memset(second->text, ' ', sizeof second->text);
        second->text[SECONDS_WIDTH - 1] = '.';
        tt_digits_before(second->text + SECONDS_WIDTH - 1, seconds);
    }
    return second->known;
}

#define HEAD_ROOM (EVENT_END + 2 * TT_CELL + 1)
_Static_assert(THREAD_END + TT_CELL >= EVENT_END, "a type's cell has the blanks before arguments");

/*
 * Writes the line up to its arguments for an event whose names are rendered. A thread's name that is wider than its
 * column moves the class, and the event's name by what the blanks between them lack. Sets text->used to the end of the
 * type's name. Returns false if nothing was written.
 */
static bool quick_head(struct tt_text *text, const struct tt_capture *capture,
                       const struct tt_line_names *names, const struct tt_event *event,
                       uint64_t first_ticks, struct second *second)
{
    const struct tt_cell *thread = tt_thread_cell(&names->rendered, event->thread);
    const struct tt_cell *type = tt_type_cell(&names->rendered, event->type);
    enum { THREAD_START = TIME_WIDTH + CPU_WIDTH + 2 };
    char *to = text->buffer + text->used;
    if (!thread || !type || names->class_lengths[event->type] == UINT32_MAX ||
        text->capacity - text->used < (size_t)HEAD_ROOM + thread->length + type->length) {
        return false;
    }
    memset(to + TIME_WIDTH, ' ', THREAD_START - TIME_WIDTH);

    /* Writes seconds in TIME_WIDTH bytes at `to`. */
    struct tt_relative time = tt_relative_ticks(capture, event->ticks, first_ticks);
    if (time.before || names->clock.by == 0) {
        return false;
    }
    if ((!second->known || time.ticks - second->from >= names->clock.by) &&
        !find_second(second, names, time.ticks)) {
        return false;
    }
    memcpy(to, second->text, SECONDS_WIDTH);
    uint64_t rest = time.ticks - second->from;
    tt_fast_nine(to + SECONDS_WIDTH, (uint32_t)tt_divided(rest * TT_NS_PER_S, names->clock));

    char *cpu = to + TIME_WIDTH + CPU_WIDTH;
    if (event->cpu == TT_NO_CPU) {
        cpu[-1] = '-';
    } else if (event->cpu < 100) {
        tt_digits_before(cpu, event->cpu);
    } else {
        return false;
    }
    if (event->flags & TT_EVENT_INFERRED) {
        to[THREAD_START - 1] = '~';
    }
    const char *texts = names->rendered.cells.texts;
    memcpy(to + THREAD_START, texts + thread->offset, TT_CELL);
    if (thread->length < THREAD_END - THREAD_START) {
        memcpy(to + THREAD_END, texts + type->offset, TT_CELL);
        if (type->length > TT_CELL) {
            tt_cell_copy(to + THREAD_END, &names->rendered.cells, type);
        }
        text->used += THREAD_END + type->length;
        return true;
    }
    to = tt_cell_copy(to + THREAD_START, &names->rendered.cells, thread);
    *to++ = ' ';
    const size_t from = (size_t)(to - text->buffer) - text->used;
    const size_t length = names->class_lengths[event->type];
    const size_t blanks = from + length < CLASS_END ? CLASS_END - from - length : 1;
    const char *name = texts + type->offset +
                       (length < CLASS_END - THREAD_END ? CLASS_END - THREAD_END : length + 1);
    const size_t name_length = type->length - (size_t)(name - texts - type->offset);
    memcpy(to, texts + type->offset, length);
    memset(to + length, ' ', blanks);
    memcpy(to + length + blanks, name, name_length);
    text->used += from + length + blanks + name_length;
    return true;
}

/* Sets the range of a column from `begin` to the end of the text, in bytes from `start`. */
static void mark_column(struct tt_line_spans *spans, unsigned column, const struct tt_text *text,
                        size_t start, size_t begin)
{
    spans->columns[column].begin = begin - start;
    spans->columns[column].end = text->used - start;
}

/* Does the same as quick_head for any line, and sets the ranges of its columns. */
static void event_line_put_head(struct tt_text *text, const struct tt_capture *capture,
                                const struct tt_line_names *names, const struct tt_event *event,
                                uint64_t first_ticks, struct tt_line_spans *spans)
{
    size_t start = text->used;
    tt_line_time(text, capture, tt_relative_ticks(capture, event->ticks, first_ticks));
    size_t length = text->used - start;
    align_right(text, start, TIME_WIDTH);
    mark_column(spans, TT_LINE_TIME, text, start, text->used - length);
    size_t cpu = text->used;
    tt_text_char(text, ' ');
    if (event->cpu == TT_NO_CPU) {
        tt_text_char(text, '-');
    } else {
        tt_text_u64(text, event->cpu);
    }
    length = text->used - cpu - 1;
    align_right(text, cpu, CPU_WIDTH);
    mark_column(spans, TT_LINE_CPU, text, start, text->used - length);
    tt_text_char(text, ' ');
    size_t thread = text->used;
    tt_text_char(text, event->flags & TT_EVENT_INFERRED ? '~' : ' ');
    line_thread(text, capture, names, event->thread);
    mark_column(spans, TT_LINE_THREAD, text, start, thread);
    tt_text_pad_to(text, start, THREAD_END, 1);
    const struct tt_event_type *type = tt_types_at(capture, event->type);
    size_t name = text->used;
    tt_text_escaped(text, type->class_name, strlen(type->class_name));
    mark_column(spans, TT_LINE_CLASS, text, start, name);
    tt_text_pad_to(text, start, CLASS_END, 1);
    name = text->used;
    tt_text_escaped(text, type->name, strlen(type->name));
    mark_column(spans, TT_LINE_EVENT, text, start, name);
}

/* Appends the arguments at their column; nothing if none is visible. Returns where they begin. */
static size_t event_line_put_args(struct tt_text *text, const struct tt_args *args, size_t start)
{
    size_t name_end = text->used;
    if (!args || args->count == 0) {
        return name_end;
    }
    tt_text_pad_to(text, start, EVENT_END, 1);
    size_t args_start = text->used;
    tt_line_args(text, args);
    if (text->used == args_start && !text->truncated) {
        text->used = args_start = name_end;
    }
    return args_start;
}

void tt_line_event_named(struct tt_text *text, const struct tt_capture *capture,
                         const struct tt_line_names *names, const struct tt_event *event,
                         const struct tt_args *args, uint64_t first_ticks)
{
    size_t start = text->used;
    struct second second = {.known = false};
    if (!names || !quick_head(text, capture, names, event, first_ticks, &second)) {
        struct tt_line_spans spans;
        event_line_put_head(text, capture, names, event, first_ticks, &spans);
    }
    event_line_put_args(text, args, start);
}

struct tt_line_spans tt_line_event_spans(struct tt_text *text, const struct tt_capture *capture,
                                         const struct tt_line_names *names,
                                         const struct tt_event *event, const struct tt_args *args,
                                         uint64_t first_ticks)
{
    struct tt_line_spans spans;
    size_t start = text->used;
    event_line_put_head(text, capture, names, event, first_ticks, &spans);
    mark_column(&spans, TT_LINE_ARGUMENTS, text, start, event_line_put_args(text, args, start));
    return spans;
}

void tt_line_event(struct tt_text *text, const struct tt_capture *capture,
                   const struct tt_event *event, const struct tt_args *args, uint64_t first_ticks)
{
    tt_line_event_named(text, capture, NULL, event, args, first_ticks);
}
