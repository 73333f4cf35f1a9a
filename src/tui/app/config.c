/* SPDX-License-Identifier: Apache-2.0 */
/* config: reads the user's settings and keys with inih. */
#include "tui/app/config.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_read.h"
#include "base/xdg.h"
#include "tui/app/app.h"
#include "tui/app/settings.h"
#include "tui/term/keys.h"

#define PATH_BYTES 1024

struct reading {
    struct tt_app *app;
    const char *file;
    const char *text;
    size_t length;
    unsigned line;
    struct tt_status status;     /* the first error */
    unsigned given[TT_DO_COUNT]; /* contexts in which the file sets the keys of an action */
    unsigned
        aliased[TT_DO_COUNT]; /* those of them by an alias, which a line for all does not change */
};

TT_PRINTF(3, 4)
static void config_fail(struct reading *reading, unsigned line, const char *fmt, ...)
{
    char what[TT_STATUS_TEXT];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    if (!tt_failed(&reading->status)) {
        reading->status = tt_error(TT_ERR_USAGE, "%.80s:%u: %s", reading->file, line, what);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

/*
 * Returns the next line for inih. Skips leading blanks, which inih would take for a continuation of
 * the previous line. Reports and skips a line too long for the buffer.
 */
static char *config_next_line(char *out, int capacity, void *stream)
{
    struct reading *reading = stream;
    if (reading->length == 0) {
        return NULL;
    }
    const char *end = memchr(reading->text, '\n', reading->length);
    size_t whole = end ? (size_t)(end - reading->text) + 1 : reading->length;
    size_t length = end ? whole - 1 : whole;
    const char *line = reading->text;
    while (length > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    reading->line++;
    reading->text += whole;
    reading->length -= whole;
    if (length + 3 > (size_t)capacity) {
        config_fail(reading, reading->line, "line too long");
        length = 0;
    }
    for (size_t i = 0; i < length; i++) {
        out[i] = line[i] ? line[i] : ' ';
    }
    out[length] = '\n';
    out[length + 1] = '\0';
    return out;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Returns another action that the file binds to the same key and context, or TT_DO_NOTHING. */
static enum tt_do rival(const struct reading *reading, const struct tt_binding *binding)
{
    const struct tt_keymap *keymap = &reading->app->ws.term.keymap;
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *other = &keymap->bindings[i];
        if (other->key == binding->key && other->action != binding->action &&
            (other->contexts & binding->contexts & reading->given[other->action])) {
            return (enum tt_do)other->action;
        }
    }
    return TT_DO_NOTHING;
}

/* Returns true if the key is one of the action's default keys. */
static bool is_own_key(enum tt_do action, uint32_t wanted)
{
    const char *keys = tt_do_at(action)->keys;
    while (*keys) {
        uint32_t key;
        size_t used = tt_key_parse(keys, strlen(keys), &key);
        if (used == 0 || key == wanted) {
            return used > 0;
        }
        keys += used;
        keys += strspn(keys, " ");
    }
    return false;
}

/*
 * Removes the views' bindings of a key that the user binds to an action valid in every view; `given`:
 * not those of actions that the user has bound.
 */
static void unbind_in_views(struct tt_keymap *keymap, const struct tt_binding *binding,
                            const unsigned *given)
{
    const unsigned views = (1u << TT_VIEW_COUNT) - 1;
    if (!(binding->contexts & TT_IN_VIEWS) ||
        is_own_key((enum tt_do)binding->action, binding->key)) {
        return;
    }
    for (unsigned i = 0; i < keymap->count; i++) {
        struct tt_binding *other = &keymap->bindings[i];
        if (other->key == binding->key && other->action != binding->action) {
            other->contexts &= ~(views & ~(given ? given[other->action] : 0u));
        }
    }
}

/* Sets the keys that an action has in these contexts. */
static void set_keys(struct reading *reading, enum tt_do action, unsigned contexts,
                     const char *keys)
{
    struct tt_keymap before = reading->app->ws.term.keymap;
    if (contexts == tt_do_at(action)->contexts) {
        contexts &= ~reading->aliased[action];
    } else {
        reading->aliased[action] |= contexts;
    }
    reading->given[action] |= contexts;
    tt_keymap_unbind(&reading->app->ws.term.keymap, action, contexts);
    while (*keys && contexts) {
        struct tt_binding binding = {TT_KEY_NONE, contexts, (uint16_t)action};
        size_t used = tt_key_parse(keys, strlen(keys), &binding.key);
        if (used == 0 || (keys[used] && keys[used] != ' ')) {
            config_fail(reading, reading->line,
                        "expected keys with blanks between, as j <Down> <C-d>: %s", keys);
            reading->app->ws.term.keymap = before;
            return;
        }
        enum tt_do other = rival(reading, &binding);
        if (other != TT_DO_NOTHING) {
            config_fail(reading, reading->line, "%.*s is already bound to %s", (int)used, keys,
                        tt_do_at(other)->name);
            reading->app->ws.term.keymap = before;
            return;
        }
        unbind_in_views(&reading->app->ws.term.keymap, &binding, reading->given);
        if (!tt_keymap_bind(&reading->app->ws.term.keymap, &binding)) {
            config_fail(reading, reading->line, "too many keys");
        }
        keys += used;
        keys += strspn(keys, " ");
    }
}

/* Reports what a key is bound to, and which actions have lost it: "j: zoom.in; before: move.down". */
static void report_binding(struct tt_app *app, const struct tt_keymap *before,
                           const struct tt_binding *binding)
{
    const struct tt_keymap *now = &app->ws.term.keymap;
    char buffer[TT_STATUS_TEXT], name[TT_KEY_NAME];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&text, "%s: %s", tt_key_name(binding->key, name), tt_do_at(binding->action)->name);
    if (!(binding->contexts & TT_IN_VIEWS)) {
        tt_text_str(&text, " in ");
        tt_contexts_write(&text, binding->contexts);
    }
    unsigned taken = 0, last = 0;
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        unsigned lost = tt_keymap_contexts(before, binding->key, action) &
                        ~tt_keymap_contexts(now, binding->key, action);
        if (lost && action != binding->action) {
            tt_text_put(&text, "%s%s", taken > 0 ? ", " : "; before: ", tt_do_at(action)->name);
            app->set_keys[action] |= 1; /* a line of it in the file has to change */
            taken++;
            last = action;
        }
    }
    if (taken == 1) {
        tt_text_put(&text, " (%s)", tt_do_at(last)->help);
    }
    tt_message_set(&app->ws.message, taken ? TT_ROLE_WARNING : TT_ROLE_STATUS, "%s",
                   tt_text_cstr(&text));
}

/* Reports what a key does: "n: search.next; why.next in Why; align.next in Align". */
static void report_key(struct tt_app *app, uint32_t key)
{
    char buffer[TT_STATUS_TEXT], name[TT_KEY_NAME];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, tt_key_name(key, name));
    const size_t head = text.used;
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        unsigned contexts = tt_keymap_contexts(&app->ws.term.keymap, key, action);
        if (contexts) {
            tt_text_put(&text, "%s%s%s", text.used == head ? ": " : "; ", tt_do_at(action)->name,
                        contexts & TT_IN_VIEWS ? "" : " in ");
            tt_contexts_write(&text, contexts & TT_IN_VIEWS ? 0 : contexts);
        }
    }
    tt_text_str(&text, text.used == head ? ": nothing" : "");
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

