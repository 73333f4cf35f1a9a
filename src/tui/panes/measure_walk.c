/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/measure_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/thread_word.h"

#define EXPECTED "expected BEGIN -> END, or --interrupt VECTOR --thread THREAD"

static const char *const same_words[] = {
#define X(id, word) [id] = word,
    TT_MEASURE_SAME_INFO(X)
#undef X
};

/* ---- request ------------------------------------------------------------------------------ */

static void copy(char to[TT_MEASURE_TEXT], const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    snprintf(to, TT_MEASURE_TEXT, "%.*s", (int)length, text);
}

/* Reads a value in quotes, or up to the next blank; returns the text after it. */
static const char *read_value(const char *text, char value[TT_MEASURE_TEXT])
{
    if (text[0] == '\'' || text[0] == '"') {
        const char *end = strchr(text + 1, text[0]);
        size_t length = end ? (size_t)(end - text - 1) : strlen(text + 1);
        copy(value, text + 1, length);
        return text + 1 + length + (end != NULL);
    }
    size_t length = strcspn(text, " ");
    copy(value, text, length);
    return text + length;
}

static struct tt_status set_option(struct tt_measure_walk *r, const char *name, const char *value)
{
    if (strcmp(name, "--begin") == 0) {
        copy(r->begin, value, strlen(value));
    } else if (strcmp(name, "--end") == 0) {
        copy(r->end, value, strlen(value));
    } else if (strcmp(name, "--thread") == 0) {
        copy(r->thread, value, strlen(value));
    } else if (strcmp(name, "--same") == 0) {
        /* Reads the value of --same. */
        if (strncmp(value, "arg:", 4) == 0 && value[4]) {
            copy(r->arg, value + 4, strlen(value + 4));
            r->request.same = TT_MEASURE_ARG;
            r->request.arg = r->arg;
            return tt_ok();
        }
        for (int i = 0; i < TT_MEASURE_ARG; i++) {
            if (strcmp(same_words[i], value) == 0) {
                r->request.same = (enum tt_measure_same)i;
                return tt_ok();
            }
        }
        return tt_error(TT_ERR_USAGE, "--same: expected thread, cpu, process or arg:NAME");
    } else if (strcmp(name, "--pair") == 0) {
        r->request.oldest = strcmp(value, "first") == 0;
        if (!r->request.oldest && strcmp(value, "last") != 0) {
            return tt_error(TT_ERR_USAGE, "--pair: expected first or last");
        }
    } else if (strcmp(name, "--interrupt") == 0) {
        char *end;
        errno = 0;
        r->vector = strtoull(value, &end, 0);
        r->has_interrupt = true;
        if (errno != 0 || end == value || *end) {
            return tt_error(TT_ERR_USAGE, "--interrupt: \"%.40s\" is not a number", value);
        }
    } else {
        return tt_error(TT_ERR_USAGE, "\"%.40s\" is not an option of measure; " EXPECTED, name);
    }
    return tt_ok();
}

static struct tt_status read_options(struct tt_measure_walk *r, const char *text)
{
    struct tt_status status = tt_ok();
    for (text += strspn(text, " "); *text && !tt_failed(&status); text += strspn(text, " ")) {
        char name[TT_MEASURE_TEXT], value[TT_MEASURE_TEXT];
        size_t length = strcspn(text, " ");
        copy(name, text, length);
        text += length;
        text += strspn(text, " ");
        text = read_value(text, value);
        status = set_option(r, name, value);
    }
    return status;
}

static struct tt_status read_request(struct tt_measure_walk *r, const char *text)
{
    const char *arrow = strstr(text, " -> ");
    if (arrow) {
        const char *end = arrow + 4 + strspn(arrow + 4, " "); /* options follow the two filters */
        const char *same = strstr(end, " --same "), *pair = strstr(end, " --pair ");
        const char *options = same && (!pair || same < pair) ? same : pair;
        options = options ? options : end + strlen(end);
        copy(r->begin, text, (size_t)(arrow - text));
        copy(r->end, end, (size_t)(options - end));
        text = options;
    }
    struct tt_status status = read_options(r, text);
    if (tt_failed(&status)) {
        return status;
    }
    if (r->has_interrupt ? !r->thread[0] || r->begin[0] || r->end[0] : !r->begin[0] || !r->end[0]) {
        return tt_error(TT_ERR_USAGE, EXPECTED);
    }
    return tt_ok();
}

/* ---- begin and end ------------------------------------------------------------------------ */

void tt_measure_walk_free(struct tt_measure_walk *r)
{
    if (!r) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        tt_filter_worker_free(r->sides[i].worker);
        tt_filter_plan_free(r->sides[i].plan);
        tt_filter_free(r->sides[i].filter);
    }
    tt_measure_free(r->measure);
    tt_wakes_free(r->wakes);
    tt_events_free(r->events);
    free(r);
}

static struct tt_status make_side(struct tt_workspace *ws, struct tt_measure_walk *r,
                                  const char *text, struct tt_measure_side *side)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &side->filter, &error) ||
        !tt_filter_plan_new(side->filter, ws->opened.trace, r->events, &side->plan, &error)) {
        return tt_status_context(error.status, text);
    }
    side->worker = tt_filter_worker_new(side->plan, r->events);
    return side->worker ? tt_ok() : tt_error_memory();
}

