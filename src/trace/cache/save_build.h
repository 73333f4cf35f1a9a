/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_keep (internal): how far making an index was when nothing whole was left in the file, into
 * a kept file (base/section_file.h) and out of it, so that a file that has grown since is read from there
 * on.
 *
 *      tape    |==== block k ====|==== block k+1, open ==|· half a record ·|     kept then
 *                                ^ state saved           ^ cursor          ^ size
 *      tape    |==== block k ====|==== block k+1 ========|============|====...   the same file now
 *                                                        ^ read on from here
 *
 *      | numbers | state at the open block | state of the cursor | what else it knows
 *      | health that was kept back | actions that were held back |
 */
#ifndef TRACETUI_TRACE_CACHE_SAVE_BUILD_H
#define TRACETUI_TRACE_CACHE_SAVE_BUILD_H

#include "trace/index/build.h"

/* Can making this index be gone on with at another time, as it stands? */
bool tt_builder_can_save(const struct tt_builder *b);
/* Puts it into the section at hand; nobody feeds meanwhile. False when out of memory. */
bool tt_builder_save(const struct tt_builder *b, struct tt_section_writer *w);
/* The bytes of the file that were there then, and those of them that were read; 0: it is no such
 * section. */
uint64_t tt_builder_saved_size(struct tt_bytes section, uint64_t *read);
/*
 * Into a builder that was just initialized, of an index that was restored as it was then; `t` are
 * its timelines (cache/save_lanes.h), which stay the caller's. False when it makes no sense, or out of
 * memory.
 */
bool tt_builder_resume(struct tt_builder *b, struct tt_timelines *t, struct tt_reader *r);

#endif
