/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find: trace buffers somewhere inside a larger file, such as the image of a target's memory.
 *
 *      QNX      the text header, then kernel buffers as long as one follows the other
 *      ThreadX  the control header: identification, constants, ordered pointers, whole entries
 *      Symbian  a chain of records that begins with one about the clock or a thread
 *
 * Pure functions over borrowed bytes; any thread. Bytes of a map are read inside tt_sigbus_guard.
 */
#ifndef TRACETUI_FIND_H
#define TRACETUI_FIND_H

#include "tracetui/bytes.h"
#include "tracetui/format.h"

struct tt_found {
    const struct tt_format *format;
    uint64_t offset; /* in the file */
    uint64_t size;   /* in bytes */
    uint64_t events; /* number of entries or records */
    bool cut;        /* the file ends inside the buffer */
};

/* Options for a file that contains captures; see struct tt_trace_options. */
struct tt_find_options {
    bool on;
    uint32_t number; /* which one, from 1; 0: the only one */
    /* Receives each capture before an open fails because there are several. May be NULL. */
    void (*list)(void *arg, uint32_t number, const struct tt_found *found);
    void *arg;
};

/*
 * Writes the captures in `bytes` by offset, at most `most`; returns their number, which may be
 * larger. A capture inside another one is left out. O(size).
 */
uint32_t tt_find_captures(struct tt_bytes bytes, struct tt_found *list, uint32_t most);

#endif
