/* SPDX-License-Identifier: Apache-2.0 */
/* events/detail: fields and bytes of one event. */
#include "tui/views/events/detail.h"

#include <stdio.h>
#include <string.h>

#include "trace/arg_names.h"
#include "tracetui/event_line.h"
#include "tui/lanes/cause.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/status.h"

#define LINE_BYTES   1024
#define NAME_WIDTH   11
#define NAME_WIDE    20 /* in an area of at least WIDE columns */
#define WIDE         48
#define TYPE_WIDTH   5
#define PARTS_MAX    64
#define BYTES_A_ROW  16
#define HEX_WIDTH    (3 * BYTES_A_ROW + 1) /* including the bracket on each side */
#define ASCII_WIDTH  (BYTES_A_ROW + 2)
#define FIELDS_LEAST 31 /* minimum columns of the fields beside the bytes */
#define FIELDS_MOST  64

int tt_detail_height(int body_height)
{
    int fields = body_height / 4;
    if (fields < 3) {
        fields = body_height < 12 ? 2 : 3;
    }
    return fields + 2;
}

void tt_detail_choose(const struct tt_workspace *ws, struct tt_detail *detail, bool next)
{
    unsigned count = 0;
    if (ws->nav.cursor.valid &&
        tt_events_describe(ws->opened.events, &ws->nav.cursor.event, detail->args)) {
        count = detail->args->count;
    }
    if (count == 0) {
        return;
    }
    unsigned at = detail->field < count ? detail->field : count - 1;
    detail->field = next ? (at + 1) % count : (at + count - 1) % count;
}

bool tt_detail_plot(const struct tt_workspace *ws, const struct tt_detail *detail,
                    struct tt_text *text)
{
    const struct tt_event *event = &ws->nav.cursor.event;
    if (!ws->nav.cursor.valid || !tt_events_describe(ws->opened.events, event, detail->args) ||
        detail->args->count == 0) {
        return false;
    }
    const unsigned count = detail->args->count;
    const struct tt_arg *arg = &detail->args->v[detail->field < count ? detail->field : count - 1];
    tt_text_put(text, "plot value of event = \"%s\".arg.",
                tt_types_at(ws->opened.capture, event->type)->name);
    tt_text_escaped(text, arg->name.data, arg->name.length);
    return arg->type != TT_ARG_STRING && arg->type != TT_ARG_BYTES && arg->type != TT_ARG_NULL;
}

/* ---- what stands above the fields ---------------------------------------------------------- */

static void draw_rule(const struct tt_workspace *ws, struct tt_area line,
                      const struct tt_part *parts, uint32_t part_count)
{
    const struct tt_event *event = &ws->nav.cursor.event;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < part_count && i < PARTS_MAX; i++) {
        bytes += parts[i].length;
    }
    tt_draw_fill(line, 0, 0, line.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    int x = 1;
    if (event->flags & TT_EVENT_DERIVED) {
        tt_text_str(&text, " derived event, not in the file ");
    } else {
        tt_text_put(&text, " event %'ju ", tt_events_number(ws->opened.events, ws->nav.cursor.row));
    }
    x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TITLE, buffer, text.used) + 2;
    if (bytes > 0) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, " offset 0x");
        tt_text_hex(&text, parts[0].offset, 1);
        tt_text_put(&text, ", %ju bytes ", bytes);
        if (part_count > 1) {
            tt_text_put(&text, "in %u records ", part_count);
        }
        x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TEXT, buffer, text.used) + 2;
    }
    if (event->thread != TT_NO_THREAD) {
        tt_draw(line, x, 0, line.width - x, TT_ROLE_TEXT,
                event->flags & TT_EVENT_INFERRED ? " thread inferred " : " thread recorded ");
    }
}

/* Appends the thread, and its process: "pid 4101", or "u/s/pt-7 (4101)" if its name is longer than the label's. */
static void write_thread(struct tt_text *text, const struct tt_capture *capture, uint32_t number)
{
    if (number >= tt_thread_count(capture)) {
        return;
    }
    const struct tt_thread *thread = tt_thread_at(capture, number);
    const struct tt_process *process = tt_process_at(capture, thread->process);
    size_t length, base_length;
    const char *name = tt_capture_text(capture, process->name, &length);
    tt_process_base_name(capture, process, &base_length);
    tt_text_str(text, "  ");
    tt_line_thread(text, capture, number);
    if (length > base_length) {
        tt_text_str(text, ", ");
        tt_text_escaped(text, name, length);
        tt_text_str(text, " (");
        tt_line_id(text, capture, thread->process, process->pid);
        tt_text_char(text, ')');
    } else if (process->pid != 0) {
        tt_text_str(text, ", pid ");
        tt_line_id(text, capture, thread->process, process->pid);
    }
}

