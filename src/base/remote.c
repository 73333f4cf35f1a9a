/* SPDX-License-Identifier: Apache-2.0 */
#include "base/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/clock.h"
#include "base/remote_name.h"
#include "base/spool.h"
#include "base/worker_thread.h"

#define PATH_MOST      4096u
#define COMMAND_BYTES  (5u * PATH_MOST + 4096u)
#define WORDS_MOST     32
#define LINE_BYTES     512u
#define HEADER_MOST    65536u /* bytes that the login shell may print before the first line */
#define PROGRESS_MS    100
#define LAST_WORDS_MS  300 /* time for messages after the end of the data */
#define GRACE_MS       2000u
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
    enum tt_compression compression;
    pthread_t attendant;
    int stop[2]; /* ends the attendant */
    bool attended;
    char line[LINE_BYTES]; /* of standard error, not complete */
    size_t line_length;
    char last[LINE_BYTES]; /* a complete line that was not passed on; "": none */
    _Atomic bool connected;
    _Atomic bool cancelled;
    pthread_mutex_t report_lock; /* of the two fields below */
    bool opening;                /* the caller waits: progress is reported */
    bool reported;               /* it was, and its end was not */
    _Atomic(const _Atomic uint64_t *) bytes;
    _Atomic uint64_t total;
    uint64_t started_ms;
    /* the file at the first connection */
    bool known;
    uint64_t inode;
    _Atomic int change; /* enum tt_remote_change */
};

static const _Atomic uint64_t no_bytes;

static void send(const struct tt_remote *r, const char *line)
{
    if (r->options.message && line[0]) {
        r->options.message(r->options.arg, r->name.host, line);
    }
}

/* ---- the attendant: standard error, progress ------------------------------------------------- */

/* Keeps the last line until the connection exists: the error of a failed one contains it. */
static void end_line(struct tt_remote *r)
{
    while (r->line_length > 0 && r->line[r->line_length - 1] == '\r') {
        r->line_length--;
    }
    r->line[r->line_length] = '\0';
    if (r->line_length > 0) {
        send(r, r->last);
        memcpy(r->last, r->line, r->line_length + 1);
    }
    r->line_length = 0;
    if (atomic_load(&r->connected)) {
        send(r, r->last);
        r->last[0] = '\0';
    }
}

/* Reads standard error; returns false at its end. */
static bool read_messages(struct tt_remote *r)
{
    char bytes[256];
    ssize_t n = read(r->child.err, bytes, sizeof bytes);
    if (n < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            end_line(r);
        } else if (r->line_length + 1 < sizeof r->line) {
            r->line[r->line_length++] = bytes[i] ? bytes[i] : ' ';
        }
    }
    return n > 0;
}

static struct tt_remote_progress progress_of(const struct tt_remote *r)
{
    return (struct tt_remote_progress){.host = r->name.host,
                                       .connected = atomic_load(&r->connected),
                                       .bytes = atomic_load(atomic_load(&r->bytes)),
                                       .total = atomic_load(&r->total),
                                       .elapsed_ms = tt_now_ms() - r->started_ms};
}

static void report_progress(struct tt_remote *r)
{
    const struct tt_remote_progress progress = progress_of(r);
    bool go_on = true;
    pthread_mutex_lock(&r->report_lock);
    if (r->options.progress && r->opening && !atomic_load(&r->cancelled)) {
        r->reported = true;
        go_on = r->options.progress(r->options.arg, &progress);
    }
    pthread_mutex_unlock(&r->report_lock);
    if (!go_on) {
        atomic_store(&r->cancelled, true);
    }
}

/* Returns whether the caller waits. */
static bool is_opening(struct tt_remote *r)
{
    pthread_mutex_lock(&r->report_lock);
    bool opening = r->opening;
    pthread_mutex_unlock(&r->report_lock);
    return opening;
}

