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
    size_t judged;                 /* rules before it are judged by the sheet */
    size_t row;                    /* next row for that rule */
    uint64_t selected;             /* number of rows that it selects so far */
    struct tt_table_row worst;     /* longest of them, if they are inversions ... */
    struct tt_table_place longest; /* ... and its place */
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

bool tt_check_selects_cell(struct tt_check *k, const struct tt_table_run *run,
                           const struct tt_rule_name *name, const struct tt_table_column *column,
                           const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    if (cell.thread != TT_NO_THREAD) {
        return tt_check_selects_thread(k, name, cell.thread);
    }
    if (cell.process != TT_NO_THREAD) {
        return tt_check_selects_process(k, name, cell.process);
    }
    if (cell.kind == TT_CELL_NUMBER && is_number(name, cell.number)) {
        return true;
    }
    if (cell.kind != TT_CELL_TEXT || cell.text.used == 0) {
        cell.text = tt_text_of(buffer, sizeof buffer);
        tt_table_put_cell(&cell.text, &cell);
    }
    return tt_check_selects_text(name, cell.text.buffer, cell.text.used);
}

static struct tt_table_cell cell_of(const struct group *g, const struct tt_table_column *column,
                                    const void *row)
{
    char buffer[64]; /* of numbers; the texts of names are not read */
    struct tt_table_cell cell = {.thread = TT_NO_THREAD, .process = TT_NO_THREAD};
    return column ? tt_table_cell_of(&g->sheet, column, row, buffer, sizeof buffer) : cell;
}

/* Returns whether a name selects a channel by its server, or by the name of its queue. */
static bool selects_channel(const struct group *g, const struct tt_rule *rule, const void *row)
{
    const struct tt_table *table = g->table;
    const struct tt_table_column *connection = tt_table_column_of(table, "connection");
    bool positive = rule->of.how == TT_NAME_IS || rule->of.how == TT_NAME_MATCHES;
    return (tt_check_selects_cell(g->k, &g->sheet, &rule->of, tt_table_column_of(table, "server"),
                                  row) ||
            (positive && tt_check_selects_cell(g->k, &g->sheet, &rule->of,
                                               tt_table_name_column(table, 0), row))) &&
           (rule->connection == UINT64_MAX ||
            rule->connection == tt_table_ticks_of(&g->sheet, connection, row));
}

/* Returns whether a name is the address or number of an object. */
static bool is_address(const struct group *g, const struct tt_rule_name *name, const void *row)
{
    for (size_t i = 0; i < g->sheet.column_count; i++) {
        if (g->sheet.columns[i].unit == TT_UNIT_HEX) {
            struct tt_table_cell cell = cell_of(g, &g->sheet.columns[i], row);
            return cell.kind == TT_CELL_NUMBER && is_number(name, cell.number);
        }
    }
    return false;
}

static bool selects(const struct group *g, const struct tt_rule *rule, const void *row)
{
    const struct tt_table_column *of = tt_table_name_column(g->table, 0);
    const struct tt_table_column *to = tt_table_name_column(g->table, 1);
    if (g->table == &tt_table_channels) {
        return selects_channel(g, rule, row);
    }
    return !of || ((tt_check_selects_cell(g->k, &g->sheet, &rule->of, of, row) ||
                    is_address(g, &rule->of, row)) &&
                   (!to || !tt_rule_has_two(g->table) ||
                    tt_check_selects_cell(g->k, &g->sheet, &rule->to, to, row)));
}

static const char *where_of(struct group *g, const void *row)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!g->table->is_upright) {
        tt_table_row_name(&text, &g->sheet, row);
    }
    return tt_check_text(g->k, &text);
}

/* ---- doubts ------------------------------------------------------------------------------- */

/* Returns whether a value is a time of the row that is known except for its unknown part. */
static bool is_part_of_time(const struct tt_table_column *column)
{
    return column->distribution == TT_TABLE_ALWAYS && column->basis == TT_TABLE_ALWAYS &&
           (column->unit == TT_UNIT_TIME_MS || column->unit == TT_UNIT_SHARE);
}

