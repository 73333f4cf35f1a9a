/* SPDX-License-Identifier: Apache-2.0 */
#include "style/styles.h"

#include <string.h>

#include "tracetui/format.h"

const struct tt_style tt_styles[] = {
    {"kev", "traceprinter", "as QNX's traceprinter of 6.4 to 6.6 prints", tt_style_traceprinter},
    {"kev", "traceprinter7", "as QNX's traceprinter of 7.x and 8.0 prints", tt_style_traceprinter7},
    {"tpt", "traceprinter", "as QNX's traceprinter of 6.4 to 6.6 prints", tt_style_traceprinter},
    {"tpt", "traceprinter7", "as QNX's traceprinter of 7.x and 8.0 prints", tt_style_traceprinter7},
    {"trx", "tracex", "as TraceX's raw trace dump", tt_style_tracex},
    {"btrace", "btrace", "as Symbian's utracedecoder", tt_style_utracedecoder},
    {0},
};

const struct tt_style *tt_style_find(const struct tt_format *format, const char *name)
{
    const struct tt_style *style = tt_styles;
    while (style->name &&
           (strcmp(style->format, format->name) != 0 || strcmp(style->name, name) != 0)) {
        style++;
    }
    return style->name ? style : NULL;
}
