/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_verdicts.h"

bool btrace_verdicts_add(struct tt_column *verdicts, struct btrace_verdict verdict)
{
    struct btrace_verdict *next = tt_column_next(verdicts);
    if (next) {
        *next = verdict;
        tt_column_publish(verdicts);
    }
    return next != NULL;
}

static uint64_t pos_of(const struct tt_column *verdicts, uint64_t index)
{
    return ((const struct btrace_verdict *)tt_column_at(verdicts, index))->pos;
}

uint64_t btrace_verdicts_before(const struct tt_column *verdicts, uint64_t pos)
{
    uint64_t low = 0, high = tt_column_count(verdicts);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (pos_of(verdicts, middle) < pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t btrace_verdicts_next(const struct tt_column *verdicts, uint64_t pos)
{
    uint64_t index = btrace_verdicts_before(verdicts, pos);
    return index < tt_column_count(verdicts) ? pos_of(verdicts, index) : UINT64_MAX;
}
