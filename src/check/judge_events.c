/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge_events: rules about events, in one walk over the capture.
 *
 *      events   | 1024 |        each filter tests a block of events once, for all rules, and only
 *                               those of the types that it may match
 *      bits     one set per filter
 *      rules    a machine per rule, which handles the events of its current window
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/clock.h"
#include "check/judge.h"
#include "check/testers.h"
#include "trace/line_parts.h"
#include "tracetui/time.h"

#define BATCH TT_FILTER_BLOCK

/* The state of a sequence for one thread, CPU or process, or for all. */
struct track {
    bool open;
    uint32_t thread; /* of the first event */
    uint64_t since;  /* time and row of the first event */
    uint64_t row;
    uint64_t starts[TT_RULE_STEPS]; /* of `then`: latest start of the first i + 1 events */
    uint64_t inside;                /* of `no`: events since, and the first of them */
    uint64_t inside_row;
    uint64_t inside_at;
};

struct machine {
    size_t rule;
    size_t window; /* current one of the rule's list */
    struct track *tracks;
    uint32_t track_count, track_capacity;
    struct tt_measure *measure;
    uint64_t count; /* of the window */
    uint64_t first_at, first_row;
    uint32_t first_thread;
    struct tt_finding worst;
    bool has_worst;
    bool finished; /* no more windows */
};

struct tt_check_walk {
    struct tt_check *k;
    struct tt_testers testers;
    struct machine *machines;
    size_t count;
    bool no_memory;
    struct tt_event events[BATCH];
    uint64_t row;
};

static const struct tt_rule *rule_of(const struct tt_check_walk *walk,
                                     const struct machine *machine)
{
    return tt_rules_at(walk->k->request.rules, machine->rule);
}

static const struct tt_check_windows *windows_of(const struct tt_check_walk *walk,
                                                 const struct machine *machine)
{
    return &walk->k->windows[walk->k->judged[machine->rule].windows];
}

static const struct tt_check_window *judge_events_window_of(const struct tt_check_walk *walk,
                                                            const struct machine *machine)
{
    return &windows_of(walk, machine)->items[machine->window];
}

static bool judge_events_matches(const struct tt_check_walk *walk, const struct tt_rule *rule,
                                 unsigned step, uint32_t i)
{
    return tt_bit_at(walk->testers.items[rule->filters[step]].bits, i);
}

/* Returns whether records are lost after `from`, up to `to`. */
static bool lost_between(const struct tt_check_walk *walk, uint64_t from, uint64_t to)
{
    return tt_loss_between(walk->k->t, TT_NO_THREAD, from, to);
}

/* ---- tracks ------------------------------------------------------------------------------- */

static struct track empty_track(void)
{
    struct track t = {.thread = TT_NO_THREAD};
    for (unsigned i = 0; i < TT_RULE_STEPS; i++) {
        t.starts[i] = UINT64_MAX;
    }
    return t;
}

/*
 * Returns the track of an event; NULL if it lacks the property that joins the events, or out of
 * memory.
 */
static struct track *judge_events_track_of(struct tt_check_walk *walk, struct machine *machine,
                                           const struct tt_event *event)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    uint32_t number = 0;
    if (rule->same == TT_MEASURE_CPU) {
        number = event->cpu == TT_NO_CPU ? UINT32_MAX : event->cpu;
    } else if (rule->same != TT_MEASURE_ANY) {
        number = event->thread;
    }
    if (rule->same == TT_MEASURE_PROCESS && number != TT_NO_THREAD) {
        number = tt_thread_at(walk->k->capture, number)->process;
    }
    if (number == UINT32_MAX) {
        return NULL;
    }
    while (machine->track_count <= number) {
        struct track *room = tt_array_grow_32(machine->tracks, machine->track_count,
                                              &machine->track_capacity, sizeof *room);
        if (!room) {
            walk->no_memory = true;
            return NULL;
        }
        machine->tracks = room;
        machine->tracks[machine->track_count++] = empty_track();
    }
    return &machine->tracks[number];
}

/* Keeps a finding of the current window if it is worse: certain before doubtful, then larger. */
static void judge_events_keep(struct machine *machine, const struct tt_finding *finding)
{
    bool surer = finding->doubt == TT_DOUBT_NONE && machine->worst.doubt != TT_DOUBT_NONE;
    bool same = (finding->doubt == TT_DOUBT_NONE) == (machine->worst.doubt == TT_DOUBT_NONE);
    if (!machine->has_worst || surer || (same && finding->ticks > machine->worst.ticks)) {
        machine->worst = *finding;
        machine->has_worst = true;
    }
}

