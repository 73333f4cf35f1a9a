/* SPDX-License-Identifier: Apache-2.0 */
/* why: the explanations that `why` prints, for other reports. One thread. */
#ifndef TT_CLI_REPORTS_WHY_H
#define TT_CLI_REPORTS_WHY_H

#include "analysis/causes/why_text.h"
#include "cli/input.h"
#include "cli/output.h"

/* An interval that is explained, in ticks. */
struct tt_why_item {
    uint32_t thread;
    uint64_t from;
    uint64_t to;
    const char *what; /* its kind, as "delay" */
};

/* Takes an explanation; a failure ends the work. */
typedef struct tt_status tt_why_use(void *arg, const struct tt_why_scene *scene,
                                    const struct tt_why_item *item,
                                    const struct tt_explanation *explanation);

/*
 * Finds the intervals that `why` explains for the options, and passes each explanation to `use`
 * instead of printing it; `out` gets the other lines.
 */
struct tt_status tt_why_explain(const struct tt_options *options, struct tt_input *input,
                                struct tt_output *out, tt_why_use *use, void *arg);

#endif
