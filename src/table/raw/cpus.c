/* SPDX-License-Identifier: Apache-2.0 */
/* cpus: what had each CPU, and the switches from one thread to another, CPU by CPU. */
#include "table/raw/bounds.h"
#include "tracetui/timeline.h"

struct cpu_rows {
    bool more;
    uint32_t cpu, cpus;
    uint32_t count, at;
    uint32_t last; /* thread before the current row, or TT_OCCUPANT_UNKNOWN */
    uint64_t last_end;
    struct tt_occupation_at first; /* position of list[0] */
    struct tt_occupation_at next;
    struct tt_occupation list[TT_INTERVALS];
};

/* Goes before the first occupation of the CPU within the bounds: several may begin at one time. */
static bool first_occupation(const struct tt_table_run *run, struct cpu_rows *rows)
{
    const struct tt_timelines *timelines = run->timelines;
    uint64_t from = run->bounds.from;
    struct tt_occupation_at at;
    rows->last = TT_OCCUPANT_UNKNOWN;
    if (from == 0 || !tt_occupation_find(timelines, (uint16_t)rows->cpu, from - 1, &rows->next)) {
        return tt_occupation_first(timelines, (uint16_t)rows->cpu, &rows->next);
    }
    at = rows->next;
    while (tt_occupation_previous(timelines, &at)) { /* the thread before it */
        struct tt_occupation o = tt_occupation_get(timelines, at);
        if (o.occupant != TT_OCCUPANT_KERNEL) {
            rows->last = o.occupant;
            rows->last_end = o.end;
            break;
        }
    }
    return true;
}

static bool begin_cpus(struct tt_table_run *run)
{
    struct cpu_rows *rows = run->state;
    rows->cpu = UINT32_MAX; /* before the first one */
    rows->cpus = tt_cpu_count(run->timelines);
    return true;
}

/* Moves to the next occupation; NULL at the end. */
static const struct tt_occupation *next_occupation(const struct tt_table_run *run)
{
    struct cpu_rows *rows = run->state;
    const struct tt_occupation *occupation = &rows->list[rows->at];
    if (rows->count > 0 && occupation->occupant != TT_OCCUPANT_KERNEL) {
        rows->last = occupation->occupant;
        rows->last_end = occupation->end;
    }
    rows->at++;
    while (rows->at >= rows->count) {
        uint32_t wanted = run->bounds.cpu;
        if (tt_raw_is_stopped(run)) {
            return NULL;
        }
        if (!rows->more || rows->list[rows->count - 1].start > run->bounds.last) {
            do {
                rows->cpu++;
            } while (rows->cpu < rows->cpus && ((wanted != UINT32_MAX && wanted != rows->cpu) ||
                                                !first_occupation(run, rows)));
            if (rows->cpu >= rows->cpus) {
                return NULL;
            }
        }
        rows->first = rows->next;
        rows->count = tt_occupations_read(run->timelines, &rows->next, rows->list, &rows->more);
        rows->at = 0;
        if (rows->count <= 0) {
            return NULL;
        }
    }
    return &rows->list[rows->at];
}

static uint64_t occupation_number(const struct tt_table_run *run)
{
    const struct cpu_rows *rows = run->state;
    return tt_raw_number(rows->cpu, tt_occupation_index(run->timelines, rows->first) + rows->at);
}

/* ---- occupants ---------------------------------------------------------------------------- */

struct occupation_row {
    uint64_t start, end, length;
    uint64_t irq; /* costly */
    const char *occupant;
    uint32_t thread;
    uint16_t cpu;
    uint16_t zero;
};

static const char *occupant_name(const struct tt_occupation *occupation)
{
    return occupation->idle                              ? "idle"
           : occupation->occupant == TT_OCCUPANT_KERNEL  ? "kernel"
           : occupation->occupant == TT_OCCUPANT_UNKNOWN ? "unknown"
                                                         : "thread";
}

