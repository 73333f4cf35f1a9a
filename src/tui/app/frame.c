/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame: the lines around a view.
 *
 *       demo.kev  QNX 7.1  4 CPU  12.40 s  3.10 M ev                 [1 Ev] 5 Inf
 *       ... the view ...
 *       a..b 21.45 µs, 15 events  ? help  Q ask  q quit  301,443rd of 3,104,221 events
 *
 * A prompt, and a message that is longer than a line, have two lines: the first one covers the last line of the view.
 */
#include <string.h>

#include "tracetui/format.h"
#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/live.h"
#include "tui/draw/units.h"
#include "tui/term/keys.h"

#define LINE_BYTES 512
/* Bytes between a stretch of damage and an event next to it, at most. */
#define REACH 4096u
/* Least columns of the active filters beside a message. */
#define FILTER_LEAST 12
/* Minimum width for full tab names. */
#define WIDE_TABS 100

/* ---- header ------------------------------------------------------------------------------- */

/* Writes the label of a view in the header: " [3 Threads]". */
static void tab_text(const struct tt_app *app, int id, struct tt_text *text)
{
    const struct tt_view_names *names = tt_view_names((enum tt_view_id)id);
    bool shown = (enum tt_view_id)id == app->ws.nav.view;
    tt_text_str(text, id > 0 ? " " : "");
    tt_text_str(text, shown ? "[" : "");
    tt_text_str(text, names->key);
    tt_text_char(text, ' ');
    tt_text_str(text, app->ws.term.grid.width >= WIDE_TABS ? names->title : names->tab);
    tt_text_str(text, shown ? "]" : "");
}

/* Returns the first column of the label of a view, which ends at the right edge with the last one. */
static int tab_x(const struct tt_app *app, int id)
{
    char buffer[64];
    int x = app->ws.term.grid.width;
    for (int i = id; i < TT_VIEW_COUNT; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tab_text(app, i, &text);
        x -= (int)text.used;
    }
    return x;
}

enum tt_view_id tt_frame_tab_at(const struct tt_app *app, int x)
{
    int id = TT_VIEW_COUNT - 1;
    while (id >= 0 && x < tab_x(app, id)) {
        id--;
    }
    return id >= 0 && x < app->ws.term.grid.width ? (enum tt_view_id)id : TT_VIEW_COUNT;
}

/* Writes a fact for the header, most useful first; returns false after the last. */
static bool header_fact(const struct tt_app *app, int number, struct tt_text *text)
{
    const struct tt_capture *capture = app->ws.opened.capture;
    const struct tt_progress *progress = &app->ws.index.progress;
    switch (number) {
    case 0:
        tt_text_escaped(text, capture->title, strlen(capture->title));
        return true;
    case 1:
        tt_text_u64(text, capture->cpu_count);
        tt_text_str(text, " CPU");
        return true;
    case 2:
        if (progress->events > 0) {
            tt_time_label_duration(&app->ws, text, progress->last_ticks - progress->first_ticks);
        }
        return true;
    case 3:
        tt_units_count(text, progress->events);
        tt_text_str(text, " ev");
        return true;
    case 4:
        if (app->files.path_count > 1) {
            tt_text_str(text, "file ");
            tt_text_u64(text, app->files.path + 1);
            tt_text_str(text, " of ");
            tt_text_u64(text, app->files.path_count);
        }
        return true;
    default:
        return false;
    }
}

/* ---- status line -------------------------------------------------------------------------- */

static void frame_put_percent(struct tt_text *text, const char *what, unsigned percent)
{
    tt_text_str(text, what);
    tt_text_u64(text, percent);
    tt_text_str(text, " %");
}

static void progress_text(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_progress *progress = &app->ws.index.progress;
    unsigned percent = 0;
    if (progress->bytes_total > 0) {
        percent = (unsigned)((double)progress->bytes_done * 100.0 / (double)progress->bytes_total);
    }
    if (tt_live_text(app, text)) {
        return;
    }
    if (!progress->finished) {
        frame_put_percent(text, "indexing ", percent);
        tt_text_char(text, ' ');
        tt_units_count(text, progress->events);
        tt_text_str(text, " ev");
    } else if (tt_failed(&progress->status)) {
        frame_put_percent(text, "indexed ", percent);
    } else if (tt_filter_stack_busy(&app->ws.filters.stack)) {
        frame_put_percent(text, "filtering ", tt_filter_stack_percent(&app->ws.filters.stack));
    }
}

