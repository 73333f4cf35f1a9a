/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the unit tests: many cases one after the other in one process.
 *
 *      unit-tests [--jobs N] [--fail-fast] [--timeout SECONDS] [--tap FILE] [--times FILE]
 *                 [--list] [--filter PATTERN] [PATTERN]
 *
 * The parent process hands the cases out, one at a time, to N worker processes (1). When a worker is
 * killed, exits or hangs, its current case has failed, and another worker continues with the next
 * one. A case that is marked ALONE (tests/unit/kit/alone.h) has a worker of its own; each other case
 * leaves directory, environment, open files and signals of its worker as they were, or fails. A
 * worker ends by exit(), where sanitizers look for leaks.
 *
 * PATTERN is a shell pattern for SUITE/NAME, with @(A|B) and !(A|B) where fnmatch() has them. A case
 * hangs if it uses SECONDS (300; the .timeout of its Test() instead) of processor time, or if its
 * process uses none for as long; so no limit depends on the load of the machine.
 *
 * --times: the processor seconds of each case, without those of programs that it starts.
 *
 * State is at file level, as in Criterion: the list to which constructors add tests before main, and
 * the case that this process runs.
 */
#define _GNU_SOURCE /* FNM_EXTMATCH */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <locale.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "criterion/criterion.h"

#ifndef FNM_EXTMATCH
#define FNM_EXTMATCH 0
#endif

enum { EXIT_FAILED = 1, EXIT_SKIPPED = 77 };
enum {
    JOBS_MOST = 16,
    FILES_WATCHED = 64,
    SIGNALS_WATCHED = 32,
    LIMITS_WATCHED = 4,
    POLL_MS = 200
};
#define NO_CASE SIZE_MAX

enum verdict { NO_VERDICT, PASSED, FAILED, SKIPPED };

/* The result of a case, in memory that worker and parent share: it outlives the worker. */
struct plain_result {
    enum verdict verdict;
    size_t used;
    char text[16384];
};

struct plain_worker {
    pid_t pid; /* 0: none */
    int orders;
    int answers;
    size_t at; /* its current case, or NO_CASE */
    size_t last;
    size_t ran;
    bool is_last; /* it gets no other case */
    bool is_hung;
    struct timespec processor_at_start;
    struct timespec processor;
    time_t active; /* when its processor time last changed */
    struct plain_result *result;
};

struct plain_options {
    long jobs;
    long seconds;
    bool fail_fast;
    bool list;
    const char *pattern;
    const char *tap;
    const char *times;
};

struct plain_run {
    struct plain_options options;
    const struct plain_test **cases;
    size_t count;
    size_t next;
    size_t bad;
    FILE *tap;
    FILE *times; /* or NULL */
    struct plain_worker workers[JOBS_MOST];
};

/* The state of the process that a case leaves as it was. */
struct plain_process {
    uint64_t environment;
    dev_t folder_device;
    ino_t folder;
    bool open[FILES_WATCHED];
    uintptr_t handlers[SIGNALS_WATCHED];
    sigset_t blocked;
    struct rlimit limits[LIMITS_WATCHED];
    bool has_timer;
    char locale[256];
};

static struct plain_test *all;

/* The case that this process runs. */
static struct plain_result *current;
static pid_t current_process;
static unsigned current_failures;
static jmp_buf current_end;

void plain_add(struct plain_test *test)
{
    struct plain_test **at = &all;
    while (*at && (strcmp((*at)->suite, test->suite) < 0 ||
                   (strcmp((*at)->suite, test->suite) == 0 && test->name))) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
}

/* ---- results ---------------------------------------------------------------------------------- */

static void result_add(const char *format, va_list arguments)
{
    size_t room = sizeof current->text - current->used;
    int length = vsnprintf(current->text + current->used, room, format, arguments);
    if (length > 0) {
        current->used += (size_t)length < room ? (size_t)length : room - 1;
    }
}

static void __attribute__((format(printf, 1, 2))) result_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    result_add(format, arguments);
    va_end(arguments);
}

static void result_add_failure(const char *file, int line, const char *what, const char *why,
                               va_list arguments)
{
    current_failures++;
    result_say("  | %s:%d: %s: ", file, line, what);
    result_add(why, arguments);
    result_say("\n");
}

