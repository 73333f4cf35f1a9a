/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load: CPU time by thread or process in columns of time, and counts of the timelines.
 *
 *      rank     run time of every thread, or of the occupants of one CPU: the busiest ones
 *      fill     their ticks, column by column
 *      CPUs     busy, interrupts and kernel of a column; the others are the rest of busy
 *
 * All CPUs: from sums, O(columns log n) per layer. One CPU: a walk over its occupants, twice.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_internal.h"
#include "table/registry.h"
#include "tracetui/time.h"

#define SUM_WORK 16u /* intervals that cost as much as a sum */

enum phase { RANK, FILL, CPUS, DONE };

struct tt_plot_load {
    enum phase phase;
    uint32_t next;    /* thread, CPU or member */
    unsigned column;  /* next one of `next` */
    uint64_t reached; /* of the walk over one CPU */
    uint64_t *ran;    /* by process, or of one CPU by thread: ticks */
    uint32_t ran_count;
    bool one_cpu;
};

/* ---- what is wanted ----------------------------------------------------------------------- */

/* Returns whether a column counts switches of threads or of CPUs: a member of sums of timelines. */
static bool is_count(const struct tt_table *table, const struct tt_table_column *c)
{
    size_t in = table->sums + offsetof(struct tt_thread_sums, in);
    size_t end = table->sums + sizeof(struct tt_thread_sums); /* there are all switches away */
    size_t first = table->cpu_sums + offsetof(struct tt_cpu_sums, interrupts);
    return (table->sums && c->field >= in && c->field <= end &&
            c->distribution == TT_TABLE_ALWAYS) ||
           (table->cpu_sums && c->field >= first);
}

/* Returns whether a column is a time that threads spend in a class of states, or in interrupts. */
static bool is_class(const struct tt_table *table, const struct tt_table_column *c)
{
    return table->sums && c->field >= table->sums &&
           c->field <= table->sums + offsetof(struct tt_thread_sums, irq);
}

/* Returns the member of the sums of a thread or CPU that is at an offset. */
static uint64_t member_at(const void *sums, size_t offset)
{
    uint64_t member;
    memcpy(&member, (const char *)sums + offset, sizeof member);
    return member;
}

static unsigned bit(enum tt_plot_kind kind)
{
    return 1u << kind;
}

/* Returns the kinds of a column of threads, processes or CPUs that has no samples. */
static unsigned kinds_of_sums(const struct tt_table *table, const struct tt_table_column *c)
{
    unsigned load = bit(TT_PLOT_LOAD), rows = bit(TT_PLOT_ROWS);
    if (tt_unit_is_name(c->unit) || c->unit == TT_UNIT_CPU) {
        return load;
    }
    if (is_count(table, c)) {
        return bit(TT_PLOT_RATE) | load | rows;
    }
    return (is_class(table, c) ? bit(TT_PLOT_CLASS) : load) | rows;
}

unsigned tt_plot_kinds(const struct tt_table *table, const struct tt_table_column *c)
{
    unsigned samples = bit(TT_PLOT_HISTOGRAM) | bit(TT_PLOT_TIMES);
    bool of_samples = c->distribution != TT_TABLE_ALWAYS, is_name = tt_unit_is_name(c->unit);
    unsigned rows = is_name ? 0 : bit(TT_PLOT_ROWS);
    if (table == &tt_table_threads || table == &tt_table_processes || table == &tt_table_cpus) {
        return of_samples ? samples | rows : kinds_of_sums(table, c);
    }
    if (table == &tt_table_pairs || table == &tt_table_event_names ||
        table == &tt_table_interrupts) {
        return of_samples ? samples | rows : bit(TT_PLOT_RATE) | rows;
    }
    /* A number that grows with the range, and belongs to no samples. */
    bool counts = !of_samples && ((c->unit == TT_UNIT_COUNT && !c->is_level && !c->is_identity) ||
                                  c->unit == TT_UNIT_RATE);
    if (table == &tt_table_objects) {
        return counts ? bit(TT_PLOT_RATE) | rows : samples | rows;
    }
    if (table == &tt_table_inversions || table == &tt_table_single_messages) {
        return samples;
    }
    bool of_sums = table == &tt_table_message_pairs || table == &tt_table_servers ||
                   table == &tt_table_channels;
    if (of_sums && counts) {
        return bit(TT_PLOT_RATE) | rows;
    }
    if (of_sums || table == &tt_table_jobs) {
        return samples | bit(TT_PLOT_RATE) | rows;
    }
    return bit(TT_PLOT_ROWS);
}

