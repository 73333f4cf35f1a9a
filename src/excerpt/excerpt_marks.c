/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt_marks: follows marks into an excerpt, and finds their events there. */
#include "excerpt/excerpt_marks.h"

#include <string.h>

#include "base/session_text.h"

#define BATCH      64u
#define READ_MOST  65536u /* events of one time */
#define TYPE_BYTES 512u

/* ---- while the excerpt is written ----------------------------------------------------------- */

void tt_excerpt_marks_open(const struct tt_excerpt_request *request, struct tt_events *events)
{
    for (unsigned i = 0; i < request->mark_count; i++) {
        struct tt_excerpt_mark *mark = &request->marks[i];
        struct tt_event event;
        uint64_t row = tt_events_row_at_key(events, mark->ticks, mark->pos);
        mark->is_event = tt_events_read(events, row, 1, &event) == 1 &&
                         event.ticks == mark->ticks && event.pos == mark->pos &&
                         event.type != UINT32_MAX;
        mark->type = mark->is_event ? event.type : 0;
        mark->before = 0;
        mark->is_saved = false;
    }
}

void tt_excerpt_marks_see(const struct tt_excerpt_request *request, const struct tt_event *event)
{
    for (unsigned i = 0; i < request->mark_count; i++) {
        struct tt_excerpt_mark *mark = &request->marks[i];
        if (mark->is_event && mark->ticks == event->ticks && mark->type == event->type) {
            mark->is_saved |= mark->pos == event->pos;
            mark->before += !mark->is_saved;
        }
    }
}

/* ---- the session ---------------------------------------------------------------------------- */

unsigned tt_excerpt_marks_saved(const struct tt_excerpt_mark *marks, unsigned count)
{
    unsigned saved = 0;
    for (unsigned i = 0; i < count; i++) {
        saved += marks[i].is_saved;
    }
    return saved;
}

static void excerpt_marks_put_type(const struct tt_capture *capture, uint32_t number,
                                   struct tt_text *text)
{
    const struct tt_event_type *type = tt_types_at(capture, number);
    tt_text_str(text, type->class_name);
    tt_text_char(text, ' ');
    tt_text_str(text, type->name);
}

void tt_excerpt_session(const struct tt_capture *capture, const struct tt_excerpt_mark *marks,
                        unsigned count, const struct tt_excerpt_counts *counts,
                        struct tt_text *text)
{
    tt_text_str(text, TT_SESSION_HEAD);
    tt_session_numbers(text, "size", &counts->bytes, 1);
    tt_text_char(text, '\n');
    for (unsigned i = 0; i < count; i++) {
        const struct tt_excerpt_mark *mark = &marks[i];
        if (!mark->is_saved) {
            continue;
        }
        char type[TYPE_BYTES];
        struct tt_text of = tt_text_of(type, sizeof type);
        excerpt_marks_put_type(capture, mark->type, &of);
        tt_text_str(text, counts->is_copy ? "mark " : "moved ");
        tt_text_char(text, mark->letter);
        tt_session_numbers(
            text, "",
            (uint64_t[]){mark->ticks, counts->is_copy ? mark->pos : mark->before, mark->set}, 3);
        tt_session_word(text, mark->note);
        if (!counts->is_copy) {
            tt_session_word(text, tt_text_cstr(&of));
            tt_session_numbers(text, "", &counts->begin_ticks, 1);
        }
        tt_text_char(text, '\n');
    }
    tt_session_finish(text);
}

/* ---- in the excerpt ------------------------------------------------------------------------- */

static bool excerpt_marks_has_type(const struct tt_capture *capture, const struct tt_event *event,
                                   const char *word)
{
    char type[TYPE_BYTES], escaped[4 * TYPE_BYTES];
    struct tt_text of = tt_text_of(type, sizeof type);
    struct tt_text text = tt_text_of(escaped, sizeof escaped);
    if (event->type == UINT32_MAX) {
        return false;
    }
    excerpt_marks_put_type(capture, event->type, &of);
    tt_session_word(&text, tt_text_cstr(&of));
    return strcmp(tt_text_cstr(&text) + 1, word) == 0;
}

/* Finds the event number `rank` of a type at a time. */
static bool find_at(const struct tt_capture *capture, struct tt_events *events, uint64_t ticks,
                    uint64_t rank, const char *type, struct tt_event *found)
{
    struct tt_event batch[BATCH];
    uint64_t row = tt_events_row_at_time(events, ticks);
    for (uint32_t read = 0; read < READ_MOST; read += BATCH) {
        uint32_t count = tt_events_read(events, row + read, BATCH, batch);
        for (uint32_t i = 0; i < count && batch[i].ticks == ticks; i++) {
            bool counts = !(batch[i].flags & TT_EVENT_UNNUMBERED) &&
                          excerpt_marks_has_type(capture, &batch[i], type);
            if (counts && rank-- == 0) {
                *found = batch[i];
                return true;
            }
        }
        if (count < BATCH || batch[count - 1].ticks != ticks) {
            break;
        }
    }
    return false;
}

bool tt_excerpt_mark_find(struct tt_trace *trace, struct tt_events *events, char *const *words,
                          int count, struct tt_event *event)
{
    uint64_t ticks, before, begin;
    if (count < 8 || !tt_session_number(words[2], &ticks) ||
        !tt_session_number(words[3], &before) || !tt_session_number(words[7], &begin)) {
        return false;
    }

    /*
     * Finds the difference of the ticks of the capture and of the excerpt, whose beginning is at
     * `begin` of the capture: clocks of 32 bits begin with its low half, ThreadX captures at 0.
     */
    uint64_t first = tt_trace_progress(trace).first_ticks;
    const uint64_t half = UINT64_C(1) << 32;
    const uint64_t candidates[] = {0, begin / half * half, begin};
    uint64_t less = 0, least = UINT64_MAX;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        uint64_t rest = begin - candidates[i];
        uint64_t apart = rest > first ? rest - first : first - rest;
        if (apart < least) {
            least = apart;
            less = candidates[i];
        }
    }

    return ticks >= less &&
           find_at(tt_trace_capture(trace), events, ticks - less, before, words[6], event);
}
