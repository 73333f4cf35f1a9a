/* SPDX-License-Identifier: Apache-2.0 */
/* definitions: the views and macros of SQL in the configuration: "late_jobs", "late_jobs(limit)". */
#ifndef TRACETUI_TUI_MODEL_DEFINITIONS_H
#define TRACETUI_TUI_MODEL_DEFINITIONS_H

#include <stddef.h>

#include "sql/sql.h"

struct tt_query_definition {
    char *name;
    char *text;
};

struct tt_query_definitions {
    struct tt_query_definition *v;
    size_t count;
};

/* Sets a definition; a second text of the same name continues the first one. TT_ERR_MEMORY. */
struct tt_status tt_query_define(struct tt_query_definitions *definitions, const char *name,
                                 const char *text);
/* Returns a definition as a session takes it; its texts belong to `definition`. */
struct tt_sql_definition tt_query_definition_of(const struct tt_query_definition *definition);
void tt_query_definitions_free(struct tt_query_definitions *definitions);

#endif
