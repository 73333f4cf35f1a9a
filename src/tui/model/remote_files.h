/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_files: opens captures of other machines and shows their messages. Until the screen is on,
 * messages and progress go to the callbacks of the program's caller; then messages go to the status
 * line, progress to the last line of the terminal, and Esc cancels an open that waits.
 *
 *      thread of the connection --message--> noted, tt_remote_files_pop_note --> status line
 *
 * One thread, except that the messages come from any thread.
 */
#ifndef TRACETUI_TUI_MODEL_REMOTE_FILES_H
#define TRACETUI_TUI_MODEL_REMOTE_FILES_H

#include <pthread.h>
#include <stdbool.h>

#include "tracetui/map.h"
#include "tracetui/status.h"

struct tt_remote_files {
    struct tt_remote_options options; /* for tt_map_options; refers to this struct, */
    struct tt_map_watch watch;        /* and so does this */
    char shell[TT_REMOTE_SHELL_BYTES];
    const struct tt_remote_options *outer; /* of the caller of the program; NULL: no remote files */
    const struct tt_map_watch *outer_watch; /* the same; NULL: none */
    void (*notify)(void *arg);              /* wakes the event loop, or NULL */
    pthread_mutex_t lock;                   /* of the fields below */
    bool on_screen;
    bool fresh;
    char note[TT_STATUS_TEXT];
};

/* Initializes in place. What `outer` refers to is borrowed. */
void tt_remote_files_init(struct tt_remote_files *files, const struct tt_map_options *outer,
                          void (*notify)(void *arg));
/* Frees the rest when no capture is open any more. */
void tt_remote_files_free(struct tt_remote_files *files);

/* Sets the options for opening: the remote shell, if files may be remote, and the watch. */
void tt_remote_files_use(const struct tt_remote_files *files, struct tt_map_options *options);
/* From now on the terminal shows the screen. */
void tt_remote_files_use_screen(struct tt_remote_files *files);
/* Sets the program that runs commands on a host, as the setting remote_shell. */
struct tt_status tt_remote_files_set_shell(struct tt_remote_files *files, const char *shell);

/*
 * Copies a message that arrived since the last call, of at most TT_STATUS_TEXT bytes; false: none.
 */
bool tt_remote_files_pop_note(struct tt_remote_files *files, char *note);

#endif
