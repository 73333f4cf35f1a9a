/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_decode: the cursor, the order of pages, and the events of a page. */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/u128.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define SURVEY_PAGES 64u

/* ---- pages -------------------------------------------------------------------------------- */

struct tt_bytes ftrace_page_bytes(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                                  uint64_t offset, uint64_t limit)
{
    uint64_t end = stream->offset + stream->size;
    uint64_t most = stream->places ? stream->page_size : offset < end ? end - offset : 0;
    most = most < stream->page_size ? most : stream->page_size;
    if (stream->packed) {
        return tt_bytes_slice(tt_bytes_of(ftrace->spooled, ftrace->spooled_size), offset, most);
    }
    return tt_bytes_slice(tt_bytes_of(ftrace->capture->bytes.data, limit), offset, most);
}

const struct ftrace_stream *ftrace_stream_of(const struct ftrace *ftrace, uint64_t pos)
{
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, pos >> ftrace->page_shift);
    return &ftrace->streams[page->stream];
}

uint64_t ftrace_place(const struct ftrace *ftrace, uint64_t pos)
{
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, pos >> ftrace->page_shift);
    const struct ftrace_stream *stream = &ftrace->streams[page->stream];
    uint64_t within = pos & ((UINT64_C(1) << ftrace->page_shift) - 1);
    if (!stream->places) {
        return page->offset - stream->offset + within;
    }
    size_t count = ftrace_count_to(stream->places, stream->size / stream->page_size,
                                   sizeof *stream->places, page->offset);
    return (count > 0 ? count - 1 : 0) * (uint64_t)stream->page_size + within;
}

uint64_t ftrace_offset(const struct tt_capture *capture, uint64_t pos)
{
    const struct ftrace *ftrace = capture->decoder;
    uint64_t number = pos >> ftrace->page_shift,
             within = pos & ((UINT64_C(1) << ftrace->page_shift) - 1);
    if (number >= tt_column_count(&ftrace->pages)) {
        return capture->bytes.size;
    }
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, number);
    if (!ftrace->streams[page->stream].packed) {
        return page->offset + within;
    }
    size_t chunk =
        ftrace_count_to(ftrace->chunks, ftrace->chunk_count, sizeof *ftrace->chunks, page->offset);
    return chunk > 0 ? ftrace->chunks[chunk - 1].offset : 0;
}

/* Converts a time of the file to ticks. */
static inline uint64_t ftrace_decode_ticks_of(const struct ftrace *ftrace, uint64_t time)
{
    if (ftrace->clock.mult) {
        struct tt_wide product = tt_u128_mul(time, ftrace->clock.mult);
        unsigned shift = ftrace->clock.shift;
        time = shift ? product.low >> shift | product.high << (64 - shift) : product.low;
    }
    return time + ftrace->clock.offset;
}

/* Returns the size of the data of a page; sets *lost to its flags. */
static uint32_t data_size(const struct ftrace *ftrace, struct tt_bytes page, uint32_t *lost)
{
    /* The low half of the commit field. */
    unsigned low = ftrace->big && ftrace->kernel_long == 8 ? 4 : 0;
    uint32_t commit = tt_load_u32(page.data + ftrace->commit_at + low, ftrace->big);
    *lost = commit & (FTRACE_COMMIT_LOST | FTRACE_COMMIT_STORED);
    return commit & FTRACE_COMMIT_SIZE;
}

/* Returns the time of the page after `n` bytes; UINT64_MAX if there is none, or if times of pages may go back. */
static uint64_t time_of_page(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                             uint64_t n, uint64_t limit)
{
    struct tt_bytes page = stream->places
                               ? tt_bytes_of(NULL, 0)
                               : ftrace_page_bytes(ftrace, stream, stream->offset + n, limit);
    return page.size >= ftrace->data_at ? tt_load_u64(page.data, ftrace->big) : UINT64_MAX;
}

/* Returns the time that no event of the page after `n` bytes exceeds: that of the next page, unless that is earlier. */
static uint64_t end_of_page(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                            uint64_t n, uint64_t limit)
{
    uint64_t end = time_of_page(ftrace, stream, n + stream->page_size, limit);
    return end < time_of_page(ftrace, stream, n, limit) ? UINT64_MAX : end;
}

/* Returns whether the time of a page is damaged: those around it are in order without it. */
static bool ftrace_decode_is_odd(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                                 uint64_t n)
{
    uint64_t before =
        n > 0 ? time_of_page(ftrace, stream, n - stream->page_size, ftrace->limit) : 0;
    uint64_t next = time_of_page(ftrace, stream, n + stream->page_size, ftrace->limit);
    uint64_t after =
        time_of_page(ftrace, stream, n + 2 * (uint64_t)stream->page_size, ftrace->limit);
    uint64_t time = time_of_page(ftrace, stream, n, ftrace->limit);
    return before <= next && next <= after && next > 0 && (time > next || time < before);
}

