/* SPDX-License-Identifier: Apache-2.0 */
/* A merge sort of nearly sorted actions. */
#include "trace/index/sort_actions.h"

#include <stdlib.h>
#include <string.h>

struct sort_key {
    uint64_t ticks;
    uint64_t pos;
    size_t index;
};

static bool sort_actions_is_before(const struct sort_key *left, const struct sort_key *right)
{
    return left->ticks != right->ticks ? left->ticks < right->ticks : left->pos < right->pos;
}

/* Merges the ascending [from, middle) and [middle, to); of equal keys the left one comes first. */
static void merge_two(const struct sort_key *keys, size_t from, size_t middle, size_t to,
                      struct sort_key *out)
{
    size_t left = from, right = middle;
    for (size_t at = from; at < to; at++) {
        bool take_right =
            left == middle || (right < to && sort_actions_is_before(&keys[right], &keys[left]));
        out[at] = keys[take_right ? right++ : left++];
    }
}

static void sort_with(struct tt_action *actions, size_t count, struct sort_key *keys,
                      struct sort_key *other, size_t *ends, struct tt_action *copy)
{
    size_t stretches = 0;
    for (size_t at = 0; at < count; at = ends[stretches++]) {
        ends[stretches] = tt_stretch_end(actions, count, at);
    }

    for (size_t i = 0; i < count; i++) {
        keys[i] = (struct sort_key){actions[i].ticks, actions[i].pos, i};
    }
    while (stretches > 1) {
        /* Merges neighbouring stretches, which end at `ends`. */
        size_t left = 0, from = 0;
        for (size_t i = 0; i < stretches; i += 2) {
            size_t middle = ends[i], to = i + 1 < stretches ? ends[i + 1] : middle;
            merge_two(keys, from, middle, to, other);
            ends[left++] = to;
            from = to;
        }
        stretches = left;

        struct sort_key *key = keys;
        keys = other;
        other = key;
    }
    memcpy(copy, actions, count * sizeof *actions);
    for (size_t i = 0; i < count; i++) {
        actions[i] = copy[keys[i].index];
    }
}

bool tt_sort_actions(struct tt_action *actions, size_t count)
{
    if (count == 0 || tt_stretch_end(actions, count, 0) == count) {
        return true;
    }
    size_t each = 2 * sizeof(struct sort_key) + sizeof(size_t) + sizeof *actions;
    uint8_t *room = count > SIZE_MAX / each ? NULL : malloc(count * each);
    if (!room) {
        return false;
    }
    struct tt_action *copy = (struct tt_action *)(void *)room;
    struct sort_key *keys = (struct sort_key *)(void *)(copy + count);
    sort_with(actions, count, keys, keys + count, (size_t *)(void *)(keys + 2 * count), copy);
    free(room);
    return true;
}
