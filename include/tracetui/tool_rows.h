/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool_rows: the rows of a table that only the format's own tool has, without a counterpart in
 * other formats, for `stats` and Summary (src/analysis/sheet/sheet_tool.c).
 */
#ifndef TRACETUI_TOOL_ROWS_H
#define TRACETUI_TOOL_ROWS_H

#include "tracetui/format.h"

enum tt_tool_table {
    TT_TOOL_PROFILE, /* execution time by context; values[0]: ticks, values[1]: events */
    TT_TOOL_FILEX,   /* operations on FileX media and files: TT_FILEX_* */
    TT_TOOL_NETX,    /* operations on NetX instances, packet pools and sockets: TT_NETX_* */
};

/*
 * The values of FileX. X(key, heading, group, short heading and rank in
 * Summary)
 */
#define TT_FILEX_VALUES(X)                                                                         \
    X(operations, "operations", "", "ops", 3)                                                      \
    X(media_opens, NULL, "media", "opens", 18)                                                     \
    X(media_closes, NULL, "media", "closes", 19)                                                   \
    X(media_aborts, NULL, "media", "aborts", 20)                                                   \
    X(media_flushes, NULL, "media", "flushes", 21)                                                 \
    X(directory_reads, NULL, "directory", "reads", 15)                                             \
    X(directory_writes, NULL, "directory", "writes", 16)                                           \
    X(directory_misses, NULL, "directory", "misses", 17)                                           \
    X(file_opens, "opens", "file", "opens", 6)                                                     \
    X(file_closes, "closes", "file", "closes", 7)                                                  \
    X(file_reads, "reads", "file", "reads", 8)                                                     \
    X(file_writes, "writes", "file", "writes", 9)                                                  \
    X(bytes_read, "bytes read", "bytes", "read", 4)                                                \
    X(bytes_written, "bytes written", "bytes", "written", 5)                                       \
    X(sector_reads, "sectors read", "sector", "reads", 10)                                         \
    X(sector_writes, "sectors written", "sector", "writes", 11)                                    \
    X(sector_misses, NULL, "sector", "misses", 13)                                                 \
    X(errors, "errors", "", "errors", 12)

/* The values of NetX. */
#define TT_NETX_VALUES(X)                                                                          \
    X(operations, "operations", "", "ops", 3)                                                      \
    X(arp_requests_sent, NULL, "ARP requests", "sent", 23)                                         \
    X(arp_requests_received, NULL, "ARP requests", "received", 24)                                 \
    X(arp_responses_sent, NULL, "ARP responses", "sent", 25)                                       \
    X(arp_responses_received, NULL, "ARP responses", "received", 26)                               \
    X(allocations, "allocations", "packets", "allocated", 5)                                       \
    X(empty_allocations, NULL, "packets", "none left", 21)                                         \
    X(releases, "releases", "packets", "released", 6)                                              \
    X(invalid_releases, NULL, "packets", "invalid", 22)                                            \
    X(pings_sent, NULL, "pings", "sent", 27)                                                       \
    X(ping_responses, NULL, "pings", "responses", 28)                                              \
    X(ip_packets_sent, NULL, "IP sent", "packets", 11)                                             \
    X(ip_bytes_sent, "IP bytes sent", "IP sent", "bytes", 7)                                       \
    X(ip_packets_received, NULL, "IP received", "packets", 12)                                     \
    X(ip_bytes_received, "received", "IP received", "bytes", 8)                                    \
    X(tcp_client_connections, NULL, "TCP connections", "client", 19)                               \
    X(tcp_server_connections, NULL, "TCP connections", "server", 20)                               \
    X(tcp_packets_sent, NULL, "TCP sent", "packets", 13)                                           \
    X(tcp_bytes_sent, "TCP bytes sent", "TCP sent", "bytes", 9)                                    \
    X(tcp_packets_received, NULL, "TCP received", "packets", 14)                                   \
    X(tcp_bytes_received, "received", "TCP received", "bytes", 10)                                 \
    X(udp_packets_sent, NULL, "UDP sent", "packets", 17)                                           \
    X(udp_bytes_sent, "UDP bytes sent", "UDP sent", "bytes", 15)                                   \
    X(udp_packets_received, NULL, "UDP received", "packets", 18)                                   \
    X(udp_bytes_received, "received", "UDP received", "bytes", 16)                                 \
    X(errors, "errors", "", "errors", 4)

enum {
#define X(key, heading, group, head, rank) TT_FILEX_##key,
    TT_FILEX_VALUES(X)
#undef X
        TT_FILEX_COUNT
};

enum {
#define X(key, heading, group, head, rank) TT_NETX_##key,
    TT_NETX_VALUES(X)
#undef X
        TT_NETX_COUNT
};

#define TT_TOOL_VALUES 26

struct tt_tool_row {
    uint32_t thread;  /* of the profile; TT_NO_THREAD: none */
    const char *kind; /* "media", "tcp socket"; a context without a thread: "idle" */
    const char *name; /* ends with a NUL; lives as long as the capture */
    uint64_t object;  /* address on the target; UINT64_MAX: none */
    uint64_t values[TT_TOOL_VALUES];
};

/* The events that a table counts. */
struct tt_tool_query {
    enum tt_tool_table table;
    struct tt_key_range range;
    const uint64_t *threads; /* one bit per thread of the events; NULL: all events */
    uint32_t thread_limit;
    const uint64_t *cpus; /* one bit per CPU; NULL: all */
    uint32_t cpu_limit;
};

#endif
