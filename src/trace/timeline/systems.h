/* SPDX-License-Identifier: Apache-2.0 */
/*
 * systems: the systems that the actions of a capture come from, for the builder of its timelines.
 *
 * The actions of a merged capture belong to its members, whose formats differ, and to the systems that the
 * members record. A rule such as "the displaced thread becomes ready" needs the state of the member's
 * format; "the last post", or the number of losses so far, are those of one system. Before an action is
 * handled, its member is selected: `system` of the timelines is then that of the action. A capture of one
 * file has one system, which is always selected.
 *
 *      actions    A A B B B A       in the order of the common time line
 *      selected   A   B     A       what lasts is exchanged where the system changes
 */
#ifndef TRACETUI_TRACE_TIMELINE_SYSTEMS_H
#define TRACETUI_TRACE_TIMELINE_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

struct tt_message_id;
struct tt_timelines;

/* The rules that the format of a member determines. */
struct tt_system {
    uint64_t salt; /* combined with its ids (tt_merge_salt) */
    void (*message_id)(uint64_t id, struct tt_message_id *parts); /* or NULL: ids have no parts */
    uint16_t ready_state;                                         /* states that the rules need */
    uint16_t dead_state;
    uint16_t running_state;
    uint8_t number;      /* of the system: struct tt_process, space */
    bool ids_of_process; /* tt_format, message_ids_of_process */
};

struct tt_systems;

/* Sets the systems of new timelines, and selects the first one. Returns false if out of memory. */
bool tt_systems_init(struct tt_timelines *timelines);
void tt_systems_free(struct tt_timelines *timelines);

/* Selects the member of a merged capture with tape position `pos`. */
void tt_systems_select(struct tt_timelines *timelines, uint64_t pos);

/* Returns the time of the first event of a system. */
uint64_t tt_systems_begin(const struct tt_timelines *timelines, unsigned system);

/* Notes that the last event of a system is at `ticks`. */
void tt_systems_end(struct tt_timelines *timelines, unsigned system, uint64_t ticks);

/* Returns the number of systems, at least 1. */
unsigned tt_systems_count(const struct tt_timelines *timelines);

#endif
