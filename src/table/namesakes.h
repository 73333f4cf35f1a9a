/* SPDX-License-Identifier: Apache-2.0 */
/*
 * namesakes: processes whose names read the same, which carry their number in tables on the screen:
 * "pidin (4108)". A run owns the bits; the thread of the run calls these.
 */
#ifndef TRACETUI_TABLE_NAMESAKES_H
#define TRACETUI_TABLE_NAMESAKES_H

#include "tracetui/table.h"

/* Finds the namesakes among the processes known now. Without memory there are none. O(n log n). */
void tt_namesakes_find(struct tt_table_run *run);
/*
 * Makes the text of a process or of one of its threads differ from those of its namesakes. The client and server
 * processes of messages without namesakes lose the UID and generation that Symbian appends: "sensor.exe" of
 * "sensor.exe[100041b2]0001"; namesakes keep the generation, "sensor.exe (1)". Of requests with short_names only.
 */
void tt_namesakes_tell_apart(const struct tt_table_run *run, struct tt_table_cell *cell);

/* Appends that number, " (4108)", or the generation, of a process with namesakes. */
void tt_namesakes_put_number(const struct tt_table_run *run, uint32_t process,
                             struct tt_text *text);

#endif
