/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_pages: where the pages of each CPU are, their order on the tape, and where the records of a page end.
 *
 * The pages of a stream follow each other at its distance. Bytes that are inserted or missing move those after them:
 *
 *      stream   |page|page|pa~~~ge|page|page|      a place at which two pages agree with each other
 *      grid     |    |    |    |    |    |    |    and with what came before: their records chain
 *                              ^ resumed here      up to their size, and their times go on
 *
 * A page of the grid that cannot be one is first taken for damaged at its place, if one after it is good. Only then
 * are pages searched for, up to SEARCH bytes from there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "format/ftrace/ftrace_internal.h"

#define SURVEY_PAGES 64u
#define SEARCH       (UINT64_C(64) << 10)
#define SOON                                                                                       \
    (UINT64_C(1) << 36) /* ticks after a page in which another one needs no further evidence */

/* ---- pages -------------------------------------------------------------------------------- */

/* Returns the bytes of the page at a place, as far as the learning cursor reads; fewer at the end of the stream. */
static struct tt_bytes ftrace_page_bytes(const struct ftrace *ftrace,
                                         const struct ftrace_stream *stream, uint64_t place)
{
    const bool on_grid = stream->places || (place - stream->offset) % stream->page_size == 0;
    const uint64_t end = stream->places ? UINT64_MAX
                         : on_grid      ? stream->offset + stream->size
                                        : stream->stop;
    const struct tt_bytes all = stream->packed
                                    ? tt_bytes_of(ftrace->spooled, ftrace->spooled_size)
                                    : tt_bytes_of(ftrace->capture->bytes.data, ftrace->limit);
    return tt_bytes_slice(tt_bytes_slice(all, 0, end), place, stream->page_size);
}

const struct ftrace_stream *ftrace_stream_of(const struct ftrace *ftrace, uint64_t pos)
{
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, pos >> ftrace->page_shift);
    return &ftrace->streams[page->stream];
}

uint64_t ftrace_place(const struct ftrace *ftrace, uint64_t pos)
{
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, pos >> ftrace->page_shift);
    return page->offset + (pos & ((UINT64_C(1) << ftrace->page_shift) - 1));
}

uint64_t ftrace_offset(const struct tt_capture *capture, uint64_t pos)
{
    const struct ftrace *ftrace = capture->decoder;
    if (pos >> ftrace->page_shift >= tt_column_count(&ftrace->pages)) {
        return capture->bytes.size;
    }
    const uint64_t place = ftrace_place(ftrace, pos);
    if (!ftrace_stream_of(ftrace, pos)->packed) {
        return place;
    }
    size_t chunk =
        ftrace_count_to(ftrace->chunks, ftrace->chunk_count, sizeof *ftrace->chunks, place);
    return chunk > 0 ? ftrace->chunks[chunk - 1].offset : 0;
}

/* The header of a page. */
struct head {
    uint64_t time;
    uint32_t size;  /* of its data */
    uint32_t flags; /* FTRACE_COMMIT_LOST, _STORED */
    bool is_valid;  /* the data fits, and no other bit is set */
};

/* Reads the header of the page at a place. Returns false if its bytes are not there. */
static bool read_head(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                      uint64_t place, struct head *head)
{
    const struct tt_bytes page = ftrace_page_bytes(ftrace, stream, place);
    if (page.size < ftrace->data_at) {
        return false;
    }
    const uint64_t commit =
        ftrace_number_at(page.data + ftrace->commit_at, ftrace->kernel_long, ftrace->big);
    head->time = tt_load_u64(page.data, ftrace->big);
    head->size = (uint32_t)commit & FTRACE_COMMIT_SIZE;
    head->flags = (uint32_t)commit & (FTRACE_COMMIT_LOST | FTRACE_COMMIT_STORED);
    head->is_valid = commit - head->flags == head->size && head->size % 4 == 0 &&
                     head->size <= stream->page_size - ftrace->data_at;
    return true;
}

/* Returns whether the lengths of the records of a page lead exactly to the end of its data, without a long pause. */
static bool is_chain(struct tt_bytes page, uint64_t at, uint64_t end, bool big)
{
    while (end <= page.size && end - at >= 4) {
        const uint32_t word = tt_load_u32(page.data + at, big);
        const uint32_t type = big ? word >> 27 : word & 31;
        if (type == FTRACE_TYPE_PADDING && (big ? word << 5 : word >> 5) == 0) {
            return true;
        }
        uint64_t size = type - 1 < 28 ? type * 4 : 4;
        if ((type == FTRACE_TYPE_LONG || type == FTRACE_TYPE_PADDING) && end - at >= 8) {
            const uint32_t length = tt_load_u32(page.data + at + 4, big);
            size = length < 4 ? UINT32_MAX : ((uint64_t)length + 3) & ~UINT64_C(3);
        }
        const bool is_late = type == FTRACE_TYPE_EXTEND && end - at >= 8 &&
                             tt_load_u32(page.data + at + 4, big) >= SOON >> 27;
        if (size > end - at - 4 || is_late) {
            return false;
        }
        at += 4 + size;
    }
    return at == end;
}

