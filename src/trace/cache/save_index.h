/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index_keep (internal): the index of a whole file into a kept file (base/section_file.h) and out of it.
 *
 *      | numbers | counts by type | runs: their ranges | blocks | states of the decoder |
 *                                   used where mapped             used where mapped
 *
 * A file in no order at all (index/runs.h: chaotic) is not kept: its index is all of its events, sorted.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_INDEX_H
#define TRACETUI_TRACE_CACHE_SAVE_INDEX_H

#include "base/section_file.h"
#include "trace/index/index.h"

/* Puts it into the section at hand. The index is finished. Any thread. */
void tt_index_save(struct tt_index *index, struct tt_section_writer *w);
/*
 * Into an index that was just initialized, of a capture whose tables are restored: rows can be read
 * then; timelines are not there yet, and the index is not finished. The section stays mapped as
 * long as the index is used. False when it makes no sense, or out of memory: the index is to be
 * freed then. Every number is checked; a decoder checks its own states. O(blocks).
 */
bool tt_index_restore(struct tt_index *index, struct tt_reader *r);
/*
 * The same as it was kept when the file had `size` bytes and might have grown; blocks can be added
 * to it, from place `read` on.
 */
bool tt_index_restore_open(struct tt_index *index, struct tt_reader *r, uint64_t size,
                           uint64_t read);
/*
 * The timelines of a restored index from index->kept, published when they are whole. False when
 * they are damaged or not there, or out of memory.
 */
bool tt_index_restore_timelines(struct tt_index *index);

#endif
