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

#include "analysis/messages/message_stats.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "tracetui/merge.h"

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

static struct tt_message_stat counting_key_of(const struct tt_message_counting *counting,
                                              const struct tt_message *message)
{
    struct tt_message_stat key = {.client_process = TT_NO_THREAD,
                                  .client = TT_NO_THREAD,
                                  .process = TT_NO_THREAD,
                                  .server = TT_NO_THREAD,
                                  .connection = TT_NO_CONNECTION,
                                  .channel = TT_NO_CONNECTION,
                                  .error = UINT64_MAX,
                                  .system = tt_message_row_system(counting->t, message->row),
                                  .post = message->async};
    bool by_thread = tt_merge_lacks_processes(counting->capture, message->process,
                                              message->client != TT_NO_THREAD ? message->client
                                                                              : message->server);
    if (counting->by == TT_MESSAGES_BY_CLIENT ||
        (by_thread && counting->by == TT_MESSAGES_BY_PAIR)) {
        key.client = message->client;
    }
    if (by_thread &&
        (counting->by == TT_MESSAGES_BY_PAIR || counting->by == TT_MESSAGES_BY_SERVER)) {
        key.server = message->server;
    }
    if (counting->by == TT_MESSAGES_BY_PAIR || counting->by == TT_MESSAGES_BY_CLIENT) {
        key.client_process = message->client != TT_NO_THREAD
                                 ? tt_thread_at(counting->capture, message->client)->process
                                 : TT_NO_THREAD;
    }
    if (counting->by != TT_MESSAGES_BY_CLIENT) {
        key.process = message->process;
    }
    if (counting->by == TT_MESSAGES_BY_CHANNEL && message->channel != TT_NO_CHANNEL) {
        key.channel = message->channel;
    } else if (counting->by == TT_MESSAGES_BY_CHANNEL) {
        key.connection = message->connection;
    }
    return key;
}

static bool same_key(const struct tt_message_stat *left, const struct tt_message_stat *right)
{
    return left->client_process == right->client_process && left->client == right->client &&
           left->process == right->process && left->server == right->server &&
           left->connection == right->connection && left->channel == right->channel &&
           left->system == right->system && left->post == right->post;
}

/* Returns the number of the message's row, created if needed; UINT32_MAX: out of memory. */
static uint32_t counting_row_of(struct tt_message_counting *counting,
                                const struct tt_message *message)
{
    struct tt_message_stat key = counting_key_of(counting, message);
    uint64_t hash =
        tt_hash_of_pair((uint64_t)key.client_process << 32 | key.client,
                        ((uint64_t)key.process << 32 | key.post) ^
                            (key.connection ^ key.channel << 20 ^ (uint64_t)key.server << 40) << 1);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&counting->index, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&counting->index, &probe)) {
        if (same_key(&counting->rows[n], &key)) {
            return n;
        }
    }
    struct tt_message_stat *rows =
        tt_array_grow(counting->rows, counting->count, &counting->capacity, sizeof *rows);
    counting->rows = rows ? rows : counting->rows;
    struct gathered *gathered = rows ? tt_array_grow(counting->gathered, counting->count,
                                                     &counting->gathered_capacity, sizeof *gathered)
                                     : NULL;
    counting->gathered = gathered ? gathered : counting->gathered;
    if (!gathered || !tt_hash_add(&counting->index, hash, (uint32_t)counting->count)) {
        return UINT32_MAX;
    }
    rows[counting->count] = key;
    memset(&gathered[counting->count], 0, sizeof *gathered);
    return (uint32_t)counting->count++;
}

/* ---- servers ------------------------------------------------------------------------------ */

/* Orders changes by time; at the same time ends come first. */
static bool counting_is_earlier(const struct change *left, const struct change *right)
{
    return left->time != right->time
               ? left->time < right->time
               : left->waiting + left->serving < right->waiting + right->serving;
}

static void counting_swap(struct change *left, struct change *right)
{
    struct change swapped = *left;
    *left = *right;
    *right = swapped;
}

