/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_events: the events of a capture as FXT event records. docs/export.md has the table.
 *
 * Kernel calls and interrupts become durations: a begin is written at its event, an end only if a
 * begin is open. Events without a meaning of their own become instants with their arguments; those
 * that the scheduling records show are left out. One thread.
 */
#ifndef TRACETUI_EXPORT_FXT_EVENTS_H
#define TRACETUI_EXPORT_FXT_EVENTS_H

#include "export/export.h"
#include "export/fxt_time.h"
#include "export/fxt_tracks.h"

/* Category and name of an event type. */
struct tt_fxt_type_texts {
    struct tt_fxt_text_ref category;
    struct tt_fxt_text_ref name;
    bool known;
};

/* The reference of an argument's name that is a constant of the program. */
struct tt_fxt_constant {
    const char *text;
    uint32_t length;
    struct tt_fxt_text_ref ref;
};

#define TT_FXT_CONSTANTS 256u

struct tt_fxt_events {
    const struct tt_export_request *request;
    const struct tt_capture *capture;
    struct tt_events *events;
    struct tt_fxt_tracks *tracks;
    struct tt_fxt_writer *w;
    struct tt_fxt_clock clock;
    struct tt_fxt_type_texts *types;
    uint32_t type_count;
    uint8_t *in_call;                                   /* by thread: a kernel call is open */
    uint32_t *interrupts;                               /* by CPU: open interrupts */
    struct tt_fxt_constant constants[TT_FXT_CONSTANTS]; /* by address, the last one of each place */
    struct tt_args args;
    struct tt_fxt_out_arg out[TT_FXT_ARGS_MAX];
    bool shrunk;
};

/* Errors: TT_ERR_MEMORY. Call tt_fxt_events_close in any case. `events` is borrowed. */
struct tt_status tt_fxt_events_open(struct tt_fxt_events *fxt_events,
                                    const struct tt_export_request *request,
                                    struct tt_events *events, struct tt_fxt_tracks *tracks,
                                    struct tt_fxt_writer *writer, struct tt_fxt_clock clock);
void tt_fxt_events_close(struct tt_fxt_events *events);

/* Returns whether tt_fxt_events_put needs the actions of an event. */
bool tt_fxt_events_need_actions(const struct tt_event *event);

/* Writes the records of an event; `actions` are those of the event alone. */
void tt_fxt_events_put(struct tt_fxt_events *events, const struct tt_event *event,
                       const struct tt_action *actions, uint32_t count);
/* Writes the values that an event sets of counters. */
void tt_fxt_events_put_counters(struct tt_fxt_events *events, const struct tt_event *event,
                                const struct tt_action *values, uint32_t count);

/* Returns whether a kernel call of a thread is open. */
bool tt_fxt_events_in_call(const struct tt_fxt_events *events, uint32_t thread);
/* Returns whether an event ends a duration that was open before. */
bool tt_fxt_events_is_end(const struct tt_event *event);
/* Writes a record without arguments; `id`: of a flow, else NULL. */
void tt_fxt_events_put_plain(struct tt_fxt_events *events, enum tt_fxt_event_kind kind,
                             uint32_t track, uint64_t ticks, struct tt_fxt_type_texts texts,
                             const uint64_t *id);

/* Writes an instant of the capture's own track, and ends the durations whose ends may be lost. */
void tt_fxt_events_put_loss(struct tt_fxt_events *events, uint64_t ticks);
/* Writes an instant of the capture's own track, with texts as arguments: name, value, ..., NULL. */
void tt_fxt_events_put_mark(struct tt_fxt_events *events, uint64_t ticks, const char *name,
                            const char *const *texts);

#endif
