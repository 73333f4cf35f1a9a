/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counting: counts messages by pair, server, client and channel in steps.
 *
 *      walk --> row --> samples, parts
 *                  '--> changes of a server's load, in a heap until the walk has passed their time
 *
 * Percentiles are selected from the samples when twice as many messages as last time are counted,
 * and at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "tracetui/merge.h"
#include "tracetui/message_stats.h"

#define FIRST_SETTLED  256u /* messages */
#define WORK_A_MESSAGE 20u  /* intervals that cost as much as a message */
#define DISTRIBUTIONS  4u
#define ERRORS         4u

/* The distributions of a row, in the order of `samples` in struct gathered. */
static const size_t distributions[DISTRIBUTIONS] = {
    offsetof(struct tt_message_stat, queue), offsetof(struct tt_message_stat, service),
    offsetof(struct tt_message_stat, back), offsetof(struct tt_message_stat, round)};

enum { QUEUE, SERVICE, BACK, ROUND };

/* The samples and sums of a row. */
struct gathered {
    struct tt_samples samples[DISTRIBUTIONS];
    /* Of a server: messages that wait or are served since `changed`. */
    uint64_t changed;
    int64_t waiting;
    int64_t serving;
    /* Errors by number, the first few that occur. */
    struct {
        uint32_t number;
        uint32_t count;
    } errors[ERRORS];
};

/* A message starts or stops waiting, or being served. */
struct change {
    uint64_t time;
    uint32_t row;
    int8_t waiting;
    int8_t serving;
};

struct tt_message_counting {
    const struct tt_capture *capture;
    struct tt_message_window window;
    enum tt_messages_by by;
    const struct tt_timelines *t; /* of the current step */
    uint32_t number;              /* generation of the timelines; 0: not begun */
    struct tt_message_walk walk;
    uint64_t reached;   /* begin of the last message */
    uint64_t counted;   /* messages */
    uint64_t next_time; /* number of messages at which the rows are settled */
    bool prepared;      /* the walk is */
    bool walked;        /* no more messages */
    struct tt_message_stat watched;
    size_t watched_distribution;
    struct tt_sample_sink *sink; /* NULL: nothing is watched */
    struct tt_hash index;
    struct tt_message_stat *rows;
    size_t count;
    size_t capacity;
    struct gathered *gathered;
    size_t gathered_capacity;
    struct change *changes; /* a heap */
    size_t change_count;
    size_t change_capacity;
    /* The rows as last settled. */
    struct tt_message_stat *settled;
    size_t settled_count;
    size_t settled_capacity;
    unsigned version;
    bool settling;
    size_t settling_row;
    unsigned settling_distribution;
    struct tt_selection selection;
};

/* ---- rows --------------------------------------------------------------------------------- */

static struct tt_message_stat key_of(const struct tt_message_counting *k,
                                     const struct tt_message *m)
{
    struct tt_message_stat key = {.client_process = TT_NO_THREAD,
                                  .client = TT_NO_THREAD,
                                  .process = TT_NO_THREAD,
                                  .server = TT_NO_THREAD,
                                  .connection = TT_NO_CONNECTION,
                                  .channel = TT_NO_CONNECTION,
                                  .error = UINT64_MAX,
                                  .system = tt_message_row_system(k->t, m->row),
                                  .post = m->async};
    bool by_thread = tt_merge_lacks_processes(k->capture, m->process,
                                              m->client != TT_NO_THREAD ? m->client : m->server);
    if (k->by == TT_MESSAGES_BY_CLIENT || (by_thread && k->by == TT_MESSAGES_BY_PAIR)) {
        key.client = m->client;
    }
    if (by_thread && (k->by == TT_MESSAGES_BY_PAIR || k->by == TT_MESSAGES_BY_SERVER)) {
        key.server = m->server;
    }
    if (k->by == TT_MESSAGES_BY_PAIR || k->by == TT_MESSAGES_BY_CLIENT) {
        key.client_process =
            m->client != TT_NO_THREAD ? tt_thread_at(k->capture, m->client)->process : TT_NO_THREAD;
    }
    if (k->by != TT_MESSAGES_BY_CLIENT) {
        key.process = m->process;
    }
    if (k->by == TT_MESSAGES_BY_CHANNEL && m->channel != TT_NO_CHANNEL) {
        key.channel = m->channel;
    } else if (k->by == TT_MESSAGES_BY_CHANNEL) {
        key.connection = m->connection;
    }
    return key;
}

