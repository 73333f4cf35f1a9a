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
 * bytes runs inside tt_sigbus_guard(): the fault ends that call with false, and nothing else. The
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

/* What may be opened, beside regular files. */
enum tt_map_kinds {
    TT_MAP_ANY,   /* FIFOs and devices: waits until there is something to read */
    TT_MAP_READY, /* those that can be read at once, and are not followed */
    TT_MAP_FILES, /* nothing else */
};

struct tt_map_options {
    enum tt_map_kinds kinds;
    /* With `follow`, until when a pipe is waited for that is no capture yet, by the monotonic clock
     * of base/clock.h; 0: for ever. */
    uint64_t deadline_ms;
    /* Bytes that stdin or a compressed file may unpack to; 0: half of the free space there. */
    uint64_t spool_limit;
    /*
     * It is still growing: what comes through a pipe is mapped while it comes (see pipe_spool.h). A
     * compressed file is unpacked as it is and not followed.
     */
    bool follow;
    /* With `follow`: the bytes are copied to a file of our own first, safe from what is done to the
     * file. A file that is copied while it is written anew is copied again. */
    bool copy;
};

/* Opens `path` ("-": standard input). On success the caller owns *map. */
struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **map);
void tt_map_close(struct tt_map *map);
/* The same bytes, and more if there are, for somebody else: a pipe's cannot be opened twice. */
struct tt_status tt_map_reopen(const struct tt_map *map, struct tt_map **again);

/*
 * Returns a const text that describes the damage of the compressed file that this was unpacked
 * from, or NULL if it is sound or was not compressed. *offset: where, in bytes of the compressed
 * file. All that was unpacked before the damage is mapped.
 */
const char *tt_map_damage(const struct tt_map *map, uint64_t *offset);

/* The bytes mapped so far. */
struct tt_bytes tt_map_bytes(const struct tt_map *map);

/* Maps what the file has grown by; *grown says whether there was anything. */
struct tt_status tt_map_grow(struct tt_map *map, bool *grown);

/* The file's size now, by fstat: less than tt_map_bytes().size when it has shrunk. */
uint64_t tt_map_file_size(const struct tt_map *map);

/* ---- following ------------------------------------------------------------------------------ */

/* Does the map come from a pipe, a copy, or is it compressed: nothing can shrink it? */
bool tt_map_is_own(const struct tt_map *map);
/* Is it made of what comes through a pipe? */
bool tt_map_is_pipe(const struct tt_map *map);
/* Nothing more will come: the pipe ended (*status: why), or it was compressed. */
bool tt_map_ended(const struct tt_map *map, struct tt_status *status);
/* Waits until there is more of a pipe than is mapped, or it ended, or for a while. */
void tt_map_wait(const struct tt_map *map);
/* Readable when more came through the pipe; -1 where it is a file. */
int tt_map_wake_fd(const struct tt_map *map);
/* What was opened (not the copy of it), for fstat and pread; -1 for a pipe. */
int tt_map_source(const struct tt_map *map);

/*
 * Bytes [from, to) were read and are not needed for now: their pages are given back, so that a
 * file larger than memory can be read from end to end. They can be read again at any time, by any
 * thread, even now. Nothing happens for a small file. Any thread.
 */
void tt_map_forget(const struct tt_map *map, uint64_t from, uint64_t to);

/* Runs fn(arg) and returns true, or false if it touched mapped bytes that are gone. */
bool tt_sigbus_guard(void (*fn)(void *arg), void *arg);

/*
 * For a program that handles SIGBUS itself (to put a terminal back before it dies): called first in
 * its handler, ends the guarded call when `address` lies in a mapping of ours. True: it is mended,
 * the handler has to return; false: the address is not ours.
 */
bool tt_map_fault(void *address);

#endif
