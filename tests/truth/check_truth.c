/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_truth CAPTURE TRUTH [WINDOWS]: compares the library's timelines and numbers of a simulated
 * capture with the simulator's truth (docs/simulator.md), exact to the tick, and the numbers of
 * WINDOWS random windows (20) with a plain walk over the truth. Prints "ok" and exits 0, or the first
 * differences and exits 1.
 *
 * struct reading has the limits of each format; everything else is compared.
 */
#include "truth.h"

static struct lane_truth *lane_truth(struct checker *c, uint32_t lane)
{
    if (!c->lanes[lane]) {
        c->lanes[lane] = calloc(1, sizeof *c->lanes[lane]);
        if (!c->lanes[lane]) {
            exit(2);
        }
    }
    return c->lanes[lane];
}

/* The end of a process ends its dead threads, as far as the capture has their process. */
static bool stays_dead(const struct checker *c)
{
    return c->reading->no_process_end || (c->reading->ring_unnamed && c->overwritten);
}

/* Conditions are among the locks, in the truth and in all numbers. */
static uint8_t counted_class(uint8_t class_)
{
    return tt_class_is_lock(class_) ? TT_CLASS_LOCK : class_;
}

static void check_interval(struct checker *c, const char *line)
{
    uint64_t start = time_of(c, line, "start"), end = time_of(c, line, "end");
    struct tt_interval_at at;
    uint32_t lane = lane_of(c, line, start);
    uint8_t class_ = class_of(line);
    if (lane != UINT32_MAX) {
        struct lane_truth *truth = lane_truth(c, lane);
        truth->last_end = end;
        truth->dead_at_end = class_ == TT_CLASS_DEAD;
    }
    bool whole = !find_key(line, "start_unknown") && !find_key(line, "end_unknown");
    if (class_ == TT_CLASS_RUNNING && whole) {
        uint64_t net = end - start - number_of(line, "irq");
        add_span(&c->slices, (struct span){.lane = lane, .start = end - net, .end = end});
    }
    if (start == end) {
        return; /* a state that lasts 0 ticks */
    }
    if (!tt_interval_find(c->t, lane, start, &at)) {
        expect(c, line, "no interval there", 1, 0);
        return;
    }
    struct tt_interval i = tt_interval_get(c->t, at);
    const struct tt_state_info *state = &c->capture->format->states[i.state];
    if (class_ == TT_CLASS_DEAD && stays_dead(c) && i.end > end) {
        end = i.end;
    }
    uint16_t cpu = find_key(line, "cpu") ? (uint16_t)number_of(line, "cpu") : TT_NO_CPU;
    add_span(&c->intervals, (struct span){lane, start, end, cpu, class_});
    expect(c, line, "start", start, i.start);
    expect(c, line, "end", end, i.end);
    expect(c, line, "start_unknown", number_of(line, "start_unknown"), i.since_before);
    expect(c, line, "class", class_, counted_class(i.class_));
    if (!c->reading->other_states) {
        expect(c, line, state->name, 1, text_is(line, "state", state->name));
    }
    if (cpu != TT_NO_CPU) {
        expect(c, line, "cpu", cpu, i.cpu);
        expect(c, line, "irq", number_of(line, "irq"), tt_cpu_irq(c->t, i.cpu, start, end));
    }
}

/* ---- lives: which threads are one lane ---------------------------------------------------- */

static uint32_t lane_of_life(const struct checker *c, uint64_t number)
{
    for (size_t i = c->lives.count; i-- > 0;) {
        if (c->lives.v[i].start == number) {
            return c->lives.v[i].lane;
        }
    }
    return UINT32_MAX;
}

