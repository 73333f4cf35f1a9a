/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupts: counts interrupts, their durations and the threads that they wake.
 *
 *      cpus     the open interrupts of each CPU, innermost last
 *      open     begins of interrupts and handlers whose end has not been read, by edge key
 *      rows     one per name of the first event and number
 *      woken    one per row and thread, in no order
 *
 * The walk has three parts. It begins where the interrupts that are open at the begin of the window
 * began, so that it does not depend on the length of the capture before the window:
 *
 *      events  |......3 <-- last begin of each number ....|..1..|== 2: the window =======|......|
 *
 * The first interrupt of a number in the window has a period that begins before it: part 3 reads
 * backwards until it has found these begins. If the samples are watched, they are needed in the
 * order of time, and part 3 comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/durations.h"
#include "analysis/causes/ready.h"
#include "analysis/causes/wakes.h"
#include "analysis/interrupts_internal.h"
#include "base/array.h"
#include "base/bits.h"
#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

/* Bits of `what` of an open span, above the number of its row. */
#define UNWANTED (UINT32_C(1) << 31)
#define HANDLER  (UINT32_C(1) << 30)
#define ROW_BITS (HANDLER - 1)

struct tt_interrupt_stats *tt_interrupt_stats_new(struct tt_trace *trace,
                                                  const struct tt_event_window *window)
{
    struct tt_interrupt_stats *stats = calloc(1, sizeof *stats);
    if (stats) {
        stats->trace = trace;
        stats->capture = tt_trace_capture(trace);
        stats->window = *window;
        stats->lossy = tt_health_has_gaps(stats->capture);
    }
    return stats;
}

bool tt_interrupt_stats_shrink(struct tt_interrupt_stats *stats, size_t *bytes)
{
    for (size_t i = 0; i < stats->row_count; i++) {
        for (unsigned k = 0; k < TT_INTERRUPT_SAMPLES; k++) {
            if (tt_samples_shrink(&stats->rows[i].samples[k], bytes)) {
                return true;
            }
        }
    }
    return false;
}

void tt_interrupt_stats_watch(struct tt_interrupt_stats *stats, const struct tt_interrupt_key *key,
                              enum tt_interrupt_samples which, struct tt_sample_sink *sink)
{
    stats->watch.key = *key;
    stats->watch.which = which;
    stats->watch.sink = sink;
    sink->thread = TT_NO_THREAD;
}

void tt_interrupt_stats_free(struct tt_interrupt_stats *stats)
{
    if (!stats) {
        return;
    }
    for (size_t i = 0; i < stats->row_count; i++) {
        for (unsigned k = 0; k < TT_INTERRUPT_SAMPLES; k++) {
            tt_samples_free(&stats->rows[i].samples[k]);
        }
    }
    free(stats->rows);
    free(stats->woken);
    free(stats->cpus);
    free(stats->roles);
    tt_hash_free(&stats->by_name);
    tt_hash_free(&stats->by_thread);
    tt_arena_free(&stats->texts);
    tt_open_spans_free(&stats->open);
    tt_wakes_free(stats->wakes);
    free(stats);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static uint64_t irqs_hash_of(const struct tt_interrupt_key *key)
{
    uint64_t name = tt_hash_of(key->event, strlen(key->event));
    return tt_hash_of_pair(name ^ (uint64_t)key->system << 32, key->vector);
}

static bool is_row_of(const struct tt_interrupt_key *row, const struct tt_interrupt_key *key)
{
    return row->vector == key->vector && row->system == key->system &&
           strcmp(row->event, key->event) == 0;
}

/* Returns the key of an interrupt that an event begins. */
static struct tt_interrupt_key irqs_key_of(const struct tt_interrupt_stats *stats,
                                           const struct tt_event *event, uint64_t vector)
{
    return (struct tt_interrupt_key){tt_types_at(stats->capture, event->type)->name, vector,
                                     tt_merge_of_event(stats->capture, event)};
}

/* Directs the samples of a row to the sink if it is watched, and drops them otherwise. */
static void set_sinks(struct tt_interrupt_stats *stats, struct tt_interrupt_row *row)
{
    if (!stats->watch.sink) {
        return;
    }
    bool watched = is_row_of(&row->key, &stats->watch.key);
    for (unsigned i = 0; i < TT_INTERRUPT_SAMPLES; i++) {
        row->samples[i].sink =
            watched && stats->watch.which == i ? stats->watch.sink : &stats->watch.drop;
    }
    row->begins = watched && stats->watch.which == TT_INTERRUPT_SAMPLES ? stats->watch.sink : NULL;
}

/* Returns the row of an interrupt; TT_HASH_NONE if there is none. */
static uint32_t known_row(const struct tt_interrupt_stats *stats,
                          const struct tt_interrupt_key *key)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&stats->by_name, irqs_hash_of(key), &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&stats->by_name, &probe)) {
        if (is_row_of(&stats->rows[n].key, key)) {
            return n;
        }
    }
    return TT_HASH_NONE;
}