struct tt_status tt_config_map(struct tt_app *app, const char *text)
{
    size_t length = strcspn(text, " ");
    const char *name = text + length + strspn(text + length, " ");
    struct tt_binding binding = {TT_KEY_NONE, 0, TT_DO_NOTHING};
    if (length == 0 || tt_key_parse(text, length, &binding.key) != length) {
        return tt_error(TT_ERR_USAGE, "\"%.*s\" is not a key: write g, <C-d>, <F5>",
                        (int)(length < 40 ? length : 40), text);
    }
    if (!name[0]) {
        report_key(app, binding.key);
        return tt_ok();
    }
    enum tt_do action = tt_do_find(name, strlen(name), &binding.contexts);
    if (action == TT_DO_NOTHING) {
        return tt_error(TT_ERR_USAGE, "no action \"%.40s\"; Tab lists them", name);
    }
    binding.action = (uint16_t)action;
    struct tt_keymap before = app->ws.term.keymap;
    unbind_in_views(&app->ws.term.keymap, &binding, NULL);
    if (!tt_keymap_bind(&app->ws.term.keymap, &binding)) {
        app->ws.term.keymap = before;
        return tt_error(TT_ERR_USAGE, "too many keys");
    }
    app->mapped = true;
    report_binding(app, &before, &binding);
    app->set_keys[action] = 2;
    return tt_ok();
}