/* ---- every ... is followed by ------------------------------------------------------------- */

/* Returns whether a time is longer than the limit of the rule. */
static bool exceeds(const struct tt_check_walk *walk, const struct tt_rule *rule, uint64_t ticks)
{
    uint64_t value =
        rule->limit.unit == TT_RULE_UNIT_TICKS ? ticks : tt_line_ns(walk->k->capture, ticks);
    return value > rule->limit.value.number;
}

/* Adds the time from the oldest open event to `to`; without an answer it is a lower bound. */
static void judge_events_answer(struct tt_check_walk *walk, struct machine *machine,
                                struct track *track, uint64_t to, bool answered)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    uint64_t ticks = to - track->since;
    struct tt_finding f = tt_finding_time(walk->k, ticks);
    f.from = f.at = track->since;
    f.to = to;
    f.thread = track->thread;
    f.row = track->row;
    f.kind = "every";
    f.absent = !answered;
    /* An answer may be among the lost records; an open event may be answered after the end. */
    if (exceeds(walk, rule, ticks)) {
        f.doubt = lost_between(walk, track->since, to) ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    } else {
        f.doubt = answered ? TT_DOUBT_NONE : TT_DOUBT_MORE;
    }
    judge_events_keep(machine, &f);
    track->open = false;
}

static void step_every(struct tt_check_walk *walk, struct machine *machine, uint32_t i,
                       uint64_t row)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    const struct tt_event *event = &walk->events[i];
    bool first = judge_events_matches(walk, rule, 0, i),
         second = judge_events_matches(walk, rule, 1, i);
    struct track *track = first || second ? judge_events_track_of(walk, machine, event) : NULL;
    if (!track) {
        machine->count += first; /* without the joining property it has no answer */
        return;
    }
    if (second && track->open) {
        judge_events_answer(walk, machine, track, event->ticks, true);
    }
    if (first) {
        machine->count++;
        if (!track->open) {
            *track = empty_track();
            track->open = true;
            track->since = event->ticks;
            track->row = row;
            track->thread = event->thread;
        }
    }
}

/* ---- then --------------------------------------------------------------------------------- */

static void step_sequence(struct tt_check_walk *walk, struct machine *machine, uint32_t i,
                          uint64_t row)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    const struct tt_event *event = &walk->events[i];
    for (unsigned step = rule->filter_count; step-- > 0;) {
        if (!judge_events_matches(walk, rule, step, i)) {
            continue;
        }
        struct track *track = judge_events_track_of(walk, machine, event);
        uint64_t start = !track ? UINT64_MAX : step == 0 ? event->ticks : track->starts[step - 1];
        if (start == UINT64_MAX) {
            continue;
        }
        track->starts[step] = start;
        if (step + 1 == rule->filter_count) {
            struct tt_finding f = tt_finding_time(walk->k, event->ticks - start);
            f.from = f.at = start;
            f.to = event->ticks;
            f.thread = event->thread;
            f.row = row;
            f.kind = "then";
            /* The shortest one counts. */
            if (!machine->has_worst || f.ticks < machine->worst.ticks) {
                machine->worst = f;
                machine->has_worst = true;
            }
        }
    }
}

/* ---- no ... between ... and --------------------------------------------------------------- */

/* Adds the events of a stretch; `closed`: its end is recorded. */
static void end_stretch(struct tt_check_walk *walk, struct machine *machine, struct track *track,
                        uint64_t to, bool closed)
{
    struct tt_finding f = tt_finding_of(track->inside, 0);
    f.ticks = track->inside;
    f.at = f.from = track->inside_at;
    f.row = track->inside_row;
    f.thread = TT_NO_THREAD;
    f.kind = "no";
    bool lost = lost_between(walk, track->since, to);
    f.doubt = track->inside == 0 ? TT_DOUBT_NONE : lost || !closed ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    if (track->inside > 0) {
        judge_events_keep(machine, &f);
    }
    machine->count += closed;
    track->open = false;
}

