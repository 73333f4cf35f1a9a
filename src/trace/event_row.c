/* SPDX-License-Identifier: Apache-2.0 */
/* Formats an event as a row of CSV or JSON: a table per form, and one writer for both. */
#include "tracetui/event_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/format_fast.h"
#include "base/u128.h"
#include "trace/text_cells.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/json.h"
#include "tracetui/merge.h"
#include "tracetui/time.h"

/* A text between two fields; all 16 bytes are copied at once. */
struct separator {
    char text[16];
    uint8_t length;
};

#define SEPARATOR(text)                                                                            \
    {                                                                                              \
        text, sizeof text - 1                                                                      \
    }

#define ENDING_ROOM 48u
#define ENDINGS     4u /* inferred or not, derived or not */

struct ending {
    char text[ENDING_ROOM];
    uint8_t length;
};

/* The differences between the forms. */
struct row_form {
    struct separator open, number, ticks, ns, cpu, offset, length;
    struct separator none;          /* a value that the event does not have */
    struct ending endings[ENDINGS]; /* by the flags inferred (1) and derived (2) */
    uint64_t exact;                 /* larger numbers need put_u64 */
    void (*put_u64)(struct tt_text *text, uint64_t value);
    void (*put_i64)(struct tt_text *text, int64_t value);
    void (*put_capture)(struct tt_text *text, const char *name);
    tt_cell_writer *put_thread; /* pid, tid, thread */
    tt_cell_writer *put_type;   /* class, event */
    tt_cell_writer *put_kind;
    enum tt_texts_form args;
};

/* ---- fields of CSV -------------------------------------------------------------------------- */

static void csv_escaped(struct tt_text *text, const char *str)
{
    size_t start = text->used;
    tt_text_escaped(text, str, strlen(str));
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
}

static void csv_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread)
{
    if (thread == TT_NO_THREAD) {
        tt_text_str(text, ",,,,");
        return;
    }
    const struct tt_thread *t = tt_thread_at(c, thread);
    tt_text_char(text, ',');
    tt_text_u64(text, tt_process_at(c, t->process)->pid);
    tt_text_char(text, ',');
    tt_text_u64(text, t->tid);
    tt_text_char(text, ',');
    size_t start = text->used;
    tt_line_thread(text, c, thread);
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
}

static void csv_type(struct tt_text *text, const struct tt_capture *c, uint32_t type)
{
    csv_escaped(text, tt_types_at(c, type)->class_name);
    csv_escaped(text, tt_types_at(c, type)->name);
}

static void csv_kind(struct tt_text *text, const struct tt_capture *c, uint32_t kind)
{
    (void)c;
    csv_escaped(text, tt_kind_name(kind));
}

/* ---- fields of JSON ------------------------------------------------------------------------- */

static void json_cstr(struct tt_text *text, const char *str)
{
    tt_text_json(text, str, strlen(str));
}

static void json_capture(struct tt_text *text, const char *name)
{
    tt_text_str(text, "\"capture\":");
    json_cstr(text, name);
    tt_text_char(text, ',');
}

static void json_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread)
{
    if (thread == TT_NO_THREAD) {
        tt_text_str(text, ",\"pid\":null,\"tid\":null,\"thread\":null");
        return;
    }
    const struct tt_thread *t = tt_thread_at(c, thread);
    tt_text_str(text, ",\"pid\":");
    tt_json_u64(text, tt_process_at(c, t->process)->pid);
    tt_text_str(text, ",\"tid\":");
    tt_json_u64(text, t->tid);
    tt_text_str(text, ",\"thread\":");
    tt_json_thread(text, c, thread);
}

static void json_type(struct tt_text *text, const struct tt_capture *c, uint32_t type)
{
    tt_text_str(text, ",\"class\":");
    json_cstr(text, tt_types_at(c, type)->class_name);
    tt_text_str(text, ",\"event\":");
    json_cstr(text, tt_types_at(c, type)->name);
}

