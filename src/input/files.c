/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files: several files at one address range: the files of a directory, or the parts of a capture beside each other.
 *
 *      base     at of file 1                at of file 2
 *       |-- file 0 --|zeros|-- file 1 --|zeros|-- file 2 --|zeros|      not followed
 *       |-- file 0 --|   room   |-- file 1 --|   room   |        |      followed
 *
 * Files that are followed grow into their rooms; a new file of a directory is mapped after the others.
 *
 * Parts are raw pages of trace-cmd, OUT.cpu0, OUT.cpu1, ..., or a file whose descriptions are elsewhere
 * (tt_map_options.metadata). They are the files of a directory whose names begin alike, and file 0 has the descriptions.
 * A pipe with descriptions elsewhere is file 1, of no directory.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/platform.h"
#include "input/map_internal.h"
#include "input/sigbus_guard.h"

#define METADATA    "metadata"
#define FILES_MOST  4096u
#define LEVELS_MOST 8u                  /* of directories within each other */
#define FILE_ROOM   (UINT64_C(1) << 32) /* for the growth of a file */
#define FOLDER_ROOM (UINT64_C(1) << 40) /* for new files */

struct file {
    char *name;
    struct tt_map *input; /* not mapped */
    uint64_t at;
    uint64_t room;
    size_t mapped;         /* whole pages */
    _Atomic uint64_t size; /* bytes that are mapped */
};

struct tt_map_files {
    char *folder;     /* NULL: the files are of no directory */
    bool is_session;  /* files of directories in it that have descriptions: "kernel/channel0_1" */
    char *part;       /* the begin of the names of parts; NULL: all files of the directory */
    bool is_numbered; /* a number follows it; else it is the whole name */
    struct tt_map_options options;
    struct file *list; /* with room for FILES_MOST in a directory that is followed */
    size_t capacity;
    _Atomic unsigned count;
};

void tt_map_files_free(struct tt_map_files *files)
{
    for (unsigned i = 0; files && i < files->count; i++) {
        free(files->list[i].name);
        tt_map_close(files->list[i].input);
    }
    if (files) {
        free(files->folder);
        free(files->part);
        free(files->list);
        free(files);
    }
}

/* Creates a map for up to `capacity` files. */
static struct tt_status files_new(const struct tt_map_options *options, size_t capacity,
                                  struct tt_map **result)
{
    struct tt_map *map = tt_map_new();
    struct tt_map_files *files = calloc(1, sizeof *files);
    struct file *list = calloc(capacity, sizeof *list);
    if (!map || !files || !list) {
        free(map);
        free(files);
        free(list);
        return tt_error_memory();
    }
    files->options = *options;
    files->list = list;
    files->capacity = capacity;
    map->files = files;
    *result = map;
    return tt_ok();
}

/* ---- opening and mapping --------------------------------------------------------------------- */

/* Adds a file that is open, which it owns, as the next one of the list. */
static struct tt_status files_add_input(struct tt_map_files *files, struct tt_map *map,
                                        const char *name)
{
    struct file *file = &files->list[files->count];
    file->input = map;
    file->name = strdup(name);
    if (!file->name) {
        tt_map_close(map);
        return tt_error_memory();
    }
    const uint64_t page = map->page, size = (tt_map_file_size(map) + page - 1) / page * page;
    const struct file *before = files->count > 0 ? file - 1 : NULL;
    file->at = before ? before->at + before->room : 0;
    file->room = size + (files->options.follow ? FILE_ROOM : page);
    atomic_fetch_add(&files->count, 1);
    return tt_ok();
}

/* Opens a file, which is the next one of the list. */
static struct tt_status files_add(struct tt_map_files *files, const char *path, const char *name)
{
    struct tt_map *map;
    struct tt_status status = tt_map_open_input(path, &files->options, &map);
    return tt_failed(&status) ? status : files_add_input(files, map, name);
}

