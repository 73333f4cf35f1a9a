/* SPDX-License-Identifier: Apache-2.0 */
/* events: the table of event names. */
#include <stdlib.h>
#include <string.h>

#include "analysis/event_preview.h"
#include "table/sums.h"

struct event_row {
    struct tt_subject of; /* name and class */
    uint64_t settled;
    uint64_t index; /* in the statistics */
    const char *class_name;
    uint64_t count;
    struct tt_distribution period, duration;
};

struct event_names {
    struct tt_event_stats *events;
    struct tt_event_stats
        *preview;   /* the statistics that are listed until those are complete, or NULL */
    bool previews;  /* rows are listed before they are complete */
    bool previewed; /* `preview` is at the end of the window */
    bool listed;    /* rows keep their positions */
    size_t row;     /* whose distributions are computed: `numbers`, if `opened` */
    bool opened;
    struct event_row open;
    struct tt_event_numbers numbers;
};

static void set_numbers(struct event_row *row, const struct tt_event_numbers *numbers)
{
    row->of.name = numbers->name;
    row->of.class_id = numbers->class_id;
    row->class_name = numbers->class_name;
    row->count = numbers->count;
    row->period = numbers->period;
    row->duration = numbers->duration;
}

/* Returns the statistics whose rows are listed. */
static struct tt_event_stats *listed_stats(const struct event_names *names)
{
    return names->preview && !names->listed ? names->preview : names->events;
}

static bool make_event(const struct tt_table_run *run, size_t index, void *room)
{
    struct event_row *row = room;
    struct tt_event_numbers numbers = tt_event_stats_counted(listed_stats(run->state), index);
    set_numbers(row, &numbers);
    row->index = index;
    return true;
}

/* Lists the names with events. */
static bool list_events(struct tt_table_run *run)
{
    struct tt_event_stats *events = listed_stats(run->state);
    size_t count = tt_event_stats_count(events), used = 0;
    struct tt_listed *items = malloc((count + 1) * sizeof *items);
    for (size_t i = 0; items && i < count; i++) {
        struct tt_event_numbers n = tt_event_stats_counted(events, i);
        if (n.count > 0 || n.duration.count > 0) {
            items[used++] = (struct tt_listed){n.class_id, n.count, n.name, 0, i};
        }
    }
    return items && tt_table_list_frequent(run, items, used, make_event);
}

