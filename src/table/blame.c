/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_blame: rows of the causes of waits, and of priority inversions. */
#include "base/array.h"
#include "base/bits.h"
#include "table/builder.h"

/* Returns the cause that a piece without a thread is charged to: "interrupt", "timer". */
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
    return tt_table_add_new(m->sheet, &row);
}

/* Returns a row of an inversion without its times. */
static struct tt_stat_row inversion_row(const struct tt_stat_builder *m, uint32_t thread,
                                        uint32_t holder, uint32_t by, uint64_t object)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = thread;
    row.process = tt_thread_at(m->capture, thread)->process;
    row.from = holder;
    row.to = by;
    row.b.by = "";
    row.b.vector = object ? object : TT_TABLE_NONE;
    row.settled = true;
    return row;
}

static bool add_inversion(struct tt_stat_builder *m, const struct tt_inversion *inversion)
{
    struct tt_stat_row row =
        inversion_row(m, inversion->thread, inversion->holder, inversion->by, inversion->object);
    row.b.cause = "chain";
    row.b.from = inversion->from;
    row.b.to = inversion->to;
    row.b.total = inversion->to - inversion->from;
    row.b.begin = row.b.end = TT_TABLE_NONE;
    return tt_table_add_new(m->sheet, &row);
}

/* ---- inversions by the format's tool ------------------------------------------------------ */

static bool take_tool_inversion(void *arg, const struct tt_tool_inversion *inversion)
{
    struct tt_stat_builder *m = arg;
    const struct tt_table_request *r = &m->request;
    uint32_t thread = inversion->thread;
    if (thread >= tt_thread_count(m->capture) ||
        !tt_bit_selects(r->threads, r->thread_limit, thread)) {
        return true;
    }
    struct tt_tool_inversion *room =
        tt_array_grow(m->tool_list, m->tool_count, &m->tool_capacity, sizeof *m->tool_list);
    if (!room) {
        m->tool_failed = true;
        return false;
    }
    m->tool_list = room;
    m->tool_list[m->tool_count++] = *inversion;
    return true;
}

static bool add_tool_inversion(struct tt_stat_builder *m, const struct tt_tool_inversion *inversion)
{
    struct tt_events *events = m->request.events;
    struct tt_stat_row row =
        inversion_row(m, inversion->thread, inversion->holder, inversion->by, inversion->object);
    row.b.cause = inversion->by == TT_NO_THREAD ? "deterministic" : "non-deterministic";
    row.b.from = inversion->begin;
    row.b.begin = tt_events_row_at_key(events, inversion->begin, inversion->begin_pos);
    row.b.to = inversion->has_end ? inversion->end : TT_TABLE_NONE;
    row.b.end = inversion->has_end
                    ? tt_events_row_at_key(events, inversion->end, inversion->end_pos)
                    : TT_TABLE_NONE;
    row.b.total = inversion->has_end ? inversion->end - inversion->begin : TT_TABLE_NONE;
    return tt_table_add_new(m->sheet, &row);
}

/* ---- listing ------------------------------------------------------------------------------ */

#define LIST_WORK 32u  /* cost of packing a row, in intervals */
#define TOOL_WORK 500u /* and of a row with two searches of events */

static void total_inversions(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_inversion *list = tt_blames_inversions(m->blames, &count);
    struct tt_stat_row *total = m->sheet->total;
    total->b.total = 0;
    total->b.cause = "";
    total->b.from = total->b.to = total->b.vector = TT_TABLE_NONE;
    total->b.begin = total->b.end = TT_TABLE_NONE;
    for (size_t i = 0; i < count; i++) {
        total->b.total += list[i].to - list[i].from;
    }
    struct tt_text text = tt_text_of(m->count_text, sizeof m->count_text);
    tt_text_u64(&text, count);
    tt_text_str(&text, count == 1 ? " inversion" : " inversions");
    total->b.by = tt_text_cstr(&text);
    m->sheet->has_total = true;
}

/* Lists the rows in steps; the sheet has them when ALL is returned. */
static enum tt_made list_rows(struct tt_stat_builder *m)
{
    bool of_blame = m->request.table == &tt_table_blame;
    size_t blames, inversions;
    const struct tt_blame *blame = tt_blames_entries(m->blames, &blames);
    const struct tt_inversion *inversion = tt_blames_inversions(m->blames, &inversions);
    size_t count = of_blame ? blames : inversions + m->tool_count;
    if (!m->sheet->store->new_rows && !tt_table_reserve_new(m->sheet, count)) {
        return TT_MADE_NO_MEMORY;
    }
    for (size_t i; (i = m->sheet->store->new_count) < count;) {
        bool of_tool = !of_blame && i >= inversions;
        bool ok = of_blame  ? add_blame(m, &blame[i])
                  : of_tool ? add_tool_inversion(m, &m->tool_list[i - inversions])
                            : add_inversion(m, &inversion[i]);
        if (!ok) {
            return TT_MADE_NO_MEMORY;
        }
        if (!tt_sheet_spend(m, of_tool ? TOOL_WORK : LIST_WORK) && i + 1 < count) {
            return TT_MADE_PART;
        }
    }
    tt_table_use_new(m->sheet);
    if (!of_blame) {
        total_inversions(m);
    }
    return TT_MADE_ALL;
}

enum tt_made tt_refresh_blames(struct tt_stat_builder *m)
{
    if (m->sheet->store->new_rows && !m->sheet->store->refreshing) {
        return TT_MADE_ALL;
    }
    enum tt_made made = list_rows(m);
    m->sheet->store->refreshing = made == TT_MADE_PART;
    return made;
}

/* Sums up all pieces in steps. */
static enum tt_made sum_blames(struct tt_stat_builder *m)
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
    if (m->request.table == &tt_table_inversions && m->capture->format->tool_inversions) {
        m->sheet->has_tool = true;
        tt_events_tool_inversions(m->request.events, &m->request.keys, take_tool_inversion, m);
    }
    m->counted = true;
    return m->tool_failed ? TT_MADE_NO_MEMORY : TT_MADE_ALL;
}

enum tt_made tt_make_blames(struct tt_stat_builder *m)
{
    enum tt_made made = m->counted ? TT_MADE_ALL : sum_blames(m);
    return made == TT_MADE_ALL ? list_rows(m) : made;
}
