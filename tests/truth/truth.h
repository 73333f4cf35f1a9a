/* SPDX-License-Identifier: Apache-2.0 */
/*
 * truth: reads the truth of a simulated run (docs/simulator.md).
 * Included by check_truth.c alone.
 */
#ifndef TT_TESTS_TRUTH_H
#define TT_TESTS_TRUTH_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/stats.h"

#define DIFFERENCES_SHOWN 12
#define LINE_BYTES        4096

/* Limits of a format compared with the simulation. */
struct reading {
    const char *format;
    uint64_t slots_at; /* a thread's tid is its address: slots_at + slot * slot_size; 0: the tid */
    uint64_t slot_size;
    bool no_process_end; /* the dead stay dead until a loss, or until the capture ends */
    bool other_states;   /* states are named otherwise: the classes must agree */
    bool low_half;       /* the clock's high half may be missing: times agree mod 2^32 */
    bool idle_by_name;   /* idle threads are known by name, which rings lose */
    bool counts_only;    /* its times are those of entries, not of the recorded events */
    bool lanes_again;    /* a reused id is the same lane (docs/metrics.md, "Lanes") */
    bool timeless;       /* objects have no time */
    bool by_tid;         /* a thread is known by its number alone */
    bool ring_unnamed;   /* an overwritten ring lacks the process of threads created before it */
};

static const struct reading readings[] = {
    {"kev", 0, 0, false, false, false, false, false, true, false, false, false},
    {"fxt", 0, 0, true, false, false, false, false, false, true, false, false},
    {"btrace", 0xc8000000u, 0x400u, false, true, true, true, false, false, false, false, true},
    {"trx", 0x20400000u, 0x100u, false, true, false, false, true, true, true, false, false},
    {"ftrace", 0, 0, true, true, false, false, false, false, true, true, false},
    {"lttng", 0, 0, true, true, false, false, false, false, true, true, false},
    {"zephyr", 0x20010000u, 0x100u, true, true, true, true, false, true, true, false, false},
};

/* ---- records of the truth ----------------------------------------------------------------- */

struct span { /* an interval of a lane, a delay, an interrupt */
    uint32_t lane;
    uint64_t start;
    uint64_t end;
    uint16_t cpu;
    uint8_t class_; /* of an interval; of a delay its kind */
};

struct change { /* a context switch */
    uint64_t at;
    uint32_t from;
    uint32_t to;
    uint16_t cpu;
    char why;
    bool migration;
};

struct spans {
    struct span *v;
    size_t count;
    size_t capacity;
};

/* The sums of a lane; of several processes that the capture cannot tell apart, together. */
struct lane_truth {
    uint64_t ticks[TT_CLASS_COUNT];
    uint64_t run, irq, in, voluntary, preempted, out_unknown, migrations, idle;
    uint64_t delay[4][3]; /* sch, preempted, wait, slice: count, ticks, max */
    uint64_t last_end;    /* of its last interval */
    unsigned lines;       /* sum lines; 0: none yet */
    unsigned lives;       /* threads of the lane, one after another */
    bool forgotten;
    bool dead_at_end; /* its last interval is of class dead */
    char line[LINE_BYTES];
};

struct checker {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_capture *capture;
    const struct tt_timelines *t;
    const struct reading *reading;
    uint64_t differences;
    uint64_t checks;
    uint64_t to;    /* after the last event */
    uint64_t ahead; /* offset of the truth's times from ours, ticks */

    struct spans intervals; /* of known state and some length */
    struct spans delays;
    struct spans slices;     /* `start`: the end minus the time without interrupts */
    struct spans interrupts; /* outermost ones */
    struct change *changes;
    size_t change_count;
    size_t change_capacity;
    struct lane_truth **lanes; /* by thread */
    struct spans messages;
    struct spans lives; /* the number of a thread in `start` */
    uint64_t irq_count, irq_ticks, irq_max;
    bool losses;
    bool
        merged; /* a lane has several threads of the truth: a change of the CPU between them is a migration */
    bool overwritten; /* a ring that has the newest part of the run only */
};

static void *grown(void *list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return list;
    }
    *capacity = *capacity ? *capacity * 2 : 1024;
    list = realloc(list, *capacity * size);
    if (!list) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return list;
}

