/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any line as a filter: parsed, planned and run over the beginning of a capture. The position of an
 * error is inside the line; a filter and its negation share no event; the events of both and the
 * undecided ones are all events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/filter.h"

#define LINE_MOST 600
#define ROWS_MOST 1024u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tt_trace *trace;
static struct tt_events *events;
static struct tt_event rows[ROWS_MOST];
static uint32_t row_count;

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

/* Opens the capture at the first call; it stays open. */
static void open_capture(void)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open("tests/filter/small.kev", &options, &trace);
    require(!tt_failed(&status));
    status = tt_trace_index(trace);
    require(!tt_failed(&status));
    events = tt_events_new(trace);
    require(events != NULL);
    row_count = tt_events_read(events, 0, 256, rows);
}

struct answer {
    uint64_t bits[TT_FILTER_WORDS];
    uint64_t undecided;
    int good;
};

static struct answer run(const char *text, struct tt_filter *filter)
{
    struct answer answer = {{0}, 0, 0};
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    if (!tt_filter_plan_new(filter, trace, events, &plan, &error)) {
        require(error.column <= strlen(text) + 1);
        return answer;
    }
    struct tt_filter_worker *worker = tt_filter_worker_new(plan, events);
    require(worker != NULL);
    tt_filter_test(worker, rows, 0, row_count, answer.bits);
    answer.undecided = tt_filter_worker_undecided(worker);
    answer.good = 1;
    tt_filter_worker_free(worker);
    tt_filter_plan_free(plan);
    return answer;
}

static void hold_against_negation(const char *text, const struct answer *yes)
{
    char negated[LINE_MOST + 16];
    struct tt_filter *filter;
    struct tt_filter_error error;
    snprintf(negated, sizeof negated, "not (%s)", text);
    if (!tt_filter_parse(negated, &filter, &error)) {
        return; /* nested more deeply than the parser accepts */
    }
    if (!tt_filter_is_plain(filter)) {
        struct answer no = run(negated, filter);
        require(no.good && no.undecided == yes->undecided);
        uint64_t counted = no.undecided;
        for (uint32_t i = 0; i < row_count; i++) {
            unsigned both =
                (yes->bits[i / 64] >> (i % 64) & 1u) + (no.bits[i / 64] >> (i % 64) & 1u);
            require(both <= 1);
            counted += both;
        }
        require(counted == row_count);
    }
    tt_filter_free(filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[LINE_MOST + 1];
    struct tt_filter *filter;
    struct tt_filter_error error;
    if (!trace) {
        open_capture();
    }
    size = size < LINE_MOST ? size : LINE_MOST;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!tt_filter_parse(text, &filter, &error)) {
        require(tt_failed(&error.status) && error.column <= strlen(text) + 1);
        return 0;
    }
    struct answer yes = run(text, filter);
    if (yes.good && !tt_filter_is_plain(filter)) {
        hold_against_negation(text, &yes);
    }
    tt_filter_free(filter);
    return 0;
}
