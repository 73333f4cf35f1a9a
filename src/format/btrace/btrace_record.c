/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_record.h"

#include "format/btrace/btrace_record_inline.h"

enum btrace_read btrace_record_read(struct tt_bytes bytes, uint64_t pos,
                                    struct btrace_record *record)
{
    return btrace_record_read_inline(bytes, pos, record);
}

bool btrace_record_is_known(const struct btrace_record *record)
{
    return btrace_record_is_known_inline(record);
}

bool btrace_record_is_plausible(const struct btrace_record *record)
{
    return btrace_record_is_plausible_inline(record);
}