bool tt_plot_is_load(const struct tt_plot_request *r)
{
    if (r->subject == TT_PLOT_OF_LIST || !r->sheet || !r->sheet->state || tt_plot_of_crossings(r)) {
        return false;
    }
    return r->kind == TT_PLOT_LOAD || r->kind == TT_PLOT_CLASS || r->subject != TT_PLOT_OF_CELL ||
           (r->kind == TT_PLOT_RATE && r->column && is_count(r->sheet->request.table, r->column));
}

/* ---- ranking ------------------------------------------------------------------------------ */

/* Returns the number of a thread among the layers: its own, or that of its process. */
static uint32_t layer_number(const struct tt_plot *p, uint32_t thread)
{
    return p->request.by_process ? tt_thread_at(p->request.capture, thread)->process : thread;
}

/* Inserts a candidate: the row's own layer stays first, then by ticks. */
static void rank(struct tt_plot *p, uint32_t number, uint64_t ticks)
{
    unsigned own = p->request.subject == TT_PLOT_OF_CELL && p->layer_count > 0 ? 1 : 0;
    for (unsigned i = 0; i < p->layer_count; i++) {
        if (p->layers[i].number == number) {
            p->layers[i].total = ticks;
            return;
        }
    }
    unsigned at = p->layer_count;
    for (; at > own && p->layers[at - 1].total < ticks; at--) {
        if (at < TT_PLOT_NAMED) {
            p->layers[at] = p->layers[at - 1];
        }
    }
    if (ticks > 0 && at < TT_PLOT_NAMED) {
        p->layers[at] = (struct tt_plot_layer){TT_LAYER_ROW, number, ticks};
        p->layer_count += p->layer_count < TT_PLOT_NAMED;
    }
}

static uint64_t run_of(const struct tt_plot *p, const struct tt_timelines *t, uint32_t thread,
                       uint64_t from, uint64_t to)
{
    struct tt_thread_sums sums = {0};
    (void)p;
    tt_thread_sum(t, thread, from, to, &sums);
    uint64_t running = sums.ticks[TT_CLASS_RUNNING];
    return running > sums.irq ? running - sums.irq : 0;
}

static bool is_counted(const struct tt_plot *p, uint32_t thread)
{
    return !tt_thread_at(p->request.capture, thread)->idle;
}

static void rank_threads(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    uint32_t count = tt_thread_count(p->request.capture);
    for (; l->next<count && * work> 0; l->next++) {
        uint64_t ticks = is_counted(p, l->next) ? run_of(p, t, l->next, p->from, p->to) : 0;
        *work -= *work < SUM_WORK ? *work : SUM_WORK;
        if (!p->request.by_process) {
            rank(p, l->next, ticks);
        } else if (layer_number(p, l->next) < l->ran_count) {
            l->ran[layer_number(p, l->next)] += ticks;
        }
    }
    if (l->next < count) {
        return;
    }
    for (uint32_t i = 0; p->request.by_process && i < l->ran_count; i++) {
        rank(p, i, l->ran[i]);
    }
    l->next = 0;
    l->phase = FILL;
}

/* ---- one CPU ------------------------------------------------------------------------------ */

static unsigned layer_of(const struct tt_plot *p, uint32_t number)
{
    unsigned i = 0;
    while (i < p->layer_count && p->layers[i].number != number) {
        i++;
    }
    return i;
}

