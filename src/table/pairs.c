/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs: the table of switches by pair of threads. Many threads on many CPUs make millions of pairs; if only a few
 * rows are requested, a heap whose root is the least frequent entry selects the most frequent pairs, in
 * steps.
 *
 *      count ... count, select from the pairs so far, count ... select at the end
 *
 * A selection is a pass over all pairs, so it happens when their number has doubled. The selected pairs
 * are sorted and listed in steps too; the run has its earlier rows until then.
 */
#include <stdlib.h>

#include "table/sums.h"

#define FIRST_PICK 16u
#define LIST_WORK  32u /* cost of packing a row, in intervals; comparing a pair has that of one */
#define LISTED_FEW 64u /* rows that are sorted and listed in one step */

struct pair_row {
    struct tt_subject of; /* CPU, from and to */
    uint64_t count;
    uint64_t first_at; /* time of the first switch */
};

struct pairs {
    struct tt_pair_count *pairs;
    bool counted;          /* counting is complete */
    bool picking;          /* the most frequent ones are being selected */
    bool listing;          /* ... and are sorted and listed */
    size_t passed;         /* number of pairs compared so far */
    size_t pickable;       /* number of those that qualify */
    size_t picked;         /* number of entries in picks[] */
    size_t next_pick;      /* number of pairs at the next selection */
    struct tt_pair *picks; /* heap of request.row_limit entries */
    struct tt_heap_sort sort;
};

static bool pairs_is_wanted(const struct tt_table_run *run, const struct tt_pair *pair)
{
    return tt_window_has_cpu(&run->request.window, pair->cpu) &&
           (tt_table_includes(run, pair->from) || tt_table_includes(run, pair->to));
}

/* Sets the row of a selected pair, or without a limit of any one. */
static bool make_pair(const struct tt_table_run *run, size_t index, void *room)
{
    const struct pairs *pairs = run->state;
    struct pair_row *row = room;
    size_t count;
    const struct tt_pair *pair = run->request.row_limit
                                     ? &pairs->picks[index]
                                     : &tt_pair_count_pairs(pairs->pairs, &count)[index];
    row->of.cpu = pair->cpu;
    row->of.from = pair->from;
    row->of.to = pair->to;
    row->count = pair->count;
    row->first_at = pair->first_at;
    return run->request.row_limit || pairs_is_wanted(run, pair);
}

static bool pairs_is_after(const void *a, const void *b)
{
    return tt_pair_compare(a, b) > 0;
}

/*
 * Continues the selection as far as the work allows; at its end, replaces the rows by the selected
 * pairs.
 */
static enum tt_made pick_step(struct tt_table_run *run, struct pairs *pairs)
{
    size_t count;
    const struct tt_pair *counted = tt_pair_count_pairs(pairs->pairs, &count);
    if (!pairs->listing) {
        size_t room = run->work > count ? count : (size_t)run->work;
        size_t end = pairs->passed + room < count ? pairs->passed + room : count;
        for (; pairs->passed < end; pairs->passed++) {
            if (pairs_is_wanted(run, &counted[pairs->passed])) {
                pairs->picked =
                    tt_heap_keep(pairs->picks, pairs->picked, run->request.row_limit,
                                 sizeof *counted, &counted[pairs->passed], pairs_is_after);
                pairs->pickable++;
            }
        }
        tt_table_spend(run, room + 1);
        pairs->listing = pairs->passed == count;
        if (!pairs->listing) {
            return TT_MADE_PART;
        }
    }
    bool few = pairs->picked <= LISTED_FEW;
    if (!tt_table_sort_step(run, &pairs->sort, pairs->picks, pairs->picked, sizeof *pairs->picks,
                            pairs_is_after, few)) {
        return TT_MADE_PART;
    }
    enum tt_made made = tt_table_list_step(run, pairs->picked, make_pair, few ? 0 : LIST_WORK);
    if (made == TT_MADE_ALL) {
        run->left_out = pairs->pickable - pairs->picked;
        pairs->picking = pairs->listing = false;
    }
    return made;
}

static bool list_all(struct tt_table_run *run, const struct pairs *pairs)
{
    size_t count;
    tt_pair_count_pairs(pairs->pairs, &count);
    return tt_table_list(run, count, make_pair);
}

