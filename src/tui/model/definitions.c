/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/model/definitions.h"

#include <stdlib.h>
#include <string.h>

void tt_query_definitions_free(struct tt_query_definitions *definitions)
{
    for (size_t i = 0; i < definitions->count; i++) {
        free(definitions->v[i].name);
        free(definitions->v[i].text);
    }
    free(definitions->v);
    *definitions = (struct tt_query_definitions){0};
}

struct tt_status tt_query_define(struct tt_query_definitions *definitions, const char *name,
                                 const char *text)
{
    for (size_t i = 0; i < definitions->count; i++) {
        if (strcmp(definitions->v[i].name, name) == 0) {
            struct tt_query_definition *definition = &definitions->v[i];
            size_t used = strlen(definition->text), length = strlen(text);
            char *longer = realloc(definition->text, used + length + 2);
            if (!longer) {
                return tt_error_memory();
            }
            longer[used] = '\n';
            memcpy(longer + used + 1, text, length + 1);
            definition->text = longer;
            return tt_ok();
        }
    }
    struct tt_query_definition *more =
        realloc(definitions->v, (definitions->count + 1) * sizeof *more);
    if (!more) {
        return tt_error_memory();
    }
    definitions->v = more;
    more[definitions->count] = (struct tt_query_definition){strdup(name), strdup(text)};
    definitions->count++;
    if (!more[definitions->count - 1].name || !more[definitions->count - 1].text) {
        definitions->count--;
        free(more[definitions->count].name);
        free(more[definitions->count].text);
        return tt_error_memory();
    }
    return tt_ok();
}

struct tt_sql_definition tt_query_definition_of(const struct tt_query_definition *definition)
{
    return (struct tt_sql_definition){.name = definition->name,
                                      .text = definition->text,
                                      .is_macro = strchr(definition->name, '(')};
}
