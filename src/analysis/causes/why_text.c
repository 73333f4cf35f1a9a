/* SPDX-License-Identifier: Apache-2.0 */
/* why_text: explanations as lines of text. */
#include "analysis/causes/why_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_columns.h"
#include "base/text_units.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

#define INDENT_MOST 8u /* levels that are indented; the number of deeper ones is printed */
#define TIME_COLUMN 10u
#define HEAD_NAME   30u
#define NAME_LEAST  6u
#define PAGE_EVENTS 32u /* events before a wait among which that of its page is searched */

const struct tt_why_shape tt_why_shape_text = {
    .width = 80, .name = 18, .state = 9, .micro = TT_MICROSECONDS};

static uint64_t percent_of(uint64_t ticks, uint64_t whole)
{
    uint64_t percent = 0;
    if (whole > 0) {
        tt_mul_div(ticks, 100, whole, &percent);
    }
    return percent;
}

/* Appends "1.530 ms  80 %" in columns; units of one letter end where the others do not. */
static void why_text_put_share(struct tt_text *text, const struct tt_capture *capture,
                               uint64_t ticks, uint64_t whole, const char *micro)
{
    char number[40];
    struct tt_text shown = tt_text_of(number, sizeof number);
    tt_line_duration_with(&shown, capture, ticks, micro);
    if (shown.used > 1 && shown.buffer[shown.used - 2] == ' ') {
        tt_text_char(&shown, ' ');
    }
    size_t columns = tt_text_columns(shown.buffer, shown.used);
    tt_text_fill(text, ' ', columns < TIME_COLUMN ? TIME_COLUMN - columns : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
    tt_text_u64_width(text, percent_of(ticks, whole), 4, ' ');
    tt_text_str(text, " %  ");
}

static void why_text_put_interrupt(struct tt_text *text, uint64_t vector, uint16_t cpu)
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

/*
 * Appends "netmgr/2 worker 15 > 8": the thread that had the CPU, and both priorities. In less than `room` columns the
 * name is shortened, not the priorities.
 */
static void put_occupant(struct tt_text *text, const struct tt_why_scene *scene,
                         const struct tt_piece *piece, size_t room)
{
    char buffer[64];
    struct tt_text tail = tt_text_of(buffer, sizeof buffer);
    const int theirs = tt_thread_priority(scene->timelines, piece->by, piece->from);
    const int own = tt_thread_priority(scene->timelines, piece->thread, piece->from);
    tt_text_char(&tail, ' ');
    if (piece->cause != TT_CAUSE_OCCUPIED) {
        tt_text_i64(&tail, theirs);
        tt_text_str(&tail, theirs > own ? " > " : theirs < own ? " < " : " = ");
        tt_text_i64(&tail, own);
    } else {
        tt_text_str(&tail, "had the CPU");
    }
    const size_t before = text->used;
    tt_text_str(text, piece->flags & TT_PIECE_INVERSION ? "INVERSION " : "");
    const size_t name = text->used, needed = tail.used + name - before;
    tt_line_thread(text, scene->capture, piece->by);
    tt_line_cut(text, name, room > needed + NAME_LEAST ? room - needed : NAME_LEAST);
    tt_text_bytes(text, tail.buffer, tail.used);
}

bool tt_why_page(struct tt_text *text, const struct tt_timelines *timelines,
                 struct tt_events *events, uint32_t thread, uint64_t ticks)
{
    struct tt_event list[PAGE_EVENTS];
    struct tt_interval_at at;
    if (!events || !tt_interval_find(timelines, thread, ticks, &at)) {
        return false;
    }
    const uint64_t end = tt_events_row_at_time(events, tt_interval_get(timelines, at).start);
    const uint64_t first = end > PAGE_EVENTS ? end - PAGE_EVENTS : 0;
    uint32_t count = tt_events_read(events, first, (uint32_t)(end - first), list);
    while (count > 0 && list[count - 1].thread != thread) {
        count--;
    }
    struct tt_args *args = count > 0 ? malloc(sizeof *args) : NULL;
    bool found = false;
    if (args && tt_events_describe(events, &list[count - 1], args)) {
        for (unsigned i = 0; i < args->count && !found; i++) {
            found = args->v[i].type == TT_ARG_STRING && args->v[i].value.s.length > 0;
            if (found) {
                tt_text_str(text, "page ");
                tt_text_escaped(text, args->v[i].value.s.data, args->v[i].value.s.length);
            }
        }
    }
    free(args);
    return found;
}

/* Returns the part of a piece that is itself a wait for an answer; otherwise NULL. */
static const char *own_part(const struct tt_why_scene *scene, const struct tt_piece *piece)
{
    const struct tt_state_info *state = tt_format_state(scene->capture->format, piece->state);
    return state->flags & TT_STATE_AWAITS_REPLY ? tt_piece_part(piece) : NULL;
}

/* Appends "reply by fusion/1", "queued for fusion/1", "still waits for fusion/1". */
static void put_wait(struct tt_text *text, const struct tt_why_scene *scene,
                     const struct tt_piece *piece)
{
    const char *part = own_part(scene, piece);
    bool queued = (piece->flags & TT_PIECE_QUEUED) != 0;
    if (piece->flags & TT_PIECE_UNFINISHED) {
        tt_text_str(text, "still ");
        tt_text_str(text, part ? part : "waits");
        tt_text_str(text, part && !queued ? " by " : " for ");
    } else if (part && piece->kind == TT_WAKE_REPLY) {
        tt_text_str(text, queued ? "queued for " : "served by ");
    } else {
        tt_text_str(text, part ? part : "");
        tt_text_str(text, part ? ", " : "");
        tt_text_str(text,
                    piece->kind == TT_WAKE_UNKNOWN ? "woken" : tt_wake_kind_name(piece->kind));
        tt_text_str(text, " by ");
    }
    tt_line_thread(text, scene->capture, piece->by);
}

static void why_text_put_cause(struct tt_text *text, const struct tt_why_scene *scene,
                               const struct tt_piece *piece, size_t room)
{
    if (piece->flags & TT_PIECE_WAIT) {
        put_wait(text, scene, piece);
        return;
    }
    if (own_part(scene, piece) && piece->by == TT_NO_THREAD) {
        tt_text_str(text, own_part(scene, piece));
        tt_text_str(text, ", ");
    }
    const bool page =
        tt_format_state(scene->capture->format, piece->state)->wake == TT_WAKE_PAGE &&
        tt_why_page(text, scene->timelines, scene->events, piece->thread, piece->from);
    tt_text_str(text, page ? ", " : "");
    switch (piece->cause) {
    case TT_CAUSE_HIGHER:
    case TT_CAUSE_EQUAL:
    case TT_CAUSE_LOWER:
    case TT_CAUSE_OCCUPIED:
        put_occupant(text, scene, piece, room);
        break;
    case TT_CAUSE_INTERRUPT:
        why_text_put_interrupt(text, piece->vector, piece->cpu);
        break;
    case TT_CAUSE_TIMER:
        tt_text_str(text, page ? "" : "timer: ");
        why_text_put_interrupt(text, piece->vector, piece->cpu);
        break;
    case TT_CAUSE_IDLE:
    case TT_CAUSE_KERNEL:
        tt_text_str(text, "CPU ");
        tt_text_u64(text, piece->cpu);
        tt_text_str(text, piece->cause == TT_CAUSE_IDLE ? " was free" : " in the kernel");
        break;
    case TT_CAUSE_STEAL:
        tt_line_thread(text, scene->capture, piece->by);
        tt_text_char(text, ' ');
        tt_text_str(text, tt_cause_text(piece->cause));
        break;
    case TT_CAUSE_CYCLE:
    case TT_CAUSE_DEEP:
        tt_text_str(text, tt_cause_text(piece->cause));
        tt_text_str(text, piece->cause == TT_CAUSE_CYCLE ? " with " : ": ");
        tt_line_thread(text, scene->capture, piece->by);
        break;
    default:
        tt_text_str(text, tt_cause_text(piece->cause));
    }
}

/* Cuts a line to its width and removes blanks at its end. */
static void why_text_end_line(struct tt_text *text, size_t start, const struct tt_why_shape *shape)
{
    tt_line_cut(text, start, shape->width);
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
}

void tt_why_piece(struct tt_text *text, const struct tt_why_scene *scene,
                  const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                  const struct tt_piece *piece, struct tt_why_places *places)
{
    size_t start = text->used;
    const char *state = tt_line_state(scene->capture, piece->state);
    unsigned indent = piece->depth < INDENT_MOST ? piece->depth : INDENT_MOST;
    tt_text_fill(text, ' ', 2 * (size_t)indent);
    why_text_put_share(text, scene->capture, piece->to - piece->from,
                       explanation->to - explanation->from, shape->micro);
    if (piece->depth > INDENT_MOST) {
        tt_text_u64(text, piece->depth);
        tt_text_str(text, ": ");
    }
    places->name = (unsigned)tt_text_columns(text->buffer + start, text->used - start);
    places->state = places->name + shape->name + 1;
    places->cause = places->state + shape->state + 2;
    tt_line_thread_in(text, scene->capture, piece->thread, shape->name);
    tt_line_column(text, state, strlen(state), shape->state);
    tt_text_char(text, ' ');
    why_text_put_cause(text, scene, piece,
                       shape->width > places->cause ? shape->width - places->cause : 0);
    why_text_end_line(text, start, shape);
}

/*
 * Appends the page for which a thread waited in all pieces of a sum, ", .." after it if there were others. Returns false
 * if it waited for something else.
 */
static bool put_late_page(struct tt_text *text, const struct tt_why_scene *scene,
                          const struct tt_explanation *explanation, const struct tt_late_by *late)
{
    const size_t start = text->used;
    bool any = false, several = false;
    for (size_t i = 0; i < explanation->count; i++) {
        const struct tt_piece *piece = &explanation->pieces[i];
        const struct tt_charge charge = tt_charge_of(piece);
        if ((piece->flags & TT_PIECE_WAIT) || tt_charge_compare(&charge, &late->charge) != 0) {
            continue;
        }
        const size_t before = text->used;
        if (tt_format_state(scene->capture->format, piece->state)->wake != TT_WAKE_PAGE ||
            !tt_why_page(text, scene->timelines, scene->events, piece->thread, piece->from)) {
            text->used = start;
            return false;
        }
        const size_t length = text->used - before;
        several |= any && (length != before - start ||
                           memcmp(text->buffer + start, text->buffer + before, length) != 0);
        text->used = any ? before : text->used;
        any = true;
    }
    tt_text_str(text, several ? ", .." : "");
    return any;
}

/* Appends what a sum is charged to: a thread, an interrupt, a cause. */
static void put_late_cause(struct tt_text *text, const struct tt_why_scene *scene,
                           const struct tt_explanation *explanation, const struct tt_late_by *late)
{
    const bool timer = late->charge.cause == TT_CAUSE_TIMER;
    if (timer && put_late_page(text, scene, explanation, late)) {
        return;
    }
    if (timer || late->charge.cause == TT_CAUSE_INTERRUPT) {
        tt_text_str(text, timer ? "timer: " : "");
        why_text_put_interrupt(text, late->charge.vector, late->charge.cpu);
    } else {
        tt_text_str(text, late->charge.inversion ? "had the CPU: INVERSION"
                                                 : tt_cause_text(late->charge.cause));
    }
}

void tt_why_late(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                 const struct tt_late_by *late)
{
    size_t start = text->used;
    why_text_put_share(text, scene->capture, late->ticks, explanation->to - explanation->from,
                       shape->micro);
    if (late->charge.by != TT_NO_THREAD) {
        tt_line_thread_in(text, scene->capture, late->charge.by, shape->name);
    }
    put_late_cause(text, scene, explanation, late);
    why_text_end_line(text, start, shape);
}

/* Appends a line: what a CPU did in a part of the ready time. */
static void why_text_put_elsewhere(struct tt_text *text, const struct tt_why_scene *scene,
                                   const struct tt_why_shape *shape,
                                   const struct tt_elsewheres *all,
                                   const struct tt_elsewhere *there, bool idle)
{
    size_t start = text->used;
    why_text_put_share(text, scene->capture, idle ? there->idle : there->lower, all->ready,
                       shape->micro);
    size_t name = text->used;
    tt_text_str(text, "CPU ");
    tt_text_u64(text, there->cpu);
    tt_text_str(text, there->used ? " *" : "");
    tt_text_fill(text, ' ', shape->name + 1 - (text->used - name));
    if (idle) {
        tt_text_str(text, "idle");
    } else {
        tt_text_str(text, "less urgent: ");
        tt_line_thread(text, scene->capture, there->by);
        tt_text_char(text, ' ');
        tt_text_i64(text, there->priority);
    }
    why_text_end_line(text, start, shape);
}

void tt_why_elsewhere_head(struct tt_text *text, const struct tt_elsewheres *all)
{
    bool used = false;
    for (unsigned i = 0; i < all->count; i++) {
        used |= all->cpus[i].used;
    }
    tt_text_str(text, "other CPUs while it was ready");
    tt_text_str(text, used ? " (*: it runs there, too)" : "; it runs on none of them");
    tt_text_str(text, all->cut ? " (a part of the time)" : "");
}

void tt_why_elsewhere(struct tt_text *text, const struct tt_why_scene *scene,
                      const struct tt_why_shape *shape, const struct tt_elsewheres *all,
                      const struct tt_elsewhere *there)
{
    if (there->idle > 0) {
        why_text_put_elsewhere(text, scene, shape, all, there, true);
    }
    if (there->lower > 0) {
        tt_text_str(text, there->idle > 0 ? "\n" : "");
        why_text_put_elsewhere(text, scene, shape, all, there, false);
    }
}

void tt_why_elsewhere_short(struct tt_text *text, const struct tt_elsewheres *all,
                            const struct tt_elsewhere *there)
{
    tt_text_str(text, "CPU ");
    tt_text_u64(text, there->cpu);
    if (there->idle > 0) {
        tt_text_str(text, " idle ");
        tt_text_u64(text, percent_of(there->idle, all->ready));
        tt_text_str(text, there->lower > 0 ? " %," : " %");
    }
    if (there->lower > 0) {
        tt_text_str(text, " less urgent ");
        tt_text_u64(text, percent_of(there->lower, all->ready));
        tt_text_str(text, " %");
    }
}

void tt_why_late_short(struct tt_text *text, const struct tt_why_scene *scene, const char *micro,
                       const struct tt_explanation *explanation, const struct tt_late_by *late)
{
    if (late->charge.by != TT_NO_THREAD) {
        tt_line_thread(text, scene->capture, late->charge.by);
        tt_text_str(text, late->charge.inversion                 ? " INVERSION"
                          : late->charge.cause == TT_CAUSE_CYCLE ? " deadlock"
                                                                 : "");
    } else {
        put_late_cause(text, scene, explanation, late);
    }
    tt_text_char(text, ' ');
    tt_line_duration_with(text, scene->capture, late->ticks, micro);
    tt_text_char(text, ' ');
    tt_text_u64(text, percent_of(late->ticks, explanation->to - explanation->from));
    tt_text_str(text, " %");
}

static void why_text_put_time(struct tt_text *text, const struct tt_why_scene *scene,
                              uint64_t ticks)
{
    tt_line_time(text, scene->capture,
                 tt_relative_ticks(scene->capture, ticks, scene->first_ticks));
}

void tt_why_head(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_explanation *explanation,
                 const char *what)
{
    size_t start = text->used;
    tt_line_thread_in(text, scene->capture, explanation->thread, HEAD_NAME);
    tt_text_str(text, what);
    tt_text_char(text, ' ');
    tt_line_duration_with(text, scene->capture, explanation->to - explanation->from, shape->micro);
    tt_text_str(text, ", ");
    why_text_put_time(text, scene, explanation->from);
    tt_text_str(text, " .. ");
    why_text_put_time(text, scene, explanation->to);
    why_text_end_line(text, start, shape);
}

/* ---- wakes -------------------------------------------------------------------------------- */

void tt_why_wake_by(struct tt_text *text, const struct tt_capture *capture,
                    const struct tt_wake *wake)
{
    bool named = wake->kind != TT_WAKE_UNKNOWN && wake->kind != TT_WAKE_INTERRUPT;
    tt_text_str(text, named ? tt_wake_kind_name(wake->kind) : "woken");
    tt_text_str(text, " by ");
    if (wake->by == TT_WAKER_THREAD) {
        tt_line_thread(text, capture, wake->waker);
    } else {
        why_text_put_interrupt(text, wake->vector, wake->cpu);
    }
}

void tt_why_wake(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_why_shape *shape, const struct tt_wake *wake)
{
    size_t start = text->used;
    const char *state = tt_line_state(scene->capture, wake->state);
    why_text_put_time(text, scene, wake->at);
    tt_text_str(text, "  ");
    tt_line_thread_in(text, scene->capture, wake->thread, shape->name);
    tt_line_column(text, state, strlen(state), shape->state);
    tt_text_char(text, ' ');
    if (wake->by == TT_WAKER_UNKNOWN) {
        tt_text_str(text, "woken, waker not in the capture");
    } else {
        tt_why_wake_by(text, scene->capture, wake);
    }
    why_text_end_line(text, start, shape);
}
