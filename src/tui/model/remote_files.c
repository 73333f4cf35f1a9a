/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/remote_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "edit/key_mode.h"
#include "tracetui/text.h"

static void remote_files_message(void *arg, const char *host, const char *line)
{
    struct tt_remote_files *files = arg;
    pthread_mutex_lock(&files->lock);
    bool on_screen = files->on_screen;
    if (on_screen) {
        snprintf(files->note, sizeof files->note, "%.60s: %.130s", host, line);
        files->fresh = true;
    }
    pthread_mutex_unlock(&files->lock);
    if (!on_screen && files->outer->message) {
        files->outer->message(files->outer->arg, host, line);
    } else if (on_screen && files->notify) {
        files->notify(NULL);
    }
}

/* Only an open that waits is shown: nothing else draws or reads keys then. */
static bool remote_files_show(void *arg, const struct tt_arrival *arrival)
{
    const struct tt_remote_files *files = arg;
    if (!files->options.quiet) {
        return !files->outer_watch || files->outer_watch->show(files->outer_watch->arg, arrival);
    }
    return arrival->last || !arrival->host || !isatty(STDIN_FILENO) ||
           !tt_key_mode_escaped(STDIN_FILENO);
}

void tt_remote_files_init(struct tt_remote_files *files, const struct tt_map_options *outer,
                          void (*notify)(void *arg))
{
    *files = (struct tt_remote_files){
        .outer = outer->remote, .outer_watch = outer->watch, .notify = notify};
    pthread_mutex_init(&files->lock, NULL);
    files->options = (struct tt_remote_options){
        .shell = files->shell, .message = remote_files_message, .arg = files, .arrives = true};
    files->watch = (struct tt_map_watch){remote_files_show, files};
    const char *shell = files->outer ? files->outer->shell : NULL;
    if (shell && strlen(shell) < sizeof files->shell) {
        memcpy(files->shell, shell, strlen(shell) + 1);
    }
}

void tt_remote_files_free(struct tt_remote_files *files)
{
    pthread_mutex_destroy(&files->lock);
}

void tt_remote_files_use(const struct tt_remote_files *files, struct tt_map_options *options)
{
    options->remote = files->outer ? &files->options : NULL;
    options->watch = &files->watch;
}

void tt_remote_files_use_screen(struct tt_remote_files *files)
{
    files->options.quiet = true;
    pthread_mutex_lock(&files->lock);
    files->on_screen = true;
    pthread_mutex_unlock(&files->lock);
}

struct tt_status tt_remote_files_set_shell(struct tt_remote_files *files, const char *shell)
{
    if (strlen(shell) >= sizeof files->shell) {
        return tt_error(TT_ERR_USAGE, "the command is too long");
    }
    memcpy(files->shell, shell, strlen(shell) + 1);
    return tt_ok();
}

bool tt_remote_files_pop_note(struct tt_remote_files *files, char *note)
{
    pthread_mutex_lock(&files->lock);
    bool fresh = files->fresh;
    files->fresh = false;
    if (fresh) {
        memcpy(note, files->note, sizeof files->note);
    }
    pthread_mutex_unlock(&files->lock);
    return fresh;
}