/* Checks that a thread is one lane during its life, which no other has unless ids are reused. */
static void check_life(struct checker *c, const char *line)
{
    bool known = number_of(line, "begin_unknown") == 0;
    uint64_t begin = time_of(c, line, "begin"), end = time_of(c, line, "end");
    uint32_t lane = lane_of(c, line, known ? begin : end);
    struct tt_interval_at at;
    add_span(&c->lives, (struct span){.lane = lane, .start = number_of(line, "life")});
    if (lane == UINT32_MAX) {
        expect(c, line, "the lane of a thread that was created", 0, known && !c->reading->timeless);
        return;
    }
    struct lane_truth *truth = lane_truth(c, lane);
    truth->lives++;
    expect(c, line, "threads in a lane", c->reading->lanes_again ? truth->lives : 1, truth->lives);
    if (known && truth->lives == 1 && !c->reading->timeless && tt_interval_first(c->t, lane, &at)) {
        expect(c, line, "a thread begins", begin, tt_interval_get(c->t, at).start);
    }
}

/* Checks that every lane that has a timeline belongs to a thread of the truth. */
static void check_no_split(struct checker *c)
{
    struct tt_interval_at at;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        if (tt_interval_first(c->t, lane, &at)) {
            expect(c, "", "a lane that is no thread's", 0,
                   !c->lanes[lane] || c->lanes[lane]->lives == 0);
        }
    }
}

static uint64_t count_intervals(const struct checker *c)
{
    uint64_t count = 0;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        struct tt_interval_at at;
        if (!tt_interval_first(c->t, lane, &at)) {
            continue;
        }
        do {
            struct tt_interval i = tt_interval_get(c->t, at);
            count += i.class_ != TT_CLASS_UNKNOWN && i.end > i.start;
        } while (tt_interval_next(c->t, &at));
    }
    return count;
}

/* ---- sums --------------------------------------------------------------------------------- */

static const char *const delay_names[4] = {"sch", "preempted", "wait", "slice"};

static void read_thread(struct checker *c, const char *line)
{
    bool by_life = find_key(line, "life") && c->lives.count > 0;
    uint32_t lane =
        by_life ? lane_of_life(c, number_of(line, "life")) : lane_of(c, line, c->to - 1);
    if (lane == UINT32_MAX) {
        for (unsigned i = TT_CLASS_RUNNING; i < TT_CLASS_COUNT; i++) {
            expect(c, line, tt_class_name(i), number_of(line, tt_class_name(i)), 0);
        }
        return;
    }
    struct lane_truth *truth = lane_truth(c, lane);
    snprintf(truth->line, sizeof truth->line, "%s", line);
    truth->lines++;
    c->merged |= stays_dead(c) && truth->lines > 1;
    truth->forgotten |= number_of(line, "forgotten") != 0;
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        truth->ticks[i] += number_of(line, tt_class_name(i));
    }
    truth->run += number_of(line, "run");
    truth->irq += number_of(line, "irq");
    truth->in += number_of(line, "in");
    truth->voluntary += number_of(line, "voluntary");
    truth->preempted += number_of(line, "preempted");
    truth->out_unknown += number_of(line, "out_unknown");
    truth->migrations += number_of(line, "migrations");
    truth->idle |= number_of(line, "idle");
    for (unsigned k = 0; k < 4; k++) {
        char key[32];
        snprintf(key, sizeof key, "%s_count", delay_names[k]);
        truth->delay[k][0] += number_of(line, key);
        snprintf(key, sizeof key, "%s_ticks", delay_names[k]);
        truth->delay[k][1] += number_of(line, key);
        snprintf(key, sizeof key, "%s_max", delay_names[k]);
        uint64_t max = number_of(line, key);
        truth->delay[k][2] = max > truth->delay[k][2] ? max : truth->delay[k][2];
    }
    if (stays_dead(c) && truth->dead_at_end) {
        truth->ticks[TT_CLASS_DEAD] += tt_timelines_end(c->t) - truth->last_end;
    }
}

