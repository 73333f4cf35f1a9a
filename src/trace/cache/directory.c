/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/xdg.h"
#include "trace/cache/identity.h"

#define PREFIX     "index-"
#define SUFFIX     ".XXXXXX"
#define NAME_BYTES (sizeof PREFIX - 1 + TT_IDENTITY_NAME + sizeof SUFFIX)
/* Seconds without a change after which an unfinished file counts as left by a killed process. */
#define ABANDONED_S 600

bool tt_cache_path(const char *folder, const char *name, char path[TT_CACHE_PATH])
{
    int length = snprintf(path, TT_CACHE_PATH, "%s" PREFIX "%s", folder, name);
    return length > 0 && (size_t)length + sizeof SUFFIX <= TT_CACHE_PATH;
}

int tt_cache_open(const char *path, uint64_t *size)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        info.st_size <= 0) {
        close(fd);
        return -1;
    }
    *size = (uint64_t)info.st_size;
    (void)futimens(fd, NULL); /* on failure it is merely removed earlier */
    return fd;
}

/* ---- room ---------------------------------------------------------------------------------- */

struct saved_file {
    char name[NAME_BYTES];
    bool unfinished;
    struct timespec used;
    uint64_t size;
};

struct listing {
    struct saved_file *files;
    uint32_t count;
    uint32_t capacity;
    uint64_t total; /* bytes */
};

/* Returns whether a name is one of an index cache, finished or being written. */
static bool is_ours(const char *name, bool *unfinished)
{
    size_t length = strlen(name), digits = sizeof PREFIX - 1 + TT_IDENTITY_NAME;
    *unfinished = length == digits + sizeof SUFFIX - 1 && name[digits] == '.';
    return strncmp(name, PREFIX, sizeof PREFIX - 1) == 0 &&
           strspn(name + sizeof PREFIX - 1, "0123456789abcdef") >= TT_IDENTITY_NAME &&
           (length == digits || *unfinished);
}

/* Adds a file to the list. Returns false if out of memory. */
static bool add_file(struct listing *list, const char *name, bool unfinished,
                     const struct stat *info)
{
    struct saved_file *files =
        tt_array_grow_32(list->files, list->count, &list->capacity, sizeof *files);
    if (!files) {
        return false;
    }
    list->files = files;
    struct saved_file *file = &files[list->count++];
    memset(file, 0, sizeof *file);
    memcpy(file->name, name, strlen(name));
    file->unfinished = unfinished;
    file->used = info->st_mtim;
    file->size = (uint64_t)info->st_size;
    list->total += file->size;
    return true;
}

/* Lists the index caches of a folder. Returns false if out of memory. */
static bool list_folder(DIR *folder, struct listing *list)
{
    time_t now = time(NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct stat info;
        bool unfinished;
        if (!is_ours(entry->d_name, &unfinished) ||
            fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode)) {
            continue;
        }
        if (unfinished && now - info.st_mtim.tv_sec > ABANDONED_S) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        } else if (!add_file(list, entry->d_name, unfinished, &info)) {
            return false;
        }
    }
    return true;
}

static int compare_use(const void *a, const void *b)
{
    const struct saved_file *left = a, *right = b;
    if (left->used.tv_sec != right->used.tv_sec) {
        return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
    }
    return (left->used.tv_nsec > right->used.tv_nsec) - (left->used.tv_nsec < right->used.tv_nsec);
}

/* Returns the number of bytes that all index caches may have. */
static uint64_t directory_bound_of(const char *folder, uint64_t limit, uint64_t total)
{
    uint64_t available;
    if (!tt_xdg_directory_available(folder, &available)) {
        return limit;
    }
    uint64_t quarter = (available + total) / 4;
    return quarter < limit ? quarter : limit;
}

static struct tt_status remove_oldest(DIR *folder, struct listing *list, uint64_t bound,
                                      uint64_t size)
{
    uint64_t busy = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        busy += list->files[i].unfinished ? list->files[i].size : 0;
    }
    if (size > bound || busy > bound - size) {
        return tt_error(TT_ERR_USAGE, "index cache limit exceeded");
    }
    if (list->count > 0) {
        qsort(list->files, list->count, sizeof *list->files, compare_use);
    }
    for (uint32_t i = 0; i < list->count && list->total > bound - size; i++) {
        const struct saved_file *file = &list->files[i];
        if (!file->unfinished && unlinkat(dirfd(folder), file->name, 0) == 0) {
            list->total -= file->size;
        }
    }
    return list->total <= bound - size ? tt_ok() : tt_error(TT_ERR_IO, "cannot remove old files");
}

struct tt_status tt_cache_make_room(const char *folder, uint64_t size, uint64_t limit)
{
    if (!tt_xdg_make_directory(folder)) {
        return tt_error_errno(errno, "folder");
    }
    DIR *open_folder = opendir(folder);
    if (!open_folder) {
        return tt_error_errno(errno, "folder");
    }
    struct listing list = {0};
    struct tt_status status = tt_error_memory();
    if (list_folder(open_folder, &list)) {
        status =
            remove_oldest(open_folder, &list, directory_bound_of(folder, limit, list.total), size);
    }
    free(list.files);
    closedir(open_folder);
    return status;
}