void plain_failed(const char *file, int line, const char *what, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    result_add_failure(file, line, what, why, arguments);
    va_end(arguments);
}

void plain_ended(const char *file, int line, const char *what, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    result_add_failure(file, line, what, why, arguments);
    va_end(arguments);
    if (getpid() == current_process) {
        current->verdict = FAILED;
    }
    fflush(stdout);
    _exit(EXIT_FAILED); /* the state of this process is unknown, and memory is left */
}

void plain_skip(const char *why, ...)
{
    va_list arguments;
    if (getpid() != current_process) {
        _exit(EXIT_SKIPPED);
    }
    va_start(arguments, why);
    result_add(why, arguments);
    va_end(arguments);
    current->verdict = SKIPPED;
    longjmp(current_end, 1);
}

/* ---- the process of a case -------------------------------------------------------------------- */

extern char **environ;

static uint64_t environment_hash(void)
{
    uint64_t hash = 14695981039346656037u;
    for (char **variable = environ; *variable; variable++) {
        for (const char *at = *variable;; at++) {
            hash = (hash ^ (unsigned char)*at) * 1099511628211u;
            if (!*at) {
                break;
            }
        }
    }
    return hash;
}

static void process_note(struct plain_process *process)
{
    struct stat folder = {0};
    memset(process, 0, sizeof *process);
    process->environment = environment_hash();
    if (stat(".", &folder) == 0) {
        process->folder_device = folder.st_dev;
        process->folder = folder.st_ino;
    }
    for (int fd = 0; fd < FILES_WATCHED; fd++) {
        process->open[fd] = fcntl(fd, F_GETFD) != -1;
    }
    for (int number = 1; number < SIGNALS_WATCHED; number++) {
        struct sigaction action;
        /* SIGBUS: the library's guard of mapped files stays. */
        if (number != SIGBUS && sigaction(number, NULL, &action) == 0) {
            process->handlers[number] = (uintptr_t)action.sa_handler;
        }
    }
    sigemptyset(&process->blocked);
    sigprocmask(SIG_BLOCK, NULL, &process->blocked);
    static const int limits[LIMITS_WATCHED] = {RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_FSIZE,
                                               RLIMIT_STACK};
    struct itimerval timer;
    process->has_timer = getitimer(ITIMER_REAL, &timer) == 0 &&
                         (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0);
    for (size_t i = 0; i < LIMITS_WATCHED; i++) {
        getrlimit(limits[i], &process->limits[i]);
    }
    snprintf(process->locale, sizeof process->locale, "%s", setlocale(LC_ALL, NULL));
}

/* Returns what differs, or NULL. */
static const char *process_difference(const struct plain_process *before,
                                      const struct plain_process *after)
{
    if (before->environment != after->environment) {
        return "the environment";
    }
    if (before->folder != after->folder || before->folder_device != after->folder_device) {
        return "the current directory";
    }
    if (memcmp(before->open, after->open, sizeof before->open) != 0) {
        return "the open files";
    }
    if (memcmp(before->handlers, after->handlers, sizeof before->handlers) != 0) {
        return "what a signal does";
    }
    if (memcmp(before->limits, after->limits, sizeof before->limits) != 0) {
        return "a limit";
    }
    if (after->has_timer) {
        return "the timer";
    }
    if (memcmp(&before->blocked, &after->blocked, sizeof before->blocked) != 0) {
        return "the blocked signals";
    }
    return strcmp(before->locale, after->locale) != 0 ? "the locale" : NULL;
}

static const struct plain_test *suite_of(const struct plain_test *test)
{
    const struct plain_test *suite = all;
    while (suite && (suite->name || strcmp(suite->suite, test->suite) != 0)) {
        suite = suite->next;
    }
    return suite;
}

static bool is_alone(const struct plain_test *test)
{
    const struct plain_test *suite = suite_of(test);
    return test->description || (suite && suite->description);
}