/* Reports the end of a connection's progress, if it was reported. `opening`: whether more may follow. */
static void end_progress(struct tt_remote *r, bool opening)
{
    struct tt_remote_progress progress = progress_of(r);
    progress.ended = true;
    pthread_mutex_lock(&r->report_lock);
    if (r->reported) {
        r->options.progress(r->options.arg, &progress);
    }
    r->reported = false;
    r->opening = r->opening && opening;
    pthread_mutex_unlock(&r->report_lock);
}

static void *attend(void *arg)
{
    struct tt_remote *r = arg;
    bool open = true, stopped = false;
    uint64_t reported = tt_now_ms();
    while (!stopped) {
        struct pollfd fds[2] = {{.fd = r->stop[0], .events = POLLIN},
                                {.fd = open ? r->child.err : -1, .events = POLLIN}};
        poll(fds, 2, PROGRESS_MS);
        stopped = fds[0].revents != 0;
        open = open && (fds[1].revents == 0 || read_messages(r));
        if (tt_now_ms() - reported >= PROGRESS_MS) {
            reported = tt_now_ms();
            report_progress(r);
        }
        if (atomic_load(&r->cancelled)) {
            kill(r->child.pid, SIGTERM);
        }
    }
    struct pollfd rest = {.fd = r->child.err, .events = POLLIN};
    while (open && poll(&rest, 1, LAST_WORDS_MS) > 0) {
        open = read_messages(r);
    }
    end_line(r);
    return NULL;
}

/* ---- a connection ---------------------------------------------------------------------------- */

/* Ends the connection and reaps the remote shell; returns its exit status. */
static int disconnect(struct tt_remote *r, unsigned grace_ms)
{
    if (r->attended) {
        if (grace_ms == 0) {
            kill(r->child.pid, SIGTERM);
        }
        tt_wake(r->stop[1]);
        pthread_join(r->attendant, NULL);
        tt_wake_drain(r->stop[0]);
        r->attended = false;
        end_progress(r, true);
    }
    return tt_child_end(&r->child, grace_ms);
}

/* Waits for the next byte; returns 0 at the end, or if `stop` is readable. */
static ssize_t read_byte(const struct tt_remote *r, int stop, char *byte)
{
    for (;;) {
        struct pollfd fds[2] = {{.fd = r->child.out, .events = POLLIN},
                                {.fd = stop, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR) {
            return -1;
        }
        if (fds[1].revents != 0) {
            return 0;
        }
        if (fds[0].revents != 0) {
            ssize_t n = read(r->child.out, byte, 1);
            if (n >= 0 || errno != EINTR) {
                return n;
            }
        }
    }
}

/* Reads up to the script's first line, after any output of the login shell. False at the end. */
static bool read_header(struct tt_remote *r, int stop, char *line, size_t capacity)
{
    size_t used = 0;
    for (unsigned i = 0; i < HEADER_MOST; i++) {
        char byte;
        if (read_byte(r, stop, &byte) <= 0) {
            return false;
        }
        if (byte != '\n') {
            line[used] = byte;
            used += used + 1 < capacity;
            continue;
        }
        line[used] = '\0';
        char *mark = strstr(line, TT_REMOTE_MARK " ");
        if (mark) {
            memmove(line, mark + sizeof TT_REMOTE_MARK, strlen(mark + sizeof TT_REMOTE_MARK) + 1);
            return true;
        }
        used = 0;
    }
    return false;
}

static struct tt_status apply_header(struct tt_remote *r, const char *line, uint64_t *inode)
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
        atomic_store(&r->total, strtoull(end, NULL, 10));
        r->compression = kinds[i].compression;
        return kinds[i].error ? tt_error(TT_ERR_IO, "%s", kinds[i].error) : tt_ok();
    }
    return tt_error(TT_ERR_FORMAT, "the answer of the host is not understood");
}

/* Returns the error of a connection that ended before the first line. */
static struct tt_status no_answer(struct tt_remote *r, int code)
{
    if (atomic_load(&r->cancelled)) {
        return tt_error(TT_ERR_CANCELLED, "cancelled");
    }
    struct tt_status status =
        code == EXIT_NO_SSH || r->last[0]
            ? tt_error(TT_ERR_IO, "no connection to %.60s%s%.110s", r->name.host,
                       r->last[0] ? ": " : "", r->last)
            : tt_error(TT_ERR_IO, "no connection to %.60s: %.40s ended with status %d",
                       r->name.host, r->argv[0], code);
    r->last[0] = '\0';
    return status;
}

