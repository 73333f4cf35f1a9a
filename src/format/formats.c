/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats: one line each. */
#include "tracetui/format.h"

const struct tt_format *const tt_formats[] = {
    NULL,
};