struct tt_status tt_measure_walk_new(struct tt_workspace *ws, const char *text,
                                     struct tt_measure_walk **walk)
{
    const struct tt_capture *c = ws->opened.capture;
    struct tt_measure_walk *r = calloc(1, sizeof *r);
    if (!r) {
        return tt_error_memory();
    }
    struct tt_status status = read_request(r, text);
    if (!tt_failed(&status)) {
        r->events = tt_events_new(ws->opened.trace);
        status = r->events ? status : tt_error_memory();
    }
    if (!tt_failed(&status) && r->has_interrupt) {
        uint32_t thread = 0, threads = tt_thread_count(c);
        while (thread < threads && !tt_word_names_thread(r->thread, c, thread)) {
            thread++;
        }
        if (thread == threads) {
            status = tt_error(TT_ERR_USAGE, "no thread '%.60s' in the capture", r->thread);
        }
    } else if (!tt_failed(&status)) {
        r->measure = tt_measure_new(ws->opened.trace, &r->request);
        status = r->measure ? make_side(ws, r, r->begin, &r->sides[0]) : tt_error_memory();
        status = tt_failed(&status) ? status : make_side(ws, r, r->end, &r->sides[1]);
    }
    if (tt_failed(&status)) {
        tt_measure_walk_free(r);
        return status;
    }
    *walk = r;
    return status;
}

/* ---- a rule ------------------------------------------------------------------------------- */

/* Appends a filter in braces; a dollar sign begins no variable. */
static void put_filter(struct tt_text *text, const char *before, const char *filter)
{
    tt_text_str(text, before);
    tt_text_char(text, '{');
    for (; *filter; filter++) {
        tt_text_str(text, *filter == '$' ? "$" : "");
        tt_text_char(text, *filter);
    }
    tt_text_char(text, '}');
}

void tt_measure_walk_put_rule(const struct tt_measure_walk *r, struct tt_text *text)
{
    if (r->has_interrupt) {
        tt_text_str(text, "reaction max of thread \"");
        tt_text_str(text, r->thread);
        tt_text_str(text, "\" to interrupt ");
        tt_text_u64(text, r->vector);
        return;
    }
    put_filter(text, "max time from ", r->begin);
    put_filter(text, " to ", r->end);
    if (r->request.same != TT_MEASURE_ANY) {
        tt_text_str(text, " same ");
        tt_text_str(text, same_words[r->request.same]);
        tt_text_str(text, r->arg[0] ? ":" : "");
        tt_text_str(text, r->arg);
    }
    tt_text_str(text, r->request.oldest ? " pair first" : "");
}

/* ---- steps -------------------------------------------------------------------------------- */

static void add_pair(void *arg, const struct tt_measure_pair *pair)
{
    struct tt_measure_walk *r = arg;
    const struct tt_measured one = {.from = pair->from,
                                    .to = pair->to,
                                    .to_row = pair->to_row,
                                    .thread = pair->thread,
                                    .cpu = TT_NO_CPU};
    r->no_memory |= !r->add(r->add_arg, &one);
}

static bool add_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct tt_measure_walk *r = arg;
    struct tt_measured one = {.from = reaction->from,
                              .to = reaction->to,
                              .thread = reaction->thread,
                              .cpu = reaction->cpu,
                              .has_handler = reaction->has_handler};
    memcpy(one.parts, reaction->parts, sizeof one.parts);
    r->no_memory |= !r->add(r->add_arg, &one);
    return !r->no_memory;
}

/* Reads the next block of events; returns whether it was the last one. */
static bool step_pairs(struct tt_workspace *ws, struct tt_measure_walk *r)
{
    uint64_t rows = ws->index.rows;
    uint32_t ask = rows - r->row < TT_FILTER_BLOCK ? (uint32_t)(rows - r->row) : TT_FILTER_BLOCK;
    uint32_t count = r->row < rows ? tt_events_read(r->events, r->row, ask, r->block) : 0;
    if (count == 0) {
        r->truncated |= r->row < rows;
        return true;
    }
    for (unsigned i = 0; i < 2; i++) {
        tt_filter_test(r->sides[i].worker, r->block, r->row, count, r->sides[i].bits);
    }
    r->no_memory |= !tt_measure_add(r->measure, r->events, r->block, r->row, count,
                                    r->sides[0].bits, r->sides[1].bits, add_pair, r);
    r->row += count;
    r->percent = (unsigned)((double)r->row * 99.0 / (double)rows);
    return false;
}

/* Measures the reactions of the next thread that the word names; returns whether none is left. */
static bool step_reactions(struct tt_workspace *ws, struct tt_measure_walk *r)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint32_t threads = tt_thread_count(ws->opened.capture);
    if (!t || r->next >= threads) {
        return true;
    }
    r->wakes = r->wakes ? r->wakes : tt_wakes_new(ws->opened.trace);
    r->no_memory |= !r->wakes;
    if (r->wakes && tt_word_names_thread(r->thread, ws->opened.capture, r->next)) {
        tt_reactions(r->wakes, r->next, r->vector, tt_timelines_begin(t), tt_timelines_limit(t),
                     add_reaction, r);
    }
    r->next++;
    r->percent = (unsigned)((uint64_t)r->next * 99 / threads);
    return false;
}

bool tt_measure_walk_step(struct tt_workspace *ws, struct tt_measure_walk *r, bool *done)
{
    *done = r->has_interrupt ? step_reactions(ws, r) : step_pairs(ws, r);
    return !r->no_memory;
}
