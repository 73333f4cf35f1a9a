/* SPDX-License-Identifier: Apache-2.0 */
/* kev: captures of the QNX instrumented kernel (.kev). See kev_internal.h for the layout. */
#ifndef FORMAT_KEV_H
#define FORMAT_KEV_H

#include "tracetui/format.h"

extern const struct tt_format tt_format_kev;

#endif
