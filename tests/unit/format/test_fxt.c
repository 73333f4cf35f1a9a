/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every record, event and argument type of the Fuchsia trace format, in both byte orders: written
 * here from the specification, decoded, and each value compared. A type of the decoder's tables
 * that is missing here fails the test.
 */
#include <criterion/criterion.h>

#include "format/fxt/fxt_record.h"
#include "fxt_decoded.h"

#define PID 0x8000000000001000u
#define TID 0x8000000000001001u

static void write_definitions(struct fxt_out *out)
{
    fxt_magic(out);
    fxt_provider_info(out, 7, "a provider");
    fxt_section(out, 7);
    fxt_provider_event(out, 7, 0);
    size_t at = fxt_begin(out, 1);
    fxt_word(out, 1000000000);
    fxt_word(out, 500);
    fxt_word(out, UINT64_C(1700000000000000500));
    fxt_end(out, at);
    fxt_string(out, 1, "cat");
    fxt_string(out, 0x7fff, "last string");
    fxt_thread(out, 255, PID, TID);
}

static void write_all_arguments(struct fxt_out *out)
{
    fxt_arg_short(out, 0, "null", 0);
    fxt_arg_short(out, 1, "int32", (uint32_t)-7);
    fxt_arg_short(out, 2, "uint32", 4000000000u);
    fxt_arg_long(out, 3, "int64", (uint64_t)-234516543631231);
    fxt_arg_long(out, 4, "uint64", UINT64_C(0xfedcba9876543210));
    double pi = 3.1415;
    uint64_t bits;
    memcpy(&bits, &pi, sizeof bits);
    fxt_arg_long(out, 5, "double", bits);
    fxt_arg_text(out, "string", "pong");
    fxt_arg_long(out, 7, "pointer", 0x2fd10ea19f4);
    fxt_arg_long(out, 8, "koid", TID);
    fxt_arg_short(out, 9, "true", 1);
    fxt_arg_short(out, 9, "false", 0);
    size_t at = fxt_arg(out, 10, "blob", 5);
    fxt_stream(out, "\1\2\3\4\5", 5);
    fxt_end(out, at);
    at = fxt_begin(out, 6 | UINT64_C(1) << 16 | UINT64_C(0x7fff) << 32); /* all by reference */
    fxt_end(out, at);
    at = fxt_arg(out, 13, "future", 77);
    fxt_word(out, 99);
    fxt_end(out, at);
}

static void write_events(struct fxt_out *out)
{
    static const char *const names[16] = {
        "instant", "counter", "begin", "end", "complete", "abegin", "astep", "aend",
        "fbegin",  "fstep",   "fend",  "e11", "e12",      "e13",    "e14",   "e15"};
    size_t at = fxt_begin(out, fxt_event(0, 14, 255, 1, FXT_INLINE(9)));
    fxt_word(out, 1000);
    fxt_text(out, "arguments");
    write_all_arguments(out);
    fxt_end(out, at);
    for (uint64_t type = 0; type < 16; type++) {
        size_t length = strlen(names[type]);
        at = fxt_begin(out, fxt_event(type, 1, 0, FXT_INLINE(8), FXT_INLINE(length)));
        fxt_word(out, 2000 + type);
        fxt_word(out, PID);
        fxt_word(out, TID);
        fxt_text(out, "category");
        fxt_text(out, names[type]);
        fxt_arg_long(out, 4, "n", type);
        if (type == 0) {
            fxt_word(out, 1); /* the undocumented scope: process */
        } else if (type == 4) {
            fxt_word(out, 2500);
        } else if (type == 1 || (type >= 5 && type <= 10)) {
            fxt_word(out, 0xabc0 + type);
        }
        fxt_end(out, at);
    }
}

