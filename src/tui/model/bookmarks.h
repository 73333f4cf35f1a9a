/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bookmarks: places with a letter and a note. A mark holds an event's key, which lasts while rows
 * shift; the two that were set last show their difference. One thread.
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
    unsigned set; /* how many-th mark that was set; 0: not set */
    char note[TT_NOTE_BYTES];
};

/* A mark's letter after m or '. */
void tt_bookmarks_key(struct tt_workspace *ws, uint32_t key);
void tt_bookmarks_goto_key(struct tt_workspace *ws, uint32_t key);

/* Sets the mark at the cursor; false if there is nothing to mark. The note stays. */
bool tt_bookmarks_set(struct tt_navigation *nav, int mark);
void tt_bookmarks_clear(struct tt_navigation *nav, int mark);
/* A note that is too long is cut before a character. */
void tt_bookmarks_note(struct tt_navigation *nav, int mark, const char *note);
void tt_bookmarks_goto(struct tt_workspace *ws, int mark);
/* Selects from the earlier to the later of the two marks that were set last; false: there are not
 * two. */
bool tt_bookmarks_select(struct tt_navigation *nav);

/* The mark on this event as its letter, or 0. */
char tt_bookmark_at(const struct tt_navigation *nav, const struct tt_event *event);
/* The two marks set last, the earlier in time first; false if there are none, or only *first. */
bool tt_bookmarks_two(const struct tt_navigation *nav, int *first, int *second);
/* "a..b 21.45 us, 15 events" or "mark a", with ticks too if there is room for `width` columns. */
void tt_bookmarks_difference(struct tt_workspace *ws, int width, struct tt_text *text);

#endif