/*
 * Returns where the records of a page end that do not chain up to its end: at the first one that is no event of this
 * file. `records` is at the first one; *last is where the last good one begins.
 */
static uint32_t end_of_good(const struct ftrace *ftrace, struct ftrace_records records,
                            uint32_t *last)
{
    uint32_t end = records.next;
    *last = end;
    while (ftrace_next_record(&records, ftrace->big)) {
        const struct ftrace_record *record = &records.record;
        const struct ftrace_event *of = ftrace->events[ftrace_id_of(ftrace, record)];
        const int64_t pid = ftrace_pid_of(ftrace, record);
        if (!of || of->least > record->size || pid < 0 || pid >= LINUX_TIDS) {
            break;
        }
        *last = records.at;
        end = records.next;
    }
    return end;
}

/* Returns whether the bytes at a place are a page, whatever is around it, that is not before a time. */
static bool is_page(const struct ftrace *ftrace, const struct ftrace_stream *stream, uint64_t place,
                    uint64_t since, struct head *head)
{
    if (!read_head(ftrace, stream, place, head) || !head->is_valid || head->size < 8 ||
        head->time < since) {
        return false;
    }
    const struct tt_bytes page = ftrace_page_bytes(ftrace, stream, place);
    uint32_t end = ftrace->data_at + head->size, last;
    const struct ftrace_records records = {.page = page.data,
                                           .time = head->time,
                                           .until = UINT64_MAX,
                                           .next = ftrace->data_at,
                                           .end = end};
    return is_chain(page, ftrace->data_at, end, ftrace->big) &&
           end_of_good(ftrace, records, &last) + 16 >= end;
}

static bool is_zero(struct tt_bytes page)
{
    return page.data[0] == 0 && memcmp(page.data, page.data + 1, (size_t)page.size - 1) == 0;
}

/* ---- where pages are ---------------------------------------------------------------------- */

/* Finds the next page after one whose next place on the grid has none. Returns that place if there is none. */
static uint64_t ftrace_pages_search(struct ftrace *ftrace, struct ftrace_stream *stream,
                                    uint64_t place, uint64_t since)
{
    const uint64_t next = place + stream->page_size;
    const struct ftrace_jump *known = ftrace_item_at(&stream->jumps, place);
    struct head head;
    if (known || place <= stream->searched) {
        return known ? known->to : next;
    }
    uint64_t at = place + ftrace->data_at;
    at = at > stream->searched_to ? at : stream->searched_to;
    stream->searched = place;
    for (; at < next + SEARCH && at < stream->stop; at++) {
        if ((at - place) % stream->page_size != 0 && is_page(ftrace, stream, at, since, &head)) {
            struct ftrace_jump *jump = tt_column_next(&stream->jumps);
            ftrace->no_memory |= !jump;
            if (jump) {
                *jump = (struct ftrace_jump){place, at};
                tt_column_publish(&stream->jumps);
                return at;
            }
        }
    }
    stream->searched_to = at;
    return next;
}

uint64_t ftrace_next_place(struct ftrace *ftrace, struct ftrace_stream *stream, uint64_t place)
{
    const uint64_t size = stream->page_size, next = place + size;
    const bool is_begin = place == FTRACE_NO_PLACE;
    if (stream->places) {
        const size_t count = stream->size / size,
                     at = is_begin ? 0
                                   : ftrace_count_to(stream->places, count, sizeof *stream->places,
                                                     place);
        return at < count ? stream->places[at] : FTRACE_NO_PLACE;
    }
    if (is_begin) {
        return stream->size > 0 ? stream->offset : FTRACE_NO_PLACE;
    }
    const bool on_grid = (place - stream->offset) % size == 0;
    struct head here, head;
    if (on_grid ? next >= stream->offset + stream->size : next + size > stream->stop) {
        return FTRACE_NO_PLACE;
    }
    const uint64_t since = read_head(ftrace, stream, place, &here) && here.is_valid ? here.time : 0;
    if (!read_head(ftrace, stream, next, &head)) {
        return on_grid ? next : FTRACE_NO_PLACE;
    }
    if (is_zero(ftrace_page_bytes(ftrace, stream, next)) ||
        (head.is_valid && head.time - since < SOON) || is_page(ftrace, stream, next, 0, &head) ||
        is_page(ftrace, stream, next + size, since, &head)) {
        return next;
    }
    const uint64_t found = ftrace_pages_search(ftrace, stream, place, since);
    return on_grid || found != next ? found : FTRACE_NO_PLACE;
}

