/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guests: captures of guests of a hypervisor, found by what its own capture says.
 *
 * A host's GUEST_EXIT has the difference of the guest's cycle counter to its own. The guest among those of a host is the
 * one in whose runs the events of a capture are:
 *
 *      host     vCPU  | run |   | run  |      | run |        cycles of the host
 *      guest            e e       ee e          e e          cycles of the guest less clockcycles_offset
 */
#ifndef TT_MERGE_GUESTS_H
#define TT_MERGE_GUESTS_H

#include "merge/members.h"

/*
 * Finds the guests among the captures, which are open, and sets `guest` and `problem` of their sources. Indexes them if
 * one is a host. `placed`: captures that the request puts on the time line; they need no offset.
 */
struct tt_status merge_guests_find(struct merge_capture *captures, struct tt_merge_plan *plan,
                                   const bool *placed);

/*
 * Sets instants that a capture and the reference have in common, if both are of one host, and returns their number, at
 * most 2; 0: they are not.
 */
unsigned merge_guests_pairs(const struct merge_capture *captures, const struct tt_merge_plan *plan,
                            unsigned number, struct tt_clock_pair pairs[2]);

#endif
