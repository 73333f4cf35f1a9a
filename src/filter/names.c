/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/filter_names.h"

#include "filter/filter_internal.h"

/* Returns whether the term compares names, and their kind. */
static bool compares_names(const struct tt_filter_term *term, enum tt_filter_name_kind *kind)
{
    static const struct {
        enum tt_filter_field_id field;
        enum tt_filter_name_kind kind;
    } fields[] = {
        {TT_FIELD_EVENT, TT_FILTER_NAME_EVENT},
        {TT_FIELD_CLASS, TT_FILTER_NAME_CLASS},
        {TT_FIELD_THREAD, TT_FILTER_NAME_THREAD},
        {TT_FIELD_PROCESS, TT_FILTER_NAME_PROCESS},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].field == term->field && !term->regex) {
            *kind = fields[i].kind;
            return true;
        }
    }
    return false;
}

bool tt_filter_next_name(const struct tt_filter *filter, struct tt_filter_names *at,
                         struct tt_filter_name *name)
{
    for (; at->term < filter->term_count; at->term++, at->span = 0) {
        const struct tt_filter_term *term = &filter->terms[at->term];
        enum tt_filter_name_kind kind;
        while (compares_names(term, &kind) && at->span < term->span_count) {
            const struct tt_filter_span *span = &term->spans[at->span++];
            if (!span->is_range && span->from.text) {
                *name = (struct tt_filter_name){kind, span->from.text, span->from.column};
                return true;
            }
        }
    }
    return false;
}
