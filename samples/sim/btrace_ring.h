// SPDX-License-Identifier: Apache-2.0
//
// Where BTrace records go: straight to the file, or (free running) into a ring of bytes from which
// the oldest whole records fall out; the ring is written when the run is over.
//
//     ring: ... | engine event (8 bytes) | record, padded to 4 | ...   wraps anywhere

#ifndef TTSIM_BTRACE_RING_H
#define TTSIM_BTRACE_RING_H

#include "writer.h"

struct btrace_ring {
    struct sim_out *out;
    struct sim_counts gone; // what fell out
    bool dry;
    uint32_t limit; // bytes of records; 0: no ring
    uint32_t used;  // bytes of records in the ring
    uint8_t *bytes;
    uint32_t size; // of `bytes`
    uint32_t head; // where the oldest begins
    uint32_t tail; // where the next goes
    bool overwritten;
};

bool btrace_ring_open(struct btrace_ring *ring, const struct sim_write_config *config,
                      struct sim_out *out);
void btrace_ring_close(struct btrace_ring *ring);

// `heard`: number of the engine's event that the record comes from.
void btrace_ring_put(struct btrace_ring *ring, const uint8_t *record, uint32_t length,
                     uint64_t heard);

// Writes the ring. Takes what fell out off the counts, and says there how many engine events come
// before the ring.
void btrace_ring_finish(struct btrace_ring *ring, struct sim_counts *counts);

#endif
