// SPDX-License-Identifier: Apache-2.0
//
// options: the command line of ttsim, from one table for parsing and --help.

#ifndef TTSIM_OPTIONS_H
#define TTSIM_OPTIONS_H

#include "sim.h"
#include "truth.h"
#include "writer.h"

struct sim_guest;

struct sim_options {
    const struct sim_writer *writer;
    const char *output;          // NULL: none given
    const char *truth_file;      // NULL: OUTPUT.truth.jsonl
    const char *guest;           // file of the guest; NULL: there is none
    struct sim_guest *guest_run; // of the run; NULL: there is none
    uint64_t guest_back;         // ticks that the host's clock is ahead of the guest's
    uint64_t events;             // 0: no limit
    double seconds;              // simulated; 0: no limit
    enum sim_truth_detail truth;
    double pace;    // 1: in real time; 0: no pacing
    uint64_t piece; // bytes; 0: no pieces
    bool piece_random;
    bool help;
    struct sim_config run;
    struct sim_write_config write;
    uint32_t only_cpu; // the file has the events of this CPU only; UINT32_MAX: all
};

// Returns false after a message on standard error.
bool sim_options_read(int argc, char **argv, struct sim_options *options);
void sim_options_help(void);

#endif
