/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_lanes: the processes and threads that events name, through small caches in front of the
 * registry.
 */
#include "base/bits.h"
#include "format/kev/kev_decode.h"

/*
 * A small cache avoids the registry's hash for the few threads that are active at a time. Entries
 * form pairs, the one used last first.
 */
static struct kev_lane *lane_pair(struct tt_cursor *cursor, uint32_t pid, uint32_t tid)
{
    uint32_t hash = pid * 0x9e3779b1u + tid * 0x85ebca6bu;
    return &cursor->lanes[(hash >> 20) & (KEV_LANE_CACHE - 2)];
}

static bool is_lane(const struct tt_cursor *cursor, const struct kev_lane *entry, uint32_t pid,
                    uint32_t tid)
{
    return entry->pid == pid && entry->tid == tid && entry->generation == cursor->generation;
}

/* Returns the cached entry after moving it to the front of its pair; NULL if there is none. */
static const struct kev_lane *cached_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid)
{
    struct kev_lane *pair = lane_pair(cursor, pid, tid);
    if (is_lane(cursor, &pair[0], pid, tid)) {
        return &pair[0];
    }
    if (!is_lane(cursor, &pair[1], pid, tid)) {
        return NULL;
    }
    struct kev_lane found = pair[1];
    pair[1] = pair[0];
    pair[0] = found;
    return &pair[0];
}

static uint32_t cache_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint32_t number)
{
    struct kev_lane *pair = lane_pair(cursor, pid, tid);
    struct kev_lane entry = {pid, tid, number, cursor->generation};
    pair[1] = pair[0];
    pair[0] = entry;
    kev_pid_note(cursor, pid, (uint32_t)(pair - cursor->lanes));
    return number;
}

/* Removes the pid from a group; returns whether the group has other pids of the same bucket. */
static bool forget_in_group(struct tt_cursor *cursor, uint32_t pid, uint32_t group)
{
    bool others = false;
    for (uint32_t number = group * KEV_GROUP; number < (group + 1) * KEV_GROUP; number++) {
        const uint32_t cached =
            number < KEV_RECENT_FIRST ? cursor->lanes[number].pid
            : number < KEV_PROCESS_FIRST
                ? (uint32_t)cursor->recent[number - KEV_RECENT_FIRST].key
                : (uint32_t)cursor->recent_processes[number - KEV_PROCESS_FIRST].key;
        if (cached == pid) {
            if (number < KEV_RECENT_FIRST) {
                cursor->lanes[number].generation = 0; /* never valid */
            } else if (number < KEV_PROCESS_FIRST) {
                kev_recent_clear(cursor, number - KEV_RECENT_FIRST);
            } else {
                cursor->recent_processes[number - KEV_PROCESS_FIRST].key = 0;
            }
        } else {
            others = others || kev_pid_bucket(cached) == kev_pid_bucket(pid);
        }
    }
    return others;
}

/* Removes the pid from the caches, as it may now be another process; usually it is not there. */
KEV_COLD void kev_forget_pid(struct tt_cursor *cursor, uint32_t pid)
{
    uint64_t *groups = &cursor->pids[kev_pid_bucket(pid)];
    for (uint64_t left = *groups; left != 0; left &= left - 1) {
        const uint32_t group = tt_lowest_bit(left);
        if (!forget_in_group(cursor, pid, group)) {
            *groups &= ~(UINT64_C(1) << group);
        }
    }
}

/*
 * Begins a new process for a pid that occurs after a loss although its process ended before: the
 * new one began in the lost records.
 */
void kev_begin_missed_process(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    struct tt_capture *capture = cursor->capture;
    uint64_t lost = cursor->s.lost_when;
    uint32_t process = lost == 0 || capture->lanes_by_time
                           ? UINT32_MAX
                           : tt_registry_find_process(capture, pid, when);
    if (process != UINT32_MAX && tt_process_at(capture, process)->end_when < lost) {
        tt_registry_process_begin(capture, pid, when);
    }
}

