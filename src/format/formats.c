/* SPDX-License-Identifier: Apache-2.0 */
/* formats: the list of formats, one line each: the name of its directory. */
#include "tracetui/format.h"

/* clang-format off */
#define FORMATS(X) \
    X(kev)         \
    X(tpt)         \
    X(fxt)         \
    X(trx)         \
    X(btrace)      \
    X(ftrace)      \
    X(ctf)         \
    X(log)
/* clang-format on */

#define X(name) extern const struct tt_format tt_format_##name;
FORMATS(X)
#undef X

const struct tt_format *const tt_formats[] = {
#define X(name) &tt_format_##name,
    FORMATS(X)
#undef X
        NULL,
};