bool ftrace_begin_records(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                          uint64_t n, struct ftrace_records *records, uint32_t *flags)
{
    struct tt_bytes page = tt_bytes_of(NULL, 0);
    if (n < stream->size) {
        page = ftrace_page_bytes(ftrace, stream, ftrace_place_of_page(stream, n), ftrace->limit);
    }
    if (page.size < ftrace->data_at) {
        return false;
    }
    uint64_t end = (uint64_t)ftrace->data_at + data_size(ftrace, page, flags);
    records->page = page.data;
    records->time = tt_load_u64(page.data, ftrace->big);
    records->time = ftrace_decode_ticks_of(ftrace, records->time) <= INT64_MAX ? records->time : 0;
    records->until = end_of_page(ftrace, stream, n, ftrace->limit);
    records->next = ftrace->data_at;
    records->end = ftrace_decode_is_odd(ftrace, stream, n)
                       ? ftrace->data_at
                       : (uint32_t)(end < page.size ? end : page.size);
    records->is_bad = false;
    return true;
}

/* Finds the time of the next page with events of a stream; UINT64_MAX: there is none. */
static void ftrace_decode_find_next(struct ftrace *ftrace, struct ftrace_stream *stream,
                                    bool report)
{
    struct tt_capture *capture = ftrace->capture;
    stream->time = UINT64_MAX;
    while (stream->next < stream->size) {
        uint64_t offset = ftrace_place_of_page(stream, stream->next);
        struct tt_bytes page = ftrace_page_bytes(ftrace, stream, offset, ftrace->limit);
        uint32_t lost, size = 0;
        if (page.size >= ftrace->data_at) {
            uint64_t time = tt_load_u64(page.data, ftrace->big);
            size = data_size(ftrace, page, &lost);
            bool odd = size > 0 && ftrace_decode_is_odd(ftrace, stream, stream->next);
            if (size > 0 && !odd) {
                stream->time = ftrace_decode_ticks_of(ftrace, time) <= INT64_MAX ? time : 0;
                return;
            }
            if ((odd || time == 0) && report) {
                tt_health_add(capture, TT_HEALTH_DAMAGED, offset, 0, stream->page_size,
                              odd ? "bytes of a page whose time is not between those around it"
                                  : "page of zeros");
            }
        } else if (report && page.size > 0) {
            tt_health_add(capture, TT_HEALTH_TRUNCATED, offset, 0, page.size,
                          "bytes of half a page");
        }
        stream->next += stream->page_size;
    }
}

bool ftrace_next_before(const void *a, const void *b)
{
    const struct ftrace_next *left = a, *right = b;
    return left->time != right->time ? left->time < right->time : left->stream < right->stream;
}

/* Adds the pages that have come of files that grow: whole ones, until no more will come. */
static void find_new(struct ftrace *ftrace)
{
    for (size_t i = 0; ftrace->capture->files && i < ftrace->stream_count; i++) {
        struct ftrace_stream *stream = &ftrace->streams[i];
        uint64_t size = tt_map_file(ftrace->capture->files, stream->file).bytes.size;
        size -= ftrace->final ? 0 : size % stream->page_size;
        if (size <= stream->size) {
            continue;
        }
        stream->size = size;
        ftrace_walk_more(ftrace, stream);
        if (stream->time == UINT64_MAX) {
            ftrace_decode_find_next(ftrace, stream, true);
            if (stream->time != UINT64_MAX) {
                ftrace->next[ftrace->next_count++] =
                    (struct ftrace_next){stream->time, (uint32_t)i};
                tt_heap_make(ftrace->next, ftrace->next_count, sizeof *ftrace->next,
                             ftrace_next_before);
            }
        }
    }
}

/* Appends the earliest page of all streams to the tape. Returns false at the end, or if out of memory. */
static bool add_page(struct ftrace *ftrace)
{
    if (ftrace->next_count == 0) {
        return false;
    }
    struct ftrace_page *page = tt_column_next(&ftrace->pages);
    if (!page) {
        ftrace->no_memory = true;
        return false;
    }
    struct ftrace_stream *stream = &ftrace->streams[ftrace->next[0].stream];
    *page = (struct ftrace_page){ftrace_place_of_page(stream, stream->next), ftrace->next[0].stream,
                                 stream->switches};
    tt_column_publish(&ftrace->pages);
    ftrace_walk_past(ftrace, stream, stream->next);
    stream->next += stream->page_size;
    ftrace_decode_find_next(ftrace, stream, true);
    ftrace->next[0].time = stream->time;
    if (stream->time == UINT64_MAX) {
        ftrace->next[0] = ftrace->next[--ftrace->next_count];
    }
    tt_heap_down(ftrace->next, ftrace->next_count, sizeof *ftrace->next, 0, ftrace_next_before);
    return true;
}

