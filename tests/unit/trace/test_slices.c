/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slices and counters compared with a model that the writer of the capture maintains: plain arrays,
 * searched linearly for every result.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "fed_timelines.h"
#include "fxt_build.h"
#include "tracetui/counters.h"
#include "tracetui/slices.h"
#include "tracetui/time.h"
#include "tracetui/trace.h"

#define THREADS 3u
#define PID     40u
#define NAMES   5u
#define COUNTED 3u
#define CELLS   37u
#define OPEN    UINT64_MAX

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 17) % below : 0;
}

/* ---- the model ---------------------------------------------------------------------------- */

struct slice {
    uint64_t start;
    uint64_t end; /* OPEN: it has not ended */
    uint64_t id;  /* of an asynchronous one */
    uint32_t thread;
    uint32_t depth;
    uint32_t name;
    bool async;
    bool begun; /* by a begin: an end may end it */
    bool cut;
};

struct told {
    uint64_t ticks;
    uint32_t series;
    double value; /* NaN: not known */
};

struct model {
    struct slice *slices;
    size_t slice_count;
    struct told *told;
    size_t told_count;
    uint64_t unmatched;
    uint64_t cut[THREADS]; /* nested slices cut by losses, whose ends may follow */
    uint64_t now;
    uint64_t last; /* time of the last event */
    uint64_t end;  /* of the capture */
    bool lost;     /* records were lost since */
    struct fxt_out out;
};

static uint64_t end_of(const struct model *m, const struct slice *s)
{
    return s->end != OPEN ? s->end : m->end > s->start ? m->end : s->start;
}

/* The row above all open nested slices of the thread; asynchronous: the first free row. */
static uint32_t depth_for(const struct model *m, uint32_t thread, bool async)
{
    bool used[TT_SLICE_DEPTHS] = {false};
    uint32_t above = 0, row = 0;
    for (size_t i = 0; i < m->slice_count; i++) {
        const struct slice *s = &m->slices[i];
        if (s->thread == thread && s->async == async && s->end > m->now) {
            used[s->depth] = true;
            above = s->depth + 1 > above ? s->depth + 1 : above;
        }
    }
    while (used[row]) {
        row++;
    }
    return async ? row : above;
}

static void add_slice(struct model *m, uint32_t thread, uint32_t name, uint64_t end, bool async,
                      uint64_t id)
{
    struct slice *s = &m->slices[m->slice_count];
    *s = (struct slice){.start = m->now,
                        .end = end,
                        .id = id,
                        .thread = thread,
                        .depth = depth_for(m, thread, async),
                        .name = name,
                        .async = async,
                        .begun = end == OPEN};
    m->slice_count++;
}

static void end_nested(struct model *m, uint32_t thread)
{
    struct slice *deepest = NULL;
    for (size_t i = 0; i < m->slice_count; i++) {
        struct slice *s = &m->slices[i];
        if (s->thread == thread && !s->async && s->end == OPEN &&
            (!deepest || s->depth > deepest->depth)) {
            deepest = s;
        }
    }
    if (deepest) {
        deepest->end = m->now;
    } else if (m->cut[thread] > 0) {
        m->cut[thread]--;
    } else {
        m->unmatched++;
    }
}

/* Thread 2 is of another process than the others. */
static uint64_t process_of(uint32_t thread)
{
    return PID + (thread == 2);
}

/* Ids are unique within a process and a name. */
static void end_async(struct model *m, uint32_t thread, uint64_t id, uint32_t name)
{
    struct slice *last = NULL;
    for (size_t i = 0; i < m->slice_count; i++) {
        struct slice *s = &m->slices[i];
        if (s->async && process_of(s->thread) == process_of(thread) && s->id == id &&
            s->name == name && (s->end == OPEN || s->cut)) {
            last = s;
        }
    }
    if (!last) {
        m->unmatched++;
    } else if (last->cut) {
        last->id = UINT64_MAX; /* its own end, too late */
    } else {
        last->end = m->now;
    }
}

static void tell(struct model *m, uint64_t ticks, uint32_t series, double value)
{
    m->told[m->told_count++] = (struct told){ticks, series, value};
}

