/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_tool: rows of the tables that the format's own tool has. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/builder.h"

/* The rows that the format has passed. */
struct taken {
    struct tt_tool_row *rows;
    size_t count;
    size_t capacity;
    bool failed; /* out of memory */
};

/* Adds the values of a row to the total. */
static void add_to_total(struct tt_stat_row *total, const struct tt_stat_row *row)
{
    for (size_t i = 0; i < TT_TOOL_VALUES; i++) {
        total->tool.v[i] += row->tool.v[i];
    }
}

static bool take_row(void *arg, const struct tt_tool_row *row)
{
    struct taken *taken = arg;
    struct tt_tool_row *room =
        tt_array_grow(taken->rows, taken->count, &taken->capacity, sizeof *room);
    if (!room) {
        taken->failed = true;
        return false;
    }
    taken->rows = room;
    taken->rows[taken->count++] = *row;
    return true;
}

static bool add_row(struct tt_stat_builder *m, const struct tt_tool_row *from)
{
    struct tt_stat_row row;
    bool idle = from->thread == TT_NO_THREAD && strcmp(from->kind, "idle") == 0;
    tt_stat_row_clear(&row);
    row.thread = idle ? TT_OCCUPANT_IDLE : from->thread;
    row.number = from->object == UINT64_MAX ? TT_TABLE_NONE : from->object;
    row.tool.kind = from->kind;
    row.tool.name = from->name;
    memcpy(row.tool.v, from->values, sizeof row.tool.v);
    row.settled = true;
    add_to_total(tt_stat_builder_total(m), &row);
    return tt_table_add(m->sheet, &row);
}

static bool add_rows(struct tt_stat_builder *m, const struct taken *taken)
{
    bool ok = tt_table_reserve(m->sheet, taken->count);
    for (size_t i = 0; ok && i < taken->count; i++) {
        ok = add_row(m, &taken->rows[i]);
    }
    return ok;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool add_stack(struct tt_stat_builder *m, uint32_t thread)
{
    const struct tt_thread_totals *own = &m->own[thread];
    struct tt_stat_row row;
    bool known = own->stack_min != TT_NO_TOTAL && own->stack_min <= own->stack_size;
    tt_stat_row_clear(&row);
    row.thread = thread;
    row.own = *own;
    row.own.stack_min = known ? own->stack_min : TT_TABLE_NONE;
    row.own.stack_ticks = known ? own->stack_ticks : TT_TABLE_NONE;
    row.tool.kind = row.tool.name = "";
    row.tool.v[0] = known ? own->stack_size - own->stack_min : TT_TABLE_NONE;
    row.tool.v[1] = TT_TABLE_NONE;
    row.tool.v[2] = TT_TABLE_NONE;
    if (known) {
        uint64_t percent = own->stack_size / 100;
        row.tool.v[1] = own->stack_size == 0                ? 100
                        : row.tool.v[0] <= UINT64_MAX / 100 ? row.tool.v[0] * 100 / own->stack_size
                                                            : row.tool.v[0] / percent;
        row.tool.v[2] = tt_events_row_at_key(m->request.events, own->stack_ticks, own->stack_pos);
    }
    row.settled = true;
    return tt_table_add(m->sheet, &row);
}

static enum tt_made make_stacks(struct tt_stat_builder *m)
{
    uint32_t count = tt_thread_count(m->capture);
    m->own = calloc((size_t)count + 1, sizeof *m->own);
    if (!m->own || !tt_table_reserve(m->sheet, count)) {
        return TT_MADE_NO_MEMORY;
    }
    bool has = tt_events_totals(m->request.events, &m->request.keys, &m->totals, m->own);
    for (uint32_t i = 0; has && i < count; i++) {
        bool listed = m->own[i].stack_size != TT_NO_TOTAL && tt_stat_builder_includes(m, i);
        if (listed && !add_stack(m, i)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    return TT_MADE_ALL;
}

/* ---- all tables ---------------------------------------------------------------------------- */

/* Not in steps, since captures of formats with such tables are small. */
enum tt_made tt_make_tool(struct tt_stat_builder *m)
{
    const struct tt_table_request *r = &m->request;
    struct tt_stat_row *total = m->sheet->total;
    struct taken taken = {0};
    if (r->table == &tt_table_stacks) {
        return make_stacks(m);
    }
    struct tt_tool_query query = {.table = r->table == &tt_table_filex  ? TT_TOOL_FILEX
                                           : r->table == &tt_table_netx ? TT_TOOL_NETX
                                                                        : TT_TOOL_PROFILE,
                                  .range = r->keys,
                                  .threads = r->threads,
                                  .thread_limit = r->thread_limit,
                                  .cpus = r->window.cpus,
                                  .cpu_limit = r->window.cpu_limit};
    memset(&total->tool, 0, sizeof total->tool);
    total->tool.kind = total->tool.name = "";
    total->number = TT_TABLE_NONE;
    bool ok = tt_events_tool_rows(r->events, &query, take_row, &taken) && !taken.failed &&
              add_rows(m, &taken);
    free(taken.rows);
    if (!ok) {
        return TT_MADE_NO_MEMORY;
    }
    m->sheet->has_total = m->sheet->count > 1;
    return TT_MADE_ALL;
}
