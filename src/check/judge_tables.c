/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge_tables: rules about the tables of `stats`. Rules with the same table and window share one
 * sheet, which has only the threads that they name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/digits.h"
#include "check/judge.h"
#include "table/registry.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
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

static const struct tt_rule *rule_at(const struct tt_check *check, size_t index)
{
    return tt_rules_at(check->request.rules, index);
}

static bool judge_tables_is_of(const struct group *group, size_t index)
{
    const struct tt_rule *rule = rule_at(group->k, index);
    return (rule->kind == TT_RULE_TABLE || rule->kind == TT_RULE_INVERSIONS) &&
           rule->table == group->table && group->k->judged[index].windows == group->windows;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns whether a name is that number, in decimal or hexadecimal. */
static bool judge_tables_is_number(const struct tt_rule_name *name, uint64_t number)
{
    uint64_t value;
    return name->how == TT_NAME_IS && tt_digits_parse(name->text, strlen(name->text), &value) &&
           value == number;
}

bool tt_check_selects_cell(struct tt_check *check, const struct tt_table_run *run,
                           const struct tt_rule_name *name, const struct tt_table_column *column,
                           const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    if (cell.thread != TT_NO_THREAD) {
        return tt_check_selects_thread(check, name, cell.thread);
    }
    if (cell.process != TT_NO_THREAD) {
        return tt_check_selects_process(check, name, cell.process);
    }
    if (cell.kind == TT_CELL_NUMBER && judge_tables_is_number(name, cell.number)) {
        return true;
    }
    if (cell.kind != TT_CELL_TEXT || cell.text.used == 0) {
        cell.text = tt_text_of(buffer, sizeof buffer);
        tt_table_put_cell(&cell.text, &cell);
    }
    return tt_check_selects_text(name, cell.text.buffer, cell.text.used);
}

static struct tt_table_cell judge_tables_cell_of(const struct group *group,
                                                 const struct tt_table_column *column,
                                                 const void *row)
{
    char buffer[64]; /* of numbers; the texts of names are not read */
    struct tt_table_cell cell = {.thread = TT_NO_THREAD, .process = TT_NO_THREAD};
    return column ? tt_table_cell_of(&group->sheet, column, row, buffer, sizeof buffer) : cell;
}

/* Returns whether a name is the address or number of an object. */
static bool is_address(const struct group *group, const struct tt_rule_name *name, const void *row)
{
    for (size_t i = 0; i < group->sheet.column_count; i++) {
        if (group->sheet.columns[i].unit == TT_UNIT_HEX) {
            struct tt_table_cell cell = judge_tables_cell_of(group, &group->sheet.columns[i], row);
            return cell.kind == TT_CELL_NUMBER && judge_tables_is_number(name, cell.number);
        }
    }
    return false;
}

static bool judge_tables_selects(const struct group *group, const struct tt_rule *rule,
                                 const void *row)
{
    const struct tt_table_column *of = tt_table_name_column(group->table, 0);
    const struct tt_table_column *to = tt_table_name_column(group->table, 1);
    if (group->table == &tt_table_channels) {
        /* Decides whether a name selects a channel by its server, or by the name of its queue. */
        const struct tt_table *table = group->table;
        const struct tt_table_column *connection = tt_table_column_of(table, "connection");
        bool positive = rule->of.how == TT_NAME_IS || rule->of.how == TT_NAME_MATCHES;
        return (tt_check_selects_cell(group->k, &group->sheet, &rule->of,
                                      tt_table_column_of(table, "server"), row) ||
                (positive && tt_check_selects_cell(group->k, &group->sheet, &rule->of,
                                                   tt_table_name_column(table, 0), row))) &&
               (rule->connection == UINT64_MAX ||
                rule->connection == tt_table_ticks_of(&group->sheet, connection, row));
    }
    return !of || ((tt_check_selects_cell(group->k, &group->sheet, &rule->of, of, row) ||
                    is_address(group, &rule->of, row)) &&
                   (!to || !tt_rule_has_two(group->table) ||
                    tt_check_selects_cell(group->k, &group->sheet, &rule->to, to, row)));
}

static const char *where_of(struct group *group, const void *row)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!group->table->is_upright) {
        tt_table_row_name(&text, &group->sheet, row);
    }
    return tt_check_text(group->k, &text);
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
static enum tt_doubt doubt_of(const struct group *group, const struct tt_table_column *column)
{
    bool either = column->lost == TT_LOST_EITHER || group->table->is_shared || column->of_clients ||
                  column->unit == TT_UNIT_MEAN_US || column->unit == TT_UNIT_PART ||
                  column->unit == TT_UNIT_DEPTH || is_percentile(column);
    bool follows = column->unit == TT_UNIT_SHARE || column->unit == TT_UNIT_RATE;
    return either || (group->k->request.growing && follows) ? TT_DOUBT_EITHER
           : column->lost == TT_LOST_LESS                   ? TT_DOUBT_LESS
                                                            : TT_DOUBT_MORE;
}

