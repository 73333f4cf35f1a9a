/* SPDX-License-Identifier: Apache-2.0 */
/* session_file: the words and files of sessions, and the history file of the prompts. */
#include "tui/app/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/session_text.h"
#include "base/user_file.h"
#include "base/xdg.h"
#include "tui/app/app.h"
#include "tui/model/save.h"

#define PATH_BYTES   1024
#define HISTORY_LINE 2000 /* longer lines are not saved */
#define LOCK_NAPS    50   /* of 10 ms each; then the file is written without the lock */

/* ---- files ----------------------------------------------------------------------------------- */

struct tt_status tt_session_store(const char *path, const char *text, size_t length)
{
    struct tt_save save;
    if (!tt_xdg_make_directory(path)) {
        return tt_error_errno(errno, path);
    }
    struct tt_status status = tt_save_open(&save, path, TT_ATOMIC_REPLACE | TT_ATOMIC_PRIVATE);
    if (!tt_failed(&status)) {
        fwrite(text, 1, length, save.file);
        status = tt_save_commit(&save);
    }
    return status;
}

bool tt_session_read(const char *path, size_t most, char **text, size_t *length)
{
    int fd;
    FILE *file = tt_user_file_text(path, &fd) == 0 ? fdopen(fd, "rb") : NULL;
    *text = file ? malloc(most + 1) : NULL;
    *length = *text ? fread(*text, 1, most, file) : 0;
    if (*text) {
        (*text)[*length] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return *text != NULL;
}

/* ---- history --------------------------------------------------------------------------------- */

/* Parses the lines of a history file; modifies `text`. */
static void parse_lines(struct tt_history histories[TT_PROMPT_KINDS], char *text)
{
    for (char *line = text; line;) {
        char *next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        char *blank = strchr(line, ' ');
        for (int kind = 0; blank && kind < TT_PROMPT_KINDS; kind++) {
            const char *name = tt_line_edit_kind_name((enum tt_line_edit_kind)kind);
            if (strlen(name) == (size_t)(blank - line) && memcmp(name, line, strlen(name)) == 0) {
                tt_session_unescape(blank + 1);
                tt_history_add(&histories[kind], blank + 1);
            }
        }
        line = next;
    }
}

static void session_file_load(struct tt_history histories[TT_PROMPT_KINDS], const char *path)
{
    char *text;
    size_t length;
    if (tt_session_read(path, TT_SESSION_TOTAL, &text, &length)) {
        text[length - (length > 0)] = '\0'; /* replaces the last newline */
        parse_lines(histories, length > 0 ? text : NULL);
        free(text);
    }
}

/*
 * Locks the directory, so that two instances that end at the same time both save their history.
 * Returns -1 if it cannot be locked, as on some network file systems.
 */
static int lock_folder(void)
{
    char path[PATH_BYTES];
    const struct timespec nap = {0, 10000000};
    int fd = tt_xdg_path(TT_FOLDER_STATE, "", path, sizeof path)
                 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                 : -1;
    for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || i == LOCK_NAPS) {
            close(fd);
            return -1;
        }
        nanosleep(&nap, NULL);
    }
    return fd;
}

void tt_session_load_history(struct tt_app *app)
{
    char path[PATH_BYTES];
    if (app->keeps_session && tt_xdg_path(TT_FOLDER_STATE, "history", path, sizeof path)) {
        session_file_load(app->prompt.line.histories, path);
    }
}

void tt_session_save_history(struct tt_app *app)
{
    char path[PATH_BYTES];
    if (!app->keeps_session || !app->session.typed ||
        !tt_xdg_path(TT_FOLDER_STATE, "history", path, sizeof path) ||
        !tt_xdg_make_directory(path)) {
        return;
    }
    char *buffer = malloc(TT_SESSION_TOTAL);
    struct tt_history *merged = calloc(TT_PROMPT_KINDS, sizeof *merged);
    if (buffer && merged) {
        int lock = lock_folder();
        struct tt_text text = tt_text_of(buffer, TT_SESSION_TOTAL);
        /* Merges the lines saved by other instances with those typed here, which come last. */
        session_file_load(merged, path);
        for (int kind = 0; kind < TT_PROMPT_KINDS; kind++) {
            const struct tt_history *own = &app->prompt.line.histories[kind];
            for (unsigned i = own->count - own->typed; i < own->count; i++) {
                tt_history_add(&merged[kind], own->lines[i]);
            }
        }

        for (int kind = 0; kind < TT_PROMPT_KINDS; kind++) {
            for (unsigned i = 0; i < merged[kind].count; i++) {
                if (strlen(merged[kind].lines[i]) <= HISTORY_LINE) {
                    tt_text_str(&text, tt_line_edit_kind_name((enum tt_line_edit_kind)kind));
                    tt_session_word(&text, merged[kind].lines[i]);
                    tt_text_char(&text, '\n');
                }
            }
        }

        if (text.used > 0 && !text.truncated) {
            tt_session_store(path, buffer, text.used);
        }
        if (lock >= 0) {
            close(lock);
        }
    }
    for (int kind = 0; merged && kind < TT_PROMPT_KINDS; kind++) {
        tt_history_free(&merged[kind]);
    }
    free(merged);
    free(buffer);
}
