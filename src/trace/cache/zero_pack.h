/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zero_pack: saves an array of structs and numbers without its zero bytes.
 *
 *      size: 64 | mask: 8 | the bytes that are not 0: 0 to 8 | mask | bytes | ...
 *
 * Bit i of a mask is set if byte i of the word of 8 bytes is stored. The last word is filled with
 * zeros. Packed data are at most an eighth longer than the original, plus 16 bytes.
 *
 * Source of the scheme: the packing of Cap'n Proto, without its runs of words.
 * Plain data; any thread. O(bytes).
 */
#ifndef TRACETUI_TRACE_CACHE_ZERO_PACK_H
#define TRACETUI_TRACE_CACHE_ZERO_PACK_H

#include "base/section_file.h"

/* Appends the packed bytes to the current section. */
void tt_zero_pack_put(struct tt_section_writer *w, struct tt_bytes bytes);

/*
 * Returns the unpacked bytes, which the caller frees, and sets *size; NULL if the packed bytes are
 * inconsistent or out of memory. Needs at most eight times the packed size.
 */
uint8_t *tt_zero_unpack(struct tt_bytes packed, uint64_t *size);

#endif