static void write_objects(struct fxt_out *out)
{
    size_t at = fxt_begin(out, 5 | UINT64_C(0x7fff) << 16 | UINT64_C(10) << 32 | UINT64_C(1) << 48);
    fxt_stream(out, "0123456789", 10);
    fxt_end(out, at);
    at = fxt_begin(out, 6 | (uint64_t)FXT_INLINE(3) << 24 | UINT64_C(1) << 40);
    fxt_word(out, 0x2fd10ea19f4);
    fxt_word(out, PID);
    fxt_text(out, "obj");
    fxt_arg_short(out, 1, "q", 3);
    fxt_end(out, at);
    at = fxt_begin(out, fxt_kernel_object(1, FXT_INLINE(7), 0));
    fxt_word(out, PID);
    fxt_text(out, "process");
    fxt_end(out, at);
    at = fxt_begin(out, fxt_kernel_object(2, FXT_INLINE(6), 1));
    fxt_word(out, TID);
    fxt_text(out, "thread");
    fxt_arg_long(out, 8, "process", PID);
    fxt_end(out, at);
}

static void write_scheduling(struct fxt_out *out)
{
    /* Legacy: CPU 3, blocked, from the inline thread to thread 255, priorities 16 and 18. */
    size_t at = fxt_begin(out, 8 | 3 << 16 | 3 << 24 | UINT64_C(255) << 36 | UINT64_C(16) << 44 |
                                   UINT64_C(18) << 52);
    fxt_word(out, 3000);
    fxt_word(out, 50);
    fxt_word(out, 51);
    fxt_end(out, at);
    at = fxt_begin(out, fxt_switch(300, 2, 2));
    fxt_word(out, 3100);
    fxt_word(out, TID);
    fxt_word(out, 51);
    fxt_arg_short(out, 1, "outgoing_weight", 18);
    fxt_arg_short(out, 1, "incoming_weight", 16);
    fxt_end(out, at);
    at = fxt_begin(out, fxt_wakeup(4, 2));
    fxt_word(out, 3200);
    fxt_word(out, TID);
    fxt_arg_short(out, 1, "weight", 20);
    fxt_arg_long(out, 8, "waker", 51);
    fxt_end(out, at);
}

static void write_log_and_profiler(struct fxt_out *out)
{
    size_t at = fxt_begin(out, 9 | 9 << 16 | UINT64_C(255) << 32);
    fxt_word(out, 4000);
    fxt_text(out, "hello log");
    fxt_end(out, at);
    at = fxt_begin(out, 10 | 0 << 16 | UINT64_C(255) << 20 | UINT64_C(21) << 28 |
                            UINT64_C(9) << 44 | UINT64_C(4) << 52);
    fxt_word(out, 5000);
    fxt_text(out, "libfoo.so");
    fxt_stream(out, "\xde\xad\xbe\xef", 4);
    fxt_end(out, at);
    at = fxt_begin(out, 10 | 1 << 16 | UINT64_C(21) << 28 | UINT64_C(5) << 44);
    fxt_word(out, 5001);
    fxt_word(out, PID);
    fxt_word(out, 0);
    fxt_word(out, 0x1000);
    fxt_word(out, 0x2000);
    fxt_word(out, 0x3000);
    fxt_end(out, at);
    at = fxt_begin(out, 10 | 2 << 16 | UINT64_C(255) << 20 | UINT64_C(3) << 28);
    fxt_word(out, 5002);
    fxt_word(out, 0xa);
    fxt_word(out, 0xb);
    fxt_word(out, 0xc);
    fxt_end(out, at);
}

#define LARGE_BYTES 40001u /* more than 4095 words hold */

static void write_large(struct fxt_out *out)
{
    static char payload[LARGE_BYTES];
    memset(payload, 'x', sizeof payload);
    size_t at = fxt_begin(out, 15);
    fxt_word(out, 1 | (uint64_t)FXT_INLINE(5) << 16 | UINT64_C(1) << 32 | UINT64_C(255) << 36);
    fxt_text(out, "timed");
    fxt_word(out, 6000);
    fxt_arg_short(out, 2, "z", 5);
    fxt_word(out, sizeof payload);
    fxt_stream(out, payload, sizeof payload);
    fxt_end(out, at);
    at = fxt_begin(out, 15 | UINT64_C(1) << 40);
    fxt_word(out, 1 | UINT64_C(0x7fff) << 16);
    fxt_word(out, 3);
    fxt_stream(out, "abc", 3);
    fxt_end(out, at);
    fxt_simple_event(out, 0, 7000, PID, TID, "cat", "after the large ones");
}

