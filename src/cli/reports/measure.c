/* SPDX-License-Identifier: Apache-2.0 */
/* measure: pairs of events, and reactions to an interrupt. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/text_columns.h"
#include "base/text_units.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/measure.h"
#include "tracetui/reactions.h"
#include "tracetui/table.h"
#include "tracetui/time.h"

#define WIDTH      80u
#define NAME_WIDTH 24u
#define BAR_WIDTH  40u
#define TIME_WIDTH 11u

/* One filter of the two, ready to test events. */
struct side {
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_worker *worker;
    uint64_t bits[TT_FILTER_WORDS];
};

struct measuring {
    const struct tt_options *options;
    struct tt_input *input;
    struct tt_output *out;
    struct tt_event_selection pick;
    struct tt_measure *measure;
    struct side begin, end;
    bool cut; /* lines of text: on a terminal */
    struct tt_event events[TT_FILTER_BLOCK];
};

/* ---- lines -------------------------------------------------------------------------------- */

static void put_time(struct tt_text *text, const struct tt_input *input, uint64_t ticks)
{
    tt_line_time(text, input->capture,
                 tt_relative_ticks(input->capture, ticks, input->progress.first_ticks));
}

/* Returns the form of rows; `header`: of the line before them. */
static enum tt_fields_form form_of(const struct measuring *m, bool header)
{
    return header                                ? TT_FIELDS_HEADER
           : m->options->format == TT_OUTPUT_CSV ? TT_FIELDS_CSV
                                                 : TT_FIELDS_JSON;
}

/* ---- the histogram ------------------------------------------------------------------------ */

