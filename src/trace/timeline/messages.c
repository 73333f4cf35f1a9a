/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rows of messages. */
#include <string.h>

#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

static const char *const end_names[] = {
#define X(id, name) name,
    TT_MESSAGE_END_INFO(X)
#undef X
};

const char *tt_message_end_name(unsigned how)
{
    return how < TT_MESSAGE_ENDS ? end_names[how] : "open";
}

const char *tt_message_error_name(const struct tt_capture *capture, unsigned system, uint32_t error)
{
    const struct tt_format *format = tt_merge_system(capture, system)->format;
    return format->refers.error_name && error != 0 ? format->refers.error_name(error) : NULL;
}

uint32_t tt_message_rows(const struct tt_timelines *timelines)
{
    return (uint32_t)tt_column_count(&timelines->messages.rows);
}

static const struct tt_message_row *timeline_messages_row_at(const struct tt_timelines *timelines,
                                                             uint32_t row)
{
    return row < tt_message_rows(timelines) ? tt_column_at(&timelines->messages.rows, row) : NULL;
}

uint32_t tt_message_row_client(const struct tt_timelines *timelines, uint32_t row)
{
    const struct tt_message_row *message_row = timeline_messages_row_at(timelines, row);
    return message_row ? message_row->thread : TT_NO_THREAD;
}

unsigned tt_message_row_system(const struct tt_timelines *timelines, uint32_t row)
{
    const struct tt_message_row *message_row = timeline_messages_row_at(timelines, row);
    return message_row ? message_row->system : 0;
}

uint64_t tt_message_systems(const struct tt_timelines *timelines)
{
    uint64_t systems = 0;
    for (uint32_t i = 0; i < tt_message_rows(timelines); i++) {
        systems |= UINT64_C(1) << tt_message_row_system(timelines, i) % 64;
    }
    return systems;
}

uint32_t tt_message_row_of(const struct tt_timelines *timelines, uint32_t thread)
{
    const struct tt_message_lanes *messages = &timelines->messages;
    if (thread != TT_NO_THREAD && thread >= tt_column_count(&messages->lanes)) {
        return TT_NO_ROW;
    }
    const struct tt_message_lane *lane =
        thread == TT_NO_THREAD ? &messages->threadless : tt_column_at(&messages->lanes, thread);
    return atomic_load_explicit(&lane->first, memory_order_acquire) - 1;
}

uint32_t tt_message_row_next(const struct tt_timelines *timelines, uint32_t row)
{
    const struct tt_message_row *message_row = timeline_messages_row_at(timelines, row);
    return message_row ? atomic_load_explicit(&message_row->next, memory_order_acquire) : TT_NO_ROW;
}

uint64_t tt_message_steps(const struct tt_timelines *timelines)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < tt_message_rows(timelines); i++) {
        steps += tt_track_count(&timeline_messages_row_at(timelines, i)->steps);
    }
    return steps;
}

/* ---- losses ------------------------------------------------------------------------------- */

static const struct tt_track *gaps_of(const struct tt_timelines *timelines, unsigned system)
{
    bool is_other = system > 0 && system < timelines->messages.systems;
    return is_other ? &timelines->messages.other_gaps[system - 1] : &timelines->messages.gaps;
}

/* Finds the earliest begin of the gaps of a system that end after `from` and begin before `to`. */
static bool find_gap(const struct tt_timelines *timelines, unsigned system, uint64_t from,
                     uint64_t to, uint64_t *begin)
{
    const struct tt_track *gaps = gaps_of(timelines, system);
    struct tt_track_place at;
    bool found = false;
    if (tt_track_is_empty(gaps) || !tt_track_last(gaps, &at)) {
        return false;
    }
    uint64_t longest = tt_message_gap_length(tt_track_more(gaps, at));
    bool more =
        tt_track_find(gaps, from, &at) ? tt_track_next(gaps, &at) : tt_track_first(gaps, &at);
    for (; more && !tt_timelines_gone(timelines); more = tt_track_next(gaps, &at)) {
        struct tt_track_item gap = tt_track_item(gaps, at);
        if (gap.time > to && gap.time - to >= longest) {
            break; /* no later gap begins before `to` */
        }
        uint64_t length = tt_message_gap_length(gap.value);
        uint64_t since = gap.time > length ? gap.time - length : 0;
        if (since < to && (!found || since < *begin)) {
            *begin = since;
            found = true;
        }
    }
    return found;
}

bool tt_message_gap(const struct tt_timelines *timelines, uint64_t from, uint64_t to)
{
    uint64_t begin;
    bool found = false;
    for (unsigned system = 0; system < timelines->messages.systems && !found; system++) {
        found = find_gap(timelines, system, from, to, &begin);
    }
    return found;
}

bool tt_loss_between(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                     uint64_t to)
{
    uint64_t at;
    const uint64_t after = from + (from < UINT64_MAX), up_to = to + (to < UINT64_MAX);
    if (thread == TT_NO_THREAD) {
        return tt_loss_in(timelines, after, up_to, &at) || tt_message_gap(timelines, from, to);
    }
    return tt_loss_of(timelines, thread, after, up_to, &at) ||
           find_gap(timelines, tt_merge_of_thread(timelines->capture, thread), from, to, &at);
}

