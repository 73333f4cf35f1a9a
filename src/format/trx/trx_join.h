/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_join: several buffers of one system, one after the other in a file, as one buffer. A system that records
 * for long writes its buffer each time that it is full:
 *
 *      header | registry | entries | header | registry | entries | ...       whole buffers
 *      header | registry | entries | entries | ...                           entries alone
 *
 *      image:  header | registry | entries of all buffers, in order          the latest header and registry
 *
 * A buffer belongs to the system if it has the same form and timer mask, and an object in common; systems that fill
 * two buffers in turn have them at different addresses. Zeros may be between buffers. An entry
 * that a buffer has in common with the end of the one before is there once.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_JOIN_H
#define TRACETUI_FORMAT_TRX_TRX_JOIN_H

#include "format/trx/trx_header.h"

struct trx_joined {
    uint8_t *image; /* NULL: the file has one buffer; otherwise the caller frees it */
    uint64_t size;
    uint64_t entries;
    uint64_t buffers;
    uint64_t back; /* buffers that begin before the end of the one in front of them */
    uint64_t rest; /* offset of the first byte that is not read, or the size of the file */
};

/* Returns false if out of memory. Linear in the size of the file. */
bool trx_join(struct tt_bytes file, struct trx_joined *joined);

#endif
