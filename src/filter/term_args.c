/* SPDX-License-Identifier: Apache-2.0 */
/* term_args: evaluates terms on arguments and on the whole line. */
#include <string.h>

#include "filter/worker.h"
#include "trace/arg_names.h"

static void term_args_describe(struct tt_filter_worker *worker, const struct tt_event *event)
{
    if (!tt_events_describe(worker->reader, event, &worker->args)) {
        worker->shrunk = true;
        tt_args_clear(&worker->args);
    }
}

/* ---- the line ------------------------------------------------------------------------------- */

void tt_worker_drop_lines(struct tt_filter_worker *worker)
{
    worker->lines_used = 0;
    worker->line =
        tt_line_run_of(worker->plan->capture, worker->plan->names, worker->plan->first_ticks);
    memset(worker->rendered, 0, sizeof worker->rendered);
}

/* Renders the described event after the lines already stored; returns false if out of memory. */
static bool render(struct tt_filter_worker *worker, const struct tt_event *event,
                   struct tt_line_at *line)
{
    const struct tt_filter_plan *plan = worker->plan;
    if (plan->line_terms == 1) {
        worker->lines_used = 0; /* no other term uses it */
    }
    for (;;) {
        if (worker->lines.buffer) {
            struct tt_text text = tt_text_of(worker->lines.buffer + worker->lines_used,
                                             worker->lines.capacity - worker->lines_used);
            tt_line_event_next(&text, &worker->line, event, &worker->args);
            if (!text.truncated) {
                *line = (struct tt_line_at){worker->lines_used, text.used};
                worker->lines_used += text.used;
                return true;
            }
        }
        if (!tt_scratch_grow(&worker->lines)) {
            worker->failed = true;
            return false;
        }
    }
}

enum tt_verdict tt_worker_test_line(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                                    uint32_t index)
{
    const struct tt_event *event = &worker->events[index];
    uint64_t bit = UINT64_C(1) << (index % 64);
    struct tt_line_at *line = &worker->line_at[index];
    if (!(worker->rendered[index / 64] & bit)) {
        bool asks_args = tt_term_asks_args(pt, event); /* without the word the line cannot match */
        term_args_describe(worker, event);
        if (asks_args && !tt_literals_may_be_in_args(&pt->literals, &worker->args)) {
            return TT_VERDICT_NO;
        }
        if (!render(worker, event, line)) {
            return TT_VERDICT_MAY;
        }
        if (worker->plan->line_terms > 1) {
            worker->rendered[index / 64] |= bit;
        }
    }
    return tt_term_regex(pt->term, worker->deciding.tools, worker->lines.buffer + line->offset,
                         line->length);
}

/* ---- one argument -----------------------------------------------------------------------------
 */

static bool number_of_arg(const struct tt_arg *arg, struct tt_number *number)
{
    switch ((enum tt_arg_type)arg->type) {
    case TT_ARG_I64:
        *number = tt_number_of_i64(arg->value.i);
        return true;
    case TT_ARG_U64:
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
    case TT_ARG_KOID:
    case TT_ARG_BOOL:
        *number = tt_number_of_u64(arg->value.u);
        return true;
    case TT_ARG_DOUBLE:
        *number = tt_number_of_double(arg->value.d);
        return true;
    default:
        return false;
    }
}

/* Writes the value as in the line, without quotes and, unless `with_label`, without the label. */
static bool arg_text(struct tt_filter_worker *worker, const struct tt_arg *arg, bool with_label,
                     struct tt_text *text)
{
    struct tt_scratch *scratch = &worker->deciding.scratch;
    struct tt_arg bare = *arg;
    if (!with_label) {
        bare.label.length = 0;
    }
    for (;;) {
        *text = tt_text_of(scratch->buffer, scratch->capacity);
        if (scratch->buffer) {
            if (arg->type == TT_ARG_STRING) {
                tt_text_escaped(text, arg->value.s.data, arg->value.s.length);
            } else {
                tt_line_value(text, &bare);
            }
            if (!text->truncated) {
                return true;
            }
        }
        if (!tt_scratch_grow(scratch)) {
            worker->failed = true;
            return false;
        }
    }
}

/*
 * Returns whether the argument equals a value of the term: as a number, as a text, or by its label.
 */
static bool arg_equals(struct tt_filter_worker *worker, const struct tt_filter_term *term,
                       const struct tt_arg *arg)
{
    struct tt_number number;
    struct tt_text text;
    if (number_of_arg(arg, &number) && tt_term_number(term, &number)) {
        return true;
    }
    if (arg->type == TT_ARG_STRING) {
        return tt_term_text(term, arg->value.s.data, arg->value.s.length, false);
    }
    if (arg->label.length > 0 && tt_term_text(term, arg->label.data, arg->label.length, false)) {
        return true;
    }
    return (arg->type == TT_ARG_BYTES || arg->type == TT_ARG_NULL || arg->type == TT_ARG_BOOL) &&
           arg_text(worker, arg, false, &text) && tt_term_text(term, text.buffer, text.used, false);
}

