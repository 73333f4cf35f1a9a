/* SPDX-License-Identifier: Apache-2.0 */
/*
 * members: the members of a struct that are saved and restored as numbers, for places, sessions and
 * settings: a table of them, one per line.
 */
#ifndef TRACETUI_TUI_MODEL_MEMBERS_H
#define TRACETUI_TUI_MODEL_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

/* An unsigned integer, an enum or a bool; size 0: the end of a table. */
struct tt_member {
    size_t offset, size;
};

#define TT_MEMBER(type, name)                                                                      \
    {                                                                                              \
        offsetof(type, name), sizeof(((type *)0)->name)                                            \
    }

/* Returns a number, and sets it. */
uint64_t tt_member_get(struct tt_member member, const void *object);
void tt_member_set(struct tt_member member, void *object, uint64_t number);

/* Copies the members of a table to the numbers, and back; returns the number after the last one. */
uint64_t *tt_members_save(const struct tt_member *members, const void *object, uint64_t *numbers);
const uint64_t *tt_members_restore(const struct tt_member *members, void *object,
                                   const uint64_t *numbers);

#endif
