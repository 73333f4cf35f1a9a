/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_states: thread states of captures of several formats. State 0 is common; the other states of
 * each format of tt_formats follow in the order of that list, whichever formats the members have.
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

/* Returns the format of all members but logs, which have no states; NULL if there are several. */
static const struct tt_format *only_format(const struct tt_merge *merge)
{
    const struct tt_format *format = merge->members[0].capture->format;
    for (unsigned i = 1; i < merge->count; i++) {
        const struct tt_format *own = merge->members[i].capture->format;
        if (own != format && !tt_format_has(own, TT_FORMAT_LOG)) {
            return NULL;
        }
    }
    return format;
}

bool merge_states_set(struct merge_decoder *decoder)
{
    const struct tt_format *only = only_format(&decoder->merge);
    if (only) {
        decoder->format.states = only->states;
        decoder->format.state_count = only->state_count;
        decoder->format.flags |= only->flags & TT_FORMAT_UNKNOWN_IS_OFF;
        return true;
    }
    unsigned count = 1 + states_before(NULL);
    decoder->states = calloc(count, sizeof *decoder->states);
    if (!decoder->states) {
        return false;
    }
    decoder->states[0] = tt_formats[0]->states[0];
    struct tt_state_info *next = &decoder->states[1];
    for (size_t i = 0; tt_formats[i]; i++) {
        for (uint32_t own = 1; own < tt_formats[i]->state_count; own++) {
            *next = tt_formats[i]->states[own];
            next++->format = tt_formats[i];
        }
    }
    for (unsigned i = 0; i < decoder->merge.count; i++) {
        decoder->merge.members[i].first_state =
            (uint16_t)states_before(decoder->merge.members[i].capture->format);
    }
    decoder->format.states = decoder->states;
    decoder->format.state_count = count;
    return true;
}