static void position_text(const struct tt_app *app, struct tt_text *text)
{
    if (!app->ws.nav.cursor.valid) {
        return;
    }
    if (!tt_filter_stack_all_shown(&app->ws.filters.stack)) {
        /* Writes the cursor's position among the filtered events: "17th of 12,881 matches". */
        uint64_t from, to;
        const struct tt_row_set *shown = app->ws.filters.stack.shown;
        tt_row_set_known(shown, &from, &to);
        if (from == 0 && tt_row_set_has(shown, app->ws.nav.cursor.row)) {
            tt_units_ordinal(text, tt_row_set_rank(shown, app->ws.nav.cursor.row) + 1);
            tt_text_str(text, " of ");
        }
        tt_text_grouped(text, tt_row_set_count(shown));
        tt_text_str(text, tt_row_set_count(shown) == 1 ? " match" : " matches");
        return;
    }
    /* A derived event has no number: its place is before that of the next one. */
    const bool derived = (app->ws.nav.cursor.event.flags & TT_EVENT_UNNUMBERED) != 0;
    const uint64_t events = app->ws.index.progress.events,
                   number = tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row);
    if (derived && number >= events) {
        tt_text_str(text, "after the last");
    } else {
        tt_text_str(text, derived ? "before the " : "");
        tt_units_ordinal(text, number + 1);
    }
    tt_text_str(text, " of ");
    tt_text_grouped(text, events);
    tt_text_str(text, " events");
}

/* Draws a text left of column x if there is room after `used`; returns its first column. */
static int draw_before(struct tt_area line, int x, int used, unsigned role,
                       const struct tt_text *text)
{
    const int left = x - (int)text->used - 2;
    if (text->used == 0 || left <= used + 1) {
        return x;
    }
    tt_draw_text(line, left, 0, (int)text->used, role, text->buffer, text->used);
    return left;
}

/* Returns the columns to the left of the progress, or all but the last one. */
static int width_before(int width, const struct tt_text *progress)
{
    return width - (int)progress->used - (progress->used > 0 ? 3 : 1);
}

/* Finds the last stretch that begins before `offset`, or the first one from there on; returns false if it is not near. */
static bool frame_find_stretch(const struct tt_capture *capture, uint64_t offset, bool before,
                               struct tt_health_record *stretch)
{
    bool found = false;
    for (uint32_t i = 0; (i = tt_health_next(capture, TT_HEALTH_DAMAGED, i)) != UINT32_MAX; i++) {
        const struct tt_health_record record = tt_health_at(capture, i);
        const bool is_nearer = !found || (record.offset > stretch->offset) == before;
        if ((record.offset < offset) == before && is_nearer) {
            *stretch = record;
            found = true;
        }
    }
    return found && (before ? stretch->offset + stretch->value + REACH > offset
                            : stretch->offset - offset < REACH);
}

/* Writes "damage: 500 bytes at 0x7530" if the cursor is at the last event before these bytes or the first after them. */
static void stretch_text(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tt_health_record stretch;
    struct tt_event at;
    if (!ws->nav.cursor.valid || tt_health_count(capture, TT_HEALTH_DAMAGED) == 0) {
        return;
    }
    const uint64_t pos = ws->nav.cursor.event.pos, offset = tt_capture_offset(capture, pos);
    bool is = frame_find_stretch(capture, offset, false, &stretch) &&
              tt_events_at_offset(ws->opened.events, stretch.offset, &at) && at.pos == pos;
    is = is || (frame_find_stretch(capture, offset, true, &stretch) &&
                tt_events_at_offset(ws->opened.events, offset - 1, &at) &&
                tt_capture_offset(capture, at.pos) <= stretch.offset);
    if (is) {
        tt_text_str(text, "damage: ");
        tt_health_stretch_text(&stretch, text);
    }
}

