/* SPDX-License-Identifier: Apache-2.0 */
/* why_print: explanations as an indented tree with sums, or as lines of JSON. */
#include <string.h>

#include "cli/why.h"
#include "cli/writers.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

#define WIDTH       80u
#define LINES_MOST  200u /* pieces of an explanation printed as text */
#define LATE_MOST   10u
#define INDENT_MOST 8u /* levels that are indented; the number of deeper ones is printed */
#define TIME_COLUMN 10u
#define NAME_WIDTH  18u
#define STATE_WIDTH 9u

/* ---- values ------------------------------------------------------------------------------- */

static uint64_t ns_of(const struct tt_capture *c, uint64_t ticks)
{
    int64_t ns;
    return c->clock_hz != 0 && tt_ticks_to_ns(ticks, c->clock_hz, &ns) ? (uint64_t)ns : ticks;
}

/* Appends a duration with four significant digits: 12.40 us, or ticks without a clock. */
static void put_duration(struct tt_text *text, const struct tt_capture *c, uint64_t ticks)
{
    static const char *const units[] = {" ns", " us", " ms", " s "};
    uint64_t value = ns_of(c, ticks), scale = 1;
    unsigned unit = 0, decimals = 0;
    if (c->clock_hz == 0) {
        tt_text_u64(text, value);
        return;
    }
    while (unit < 3 && value / scale >= 1000) {
        scale *= 1000;
        unit++;
    }
    uint64_t whole = value / scale;
    if (unit > 0) {
        decimals = whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3;
    }
    tt_text_u64(text, whole);
    if (decimals > 0) {
        static const uint64_t powers[] = {1, 10, 100, 1000};
        tt_text_char(text, '.');
        tt_text_u64_width(text, value % scale / (scale / powers[decimals]), decimals, '0');
    }
    tt_text_str(text, units[unit]);
}

static const char *state_name(const struct tt_capture *c, unsigned state)
{
    const struct tt_format *f = c->format;
    return state < f->state_count && f->states[state].name ? f->states[state].name : "unknown";
}

/* ---- text --------------------------------------------------------------------------------- */

/* Returns the columns of a line, one for each code point. */
static size_t columns_of(const char *bytes, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    }
    return columns;
}

/* Cuts the text from `start` on to `width` columns, with two dots at the end if it is longer. */
static void cut_to(struct tt_text *text, size_t start, size_t width)
{
    size_t columns = 0, keep = text->used;
    if (columns_of(text->buffer + start, text->used - start) <= width) {
        return;
    }
    for (size_t i = start; i < text->used; i++) {
        columns += ((unsigned char)text->buffer[i] & 0xc0) != 0x80;
        if (columns > width - 2) {
            keep = i;
            break;
        }
    }
    text->used = keep;
    tt_text_str(text, "..");
}

static void pad_to(struct tt_text *text, size_t start, size_t width)
{
    size_t columns = columns_of(text->buffer + start, text->used - start);
    tt_text_fill(text, ' ', columns < width ? width - columns : 1);
}

static void put_column(struct tt_text *text, const char *bytes, size_t length, size_t width)
{
    size_t start = text->used;
    tt_text_bytes(text, bytes, length);
    cut_to(text, start, width);
    pad_to(text, start, width + 1);
}

static void put_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread,
                       size_t width)
{
    char name[512];
    struct tt_text shown = tt_text_of(name, sizeof name);
    if (thread != TT_NO_THREAD) {
        tt_line_thread(&shown, c, thread);
    }
    put_column(text, shown.buffer, shown.used, width);
}