/* ---- one row ------------------------------------------------------------------------------ */

static bool is_last_step(uint32_t step)
{
    return STEP_KIND(step) == STEP_TAKEN || STEP_KIND(step) == STEP_ENDED;
}

static bool is_first_step(uint32_t step)
{
    return STEP_KIND(step) == STEP_SENT || STEP_KIND(step) == STEP_UNSENT;
}

/* Moves back to the first step of the message that the place is in. */
static void find_begin(const struct tt_track *track, struct tt_track_place *place)
{
    struct tt_track_place at = *place;
    while (!is_first_step(tt_track_item(track, at).value) && tt_track_previous(track, &at)) {
        *place = at;
    }
}

void tt_message_read_from(struct tt_message_reader *reader, const struct tt_timelines *timelines,
                          uint32_t row, uint64_t from)
{
    const struct tt_message_row *source = timeline_messages_row_at(timelines, row);
    struct tt_track_place place = {0, 0};
    reader->t = timelines;
    reader->row = row;
    reader->loaded = UINT32_MAX;
    reader->count = 0;
    reader->more = source != NULL;
    if (source && from > 0 && tt_track_find(&source->steps, from - 1, &place)) {
        if (!is_last_step(tt_track_item(&source->steps, place).value)) {
            find_begin(&source->steps, &place);
        } else {
            place.slot++; /* the next step, if there is one */
        }
    }
    reader->chunk = place.chunk;
    reader->slot = place.slot;
}

/* Loads the chunk of the next step; false if there is none. */
static bool timeline_messages_load(struct tt_message_reader *reader, const struct tt_track *steps)
{
    struct tt_track_place place = {reader->chunk, reader->slot};
    struct tt_track_page page;
    if (tt_timelines_gone(reader->t)) {
        return false;
    }
    if (!tt_track_has(steps, place)) {
        place = (struct tt_track_place){reader->chunk + 1, 0};
        if (!tt_track_has(steps, place)) {
            return false;
        }
    }
    tt_track_load(steps, place.chunk, TT_TRACK_CHUNK, &page);
    reader->chunk = reader->loaded = place.chunk;
    reader->slot = place.slot;
    reader->count = page.count;
    reader->base = page.base;
    memcpy(reader->delta, page.delta, sizeof reader->delta);
    memcpy(reader->value, page.value, sizeof reader->value);
    return reader->slot < reader->count;
}

/* Sets the next step without passing it; false if there is none. */
static bool timeline_messages_peek(struct tt_message_reader *reader, uint64_t *time, uint32_t *step)
{
    const struct tt_message_row *row = timeline_messages_row_at(reader->t, reader->row);
    if (!row || ((reader->loaded != reader->chunk || reader->slot >= reader->count) &&
                 !timeline_messages_load(reader, &row->steps))) {
        return false;
    }
    *time = reader->base + reader->delta[reader->slot];
    *step = reader->value[reader->slot];
    return true;
}

static void set_connection(const struct tt_timelines *timelines, uint32_t number,
                           struct tt_message *message)
{
    if (number < tt_column_count(&timelines->messages.connections)) {
        const struct tt_connection *connection =
            tt_column_at(&timelines->messages.connections, number);
        uint32_t channel = atomic_load_explicit(&connection->channel, memory_order_relaxed);
        message->connection = connection->id;
        message->channel = channel != CHANNEL_SEVERAL ? channel - 1 : TT_NO_CHANNEL;
        message->process = connection->process;
    }
}

static void set_server(const struct tt_timelines *timelines, uint32_t thread,
                       struct tt_message *message)
{
    if (thread < tt_thread_count(timelines->capture)) {
        message->server = thread;
        message->process = tt_thread_at(timelines->capture, thread)->process;
    }
}

/* Adds a step to the message; returns false after its last one. */
static bool timeline_messages_add_step(const struct tt_timelines *timelines, uint64_t time,
                                       uint32_t step, struct tt_message *message)
{
    message->last = time;
    switch (STEP_KIND(step)) {
    case STEP_SENT:
    case STEP_UNSENT:
        message->send = STEP_KIND(step) == STEP_SENT ? time : TT_NO_TIME;
        set_connection(timelines, STEP_VALUE(step), message);
        return true;
    case STEP_RECEIVED:
        message->receive = time;
        set_server(timelines, STEP_VALUE(step), message);
        return true;
    case STEP_TAKEN:
        message->receive = message->end = time;
        message->how = TT_MESSAGE_TAKEN;
        set_server(timelines, STEP_VALUE(step), message);
        return false;
    default:
        message->how = END_HOW(STEP_VALUE(step)) < TT_MESSAGE_ENDS
                           ? (uint8_t)END_HOW(STEP_VALUE(step))
                           : TT_MESSAGE_LOST;
        message->error = END_ERROR(STEP_VALUE(step));
        message->end = message->how == TT_MESSAGE_LOST ? TT_NO_TIME : time;
        return false;
    }
}

