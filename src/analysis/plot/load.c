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
static bool is_count(const struct tt_table *table, const struct tt_table_column *column)
{
    size_t in = table->sums + offsetof(struct tt_thread_sums, in);
    size_t end = table->sums + sizeof(struct tt_thread_sums); /* there are all switches away */
    size_t first = table->cpu_sums + offsetof(struct tt_cpu_sums, interrupts);
    return (table->sums && column->field >= in && column->field <= end &&
            column->distribution == TT_TABLE_ALWAYS) ||
           (table->cpu_sums && column->field >= first);
}

/* Returns whether a column is a time that threads spend in a class of states, or in interrupts. */
static bool is_class(const struct tt_table *table, const struct tt_table_column *column)
{
    return table->sums && column->field >= table->sums &&
           column->field <= table->sums + offsetof(struct tt_thread_sums, irq);
}

/* Returns the member of the sums of a thread or CPU that is at an offset. */
static uint64_t member_at(const void *sums, size_t offset)
{
    uint64_t member;
    memcpy(&member, (const char *)sums + offset, sizeof member);
    return member;
}

static unsigned load_bit(enum tt_plot_kind kind)
{
    return 1u << kind;
}

/* Returns the kinds of a column of threads, processes or CPUs that has no samples. */
static unsigned kinds_of_sums(const struct tt_table *table, const struct tt_table_column *column)
{
    unsigned load = load_bit(TT_PLOT_LOAD), rows = load_bit(TT_PLOT_ROWS);
    if (tt_unit_is_name(column->unit) || column->unit == TT_UNIT_CPU) {
        return load;
    }
    if (is_count(table, column)) {
        return load_bit(TT_PLOT_RATE) | load | rows;
    }
    return (is_class(table, column) ? load_bit(TT_PLOT_CLASS) : load) | rows;
}

unsigned tt_plot_kinds(const struct tt_table *table, const struct tt_table_column *column)
{
    unsigned samples = load_bit(TT_PLOT_HISTOGRAM) | load_bit(TT_PLOT_TIMES);
    bool of_samples = column->distribution != TT_TABLE_ALWAYS,
         is_name = tt_unit_is_name(column->unit);
    unsigned rows = is_name ? 0 : load_bit(TT_PLOT_ROWS);
    if (table == &tt_table_threads || table == &tt_table_processes || table == &tt_table_cpus) {
        return of_samples ? samples | rows : kinds_of_sums(table, column);
    }
    if (table == &tt_table_pairs || table == &tt_table_event_names ||
        table == &tt_table_interrupts) {
        return of_samples ? samples | rows : load_bit(TT_PLOT_RATE) | rows;
    }
    /* A number that grows with the range, and belongs to no samples. */
    bool counts = !of_samples &&
                  ((column->unit == TT_UNIT_COUNT && !column->is_level && !column->is_identity) ||
                   column->unit == TT_UNIT_RATE);
    if (table == &tt_table_objects) {
        return counts ? load_bit(TT_PLOT_RATE) | rows : samples | rows;
    }
    if (table == &tt_table_inversions || table == &tt_table_single_messages) {
        return samples;
    }
    if (table == &tt_table_lanes && (of_samples || column->unit == TT_UNIT_REAL)) {
        return samples | load_bit(TT_PLOT_RATE) | (of_samples ? rows : 0);
    }
    bool of_sums = table == &tt_table_lanes || table == &tt_table_message_pairs ||
                   table == &tt_table_servers || table == &tt_table_channels;
    if (of_sums && counts) {
        return load_bit(TT_PLOT_RATE) | rows;
    }
    if (of_sums || table == &tt_table_jobs) {
        return samples | load_bit(TT_PLOT_RATE) | rows;
    }
    return load_bit(TT_PLOT_ROWS);
}

