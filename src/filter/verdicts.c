/* SPDX-License-Identifier: Apache-2.0 */
/* verdicts: decides terms without an event: a verdict for each thread, type, CPU and state. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "filter/plan.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"

#define WHOLE 1000000000 /* 100 % in units of tt_time_spec */

bool tt_scratch_grow(struct tt_scratch *scratch)
{
    char *buffer = tt_array_more_text(scratch->buffer, &scratch->capacity, 1024);
    scratch->buffer = buffer ? buffer : scratch->buffer;
    return buffer != NULL;
}

void tt_scratch_free(struct tt_scratch *scratch)
{
    free(scratch->buffer);
    *scratch = (struct tt_scratch){NULL, 0};
}

/* ---- one value ---------------------------------------------------------------------------- */

static bool number_in_span(const struct tt_filter_span *span, const struct tt_number *number)
{
    if (!span->is_range) {
        return span->from.is_number && tt_number_compare(number, &span->from.number) == 0;
    }
    return (!span->from.text || tt_number_compare(number, &span->from.number) >= 0) &&
           (!span->to.text || tt_number_compare(number, &span->to.number) <= 0);
}

bool tt_term_number(const struct tt_filter_term *term, const struct tt_number *number)
{
    if (tt_number_is_nan(number)) {
        return false;
    }
    if (TT_OPS(term->op) & TT_OPS_ORDER) {
        int order = tt_number_compare(number, &term->spans[0].from.number);
        switch (term->op) {
        case TT_OP_LT:
            return order < 0;
        case TT_OP_LE:
            return order <= 0;
        case TT_OP_GT:
            return order > 0;
        default:
            return order >= 0;
        }
    }
    for (uint32_t i = 0; i < term->span_count; i++) {
        if (number_in_span(&term->spans[i], number)) {
            return true;
        }
    }
    return false;
}

