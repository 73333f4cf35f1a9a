/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "cli/files/child_pool.h"

#define TASKS 20u

struct record {
    char *text; /* output of all tasks, in the order of arrival */
    size_t used;
    size_t most;         /* bytes of output that are needed; 0: all */
    size_t current;      /* tasks that have ended */
    size_t line_bytes;   /* output of a task */
    int gate[2];         /* task 0 waits for a byte of task 2 */
    size_t killed;       /* this task ends by a signal, this + 1 with status 7 */
    char messages[4096]; /* of all tasks */
    int statuses[TASKS];
    int errors[TASKS];
};

static void write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n <= 0) {
            _exit(99);
        }
        bytes += n;
        length -= (size_t)n;
    }
}

static int run_task(void *arg, size_t task)
{
    const struct record *r = arg;
    char message[32];
    char byte = 'x';
    if (r->gate[0] > 0 && task == 0 && read(r->gate[0], &byte, 1) != 1) {
        return 98;
    }
    for (size_t i = 0; i < r->line_bytes; i++) {
        byte = i + 1 < r->line_bytes ? (char)('a' + task) : '\n';
        write_all(STDOUT_FILENO, &byte, 1);
    }
    int length = snprintf(message, sizeof message, "message of %zu\n", task);
    write_all(STDERR_FILENO, message, (size_t)length);
    if (r->gate[1] > 0 && task == 2) {
        write_all(r->gate[1], "x", 1);
    }
    if (r->killed > 0 && task == r->killed) {
        raise(SIGKILL);
    }
    return r->killed > 0 && task == r->killed + 1 ? 7 : 0;
}

static bool take_output(void *arg, size_t task, const char *bytes, size_t length)
{
    struct record *r = arg;
    cr_assert_eq(task, r->current, "output of task %zu while %zu is current", task, r->current);
    r->text = realloc(r->text, r->used + length + 1);
    memcpy(r->text + r->used, bytes, length);
    r->used += length;
    r->text[r->used] = '\0';
    return r->most == 0 || r->used < r->most;
}

static void take_message(void *arg, size_t task, const char *bytes, size_t length)
{
    struct record *r = arg;
    size_t used = strlen(r->messages);
    cr_assert_eq(task, r->current);
    cr_assert_lt(used + length, sizeof r->messages);
    memcpy(r->messages + used, bytes, length);
    r->messages[used + length] = '\0';
}

static void take_end(void *arg, size_t task, int status, int error)
{
    struct record *r = arg;
    cr_assert_eq(task, r->current);
    r->statuses[task] = status;
    r->errors[task] = error;
    r->current++;
}

static struct tt_child_pool pool_of(struct record *r, unsigned width)
{
    struct tt_child_pool pool = {.count = TASKS,
                                 .width = width,
                                 .arg = r,
                                 .run = run_task,
                                 .output = take_output,
                                 .message = take_message,
                                 .ended = take_end};
    return pool;
}

/* Checks the text of all tasks, and frees it. */
static void check_text(struct record *r)
{
    cr_assert_eq(r->used, TASKS * r->line_bytes);
    for (size_t i = 0; i < r->used; i++) {
        size_t wanted = (i + 1) % r->line_bytes == 0 ? '\n' : 'a' + i / r->line_bytes;
        cr_assert_eq((size_t)r->text[i], wanted, "byte %zu", i);
    }
    free(r->text);
    cr_assert_eq(waitpid(-1, NULL, 0), -1);
    cr_assert_eq(errno, ECHILD);
}

Test(child_pool, output_and_messages_are_in_the_order_of_the_tasks)
{
    for (unsigned width = 1; width <= 2 * TASKS; width += 3) {
        struct record r = {.line_bytes = 11};
        struct tt_child_pool pool = pool_of(&r, width);
        cr_assert_eq(tt_child_pool_run(&pool), 0);
        check_text(&r);
        cr_assert(strncmp(r.messages, "message of 0\nmessage of 1\n", 26) == 0);
        cr_assert_str_eq(strrchr(r.messages, 'o'), "of 19\n");
    }
}

/* Fails, without an end, if tasks do not run at the same time. */
Test(child_pool, a_later_task_runs_while_the_first_one_waits, .timeout = 60, ALONE)
{
    struct record r = {.line_bytes = 11};
    cr_assert_eq(pipe(r.gate), 0);
    struct tt_child_pool pool = pool_of(&r, 3);
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    check_text(&r);
}

Test(child_pool, a_limit_of_held_bytes_changes_no_output)
{
    struct record r = {.line_bytes = 3000};
    struct tt_child_pool pool = pool_of(&r, 4);
    pool.held = 1;
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    check_text(&r);
}

Test(child_pool, a_task_that_is_killed_loses_no_other_one)
{
    struct record r = {.line_bytes = 11, .killed = 5};
    struct tt_child_pool pool = pool_of(&r, 3);
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    check_text(&r);
    cr_assert(WIFSIGNALED(r.statuses[5]) && WTERMSIG(r.statuses[5]) == SIGKILL);
    cr_assert(WIFEXITED(r.statuses[6]) && WEXITSTATUS(r.statuses[6]) == 7);
    cr_assert(WIFEXITED(r.statuses[7]) && WEXITSTATUS(r.statuses[7]) == 0);
}

Test(child_pool, ends_all_children_when_no_more_output_is_needed, .timeout = 60, ALONE)
{
    struct record r = {.line_bytes = 11, .most = 12};
    cr_assert_eq(pipe(r.gate), 0);
    struct tt_child_pool pool = pool_of(&r, 4);
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    cr_assert_leq(r.current, 2);
    free(r.text);
    cr_assert_eq(waitpid(-1, NULL, 0), -1, "a child is left");
}

Test(child_pool, runs_fewer_children_if_descriptors_are_short, ALONE)
{
    struct rlimit limit;
    struct record r = {.line_bytes = 11};
    struct tt_child_pool pool = pool_of(&r, TASKS);
    int next = dup(STDOUT_FILENO);
    cr_assert_geq(next, 0);
    close(next);
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = (rlim_t)next + 7;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    check_text(&r);
    limit.rlim_cur = (rlim_t)next + 2;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    memset(&r, 0, sizeof r);
    cr_assert_eq(tt_child_pool_run(&pool), 0);
    cr_assert_eq(r.current, TASKS);
    cr_assert_eq(r.errors[0], EMFILE);
    cr_assert_eq(r.used, 0);
}