bool tt_plot_is_load(const struct tt_plot_request *request)
{
    if (request->subject == TT_PLOT_OF_LIST || !request->sheet || !request->sheet->state ||
        tt_plot_of_crossings(request)) {
        return false;
    }
    return request->kind == TT_PLOT_LOAD || request->kind == TT_PLOT_CLASS ||
           request->subject != TT_PLOT_OF_CELL ||
           (request->kind == TT_PLOT_RATE && request->column &&
            is_count(request->sheet->request.table, request->column));
}

/* ---- ranking ------------------------------------------------------------------------------ */

/* Returns the number of a thread among the layers: its own, or that of its process. */
static uint32_t layer_number(const struct tt_plot *plot, uint32_t thread)
{
    return plot->request.by_process ? tt_thread_at(plot->request.capture, thread)->process : thread;
}

/* Inserts a candidate: the row's own layer stays first, then by ticks. */
static void rank(struct tt_plot *plot, uint32_t number, uint64_t ticks)
{
    unsigned own = plot->request.subject == TT_PLOT_OF_CELL && plot->layer_count > 0 ? 1 : 0;
    for (unsigned i = 0; i < plot->layer_count; i++) {
        if (plot->layers[i].number == number) {
            plot->layers[i].total = ticks;
            return;
        }
    }
    unsigned at = plot->layer_count;
    for (; at > own && plot->layers[at - 1].total < ticks; at--) {
        if (at < TT_PLOT_NAMED) {
            plot->layers[at] = plot->layers[at - 1];
        }
    }
    if (ticks > 0 && at < TT_PLOT_NAMED) {
        plot->layers[at] = (struct tt_plot_layer){TT_LAYER_ROW, number, ticks};
        plot->layer_count += plot->layer_count < TT_PLOT_NAMED;
    }
}

static uint64_t load_run_of(const struct tt_plot *plot, const struct tt_timelines *timelines,
                            uint32_t thread, uint64_t from, uint64_t to)
{
    struct tt_thread_sums sums = {0};
    (void)plot;
    tt_thread_sum(timelines, thread, from, to, &sums);
    uint64_t running = sums.ticks[TT_CLASS_RUNNING];
    return running > sums.irq ? running - sums.irq : 0;
}

static bool load_is_counted(const struct tt_plot *plot, uint32_t thread)
{
    return !tt_thread_at(plot->request.capture, thread)->idle;
}

static void rank_threads(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    uint32_t count = tt_thread_count(plot->request.capture);
    for (; load->next<count && * work> 0; load->next++) {
        uint64_t ticks = load_is_counted(plot, load->next)
                             ? load_run_of(plot, timelines, load->next, plot->from, plot->to)
                             : 0;
        *work -= *work < SUM_WORK ? *work : SUM_WORK;
        if (!plot->request.by_process) {
            rank(plot, load->next, ticks);
        } else if (layer_number(plot, load->next) < load->ran_count) {
            load->ran[layer_number(plot, load->next)] += ticks;
        }
    }
    if (load->next < count) {
        return;
    }
    for (uint32_t i = 0; plot->request.by_process && i < load->ran_count; i++) {
        rank(plot, i, load->ran[i]);
    }
    load->next = 0;
    load->phase = FILL;
}

/* ---- one CPU ------------------------------------------------------------------------------ */

static unsigned layer_of(const struct tt_plot *plot, uint32_t number)
{
    unsigned i = 0;
    while (i < plot->layer_count && plot->layers[i].number != number) {
        i++;
    }
    return i;
}

