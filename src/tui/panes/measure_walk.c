/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/measure_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "filter/thread_word.h"

#define EXPECTED "expected BEGIN -> END, or --interrupt VECTOR --thread THREAD"

static const char *const same_words[] = {
#define X(id, word) [id] = word,
    TT_MEASURE_SAME_INFO(X)
#undef X
};

/* ---- request ------------------------------------------------------------------------------ */

static void measure_walk_copy(char to[TT_MEASURE_TEXT], const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    snprintf(to, TT_MEASURE_TEXT, "%.*s", (int)length, text);
}

/* Reads a value in quotes, or up to the next blank; returns the text after it. */
static const char *measure_walk_read_value(const char *text, char value[TT_MEASURE_TEXT])
{
    if (text[0] == '\'' || text[0] == '"') {
        const char *end = strchr(text + 1, text[0]);
        size_t length = end ? (size_t)(end - text - 1) : strlen(text + 1);
        measure_walk_copy(value, text + 1, length);
        return text + 1 + length + (end != NULL);
    }
    size_t length = strcspn(text, " ");
    measure_walk_copy(value, text, length);
    return text + length;
}

static struct tt_status set_option(struct tt_measure_walk *walk, const char *name,
                                   const char *value)
{
    if (strcmp(name, "--begin") == 0) {
        measure_walk_copy(walk->begin, value, strlen(value));
    } else if (strcmp(name, "--end") == 0) {
        measure_walk_copy(walk->end, value, strlen(value));
    } else if (strcmp(name, "--thread") == 0) {
        measure_walk_copy(walk->thread, value, strlen(value));
    } else if (strcmp(name, "--same") == 0) {
        const char *arg = "";
        if (!tt_measure_same_parse(value, &walk->request.same, &arg)) {
            return tt_error(TT_ERR_USAGE, "--same: expected thread, cpu, process or arg:NAME");
        }
        measure_walk_copy(walk->arg, arg, strlen(arg));
        walk->request.arg = walk->arg;
    } else if (strcmp(name, "--pair") == 0) {
        walk->request.oldest = strcmp(value, "first") == 0;
        if (!walk->request.oldest && strcmp(value, "last") != 0) {
            return tt_error(TT_ERR_USAGE, "--pair: expected first or last");
        }
    } else if (strcmp(name, "--interrupt") == 0) {
        walk->has_interrupt = true;
        if (!tt_digits_parse(value, strlen(value), &walk->vector)) {
            return tt_error(TT_ERR_USAGE, "--interrupt: \"%.40s\" is not a number", value);
        }
    } else {
        return tt_error(TT_ERR_USAGE, "\"%.40s\" is not an option of measure; " EXPECTED, name);
    }
    return tt_ok();
}

static struct tt_status read_options(struct tt_measure_walk *walk, const char *text)
{
    struct tt_status status = tt_ok();
    for (text += strspn(text, " "); *text && !tt_failed(&status); text += strspn(text, " ")) {
        char name[TT_MEASURE_TEXT], value[TT_MEASURE_TEXT];
        size_t length = strcspn(text, " ");
        measure_walk_copy(name, text, length);
        text += length;
        text += strspn(text, " ");
        text = measure_walk_read_value(text, value);
        status = set_option(walk, name, value);
    }
    return status;
}

static struct tt_status read_request(struct tt_measure_walk *walk, const char *text)
{
    const char *arrow = strstr(text, " -> ");
    if (arrow) {
        const char *end = arrow + 4 + strspn(arrow + 4, " "); /* options follow the two filters */
        const char *same = strstr(end, " --same "), *pair = strstr(end, " --pair ");
        const char *options = same && (!pair || same < pair) ? same : pair;
        options = options ? options : end + strlen(end);
        measure_walk_copy(walk->begin, text, (size_t)(arrow - text));
        measure_walk_copy(walk->end, end, (size_t)(options - end));
        text = options;
    }
    struct tt_status status = read_options(walk, text);
    if (tt_failed(&status)) {
        return status;
    }
    if (walk->has_interrupt ? !walk->thread[0] || walk->begin[0] || walk->end[0]
                            : !walk->begin[0] || !walk->end[0]) {
        return tt_error(TT_ERR_USAGE, EXPECTED);
    }
    return tt_ok();
}

/* ---- begin and end ------------------------------------------------------------------------ */

void tt_measure_walk_free(struct tt_measure_walk *walk)
{
    if (!walk) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        tt_filter_worker_free(walk->sides[i].worker);
        tt_filter_plan_free(walk->sides[i].plan);
        tt_filter_free(walk->sides[i].filter);
    }
    tt_measure_free(walk->measure);
    tt_wakes_free(walk->wakes);
    tt_events_free(walk->events);
    free(walk);
}

static struct tt_status make_side(struct tt_workspace *ws, struct tt_measure_walk *walk,
                                  const char *text, struct tt_measure_side *side)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &side->filter, &error) ||
        !tt_filter_plan_new(side->filter, ws->opened.trace, walk->events, &side->plan, &error)) {
        return tt_status_context(error.status, text);
    }
    side->worker = tt_filter_worker_new(side->plan, walk->events);
    return side->worker ? tt_ok() : tt_error_memory();
}

