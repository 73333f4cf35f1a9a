/* SPDX-License-Identifier: Apache-2.0 */
/* session: saves and restores the state of the screen for a capture. */
#define _XOPEN_SOURCE 700
#include "tui/app/session.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/session_text.h"
#include "base/xdg.h"
#include "excerpt/excerpt_marks.h"
#include "tui/app/app.h"
#include "tui/app/places.h"
#include "tui/app/settings.h"

#define PATH_BYTES   1024
#define VALUE_BYTES  256
#define SAMPLE_BYTES 4096u
#define SAMPLES      5

/* ---- fingerprints --------------------------------------------------------------------------- */

/*
 * Computes the hashes of the first 1, 2, ... samples; returns their number. Only complete samples
 * count, except for the first one, which always counts.
 */
static int fingerprints(struct tt_app *app, uint64_t out[SAMPLES])
{
    static const uint64_t offsets[SAMPLES] = {0, 64u << 10, 1u << 20, 16u << 20, 256u << 20};
    uint8_t bytes[SAMPLE_BYTES];
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLES; i++) {
        size_t length =
            tt_events_copy_bytes(app->ws.opened.events, offsets[i], bytes, sizeof bytes);
        if (i > 0 && length < sizeof bytes) {
            return i;
        }
        hash = XXH3_64bits_withSeed(bytes, length, hash);
        out[i] = hash;
    }
    return SAMPLES;
}

static bool session_path_of(uint64_t fingerprint, char path[PATH_BYTES])
{
    char name[64];
    snprintf(name, sizeof name, "sessions/%016llx.session", (unsigned long long)fingerprint);
    return tt_xdg_path(TT_FOLDER_STATE, name, path, PATH_BYTES);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Writes the value of a setting; "": there is no such setting. */
static const char *session_value_of(const struct tt_app *app, const char *name,
                                    char value[VALUE_BYTES])
{
    const struct tt_setting *setting = tt_setting_find(name, strlen(name));
    struct tt_text text = tt_text_of(value, VALUE_BYTES);
    if (setting) {
        tt_setting_get(setting, app, &text);
    }
    return tt_text_cstr(&text);
}

static void write_setting(const struct tt_app *app, const char *name, struct tt_text *text)
{
    char value[VALUE_BYTES];
    tt_text_put(text, "set %s", name);
    tt_session_word(text, session_value_of(app, name, value));
    tt_text_char(text, '\n');
}

/* Writes the orders, folds and other state of the views' lists. */
static void write_lists(const struct tt_app *app, struct tt_text *text)
{
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        if (tt_views[i]->remember) {
            tt_views[i]->remember(&app->ws, app->view_states[i], text);
        }
    }
}

static void write_session(struct tt_app *app, uint64_t size, struct tt_text *text)
{
    const struct tt_event *event = &app->ws.nav.cursor.event;
    const struct tt_viewport *viewport = &app->ws.nav.viewport;
    tt_text_str(text, TT_SESSION_HEAD);
    tt_session_numbers(text, "size", &size, 1);
    tt_text_char(text, '\n');
    static const char *const settings[] = {"view", "time", "columns"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        write_setting(app, settings[i], text);
    }
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        const struct tt_bookmark *bookmark = &app->ws.nav.marks[i];
        if (bookmark->set) {
            const char name[] = {'m', 'a', 'r', 'k', ' ', (char)('a' + i), '\0'};
            tt_session_numbers(text, name,
                               (uint64_t[]){bookmark->ticks, bookmark->pos, bookmark->set}, 3);
            tt_session_word(text, bookmark->note);
            tt_text_char(text, '\n');
        }
    }
    for (unsigned i = 0; i < app->ws.filters.stack.count; i++) {
        const struct tt_filter_entry *entry = &app->ws.filters.stack.stack[i];
        if (entry->text[0]) {
            tt_text_str(text, "filter");
            tt_session_word(text, tt_use_name(entry->use));
            tt_text_str(text, entry->on ? " on" : " off");
            tt_session_word(text, entry->name);
            tt_session_word(text, entry->text);
            tt_text_char(text, '\n');
        }
    }
    const struct tt_lane_set *lanes = tt_lane_list_now(app->ws.opened.capture->lanes);
    for (uint32_t i = 0; i < lanes->count; i++) {
        if (lanes->v[i]->is_of_session) {
            tt_text_str(text, "lane");
            tt_session_word(text, lanes->v[i]->name);
            tt_session_word(text, lanes->v[i]->text);
            tt_text_char(text, '\n');
        }
    }
    if (app->ws.nav.cursor.valid && app->ws.nav.cursor_moved) {
        tt_session_numbers(text, "place", (uint64_t[]){event->ticks, event->pos}, 2);
        tt_text_char(text, '\n');
    }
    if (app->ws.nav.cursor_moved && viewport->chosen && viewport->at != event->ticks) {
        tt_session_numbers(text, "time", (uint64_t[]){viewport->at, 0}, 2);
        tt_text_char(text, '\n');
    }
    if (!viewport->all && viewport->to > viewport->from) {
        tt_session_numbers(text, "window", (uint64_t[]){viewport->from, viewport->to}, 2);
        tt_text_char(text, '\n');
    }
    write_lists(app, text);
    tt_places_write(app, text);
    tt_session_finish(text);
}