/* ---- survey at open ----------------------------------------------------------------------- */

/* Notes the meanings of the events of the first pages of a stream, and whether events were lost. */
static void survey_stream(struct ftrace *ftrace, const struct ftrace_stream *stream)
{
    struct ftrace_buffer *buffer = &ftrace->buffers[stream->buffer];
    for (uint64_t n = 0; n < SURVEY_PAGES; n++) {
        struct ftrace_records records;
        uint32_t flags;
        if (!ftrace_begin_records(ftrace, stream, n * stream->page_size, &records, &flags)) {
            return;
        }
        ftrace->capture->lanes_by_time |= n > 0 && (flags & FTRACE_COMMIT_LOST) != 0;
        while (ftrace_next_record(&records, ftrace->big)) {
            const struct ftrace_event *event =
                ftrace->events[(uint16_t)ftrace_get(&records.record, ftrace->common_type)];
            buffer->has |= event ? UINT64_C(1) << event->meaning : 0;
            /* A softirq of PREEMPT_RT runs with migration disabled. */
            ftrace->is_rt |= event && event->meaning == FTRACE_SOFTIRQ_ENTRY &&
                             (ftrace_get(&records.record, ftrace->common_preempt) & 0xf0) != 0;
        }
    }
}

void ftrace_survey(struct ftrace *ftrace)
{
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        struct ftrace_stream *stream = &ftrace->streams[i];
        survey_stream(ftrace, stream);
        ftrace_decode_find_next(ftrace, stream, true);
        if (stream->time != UINT64_MAX) {
            ftrace->next[ftrace->next_count++] = (struct ftrace_next){stream->time, (uint32_t)i};
        }
    }
    tt_heap_make(ftrace->next, ftrace->next_count, sizeof *ftrace->next, ftrace_next_before);
    for (unsigned meaning = 0; meaning < FTRACE_MEANINGS; meaning++) {
        size_t of = ftrace->buffer_count;
        for (size_t i = ftrace->buffer_count; i-- > 0;) {
            bool top = ftrace->buffers[i].name[0] == '\0';
            if ((ftrace->buffers[i].has >> meaning & 1) != 0 &&
                (top || of == ftrace->buffer_count || ftrace->buffers[of].name[0] != '\0')) {
                of = i;
            }
        }
        atomic_init(&ftrace->buffer_of[meaning],
                    of < ftrace->buffer_count ? (uint16_t)of : FTRACE_NONE);
    }
    ftrace->interrupts = (uint8_t)(LINUX_INTERRUPTS | (ftrace->is_rt ? 0 : LINUX_SOFTIRQ));
    /* On x86 the local timer has a vector, which is no interrupt with a handler. */
    bool x86 = ftrace->abi == LINUX_X86_64 || ftrace->abi == LINUX_I386;
    ftrace->timers_nest = ftrace_has(ftrace, x86 ? FTRACE_VECTOR_ENTRY : FTRACE_IRQ_ENTRY);
    ftrace->no_memory |= !ftrace_walk_start(ftrace);
}

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
        const uint16_t id = (uint16_t)ftrace_get(&records->record, ftrace->common_type);
        struct ftrace_event *of = ftrace->events[id];
        const int32_t pid = (int32_t)ftrace_get(&records->record, ftrace->common_pid);
        struct tt_event *event = &batch->events[batch->count++];
        event->ticks = ftrace_decode_ticks_of(ftrace, records->time);
        event->pos = base + records->at;
        event->length = records->record.size;
        event->cpu = stream->cpu;
        event->flags = 0;
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
        batch->records++;
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