/* Records were lost between the last event and the next one. */
static void lose(struct model *m)
{
    m->lost = false;
    for (size_t i = 0; i < m->slice_count; i++) {
        struct slice *s = &m->slices[i];
        if (s->end == OPEN) {
            s->end = m->last;
            s->cut = true;
            m->cut[s->thread] += !s->async;
        }
    }
    for (uint32_t series = 0; series < COUNTED; series++) {
        bool any = false;
        for (size_t i = 0; i < m->told_count; i++) {
            any = m->told[i].series == series ? !isnan(m->told[i].value) : any;
        }
        if (any) {
            tell(m, m->last, series, NAN);
        }
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

static const char *const names[NAMES] = {"frame", "draw", "swap", "io", "wait"};

static size_t begin_event(struct model *m, uint64_t type, uint64_t args, uint32_t thread,
                          const char *name)
{
    size_t at = fxt_begin(
        &m->out, fxt_event(type, args, thread + 1, FXT_INLINE(1), FXT_INLINE(strlen(name))));
    fxt_word(&m->out, m->now);
    fxt_text(&m->out, "c");
    fxt_text(&m->out, name);
    m->last = m->now;
    return at;
}

static void write_event(struct model *m, uint64_t type, uint32_t thread, uint32_t name)
{
    fxt_end(&m->out, begin_event(m, type, 0, thread, names[name]));
}

static void write_tail(struct model *m, uint64_t type, uint32_t thread, uint32_t name,
                       uint64_t tail)
{
    size_t at = begin_event(m, type, 0, thread, names[name]);
    fxt_word(&m->out, tail);
    fxt_end(&m->out, at);
}

/* Series are by counter, argument and id: here by id alone. */
static void write_counter(struct model *m, uint32_t thread, uint32_t series, double value)
{
    uint64_t bits;
    size_t at = begin_event(m, 1, 1, thread, "count");
    memcpy(&bits, &value, sizeof bits);
    fxt_arg_long(&m->out, 5, "v", bits);
    fxt_word(&m->out, series);
    fxt_end(&m->out, at);
}

static double some_value(void)
{
    static const double odd[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, -1e300, 1e-300};
    return dice(12) == 0 ? odd[dice(7)] : (double)dice(20000) / 8.0 - 1000.0;
}

static void step(struct model *m, bool losses)
{
    uint32_t thread = (uint32_t)dice(THREADS), name = (uint32_t)dice(NAMES);
    uint64_t id = dice(6);
    m->now += dice(3) == 0 ? 0 : dice(400) == 0 ? UINT64_C(6000000000) : dice(60);
    uint64_t what = dice(losses ? 301 : 300) / 10;
    if (m->lost && what != 30) {
        lose(m);
    }
    switch (what) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        add_slice(m, thread, name, OPEN, false, 0);
        write_event(m, 2, thread, name);
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
        end_nested(m, thread);
        write_event(m, 3, thread, (uint32_t)dice(NAMES));
        break;
    case 13:
    case 14:
    case 15:
    case 16:
    case 17: {
        uint64_t end = m->now + (dice(200) == 0 ? UINT64_C(5000000000) : dice(200));
        add_slice(m, thread, name, end, false, 0);
        write_tail(m, 4, thread, name, end);
        break;
    }
    case 18:
    case 19:
        add_slice(m, thread, name, OPEN, true, id);
        write_tail(m, 5, thread, name, id);
        break;
    case 20:
    case 21:
    case 22:
    case 23:
        end_async(m, thread, id, name);
        write_tail(m, 7, thread, name, id);
        break;
    case 30:
        fxt_provider_event(&m->out, 1, 0);
        m->lost = true;
        break;
    default: {
        uint32_t series = (uint32_t)dice(COUNTED);
        double value = some_value();
        tell(m, m->now, series, value);
        write_counter(m, thread % 2, series, value); /* series are those of a process */
        break;
    }
    }
}

static void make(struct model *m, size_t steps, bool losses)
{
    memset(m, 0, sizeof *m);
    m->slices = calloc(steps, sizeof *m->slices);
    m->told = calloc(steps * (losses ? 4 : 1), sizeof *m->told);
    fxt_magic(&m->out);
    fxt_provider_info(&m->out, 1, "model");
    fxt_init(&m->out, 1000000000);
    for (uint32_t i = 0; i < THREADS; i++) {
        fxt_thread(&m->out, i + 1, process_of(i), 50 + i);
    }
    m->now = 1000;
    for (uint32_t series = 0; series < COUNTED; series++) {
        tell(m, m->now, series, series);
        write_counter(m, 0, series, series);
    }
    for (size_t i = 3; i < steps; i++) {
        step(m, losses);
    }
    m->end = m->last;
}

static struct tt_trace *open_model(const struct model *m)
{
    char path[] = "/tmp/tt_slices_XXXXXX";
    struct tt_trace *trace;
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, m->out.bytes, m->out.size), (ssize_t)m->out.size);
    close(fd);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status));
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    unlink(path);
    return trace;
}

