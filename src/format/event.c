/* SPDX-License-Identifier: Apache-2.0 */
/* event: names of the model's enumerations, and the argument list. */
#include "tracetui/event.h"

#include <string.h>

#include "tracetui/action.h"

const char *tt_kind_name(unsigned kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        TT_KIND_INFO(X)
#undef X
    };
    return names[kind < TT_KIND_COUNT ? kind : TT_KIND_EVENT];
}

const char *tt_class_name(unsigned class_)
{
    static const char *const names[] = {
#define X(id, name) name,
        TT_CLASS_INFO(X)
#undef X
    };
    return names[class_ < TT_CLASS_COUNT ? class_ : TT_CLASS_UNKNOWN];
}

void tt_args_clear(struct tt_args *args)
{
    args->count = 0;
    args->cut = false;
    args->is_partial = false;
    args->scratch_used = 0;
}

struct tt_arg *tt_args_add(struct tt_args *args, const char *name)
{
    return tt_args_add_constant(args, name, (uint32_t)strlen(name));
}

char *tt_args_scratch(struct tt_args *args, uint32_t length)
{
    if (length > TT_ARGS_SCRATCH - args->scratch_used) {
        args->cut = true;
        return NULL;
    }
    char *space = args->scratch + args->scratch_used;
    args->scratch_used += length;
    return space;
}
