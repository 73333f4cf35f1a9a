/* SPDX-License-Identifier: Apache-2.0 */
/* scan_states: the tables states, cpu_time and switches: the timelines of threads and CPUs. */
#include "sql/tables.h"
#include "tracetui/timeline.h"

/* ---- states --------------------------------------------------------------------------------- */

#define STATE_COLUMNS(X)                                                                           \
    X(STATE_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread: key of `threads`")                      \
    X(STATE_NS, "ts_ns", SQL_NS, SQL_BY_NS, "begin")                                               \
    X(STATE_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "begin in ticks")                          \
    X(STATE_END_NS, "end_ns", SQL_NS, SQL_UNBOUND, "end: begin of the thread's next state")        \
    X(STATE_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "end in ticks")                              \
    X(STATE_DUR_NS, "dur_ns", SQL_NS, SQL_UNBOUND, "length")                                       \
    X(STATE_DUR, "dur_ticks", SQL_TICKS, SQL_UNBOUND, "length in ticks; sums of it are exact")     \
    X(STATE_STATE, "state", SQL_TEXT, SQL_UNBOUND, "the format's state: `RECEIVE`")                \
    X(STATE_CLASS, "class", SQL_TEXT, SQL_UNBOUND, "its class: `running`, `ready`, `ipc`, ...")    \
    X(STATE_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU of a run; else that of the last run")         \
    X(STATE_PRIORITY, "priority", SQL_NUMBER, SQL_UNBOUND, "priority at its begin, or null")       \
    X(STATE_SWITCHED, "switched_in", SQL_FLAG, SQL_UNBOUND, "1: a run that began with a switch")   \
    X(STATE_MIGRATED, "migrated", SQL_FLAG, SQL_UNBOUND, "1: a run on another CPU than the last")  \
    X(STATE_OPEN, "is_open", SQL_FLAG, SQL_UNBOUND, "1: its true end is not recorded")             \
    X(STATE_BEFORE, "since_before", SQL_FLAG, SQL_UNBOUND, "1: its true begin is not recorded")    \
    X(STATE_PID, "pid", SQL_NUMBER, SQL_BY_PID, "number of the thread's process")                  \
    X(STATE_TID, "tid", SQL_NUMBER, SQL_BY_TID, "number of the thread in it")                      \
    X(STATE_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "name of the thread")                         \
    X(STATE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { STATE_COLUMNS(SQL_COLUMN_ENUM) STATE_COLUMN_COUNT };
static const struct sql_column state_columns[] = {STATE_COLUMNS(SQL_COLUMN_ROW)};

struct state_walk {
    uint32_t thread, threads;
    uint32_t count, at;
    bool more;
    struct tt_interval_at first; /* position of list[0] */
    struct tt_interval_at next;
    struct tt_interval list[TT_INTERVALS];
};

static bool begin_states(struct sql_scan *scan)
{
    struct state_walk *w = scan->state;
    w->threads = scan->c->timelines ? tt_thread_count(scan->c->capture) : 0;
    w->thread = UINT32_MAX; /* the first one is next */
    return true;
}

/* Goes before the first interval of the thread within the bounds: several may begin at one time. */
static bool first_interval(struct sql_scan *scan, struct state_walk *w)
{
    const struct tt_timelines *t = scan->c->timelines;
    uint64_t from = scan->bounds.from;
    return (from > 0 && tt_interval_find(t, w->thread, from - 1, &w->next)) ||
           tt_interval_first(t, w->thread, &w->next);
}

/* Reads more intervals, of this thread or of the next one that has some. */
static bool read_intervals(struct sql_scan *scan)
{
    struct state_walk *w = scan->state;
    if (!sql_check(scan)) {
        return false;
    }
    bool past = w->count > 0 && w->list[w->count - 1].start > scan->bounds.last;
    if (!w->more || past) {
        do {
            w->thread = sql_next_thread(scan, w->thread + 1);
        } while (w->thread < w->threads && !first_interval(scan, w));
        if (w->thread >= w->threads) {
            return false;
        }
    }
    w->first = w->next;
    w->count = tt_intervals_read(scan->c->timelines, &w->next, w->list, &w->more);
    w->at = 0;
    return w->count > 0;
}

static bool is_wanted(const struct sql_scan *scan, const struct tt_interval *i)
{
    const struct sql_bounds *b = &scan->bounds;
    return i->start >= b->from && i->start <= b->last && (b->cpu == UINT32_MAX || i->cpu == b->cpu);
}

static bool next_state(struct sql_scan *scan)
{
    struct state_walk *w = scan->state;
    for (w->at++;; w->at++) {
        while (w->at >= w->count) {
            if (!read_intervals(scan)) {
                w->count = w->at = 0;
                w->more = false;
                w->thread = w->threads;
                return false;
            }
        }
        if (is_wanted(scan, &w->list[w->at])) {
            return true;
        }
    }
}

static uint64_t state_row(struct sql_scan *scan)
{
    const struct state_walk *w = scan->state;
    return sql_rows_before(scan, SQL_LANES_THREADS, w->thread) +
           tt_interval_index(scan->c->timelines, w->first) + w->at;
}

static void put_priority(struct sql_scan *scan, struct sql_value *v, uint32_t thread, uint64_t at)
{
    int priority = tt_thread_priority(scan->c->timelines, thread, at);
    if (priority != TT_NO_PRIORITY) {
        sql_put_i64(v, priority);
    }
}

/* Returns whether the end of the current interval is not recorded, although another one follows. */
static bool is_cut(const struct sql_scan *scan, const struct state_walk *w)
{
    if (w->at + 1 < w->count) {
        return w->list[w->at + 1].cut_before;
    }
    return w->more && tt_interval_get(scan->c->timelines, w->next).cut_before;
}

static void state_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct state_walk *w = scan->state;
    const struct tt_interval *i = &w->list[w->at];
    switch (column) {
    case STATE_UTID:
        sql_put_key(scan, v, i->thread);
        break;
    case STATE_NS:
        sql_put_ns(scan, v, i->start);
        break;
    case STATE_TICKS:
        sql_put_u64(v, i->start);
        break;
    case STATE_END_NS:
        sql_put_ns(scan, v, i->end);
        break;
    case STATE_END:
        sql_put_u64(v, i->end);
        break;
    case STATE_DUR_NS:
        sql_put_ns(scan, v, i->end - i->start);
        break;
    case STATE_DUR:
        sql_put_u64(v, i->end - i->start);
        break;
    case STATE_STATE:
        sql_put_state(scan, v, i->state);
        break;
    case STATE_CLASS:
        sql_put_state_class(scan, v, i->class_);
        break;
    case STATE_CPU:
        sql_put_cpu(v, i->cpu);
        break;
    case STATE_PRIORITY:
        put_priority(scan, v, i->thread, i->start);
        break;
    case STATE_SWITCHED:
        sql_put_u64(v, i->switched_in);
        break;
    case STATE_MIGRATED:
        sql_put_u64(v, i->migrated);
        break;
    case STATE_OPEN:
        sql_put_u64(v, i->open || is_cut(scan, w));
        break;
    case STATE_BEFORE:
        sql_put_u64(v, i->since_before);
        break;
    case STATE_PID:
        sql_put_pid(scan, v, i->thread);
        break;
    case STATE_TID:
        sql_put_tid(scan, v, i->thread);
        break;
    case STATE_THREAD:
        sql_put_thread_name(scan, v, i->thread);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_states = {
    .name = "states",
    .group = "Scheduling",
    .doc = "States of threads, thread by thread in order of time, without gaps. A run is a row of "
           "class `running`.",
    .columns = state_columns,
    .column_count = STATE_COLUMN_COUNT,
    .state_size = sizeof(struct state_walk),
    .size = SQL_MANY,
    .by_thread = true,
    .begin = begin_states,
    .next = next_state,
    .row = state_row,
    .value = state_value,
};

/* ---- CPUs ----------------------------------------------------------------------------------- */

struct cpu_walk {
    uint32_t cpu, cpus;
    uint32_t count, at;
    uint32_t last; /* thread before the current row, or TT_OCCUPANT_UNKNOWN */
    uint64_t last_end;
    bool begun, more;
    uint32_t from; /* of the current switch */
    uint64_t from_end;
    struct tt_occupation_at first; /* position of list[0] */
    struct tt_occupation_at next;
    struct tt_occupation list[TT_INTERVALS];
};

static bool begin_cpus(struct sql_scan *scan)
{
    struct cpu_walk *w = scan->state;
    w->cpus = scan->c->timelines ? tt_cpu_count(scan->c->timelines) : 0;
    return true;
}

/* Goes before the first occupation of the CPU within the bounds: several may begin at one time. */
static bool first_occupation(struct sql_scan *scan, struct cpu_walk *w)
{
    const struct tt_timelines *t = scan->c->timelines;
    uint64_t from = scan->bounds.from;
    struct tt_occupation_at at;
    w->last = TT_OCCUPANT_UNKNOWN;
    if (from == 0 || !tt_occupation_find(t, (uint16_t)w->cpu, from - 1, &w->next)) {
        return tt_occupation_first(t, (uint16_t)w->cpu, &w->next);
    }
    at = w->next;
    while (tt_occupation_previous(t, &at)) { /* the thread before it */
        struct tt_occupation o = tt_occupation_get(t, at);
        if (o.occupant != TT_OCCUPANT_KERNEL) {
            w->last = o.occupant;
            w->last_end = o.end;
            break;
        }
    }
    return true;
}

static bool read_occupations(struct sql_scan *scan)
{
    struct cpu_walk *w = scan->state;
    const struct sql_bounds *b = &scan->bounds;
    if (!sql_check(scan)) {
        return false;
    }
    if (!w->more || w->list[w->count - 1].start > b->last) {
        do {
            w->cpu += w->begun;
            w->begun = true;
        } while (w->cpu < w->cpus &&
                 ((b->cpu != UINT32_MAX && b->cpu != w->cpu) || !first_occupation(scan, w)));
        if (w->cpu >= w->cpus) {
            return false;
        }
    }
    w->first = w->next;
    w->count = tt_occupations_read(scan->c->timelines, &w->next, w->list, &w->more);
    w->at = 0;
    return w->count > 0;
}

/* Moves to the next occupation that begins within the bounds; false at the end. */
static bool next_occupation(struct sql_scan *scan)
{
    struct cpu_walk *w = scan->state;
    const struct tt_occupation *o = &w->list[w->at];
    if (w->count > 0 && o->occupant != TT_OCCUPANT_KERNEL) {
        w->last = o->occupant;
        w->last_end = o->end;
    }
    w->at++;
    while (w->at >= w->count) {
        if (!read_occupations(scan)) {
            w->count = w->at = 0;
            w->more = false;
            w->cpu = w->cpus;
            return false;
        }
    }
    return true;
}

static uint64_t occupation_row(struct sql_scan *scan)
{
    const struct cpu_walk *w = scan->state;
    return sql_rows_before(scan, SQL_LANES_CPUS, w->cpu) +
           tt_occupation_index(scan->c->timelines, w->first) + w->at;
}

static bool is_in_time(const struct sql_scan *scan, const struct tt_occupation *o)
{
    return o->start >= scan->bounds.from && o->start <= scan->bounds.last;
}

static bool is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

static void put_occupant(struct sql_scan *scan, struct sql_value *v, uint32_t occupant)
{
    if (occupant < tt_thread_count(scan->c->capture)) {
        sql_put_key(scan, v, occupant);
    }
}

#define CPU_COLUMNS(X)                                                                             \
    X(CPU_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU")                                               \
    X(CPU_NS, "ts_ns", SQL_NS, SQL_BY_NS, "begin")                                                 \
    X(CPU_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "begin in ticks")                            \
    X(CPU_END_NS, "end_ns", SQL_NS, SQL_UNBOUND, "end")                                            \
    X(CPU_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "end in ticks")                                \
    X(CPU_DUR_NS, "dur_ns", SQL_NS, SQL_UNBOUND, "length, with interrupts")                        \
    X(CPU_DUR, "dur_ticks", SQL_TICKS, SQL_UNBOUND, "length in ticks")                             \
    X(CPU_IRQ, "irq_ticks", SQL_TICKS, SQL_UNBOUND, "part of it spent in interrupts")              \
    X(CPU_WHAT, "occupant", SQL_TEXT, SQL_UNBOUND, "`thread`, `idle`, `kernel` or `unknown`")      \
    X(CPU_UTID, "utid", SQL_KEY, SQL_UNBOUND, "thread: key of `threads`; null: none")              \
    X(CPU_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { CPU_COLUMNS(SQL_COLUMN_ENUM) CPU_COLUMN_COUNT };
static const struct sql_column cpu_columns[] = {CPU_COLUMNS(SQL_COLUMN_ROW)};

static bool next_cpu_time(struct sql_scan *scan)
{
    struct cpu_walk *w = scan->state;
    while (next_occupation(scan)) {
        const struct tt_occupation *o = &w->list[w->at];
        if (is_in_time(scan, o) && o->end > o->start) {
            return true;
        }
    }
    return false;
}

static const char *occupant_name(const struct tt_occupation *o)
{
    return o->idle                              ? "idle"
           : o->occupant == TT_OCCUPANT_KERNEL  ? "kernel"
           : o->occupant == TT_OCCUPANT_UNKNOWN ? "unknown"
                                                : "thread";
}

static void cpu_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct cpu_walk *w = scan->state;
    const struct tt_occupation *o = &w->list[w->at];
    switch (column) {
    case CPU_CPU:
        sql_put_cpu(v, o->cpu);
        break;
    case CPU_NS:
        sql_put_ns(scan, v, o->start);
        break;
    case CPU_TICKS:
        sql_put_u64(v, o->start);
        break;
    case CPU_END_NS:
        sql_put_ns(scan, v, o->end);
        break;
    case CPU_END:
        sql_put_u64(v, o->end);
        break;
    case CPU_DUR_NS:
        sql_put_ns(scan, v, o->end - o->start);
        break;
    case CPU_DUR:
        sql_put_u64(v, o->end - o->start);
        break;
    case CPU_IRQ:
        sql_put_u64(v, tt_cpu_irq(scan->c->timelines, o->cpu, o->start, o->end));
        break;
    case CPU_WHAT:
        sql_put_cstr(v, occupant_name(o));
        break;
    case CPU_UTID:
        put_occupant(scan, v, o->occupant);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_cpu_time = {
    .name = "cpu_time",
    .group = "Scheduling",
    .doc = "What had each CPU, CPU by CPU in order of time, without gaps.",
    .columns = cpu_columns,
    .column_count = CPU_COLUMN_COUNT,
    .state_size = sizeof(struct cpu_walk),
    .size = SQL_MANY,
    .begin = begin_cpus,
    .next = next_cpu_time,
    .row = occupation_row,
    .value = cpu_value,
};

/* ---- switches ------------------------------------------------------------------------------- */

#define SWITCH_COLUMNS(X)                                                                          \
    X(SWITCH_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time at which the next thread runs")                 \
    X(SWITCH_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                 \
    X(SWITCH_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU")                                            \
    X(SWITCH_FROM, "from_utid", SQL_KEY, SQL_UNBOUND, "thread that ran before; null: idle")        \
    X(SWITCH_TO, "to_utid", SQL_KEY, SQL_UNBOUND, "thread that runs; null: idle")                  \
    X(SWITCH_FROM_STATE, "from_state", SQL_TEXT, SQL_UNBOUND, "state in which it left, or null")   \
    X(SWITCH_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { SWITCH_COLUMNS(SQL_COLUMN_ENUM) SWITCH_COLUMN_COUNT };
static const struct sql_column switch_columns[] = {SWITCH_COLUMNS(SQL_COLUMN_ROW)};

/* A switch: from one thread, or idleness, to another one, as `stats --by pair` counts them. */
static bool next_switch(struct sql_scan *scan)
{
    struct cpu_walk *w = scan->state;
    while (next_occupation(scan)) {
        const struct tt_occupation *o = &w->list[w->at];
        if (is_in_time(scan, o) && is_thread(o->occupant) && w->last != TT_OCCUPANT_UNKNOWN &&
            w->last != o->occupant) {
            w->from = w->last;
            w->from_end = w->last_end;
            return true;
        }
    }
    return false;
}

/* Sets the state of the thread that left, where its run ended. */
static void put_from_state(struct sql_scan *scan, struct sql_value *v)
{
    const struct cpu_walk *w = scan->state;
    struct tt_interval_at at;
    if (w->from < tt_thread_count(scan->c->capture) &&
        tt_interval_find(scan->c->timelines, w->from, w->from_end, &at)) {
        sql_put_state(scan, v, tt_interval_get(scan->c->timelines, at).state);
    }
}

static void switch_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct cpu_walk *w = scan->state;
    const struct tt_occupation *o = &w->list[w->at];
    switch (column) {
    case SWITCH_NS:
        sql_put_ns(scan, v, o->start);
        break;
    case SWITCH_TICKS:
        sql_put_u64(v, o->start);
        break;
    case SWITCH_CPU:
        sql_put_cpu(v, o->cpu);
        break;
    case SWITCH_FROM:
        put_occupant(scan, v, w->from);
        break;
    case SWITCH_TO:
        put_occupant(scan, v, o->occupant);
        break;
    case SWITCH_FROM_STATE:
        put_from_state(scan, v);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_switches = {
    .name = "switches",
    .group = "Scheduling",
    .doc = "Context switches, CPU by CPU in order of time: as many as `stats --by pair` counts.",
    .columns = switch_columns,
    .column_count = SWITCH_COLUMN_COUNT,
    .state_size = sizeof(struct cpu_walk),
    .size = SQL_MANY,
    .begin = begin_cpus,
    .next = next_switch,
    .row = occupation_row,
    .value = switch_value,
};