static void free_model(struct model *m)
{
    free(m->slices);
    free(m->told);
    free(m->out.bytes);
}

/* ---- comparing slices --------------------------------------------------------------------- */

static uint32_t lane_of(struct tt_trace *trace, uint32_t thread)
{
    return tt_registry_find_thread(tt_trace_capture(trace), process_of(thread), 50 + thread,
                                   UINT64_MAX - 1);
}

/* The slices of the model in one row, in order of their begin. */
struct row {
    const struct slice **slices;
    size_t count;
};

static struct row row_of(const struct model *m, uint32_t thread, uint32_t depth, bool async)
{
    struct row row = {calloc(m->slice_count + 1, sizeof *row.slices), 0};
    for (size_t i = 0; i < m->slice_count; i++) {
        const struct slice *s = &m->slices[i];
        if (s->thread == thread && s->depth == depth && s->async == async) {
            row.slices[row.count++] = s;
        }
    }
    return row;
}

static void check_slice(const struct model *m, struct tt_trace *trace, struct tt_slice got,
                        const struct slice *want)
{
    const struct tt_event_type *type = tt_types_at(tt_trace_capture(trace), got.type);
    cr_assert_eq(got.start, want->start);
    cr_assert_eq(got.end, end_of(m, want), "of %" PRIu64 ": %" PRIu64 ", not %" PRIu64, got.start,
                 got.end, end_of(m, want));
    cr_assert_eq(got.open, want->end == OPEN);
    cr_assert_eq(got.cut, want->cut);
    cr_assert_eq(got.async, want->async);
    cr_assert_eq(got.depth, want->depth);
    cr_assert_eq(got.thread, lane_of(trace, want->thread));
    cr_assert_str_eq(type->name, names[want->name]);
}

static void check_cell(const struct model *m, struct tt_slice_cell cell,
                       const struct tt_timelines *t, const struct row *row, uint64_t from,
                       uint64_t to)
{
    uint64_t ticks = 0, most = 0, count = 0, most_start = 0;
    for (size_t i = 0; i < row->count; i++) {
        const struct slice *s = row->slices[i];
        uint64_t end = end_of(m, s);
        bool inside = s->start < to && (end > from || s->start >= from);
        if (!inside || from >= to) {
            continue;
        }
        uint64_t low = s->start > from ? s->start : from, high = end < to ? end : to;
        uint64_t part = high > low ? high - low : 0;
        if (count++ == 0 || part > most) {
            most = part;
            most_start = s->start;
        }
        ticks += part;
    }
    cr_assert_eq(cell.slices, count, "%" PRIu64 " slices of %" PRIu64, cell.slices, count);
    cr_assert_eq(cell.ticks, ticks);
    cr_assert_eq(cell.most_ticks, most);
    cr_assert_eq(cell.at.row != NULL, count > 0);
    if (count > 0) {
        cr_assert_eq(tt_slice_get(t, cell.at).start, most_start);
    }
}

static void make_edges(const struct model *m, uint64_t *edges, unsigned count)
{
    uint64_t step = (m->end >> dice(34)) / count;
    edges[0] = dice(2) ? dice(m->end) : dice(3000);
    for (unsigned i = 0; i < count; i++) {
        edges[i + 1] = edges[i] + (dice(2) ? step : dice(2 * step + 2));
    }
}

static void check_row(const struct model *m, struct tt_trace *trace, uint32_t thread, uint32_t n)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint32_t lane = lane_of(trace, thread), depths = tt_slice_depths(t, lane);
    const struct tt_slice_row *row = tt_slice_row(t, lane, n);
    struct row own = row_of(m, thread, n < depths ? n : n - depths, n >= depths);
    struct tt_slice_at at;
    size_t count = 0;
    cr_assert_not_null(row);
    bool more = tt_slice_first(t, row, 0, UINT64_MAX, &at);
    for (; more; more = tt_slice_next(&at)) {
        cr_assert_lt(count, own.count);
        check_slice(m, trace, tt_slice_get(t, at), own.slices[count++]);
    }
    cr_assert_eq(count, tt_slice_count(row));
    cr_assert_eq(count, own.count);
    for (unsigned round = 0; round < 3; round++) {
        uint64_t edges[CELLS + 1];
        struct tt_slice_cell cells[CELLS];
        make_edges(m, edges, CELLS);
        tt_slice_cells(t, row, edges, CELLS, cells);
        for (unsigned i = 0; i < CELLS; i++) {
            check_cell(m, cells[i], t, &own, edges[i], edges[i + 1]);
            cr_assert_eq(cells[i].ticks, tt_slice_ticks(t, row, edges[i], edges[i + 1]));
        }
    }
    free(own.slices);
}