/* ---- size limits ---------------------------------------------------------------------------- */

struct saved {
    char name[64];
    int64_t seconds;
    uint64_t bytes;
};

static int by_age(const void *a, const void *b)
{
    const struct saved *left = a, *right = b;
    return (left->seconds < right->seconds) - (left->seconds > right->seconds);
}

static void remove_oldest(void)
{
    enum { SESSIONS_READ = 4 * TT_SESSIONS };
    char path[PATH_BYTES];
    DIR *dir = tt_xdg_path(TT_FOLDER_STATE, "sessions", path, sizeof path) ? opendir(path) : NULL;
    struct saved *saved = dir ? malloc(SESSIONS_READ * sizeof *saved) : NULL;
    if (saved) {
        size_t max = SESSIONS_READ;
        size_t count = 0;
        struct dirent *entry;
        while (count < max && (entry = readdir(dir)) != NULL) {
            struct stat what;
            size_t length = strlen(entry->d_name);
            if (length >= sizeof saved->name || !strstr(entry->d_name, ".session") ||
                fstatat(dirfd(dir), entry->d_name, &what, AT_SYMLINK_NOFOLLOW) != 0 ||
                !S_ISREG(what.st_mode)) {
                continue;
            }
            memcpy(saved[count].name, entry->d_name, length + 1);
            saved[count].seconds = (int64_t)what.st_mtime;
            saved[count++].bytes = (uint64_t)what.st_size;
        }

        uint64_t bytes = 0;
        qsort(saved, count, sizeof *saved, by_age);
        for (size_t i = 0; i < count; i++) {
            bytes += saved[i].bytes;
            if (i >= TT_SESSIONS || bytes > TT_SESSION_TOTAL) {
                unlinkat(dirfd(dir), saved[i].name, 0);
            }
        }
    }
    free(saved);
    if (dir) {
        closedir(dir);
    }
}

