/* SPDX-License-Identifier: Apache-2.0 */
/* at: what every thread was doing at an instant, and what it waited for. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"
#include "tracetui/snapshot.h"
#include "tracetui/time.h"

#define WIDTH       80u
#define NAME_WIDTH  17u
#define STATE_WIDTH 9u
#define TIME_WIDTH  9u
#define CHAIN_MOST  64u
#define INDENT_MOST 16u

struct at {
    const struct tt_options *options;
    struct tt_input *input;
    struct tt_output *out;
    struct tt_event_selection pick;
    struct tt_wakes *wakes;
    const struct tt_timelines *timelines;
    struct tt_snapshot snapshot;
    bool before; /* the instant is before the first event */
    bool *shown; /* by row: in the tree already */
};

/* ---- which rows --------------------------------------------------------------------------- */

static bool is_word(const char *list, const char *word)
{
    size_t length = word ? strlen(word) : 0;
    while (*list && length > 0) {
        size_t part = strcspn(list, ",");
        if (part == length && strncasecmp(list, word, length) == 0) {
            return true;
        }
        list += part + (list[part] == ',');
    }
    return false;
}

static bool has_state(const struct at *a, const struct tt_snapshot_row *row)
{
    const char *list = a->options->state;
    return !list || is_word(list, tt_line_state(a->input->capture, row->state)) ||
           is_word(list, tt_class_name(row->class_)) ||
           (tt_class_is_lock(row->class_) && is_word(list, tt_class_name(TT_CLASS_LOCK)));
}

/* Returns whether a row is printed; idle and ended threads only if they are asked for. */
static bool is_picked(const struct at *a, const struct tt_snapshot_row *row)
{
    const struct tt_cpu_set *cpus = &a->options->cpus;
    const uint64_t *threads = a->pick.threads;
    bool ended = row->class_ == TT_CLASS_DEAD && !a->options->state;
    if (threads ? !(threads[row->thread / 64] >> (row->thread % 64) & 1)
                : tt_thread_at(a->input->capture, row->thread)->idle || ended) {
        return false;
    }
    return has_state(a, row) &&
           (!cpus->given ||
            (row->cpu < TT_CPU_LIMIT && cpus->bits[row->cpu / 64] >> (row->cpu % 64) & 1));
}

/* ---- values ------------------------------------------------------------------------------- */