/* Appends a bin edge, which is in nanoseconds, or ticks without a clock: 1.5 ms. */
static void put_edge(struct tt_text *text, const struct tt_capture *c, uint64_t edge)
{
    static const char *const units[] = {" ns", TT_MICROSECONDS, " ms", " s "};
    unsigned unit = 0;
    uint64_t scale = 1;
    while (c->clock_hz != 0 && unit < 3 && edge / scale >= 1000) {
        scale *= 1000;
        unit++;
    }
    char buffer[40];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    uint64_t thousandths = edge / (scale > 1000 ? scale / 1000 : 1) * (scale >= 1000 ? 1 : 1000);
    unsigned decimals = 3;
    while (decimals > 0 && thousandths % 10 == 0) {
        thousandths /= 10;
        decimals--;
    }
    tt_text_decimal(&shown, thousandths, decimals);
    tt_text_str(&shown, c->clock_hz != 0 ? units[unit] : "");
    const size_t columns = tt_text_columns(shown.buffer, shown.used);
    tt_text_fill(text, ' ', columns < TIME_WIDTH ? TIME_WIDTH - columns : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

static void put_bin(struct tt_text *text, const struct tt_capture *c, const struct tt_bins *b,
                    unsigned bin, uint64_t most)
{
    size_t start = text->used;
    uint64_t bar = 0;
    put_edge(text, c, b->edge[bin]);
    tt_text_str(text, " ..");
    put_edge(text, c, b->edge[bin + 1]);
    tt_line_number(text, b->count[bin], 10);
    tt_text_str(text, "  ");
    tt_mul_div(b->count[bin], BAR_WIDTH, most, &bar);
    tt_text_fill(text, '#', bar > 0 || b->count[bin] == 0 ? (size_t)bar : 1);
    tt_line_finish(text, start, WIDTH);
}

static void print_histogram(const struct measuring *m, const struct tt_samples *s,
                            const struct tt_measure_result *r)
{
    const struct tt_capture *c = m->input->capture;
    struct tt_bins bins;
    uint64_t most = 0;
    tt_bins_choose(&bins, tt_line_ns(c, r->min), tt_line_ns(c, r->length.p50),
                   tt_line_ns(c, r->length.max));
    tt_bins_add_samples(&bins, c, s);
    for (unsigned i = 0; i < bins.used; i++) {
        most = bins.count[i] > most ? bins.count[i] : most;
    }
    for (unsigned i = 0; i < bins.used && tt_output_is_open(m->out); i++) {
        TT_PRINT_LINE(m->out, put_bin(&text, c, &bins, i, most));
    }
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* Appends a pair as a record, or the header. */
static void put_pair(struct tt_text *text, const struct measuring *m, bool header,
                     const struct tt_measure_pair *pair)
{
    const struct tt_capture *c = m->input->capture;
    struct tt_fields fields = tt_fields_begin(text, form_of(m, header));
    tt_field_time(&fields, c, "from", pair->from);
    tt_field_time(&fields, c, "to", pair->to);
    tt_field_time(&fields, c, "dur", pair->to - pair->from);
    tt_fields_end(&fields);
}

static void print_pair(void *arg, const struct tt_measure_pair *pair)
{
    const struct measuring *m = arg;
    TT_PRINT_LINE(m->out, put_pair(&text, m, false, pair));
}

static void json_result(struct tt_text *text, const struct tt_capture *c,
                        const struct tt_measure_result *r)
{
    const struct tt_distribution *d = &r->length;
    bool any = d->count > 0;
    uint64_t mean = any ? tt_line_ns(c, d->sum) / d->count : 0; /* rounded down once */
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_u64(&fields, "count", d->count);
    tt_field_u64(&fields, "unpaired_begin", r->unpaired_begin);
    tt_field_u64(&fields, "unpaired_end", r->unpaired_end);
    tt_field_number(&fields, c->clock_hz ? "mean_ns" : "mean_ticks", any, mean);
    tt_field_time(&fields, c, "p50", any ? d->p50 : UINT64_MAX);
    tt_field_time(&fields, c, "p99", any ? d->p99 : UINT64_MAX);
    tt_field_time(&fields, c, "max", any ? d->max : UINT64_MAX);
    tt_field_time(&fields, c, "p95", any ? d->p95 : UINT64_MAX);
    tt_field_time(&fields, c, "min", any ? r->min : UINT64_MAX);
    tt_field_time(&fields, c, "max_from", any ? r->worst[0].from : UINT64_MAX);
    tt_field_time(&fields, c, "max_to", any ? r->worst[0].to : UINT64_MAX);
    tt_field_u64(&fields, "lossy", r->lossy);
    tt_fields_end(&fields);
}

/* Appends the number of pairs, and their times: the mean is at most the maximum, so it fits. */
static void put_times(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_measure_result *r)
{
    static const char *const names[] = {"min ", "mean", "p50 ", "p95 ", "p99 ", "max "};
    const struct tt_distribution *d = &r->length;
    const uint64_t times[] = {r->min, d->count > 0 ? d->sum / d->count : 0, d->p50, d->p95, d->p99,
                              d->max};
    tt_text_u64(text, d->count);
    tt_text_str(text, " pairs, ");
    tt_text_u64(text, r->unpaired_begin);
    tt_text_str(text, " begins and ");
    tt_text_u64(text, r->unpaired_end);
    tt_text_str(text, " ends without a partner");
    if (r->lossy > 0) {
        tt_text_str(text, ", ");
        tt_text_u64(text, r->lossy);
        tt_text_str(text, " pairs across a loss");
    }
    tt_text_char(text, '\n');
    for (unsigned i = 0; i < 6 && d->count > 0; i++) {
        tt_text_str(text, names[i]);
        tt_line_duration_in(text, c, times[i], TIME_WIDTH);
        tt_text_char(text, '\n');
    }
}

/* Appends a pair; its places are times and numbers of events, from which --from can be called. */
static void put_worst(struct tt_text *text, const struct measuring *m,
                      const struct tt_measure_pair *pair)
{
    const struct tt_input *input = m->input;
    const uint64_t times[] = {pair->from, pair->to}, rows[] = {pair->from_row, pair->to_row};
    size_t start = text->used;
    tt_line_duration_in(text, input->capture, pair->to - pair->from, TIME_WIDTH);
    for (unsigned i = 0; i < 2; i++) {
        tt_text_str(text, i == 0 ? "  " : " .. ");
        put_time(text, input, times[i]);
        tt_text_str(text, " #");
        tt_text_u64(text, tt_events_number(input->events, rows[i]));
    }
    tt_text_str(text, "  ");
    if (m->cut) {
        tt_line_thread_in(text, input->capture, pair->thread, NAME_WIDTH);
    } else if (pair->thread < tt_thread_count(input->capture)) {
        tt_line_thread(text, input->capture, pair->thread);
    }
    tt_line_finish(text, start, m->cut ? WIDTH : SIZE_MAX);
}

static void print_text(const struct measuring *m, const struct tt_measure_result *r)
{
    if (m->out->begun) {
        tt_output_write(m->out, "\n", 1);
    }
    TT_PRINT_LINE(m->out, put_times(&text, m->input->capture, r));
    if (r->length.count == 0) {
        return;
    }
    tt_output_write(m->out, "longest\n", 8);
    for (unsigned i = 0; i < r->worst_count; i++) {
        TT_PRINT_LINE(m->out, put_worst(&text, m, &r->worst[i]));
    }
    tt_output_write(m->out, "histogram\n", 10);
    print_histogram(m, tt_measure_samples(m->measure), r);
}

static struct tt_status make_side(const struct measuring *m, const char *text, const char *option,
                                  struct side *side)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &side->filter, &error) ||
        !tt_filter_plan_new(side->filter, m->input->trace, m->input->events, &side->plan, &error)) {
        return tt_status_context(error.status, option);
    }
    side->worker = tt_filter_worker_new(side->plan, m->input->events);
    return side->worker ? tt_ok() : tt_error_memory();
}