/*
 * If file order is not time order, a later process with the same pid may have been added without the
 * lane: older processes are searched as well.
 */
uint32_t kev_known_lane(const struct tt_capture *capture, uint32_t pid, uint32_t tid, uint64_t when)
{
    uint32_t lane = tt_registry_find_thread(capture, pid, tid, when);
    uint32_t process = lane == UINT32_MAX && capture->lanes_by_time
                           ? tt_registry_find_process(capture, pid, when)
                           : UINT32_MAX;
    while (lane == UINT32_MAX && process != UINT32_MAX) {
        lane =
            tt_registry_find_thread(capture, pid, tid, tt_process_at(capture, process)->first_when);
        process = tt_registry_older_process(capture, process);
    }
    return lane;
}

/*
 * Returns whether a thread is neither in the dump nor created after it, with no records lost; of a dump without threads,
 * its process. Without a dump threads appear when they are first named; buffers of 8.0 are not in order of time.
 */
static bool is_unexpected(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    const struct tt_capture *capture = cursor->capture;
    return cursor->s.dumped && !cursor->s.lost && !capture->lanes_by_time && !cursor->s.in_dump &&
           !cursor->d->source &&
           (cursor->s.listed ? tt_registry_find_thread(capture, pid, tid, when)
                             : tt_registry_find_process(capture, pid, when)) == UINT32_MAX;
}

/* Returns whether numbers are 0 or larger than those of any thread. */
static bool is_impossible(uint32_t pid, uint32_t tid)
{
    return pid - 1 >= INT32_MAX || tid - 1 >= KEV_TIDS;
}

/* Returns whether an event names a thread that cannot exist, or an unexpected one that is not named again. */
static bool is_garbage(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    return is_impossible(pid, tid) || (is_unexpected(cursor, pid, tid, when) &&
                                       kev_naming_of(cursor, pid, tid, when) == KEV_NAMED_ONCE);
}

/* Returns whether a growing file has too few slots to decide that. */
static bool is_undecided(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t pos)
{
    return cursor->learn && !cursor->final && !is_impossible(pid, tid) &&
           is_unexpected(cursor, pid, tid, pos) &&
           kev_naming_of(cursor, pid, tid, pos) == KEV_NAMED_PERHAPS;
}

void kev_expect_thread(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    if (is_impossible(pid, tid)) {
        return;
    }
    kev_begin_missed_process(cursor, pid, when);
    cursor->out_of_memory =
        tt_registry_thread(cursor->capture, pid, tid, when) == UINT32_MAX || cursor->out_of_memory;
}

/* The tasks whose first two words are pid and tid, and which do not create the thread. */
#define NAMING_TASKS                                                                               \
    (UINT32_C(1) << KEV_STATE | UINT32_C(1) << KEV_THREAD_DESTROY |                                \
     UINT32_C(1) << KEV_THREAD_NAME | UINT32_C(1) << KEV_OF_THREAD)

KEV_COLD bool kev_lacks_names(struct tt_cursor *cursor, const struct kev_slot *slot)
{
    if (kev_structure(slot->header) >= KEV_MIDDLE) {
        return false; /* not an event: its code may occur nowhere else */
    }
    uint32_t info = atomic_load_explicit(&cursor->d->codes[slot->code], memory_order_acquire);
    info = info != 0 ? info : kev_code_info(cursor, slot->code);
    return (NAMING_TASKS >> kev_info_task(info) & 1) != 0 &&
           is_undecided(cursor, kev_slot_word(cursor, slot, 0), kev_slot_word(cursor, slot, 1),
                        slot->pos);
}

