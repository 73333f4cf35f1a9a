/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes: sums over the lanes that the user defines, a row for each lane, key and state: how often, how long, and
 * the distribution of values. Those count that begin in the range.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "lane/lane.h"
#include "table/lanes/lane_sums.h"
#include "table/sums.h"

#define LIST_WORK 32u /* cost of packing a row, in events */

/* The rows of a lane with one key and state. */
struct lane_item {
    struct tt_lane_span like;
    uint64_t count, open, lossy, min;
    uint32_t longest; /* thread of the longest */
    struct tt_samples samples;
    struct tt_distribution duration; /* once it is settled */
    double *values;
    size_t value_count, value_capacity;
    double sum, least, most;
    uint64_t most_at;
};

struct lane_sum {
    struct tt_subject of; /* `kind`: the state, `number`: hash of the key */
    uint64_t settled, lane, item;
    const char *state;
    uint64_t count, open, lossy, time, min;
    struct tt_distribution duration;
    uint64_t values;
    double least, mean, p50, p95, p99, most;
    uint64_t most_at;
};

struct lane_sums {
    struct tt_lane_walk *walk;
    bool is_counted;
    size_t settled; /* items */
    struct tt_selection selection;
    struct lane_item *items;
    size_t count, capacity;
    struct tt_hash by_key;
};

/* ---- counting ----------------------------------------------------------------------------- */

/* Returns the item of a row, which is added if it is new; NULL if out of memory. */
static struct lane_item *lane_item_of(struct lane_sums *sums, const struct tt_lane_span *row)
{
    uint64_t hash = tt_hash_of_pair((uint64_t)row->lane << 32 | row->key, row->state);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&sums->by_key, hash, &probe); i != TT_HASH_NONE;
         i = tt_hash_next(&sums->by_key, &probe)) {
        const struct tt_lane_span *like = &sums->items[i].like;
        if (like->lane == row->lane && like->key == row->key && like->state == row->state) {
            return &sums->items[i];
        }
    }
    struct lane_item *items =
        tt_array_grow(sums->items, sums->count, &sums->capacity, sizeof *items);
    if (!items) {
        return NULL;
    }
    sums->items = items;
    if (sums->count >= TT_HASH_NONE || !tt_hash_add(&sums->by_key, hash, (uint32_t)sums->count)) {
        return NULL;
    }
    items[sums->count] = (struct lane_item){.like = *row, .min = UINT64_MAX};
    return &items[sums->count++];
}

static bool count_value(struct lane_item *item, const struct tt_lane_span *row)
{
    double *values =
        tt_array_grow(item->values, item->value_count, &item->value_capacity, sizeof *values);
    if (!values) {
        return false;
    }
    item->values = values;
    values[item->value_count++] = row->value;
    item->sum += row->value;
    if (item->value_count == 1 || row->value > item->most) {
        item->most = row->value;
        item->most_at = row->begin;
    }
    item->least = item->value_count == 1 || row->value < item->least ? row->value : item->least;
    return true;
}

/* Returns whether the filters of the run select a row; those of queries have no event. */
static bool is_selected(const struct tt_table_run *run, const struct tt_lane_span *row)
{
    const struct tt_table_request *request = &run->request;
    const struct lane_sums *sums = run->state;
    return tt_table_includes(run, row->thread) &&
           (!request->wanted || tt_lane_walk_set(sums->walk)->v[row->lane]->kind == TT_LANE_QUERY ||
            request->wanted(request->wanted_arg, row->row));
}

static bool count_lane_row(void *arg, const struct tt_lane_span *row)
{
    const struct tt_table_run *run = arg;
    if (!is_selected(run, row)) {
        return true;
    }
    struct lane_item *item = lane_item_of(run->state, row);
    if (!item || (!isnan(row->value) && !count_value(item, row))) {
        return false;
    }
    item->count++;
    item->lossy += row->is_lossy;
    if (row->end == TT_LANE_OPEN) {
        item->open++;
        return true;
    }
    uint64_t length = row->end - row->begin;
    item->min = length < item->min ? length : item->min;
    item->longest =
        item->samples.count == 0 || length > item->samples.max ? row->thread : item->longest;
    return tt_samples_add(&item->samples, length, row->end);
}