/*
 * Appends "  MUTEX held by store/2 journal, READY": the thread's state, if its cause is known and all of
 * it fits into WIDTH columns. A part of a cause is of little use and would be drawn on every line.
 */
static void write_cause(struct tt_text *text, const struct tt_workspace *ws,
                        const struct tt_event *event, const struct tt_area *line, int width)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval interval;
    size_t start = text->used;
    if (!timelines || event->thread >= tt_thread_count(ws->opened.capture) ||
        !tt_lane_at(timelines, event->thread, event->ticks, &interval)) {
        return;
    }
    tt_text_put(text, "  %s ", tt_lanes_state_name(ws, interval.state));
    if (!tt_lanes_cause(ws, &interval, text) ||
        tt_grid_columns(line->grid, text->buffer, text->used) > width) {
        text->used = start;
    }
}

static void draw_headline(const struct tt_workspace *ws, struct tt_area line)
{
    const struct tt_event *event = &ws->nav.cursor.event;
    const struct tt_event_type *type = tt_types_at(ws->opened.capture, event->type);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&text, type->class_name, strlen(type->class_name));
    tt_text_char(&text, ' ');
    tt_text_escaped(&text, type->name, strlen(type->name));
    int x = 1 + tt_draw_text(line, 1, 0, line.width - 1, TT_ROLE_TITLE, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    if (event->kind != TT_KIND_EVENT) {
        tt_text_put(&text, "  %s", tt_kind_name(event->kind));
    }
    if (event->cpu != TT_NO_CPU) {
        tt_text_put(&text, "  cpu %d", event->cpu);
    }
    write_thread(&text, ws->opened.capture, event->thread);
    write_cause(&text, ws, event, &line, line.width - x);
    x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TEXT, buffer, text.used);
    if (event->flags & (TT_EVENT_MALFORMED | TT_EVENT_UNFINISHED)) {
        tt_draw(line, x + 2, 0, line.width - x - 2, TT_ROLE_WARNING,
                event->flags & TT_EVENT_MALFORMED ? "malformed" : "incomplete");
    }
}

/* ---- fields -------------------------------------------------------------------------------- */

static const char *type_name(const struct tt_arg *arg, char out[8])
{
    unsigned bits = arg->raw_length > 0 && arg->raw_length <= 8 ? arg->raw_length * 8 : 64;
    switch (arg->type) {
    case TT_ARG_I64:
        snprintf(out, 8, "i%u", bits);
        return out;
    case TT_ARG_U64:
    case TT_ARG_HEX:
        snprintf(out, 8, "u%u", bits);
        return out;
    case TT_ARG_POINTER:
        return "addr";
    case TT_ARG_DOUBLE:
        return "f64";
    case TT_ARG_BOOL:
        return "bool";
    case TT_ARG_STRING:
        return "str";
    case TT_ARG_BYTES:
        return "bytes";
    case TT_ARG_KOID:
        return "koid";
    default:
        return "null";
    }
}

static int name_width(int fields)
{
    return fields >= WIDE ? NAME_WIDE : NAME_WIDTH;
}

static void draw_field(struct tt_area area, int y, const struct tt_arg *arg, bool chosen)
{
    char buffer[LINE_BYTES], number[8];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    unsigned role = arg->hidden ? TT_ROLE_DIM : TT_ROLE_TEXT;
    tt_text_escaped(&text, arg->name.data, arg->name.length);
    int names = name_width(area.width);
    int x = 1 + names;
    tt_draw_text(area, 1, y, names - 1, role, buffer, text.used);
    tt_draw(area, x, y, TYPE_WIDTH, TT_ROLE_DIM, type_name(arg, number));
    x += TYPE_WIDTH;
    text = tt_text_of(buffer, sizeof buffer);
    tt_line_value(&text, arg);
    tt_draw_text(area, x, y, area.width - x, role, buffer, text.used);
    if (chosen) {
        tt_draw_over(area, 1, y, names - 1, TT_ROLE_FIELD);
    }
}