/* Adds an occupation of the CPU to the ranking or to its layer's columns. */
static void load_add_occupation(struct tt_plot *plot, const struct tt_timelines *timelines,
                                const struct tt_occupation *occupation)
{
    struct tt_plot_load *load = plot->load;
    uint64_t from = occupation->start > plot->from ? occupation->start : plot->from;
    uint64_t to = occupation->end < plot->to ? occupation->end : plot->to;
    if (to <= from || occupation->idle || occupation->occupant >= load->ran_count ||
        !load_is_counted(plot, occupation->occupant)) {
        return;
    }
    if (load->phase == RANK) {
        load->ran[occupation->occupant] +=
            to - from - tt_cpu_irq(timelines, occupation->cpu, from, to);
        return;
    }
    unsigned layer = layer_of(plot, layer_number(plot, occupation->occupant));
    for (unsigned i = tt_plot_column_of(plot, from); layer < plot->layer_count && from < to; i++) {
        uint64_t edge = tt_plot_edge(plot, i + 1), end = edge < to ? edge : to;
        if (end > from) {
            plot->ticks[(size_t)layer * plot->request.columns + i] +=
                end - from - tt_cpu_irq(timelines, occupation->cpu, from, end);
            from = end;
        }
    }
}

/* Walks the occupations that start in [reached, to), and the one at `from`. */
static void walk_cpu(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    struct tt_occupation list[TT_INTERVALS];
    struct tt_occupation_at at;
    uint16_t cpu = plot->request.row.of.cpu;
    bool more = tt_occupation_find(timelines, cpu, load->reached, &at) ||
                tt_occupation_first(timelines, cpu, &at);
    while (more && *work > 0) {
        uint32_t count = tt_occupations_read(timelines, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].start >= plot->to) {
                load->reached = plot->to;
                return;
            }
            if (list[i].end > load->reached) {
                load_add_occupation(plot, timelines, &list[i]);
                load->reached = list[i].end;
            }
        }
        *work -= *work < count ? *work : count;
    }
    load->reached = more ? load->reached : plot->to;
}

static void step_one_cpu(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    walk_cpu(plot, timelines, work);
    if (load->reached < plot->to) {
        return;
    }
    load->reached = plot->from;
    if (load->phase == FILL) {
        load->phase = CPUS;
        return;
    }
    for (uint32_t i = 0; i < load->ran_count; i++) {
        rank(plot, i, load->ran[i]);
    }
    load->phase = FILL;
}

/* ---- filling ------------------------------------------------------------------------------ */

static void fill_threads(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    uint32_t count = tt_thread_count(plot->request.capture);
    unsigned columns = plot->request.columns;
    for (; load->next<count && * work> 0; load->next++, load->column = 0) {
        unsigned layer = load_is_counted(plot, load->next)
                             ? layer_of(plot, layer_number(plot, load->next))
                             : plot->layer_count;
        --*work;
        for (; layer < plot->layer_count && load->column < columns; load->column++) {
            if (*work == 0) {
                return;
            }
            plot->ticks[(size_t)layer * columns + load->column] +=
                load_run_of(plot, timelines, load->next, tt_plot_edge(plot, load->column),
                            tt_plot_edge(plot, load->column + 1));
            *work -= *work < SUM_WORK ? *work : SUM_WORK;
        }
    }
    if (load->next >= count) {
        load->next = 0;
        load->column = 0;
        load->phase = CPUS;
    }
}

static void add_layer(struct tt_plot *plot, enum tt_plot_layer_kind kind)
{
    plot->layers[plot->layer_count++] =
        (struct tt_plot_layer){.kind = kind, .number = TT_NO_THREAD};
}

static void sum_layers(struct tt_plot *plot)
{
    for (unsigned i = 0; i < plot->layer_count; i++) {
        plot->layers[i].total = 0;
        for (unsigned c = 0; c < plot->request.columns; c++) {
            plot->layers[i].total += plot->ticks[(size_t)i * plot->request.columns + c];
        }
    }
}

