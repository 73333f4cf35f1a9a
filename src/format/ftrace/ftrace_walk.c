/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_walk: what a thread waits for when a switch takes it off its CPU: the system call that it is in, and the
 * lock or futex.
 *
 * That depends on earlier events of the thread, which may be on other CPUs, so a walk goes ahead of the learning
 * cursor and reads the events that matter of all streams in order of time:
 *
 *      CPU 0   enter futex ......... switch out (S)           a wait for the futex
 *      CPU 1             raise the holder ....
 *      tape            | page that is decoded |
 *      walk    ---------------------------------> at least to the end of that page
 *
 * It stores for each stream a byte per switch (`left`), and notes at positions in the stream: what is waited for,
 * and ends of calls that began before the capture. Owned by the learning cursor's thread.
 */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "format/ftrace/ftrace_internal.h"
#include "tracetui/object_kind.h"

/* ---- notes -------------------------------------------------------------------------------- */

static void ftrace_walk_add_note(struct ftrace *ftrace, struct ftrace_stream *stream, unsigned kind,
                                 const struct ftrace_wait *wait)
{
    struct ftrace_note *note = tt_column_next(&stream->notes);
    if (!note) {
        ftrace->no_memory = true;
        return;
    }
    *note = (struct ftrace_note){stream->walked + stream->walk.at, wait ? wait->object : 0,
                                 wait ? wait->owner : 0, kind};
    tt_column_publish(&stream->notes);
}

/* ---- what events change ------------------------------------------------------------------- */

/* Returns the facts about a thread that the walk has found; NULL for idle threads, or if out of memory. */
static struct ftrace_wait *wait_of(struct ftrace *ftrace, int32_t pid)
{
    if (pid <= 0 || pid >= LINUX_TIDS) {
        return NULL;
    }
    uint32_t tid = (uint32_t)pid;
    struct ftrace_wait **group = &ftrace->waits[tid / LINUX_TASK_GROUP];
    if (!*group) {
        *group = calloc(LINUX_TASK_GROUP, sizeof **group);
        ftrace->no_memory |= !*group;
    }
    return *group ? &(*group)[tid % LINUX_TASK_GROUP] : NULL;
}

/* Returns what is known of a thread, without what a loss has made unknown. */
static struct ftrace_wait *wait_now(struct ftrace *ftrace, int32_t pid)
{
    struct ftrace_wait *wait = wait_of(ftrace, pid);
    if (wait && wait->losses != ftrace->walk_losses) {
        wait->losses = ftrace->walk_losses;
        wait->object = 0;
        wait->owner = 0;
        wait->call = 0;
        wait->contended = 0;
    }
    return wait;
}

/* Returns the state in which a switch leaves a thread, as far as earlier events show it. */
static unsigned left_state(const struct ftrace *ftrace, const struct ftrace_wait *wait,
                           uint64_t prev_state)
{
    unsigned state = linux_leave_state(&ftrace->leave, prev_state);
    if (!wait || (state != LINUX_SLEEPING && state != LINUX_BLOCKED)) {
        return state;
    }
    if (wait->contended > 0) {
        return LINUX_LOCK;
    }
    unsigned refined = wait->call ? linux_call_state(wait->call - 1u) : 0;
    return refined != 0 && state == LINUX_SLEEPING ? refined : state;
}

static void walk_switch(struct ftrace *ftrace, struct ftrace_stream *stream,
                        const struct ftrace_event *of, const struct ftrace_record *record)
{
    struct ftrace_wait *wait = wait_now(ftrace, (int32_t)ftrace_get(record, of->at[0]));
    unsigned state = left_state(ftrace, wait, ftrace_get(record, of->at[2]));
    uint8_t *left = tt_column_next(&stream->left);
    if (!left) {
        ftrace->no_memory = true;
        return;
    }
    *left = (uint8_t)state;
    tt_column_publish(&stream->left);
    if (wait && wait->object != 0 && linux_states[state].object != TT_OBJECT_NONE) {
        ftrace_walk_add_note(ftrace, stream, wait->object_kind, wait);
    }
    stream->walk_pid = (int32_t)ftrace_get(record, of->at[3]);
}

