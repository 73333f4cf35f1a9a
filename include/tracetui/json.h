/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json: parts of JSON objects. Each function appends to the caller's text and calls no printf. Any
 * thread.
 */
#ifndef TRACETUI_JSON_H
#define TRACETUI_JSON_H

#include "tracetui/capture.h"
#include "tracetui/text.h"

/* Append a JSON number, or a string of its digits if a double cannot represent it. */
void tt_json_u64(struct tt_text *text, uint64_t value);
void tt_json_i64(struct tt_text *text, int64_t value);
/* Appends `"key":`, preceded by a comma unless it is the first of its object. */
void tt_json_key(struct tt_text *text, const char *key);
/* Appends a thread as a JSON string: as in the text dump, except for the escaping. */
void tt_json_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread);

#endif
