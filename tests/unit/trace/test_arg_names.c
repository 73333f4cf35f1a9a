/* SPDX-License-Identifier: Apache-2.0 */
/* Names of arguments: each meaning of docs/causes.md, "Names beside numbers", in a small capture. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "../kit/kev_build.h"
#include "trace/arg_names.h"
#include "tracetui/event_line.h"
#include "tracetui/filter.h"

enum { CALL_SEND = 11, CALL_REPLY = 15, CALL_LOCK = 80, CALL_SCHED_GET = 88 };
enum { COMM_SEND = 0, COMM_REPLY = 10 };
enum { PROCESS_NAME = 192, THREAD_NAME = 320, RUNNING = 1 };

struct scene {
    struct kev_build b;
    char path[64];
    struct tt_trace *trace;
    struct tt_events *events;
    uint32_t stamp;
};

static void begin(struct scene *s)
{
    memset(s, 0, sizeof *s);
    kev_build_begin(&s->b, "7.1.0", false);
    kev_build_slots_begin(&s->b);
    kev_build_named(&s->b, 0, PROCESS_NAME, 1000, 1, 0x1004, "proc/boot/client");
    kev_build_named(&s->b, 0, PROCESS_NAME, 1001, 1, 0x1005, "proc/boot/server");
    kev_build_named(&s->b, 0, THREAD_NAME, 1002, 0x1004, 1, "ask");
    kev_build_named(&s->b, 0, THREAD_NAME, 1003, 0x1005, 2, "serve");
    kev_build_event(&s->b, 0, KB_THREAD, RUNNING, 1004, 2, 0x1004, 1);
    s->stamp = 1005;
}

static void add(struct scene *s, unsigned class_, unsigned event, uint32_t a, uint32_t b)
{
    kev_build_event(&s->b, 0, class_, event, s->stamp++, 2, a, b);
}

static void open_it(struct scene *s)
{
    struct tt_trace_options options = {0};
    static const char template[] = "/tmp/tt-arg-names-XXXXXX";
    memcpy(s->path, template, sizeof template);
    int fd = mkstemp(s->path);
    cr_assert(fd >= 0 && write(fd, s->b.bytes, s->b.size) == (ssize_t)s->b.size);
    close(fd);
    cr_assert(tt_trace_open(s->path, &options, &s->trace).code == TT_OK);
    cr_assert(tt_trace_index(s->trace).code == TT_OK);
    s->events = tt_events_new(s->trace);
    cr_assert(s->events);
}

static void close_it(struct scene *s)
{
    tt_events_free(s->events);
    tt_trace_close(s->trace);
    unlink(s->path);
    kev_build_free(&s->b);
}

/* Finds the first event of a name and writes its arguments with their names. */
static const char *resolved(struct scene *s, const char *event_name)
{
    static char line[512];
    static struct tt_args args;
    struct tt_event events[64];
    uint32_t count = tt_events_read(s->events, 0, 64, events);
    const struct tt_capture *c = tt_trace_capture(s->trace);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(tt_types_at(c, events[i].type)->name, event_name) == 0) {
            struct tt_text text = tt_text_of(line, sizeof line);
            cr_assert(tt_events_describe(s->events, &events[i], &args));
            tt_args_resolve(s->events, &events[i], &args);
            tt_line_args(&text, &args);
            cr_assert(!args.cut);
            return tt_text_cstr(&text);
        }
    }
    return "no such event";
}

/* Opens a capture whose last event is a kernel call, and writes its arguments. */
static void check_call(unsigned call, uint32_t a, uint32_t b, const char *event_name,
                       const char *expected)
{
    struct scene s;
    begin(&s);
    add(&s, KB_CALL, call, a, b);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, event_name), expected);
    close_it(&s);
}

Test(arg_names, processes_and_threads)
{
    struct scene s;
    begin(&s);
    add(&s, KB_COMM, COMM_REPLY, 2, 0x1005);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, "REPLY_MESSAGE"), "tid=2 serve pid=4101 server");
    cr_assert_str_eq(resolved(&s, "THRUNNING"), "pid=4100 client tid=1 ask");
    close_it(&s);
}

Test(arg_names, numbers_of_nothing_have_no_names)
{
    struct scene s;
    begin(&s);
    add(&s, KB_COMM, COMM_REPLY, 9, 0x1009);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, "REPLY_MESSAGE"), "tid=9 pid=4105");
    close_it(&s);
}

Test(arg_names, pid_zero_of_a_call_is_the_caller)
{
    check_call(CALL_SCHED_GET, 0, 1, "SCHED_GET", "pid=0 client tid=1 ask");
    check_call(CALL_SCHED_GET, 0x1005, 2, "SCHED_GET", "pid=4101 server tid=2 serve");
}

Test(arg_names, owners)
{
    check_call(CALL_LOCK, 0x500, 0x50002, "SYNC_MUTEX_LOCK",
               "sync_p=0x500 owner=327682 server/2 serve");
    check_call(CALL_LOCK, 0x500, 0x80050002, "SYNC_MUTEX_LOCK",
               "sync_p=0x500 owner=-2147155966 server/2 serve");
    check_call(CALL_LOCK, 0x500, 0x40001, "SYNC_MUTEX_LOCK",
               "sync_p=0x500 owner=262145 client/1 ask");
    check_call(CALL_LOCK, 0x500, 0, "SYNC_MUTEX_LOCK", "sync_p=0x500 owner=0 free");
    check_call(CALL_LOCK, 0x500, UINT32_MAX, "SYNC_MUTEX_LOCK",
               "sync_p=0x500 owner=-1 initializer");
    check_call(CALL_LOCK, 0x500, 0xffffff00, "SYNC_MUTEX_LOCK",
               "sync_p=0x500 owner=-256 owner died");
    check_call(CALL_LOCK, 0x500, 0x90001, "SYNC_MUTEX_LOCK", "sync_p=0x500 owner=589825");
}

