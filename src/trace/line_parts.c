/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/line_parts.h"

#include <string.h>

#include "base/text_columns.h"
#include "base/text_units.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/time.h"

/* ---- text --------------------------------------------------------------------------------- */

uint64_t tt_line_ns(const struct tt_capture *capture, uint64_t ticks)
{
    int64_t ns;
    return capture->clock_hz != 0 && tt_ticks_to_ns(ticks, capture->clock_hz, &ns) ? (uint64_t)ns
                                                                                   : ticks;
}

uint64_t tt_line_part_ns(const struct tt_capture *capture, uint64_t before, uint64_t ticks)
{
    return tt_line_ns(capture, before + ticks) - tt_line_ns(capture, before);
}

void tt_line_duration_with(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks,
                           const char *micro)
{
    const uint64_t ns = tt_line_ns(capture, ticks);
    if (capture->clock_hz == 0) {
        tt_text_u64(text, ns);
    } else {
        tt_text_duration(text, ns, micro);
    }
}

void tt_line_duration(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks)
{
    tt_line_duration_with(text, capture, ticks, TT_MICROSECONDS);
    if (text->used > 1 && text->buffer[text->used - 2] == ' ') {
        tt_text_char(text, ' '); /* units of one letter end where the others do not */
    }
}

void tt_line_duration_in(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks,
                         size_t width)
{
    char number[40];
    struct tt_text shown = tt_text_of(number, sizeof number);
    if (ticks == UINT64_MAX) {
        tt_text_char(&shown, '-');
    } else {
        tt_line_duration(&shown, capture, ticks);
    }
    const size_t columns = tt_text_columns(shown.buffer, shown.used);
    tt_text_fill(text, ' ', columns < width ? width - columns : 0);
    tt_text_bytes(text, shown.buffer, shown.used);
}

const char *tt_line_state(const struct tt_capture *capture, unsigned state)
{
    return tt_format_state(capture->format, state)->name;
}

void tt_line_cut(struct tt_text *text, size_t start, size_t width)
{
    const char *bytes = tt_text_from(text, start);
    if (tt_text_columns(bytes, text->used - start) > width) {
        text->used = start + tt_text_fitting(bytes, text->used - start, width > 2 ? width - 2 : 0);
        tt_text_str(text, "..");
    }
}

void tt_line_column(struct tt_text *text, const char *bytes, size_t length, size_t width)
{
    size_t start = text->used;
    tt_text_bytes(text, bytes, length);
    tt_line_cut(text, start, width);
    size_t columns = tt_text_columns(tt_text_from(text, start), text->used - start);
    tt_text_fill(text, ' ', columns < width ? width - columns + 1 : 1);
}

void tt_line_number(struct tt_text *text, uint64_t number, size_t width)
{
    tt_text_u64_width(text, number, (unsigned)width, ' ');
}

void tt_line_thread_in(struct tt_text *text, const struct tt_capture *capture, uint32_t thread,
                       size_t width)
{
    char name[512];
    struct tt_text shown = tt_text_of(name, sizeof name);
    if (thread < tt_thread_count(capture)) {
        tt_line_thread(&shown, capture, thread);
    }
    tt_line_column(text, shown.buffer, shown.used, width);
}

size_t tt_line_thread_columns(const struct tt_capture *capture, uint32_t thread)
{
    char name[512];
    struct tt_text shown = tt_text_of(name, sizeof name);
    if (thread < tt_thread_count(capture)) {
        tt_line_thread(&shown, capture, thread);
    }
    return tt_text_columns(shown.buffer, shown.used);
}

void tt_line_finish(struct tt_text *text, size_t start, size_t width)
{
    tt_line_cut(text, start, width);
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

/* ---- fields of records -------------------------------------------------------------------- */

void tt_field_time(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                   uint64_t ticks)
{
    tt_field_part(fields, capture, key, 0, ticks);
}

void tt_field_part(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                   uint64_t before, uint64_t ticks)
{
    char name[48];
    struct tt_text whole = tt_text_of(name, sizeof name);
    tt_text_str(&whole, key);
    tt_text_str(&whole, capture->clock_hz ? "_ns" : "_ticks");
    tt_field_number(fields, tt_text_cstr(&whole), ticks != UINT64_MAX,
                    tt_line_part_ns(capture, before, ticks));
}

void tt_field_lane(struct tt_fields *fields, const struct tt_capture *capture, uint32_t thread,
                   const char *pid, const char *tid, const char *name)
{
    bool known = capture && thread < tt_thread_count(capture);
    const struct tt_thread *t = known ? tt_thread_at(capture, thread) : NULL;
    tt_field_number(fields, pid, known, known ? tt_process_at(capture, t->process)->pid : 0);
    tt_field_number(fields, tid, known, known ? t->tid : 0);
    if (name) {
        tt_field_thread(fields, capture, name, known ? thread : TT_NO_THREAD);
    }
}

void tt_field_thread(struct tt_fields *fields, const struct tt_capture *capture, const char *key,
                     uint32_t thread)
{
    if (thread == TT_NO_THREAD) {
        tt_field_none(fields, key);
        return;
    }
    size_t start = tt_field_open_text(fields, key);
    tt_line_thread_with(fields->text, capture, thread,
                        fields->form == TT_FIELDS_JSON ? tt_text_json_part : tt_text_escaped);
    tt_field_close_text(fields, start);
}
