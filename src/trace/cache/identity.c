/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/identity.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include "base/file_read.h"
#include "tracetui/format.h"
#include "tracetui/text.h"

#define END_BYTES    (UINT64_C(64) << 10)
#define SAMPLE_BYTES (UINT64_C(4) << 10)
#define SAMPLES      64u
#define NAMES_MOST   ((size_t)8 << 20)
/*
 * A file written this recently may be written again without a new time: the resolution of file
 * times is limited.
 */
#define STEP_NS (INT64_C(100) * 1000 * 1000)

/* Sample `i` of a file: both of its ends, and pieces evenly spaced between them. */
struct sample {
    uint64_t at;
    uint64_t length;
};

#define SAMPLE_COUNT (SAMPLES + 2)

static struct sample sample_of(uint64_t size, uint64_t i)
{
    struct sample sample = {size / (SAMPLES + 1) * i, SAMPLE_BYTES};
    if (i == 0 || i == SAMPLE_COUNT - 1) {
        sample.length = size < END_BYTES ? size : END_BYTES;
        sample.at = i == 0 ? 0 : size - sample.length;
    }
    sample.length = sample.length < size - sample.at ? sample.length : size - sample.at;
    return sample;
}

/*
 * Hashes the samples of the file. Returns false if some are missing, or if out of memory. The samples are read, not mapped: the system
 * reads up to some megabytes around each page fault, so that most of the file would be read from
 * disk before the first screen.
 */
static bool hash_samples(int fd, uint64_t size, uint64_t *sum)
{
    uint8_t *buffer = malloc(END_BYTES);
    bool complete = buffer != NULL;
    for (uint64_t i = 0; i < SAMPLE_COUNT; i++) {
        struct sample sample = sample_of(size, i);
        posix_fadvise(fd, (off_t)sample.at, (off_t)sample.length, POSIX_FADV_WILLNEED);
    }
    *sum = 0;
    for (uint64_t i = 0; complete && i < SAMPLE_COUNT; i++) {
        struct sample sample = sample_of(size, i);
        complete = tt_file_bytes(fd, sample.at, buffer, (size_t)sample.length) == sample.length;
        *sum = complete ? XXH3_64bits_withSeed(buffer, (size_t)sample.length, *sum) : 0;
    }
    free(buffer);
    return complete;
}

/*
 * Computes the XXH3 of a whole small file; returns false for a pipe, whose bytes were consumed by
 * the first read.
 */
static bool sum_of_file(const char *path, uint64_t *sum)
{
    struct stat info;
    char *text;
    size_t length;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        tt_file_text(path, NAMES_MOST, &text, &length) != 0) {
        return false;
    }
    *sum = XXH3_64bits_withSeed(text, length, 1);
    free(text);
    return true;
}

/* Adds the size and the times of a file to those of the files before it. */
static bool add_times(struct tt_identity *identity, int fd)
{
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0) {
        return false;
    }
    identity->size += (uint64_t)info.st_size;
    identity->device = (uint64_t)info.st_dev;
    identity->inode = identity->inode * 31 + (uint64_t)info.st_ino;
    if (info.st_mtim.tv_sec > identity->modified_s ||
        (info.st_mtim.tv_sec == identity->modified_s &&
         info.st_mtim.tv_nsec > identity->modified_ns)) {
        identity->modified_s = info.st_mtim.tv_sec;
        identity->modified_ns = info.st_mtim.tv_nsec;
    }
    if (info.st_ctim.tv_sec > identity->changed_s ||
        (info.st_ctim.tv_sec == identity->changed_s &&
         info.st_ctim.tv_nsec > identity->changed_ns)) {
        identity->changed_s = info.st_ctim.tv_sec;
        identity->changed_ns = info.st_ctim.tv_nsec;
    }
    return true;
}

/* Sets the size and the times of the file, or those of all files of a directory together: the latest ones. */
static bool set_times(struct tt_identity *identity, const struct tt_map *map)
{
    const unsigned count = tt_map_file_count(map);
    for (unsigned i = 0; i < count; i++) {
        if (!add_times(identity, tt_map_file_source(map, i))) {
            return false;
        }
    }
    return count > 0 || add_times(identity, tt_map_source(map));
}

/* Hashes the samples of the file, or the ends of all files of a directory. */
static bool sample_map(const struct tt_map *map, uint64_t size, uint64_t *sum)
{
    uint8_t buffer[SAMPLE_BYTES];
    const unsigned count = tt_map_file_count(map);
    uint64_t together = 0;
    *sum = 0;
    if (count == 0) {
        return size == tt_map_bytes(map).size && hash_samples(tt_map_source(map), size, sum);
    }
    for (unsigned i = 0; i < count; i++) {
        const struct tt_map_file file = tt_map_file(map, i);
        const uint64_t length = file.bytes.size < sizeof buffer ? file.bytes.size : sizeof buffer;
        const int fd = tt_map_file_source(map, i);
        *sum = XXH3_64bits_withSeed(file.name, strlen(file.name), *sum + file.bytes.size);
        for (unsigned end = 0; end < 2; end++) {
            if (tt_file_bytes(fd, end ? file.bytes.size - length : 0, buffer, (size_t)length) !=
                length) {
                return false;
            }
            *sum = XXH3_64bits_withSeed(buffer, (size_t)length, *sum);
        }
        together += file.bytes.size;
    }
    return together == size;
}

static bool changed_just_now(const struct tt_identity *identity)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return true;
    }
    int64_t seconds = now.tv_sec - identity->changed_s;
    if (seconds < 0 || seconds > 1) {
        return false;
    }
    int64_t ns = seconds * 1000000000 + now.tv_nsec - identity->changed_ns;
    return ns >= 0 && ns < STEP_NS;
}

bool tt_identity_of(struct tt_identity *identity, const struct tt_map *map,
                    const struct tt_capture *capture, const struct tt_capture_options *options)
{
    memset(identity, 0, sizeof *identity);
    if (!set_times(identity, map) || changed_just_now(identity) ||
        !sample_map(map, identity->size, &identity->samples) ||
        (options->names_path && !sum_of_file(options->names_path, &identity->names))) {
        return false;
    }
    identity->clock_hz = options->clock_hz;
    identity->definitions = options->definitions;
    struct tt_text text = tt_text_of(identity->format, sizeof identity->format);
    tt_text_str(&text, capture->format->name);
    tt_text_cstr(&text);
    text = tt_text_of(identity->program, sizeof identity->program);
    tt_text_str(&text, TT_VERSION " ");
    tt_text_u64(&text, TT_SECTION_LAYOUT);
    tt_text_cstr(&text);
    return true;
}

bool tt_identity_holds(const struct tt_identity *identity, const struct tt_map *map)
{
    struct tt_identity now = {0};
    return set_times(&now, map) && now.size == identity->size &&
           now.modified_s == identity->modified_s && now.modified_ns == identity->modified_ns &&
           now.changed_s == identity->changed_s && now.changed_ns == identity->changed_ns;
}

void tt_identity_name(const struct tt_identity *identity, char name[TT_IDENTITY_NAME + 1])
{
    struct tt_identity named = *identity;
    named.size = named.samples = 0;
    named.modified_s = named.modified_ns = named.changed_s = named.changed_ns = 0;
    struct tt_text text = tt_text_of(name, TT_IDENTITY_NAME + 1);
    tt_text_hex(&text, XXH3_64bits(&named, sizeof named), TT_IDENTITY_NAME);
    tt_text_cstr(&text);
}