/* Returns the role of the news of the status line and writes their text; nothing if there are none. */
static unsigned news_text(const struct tt_app *app, int room, struct tt_text *text)
{
    unsigned role = TT_ROLE_PROGRESS;
    if (app->ws.filters.scan.active) {
        static const char *const words[] = {"this thread", "this CPU", "this type"};
        tt_text_str(text, "searching ");
        tt_text_str(text, words[app->ws.filters.scan.by]);
        tt_text_char(text, ' ');
        tt_text_u64(text, tt_event_scan_percent(&app->ws.filters.scan, app->ws.index.rows));
        tt_text_str(text, " %, Esc stops");
    } else if (app->list_search.active) {
        tt_text_put(text, "searching this list %u %%, Esc stops",
                    tt_list_search_percent(&app->list_search));
    } else if (app->writing.active) {
        tt_export_progress(app, text);
    } else if (app->ws.message.text[0]) {
        role = app->ws.message.role;
        tt_text_str(text, app->ws.message.text);
    } else {
        role = tt_find_pending(&app->ws.filters) ? TT_ROLE_PROGRESS : TT_ROLE_STATUS;
        tt_find_search_status(&app->ws, text);
    }
    if (text->used == 0) {
        role = TT_ROLE_WARNING;
        stretch_text(&app->ws, text);
    }
    if (text->used == 0) {
        role = TT_ROLE_MARK;
        tt_bookmarks_difference(&app->ws, room, text);
    }
    return role;
}

/* Returns the bytes of a text that fit into `width` columns, up to a blank where there is one. */
static size_t broken_at_blank(const struct tt_grid *grid, const char *text, size_t length,
                              int width)
{
    size_t fit = tt_grid_fitting(grid, text, length, width);
    size_t blank = fit;
    while (fit < length && blank > fit / 2 && text[blank] != ' ') {
        blank--;
    }
    return fit < length && text[blank] == ' ' ? blank : fit;
}

/*
 * Draws the active filters, which are never hidden, and the news on the second of two lines. A message that is too long
 * begins on the first one, over the view. Returns the columns used.
 */
static int draw_left(const struct tt_app *app, struct tt_area lines, int room)
{
    char filter[LINE_BYTES], buffer[LINE_BYTES];
    struct tt_text filters = tt_text_of(filter, sizeof filter);
    struct tt_text news = tt_text_of(buffer, sizeof buffer);
    const struct tt_grid *grid = &app->ws.term.grid;
    tt_find_filter_status(&app->ws, &filters);
    int width = tt_grid_columns(grid, filter, filters.used);
    const unsigned role = news_text(app, room - width - 2, &news);
    const int min = room / 3 > FILTER_LEAST ? room / 3 : FILTER_LEAST;
    const int wanted = tt_grid_columns(grid, buffer, news.used);
    if (wanted > 0 && width > min && width + 2 + wanted > room) {
        width = room - 2 - wanted > min ? room - 2 - wanted : min;
    }
    width = width < room ? width : room;
    const int x = filters.used > 0 ? 1 + width + 2 : 1;
    size_t rest = 0;
    int y = 1;
    if (app->ws.message.text[0] && x + wanted > lines.width) {
        const size_t fit = broken_at_blank(grid, buffer, news.used, lines.width - 1 - x);
        tt_draw_fill(lines, 0, 0, lines.width, TT_ROLE_TEXT, ' ');
        tt_draw_text(lines, x, 0, lines.width - x, role, buffer, fit);
        rest = fit + (fit < news.used && buffer[fit] == ' ');
        y = 0;
    }
    int used = 1 + tt_draw_text(lines, 1, y, width, TT_ROLE_STATUS, filter, filters.used);
    if (news.used > 0) {
        const int left = y == 0 ? 1 : x;
        used = left +
               tt_draw_text(lines, left, 1, room + 1 - left, role, buffer + rest, news.used - rest);
    }
    return used;
}