void tt_session_save(struct tt_app *app)
{
    uint64_t prints[SAMPLES];
    char path[PATH_BYTES];
    if (!app->keeps_session || !app->session.user_acted || !app->ws.opened.events ||
        app->ws.index.rows == 0 || (app->session.text && strstr(app->session.text, "\nmoved "))) {
        return; /* also while marks from a session beside the capture are not set yet */
    }
    int samples = fingerprints(app, prints);
    char *buffer = malloc(TT_SESSION_BYTES);
    if (buffer && session_path_of(prints[samples - 1], path)) {
        struct tt_text text = tt_text_of(buffer, TT_SESSION_BYTES);
        write_session(app, app->ws.index.progress.bytes_total, &text);
        if (!text.truncated) {
            tt_session_store(path, buffer, text.used); /* a failure is ignored */
            remove_oldest();
        }
    }
    free(buffer);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void set_mark(struct tt_app *app, int mark, uint64_t ticks, uint64_t pos, unsigned set,
                     char *note)
{
    struct tt_navigation *nav = &app->ws.nav;
    nav->marks[mark].ticks = ticks;
    nav->marks[mark].pos = pos;
    nav->marks[mark].set = set;
    nav->marks_set = nav->marks_set < set ? set : nav->marks_set;
    app->session.restored.marks++;
    tt_session_unescape(note);
    tt_bookmarks_note(nav, mark, note);
}

static void restore_filter(struct tt_app *app, char *const *words, int count)
{
    struct tt_filter_error error;
    if (count < 5 || app->ws.filters.stack.count == TT_FILTERS) {
        return;
    }
    for (unsigned use = 0; use < TT_USE_COUNT; use++) {
        if (strcmp(words[1], tt_use_name(use)) != 0) {
            continue;
        }
        tt_session_unescape(words[3]);
        tt_session_unescape(words[4]);
        struct tt_filter_target in = tt_find_target(&app->ws);
        unsigned number =
            tt_filter_stack_add(&app->ws.filters.stack, &in, (enum tt_use)use, words[4], &error);
        if (number < app->ws.filters.stack.count) {
            tt_filter_stack_set_name(&app->ws.filters.stack, number, words[3]);
            tt_filter_stack_enable(&app->ws.filters.stack, number, strcmp(words[2], "on") == 0);
            app->session.restored.filters++;
        }
    }
}

/* Adds a lane of the session, unless the command line or the configuration has one of that name. */
static void restore_lane(struct tt_app *app, char *const *words)
{
    struct tt_lane_list *lanes = app->ws.opened.capture->lanes;
    tt_session_unescape(words[1]);
    tt_session_unescape(words[2]);
    if (lanes && tt_lane_set_find(tt_lane_list_now(lanes), words[1]) == UINT32_MAX) {
        tt_own_lanes_add(lanes, words[1], words[2]);
    }
}

static void restore_setting(struct tt_app *app, const char *name, char *value)
{
    char before[VALUE_BYTES], after[VALUE_BYTES];
    struct tt_session_restored *restored = &app->session.restored;
    tt_session_unescape(value);
    session_value_of(app, name, before);
    tt_setting_set(app, name, value);
    if (strcmp(before, session_value_of(app, name, after)) != 0) {
        *(strcmp(name, "view") == 0 ? &restored->view : &restored->settings) = true;
    }
}

static void restore_late(struct tt_app *app, char *const *words, int count)
{
    uint64_t a, b;
    bool numbers = count >= 3 && tt_session_number(words[1], &a) && tt_session_number(words[2], &b);
    /* Do not move the cursor of a user who has moved in the meantime. */
    bool time = strcmp(words[0], "time") == 0;
    bool place = time || strcmp(words[0], "place") == 0 || strcmp(words[0], "window") == 0;
    if (place && app->session.left) {
        return;
    }
    if (strcmp(words[0], "moved") == 0) {
        /* Sets a mark of a part of another capture; marks of the user stay. */
        struct tt_event event;
        uint64_t set;
        int mark = count > 1 && !words[1][1] ? words[1][0] - 'a' : -1;
        uint32_t *tried = &app->session.moved;
        if (mark < 0 || mark >= TT_BOOKMARKS || (*tried >> mark & 1u) || count < 6 ||
            app->ws.nav.marks[mark].set || !tt_session_number(words[4], &set) || set == 0 ||
            set > INT32_MAX) {
            return;
        }
        *tried |= 1u << mark;
        if (!tt_excerpt_mark_find(app->ws.opened.trace, app->ws.opened.events, words, count,
                                  &event)) {
            return;
        }
        set_mark(app, mark, event.ticks, event.pos, (unsigned)set, words[5]);
    } else if (strcmp(words[0], "visit") == 0) {
        bool reads = app->session.takes_places;
        app->session.places +=
            reads && tt_places_read(app, words + 1, count - 1, app->session.places);
    } else if (strcmp(words[0], "place") == 0 && numbers) {
        tt_nav_go_row(&app->ws, tt_events_row_at_key(app->ws.opened.events, a, b));
        app->session.restored.place = true;
    } else if (time && numbers && a < tt_nav_bounds(&app->ws).end) {
        tt_nav_go_thread(&app->ws, TT_NO_THREAD, a); /* between two events */
    } else if (strcmp(words[0], "window") == 0 && numbers && a < b) {
        app->ws.nav.viewport.from = a;
        app->ws.nav.viewport.to = b;
        app->ws.nav.viewport.all = false;
        app->session.restored.window = true;
    } else if (numbers) {
        for (int i = 0; i < TT_VIEW_COUNT; i++) {
            if (tt_views[i]->recall) {
                tt_views[i]->recall(&app->ws, app->view_states[i], words[0], a, b);
            }
        }
    }
}

static void restore_line(struct tt_app *app, char *const *words, int count, bool late)
{
    if (count == 0 || (app->session.only_marks && strcmp(words[0], "mark") != 0 &&
                       strcmp(words[0], "moved") != 0)) {
        return;
    }
    if (late) {
        restore_late(app, words, count);
    } else {
        if (strcmp(words[0], "mark") == 0) {
            uint64_t ticks, pos, set;
            if (count < 6 || words[1][0] < 'a' || words[1][0] > 'z' || words[1][1] ||
                !tt_session_number(words[2], &ticks) || !tt_session_number(words[3], &pos) ||
                !tt_session_number(words[4], &set) || set == 0 || set > INT32_MAX) {
                return;
            }
            set_mark(app, words[1][0] - 'a', ticks, pos, (unsigned)set, words[5]);
        } else if (strcmp(words[0], "lane") == 0 && count >= 3) {
            restore_lane(app, words);
        } else if (strcmp(words[0], "filter") == 0 && app->session.takes_filters) {
            restore_filter(app, words, count);
        } else if (strcmp(words[0], "set") == 0 && count >= 3) {
            if (strcmp(words[1], "view") != 0 || !app->options->view) {
                restore_setting(app, words[1], words[2]);
            }
        }
    }
}

struct tt_status tt_session_restore_text(struct tt_app *app, const char *text, size_t length,
                                         bool late)
{
    struct tt_status status = tt_session_check(text, length);
    char *copy = tt_failed(&status) ? NULL : malloc(length + 1);
    if (!copy) {
        return tt_failed(&status) ? status : tt_error_memory();
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (char *line = copy; *line;) {
        char *next = line + strcspn(line, "\n");
        next += *next ? 1 : 0;
        if (next > line && next[-1] == '\n') {
            next[-1] = '\0';
        }
        char *words[TT_SESSION_WORDS];
        int count = tt_session_split(line, words);
        restore_line(app, words, count, late);
        line = next;
    }
    free(copy);
    return tt_ok();
}

void tt_session_drop(struct tt_app *app)
{
    free(app->session.text);
    app->session = (struct tt_session){.typed = app->session.typed};
}

/* Returns the size of the capture when the session was saved. */
static uint64_t parse_size(const char *text, size_t length)
{
    const size_t head = strlen(TT_SESSION_HEAD "size ");
    uint64_t size = 0;
    for (size_t i = head; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        size = size * 10 + (uint64_t)(text[i] - '0');
    }
    return size;
}

static bool is_newer(const struct stat *left, const struct stat *right)
{
    return left->st_mtim.tv_sec != right->st_mtim.tv_sec
               ? left->st_mtim.tv_sec > right->st_mtim.tv_sec
               : left->st_mtim.tv_nsec > right->st_mtim.tv_nsec;
}

/* Reads the session beside the capture if there is one, and if it is newer than `own`. */
static void read_beside(struct tt_app *app, const char *own)
{
    struct tt_session *session = &app->session;
    struct stat beside, stored;
    char path[PATH_BYTES];
    struct tt_text text = tt_text_of(path, sizeof path);
    tt_text_str(&text, tt_trace_path(app->ws.opened.trace));
    tt_text_str(&text, TT_SESSION_BESIDE);
    if (text.truncated || stat(tt_text_cstr(&text), &beside) != 0 || !S_ISREG(beside.st_mode) ||
        (session->text && stat(own, &stored) == 0 && is_newer(&stored, &beside))) {
        return;
    }
    tt_session_drop(app);
    session->only_marks = tt_session_read(path, TT_SESSION_BYTES, &session->text, &session->length);
}

/* Restores the parts that do not need the index; `only_marks`: keeps them for the marks only. */
static void restore(struct tt_app *app, bool only_marks)
{
    uint64_t prints[SAMPLES];
    char path[PATH_BYTES];
    struct tt_session *session = &app->session;
    int samples = fingerprints(app, prints);
    for (int i = samples; i > 0 && !session->text; i--) {
        if (session_path_of(prints[i - 1], path) &&
            tt_session_read(path, TT_SESSION_BYTES, &session->text, &session->length) &&
            i < samples &&
            parse_size(session->text, session->length) >= app->ws.index.progress.bytes_total &&
            app->ws.index.progress.bytes_total > 0) {
            tt_session_drop(app); /* another capture with the same beginning */
        }
    }
    read_beside(app, path);
    if (!session->text) {
        return;
    }
    session->found = true;
    session->only_marks |= only_marks;
    /* Filters set before this capture was shown replace those of the session. */
    session->takes_filters = app->ws.filters.stack.count == 0;
    session->takes_places = !tt_places_known(app);
    struct tt_status status = tt_session_restore_text(app, session->text, session->length, false);
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "saved session ignored: %s", status.text);
        tt_session_drop(app);
    }
}

