/* SPDX-License-Identifier: Apache-2.0 */
/* contains: finds typed text in a line of a list. */
#ifndef TRACETUI_TUI_INPUT_CONTAINS_H
#define TRACETUI_TUI_INPUT_CONTAINS_H

#include <stdbool.h>

/* Returns whether a text contains another one, in upper or lower case; always if that is empty. */
bool tt_text_contains(const char *text, const char *found);

#endif
