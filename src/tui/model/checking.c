/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/checking.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/timeline.h"
#include "tui/model/workspace.h"

static void drop_verdicts(struct tt_checking *c)
{
    tt_check_free(c->judged.check);
    free(c->order);
    c->judged = (struct tt_check_file){0};
    c->order = NULL;
    c->status = tt_ok();
}

void tt_checking_drop(struct tt_checking *c)
{
    tt_check_free(c->check);
    c->check = NULL;
    drop_verdicts(c);
}

void tt_checking_free(struct tt_checking *c)
{
    tt_checking_drop(c);
    tt_rules_free(c->rules);
    *c = (struct tt_checking){0};
}

struct tt_status tt_checking_begin(struct tt_workspace *ws, const char *path)
{
    struct tt_checking *c = &ws->checking;
    struct tt_rules *rules;
    if (strlen(path) >= sizeof c->path) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    struct tt_status status = tt_rules_new(&rules);
    if (!tt_failed(&status)) {
        status = tt_rules_read_file(rules, path);
    }
    if (!tt_failed(&status) && tt_rules_count(rules) == 0 && tt_rules_error_count(rules) == 0) {
        status = tt_error(TT_ERR_USAGE, "%.200s: there is no rule", path);
    }
    if (tt_failed(&status)) {
        tt_rules_free(rules);
        return status;
    }
    tt_checking_free(c);
    c->rules = rules;
    c->wanted = SIZE_MAX;
    memcpy(c->path, path, strlen(path) + 1);
    return tt_ok();
}

/* Returns whether a line is one rule without errors. */
static struct tt_status try_rule(const char *rule)
{
    struct tt_rules *rules;
    struct tt_status status = tt_rules_new(&rules);
    if (!tt_failed(&status)) {
        status = tt_rules_read_text(rules, "", rule);
    }
    if (!tt_failed(&status) && (tt_rules_error_count(rules) > 0 || tt_rules_count(rules) != 1)) {
        status =
            tt_error(TT_ERR_USAGE, "no rule has this form: %.200s",
                     tt_rules_error_count(rules) > 0 ? tt_rules_error_at(rules, 0).text : rule);
    }
    tt_rules_free(rules);
    return status;
}

/* Appends a line, after the end of a last line that has none. */
static struct tt_status append_line(const char *path, const char *line)
{
    FILE *file = fopen(path, "a+");
    if (!file) {
        return tt_status_context(tt_error_errno(errno, "open"), path);
    }
    bool ends = fseek(file, -1, SEEK_END) != 0 || fgetc(file) == '\n';
    bool written =
        fseek(file, 0, SEEK_END) == 0 && fprintf(file, "%s%s\n", ends ? "" : "\n", line) > 0;
    int error = written ? 0 : errno;
    if (fclose(file) != 0 && !error) {
        error = errno;
    }
    return error ? tt_status_context(tt_error_errno(error, "write"), path) : tt_ok();
}

struct tt_status tt_checking_add(struct tt_workspace *ws, const char *path, const char *rule)
{
    char name[TT_CHECKING_PATH];
    const char *open = ws->checking.path[0] ? ws->checking.path : TT_CHECKING_FILE;
    snprintf(name, sizeof name, "%s", path[0] ? path : open);
    if (strlen(path) >= sizeof name) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    struct tt_status status = try_rule(rule);
    if (!tt_failed(&status)) {
        status = append_line(name, rule);
    }
    if (!tt_failed(&status)) {
        status = tt_checking_begin(ws, name);
    }
    if (!tt_failed(&status)) {
        ws->checking.wanted = tt_rules_count(ws->checking.rules) - 1;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "added to %.60s: %.200s", name, rule);
    }
    return status;
}

size_t tt_checking_errors(const struct tt_checking *c)
{
    return c->rules ? tt_rules_error_count(c->rules) : 0;
}

void tt_checking_refresh(struct tt_workspace *ws)
{
    if (ws->checking.rows != ws->index.rows) {
        tt_checking_drop(&ws->checking);
    }
}

const struct tt_check_result *tt_checking_result(const struct tt_checking *c, size_t line)
{
    return &c->judged.results[c->order[line]];
}

/* ---- judging ------------------------------------------------------------------------------ */

static uint32_t timelines_number(const struct tt_workspace *ws)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    return t ? tt_timelines_number(t) : 0;
}

static struct tt_status begin(struct tt_workspace *ws)
{
    struct tt_checking *c = &ws->checking;
    tt_jobs_refresh(ws);
    struct tt_check_request request = {.rules = c->rules,
                                       .trace = ws->opened.trace,
                                       .path = tt_trace_path(ws->opened.trace),
                                       .job_ends = ws->jobs.job_ends,
                                       .deadlines = ws->jobs.limits.ticks,
                                       .deadline_limit = ws->jobs.limits.count,
                                       .growing = ws->index.following.live.follows};
    c->rows = ws->index.rows;
    c->timelines = timelines_number(ws);
    c->threads = tt_thread_count(ws->opened.capture);
    c->deadlines = ws->jobs.limits.ticks;
    return tt_check_begin(&request, &c->check);
}

static bool is_stale(const struct tt_workspace *ws)
{
    const struct tt_checking *c = &ws->checking;
    return c->timelines != timelines_number(ws) ||
           c->threads != tt_thread_count(ws->opened.capture) ||
           c->deadlines != ws->jobs.limits.ticks;
}

/* Takes the verdicts of a complete check, and orders them: the worst first, else as in the file. */
static struct tt_status take(struct tt_workspace *ws)
{
    struct tt_checking *c = &ws->checking;
    const struct tt_capture *capture = ws->opened.capture;
    static const enum tt_verdict verdicts[] = {TT_VERDICT_FAILED, TT_VERDICT_UNDECIDED,
                                               TT_VERDICT_PASSED};
    size_t used = 0;
    c->order = calloc(tt_rules_count(c->rules) + 1, sizeof *c->order);
    if (!c->order) {
        return tt_error_memory();
    }
    c->judged = (struct tt_check_file){.path = tt_trace_path(ws->opened.trace),
                                       .status = tt_ok(),
                                       .damage = tt_ok(),
                                       .ticks = capture->clock_hz == 0,
                                       .hz = capture->clock_hz};
    tt_check_file_take(&c->judged, c->check);
    c->check = NULL;
    for (int v = 0; v < 3; v++) {
        for (size_t i = 0; i < c->judged.count; i++) {
            if (c->judged.results[i].verdict == verdicts[v]) {
                c->order[used++] = i;
            }
        }
    }
    return tt_ok();
}

static bool has_work(const struct tt_checking *c)
{
    return c->rules && tt_rules_error_count(c->rules) == 0 && !c->judged.check &&
           !tt_failed(&c->status);
}

bool tt_checking_work(struct tt_workspace *ws, uint64_t deadline_ns)
{
    struct tt_checking *c = &ws->checking;
    if (!has_work(c) || !ws->opened.trace || !ws->index.progress.finished) {
        return true; /* rows may still move */
    }
    if (c->check && is_stale(ws)) {
        tt_check_free(c->check);
        c->check = NULL;
    }
    struct tt_status status = c->check ? tt_ok() : begin(ws);
    bool complete = false;
    if (!tt_failed(&status)) {
        status = tt_check_step(c->check, deadline_ns, &complete);
    }
    if (!tt_failed(&status) && complete) {
        status = take(ws);
    }
    if (tt_failed(&status)) {
        tt_checking_drop(c);
        c->status = status;
    }
    return complete || tt_failed(&status);
}