static void step_absence(struct tt_check_walk *walk, struct machine *machine, uint32_t i,
                         uint64_t row)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    const struct tt_event *event = &walk->events[i];
    bool inside = judge_events_matches(walk, rule, 0, i),
         judge_events_begin = judge_events_matches(walk, rule, 1, i);
    bool end = judge_events_matches(walk, rule, 2, i);
    struct track *track =
        inside || judge_events_begin || end ? judge_events_track_of(walk, machine, event) : NULL;
    if (!track) {
        return;
    }
    if (end && track->open) {
        end_stretch(walk, machine, track, event->ticks, true);
    }
    if (inside && track->open) {
        track->inside_at = track->inside == 0 ? event->ticks : track->inside_at;
        track->inside_row = track->inside == 0 ? row : track->inside_row;
        track->inside++;
    }
    if (judge_events_begin && !track->open) {
        *track = empty_track();
        track->open = true;
        track->since = event->ticks;
    }
}

/* ---- counts ------------------------------------------------------------------------------- */

static uint64_t undecided_events(const struct tt_check_walk *walk, const struct tt_rule *rule)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < rule->filter_count; i++) {
        count += tt_filter_worker_undecided(walk->testers.items[rule->filters[i]].worker);
    }
    return count;
}

/* Returns the part of a window inside the capture. */
static uint64_t window_ticks(const struct tt_check_walk *walk, const struct tt_check_window *window)
{
    uint64_t end = tt_timelines_end(walk->k->t),
             judge_events_begin = tt_timelines_begin(walk->k->t);
    uint64_t to = window->to < end ? window->to : end;
    uint64_t from = window->from > judge_events_begin ? window->from : judge_events_begin;
    return to > from ? to - from : 0;
}

/* Records the count of a window, or its rate. */
static void finish_count(struct tt_check_walk *walk, struct machine *machine,
                         const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    struct tt_finding f = tt_finding_of(machine->count, 0);
    uint64_t hz = walk->k->capture->clock_hz;
    bool lost = tt_check_lost(walk->k, window) || undecided_events(walk, rule) > 0;
    if (rule->kind == TT_RULE_RATE) {
        uint64_t thousandths;
        if (hz == 0 || hz > UINT64_MAX / 1000 ||
            !tt_mul_div(machine->count, hz * 1000, window_ticks(walk, window), &thousandths)) {
            tt_check_miss(walk->k, machine->rule,
                          "the capture has no clock, or the window is empty");
            return;
        }
        f = tt_finding_of(thousandths, 3);
    }
    bool shrinks = rule->kind == TT_RULE_RATE && walk->k->request.growing;
    f.doubt = !lost ? TT_DOUBT_NONE : shrinks ? TT_DOUBT_EITHER : TT_DOUBT_MORE;
    if (machine->count > 0) {
        f.at = machine->first_at;
        f.row = machine->first_row;
        f.thread = machine->first_thread;
    }
    f.kind = "event";
    tt_check_add_finding(walk->k, machine->rule, &f);
}

/* ---- times -------------------------------------------------------------------------------- */

/* Returns a quantile of the pairs. */
static struct tt_finding quantile_of(const struct tt_check *check, enum tt_quantile quantile,
                                     const struct tt_distribution *distribution, uint64_t min)
{
    struct tt_finding f;
    switch (quantile) {
    case TT_QUANTILE_COUNT:
        return tt_finding_of(distribution->count, 0);
    case TT_QUANTILE_MEAN:
        f = tt_finding_of(tt_line_ns(check->capture, distribution->sum) / distribution->count, 0);
        f.ticks = distribution->sum / distribution->count;
        return f;
    case TT_QUANTILE_MIN:
        return tt_finding_time(check, min);
    case TT_QUANTILE_P50:
        return tt_finding_time(check, distribution->p50);
    case TT_QUANTILE_P95:
        return tt_finding_time(check, distribution->p95);
    case TT_QUANTILE_P99:
        return tt_finding_time(check, distribution->p99);
    default:
        return tt_finding_time(check, distribution->max);
    }
}

/* Returns the range of a quantile if records are lost: events of a pair, or whole pairs. */
static enum tt_doubt quantile_doubt(enum tt_quantile quantile, uint64_t lossy)
{
    switch (quantile) {
    case TT_QUANTILE_COUNT:
    case TT_QUANTILE_MAX:
        return lossy > 0 ? TT_DOUBT_EITHER : TT_DOUBT_MORE;
    case TT_QUANTILE_MIN:
        return TT_DOUBT_LESS;
    default:
        return TT_DOUBT_EITHER;
    }
}

