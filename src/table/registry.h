/* SPDX-License-Identifier: Apache-2.0 */
/* registry: all tables. A table is a line here and a file in src/table. */
#ifndef TRACETUI_TABLE_REGISTRY_H
#define TRACETUI_TABLE_REGISTRY_H

#include "tracetui/table.h"

/* X(name of the constant, its `name`) in the order in which tables are listed */
#define TT_TABLE_LIST(X)                                                                           \
    X(threads, "thread")                                                                           \
    X(cpus, "cpu")                                                                                 \
    X(processes, "process")                                                                        \
    X(pairs, "pair")                                                                               \
    X(event_names, "event")                                                                        \
    X(total, "total")                                                                              \
    X(jobs, "job")                                                                                 \
    X(interrupts, "interrupt")                                                                     \
    X(blame, "blame")                                                                              \
    X(inversions, "inversion")                                                                     \
    X(services, "service")                                                                         \
    X(profile, "profile")                                                                          \
    X(stacks, "stack")                                                                             \
    X(filex, "filex")                                                                              \
    X(netx, "netx")                                                                                \
    X(message_pairs, "message")                                                                    \
    X(servers, "server")                                                                           \
    X(clients, "client")                                                                           \
    X(channels, "channel")                                                                         \
    X(imposed, "imposed")                                                                          \
    X(matrix, "matrix")                                                                            \
    X(objects, "object")                                                                           \
    X(migrations, "migration")                                                                     \
    X(lanes, "lane")                                                                               \
    X(single_messages, "single")

/* The same of raw rows, in the order of docs/sql.md */
#define TT_RAW_TABLE_LIST(X)                                                                       \
    X(capture_rows, "captures")                                                                    \
    X(fact_rows, "facts")                                                                          \
    X(health_rows, "health")                                                                       \
    X(process_rows, "processes")                                                                   \
    X(thread_rows, "threads")                                                                      \
    X(type_rows, "types")                                                                          \
    X(event_rows, "events")                                                                        \
    X(argument_rows, "args")                                                                       \
    X(state_rows, "states")                                                                        \
    X(occupation_rows, "cpu_time")                                                                 \
    X(switch_rows, "switches")                                                                     \
    X(wake_rows, "wakes")                                                                          \
    X(message_rows, "messages")                                                                    \
    X(object_rows, "objects")                                                                      \
    X(wait_rows, "lock_waits")                                                                     \
    X(release_rows, "lock_releases")                                                               \
    X(job_rows, "jobs")                                                                            \
    X(slice_rows, "slices")                                                                        \
    X(counter_rows, "counters")                                                                    \
    X(irq_rows, "irqs")                                                                            \
    X(lane_rows, "lanes")

#define X(name, word) extern const struct tt_table tt_table_##name;
TT_TABLE_LIST(X)
TT_RAW_TABLE_LIST(X)
X(snapshot_rows, "snapshot") /* made one by one, see table/raw/raw_rows.h */
#undef X

#endif