/* Notes what the event at the walk changes: the call of its thread, the lock that it waits for, the owner of that. */
static void walk_event(struct ftrace *ftrace, struct ftrace_stream *stream)
{
    const struct ftrace_record record = stream->walk.record;
    const struct ftrace_event *of = ftrace->events[ftrace_id_of(ftrace, &record)];
    struct ftrace_wait *wait =
        of->meaning == FTRACE_SWITCH ? NULL : wait_now(ftrace, ftrace_pid_of(ftrace, &record));
    if (of->meaning == FTRACE_SWITCH) {
        walk_switch(ftrace, stream, of, &record);
    } else if (!wait) {
        return; /* the idle thread */
    } else if (of->meaning == FTRACE_CONTENTION_END) {
        wait->object = 0;
        wait->owner = 0;
        wait->contended = (uint8_t)(wait->contended - (wait->contended > 0));
    } else if (of->meaning == FTRACE_CONTENTION_BEGIN) {
        /* A rwsem of PREEMPT_RT contends for its rtmutex in turn. */
        wait->contended = (uint8_t)(wait->contended + (wait->contended < UINT8_MAX));
        wait->object = ftrace_get(&record, of->at[0]);
        wait->owner = 0;
        wait->object_kind = (uint8_t)linux_lock_kind(ftrace_get(&record, of->at[1]));
    } else if (of->meaning == FTRACE_SETPRIO) {
        /* A thread that raises another one before it sleeps waits for what that one holds. */
        int32_t owner = (int32_t)ftrace_get(&record, of->at[0]);
        if ((int64_t)ftrace_get(&record, of->at[1]) < (int64_t)ftrace_get(&record, of->at[2]) &&
            wait->object != 0 && wait->owner == 0 && owner > 0) {
            wait->owner = (uint32_t)owner;
            ftrace_walk_add_note(ftrace, stream, wait->object_kind, wait);
        }
    } else {
        bool enters = of->meaning == FTRACE_SYS_ENTER || of->meaning == FTRACE_CALL_ENTER;
        unsigned call = ftrace_call_of(ftrace, of, &record);
        if (!enters && wait->call == 0) {
            ftrace_walk_add_note(ftrace, stream, FTRACE_UNBEGUN, NULL);
        }
        wait->call = enters ? (uint16_t)(call + 1) : 0;
        if (wait->contended == 0) {
            bool futex = enters && linux_call_state(call) == LINUX_FUTEX;
            wait->object = futex ? ftrace_get(&record, ftrace_argument(ftrace, of)) : 0;
            wait->object_kind = TT_OBJECT_MUTEX;
            wait->owner = 0;
        }
    }
}

/* A loss makes unknown what all threads do, except those that ran on other CPUs before and since. */
static void walk_loss(struct ftrace *ftrace, const struct ftrace_stream *lost)
{
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        const struct ftrace_stream *stream = &ftrace->streams[i];
        struct ftrace_wait *wait = stream != lost ? wait_of(ftrace, stream->walk_pid) : NULL;
        if (wait && wait->losses == ftrace->walk_losses) {
            wait->losses = ftrace->walk_losses + 1;
        }
    }
    ftrace->walk_losses++;
}

/* ---- the walk ----------------------------------------------------------------------------- */

#define MATTERS                                                                                    \
    (UINT64_C(1) << FTRACE_SWITCH | UINT64_C(1) << FTRACE_SYS_ENTER |                              \
     UINT64_C(1) << FTRACE_SYS_EXIT | UINT64_C(1) << FTRACE_CALL_ENTER |                           \
     UINT64_C(1) << FTRACE_CALL_EXIT | UINT64_C(1) << FTRACE_CONTENTION_BEGIN |                    \
     UINT64_C(1) << FTRACE_CONTENTION_END | UINT64_C(1) << FTRACE_SETPRIO)

