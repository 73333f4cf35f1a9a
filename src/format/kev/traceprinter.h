/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_print: the whole capture as traceprinter writes it, in the form of 6.4 to 6.6 and in that of
 * 7.x and 8.0. traceprinter.c walks the file, traceprinter_line.c words one event, traceprinter_lists.c has
 * 6.4's own lists.
 */
#ifndef TRACETUI_FORMAT_KEV_TRACEPRINTER_H
#define TRACETUI_FORMAT_KEV_TRACEPRINTER_H

#include "format/kev/kev_internal.h"
#include "tracetui/text.h"

enum kev_form { KEV_FORM_6, KEV_FORM_7 };

/* Bytes that one event can take in print: every payload byte escaped, names and columns. */
#define KEV_PRINT_MAX (16u * KEV_WORDS_MAX + 4096u + 40u * KEV_WORDS_MAX)

/* Appends one event with its line ends. `payload` has whole->words words. */
void kev_print_event(struct tt_text *text, const struct kev_decoder *d, enum kev_form form,
                     uint64_t ticks, const struct kev_event *whole, const uint8_t *payload);

/*
 * The list by which 6.4's printer prints an event, where it is not the event tables'; NULL: it is.
 * Static. Linear in the number of such lists.
 */
const struct kev_field *kev_print_fields_6(uint32_t code);

#endif
