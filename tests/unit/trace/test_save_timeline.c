/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saved and restored timelines return the same results as the original ones. Damaged sections are
 * rejected or give some results, without reads outside them.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "trace/cache/save_timeline.h"
#include "tracetui/slices.h"
#include "tracetui/trace.h"

/* ---- all results, one checksum per subject -------------------------------------------------- */

enum subject { INTERVALS, THREADS, CPUS, RARE, SLICES, COUNTERS, SUBJECTS };

struct answers {
    uint64_t of[SUBJECTS];
};

static void tell(struct answers *a, enum subject subject, const void *bytes, size_t size)
{
    a->of[subject] = XXH3_64bits_withSeed(bytes, size, a->of[subject]);
}

static void tell_number(struct answers *a, enum subject subject, uint64_t number)
{
    tell(a, subject, &number, sizeof number);
}

#define CELLS 24u

/* The windows that are queried: [edge i, edge i + 1), and the whole range. */
struct windows {
    uint64_t edges[CELLS + 1];
};

static struct windows windows_of(uint64_t begin, uint64_t end, unsigned zoom)
{
    struct windows w;
    uint64_t length = end - begin, shown = length >> 3 * zoom;
    uint64_t from = begin + (length - shown) / 3;
    for (unsigned i = 0; i <= CELLS; i++) {
        w.edges[i] = from + shown / CELLS * i + (i == CELLS);
    }
    return w;
}

static void ask_intervals(const struct tt_timelines *t, uint32_t thread, struct answers *a)
{
    struct tt_interval_at at;
    struct tt_states states = {.count = 0};
    uint64_t left = 100000; /* limits the walk of damaged tracks */
    for (bool more = tt_interval_first(t, thread, &at); more && left-- > 0;
         more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        cr_assert_lt(i.state, 256);
        cr_assert(i.cpu == TT_NO_CPU || i.cpu < tt_cpu_count(t));
        uint64_t told[] = {i.start,       i.end,      i.thread,    i.cpu,
                           i.state,       i.class_,   i.open,      i.since_before,
                           i.switched_in, i.migrated, i.out_before};
        tell(a, INTERVALS, told, sizeof told);
        if (tt_states_at(t, thread, i.start, &states)) {
            cr_assert_leq(states.count, TT_STATES);
            tell_number(a, INTERVALS, states.what[states.count - 1]);
            tell_number(a, INTERVALS, states.end);
        }
    }
    tell_number(a, INTERVALS, tt_interval_count(t, thread));
}

static void ask_thread(const struct tt_timelines *t, uint32_t thread, const struct windows *w,
                       struct answers *a)
{
    struct tt_thread_cell cells[CELLS];
    tt_thread_cells(t, thread, w->edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        struct tt_thread_sums sums;
        int min = 0, max = 0;
        uint64_t ticks = 0;
        uint32_t type = 0;
        tt_thread_sum(t, thread, w->edges[i], w->edges[CELLS], &sums);
        tell(a, THREADS, &sums, sizeof sums);
        tell(a, THREADS, cells[i].ticks, sizeof cells[i].ticks);
        tell_number(a, THREADS, cells[i].changes);
        tell_number(a, RARE, (uint64_t)tt_thread_priority(t, thread, w->edges[i]));
        bool any = tt_thread_priority_range(t, thread, w->edges[i], w->edges[i + 1], &min, &max);
        tell_number(a, RARE, any ? (uint64_t)(min * 65536 + max) : 1);
        any = tt_thread_note(t, thread, w->edges[i], w->edges[i + 1], &ticks, &type);
        cr_assert(!any || type < tt_types_count(t->capture));
        tell_number(a, RARE, any ? ticks ^ type : 2);
    }
}

static void ask_occupations(const struct tt_timelines *t, uint16_t cpu, struct answers *a)
{
    struct tt_occupation_at at;
    uint64_t left = 100000;
    for (bool more = tt_occupation_first(t, cpu, &at); more && left-- > 0;
         more = tt_occupation_next(t, &at)) {
        struct tt_occupation o = tt_occupation_get(t, at);
        cr_assert(o.occupant >= TT_OCCUPANT_IDLE || o.occupant < tt_thread_count(t->capture));
        uint64_t told[] = {o.start, o.end, o.occupant, o.cpu, o.idle};
        tell(a, CPUS, told, sizeof told);
    }
}