static void check_slices(const struct model *m, struct tt_trace *trace)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint64_t rows = 0;
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        uint32_t lane = lane_of(trace, thread);
        for (uint32_t n = 0; n < tt_slice_rows(t, lane); n++, rows++) {
            check_row(m, trace, thread, n);
        }
        cr_assert_null(tt_slice_row(t, lane, tt_slice_rows(t, lane)));
    }
    cr_assert_geq(rows, 3 * THREADS);
    cr_assert_eq(tt_slices_total(t), m->slice_count);
    cr_assert_eq(tt_health_count(tt_trace_capture(trace), TT_HEALTH_UNMATCHED), m->unmatched);
}

/* ---- comparing counters ------------------------------------------------------------------- */

static bool same_value(double a, double b)
{
    return a < b ? false : a > b ? false : true;
}

static void check_range(const struct model *m, const struct tt_timelines *t, uint32_t series,
                        uint64_t from, uint64_t to)
{
    struct tt_counter_range got;
    double min = 0, max = 0, last = NAN;
    bool known = false;
    uint64_t changes = 0;
    for (size_t i = 0; i < m->told_count && from < to; i++) {
        const struct told *v = &m->told[i];
        bool holds = v->ticks < to;
        if (v->series != series || !holds) {
            continue;
        }
        changes += v->ticks >= from;
        last = v->value;
        /* The last value at or before `from` is valid at the start of the window. */
        for (size_t n = i + 1; holds && n < m->told_count && v->ticks < from; n++) {
            holds = m->told[n].series != series || m->told[n].ticks > from;
        }
        if (holds && !isnan(v->value)) {
            min = !known || v->value < min ? v->value : min;
            max = !known || v->value > max ? v->value : max;
            known = true;
        }
    }
    tt_counter_in(t, series, from, to, &got);
    cr_assert_eq(got.changes, changes);
    cr_assert_eq(got.known, known);
    cr_assert_eq(got.last_known, !isnan(last));
    cr_assert(!known || (same_value(got.min, min) && same_value(got.max, max)),
              "%f..%f, not %f..%f", got.min, got.max, min, max);
    cr_assert(isnan(last) || same_value(got.last, last));
}

static void check_counters(const struct model *m, struct tt_trace *trace)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    cr_assert_eq(tt_counter_series(t), COUNTED);
    for (uint32_t series = 0; series < COUNTED; series++) {
        struct tt_counter_at at;
        bool more = tt_counter_first(t, series, &at);
        size_t i = 0;
        for (; more; more = tt_counter_next(t, &at)) {
            struct tt_counter_value v = tt_counter_get(t, at);
            while (m->told[i].series != series) {
                i++;
            }
            cr_assert_eq(v.start, m->told[i].ticks);
            cr_assert_eq(v.known, !isnan(m->told[i].value));
            cr_assert(!v.known || same_value(v.value, m->told[i].value));
            i++;
        }
        for (; i < m->told_count; i++) {
            cr_assert_neq(m->told[i].series, series);
        }
        for (unsigned round = 0; round < 60; round++) {
            uint64_t edges[2];
            make_edges(m, edges, 1);
            check_range(m, t, series, edges[0], edges[1]);
        }
        check_range(m, t, series, 0, UINT64_MAX);
    }
}

/* The first value of a series is recorded at tick 1000; before it there is none. */
static void check_run(size_t steps, bool losses)
{
    struct model m;
    make(&m, steps, losses);
    struct tt_trace *trace = open_model(&m);
    check_slices(&m, trace);
    check_counters(&m, trace);
    tt_trace_close(trace);
    free_model(&m);
}

Test(slices, against_a_model)
{
    for (unsigned i = 0; i < 12; i++) {
        seed = 100 + i;
        check_run(300 + i * 100, false);
    }
}

Test(slices, after_losses)
{
    for (unsigned i = 0; i < 12; i++) {
        seed = 200 + i;
        check_run(400 + i * 200, true);
    }
}

/* More chunks than a group has: peaks of groups. */
Test(slices, many)
{
    seed = 7;
    check_run(30000, false);
}