static bool same_key(const struct tt_message_stat *a, const struct tt_message_stat *b)
{
    return a->client_process == b->client_process && a->client == b->client &&
           a->process == b->process && a->server == b->server && a->connection == b->connection &&
           a->channel == b->channel && a->system == b->system && a->post == b->post;
}

/* Returns the number of the message's row, created if needed; UINT32_MAX: out of memory. */
static uint32_t row_of(struct tt_message_counting *k, const struct tt_message *m)
{
    struct tt_message_stat key = key_of(k, m);
    uint64_t hash =
        tt_hash_of_pair((uint64_t)key.client_process << 32 | key.client,
                        ((uint64_t)key.process << 32 | key.post) ^
                            (key.connection ^ key.channel << 20 ^ (uint64_t)key.server << 40) << 1);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&k->index, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&k->index, &probe)) {
        if (same_key(&k->rows[n], &key)) {
            return n;
        }
    }
    struct tt_message_stat *rows = tt_array_grow(k->rows, k->count, &k->capacity, sizeof *rows);
    k->rows = rows ? rows : k->rows;
    struct gathered *gathered =
        rows ? tt_array_grow(k->gathered, k->count, &k->gathered_capacity, sizeof *gathered) : NULL;
    k->gathered = gathered ? gathered : k->gathered;
    if (!gathered || !tt_hash_add(&k->index, hash, (uint32_t)k->count)) {
        return UINT32_MAX;
    }
    rows[k->count] = key;
    memset(&gathered[k->count], 0, sizeof *gathered);
    return (uint32_t)k->count++;
}

/* ---- servers ------------------------------------------------------------------------------ */

/* Orders changes by time; at the same time ends come first. */
static bool is_earlier(const struct change *a, const struct change *b)
{
    return a->time != b->time ? a->time < b->time
                              : a->waiting + a->serving < b->waiting + b->serving;
}

static void swap(struct change *a, struct change *b)
{
    struct change swapped = *a;
    *a = *b;
    *b = swapped;
}

