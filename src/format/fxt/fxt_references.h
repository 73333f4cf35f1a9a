/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_references: values of keys by file position.
 *
 *  FXT registers strings and threads under small indices and may reuse an index later. To decode a
 * block in the middle of the file again, each registration is stored with the position from which
 * it applies:
 *
 *       index --hash--> slot { key a, b | first pos, value | newer }
 *                                                             |
 *                              history { older | 8 | pos value, ... }   newest first, each sorted,
 *                              history { older | 4 | pos value, ... }   each twice as large
 *
 *  A table whose values never change has one registration per key, at position 0.
 *
 *  One writer puts while any thread gets, without a lock: slots never move, counts are published
 * after the items they cover, and an outgrown index stays until the table is freed. O(1) for keys
 * registered once, else O(log registrations). Memory: about 60 bytes per key and up to 32 bytes per
 * further registration.
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

/* Returns the value of (a, b) at `pos`; false if it has none there. Any thread. */
bool tt_fxt_table_get(const struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t *value);

/*
 * Sets the value of (a, b) from `pos` on (writer only). A position not after the newest one of the
 * key changes nothing. Returns false when out of memory.
 */
bool tt_fxt_table_put(struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t value);

/* Writes the table into the current section. O(registrations). */
void tt_fxt_references_save(const struct tt_fxt_table *table, struct tt_section_writer *writer);
/*
 * Adds the output of tt_fxt_references_save to an empty table (writer only, before there are
 * readers). Returns false when out of memory, when positions do not ascend, or when `is_valid`
 * rejects a value; `a` is the first half of the key.
 */
bool tt_fxt_table_restore(struct tt_fxt_table *table, struct tt_reader *reader,
                          bool (*is_valid)(const void *arg, uint64_t a, uint64_t value),
                          const void *arg);

#endif