/* Notes that events were lost before the current page: how many, and since when. */
static void learn_loss(struct tt_cursor *cursor, const struct ftrace_stream *stream,
                       struct tt_bytes page, uint32_t size, uint32_t flags)
{
    struct ftrace *ftrace = cursor->d;
    uint64_t lost = 0, after = (uint64_t)ftrace->data_at + size;
    if ((flags & FTRACE_COMMIT_STORED) != 0 && after + ftrace->kernel_long <= page.size) {
        lost = ftrace_number_at(page.data + after, ftrace->kernel_long, ftrace->big);
    }
    if (stream->last == 0) { /* a ring that was overwritten: nothing is missing between events */
        char key[48], value[24];
        struct tt_text k = tt_text_of(key, sizeof key), v = tt_text_of(value, sizeof value);
        tt_text_str(&k, "overwritten before the first event of CPU ");
        tt_text_u64(&k, stream->cpu);
        tt_text_u64(&v, lost);
        ftrace->no_memory |=
            !tt_facts_add(ftrace->capture, "recording", ftrace_text(ftrace, key, k.used),
                          lost ? value : "unknown", lost ? v.used : 7);
        return;
    }
    ftrace_decode_report(cursor, TT_HEALTH_LOST, 0, lost,
                         lost ? "events lost on the CPU"
                              : "events lost on the CPU, their number is not recorded");
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
    uint32_t flags, size = data_size(ftrace, bytes, &flags);
    cursor->s.at = ftrace->data_at;
    cursor->s.time = tt_load_u64(bytes.data, ftrace->big);
    cursor->s.switches = page->switches;
    cursor->s.first =
        page->offset == ftrace_place_of_page(stream, 0) || (flags & FTRACE_COMMIT_LOST) != 0;
    if (cursor->learn && (flags & FTRACE_COMMIT_LOST) != 0) {
        learn_loss(cursor, stream, bytes, size, flags);
    }
    if (cursor->learn && ftrace_decode_ticks_of(ftrace, cursor->s.time) > INT64_MAX) {
        ftrace_decode_report(cursor, TT_HEALTH_TIME_RANGE, 0, cursor->s.time, "time of a page");
    }
    cursor->s.time =
        ftrace_decode_ticks_of(ftrace, cursor->s.time) > INT64_MAX ? 0 : cursor->s.time;
}

/* Decodes the current page from the cursor on. Returns false if the batch is full before its end. */
static bool decode_page(struct tt_cursor *cursor, uint64_t limit, struct tt_batch *batch)
{
    struct ftrace *ftrace = cursor->d;
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, cursor->s.page);
    struct ftrace_stream *stream = &ftrace->streams[page->stream];
    struct tt_bytes bytes = ftrace_page_bytes(ftrace, stream, page->offset, limit);
    if (bytes.size < ftrace->data_at) {
        return true; /* the file shrank */
    }
    if (cursor->s.at == 0) {
        begin_page(cursor, page, stream, bytes);
    }
    uint32_t flags;
    uint64_t end = (uint64_t)ftrace->data_at + data_size(ftrace, bytes, &flags);
    if (end > bytes.size) {
        if (cursor->s.at == ftrace->data_at && !ftrace_decode_is_full(batch)) {
            ftrace_decode_report(
                cursor, bytes.size < stream->page_size ? TT_HEALTH_TRUNCATED : TT_HEALTH_MALFORMED,
                0, end - ftrace->data_at, "bytes of data in a page that has fewer");
        }
        end = bytes.size;
    }
    struct ftrace_records r = {
        .page = bytes.data,
        .time = cursor->s.time,
        .until = end_of_page(ftrace, stream, page->offset - stream->offset, limit),
        .next = cursor->s.at,
        .end = (uint32_t)end};
    bool done = ftrace->big ? decode_records(cursor, stream, &r, batch, true)
                            : decode_records(cursor, stream, &r, batch, false);
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
        find_new(ftrace);
    }
    while (!ftrace->no_memory || !cursor->learn) {
        if (ftrace_decode_is_full(batch) ||
            (batch->byte_budget && ftrace_cursor_pos(cursor) - begin >= batch->byte_budget)) {
            return TT_DECODE_MORE;
        }
        if (cursor->s.page >= tt_column_count(&ftrace->pages) &&
            !(cursor->learn && add_page(ftrace))) {
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
    uint64_t number = event->pos >> ftrace->page_shift;
    if (number >= tt_column_count(&ftrace->pages)) {
        return false;
    }
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, number);
    const struct ftrace_stream *stream = &ftrace->streams[page->stream];
    struct tt_bytes bytes = ftrace_page_bytes(ftrace, stream, page->offset, limit);
    uint32_t at = (uint32_t)(event->pos & ((UINT64_C(1) << ftrace->page_shift) - 1));
    if (!tt_bytes_has(bytes, at, 8)) {
        return false;
    }
    uint32_t word = tt_load_u32(bytes.data + at, ftrace->big);
    bool is_long = (ftrace->big ? word >> 27 : word & 31) == FTRACE_TYPE_LONG;
    uint32_t data = at + (is_long ? 8 : 4);
    if (!tt_bytes_has(bytes, data, event->length)) {
        return false;
    }
    *record = (struct ftrace_record){bytes.data + data, event->length, ftrace->big};
    *of = ftrace->events[(uint16_t)ftrace_get(record, ftrace->common_type)];
    return true;
}
