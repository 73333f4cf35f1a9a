/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge_tables: rules about the tables of `stats`. Rules with the same table and window share one
 * sheet, which has only the threads that they name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/judge.h"
#include "table/registry.h"
#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/merge.h"

#define NAME_BYTES 1024u
#define JUDGE_WORK 32u /* cost of a row, in intervals */

struct group {
    struct tt_check *k;
    const struct tt_table *table;
    uint32_t windows;
    const struct tt_check_window *window;
    struct tt_table_run sheet;
    uint64_t *threads; /* NULL: all */
    uint32_t thread_limit;
    bool ready_by;
    bool clients;
    size_t judged;             /* rules before it are judged by the sheet */
    size_t row;                /* next row for that rule */
    uint64_t selected;         /* number of rows that it selects so far */
    struct tt_table_row worst; /* longest of them, if they are inversions */
};

static const struct tt_rule *rule_at(const struct tt_check *k, size_t index)
{
    return tt_rules_at(k->request.rules, index);
}

static bool is_of(const struct group *g, size_t index)
{
    const struct tt_rule *rule = rule_at(g->k, index);
    return (rule->kind == TT_RULE_TABLE || rule->kind == TT_RULE_INVERSIONS) &&
           rule->table == g->table && g->k->judged[index].windows == g->windows;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns whether a name is that number, in decimal or hexadecimal. */
static bool is_number(const struct tt_rule_name *name, uint64_t number)
{
    char *end;
    if (name->how != TT_NAME_IS || name->text[0] < '0' || name->text[0] > '9') {
        return false;
    }
    return strtoull(name->text, &end, 0) == number && *end == '\0';
}

/* Returns whether a name selects the thread, process, number or text of a column; "-": an unknown one. */
static bool selects_cell(const struct group *g, const struct tt_rule_name *name,
                         const struct tt_table_column *column, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(&g->sheet, column, row, buffer, sizeof buffer);
    if (cell.thread != TT_NO_THREAD) {
        return tt_check_selects_thread(g->k, name, cell.thread);
    }
    if (cell.process != TT_NO_THREAD) {
        return tt_check_selects_process(g->k, name, cell.process);
    }
    if (cell.kind == TT_CELL_NUMBER) {
        if (is_number(name, cell.number)) {
            return name->how != TT_NAME_IS_NOT;
        }
        tt_text_u64(&cell.text, cell.number);
    }
    tt_text_str(&cell.text, cell.text.used == 0 ? "-" : "");
    return tt_check_selects_text(name, cell.text.buffer, cell.text.used);
}

/* Returns whether a name selects a channel by its server, or by the name of its queue. */
static bool selects_channel(const struct group *g, const struct tt_rule *rule,
                            const struct tt_table_row *row)
{
    const struct tt_table *table = g->sheet.table;
    bool positive = rule->of.how == TT_NAME_IS || rule->of.how == TT_NAME_MATCHES;
    return (selects_cell(g, &rule->of, tt_table_column_of(table, "server"), row) ||
            (positive && selects_cell(g, &rule->of, tt_table_name_column(table, 0), row))) &&
           (rule->connection == UINT64_MAX || rule->connection == row->of.number);
}

/* Returns whether a name is the address or number of an object. */
static bool is_address(const struct group *g, const struct tt_rule_name *name, const void *row)
{
    char buffer[64];
    for (size_t i = 0; i < g->sheet.column_count; i++) {
        const struct tt_table_column *column = &g->sheet.columns[i];
        if (column->unit == TT_UNIT_HEX) {
            struct tt_table_cell cell =
                tt_table_cell_of(&g->sheet, column, row, buffer, sizeof buffer);
            return cell.kind == TT_CELL_NUMBER && is_number(name, cell.number);
        }
    }
    return false;
}

static bool selects(const struct group *g, const struct tt_rule *rule,
                    const struct tt_table_row *row)
{
    const struct tt_table_column *of = tt_table_name_column(g->sheet.table, 0);
    const struct tt_table_column *to = tt_table_name_column(g->sheet.table, 1);
    if (rule->table == &tt_table_channels) {
        return selects_channel(g, rule, row);
    }
    return !of || ((selects_cell(g, &rule->of, of, row) || is_address(g, &rule->of, row)) &&
                   (!to || !tt_rule_has_two(rule->table) || selects_cell(g, &rule->to, to, row)));
}

static const char *where_of(struct group *g, const void *row)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!g->sheet.table->is_upright) {
        tt_table_row_name(&text, &g->sheet, row);
    }
    return tt_check_text(g->k, &text);
}

