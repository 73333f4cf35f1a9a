/* SPDX-License-Identifier: Apache-2.0 */
#include "format/find.h"

#include <string.h>

extern const struct tt_format tt_format_kev;
extern const struct tt_format tt_format_trx;
extern const struct tt_format tt_format_btrace;

static const struct {
    const struct tt_format *format;
    tt_find_next *next;
} finders[] = {
    {&tt_format_kev, tt_kev_find},
    {&tt_format_trx, tt_trx_find},
    {&tt_format_btrace, tt_btrace_find},
};
#define FINDERS (sizeof finders / sizeof finders[0])

uint64_t tt_find_text(struct tt_bytes bytes, uint64_t from, const char *text, uint32_t length)
{
    while (from < bytes.size) {
        const uint8_t *at = memchr(bytes.data + from, text[0], (size_t)(bytes.size - from));
        if (!at) {
            break;
        }
        from = (uint64_t)(at - bytes.data);
        if (tt_bytes_has(bytes, from, length) && memcmp(at, text, length) == 0) {
            return from;
        }
        from++;
    }
    return UINT64_MAX;
}

uint32_t tt_find_captures(struct tt_bytes bytes, struct tt_found *list, uint32_t most)
{
    struct tt_found next[FINDERS] = {{0}};
    bool more[FINDERS];
    uint32_t count = 0;
    uint64_t from = 0;
    for (size_t i = 0; i < FINDERS; i++) {
        more[i] = finders[i].next(bytes, 0, &next[i]);
    }
    for (;;) {
        size_t first = FINDERS;
        for (size_t i = 0; i < FINDERS; i++) {
            while (more[i] && next[i].offset < from) { /* inside the last one */
                more[i] = finders[i].next(bytes, from, &next[i]);
            }
            if (more[i] && (first == FINDERS || next[i].offset < next[first].offset)) {
                first = i;
            }
        }
        if (first == FINDERS) {
            return count;
        }
        next[first].format = finders[first].format;
        if (count < most) {
            list[count] = next[first];
        }
        count++;
        from = next[first].offset + next[first].size;
    }
}
