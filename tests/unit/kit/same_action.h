/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_action: compares two actions member by member, since their padding is undefined.
 */
#ifndef TRACETUI_TESTS_SAME_ACTION_H
#define TRACETUI_TESTS_SAME_ACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/action.h"

static inline bool same_action(const struct tt_action *a, const struct tt_action *b)
{
    return a->ticks == b->ticks && a->pos == b->pos && a->value == b->value &&
           a->thread == b->thread && a->other == b->other && a->cpu == b->cpu &&
           a->priority == b->priority && a->state == b->state && a->kind == b->kind &&
           a->flags == b->flags;
}

static inline bool same_actions(const struct tt_action *a, const struct tt_action *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_action(&a[i], &b[i])) {
            return false;
        }
    }
    return true;
}

#endif
