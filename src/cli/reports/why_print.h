/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why_print: prints explanations and wakes, as text of at most 80 columns or as lines of JSON. One thread.
 */
#ifndef TT_CLI_REPORTS_WHY_PRINT_H
#define TT_CLI_REPORTS_WHY_PRINT_H

#include "analysis/causes/why_text.h"
#include "cli/input.h"
#include "cli/output.h"

/* Prints an explanation; `what` is the key of the same name in JSON. */
void tt_why_print(const struct tt_why_scene *scene, bool jsonl,
                  const struct tt_explanation *explanation, const char *what,
                  struct tt_output *out);
/* Prints, as text only, that no interval of that kind was found. */
void tt_why_print_none(bool jsonl, const char *what, struct tt_output *out);
/* Prints, as text, the reason for unknown causes, in two parts. */
void tt_why_print_reason(const char *reason, const char *rest, struct tt_output *out);
/* Prints one wake. */
void tt_why_print_wake(const struct tt_why_scene *scene, bool jsonl, const struct tt_wake *wake,
                       struct tt_output *out);

#endif