static char verdicts_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool texts_equal(const char *a, const char *b, size_t length, bool ignore_case)
{
    for (size_t i = 0; i < length; i++) {
        if (ignore_case ? verdicts_lower(a[i]) != verdicts_lower(b[i]) : a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

bool tt_term_text(const struct tt_filter_term *term, const char *text, size_t length,
                  bool ignore_case)
{
    for (uint32_t i = 0; i < term->span_count; i++) {
        const struct tt_filter_value *value = &term->spans[i].from;
        if (value->text && value->length == length &&
            texts_equal(value->text, text, length, ignore_case)) {
            return true;
        }
    }
    return false;
}

enum tt_verdict tt_term_regex(const struct tt_filter_term *term, struct tt_regex_tools *tools,
                              const char *text, size_t length)
{
    switch (tt_regex_match(term->regex, tools, text, length)) {
    case TT_REGEX_YES:
        return TT_VERDICT_YES;
    case TT_REGEX_NO:
        return TT_VERDICT_NO;
    default:
        return TT_VERDICT_MAY;
    }
}

enum tt_verdict tt_term_negate(const struct tt_filter_term *term, enum tt_verdict verdict)
{
    if (term->op != TT_OP_NE && term->op != TT_OP_NO_MATCH) {
        return verdict;
    }
    switch (verdict) {
    case TT_VERDICT_NO:
        return TT_VERDICT_YES;
    case TT_VERDICT_YES:
        return TT_VERDICT_NO;
    default:
        return TT_VERDICT_MAY;
    }
}

static enum tt_verdict verdicts_verdict_of(bool yes)
{
    return yes ? TT_VERDICT_YES : TT_VERDICT_NO;
}

/* ---- threads ------------------------------------------------------------------------------ */

/* The process is shown by its base name; _PATH: as recorded. */
enum thread_text {
    SHOWN,
    SHOWN_PATH,
    PROCESS_SHOWN,
    PROCESS_PATH,
    PROCESS_AND_TID,
    PATH_AND_TID,
    PID_AND_TID
};

static void verdicts_put_thread(struct tt_text *text, const struct tt_capture *capture,
                                uint32_t thread, enum thread_text which)
{
    if (which == SHOWN) {
        tt_line_thread(text, capture, thread);
        return;
    }
    if (which == SHOWN_PATH) {
        tt_line_thread_path(text, capture, thread);
        return;
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *process = tt_process_at(capture, t->process);
    size_t length;
    bool path = which == PROCESS_PATH || which == PATH_AND_TID;
    const char *name = path ? tt_capture_text(capture, process->name, &length)
                            : tt_process_base_name(capture, process, &length);
    if (length > 0 && which != PID_AND_TID) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_u64(text, process->pid);
    }
    if (which != PROCESS_SHOWN && which != PROCESS_PATH) {
        tt_text_char(text, '/');
        tt_text_u64(text, t->tid);
    }
}

/* Writes the text into the scratch buffer; returns false if out of memory. */
static bool thread_text(struct tt_deciding *deciding, uint32_t thread, enum thread_text which,
                        struct tt_text *text)
{
    for (;;) {
        *text = tt_text_of(deciding->scratch.buffer, deciding->scratch.capacity);
        if (deciding->scratch.buffer) {
            verdicts_put_thread(text, deciding->plan->capture, thread, which);
            if (!text->truncated) {
                return true;
            }
        }
        if (!tt_scratch_grow(&deciding->scratch)) {
            deciding->failed = true;
            return false;
        }
    }
}

static bool is_thread_text(struct tt_deciding *deciding, const struct tt_filter_term *term,
                           uint32_t thread, enum thread_text which)
{
    struct tt_text text;
    return thread_text(deciding, thread, which, &text) &&
           tt_term_text(term, text.buffer, text.used, false);
}

static bool verdicts_is_name(struct tt_deciding *deciding, const struct tt_filter_term *term,
                             tt_string name)
{
    size_t length;
    const char *text = tt_capture_text(deciding->plan->capture, name, &length);
    return name != 0 && tt_term_text(term, text, length, false);
}

static bool verdicts_is_number(const struct tt_filter_term *term, uint64_t value)
{
    char digits[24];
    struct tt_text text = tt_text_of(digits, sizeof digits);
    tt_text_u64(&text, value);
    return tt_term_text(term, digits, text.used, false);
}

static bool verdicts_is_thread(struct tt_deciding *deciding, const struct tt_filter_term *term,
                               uint32_t thread)
{
    return verdicts_is_name(deciding, term, tt_thread_at(deciding->plan->capture, thread)->name) ||
           is_thread_text(deciding, term, thread, SHOWN) ||
           is_thread_text(deciding, term, thread, SHOWN_PATH) ||
           is_thread_text(deciding, term, thread, PROCESS_AND_TID) ||
           is_thread_text(deciding, term, thread, PATH_AND_TID) ||
           is_thread_text(deciding, term, thread, PID_AND_TID);
}

static enum tt_verdict match_thread(struct tt_deciding *deciding, const struct tt_filter_term *term,
                                    uint32_t thread, enum thread_text which)
{
    struct tt_text text;
    return thread_text(deciding, thread, which, &text)
               ? tt_term_regex(term, deciding->tools, text.buffer, text.used)
               : TT_VERDICT_MAY;
}

bool tt_is_thread_named(struct tt_deciding *deciding, const struct tt_filter_term *term,
                        uint32_t thread)
{
    return verdicts_is_thread(deciding, term, thread);
}

bool tt_is_process_named(struct tt_deciding *deciding, const struct tt_filter_term *term,
                         uint32_t process)
{
    const struct tt_capture *capture = deciding->plan->capture;
    const struct tt_process *p = tt_process_at(capture, process);
    size_t length;
    const char *name = tt_process_base_name(capture, p, &length);
    return verdicts_is_name(deciding, term, p->name) ||
           (length > 0 && tt_term_text(term, name, length, false));
}

enum tt_verdict tt_decide_thread(struct tt_deciding *deciding, const struct tt_filter_term *term,
                                 uint32_t thread)
{
    const struct tt_capture *capture = deciding->plan->capture;
    if (thread >= tt_thread_count(capture)) {
        return TT_VERDICT_NO; /* an unknown thread matches no term, not even a negated one */
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *process = tt_process_at(capture, t->process);
    enum tt_verdict verdict;
    if (term->field == TT_FIELD_PID || term->field == TT_FIELD_TID) {
        struct tt_number number =
            tt_number_of_u64(term->field == TT_FIELD_PID ? process->pid : t->tid);
        verdict = verdicts_verdict_of(tt_term_number(term, &number));
    } else if (term->regex) {
        bool whole = term->field == TT_FIELD_THREAD;
        verdict = match_thread(deciding, term, thread, whole ? SHOWN : PROCESS_SHOWN);
        if (verdict == TT_VERDICT_NO) {
            verdict = match_thread(deciding, term, thread, whole ? SHOWN_PATH : PROCESS_PATH);
        }
    } else if (term->field == TT_FIELD_THREAD) {
        verdict = verdicts_verdict_of(verdicts_is_thread(deciding, term, thread));
    } else {
        verdict = verdicts_verdict_of(verdicts_is_name(deciding, term, process->name) ||
                                      is_thread_text(deciding, term, thread, PROCESS_SHOWN) ||
                                      verdicts_is_number(term, process->pid));
    }
    return tt_term_negate(term, verdict);
}

/* ---- types -------------------------------------------------------------------------------- */

static enum tt_verdict decide_name(struct tt_deciding *deciding, const struct tt_filter_term *term,
                                   const char *name)
{
    if (!term->regex) {
        return tt_term_negate(term,
                              verdicts_verdict_of(tt_term_text(term, name, strlen(name), true)));
    }
    for (;;) { /* regexes match the text of the line */
        struct tt_text text = tt_text_of(deciding->scratch.buffer, deciding->scratch.capacity);
        if (deciding->scratch.buffer) {
            tt_text_escaped(&text, name, strlen(name));
            if (!text.truncated) {
                return tt_term_negate(term,
                                      tt_term_regex(term, deciding->tools, text.buffer, text.used));
            }
        }
        if (!tt_scratch_grow(&deciding->scratch)) {
            deciding->failed = true;
            return TT_VERDICT_MAY;
        }
    }
}

enum tt_verdict tt_decide_type(struct tt_deciding *deciding, const struct tt_filter_term *term,
                               uint32_t type)
{
    const struct tt_capture *capture = deciding->plan->capture;
    if (type >= tt_types_count(capture)) {
        return TT_VERDICT_NO;
    }
    const struct tt_event_type *event_type = tt_types_at(capture, type);
    return decide_name(deciding, term,
                       term->field == TT_FIELD_CLASS ? event_type->class_name : event_type->name);
}

/* ---- states ------------------------------------------------------------------------------- */

/* Returns the class with that name, in lower case; TT_CLASS_COUNT if there is none. */
static unsigned class_named(const struct tt_filter_value *value)
{
    for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
        if (strcmp(tt_class_name(class_), value->text) == 0) {
            return class_;
        }
    }
    return TT_CLASS_COUNT;
}

static bool is_state(const struct tt_filter_value *value, const struct tt_state_info *state,
                     unsigned class_)
{
    unsigned named = class_named(value);
    if (named == TT_CLASS_LOCK) {
        return tt_class_is_lock(class_);
    }
    return named < TT_CLASS_COUNT ? named == class_
                                  : strlen(state->name) == value->length &&
                                        texts_equal(state->name, value->text, value->length, true);
}

static bool check_states(const struct tt_filter_term *term, const struct tt_format *format,
                         struct tt_filter_error *error)
{
    for (uint32_t i = 0; i < term->span_count; i++) {
        const struct tt_filter_value *value = &term->spans[i].from;
        bool known = class_named(value) < TT_CLASS_COUNT;
        for (uint32_t state = 0; state < format->state_count && !known; state++) {
            known = is_state(value, &format->states[state], TT_CLASS_COUNT);
        }
        if (!known) {
            *error = tt_filter_error_at(value->column,
                                        "a %s has no state '%.40s' and no class of "
                                        "states with that name",
                                        format->title, value->text);
            return false;
        }
    }
    return true;
}

static enum tt_verdict decide_state(struct tt_deciding *deciding, const struct tt_filter_term *term,
                                    const struct tt_state_info *state, unsigned class_)
{
    enum tt_verdict verdict = TT_VERDICT_NO;
    if (term->regex) {
        verdict = tt_term_regex(term, deciding->tools, state->name, strlen(state->name));
    }
    for (uint32_t i = 0; i < term->span_count && verdict == TT_VERDICT_NO; i++) {
        verdict = verdicts_verdict_of(is_state(&term->spans[i].from, state, class_));
    }
    return tt_term_negate(term, verdict);
}

/* ---- tables ------------------------------------------------------------------------------- */

static bool table_room(struct tt_deciding *deciding, struct tt_plan_term *pt, uint32_t count)
{
    uint8_t *verdicts = realloc(pt->verdicts, (size_t)count + 1);
    if (!verdicts) {
        deciding->failed = true;
        return false;
    }
    pt->verdicts = verdicts;
    return true;
}

static bool decide_states(struct tt_deciding *deciding, struct tt_plan_term *pt,
                          struct tt_filter_error *error)
{
    const struct tt_format *format = deciding->plan->capture->format;
    uint32_t count = format->state_count * TT_CLASS_COUNT;
    if (!check_states(pt->term, format, error) || !table_room(deciding, pt, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        pt->verdicts[i] = (uint8_t)decide_state(
            deciding, pt->term, &format->states[i / TT_CLASS_COUNT], i % TT_CLASS_COUNT);
    }
    pt->verdict_count = count;
    return true;
}

static bool decide_table(struct tt_deciding *deciding, struct tt_plan_term *pt)
{
    bool threads = pt->way == TT_WAY_THREAD;
    uint32_t count = threads ? tt_thread_count(deciding->plan->capture)
                             : tt_types_count(deciding->plan->capture);
    if (!table_room(deciding, pt, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        pt->verdicts[i] = (uint8_t)(threads ? tt_decide_thread(deciding, pt->term, i)
                                            : tt_decide_type(deciding, pt->term, i));
    }
    pt->verdict_count = count;
    return true;
}

/* ---- words that lines must contain --------------------------------------------------------- */

static bool bytes_room(struct tt_deciding *deciding, uint8_t **bytes, uint32_t count)
{
    uint8_t *more = realloc(*bytes, (size_t)count + 1);
    deciding->failed |= !more;
    if (more) {
        *bytes = more;
    }
    return more != NULL;
}

/* Marks the threads and types whose text may contain one of the words. */
static bool decide_literals(struct tt_deciding *deciding, struct tt_plan_term *pt)
{
    const struct tt_capture *capture = deciding->plan->capture;
    const struct tt_literals *literals = &pt->literals;
    uint32_t threads = tt_thread_count(capture), types = tt_types_count(capture);
    tt_literals_of(pt->term->pattern, strlen(pt->term->pattern),
                   tt_regex_ignores_case(pt->term->regex), &pt->literals);
    pt->threads_may_count = pt->types_may_count = 0;
    if (literals->count == 0) {
        return true;
    }
    if (!bytes_room(deciding, &pt->threads_may, threads) ||
        !bytes_room(deciding, &pt->types_may, types)) {
        return false;
    }
    for (uint32_t i = 0; i < threads; i++) {
        struct tt_text text;
        if (!thread_text(deciding, i, SHOWN, &text)) {
            return false;
        }
        pt->threads_may[i] = tt_literals_may_be_in(literals, text.buffer, text.used);
    }
    for (uint32_t i = 0; i < types; i++) {
        const struct tt_event_type *type = tt_types_at(capture, i);
        pt->types_may[i] =
            tt_literals_may_be_in(literals, type->class_name, strlen(type->class_name)) ||
            tt_literals_may_be_in(literals, type->name, strlen(type->name));
    }
    pt->threads_may_count = threads;
    pt->types_may_count = types;
    return true;
}

/* ---- tables by number --------------------------------------------------------------------- */

static bool decide_cpus(struct tt_deciding *deciding, struct tt_plan_term *pt)
{
    if (!table_room(deciding, pt, TT_NO_CPU)) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < TT_NO_CPU; cpu++) {
        struct tt_number number = tt_number_of_u64(cpu);
        pt->verdicts[cpu] = (uint8_t)tt_term_negate(
            pt->term, verdicts_verdict_of(tt_term_number(pt->term, &number)));
    }
    pt->verdict_count = TT_NO_CPU;
    return true;
}

/* Decides for each member of a merged capture; other captures have no name. */
static bool decide_captures(struct tt_deciding *deciding, struct tt_plan_term *pt)
{
    const struct tt_merge *merge = deciding->plan->capture->merge;
    uint32_t count = merge ? merge->count : 0;
    if (!table_room(deciding, pt, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        pt->verdicts[i] =
            (uint8_t)decide_name(deciding, pt->term, merge->members[i].capture->label);
    }
    pt->verdict_count = count;
    return true;
}

static void decide_kinds(struct tt_plan_term *pt)
{
    pt->kinds = 0;
    for (uint32_t i = 0; i < pt->term->span_count; i++) {
        pt->kinds |= UINT64_C(1) << pt->term->spans[i].from.word;
    }
    if (pt->term->op == TT_OP_NE) {
        pt->kinds = ~pt->kinds;
    }
}

static void decide_flag(struct tt_plan_term *pt)
{
    switch (pt->term->field) {
    case TT_FIELD_INFERRED:
        pt->flag = TT_EVENT_INFERRED;
        break;
    case TT_FIELD_DERIVED:
        pt->flag = TT_EVENT_DERIVED;
        break;
    default:
        pt->flag = TT_EVENT_MALFORMED;
        break;
    }
    pt->wants_flag = (pt->term->spans[0].from.word != 0) == (pt->term->op == TT_OP_EQ);
}

/* ---- times and durations ------------------------------------------------------------------ */

/*
 * Computes the key of a point, or with `after` the first key after it. #N is the time of that
 * event: all events with the same time compare equal.
 */
static bool resolve_time(struct tt_deciding *deciding, struct tt_events *events,
                         const struct tt_filter_value *value, bool after, uint64_t *ticks,
                         uint64_t *pos, struct tt_filter_error *error)
{
    struct tt_time_spec when = value->when;
    bool step = after && when.kind != TT_TIME_SPEC_PART && when.kind != TT_TIME_SPEC_EVENT &&
                when.value < INT64_MAX;
    when.value += step;
    struct tt_status status =
        tt_time_spec_resolve(&when, deciding->plan->trace, events, ticks, pos);
    if (tt_failed(&status)) {
        *error = tt_filter_error_at(value->column, "%s", status.text);
        return false;
    }
    if (when.kind == TT_TIME_SPEC_EVENT && *ticks < UINT64_MAX) {
        *pos = 0;
    }
    *ticks += after && !step && *ticks < UINT64_MAX;
    return true;
}

/* Returns the smallest number of ticks that is displayed as `ns` or more. */
static uint64_t ticks_of_ns(uint64_t ns, uint64_t hz)
{
    uint64_t ticks;
    int64_t shown;
    if (!tt_ns_to_ticks(ns, hz, &ticks)) {
        return UINT64_MAX;
    }
    return ticks + (tt_ticks_to_ns(ticks, hz, &shown) && (uint64_t)shown < ns);
}

static bool resolve_duration(struct tt_deciding *deciding, const struct tt_filter_value *value,
                             bool after, uint64_t *ticks, struct tt_filter_error *error)
{
    uint64_t hz = deciding->plan->capture->clock_hz;
    uint64_t size = (uint64_t)value->when.value + after;
    if (value->when.kind == TT_TIME_SPEC_TICKS) {
        *ticks = size;
        return true;
    }
    if (hz == 0) {
        *error = tt_filter_error_at(value->column,
                                    "a duration in seconds, but the capture has no clock: use "
                                    "--clock HZ or a duration in ticks (500t)");
        return false;
    }
    *ticks = ticks_of_ns(size, hz);
    return true;
}

static bool verdicts_resolve(struct tt_deciding *deciding, struct tt_plan_term *pt,
                             struct tt_events *events, const struct tt_filter_value *value,
                             bool after, uint64_t *ticks, uint64_t *pos,
                             struct tt_filter_error *error)
{
    *pos = 0;
    return pt->way == TT_WAY_TIME ? resolve_time(deciding, events, value, after, ticks, pos, error)
                                  : resolve_duration(deciding, value, after, ticks, error);
}

static bool decide_range(struct tt_deciding *deciding, struct tt_plan_term *pt,
                         struct tt_events *events, const struct tt_filter_span *span,
                         struct tt_plan_range *range, struct tt_filter_error *error)
{
    static const struct tt_filter_value nothing = {0};
    enum tt_filter_op op = pt->term->op;
    const struct tt_filter_value *from = &span->from;
    const struct tt_filter_value *to = span->is_range ? &span->to : &span->from;
    /* A time range is [from, to), like --from and --to; a duration range includes both ends. */
    bool to_after = op != TT_OP_LT && !(span->is_range && pt->way == TT_WAY_TIME);
    *range = (struct tt_plan_range){0, 0, UINT64_MAX, UINT64_MAX};
    if (span->is_range && to->when.kind == TT_TIME_SPEC_PART && to->when.value == WHOLE) {
        to = &nothing; /* a range up to 100 % includes the last event */
    }
    if (from->text && op != TT_OP_LT && op != TT_OP_LE &&
        !verdicts_resolve(deciding, pt, events, from, op == TT_OP_GT, &range->from_ticks,
                          &range->from_pos, error)) {
        return false;
    }
    return !to->text || op == TT_OP_GT || op == TT_OP_GE ||
           verdicts_resolve(deciding, pt, events, to, to_after, &range->to_ticks, &range->to_pos,
                            error);
}

static bool decide_ranges(struct tt_deciding *deciding, struct tt_plan_term *pt,
                          struct tt_events *events, struct tt_filter_error *error)
{
    uint32_t count = pt->term->span_count;
    if (!pt->ranges) {
        pt->ranges = calloc(count, sizeof *pt->ranges);
        if (!pt->ranges) {
            deciding->failed = true;
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!decide_range(deciding, pt, events, &pt->term->spans[i], &pt->ranges[i], error)) {
            return false;
        }
    }
    return true;
}

bool tt_decide_term(struct tt_deciding *deciding, struct tt_plan_term *pt, struct tt_events *events,
                    struct tt_filter_error *error)
{
    bool good = true;
    switch (pt->way) {
    case TT_WAY_FLAG:
        decide_flag(pt);
        break;
    case TT_WAY_KIND:
        decide_kinds(pt);
        break;
    case TT_WAY_TYPE:
    case TT_WAY_THREAD:
        good = decide_table(deciding, pt);
        break;
    case TT_WAY_CPU:
        good = decide_cpus(deciding, pt);
        break;
    case TT_WAY_CAPTURE:
        good = decide_captures(deciding, pt);
        break;
    case TT_WAY_TIME:
    case TT_WAY_DUR:
        good = decide_ranges(deciding, pt, events, error);
        break;
    case TT_WAY_STATE:
        good = decide_states(deciding, pt, error);
        break;
    case TT_WAY_LINE:
        good = decide_literals(deciding, pt);
        break;
    default:
        break;
    }
    if (deciding->failed) {
        *error = tt_filter_error_memory();
        return false;
    }
    return good;
}
