/* SPDX-License-Identifier: Apache-2.0 */
/* styles: the printers of tt_styles. */
#ifndef TT_STYLE_STYLES_H
#define TT_STYLE_STYLES_H

#include "style/style.h"

tt_style_print tt_style_traceprinter;  /* of 6.4 to 6.6 */
tt_style_print tt_style_traceprinter7; /* of 7.x and 8.0 */
tt_style_print tt_style_tracex;
tt_style_print tt_style_utracedecoder;

#endif
