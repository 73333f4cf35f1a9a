/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_states: thread states of captures of several formats. State 0 is common; the other states of
 * each format of tt_formats follow in the order of that list, whichever formats the members have: the
 * functions of a state get no capture.
 */
#include <stdlib.h>

#include "format/merge/merge_internal.h"

/* Returns the number before the first state of a format, without its state 0. */
static unsigned states_before(const struct tt_format *format)
{
    unsigned before = 0;
    for (size_t i = 0; tt_formats[i] && tt_formats[i] != format; i++) {
        before += tt_formats[i]->state_count - 1;
    }
    return before;
}

const struct tt_format *merge_format_of_state(unsigned state, unsigned *own)
{
    unsigned before = 0;
    for (size_t i = 0; tt_formats[i] && state > 0; i++) {
        unsigned count = tt_formats[i]->state_count - 1;
        if (state <= before + count) {
            *own = state - before;
            return tt_formats[i];
        }
        before += count;
    }
    return NULL;
}

unsigned merge_wake_of_state(unsigned state)
{
    unsigned own = 0;
    const struct tt_format *format = merge_format_of_state(state, &own);
    return format && format->wake_of_state ? format->wake_of_state(own) : TT_WAKE_UNKNOWN;
}

bool merge_awaits_reply(unsigned state)
{
    unsigned own = 0;
    const struct tt_format *format = merge_format_of_state(state, &own);
    return format && format->awaits_reply && format->awaits_reply(own);
}

unsigned merge_object_of_state(unsigned state)
{
    unsigned own = 0;
    const struct tt_format *format = merge_format_of_state(state, &own);
    return format && format->object_of_state ? format->object_of_state(own) : 0;
}

static const struct tt_format *only_format(const struct tt_merge *merge)
{
    const struct tt_format *format = merge->members[0].capture->format;
    for (unsigned i = 1; i < merge->count; i++) {
        if (merge->members[i].capture->format != format) {
            return NULL;
        }
    }
    return format;
}

bool merge_states_set(struct merge_decoder *d)
{
    const struct tt_format *only = only_format(&d->merge);
    if (only) {
        d->format.states = only->states;
        d->format.state_count = only->state_count;
        d->format.unknown_is_off = only->unknown_is_off;
        d->format.job_ends = only->job_ends;
        d->format.wake_of_state = only->wake_of_state;
        d->format.awaits_reply = only->awaits_reply;
        d->format.object_of_state = only->object_of_state;
        return true;
    }
    unsigned count = 1 + states_before(NULL);
    d->states = calloc(count, sizeof *d->states);
    if (!d->states) {
        return false;
    }
    d->states[0] = tt_formats[0]->states[0];
    for (unsigned i = 1; i < count; i++) {
        unsigned own = 0;
        const struct tt_format *format = merge_format_of_state(i, &own);
        d->states[i] = format->states[own];
    }
    for (unsigned i = 0; i < d->merge.count; i++) {
        d->merge.members[i].first_state =
            (uint16_t)states_before(d->merge.members[i].capture->format);
    }
    d->format.states = d->states;
    d->format.state_count = count;
    d->format.format_of_state = merge_format_of_state;
    d->format.wake_of_state = merge_wake_of_state;
    d->format.awaits_reply = merge_awaits_reply;
    d->format.object_of_state = merge_object_of_state;
    return true;
}
