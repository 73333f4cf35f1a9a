/* SPDX-License-Identifier: Apache-2.0 */
/* time_label: a time on the screen in the format that the user chose. */
#ifndef TRACETUI_TUI_MODEL_TIME_LABEL_H
#define TRACETUI_TUI_MODEL_TIME_LABEL_H

#include <stdint.h>

struct tt_text;
struct tt_workspace;

/* A time in the format chosen; `before`: ticks of the event before. */
void tt_time_label(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                   uint64_t before);
/* The date and time of day of a capture that has them: 2025-11-03 09:00:12.855 954 373 UTC. */
void tt_time_label_date(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
/* A moment by itself: as tt_time_label, but from the beginning where others are from the last. */
void tt_time_label_moment(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
/* The unit in the head of such a column. */
const char *tt_time_label_unit(const struct tt_workspace *ws);
/* A duration with its unit, or in ticks without a clock. */
void tt_time_label_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);

#endif
