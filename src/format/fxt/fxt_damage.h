/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_damage: what the files that judge records share. Only the learning cursor judges. */
#ifndef TRACETUI_FORMAT_FXT_FXT_DAMAGE_H
#define TRACETUI_FORMAT_FXT_FXT_DAMAGE_H

#include "format/fxt/fxt_names.h"

/* Finds an argument that is a koid: of a wakeup the waker. */
bool tt_fxt_find_koid(const struct tt_fxt_record *record, const struct tt_fxt_view *view,
                      uint64_t *koid);

/* Keeps a belief until more bytes decide. */
void tt_fxt_believe(struct tt_cursor *cursor, struct tt_fxt_belief belief);

/* ---- fxt_strangers.c ---------------------------------------------------------------------- */

enum tt_fxt_mention {
    TT_FXT_MENTIONED,
    TT_FXT_NOT_MENTIONED,
    TT_FXT_MAY_BE_MENTIONED, /* the bytes end before that is known */
};

/* Finds out whether the file mentions a koid near after `pos`. */
enum tt_fxt_mention tt_fxt_find_mention(struct tt_cursor *cursor, uint64_t koid, uint64_t pos,
                                        uint64_t limit, bool final);

/* Returns whether a koid is far above those of the threads of the capture. */
bool tt_fxt_is_outlier(struct tt_cursor *cursor, uint64_t koid);

/*
 * Returns whether a thread with its process contradicts others after damage: the thread is known in another process, or
 * one of both koids is an outlier and no record from `next` on mentions the thread.
 */
bool tt_fxt_is_misplaced(struct tt_cursor *cursor, uint64_t pid, uint64_t tid, uint64_t next,
                         uint64_t limit, bool final);

/*
 * Returns whether a switch or wakeup contradicts the others: a thread that only it mentions leaves or has a
 * CPU, where the record before or after it names another one.
 */
bool tt_fxt_has_stranger(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                         const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                         uint64_t limit, bool final);

#endif
