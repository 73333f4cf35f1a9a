/* SPDX-License-Identifier: Apache-2.0 */
/*
 * style: captures printed as the vendor's own tool prints them (`dump --style NAME`), in the order of
 * that tool. A style reads the decoder of its format; no decoder has a part in it.
 */
#ifndef TRACETUI_STYLE_STYLE_H
#define TRACETUI_STYLE_STYLE_H

#include "base/sink.h"
#include "tracetui/capture.h"

/*
 * Prints the whole capture into `sink`. `wanted` selects the events; NULL: all. Runs inside
 * tt_sigbus_guard.
 */
typedef struct tt_status tt_style_print(struct tt_capture *capture, struct tt_sink *sink,
                                        bool (*wanted)(void *arg, const struct tt_event *event),
                                        void *arg);

struct tt_style {
    const char *format; /* name of the format that has it */
    const char *name;
    const char *help;
    tt_style_print *print;
};

/* All styles; a row without name ends them. */
extern const struct tt_style tt_styles[];

/* Returns the style of a format, or NULL. */
const struct tt_style *tt_style_find(const struct tt_format *format, const char *name);

#endif
