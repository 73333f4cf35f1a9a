/* SPDX-License-Identifier: Apache-2.0 */
#include "input/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/clock.h"
#include "input/remote_name.h"
#include "input/unpack.h"

#define PATH_MOST      4096u
#define COMMAND_BYTES  (5u * PATH_MOST + 4096u)
#define WORDS_MOST     32
#define LINE_BYTES     512u
#define HEADER_MOST    65536u /* bytes that the login shell may print before the first line */
#define LAST_WORDS_MS  300    /* time for messages after the end of the data */
#define GRACE_MS       2000u
#define AGAIN_MS       250 /* before the next connection of a whole file: the watch frees the terminal */
#define FIRST_PAUSE_MS 1000
#define PAUSE_MOST_MS  30000
#define EXIT_NO_SSH    255 /* ssh itself failed */

struct tt_remote {
    struct tt_remote_name name;
    struct tt_remote_options options;
    bool follow;
    char shell[TT_REMOTE_SHELL_BYTES];
    char command[COMMAND_BYTES];
    char *argv[WORDS_MOST + 8];
    /* the connection */
    struct tt_child child;
    struct tt_unpacker *unpacker; /* of the transfer; NULL: there is no connection */
    uint64_t brought;             /* bytes that it has brought */
    char line[LINE_BYTES];        /* of standard error, not complete */
    size_t line_length;
    char last[LINE_BYTES]; /* a complete line that was not passed on; "": none */
    _Atomic bool connected;
    _Atomic bool opened; /* the opener waits no longer */
    _Atomic uint64_t total;
    /* the file at the first connection */
    uint64_t received;
    bool known;
    uint64_t inode;
    _Atomic int change; /* enum tt_map_change */
};

static void remote_send(const struct tt_remote *remote, const char *line)
{
    if (remote->options.message && line[0]) {
        remote->options.message(remote->options.arg, remote->name.host, line);
    }
}

/* ---- standard error -------------------------------------------------------------------------- */

/* Keeps the last line until the connection exists: the error of a failed one contains it. */
static void remote_end_line(struct tt_remote *remote)
{
    while (remote->line_length > 0 && remote->line[remote->line_length - 1] == '\r') {
        remote->line_length--;
    }
    remote->line[remote->line_length] = '\0';
    if (remote->line_length > 0) {
        remote_send(remote, remote->last);
        memcpy(remote->last, remote->line, remote->line_length + 1);
    }
    remote->line_length = 0;
    if (atomic_load(&remote->connected)) {
        remote_send(remote, remote->last);
        remote->last[0] = '\0';
    }
}

/* Reads standard error; returns false at its end. */
static bool read_messages(struct tt_remote *remote)
{
    char bytes[256];
    ssize_t got = read(remote->child.err, bytes, sizeof bytes);
    if (got < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            remote_end_line(remote);
        } else if (remote->line_length + 1 < sizeof remote->line) {
            remote->line[remote->line_length++] = bytes[i] ? bytes[i] : ' ';
        }
    }
    return got > 0;
}

/* ---- a connection ---------------------------------------------------------------------------- */

/* Ends the connection and reaps the remote shell; returns its exit status. `grace_ms`: 0: it is ended. */
static int disconnect(struct tt_remote *remote, unsigned grace_ms)
{
    if (remote->child.pid != 0 && grace_ms == 0) {
        kill(remote->child.pid, SIGTERM);
    }
    struct pollfd rest = {.fd = remote->child.err, .events = POLLIN};
    while (remote->child.pid != 0 && remote->child.err >= 0 &&
           poll(&rest, 1, grace_ms > 0 ? LAST_WORDS_MS : 0) > 0 && read_messages(remote)) {
    }
    remote_end_line(remote);
    atomic_store(&remote->connected, false);
    tt_unpacker_free(remote->unpacker);
    remote->unpacker = NULL;
    return tt_child_end(&remote->child, grace_ms);
}

