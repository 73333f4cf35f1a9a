/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: a file's bytes in memory, read-only, at an address that never moves.
 *
 * An address range larger than the file is reserved once; the file is mapped at its start and
 * further pieces are mapped behind it as the file grows, so that readers on other threads keep
 * their pointers:
 *
 *     base                     size        mapped            reserved
 *      |------ file's bytes ----|··page end··|  nothing yet     |
 *
 * stdin, pipes and compressed files (.gz, .zst, told by content) go to an unlinked temporary
 * file first and then behave exactly as a file. The spool is bounded by `spool_limit`.
 *
 * A file that shrinks under the mapping raises SIGBUS on the next touch. Every touch of mapped
 * bytes runs inside tt_map_guard(): the fault ends that call with false, and nothing else. The
 * guarded function can stop at any load from the mapping, so at each of them it holds no lock and
 * owns nothing that is not reachable from outside (copy the bytes first, then lock or allocate).
 * Guards nest per thread. The handler is installed by the first tt_map_open and passes faults that
 * are not ours to whoever was there before.
 */
#ifndef TRACETUI_MAP_H
#define TRACETUI_MAP_H

#include "tracetui/bytes.h"
#include "tracetui/status.h"

struct tt_map;

struct tt_map_options {
    uint64_t spool_limit; /* bytes that stdin or a compressed file may unpack to; 0: no limit */
};

/* Opens `path` ("-": standard input). On success the caller owns *map. */
struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **map);
void tt_map_close(struct tt_map *map);

/* The bytes mapped so far. */
struct tt_bytes tt_map_bytes(const struct tt_map *map);

/* Maps what the file has grown by; *grown says whether there was anything. */
struct tt_status tt_map_grow(struct tt_map *map, bool *grown);

/* The file's size now, by fstat: less than tt_map_bytes().size when it has shrunk. */
uint64_t tt_map_file_size(const struct tt_map *map);

/* Runs fn(arg) and returns true, or false if it touched mapped bytes that are gone. */
bool tt_map_guard(void (*fn)(void *arg), void *arg);

/*
 * For a program that handles SIGBUS itself (to put a terminal back before it dies): called first in
 * its handler, ends the guarded call when `address` lies in a mapping of ours, else returns.
 */
void tt_map_fault(void *address);

#endif
