/* SPDX-License-Identifier: Apache-2.0 */
/* bookmarks: sets marks, goes to them and computes the difference of two. */
#include "tui/model/bookmarks.h"

#include <string.h>

#include "tui/model/workspace.h"

/* Returns the place of the cursor, without set and note: the event's, or, on a time axis, the time between events. */
static struct tt_bookmark place_of_cursor(const struct tt_navigation *nav)
{
    const struct tt_event *event = &nav->cursor.event;
    const uint64_t at = nav->viewport.at;
    if (tt_view_names(nav->view)->by_time && at != event->ticks) {
        return (struct tt_bookmark){.ticks = at};
    }
    return (struct tt_bookmark){.ticks = event->ticks, .pos = event->pos};
}

bool tt_bookmarks_set(struct tt_navigation *nav, int mark)
{
    struct tt_bookmark *bookmark = &nav->marks[mark];
    const struct tt_bookmark place = place_of_cursor(nav);
    if (!nav->cursor.valid) {
        return false;
    }
    bookmark->ticks = place.ticks;
    bookmark->pos = place.pos;
    bookmark->set = ++nav->marks_set;
    nav->marks_quiet = false;
    return true;
}

void tt_bookmarks_clear(struct tt_navigation *nav, int mark)
{
    memset(&nav->marks[mark], 0, sizeof nav->marks[mark]);
}

void tt_bookmarks_note(struct tt_navigation *nav, int mark, const char *note)
{
    char *out = nav->marks[mark].note;
    size_t length = strlen(note);
    if (length >= TT_NOTE_BYTES) {
        length = TT_NOTE_BYTES - 1;
        while (length > 0 && ((unsigned char)note[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    memcpy(out, note, length);
    out[length] = '\0';
}

void tt_bookmarks_key(struct tt_workspace *ws, uint32_t key)
{
    if (key < 'a' || key > 'z') {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "marks are letters from a to z");
        return;
    }
    int mark = (int)(key - 'a');
    const struct tt_bookmark *bookmark = &ws->nav.marks[mark];
    const struct tt_bookmark place = place_of_cursor(&ws->nav);
    if (bookmark->set && ws->nav.cursor.valid && bookmark->ticks == place.ticks &&
        bookmark->pos == place.pos) {
        tt_bookmarks_clear(&ws->nav, mark);
        tt_message_set(&ws->message, TT_ROLE_STATUS, "mark %c deleted", (int)key);
        return;
    }
    tt_bookmarks_set(&ws->nav, mark);
}

void tt_bookmarks_goto(struct tt_workspace *ws, int mark)
{
    tt_nav_show_place(ws);
    tt_nav_jump(ws, ws->nav.marks[mark].ticks, ws->nav.marks[mark].pos);
    if (tt_view_names(ws->nav.view)->by_time) {
        tt_viewport_go(&ws->nav.viewport, tt_nav_bounds(ws), 1, ws->nav.marks[mark].ticks);
        tt_nav_adopt_event(ws);
    }
    if (ws->nav.marks[mark].note[0]) {
        tt_message_set(&ws->message, TT_ROLE_MARK, "%c: %s", 'a' + mark, ws->nav.marks[mark].note);
    }
}

void tt_bookmarks_goto_key(struct tt_workspace *ws, uint32_t key)
{
    if (key == '\'') {
        if (ws->nav.before_jump.cursor.valid) {
            tt_nav_show_place(ws);
            tt_nav_jump_back(ws);
        }
    } else if (key >= 'a' && key <= 'z' && ws->nav.marks[key - 'a'].set) {
        tt_bookmarks_goto(ws, (int)(key - 'a'));
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no such mark");
    }
}

char tt_bookmark_at(const struct tt_navigation *nav, const struct tt_event *event)
{
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        const struct tt_bookmark *mark = &nav->marks[i];
        if (mark->set && mark->ticks == event->ticks && mark->pos == event->pos) {
            return (char)('a' + i);
        }
    }
    return 0;
}

bool tt_bookmarks_two(const struct tt_navigation *nav, int *first, int *second)
{
    int newest = -1, newer = -1;
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        unsigned set = nav->marks[i].set;
        if (set && (newest < 0 || set > nav->marks[newest].set)) {
            newer = newest;
            newest = i;
        } else if (set && (newer < 0 || set > nav->marks[newer].set)) {
            newer = i;
        }
    }
    if (newer < 0) {
        *first = newest;
        return false;
    }
    const struct tt_bookmark *left = &nav->marks[newest], *right = &nav->marks[newer];
    bool ordered =
        left->ticks < right->ticks || (left->ticks == right->ticks && left->pos <= right->pos);
    *first = ordered ? newest : newer;
    *second = ordered ? newer : newest;
    return true;
}

bool tt_bookmarks_select(struct tt_navigation *nav)
{
    int first, second;
    if (!tt_bookmarks_two(nav, &first, &second)) {
        return false;
    }
    nav->viewport.spans = true;
    nav->viewport.growing = false;
    nav->viewport.anchor = nav->marks[first].ticks;
    nav->viewport.other = nav->marks[second].ticks;
    return true;
}

static uint64_t bookmarks_number_of(const struct tt_workspace *ws, const struct tt_bookmark *mark)
{
    struct tt_events *events = ws->opened.events;
    return tt_events_number(events, tt_events_row_at_key(events, mark->ticks, mark->pos));
}

void tt_bookmarks_difference(const struct tt_workspace *ws, int width, struct tt_text *text)
{
    int first = -1, second;
    bool both = tt_bookmarks_two(&ws->nav, &first, &second);
    if (first < 0 || ws->nav.marks_quiet) {
        return;
    }
    if (!both) {
        tt_text_put(text, "mark %c", (char)('a' + first));
        return;
    }
    const struct tt_bookmark *left = &ws->nav.marks[first], *right = &ws->nav.marks[second];
    uint64_t from = bookmarks_number_of(ws, left), to = bookmarks_number_of(ws, right),
             events = to >= from ? to - from : 0, ticks = right->ticks - left->ticks;
    tt_text_put(text, "%c..%c %s, %'ju %s", (char)('a' + first), (char)('a' + second),
                tt_words_duration(ws, ticks).s, events, events == 1 ? "event" : "events");
    if (ws->opened.capture->clock_hz && (int)text->used + 24 <= width) {
        tt_text_put(text, ", %'ju ticks", ticks);
    }
}
