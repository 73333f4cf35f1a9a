/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/json.h"

#include <string.h>

#include "base/format_fast.h"
#include "tracetui/event_line.h"

void tt_json_u64(struct tt_text *text, uint64_t value)
{
    bool quoted = value > TT_JSON_EXACT;
    if (quoted) {
        tt_text_char(text, '"');
    }
    tt_text_u64(text, value);
    if (quoted) {
        tt_text_char(text, '"');
    }
}

void tt_json_i64(struct tt_text *text, int64_t value)
{
    if (value >= 0) {
        tt_json_u64(text, (uint64_t)value);
        return;
    }
    bool quoted = 0 - (uint64_t)value > TT_JSON_EXACT;
    if (quoted) {
        tt_text_char(text, '"');
    }
    tt_text_i64(text, value);
    if (quoted) {
        tt_text_char(text, '"');
    }
}

void tt_json_key(struct tt_text *text, const char *key)
{
    if (text->used > 0 && text->buffer[text->used - 1] != '{') {
        tt_text_char(text, ',');
    }
    tt_text_char(text, '"');
    tt_text_str(text, key);
    tt_text_str(text, "\":");
}

/* Writes a name inside a JSON string. */
static void put_name(struct tt_text *text, const char *bytes, size_t length)
{
    size_t start = text->used;
    tt_text_json(text, bytes, length);
    if (text->used - start >= 2) { /* removes its quotes */
        memmove(text->buffer + start, text->buffer + start + 1, text->used - start - 2);
        text->used -= 2;
    }
}

void tt_json_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread)
{
    tt_text_char(text, '"');
    tt_line_thread_with(text, c, thread, put_name);
    tt_text_char(text, '"');
}