/*
 * Returns whether `lost` is true for the thread that the row is of, or for a thread of its process. Rows of
 * other tables depend on all threads.
 */
static bool lost_lane(const struct group *group, const void *row,
                      bool (*lost)(const struct tt_check *check, uint32_t thread,
                                   const struct tt_check_window *window))
{
    const struct tt_capture *capture = group->k->capture;
    struct tt_table_cell of =
        judge_tables_cell_of(group, tt_table_name_column(group->table, 0), row);
    if (of.thread != TT_NO_THREAD) {
        return lost(group->k, of.thread, group->window);
    }
    for (uint32_t i = 0; of.process != TT_NO_THREAD && i < tt_thread_count(capture); i++) {
        if (tt_thread_at(capture, i)->process == of.process && lost(group->k, i, group->window)) {
            return true;
        }
    }
    return false;
}

/* Returns whether records are lost that the row depends on. */
static bool row_lost(const struct group *group, const void *row)
{
    const struct tt_table_column *of = tt_table_name_column(group->table, 0);
    if (!group->table->of_lane || !tt_check_lost(group->k, group->window)) {
        return tt_check_lost(group->k, group->window);
    }
    return of->unit == TT_UNIT_CPU
               ? tt_check_lost_cpu(group->k, (uint16_t)judge_tables_cell_of(group, of, row).number,
                                   group->window)
               : lost_lane(group, row, tt_check_lost_lane);
}

static uint64_t judge_tables_ticks_of(const struct group *group,
                                      const struct tt_table_column *column, const void *row)
{
    bool is_time = tt_unit_is_time(column->unit) && column->unit != TT_UNIT_AT;
    uint64_t ticks = is_time ? tt_table_ticks_of(&group->sheet, column, row) : UINT64_MAX;
    return is_time && ticks == TT_TABLE_NONE ? 0 : ticks;
}

/* Sets the upper bound of a time: with all of the row's unknown time that could belong to it. */
static void set_bound(const struct group *group, const struct tt_table_column *column,
                      const void *row, bool lost, struct tt_finding *finding)
{
    const struct tt_table_column *rest = NULL; /* the row's unknown time */
    struct tt_table_row most;
    uint64_t unknown = 0;
    for (size_t i = 0; i < group->table->column_count && !rest; i++) {
        rest = group->table->columns[i].lost == TT_LOST_UNKNOWN ? &group->table->columns[i] : NULL;
    }
    if (!rest || !is_part_of_time(column) || group->k->request.growing) {
        finding->doubt = lost ? doubt_of(group, column) : TT_DOUBT_NONE;
        return;
    }
    if (column->lost == TT_LOST_MORE || (column->lost == TT_LOST_RUNNING && lost)) {
        unknown = tt_table_ticks_of(&group->sheet, rest, row);
    }
    memcpy(&most, row, group->table->row_size);
    *(uint64_t *)((char *)&most + column->field) += unknown;
    struct tt_table_cell cell = judge_tables_cell_of(group, column, &most);
    finding->doubt = unknown > 0 ? TT_DOUBT_MORE : TT_DOUBT_NONE;
    finding->has_most = true;
    finding->most = tt_check_number(&cell);
    finding->most_ticks = judge_tables_ticks_of(group, column, &most);
}