/* ---- entries -------------------------------------------------------------------------------- */

static int entry(void *user, const char *section, const char *name, const char *value)
{
    struct reading *reading = user;
    struct tt_status status = tt_ok();
    if (strcmp(section, "settings") == 0) {
        status = tt_setting_set(reading->app, name, value);
    } else if (strcmp(section, "keys") == 0) {
        unsigned contexts;
        enum tt_do action = tt_do_find(name, strlen(name), &contexts);
        if (action == TT_DO_NOTHING) {
            config_fail(reading, reading->line,
                        "\"%.60s\" is not an action; tracetui --dump-config lists them", name);
        } else {
            set_keys(reading, action, contexts, value);
        }
    } else if (strcmp(section, "sql") == 0) {
        status = tt_query_define(&reading->app->ws.query_definitions, name, value);
    } else if (strcmp(section, "lanes") == 0) {
        struct tt_lane_list *lanes = reading->app->options->trace.capture.lanes;
        struct tt_lane_definition *lane;
        status = lanes ? tt_lane_parse(name, value, &lane) : tt_ok();
        status = lanes && !tt_failed(&status) ? tt_lane_list_add(lanes, lane) : status;
    } else if (strcmp(section, "logs") != 0) { /* read before the capture is opened */
        config_fail(reading, reading->line,
                    "expected [settings], [keys], [sql], [logs] or [lanes] above it, not [%.40s]",
                    section);
    }
    if (tt_failed(&status)) {
        config_fail(reading, reading->line, "%s", status.text);
    }
    return 1;
}

struct tt_status tt_config_apply(struct tt_app *app, const char *file, const char *text,
                                 size_t length)
{
    struct reading r = {app, file, text, length, 0, tt_ok(), {0}, {0}};
    int line = ini_parse_stream(config_next_line, &r, entry, &r);
    if (line > 0) {
        config_fail(&r, (unsigned)line,
                    "expected [settings], [keys], [sql], [logs], [lanes], or NAME = VALUE");
    } else if (line < 0) {
        return tt_error_memory();
    }
    return r.status;
}

/* Reads a file; *text is NULL if the user has none. The caller frees it. */
static struct tt_status read_config(const char *path, char **text, size_t *length)
{
    char own[PATH_BYTES];
    bool explicit = path != NULL;
    *text = NULL;
    if (!explicit) {
        if (!tt_xdg_path(TT_FOLDER_CONFIG, "config", own, sizeof own)) {
            return tt_ok();
        }
        path = own;
    }
    int error = tt_file_text(path, TT_CONFIG_BYTES, text, length);
    if (error == 0 || (error == ENOENT && !explicit)) {
        return tt_ok();
    }
    return error == EFBIG ? tt_error(TT_ERR_USAGE, "%.120s: too long for a configuration", path)
                          : tt_error_errno(error, path);
}

struct tt_status tt_config_load(struct tt_app *app, const char *path)
{
    char *text;
    size_t length;
    struct tt_status status = read_config(path, &text, &length);
    if (text) {
        /* The user's own file needs no path: the status line is short. */
        status = tt_config_apply(app, path ? path : "config", text, length);
        free(text);
    }
    return status;
}

struct wanted {
    const char *name;
    char *value;
    size_t capacity;
};

static int copy_wanted(void *user, const char *section, const char *name, const char *value)
{
    const struct wanted *wanted = user;
    if (strcmp(section, "settings") == 0 && strcmp(name, wanted->name) == 0 &&
        strlen(value) < wanted->capacity) {
        memcpy(wanted->value, value, strlen(value) + 1);
    }
    return 1;
}

/* Passes the valid lines of a file to `take`. */
static struct tt_status read_lines(const char *path, ini_handler take, void *user)
{
    char *text;
    size_t length;
    struct tt_status status = read_config(path, &text, &length);
    if (text) {
        struct reading r = {.text = text, .length = length, .file = "", .status = tt_ok()};
        ini_parse_stream(config_next_line, &r, take, user);
        free(text);
    }
    return status;
}

