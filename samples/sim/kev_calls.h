// SPDX-License-Identifier: Apache-2.0
//
// kev_calls: table of the arguments of QNX kernel calls, word by word.
//
// A layout is text, one character a field, in the order of the payload:
//   a..p  the call's value 0..15 as one word        A..P  as two words (64 bits)
//   .     one word of 0                             :     two words of 0
//   -     one word of 0, in 6.4 only
// enum sim_call in sim.h lists the values. Names and types of the fields are in QNX's System
// Analysis Toolkit guide, "Current trace events and data"; 6.4 has the 32-bit layouts only.

#ifndef TTSIM_KEV_CALLS_H
#define TTSIM_KEV_CALLS_H

#include <stdint.h>

struct kev_layout {
    const char *fast, *wide;     // 32-bit programs
    const char *fast64, *wide64; // NULL: no 64-bit form, the plain number is used
};

struct kev_call {
    int16_t number; // -1: not a kernel call in QNX
    struct kev_layout enter, leave;
};

// By enum sim_call.
extern const struct kev_call kev_calls[];

#endif
