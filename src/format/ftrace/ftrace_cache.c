/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_cache: the decoder in the index cache: what the learning cursor found, as columns, each with its number
 * of items before it:
 *
 *      instance of each meaning | pages | losses | of each stream: states of its switches, notes
 *
 * Types, counters and threads are in the capture's tables, from which the decoder finds its own numbers again.
 */
#include <string.h>

#include "base/section_file.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/object_kind.h"

static void save_column(const struct tt_column *column, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(column);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        tt_section_put(w, tt_column_at(column, i), column->item_size);
    }
}

void ftrace_save(const struct tt_capture *c, struct tt_section_writer *w)
{
    const struct ftrace *d = c->decoder;
    for (unsigned meaning = 0; meaning < FTRACE_MEANINGS; meaning++) {
        tt_section_put_u64(w, atomic_load_explicit(&d->buffer_of[meaning], memory_order_relaxed));
    }
    save_column(&d->pages, w);
    save_column(&d->losses, w);
    for (size_t i = 0; i < d->stream_count; i++) {
        save_column(&d->streams[i].left, w);
        save_column(&d->streams[i].notes, w);
    }
}

/* ---- restore ------------------------------------------------------------------------------ */

static bool is_valid_page(const struct ftrace *d, const void *item)
{
    const struct ftrace_page *page = item;
    if (page->stream >= d->stream_count) {
        return false;
    }
    const struct ftrace_stream *stream = &d->streams[page->stream];
    if (stream->places) {
        return page->offset % stream->page_size == 0 && page->offset < d->spooled_size;
    }
    return page->offset >= stream->offset && page->offset - stream->offset < stream->size &&
           (page->offset - stream->offset) % stream->page_size == 0;
}

static bool is_valid_note(const struct ftrace *d, const void *item)
{
    const struct ftrace_note *note = item;
    (void)d;
    return note->kind < TT_OBJECT_KINDS || note->kind == FTRACE_UNBEGUN;
}

static bool is_valid_state(const struct ftrace *d, const void *item)
{
    (void)d;
    return *(const uint8_t *)item < LINUX_STATES;
}

static bool restore_column(const struct ftrace *d, struct tt_column *column, struct tt_reader *r,
                           bool (*is_valid)(const struct ftrace *d, const void *item))
{
    uint64_t count = tt_section_count(r, column->item_size);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(r, column->item_size);
        void *item = bytes ? tt_column_next(column) : NULL;
        if (!item) {
            return false;
        }
        memcpy(item, bytes, column->item_size);
        if (is_valid && !is_valid(d, item)) {
            return false;
        }
        tt_column_publish(column);
    }
    return !r->failed;
}

/* Finds the types of events, of calls and of names of slices. */
static void restore_types(struct ftrace *d)
{
    const struct tt_capture *c = d->capture;
    for (uint32_t i = 0; i < tt_types_count(c); i++) {
        const struct tt_event_type *type = tt_types_at(c, i);
        struct ftrace_event *event = type->code < FTRACE_IDS ? d->events[type->code] : NULL;
        if (strcmp(type->class_name, "syscall") == 0 && type->code <= LINUX_CALLS) {
            atomic_store_explicit(&d->call_types[type->code], i + 1, memory_order_release);
        } else if (strcmp(type->class_name, "unknown") == 0) {
            atomic_store_explicit(&d->unknown_type, i, memory_order_release);
        } else if (event && strcmp(event->name, type->name) == 0 &&
                   strcmp(event->system, type->class_name) == 0) {
            atomic_store_explicit(&event->type, i, memory_order_release);
        } else {
            ftrace_restore_name(d, i);
        }
    }
    for (uint32_t i = 0; i < tt_series_count(c); i++) {
        ftrace_restore_series(d, i);
    }
}

static bool restore_threads(struct ftrace *d)
{
    const struct tt_capture *c = d->capture;
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        bool idle = tt_process_at(c, thread->process)->pid == 0;
        if (idle && thread->tid < FTRACE_CPUS) {
            atomic_store_explicit(&d->idle[thread->tid], i + 1, memory_order_release);
        } else if (idle && thread->tid == FTRACE_CPUS) {
            atomic_store_explicit(&d->interrupt, i + 1, memory_order_release);
        } else {
            struct ftrace_task *task =
                thread->tid < FTRACE_PIDS ? ftrace_task_add(d, (int64_t)thread->tid) : NULL;
            if (!task) {
                return false;
            }
            atomic_store_explicit(&task->lane, i + 1, memory_order_release);
        }
    }
    return true;
}

bool ftrace_restore(struct tt_capture *c, struct tt_reader *r)
{
    struct ftrace *d = c->decoder;
    for (unsigned meaning = 0; meaning < FTRACE_MEANINGS; meaning++) {
        uint64_t buffer = tt_read_u64(r);
        if (buffer >= d->buffer_count && buffer != FTRACE_NONE) {
            return false;
        }
        atomic_store_explicit(&d->buffer_of[meaning], (uint16_t)buffer, memory_order_relaxed);
    }
    bool good =
        restore_column(d, &d->pages, r, is_valid_page) && restore_column(d, &d->losses, r, NULL);
    for (size_t i = 0; good && i < d->stream_count; i++) {
        good = restore_column(d, &d->streams[i].left, r, is_valid_state) &&
               restore_column(d, &d->streams[i].notes, r, is_valid_note);
    }
    good = good && r->pos == r->bytes.size;
    if (good) {
        restore_types(d);
    }
    return good && restore_threads(d);
}
