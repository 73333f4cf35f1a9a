/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_damage: decides whether the bytes at a position are a record of the stream.
 *
 *       | record | record | record .. bytes that are no records .. | record | record | ...
 *                          ^ uncertain: damage may begin inside     ^ the first of CHAIN that agree
 *
 *  A record is judged only if something about it is odd: its size, flags or numbers, a CPU that has not
 * been seen, a time far from that of the record before. Then the records after it decide. The rules and
 * their bounds are in docs/format-btrace.md, "Damage".
 *
 *  While the file grows, a record that nothing contradicts yet is accepted, and *open set; where the bytes
 * so far speak against it, the decision waits for more: BTRACE_READ_PARTIAL. The learning cursor decides, and
 * keeps what it decided (btrace_verdicts.h). Pure functions; any thread.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_DAMAGE_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/btrace/btrace_clock.h"
#include "format/btrace/btrace_record.h"

/* The stream, and the record before the one that is judged. */
struct btrace_judge {
    const struct btrace_clock *clock;
    struct tt_bytes bytes;
    uint64_t ticks; /* of the record before */
    unsigned cpus;  /* CPUs seen before */
    bool started;   /* `ticks` is known */
    bool damaged;   /* a stretch of damage was before */
    bool final;     /* the file does not grow */
    bool *open;     /* set if more bytes of a growing file may change the result */
};

/*
 * Reads the record at `pos`. BTRACE_READ_BAD: damage begins here. BTRACE_READ_BAD_TIME: a record between
 * others that agree with each other, but not with its time.
 */
enum btrace_read btrace_judge_read(const struct btrace_judge *judge, uint64_t pos,
                                   struct btrace_record *record);

/* Returns whether a record begins after `record`, which was read with the result BTRACE_READ_OK. */
bool btrace_judge_next(const struct btrace_judge *judge, const struct btrace_record *record);

/* Returns the NThread that a record's data name: it may be new. 0: none. */
uint32_t btrace_judge_named(const struct btrace_record *record);

/*
 * Returns whether a thread of which a record has the first mention exists: another record has it soon, or nothing
 * was damaged before, its address is not `far` from others and, if the record `switches` to it, no other thread is on
 * its CPU without a switch.
 */
bool btrace_judge_thread(const struct btrace_judge *judge, const struct btrace_record *record,
                         uint32_t nthread, bool far, bool switches);

/*
 * Searches from *resume on for the first place after damage. Returns true and *found, or false and in
 * *resume the position from which to search when there are more bytes. A few steps per byte.
 */
bool btrace_judge_recover(const struct btrace_judge *judge, uint64_t *resume, uint64_t *found);

/*
 * Finds out which threads run on after damage that ends at `pos`. `threads`: the NThread on each CPU before
 * it, or 0; set to 0 where one of the next records contradicts. Returns false if more bytes are needed.
 */
bool btrace_judge_running(const struct btrace_judge *judge, uint64_t pos, uint32_t *threads,
                          unsigned cpus);

#endif
