/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping: growth in place, truncation while mapped, spooling of compressed files and pipes, all at
 * once or early. */
#define _GNU_SOURCE 1 /* mincore */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "faults/faults.h"
#include "input/sigbus_guard.h"
#include "tracetui/map.h"

static char path[64];

static int make_file(const void *bytes, size_t length)
{
    snprintf(path, sizeof path, "/tmp/tracetui-test-XXXXXX");
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
    return fd;
}

static struct tt_map *open_map(uint64_t spool_limit)
{
    struct tt_map_options options = {.spool_limit = spool_limit};
    struct tt_map *map = NULL;
    struct tt_status status = tt_map_open(path, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return map;
}

Test(map, grows_in_place)
{
    int fd = make_file("abc", 3);
    struct tt_map *map = open_map(0);
    struct tt_bytes before = tt_map_bytes(map);
    cr_expect_eq(before.size, 3);
    static char more[100000];
    memset(more, 'd', sizeof more);
    cr_assert_eq(write(fd, more, sizeof more), (ssize_t)sizeof more);
    bool grown = false;
    struct tt_status status = tt_map_grow(map, &grown);
    cr_assert(!tt_failed(&status));
    cr_expect(grown);
    struct tt_bytes after = tt_map_bytes(map);
    cr_expect_eq(after.data, before.data);
    cr_expect_eq(after.size, 100003);
    cr_expect_eq(memcmp(after.data, "abcd", 4), 0);
    cr_expect_eq(after.data[100002], 'd');
    tt_map_grow(map, &grown);
    cr_expect(!grown);
    tt_map_close(map);
    close(fd);
    unlink(path);
}

static volatile unsigned sink;

static void touch(void *arg)
{
    const struct tt_bytes *bytes = arg;
    for (uint64_t i = 0; i < bytes->size; i += 512) {
        sink += bytes->data[i];
    }
}

static void touch_guarded(void *arg)
{
    cr_expect(!tt_sigbus_guard(touch, arg));
    /* The outer guard still works after a jump out of the inner one. */
    touch(arg);
}

Test(map, a_file_that_shrinks_ends_the_guarded_call_only)
{
    static char bytes[65536];
    int fd = make_file(bytes, sizeof bytes);
    struct tt_map *map = open_map(0);
    struct tt_bytes mapped = tt_map_bytes(map);
    cr_expect(tt_sigbus_guard(touch, &mapped));
    cr_assert_eq(ftruncate(fd, 100), 0);
    cr_expect_eq(tt_map_file_size(map), 100);
    cr_expect(!tt_sigbus_guard(touch, &mapped));
    cr_expect(!tt_sigbus_guard(touch_guarded, &mapped));
    cr_expect(!tt_sigbus_guard(touch, &mapped));
    tt_map_close(map);
    close(fd);
    unlink(path);
}

Test(map, missing_pages_of_a_filled_mapping_read_as_zeros)
{
    static const size_t size = 1 << 20;
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    uint8_t *bytes = malloc(size);
    memset(bytes, 7, size);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fflush(file), 0);
    const uint8_t *base = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    cr_assert_neq(base, MAP_FAILED);
    cr_assert(tt_sigbus_guard_install());
    _Atomic bool gone = false;
    cr_assert(tt_sigbus_guard_add_filled(base, size, &gone));
    cr_expect_eq(base[size - 1], 7);
    cr_expect(!gone);
    cr_assert_eq(ftruncate(fileno(file), 65536), 0);
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += base[i];
    }
    cr_expect_eq(sum, 7 * 65536);
    cr_expect(gone, "and the flag is set");
    tt_sigbus_guard_remove(base);
    munmap((void *)(uintptr_t)base, size);
    free(bytes);
    fclose(file);
}

