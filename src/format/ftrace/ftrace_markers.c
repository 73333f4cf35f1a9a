/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_markers: names of slices and counters, and the markers of programs (Android's atrace):
 *
 *      B|PID|NAME   E|PID        a slice of the thread
 *      S|PID|NAME|COOKIE   F|... an asynchronous one
 *      C|PID|NAME|VALUE          a counter
 *
 * Names are event types that no event has. They are found through a table that only the learning cursor adds to;
 * if it is full, the type of the event is the name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define PROBES    32u
#define NAME_MOST 200u

/* Returns the type of a class with a name, or with an address as its code; `otherwise` if the table is full. */
static uint32_t ftrace_markers_find_type(struct tt_cursor *cursor, const char *class_name,
                                         uint64_t address, const char *name, size_t length,
                                         uint32_t otherwise)
{
    struct ftrace *d = cursor->d;
    struct tt_capture *capture = d->capture;
    uint64_t hash = name ? tt_hash_of(name, length) : tt_hash_of_pair(address, 0);
    for (unsigned i = 0; i < PROBES; i++) {
        _Atomic uint32_t *place = &d->named[(hash + i) % FTRACE_NAMED];
        uint32_t type = atomic_load_explicit(place, memory_order_acquire);
        if (type == 0 && !cursor->learn) {
            return otherwise;
        }
        if (type == 0) {
            char text[NAME_MOST];
            struct tt_text made = tt_text_of(text, sizeof text);
            uint64_t distance;
            const char *symbol =
                name ? NULL : ftrace_symbol(d, address, capture->bytes.size, &distance);
            if (name) {
                tt_text_bytes(&made, name, length);
            } else if (symbol) {
                tt_text_str(&made, symbol);
            } else {
                tt_text_str(&made, "0x");
                tt_text_hex(&made, address, 1);
            }
            size_t stored;
            const char *copy =
                tt_capture_text(capture, tt_capture_intern(capture, text, made.used), &stored);
            type = tt_types_add(capture, class_name, copy, address, TT_KIND_EVENT) + 1;
            atomic_store_explicit(place, type, memory_order_release);
            return type - 1;
        }
        const struct tt_event_type *known = tt_types_at(capture, type - 1);
        bool same_name =
            !name || (strlen(known->name) == length && memcmp(known->name, name, length) == 0);
        if (strcmp(known->class_name, class_name) == 0 && known->code == address && same_name) {
            return type - 1;
        }
    }
    return otherwise;
}

static const char class_function[] = "function";
static const char class_marker[] = "marker";

uint32_t ftrace_function_type(struct tt_cursor *cursor, uint64_t address, uint32_t otherwise)
{
    return address ? ftrace_markers_find_type(cursor, class_function, address, NULL, 0, otherwise)
                   : otherwise;
}

/* Puts a number into the first free place of its hash. */
static void ftrace_markers_put_number(_Atomic uint32_t *table, uint32_t size, uint64_t hash,
                                      uint32_t number)
{
    for (unsigned i = 0; i < PROBES; i++) {
        _Atomic uint32_t *place = &table[(hash + i) % size];
        if (atomic_load_explicit(place, memory_order_relaxed) == 0) {
            atomic_store_explicit(place, number + 1, memory_order_release);
            return;
        }
    }
}

void ftrace_restore_name(struct ftrace *ftrace, uint32_t type)
{
    const struct tt_event_type *known = tt_types_at(ftrace->capture, type);
    uint64_t hash = known->code ? tt_hash_of_pair(known->code, 0)
                                : tt_hash_of(known->name, strlen(known->name));
    ftrace_markers_put_number(ftrace->named, FTRACE_NAMED, hash, type);
}

void ftrace_restore_series(struct ftrace *ftrace, uint32_t series)
{
    size_t length;
    const char *name =
        tt_capture_text(ftrace->capture, tt_series_at(ftrace->capture, series)->name, &length);
    ftrace_markers_put_number(ftrace->series, FTRACE_SERIES, tt_hash_of(name, length), series);
}

/* Returns a series by name, which a learning cursor adds; UINT32_MAX if there is none. */
static uint32_t ftrace_markers_series_of(struct tt_cursor *cursor, const char *name, size_t length)
{
    struct ftrace *ftrace = cursor->d;
    struct tt_capture *capture = ftrace->capture;
    uint64_t hash = tt_hash_of(name, length);
    for (unsigned i = 0; i < PROBES; i++) {
        _Atomic uint32_t *place = &ftrace->series[(hash + i) % FTRACE_SERIES];
        uint32_t series = atomic_load_explicit(place, memory_order_acquire);
        if (series == 0) {
            if (!cursor->learn) {
                return UINT32_MAX;
            }
            series =
                tt_series_add(capture, tt_capture_intern(capture, name, length), UINT32_MAX) + 1;
            atomic_store_explicit(place, series, memory_order_release);
            return series - 1;
        }
        size_t known_length;
        const char *known =
            tt_capture_text(capture, tt_series_at(capture, series - 1)->name, &known_length);
        if (known_length == length && memcmp(known, name, length) == 0) {
            return series - 1;
        }
    }
    return UINT32_MAX;
}

void ftrace_add_counter(struct tt_cursor *cursor, struct tt_batch *batch, const char *name,
                        size_t length, double value)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint32_t series = ftrace_markers_series_of(cursor, name, length);
    struct tt_action *action =
        series != UINT32_MAX ? tt_batch_act(batch, event, TT_ACTION_COUNTER) : NULL;
    if (action) {
        action->other = series;
        action->thread = event->thread;
        action->cpu = event->cpu;
        memcpy(&action->value, &value, sizeof value);
    }
}

