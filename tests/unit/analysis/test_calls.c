/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees of calls compared with a model that has the stack of every thread at every tick, for random nesting with
 * recursion, calls that end with their caller, losses, interrupts and migrations:
 *
 *      ticks      0 1 2 3 4 5 6 7 8 9
 *      stack      - a a a a a a a - -         total of a:   one for each tick with an `a`
 *                     b b b b                 self of a;b:  one for each tick with this stack
 *                       a
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/calls.h"
#include "fed_timelines.h"

#define TICKS   900u
#define THREADS 3u
#define CPUS    2u
#define NAMES   4u
#define DEEPEST 12u
#define PATHS   4000u

enum { UNKNOWN, RUNNING, READY, WAITING };

static uint64_t seed;

static uint32_t dice(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

/* ---- the model ---------------------------------------------------------------------------- */

struct stack {
    uint8_t names[DEEPEST];
    unsigned depth;
};

struct model {
    struct fed fed;
    struct stack at[THREADS][TICKS]; /* from each tick to the next one */
    bool runs[THREADS][TICKS];       /* on a CPU and in no interrupt */
    struct stack now[THREADS];
    uint64_t begun[THREADS][DEEPEST];
    int cpu_of[THREADS]; /* -1: on none */
    unsigned irqs[CPUS];
    uint64_t from, to;
};

static struct model model;

/* A path as a number: names of callers from the first one on, in base NAMES + 1. */
static uint64_t path_of(const struct stack *stack, unsigned depth)
{
    uint64_t path = 0;
    for (unsigned i = 0; i < depth; i++) {
        path = path * (NAMES + 1) + stack->names[i] + 1;
    }
    return path;
}

struct sums_of_path {
    uint64_t path, total, self, run, self_run, count, min, max;
};

static struct sums_of_path sums[3][PATHS]; /* of the tree, inverted, of names */
static size_t sum_count[3];

static struct sums_of_path *sum_of(unsigned tree, uint64_t path)
{
    for (size_t i = 0; i < sum_count[tree]; i++) {
        if (sums[tree][i].path == path) {
            return &sums[tree][i];
        }
    }
    cr_assert_lt(sum_count[tree], PATHS);
    sums[tree][sum_count[tree]] = (struct sums_of_path){.path = path};
    return &sums[tree][sum_count[tree]++];
}

static void count_call(unsigned tree, uint64_t path, uint64_t length)
{
    struct sums_of_path *sum = sum_of(tree, path);
    sum->min = sum->count == 0 || length < sum->min ? length : sum->min;
    sum->max = length > sum->max ? length : sum->max;
    sum->count++;
}

/* Adds a call that has ended, if that is in the window. */
static void end_top(uint32_t thread, uint64_t now)
{
    struct stack *stack = &model.now[thread];
    uint64_t inverted = 0, length = now - model.begun[thread][stack->depth - 1];
    if (now >= model.from && now < model.to) {
        count_call(0, path_of(stack, stack->depth), length);
        for (unsigned i = stack->depth; i-- > 0;) {
            inverted = inverted * (NAMES + 1) + stack->names[i] + 1;
            count_call(1, inverted, length);
        }
        count_call(2, stack->names[stack->depth - 1], length);
    }
    stack->depth--;
}

static bool is_outermost(const struct stack *stack, unsigned depth)
{
    return !memchr(stack->names, stack->names[depth], depth);
}

/* Adds a tick of a thread to all sums. */
static void add_tick(const struct stack *stack, bool runs)
{
    for (unsigned i = 0; i < stack->depth; i++) {
        bool own = i + 1 == stack->depth, outermost = is_outermost(stack, i);
        struct sums_of_path *of_tree = sum_of(0, path_of(stack, i + 1));
        struct sums_of_path *of_name = sum_of(2, stack->names[i]);
        uint64_t inverted = 0;
        of_tree->total++;
        of_tree->run += runs;
        of_tree->self += own;
        of_tree->self_run += own && runs;
        of_name->total += outermost;
        of_name->run += outermost && runs;
        of_name->self += own;
        of_name->self_run += own && runs;
        for (unsigned k = i + 1; k-- > 0;) {
            inverted = inverted * (NAMES + 1) + stack->names[k] + 1;
            struct sums_of_path *of_callers = sum_of(1, inverted);
            of_callers->total += outermost;
            of_callers->run += outermost && runs;
            of_callers->self += own;
            of_callers->self_run += own && runs;
        }
    }
}

/* ---- random captures ---------------------------------------------------------------------- */

static void act(uint64_t now, struct tt_action action)
{
    action.ticks = now;
    feed(&model.fed, action);
}

static void random_call(uint64_t now, uint32_t thread, uint32_t first_type)
{
    struct stack *stack = &model.now[thread];
    if (stack->depth > 0 && (dice(2) == 0 || stack->depth == DEEPEST)) {
        unsigned depth = dice(4) == 0 ? dice(stack->depth) : stack->depth - 1;
        uint8_t name = stack->names[depth];
        while (memchr(stack->names + depth + 1, name, stack->depth - depth - 1)) {
            depth++; /* the innermost with that id */
            name = stack->names[depth] == name ? name : stack->names[depth];
        }
        act(now, (struct tt_action){.kind = TT_ACTION_SLICE_END,
                                    .thread = thread,
                                    .value = name,
                                    .flags = TT_ACTION_UNWINDS});
        while (stack->depth > depth) {
            end_top(thread, now);
        }
    } else {
        uint8_t name = (uint8_t)dice(NAMES);
        act(now, (struct tt_action){.kind = TT_ACTION_SLICE_BEGIN,
                                    .thread = thread,
                                    .value = name,
                                    .other = first_type + name});
        model.begun[thread][stack->depth] = now;
        stack->names[stack->depth++] = name;
    }
}

static void random_state(uint64_t now, uint32_t thread)
{
    uint32_t cpu = dice(CPUS), state = 1 + dice(3);
    act(now, (struct tt_action){.kind = TT_ACTION_STATE,
                                .thread = thread,
                                .cpu = (uint16_t)cpu,
                                .state = (uint16_t)state});
    for (unsigned i = 0; state == RUNNING && i < THREADS; i++) {
        model.cpu_of[i] = model.cpu_of[i] == (int)cpu ? -1 : model.cpu_of[i];
    }
    model.cpu_of[thread] = state == RUNNING ? (int)cpu : -1;
    model.irqs[cpu] = state == RUNNING ? 0 : model.irqs[cpu]; /* it has left its interrupts */
}

static void random_interrupt(uint64_t now)
{
    uint32_t cpu = dice(CPUS);
    bool enters = model.irqs[cpu] == 0 || dice(2) == 0;
    act(now,
        (struct tt_action){.kind = enters ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE,
                           .thread = TT_NO_THREAD,
                           .cpu = (uint16_t)cpu});
    model.irqs[cpu] += enters ? 1 : UINT32_MAX;
}

/* Loses the records since the latest event: open calls end there, and are not counted. */
static void lose(uint64_t now, uint64_t since)
{
    act(now, (struct tt_action){.kind = TT_ACTION_LOST_SLICES,
                                .thread = TT_NO_THREAD,
                                .value = since,
                                .flags = TT_ACTION_WITH_LOST});
    for (unsigned thread = 0; thread < THREADS; thread++) {
        for (uint64_t tick = since; tick < now; tick++) {
            model.at[thread][tick].depth = 0;
        }
        model.now[thread].depth = 0;
    }
}

static void random_capture(void)
{
    static const struct tt_state_info states[] = {{"unknown", TT_CLASS_UNKNOWN, 0, 0, 0, NULL},
                                                  {"RUNNING", TT_CLASS_RUNNING, 0, 0, 0, NULL},
                                                  {"READY", TT_CLASS_READY, 0, 0, 0, NULL},
                                                  {"WAITING", TT_CLASS_WAIT, 0, 0, 0, NULL}};
    static struct tt_format format;
    static const char *const names[NAMES] = {"a", "b", "c", "d"};
    memset(&model, 0, sizeof model);
    memset(sum_count, 0, sizeof sum_count);
    memset(model.cpu_of, -1, sizeof model.cpu_of);
    format = format_of_states(states, 4);
    model.fed = fed_open(&format);
    model.from = dice(TICKS / 3);
    model.to = TICKS - dice(TICKS / 3);
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&model.fed, 10, i + 1);
    }
    uint32_t first_type = tt_types_count(model.fed.trace->capture);
    for (uint32_t i = 0; i < NAMES; i++) {
        tt_types_add(model.fed.trace->capture, "call", names[i], 1000 + i, TT_KIND_EVENT);
    }
    fed_begin(&model.fed, 0);
    uint64_t latest = 0;
    for (uint64_t now = 0; now < TICKS; now++) {
        uint32_t what = dice(100);
        if (what < 50) {
            random_call(now, dice(THREADS), first_type);
        } else if (what < 60) {
            random_state(now, dice(THREADS));
        } else if (what < 70) {
            random_interrupt(now);
        } else if (what == 70) {
            lose(now, latest);
        }
        latest = what <= 70 ? now : latest;
        for (uint32_t i = 0; i < THREADS; i++) {
            int cpu = model.cpu_of[i];
            model.at[i][now] = model.now[i];
            model.runs[i][now] = cpu >= 0 && model.irqs[cpu] == 0;
        }
    }
    act(TICKS, (struct tt_action){.kind = TT_ACTION_NOTE, .thread = 0, .other = first_type});
    for (uint64_t tick = model.from; tick < model.to; tick++) {
        for (uint32_t i = 0; i < THREADS; i++) {
            add_tick(&model.at[i][tick], model.runs[i][tick]);
        }
    }
}

