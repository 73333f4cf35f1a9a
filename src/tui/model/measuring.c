/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/measuring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/check_write.h"
#include "tracetui/line_parts.h"
#include "tui/model/measuring_walk.h"
#include "tui/model/workspace.h"

#define FIRST_RESULT 256u  /* samples of the first result; then each doubling has one */
#define STEP_WORK    4000u /* cost of a block of events, or of a thread's reactions */

struct tt_measuring_run {
    struct tt_measuring_walk *walk;
    size_t next_result; /* number of samples */
    /* Reactions. */
    struct tt_samples whole;
    struct tt_samples parts[TT_REACTION_PARTS];
    /* The samples of a plot, which are read again. */
    struct tt_measuring_walk *again;
    struct tt_sample_sink *sink;
};

/* ---- begin and end ------------------------------------------------------------------------ */

static void free_run(struct tt_measuring_run *r)
{
    if (!r) {
        return;
    }
    for (unsigned i = 0; i < TT_REACTION_PARTS; i++) {
        tt_samples_free(&r->parts[i]);
    }
    tt_samples_free(&r->whole);
    tt_measuring_walk_free(r->walk);
    tt_measuring_walk_free(r->again);
    free(r);
}

void tt_measuring_drop(struct tt_measuring *m)
{
    free_run(m->run);
    *m = (struct tt_measuring){.version = m->version + 1};
}

/* Adds an interval to the list of the longest; of equal ones the earlier comes first. */
static void add_longest(struct tt_measuring *m, const struct tt_measured *one)
{
    uint64_t length = one->to - one->from;
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = m->list[middle].to - m->list[middle].from >= length;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    if (low == TT_MEASURING_LIST) {
        return;
    }
    m->count += m->count < TT_MEASURING_LIST;
    memmove(&m->list[low + 1], &m->list[low], (m->count - 1 - low) * sizeof *m->list);
    m->list[low] = *one;
}

/* Takes an interval: into the list, and as samples, which a pairing stores itself. */
static bool take(void *arg, const struct tt_measured *one)
{
    struct tt_measuring *m = arg;
    struct tt_measuring_run *r = m->run;
    add_longest(m, one);
    bool ok = !m->reactions || tt_samples_add(&r->whole, one->to - one->from, one->to);
    for (unsigned i = 0; m->reactions && i < TT_REACTION_PARTS; i++) {
        if (one->has_handler || i >= TT_REACTION_READY) {
            ok = ok && tt_samples_add(&r->parts[i], one->parts[i], one->to);
        }
    }
    return ok;
}

struct tt_status tt_measuring_begin(struct tt_workspace *ws, const char *text)
{
    struct tt_measuring *m = &ws->measuring;
    const struct tt_measuring_sink sink = {take, m};
    if (!ws->opened.trace || strlen(text) >= TT_MEASURING_TEXT) {
        return tt_error(TT_ERR_USAGE, "the command is too long");
    }
    struct tt_measuring_run *r = calloc(1, sizeof *r);
    if (!r) {
        return tt_error_memory();
    }
    struct tt_status status = tt_measuring_walk_new(ws, text, &sink, &r->walk);
    if (tt_failed(&status)) {
        free_run(r);
        return status;
    }
    r->next_result = FIRST_RESULT;
    tt_measuring_drop(m);
    m->run = r;
    m->reactions = tt_measuring_walk_is_of_reactions(r->walk);
    snprintf(m->title, sizeof m->title, "%s", text);
    return tt_ok();
}

/* ---- a rule ------------------------------------------------------------------------------- */

struct tt_status tt_measuring_rule(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_measuring *m = &ws->measuring;
    if (!m->complete || m->result.length.count == 0) {
        return tt_error(TT_ERR_USAGE, m->complete ? "nothing was measured: there is no interval"
                                                  : "the measurement is not complete yet");
    }
    tt_measuring_walk_put_rule(m->run->walk, text);
    tt_rule_write_time(text, ws->opened.capture, m->result.length.max);
    return tt_ok();
}

/* ---- results ------------------------------------------------------------------------------ */

