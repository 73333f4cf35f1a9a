/* SPDX-License-Identifier: Apache-2.0 */
/* time_label: formats times for the screen as chosen by the user. */
#ifndef TRACETUI_TUI_MODEL_TIME_LABEL_H
#define TRACETUI_TUI_MODEL_TIME_LABEL_H

#include <stdint.h>

struct tt_text;
struct tt_workspace;

/* A time in words, for a format: tt_words_moment(ws, at).s */
struct tt_words {
    char s[64];
};

/* Appends a time in the chosen format; `before`: ticks of the previous event. */
void tt_time_label(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                   uint64_t before);
/* Appends date and time of day if the capture has them: 2025-11-03 09:00:12.855 954 373 UTC. */
void tt_time_label_date(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
/* Appends a single time: as tt_time_label, but relative to the start instead of the last event. */
void tt_time_label_moment(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
/* Does the same, with the unit: "0.012 300 000 s". */
void tt_time_label_place(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
#define TT_TIME_UNIT_BYTES 64
/* Writes the unit for the heading of a time column: "time s", "time UTC", "ticks". */
const char *tt_time_label_unit(const struct tt_workspace *ws, char out[TT_TIME_UNIT_BYTES]);
/* Writes the name of the zone of absolute times in the capture. */
void tt_time_label_zone(const struct tt_workspace *ws, struct tt_text *text);
/* Returns the seconds after midnight, in the zone, of the time 0 of absolute times near `ticks`. */
int64_t tt_time_label_day(const struct tt_workspace *ws, uint64_t ticks);
/* Appends a duration with its unit, or in ticks if there is no clock. */
void tt_time_label_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks);
/* Return what the functions above append. */
struct tt_words tt_words_moment(const struct tt_workspace *ws, uint64_t ticks);
struct tt_words tt_words_duration(const struct tt_workspace *ws, uint64_t ticks);

#endif
