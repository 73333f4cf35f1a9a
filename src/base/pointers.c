/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pointers.h"

#include <stdlib.h>

#include "base/array.h"

bool tt_pointers_add(struct tt_pointers *pointers, const void *item, size_t item_size)
{
    uint32_t groups = pointers->count / TT_COLUMN_FIRST;
    if (pointers->count % TT_COLUMN_FIRST == 0) {
        const uint8_t **grown =
            tt_array_room_32(pointers->groups, groups, &pointers->capacity, sizeof *grown);
        if (!grown) {
            return false;
        }
        pointers->groups = grown;
        pointers->groups[groups] = item;
        pointers->item_size = item_size;
    }
    pointers->count++;
    return true;
}

void tt_pointers_free(struct tt_pointers *pointers)
{
    free(pointers->groups);
    *pointers = (struct tt_pointers){0};
}
