/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff/diff_print.h"

#include <math.h>
#include <string.h>

#include "base/text_columns.h"
#include "base/text_units.h"
#include "cli/writers.h"
#include "compare/comparison_text.h"
#include "print/record/fields.h"

#define COLUMNS       8u
#define COLUMN_SPACE  2u
#define CELL_BYTES    4096u
#define P_DECIMALS    4u
#define FILE_DECIMALS 6u
#define SMALL_ALPHA   1000000u /* below 0.001 p needs more decimals */

struct printing {
    const struct tt_comparison *diff;
    const struct tt_options *options;
    const struct tt_table *table;
    const struct tt_baseline *side; /* has the clock of both */
};

/* ---- the table ---------------------------------------------------------------------------- */

static const char *const headings[COLUMNS] = {"",           "value",  "A", "B",
                                              "difference", "change", "p", "verdict"};

/* Appends a cell of the table; NULL: the heading. */
static void diff_print_put_cell(struct tt_text *text, const struct printing *printing,
                                const struct tt_comparison_change *change, unsigned column)
{
    if (!change) {
        tt_text_str(text, column == 0 ? printing->table->name : headings[column]);
        return;
    }
    switch (column) {
    case 0:
        tt_text_str(text, tt_comparison_name(change));
        break;
    case 1:
        tt_comparison_put_measure(text, change->measure);
        break;
    case 2:
        tt_comparison_put_value(text, printing->side, change->measure, change->a);
        break;
    case 3:
        tt_comparison_put_value(text, printing->side, change->measure, change->b);
        break;
    case 4:
        tt_comparison_put_difference(text, printing->side, change);
        break;
    case 5:
        tt_comparison_put_change(text, change);
        break;
    case 6:
        if (change->row_a && change->row_b) {
            tt_comparison_put_fraction(text, change->p,
                                       printing->options->alpha < SMALL_ALPHA ? FILE_DECIMALS
                                                                              : P_DECIMALS);
        } else {
            tt_text_char(text, '-');
        }
        break;
    default:
        tt_text_str(text, tt_comparison_verdict_word(change->verdict));
    }
}

/* Appends the line of a change, or the headings; `text` NULL: widens the columns for it. */
static void diff_print_put_row(struct tt_text *text, const struct printing *printing,
                               const struct tt_comparison_change *change, size_t widths[COLUMNS])
{
    size_t start = text ? text->used : 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        char buffer[CELL_BYTES];
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        bool left = i < 2 || i == COLUMNS - 1;
        diff_print_put_cell(&cell, printing, change, i);
        tt_text_shorten(&cell, 0, TT_NAME_COLUMNS);
        size_t width = tt_text_columns(cell.buffer, cell.used);
        size_t blanks = widths[i] > width ? widths[i] - width : 0;
        if (!text) {
            widths[i] += width > widths[i] ? width - widths[i] : 0;
            continue;
        }
        tt_text_fill(text, ' ', (i > 0 ? COLUMN_SPACE : 0) + (left ? 0 : blanks));
        tt_text_bytes(text, cell.buffer, cell.used);
        tt_text_fill(text, ' ', left ? blanks : 0);
    }
    if (text) {
        while (text->used > start && text->buffer[text->used - 1] == ' ') {
            text->used--;
        }
        tt_text_char(text, '\n');
    }
}

static bool diff_print_is_listed(const struct printing *printing,
                                 const struct tt_comparison_change *change)
{
    return printing->options->all || change->verdict != TT_COMPARISON_UNCHANGED;
}

/* Rows of one side that the table lists at most without --all. */
#define SINGLES_MOST 20u

/* Returns whether the table has a line for a change; counts the rows of one side. */
static bool diff_print_is_shown(const struct printing *printing,
                                const struct tt_comparison_change *change, size_t singles[2])
{
    bool single = change->verdict == TT_COMPARISON_NEW || change->verdict == TT_COMPARISON_GONE;
    return diff_print_is_listed(printing, change) &&
           (!single || printing->options->all ||
            singles[change->verdict == TT_COMPARISON_GONE]++ < SINGLES_MOST);
}

static void diff_print_put_more(struct tt_text *text, size_t count, const char *what)
{
    if (count > SINGLES_MOST) {
        tt_text_put(text, "... %ju%s\n", count - SINGLES_MOST, what);
    }
}

static void diff_print_put_length(struct tt_text *text, const struct printing *printing,
                                  uint64_t length)
{
    if (printing->side->has_clock) {
        tt_text_duration(text, length, TT_MICROSECONDS);
    } else {
        tt_text_put(text, "%ju ticks", length);
    }
}