/* ---- markers ------------------------------------------------------------------------------ */

/* The parts of a marker: "C|123|name|5". */
struct marker {
    char letter;
    uint64_t pid;
    const char *name;
    size_t length;
    int64_t value; /* or cookie */
};

static bool read_marker(const char *text, size_t size, struct marker *marker)
{
    memset(marker, 0, sizeof *marker);
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\0')) {
        size--;
    }
    if (size == 0 || !strchr("BECSF", text[0]) || (size > 1 && text[1] != '|')) {
        return false;
    }
    marker->letter = text[0];
    size_t at = 2;
    while (at < size && text[at] >= '0' && text[at] <= '9' && marker->pid < LINUX_TIDS) {
        marker->pid = marker->pid * 10 + (uint64_t)(text[at++] - '0');
    }
    at++;
    marker->name = text + (at < size ? at : size);
    const char *bar = at < size ? memchr(marker->name, '|', size - at) : NULL;
    bool has_value = marker->letter == 'C' || marker->letter == 'S' || marker->letter == 'F';
    marker->length = at < size ? size - at : 0;
    if (has_value && !bar) {
        return false;
    }
    if (has_value) {
        char number[24] = {0};
        size_t digits = size - (size_t)(bar + 1 - text);
        memcpy(number, bar + 1, digits < sizeof number - 1 ? digits : sizeof number - 1);
        marker->value = strtoll(number, NULL, 10);
        marker->length = (size_t)(bar - marker->name);
    }
    marker->length = marker->length < NAME_MOST - 1 ? marker->length : NAME_MOST - 1;
    return marker->letter == 'E' || marker->length > 0;
}

/* Moves a thread to the process that a marker of it names. */
static void learn_process(struct tt_cursor *cursor, const struct ftrace_record *record,
                          uint32_t lane, uint64_t pid)
{
    struct ftrace *ftrace = cursor->d;
    int32_t tid = ftrace_pid_of(ftrace, record);
    struct linux_task *task = linux_task_of(&ftrace->threads, tid);
    if (!task || task->process != 0 || pid == 0 || lane == TT_NO_THREAD || pid >= LINUX_TIDS) {
        return;
    }
    task->process = (uint32_t)pid;
    if (pid != (uint64_t)tid) {
        uint32_t process = tt_registry_process(ftrace->capture, pid, 0);
        ftrace->no_memory |=
            process == UINT32_MAX || !tt_registry_thread_move(ftrace->capture, lane, process);
    }
}

void ftrace_add_marker(struct tt_cursor *cursor, const struct ftrace_event *of,
                       const struct ftrace_record *record, struct tt_batch *batch)
{
    struct tt_event *event = &batch->events[batch->count - 1];
    struct marker m;
    uint32_t at = of->at[3].offset;
    if (at >= record->size ||
        !read_marker((const char *)record->data + at, record->size - at, &m)) {
        return;
    }
    static const uint8_t kinds[] = {['B'] = TT_KIND_BEGIN,
                                    ['E'] = TT_KIND_END,
                                    ['C'] = TT_KIND_COUNTER,
                                    ['S'] = TT_KIND_ASYNC_BEGIN,
                                    ['F'] = TT_KIND_ASYNC_END};
    static const uint8_t actions[] = {['B'] = TT_ACTION_SLICE_BEGIN,
                                      ['E'] = TT_ACTION_SLICE_END,
                                      ['S'] = TT_ACTION_ASYNC_BEGIN,
                                      ['F'] = TT_ACTION_ASYNC_END};
    event->kind = kinds[(uint8_t)m.letter];
    if (cursor->learn) {
        learn_process(cursor, record, event->thread, m.pid);
    }
    if (m.letter == 'C') {
        ftrace_add_counter(cursor, batch, m.name, m.length, (double)m.value);
        return;
    }
    struct tt_action *action = tt_batch_act(batch, event, actions[(uint8_t)m.letter]);
    uint32_t type =
        m.length ? ftrace_markers_find_type(cursor, class_marker, 0, m.name, m.length, event->type)
                 : event->type;
    if (action) {
        action->thread = event->thread;
        action->cpu = event->cpu;
        action->other = type;
        action->value =
            m.letter == 'S' || m.letter == 'F' ? (uint64_t)m.value : FTRACE_SLICE_MARKER;
    }
}