/* Compares the file with that of the first connection. */
static void check_file(struct tt_remote *r, uint64_t inode, uint64_t from)
{
    uint64_t size = atomic_load(&r->total);
    if (r->known && inode != r->inode) {
        atomic_store(&r->change, TT_REMOTE_WAS_REPLACED);
    } else if (r->known && size < from) {
        atomic_store(&r->change, TT_REMOTE_WAS_TRUNCATED);
    }
    r->inode = r->known ? r->inode : inode;
    r->known = true;
}

/* Builds the arguments of the remote shell. `detached`: it may not ask anything. */
static void build_arguments(struct tt_remote *r, char *const *words, int count, uint64_t from,
                            bool detached)
{
    int n = 0;
    bool ssh = tt_remote_is_ssh(words[0]);
    for (int i = 0; i < count; i++) {
        r->argv[n++] = words[i];
    }
    if (ssh) {
        r->argv[n++] = (char *)"-T"; /* no terminal on the host: it would change bytes */
    }
    if (ssh && r->follow) {
        r->argv[n++] = (char *)"-C";
    }
    if (ssh && detached) {
        r->argv[n++] = (char *)"-oBatchMode=yes";
    }
    struct tt_text command = tt_text_of(r->command, sizeof r->command);
    tt_remote_command(&command, r->name.path, from, r->follow);
    tt_text_cstr(&command);
    r->argv[n++] = (char *)"--";
    r->argv[n++] = r->name.host;
    r->argv[n++] = r->command;
    r->argv[n] = NULL;
}

static struct tt_status start(struct tt_remote *r, uint64_t from, bool detached)
{
    char *words[WORDS_MOST];
    const char *shell = r->options.shell && r->options.shell[0] ? r->options.shell : "ssh";
    if (strlen(shell) >= sizeof r->shell) {
        return tt_error(TT_ERR_USAGE, "the remote shell's command is too long");
    }
    memcpy(r->shell, shell, strlen(shell) + 1);
    int count = tt_remote_words(r->shell, words, WORDS_MOST);
    if (count == 0) {
        return tt_error(TT_ERR_USAGE, "not a command for the remote shell: '%.80s'", shell);
    }
    build_arguments(r, words, count, from, detached);
    atomic_store(&r->connected, false);
    r->line_length = 0;
    r->last[0] = '\0';
    struct tt_status status = tt_child_start(&r->child, r->argv, detached);
    if (tt_failed(&status)) {
        return status;
    }
    fcntl(r->child.err, F_SETFL, O_NONBLOCK);
    int error = tt_worker_start(&r->attendant, attend, r);
    if (error != 0) {
        tt_child_end(&r->child, 0);
        return tt_error_errno(error, "thread");
    }
    r->attended = true;
    return tt_ok();
}

