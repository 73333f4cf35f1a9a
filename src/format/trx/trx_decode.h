/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_decode: the cursor of the ring: its position, the time so far and the occupant of each core,
 * which is all that actions need. A saved state is
 *
 *       struct trx_place | struct trx_occupant of core 0 | of core 1 | ...
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_DECODE_H
#define TRACETUI_FORMAT_TRX_TRX_DECODE_H

#include "format/action_out.h"
#include "format/trx/trx_internal.h"

struct trx_place {
    uint64_t ticks;   /* of entry index - 1 */
    uint64_t stamp;   /* its masked stamp */
    uint32_t index;   /* chronological number of the next entry */
    uint32_t derived; /* the RUNNING after entry index - 1 comes first */
};

/* Occupant of a core, as context numbers; TRX_NO_CONTEXT: not known yet; TRX_LEFT: it has left. */
struct trx_occupant {
    uint32_t thread; /* the thread, also below interrupts; TRX_IDLE: none */
    uint16_t depth;  /* interrupts entered and not left */
    uint16_t leaves; /* state from a SUSPEND in which the thread will leave; 0: none */
    uint64_t sent;   /* empty queue to which the core's last entry sends; 0: none */
};

struct tt_cursor {
    struct trx_decoder *d;
    struct tt_capture *capture;
    bool learn;
    struct trx_place place;
    struct trx_occupant cores[TRX_CORES];
};

/* Makes the occupants of all cores unknown. */
void trx_cursor_forget(struct tt_cursor *cursor);

/* The current entry; the first members are equal for all entries of a batch. */
struct trx_scene {
    struct tt_cursor *cursor;
    const struct trx_header *header;
    const struct trx_context *items; /* contexts by number */
    struct tt_action_out out;
    uint32_t gap;    /* entry before which others are cut off; UINT32_MAX: none */
    uint64_t before; /* ticks of the entry before that one */
    uint32_t
        rare; /* only entries before this one are that one, or of the beginning of an excerpt */
    uint32_t index;
    const uint8_t *at; /* its bytes */
    const struct tt_event *event;
    uint32_t core;
    struct trx_step step;
    struct trx_occupant *occupant; /* of the entry's core */
};

/*
 * Adds the actions of an entry with this step and updates the occupants: `occupant`, that of its core, and
 * others.
 */
void trx_act(struct trx_scene *scene, struct trx_step step, struct trx_occupant *occupant);
/* Adds the note of a program's own event, whose kind is in TT_NOTE_KINDS. */
void trx_note(struct trx_scene *scene);

#endif
