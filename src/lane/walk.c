/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk: the rows of lanes, from a pass over the events.
 *
 *      first_row           end_row
 *      |- rows begin here -|- until those that began have their ends -|
 *
 * A pair of the oldest begin depends on all events before it, so that such lanes are walked from the first event.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "lane/lane.h"

#define QUERY_ROWS 256u /* of a query in a step */

struct lane_side {
    struct tt_filter_plan *plan;
    struct tt_filter_worker *worker;
    uint64_t bits[TT_FILTER_WORDS];
};

struct walked_lane {
    const struct tt_lane_definition *definition; /* NULL: not walked */
    struct tt_measure *measure;                  /* which also numbers the keys */
    struct lane_side *sides;
    struct tt_lane_span *open; /* of states and values, by key; `lane` UINT32_MAX: none */
    size_t open_count, open_capacity;
    uint64_t due; /* rows that began in the range, without an end at its end */
    void *query;
    uint64_t query_rows;
    /* Texts of a query, by number. */
    const char **words;
    size_t word_count, word_capacity;
    struct tt_hash by_word;
    struct tt_arena texts;
};

struct tt_lane_walk {
    struct tt_lane_walk_request request;
    struct tt_capture *capture;
    const struct tt_lane_set *set;
    const struct tt_lane_queries *queries;
    struct tt_status error;
    struct walked_lane *lanes;
    uint64_t row;
    bool is_past; /* at the end of the range: `due` is set */
    bool is_cut;
    bool may_be_lossy;
    /* Of the current call. */
    uint32_t lane;
    tt_lane_add *add;
    void *arg;
    bool ok;
    struct tt_event block[TT_FILTER_BLOCK];
    struct tt_args args;
};

/* ---- begin and end ------------------------------------------------------------------------ */

static void free_sides(struct walked_lane *lane)
{
    for (unsigned i = 0; lane->sides && i < lane->definition->part_count; i++) {
        tt_filter_worker_free(lane->sides[i].worker);
        tt_filter_plan_free(lane->sides[i].plan);
    }
    free(lane->sides);
    lane->sides = NULL;
}

/* Makes the filters of a lane ready for the trace. */
static struct tt_status open_sides(const struct tt_lane_walk *walk, struct walked_lane *lane)
{
    const struct tt_lane_definition *definition = lane->definition;
    lane->sides = calloc(definition->part_count + 1, sizeof *lane->sides);
    lane->measure = tt_measure_new(walk->request.trace, &definition->pairing);
    if (!lane->sides || !lane->measure) {
        return tt_error_memory();
    }
    tt_measure_store_nothing(lane->measure);
    for (unsigned i = 0; i < definition->part_count; i++) {
        struct tt_filter_error error;
        struct lane_side *side = &lane->sides[i];
        if (!tt_filter_plan_new(definition->parts[i].filter, walk->request.trace,
                                walk->request.events, &side->plan, &error)) {
            return tt_status_context(error.status, definition->parts[i].text);
        }
        side->worker = tt_filter_worker_new(side->plan, walk->request.events);
        if (!side->worker) {
            return tt_error_memory();
        }
    }
    return tt_ok();
}

/* Begins the lane of a definition; one that the capture cannot have is left out. */
static struct tt_status open_lane(struct tt_lane_walk *walk, struct walked_lane *lane,
                                  const struct tt_lane_definition *definition)
{
    struct tt_status status = tt_ok();
    lane->definition = definition;
    if (definition->kind != TT_LANE_QUERY) {
        status = open_sides(walk, lane);
    } else if (walk->queries && !walk->request.without_queries) {
        lane->query = walk->queries->begin(walk->request.trace, definition->query, &status);
    }
    if (tt_failed(&status)) {
        free_sides(lane);
        lane->definition = NULL;
        status = tt_status_context(status, definition->name);
    }
    return status;
}

struct tt_lane_walk *tt_lane_walk_new(const struct tt_lane_walk_request *request)
{
    struct tt_lane_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        return NULL;
    }
    walk->request = *request;
    walk->capture = tt_trace_capture(request->trace);
    walk->set = tt_lane_list_now(walk->capture->lanes);
    walk->queries = tt_lane_list_queries(walk->capture->lanes);
    walk->may_be_lossy = tt_health_has_gaps(walk->capture);
    walk->row = request->first_row;
    walk->error = tt_ok();
    walk->lanes = calloc((size_t)walk->set->count + 1, sizeof *walk->lanes);
    for (uint32_t i = 0; walk->lanes && i < walk->set->count; i++) {
        if (request->only != UINT32_MAX && request->only != i) {
            continue;
        }
        struct tt_status status = open_lane(walk, &walk->lanes[i], walk->set->v[i]);
        if (status.code == TT_ERR_MEMORY) {
            tt_lane_walk_free(walk);
            return NULL;
        }
        walk->error = tt_failed(&walk->error) ? walk->error : status;
        walk->row = walk->set->v[i]->pairing.oldest ? 0 : walk->row;
    }
    if (!walk->lanes) {
        tt_lane_walk_free(walk);
        return NULL;
    }
    return walk;
}