/* ---- doubts ------------------------------------------------------------------------------- */

static bool ends_with(const char *key, const char *end)
{
    size_t length = strlen(key), tail = strlen(end);
    return length >= tail && strcmp(key + length - tail, end) == 0;
}

static bool is_one_of(const char *key, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(*words, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether a value is a time of the row that is known except for its unknown part. */
static bool is_part_of_time(const struct tt_table_column *column)
{
    return column->distribution == TT_TABLE_ALWAYS && column->basis == TT_TABLE_ALWAYS &&
           (column->unit == TT_UNIT_TIME_MS || column->unit == TT_UNIT_SHARE);
}

/* Returns the range of a value if records of its row are lost. */
static enum tt_doubt doubt_of(const struct group *g, const struct tt_table_column *column)
{
    static const char *const either[] = {"jitter",  "priority",      "self", "imposed",
                                         "charged", "imposed_gross", NULL};
    const char *key = column->key;
    bool gap = (g->table == &tt_table_event_names || g->table == &tt_table_interrupts) &&
               strncmp(key, "period", 6) == 0;
    if (gap || g->table == &tt_table_imposed || g->table == &tt_table_matrix ||
        is_one_of(key, either) || column->unit == TT_UNIT_MEAN_US || column->unit == TT_UNIT_PART ||
        column->unit == TT_UNIT_DEPTH || ends_with(key, "_p50") || ends_with(key, "_p95") ||
        ends_with(key, "_p99")) {
        return TT_DOUBT_EITHER;
    }
    if (g->k->request.growing && (column->unit == TT_UNIT_SHARE || column->unit == TT_UNIT_RATE)) {
        return TT_DOUBT_EITHER;
    }
    return ends_with(key, "_min") ? TT_DOUBT_LESS : TT_DOUBT_MORE;
}

/* Returns whether a process has a thread for which `lost` is true. */
static bool lost_process(const struct group *g, uint32_t process,
                         bool (*lost)(const struct tt_check *k, uint32_t thread,
                                      const struct tt_check_window *w))
{
    const struct tt_capture *c = g->k->capture;
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        if (tt_thread_at(c, i)->process == process && lost(g->k, i, g->window)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the rows are sums of the intervals of one thread. */
static bool is_of_lanes(const struct tt_table *table)
{
    return table == &tt_table_threads || table == &tt_table_jobs;
}

/* Returns whether records are lost that the row depends on. */
static bool row_lost(const struct group *g, const struct tt_table_row *row)
{
    if (!tt_check_lost(g->k, g->window)) {
        return false;
    }
    if (is_of_lanes(g->table)) {
        return tt_check_lost_lane(g->k, row->of.thread, g->window);
    }
    if (g->table == &tt_table_processes) {
        return lost_process(g, row->of.process, tt_check_lost_lane);
    }
    return g->table != &tt_table_cpus || tt_check_lost_cpu(g->k, row->of.cpu, g->window);
}

/* Returns whether threads of the row may have run on a CPU whose records are lost. */
static bool row_lost_elsewhere(const struct group *g, const struct tt_table_row *row)
{
    if (is_of_lanes(g->table)) {
        return tt_check_lost_elsewhere(g->k, row->of.thread, g->window);
    }
    return g->table == &tt_table_processes &&
           lost_process(g, row->of.process, tt_check_lost_elsewhere);
}

static bool sums_time(const struct tt_table *table)
{
    return table == &tt_table_threads || table == &tt_table_processes || table == &tt_table_cpus ||
           table == &tt_table_total;
}

/* Returns the time of a row that is unknown and could belong to the column. */
static uint64_t unknown_ticks(const struct group *g, const struct tt_table_column *column,
                              const struct tt_table_row *row, bool lost)
{
    static const char *const of_cpu[] = {"run", "run_pct", "irq", "running", "running_any", NULL};
    if (strcmp(column->key, "unknown") == 0 || strcmp(column->key, "window") == 0) {
        return 0;
    }
    /* A thread whose state is unknown without a loss is off the CPU; interrupts are recorded. */
    bool counts = lost || !is_one_of(column->key, of_cpu);
    return counts && sums_time(g->table) ? tt_table_number(g->table, row, "unknown") : 0;
}

static struct tt_decimal number_of(const struct tt_table_cell *cell)
{
    if (cell->kind == TT_CELL_SIGNED) {
        return (struct tt_decimal){cell->signed_number > 0 ? (uint64_t)cell->signed_number : 0, 0};
    }
    return (struct tt_decimal){cell->number, cell->kind == TT_CELL_DECIMAL ? cell->decimals : 0};
}

/* Returns the ticks of a column that is a time. */
static uint64_t ticks_of(const struct tt_table_column *column, const struct tt_table_row *row)
{
    const void *field = (const char *)row + column->field;
    const struct tt_distribution *d = field;
    switch (column->unit) {
    case TT_UNIT_TIME_MS:
    case TT_UNIT_TIME_US:
        return *(const uint64_t *)field;
    case TT_UNIT_MEAN_US:
        return d->count > 0 ? d->sum / d->count : 0;
    default:
        return UINT64_MAX;
    }
}

/* Sets the upper bound of a time: with all of the row's unknown time. */
static void set_bound(const struct group *g, const struct tt_table_column *column,
                      const struct tt_table_row *row, bool lost, struct tt_finding *f)
{
    char buffer[64];
    struct tt_table_row most = *row;
    uint64_t unknown = unknown_ticks(g, column, row, lost);
    if (!sums_time(g->table) || !is_part_of_time(column) || g->k->request.growing) {
        f->doubt = lost ? doubt_of(g, column) : TT_DOUBT_NONE;
        return;
    }
    *(uint64_t *)((char *)&most + column->field) += unknown;
    struct tt_table_cell cell = tt_table_cell_of(&g->sheet, column, &most, buffer, sizeof buffer);
    f->doubt = unknown > 0 ? TT_DOUBT_MORE : TT_DOUBT_NONE;
    f->has_most = true;
    f->most = number_of(&cell);
    f->most_ticks = ticks_of(column, &most);
}

/* ---- places ------------------------------------------------------------------------------- */

/* Returns the kind of an interval of a distribution, as in `why`. */
static const char *kind_of(const struct tt_table *table, const char *key)
{
    static const struct {
        const char *prefix, *kind;
    } kinds[] = {{"delay", "delay"},       {"preempted_wait", "preempted"},
                 {"wait", "wait"},         {"slice", "slice"},
                 {"response", "response"}, {"run", "run"},
                 {"period", "period"},     {"round", "message"},
                 {"queue", "queue"},       {"service", "service"},
                 {"return", "return"},     {"hold", "hold"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(key, kinds[i].prefix, strlen(kinds[i].prefix)) == 0) {
            return kinds[i].kind;
        }
    }
    return table->name;
}

/* Returns a thread of a process that was not running all of [from, to): it waited there. */
static uint32_t waiting_thread(const struct tt_check *k, uint32_t process, uint64_t from,
                               uint64_t to)
{
    for (uint32_t i = 0; i < tt_thread_count(k->capture); i++) {
        struct tt_interval_at at;
        if (tt_thread_at(k->capture, i)->process != process ||
            !tt_interval_find(k->t, i, from, &at)) {
            continue;
        }
        struct tt_interval first = tt_interval_get(k->t, at);
        bool begins = first.start == from && first.class_ != TT_CLASS_RUNNING;
        if (begins && tt_interval_find(k->t, i, to, &at) && tt_interval_get(k->t, at).start == to) {
            return i;
        }
    }
    return TT_NO_THREAD;
}

static void set_inversion(const struct tt_table_row *row, struct tt_finding *f)
{
    f->thread = row->of.thread;
    f->from = f->at = row->of.at;
    f->to = tt_table_number(&tt_table_inversions, row, "to");
    f->kind = "inversion";
}

static void set_place(const struct group *g, const struct tt_rule *rule,
                      const struct tt_table_row *row, struct tt_finding *f)
{
    const struct tt_table_column *column = rule->column;
    struct tt_table_place place;
    f->kind = kind_of(g->table, column->key);
    f->thread = row->of.thread;
    if (g->table == &tt_table_inversions) {
        set_inversion(row, f);
    } else if (column->distribution != TT_TABLE_ALWAYS) {
        const struct tt_distribution *d = (const void *)((const char *)row + column->distribution);
        f->at = d->count > 0 ? d->max_at : TT_NO_AT;
        f->from = d->count > 0 && d->max <= d->max_at ? d->max_at - d->max : 0;
        f->to = d->count > 0 ? d->max_at : 0;
        if (f->at != TT_NO_AT && g->table == &tt_table_processes) {
            f->thread = waiting_thread(g->k, row->of.process, f->from, f->to);
        } else if (f->at != TT_NO_AT && g->table == &tt_table_message_pairs) {
            f->thread = waiting_thread(g->k, row->of.peer, f->from, f->to);
        } else if (f->at != TT_NO_AT && g->table == &tt_table_objects) {
            tt_table_place_of(&g->sheet, column, row, &place);
            f->thread = place.thread;
        }
    } else if (strcmp(column->key, "jitter") == 0) {
        f->at = tt_table_place_of(&g->sheet, column, row, &place) ? place.at : 0;
    } else if (g->table == &tt_table_threads && is_part_of_time(column)) {
        f->from = g->window->from;
        f->to = g->window->to;
        f->kind = "range";
    }
}

/* ---- judging ------------------------------------------------------------------------------ */

static void take_row(struct group *g, size_t index, const struct tt_table_row *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_rule *rule = rule_at(g->k, index);
    struct tt_table_cell cell =
        tt_table_cell_of(&g->sheet, rule->column, row, buffer, sizeof buffer);
    if (cell.kind == TT_CELL_NONE || cell.kind == TT_CELL_TEXT) {
        return;
    }
    struct tt_decimal value = number_of(&cell);
    struct tt_finding f = tt_finding_of(value.number, value.decimals);
    f.ticks = ticks_of(rule->column, row);
    set_bound(g, rule->column, row, row_lost(g, row), &f);
    f.doubt = row_lost_elsewhere(g, row) ? TT_DOUBT_EITHER : f.doubt;
    set_place(g, rule, row, &f);
    f.where = where_of(g, row);
    tt_check_take(g->k, index, &f);
}

/* Judges the number of inversions of all threads that the rule names together. */
static void take_inversions(struct group *g, size_t index)
{
    const struct tt_table_row *worst = &g->worst;
    struct tt_finding f = tt_finding_of(g->selected, 0);
    f.doubt = tt_check_lost(g->k, g->window) ? TT_DOUBT_MORE : TT_DOUBT_NONE;
    if (g->selected > 0) {
        set_inversion(worst, &f);
        f.where = where_of(g, worst);
    }
    tt_check_take(g->k, index, &f);
}

static bool names_a_thread(struct tt_check *k, const struct tt_rule_name *name)
{
    for (uint32_t i = 0; i < tt_thread_count(k->capture); i++) {
        if (tt_check_selects_thread(k, name, i)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the rows can be judged; if not, sets the reason. */
static bool can_judge(struct group *g, size_t index)
{
    const struct tt_rule *rule = rule_at(g->k, index);
    if (rule->kind == TT_RULE_INVERSIONS) {
        bool named = names_a_thread(g->k, &rule->of);
        if (!named) {
            tt_check_miss_name(g->k, index);
        }
        return named;
    }
    if (rule->column->of_tool && !g->sheet.has_tool) {
        tt_check_miss(g->k, index, "the capture's format has no such number");
        return false;
    }
    return true;
}

/* Judges a row, or counts an inversion. */
static void judge_row(struct group *g, size_t index)
{
    const struct tt_rule *rule = rule_at(g->k, index);
    struct tt_table_row row;
    tt_table_row_at(&g->sheet, g->row, &row);
    if (!selects(g, rule, &row)) {
        return;
    }
    if (rule->kind != TT_RULE_INVERSIONS) {
        take_row(g, index, &row);
    } else if (g->selected == 0 || tt_table_number(g->table, &row, "dur") >
                                       tt_table_number(g->table, &g->worst, "dur")) {
        g->worst = row;
    }
    g->selected++;
}

/* Judges a rule by the rows from g->row on; returns false if the work is used up first. */
static bool judge_rule(struct group *g, size_t index, uint64_t *work)
{
    if (g->row == 0) {
        g->selected = 0;
        if (!can_judge(g, index)) {
            return true;
        }
    }
    for (; g->row < g->sheet.count; g->row++) {
        if (*work == 0) {
            return false;
        }
        *work -= JUDGE_WORK < *work ? JUDGE_WORK : *work;
        judge_row(g, index);
    }
    if (rule_at(g->k, index)->kind == TT_RULE_INVERSIONS) {
        take_inversions(g, index);
        return true;
    }
    if (g->table == &tt_table_total && g->sheet.count == 0 && g->sheet.has_total) {
        g->selected++;
        take_row(g, index, g->sheet.total);
    }
    if (g->selected == 0) {
        tt_check_miss_name(g->k, index);
    }
    return true;
}

/* Limits the sheet to the threads that its rules name; those of other tables depend on all. */
static bool pick_threads(struct group *g)
{
    const struct tt_capture *c = g->k->capture;
    if (g->table != &tt_table_threads && g->table != &tt_table_jobs &&
        g->table != &tt_table_blame) {
        return true;
    }
    g->thread_limit = tt_thread_count(c);
    g->threads = calloc((size_t)g->thread_limit / 64 + 1, sizeof *g->threads);
    for (size_t i = 0; g->threads && i < g->k->count; i++) {
        for (uint32_t t = 0; is_of(g, i) && t < g->thread_limit; t++) {
            if (tt_check_selects_thread(g->k, &rule_at(g->k, i)->of, t)) {
                g->threads[t / 64] |= UINT64_C(1) << (t % 64);
            }
        }
    }
    return g->threads != NULL;
}

/* Begins the sheet of a window. */
static struct tt_status begin_window(struct group *g)
{
    struct tt_table_request request = {.table = g->table,
                                       .trace = g->k->request.trace,
                                       .events = g->k->events,
                                       .threads = g->threads,
                                       .thread_limit = g->thread_limit,
                                       .job_ends = g->k->request.job_ends,
                                       .deadlines = g->k->request.deadlines,
                                       .deadline_limit = g->k->request.deadline_limit,
                                       .without_ready_by = !g->ready_by,
                                       .with_clients = g->clients};
    tt_table_request_range(&request, &g->window->keys);
    return tt_table_begin(&g->sheet, &request);
}

/* Judges the rules of a group by a complete sheet; returns false if the work is used up first. */
static bool judge_window(struct group *g, uint64_t work)
{
    for (; g->judged < g->k->count; g->judged++, g->row = 0) {
        if (is_of(g, g->judged) && !judge_rule(g, g->judged, &work)) {
            return false;
        }
    }
    g->k->truncated |= g->sheet.shrunk;
    return true;
}

/* ---- steps -------------------------------------------------------------------------------- */

#define STEP_WORK 20000u /* intervals or events: less than a millisecond */

/* The groups one after the other, and the windows of each. */
struct tt_check_tables {
    struct group group;
    bool in_group, in_window;
    size_t rule;   /* the next that may begin a group */
    size_t window; /* the next of the group */
};

/* Begins the group of a rule if the rule is its first one. */
static struct tt_status begin_group(struct tt_check_tables *s, struct tt_check *k, size_t index)
{
    struct group *g = &s->group;
    *g = (struct group){
        .k = k, .table = rule_at(k, index)->table, .windows = k->judged[index].windows};
    bool first = is_of(g, index);
    for (size_t other = 0; other < index && first; other++) {
        first = !is_of(g, other);
    }
    for (size_t other = index; other < k->count && first; other++) {
        const struct tt_table_column *column = rule_at(k, other)->column;
        if (is_of(g, other) && column) {
            g->ready_by |= strncmp(column->key, "ready_", 6) == 0;
            g->clients |= column->of_clients;
        }
    }
    s->in_group = first;
    s->window = 0;
    return !first || pick_threads(g) ? tt_ok() : tt_error_memory();
}

static void end_group(struct tt_check_tables *s)
{
    free(s->group.threads);
    s->group.threads = NULL;
    s->in_group = false;
}

static void end_window(struct tt_check_tables *s)
{
    tt_table_free(&s->group.sheet);
    s->in_window = false;
}

static struct tt_status step_group(struct tt_check_tables *s, uint64_t work)
{
    struct group *g = &s->group;
    const struct tt_check_windows *list = &g->k->windows[g->windows];
    if (!s->in_window && s->window == list->count) {
        end_group(s);
        return tt_ok();
    }
    if (!s->in_window) {
        g->window = &list->items[s->window++];
        s->in_window = true;
        g->judged = g->row = 0;
        return begin_window(g);
    }
    if (!g->sheet.complete) {
        return tt_table_step(&g->sheet, work);
    }
    if (judge_window(g, work)) {
        end_window(s);
    }
    return tt_ok();
}

struct tt_status tt_check_judge_tables(struct tt_check *k, uint64_t deadline_ns, bool *over)
{
    uint64_t work = deadline_ns == UINT64_MAX ? UINT64_MAX : STEP_WORK;
    struct tt_status status = tt_ok();
    k->tables = k->tables ? k->tables : calloc(1, sizeof *k->tables);
    struct tt_check_tables *s = k->tables;
    *over = false;
    if (!s) {
        return tt_error_memory();
    }
    do {
        *over = !s->in_group && s->rule == k->count;
        if (s->in_group) {
            status = step_group(s, work);
        } else if (!*over) {
            status = begin_group(s, k, s->rule++);
        }
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return status;
}

void tt_check_free_tables(struct tt_check *k)
{
    if (k->tables) {
        end_window(k->tables);
        end_group(k->tables);
    }
    free(k->tables);
    k->tables = NULL;
}

unsigned tt_check_tables_percent(const struct tt_check *k)
{
    const struct tt_check_tables *s = k->tables;
    if (!s || k->count == 0) {
        return 0;
    }
    double done = (double)s->rule;
    if (s->in_group) { /* of its rule: complete windows, and a part of one */
        double windows = (double)k->windows[s->group.windows].count;
        double part = s->in_window ? tt_table_percent(&s->group.sheet) / 100.0 - 1 : 0;
        done += windows > 0 ? ((double)s->window + part) / windows - 1 : -1;
    }
    return (unsigned)(done * 100.0 / (double)k->count);
}