/* ---- places ------------------------------------------------------------------------------- */

/* Returns the kind of an interval of a distribution, as in `why`. */
static const char *judge_tables_kind_of(const struct tt_table *table,
                                        const struct tt_table_column *column)
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
static uint32_t waiting_thread(const struct tt_check *check, uint32_t process, uint64_t from,
                               uint64_t to)
{
    for (uint32_t i = 0; i < tt_thread_count(check->capture); i++) {
        struct tt_interval_at at;
        if (tt_thread_at(check->capture, i)->process != process ||
            !tt_interval_find(check->t, i, from, &at)) {
            continue;
        }
        struct tt_interval first = tt_interval_get(check->t, at);
        bool begins = first.start == from && first.class_ != TT_CLASS_RUNNING;
        if (begins && tt_interval_find(check->t, i, to, &at) &&
            tt_interval_get(check->t, at).start == to) {
            return i;
        }
    }
    return TT_NO_THREAD;
}

/* ---- judging ------------------------------------------------------------------------------ */

static void judge_table_row(struct group *group, size_t index, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_rule *rule = rule_at(group->k, index);
    struct tt_table_cell cell =
        tt_table_cell_of(&group->sheet, rule->column, row, buffer, sizeof buffer);
    if (cell.kind == TT_CELL_NONE || cell.kind == TT_CELL_TEXT) {
        return;
    }
    struct tt_decimal value = tt_check_number(&cell);
    struct tt_finding f = tt_finding_of(value.number, value.decimals);
    f.ticks = judge_tables_ticks_of(group, rule->column, row);
    set_bound(group, rule->column, row, row_lost(group, row), &f);
    if (group->table->of_lane && lost_lane(group, row, tt_check_lost_elsewhere)) {
        f.doubt = TT_DOUBT_EITHER; /* it may have run on a CPU whose records are lost */
    }

    struct tt_table_place place;
    struct tt_table_cell of =
        judge_tables_cell_of(group, tt_table_name_column(group->table, 0), row);
    bool waits = group->table == &tt_table_processes || group->table == &tt_table_message_pairs;
    f.kind = judge_tables_kind_of(group->table, rule->column);
    f.thread = of.thread;
    bool has_place =
        rule->column->samples != TT_SAMPLES_NONE || group->table == &tt_table_inversions;
    if (has_place && tt_table_place_of(&group->sheet, rule->column, row, &place)) {
        f.from = place.length <= place.at ? place.at - place.length : 0;
        f.to = place.at;
        f.at = group->table == &tt_table_inversions ? f.from : f.to;
        f.thread = place.thread != TT_NO_THREAD ? place.thread
                   : waits && of.process != TT_NO_THREAD
                       ? waiting_thread(group->k, of.process, f.from, f.to)
                       : f.thread;
    } else if (group->table == &tt_table_threads && is_part_of_time(rule->column)) {
        f.from = group->window->from;
        f.to = group->window->to;
        f.kind = "range";
    }

    f.where = where_of(group, row);
    tt_check_add_finding(group->k, index, &f);
}

/* Returns whether the rows can be judged; if not, sets the reason. */
static bool can_judge(struct group *group, size_t index)
{
    const struct tt_rule *rule = rule_at(group->k, index);
    if (rule->kind == TT_RULE_INVERSIONS) {
        bool named = false;
        for (uint32_t i = 0; i < tt_thread_count(group->k->capture) && !named; i++) {
            named = tt_check_selects_thread(group->k, &rule->of, i);
        }
        if (!named) {
            tt_check_miss_name(group->k, index);
        }
        return named;
    }
    if (rule->column->of_tool && !group->sheet.has_tool) {
        tt_check_miss(group->k, index, "the capture's format has no such number");
        return false;
    }
    return true;
}

