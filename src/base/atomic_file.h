/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_file: a file that appears whole or not at all. It is written under another name in the
 * same folder, which takes the place of the target at the end:
 *
 *      tt_atomic_open --> write to file.fd ... --> tt_atomic_commit     the target is replaced
 *                                              \-> tt_atomic_abandon    nothing has changed
 *
 * The target is the path with its symbolic links followed, also where the last of them leads to
 * nothing: the link stays, the file that it names is made. A file that is replaced keeps its mode,
 * and its owner and group where this process may set them; where it may not, the new group gets no
 * more than others have.
 *
 * An error removes the temporary file, and so does a signal that ends the process where the handler
 * calls tt_atomic_remove_all (tt_atomic_catch_signals installs one that does). SIGKILL, a crash and
 * a power failure leave it: NAME.XXXXXX, where a long NAME is cut.
 *
 * Who owns what: the file owns its names until it is committed or abandoned; the path is copied.
 * Any thread, one at a time for each file.
 */
#ifndef TT_BASE_ATOMIC_FILE_H
#define TT_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum tt_atomic_flags {
    TT_ATOMIC_REPLACE = 1u << 0,  /* the target may be there; without it that is an error */
    TT_ATOMIC_SYNC = 1u << 1,     /* the bytes reach the disk before the name does */
    TT_ATOMIC_PRIVATE = 1u << 2,  /* a new file is for this user alone: mode 0600 */
    TT_ATOMIC_IN_PLACE = 1u << 3, /* a device or FIFO is written as it is; else it is an error */
};

struct tt_atomic_file {
    int fd; /* -1: not open */
    unsigned flags;
    unsigned slot;   /* in the list of those that a signal removes */
    char *target;    /* with links followed; NULL: the path is written in place */
    char *temporary; /* NULL: there is none (any more) */
};

/* What a file is before it is opened and after it is closed. */
struct tt_atomic_file tt_atomic_none(void);

/*
 * Opens a temporary file for the target of `path`. Returns 0 or what errno has: EEXIST where the
 * target is there and may not be replaced, ENOTSUP where it is no regular file. After an error the
 * file is as tt_atomic_none.
 */
int tt_atomic_open(struct tt_atomic_file *file, const char *path, unsigned flags);

/* Closes the file and gives it its name; returns 0 or errno. It is closed also after an error. */
int tt_atomic_commit(struct tt_atomic_file *file);

/* Closes the file and removes it; nothing where it is not open. */
void tt_atomic_abandon(struct tt_atomic_file *file);

/*
 * The path that a write to `path` reaches: its symbolic links followed, as many as the system
 * follows. The caller frees it. NULL with errno: out of memory, or a circle of links.
 */
char *tt_atomic_target(const char *path);

/* Removes the temporary files of all threads. For signal handlers. */
void tt_atomic_remove_all(void);

/*
 * Installs a handler that removes the temporary files and then ends the process by the signal, for
 * each signal of tt_signal_set_endings that is neither ignored nor handled. Stays; may be called
 * again. Main thread, before other handlers are put back.
 */
void tt_atomic_catch_signals(void);

#endif
