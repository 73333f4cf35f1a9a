/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: pairs begins with ends.
 *
 *      groups   one per value of the joining property: the first and the last open begin
 *      open     open begins in one array; those of a group are linked, newest first or oldest first;
 *               free ones are linked too
 */
#include "tracetui/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"

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

struct tt_measure *tt_measure_new(struct tt_trace *trace, const struct tt_measure_request *request)
{
    struct tt_measure *m = calloc(1, sizeof *m);
    if (m) {
        m->trace = trace;
        m->capture = tt_trace_capture(trace);
        m->request = *request;
        m->free = NONE;
        m->min = UINT64_MAX;
        m->may_be_lossy = tt_health_has_gaps(m->capture);
    }
    return m;
}

void tt_measure_free(struct tt_measure *m)
{
    if (m) {
        free(m->groups);
        free(m->open);
        free(m->values);
        tt_samples_free(&m->samples);
        tt_hash_free(&m->by_value);
        tt_arena_free(&m->texts);
        free(m);
    }
}

/* ---- what joins --------------------------------------------------------------------------- */

static bool value_of_arg(const struct tt_arg *arg, struct arg_value *value)
{
    *value = (struct arg_value){.type = TT_ARG_U64, .bits = arg->value.u};
    switch (arg->type) {
    case TT_ARG_NULL:
        return false;
    case TT_ARG_DOUBLE:
        value->type = TT_ARG_DOUBLE;
        break;
    case TT_ARG_STRING:
    case TT_ARG_BYTES:
        *value = (struct arg_value){
            .type = TT_ARG_STRING, .text = arg->value.s.data, .length = arg->value.s.length};
        break;
    default:
        break;
    }
    return true;
}

/* Finds the first argument of the name; false if there is none. */
static bool find_arg(struct tt_measure *m, struct tt_events *events, const struct tt_event *event,
                     struct arg_value *value)
{
    size_t length = strlen(m->request.arg);
    tt_args_clear(&m->args);
    if (!tt_events_describe(events, event, &m->args)) {
        return false;
    }
    for (unsigned i = 0; i < m->args.count; i++) {
        const struct tt_arg *arg = &m->args.v[i];
        if (!arg->hidden && arg->name.length == length &&
            memcmp(arg->name.data, m->request.arg, length) == 0) {
            return value_of_arg(arg, value);
        }
    }
    return false;
}

static bool same_value(const struct arg_value *a, const struct arg_value *b)
{
    return a->type == b->type && a->bits == b->bits && a->length == b->length &&
           (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

/* Sets *group to that of a value, which is added if it is new. Returns false if out of memory. */
static bool group_of_value(struct tt_measure *m, const struct arg_value *value, uint32_t *group)
{
    uint64_t hash = tt_hash_of_pair(
        value->type == TT_ARG_STRING ? tt_hash_of(value->text, value->length) : value->bits,
        value->type);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&m->by_value, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&m->by_value, &probe)) {
        if (same_value(&m->values[n], value)) {
            *group = n;
            return true;
        }
    }
    struct arg_value *values =
        tt_array_grow(m->values, m->value_count, &m->value_capacity, sizeof *values);
    if (!values) {
        return false;
    }
    m->values = values;
    struct arg_value kept = *value;
    if (value->length > 0) {
        char *text = (char *)tt_arena_bytes(&m->texts, value->length);
        if (!text) {
            return false;
        }
        memcpy(text, value->text, value->length);
        kept.text = text;
    }
    if (m->value_count >= NONE || !tt_hash_add(&m->by_value, hash, (uint32_t)m->value_count)) {
        return false;
    }
    *group = (uint32_t)m->value_count;
    m->values[m->value_count++] = kept;
    return true;
}