static bool add_change(struct tt_message_counting *k, uint64_t time, uint32_t row, int waiting,
                       int serving)
{
    const struct tt_message_window *window = &k->window;
    struct change *heap =
        tt_array_grow(k->changes, k->change_count, &k->change_capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    time = time < window->from ? window->from : time > window->to ? window->to : time;
    k->changes = heap;
    size_t at = k->change_count++;
    heap[at] = (struct change){time, row, (int8_t)waiting, (int8_t)serving};
    for (; at > 0 && is_earlier(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        swap(&heap[at], &heap[(at - 1) / 2]);
    }
    return true;
}

static struct change first_change(struct tt_message_counting *k)
{
    struct change *heap = k->changes, first = heap[0];
    heap[0] = heap[--k->change_count];
    for (size_t at = 0, child; (child = 2 * at + 1) < k->change_count; at = child) {
        child += child + 1 < k->change_count && is_earlier(&heap[child + 1], &heap[child]);
        if (!is_earlier(&heap[child], &heap[at])) {
            break;
        }
        swap(&heap[at], &heap[child]);
    }
    return first;
}

/*
 * Adds when the message waits to be received and when it is served, as far as it is known; if it has no
 * end, to that of its capture.
 */
static bool add_changes(struct tt_message_counting *k, const struct tt_message *m, uint32_t row)
{
    uint64_t end = tt_timelines_end_of(k->t, tt_message_row_system(k->t, m->row));
    uint64_t over = m->how == TT_MESSAGE_OPEN ? end : m->last;
    uint64_t received = m->receive != TT_NO_TIME ? m->receive : over;
    bool ok = true;
    if (m->send != TT_NO_TIME) {
        ok = add_change(k, m->send, row, 1, 0) && add_change(k, received, row, -1, 0);
    }
    if (ok && m->receive != TT_NO_TIME && !m->async) {
        ok = add_change(k, m->receive, row, 0, 1) && add_change(k, over, row, 0, -1);
    }
    return ok;
}

/* Applies the changes before `time`: those of later messages are not earlier. */
static void apply_changes(struct tt_message_counting *k, uint64_t time, bool all)
{
    while (k->change_count > 0 && (all || k->changes[0].time < time)) {
        struct change change = first_change(k);
        struct tt_message_stat *row = &k->rows[change.row];
        struct gathered *g = &k->gathered[change.row];
        uint64_t ticks = change.time - g->changed;
        row->busy += g->serving > 0 ? ticks : 0;
        row->waiting += g->waiting > 0 ? ticks * (uint64_t)g->waiting : 0;
        g->changed = change.time;
        g->waiting += change.waiting;
        g->serving += change.serving;
        if (g->waiting > 0 && (uint64_t)g->waiting > row->waiting_max) {
            row->waiting_max = (uint64_t)g->waiting;
        }
        if (g->serving > 0 && (uint64_t)g->serving > row->serving_max) {
            row->serving_max = (uint64_t)g->serving;
        }
    }
}

/* ---- messages ----------------------------------------------------------------------------- */

static bool is_in(const struct tt_message_window *window, uint64_t time)
{
    return time != TT_NO_TIME && time >= window->from && time < window->to;
}

static bool add_sample(const struct tt_message_window *window, struct tt_samples *samples,
                       uint64_t length, uint64_t end)
{
    return length == TT_NO_TIME || !is_in(window, end) || tt_samples_add(samples, length, end);
}

static void add_parts(struct tt_message_stat *stat, const struct tt_message_parts *parts)
{
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        stat->class_ticks[i] += parts->class_ticks[i];
    }
    stat->irq += parts->irq;
    stat->known += parts->service;
}

static void count_error(struct tt_message_stat *stat, struct gathered *g, uint32_t error)
{
    uint32_t most = 0;
    unsigned i = 0;
    stat->errors++;
    while (i < ERRORS && g->errors[i].count > 0 && g->errors[i].number != error) {
        i++;
    }
    if (i < ERRORS) {
        g->errors[i].number = error;
        g->errors[i].count++;
    }
    for (i = 0; i < ERRORS; i++) {
        if (g->errors[i].number != 0 && g->errors[i].count > most) {
            most = g->errors[i].count;
            stat->error = g->errors[i].number;
        }
    }
}

/* Passes the sample of a message to the sink if it is one of the row that is watched. */
static bool watch_message(struct tt_message_counting *k, const struct tt_message *m,
                          const struct tt_message_parts *parts)
{
    const struct {
        size_t distribution;
        uint64_t length, end;
    } samples[] = {
        {distributions[QUEUE], parts->queue, m->receive},
        {distributions[SERVICE], parts->service, m->end},
        {distributions[BACK], parts->back, parts->run},
        {distributions[ROUND], parts->round, parts->run},
        {TT_MESSAGE_SENDS, 0, m->send},
    };
    struct tt_message_stat key = key_of(k, m);
    bool ok = true;
    k->sink->thread = m->client;
    for (unsigned i = 0; same_key(&key, &k->watched) && i < DISTRIBUTIONS + 1; i++) {
        if (samples[i].distribution == k->watched_distribution && samples[i].length != TT_NO_TIME &&
            is_in(&k->window, samples[i].end)) {
            ok = tt_sample_sink_take(k->sink, samples[i].length, samples[i].end);
        }
    }
    return ok;
}

static bool count_message(struct tt_message_counting *k, const struct tt_message *m)
{
    const struct tt_message_window *window = &k->window;
    struct tt_message_parts parts;
    tt_message_parts_of(k->t, m, &parts);
    if (k->sink) {
        return watch_message(k, m, &parts);
    }
    bool any = is_in(window, m->send) || is_in(window, m->receive) || is_in(window, m->end) ||
               is_in(window, parts.run);
    bool spans = k->by == TT_MESSAGES_BY_SERVER && tt_message_begin(m) < window->to &&
                 (m->how == TT_MESSAGE_OPEN || m->last >= window->from);
    if ((!any && !spans) || (window->wanted && !window->wanted(window->wanted_arg, m))) {
        return true;
    }
    uint32_t row = row_of(k, m);
    if (row == UINT32_MAX) {
        return false;
    }
    struct tt_message_stat *stat = &k->rows[row];
    struct tt_samples *samples = k->gathered[row].samples;
    stat->count += is_in(window, m->send);
    if (m->how == TT_MESSAGE_ERROR && is_in(window, m->end)) {
        count_error(stat, &k->gathered[row], m->error);
    }
    if (parts.queue_busy != TT_NO_TIME && is_in(window, m->receive)) {
        stat->queue_busy += parts.queue_busy;
        stat->queue_sched += parts.queue_sched;
    }
    if (parts.has_classes && is_in(window, m->end)) {
        add_parts(stat, &parts);
    }
    return add_sample(window, &samples[QUEUE], parts.queue, m->receive) &&
           add_sample(window, &samples[SERVICE], parts.service, m->end) &&
           add_sample(window, &samples[BACK], parts.back, parts.run) &&
           add_sample(window, &samples[ROUND], parts.round, parts.run) &&
           (k->by != TT_MESSAGES_BY_SERVER || add_changes(k, m, row));
}

static bool is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return thread < window->thread_limit && tt_bit_at(window->threads, thread);
}

