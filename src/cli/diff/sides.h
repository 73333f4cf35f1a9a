/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sides: the two sides of a comparison as the command line gives them: a range of a capture, or a baseline
 * from a file. The struct owns what it opened until tt_sides_close. One thread.
 */
#ifndef TT_CLI_DIFF_SIDES_H
#define TT_CLI_DIFF_SIDES_H

#include "cli/input.h"
#include "compare/comparison.h"

struct tt_sides {
    struct tt_input inputs[2];
    struct tt_input *of[2]; /* B is the input of A if one file is given; NULL: a baseline */
    const char *paths[2];
    struct tt_key_range keys[2];
    struct tt_job_ends job_ends[2];
};

/* Returns the table of --by, or -1 if it cannot be compared. */
const struct tt_table *tt_sides_table(const struct tt_options *options);
/* Resolves a range: from and to, or what they replace if they are not given. */
struct tt_status tt_sides_range(const struct tt_options *options, struct tt_input *input,
                                const struct tt_time_spec *from, const struct tt_time_spec *to,
                                struct tt_key_range *keys);
/* Opens both sides; prints errors, and returns whether there are none. */
bool tt_sides_open(const struct tt_options *options, struct tt_sides *sides);
/* Compares the sides by a table; the caller frees *comparison. `extra`: one more measure, or NULL. */
struct tt_status tt_sides_compare(const struct tt_options *options, struct tt_sides *sides,
                                  const struct tt_table *table, const struct tt_table_column *extra,
                                  struct tt_comparison **comparison);
/* Reports damage of the captures, and returns the exit status. */
enum tt_exit tt_sides_verdict(struct tt_sides *sides);
void tt_sides_close(struct tt_sides *sides);

#endif
