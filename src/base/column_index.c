/* SPDX-License-Identifier: Apache-2.0 */
#include "base/column_index.h"

#include <stdlib.h>

#include "base/array.h"

bool tt_column_index_add(struct tt_column_index *pointers, const void *item, size_t item_size)
{
    uint32_t groups = pointers->count / TT_COLUMN_FIRST;
    if (pointers->count % TT_COLUMN_FIRST == 0) {
        const uint8_t **grown =
            tt_array_grow_32(pointers->groups, groups, &pointers->capacity, sizeof *grown);
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

void tt_column_index_free(struct tt_column_index *pointers)
{
    free(pointers->groups);
    *pointers = (struct tt_column_index){0};
}
