/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/tables.h"

#include <string.h>

#include "cli/stats.h"
#include "table/registry.h"

#define ROWS_MOST    10u
#define COLUMNS_MOST 64u

/* A table of the report. */
struct section {
    const char *id;
    const char *title;
    const struct tt_table *table;
    const char *order;  /* key of the number to sort by, largest first; rows without it, or with 0,
                           are left out; NULL: the order of `stats` */
    const char *keys;   /* of the columns, between blanks; NULL: those of the table of `stats` */
    const char *detail; /* further options of the command, for these columns */
};

static const struct section sections[] = {
    {"cpus", "CPUs", &tt_table_cpus, NULL, NULL, ""},
    {"threads", "CPU time by thread", &tt_table_threads, "run",
     " thread priority run run_pct switches_in voluntary preempted migrations ", ""},
    {"processes", "CPU time by process", &tt_table_processes, "run",
     " process pid threads run run_pct switches_in voluntary preempted migrations ", ""},
    {"delays", "Longest scheduling delays by thread", &tt_table_threads, "delay_max",
     " thread priority delay_count delay_mean delay_p99 delay_max delay_max_at ", " --format csv"},
    {"blocked", "Longest blocked threads", &tt_table_threads, "wait_max",
     " thread priority wait_count wait_mean wait_p99 wait_max wait_max_at ", " --format csv"},
    {"jobs", "Jobs", &tt_table_jobs, NULL, NULL, ""},
    {"misses", "Missed deadlines", &tt_table_jobs, "misses", NULL, ""},
    {"inversions", "Priority inversions", &tt_table_inversions, NULL, NULL, ""},
    {"servers", "Servers", &tt_table_servers, NULL, NULL, ""},
    {"messages", "Messages", &tt_table_message_pairs, NULL, NULL, ""},
    {"objects", "Locks and other objects", &tt_table_objects, NULL, NULL, ""},
    {"interrupts", "Interrupts", &tt_table_interrupts, NULL, NULL, ""},
};

/* Arguments of the printer of a section. */
struct work {
    struct tt_page *page;
    const struct section *section;
};

/* ---- the frame of a table ------------------------------------------------------------------- */

static void add_section(const struct work *work, const struct tt_page_table *table, size_t all)
{
    const struct section *section = work->section;
    char before[80], words[80];
    struct tt_text text = tt_text_of(words, sizeof words);
    if (table->row_count == 0) {
        return;
    }
    tt_text_put(&text, "stats --by %s%s", section->table->name, section->detail);
    tt_text_cstr(&text);
    tt_page_section(work->page, section->id, section->title);
    size_t shown = tt_page_table(work->page, table);
    text = tt_text_of(before, sizeof before);
    if (shown == all) {
        tt_text_str(&text, "all rows of ");
    } else {
        tt_text_put(&text, "%s%ju%s%ju rows of ", section->order ? "the " : "the first ", shown,
                    section->order ? " largest of " : " of ", all);
    }
    tt_page_command(work->page, tt_text_cstr(&text), words, "");
}

/* ---- sheets --------------------------------------------------------------------------------- */

struct sheet_table {
    const struct tt_table_run *sheet;
    const struct tt_table_column *columns[COLUMNS_MOST];
    size_t column_count;
    struct tt_table_row rows[ROWS_MOST];
    uint64_t numbers[ROWS_MOST]; /* by which the rows are sorted */
    size_t row_count;
    size_t all; /* rows with such a number */
};

/* Returns the number by which a row is sorted; 0: it is left out. */
static uint64_t report_tables_number_of(const struct tt_table_run *run,
                                        const struct tt_table_column *column, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    if (tt_table_is_idle(run->table, row)) {
        return 0;
    }
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    return cell.kind == TT_CELL_NUMBER ? cell.number : 0;
}

/* Keeps a row among the largest; equal ones in the order of the sheet. */
static void keep_largest(struct sheet_table *table, const struct tt_table_row *row, uint64_t number)
{
    size_t at = table->row_count;
    while (at > 0 && table->numbers[at - 1] < number) {
        at--;
    }
    if (at == ROWS_MOST) {
        return;
    }
    table->row_count += table->row_count < ROWS_MOST;
    for (size_t i = table->row_count - 1; i > at; i--) {
        table->rows[i] = table->rows[i - 1];
        table->numbers[i] = table->numbers[i - 1];
    }
    table->rows[at] = *row;
    table->numbers[at] = number;
}

static void choose_rows(struct sheet_table *table, const struct section *section)
{
    const struct tt_table_column *order =
        section->order ? tt_table_column_of(section->table, section->order) : NULL;
    for (size_t i = 0; i < table->sheet->count; i++) {
        struct tt_table_row row;
        if (!order && table->row_count == ROWS_MOST) {
            break;
        }
        tt_table_row_at(table->sheet, i, &row);
        uint64_t number = order ? report_tables_number_of(table->sheet, order, &row) : 0;
        if (!order) {
            table->rows[table->row_count++] = row;
        } else if (number > 0) {
            table->all++;
            keep_largest(table, &row, number);
        }
    }
    table->all = order ? table->all : table->sheet->count;
}

static struct tt_status add_sheet(void *arg, const struct tt_table_run *sheet)
{
    const struct work *work = arg;
    struct sheet_table t = {.sheet = sheet};

    const struct section *section = work->section;
    for (size_t i = 0; i < t.sheet->column_count && t.column_count < COLUMNS_MOST; i++) {
        const struct tt_table_column *column = &t.sheet->columns[i];
        char key[64];
        struct tt_text text = tt_text_of(key, sizeof key);
        tt_text_put(&text, " %s ", column->key);
        bool wanted = section->keys ? strstr(section->keys, tt_text_cstr(&text)) != NULL
                                    : column->heading != NULL;
        if (wanted && tt_table_prints(t.sheet, column)) {
            t.columns[t.column_count++] = column;
        }
    }

    choose_rows(&t, work->section);
    const struct tt_page_table table = {sheet, t.columns, t.column_count, t.rows, t.row_count};
    add_section(work, &table, t.all);
    return tt_page_status(work->page);
}

/* ---- all of them ---------------------------------------------------------------------------- */

unsigned tt_report_tables(void)
{
    return sizeof sections / sizeof *sections;
}

struct tt_status tt_report_add_table(struct tt_page *page, const struct tt_options *options,
                                     struct tt_input *input, unsigned number)
{
    struct work work = {page, &sections[number]};
    struct tt_options stats = *options;
    if (work.section->order && strcmp(work.section->order, "misses") == 0 && !options->deadlines) {
        return tt_ok();
    }
    stats.command = TT_COMMAND_STATS;
    stats.by = 0;
    while (tt_table_at((size_t)stats.by) != work.section->table) {
        stats.by++;
    }
    stats.format = TT_OUTPUT_TABLE;
    return tt_stats_compute(&stats, input, add_sheet, &work);
}
