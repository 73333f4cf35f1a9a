/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: pairs begins with ends.
 *
 *      groups   one per value of the joining property: the first and the last open begin
 *      open     open begins in one array; those of a group are linked, newest first or oldest first;
 *               free ones are linked too
 */
#include "analysis/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "tracetui/event_line.h"

#define NONE UINT32_MAX

struct open_begin {
    uint64_t ticks;
    uint64_t row;
    uint32_t next; /* the next one to pair, or the next free one */
};

/* The value of an argument; integers by value, whatever their type. */
struct arg_value {
    uint8_t type; /* TT_ARG_U64, DOUBLE, STRING */
    uint64_t bits;
    const char *text;
    uint32_t length;
    uint8_t shown; /* TT_ARG_I64, HEX, ...: as the event shows it */
};

struct group {
    uint32_t first; /* the next one to pair */
    uint32_t last;
};

struct tt_measure {
    struct tt_capture *capture;
    struct tt_trace *trace;
    struct tt_measure_request request;
    bool may_be_lossy;
    struct group *groups;
    size_t group_count;
    size_t group_capacity;
    struct open_begin *open;
    size_t open_count;
    size_t open_capacity;
    uint32_t free;
    uint64_t waiting; /* open begins in all groups */
    uint64_t without_key_begin, without_key_end, alone_end, lossy;
    uint64_t min;
    struct tt_samples samples;
    struct tt_measure_pair worst[TT_MEASURE_WORST];
    unsigned worst_count;
    /* Values of arguments; value i is of group i. */
    struct tt_hash by_value;
    struct arg_value *values;
    size_t value_count;
    size_t value_capacity;
    struct tt_arena texts;
    struct tt_args args;
};

bool tt_measure_same_parse(const char *text, enum tt_measure_same *same, const char **arg)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_MEASURE_SAME_INFO(X)
#undef X
    };
    if (strncmp(text, "arg:", 4) == 0 && text[4] != '\0') {
        *same = TT_MEASURE_ARG;
        *arg = text + 4;
        return true;
    }
    for (unsigned i = 0; i < TT_MEASURE_ARG; i++) {
        if (strcmp(words[i], text) == 0) {
            *same = (enum tt_measure_same)i;
            return true;
        }
    }
    return false;
}

struct tt_measure *tt_measure_new(struct tt_trace *trace, const struct tt_measure_request *request)
{
    struct tt_measure *measure = calloc(1, sizeof *measure);
    if (measure) {
        measure->trace = trace;
        measure->capture = tt_trace_capture(trace);
        measure->request = *request;
        measure->free = NONE;
        measure->min = UINT64_MAX;
        measure->may_be_lossy = tt_health_has_gaps(measure->capture);
    }
    return measure;
}

void tt_measure_free(struct tt_measure *measure)
{
    if (measure) {
        free(measure->groups);
        free(measure->open);
        free(measure->values);
        tt_samples_free(&measure->samples);
        tt_hash_free(&measure->by_value);
        tt_arena_free(&measure->texts);
        free(measure);
    }
}

/* Finds the first argument of the name; false if there is none. */
static bool find_arg(struct tt_measure *measure, struct tt_events *events,
                     const struct tt_event *event, struct arg_value *value)
{
    size_t length = strlen(measure->request.arg);
    tt_args_clear(&measure->args);
    if (!tt_events_describe(events, event, &measure->args)) {
        return false;
    }
    for (unsigned i = 0; i < measure->args.count; i++) {
        const struct tt_arg *arg = &measure->args.v[i];
        if (!arg->hidden && arg->name.length == length &&
            memcmp(arg->name.data, measure->request.arg, length) == 0) {
            *value = (struct arg_value){.type = TT_ARG_U64, .bits = arg->value.u};
            switch (arg->type) {
            case TT_ARG_NULL:
                return false;
            case TT_ARG_DOUBLE:
                value->type = TT_ARG_DOUBLE;
                break;
            case TT_ARG_STRING:
            case TT_ARG_BYTES:
                *value = (struct arg_value){.type = TT_ARG_STRING,
                                            .text = arg->value.s.data,
                                            .length = arg->value.s.length};
                break;
            default:
                break;
            }
            value->shown = arg->type;
            return true;
        }
    }
    return false;
}

static bool same_value(const struct arg_value *left, const struct arg_value *right)
{
    return left->type == right->type && left->bits == right->bits &&
           left->length == right->length &&
           (left->length == 0 || memcmp(left->text, right->text, left->length) == 0);
}

