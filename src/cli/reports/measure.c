/* SPDX-License-Identifier: Apache-2.0 */
/* measure: pairs of events, and reactions to an interrupt. */
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/reactions.h"
#include "analysis/measure.h"
#include "base/bits.h"
#include "base/text_columns.h"
#include "base/text_units.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
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

static void measure_put_time(struct tt_text *text, const struct tt_input *input, uint64_t ticks)
{
    tt_line_time(text, input->capture,
                 tt_relative_ticks(input->capture, ticks, input->progress.first_ticks));
}

/* Returns the form of rows; `header`: of the line before them. */
static enum tt_fields_form form_of(const struct measuring *measuring, bool header)
{
    return header                                        ? TT_FIELDS_HEADER
           : measuring->options->format == TT_OUTPUT_CSV ? TT_FIELDS_CSV
                                                         : TT_FIELDS_JSON;
}

/* ---- the histogram ------------------------------------------------------------------------ */

/* Appends a bin edge, which is in nanoseconds, or ticks without a clock: 1.5 ms. */
static void put_edge(struct tt_text *text, const struct tt_capture *capture, uint64_t edge)
{
    static const char *const units[] = {" ns", TT_MICROSECONDS, " ms", " s "};
    unsigned unit = 0;
    uint64_t scale = 1;
    while (capture->clock_hz != 0 && unit < 3 && edge / scale >= 1000) {
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
    tt_text_str(&shown, capture->clock_hz != 0 ? units[unit] : "");
    const size_t columns = tt_text_columns(shown.buffer, shown.used);
    tt_text_fill(text, ' ', columns < TIME_WIDTH ? TIME_WIDTH - columns : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

static void measure_put_bin(struct tt_text *text, const struct tt_capture *capture,
                            const struct tt_bins *bins, unsigned bin, uint64_t most)
{
    size_t start = text->used;
    uint64_t bar = 0;
    put_edge(text, capture, bins->edge[bin]);
    tt_text_str(text, " ..");
    put_edge(text, capture, bins->edge[bin + 1]);
    tt_line_number(text, bins->count[bin], 10);
    tt_text_str(text, "  ");
    tt_mul_div(bins->count[bin], BAR_WIDTH, most, &bar);
    tt_text_fill(text, '#', bar > 0 || bins->count[bin] == 0 ? (size_t)bar : 1);
    tt_line_finish(text, start, WIDTH);
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* Appends a pair as a record, or the header. */
static void measure_put_pair(struct tt_text *text, const struct measuring *measuring, bool header,
                             const struct tt_measure_pair *pair)
{
    const struct tt_capture *capture = measuring->input->capture;
    struct tt_fields fields = tt_fields_begin(text, form_of(measuring, header));
    tt_field_time(&fields, capture, "from", pair->from);
    tt_field_time(&fields, capture, "to", pair->to);
    tt_field_time(&fields, capture, "dur", pair->to - pair->from);
    tt_fields_end(&fields);
}

static void print_pair(void *arg, const struct tt_measure_pair *pair)
{
    const struct measuring *measuring = arg;
    TT_PRINT_LINE(measuring->out, measure_put_pair(&text, measuring, false, pair));
}

static void json_result(struct tt_text *text, const struct tt_capture *capture,
                        const struct tt_measure_result *result)
{
    const struct tt_distribution *distribution = &result->length;
    bool any = distribution->count > 0;
    uint64_t mean = any ? tt_line_ns(capture, distribution->sum) / distribution->count
                        : 0; /* rounded down once */
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_u64(&fields, "count", distribution->count);
    tt_field_u64(&fields, "unpaired_begin", result->unpaired_begin);
    tt_field_u64(&fields, "unpaired_end", result->unpaired_end);
    tt_field_number(&fields, capture->clock_hz ? "mean_ns" : "mean_ticks", any, mean);
    tt_field_time(&fields, capture, "p50", any ? distribution->p50 : UINT64_MAX);
    tt_field_time(&fields, capture, "p99", any ? distribution->p99 : UINT64_MAX);
    tt_field_time(&fields, capture, "max", any ? distribution->max : UINT64_MAX);
    tt_field_time(&fields, capture, "p95", any ? distribution->p95 : UINT64_MAX);
    tt_field_time(&fields, capture, "min", any ? result->min : UINT64_MAX);
    tt_field_time(&fields, capture, "max_from", any ? result->worst[0].from : UINT64_MAX);
    tt_field_time(&fields, capture, "max_to", any ? result->worst[0].to : UINT64_MAX);
    tt_field_u64(&fields, "lossy", result->lossy);
    tt_fields_end(&fields);
}

/* Appends the number of pairs, and their times: the mean is at most the maximum, so it fits. */
static void measure_put_times(struct tt_text *text, const struct tt_capture *capture,
                              const struct tt_measure_result *result)
{
    static const char *const names[] = {"min ", "mean", "p50 ", "p95 ", "p99 ", "max "};
    const struct tt_distribution *distribution = &result->length;
    const uint64_t times[] = {
        result->min,       distribution->count > 0 ? distribution->sum / distribution->count : 0,
        distribution->p50, distribution->p95,
        distribution->p99, distribution->max};
    tt_text_put(text, "%ju pairs, %ju begins and %ju ends without a partner", distribution->count,
                result->unpaired_begin, result->unpaired_end);
    if (result->lossy > 0) {
        tt_text_put(text, ", %ju pairs across a loss", result->lossy);
    }
    tt_text_char(text, '\n');
    for (unsigned i = 0; i < 6 && distribution->count > 0; i++) {
        tt_text_str(text, names[i]);
        tt_line_duration_in(text, capture, times[i], TIME_WIDTH);
        tt_text_char(text, '\n');
    }
}

/* Appends a pair; its places are times and numbers of events, from which --from can be called. */
static void put_worst(struct tt_text *text, const struct measuring *measuring,
                      const struct tt_measure_pair *pair)
{
    const struct tt_input *input = measuring->input;
    const uint64_t times[] = {pair->from, pair->to}, rows[] = {pair->from_row, pair->to_row};
    size_t start = text->used;
    tt_line_duration_in(text, input->capture, pair->to - pair->from, TIME_WIDTH);
    for (unsigned i = 0; i < 2; i++) {
        tt_text_str(text, i == 0 ? "  " : " .. ");
        measure_put_time(text, input, times[i]);
        tt_text_put(text, " #%ju", tt_events_number(input->events, rows[i]));
    }
    tt_text_str(text, "  ");
    if (measuring->cut) {
        tt_line_thread_in(text, input->capture, pair->thread, NAME_WIDTH);
    } else if (pair->thread < tt_thread_count(input->capture)) {
        tt_line_thread(text, input->capture, pair->thread);
    }
    tt_line_finish(text, start, measuring->cut ? WIDTH : SIZE_MAX);
}

static void measure_print_text(const struct measuring *measuring,
                               const struct tt_measure_result *result)
{
    if (measuring->out->begun) {
        tt_output_write(measuring->out, "\n", 1);
    }
    TT_PRINT_LINE(measuring->out, measure_put_times(&text, measuring->input->capture, result));
    if (result->length.count == 0) {
        return;
    }
    tt_output_write(measuring->out, "longest\n", 8);
    for (unsigned i = 0; i < result->worst_count; i++) {
        TT_PRINT_LINE(measuring->out, put_worst(&text, measuring, &result->worst[i]));
    }
    tt_output_write(measuring->out, "histogram\n", 10);

    const struct tt_samples *samples = tt_measure_samples(measuring->measure);
    const struct tt_capture *capture = measuring->input->capture;
    struct tt_bins bins;
    uint64_t most = 0;
    tt_bins_choose(&bins, tt_line_ns(capture, result->min), tt_line_ns(capture, result->length.p50),
                   tt_line_ns(capture, result->length.max));
    tt_bins_add_samples(&bins, capture, samples);
    for (unsigned i = 0; i < bins.used; i++) {
        most = bins.count[i] > most ? bins.count[i] : most;
    }
    for (unsigned i = 0; i < bins.used && tt_output_is_open(measuring->out); i++) {
        TT_PRINT_LINE(measuring->out, measure_put_bin(&text, capture, &bins, i, most));
    }
}

static struct tt_status make_side(const struct measuring *measuring, const char *text,
                                  const char *option, struct side *side)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &side->filter, &error) ||
        !tt_filter_plan_new(side->filter, measuring->input->trace, measuring->input->events,
                            &side->plan, &error)) {
        return tt_status_context(error.status, option);
    }
    side->worker = tt_filter_worker_new(side->plan, measuring->input->events);
    return side->worker ? tt_ok() : tt_error_memory();
}

static void free_side(struct side *side)
{
    tt_filter_worker_free(side->worker);
    tt_filter_plan_free(side->plan);
    tt_filter_free(side->filter);
}

static struct tt_status walk_events(struct measuring *measuring)
{
    bool lines = measuring->options->format != TT_OUTPUT_TEXT;
    for (uint64_t row = measuring->pick.first_row;
         row < measuring->pick.end_row && tt_output_is_open(measuring->out);) {
        uint64_t left = measuring->pick.end_row - row;
        uint32_t count = tt_events_read(measuring->input->events, row,
                                        left < TT_FILTER_BLOCK ? (uint32_t)left : TT_FILTER_BLOCK,
                                        measuring->events);
        if (count == 0) {
            measuring->input->shrunk = true;
            break;
        }
        tt_filter_test(measuring->begin.worker, measuring->events, row, count,
                       measuring->begin.bits);
        tt_filter_test(measuring->end.worker, measuring->events, row, count, measuring->end.bits);
        if (!tt_measure_add(measuring->measure, measuring->input->events, measuring->events, row,
                            count, measuring->begin.bits, measuring->end.bits,
                            lines ? print_pair : NULL, measuring) ||
            tt_filter_worker_failed(measuring->begin.worker) ||
            tt_filter_worker_failed(measuring->end.worker)) {
            return tt_error_memory();
        }
        tt_events_release_pages(measuring->input->events, measuring->events, count);
        row += count;
    }
    const struct tt_filter_worker *const workers[] = {measuring->begin.worker,
                                                      measuring->end.worker};
    for (unsigned i = 0; i < 2; i++) {
        measuring->input->shrunk |= tt_filter_worker_truncated(workers[i]);
        measuring->input->undecided += tt_filter_worker_undecided(workers[i]);
    }
    return tt_ok();
}

static struct tt_status measure_pairs(struct measuring *measuring)
{
    const struct tt_options *options = measuring->options;
    struct tt_measure_request request = {.same = (enum tt_measure_same)options->same,
                                         .arg = options->same_arg,
                                         .oldest = options->pair != 0};
    struct tt_measure_result result;
    measuring->measure = tt_measure_new(measuring->input->trace, &request);
    struct tt_status status = measuring->measure ? tt_ok() : tt_error_memory();
    if (!tt_failed(&status)) {
        status = make_side(measuring, options->begin, "--begin", &measuring->begin);
    }
    if (!tt_failed(&status)) {
        status = make_side(measuring, options->end, "--end", &measuring->end);
    }
    if (!tt_failed(&status) && options->format == TT_OUTPUT_CSV && !measuring->out->begun) {
        TT_PRINT_LINE(measuring->out,
                      measure_put_pair(&text, measuring, true, &(struct tt_measure_pair){0}));
    }
    if (!tt_failed(&status)) {
        status = walk_events(measuring);
    }
    if (!tt_failed(&status)) {
        tt_measure_result(measuring->measure, &result);
        if (options->format == TT_OUTPUT_JSONL) {
            TT_PRINT_LINE(measuring->out, json_result(&text, measuring->input->capture, &result));
        } else if (options->format == TT_OUTPUT_TEXT) {
            measure_print_text(measuring, &result);
        }
    }
    free_side(&measuring->begin);
    free_side(&measuring->end);
    tt_measure_free(measuring->measure);
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
static void put_reaction(struct tt_text *text, const struct measuring *measuring, bool header,
                         const struct tt_reaction *reaction)
{
    const struct tt_capture *capture = measuring->input->capture;
    struct tt_fields fields = tt_fields_begin(text, form_of(measuring, header));
    if (fields.form == TT_FIELDS_JSON) {
        tt_field_lane(&fields, capture, reaction->thread, "pid", "tid", "thread");
        tt_field_u64(&fields, "vector", reaction->vector);
        tt_field_number(&fields, "cpu", reaction->cpu != TT_NO_CPU, reaction->cpu);
    }
    tt_field_time(&fields, capture, "from", reaction->from);
    tt_field_time(&fields, capture, "to", reaction->to);
    tt_field_time(&fields, capture, "dur", reaction->to - reaction->from);
    for (size_t i = 0; i < TT_REACTION_PARTS; i++) {
        bool known = reaction->has_handler || i >= TT_REACTION_READY;
        tt_field_time(&fields, capture, part_keys[i], known ? reaction->parts[i] : UINT64_MAX);
    }
    tt_fields_end(&fields);
}

static bool print_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct reacting *reacting = arg;
    struct tt_output *out = reacting->m->out;
    uint64_t length = reaction->to - reaction->from;
    if (reacting->whole.count == 0 || length > reacting->worst.to - reacting->worst.from) {
        reacting->worst = *reaction;
    }
    reacting->no_memory |= !tt_samples_add(&reacting->whole, length, reaction->to);
    for (size_t i = 0; i < TT_REACTION_PARTS; i++) {
        if (reaction->has_handler || i >= TT_REACTION_READY) {
            reacting->no_memory |=
                !tt_samples_add(&reacting->parts[i], reaction->parts[i], reaction->to);
        }
    }
    if (reacting->m->options->format != TT_OUTPUT_TEXT) {
        TT_PRINT_LINE(out, put_reaction(&text, reacting->m, false, reaction));
    }
    return !reacting->no_memory && tt_output_is_open(out);
}

static void put_part(struct tt_text *text, const struct reacting *reacting, const char *name,
                     uint64_t worst, struct tt_samples *samples)
{
    const struct tt_capture *capture = reacting->m->input->capture;
    struct tt_distribution d = tt_samples_distribution(samples);
    uint64_t tenths = 0;
    tt_text_str(text, "  ");
    tt_line_column(text, name, strlen(name), 16);
    tt_line_duration_in(text, capture, worst, TIME_WIDTH);
    if (tt_mul_div(worst, 1000, reacting->worst.to - reacting->worst.from, &tenths)) {
        tt_text_u64_width(text, tenths / 10, 6, ' ');
        tt_text_put(text, ".%ju %%", tenths % 10);
    }
    const uint64_t times[] = {d.count > 0 ? d.sum / d.count : 0, d.p99, d.max};
    for (unsigned i = 0; i < 3; i++) {
        tt_line_duration_in(text, capture, d.count > 0 ? times[i] : UINT64_MAX, TIME_WIDTH);
    }
    tt_text_char(text, '\n');
}

static void put_reactions(struct tt_text *text, const struct reacting *reacting)
{
    tt_text_put(text, "%ju reactions to interrupt %ju", reacting->whole.count,
                reacting->m->options->interrupt);
    if (reacting->whole.count == 0) {
        tt_text_char(text, '\n');
        return;
    }
    tt_text_str(text, "; the longest by ");
    tt_line_thread(text, reacting->m->input->capture, reacting->worst.thread);
    tt_text_str(text, "\n  ");
    measure_put_time(text, reacting->m->input, reacting->worst.from);
    tt_text_str(text, " .. ");
    measure_put_time(text, reacting->m->input, reacting->worst.to);
    tt_text_put(
        text,
        " on CPU %d\n                       longest               mean        p99        max\n",
        reacting->worst.cpu);
}

static void print_reactions(struct reacting *reacting)
{
    struct tt_output *out = reacting->m->out;
    if (out->begun) {
        tt_output_write(out, "\n", 1);
    }
    TT_PRINT_LINE(out, put_reactions(&text, reacting));
    for (size_t i = 0; i < TT_REACTION_PARTS && reacting->whole.count > 0; i++) {
        if (reacting->parts[i].count > 0) {
            TT_PRINT_LINE(out, put_part(&text, reacting, part_texts[i], reacting->worst.parts[i],
                                        &reacting->parts[i]));
        }
    }
    if (reacting->whole.count > 0) {
        uint64_t whole = reacting->worst.to - reacting->worst.from;
        TT_PRINT_LINE(out, put_part(&text, reacting, "whole reaction", whole, &reacting->whole));
    }
}

static struct tt_status measure_reactions(struct measuring *measuring)
{
    const struct tt_timelines *timelines = tt_trace_timelines(measuring->input->trace);
    struct tt_wakes *wakes = tt_wakes_new(measuring->input->trace);
    struct reacting k = {.m = measuring};
    if (!wakes) {
        return timelines ? tt_error_memory() : tt_ok();
    }
    if (measuring->options->format == TT_OUTPUT_CSV && !measuring->out->begun) {
        TT_PRINT_LINE(measuring->out,
                      put_reaction(&text, measuring, true, &(struct tt_reaction){0}));
    }
    uint64_t to = measuring->pick.to_end ? tt_timelines_limit(timelines) : measuring->pick.to.ticks;
    for (uint32_t i = 0; i < measuring->pick.thread_count && !k.no_memory; i++) {
        if (tt_bit_at(measuring->pick.threads, i)) {
            tt_reactions(wakes, i, measuring->options->interrupt, measuring->pick.from.ticks, to,
                         print_reaction, &k);
        }
    }
    if (!k.no_memory && measuring->options->format == TT_OUTPUT_TEXT) {
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
    struct measuring *measuring = calloc(1, sizeof *measuring);
    if (!measuring) {
        return tt_error_memory();
    }
    measuring->options = options;
    measuring->input = input;
    measuring->out = out;
    measuring->cut = tt_command_is_on_terminal(options);
    struct tt_status status = tt_event_selection_make(options, input, &measuring->pick);
    if (!tt_failed(&status)) {
        status = options->begin ? measure_pairs(measuring) : measure_reactions(measuring);
        tt_event_selection_free(&measuring->pick);
    }
    free(measuring);
    return status;
}

enum tt_exit tt_command_measure(const struct tt_options *options)
{
    return tt_command_each_input(options, measure_input);
}