static void free_side(struct side *side)
{
    tt_filter_worker_free(side->worker);
    tt_filter_plan_free(side->plan);
    tt_filter_free(side->filter);
}

static struct tt_status walk_events(struct measuring *m)
{
    bool lines = m->options->format != TT_OUTPUT_TEXT;
    for (uint64_t row = m->pick.first_row; row < m->pick.end_row && tt_output_is_open(m->out);) {
        uint64_t left = m->pick.end_row - row;
        uint32_t count =
            tt_events_read(m->input->events, row,
                           left < TT_FILTER_BLOCK ? (uint32_t)left : TT_FILTER_BLOCK, m->events);
        if (count == 0) {
            m->input->shrunk = true;
            break;
        }
        tt_filter_test(m->begin.worker, m->events, row, count, m->begin.bits);
        tt_filter_test(m->end.worker, m->events, row, count, m->end.bits);
        if (!tt_measure_add(m->measure, m->input->events, m->events, row, count, m->begin.bits,
                            m->end.bits, lines ? print_pair : NULL, m) ||
            tt_filter_worker_failed(m->begin.worker) || tt_filter_worker_failed(m->end.worker)) {
            return tt_error_memory();
        }
        tt_events_release_pages(m->input->events, m->events, count);
        row += count;
    }
    const struct tt_filter_worker *const workers[] = {m->begin.worker, m->end.worker};
    for (unsigned i = 0; i < 2; i++) {
        m->input->shrunk |= tt_filter_worker_truncated(workers[i]);
        m->input->undecided += tt_filter_worker_undecided(workers[i]);
    }
    return tt_ok();
}

