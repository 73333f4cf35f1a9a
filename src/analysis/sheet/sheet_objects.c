/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_objects: rows of locks and other objects that threads wait for. */
#include "analysis/sheet/sheet_internal.h"

static bool add_object(struct tt_stat_builder *m, const struct tt_object_stat *stat)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.process = stat->object.process;
    row.number = stat->object.id;
    row.post = stat->object.kind;
    row.o.waits = stat->waits;
    row.o.wait = stat->wait;
    row.o.hold = stat->hold;
    row.o.contended = stat->contended;
    row.o.waiting = stat->waiting;
    row.o.waiting_max = stat->waiting_max;
    row.o.waiter = stat->longest_waiter;
    row.o.wait_holder = stat->max_holder;
    row.o.holder = stat->longest_holder;
    row.o.system = stat->object.system;
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

static bool list_objects(struct tt_stat_builder *m)
{
    const struct tt_object_stats *stats = tt_object_counting_stats(m->objects);
    bool ok = tt_stat_builder_reserve(m, stats->count);
    for (size_t i = 0; ok && i < stats->count; i++) {
        ok = add_object(m, &stats->rows[i]);
    }
    return ok;
}

/* Begins, or begins again with other timelines. */
static bool begin(struct tt_stat_builder *m)
{
    const struct tt_object_window window = {m->request.window.from, m->request.window.to,
                                            m->request.threads, m->request.thread_limit};
    tt_object_counting_free(m->objects);
    m->objects_number = tt_timelines_number(m->t);
    m->objects = tt_object_counting_new(m->t, &window);
    return m->objects != NULL;
}

/* Lists the objects that are done in every step: there are few, and each step handles several. */
enum tt_made tt_make_objects(struct tt_stat_builder *m)
{
    bool done = false;
    if (m->objects_number != tt_timelines_number(m->t) && !begin(m)) {
        return TT_MADE_NO_MEMORY;
    }
    struct tt_status status = tt_object_counting_step(m->objects, m->work, &done);
    if (tt_failed(&status) || !list_objects(m)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}