/* Returns whether a value is a percentile of a distribution. */
static bool is_percentile(const struct tt_table_column *column)
{
    size_t member = column->field - column->distribution;
    return column->distribution != TT_TABLE_ALWAYS &&
           (member == offsetof(struct tt_distribution, p50) ||
            member == offsetof(struct tt_distribution, p95) ||
            member == offsetof(struct tt_distribution, p99));
}

/* Returns the range of a value if records of its row are lost. */
static enum tt_doubt doubt_of(const struct group *g, const struct tt_table_column *column)
{
    bool either = column->lost == TT_LOST_EITHER || g->table->is_shared || column->of_clients ||
                  column->unit == TT_UNIT_MEAN_US || column->unit == TT_UNIT_PART ||
                  column->unit == TT_UNIT_DEPTH || is_percentile(column);
    bool follows = column->unit == TT_UNIT_SHARE || column->unit == TT_UNIT_RATE;
    return either || (g->k->request.growing && follows) ? TT_DOUBT_EITHER
           : column->lost == TT_LOST_LESS               ? TT_DOUBT_LESS
                                                        : TT_DOUBT_MORE;
}

/*
 * Returns whether `lost` is true for the thread that the row is of, or for a thread of its process. Rows of
 * other tables depend on all threads.
 */
static bool lost_lane(const struct group *g, const void *row,
                      bool (*lost)(const struct tt_check *k, uint32_t thread,
                                   const struct tt_check_window *w))
{
    const struct tt_capture *c = g->k->capture;
    struct tt_table_cell of = cell_of(g, tt_table_name_column(g->table, 0), row);
    if (of.thread != TT_NO_THREAD) {
        return lost(g->k, of.thread, g->window);
    }
    for (uint32_t i = 0; of.process != TT_NO_THREAD && i < tt_thread_count(c); i++) {
        if (tt_thread_at(c, i)->process == of.process && lost(g->k, i, g->window)) {
            return true;
        }
    }
    return false;
}

/* Returns whether records are lost that the row depends on. */
static bool row_lost(const struct group *g, const void *row)
{
    const struct tt_table_column *of = tt_table_name_column(g->table, 0);
    if (!g->table->of_lane || !tt_check_lost(g->k, g->window)) {
        return tt_check_lost(g->k, g->window);
    }
    return of->unit == TT_UNIT_CPU
               ? tt_check_lost_cpu(g->k, (uint16_t)cell_of(g, of, row).number, g->window)
               : lost_lane(g, row, tt_check_lost_lane);
}

static uint64_t ticks_of(const struct group *g, const struct tt_table_column *column,
                         const void *row)
{
    bool is_time = tt_unit_is_time(column->unit) && column->unit != TT_UNIT_AT;
    uint64_t ticks = is_time ? tt_table_ticks_of(&g->sheet, column, row) : UINT64_MAX;
    return is_time && ticks == TT_TABLE_NONE ? 0 : ticks;
}

/* Sets the upper bound of a time: with all of the row's unknown time that could belong to it. */
static void set_bound(const struct group *g, const struct tt_table_column *column, const void *row,
                      bool lost, struct tt_finding *f)
{
    const struct tt_table_column *rest = NULL; /* the row's unknown time */
    struct tt_table_row most;
    uint64_t unknown = 0;
    for (size_t i = 0; i < g->table->column_count && !rest; i++) {
        rest = g->table->columns[i].lost == TT_LOST_UNKNOWN ? &g->table->columns[i] : NULL;
    }
    if (!rest || !is_part_of_time(column) || g->k->request.growing) {
        f->doubt = lost ? doubt_of(g, column) : TT_DOUBT_NONE;
        return;
    }
    if (column->lost == TT_LOST_MORE || (column->lost == TT_LOST_RUNNING && lost)) {
        unknown = tt_table_ticks_of(&g->sheet, rest, row);
    }
    memcpy(&most, row, g->table->row_size);
    *(uint64_t *)((char *)&most + column->field) += unknown;
    struct tt_table_cell cell = cell_of(g, column, &most);
    f->doubt = unknown > 0 ? TT_DOUBT_MORE : TT_DOUBT_NONE;
    f->has_most = true;
    f->most = tt_check_number(&cell);
    f->most_ticks = ticks_of(g, column, &most);
}

/* ---- places ------------------------------------------------------------------------------- */