/* Appends "1.530 ms  80 %" in columns. */
static void put_share(struct tt_text *text, const struct tt_capture *c, uint64_t ticks,
                      uint64_t whole)
{
    char number[40];
    struct tt_text shown = tt_text_of(number, sizeof number);
    uint64_t percent = 0;
    put_duration(&shown, c, ticks);
    tt_text_fill(text, ' ', shown.used < TIME_COLUMN ? TIME_COLUMN - shown.used : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
    if (whole > 0) {
        tt_mul_div(ticks, 100, whole, &percent);
    }
    tt_text_u64_width(text, percent, 4, ' ');
    tt_text_str(text, " %  ");
}

static void put_interrupt(struct tt_text *text, uint64_t vector, uint16_t cpu)
{
    tt_text_str(text, "interrupt");
    if (vector != TT_NO_VECTOR) {
        tt_text_char(text, ' ');
        tt_text_u64(text, vector);
    }
    if (cpu != TT_NO_CPU) {
        tt_text_str(text, " on CPU ");
        tt_text_u64(text, cpu);
    }
}

/* Appends "netmgr/2 worker 15 > 8": the thread that had the CPU, and both priorities. */
static void put_occupant(struct tt_text *text, const struct tt_why_scene *s,
                         const struct tt_piece *p)
{
    int theirs = tt_thread_priority(s->timelines, p->by, p->from);
    int own = tt_thread_priority(s->timelines, p->thread, p->from);
    tt_text_str(text, p->flags & TT_PIECE_INVERSION ? "INVERSION " : "");
    tt_line_thread(text, s->capture, p->by);
    tt_text_char(text, ' ');
    if (p->cause != TT_CAUSE_OCCUPIED) {
        tt_text_i64(text, theirs);
        tt_text_str(text, theirs > own ? " > " : theirs < own ? " < " : " = ");
        tt_text_i64(text, own);
    } else {
        tt_text_str(text, "had the CPU");
    }
}

static void put_wait(struct tt_text *text, const struct tt_why_scene *s, const struct tt_piece *p)
{
    if (p->flags & TT_PIECE_UNFINISHED) {
        tt_text_str(text, "still waits for ");
    } else {
        tt_text_str(text, p->kind == TT_WAKE_UNKNOWN ? "woken" : tt_wake_kind_name(p->kind));
        tt_text_str(text, " by ");
    }
    tt_line_thread(text, s->capture, p->by);
}

static void put_cause(struct tt_text *text, const struct tt_why_scene *s, const struct tt_piece *p)
{
    if (p->flags & TT_PIECE_WAIT) {
        put_wait(text, s, p);
        return;
    }
    switch (p->cause) {
    case TT_CAUSE_HIGHER:
    case TT_CAUSE_EQUAL:
    case TT_CAUSE_LOWER:
    case TT_CAUSE_OCCUPIED:
        put_occupant(text, s, p);
        break;
    case TT_CAUSE_INTERRUPT:
        put_interrupt(text, p->vector, p->cpu);
        break;
    case TT_CAUSE_TIMER:
        tt_text_str(text, "timer: ");
        put_interrupt(text, p->vector, p->cpu);
        break;
    case TT_CAUSE_IDLE:
    case TT_CAUSE_KERNEL:
        tt_text_str(text, "CPU ");
        tt_text_u64(text, p->cpu);
        tt_text_str(text, p->cause == TT_CAUSE_IDLE ? " was free" : " in the kernel");
        break;
    case TT_CAUSE_CYCLE:
    case TT_CAUSE_DEEP:
        tt_text_str(text, tt_cause_text(p->cause));
        tt_text_str(text, p->cause == TT_CAUSE_CYCLE ? " with " : ": ");
        tt_line_thread(text, s->capture, p->by);
        break;
    default:
        tt_text_str(text, tt_cause_text(p->cause));
    }
}

static void end_line(struct tt_text *text, size_t start)
{
    cut_to(text, start, WIDTH);
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static void put_piece(struct tt_text *text, const struct tt_why_scene *s,
                      const struct tt_explanation *e, const struct tt_piece *p)
{
    size_t start = text->used;
    const char *state = state_name(s->capture, p->state);
    unsigned indent = p->depth < INDENT_MOST ? p->depth : INDENT_MOST;
    tt_text_fill(text, ' ', 2 * (size_t)indent);
    put_share(text, s->capture, p->to - p->from, e->to - e->from);
    if (p->depth > INDENT_MOST) {
        tt_text_u64(text, p->depth);
        tt_text_str(text, ": ");
    }
    put_thread(text, s->capture, p->thread, NAME_WIDTH);
    put_column(text, state, strlen(state), STATE_WIDTH);
    tt_text_char(text, ' ');
    put_cause(text, s, p);
    end_line(text, start);
}

static void put_late(struct tt_text *text, const struct tt_why_scene *s,
                     const struct tt_explanation *e, const struct tt_late_by *late)
{
    size_t start = text->used;
    put_share(text, s->capture, late->ticks, e->to - e->from);
    if (late->by != TT_NO_THREAD) {
        put_thread(text, s->capture, late->by, NAME_WIDTH);
    }
    if (late->cause == TT_CAUSE_INTERRUPT || late->cause == TT_CAUSE_TIMER) {
        tt_text_str(text, late->cause == TT_CAUSE_TIMER ? "timer: " : "");
        put_interrupt(text, late->vector, late->cpu);
    } else {
        tt_text_str(text, late->inversion ? "had the CPU: INVERSION" : tt_cause_text(late->cause));
    }
    end_line(text, start);
}

static void put_time(struct tt_text *text, const struct tt_why_scene *s, uint64_t ticks)
{
    tt_line_time(text, s->capture, tt_relative_ticks(s->capture, ticks, s->first_ticks));
}

static void put_head(struct tt_text *text, const struct tt_why_scene *s,
                     const struct tt_explanation *e, const char *what)
{
    size_t start = text->used;
    put_thread(text, s->capture, e->thread, 30);
    tt_text_str(text, what);
    tt_text_char(text, ' ');
    put_duration(text, s->capture, e->to - e->from);
    tt_text_str(text, ", ");
    put_time(text, s, e->from);
    tt_text_str(text, " .. ");
    put_time(text, s, e->to);
    end_line(text, start);
}

/* Writes one line, which `put` builds. */
#define PRINT_LINE(out, call)                                                                      \
    do {                                                                                           \
        struct tt_text text;                                                                       \
        do {                                                                                       \
            text = tt_output_begin(out);                                                           \
            call;                                                                                  \
        } while (!tt_output_end(out, &text));                                                      \
    } while (0)

static void put_more(struct tt_text *text, size_t count, const char *what)
{
    tt_text_str(text, "            ... ");
    tt_text_u64(text, count);
    tt_text_str(text, what);
}

static void print_text(const struct tt_why_scene *s, const struct tt_explanation *e,
                       const char *what, struct tt_output *out)
{
    if (out->begun) {
        tt_output_write(out, "\n", 1);
    }
    PRINT_LINE(out, put_head(&text, s, e, what));
    for (size_t i = 0; i < e->count && i < LINES_MOST && tt_output_is_open(out); i++) {
        PRINT_LINE(out, put_piece(&text, s, e, &e->pieces[i]));
    }
    if (e->count > LINES_MOST) {
        PRINT_LINE(
            out, put_more(&text, e->count - LINES_MOST, " more pieces: --format jsonl has all\n"));
    }
    tt_output_write(out, "late by\n", 8);
    for (size_t i = 0; i < e->late_count && i < LATE_MOST; i++) {
        PRINT_LINE(out, put_late(&text, s, e, &e->late[i]));
    }
    if (e->late_count > LATE_MOST) {
        PRINT_LINE(out, put_more(&text, e->late_count - LATE_MOST, " more\n"));
    }
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* Appends a key with the unit of times. */
static void key_time(struct tt_text *text, const struct tt_capture *c, const char *key,
                     uint64_t ticks)
{
    char name[32];
    struct tt_text whole = tt_text_of(name, sizeof name);
    tt_text_str(&whole, key);
    tt_text_str(&whole, c->clock_hz ? "_ns" : "_ticks");
    tt_json_key(text, tt_text_cstr(&whole));
    tt_json_u64(text, ns_of(c, ticks));
}

static void key_text(struct tt_text *text, const char *key, const char *value)
{
    tt_json_key(text, key);
    if (value) {
        tt_text_json(text, value, strlen(value));
    } else {
        tt_text_str(text, "null");
    }
}

static void key_number(struct tt_text *text, const char *key, bool is, uint64_t value)
{
    tt_json_key(text, key);
    if (is) {
        tt_json_u64(text, value);
    } else {
        tt_text_str(text, "null");
    }
}

/* Appends pid, tid and name of a thread under three keys. */
static void key_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread,
                       const char *pid, const char *tid, const char *name)
{
    bool is = thread < tt_thread_count(c);
    const struct tt_thread *t = is ? tt_thread_at(c, thread) : NULL;
    key_number(text, pid, is, is ? tt_process_at(c, t->process)->pid : 0);
    key_number(text, tid, is, is ? t->tid : 0);
    if (name && is) {
        tt_json_key(text, name);
        tt_json_thread(text, c, thread);
    } else if (name) {
        key_text(text, name, NULL);
    }
}

/* Returns what a piece is charged to, if that is no thread. */
static const char *charged_to(unsigned cause)
{
    switch (cause) {
    case TT_CAUSE_INTERRUPT:
        return "interrupt";
    case TT_CAUSE_TIMER:
        return "timer";
    case TT_CAUSE_KERNEL:
    case TT_CAUSE_HANDOVER:
        return "kernel";
    case TT_CAUSE_IDLE:
        return "idle";
    default:
        return NULL;
    }
}

static void key_by(struct tt_text *text, const struct tt_capture *c, uint32_t by, unsigned cause)
{
    const char *other = by == TT_NO_THREAD ? charged_to(cause) : NULL;
    key_thread(text, c, by, "by_pid", "by_tid", other ? NULL : "by");
    if (other) {
        key_text(text, "by", other);
    }
}

static void json_piece(struct tt_text *text, const struct tt_capture *c, const struct tt_piece *p)
{
    tt_text_char(text, '{');
    key_time(text, c, "from", p->from);
    key_time(text, c, "to", p->to);
    key_number(text, "depth", true, p->depth);
    key_thread(text, c, p->thread, "pid", "tid", "thread");
    key_text(text, "state", state_name(c, p->state));
    key_text(text, "cause", tt_cause_name(p->cause));
    key_by(text, c, p->by, p->cause);
    key_number(text, "cpu", p->cpu != TT_NO_CPU, p->cpu);
    key_number(text, "vector", p->vector != TT_NO_VECTOR, p->vector);
    key_text(text, "kind", p->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(p->kind));
    tt_text_char(text, '}');
}

static void json_late(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_late_by *late)
{
    const char *other = late->by == TT_NO_THREAD ? charged_to(late->cause) : NULL;
    tt_text_char(text, '{');
    key_thread(text, c, late->by, "pid", "tid", other ? NULL : "by");
    if (other) {
        key_text(text, "by", other);
    }
    key_text(text, "cause", tt_cause_name(late->cause));
    tt_json_key(text, c->clock_hz ? "ns" : "ticks");
    tt_json_u64(text, ns_of(c, late->ticks));
    tt_text_char(text, '}');
}

static void json_explanation(struct tt_text *text, const struct tt_why_scene *s,
                             const struct tt_explanation *e, const char *what)
{
    const struct tt_capture *c = s->capture;
    bool first = true;
    tt_text_char(text, '{');
    key_thread(text, c, e->thread, "pid", "tid", "thread");
    key_text(text, "what", what);
    key_time(text, c, "from", e->from);
    key_time(text, c, "to", e->to);
    key_time(text, c, "dur", e->to - e->from);
    tt_json_key(text, "pieces");
    tt_text_char(text, '[');
    for (size_t i = 0; i < e->count; i++) {
        if (!(e->pieces[i].flags & TT_PIECE_WAIT)) {
            tt_text_str(text, first ? "" : ",");
            json_piece(text, c, &e->pieces[i]);
            first = false;
        }
    }
    tt_text_str(text, "],\"late_by\":[");
    for (size_t i = 0; i < e->late_count; i++) {
        tt_text_str(text, i > 0 ? "," : "");
        json_late(text, c, &e->late[i]);
    }
    tt_text_str(text, "]}\n");
}

void tt_why_print(const struct tt_why_scene *s, const struct tt_explanation *e, const char *what,
                  struct tt_output *out)
{
    if (s->jsonl) {
        PRINT_LINE(out, json_explanation(&text, s, e, what));
    } else {
        print_text(s, e, what, out);
    }
}

static void put_none(struct tt_text *text, const char *what)
{
    tt_text_str(text, "no ");
    tt_text_str(text, what);
    tt_text_str(text, " interval with a recorded beginning and end\n");
}

void tt_why_print_none(const struct tt_why_scene *s, const char *what, struct tt_output *out)
{
    if (!s->jsonl) {
        PRINT_LINE(out, put_none(&text, what));
    }
}

/* ---- wakes -------------------------------------------------------------------------------- */

static void json_wake(struct tt_text *text, const struct tt_capture *c, const struct tt_wake *wake)
{
    static const char *const by[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                     [TT_WAKER_THREAD] = "thread",
                                     [TT_WAKER_INTERRUPT] = "interrupt"};
    tt_text_char(text, '{');
    key_time(text, c, "at", wake->at);
    key_thread(text, c, wake->thread, "pid", "tid", "thread");
    key_text(text, "state", state_name(c, wake->state));
    key_text(text, "by", by[wake->by]);
    key_thread(text, c, wake->waker, "by_pid", "by_tid", NULL);
    key_number(text, "cpu", wake->cpu != TT_NO_CPU, wake->cpu);
    key_number(text, "vector", wake->vector != TT_NO_VECTOR, wake->vector);
    key_text(text, "kind", wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
    key_number(text, "object", wake->object != 0, wake->object);
    tt_text_str(text, "}\n");
}

static void put_wake(struct tt_text *text, const struct tt_why_scene *s, const struct tt_wake *wake)
{
    size_t start = text->used;
    const char *state = state_name(s->capture, wake->state);
    put_time(text, s, wake->at);
    tt_text_str(text, "  ");
    put_thread(text, s->capture, wake->thread, NAME_WIDTH);
    put_column(text, state, strlen(state), STATE_WIDTH);
    tt_text_char(text, ' ');
    if (wake->by == TT_WAKER_UNKNOWN) {
        tt_text_str(text, "woken, by whom is not in the capture");
    } else {
        bool named = wake->kind != TT_WAKE_UNKNOWN && wake->kind != TT_WAKE_INTERRUPT;
        tt_text_str(text, named ? tt_wake_kind_name(wake->kind) : "woken");
        tt_text_str(text, " by ");
        if (wake->by == TT_WAKER_THREAD) {
            tt_line_thread(text, s->capture, wake->waker);
        } else {
            put_interrupt(text, wake->vector, wake->cpu);
        }
    }
    end_line(text, start);
}

void tt_why_print_wake(const struct tt_why_scene *s, const struct tt_wake *wake,
                       struct tt_output *out)
{
    if (s->jsonl) {
        PRINT_LINE(out, json_wake(&text, s->capture, wake));
    } else {
        PRINT_LINE(out, put_wake(&text, s, wake));
    }
}