static bool add_change(struct tt_message_counting *counting, uint64_t time, uint32_t row,
                       int waiting, int serving)
{
    const struct tt_message_window *window = &counting->window;
    struct change *heap = tt_array_grow(counting->changes, counting->change_count,
                                        &counting->change_capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    time = time < window->from ? window->from : time > window->to ? window->to : time;
    counting->changes = heap;
    size_t at = counting->change_count++;
    heap[at] = (struct change){time, row, (int8_t)waiting, (int8_t)serving};
    for (; at > 0 && counting_is_earlier(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        counting_swap(&heap[at], &heap[(at - 1) / 2]);
    }
    return true;
}

/*
 * Adds when the message waits to be received and when it is served, as far as it is known; if it has no
 * end, to that of its capture.
 */
static bool add_changes(struct tt_message_counting *counting, const struct tt_message *message,
                        uint32_t row)
{
    uint64_t end =
        tt_timelines_end_of(counting->t, tt_message_row_system(counting->t, message->row));
    uint64_t over = message->how == TT_MESSAGE_OPEN ? end : message->last;
    uint64_t received = message->receive != TT_NO_TIME ? message->receive : over;
    bool ok = true;
    if (message->send != TT_NO_TIME) {
        ok = add_change(counting, message->send, row, 1, 0) &&
             add_change(counting, received, row, -1, 0);
    }
    if (ok && message->receive != TT_NO_TIME && !message->async) {
        ok = add_change(counting, message->receive, row, 0, 1) &&
             add_change(counting, over, row, 0, -1);
    }
    return ok;
}

/* Applies the changes before `time`: those of later messages are not earlier. */
static void apply_changes(struct tt_message_counting *counting, uint64_t time, bool all)
{
    while (counting->change_count > 0 && (all || counting->changes[0].time < time)) {
        struct change *heap = counting->changes, change = heap[0];
        heap[0] = heap[--counting->change_count];
        for (size_t at = 0, child; (child = 2 * at + 1) < counting->change_count; at = child) {
            child += child + 1 < counting->change_count &&
                     counting_is_earlier(&heap[child + 1], &heap[child]);
            if (!counting_is_earlier(&heap[child], &heap[at])) {
                break;
            }
            counting_swap(&heap[at], &heap[child]);
        }

        struct tt_message_stat *row = &counting->rows[change.row];
        struct gathered *gathered = &counting->gathered[change.row];
        uint64_t ticks = change.time - gathered->changed;
        row->busy += gathered->serving > 0 ? ticks : 0;
        row->waiting += gathered->waiting > 0 ? ticks * (uint64_t)gathered->waiting : 0;
        gathered->changed = change.time;
        gathered->waiting += change.waiting;
        gathered->serving += change.serving;
        if (gathered->waiting > 0 && (uint64_t)gathered->waiting > row->waiting_max) {
            row->waiting_max = (uint64_t)gathered->waiting;
        }
        if (gathered->serving > 0 && (uint64_t)gathered->serving > row->serving_max) {
            row->serving_max = (uint64_t)gathered->serving;
        }
    }
}

/* ---- messages ----------------------------------------------------------------------------- */

static bool counting_is_in(const struct tt_message_window *window, uint64_t time)
{
    return time != TT_NO_TIME && time >= window->from && time < window->to;
}

static bool counting_add_sample(const struct tt_message_window *window, struct tt_samples *samples,
                                uint64_t length, uint64_t end)
{
    return length == TT_NO_TIME || !counting_is_in(window, end) ||
           tt_samples_add(samples, length, end);
}

static void count_error(struct tt_message_stat *stat, struct gathered *gathered, uint32_t error)
{
    uint32_t most = 0;
    unsigned i = 0;
    stat->errors++;
    while (i < ERRORS && gathered->errors[i].count > 0 && gathered->errors[i].number != error) {
        i++;
    }
    if (i < ERRORS) {
        gathered->errors[i].number = error;
        gathered->errors[i].count++;
    }
    for (i = 0; i < ERRORS; i++) {
        if (gathered->errors[i].number != 0 && gathered->errors[i].count > most) {
            most = gathered->errors[i].count;
            stat->error = gathered->errors[i].number;
        }
    }
}

/* Passes the sample of a message to the sink if it is one of the row that is watched. */
static bool watch_message(struct tt_message_counting *counting, const struct tt_message *message,
                          const struct tt_message_parts *parts)
{
    const struct {
        size_t distribution;
        uint64_t length, end;
    } samples[] = {
        {distributions[QUEUE], parts->queue, message->receive},
        {distributions[SERVICE], parts->service, message->end},
        {distributions[BACK], parts->back, parts->run},
        {distributions[ROUND], parts->round, parts->run},
        {TT_MESSAGE_SENDS, 0, message->send},
    };
    struct tt_message_stat key = counting_key_of(counting, message);
    bool ok = true;
    counting->sink->thread = message->client;
    for (unsigned i = 0; same_key(&key, &counting->watched) && i < DISTRIBUTIONS + 1; i++) {
        if (samples[i].distribution == counting->watched_distribution &&
            samples[i].length != TT_NO_TIME && counting_is_in(&counting->window, samples[i].end)) {
            ok = tt_sample_sink_pass(counting->sink, samples[i].length, samples[i].end);
        }
    }
    return ok;
}

static bool count_message(struct tt_message_counting *counting, const struct tt_message *message)
{
    const struct tt_message_window *window = &counting->window;
    struct tt_message_parts parts;
    tt_message_parts_of(counting->t, message, &parts);
    if (counting->sink) {
        return watch_message(counting, message, &parts);
    }
    bool any = counting_is_in(window, message->send) || counting_is_in(window, message->receive) ||
               counting_is_in(window, message->end) || counting_is_in(window, parts.run);
    bool spans = counting->by == TT_MESSAGES_BY_SERVER && tt_message_begin(message) < window->to &&
                 (message->how == TT_MESSAGE_OPEN || message->last >= window->from);
    if ((!any && !spans) || (window->wanted && !window->wanted(window->wanted_arg, message))) {
        return true;
    }
    uint32_t row = counting_row_of(counting, message);
    if (row == UINT32_MAX) {
        return false;
    }
    struct tt_message_stat *stat = &counting->rows[row];
    struct tt_samples *samples = counting->gathered[row].samples;
    stat->count += counting_is_in(window, message->send);
    if (message->how == TT_MESSAGE_ERROR && counting_is_in(window, message->end)) {
        count_error(stat, &counting->gathered[row], message->error);
    }
    if (parts.queue_busy != TT_NO_TIME && counting_is_in(window, message->receive)) {
        stat->queue_busy += parts.queue_busy;
        stat->queue_sched += parts.queue_sched;
    }
    if (parts.has_classes && counting_is_in(window, message->end)) {
        for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
            stat->class_ticks[i] += parts.class_ticks[i];
        }
        stat->irq += parts.irq;
        stat->known += parts.service;
    }
    return counting_add_sample(window, &samples[QUEUE], parts.queue, message->receive) &&
           counting_add_sample(window, &samples[SERVICE], parts.service, message->end) &&
           counting_add_sample(window, &samples[BACK], parts.back, parts.run) &&
           counting_add_sample(window, &samples[ROUND], parts.round, parts.run) &&
           (counting->by != TT_MESSAGES_BY_SERVER || add_changes(counting, message, row));
}

static bool counting_is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return thread < window->thread_limit && tt_bit_at(window->threads, thread);
}

