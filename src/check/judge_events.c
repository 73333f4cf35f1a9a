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
#include "tracetui/line_parts.h"
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

static const struct tt_rule *rule_of(const struct tt_check_walk *w, const struct machine *m)
{
    return tt_rules_at(w->k->request.rules, m->rule);
}

static const struct tt_check_windows *windows_of(const struct tt_check_walk *w,
                                                 const struct machine *m)
{
    return &w->k->windows[w->k->judged[m->rule].windows];
}

static const struct tt_check_window *window_of(const struct tt_check_walk *w,
                                               const struct machine *m)
{
    return &windows_of(w, m)->items[m->window];
}

static bool matches(const struct tt_check_walk *w, const struct tt_rule *rule, unsigned step,
                    uint32_t i)
{
    return tt_bit_at(w->testers.items[rule->filters[step]].bits, i);
}

/* Returns whether records are lost after `from`, up to `to`. */
static bool lost_between(const struct tt_check_walk *w, uint64_t from, uint64_t to)
{
    return tt_loss_between(w->k->t, TT_NO_THREAD, from, to);
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
static struct track *track_of(struct tt_check_walk *w, struct machine *m,
                              const struct tt_event *event)
{
    const struct tt_rule *rule = rule_of(w, m);
    uint32_t number = 0;
    if (rule->same == TT_MEASURE_CPU) {
        number = event->cpu == TT_NO_CPU ? UINT32_MAX : event->cpu;
    } else if (rule->same != TT_MEASURE_ANY) {
        number = event->thread;
    }
    if (rule->same == TT_MEASURE_PROCESS && number != TT_NO_THREAD) {
        number = tt_thread_at(w->k->capture, number)->process;
    }
    if (number == UINT32_MAX) {
        return NULL;
    }
    while (m->track_count <= number) {
        struct track *room =
            tt_array_grow_32(m->tracks, m->track_count, &m->track_capacity, sizeof *room);
        if (!room) {
            w->no_memory = true;
            return NULL;
        }
        m->tracks = room;
        m->tracks[m->track_count++] = empty_track();
    }
    return &m->tracks[number];
}

/* Keeps a finding of the current window if it is worse: certain before doubtful, then larger. */
static void keep(struct machine *m, const struct tt_finding *f)
{
    bool surer = f->doubt == TT_DOUBT_NONE && m->worst.doubt != TT_DOUBT_NONE;
    bool same = (f->doubt == TT_DOUBT_NONE) == (m->worst.doubt == TT_DOUBT_NONE);
    if (!m->has_worst || surer || (same && f->ticks > m->worst.ticks)) {
        m->worst = *f;
        m->has_worst = true;
    }
}

/* ---- every ... is followed by ------------------------------------------------------------- */

/* Returns whether a time is longer than the limit of the rule. */
static bool exceeds(const struct tt_check_walk *w, const struct tt_rule *rule, uint64_t ticks)
{
    uint64_t value =
        rule->limit.unit == TT_RULE_UNIT_TICKS ? ticks : tt_line_ns(w->k->capture, ticks);
    return value > rule->limit.value.number;
}

/* Adds the time from the oldest open event to `to`; without an answer it is a lower bound. */
static void answer(struct tt_check_walk *w, struct machine *m, struct track *t, uint64_t to,
                   bool answered)
{
    const struct tt_rule *rule = rule_of(w, m);
    uint64_t ticks = to - t->since;
    struct tt_finding f = tt_finding_time(w->k, ticks);
    f.from = f.at = t->since;
    f.to = to;
    f.thread = t->thread;
    f.row = t->row;
    f.kind = "every";
    f.absent = !answered;
    /* An answer may be among the lost records; an open event may be answered after the end. */
    if (exceeds(w, rule, ticks)) {
        f.doubt = lost_between(w, t->since, to) ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    } else {
        f.doubt = answered ? TT_DOUBT_NONE : TT_DOUBT_MORE;
    }
    keep(m, &f);
    t->open = false;
}

static void step_every(struct tt_check_walk *w, struct machine *m, uint32_t i, uint64_t row)
{
    const struct tt_rule *rule = rule_of(w, m);
    const struct tt_event *event = &w->events[i];
    bool first = matches(w, rule, 0, i), second = matches(w, rule, 1, i);
    struct track *t = first || second ? track_of(w, m, event) : NULL;
    if (!t) {
        m->count += first; /* without the joining property it has no answer */
        return;
    }
    if (second && t->open) {
        answer(w, m, t, event->ticks, true);
    }
    if (first) {
        m->count++;
        if (!t->open) {
            *t = empty_track();
            t->open = true;
            t->since = event->ticks;
            t->row = row;
            t->thread = event->thread;
        }
    }
}

/* ---- then --------------------------------------------------------------------------------- */

static void step_sequence(struct tt_check_walk *w, struct machine *m, uint32_t i, uint64_t row)
{
    const struct tt_rule *rule = rule_of(w, m);
    const struct tt_event *event = &w->events[i];
    for (unsigned step = rule->filter_count; step-- > 0;) {
        if (!matches(w, rule, step, i)) {
            continue;
        }
        struct track *t = track_of(w, m, event);
        uint64_t start = !t ? UINT64_MAX : step == 0 ? event->ticks : t->starts[step - 1];
        if (start == UINT64_MAX) {
            continue;
        }
        t->starts[step] = start;
        if (step + 1 == rule->filter_count) {
            struct tt_finding f = tt_finding_time(w->k, event->ticks - start);
            f.from = f.at = start;
            f.to = event->ticks;
            f.thread = event->thread;
            f.row = row;
            f.kind = "then";
            /* The shortest one counts. */
            if (!m->has_worst || f.ticks < m->worst.ticks) {
                m->worst = f;
                m->has_worst = true;
            }
        }
    }
}

/* ---- no ... between ... and --------------------------------------------------------------- */

/* Adds the events of a stretch; `closed`: its end is recorded. */
static void end_stretch(struct tt_check_walk *w, struct machine *m, struct track *t, uint64_t to,
                        bool closed)
{
    struct tt_finding f = tt_finding_of(t->inside, 0);
    f.ticks = t->inside;
    f.at = f.from = t->inside_at;
    f.row = t->inside_row;
    f.thread = TT_NO_THREAD;
    f.kind = "no";
    bool lost = lost_between(w, t->since, to);
    f.doubt = t->inside == 0 ? TT_DOUBT_NONE : lost || !closed ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    if (t->inside > 0) {
        keep(m, &f);
    }
    m->count += closed;
    t->open = false;
}

static void step_absence(struct tt_check_walk *w, struct machine *m, uint32_t i, uint64_t row)
{
    const struct tt_rule *rule = rule_of(w, m);
    const struct tt_event *event = &w->events[i];
    bool inside = matches(w, rule, 0, i), begin = matches(w, rule, 1, i);
    bool end = matches(w, rule, 2, i);
    struct track *t = inside || begin || end ? track_of(w, m, event) : NULL;
    if (!t) {
        return;
    }
    if (end && t->open) {
        end_stretch(w, m, t, event->ticks, true);
    }
    if (inside && t->open) {
        t->inside_at = t->inside == 0 ? event->ticks : t->inside_at;
        t->inside_row = t->inside == 0 ? row : t->inside_row;
        t->inside++;
    }
    if (begin && !t->open) {
        *t = empty_track();
        t->open = true;
        t->since = event->ticks;
    }
}

/* ---- counts ------------------------------------------------------------------------------- */

/* Counts the events of a word of the block, whose bits are set. */
static void count_word(struct tt_check_walk *w, struct machine *m, uint32_t word, uint64_t bits)
{
    if (m->count == 0 && bits != 0) {
        uint32_t i = word * 64 + tt_lowest_bit(bits);
        m->first_at = w->events[i].ticks;
        m->first_row = w->row + i;
        m->first_thread = w->events[i].thread;
    }
    m->count += tt_bits_in(bits);
}

static uint64_t undecided_events(const struct tt_check_walk *w, const struct tt_rule *rule)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < rule->filter_count; i++) {
        count += tt_filter_worker_undecided(w->testers.items[rule->filters[i]].worker);
    }
    return count;
}

