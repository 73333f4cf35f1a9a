// SPDX-License-Identifier: Apache-2.0
//
// What really happened, as JSON lines, computed from the engine's events and not from any file.
// The records and the rules that they follow are in docs/simulator.md.

#ifndef TTSIM_TRUTH_H
#define TTSIM_TRUTH_H

#include "out.h"
#include "sim.h"
#include "writer.h"

enum sim_truth_detail { SIM_TRUTH_NONE, SIM_TRUTH_SUMS, SIM_TRUTH_FULL };

struct sim_truth;

// NULL: out of memory. `threads` is sim_thread_slots().
struct sim_truth *sim_truth_open(const struct sim_write_config *config,
                                 const struct sim_writer *writer, enum sim_truth_detail detail,
                                 struct sim_out *out, uint32_t threads);

// `written` says what became of the event in the file. Events that the format cannot say count
// all the same: they happened.
void sim_truth_event(struct sim_truth *truth, const struct sim_event *event,
                     enum sim_written written);

// Ends every interval at the last event and writes the sums; `counts` is what the writer says.
void sim_truth_close(struct sim_truth *truth, const struct sim_counts *counts);

#endif
