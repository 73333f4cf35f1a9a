/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/pools.h"

#include <stdlib.h>
#include <string.h>

#include "compare/baseline_internal.h"

#define KEY_BYTES 4096u

/* A row of a side, which is sorted by the key of its pool. */
struct member {
    const char *key;
    uint32_t side, row;
};

static int compare_members(const void *x, const void *y)
{
    const struct member *left = x, *right = y;
    int keys = strcmp(left->key, right->key);
    return keys != 0                   ? keys
           : left->side != right->side ? (int)left->side - (int)right->side
                                       : (left->row > right->row) - (left->row < right->row);
}

static bool pools_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Appends a key without the numbers of its instances: "sh#2/crunch1" becomes "sh/crunch". Names of threads lose
 * the digits at their end.
 */
static void put_pool_key(struct tt_text *text, const char *key, bool of_threads)
{
    while (*key) {
        size_t start = text->used, length = strcspn(key, TT_KEY_PART);
        for (size_t i = 0; i < length; i++) {
            size_t digits = 0;
            while (key[i] == '#' && i + 1 + digits < length &&
                   pools_is_digit(key[i + 1 + digits])) {
                digits++;
            }
            bool ends = i + 1 + digits == length || key[i + 1 + digits] == '/';
            if (digits > 0 && ends) {
                i += digits;
            } else {
                tt_text_char(text, key[i]);
            }
        }
        while (of_threads && memchr(key, '/', length) && text->used > start &&
               pools_is_digit(text->buffer[text->used - 1])) {
            text->used--;
        }
        key += length;
        if (*key) {
            tt_text_char(text, *key++);
        }
    }
}

/* Lists the rows of both sides by the key of their pool; NULL if out of memory. */
static struct member *sort_rows(struct tt_arena *texts, const struct tt_baseline *sides[2])
{
    char buffer[KEY_BYTES];
    size_t count = 0;
    struct member *members = calloc(sides[0]->count + sides[1]->count + 1, sizeof *members);
    for (uint32_t side = 0; members && side < 2; side++) {
        const struct tt_table_column *subject = tt_table_name_column(sides[side]->table, 0);
        bool of_threads = subject && subject->unit == TT_UNIT_LANE_NAME;
        for (uint32_t i = 0; i < sides[side]->count; i++) {
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            put_pool_key(&text, sides[side]->rows[i].key, of_threads);
            const char *key = tt_arena_text(texts, text.buffer, text.used);
            if (!key) {
                free(members);
                return NULL;
            }
            members[count++] = (struct member){key, side, i};
        }
    }
    if (members) {
        qsort(members, count, sizeof *members, compare_members);
    }
    return members;
}

bool tt_pools_make(struct tt_pools *pools, const struct tt_baseline *left,
                   const struct tt_baseline *right)
{
    const struct tt_baseline *sides[] = {left, right};
    struct tt_arena texts = {0};
    size_t all = left->count + right->count;
    struct member *members = sort_rows(&texts, sides);
    bool ok = members != NULL;
    for (int side = 0; side < 2; side++) {
        struct tt_pool_side *of = &pools->sides[side];
        of->pool = calloc(sides[side]->count + 1, sizeof *of->pool);
        of->members = calloc(sides[side]->count + 1, sizeof *of->members);
        of->first = calloc(all + 2, sizeof *of->first);
        ok = ok && of->pool && of->members && of->first;
    }
    pools->unnamed = calloc(all + 1, sizeof *pools->unnamed);
    ok = ok && pools->unnamed;
    for (size_t begin = 0, end; ok && begin < all; begin = end) {
        size_t sizes[2] = {0};
        for (end = begin; end < all && strcmp(members[end].key, members[begin].key) == 0; end++) {
            sizes[members[end].side]++;
        }
        bool alone = sizes[0] < 2 && sizes[1] < 2;
        for (size_t i = begin; i < end; i++) {
            struct tt_pool_side *of = &pools->sides[members[i].side];
            of->pool[members[i].row] = alone ? TT_NO_POOL : pools->count;
            if (!alone) {
                of->members[of->first[pools->count + 1]++] = members[i].row;
            }
        }
        if (!alone) {
            pools->unnamed[pools->count++] = strstr(members[begin].key, "/tid ") != NULL;
            for (int side = 0; side < 2; side++) { /* the next pool begins where this one ends */
                uint32_t *first = pools->sides[side].first;
                first[pools->count + 1] = first[pools->count];
            }
        }
    }
    free(members);
    tt_arena_free(&texts);
    return ok;
}

void tt_pools_free(struct tt_pools *pools)
{
    for (int side = 0; side < 2; side++) {
        free(pools->sides[side].pool);
        free(pools->sides[side].first);
        free(pools->sides[side].members);
    }
    free(pools->unnamed);
    memset(pools, 0, sizeof *pools);
}

void tt_pools_sum(const struct tt_pool_side *side, const struct tt_baseline *baseline,
                  uint32_t pool, uint32_t measure, uint64_t *blocks)
{
    bool sums = tt_baseline_is_sum(&baseline->measures[measure]);
    for (uint32_t k = 0; k < baseline->block_count; k++) {
        uint64_t sum = 0, count = 0;
        for (uint32_t i = side->first[pool]; i < side->first[pool + 1]; i++) {
            const struct tt_baseline_row *row = &baseline->rows[side->members[i]];
            uint64_t value = row->blocks ? row->blocks[(size_t)measure * baseline->block_count + k]
                                         : TT_BASELINE_NONE;
            if (value < UINT64_MAX - sum) {
                sum += value;
                count++;
            }
        }
        blocks[k] = count == 0 ? TT_BASELINE_NONE : sums ? sum : sum / count;
    }
}
