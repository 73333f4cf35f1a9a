/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter language by its cases: tests/filter/cases.txt has a capture, a filter and what it
 * matches on each line, made by an oracle that does not know the language (make_cases.py there).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/filter.h"
#include "tracetui/text.h"

#define LINE_BYTES     4096
#define TOLD_BYTES     1024
#define LIST_MOST      12
#define CAPTURES_MOST  8
#define CASES_AT_LEAST 200

struct opened {
    char path[LINE_BYTES];
    struct tt_trace *trace;
    struct tt_events *events;
};

static struct opened *open_capture(struct opened *captures, const char *path)
{
    struct opened *c = captures;
    for (; c < captures + CAPTURES_MOST && c->trace; c++) {
        if (strcmp(c->path, path) == 0) {
            return c;
        }
    }
    cr_assert(c < captures + CAPTURES_MOST);
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &c->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(c->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    c->events = tt_events_new(c->trace);
    cr_assert_not_null(c->events);
    snprintf(c->path, sizeof c->path, "%s", path);
    return c;
}

/* ---- telling what matched ------------------------------------------------------------------- */

struct telling {
    uint64_t count;
    uint64_t sum;
    uint64_t ranges;
    uint64_t first;
    uint64_t last;
    struct tt_text list;
};

static void end_range(struct telling *t)
{
    if (t->count == 0) {
        return;
    }
    tt_text_char(&t->list, ' ');
    tt_text_u64(&t->list, t->first);
    if (t->last > t->first) {
        tt_text_char(&t->list, '-');
        tt_text_u64(&t->list, t->last);
    }
    t->ranges++;
}

static void tell_row(struct telling *t, uint64_t row)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%llu ", (unsigned long long)row);
    for (const char *p = digits; *p; p++) {
        t->sum = (t->sum ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    }
    if (t->count == 0 || row != t->last + 1) {
        end_range(t);
        t->first = row;
    }
    t->last = row;
    t->count++;
}

static void tell(const struct tt_filter_result *result, char *told)
{
    char *list = calloc(1, 65536);
    struct telling t = {.sum = UINT64_C(0xcbf29ce484222325), .list = tt_text_of(list, 65536)};
    for (uint64_t k = 0;; k++) {
        uint64_t row = tt_filter_result_select(result, k);
        if (row == UINT64_MAX) {
            cr_expect_eq(k, tt_filter_result_count(result));
            break;
        }
        cr_expect(tt_filter_result_has(result, row));
        cr_expect_eq(tt_filter_result_rank(result, row), k);
        cr_expect_eq(tt_filter_result_rank(result, row + 1), k + 1);
        tell_row(&t, row);
    }
    end_range(&t);
    if (t.count == 0) {
        snprintf(told, TOLD_BYTES, "none");
    } else if (t.ranges <= LIST_MOST) {
        snprintf(told, TOLD_BYTES, "rows%s", tt_text_cstr(&t.list));
    } else {
        snprintf(told, TOLD_BYTES, "%llu rows, sum %016llx", (unsigned long long)t.count,
                 (unsigned long long)t.sum);
    }
    free(list);
}

/* "error 7 'x' is no number": the column, and the text behind "column 7: ". */
static void tell_error(const char *word, const struct tt_filter_error *error, char *told)
{
    const char *text = error->status.text;
    if (error->column > 0) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "column %u: ", (unsigned)error->column);
        cr_expect_eq(strncmp(text, prefix, strlen(prefix)), 0, "%s", text);
        text += strlen(prefix);
    }
    snprintf(told, TOLD_BYTES, "%s %u %s", word, (unsigned)error->column, text);
}

static void run_plan(const struct tt_filter_plan *plan, char *told)
{
    struct tt_filter_result *result;
    struct tt_status status = tt_filter_start(plan, 2, NULL, NULL, &result);
    cr_assert(!tt_failed(&status));
    status = tt_filter_wait(result);
    cr_assert(!tt_failed(&status));
    cr_expect_eq(tt_filter_result_rows(result), tt_filter_result_total(result));
    cr_expect_eq(tt_filter_result_undecided(result), 0);
    tell(result, told);
    tt_filter_result_free(result);
}

static void tell_filter(struct opened *c, const char *text, bool doubt_wanted, char *told)
{
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    if (!tt_filter_parse(text, &filter, &error)) {
        tell_error("error", &error, told);
        return;
    }
    error = tt_filter_doubt(filter);
    cr_expect_eq(tt_failed(&error.status), doubt_wanted, "%s: %s", text, error.status.text);
    if (doubt_wanted) {
        cr_expect(tt_filter_is_plain(filter));
        tell_error("doubt", &error, told);
    } else if (!tt_filter_plan_new(filter, c->trace, c->events, &plan, &error)) {
        tell_error("error", &error, told);
    } else {
        run_plan(plan, told);
        tt_filter_plan_free(plan);
    }
    tt_filter_free(filter);
}

static bool agrees(const char *told, const char *expected)
{
    bool beginning = strncmp(expected, "error ", 6) == 0 || strncmp(expected, "doubt ", 6) == 0;
    return beginning ? strncmp(told, expected, strlen(expected)) == 0 : strcmp(told, expected) == 0;
}

Test(filter_cases, every_case_matches_what_the_oracle_says)
{
    static struct opened captures[CAPTURES_MOST];
    char line[LINE_BYTES];
    char told[TOLD_BYTES];
    unsigned cases = 0;
    FILE *file = fopen("tests/filter/cases.txt", "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strchr(line, '\t');
        char *expected = strrchr(line, '\t');
        if (line[0] == '#') {
            continue;
        }
        cr_assert(text && expected > text, "%s", line);
        *text++ = '\0';
        *expected++ = '\0';
        struct opened *c = open_capture(captures, line);
        tell_filter(c, text, strncmp(expected, "doubt ", 6) == 0, told);
        cr_expect(agrees(told, expected), "%s: %s\n   gives    %s\n   expected %s", line, text,
                  told, expected);
        cases++;
    }
    fclose(file);
    cr_expect_geq(cases, CASES_AT_LEAST);
    for (struct opened *c = captures; c < captures + CAPTURES_MOST && c->trace; c++) {
        tt_events_free(c->events);
        tt_trace_close(c->trace);
    }
}
