/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "base/atomic_file.h"

static char folder[] = "/tmp/tracetui-atomic-XXXXXX";

/* The tests run in a temporary folder. */
static void enter_folder(void)
{
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static unsigned count_files(void)
{
    DIR *dir = opendir(".");
    unsigned count = 0;
    cr_assert(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static void leave_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(atomic_file, .init = enter_folder, .fini = leave_folder, ALONE);

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(path, mode), 0);
}

static void expect(const char *path, const char *text)
{
    char content[64] = "";
    FILE *file = fopen(path, "r");
    cr_assert(file, "%s", path);
    size_t length = fread(content, 1, sizeof content - 1, file);
    content[length] = '\0';
    fclose(file);
    cr_expect_str_eq(content, text, "%s", path);
}

static int write_new(const char *path, unsigned flags)
{
    struct tt_atomic_file file;
    int error = tt_atomic_open(&file, path, flags);
    if (error == 0) {
        cr_assert_eq(write(file.fd, "new", 3), 3);
        error = tt_atomic_commit(&file);
    }
    cr_expect_eq(file.fd, -1);
    return error;
}

Test(atomic_file, appears_at_commit_and_replaces_only_on_request)
{
    struct tt_atomic_file file;
    cr_assert_eq(tt_atomic_open(&file, "a", 0), 0);
    cr_expect_neq(access("a", F_OK), 0);
    cr_assert_eq(write(file.fd, "1", 1), 1);
    cr_assert_eq(tt_atomic_commit(&file), 0);
    expect("a", "1");
    cr_expect_eq(write_new("a", 0), EEXIST);
    expect("a", "1");
    cr_expect_eq(write_new("a", TT_ATOMIC_REPLACE | TT_ATOMIC_SYNC), 0);
    expect("a", "new");
    cr_expect_eq(count_files(), 1);
}

Test(atomic_file, a_target_that_appears_meanwhile_is_kept)
{
    struct tt_atomic_file file;
    cr_assert_eq(tt_atomic_open(&file, "a", 0), 0);
    put("a", "other", 0644);
    cr_expect_eq(tt_atomic_commit(&file), EEXIST);
    expect("a", "other");
    cr_expect_eq(count_files(), 1);
}

Test(atomic_file, abandoned_leaves_nothing)
{
    struct tt_atomic_file file = tt_atomic_none();
    tt_atomic_abandon(&file);
    put("a", "old", 0644);
    cr_assert_eq(tt_atomic_open(&file, "a", TT_ATOMIC_REPLACE), 0);
    cr_expect_eq(count_files(), 2);
    tt_atomic_abandon(&file);
    tt_atomic_abandon(&file);
    expect("a", "old");
    cr_expect_eq(count_files(), 1);
}

Test(atomic_file, dangling_links_are_followed)
{
    cr_assert_eq(mkdir("far", 0755), 0);
    cr_assert_eq(symlink("b", "a"), 0);
    cr_assert_eq(symlink("far/c", "b"), 0);
    cr_expect_eq(write_new("a", 0), 0); /* dangling */
    expect("far/c", "new");
    put("far/c", "old", 0640);
    cr_expect_eq(write_new("a", 0), EEXIST);
    cr_expect_eq(write_new("a", TT_ATOMIC_REPLACE), 0);
    expect("far/c", "new");
    struct stat info;
    cr_expect(lstat("a", &info) == 0 && S_ISLNK(info.st_mode));
    cr_expect(lstat("b", &info) == 0 && S_ISLNK(info.st_mode));
    cr_expect(lstat("far/c", &info) == 0 && S_ISREG(info.st_mode));
    cr_expect_eq(info.st_mode & 0777, 0640);
    cr_expect_eq(count_files(), 3);
    cr_assert_eq(symlink("circle", "circle"), 0);
    cr_expect_eq(write_new("circle", TT_ATOMIC_REPLACE), ELOOP);
    cr_assert_eq(symlink("missing/file", "astray"), 0);
    cr_expect_eq(write_new("astray", TT_ATOMIC_REPLACE), ENOENT);
}

/* Only what is no link, or missing, is the target itself. */
Test(atomic_file, what_cannot_be_looked_at_is_an_error)
{
    char name[300], *target;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    put("file", "old", 0644);
    const struct {
        const char *path;
        int error;
    } cases[] = {{"file/below", ENOTDIR}, {name, ENAMETOOLONG}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        errno = 0;
        target = tt_atomic_target(cases[i].path);
        cr_expect_null(target);
        cr_expect_eq(errno, cases[i].error, "%s: %d", cases[i].path, errno);
        cr_expect_eq(write_new(cases[i].path, TT_ATOMIC_REPLACE), cases[i].error);
    }
    target = tt_atomic_target("missing/below");
    cr_assert(target);
    cr_expect_str_eq(target, "missing/below");
    free(target);
    cr_expect_eq(count_files(), 1);
}

/* A chain of as many links as Linux follows, and one more. */
Test(atomic_file, forty_links_are_followed)
{
    char name[16], next[16] = "end";
    for (int i = 1; i <= 41; i++) {
        snprintf(name, sizeof name, "l%d", i);
        cr_assert_eq(symlink(next, name), 0);
        memcpy(next, name, sizeof next);
    }
    char *target = tt_atomic_target("l40");
    cr_assert(target);
    cr_expect_str_eq(target, "end");
    free(target);
    errno = 0;
    cr_expect_null(tt_atomic_target("l41"));
    cr_expect_eq(errno, ELOOP);
    cr_expect_eq(write_new("l40", 0), 0);
    expect("end", "new");
}

Test(atomic_file, mode_and_owner)
{
    struct stat info;
    mode_t mask = umask(027);
    cr_expect_eq(write_new("plain", 0), 0);
    cr_expect_eq(write_new("private", TT_ATOMIC_PRIVATE), 0);
    umask(mask);
    cr_expect(stat("plain", &info) == 0 && (info.st_mode & 0777) == 0640);
    cr_expect(stat("private", &info) == 0 && (info.st_mode & 0777) == 0600);
    put("old", "old", 0604);
    if (geteuid() == 0) {
        cr_assert_eq(chown("old", 12345, 54321), 0);
    }
    cr_expect_eq(write_new("old", TT_ATOMIC_REPLACE | TT_ATOMIC_PRIVATE), 0);
    cr_expect(stat("old", &info) == 0 && (info.st_mode & 0777) == 0604);
    if (geteuid() == 0) {
        cr_expect(info.st_uid == 12345 && info.st_gid == 54321);
    }
}

Test(atomic_file, no_regular_file)
{
    cr_assert_eq(mkdir("folder", 0755), 0);
    cr_expect_eq(write_new("/dev/null", TT_ATOMIC_REPLACE), ENOTSUP);
    cr_expect_eq(write_new("/dev/null", TT_ATOMIC_REPLACE | TT_ATOMIC_IN_PLACE | TT_ATOMIC_SYNC),
                 0);
    cr_expect_eq(write_new("folder", TT_ATOMIC_REPLACE), ENOTSUP);
    cr_expect_eq(write_new("folder", TT_ATOMIC_REPLACE | TT_ATOMIC_IN_PLACE), EISDIR);
    cr_expect_eq(write_new("missing/file", 0), ENOENT);
}

/* An error of the synchronisation or of the close is the commit's; the old content stays. */
Test(atomic_file, a_failed_commit_leaves_the_target)
{
    static const unsigned flags[] = {TT_ATOMIC_REPLACE, TT_ATOMIC_REPLACE | TT_ATOMIC_SYNC};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        struct tt_atomic_file file;
        put("a", "old", 0644);
        cr_assert_eq(tt_atomic_open(&file, "a", flags[i]), 0);
        close(file.fd);
        cr_expect_eq(tt_atomic_commit(&file), EBADF);
        expect("a", "old");
        cr_expect_eq(count_files(), 1);
    }
}