static struct fxt_out write_everything(bool big)
{
    struct fxt_out out = {.big = big};
    write_definitions(&out);
    write_events(&out);
    write_objects(&out);
    write_scheduling(&out);
    write_log_and_profiler(&out);
    write_large(&out);
    return out;
}

/* ---- decoded values --------------------------------------------------------------------- */

static const struct tt_arg *need(const struct tt_args *args, const char *name, unsigned type)
{
    const struct tt_arg *arg = fxt_arg_named(args, name);
    cr_assert_not_null(arg, "no argument %s", name);
    cr_assert_eq(arg->type, type, "type of %s is %u", name, arg->type);
    return arg;
}

static void check_arguments(const struct fxt_reading *r)
{
    const struct tt_args *args = fxt_describe(r, fxt_find(r, "arguments"));
    cr_assert_eq(args->count, 14);
    need(args, "null", TT_ARG_NULL);
    cr_assert_eq(need(args, "int32", TT_ARG_I64)->value.i, -7);
    cr_assert_eq(need(args, "uint32", TT_ARG_U64)->value.u, 4000000000u);
    cr_assert_eq(need(args, "int64", TT_ARG_I64)->value.i, -234516543631231);
    cr_assert_eq(need(args, "uint64", TT_ARG_U64)->value.u, UINT64_C(0xfedcba9876543210));
    cr_assert_eq(need(args, "double", TT_ARG_DOUBLE)->value.d, (double)3.1415);
    cr_assert(fxt_span_is(need(args, "string", TT_ARG_STRING)->value.s, "pong"));
    const struct tt_arg *pointer = need(args, "pointer", TT_ARG_POINTER);
    cr_assert_eq(pointer->value.u, 0x2fd10ea19f4);
    cr_assert_eq(pointer->label.length, 0, "the object is registered only later");
    const struct tt_arg *koid = need(args, "koid", TT_ARG_KOID);
    cr_assert_eq(koid->value.u, TID);
    cr_assert(fxt_span_is(koid->label, "thread"), "a koid is for ever: a late name is good");
    cr_assert_eq(need(args, "true", TT_ARG_BOOL)->value.u, 1);
    cr_assert_eq(need(args, "false", TT_ARG_BOOL)->value.u, 0);
    cr_assert(fxt_span_is(need(args, "blob", TT_ARG_BYTES)->value.s, "\1\2\3\4\5"));
    cr_assert(fxt_span_is(need(args, "cat", TT_ARG_STRING)->value.s, "last string"));
    cr_assert_eq(need(args, "future", TT_ARG_BYTES)->value.s.length, 8);
}

/* Checks the raw bytes of an argument. */
static void check_raw(const struct fxt_reading *r, bool big)
{
    size_t event = fxt_find(r, "arguments");
    struct tt_part part;
    cr_assert_eq(r->c->format->parts(r->c, &r->events[event], r->c->bytes.size, &part, 1), 1);
    const uint8_t *payload = r->c->bytes.data + part.offset + part.header;
    const struct tt_args *args = fxt_describe(r, event);
    const struct tt_arg *arg = need(args, "uint64", TT_ARG_U64);
    cr_assert_eq(arg->raw_length, 8);
    cr_assert_eq(fxt_get_word(payload + arg->raw_offset, big), UINT64_C(0xfedcba9876543210));
    arg = need(args, "string", TT_ARG_STRING);
    cr_assert_eq(arg->raw_length, 4);
    cr_assert_eq(memcmp(payload + arg->raw_offset, "pong", 4), 0);
}

struct expected_event {
    const char *name;
    unsigned kind;
    int action; /* -1: none */
    const char *tail;
    uint64_t value;
};

