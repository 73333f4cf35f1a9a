/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ready_by: what had the CPU while a thread was ready, in ticks. The members add up to the ready
 * time exactly. docs/causes.md defines the causes.
 */
#ifndef TRACETUI_READY_BY_H
#define TRACETUI_READY_BY_H

#include <stdint.h>

/* X(member, cause) */
#define TT_READY_BY_INFO(X)                                                                        \
    X(higher, TT_CAUSE_HIGHER)     /* a more urgent thread */                                      \
    X(equal, TT_CAUSE_EQUAL)       /* an equally urgent one */                                     \
    X(lower, TT_CAUSE_LOWER)       /* a less urgent one */                                         \
    X(occupied, TT_CAUSE_OCCUPIED) /* a thread; a priority is not recorded */                      \
    X(interrupt, TT_CAUSE_INTERRUPT)                                                               \
    X(kernel, TT_CAUSE_KERNEL)                                                                     \
    X(idle, TT_CAUSE_IDLE) /* the CPU was free: dispatch */                                        \
    X(unknown, TT_CAUSE_UNKNOWN)

/*
 * A sheet reads at most this number of pieces, and this many more for each interval of the capture;
 * the ready time of a crowd that waits for one CPU counts as unknown after them.
 */
#define TT_READY_PIECES      (UINT64_C(1) << 22)
#define TT_READY_PIECES_EACH UINT64_C(16)

struct tt_ready_by {
#define X(member, cause) uint64_t member;
    TT_READY_BY_INFO(X)
#undef X
};

#endif