static void draw_fields(struct tt_area area, const struct tt_args *args, unsigned chosen)
{
    unsigned lines = (unsigned)area.height;
    unsigned first = chosen >= lines ? chosen - lines + 1 : 0;
    if (args->count == 0) {
        tt_draw(area, 1, 0, area.width - 1, TT_ROLE_DIM, "no arguments");
    }
    for (unsigned i = first; i < args->count && i - first < lines; i++) {
        draw_field(area, (int)(i - first), &args->v[i], i == chosen);
    }
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* A row of the event's bytes, concatenated over its records. */
struct window {
    uint8_t bytes[BYTES_A_ROW];
    uint64_t payload[BYTES_A_ROW]; /* offset in the payload; UINT64_MAX: header byte */
    unsigned count;
};

static void read_window(const struct tt_workspace *ws, const struct tt_part *parts,
                        uint32_t part_count, uint64_t from, struct window *window)
{
    uint64_t part_start = 0, payload_start = 0;
    window->count = 0;
    for (uint32_t i = 0; i < part_count && window->count < BYTES_A_ROW; i++) {
        const struct tt_part *part = &parts[i];
        uint64_t at = from + window->count;
        if (at < part_start + part->length && at >= part_start) {
            uint64_t skip = at - part_start;
            uint64_t length = part->length - skip;
            size_t room = BYTES_A_ROW - window->count;
            size_t wanted = length < room ? (size_t)length : room;
            size_t got = tt_events_copy_bytes(ws->opened.events, part->offset + skip,
                                              window->bytes + window->count, wanted);
            for (size_t j = 0; j < got; j++) {
                uint64_t in_part = skip + j;
                window->payload[window->count++] =
                    in_part < part->header ? UINT64_MAX : payload_start + in_part - part->header;
            }
            if (got < wanted) {
                return;
            }
        }
        part_start += part->length;
        payload_start += part->length > part->header ? part->length - part->header : 0;
    }
}

static bool detail_is_selected(const struct window *window, unsigned i, const struct tt_arg *arg)
{
    uint64_t at = window->payload[i];
    return arg && i < window->count && at != UINT64_MAX && at >= arg->raw_offset &&
           at - arg->raw_offset < arg->raw_length;
}

static void draw_byte_row(struct tt_area area, int y, const struct window *window,
                          const struct tt_arg *selected)
{
    static const char digits[] = "0123456789abcdef";
    bool ascii = area.width >= HEX_WIDTH + ASCII_WIDTH;
    for (unsigned i = 0; i < window->count; i++) {
        int x = 1 + 3 * (int)i;
        uint8_t byte = window->bytes[i];
        bool now = detail_is_selected(window, i, selected);
        bool before = i > 0 && detail_is_selected(window, i - 1, selected);
        unsigned role = now                                ? TT_ROLE_HEX_FIELD
                        : window->payload[i] == UINT64_MAX ? TT_ROLE_HEX
                                                           : TT_ROLE_TEXT;
        if (now != before) {
            tt_draw_fill(area, x - 1, y, 1, TT_ROLE_HEX_FIELD, now ? '[' : ']');
        }
        if (now && i + 1 == window->count) {
            tt_draw_fill(area, x + 2, y, 1, TT_ROLE_HEX_FIELD, ']');
        }
        char pair[3] = {digits[byte >> 4], digits[byte & 15], '\0'};
        tt_draw(area, x, y, 2, role, pair);
        if (ascii) {
            bool plain = byte >= 0x20 && byte < 0x7f;
            tt_draw_fill(area, HEX_WIDTH + 1 + (int)i, y, 1, role, plain ? byte : '.');
        }
    }
}

/* Returns the index of the selected field's first byte; 0 if it has none. */
static uint64_t place_of_field(const struct tt_part *parts, uint32_t part_count,
                               const struct tt_arg *arg)
{
    uint64_t part_start = 0, payload_start = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        uint64_t payload =
            parts[i].length > parts[i].header ? parts[i].length - parts[i].header : 0;
        if (arg->raw_offset < payload_start + payload) {
            return part_start + parts[i].header + (arg->raw_offset - payload_start);
        }
        part_start += parts[i].length;
        payload_start += payload;
    }
    return 0;
}

/* Draws the event's bytes; returns the lines used. */
static int draw_bytes(const struct tt_workspace *ws, struct tt_area area,
                      const struct tt_part *parts, uint32_t part_count,
                      const struct tt_arg *selected)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        total += parts[i].length;
    }
    uint64_t rows = (total + BYTES_A_ROW - 1) / BYTES_A_ROW;
    uint64_t first = 0, lines = (uint64_t)area.height;
    if (selected && selected->raw_length > 0) {
        uint64_t row = place_of_field(parts, part_count, selected) / BYTES_A_ROW;
        first = row >= lines ? row - lines + 1 : 0;
    }
    for (uint64_t row = first; row < rows && row - first < lines; row++) {
        struct window window;
        read_window(ws, parts, part_count, row * BYTES_A_ROW, &window);
        draw_byte_row(area, (int)(row - first), &window, selected);
    }
    return rows - first < lines ? (int)(rows - first) : area.height;
}

