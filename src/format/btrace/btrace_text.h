/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_text: prints a capture as Symbian's utracedecoder does without message definitions (dump
 * --style btrace): one line per trace of the categories that it knows, in its order:
 *
 *      Sequence,Primary Filter,Sub Category,Time Stamp1,Time Stamp2,Context ID,Description
 *
 * Traces are held back while one in several records is incomplete; Sequence is the number of the
 * record at which a trace is printed.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_TEXT_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_TEXT_H

#include "format/btrace/btrace_internal.h"

extern const struct tt_style btrace_styles[];

#endif