/* Adds an occupation of the CPU to the ranking or to its layer's columns. */
static void add_occupation(struct tt_plot *p, const struct tt_timelines *t,
                           const struct tt_occupation *o)
{
    struct tt_plot_load *l = p->load;
    uint64_t from = o->start > p->from ? o->start : p->from;
    uint64_t to = o->end < p->to ? o->end : p->to;
    if (to <= from || o->idle || o->occupant >= l->ran_count || !is_counted(p, o->occupant)) {
        return;
    }
    if (l->phase == RANK) {
        l->ran[o->occupant] += to - from - tt_cpu_irq(t, o->cpu, from, to);
        return;
    }
    unsigned layer = layer_of(p, layer_number(p, o->occupant));
    for (unsigned i = tt_plot_column_of(p, from); layer < p->layer_count && from < to; i++) {
        uint64_t edge = tt_plot_edge(p, i + 1), end = edge < to ? edge : to;
        if (end > from) {
            p->ticks[(size_t)layer * p->request.columns + i] +=
                end - from - tt_cpu_irq(t, o->cpu, from, end);
            from = end;
        }
    }
}

/* Walks the occupations that start in [reached, to), and the one at `from`. */
static void walk_cpu(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    struct tt_occupation list[TT_INTERVALS];
    struct tt_occupation_at at;
    uint16_t cpu = p->request.row.of.cpu;
    bool more = tt_occupation_find(t, cpu, l->reached, &at) || tt_occupation_first(t, cpu, &at);
    while (more && *work > 0) {
        uint32_t count = tt_occupations_read(t, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].start >= p->to) {
                l->reached = p->to;
                return;
            }
            if (list[i].end > l->reached) {
                add_occupation(p, t, &list[i]);
                l->reached = list[i].end;
            }
        }
        *work -= *work < count ? *work : count;
    }
    l->reached = more ? l->reached : p->to;
}

static void step_one_cpu(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    walk_cpu(p, t, work);
    if (l->reached < p->to) {
        return;
    }
    l->reached = p->from;
    if (l->phase == FILL) {
        l->phase = CPUS;
        return;
    }
    for (uint32_t i = 0; i < l->ran_count; i++) {
        rank(p, i, l->ran[i]);
    }
    l->phase = FILL;
}

/* ---- filling ------------------------------------------------------------------------------ */

static void fill_threads(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    uint32_t count = tt_thread_count(p->request.capture);
    unsigned columns = p->request.columns;
    for (; l->next<count && * work> 0; l->next++, l->column = 0) {
        unsigned layer =
            is_counted(p, l->next) ? layer_of(p, layer_number(p, l->next)) : p->layer_count;
        --*work;
        for (; layer < p->layer_count && l->column < columns; l->column++) {
            if (*work == 0) {
                return;
            }
            p->ticks[(size_t)layer * columns + l->column] +=
                run_of(p, t, l->next, tt_plot_edge(p, l->column), tt_plot_edge(p, l->column + 1));
            *work -= *work < SUM_WORK ? *work : SUM_WORK;
        }
    }
    if (l->next >= count) {
        l->next = 0;
        l->column = 0;
        l->phase = CPUS;
    }
}

static void add_layer(struct tt_plot *p, enum tt_plot_layer_kind kind)
{
    p->layers[p->layer_count++] = (struct tt_plot_layer){.kind = kind, .number = TT_NO_THREAD};
}