static enum tt_made next_occupant(struct tt_table_run *run, void *row)
{
    const struct tt_occupation *occupation;
    while ((occupation = next_occupation(run)) != NULL) {
        if (tt_raw_has_time(run, occupation->start) && occupation->end > occupation->start) {
            *(struct occupation_row *)row = (struct occupation_row){
                .start = occupation->start,
                .end = occupation->end,
                .length = occupation->end - occupation->start,
                .occupant = occupant_name(occupation),
                .thread = tt_raw_occupant(run->capture, occupation->occupant),
                .cpu = occupation->cpu};
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

static void complete_occupant(const struct tt_table_run *run, void *room)
{
    struct occupation_row *row = room;
    row->irq = tt_cpu_irq(run->timelines, row->cpu, row->start, row->end);
}

#define ROW struct occupation_row

/* clang-format off */
static const struct tt_table_column occupation_columns[] = {
    RAW("cpu", CPU, cpu, "CPU.", .bound = TT_BOUND_CPU),
    RAW("ts", AT, start, "When it began.", .bound = TT_BOUND_TIME),
    RAW("end", AT, end, "When it ended."),
    RAW("dur", TIME_US, length, "Time from its begin to its end, with interrupts."),
    RAW("irq", TIME_US, irq, "Part of it spent in interrupts.", .is_ticks = true, .is_costly = true),
    RAW("occupant", TEXT, occupant, "`thread`, `idle`, `kernel` or `unknown`.", .is_lasting = true),
    RAW("utid", KEY, thread, "Thread: key of `threads`; null: none."),
};
/* clang-format on */

const struct tt_table tt_table_occupation_rows = {
    NAMES("cpu_time", "CPU time", "What had each CPU, CPU by CPU in order of time, without gaps.",
          "CPU [cpu]"),
    COLUMNS(occupation_columns),
    .begin = begin_cpus,
    .next = next_occupant,
    .number = occupation_number,
    .complete = complete_occupant,
    OF_RAW_ROWS(struct occupation_row, struct cpu_rows),
};

/* ---- switches ----------------------------------------------------------------------------- */

struct switch_row {
    uint64_t time;
    uint64_t from_end; /* when the thread before left */
    uint32_t from, to;
    uint16_t cpu;
    uint16_t zero[3];
};

static bool raw_cpus_is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* A switch: from one thread, or idleness, to another one, as `stats --by pair` counts them. */
static enum tt_made next_switch(struct tt_table_run *run, void *row)
{
    const struct cpu_rows *rows = run->state;
    const struct tt_occupation *occupation;
    while ((occupation = next_occupation(run)) != NULL) {
        if (tt_raw_has_time(run, occupation->start) && raw_cpus_is_thread(occupation->occupant) &&
            rows->last != TT_OCCUPANT_UNKNOWN && rows->last != occupation->occupant) {
            *(struct switch_row *)row =
                (struct switch_row){.time = occupation->start,
                                    .from_end = rows->last_end,
                                    .from = tt_raw_occupant(run->capture, rows->last),
                                    .to = tt_raw_occupant(run->capture, occupation->occupant),
                                    .cpu = occupation->cpu};
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* Sets the state of the thread that left, where its run ended. */
static TT_CELL_FUNCTION(from_state)
{
    const struct switch_row *switch_row = row;
    struct tt_interval_at at;
    (void)column;
    if (switch_row->from != UINT32_MAX &&
        tt_interval_find(run->timelines, switch_row->from, switch_row->from_end, &at)) {
        unsigned state = tt_interval_get(run->timelines, at).state;
        const char *name = tt_raw_state(run->capture, state);
        if (name) {
            tt_table_set_text(cell, name);
        }
    }
}

#undef ROW
#define ROW struct switch_row

/* clang-format off */
static const struct tt_table_column switch_columns[] = {
    RAW("ts", AT, time, "When the next thread ran.", .bound = TT_BOUND_TIME),
    RAW("cpu", CPU, cpu, "CPU.", .bound = TT_BOUND_CPU),
    RAW("from_utid", KEY, from, "Thread that ran before; null: idle."),
    RAW("to_utid", KEY, to, "Thread that runs; null: idle."),
    RAW_MADE("from_state", NAME, from_state, "State in which it left, or null."),
};
/* clang-format on */

const struct tt_table tt_table_switch_rows = {
    NAMES("switches", "Switches",
          "Context switches, CPU by CPU in order of time: as many as `stats --by pair` counts.",
          "CPU [cpu]"),
    COLUMNS(switch_columns),
    .begin = begin_cpus,
    .next = next_switch,
    .number = occupation_number,
    OF_RAW_ROWS(struct switch_row, struct cpu_rows),
};
