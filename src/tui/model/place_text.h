/* SPDX-License-Identifier: Apache-2.0 */
/* place_text: places and ranges of the open capture as the user types them. */
#ifndef TRACETUI_TUI_MODEL_PLACE_TEXT_H
#define TRACETUI_TUI_MODEL_PLACE_TEXT_H

#include "tui/model/workspace.h"

/* Parses a place: 1234 or #1234, 1.5s, 50%, 500t, 0x1a40, 'a. Fails with the reason if it is not valid. */
struct tt_status tt_place_parse(struct tt_workspace *ws, const char *text, uint64_t *ticks,
                                uint64_t *pos);
/* Parses "1.2s..1.3s" into ticks, from <= t < to. Fails with what was expected. */
struct tt_status tt_place_parse_range(struct tt_workspace *ws, const char *text, uint64_t *from,
                                      uint64_t *to);

#endif
