/* SPDX-License-Identifier: Apache-2.0 */
/* baseline_internal: measures and names of rows, for the files that make baselines. One thread. */
#ifndef TRACETUI_COMPARE_BASELINE_INTERNAL_H
#define TRACETUI_COMPARE_BASELINE_INTERNAL_H

#include "base/arena.h"
#include "base/hash.h"
#include "compare/baseline.h"

/* ---- measures ----------------------------------------------------------------------------- */

/* Sets the measures of a table, and one more; false if the table has none. */
bool tt_baseline_set_measures(struct tt_baseline *baseline, const struct tt_table *table,
                              const struct tt_table_column *extra);
/* Finds a measure by the key of its column, as a file has it. */
bool tt_baseline_find_measure(const struct tt_table *table, const char *key,
                              struct tt_baseline_measure *measure);
/* Returns whether the values of blocks sum to that of the window: those of an absent row are 0. */
static inline bool tt_baseline_is_sum(const struct tt_baseline_measure *measure)
{
    return measure->scale == TT_SCALE_SHARE || measure->scale == TT_SCALE_RATE;
}
/* Returns the value of a measure in a row, or TT_BASELINE_NONE. */
uint64_t tt_baseline_value(const struct tt_baseline_measure *measure,
                           const struct tt_table_run *sheet, const void *row);
/* Returns the ticks of the largest sample of the measure's distribution, or TT_BASELINE_NONE. */
uint64_t tt_baseline_place(const struct tt_baseline_measure *measure, const void *row);

/* ---- names -------------------------------------------------------------------------------- */

/*
 * Keys of processes and threads: the name, and an ordinal among those of the same name, in order of their
 * begin. They do not depend on numbers that differ from run to run.
 */
struct tt_baseline_keys {
    const char **of; /* by number */
    uint32_t count;
};

struct tt_baseline_names {
    struct tt_arena texts;
    struct tt_baseline_keys processes, threads;
    struct tt_hash by_key; /* of the rows */
};

#define TT_KEY_PART "\x1f" /* between the parts of a key */

/* Makes the keys of a capture; false if out of memory. O(n log n) of the threads. */
bool tt_baseline_make_names(struct tt_baseline_names *names, const struct tt_capture *capture,
                            const struct tt_timelines *timelines);
void tt_baseline_free_names(struct tt_baseline_names *names);
/* Returns the key of a process or thread; "-": there is none of that number. */
const char *tt_baseline_key_of(const struct tt_baseline_keys *keys, uint32_t number);

/* Appends the key of a row of a run, from its columns that are keys. */
void tt_baseline_put_key(struct tt_text *text, const struct tt_baseline_names *names,
                         const struct tt_table_run *run, const void *row);
/* Sets the names of a new row; false if out of memory. */
bool tt_baseline_name_row(struct tt_baseline *baseline, struct tt_baseline_row *row,
                          const struct tt_table_run *run, const void *from);

/* ---- rows --------------------------------------------------------------------------------- */

/* Returns the index of the row with a key, or SIZE_MAX. */
size_t tt_baseline_find(const struct tt_baseline *baseline, const char *key, size_t length);
/* Adds a row without values; `key` is copied. NULL if out of memory. */
struct tt_baseline_row *tt_baseline_add_row(struct tt_baseline *baseline, const char *key,
                                            size_t length);

#endif
