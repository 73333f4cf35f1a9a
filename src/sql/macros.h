/* SPDX-License-Identifier: Apache-2.0 */
/*
 * macros: text with parameters that a query uses as @NAME(argument, ...). Expansion replaces the call by
 * the text in parentheses-free form, each $parameter in it by its argument, and repeats that for calls
 * in the result. One thread.
 */
#ifndef TT_SQL_MACROS_H
#define TT_SQL_MACROS_H

#include <stddef.h>

#include "tracetui/status.h"

#define SQL_MACRO_BYTES  ((size_t)1 << 20) /* of an expanded query, at most */
#define SQL_MACRO_DEPTH  16u               /* of nested macros */
#define SQL_MACRO_PARAMS 16u

struct sql_macro;

struct sql_macros {
    struct sql_macro *v;
    size_t count, capacity;
};

/* Adds "name(a, b)" or "name"; replaces one of this name. TT_ERR_USAGE, TT_ERR_MEMORY. */
struct tt_status sql_macros_add(struct sql_macros *macros, const char *head, const char *text);
/*
 * Sets *expanded to the text of a query without calls, which the caller frees; to NULL if it has none.
 * TT_ERR_USAGE: an unknown macro, a wrong number of arguments, too deep or too long. TT_ERR_MEMORY.
 */
struct tt_status sql_macros_expand(const struct sql_macros *macros, const char *query,
                                   char **expanded);
void sql_macros_free(struct sql_macros *macros);

#endif