Test(map, gzip_reads_as_the_file_inside)
{
    static char bytes[300000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 31 >> 3);
    }
    int fd = make_file("", 0);
    gzFile gz = gzdopen(fd, "wb");
    cr_assert_eq(gzwrite(gz, bytes, sizeof bytes), (int)sizeof bytes);
    gzclose(gz);
    struct tt_map *map = open_map(0);
    cr_expect_eq(tt_map_bytes(map).size, sizeof bytes);
    cr_expect_eq(memcmp(tt_map_bytes(map).data, bytes, sizeof bytes), 0);
    tt_map_close(map);
    struct tt_map_options small = {.spool_limit = 1000};
    struct tt_status status = tt_map_open(path, &small, &map);
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_null(map);
    unlink(path);
}

Test(map, zstd_reads_as_the_file_inside)
{
    static char bytes[300000], packed[400000];
    memset(bytes, 'z', sizeof bytes);
    size_t size = ZSTD_compress(packed, sizeof packed, bytes, sizeof bytes, 3);
    cr_assert(!ZSTD_isError(size));
    int fd = make_file(packed, size);
    struct tt_map *map = open_map(0);
    cr_expect_eq(tt_map_bytes(map).size, sizeof bytes);
    cr_expect_eq(memcmp(tt_map_bytes(map).data, bytes, sizeof bytes), 0);
    tt_map_close(map);
    /* Truncated: the complete part is readable. */
    cr_assert_eq(ftruncate(fd, (off_t)size - 3), 0);
    map = open_map(0);
    cr_expect_leq(tt_map_bytes(map).size, sizeof bytes);
    tt_map_close(map);
    close(fd);
    unlink(path);
}

Test(map, a_pipe_reads_as_a_file)
{
    snprintf(path, sizeof path, "/tmp/tracetui-fifo-%ld", (long)getpid());
    cr_assert_eq(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_WRONLY);
        for (int i = 0; i < 1000; i++) {
            if (write(fd, "0123456789", 10) != 10) {
                _exit(1);
            }
        }
        _exit(0);
    }
    struct tt_map *map = open_map(0);
    cr_expect_eq(tt_map_bytes(map).size, 10000);
    cr_expect_eq(tt_map_bytes(map).data[9999], '9');
    tt_map_close(map);
    unlink(path);
}