static void finish_time(struct tt_check_walk *walk, struct machine *machine,
                        const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    struct tt_measure_result result;
    tt_measure_result(machine->measure, &result);
    if (result.length.count == 0 && rule->quantile != TT_QUANTILE_COUNT) {
        tt_check_miss(walk->k, machine->rule, "no pair of these events in the window");
        return;
    }
    struct tt_finding f = quantile_of(walk->k, rule->quantile, &result.length, result.min);
    bool lost = tt_check_lost(walk->k, window) || undecided_events(walk, rule) > 0;
    f.doubt = lost ? quantile_doubt(rule->quantile, result.lossy) : TT_DOUBT_NONE;
    if (result.worst_count > 0) {
        f.from = f.at = result.worst[0].from;
        f.to = result.worst[0].to;
        f.row = result.worst[0].from_row;
        f.thread = result.worst[0].thread;
    }
    f.kind = "time";
    tt_check_add_finding(walk->k, machine->rule, &f);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* Records the open events of `every` and the stretches of `no` at the end of a window. */
static void finish_tracks(struct tt_check_walk *walk, struct machine *machine, uint64_t end)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    for (uint32_t i = 0; i < machine->track_count; i++) {
        if (machine->tracks[i].open && rule->kind == TT_RULE_EVERY) {
            judge_events_answer(walk, machine, &machine->tracks[i], end, false);
        } else if (machine->tracks[i].open) {
            end_stretch(walk, machine, &machine->tracks[i], end, false);
        }
    }
    machine->track_count = 0;
}

/* Adds the doubt from lost records: a rule that passes so far could fail. */
static void finish_sequence(struct tt_check_walk *walk, struct machine *machine,
                            const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    bool lost = tt_check_lost(walk->k, window) || undecided_events(walk, rule) > 0;
    if (rule->kind == TT_RULE_EVERY || rule->kind == TT_RULE_ABSENCE) {
        uint64_t end = tt_timelines_end(walk->k->t);
        finish_tracks(walk, machine, window->to < end ? window->to : end);
    }
    if (rule->kind == TT_RULE_EVERY && machine->count == 0 && !machine->has_worst) {
        tt_check_miss(walk->k, machine->rule, "the first event does not occur in the window");
        return;
    }
    if (rule->kind == TT_RULE_EVERY && !machine->has_worst) {
        tt_check_miss(walk->k, machine->rule, "the events lack what joins them");
        return;
    }
    struct tt_finding f = machine->has_worst ? machine->worst : tt_finding_of(0, 0);
    if (rule->kind == TT_RULE_SEQUENCE && !machine->has_worst) {
        f.known = false;
        f.value.number = f.ticks = UINT64_MAX;
        f.doubt = lost ? TT_DOUBT_EITHER : TT_DOUBT_NONE;
    } else if (rule->kind == TT_RULE_SEQUENCE) {
        f.doubt = lost ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    } else if (lost && f.doubt == TT_DOUBT_NONE) {
        f.doubt = TT_DOUBT_MORE;
    }
    tt_check_add_finding(walk->k, machine->rule, &f);
}

/* Returns whether a rule of this kind judges the number of matching events. */
static bool counts_events(enum tt_rule_kind kind)
{
    switch (kind) {
    case TT_RULE_COUNT:
    case TT_RULE_RATE:
    case TT_RULE_NEVER:
        return true;
    default:
        return false;
    }
}

static void finish_window(struct tt_check_walk *walk, struct machine *machine)
{
    const struct tt_check_window *window = judge_events_window_of(walk, machine);
    const enum tt_rule_kind kind = rule_of(walk, machine)->kind;
    if (counts_events(kind)) {
        finish_count(walk, machine, window);
    } else if (kind == TT_RULE_TIME) {
        finish_time(walk, machine, window);
    } else {
        finish_sequence(walk, machine, window);
    }
    machine->has_worst = false;
    machine->count = 0;
    machine->track_count = 0;
    tt_measure_free(machine->measure);
    machine->measure = NULL;
    machine->window++;
    machine->finished = machine->window >= windows_of(walk, machine)->count;
}