/*
 * Resets the steps that a loss of another stream may have changed: after its begin, only the send,
 * and an answer to some message of the client, are certain.
 */
static void apply_gaps(const struct tt_timelines *timelines, unsigned system,
                       struct tt_message *message)
{
    uint64_t begin = message->send != TT_NO_TIME ? message->send : message->receive, gap;
    if (begin == TT_NO_TIME || !find_gap(timelines, system, begin, message->last, &gap)) {
        return;
    }
    if (message->receive != TT_NO_TIME && message->receive > gap) {
        message->receive = TT_NO_TIME;
        message->server = TT_NO_THREAD;
    }
    if (message->send != TT_NO_TIME && message->how != TT_MESSAGE_OPEN && message->last > gap) {
        message->last = message->receive != TT_NO_TIME ? message->receive : message->send;
        message->last = gap > message->last ? gap : message->last;
        message->end = TT_NO_TIME;
        message->how = TT_MESSAGE_LOST;
        message->error = 0;
    }
}

/*
 * Returns whether a hop of a flow ends in the thread that began it: it is the time between two events of
 * the thread, as from the receipt of a request to its answer, and no message.
 */
static bool is_own_work(const struct tt_message *message)
{
    return message->async && message->connection == TT_NO_CONNECTION &&
           message->how == TT_MESSAGE_TAKEN && message->server == message->client &&
           message->client != TT_NO_THREAD;
}

bool tt_message_read(struct tt_message_reader *reader, struct tt_message *message)
{
    bool more;
    do {
        const struct tt_message_row *row = timeline_messages_row_at(reader->t, reader->row);
        uint64_t time;
        uint32_t step;
        bool begun = false, goes_on = true;
        while (goes_on && timeline_messages_peek(reader, &time, &step) &&
               (!begun || !is_first_step(step))) {
            if (!begun && !is_first_step(step)) {
                reader->slot++; /* only in damaged index caches */
                continue;
            }
            if (!begun) {
                *message = (struct tt_message){.send = TT_NO_TIME,
                                               .receive = TT_NO_TIME,
                                               .end = TT_NO_TIME,
                                               .connection = TT_NO_CONNECTION,
                                               .channel = TT_NO_CHANNEL,
                                               .client = row->thread,
                                               .server = TT_NO_THREAD,
                                               .process = TT_NO_THREAD,
                                               .row = reader->row,
                                               .how = TT_MESSAGE_OPEN,
                                               .async = row->async};
                begun = true;
            }
            goes_on = timeline_messages_add_step(reader->t, time, step, message);
            reader->slot++;
        }
        if (begun && !tt_track_is_empty(gaps_of(reader->t, row->system))) {
            apply_gaps(reader->t, row->system, message);
        }
        more = begun;
    } while (more && is_own_work(message));
    return more;
}

bool tt_message_at(const struct tt_timelines *timelines, uint32_t client, uint64_t ticks,
                   struct tt_message *message)
{
    struct tt_message_reader reader;
    for (uint32_t row = tt_message_row_of(timelines, client); row != TT_NO_ROW;
         row = tt_message_row_next(timelines, row)) {
        const struct tt_message_row *source = timeline_messages_row_at(timelines, row);
        struct tt_track_place place;
        if (!source || source->async || !tt_track_find(&source->steps, ticks, &place) ||
            is_last_step(tt_track_item(&source->steps, place).value)) {
            continue;
        }
        find_begin(&source->steps, &place);
        tt_message_read_from(&reader, timelines, row, 0);
        reader.chunk = place.chunk;
        reader.slot = place.slot;
        return tt_message_read(&reader, message);
    }
    return false;
}

/*
 * Finds when the client runs again, at or after `from`. Its state then may be unknown since an
 * earlier loss; after it, nothing may be lost.
 */
static uint64_t next_run(const struct tt_timelines *timelines, uint32_t client, uint64_t from)
{
    struct tt_interval_at at;
    bool there = client != TT_NO_THREAD && (tt_interval_find(timelines, client, from, &at) ||
                                            tt_interval_first(timelines, client, &at));
    for (; there; there = tt_interval_next(timelines, &at)) {
        struct tt_interval interval = tt_interval_get(timelines, at);
        if ((interval.class_ == TT_CLASS_UNKNOWN && interval.start > from) ||
            interval.class_ == TT_CLASS_DEAD) {
            return TT_NO_TIME;
        }
        if (interval.class_ == TT_CLASS_RUNNING) {
            uint64_t run = interval.start > from ? interval.start : from;
            uint64_t gap;
            unsigned system = tt_merge_of_thread(timelines->capture, client);
            return find_gap(timelines, system, from, run, &gap) ? TT_NO_TIME : run;
        }
    }
    return TT_NO_TIME;
}

uint64_t tt_message_return(const struct tt_timelines *timelines, const struct tt_message *message)
{
    return message->async || message->end == TT_NO_TIME
               ? TT_NO_TIME
               : next_run(timelines, message->client, message->end);
}
