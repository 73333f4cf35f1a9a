/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paused: makes the bytes of an index cache in memory from a trace of any size, with or without the
 * state for resuming when the capture has grown. For tests and fuzz targets; single-threaded.
 */
#ifndef TT_TESTS_PAUSED_H
#define TT_TESTS_PAUSED_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/trace_internal.h"

static inline void paused_note(void *arg, const struct tt_builder *b)
{
    *(struct tt_cache_checkpoint **)arg = tt_cache_checkpoint_new(b);
}

/* Returns all bytes of the file, aligned like a mapping; NULL on failure. The caller frees them. */
static inline uint8_t *paused_read(int fd, size_t *size)
{
    off_t end = lseek(fd, 0, SEEK_END);
    void *bytes = NULL;
    if (end <= 0 || posix_memalign(&bytes, 4096, (size_t)end) != 0 ||
        pread(fd, bytes, (size_t)end, 0) != (ssize_t)end) {
        free(bytes);
        return NULL;
    }
    *size = (size_t)end;
    return bytes;
}

/*
 * Makes the index of the trace and returns the bytes of its index cache, without an identity; NULL
 * on failure. `goes_on`: with the state for resuming; *has_pause: there was one. The caller frees
 * the bytes.
 */
static inline uint8_t *paused_keep(struct tt_trace *trace, bool goes_on, bool *has_pause,
                                   size_t *size)
{
    struct tt_cache_checkpoint *pause = NULL;
    uint8_t *bytes = NULL;
    trace->index.at_end = goes_on ? paused_note : NULL;
    trace->index.at_end_arg = &pause;
    struct tt_status status = tt_trace_index(trace);
    FILE *file = tmpfile();
    struct tt_section_writer *w = file ? tt_section_writer_new(fileno(file), NULL) : NULL;
    if (w && !tt_failed(&status) && tt_trace_timelines(trace)) {
        bool is_of = pause && tt_cache_checkpoint_is_of(pause, tt_trace_timelines(trace));
        tt_cache_put(&trace->index, is_of ? pause : NULL, w);
        status = tt_section_file_finish(w);
        bytes = tt_failed(&status) ? NULL : paused_read(fileno(file), size);
        *has_pause = is_of;
    }
    tt_section_writer_free(w);
    tt_cache_checkpoint_free(pause);
    if (file) {
        fclose(file);
    }
    return bytes;
}

#endif
