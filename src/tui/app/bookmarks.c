/* SPDX-License-Identifier: Apache-2.0 */
/* marks: setting them, going to them, and what lies between two. */
#include "tui/app/bookmarks.h"

#include <string.h>

#include "tui/app/app.h"

bool tt_bookmarks_set(struct tt_app *app, int mark)
{
    struct tt_bookmark *m = &app->marks[mark];
    if (!app->cursor.valid) {
        return false;
    }
    m->ticks = app->cursor.event.ticks;
    m->pos = app->cursor.event.pos;
    m->set = ++app->marks_set;
    return true;
}

void tt_bookmarks_clear(struct tt_app *app, int mark)
{
    memset(&app->marks[mark], 0, sizeof app->marks[mark]);
}

void tt_bookmarks_note(struct tt_app *app, int mark, const char *note)
{
    char *out = app->marks[mark].note;
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

void tt_bookmarks_key(struct tt_app *app, uint32_t key)
{
    if (key < 'a' || key > 'z') {
        tt_app_message(app, TT_ROLE_WARNING, "a mark is a letter from a to z");
        return;
    }
    int mark = (int)(key - 'a');
    const struct tt_bookmark *m = &app->marks[mark];
    const struct tt_event *event = &app->cursor.event;
    if (m->set && app->cursor.valid && m->ticks == event->ticks && m->pos == event->pos) {
        tt_bookmarks_clear(app, mark);
        tt_app_message(app, TT_ROLE_STATUS, "mark %c taken away", (int)key);
        return;
    }
    tt_bookmarks_set(app, mark);
}

void tt_bookmarks_goto(struct tt_app *app, int mark)
{
    tt_go_show_place(app);
    tt_app_jump(app, app->marks[mark].ticks, app->marks[mark].pos);
    if (app->marks[mark].note[0]) {
        tt_app_message(app, TT_ROLE_MARK, "%c: %s", 'a' + mark, app->marks[mark].note);
    }
}

void tt_bookmarks_goto_key(struct tt_app *app, uint32_t key)
{
    if (key == '\'') {
        if (app->before_jump.valid) {
            tt_go_show_place(app);
            tt_app_jump(app, app->before_jump.event.ticks, app->before_jump.event.pos);
        }
    } else if (key >= 'a' && key <= 'z' && app->marks[key - 'a'].set) {
        tt_bookmarks_goto(app, (int)(key - 'a'));
    } else {
        tt_app_message(app, TT_ROLE_WARNING, "no such mark");
    }
}

char tt_app_bookmark_at(const struct tt_app *app, const struct tt_event *event)
{
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        const struct tt_bookmark *mark = &app->marks[i];
        if (mark->set && mark->ticks == event->ticks && mark->pos == event->pos) {
            return (char)('a' + i);
        }
    }
    return 0;
}

bool tt_app_two_bookmarks(const struct tt_app *app, int *first, int *second)
{
    int newest = -1, newer = -1;
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        unsigned set = app->marks[i].set;
        if (set && (newest < 0 || set > app->marks[newest].set)) {
            newer = newest;
            newest = i;
        } else if (set && (newer < 0 || set > app->marks[newer].set)) {
            newer = i;
        }
    }
    if (newer < 0) {
        *first = newest;
        return false;
    }
    const struct tt_bookmark *a = &app->marks[newest], *b = &app->marks[newer];
    bool ordered = a->ticks < b->ticks || (a->ticks == b->ticks && a->pos <= b->pos);
    *first = ordered ? newest : newer;
    *second = ordered ? newer : newest;
    return true;
}

bool tt_bookmarks_select(struct tt_app *app)
{
    int first, second;
    if (!tt_app_two_bookmarks(app, &first, &second)) {
        return false;
    }
    app->viewport.spans = true;
    app->viewport.growing = false;
    app->viewport.anchor = app->marks[first].ticks;
    app->viewport.other = app->marks[second].ticks;
    return true;
}

static uint64_t number_of(const struct tt_app *app, const struct tt_bookmark *mark)
{
    struct tt_events *events = app->opened.events;
    return tt_events_number(events, tt_events_row_at_key(events, mark->ticks, mark->pos));
}

void tt_bookmarks_difference(struct tt_app *app, int width, struct tt_text *text)
{
    int first = -1, second;
    bool both = tt_app_two_bookmarks(app, &first, &second);
    if (first < 0) {
        return;
    }
    if (!both) {
        tt_text_str(text, "mark ");
        tt_text_char(text, (char)('a' + first));
        return;
    }
    const struct tt_bookmark *a = &app->marks[first], *b = &app->marks[second];
    uint64_t from = number_of(app, a), to = number_of(app, b), ticks = b->ticks - a->ticks;
    tt_text_char(text, (char)('a' + first));
    tt_text_str(text, "..");
    tt_text_char(text, (char)('a' + second));
    tt_text_char(text, ' ');
    tt_app_duration(app, text, ticks);
    tt_text_str(text, ", ");
    tt_text_grouped(text, to >= from ? to - from : 0);
    tt_text_str(text, " events");
    if (app->opened.capture->clock_hz && (int)text->used + 24 <= width) {
        tt_text_str(text, ", ");
        tt_text_grouped(text, ticks);
        tt_text_str(text, " ticks");
    }
}
