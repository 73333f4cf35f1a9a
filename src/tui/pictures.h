/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pictures: draws the lanes around intervals of one capture as images of a page, without a terminal.
 *
 *      open --> draw, as often as wanted --> style sheets for the classes used --> close
 *
 * An image has the overview, the axis, the lanes of the Why pane (those of the threads that the
 * interval depends on), and the legend of Threads. Call from one thread; sets LC_CTYPE to UTF-8 where it is not.
 */
#ifndef TRACETUI_TUI_PICTURES_H
#define TRACETUI_TUI_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sink.h"
#include "tracetui/status.h"
#include "tracetui/trace.h"

struct tt_tui_pictures;

/* An interval of a thread, in ticks; `what` is its kind, as in `why`. */
struct tt_tui_interval {
    uint32_t thread;
    uint64_t from;
    uint64_t to;
    const char *what;
};

/*
 * Opens a trace that is completely indexed and outlives the pictures. On success the caller closes
 * `*made`. Errors: TT_ERR_MEMORY.
 */
struct tt_status tt_tui_pictures_open(struct tt_trace *trace, struct tt_tui_pictures **made);
void tt_tui_pictures_close(struct tt_tui_pictures *pictures);

/* Writes the image of an interval; nothing if it has no states. Errors: TT_ERR_MEMORY. */
struct tt_status tt_tui_pictures_draw(struct tt_tui_pictures *pictures,
                                      const struct tt_tui_interval *interval, struct tt_sink *sink);

/* Writes the style sheet for the images drawn so far, for dark or light pages. */
void tt_tui_pictures_rules(const struct tt_tui_pictures *pictures, bool light,
                           struct tt_sink *sink);

#endif