static void diff_print_put_summary(struct tt_text *text, const struct printing *printing)
{
    const double unit = 1e9;
    struct tt_comparison_summary s = tt_comparison_summarize(printing->diff);
    tt_comparison_put_summary(text, &s, (double)printing->options->alpha / unit,
                              (double)printing->options->min_change / unit);
    tt_text_char(text, '\n');
    if (s.blocks_a == 0 || s.blocks_b == 0) {
        return;
    }
    tt_text_str(text, "blocks of ");
    diff_print_put_length(text, printing, s.block);
    tt_text_put(text, ": %u of A, %u of B; %ju%s\n", s.blocks_a, s.blocks_b, s.tests,
                s.tests == 1 ? " value tested" : " values tested");
}

/* Prints nothing if the sides are equal. */
static void print_table(const struct printing *printing, struct tt_output *out)
{
    size_t widths[COLUMNS] = {0}, count, listed = 0, singles[2] = {0}, again[2] = {0};
    const struct tt_comparison_change *changes = tt_comparison_changes(printing->diff, &count);
    if (tt_comparison_summarize(printing->diff).identical && !printing->options->all) {
        return;
    }
    diff_print_put_row(NULL, printing, NULL, widths);
    for (size_t i = 0; i < count; i++) {
        if (diff_print_is_shown(printing, &changes[i], singles)) {
            diff_print_put_row(NULL, printing, &changes[i], widths);
            listed++;
        }
    }
    if (listed > 0) {
        TT_PRINT_LINE(out, diff_print_put_row(&text, printing, NULL, widths));
    }
    for (size_t i = 0; i < count && tt_output_is_open(out); i++) {
        if (diff_print_is_shown(printing, &changes[i], again)) {
            TT_PRINT_LINE(out, diff_print_put_row(&text, printing, &changes[i], widths));
        }
    }
    TT_PRINT_LINE(out, (diff_print_put_more(&text, singles[0], " more new rows: --all"),
                        diff_print_put_more(&text, singles[1], " more rows are gone: --all")));
    TT_PRINT_LINE(out, diff_print_put_summary(&text, printing));
}

/* ---- CSV and JSON ------------------------------------------------------------------------- */

static void diff_print_put_value(struct tt_fields *fields, const char *key,
                                 const struct tt_baseline_measure *measure, uint64_t value)
{
    if (value == TT_BASELINE_NONE) {
        tt_field_none(fields, key);
    } else if (tt_field_key(fields, key)) {
        tt_comparison_put_number(fields->text, measure, value);
    }
}

static void put_fraction(struct tt_fields *fields, const char *key, bool known, double value)
{
    if (!known) {
        tt_field_none(fields, key);
    } else if (tt_field_key(fields, key)) {
        tt_comparison_put_fraction(fields->text, value, FILE_DECIMALS);
    }
}

static void diff_print_put_record(struct tt_text *text, enum tt_fields_form form,
                                  const struct printing *printing,
                                  const struct tt_comparison_change *change)
{
    const char *name = tt_comparison_name(change);
    struct tt_fields fields = tt_fields_begin(text, form);
    tt_field_text(&fields, "by", printing->table->name);
    tt_field_line(&fields, "key", name, strlen(name));
    tt_field_text(&fields, "column", change->measure->key);
    tt_field_text(&fields, "unit", tt_comparison_unit(printing->side, change->measure));
    diff_print_put_value(&fields, "a", change->measure, change->a);
    diff_print_put_value(&fields, "b", change->measure, change->b);
    put_fraction(&fields, "change", isfinite(change->change), change->change);
    put_fraction(&fields, "p", change->row_a && change->row_b, change->p);
    tt_field_text(&fields, "verdict", tt_comparison_verdict_word(change->verdict));
    tt_fields_end(&fields);
}

static void diff_print_print_lines(const struct printing *printing, bool csv, struct tt_output *out)
{
    static const struct tt_baseline_row row = {.name = ""};
    const struct tt_comparison_change none = {.measure = &printing->side->measures[0],
                                              .row_a = &row};
    size_t count;
    const struct tt_comparison_change *changes = tt_comparison_changes(printing->diff, &count);
    if (csv) {
        TT_PRINT_LINE(out, diff_print_put_record(&text, TT_FIELDS_HEADER, printing, &none));
    }
    for (size_t i = 0; i < count && tt_output_is_open(out); i++) {
        if (diff_print_is_listed(printing, &changes[i])) {
            TT_PRINT_LINE(out, diff_print_put_record(&text, csv ? TT_FIELDS_CSV : TT_FIELDS_JSON,
                                                     printing, &changes[i]));
        }
    }
}

struct tt_status tt_comparison_print(const struct tt_comparison *diff,
                                     const struct tt_options *options, const struct tt_table *table,
                                     struct tt_output *out)
{
    const struct printing p = {diff, options, table, tt_comparison_side_a(diff)};
    if (options->format == TT_OUTPUT_CSV || options->format == TT_OUTPUT_JSONL) {
        diff_print_print_lines(&p, options->format == TT_OUTPUT_CSV, out);
    } else {
        print_table(&p, out);
    }
    return out->status;
}
