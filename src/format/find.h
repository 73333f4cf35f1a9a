/* SPDX-License-Identifier: Apache-2.0 */
/* find: the formats' parts of tt_find_captures. Pure functions; any thread. */
#ifndef TT_FORMAT_FIND_H
#define TT_FORMAT_FIND_H

#include "tracetui/find.h"

/* Finds the first buffer at or after `from`; the caller fills in `format`. False: there is none. */
typedef bool tt_find_next(struct tt_bytes bytes, uint64_t from, struct tt_found *found);

tt_find_next tt_kev_find;
tt_find_next tt_trx_find;
tt_find_next tt_btrace_find;

/* Returns the offset of the bytes of `text` at or after `from`; UINT64_MAX: none. */
uint64_t tt_find_text(struct tt_bytes bytes, uint64_t from, const char *text, uint32_t length);

#endif