static void check_samples(struct checker *c, const char *line, const char *name,
                          const uint64_t *truth, const struct tt_samples *s)
{
    char key[32];
    snprintf(key, sizeof key, "%s_count", name);
    expect(c, line, key, truth[0], s->count);
    snprintf(key, sizeof key, "%s_ticks", name);
    expect(c, line, key, truth[1], s->sum);
    snprintf(key, sizeof key, "%s_max", name);
    expect(c, line, key, truth[2], s->max);
}

static void check_thread(struct checker *c, uint32_t lane, const struct lane_truth *truth)
{
    const char *line = truth->line;
    struct tt_thread_sums sums;
    tt_thread_sum_in(c->t, lane, &(struct tt_window){0, c->to, NULL, 0}, &sums);
    /* Of one whose end was lost the truth knows no longer how long it is unknown. */
    bool merged = truth->forgotten || truth->lines > 1;
    /* An event may have named it before its first state. */
    merged |= c->reading->ring_unnamed && c->overwritten;
    uint64_t ours[TT_CLASS_COUNT], truths[TT_CLASS_COUNT];
    memcpy(ours, sums.ticks, sizeof ours);
    memcpy(truths, truth->ticks, sizeof truths);
    bool again =
        c->reading->lanes_again && truth->lines > 1; /* one was dead until the next began */
    if (stays_dead(c) && (again || (truth->dead_at_end && (c->losses || c->overwritten)))) {
        ours[TT_CLASS_DEAD] = truths[TT_CLASS_DEAD] = 0; /* a loss makes the dead unknown */
        merged = true;
    }
    for (unsigned i = merged ? TT_CLASS_RUNNING : TT_CLASS_UNKNOWN; i < TT_CLASS_COUNT; i++) {
        expect(c, line, tt_class_name(i), truths[i], ours[i]);
    }
    expect(c, line, "run", truth->run, sums.ticks[TT_CLASS_RUNNING] - sums.irq);
    expect(c, line, "irq", truth->irq, sums.irq);
    expect(c, line, "in", truth->in, sums.in);
    expect(c, line, "voluntary", truth->voluntary, sums.out_voluntary);
    expect(c, line, "preempted", truth->preempted, sums.out_preempted);
    expect(c, line, "out_unknown", truth->out_unknown, sums.out_unknown);
    if (truth->lines == 1) {
        expect(c, line, "migrations", truth->migrations, sums.migrations);
    }
    if (!c->reading->idle_by_name || tt_thread_at(c->capture, lane)->name != 0) {
        expect(c, line, "idle", truth->idle, tt_thread_at(c->capture, lane)->idle);
    }
    struct tt_delays delays = {0};
    if (!tt_delays_gather(&delays, c->t, lane, 0, c->to)) {
        expect(c, line, "out of memory", 0, 1);
    }
    check_samples(c, line, "sch", truth->delay[0], &delays.delay);
    check_samples(c, line, "preempted", truth->delay[1], &delays.preempted);
    check_samples(c, line, "wait", truth->delay[2], &delays.wait);
    check_samples(c, line, "slice", truth->delay[3], &delays.slice);
    tt_delays_free(&delays);
}

static void check_cpu(struct checker *c, const char *line)
{
    struct tt_cpu_sums sums;
    tt_cpu_sum(c->t, (uint16_t)number_of(line, "cpu"), 0, c->to, &sums);
    if (c->reading->idle_by_name && sums.idle == 0) {
        expect(c, line, "busy", number_of(line, "busy") + number_of(line, "idle"), sums.busy);
    } else {
        expect(c, line, "busy", number_of(line, "busy"), sums.busy);
        expect(c, line, "idle", number_of(line, "idle"), sums.idle);
    }
    expect(c, line, "irq", number_of(line, "irq"), sums.irq);
    expect(c, line, "kernel", number_of(line, "kernel"), sums.kernel);
    expect(c, line, "unknown", number_of(line, "unknown"), sums.unknown);
    expect(c, line, "switches", number_of(line, "switches"), sums.switches);
    expect(c, line, "sum of a CPU's times", tt_timelines_end(c->t) - tt_timelines_begin(c->t),
           sums.busy + sums.idle + sums.irq + sums.kernel + sums.unknown);
}

