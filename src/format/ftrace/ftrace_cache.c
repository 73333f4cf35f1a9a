/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_cache: the decoder in the index cache: what the learning cursor found, as columns, each with its number
 * of items before it:
 *
 *      lane of interrupts | instance of each meaning | pages | losses | of each stream: states of its switches, notes
 *
 * Types, counters and threads are in the capture's tables, from which the decoder finds its own numbers again.
 */
#include <string.h>

#include "base/section_file.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/object_kind.h"

static void save_column(const struct tt_column *column, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(column);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        tt_section_put(writer, tt_column_at(column, i), column->item_size);
    }
}

void ftrace_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    const struct ftrace *ftrace = capture->decoder;
    tt_section_put_u64(writer, atomic_load_explicit(&ftrace->interrupt, memory_order_relaxed));
    for (unsigned meaning = 0; meaning < FTRACE_MEANINGS; meaning++) {
        tt_section_put_u64(writer,
                           atomic_load_explicit(&ftrace->buffer_of[meaning], memory_order_relaxed));
    }
    save_column(&ftrace->pages, writer);
    save_column(&ftrace->losses, writer);
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        save_column(&ftrace->streams[i].left, writer);
        save_column(&ftrace->streams[i].notes, writer);
    }
}

/* ---- restore ------------------------------------------------------------------------------ */

static bool is_valid_page(const struct ftrace *ftrace, const void *item)
{
    const struct ftrace_page *page = item;
    if (page->stream >= ftrace->stream_count) {
        return false;
    }
    const struct ftrace_stream *stream = &ftrace->streams[page->stream];
    return page->end <= stream->page_size &&
           page->offset < (stream->packed ? ftrace->spooled_size : ftrace->capture->bytes.size);
}

static bool is_valid_note(const struct ftrace *ftrace, const void *item)
{
    const struct ftrace_note *note = item;
    (void)ftrace;
    return note->kind < TT_OBJECT_KINDS || note->kind == FTRACE_UNBEGUN;
}

static bool is_valid_state(const struct ftrace *ftrace, const void *item)
{
    (void)ftrace;
    return *(const uint8_t *)item < LINUX_STATES;
}

static bool restore_column(const struct ftrace *ftrace, struct tt_column *column,
                           struct tt_reader *reader,
                           bool (*is_valid)(const struct ftrace *ftrace, const void *item))
{
    uint64_t count = tt_section_count(reader, column->item_size);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(reader, column->item_size);
        void *item = bytes ? tt_column_next(column) : NULL;
        if (!item) {
            return false;
        }
        memcpy(item, bytes, column->item_size);
        if (is_valid && !is_valid(ftrace, item)) {
            return false;
        }
        tt_column_publish(column);
    }
    return !reader->failed;
}

/* Finds the types of events, of calls and of names of slices. */
static void ftrace_cache_restore_types(struct ftrace *ftrace)
{
    const struct tt_capture *capture = ftrace->capture;
    for (uint32_t i = 0; i < tt_types_count(capture); i++) {
        const struct tt_event_type *type = tt_types_at(capture, i);
        struct ftrace_event *event = type->code < FTRACE_IDS ? ftrace->events[type->code] : NULL;
        if (strcmp(type->class_name, "syscall") == 0 && type->code <= LINUX_CALLS) {
            atomic_store_explicit(&ftrace->call_types[type->code], i + 1, memory_order_release);
        } else if (strcmp(type->class_name, "unknown") == 0) {
            atomic_store_explicit(&ftrace->unknown_type, i, memory_order_release);
        } else if (event && strcmp(event->name, type->name) == 0 &&
                   strcmp(event->system, type->class_name) == 0) {
            atomic_store_explicit(&event->type, i, memory_order_release);
        } else {
            ftrace_restore_name(ftrace, i);
        }
    }
    for (uint32_t i = 0; i < tt_series_count(capture); i++) {
        ftrace_restore_series(ftrace, i);
    }
}

bool ftrace_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct ftrace *ftrace = capture->decoder;
    uint64_t interrupt = tt_read_u64(reader);
    if (interrupt > tt_thread_count(capture)) {
        return false;
    }
    atomic_store_explicit(&ftrace->interrupt, (uint32_t)interrupt, memory_order_release);
    for (unsigned meaning = 0; meaning < FTRACE_MEANINGS; meaning++) {
        uint64_t buffer = tt_read_u64(reader);
        if (buffer >= ftrace->buffer_count && buffer != FTRACE_NONE) {
            return false;
        }
        atomic_store_explicit(&ftrace->buffer_of[meaning], (uint16_t)buffer, memory_order_relaxed);
    }
    bool good = restore_column(ftrace, &ftrace->pages, reader, is_valid_page) &&
                restore_column(ftrace, &ftrace->losses, reader, NULL);
    for (size_t i = 0; good && i < ftrace->stream_count; i++) {
        good = restore_column(ftrace, &ftrace->streams[i].left, reader, is_valid_state) &&
               restore_column(ftrace, &ftrace->streams[i].notes, reader, is_valid_note);
    }
    good = good && reader->pos == reader->bytes.size;
    if (good) {
        ftrace_cache_restore_types(ftrace);
    }
    return good && linux_threads_restore(&ftrace->threads);
}