/* Draws the full value of a field truncated on its own line, over the remaining lines. */
static void draw_whole_value(struct tt_area area, const struct tt_arg *arg, int shown)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_line_value(&text, arg);
    if (tt_grid_columns(area.grid, buffer, text.used) <= shown) {
        return;
    }
    size_t at = 0;
    for (int y = 0; y < area.height && at < text.used; y++) {
        size_t length = y + 1 < area.height ? tt_grid_fitting(area.grid, buffer + at,
                                                              text.used - at, area.width - 1)
                                            : text.used - at;
        tt_draw_text(area, 1, y, area.width - 1, TT_ROLE_TEXT, buffer + at, length);
        at += length;
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

void tt_detail_draw(const struct tt_workspace *ws, const struct tt_detail *detail,
                    struct tt_area area)
{
    if (!ws->nav.cursor.valid || area.height < 2) {
        return;
    }
    struct tt_part parts[PARTS_MAX];
    uint32_t part_count =
        tt_events_parts(ws->opened.events, &ws->nav.cursor.event, parts, PARTS_MAX);
    uint32_t known = part_count < PARTS_MAX ? part_count : PARTS_MAX;
    draw_rule(ws, area, parts, part_count);
    draw_headline(ws, tt_area_part(area, 0, 1, area.width, 1));

    bool there = tt_events_describe(ws->opened.events, &ws->nav.cursor.event, detail->args);
    struct tt_area below = tt_area_part(area, 0, 2, area.width, area.height - 2);
    if (!there) {
        tt_draw(below, 1, 0, below.width - 1, TT_ROLE_WARNING,
                "the file no longer contains its bytes");
        return;
    }
    tt_args_resolve(ws->opened.events, &ws->nav.cursor.event, detail->args);
    unsigned count = detail->args->count;
    unsigned chosen = detail->field < count ? detail->field : count > 0 ? count - 1 : 0;
    int fields = below.width;
    if (below.width >= FIELDS_LEAST + HEX_WIDTH) {
        fields = below.width - HEX_WIDTH - ASCII_WIDTH;
        fields = fields > FIELDS_MOST ? FIELDS_MOST : fields;
        fields = fields < FIELDS_LEAST ? FIELDS_LEAST : fields;
        struct tt_area right = tt_area_part(below, fields, 0, below.width - fields, below.height);
        const struct tt_arg *arg = count > 0 ? &detail->args->v[chosen] : NULL;
        int used = draw_bytes(ws, right, parts, known, arg);
        if (arg) {
            draw_whole_value(tt_area_part(right, 0, used, right.width, right.height - used), arg,
                             fields - 1 - name_width(fields) - TYPE_WIDTH);
        }
    }
    draw_fields(tt_area_part(below, 0, 0, fields, below.height), detail->args, chosen);
}

/* ---- copying ------------------------------------------------------------------------------- */

void tt_detail_copy(const struct tt_workspace *ws, const struct tt_event *event,
                    const struct tt_args *args, struct tt_text *text)
{
    const struct tt_capture *capture = ws->opened.capture;
    const struct tt_event_type *type = tt_types_at(capture, event->type);
    tt_text_str(text, "time=");
    tt_line_time(text, capture,
                 tt_relative_ticks(capture, event->ticks, ws->index.progress.first_ticks));
    if (event->cpu != TT_NO_CPU) {
        tt_text_put(text, "\ncpu=%d", event->cpu);
    }
    if (event->thread != TT_NO_THREAD) {
        tt_text_str(text, "\nthread=");
        tt_line_thread_path(text, capture, event->thread);
    }
    tt_text_str(text, "\nclass=");
    tt_text_escaped(text, type->class_name, strlen(type->class_name));
    tt_text_str(text, "\nevent=");
    tt_text_escaped(text, type->name, strlen(type->name));
    for (unsigned i = 0; i < args->count; i++) {
        tt_text_char(text, '\n');
        tt_text_escaped(text, args->v[i].name.data, args->v[i].name.length);
        tt_text_char(text, '=');
        tt_line_value(text, &args->v[i]);
    }
}
