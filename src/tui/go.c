/* SPDX-License-Identifier: Apache-2.0 */
/* go: moving the cursor: by row, by what was typed, by marks, by searches. */
#include <stdio.h>
#include <string.h>

#include "tracetui/when.h"
#include "tui/app.h"

void tt_app_go_row(struct tt_app *app, uint64_t row)
{
    uint64_t rows = tt_events_rows(app->opened.events);
    if (rows == 0) {
        return;
    }
    row = row < rows ? row : rows - 1;
    struct tt_event event;
    if (tt_events_read(app->opened.events, row, 1, &event) == 1) {
        app->cursor.event = event;
        app->cursor.row = row;
        app->cursor.valid = true;
        app->cursor_moved = true;
    }
}

static void remember_place(struct tt_app *app)
{
    app->before_jump = app->cursor;
}

void tt_app_jump(struct tt_app *app, uint64_t ticks, uint64_t pos)
{
    remember_place(app);
    tt_app_go_row(app, tt_events_row_at_key(app->opened.events, ticks, pos));
}

/* A place is shown where one is, if there are places in that view. */
static void show_place(struct tt_app *app)
{
    app->overlay = TT_OVERLAY_NONE;
    if (!tt_views[app->view]->by_time) {
        tt_app_show(app, TT_VIEW_EVENTS);
    }
}

/* ---- the go-to prompt --------------------------------------------------------------------- */

/* A bare number is an event's number. */
static struct tt_status parse_place(const char *text, struct tt_when *when)
{
    char with_sign[64];
    size_t digits = strspn(text, "0123456789");
    if (digits > 0 && text[digits] == '\0' && digits < sizeof with_sign - 1) {
        snprintf(with_sign, sizeof with_sign, "#%s", text);
        text = with_sign;
    }
    return tt_when_parse(text, when);
}

static enum tt_do find_command(const char *text)
{
    static const struct {
        const char *word;
        enum tt_do action;
    } words[] = {
        {"q", TT_DO_QUIT_NOW},
        {"next", TT_DO_FILE_NEXT},
        {"prev", TT_DO_FILE_PREVIOUS},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i].word) == 0) {
            return words[i].action;
        }
    }
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        const struct tt_do_info *info = tt_do_at(action);
        if (!(info->contexts & TT_IN_PROMPT) && strcmp(text, info->name) == 0) {
            return (enum tt_do)action;
        }
    }
    return TT_DO_NOTHING;
}

/* "write FILE" or "write! FILE": the view's table. False if the text is neither. */
static bool write_table(struct tt_app *app, const char *text)
{
    bool overwrite = strncmp(text, "write! ", 7) == 0;
    const struct tt_view *view = tt_views[app->view];
    if (!overwrite && strncmp(text, "write ", 6) != 0) {
        return false;
    }
    const char *path = text + (overwrite ? 7 : 6);
    path += strspn(path, " ");
    if (!view->write) {
        tt_app_say(app, TT_ROLE_WARNING, "there is no table here to write");
        return true;
    }
    struct tt_status status = view->write(app, app->view_states[app->view], path, overwrite);
    if (tt_failed(&status)) {
        tt_app_say(app, TT_ROLE_ERROR, "%s", status.text);
    }
    return true;
}