static const struct expected_event expected_events[16] = {
    {"instant", TT_KIND_INSTANT, -1, "scope", 1},
    {"counter", TT_KIND_COUNTER, TT_ACTION_COUNTER, "id", 0xabc1},
    {"begin", TT_KIND_BEGIN, TT_ACTION_SLICE_BEGIN, NULL, 0},
    {"end", TT_KIND_END, TT_ACTION_SLICE_END, NULL, 0},
    {"complete", TT_KIND_COMPLETE, TT_ACTION_SLICE, "end", 2500},
    {"abegin", TT_KIND_ASYNC_BEGIN, TT_ACTION_ASYNC_BEGIN, "id", 0xabc5},
    {"astep", TT_KIND_ASYNC_INSTANT, -1, "id", 0xabc6},
    {"aend", TT_KIND_ASYNC_END, TT_ACTION_ASYNC_END, "id", 0xabc7},
    {"fbegin", TT_KIND_FLOW_BEGIN, TT_ACTION_FLOW_BEGIN, "id", 0xabc8},
    {"fstep", TT_KIND_FLOW_STEP, TT_ACTION_FLOW_STEP, "id", 0xabc9},
    {"fend", TT_KIND_FLOW_END, TT_ACTION_FLOW_END, "id", 0xabca},
    {"e11", TT_KIND_EVENT, -1, NULL, 0},
    {"e12", TT_KIND_EVENT, -1, NULL, 0},
    {"e13", TT_KIND_EVENT, -1, NULL, 0},
    {"e14", TT_KIND_EVENT, -1, NULL, 0},
    {"e15", TT_KIND_EVENT, -1, NULL, 0},
};

static uint64_t action_value(const struct expected_event *e, const struct tt_action *action)
{
    double value;
    switch (e->action) {
    case TT_ACTION_COUNTER:
        memcpy(&value, &action->value, sizeof value);
        cr_assert_eq(value, 1.0);
        return e->value;
    case TT_ACTION_SLICE:
        return action->value + 2004;
    default:
        return action->value;
    }
}

static void check_event(const struct fxt_reading *r, unsigned type)
{
    const struct expected_event *e = &expected_events[type];
    size_t n = fxt_find(r, e->name);
    const struct tt_event *event = &r->events[n];
    const struct tt_args *args = fxt_describe(r, n);
    cr_assert_str_eq(fxt_class(r, n), "category");
    cr_assert_eq(event->ticks, 2000 + type);
    cr_assert_eq(event->kind, e->kind);
    cr_assert_eq(event->cpu, TT_NO_CPU);
    cr_assert_eq(fxt_pid(r, event->thread), PID);
    cr_assert_eq(fxt_tid(r, event->thread), TID);
    cr_assert_eq(need(args, "n", TT_ARG_U64)->value.u, type);
    cr_assert_eq(args->count, e->tail ? 2 : 1);
    if (e->tail) {
        cr_assert_eq(need(args, e->tail, TT_ARG_U64)->value.u, e->value);
    }
    const struct tt_action *action = fxt_action_of(r, n, 0);
    if (e->action < 0) {
        cr_assert_null(action);
        return;
    }
    cr_assert_not_null(action);
    cr_assert_eq(action->kind, e->action);
    cr_assert_eq(action->thread, event->thread);
    cr_assert_eq(action_value(e, action), e->value);
    cr_assert_null(fxt_action_of(r, n, 1));
}

static void check_scheduling(const struct fxt_reading *r)
{
    size_t n = fxt_find(r, "context_switch");
    const struct tt_action *action = fxt_action_of(r, n, 1);
    cr_assert_eq(fxt_action_of(r, n, 0)->kind, TT_ACTION_LOST, "the provider's buffer filled up");
    cr_assert_str_eq(fxt_class(r, n), "sched");
    cr_assert_eq(r->events[n].kind, TT_KIND_SWITCH);
    cr_assert_eq(r->events[n].cpu, 3);
    cr_assert_eq(action->kind, TT_ACTION_SWITCH);
    cr_assert_eq(action->cpu, 3);
    cr_assert_eq(fxt_tid(r, action->thread), TID);
    cr_assert_eq(fxt_tid(r, action->other), 51);
    cr_assert_eq(fxt_pid(r, action->other), 50);
    cr_assert_str_eq(r->c->format->states[action->state].name, "blocked");
    cr_assert_eq(r->c->format->states[action->state].class_, TT_CLASS_WAIT);
    const struct tt_args *args = fxt_describe(r, n);
    cr_assert_eq(need(args, "outgoing", TT_ARG_KOID)->value.u, 51);
    cr_assert_eq(need(args, "outgoing_process", TT_ARG_KOID)->value.u, 50);
    cr_assert(fxt_span_is(need(args, "incoming", TT_ARG_KOID)->label, "thread"));
    cr_assert(fxt_span_is(need(args, "outgoing_state", TT_ARG_U64)->label, "blocked"));

    n++;
    action = fxt_action_of(r, n, 0);
    cr_assert_str_eq(fxt_name(r, n), "context_switch");
    cr_assert_eq(r->events[n].cpu, 300);
    cr_assert_eq(fxt_pid(r, action->thread), 50, "the legacy record gave the process");
    cr_assert_eq(fxt_tid(r, action->other), TID);
    cr_assert_eq(r->c->format->states[action->state].class_, TT_CLASS_STOPPED);
    cr_assert_eq(action->kind, TT_ACTION_SWITCH);
    cr_assert_eq(tt_action_left_priority(action->value), 18);
    cr_assert_eq(action->priority, 16);

    n = fxt_find(r, "thread_wakeup");
    action = fxt_action_of(r, n, 0);
    cr_assert_eq(r->events[n].kind, TT_KIND_WAKEUP);
    cr_assert_eq(action->kind, TT_ACTION_WAKEUP);
    cr_assert_eq(action->cpu, 4);
    cr_assert_eq(action->priority, 20);
    cr_assert_eq(fxt_tid(r, action->thread), TID);
    cr_assert_eq(fxt_tid(r, action->other), 51);
    cr_assert_eq(r->c->cpu_count, 301);
}

