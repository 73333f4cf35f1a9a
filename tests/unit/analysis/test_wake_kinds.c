/* SPDX-License-Identifier: Apache-2.0 */
/* Wakes that messages show: flows of Fuchsia captures, messages of BTrace. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "../kit/btrace_build.h"
#include "../kit/fxt_build.h"
#include "analysis/causes/explain.h"
#include "analysis/causes/snapshot.h"
#include "tracetui/messages.h"

struct scene {
    char path[64];
    struct tt_trace *trace;
    struct tt_wakes *wakes;
    const struct tt_timelines *t;
    struct tt_capture *c;
};

static void open_scene(struct scene *s, const void *bytes, size_t size)
{
    struct tt_trace_options options = {0};
    snprintf(s->path, sizeof s->path, "/tmp/tracetui-wake-kinds-XXXXXX");
    int fd = mkstemp(s->path);
    cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
    struct tt_status status = tt_trace_open(s->path, &options, &s->trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(s->trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    s->wakes = tt_wakes_new(s->trace);
    s->t = tt_wakes_timelines(s->wakes);
    s->c = tt_trace_capture(s->trace);
}

static void close_scene(struct scene *s)
{
    tt_wakes_free(s->wakes);
    tt_trace_close(s->trace);
    unlink(s->path);
}

/* Returns the thread with an id. */
static uint32_t thread_of(const struct scene *s, uint64_t tid)
{
    uint32_t i = 0;
    while (i < tt_thread_count(s->c) && (uint32_t)tt_thread_at(s->c, i)->tid != tid) {
        i++;
    }
    cr_assert_lt(i, tt_thread_count(s->c), "no thread %u", (unsigned)tid);
    return i;
}

/* Finds the wake that ends the state of a thread at `ticks`. */
static struct tt_wake wake_of(const struct scene *s, uint64_t tid, uint64_t ticks)
{
    struct tt_interval_at at;
    struct tt_wake wake;
    cr_assert(tt_interval_find(s->t, thread_of(s, tid), ticks, &at));
    struct tt_interval blocked = tt_interval_get(s->t, at);
    tt_wake_find(s->wakes, &blocked, &wake);
    return wake;
}

/* ---- flows -------------------------------------------------------------------------------- */

enum { CLIENT = 11, SERVER = 12, OTHER = 13 };

static void switch_to(struct fxt_out *out, uint64_t ticks, uint64_t cpu, uint64_t from, uint64_t to)
{
    size_t at = fxt_begin(out, fxt_switch(cpu, 3, 0));
    fxt_word(out, ticks);
    fxt_word(out, from);
    fxt_word(out, to);
    fxt_end(out, at);
}

static void wake(struct fxt_out *out, uint64_t ticks, uint64_t thread, uint64_t waker)
{
    size_t at = fxt_begin(out, fxt_wakeup(0, 1));
    fxt_word(out, ticks);
    fxt_word(out, thread);
    fxt_arg_long(out, 8, "waker", waker);
    fxt_end(out, at);
}

enum { FLOW_BEGIN = 8, FLOW_STEP = 9, FLOW_END = 10 };

static void flow_of(struct fxt_out *out, uint64_t ticks, uint64_t type, uint64_t process,
                    uint64_t thread, const char *name, uint64_t id)
{
    size_t at = fxt_begin(out, fxt_event(type, 0, 0, FXT_INLINE(3), FXT_INLINE(strlen(name))));
    fxt_word(out, ticks);
    fxt_word(out, process);
    fxt_word(out, thread);
    fxt_text(out, "ipc");
    fxt_text(out, name);
    fxt_word(out, id);
    fxt_end(out, at);
}

static void flow(struct fxt_out *out, uint64_t ticks, uint64_t type, uint64_t thread, uint64_t id)
{
    flow_of(out, ticks, type, 1, thread, "m", id);
}

/* Begins a capture of one provider with the thread objects of a process. */
static void threads(struct fxt_out *out)
{
    fxt_magic(out);
    fxt_provider_info(out, 1, "kernel");
    fxt_section(out, 1);
    for (uint64_t i = CLIENT; i <= OTHER; i++) {
        fxt_thread(out, i, 1, i);
        flow(out, 1, FLOW_BEGIN, i, 1000 + i); /* binds the thread to its process */
    }
}

