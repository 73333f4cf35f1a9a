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
    cpu->resumes = TT_NO_THREAD;
}

bool btrace_cpu_leave_other(struct btrace_cpu *cpu, enum btrace_context context,
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