/* The kind is the last field before the arguments. */
static void json_kind(struct tt_text *text, const struct tt_capture *c, uint32_t kind)
{
    (void)c;
    tt_text_str(text, ",\"kind\":");
    json_cstr(text, tt_kind_name(kind));
    tt_text_str(text, ",\"args\":{");
}

/* ---- the forms ------------------------------------------------------------------------------ */

/* clang-format off */
#define JSON_ENDING(inferred, derived)                                                             \
    SEPARATOR(",\"inferred\":" inferred ",\"derived\":" derived "}\n")

static const struct row_form forms[] = {
    [TT_ROW_CSV] = {
        .open        = SEPARATOR(""),
        .number      = SEPARATOR(""),
        .ticks       = SEPARATOR(","),
        .ns          = SEPARATOR(","),
        .cpu         = SEPARATOR(","),
        .offset      = SEPARATOR(","),
        .length      = SEPARATOR(","),
        .none        = SEPARATOR(""),
        .endings     = {SEPARATOR(",0,0\n"), SEPARATOR(",1,0\n"), SEPARATOR(",0,1\n"),
                        SEPARATOR(",1,1\n")},
        .exact       = UINT64_MAX,
        .put_u64     = tt_text_u64,
        .put_i64     = tt_text_i64,
        .put_capture = csv_escaped,
        .put_thread  = csv_thread,
        .put_type    = csv_type,
        .put_kind    = csv_kind,
        .args        = TT_TEXTS_CSV,
    },
    [TT_ROW_JSON] = {
        .open        = SEPARATOR("{"),
        .number      = SEPARATOR("\"n\":"),
        .ticks       = SEPARATOR(",\"ticks\":"),
        .ns          = SEPARATOR(",\"ns\":"),
        .cpu         = SEPARATOR(",\"cpu\":"),
        .offset      = SEPARATOR("},\"offset\":"),
        .length      = SEPARATOR(",\"length\":"),
        .none        = SEPARATOR("null"),
        .endings     = {JSON_ENDING("false", "false"), JSON_ENDING("true", "false"),
                        JSON_ENDING("false", "true"), JSON_ENDING("true", "true")},
        .exact       = TT_JSON_EXACT,
        .put_u64     = tt_json_u64,
        .put_i64     = tt_json_i64,
        .put_capture = json_capture,
        .put_thread  = json_thread,
        .put_type    = json_type,
        .put_kind    = json_kind,
        .args        = TT_TEXTS_JSON,
    },
};
/* clang-format on */

static const struct ending *ending_of(const struct row_form *form, const struct tt_event *event)
{
    return &form->endings[((event->flags & TT_EVENT_INFERRED) != 0) +
                          2 * ((event->flags & TT_EVENT_DERIVED) != 0)];
}

/* ---- names rendered once ------------------------------------------------------------------ */

struct tt_row_names {
    const struct row_form *form;
    struct tt_divider clock; /* ticks per second; divisor 0: no clock */
    bool has_quick_time;     /* the clock is one that `clock` can represent, or there is none */
    struct tt_name_cells rendered;
    struct tt_cell *kinds;
};