/* Returns whether a page at a place is the first one of a stream: times go on after it, and not to it. */
static bool is_begin(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                     uint64_t place, bool has_more, struct head *head)
{
    struct head other;
    const uint64_t size = stream->page_size;
    return is_page(ftrace, stream, place, 0, head) &&
           (!is_page(ftrace, stream, place - size, 0, &other) || other.time > head->time) &&
           (!has_more || !is_page(ftrace, stream, place + size, 0, &other) ||
            other.time >= head->time);
}

/* Returns where a stream begins: at a place, or near it, after bytes that were inserted or are missing. */
static uint64_t find_begin(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                           uint64_t expected, bool has_more)
{
    struct head head, first;
    if (is_page(ftrace, stream, expected, 0, &head) ||
        is_page(ftrace, stream, expected + stream->page_size, 0, &head)) {
        return expected;
    }
    for (uint64_t distance = 2; distance < 2 * SEARCH; distance++) {
        const uint64_t at = expected + (distance % 2 != 0 ? distance / 2 : 0 - distance / 2);
        if (distance / 2 % stream->page_size != 0 &&
            is_begin(ftrace, stream, at, has_more, &head)) {
            /* The second page of a stream whose first one is damaged inside is no begin. */
            const bool is_second = read_head(ftrace, stream, expected, &first) && first.is_valid &&
                                   head.time - first.time < SOON;
            return is_second ? expected : at;
        }
    }
    return expected;
}

/* Determines where the streams of the file begin, and how far pages beside the grid may reach: up to the next one. */
static void find_begins(struct ftrace *ftrace)
{
    struct ftrace_stream *before = NULL;
    uint64_t moved = 0;
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        ftrace->next[i] = (struct ftrace_next){ftrace->streams[i].offset, (uint32_t)i};
    }
    tt_heap_make(ftrace->next, ftrace->stream_count, sizeof *ftrace->next, ftrace_next_before);
    for (size_t left = ftrace->stream_count; left > 0; left--) {
        struct ftrace_stream *stream = &ftrace->streams[ftrace->next[0].stream];
        ftrace->next[0] = ftrace->next[left - 1];
        tt_heap_down(ftrace->next, left - 1, sizeof *ftrace->next, 0, ftrace_next_before);
        stream->stop = stream->offset + stream->size;
        if (stream->packed || ftrace->capture->files) {
            continue;
        }
        const uint64_t size = stream->size;
        stream->size = stream->stop = UINT64_MAX - stream->offset; /* anywhere in the file */
        const uint64_t begin =
            find_begin(ftrace, stream, stream->offset + moved, size > stream->page_size);
        moved = begin - stream->offset;
        stream->offset = begin;
        stream->size = size;
        stream->stop = begin + size + SEARCH;
        if (before && before->offset < begin && before->stop > begin) {
            before->stop = begin;
        }
        before = stream;
    }
}

/* ---- the records of a page ---------------------------------------------------------------- */

/* Returns the time of the page at a place; UINT64_MAX if there is none, or if times of pages may go back. */
static uint64_t time_of_page(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                             uint64_t place)
{
    struct head head;
    return !stream->places && place != FTRACE_NO_PLACE && read_head(ftrace, stream, place, &head)
               ? head.time
               : UINT64_MAX;
}

/*
 * Returns whether the time of the page at places[1] is damaged: those at places[0] and [2] are in order without it; or
 * nothing confirms it, since its records are damaged too, and it is far from the one before.
 */
static bool ftrace_pages_is_odd(struct ftrace *ftrace, struct ftrace_stream *stream,
                                const uint64_t places[3], bool is_chained)
{
    const uint64_t time = time_of_page(ftrace, stream, places[1]),
                   after = time_of_page(ftrace, stream, places[2]);
    const bool has_before = !stream->places && places[0] != FTRACE_NO_PLACE;
    const uint64_t before = has_before ? time_of_page(ftrace, stream, places[0]) : 0;
    if (!is_chained && !stream->places &&
        (ftrace_ticks_of(ftrace, time) > INT64_MAX || (has_before && time - before >= SOON))) {
        return true;
    }
    return places[2] != FTRACE_NO_PLACE && before <= after && after > 0 &&
           (time > after || time < before) &&
           after <= time_of_page(ftrace, stream, ftrace_next_place(ftrace, stream, places[2]));
}