static void case_run(const struct plain_test *test)
{
    const struct plain_test *suite = suite_of(test);
    void (*init)(void) = test->init ? test->init : suite ? suite->init : NULL;
    void (*fini)(void) = test->fini ? test->fini : suite ? suite->fini : NULL;
    static struct plain_process before, after;
    bool shares = !is_alone(test);
    current_failures = 0;
    if (shares) {
        process_note(&before);
    }
    if (setjmp(current_end) == 0) {
        if (init) {
            init();
        }
        test->run();
        if (fini) {
            fini();
        }
        current->verdict = current_failures > 0 ? FAILED : PASSED;
    }
    fflush(stdout);
    if (shares) {
        process_note(&after);
        const char *difference = process_difference(&before, &after);
        if (difference) {
            result_say("  | it changes %s of its process: mark it ALONE\n", difference);
            current->verdict = FAILED;
            _exit(EXIT_FAILED);
        }
    }
}

/* Runs the cases whose numbers the parent sends, until it sends no more. */
static _Noreturn void worker_run(const struct plain_run *run, const struct plain_worker *worker)
{
    size_t at;
    current = worker->result;
    current_process = getpid();
    while (read(worker->orders, &at, sizeof at) == (ssize_t)sizeof at) {
        case_run(run->cases[at]);
        if (write(worker->answers, "", 1) != 1) {
            _exit(EXIT_FAILED);
        }
    }
    exit(0);
}

/* ---- workers, from the parent's side ---------------------------------------------------------- */

static struct timespec worker_processor_time(const struct plain_worker *worker)
{
    clockid_t clock;
    struct timespec now = {0};
    if (clock_getcpuclockid(worker->pid, &clock) != 0 || clock_gettime(clock, &now) != 0) {
        clock_gettime(CLOCK_MONOTONIC, &now); /* an emulator, or it has ended */
    }
    return now;
}

static time_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void worker_start(struct plain_run *run, struct plain_worker *worker)
{
    int orders[2], answers[2];
    if (pipe(orders) != 0 || pipe(answers) != 0) {
        perror("unit-tests");
        exit(2);
    }
    for (int end = 0; end < 2; end++) {
        fcntl(orders[end], F_SETFD, FD_CLOEXEC);
        fcntl(answers[end], F_SETFD, FD_CLOEXEC);
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        perror("unit-tests");
        exit(2);
    }
    if (pid == 0) {
        for (size_t other = 0; other < JOBS_MOST; other++) {
            if (run->workers[other].pid != 0) {
                close(run->workers[other].orders);
                close(run->workers[other].answers);
            }
        }
        close(orders[1]);
        close(answers[0]);
        worker->orders = orders[0];
        worker->answers = answers[1];
        worker_run(run, worker);
    }
    close(orders[0]);
    close(answers[1]);
    *worker = (struct plain_worker){.pid = pid,
                                    .orders = orders[1],
                                    .answers = answers[0],
                                    .at = NO_CASE,
                                    .result = worker->result};
}

/* Sends the worker the next case; without one, or after a case that is alone, it ends. */
static void worker_order(struct plain_run *run, struct plain_worker *worker)
{
    const struct plain_test *next = run->next < run->count ? run->cases[run->next] : NULL;
    if (worker->is_last || !next || (worker->ran > 0 && is_alone(next))) {
        if (worker->orders >= 0) {
            close(worker->orders);
        }
        worker->orders = -1;
        return;
    }
    worker->at = worker->last = run->next++;
    worker->ran++;
    worker->is_last = is_alone(next);
    worker->result->verdict = NO_VERDICT;
    worker->result->used = 0;
    worker->result->text[0] = '\0';
    worker->processor_at_start = worker->processor = worker_processor_time(worker);
    worker->active = seconds_now();
    signal(SIGPIPE, SIG_IGN); /* a worker that has ended is found by its answers */
    if (write(worker->orders, &worker->at, sizeof worker->at) < 0 && errno != EPIPE) {
        perror("unit-tests");
        exit(2);
    }
    signal(SIGPIPE, SIG_DFL);
}

static void case_print(struct plain_run *run, size_t at, enum verdict verdict, const char *why,
                       const char *text)
{
    const struct plain_test *test = run->cases[at];
    fprintf(run->tap, "%s - %s/%s%s%s\n", verdict == FAILED ? "not ok" : "ok", test->suite,
            test->name, *why ? verdict == SKIPPED ? " # SKIP " : ": " : "", why);
    if (verdict == FAILED) {
        fputs(text, run->tap);
    }
    fflush(run->tap);
    run->bad += verdict == FAILED;
}