/* Returns the row of an interrupt, added if it is new; TT_HASH_NONE if out of memory. */
static uint32_t irqs_find_row(struct tt_interrupt_stats *stats, const struct tt_interrupt_key *key)
{
    uint32_t known = known_row(stats, key);
    if (known != TT_HASH_NONE) {
        return known;
    }
    struct tt_interrupt_row *rows =
        tt_array_grow(stats->rows, stats->row_count, &stats->row_capacity, sizeof *rows);
    if (!rows) {
        return TT_HASH_NONE;
    }
    stats->rows = rows;
    uint32_t row = (uint32_t)stats->row_count;
    if (row >= ROW_BITS || !tt_hash_add(&stats->by_name, irqs_hash_of(key), row)) {
        return TT_HASH_NONE;
    }
    stats->rows[stats->row_count] = (struct tt_interrupt_row){.key = *key, .woken = ""};
    set_sinks(stats, &stats->rows[stats->row_count++]);
    return row;
}

/* Counts a wake of a thread by a row; returns false if out of memory. */
static bool irqs_add_wake(struct tt_interrupt_stats *stats, uint32_t row, uint32_t thread)
{
    uint64_t hash = tt_hash_of_pair(row, thread);
    struct tt_probe probe;
    stats->rows[row].wakes++;
    for (uint32_t n = tt_hash_first(&stats->by_thread, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&stats->by_thread, &probe)) {
        if (stats->woken[n].row == row && stats->woken[n].thread == thread) {
            stats->woken[n].count++;
            return true;
        }
    }
    struct tt_interrupt_woken *woken =
        tt_array_grow(stats->woken, stats->woken_count, &stats->woken_capacity, sizeof *woken);
    if (!woken) {
        return false;
    }
    stats->woken = woken;
    if (!tt_hash_add(&stats->by_thread, hash, (uint32_t)stats->woken_count)) {
        return false;
    }
    stats->woken[stats->woken_count++] = (struct tt_interrupt_woken){row, thread, 1};
    stats->rows[row].threads++;
    return true;
}

/* Returns the state of a CPU; NULL if out of memory. */
static struct tt_interrupt_cpu *irqs_cpu_at(struct tt_interrupt_stats *stats, uint16_t cpu)
{
    if (cpu >= stats->cpu_count) {
        struct tt_interrupt_cpu *cpus =
            tt_array_reserve(stats->cpus, (size_t)cpu + 1, &stats->cpu_capacity, sizeof *cpus);
        if (!cpus) {
            return NULL;
        }
        stats->cpus = cpus;
        memset(&cpus[stats->cpu_count], 0, ((size_t)cpu + 1 - stats->cpu_count) * sizeof *cpus);
        while (stats->cpu_count <= cpu) {
            /* There may be a delivery before the begin: the first delivery decides. */
            cpus[stats->cpu_count++].delivered = stats->begin > 0;
        }
    }
    return &stats->cpus[cpu];
}

/* ---- the walk ------------------------------------------------------------------------------ */

static bool irqs_is_wanted(const struct tt_event_window *window, const struct tt_event *event,
                           uint64_t row)
{
    return tt_bit_selects(window->threads, window->thread_limit, event->thread) &&
           tt_bit_selects(window->cpus, window->cpu_limit, event->cpu) &&
           (!window->wanted || window->wanted(window->wanted_arg, row));
}

/* Returns the role of an event, which is that of its type. */
static unsigned irqs_role_of(struct tt_interrupt_stats *stats, struct tt_events *events,
                             const struct tt_event *event)
{
    enum { NOT_READ = UINT8_MAX };
    if (event->type >= stats->types) {
        uint32_t types = tt_types_count(stats->capture);
        uint8_t *roles = event->type < types ? realloc(stats->roles, types) : NULL;
        if (!roles) {
            return TT_CLUE_NONE;
        }
        memset(roles + stats->types, NOT_READ, types - stats->types);
        stats->roles = roles;
        stats->types = types;
    }
    if (stats->roles[event->type] == NOT_READ) {
        struct tt_clue clue;
        tt_events_clue(events, event, false, &clue);
        stats->roles[event->type] = clue.role;
    }
    return stats->roles[event->type];
}

