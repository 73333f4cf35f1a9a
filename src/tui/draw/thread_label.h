/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names: a thread's name in so many columns, its own part readable as long as can be.
 *
 *      EKern.exe[100041af]0001/9700472 Supervisor      where there is room: as in every output
 *      EKern.exe[100041af]0001/Supervisor              a name needs no number
 *      EKern.exe/Supervisor                            Symbian's [UID]generation, and folders
 *      EKe~/Supervisor
 *      Supervisor
 *
 * Nothing is kept. Any thread.
 */
#ifndef TRACETUI_TUI_DRAW_THREAD_LABEL_H
#define TRACETUI_TUI_DRAW_THREAD_LABEL_H

#include "tracetui/capture.h"
#include "tui/draw/grid.h"

/* The last part of a path: proc/boot/devc-pty is devc-pty, as ps has it. */
const char *tt_path_base_name(const char *name, size_t *length);

/*
 * Writes the name, escaped; it takes `width` columns at most where that can be done without cutting
 * the thread's own part, which is left to who draws it.
 */
void tt_thread_label(const struct tt_grid *grid, const struct tt_capture *c, uint32_t thread,
                     int width, struct tt_text *text);

#endif