/* Counts messages until the work is used up, the rows are to be settled, or there are no more. */
static bool walk_step(struct tt_message_counting *k, uint64_t *work)
{
    const struct tt_message_window *window = &k->window;
    struct tt_message m;
    bool ok = true;
    while (ok && *work > 0 && k->counted < k->next_time) {
        if (!tt_message_walk_next(&k->walk, &m) || tt_message_begin(&m) >= window->to) {
            apply_changes(k, 0, true);
            k->walked = true;
            return true;
        }
        *work -= *work < WORK_A_MESSAGE ? *work : WORK_A_MESSAGE;
        k->reached = tt_message_begin(&m);
        k->counted++;
        apply_changes(k, k->reached, false);
        if (!window->threads || is_picked(window, m.client) || is_picked(window, m.server)) {
            ok = count_message(k, &m);
        }
    }
    return ok;
}

/* ---- settling ----------------------------------------------------------------------------- */

static bool begin_settling(struct tt_message_counting *k)
{
    struct tt_message_stat *settled =
        tt_array_reserve(k->settled, k->count + 1, &k->settled_capacity, sizeof *settled);
    if (!settled) {
        return false;
    }
    k->settled = settled;
    k->settled_count = 0;
    k->settling = true;
    k->settling_row = 0;
    k->settling_distribution = 0;
    k->selection = (struct tt_selection){0};
    return true;
}

/* Continues; returns true when all rows are settled. */
static bool settle_step(struct tt_message_counting *k, uint64_t *work)
{
    for (; k->settling_row < k->count; k->settling_row++, k->settling_distribution = 0) {
        struct tt_message_stat *row = &k->rows[k->settling_row];
        for (; k->settling_distribution < DISTRIBUTIONS; k->settling_distribution++) {
            unsigned i = k->settling_distribution;
            struct tt_distribution *d = (struct tt_distribution *)((char *)row + distributions[i]);
            if (*work == 0 ||
                !tt_samples_distribution_step(&k->gathered[k->settling_row].samples[i],
                                              &k->selection, work, d)) {
                return false;
            }
        }
        k->settled[k->settling_row] = *row;
        *work -= *work > 0;
    }
    k->settling = false;
    k->settled_count = k->count;
    k->version++;
    k->next_time = k->counted > FIRST_SETTLED / 2 ? k->counted * 2 : FIRST_SETTLED;
    return true;
}