void tt_lane_walk_free(struct tt_lane_walk *walk)
{
    for (uint32_t i = 0; walk && walk->lanes && i < walk->set->count; i++) {
        struct walked_lane *lane = &walk->lanes[i];
        free_sides(lane);
        if (lane->query) {
            walk->queries->end(lane->query);
        }
        tt_measure_free(lane->measure);
        tt_hash_free(&lane->by_word);
        tt_arena_free(&lane->texts);
        free(lane->words);
        free(lane->open);
    }
    if (walk) {
        free(walk->lanes);
        free(walk);
    }
}

struct tt_status tt_lane_walk_error(const struct tt_lane_walk *walk)
{
    return walk->error;
}

const struct tt_lane_set *tt_lane_walk_set(const struct tt_lane_walk *walk)
{
    return walk->set;
}

uint64_t tt_lane_walk_row(const struct tt_lane_walk *walk)
{
    return walk->row;
}

bool tt_lane_walk_is_cut(const struct tt_lane_walk *walk)
{
    return walk->is_cut;
}

/* ---- rows --------------------------------------------------------------------------------- */

static bool is_in_range(const struct tt_lane_walk *walk, uint64_t row)
{
    return row >= walk->request.first_row && row < walk->request.end_row;
}

/* Passes a row that begins in the range; `due` counts those that the end of the range cuts. */
static void pass_row(struct tt_lane_walk *walk, struct tt_lane_span *row)
{
    if (is_in_range(walk, row->row)) {
        const struct tt_timelines *timelines =
            walk->may_be_lossy ? tt_trace_timelines(walk->request.trace) : NULL;
        row->is_lossy = timelines && row->end != TT_LANE_OPEN &&
                        tt_loss_between(timelines, row->thread, row->begin, row->end);
        walk->lanes[walk->lane].due -= walk->is_past && row->end != TT_LANE_OPEN;
        walk->ok = walk->ok && walk->add(walk->arg, row);
    }
}

static void pass_pair(void *arg, const struct tt_measure_pair *pair)
{
    struct tt_lane_walk *walk = arg;
    pass_row(walk, &(struct tt_lane_span){.lane = walk->lane,
                                          .key = pair->group,
                                          .state = TT_LANE_NO_STATE,
                                          .thread = pair->thread,
                                          .begin = pair->from,
                                          .end = pair->to,
                                          .row = pair->from_row,
                                          .value = NAN});
}

/* Returns the place of the open row of a key; NULL if out of memory. */
static struct tt_lane_span *open_row_of(struct walked_lane *lane, uint32_t key)
{
    struct tt_lane_span *open =
        tt_array_reserve(lane->open, (size_t)key + 1, &lane->open_capacity, sizeof *open);
    if (!open) {
        return NULL;
    }
    lane->open = open;
    while (lane->open_count <= key) {
        open[lane->open_count++].lane = UINT32_MAX;
    }
    return &open[key];
}

/* Reads the number in an argument of an event; false: it has none. */
static bool value_of(struct tt_lane_walk *walk, const struct tt_event *event, const char *name,
                     double *value)
{
    size_t length = strlen(name);
    tt_args_clear(&walk->args);
    if (!tt_events_describe(walk->request.events, event, &walk->args)) {
        walk->is_cut = true;
        return false;
    }
    for (unsigned i = 0; i < walk->args.count; i++) {
        const struct tt_arg *arg = &walk->args.v[i];
        if (!arg->hidden && arg->name.length == length &&
            memcmp(arg->name.data, name, length) == 0) {
            *value = arg->type == TT_ARG_I64      ? (double)arg->value.i
                     : arg->type == TT_ARG_DOUBLE ? arg->value.d
                                                  : (double)arg->value.u;
            return arg->type != TT_ARG_STRING && arg->type != TT_ARG_BYTES &&
                   arg->type != TT_ARG_NULL;
        }
    }
    return false;
}

