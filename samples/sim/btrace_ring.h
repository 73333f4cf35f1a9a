// SPDX-License-Identifier: Apache-2.0
//
// btrace_ring: output of BTrace records, directly to the file or (free running) to a ring of bytes that
// drops its oldest records; the ring is written at the end of the run.
//
//     ring: ... | engine event (8 bytes) | record, padded to 4 | ...   wraps anywhere

#ifndef TTSIM_BTRACE_RING_H
#define TTSIM_BTRACE_RING_H

#include "writer.h"

struct btrace_ring {
    struct sim_out *out;
    struct sim_counts gone; // dropped records
    bool dry;
    uint32_t limit; // bytes of records; 0: no ring
    uint32_t used;  // bytes of records in the ring
    uint8_t *bytes;
    uint32_t size; // of `bytes`
    uint32_t head; // start of the oldest
    uint32_t tail; // position of the next
    bool overwritten;
};

bool btrace_ring_open(struct btrace_ring *ring, const struct sim_write_config *config,
                      struct sim_out *out);
void btrace_ring_close(struct btrace_ring *ring);

// `heard`: number of the record's engine event.
void btrace_ring_put(struct btrace_ring *ring, const uint8_t *record, uint32_t length,
                     uint64_t heard);

// Writes the ring. Subtracts dropped records from the counts and sets the number of engine events
// before the ring.
void btrace_ring_finish(struct btrace_ring *ring, struct sim_counts *counts);

#endif