static void ask_cpu(const struct tt_timelines *t, uint16_t cpu, const struct windows *w,
                    struct answers *a)
{
    struct tt_cpu_cell cells[CELLS];
    tt_cpu_cells(t, cpu, w->edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, cpu, w->edges[i], w->edges[CELLS], &sums);
        tell(a, CPUS, &sums, sizeof sums);
        cr_assert(cells[i].occupant == TT_OCCUPANT_UNKNOWN ||
                  cells[i].occupant < tt_thread_count(t->capture));
        uint64_t told[] = {cells[i].busy,
                           cells[i].idle,
                           cells[i].irq,
                           cells[i].kernel,
                           cells[i].unknown,
                           cells[i].changes,
                           cells[i].occupant,
                           tt_cpu_irq(t, cpu, w->edges[i], w->edges[i + 1]),
                           tt_cpu_irq_depth(t, cpu, w->edges[i])};
        tell(a, CPUS, told, sizeof told);
    }
}

static void tell_slice(const struct tt_timelines *t, struct tt_slice_at at, struct answers *a)
{
    struct tt_slice s = tt_slice_get(t, at);
    cr_assert_lt(s.type, tt_types_count(t->capture));
    cr_assert(s.thread == TT_NO_THREAD || s.thread < tt_thread_count(t->capture));
    cr_assert_lt(s.depth, TT_SLICE_DEPTHS);
    uint64_t told[] = {s.start, s.end, s.thread, s.type, s.depth, s.async, s.open, s.cut};
    tell(a, SLICES, told, sizeof told);
}

static void ask_rows(const struct tt_timelines *t, uint32_t thread, const struct windows *w,
                     struct answers *a)
{
    uint32_t rows = tt_slice_rows(t, thread);
    tell_number(a, SLICES, rows);
    tell_number(a, SLICES, tt_slice_depths(t, thread));
    for (uint32_t n = 0; n < rows; n++) {
        const struct tt_slice_row *row = tt_slice_row(t, thread, n);
        struct tt_slice_cell cells[CELLS];
        struct tt_slice_at at;
        tt_slice_cells(t, row, w->edges, CELLS, cells);
        for (unsigned i = 0; i < CELLS; i++) {
            uint64_t told[] = {cells[i].ticks, cells[i].most_ticks, cells[i].slices,
                               tt_slice_ticks(t, row, w->edges[i], w->edges[CELLS])};
            tell(a, SLICES, told, sizeof told);
            if (cells[i].at.row) {
                tell_slice(t, cells[i].at, a);
            }
        }
        bool more = tt_slice_first(t, row, w->edges[0], w->edges[CELLS], &at);
        for (unsigned left = 5000; more && left-- > 0; more = tt_slice_next(&at)) {
            tell_slice(t, at, a);
        }
    }
}

static void ask_counter(const struct tt_timelines *t, uint32_t series, const struct windows *w,
                        struct answers *a)
{
    struct tt_counter_range cells[CELLS];
    struct tt_counter_at at;
    tt_counter_cells(t, series, w->edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        tell(a, COUNTERS, &cells[i].min, sizeof cells[i].min);
        tell(a, COUNTERS, &cells[i].max, sizeof cells[i].max);
        tell(a, COUNTERS, &cells[i].last, sizeof cells[i].last);
        tell_number(a, COUNTERS, cells[i].changes);
        tell_number(a, COUNTERS, (unsigned)cells[i].known * 2u + cells[i].last_known);
    }
    bool more = tt_counter_first(t, series, &at);
    for (unsigned left = 5000; more && left-- > 0; more = tt_counter_next(t, &at)) {
        struct tt_counter_value v = tt_counter_get(t, at);
        tell_number(a, COUNTERS, v.start);
        tell_number(a, COUNTERS, v.end + v.known);
        tell(a, COUNTERS, &v.value, sizeof v.value);
    }
}

