/* SPDX-License-Identifier: Apache-2.0 */
/* prompt: the open prompt's keys, pastes, line, and the line below it. */
#include "tui/app/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "tui/app/app.h"
#include "tui/term/keys.h"

#define BELOW_BYTES 512
/* Timeout of a paste whose end never arrives, so that the keyboard recovers. */
#define PASTE_TIMEOUT_NS UINT64_C(3000000000)

extern const struct tt_line_edit_use tt_command_prompt;
extern const struct tt_line_edit_use tt_filter_prompt;
extern const struct tt_line_edit_use tt_event_scan_prompt;
extern const struct tt_line_edit_use tt_filter_name_prompt;

static void note_accepted(struct tt_app *app)
{
    if (app->ws.nav.noted >= 0) {
        tt_bookmarks_note(&app->ws.nav, app->ws.nav.noted, app->prompt.line.text);
    }
}

static const struct tt_line_edit_use note_prompt = {.accepted = note_accepted};

static void help_accepted(struct tt_app *app)
{
    if (tt_overlays[TT_OVERLAY_HELP]->choose(app->overlay_states[TT_OVERLAY_HELP],
                                             app->prompt.line.text)) {
        tt_app_act(app, TT_DO_HELP_FIND_NEXT);
    }
}

static const struct tt_line_edit_use help_prompt = {.accepted = help_accepted};

/* Narrows the open list of columns to those with the typed text. */
static void find_column(struct tt_app *app, const char *text, bool accepted)
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    if (view->find) {
        view->find(&app->ws, state, text, accepted);
    }
}

static void column_edited(struct tt_app *app)
{
    find_column(app, app->prompt.line.text, false);
}

static void column_accepted(struct tt_app *app)
{
    find_column(app, app->prompt.line.text, true);
}

static void column_cancelled(struct tt_app *app)
{
    find_column(app, "", false);
}

static const struct tt_line_edit_use column_prompt = {
    .edited = column_edited, .accepted = column_accepted, .cancelled = column_cancelled};

static void list_accepted(struct tt_app *app)
{
    if (app->prompt.line.text[0]) {
        snprintf(app->list_search.text, sizeof app->list_search.text, "%.127s",
                 app->prompt.line.text);
    }
    tt_app_find_row(app, true);
}

static const struct tt_line_edit_use list_prompt = {.accepted = list_accepted};

static const struct tt_line_edit_use *const uses[TT_PROMPT_KINDS] = {
    [TT_PROMPT_COMMAND] = &tt_command_prompt,  [TT_PROMPT_NOTE] = &note_prompt,
    [TT_PROMPT_FILTER] = &tt_filter_prompt,    [TT_PROMPT_EXCLUDE] = &tt_filter_prompt,
    [TT_PROMPT_HIGHLIGHT] = &tt_filter_prompt, [TT_PROMPT_SEARCH] = &tt_event_scan_prompt,
    [TT_PROMPT_NAME] = &tt_filter_name_prompt, [TT_PROMPT_HELP] = &help_prompt,
    [TT_PROMPT_COLUMN] = &column_prompt,       [TT_PROMPT_LIST] = &list_prompt,
};

static void edited(struct tt_app *app)
{
    const struct tt_line_edit_use *use = uses[app->prompt.line.kind];
    tt_line_edit_fail(&app->prompt.line, 0, "");
    if (use->edited) {
        use->edited(app);
    }
}

void tt_prompt_open(struct tt_app *app, enum tt_line_edit_kind kind, const char *text)
{
    if (!uses[kind]) {
        return;
    }
    tt_completion_close(&app->prompt.completion);
    tt_line_edit_open(&app->prompt.line, kind);
    if (text[0]) {
        tt_line_edit_set(&app->prompt.line, text);
        edited(app);
    }
}

void tt_prompt_offer(struct tt_app *app, enum tt_line_edit_kind kind, const char *text,
                     const char *offer)
{
    struct tt_line_edit *line = &app->prompt.line;
    tt_prompt_open(app, kind, text);
    const size_t from = line->length;
    if (line->open && tt_line_edit_replace(line, from, from, offer)) {
        edited(app);
        tt_line_edit_offer(line, from);
    }
}

void tt_prompt_close(struct tt_app *app)
{
    tt_completion_close(&app->prompt.completion);
    tt_line_edit_close(&app->prompt.line);
}