static enum tt_made refresh_events(struct tt_table_run *run)
{
    struct event_names *names = run->state;
    if (!names->events || names->listed) {
        return TT_MADE_ALL;
    }
    names->previews = true;
    return list_events(run) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

/* Computes the percentiles of the rows one after the other. */
static enum tt_made settle_events(struct tt_table_run *run, struct event_names *names)
{
    for (; names->row < run->count; names->row++, names->opened = false) {
        if (!names->opened) {
            tt_table_row_at(run, names->row, &names->open);
            names->numbers = tt_event_stats_counted(names->events, names->open.index);
            names->opened = true;
        }
        if (run->work == 0 || !tt_event_stats_at_step(names->events, names->open.index, &run->work,
                                                      &names->numbers)) {
            return TT_MADE_PART;
        }
        set_numbers(&names->open, &names->numbers);
        names->open.settled = 1;
        if (!tt_table_put(run, names->row, &names->open)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    return TT_MADE_ALL;
}

/* Continues the walk of an earlier run, or begins one; NULL if out of memory. */
static struct tt_event_stats *begin_walk(struct tt_table_run *run)
{
    struct tt_event_window window = tt_table_event_window(&run->request);
    struct tt_event_stats **earlier = run->request.walk;
    if (earlier && *earlier && tt_event_stats_continue(*earlier, &window)) {
        struct tt_event_stats *walk = *earlier;
        *earlier = NULL;
        return walk;
    }
    struct tt_event_stats *walk = tt_event_stats_new(run->request.trace, &window);
    if (walk && earlier) {
        tt_event_stats_keep_ends(walk);
    }
    return walk;
}

/*
 * Counts the events of the window with half of the work while the walk is before it, which takes
 * seconds in a large capture. Only for runs whose rows are listed before they are complete.
 */
static bool step_preview(struct tt_table_run *run, struct event_names *names)
{
    bool before = names->events && tt_event_stats_row(names->events) < run->request.first_row;
    if (!names->previews || names->previewed || (!names->preview && !before)) {
        return true;
    }
    if (!names->preview) {
        struct tt_event_window window = tt_table_event_window(&run->request);
        names->preview = tt_event_stats_new(run->request.trace, &window);
        if (!names->preview) {
            return false;
        }
        tt_event_stats_preview(names->preview);
    }
    run->work -= run->work / 2; /* leaves at least 1, so that the walk makes progress */
    struct tt_status status =
        tt_event_stats_step(names->preview, run->request.events, run->work, &names->previewed);
    return !tt_failed(&status);
}

static enum tt_made table_events_step_events(struct tt_table_run *run)
{
    struct event_names *names = run->state;
    if (names->listed) {
        return settle_events(run, names);
    }
    names->events = names->events ? names->events : begin_walk(run);
    if (!names->events || !step_preview(run, names)) {
        return TT_MADE_NO_MEMORY;
    }
    bool done = false;
    struct tt_status status =
        tt_event_stats_step(names->events, run->request.events, run->work, &done);
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    run->shrunk |= tt_event_stats_truncated(names->events);
    names->listed = true;
    return list_events(run) ? settle_events(run, names) : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_events(const struct tt_table_run *run)
{
    const struct event_names *names = run->state;
    return names->events
               ? tt_table_percent_of(tt_event_stats_row(names->events), run->request.end_row)
               : 0;
}

static bool shrink_events(struct tt_table_run *run, size_t *bytes)
{
    const struct event_names *names = run->state;
    return (names->events && tt_event_stats_shrink(names->events, bytes)) ||
           (names->preview && tt_event_stats_shrink(names->preview, bytes));
}

/* Passes the walk over events on, or frees it. */
static void end_events(struct tt_table_run *run)
{
    struct event_names *names = run->state;
    if (run->request.walk && names->events) {
        tt_event_stats_free(*run->request.walk);
        *run->request.walk = names->events;
    } else {
        tt_event_stats_free(names->events);
    }
    tt_event_stats_free(names->preview);
}

#define ROW struct event_row
#define IN

/* clang-format off */
static const struct tt_table_column event_columns[] = {
    COLUMN("class", "class", TEXT, class_name, SCREEN("", "class", 3, 2), "Class of the event.", .is_key = true),
    COLUMN("event", "event", TEXT, of.name, SCREEN("", "event", 0, 1), "Name of the event.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 1, 3), "Number of the events.", .is_neutral = true, .compared = 1),
    COLUMN("rate_hz", "rate", RATE, count, SCREEN("", "rate", 7, 4), "Number of them per second."),
    MEAN_OF("period_mean", "period mean", period, SCREEN("period", "mean", 5, 5), "Time from one to the next, the mean."),
    OF("period_p99", "p99", TIME_US, period, p99, SCREEN("period", "p99", 11, 6), "Time from one to the next that 99 % do not exceed."),
    OF("period_max", "max", TIME_US, period, max, SCREEN("period", "max", 4, 7), "Time from one to the next, the longest.", .lost = TT_LOST_EITHER),
    COUNT_OF("duration_count", "duration count", duration, SCREEN("duration", "count", 10, 8), "Number of those with a known begin and end."),
    MEAN_OF("duration_mean", "mean", duration, SCREEN("duration", "mean", 8, 9), "Length, the mean."),
    OF("duration_p50", "p50", TIME_US, duration, p50, SCREEN("duration", "p50", 12, 10), "Length, the median.", .compared = 2),
    OF("duration_p99", "p99", TIME_US, duration, p99, SCREEN("duration", "p99", 9, 11), "Length that 99 % do not exceed.", .compared = 3),
    OF("duration_max", "max", TIME_US, duration, max, SCREEN("duration", "max", 2, 12), "Length, the longest."),
    OF("duration_max_at", "at", AT, duration, max_at, SCREEN("duration", "at", 6, 13), "When the longest one ended."),
};
/* clang-format on */

const struct tt_table tt_table_event_names = {
    NAMES("event", "Events", "The events of a name.", "[event]| ([class?])"),
    .row_title = "[event]",
    COLUMNS(event_columns),
    OF_ROW(struct event_row),
    .state_size = sizeof(struct event_names),
    .settled = offsetof(struct event_row, settled),
    .is_overall = true,
    .longest = {"duration_max", "period_max"},
    .filter = TT_FILTER_EVENTS,
    .order = "count",
    .step = table_events_step_events,
    .refresh = refresh_events,
    .percent = percent_of_events,
    .shrink = shrink_events,
    .end = end_events,
};