/* Judges a row, or counts an inversion. */
static void judge_row(struct group *group, size_t index)
{
    const struct tt_rule *rule = rule_at(group->k, index);
    struct tt_table_row row;
    struct tt_table_place place;
    tt_table_row_at(&group->sheet, group->row, &row);
    if (!judge_tables_selects(group, rule, &row)) {
        return;
    }
    if (rule->kind != TT_RULE_INVERSIONS) {
        judge_table_row(group, index, &row);
    } else if (tt_table_place_of(&group->sheet, &group->table->columns[0], &row, &place) &&
               (group->selected == 0 || place.length > group->longest.length)) {
        group->worst = row;
        group->longest = place;
    }
    group->selected++;
}

/* Judges a rule by the rows from group->row on; returns false if the work is used up first. */
static bool judge_rule(struct group *group, size_t index, uint64_t *work)
{
    if (group->row == 0) {
        group->selected = 0;
        if (!can_judge(group, index)) {
            return true;
        }
    }
    for (; group->row < group->sheet.count; group->row++) {
        if (*work == 0) {
            return false;
        }
        *work -= JUDGE_WORK < *work ? JUDGE_WORK : *work;
        judge_row(group, index);
    }
    if (rule_at(group->k, index)->kind == TT_RULE_INVERSIONS) {
        /* Judges the number of inversions of all threads that the rule names together. */
        const struct tt_table_row *worst = &group->worst;
        struct tt_finding f = tt_finding_of(group->selected, 0);
        f.doubt = tt_check_lost(group->k, group->window) ? TT_DOUBT_MORE : TT_DOUBT_NONE;
        if (group->selected > 0) {
            f.thread =
                judge_tables_cell_of(group, tt_table_name_column(group->table, 0), worst).thread;
            f.from = f.at = group->longest.at - group->longest.length;
            f.to = group->longest.at;
            f.kind = "inversion";
            f.where = where_of(group, worst);
        }
        tt_check_add_finding(group->k, index, &f);

        return true;
    }
    if (group->table == &tt_table_total && group->sheet.count == 0 && group->sheet.has_total) {
        group->selected++;
        judge_table_row(group, index, group->sheet.total);
    }
    if (group->selected == 0) {
        tt_check_miss_name(group->k, index);
    }
    return true;
}

/* Limits the sheet to the threads that its rules name; those of other tables depend on all. */
static bool pick_threads(struct group *group)
{
    const struct tt_capture *capture = group->k->capture;
    if (group->table != &tt_table_threads && group->table != &tt_table_jobs &&
        group->table != &tt_table_blame) {
        return true;
    }
    group->thread_limit = tt_thread_count(capture);
    group->threads = calloc((size_t)group->thread_limit / 64 + 1, sizeof *group->threads);
    for (size_t i = 0; group->threads && i < group->k->count; i++) {
        for (uint32_t t = 0; judge_tables_is_of(group, i) && t < group->thread_limit; t++) {
            if (tt_check_selects_thread(group->k, &rule_at(group->k, i)->of, t)) {
                group->threads[t / 64] |= UINT64_C(1) << (t % 64);
            }
        }
    }
    return group->threads != NULL;
}