bool ftrace_begin_records(struct ftrace *ftrace, struct ftrace_stream *stream, uint64_t before,
                          uint64_t place, struct ftrace_records *records)
{
    struct head head;
    if (place == FTRACE_NO_PLACE || !read_head(ftrace, stream, place, &head)) {
        return false;
    }
    const struct tt_bytes page = ftrace_page_bytes(ftrace, stream, place);
    const uint64_t next = ftrace_next_place(ftrace, stream, place),
                   until = time_of_page(ftrace, stream, next),
                   end = (uint64_t)ftrace->data_at + head.size;
    const bool is_whole = page.size == stream->page_size,
               is_chained = is_whole && is_chain(page, ftrace->data_at, end, ftrace->big);
    const uint64_t places[] = {before, place, next};
    *records = (struct ftrace_records){
        .page = page.data,
        .time = ftrace_ticks_of(ftrace, head.time) <= INT64_MAX ? head.time : 0,
        .until = until < head.time ? UINT64_MAX : until,
        .next = ftrace->data_at,
        .end = (uint32_t)(end < page.size ? end : page.size),
        .flags = head.flags,
        .is_odd = ftrace_pages_is_odd(ftrace, stream, places, is_chained)};
    if (records->is_odd) {
        records->end = ftrace->data_at;
    } else if (is_whole && !is_chained) {
        uint32_t last;
        records->end = end_of_good(ftrace, *records, &last);
        records->unsure = records->end - last;
    }
    records->cut = end - records->end;
    if ((head.flags & FTRACE_COMMIT_STORED) != 0 && end + ftrace->kernel_long <= page.size) {
        records->lost = ftrace_number_at(page.data + end, ftrace->kernel_long, ftrace->big);
    }
    return true;
}

/* ---- the order of pages ------------------------------------------------------------------- */

/* Finds the next page with events of a stream, from a place on; its time is UINT64_MAX if there is none. */
static void find_next(struct ftrace *ftrace, struct ftrace_stream *stream, uint64_t place)
{
    struct tt_capture *capture = ftrace->capture;
    stream->time = UINT64_MAX;
    for (; place != FTRACE_NO_PLACE; place = ftrace_next_place(ftrace, stream, place)) {
        const uint64_t before = stream->passed;
        const uint64_t expected = before == FTRACE_NO_PLACE ? place : before + stream->page_size;
        if (!stream->places && place != expected) {
            stream->is_broken = true;
            tt_health_add(capture, TT_HEALTH_DAMAGED, place < expected ? place : expected, 0,
                          place > expected ? place - expected : 0,
                          "bytes that are no page, before one that was moved");
        }
        stream->passed = place;
        struct ftrace_records *records = &stream->ready;
        if (!ftrace_begin_records(ftrace, stream, before, place, records)) {
            const struct tt_bytes page = ftrace_page_bytes(ftrace, stream, place);
            if (page.size > 0) {
                tt_health_add(capture, TT_HEALTH_TRUNCATED, place, 0, page.size,
                              "bytes of half a page");
            }
            continue;
        }
        if (records->end > ftrace->data_at) {
            stream->time = records->time;
            return;
        }
        if (records->cut > 0 || records->time == 0) {
            stream->is_broken = true;
            tt_health_add(capture, TT_HEALTH_DAMAGED, place, 0, stream->page_size,
                          records->is_odd
                              ? "bytes of a page whose time is not between those around it"
                          : records->cut > 0 ? "bytes of a page that has no event"
                                             : "page of zeros");
        }
    }
}

bool ftrace_next_before(const void *a, const void *b)
{
    const struct ftrace_next *left = a, *right = b;
    return left->time != right->time ? left->time < right->time : left->stream < right->stream;
}

/* Puts the next page of a stream, if there is one, into the heap of all. */
static void put_next(struct ftrace *ftrace, struct ftrace_stream *stream)
{
    if (stream->time != UINT64_MAX) {
        ftrace->next[ftrace->next_count++] =
            (struct ftrace_next){stream->time, (uint32_t)(stream - ftrace->streams)};
        tt_heap_make(ftrace->next, ftrace->next_count, sizeof *ftrace->next, ftrace_next_before);
    }
}

