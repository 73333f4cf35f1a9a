/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_model: TraceX's results for a ThreadX ring, implemented a second time from the description of
 * its rules, independent of the decoder: plain loops over an array, quadratic, with no state
 * between events except that of a rule. Rings of several cores are treated as one ring per core.
 */
#ifndef TRACETUI_TESTS_TRX_MODEL_H
#define TRACETUI_TESTS_TRX_MODEL_H

#include "tracetui/format.h"

#define MODEL_ISR  UINT64_C(0xffffffff)
#define MODEL_INIT UINT64_C(0xf0f0f0f0)
#define MODEL_MAX  2100u /* maximum entries of a ring */

struct model_event {
    uint64_t context;
    uint64_t priority; /* the whole word */
    uint64_t info[4];
    uint64_t stamp; /* raw */
    uint32_t id;
    uint32_t core;
    uint64_t next;   /* derived: thread on the core after it */
    uint64_t time;   /* derived: ticks since the first event */
    bool running;    /* derived: a RUNNING of `next` follows ... */
    uint64_t rested; /* ... at this time */
};

struct model {
    struct model_event events[MODEL_MAX]; /* from the oldest on; the caller fills the first part */
    uint32_t count;
    uint64_t mask;
    struct tt_totals totals; /* like TraceX's, with its meaning of time slices */
    uint64_t idle_switches;  /* context switches at derived RUNNING events of the idle system */
    bool has_direction;      /* more steps in one direction than in the other */
};

/* Computes the derived members. The model's events are in time order. */
void model_run(struct model *m);

/* Returns the minimum free stack of the thread at `address`, UINT64_MAX if no event has one. */
uint64_t model_stack_min(const struct model *m, uint64_t address, uint64_t stack_start);

#endif
