/* SPDX-License-Identifier: Apache-2.0 */
/* measure_request: how begins and ends pair, see measure.h. Plain data. */
#ifndef TRACETUI_ANALYSIS_MEASURE_REQUEST_H
#define TRACETUI_ANALYSIS_MEASURE_REQUEST_H

#include <stdbool.h>

/* X(id, word) */
#define TT_MEASURE_SAME_INFO(X)                                                                    \
    X(TT_MEASURE_ANY, "any")                                                                       \
    X(TT_MEASURE_THREAD, "thread")                                                                 \
    X(TT_MEASURE_CPU, "cpu")                                                                       \
    X(TT_MEASURE_PROCESS, "process")                                                               \
    X(TT_MEASURE_ARG, "arg") /* the first argument of a name */

enum tt_measure_same {
#define X(id, word) id,
    TT_MEASURE_SAME_INFO(X)
#undef X
};

struct tt_measure_request {
    enum tt_measure_same same;
    const char *arg; /* name of the argument, for TT_MEASURE_ARG; outlives the measurement */
    bool oldest;     /* an end pairs with the oldest open begin */
};

/* Reads thread, cpu, process, any, or arg:NAME, which *arg then is a part of; false: another text. */
bool tt_measure_same_parse(const char *text, enum tt_measure_same *same, const char **arg);

#endif