Test(wake_kinds, of_flows)
{
    struct scene s;
    struct fxt_out out = {0};
    threads(&out);
    switch_to(&out, 10, 0, 0, CLIENT);
    switch_to(&out, 11, 1, 0, SERVER);
    switch_to(&out, 12, 1, SERVER, 0);
    flow(&out, 20, FLOW_BEGIN, CLIENT, 7);
    wake(&out, 21, SERVER, CLIENT); /* by the flow that it receives at 24 */
    switch_to(&out, 23, 0, CLIENT, SERVER);
    flow(&out, 24, FLOW_STEP, SERVER, 7);
    flow(&out, 30, FLOW_END, SERVER, 7);
    wake(&out, 31, CLIENT, SERVER); /* by the end of the flow that it began */
    switch_to(&out, 33, 0, SERVER, CLIENT);
    switch_to(&out, 34, 0, CLIENT, OTHER);
    wake(&out, 40, CLIENT, OTHER); /* by no flow */
    switch_to(&out, 42, 0, OTHER, CLIENT);
    flow(&out, 50, FLOW_BEGIN, CLIENT, 8);
    wake(&out, 51, OTHER, CLIENT); /* the flow goes to the server */
    switch_to(&out, 52, 1, 0, OTHER);
    wake(&out, 53, SERVER, CLIENT);
    switch_to(&out, 54, 0, CLIENT, SERVER);
    flow(&out, 55, FLOW_STEP, SERVER, 8);
    wake(&out, 60, CLIENT, SERVER); /* by a step: the flow ends in the client */
    switch_to(&out, 61, 0, SERVER, CLIENT);
    flow(&out, 62, FLOW_END, CLIENT, 8);
    switch_to(&out, 63, 0, CLIENT, 0);
    open_scene(&s, out.bytes, out.size);
    struct {
        uint64_t tid, at, waker;
        unsigned kind;
        uint64_t object;
    } want[] = {
        {SERVER, 13, CLIENT, TT_WAKE_MESSAGE, 7}, {CLIENT, 25, SERVER, TT_WAKE_REPLY, 7},
        {CLIENT, 35, OTHER, TT_WAKE_PLAIN, 0},    {OTHER, 45, CLIENT, TT_WAKE_PLAIN, 0},
        {SERVER, 45, CLIENT, TT_WAKE_MESSAGE, 8}, {CLIENT, 56, SERVER, TT_WAKE_REPLY, 8},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct tt_wake got = wake_of(&s, want[i].tid, want[i].at);
        cr_expect_eq(got.by, TT_WAKER_THREAD, "wake %zu", i);
        cr_expect_eq(got.waker, thread_of(&s, want[i].waker), "wake %zu", i);
        cr_expect_str_eq(tt_wake_kind_name(got.kind), tt_wake_kind_name(want[i].kind), "wake %zu",
                         i);
        cr_expect_eq(got.object, want[i].object, "wake %zu", i);
    }
    close_scene(&s);
    free(out.bytes);
}

