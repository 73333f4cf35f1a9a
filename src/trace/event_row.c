/* SPDX-License-Identifier: Apache-2.0 */
/* event_row: an event as a record; the fast writer copies what the general one has rendered. */
#include "trace/event_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/format_fast.h"
#include "base/u128.h"
#include "trace/line_parts.h"
#include "trace/text_cells.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"

/* ---- the fields --------------------------------------------------------------------------- */

static void event_row_put_times(struct tt_fields *fields, uint64_t clock_hz,
                                const struct tt_event *event, uint64_t number)
{
    int64_t ns;
    tt_field_number(fields, "n", !(event->flags & TT_EVENT_UNNUMBERED), number);
    tt_field_u64(fields, "ticks", event->ticks);
    if (tt_ticks_to_ns(event->ticks, clock_hz, &ns)) {
        tt_field_i64(fields, "ns", ns);
    } else {
        tt_field_none(fields, "ns");
    }
    tt_field_number(fields, "cpu", event->cpu != TT_NO_CPU, event->cpu);
}

static void event_row_put_type(struct tt_fields *fields, const struct tt_event_type *type)
{
    tt_field_text(fields, "class", type ? type->class_name : NULL);
    tt_field_text(fields, "event", type ? type->name : NULL);
}

/* The kind is the last field before the arguments. */
static void event_row_put_kind(struct tt_fields *fields, uint32_t kind)
{
    tt_field_text(fields, "kind", tt_kind_name(kind));
    tt_field_open(fields, "args", '{');
}

static void event_row_put_tail(struct tt_fields *fields, uint64_t offset,
                               const struct tt_event *event)
{
    tt_field_close(fields, '}');
    tt_field_u64(fields, "offset", offset);
    tt_field_u64(fields, "length", event->length);
}

static void put_flags(struct tt_fields *fields, bool inferred, bool derived)
{
    tt_field_flag(fields, "inferred", inferred);
    tt_field_flag(fields, "derived", derived);
    tt_fields_end(fields);
}

void tt_row_header(struct tt_text *text, bool has_capture)
{
    const struct tt_event none = {.thread = TT_NO_THREAD};
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_HEADER);
    if (has_capture) {
        tt_field_none(&fields, "capture");
    }
    event_row_put_times(&fields, 0, &none, 0);
    tt_field_lane(&fields, NULL, none.thread, "pid", "tid", "thread");
    event_row_put_type(&fields, NULL);
    event_row_put_kind(&fields, none.kind);
    event_row_put_tail(&fields, 0, &none);
    put_flags(&fields, false, false);
}

/* ---- rendered once ------------------------------------------------------------------------ */

/* A text between two fields; all 16 bytes are copied at once. */
struct separator {
    char text[16];
    uint8_t length;
};

#define ENDING_ROOM 48u
#define ENDINGS     4u /* inferred or not, derived or not */

struct ending {
    char text[ENDING_ROOM];
    uint8_t length;
};

struct tt_row_names {
    /* The text before a number; `first` begins the record. */
    struct separator first, number, ticks, ns, cpu, offset, length;
    struct separator none;          /* a value that the event does not have */
    struct ending endings[ENDINGS]; /* by the flags inferred (1) and derived (2) */
    uint64_t exact;                 /* larger numbers need the general writer */
    struct tt_divider clock;        /* ticks per second; divisor 0: no clock */
    bool has_quick_time; /* the clock is one that `clock` can represent, or there is none */
    struct tt_name_cells rendered;
    struct tt_cell *kinds;
};

/* Instantiated once per form: cells have no parameter for it. */
#define CELL_WRITERS(form, FORM)                                                                   \
    static void form##_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread)   \
    {                                                                                              \
        tt_field_lane(&(struct tt_fields){text, FORM, true, false}, c, thread, "pid", "tid",       \
                      "thread");                                                                   \
    }                                                                                              \
    static void form##_type(struct tt_text *text, const struct tt_capture *c, uint32_t type)       \
    {                                                                                              \
        event_row_put_type(&(struct tt_fields){text, FORM, true, false}, tt_types_at(c, type));    \
    }                                                                                              \
    static void form##_kind(struct tt_text *text, const struct tt_capture *c, uint32_t kind)       \
    {                                                                                              \
        (void)c;                                                                                   \
        event_row_put_kind(&(struct tt_fields){text, FORM, true, false}, kind);                    \
    }

CELL_WRITERS(csv, TT_FIELDS_CSV)
CELL_WRITERS(json, TT_FIELDS_JSON)

/* Renders what precedes the value of a field; `key` NULL: an unknown value. */
static struct separator separator_of(struct tt_fields fields, const char *key)
{
    struct separator separator = {.length = 0};
    struct tt_text text = tt_text_of(separator.text, sizeof separator.text);
    fields.text = &text;
    if (key) {
        tt_field_key(&fields, key);
    } else {
        tt_field_none(&fields, NULL);
    }
    separator.length = (uint8_t)text.used;
    return separator;
}