Test(atomic_file, a_name_as_long_as_can_be)
{
    char name[256];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_expect_eq(write_new(name, 0), 0);
    expect(name, "new");
    cr_expect_eq(count_files(), 1);
}

/* More files than slots for signal handlers: all are written. */
Test(atomic_file, many_at_once)
{
    struct tt_atomic_file files[40];
    char name[16];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "f%d", i);
        cr_assert_eq(tt_atomic_open(&files[i], name, 0), 0);
    }
    for (int i = 0; i < 40; i++) {
        cr_expect_eq(tt_atomic_commit(&files[i]), 0);
    }
    cr_expect_eq(count_files(), 40);
}

Test(atomic_file, a_signal_removes_it)
{
    static const int ending[] = {SIGTERM, SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1,
                                 SIGUSR2, SIGALRM, SIGXCPU, SIGPROF};
    for (size_t i = 0; i <= sizeof ending / sizeof *ending; i++) {
        int number = i < sizeof ending / sizeof *ending ? ending[i] : SIGRTMIN + 3;
        pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) {
            struct tt_atomic_file file, done;
            for (int n = 1; n < 65; n++) {
                signal(n, SIG_DFL);
            }
            signal(SIGCHLD, SIG_IGN);
            tt_atomic_catch_signals();
            if (tt_atomic_open(&done, "done", TT_ATOMIC_REPLACE) == 0 &&
                tt_atomic_commit(&done) == 0 && tt_atomic_open(&file, "a", 0) == 0 &&
                access(file.temporary, F_OK) == 0) {
                raise(number);
            }
            _exit(1);
        }
        int status = 0;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == number, "signal %d", number);
        cr_expect_eq(count_files(), 1, "signal %d left something", number);
    }
}

