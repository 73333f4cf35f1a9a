/* SPDX-License-Identifier: Apache-2.0 */
/* filter: parses a line, as structured if possible, otherwise as one regex. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "filter/filter_internal.h"

static void drop_terms(struct tt_filter *filter)
{
    for (uint32_t i = 0; i < filter->term_count; i++) {
        free(filter->terms[i].spans);
        tt_regex_free(filter->terms[i].regex);
    }
    filter->term_count = 0;
    filter->node_count = 0;
    filter->texts_used = 0;
}

void tt_filter_free(struct tt_filter *filter)
{
    if (filter) {
        drop_terms(filter);
        free(filter->terms);
        free(filter->nodes);
        free(filter->texts);
        free(filter);
    }
}

static bool filter_read_line(const char *text, struct tt_filter *filter,
                             struct tt_filter_error *error)
{
    if (tt_filter_read(text, filter, error)) {
        return tt_filter_check(filter, error);
    }
    if (error->status.code == TT_ERR_MEMORY || filter->unknown_field ||
        tt_filter_begins_like_term(text)) {
        return false;
    }

    /* Replaces all terms by one: a regex that is the whole line. */
    size_t length = strlen(text);
    drop_terms(filter);
    struct tt_filter_term *terms =
        tt_array_grow_32(filter->terms, 0, &filter->term_capacity, sizeof *terms);
    filter->terms = terms ? terms : filter->terms;
    struct tt_filter_node *nodes =
        tt_array_grow_32(filter->nodes, 0, &filter->node_capacity, sizeof *nodes);
    filter->nodes = nodes ? nodes : filter->nodes;
    if (!terms || !nodes) {
        *error = tt_filter_error_memory();
        return false;
    }
    memcpy(filter->texts, text, length + 1);
    filter->plain = true;
    filter->term_count = filter->node_count = 1;
    filter->root = 0;
    terms[0] = (struct tt_filter_term){
        .field = TT_FIELD_LINE, .column = 1, .pattern = filter->texts, .pattern_column = 1};
    nodes[0] = (struct tt_filter_node){TT_NODE_TERM, TT_NO_NODE, TT_NO_NODE, 0};
    return tt_filter_check_regex(&terms[0], error);
}

bool tt_filter_parse(const char *text, struct tt_filter **filter, struct tt_filter_error *error)
{
    size_t length = strlen(text);
    *filter = NULL;
    *error = (struct tt_filter_error){0, tt_ok()};
    if ((text[strspn(text, " \t")] == '\0')) {
        *error = tt_filter_error_at(0, "the filter is empty");
        return false;
    }
    if (length > TT_FILTER_BYTES_MAX) {
        *error = tt_filter_error_at(0, "the filter is too long: %zu bytes, at most %u are read",
                                    length, TT_FILTER_BYTES_MAX);
        return false;
    }
    struct tt_filter *f = calloc(1, sizeof *f);
    char *texts = malloc(2 * length + 2);
    if (!f || !texts) {
        free(f);
        free(texts);
        *error = tt_filter_error_memory();
        return false;
    }
    f->texts = texts;
    if (!filter_read_line(text, f, error)) {
        tt_filter_free(f);
        return false;
    }
    *filter = f;
    return true;
}

bool tt_filter_is_plain(const struct tt_filter *filter)
{
    return filter->plain;
}

unsigned tt_filter_spots(const struct tt_filter *filter, const char *line, size_t length,
                         struct tt_filter_spot *spots, unsigned most)
{
    const struct tt_filter_node *root = &filter->nodes[filter->root];
    if (root->kind != TT_NODE_TERM || filter->terms[root->term].field != TT_FIELD_LINE) {
        return 0;
    }
    const struct tt_regex *regex = filter->terms[root->term].regex;
    struct tt_regex_tools *tools = tt_regex_tools_new();
    unsigned count = 0;
    size_t from = 0;
    while (tools && count < most &&
           tt_regex_match_from(regex, tools, line, length, from) == TT_REGEX_YES) {
        struct tt_filter_spot *spot = &spots[count];
        tt_regex_matched(tools, &spot->start, &spot->end);
        if (spot->start >= spot->end || spot->end <= from) {
            break; /* an empty match is possible at any position */
        }
        from = spot->end;
        count++;
    }
    tt_regex_tools_free(tools);
    return count;
}
