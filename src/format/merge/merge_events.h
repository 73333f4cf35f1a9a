/* SPDX-License-Identifier: Apache-2.0 */
/* merge_events: the functions of the merged capture's format, which pass on to those of its members. */
#ifndef TT_FORMAT_MERGE_EVENTS_H
#define TT_FORMAT_MERGE_EVENTS_H

#include "format/merge/merge_internal.h"

/*
 * Sets the functions and properties of the format, except states. The members are open. What only a
 * format's own tool has (totals, parts of captures) a merged capture has not.
 */
void merge_format_set(struct merge_decoder *decoder);

#endif
