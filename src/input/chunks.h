/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunks: parts of a file that are compressed one by one, and unpacked when they are read.
 *
 *      mapped file   |head|packed 0|packed 1|packed 2|...
 *                              |        |
 *      pages         [ 0: size bytes ][ 1: size bytes ]...     positions of the unpacked bytes, in this order
 *                              |
 *      chunk reader  the latest TT_CHUNKS_KEPT of them, unpacked
 *
 * A table of chunks is filled by the format when it opens the capture, and then read by any thread. A reader
 * belongs to one thread, as a cursor does; its memory is freed with it. Packed bytes are read from the mapping:
 * inside tt_sigbus_guard, after a fault the reader is usable again.
 */
#ifndef TT_INPUT_CHUNKS_H
#define TT_INPUT_CHUNKS_H

#include <stdbool.h>

#include "tracetui/bytes.h"
#include "tracetui/status.h"

/* How each chunk is packed: an independent stream of zlib (RFC 1950), a frame of zstd, or not at all. */
enum tt_chunk_code { TT_CHUNK_PLAIN, TT_CHUNK_ZLIB, TT_CHUNK_ZSTD };

#define TT_CHUNKS_KEPT 4
#define TT_CHUNK_MOST  (UINT32_C(64) << 20) /* unpacked bytes of a chunk: a larger one is refused */

struct tt_chunks;

struct tt_chunks *tt_chunks_new(enum tt_chunk_code code);
/* NULL is allowed. No reader may be left. */
void tt_chunks_free(struct tt_chunks *chunks);
/*
 * Adds the next chunk: its packed bytes in the mapping, and the number of unpacked ones. Its position is the
 * sum of those of the chunks before. Returns false if memory is exhausted or `size` is 0 or too large.
 */
bool tt_chunks_add(struct tt_chunks *chunks, struct tt_bytes packed, uint32_t size);
/* Returns the number of unpacked bytes of all chunks. */
uint64_t tt_chunks_size(const struct tt_chunks *chunks);

struct tt_chunk_reader;

/* Creates a reader of the table, which must outlive it; NULL: no memory. */
struct tt_chunk_reader *tt_chunk_reader_new(const struct tt_chunks *chunks);
void tt_chunk_reader_free(struct tt_chunk_reader *reader);

/*
 * Returns the unpacked bytes from `pos` to the end of its chunk, which are valid until TT_CHUNKS_KEPT - 1 other
 * chunks have been read; none after the last chunk. Bytes that a damaged chunk lacks are not returned:
 * *damage is then a constant text (otherwise NULL), also if memory is exhausted.
 */
struct tt_bytes tt_chunk_read(struct tt_chunk_reader *reader, uint64_t pos, const char **damage);

#endif