static bool is_command(const char *text)
{
    return (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
}

static void say_files(struct tt_app *app)
{
    char list[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(list, sizeof list);
    for (size_t i = 0; i < app->options->path_count; i++) {
        const char *path = app->options->paths[i];
        const char *slash = strrchr(path, '/');
        const char *name = slash && slash[1] ? slash + 1 : path;
        tt_text_str(&text, i == 0 ? "" : "  ");
        tt_text_str(&text, i == app->path ? "[" : "");
        tt_text_escaped(&text, name, strlen(name));
        tt_text_str(&text, i == app->path ? "]" : "");
    }
    tt_app_say(app, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

/* Where the text leads; an error says why nowhere. */
static struct tt_status resolve(struct tt_app *app, const char *text, uint64_t *ticks,
                                uint64_t *pos)
{
    struct tt_when when;
    struct tt_status status = parse_place(text, &when);
    if (!tt_failed(&status)) {
        status = tt_when_resolve(&when, app->opened.trace, app->opened.events, ticks, pos);
    }
    return status;
}

static void check(struct tt_app *app)
{
    const char *text = app->prompt.text;
    if (text[0] == '\0' || text[0] == '\'' || is_command(text)) {
        return;
    }
    uint64_t ticks, pos;
    struct tt_status status = resolve(app, text, &ticks, &pos);
    if (tt_failed(&status)) {
        tt_prompt_fail(&app->prompt, 0, status.text);
    }
}

static void accept(struct tt_app *app)
{
    const char *text = app->prompt.text;
    if (text[0] == '\0') {
        return;
    }
    if (text[0] == '\'') {
        tt_go_to_mark(app, (unsigned char)text[1]);
        return;
    }
    if (strcmp(text, "files") == 0) {
        say_files(app);
        return;
    }
    if (write_table(app, text)) {
        return;
    }
    if (is_command(text)) {
        enum tt_do action = find_command(text);
        if (action == TT_DO_NOTHING) {
            tt_app_say(app, TT_ROLE_ERROR, "no command \"%s\"", text);
        } else {
            tt_app_act(app, action);
        }
        return;
    }
    uint64_t ticks, pos;
    struct tt_status status = resolve(app, text, &ticks, &pos);
    if (tt_failed(&status)) {
        tt_app_say(app, TT_ROLE_ERROR, "%s", status.text);
        return;
    }
    show_place(app);
    /* A time is no thread: one stays on one's lane. An event leads to its own. */
    size_t digits = strspn(text, "0123456789");
    app->lane.stays = text[0] != '#' && text[digits] != '\0';
    tt_app_jump(app, ticks, pos);
    if (ticks == UINT64_MAX && pos == UINT64_MAX) {
        tt_app_say(app, TT_ROLE_WARNING, "behind the last event%s",
                   app->progress.finished ? "" : " that is indexed so far");
    } else if (!app->progress.finished) {
        tt_app_say(app, TT_ROLE_STATUS, "of what is indexed so far");
    }
}

static void hint(struct tt_app *app, struct tt_text *text)
{
    if (app->prompt.length == 0) {
        tt_text_str(text, "1234 an event   1.5s a time   50% of it   500t ticks   "
                          "or an action's name");
    }
}

static void complete(void *arg, const char *text, size_t caret, struct tt_completion *out)
{
    (void)arg;
    tt_completion_begin(out, text, 0, caret);
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        const struct tt_do_info *info = tt_do_at(action);
        if (!(info->contexts & TT_IN_PROMPT)) {
            tt_completion_offer(out, info->name, NULL, info->help);
        }
    }
}

const struct tt_prompt_use tt_command_prompt = {
    .edited = check,
    .accepted = accept,
    .complete = complete,
    .hint = hint,
};

/* ---- marks -------------------------------------------------------------------------------- */

void tt_go_mark(struct tt_app *app, uint32_t key)
{
    if (key < 'a' || key > 'z') {
        tt_app_say(app, TT_ROLE_WARNING, "a mark is a letter from a to z");
        return;
    }
    if (!app->cursor.valid) {
        return;
    }
    struct tt_mark *mark = &app->marks[key - 'a'];
    if (mark->set && mark->ticks == app->cursor.event.ticks && mark->pos == app->cursor.event.pos) {
        mark->set = 0;
        tt_app_say(app, TT_ROLE_STATUS, "mark %c taken away", (int)key);
        return;
    }
    mark->ticks = app->cursor.event.ticks;
    mark->pos = app->cursor.event.pos;
    mark->set = ++app->marks_set;
}

void tt_go_to_mark(struct tt_app *app, uint32_t key)
{
    if (key == '\'') {
        if (app->before_jump.valid) {
            show_place(app);
            tt_app_jump(app, app->before_jump.event.ticks, app->before_jump.event.pos);
        }
    } else if (key >= 'a' && key <= 'z' && app->marks[key - 'a'].set) {
        show_place(app);
        tt_app_jump(app, app->marks[key - 'a'].ticks, app->marks[key - 'a'].pos);
    } else {
        tt_app_say(app, TT_ROLE_WARNING, "no such mark");
    }
}

char tt_app_mark_at(const struct tt_app *app, const struct tt_event *event)
{
    for (int i = 0; i < TT_MARKS; i++) {
        const struct tt_mark *mark = &app->marks[i];
        if (mark->set && mark->ticks == event->ticks && mark->pos == event->pos) {
            return (char)('a' + i);
        }
    }
    return 0;
}

bool tt_app_two_marks(const struct tt_app *app, int *first, int *second)
{
    int newest = -1, newer = -1;
    for (int i = 0; i < TT_MARKS; i++) {
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
    const struct tt_mark *a = &app->marks[newest], *b = &app->marks[newer];
    bool ordered = a->ticks < b->ticks || (a->ticks == b->ticks && a->pos <= b->pos);
    *first = ordered ? newest : newer;
    *second = ordered ? newer : newest;
    return true;
}

/* ---- searches ----------------------------------------------------------------------------- */

static bool ready_to_search(struct tt_app *app)
{
    if (!app->opened.search_events) {
        app->opened.search_events = tt_events_new(app->opened.trace);
    }
    if (!app->opened.search_events) {
        tt_app_say(app, TT_ROLE_ERROR, "out of memory");
    }
    return app->opened.search_events && app->cursor.valid;
}

void tt_app_search(struct tt_app *app, enum tt_search_by by, bool forward)
{
    const struct tt_event *event = &app->cursor.event;
    if (!ready_to_search(app)) {
        return;
    }
    if (by == TT_SEARCH_THREAD && event->thread == TT_NO_THREAD) {
        tt_app_say(app, TT_ROLE_WARNING, "this event belongs to no thread");
    } else if (by == TT_SEARCH_CPU && event->cpu == TT_NO_CPU) {
        tt_app_say(app, TT_ROLE_WARNING, "this event belongs to no CPU");
    } else {
        tt_search_start(&app->search, by, forward, event, app->cursor.row);
    }
}

void tt_app_search_type(struct tt_app *app, uint32_t type)
{
    if (!ready_to_search(app)) {
        return;
    }
    tt_search_start(&app->search, TT_SEARCH_TYPE, true, &app->cursor.event, app->cursor.row);
    app->search.value = type;
    app->search.wrap = true;
}

void tt_app_search_value(struct tt_app *app, enum tt_search_by by, uint32_t value, bool forward)
{
    if (!ready_to_search(app)) {
        return;
    }
    tt_search_start(&app->search, by, forward, &app->cursor.event, app->cursor.row);
    app->search.value = value;
}

bool tt_app_work(struct tt_app *app, uint64_t budget_ns)
{
    static const char *const words[] = {"of this thread", "of this CPU", "of this type"};
    struct tt_event found;
    uint64_t row;
    bool forward = app->search.forward;
    switch (tt_search_step(&app->search, app->opened.search_events, budget_ns, &found, &row)) {
    case TT_SEARCH_FOUND:
        remember_place(app);
        app->cursor.event = found;
        app->cursor.row = row;
        app->cursor_moved = true;
        return true;
    case TT_SEARCH_NONE:
        tt_app_say(app, TT_ROLE_WARNING, "no %s event %s%s", forward ? "later" : "earlier",
                   words[app->search.by],
                   app->progress.finished ? "" : " in what is indexed so far");
        return true;
    default:
        return false;
    }
}