/* Counts; begins to select when it is due. */
static enum tt_made count_step(struct tt_table_run *run, struct pairs *pairs)
{
    size_t count;
    struct tt_status status = tt_pair_count_step(pairs->pairs, run->work, &pairs->counted);
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    tt_pair_count_pairs(pairs->pairs, &count);
    if (run->request.row_limit == 0 && pairs->counted) {
        tt_pair_count_sort(pairs->pairs);
        return list_all(run, pairs) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
    }
    if (run->request.row_limit > 0 && (pairs->counted || count >= pairs->next_pick)) {
        pairs->picks =
            pairs->picks ? pairs->picks : malloc(run->request.row_limit * sizeof *pairs->picks);
        pairs->picking = true;
        pairs->sort = (struct tt_heap_sort){0};
        pairs->passed = pairs->picked = pairs->pickable = 0;
        pairs->next_pick = count > FIRST_PICK / 2 ? count * 2 : FIRST_PICK;
        return pairs->picks ? TT_MADE_PART : TT_MADE_NO_MEMORY;
    }
    return TT_MADE_PART;
}

static enum tt_made pairs_step_pairs(struct tt_table_run *run)
{
    struct pairs *pairs = run->state;
    const struct tt_window *window = &run->request.window;
    if (!pairs->pairs) {
        pairs->next_pick = FIRST_PICK;
        pairs->pairs = tt_pair_count_new(run->timelines, window->from, window->to);
        if (!pairs->pairs) {
            return TT_MADE_NO_MEMORY;
        }
    }
    tt_pair_count_set_timelines(pairs->pairs, run->timelines);
    if (!pairs->picking) {
        enum tt_made made = count_step(run, pairs);
        if (made != TT_MADE_PART || !pairs->picking) {
            return made;
        }
    }
    enum tt_made made = pick_step(run, pairs);
    return made == TT_MADE_ALL && !pairs->counted ? TT_MADE_PART : made;
}

static enum tt_made refresh_pairs(struct tt_table_run *run)
{
    const struct pairs *pairs = run->state;
    if (!pairs->pairs || run->request.row_limit > 0) {
        return TT_MADE_ALL;
    }
    tt_pair_count_set_timelines(pairs->pairs, run->timelines);
    return list_all(run, pairs) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_pairs(const struct tt_table_run *run)
{
    const struct pairs *pairs = run->state;
    if (!pairs->pairs) {
        return 0;
    }
    tt_pair_count_set_timelines(pairs->pairs, tt_trace_timelines(run->request.trace));
    return tt_pair_count_percent(pairs->pairs);
}

static bool shrink_pairs(struct tt_table_run *run, size_t *bytes)
{
    const struct pairs *pairs = run->state;
    return pairs->pairs && tt_pair_count_shrink(pairs->pairs, bytes);
}

static void end_pairs(struct tt_table_run *run)
{
    struct pairs *pairs = run->state;
    tt_pair_count_free(pairs->pairs);
    free(pairs->picks);
}

static bool place_of_first(const struct tt_table_run *run, const struct tt_table_column *column,
                           const void *row, struct tt_table_place *place)
{
    (void)run;
    (void)column;
    place->at = ((const struct pair_row *)row)->first_at;
    return true;
}

#define ROW struct pair_row

/* clang-format off */
static const struct tt_table_column pair_columns[] = {
    COLUMN("cpu", "CPU", CPU, of.cpu, SCREEN("", "CPU", 3, 3), "Number of the CPU."),
    COLUMN("from_pid", NULL, LANE_PID, of.from, SCREEN("from", "pid", 4, 5), "Process of the thread that had the CPU."),
    COLUMN("from_tid", NULL, LANE_TID, of.from, SCREEN("from", "tid", 5, 6), "Number of the thread that had the CPU."),
    COLUMN("from", "from", LANE_NAME, of.from, SCREEN("", "from", 0, 1), "Thread that had the CPU.", .is_key = true),
    COLUMN("to_pid", NULL, LANE_PID, of.to, SCREEN("to", "pid", 6, 7), "Process of the thread that got the CPU."),
    COLUMN("to_tid", NULL, LANE_TID, of.to, SCREEN("to", "tid", 7, 8), "Number of the thread that got the CPU."),
    COLUMN("to", "to", LANE_NAME, of.to, SCREEN("", "to", 1, 2), "Thread that got the CPU.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 2, 4), "Switches from the one to the other.", .is_neutral = true, .compared = 1, .is_common = true),
};
/* clang-format on */

const struct tt_table tt_table_pairs = {
    NAMES("pair", "Switches", "Two threads of which one got the CPU of the other.",
          "[from] -> [to]"),
    .row_title = "[from], then [to] on CPU [cpu]",
    COLUMNS(pair_columns),
    OF_ROW(struct pair_row),
    .state_size = sizeof(struct pairs),
    .filter = TT_FILTER_THREADS,
    .order = "count",
    .step = pairs_step_pairs,
    .refresh = refresh_pairs,
    .percent = percent_of_pairs,
    .shrink = shrink_pairs,
    .end = end_pairs,
    .place = place_of_first,
};
