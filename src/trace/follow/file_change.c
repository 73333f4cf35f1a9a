/* SPDX-License-Identifier: Apache-2.0 */
/* Detecting that the file is no longer the one that was read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/clock.h"
#include "base/file_read.h"
#include "trace/follow/follow.h"

#define PRINT_BYTES   4096u
#define PIECE         65536u
#define VERIFY_MS     1000u /* a writer through a mapping may leave st_mtim unchanged */
#define QUIET_MS      200u  /* a changed snapshot is read after this long without a change */
#define OPEN_AGAIN    10u   /* opening again takes at most 1/OPEN_AGAIN of the time */
#define OPENING_REACH (UINT64_C(4) << 20) /* opening a file reads no further than this */

const char *tt_file_change_text(enum tt_file_change change)
{
    static const char *const texts[TT_CHANGE_COUNT] = {
#define X(id, key, text) text,
        TT_CHANGE_INFO(X)
#undef X
    };
    return texts[change < TT_CHANGE_COUNT ? change : 0];
}

/* ---- fingerprints ------------------------------------------------------------------------- */

/* Hashes a range of an open file; returns false if it cannot be read completely. */
static bool hash_bytes(int fd, uint64_t at, uint64_t length, uint64_t *hash)
{
    uint8_t buffer[PRINT_BYTES];
    uint64_t sum = length;
    while (length > 0) {
        size_t ask = length < sizeof buffer ? (size_t)length : sizeof buffer;
        if (tt_file_bytes(fd, at, buffer, ask) < ask) {
            return false;
        }
        sum = XXH3_64bits_withSeed(buffer, ask, sum);
        at += ask;
        length -= ask;
    }
    *hash = sum;
    return true;
}

static bool print_matches(int fd, const struct tt_print *print)
{
    uint64_t hash;
    return print->length == 0 ||
           (hash_bytes(fd, print->at, print->length, &hash) && hash == print->hash);
}

static void hash_file(int fd, struct tt_print *print, uint64_t at, uint64_t length)
{
    print->at = at;
    print->length = hash_bytes(fd, at, length, &print->hash) ? length : 0;
}

void tt_follow_update_prints(struct tt_follow *follow, uint64_t pos)
{
    int fd = tt_map_source(follow->index->map);
    if (fd < 0 || tt_capture_is_snapshot(follow->index->capture)) {
        return;
    }
    uint64_t size = tt_map_bytes(follow->index->map).size;
    if (follow->head.length < PRINT_BYTES && follow->head.length < size) {
        hash_file(fd, &follow->head, 0, size < PRINT_BYTES ? size : PRINT_BYTES);
    }
    pos = pos < size ? pos : size;
    uint64_t length = pos < PRINT_BYTES ? pos : PRINT_BYTES;
    if (follow->tail.at + follow->tail.length != pos) {
        hash_file(fd, &follow->tail, pos - length, length);
    }
}

/* ---- files that grow ------------------------------------------------------------------------ */

static bool same_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

static bool same_state(const struct stat *left, const struct stat *right)
{
    return left->st_size == right->st_size && left->st_mtim.tv_sec == right->st_mtim.tv_sec &&
           left->st_mtim.tv_nsec == right->st_mtim.tv_nsec;
}

/* Compares the file at the path with the open one, of which `info` is. */
static enum tt_file_change check_name(struct tt_follow *follow, const struct stat *info)
{
    const char *path = follow->path;
    struct stat named;
    if (strcmp(path, "-") == 0) {
        return TT_CHANGE_NONE;
    }
    if (stat(path, &named) != 0) {
        follow->named = (struct stat){0};
        return errno == ENOENT || errno == ENOTDIR ? TT_CHANGE_DELETED : TT_CHANGE_FORBIDDEN;
    }
    bool again = !same_state(&named, &follow->named) || !same_file(&named, &follow->named);
    follow->named = named;
    if (!same_file(&named, info)) {
        follow->changes += again;
        return TT_CHANGE_REPLACED;
    }
    bool readable = access(path, R_OK) == 0 && (named.st_mode & (S_IRUSR | S_IRGRP | S_IROTH)) != 0;
    return readable ? TT_CHANGE_NONE : TT_CHANGE_FORBIDDEN;
}

static enum tt_file_change check_bytes(struct tt_follow *follow, int fd, const struct stat *info,
                                       uint64_t now_ms)
{
    bool unchanged = same_state(info, &follow->seen);
    follow->changes += !unchanged;
    follow->seen = *info;
    uint64_t had = tt_map_bytes(follow->index->map).size;
    if ((uint64_t)info->st_size < had) {
        return TT_CHANGE_TRUNCATED;
    }
    if (unchanged && now_ms - follow->verified_ms < VERIFY_MS) {
        return TT_CHANGE_NONE;
    }
    follow->verified_ms = now_ms;
    return print_matches(fd, &follow->head) && print_matches(fd, &follow->tail)
               ? TT_CHANGE_NONE
               : TT_CHANGE_REWRITTEN;
}

/* ---- snapshots ------------------------------------------------------------------------------ */

