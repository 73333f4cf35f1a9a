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
    X(single_messages, "single")

/* The same of raw rows, in the order of docs/sql.md */
#define TT_RAW_TABLE_LIST(X)                                                                       \
    X(message_rows, "messages")                                                                    \
    X(job_rows, "jobs")

#define X(name, word) extern const struct tt_table tt_table_##name;
TT_TABLE_LIST(X)
TT_RAW_TABLE_LIST(X)
#undef X

#endif
