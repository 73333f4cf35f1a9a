/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff/diff_print.h"

#include "base/text_units.h"
#include "cli/stats.h"
#include "cli/writers.h"
#include "compare/changes.h"
#include "compare/comparison_text.h"
#include "print/print.h"
#include "tracetui/capture.h"

#define FILE_DECIMALS 6u
#define SMALL_ALPHA   1000000u /* below 0.001 p needs more decimals */
#define SINGLES_MOST  20u      /* rows of one side that the table lists at most without --all */

struct printing {
    const struct tt_comparison *diff;
    const struct tt_options *options;
    const struct tt_table *table;
    const struct tt_baseline *side; /* has the clock of both */
};

static struct tt_change_row row_of(const struct printing *printing,
                                   const struct tt_comparison_change *change)
{
    return (struct tt_change_row){change, printing->side, printing->table,
                                  printing->options->alpha < SMALL_ALPHA ? FILE_DECIMALS : 0};
}

/* Returns whether a change is printed; counts the rows of one side. */
static bool diff_print_is_shown(const struct printing *printing, bool is_text,
                                const struct tt_comparison_change *change, size_t singles[2])
{
    bool single = change->verdict == TT_COMPARISON_NEW || change->verdict == TT_COMPARISON_GONE;
    return printing->options->all ||
           (change->verdict != TT_COMPARISON_UNCHANGED &&
            (!single || !is_text ||
             singles[change->verdict == TT_COMPARISON_GONE]++ < SINGLES_MOST));
}

/* ---- the lines below the table ------------------------------------------------------------- */

static void diff_print_put_more(struct tt_text *text, size_t count, const char *what)
{
    if (count > SINGLES_MOST) {
        tt_text_put(text, "... %ju%s\n", count - SINGLES_MOST, what);
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

    uint64_t length = s.block;
    if (printing->side->has_clock) {
        tt_text_duration(text, length, TT_MICROSECONDS);
    } else {
        tt_text_put(text, "%ju ticks", length);
    }

    tt_text_put(text, ": %u of A, %u of B; %ju%s\n", s.blocks_a, s.blocks_b, s.tests,
                s.tests == 1 ? " value tested" : " values tested");
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Prints the changes. A text is empty if the sides are equal. */
struct tt_status tt_comparison_print(const struct tt_comparison *diff,
                                     const struct tt_options *options, const struct tt_table *table,
                                     struct tt_output *out)
{
    const struct printing p = {diff, options, table, tt_comparison_side_a(diff)};
    const enum tt_print_form form = tt_stats_form(options->format);
    const bool is_text = form == TT_PRINT_TEXT;
    const struct tt_capture capture = {.clock_hz = p.side->has_clock};
    struct tt_table_run run = {.capture = &capture};
    struct tt_table_column columns[TT_CHANGE_COLUMNS];
    size_t count, listed = 0, singles[2] = {0}, again[2] = {0};
    const struct tt_comparison_change *changes = tt_comparison_changes(diff, &count);
    struct tt_print print;
    if (is_text && tt_comparison_summarize(diff).identical && !options->all) {
        return out->status;
    }
    tt_changes_run(&run, table, columns);
    tt_print_begin(&print, &run, form);
    for (size_t i = 0; is_text && i < count; i++) {
        if (diff_print_is_shown(&p, is_text, &changes[i], singles)) {
            const struct tt_change_row row = row_of(&p, &changes[i]);
            tt_print_measure(&print, &row);
            listed++;
        }
    }
    tt_print_settle(&print);
    if (is_text ? listed > 0 : form == TT_PRINT_CSV) {
        TT_PRINT_LINE(out, tt_print_header(&print, &text));
    }
    for (size_t i = 0; i < count && tt_output_is_open(out); i++) {
        if (diff_print_is_shown(&p, is_text, &changes[i], again)) {
            const struct tt_change_row row = row_of(&p, &changes[i]);
            TT_PRINT_LINE(out, tt_print_row(&print, &text, &row));
        }
    }
    if (is_text) {
        TT_PRINT_LINE(out, (diff_print_put_more(&text, singles[0], " more new rows: --all"),
                            diff_print_put_more(&text, singles[1], " more rows are gone: --all")));
        TT_PRINT_LINE(out, diff_print_put_summary(&text, &p));
    }
    return out->status;
}
