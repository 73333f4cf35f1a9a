/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupts: counts interrupts, their durations and the threads that they wake.
 *
 *      cpus     the open interrupts of each CPU, innermost last
 *      open     begins of interrupts and handlers whose end has not been read, by edge key
 *      rows     one per name of the first event and number
 *      woken    one per row and thread, in no order
 */
#include "tracetui/interrupts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "trace/timeline/open_spans.h"
#include "tracetui/durations.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/wakes.h"

#define BATCH       512u
#define DEPTH_MOST  8u /* interrupts open at once on a CPU; deeper ones wake no threads */
#define NAMES_MOST  16u
#define NAMES_BYTES 1024u

/* Bits of `what` of an open span, above the number of its row. */
#define UNWANTED (UINT32_C(1) << 31)
#define HANDLER  (UINT32_C(1) << 30)
#define ROW_BITS (HANDLER - 1)

struct open_interrupt {
    uint64_t ticks;
    uint32_t what;
};

struct cpu {
    struct open_interrupt open[DEPTH_MOST];
    uint32_t depth;
    bool delivered; /* an interrupt without an end, and no thread has begun to run since */
};

struct irq_row {
    const char *event;
    uint64_t vector;
    uint64_t count;
    uint64_t last; /* begin of the last one */
    uint64_t nested;
    uint64_t depth;
    uint64_t wakes;
    uint64_t threads;
    const char *woken;
    bool seen;
    bool delivery;
    struct tt_samples samples[TT_INTERRUPT_SAMPLES];
    const struct tt_sample_sink *begins; /* of counted interrupts, or NULL */
};

struct woken {
    uint32_t row;
    uint32_t thread;
    uint64_t count;
};

struct tt_interrupt_stats {
    struct {
        const char *event;
        uint64_t vector;
        enum tt_interrupt_samples which;
        const struct tt_sample_sink *sink; /* NULL: nothing is watched */
        struct tt_sample_sink drop;
    } watch;
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_event_window window;
    uint64_t row;
    bool shrunk;
    bool lossy; /* the capture has losses */
    const struct tt_timelines *t;
    struct tt_wakes *wakes; /* for interrupts without an end; NULL: not needed yet */

    struct irq_row *rows;
    size_t row_count;
    size_t row_capacity;
    struct tt_hash by_name;
    struct woken *woken;
    size_t woken_count;
    size_t woken_capacity;
    struct tt_hash by_thread;
    struct tt_arena texts;

    struct cpu *cpus;
    size_t cpu_count;
    size_t cpu_capacity;
    uint8_t *roles; /* enum tt_clue_role by type */
    uint32_t types;
    struct tt_open_spans open;
    unsigned settled; /* distributions of the current row that are computed */
    struct tt_selection selection;
    struct tt_event events[BATCH];
    struct tt_edge edges[BATCH * TT_EDGES_PER_EVENT];
};

struct tt_interrupt_stats *tt_interrupt_stats_new(struct tt_trace *trace,
                                                  const struct tt_event_window *window)
{
    struct tt_interrupt_stats *s = calloc(1, sizeof *s);
    if (s) {
        s->trace = trace;
        s->capture = tt_trace_capture(trace);
        s->window = *window;
        s->lossy = tt_health_count(s->capture, TT_HEALTH_LOST) > 0;
    }
    return s;
}

bool tt_interrupt_stats_shrink(struct tt_interrupt_stats *s, size_t *bytes)
{
    for (size_t i = 0; i < s->row_count; i++) {
        for (unsigned k = 0; k < TT_INTERRUPT_SAMPLES; k++) {
            if (tt_samples_shrink(&s->rows[i].samples[k], bytes)) {
                return true;
            }
        }
    }
    return false;
}

void tt_interrupt_stats_watch(struct tt_interrupt_stats *s, const char *event, uint64_t vector,
                              enum tt_interrupt_samples which, struct tt_sample_sink *sink)
{
    s->watch.event = event;
    s->watch.vector = vector;
    s->watch.which = which;
    s->watch.sink = sink;
    sink->thread = TT_NO_THREAD;
}