/*
 * sigsuspend restores the mask in which the signal is blocked when the handler returns: the signal
 * that the handler raises stays pending, so that the process outlives it and looks at its work.
 */
Test(atomic_file, the_handler_removes_and_raises_again)
{
    struct tt_atomic_file file;
    struct sigaction action;
    sigset_t blocked, before, during, pending;
    signal(SIGTERM, SIG_DFL);
    tt_atomic_catch_signals();
    cr_assert_eq(tt_atomic_open(&file, "a", 0), 0);
    cr_assert_eq(count_files(), 1);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    cr_assert_eq(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
    during = before;
    sigdelset(&during, SIGTERM);
    raise(SIGTERM);
    cr_expect_eq(count_files(), 1); /* not yet delivered */
    sigsuspend(&during);
    cr_expect_eq(count_files(), 0);
    cr_expect(sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1);
    cr_expect(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
    signal(SIGTERM, SIG_IGN); /* discards it */
    sigprocmask(SIG_SETMASK, &before, NULL);
    tt_atomic_abandon(&file);
}

/* Committed and abandoned files are not in the list; errno is kept, as a handler must. */
Test(atomic_file, only_open_files_are_removed)
{
    struct tt_atomic_file open_file, done, given_up;
    cr_assert_eq(tt_atomic_open(&done, "done", 0), 0);
    cr_assert_eq(tt_atomic_open(&open_file, "open", 0), 0);
    cr_assert_eq(tt_atomic_open(&given_up, "given_up", 0), 0);
    char *name = strdup(done.temporary);
    cr_assert(name);
    cr_assert_eq(tt_atomic_commit(&done), 0);
    put(name, "a file of another program", 0644);
    tt_atomic_abandon(&given_up);
    cr_assert_eq(count_files(), 3);
    errno = EXDEV;
    tt_atomic_remove_all();
    cr_expect_eq(errno, EXDEV);
    cr_expect_eq(count_files(), 2);
    expect("done", "");
    expect(name, "a file of another program");
    free(name);
    cr_expect_eq(tt_atomic_commit(&open_file), ENOENT);
    cr_expect_eq(count_files(), 2);
}

Test(atomic_file, an_ignored_signal_stays_ignored)
{
    signal(SIGUSR1, SIG_IGN);
    tt_atomic_catch_signals();
    struct tt_atomic_file file;
    cr_assert_eq(tt_atomic_open(&file, "a", 0), 0);
    raise(SIGUSR1);
    cr_expect_eq(tt_atomic_commit(&file), 0);
    cr_expect_eq(count_files(), 1);
}
