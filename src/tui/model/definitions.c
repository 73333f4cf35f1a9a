/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/model/definitions.h"

#include <stdlib.h>
#include <string.h>

void tt_query_definitions_free(struct tt_query_definitions *d)
{
    for (size_t i = 0; i < d->count; i++) {
        free(d->v[i].name);
        free(d->v[i].text);
    }
    free(d->v);
    *d = (struct tt_query_definitions){0};
}

static struct tt_status continue_text(struct tt_query_definition *d, const char *text)
{
    size_t used = strlen(d->text), length = strlen(text);
    char *longer = realloc(d->text, used + length + 2);
    if (!longer) {
        return tt_error_memory();
    }
    longer[used] = '\n';
    memcpy(longer + used + 1, text, length + 1);
    d->text = longer;
    return tt_ok();
}

struct tt_status tt_query_define(struct tt_query_definitions *d, const char *name, const char *text)
{
    for (size_t i = 0; i < d->count; i++) {
        if (strcmp(d->v[i].name, name) == 0) {
            return continue_text(&d->v[i], text);
        }
    }
    struct tt_query_definition *more = realloc(d->v, (d->count + 1) * sizeof *more);
    if (!more) {
        return tt_error_memory();
    }
    d->v = more;
    more[d->count] = (struct tt_query_definition){strdup(name), strdup(text)};
    d->count++;
    if (!more[d->count - 1].name || !more[d->count - 1].text) {
        d->count--;
        free(more[d->count].name);
        free(more[d->count].text);
        return tt_error_memory();
    }
    return tt_ok();
}

struct tt_sql_definition tt_query_definition_of(const struct tt_query_definition *d)
{
    return (struct tt_sql_definition){
        .name = d->name, .text = d->text, .is_macro = strchr(d->name, '(')};
}