void tt_interrupt_stats_free(struct tt_interrupt_stats *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->row_count; i++) {
        for (unsigned k = 0; k < TT_INTERRUPT_SAMPLES; k++) {
            tt_samples_free(&s->rows[i].samples[k]);
        }
    }
    free(s->rows);
    free(s->woken);
    free(s->cpus);
    free(s->roles);
    tt_hash_free(&s->by_name);
    tt_hash_free(&s->by_thread);
    tt_arena_free(&s->texts);
    tt_open_spans_free(&s->open);
    tt_wakes_free(s->wakes);
    free(s);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Directs the samples of a row to the sink if it is watched, and drops them otherwise. */
static void set_sinks(struct tt_interrupt_stats *s, struct irq_row *row)
{
    if (!s->watch.sink) {
        return;
    }
    bool watched = row->vector == s->watch.vector && strcmp(row->event, s->watch.event) == 0;
    for (unsigned i = 0; i < TT_INTERRUPT_SAMPLES; i++) {
        row->samples[i].sink = watched && s->watch.which == i ? s->watch.sink : &s->watch.drop;
    }
    row->begins = watched && s->watch.which == TT_INTERRUPT_SAMPLES ? s->watch.sink : NULL;
}

/* Returns the row of a name and a number, added if it is new; TT_HASH_NONE if out of memory. */
static uint32_t find_row(struct tt_interrupt_stats *s, const char *name, uint64_t vector)
{
    uint64_t hash = tt_hash_of_pair(tt_hash_of(name, strlen(name)), vector);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&s->by_name, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&s->by_name, &probe)) {
        if (s->rows[n].vector == vector && strcmp(s->rows[n].event, name) == 0) {
            return n;
        }
    }
    struct irq_row *rows = tt_array_grow(s->rows, s->row_count, &s->row_capacity, sizeof *rows);
    if (!rows) {
        return TT_HASH_NONE;
    }
    s->rows = rows;
    uint32_t row = (uint32_t)s->row_count;
    if (row >= ROW_BITS || !tt_hash_add(&s->by_name, hash, row)) {
        return TT_HASH_NONE;
    }
    s->rows[s->row_count] = (struct irq_row){.event = name, .vector = vector, .woken = ""};
    set_sinks(s, &s->rows[s->row_count++]);
    return row;
}

/* Counts a wake of a thread by a row; returns false if out of memory. */
static bool add_wake(struct tt_interrupt_stats *s, uint32_t row, uint32_t thread)
{
    uint64_t hash = tt_hash_of_pair(row, thread);
    struct tt_probe probe;
    s->rows[row].wakes++;
    for (uint32_t n = tt_hash_first(&s->by_thread, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&s->by_thread, &probe)) {
        if (s->woken[n].row == row && s->woken[n].thread == thread) {
            s->woken[n].count++;
            return true;
        }
    }
    struct woken *woken =
        tt_array_grow(s->woken, s->woken_count, &s->woken_capacity, sizeof *woken);
    if (!woken) {
        return false;
    }
    s->woken = woken;
    if (!tt_hash_add(&s->by_thread, hash, (uint32_t)s->woken_count)) {
        return false;
    }
    s->woken[s->woken_count++] = (struct woken){row, thread, 1};
    s->rows[row].threads++;
    return true;
}

/* Returns the state of a CPU; NULL if out of memory. */
static struct cpu *cpu_at(struct tt_interrupt_stats *s, uint16_t cpu)
{
    if (cpu >= s->cpu_count) {
        struct cpu *cpus =
            tt_array_reserve(s->cpus, (size_t)cpu + 1, &s->cpu_capacity, sizeof *cpus);
        if (!cpus) {
            return NULL;
        }
        s->cpus = cpus;
        memset(&cpus[s->cpu_count], 0, ((size_t)cpu + 1 - s->cpu_count) * sizeof *cpus);
        s->cpu_count = (size_t)cpu + 1;
    }
    return &s->cpus[cpu];
}