static KEV_COLD uint32_t kev_lanes_find_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid,
                                             uint64_t when)
{
    struct tt_capture *capture = cursor->capture;
    if (!cursor->learn) {
        return kev_known_lane(capture, pid, tid, when);
    }
    if (is_garbage(cursor, pid, tid, when)) {
        return TT_NO_THREAD;
    }
    kev_begin_missed_process(cursor, pid, when);
    uint32_t lane = tt_registry_thread(capture, pid, tid, when);
    if (lane == UINT32_MAX) {
        cursor->out_of_memory = true;
        return TT_NO_THREAD;
    }
    if (pid == 1 && tid >= 1 && tid <= capture->cpu_count) {
        tt_registry_set_idle(capture, lane, true); /* one per CPU */
    }
    return lane;
}

uint32_t kev_lane_of(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    if (tid == KEV_WHOLE_PROCESS) {
        return kev_lanes_find_lane(cursor, pid, tid, when); /* no thread has this number */
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, tid);
    if (cached) {
        return cached->lane;
    }
    const uint32_t lane = kev_lanes_find_lane(cursor, pid, tid, when);
    return lane == TT_NO_THREAD ? lane
                                : cache_lane(cursor, pid, tid, lane); /* it may exist later */
}

KEV_COLD struct kev_named kev_find_named(struct tt_cursor *cursor, uint64_t key, uint32_t info,
                                         uint64_t pos, uint64_t ticks)
{
    const uint32_t pid = (uint32_t)key, tid = (uint32_t)(key >> 32);
    const bool is_thread = (int32_t)pid > 0 && (int32_t)tid > 0;
    if (!is_thread && kev_info_task(info) == KEV_OF_THREAD) {
        return (struct kev_named){TT_NO_THREAD, 0};
    }
    if (KEV_RARELY(!cursor->final) && is_undecided(cursor, pid, tid, pos)) {
        return (struct kev_named){KEV_UNDECIDED, 0};
    }
    uint32_t lane = kev_lane_of(cursor, pid, tid, cursor->capture->lanes_by_time ? ticks : pos);
    if (is_thread && lane != TT_NO_THREAD) {
        struct kev_recent *recent = kev_recent_at(cursor, key);
        *recent = (struct kev_recent){key, lane};
        kev_pid_note(cursor, pid, KEV_RECENT_FIRST + (uint32_t)(recent - cursor->recent));
    }
    return (struct kev_named){lane, UINT32_MAX};
}

/* Returns the process index; TT_NO_THREAD: unknown, or through the network manager. */
uint32_t kev_process_of(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    if (pid == 0 || pid == UINT32_MAX) {
        return TT_NO_THREAD;
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, KEV_WHOLE_PROCESS);
    if (cached) {
        return cached->lane;
    }
    if (cursor->learn) {
        kev_begin_missed_process(cursor, pid, when);
    }
    uint32_t process = cursor->learn ? tt_registry_process(cursor->capture, pid, when)
                                     : tt_registry_find_process(cursor->capture, pid, when);
    return cache_lane(cursor, pid, KEV_WHOLE_PROCESS, process);
}

/* Sets the process or thread of a message, and notes it for the next time. */
KEV_COLD void kev_look_up(struct tt_cursor *cursor, bool is_reply, const struct tt_event *event,
                          struct kev_recent *recent, uint64_t key, struct tt_action *action)
{
    const uint64_t when = cursor->capture->lanes_by_time ? event->ticks : event->pos;
    const uint32_t pid = (uint32_t)key, tid = (uint32_t)(key >> 32);
    action->other =
        is_reply ? kev_lane_of(cursor, pid, tid, when) : kev_process_of(cursor, pid, when);
    if (is_reply ? (int32_t)pid > 0 && (int32_t)tid > 0 : pid != 0 && pid != UINT32_MAX) {
        *recent = (struct kev_recent){key, action->other};
        kev_pid_note(cursor, pid,
                     is_reply ? KEV_RECENT_FIRST + (uint32_t)(recent - cursor->recent)
                              : KEV_PROCESS_FIRST + (uint32_t)(recent - cursor->recent_processes));
    }
}
