/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_pause (internal): what an index was when nothing whole was left in the file, which might
 * have grown. Noted in memory then, and put into the kept file beside what the index became when
 * what was there was taken for all that would come (cache.h has the picture).
 *
 * Owns what was noted; borrows the tracks' chunks from the timelines.
 */
#ifndef TRACETUI_TRACE_CACHE_CHECKPOINT_H
#define TRACETUI_TRACE_CACHE_CHECKPOINT_H

#include "base/section_file.h"
#include "trace/index/build.h"

struct tt_cache_checkpoint;

/* By the thread that makes the index. NULL: it cannot be gone on with, or there is no memory. */
struct tt_cache_checkpoint *tt_cache_checkpoint_new(const struct tt_builder *b);
void tt_cache_checkpoint_free(struct tt_cache_checkpoint *pause);
/* Is it of these timelines? They may have been built anew since. */
bool tt_cache_checkpoint_is_of(const struct tt_cache_checkpoint *pause,
                               const struct tt_timelines *t);

/* Puts the sections of the finished index, and of what was noted (or NULL: nothing was). */
void tt_cache_put(struct tt_index *index, const struct tt_cache_checkpoint *pause,
                  struct tt_section_writer *w);
/* Forgets what is as it was at the pause: the finished index has it. Once it is finished. */
void tt_cache_checkpoint_thin(struct tt_cache_checkpoint *pause, struct tt_index *index);

/* Were the sections of a pause kept? */
bool tt_cache_checkpoint_is_saved(const struct tt_section_file *file);
/* Are they sound, the tracks left out? */
bool tt_cache_checkpoint_is_sound(const struct tt_section_file *file);
/*
 * Into an index that was just initialized, of a capture that was just opened and has grown since it
 * had `size` bytes: all is as it was then, and the index goes on from there. The file was found
 * sound, tracks too. False when it makes no sense, or out of memory.
 */
bool tt_cache_checkpoint_restore(struct tt_index *index, const struct tt_section_file *file,
                                 uint64_t size);

#endif
