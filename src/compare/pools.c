/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/pools.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "compare/baseline_internal.h"

#define KEY_BYTES 4096u

/* The key of each pool while they are found. */
struct search {
    struct tt_arena texts;
    struct tt_hash by_key;
    const char **keys;
    uint32_t *sizes_a, *sizes_b;
    uint32_t count;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whether rows of the table are named by threads. */
static bool has_threads(const struct tt_table *table)
{
    const struct tt_table_column *subject = tt_table_name_column(table, 0);
    return subject && subject->unit == TT_UNIT_LANE_NAME;
}

/* Appends a part of a key without the numbers of its instances: "sh#2/crunch1" becomes "sh/crunch". */
static void put_part(struct tt_text *text, const char *part, size_t length, bool threads)
{
    size_t start = text->used;
    for (size_t i = 0; i < length; i++) {
        size_t digits = 0;
        while (part[i] == '#' && i + 1 + digits < length && is_digit(part[i + 1 + digits])) {
            digits++;
        }
        bool ends = i + 1 + digits == length || part[i + 1 + digits] == '/';
        if (digits > 0 && ends) {
            i += digits;
        } else {
            tt_text_char(text, part[i]);
        }
    }
    while (threads && memchr(part, '/', length) && text->used > start &&
           is_digit(text->buffer[text->used - 1])) {
        text->used--;
    }
}

static void put_pool_key(struct tt_text *text, const char *key, bool threads)
{
    while (*key) {
        size_t length = strcspn(key, TT_KEY_PART);
        put_part(text, key, length, threads);
        key += length;
        if (*key) {
            tt_text_char(text, *key++);
        }
    }
}

/* Returns the number of a key, a new one if there is none; TT_NO_POOL if out of memory. */
static uint32_t number_of(struct search *s, const struct tt_text *key)
{
    struct tt_probe probe;
    uint64_t hash = tt_hash_of(key->buffer, key->used);
    for (uint32_t n = tt_hash_first(&s->by_key, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&s->by_key, &probe)) {
        if (strlen(s->keys[n]) == key->used && memcmp(s->keys[n], key->buffer, key->used) == 0) {
            return n;
        }
    }
    s->keys[s->count] = tt_arena_text(&s->texts, key->buffer, key->used);
    return s->keys[s->count] && tt_hash_add(&s->by_key, hash, s->count) ? s->count++ : TT_NO_POOL;
}

/* Sets the pools of the rows of one side, and counts their members. */
static bool find_pools(struct search *s, const struct tt_baseline *b, struct tt_pool_side *side,
                       uint32_t *sizes)
{
    char buffer[KEY_BYTES];
    side->pool = calloc(b->count + 1, sizeof *side->pool);
    for (size_t i = 0; side->pool && i < b->count; i++) {
        struct tt_text key = tt_text_of(buffer, sizeof buffer);
        put_pool_key(&key, b->rows[i].key, has_threads(b->table));
        side->pool[i] = number_of(s, &key);
        if (side->pool[i] == TT_NO_POOL) {
            return false;
        }
        sizes[side->pool[i]]++;
    }
    return side->pool != NULL;
}

/* Lists the members of each pool. */
static bool list_members(struct tt_pools *pools, const struct tt_baseline *b,
                         struct tt_pool_side *side, const uint32_t *sizes)
{
    side->first = calloc((size_t)pools->count + 2, sizeof *side->first);
    side->members = calloc(b->count + 1, sizeof *side->members);
    if (!side->first || !side->members) {
        return false;
    }
    for (uint32_t p = 0; p < pools->count; p++) {
        side->first[p + 1] = side->first[p] + sizes[p];
    }
    /* first[p] moves to its end while members are added, and is then that of the next pool. */
    for (size_t i = 0; i < b->count; i++) {
        side->members[side->first[side->pool[i]]++] = (uint32_t)i;
    }
    for (uint32_t p = pools->count; p > 0; p--) {
        side->first[p] = side->first[p - 1];
    }
    side->first[0] = 0;
    return true;
}

/* A row that is alone on both sides has no pool. */
static void drop_single(const struct tt_baseline *b, struct tt_pool_side *side,
                        const struct search *s)
{
    for (size_t i = 0; i < b->count; i++) {
        uint32_t pool = side->pool[i];
        if (s->sizes_a[pool] < 2 && s->sizes_b[pool] < 2) {
            side->pool[i] = TT_NO_POOL;
        }
    }
}

static bool make(struct tt_pools *pools, struct search *s, const struct tt_baseline *a,
                 const struct tt_baseline *b)
{
    size_t most = a->count + b->count + 1;
    s->keys = calloc(most, sizeof *s->keys);
    s->sizes_a = calloc(most, sizeof *s->sizes_a);
    s->sizes_b = calloc(most, sizeof *s->sizes_b);
    pools->unnamed = calloc(most, sizeof *pools->unnamed);
    if (!s->keys || !s->sizes_a || !s->sizes_b || !pools->unnamed ||
        !find_pools(s, a, &pools->a, s->sizes_a) || !find_pools(s, b, &pools->b, s->sizes_b)) {
        return false;
    }
    pools->count = s->count;
    for (uint32_t i = 0; i < s->count; i++) {
        pools->unnamed[i] = strstr(s->keys[i], "/tid ") != NULL;
    }
    if (!list_members(pools, a, &pools->a, s->sizes_a) ||
        !list_members(pools, b, &pools->b, s->sizes_b)) {
        return false;
    }
    drop_single(a, &pools->a, s);
    drop_single(b, &pools->b, s);
    return true;
}

bool tt_pools_make(struct tt_pools *pools, const struct tt_baseline *a, const struct tt_baseline *b)
{
    struct search s = {0};
    bool ok = make(pools, &s, a, b);
    tt_arena_free(&s.texts);
    tt_hash_free(&s.by_key);
    free(s.keys);
    free(s.sizes_a);
    free(s.sizes_b);
    return ok;
}

static void free_side(struct tt_pool_side *side)
{
    free(side->pool);
    free(side->first);
    free(side->members);
}

void tt_pools_free(struct tt_pools *pools)
{
    free_side(&pools->a);
    free_side(&pools->b);
    free(pools->unnamed);
    memset(pools, 0, sizeof *pools);
}

void tt_pools_sum(const struct tt_pool_side *side, const struct tt_baseline *baseline,
                  uint32_t pool, uint32_t measure, uint64_t *blocks)
{
    enum tt_scale scale = baseline->measures[measure].scale;
    bool sums = scale == TT_SCALE_SHARE || scale == TT_SCALE_RATE;
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
