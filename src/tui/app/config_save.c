/* SPDX-License-Identifier: Apache-2.0 */
/* config_save: writes changed settings into the configuration file and keeps its other lines. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "base/xdg.h"
#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/app/settings.h"
#include "tui/model/save.h"

#define PATH_BYTES  1024
#define VALUE_BYTES 4096

struct edit {
    const struct tt_app *app;
    uint32_t left; /* settings that are not written yet */
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

/* Returns the number of the changed setting that the line sets, or -1. */
static int setting_of(const struct edit *e, const char *line, size_t length)
{
    size_t begin = blanks(line, length), end = begin;
    while (end < length && line[end] != '=' && line[end] != ':') {
        end++;
    }
    if (end == length) {
        return -1;
    }
    while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\t')) {
        end--;
    }
    const struct tt_setting *setting;
    for (unsigned i = 0; (setting = tt_setting_at(i)) != NULL; i++) {
        if ((e->app->set_settings & 1u << i) && strlen(setting->name) == end - begin &&
            memcmp(setting->name, line + begin, end - begin) == 0) {
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

static bool is_section(const char *line, size_t length, bool *settings)
{
    static const char name[] = "[settings]";
    size_t begin = blanks(line, length);
    if (begin == length || line[begin] != '[') {
        return false;
    }
    *settings =
        length - begin >= sizeof name - 1 && memcmp(line + begin, name, sizeof name - 1) == 0;
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

static void write_left(struct edit *e)
{
    for (unsigned i = 0; tt_setting_at(i); i++) {
        if (e->left & 1u << i) {
            write_setting(e, i);
            tt_text_char(e->out, '\n');
        }
    }
}

/* Returns the end of the last line of the [settings] section that is not blank; NULL: no section. */
static const char *end_of_settings(const char *text, const char *end)
{
    const char *last = NULL;
    bool settings = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = newline ? (size_t)(newline - text) : (size_t)(end - text);
        bool section = is_section(text, length, &settings);
        text += length + (newline != NULL);
        if (settings && (section || blanks(text - length - (newline != NULL), length) < length)) {
            last = text;
        }
    }
    return last;
}

/* Copies the lines of a file with the changed settings. */
static void edit_lines(struct edit *e, const char *text, size_t length)
{
    const char *end = text + length, *insert = end_of_settings(text, end);
    bool settings = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = newline ? (size_t)(newline - text) : (size_t)(end - text);
        int number =
            is_section(text, line, &settings) || !settings ? -1 : setting_of(e, text, line);
        if (number >= 0) {
            const char *comment = comment_of(text, line);
            write_setting(e, (unsigned)number);
            tt_text_str(e->out, comment < text + line ? " " : "");
            tt_text_bytes(e->out, comment, (size_t)(text + line - comment));
        } else {
            tt_text_bytes(e->out, text, line);
        }
        tt_text_char(e->out, '\n');
        text += line + (newline != NULL);
        if (text == insert) {
            write_left(e);
        }
    }
    if (e->left) {
        tt_text_str(e->out, length > 0 ? "\n[settings]\n" : "[settings]\n");
        write_left(e);
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
        struct edit e = {app, app->set_settings, &out};
        edit_lines(&e, error == 0 ? text : "", length);
        status = out.used > TT_CONFIG_BYTES
                     ? tt_error(TT_ERR_USAGE, "%.120s: too long for a configuration", path)
                     : store(path, &out);
    }
    free(buffer);
    free(text);
    return status;
}
