/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/merge/merged.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "merge/merge_plan.h"

static char *title_of(const struct tt_merge_plan *plan)
{
    size_t size = (size_t)plan->count * (TT_MERGE_NAME_MOST + 3);
    char *buffer = malloc(size);
    if (!buffer) {
        return NULL;
    }
    struct tt_text text = tt_text_of(buffer, size);
    for (unsigned i = 0; i < plan->count; i++) {
        tt_text_put(&text, "%s%s", i > 0 ? " + " : "", plan->sources[i].name);
    }
    tt_text_cstr(&text);
    return buffer;
}

bool tt_merged_prepare(struct tt_options *options, struct tt_merged *merged)
{
    const int captures = options->files.count, logs = options->logs.count;
    memset(merged, 0, sizeof *merged);
    if (!options->merge && logs == 0) {
        return true;
    }
    for (int i = 0; i < logs; i++) {
        options->files.v[options->files.count++] = options->logs.v[i];
    }
    options->is_log = logs == 1 && captures == 0;
    options->merge = !options->is_log;
    if (options->is_log) {
        return true;
    }
    /* The titles hide the files from the commands, which check this for each of their files. */
    struct tt_status status = tt_command_check_output(options);
    if (!tt_failed(&status)) {
        struct tt_merge_request request = {
            .paths = options->files.v,
            .count = (unsigned)options->files.count,
            .log_count = (unsigned)logs,
            .offsets = options->offsets.v,
            .offset_count = (unsigned)options->offsets.count,
            .alignments = options->alignments.v,
            .alignment_count = (unsigned)options->alignments.count / 2,
            .one_system = options->one_system,
            .options = tt_input_options(options),
        };
        status = tt_merge_plan_make(&request, &merged->plan);
    }
    if (!tt_failed(&status)) {
        merged->title = title_of(merged->plan);
        status = merged->title ? status : tt_error_memory();
    }
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        tt_merged_free(merged);
        return false;
    }
    options->plan = merged->plan;
    options->files.v[0] = merged->title;
    options->files.count = 1;
    /* Rows of merged captures have that column anyway; lines of text have it on request. */
    options->capture = options->capture && options->format == TT_OUTPUT_TEXT;
    return true;
}

void tt_merged_free(struct tt_merged *merged)
{
    tt_merge_plan_free(merged->plan);
    free(merged->title);
    memset(merged, 0, sizeof *merged);
}