/* Appends what a row waits for, without the rest of the chain; false if it is nothing. */
static bool put_waits_for(struct tt_text *text, const struct at *a,
                          const struct tt_snapshot_row *row)
{
    const struct tt_capture *c = a->input->capture;
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

/* Appends the chain: "logger/1 > netmgr/2". Links known from a wake only are in parentheses. */
static bool put_chain(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    uint32_t depth = row->depth, i = 0;
    while (row && i <= depth) {
        const struct tt_snapshot_row *next = tt_snapshot_next(&a->snapshot, row);
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
        if (!put_waits_for(text, a, row)) {
            text->used = start;
            break;
        }
        tt_text_str(text, row->from_wake ? ")" : "");
        i++;
        row = next;
    }
    return i > 0;
}

/* Returns how long a thread ran in the last `ns` before the instant. */
static uint64_t run_in_last(const struct at *a, uint32_t thread, uint64_t ns)
{
    const struct tt_capture *c = a->input->capture;
    struct tt_thread_sums sums;
    uint64_t ticks, at = a->snapshot.at;
    if (c->clock_hz == 0 || !tt_ns_to_ticks(ns, c->clock_hz, &ticks)) {
        return UINT64_MAX;
    }
    tt_thread_sum(a->timelines, thread, at > ticks ? at - ticks : 0, at, &sums);
    return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
}

/* ---- JSON and CSV -------------------------------------------------------------------------- */

static const struct {
    const char *key;
    uint64_t ns;
} windows[] = {
    {"run_1ms", 1000000}, {"run_10ms", 10000000}, {"run_100ms", 100000000}, {"run_1s", 1000000000}};

/* Appends a text that `put` writes, or null. */
static void json_put(struct tt_text *text, const char *key, const struct at *a,
                     const struct tt_snapshot_row *row,
                     bool (*put)(struct tt_text *text, const struct at *a,
                                 const struct tt_snapshot_row *row))
{
    char buffer[4096];
    struct tt_text value = tt_text_of(buffer, sizeof buffer);
    bool any = put(&value, a, row);
    tt_json_key(text, key);
    if (any) {
        tt_text_json(text, value.buffer, value.used);
    } else {
        tt_text_str(text, "null");
    }
}

static bool put_blocked_on(struct tt_text *text, const struct at *a,
                           const struct tt_snapshot_row *row)
{
    return row->waits_for != TT_WAITS_FOR_CPU && put_waits_for(text, a, row);
}

static void json_process(struct tt_text *text, const struct tt_capture *c, uint32_t thread)
{
    size_t length;
    const char *name =
        tt_process_base_name(c, tt_process_at(c, tt_thread_at(c, thread)->process), &length);
    tt_json_key(text, "process");
    if (length > 0) {
        tt_text_json(text, name, length);
    } else {
        tt_text_str(text, "null");
    }
}

static void json_row(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    const struct tt_capture *c = a->input->capture;
    bool on_thread = row->waits_for == TT_WAITS_FOR_THREAD;
    tt_text_char(text, '{');
    tt_json_time(text, c, "at", a->snapshot.at);
    tt_json_lane(text, c, row->thread, "pid", "tid", NULL);
    json_process(text, c, row->thread);
    tt_json_key(text, "thread");
    tt_json_thread(text, c, row->thread);
    tt_json_key(text, "priority");
    if (row->priority != TT_NO_PRIORITY) {
        tt_json_i64(text, row->priority);
    } else {
        tt_text_str(text, "null");
    }
    tt_json_text(text, "state", tt_line_state(c, row->state));
    tt_json_time(text, c, "since", row->since_known ? row->since : UINT64_MAX);
    tt_json_time(text, c, "until", row->until_known ? row->until : UINT64_MAX);
    tt_json_number(text, "cpu", row->cpu != TT_NO_CPU, row->cpu);
    tt_json_lane(text, c, on_thread ? row->by : TT_NO_THREAD, "blocked_on_pid", "blocked_on_tid",
                 NULL);
    json_put(text, "blocked_on", a, row, put_blocked_on);
    json_put(text, "chain", a, row, put_chain);
    tt_json_number(text, "depth", true, row->depth);
    tt_json_text(text, "waits_for", tt_waits_for_name(row->waits_for));
    tt_json_key(text, "from_wake");
    tt_text_str(text, row->from_wake ? "true" : "false");
    tt_json_key(text, "deadlock");
    tt_text_str(text, row->deadlock ? "true" : "false");
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        tt_json_time(text, c, windows[i].key, run_in_last(a, row->thread, windows[i].ns));
    }
    tt_text_str(text, "}\n");
}

static void csv_heading(struct tt_text *text, const struct tt_capture *c)
{
    const char *unit = c->clock_hz ? "_ns" : "_ticks";
    static const char *const keys[] = {
        "at+",        "pid",       "tid",        "process",   "thread",         "priority",
        "state",      "since+",    "until+",     "cpu",       "blocked_on_pid", "blocked_on_tid",
        "blocked_on", "chain",     "depth",      "waits_for", "from_wake",      "deadlock",
        "run_1ms+",   "run_10ms+", "run_100ms+", "run_1s+"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t length = strcspn(keys[i], "+");
        tt_text_str(text, i > 0 ? "," : "");
        tt_text_bytes(text, keys[i], length);
        tt_text_str(text, keys[i][length] == '+' ? unit : "");
    }
    tt_text_char(text, '\n');
}

static void csv_number(struct tt_text *text, bool known, uint64_t value)
{
    tt_text_char(text, ',');
    if (known) {
        tt_text_u64(text, value);
    }
}