/* Draws the facts at the right edge that fit right of column `used`, the most useful last; returns the first column. */
static int draw_right(const struct tt_app *app, struct tt_area line, int used)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    progress_text(app, &text);
    const bool busy =
        !app->ws.index.progress.finished || tt_filter_stack_busy(&app->ws.filters.stack);
    int x =
        draw_before(line, line.width + 1, used, busy ? TT_ROLE_PROGRESS : TT_ROLE_STATUS, &text);
    text = tt_text_of(buffer, sizeof buffer);

    /* Writes the problems of the capture, if there are any. */
    uint64_t all = 0;
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        all += tt_health_count(app->ws.opened.capture, (enum tt_health_kind)kind);
    }
    if (all > 0) {
        tt_text_str(&text, "health ");
        tt_units_count(&text, all);
    }

    const bool is_damaged = tt_health_damaged(app->ws.opened.capture);
    x = draw_before(line, x, used, is_damaged ? TT_ROLE_ERROR : TT_ROLE_WARNING, &text);
    text = tt_text_of(buffer, sizeof buffer);
    if (tt_view_names(app->ws.nav.view)->by_time || app->ws.nav.view == TT_VIEW_SUMMARY ||
        app->ws.nav.view == TT_VIEW_MESSAGES) {
        tt_visible_lanes_text(&app->ws, &text);
        x = draw_before(line, x, used, TT_ROLE_STATUS, &text);
    }
    text = tt_text_of(buffer, sizeof buffer);
    position_text(app, &text);
    return draw_before(line, x, used, TT_ROLE_STATUS, &text);
}

/* ---- footer ------------------------------------------------------------------------------- */

/* Writes the key shown in the footer for an action. */
static void offer_key(const struct tt_app *app, enum tt_do action, struct tt_text *keys)
{
    char name[TT_KEY_NAME];
    unsigned contexts = app->prompt.line.open ? TT_IN_PROMPT : tt_app_contexts(app);
    uint32_t key = tt_keymap_key(&app->ws.term.keymap, action, contexts);
    tt_text_str(keys, key != TT_KEY_NONE ? tt_key_name(key, name) : "");
}

/* Returns the word of an action in the footer, as the view or pane with the keys has it. */
static const char *frame_word_of(const struct tt_app *app, enum tt_do action)
{
    void *state;
    return tt_view_verb(tt_app_front(app, &state), action).footer;
}

/* Returns true if an action has no word of its own and shares that of the next: ", . state". */
static bool shares_word(const struct tt_app *app, const enum tt_do *offer)
{
    return frame_word_of(app, offer[0])[0] == '\0' && offer[1] != TT_DO_NOTHING;
}

/* Returns the width of an offer and its keys in the footer; 0: it has no key. */
static int offer_width(const struct tt_app *app, const enum tt_do *offer)
{
    char buffer[64];
    struct tt_text keys = tt_text_of(buffer, sizeof buffer);
    offer_key(app, offer[0], &keys);
    int width = (int)keys.used;
    if (width > 0 && shares_word(app, offer)) {
        return width + 1 + offer_width(app, offer + 1);
    }
    return width > 0 ? width + 1 + (int)strlen(frame_word_of(app, offer[0])) : 0;
}

static int draw_offer(const struct tt_app *app, struct tt_area line, int x, const enum tt_do *offer)
{
    char buffer[64];
    struct tt_text keys = tt_text_of(buffer, sizeof buffer);
    int width = offer_width(app, offer);
    if (width == 0 || x + width > line.width) {
        return x;
    }
    offer_key(app, offer[0], &keys);
    x += tt_draw_text(line, x, 0, line.width, TT_ROLE_KEY, keys.buffer, keys.used);
    if (shares_word(app, offer)) {
        return draw_offer(app, line, x + 1, offer + 1);
    }
    x += 1 + tt_draw(line, x + 1, 0, line.width, TT_ROLE_FOOTER, frame_word_of(app, offer[0]));
    return x + 2;
}

/* Draws as many offers as fit from column x on, and the last one, which leaves the view, if there is room for any. */
static void draw_offers(const struct tt_app *app, struct tt_area line, int x,
                        const enum tt_do *actions)
{
    int count = 0;
    while (actions[count] != TT_DO_NOTHING) {
        count++;
    }
    struct tt_area rest = line;
    rest.width -= offer_width(app, &actions[count - 1]) + 2;
    for (int i = 0; i + 1 < count; i++) {
        x = draw_offer(app, rest, x, &actions[i]);
        i += shares_word(app, &actions[i]);
    }
    draw_offer(app, line, x, &actions[count - 1]);
}