static void check_texts_and_samples(const struct fxt_reading *r)
{
    size_t n = fxt_find(r, "message");
    cr_assert_str_eq(fxt_class(r, n), "log");
    cr_assert_eq(r->events[n].kind, TT_KIND_LOG);
    cr_assert(
        fxt_span_is(need(fxt_describe(r, n), "message", TT_ARG_STRING)->value.s, "hello log"));

    n = fxt_find(r, "module");
    const struct tt_args *args = fxt_describe(r, n);
    cr_assert_str_eq(fxt_class(r, n), "profiler");
    cr_assert_eq(need(args, "module", TT_ARG_U64)->value.u, 21);
    cr_assert(fxt_span_is(need(args, "name", TT_ARG_STRING)->value.s, "libfoo.so"));
    cr_assert(fxt_span_is(need(args, "build_id", TT_ARG_BYTES)->value.s, "\xde\xad\xbe\xef"));

    n = fxt_find(r, "mmap");
    args = fxt_describe(r, n);
    cr_assert_eq(fxt_pid(r, r->events[n].thread), PID);
    cr_assert_eq(fxt_tid(r, r->events[n].thread), 0);
    cr_assert_eq(need(args, "flags", TT_ARG_HEX)->value.u, 5);
    cr_assert_eq(need(args, "start", TT_ARG_POINTER)->value.u, 0x1000);
    cr_assert_eq(need(args, "range", TT_ARG_HEX)->value.u, 0x2000);
    cr_assert_eq(need(args, "vaddr", TT_ARG_POINTER)->value.u, 0x3000);

    n = fxt_find(r, "backtrace");
    args = fxt_describe(r, n);
    cr_assert_eq(r->events[n].kind, TT_KIND_SAMPLE);
    cr_assert_eq(args->count, 3);
    cr_assert_eq(args->v[2].value.u, 0xc);

    n = fxt_find(r, "timed");
    args = fxt_describe(r, n);
    cr_assert_eq(r->events[n].kind, TT_KIND_BLOB);
    cr_assert_eq(r->events[n].ticks, 6000);
    cr_assert_eq(need(args, "z", TT_ARG_U64)->value.u, 5);
    cr_assert_eq(need(args, "size", TT_ARG_U64)->value.u, LARGE_BYTES);
    cr_assert_eq(need(args, "payload", TT_ARG_BYTES)->value.s.data[0], 'x');
    cr_assert_eq(r->events[fxt_find(r, "after the large ones")].ticks, 7000);
}