/* Removes interrupts whose end may be lost. */
static void drop_lost(const struct tt_interrupt_stats *stats, struct tt_interrupt_cpu *cpu,
                      uint16_t number, uint64_t ticks)
{
    while (stats->lossy && stats->t && cpu->depth > 0 &&
           tt_loss_on(stats->t, number, cpu->open[cpu->depth - 1].ticks + 1, ticks + 1)) {
        cpu->depth--;
    }
}

/* Counts an interrupt that begins on a CPU; returns false if out of memory. */
static bool count_begin(struct tt_interrupt_stats *stats, struct tt_interrupt_row *row,
                        const struct tt_event *event, const struct tt_interrupt_cpu *cpu,
                        bool inside)
{
    uint64_t period = event->ticks - row->last;
    row->count += inside;
    row->nested += inside && cpu->depth > 0;
    row->depth = inside && cpu->depth + 1 > row->depth ? cpu->depth + 1 : row->depth;
    bool repeats = row->seen;
    if (inside && !repeats) {
        /*
         * Notes that the period of the first interrupt of a row begins before the rows that are
         * read.
         */
        uint64_t ticks = event->ticks;
        if (stats->begin > 0 && !stats->watch.sink) {
            row->first = ticks;
            row->searched = true;
            stats->searching++;
        }
    }
    row->seen = true;
    row->last = event->ticks;
    if (row->begins && inside && !tt_sample_sink_pass(row->begins, 0, event->ticks)) {
        return false;
    }
    return !inside || !repeats ||
           tt_samples_add(&row->samples[TT_INTERRUPT_PERIODS], period, event->ticks);
}

/* Begins an interrupt; *what is its row with flags. Returns false if out of memory. */
static bool begin_interrupt(struct tt_interrupt_stats *stats, struct tt_events *events,
                            const struct tt_event *event, uint64_t row, bool delivery,
                            uint32_t *what)
{
    const struct tt_event_window *window = &stats->window;
    struct tt_clue clue;
    tt_events_clue(events, event, true, &clue);
    struct tt_interrupt_key key = irqs_key_of(stats, event, clue.value);
    *what = irqs_find_row(stats, &key);
    struct tt_interrupt_cpu *cpu = *what != TT_HASH_NONE ? irqs_cpu_at(stats, event->cpu) : NULL;
    if (!cpu) {
        return false;
    }
    drop_lost(stats, cpu, event->cpu, event->ticks);
    stats->rows[*what].delivery = delivery;
    bool wanted = irqs_is_wanted(window, event, row);
    bool inside = row >= window->first_row && row < window->end_row;
    if (wanted && !count_begin(stats, &stats->rows[*what], event, cpu, inside)) {
        return false;
    }
    *what |= wanted ? 0 : UNWANTED;
    cpu->delivered |= delivery;
    if (!delivery && cpu->depth < TT_INTERRUPT_DEPTH) {
        cpu->open[cpu->depth++] = (struct tt_open_interrupt){event->ticks, *what};
    }
    return true;
}

/* Finds the waiting state that ends when a thread becomes ready or runs; false if there is none. */
static bool find_blocked(const struct tt_interrupt_stats *stats, uint32_t thread, uint64_t ticks,
                         struct tt_interval *blocked)
{
    struct tt_interval_at at;
    if (!stats->t || thread >= tt_thread_count(stats->capture) ||
        !tt_interval_find(stats->t, thread, ticks, &at) ||
        tt_interval_get(stats->t, at).start != ticks || !tt_interval_previous(stats->t, &at)) {
        return false;
    }
    *blocked = tt_interval_get(stats->t, at);
    return tt_class_is_blocked(blocked->class_);
}

/* Adds the row of a delivery before the walk; returns false if out of memory. */
static bool add_delivery(struct tt_interrupt_stats *stats, struct tt_events *events,
                         const struct tt_wake *wake)
{
    struct tt_event event;
    uint64_t row = tt_events_row_at_key(events, wake->since, wake->since_pos);
    if (row >= stats->begin || tt_events_read(events, row, 1, &event) != 1 ||
        irqs_role_of(stats, events, &event) != TT_CLUE_DELIVER) {
        return true;
    }
    struct tt_interrupt_key key = irqs_key_of(stats, &event, wake->vector);
    uint32_t added = irqs_find_row(stats, &key);
    if (added != TT_HASH_NONE) {
        stats->rows[added].delivery = true;
    }
    return added != TT_HASH_NONE;
}