/* Begins a walk over the range of a run; UINT32_MAX: of all lanes. */
static struct tt_lane_walk *lane_walk_of(const struct tt_table_run *run, uint32_t only)
{
    const struct tt_table_request *request = &run->request;
    return tt_lane_walk_new(
        &(struct tt_lane_walk_request){.trace = request->trace,
                                       .events = request->events,
                                       .only = only,
                                       .first_row = request->first_row,
                                       .end_row = request->end_row,
                                       .from = request->window.from,
                                       .to = request->window.to,
                                       .without_queries = request->without_queries});
}

/* Begins the walk, and continues it for this step. */
static enum tt_made count_lanes(struct tt_table_run *run, struct lane_sums *sums)
{
    const struct tt_table_request *request = &run->request;
    sums->walk = sums->walk ? sums->walk : lane_walk_of(run, UINT32_MAX);
    for (bool ok = sums->walk != NULL; ok;) {
        uint32_t count = tt_lane_walk_step(sums->walk, tt_events_rows(request->events),
                                           count_lane_row, run, &ok);
        if (ok && count == 0) {
            run->shrunk |= tt_lane_walk_is_cut(sums->walk);
            return tt_lane_walk_open(sums->walk, count_lane_row, run) ? TT_MADE_ALL
                                                                      : TT_MADE_NO_MEMORY;
        }
        if (ok && !tt_table_spend(run, count)) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_NO_MEMORY;
}

/* ---- rows --------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns the value that `percent` of all do not exceed: the nearest rank, as in tt_samples_distribution. */
static double value_at(const struct lane_item *item, uint64_t percent)
{
    size_t rank = (item->value_count * percent + 99) / 100;
    return item->values[rank > 0 ? rank - 1 : 0];
}

static bool make_lane_sum(const struct tt_table_run *run, size_t index, void *room)
{
    const struct lane_sums *sums = run->state;
    const struct lane_item *item = &sums->items[index];
    const struct tt_lane_definition *definition = tt_lane_walk_set(sums->walk)->v[item->like.lane];
    struct lane_sum *row = room;
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_text key = tt_text_of(buffer, sizeof buffer);
    tt_lane_put_key(&key, sums->walk, &item->like);
    row->of.name = definition->name;
    row->of.kind = item->like.state;
    row->of.number = tt_hash_of(buffer, key.used);
    if (definition->pairing.same == TT_MEASURE_THREAD) {
        row->of.thread = item->like.key;
    }
    row->settled = index < sums->settled;
    row->lane = item->like.lane;
    row->item = index;
    row->state = tt_lane_state(sums->walk, &item->like);
    row->count = item->count;
    row->open = item->open;
    row->lossy = item->lossy;
    row->time = item->samples.sum;
    row->min = item->min;
    row->duration = item->duration;
    row->values = item->value_count;
    row->least = item->least;
    row->most = item->most;
    row->most_at = item->most_at;
    row->mean = item->value_count > 0 ? item->sum / (double)item->value_count : NAN;
    row->p50 = row->p95 = row->p99 = NAN;
    if (row->settled && item->value_count > 0) {
        row->p50 = value_at(item, 50);
        row->p95 = value_at(item, 95);
        row->p99 = value_at(item, 99);
    }
    return true;
}

/* Computes the distributions; PART: there are more. */
static enum tt_made settle_lanes(struct tt_table_run *run, struct lane_sums *sums)
{
    while (sums->settled < sums->count) {
        struct lane_item *item = &sums->items[sums->settled];
        if (!tt_samples_distribution_step(&item->samples, &sums->selection, &run->work,
                                          &item->duration)) {
            return TT_MADE_PART;
        }
        if (item->value_count > 1) {
            qsort(item->values, item->value_count, sizeof *item->values, compare_doubles);
        }
        sums->settled++;
        if (!tt_table_spend(run, item->value_count + 1) && sums->settled < sums->count) {
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

static enum tt_made step_lanes(struct tt_table_run *run)
{
    struct lane_sums *sums = run->state;
    enum tt_made made = sums->is_counted ? TT_MADE_ALL : count_lanes(run, sums);
    sums->is_counted = made == TT_MADE_ALL;
    made = made == TT_MADE_ALL ? settle_lanes(run, sums) : made;
    return made != TT_MADE_ALL ? made
                               : tt_table_list_step(run, sums->count, make_lane_sum, LIST_WORK);
}

static enum tt_made refresh_lanes(struct tt_table_run *run)
{
    const struct lane_sums *sums = run->state;
    return sums->is_counted || !sums->walk
               ? TT_MADE_ALL
               : tt_table_list_step(run, sums->count, make_lane_sum, LIST_WORK);
}

static unsigned percent_of_lanes(const struct tt_table_run *run)
{
    const struct lane_sums *sums = run->state;
    const struct tt_table_request *request = &run->request;
    uint64_t row = sums->walk ? tt_lane_walk_row(sums->walk) : 0;
    uint64_t end = request->end_row < UINT64_MAX ? request->end_row : 0;
    return tt_table_percent_of(row > request->first_row ? row - request->first_row : 0,
                               end > request->first_row ? end - request->first_row : 0);
}

static void end_lanes(struct tt_table_run *run)
{
    struct lane_sums *sums = run->state;
    for (size_t i = 0; i < sums->count; i++) {
        tt_samples_free(&sums->items[i].samples);
        free(sums->items[i].values);
    }
    free(sums->items);
    tt_hash_free(&sums->by_key);
    tt_lane_walk_free(sums->walk);
}

/* Those of a lane together, the most time first; values and what is open by their number. */
static int compare_lanes(const void *a, const void *b)
{
    const struct lane_sum *left = a, *right = b;
    if (left->lane != right->lane) {
        return left->lane < right->lane ? -1 : 1;
    }
    if (left->time != right->time) {
        return left->time > right->time ? -1 : 1;
    }
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    return left->item < right->item ? -1 : left->item > right->item;
}

static TT_CELL_FUNCTION(cell_of_key)
{
    const struct lane_sums *sums = run->state;
    (void)column;
    tt_lane_put_key(&cell->text, sums->walk,
                    &sums->items[((const struct lane_sum *)row)->item].like);
    cell->kind = cell->text.used > 0 ? TT_CELL_TEXT : TT_CELL_NONE;
}

/* ---- samples ------------------------------------------------------------------------------ */

struct tt_lane_samples {
    const struct tt_table_run *run;
    struct tt_lane_walk *walk;
    struct tt_lane_span like; /* of the row: lane, key and state */
    bool values;
    struct tt_sample_sink *sink;
};

struct tt_lane_samples *tt_lane_samples_new(const struct tt_table_run *run, const void *row,
                                            bool values, struct tt_sample_sink *sink)
{
    const struct lane_sums *sums = run->state;
    const struct lane_item *item = &sums->items[((const struct lane_sum *)row)->item];
    struct tt_lane_samples *samples = calloc(1, sizeof *samples);
    if (samples) {
        *samples = (struct tt_lane_samples){run, lane_walk_of(run, item->like.lane), item->like,
                                            values, sink};
    }
    if (samples && !samples->walk) {
        free(samples);
        return NULL;
    }
    return samples;
}

static bool pass_sample(void *arg, const struct tt_lane_span *row)
{
    struct tt_lane_samples *samples = arg;
    bool is_of_row = row->key == samples->like.key && row->state == samples->like.state &&
                     is_selected(samples->run, row);
    samples->sink->thread = row->thread;
    if (!is_of_row || (samples->values && !(row->value >= 0 && row->value < 9e18)) ||
        (!samples->values && row->end == TT_LANE_OPEN)) {
        return true;
    }
    return samples->values ? tt_sample_sink_pass(samples->sink, (uint64_t)row->value, row->begin)
                           : tt_sample_sink_pass(samples->sink, row->end - row->begin, row->end);
}

bool tt_lane_samples_step(struct tt_lane_samples *samples, uint64_t *work, bool *done)
{
    const uint64_t rows = tt_events_rows(samples->run->request.events);
    for (bool ok = true; *work > 0 && !*done;) {
        uint32_t count = tt_lane_walk_step(samples->walk, rows, pass_sample, samples, &ok);
        *work -= count < *work ? count : *work;
        *done = ok && count == 0;
        if (!ok || (*done && !tt_lane_walk_open(samples->walk, pass_sample, samples))) {
            return false;
        }
    }
    return true;
}

void tt_lane_samples_free(struct tt_lane_samples *samples)
{
    if (samples) {
        tt_lane_walk_free(samples->walk);
        free(samples);
    }
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct lane_sum
#define IN

static bool place_of_lane(const struct tt_table_run *run, const struct tt_table_column *column,
                          const void *room, struct tt_table_place *place)
{
    const struct lane_sums *sums = run->state;
    const struct lane_sum *row = room;
    if (strncmp(column->key, "value_", 6) == 0) {
        place->at = row->most_at;
        return row->values > 0;
    }
    place->at = row->duration.max_at;
    place->length = row->duration.max;
    place->thread = sums->items[row->item].longest;
    return column->distribution != TT_TABLE_ALWAYS && row->settled && row->duration.count > 0;
}

static const char *missing_lanes(const struct tt_capture *capture)
{
    return tt_lane_list_now(capture->lanes)->count > 0 ? NULL
                                                       : "no lane is defined (--lane, --lanes)";
}

/* clang-format off */
static const struct tt_table_column columns[] = {
    COLUMN("lane", "lane", TEXT, of.name, SCREEN("", "lane", 0, 1), "Name of the lane.", .is_key = true),
    MADE("key", "key", NAME, cell_of_key, SCREEN("", "key", 2, 2), "What its events share: a thread, process, CPU or value.", .is_key = true),
    COLUMN("state", "state", TEXT, state, SCREEN("", "state", 1, 3), "State, of a lane of states or a query.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 3, 4), "Number of intervals, states or values that begin in the range.", .is_neutral = true, .compared = 1),
    COLUMN("open", NULL, COUNT, open, SCREEN("", "open", 17, 5), "How many of them have no end in the capture.", .is_neutral = true),
    COLUMN("lossy", NULL, COUNT, lossy, SCREEN("", "lossy", 18, 6), "How many of them contain a loss of records."),
    COLUMN("time", "time", TIME_MS, time, SCREEN("time", "", 5, 7), "Their durations together.", .is_neutral = true, .compared = 2),
    COLUMN("time_pct", NULL, SHARE, time, SCREEN("time", "%", 6, 8), "Their durations together, in percent of the range.", .is_neutral = true),
    KNOWN_BY("duration_min", "min", TIME_US, min, duration.count, SCREEN("duration", "min", 10, 9), "Duration, the shortest.", .lost = TT_LOST_LESS),
    MEAN_OF("duration_mean", "mean", duration, SCREEN("duration", "mean", 7, 10), "Duration, the mean.", .compared = 3),
    OF("duration_p50", NULL, TIME_US, duration, p50, SCREEN("duration", "p50", 11, 11), "Duration, the median."),
    OF("duration_p95", NULL, TIME_US, duration, p95, SCREEN("duration", "p95", 12, 12), "Duration that 95 % do not exceed."),
    OF("duration_p99", "p99", TIME_US, duration, p99, SCREEN("duration", "p99", 8, 13), "Duration that 99 % do not exceed.", .compared = 4),
    OF("duration_max", "max", TIME_US, duration, max, SCREEN("duration", "max", 4, 14), "Duration, the longest.", .compared = 5),
    OF("duration_max_at", "at", AT, duration, max_at, SCREEN("duration", "at", 9, 15), "When the longest of them ended."),
    KNOWN_BY("value_min", "value min", REAL, least, values, SCREEN("value", "min", 14, 16), "Value, the smallest.", .is_neutral = true),
    KNOWN_BY("value_mean", "value mean", REAL, mean, values, SCREEN("value", "mean", 15, 17), "Value, the mean.", .is_neutral = true),
    KNOWN_BY("value_p50", NULL, REAL, p50, values, SCREEN("value", "p50", 19, 18), "Value, the median.", .is_neutral = true),
    KNOWN_BY("value_p95", NULL, REAL, p95, values, SCREEN("value", "p95", 20, 19), "Value that 95 % do not exceed.", .is_neutral = true),
    KNOWN_BY("value_p99", NULL, REAL, p99, values, SCREEN("value", "p99", 21, 20), "Value that 99 % do not exceed.", .is_neutral = true),
    KNOWN_BY("value_max", "value max", REAL, most, values, SCREEN("value", "max", 13, 21), "Value, the largest.", .is_neutral = true),
    KNOWN_BY("value_max_at", NULL, AT, most_at, values, SCREEN("value", "at", 16, 22), "When the value was the largest."),
};
/* clang-format on */

const struct tt_table tt_table_lanes = {
    NAMES("lane", "Lanes", "A lane of the user, by key and state.", "[lane]| [key?]| [state?]"),
    COLUMNS(columns),
    OF_ROW(struct lane_sum),
    .state_size = sizeof(struct lane_sums),
    .settled = offsetof(struct lane_sum, settled),
    .longest = {"duration_max"},
    .order = "time",
    .filter = TT_FILTER_EVENTS,
    .missing = missing_lanes,
    .step = step_lanes,
    .compare = compare_lanes,
    .refresh = refresh_lanes,
    .percent = percent_of_lanes,
    .end = end_lanes,
    .place = place_of_lane,
};