static void check_definitions(const struct fxt_reading *r)
{
    const struct tt_args *args = fxt_describe(r, fxt_find(r, "provider_info"));
    cr_assert_eq(need(args, "provider", TT_ARG_U64)->value.u, 7);
    cr_assert(fxt_span_is(need(args, "name", TT_ARG_STRING)->value.s, "a provider"));
    args = fxt_describe(r, fxt_find(r, "provider_event"));
    cr_assert(fxt_span_is(need(args, "provider_event", TT_ARG_U64)->label, "buffer filled up"));
    args = fxt_describe(r, fxt_find(r, "init"));
    cr_assert_eq(need(args, "ticks_per_second", TT_ARG_U64)->value.u, 1000000000);
    cr_assert_eq(need(args, "base_tick", TT_ARG_U64)->value.u, 500);
    args = fxt_describe(r, fxt_find(r, "string"));
    cr_assert_eq(need(args, "index", TT_ARG_U64)->value.u, 1);
    cr_assert(fxt_span_is(need(args, "value", TT_ARG_STRING)->value.s, "cat"));
    size_t thread = 0;
    while (strcmp(fxt_name(r, thread), "thread") != 0) {
        thread++;
    }
    args = fxt_describe(r, thread);
    cr_assert_eq(need(args, "index", TT_ARG_U64)->value.u, 255);
    cr_assert_eq(need(args, "process", TT_ARG_KOID)->value.u, PID);
    args = fxt_describe(r, fxt_find(r, "blob"));
    cr_assert(fxt_span_is(need(args, "name", TT_ARG_STRING)->value.s, "last string"));
    cr_assert(fxt_span_is(need(args, "payload", TT_ARG_BYTES)->value.s, "0123456789"));
    cr_assert(fxt_span_is(need(args, "type", TT_ARG_U64)->label, "data"));
    args = fxt_describe(r, fxt_find(r, "userspace_object"));
    cr_assert_eq(need(args, "process", TT_ARG_KOID)->value.u, PID);
    cr_assert_eq(need(args, "pointer", TT_ARG_POINTER)->value.u, 0x2fd10ea19f4);
    cr_assert_eq(need(args, "q", TT_ARG_I64)->value.i, 3);
    args = fxt_describe(r, fxt_find(r, "kernel_object"));
    cr_assert(fxt_span_is(need(args, "type", TT_ARG_U64)->label, "process"));
    args = fxt_describe(r, fxt_find(r, "large_blob"));
    cr_assert(fxt_span_is(need(args, "payload", TT_ARG_BYTES)->value.s, "abc"));
}

/* Expects all layouts of the decoder's tables and all argument types to occur. */
static void check_coverage(const struct fxt_reading *r, bool big)
{
    bool met[TT_FXT_LAYOUTS] = {false};
    bool known[TT_FXT_LAYOUTS] = {false};
    unsigned layouts = 0, missing = 0;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t header = fxt_get_word(r->c->bytes.data + r->events[i].pos, big);
        met[tt_fxt_layout_of(header)->number] = true;
    }
    for (uint64_t type = 0; type < 16; type++) {
        for (uint64_t sub = 0; sub < 256; sub++) {
            const uint64_t headers[] = {type | sub << 16, type | sub << 36, type | sub << 60};
            for (unsigned h = 0; h < 3; h++) {
                const struct tt_fxt_layout *layout = tt_fxt_layout_of(headers[h]);
                if (layout && !known[layout->number]) {
                    known[layout->number] = true;
                    layouts++;
                    missing += !met[layout->number];
                }
            }
        }
    }
    cr_assert_eq(layouts, 31, "%u layouts", layouts);
    cr_assert_eq(missing, 0, "%u of %u layouts are not in this capture", missing, layouts);
    unsigned args = fxt_describe(r, fxt_find(r, "arguments"))->count;
    cr_assert_geq(args, TT_FXT_ARG_TYPES);
}

static void check_everything(bool big)
{
    struct fxt_out out = write_everything(big);
    struct fxt_reading r = fxt_read(out.bytes, out.size, true);
    cr_assert_eq(r.c->big_endian, big);
    cr_assert_eq(r.c->clock_hz, 1000000000);
    cr_assert(r.c->has_wall_clock);
    cr_assert_eq(r.c->wall_clock, 1700000000);
    check_arguments(&r);
    check_raw(&r, big);
    for (unsigned type = 0; type < 16; type++) {
        check_event(&r, type);
    }
    check_scheduling(&r);
    check_texts_and_samples(&r);
    check_definitions(&r);
    check_coverage(&r, big);
    cr_assert_eq(r.records, r.count, "every record is listed");
    cr_assert(!tt_health_damaged(r.c));
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_EVENT), 5 + 1);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_LOST), 1);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 0);
    fxt_reading_free(&r);
    free(out.bytes);
}

