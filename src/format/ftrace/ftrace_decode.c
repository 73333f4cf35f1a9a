/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_decode: the cursor, and the events of a page. */
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

/* ---- cursor ------------------------------------------------------------------------------- */

struct tt_cursor *ftrace_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->d = capture->decoder;
        cursor->learn = learn;
    }
    return cursor;
}

size_t ftrace_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    if (capacity >= sizeof cursor->s) {
        memcpy(blob, &cursor->s, sizeof cursor->s);
    }
    return sizeof cursor->s;
}

void ftrace_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    if (size == sizeof cursor->s) {
        memcpy(&cursor->s, blob, size);
    }
}

uint64_t ftrace_cursor_pos(const struct tt_cursor *cursor)
{
    return (cursor->s.page << cursor->d->page_shift) + cursor->s.at;
}

/* ---- records ------------------------------------------------------------------------------ */

/* Adds health for a record at `at` of the current page, if it is new. */
static void ftrace_decode_report(struct tt_cursor *cursor, enum tt_health_kind kind, uint32_t at,
                                 uint64_t value, const char *detail)
{
    if (cursor->learn) {
        uint64_t pos = (cursor->s.page << cursor->d->page_shift) + at;
        tt_health_add(cursor->d->capture, kind, ftrace_offset(cursor->d->capture, pos), pos, value,
                      detail);
    }
}

/* Returns the type of an event without a format description. */
static uint32_t unknown_type(struct tt_cursor *cursor, uint32_t at, uint16_t id)
{
    struct ftrace *ftrace = cursor->d;
    uint32_t type = atomic_load_explicit(&ftrace->unknown_type, memory_order_acquire);
    if (cursor->learn) {
        if (type == FTRACE_NO_TYPE) {
            type = tt_types_add(ftrace->capture, "unknown", "event", 0, TT_KIND_EVENT);
            atomic_store_explicit(&ftrace->unknown_type, type, memory_order_release);
        }
        ftrace_decode_report(cursor, TT_HEALTH_UNKNOWN_EVENT, at, id,
                             "id without a format description");
    }
    return type;
}

static uint32_t ftrace_decode_type_of(struct tt_cursor *cursor, struct ftrace_event *event)
{
    uint32_t type = atomic_load_explicit(&event->type, memory_order_acquire);
    if (type == FTRACE_NO_TYPE && cursor->learn) {
        type = tt_types_add(cursor->d->capture, event->system, event->name, event->id, event->kind);
        atomic_store_explicit(&event->type, type, memory_order_release);
    }
    return type;
}

static inline bool ftrace_decode_is_full(const struct tt_batch *batch)
{
    return batch->count == batch->capacity ||
           (batch->actions && batch->action_capacity - batch->action_count < TT_ACTIONS_PER_EVENT);
}

/*
 * Decodes the current page, whose events often are of the same thread as the one before. Returns false if the batch is
 * full before its end.
 */
