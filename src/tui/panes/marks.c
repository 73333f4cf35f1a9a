/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks: the list of marks, sorted by time.
 *
 *      -- marks ------------------------------------------
 *       a  0.015 000 104  event 1,204 MSG_SENDV io-blk/3      the user's note
 */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tui/panes/pane.h"

#define LINE_BYTES 512

struct list {
    struct tt_list rows;
    int order[TT_BOOKMARKS]; /* set marks by time */
    int count;
};

static bool marks_is_before(const struct tt_bookmark *left, const struct tt_bookmark *right)
{
    return left->ticks < right->ticks || (left->ticks == right->ticks && left->pos < right->pos);
}

static void marks_arrange(const struct tt_workspace *ws, struct list *list)
{
    list->count = 0;
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        if (!ws->nav.marks[i].set) {
            continue;
        }
        int at = list->count++;
        while (at > 0 && marks_is_before(&ws->nav.marks[i], &ws->nav.marks[list->order[at - 1]])) {
            list->order[at] = list->order[at - 1];
            at--;
        }
        list->order[at] = i;
    }
}

static void write_mark(const struct tt_workspace *ws, int number, struct tt_text *text)
{
    const struct tt_bookmark *mark = &ws->nav.marks[number];
    struct tt_event event;
    tt_time_label_moment(ws, text, mark->ticks);
    uint64_t row = tt_events_row_at_key(ws->opened.events, mark->ticks, mark->pos);
    if (tt_events_read(ws->opened.events, row, 1, &event) != 1) {
        return;
    }
    tt_text_put(text, "  #%ju ", tt_events_number(ws->opened.events, row));
    const struct tt_event_type *type = tt_types_at(ws->opened.capture, event.type);
    tt_text_escaped(text, type->name, strlen(type->name));
    if (event.thread != TT_NO_THREAD) {
        tt_text_char(text, ' ');
        tt_line_thread(text, ws->opened.capture, event.thread);
    }
}

static void list_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct list *list = state;
    marks_arrange(ws, list);
    int lines = list->count > 0 ? list->count : 1;
    lines = lines + 2 > area.height ? area.height - 2 : lines;
    tt_list_layout(&list->rows, (size_t)list->count, 1, lines);
}

static void list_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct list *list = state;
    struct tt_area box = tt_area_part(area, 0, 0, area.width, list->rows.lines + 2);
    tt_pane_box(ws, box, " marks ", true);
    if (list->count == 0) {
        tt_draw(box, 4, 1, box.width - 4, TT_ROLE_DIM, "no marks (press m and a letter)");
    }
    for (int i = 0; tt_list_row(&list->rows, i) < list->rows.count; i++) {
        /*
         * Draws the place in the left half and the note in the right; without a note, the place
         * only.
         */
        struct tt_area line = tt_area_part(box, 0, 1 + i, box.width, 1);
        int number = list->order[tt_list_row(&list->rows, i)];
        char buffer[LINE_BYTES];
        const char letter[2] = {(char)('a' + number), '\0'};
        const char *note = ws->nav.marks[number].note;
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        write_mark(ws, number, &text);
        int room = line.width - 4;
        int wanted = tt_grid_columns(line.grid, buffer, text.used);
        int place = note[0] && wanted > room * 3 / 5 ? room * 3 / 5 : room;
        tt_draw(line, 1, 0, 1, TT_ROLE_MARK, letter);
        int used = tt_draw_text(line, 4, 0, place, TT_ROLE_TEXT, buffer, text.used);
        char shown[4 * TT_NOTE_BYTES];
        text = tt_text_of(shown, sizeof shown);
        tt_text_escaped(&text, note, strlen(note));
        tt_draw_text(line, 6 + used, 0, line.width - 6 - used, TT_ROLE_MARK, shown, text.used);
    }
    tt_list_draw_cursor(&list->rows, &ws->term, box);
}

static bool list_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct list *list = state;
    marks_arrange(ws, list);
    if (list->rows.at >= (size_t)list->count) {
        return false;
    }
    int mark = list->order[list->rows.at];
    switch (action) {
    case TT_DO_GO:
        ws->nav.overlay = TT_OVERLAY_NONE;
        tt_bookmarks_goto(ws, mark);
        return true;
    case TT_DO_MARK_NOTE:
        ws->nav.noted = mark;
        ws->host.prompt(ws->host.app, TT_PROMPT_NOTE, ws->nav.marks[mark].note);
        return true;
    case TT_DO_MARK_DELETE:
        tt_bookmarks_clear(&ws->nav, mark);
        return true;
    default:
        return false;
    }
}

static const enum tt_do offers[] = {TT_DO_GO,           TT_DO_MARK_NOTE, TT_DO_MARK_DELETE,
                                    TT_DO_SELECT_MARKS, TT_DO_QUIT,      TT_DO_NOTHING};

static const char *const about[] = {
    "The marks with their times, distances and notes. V selects the range between the two latest.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go there", "go to the mark"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_marks = {
    .about = about,
    .state_size = sizeof(struct list),
    .layout = list_layout,
    .draw = list_draw,
    .list = tt_pane_list,
    .act = list_act,
    .footer = offers,
    .verbs = verbs,
};