struct tt_row_names *tt_row_names_new(const struct tt_capture *capture, enum tt_fields_form form)
{
    struct tt_row_names *names = calloc(1, sizeof *names);
    bool json = form == TT_FIELDS_JSON;
    if (!names) {
        return NULL;
    }

    const struct tt_fields next = {.form = form, .begun = true};
    const struct tt_fields value = {.form = form, .named = true};
    names->number = separator_of(next, "n");
    names->ticks = separator_of(next, "ticks");
    names->ns = separator_of(next, "ns");
    names->cpu = separator_of(next, "cpu");
    names->length = separator_of(next, "length");
    names->none = separator_of(value, NULL);
    struct tt_text text = tt_text_of(names->first.text, sizeof names->first.text);
    struct tt_fields fields = tt_fields_begin(&text, form);
    tt_field_key(&fields, "n");
    names->first.length = (uint8_t)text.used;
    text = tt_text_of(names->offset.text, sizeof names->offset.text);
    fields = next;
    fields.text = &text;
    tt_field_close(&fields, '}');
    tt_field_key(&fields, "offset");
    names->offset.length = (uint8_t)text.used;
    for (unsigned i = 0; i < ENDINGS; i++) {
        text = tt_text_of(names->endings[i].text, ENDING_ROOM);
        fields = next;
        fields.text = &text;
        put_flags(&fields, i & 1, i >> 1);
        names->endings[i].length = (uint8_t)text.used;
    }

    names->exact = json ? TT_JSON_EXACT : UINT64_MAX;
    names->has_quick_time = capture->clock_hz <= UINT64_MAX / TT_NS_PER_S;
    names->clock = tt_divider_of(capture->clock_hz);
    if (tt_name_cells_open(&names->rendered, capture, json ? json_thread : csv_thread,
                           json ? json_type : csv_type)) {
        names->kinds = tt_text_cells_add_all(&names->rendered.cells, json ? json_kind : csv_kind,
                                             capture, TT_KIND_COUNT);
    }
    if (!names->kinds) {
        tt_row_names_free(names);
        return NULL;
    }
    return names;
}

void tt_row_names_free(struct tt_row_names *names)
{
    if (names) {
        tt_name_cells_close(&names->rendered);
        free(names->kinds);
        free(names);
    }
}

/* ---- the fast writer -------------------------------------------------------------------------- */

/* Bytes of separators and numbers, with the bytes that are changed after the last one. */
#define HEAD_ROOM 192u
#define TAIL_ROOM 128u

struct tt_row_run {
    struct tt_near_number number, ticks, ns, offset;
    uint64_t second;    /* ticks: [second, second + clock) is the second of the last event */
    uint64_t second_ns; /* the same time in nanoseconds */
    bool second_is_known;
};

struct tt_row_run *tt_row_run_new(void)
{
    return calloc(1, sizeof(struct tt_row_run));
}

void tt_row_run_free(struct tt_row_run *run)
{
    free(run);
}

static inline char *quick_separator(char *to, const struct separator *separator)
{
    memcpy(to, separator->text, sizeof separator->text);
    return to + separator->length;
}

/* Converts ticks to nanoseconds up to INT64_MAX; false beyond. Divides by multiplication. */
static inline bool quick_ns(struct tt_row_run *run, const struct tt_row_names *names,
                            uint64_t ticks, uint64_t *ns)
{
    if (!run->second_is_known || ticks - run->second >= names->clock.by) {
        const uint64_t seconds = tt_divided(ticks, names->clock);
        if (seconds >= INT64_MAX / TT_NS_PER_S) {
            return false;
        }
        run->second = seconds * names->clock.by;
        run->second_ns = seconds * TT_NS_PER_S;
        run->second_is_known = true;
    }
    *ns = run->second_ns + tt_divided((ticks - run->second) * TT_NS_PER_S, names->clock);
    return true;
}

/* Writes number, ticks and nanoseconds; returns NULL if one of them needs the general writer. */
static inline char *quick_times(char *to, struct tt_row_run *run, const struct tt_row_names *names,
                                const struct separator *before, const struct tt_event *event,
                                uint64_t number)
{
    const bool has_clock = names->clock.by != 0;
    uint64_t ns = 0;
    if (!names->has_quick_time || (has_clock && !quick_ns(run, names, event->ticks, &ns)) ||
        number > names->exact || event->ticks > names->exact || ns > names->exact) {
        return NULL;
    }
    to = quick_separator(to, before);
    to = event->flags & TT_EVENT_UNNUMBERED ? quick_separator(to, &names->none)
                                            : tt_fast_near(to, &run->number, number);
    to = quick_separator(to, &names->ticks);
    to = tt_fast_near(to, &run->ticks, event->ticks);
    to = quick_separator(to, &names->ns);
    return has_clock ? tt_fast_near(to, &run->ns, ns) : quick_separator(to, &names->none);
}