/* Prints the result of the worker's case, which has ended by itself. */
static void worker_finish_case(struct plain_run *run, struct plain_worker *worker)
{
    struct plain_result *result = worker->result;
    result->text[result->used < sizeof result->text ? result->used : 0] = '\0';
    enum verdict verdict = result->verdict == NO_VERDICT ? FAILED : result->verdict;
    case_print(run, worker->at, verdict, verdict == SKIPPED ? result->text : "", result->text);
    if (run->times) {
        struct timespec end = worker_processor_time(worker);
        const struct timespec *start = &worker->processor_at_start;
        fprintf(run->times, "%.3f %s/%s\n",
                (double)(end.tv_sec - start->tv_sec) +
                    1e-9 * (double)(end.tv_nsec - start->tv_nsec),
                run->cases[worker->at]->suite, run->cases[worker->at]->name);
    }
    worker->at = NO_CASE;
}

/* Handles a worker that has ended: in a case, which has then failed, or with a leak. */
static void worker_end(struct plain_run *run, struct plain_worker *worker, int status)
{
    char why[160] = "";
    if (worker->is_hung) {
        snprintf(why, sizeof why, "it hangs");
    } else if (WIFSIGNALED(status)) {
        snprintf(why, sizeof why, "%s", strsignal(WTERMSIG(status)));
    } else if (worker->at == NO_CASE && WEXITSTATUS(status) != 0) {
        snprintf(why, sizeof why, "the process of this and %zu cases before it exits with %d",
                 worker->ran - 1, WEXITSTATUS(status));
    } else if (worker->at != NO_CASE && worker->result->verdict != FAILED) {
        snprintf(why, sizeof why, "it exits with status %d", WEXITSTATUS(status));
    }
    if (*why) {
        case_print(run, worker->last, FAILED, why, worker->result->text);
    } else if (worker->at != NO_CASE) {
        worker_finish_case(run, worker);
    }
    if (worker->orders >= 0) {
        close(worker->orders);
    }
    close(worker->answers);
    *worker = (struct plain_worker){.orders = -1, .result = worker->result};
}

/* Ends a worker whose case uses too much processor time, or none for too long. */
static void worker_watch(const struct plain_run *run, struct plain_worker *worker)
{
    if (worker->at == NO_CASE || worker->is_hung) {
        return;
    }
    time_t most = (time_t)run->cases[worker->at]->timeout;
    most = most > 0 ? most : run->options.seconds;
    struct timespec used = worker_processor_time(worker);
    if (used.tv_sec != worker->processor.tv_sec || used.tv_nsec != worker->processor.tv_nsec) {
        worker->processor = used;
        worker->active = seconds_now();
    }
    if (used.tv_sec - worker->processor_at_start.tv_sec > most ||
        seconds_now() - worker->active > most) {
        worker->is_hung = true;
        kill(worker->pid, SIGKILL);
    }
}

/* Waits for an answer or the end of a worker, and handles both. */
static void run_wait(struct plain_run *run)
{
    struct pollfd answers[JOBS_MOST];
    nfds_t count = 0;
    for (long i = 0; i < run->options.jobs; i++) {
        if (run->workers[i].pid != 0) {
            answers[count++] = (struct pollfd){.fd = run->workers[i].answers, .events = POLLIN};
        }
    }
    poll(answers, count, POLL_MS);
    for (long i = 0; i < run->options.jobs; i++) {
        struct plain_worker *worker = &run->workers[i];
        struct pollfd answer = {.fd = worker->answers, .events = POLLIN};
        char byte;
        int status;
        if (worker->pid == 0) {
            continue;
        }
        /* A process that a case has left may hold the pipe open, so that its end is not enough. */
        bool has_ended = waitpid(worker->pid, &status, WNOHANG) == worker->pid;
        if (worker->at != NO_CASE && poll(&answer, 1, 0) == 1 &&
            read(worker->answers, &byte, 1) == 1) {
            worker_finish_case(run, worker);
            if (!has_ended) {
                worker_order(run, worker);
            }
        }
        if (has_ended) {
            worker_end(run, worker, status);
        } else {
            worker_watch(run, worker);
        }
    }
}

