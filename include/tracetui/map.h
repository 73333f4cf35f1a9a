/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map: the bytes of an input, which may still come, at an address that never moves.
 *
 *      input                                 mapped                       more bytes come
 *      a file                                itself                       when it grows (follow)
 *      a pipe, a device                      spool                        until it ends
 *      .gz, .zst, detected by content        spool, unpacked              until it is unpacked
 *      HOST:PATH (remote.h)                  spool                        until it is received; with
 *                                                                         follow, when it grows
 *      a file that may be rewritten (copy)   spool                        when it grows
 *      several files (tt_map_open_files)     each of them                 no
 *      a directory                           each of its files            when they grow, or are new
 *      OUT.cpu0 of trace-cmd                 OUT.cpu0, OUT.cpu1, ...      when they grow, or are new
 *
 * A spool (src/input/spool.h) is a temporary file without a name; its thread copies and unpacks, and is the
 * only thread of an input. Whatever the input is, its user sees the same:
 *
 *      tt_map_bytes     the bytes that can be read now
 *      tt_map_arrival   how many there are, whether more may come, what went wrong and where
 *      tt_map_wait      until there are more
 *      tt_map_grow      maps them: then they can be read
 *
 * An address range larger than the file is reserved once. The file is mapped at its start, and
 * further pieces are mapped after it as the file grows, so that readers on other threads keep their
 * pointers:
 *
 *     base                     size        mapped            reserved
 *      |------ file's bytes ----|··page end··|   unmapped        |
 *
 * A file that shrinks while mapped raises SIGBUS at the next access. All accesses to mapped bytes
 * run inside tt_sigbus_guard(): after a fault that call returns false. The guarded function can be
 * aborted at any load from the mapping, so at each load it must hold no lock and own nothing that
 * is unreachable from outside (copy the bytes first, then lock or allocate). Guards nest per
 * thread. The first tt_map_open installs the handler, which passes unrelated faults to the previous
 * handler.
 *
 * Threads: one thread opens, waits for, grows and closes a map; functions with a const map may be called
 * by any thread, and so may tt_map_stop.
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

/* Changes of a file of another machine while it is followed. */
enum tt_map_change { TT_MAP_SAME, TT_MAP_TRUNCATED, TT_MAP_REPLACED };

/* How much of an input there is, what may come, and what went wrong. */
struct tt_arrival {
    uint64_t bytes;      /* there, unpacked; those of tt_map_bytes are mapped */
    uint64_t read;       /* of the container or the transfer */
    uint64_t total;      /* size of the container, or of the file that is transferred; 0: unknown */
    uint64_t elapsed_ms; /* since the beginning */
    const char *path;    /* of the input, unescaped; for a watch only, otherwise NULL */
    const char *host;    /* of a file on another machine, NULL: of this one */
    bool connected;      /* bytes have come; with a host: it has answered */
    bool is_file;        /* the input is a file of this machine */
    bool more;           /* more bytes may come by themselves: not when a file grows */
    bool over;           /* no more bytes can come */
    bool last;           /* for a watch: the last call */
    enum tt_map_change change;
    struct tt_status status; /* why no more come, if that is no regular end */
    /*
     * Damage of the container: a constant text, and its position in the container. All bytes before it are
     * there. NULL: none, or it is not unpacked yet.
     */
    const char *damage;
    uint64_t damage_at;
};

/*
 * Shows how the input arrives. Called about every 100 ms by the thread that waits for it in tt_map_open
 * or tt_map_wait, and at the end if it was called before; returns false to cancel.
 */
struct tt_map_watch {
    bool (*show)(void *arg, const struct tt_arrival *arrival);
    void *arg;
};

struct tt_map_options {
    enum tt_map_kinds kinds;
    const struct tt_map_watch *watch; /* NULL: none; not called for files of this machine unless
                                         `kinds` is TT_MAP_ANY */
    /*
     * With `follow`: until when to wait for a pipe's data to be recognizable, in ms of the
     * monotonic clock (base/clock.h); 0: no limit.
     */
    uint64_t deadline_ms;
    uint64_t spool_limit; /* maximum number of bytes in a spool; 0: half of the free space */
    /* The file is still growing. A compressed file is unpacked in its current state and not followed. */
    bool follow;
    /*
     * Without `follow`: open a pipe or a compressed file when this many bytes of it have arrived, or
     * all; the others are mapped by tt_map_grow. 0: when all have arrived.
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
     * A directory with a file `metadata` is opened as its files; one with directories that have it, as the files of
     * all these, "kernel/channel0_1"; a part of a capture as all its parts.
     */
    bool folders;
    /*
     * With `folders`: the file with the descriptions of what `path` contains, or a tracing directory of Linux. The map
     * is of several files then, of which it is the first one. NULL: the file `metadata` of a directory, the running
     * kernel for OUT.cpu0, none for other files.
     */
    const char *metadata;
    /* HOST:PATH is a file on another machine; NULL: all paths are local. */
    const struct tt_remote_options *remote;
};