/* Counts messages until the work is used up, the rows are to be settled, or there are no more. */
static bool walk_step(struct tt_message_counting *counting, uint64_t *work)
{
    const struct tt_message_window *window = &counting->window;
    struct tt_message m;
    bool ok = true;
    while (ok && *work > 0 && counting->counted < counting->next_time) {
        if (!tt_message_walk_next(&counting->walk, &m) || tt_message_begin(&m) >= window->to) {
            apply_changes(counting, 0, true);
            counting->walked = true;
            return true;
        }
        *work -= *work < WORK_A_MESSAGE ? *work : WORK_A_MESSAGE;
        counting->reached = tt_message_begin(&m);
        counting->counted++;
        apply_changes(counting, counting->reached, false);
        if (!window->threads || counting_is_picked(window, m.client) ||
            counting_is_picked(window, m.server)) {
            ok = count_message(counting, &m);
        }
    }
    return ok;
}

/* ---- settling ----------------------------------------------------------------------------- */

static bool begin_settling(struct tt_message_counting *counting)
{
    struct tt_message_stat *settled = tt_array_reserve(
        counting->settled, counting->count + 1, &counting->settled_capacity, sizeof *settled);
    if (!settled) {
        return false;
    }
    counting->settled = settled;
    counting->settled_count = 0;
    counting->settling = true;
    counting->settling_row = 0;
    counting->settling_distribution = 0;
    counting->selection = (struct tt_selection){0};
    return true;
}

