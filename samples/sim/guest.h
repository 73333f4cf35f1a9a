// SPDX-License-Identifier: Apache-2.0
//
// guest: the guest of a simulated hypervisor. A thread of the host's run, the vCPU, runs the guest while it computes;
// these runs are in the host's capture. A second run, with one CPU, is the guest's: its time passes in the runs only.
//
//     host    vCPU  |E####X|   |E#######X|      |E###X|     E GUEST_ENTER, X CYCLES and GUEST_EXIT
//     guest          a  b        c     d          e         a b c d e: the same events without the gaps

#ifndef TTSIM_GUEST_H
#define TTSIM_GUEST_H

#include "out.h"
#include "sim.h"

#define SIM_GUEST_PROCESS "qvm"
#define SIM_GUEST_THREAD  "vcpu0"
enum { SIM_GUEST_CPU = 0 }; // of the vCPU

struct sim_guest_span {
    uint64_t from, to; // ticks of the host
};

struct sim_guest_spans {
    struct sim_guest_span *v;
    size_t count, room;
};

struct sim_guest {
    uint64_t offset; // ticks of the guest less those of the host, modulo 2^64
    uint64_t delay;  // ticks between an event of a run and the next one
    uint32_t pid, tid;
    struct sim_guest_spans runs; // in which the guest runs
    struct sim_guest_spans away; // in which the vCPU is on no CPU of the host
    uint64_t since;              // of the current time in programs on the vCPU; 0: none
    uint64_t left;               // when the vCPU left its CPU; 0: it is on one, or was not yet
    uint32_t depth;              // of interrupts
    bool running, in_call, failed;
    uint64_t first;  // of the guest's run: time of its first event
    size_t at;       // run in which the latest event was
    uint64_t before; // ticks of the runs before it
};

// Writes an event of the host.
typedef bool sim_guest_write(void *self, const struct sim_event *event);

// Passes an event of the host's run; before it, the run of the guest that it ends is written.
bool sim_guest_hear(struct sim_guest *guest, const struct sim_event *event, sim_guest_write *write,
                    void *self);
// Returns the guest's clock at a time of its run; false if its vCPU does not get so far.
bool sim_guest_clock(struct sim_guest *guest, uint64_t time, uint64_t *clock);
// Writes the truth: offset, vCPU, runs, times away.
void sim_guest_truth(const struct sim_guest *guest, struct sim_out *out);
void sim_guest_free(struct sim_guest *guest);

#endif
