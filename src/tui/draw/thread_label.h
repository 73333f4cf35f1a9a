/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_label: shortens a thread's name to a given width, keeping the thread's own part longest.
 *
 *      EKern.exe[100041af]0001/9700472 Supervisor      full name, as in every other output
 *      EKern.exe[100041af]0001/Supervisor              number dropped if there is a name
 *      EKern.exe/Supervisor                            without Symbian's [UID]generation
 *      EKe~/Supervisor
 *      Supervisor
 *
 * Stateless; any thread.
 */
#ifndef TRACETUI_TUI_DRAW_THREAD_LABEL_H
#define TRACETUI_TUI_DRAW_THREAD_LABEL_H

#include "tracetui/capture.h"
#include "tui/draw/grid.h"

/*
 * Appends the name, escaped, in at most `width` columns if that is possible without cutting the
 * thread's own part; otherwise the caller truncates it.
 */
void tt_thread_label(const struct tt_grid *grid, const struct tt_capture *capture, uint32_t thread,
                     int width, struct tt_text *text);

#endif