static void check_run(struct checker *c, const char *line)
{
    struct tt_pairs pairs;
    struct tt_status status = tt_pairs_count(c->t, 0, c->to, &pairs);
    uint64_t switches = 0;
    for (size_t i = 0; !tt_failed(&status) && i < pairs.count; i++) {
        switches += pairs.pairs[i].count;
    }
    tt_pairs_free(&pairs);
    expect(c, line, "switches", number_of(line, "switches"), switches);
    expect(c, line, "start", time_of(c, line, "start"), tt_timelines_begin(c->t));
    expect(c, line, "end", time_of(c, line, "end"), tt_timelines_end(c->t));
}

static void check_file(struct checker *c, const char *line)
{
    struct tt_progress p = tt_trace_progress(c->trace);
    expect(c, line, "events", number_of(line, "events"), p.events);
    expect(c, line, "records", number_of(line, "records"), p.records);
}

/* ---- lines that are only kept ------------------------------------------------------------- */

static void read_switch(struct checker *c, const char *line)
{
    c->changes = grown(c->changes, c->change_count, &c->change_capacity, sizeof *c->changes);
    struct change *change = &c->changes[c->change_count++];
    change->at = time_of(c, line, "at");
    change->cpu = (uint16_t)number_of(line, "cpu");
    change->why = *(find_key(line, "why") + 1);
    change->migration = number_of(line, "migration") != 0;
    change->from = change->to = UINT32_MAX; /* by name only: see count_switches */
}

static void read_delay(struct checker *c, const char *line)
{
    struct span span = {.start = time_of(c, line, "start"), .end = time_of(c, line, "end")};
    while (span.class_ < 2 && !text_is(line, "kind", delay_names[span.class_])) {
        span.class_++;
    }
    span.lane = lane_of(c, line, span.end);
    add_span(&c->delays, span);
}

static void count_span(uint64_t length, uint64_t *count, uint64_t *sum, uint64_t *max)
{
    ++*count;
    *sum += length;
    *max = length > *max ? length : *max;
}

static void read_interrupt(struct checker *c, const char *line)
{
    struct span span = {.lane = UINT32_MAX,
                        .start = time_of(c, line, "start"),
                        .end = time_of(c, line, "end"),
                        .cpu = (uint16_t)number_of(line, "cpu")};
    if (number_of(line, "depth") == 0) {
        add_span(&c->interrupts, span);
    }
    if (!number_of(line, "cut")) {
        count_span(span.end - span.start, &c->irq_count, &c->irq_ticks, &c->irq_max);
    }
}

static void read_message(struct checker *c, const char *line)
{
    if (find_key(line, "replied")) {
        add_span(&c->messages, (struct span){.start = time_of(c, line, "sent"),
                                             .end = time_of(c, line, "replied")});
    }
}

static void read_start(struct checker *c, const char *line)
{
    c->overwritten = number_of(line, "overwritten") != 0;
}

static void read_loss(struct checker *c, const char *line)
{
    (void)line;
    c->losses = true;
}

/* ---- durations of events ------------------------------------------------------------------ */

static void check_duration(struct checker *c, const struct tt_event_numbers *e, uint64_t count,
                           uint64_t ticks, uint64_t max)
{
    expect(c, e->name, "durations", count, e->duration.count);
    expect(c, e->name, "their ticks", ticks, e->duration.sum);
    expect(c, e->name, "the longest", max, e->duration.max);
}