/* Ends the state or value of the event's key, and begins that of the event. */
static void handle_event(struct tt_lane_walk *walk, struct walked_lane *lane, unsigned part,
                         const struct tt_event *event, uint64_t row)
{
    const struct tt_lane_definition *definition = lane->definition;
    uint32_t key;
    struct tt_lane_span next = {.lane = walk->lane,
                                .state = TT_LANE_NO_STATE,
                                .thread = event->thread,
                                .begin = event->ticks,
                                .row = row,
                                .value = NAN};
    if (definition->kind == TT_LANE_STATES) {
        next.state = part;
        next.lane = definition->parts[part].word ? walk->lane : UINT32_MAX;
    } else if (!value_of(walk, event, definition->arg, &next.value)) {
        return;
    }
    struct tt_lane_span *open = NULL;
    walk->ok = walk->ok && tt_measure_group_of(lane->measure, walk->request.events, event, &key) &&
               (key == UINT32_MAX || (open = open_row_of(lane, key)) != NULL);
    if (!walk->ok || !open) {
        return;
    }
    if (open->lane != UINT32_MAX) {
        open->end = event->ticks;
        pass_row(walk, open);
    }
    next.key = key;
    next.end = TT_LANE_OPEN;
    *open = next;
}

static void handle_block(struct tt_lane_walk *walk, struct walked_lane *lane, uint32_t count)
{
    const struct tt_lane_definition *definition = lane->definition;
    uint64_t any[TT_FILTER_WORDS] = {0};
    for (unsigned i = 0; i < definition->part_count; i++) {
        struct lane_side *side = &lane->sides[i];
        tt_filter_test(side->worker, walk->block, walk->row, count, side->bits);
        walk->ok = walk->ok && !tt_filter_worker_failed(side->worker);
        walk->is_cut |= tt_filter_worker_truncated(side->worker);
        for (unsigned word = 0; word < (count + 63) / 64; word++) {
            any[word] |= side->bits[word];
        }
    }
    if (definition->kind == TT_LANE_INTERVALS) {
        walk->ok = walk->ok &&
                   tt_measure_add(lane->measure, walk->request.events, walk->block, walk->row,
                                  count, lane->sides[0].bits, lane->sides[1].bits, pass_pair, walk);
        return;
    }
    for (uint32_t i = 0; i < count && walk->ok; i++) {
        if (any[i / 64] == 0) {
            i |= 63;
        } else if (tt_bit_at(any, i)) {
            unsigned part = 0;
            while (!tt_bit_at(lane->sides[part].bits, i)) {
                part++;
            }
            handle_event(walk, lane, part, &walk->block[i], walk->row + i);
        }
    }
}

/* ---- queries ------------------------------------------------------------------------------ */

/* Returns the number of a text, which is added if it is new; TT_LANE_NO_STATE: none, or out of memory. */
static uint32_t word_of(struct tt_lane_walk *walk, struct walked_lane *lane, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    uint64_t hash = tt_hash_of(text ? text : "", length);
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&lane->by_word, hash, &probe); text && i != TT_HASH_NONE;
         i = tt_hash_next(&lane->by_word, &probe)) {
        if (strcmp(lane->words[i], text) == 0) {
            return i;
        }
    }
    if (!text) {
        return TT_LANE_NO_STATE;
    }
    const char **words =
        tt_array_grow(lane->words, lane->word_count, &lane->word_capacity, sizeof *words);
    lane->words = words ? words : lane->words;
    char *word = words ? (char *)tt_arena_bytes(&lane->texts, (uint32_t)length + 1) : NULL;
    if (!word || !tt_hash_add(&lane->by_word, hash, (uint32_t)lane->word_count)) {
        walk->ok = false;
        return TT_LANE_NO_STATE;
    }
    memcpy(word, text, length + 1);
    words[lane->word_count] = word;
    return (uint32_t)lane->word_count++;
}

