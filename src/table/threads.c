/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads: the tables of threads and of processes.
 *
 * Sums come first: each costs a search. The delays follow: they cost a walk over intervals, in
 * consecutive parts of the window. Distributions cover the intervals that end inside a part, so the
 * parts add up. Between steps times and numbers are kept, never positions in the timelines, which may be rebuilt.
 */
#include <stdlib.h>

#include "analysis/causes/guests.h"
#include "analysis/causes/ready.h"
#include "analysis/messages/imposed.h"
#include "analysis/run_union.h"
#include "table/sums.h"
#include "trace/timeline/priority_part.h"
#include "tracetui/merge.h"
#include "tracetui/ready_by.h"

#define SUM_WORK   100u /* cost of sums and a search, in intervals */
#define PIECE_WORK 8u   /* cost of a piece of ready time, in intervals */

struct lane_row {
    struct tt_subject of;
    uint64_t settled; /* the distributions are computed; before that only the sums are */
    uint64_t idle;    /* 1: idle thread */
    int32_t priority, priority_min, priority_max, unused;
    uint64_t threads;
    uint64_t run; /* CPU time without interrupts */
    struct tt_thread_sums sums;
    uint64_t out;
    uint64_t running_any; /* of processes */
    struct tt_distribution delay, preempted, wait, slice;
    struct tt_ready_by ready_by; /* settled rows only, as is */
    uint64_t steal;
    uint64_t has_clients; /* 1: CPU time by client is computed; the capture has messages */
    struct tt_imposed clients;
    struct tt_thread_totals own; /* by the format's tool */
};

_Static_assert(sizeof(struct lane_row) <= sizeof(struct tt_table_row), "room for a row");

struct lanes {
    bool summed;    /* all rows exist, with their sums, in order */
    uint32_t next;  /* next thread or process to sum, out of `count` */
    uint32_t count; /* excludes those that are added later */
    bool summing;   /* `open` has the sums of `next` */
    struct lane_row open;
    uint64_t ranged;          /* its range has the priorities before this time */
    struct tt_run_union runs; /* of `open`, a process */
    struct tt_run_order order;
    size_t row;            /* row whose samples are gathered: `open`, if `opened` */
    bool opened;           /* of a process, of its `member`-th thread */
    uint32_t member;       /* up to ... */
    uint64_t reached;      /* ... this part of the window */
    uint64_t readied;      /* the same for the causes of its ready time; at most `reached` */
    uint64_t ready_pieces; /* number of pieces of ready time that may still be read, if `readies` */
    bool readies;
    unsigned settling; /* current one of its distributions */
    struct tt_delays scratch;
    struct tt_selection selection;
    uint32_t *members; /* threads by process: those of p are [first[p], first[p + 1]) */
    uint32_t *first;
    struct tt_thread_totals *own; /* by thread: counts of the format's tool; or NULL */
    struct tt_imposing *imposing;
    struct tt_imposed *imposed; /* by thread; NULL: not wanted, or there are no messages */
    uint32_t imposed_count;
    uint64_t client_systems; /* in which messages were sent, one bit each; valid with `imposed` */
};

