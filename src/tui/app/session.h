/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: where a person was in a capture, kept in $XDG_STATE_HOME/tracetui/sessions and restored
 * when the capture is opened again: view, place, window, marks and notes, filters, columns, the
 * format of times; of Threads folds, pins and the order of the lanes; of Summary its table, range,
 * columns and order. What was typed at prompts is in a file of its own beside it (session_file.h).
 *
 *      tracetui-session 1
 *      size 123690                     of the capture then
 *      set view threads
 *      place 22310 8841                the cursor: ticks, pos
 *      mark a 22310 8841 2 a%20note    ticks, pos, how many-th, note
 *      filter include on - cpu%20=%200
 *      lanes 3 0                       what a view keeps: a word and two numbers, see its remember
 *      end 89ab...                     XXH3 of all before it
 *
 * A session belongs to content, not to a name: the file's name is a hash of samples at the
 * capture's beginning, 64 KB, 1 MB, 16 MB and 256 MB, as far as there are bytes. A capture that has
 * grown is found by the samples it had.
 *
 * Files are written whole and checked when read; one that is damaged is left alone and said. At
 * most TT_SESSIONS of them, TT_SESSION_TOTAL bytes in all, are kept; the oldest go. One thread.
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

struct tt_session {
    char *text; /* what was read and holds things that the index must reach first; or NULL */
    size_t length;
    bool takes_filters; /* of the session; there were none yet */
    bool left;          /* its place: the person has moved before it could be taken */
    bool touched;       /* the person did something in this capture */
    bool typed;         /* or in any before it */
};

/* Looks for the session of the capture that was opened, and takes what can be taken at once. */
void tt_session_restore(struct tt_app *app);
/* Takes the rest once the index has reached it; not the place, if the person has moved. */
void tt_session_settle(struct tt_app *app);
/* Keeps the session of the capture that is shown. */
void tt_session_save(struct tt_app *app);
/* Forgets what is still to be taken. */
void tt_session_drop(struct tt_app *app);

/* What was typed at prompts. */
void tt_session_load_history(struct tt_app *app);
void tt_session_save_history(struct tt_app *app);

/*
 * For the above, and for tests: checks a session's text and takes it; `late`: only what needs the
 * index, else only the rest. An error: it is damaged, and nothing is taken.
 */
struct tt_status tt_session_take(struct tt_app *app, const char *text, size_t length, bool late);

#endif