struct tt_status tt_measure_walk_new(struct tt_workspace *ws, const char *text,
                                     struct tt_measure_walk **made)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tt_measure_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        return tt_error_memory();
    }
    struct tt_status status = read_request(walk, text);
    if (!tt_failed(&status)) {
        walk->events = tt_events_new(ws->opened.trace);
        status = walk->events ? status : tt_error_memory();
    }
    if (!tt_failed(&status) && walk->has_interrupt) {
        uint32_t thread = 0, threads = tt_thread_count(capture);
        while (thread < threads && !tt_word_names_thread(walk->thread, capture, thread)) {
            thread++;
        }
        if (thread == threads) {
            status = tt_error(TT_ERR_USAGE, "no thread '%.60s' in the capture", walk->thread);
        }
    } else if (!tt_failed(&status)) {
        walk->measure = tt_measure_new(ws->opened.trace, &walk->request);
        status =
            walk->measure ? make_side(ws, walk, walk->begin, &walk->sides[0]) : tt_error_memory();
        status = tt_failed(&status) ? status : make_side(ws, walk, walk->end, &walk->sides[1]);
    }
    if (tt_failed(&status)) {
        tt_measure_walk_free(walk);
        return status;
    }
    *made = walk;
    return status;
}

/* ---- a rule ------------------------------------------------------------------------------- */

/* Appends a filter in braces; a dollar sign begins no variable. */
static void put_filter(struct tt_text *text, const char *before, const char *filter)
{
    tt_text_put(text, "%s{", before);
    for (; *filter; filter++) {
        tt_text_put(text, "%s%c", *filter == '$' ? "$" : "", *filter);
    }
    tt_text_char(text, '}');
}

void tt_measure_walk_put_rule(const struct tt_measure_walk *walk, struct tt_text *text)
{
    if (walk->has_interrupt) {
        tt_text_put(text, "reaction max of thread \"%s\" to interrupt %ju", walk->thread,
                    walk->vector);
        return;
    }
    put_filter(text, "max time from ", walk->begin);
    put_filter(text, " to ", walk->end);
    if (walk->request.same != TT_MEASURE_ANY) {
        tt_text_put(text, " same %s%s%s", same_words[walk->request.same], walk->arg[0] ? ":" : "",
                    walk->arg);
    }
    tt_text_str(text, walk->request.oldest ? " pair first" : "");
}

/* ---- steps -------------------------------------------------------------------------------- */

static void measure_walk_add_pair(void *arg, const struct tt_measure_pair *pair)
{
    struct tt_measure_walk *walk = arg;
    const struct tt_measured one = {.from = pair->from,
                                    .to = pair->to,
                                    .to_row = pair->to_row,
                                    .thread = pair->thread,
                                    .cpu = TT_NO_CPU};
    walk->no_memory |= !walk->add(walk->add_arg, &one);
}

static bool measure_walk_add_reaction(void *arg, const struct tt_reaction *reaction)
{
    struct tt_measure_walk *walk = arg;
    struct tt_measured one = {.from = reaction->from,
                              .to = reaction->to,
                              .thread = reaction->thread,
                              .cpu = reaction->cpu,
                              .has_handler = reaction->has_handler};
    memcpy(one.parts, reaction->parts, sizeof one.parts);
    walk->no_memory |= !walk->add(walk->add_arg, &one);
    return !walk->no_memory;
}

/* Reads the next block of events; returns whether it was the last one. */
static bool measure_walk_step_pairs(struct tt_workspace *ws, struct tt_measure_walk *walk)
{
    uint64_t rows = ws->index.rows;
    uint32_t ask =
        rows - walk->row < TT_FILTER_BLOCK ? (uint32_t)(rows - walk->row) : TT_FILTER_BLOCK;
    uint32_t count =
        walk->row < rows ? tt_events_read(walk->events, walk->row, ask, walk->block) : 0;
    if (count == 0) {
        walk->truncated |= walk->row < rows;
        return true;
    }
    for (unsigned i = 0; i < 2; i++) {
        tt_filter_test(walk->sides[i].worker, walk->block, walk->row, count, walk->sides[i].bits);
    }
    walk->no_memory |=
        !tt_measure_add(walk->measure, walk->events, walk->block, walk->row, count,
                        walk->sides[0].bits, walk->sides[1].bits, measure_walk_add_pair, walk);
    walk->row += count;
    walk->percent = (unsigned)((double)walk->row * 99.0 / (double)rows);
    return false;
}

/* Measures the reactions of the next thread that the word names; returns whether none is left. */
static bool step_reactions(struct tt_workspace *ws, struct tt_measure_walk *walk)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint32_t threads = tt_thread_count(ws->opened.capture);
    if (!timelines || walk->next >= threads) {
        return true;
    }
    walk->wakes = walk->wakes ? walk->wakes : tt_wakes_new(ws->opened.trace);
    walk->no_memory |= !walk->wakes;
    if (walk->wakes && tt_word_names_thread(walk->thread, ws->opened.capture, walk->next)) {
        tt_reactions(walk->wakes, walk->next, walk->vector, tt_timelines_begin(timelines),
                     tt_timelines_limit(timelines), measure_walk_add_reaction, walk);
    }
    walk->next++;
    walk->percent = (unsigned)((uint64_t)walk->next * 99 / threads);
    return false;
}

bool tt_measure_walk_step(struct tt_workspace *ws, struct tt_measure_walk *walk, bool *done)
{
    *done = walk->has_interrupt ? step_reactions(ws, walk) : measure_walk_step_pairs(ws, walk);
    return !walk->no_memory;
}