/* ---- the walk ----------------------------------------------------------------------------- */

static bool begin_measure(struct tt_check_walk *walk, struct machine *machine)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    struct tt_measure_request request = {
        .same = rule->same, .arg = rule->same_arg, .oldest = rule->pair_first};
    machine->measure = tt_measure_new(walk->k->request.trace, &request);
    return machine->measure != NULL;
}

/* Copies bits [from, from + count) to the start of `out`. */
static void copy_bits(const uint64_t *bits, uint32_t from, uint32_t count, uint64_t *out)
{
    memset(out, 0, TT_FILTER_WORDS * sizeof *out);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = bits[(from + i) / 64] >> ((from + i) % 64) & 1u;
        out[i / 64] |= bit << (i % 64);
    }
}

static void add_pairs(struct tt_check_walk *walk, struct machine *machine, uint32_t from,
                      uint32_t count)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    const uint64_t *begins = walk->testers.items[rule->filters[0]].bits;
    const uint64_t *ends = walk->testers.items[rule->filters[1]].bits;
    uint64_t begin_part[TT_FILTER_WORDS], end_part[TT_FILTER_WORDS];
    if (from > 0) {
        copy_bits(begins, from, count, begin_part);
        copy_bits(ends, from, count, end_part);
        begins = begin_part;
        ends = end_part;
    }
    walk->no_memory |= (!machine->measure && !begin_measure(walk, machine)) ||
                       !tt_measure_add(machine->measure, walk->k->events, walk->events + from,
                                       walk->row + from, count, begins, ends, NULL, NULL);
}

/* Returns the bits of a word that are in [from, to). */
static uint64_t bits_between(uint32_t word, uint32_t from, uint32_t to)
{
    uint64_t bits = UINT64_MAX;
    if (from > word * 64) {
        bits &= UINT64_MAX << (from - word * 64);
    }
    return to - word * 64 < 64 ? bits & ~(UINT64_MAX << (to - word * 64)) : bits;
}

/* Handles the events [from, to) of the block that matter to a rule; they are in the current window. */
static void judge_events_handle(struct tt_check_walk *walk, struct machine *machine, uint32_t from,
                                uint32_t to)
{
    const struct tt_rule *rule = rule_of(walk, machine);
    bool any = false;
    for (unsigned i = 0; i < rule->filter_count; i++) {
        any |= walk->testers.items[rule->filters[i]].any;
    }
    if (rule->kind == TT_RULE_TIME && to > from) {
        add_pairs(walk, machine, from, to - from);
    }
    if (rule->kind == TT_RULE_TIME || !any) {
        return;
    }
    for (uint32_t word = from / 64; word * 64 < to && !walk->no_memory; word++) {
        uint64_t bits = 0;
        for (unsigned i = 0; i < rule->filter_count; i++) {
            bits |= walk->testers.items[rule->filters[i]].bits[word];
        }
        bits &= bits_between(word, from, to);
        if (counts_events(rule->kind)) {
            /* Counts the events of a word of the block, whose bits are set. */
            if (machine->count == 0 && bits != 0) {
                uint32_t i = word * 64 + tt_lowest_bit(bits);
                machine->first_at = walk->events[i].ticks;
                machine->first_row = walk->row + i;
                machine->first_thread = walk->events[i].thread;
            }
            machine->count += tt_bits_in(bits);

            continue;
        }
        for (; bits != 0; bits &= bits - 1) {
            uint32_t i = word * 64 + tt_lowest_bit(bits);
            if (rule->kind == TT_RULE_EVERY) {
                step_every(walk, machine, i, walk->row + i);
            } else if (rule->kind == TT_RULE_SEQUENCE) {
                step_sequence(walk, machine, i, walk->row + i);
            } else {
                step_absence(walk, machine, i, walk->row + i);
            }
        }
    }
}

/* Handles a block of events: the parts of it that are in windows of the rule. */
static void handle_block(struct tt_check_walk *walk, struct machine *machine, uint32_t count)
{
    uint64_t end = walk->row + count;
    while (!machine->finished && judge_events_window_of(walk, machine)->first_row < end) {
        const struct tt_check_window *window = judge_events_window_of(walk, machine);
        uint32_t from =
            window->first_row > walk->row ? (uint32_t)(window->first_row - walk->row) : 0;
        uint32_t to = window->end_row < end ? (uint32_t)(window->end_row - walk->row) : count;
        if (from < to) {
            judge_events_handle(walk, machine, from, to);
        }
        if (window->end_row > end) {
            return;
        }
        finish_window(walk, machine);
    }
}