/* ---- the walk ------------------------------------------------------------------------------ */

static bool has_bit(const uint64_t *bits, uint32_t limit, uint32_t bit)
{
    return !bits || (bit < limit && (bits[bit / 64] >> (bit % 64) & 1u));
}

static bool is_wanted(const struct tt_event_window *w, const struct tt_event *event, uint64_t row)
{
    return has_bit(w->threads, w->thread_limit, event->thread) &&
           has_bit(w->cpus, w->cpu_limit, event->cpu) &&
           (!w->wanted || w->wanted(w->wanted_arg, row));
}

/* Returns the role of an event, which is that of its type. */
static unsigned role_of(struct tt_interrupt_stats *s, struct tt_events *events,
                        const struct tt_event *event)
{
    enum { NOT_READ = UINT8_MAX };
    if (event->type >= s->types) {
        uint32_t types = tt_types_count(s->capture);
        uint8_t *roles = event->type < types ? realloc(s->roles, types) : NULL;
        if (!roles) {
            return TT_CLUE_NONE;
        }
        memset(roles + s->types, NOT_READ, types - s->types);
        s->roles = roles;
        s->types = types;
    }
    if (s->roles[event->type] == NOT_READ) {
        struct tt_clue clue;
        tt_events_clue(events, event, false, &clue);
        s->roles[event->type] = clue.role;
    }
    return s->roles[event->type];
}

/* Removes interrupts whose end may be lost. */
static void drop_lost(const struct tt_interrupt_stats *s, struct cpu *cpu, uint16_t number,
                      uint64_t ticks)
{
    while (s->lossy && s->t && cpu->depth > 0 &&
           tt_loss_on(s->t, number, cpu->open[cpu->depth - 1].ticks + 1, ticks + 1)) {
        cpu->depth--;
    }
}

/* Counts an interrupt that begins on a CPU; returns false if out of memory. */
static bool count_begin(struct irq_row *row, const struct tt_event *event, const struct cpu *cpu,
                        bool inside)
{
    uint64_t period = event->ticks - row->last;
    row->count += inside;
    row->nested += inside && cpu->depth > 0;
    row->depth = inside && cpu->depth + 1 > row->depth ? cpu->depth + 1 : row->depth;
    bool repeats = row->seen;
    row->seen = true;
    row->last = event->ticks;
    if (row->begins && inside && !tt_sample_sink_take(row->begins, 0, event->ticks)) {
        return false;
    }
    return !inside || !repeats ||
           tt_samples_add(&row->samples[TT_INTERRUPT_PERIODS], period, event->ticks);
}

/* Begins an interrupt; *what is its row with flags. Returns false if out of memory. */
static bool begin_interrupt(struct tt_interrupt_stats *s, struct tt_events *events,
                            const struct tt_event *event, uint64_t row, bool delivery,
                            uint32_t *what)
{
    const struct tt_event_window *w = &s->window;
    struct tt_clue clue;
    tt_events_clue(events, event, true, &clue);
    *what = find_row(s, tt_types_at(s->capture, event->type)->name, clue.value);
    struct cpu *cpu = *what != TT_HASH_NONE ? cpu_at(s, event->cpu) : NULL;
    if (!cpu) {
        return false;
    }
    drop_lost(s, cpu, event->cpu, event->ticks);
    s->rows[*what].delivery = delivery;
    bool wanted = is_wanted(w, event, row);
    bool inside = row >= w->first_row && row < w->end_row;
    if (wanted && !count_begin(&s->rows[*what], event, cpu, inside)) {
        return false;
    }
    *what |= wanted ? 0 : UNWANTED;
    cpu->delivered |= delivery;
    if (!delivery && cpu->depth < DEPTH_MOST) {
        cpu->open[cpu->depth++] = (struct open_interrupt){event->ticks, *what};
    }
    return true;
}

