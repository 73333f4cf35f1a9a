/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why: prints explanations and wakes, as text of at most 80 columns or as lines of JSON. One thread.
 */
#ifndef TT_CLI_WHY_H
#define TT_CLI_WHY_H

#include "cli/input.h"
#include "cli/output.h"
#include "tracetui/explain.h"

/* What the printers need of a capture. */
struct tt_why_scene {
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    uint64_t first_ticks; /* of the trace, for relative times */
    bool jsonl;
};

/* Prints an explanation; `what` is the key of the same name in JSON. */
void tt_why_print(const struct tt_why_scene *scene, const struct tt_explanation *e,
                  const char *what, struct tt_output *out);
/* Prints, as text only, that no interval of that kind was found. */
void tt_why_print_none(const struct tt_why_scene *scene, const char *what, struct tt_output *out);
/* Prints one wake. */
void tt_why_print_wake(const struct tt_why_scene *scene, const struct tt_wake *wake,
                       struct tt_output *out);

#endif
