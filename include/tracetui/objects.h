/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects: the locks, semaphores, queues, event flags and pools of a capture, and the waits for each.
 *
 * An object is identified by its kind, its number in the format (an address), its process where
 * numbers are per process (QNX), and its system. A wait is one interval of a thread in a blocked state that belongs to
 * a kind of object. docs/messages.md has the rules.
 *
 *      client   ##lock|.....MUTEX.....|ready|##run
 *      holder   ####################unlock##
 *                     |---- wait ----|
 *                     |---- hold ----|        of which the capture shows the part with waiters
 *
 * The index stores the begins of waits and the releases in a track per object, 6 to 10 bytes each; the
 * end of a wait is that of the thread's interval. Waits whose object the capture does not name belong
 * to an object without a number (TT_NO_OBJECT_ID) of their kind and process.
 *
 * Times are ticks. Threads: as in tracetui/timeline.h.
 */
#ifndef TRACETUI_OBJECTS_H
#define TRACETUI_OBJECTS_H

#include "tracetui/object_kind.h"
#include "tracetui/timeline.h"

/* Returns the name of a kind: "mutex". */
const char *tt_object_kind_name(unsigned kind);
/* Returns whether one thread at a time holds an object of the kind. */
bool tt_object_kind_is_held(unsigned kind);

#define TT_NO_OBJECT    UINT32_MAX
#define TT_NO_OBJECT_ID UINT64_MAX

struct tt_object {
    uint64_t id;      /* address or other number; TT_NO_OBJECT_ID: the capture does not name it */
    uint32_t process; /* or TT_NO_THREAD where numbers are those of the whole system */
    uint8_t kind;     /* enum tt_object_kind */
    uint8_t system;   /* of a merged capture (struct tt_process, space), else 0 */
};

/* Returns the number of objects; they are numbered from 0 in the order in which they appear. */
uint32_t tt_object_count(const struct tt_timelines *timelines);
struct tt_object tt_object_at(const struct tt_timelines *timelines, uint32_t object);
/*
 * Returns the name of an object as the capture has it, not terminated, not escaped; NULL: none. The
 * name is borrowed from the capture.
 */
const char *tt_object_name(const struct tt_capture *capture, const struct tt_object *object,
                           size_t *length);

/* A wait of a thread for an object, or a release of it. */
struct tt_object_step {
    uint64_t time;
    uint32_t thread;
    bool is_release; /* the thread releases the object; otherwise it begins to wait for it */
};

/* Reads the steps of an object in order of time. Plain data of its owner; valid as the timelines. */
struct tt_object_reader {
    const struct tt_timelines *t;
    uint32_t object;
    uint32_t chunk, slot; /* next step */
    bool more;            /* the step exists */
};

/* Starts with the first step at or after `from`. O(log n). */
void tt_object_read_from(struct tt_object_reader *reader, const struct tt_timelines *timelines,
                         uint32_t object, uint64_t from);
/* Reads the next step; false if there is none. O(1). */
bool tt_object_read(struct tt_object_reader *reader, struct tt_object_step *step);
/* Returns the number of the object's steps before the next one. */
uint64_t tt_object_read_index(const struct tt_object_reader *reader);

/*
 * Finds the interval of the wait that begins at a step: `start` to `end`, `since_before` if its begin
 * is not known; *ended: its end is recorded, and not lost. Returns false for a release. O(log n).
 */
bool tt_object_wait_of(const struct tt_timelines *timelines, const struct tt_object_step *step,
                       struct tt_interval *wait, bool *ended);

/*
 * Finds the object for which a thread waits at `ticks`, or TT_NO_OBJECT. O(objects log n).
 */
uint32_t tt_object_waited_for(const struct tt_timelines *timelines, uint32_t thread,
                              uint64_t ticks);

#endif