/* Sets the rest of a column: others, interrupts, kernel. */
static void fill_cpus(struct tt_plot *p, const struct tt_timelines *t, unsigned named,
                      unsigned column)
{
    struct tt_cpu_sums all = {0};
    unsigned columns = p->request.columns;
    uint64_t from = tt_plot_edge(p, column), to = tt_plot_edge(p, column + 1), known = 0;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_cpu_sums one = {0};
        if (p->load->one_cpu && cpu != p->request.row.of.cpu) {
            continue;
        }
        tt_cpu_sum(t, (uint16_t)cpu, from, to, &one);
        all.busy += one.busy;
        all.irq += one.irq;
        all.kernel += one.kernel;
        p->capacity[column] += to - from;
    }
    for (unsigned i = 0; i < named; i++) {
        known += p->ticks[(size_t)i * columns + column];
    }
    p->ticks[(size_t)named * columns + column] = all.busy > known ? all.busy - known : 0;
    p->ticks[(size_t)(named + 1) * columns + column] = all.irq;
    p->ticks[(size_t)(named + 2) * columns + column] = all.kernel;
}

static void sum_layers(struct tt_plot *p)
{
    for (unsigned i = 0; i < p->layer_count; i++) {
        p->layers[i].total = 0;
        for (unsigned c = 0; c < p->request.columns; c++) {
            p->layers[i].total += p->ticks[(size_t)i * p->request.columns + c];
        }
    }
}

static void step_cpus(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    if (l->column == 0) {
        add_layer(p, TT_LAYER_OTHERS);
        add_layer(p, TT_LAYER_IRQ);
        add_layer(p, TT_LAYER_KERNEL);
    }
    for (; l->column<p->request.columns && * work> 0; l->column++) {
        uint64_t cost = (uint64_t)SUM_WORK * (tt_cpu_count(t) + 1);
        fill_cpus(p, t, p->layer_count - 3, l->column);
        *work -= *work < cost ? *work : cost;
    }
    if (l->column >= p->request.columns) {
        sum_layers(p);
        l->phase = DONE;
    }
}

/* ---- counts and classes ------------------------------------------------------------------- */

/* Adds a member of the row to a column. */
static void add_member(struct tt_plot *p, const struct tt_timelines *t, uint32_t thread,
                       unsigned column)
{
    const struct tt_table_request *r = &p->request.sheet->request;
    struct tt_window window = {tt_plot_edge(p, column), tt_plot_edge(p, column + 1), r->window.cpus,
                               r->window.cpu_limit};
    struct tt_thread_sums sums = {0};
    size_t offset = p->request.column->field - r->table->sums;
    bool is_out = offset == sizeof sums; /* all switches away */
    tt_thread_sum_in(t, thread, &window, &sums);
    if (p->request.kind != TT_PLOT_RATE && !is_class(r->table, p->request.column)) {
        return;
    }
    uint64_t member = is_out ? sums.out_voluntary + sums.out_preempted + sums.out_unknown
                             : member_at(&sums, offset);
    if (p->request.kind == TT_PLOT_RATE) {
        p->columns[column].count += member;
    } else {
        p->ticks[column] += member;
        p->capacity[column] = window.to - window.from;
    }
}

static void step_members(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    uint32_t count = tt_plot_members(&p->request), thread;
    for (; l->next < count; l->next++, l->column = 0) {
        bool is_member = tt_plot_member(&p->request, l->next, &thread);
        for (; is_member && l->column < p->request.columns; l->column++) {
            if (*work == 0) {
                return;
            }
            add_member(p, t, thread, l->column);
            *work -= *work < SUM_WORK ? *work : SUM_WORK;
        }
    }
    p->layers[0] = (struct tt_plot_layer){.kind = TT_LAYER_ROW, .number = p->request.row.of.thread};
    p->layer_count = p->request.kind == TT_PLOT_CLASS;
    sum_layers(p);
    l->phase = DONE;
}

/* Counts the events before a time. */
static uint64_t events_before(const struct tt_plot *p, uint64_t ticks)
{
    struct tt_events *events = p->request.sheet->request.events;
    return tt_events_number(events, tt_events_row_at_key(events, ticks, 0));
}

