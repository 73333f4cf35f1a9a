/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tt_events_find_types against tt_events_read: each type alone, sets of types, all and none; captures
 * with several blocks, processors, losses, times out of order and combined events.
 */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kev_build.h"
#include "tracetui/format.h"
#include "tracetui/trace.h"

#define MAX      128u
#define TYPES    2048u
#define ALL_ROWS UINT64_MAX

struct reading {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_event *all;
    uint64_t rows;
};

static struct reading open_trace(const char *path)
{
    struct reading r = {0};
    struct tt_status status = tt_trace_open(path, NULL, &r.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(r.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    r.events = tt_events_new(r.trace);
    cr_assert_not_null(r.events);
    r.rows = tt_events_rows(r.events);
    r.all = malloc((size_t)(r.rows + 1) * sizeof *r.all);
    cr_assert_not_null(r.all);
    cr_assert_eq(tt_events_read(r.events, 0, (uint32_t)r.rows, r.all), r.rows);
    return r;
}

static void close_trace(struct reading *r)
{
    free(r->all);
    tt_events_free(r->events);
    tt_trace_close(r->trace);
}

/* Expects the events of the wanted types between two rows; returns how many others were found. */
static uint64_t check_range(struct reading *r, const uint8_t *wanted, uint64_t row, uint64_t end)
{
    const struct tt_type_set types = {wanted, tt_types_count(tt_trace_capture(r->trace))};
    struct tt_event found[MAX];
    uint64_t rows[MAX], next = row, others = 0, seen = row;
    do {
        row = next;
        uint32_t count = tt_events_find_types(r->events, row, end, &types, MAX, found, rows, &next);
        for (uint32_t i = 0; i < count; i++) {
            cr_assert(rows[i] >= seen && rows[i] < next && rows[i] < end && rows[i] < r->rows);
            for (; seen < rows[i]; seen++) {
                cr_assert(!wanted[r->all[seen].type], "row %llu", (unsigned long long)seen);
            }
            cr_assert_eq(memcmp(&found[i], &r->all[rows[i]], sizeof found[i]), 0, "row %llu",
                         (unsigned long long)rows[i]);
            others += !wanted[found[i].type];
            seen = rows[i] + 1;
        }
        for (; seen < next; seen++) {
            cr_assert(!wanted[r->all[seen].type], "row %llu", (unsigned long long)seen);
        }
    } while (next > row);
    cr_assert_eq(next, end < r->rows ? end : r->rows);
    return others;
}

/* Checks every type alone and some sets; returns the events found that were not wanted. */
static uint64_t check_types(struct reading *r)
{
    uint8_t wanted[TYPES] = {0};
    uint32_t types = tt_types_count(tt_trace_capture(r->trace));
    uint64_t others = check_range(r, wanted, 0, ALL_ROWS);
    cr_assert(types < TYPES);
    for (uint32_t type = 0; type < types; type++) {
        wanted[type] = 1;
        others += check_range(r, wanted, 0, ALL_ROWS);
        others += check_range(r, wanted, r->rows / 3, r->rows / 2);
        wanted[(type + 3) % types] = 1;
        others += check_range(r, wanted, 0, ALL_ROWS);
        memset(wanted, 0, sizeof wanted);
    }
    memset(wanted, 1, sizeof wanted);
    return others + check_range(r, wanted, 0, ALL_ROWS);
}

static void check_file(const char *path)
{
    struct reading r = open_trace(path);
    check_types(&r);
    close_trace(&r);
}

Test(events_find, samples)
{
    check_file("samples/demo.kev");
    check_file("samples/wide4.kev");
    check_file("samples/fast1.kev");
    check_file("samples/demo.fxt");
}

/* ---- captures of several blocks ------------------------------------------------------------ */

#define CPUS 4u

struct plan {
    const char *release;
    bool big;
    uint32_t lost_at;   /* a buffer is missing before this one; 0: none */
    uint32_t back_at;   /* interrupts in this buffer are out of order; 0: none */
    uint32_t create_at; /* a thread begins in this buffer; 0: none */
    uint32_t step;      /* ticks per event */
};

/* Writes buffers of 60 events; each CPU runs a thread now and then, and has interrupts. */
static void write_buffers(struct kev_build *b, const struct plan *p, uint32_t buffers)
{
    uint64_t ticks = UINT64_C(0x2ffff0000);
    for (uint32_t n = 1; n <= buffers; n++) {
        uint32_t sequence = n + (p->lost_at != 0 && n >= p->lost_at);
        kev_build_buffer(b, n % CPUS, (uint32_t)ticks, sequence, 0);
        kev_build_time(b, n % CPUS, (uint32_t)ticks, (uint32_t)(ticks >> 32));
        for (uint32_t i = 0; i < 60; i++) {
            unsigned cpu = i % CPUS;
            uint32_t kind = (i * 7 + n * 13) % 29, stamp = (uint32_t)(ticks += p->step);
            stamp -= n == p->back_at && kind == 5 ? 3 * p->step : 0;
            if (kind < 4) {
                kev_build_event(b, cpu, KB_THREAD, 1, stamp, 2, 4099 + cpu, 1 + (n + i) % 3);
            } else if (kind == 5) {
                kev_build_event(b, cpu, KB_INT, 1, stamp, 2, 30 + cpu, 0);
            } else if (kind == 6) {
                kev_build_event(b, cpu, KB_INT, 2, stamp, 2, 30 + cpu, 0);
            } else if (kind < 12) {
                kev_build_event(b, cpu, KB_CALL, 11, stamp, 4, 1, 2, 3, n); /* of two slots */
            } else if (kind == 13 && n == p->create_at) {
                kev_build_event(b, cpu, KB_THREAD, 24, stamp, 2, 4099, 9); /* THCREATE */
            } else {
                kev_build_event(b, cpu, KB_USER, 1 + kind % 5, stamp, 2, n, i);
            }
        }
    }
}

static void check_plan(const struct plan *p)
{
    char path[] = "/tmp/tracetui-find-XXXXXX";
    struct kev_build b;
    kev_build_begin(&b, p->release, p->big);
    write_buffers(&b, p, 90);
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, b.bytes, b.size) == (ssize_t)b.size);
    close(fd);
    check_file(path);
    unlink(path);
    kev_build_free(&b);
}