static struct answers ask(const struct tt_timelines *t, unsigned zooms)
{
    struct answers a = {{0}};
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t), lost = 0;
    uint32_t threads = (uint32_t)tt_column_count(&t->lanes), cpus = tt_cpu_count(t);
    tell_number(&a, INTERVALS, begin);
    tell_number(&a, INTERVALS, end);
    tell_number(&a, INTERVALS, tt_timelines_provisional(t));
    tell_number(&a, INTERVALS, tt_timelines_intervals(t));
    tell_number(&a, SLICES, tt_slices_total(t));
    for (uint32_t i = 0; i < threads; i++) {
        ask_intervals(t, i, &a);
    }
    for (uint32_t i = 0; i < cpus; i++) {
        ask_occupations(t, (uint16_t)i, &a);
    }
    for (unsigned zoom = 0; zoom < zooms; zoom++) {
        struct windows w = windows_of(begin, end, zoom);
        for (uint32_t i = 0; i < threads; i++) {
            ask_thread(t, i, &w, &a);
            ask_rows(t, i, &w, &a);
        }
        ask_rows(t, TT_NO_THREAD, &w, &a);
        for (uint32_t i = 0; i < cpus; i++) {
            ask_cpu(t, (uint16_t)i, &w, &a);
        }
        for (uint32_t i = 0; i < tt_counter_series(t); i++) {
            ask_counter(t, i, &w, &a);
        }
        for (unsigned i = 0; i < CELLS; i++) {
            tell_number(&a, RARE, tt_loss_in(t, w.edges[i], w.edges[i + 1], &lost) ? lost : 3);
        }
    }
    return a;
}

/* ---- saving and restoring ------------------------------------------------------------------- */

struct kept {
    struct tt_bytes bytes; /* of the file, aligned like a mapping */
    struct tt_section_file file;
};

static struct kept keep(const struct tt_timelines *t)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_section_writer *w = tt_section_writer_new(fileno(file), NULL);
    tt_timelines_save(t, w);
    struct tt_status status = tt_section_file_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_section_writer_free(w);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    void *bytes = NULL;
    cr_assert_eq(posix_memalign(&bytes, 4096, (size_t)size), 0);
    cr_assert_eq(pread(fileno(file), bytes, (size_t)size, 0), (ssize_t)size);
    fclose(file);
    struct kept kept = {.bytes = tt_bytes_of(bytes, (uint64_t)size)};
    cr_assert(tt_section_file_open(kept.bytes, &kept.file));
    cr_assert(tt_section_open(&kept.file.sections[TT_SECTION_TIMELINES]));
    cr_assert(tt_section_is_valid(&kept.file.sections[TT_SECTION_TRACKS]));
    return kept;
}

static struct tt_timelines *restore(struct tt_trace *trace, const struct kept *kept)
{
    return tt_timelines_restore(tt_trace_capture(trace), &kept->file.sections[TT_SECTION_TIMELINES],
                                &kept->file.sections[TT_SECTION_TRACKS]);
}

static struct tt_trace *open_indexed(const char *path)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        return NULL;
    }
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    return trace;
}

static void check_same(const char *path)
{
    static const char *const subjects[] = {"intervals", "threads", "CPUs",
                                           "rare",      "slices",  "counters"};
    struct tt_trace *trace = open_indexed(path);
    if (!trace || !tt_trace_timelines(trace)) {
        tt_trace_close(trace);
        return;
    }
    const struct tt_timelines *built = tt_trace_timelines(trace);
    struct kept kept = keep(built);
    struct tt_timelines *restored = restore(trace, &kept);
    cr_assert_not_null(restored, "%s", path);
    struct answers a = ask(built, 4), b = ask(restored, 4);
    for (unsigned i = 0; i < SUBJECTS; i++) {
        cr_expect_eq(a.of[i], b.of[i], "%s: %s", path, subjects[i]);
    }
    /* Saving the restored timelines gives the same bytes. */
    struct kept again = keep(restored);
    cr_expect_eq(kept.bytes.size, again.bytes.size, "%s", path);
    cr_expect_eq(memcmp(kept.bytes.data, again.bytes.data, (size_t)kept.bytes.size), 0);
    tt_timelines_free(restored);
    tt_section_file_free(&kept.file);
    free((void *)(uintptr_t)kept.bytes.data);
    tt_section_file_free(&again.file);
    free((void *)(uintptr_t)again.bytes.data);
    tt_trace_close(trace);
}

static unsigned check_all(const char *pattern)
{
    glob_t found;
    unsigned count = 0;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++, count++) {
            check_same(found.gl_pathv[i]);
        }
        globfree(&found);
    }
    return count;
}

