/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_value: the arguments of FXT records (docs/format-fxt.md), as they are written. */
#ifndef TT_EXPORT_FXT_VALUE_H
#define TT_EXPORT_FXT_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/event.h"

#define TT_FXT_TEXT_MAX 1024u /* longer texts are cut */

enum tt_fxt_value {
    TT_FXT_VALUE_NULL,
    TT_FXT_VALUE_INT32,
    TT_FXT_VALUE_UINT32,
    TT_FXT_VALUE_INT64,
    TT_FXT_VALUE_UINT64,
    TT_FXT_VALUE_DOUBLE,
    TT_FXT_VALUE_STRING,
    TT_FXT_VALUE_POINTER,
    TT_FXT_VALUE_KOID,
    TT_FXT_VALUE_BOOL,
};

/* A value: a number of the type, or a text, which may be in the scratch space. */
struct tt_fxt_encoded {
    enum tt_fxt_value type;
    uint64_t number;
    const char *bytes;
    size_t length;
};

/* Encodes the value that a line of `dump` has: the label, if there is one. */
struct tt_fxt_encoded tt_fxt_encode(const struct tt_arg *arg, char scratch[TT_FXT_TEXT_MAX]);

#endif
