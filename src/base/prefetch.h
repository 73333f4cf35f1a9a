/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefetch: loads memory into the cache before it is read. A no-op if the compiler has no builtin.
 */
#ifndef TRACETUI_BASE_PREFETCH_H
#define TRACETUI_BASE_PREFETCH_H

/*
 * Distance in bytes of the prefetch in sequential reads: a page, where hardware prefetching stops.
 */
#define TT_AHEAD_BYTES 4096

/* Prefetches the cache line at any address, even an invalid one. */
static inline void tt_prefetch(const void *place)
{
#if defined(__GNUC__)
    __builtin_prefetch(place);
#else
    (void)place;
#endif
}

#endif