static void csv_put(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row,
                    bool (*put)(struct tt_text *text, const struct at *a,
                                const struct tt_snapshot_row *row))
{
    tt_text_char(text, ',');
    size_t start = text->used;
    put(text, a, row);
    tt_csv_text_from(text, start);
}

static bool put_process(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    const struct tt_capture *c = a->input->capture;
    size_t length;
    const char *name =
        tt_process_base_name(c, tt_process_at(c, tt_thread_at(c, row->thread)->process), &length);
    tt_text_escaped(text, name, length);
    return length > 0;
}

static bool put_thread(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    tt_line_thread(text, a->input->capture, row->thread);
    return true;
}

static void csv_row(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    const struct tt_capture *c = a->input->capture;
    const struct tt_thread *thread = tt_thread_at(c, row->thread);
    const struct tt_thread *by =
        row->waits_for == TT_WAITS_FOR_THREAD ? tt_thread_at(c, row->by) : NULL;
    tt_text_u64(text, tt_line_ns(c, a->snapshot.at));
    csv_number(text, true, tt_process_at(c, thread->process)->pid);
    csv_number(text, true, thread->tid);
    csv_put(text, a, row, put_process);
    csv_put(text, a, row, put_thread);
    tt_text_char(text, ',');
    if (row->priority != TT_NO_PRIORITY) {
        tt_text_i64(text, row->priority);
    }
    tt_text_char(text, ',');
    tt_text_str(text, tt_line_state(c, row->state));
    csv_number(text, row->since_known, tt_line_ns(c, row->since));
    csv_number(text, row->until_known, tt_line_ns(c, row->until));
    csv_number(text, row->cpu != TT_NO_CPU, row->cpu);
    csv_number(text, by, by ? tt_process_at(c, by->process)->pid : 0);
    csv_number(text, by, by ? by->tid : 0);
    csv_put(text, a, row, put_blocked_on);
    csv_put(text, a, row, put_chain);
    csv_number(text, true, row->depth);
    tt_text_char(text, ',');
    tt_text_str(text, tt_waits_for_name(row->waits_for));
    csv_number(text, true, row->from_wake);
    csv_number(text, true, row->deadlock);
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        uint64_t run = run_in_last(a, row->thread, windows[i].ns);
        csv_number(text, run != UINT64_MAX, tt_line_ns(c, run));
    }
    tt_text_char(text, '\n');
}

/* ---- text --------------------------------------------------------------------------------- */

static void put_head(struct tt_text *text, const struct at *a)
{
    const struct tt_capture *c = a->input->capture;
    uint64_t at = a->snapshot.at;
    tt_text_str(text, "at ");
    tt_line_time(text, c, tt_relative_ticks(c, at, a->input->progress.first_ticks));
    tt_text_str(text, a->before || at < tt_timelines_begin(a->timelines)
                          ? ": before the first event\n"
                      : at > tt_timelines_end(a->timelines) ? ": after the last event\n"
                                                            : "\n");
}