/* ---- life cycle --------------------------------------------------------------------------- */

struct tt_message_counting *tt_message_counting_new(const struct tt_capture *c,
                                                    enum tt_messages_by by,
                                                    const struct tt_message_window *window)
{
    struct tt_message_counting *k = calloc(1, sizeof *k);
    if (k) {
        k->capture = c;
        k->by = by;
        k->window = *window;
    }
    return k;
}

void tt_message_counting_watch(struct tt_message_counting *k, const struct tt_message_stat *of,
                               size_t distribution, struct tt_sample_sink *sink)
{
    k->watched = *of;
    k->watched_distribution = distribution;
    k->sink = sink;
}

static void free_samples(struct tt_message_counting *k)
{
    for (size_t i = 0; i < k->count; i++) {
        for (unsigned d = 0; d < DISTRIBUTIONS; d++) {
            tt_samples_free(&k->gathered[i].samples[d]);
        }
    }
    k->count = 0;
}

/* Begins, or begins again with other timelines. */
static bool begin(struct tt_message_counting *k)
{
    free_samples(k);
    tt_hash_free(&k->index);
    tt_message_walk_free(&k->walk);
    k->change_count = 0;
    k->counted = k->reached = 0;
    k->next_time = FIRST_SETTLED;
    k->walked = k->settling = false;
    k->number = tt_timelines_number(k->t);
    k->prepared = false;
    return tt_message_walk_start(&k->walk, k->t, k->window.from, true);
}

bool tt_message_counting_step(struct tt_message_counting *k, const struct tt_timelines *t,
                              uint64_t *work, bool *done)
{
    bool ok = true;
    k->t = t;
    *done = false;
    if (k->number != tt_timelines_number(t)) {
        ok = begin(k);
    }
    k->prepared = ok && (k->prepared || tt_message_walk_prepare(&k->walk, work));
    while (k->prepared && ok && *work > 0 && !*done) {
        if (k->settling) {
            *done = settle_step(k, work) && k->walked;
        } else {
            ok = walk_step(k, work);
            if (ok && (k->walked || k->counted >= k->next_time)) {
                ok = begin_settling(k);
            }
        }
    }
    return ok;
}

const struct tt_message_stat *tt_message_counting_rows(const struct tt_message_counting *k,
                                                       size_t *count, unsigned *version)
{
    *count = k->settling ? 0 : k->settled_count;
    *version = k->version;
    return k->settled;
}

unsigned tt_message_percent(const struct tt_timelines *t, const struct tt_message_window *window,
                            uint64_t reached)
{
    if (!t || reached <= window->from) {
        return 0;
    }
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_limit(t);
    begin = begin > window->from ? begin : window->from;
    end = end < window->to ? end : window->to;
    double part = reached > begin ? (double)(reached - begin) / (double)(end - begin + 1) : 0;
    return part < 1 ? (unsigned)(part * 100) : 99;
}

unsigned tt_message_counting_percent(const struct tt_message_counting *k)
{
    return tt_message_percent(k->t, &k->window, k->reached);
}

bool tt_message_counting_shrink(struct tt_message_counting *k, size_t *bytes)
{
    for (; k->count > 0; k->count--) {
        for (unsigned d = 0; d < DISTRIBUTIONS; d++) {
            if (tt_samples_shrink(&k->gathered[k->count - 1].samples[d], bytes)) {
                return true;
            }
        }
    }
    return false;
}

void tt_message_counting_free(struct tt_message_counting *k)
{
    if (k) {
        free_samples(k);
        free(k->gathered);
        free(k->rows);
        free(k->settled);
        free(k->changes);
        tt_hash_free(&k->index);
        tt_message_walk_free(&k->walk);
        free(k);
    }
}