/* Connects and reads up to the first byte of the file at `from`. */
static struct tt_status connect_from(struct tt_remote *r, uint64_t from, int stop, bool detached)
{
    char line[LINE_BYTES];
    uint64_t inode = 0;
    struct tt_status status = start(r, from, detached);
    if (tt_failed(&status)) {
        return status;
    }
    if (!read_header(r, stop, line, sizeof line)) {
        /* The last line of standard error is the reason, unless the program was stopped. */
        bool stopped = atomic_load(&r->cancelled) || stop >= 0;
        return no_answer(r, disconnect(r, stopped ? 0 : GRACE_MS));
    }
    status = apply_header(r, line, &inode);
    if (tt_failed(&status)) {
        disconnect(r, GRACE_MS);
        return status;
    }
    check_file(r, inode, from);
    atomic_store(&r->connected, true);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_remote(struct tt_remote *r)
{
    disconnect(r, 0);
    for (int i = 0; i < 2; i++) {
        if (r->stop[i] >= 0) {
            close(r->stop[i]);
        }
    }
    pthread_mutex_destroy(&r->report_lock);
    free((char *)r->options.shell);
    free((char *)r->name.path);
    free(r);
}

static struct tt_status new_remote(const char *path, const struct tt_remote_options *options,
                                   bool follow, struct tt_remote **result)
{
    if (strlen(path) >= PATH_MOST) {
        return tt_error_errno(ENAMETOOLONG, "open");
    }
    struct tt_remote *r = calloc(1, sizeof *r);
    if (!r || pthread_mutex_init(&r->report_lock, NULL) != 0) {
        free(r);
        return tt_error_memory();
    }
    r->stop[0] = r->stop[1] = -1;
    r->child = (struct tt_child){0, -1, -1, -1};
    r->options = *options;
    r->follow = follow;
    atomic_init(&r->bytes, &no_bytes);
    r->started_ms = tt_now_ms();
    r->opening = true;
    r->options.shell = options->shell ? strdup(options->shell) : NULL;
    struct tt_status status = tt_remote_split(path, &r->name);
    r->name.path = tt_failed(&status) ? NULL : strdup(r->name.path);
    if (!tt_failed(&status) && (!r->name.path || (options->shell && !r->options.shell))) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status) && !tt_wake_pipe(r->stop)) {
        status = tt_error_errno(errno, "pipe");
    }
    if (tt_failed(&status)) {
        free_remote(r);
    } else {
        *result = r;
    }
    return status;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static void say_lost(const struct tt_remote *r, uint64_t bytes)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "connection lost after %llu bytes: connecting again",
             (unsigned long long)bytes);
    send(r, text);
}

/* Reads bytes of the file; fails soon after a cancel, though children of the remote shell may still write. */
static struct tt_status get_received(void *arg, uint8_t *buffer, size_t size, size_t *length)
{
    const struct tt_remote *r = arg;
    struct pollfd out = {.fd = r->child.out, .events = POLLIN};
    *length = 0;
    for (;;) {
        bool ready = poll(&out, 1, PROGRESS_MS) > 0;
        if (atomic_load(&r->cancelled)) {
            return tt_error(TT_ERR_CANCELLED, "cancelled");
        }
        ssize_t n = ready ? read(r->child.out, buffer, size) : -1;
        if (n >= 0) {
            *length = (size_t)n;
            return tt_ok();
        }
        if (ready && errno != EINTR) {
            return tt_error_errno(errno, "read");
        }
    }
}

/* Receives once, from the end of the sink; *over when the file is complete. */
static struct tt_status receive(struct tt_remote *r, struct tt_spool_sink *sink, bool *over)
{
    struct tt_damage damage = {0};
    uint64_t had = atomic_load(&sink->written);
    struct tt_status status = connect_from(r, had, -1, r->options.quiet || !is_opening(r));
    if (tt_failed(&status)) {
        return status;
    }
    if (atomic_load(&r->change) != TT_REMOTE_UNCHANGED) {
        disconnect(r, 0);
        return tt_error(TT_ERR_IO, "the file changed while it was read");
    }
    const struct tt_unpack_ends ends = {get_received, r, tt_spool_put, sink};
    status = tt_spool_copy(&ends, r->compression, &damage);
    int code = disconnect(r, tt_failed(&status) || damage.detail ? 0 : GRACE_MS);
    if (atomic_load(&r->cancelled)) {
        return tt_error(TT_ERR_CANCELLED, "cancelled");
    }
    *over = code == 0 && !damage.detail;
    if (tt_failed(&status) || *over) {
        return status;
    }
    uint64_t written = atomic_load(&sink->written);
    if (written == had) {
        return tt_error(TT_ERR_IO, "connection to %.60s lost after %llu bytes", r->name.host,
                        (unsigned long long)written);
    }
    say_lost(r, written);
    return status;
}

/* Receives the file, with further connections. */
static struct tt_status receive_all(void *arg, struct tt_spool_sink *sink)
{
    struct tt_remote *r = arg;
    struct tt_status status = tt_ok();
    atomic_store(&r->bytes, &sink->written);
    for (bool over = false; !over && !tt_failed(&status);) {
        status = atomic_load(&r->cancelled) ? tt_error(TT_ERR_CANCELLED, "cancelled")
                                            : receive(r, sink, &over);
    }
    return status;
}

