/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_blame: rows of what threads waited for, and of priority inversions. */
#include "analysis/sheet_internal.h"

/* Returns what a piece without a thread is charged to: "interrupt", "timer". */
static const char *charged_to(const struct tt_blame *blame)
{
    return blame->charge.by != TT_NO_THREAD ? "" : tt_cause_name(blame->charge.cause);
}

static bool add_blame(struct tt_stat_builder *m, const struct tt_blame *blame)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = blame->thread;
    row.process = tt_thread_at(m->capture, blame->thread)->process;
    row.to = blame->charge.by;
    row.cpu = blame->charge.cpu;
    row.b.by = charged_to(blame);
    row.b.cause = blame->charge.inversion ? "inversion" : tt_cause_name(blame->charge.cause);
    row.b.vector = blame->charge.vector;
    row.b.ready = blame->ready;
    row.b.blocked = blame->blocked;
    row.b.total = blame->ready + blame->blocked;
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

static bool list_blames(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_blame *entries = tt_blames_entries(m->blames, &count);
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_blame(m, &entries[i]);
    }
    return ok;
}

static bool add_inversion(struct tt_stat_builder *m, const struct tt_inversion *inversion)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = inversion->thread;
    row.process = tt_thread_at(m->capture, inversion->thread)->process;
    row.from = inversion->holder;
    row.to = inversion->by;
    row.b.by = "";
    row.b.vector = inversion->object ? inversion->object : TT_STAT_NONE;
    row.b.from = inversion->from;
    row.b.to = inversion->to;
    row.b.total = inversion->to - inversion->from;
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

static bool list_inversions(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_inversion *list = tt_blames_inversions(m->blames, &count);
    bool ok = tt_stat_builder_reserve(m, count);
    struct tt_stat_row *total = &m->sheet->total;
    total->b.total = 0;
    total->b.from = total->b.to = total->b.vector = TT_STAT_NONE;
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_inversion(m, &list[i]);
        total->b.total += list[i].to - list[i].from;
    }
    struct tt_text text = tt_text_of(m->count_text, sizeof m->count_text);
    tt_text_u64(&text, count);
    tt_text_str(&text, count == 1 ? " inversion" : " inversions");
    total->b.by = tt_text_cstr(&text);
    m->sheet->has_total = true;
    return ok;
}

bool tt_list_blames(struct tt_stat_builder *m)
{
    return m->request.by == TT_STATS_BY_BLAME ? list_blames(m) : list_inversions(m);
}

enum tt_made tt_make_blames(struct tt_stat_builder *m)
{
    bool done = false;
    if (!m->blames) {
        struct tt_blame_request request = {m->request.window.from, m->request.window.to,
                                           m->request.threads, m->request.thread_limit};
        m->blames = tt_blames_new(m->request.trace, &request);
    }
    if (!m->blames || !tt_blames_step(m->blames, &m->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    return tt_list_blames(m) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}