/* Finds the waiting state that ends when a thread becomes ready or runs; false if there is none. */
static bool find_blocked(const struct tt_interrupt_stats *s, uint32_t thread, uint64_t ticks,
                         struct tt_interval *blocked)
{
    struct tt_interval_at at;
    if (!s->t || thread >= tt_thread_count(s->capture) ||
        !tt_interval_find(s->t, thread, ticks, &at) || tt_interval_get(s->t, at).start != ticks ||
        !tt_interval_previous(s->t, &at)) {
        return false;
    }
    *blocked = tt_interval_get(s->t, at);
    return tt_class_is_blocked(blocked->class_);
}

/* Counts a wake by an interrupt that has no end, whose rules are those of wakes.h. */
static bool count_delivered(struct tt_interrupt_stats *s, const struct tt_interval *blocked)
{
    struct tt_wake wake;
    s->wakes = s->wakes ? s->wakes : tt_wakes_new(s->trace);
    if (!s->wakes) {
        return false;
    }
    tt_wake_find(s->wakes, blocked, &wake);
    for (uint32_t i = 0; wake.by == TT_WAKER_INTERRUPT && i < s->row_count; i++) {
        if (s->rows[i].delivery && s->rows[i].vector == wake.vector) {
            return add_wake(s, i, wake.thread);
        }
    }
    return true;
}

/* Counts the wake that an event shows, if an interrupt is its cause. */
static bool count_wake(struct tt_interrupt_stats *s, struct tt_events *events,
                       const struct tt_event *event, struct cpu *cpu, unsigned role)
{
    struct tt_clue clue;
    struct tt_interval blocked;
    drop_lost(s, cpu, event->cpu, event->ticks);
    if (cpu->depth == 0 && !cpu->delivered) {
        return true;
    }
    tt_events_clue(events, event, true, &clue);
    bool by_context = role != TT_CLUE_WOKEN || (clue.other < tt_thread_count(s->capture) &&
                                                tt_thread_at(s->capture, clue.other)->pseudo);
    if (!by_context || !find_blocked(s, clue.thread, event->ticks, &blocked)) {
        return true;
    }
    if (cpu->depth == 0) {
        return count_delivered(s, &blocked);
    }
    uint32_t what = cpu->open[cpu->depth - 1].what;
    return (what & UNWANTED) != 0 || add_wake(s, what & ROW_BITS, clue.thread);
}

/* Handles an event; *what is set for its edges. Returns false if out of memory. */
static bool handle_event(struct tt_interrupt_stats *s, struct tt_events *events,
                         const struct tt_event *event, uint64_t row, uint32_t *what)
{
    const struct tt_event_window *w = &s->window;
    struct cpu *cpu = event->cpu < s->cpu_count ? &s->cpus[event->cpu] : NULL;
    bool inside = row >= w->first_row && row < w->end_row;
    bool ok = true;
    unsigned role = role_of(s, events, event);
    *what = TT_HASH_NONE;
    switch (role) {
    case TT_CLUE_IRQ:
    case TT_CLUE_DELIVER:
        return event->cpu == TT_NO_CPU ||
               begin_interrupt(s, events, event, row, role == TT_CLUE_DELIVER, what);
    case TT_CLUE_HANDLER:
        if (cpu && cpu->depth > 0) {
            *what = cpu->open[cpu->depth - 1].what | HANDLER;
        }
        return true;
    case TT_CLUE_READY:
    case TT_CLUE_WOKEN:
    case TT_CLUE_RUNS:
        ok = !cpu || !inside || count_wake(s, events, event, cpu, role);
        if (cpu && role == TT_CLUE_RUNS) {
            cpu->delivered = false;
        }
        return ok;
    default:
        return true;
    }
}

/* Removes the innermost open interrupt of a row from its CPU. */
static void close_on_cpu(struct tt_interrupt_stats *s, uint16_t number, uint32_t what)
{
    struct cpu *cpu = number < s->cpu_count ? &s->cpus[number] : NULL;
    for (uint32_t i = cpu ? cpu->depth : 0; i-- > 0;) {
        if (cpu->open[i].what == what) {
            memmove(&cpu->open[i], &cpu->open[i + 1], (cpu->depth - i - 1) * sizeof *cpu->open);
            cpu->depth--;
            return;
        }
    }
}