void tt_prompt_complete(struct tt_app *app, enum tt_line_edit_kind kind, const char *text,
                        size_t start, size_t caret, struct tt_completion *out)
{
    if (uses[kind] && uses[kind]->complete) {
        uses[kind]->complete(app, text + start, caret - start, out);
        out->from += start;
        out->to += start;
    }
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void app_prompt_complete(struct tt_app *app, bool back)
{
    const struct tt_line_edit_use *use = uses[app->prompt.line.kind];
    if (use->complete &&
        tt_completion_tab(&app->prompt.completion, &app->prompt.line, back, use->complete, app)) {
        edited(app);
    }
}

static void prompt_edit(struct tt_app *app, uint32_t key, enum tt_do action)
{
    const struct tt_line_edit_use *use = uses[app->prompt.line.kind];
    switch (tt_line_edit_key(&app->prompt.line, key, action)) {
    case TT_PROMPT_EDITED:
        edited(app);
        if (use->complete) {
            tt_completion_follow(&app->prompt.completion, &app->prompt.line, use->complete, app);
        }
        break;
    case TT_PROMPT_ACCEPTED:
        tt_completion_close(&app->prompt.completion);
        use->accepted(app);
        break;
    case TT_PROMPT_CANCELLED:
        tt_completion_close(&app->prompt.completion);
        if (use->cancelled) {
            use->cancelled(app);
        }
        break;
    default:
        if (app->prompt.line.length + 4 >= TT_PROMPT_BYTES && tt_key_is_text(key)) {
            tt_line_edit_fail(&app->prompt.line, 0, "the line is full");
        }
        break;
    }
}

void tt_prompt_enter(struct tt_app *app, enum tt_line_edit_kind kind, const char *text)
{
    tt_prompt_open(app, kind, text);
    if (app->prompt.line.open && text[0]) {
        prompt_edit(app, TT_KEY_NONE, TT_DO_EDIT_ACCEPT);
    }
}

void tt_prompt_key(struct tt_app *app, uint32_t key)
{
    static const unsigned contexts[] = {TT_IN_PROMPT, 0};
    enum tt_do action = tt_keymap_find(&app->ws.term.keymap, key, contexts);
    bool listed = app->prompt.completion.open;
    if (action == TT_DO_EDIT_COMPLETE || (listed && key == TT_KEY_DOWN)) {
        app_prompt_complete(app, false);
    } else if (action == TT_DO_EDIT_COMPLETE_BACK || (listed && key == TT_KEY_UP)) {
        app_prompt_complete(app, true);
    } else if (listed && key == TT_KEY_ESC) {
        tt_completion_close(&app->prompt.completion);
    } else {
        prompt_edit(app, key, action);
    }
}

/* ---- pastes --------------------------------------------------------------------------------- */

static void end_paste(struct tt_app *app)
{
    struct tt_paste *paste = &app->prompt.paste;
    paste->open = false;
    if (!app->prompt.line.open) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "pasted text ignored: no prompt is open");
        return;
    }
    edited(app);
    if (paste->refused > 0) {
        char error[TT_STATUS_TEXT];
        snprintf(error, sizeof error, "too long: %zu pasted characters ignored", paste->refused);
        tt_line_edit_fail(&app->prompt.line, 0, error);
    }
}

/* Inserts a pasted character; drops line breaks and control characters. */
static void paste_key(struct tt_app *app, uint32_t key)
{
    if (!app->prompt.line.open || key >= TT_KEY_BEYOND_UNICODE) {
        return;
    }
    key = tt_key_is_text(key) ? key : ' ';
    if (app->prompt.paste.refused > 0 ||
        tt_line_edit_key(&app->prompt.line, key, TT_DO_NOTHING) == TT_PROMPT_IGNORED) {
        app->prompt.paste.refused++;
    }
}

bool tt_prompt_paste(struct tt_app *app, uint32_t key)
{
    struct tt_paste *paste = &app->prompt.paste;
    uint64_t now = tt_now_ns();
    if (key == TT_KEY_PASTE) {
        *paste = (struct tt_paste){.open = true, .last_ns = now};
        tt_completion_close(&app->prompt.completion);
        return true;
    }
    if (key == TT_KEY_PASTE_END) {
        if (paste->open) {
            end_paste(app);
        }
        return true;
    }
    if (paste->open && now - paste->last_ns > PASTE_TIMEOUT_NS) {
        end_paste(app);
    }
    if (paste->open) {
        paste->last_ns = now;
        paste_key(app, key);
    }
    return paste->open;
}

/* ---- on the screen -------------------------------------------------------------------------- */

