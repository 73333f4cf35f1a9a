/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump_rows: prints the rows of a capture as lines, formatted by several threads and written in
 * order.
 *
 * The rows are divided into pieces. Each worker formats the next piece in a slot, and the calling
 * thread writes the slots in the order of the pieces:
 *
 *      piece    0   1   2   3   4   5  ...        formatted by the next free worker
 *      slot     0   1   2   3   0   1             a worker waits until its slot is written
 *                   ^ next to write
 *
 * With few rows, one CPU, or without further threads, the calling thread formats the pieces itself.
 */
#ifndef TT_CLI_DUMP_ROWS_H
#define TT_CLI_DUMP_ROWS_H

#include "cli/event_selection.h"
#include "cli/output.h"
#include "cli/writers.h"

/*
 * Writes the rows of `pick` with `writer`. Output errors are reported by `out`. Sets input->shrunk
 * if bytes of the file are gone.
 */
struct tt_status tt_dump_rows(struct tt_input *input, const struct tt_event_selection *pick,
                              tt_writer *writer, struct tt_output *out);

/* Events in memory, each with its number n. */
struct tt_event_list {
    const struct tt_event *events;
    const uint64_t *numbers;
    size_t count;
};

/* Returns the number of events from index `from` on, at most `most`, with consecutive numbers. */
uint32_t tt_event_list_run(const struct tt_event_list *given, size_t from, uint32_t most);
/* Writes the events of the list that match `pick`, whose rows are ignored. */
struct tt_status tt_dump_list(struct tt_input *input, const struct tt_event_selection *pick,
                              const struct tt_event_list *given, tt_writer *writer,
                              struct tt_output *out);

#endif