/*
 * Opens `path` ("-": standard input). On success the caller owns *map. Errors: TT_ERR_IO,
 * TT_ERR_MEMORY, TT_ERR_FORMAT (a compressed file without any sound data), TT_ERR_CANCELLED.
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

/* Returns the bytes mapped so far. */
struct tt_bytes tt_map_bytes(const struct tt_map *map);
/* Returns the state of the input. */
struct tt_arrival tt_map_arrival(const struct tt_map *map);
/*
 * Waits until `bytes` bytes are there, no more may come, or `ms` have passed (UINT64_MAX: no limit).
 * `watch`: NULL, or shows it; then `path` is that of the input.
 */
void tt_map_wait(struct tt_map *map, uint64_t bytes, uint64_t ms, const struct tt_map_watch *watch,
                 const char *path);
/*
 * Maps the bytes that are there; *grown is set if there are new ones. TT_ERR_IO, TT_ERR_MEMORY; the bytes
 * before are valid also then.
 */
struct tt_status tt_map_grow(struct tt_map *map, bool *grown);
/* Lets no more bytes come: the arrival ends with TT_ERR_CANCELLED. */
void tt_map_stop(struct tt_map *map);

/* Returns the file's current size by fstat: less than tt_map_bytes().size if it has shrunk. */
uint64_t tt_map_file_size(const struct tt_map *map);
/* Returns whether nothing can shrink the map: it is a spool. */
bool tt_map_is_own(const struct tt_map *map);
/* Returns whether the map's source is a pipe, or a followed file of another machine. */
bool tt_map_is_pipe(const struct tt_map *map);
/* Returns a descriptor that is readable when more bytes have come, which the reader drains; -1: none. */
int tt_map_wake_fd(const struct tt_map *map);
/* Returns the descriptor of the original file, not of a copy, for fstat and pread; -1: none. */
int tt_map_source(const struct tt_map *map);

/* ---- several files -------------------------------------------------------------------------- */

/* A file of several, which are mapped one after the other at pages of their own. */
struct tt_map_file {
    const char *name; /* in its directory; otherwise the path */
    uint64_t at;      /* position of its first byte in the map */
    struct tt_bytes bytes;
    const char *damage; /* as in tt_arrival */
    uint64_t damage_at;
};

/*
 * Opens files, whose bytes are mapped at one address range, each at a page of its own with at least one page
 * of zeros after it. They are not followed. Errors as of tt_map_open; *failed is the number of the file that
 * cannot be opened, or `count`.
 */
struct tt_status tt_map_open_files(const char *const *paths, unsigned count,
                                   const struct tt_map_options *options, unsigned *failed,
                                   struct tt_map **map);
/*
 * Returns the number of several files or of those of a directory; 0 for the map of one file. The files of a
 * directory are the regular ones whose names do not begin with a dot. They are sorted by name, after the descriptions,
 * which have the name `metadata`; one that is new while the directory grows comes last, so that numbers and positions
 * stay. Any thread, up to the number that it has read.
 */
unsigned tt_map_file_count(const struct tt_map *map);
struct tt_map_file tt_map_file(const struct tt_map *map, unsigned number);
/* Returns the descriptor of a file of several, as tt_map_source. */
int tt_map_file_source(const struct tt_map *map, unsigned number);

/* ---- bytes that the program makes ------------------------------------------------------------ */

/*
 * Creates a map of bytes that its owner appends, in a spool: such as unpacked pages of a file. tt_map_grow maps them.
 * `limit`: as spool_limit. The caller owns *map. TT_ERR_IO, TT_ERR_MEMORY.
 */
struct tt_status tt_map_of_own(uint64_t limit, struct tt_map **map);
/* Appends bytes. TT_ERR_IO: also if the limit is exceeded. */
struct tt_status tt_map_append(struct tt_map *map, const uint8_t *bytes, size_t length);

/* ---- pages ---------------------------------------------------------------------------------- */

/*
 * Restricts the map to the bytes [offset, offset + size) of those it has; it is not followed. Call
 * it before any byte is read.
 */
void tt_map_restrict(struct tt_map *map, uint64_t offset, uint64_t size);

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

#endif