/* Judges the rules of a group by a complete sheet; returns false if the work is used up first. */
static bool judge_window(struct group *group, uint64_t work)
{
    for (; group->judged < group->k->count; group->judged++, group->row = 0) {
        if (judge_tables_is_of(group, group->judged) && !judge_rule(group, group->judged, &work)) {
            return false;
        }
    }
    group->k->truncated |= group->sheet.shrunk;
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
static struct tt_status begin_group(struct tt_check_tables *tables, struct tt_check *check,
                                    size_t index)
{
    struct group *group = &tables->group;
    *group = (struct group){
        .k = check, .table = rule_at(check, index)->table, .windows = check->judged[index].windows};
    bool first = judge_tables_is_of(group, index);
    for (size_t other = 0; other < index && first; other++) {
        first = !judge_tables_is_of(group, other);
    }
    for (size_t other = index; other < check->count && first; other++) {
        const struct tt_table_column *column = rule_at(check, other)->column;
        if (judge_tables_is_of(group, other) && column) {
            group->ready_by |= column->is_late;
            group->clients |= column->of_clients;
        }
    }
    tables->in_group = first;
    tables->window = 0;
    return !first || pick_threads(group) ? tt_ok() : tt_error_memory();
}

static void end_group(struct tt_check_tables *tables)
{
    free(tables->group.threads);
    tables->group.threads = NULL;
    tables->in_group = false;
}

static void judge_tables_end_window(struct tt_check_tables *tables)
{
    tt_table_free(&tables->group.sheet);
    tables->in_window = false;
}

static struct tt_status step_group(struct tt_check_tables *tables, uint64_t work)
{
    struct group *group = &tables->group;
    const struct tt_check_windows *list = &group->k->windows[group->windows];
    if (!tables->in_window && tables->window == list->count) {
        end_group(tables);
        return tt_ok();
    }
    if (!tables->in_window) {
        group->window = &list->items[tables->window++];
        tables->in_window = true;
        group->judged = group->row = 0;

        /* Begins the sheet of a window. */
        struct tt_table_request request = {.table = group->table,
                                           .trace = group->k->request.trace,
                                           .events = group->k->events,
                                           .threads = group->threads,
                                           .thread_limit = group->thread_limit,
                                           .job_ends = group->k->request.job_ends,
                                           .deadlines = group->k->request.deadlines,
                                           .deadline_limit = group->k->request.deadline_limit,
                                           .without_ready_by = !group->ready_by,
                                           .with_clients = group->clients};
        tt_table_request_range(&request, &group->window->keys);
        return tt_table_begin(&group->sheet, &request);
    }
    if (!group->sheet.complete) {
        return tt_table_step(&group->sheet, work);
    }
    if (judge_window(group, work)) {
        judge_tables_end_window(tables);
    }
    return tt_ok();
}

struct tt_status tt_check_judge_tables(struct tt_check *check, uint64_t deadline_ns, bool *over)
{
    uint64_t work = deadline_ns == UINT64_MAX ? UINT64_MAX : STEP_WORK;
    struct tt_status status = tt_ok();
    check->tables = check->tables ? check->tables : calloc(1, sizeof *check->tables);
    struct tt_check_tables *tables = check->tables;
    *over = false;
    if (!tables) {
        return tt_error_memory();
    }
    do {
        *over = !tables->in_group && tables->rule == check->count;
        if (tables->in_group) {
            status = step_group(tables, work);
        } else if (!*over) {
            status = begin_group(tables, check, tables->rule++);
        }
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return status;
}

void tt_check_free_tables(struct tt_check *check)
{
    if (check->tables) {
        judge_tables_end_window(check->tables);
        end_group(check->tables);
    }
    free(check->tables);
    check->tables = NULL;
}

unsigned tt_check_tables_percent(const struct tt_check *check)
{
    const struct tt_check_tables *tables = check->tables;
    if (!tables || check->count == 0) {
        return 0;
    }
    double done = (double)tables->rule;
    if (tables->in_group) { /* of its rule: complete windows, and a part of one */
        double windows = (double)check->windows[tables->group.windows].count;
        double part = tables->in_window ? tt_table_percent(&tables->group.sheet) / 100.0 - 1 : 0;
        done += windows > 0 ? ((double)tables->window + part) / windows - 1 : -1;
    }
    return (unsigned)(done * 100.0 / (double)check->count);
}