static struct tt_status judge_events_begin(struct tt_check_walk *walk)
{
    struct tt_check *check = walk->k;
    walk->testers.count = tt_rules_filter_count(check->request.rules);
    walk->testers.items = calloc((size_t)walk->testers.count + 1, sizeof *walk->testers.items);
    walk->machines = calloc(check->count + 1, sizeof *walk->machines);
    if (!walk->testers.items || !walk->machines) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < check->count; i++) {
        const struct tt_rule *rule = tt_rules_at(check->request.rules, i);
        if (rule->filter_count == 0) {
            continue;
        }
        struct machine *machine = &walk->machines[walk->count++];
        machine->rule = i;
        machine->finished = windows_of(walk, machine)->count == 0;
        for (unsigned step_ = 0; step_ < rule->filter_count; step_++) {
            struct tt_tester *tester = &walk->testers.items[rule->filters[step_]];
            struct tt_status status = tt_check_make_tester(check, rule, rule->filters[step_],
                                                           rule->columns[step_], tester);
            tester->used = true;
            if (tt_failed(&status)) {
                return status;
            }
        }
    }
    return tt_testers_begin(&walk->testers) ? tt_ok() : tt_error_memory();
}

/* Handles the next block; *over: there was none. */
static struct tt_status walk_block(struct tt_check_walk *walk, bool *over)
{
    uint32_t count = walk->row < tt_events_rows(walk->k->events)
                         ? tt_events_read(walk->k->events, walk->row, BATCH, walk->events)
                         : 0;
    *over = count == 0;
    if (count == 0) {
        walk->k->truncated |= walk->row < tt_events_rows(walk->k->events);
        return tt_ok();
    }
    if (!tt_testers_test(&walk->testers, walk->events, walk->row, count)) {
        return tt_error_memory();
    }
    walk->k->truncated |= walk->testers.truncated;
    for (size_t i = 0; i < walk->count; i++) {
        handle_block(walk, &walk->machines[i], count);
    }
    tt_events_release_pages(walk->k->events, walk->events, count);
    walk->row += count;
    return walk->no_memory ? tt_error_memory() : tt_ok();
}

/* Ends the windows that are open after the last event. */
static struct tt_status finish_windows(struct tt_check_walk *walk)
{
    for (size_t i = 0; i < walk->count && !walk->no_memory; i++) {
        while (!walk->machines[i].finished && !walk->no_memory) {
            walk->no_memory |= rule_of(walk, &walk->machines[i])->kind == TT_RULE_TIME &&
                               !walk->machines[i].measure &&
                               !begin_measure(walk, &walk->machines[i]);
            if (!walk->no_memory) {
                finish_window(walk, &walk->machines[i]);
            }
        }
    }
    return walk->no_memory ? tt_error_memory() : tt_ok();
}

void tt_check_free_walk(struct tt_check *check)
{
    struct tt_check_walk *walk = check->walk;
    if (!walk) {
        return;
    }
    tt_testers_free(&walk->testers);
    for (size_t i = 0; walk->machines && i < walk->count; i++) {
        free(walk->machines[i].tracks);
        tt_measure_free(walk->machines[i].measure);
    }
    free(walk->machines);
    free(walk);
    check->walk = NULL;
}

struct tt_status tt_check_judge_events(struct tt_check *check, uint64_t deadline_ns, bool *over)
{
    struct tt_status status = tt_ok();
    if (!check->walk) {
        check->walk = calloc(1, sizeof *check->walk);
        if (!check->walk) {
            return tt_error_memory();
        }
        check->walk->k = check;
        status = judge_events_begin(check->walk);
    }
    *over = check->walk->count == 0;
    if (tt_failed(&status) || *over) {
        return status;
    }
    do {
        status = walk_block(check->walk, over);
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return *over && !tt_failed(&status) ? finish_windows(check->walk) : status;
}

unsigned tt_check_walk_percent(const struct tt_check *check)
{
    uint64_t rows = tt_events_rows(check->events);
    return check->walk && rows > 0 ? (unsigned)((double)check->walk->row * 100.0 / (double)rows)
                                   : 0;
}
