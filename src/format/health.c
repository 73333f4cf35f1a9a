/* SPDX-License-Identifier: Apache-2.0 */
/* health: problems found in a capture: all are counted, the first ones are stored. */
#include "format/capture_tables.h"
#include "tracetui/text.h"

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

void tt_health_add(struct tt_capture *capture, enum tt_health_kind kind, uint64_t offset,
                   uint64_t pos, uint64_t value, const char *detail)
{
    struct tt_tables *tables = capture->tables;
    atomic_fetch_add_explicit(&tables->health_counts[kind], 1, memory_order_relaxed);
    if (tt_column_count(&tables->health) >= TT_HEALTH_KEPT) {
        return;
    }
    struct tt_health_record *record = tt_column_next(&tables->health);
    if (tt_tables_saved(tables, record != NULL)) {
        record->offset = offset + capture->file_base;
        record->pos = pos + capture->base;
        record->line = capture->line;
        record->value = value;
        record->detail = detail;
        record->kind = (uint8_t)kind;
        tt_column_publish(&tables->health);
    }
}

void tt_health_count_more(struct tt_capture *capture, enum tt_health_kind kind, uint64_t times)
{
    atomic_fetch_add_explicit(&capture->tables->health_counts[kind], times, memory_order_relaxed);
}

void tt_health_place_text(const struct tt_health_record *record, struct tt_text *text)
{
    if (record->line > 0) {
        tt_text_str(text, "line ");
        tt_text_u64(text, record->line);
    } else {
        tt_text_str(text, "offset 0x");
        tt_text_hex(text, record->offset, 1);
    }
}

uint64_t tt_health_count(const struct tt_capture *capture, enum tt_health_kind kind)
{
    return atomic_load_explicit(&capture->tables->health_counts[kind], memory_order_relaxed);
}

uint32_t tt_health_kept(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->health);
}

struct tt_health_record tt_health_at(const struct tt_capture *capture, uint32_t index)
{
    const struct tt_health_record *record = tt_column_at(&capture->tables->health, index);
    return *record;
}

uint32_t tt_health_next(const struct tt_capture *capture, unsigned kind, uint32_t index)
{
    const uint32_t kept = tt_health_kept(capture);
    for (; index < kept; index++) {
        const struct tt_health_record *record = tt_column_at(&capture->tables->health, index);
        if (record->kind == kind) {
            return index;
        }
    }
    return UINT32_MAX;
}

bool tt_health_has_gaps(const struct tt_capture *capture)
{
    return tt_health_count(capture, TT_HEALTH_LOST) + tt_health_count(capture, TT_HEALTH_DAMAGED) >
           0;
}

void tt_health_stretch_text(const struct tt_health_record *stretch, struct tt_text *text)
{
    tt_text_grouped(text, stretch->value);
    tt_text_str(text, stretch->value == 1 ? " byte at 0x" : " bytes at 0x");
    tt_text_hex(text, stretch->offset, 1);
}

struct tt_stretches tt_health_stretches(const struct tt_capture *capture)
{
    struct tt_stretches damage = {.count = tt_health_count(capture, TT_HEALTH_DAMAGED)};
    uint64_t listed = 0;
    for (uint32_t i = 0;
         damage.count > 0 && (i = tt_health_next(capture, TT_HEALTH_DAMAGED, i)) != UINT32_MAX;
         i++) {
        const struct tt_health_record record = tt_health_at(capture, i);
        listed++;
        damage.bytes += record.value;
        damage.largest = record.value > damage.largest.value ? record : damage.largest;
    }
    damage.bytes = listed < damage.count ? UINT64_MAX : damage.bytes;
    return damage;
}

static uint64_t count_damage(const struct tt_capture *capture)
{
    uint64_t count = 0;
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        if (tt_health_is_damage(kind)) {
            count += tt_health_count(capture, (enum tt_health_kind)kind);
        }
    }
    return count;
}

bool tt_health_damaged(const struct tt_capture *capture)
{
    return count_damage(capture) > 0;
}

/* Orders records by offset; those of the container come first: their offsets are of its file. */
static bool comes_before(const struct tt_health_record *left, const struct tt_health_record *right)
{
    bool around = left->kind == TT_HEALTH_CONTAINER;
    if (around != (right->kind == TT_HEALTH_CONTAINER)) {
        return around;
    }
    return left->offset < right->offset;
}

struct tt_status tt_health_damage(const struct tt_capture *capture)
{
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_health_record first = {.offset = TT_NO_OFFSET};
    uint64_t count = count_damage(capture);
    if (count == 0) {
        return tt_ok();
    }

    /* Finds the damage nearest to the start among the kept records. */
    bool known = false;
    uint32_t kept = tt_health_kept(capture);
    for (uint32_t i = 0; i < kept; i++) {
        struct tt_health_record record = tt_health_at(capture, i);
        if (tt_health_is_damage(record.kind) && (!known || comes_before(&record, &first))) {
            first = record;
            known = true;
        }
    }

    tt_text_str(&text, known ? tt_health_text(first.kind) : "damaged");
    if (first.detail) {
        tt_text_str(&text, ": ");
        if (first.kind == TT_HEALTH_DAMAGED) {
            tt_text_grouped(&text, first.value);
            tt_text_char(&text, ' ');
        }
        tt_text_str(&text, first.detail);
    }
    if (count > 1) {
        tt_text_str(&text, " (and ");
        tt_text_grouped(&text, count - 1);
        tt_text_str(&text, " more: see tracetui info)");
    }
    return tt_error_at(TT_ERR_FORMAT, first.offset, "%s", tt_text_cstr(&text));
}