static void add_span(struct spans *spans, struct span span)
{
    spans->v = grown(spans->v, spans->count, &spans->capacity, sizeof *spans->v);
    spans->v[spans->count++] = span;
}

/* ---- one line of the truth: a flat JSON object -------------------------------------------- */

static const char *find_key(const char *line, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : NULL;
}

static uint64_t number_of(const char *line, const char *key)
{
    const char *at = find_key(line, key);
    return at ? strtoull(at, NULL, 10) : 0;
}

/* Returns an instant in the capture's ticks. */
static uint64_t time_of(const struct checker *c, const char *line, const char *key)
{
    return number_of(line, key) - c->ahead;
}

static bool text_is(const char *line, const char *key, const char *text)
{
    const char *at = find_key(line, key);
    size_t length = strlen(text);
    return at && at[0] == '"' && strncmp(at + 1, text, length) == 0 && at[1 + length] == '"';
}

static uint8_t class_of(const char *line)
{
    for (uint8_t i = 0; i < TT_CLASS_COUNT; i++) {
        if (text_is(line, "class", tt_class_name(i))) {
            return i;
        }
    }
    return TT_CLASS_UNKNOWN;
}

static void expect(struct checker *c, const char *line, const char *what, uint64_t truth,
                   uint64_t ours)
{
    c->checks++;
    if (truth == ours) {
        return;
    }
    if (c->differences++ < DIFFERENCES_SHOWN) {
        printf("%s: truth %" PRIu64 ", ours %" PRIu64 ": %.*s\n", what, truth, ours,
               (int)strcspn(line, "\n"), line);
    }
}

/* ---- lanes -------------------------------------------------------------------------------- */

/* Counts the earlier processes with the same pid. */
static uint64_t instance_of(const struct checker *c, const struct tt_process *process)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < tt_process_count(c->capture); i++) {
        const struct tt_process *p = tt_process_at(c->capture, i);
        before += p->pid == process->pid && p->first_when < process->first_when;
    }
    return before;
}

static uint32_t lane_of_instance(const struct checker *c, uint64_t pid, uint64_t tid,
                                 uint64_t instance)
{
    for (uint32_t i = 0; i < tt_process_count(c->capture); i++) {
        const struct tt_process *p = tt_process_at(c->capture, i);
        if (p->pid == pid && instance_of(c, p) == instance) {
            return tt_registry_find_thread(c->capture, pid, tid, p->first_when);
        }
    }
    return UINT32_MAX;
}

/*
 * The thread with this address at an instant: the one that began last. (The high half of a tid is
 * the number of earlier uses of the address.)
 */
static uint32_t lane_at_address(const struct checker *c, uint64_t address, uint64_t ticks)
{
    uint32_t found = UINT32_MAX;
    uint64_t begun = 0;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        struct tt_interval_at at;
        if ((uint32_t)tt_thread_at(c->capture, lane)->tid != address ||
            !tt_interval_find(c->t, lane, ticks, &at) || !tt_interval_first(c->t, lane, &at)) {
            continue;
        }
        uint64_t first = tt_interval_get(c->t, at).start;
        if (found == UINT32_MAX || first >= begun) {
            found = lane;
            begun = first;
        }
    }
    return found;
}

/* The thread of this number; those of pid 0 are idle. */
static uint32_t lane_of_tid(const struct checker *c, uint64_t pid, uint64_t tid)
{
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        const struct tt_thread *thread = tt_thread_at(c->capture, lane);
        bool idle = tt_process_at(c->capture, thread->process)->pid == 0;
        if (thread->tid == tid && idle == (pid == 0)) {
            return lane;
        }
    }
    return UINT32_MAX;
}

/* Returns the lane of the line's thread at `ticks`, which matters where addresses are reused. */
static uint32_t lane_of(const struct checker *c, const char *line, uint64_t ticks)
{
    const struct reading *r = c->reading;
    if (r->slots_at != 0) {
        return lane_at_address(c, r->slots_at + number_of(line, "slot") * r->slot_size, ticks);
    }
    if (r->by_tid) {
        return lane_of_tid(c, number_of(line, "pid"), number_of(line, "tid"));
    }
    return lane_of_instance(c, number_of(line, "pid"), number_of(line, "tid"),
                            number_of(line, "instance"));
}

#endif
