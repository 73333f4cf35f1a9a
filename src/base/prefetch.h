/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead: asking the memory for what will be read, without waiting for it. Nothing where the
 * compiler has no word for it.
 */
#ifndef TRACETUI_BASE_PREFETCH_H
#define TRACETUI_BASE_PREFETCH_H

/* A stretch that is read from its beginning to its end is asked for so many bytes ahead: a page, at
 * whose end processors stop to foresee what comes. */
#define TT_AHEAD_BYTES 4096

/* The line of memory at `place`, which may lie anywhere: also where nothing is. */
static inline void tt_prefetch(const void *place)
{
#if defined(__GNUC__)
    __builtin_prefetch(place);
#else
    (void)place;
#endif
}

#endif