void ftrace_find_new(struct ftrace *ftrace)
{
    for (size_t i = 0; ftrace->capture->files && i < ftrace->stream_count; i++) {
        struct ftrace_stream *stream = &ftrace->streams[i];
        uint64_t size = tt_map_file(ftrace->capture->files, stream->file).bytes.size;
        size -= ftrace->final ? 0 : size % stream->page_size;
        if (size <= stream->size) {
            continue;
        }
        stream->size = size;
        stream->stop = stream->offset + size;
        ftrace_walk_more(ftrace, stream);
        if (stream->time == UINT64_MAX) {
            find_next(ftrace, stream, ftrace_next_place(ftrace, stream, stream->passed));
            put_next(ftrace, stream);
        }
    }
}

bool ftrace_add_page(struct ftrace *ftrace)
{
    struct ftrace_page *page = ftrace->next_count > 0 ? tt_column_next(&ftrace->pages) : NULL;
    if (!page) {
        ftrace->no_memory |= ftrace->next_count > 0;
        return false;
    }
    struct ftrace_stream *stream = &ftrace->streams[ftrace->next[0].stream];
    const struct ftrace_records *records = &stream->ready;
    const uint64_t place = stream->passed, next = ftrace_next_place(ftrace, stream, place),
                   until = time_of_page(ftrace, stream, next),
                   pos = (tt_column_count(&ftrace->pages) << ftrace->page_shift) + records->end;
    *page = (struct ftrace_page){.offset = place,
                                 .until = until < records->time ? UINT64_MAX : until,
                                 .stream = ftrace->next[0].stream,
                                 .switches = stream->switches,
                                 .end = records->end,
                                 .unsure = records->unsure < UINT16_MAX ? (uint16_t)records->unsure
                                                                        : UINT16_MAX,
                                 .is_first = !stream->has_pages || stream->is_broken ||
                                             (records->flags & FTRACE_COMMIT_LOST) != 0};
    tt_column_publish(&ftrace->pages);
    if (records->cut > 0) {
        const bool is_half = ftrace_page_bytes(ftrace, stream, place).size < stream->page_size;
        tt_health_add(ftrace->capture, is_half ? TT_HEALTH_TRUNCATED : TT_HEALTH_MALFORMED,
                      ftrace_offset(ftrace->capture, pos), pos, records->cut,
                      is_half ? "bytes of data in a page that has fewer"
                              : "bytes of a page from a record that cannot be one");
    }
    ftrace_walk_past(ftrace, stream, place);
    stream->begun = *records;
    stream->has_pages = true;
    stream->is_broken = records->cut > 0;
    find_next(ftrace, stream, next);
    ftrace->next[0].time = stream->time;
    if (stream->time == UINT64_MAX) {
        ftrace->next[0] = ftrace->next[--ftrace->next_count];
    }
    tt_heap_down(ftrace->next, ftrace->next_count, sizeof *ftrace->next, 0, ftrace_next_before);
    return true;
}

/* ---- survey at open ----------------------------------------------------------------------- */

/* Notes the meanings of the events of the first pages of a stream, and whether events were lost. */
static void survey_stream(struct ftrace *ftrace, struct ftrace_stream *stream)
{
    struct ftrace_buffer *buffer = &ftrace->buffers[stream->buffer];
    uint64_t before, place = FTRACE_NO_PLACE;
    struct ftrace_records records;
    for (uint64_t n = 0; n < SURVEY_PAGES; n++) {
        before = place;
        place = ftrace_next_place(ftrace, stream, before);
        if (!ftrace_begin_records(ftrace, stream, before, place, &records)) {
            return;
        }
        ftrace->capture->lanes_by_time |= n > 0 && (records.flags & FTRACE_COMMIT_LOST) != 0;
        while (ftrace_next_record(&records, ftrace->big)) {
            const struct ftrace_event *event =
                ftrace->events[ftrace_id_of(ftrace, &records.record)];
            buffer->has |= event ? UINT64_C(1) << event->meaning : 0;
            /* A softirq of PREEMPT_RT runs with migration disabled. */
            ftrace->is_rt |= event && event->meaning == FTRACE_SOFTIRQ_ENTRY &&
                             (ftrace_get(&records.record, ftrace->common_preempt) & 0xf0) != 0;
        }
    }
}

void ftrace_survey(struct ftrace *ftrace)
{
    find_begins(ftrace);
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        struct ftrace_stream *stream = &ftrace->streams[i];
        stream->passed = stream->walked = FTRACE_NO_PLACE;
        survey_stream(ftrace, stream);
        find_next(ftrace, stream, ftrace_next_place(ftrace, stream, FTRACE_NO_PLACE));
    }
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        put_next(ftrace, &ftrace->streams[i]);
    }
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
