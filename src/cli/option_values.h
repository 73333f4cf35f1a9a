/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_values: parses the arguments of options. Each function parses a whole word and returns false
 * if it is not valid; the value is then undefined. Pure functions; any thread.
 */
#ifndef TT_CLI_OPTION_VALUES_H
#define TT_CLI_OPTION_VALUES_H

#include "cli/options.h"

/* Parses 12, 12k, 12M, 12G with the given factor between the letters. */
bool tt_option_parse_scaled(const char *p, uint64_t factor, uint64_t *value);
/* Parses a duration, 5s, 250ms, 2m, 1.5, into milliseconds; more than 0. */
bool tt_option_parse_span(const char *p, uint64_t *ms);
/* Parses a count: 1 to 10^9. */
bool tt_option_parse_count(const char *p, uint64_t *count);
/* Parses a number, in hexadecimal after 0x. */
bool tt_option_parse_vector(const char *text, uint64_t *vector);
/* Parses the size of a screen: 80x24. */
bool tt_option_parse_size(const char *p, struct tt_screen_size *size);
#define TT_OPTION_MIN_CHANGE 50000000u /* 5 % */
#define TT_OPTION_ALPHA      10000000u /* 0.01 */
/* Parses a share, 5%, 0.5%, 0.05, into 10^-9; at most 1000. */
bool tt_option_parse_share(const char *p, uint64_t *share);
/* Adds CPUs to a set: 0,2-3. */
bool tt_option_parse_cpus(const char *p, struct tt_cpu_set *set);

/* Parses the number of a capture inside a file, from 1; NULL: -1. */
bool tt_option_parse_find(const char *text, int *number);

#endif
