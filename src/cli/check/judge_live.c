/* SPDX-License-Identifier: Apache-2.0 */
/* judge_live: a capture that grows. */
#include <signal.h>

#include "base/clock.h"
#include "cli/check/judge_files.h"
#include "cli/live.h"

#define INTERVAL_MS 200u
#define FINISH_MS   1000u

/* The signal that requested the report; 0: none. */
static volatile sig_atomic_t ended;

static void end_now(int number)
{
    ended = number;
}

/* Returns the rule `count of {FILTER} > 0` of --until; NULL without the option. */
static struct tt_status make_until(const struct tt_options *options, struct tt_rules **until)
{
    char buffer[TT_FILTER_BYTES_MAX + 64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    *until = NULL;
    if (!options->until) {
        return tt_ok();
    }
    tt_text_put(&text, "count of {%s} > 0", options->until);
    struct tt_status status = tt_rules_new(until);
    if (!tt_failed(&status)) {
        status = tt_rules_read_text(*until, "--until", tt_text_cstr(&text));
    }
    if (!tt_failed(&status) && tt_rules_error_count(*until) > 0) {
        status = tt_error(TT_ERR_USAGE, "--until: %s", tt_rules_error_at(*until, 0).text);
    }
    return status;
}

/* Judges what is indexed, as part of a capture that grows. *failed: a rule failed for good. */
static struct tt_status judge_part(const struct tt_options *options, const struct tt_rules *rules,
                                   struct tt_live_input *input, enum tt_verdict verdict,
                                   bool *found)
{
    struct tt_check *check;
    size_t count;
    struct tt_status status =
        tt_check_input(options, rules, input->input.trace, input->input.path, true, &check);
    if (tt_failed(&status)) {
        return status;
    }
    const struct tt_check_result *results = tt_check_results(check, &count);
    for (size_t i = 0; i < count; i++) {
        *found |= results[i].verdict == verdict;
    }
    tt_check_free(check);
    return tt_ok();
}

static struct tt_status judge_live_follow(const struct tt_options *options,
                                          const struct tt_rules *rules,
                                          const struct tt_rules *until, struct tt_live_input *input,
                                          bool *met)
{
    struct tt_status status = tt_ok();
    bool failed = false;
    uint64_t next = 0, seen = UINT64_MAX;
    while (!input->over && !input->timed_out && !ended && !*met && !failed && !tt_failed(&status)) {
        tt_live_wait(input, INTERVAL_MS);
        bool due = tt_now_ms() >= next && input->input.progress.events != seen;
        if (!due || input->over) {
            continue;
        }
        seen = input->input.progress.events;
        if (until) {
            status = judge_part(options, until, input, TT_VERDICT_PASSED, met);
        }
        if (options->fail_fast && !tt_failed(&status)) {
            status = judge_part(options, rules, input, TT_VERDICT_FAILED, &failed);
        }
        tt_trace_free_old_timelines(input->input.trace, tt_trace_timelines(input->input.trace));
        next = tt_now_ms() + INTERVAL_MS;
    }
    tt_trace_follow_end(input->input.trace);
    input->deadline_ms = UINT64_MAX;
    while (!input->input.progress.finished) { /* judge all that was read */
        tt_live_wait(input, FINISH_MS);
    }
    if (until && !*met && !tt_failed(&status)) {
        status = judge_part(options, until, input, TT_VERDICT_PASSED, met);
    }
    return status;
}

void tt_check_follow(const struct tt_options *options, const struct tt_rules *rules,
                     struct tt_check_file *file, bool *met)
{
    struct tt_live_input l;
    struct tt_rules *until;
    struct tt_check *check = NULL;
    struct sigaction old[2];
    *met = false;
    file->status = make_until(options, &until);
    if (!tt_failed(&file->status)) {
        struct sigaction action = {.sa_handler = end_now};
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, &old[0]);
        sigaction(SIGTERM, &action, &old[1]);
        file->status = tt_live_open(file->path, options, &l);
        if (!tt_failed(&file->status)) {
            file->status = judge_live_follow(options, rules, until, &l, met);
            if (!tt_failed(&file->status)) {
                file->status =
                    tt_check_input(options, rules, l.input.trace, file->path, false, &check);
            }
            file->ticks = l.input.capture->clock_hz == 0;
            file->hz = l.input.capture->clock_hz;
            file->damage = tt_health_damage(l.input.capture);
            if (check) {
                tt_check_file_replace(file, check);
            }
            tt_live_close(&l);
        }
        sigaction(SIGINT, &old[0], NULL);
        sigaction(SIGTERM, &old[1], NULL);
    }
    tt_rules_free(until);
}
