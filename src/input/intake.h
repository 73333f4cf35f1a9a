/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intake: where the bytes of a spool come from. Intakes are stacked; each reads from the one before it:
 *
 *      descriptor ----------------------------> unpacker -> spool
 *      connection -> unpacker -> remote file -> unpacker -> spool
 *
 * One thread reads, and asks for the state of a source; the owner closes it when that thread has ended.
 */
#ifndef TT_INPUT_INTAKE_H
#define TT_INPUT_INTAKE_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/map.h"

/*
 * Reads up to `size` bytes; *length is their number, 0 at the end. Waits for the first of them, and fails
 * with TT_ERR_CANCELLED as soon as `stop` is readable (-1: never).
 */
typedef struct tt_status tt_intake_read(void *arg, int stop, uint8_t *buffer, size_t size,
                                        size_t *length);

struct tt_intake {
    void *arg;
    tt_intake_read *read;
};

/* The first intake of a spool. */
struct tt_source {
    struct tt_intake intake;
    bool endless; /* it may never end: copying it without a thread is no use */
    /* Sets `total`, `host`, `connected`, `is_file` and `change`. Any thread. NULL: nothing to set. */
    void (*describe)(void *arg, struct tt_arrival *arrival);
    /* The opener waits no longer: the terminal is not free for questions from now on. NULL: none are asked. */
    void (*opened)(void *arg);
    /* No more is read. Called by the reading thread at its end. NULL: nothing to end. */
    void (*end)(void *arg);
    /* Frees `arg`, which the source owns. */
    void (*close)(void *arg);
};

/* Returns a source that reads from the descriptor's place to its end, and closes it. */
struct tt_source tt_source_of_fd(int fd, bool endless);

/* Reads from a descriptor as tt_intake_read does. */
struct tt_status tt_read_fd(int fd, int stop, uint8_t *buffer, size_t size, size_t *length);

#endif
