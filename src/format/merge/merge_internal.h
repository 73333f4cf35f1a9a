/* SPDX-License-Identifier: Apache-2.0 */
/* merge_internal: the decoder of a merged capture (tracetui/merge.h), for the files of this directory. */
#ifndef TT_FORMAT_MERGE_INTERNAL_H
#define TT_FORMAT_MERGE_INTERNAL_H

#include "tracetui/format.h"
#include "tracetui/merge.h"

struct merge_decoder {
    struct tt_merge merge;
    struct tt_format format;      /* of the merged capture: what its members can do */
    struct tt_state_info *states; /* of several formats; NULL: those of the only format */
    struct tt_merge_source *plan; /* copies of the sources, */
    char *paths[TT_MERGE_MOST];   /* and of their paths */
    bool in_turn;                 /* one member has the bytes of all files */
    const struct tt_map *map;     /* of files that grow; NULL: they do not */
};

static inline struct merge_decoder *merge_of(const struct tt_capture *capture)
{
    return capture->decoder;
}

/* Returns the member with tape position `pos`. */
const struct tt_merge_member *merge_member_at(const struct tt_capture *capture, uint64_t pos);

/* Returns the part of `limit`, an offset in the joined files, that is in the member's file; all of a file that grows. */
uint64_t merge_limit(const struct tt_capture *capture, unsigned member, uint64_t limit);

/* ---- merge_states.c ------------------------------------------------------------------------- */

/*
 * Sets the states of the merged capture: those of the format of all members, or of all formats, one
 * after the other. Returns false if out of memory.
 */
bool merge_states_set(struct merge_decoder *decoder);

/* ---- merge_cursor.c ------------------------------------------------------------------------- */

struct tt_cursor *merge_cursor_new(struct tt_capture *capture, bool learn);
void merge_cursor_free(struct tt_cursor *cursor);
size_t merge_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void merge_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t merge_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result merge_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                   struct tt_batch *batch);

/* ---- merge_actions.c ------------------------------------------------------------------------ */

/* Maps an event of a member, and an action, to the merged capture. */
void merge_map_event(const struct tt_merge_member *member, struct tt_event *event);
void merge_map_action(const struct tt_capture *capture, const struct tt_merge_member *member,
                      struct tt_action *action);

/* Returns the latest event of the batch from number `first_event` on; NULL if there is none. */
const struct tt_event *merge_latest(const struct tt_batch *batch, uint32_t first_event);

/*
 * Adds the end of member `number`, of a system of its own, if `latest`, the latest event of the batch, is the
 * latest of the member: what its threads and CPUs do then is unknown. The action is a loss with the state
 * 1, which no recorder reported.
 */
void merge_add_end(const struct tt_merge_member *member, unsigned number,
                   const struct tt_event *latest, struct tt_batch *batch);

#endif
