/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_container: decodes the text formats in which debuggers save a trace buffer.
 *
 *       Intel HEX      :LLAAAATTdd..ddCC     type 00 data, 01 end, others set the address base
 *       S-record       StLLaa..aadd..ddCC    S1 S2 S3 data after 2, 3, 4 address bytes; S7 S8 S9 end
 *       hex dump       dddddd..              pairs of digits; spaces and line ends between them
 *
 *  The content decides which one it is. Data is concatenated in file order, as TraceX does; address
 * gaps and wrong checksums are reported and otherwise ignored. The functions read only `source`,
 * write only `out` and allocate nothing; any thread.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_CONTAINER_H
#define TRACETUI_FORMAT_TRX_TRX_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/bytes.h"

/* Text beyond this size is not read: a trace buffer fits the memory of a small system. */
#define TRX_IMAGE_MAX ((size_t)64 << 20)

enum trx_container {
    TRX_CONTAINER_NONE, /* not one of these texts */
    TRX_CONTAINER_INTEL_HEX,
    TRX_CONTAINER_S_RECORD,
    TRX_CONTAINER_HEX_DUMP,
};

const char *trx_container_name(enum trx_container container);

/* Guesses the container from the first bytes, whatever it contains. */
enum trx_container trx_container_guess(struct tt_bytes source);

/* Problems of the text. Offsets are in the text. */
struct trx_container_report {
    uint64_t bad_lines; /* not a record of this container: skipped */
    uint64_t first_bad_line;
    uint64_t bad_sums; /* wrong checksums; the data is used */
    uint64_t first_bad_sum;
    uint64_t jumps; /* data whose address does not follow the previous record */
    uint64_t first_jump;
    bool full; /* `capacity` was too small */
};

/* Writes the data of `source` to `out`; returns the number of bytes, at most `capacity`. */
size_t trx_container_decode(enum trx_container container, struct tt_bytes source, uint8_t *out,
                            size_t capacity, struct trx_container_report *report);

#endif