static void count_column(struct tt_plot *p, const struct tt_timelines *t, unsigned column)
{
    uint64_t from = tt_plot_edge(p, column), to = tt_plot_edge(p, column + 1);
    struct tt_plot_column *c = &p->columns[column];
    bool of_cpu = p->request.subject == TT_PLOT_OF_CELL;
    if (p->request.subject == TT_PLOT_OF_EVENTS) {
        c->count = events_before(p, to) - events_before(p, from);
        return;
    }
    for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_cpu_sums sums = {0};
        if (!of_cpu || cpu == p->request.row.of.cpu) {
            tt_cpu_sum(t, (uint16_t)cpu, from, to, &sums);
            c->count += of_cpu ? member_at(&sums, p->request.column->field - tt_table_cpus.cpu_sums)
                               : sums.switches;
        }
    }
}

static void step_counts(struct tt_plot *p, const struct tt_timelines *t, uint64_t *work)
{
    struct tt_plot_load *l = p->load;
    uint64_t cost = p->request.subject == TT_PLOT_OF_EVENTS ? 2048 : SUM_WORK * 4;
    for (; l->column<p->request.columns && * work> 0; l->column++) {
        count_column(p, t, l->column);
        *work -= *work < cost ? *work : cost;
    }
    l->phase = l->column < p->request.columns ? l->phase : DONE;
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool of_members(const struct tt_plot *p)
{
    return p->request.subject == TT_PLOT_OF_CELL && p->request.kind != TT_PLOT_LOAD &&
           p->request.sheet->request.table != &tt_table_cpus;
}

struct tt_plot_load *tt_plot_load_new(struct tt_plot *p)
{
    struct tt_plot_load *l = calloc(1, sizeof *l);
    const struct tt_capture *c = p->request.capture;
    size_t cells = (size_t)TT_PLOT_LAYERS * p->request.columns;
    if (!l) {
        return NULL;
    }
    l->reached = p->from;
    l->one_cpu = p->request.subject == TT_PLOT_OF_CELL && p->request.kind == TT_PLOT_LOAD &&
                 p->request.sheet->request.table == &tt_table_cpus;
    l->ran_count = l->one_cpu              ? tt_thread_count(c)
                   : p->request.by_process ? tt_process_count(c)
                                           : 0;
    l->ran = calloc((size_t)l->ran_count + 1, sizeof *l->ran);
    free(p->ticks);
    free(p->capacity);
    p->ticks = calloc(cells, sizeof *p->ticks);
    p->capacity = calloc(p->request.columns, sizeof *p->capacity);
    p->layer_count = 0;
    bool has_own =
        p->request.subject == TT_PLOT_OF_CELL && p->request.kind == TT_PLOT_LOAD && !l->one_cpu;
    if (has_own) {
        uint32_t number =
            p->request.by_process ? p->request.row.of.process : p->request.row.of.thread;
        p->layers[p->layer_count++] = (struct tt_plot_layer){TT_LAYER_ROW, number, 0};
    }
    if (!l->ran || !p->ticks || !p->capacity) {
        tt_plot_load_free(l);
        return NULL;
    }
    return l;
}

void tt_plot_load_free(struct tt_plot_load *l)
{
    if (l) {
        free(l->ran);
        free(l);
    }
}

bool tt_plot_load_step(struct tt_plot *p, uint64_t *work, bool *done)
{
    const struct tt_timelines *t = tt_plot_timelines(&p->request);
    struct tt_plot_load *l = p->load;
    bool empty = !t || p->to <= p->from;
    while (*work > 0 && l->phase != DONE && !empty) {
        if (p->request.kind == TT_PLOT_RATE && !of_members(p)) {
            step_counts(p, t, work);
        } else if (of_members(p)) {
            step_members(p, t, work);
        } else if (l->phase == CPUS) {
            step_cpus(p, t, work);
        } else if (l->one_cpu) {
            step_one_cpu(p, t, work);
        } else if (l->phase == RANK) {
            rank_threads(p, t, work);
        } else {
            fill_threads(p, t, work);
        }
    }
    *done = l->phase == DONE || empty;
    return true;
}