static struct tt_status measure_pairs(struct measuring *m)
{
    const struct tt_options *o = m->options;
    struct tt_measure_request request = {
        .same = (enum tt_measure_same)o->same, .arg = o->same_arg, .oldest = o->pair != 0};
    struct tt_measure_result result;
    m->measure = tt_measure_new(m->input->trace, &request);
    struct tt_status status = m->measure ? tt_ok() : tt_error_memory();
    if (!tt_failed(&status)) {
        status = make_side(m, o->begin, "--begin", &m->begin);
    }
    if (!tt_failed(&status)) {
        status = make_side(m, o->end, "--end", &m->end);
    }
    if (!tt_failed(&status) && o->format == TT_OUTPUT_CSV && !m->out->begun) {
        TT_PRINT_LINE(m->out, put_pair(&text, m, true, &(struct tt_measure_pair){0}));
    }
    if (!tt_failed(&status)) {
        status = walk_events(m);
    }
    if (!tt_failed(&status)) {
        tt_measure_result(m->measure, &result);
        if (o->format == TT_OUTPUT_JSONL) {
            TT_PRINT_LINE(m->out, json_result(&text, m->input->capture, &result));
        } else if (o->format == TT_OUTPUT_TEXT) {
            print_text(m, &result);
        }
    }
    free_side(&m->begin);
    free_side(&m->end);
    tt_measure_free(m->measure);
    return status;
}

/* ---- reactions ---------------------------------------------------------------------------- */

static const char *const part_keys[] = {
#define X(id, key, text) key,
    TT_REACTION_INFO(X)
#undef X
};

static const char *const part_texts[] = {
#define X(id, key, text) text,
    TT_REACTION_INFO(X)
#undef X
};

struct reacting {
    struct measuring *m;
    struct tt_samples whole;
    struct tt_samples parts[TT_REACTION_PARTS];
    struct tt_reaction worst;
    bool no_memory;
};

/* Appends a reaction as a record, or the header; rows of CSV have its times only. */
static void put_reaction(struct tt_text *text, const struct measuring *m, bool header,
                         const struct tt_reaction *r)
{
    const struct tt_capture *c = m->input->capture;
    struct tt_fields fields = tt_fields_begin(text, form_of(m, header));
    if (fields.form == TT_FIELDS_JSON) {
        tt_field_lane(&fields, c, r->thread, "pid", "tid", "thread");
        tt_field_u64(&fields, "vector", r->vector);
        tt_field_number(&fields, "cpu", r->cpu != TT_NO_CPU, r->cpu);
    }
    tt_field_time(&fields, c, "from", r->from);
    tt_field_time(&fields, c, "to", r->to);
    tt_field_time(&fields, c, "dur", r->to - r->from);
    for (size_t i = 0; i < TT_REACTION_PARTS; i++) {
        bool known = r->has_handler || i >= TT_REACTION_READY;
        tt_field_time(&fields, c, part_keys[i], known ? r->parts[i] : UINT64_MAX);
    }
    tt_fields_end(&fields);
}

static bool take_reaction(void *arg, const struct tt_reaction *r)
{
    struct reacting *k = arg;
    struct tt_output *out = k->m->out;
    uint64_t length = r->to - r->from;
    if (k->whole.count == 0 || length > k->worst.to - k->worst.from) {
        k->worst = *r;
    }
    k->no_memory |= !tt_samples_add(&k->whole, length, r->to);
    for (size_t i = 0; i < TT_REACTION_PARTS; i++) {
        if (r->has_handler || i >= TT_REACTION_READY) {
            k->no_memory |= !tt_samples_add(&k->parts[i], r->parts[i], r->to);
        }
    }
    if (k->m->options->format != TT_OUTPUT_TEXT) {
        TT_PRINT_LINE(out, put_reaction(&text, k->m, false, r));
    }
    return !k->no_memory && tt_output_is_open(out);
}

static void put_part(struct tt_text *text, const struct reacting *k, const char *name,
                     uint64_t worst, struct tt_samples *samples)
{
    const struct tt_capture *c = k->m->input->capture;
    struct tt_distribution d = tt_samples_distribution(samples);
    uint64_t tenths = 0;
    tt_text_str(text, "  ");
    tt_line_column(text, name, strlen(name), 16);
    tt_line_duration_in(text, c, worst, TIME_WIDTH);
    if (tt_mul_div(worst, 1000, k->worst.to - k->worst.from, &tenths)) {
        tt_text_u64_width(text, tenths / 10, 6, ' ');
        tt_text_char(text, '.');
        tt_text_u64(text, tenths % 10);
        tt_text_str(text, " %");
    }
    const uint64_t times[] = {d.count > 0 ? d.sum / d.count : 0, d.p99, d.max};
    for (unsigned i = 0; i < 3; i++) {
        tt_line_duration_in(text, c, d.count > 0 ? times[i] : UINT64_MAX, TIME_WIDTH);
    }
    tt_text_char(text, '\n');
}

