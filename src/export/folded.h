/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folded: calls as folded stacks, which flame graph tools read: a line per call path with the time of its own.
 *
 *      glxgears;main;draw 1834                    process;caller;...;call and nanoseconds of self time
 *
 * A path is written if it has time of its own. `;` in a name becomes `,`. Without a clock a nanosecond is a tick. One
 * thread.
 */
#ifndef TRACETUI_EXPORT_FOLDED_H
#define TRACETUI_EXPORT_FOLDED_H

#include "analysis/calls.h"
#include "base/sink.h"
#include "tracetui/trace.h"

/* Writes the paths of a tree; `of_run`: with the part of the time on a CPU. Returns the number of lines. */
size_t tt_export_folded(const struct tt_trace *trace, const struct tt_calls *calls, bool of_run,
                        struct tt_sink *sink);

#endif