/* Reads what the connection transfers, as tt_intake_read does; passes on messages meanwhile. */
static struct tt_status read_connection(void *arg, int stop, uint8_t *buffer, size_t size,
                                        size_t *length)
{
    struct tt_remote *remote = arg;
    bool open = true;
    *length = 0;
    for (;;) {
        struct pollfd fds[3] = {{.fd = stop, .events = POLLIN},
                                {.fd = remote->child.out, .events = POLLIN},
                                {.fd = open ? remote->child.err : -1, .events = POLLIN}};
        if (poll(fds, 3, -1) < 0 && errno != EINTR) {
            return tt_error_errno(errno, "read");
        }
        if (fds[0].revents != 0) {
            return tt_error(TT_ERR_CANCELLED, "cancelled");
        }
        if (fds[2].revents != 0) {
            open = read_messages(remote);
        }
        if (fds[1].revents != 0) {
            ssize_t got = read(remote->child.out, buffer, size);
            if (got >= 0) {
                *length = (size_t)got;
                return tt_ok();
            }
            if (errno != EINTR) {
                return tt_error_errno(errno, "read");
            }
        }
    }
}

/*
 * Reads up to the script's first line, after any output of the login shell. TT_ERR_CANCELLED, or TT_ERR_IO at
 * the end.
 */
static struct tt_status remote_read_header(struct tt_remote *remote, int stop, char *line,
                                           size_t capacity)
{
    size_t used = 0, length;
    for (unsigned i = 0; i < HEADER_MOST; i++) {
        uint8_t byte;
        struct tt_status status = read_connection(remote, stop, &byte, 1, &length);
        if (tt_failed(&status)) {
            return status;
        }
        if (length == 0) {
            break;
        }
        if (byte != '\n') {
            line[used] = (char)byte;
            used += used + 1 < capacity;
            continue;
        }
        line[used] = '\0';
        char *mark = strstr(line, TT_REMOTE_MARK " ");
        if (mark) {
            memmove(line, mark + sizeof TT_REMOTE_MARK, strlen(mark + sizeof TT_REMOTE_MARK) + 1);
            return tt_ok();
        }
        used = 0;
    }
    return tt_error(TT_ERR_IO, "no answer");
}

static struct tt_status apply_header(struct tt_remote *remote, const char *line, uint64_t *inode,
                                     enum tt_compression *compression)
{
    static const struct {
        const char *kind;
        enum tt_compression compression;
        const char *error;
    } kinds[] = {
        {"plain ", TT_PLAIN, NULL},
        {"gzip ", TT_GZIP, NULL},
        {"zstd ", TT_ZSTD, NULL},
        {"tail ", TT_PLAIN, NULL},
        {"folder ", TT_PLAIN, "is a directory"},
        {"missing ", TT_PLAIN, "open: No such file or directory"},
        {"special ", TT_PLAIN, "is not a regular file"},
        {"unreadable ", TT_PLAIN, "open: Permission denied"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].kind);
        if (strncmp(line, kinds[i].kind, length) != 0) {
            continue;
        }
        char *end;
        *inode = strtoull(line + length, &end, 10);
        atomic_store(&remote->total, strtoull(end, NULL, 10));
        *compression = kinds[i].compression;
        return kinds[i].error ? tt_error(TT_ERR_IO, "%s", kinds[i].error) : tt_ok();
    }
    return tt_error(TT_ERR_FORMAT, "the answer of the host is not understood");
}

/* Returns the error of a connection that ended before the first line, with exit status `code`. */
static struct tt_status no_answer(struct tt_remote *remote, int code)
{
    struct tt_status status =
        code == EXIT_NO_SSH || remote->last[0]
            ? tt_error(TT_ERR_IO, "no connection to %.60s%s%.110s", remote->name.host,
                       remote->last[0] ? ": " : "", remote->last)
            : tt_error(TT_ERR_IO, "no connection to %.60s: %.40s ended with status %d",
                       remote->name.host, remote->argv[0], code);
    remote->last[0] = '\0';
    return status;
}

static struct tt_status start_shell(struct tt_remote *remote, bool detached)
{
    char *words[WORDS_MOST];
    const char *shell =
        remote->options.shell && remote->options.shell[0] ? remote->options.shell : "ssh";
    if (strlen(shell) >= sizeof remote->shell) {
        return tt_error(TT_ERR_USAGE, "the remote shell's command is too long");
    }
    memcpy(remote->shell, shell, strlen(shell) + 1);
    int count = tt_remote_words(remote->shell, words, WORDS_MOST);
    if (count == 0) {
        return tt_error(TT_ERR_USAGE, "not a command for the remote shell: '%.80s'", shell);
    }