/* Sets *group, or NONE if the event lacks the joining property. Returns false if out of memory. */
static bool group_of(struct tt_measure *m, struct tt_events *events, const struct tt_event *event,
                     uint32_t *group)
{
    struct arg_value value;
    bool has_thread = event->thread < tt_thread_count(m->capture);
    *group = NONE;
    switch (m->request.same) {
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
        *group = has_thread ? tt_thread_at(m->capture, event->thread)->process : NONE;
        break;
    case TT_MEASURE_ARG:
        if (find_arg(m, events, event, &value) && !group_of_value(m, &value, group)) {
            return false;
        }
        break;
    }
    if (*group == NONE || *group < m->group_count) {
        return true;
    }
    struct group *groups =
        tt_array_reserve(m->groups, (size_t)*group + 1, &m->group_capacity, sizeof *groups);
    if (!groups) {
        return false;
    }
    m->groups = groups;
    while (m->group_count <= *group) {
        groups[m->group_count++] = (struct group){NONE, NONE};
    }
    return true;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static bool push_begin(struct tt_measure *m, uint32_t group, const struct tt_event *event,
                       uint64_t row)
{
    uint32_t at = m->free;
    if (at == NONE) {
        struct open_begin *open =
            m->open_count < NONE
                ? tt_array_grow_tight(m->open, m->open_count, &m->open_capacity, sizeof *open)
                : NULL;
        if (!open) {
            return false;
        }
        m->open = open;
        at = (uint32_t)m->open_count++;
    } else {
        m->free = m->open[at].next;
    }
    struct group *g = &m->groups[group];
    m->open[at] = (struct open_begin){event->ticks, row, NONE};
    m->waiting++;
    if (g->first == NONE) {
        g->first = g->last = at;
    } else if (m->request.oldest) {
        m->open[g->last].next = at;
        g->last = at;
    } else {
        m->open[at].next = g->first;
        g->first = at;
    }
    return true;
}

static void keep_worst(struct tt_measure *m, const struct tt_measure_pair *pair)
{
    uint64_t length = pair->to - pair->from;
    unsigned at = m->worst_count;
    while (at > 0 && length > m->worst[at - 1].to - m->worst[at - 1].from) {
        at--;
    }
    if (at == TT_MEASURE_WORST) {
        return;
    }
    m->worst_count += m->worst_count < TT_MEASURE_WORST;
    for (unsigned i = m->worst_count - 1; i > at; i--) {
        m->worst[i] = m->worst[i - 1];
    }
    m->worst[at] = *pair;
}

/* Pairs an end; returns false if out of memory. */
static bool pop_begin(struct tt_measure *m, uint32_t group, const struct tt_event *event,
                      uint64_t row, struct tt_measure_pair *pair, bool *paired)
{
    struct group *g = &m->groups[group];
    uint32_t at = g->first;
    *paired = at != NONE;
    if (at == NONE) {
        m->alone_end++;
        return true;
    }
    struct open_begin begin = m->open[at];
    g->first = begin.next;
    m->open[at].next = m->free;
    m->free = at;
    m->waiting--;
    *pair = (struct tt_measure_pair){begin.ticks, event->ticks, begin.row, row, event->thread};
    const struct tt_timelines *t = m->may_be_lossy ? tt_trace_timelines(m->trace) : NULL;
    m->lossy += t && tt_loss_between(t, pair->thread, pair->from, pair->to);
    uint64_t length = pair->to - pair->from;
    m->min = length < m->min ? length : m->min;
    keep_worst(m, pair);
    return tt_samples_add(&m->samples, length, pair->to);
}

bool tt_measure_add(struct tt_measure *m, struct tt_events *events, const struct tt_event *list,
                    uint64_t row, uint32_t count, const uint64_t *begins, const uint64_t *ends,
                    void (*take)(void *arg, const struct tt_measure_pair *pair), void *arg)
{
    for (uint32_t i = 0; i < count; i++) {
        bool begin = tt_bit_at(begins, i), end = tt_bit_at(ends, i);
        uint32_t group;
        if (!begin && !end) {
            continue;
        }
        if (!group_of(m, events, &list[i], &group)) {
            return false;
        }
        if (group == NONE) {
            m->without_key_begin += begin;
            m->without_key_end += end;
            continue;
        }
        struct tt_measure_pair pair;
        bool paired;
        if (end) {
            if (!pop_begin(m, group, &list[i], row + i, &pair, &paired)) {
                return false;
            }
            if (paired && take) {
                take(arg, &pair);
            }
        }
        if (begin && !push_begin(m, group, &list[i], row + i)) {
            return false;
        }
    }
    return true;
}

void tt_measure_result(struct tt_measure *m, struct tt_measure_result *result)
{
    *result = (struct tt_measure_result){.length = tt_samples_distribution(&m->samples),
                                         .min = m->samples.count > 0 ? m->min : 0,
                                         .unpaired_begin = m->waiting + m->without_key_begin,
                                         .unpaired_end = m->alone_end + m->without_key_end,
                                         .lossy = m->lossy,
                                         .worst_count = m->worst_count};
    memcpy(result->worst, m->worst, sizeof result->worst);
}

void tt_measure_store_nothing(struct tt_measure *m)
{
    static const struct tt_sample_sink none = {.take = NULL};
    m->samples.sink = &none;
}

const struct tt_samples *tt_measure_samples(const struct tt_measure *m)
{
    return &m->samples;
}
