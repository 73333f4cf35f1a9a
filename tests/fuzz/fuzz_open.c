/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a capture: detected, opened, indexed, read, described, printed.
 *
 * The bytes go through a file in memory, so that the mapping is exercised as well. Rows and numbers
 * must be consistent for any bytes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracetui/event_line.h"
#include "tracetui/trace.h"

#define ROWS_DESCRIBED 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static int file_of(const uint8_t *data, size_t size, char *path, size_t length)
{
    int fd = memfd_create("fuzz", 0);
    require(fd >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        require(n > 0);
        done += (size_t)n;
    }
    snprintf(path, length, "/proc/self/fd/%d", fd);
    return fd;
}

static void read_all(struct tt_trace *trace, struct tt_events *events)
{
    static struct tt_args args;
    char buffer[4096];
    struct tt_event last = {0};
    struct tt_part parts[4];
    uint64_t rows = tt_events_rows(events);
    uint64_t first = tt_trace_progress(trace).first_ticks;

    require(rows == tt_trace_progress(trace).events + tt_trace_progress(trace).derived);
    for (uint64_t row = 0; row < rows && row < ROWS_DESCRIBED; row++) {
        struct tt_event event;
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        require(tt_events_read(events, row, 1, &event) == 1);
        require(row == 0 || tt_event_compare(&last, &event) <= 0);
        require(tt_events_describe(events, &event, &args));
        require(event.type < tt_types_count(tt_trace_capture(trace)));
        tt_line_event(&text, tt_trace_capture(trace), &event, &args, first);
        tt_events_parts(events, &event, parts, 4);
        last = event;
    }
    if (rows > 0) {
        require(tt_events_row_at_key(events, last.ticks, last.pos) < rows);
        require(tt_events_row_at_time(events, 0) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct tt_trace_options options = {.map = {.spool_limit = 16 << 20}};
    struct tt_trace *trace;
    int fd = file_of(data, size, path, sizeof path);
    struct tt_status status = tt_trace_open(path, &options, &trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index(trace);
        if (!tt_failed(&status)) {
            struct tt_events *events = tt_events_new(trace);
            require(events != NULL);
            read_all(trace, events);
            tt_events_free(events);
        }
        tt_trace_close(trace);
    }
    close(fd);
    return 0;
}
