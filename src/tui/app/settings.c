/* SPDX-License-Identifier: Apache-2.0 */
/* settings: the table of the settings and their functions. */
#include "tui/app/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "tui/app/app.h"
#include "tui/model/event_columns.h"
#include "tui/term/pace.h"

#define WORD_BYTES 64

/* ---- words ---------------------------------------------------------------------------------- */

/* Returns the index of a value in a list of words separated by blanks, or -1. */
static int word_number(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (int number = 0; *words; number++) {
        size_t word = strcspn(words, " ");
        if (word == length && memcmp(words, value, length) == 0) {
            return number;
        }
        words += word;
        words += strspn(words, " ");
    }
    return -1;
}

static void write_word(struct tt_text *text, const char *words, uint64_t number)
{
    for (; number > 0; number--) {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    tt_text_bytes(text, words, strcspn(words, " "));
}

static struct tt_status not_one_of(const char *words, const char *value)
{
    return tt_error(TT_ERR_USAGE, "\"%.40s\" is not one of: %s", value, words);
}

/* ---- theme ---------------------------------------------------------------------------------- */

static struct tt_status set_theme(struct tt_app *app, const char *value)
{
    return tt_term_theme(&app->ws.term, value);
}

static void get_theme(const struct tt_app *app, struct tt_text *text)
{
    tt_text_str(text, app->ws.term.theme.name);
}

/* ---- zone --------------------------------------------------------------------------------- */

static struct tt_status set_zone(struct tt_app *app, const char *value)
{
    return tt_time_zone_set(&app->ws.nav.zone, value);
}

static void get_zone(const struct tt_app *app, struct tt_text *text)
{
    tt_text_str(text, tt_time_zone_name(&app->ws.nav.zone));
}

static struct tt_status set_remote_shell(struct tt_app *app, const char *value)
{
    return tt_remote_files_set_shell(&app->ws.remote, value);
}

static void get_remote_shell(const struct tt_app *app, struct tt_text *text)
{
    const char *shell = app->ws.remote.shell;
    tt_text_str(text, shell[0] ? shell : "ssh");
}

/* ---- frame rate ----------------------------------------------------------------------------- */

static struct tt_status set_frame_rate(struct tt_app *app, const char *value)
{
    const char *end = value;
    uint64_t rate;
    if (!tt_digits_pass(&end, &rate) || *end || rate < 1 || rate > TT_PACE_MAX_RATE) {
        return tt_error(TT_ERR_USAGE, "\"%.40s\" is not a number from 1 to %u", value,
                        TT_PACE_MAX_RATE);
    }
    app->ws.term.requests.frame_rate = (unsigned)rate;
    return tt_ok();
}

static void get_frame_rate(const struct tt_app *app, struct tt_text *text)
{
    tt_text_u64(text, app->ws.term.requests.frame_rate);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static struct tt_status set_deadline(struct tt_app *app, const char *value)
{
    return tt_jobs_set_deadlines(&app->ws, value, false);
}

static void get_deadline(const struct tt_app *app, struct tt_text *text)
{
    tt_text_str(text, app->ws.jobs.deadlines[0] ? app->ws.jobs.deadlines : "none");
}

static struct tt_status set_job_ends(struct tt_app *app, const char *value)
{
    return tt_jobs_set_ends(&app->ws, value);
}

static void get_job_ends(const struct tt_app *app, struct tt_text *text)
{
    tt_text_str(text, app->ws.jobs.ends[0] ? app->ws.jobs.ends : "default");
}

/* ---- view, columns -------------------------------------------------------------------------- */

/* "auto" and the names of the views. */
#define X(id, name, key, title, tab, by_time) " " #name
static const char view_words[] = "auto" TT_VIEW_INFO(X);
#undef X
#define VIEW_WORDS view_words

static struct tt_status set_view(struct tt_app *app, const char *value)
{
    int number = word_number(VIEW_WORDS, value);
    if (number > 0) {
        tt_nav_show(&app->ws.nav, (enum tt_view_id)(number - 1));
    }
    app->chooses_view = number == 0;
    tt_app_choose_view(app);
    return number < 0 ? not_one_of(VIEW_WORDS, value) : tt_ok();
}

static void get_view(const struct tt_app *app, struct tt_text *text)
{
    tt_text_str(text, tt_view_names(app->ws.nav.view)->name);
}

/* The words of the columns, separated by blanks. */
#define WORD(id, word, name, priority, min, from) " " word
static const char column_words[] = TT_COLUMN_INFO(WORD);
#undef WORD
#define COLUMN_WORDS (column_words + 1)

/* Sets the columns: "time event" replaces them, "+class -cpu" adds and hides. */
static struct tt_status set_columns(struct tt_app *app, const char *value)
{
    uint32_t all = (1u << TT_COLUMN_COUNT) - 1, hidden = app->ws.nav.hidden_columns;
    bool first = true;
    while (*value) {
        char word[WORD_BYTES];
        size_t length = strcspn(value, " ");
        char sign = value[0] == '+' || value[0] == '-' ? value[0] : '\0';
        size_t skip = sign ? 1 : 0;
        struct tt_text text = tt_text_of(word, sizeof word);
        tt_text_bytes(&text, value + skip, length - skip);
        int number = word_number(COLUMN_WORDS, tt_text_cstr(&text));
        if (number < 0) {
            return not_one_of(COLUMN_WORDS, word);
        }
        hidden = first && !sign ? all : hidden;
        hidden = sign == '-' ? hidden | 1u << number : hidden & ~(1u << number);
        first = false;
        value += length;
        value += strspn(value, " ");
    }
    app->ws.nav.hidden_columns = hidden;
    return tt_ok();
}

static void get_columns(const struct tt_app *app, struct tt_text *text)
{
    bool first = true;
    for (int i = 0; i < TT_COLUMN_COUNT; i++) {
        if (!(app->ws.nav.hidden_columns & 1u << i)) {
            tt_text_str(text, first ? "" : " ");
            write_word(text, COLUMN_WORDS, (uint64_t)i);
            first = false;
        }
    }
}

/* ---- settings that choose a word --------------------------------------------------------------- */

/* In the order of the enum or bool that has the setting. */
#define TIME_WORDS       "relative absolute delta ticks"
#define SWITCH_WORDS     "off on"
#define BACKGROUND_WORDS "auto dark light"
#define GLYPH_WORDS      "auto utf8 ascii"
#define SYNC_WORDS       "auto on off"

static void use_background(struct tt_app *app)
{
    tt_term_use_background(&app->ws.term);
}

static void use_glyphs(struct tt_app *app)
{
    tt_term_use_glyphs(&app->ws.term);
}

static void use_mouse(struct tt_app *app)
{
    app->ws.term.requests.mouse = true;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define VALUE(set, get)      set, get, {0, 0}, NULL
#define WORDS(member, apply) NULL, NULL, TT_MEMBER(struct tt_app, member), apply

static const struct tt_setting table[] = {
    {"theme", "a theme's name or path", "default", "colours and glyphs",
     VALUE(set_theme, get_theme)},
    {"background", BACKGROUND_WORDS, "auto",
     "of the terminal, for the cursor's line and the selection; auto: as the terminal reports",
     WORDS(ws.term.background, use_background)},
    {"view", VIEW_WORDS, "auto",
     "view shown at start; auto: Threads if the capture has scheduling, else Events",
     VALUE(set_view, get_view)},
    {"time", TIME_WORDS, "relative", "time format", WORDS(ws.nav.times, NULL)},
    {"zone", "UTC, local, an offset as +02:00, or a name as Europe/Berlin", "UTC",
     "time zone of absolute times", VALUE(set_zone, get_zone)},
    {"columns", COLUMN_WORDS, COLUMN_WORDS, "columns of Events (if the screen is wide enough)",
     VALUE(set_columns, get_columns)},
    {"glyphs", GLYPH_WORDS, "auto", "characters for drawing; auto: from the locale",
     WORDS(ws.term.glyphs, use_glyphs)},
    {"mouse", SWITCH_WORDS, "on",
     "off: the terminal handles the mouse; Shift with the mouse selects text in most terminals",
     WORDS(ws.term.mouse_on, use_mouse)},
    {"synchronized", SYNC_WORDS, "auto",
     "synchronized output (mode 2026); auto: if the terminal supports it",
     WORDS(ws.term.requests.sync, NULL)},
    {"frame_rate", "1 to 60", "25",
     "frames per second for a growing capture and progress; fewer if the terminal is slow",
     VALUE(set_frame_rate, get_frame_rate)},
    {"deadline", "none, or THREAD=TIME,... as sensor/1=2ms,/^fusion/=5ms", "none",
     "of jobs: misses are counted in Jobs and marked in the lanes",
     VALUE(set_deadline, get_deadline)},
    {"job_ends", "default, or FORMAT:STATES ... as kev:+MUTEX,-SEM trx:SLEEP", "default",
     "states that end a job", VALUE(set_job_ends, get_job_ends)},
    {"session", SWITCH_WORDS, "on", "save positions, marks and filters per capture",
     WORDS(keeps_session, NULL)},
    {"cache", SWITCH_WORDS, "on", "read and write the index cache for captures opened later",
     WORDS(files.keeps_index, NULL)},
    {"remote_shell", "a command with options, as ssh -p 2222", "ssh",
     "reads captures named HOST:PATH", VALUE(set_remote_shell, get_remote_shell)},
};

const struct tt_setting *tt_setting_at(unsigned number)
{
    return number < sizeof table / sizeof *table ? &table[number] : NULL;
}

const struct tt_setting *tt_setting_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

struct tt_status tt_setting_set(struct tt_app *app, const char *name, const char *value)
{
    const struct tt_setting *setting = tt_setting_find(name, strlen(name));
    if (!setting) {
        char names[180];
        struct tt_text text = tt_text_of(names, sizeof names);
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            tt_text_put(&text, "%s%s", i > 0 ? " " : "", table[i].name);
        }
        return tt_error(TT_ERR_USAGE, "no setting \"%.30s\"; there are: %s", name,
                        tt_text_cstr(&text));
    }
    if (setting->set) {
        return tt_status_context(setting->set(app, value), name);
    }
    int number = word_number(setting->values, value);
    if (number < 0) {
        return tt_status_context(not_one_of(setting->values, value), name);
    }
    tt_member_set(setting->member, app, (uint64_t)number);
    if (setting->apply) {
        setting->apply(app);
    }
    return tt_ok();
}

void tt_setting_get(const struct tt_setting *setting, const struct tt_app *app,
                    struct tt_text *text)
{
    if (setting->get) {
        setting->get(app, text);
    } else {
        write_word(text, setting->values, tt_member_get(setting->member, app));
    }
}

static void offer_theme(void *completion, const char *name, const char *where)
{
    tt_completion_offer(completion, name, NULL, where);
}

void tt_setting_offer_themes(struct tt_completion *completion)
{
    tt_theme_each(offer_theme, completion);
}

void tt_setting_offer(const struct tt_setting *setting, struct tt_completion *out)
{
    if (setting->set == set_theme) {
        tt_setting_offer_themes(out);
        return;
    }
    if (setting->set == set_frame_rate || setting->set == set_deadline ||
        setting->set == set_job_ends ||
        setting->set == set_remote_shell) { /* their values are not words */
        tt_completion_offer(out, setting->initial, NULL, NULL);
        return;
    }
    for (const char *words = setting->values; *words;) {
        char word[WORD_BYTES];
        struct tt_text text = tt_text_of(word, sizeof word);
        tt_text_bytes(&text, words, strcspn(words, " "));
        tt_completion_offer(out, tt_text_cstr(&text), NULL, NULL);
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
}
