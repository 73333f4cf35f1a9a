/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command of the program repeatedly; in each run another call fails:
 *
 *      walk NAME [--stdin FILE] [--output FILE] [--gone FILE] -- ARGUMENTS...
 *
 * The first run has no fault; its output is the reference. After each run, either output and exit
 * status are unchanged, or the status is 2 and a line has the cause (not for a closed pipe; a frame
 * may have it); no memory is leaked, no file is left open, and with --output the file is complete or
 * absent. With --gone the file is removed before each run. Prints a case for each kind of fault.
 *
 * WALK_MOST (150): calls tried of each kind of fault, spread evenly over all; 0: every one. To
 * debug: WALK_ONLY (kind of fault) and WALK_AT (number of the call) select one, FAULT_TRACE prints
 * its stack.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

int tt_main(int argc, char **argv);
int __llvm_profile_write_file(void) __attribute__((weak)); /* NULL: lines are not counted */

#define TEXT_MOST    (16u << 20)
#define MESSAGE_MOST 4096u
#define RUN_SECONDS  300u

struct sort {
    const char *name;
    struct fault fault;
    bool quiet; /* the failure is not reported: exit 0 and part of the output */
};

static const struct sort sorts[] = {
    {"one allocation", {.call = FAULT_MEMORY, .error = ENOMEM}, false},
    {"all allocations from one on",
     {.call = FAULT_MEMORY, .error = ENOMEM, .from_then_on = true},
     false},
    {"open: too many files", {.call = FAULT_OPEN, .error = EMFILE}, false},
    {"read: I/O error", {.call = FAULT_READ, .error = EIO}, false},
    {"read: I/O errors from one on",
     {.call = FAULT_READ, .error = EIO, .from_then_on = true},
     false},
    {"write: I/O error", {.call = FAULT_WRITE, .error = EIO}, false},
    {"write: no space from one on",
     {.call = FAULT_WRITE, .error = ENOSPC, .from_then_on = true},
     false},
    {"write: closed pipe from one on",
     {.call = FAULT_WRITE, .error = EPIPE, .from_then_on = true},
     true},
    {"mmap: no memory", {.call = FAULT_MAP, .error = ENOMEM}, false},
    {"mmap: no memory from one on",
     {.call = FAULT_MAP, .error = ENOMEM, .from_then_on = true},
     false},
    {"fstat: I/O error", {.call = FAULT_STAT, .error = EIO}, false},
    {"lseek: I/O error", {.call = FAULT_SEEK, .error = EIO}, false},
    {"dup: too many files", {.call = FAULT_DUP, .error = EMFILE}, false},
    {"mkstemp: read-only", {.call = FAULT_TEMPORARY, .error = EROFS}, false},
    {"link: no links on this system", {.call = FAULT_LINK, .error = EPERM}, false},
    {"readlink: I/O error", {.call = FAULT_READLINK, .error = EIO}, false},
    {"fsync: I/O error", {.call = FAULT_SYNC, .error = EIO}, false},
    {"stat: I/O error", {.call = FAULT_PATH, .error = EIO}, false},
    {"rename: I/O error", {.call = FAULT_RENAME, .error = EIO}, false},
    {"pthread_create: no more", {.call = FAULT_THREAD, .error = EAGAIN}, false},
    {"pthread_create: none from one on",
     {.call = FAULT_THREAD, .error = EAGAIN, .from_then_on = true},
     false},
    {"reads and writes of a few bytes", {.trickle = true}, false},
    {"reads and writes interrupted", {.restless = true}, false},
};

/* Results of the child, in memory shared with the parent. */
struct told {
    uint64_t at;    /* number of the call that fails in the current run */
    uint64_t tried; /* runs */
    uint64_t struck;
    char wrong[4096]; /* "": nothing */
};

struct outcome {
    int code;
    char *text;
    size_t size;
    size_t file; /* where the bytes of the output file begin in the text */
    char message[MESSAGE_MOST];
    size_t message_size;
    int64_t left;
    int files;
};

struct job {
    const char *name;
    const char *input;
    const char *output;
    const char *gone;
    int argc;
    char **argv;
    int out; /* where its output and its messages go */
    int err;
};

static void __attribute__((noreturn, format(printf, 1, 2))) give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static int open_files(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        count += fcntl(fd, F_GETFD) != -1;
    }
    return count;
}