/* Two processes use the same ids; only one of the flows passes from one to the other. */
Test(wake_kinds, of_flows_of_two_processes)
{
    struct scene s;
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t i = CLIENT; i <= OTHER; i++) {
        flow_of(&out, 1, FLOW_BEGIN, i, i, "m", 1000);
    }
    switch_to(&out, 10, 0, 0, CLIENT);
    flow_of(&out, 20, FLOW_BEGIN, CLIENT, CLIENT, "m", 7);
    switch_to(&out, 21, 0, CLIENT, SERVER);
    flow_of(&out, 22, FLOW_BEGIN, SERVER, SERVER, "m", 7);
    flow_of(&out, 24, FLOW_END, SERVER, SERVER, "m", 7);
    wake(&out, 31, CLIENT, SERVER); /* the flow that ended is its own */
    switch_to(&out, 33, 0, SERVER, CLIENT);
    flow_of(&out, 34, FLOW_END, CLIENT, CLIENT, "m", 7);
    flow_of(&out, 40, FLOW_BEGIN, CLIENT, CLIENT, "m", 8);
    switch_to(&out, 41, 0, CLIENT, SERVER);
    flow_of(&out, 42, FLOW_STEP, SERVER, SERVER, "m", 8);
    switch_to(&out, 43, 0, SERVER, OTHER);
    flow_of(&out, 44, FLOW_END, OTHER, OTHER, "m", 8);
    wake(&out, 51, CLIENT, OTHER); /* by the flow that came through the server */
    switch_to(&out, 53, 0, OTHER, CLIENT);
    flow_of(&out, 60, FLOW_BEGIN, CLIENT, CLIENT, "m", 9);
    switch_to(&out, 61, 0, CLIENT, SERVER);
    flow_of(&out, 62, FLOW_END, SERVER, SERVER, "other", 9);
    wake(&out, 71, CLIENT, SERVER); /* the flow that ended has another name */
    switch_to(&out, 73, 0, SERVER, CLIENT);
    open_scene(&s, out.bytes, out.size);
    const struct {
        uint64_t at;
        unsigned kind;
    } want[] = {{25, TT_WAKE_PLAIN}, {45, TT_WAKE_REPLY}, {65, TT_WAKE_PLAIN}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct tt_wake got = wake_of(&s, CLIENT, want[i].at);
        cr_expect_str_eq(tt_wake_kind_name(got.kind), tt_wake_kind_name(want[i].kind), "wake %zu",
                         i);
    }
    close_scene(&s);
    free(out.bytes);
}

/* After a loss only the end of the run before a wait is known. */
Test(wake_kinds, of_flows_after_a_loss)
{
    struct scene s;
    struct fxt_out out = {0};
    threads(&out);
    switch_to(&out, 10, 0, 0, CLIENT);
    switch_to(&out, 11, 1, 0, SERVER);
    switch_to(&out, 12, 1, SERVER, 0);
    fxt_provider_event(&out, 1, 0);
    flow(&out, 40, FLOW_BEGIN, CLIENT, 7);
    switch_to(&out, 50, 0, CLIENT, SERVER);
    flow(&out, 51, FLOW_STEP, SERVER, 7);
    flow(&out, 60, FLOW_END, SERVER, 7);
    wake(&out, 61, CLIENT, SERVER);
    switch_to(&out, 70, 0, SERVER, CLIENT);
    open_scene(&s, out.bytes, out.size);
    struct tt_interval_at at;
    cr_assert(tt_interval_find(s.t, thread_of(&s, CLIENT), 45, &at));
    cr_expect_eq(tt_interval_get(s.t, at).class_, TT_CLASS_UNKNOWN);
    struct tt_wake reply = wake_of(&s, CLIENT, 55);
    cr_expect_eq(reply.waker, thread_of(&s, SERVER));
    cr_expect_str_eq(tt_wake_kind_name(reply.kind), tt_wake_kind_name(TT_WAKE_REPLY));
    cr_expect_eq(reply.object, 7);
    close_scene(&s);
    free(out.bytes);
}

/* ---- messages of BTrace ------------------------------------------------------------------- */

enum { ALPHA = 0x1000, BETA = 0x2000, GAMMA = 0x3000, PROCESS = 0x9000 };

static void message(struct stream *s, uint32_t ts, uint8_t sub, uint32_t handle)
{
    stream_words(s, 6, sub, ts, (const uint32_t[]){handle, 0, 0}, 3);
}

static void btrace_threads(struct stream *s)
{
    stream_name(s, 3, 5, 1, ALPHA, PROCESS, "app.exe[1]0001");
    stream_name(s, 3, 4, 2, ALPHA, PROCESS, "Alpha");
    stream_name(s, 3, 4, 3, BETA, PROCESS, "Beta");
    stream_name(s, 3, 4, 4, GAMMA, PROCESS, "Gamma");
}

enum { SEND = 4, RECEIVE = 5, COMPLETE = 6 };

/* Returns the piece of an explanation at an index. */
static const struct tt_piece *piece(const struct tt_explanation *e, size_t index)
{
    cr_assert_lt(index, e->count);
    return &e->pieces[index];
}

