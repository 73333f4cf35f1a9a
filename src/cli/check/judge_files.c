/* SPDX-License-Identifier: Apache-2.0 */
/* judge_files: complete captures, in parallel. */
#include "cli/check/judge_files.h"

#include <stdatomic.h>

#include "base/worker_thread.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/job_rules.h"

#define WORKERS_MOST 16u

struct pool {
    const struct tt_options *options;
    const struct tt_rules *rules;
    struct tt_check_file *files;
    size_t count;
    atomic_size_t next;
};

struct tt_status tt_check_input(const struct tt_options *options, const struct tt_rules *rules,
                                struct tt_trace *trace, const char *path, bool growing,
                                struct tt_check **check)
{
    struct tt_job_rules jobs;
    struct tt_status status = tt_job_rules_make(options, tt_trace_capture(trace), &jobs);
    *check = NULL;
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_check_request request = {.rules = rules,
                                       .trace = trace,
                                       .path = path,
                                       .job_ends = jobs.ends,
                                       .deadlines = jobs.deadlines.ticks,
                                       .deadline_limit = jobs.deadlines.count,
                                       .growing = growing,
                                       .explain = options->explain};
    status = tt_check_run(&request, check);
    tt_job_rules_free(&jobs);
    return status;
}

static struct tt_status damage_of(const struct tt_input *input, const struct tt_check *check)
{
    struct tt_status why;
    if (tt_trace_cache(input->trace, &why) == TT_CACHE_TRUNCATED) {
        return tt_error(TT_ERR_IO,
                        "the index cache was truncated while in use: the verdicts may be "
                        "wrong");
    }
    why = tt_health_damage(input->capture);
    return !tt_failed(&why) && tt_check_truncated(check)
               ? tt_error(TT_ERR_IO, "%s", tt_trace_missing_text(input->trace))
               : why;
}

static void *judge_files_work(void *arg)
{
    struct pool *pool = arg;
    for (;;) {
        size_t i = atomic_fetch_add(&pool->next, 1);
        if (i >= pool->count) {
            return NULL;
        }

        struct tt_check_file *file = &pool->files[i];
        struct tt_input input;
        struct tt_check *check = NULL;
        file->status = tt_input_open(file->path, pool->options, &input);
        if (tt_failed(&file->status)) {
            continue;
        }
        file->ticks = input.capture->clock_hz == 0;
        file->hz = input.capture->clock_hz;
        file->status =
            tt_check_input(pool->options, pool->rules, input.trace, file->path, false, &check);
        if (check) {
            file->damage = damage_of(&input, check);
            tt_check_file_replace(file, check);
        }
        tt_input_close(&input);
    }
}

void tt_check_judge_files(const struct tt_options *options, const struct tt_rules *rules,
                          struct tt_check_file *files, size_t count)
{
    struct pool pool = {.options = options, .rules = rules, .files = files, .count = count};
    pthread_t workers[WORKERS_MOST];
    unsigned width = tt_command_width(options);
    size_t started = 0;
    while (started + 1 < count && started + 1 < WORKERS_MOST && started + 1 < width &&
           tt_worker_start(&workers[started], judge_files_work, &pool) == 0) {
        started++;
    }
    judge_files_work(&pool); /* this thread works too; alone, if no other could be started */
    while (started > 0) {
        pthread_join(workers[--started], NULL);
    }
}
