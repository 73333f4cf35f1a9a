/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the unit tests without Criterion, each in a fork, and prints a case for each like the shell
 * tests:
 *
 *      unit-tests [PATTERN]        a shell pattern for SUITE/NAME; without it, all
 *
 * PLAIN_SECONDS (300): a test that takes longer hangs. State is at file level, as in Criterion: the
 * list to which constructors add tests before main, and the failures of the test that this process
 * runs.
 */
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion/criterion.h"

enum { EXIT_FAILED = 1, EXIT_SKIPPED = 77 };

static struct plain_test *all;
static unsigned failures;

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

void plain_failed(bool fatal, const char *file, int line, const char *what, const char *why, ...)
{
    va_list arguments;
    failures++;
    printf("  | %s:%d: %s: ", file, line, what);
    va_start(arguments, why);
    vprintf(why, arguments);
    va_end(arguments);
    putchar('\n');
    if (fatal) {
        fflush(stdout);
        _exit(EXIT_FAILED);
    }
}

void plain_skip(const char *why, ...)
{
    va_list arguments;
    printf("  | ");
    va_start(arguments, why);
    vprintf(why, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    _exit(EXIT_SKIPPED);
}

static const struct plain_test *suite_of(const struct plain_test *test)
{
    const struct plain_test *suite = all;
    while (suite && (suite->name || strcmp(suite->suite, test->suite) != 0)) {
        suite = suite->next;
    }
    return suite;
}

static _Noreturn void run(const struct plain_test *test, const struct plain_test *suite)
{
    const char *given = getenv("PLAIN_SECONDS");
    unsigned seconds = given ? (unsigned)strtoul(given, NULL, 10) : 300;
    void (*init)(void) = test->init ? test->init : suite ? suite->init : NULL;
    void (*fini)(void) = test->fini ? test->fini : suite ? suite->fini : NULL;
    alarm(test->timeout > seconds ? test->timeout : seconds);
    if (init) {
        init();
    }
    test->run();
    if (fini) {
        fini();
    }
    fflush(stdout);
    _exit(failures > 0 ? EXIT_FAILED : 0);
}

static int status_of(const struct plain_test *test)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run(test, suite_of(test));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("unit-tests");
        exit(2);
    }
    return status;
}

int main(int argc, char **argv)
{
    unsigned bad = 0;
    char name[256];
    for (const struct plain_test *test = all; test; test = test->next) {
        snprintf(name, sizeof name, "%s/%s", test->suite, test->name ? test->name : "");
        if (!test->name || (argc > 1 && fnmatch(argv[1], name, 0) != 0)) {
            continue;
        }
        int status = status_of(test);
        if (WIFSIGNALED(status)) {
            printf("not ok - %s: %s\n", name, strsignal(WTERMSIG(status)));
        } else if (WEXITSTATUS(status) == EXIT_SKIPPED) {
            printf("ok - %s # SKIP\n", name);
        } else {
            printf("%s - %s\n", WEXITSTATUS(status) == 0 ? "ok" : "not ok", name);
        }
        bad += WIFSIGNALED(status) ||
               (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != EXIT_SKIPPED);
    }
    return bad > 0;
}