/* Empties the file in memory and duplicates it as standard output or error. */
static void stand_in(int memory, int fd)
{
    if (ftruncate(memory, 0) != 0 || lseek(memory, 0, SEEK_SET) != 0 || dup2(memory, fd) < 0) {
        give_up("no room for the output");
    }
}

static size_t read_whole(int fd, char *text, size_t room)
{
    ssize_t n = pread(fd, text, room, 0);
    return n > 0 ? (size_t)n : 0;
}

static size_t read_path(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t size = fd >= 0 ? read_whole(fd, text, room) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return size;
}

/* Makes a pipe with the contents of the file standard input: a pipe cannot be mapped. */
static void feed_input(const struct job *job)
{
    static char bytes[60000];
    int ends[2];
    if (!job->input) {
        return;
    }
    size_t size = read_path(job->input, bytes, sizeof bytes);
    if (pipe(ends) != 0 || size == 0 || write(ends[1], bytes, size) != (ssize_t)size) {
        give_up("%s: cannot be fed", job->input);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
}

/* Runs the command with the fault; its arguments are copied, as they may be reordered. */
static void run_once(const struct job *job, const struct fault *fault, struct outcome *outcome)
{
    char *argv[64];
    for (int i = 0; i < job->argc && i < 63; i++) {
        argv[i] = job->argv[i];
    }
    argv[job->argc] = NULL;
    stand_in(job->out, STDOUT_FILENO);
    stand_in(job->err, STDERR_FILENO);
    feed_input(job);
    if (job->output) {
        unlink(job->output);
    }
    if (job->gone) {
        unlink(job->gone);
    }
    int files = open_files();
    int64_t blocks = faults_live_blocks();
    alarm(RUN_SECONDS);
    faults_arm(fault);
    outcome->code = tt_main(job->argc, argv);
    fflush(stdout);
    alarm(0);
    faults_disarm();
    outcome->left = faults_live_blocks() - blocks;
    outcome->files = open_files() - files;
    outcome->size = read_whole(STDOUT_FILENO, outcome->text, TEXT_MOST);
    outcome->file = outcome->size;
    if (job->output) {
        outcome->size +=
            read_path(job->output, outcome->text + outcome->size, TEXT_MOST - outcome->size);
    }
    outcome->message_size = read_whole(STDERR_FILENO, outcome->message, MESSAGE_MOST - 1);
    outcome->message[outcome->message_size] = '\0';
}

/* ---- judging ------------------------------------------------------------------------------ */

static bool same(const struct outcome *a, const struct outcome *b)
{
    return a->code == b->code && a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static bool has_text(const struct outcome *got, const char *text)
{
    return memmem(got->text, got->size, text, strlen(text)) != NULL;
}

/* Returns whether the output file is absent or complete. */
static bool is_file_good(const struct job *job, const struct outcome *whole,
                         const struct outcome *got)
{
    size_t size = got->size - got->file;
    return !job->output || access(job->output, F_OK) != 0 ||
           (size == whole->size - whole->file &&
            memcmp(got->text + got->file, whole->text + whole->file, size) == 0);
}

/* Returns whether the output is a frame with the cause. */
static bool is_in_frame(const struct sort *sort, const struct outcome *got)
{
    return has_text(got, "out of memory") ||
           (sort->fault.error && has_text(got, strerror(sort->fault.error)));
}

/* Returns why a run is wrong, or NULL. */
static const char *fault_of(const struct job *job, const struct sort *sort, bool struck,
                            const struct outcome *whole, const struct outcome *got)
{
    if (got->left != 0) {
        return "memory is left";
    }
    if (got->files != 0) {
        return "files are left open";
    }
    if (same(whole, got)) {
        return NULL;
    }
    if (!struck) {
        return "another output, though nothing failed";
    }
    if (!is_file_good(job, whole, got)) {
        return "a file is left that is not whole";
    }
    if (is_in_frame(sort, got) ||
        (sort->quiet && got->code == whole->code && got->size <= whole->size)) {
        return NULL;
    }
    if (got->code != 2) {
        return "neither the whole output nor exit status 2";
    }
    if (strncmp(got->message, "tracetui: ", 10) != 0 ||
        got->message[got->message_size - 1] != '\n') {
        return "no message";
    }
    return NULL;
}

static void walk(const struct job *job, const struct sort *sort, struct told *told)
{
    struct outcome whole = {.text = malloc(TEXT_MOST)}, got = {.text = malloc(TEXT_MOST)};
    const char *most_text = getenv("WALK_MOST");
    uint64_t most = most_text ? strtoull(most_text, NULL, 10) : 150;
    run_once(job, NULL, &got); /* for initialization that runs once */
    run_once(job, NULL, &whole);
    uint64_t calls =
        sort->fault.trickle || sort->fault.restless ? 1 : faults_calls(sort->fault.call);
    uint64_t step = most > 0 && calls > most ? (calls + most - 1) / most : 1;
    const char *at_text = getenv("WALK_AT");
    uint64_t first = at_text ? strtoull(at_text, NULL, 10) : 1;
    for (uint64_t nth = first; nth <= calls && (!at_text || nth == first); nth += step) {
        struct fault fault = sort->fault;
        fault.nth = fault.trickle || fault.restless ? 0 : nth;
        told->at = nth;
        run_once(job, &fault, &got);
        bool struck = faults_struck();
        told->tried++;
        told->struck += struck;
        const char *why = fault_of(job, sort, struck, &whole, &got);
        if (why) {
            snprintf(told->wrong, sizeof told->wrong,
                     "%s: call %llu of %llu: exit status %d, %zu of %zu bytes, %lld blocks and %d "
                     "files left, it said: %.2000s",
                     why, (unsigned long long)nth, (unsigned long long)calls, got.code, got.size,
                     whole.size, (long long)got.left, got.files, got.message);
            break;
        }
    }
    free(whole.text);
    free(got.text);
}

/* Writes the counts of lines, since children end with _exit, which does not write them. */
static void keep_line_counts(void)
{
    if (__llvm_profile_write_file) {
        __llvm_profile_write_file();
    }
}

/* Runs each kind of fault in a child process: a crash ends that one only. */
static bool walk_apart(const struct job *job, const struct sort *sort)
{
    struct told *told =
        mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) {
        give_up("no memory");
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        walk(job, sort, told);
        keep_line_counts();
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        give_up("no child");
    }
    bool good = false;
    if (WIFSIGNALED(status)) {
        printf("not ok - %s: %s: %s at call %llu\n", job->name, sort->name,
               WTERMSIG(status) == SIGALRM ? "it hangs" : "it died", (unsigned long long)told->at);
    } else if (WEXITSTATUS(status) != 0) {
        char report[MESSAGE_MOST];
        size_t size = read_whole(job->err, report, sizeof report);
        printf("not ok - %s: %s: a sanitizer ended it with %d at call %llu\n", job->name,
               sort->name, WEXITSTATUS(status), (unsigned long long)told->at);
        fwrite(report, 1, size, stderr);
    } else if (told->wrong[0]) {
        char *end = strchr(told->wrong, '\n');
        if (end && !getenv("FAULT_TRACE")) {
            *end = '\0';
        }
        printf("not ok - %s: %s: %s\n", job->name, sort->name, told->wrong);
    } else {
        good = true;
        if (told->tried > 0) {
            printf("ok - %s: %s (%llu faults)\n", job->name, sort->name,
                   (unsigned long long)told->tried);
        }
    }
    munmap(told, sizeof *told);
    return good;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    const char *only = getenv("WALK_ONLY");
    int at = 1;
    job.name = at < argc ? argv[at++] : NULL;
    while (at + 1 < argc && strcmp(argv[at], "--") != 0) {
        if (strcmp(argv[at], "--stdin") == 0) {
            job.input = argv[at + 1];
        } else if (strcmp(argv[at], "--output") == 0) {
            job.output = argv[at + 1];
        } else if (strcmp(argv[at], "--gone") == 0) {
            job.gone = argv[at + 1];
        }
        at += 2;
    }
    if (at >= argc || strcmp(argv[at], "--") != 0) {
        give_up("usage: walk NAME [--stdin FILE] [--output FILE] -- ARGUMENTS...");
    }
    argv[at] = argv[0];
    job.argc = argc - at;
    job.argv = argv + at;
    job.out = memfd_create("out", MFD_CLOEXEC);
    job.err = memfd_create("err", MFD_CLOEXEC);
    bool good = true;
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        if (!only || strcmp(only, sorts[i].name) == 0) {
            good = walk_apart(&job, &sorts[i]) && good;
        }
    }
    return good ? 0 : 1;
}