/* Returns false at the beginning of a ring, where the sender is unknown. */
static bool has_sender(const struct checker *c, uint64_t sent)
{
    struct tt_event events[8]; /* buffers begin with events of the same time */
    uint64_t row = tt_events_row_at_time(c->events, sent);
    uint32_t count = tt_events_read(c->events, row, 8, events);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].ticks == sent && events[i].kind == TT_KIND_MESSAGE) {
            return events[i].thread != TT_NO_THREAD;
        }
    }
    return false;
}

static void check_messages(struct checker *c, const struct tt_event_numbers *e)
{
    uint64_t count = 0, ticks = 0, max = 0;
    for (size_t i = 0; i < c->messages.count; i++) {
        const struct span *s = &c->messages.v[i];
        if (has_sender(c, s->start)) {
            count_span(s->end - s->start, &count, &ticks, &max);
        }
    }
    check_duration(c, e, count, ticks, max);
}

/* Compares the durations of messages and interrupts with the truth, if no records are lost. */
static void check_durations(struct checker *c)
{
    struct tt_event_window window = {.end_row = tt_events_rows(c->events), .to = UINT64_MAX};
    struct tt_event_stats *stats = tt_event_stats_new(c->trace, &window);
    bool done = false;
    if (!stats || c->losses) {
        tt_event_stats_free(stats);
        return;
    }
    struct tt_status status = tt_event_stats_step(stats, c->events, UINT64_MAX, &done);
    expect(c, "", "event statistics", true, !tt_failed(&status) && done);
    for (size_t i = 0; i < tt_event_stats_count(stats); i++) {
        struct tt_event_numbers e = tt_event_stats_at(stats, i);
        if (strcmp(e.name, "SND_MESSAGE") == 0) {
            check_messages(c, &e);
        } else if (strcmp(e.name, "INT_ENTR") == 0) {
            check_duration(c, &e, c->irq_count, c->irq_ticks, c->irq_max);
        }
    }
    tt_event_stats_free(stats);
}

/* ---- windows: a plain walk over the truth's lines ----------------------------------------- */

static uint64_t overlap(const struct span *s, uint64_t from, uint64_t to)
{
    uint64_t start = s->start > from ? s->start : from, end = s->end < to ? s->end : to;
    return end > start ? end - start : 0;
}

static uint64_t interrupts_within(const struct checker *c, uint16_t cpu, uint64_t from, uint64_t to)
{
    uint64_t ticks = 0;
    for (size_t i = 0; i < c->interrupts.count; i++) {
        if (c->interrupts.v[i].cpu == cpu) {
            ticks += overlap(&c->interrupts.v[i], from, to);
        }
    }
    return ticks;
}

static void check_window_lane(struct checker *c, uint32_t lane, uint64_t from, uint64_t to)
{
    uint64_t ticks[TT_CLASS_COUNT] = {0}, irq = 0, delays[3][3] = {{0}}, slice[3] = {0};
    for (size_t i = 0; i < c->intervals.count; i++) {
        const struct span *s = &c->intervals.v[i];
        uint64_t length = s->lane == lane ? overlap(s, from, to) : 0;
        ticks[s->class_] += length;
        if (length > 0 && s->class_ == TT_CLASS_RUNNING) {
            irq += interrupts_within(c, s->cpu, s->start > from ? s->start : from,
                                     s->end < to ? s->end : to);
        }
    }
    for (size_t i = 0; i < c->delays.count; i++) {
        const struct span *s = &c->delays.v[i];
        if (s->lane == lane && s->end >= from && s->end < to) {
            count_span(s->end - s->start, &delays[s->class_][0], &delays[s->class_][1],
                       &delays[s->class_][2]);
        }
    }
    for (size_t i = 0; i < c->slices.count; i++) {
        const struct span *s = &c->slices.v[i];
        if (s->lane == lane && s->end >= from && s->end < to) {
            count_span(s->end - s->start, &slice[0], &slice[1], &slice[2]);
        }
    }
    struct tt_thread_sums sums;
    struct tt_delays ours = {0};
    tt_thread_sum_in(c->t, lane, &(struct tt_window){from, to, NULL, 0}, &sums);
    for (unsigned i = TT_CLASS_RUNNING; i < TT_CLASS_COUNT; i++) {
        expect(c, tt_class_name(i), "window", ticks[i], sums.ticks[i]);
    }
    expect(c, "irq", "window", irq, sums.irq);
    if (tt_delays_gather(&ours, c->t, lane, from, to)) {
        check_samples(c, "window", "sch", delays[0], &ours.delay);
        check_samples(c, "window", "preempted", delays[1], &ours.preempted);
        check_samples(c, "window", "wait", delays[2], &ours.wait);
        check_samples(c, "window", "slice", slice, &ours.slice);
    }
    tt_delays_free(&ours);
}

