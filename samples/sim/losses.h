// SPDX-License-Identifier: Apache-2.0
//
// losses: where the streams of a capture lose events, found by a run that writes nothing. The truth
// needs them in advance if each CPU has its own stream: other CPUs have events during a loss.

#ifndef TTSIM_LOSSES_H
#define TTSIM_LOSSES_H

#include "sim.h"
#include "writer.h"

struct sim_loss {
    uint32_t cpu;
    uint64_t from, to; // times of the last event before and the first one after it
};

// Only those that the capture shows: a stream has a later event.
struct sim_losses {
    struct sim_loss *list;
    size_t count, capacity;
    uint64_t last[SIM_CPU_MAX]; // time of the latest event in the file
    bool open[SIM_CPU_MAX];     // events after it were lost
    bool failed;                // out of memory
};

// Adds an event; `written` is its fate in the file.
void sim_losses_hear(struct sim_losses *losses, const struct sim_event *event,
                     enum sim_written written);
// Sorts the list by begin.
void sim_losses_sort(struct sim_losses *losses);
void sim_losses_free(struct sim_losses *losses);

#endif