void tt_session_restore(struct tt_app *app)
{
    tt_session_drop(app);
    if (app->keeps_session) {
        restore(app, false);
    }
}

void tt_session_arrived(struct tt_app *app)
{
    const bool acted = app->session.user_acted;
    if (app->keeps_session && !app->session.found) {
        restore(app, acted);
        app->session.user_acted = acted;
    }
}

/* Returns true if the index has reached the session's place. */
static bool session_is_reached(struct tt_app *app)
{
    if (app->ws.index.progress.finished) {
        return true;
    }
    const char *place = strstr(app->session.text, "\nplace ");
    uint64_t ticks = place ? strtoull(place + 7, NULL, 10) : UINT64_MAX;
    return app->ws.index.rows > 0 && app->ws.index.progress.last_ticks > ticks;
}

static void add_part(struct tt_text *text, bool restored, unsigned count, const char *name)
{
    if (restored) {
        tt_text_str(text, text->used > 0 ? ", " : "");
        if (count > 0) {
            tt_text_put(text, "%u ", count);
        }
        tt_text_put(text, "%s%s", name, count > 1 ? "s" : "");
    }
}

void tt_session_settle(struct tt_app *app)
{
    struct tt_session *session = &app->session;
    if (!session->text || !session_is_reached(app)) {
        return;
    }
    session->left = app->ws.nav.cursor_moved;
    /* Restores the parts that need the index; finds out whether that changes the lists. */
    char *room = malloc((size_t)2 * TT_SESSION_BYTES);
    struct tt_text before = tt_text_of(room, room ? TT_SESSION_BYTES : 0);
    struct tt_text after = tt_text_of(room ? room + TT_SESSION_BYTES : NULL, before.capacity);
    if (room) {
        write_lists(app, &before);
    }
    tt_session_restore_text(app, session->text, session->length, true);
    if (room) {
        write_lists(app, &after);
        session->restored.lists =
            before.used != after.used || memcmp(before.buffer, after.buffer, after.used) != 0;
    }
    free(room);
    free(session->text);
    session->text = NULL;
    /* Reports what is not as in a program without a session, and how to start without. */
    const struct tt_session_restored *restored = &app->session.restored;
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    add_part(&text, restored->view, 0, "view");
    add_part(&text, restored->place, 0, "position");
    add_part(&text, restored->window, 0, "zoom");
    add_part(&text, restored->marks > 0, restored->marks, "mark");
    add_part(&text, restored->filters > 0, restored->filters, "filter");
    add_part(&text, restored->settings, 0, "columns and times");
    add_part(&text, restored->lists, 0, "lists");
    if (text.used > 0 && !app->ws.message.text[0]) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "restored: %s; without: --no-session",
                       tt_text_cstr(&text));
    }
}
