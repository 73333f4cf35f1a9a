/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: a file mapped read-only at an address that never moves.
 *
 * An address range larger than the file is reserved once. The file is mapped at its start, and
 * further pieces are mapped after it as the file grows, so that readers on other threads keep their
 * pointers:
 *
 *     base                     size        mapped            reserved
 *      |------ file's bytes ----|··page end··|   unmapped        |
 *
 * stdin, pipes and compressed files (.gz, .zst, detected by content) are first written to an
 * unlinked temporary file, which is then mapped like any file. `spool_limit` bounds its size. So are
 * files on other machines (remote.h).
 *
 * A file that shrinks while mapped raises SIGBUS at the next access. All accesses to mapped bytes
 * run inside tt_sigbus_guard(): after a fault that call returns false. The guarded function can be
 * aborted at any load from the mapping, so at each load it must hold no lock and own nothing that
 * is unreachable from outside (copy the bytes first, then lock or allocate). Guards nest per
 * thread. The first tt_map_open installs the handler, which passes unrelated faults to the previous
 * handler.
 *
 * Threads: one thread opens, grows and closes a map; functions with a const map may be called by
 * any thread.
 */
#ifndef TRACETUI_MAP_H
#define TRACETUI_MAP_H

#include "tracetui/bytes.h"
#include "tracetui/remote.h"
#include "tracetui/status.h"

struct tt_map;

/* Kinds of input accepted beside regular files. */
enum tt_map_kinds {
    TT_MAP_ANY,   /* FIFOs and devices; opening blocks until data arrives */
    TT_MAP_READY, /* those readable without blocking; they are not followed */
    TT_MAP_FILES, /* none */
};

/* Progress of the copy that tt_map_open makes of a pipe or a compressed file. */
struct tt_copy_progress {
    const char *path;    /* of the input, unescaped */
    uint64_t bytes;      /* in the copy so far, unpacked */
    uint64_t read;       /* of the input */
    uint64_t total;      /* size of the input; 0: unknown, as that of a pipe */
    uint64_t elapsed_ms; /* since the copy began */
    bool is_file;        /* the input is a file of this machine */
    bool ended;          /* the last call */
};

/*
 * Shows the progress: called about every 100 ms by the thread that waits in tt_map_open or
 * tt_map_receive_up_to, while bytes arrive, and at the end if it was called before.
 */
struct tt_copy_watch {
    void (*show)(void *arg, const struct tt_copy_progress *progress);
    void *arg;
};

struct tt_map_options {
    enum tt_map_kinds kinds;
    const struct tt_copy_watch *watch; /* NULL: none; not called unless `kinds` is TT_MAP_ANY */
    /*
     * With `follow`: until when to wait for a pipe's data to be recognizable, in ms of the
     * monotonic clock (base/clock.h); 0: no limit.
     */
    uint64_t deadline_ms;
    /*
     * Maximum number of bytes to spool from stdin or a compressed file; 0: half of the free space.
     */
    uint64_t spool_limit;
    /*
     * The file is still growing: a pipe's data are mapped as they arrive (pipe_spool.h). A
     * compressed file is unpacked in its current state and not followed.
     */
    bool follow;
    /*
     * Without `follow`: open a pipe or a compressed file when this many bytes of it have arrived, or
     * all; the others are mapped by tt_map_receive. 0: when all have arrived.
     */
    uint64_t early;
    /* With `early`: time in ms after which `early_few` bytes suffice; 0: they never do. */
    uint32_t early_ms;
    uint64_t early_few;
    /*
     * With `follow`: map a private copy, unaffected by changes to the file. A file that is
     * rewritten while it is copied is copied again.
     */
    bool copy;
    /*
     * HOST:PATH is a file on another machine; NULL: all paths are local. A remote file is copied to
     * a temporary file first, with `follow` as a pipe.
     */
    const struct tt_remote_options *remote;
};

/*
 * Opens `path` ("-": standard input). On success the caller owns *map. Errors: TT_ERR_IO,
 * TT_ERR_MEMORY, TT_ERR_FORMAT (a compressed file without any sound data).
 */
struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **map);
/* Unmaps the bytes and frees the map; NULL is allowed. No thread may read the bytes any more. */
void tt_map_close(struct tt_map *map);
/*
 * Opens the same bytes again with everything that has arrived since; needed for pipes, which cannot
 * be opened twice. Of a map that was opened early, waits for all. The caller owns *again.
 */
struct tt_status tt_map_reopen(const struct tt_map *map, struct tt_map **again);

/* ---- several files -------------------------------------------------------------------------- */

/*
 * Joins maps of files: their bytes are mapped again, at one address range, each file at a page of its
 * own with at least one page of zeros after it. The files of the parts are not followed. The joined map
 * owns the parts, also on failure. TT_ERR_IO, TT_ERR_MEMORY.
 */