    /* Builds the arguments of the remote shell. `detached`: it may not ask anything. */
    int used = 0;
    bool ssh = tt_remote_is_ssh(words[0]);
    for (int i = 0; i < count; i++) {
        remote->argv[used++] = words[i];
    }
    if (ssh) {
        remote->argv[used++] = (char *)"-T"; /* no terminal on the host: it would change bytes */
    }
    if (ssh && remote->follow) {
        remote->argv[used++] = (char *)"-C";
    }
    if (ssh && detached) {
        remote->argv[used++] = (char *)"-oBatchMode=yes";
    }
    struct tt_text command = tt_text_of(remote->command, sizeof remote->command);
    tt_remote_command(&command, remote->name.path, remote->received, remote->follow);
    tt_text_cstr(&command);
    remote->argv[used++] = (char *)"--";
    remote->argv[used++] = remote->name.host;
    remote->argv[used++] = remote->command;
    remote->argv[used] = NULL;

    remote->line_length = 0;
    remote->last[0] = '\0';
    struct tt_status status = tt_child_start(&remote->child, remote->argv, detached);
    if (!tt_failed(&status)) {
        fcntl(remote->child.err, F_SETFL, O_NONBLOCK);
    }
    return status;
}

/* Connects and reads up to the next byte of the file. `detached`: the remote shell may not ask anything. */
static struct tt_status connect_to(struct tt_remote *remote, int stop, bool detached)
{
    char line[LINE_BYTES];
    uint64_t inode = 0;
    enum tt_compression compression = TT_PLAIN;
    struct tt_status status = start_shell(remote, detached);
    if (tt_failed(&status)) {
        return status;
    }
    status = remote_read_header(remote, stop, line, sizeof line);
    if (tt_failed(&status)) {
        /* The last line of standard error is the reason, unless the program was stopped. */
        bool stopped = status.code == TT_ERR_CANCELLED;
        int code = disconnect(remote, stopped ? 0 : GRACE_MS);
        return stopped ? status : no_answer(remote, code);
    }
    status = apply_header(remote, line, &inode, &compression);
    if (!tt_failed(&status)) {
        const struct tt_intake from = {remote, read_connection};
        status = tt_unpacker_new(compression, &from, &remote->unpacker);
    }
    if (tt_failed(&status)) {
        disconnect(remote, GRACE_MS);
        return status;
    }

    /* Compares the file with that of the first connection. */
    uint64_t size = atomic_load(&remote->total);
    if (remote->known && inode != remote->inode) {
        atomic_store(&remote->change, TT_MAP_REPLACED);
    } else if (remote->known && size < remote->received) {
        atomic_store(&remote->change, TT_MAP_TRUNCATED);
    }
    remote->inode = remote->known ? remote->inode : inode;
    remote->known = true;

    remote->brought = 0;
    atomic_store(&remote->connected, true);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Waits; returns false if the reading is to end. */
static bool pause_for(int stop, int ms)
{
    struct pollfd fd = {.fd = stop, .events = POLLIN};
    return poll(&fd, 1, ms) <= 0;
}

static void report_loss(const struct tt_remote *remote)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "connection lost after %llu bytes: connecting again",
             (unsigned long long)remote->received);
    remote_send(remote, text);
}

/* Handles the end of the connection of a whole file; *over when it is complete. `sound`: there was no error. */
static struct tt_status end_whole(struct tt_remote *remote, int stop, bool sound, bool *over)
{
    int code = disconnect(remote, sound ? GRACE_MS : 0);
    *over = code == 0 && sound;
    if (*over) {
        return tt_ok();
    }
    if (remote->brought == 0) {
        return tt_error(TT_ERR_IO, "connection to %.60s lost after %llu bytes", remote->name.host,
                        (unsigned long long)remote->received);
    }
    report_loss(remote);
    bool opened = atomic_load(&remote->opened);
    if (!opened && !pause_for(stop, AGAIN_MS)) {
        return tt_error(TT_ERR_CANCELLED, "cancelled");
    }
    struct tt_status status = connect_to(remote, stop, remote->options.quiet || opened);
    if (!tt_failed(&status) && atomic_load(&remote->change) != TT_MAP_SAME) {
        return tt_error(TT_ERR_IO, "the file changed while it was read");
    }
    return status;
}

