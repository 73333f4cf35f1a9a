// SPDX-License-Identifier: Apache-2.0
//
// truth: the simulated run as JSON lines, computed from the engine's events and not from a file.
// docs/simulator.md defines the records and their rules.

#ifndef TTSIM_TRUTH_H
#define TTSIM_TRUTH_H

#include "losses.h"
#include "out.h"
#include "sim.h"
#include "writer.h"

enum sim_truth_detail { SIM_TRUTH_NONE, SIM_TRUTH_SUMS, SIM_TRUTH_FULL };

struct sim_truth;

// Returns NULL if out of memory. `threads` is sim_thread_slots(). `losses`: those of each CPU's stream, in
// order of begin; used until the truth is closed.
struct sim_truth *sim_truth_open(const struct sim_write_config *config,
                                 const struct sim_writer *writer, enum sim_truth_detail detail,
                                 const struct sim_losses *losses, struct sim_out *out,
                                 uint32_t threads);

// Adds an event; `written` is its fate in the file. Events that the format cannot represent count
// as well.
void sim_truth_event(struct sim_truth *truth, const struct sim_event *event,
                     enum sim_written written);

// Ends every interval at the last event and writes the sums; `counts` comes from the writer.
void sim_truth_close(struct sim_truth *truth, const struct sim_counts *counts);

#endif