/* Returns the number of bytes before character `column` (from 1). */
static size_t bytes_before(const struct tt_line_edit *prompt, uint32_t column)
{
    size_t at = 0;
    for (uint32_t n = 1; n < column && at < prompt->length; n++) {
        do {
            at++;
        } while (at < prompt->length && ((unsigned char)prompt->text[at] & 0xc0) == 0x80);
    }
    return at;
}

/* Returns the column on the screen of a byte of the text. */
static int prompt_place_of(const struct tt_app *app, size_t byte)
{
    const struct tt_line_edit *prompt = &app->prompt.line;
    return (int)strlen(tt_line_edit_label(prompt->kind)) +
           tt_grid_columns(&app->ws.term.grid, prompt->text, byte) - prompt->scroll;
}

void tt_prompt_layout(struct tt_app *app, int width)
{
    struct tt_line_edit *prompt = &app->prompt.line;
    int columns = width - (int)strlen(tt_line_edit_label(prompt->kind));
    int before = tt_grid_columns(&app->ws.term.grid, prompt->text, prompt->caret);
    if (before - prompt->scroll + 2 > columns) {
        prompt->scroll = before + 2 - columns;
    } else if (before - prompt->scroll < (prompt->scroll > 0)) {
        prompt->scroll = before > columns / 2 ? before - columns / 2 : 0;
    }
}

void tt_prompt_draw(const struct tt_app *app, struct tt_area line, int width)
{
    const struct tt_line_edit *prompt = &app->prompt.line;
    const char *label = tt_line_edit_label(prompt->kind);
    int start = (int)strlen(label);
    tt_draw(line, 0, 0, start, TT_ROLE_PROMPT, label);
    tt_draw_scrolled(line, start, 0, width - start, TT_ROLE_PROMPT, prompt->text, prompt->length,
                     prompt->scroll);
    for (int x = prompt_place_of(app, prompt->offer);
         prompt->offers && x < prompt_place_of(app, prompt->length) && x < width; x++) {
        tt_draw_over(line, x < start ? start : x, 0, 1, TT_ROLE_SELECTION);
    }
    line.grid->caret_x = line.x + prompt_place_of(app, prompt->caret);
    line.grid->caret_y = line.y;
    if (prompt->error[0] && prompt->error_column > 0) {
        int x = prompt_place_of(app, bytes_before(prompt, prompt->error_column));
        if (x >= start && x < width) {
            tt_draw_over(line, x, 0, 1, TT_ROLE_ERROR);
        }
    }
}

/* Returns an error without its column number, which the caret shows. */
static const char *without_column(const char *error)
{
    if (strncmp(error, "column ", 7) == 0) {
        size_t digits = strspn(error + 7, "0123456789");
        if (digits > 0 && strncmp(error + 7 + digits, ": ", 2) == 0) {
            return error + 7 + digits + 2;
        }
    }
    return error;
}

/* Draws "   ^ error" below its position, or "error ^" if there is more room on the left. */
static void draw_error(const struct tt_app *app, struct tt_area line)
{
    const struct tt_line_edit *prompt = &app->prompt.line;
    int x = -1;
    if (prompt->error_column > 0) {
        x = prompt_place_of(app, bytes_before(prompt, prompt->error_column));
    }
    if (x < 0 || x >= line.width) {
        tt_draw(line, 1, 0, line.width - 1, TT_ROLE_ERROR, prompt->error);
        return;
    }
    const char *error = without_column(prompt->error);
    int width = tt_grid_columns(&app->ws.term.grid, error, strlen(error));
    tt_draw(line, x, 0, 1, TT_ROLE_ERROR, "^");
    if (x + 2 + width <= line.width || x < line.width / 2) {
        tt_draw(line, x + 2, 0, line.width - x - 2, TT_ROLE_ERROR, error);
    } else {
        int start = x - 1 - width;
        tt_draw(line, start > 0 ? start : 0, 0, x - 1, TT_ROLE_ERROR, error);
    }
}

bool tt_prompt_draw_below(const struct tt_app *app, struct tt_area line)
{
    const struct tt_line_edit_use *use = uses[app->prompt.line.kind];
    if (app->prompt.line.error[0]) {
        draw_error(app, line);
        return true;
    }
    char buffer[BELOW_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (use->hint) {
        use->hint(app, &text);
    }
    if (text.used > 0) {
        tt_draw_text(line, 1, 0, line.width - 1, TT_ROLE_FOOTER, text.buffer, text.used);
    }
    return text.used > 0;
}
