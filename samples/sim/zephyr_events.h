// SPDX-License-Identifier: Apache-2.0
//
// zephyr_events: the events of a Zephyr trace in the Common Trace Format, and the layouts of its releases.
// Documents: section "Tracing" of Zephyr's documentation, and the metadata of recorded traces.
//
//     3.5 to 4.3:  u32 time, u8 id | fields | u32 time, u8 id | fields ...
//     cpu, link:   packet header, context | u64 time, u16 id | fields ... | padding
//
// The tables are constant.

#ifndef TTSIM_ZEPHYR_EVENTS_H
#define TTSIM_ZEPHYR_EVENTS_H

#include "ftrace_formats.h"

enum zephyr_event {
    ZEPHYR_SWITCHED_OUT,
    ZEPHYR_SWITCHED_IN,
    ZEPHYR_PRIORITY_SET,
    ZEPHYR_CREATE,
    ZEPHYR_ABORT,
    ZEPHYR_SUSPEND,
    ZEPHYR_RESUME,
    ZEPHYR_INFO,
    ZEPHYR_NAME_SET,
    ZEPHYR_ISR_ENTER,
    ZEPHYR_ISR_EXIT,
    ZEPHYR_IDLE,
    ZEPHYR_SEM_GIVE_ENTER,
    ZEPHYR_SEM_GIVE_EXIT,
    ZEPHYR_SEM_TAKE_ENTER,
    ZEPHYR_SEM_TAKE_BLOCKING,
    ZEPHYR_SEM_TAKE_EXIT,
    ZEPHYR_MUTEX_LOCK_ENTER,
    ZEPHYR_MUTEX_LOCK_BLOCKING,
    ZEPHYR_MUTEX_LOCK_EXIT,
    ZEPHYR_MUTEX_UNLOCK_ENTER,
    ZEPHYR_MUTEX_UNLOCK_EXIT,
    ZEPHYR_NAMED,
    ZEPHYR_SLEEP_ENTER,
    ZEPHYR_SLEEP_EXIT,
    ZEPHYR_PUT_ENTER,
    ZEPHYR_PUT_BLOCKING,
    ZEPHYR_PUT_EXIT,
    ZEPHYR_GET_ENTER,
    ZEPHYR_GET_BLOCKING,
    ZEPHYR_GET_EXIT,
    ZEPHYR_SIGNAL_ENTER,
    ZEPHYR_SIGNAL_EXIT,
    ZEPHYR_WAIT_ENTER,
    ZEPHYR_WAIT_EXIT,
    ZEPHYR_JOIN_ENTER,
    ZEPHYR_JOIN_BLOCKING,
    ZEPHYR_JOIN_EXIT,
    ZEPHYR_YIELD,
    ZEPHYR_SCHED_PRIORITY_SET,
    ZEPHYR_SCHED_READY,
    ZEPHYR_SCHED_PEND,
    ZEPHYR_EVENT_POST_ENTER,
    ZEPHYR_EVENT_POST_EXIT,
    ZEPHYR_EVENT_WAIT_ENTER,
    ZEPHYR_EVENT_WAIT_BLOCKING,
    ZEPHYR_EVENT_WAIT_EXIT,
    ZEPHYR_EXPIRY_ENTER,
    ZEPHYR_EXPIRY_EXIT,
    ZEPHYR_EVENTS,
    ZEPHYR_NONE = ZEPHYR_EVENTS
};

enum zephyr_packets { ZEPHYR_PLAIN, ZEPHYR_CPU, ZEPHYR_LINK, ZEPHYR_RAM };

struct zephyr_release {
    const char *name;
    uint8_t time_bytes, id_bytes;
    bool core_id; // a field of each event
    bool old;     // the events of Zephyr 2.6 to 3.x: no ready, pend, sleep and later objects
    uint8_t packets;
};

// Kinds of fields: T thread_id and name, j thread_id, p prio, b stack_base and stack_size, i id, o timeout,
// r ret, e event_id, v events, n name, a arg0, c arg1.
struct zephyr_layout {
    uint16_t id;
    bool old; // also in old releases
    const char *name, *fields;
};

// Returns NULL if there is none of this name.
const struct zephyr_release *zephyr_release_find(const char *name);
const struct zephyr_layout *zephyr_layout_of(enum zephyr_event event);
// Returns whether a release records an event.
bool zephyr_has(const struct zephyr_release *release, enum zephyr_event event);
void zephyr_metadata(const struct zephyr_release *release, struct ftrace_text *text);

#endif
