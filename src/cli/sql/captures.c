/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sql/captures.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cli/commands.h"

#define WIDTH_MOST 64u

struct opening {
    struct tt_sql_captures *captures;
    const struct tt_options *options;
    atomic_size_t next;
};

static struct tt_status open_input(const char *path, const struct tt_options *options,
                                   struct tt_input *input)
{
    struct tt_trace_options o = tt_input_options(options);
    input->path = path;
    o.map.early = TT_TRACE_EARLY;
    struct tt_status status = tt_trace_open(path, &o, &input->trace);
    if (tt_failed(&status)) {
        return status;
    }
    status = tt_trace_index(input->trace);
    input->capture = tt_trace_capture(input->trace);
    input->progress = tt_trace_progress(input->trace);
    if (tt_failed(&status)) {
        tt_input_close(input);
    }
    return status;
}

/* Opens the next capture until there are no more. */
static void *open_some(void *arg)
{
    struct opening *opening = arg;
    struct tt_sql_captures *captures = opening->captures;
    for (size_t i = opening->next++; i < captures->count; i = opening->next++) {
        captures->opened[i] =
            open_input(opening->options->files.v[i], opening->options, &captures->inputs[i]);
    }
    return NULL;
}

bool tt_sql_captures_open(struct tt_sql_captures *captures, const struct tt_options *options,
                          enum tt_exit *result)
{
    size_t count = (size_t)options->files.count;
    *captures = (struct tt_sql_captures){0};
    captures->inputs = calloc(count, sizeof *captures->inputs);
    captures->opened = calloc(count, sizeof *captures->opened);
    if (!captures->inputs || !captures->opened) {
        struct tt_status status = tt_error_memory();
        *result = tt_exit_of(&status, TT_EXIT_FAILED);
        return false;
    }
    struct opening opening = {.captures = captures, .options = options};
    captures->count = count;

    pthread_t threads[WIDTH_MOST];
    unsigned started = 0, width = tt_command_width(opening.options);
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    while (started + 1 < width && started + 1 < opening.captures->count &&
           pthread_create(&threads[started], NULL, open_some, &opening) == 0) {
        started++;
    }
    open_some(&opening);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }

    /* Removes the captures that are unusable, and reports them. */
    size_t kept = 0;
    for (size_t i = 0; i < captures->count; i++) {
        if (tt_failed(&captures->opened[i])) {
            tt_message_error(options->files.v[i], &captures->opened[i]);
            *result = TT_EXIT_FAILED;
        } else {
            captures->inputs[kept++] = captures->inputs[i];
        }
    }
    captures->count = kept;

    return captures->count > 0;
}

void tt_sql_captures_close(struct tt_sql_captures *captures)
{
    for (size_t i = 0; i < captures->count; i++) {
        tt_input_close(&captures->inputs[i]);
    }
    free(captures->inputs);
    free(captures->opened);
}