static inline bool decode_records(struct tt_cursor *cursor, const struct ftrace_stream *stream,
                                  struct ftrace_records *records, struct tt_batch *batch, bool big)
{
    struct ftrace *ftrace = cursor->d;
    const uint64_t base = cursor->s.page << ftrace->page_shift;
    const bool acts = batch->actions || cursor->learn;
    int32_t last_pid = -1;
    uint32_t lane = TT_NO_THREAD;
    while (!ftrace_decode_is_full(batch)) {
        if (!ftrace_next_record(records, big)) {
            if (records->is_bad) {
                ftrace_decode_report(cursor, TT_HEALTH_MALFORMED, records->next,
                                     records->end - records->next,
                                     "bytes of a page from a record that cannot be one");
            }
            return true;
        }
        cursor->s.time = records->time;
        const uint16_t id = ftrace_id_of(ftrace, &records->record);
        struct ftrace_event *of = ftrace->events[id];
        const int32_t pid = ftrace_pid_of(ftrace, &records->record);
        struct tt_event *event = &batch->events[batch->count++];
        event->ticks = ftrace_ticks_of(ftrace, records->time);
        event->pos = base + records->at;
        event->length = records->record.size;
        event->cpu = stream->cpu;
        event->flags = 0;
        batch->records++;
        if (records->at >= records->end - records->unsure) {
            event->flags = TT_EVENT_MALFORMED;
            event->thread = TT_NO_THREAD;
            event->type =
                of ? ftrace_decode_type_of(cursor, of) : unknown_type(cursor, records->at, id);
            event->kind = TT_KIND_EVENT;
            continue;
        }
        if (pid != last_pid || lane == TT_NO_THREAD) {
            lane = ftrace_lane(cursor, pid, stream->cpu, event->pos);
            last_pid = pid;
        }
        event->thread = lane;
        if (of) {
            event->type = ftrace_decode_type_of(cursor, of);
            event->kind = of->kind;
        } else {
            event->type = unknown_type(cursor, records->at, id);
            event->kind = TT_KIND_EVENT;
        }
        /* Without actions, only the kind of softirqs, timers and markers depends on the record. */
        if (acts || (of && (of->meaning == FTRACE_PRINT || (of->meaning >= FTRACE_SOFTIRQ_ENTRY &&
                                                            of->meaning <= FTRACE_TIMER_EXIT)))) {
            ftrace_act(cursor, of, &records->record, stream, batch);
        }
    }
    cursor->s.at = records->next;
    return false;
}

/* ---- losses ------------------------------------------------------------------------------- */

/*
 * Notes what is missing before the current page, the first of its CPU or the first after a loss or damage: how many
 * events were lost, and since when.
 */
static void learn_loss(struct tt_cursor *cursor, const struct ftrace_stream *stream)
{
    struct ftrace *ftrace = cursor->d;
    const struct ftrace_records *page = &stream->begun;
    const bool is_lost = (page->flags & FTRACE_COMMIT_LOST) != 0;
    if (is_lost &&
        stream->last == 0) { /* a ring that was overwritten: nothing is missing between events */
        char key[48], value[24];
        struct tt_text k = tt_text_of(key, sizeof key), v = tt_text_of(value, sizeof value);
        tt_text_str(&k, "overwritten before the first event of CPU ");
        tt_text_u64(&k, stream->cpu);
        tt_text_u64(&v, page->lost);
        ftrace->no_memory |=
            !tt_facts_add(ftrace->capture, "recording", ftrace_text(ftrace, key, k.used),
                          page->lost ? value : "unknown", page->lost ? v.used : 7);
    }
    if (stream->last == 0) {
        return;
    }
    if (is_lost) {
        ftrace_decode_report(cursor, TT_HEALTH_LOST, 0, page->lost,
                             page->lost ? "events lost on the CPU"
                                        : "events lost on the CPU, their number is not recorded");
    }
    struct ftrace_loss *loss = tt_column_next(&ftrace->losses);
    if (!loss) {
        ftrace->no_memory = true;
        return;
    }
    *loss = (struct ftrace_loss){cursor->s.page, stream->last};
    tt_column_publish(&ftrace->losses);
}

uint64_t ftrace_lost_since(const struct ftrace *ftrace, uint64_t page)
{
    const struct ftrace_loss *loss = ftrace_item_at(&ftrace->losses, page);
    return loss ? loss->since : 0;
}

/* ---- the tape ----------------------------------------------------------------------------- */

/* Begins the current page: its time, and what was lost before it. */
static void begin_page(struct tt_cursor *cursor, const struct ftrace_page *page,
                       struct ftrace_stream *stream, struct tt_bytes bytes)
{
    const struct ftrace *ftrace = cursor->d;
    const uint64_t time = tt_load_u64(bytes.data, ftrace->big);
    const bool is_sane = ftrace_ticks_of(ftrace, time) <= INT64_MAX;
    cursor->s.at = ftrace->data_at;
    cursor->s.time = is_sane ? time : 0;
    cursor->s.switches = page->switches;
    cursor->s.first = page->is_first;
    if (cursor->learn && page->is_first) {
        learn_loss(cursor, stream);
    }
    if (cursor->learn && !is_sane) {
        ftrace_decode_report(cursor, TT_HEALTH_TIME_RANGE, 0, time, "time of a page");
    }
}

