/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slice_name: the names of slices. A function that a capture names by its address, a slice of the class "function"
 * named "0x4012a0", has the name of the symbol at that address if the programs of --symbols have one.
 */
#ifndef TRACETUI_TRACE_SLICE_NAME_H
#define TRACETUI_TRACE_SLICE_NAME_H

#include "tracetui/text.h"
#include "tracetui/trace.h"

/*
 * Appends the name of the slices of an event type on threads of a process (UINT32_MAX: of none), escaped. Any thread.
 */
void tt_slice_name(const struct tt_trace *trace, uint32_t process, uint32_t type,
                   struct tt_text *text);

#endif
