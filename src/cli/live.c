/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/live.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/wake_pipe.h"
#include "tracetui/remote.h"

#define OPEN_AGAIN_MS 20

static void wake_up(void *arg)
{
    const struct tt_live_input *input = arg;
    tt_wake(input->wake[1]);
}

static struct tt_status cli_live_start(struct tt_live_input *live_input)
{
    struct tt_input *input = &live_input->input;
    input->capture = tt_trace_capture(input->trace);
    struct tt_status status = tt_trace_index_start(input->trace, wake_up, live_input);
    if (!tt_failed(&status)) {
        input->events = tt_events_new(input->trace);
        status = input->events ? tt_ok() : tt_error_memory();
    }
    return status;
}

static void nap(void)
{
    const struct timespec ms = {0, OPEN_AGAIN_MS * 1000000};
    nanosleep(&ms, NULL);
}

/* Returns whether the file may still become a capture. */
static bool may_become(const struct tt_status *status, const char *path)
{
    bool kind = status->code == TT_ERR_NOT_CAPTURE || status->code == TT_ERR_FORMAT ||
                status->code == TT_ERR_IO;
    return kind && strcmp(path, "-") != 0 && !tt_remote_is(path);
}

struct tt_status tt_live_wait_for_file(const char *path, const struct tt_options *options)
{
    struct stat info;
    bool missing = stat(path, &info) != 0 && errno == ENOENT;
    if (strcmp(path, "-") == 0 || tt_remote_is(path) || (!missing && !S_ISREG(info.st_mode))) {
        return tt_ok();
    }
    struct tt_trace_options o = tt_input_options(options);
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, &o, &trace);
    if (tt_failed(&status) && may_become(&status, path)) {
        struct tt_status note = tt_error(TT_ERR_IO, "waiting: %s", status.text);
        tt_message_error(path, &note);
    }
    while (tt_failed(&status) && may_become(&status, path)) {
        nap();
        status = tt_trace_open(path, &o, &trace);
    }
    tt_trace_close(trace);
    return status;
}

struct tt_status tt_live_open(const char *path, const struct tt_options *options,
                              struct tt_live_input *input)
{
    memset(input, 0, sizeof *input);
    input->options = options;
    input->input.path = path;
    input->deadline_ms = options->timeout_ms ? tt_now_ms() + options->timeout_ms : UINT64_MAX;
    if (!tt_wake_pipe(input->wake)) {
        return tt_error_errno(errno, "pipe");
    }
    struct tt_trace_options o = tt_input_options(options);
    o.map.deadline_ms = options->timeout_ms ? input->deadline_ms : 0;
    struct tt_status status = tt_trace_open(path, &o, &input->input.trace);
    if (tt_failed(&status) && may_become(&status, path)) {
        struct tt_status note = tt_error(TT_ERR_IO, "waiting: %s", status.text);
        tt_message_error(path, &note);
    }
    while (tt_failed(&status) && may_become(&status, path) && tt_now_ms() < input->deadline_ms) {
        nap();
        status = tt_trace_open(path, &o, &input->input.trace);
    }
    if (!tt_failed(&status)) {
        status = cli_live_start(input);
    }
    if (tt_failed(&status)) {
        tt_live_close(input);
    }
    return status;
}

void tt_live_close(struct tt_live_input *input)
{
    tt_input_close(&input->input);
    close(input->wake[0]);
    close(input->wake[1]);
}

/* Opens the replaced or rewritten file. False if it is not readable yet. */
static bool reopen(struct tt_live_input *live_input, struct tt_status *why)
{
    struct tt_trace *reopened;
    struct tt_input *input = &live_input->input;
    struct tt_status status = tt_trace_reopen(input->trace, &reopened);
    *why = status;
    if (tt_failed(&status)) {
        return false;
    }
    tt_events_free(input->events);
    tt_trace_close(input->trace);
    input->trace = reopened;
    input->events = NULL;
    status = cli_live_start(live_input);
    if (tt_failed(&status)) {
        tt_message_error(input->path, &status);
        live_input->over = true;
    }
    return true;
}

static void report_change(const struct tt_live_input *input, const char *then)
{
    struct tt_status status =
        tt_error(TT_ERR_IO, "the file %s: %s", tt_file_change_text(input->live.change), then);
    tt_message_error(input->input.path, &status);
}

enum tt_live_news tt_live_wait(struct tt_live_input *input, uint64_t most_ms)
{
    uint64_t now = tt_now_ms();
    uint64_t left = now < input->deadline_ms ? input->deadline_ms - now : 0;
    struct pollfd fd = {.fd = input->wake[0], .events = POLLIN};
    if (!input->input.progress.finished) {
        uint64_t most = left < most_ms ? left : most_ms;
        poll(&fd, 1, most > 1000 ? 1000 : (int)most);
        tt_wake_drain(input->wake[0]);
    }
    input->timed_out = tt_now_ms() >= input->deadline_ms;
    input->live = tt_trace_live(input->input.trace);
    input->input.progress = tt_trace_progress(input->input.trace);
    enum tt_file_change change = input->live.change;
    bool keep = input->options->on_change == TT_ON_CHANGE_KEEP && change != TT_CHANGE_OUTGROWN;
    if (change < TT_CHANGE_TRUNCATED || keep) {
        input->over = input->input.progress.finished;
        if (keep && input->over && change >= TT_CHANGE_TRUNCATED) {
            report_change(input, "keeping the events read so far");
        }
        return TT_LIVE_MORE;
    }
    bool said = false;
    struct tt_status why;
    while (!reopen(input, &why)) {
        if (tt_now_ms() >= input->deadline_ms) {
            input->timed_out = true;
            return TT_LIVE_MORE;
        }
        if (!said && why.code == TT_ERR_IO) {
            char then[TT_STATUS_TEXT];
            snprintf(then, sizeof then, "waiting: %.120s", why.text);
            report_change(input, then);
            said = true;
        }
        nap();
    }
    if (change != TT_CHANGE_OUTGROWN) {
        report_change(input, "reloaded");
    }
    input->input.progress = tt_trace_progress(input->input.trace);
    input->live = tt_trace_live(input->input.trace);
    return change == TT_CHANGE_OUTGROWN ? TT_LIVE_AGAIN : TT_LIVE_ANOTHER;
}