/* Reports a snapshot that differs from the copy and has been unchanged for QUIET_MS. */
static enum tt_file_change check_snapshot(struct tt_follow *follow, int fd, const struct stat *info,
                                          uint64_t now_ms)
{
    struct tt_bytes copy = tt_map_bytes(follow->index->map);
    uint64_t size = (uint64_t)info->st_size, hash, had;
    bool unchanged = same_state(info, &follow->seen);
    follow->seen = *info;
    if (unchanged && now_ms - follow->verified_ms < VERIFY_MS &&
        (follow->quiet_hash == 0 || now_ms - follow->quiet_since < QUIET_MS)) {
        return TT_CHANGE_NONE;
    }
    follow->verified_ms = now_ms;
    if (!hash_bytes(fd, 0, size, &hash)) {
        return TT_CHANGE_NONE;
    }
    had = copy.size;
    for (uint64_t at = 0; at < copy.size; at += PRINT_BYTES) {
        size_t piece = copy.size - at < PRINT_BYTES ? (size_t)(copy.size - at) : PRINT_BYTES;
        had = XXH3_64bits_withSeed(copy.data + at, piece, had);
    }
    if (hash == had && size == copy.size) {
        follow->quiet_hash = 0;
        return TT_CHANGE_NONE;
    }
    if (hash != follow->quiet_hash) {
        follow->quiet_hash = hash ? hash : 1;
        follow->quiet_since = now_ms;
        follow->changes++;
        return TT_CHANGE_NONE;
    }
    if (now_ms - follow->quiet_since < QUIET_MS) {
        return TT_CHANGE_NONE;
    }
    return size < copy.size && size == 0 ? TT_CHANGE_TRUNCATED : TT_CHANGE_REWRITTEN;
}

enum tt_file_change tt_follow_check(struct tt_follow *follow, uint64_t now_ms)
{
    int fd = tt_map_source(follow->index->map);
    struct stat info;
    const enum tt_map_change change =
        fd < 0 ? tt_map_arrival(follow->index->map).change : TT_MAP_SAME;
    if (change != TT_MAP_SAME) {
        return change == TT_MAP_TRUNCATED ? TT_CHANGE_TRUNCATED : TT_CHANGE_REPLACED;
    }
    if (fd < 0 || fstat(fd, &info) != 0) {
        return TT_CHANGE_NONE;
    }
    enum tt_file_change name = check_name(follow, &info);
    if (name == TT_CHANGE_REPLACED) {
        return name;
    }
    enum tt_file_change bytes = tt_capture_is_snapshot(follow->index->capture)
                                    ? check_snapshot(follow, fd, &info, now_ms)
                                    : check_bytes(follow, fd, &info, now_ms);
    return bytes != TT_CHANGE_NONE ? bytes : name;
}

/* ---- opening again -------------------------------------------------------------------------- */

struct open_job {
    struct tt_capture *capture;
    const char *path;
    const struct tt_capture_options *options;
    struct tt_status status;
};

static void open_guarded(void *arg)
{
    struct open_job *job = arg;
    job->status = tt_capture_open(job->capture, job->path, job->options);
}

static bool same_facts(const struct tt_capture *left, const struct tt_capture *right,
                       uint32_t count)
{
    if (tt_facts_count(right) != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_fact *first = tt_facts_at(left, i), *second = tt_facts_at(right, i);
        if (strcmp(first->key, second->key) != 0 || strcmp(first->value, second->value) != 0) {
            return false;
        }
    }
    return true;
}

bool tt_follow_same_opening(const struct tt_capture *left, uint32_t facts,
                            const struct tt_capture *right)
{
    return left->format == right->format && left->clock_hz == right->clock_hz &&
           left->origin_ticks == right->origin_ticks && left->big_endian == right->big_endian &&
           left->lanes_by_time == right->lanes_by_time &&
           left->has_wall_clock == right->has_wall_clock && left->wall_clock == right->wall_clock &&
           strcmp(left->title, right->title) == 0 && left->streams == right->streams &&
           left->opening == right->opening && same_facts(left, right, facts);
}

bool tt_follow_is_outgrown(struct tt_follow *follow, uint64_t now_ms, bool at_once)
{
    struct tt_bytes bytes = tt_map_bytes(follow->index->map);
    bool copied = tt_capture_is_snapshot(follow->index->capture) && !follow->live.pipe;
    if (follow->opening.settled || copied || bytes.size == follow->opening.size ||
        (!at_once && now_ms - follow->reopened_ms < OPEN_AGAIN * follow->reopen_takes)) {
        return false;
    }
    struct open_job job = {
        .path = follow->path, .options = &follow->options.capture, .status = tt_ok()};
    struct tt_status status = tt_capture_new(bytes, &job.capture);
    if (tt_failed(&status)) {
        return false;
    }
    job.capture->files = follow->index->capture->files;
    bool good = tt_sigbus_guard(open_guarded, &job) && !tt_failed(&job.status);
    bool outgrown =
        good && !tt_follow_same_opening(follow->index->capture, follow->opening.facts, job.capture);
    tt_capture_free(job.capture);
    follow->opening.size = bytes.size;
    follow->opening.settled = good && bytes.size >= OPENING_REACH;
    follow->reopen_takes = tt_now_ms() - now_ms;
    follow->reopened_ms = now_ms;
    return outgrown;
}