/* ---- comparison --------------------------------------------------------------------------- */

static void compare_sums(unsigned tree, uint64_t path, const struct tt_call_sums *found)
{
    const struct sums_of_path *sum = sum_of(tree, path);
    cr_expect_eq(found->total, sum->total, "total %" PRIu64 " %" PRIu64, found->total, sum->total);
    cr_expect_eq(found->self, sum->self, "self %" PRIu64 " %" PRIu64, found->self, sum->self);
    cr_expect_eq(found->run, sum->run, "run %" PRIu64 " %" PRIu64, found->run, sum->run);
    cr_expect_eq(found->self_run, sum->self_run);
    cr_expect_eq(found->count, sum->count, "count %" PRIu64 " %" PRIu64, found->count, sum->count);
    cr_expect_eq(found->min, sum->min);
    cr_expect_eq(found->max, sum->max);
}

/* Returns the number of paths with anything in them. */
static size_t used_paths(unsigned tree)
{
    size_t count = 0;
    for (size_t i = 0; i < sum_count[tree]; i++) {
        count += sums[tree][i].total > 0 || sums[tree][i].count > 0 || sums[tree][i].self > 0;
    }
    return count;
}

/* Compares each node, in the order of the tree, whose callers come first and whose siblings get smaller. */
static void compare_tree(unsigned tree, struct tt_calls *calls)
{
    size_t count = 0, nodes = 0;
    uint64_t paths[TT_SLICE_DEPTHS + 1] = {0}, largest[TT_SLICE_DEPTHS + 1];
    const size_t wanted = used_paths(tree);
    cr_assert(tt_calls_sort(calls));
    memset(largest, 0xff, sizeof largest);
    for (uint32_t node = calls->first; node != TT_NO_CALL; node = tt_calls_next(calls, node)) {
        const struct tt_call *call = &calls->calls[node];
        const char *name = tt_types_at(calls->capture, calls->names[call->name].type)->name;
        paths[call->depth + 1] = paths[call->depth] * (NAMES + 1) + (uint64_t)(name[0] - 'a') + 1;
        cr_expect_leq(tree == 0 ? call->sums.total : call->sums.self, largest[call->depth]);
        largest[call->depth] = tree == 0 ? call->sums.total : call->sums.self;
        largest[call->depth + 1] = UINT64_MAX;
        compare_sums(tree, paths[call->depth + 1], &call->sums);
        count += call->sums.total > 0 || call->sums.count > 0 || call->sums.self > 0;
        nodes++;
    }
    cr_expect_eq(nodes, calls->call_count);
    cr_expect_eq(count, wanted, "%zu paths, %zu", count, wanted);
}

static void compare_capture(void)
{
    struct tt_calls calls, inverted;
    tt_calls_begin(&calls, model.fed.trace->capture, model.from, model.to);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        enum tt_calls_walked walked = TT_CALLS_PART;
        while (walked == TT_CALLS_PART) {
            uint64_t work = 1 + dice(50);
            walked = tt_calls_add(&calls, model.fed.t, thread, &work);
        }
        cr_assert_eq(walked, TT_CALLS_ALL);
    }
    const size_t names = used_paths(2);
    for (size_t i = 0; i < calls.name_count; i++) {
        const char *name = tt_types_at(calls.capture, calls.names[i].type)->name;
        compare_sums(2, (uint64_t)(name[0] - 'a'), &calls.names[i].sums);
    }
    cr_expect_geq(calls.name_count, names);
    cr_assert(tt_calls_invert(&calls, &inverted));
    compare_tree(0, &calls);
    compare_tree(1, &inverted);
    tt_calls_free(&calls);
    tt_calls_free(&inverted);
    fed_close(&model.fed);
}

Test(calls, random_nesting_with_losses)
{
    for (seed = 1; seed < 60; seed += 1) {
        uint64_t kept = seed;
        random_capture();
        compare_capture();
        seed = kept;
    }
}
