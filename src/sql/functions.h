/* SPDX-License-Identifier: Apache-2.0 */
/* functions: the functions of SQL beside those of SQLite. */
#ifndef TT_SQL_FUNCTIONS_H
#define TT_SQL_FUNCTIONS_H

/* X(name, number of arguments from, to, call, description) */
#define SQL_FUNCTION_INFO(X)                                                                       \
    X(thread_name, 1, 1, "thread_name(utid)", "name of a thread: `io-blk/3 worker`")               \
    X(process_name, 1, 1, "process_name(upid)", "name of a process: `io-blk`")                     \
    X(state_class, 1, 2, "state_class(state [, capture])",                                         \
      "class of a thread state: `state_class('REPLY')` is `ipc`; null: no state of the capture")   \
    X(to_ns, 1, 2, "to_ns(ticks [, capture])",                                                     \
      "ticks in nanoseconds, rounded down, by the clock of a capture; null without a clock. A "    \
      "sum of ticks is converted once and so is exact, as in `stats`")                             \
    X(to_ticks, 1, 2, "to_ticks(ns [, capture])", "nanoseconds in ticks, rounded down")            \
    X(overlap, 4, 4, "overlap(begin1, end1, begin2, end2)",                                        \
      "length of the part that two ranges have in common; 0: none")

#define SQL_AGGREGATE_INFO(X)                                                                      \
    X(percentile, 2, 2, "percentile(x, p)",                                                        \
      "aggregate: the smallest x that at least p in 100 do not exceed (nearest rank, as in "       \
      "`stats`); p from 0 to 100")

#endif
