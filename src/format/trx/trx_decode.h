/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_cursor: where a reader of the ring stands, and what it carries along: the time so far, and
 * for each core who has it, which is all that actions need. A saved state is
 *
 *      struct trx_place | struct trx_occupant of core 0 | of core 1 | ...
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_DECODE_H
#define TRACETUI_FORMAT_TRX_TRX_DECODE_H

#include "format/trx/trx_internal.h"

struct trx_place {
    uint64_t ticks;   /* of entry index - 1 */
    uint64_t stamp;   /* its stamp, masked */
    uint32_t index;   /* chronological number of the next entry */
    uint32_t derived; /* the RUNNING behind entry index - 1 comes first */
};

/* Who has a core. Context numbers; TRX_NOBODY: not known yet. */
struct trx_occupant {
    uint32_t thread; /* the thread, beneath interrupts if there are any; TRX_IDLE: none */
    uint16_t depth;  /* interrupts entered and not left */
    uint16_t leaves; /* state in which the thread is to leave, as a SUSPEND said; 0: none said */
};

struct tt_cursor {
    struct trx_decoder *d;
    struct tt_capture *capture;
    bool learn;
    struct trx_place place;
    struct trx_occupant cores[TRX_CORES];
    struct trx_near near;
};

/* The entry that actions are made for. */
struct trx_moment {
    const struct trx_entry *entry;
    const struct trx_step *step;
    uint32_t context;
    uint32_t core;
};

/* Writes the actions of an entry and moves the cursor's occupants on. */
void trx_act(struct tt_cursor *cursor, const struct trx_moment *moment, struct tt_batch *batch);

#endif
