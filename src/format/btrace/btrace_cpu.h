/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_cpu: the thread and the nested interrupts on a CPU, from the records of ECpuUsage.
 *
 *       thread A | IRQ 5 | FIQ | IRQ 5 | IDFC | thread B
 *                ^start  ^start ^end   ^EIDFCStart: IRQ 5 has no EIrqEnd, it ends here
 *
 *  An interrupt that queued a DFC or caused a switch has no End record: the next EIDFCStart or
 * ENewThreadContext on its CPU ends it (class BTrace, enum TCpuUsage). More than one such
 * interrupt, or an End without a Start, is an impossible nesting.
 *
 *  Plain data, part of a cursor's state.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_CPU_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/btrace/btrace_record.h"

/* Maximum number of CPUs followed; records may have up to 4096. */
#define BTRACE_CPUS 64
/* Maximum depth of nested interrupts. */
#define BTRACE_NEST 8

/*
 * Interrupt numbers in actions: an IRQ has its vector (0 if the kernel does not record it); FIQ and
 * IDFC have numbers above all vectors.
 */
#define BTRACE_FIQ_NUMBER  (UINT64_C(1) << 32)
#define BTRACE_IDFC_NUMBER (UINT64_C(2) << 32)

struct btrace_interrupt {
    uint32_t vector;
    uint32_t context; /* enum btrace_context: FIQ, IRQ, IDFC */
};

struct btrace_cpu {
    uint32_t thread;  /* lane of the running thread, under the interrupts; TT_NO_THREAD: unknown */
    uint32_t sampled; /* lane of the last ECpuFullSample */
    uint32_t ending;  /* process that ends when the thread leaves, or UINT32_MAX */
    uint32_t resumes; /* lane of the thread that runs on after damage, not yet in an action */
    uint8_t leaving;  /* enum btrace_state that the thread is about to enter */
    uint8_t depth;
    struct btrace_interrupt stack[BTRACE_NEST];
};

void btrace_cpu_reset(struct btrace_cpu *cpu);

static inline uint64_t btrace_interrupt_number(const struct btrace_interrupt *interrupt)
{
    static const uint64_t numbers[] = {
        [BTRACE_IN_FIQ] = BTRACE_FIQ_NUMBER,
        [BTRACE_IN_IDFC] = BTRACE_IDFC_NUMBER,
    };
    return interrupt->context == BTRACE_IN_IRQ ? interrupt->vector
                                               : numbers[interrupt->context & BTRACE_IN_IDFC];
}

/* Pushes an interrupt; returns false if there are too many. */
static inline bool btrace_cpu_enter(struct btrace_cpu *cpu, enum btrace_context context,
                                    uint32_t vector)
{
    if (cpu->depth == BTRACE_NEST) {
        return false;
    }
    cpu->stack[cpu->depth].context = context;
    cpu->stack[cpu->depth].vector = vector;
    cpu->depth++;
    return true;
}

/* btrace_cpu_leave for an interrupt that is not the topmost. */
bool btrace_cpu_leave_other(struct btrace_cpu *cpu, enum btrace_context context,
                            struct btrace_interrupt *left);

/* Removes the topmost interrupt of this kind; returns false if there is none. */
static inline bool btrace_cpu_leave(struct btrace_cpu *cpu, enum btrace_context context,
                                    struct btrace_interrupt *left)
{
    if (cpu->depth == 0 || cpu->stack[cpu->depth - 1].context != context) {
        return btrace_cpu_leave_other(cpu, context, left);
    }
    cpu->depth--;
    *left = cpu->stack[cpu->depth];
    return true;
}

/* Returns whether the nesting breaks the rule for EIDFCStart and ENewThreadContext above. */
static inline bool btrace_cpu_is_badly_nested(const struct btrace_cpu *cpu)
{
    return cpu->depth > 1 || (cpu->depth == 1 && cpu->stack[0].context == BTRACE_IN_IDFC);
}

#endif