Test(save_timeline, restored_timelines_give_the_same_results)
{
    unsigned count = 0;
    static const char *const endings[] = {"kev", "fxt", "trx", "btrace"};
    for (unsigned i = 0; i < 4; i++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "samples/*.%s", endings[i]);
        count += check_all(pattern);
        snprintf(pattern, sizeof pattern, "tests/filter/*.%s", endings[i]);
        count += check_all(pattern);
    }
    cr_assert_geq(count, 8);
}

Test(save_timeline, real_captures_give_the_same_results)
{
    unsigned count =
        check_all("../shared/captures/*/*.kev") + check_all("../shared/captures/*/*.fxt") +
        check_all("../shared/captures/*/*.trx") + check_all("../shared/captures/*/*.log");
    if (count == 0) {
        cr_skip("no real captures in ../shared");
    }
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Restores possibly damaged sections and queries everything; returns whether they were accepted. */
static bool try_damaged(struct tt_trace *trace, const struct kept *kept)
{
    struct tt_timelines *t = restore(trace, kept);
    if (t) {
        ask(t, 2);
    }
    tt_timelines_free(t);
    return t != NULL;
}

/* In separate memory, so that the sanitizer detects a read after the end. */
static bool try_cut(struct tt_trace *trace, struct kept kept, enum tt_section_tag tag,
                    uint64_t size)
{
    struct tt_bytes *bytes = &kept.file.sections[tag].bytes;
    void *copy = NULL;
    cr_assert_eq(posix_memalign(&copy, 64, (size_t)size + 1), 0);
    memcpy(copy, bytes->data, (size_t)size);
    void *exact = realloc(copy, (size_t)size + (size == 0)); /* keeps an alignment of 16 */
    *bytes = tt_bytes_of(exact, size);
    bool taken = try_damaged(trace, &kept);
    free(exact);
    return taken;
}

static const char *const SMALL[] = {"tests/filter/small.kev", "tests/filter/small.fxt",
                                    "tests/filter/small.trx", "tests/filter/small.btrace"};

Test(save_timeline, truncated_sections_are_rejected)
{
    for (unsigned i = 0; i < 4; i++) {
        struct tt_trace *trace = open_indexed(SMALL[i]);
        struct kept kept = keep(tt_trace_timelines(trace));
        uint64_t size = kept.file.sections[TT_SECTION_TIMELINES].bytes.size;
        cr_assert(try_cut(trace, kept, TT_SECTION_TIMELINES, size));
        for (uint64_t length = 0; length < size; length++) {
            cr_assert_not(try_cut(trace, kept, TT_SECTION_TIMELINES, length), "%s", SMALL[i]);
        }
        size = kept.file.sections[TT_SECTION_TRACKS].bytes.size;
        for (uint64_t length = 0; length < size; length += 1 + length % 7) {
            try_cut(trace, kept, TT_SECTION_TRACKS, length);
        }
        tt_section_file_free(&kept.file);
        free((void *)(uintptr_t)kept.bytes.data);
        tt_trace_close(trace);
    }
}

/* Every byte of the positions, and some bytes of the chunks. */
Test(save_timeline, damage_is_rejected_or_harmless)
{
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    for (unsigned i = 0; i < 4; i++) {
        struct tt_trace *trace = open_indexed(SMALL[i]);
        struct kept kept = keep(tt_trace_timelines(trace));
        uint64_t taken = 0, tried = 0;
        for (unsigned tag = TT_SECTION_TIMELINES; tag <= TT_SECTION_TRACKS; tag++) {
            struct tt_bytes bytes = kept.file.sections[tag].bytes;
            uint8_t *data = (uint8_t *)(uintptr_t)bytes.data;
            uint64_t step = bytes.size / 300 + 1;
            for (uint64_t at = 0; at < bytes.size; at += step) {
                uint8_t flip = flips[tried++ % 3];
                data[at] ^= flip;
                taken += try_damaged(trace, &kept);
                data[at] ^= flip;
            }
        }
        cr_assert_lt(taken, tried, "%s", SMALL[i]);
        cr_assert(try_damaged(trace, &kept));
        tt_section_file_free(&kept.file);
        free((void *)(uintptr_t)kept.bytes.data);
        tt_trace_close(trace);
    }
}
