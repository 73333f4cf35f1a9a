/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline: the numbers of one range of a capture, for a comparison with another one (comparison.h).
 *
 *      window   |-- block 0 --|-- block 1 --|-- block 2 --| ...      blocks of equal length
 *      row      sensor/1      run       12.4 %    12.1 %  12.6 %  12.5 % ...
 *                             delay p99 203 us    190 us  203 us  188 us ...
 *                             measure   whole     blocks
 *
 * Each row of a table of `stats` has the values of some columns (measures) in the whole window and in
 * each block: the blocks show by how much a value varies within one run. A baseline is measured on a
 * capture in steps, or read from a file that an earlier measurement wrote.
 *
 * Values are whole numbers in the unit of their scale, so that a file keeps them exactly. Sums and counts
 * are divided by the window: ranges of different length can be compared.
 *
 * A baseline owns its rows and texts, which are escaped, and belongs to one thread. The trace and its
 * reader outlive the measurement, not the baseline.
 */
#ifndef TRACETUI_COMPARE_BASELINE_H
#define TRACETUI_COMPARE_BASELINE_H

#include "base/sink.h"
#include "tracetui/table.h"

#define TT_BASELINE_NONE     UINT64_MAX /* the row has no such value */
#define TT_BASELINE_BLOCKS   32u   /* blocks of a window at least, if the block length is free */
#define TT_BASELINE_MOST     128u  /* blocks of a window at most */
#define TT_BASELINE_MEASURES 16u   /* measures of a table at most */
#define TT_BASELINE_DETAILED 4096u /* rows with blocks at most: those with most run time */

/* Scales of values. */
enum tt_scale {
    TT_SCALE_TIME,   /* picoseconds; without a clock thousandths of ticks */
    TT_SCALE_SHARE,  /* of the window, in 10^-9 */
    TT_SCALE_RATE,   /* per second, in 10^-6; without a clock per million ticks */
    TT_SCALE_NUMBER, /* thousandths */
};

struct tt_baseline_measure {
    const char *key;                      /* of the column: "delay_p99" */
    const struct tt_table_column *column; /* a constant */
    enum tt_scale scale;
};

struct tt_baseline_row {
    const char *key;  /* pairs rows of two baselines: names, and numbers where there are none */
    const char *name; /* "sensor/1 sample", "hmi -> fusion" */
    const char *first, *second; /* the parts of `name` that a selector compares; second may be "" */
    uint32_t thread;            /* number in the capture, or TT_NO_THREAD; also for files */
    uint64_t *values;           /* by measure */
    uint64_t *blocks;           /* [measure * block_count + block], or NULL */
    uint64_t *places;           /* by measure: ticks of the largest sample, or TT_BASELINE_NONE;
                                   NULL in files */
};

struct tt_baseline {
    const struct tt_table *table;
    const char *format; /* name of the capture's format */
    bool has_clock;
    uint64_t window; /* in ns, without a clock in ticks; so is `block` */
    uint64_t block;
    uint32_t block_count;
    struct tt_baseline_measure measures[TT_BASELINE_MEASURES];
    uint32_t measure_count;
    struct tt_baseline_row *rows;
    size_t count;
    size_t capacity;
    bool shrunk; /* bytes of the capture were gone */
    struct tt_baseline_work *work;
    struct tt_baseline_names *names;
};

/* The rows and the range to measure. */
struct tt_baseline_request {
    const struct tt_table *table;
    struct tt_trace *trace; /* indexed */
    struct tt_events *events;
    struct tt_key_range keys;
    struct tt_job_ends job_ends; /* of jobs, see tt_job_ends_parse */
    uint64_t block;              /* length of a block as in struct tt_baseline; 0: no blocks */
    uint32_t block_most;         /* number of blocks at most */
    const struct tt_table_column *extra; /* one more measure, or NULL */
};

/* Returns whether there are measures of a table, so that it can be compared. */
bool tt_baseline_has(const struct tt_table *table);
/* Returns the length of the part of a range inside the capture, in ns or ticks. */
uint64_t tt_baseline_window(struct tt_trace *trace, const struct tt_key_range *keys);

/*
 * Begins to measure. The caller frees *baseline with tt_baseline_free. TT_ERR_MEMORY; TT_ERR_USAGE for a
 * table without measures.
 */
struct tt_status tt_baseline_begin(struct tt_baseline **baseline,
                                   const struct tt_baseline_request *request);
/*
 * Continues until `deadline_ns` (tt_now_ns), or for one step; *complete at the end. After an error the
 * baseline can only be freed.
 */
struct tt_status tt_baseline_step(struct tt_baseline *baseline, uint64_t deadline_ns,
                                  bool *complete);
/* Returns the progress in percent. */
unsigned tt_baseline_percent(const struct tt_baseline *baseline);
void tt_baseline_free(struct tt_baseline *baseline);

/*
 * Returns the ticks at which a block of a measured baseline begins; TT_BASELINE_NONE for a baseline that
 * was read from a file.
 */
uint64_t tt_baseline_block_begin(const struct tt_baseline *baseline, uint32_t block);

/* ---- files -------------------------------------------------------------------------------- */

#define TT_BASELINE_BYTES (256u << 20) /* a file is smaller */

/* Writes a complete baseline; several may follow each other in a file. */
void tt_baseline_write(const struct tt_baseline *baseline, struct tt_sink *sink);
/* Returns whether a file is a baseline, by its first bytes. */
bool tt_baseline_is_file(const char *path);
/*
 * Reads the baseline of the table `by` from a file. The caller frees *baseline. TT_ERR_IO,
 * TT_ERR_MEMORY; TT_ERR_FORMAT with the line of the first error; TT_ERR_USAGE if the file has no such
 * table.
 */
struct tt_status tt_baseline_read(const char *path, const struct tt_table *table,
                                  struct tt_baseline **baseline);

#endif
