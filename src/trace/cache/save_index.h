/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_index: saves the index of a complete file in an index cache (base/section_file.h), and
 * restores it.
 *
 *      | numbers | counts by type | runs: their ranges | blocks | states of the decoder |
 *                                   used where mapped             used where mapped
 *
 * The index of a chaotic file (index/runs.h) is not saved: it consists of all events, sorted.
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_INDEX_H
#define TRACETUI_TRACE_CACHE_SAVE_INDEX_H

#include "base/section_file.h"
#include "trace/index/index.h"

/* Writes a finished index to the current section. Any thread. */
void tt_index_save(struct tt_index *index, struct tt_section_writer *writer);
/*
 * Restores a newly initialized index of a capture whose tables are restored. Rows can be read then;
 * the timelines are missing, and the index is not finished. The section stays mapped while the
 * index is used. Returns false if it is inconsistent, or if out of memory; the caller then frees
 * the index. Validates every number; the decoder validates its own states. O(blocks).
 */
bool tt_index_restore(struct tt_index *index, struct tt_reader *reader);
/*
 * Restores and publishes the timelines of a restored index from index->cached. Returns false if
 * they are damaged or missing, or out of memory.
 */
bool tt_index_restore_timelines(struct tt_index *index);

#endif
