/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats: one line each. */
#include "tracetui/format.h"

extern const struct tt_format tt_format_btrace;
extern const struct tt_format tt_format_fxt;
extern const struct tt_format tt_format_kev;
extern const struct tt_format tt_format_trx;

const struct tt_format *const tt_formats[] = {
    &tt_format_kev, &tt_format_fxt, &tt_format_trx, &tt_format_btrace, NULL,
};