Test(events_find, several_blocks)
{
    static const struct plan plans[] = {
        {"7.1.0", false, 0, 0, 0, 1000},     {"6.4.1", true, 0, 0, 0, 1000},
        {"7.1.0", false, 0, 40, 0, 1000},    {"7.1.0", false, 0, 0, 30, 1000},
        {"8.0.0", false, 0, 0, 0, 1000},     {"7.1.0", false, 0, 0, 0, 1u << 20},
        {"7.1.0", false, 0, 0, 0, 1u << 23},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        check_plan(&plans[i]);
    }
}

/* After a loss a CPU has no thread until the next one is set running. */
Test(events_find, losses)
{
    for (uint32_t buffer = 2; buffer < 50; buffer++) {
        const struct plan plan = {"7.1.0", false, buffer, 0, 0, 1000};
        check_plan(&plan);
    }
}

/* Only the interrupts of a block are decoded. */
Test(events_find, other_events_are_skipped)
{
    char path[] = "/tmp/tracetui-find-XXXXXX";
    const struct plan plan = {"7.1.0", false, 0, 0, 0, 1000};
    uint8_t wanted[TYPES] = {0};
    struct kev_build b;
    kev_build_begin(&b, plan.release, false);
    write_buffers(&b, &plan, 90);
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, b.bytes, b.size) == (ssize_t)b.size);
    close(fd);
    struct reading r = open_trace(path);
    const struct tt_capture *c = tt_trace_capture(r.trace);
    for (uint32_t type = 0; type < tt_types_count(c); type++) {
        wanted[type] = tt_types_at(c, type)->kind == TT_KIND_INTERRUPT_ENTER;
    }
    cr_assert_lt(check_range(&r, wanted, 0, ALL_ROWS), r.rows / 2, "the first block has a dump");
    close_trace(&r);
    unlink(path);
    kev_build_free(&b);
}
