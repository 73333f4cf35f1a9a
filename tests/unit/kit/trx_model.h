/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_model: what TraceX computes of a ThreadX ring, written down once more from the description of
 * its rules and not from the decoder: plain loops over an array, quadratic, no state kept between
 * events but what a rule names. Rings of several cores are a ring for each core.
 */
#ifndef TRACETUI_TESTS_TRX_MODEL_H
#define TRACETUI_TESTS_TRX_MODEL_H

#include "tracetui/format.h"

#define MODEL_ISR  UINT64_C(0xffffffff)
#define MODEL_INIT UINT64_C(0xf0f0f0f0)
#define MODEL_MAX  2100u /* entries of a ring */

struct model_event {
    uint64_t context;
    uint64_t priority; /* the whole word */
    uint64_t info[4];
    uint64_t stamp; /* raw */
    uint32_t id;
    uint32_t core;
    uint64_t next;   /* derived: who has the processor after it */
    uint64_t time;   /* derived: ticks since the first event */
    bool running;    /* derived: a RUNNING of `next` follows ... */
    uint64_t rested; /* ... at this time */
};

struct model {
    struct model_event events[MODEL_MAX]; /* from the oldest on; the caller fills the first part */
    uint32_t count;
    uint64_t mask;
    struct tt_totals totals; /* as TraceX has them; time slices as it means them */
    uint64_t idle_switches;  /* of the context switches: at derived RUNNING events of idleness */
    bool has_direction;      /* there are more steps one way than the other */
};

/* Fills in what is derived. The model's events are in the order of time. */
void model_run(struct model *m);

/* Returns the least free stack of the thread at `address`, UINT64_MAX where no event has one. */
uint64_t model_stack_min(const struct model *m, uint64_t address, uint64_t stack_start);

#endif