/*
 * Writes the same as general_head from the rendered names and returns its end; NULL if that is not
 * possible or may not fit before `end`.
 */
static inline char *quick_head(char *to, const char *end, struct tt_row_run *run,
                               const struct tt_row_names *names, const struct separator *before,
                               const struct tt_event *event, uint64_t number)
{
    const struct tt_cell *thread = tt_thread_cell(&names->rendered, event->thread);
    const struct tt_cell *type = tt_type_cell(&names->rendered, event->type);
    const struct tt_cell *kind = tt_cell_find(names->kinds, TT_KIND_COUNT, event->kind);
    if (!thread || !type || !kind ||
        (size_t)(end - to) < HEAD_ROOM + (size_t)thread->length + type->length + kind->length) {
        return NULL;
    }
    to = quick_times(to, run, names, before, event, number);
    if (!to) {
        return NULL;
    }
    to = quick_separator(to, &names->cpu);
    to = event->cpu == TT_NO_CPU ? quick_separator(to, &names->none) : tt_fast_u64(to, event->cpu);
    to = tt_cell_copy(to, &names->rendered.cells, thread);
    to = tt_cell_copy(to, &names->rendered.cells, type);
    return tt_cell_copy(to, &names->rendered.cells, kind);
}

/* Writes the same as general_tail and returns its end; NULL as for quick_head. */
static inline char *quick_tail(char *to, const char *end, struct tt_row_run *run,
                               const struct tt_row_names *names, uint64_t offset,
                               const struct tt_event *event)
{
    const struct ending *ending = &names->endings[((event->flags & TT_EVENT_INFERRED) != 0) +
                                                  2 * ((event->flags & TT_EVENT_DERIVED) != 0)];
    if ((size_t)(end - to) < TAIL_ROOM || offset > names->exact) {
        return NULL;
    }
    to = quick_separator(to, &names->offset);
    to = tt_fast_near(to, &run->offset, offset);
    to = quick_separator(to, &names->length);
    to = tt_fast_u64(to, event->length);
    memcpy(to, ending->text, sizeof ending->text);
    return to + ending->length;
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* Moves the end of the text to `to`, which is inside the buffer; returns false for NULL. */
static bool event_row_advance(struct tt_text *text, const char *to)
{
    text->used = to ? (size_t)(to - text->buffer) : text->used;
    return to != NULL;
}

struct tt_fields tt_row_head(struct tt_text *text, enum tt_fields_form form,
                             const struct tt_capture *capture, const struct tt_row_names *names,
                             struct tt_row_run *run, const struct tt_event *event, uint64_t number)
{
    const char *member = tt_merge_name(capture, event->pos);
    const char *end = text->buffer + text->capacity;
    struct tt_row_run alone;
    struct tt_fields fields = {.text = text, .form = form};
    if (member) {
        fields = tt_fields_begin(text, form);
        tt_field_text(&fields, "capture", member);
    }
    if (!run) {
        memset(&alone, 0, sizeof alone);
        run = &alone;
    }
    if (names && event_row_advance(text, quick_head(text->buffer + text->used, end, run, names,
                                                    member ? &names->number : &names->first, event,
                                                    number))) {
        fields.begun = form == TT_FIELDS_CSV; /* the arguments are one more cell, or an object */
        return fields;
    }
    if (!member) {
        fields = tt_fields_begin(text, form);
    }
    event_row_put_times(&fields, capture->clock_hz, event, number);
    tt_field_lane(&fields, capture, event->thread, "pid", "tid", "thread");
    event_row_put_type(&fields, tt_types_at(capture, event->type));
    event_row_put_kind(&fields, event->kind);
    return fields;
}

void tt_row_tail(struct tt_fields *fields, const struct tt_capture *capture,
                 const struct tt_row_names *names, struct tt_row_run *run,
                 const struct tt_event *event)
{
    struct tt_text *text = fields->text;
    struct tt_row_run alone;
    const uint64_t offset = tt_merge_offset(capture, event->pos);
    if (!run) {
        memset(&alone, 0, sizeof alone);
        run = &alone;
    }
    if (!names || !event_row_advance(text, quick_tail(text->buffer + text->used,
                                                      text->buffer + text->capacity, run, names,
                                                      offset, event))) {
        event_row_put_tail(fields, offset, event);
        put_flags(fields, event->flags & TT_EVENT_INFERRED, event->flags & TT_EVENT_DERIVED);
    }
}