static bool end_spans(struct tt_interrupt_stats *s, const struct tt_edge *edge, uint64_t end,
                      bool inside)
{
    const struct tt_timelines *t = s->lossy ? s->t : NULL;
    struct tt_open_edge begun;
    bool ok = true;
    bool more = tt_open_spans_pop(&s->open, edge->key, &begun);
    while (more && ok) {
        if (begun.what != TT_HASH_NONE) {
            bool handler = (begun.what & HANDLER) != 0;
            bool counts = inside && !(begun.what & UNWANTED) && end >= begun.ticks &&
                          !(t && tt_duration_is_cut(t, edge, begun.ticks, end));
            struct irq_row *row = &s->rows[begun.what & ROW_BITS];
            if (!handler) {
                close_on_cpu(s, edge->cpu, begun.what);
            }
            ok = !counts ||
                 tt_samples_add(
                     &row->samples[handler ? TT_INTERRUPT_HANDLERS : TT_INTERRUPT_DURATIONS],
                     end - begun.ticks, end);
        }
        more = edge->side == TT_EDGE_END_ALL && tt_open_spans_pop(&s->open, edge->key, &begun);
    }
    return ok;
}

/* Handles an edge of an event; `what`: of the interrupt or handler that the event begins. */
static bool handle_edge(struct tt_interrupt_stats *s, const struct tt_edge *edge, uint64_t row,
                        uint32_t what)
{
    const struct tt_event_window *w = &s->window;
    const struct tt_event *event = &s->events[edge->event];
    bool inside = row >= w->first_row && row < w->end_row;
    switch (edge->side) {
    case TT_EDGE_BEGIN:
        return what == TT_HASH_NONE || tt_open_spans_push(&s->open, edge->key, event->ticks, what);
    case TT_EDGE_END:
    case TT_EDGE_END_ALL:
        return end_spans(s, edge, event->ticks, inside);
    default:
        return true;
    }
}

static bool is_counted(const struct tt_event *event)
{
    return !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) && event->type != UINT32_MAX;
}

/*
 * Handles the events from s->row on. The ends of an event precede its begin: an IDFC ends the
 * interrupt that queued it. Returns false if out of memory.
 */
static bool handle_events(struct tt_interrupt_stats *s, struct tt_events *events, uint32_t count)
{
    bool whole, ok = true;
    uint32_t edges = tt_events_edges(events, s->events, count, s->edges, &whole), e = 0;
    s->shrunk |= !whole;
    for (uint32_t i = 0; i < count && ok; i++) {
        uint32_t what = TT_HASH_NONE;
        uint64_t row = s->row + i;
        for (; e < edges && s->edges[e].event == i && s->edges[e].side != TT_EDGE_BEGIN && ok;
             e++) {
            ok = handle_edge(s, &s->edges[e], row, what);
        }
        if (ok && is_counted(&s->events[i])) {
            ok = handle_event(s, events, &s->events[i], row, &what);
        }
        for (; e < edges && s->edges[e].event == i && ok; e++) {
            ok = handle_edge(s, &s->edges[e], row, what);
        }
    }
    return ok;
}

struct tt_status tt_interrupt_stats_step(struct tt_interrupt_stats *s, struct tt_events *events,
                                         uint64_t rows, bool *done)
{
    uint64_t left = s->window.end_row > s->row ? s->window.end_row - s->row : 0;
    s->t = tt_trace_timelines(s->trace);
    *done = rows >= left;
    rows = rows < left ? rows : left;
    while (rows > 0) {
        uint32_t ask = rows < BATCH ? (uint32_t)rows : BATCH;
        uint32_t count = tt_events_read(events, s->row, ask, s->events);
        if (count == 0) {
            s->shrunk = *done = true;
            break;
        }
        if (!handle_events(s, events, count)) {
            return tt_error_memory();
        }
        s->row += count;
        rows -= count;
    }
    tt_wakes_free(s->wakes); /* it sees the timelines of this step */
    s->wakes = NULL;
    return tt_ok();
}

