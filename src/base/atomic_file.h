/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_file: writes a file that appears completely or not at all. The data go to a temporary file
 * in the same folder, which replaces the target at the end:
 *
 *      tt_atomic_open --> write to file.fd ... --> tt_atomic_commit     the target is replaced
 *                                              \-> tt_atomic_abandon    nothing has changed
 *
 * The target is the path with its symbolic links followed, even if the last one is dangling: the
 * link stays and its target is created. A replaced file keeps its mode, and its owner and group if
 * this process may set them; if not, the new group gets no more rights than others.
 *
 * An error removes the temporary file, and so does a fatal signal whose handler calls
 * tt_atomic_remove_all (tt_atomic_catch_signals installs one). After SIGKILL, a crash or a power
 * failure it remains as NAME.XXXXXX, with a long NAME truncated.
 *
 * Ownership: the file owns its names until it is committed or abandoned; the path is copied. Any
 * thread, one at a time per file.
 */
#ifndef TT_BASE_ATOMIC_FILE_H
#define TT_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum tt_atomic_flags {
    TT_ATOMIC_REPLACE = 1u << 0,  /* the target may exist; otherwise EEXIST */
    TT_ATOMIC_SYNC = 1u << 1,     /* the data reach the disk before the rename */
    TT_ATOMIC_PRIVATE = 1u << 2,  /* a new file gets mode 0600 */
    TT_ATOMIC_IN_PLACE = 1u << 3, /* write directly to a device or FIFO; otherwise ENOTSUP */
};

struct tt_atomic_file {
    int fd; /* -1: not open */
    unsigned flags;
    unsigned slot;   /* in the list of files that a signal removes */
    char *target;    /* with links followed; NULL: the path is written in place */
    char *temporary; /* NULL: none */
};

/* Returns a file that is not open. */
struct tt_atomic_file tt_atomic_none(void);

/*
 * Opens a temporary file for the target of `path`. Returns 0 or an errno value: EEXIST if the
 * target exists and must not be replaced, ENOTSUP if it is not a regular file. After an error the
 * file equals tt_atomic_none.
 */
int tt_atomic_open(struct tt_atomic_file *file, const char *path, unsigned flags);

/*
 * Closes the file and renames it to the target; returns 0 or an errno value. Closes it after an
 * error, too.
 */
int tt_atomic_commit(struct tt_atomic_file *file);

/* Closes and removes the file; does nothing if it is not open. */
void tt_atomic_abandon(struct tt_atomic_file *file);

/*
 * Returns the path with its symbolic links followed, up to the system's limit; the caller frees it.
 * NULL with errno: out of memory, a cycle of links, or a link that cannot be read. A missing file is
 * not an error.
 */
char *tt_atomic_target(const char *path);

/* Removes the temporary files of all threads. Async-signal-safe. */
void tt_atomic_remove_all(void);

/* For a child process: a signal that ends it leaves the temporary files of its parent. */
void tt_atomic_disown_all(void);

/*
 * Installs a handler that removes the temporary files and then ends the process by the signal, for
 * each signal of tt_signal_set_endings that is neither ignored nor handled. Permanent; may be
 * called again. Main thread, before other handlers are installed.
 */
void tt_atomic_catch_signals(void);

#endif