/* Appends a distance in time with its sign: -1.19 ms. */
static void put_distance(struct tt_text *text, const struct tt_capture *c, char sign, bool known,
                         uint64_t ticks)
{
    char buffer[40];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    if (known) {
        tt_text_char(&shown, sign);
        tt_line_duration(&shown, c, ticks);
    } else {
        tt_text_char(&shown, '?');
    }
    tt_text_fill(text, ' ', shown.used < TIME_WIDTH ? TIME_WIDTH - shown.used : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

static void put_priority(struct tt_text *text, int priority)
{
    char buffer[16];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    if (priority != TT_NO_PRIORITY) {
        tt_text_i64(&shown, priority);
    } else {
        tt_text_char(&shown, '-');
    }
    tt_text_fill(text, ' ', shown.used < 4 ? 4 - shown.used : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

/* In the order of pidin: process, thread, priority, state, what it is blocked on. */
static void put_row(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    const struct tt_capture *c = a->input->capture;
    const char *state = tt_line_state(c, row->state);
    size_t start = text->used;
    tt_line_number(text, tt_process_at(c, tt_thread_at(c, row->thread)->process)->pid, 6);
    tt_text_char(text, ' ');
    tt_line_thread_in(text, c, row->thread, NAME_WIDTH);
    put_priority(text, row->priority);
    tt_text_char(text, ' ');
    tt_line_column(text, state, strlen(state), STATE_WIDTH);
    put_distance(text, c, '-', row->since_known, a->snapshot.at - row->since);
    tt_text_char(text, ' ');
    put_distance(text, c, '+', row->until_known, row->until - a->snapshot.at);
    if (row->cpu != TT_NO_CPU) {
        tt_line_number(text, row->cpu, 3);
    } else {
        tt_text_str(text, "  -");
    }
    tt_text_char(text, ' ');
    put_chain(text, a, row);
    tt_line_finish(text, start, WIDTH);
}

static void put_deadlock(struct tt_text *text, const struct at *a,
                         const struct tt_snapshot_row *first)
{
    tt_text_str(text, "deadlock: ");
    tt_snapshot_put_cycle(text, a->input->capture, &a->snapshot, first);
    tt_text_char(text, '\n');
}

static void print_deadlocks(const struct at *a)
{
    for (uint32_t i = 0; i < a->snapshot.count && tt_output_is_open(a->out); i++) {
        const struct tt_snapshot_row *row = &a->snapshot.rows[i];
        if (tt_snapshot_begins_deadlock(&a->snapshot, row)) {
            TT_PRINT_LINE(a->out, put_deadlock(&text, a, row));
        }
    }
}

static void put_cpu(struct tt_text *text, const struct at *a, uint16_t cpu,
                    const struct tt_snapshot_cpu *r)
{
    const struct tt_capture *c = a->input->capture;
    size_t start = text->used;
    tt_text_str(text, "CPU");
    tt_line_number(text, cpu, 3);
    tt_text_char(text, ' ');
    if (r->occupant < tt_thread_count(c)) {
        tt_line_thread_in(text, c, r->occupant, NAME_WIDTH);
        put_priority(text, tt_thread_priority(a->timelines, r->occupant, a->snapshot.at));
    } else {
        const char *name = r->occupant == TT_OCCUPANT_IDLE     ? "idle"
                           : r->occupant == TT_OCCUPANT_KERNEL ? "kernel"
                                                               : "unknown";
        tt_line_column(text, name, strlen(name), NAME_WIDTH);
        tt_text_str(text, "    ");
    }
    tt_text_char(text, ' ');
    tt_text_fill(text, ' ', STATE_WIDTH + 1);
    put_distance(text, c, '-', true, a->snapshot.at - r->since);
    if (r->has_call) {
        tt_text_str(text, "  in ");
        tt_text_str(text, tt_types_at(c, r->call)->name);
    }
    if (r->interrupts > 0) {
        tt_text_str(text, "  interrupt");
        if (r->vector != TT_NO_VECTOR) {
            tt_text_char(text, ' ');
            tt_text_u64(text, r->vector);
        }
        if (r->interrupts > 1) {
            tt_text_str(text, ", nested ");
            tt_text_u64(text, r->interrupts);
        }
    }
    tt_line_finish(text, start, WIDTH);
}

static void print_cpus(const struct at *a)
{
    const struct tt_cpu_set *cpus = &a->options->cpus;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(a->timelines) && cpu < TT_CPU_LIMIT; cpu++) {
        struct tt_snapshot_cpu result;
        if ((!cpus->given || (cpus->bits[cpu / 64] >> (cpu % 64) & 1)) &&
            tt_snapshot_cpu(a->wakes, a->snapshot.at, (uint16_t)cpu, &result)) {
            TT_PRINT_LINE(a->out, put_cpu(&text, a, (uint16_t)cpu, &result));
        }
    }
}

static void print_table(const struct at *a)
{
    static const char heading[] =
        "   pid thread             pri STATE         since     until CPU blocked on\n";
    tt_output_write(a->out, heading, sizeof heading - 1);
    for (uint32_t i = 0; i < a->snapshot.count && tt_output_is_open(a->out); i++) {
        if (is_picked(a, &a->snapshot.rows[i])) {
            TT_PRINT_LINE(a->out, put_row(&text, a, &a->snapshot.rows[i]));
        }
    }
}

/* ---- the tree ----------------------------------------------------------------------------- */

static void put_leaf(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row,
                     unsigned indent)
{
    const struct tt_capture *c = a->input->capture;
    size_t start = text->used;
    tt_text_fill(text, ' ', 2 * (size_t)(indent < INDENT_MOST ? indent : INDENT_MOST));
    tt_line_thread(text, c, row->thread);
    tt_text_char(text, ' ');
    tt_text_str(text, tt_line_state(c, row->state));
    tt_text_str(text, " since ");
    put_distance(text, c, '-', row->since_known, a->snapshot.at - row->since);
    tt_text_str(text, row->from_wake ? " (from the wake)" : "");
    tt_text_str(text, row->deadlock ? " DEADLOCK" : "");
    tt_line_finish(text, start, WIDTH);
}

/* Prints the threads that wait for `row`, each once, without recursion: a chain may be long. */
static void print_waiters(const struct at *a, const struct tt_snapshot_row *root, unsigned indent)
{
    const struct tt_snapshot_row *at = root;
    uint32_t next = 0;
    while (tt_output_is_open(a->out)) {
        uint32_t i = next;
        while (i < a->snapshot.count &&
               (a->shown[i] || !is_picked(a, &a->snapshot.rows[i]) ||
                tt_snapshot_next(&a->snapshot, &a->snapshot.rows[i]) != at)) {
            i++;
        }
        if (i < a->snapshot.count) {
            a->shown[i] = true;
            at = &a->snapshot.rows[i];
            TT_PRINT_LINE(a->out, put_leaf(&text, a, at, ++indent));
            next = 0;
        } else if (at == root) {
            return;
        } else {
            next = (uint32_t)(at - a->snapshot.rows) + 1;
            at = tt_snapshot_next(&a->snapshot, at);
            indent--;
        }
    }
}

/* Writes what a thread waits for that waits for no other thread of the snapshot. */
static void put_root(struct tt_text *text, const struct at *a, const struct tt_snapshot_row *row)
{
    if (row->waits_for == TT_WAITS_FOR_THREAD) {
        tt_line_thread(text, a->input->capture, row->by);
        tt_text_str(text, " (not there at this time)");
    } else if (!put_waits_for(text, a, row)) {
        tt_text_str(text, tt_waits_for_name(row->waits_for));
    }
    tt_text_char(text, '\n');
}

static bool same_root(const struct tt_snapshot_row *a, const struct tt_snapshot_row *b)
{
    return a->waits_for == b->waits_for && a->by == b->by &&
           (a->waits_for != TT_WAITS_FOR_INTERRUPT || a->vector == b->vector);
}

/* Prints threads that wait for no thread below what they wait for, with those that wait for them. */
static void print_tree(const struct at *a)
{
    const struct tt_snapshot *s = &a->snapshot;
    for (uint32_t i = 0; i < s->count && tt_output_is_open(a->out); i++) {
        const struct tt_snapshot_row *first = &s->rows[i];
        if (a->shown[i] || !is_picked(a, first) || tt_snapshot_next(s, first)) {
            continue;
        }
        bool is_root = first->waits_for == TT_WAITS_FOR_NOTHING;
        if (!is_root) {
            TT_PRINT_LINE(a->out, put_root(&text, a, first));
        }
        for (uint32_t j = i; j < (is_root ? i + 1 : s->count); j++) {
            if (!a->shown[j] && is_picked(a, &s->rows[j]) && !tt_snapshot_next(s, &s->rows[j]) &&
                same_root(first, &s->rows[j])) {
                a->shown[j] = true;
                TT_PRINT_LINE(a->out, put_leaf(&text, a, &s->rows[j], is_root ? 0 : 1));
                print_waiters(a, &s->rows[j], is_root ? 0 : 1);
            }
        }
    }
    /* What is left waits in a cycle, or for threads that are not printed. */
    for (uint32_t i = 0; i < s->count && tt_output_is_open(a->out); i++) {
        if (!a->shown[i] && is_picked(a, &s->rows[i])) {
            a->shown[i] = true;
            TT_PRINT_LINE(a->out, put_leaf(&text, a, &s->rows[i], 0));
            print_waiters(a, &s->rows[i], 0);
        }
    }
}

/* ---- the command -------------------------------------------------------------------------- */

static struct tt_status print_text(struct at *a)
{
    if (a->out->begun) {
        tt_output_write(a->out, "\n", 1);
    }
    TT_PRINT_LINE(a->out, put_head(&text, a));
    print_deadlocks(a);
    if (a->snapshot.count == 0) {
        return tt_ok();
    }
    if (!a->options->tree) {
        print_cpus(a);
        print_table(a);
        return tt_ok();
    }
    a->shown = calloc((size_t)a->snapshot.count + 1, sizeof *a->shown);
    if (!a->shown) {
        return tt_error_memory();
    }
    print_tree(a);
    free(a->shown);
    return tt_ok();
}

static void print_lines(const struct at *a)
{
    for (uint32_t i = 0; i < a->snapshot.count && tt_output_is_open(a->out); i++) {
        const struct tt_snapshot_row *row = &a->snapshot.rows[i];
        if (!is_picked(a, row)) {
            continue;
        }
        if (a->options->format == TT_OUTPUT_JSONL) {
            TT_PRINT_LINE(a->out, json_row(&text, a, row));
        } else {
            TT_PRINT_LINE(a->out, csv_row(&text, a, row));
        }
    }
}

static struct tt_status print_at(struct at *a, const char *when_text)
{
    struct tt_time_spec when;
    uint64_t at, pos;
    struct tt_status status = tt_time_spec_parse(when_text, &when);
    if (!tt_failed(&status)) {
        status = tt_time_spec_resolve(&when, a->input->trace, a->input->events, &at, &pos);
    }
    if (tt_failed(&status)) {
        return tt_status_context(status, when_text);
    }
    if (!tt_snapshot_make(a->wakes, at, &a->snapshot)) {
        return tt_error_memory();
    }
    /* Ticks before the origin may not exist: the result is then the smallest one. */
    a->before = when.value < 0 && at == 0 && tt_timelines_begin(a->timelines) == 0;
    a->snapshot.count = a->before ? 0 : a->snapshot.count;
    if (a->options->format == TT_OUTPUT_TEXT) {
        return print_text(a);
    }
    print_lines(a);
    return tt_ok();
}

static struct tt_status at_input(const struct tt_options *options, struct tt_input *input,
                                 struct tt_output *out)
{
    struct at a = {.options = options, .input = input, .out = out};
    struct tt_status status = tt_event_selection_make(options, input, &a.pick);
    if (tt_failed(&status)) {
        return status;
    }
    a.timelines = tt_trace_timelines(input->trace);
    a.wakes = a.timelines ? tt_wakes_new(input->trace) : NULL;
    if (options->format == TT_OUTPUT_CSV && !out->begun) {
        TT_PRINT_LINE(out, csv_heading(&text, input->capture));
    }
    if (a.timelines && !a.wakes) {
        status = tt_error_memory();
    }
    for (int i = 0; i < options->whens.count && a.wakes && !tt_failed(&status); i++) {
        status = print_at(&a, options->whens.v[i]);
    }
    tt_snapshot_free(&a.snapshot);
    tt_wakes_free(a.wakes);
    tt_event_selection_free(&a.pick);
    return status;
}

static enum tt_exit at_file(const struct tt_options *options, const char *path,
                            struct tt_output *out)
{
    return tt_input_use(options, path, out, at_input);
}

enum tt_exit tt_command_snapshot(const struct tt_options *options)
{
    return tt_command_each(options, at_file);
}