Test(fxt, everything_little_endian)
{
    check_everything(false);
}

Test(fxt, everything_big_endian)
{
    check_everything(true);
}

Test(fxt, definitions_are_not_events)
{
    struct fxt_out out = write_everything(false);
    struct fxt_reading with = fxt_read(out.bytes, out.size, true);
    struct fxt_reading without = fxt_read(out.bytes, out.size, false);
    size_t definitions = 0;
    for (size_t i = 0; i < with.count; i++) {
        bool flagged = (with.events[i].flags & TT_EVENT_DEFINITION) != 0;
        cr_assert_eq(flagged, with.events[i].kind == TT_KIND_DEFINITION);
        definitions += flagged;
    }
    cr_assert_eq(definitions, 13);
    cr_assert_eq(without.count, with.count - definitions);
    cr_assert_eq(without.records, with.records);
    for (size_t i = 0; i < without.count; i++) {
        cr_assert_eq(without.events[i].flags & TT_EVENT_DEFINITION, 0);
    }
    fxt_reading_free(&with);
    fxt_reading_free(&without);
    free(out.bytes);
}

/* The fast paths of parsing give the same result as the tables, for any bytes. */
Test(fxt, fast_paths_agree_with_tables)
{
    static const struct {
        uint64_t header;
        unsigned roles[7];
    } kinds[] = {
        {4, {TT_FXT_TIME, TT_FXT_THREAD, TT_FXT_CATEGORY, TT_FXT_NAME, TT_FXT_ARGS, TT_FXT_TAIL}},
        {8 | UINT64_C(1) << 60, {TT_FXT_TIME, TT_FXT_A, TT_FXT_B, TT_FXT_ARGS}},
        {8 | UINT64_C(2) << 60, {TT_FXT_TIME, TT_FXT_A, TT_FXT_ARGS}},
    };
    uint8_t bytes[40 * 8];
    uint64_t state = 88172645463325252u;
    for (unsigned round = 0; round < 200000; round++) {
        unsigned k = round % 3;
        for (unsigned i = 0; i < sizeof bytes / 8; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            /* Small sizes and short names, so that some of them fit. */
            uint64_t word = state & ~UINT64_C(0x7ff07ff07fe0ffc0);
            fxt_put_word(bytes + (size_t)i * 8, word, false);
        }
        uint32_t words = (uint32_t)(1 + state % 40);
        uint64_t header =
            (fxt_get_word(bytes, false) & UINT64_C(0x0fffffffffff0000)) | kinds[k].header;
        fxt_put_word(bytes, header, false);
        struct tt_fxt_record record = {bytes, 0, words, false};
        struct tt_fxt_view fast, table;
        tt_fxt_parse(&record, tt_fxt_layout_of(header), &fast);
        tt_fxt_parse_by_table(&record, tt_fxt_layout_of(header), &table);
        cr_assert_eq(fast.whole, table.whole);
        cr_assert_eq(fast.usable, table.usable);
        cr_assert_eq(fast.args, table.args);
        if (table.usable) {
            cr_assert_eq(fast.end, table.end);
            for (unsigned i = 0; i < 7; i++) {
                cr_assert_eq(fast.at[kinds[k].roles[i]], table.at[kinds[k].roles[i]]);
            }
        }
    }
}

Test(fxt, probe)
{
    struct fxt_out out = {0};
    struct tt_capture *c;
    fxt_simple_event(&out, 0, 1, 2, 3, "c", "n");
    fxt_simple_event(&out, 0, 1, 2, 3, "c", "n");
    /* A few records without the magic number are not enough. */
    struct tt_status status = tt_capture_new(tt_bytes_of(out.bytes, out.size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, "a.fxt", NULL);
    cr_assert_eq(status.code, TT_ERR_NOT_CAPTURE);
    tt_capture_free(c);
    for (unsigned i = 0; i < 20; i++) {
        fxt_simple_event(&out, 0, 10 + i, 2, 3, "c", "more");
    }
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 22);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_HEADER), 1);
    fxt_reading_free(&r);
    free(out.bytes);
}
