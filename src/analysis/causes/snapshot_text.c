/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/snapshot_text.h"

#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/line_parts.h"
#include "tracetui/time.h"

#define CHAIN_MOST 64u /* links of a chain that are printed */

/* clang-format off */
const struct tt_snapshot_run tt_snapshot_runs[TT_SNAPSHOT_RUNS] = {
    {"run_1ms",   "1 ms",   1000000},
    {"run_10ms",  "10 ms",  10000000},
    {"run_100ms", "100 ms", 100000000},
    {"run_1s",    "1 s",    1000000000},
};
/* clang-format on */

uint64_t tt_snapshot_run(const struct tt_snapshot_scene *scene, uint32_t thread, unsigned window)
{
    const struct tt_capture *c = scene->capture;
    struct tt_thread_sums sums;
    uint64_t ticks, at = scene->snapshot->at;
    if (c->clock_hz == 0 || !tt_ns_to_ticks(tt_snapshot_runs[window].ns, c->clock_hz, &ticks)) {
        return UINT64_MAX;
    }
    tt_thread_sum(scene->timelines, thread, at > ticks ? at - ticks : 0, at, &sums);
    return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
}

/* ---- text --------------------------------------------------------------------------------- */

bool tt_snapshot_put_waits_for(struct tt_text *text, const struct tt_capture *c,
                               const struct tt_snapshot_row *row)
{
    switch (row->waits_for) {
    case TT_WAITS_FOR_THREAD:
        tt_line_thread(text, c, row->by);
        return true;
    case TT_WAITS_FOR_CPU:
        if (row->by != TT_NO_THREAD) {
            tt_line_thread(text, c, row->by);
        } else {
            tt_text_str(text, "CPU");
        }
        return true;
    case TT_WAITS_FOR_TIMER:
        tt_text_str(text, "timer");
        return true;
    case TT_WAITS_FOR_INTERRUPT:
        tt_text_str(text, "interrupt");
        if (row->vector != TT_NO_VECTOR) {
            tt_text_char(text, ' ');
            tt_text_u64(text, row->vector);
        }
        return true;
    default:
        return false;
    }
}

bool tt_snapshot_put_blocked_on(struct tt_text *text, const struct tt_capture *c,
                                const struct tt_snapshot_row *row)
{
    return row->waits_for != TT_WAITS_FOR_CPU && tt_snapshot_put_waits_for(text, c, row);
}

bool tt_snapshot_put_chain(struct tt_text *text, const struct tt_snapshot_scene *scene,
                           const struct tt_snapshot_row *row)
{
    uint32_t depth = row->depth, i = 0;
    while (row && i <= depth) {
        const struct tt_snapshot_row *next = tt_snapshot_next(scene->snapshot, row);
        size_t start = text->used;
        if (i == depth && next) {
            break; /* a cycle */
        }
        tt_text_str(text, i > 0 ? " > " : "");
        if (i == CHAIN_MOST) {
            tt_text_str(text, "..");
            break;
        }
        tt_text_str(text, row->from_wake ? "(" : "");
        if (!tt_snapshot_put_waits_for(text, scene->capture, row)) {
            text->used = start;
            break;
        }
        tt_text_str(text, row->from_wake ? ")" : "");
        i++;
        row = next;
    }
    return i > 0;
}

void tt_snapshot_put_root(struct tt_text *text, const struct tt_capture *c,
                          const struct tt_snapshot_row *row)
{
    if (row->waits_for == TT_WAITS_FOR_THREAD) {
        tt_line_thread(text, c, row->by);
        tt_text_str(text, " (not there at this time)");
    } else if (!tt_snapshot_put_waits_for(text, c, row)) {
        tt_text_str(text, tt_waits_for_name(row->waits_for));
    }
}

bool tt_snapshot_put_cpu(struct tt_text *text, const struct tt_capture *c,
                         const struct tt_snapshot_cpu *cpu)
{
    if (cpu->has_call) {
        tt_text_str(text, "in ");
        tt_text_str(text, tt_types_at(c, cpu->call)->name);
    }
    if (cpu->interrupts > 0) {
        tt_text_str(text, cpu->has_call ? "  interrupt" : "interrupt");
        if (cpu->vector != TT_NO_VECTOR) {
            tt_text_char(text, ' ');
            tt_text_u64(text, cpu->vector);
        }
        if (cpu->interrupts > 1) {
            tt_text_str(text, ", nested ");
            tt_text_u64(text, cpu->interrupts);
        }
    }
    return cpu->has_call || cpu->interrupts > 0;
}

/* ---- CSV and pairs ------------------------------------------------------------------------ */