const struct tt_samples *tt_measuring_samples(const struct tt_measuring *m)
{
    return !m->run        ? NULL
           : m->reactions ? &m->run->whole
                          : tt_measure_samples(tt_measuring_walk_measure(m->run->walk));
}

/* Computes the numbers and bins of what was added so far. */
static void compute(struct tt_workspace *ws)
{
    struct tt_measuring *m = &ws->measuring;
    struct tt_measuring_run *r = m->run;
    const struct tt_capture *c = ws->opened.capture;
    const struct tt_samples *s = tt_measuring_samples(m);
    if (m->reactions) {
        m->result = (struct tt_measure_result){.length = tt_samples_distribution(&r->whole)};
        m->result.min = UINT64_MAX;
        uint64_t length, times;
        for (size_t next = 0; tt_samples_next(&r->whole, &next, &length, &times);) {
            m->result.min = length < m->result.min ? length : m->result.min;
        }
        for (unsigned i = 0; i < TT_REACTION_PARTS; i++) {
            m->parts[i] = tt_samples_distribution(&r->parts[i]);
        }
    } else {
        tt_measure_result(tt_measuring_walk_measure(r->walk), &m->result);
    }
    m->bins = (struct tt_bins){0};
    if (s->count > 0) {
        tt_bins_choose(&m->bins, tt_line_ns(c, m->result.min), tt_line_ns(c, m->result.length.p50),
                       tt_line_ns(c, m->result.length.max));
    }
    tt_bins_add_samples(&m->bins, c, s);
    r->next_result = 2 * s->count + FIRST_RESULT;
}

/* ---- steps -------------------------------------------------------------------------------- */

bool tt_measuring_work(struct tt_workspace *ws, uint64_t deadline_ns)
{
    struct tt_measuring *m = &ws->measuring;
    if (!m->run || m->complete || m->failed) {
        return true;
    }
    if (!ws->index.progress.finished) {
        return true; /* rows may still move */
    }
    do {
        bool over;
        m->failed = !tt_measuring_walk_step(ws, m->run->walk, &over);
        m->percent = tt_measuring_walk_percent(m->run->walk);
        m->truncated = tt_measuring_walk_truncated(m->run->walk);
        if (over || tt_measuring_samples(m)->count >= m->run->next_result) {
            compute(ws);
        }
        m->complete = over && !m->failed;
    } while (!m->complete && !m->failed && tt_now_ns() < deadline_ns);
    return m->complete || m->failed;
}

/* ---- samples of a plot -------------------------------------------------------------------- */

static bool pass_on(void *arg, const struct tt_measured *one)
{
    struct tt_sample_sink *sink = ((struct tt_measuring_run *)arg)->sink;
    sink->thread = one->thread;
    return tt_sample_sink_take(sink, one->to - one->from, one->to);
}

bool tt_measuring_read_begin(void *arg, struct tt_sample_sink *sink)
{
    struct tt_workspace *ws = arg;
    struct tt_measuring_run *r = ws->measuring.run;
    const struct tt_measuring_sink to = {pass_on, r};
    if (!r) {
        return true;
    }
    tt_measuring_walk_free(r->again);
    r->again = NULL;
    r->sink = sink;
    struct tt_status status = tt_measuring_walk_new(ws, ws->measuring.title, &to, &r->again);
    if (tt_failed(&status)) {
        return false;
    }
    if (!ws->measuring.reactions) {
        tt_measure_store_nothing(tt_measuring_walk_measure(r->again));
    }
    return true;
}

bool tt_measuring_read_step(void *arg, uint64_t *work, bool *done)
{
    struct tt_workspace *ws = arg;
    struct tt_measuring_run *r = ws->measuring.run;
    *done = !r || !r->again;
    while (!*done && *work > 0) {
        if (!tt_measuring_walk_step(ws, r->again, done)) {
            return false;
        }
        *work -= *work < STEP_WORK ? *work : STEP_WORK;
    }
    if (*done && r) {
        tt_measuring_walk_free(r->again);
        r->again = NULL;
    }
    return true;
}
