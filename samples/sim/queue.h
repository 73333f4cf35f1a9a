// SPDX-License-Identifier: Apache-2.0
//
// queue: the event queue, a binary heap over a fixed set of sources 0..n-1. Each source has at most one
// appointment, which can be moved or cancelled, so the heap has no stale entries and never grows.
// Operations are O(log n), without allocation after the start.

#ifndef TTSIM_QUEUE_H
#define TTSIM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_queue {
    struct sim_appointment {
        uint64_t time;
        uint32_t source;
    } * heap;
    uint32_t *place; // of each source in the heap, plus 1; 0: has no appointment
    uint32_t count;
    uint32_t sources;
};

bool sim_queue_open(struct sim_queue *queue, uint32_t sources);
void sim_queue_close(struct sim_queue *queue);

// Makes or moves the appointment of a source. At equal times the lower source comes first.
void sim_queue_set(struct sim_queue *queue, uint32_t source, uint64_t time);
void sim_queue_cancel(struct sim_queue *queue, uint32_t source);
bool sim_queue_has(const struct sim_queue *queue, uint32_t source);

// Returns the time of a source's appointment, which must exist.
uint64_t sim_queue_time(const struct sim_queue *queue, uint32_t source);

// Returns the time of the first appointment, or UINT64_MAX.
uint64_t sim_queue_first(const struct sim_queue *queue);

// Removes the first appointment, which must exist.
struct sim_appointment sim_queue_take(struct sim_queue *queue);

#endif