/* Counts the wake that an event shows, if an interrupt is its cause. */
static bool count_wake(struct tt_interrupt_stats *stats, struct tt_events *events,
                       const struct tt_event *event, struct tt_interrupt_cpu *cpu, unsigned role)
{
    struct tt_clue clue;
    struct tt_interval blocked;
    drop_lost(stats, cpu, event->cpu, event->ticks);
    if (cpu->depth == 0 && !cpu->delivered) {
        return true;
    }
    tt_events_clue(events, event, true, &clue);
    bool by_context = role != TT_CLUE_WOKEN || (clue.other < tt_thread_count(stats->capture) &&
                                                tt_thread_at(stats->capture, clue.other)->pseudo);
    if (!by_context || !find_blocked(stats, clue.thread, event->ticks, &blocked)) {
        return true;
    }
    if (cpu->depth == 0) {
        /* Counts a wake by an interrupt that has no end, whose rules are those of wakes.h. */
        struct tt_wake wake;
        stats->wakes = stats->wakes ? stats->wakes : tt_wakes_new(stats->trace);
        if (!stats->wakes) {
            return false;
        }
        tt_wake_find(stats->wakes, &blocked, &wake);
        if (wake.by == TT_WAKER_INTERRUPT && wake.has_since && stats->begin > 0 &&
            !add_delivery(stats, events, &wake)) {
            return false;
        }
        unsigned system = tt_merge_of_thread(stats->capture, wake.thread);
        for (uint32_t i = 0; wake.by == TT_WAKER_INTERRUPT && i < stats->row_count; i++) {
            const struct tt_interrupt_row *row = &stats->rows[i];
            if (row->delivery && row->key.vector == wake.vector && row->key.system == system) {
                return irqs_add_wake(stats, i, wake.thread);
            }
        }
        return true;
    }
    uint32_t what = cpu->open[cpu->depth - 1].what;
    return (what & UNWANTED) != 0 || irqs_add_wake(stats, what & ROW_BITS, clue.thread);
}

/* Handles an event; *what is set for its edges. Returns false if out of memory. */
static bool handle_event(struct tt_interrupt_stats *stats, struct tt_events *events,
                         const struct tt_event *event, uint64_t row, uint32_t *what)
{
    const struct tt_event_window *window = &stats->window;
    struct tt_interrupt_cpu *cpu = event->cpu < stats->cpu_count ? &stats->cpus[event->cpu] : NULL;
    bool inside = row >= window->first_row && row < window->end_row;
    bool ok = true;
    unsigned role = irqs_role_of(stats, events, event);
    *what = TT_HASH_NONE;
    switch (role) {
    case TT_CLUE_IRQ:
    case TT_CLUE_DELIVER:
        return event->cpu == TT_NO_CPU ||
               begin_interrupt(stats, events, event, row, role == TT_CLUE_DELIVER, what);
    case TT_CLUE_HANDLER:
        if (cpu && cpu->depth > 0) {
            *what = cpu->open[cpu->depth - 1].what | HANDLER;
        }
        return true;
    case TT_CLUE_READY:
    case TT_CLUE_WOKEN:
    case TT_CLUE_RUNS:
        if (!cpu && stats->begin > 0 && event->cpu != TT_NO_CPU) {
            cpu = irqs_cpu_at(stats, event->cpu); /* its last delivery may be before the begin */
            ok = cpu != NULL;
        }
        ok = ok && (!cpu || !inside || count_wake(stats, events, event, cpu, role));
        if (cpu && role == TT_CLUE_RUNS) {
            cpu->delivered = false;
        }
        return ok;
    default:
        return true;
    }
}

/* Removes the innermost open interrupt of a row from its CPU. */
static void close_on_cpu(struct tt_interrupt_stats *stats, uint16_t number, uint32_t what)
{
    struct tt_interrupt_cpu *cpu = number < stats->cpu_count ? &stats->cpus[number] : NULL;
    for (uint32_t i = cpu ? cpu->depth : 0; i-- > 0;) {
        if (cpu->open[i].what == what) {
            memmove(&cpu->open[i], &cpu->open[i + 1], (cpu->depth - i - 1) * sizeof *cpu->open);
            cpu->depth--;
            return;
        }
    }
}