static bool is_of_processes(const struct tt_table_run *run)
{
    return run->table == &tt_table_processes;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Computes the CPU time by client of all threads in steps, if requested; ALL: it is complete. */
static enum tt_made compute_clients(struct tt_table_run *run, struct lanes *lanes)
{
    const struct tt_window *w = &run->request.window;
    const struct tt_message_window window = {.from = w->from, .to = w->to};
    bool wanted = run->request.with_clients && !w->cpus && tt_message_rows(run->timelines) > 0;
    bool done = false;
    if (!wanted || lanes->imposed) {
        return TT_MADE_ALL;
    }
    lanes->imposing =
        lanes->imposing ? lanes->imposing : tt_imposing_new(run->capture, &window, false);
    if (!lanes->imposing || !tt_imposing_step(lanes->imposing, run->timelines, &run->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    lanes->imposed = tt_imposing_release_times(lanes->imposing, &lanes->imposed_count);
    lanes->client_systems = tt_message_systems(run->timelines);
    tt_imposing_free(lanes->imposing);
    lanes->imposing = NULL;
    return TT_MADE_ALL;
}

/* Groups the threads that count by process. */
static bool group_threads(const struct tt_table_run *run, struct lanes *lanes)
{
    uint32_t count = tt_thread_count(run->capture);
    lanes->first = calloc((size_t)lanes->count + 1, sizeof *lanes->first);
    lanes->members = calloc((size_t)count + 1, sizeof *lanes->members);
    for (uint32_t pass = 0; lanes->first && lanes->members && pass < 2; pass++) {
        for (uint32_t i = count; i-- > 0;) {
            uint32_t process = tt_thread_at(run->capture, i)->process;
            if (process >= lanes->count || !tt_table_counts(run, i)) {
                continue;
            }
            if (pass == 0) {
                lanes->first[process]++;
            } else {
                lanes->members[--lanes->first[process]] = i;
            }
        }
        for (uint32_t p = 1; pass == 0 && p <= lanes->count; p++) {
            lanes->first[p] += lanes->first[p - 1];
        }
    }
    return lanes->first && lanes->members;
}

/* Begins the rows: what all of them need. */
static enum tt_made table_threads_begin_rows(struct tt_table_run *run, struct lanes *lanes)
{
    const struct tt_capture *capture = run->capture;
    struct lane_row *total = run->total;
    lanes->reached = lanes->readied = run->request.window.from;
    lanes->count = is_of_processes(run) ? tt_process_count(capture) : tt_thread_count(capture);
    total->own.stack_min = total->own.stack_size = TT_TABLE_NONE;
    if (is_of_processes(run)) {
        total->running_any = TT_TABLE_NONE; /* processes run at the same time */
        return tt_table_reserve(run, lanes->count) && group_threads(run, lanes) ? TT_MADE_ALL
                                                                                : TT_MADE_NO_MEMORY;
    }
    if (capture->format->tool.totals) {
        struct tt_totals totals;
        lanes->own = calloc((size_t)lanes->count + 1, sizeof *lanes->own);
        if (!lanes->own) {
            return TT_MADE_NO_MEMORY;
        }
        run->has_tool =
            tt_events_totals(run->request.events, &run->request.keys, &totals, lanes->own);
    }
    return tt_table_reserve(run, lanes->count) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static void settle_sums(struct lane_row *row)
{
    const struct tt_thread_sums *sums = &row->sums;
    row->run = sums->ticks[TT_CLASS_RUNNING] - sums->irq;
    row->out = sums->out_voluntary + sums->out_preempted + sums->out_unknown;
}

/* Adds the CPU time by client of a thread that counts; unknown in systems without messages. */
static void add_clients(const struct tt_table_run *run, const struct lanes *lanes, uint32_t thread,
                        struct lane_row *row)
{
    unsigned system = tt_merge_of_thread(run->capture, thread);
    bool known = lanes->imposed && thread < lanes->imposed_count &&
                 (lanes->client_systems >> system & 1) != 0;
    if (known && tt_thread_is_counted(tt_thread_at(run->capture, thread))) {
        const struct tt_imposed *imposed = &lanes->imposed[thread];
        row->has_clients = 1;
        row->clients.self += imposed->self;
        row->clients.imposed += imposed->imposed;
        row->clients.imposed_gross += imposed->imposed_gross;
        row->clients.charged += imposed->charged;
    }
}

/* Begins the row of a thread or process, with its sums. */
static void open_lane(struct tt_table_run *run, struct lanes *lanes)
{
    const struct tt_window *window = &run->request.window;
    const struct tt_timelines *timelines = run->timelines;
    struct lane_row *row = &lanes->open;
    tt_table_clear_row(run->table, row);
    if (is_of_processes(run)) {
        const uint32_t *threads = &lanes->members[lanes->first[lanes->next]];
        uint32_t count = lanes->first[lanes->next + 1] - lanes->first[lanes->next];
        row->of.process = lanes->next;
        row->threads = count;
        for (uint32_t i = 0; i < count; i++) {
            struct tt_thread_sums sums;
            tt_thread_sum_in(timelines, threads[i], window, &sums);
            tt_thread_sums_add(&row->sums, &sums);
            add_clients(run, lanes, threads[i], row);
        }
        tt_table_spend(run, SUM_WORK * (uint64_t)count);
        tt_run_union_begin(&lanes->runs, timelines, window, threads, count);
    } else {
        const struct tt_thread *lane = tt_thread_at(run->capture, lanes->next);
        row->of.thread = lanes->next;
        row->of.process = lane->process;
        row->idle = lane->idle;
        row->own = run->has_tool ? lanes->own[lanes->next] : row->own;
        tt_thread_sum_prefetch(timelines, lanes->next + TT_SUMS_AHEAD, window->from, window->to);
        tt_thread_sum_in(timelines, lanes->next, window, &row->sums);
        row->priority = tt_thread_priority(
            timelines, lanes->next, window->to > window->from ? window->to - 1 : window->from);
        add_clients(run, lanes, lanes->next, row);
        lanes->ranged = window->from;
    }
    settle_sums(row);
    lanes->summing = true;
}

/* Adds the row of a thread or process; PART: the work is used up first. */
static enum tt_made sum_lane(struct tt_table_run *run, struct lanes *lanes)
{
    struct lane_row *row = &lanes->open, *total = run->total;
    if (lanes->summing && is_of_processes(run) && lanes->runs.t != run->timelines) {
        tt_run_union_free(&lanes->runs); /* positions in intervals are those of other timelines */
        lanes->summing = false;
    }
    if (!lanes->summing) {
        open_lane(run, lanes);
    }
    if (is_of_processes(run)) {
        if (!tt_run_union_step(&lanes->runs, &run->work)) {
            return TT_MADE_PART;
        }
        if (lanes->runs.no_memory) {
            return TT_MADE_NO_MEMORY;
        }
        row->running_any = lanes->runs.ticks;
        tt_run_union_free(&lanes->runs);
    } else {
        int lowest = row->priority_min, highest = row->priority_max;
        bool done = tt_thread_priority_part(run->timelines, row->of.thread, run->request.window.to,
                                            &lanes->ranged, &run->work, &lowest, &highest);
        row->priority_min = lowest;
        row->priority_max = highest;
        if (!done) {
            return TT_MADE_PART;
        }
    }
    lanes->summing = false;
    if (is_of_processes(run) || tt_table_counts(run, row->of.thread)) {
        tt_thread_sums_add(&total->sums, &row->sums);
        total->threads += row->threads;
        settle_sums(total);
    }
    return tt_table_add(run, row) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

/* Adds a row with sums for each thread or process, and sorts them; from then on they keep their positions. */
static enum tt_made sum_lanes(struct tt_table_run *run, struct lanes *lanes)
{
    for (; lanes->next < lanes->count; lanes->next++) {
        bool has_row = is_of_processes(run) /* a thread also if it is idle and does not count */
                           ? lanes->first[lanes->next + 1] > lanes->first[lanes->next]
                           : !tt_thread_at(run->capture, lanes->next)->pseudo &&
                                 tt_table_includes(run, lanes->next);
        enum tt_made made = has_row ? sum_lane(run, lanes) : TT_MADE_ALL;
        if (made != TT_MADE_ALL) {
            return made;
        }
        if (!tt_table_spend(run, is_of_processes(run) ? 0 : SUM_WORK)) {
            lanes->next++;
            return TT_MADE_PART;
        }
    }
    enum tt_made made = tt_run_order_step(&lanes->order, run, offsetof(struct lane_row, run));
    run->has_total = lanes->summed = made == TT_MADE_ALL;
    return made == TT_MADE_ALL && run->work == 0 ? TT_MADE_PART : made;
}

/* ---- causes of ready time -------------------------------------------------------------------- */

/*
 * Adds a part of a ready interval that begins at lanes->readied; returns false if the work is used up.
 * The rest counts as unknown when the pieces are used up.
 */
static bool add_ready(struct tt_table_run *run, struct lanes *lanes, struct tt_ready_walk *walk)
{
    struct tt_ready_piece piece;
    while (tt_ready_next(walk, &piece)) {
        if (lanes->ready_pieces == 0) {
            lanes->open.ready_by.unknown += walk->to - piece.from;
            lanes->readied = walk->to;
            return true;
        }
        lanes->ready_pieces--;
        switch (piece.cause) {
#define X(member, cause)                                                                           \
    case cause:                                                                                    \
        lanes->open.ready_by.member += piece.to - piece.from;                                      \
        break;
            TT_READY_BY_INFO(X)
#undef X
        default:
            break;
        }
        lanes->readied = piece.to;
        if (!tt_table_spend(run, PIECE_WORK)) {
            return false;
        }
    }
    return true;
}

/*
 * Adds the ready time of a thread in [lanes->readied, lanes->reached) by the occupant of the CPU, and the run time that a
 * host has stolen, for the part that the work covers. Consecutive parts give the result of one call. A ready interval belongs to the CPU of
 * the thread's last run, as in tt_thread_sum_in.
 */
static void sum_ready_part(struct tt_table_run *run, struct lanes *lanes, uint32_t thread)
{
    const struct tt_timelines *timelines = run->timelines;
    uint64_t to = lanes->reached;
    struct tt_interval_at at;
    bool more = lanes->readied < to && (tt_interval_find(timelines, thread, lanes->readied, &at) ||
                                        tt_interval_first(timelines, thread, &at));
    while (more) {
        struct tt_interval i = tt_interval_get(timelines, at);
        if (i.start >= to) {
            break;
        }
        uint64_t from = i.start > lanes->readied ? i.start : lanes->readied,
                 end = tt_earlier(i.end, to);
        if (i.class_ == TT_CLASS_RUNNING && !tt_thread_at(run->capture, thread)->idle &&
            tt_window_has_cpu(&run->request.window, i.cpu)) {
            lanes->open.steal +=
                tt_steal_ticks(timelines, tt_merge_vcpu(run->capture, i.cpu), from, end);
        }
        if (i.class_ == TT_CLASS_READY && from < end &&
            tt_window_has_cpu(&run->request.window, i.cpu)) {
            struct tt_ready_walk w = {.t = timelines,
                                      .c = run->capture,
                                      .thread = thread,
                                      .cpu = tt_ready_cpu(timelines, at, &i),
                                      .at = from,
                                      .to = end};
            if (!add_ready(run, lanes, &w)) {
                return;
            }
        }
        more = tt_interval_next(timelines, &at);
        bool goes_on = end > lanes->readied; /* false after the end of a lane */
        lanes->readied = goes_on ? end : lanes->readied;
        if (!tt_table_spend(run, 1) && goes_on) {
            return;
        }
    }
    lanes->readied = to;
}

/* ---- delays ------------------------------------------------------------------------------- */

/* Computes the distributions of the open row; returns false if the work is used up first. */
static bool settle_row(struct tt_table_run *run, struct lanes *lanes)
{
    struct lane_row *row = &lanes->open, *total = run->total;
    struct tt_samples *const samples[] = {&lanes->scratch.delay, &lanes->scratch.preempted,
                                          &lanes->scratch.wait, &lanes->scratch.slice};
    struct tt_distribution *const its[] = {&row->delay, &row->preempted, &row->wait, &row->slice};
    struct tt_distribution *const all[] = {&total->delay, &total->preempted, &total->wait,
                                           &total->slice};
    for (; lanes->settling < 4; lanes->settling++) {
        if (!tt_samples_distribution_step(samples[lanes->settling], &lanes->selection, &run->work,
                                          its[lanes->settling])) {
            return false;
        }
    }
    lanes->settling = 0;
    row->settled = 1;
    if (is_of_processes(run) || tt_table_counts(run, row->of.thread)) {
        for (unsigned i = 0; i < 4; i++) {
            tt_distribution_add(all[i], its[i]);
        }
#define X(member, cause) total->ready_by.member += row->ready_by.member;
        TT_READY_BY_INFO(X)
#undef X
        total->steal += row->steal;
    }
    return true;
}

/*
 * Gathers the delays of a thread up to the end of the next part of the window, and the causes of its
 * ready time in that part.
 */
static enum tt_made gather_thread(struct tt_table_run *run, struct lanes *lanes, uint32_t thread)
{
    if (lanes->readied >= lanes->reached &&
        !tt_delays_gather_part(&lanes->scratch, run->timelines, thread, &run->request.window,
                               &lanes->reached, &run->work)) {
        return TT_MADE_NO_MEMORY;
    }
    const bool is_stolen = tt_merge_headings(run->capture) > 0 && tt_guests_any(run->timelines);
    if (run->request.without_ready_by && !is_stolen) {
        lanes->readied = lanes->reached;
        return TT_MADE_ALL;
    }
    if (!lanes->readies) { /* not before it is needed: the count is O(threads) */
        lanes->readies = true;
        lanes->ready_pieces =
            TT_READY_PIECES + TT_READY_PIECES_EACH * tt_timelines_intervals(run->timelines);
    }
    sum_ready_part(run, lanes, thread);
    return lanes->readied < lanes->reached ? TT_MADE_PART : TT_MADE_ALL;
}

/* Gathers the delays of the rows one after the other. */
static enum tt_made gather_rows(struct tt_table_run *run, struct lanes *lanes)
{
    const struct tt_window *window = &run->request.window;
    for (; lanes->row < run->count; lanes->row++) {
        if (!lanes->opened) {
            tt_table_row_at(run, lanes->row, &lanes->open);
            lanes->opened = true;
        }
        uint32_t process = lanes->open.of.process, count = 1;
        const uint32_t *threads = &lanes->open.of.thread;
        if (is_of_processes(run)) {
            count = lanes->first[process + 1] - lanes->first[process];
            threads = lanes->members + lanes->first[process];
        }
        while (lanes->member < count) {
            enum tt_made made = gather_thread(run, lanes, threads[lanes->member]);
            if (made != TT_MADE_ALL) {
                return made;
            }
            if (lanes->reached >= window->to) {
                lanes->member++;
                lanes->reached = lanes->readied = window->from;
            }
            if (!tt_table_spend(run, SUM_WORK) && lanes->member < count) {
                return TT_MADE_PART;
            }
        }
        if (run->work == 0 || !settle_row(run, lanes)) {
            return TT_MADE_PART;
        }
        if (!tt_table_put(run, lanes->row, &lanes->open)) {
            return TT_MADE_NO_MEMORY;
        }
        tt_delays_clear(&lanes->scratch);
        lanes->member = 0;
        lanes->opened = false;
        if (run->work == 0 && lanes->row + 1 < run->count) {
            lanes->row++;
            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

/* ---- steps -------------------------------------------------------------------------------- */

static enum tt_made step_lanes(struct tt_table_run *run)
{
    struct lanes *lanes = run->state;
    enum tt_made made = TT_MADE_ALL;
    if (!run->rows) {
        made = compute_clients(run, lanes);
        made = made == TT_MADE_ALL ? table_threads_begin_rows(run, lanes) : made;
    }
    if (made == TT_MADE_ALL && !lanes->summed) {
        made = sum_lanes(run, lanes);
    }
    return made == TT_MADE_ALL ? gather_rows(run, lanes) : made;
}

static unsigned percent_of_lanes(const struct tt_table_run *run)
{
    const struct lanes *lanes = run->state;
    if (lanes->imposing) {
        return tt_imposing_percent(lanes->imposing) / 2; /* CPU time by client comes first */
    }
    unsigned percent = lanes->summed ? tt_table_percent_of(lanes->row, run->count) : 0;
    return lanes->imposed ? 50 + percent / 2 : percent;
}

static void end_lanes(struct tt_table_run *run)
{
    struct lanes *lanes = run->state;
    tt_delays_free(&lanes->scratch);
    tt_run_union_free(&lanes->runs);
    tt_imposing_free(lanes->imposing);
    free(lanes->order.keys);
    free(lanes->members);
    free(lanes->first);
    free(lanes->own);
    free(lanes->imposed);
}

static void clear_lane(void *row)
{
    struct lane_row *lane = row;
    tt_subject_clear(row);
    lane->priority = lane->priority_min = lane->priority_max = TT_NO_PRIORITY;
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct lane_row
#define IN
#define IN_CLASS(class) sums.ticks[TT_CLASS_##class]

/* clang-format off */
/* The occupant of the CPU during ready time. */
#define READY_BY(key, member, head, rank, doc) \
    COLUMN(key, NULL, TIME_MS, ready_by.member, SCREEN("ready by", head, rank, 53), doc, .is_late = true)

/* The columns that threads and processes share. */
#define RUNNING_COLUMNS(slice_compared, guest_rank) \
    COLUMN("run", "run", TIME_MS, run, SCREEN("run", "", 1, 10), "CPU time without interrupts.", .compared = 1, .is_common = true, .lost = TT_LOST_RUNNING), \
    COLUMN("run_pct", "run % of a CPU", SHARE, run, SCREEN("run", "%", 3, 11), "CPU time without interrupts, in percent of the range.", .lost = TT_LOST_RUNNING), \
    COLUMN("irq", NULL, TIME_MS, sums.irq, SCREEN("run", "irq", 32, 12), "Time of interrupts while it was on a CPU.", .lost = TT_LOST_RUNNING), \
    COLUMN("guest", "guest", TIME_MS, sums.guest, SCREEN("run", "guest", guest_rank, 12), "Part of its CPU time in which it ran a guest.", .of_guests = true, .lost = TT_LOST_RUNNING), \
    KNOWN_BY("steal", "steal", TIME_MS, steal, settled, SCREEN("run", "steal", 65, 12), "Part of its CPU time in which its virtual CPU was not running on the host.", .of_guests = true, .lost = TT_LOST_RUNNING), \
    COLUMN("switches_in", "runs", COUNT, sums.in, SCREEN("switches", "runs", 20, 14), "How often it got a CPU.", .is_neutral = true, .compared = 8, .is_common = true), \
    COLUMN("switches_out", NULL, COUNT, out, SCREEN("switches", "out", 21, 15), "How often it left a CPU."), \
    COLUMN("voluntary", "vol", COUNT, sums.out_voluntary, SCREEN("switches", "vol", 7, 16), "How often it left a CPU to wait.", .of_reason = true), \
    COLUMN("preempted", "pre", COUNT, sums.out_preempted, SCREEN("switches", "pre", 8, 17), "How often it left a CPU although it could run longer.", .of_reason = true, .compared = 9), \
    COLUMN("unknown_out", NULL, COUNT, sums.out_unknown, SCREEN("switches", "unk", 33, 18), "How often it left a CPU for an unknown reason."), \
    COLUMN("migrations", "mig", COUNT, sums.migrations, SCREEN("switches", "mig", 9, 19), "How often it got another CPU than the one before.", .compared = 10, .is_common = true), \
    COUNT_OF("slices", NULL, slice, SCREEN("switches", "slices", 6, 13), "Runs that end in the range."), \
    MEAN_OF("slice_mean", NULL, slice, SCREEN("slice", "mean", 22, 41), "Length of a run without interrupts, the mean.", .is_neutral = true, .compared = slice_compared, .is_common = true), \
    OF("slice_max", NULL, TIME_US, slice, max, SCREEN("slice", "max", 17, 42), "Length of a run without interrupts, the longest."), \
    OF("slice_max_at", NULL, AT, slice, max_at, SCREEN("slice", "at", 34, 43), "When the longest run ended."), \
    COLUMN("ready", NULL, TIME_MS, IN_CLASS(READY), SCREEN("time", "ready", 24, 45), "Time in which it could run and had no CPU.", .compared = 2, .is_common = true), \
    READY_BY("ready_higher", higher, "higher", 39, "Part of its ready time in which a thread of higher priority had the CPU."), \
    READY_BY("ready_equal", equal, "equal", 47, "Part of its ready time in which a thread of equal priority had the CPU."), \
    READY_BY("ready_lower", lower, "lower", 48, "Part of its ready time in which a thread of lower priority had the CPU."), \
    READY_BY("ready_occupied", occupied, "occupied", 49, "Part of its ready time in which a thread of unknown priority had the CPU."), \
    READY_BY("ready_interrupt", interrupt, "interrupt", 60, "Part of its ready time in which interrupts had the CPU."), \
    READY_BY("ready_kernel", kernel, "kernel", 61, "Part of its ready time in which the kernel had the CPU."), \
    READY_BY("ready_idle", idle, "idle", 62, "Part of its ready time in which the CPU was idle."), \
    READY_BY("ready_unknown", unknown, "unknown", 63, "Part of its ready time in which the occupant of the CPU is unknown."), \
    COUNT_OF("delay_count", NULL, delay, SCREEN("sch delay", "count", 19, 20), "Waits from ready to running that end in the range."), \
    MEAN_OF("delay_mean", "delay mean", delay, SCREEN("sch delay", "mean", 14, 21), "Time from ready to running, the mean."), \
    OF("delay_p50", NULL, TIME_US, delay, p50, SCREEN("sch delay", "p50", 12, 22), "Time from ready to running, the median.", .compared = 4, .is_common = true), \
    OF("delay_p95", NULL, TIME_US, delay, p95, SCREEN("sch delay", "p95", 4, 23), "Time from ready to running that 95 % do not exceed."), \
    OF("delay_p99", "p99", TIME_US, delay, p99, SCREEN("sch delay", "p99", 13, 24), "Time from ready to running that 99 % do not exceed.", .compared = 5, .is_common = true), \
    OF("delay_max", "max", TIME_US, delay, max, SCREEN("sch delay", "max", 2, 25), "Time from ready to running, the longest."), \
    OF("delay_max_at", "at", AT, delay, max_at, SCREEN("sch delay", "at", 5, 26), "When the longest wait from ready to running ended."), \
    COUNT_OF("preempted_wait_count", NULL, preempted, SCREEN("preempted wait", "count", 18, 27), "Waits from a preemption to running that end in the range."), \
    MEAN_OF("preempted_wait_mean", NULL, preempted, SCREEN("preempted wait", "mean", 51, 28), "Time from a preemption to running again, the mean."), \
    OF("preempted_wait_p50", NULL, TIME_US, preempted, p50, SCREEN("preempted wait", "p50", 52, 29), "Time from a preemption to running again, the median."), \
    OF("preempted_wait_p95", NULL, TIME_US, preempted, p95, SCREEN("preempted wait", "p95", 53, 30), "Time from a preemption to running again that 95 % do not exceed."), \
    OF("preempted_wait_p99", NULL, TIME_US, preempted, p99, SCREEN("preempted wait", "p99", 54, 31), "Time from a preemption to running again that 99 % do not exceed.", .compared = 6), \
    OF("preempted_wait_max", NULL, TIME_US, preempted, max, SCREEN("preempted wait", "max", 15, 32), "Time from a preemption to running again, the longest."), \
    OF("preempted_wait_max_at", NULL, AT, preempted, max_at, SCREEN("preempted wait", "at", 55, 33), "When the longest wait after a preemption ended."), \
    COUNT_OF("wait_count", NULL, wait, SCREEN("wait", "count", 31, 34), "Waits from leaving the CPU to ready that end in the range."), \
    MEAN_OF("wait_mean", NULL, wait, SCREEN("wait", "mean", 23, 35), "Time from leaving the CPU to ready, the mean."), \
    OF("wait_p50", NULL, TIME_US, wait, p50, SCREEN("wait", "p50", 56, 36), "Time from leaving the CPU to ready, the median."), \
    OF("wait_p95", NULL, TIME_US, wait, p95, SCREEN("wait", "p95", 57, 37), "Time from leaving the CPU to ready that 95 % do not exceed."), \
    OF("wait_p99", NULL, TIME_US, wait, p99, SCREEN("wait", "p99", 58, 38), "Time from leaving the CPU to ready that 99 % do not exceed."), \
    OF("wait_max", "wait max", TIME_US, wait, max, SCREEN("wait", "max", 16, 39), "Time from leaving the CPU to ready, the longest."), \
    OF("wait_max_at", NULL, AT, wait, max_at, SCREEN("wait", "at", 59, 40), "When the longest wait ended."), \
    COLUMN("unknown", NULL, TIME_MS, IN_CLASS(UNKNOWN), SCREEN("time", "unknown", 30, 52), "Time in unknown states.", .lost = TT_LOST_UNKNOWN), \
    COLUMN("running", NULL, TIME_MS, IN_CLASS(RUNNING), SCREEN("time", "running", 40, 44), "Time on a CPU with interrupts.", .lost = TT_LOST_RUNNING), \
    COLUMN("ipc", NULL, TIME_MS, IN_CLASS(IPC), SCREEN("time", "ipc", 25, 46), "Time in which it waited for messages."), \
    COLUMN("lock", NULL, TIME_MS, IN_CLASS(LOCK), SCREEN("time", "lock", 26, 47), "Time in which it waited for locks.", .compared = 3), \
    COLUMN("sleep", NULL, TIME_MS, IN_CLASS(SLEEP), SCREEN("time", "sleep", 27, 48), "Time in which it slept."), \
    COLUMN("wait", NULL, TIME_MS, IN_CLASS(WAIT), SCREEN("time", "wait", 28, 49), "Time in which it waited for something else."), \
    COLUMN("stopped", NULL, TIME_MS, IN_CLASS(STOPPED), SCREEN("time", "stopped", 29, 50), "Time in which it was stopped."), \
    COLUMN("dead", NULL, TIME_MS, IN_CLASS(DEAD), SCREEN("time", "dead", 41, 51), "Time after its end.")

/* CPU time by client, unknown if it is not computed: the last columns of threads and processes. */
#define OF_CLIENTS(member, doc) \
    KNOWN_BY(#member, NULL, TIME_MS, clients.member, has_clients, SCREEN("by client", #member, 0, 0), doc, .of_clients = true)
#define CLIENT_COLUMNS \
    OF_CLIENTS(self, "CPU time of its own."), \
    OF_CLIENTS(imposed, "CPU time of servers while they serve it, directly or through others."), \
    OF_CLIENTS(imposed_gross, "CPU time of servers while they serve it, with interrupts."), \
    OF_CLIENTS(charged, "CPU time of servers, each instant given to one client only.")

static const struct tt_table_column thread_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 35, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 36, 3), "Number of the thread in its process."),
    COLUMN("process", NULL, PROCESS_NAME, of.process, SCREEN("", "process", 42, 4), "Name of the process, or its number without one."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("priority", "pri", NUMBER, priority, SCREEN("", "pri", 10, 5), "Last known priority.", .is_level = true, .lost = TT_LOST_EITHER),
    COLUMN("priority_min", NULL, NUMBER, priority_min, SCREEN("pri", "min", 37, 6), "Lowest priority in the range.", .lost = TT_LOST_LESS),
    COLUMN("priority_max", NULL, NUMBER, priority_max, SCREEN("pri", "max", 38, 7), "Highest priority in the range."),
    RUNNING_COLUMNS(7, 11),
    COLUMN("idle", NULL, COUNT, idle, SCREEN("", "idle", 50, 60), "1: an idle thread, in no total.", .is_identity = true, .is_good = true),
    COLUMN("suspensions", NULL, COUNT, own.suspensions, SCREEN("", "suspensions", 43, 61), "How often it was suspended, as the format's tool counts.", .of_tool = true),
    COLUMN("resumptions", NULL, COUNT, own.resumptions, SCREEN("", "resumptions", 44, 62), "How often it was resumed, as the format's tool counts.", .of_tool = true),
    COLUMN("stack_min", "stack min", COUNT, own.stack_min, SCREEN("stack", "min", 45, 63), "Least free bytes of its stack.", .is_level = true, .is_good = true, .of_tool = true, .lost = TT_LOST_LESS),
    COLUMN("stack_size", "stack size", COUNT, own.stack_size, SCREEN("stack", "size", 46, 64), "Bytes of its stack.", .is_level = true, .of_tool = true),
    CLIENT_COLUMNS,
};

static const struct tt_table_column process_columns[] = {
    COLUMN("pid", "pid", PROCESS_PID, of.process, SCREEN("", "pid", 10, 2), "Number of the process in the traced system."),
    COLUMN("process", "process", PROCESS_NAME, of.process, SCREEN("", "process", 0, 1), "Name of the process, or its number without one.", .is_key = true),
    COLUMN("threads", "threads", COUNT, threads, SCREEN("", "threads", 11, 3), "Number of threads.", .is_level = true),
    RUNNING_COLUMNS(0, 36),
    COLUMN("running_any", NULL, TIME_MS, running_any, SCREEN("time", "running any", 35, 44), "Time in which at least one of its threads was on a CPU.", .lost = TT_LOST_RUNNING),
    CLIENT_COLUMNS,
};
/* clang-format on */

#define OF_LANES                                                                                   \
    .row_size = sizeof(struct lane_row), .state_size = sizeof(struct lanes),                       \
    .settled = offsetof(struct lane_row, settled), .sums = offsetof(struct lane_row, sums),        \
    .classes = offsetof(struct lane_row, sums.ticks), .clear = clear_lane,                         \
    .longest = {"delay_max"}, .filter = TT_FILTER_THREADS, .order = "run", .step = step_lanes,     \
    .percent = percent_of_lanes, .end = end_lanes

const struct tt_table tt_table_threads = {
    NAMES("thread", "Threads", "A thread.", "[thread]"),
    COLUMNS(thread_columns),
    .of_lane = true,
    .idle = offsetof(struct lane_row, idle),
    OF_LANES,
};

const struct tt_table tt_table_processes = {
    NAMES("process", "Processes", "A process.", "[process]"),
    .row_title = "[process]| [pid?]",
    COLUMNS(process_columns),
    .of_lane = true,
    OF_LANES,
};
