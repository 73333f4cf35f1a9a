/* SPDX-License-Identifier: Apache-2.0 */
/* config_save: writes changed settings and keys into the configuration file and keeps its other lines. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_read.h"
#include "base/xdg.h"
#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/app/settings.h"
#include "tui/model/save.h"
#include "tui/term/keys.h"

#define PATH_BYTES  1024
#define VALUE_BYTES 4096

struct edit {
    const struct tt_app *app;
    uint32_t left;               /* settings that are not written yet */
    bool keys_left[TT_DO_COUNT]; /* actions whose keys are not written yet */
    struct tt_text *out;
};

/* ---- lines ---------------------------------------------------------------------------------- */

static size_t blanks(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && (text[count] == ' ' || text[count] == '\t')) {
        count++;
    }
    return count;
}

/* The sections of the file that lines are changed in. */
enum section { SETTINGS, KEYS, OTHER };

static const char *const section_names[] = {"[settings]", "[keys]"};

/* Returns the number of the changed setting or action that the line of the section sets, or -1. */
static int changed_entry(const struct edit *e, enum section section, const char *line,
                         size_t length)
{
    size_t begin = blanks(line, length), end = begin;
    while (end < length && line[end] != '=' && line[end] != ':') {
        end++;
    }
    if (end == length || section == OTHER) {
        return -1;
    }
    while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\t')) {
        end--;
    }
    unsigned count = section == KEYS ? TT_DO_COUNT : 32;
    for (unsigned i = section == KEYS; i < count && (section == KEYS || tt_setting_at(i)); i++) {
        const char *name = section == KEYS ? tt_do_at(i)->name : tt_setting_at(i)->name;
        bool changed = section == KEYS ? e->app->set_keys[i] > 0 : e->app->set_settings >> i & 1u;
        if (changed && strlen(name) == end - begin &&
            memcmp(name, line + begin, end - begin) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Returns the comment at the end of a line, as inih recognizes it: a blank and a semicolon. */
static const char *comment_of(const char *line, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if (line[i] == ';' && (line[i - 1] == ' ' || line[i - 1] == '\t')) {
            return line + i;
        }
    }
    return line + length;
}

/* Returns whether the line begins a section; sets which one. */
static bool is_section(const char *line, size_t length, enum section *section)
{
    size_t begin = blanks(line, length);
    if (begin == length || line[begin] != '[') {
        return false;
    }
    *section = OTHER;
    for (int i = 0; i < OTHER; i++) {
        size_t name = strlen(section_names[i]);
        if (length - begin >= name && memcmp(line + begin, section_names[i], name) == 0) {
            *section = (enum section)i;
        }
    }
    return true;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_setting(struct edit *e, unsigned number)
{
    const struct tt_setting *setting = tt_setting_at(number);
    tt_text_str(e->out, setting->name);
    tt_text_str(e->out, " = ");
    const char *theme = e->app->ws.term.theme_from;
    char *path =
        strcmp(setting->name, "theme") == 0 && strchr(theme, '/') ? realpath(theme, NULL) : NULL;
    if (path) {
        tt_text_str(e->out, path);
        free(path);
    } else if (strcmp(setting->name, "theme") == 0) {
        tt_text_str(e->out, theme);
    } else {
        setting->get(e->app, e->out);
    }
    e->left &= ~(1u << number);
}

/* Writes the keys that an action has wherever it works. */
static void write_keys(struct edit *e, unsigned action)
{
    const struct tt_keymap *keymap = &e->app->ws.term.keymap;
    const struct tt_do_info *info = tt_do_at(action);
    tt_text_str(e->out, info->name);
    tt_text_str(e->out, " =");
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *binding = &keymap->bindings[i];
        if (binding->action == action && binding->contexts == info->contexts) {
            char key[TT_KEY_NAME];
            tt_text_char(e->out, ' ');
            tt_text_str(e->out, tt_key_write(binding->key, key));
        }
    }
    e->keys_left[action] = false;
}

static void write_entry(struct edit *e, enum section section, unsigned number)
{
    if (section == KEYS) {
        write_keys(e, number);
    } else {
        write_setting(e, number);
    }
}

static void write_left(struct edit *e, enum section section)
{
    for (unsigned i = 0; section == SETTINGS && tt_setting_at(i); i++) {
        if (e->left & 1u << i) {
            write_setting(e, i);
            tt_text_char(e->out, '\n');
        }
    }
    for (unsigned i = 1; section == KEYS && i < TT_DO_COUNT; i++) {
        if (e->keys_left[i]) {
            write_keys(e, i);
            tt_text_char(e->out, '\n');
        }
    }
}

static bool has_left(const struct edit *e, enum section section)
{
    bool left = section == SETTINGS && e->left;
    for (unsigned i = 1; section == KEYS && i < TT_DO_COUNT; i++) {
        left |= e->keys_left[i];
    }
    return left;
}

/* Returns the end of the last line of the section that is not blank; NULL: no such section. */
static const char *end_of_section(const char *text, const char *end, enum section wanted)
{
    const char *last = NULL;
    enum section section = OTHER;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = newline ? (size_t)(newline - text) : (size_t)(end - text);
        bool begins = is_section(text, length, &section);
        text += length + (newline != NULL);
        if (section == wanted &&
            (begins || blanks(text - length - (newline != NULL), length) < length)) {
            last = text;
        }
    }
    return last;
}