static bool end_spans(struct tt_interrupt_stats *stats, const struct tt_edge *edge, uint64_t end,
                      bool inside)
{
    const struct tt_timelines *timelines = stats->lossy ? stats->t : NULL;
    struct tt_open_edge begun;
    bool ok = true;
    bool more = tt_open_spans_pop(&stats->open, edge->key, &begun);
    while (more && ok) {
        if (begun.what != TT_HASH_NONE) {
            bool handler = (begun.what & HANDLER) != 0;
            bool counts = inside && !(begun.what & UNWANTED) && end >= begun.ticks &&
                          !(timelines && tt_duration_is_cut(timelines, edge, begun.ticks, end));
            struct tt_interrupt_row *row = &stats->rows[begun.what & ROW_BITS];
            if (!handler) {
                close_on_cpu(stats, edge->cpu, begun.what);
            }
            ok = !counts ||
                 tt_samples_add(
                     &row->samples[handler ? TT_INTERRUPT_HANDLERS : TT_INTERRUPT_DURATIONS],
                     end - begun.ticks, end);
        }
        more = edge->side == TT_EDGE_END_ALL && tt_open_spans_pop(&stats->open, edge->key, &begun);
    }
    return ok;
}

/* Handles an edge of an event; `what`: of the interrupt or handler that the event begins. */
static bool irqs_handle_edge(struct tt_interrupt_stats *stats, const struct tt_edge *edge,
                             uint64_t row, uint32_t what)
{
    const struct tt_event_window *window = &stats->window;
    const struct tt_event *event = &stats->events[edge->event];
    bool inside = row >= window->first_row && row < window->end_row;
    switch (edge->side) {
    case TT_EDGE_BEGIN:
        return what == TT_HASH_NONE ||
               tt_open_spans_push(&stats->open, edge->key, event->ticks, what);
    case TT_EDGE_END:
    case TT_EDGE_END_ALL:
        return end_spans(stats, edge, event->ticks, inside);
    default:
        return true;
    }
}

static bool irqs_is_counted(const struct tt_event *event)
{
    return !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) && event->type != UINT32_MAX;
}

/* ---- before the window ---------------------------------------------------------------------- */

/* Returns the begin of the first of the interrupts that are open on any CPU before `ticks`. */
static uint64_t open_since(const struct tt_timelines *timelines, uint64_t ticks)
{
    uint64_t since = ticks;
    for (uint32_t cpu = 0; ticks > 0 && cpu < tt_cpu_count(timelines) && cpu < TT_NO_CPU; cpu++) {
        since = tt_earlier(since, tt_cpu_irq_begin(timelines, (uint16_t)cpu, ticks - 1));
    }
    return since;
}

/* Sets the first row of the walk; returns false if out of memory. */
static bool irqs_place(struct tt_interrupt_stats *stats, struct tt_events *events)
{
    struct tt_event first;
    const struct tt_event_window *window = &stats->window;
    stats->placed = true;
    if (window->first_row >= window->end_row) {
        stats->begin = window->end_row;
    } else if (stats->t && !tt_timelines_provisional(stats->t) && window->first_row > 0 &&
               tt_events_read(events, window->first_row, 1, &first) == 1) {
        stats->begin = tt_events_row_at_time(events, open_since(stats->t, first.ticks));
        stats->begin = tt_earlier(stats->begin, window->first_row);
    }
    stats->row = stats->back_row = stats->begin;
    if (stats->begin > 0 && stats->watch.sink && stats->watch.which == TT_INTERRUPT_PERIODS) {
        uint32_t watched = irqs_find_row(stats, &stats->watch.key);
        if (watched == TT_HASH_NONE) {
            return false;
        }
        stats->rows[watched].searched = true;
        stats->searching++;
    }
    return true;
}

/* Records the last begin of a row before the window; returns false if out of memory. */
static bool record_last(struct tt_interrupt_stats *stats, struct tt_interrupt_row *row,
                        uint64_t ticks)
{
    struct tt_samples *periods = &row->samples[TT_INTERRUPT_PERIODS];
    row->searched = false;
    stats->searching--;
    if (!row->seen) { /* the samples are watched */
        row->seen = true;
        row->last = ticks;
        return true;
    }
    if (!tt_samples_add(periods, row->first - ticks, row->first)) {
        return false;
    }
    if (row->first - ticks == periods->max) {
        periods->max_at = row->first; /* it ends before all others */
    }
    return true;
}

