/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input.h"

#include <string.h>

#include "lane/lane.h"

/* Reports a capture inside a file on standard error: one of several, see --find. */
static void list_found(void *arg, uint32_t number, const struct tt_found *found)
{
    char buffer[160];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    (void)arg;
    tt_text_put(&text, "--find=%u: %s at offset 0x", number, found->format->title);
    tt_text_hex(&text, found->offset, 1);
    tt_text_put(&text, ", %'ju bytes, %'ju%s", found->size, found->events,
                found->cut ? " records, cut at the end of the file" : " records");
    struct tt_status status = tt_error(TT_ERR_USAGE, "%s", tt_text_cstr(&text));
    tt_message_error(NULL, &status);
}

struct tt_trace_options tt_input_options(const struct tt_options *options)
{
    struct tt_trace_options o = {0};
    o.capture.clock_hz = options->clock_hz;
    o.capture.names_path = options->names;
    o.capture.is_log = options->is_log;
    o.capture.log_forms = options->log_forms;
    o.capture.log_form_count = (uint32_t)options->log_form_count;
    o.capture.lanes = options->lanes;
    o.symbols = options->symbols.v;
    o.symbol_count = (uint32_t)options->symbols.count;
    o.capture.definitions = options->definitions;
    o.map.metadata = options->metadata;
    o.map.spool_limit = options->spool_limit;
    o.map.follow = options->follow;
    o.map.remote = options->remote;
    o.map.watch = options->watch;
    o.find = (struct tt_find_options){.on = options->find != 0,
                                      .number = options->find > 0 ? (uint32_t)options->find : 0,
                                      .list = list_found};
    o.cache.on = !options->no_cache;
    o.cache.limit = options->cache_limit;
    o.merge = options->plan;
    o.map.copy = options->on_change == TT_ON_CHANGE_KEEP;
    return o;
}

/* Prints what of a names file is not used. */
static void report_names(const struct tt_capture *capture, const char *path)
{
    struct tt_status status = tt_ok();
    if (!tt_format_has(capture->format, TT_FORMAT_NAMES)) {
        status = tt_error(TT_ERR_USAGE, "--names: not read, this format records all names");
    }
    for (uint32_t i = 0; i < tt_facts_count(capture); i++) {
        const struct tt_fact *fact = tt_facts_at(capture, i);
        if (strcmp(fact->section, "names") == 0 && strcmp(fact->key, "lines not understood") == 0) {
            status = tt_error(TT_ERR_USAGE, "lines not understood: %s", fact->value);
        }
    }
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
    }
}

/* Reports a lane that the capture cannot have, which has no rows. */
static void report_lanes(const struct tt_input *input)
{
    const struct tt_lane_walk_request request = {
        .trace = input->trace, .events = input->events, .only = UINT32_MAX};
    struct tt_lane_walk *walk =
        tt_lane_list_now(input->capture->lanes)->count > 0 ? tt_lane_walk_new(&request) : NULL;
    struct tt_status status = walk ? tt_lane_walk_error(walk) : tt_ok();
    if (tt_failed(&status)) {
        status = tt_status_context(status, "lane");
        tt_message_error(input->path, &status);
    }
    tt_lane_walk_free(walk);
}

struct tt_status tt_input_open(const char *path, const struct tt_options *options,
                               struct tt_input *input)
{
    memset(input, 0, sizeof *input);
    input->path = path;
    struct tt_trace_options o = tt_input_options(options);
    o.map.early = TT_TRACE_EARLY;
    struct tt_status status = tt_trace_open(path, &o, &input->trace);
    if (tt_failed(&status)) {
        return status;
    }
    status = tt_trace_index(input->trace);
    input->capture = tt_trace_capture(input->trace);
    if (!tt_failed(&status)) {
        input->progress = tt_trace_progress(input->trace);
        input->events = tt_events_new(input->trace);
        status = input->events ? tt_ok() : tt_error_memory();
    }
    if (tt_failed(&status)) {
        tt_input_close(input);
    } else if (options->names && !options->plan) {
        report_names(input->capture, options->names);
    }
    if (!tt_failed(&status)) {
        report_lanes(input);
    }
    return status;
}

/* Reports the damage of the input. */
static enum tt_exit input_verdict(const struct tt_input *input)
{
    struct tt_status why;
    if (tt_trace_cache(input->trace, &why) == TT_CACHE_TRUNCATED) {
        why = tt_error(TT_ERR_IO, "the index cache was truncated while in use: the output "
                                  "may be wrong");
        tt_message_error(input->path, &why);
        return TT_EXIT_DAMAGED;
    }
    why = tt_health_damage(input->capture);
    if (!tt_failed(&why) && input->shrunk) {
        why = tt_error(TT_ERR_IO, "%s", tt_trace_missing_text(input->trace));
    }
    if (tt_failed(&why)) {
        tt_message_error(input->path, &why);
        return TT_EXIT_DAMAGED;
    }
    return TT_EXIT_GOOD;
}

enum tt_exit tt_input_verdict(const struct tt_input *input, const struct tt_status *worked)
{
    if (tt_failed(worked)) {
        tt_message_error(input->path, worked);
        return TT_EXIT_FAILED;
    }

    if (input->undecided > 0) {
        struct tt_status status = tt_error(
            TT_ERR_USAGE, "--filter: %llu events omitted as undecided: regex step limit exceeded",
            (unsigned long long)input->undecided);
        tt_message_error(input->path, &status);
    }

    enum tt_exit verdict = input_verdict(input);
    return input->undecided > 0 ? TT_EXIT_UNDECIDED : verdict;
}

void tt_input_close(struct tt_input *input)
{
    tt_events_free(input->events);
    tt_trace_close(input->trace);
    memset(input, 0, sizeof *input);
}

enum tt_exit tt_input_use(const struct tt_options *options, const char *path, struct tt_output *out,
                          tt_input_work *work)
{
    struct tt_input input;
    struct tt_status status = tt_input_open(path, options, &input);
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
        return TT_EXIT_FAILED;
    }
    if (!options->strict || !tt_health_damaged(input.capture)) {
        status = work(options, &input, out);
    }
    enum tt_exit verdict = tt_input_verdict(&input, &status);
    tt_input_close(&input);
    return verdict;
}
