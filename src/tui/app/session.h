/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: the state of the screen for a capture, saved in $XDG_STATE_HOME/tracetui/sessions and
 * restored when the capture is opened again: view, place, window, marks and notes, filters, columns
 * and time format; for Threads the folds, pins and lane order; for Summary the table, range,
 * columns and order. Prompt history is in a separate file (session_file.c).
 *
 *      tracetui-session 1
 *      size 123690                     of the capture at that time
 *      set view threads
 *      place 22310 8841                the cursor: ticks, pos
 *      mark a 22310 8841 2 a%20note    ticks, pos, serial number, note
 *      filter include on - cpu%20=%200
 *      visit 1 22310 8841 ...          a place of the history (places.h)
 *      lanes 3 0                       view state: a word and two numbers, see `remember` in view.h
 *      end 89ab...                     XXH3 of all before it
 *
 * A session NAME.session beside the capture NAME is read if there is no other, or only an older one
 * (excerpt/excerpt_marks.h).
 *
 * A session belongs to the capture's content, not to its name: the file's name is a hash of samples
 * at the capture's beginning, 64 KB, 1 MB, 16 MB and 256 MB, as far as the capture extends. A
 * capture that has grown is found by its earlier samples.
 *
 * Files are replaced atomically and checked when read; a damaged one is reported and left in place.
 * At most TT_SESSIONS files and TT_SESSION_TOTAL bytes are kept; the oldest are deleted first. One
 * thread.
 */
#ifndef TRACETUI_TUI_APP_SESSION_H
#define TRACETUI_TUI_APP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

#define TT_SESSIONS      100
#define TT_SESSION_TOTAL (4u << 20)
#define TT_SESSION_BYTES (512u << 10)

struct tt_app;

/* The message that names what is restored. */
struct tt_session_restored {
    bool view, settings, place, window, lists;
    unsigned marks, filters;
};

struct tt_session {
    char *text; /* the session read, while parts of it wait for the index; else NULL */
    size_t length;
    uint32_t moved;     /* marks of a part that were looked for, one bit each */
    bool only_marks;    /* restore nothing else: the session is beside the capture */
    bool takes_filters; /* restore its filters, since none were set */
    bool takes_places;  /* restore its places, since the history has none of the capture */
    unsigned places;    /* number of those restored */
    bool found;         /* the capture had one */
    bool left;          /* skip its place: the user moved before it could be restored */
    bool user_acted;    /* the user did something in this capture */
    struct tt_session_restored restored;
    bool typed; /* the user did something in this or an earlier capture */
};

/*
 * Finds the session of the capture just opened and restores the parts that do not need the index.
 */
void tt_session_restore(struct tt_app *app);
/*
 * Finds it again when all bytes of the capture have arrived, unless its first bytes had one; if the user has
 * acted, restores only its marks.
 */
void tt_session_arrived(struct tt_app *app);
/*
 * Restores the rest once the index has reached it; skips the place if the user has moved. Reports what
 * was restored, unless another message is shown.
 */
void tt_session_settle(struct tt_app *app);
/* Saves the session of the current capture. */
void tt_session_save(struct tt_app *app);
/* Drops the parts that are not restored yet. */
void tt_session_drop(struct tt_app *app);

/*
 * Load and save the history of the prompts, one entry per line: "filter cpu%20=%200". Several instances
 * may run: each merges its own lines into the file when it ends.
 */
void tt_session_load_history(struct tt_app *app);
void tt_session_save_history(struct tt_app *app);

/* Writes a file atomically; creates its parent directories. */
struct tt_status tt_session_store(const char *path, const char *text, size_t length);
/* Reads at most `most` bytes of a file and adds a NUL; the caller frees *text. Returns false if there is none. */
bool tt_session_read(const char *path, size_t most, char **text, size_t *length);

/*
 * Checks a session's text and restores it; `late`: only the parts that need the index, else only
 * the others. Fails if the text is damaged; nothing is restored then. For internal use and tests.
 */
struct tt_status tt_session_restore_text(struct tt_app *app, const char *text, size_t length,
                                         bool late);

#endif
