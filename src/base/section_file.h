/* SPDX-License-Identifier: Apache-2.0 */
/*
 * section_file: a file of derived data, written by this program and mapped again later.
 *
 *      | head | section | section | ... | directory |
 *
 *      head        magic, version, byte order and word size, size of the file, offset and XXH3 of
 *                  the directory; written last: an unfinished file has none
 *      section     the data of one module, at a multiple of 64 bytes
 *      directory   for each section: tag, whether it is packed, offset, size, checksum (XXH3 of
 *                  its pieces of 1 MB)
 *
 *      packed      | zstd frame | size of its content: 64 |
 *
 * A section is written by one module and read by the same module in the order of writing. Numbers
 * are in the machine's byte order: files of other machines are rejected. Arrays that are used in
 * place begin at a multiple of 8 (tt_section_align, tt_section_read).
 *
 * No data is trusted: checksums are verified before a section is read, and a reader validates every
 * count, number and offset as for any file; on failure it returns false and the data are computed
 * again.
 *
 * Ownership: a writer owns its buffer, the caller owns the file. A reader borrows the mapped bytes;
 * pointers into them are valid as long as the mapping. One thread writes; any thread reads.
 */
#ifndef TRACETUI_BASE_SECTION_FILE_H
#define TRACETUI_BASE_SECTION_FILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/bytes.h"
#include "tracetui/status.h"

/* Version of the sections and of the structs in them: increment it with any change of either. */
#define TT_SECTION_LAYOUT 32u

enum tt_section_tag {
    TT_SECTION_IDENTITY,  /* the file that it was derived from (trace/cache/cache.c) */
    TT_SECTION_CAPTURE,   /* the capture's tables (format/capture_tables_cache.c) */
    TT_SECTION_DECODER,   /* the format's own (tt_decoder_cache.save) */
    TT_SECTION_INDEX,     /* blocks, order, counts (trace/cache/save_index.c) */
    TT_SECTION_TIMELINES, /* state of the lanes (trace/cache/save_timeline.c) */
    TT_SECTION_TRACKS,    /* codes of their tracks' chunks (trace/track/track_store.h) */
    TT_SECTION_TAGS
};

/* ---- writing ------------------------------------------------------------------------------- */

struct tt_section_writer;

/*
 * Returns a writer to `fd`, an empty file; NULL if out of memory. Setting *stop (may be NULL)
 * cancels it.
 */
struct tt_section_writer *tt_section_writer_new(int fd, const _Atomic bool *stop);
/* Returns a writer that only computes the file's size, or a bound; NULL if out of memory. */
struct tt_section_writer *tt_section_writer_counting(void);
/* Returns a writer that collects one section's bytes in memory; NULL if out of memory. */
struct tt_section_writer *tt_section_writer_gathering(void);
/* Returns the collected bytes, owned by the writer; invalid if it has failed. */
struct tt_bytes tt_section_gathered(const struct tt_section_writer *writer);
void tt_section_writer_free(struct tt_section_writer *writer);

/* Begins section `tag`; each section is begun at most once. */
void tt_section(struct tt_section_writer *writer, enum tt_section_tag tag);
/* Does the same for a section that is compressed by zstd: it is not used in the mapping. */
void tt_section_packed(struct tt_section_writer *writer, enum tt_section_tag tag);
/* Append to the section. Errors are sticky; tt_section_file_finish returns them. */
void tt_section_put(struct tt_section_writer *writer, const void *bytes, size_t size);
void tt_section_put_u32(struct tt_section_writer *writer, uint32_t number);
void tt_section_put_u64(struct tt_section_writer *writer, uint64_t number);
/* Appends a text of less than 4 GB, or NULL; with its NUL, so that it can be used in place. */
void tt_section_put_text(struct tt_section_writer *writer, const char *text);
#define TT_SECTION_NO_TEXT UINT32_MAX
/* Appends zeros up to the next multiple of 8 of the section. */
void tt_section_align(struct tt_section_writer *writer);
/* Returns the size of the section so far: the offset of the next item. */
uint64_t tt_section_at(const struct tt_section_writer *writer);
/* Returns whether an error occurred or the writer was cancelled, so that long walks can stop. */
bool tt_section_failed(const struct tt_section_writer *writer);
/* Writes the directory and the head; returns the first error. */
struct tt_status tt_section_file_finish(struct tt_section_writer *writer);
/* Returns the size of the finished file in bytes. */
uint64_t tt_section_file_size(const struct tt_section_writer *writer);

/* ---- reading ------------------------------------------------------------------------------- */

/* A section of a section file. */
struct tt_section {
    struct tt_bytes bytes; /* in the mapping; after tt_section_open those to read */
    uint64_t sum;          /* expected result of tt_section_sum of the mapped bytes */
    bool packed;
    uint8_t *unpacked; /* owned; NULL: not packed, or not opened */
};

struct tt_section_file {
    struct tt_section sections[TT_SECTION_TAGS]; /* absent ones have no bytes */
};

/*
 * Reads head and directory. Returns false unless the file is of this program, version and machine.
 */
bool tt_section_file_open(struct tt_bytes bytes, struct tt_section_file *file);
/* Frees the unpacked sections; the file has no sections afterwards. */
void tt_section_file_free(struct tt_section_file *file);
/*
 * Returns whether the section's checksum is right. O(bytes); a second thread helps with a large
 * one.
 */
bool tt_section_is_valid(const struct tt_section *section);
/*
 * Verifies the checksum and unpacks the bytes of a packed section. Returns false if the section is
 * missing or damaged, or out of memory. O(bytes) once.
 */
bool tt_section_open(struct tt_section *section);

/* tt_section_is_valid in two steps; between them a second thread works alone. */
struct tt_section_check {
    struct tt_bytes bytes;
    uint64_t expected;
    _Atomic uint64_t next; /* the next unclaimed piece */
    _Atomic uint64_t sum;
    pthread_t helper;
    bool helped;
};

/* Begins a check, zero-initialized before; do not move it until it ends. */
void tt_section_check_begin(struct tt_section_check *check, const struct tt_section *section);
/* Completes the check and returns whether the section is sound. */
bool tt_section_check_end(struct tt_section_check *check);
/* Cancels or ends the check; afterwards no thread reads the bytes. */
void tt_section_check_stop(struct tt_section_check *check);

/* Returns the checksum of a section with these bytes. */
uint64_t tt_section_sum(struct tt_bytes bytes);
/* Returns a reader for the section's numbers (tt_read_u32, tt_read_u64). */
struct tt_reader tt_section_reader(const struct tt_section *section);
/* Skips to the next multiple of 8. */
void tt_section_skip(struct tt_reader *reader);
/*
 * Returns `size` bytes in place, aligned to 8 after tt_section_skip; NULL, with `failed` set, if
 * they are missing.
 */
const void *tt_section_read(struct tt_reader *reader, uint64_t size);
/*
 * Returns a text written by tt_section_put_text, or NULL if that was NULL; "", with `failed` set,
 * if there is none.
 */
const char *tt_section_text(struct tt_reader *reader);
/*
 * Reads a count (u64) of items that follow, each at least `min` bytes. Returns 0 and sets
 * `failed` if the rest of the section is too small for them, so that no excessive memory is
 * allocated.
 */
uint64_t tt_section_count(struct tt_reader *reader, uint64_t min);

#endif