static void put_reactions(struct tt_text *text, const struct reacting *k)
{
    tt_text_u64(text, k->whole.count);
    tt_text_str(text, " reactions to interrupt ");
    tt_text_u64(text, k->m->options->interrupt);
    if (k->whole.count == 0) {
        tt_text_char(text, '\n');
        return;
    }
    tt_text_str(text, "; the longest by ");
    tt_line_thread(text, k->m->input->capture, k->worst.thread);
    tt_text_str(text, "\n  ");
    put_time(text, k->m->input, k->worst.from);
    tt_text_str(text, " .. ");
    put_time(text, k->m->input, k->worst.to);
    tt_text_str(text, " on CPU ");
    tt_text_u64(text, k->worst.cpu);
    tt_text_str(text,
                "\n                       longest               mean        p99        max\n");
}

static void print_reactions(struct reacting *k)
{
    struct tt_output *out = k->m->out;
    if (out->begun) {
        tt_output_write(out, "\n", 1);
    }
    TT_PRINT_LINE(out, put_reactions(&text, k));
    for (size_t i = 0; i < TT_REACTION_PARTS && k->whole.count > 0; i++) {
        if (k->parts[i].count > 0) {
            TT_PRINT_LINE(out, put_part(&text, k, part_texts[i], k->worst.parts[i], &k->parts[i]));
        }
    }
    if (k->whole.count > 0) {
        uint64_t whole = k->worst.to - k->worst.from;
        TT_PRINT_LINE(out, put_part(&text, k, "whole reaction", whole, &k->whole));
    }
}

static struct tt_status measure_reactions(struct measuring *m)
{
    const struct tt_timelines *t = tt_trace_timelines(m->input->trace);
    struct tt_wakes *wakes = tt_wakes_new(m->input->trace);
    struct reacting k = {.m = m};
    if (!wakes) {
        return t ? tt_error_memory() : tt_ok();
    }
    if (m->options->format == TT_OUTPUT_CSV && !m->out->begun) {
        TT_PRINT_LINE(m->out, put_reaction(&text, m, true, &(struct tt_reaction){0}));
    }
    uint64_t to = m->pick.to_end ? tt_timelines_limit(t) : m->pick.to.ticks;
    for (uint32_t i = 0; i < m->pick.thread_count && !k.no_memory; i++) {
        if (tt_bit_at(m->pick.threads, i)) {
            tt_reactions(wakes, i, m->options->interrupt, m->pick.from.ticks, to, take_reaction,
                         &k);
        }
    }
    if (!k.no_memory && m->options->format == TT_OUTPUT_TEXT) {
        print_reactions(&k);
    }
    for (size_t i = 0; i < TT_REACTION_PARTS; i++) {
        tt_samples_free(&k.parts[i]);
    }
    tt_samples_free(&k.whole);
    tt_wakes_free(wakes);
    return k.no_memory ? tt_error_memory() : tt_ok();
}

/* ---- the command -------------------------------------------------------------------------- */

static struct tt_status measure_input(const struct tt_options *options, struct tt_input *input,
                                      struct tt_output *out)
{
    struct measuring *m = calloc(1, sizeof *m);
    if (!m) {
        return tt_error_memory();
    }
    m->options = options;
    m->input = input;
    m->out = out;
    m->cut = tt_command_is_on_terminal(options);
    struct tt_status status = tt_event_selection_make(options, input, &m->pick);
    if (!tt_failed(&status)) {
        status = options->begin ? measure_pairs(m) : measure_reactions(m);
        tt_event_selection_free(&m->pick);
    }
    free(m);
    return status;
}

enum tt_exit tt_command_measure(const struct tt_options *options)
{
    return tt_command_each_input(options, measure_input);
}
