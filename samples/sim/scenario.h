// SPDX-License-Identifier: Apache-2.0
//
// scenario: common parts of the scenarios, and the tables of scenarios in other files.

#ifndef TTSIM_SCENARIO_H
#define TTSIM_SCENARIO_H

#include "engine.h"

#define SIM_STEPS(script) script, sizeof(script) / sizeof(script)[0]

extern const struct sim_step sim_worker_script[5];
extern const struct sim_step sim_logger_script[6];

// Process 0 of every scenario (the engine adds its idle threads) and process 1.
#define SIM_PROCNTO                                                                                \
    {                                                                                              \
        "procnto", false,                                                                          \
        {                                                                                          \
            {                                                                                      \
                "worker", SIM_STEPS(sim_worker_script), 10, SIM_RR, -1, 3                          \
            }                                                                                      \
        }                                                                                          \
    }
#define SIM_TRACELOGGER                                                                            \
    {                                                                                              \
        "tracelogger", false,                                                                      \
        {                                                                                          \
            {                                                                                      \
                "", SIM_STEPS(sim_logger_script), 21, SIM_RR, 0, 1                                 \
            }                                                                                      \
        }                                                                                          \
    }

// The first device of every scenario, and the end of the list.
#define SIM_TICK                                                                                   \
    {                                                                                              \
        0, 10, 1000, 0, -1, -1, 1, 0, false                                                        \
    }
#define SIM_NO_DEVICE                                                                              \
    {                                                                                              \
        0, 0, 0, 0, -1, -1, 0, 0, false                                                            \
    }

extern const struct sim_process_template sim_mixed_processes[];
extern const struct sim_process_template sim_mixed_extra[];
extern const struct sim_device sim_mixed_devices[];
extern const uint8_t sim_mixed_channels[];
extern const uint8_t sim_mixed_mutexes[];

extern const struct sim_process_template sim_chain_processes[];
extern const uint8_t sim_chain_channels[];
extern const struct sim_process_template sim_convoy_processes[];
extern const struct sim_process_template sim_deadlock_processes[];
extern const uint8_t sim_deadlock_channels[];
extern const struct sim_process_template sim_answers_processes[];
extern const uint8_t sim_answers_channels[];
extern const struct sim_process_template sim_periodic_processes[];
extern const struct sim_process_template sim_timeouts_processes[];
extern const struct sim_process_template sim_timeouts_extra[];
extern const struct sim_device sim_timeouts_devices[];
extern const uint8_t sim_timeouts_channels[];
extern const struct sim_process_template sim_crash_processes[];
extern const struct sim_process_template sim_crash_extra[];
extern const uint8_t sim_crash_channels[];
extern const struct sim_process_template sim_hypervisor_processes[];
extern const uint8_t sim_plain_mutexes[]; // two, without priority inheritance

#endif
