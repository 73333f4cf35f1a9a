/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline/deferred_health.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void tt_deferred_health_free(struct tt_deferred_health *held)
{
    free(held->records);
    memset(held, 0, sizeof *held);
}

bool tt_deferred_health_add(struct tt_deferred_health *held, const struct tt_health_record *record)
{
    if (held->count >= TT_HEALTH_KEPT) {
        held->more[record->kind]++;
        return true;
    }
    struct tt_health_record *records =
        tt_array_grow(held->records, held->count, &held->capacity, sizeof *records);
    if (!records) {
        return false;
    }
    held->records = records;
    records[held->count++] = *record;
    return true;
}

void tt_deferred_health_report(const struct tt_deferred_health *held, struct tt_capture *capture)
{
    for (size_t i = 0; i < held->count; i++) {
        const struct tt_health_record *record = &held->records[i];
        tt_health_add(capture, (enum tt_health_kind)record->kind, record->offset, record->pos,
                      record->value, record->detail);
    }
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        tt_health_count_more(capture, (enum tt_health_kind)kind, held->more[kind]);
    }
}
