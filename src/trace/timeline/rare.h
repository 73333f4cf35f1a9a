/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rare: marks a function for rare cases, which is not inlined into the frequent path. As the last call
 * of a function it needs no frame there.
 */
#ifndef TRACETUI_TRACE_TIMELINE_RARE_H
#define TRACETUI_TRACE_TIMELINE_RARE_H

#if defined(__GNUC__)
#define TT_RARE __attribute__((noinline, cold))
#else
#define TT_RARE
#endif

#endif