Test(wake_kinds, of_a_client_that_does_not_run_before_the_answer)
{
    struct scene s;
    struct stream b = {0};
    btrace_threads(&b);
    stream_switch(&b, 10, ALPHA);
    message(&b, 20, SEND, 0x500);
    stream_switch(&b, 30, BETA);
    message(&b, 40, RECEIVE, 0x500);
    message(&b, 50, COMPLETE, 0x500);
    stream_switch(&b, 60, ALPHA);
    stream_switch(&b, 70, GAMMA);
    stream_switch(&b, 80, ALPHA); /* without a message */
    message(&b, 90, SEND, 0x600);
    stream_switch(&b, 100, BETA);
    stream_switch(&b, 110, ALPHA); /* it runs before the answer */
    stream_switch(&b, 120, BETA);
    message(&b, 130, RECEIVE, 0x600);
    message(&b, 140, COMPLETE, 0x600);
    stream_switch(&b, 150, ALPHA);
    message(&b, 160, SEND, 0x700);
    stream_switch(&b, 170, BETA);
    message(&b, 180, RECEIVE, 0x700);
    stream_switch(&b, 190, GAMMA);
    stream_switch(&b, 200, GAMMA);
    open_scene(&s, b.bytes, b.size);
    uint64_t base = tt_timelines_begin(s.t) - 1; /* the first record has time 1 */
    struct tt_interval_at at;
    struct tt_message m;
    uint32_t alpha = thread_of(&s, ALPHA), beta = thread_of(&s, BETA);

    struct tt_wake wake = wake_of(&s, ALPHA, base + 35);
    cr_expect_eq(wake.by, TT_WAKER_THREAD);
    cr_expect_eq(wake.waker, beta);
    cr_expect_eq(wake.kind, TT_WAKE_REPLY);
    cr_expect_eq(wake.object, 0x500);
    cr_expect_eq(wake.at, base + 50, "when the message is completed");
    cr_expect_eq(wake_of(&s, ALPHA, base + 75).by, TT_WAKER_UNKNOWN, "it sent nothing");
    cr_expect_eq(wake_of(&s, ALPHA, base + 105).by, TT_WAKER_UNKNOWN, "it was preempted");
    cr_expect_eq(wake_of(&s, ALPHA, base + 125).by, TT_WAKER_UNKNOWN, "it did not wait for it");
    cr_assert(tt_interval_find(s.t, alpha, base + 175, &at));
    struct tt_interval last = tt_interval_get(s.t, at);
    cr_expect(tt_waits_for_answer(s.t, s.c, &last, &m));
    cr_expect_eq(m.end, TT_NO_TIME);

    struct tt_explanation e = {0};
    cr_assert(
        tt_explain(s.wakes, &(struct tt_explain_request){alpha, base + 10, base + 70, 0, 0}, &e));
    cr_assert_eq(e.count, 7);
    cr_expect_eq(piece(&e, 0)->cause, TT_CAUSE_WORK);
    cr_expect_eq(piece(&e, 1)->flags, TT_PIECE_WAIT | TT_PIECE_QUEUED);
    cr_expect_eq(piece(&e, 1)->to, base + 40);
    cr_expect_eq(piece(&e, 2)->thread, beta);
    cr_expect_eq(piece(&e, 3)->flags, TT_PIECE_WAIT | TT_PIECE_SERVED);
    cr_expect_eq(piece(&e, 4)->thread, beta);
    cr_expect_eq(piece(&e, 5)->cause, TT_CAUSE_UNKNOWN);
    cr_expect_eq(piece(&e, 5)->from, base + 50);
    tt_explanation_free(&e);

    struct tt_snapshot snapshot = {0};
    cr_assert(tt_snapshot_make(s.wakes, base + 45, &snapshot));
    cr_expect_eq(snapshot.rows[snapshot.row_of[alpha]].by, beta);
    cr_assert(tt_snapshot_make(s.wakes, base + 55, &snapshot));
    cr_expect_eq(snapshot.rows[snapshot.row_of[alpha]].by, TT_NO_THREAD, "it has its answer");
    cr_assert(tt_snapshot_make(s.wakes, base + 195, &snapshot));
    cr_expect_eq(snapshot.rows[snapshot.row_of[alpha]].by, beta);
    tt_snapshot_free(&snapshot);
    close_scene(&s);
    stream_free(&b);
}