/* Sets *group to that of a value, which is added if it is new. Returns false if out of memory. */
static bool group_of_value(struct tt_measure *measure, const struct arg_value *value,
                           uint32_t *group)
{
    uint64_t hash = tt_hash_of_pair(
        value->type == TT_ARG_STRING ? tt_hash_of(value->text, value->length) : value->bits,
        value->type);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&measure->by_value, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&measure->by_value, &probe)) {
        if (same_value(&measure->values[n], value)) {
            *group = n;
            return true;
        }
    }
    struct arg_value *values = tt_array_grow(measure->values, measure->value_count,
                                             &measure->value_capacity, sizeof *values);
    if (!values) {
        return false;
    }
    measure->values = values;
    struct arg_value kept = *value;
    if (value->length > 0) {
        char *text = (char *)tt_arena_bytes(&measure->texts, value->length);
        if (!text) {
            return false;
        }
        memcpy(text, value->text, value->length);
        kept.text = text;
    }
    if (measure->value_count >= NONE ||
        !tt_hash_add(&measure->by_value, hash, (uint32_t)measure->value_count)) {
        return false;
    }
    *group = (uint32_t)measure->value_count;
    measure->values[measure->value_count++] = kept;
    return true;
}

bool tt_measure_group_of(struct tt_measure *measure, struct tt_events *events,
                         const struct tt_event *event, uint32_t *group)
{
    struct arg_value value;
    bool has_thread = event->thread < tt_thread_count(measure->capture);
    *group = NONE;
    switch (measure->request.same) {
    case TT_MEASURE_ANY:
        *group = 0;
        break;
    case TT_MEASURE_THREAD:
        *group = has_thread ? event->thread : NONE;
        break;
    case TT_MEASURE_CPU:
        *group = event->cpu != TT_NO_CPU ? event->cpu : NONE;
        break;
    case TT_MEASURE_PROCESS:
        *group = has_thread ? tt_thread_at(measure->capture, event->thread)->process : NONE;
        break;
    case TT_MEASURE_ARG:
        if (find_arg(measure, events, event, &value) && !group_of_value(measure, &value, group)) {
            return false;
        }
        break;
    }
    if (*group == NONE || *group < measure->group_count) {
        return true;
    }
    struct group *groups = tt_array_reserve(measure->groups, (size_t)*group + 1,
                                            &measure->group_capacity, sizeof *groups);
    if (!groups) {
        return false;
    }
    measure->groups = groups;
    while (measure->group_count <= *group) {
        groups[measure->group_count++] = (struct group){NONE, NONE};
    }
    return true;
}

void tt_measure_put_group(struct tt_text *text, const struct tt_measure *measure, uint32_t group)
{
    const struct arg_value *value = measure->values ? &measure->values[group] : NULL;
    switch (measure->request.same) {
    case TT_MEASURE_ANY:
        break;
    case TT_MEASURE_THREAD:
        tt_line_thread(text, measure->capture, group);
        break;
    case TT_MEASURE_CPU:
        tt_text_put(text, "CPU %u", group);
        break;
    case TT_MEASURE_PROCESS:
        tt_line_process(text, measure->capture, group);
        break;
    case TT_MEASURE_ARG:
        if (value->type == TT_ARG_STRING) {
            tt_text_escaped(text, value->text, value->length);
        } else {
            tt_line_value(text, &(struct tt_arg){.type = value->shown, .value.u = value->bits});
        }
        break;
    }
}

void tt_measure_open(const struct tt_measure *measure,
                     void (*take)(void *arg, const struct tt_measure_pair *pair), void *arg)
{
    for (uint32_t group = 0; group < measure->group_count; group++) {
        for (uint32_t at = measure->groups[group].first; at != NONE; at = measure->open[at].next) {
            const struct open_begin *begin = &measure->open[at];
            const struct tt_measure_pair pair = {begin->ticks, UINT64_MAX,   begin->row,
                                                 UINT64_MAX,   TT_NO_THREAD, group};
            take(arg, &pair);
        }
    }
}

/* ---- pairs -------------------------------------------------------------------------------- */

