/* SPDX-License-Identifier: Apache-2.0 */
/* kept: makes the bytes of an index cache in memory from a trace of any size. For tests and fuzz targets. */
#ifndef TT_TESTS_KEPT_H
#define TT_TESTS_KEPT_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/trace_internal.h"

/* Returns all bytes of the file, aligned like a mapping; NULL on failure. The caller frees them. */
static inline uint8_t *kept_read(int fd, size_t *size)
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
 * on failure. The caller frees them.
 */
static inline uint8_t *kept_make(struct tt_trace *trace, size_t *size)
{
    uint8_t *bytes = NULL;
    struct tt_status status = tt_trace_index(trace);
    FILE *file = tmpfile();
    struct tt_section_writer *w = file ? tt_section_writer_new(fileno(file), NULL) : NULL;
    if (w && !tt_failed(&status) && tt_trace_timelines(trace)) {
        tt_cache_put(&trace->index, w);
        status = tt_section_file_finish(w);
        bytes = tt_failed(&status) ? NULL : kept_read(fileno(file), size);
    }
    tt_section_writer_free(w);
    if (file) {
        fclose(file);
    }
    return bytes;
}

#endif