/* Returns the kind of an interval of a distribution, as in `why`. */
static const char *kind_of(const struct tt_table *table, const struct tt_table_column *column)
{
    static const char *const kinds[] = {[TT_SAMPLES_delay] = "delay",
                                        [TT_SAMPLES_preempted] = "preempted",
                                        [TT_SAMPLES_wait] = "wait",
                                        [TT_SAMPLES_slice] = "slice",
                                        [TT_SAMPLES_response] = "response",
                                        [TT_SAMPLES_run] = "run",
                                        [TT_SAMPLES_period] = "period",
                                        [TT_SAMPLES_round] = "message",
                                        [TT_SAMPLES_queue] = "queue",
                                        [TT_SAMPLES_service] = "service",
                                        [TT_SAMPLES_back] = "return",
                                        [TT_SAMPLES_hold] = "hold",
                                        [TT_SAMPLES_away] = NULL};
    return kinds[column->samples] ? kinds[column->samples] : table->name;
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

static void set_place(const struct group *g, const struct tt_rule *rule, const void *row,
                      struct tt_finding *f)
{
    struct tt_table_place place;
    struct tt_table_cell of = cell_of(g, tt_table_name_column(g->table, 0), row);
    bool waits = g->table == &tt_table_processes || g->table == &tt_table_message_pairs;
    f->kind = kind_of(g->table, rule->column);
    f->thread = of.thread;
    bool has_place = rule->column->samples != TT_SAMPLES_NONE || g->table == &tt_table_inversions;
    if (has_place && tt_table_place_of(&g->sheet, rule->column, row, &place)) {
        f->from = place.length <= place.at ? place.at - place.length : 0;
        f->to = place.at;
        f->at = g->table == &tt_table_inversions ? f->from : f->to;
        f->thread = place.thread != TT_NO_THREAD ? place.thread
                    : waits && of.process != TT_NO_THREAD
                        ? waiting_thread(g->k, of.process, f->from, f->to)
                        : f->thread;
    } else if (g->table == &tt_table_threads && is_part_of_time(rule->column)) {
        f->from = g->window->from;
        f->to = g->window->to;
        f->kind = "range";
    }
}

/* ---- judging ------------------------------------------------------------------------------ */

static void take_row(struct group *g, size_t index, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_rule *rule = rule_at(g->k, index);
    struct tt_table_cell cell =
        tt_table_cell_of(&g->sheet, rule->column, row, buffer, sizeof buffer);
    if (cell.kind == TT_CELL_NONE || cell.kind == TT_CELL_TEXT) {
        return;
    }
    struct tt_decimal value = tt_check_number(&cell);
    struct tt_finding f = tt_finding_of(value.number, value.decimals);
    f.ticks = ticks_of(g, rule->column, row);
    set_bound(g, rule->column, row, row_lost(g, row), &f);
    if (g->table->of_lane && lost_lane(g, row, tt_check_lost_elsewhere)) {
        f.doubt = TT_DOUBT_EITHER; /* it may have run on a CPU whose records are lost */
    }
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
        f.thread = cell_of(g, tt_table_name_column(g->table, 0), worst).thread;
        f.from = f.at = g->longest.at - g->longest.length;
        f.to = g->longest.at;
        f.kind = "inversion";
        f.where = where_of(g, worst);
    }
    tt_check_take(g->k, index, &f);
}

/* Returns whether the rows can be judged; if not, sets the reason. */
static bool can_judge(struct group *g, size_t index)
{
    const struct tt_rule *rule = rule_at(g->k, index);
    if (rule->kind == TT_RULE_INVERSIONS) {
        bool named = false;
        for (uint32_t i = 0; i < tt_thread_count(g->k->capture) && !named; i++) {
            named = tt_check_selects_thread(g->k, &rule->of, i);
        }
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
    struct tt_table_place place;
    tt_table_row_at(&g->sheet, g->row, &row);
    if (!selects(g, rule, &row)) {
        return;
    }
    if (rule->kind != TT_RULE_INVERSIONS) {
        take_row(g, index, &row);
    } else if (tt_table_place_of(&g->sheet, &g->table->columns[0], &row, &place) &&
               (g->selected == 0 || place.length > g->longest.length)) {
        g->worst = row;
        g->longest = place;
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
            g->ready_by |= column->is_late;
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
