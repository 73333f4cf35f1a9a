/* SPDX-License-Identifier: Apache-2.0 */
/* summary/rule: the rule of the selected number, for `:check add`. */
#include "table/registry.h"
#include "tracetui/check_write.h"
#include "tui/views/summary/view.h"

/* Returns whether a filter limits what the rows of a table count; a row of a thread is whole. */
static bool is_limited(const struct tt_summary_table *tab)
{
    bool of_threads = tab->sheet.table == &tt_table_threads || tab->sheet.table == &tt_table_jobs;
    return tab->request.wanted || (tab->request.threads && !of_threads);
}

struct tt_status tt_summary_rule(struct tt_workspace *ws, void *state, struct tt_text *text)
{
    struct tt_summary_view *v = state;
    struct tt_summary_table *tab = tt_summary_shown(v);
    struct tt_table_row row;
    if (!tab->begun || !tt_summary_table_row(tab, &row)) {
        return tt_error(TT_ERR_USAGE, "the table has no row yet");
    }
    if (!tab->sheet.complete) {
        return tt_error(TT_ERR_USAGE, "the numbers are not complete yet");
    }
    if (is_limited(tab)) {
        return tt_error(TT_ERR_USAGE, "a filter limits these numbers: :filter without EXPRESSION");
    }
    struct tt_rule_number number = {.trace = ws->opened.trace,
                                    .sheet = &tab->sheet,
                                    .table = tab->sheet.table,
                                    .column = tab->columns.v[tab->chosen].stat,
                                    .row = &row,
                                    .keys = tab->range.keys};
    return tt_rule_write_number(text, &number);
}