static void check_window(struct checker *c, uint64_t from, uint64_t to)
{
    uint64_t switches[64] = {0}, why[3] = {0}, migrations = 0;
    for (size_t i = 0; i < c->change_count; i++) {
        const struct change *change = &c->changes[i];
        if (change->at >= from && change->at < to) {
            switches[change->cpu % 64]++;
            why[change->why == 'v' ? 0 : change->why == 'p' ? 1 : 2]++;
            migrations += change->migration;
        }
    }
    struct tt_thread_sums all = {0}, sums;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        check_window_lane(c, lane, from, to);
        tt_thread_sum_in(c->t, lane, &(struct tt_window){from, to, NULL, 0}, &sums);
        tt_thread_sums_add(&all, &sums);
    }
    uint64_t total = 0;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(c->t) && cpu < 64; cpu++) {
        struct tt_cpu_sums cpu_sums;
        tt_cpu_sum(c->t, (uint16_t)cpu, from, to, &cpu_sums);
        expect(c, "switches of a CPU", "window", switches[cpu], cpu_sums.switches);
        expect(c, "interrupts of a CPU", "window", interrupts_within(c, (uint16_t)cpu, from, to),
               cpu_sums.irq);
        total += switches[cpu];
    }
    expect(c, "in", "window", total, all.in);
    if (!c->merged) {
        expect(c, "migrations", "window", migrations, all.migrations);
    }
    expect(c, "voluntary", "window", why[0], all.out_voluntary);
    expect(c, "preempted", "window", why[1], all.out_preempted);
    expect(c, "unknown", "window", why[2], all.out_unknown);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Compares random windows, if no records are lost: losses end intervals without a line. */
static void check_windows(struct checker *c, unsigned windows)
{
    uint64_t begin = tt_timelines_begin(c->t), span = c->to - begin + 2;
    uint64_t state = begin | 1;
    for (unsigned i = 0; i < windows && !c->losses; i++) {
        uint64_t a = begin + next_random(&state) % span, b = begin + next_random(&state) % span;
        if (i % 3 == 0 && c->intervals.count > 0) { /* at the edge of an interval */
            a = c->intervals.v[next_random(&state) % c->intervals.count].start;
        }
        check_window(c, a < b ? a : b, a < b ? b : a);
    }
}

/* ---- formats that record the order of switches, but not their times -------------------------- */

static uint32_t lane_of_slot(const struct checker *c, const char *line)
{
    const struct reading *r = c->reading;
    uint64_t address = r->slots_at + number_of(line, "slot") * r->slot_size;
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        if (tt_thread_at(c->capture, lane)->tid == address) {
            return lane;
        }
    }
    return UINT32_MAX;
}

static void count_life(struct checker *c, const char *line)
{
    uint32_t lane = lane_of_slot(c, line);
    if (lane != UINT32_MAX) {
        lane_truth(c, lane)->lives++;
    }
}