Test(arg_names, peers_are_those_of_the_message_in_the_call)
{
    struct scene s;
    begin(&s);
    add(&s, KB_CALL, CALL_SEND, 3, 0);
    add(&s, KB_COMM, COMM_SEND, 0x10001, 0x1005);
    add(&s, KB_CALL, CALL_REPLY, 0x10001, 0);
    add(&s, KB_COMM, COMM_REPLY, 2, 0x1005);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, "MSG_SENDV"), "coid=0x00000003 server msg[0]=0x00000000");
    cr_assert_str_eq(resolved(&s, "MSG_REPLYV"),
                     "rcvid=0x00010001 server/2 serve status=0x00000000");
    close_it(&s);
}

Test(arg_names, a_call_without_a_message_has_no_peer)
{
    struct scene s;
    begin(&s);
    add(&s, KB_CALL, CALL_SEND, 3, 0);
    add(&s, KB_CALL, 128 + CALL_SEND, 0, 0);
    add(&s, KB_COMM, COMM_SEND, 0x10001, 0x1005);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, "MSG_SENDV"), "coid=0x00000003 msg[0]=0x00000000");
    close_it(&s);
}

Test(arg_names, the_next_call_ends_the_search_for_a_message)
{
    struct scene s;
    begin(&s);
    add(&s, KB_CALL, CALL_SEND, 3, 0);
    add(&s, KB_CALL, CALL_REPLY, 0x10001, 0);
    add(&s, KB_COMM, COMM_REPLY, 2, 0x1005);
    open_it(&s);
    cr_assert_str_eq(resolved(&s, "MSG_SENDV"), "coid=0x00000003 msg[0]=0x00000000");
    close_it(&s);
}

/* Returns the number of events that match a filter. */
static uint32_t matches(struct scene *s, const char *line)
{
    struct tt_filter *filter = NULL;
    struct tt_filter_plan *plan = NULL;
    struct tt_filter_error error;
    struct tt_event events[64];
    uint64_t bits[TT_FILTER_WORDS];
    cr_assert(tt_filter_parse(line, &filter, &error), "%s: %s", line, error.status.text);
    cr_assert(tt_filter_plan_new(filter, s->trace, s->events, &plan, &error));
    struct tt_filter_worker *worker = tt_filter_worker_new(plan, s->events);
    uint32_t count = tt_events_read(s->events, 0, 64, events), found = 0;
    tt_filter_test(worker, events, 0, count, bits);
    for (uint32_t i = 0; i < count; i++) {
        found += (uint32_t)(bits[i / 64] >> (i % 64) & 1u);
    }
    tt_filter_worker_free(worker);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    return found;
}

Test(arg_names, filters_accept_names)
{
    struct scene s;
    begin(&s);
    add(&s, KB_CALL, CALL_SEND, 3, 0);
    add(&s, KB_COMM, COMM_SEND, 0x10001, 0x1005);
    add(&s, KB_CALL, CALL_LOCK, 0x500, 0x50002);
    add(&s, KB_CALL, CALL_LOCK, 0x500, 0);
    open_it(&s);
    cr_assert_eq(matches(&s, "arg.pid = server and class = COMM"), 1);
    cr_assert_eq(matches(&s, "arg.pid = proc/boot/server and class = COMM"), 1);
    cr_assert_eq(matches(&s, "arg.pid != server and class = COMM"), 0);
    cr_assert_eq(matches(&s, "arg.pid = serve"), 0);
    cr_assert_eq(matches(&s, "arg.coid = server"), 1);
    cr_assert_eq(matches(&s, "arg.coid ~ ^serv"), 1);
    cr_assert_eq(matches(&s, "arg.coid = 3"), 1);
    cr_assert_eq(matches(&s, "arg.owner = server/2"), 1);
    cr_assert_eq(matches(&s, "arg.owner = serve"), 1);
    cr_assert_eq(matches(&s, "arg.owner ~ ser"), 1);
    cr_assert_eq(matches(&s, "arg.owner = free"), 1);
    cr_assert_eq(matches(&s, "arg.owner ~ ^free$"), 1);
    cr_assert_eq(matches(&s, "arg.owner !~ ^free$"), 1);
    close_it(&s);
}

/* A number is compared with the argument, never with a name that consists of digits. */
Test(arg_names, filters_by_number_ignore_names_of_digits)
{
    struct scene s;
    begin(&s);
    kev_build_named(&s.b, 0, PROCESS_NAME, s.stamp++, 1, 0x1006, "77");
    add(&s, KB_COMM, COMM_SEND, 0x10001, 0x1006);
    open_it(&s);
    cr_assert_eq(matches(&s, "arg.pid = 4102 and class = COMM"), 1);
    cr_assert_eq(matches(&s, "arg.pid = 77 and class = COMM"), 0);
    cr_assert_eq(matches(&s, "arg.pid != 77 and class = COMM"), 1);
    cr_assert_eq(matches(&s, "arg.pid ~ ^77$ and class = COMM"), 1);
    close_it(&s);
}