/* Copies the lines of a file with the changed settings and keys. */
static void edit_lines(struct edit *e, const char *text, size_t length)
{
    const char *end = text + length, *ends[OTHER];
    for (int i = 0; i < OTHER; i++) {
        ends[i] = end_of_section(text, end, (enum section)i);
    }
    enum section section = OTHER;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = newline ? (size_t)(newline - text) : (size_t)(end - text);
        int number = is_section(text, line, &section) ? -1 : changed_entry(e, section, text, line);
        if (number >= 0) {
            const char *comment = comment_of(text, line);
            write_entry(e, section, (unsigned)number);
            tt_text_str(e->out, comment < text + line ? " " : "");
            tt_text_bytes(e->out, comment, (size_t)(text + line - comment));
        } else {
            tt_text_bytes(e->out, text, line);
        }
        tt_text_char(e->out, '\n');
        text += line + (newline != NULL);
        for (int i = 0; i < OTHER; i++) {
            if (text == ends[i]) {
                write_left(e, (enum section)i);
            }
        }
    }
    for (int i = 0; i < OTHER; i++) {
        if (has_left(e, (enum section)i)) {
            tt_text_str(e->out, e->out->used > 0 ? "\n" : "");
            tt_text_str(e->out, section_names[i]);
            tt_text_char(e->out, '\n');
            write_left(e, (enum section)i);
        }
    }
}

/* Replaces the file. The directories of the user's own file are created. */
static struct tt_status store(const char *path, const struct tt_text *text)
{
    struct tt_save save;
    if (!tt_xdg_make_directory(path)) {
        return tt_error_errno(errno, path);
    }
    struct tt_status status = tt_save_open(&save, path, TT_ATOMIC_REPLACE | TT_ATOMIC_SYNC);
    if (!tt_failed(&status)) {
        fwrite(text->buffer, 1, text->used, save.file);
        status = tt_save_commit(&save);
    }
    return status;
}

struct tt_status tt_config_save(const struct tt_app *app, char *path, size_t capacity)
{
    const struct tt_tui_options *o = app->options;
    char *text = NULL;
    size_t length = 0;
    if (o->config ? snprintf(path, capacity, "%s", o->config) >= (int)capacity
                  : !o->own_config || !tt_xdg_path(TT_FOLDER_CONFIG, "config", path, capacity)) {
        return tt_error(TT_ERR_USAGE, "there is no configuration file to save to");
    }
    int error = tt_file_text(path, TT_CONFIG_BYTES, &text, &length);
    if (error != 0 && error != ENOENT) {
        return tt_error_errno(error, path);
    }
    char *buffer = malloc(TT_CONFIG_BYTES + VALUE_BYTES);
    struct tt_status status = tt_error_memory();
    if (buffer) {
        struct tt_text out = tt_text_of(buffer, TT_CONFIG_BYTES + VALUE_BYTES);
        struct edit e = {.app = app, .left = app->set_settings, .out = &out};
        for (unsigned i = 0; i < TT_DO_COUNT; i++) {
            e.keys_left[i] = app->set_keys[i] >= 2;
        }
        edit_lines(&e, error == 0 ? text : "", length);
        status = out.used > TT_CONFIG_BYTES
                     ? tt_error(TT_ERR_USAGE, "%.120s: too long for a configuration", path)
                     : store(path, &out);
    }
    free(buffer);
    free(text);
    return status;
}
