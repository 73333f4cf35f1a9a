/* SPDX-License-Identifier: Apache-2.0 */
/* atomic_file: writes a temporary file beside the target and renames it. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/signal_set.h"
#include "base/xdg.h"

#define LINKS_MOST 40u  /* symbolic links to follow, as on Linux */
#define NAME_MOST  248u /* maximum bytes of a file's name before the suffix */
#define SUFFIX     ".XXXXXX"
#define LINK_BYTES 4096

/*
 * ---- removal by a signal handler --------------------------------------------------------------
 */

/*
 * Paths of temporary files, readable by a signal handler while other threads write. The turn of a
 * slot is odd during a write and changes with each path: the handler copies a path and removes that
 * file only if the turn has not changed.
 */
#define SLOTS      16u
#define SLOT_BYTES 4096u
#define NO_SLOT    SLOTS

static struct {
    _Atomic bool taken;
    _Atomic unsigned turn;
    _Atomic bool live;
    char path[SLOT_BYTES];
} slots[SLOTS];

/*
 * Returns a slot for a path, or NO_SLOT if none is free or the path is too long; that file then
 * remains after a signal.
 */
static unsigned claim_slot(const char *path)
{
    size_t length = strlen(path) + 1;
    for (unsigned i = 0; length <= SLOT_BYTES && i < SLOTS; i++) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&slots[i].taken, &expected, true)) {
            atomic_fetch_add(&slots[i].turn, 1);
            memcpy(slots[i].path, path, length);
            atomic_fetch_add(&slots[i].turn, 1);
            atomic_store(&slots[i].live, true);
            return i;
        }
    }
    return NO_SLOT;
}

static void release_slot(unsigned slot)
{
    if (slot < SLOTS) {
        atomic_store(&slots[slot].live, false);
        atomic_store(&slots[slot].taken, false);
    }
}

void tt_atomic_remove_all(void)
{
    char path[SLOT_BYTES];
    int saved = errno;
    for (unsigned i = 0; i < SLOTS; i++) {
        unsigned turn = atomic_load(&slots[i].turn);
        if (turn % 2 != 0 || !atomic_load(&slots[i].live)) {
            continue;
        }
        memcpy(path, slots[i].path, sizeof path);
        if (atomic_load(&slots[i].turn) == turn && atomic_load(&slots[i].live)) {
            unlink(path);
        }
    }
    errno = saved;
}

void tt_atomic_disown_all(void)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        release_slot(i);
    }
}

static void die(int number)
{
    tt_atomic_remove_all();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
    raise(number); /* delivered when the handler returns */
}

void tt_atomic_catch_signals(void)
{
    struct sigaction action, old;
    sigset_t endings;
    tt_signal_set_endings(&endings);
    memset(&action, 0, sizeof action);
    sigfillset(&action.sa_mask);
    action.sa_handler = die;
    for (int number = 1; number <= TT_SIGNAL_MAX; number++) {
        if (sigismember(&endings, number) == 1 && sigaction(number, NULL, &old) == 0 &&
            !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL) {
            sigaction(number, &action, NULL);
        }
    }
}

/* ---- the target ----------------------------------------------------------------------------- */

/* Returns the path of a link's content relative to the link's folder; NULL if out of memory. */
static char *path_from(const char *link, const char *content)
{
    const char *slash = content[0] == '/' ? NULL : strrchr(link, '/');
    size_t folder = slash ? (size_t)(slash - link) + 1 : 0;
    size_t length = strlen(content) + 1;
    char *path = malloc(folder + length);
    if (path) {
        memcpy(path, link, folder);
        memcpy(path + folder, content, length);
    }
    return path;
}

char *tt_atomic_target(const char *path)
{
    char content[LINK_BYTES];
    char *target = strdup(path);
    for (unsigned links = 0; target; links++) {
        ssize_t length = readlink(target, content, sizeof content);
        if (length < 0 && (errno == EINVAL || errno == ENOENT)) {
            return target; /* no link, or missing */
        }
        if (length < 0) {
            int error = errno;
            free(target);
            errno = error;
            return NULL;
        }
        if (links == LINKS_MOST || (size_t)length == sizeof content) {
            free(target);
            errno = links == LINKS_MOST ? ELOOP : ENAMETOOLONG;
            return NULL;
        }
        content[length] = '\0';
        char *next = path_from(target, content);
        free(target);
        target = next;
    }
    errno = ENOMEM;
    return NULL;
}