/* Returns whether the walk stops at an event; calls of `syscalls` only without those of raw_syscalls. */
static bool matters(const struct ftrace *ftrace, const struct ftrace_stream *stream,
                    const struct ftrace_record *record)
{
    const struct ftrace_event *of = ftrace->events[ftrace_id_of(ftrace, record)];
    bool again = of && (of->meaning == FTRACE_CALL_ENTER || of->meaning == FTRACE_CALL_EXIT) &&
                 ftrace_has(ftrace, FTRACE_SYS_ENTER);
    return of && (MATTERS >> of->meaning & 1) != 0 && ftrace_acts(ftrace, of, stream) && !again;
}

/* Moves to the next event that matters. Returns false at the end of the stream. */
static bool walk_next(struct ftrace *ftrace, struct ftrace_stream *stream)
{
    struct ftrace_records *walk = &stream->walk;
    for (;;) {
        while (ftrace_next_record(walk, ftrace->big)) {
            if (walk->at < walk->end - walk->unsure && matters(ftrace, stream, &walk->record)) {
                return true;
            }
        }
        const uint64_t before = stream->walked, cut = walk->cut,
                       place = ftrace_next_place(ftrace, stream, before);
        if (!ftrace_begin_records(ftrace, stream, before, place, walk)) {
            walk->page = NULL;
            return false;
        }
        stream->walked = place;
        stream->walk_lost |=
            before != FTRACE_NO_PLACE && ((walk->flags & FTRACE_COMMIT_LOST) != 0 || cut > 0 ||
                                          (!stream->places && place != before + stream->page_size));
    }
}

bool ftrace_walk_start(struct ftrace *ftrace)
{
    ftrace->walks = calloc(ftrace->stream_count ? ftrace->stream_count : 1, sizeof *ftrace->walks);
    for (size_t i = 0; ftrace->walks && ftrace->has_waits && i < ftrace->stream_count; i++) {
        if (walk_next(ftrace, &ftrace->streams[i])) {
            ftrace->walks[ftrace->walk_count++] =
                (struct ftrace_next){ftrace->streams[i].walk.time, (uint32_t)i};
        }
    }
    if (ftrace->walks) {
        tt_heap_make(ftrace->walks, ftrace->walk_count, sizeof *ftrace->walks, ftrace_next_before);
    }
    return ftrace->walks != NULL;
}

void ftrace_walk_more(struct ftrace *ftrace, struct ftrace_stream *stream)
{
    if (ftrace->has_waits && !stream->walk.page && walk_next(ftrace, stream)) {
        ftrace->walks[ftrace->walk_count++] =
            (struct ftrace_next){stream->walk.time, (uint32_t)(stream - ftrace->streams)};
        tt_heap_make(ftrace->walks, ftrace->walk_count, sizeof *ftrace->walks, ftrace_next_before);
    }
}

void ftrace_walk_past(struct ftrace *ftrace, const struct ftrace_stream *until, uint64_t page)
{
    while (until->walk.page && until->walked <= page && ftrace->walk_count > 0 &&
           !ftrace->no_memory) {
        struct ftrace_stream *stream = &ftrace->streams[ftrace->walks[0].stream];
        if (stream->walk_lost) {
            stream->walk_lost = false;
            walk_loss(ftrace, stream);
        }
        walk_event(ftrace, stream);
        if (walk_next(ftrace, stream)) {
            ftrace->walks[0].time = stream->walk.time;
            if (stream->walk_lost) {
                walk_loss(
                    ftrace,
                    stream); /* it begins after the last event of the page before, and ends before this one */
            }
        } else {
            ftrace->walks[0] = ftrace->walks[--ftrace->walk_count];
        }
        tt_heap_down(ftrace->walks, ftrace->walk_count, sizeof *ftrace->walks, 0,
                     ftrace_next_before);
    }
}