/* Decodes the current page from the cursor on. Returns false if the batch is full before its end. */
static bool decode_page(struct tt_cursor *cursor, uint64_t limit, struct tt_batch *batch)
{
    struct ftrace *ftrace = cursor->d;
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, cursor->s.page);
    struct ftrace_stream *stream = &ftrace->streams[page->stream];

    /* The bytes of a page that have its records, as far as a cursor reads. */
    const struct tt_bytes all = ftrace->streams[page->stream].packed
                                    ? tt_bytes_of(ftrace->spooled, ftrace->spooled_size)
                                    : tt_bytes_of(ftrace->capture->bytes.data, limit);
    const struct tt_bytes bytes = tt_bytes_slice(all, page->offset, page->end);

    if (bytes.size < ftrace->data_at) {
        return true; /* the file shrank */
    }
    if (cursor->s.at == 0) {
        begin_page(cursor, page, stream, bytes);
    }
    struct ftrace_records records = {.page = bytes.data,
                                     .time = cursor->s.time,
                                     .until = page->until,
                                     .next = cursor->s.at,
                                     .end = (uint32_t)bytes.size,
                                     .unsure = page->unsure};
    bool done = ftrace->big ? decode_records(cursor, stream, &records, batch, true)
                            : decode_records(cursor, stream, &records, batch, false);
    stream->switches = cursor->learn ? cursor->s.switches : stream->switches;
    if (cursor->learn && batch->count > 0) {
        const struct tt_event *last = &batch->events[batch->count - 1];
        stream->last = last->cpu == stream->cpu ? last->ticks : stream->last;
    }
    return done;
}

enum tt_decode_result ftrace_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    struct ftrace *ftrace = cursor->d;
    uint64_t begin = ftrace_cursor_pos(cursor);
    if (cursor->learn) {
        ftrace->limit = limit;
        ftrace->final = final;
        ftrace_find_new(ftrace);
    }
    while (!ftrace->no_memory || !cursor->learn) {
        if (ftrace_decode_is_full(batch) ||
            (batch->byte_budget && ftrace_cursor_pos(cursor) - begin >= batch->byte_budget)) {
            return TT_DECODE_MORE;
        }
        if (cursor->s.page >= tt_column_count(&ftrace->pages) &&
            !(cursor->learn && ftrace_add_page(ftrace))) {
            return ftrace->no_memory && cursor->learn ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
        if (!decode_page(cursor, limit, batch)) {
            return TT_DECODE_MORE;
        }
        cursor->s.page++;
        cursor->s.at = 0;
    }
    return TT_DECODE_MEMORY;
}

bool ftrace_find_record(const struct ftrace *ftrace, const struct tt_event *event, uint64_t limit,
                        struct ftrace_record *record, const struct ftrace_event **of)
{
    const uint64_t number = event->pos >> ftrace->page_shift;
    if (number >= tt_column_count(&ftrace->pages)) {
        return false;
    }
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, number);
    const bool packed = ftrace->streams[page->stream].packed;
    const uint8_t *bytes = packed ? ftrace->spooled : ftrace->capture->bytes.data;
    const uint64_t at = page->offset + (event->pos & ((UINT64_C(1) << ftrace->page_shift) - 1));
    limit = packed ? ftrace->spooled_size : limit;
    if (at + 8 > limit) {
        return false;
    }
    const uint32_t word = tt_load_u32(bytes + at, ftrace->big);
    const bool is_long = (ftrace->big ? word >> 27 : word & 31) == FTRACE_TYPE_LONG;
    const uint64_t data = at + (is_long ? 8 : 4);
    if (data + event->length > limit) {
        return false;
    }
    *record = (struct ftrace_record){bytes + data, event->length, ftrace->big};
    *of = ftrace->events[ftrace_id_of(ftrace, record)];
    return true;
}