/* ---- results ------------------------------------------------------------------------------- */

uint64_t tt_interrupt_stats_row(const struct tt_interrupt_stats *s)
{
    return s->row;
}

bool tt_interrupt_stats_truncated(const struct tt_interrupt_stats *s)
{
    return s->shrunk;
}

size_t tt_interrupt_stats_count(const struct tt_interrupt_stats *s)
{
    return s->row_count;
}

static struct tt_distribution counted(const struct tt_samples *s)
{
    return (struct tt_distribution){
        .count = s->count, .sum = s->sum, .max = s->max, .max_at = s->max_at};
}

struct tt_interrupt_numbers tt_interrupt_stats_counted(const struct tt_interrupt_stats *s,
                                                       size_t index)
{
    const struct irq_row *row = &s->rows[index];
    bool has_wakes = !s->capture->format->without_wakers;
    return (struct tt_interrupt_numbers){
        .event = row->event,
        .vector = row->vector,
        .count = row->count,
        .period = counted(&row->samples[TT_INTERRUPT_PERIODS]),
        .duration = counted(&row->samples[TT_INTERRUPT_DURATIONS]),
        .handler = counted(&row->samples[TT_INTERRUPT_HANDLERS]),
        .nested = row->nested,
        .depth = row->depth,
        .wakes = has_wakes ? row->wakes : TT_INTERRUPT_UNKNOWN,
        .threads = has_wakes ? row->threads : TT_INTERRUPT_UNKNOWN,
        .woken = row->woken,
    };
}

static int compare_woken(const void *x, const void *y)
{
    const struct woken *a = x, *b = y;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* Writes the threads of one row; the list is cut after NAMES_MOST of them. */
static const char *write_names(struct tt_interrupt_stats *s, const struct woken *list, size_t count)
{
    char buffer[NAMES_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    size_t shown = 0;
    for (; shown < count && shown < NAMES_MOST; shown++) {
        size_t start = text.used;
        tt_text_str(&text, shown > 0 ? ", " : "");
        tt_line_thread(&text, s->capture, list[shown].thread);
        tt_text_char(&text, ' ');
        tt_text_u64(&text, list[shown].count);
        if (text.used + sizeof ", ..." > sizeof buffer) {
            text.used = start;
            break;
        }
    }
    tt_text_str(&text, shown < count ? ", ..." : "");
    return tt_arena_text(&s->texts, buffer, text.used);
}

bool tt_interrupt_stats_name(struct tt_interrupt_stats *s)
{
    struct woken *sorted = malloc((s->woken_count + 1) * sizeof *sorted);
    bool ok = sorted != NULL;
    tt_arena_free(&s->texts);
    if (ok && s->woken_count > 0) {
        memcpy(sorted, s->woken, s->woken_count * sizeof *sorted);
        qsort(sorted, s->woken_count, sizeof *sorted, compare_woken);
    }
    for (size_t i = 0; i < s->row_count; i++) {
        s->rows[i].woken = "";
    }
    for (size_t i = 0; ok && i < s->woken_count;) {
        struct irq_row *row = &s->rows[sorted[i].row];
        row->woken = write_names(s, &sorted[i], row->threads);
        ok = row->woken != NULL;
        i += row->threads;
    }
    free(sorted);
    return ok;
}

bool tt_interrupt_stats_at_step(struct tt_interrupt_stats *s, size_t index, uint64_t *work,
                                struct tt_interrupt_numbers *numbers)
{
    struct tt_distribution *const to[] = {&numbers->period, &numbers->duration, &numbers->handler};
    for (; s->settled < TT_INTERRUPT_SAMPLES; s->settled++) {
        if (!tt_samples_distribution_step(&s->rows[index].samples[s->settled], &s->selection, work,
                                          to[s->settled])) {
            return false;
        }
    }
    s->settled = 0;
    return true;
}
