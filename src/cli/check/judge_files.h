/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge_files: judges captures: several in parallel, or one that grows. The caller frees each file's
 * check.
 */
#ifndef TT_CLI_CHECK_JUDGE_FILES_H
#define TT_CLI_CHECK_JUDGE_FILES_H

#include "check/check_report.h"
#include "cli/options.h"

/* Judges complete captures, as many at once as there are CPUs. */
void tt_check_judge_files(const struct tt_options *options, const struct tt_rules *rules,
                          struct tt_check_file *files, size_t count);
/*
 * Judges a capture that grows, until it ends, a signal, --timeout, --until or --fail-fast; then
 * judges the data read so far as a finished capture. *met: the event of --until occurred.
 */
void tt_check_follow(const struct tt_options *options, const struct tt_rules *rules,
                     struct tt_check_file *file, bool *met);
/* Judges a capture that is open; `growing` as in struct tt_check_request. */
struct tt_status tt_check_input(const struct tt_options *options, const struct tt_rules *rules,
                                struct tt_trace *trace, const char *path, bool growing,
                                struct tt_check **check);

#endif
