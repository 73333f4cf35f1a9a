/* SPDX-License-Identifier: Apache-2.0 */
/* why_print: prints explanations as an indented tree with sums, or as lines of JSON. */
#include "cli/reports/why_print.h"

#define LINES_MOST 200u /* pieces of an explanation printed as text */
#define LATE_MOST  10u
#define CPUS_MOST  8u

#define PRINT_LINE(out, call) TT_PRINT_LINE(out, (call, tt_text_char(&text, '\n')))

static void why_print_put_more(struct tt_text *text, size_t count, const char *what)
{
    tt_text_put(text, "            ... %ju%s", count, what);
}

void tt_why_print(const struct tt_why_scene *scene, bool jsonl,
                  const struct tt_explanation *explanation, const char *what, struct tt_output *out)
{
    if (jsonl) {
        TT_PRINT_LINE(out, tt_why_json(&text, scene, explanation, what));
    } else {
        const struct tt_why_shape *shape = &tt_why_shape_text;
        struct tt_why_places places;
        if (out->begun) {
            tt_output_write(out, "\n", 1);
        }
        PRINT_LINE(out, tt_why_head(&text, scene, shape, explanation, what));
        for (size_t i = 0; i < explanation->count && i < LINES_MOST && tt_output_is_open(out);
             i++) {
            PRINT_LINE(out, tt_why_piece(&text, scene, shape, explanation, &explanation->pieces[i],
                                         &places));
        }
        if (explanation->count > LINES_MOST) {
            PRINT_LINE(out, why_print_put_more(&text, explanation->count - LINES_MOST,
                                               " more pieces: --format jsonl has all"));
        }
        tt_output_write(out, "late by\n", 8);
        for (size_t i = 0; i < explanation->late_count && i < LATE_MOST; i++) {
            PRINT_LINE(out, tt_why_late(&text, scene, shape, explanation, &explanation->late[i]));
        }
        if (explanation->late_count > LATE_MOST) {
            PRINT_LINE(out,
                       why_print_put_more(&text, explanation->late_count - LATE_MOST, " more"));
        }

        struct tt_elsewheres all;
        tt_explanation_elsewhere(scene->timelines, scene->capture, explanation, &all);
        if (!tt_elsewheres_matter(&all, explanation)) {
            return;
        }
        PRINT_LINE(out, tt_why_elsewhere_head(&text, &all));
        for (unsigned i = 0; i < all.count && i < CPUS_MOST; i++) {
            PRINT_LINE(out, tt_why_elsewhere(&text, scene, &tt_why_shape_text, &all, &all.cpus[i]));
        }
        if (all.count > CPUS_MOST) {
            PRINT_LINE(out, why_print_put_more(&text, all.count - CPUS_MOST, " more"));
        }
    }
}

void tt_why_print_none(bool jsonl, const char *what, struct tt_output *out)
{
    if (!jsonl) {
        PRINT_LINE(out, (tt_text_str(&text, "no "), tt_text_str(&text, what),
                         tt_text_str(&text, " interval with a recorded beginning and end")));
    }
}

void tt_why_print_wake(const struct tt_why_scene *scene, bool jsonl, const struct tt_wake *wake,
                       struct tt_output *out)
{
    if (jsonl) {
        TT_PRINT_LINE(out, tt_why_json_wake(&text, scene, wake));
    } else {
        PRINT_LINE(out, tt_why_wake(&text, scene, &tt_why_shape_text, wake));
    }
}

void tt_why_print_reason(const char *reason, const char *rest, struct tt_output *out)
{
    PRINT_LINE(out, (tt_text_str(&text, "not in the capture: "), tt_text_str(&text, reason),
                     tt_text_str(&text, rest)));
}