struct tt_status tt_config_setting(const char *path, const char *name, char *value, size_t capacity)
{
    struct wanted wanted = {name, value, capacity};
    value[0] = '\0';
    return read_lines(path, copy_wanted, &wanted);
}

struct defining {
    const char *section;
    struct tt_query_definitions *definitions;
    struct tt_status status;
};

static int add_definition(void *user, const char *section, const char *name, const char *value)
{
    struct defining *defining = user;
    if (strcmp(section, defining->section) == 0 && !tt_failed(&defining->status)) {
        defining->status = tt_query_define(defining->definitions, name, value);
    }
    return 1;
}

struct tt_status tt_config_definitions(const char *path, const char *section,
                                       struct tt_query_definitions *definitions)
{
    struct defining d = {section, definitions, tt_ok()};
    struct tt_status status = read_lines(path, add_definition, &d);
    return tt_failed(&status) ? status : d.status;
}

/* ---- dump and page -------------------------------------------------------------------------- */

static void write_entry(struct tt_text *text, const char *help, const char *more, const char *name,
                        const char *value)
{
    tt_text_put(text, "# %s%s%s\n%s = %s\n", help, more[0] ? ": " : "", more, name, value);
}

void tt_config_dump(struct tt_text *text)
{
    tt_text_str(text, "# The default configuration of tracetui. The user's file is\n"
                      "# $XDG_CONFIG_HOME/tracetui/config (~/.config/tracetui/config); settings\n"
                      "# missing there have the values below.\n\n[settings]\n");
    const struct tt_setting *setting;
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        write_entry(text, setting->help, setting->values, setting->name, setting->initial);
    }
    tt_text_str(text, "\n# A key is a character or a name: <Enter> <Tab> <S-Tab> <Esc> "
                      "<BS> <Space>\n# <lt> for the sign <, <semi> for ; and <Up> <Down> <Left> "
                      "<Right> <Home> <End> <PgUp>\n# <PgDn> <Ins> <Del> <F1> to <F12>; <C-a> is "
                      "Ctrl-a. Blanks separate keys.\n[keys]\n");
    for (unsigned group = 0; group < TT_GROUP_COUNT; group++) {
        tt_text_put(text, group ? "\n# ---- %s\n" : "# ---- %s\n", tt_group_name(group));
        for (unsigned action = 1; action < TT_DO_COUNT; action++) {
            const struct tt_do_info *info = tt_do_at(action);
            if (info->group == group) {
                write_entry(text, info->help, "", info->name, info->keys);
            }
        }
    }
    tt_text_str(
        text,
        "\n# Views and macros for sql and :sql: NAME = a query, NAME(PARAMETERS) = any text "
        "with $PARAMETER\n"
        "# in it, used as @NAME(...). A long text has several lines, each with the name.\n[sql]\n"
        "# late_jobs = select * from jobs where response_ns > 1000000\n"
        "\n# Forms of lines for --log: NAME = a regular expression with groups time, level, "
        "process, "
        "thread, text.\n[logs]\n"
        "# mine = ^(?<time>[0-9.]+) (?<level>[A-Z]+) (?<process>[0-9]+) (?<text>.*)\n"
        "\n# Lanes of Threads and CPUs, as for :lane.\n[lanes]\n"
        "# frame = event = FRAME_REQUEST -> event = FRAME_SHOWN --same arg:frame\n");
}

void tt_config_page(struct tt_text *text)
{
    tt_text_str(
        text,
        "# Configuration\n\nSettings and keys are in `$XDG_CONFIG_HOME/tracetui/config` "
        "(`~/.config/tracetui/config` if the\nvariable is not set). `--config FILE` names another "
        "file, `--no-config` reads none; `render` reads\nonly a file named with `--config`, `sql` "
        "only section `[sql]`, and `--log` section `[logs]`. "
        "`tracetui --dump-config` prints the defaults, shown below. Command-line\noptions override "
        "the file.\n\n"
        "An invalid line is reported on the status line at start, with its number and the expected "
        "syntax;\nthe other lines apply. With `--config`, an invalid line is an error with exit "
        "status 2.\n\n"
        "A key bound in the file replaces a default binding of that key in the same context. The "
        "same key twice\nin the file is an error. An action without keys can still be used as a "
        "command.\n\n"
        "```ini\n");
    tt_config_dump(text);
    tt_text_str(text, "```\n");
}
