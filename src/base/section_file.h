/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keep: a file of our own that holds what was worked out of another one, to be mapped again later.
 *
 *      | head | section | section | ... | directory |
 *
 *      head        magic, version, byte order and word size, size of the file, place and XXH3 of
 *                  the directory; written last: a file that was not finished has none
 *      section     what one module keeps, at a multiple of 64 bytes
 *      directory   for each section: tag, place, size, sum of its bytes (XXH3 of its pieces of 1
 * MB)
 *
 * A section is written by one module and read by it again, in the order in which it was written.
 * Numbers stand in the byte order of the machine: another machine's file is not taken. Arrays that
 * are to be used where they are mapped begin at a multiple of 8 (tt_section_align, tt_section_read).
 *
 * Nothing that is read is trusted: sums are checked before a section is looked at, and a reader
 * checks every count, number and place as it would those of any file; it returns false, and what
 * was kept is made anew.
 *
 * Who owns what: a writer owns its buffer, the file is the caller's. A reader borrows the mapped
 * bytes; what points into them lives as long as the mapping. One thread writes; any reads.
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

/* Of what all sections mean, and of the structs in them: to be raised with any change of either. */
#define TT_SECTION_LAYOUT 8u

enum tt_section_tag {
    TT_SECTION_IDENTITY,  /* which file it was made of (trace/cache/cache.c) */
    TT_SECTION_CAPTURE,   /* the capture's tables (format/capture_tables_cache.c) */
    TT_SECTION_DECODER,   /* the format's own (tt_format.keep) */
    TT_SECTION_INDEX,     /* blocks, order, counts (trace/cache/save_index.c) */
    TT_SECTION_TIMELINES, /* what the lanes are (trace/cache/save_timeline.c) */
    TT_SECTION_TRACKS,    /* the chunks of their tracks, used where they are mapped */
    /* As it all was when nothing whole was left in the file, which might still have grown: */
    TT_SECTION_OPEN_CAPTURE, /* these three only where they were different then */
    TT_SECTION_OPEN_DECODER,
    TT_SECTION_OPEN_INDEX,
    TT_SECTION_OPEN_BUILDER, /* how far it was, and what was held back (trace/cache/save_build.c) */
    TT_SECTION_OPEN_LANES,   /* what the lanes' builder needs to go on (trace/cache/save_lanes.c) */
    TT_SECTION_OPEN_PLACES,  /* where their tracks' chunks are among TT_SECTION_TRACKS */
    TT_SECTION_TAGS
};

/* ---- writing ------------------------------------------------------------------------------- */

struct tt_section_writer;

/* Writes to `fd`, which is empty. NULL: out of memory. *stop (or NULL), once true, ends it early.
 */
struct tt_section_writer *tt_section_writer_new(int fd, const _Atomic bool *stop);
/* Writes nothing and only counts: how large would the file be? */
struct tt_section_writer *tt_section_writer_counting(void);
/* Writes no file and gathers in memory what is put: the bytes of one section. */
struct tt_section_writer *tt_section_writer_gathering(void);
/* What was gathered, the writer's; of one that failed it is not to be used. */
struct tt_bytes tt_section_gathered(const struct tt_section_writer *w);
void tt_section_writer_free(struct tt_section_writer *w);

/* What follows belongs to section `tag`; each is begun at most once. */
void tt_section(struct tt_section_writer *w, enum tt_section_tag tag);
/* Errors stick; they come out at tt_section_file_finish. */
void tt_section_put(struct tt_section_writer *w, const void *bytes, size_t size);
void tt_section_put_u32(struct tt_section_writer *w, uint32_t number);
void tt_section_put_u64(struct tt_section_writer *w, uint64_t number);
/* A text of less than 4 GB, or NULL; with its 0, so that it can be used where it is mapped. */
void tt_section_put_text(struct tt_section_writer *w, const char *text);
#define TT_SECTION_NO_TEXT UINT32_MAX
/* Zeros up to the next multiple of 8 of the section. */
void tt_section_align(struct tt_section_writer *w);
/* Bytes of the section so far: where what is put next will stand in it. */
uint64_t tt_section_at(const struct tt_section_writer *w);
/* Has it failed, or was it stopped? Long walks ask, so that they end. */
bool tt_section_failed(const struct tt_section_writer *w);
/* Writes the directory and the head. */
struct tt_status tt_section_file_finish(struct tt_section_writer *w);
/* Bytes of the finished file. */
uint64_t tt_section_file_size(const struct tt_section_writer *w);

/* ---- reading ------------------------------------------------------------------------------- */

/* A section of a kept file. */
struct tt_section {
    struct tt_bytes bytes;
    uint64_t sum; /* what tt_section_sum of them has to be */
};

struct tt_section_file {
    struct tt_section sections[TT_SECTION_TAGS]; /* those that are not there have no bytes */
};

/* Reads head and directory. False: it is no kept file of this program, version and machine. */
bool tt_section_file_open(struct tt_bytes bytes, struct tt_section_file *file);
/* Do the section's bytes have its sum? O(bytes); a large one is shared with a second thread. */
bool tt_section_is_sound(const struct tt_section *section);

/* The same in two steps, with other things done in between while a second thread goes ahead. */
struct tt_section_check {
    struct tt_bytes bytes;
    uint64_t expected;
    _Atomic uint64_t next; /* the next piece that nobody has taken */
    _Atomic uint64_t sum;
    pthread_t helper;
    bool helped;
};

/* The check, all zeros before, is not moved from here on to its end. */
void tt_section_check_begin(struct tt_section_check *check, const struct tt_section *section);
/* Is it sound? Does what is left to do. */
bool tt_section_check_end(struct tt_section_check *check);
/* Nobody wants to know any more, or it is over: nobody looks at the bytes from here on. */
void tt_section_check_stop(struct tt_section_check *check);

/* The sum of a section of these bytes. */
uint64_t tt_section_sum(struct tt_bytes bytes);
/* A reader of the section's numbers (tt_read_u32, tt_read_u64). */
struct tt_reader tt_section_reader(const struct tt_section *section);
/* Skips to the next multiple of 8. */
void tt_section_skip(struct tt_reader *r);
/* `size` bytes where they are mapped, aligned to 8 after tt_section_skip; NULL and failed: they are
 * not there. */
const void *tt_section_read(struct tt_reader *r, uint64_t size);
/* A text as tt_section_put_text wrote it: NULL if it was, "" and failed if there is none. */
const char *tt_section_text(struct tt_reader *r);
/* A count (u64) that was written before `count` things of at least `least` bytes each: 0 and failed
 * where the rest of the section cannot hold them, so that no memory is asked for that it could not
 * fill.
 */
uint64_t tt_section_count(struct tt_reader *r, uint64_t least);

#endif
