/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save_build: saves a builder in an index cache (base/section_file.h) when no complete record is
 * left in the file, and restores it, so that indexing of a grown file resumes there.
 *
 *      tape    |==== block k ====|==== block k+1, open ==|· half a record ·|     when saved
 *                                ^ state saved           ^ cursor          ^ size
 *      tape    |==== block k ====|==== block k+1 ========|============|====...   grown
 *                                                        ^ resumes here
 *
 *      | numbers | state at the open block | state of the cursor | the cursor's other data
 *      | deferred health | actions in the reorder buffer |
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_BUILD_H
#define TRACETUI_TRACE_CACHE_SAVE_BUILD_H

#include "trace/index/build.h"

/* Returns whether indexing can be resumed from the current state. */
bool tt_builder_can_save(const struct tt_builder *b);
/* Writes the builder to the current section; no thread may feed it. False when out of memory. */
bool tt_builder_save(const struct tt_builder *b, struct tt_section_writer *w);
/*
 * Returns the size of the file at that time and sets *read to the bytes that were decoded; 0: not a
 * valid section.
 */
uint64_t tt_builder_saved_size(struct tt_bytes section, uint64_t *read);
/*
 * Restores the state into a newly initialized builder of an index that was restored to the same
 * time. `t` are its timelines (cache/save_lanes.h), which the caller continues to own. Returns
 * false if the section is inconsistent or out of memory.
 */
bool tt_builder_resume(struct tt_builder *b, struct tt_timelines *t, struct tt_reader *r);

#endif
