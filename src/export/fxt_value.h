/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_value: types of the arguments of FXT records (docs/format-fxt.md). */
#ifndef TT_EXPORT_FXT_VALUE_H
#define TT_EXPORT_FXT_VALUE_H

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

#endif