/* Reads some rows of a query; returns their number, 0 at its end. */
static uint32_t step_query(struct tt_lane_walk *walk, struct walked_lane *lane)
{
    struct tt_status status = tt_ok();
    struct tt_lane_query_row from;
    uint32_t count = 0;
    while (count < QUERY_ROWS && walk->ok && walk->queries->next(lane->query, &from, &status)) {
        const struct tt_lane_span row = {.lane = walk->lane,
                                         .key = word_of(walk, lane, from.key),
                                         .state = word_of(walk, lane, from.state),
                                         .thread = TT_NO_THREAD,
                                         .begin = from.begin,
                                         .end = from.end,
                                         .row = lane->query_rows++,
                                         .value = from.value};
        count++;
        if (walk->ok && from.begin >= walk->request.from && from.begin < walk->request.to) {
            walk->ok = walk->add(walk->arg, &row);
        }
    }
    if (tt_failed(&status) && !tt_failed(&walk->error)) {
        walk->error = tt_status_context(status, lane->definition->name);
    }
    if (count < QUERY_ROWS) {
        walk->queries->end(lane->query);
        lane->query = NULL;
    }
    return count > 0 ? count : 1;
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool count_due(void *arg, const struct tt_lane_span *row)
{
    ((struct tt_lane_walk *)arg)->lanes[row->lane].due++;
    return true;
}

/* Returns whether rows that began in the range lack their ends; lanes without one are walked no more. */
static bool has_due(struct tt_lane_walk *walk)
{
    bool has = false;
    if (!walk->is_past) {
        tt_lane_add *add = walk->add;
        void *arg = walk->arg;
        tt_lane_walk_open(walk, count_due, walk);
        walk->add = add;
        walk->arg = arg;
        walk->is_past = true;
    }
    for (uint32_t i = 0; i < walk->set->count; i++) {
        has |= walk->lanes[i].due > 0;
    }
    return has;
}

uint32_t tt_lane_walk_step(struct tt_lane_walk *walk, uint64_t rows, tt_lane_add *add, void *arg,
                           bool *ok)
{
    uint32_t count = 0;
    bool has_events = false;
    walk->add = add;
    walk->arg = arg;
    walk->ok = true;
    for (walk->lane = 0; walk->lane < walk->set->count && count == 0; walk->lane++) {
        struct walked_lane *lane = &walk->lanes[walk->lane];
        count = lane->query ? step_query(walk, lane) : 0;
        has_events |= lane->sides != NULL;
    }
    if (count > 0 || !has_events || (walk->row >= walk->request.end_row && !has_due(walk))) {
        *ok = walk->ok;
        return count;
    }
    uint64_t end = walk->is_past || rows < walk->request.end_row ? rows : walk->request.end_row;
    uint64_t left = end > walk->row ? end - walk->row : 0;
    count = tt_events_read(walk->request.events, walk->row,
                           left < TT_FILTER_BLOCK ? (uint32_t)left : TT_FILTER_BLOCK, walk->block);
    walk->is_cut |= count == 0 && left > 0;
    for (walk->lane = 0; walk->lane < walk->set->count && count > 0; walk->lane++) {
        struct walked_lane *lane = &walk->lanes[walk->lane];
        if (lane->sides && (!walk->is_past || lane->due > 0)) {
            handle_block(walk, lane, count);
        }
    }
    walk->row += count;
    *ok = walk->ok;
    return count;
}

bool tt_lane_walk_open(struct tt_lane_walk *walk, tt_lane_add *add, void *arg)
{
    walk->add = add;
    walk->arg = arg;
    walk->ok = true;
    for (walk->lane = 0; walk->lane < walk->set->count; walk->lane++) {
        struct walked_lane *lane = &walk->lanes[walk->lane];
        if (lane->sides && lane->definition->kind == TT_LANE_INTERVALS) {
            tt_measure_open(lane->measure, pass_pair, walk);
        }
        for (size_t i = 0; lane->sides && i < lane->open_count; i++) {
            if (lane->open[i].lane != UINT32_MAX) {
                pass_row(walk, &lane->open[i]);
            }
        }
    }
    return walk->ok;
}

/* ---- texts -------------------------------------------------------------------------------- */

void tt_lane_put_key(struct tt_text *text, const struct tt_lane_walk *walk,
                     const struct tt_lane_span *row)
{
    const struct walked_lane *lane = &walk->lanes[row->lane];
    if (lane->measure) {
        tt_measure_put_group(text, lane->measure, row->key);
    } else if (row->key < lane->word_count) {
        tt_text_escaped(text, lane->words[row->key], strlen(lane->words[row->key]));
    }
}

const char *tt_lane_state(const struct tt_lane_walk *walk, const struct tt_lane_span *row)
{
    const struct walked_lane *lane = &walk->lanes[row->lane];
    return row->state == TT_LANE_NO_STATE  ? NULL
           : lane->measure                 ? lane->definition->parts[row->state].word
           : row->state < lane->word_count ? lane->words[row->state]
                                           : NULL;
}
