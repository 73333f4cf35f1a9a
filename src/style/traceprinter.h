/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traceprinter: prints a capture as QNX's traceprinter does, in the form of 6.4 to 6.6 or of 7.x
 * and 8.0. traceprinter.c walks the file, traceprinter_line.c formats one event.
 */
#ifndef TT_STYLE_TRACEPRINTER_H
#define TT_STYLE_TRACEPRINTER_H

#include "format/kev/kev_internal.h"
#include "tracetui/text.h"

enum kev_form { KEV_FORM_6, KEV_FORM_7 };

/* Most bytes of one printed event: every payload byte escaped, names and columns. */
#define KEV_PRINT_MAX (16u * KEV_WORDS_MAX + 4096u + 40u * KEV_WORDS_MAX)

/* Appends one event with its line ends. `payload` has whole->words words. */
void kev_print_event(struct tt_text *text, const struct kev_decoder *decoder, enum kev_form form,
                     uint64_t ticks, const struct kev_event *whole, const uint8_t *payload);

#endif
