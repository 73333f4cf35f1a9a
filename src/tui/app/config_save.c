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
#define NAMES       (TT_DO_COUNT + 64) /* of actions, then of aliases */

struct edit {
    const struct tt_app *app;
    uint32_t left;         /* settings that are not written yet */
    bool keys_left[NAMES]; /* names of actions whose keys are not written yet */
    struct tt_text *out;
};

/* ---- names of actions ------------------------------------------------------------------------- */

/* Returns what a name of the file stands for, an action or an alias; NULL after the last one. */
static const char *name_at(unsigned number, struct tt_do_alias *found)
{
    if (number < TT_DO_COUNT) {
        *found = (struct tt_do_alias){tt_do_at(number)->name, (enum tt_do)number,
                                      tt_do_at(number)->contexts};
        return found->name;
    }
    const struct tt_do_alias *alias = tt_do_alias_at(number - TT_DO_COUNT);
    if (alias) {
        *found = *alias;
    }
    return alias && number < NAMES ? alias->name : NULL;
}

/* Returns whether keys of an action work in some of its contexts alone: its aliases are written, too. */
static bool has_parts(const struct tt_keymap *keymap, unsigned action)
{
    bool parts = false;
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *binding = &keymap->bindings[i];
        parts |= binding->action == action &&
                 tt_keymap_contexts(keymap, binding->key, action) != tt_do_at(action)->contexts;
    }
    return parts;
}

/* Returns the contexts that only the name of an action has, if its aliases are written. */
static unsigned own_contexts(unsigned action)
{
    unsigned contexts = tt_do_at(action)->contexts;
    const struct tt_do_alias *alias;
    for (unsigned i = 0; (alias = tt_do_alias_at(i)) != NULL; i++) {
        contexts &= alias->action == (enum tt_do)action ? ~alias->contexts : UINT32_MAX;
    }
    return contexts;
}

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
static int changed_entry(const struct edit *edit, enum section section, const char *line,
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
    struct tt_do_alias found;
    const char *name;
    for (unsigned i = section == KEYS;; i++) {
        name = section == KEYS    ? name_at(i, &found)
               : tt_setting_at(i) ? tt_setting_at(i)->name
                                  : NULL;
        if (!name) {
            return -1;
        }
        bool changed = section == KEYS ? edit->app->set_keys[found.action] > 0
                                       : edit->app->set_settings >> i & 1u;
        if (changed && strlen(name) == end - begin &&
            memcmp(name, line + begin, end - begin) == 0) {
            return (int)i;
        }
    }
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

static void write_setting(struct edit *edit, unsigned number)
{
    const struct tt_setting *setting = tt_setting_at(number);
    tt_text_put(edit->out, "%s = ", setting->name);
    const char *theme = edit->app->ws.term.theme_from;
    char *path =
        strcmp(setting->name, "theme") == 0 && strchr(theme, '/') ? realpath(theme, NULL) : NULL;
    if (path) {
        tt_text_str(edit->out, path);
        free(path);
    } else if (strcmp(setting->name, "theme") == 0) {
        tt_text_str(edit->out, theme);
    } else {
        tt_setting_get(setting, edit->app, edit->out);
    }
    edit->left &= ~(1u << number);
}

/* Writes the keys that an action has wherever one of its names stands for it. */
static void write_keys(struct edit *edit, unsigned number)
{
    const struct tt_keymap *keymap = &edit->app->ws.term.keymap;
    struct tt_do_alias found;
    tt_text_put(edit->out, "%s =", name_at(number, &found));
    if (number < TT_DO_COUNT && has_parts(keymap, number) && own_contexts(number)) {
        found.contexts = own_contexts(number);
    }
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *binding = &keymap->bindings[i];
        unsigned contexts = tt_keymap_contexts(keymap, binding->key, found.action);
        bool again = false; /* a key may have a binding per name */
        for (unsigned k = 0; k < i; k++) {
            again |= keymap->bindings[k].key == binding->key &&
                     keymap->bindings[k].action == binding->action;
        }
        if (!again && binding->action == found.action &&
            (contexts & found.contexts) == found.contexts) {
            char key[TT_KEY_NAME];
            tt_text_put(edit->out, " %s", tt_key_write(binding->key, key));
        }
    }
    edit->keys_left[number] = false;
}

static void write_left(struct edit *edit, enum section section)
{
    for (unsigned i = 0; section == SETTINGS && tt_setting_at(i); i++) {
        if (edit->left & 1u << i) {
            write_setting(edit, i);
            tt_text_char(edit->out, '\n');
        }
    }
    for (unsigned i = 1; section == KEYS && i < NAMES; i++) {
        if (edit->keys_left[i]) {
            write_keys(edit, i);
            tt_text_char(edit->out, '\n');
        }
    }
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
static void edit_lines(struct edit *edit, const char *text, size_t length)
{
    const char *end = text + length, *ends[OTHER];
    for (int i = 0; i < OTHER; i++) {
        ends[i] = end_of_section(text, end, (enum section)i);
    }
    enum section section = OTHER;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = newline ? (size_t)(newline - text) : (size_t)(end - text);
        int number =
            is_section(text, line, &section) ? -1 : changed_entry(edit, section, text, line);
        if (number >= 0) {
            const char *comment = comment_of(text, line);
            (section == KEYS ? write_keys : write_setting)(edit, (unsigned)number);
            tt_text_str(edit->out, comment < text + line ? " " : "");
            tt_text_bytes(edit->out, comment, (size_t)(text + line - comment));
        } else {
            tt_text_bytes(edit->out, text, line);
        }
        tt_text_char(edit->out, '\n');
        text += line + (newline != NULL);
        for (int i = 0; i < OTHER; i++) {
            if (text == ends[i]) {
                write_left(edit, (enum section)i);
            }
        }
    }
    for (int i = 0; i < OTHER; i++) {
        const size_t before = edit->out->used;
        tt_text_put(edit->out, before > 0 ? "\n%s\n" : "%s\n", section_names[i]);
        const size_t head = edit->out->used;
        write_left(edit, (enum section)i);
        edit->out->used = edit->out->used > head ? edit->out->used : before;
    }
}

/* Replaces the file. The directories of the user's own file are created. */
static struct tt_status config_save_store(const char *path, const struct tt_text *text)
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
    const struct tt_tui_options *options = app->options;
    char *text = NULL;
    size_t length = 0;
    if (options->config
            ? snprintf(path, capacity, "%s", options->config) >= (int)capacity
            : !options->own_config || !tt_xdg_path(TT_FOLDER_CONFIG, "config", path, capacity)) {
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
        struct tt_do_alias found;
        for (unsigned i = 1; name_at(i, &found); i++) {
            bool parts = has_parts(&app->ws.term.keymap, found.action);
            e.keys_left[i] = app->set_keys[found.action] >= 2 &&
                             (i >= TT_DO_COUNT ? parts : !parts || own_contexts(i));
        }
        edit_lines(&e, error == 0 ? text : "", length);
        status = out.used > TT_CONFIG_BYTES
                     ? tt_error(TT_ERR_USAGE, "%.120s: too long for a configuration", path)
                     : config_save_store(path, &out);
    }
    free(buffer);
    free(text);
    return status;
}