/* Maps the bytes of a file that are there, and zeros after them. */
static struct tt_status files_map(struct tt_map *map, struct file *file)
{
    const uint64_t size = tt_map_file_size(file->input);
    const size_t want = ((size_t)size + map->page - 1) / map->page * map->page;
    uint8_t *base = map->base + file->at;
    if (size + map->page > file->room || file->at + file->room > map->reserved) {
        return tt_error(TT_ERR_MEMORY, "the file outgrew its reserved address space");
    }
    if (want > file->mapped &&
        mmap(base + file->mapped, want - file->mapped, PROT_READ, MAP_SHARED | MAP_FIXED,
             tt_map_fd(file->input), (off_t)file->mapped) == MAP_FAILED) {
        return tt_error_errno(errno, "map");
    }
    if ((want > file->mapped || want == 0) && !tt_platform_zero(base + want, map->page)) {
        return tt_error_errno(errno, "map");
    }
    file->mapped = want;
    file->size = size;
    const uint64_t end = file->at + want + map->page;
    if (end > map->size) {
        map->mapped = (size_t)end;
        map->size = end;
    }
    return tt_ok();
}

/* Reserves the range of all files that are open, and maps them. */
static struct tt_status files_map_all(struct tt_map *map)
{
    struct tt_map_files *files = map->files;
    const struct file *last = &files->list[files->count - 1];
    const uint64_t size = last->at + last->room;
    struct tt_status status = tt_map_reserve(map, size, files->options.follow ? FOLDER_ROOM : 0);
    if (!tt_failed(&status) &&
        (!tt_sigbus_guard_install() || !tt_sigbus_guard_add(map->base, map->reserved))) {
        status = tt_error(TT_ERR_IO, "too many files are mapped");
    }
    for (unsigned i = 0; i < files->count && !tt_failed(&status); i++) {
        status = files_map(map, &files->list[i]);
    }
    return status;
}

struct tt_status tt_map_open_files(const char *const *paths, unsigned count,
                                   const struct tt_map_options *options, unsigned *failed,
                                   struct tt_map **result)
{
    struct tt_map *map;
    *result = NULL;
    *failed = count;
    struct tt_status status = files_new(options, count, &map);
    if (tt_failed(&status)) {
        return status;
    }
    map->files->options.early = 0;
    for (unsigned i = 0; i < count && !tt_failed(&status); i++) {
        status = files_add(map->files, paths[i], paths[i]);
        *failed = tt_failed(&status) ? i : count;
    }
    status = tt_failed(&status) ? status : files_map_all(map);
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
}

/* ---- a directory ----------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

char **tt_map_list_folder(const char *path, size_t *count)
{
    char **names = calloc(1, sizeof *names);
    size_t capacity = 1;
    DIR *folder = names ? opendir(path) : NULL;
    *count = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        char *name = entry->d_name[0] == '.' ? NULL : strdup(entry->d_name);
        char **more = name ? tt_array_grow(names, *count, &capacity, sizeof *names) : NULL;
        if (more) {
            names = more;
            names[(*count)++] = name;
        } else {
            free(name);
        }
    }
    if (!folder) {
        const int error = errno;
        free(names);
        errno = error;
        return NULL;
    }
    closedir(folder);
    qsort(names, *count, sizeof *names, compare_names);
    return names;
}

/* Returns the length of a path before the number of a CPU: of "trace.dat.cpu" in trace.dat.cpu3; 0: it has none. */
static size_t files_number_at(const char *path)
{
    size_t length = strlen(path), digits = 0;
    while (digits < length && isdigit((unsigned char)path[length - digits - 1])) {
        digits++;
    }
    length -= digits;
    return digits > 0 && length > 4 && memcmp(path + length - 4, ".cpu", 4) == 0 ? length : 0;
}

bool tt_map_is_part(const char *path)
{
    return files_number_at(path) > 0;
}

