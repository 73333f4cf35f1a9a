/* SPDX-License-Identifier: Apache-2.0 */
/*
 * migrations: how often threads went from one CPU to another, and how long it took until they ran there.
 *
 *      CPU 0  |--A--|                      a row of A from 0 to 1: the time from the end of
 *      CPU 1             |--A--|           the one run to the begin of the next
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/sums.h"
#include "tracetui/timeline.h"

struct migration_row {
    struct tt_subject of;
    uint16_t from, to, unused[2]; /* CPUs */
    struct tt_distribution away;  /* without percentiles */
};

/* A thread is walked after the other; `reached` is the time up to which the current one is done. */
struct migrations {
    uint32_t thread;
    uint64_t reached;
    bool walks;   /* `reached` is set */
    bool has_run; /* the thread has run before `reached`: until `left`, on `cpu` */
    uint16_t cpu;
    uint64_t left;
    size_t first; /* row of the thread */
    struct migration_row *rows;
    size_t count, capacity;
};

/* ---- counting ----------------------------------------------------------------------------- */

static bool add_migration(struct migrations *migrations, uint16_t to, uint64_t at)
{
    size_t i = migrations->first;
    while (i < migrations->count &&
           (migrations->rows[i].from != migrations->cpu || migrations->rows[i].to != to)) {
        i++;
    }
    if (i == migrations->count) {
        struct migration_row *rows =
            tt_array_grow(migrations->rows, migrations->count, &migrations->capacity, sizeof *rows);
        if (!rows) {
            return false;
        }
        migrations->rows = rows;
        rows[migrations->count] = (struct migration_row){.from = migrations->cpu, .to = to};
        tt_subject_clear(&rows[migrations->count]);
        rows[migrations->count++].of.thread = migrations->thread;
    }
    struct tt_distribution *away = &migrations->rows[i].away;
    uint64_t length = at - migrations->left;
    away->count++;
    away->sum += length;
    if (away->count == 1 || length > away->max) {
        away->max = length;
        away->max_at = at;
    }
    return true;
}

/* Walks the current thread; PART if the work is used up first. */
static enum tt_made walk_thread(struct tt_table_run *run, struct migrations *migrations)
{
    const struct tt_timelines *timelines = run->timelines;
    const struct tt_window *window = &run->request.window;
    struct tt_interval list[TT_INTERVALS];
    struct tt_interval_at at;
    uint64_t from = migrations->walks ? migrations->reached : 0;
    bool more = (from > 0 && tt_interval_find(timelines, migrations->thread, from, &at)) ||
                tt_interval_first(timelines, migrations->thread, &at);
    migrations->walks = true;
    while (more && migrations->reached < window->to) {
        uint32_t count = tt_intervals_read(timelines, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t start = list[i].start;
            bool is_new = start >= migrations->reached;
            if (is_new && list[i].class_ == TT_CLASS_RUNNING && list[i].cpu != TT_NO_CPU) {
                bool moved = migrations->has_run && migrations->cpu != list[i].cpu &&
                             start >= window->from && start < window->to &&
                             tt_window_has_cpu(window, list[i].cpu);
                if (moved && !add_migration(migrations, list[i].cpu, start)) {
                    return TT_MADE_NO_MEMORY;
                }
                migrations->has_run = true;
                migrations->cpu = list[i].cpu;
                migrations->left = list[i].end;
            }
            migrations->reached =
                list[i].end > migrations->reached ? list[i].end : migrations->reached;
        }
        if (!tt_table_spend(run, count) && more) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

static bool make_migration(const struct tt_table_run *run, size_t index, void *row)
{
    memcpy(row, &((const struct migrations *)run->state)->rows[index],
           sizeof(struct migration_row));
    return true;
}

static enum tt_made step_migrations(struct tt_table_run *run)
{
    struct migrations *migrations = run->state;
    uint32_t threads = tt_thread_count(run->capture);
    for (; migrations->thread < threads; migrations->thread++) {
        enum tt_made made =
            tt_table_counts(run, migrations->thread) ? walk_thread(run, migrations) : TT_MADE_ALL;
        if (made != TT_MADE_ALL) {
            return made;
        }
        migrations->walks = migrations->has_run = false;
        migrations->reached = 0;
        migrations->first = migrations->count;
        if (!tt_table_spend(run, 1) && migrations->thread + 1 < threads) {
            migrations->thread++;
            return TT_MADE_PART;
        }
    }
    return tt_table_list(run, migrations->count, make_migration) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_threads(const struct tt_table_run *run)
{
    const struct migrations *migrations = run->state;
    return tt_table_percent_of(migrations->thread, tt_thread_count(run->capture));
}

static void end_migrations(struct tt_table_run *run)
{
    free(((struct migrations *)run->state)->rows);
}

/* The most frequent first. */
static int compare_migrations(const void *a, const void *b)
{
    const struct migration_row *left = a, *right = b;
    if (left->away.count != right->away.count) {
        return left->away.count > right->away.count ? -1 : 1;
    }
    if (left->of.thread != right->of.thread) {
        return left->of.thread < right->of.thread ? -1 : 1;
    }
    return left->from != right->from ? left->from - right->from : left->to - right->to;
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct migration_row
#define IN

/* clang-format off */
static const struct tt_table_column columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 7, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 8, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("from_cpu", "from CPU", CPU, from, SCREEN("CPU", "from", 1, 4), "CPU that it left.", .is_key = true),
    COLUMN("to_cpu", "to CPU", CPU, to, SCREEN("CPU", "to", 2, 5), "CPU on which it ran next.", .is_key = true),
    COUNT_OF("count", "count", away, SCREEN("", "count", 3, 6), "How often it went there.", .compared = 1),
    MEAN_OF("away_mean", "away mean", away, SCREEN("away", "mean", 5, 7), "Time from leaving the one CPU to running on the other, the mean.", .compared = 2),
    OF("away_max", "max", TIME_US, away, max, SCREEN("away", "max", 4, 8), "Time from leaving the one CPU to running on the other, the longest.", .compared = 3),
    OF("away_max_at", "at", AT, away, max_at, SCREEN("away", "at", 6, 9), "When the longest of them ended."),
};
/* clang-format on */

const struct tt_table tt_table_migrations = {
    NAMES("migration", "Migrations", "A thread that ran on one CPU and then on another.",
          "[thread]| [from_cpu?] -> [to_cpu?]"),
    COLUMNS(columns),
    OF_ROW(struct migration_row),
    .state_size = sizeof(struct migrations),
    .filter = TT_FILTER_THREADS,
    .step = step_migrations,
    .percent = percent_of_threads,
    .end = end_migrations,
    .compare = compare_migrations,
};