/* Columns in their order; times end in the unit. */
static const char *const keys[] = {
    "at+",        "pid",       "tid",        "process",   "thread",         "priority",
    "state",      "since+",    "until+",     "cpu",       "blocked_on_pid", "blocked_on_tid",
    "blocked_on", "chain",     "depth",      "waits_for", "from_wake",      "deadlock",
    "run_1ms+",   "run_10ms+", "run_100ms+", "run_1s+",
};

static void put_key(struct tt_text *text, const struct tt_capture *c, const char *key)
{
    size_t length = strcspn(key, "+");
    tt_text_bytes(text, key, length);
    tt_text_str(text, key[length] != '+' ? "" : c->clock_hz ? "_ns" : "_ticks");
}

void tt_snapshot_csv_heading(struct tt_text *text, const struct tt_capture *c)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        tt_text_str(text, i > 0 ? "," : "");
        put_key(text, c, keys[i]);
    }
    tt_text_char(text, '\n');
}

/* A row that is written value by value. */
struct writer {
    struct tt_text *text;
    const struct tt_capture *c;
    unsigned column;
    bool pairs; /* key=value instead of CSV */
};

static void begin_value(struct writer *w)
{
    tt_text_str(w->text, w->column == 0 ? "" : w->pairs ? " " : ",");
    if (w->pairs) {
        put_key(w->text, w->c, keys[w->column]);
        tt_text_char(w->text, '=');
    }
    w->column++;
}

static void put_number(struct writer *w, bool known, uint64_t value)
{
    begin_value(w);
    if (known) {
        tt_text_u64(w->text, value);
    }
}

/* Ends a text that began at `start`. */
static void end_text(struct writer *w, size_t start)
{
    if (!w->pairs) {
        tt_csv_text_from(w->text, start);
    }
}

static void put_names(struct writer *w, const struct tt_thread *thread, uint32_t number)
{
    size_t length;
    const char *name = tt_process_base_name(w->c, tt_process_at(w->c, thread->process), &length);
    begin_value(w);
    size_t start = w->text->used;
    tt_text_escaped(w->text, name, length);
    end_text(w, start);
    begin_value(w);
    start = w->text->used;
    tt_line_thread(w->text, w->c, number);
    end_text(w, start);
}

static void put_waits(struct writer *w, const struct tt_snapshot_scene *scene,
                      const struct tt_snapshot_row *row)
{
    const struct tt_thread *by =
        row->waits_for == TT_WAITS_FOR_THREAD ? tt_thread_at(w->c, row->by) : NULL;
    put_number(w, by, by ? tt_process_at(w->c, by->process)->pid : 0);
    put_number(w, by, by ? by->tid : 0);
    begin_value(w);
    size_t start = w->text->used;
    tt_snapshot_put_blocked_on(w->text, w->c, row);
    end_text(w, start);
    begin_value(w);
    start = w->text->used;
    tt_snapshot_put_chain(w->text, scene, row);
    end_text(w, start);
    put_number(w, true, row->depth);
    begin_value(w);
    tt_text_str(w->text, tt_waits_for_name(row->waits_for));
    put_number(w, true, row->from_wake);
    put_number(w, true, row->deadlock);
}

static void put_row(struct writer *w, const struct tt_snapshot_scene *scene,
                    const struct tt_snapshot_row *row)
{
    const struct tt_thread *thread = tt_thread_at(w->c, row->thread);
    put_number(w, true, tt_line_ns(w->c, scene->snapshot->at));
    put_number(w, true, tt_process_at(w->c, thread->process)->pid);
    put_number(w, true, thread->tid);
    put_names(w, thread, row->thread);
    begin_value(w);
    if (row->priority != TT_NO_PRIORITY) {
        tt_text_i64(w->text, row->priority);
    }
    begin_value(w);
    tt_text_str(w->text, tt_line_state(w->c, row->state));
    put_number(w, row->since_known, tt_line_ns(w->c, row->since));
    put_number(w, row->until_known, tt_line_ns(w->c, row->until));
    put_number(w, row->cpu != TT_NO_CPU, row->cpu);
    put_waits(w, scene, row);
    for (unsigned i = 0; i < TT_SNAPSHOT_RUNS; i++) {
        uint64_t run = tt_snapshot_run(scene, row->thread, i);
        put_number(w, run != UINT64_MAX, tt_line_ns(w->c, run));
    }
}

void tt_snapshot_csv_row(struct tt_text *text, const struct tt_snapshot_scene *scene,
                         const struct tt_snapshot_row *row)
{
    struct writer w = {.text = text, .c = scene->capture};
    put_row(&w, scene, row);
    tt_text_char(text, '\n');
}

void tt_snapshot_put_pairs(struct tt_text *text, const struct tt_snapshot_scene *scene,
                           const struct tt_snapshot_row *row)
{
    struct writer w = {.text = text, .c = scene->capture, .pairs = true};
    put_row(&w, scene, row);
}