/* Draws an open prompt on the first of two lines, over the view, and what helps to complete it on the second. */
static void draw_prompt(const struct tt_app *app, struct tt_area lines)
{
    static const enum tt_do offers[] = {TT_DO_EDIT_ACCEPT, TT_DO_EDIT_COMPLETE, TT_DO_EDIT_OLDER,
                                        TT_DO_EDIT_CANCEL, TT_DO_NOTHING};
    char buffer[LINE_BYTES];
    struct tt_text progress = tt_text_of(buffer, sizeof buffer);
    progress_text(app, &progress);
    tt_draw_fill(lines, 0, 0, lines.width, TT_ROLE_TEXT, ' ');
    draw_before(lines, lines.width + 1, 0, TT_ROLE_PROGRESS, &progress);
    tt_prompt_draw(app, lines, width_before(lines.width, &progress));
    const struct tt_area below = tt_area_part(lines, 0, 1, lines.width, 1);
    if (!tt_prompt_draw_below(app, below)) {
        draw_offers(app, below, 1, offers);
    }
}

/* Draws the last line: filters and news, or the keys that an awaited letter completes; keys; the position. */
static void draw_bottom(const struct tt_app *app, struct tt_area lines)
{
    static const char questions[] =
#define X(key, words, command) key " " words "  "
        TT_QUESTION_INFO(X)
#undef X
        ;
    const struct tt_area line = tt_area_part(lines, 0, 1, lines.width, 1);
    if (app->awaiting != TT_DO_NOTHING) {
        tt_draw(line, 1, 0, line.width - 1, TT_ROLE_PROMPT,
                app->awaiting == TT_DO_MARK  ? "mark this event with a letter, a to z"
                : app->awaiting == TT_DO_ASK ? questions
                                             : "go to the mark with this letter; ' goes back");
        return;
    }
    const int used = draw_left(app, lines, line.width - 2);
    const int right = draw_right(app, line, used);
    if (!app->ws.message.text[0]) {
        const struct tt_area rest = tt_area_part(line, 0, 0, right - 2, 1);
        draw_offers(app, rest, used > 1 ? used + 2 : 1, tt_app_footer(app));
    }
}

void tt_frame_layout(struct tt_app *app)
{
    if (!app->prompt.line.open) {
        return;
    }
    char buffer[LINE_BYTES];
    struct tt_text progress = tt_text_of(buffer, sizeof buffer);
    progress_text(app, &progress);
    tt_prompt_layout(app, width_before(app->ws.term.grid.width, &progress));
    tt_completion_layout(&app->prompt.completion, app->ws.term.body.height - 1);
}

void tt_frame_draw(const struct tt_app *app, struct tt_area all)
{
    const struct tt_area lines = tt_area_part(all, 0, all.height - 2, all.width, 2);

    struct tt_area line = tt_area_part(all, 0, 0, all.width, 1);
    tt_draw_fill(line, 0, 0, line.width, TT_ROLE_HEADER, ' ');
    int room = tab_x(app, 0) - 1;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);

    const char *path = tt_trace_path(app->ws.opened.trace);
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    if (strcmp(path, "-") == 0) {
        name = "standard input";
    }
    tt_text_escaped(&text, name, strlen(name));

    int x = 1 + tt_draw_text(line, 1, 0, room - 1, TT_ROLE_HEADER, buffer, text.used);
    for (int i = 0;; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        if (!header_fact(app, i, &text)) {
            break;
        }
        int width = tt_grid_columns(&app->ws.term.grid, buffer, text.used);
        if (width > 0 && x + 2 + width <= room) {
            x += 2 + tt_draw_text(line, x + 2, 0, width, TT_ROLE_HEADER, buffer, text.used);
        }
    }
    for (int id = 0; id < TT_VIEW_COUNT; id++) {
        text = tt_text_of(buffer, sizeof buffer);
        tab_text(app, id, &text);
        unsigned role = (enum tt_view_id)id == app->ws.nav.view ? TT_ROLE_TAB : TT_ROLE_HEADER;
        x = tab_x(app, id);
        tt_draw_text(line, x, 0, line.width - x, role, buffer, text.used);
    }

    if (!app->prompt.line.open) {
        draw_bottom(app, lines);
        return;
    }
    struct tt_area above = app->ws.term.body;
    above.height--;
    draw_prompt(app, lines);
    tt_completion_draw(&app->prompt.completion, &app->ws.term.theme, above);
}