/* Returns whether a worker runs after the idle ones have their cases. */
static bool run_hand_out(struct plain_run *run)
{
    bool is_busy = false;
    for (long i = 0; i < run->options.jobs; i++) {
        struct plain_worker *worker = &run->workers[i];
        if (worker->pid == 0 && run->next < run->count) {
            worker_start(run, worker);
            worker_order(run, worker);
        }
        is_busy |= worker->pid != 0;
    }
    return is_busy;
}

/* ---- the program ------------------------------------------------------------------------------ */

static struct plain_options options_read(int argc, char **argv)
{
    struct plain_options options = {.jobs = 1, .seconds = 300};
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        size_t length = value ? (size_t)(value - argv[i]) : strlen(argv[i]);
        if (strncmp(argv[i], "--", 2) != 0) {
            options.pattern = argv[i];
            continue;
        }
        const char *name = argv[i];
#define IS(option) (strlen(option) == length && strncmp(name, option, length) == 0)
        if (IS("--fail-fast")) {
            options.fail_fast = true;
            continue;
        }
        if (IS("--list")) {
            options.list = true;
            continue;
        }
        const char *given = value ? value + 1 : i + 1 < argc ? argv[++i] : "";
        if (IS("--jobs")) {
            options.jobs = strtol(given, NULL, 10);
        } else if (IS("--timeout")) {
            options.seconds = strtol(given, NULL, 10);
        } else if (IS("--filter")) {
            options.pattern = given;
        } else if (IS("--tap")) {
            options.tap = given;
        } else if (IS("--times")) {
            options.times = given;
        } else {
            fprintf(stderr, "unit-tests: no option %s\n", name);
            exit(2);
        }
#undef IS
    }
    options.jobs = options.jobs < 1 ? 1 : options.jobs > JOBS_MOST ? JOBS_MOST : options.jobs;
    return options;
}

/* Chooses the cases; those that are alone come last, so that few workers start. */
static void run_choose(struct plain_run *run)
{
    size_t count = 0;
    for (const struct plain_test *test = all; test; test = test->next) {
        count++;
    }
    run->cases = calloc(count ? count : 1, sizeof *run->cases);
    for (int alone = 0; run->cases && alone < 2; alone++) {
        for (const struct plain_test *test = all; test; test = test->next) {
            char name[256];
            snprintf(name, sizeof name, "%s/%s", test->suite, test->name ? test->name : "");
            if (test->name && is_alone(test) == alone &&
                (!run->options.pattern || fnmatch(run->options.pattern, name, FNM_EXTMATCH) == 0)) {
                run->cases[run->count++] = test;
            }
        }
    }
}

int main(int argc, char **argv)
{
    static struct plain_run run;
    setlocale(LC_ALL, "");
    run.options = options_read(argc, argv);
    run_choose(&run);
    if (run.options.list) {
        for (size_t i = 0; i < run.count; i++) {
            printf("%s/%s\n", run.cases[i]->suite, run.cases[i]->name);
        }
        free(run.cases);
        return 0;
    }
    run.tap = run.options.tap ? fopen(run.options.tap, "we") : fdopen(dup(STDOUT_FILENO), "w");
    run.times = run.options.times ? fopen(run.options.times, "we") : NULL;
    struct plain_result *results = mmap(NULL, JOBS_MOST * sizeof *results, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!run.cases || !run.tap || results == MAP_FAILED) {
        perror("unit-tests");
        return 2;
    }
    for (size_t i = 0; i < JOBS_MOST; i++) {
        run.workers[i] = (struct plain_worker){.orders = -1, .result = &results[i]};
    }
    fprintf(run.tap, "1..%zu\n", run.count);
    while (run_hand_out(&run)) {
        run_wait(&run);
        if (run.options.fail_fast && run.bad > 0) {
            break;
        }
    }
    for (size_t i = 0; i < JOBS_MOST; i++) {
        if (run.workers[i].pid != 0) {
            kill(run.workers[i].pid, SIGKILL);
        }
    }
    fclose(run.tap);
    if (run.times) {
        fclose(run.times);
    }
    free(run.cases);
    return run.bad > 0;
}