/* Returns the part of a window inside the capture. */
static uint64_t window_ticks(const struct tt_check_walk *w, const struct tt_check_window *window)
{
    uint64_t end = tt_timelines_end(w->k->t), begin = tt_timelines_begin(w->k->t);
    uint64_t to = window->to < end ? window->to : end;
    uint64_t from = window->from > begin ? window->from : begin;
    return to > from ? to - from : 0;
}

/* Records the count of a window, or its rate. */
static void finish_count(struct tt_check_walk *w, struct machine *m,
                         const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(w, m);
    struct tt_finding f = tt_finding_of(m->count, 0);
    uint64_t hz = w->k->capture->clock_hz;
    bool lost = tt_check_lost(w->k, window) || undecided_events(w, rule) > 0;
    if (rule->kind == TT_RULE_RATE) {
        uint64_t thousandths;
        if (hz == 0 || hz > UINT64_MAX / 1000 ||
            !tt_mul_div(m->count, hz * 1000, window_ticks(w, window), &thousandths)) {
            tt_check_miss(w->k, m->rule, "the capture has no clock, or the window is empty");
            return;
        }
        f = tt_finding_of(thousandths, 3);
    }
    bool shrinks = rule->kind == TT_RULE_RATE && w->k->request.growing;
    f.doubt = !lost ? TT_DOUBT_NONE : shrinks ? TT_DOUBT_EITHER : TT_DOUBT_MORE;
    if (m->count > 0) {
        f.at = m->first_at;
        f.row = m->first_row;
        f.thread = m->first_thread;
    }
    f.kind = "event";
    tt_check_take(w->k, m->rule, &f);
}