static void read_counts(struct checker *c, const char *line)
{
    uint32_t lane = lane_of_slot(c, line);
    if (lane == UINT32_MAX) {
        expect(c, line, "in", number_of(line, "idle") ? 0 : number_of(line, "in"), 0);
        return;
    }
    struct lane_truth *truth = lane_truth(c, lane);
    snprintf(truth->line, sizeof truth->line, "%s", line);
    truth->lines++;
    c->merged |= stays_dead(c) && truth->lines > 1;
    truth->in += number_of(line, "in");
    truth->voluntary += number_of(line, "voluntary");
    truth->preempted += number_of(line, "preempted");
}

/* The last entry names the next thread, which may not run yet in the simulation: both counts fit. */
static void expect_but_last(struct checker *c, const char *line, const char *what, uint64_t truth,
                            uint64_t before, uint64_t all)
{
    expect(c, line, what, truth, truth == before ? before : all);
}

static void check_run_counts(struct checker *c, const char *line)
{
    struct tt_window window = {.to = c->to}, before = {.to = c->to - 1};
    struct tt_totals totals, but_last;
    if (c->overwritten) {
        return; /* the truth of a ring has no thread until its first state, the first entry has one */
    }
    tt_totals_of_cpus(c->t, &window, &totals);
    tt_totals_of_cpus(c->t, &before, &but_last);
    expect_but_last(c, line, "switches", number_of(line, "switches"), but_last.context_switches,
                    totals.context_switches);
    expect(c, line, "interrupts", number_of(line, "interrupts"), totals.interrupts);
    expect(c, line, "nested", number_of(line, "nested"), totals.nested_interrupts);
}

/* Compares the counts of the format's tool with the writer's. */
static void check_file_counts(struct checker *c, const char *line)
{
    struct tt_key_range range = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_totals totals;
    struct tt_thread_totals *threads =
        calloc((size_t)tt_thread_count(c->capture) + 1, sizeof *threads);
    check_file(c, line);
    if (!threads || !tt_events_totals(c->events, &range, &totals, threads)) {
        expect(c, line, "totals", 1, 0);
    } else {
        expect(c, line, "suspensions", number_of(line, "suspensions"), totals.suspensions);
        expect(c, line, "resumptions", number_of(line, "resumptions"), totals.resumptions);
        expect(c, line, "interrupts", number_of(line, "interrupts"), totals.interrupts);
        expect(c, line, "nested", number_of(line, "nested"), totals.nested_interrupts);
    }
    free(threads);
}

static void check_counts(struct checker *c, uint32_t lane, const struct lane_truth *truth)
{
    struct tt_thread_sums all, before;
    const char *line = truth->line;
    if (c->overwritten) {
        return;
    }
    tt_thread_sum(c->t, lane, 0, c->to, &all);
    tt_thread_sum(c->t, lane, 0, c->to - 1, &before);
    expect_but_last(c, line, "in", truth->in, before.in, all.in);
    expect_but_last(c, line, "voluntary", truth->voluntary, before.out_voluntary,
                    all.out_voluntary);
    expect_but_last(c, line, "preempted", truth->preempted, before.out_preempted,
                    all.out_preempted);
    expect(c, line, "out_unknown", 0, all.out_unknown);
}

/* ---- the whole ---------------------------------------------------------------------------- */

struct line_kind {
    const char *name;
    void (*take)(struct checker *c, const char *line);
};

static const struct line_kind kinds[] = {
    {"run", read_start},           {"life", check_life},      {"interval", check_interval},
    {"sum_thread", read_thread},   {"sum_cpu", check_cpu},    {"sum_run", check_run},
    {"file", check_file},          {"switch", read_switch},   {"delay", read_delay},
    {"interrupt", read_interrupt}, {"message", read_message}, {"loss", read_loss},
};

static const struct line_kind counts_kinds[] = {
    {"run", read_start},           {"life", count_life},        {"sum_thread", read_counts},
    {"sum_run", check_run_counts}, {"file", check_file_counts},
};

