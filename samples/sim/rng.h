// SPDX-License-Identifier: Apache-2.0
//
// rng: random numbers (xorshift64*), the same on every machine: a seed gives the same bytes everywhere.
// Not for cryptography.

#ifndef TTSIM_RNG_H
#define TTSIM_RNG_H

#include <stdint.h>

struct sim_rng {
    uint64_t state; // never 0
};

static inline uint64_t sim_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline void sim_rng_seed(struct sim_rng *rng, uint64_t seed)
{
    rng->state = sim_mix(seed);
    if (rng->state == 0)
        rng->state = 1;
}

static inline uint64_t sim_rng_next(struct sim_rng *rng)
{
    uint64_t x = rng->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng->state = x;
    return x * 0x2545f4914f6cdd1du;
}

// Returns 0 .. below-1; below from 1 to 2^32. No division: it is called several times per event.
static inline uint32_t sim_rng_below(struct sim_rng *rng, uint64_t below)
{
    return (uint32_t)(((sim_rng_next(rng) >> 32) * below) >> 32);
}

#endif