/* No losses; slices that are too deep are counted, and their ends are accepted. */
Test(slices, too_deep)
{
    struct model m = {0};
    fxt_magic(&m.out);
    fxt_thread(&m.out, 1, PID, 50);
    for (m.now = 0; m.now < TT_SLICE_DEPTHS + 20; m.now++) {
        write_event(&m, 2, 0, 0);
    }
    for (unsigned i = 0; i < TT_SLICE_DEPTHS + 20; i++, m.now++) {
        write_event(&m, 3, 0, 0);
    }
    struct tt_trace *trace = open_model(&m);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint32_t lane = lane_of(trace, 0);
    cr_assert_eq(tt_slice_depths(t, lane), TT_SLICE_DEPTHS);
    for (uint32_t depth = 0; depth < TT_SLICE_DEPTHS; depth++) {
        struct tt_slice_at at;
        cr_assert(tt_slice_find(tt_slice_row(t, lane, depth), UINT64_MAX, &at));
        struct tt_slice s = tt_slice_get(t, at);
        cr_assert_eq(s.start, depth);
        cr_assert_eq(s.end, 2 * (TT_SLICE_DEPTHS + 20) - 1 - depth);
    }
    cr_assert_eq(tt_health_count(tt_trace_capture(trace), TT_HEALTH_NESTING), 20);
    cr_assert_eq(tt_health_count(tt_trace_capture(trace), TT_HEALTH_UNMATCHED), 0);
    tt_trace_close(trace);
    free(m.out.bytes);
}

/*
 * Lengths of 32 bits and more are kept apart, under the time of their end; the first slice begins
 * at tick 0, before which there is nothing to search from.
 */
Test(slices, long_from_tick_0)
{
    static const uint64_t lengths[] = {UINT32_MAX - 3, UINT64_C(1) << 32, UINT64_C(5) << 40};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct model m = {0};
        fxt_magic(&m.out);
        fxt_thread(&m.out, 1, PID, 50);
        write_tail(&m, 4, 0, 0, lengths[i]); /* from tick 0 */
        m.now = lengths[i] + 10;
        write_tail(&m, 4, 0, 1, m.now + 2 * lengths[i]);
        struct tt_trace *trace = open_model(&m);
        const struct tt_timelines *t = tt_trace_timelines(trace);
        const struct tt_slice_row *row = tt_slice_row(t, lane_of(trace, 0), 0);
        struct tt_slice_at at;
        cr_assert(row && tt_slice_first(t, row, 0, UINT64_MAX, &at));
        struct tt_slice slice = tt_slice_get(t, at);
        cr_expect_eq(slice.start, 0);
        cr_expect_eq(slice.end, lengths[i], "%" PRIu64 " not %" PRIu64, slice.end, lengths[i]);
        cr_assert(tt_slice_next(&at));
        slice = tt_slice_get(t, at);
        cr_expect_eq(slice.start, lengths[i] + 10);
        cr_expect_eq(slice.end, slice.start + 2 * lengths[i]);
        cr_expect_eq(tt_slice_ticks(t, row, 0, 100), 100);
        tt_trace_close(trace);
        free(m.out.bytes);
    }
}

/* A time of more than 63 bits is the largest number, which an open slice has as its end. */
Test(slices, an_end_at_a_time_that_is_too_large)
{
    struct fed f = fed_open(&fake_format);
    fed_thread(&f, 1, 1);
    fed_begin(&f, 0);
    feed(&f, (struct tt_action){.ticks = 5, .kind = TT_ACTION_SLICE_BEGIN});
    feed(&f, (struct tt_action){.ticks = UINT64_MAX, .kind = TT_ACTION_SLICE_END});
    const struct tt_slice_row *row = tt_slice_row(f.t, 0, 0);
    cr_assert(row);
    struct tt_slice slice = tt_slice_get(f.t, (struct tt_slice_at){row, 0, 0});
    cr_expect(slice.start == 5 && slice.end == UINT64_MAX && !slice.open);
    cr_expect_eq(tt_health_count(f.trace->capture, TT_HEALTH_UNMATCHED), 0);
    fed_close(&f);
}

/*
 * Memory: ascending times with repeated types, durations and values take little; an unpacked wide
 * item has 12 bytes.
 */
Test(slices, memory)
{
    struct model m = {0};
    fxt_magic(&m.out);
    fxt_thread(&m.out, 1, PID, 50);
    for (m.now = 0; m.now < 1000000; m.now += 10) {
        write_tail(&m, 4, 0, 0, m.now + 5);
        write_counter(&m, 0, 1, 1.0);
    }
    struct tt_trace *trace = open_model(&m);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    cr_assert_eq(tt_slices_total(t), 100000);
    cr_assert_leq(tt_timelines_memory(t), 200000 * 5);
    tt_trace_close(trace);
    free(m.out.bytes);
}

