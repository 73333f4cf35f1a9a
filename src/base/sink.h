/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink: where a writer's bytes go: a file, an output of the command line, a buffer. The sink belongs
 * to who makes it, usually on the stack, and outlives the writer. One thread.
 */
#ifndef TRACETUI_BASE_SINK_H
#define TRACETUI_BASE_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "tracetui/text.h"

struct tt_sink {
    /* Writes the next bytes; false: no more are needed, which is not an error of the writer. */
    bool (*write)(void *arg, const char *bytes, size_t length);
    void *arg;
    bool stopped; /* `write` returned false; initially false */
};

/* Writes bytes unless the sink is stopped; returns whether it takes more. */
static inline bool tt_sink_put(struct tt_sink *sink, const char *bytes, size_t length)
{
    if (!sink->stopped && length > 0) {
        sink->stopped = !sink->write(sink->arg, bytes, length);
    }
    return !sink->stopped;
}

/* Writes a text and makes it empty; returns whether the sink takes more. */
static inline bool tt_sink_flush(struct tt_sink *sink, struct tt_text *text)
{
    tt_sink_put(sink, text->buffer, text->used);
    text->used = 0;
    return !sink->stopped;
}

/* Returns a sink of an open file; an error of the file stops it and is seen at the file. */
struct tt_sink tt_sink_of_file(FILE *file);

#endif