/* Handles an event before the window: records it if it is a begin that is searched for. */
static bool check_begin(struct tt_interrupt_stats *stats, struct tt_events *events,
                        const struct tt_event *event, uint64_t row)
{
    unsigned role = irqs_is_counted(event) && event->cpu != TT_NO_CPU
                        ? irqs_role_of(stats, events, event)
                        : TT_CLUE_NONE;
    struct tt_clue clue;
    if ((role != TT_CLUE_IRQ && role != TT_CLUE_DELIVER) ||
        !irqs_is_wanted(&stats->window, event, row)) {
        return true;
    }
    tt_events_clue(events, event, true, &clue);
    struct tt_interrupt_key key = irqs_key_of(stats, event, clue.value);
    uint32_t known = known_row(stats, &key);
    return known == TT_HASH_NONE || !stats->rows[known].searched ||
           record_last(stats, &stats->rows[known], event->ticks);
}

/* Reads backwards about `*rows` events for begins before the window; false if out of memory. */
static bool look_back(struct tt_interrupt_stats *stats, struct tt_events *events, uint64_t *rows)
{
    while (stats->searching > 0 && *rows > 0) {
        uint32_t ask =
            stats->back_row < TT_INTERRUPT_BATCH ? (uint32_t)stats->back_row : TT_INTERRUPT_BATCH;
        uint32_t count =
            ask > 0 ? tt_events_read(events, stats->back_row - ask, ask, stats->events) : 0;
        stats->shrunk |= count < ask;
        if (count < ask || ask == 0) {
            /*
             * Ends the search at the first event of the capture: begins that were not found do not
             * exist.
             */
            for (size_t i = 0; i < stats->row_count; i++) {
                stats->rows[i].searched = false;
            }
            stats->searching = 0;

            break;
        }
        stats->back_row -= ask;
        for (uint32_t i = count; i-- > 0 && stats->searching > 0;) {
            if (!check_begin(stats, events, &stats->events[i], stats->back_row + i)) {
                return false;
            }
        }
        *rows -= *rows < count ? *rows : count;
    }
    return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Reads about `*rows` events of the window and those before it that it needs; false: no memory. */
static bool irqs_walk(struct tt_interrupt_stats *stats, struct tt_events *events, uint64_t *rows)
{
    while (*rows > 0 && stats->row < stats->window.end_row) {
        uint64_t left = tt_earlier(stats->window.end_row - stats->row, *rows);
        uint32_t ask = left < TT_INTERRUPT_BATCH ? (uint32_t)left : TT_INTERRUPT_BATCH;
        uint32_t count = tt_events_read(events, stats->row, ask, stats->events);
        if (count == 0) {
            stats->shrunk = true;
            stats->row = stats->window.end_row;
            return true;
        }

        /*
         * Handles the events from stats->row on. The ends of an event precede its begin: an IDFC
         * ends the interrupt that queued it. Returns false if out of memory.
         */
        bool whole, ok = true;
        uint32_t edges = tt_events_edges(events, stats->events, count, TT_EDGES_OF_INTERRUPTS,
                                         stats->edges, &whole),
                 e = 0;
        stats->shrunk |= !whole;
        for (uint32_t i = 0; i < count && ok; i++) {
            uint32_t what = TT_HASH_NONE;
            uint64_t row = stats->row + i;
            for (; e < edges && stats->edges[e].event == i &&
                   stats->edges[e].side != TT_EDGE_BEGIN && ok;
                 e++) {
                ok = irqs_handle_edge(stats, &stats->edges[e], row, what);
            }
            if (ok && irqs_is_counted(&stats->events[i])) {
                ok = handle_event(stats, events, &stats->events[i], row, &what);
            }
            for (; e < edges && stats->edges[e].event == i && ok; e++) {
                ok = irqs_handle_edge(stats, &stats->edges[e], row, what);
            }
        }
        if (!ok) {
            return false;
        }

        stats->row += count;
        *rows -= count;
    }
    return true;
}

struct tt_status tt_interrupt_stats_step(struct tt_interrupt_stats *stats, struct tt_events *events,
                                         uint64_t rows, bool *done)
{
    stats->t = tt_trace_timelines(stats->trace);
    bool ok = stats->placed || irqs_place(stats, events);
    ok = ok && (stats->row > stats->begin || look_back(stats, events, &rows)) &&
         irqs_walk(stats, events, &rows);
    *done = false;
    if (ok && stats->row >= stats->window.end_row) {
        ok = look_back(stats, events, &rows);
        *done = stats->searching == 0;
    }
    tt_wakes_free(stats->wakes); /* it uses the timelines of this step */
    stats->wakes = NULL;
    return ok ? tt_ok() : tt_error_memory();
}