/* ---- Perfetto's results --------------------------------------------------------------------- */

#define FOLDER "../shared/captures/fxt/"

struct answer {
    long long start;
    long long length; /* -1: open */
    char name[64];
    unsigned depth;
    unsigned long long tid;
    unsigned long long pid;
};

static long long ns_of(const struct tt_capture *c, uint64_t ticks)
{
    int64_t ns;
    cr_assert(tt_ticks_to_ns(ticks, c->clock_hz, &ns));
    return ns;
}

static void check_answer(const char *file, struct tt_trace *trace, const struct answer *a)
{
    const struct tt_capture *c = tt_trace_capture(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint32_t lane = tt_registry_find_thread(c, a->pid, a->tid, UINT64_MAX - 1);
    const struct tt_slice_row *row = tt_slice_row(t, lane, a->depth);
    struct tt_slice_at at;
    bool more = row && tt_slice_first(t, row, 0, UINT64_MAX, &at);
    for (; more; more = tt_slice_next(&at)) {
        struct tt_slice s = tt_slice_get(t, at);
        long long start = ns_of(c, s.start);
        if (start == a->start && strcmp(tt_types_at(c, s.type)->name, a->name) == 0) {
            cr_assert_eq(s.open, a->length < 0, "%s: %s", file, a->name);
            cr_assert(s.open || ns_of(c, s.end) - start == a->length, "%s: %s", file, a->name);
            return;
        }
    }
    cr_assert(false, "%s: no %s at %lld, depth %u", file, a->name, a->start, a->depth);
}

static struct tt_trace *open_capture(const char *file)
{
    char path[256];
    struct tt_trace *trace;
    snprintf(path, sizeof path, FOLDER "%s", file);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        return NULL;
    }
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    return trace;
}

/*
 * Begins of slices that were open at the start are written last, as by writers that find them from
 * their ends. The timelines are rebuilt in time order, and so is the list of problems.
 */
Test(slices, begun_by_the_last_records)
{
    enum { LEAVES = 20000 };
    struct model m = {.now = 500};
    fxt_magic(&m.out);
    fxt_thread(&m.out, 1, PID, 50);
    write_event(&m, 3, 0, 1); /* ends an outer slice, and the next one an unknown one */
    write_event(&m, 3, 0, 2);
    for (unsigned i = 0; i < LEAVES; i++) {
        m.now += 10;
        write_event(&m, i % 2 ? 3 : 2, 0, 3);
    }
    m.now = 100;
    write_event(&m, 2, 0, 1);
    struct tt_trace *trace = open_model(&m);
    const struct tt_capture *c = tt_trace_capture(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_slice_at at;
    cr_assert_eq(tt_slices_total(t), LEAVES / 2 + 1);
    cr_assert(tt_slice_first(t, tt_slice_row(t, 0, 0), 0, UINT64_MAX, &at));
    cr_expect_eq(tt_slice_get(t, at).end, 500);
    cr_expect_eq(tt_health_count(c, TT_HEALTH_UNMATCHED), 1);
    tt_trace_close(trace);
    free(m.out.bytes);
}

/*
 * Every slice of a thread that Perfetto reports has the same depth here; instants are not slices.
 */
Test(slices, perfetto_has_them_too)
{
    FILE *in = fopen(FOLDER "oracle_results.txt", "r");
    if (!in) {
        cr_skip_test("the captures are not beside the project");
    }
    char line[512], file[128] = "";
    struct tt_trace *trace = NULL;
    unsigned checked = 0;
    while (fgets(line, sizeof line, in)) {
        struct answer a;
        if (sscanf(line, "##### %127s", file) == 1) {
            if (trace) {
                tt_trace_close(trace);
            }
            trace = open_capture(file);
        } else if (trace &&
                   sscanf(line,
                          "%lld,%lld,\"%*[^\"]\",\"%63[^\"]\",%u,\"thread_execution\",%llu,%llu",
                          &a.start, &a.length, a.name, &a.depth, &a.tid, &a.pid) == 6 &&
                   a.length != 0) {
            check_answer(file, trace, &a);
            checked++;
        }
    }
    if (trace) {
        tt_trace_close(trace);
    }
    fclose(in);
    cr_assert_geq(checked, 10);
}
