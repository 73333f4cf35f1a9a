/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_cpu.h"

#include <string.h>

#include "tracetui/event.h"

void btrace_cpu_reset(struct btrace_cpu *cpu)
{
    memset(cpu, 0, sizeof *cpu);
    cpu->thread = TT_NO_THREAD;
    cpu->sampled = TT_NO_THREAD;
    cpu->ending = UINT32_MAX;
}

uint64_t btrace_interrupt_number(const struct btrace_interrupt *interrupt)
{
    switch (interrupt->context) {
    case BTRACE_IN_FIQ:
        return BTRACE_FIQ_NUMBER;
    case BTRACE_IN_IDFC:
        return BTRACE_IDFC_NUMBER;
    default:
        return interrupt->vector;
    }
}

bool btrace_cpu_enter(struct btrace_cpu *cpu, enum btrace_context context, uint32_t vector)
{
    if (cpu->depth == BTRACE_NEST) {
        return false;
    }
    cpu->stack[cpu->depth].context = context;
    cpu->stack[cpu->depth].vector = vector;
    cpu->depth++;
    return true;
}

bool btrace_cpu_leave(struct btrace_cpu *cpu, enum btrace_context context,
                      struct btrace_interrupt *left)
{
    for (unsigned i = cpu->depth; i-- > 0;) {
        if (cpu->stack[i].context == context) {
            *left = cpu->stack[i];
            memmove(&cpu->stack[i], &cpu->stack[i + 1],
                    (cpu->depth - i - 1u) * sizeof cpu->stack[0]);
            cpu->depth--;
            return true;
        }
    }
    return false;
}

bool btrace_cpu_is_badly_nested(const struct btrace_cpu *cpu)
{
    if (cpu->depth > 1) {
        return true;
    }
    return cpu->depth == 1 && cpu->stack[0].context == BTRACE_IN_IDFC;
}