struct tt_status tt_map_join(struct tt_map **parts, unsigned count, struct tt_map **joined);
/* Returns the number of joined files; 0 for the map of one file. */
unsigned tt_map_part_count(const struct tt_map *map);
/* Returns the position of a joined file, and its bytes. */
uint64_t tt_map_part(const struct tt_map *map, unsigned number, struct tt_bytes *bytes);
/* Returns the map of a joined file by itself. */
const struct tt_map *tt_map_part_file(const struct tt_map *map, unsigned number);

/*
 * Waits for more bytes of a map that was opened early, and maps them; *over is set when all have
 * arrived, as with every other map. Errors: TT_ERR_FORMAT (a compressed file without any sound data),
 * TT_ERR_IO (the input could not be read to its end; the limit was exceeded), TT_ERR_MEMORY.
 */
struct tt_status tt_map_receive(struct tt_map *map, bool *over);
/*
 * Waits until `bytes` bytes have arrived, or all, and maps what has arrived, with the watch of `options`.
 * Errors as of tt_map_receive.
 */
struct tt_status tt_map_receive_up_to(struct tt_map *map, uint64_t bytes, const char *path,
                                      const struct tt_map_options *options);
/* Returns whether more bytes of a map that was opened early may arrive. Any thread. */
bool tt_map_is_arriving(const struct tt_map *map);
/*
 * Returns whether the map was opened early, with how much of it has arrived; the path is not set. Any
 * thread.
 */
bool tt_map_arrived(const struct tt_map *map, struct tt_copy_progress *progress);
/* Lets no more bytes arrive: a waiting tt_map_receive fails with TT_ERR_CANCELLED. Any thread. */
void tt_map_stop_arriving(struct tt_map *map);

/*
 * Returns a constant text that describes the damage of the compressed file, or NULL if the file is
 * sound, was not compressed, or has not completely arrived. *offset is the position in the compressed
 * file. All bytes before the damage are mapped.
 */
const char *tt_map_damage(const struct tt_map *map, uint64_t *offset);

/*
 * Restricts the map to the bytes [offset, offset + size) of those it has; it is not followed. Call
 * it before any byte is read.
 */
void tt_map_restrict(struct tt_map *map, uint64_t offset, uint64_t size);

/* Returns the bytes mapped so far. */
struct tt_bytes tt_map_bytes(const struct tt_map *map);

/* Maps the bytes by which the file has grown; *grown is set if there were any. TT_ERR_IO. */
struct tt_status tt_map_grow(struct tt_map *map, bool *grown);

/* Returns the file's current size by fstat: less than tt_map_bytes().size if it has shrunk. */
uint64_t tt_map_file_size(const struct tt_map *map);

/* ---- following ------------------------------------------------------------------------------ */

/* Returns whether nothing can shrink the map: a pipe, a copy or a compressed file. */
bool tt_map_is_own(const struct tt_map *map);
/* Returns whether the map's source is a pipe. */
bool tt_map_is_pipe(const struct tt_map *map);
/*
 * Returns whether no more bytes will arrive: the pipe ended (*status is the reason), or the source
 * was compressed.
 */
bool tt_map_ended(const struct tt_map *map, struct tt_status *status);
/* Blocks until a pipe has more bytes than are mapped, has ended, or a timeout expires. */
void tt_map_wait(const struct tt_map *map);
/* Returns a descriptor that is readable when more bytes arrive through the pipe; -1 for a file. */
int tt_map_wake_fd(const struct tt_map *map);
/* Returns whether the remote file of a pipe was replaced or truncated; *truncated: which. */
bool tt_map_remote_changed(const struct tt_map *map, bool *truncated);
/*
 * Returns the descriptor of the original file, not of a copy, for fstat and pread; -1 for a pipe.
 */
int tt_map_source(const struct tt_map *map);

/*
 * Returns the pages of bytes [from, to) to the system, so that files larger than memory can be read
 * from end to end. The bytes remain readable. Does nothing and returns false if the file is small so
 * far. Any thread.
 */
bool tt_map_release_pages(const struct tt_map *map, uint64_t from, uint64_t to);
/*
 * Has the system read those bytes of [from, to) that are not in memory, in the background. Any
 * thread.
 */
void tt_map_read_ahead(const struct tt_map *map, uint64_t from, uint64_t to);

/* Calls fn(arg) and returns true; returns false if it accessed mapped bytes that are gone. */
bool tt_sigbus_guard(void (*fn)(void *arg), void *arg);

/*
 * Ends the guarded call if `address` is in one of our mappings; for programs with their own SIGBUS
 * handler (to restore a terminal), to be called first in it. Returns true if the fault is handled
 * and the handler must return; false if the address is not ours.
 */
bool tt_map_fault(void *address);

#endif