/* Makes `path` a gzip file and opens it early; `bytes` are those inside. */
static struct tt_map *open_early(const char *bytes, size_t size)
{
    struct tt_map_options options = {.early = 1000};
    struct tt_map *map = NULL;
    gzFile gz = gzdopen(make_file("", 0), "wb");
    cr_assert_eq(gzwrite(gz, bytes, (unsigned)size), (int)size);
    gzclose(gz);
    struct tt_status status = tt_map_open(path, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return map;
}

Test(map, opened_early_it_is_the_same_in_the_end)
{
    const size_t size = 3000000;
    char *bytes = malloc(size);
    cr_assert(bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(i * i >> 5);
    }
    struct tt_map *map = open_early(bytes, size), *again;
    struct tt_status status;
    const uint8_t *data = tt_map_bytes(map).data;
    cr_expect_geq(tt_map_bytes(map).size, 1000);
    for (bool over = false; !over;) {
        bool grown;
        tt_map_wait(map, tt_map_bytes(map).size + 1, UINT64_MAX, NULL, NULL);
        over = !tt_map_arrival(map).more;
        status = tt_map_grow(map, &grown);
        cr_assert(!tt_failed(&status), "%s", status.text);
        uint64_t there = tt_map_bytes(map).size;
        cr_assert_eq(memcmp(tt_map_bytes(map).data, bytes, there), 0, "%d", (int)there);
    }
    cr_expect_eq(tt_map_bytes(map).size, size);
    cr_expect_eq(tt_map_bytes(map).data, data);
    cr_expect(tt_map_is_own(map) && tt_map_arrival(map).over);
    cr_expect_eq(tt_map_source(map), -1);
    status = tt_map_reopen(map, &again);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_expect_eq(tt_map_bytes(again).size, size);
    tt_map_close(again);
    tt_map_close(map);
    free(bytes);
    unlink(path);
}

/* It cannot grow where little address space is left: then all is there at once. */
Test(map, opened_early_without_room_to_grow)
{
    const size_t size = 30000000; /* they take some time to arrive */
    char *bytes = calloc(size, 1);
    const struct fault none = {.call = FAULT_MAP, .nth = 1, .error = ENOMEM};
    cr_assert(bytes);
    faults_arm(&none);
    struct tt_map *map = open_early(bytes, size);
    faults_disarm();
    cr_expect(faults_struck());
    cr_expect_eq(tt_map_bytes(map).size, size);
    cr_expect(tt_map_arrival(map).over);
    tt_map_close(map);
    free(bytes);
    unlink(path);
}

Test(map, a_failed_open_has_a_reason)
{
    struct tt_map *map = NULL;
    struct tt_status status = tt_map_open("/no/such/file", NULL, &map);
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect(strstr(status.text, "No such file"));
    status = tt_map_open("/tmp", NULL, &map);
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_str_eq(status.text, "is a directory");
    cr_expect_null(map);
}

/* ---- several files --------------------------------------------------------------------------- */

static void add_file(const char *folder, const char *name, const char *text)
{
    char file[200];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *to = fopen(file, "ab");
    cr_assert_not_null(to);
    fputs(text, to);
    cr_assert_eq(fclose(to), 0);
}

static void expect_file(const struct tt_map *map, unsigned number, const char *name,
                        const char *text)
{
    const struct tt_map_file file = tt_map_file(map, number);
    cr_expect(strcmp(file.name, name) == 0, "%u: %s, not %s", number, file.name, name);
    cr_assert_eq(file.bytes.size, strlen(text), "%s: %d", name, (int)file.bytes.size);
    cr_expect_eq(memcmp(file.bytes.data, text, strlen(text)), 0, "%s", name);
    cr_expect_eq(file.bytes.data, tt_map_bytes(map).data + file.at);
    cr_expect_eq(file.bytes.data[file.bytes.size], 0, "zeros follow");
}

static void remove_folder(const char *folder)
{
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

/* The files of a directory, and how they grow while it is followed. */
Test(map, a_directory_is_its_files)
{
    char folder[] = "/tmp/tracetui-folder-XXXXXX", inner[200];
    struct tt_map_options options = {.folders = true, .follow = true};
    struct tt_map *map = NULL;
    bool grown;
    cr_assert_not_null(mkdtemp(folder));
    struct tt_status status = tt_map_open(folder, &options, &map);
    cr_expect_str_eq(status.text, "is a directory", "without metadata");
    add_file(folder, "stream_10", "ten");
    add_file(folder, "stream_1", "");
    add_file(folder, ".hidden", "x");
    add_file(folder, "metadata", "text");
    snprintf(inner, sizeof inner, "%s/index", folder);
    cr_assert_eq(mkdir(inner, 0700), 0);
    status = tt_map_open(folder, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_map_file_count(map), 3, "%u", tt_map_file_count(map));
    expect_file(map, 0, "metadata", "text");
    expect_file(map, 1, "stream_1", "");
    expect_file(map, 2, "stream_10", "ten");
    status = tt_map_grow(map, &grown);
    cr_expect(!tt_failed(&status) && !grown);

    const uint8_t *data = tt_map_bytes(map).data;
    add_file(folder, "metadata", " and more");
    add_file(folder, "stream_1", "one");
    add_file(folder, "a", "new");
    status = tt_map_grow(map, &grown);
    cr_expect(!tt_failed(&status) && grown, "%s", status.text);
    cr_assert_eq(tt_map_file_count(map), 4);
    expect_file(map, 0, "metadata", "text and more");
    expect_file(map, 1, "stream_1", "one");
    expect_file(map, 2, "stream_10", "ten");
    expect_file(map, 3, "a", "new");
    cr_expect_eq(tt_map_bytes(map).data, data, "its address stays");
    tt_map_close(map);

    options.follow = false;
    status = tt_map_open(folder, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    expect_file(map, 1, "a", "new");
    cr_expect_lt(tt_map_bytes(map).size, 100000);
    tt_map_close(map);
    remove_folder(folder);
}

/* Files are compressed or not; a missing one is named by its number. */
Test(map, several_files_at_one_range)
{
    char folder[] = "/tmp/tracetui-folder-XXXXXX", names[3][200];
    const char *paths[3];
    struct tt_map_options options = {.early = 1};
    struct tt_map *map = NULL;
    unsigned failed;
    cr_assert_not_null(mkdtemp(folder));
    for (unsigned i = 0; i < 3; i++) {
        snprintf(names[i], sizeof names[i], "%s/%u", folder, i);
        paths[i] = names[i];
    }
    add_file(folder, "0", "plain");
    gzFile gz = gzopen(names[1], "wb");
    cr_assert_eq(gzwrite(gz, "packed", 6), 6);
    gzclose(gz);
    struct tt_status status = tt_map_open_files(paths, 3, &options, &failed, &map);
    cr_expect(tt_failed(&status) && failed == 2 && map == NULL);
    status = tt_map_open_files(paths, 2, &options, &failed, &map);
    cr_assert(!tt_failed(&status) && failed == 2, "%s", status.text);
    expect_file(map, 0, names[0], "plain");
    expect_file(map, 1, names[1], "packed");
    cr_expect_not(tt_map_is_own(map));
    cr_expect_eq(tt_map_source(map), -1);
    cr_assert_eq(truncate(names[0], 2), 0);
    cr_expect_eq(tt_map_file_size(map), 2, "the end of the file that has shrunk");
    tt_map_close(map);
    remove_folder(folder);
}

/* Released pages are read again from the file. */
Test(map, released_pages_are_read_again)
{
    static char bytes[300000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 7 + i / 4096);
    }
    int fd = make_file(bytes, sizeof bytes);
    struct tt_map *map = open_map(0);
    static const uint64_t places[][2] = {{0, 300000},      {5, 4090},         {5000, 5000},
                                         {200000, 90},     {0, UINT64_MAX},   {299999, 400000},
                                         {4096, 2 * 4096}, {1000000, 2000000}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct tt_bytes now = tt_map_bytes(map);
        cr_assert_eq(now.size, sizeof bytes);
        cr_assert_eq(memcmp(now.data, bytes, sizeof bytes), 0);
        tt_map_release_pages(map, places[i][0], places[i][1]);
        cr_assert_eq(memcmp(now.data, bytes, sizeof bytes), 0, "after %zu", i);
    }
    tt_map_close(map);
    close(fd);
    unlink(path);
}

/* How long a machine may take to read a page. */
#define LIMIT_MS 60000

/*
 * Where residence of a page can be queried without waiting (Linux): it is in memory some time after
 * the call.
 */
Test(map, bytes_are_read_ahead)
{
    const size_t size = (size_t)4 << 20;
    uint8_t *bytes = malloc(size);
    cr_assert(bytes);
    memset(bytes, 'x', size);
    int fd = make_file(bytes, size);
    cr_assert_eq(fsync(fd), 0);
    cr_assert_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
    struct tt_map *map = open_map(0);
    uint8_t *page = (uint8_t *)(uintptr_t)tt_map_bytes(map).data + size / 2;
    unsigned char resident = 0;
    tt_map_read_ahead(map, size / 2 - 100, size / 2 + 100);
    for (int ms = 0; ms < LIMIT_MS && !(resident & 1); ms++) {
        cr_assert_eq(mincore(page, 1, &resident), 0);
        usleep(resident & 1 ? 0 : 1000);
    }
    cr_assert(resident & 1);
    /* Any range is harmless. */
    tt_map_read_ahead(map, 0, UINT64_MAX);
    tt_map_read_ahead(map, size, size + 1);
    tt_map_read_ahead(map, 2, 1);
    tt_map_restrict(map, 5000, 1000);
    tt_map_read_ahead(map, 0, 1000);
    cr_assert_eq(memcmp(tt_map_bytes(map).data, bytes, 1000), 0);
    free(bytes);
    tt_map_close(map);
    close(fd);
    unlink(path);
}