/* ---- times -------------------------------------------------------------------------------- */

/* Returns a quantile of the pairs. */
static struct tt_finding quantile_of(const struct tt_check *k, enum tt_quantile quantile,
                                     const struct tt_distribution *d, uint64_t min)
{
    struct tt_finding f;
    switch (quantile) {
    case TT_QUANTILE_COUNT:
        return tt_finding_of(d->count, 0);
    case TT_QUANTILE_MEAN:
        f = tt_finding_of(tt_line_ns(k->capture, d->sum) / d->count, 0);
        f.ticks = d->sum / d->count;
        return f;
    case TT_QUANTILE_MIN:
        return tt_finding_time(k, min);
    case TT_QUANTILE_P50:
        return tt_finding_time(k, d->p50);
    case TT_QUANTILE_P95:
        return tt_finding_time(k, d->p95);
    case TT_QUANTILE_P99:
        return tt_finding_time(k, d->p99);
    default:
        return tt_finding_time(k, d->max);
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

static void finish_time(struct tt_check_walk *w, struct machine *m,
                        const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(w, m);
    struct tt_measure_result result;
    tt_measure_result(m->measure, &result);
    if (result.length.count == 0 && rule->quantile != TT_QUANTILE_COUNT) {
        tt_check_miss(w->k, m->rule, "no pair of these events in the window");
        return;
    }
    struct tt_finding f = quantile_of(w->k, rule->quantile, &result.length, result.min);
    bool lost = tt_check_lost(w->k, window) || undecided_events(w, rule) > 0;
    f.doubt = lost ? quantile_doubt(rule->quantile, result.lossy) : TT_DOUBT_NONE;
    if (result.worst_count > 0) {
        f.from = f.at = result.worst[0].from;
        f.to = result.worst[0].to;
        f.row = result.worst[0].from_row;
        f.thread = result.worst[0].thread;
    }
    f.kind = "time";
    tt_check_take(w->k, m->rule, &f);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* Records the open events of `every` and the stretches of `no` at the end of a window. */
static void finish_tracks(struct tt_check_walk *w, struct machine *m, uint64_t end)
{
    const struct tt_rule *rule = rule_of(w, m);
    for (uint32_t i = 0; i < m->track_count; i++) {
        if (m->tracks[i].open && rule->kind == TT_RULE_EVERY) {
            answer(w, m, &m->tracks[i], end, false);
        } else if (m->tracks[i].open) {
            end_stretch(w, m, &m->tracks[i], end, false);
        }
    }
    m->track_count = 0;
}

/* Adds the doubt from lost records: a rule that passes so far could fail. */
static void finish_sequence(struct tt_check_walk *w, struct machine *m,
                            const struct tt_check_window *window)
{
    const struct tt_rule *rule = rule_of(w, m);
    bool lost = tt_check_lost(w->k, window) || undecided_events(w, rule) > 0;
    if (rule->kind == TT_RULE_EVERY || rule->kind == TT_RULE_ABSENCE) {
        uint64_t end = tt_timelines_end(w->k->t);
        finish_tracks(w, m, window->to < end ? window->to : end);
    }
    if (rule->kind == TT_RULE_EVERY && m->count == 0 && !m->has_worst) {
        tt_check_miss(w->k, m->rule, "the first event does not occur in the window");
        return;
    }
    if (rule->kind == TT_RULE_EVERY && !m->has_worst) {
        tt_check_miss(w->k, m->rule, "the events lack what joins them");
        return;
    }
    struct tt_finding f = m->has_worst ? m->worst : tt_finding_of(0, 0);
    if (rule->kind == TT_RULE_SEQUENCE && !m->has_worst) {
        f.known = false;
        f.value.number = f.ticks = UINT64_MAX;
        f.doubt = lost ? TT_DOUBT_EITHER : TT_DOUBT_NONE;
    } else if (rule->kind == TT_RULE_SEQUENCE) {
        f.doubt = lost ? TT_DOUBT_LESS : TT_DOUBT_NONE;
    } else if (lost && f.doubt == TT_DOUBT_NONE) {
        f.doubt = TT_DOUBT_MORE;
    }
    tt_check_take(w->k, m->rule, &f);
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

static void finish_window(struct tt_check_walk *w, struct machine *m)
{
    const struct tt_check_window *window = window_of(w, m);
    const enum tt_rule_kind kind = rule_of(w, m)->kind;
    if (counts_events(kind)) {
        finish_count(w, m, window);
    } else if (kind == TT_RULE_TIME) {
        finish_time(w, m, window);
    } else {
        finish_sequence(w, m, window);
    }
    m->has_worst = false;
    m->count = 0;
    m->track_count = 0;
    tt_measure_free(m->measure);
    m->measure = NULL;
    m->window++;
    m->finished = m->window >= windows_of(w, m)->count;
}

/* ---- the walk ----------------------------------------------------------------------------- */

static bool begin_measure(struct tt_check_walk *w, struct machine *m)
{
    const struct tt_rule *rule = rule_of(w, m);
    struct tt_measure_request request = {
        .same = rule->same, .arg = rule->same_arg, .oldest = rule->pair_first};
    m->measure = tt_measure_new(w->k->request.trace, &request);
    return m->measure != NULL;
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

static void add_pairs(struct tt_check_walk *w, struct machine *m, uint32_t from, uint32_t count)
{
    const struct tt_rule *rule = rule_of(w, m);
    const uint64_t *begins = w->testers.items[rule->filters[0]].bits;
    const uint64_t *ends = w->testers.items[rule->filters[1]].bits;
    uint64_t begin_part[TT_FILTER_WORDS], end_part[TT_FILTER_WORDS];
    if (from > 0) {
        copy_bits(begins, from, count, begin_part);
        copy_bits(ends, from, count, end_part);
        begins = begin_part;
        ends = end_part;
    }
    w->no_memory |= (!m->measure && !begin_measure(w, m)) ||
                    !tt_measure_add(m->measure, w->k->events, w->events + from, w->row + from,
                                    count, begins, ends, NULL, NULL);
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
static void handle(struct tt_check_walk *w, struct machine *m, uint32_t from, uint32_t to)
{
    const struct tt_rule *rule = rule_of(w, m);
    bool any = false;
    for (unsigned i = 0; i < rule->filter_count; i++) {
        any |= w->testers.items[rule->filters[i]].any;
    }
    if (rule->kind == TT_RULE_TIME && to > from) {
        add_pairs(w, m, from, to - from);
    }
    if (rule->kind == TT_RULE_TIME || !any) {
        return;
    }
    for (uint32_t word = from / 64; word * 64 < to && !w->no_memory; word++) {
        uint64_t bits = 0;
        for (unsigned i = 0; i < rule->filter_count; i++) {
            bits |= w->testers.items[rule->filters[i]].bits[word];
        }
        bits &= bits_between(word, from, to);
        if (counts_events(rule->kind)) {
            count_word(w, m, word, bits);
            continue;
        }
        for (; bits != 0; bits &= bits - 1) {
            uint32_t i = word * 64 + tt_lowest_bit(bits);
            if (rule->kind == TT_RULE_EVERY) {
                step_every(w, m, i, w->row + i);
            } else if (rule->kind == TT_RULE_SEQUENCE) {
                step_sequence(w, m, i, w->row + i);
            } else {
                step_absence(w, m, i, w->row + i);
            }
        }
    }
}

/* Handles a block of events: the parts of it that are in windows of the rule. */
static void handle_block(struct tt_check_walk *w, struct machine *m, uint32_t count)
{
    uint64_t end = w->row + count;
    while (!m->finished && window_of(w, m)->first_row < end) {
        const struct tt_check_window *window = window_of(w, m);
        uint32_t from = window->first_row > w->row ? (uint32_t)(window->first_row - w->row) : 0;
        uint32_t to = window->end_row < end ? (uint32_t)(window->end_row - w->row) : count;
        if (from < to) {
            handle(w, m, from, to);
        }
        if (window->end_row > end) {
            return;
        }
        finish_window(w, m);
    }
}

static struct tt_status begin(struct tt_check_walk *w)
{
    struct tt_check *k = w->k;
    w->testers.count = tt_rules_filter_count(k->request.rules);
    w->testers.items = calloc((size_t)w->testers.count + 1, sizeof *w->testers.items);
    w->machines = calloc(k->count + 1, sizeof *w->machines);
    if (!w->testers.items || !w->machines) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < k->count; i++) {
        const struct tt_rule *rule = tt_rules_at(k->request.rules, i);
        if (rule->filter_count == 0) {
            continue;
        }
        struct machine *m = &w->machines[w->count++];
        m->rule = i;
        m->finished = windows_of(w, m)->count == 0;
        for (unsigned step_ = 0; step_ < rule->filter_count; step_++) {
            struct tt_tester *t = &w->testers.items[rule->filters[step_]];
            struct tt_status status =
                tt_check_make_tester(k, rule, rule->filters[step_], rule->columns[step_], t);
            t->used = true;
            if (tt_failed(&status)) {
                return status;
            }
        }
    }
    return tt_testers_begin(&w->testers) ? tt_ok() : tt_error_memory();
}

/* Handles the next block; *over: there was none. */
static struct tt_status walk_block(struct tt_check_walk *w, bool *over)
{
    uint32_t count = w->row < tt_events_rows(w->k->events)
                         ? tt_events_read(w->k->events, w->row, BATCH, w->events)
                         : 0;
    *over = count == 0;
    if (count == 0) {
        w->k->truncated |= w->row < tt_events_rows(w->k->events);
        return tt_ok();
    }
    if (!tt_testers_test(&w->testers, w->events, w->row, count)) {
        return tt_error_memory();
    }
    w->k->truncated |= w->testers.truncated;
    for (size_t i = 0; i < w->count; i++) {
        handle_block(w, &w->machines[i], count);
    }
    tt_events_release_pages(w->k->events, w->events, count);
    w->row += count;
    return w->no_memory ? tt_error_memory() : tt_ok();
}

/* Ends the windows that are open after the last event. */
static struct tt_status finish_windows(struct tt_check_walk *w)
{
    for (size_t i = 0; i < w->count && !w->no_memory; i++) {
        while (!w->machines[i].finished && !w->no_memory) {
            w->no_memory |= rule_of(w, &w->machines[i])->kind == TT_RULE_TIME &&
                            !w->machines[i].measure && !begin_measure(w, &w->machines[i]);
            if (!w->no_memory) {
                finish_window(w, &w->machines[i]);
            }
        }
    }
    return w->no_memory ? tt_error_memory() : tt_ok();
}

void tt_check_free_walk(struct tt_check *k)
{
    struct tt_check_walk *w = k->walk;
    if (!w) {
        return;
    }
    tt_testers_free(&w->testers);
    for (size_t i = 0; w->machines && i < w->count; i++) {
        free(w->machines[i].tracks);
        tt_measure_free(w->machines[i].measure);
    }
    free(w->machines);
    free(w);
    k->walk = NULL;
}

struct tt_status tt_check_judge_events(struct tt_check *k, uint64_t deadline_ns, bool *over)
{
    struct tt_status status = tt_ok();
    if (!k->walk) {
        k->walk = calloc(1, sizeof *k->walk);
        if (!k->walk) {
            return tt_error_memory();
        }
        k->walk->k = k;
        status = begin(k->walk);
    }
    *over = k->walk->count == 0;
    if (tt_failed(&status) || *over) {
        return status;
    }
    do {
        status = walk_block(k->walk, over);
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return *over && !tt_failed(&status) ? finish_windows(k->walk) : status;
}

unsigned tt_check_walk_percent(const struct tt_check *k)
{
    uint64_t rows = tt_events_rows(k->events);
    return k->walk && rows > 0 ? (unsigned)((double)k->walk->row * 100.0 / (double)rows) : 0;
}