/* Continues; returns true when all rows are settled. */
static bool settle_step(struct tt_message_counting *counting, uint64_t *work)
{
    for (; counting->settling_row < counting->count;
         counting->settling_row++, counting->settling_distribution = 0) {
        struct tt_message_stat *row = &counting->rows[counting->settling_row];
        for (; counting->settling_distribution < DISTRIBUTIONS; counting->settling_distribution++) {
            unsigned i = counting->settling_distribution;
            struct tt_distribution *distribution =
                (struct tt_distribution *)((char *)row + distributions[i]);
            if (*work == 0 || !tt_samples_distribution_step(
                                  &counting->gathered[counting->settling_row].samples[i],
                                  &counting->selection, work, distribution)) {
                return false;
            }
        }
        counting->settled[counting->settling_row] = *row;
        *work -= *work > 0;
    }
    counting->settling = false;
    counting->settled_count = counting->count;
    counting->version++;
    counting->next_time =
        counting->counted > FIRST_SETTLED / 2 ? counting->counted * 2 : FIRST_SETTLED;
    return true;
}

/* ---- life cycle --------------------------------------------------------------------------- */

struct tt_message_counting *tt_message_counting_new(const struct tt_capture *capture,
                                                    enum tt_messages_by by,
                                                    const struct tt_message_window *window)
{
    struct tt_message_counting *counting = calloc(1, sizeof *counting);
    if (counting) {
        counting->capture = capture;
        counting->by = by;
        counting->window = *window;
    }
    return counting;
}

void tt_message_counting_watch(struct tt_message_counting *counting,
                               const struct tt_message_stat *of, size_t distribution,
                               struct tt_sample_sink *sink)
{
    counting->watched = *of;
    counting->watched_distribution = distribution;
    counting->sink = sink;
}

static void free_samples(struct tt_message_counting *counting)
{
    for (size_t i = 0; i < counting->count; i++) {
        for (unsigned d = 0; d < DISTRIBUTIONS; d++) {
            tt_samples_free(&counting->gathered[i].samples[d]);
        }
    }
    counting->count = 0;
}

bool tt_message_counting_step(struct tt_message_counting *counting,
                              const struct tt_timelines *timelines, uint64_t *work, bool *done)
{
    bool ok = true;
    counting->t = timelines;
    *done = false;
    if (counting->number != tt_timelines_number(timelines)) {
        /* Begins, or begins again with other timelines. */
        free_samples(counting);
        tt_hash_free(&counting->index);
        tt_message_walk_free(&counting->walk);
        counting->change_count = 0;
        counting->counted = counting->reached = 0;
        counting->next_time = FIRST_SETTLED;
        counting->walked = counting->settling = false;
        counting->number = tt_timelines_number(counting->t);
        counting->prepared = false;
        ok = tt_message_walk_start(&counting->walk, counting->t, counting->window.from, true);
    }
    counting->prepared =
        ok && (counting->prepared || tt_message_walk_prepare(&counting->walk, work));
    while (counting->prepared && ok && *work > 0 && !*done) {
        if (counting->settling) {
            *done = settle_step(counting, work) && counting->walked;
        } else {
            ok = walk_step(counting, work);
            if (ok && (counting->walked || counting->counted >= counting->next_time)) {
                ok = begin_settling(counting);
            }
        }
    }
    return ok;
}

const struct tt_message_stat *tt_message_counting_rows(const struct tt_message_counting *counting,
                                                       size_t *count, unsigned *version)
{
    *count = counting->settling ? 0 : counting->settled_count;
    *version = counting->version;
    return counting->settled;
}

unsigned tt_message_percent(const struct tt_timelines *timelines,
                            const struct tt_message_window *window, uint64_t reached)
{
    if (!timelines || reached <= window->from) {
        return 0;
    }
    uint64_t begin = tt_timelines_begin(timelines), end = tt_timelines_limit(timelines);
    begin = begin > window->from ? begin : window->from;
    end = end < window->to ? end : window->to;
    double part = reached > begin ? (double)(reached - begin) / (double)(end - begin + 1) : 0;
    return part < 1 ? (unsigned)(part * 100) : 99;
}

unsigned tt_message_counting_percent(const struct tt_message_counting *counting)
{
    return tt_message_percent(counting->t, &counting->window, counting->reached);
}

bool tt_message_counting_shrink(struct tt_message_counting *counting, size_t *bytes)
{
    for (; counting->count > 0; counting->count--) {
        for (unsigned d = 0; d < DISTRIBUTIONS; d++) {
            if (tt_samples_shrink(&counting->gathered[counting->count - 1].samples[d], bytes)) {
                return true;
            }
        }
    }
    return false;
}

void tt_message_counting_free(struct tt_message_counting *counting)
{
    if (counting) {
        free_samples(counting);
        free(counting->gathered);
        free(counting->rows);
        free(counting->settled);
        free(counting->changes);
        tt_hash_free(&counting->index);
        tt_message_walk_free(&counting->walk);
        free(counting);
    }
}
