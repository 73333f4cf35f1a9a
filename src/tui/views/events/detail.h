/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events/detail: the pane below the event list: all fields of the cursor's event and its bytes.
 *
 *      - event 301,442 -- offset 0x499c2a0, 16 bytes -- thread given -----------
 *       THREAD THRUNNING  cpu 0  sensor (90123) thread 2 "isr"
 *       pid        u32  90123       01 10 00 00 84 1f c2 4b[0b 60 01 00]02 00 00 00
 *       tid        u32  2           ^ bytes of the file, in the order of the records that
 *                                     contain the event; the selected field's are highlighted
 */
#ifndef TRACETUI_TUI_VIEWS_EVENTS_DETAIL_H
#define TRACETUI_TUI_VIEWS_EVENTS_DETAIL_H

#include "tui/model/workspace.h"

struct tt_detail {
    bool open;
    unsigned field;       /* index of the selected field; may exceed the event's fields */
    struct tt_args *args; /* scratch space for the arguments of the event */
};

/* Returns the height of the pane for a view of `body_height` lines. */
int tt_detail_height(int body_height);
void tt_detail_draw(const struct tt_workspace *ws, const struct tt_detail *detail,
                    struct tt_area area);
/* Appends the event and its arguments as lines "name=value". */
void tt_detail_copy(const struct tt_workspace *ws, const struct tt_event *event,
                    const struct tt_args *args, struct tt_text *text);
/* Appends the command that plots the values of the selected field; false: there is none. */
bool tt_detail_plot(const struct tt_workspace *ws, const struct tt_detail *detail,
                    struct tt_text *text);
/* Selects the next or previous field of the cursor's event. */
void tt_detail_choose(const struct tt_workspace *ws, struct tt_detail *detail, bool next);

#endif