struct tt_row_names *tt_row_names_new(const struct tt_capture *c, enum tt_row_form form)
{
    struct tt_row_names *names = calloc(1, sizeof *names);
    if (!names) {
        return NULL;
    }
    const struct row_form *f = names->form = &forms[form];
    names->has_quick_time = c->clock_hz <= UINT64_MAX / TT_NS_PER_S;
    names->clock = tt_divider_of(c->clock_hz);
    if (tt_name_cells_open(&names->rendered, c, f->put_thread, f->put_type, f->args)) {
        names->kinds = tt_text_cells_add_all(&names->rendered.cells, f->put_kind, c, TT_KIND_COUNT);
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

/* ---- the general writer ----------------------------------------------------------------------- */

static void put_separator(struct tt_text *text, const struct separator *separator)
{
    tt_text_bytes(text, separator->text, separator->length);
}

static void general_times(struct tt_text *text, const struct row_form *form,
                          const struct tt_capture *c, const struct tt_event *event, uint64_t number)
{
    int64_t ns;
    put_separator(text, &form->number);
    if (event->flags & TT_EVENT_UNNUMBERED) {
        put_separator(text, &form->none);
    } else {
        form->put_u64(text, number);
    }
    put_separator(text, &form->ticks);
    form->put_u64(text, event->ticks);
    put_separator(text, &form->ns);
    if (tt_ticks_to_ns(event->ticks, c->clock_hz, &ns)) {
        form->put_i64(text, ns);
    } else {
        put_separator(text, &form->none);
    }
}

static void general_head(struct tt_text *text, const struct row_form *form,
                         const struct tt_capture *c, const struct tt_event *event, uint64_t number)
{
    general_times(text, form, c, event, number);
    put_separator(text, &form->cpu);
    if (event->cpu == TT_NO_CPU) {
        put_separator(text, &form->none);
    } else {
        tt_text_u64(text, event->cpu);
    }
    form->put_thread(text, c, event->thread);
    form->put_type(text, c, event->type);
    form->put_kind(text, c, event->kind);
}

static void general_tail(struct tt_text *text, const struct row_form *form, uint64_t offset,
                         const struct tt_event *event)
{
    const struct ending *ending = ending_of(form, event);
    put_separator(text, &form->offset);
    form->put_u64(text, offset);
    put_separator(text, &form->length);
    tt_text_u64(text, event->length);
    tt_text_bytes(text, ending->text, ending->length);
}

/* ---- the fast writer -------------------------------------------------------------------------- */

/* Bytes of separators and numbers, with the bytes that are changed after the last one. */
#define HEAD_ROOM 192u
#define TAIL_ROOM 128u

/* The state that consecutive rows share. */
struct row_run {
    struct tt_near_number number, ticks, ns, offset;
    uint64_t second;    /* ticks: [second, second + clock) is the second of the last event */
    uint64_t second_ns; /* the same time in nanoseconds */
    bool second_is_known;
};

static inline char *quick_separator(char *to, const struct separator *separator)
{
    memcpy(to, separator->text, sizeof separator->text);
    return to + separator->length;
}

/* Converts ticks to nanoseconds up to INT64_MAX; false beyond. Divides by multiplication. */
static inline bool quick_ns(struct row_run *run, const struct tt_row_names *names, uint64_t ticks,
                            uint64_t *ns)
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
static inline char *quick_times(char *to, struct row_run *run, const struct tt_row_names *names,
                                const struct tt_event *event, uint64_t number)
{
    const struct row_form *form = names->form;
    const bool has_clock = names->clock.by != 0;
    uint64_t ns = 0;
    if (!names->has_quick_time || (has_clock && !quick_ns(run, names, event->ticks, &ns)) ||
        number > form->exact || event->ticks > form->exact || ns > form->exact) {
        return NULL;
    }
    to = quick_separator(to, &form->number);
    to = event->flags & TT_EVENT_UNNUMBERED ? quick_separator(to, &form->none)
                                            : tt_fast_near(to, &run->number, number);
    to = quick_separator(to, &form->ticks);
    to = tt_fast_near(to, &run->ticks, event->ticks);
    to = quick_separator(to, &form->ns);
    return has_clock ? tt_fast_near(to, &run->ns, ns) : quick_separator(to, &form->none);
}

/*
 * Writes the same as general_head from the rendered names and returns its end; NULL if that is not
 * possible or may not fit before `end`.
 */
static inline char *quick_head(char *to, const char *end, struct row_run *run,
                               const struct tt_row_names *names, const struct tt_event *event,
                               uint64_t number)
{
    const struct tt_cell *thread = tt_thread_cell(&names->rendered, event->thread);
    const struct tt_cell *type = tt_type_cell(&names->rendered, event->type);
    const struct tt_cell *kind = tt_cell_find(names->kinds, TT_KIND_COUNT, event->kind);
    if (!thread || !type || !kind ||
        (size_t)(end - to) < HEAD_ROOM + (size_t)thread->length + type->length + kind->length) {
        return NULL;
    }
    to = quick_times(to, run, names, event, number);
    if (!to) {
        return NULL;
    }
    to = quick_separator(to, &names->form->cpu);
    to = event->cpu == TT_NO_CPU ? quick_separator(to, &names->form->none)
                                 : tt_fast_u64(to, event->cpu);
    to = tt_cell_copy(to, &names->rendered.cells, thread);
    to = tt_cell_copy(to, &names->rendered.cells, type);
    return tt_cell_copy(to, &names->rendered.cells, kind);
}

/* Writes the same as general_tail and returns its end; NULL as for quick_head. */
static inline char *quick_tail(char *to, const char *end, struct row_run *run,
                               const struct row_form *form, uint64_t offset,
                               const struct tt_event *event)
{
    const struct ending *ending = ending_of(form, event);
    if ((size_t)(end - to) < TAIL_ROOM || offset > form->exact) {
        return NULL;
    }
    to = quick_separator(to, &form->offset);
    to = tt_fast_near(to, &run->offset, offset);
    to = quick_separator(to, &form->length);
    to = tt_fast_u64(to, event->length);
    memcpy(to, ending->text, sizeof ending->text);
    return to + ending->length;
}

/* Writes a row and returns its end; NULL if the event has no fast path or the row may not fit. */
static inline char *quick_row(char *to, const char *end, struct row_run *run,
                              const struct tt_capture *c, const struct tt_row_names *names,
                              const struct tt_event *event, uint64_t limit, uint64_t number)
{
    const struct row_form *form = names->form;
    if ((size_t)(end - to) < sizeof form->open.text) {
        return NULL;
    }
    to = quick_separator(to, &form->open);
    to = quick_head(to, end, run, names, event, number);
    to = to ? names->rendered.format->texts_put(names->rendered.args, c, event, limit, to,
                                                (size_t)(end - to))
            : NULL;
    return to ? quick_tail(to, end, run, form, tt_capture_offset(c, event->pos), event) : NULL;
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* Moves the end of the text to `to`, which is inside the buffer; returns false for NULL. */
static bool advance(struct tt_text *text, const char *to)
{
    text->used = to ? (size_t)(to - text->buffer) : text->used;
    return to != NULL;
}

void tt_row_head(struct tt_text *text, enum tt_row_form form, const struct tt_capture *c,
                 const struct tt_row_names *names, const struct tt_event *event, uint64_t number)
{
    const char *capture = tt_merge_name(c, event->pos);
    struct row_run run = {.second_is_known = false};
    put_separator(text, &forms[form].open);
    if (capture) {
        forms[form].put_capture(text, capture);
    }
    if (!names ||
        !advance(text, quick_head(text->buffer + text->used, text->buffer + text->capacity, &run,
                                  names, event, number))) {
        general_head(text, &forms[form], c, event, number);
    }
}

void tt_row_tail(struct tt_text *text, enum tt_row_form form, const struct tt_capture *c,
                 const struct tt_event *event)
{
    struct row_run run = {.second_is_known = false};
    const uint64_t offset = tt_merge_offset(c, event->pos);
    if (!advance(text, quick_tail(text->buffer + text->used, text->buffer + text->capacity, &run,
                                  &forms[form], offset, event))) {
        general_tail(text, &forms[form], offset, event);
    }
}

uint32_t tt_rows_fast(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_row_names *names, const struct tt_event *events,
                      uint32_t count, uint64_t limit, uint64_t number)
{
    const char *end = text->buffer + text->capacity;
    struct row_run run = {.second_is_known = false};
    uint32_t done = 0;
    while (done < count && names->rendered.args &&
           advance(text, quick_row(text->buffer + text->used, end, &run, c, names, &events[done],
                                   limit, number))) {
        number += !(events[done].flags & TT_EVENT_UNNUMBERED);
        done++;
    }
    return done;
}
