/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint: the state of an index when no complete record was left in the file, from which
 * indexing resumes if the file grows. Recorded in memory at that time, and written to the index
 * cache next to the finished index.
 *
 * Owns the recorded state; borrows the tracks' chunks from the timelines.
 */
#ifndef TRACETUI_TRACE_CACHE_CHECKPOINT_H
#define TRACETUI_TRACE_CACHE_CHECKPOINT_H

#include "base/section_file.h"
#include "trace/index/build.h"

struct tt_cache_checkpoint;

/* Records the state; indexing thread. NULL: indexing cannot be resumed, or out of memory. */
struct tt_cache_checkpoint *tt_cache_checkpoint_new(const struct tt_builder *b);
void tt_cache_checkpoint_free(struct tt_cache_checkpoint *checkpoint);
/* Returns whether the checkpoint is of these timelines, which may have been rebuilt since. */
bool tt_cache_checkpoint_is_of(const struct tt_cache_checkpoint *checkpoint,
                               const struct tt_timelines *t);

/* Writes the sections of the finished index and of the checkpoint (NULL: none). */
void tt_cache_put(struct tt_index *index, const struct tt_cache_checkpoint *checkpoint,
                  struct tt_section_writer *w);
/* Frees the parts that are equal to those of the finished index. */
void tt_cache_checkpoint_shrink(struct tt_cache_checkpoint *checkpoint, struct tt_index *index);

/* Returns whether the file has the sections of a checkpoint. */
bool tt_cache_checkpoint_is_saved(const struct tt_section_file *file);
/*
 * Opens the sections of a checkpoint except the tracks; returns false if one is damaged, or if out
 * of memory.
 */
bool tt_cache_checkpoint_open(struct tt_section_file *file);
/*
 * Restores the state into a newly initialized index of a newly opened capture, which had `size`
 * bytes at the checkpoint and has grown since; indexing resumes there. The checksums of the file,
 * tracks included, have been verified. Returns false if the content is inconsistent or out of
 * memory.
 */
bool tt_cache_checkpoint_restore(struct tt_index *index, const struct tt_section_file *file,
                                 uint64_t size);

#endif
