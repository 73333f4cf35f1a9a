/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_tables: what a key means, and from which place in the file on.
 *
 * FXT registers strings and threads under small indices and may register other ones under the same
 * index later. To decode a block again in the middle of the file, each registration is kept with
 * the position from which it holds:
 *
 *      index --hash--> slot { key a, b | first pos, value | newer }
 *                                                            |
 *                             history { older | 8 | pos value, ... }   newest first, each sorted,
 *                             history { older | 4 | pos value, ... }   each twice as large
 *
 * A table that never changes is the same with one registration at position 0 a key.
 *
 * One writer puts; any thread gets at the same time, without a lock: slots never move, counts are
 * published after what they cover, an outgrown index stays until the table is freed. O(1) for keys
 * that were registered once, else O(log registrations). Memory: about 60 bytes a key and up to
 * 32 bytes a further registration.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_REFERENCES_H
#define TRACETUI_FORMAT_FXT_FXT_REFERENCES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/column.h"

struct tt_fxt_index;
struct tt_section_writer;
struct tt_reader;

struct tt_fxt_table {
    struct tt_column slots; /* struct tt_fxt_slot */
    _Atomic(struct tt_fxt_index *) index;
};

void tt_fxt_table_init(struct tt_fxt_table *table);
void tt_fxt_table_free(struct tt_fxt_table *table);

/* What (a, b) means at `pos`. False when it means nothing there. Any thread. */
bool tt_fxt_table_get(const struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t *value);

/*
 * From `pos` on (a, b) means `value` (writer only). A position that does not lie behind the newest
 * one of the key changes nothing. False when out of memory.
 */
bool tt_fxt_table_put(struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t value);

/* Writes the table into the section at hand: O(registrations). */
void tt_fxt_references_save(const struct tt_fxt_table *table, struct tt_section_writer *w);
/*
 * Adds what tt_fxt_references_save wrote to an empty table (the writer's, before there are readers).
 * False when memory ran out, when positions do not ascend, or when `may_be` refuses a value: `a`
 * is the first half of its key.
 */
bool tt_fxt_table_restore(struct tt_fxt_table *table, struct tt_reader *r,
                          bool (*may_be)(const void *arg, uint64_t a, uint64_t value),
                          const void *arg);

#endif