/* A format of captures can have several of truths: the first line has its name. */
static bool choose_reading(struct checker *c, FILE *truth)
{
    static char line[LINE_BYTES];
    const char *known = fgets(line, sizeof line, truth) ? line : "";
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        if (text_is(known, "format", readings[i].format)) {
            c->reading = &readings[i];
        }
    }
    rewind(truth);
    return c->reading != NULL;
}

/* Reads the lines once to find the offset between the clocks. */
static void compare_clocks(struct checker *c, FILE *truth)
{
    static char line[LINE_BYTES];
    while (c->reading->low_half && fgets(line, sizeof line, truth)) {
        if (text_is(line, "t", "sum_run")) {
            uint64_t ahead = number_of(line, "start") - tt_timelines_begin(c->t);
            c->ahead = (ahead + (UINT64_C(1) << 31)) >> 32 << 32;
        }
    }
    rewind(truth);
}

static void check_lines(struct checker *c, FILE *truth)
{
    static char line[LINE_BYTES];
    bool full = false, counts = c->reading->counts_only;
    const struct line_kind *taken = counts ? counts_kinds : kinds;
    size_t count = counts ? sizeof counts_kinds / sizeof *kinds : sizeof kinds / sizeof *kinds;
    compare_clocks(c, truth);
    while (fgets(line, sizeof line, truth)) {
        for (size_t i = 0; i < count; i++) {
            if (text_is(line, "t", taken[i].name)) {
                taken[i].take(c, line);
                full |= taken[i].take == check_interval;
            }
        }
    }
    for (uint32_t lane = 0; lane < tt_thread_count(c->capture); lane++) {
        if (c->lanes[lane] && c->lanes[lane]->lines > 0) {
            (counts ? check_counts : check_thread)(c, lane, c->lanes[lane]);
        }
    }
    if (full) {
        expect(c, "", "intervals", c->intervals.count, count_intervals(c));
    }
    if (c->lives.count > 0 || counts) {
        check_no_split(c);
    }
}

static int check(struct checker *c, FILE *truth, unsigned windows)
{
    c->capture = tt_trace_capture(c->trace);
    c->t = tt_trace_timelines(c->trace);
    c->events = tt_events_new(c->trace);
    c->lanes = calloc((size_t)tt_thread_count(c->capture) + 1, sizeof(void *));
    if (!c->t || !c->events || !c->lanes || !choose_reading(c, truth)) {
        printf("no timelines, or a format whose truth cannot be read\n");
        return 1;
    }
    c->to = tt_timelines_end(c->t) + 1;
    check_lines(c, truth);
    if (!c->reading->counts_only) {
        check_durations(c);
        check_windows(c, windows);
    }
    if (c->differences > 0) {
        printf("%" PRIu64 " of %" PRIu64 " differ\n", c->differences, c->checks);
        return 1;
    }
    printf("ok %" PRIu64 " checks\n", c->checks);
    return c->checks == 0;
}

static void free_all(struct checker *c)
{
    for (uint32_t i = 0; c->lanes && i < tt_thread_count(c->capture); i++) {
        free(c->lanes[i]);
    }
    free(c->lanes);
    free(c->intervals.v);
    free(c->delays.v);
    free(c->slices.v);
    free(c->interrupts.v);
    free(c->messages.v);
    free(c->lives.v);
    free(c->changes);
    tt_events_free(c->events);
    tt_trace_close(c->trace);
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: check_truth CAPTURE TRUTH [WINDOWS]\n");
        return 2;
    }
    struct checker c = {0};
    struct tt_status status = tt_trace_open(argv[1], NULL, &c.trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index(c.trace);
    }
    FILE *truth = fopen(argv[2], "r");
    if (tt_failed(&status) || !truth) {
        printf("%s: %s\n", argv[1], truth ? status.text : "no truth");
        tt_trace_close(c.trace);
        return 1;
    }
    int result = check(&c, truth, argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 20);
    fclose(truth);
    free_all(&c);
    return result;
}