static bool push_begin(struct tt_measure *measure, uint32_t group, const struct tt_event *event,
                       uint64_t row)
{
    uint32_t at = measure->free;
    if (at == NONE) {
        struct open_begin *open = measure->open_count < NONE
                                      ? tt_array_grow_tight(measure->open, measure->open_count,
                                                            &measure->open_capacity, sizeof *open)
                                      : NULL;
        if (!open) {
            return false;
        }
        measure->open = open;
        at = (uint32_t)measure->open_count++;
    } else {
        measure->free = measure->open[at].next;
    }
    struct group *g = &measure->groups[group];
    measure->open[at] = (struct open_begin){event->ticks, row, NONE};
    measure->waiting++;
    if (g->first == NONE) {
        g->first = g->last = at;
    } else if (measure->request.oldest) {
        measure->open[g->last].next = at;
        g->last = at;
    } else {
        measure->open[at].next = g->first;
        g->first = at;
    }
    return true;
}

static void keep_worst(struct tt_measure *measure, const struct tt_measure_pair *pair)
{
    uint64_t length = pair->to - pair->from;
    unsigned at = measure->worst_count;
    while (at > 0 && length > measure->worst[at - 1].to - measure->worst[at - 1].from) {
        at--;
    }
    if (at == TT_MEASURE_WORST) {
        return;
    }
    measure->worst_count += measure->worst_count < TT_MEASURE_WORST;
    for (unsigned i = measure->worst_count - 1; i > at; i--) {
        measure->worst[i] = measure->worst[i - 1];
    }
    measure->worst[at] = *pair;
}

/* Pairs an end; returns false if out of memory. */
static bool pop_begin(struct tt_measure *measure, uint32_t group, const struct tt_event *event,
                      uint64_t row, struct tt_measure_pair *pair, bool *paired)
{
    struct group *g = &measure->groups[group];
    uint32_t at = g->first;
    *paired = at != NONE;
    if (at == NONE) {
        measure->alone_end++;
        return true;
    }
    struct open_begin begin = measure->open[at];
    g->first = begin.next;
    measure->open[at].next = measure->free;
    measure->free = at;
    measure->waiting--;
    *pair =
        (struct tt_measure_pair){begin.ticks, event->ticks, begin.row, row, event->thread, group};
    const struct tt_timelines *timelines =
        measure->may_be_lossy ? tt_trace_timelines(measure->trace) : NULL;
    measure->lossy += timelines && tt_loss_between(timelines, pair->thread, pair->from, pair->to);
    uint64_t length = pair->to - pair->from;
    measure->min = length < measure->min ? length : measure->min;
    keep_worst(measure, pair);
    return tt_samples_add(&measure->samples, length, pair->to);
}

bool tt_measure_add(struct tt_measure *measure, struct tt_events *events,
                    const struct tt_event *list, uint64_t row, uint32_t count,
                    const uint64_t *begins, const uint64_t *ends,
                    void (*take)(void *arg, const struct tt_measure_pair *pair), void *arg)
{
    for (uint32_t i = 0; i < count; i++) {
        bool begin = tt_bit_at(begins, i), end = tt_bit_at(ends, i);
        uint32_t group;
        if (!begin && !end) {
            continue;
        }
        if (!tt_measure_group_of(measure, events, &list[i], &group)) {
            return false;
        }
        if (group == NONE) {
            measure->without_key_begin += begin;
            measure->without_key_end += end;
            continue;
        }
        struct tt_measure_pair pair;
        bool paired;
        if (end) {
            if (!pop_begin(measure, group, &list[i], row + i, &pair, &paired)) {
                return false;
            }
            if (paired && take) {
                take(arg, &pair);
            }
        }
        if (begin && !push_begin(measure, group, &list[i], row + i)) {
            return false;
        }
    }
    return true;
}

void tt_measure_result(struct tt_measure *measure, struct tt_measure_result *result)
{
    *result =
        (struct tt_measure_result){.length = tt_samples_distribution(&measure->samples),
                                   .min = measure->samples.count > 0 ? measure->min : 0,
                                   .unpaired_begin = measure->waiting + measure->without_key_begin,
                                   .unpaired_end = measure->alone_end + measure->without_key_end,
                                   .lossy = measure->lossy,
                                   .worst_count = measure->worst_count};
    memcpy(result->worst, measure->worst, sizeof result->worst);
}

void tt_measure_store_nothing(struct tt_measure *measure)
{
    static const struct tt_sample_sink none = {.take = NULL};
    measure->samples.sink = &none;
}

const struct tt_samples *tt_measure_samples(const struct tt_measure *measure)
{
    return &measure->samples;
}