struct tt_status tt_remote_fetch(const char *path, const struct tt_remote_options *options,
                                 uint64_t limit, int *spooled)
{
    struct tt_remote *r;
    struct tt_status status = new_remote(path, options, false, &r);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_spool_sink sink;
    status = tt_spool_open(limit, &sink);
    if (!tt_failed(&status)) {
        status = receive_all(r, &sink);
        if (tt_failed(&status)) {
            close(sink.fd);
        } else {
            *spooled = sink.fd;
        }
    }
    free_remote(r);
    return status;
}

/* ---- a file while it arrives ----------------------------------------------------------------- */

static uint64_t total_of(void *arg)
{
    const struct tt_remote *r = arg;
    return atomic_load(&r->total);
}

/* The attendant of the connection ends it. */
static void cancel(void *arg)
{
    struct tt_remote *r = arg;
    atomic_store(&r->cancelled, true);
}

static void close_source(void *arg)
{
    free_remote(arg);
}

struct tt_status tt_remote_arrive(const char *path, const struct tt_remote_options *options,
                                  uint64_t limit, struct tt_growing_spool **spool,
                                  struct tt_remote **remote)
{
    struct tt_remote *r;
    struct tt_status status = new_remote(path, options, false, &r);
    if (tt_failed(&status)) {
        return status;
    }
    *remote = r;
    const struct tt_growing_source source = {r, receive_all, total_of, cancel, close_source};
    return tt_growing_spool_start_source(&source, limit, spool);
}

void tt_remote_opened(struct tt_remote *r)
{
    end_progress(r, false);
}

/* ---- a file that grows ----------------------------------------------------------------------- */

/* Waits; returns false if the spool is being stopped. */
static bool pause_for(int stop, int ms)
{
    struct pollfd fd = {.fd = stop, .events = POLLIN};
    return poll(&fd, 1, ms) <= 0;
}

/* Returns the descriptor to read after the end of the last one, or -1. */
static int follow_on(void *arg, uint64_t bytes, int stop, struct tt_status *status)
{
    struct tt_remote *r = arg;
    int code = disconnect(r, GRACE_MS);
    if (code == TT_REMOTE_REPLACED || code == TT_REMOTE_TRUNCATED) {
        atomic_store(&r->change,
                     code == TT_REMOTE_REPLACED ? TT_REMOTE_WAS_REPLACED : TT_REMOTE_WAS_TRUNCATED);
        return -1;
    }
    say_lost(r, bytes);
    for (int pause = FIRST_PAUSE_MS; pause_for(stop, pause);) {
        *status = connect_from(r, bytes, stop, true);
        if (!tt_failed(status)) {
            send(r, "connected again");
            break;
        }
        pause = pause * 2 < PAUSE_MOST_MS ? pause * 2 : PAUSE_MOST_MS;
        send(r, status->text);
    }
    *status = tt_ok();
    return atomic_load(&r->change) == TT_REMOTE_UNCHANGED ? r->child.out : -1;
}

struct tt_status tt_remote_follow(const char *path, const struct tt_remote_options *options,
                                  uint64_t limit, struct tt_pipe_spool **pump,
                                  struct tt_remote **remote)
{
    struct tt_remote *r;
    struct tt_status status = new_remote(path, options, true, &r);
    if (tt_failed(&status)) {
        return status;
    }
    status = connect_from(r, 0, -1, options->quiet);
    if (tt_failed(&status)) {
        free_remote(r);
        return status;
    }
    end_progress(r, false);
    *remote = r;
    const struct tt_pipe_source source = {r, follow_on, close_source};
    return tt_pipe_spool_start_source(r->child.out, limit, &source, pump);
}

enum tt_remote_change tt_remote_changed(const struct tt_remote *remote)
{
    return (enum tt_remote_change)atomic_load(&remote->change);
}
