/* SPDX-License-Identifier: Apache-2.0 */
/* script: plays keys and commands from a file. */
#include "tui/app/script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_read.h"
#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/event_loop.h"
#include "tui/app/places.h"
#include "tui/term/keys.h"

#define SCRIPT_BYTES 1048576
#define LINE_BYTES   TT_PROMPT_BYTES

/* Copies the next line without its newline; returns false after the last one. */
static bool script_next_line(const char **text, char *line, size_t capacity)
{
    size_t length = strcspn(*text, "\n");
    if (**text == '\0') {
        return false;
    }
    size_t kept = length < capacity ? length : capacity - 1;
    kept -= kept > 0 && (*text)[kept - 1] == '\r';
    memcpy(line, *text, kept);
    line[kept] = '\0';
    *text += length + ((*text)[length] == '\n');
    return true;
}

static bool is_keys(const char *line)
{
    while (*line) {
        uint32_t key;
        size_t used = tt_key_parse(line, strlen(line), &key);
        if (used == 0) {
            return false;
        }
        line += used;
    }
    return true;
}

static struct tt_status script_check(const char *path, const char *text)
{
    char line[LINE_BYTES];
    for (unsigned number = 1; script_next_line(&text, line, sizeof line); number++) {
        if (line[0] != '#' && line[0] != ':' && !is_keys(line)) {
            return tt_error(TT_ERR_USAGE, "%.100s:%u: expected :COMMAND, or keys as jj<Enter><C-d>",
                            path, number);
        }
    }
    return tt_ok();
}

struct tt_status tt_script_load(const char *path, char **text)
{
    size_t length;
    int error = tt_file_text(path, SCRIPT_BYTES, text, &length);
    if (error != 0 && error != EFBIG) {
        return tt_error_errno(error, path);
    }
    struct tt_status status = error == EFBIG || memchr(*text, '\0', length)
                                  ? tt_error(TT_ERR_USAGE, "%.120s: not a script", path)
                                  : script_check(path, *text);
    if (tt_failed(&status)) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static bool script_is_command(const char *line, const char *name)
{
    size_t length = strlen(name);
    return line[0] == ':' && strncmp(line + 1, name, length) == 0 &&
           strchr(" !", line[1 + length]) != NULL;
}

/* Plays until the end, the end of the program, or the next part; moves *text behind what was read. */
static bool play_part(struct tt_app *app, const char **text)
{
    char line[LINE_BYTES];
    bool renders = !app->ws.index.notify;
    while (script_next_line(text, line, sizeof line)) {
        if (renders && script_is_command(line, "restart")) {
            return true;
        }
        if (app->ws.term.requests.quit) {
            continue; /* to the next part */
        }
        if (line[0] == ':') {
            if (!script_is_command(line, "picture")) { /* it shows the message, too */
                app->ws.message.text[0] = '\0';
            }
            tt_places_note(app);
            tt_command_run(app, line + 1);
            tt_places_keep(app);
            tt_event_loop_wait(app);
        } else if (line[0] != '#') {
            tt_event_loop_type(app, line);
        }
    }
    return false;
}

size_t tt_script_begin(struct tt_app *app, size_t at)
{
    const char *text = app->script ? app->script + at : "";
    app->ws.term.patient = true;
    bool another = play_part(app, &text);
    if (!another) {
        tt_event_loop_type(app, app->options->keys);
    }
    app->ws.term.patient = false;
    return another ? (size_t)(text - app->script) : 0;
}
