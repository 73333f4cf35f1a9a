// SPDX-License-Identifier: Apache-2.0
//
// out: buffered output in large blocks, optionally paced: slowly and in pieces, like a target that is
// still tracing.

#ifndef TTSIM_OUT_H
#define TTSIM_OUT_H

#include "rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_out {
    int fd;
    bool own_fd; // close it at the end
    int error;   // errno of the first failure; 0: none
    size_t used; // bytes waiting in `block`
    size_t capacity;
    uint8_t *block;
    uint64_t written; // bytes accepted so far, waiting ones included
    // Pacing:
    bool paced;
    size_t piece;       // largest piece in bytes; 0: no pieces
    bool piece_random;  // pieces of 1..piece bytes
    struct sim_rng rng; // for sizes of pieces
    uint64_t began_ns;  // wall clock when the first byte was due
};

// Opens; path "-" is standard output. Returns false with the cause in out->error.
bool sim_out_open(struct sim_out *out, const char *path);

// Sets paced output: pieces of `piece` bytes (0: all pending bytes), or of random sizes.
void sim_out_pace(struct sim_out *out, size_t piece, bool piece_random, uint64_t seed);

void sim_out_put(struct sim_out *out, const void *bytes, size_t length);

// Returns a buffer of `length` bytes (at most 64 KiB) to fill at once; they count as written.
uint8_t *sim_out_room(struct sim_out *out, size_t length);

// Paced output: writes pending bytes, spread over the time until `due_ns` after the first call, and
// returns then. Otherwise does nothing.
void sim_out_wait_until(struct sim_out *out, uint64_t due_ns);

// Writes pending bytes.
void sim_out_flush(struct sim_out *out);

// Writes pending bytes and closes. Returns false if any call failed since opening.
bool sim_out_close(struct sim_out *out);

#endif