static void step_cpus(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    if (load->column == 0) {
        add_layer(plot, TT_LAYER_OTHERS);
        add_layer(plot, TT_LAYER_IRQ);
        add_layer(plot, TT_LAYER_KERNEL);
    }
    for (; *work > 0 && load->column < plot->request.columns; load->column++) {
        uint64_t cost = (uint64_t)SUM_WORK * (tt_cpu_count(timelines) + 1);

        /* Sets the rest of a column: others, interrupts, kernel. */
        unsigned named = plot->layer_count - 3;
        unsigned column = load->column;
        struct tt_cpu_sums all = {0};
        unsigned columns = plot->request.columns;
        uint64_t from = tt_plot_edge(plot, column), to = tt_plot_edge(plot, column + 1), known = 0;
        for (uint32_t cpu = 0; cpu < tt_cpu_count(timelines); cpu++) {
            struct tt_cpu_sums one = {0};
            if (plot->load->one_cpu && cpu != plot->request.row.of.cpu) {
                continue;
            }
            tt_cpu_sum(timelines, (uint16_t)cpu, from, to, &one);
            all.busy += one.busy;
            all.irq += one.irq;
            all.kernel += one.kernel;
            plot->capacity[column] += to - from;
        }
        for (unsigned i = 0; i < named; i++) {
            known += plot->ticks[(size_t)i * columns + column];
        }
        plot->ticks[(size_t)named * columns + column] = all.busy > known ? all.busy - known : 0;
        plot->ticks[(size_t)(named + 1) * columns + column] = all.irq;
        plot->ticks[(size_t)(named + 2) * columns + column] = all.kernel;

        *work -= *work < cost ? *work : cost;
    }
    if (load->column >= plot->request.columns) {
        sum_layers(plot);
        load->phase = DONE;
    }
}

/* ---- counts and classes ------------------------------------------------------------------- */

/* Adds a member of the row to a column. */
static void add_member(struct tt_plot *plot, const struct tt_timelines *timelines, uint32_t thread,
                       unsigned column)
{
    const struct tt_table_request *request = &plot->request.sheet->request;
    struct tt_window window = {tt_plot_edge(plot, column), tt_plot_edge(plot, column + 1),
                               request->window.cpus, request->window.cpu_limit};
    struct tt_thread_sums sums = {0};
    size_t offset = plot->request.column->field - request->table->sums;
    bool is_out = offset == sizeof sums; /* all switches away */
    tt_thread_sum_in(timelines, thread, &window, &sums);
    if (plot->request.kind != TT_PLOT_RATE && !is_class(request->table, plot->request.column)) {
        return;
    }
    uint64_t member = is_out ? sums.out_voluntary + sums.out_preempted + sums.out_unknown
                             : member_at(&sums, offset);
    if (plot->request.kind == TT_PLOT_RATE) {
        plot->columns[column].count += member;
    } else {
        plot->ticks[column] += member;
        plot->capacity[column] = window.to - window.from;
    }
}

static void step_members(struct tt_plot *plot, const struct tt_timelines *timelines, uint64_t *work)
{
    struct tt_plot_load *load = plot->load;
    uint32_t count = tt_plot_members(&plot->request), thread;
    for (; load->next < count; load->next++, load->column = 0) {
        bool is_member = tt_plot_member(&plot->request, load->next, &thread);
        for (; is_member && load->column < plot->request.columns; load->column++) {
            if (*work == 0) {
                return;
            }
            add_member(plot, timelines, thread, load->column);
            *work -= *work < SUM_WORK ? *work : SUM_WORK;
        }
    }
    plot->layers[0] =
        (struct tt_plot_layer){.kind = TT_LAYER_ROW, .number = plot->request.row.of.thread};
    plot->layer_count = plot->request.kind == TT_PLOT_CLASS;
    sum_layers(plot);
    load->phase = DONE;
}

/* Counts the events before a time. */
static uint64_t events_before(const struct tt_plot *plot, uint64_t ticks)
{
    struct tt_events *events = plot->request.sheet->request.events;
    return tt_events_number(events, tt_events_row_at_key(events, ticks, 0));
}

