/* SPDX-License-Identifier: Apache-2.0 */
/* line_colors: colours of the columns of an event's line. */
#include "trace/line_colors.h"

#include <string.h>

#include "tracetui/format.h"

static const char reset[] = "\033[0m";

/* Returns the colour of an event's name. O(number of states) for a change of state. */
static const struct tt_line_color *line_color_of(const struct tt_line_colors *colors,
                                                 const struct tt_capture *capture,
                                                 const struct tt_event *event)
{
    if (event->flags & TT_EVENT_MALFORMED) {
        return &colors->malformed;
    }
    if (event->kind == TT_KIND_STATE) {
        /* The class of the state whose name ends the type's name; TT_CLASS_COUNT: there is none. */
        const char *name = tt_types_at(capture, event->type)->name;
        size_t length = strlen(name);
        unsigned class_ = TT_CLASS_COUNT;
        size_t longest = 0;
        for (uint32_t i = 1; i < capture->format->state_count; i++) {
            const struct tt_state_info *state = &capture->format->states[i];
            size_t part = strlen(state->name);
            if (part > longest && part <= length &&
                memcmp(name + length - part, state->name, part) == 0) {
                longest = part;
                class_ = state->class_;
            }
        }

        if (class_ < TT_CLASS_COUNT) {
            return &colors->classes[class_];
        }
    }
    return &colors->kinds[event->kind < TT_KIND_COUNT ? event->kind : TT_KIND_EVENT];
}

/* Moves the bytes from `at` on and writes the text there; the caller has checked the room. */
static void line_colors_insert(struct tt_text *text, size_t at, const char *inserted, size_t length)
{
    memmove(text->buffer + at + length, text->buffer + at, text->used - at);
    memcpy(text->buffer + at, inserted, length);
    text->used += length;
}

void tt_line_event_colored(struct tt_text *text, const struct tt_line_colors *colors,
                           const struct tt_capture *capture, const struct tt_line_names *names,
                           const struct tt_event *event, const struct tt_args *args,
                           uint64_t first_ticks)
{
    size_t start = text->used;
    struct tt_line_spans spans =
        tt_line_event_spans(text, capture, names, event, args, first_ticks);
    for (unsigned column = TT_LINE_COLUMN_COUNT; column-- > 0;) {
        const struct tt_line_color *color = &colors->columns[column];
        if (column == TT_LINE_EVENT) {
            color = line_color_of(colors, capture, event);
        } else if (column == TT_LINE_THREAD && (event->flags & TT_EVENT_INFERRED)) {
            color = &colors->inferred;
        }
        size_t length = strlen(color->sequence);
        size_t begin = start + spans.columns[column].begin, end = start + spans.columns[column].end;
        if (length == 0 || begin == end) {
            continue;
        }
        if (text->truncated || text->capacity - text->used < length + sizeof reset - 1) {
            text->truncated = true;
            return;
        }
        line_colors_insert(text, end, reset, sizeof reset - 1);
        line_colors_insert(text, begin, color->sequence, length);
    }
}