/* Handles the end of the connection of a followed file: connects again, unless the file has changed. */
static struct tt_status end_followed(struct tt_remote *remote, int stop, bool *over)
{
    int code = disconnect(remote, GRACE_MS);
    if (code == TT_REMOTE_REPLACED || code == TT_REMOTE_TRUNCATED) {
        atomic_store(&remote->change,
                     code == TT_REMOTE_REPLACED ? TT_MAP_REPLACED : TT_MAP_TRUNCATED);
        *over = true;
        return tt_ok();
    }
    report_loss(remote);
    for (int pause = FIRST_PAUSE_MS; pause_for(stop, pause);) {
        struct tt_status status = connect_to(remote, stop, true);
        if (!tt_failed(&status)) {
            remote_send(remote, "connected again");
            *over = atomic_load(&remote->change) != TT_MAP_SAME;
            return status;
        }
        pause = pause * 2 < PAUSE_MOST_MS ? pause * 2 : PAUSE_MOST_MS;
        remote_send(remote, status.text);
    }
    return tt_error(TT_ERR_CANCELLED, "cancelled");
}

static struct tt_status remote_read(void *arg, int stop, uint8_t *buffer, size_t size,
                                    size_t *length)
{
    struct tt_remote *remote = arg;
    struct tt_status status = tt_ok();
    *length = 0;
    if (!remote->known) {
        status = connect_to(remote, stop, remote->options.quiet);
    }
    for (bool over = false; !tt_failed(&status) && !over;) {
        status = tt_unpacker_read(remote->unpacker, stop, buffer, size, length);
        if (*length > 0 || status.code == TT_ERR_CANCELLED) {
            remote->received += *length;
            remote->brought += *length;
            return status;
        }
        bool sound = !tt_failed(&status) && !tt_unpacker_damage(remote->unpacker).detail;
        status = remote->follow ? end_followed(remote, stop, &over)
                                : end_whole(remote, stop, sound, &over);
    }
    return status;
}

/* ---- the source ------------------------------------------------------------------------------ */

static void remote_describe(void *arg, struct tt_arrival *arrival)
{
    const struct tt_remote *remote = arg;
    arrival->host = remote->name.host;
    arrival->connected = atomic_load(&remote->connected);
    arrival->total = atomic_load(&remote->total);
    arrival->change = (enum tt_map_change)atomic_load(&remote->change);
}

static void remote_opened(void *arg)
{
    struct tt_remote *remote = arg;
    atomic_store(&remote->opened, true);
}

static void remote_end(void *arg)
{
    disconnect(arg, 0);
}

static void remote_close(void *arg)
{
    struct tt_remote *remote = arg;
    disconnect(remote, 0);
    free((char *)remote->options.shell);
    free((char *)remote->name.path);
    free(remote);
}

struct tt_status tt_remote_source(const char *path, const struct tt_remote_options *options,
                                  bool follow, struct tt_source *source)
{
    if (strlen(path) >= PATH_MOST) {
        return tt_error_errno(ENAMETOOLONG, "open");
    }
    struct tt_remote *remote = calloc(1, sizeof *remote);
    if (!remote) {
        return tt_error_memory();
    }
    remote->child = (struct tt_child){0, -1, -1, -1};
    remote->options = *options;
    remote->follow = follow;
    remote->options.shell = options->shell ? strdup(options->shell) : NULL;
    struct tt_status status = tt_remote_split(path, &remote->name);
    remote->name.path = tt_failed(&status) ? NULL : strdup(remote->name.path);
    if (!tt_failed(&status) && (!remote->name.path || (options->shell && !remote->options.shell))) {
        status = tt_error_memory();
    }
    if (tt_failed(&status)) {
        remote_close(remote);
        return status;
    }
    *source = (struct tt_source){.intake = {remote, remote_read},
                                 .endless = follow,
                                 .describe = remote_describe,
                                 .opened = remote_opened,
                                 .end = remote_end,
                                 .close = remote_close};
    return status;
}
