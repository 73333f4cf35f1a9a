/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump_rows: the rows of a capture as lines, made by several threads and written in order.
 *
 * The rows are cut into pieces. Each worker takes the next piece, makes its lines in a slot, and
 * the calling thread writes the slots in the order of the pieces:
 *
 *      piece    0   1   2   3   4   5  ...        made by whoever is free
 *      slot     0   1   2   3   0   1             a worker waits until its slot has been written
 *                   ^ written next
 *
 * Few rows, one processor, or no thread to be had: the calling thread makes the pieces itself.
 */
#ifndef TT_CLI_DUMP_ROWS_H
#define TT_CLI_DUMP_ROWS_H

#include "cli/event_selection.h"
#include "cli/output.h"
#include "cli/writers.h"

/*
 * Writes the rows of `pick` with `writer`. Failures of the output are the output's to tell. Sets
 * input->shrunk when bytes of the file were gone.
 */
struct tt_status tt_dump_rows(struct tt_input *input, const struct tt_event_selection *pick,
                              tt_writer *writer, struct tt_output *out);

/* Events in hand, each with its number n. */
struct tt_event_list {
    const struct tt_event *events;
    const uint64_t *numbers;
    size_t count;
};

/* Of the events from number `from` on: how many, at most `most`, have numbers that follow on. */
uint32_t tt_event_list_run(const struct tt_event_list *given, size_t from, uint32_t most);
/* Writes these of them that `pick` wants; its rows count for nothing. */
struct tt_status tt_dump_list(struct tt_input *input, const struct tt_event_selection *pick,
                              const struct tt_event_list *given, tt_writer *writer,
                              struct tt_output *out);

#endif
