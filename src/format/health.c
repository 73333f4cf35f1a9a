/* SPDX-License-Identifier: Apache-2.0 */
/* health: problems found in a capture: all are counted, the first ones are stored. */
#include "format/capture_tables.h"

struct health_info {
    const char *key;
    const char *text;
    bool damage;
};

static const struct health_info infos[] = {
#define X(id, key, damage, text) {key, text, damage},
    TT_HEALTH_INFO(X)
#undef X
};

const char *tt_health_key(unsigned kind)
{
    return kind < TT_HEALTH_COUNT ? infos[kind].key : "?";
}

const char *tt_health_text(unsigned kind)
{
    return kind < TT_HEALTH_COUNT ? infos[kind].text : "?";
}

bool tt_health_is_damage(unsigned kind)
{
    return kind < TT_HEALTH_COUNT && infos[kind].damage;
}

void tt_health_add(struct tt_capture *c, enum tt_health_kind kind, uint64_t offset, uint64_t pos,
                   uint64_t value, const char *detail)
{
    struct tt_tables *t = c->tables;
    atomic_fetch_add_explicit(&t->health_counts[kind], 1, memory_order_relaxed);
    if (tt_column_count(&t->health) >= TT_HEALTH_KEPT) {
        return;
    }
    struct tt_health_record *record = tt_column_next(&t->health);
    if (tt_tables_saved(t, record != NULL)) {
        record->offset = offset;
        record->pos = pos;
        record->value = value;
        record->detail = detail;
        record->kind = (uint8_t)kind;
        tt_column_publish(&t->health);
    }
}

void tt_health_count_more(struct tt_capture *c, enum tt_health_kind kind, uint64_t times)
{
    atomic_fetch_add_explicit(&c->tables->health_counts[kind], times, memory_order_relaxed);
}

uint64_t tt_health_count(const struct tt_capture *c, enum tt_health_kind kind)
{
    return atomic_load_explicit(&c->tables->health_counts[kind], memory_order_relaxed);
}

uint32_t tt_health_kept(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->health);
}

struct tt_health_record tt_health_at(const struct tt_capture *c, uint32_t index)
{
    const struct tt_health_record *record = tt_column_at(&c->tables->health, index);
    return *record;
}

bool tt_health_damaged(const struct tt_capture *c)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        if (tt_health_is_damage(kind) && tt_health_count(c, (enum tt_health_kind)kind) > 0) {
            return true;
        }
    }
    return false;
}
