/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bookmarks: places marked with a letter and a note. A mark holds an event's key, which stays valid when rows shift, or,
 * if it is set on a time axis between events, the time alone (pos 0); the difference of the two marks set last is
 * shown. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_BOOKMARKS_H
#define TRACETUI_TUI_MODEL_BOOKMARKS_H

#include <stdbool.h>
#include <stdint.h>

struct tt_navigation;
struct tt_workspace;
struct tt_event;
struct tt_text;

#define TT_BOOKMARKS  26
#define TT_NOTE_BYTES 200

struct tt_bookmark {
    uint64_t ticks;
    uint64_t pos;
    unsigned set; /* serial number of the setting; 0: not set */
    char note[TT_NOTE_BYTES];
};

/* Handle the mark's letter typed after m and after '. */
void tt_bookmarks_key(struct tt_workspace *ws, uint32_t key);
void tt_bookmarks_goto_key(struct tt_workspace *ws, uint32_t key);

/* Sets the mark at the cursor and keeps its note; false if there is no event. */
bool tt_bookmarks_set(struct tt_navigation *nav, int mark);
void tt_bookmarks_clear(struct tt_navigation *nav, int mark);
/* Sets the note; one that is too long is truncated at a character boundary. */
void tt_bookmarks_note(struct tt_navigation *nav, int mark, const char *note);
void tt_bookmarks_goto(struct tt_workspace *ws, int mark);
/* Selects the range between the two marks set last; false if there are fewer than two. */
bool tt_bookmarks_select(struct tt_navigation *nav);

/* Returns the letter of the mark on this event, or 0. */
char tt_bookmark_at(const struct tt_navigation *nav, const struct tt_event *event);
/* Returns the two marks set last in time order; false if there is only *first, or none. */
bool tt_bookmarks_two(const struct tt_navigation *nav, int *first, int *second);
/* Appends "a..b 21.45 us, 15 events" or "mark a" until Esc hides it, and the ticks if `width` columns suffice. */
void tt_bookmarks_difference(const struct tt_workspace *ws, int width, struct tt_text *text);

#endif
