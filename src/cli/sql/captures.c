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
    struct opening *o = arg;
    struct tt_sql_captures *c = o->captures;
    for (size_t i = o->next++; i < c->count; i = o->next++) {
        c->opened[i] = open_input(o->options->files.v[i], o->options, &c->inputs[i]);
    }
    return NULL;
}

static void open_all(struct opening *o)
{
    pthread_t threads[WIDTH_MOST];
    unsigned started = 0, width = tt_command_width(o->options);
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    while (started + 1 < width && started + 1 < o->captures->count &&
           pthread_create(&threads[started], NULL, open_some, o) == 0) {
        started++;
    }
    open_some(o);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Removes the captures that are unusable, and reports them. */
static void keep_usable(struct tt_sql_captures *c, const struct tt_options *options,
                        enum tt_exit *result)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (tt_failed(&c->opened[i])) {
            tt_message_error(options->files.v[i], &c->opened[i]);
            *result = TT_EXIT_FAILED;
        } else {
            c->inputs[kept++] = c->inputs[i];
        }
    }
    c->count = kept;
}

bool tt_sql_captures_open(struct tt_sql_captures *c, const struct tt_options *options,
                          enum tt_exit *result)
{
    size_t count = (size_t)options->files.count;
    *c = (struct tt_sql_captures){0};
    c->inputs = calloc(count, sizeof *c->inputs);
    c->opened = calloc(count, sizeof *c->opened);
    if (!c->inputs || !c->opened) {
        struct tt_status status = tt_error_memory();
        *result = tt_exit_of(&status, TT_EXIT_FAILED);
        return false;
    }
    struct opening opening = {.captures = c, .options = options};
    c->count = count;
    open_all(&opening);
    keep_usable(c, options, result);
    return c->count > 0;
}

void tt_sql_captures_close(struct tt_sql_captures *c)
{
    for (size_t i = 0; i < c->count; i++) {
        tt_input_close(&c->inputs[i]);
    }
    free(c->inputs);
    free(c->opened);
}