/* ---- names of arguments ---------------------------------------------------------------------
 */

/* Returns whether a value of the term may be a name: it is not a number. */
static bool term_args_has_names(const struct tt_filter_term *term)
{
    for (uint32_t i = 0; i < term->span_count; i++) {
        if (term->spans[i].from.text && !term->spans[i].from.is_number) {
            return true;
        }
    }
    return false;
}

/* Writes the process or thread that an argument refers to, as in the line's columns. */
static bool target_text(struct tt_filter_worker *worker, const struct tt_arg_target *target,
                        struct tt_text *text)
{
    struct tt_scratch *scratch = &worker->deciding.scratch;
    const struct tt_capture *capture = worker->plan->capture;
    for (;;) {
        *text = tt_text_of(scratch->buffer, scratch->capacity);
        if (scratch->buffer) {
            if (target->special) {
                tt_text_str(text, target->special);
            } else if (target->thread != TT_NO_THREAD) {
                tt_line_thread(text, capture, target->thread);
            } else {
                size_t length;
                const char *name =
                    tt_process_base_name(capture, tt_process_at(capture, target->process), &length);
                tt_text_escaped(text, name, length);
            }
            if (!text->truncated) {
                return true;
            }
        }
        if (!tt_scratch_grow(scratch)) {
            worker->failed = true;
            return false;
        }
    }
}

/* Tests the names of the process or thread that an argument refers to. */
static enum tt_verdict test_target(struct tt_filter_worker *worker,
                                   const struct tt_filter_term *term, const struct tt_event *event,
                                   unsigned index)
{
    struct tt_arg_target target;
    struct tt_text text;
    if (!tt_arg_target(worker->reader, event, &worker->args, index, &target)) {
        return TT_VERDICT_NO;
    }
    if (term->regex) {
        return target_text(worker, &target, &text)
                   ? tt_term_regex(term, worker->deciding.tools, text.buffer, text.used)
                   : TT_VERDICT_MAY;
    }
    bool yes = target.special ? tt_term_text(term, target.special, strlen(target.special), false)
               : target.thread != TT_NO_THREAD
                   ? tt_is_thread_named(&worker->deciding, term, target.thread)
                   : tt_is_process_named(&worker->deciding, term, target.process);
    return yes ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static enum tt_verdict test_value(struct tt_filter_worker *worker,
                                  const struct tt_filter_term *term, const struct tt_arg *arg)
{
    struct tt_number number;
    struct tt_text text;
    if (term->regex) {
        return arg_text(worker, arg, true, &text)
                   ? tt_term_regex(term, worker->deciding.tools, text.buffer, text.used)
                   : TT_VERDICT_MAY;
    }
    bool yes = TT_OPS(term->op) & TT_OPS_ORDER
                   ? number_of_arg(arg, &number) && tt_term_number(term, &number)
                   : arg_equals(worker, term, arg);
    return yes ? TT_VERDICT_YES : TT_VERDICT_NO;
}

static enum tt_verdict test_arg(struct tt_filter_worker *worker, const struct tt_filter_term *term,
                                const struct tt_event *event, unsigned index)
{
    enum tt_verdict verdict = test_value(worker, term, &worker->args.v[index]);
    bool may_be_name =
        worker->plan->capture->format->refers.args &&
        (term->regex || (!(TT_OPS(term->op) & TT_OPS_ORDER) && term_args_has_names(term)));
    if (verdict == TT_VERDICT_YES || !may_be_name) {
        return verdict;
    }
    enum tt_verdict named = test_target(worker, term, event, index);
    return named > verdict ? named : verdict;
}

enum tt_verdict tt_worker_test_arg(struct tt_filter_worker *worker,
                                   const struct tt_filter_term *term, const struct tt_event *event)
{
    enum tt_verdict verdict = TT_VERDICT_NO;
    bool has = false;
    term_args_describe(worker, event);
    for (unsigned i = 0; i < worker->args.count && verdict != TT_VERDICT_YES; i++) {
        const struct tt_arg *arg = &worker->args.v[i];
        if (!arg->hidden && arg->name.length == term->arg_length &&
            memcmp(arg->name.data, term->arg, term->arg_length) == 0) {
            has = true;
            enum tt_verdict one = test_arg(worker, term, event, i);
            verdict = one > verdict ? one : verdict;
        }
    }
    return has ? tt_term_negate(term, verdict) : TT_VERDICT_NO;
}