static void count_column(struct tt_plot *plot, const struct tt_timelines *timelines,
                         unsigned column)
{
    uint64_t from = tt_plot_edge(plot, column), to = tt_plot_edge(plot, column + 1);
    struct tt_plot_column *plot_column = &plot->columns[column];
    bool of_cpu = plot->request.subject == TT_PLOT_OF_CELL;
    if (plot->request.subject == TT_PLOT_OF_EVENTS) {
        plot_column->count = events_before(plot, to) - events_before(plot, from);
        return;
    }
    for (uint32_t cpu = 0; cpu < tt_cpu_count(timelines); cpu++) {
        struct tt_cpu_sums sums = {0};
        if (!of_cpu || cpu == plot->request.row.of.cpu) {
            tt_cpu_sum(timelines, (uint16_t)cpu, from, to, &sums);
            plot_column->count +=
                of_cpu ? member_at(&sums, plot->request.column->field - tt_table_cpus.cpu_sums)
                       : sums.switches;
        }
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool of_members(const struct tt_plot *plot)
{
    return plot->request.subject == TT_PLOT_OF_CELL && plot->request.kind != TT_PLOT_LOAD &&
           plot->request.sheet->request.table != &tt_table_cpus;
}

struct tt_plot_load *tt_plot_load_new(struct tt_plot *plot)
{
    struct tt_plot_load *load = calloc(1, sizeof *load);
    const struct tt_capture *capture = plot->request.capture;
    size_t cells = (size_t)TT_PLOT_LAYERS * plot->request.columns;
    if (!load) {
        return NULL;
    }
    load->reached = plot->from;
    load->one_cpu = plot->request.subject == TT_PLOT_OF_CELL &&
                    plot->request.kind == TT_PLOT_LOAD &&
                    plot->request.sheet->request.table == &tt_table_cpus;
    load->ran_count = load->one_cpu              ? tt_thread_count(capture)
                      : plot->request.by_process ? tt_process_count(capture)
                                                 : 0;
    load->ran = calloc((size_t)load->ran_count + 1, sizeof *load->ran);
    free(plot->ticks);
    free(plot->capacity);
    plot->ticks = calloc(cells, sizeof *plot->ticks);
    plot->capacity = calloc(plot->request.columns, sizeof *plot->capacity);
    plot->layer_count = 0;
    bool has_own = plot->request.subject == TT_PLOT_OF_CELL && plot->request.kind == TT_PLOT_LOAD &&
                   !load->one_cpu;
    if (has_own) {
        uint32_t number =
            plot->request.by_process ? plot->request.row.of.process : plot->request.row.of.thread;
        plot->layers[plot->layer_count++] = (struct tt_plot_layer){TT_LAYER_ROW, number, 0};
    }
    if (!load->ran || !plot->ticks || !plot->capacity) {
        tt_plot_load_free(load);
        return NULL;
    }
    return load;
}

void tt_plot_load_free(struct tt_plot_load *load)
{
    if (load) {
        free(load->ran);
        free(load);
    }
}

bool tt_plot_load_step(struct tt_plot *plot, uint64_t *work, bool *done)
{
    const struct tt_timelines *timelines = tt_plot_timelines(&plot->request);
    struct tt_plot_load *load = plot->load;
    bool empty = !timelines || plot->to <= plot->from;
    while (*work > 0 && load->phase != DONE && !empty) {
        if (plot->request.kind == TT_PLOT_RATE && !of_members(plot)) {

            uint64_t cost = plot->request.subject == TT_PLOT_OF_EVENTS ? 2048 : SUM_WORK * 4;
            for (; *work > 0 && load->column < plot->request.columns; load->column++) {
                count_column(plot, timelines, load->column);
                *work -= *work < cost ? *work : cost;
            }
            load->phase = load->column < plot->request.columns ? load->phase : DONE;
        } else if (of_members(plot)) {
            step_members(plot, timelines, work);
        } else if (load->phase == CPUS) {
            step_cpus(plot, timelines, work);
        } else if (load->one_cpu) {
            step_one_cpu(plot, timelines, work);
        } else if (load->phase == RANK) {
            rank_threads(plot, timelines, work);
        } else {
            fill_threads(plot, timelines, work);
        }
    }
    *done = load->phase == DONE || empty;
    return true;
}
