// SPDX-License-Identifier: Apache-2.0
//
// losses: finds where the streams of a capture lose events.

#include "losses.h"

#include <stdlib.h>

static void add(struct sim_losses *losses, uint32_t cpu, uint64_t to)
{
    if (losses->count == losses->capacity) {
        size_t capacity = losses->capacity == 0 ? 64 : 2 * losses->capacity;
        struct sim_loss *list = realloc(losses->list, capacity * sizeof *list);
        if (list == NULL) {
            losses->failed = true;
            return;
        }
        losses->list = list;
        losses->capacity = capacity;
    }
    losses->list[losses->count++] = (struct sim_loss){cpu, losses->last[cpu], to};
}

void sim_losses_hear(struct sim_losses *losses, const struct sim_event *event,
                     enum sim_written written)
{
    uint32_t cpu = event->cpu;
    if (written == SIM_WRITTEN_LOST) {
        losses->open[cpu] = true;
    } else if (written == SIM_WRITTEN) {
        if (losses->open[cpu])
            add(losses, cpu, event->time);
        losses->open[cpu] = false;
        losses->last[cpu] = event->time;
    }
}

static int compare(const void *a, const void *b)
{
    const struct sim_loss *p = a, *q = b;
    return p->from < q->from ? -1 : p->from > q->from ? 1 : (p->cpu > q->cpu) - (p->cpu < q->cpu);
}

void sim_losses_sort(struct sim_losses *losses)
{
    if (losses->count > 0)
        qsort(losses->list, losses->count, sizeof *losses->list, compare);
}

void sim_losses_free(struct sim_losses *losses)
{
    free(losses->list);
    *losses = (struct sim_losses){0};
}