/* ---- the temporary file ---------------------------------------------------------------------- */

struct tt_atomic_file tt_atomic_none(void)
{
    struct tt_atomic_file none = {.fd = -1, .slot = NO_SLOT};
    return none;
}

static char *name_beside(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    size_t name = strlen(target + folder);
    size_t kept = folder + (name < NAME_MOST ? name : NAME_MOST);
    char *path = malloc(kept + sizeof SUFFIX);
    if (path) {
        memcpy(path, target, kept);
        memcpy(path + kept, SUFFIX, sizeof SUFFIX);
    }
    return path;
}

static int create_temporary(struct tt_atomic_file *file, const struct stat *old)
{
    char *name = name_beside(file->target);
    if (!name) {
        return ENOMEM;
    }
    file->fd = mkstemp(name);
    if (file->fd < 0) {
        int error = errno;
        free(name);
        return error;
    }
    file->temporary = name;
    file->slot = claim_slot(name);
    (void)fcntl(file->fd, F_SETFD, FD_CLOEXEC);

    /*
     * Copies owner, group and mode of the replaced file; reduces the mode if the group cannot be
     * kept.
     */
    int fd = file->fd;
    bool own = file->flags & TT_ATOMIC_PRIVATE;
    mode_t mode = own && !old ? 0600 : tt_xdg_file_mode(old);
    struct stat now;
    if (old && fstat(fd, &now) == 0 && (now.st_uid != old->st_uid || now.st_gid != old->st_gid)) {
        if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0) {
            mode = (mode & ~(mode_t)070) | (mode & (mode << 3) & 070);
        }
    }
    return fchmod(fd, mode) == 0 ? 0 : errno;
}

static int open_target(struct tt_atomic_file *file, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) {
        return errno; /* it may exist as another type of file */
    }
    if (exists && !S_ISREG(old.st_mode)) {
        if (!(file->flags & TT_ATOMIC_IN_PLACE)) {
            return ENOTSUP;
        }
        file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return file->fd < 0 ? errno : 0;
    }
    if (exists && !(file->flags & TT_ATOMIC_REPLACE)) {
        return EEXIST;
    }
    file->target = tt_atomic_target(path);
    return file->target ? create_temporary(file, exists ? &old : NULL) : errno;
}

int tt_atomic_open(struct tt_atomic_file *file, const char *path, unsigned flags)
{
    *file = tt_atomic_none();
    file->flags = flags;
    int error = open_target(file, path);
    if (error != 0) {
        tt_atomic_abandon(file);
    }
    return error;
}

/* ---- commit and abandon ---------------------------------------------------------------------- */

/* Syncs the file; a file system without sync is not an error. */
static int sync_file(const struct tt_atomic_file *file)
{
    if (!(file->flags & TT_ATOMIC_SYNC) || !file->temporary || fsync(file->fd) == 0 ||
        errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) {
        return 0;
    }
    return errno;
}

/*
 * Renames the temporary file to the target; fails if the target has appeared, unless REPLACE is
 * set.
 */
static int rename_temporary(const struct tt_atomic_file *file)
{
    if (!(file->flags & TT_ATOMIC_REPLACE)) {
        if (link(file->temporary, file->target) == 0) {
            unlink(file->temporary);
            return 0;
        }
        if (errno == EEXIST || access(file->target, F_OK) == 0) {
            return EEXIST;
        }
        /* Some file systems have no hard links. */
    }
    return rename(file->temporary, file->target) == 0 ? 0 : errno;
}

static void atomic_file_forget(struct tt_atomic_file *file, bool remove)
{
    if (file->temporary && remove) {
        unlink(file->temporary);
    }
    release_slot(file->slot);
    free(file->temporary);
    free(file->target);
    *file = tt_atomic_none();
}

int tt_atomic_commit(struct tt_atomic_file *file)
{
    int error = sync_file(file);
    if (close(file->fd) != 0 && error == 0) {
        error = errno;
    }
    if (error == 0 && file->temporary) {
        error = rename_temporary(file);
    }
    atomic_file_forget(file, error != 0);
    return error;
}

void tt_atomic_abandon(struct tt_atomic_file *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    atomic_file_forget(file, true);
}