/* Returns whether a name is one of the parts. */
static bool is_part(const struct tt_map_files *files, const char *name)
{
    return !files->part ||
           (files->is_numbered ? files_number_at(name) == strlen(files->part) &&
                                     strncmp(name, files->part, strlen(files->part)) == 0
                               : strcmp(name, files->part) == 0);
}

static bool files_is_listed(const struct tt_map_files *files, const char *name)
{
    for (unsigned i = 0; i < files->count; i++) {
        if (strcmp(files->list[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens the file `name` of the directory, unless it is open already or no regular file. */
static struct tt_status folder_add(struct tt_map_files *files, const char *name)
{
    char path[4096];
    struct stat info;
    int length = snprintf(path, sizeof path, "%s/%s", files->folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return tt_error_errno(ENAMETOOLONG, "open");
    }
    if (files_is_listed(files, name) || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return tt_ok();
    }
    if (files->count == files->capacity) {
        return tt_error(TT_ERR_IO, "the directory has more than %u files", FILES_MOST);
    }
    struct tt_status status = files_add(files, path, name);
    return tt_failed(&status) ? tt_status_context(status, name) : status;
}

/*
 * Opens files of a session: those with descriptions of all its directories, or the other ones of the directories that
 * have these. `inner` ends with a slash or is empty.
 */
static struct tt_status session_scan(struct tt_map_files *files, const char *inner, unsigned level,
                                     bool descriptions)
{
    size_t count;
    struct tt_status status = tt_ok();
    char name[4096], path[4096];
    snprintf(path, sizeof path, "%s/%s", files->folder, inner);
    char **names = tt_map_list_folder(path, &count);
    snprintf(name, sizeof name, "%s" METADATA, inner);
    const bool is_trace = files_is_listed(files, name);
    for (size_t i = 0; names && i < count; i++) {
        struct stat info;
        int length = snprintf(name, sizeof name, "%s%s", inner, names[i]);
        int whole = snprintf(path, sizeof path, "%s/%s", files->folder, name);
        const bool fits = length > 0 && (size_t)length + 1 < sizeof name && whole > 0 &&
                          (size_t)whole < sizeof path && !tt_failed(&status);
        if (fits && lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            name[length] = '/';
            name[length + 1] = '\0';
            if (level < LEVELS_MOST) {
                status = session_scan(files, name, level + 1, descriptions);
            }
        } else if (fits && (descriptions ? strcmp(names[i], METADATA) == 0 : is_trace)) {
            status = folder_add(files, name);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* Opens the files of the directory that are new, in the order of their names. */
static struct tt_status folder_scan(struct tt_map_files *files)
{
    if (files->is_session) {
        struct tt_status opened = session_scan(files, "", 0, true);
        return tt_failed(&opened) ? opened : session_scan(files, "", 0, false);
    }
    size_t count;
    char **names = tt_map_list_folder(files->folder, &count);
    struct tt_status status = names ? tt_ok() : tt_error_errno(errno, "open");
    for (size_t i = 0; i < count; i++) {
        if (!tt_failed(&status) && is_part(files, names[i])) {
            status = folder_add(files, names[i]);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* Sets the directory, and which of its files are parts. */
static struct tt_status set_folder(struct tt_map_files *files, const char *path)
{
    struct stat info;
    const bool is_input = strcmp(path, "-") == 0;
    if (!is_input && stat(path, &info) != 0) {
        return tt_error_errno(errno, "open");
    }
    if (is_input ||
        (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))) { /* a pipe, a serial line */
        files->part = strdup("");
        return files->part ? tt_ok() : tt_error_memory();
    }
    if (S_ISDIR(info.st_mode)) {
        files->folder = strdup(path);
        return files->folder ? tt_ok() : tt_error_memory();
    }
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t number = files_number_at(name);
    files->is_numbered = number > 0;
    files->part = strndup(name, number > 0 ? number : strlen(name));
    files->folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    return files->part && files->folder ? tt_ok() : tt_error_memory();
}

/* Opens file 0, the descriptions: those of the options, of the directory, or of the running kernel. */
static struct tt_status add_metadata(struct tt_map_files *files)
{
    const char *path = files->options.metadata;
    struct tt_map *map = NULL;
    struct stat info;
    struct tt_status status = tt_ok();
    if (!path && !files->part) {
        status = folder_add(files, METADATA);
        files->is_session = files->count == 0;
        return status;
    }
    if (!path || (stat(path, &info) == 0 && S_ISDIR(info.st_mode))) {
        status = tt_map_tracing(path, &map);
    } else {
        struct tt_map_options whole = files->options;
        whole.follow = false;
        status = tt_map_open_input(path, &whole, &map);
    }
    if (tt_failed(&status)) {
        return path ? tt_status_context(status, path) : status;
    }
    return files_add_input(files, map, METADATA);
}

struct tt_status tt_map_open_folder(const char *path, const struct tt_map_options *options,
                                    struct tt_map **result)
{
    struct tt_map *map;
    struct tt_status status = files_new(options, FILES_MOST, &map);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_map_files *files = map->files;
    files->options.early = 0;
    files->options.copy = false;
    files->options.kinds = TT_MAP_FILES;
    files->options.remote = NULL;
    status = set_folder(files, path);
    status = tt_failed(&status) ? status : add_metadata(files);
    if (!tt_failed(&status) && !files->folder) {
        files->options.kinds = options->kinds;
        status = files_add(files, path, "stream");
        const struct tt_map *pipe = tt_failed(&status) ? NULL : files->list[1].input;
        if (pipe && pipe->spool) {
            map->spool = pipe->spool;
            map->is_pipe = pipe->is_pipe;
            tt_spool_hold(map->spool);
        }
    }
    status = tt_failed(&status) || !files->folder ? status : folder_scan(files);
    if (!tt_failed(&status) && files->count == 0) {
        status = tt_error(TT_ERR_IO, "is a directory");
    }
    status = tt_failed(&status) ? status : files_map_all(map);
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
}

struct tt_status tt_map_files_grow(struct tt_map *map, bool *grown)
{
    struct tt_map_files *files = map->files;
    struct tt_status status = tt_ok();
    if (!files->options.follow) {
        return status;
    }
    const unsigned had = files->count;
    status = files->folder ? folder_scan(files) : status;
    for (unsigned i = 0; i < files->count && !tt_failed(&status); i++) {
        struct file *file = &files->list[i];
        if (i >= had || tt_map_file_size(file->input) > file->size) {
            status = files_map(map, file);
            *grown = true;
        }
    }
    return status;
}

/* ---- state ----------------------------------------------------------------------------------- */

unsigned tt_map_file_count(const struct tt_map *map)
{
    return map->files ? map->files->count : 0;
}

struct tt_map_file tt_map_file(const struct tt_map *map, unsigned number)
{
    const struct file *file = &map->files->list[number];
    const struct tt_arrival arrival = tt_map_arrival(file->input);
    return (struct tt_map_file){.name = file->name,
                                .at = file->at,
                                .bytes = tt_bytes_of(map->base + file->at, file->size),
                                .damage = arrival.damage,
                                .damage_at = arrival.damage_at};
}

int tt_map_file_source(const struct tt_map *map, unsigned number)
{
    return tt_map_source(map->files->list[number].input);
}

uint64_t tt_map_files_size(const struct tt_map *map)
{
    for (unsigned i = 0; i < map->files->count; i++) {
        const struct file *file = &map->files->list[i];
        uint64_t size = tt_map_file_size(file->input);
        if (size < file->size) {
            return file->at + size;
        }
    }
    return map->size;
}

bool tt_map_files_are_own(const struct tt_map *map)
{
    bool own = true;
    for (unsigned i = 0; i < map->files->count; i++) {
        own = own && tt_map_is_own(map->files->list[i].input);
    }
    return own;
}
