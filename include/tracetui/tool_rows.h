/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool_rows: the rows of a table that only the format's own tool has, without a counterpart in
 * other formats, for `stats` and Summary (src/table/tool.c).
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
 * Summary, sentence)
 */
#define TT_FILEX_VALUES(X)                                                                         \
    X(operations, "operations", "", "ops", 3, "Operations.")                                       \
    X(media_opens, NULL, "media", "opens", 18, "Number of media opens.")                           \
    X(media_closes, NULL, "media", "closes", 19, "Number of media closes.")                        \
    X(media_aborts, NULL, "media", "aborts", 20, "Number of media aborts.")                        \
    X(media_flushes, NULL, "media", "flushes", 21, "Number of media flushes.")                     \
    X(directory_reads, NULL, "directory", "reads", 15, "Number of directory reads.")               \
    X(directory_writes, NULL, "directory", "writes", 16, "Number of directory writes.")            \
    X(directory_misses, NULL, "directory", "misses", 17, "Number of directory misses.")            \
    X(file_opens, "opens", "file", "opens", 6, "Number of file opens.")                            \
    X(file_closes, "closes", "file", "closes", 7, "Number of file closes.")                        \
    X(file_reads, "reads", "file", "reads", 8, "Number of file reads.")                            \
    X(file_writes, "writes", "file", "writes", 9, "Number of file writes.")                        \
    X(bytes_read, "bytes read", "bytes", "read", 4, "Number of bytes read.")                       \
    X(bytes_written, "bytes written", "bytes", "written", 5, "Number of bytes written.")           \
    X(sector_reads, "sectors read", "sector", "reads", 10, "Number of sector reads.")              \
    X(sector_writes, "sectors written", "sector", "writes", 11, "Number of sector writes.")        \
    X(sector_misses, NULL, "sector", "misses", 13, "Number of sector misses.")                     \
    X(errors, "errors", "", "errors", 12, "Operations that failed.")

/* The values of NetX. */
#define TT_NETX_VALUES(X)                                                                          \
    X(operations, "operations", "", "ops", 3, "Operations.")                                       \
    X(arp_requests_sent, NULL, "ARP requests", "sent", 23, "Number of ARP requests sent.")         \
    X(arp_requests_received, NULL, "ARP requests", "received", 24,                                 \
      "Number of ARP requests received.")                                                          \
    X(arp_responses_sent, NULL, "ARP responses", "sent", 25, "Number of ARP responses sent.")      \
    X(arp_responses_received, NULL, "ARP responses", "received", 26,                               \
      "Number of ARP responses received.")                                                         \
    X(allocations, "allocations", "packets", "allocated", 5, "Number of allocations.")             \
    X(empty_allocations, NULL, "packets", "none left", 21, "Number of empty allocations.")         \
    X(releases, "releases", "packets", "released", 6, "Number of releases.")                       \
    X(invalid_releases, NULL, "packets", "invalid", 22, "Number of invalid releases.")             \
    X(pings_sent, NULL, "pings", "sent", 27, "Number of pings sent.")                              \
    X(ping_responses, NULL, "pings", "responses", 28, "Number of ping responses.")                 \
    X(ip_packets_sent, NULL, "IP sent", "packets", 11, "Number of IP packets sent.")               \
    X(ip_bytes_sent, "IP bytes sent", "IP sent", "bytes", 7, "Number of IP bytes sent.")           \
    X(ip_packets_received, NULL, "IP received", "packets", 12, "Number of IP packets received.")   \
    X(ip_bytes_received, "received", "IP received", "bytes", 8, "Number of IP bytes received.")    \
    X(tcp_client_connections, NULL, "TCP connections", "client", 19,                               \
      "Number of TCP client connections.")                                                         \
    X(tcp_server_connections, NULL, "TCP connections", "server", 20,                               \
      "Number of TCP server connections.")                                                         \
    X(tcp_packets_sent, NULL, "TCP sent", "packets", 13, "Number of TCP packets sent.")            \
    X(tcp_bytes_sent, "TCP bytes sent", "TCP sent", "bytes", 9, "Number of TCP bytes sent.")       \
    X(tcp_packets_received, NULL, "TCP received", "packets", 14,                                   \
      "Number of TCP packets received.")                                                           \
    X(tcp_bytes_received, "received", "TCP received", "bytes", 10,                                 \
      "Number of TCP bytes received.")                                                             \
    X(udp_packets_sent, NULL, "UDP sent", "packets", 17, "Number of UDP packets sent.")            \
    X(udp_bytes_sent, "UDP bytes sent", "UDP sent", "bytes", 15, "Number of UDP bytes sent.")      \
    X(udp_packets_received, NULL, "UDP received", "packets", 18,                                   \
      "Number of UDP packets received.")                                                           \
    X(udp_bytes_received, "received", "UDP received", "bytes", 16,                                 \
      "Number of UDP bytes received.")                                                             \
    X(errors, "errors", "", "errors", 4, "Operations that failed.")

enum {
#define X(key, heading, group, head, rank, doc) TT_FILEX_##key,
    TT_FILEX_VALUES(X)
#undef X
        TT_FILEX_COUNT
};

enum {
#define X(key, heading, group, head, rank, doc) TT_NETX_##key,
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
