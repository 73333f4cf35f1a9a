/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_container: the texts in which debuggers hand over a trace buffer, and the bytes in them.
 *
 *      Intel HEX      :LLAAAATTdd..ddCC     type 00 data, 01 end, others say where data goes
 *      S-record       StLLaa..aadd..ddCC    S1 S2 S3 data behind 2, 3, 4 address bytes; S7 S8 S9
 * end hex dump       dddddd..              pairs of digits; spaces and line ends between them
 *
 * Told apart by content. Data is put end to end in the order of the file, as TraceX does it;
 * addresses that leave a gap and checksums that are wrong are reported, not obeyed. The functions
 * read only `source`, write only `out` and allocate nothing; any thread.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_CONTAINER_H
#define TRACETUI_FORMAT_TRX_TRX_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/bytes.h"

/* A trace buffer lies in the memory of a small system; text beyond this is not read. */
#define TRX_IMAGE_MAX ((size_t)64 << 20)

enum trx_container {
    TRX_CONTAINER_NONE, /* not one of these texts */
    TRX_CONTAINER_INTEL_HEX,
    TRX_CONTAINER_S_RECORD,
    TRX_CONTAINER_HEX_DUMP,
};

const char *trx_container_name(enum trx_container container);

/* What the first bytes look like; says nothing of what is inside. */
enum trx_container trx_container_guess(struct tt_bytes source);

/* What was odd about the text. Offsets are in the text. */
struct trx_container_report {
    uint64_t bad_lines; /* not a record of its kind: skipped */
    uint64_t first_bad_line;
    uint64_t bad_sums; /* the data was used all the same */
    uint64_t first_bad_sum;
    uint64_t jumps; /* data whose address does not follow from the record before */
    uint64_t first_jump;
    bool full; /* `capacity` was too small for the rest */
};

/* Writes the data of `source` to `out`; returns how many bytes, at most `capacity`. */
size_t trx_container_decode(enum trx_container container, struct tt_bytes source, uint8_t *out,
                            size_t capacity, struct trx_container_report *report);

#endif
