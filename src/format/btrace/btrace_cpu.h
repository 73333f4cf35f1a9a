/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_cpu: who runs on a CPU and which interrupts lie on top, from the records of ECpuUsage.
 *
 *      thread A | IRQ 5 | FIQ | IRQ 5 | IDFC | thread B
 *               ^start  ^start ^end   ^EIDFCStart: IRQ 5 has no EIrqEnd, it ends here
 *
 * An interrupt that queued a DFC or caused a switch has no End record: the next EIDFCStart or
 * ENewThreadContext on its CPU ends it (class BTrace, enum TCpuUsage). More than one such, or an
 * End without a Start, is a nesting that cannot be.
 *
 * Plain data, part of a cursor's state.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_CPU_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/btrace/btrace_record.h"

/* CPUs whose context is followed; records may name up to 4096. */
#define BTRACE_CPUS 64
/* Interrupts on top of each other that are followed. */
#define BTRACE_NEST 8

/*
 * Numbers of interrupts in actions: an IRQ has its vector (0 where the kernel does not say),
 * FIQ and IDFC have numbers behind those of any vector.
 */
#define BTRACE_FIQ_NUMBER  (UINT64_C(1) << 32)
#define BTRACE_IDFC_NUMBER (UINT64_C(2) << 32)

struct btrace_interrupt {
    uint32_t vector;
    uint32_t context; /* enum btrace_context: FIQ, IRQ, IDFC */
};

struct btrace_cpu {
    uint32_t thread;  /* lane that runs, under the interrupts; TT_NO_THREAD: not known */
    uint32_t sampled; /* lane of the last ECpuFullSample */
    uint32_t ending;  /* process that ends with the thread's leaving, or UINT32_MAX */
    uint8_t leaving;  /* enum btrace_state that the thread said it is about to enter */
    uint8_t depth;
    struct btrace_interrupt stack[BTRACE_NEST];
};

void btrace_cpu_reset(struct btrace_cpu *cpu);

uint64_t btrace_interrupt_number(const struct btrace_interrupt *interrupt);

/* Puts an interrupt on top; false if there are too many. */
bool btrace_cpu_enter(struct btrace_cpu *cpu, enum btrace_context context, uint32_t vector);
/* Takes the topmost interrupt of this sort away; false if there is none. */
bool btrace_cpu_leave(struct btrace_cpu *cpu, enum btrace_context context,
                      struct btrace_interrupt *left);
/* Does the stack break the rule for EIDFCStart and ENewThreadContext? (see above) */
bool btrace_cpu_is_badly_nested(const struct btrace_cpu *cpu);

#endif
