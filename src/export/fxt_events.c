/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_events.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/text.h"

enum form {
    FORM_INSTANT,
    FORM_NONE, /* shown by other records, or lost */
    FORM_CALL,
    FORM_CALL_END,
    FORM_INTERRUPT,
    FORM_INTERRUPT_END,
    FORM_BEGIN,
    FORM_END,
    FORM_COMPLETE,
    FORM_WITH_ID, /* asynchronous events and flows */
    FORM_COUNTER,
};

static const uint8_t forms[TT_KIND_COUNT] = {
    [TT_KIND_ENTER] = FORM_CALL,
    [TT_KIND_EXIT] = FORM_CALL_END,
    [TT_KIND_INTERRUPTED] = FORM_CALL_END,
    [TT_KIND_STATE] = FORM_NONE,
    [TT_KIND_SWITCH] = FORM_NONE,
    [TT_KIND_WAKEUP] = FORM_NONE,
    [TT_KIND_INTERRUPT_ENTER] = FORM_INTERRUPT,
    [TT_KIND_INTERRUPT_EXIT] = FORM_INTERRUPT_END,
    [TT_KIND_CONTROL] = FORM_NONE,
    [TT_KIND_BEGIN] = FORM_BEGIN,
    [TT_KIND_END] = FORM_END,
    [TT_KIND_COMPLETE] = FORM_COMPLETE,
    [TT_KIND_ASYNC_BEGIN] = FORM_WITH_ID,
    [TT_KIND_ASYNC_INSTANT] = FORM_WITH_ID,
    [TT_KIND_ASYNC_END] = FORM_WITH_ID,
    [TT_KIND_FLOW_BEGIN] = FORM_WITH_ID,
    [TT_KIND_FLOW_STEP] = FORM_WITH_ID,
    [TT_KIND_FLOW_END] = FORM_WITH_ID,
    [TT_KIND_COUNTER] = FORM_COUNTER,
    [TT_KIND_DEFINITION] = FORM_NONE,
};

static const uint8_t kinds_with_id[TT_KIND_COUNT] = {
    [TT_KIND_ASYNC_BEGIN] = TT_FXT_EVENT_ASYNC_BEGIN,
    [TT_KIND_ASYNC_INSTANT] = TT_FXT_EVENT_ASYNC_INSTANT,
    [TT_KIND_ASYNC_END] = TT_FXT_EVENT_ASYNC_END,
    [TT_KIND_FLOW_BEGIN] = TT_FXT_EVENT_FLOW_BEGIN,
    [TT_KIND_FLOW_STEP] = TT_FXT_EVENT_FLOW_STEP,
    [TT_KIND_FLOW_END] = TT_FXT_EVENT_FLOW_END,
};

struct tt_status tt_fxt_events_open(struct tt_fxt_events *e,
                                    const struct tt_export_request *request,
                                    struct tt_events *events, struct tt_fxt_tracks *tracks,
                                    struct tt_fxt_writer *w, struct tt_fxt_clock clock)
{
    memset(e, 0, sizeof *e);
    e->request = request;
    e->capture = tracks->capture;
    e->events = events;
    e->tracks = tracks;
    e->w = w;
    e->clock = clock;
    e->type_count = tt_types_count(e->capture);
    e->types = calloc((size_t)e->type_count + 1, sizeof *e->types);
    e->in_call = calloc((size_t)tracks->threads + 1, sizeof *e->in_call);
    e->interrupts = calloc((size_t)tracks->cpus + 1, sizeof *e->interrupts);
    return e->types && e->in_call && e->interrupts ? tt_ok() : tt_error_memory();
}

void tt_fxt_events_close(struct tt_fxt_events *e)
{
    free(e->types);
    free(e->in_call);
    free(e->interrupts);
}

bool tt_fxt_events_need_actions(const struct tt_event *event)
{
    return forms[event->kind] >= FORM_BEGIN;
}

bool tt_fxt_events_in_call(const struct tt_fxt_events *e, uint32_t thread)
{
    return thread < e->tracks->threads && e->in_call[thread];
}

bool tt_fxt_events_is_end(const struct tt_event *event)
{
    unsigned form = forms[event->kind];
    return form == FORM_CALL_END || form == FORM_END;
}

/* ---- records ------------------------------------------------------------------------------ */

static struct tt_fxt_text_ref text_of(struct tt_fxt_writer *w, const char *text)
{
    return tt_fxt_writer_text(w, text, strlen(text));
}

static struct tt_fxt_type_texts texts_of(struct tt_fxt_events *e, uint32_t type)
{
    struct tt_fxt_type_texts *known = type < e->type_count ? &e->types[type] : NULL;
    if (known && known->known) {
        return *known;
    }
    const struct tt_event_type *t = tt_types_at(e->capture, type);
    struct tt_fxt_type_texts texts = {text_of(e->w, tt_classes_name(e->capture, t->class_id)),
                                      text_of(e->w, t->name), true};
    if (known && !texts.category.inline_bytes && !texts.name.inline_bytes) {
        *known = texts;
    }
    return texts;
}

/* A record of a track; its arguments are the first `count` of `out`. */
struct record {
    enum tt_fxt_event_kind kind;
    uint32_t track;
    uint64_t ticks;
    struct tt_fxt_type_texts texts;
    unsigned count;
    bool has_tail;
    uint64_t tail;
};

static void put_record(struct tt_fxt_events *e, const struct record *r)
{
    struct tt_fxt_writer *w = e->w;
    uint8_t ref = tt_fxt_track_ref(e->tracks, w, r->track);
    tt_fxt_writer_begin(w, TT_FXT_RECORD_EVENT,
                        (uint64_t)r->kind << 16 | (uint64_t)ref << 24 |
                            (uint64_t)r->texts.category.ref << 32 |
                            (uint64_t)r->texts.name.ref << 48);
    tt_fxt_writer_word(w, tt_fxt_time_of(e->clock, r->ticks));
    if (ref == 0) {
        tt_fxt_writer_word(w, tt_fxt_track_process(e->tracks, r->track));
        tt_fxt_writer_word(w, e->tracks->koids[r->track]);
    }
    tt_fxt_writer_put_text(w, r->texts.category);
    tt_fxt_writer_put_text(w, r->texts.name);
    tt_fxt_writer_header_bits(w, (uint64_t)tt_fxt_writer_args(w, e->out, r->count) << 20);
    if (r->has_tail) {
        tt_fxt_writer_word(w, r->tail);
    }
    tt_fxt_writer_end(w);
}

void tt_fxt_events_put_plain(struct tt_fxt_events *e, enum tt_fxt_event_kind kind, uint32_t track,
                             uint64_t ticks, struct tt_fxt_type_texts texts, const uint64_t *id)
{
    struct record r = {.kind = kind, .track = track, .ticks = ticks, .texts = texts};
    if (id) {
        r.has_tail = true;
        r.tail = *id;
    }
    put_record(e, &r);
}

/* Returns the reference of an argument's name. */
static struct tt_fxt_text_ref name_ref(struct tt_fxt_events *e, const struct tt_arg *arg)
{
    struct tt_fxt_constant *known = &e->constants[(uintptr_t)arg->name.data / 4 % TT_FXT_CONSTANTS];
    if (arg->plain && known->text == arg->name.data && known->length == arg->name.length) {
        return known->ref;
    }
    struct tt_fxt_text_ref ref = tt_fxt_writer_text(e->w, arg->name.data, arg->name.length);
    if (arg->plain && !ref.inline_bytes) {
        *known = (struct tt_fxt_constant){arg->name.data, arg->name.length, ref};
    }
    return ref;
}

/* Describes an event and resolves the names of its visible arguments; returns their number. */
static unsigned take_args(struct tt_fxt_events *e, const struct tt_event *event)
{
    unsigned count = 0;
    if (!tt_events_describe(e->events, event, &e->args)) {
        e->shrunk = true;
        return 0;
    }
    for (unsigned i = 0; i < e->args.count && count < TT_FXT_ARGS_MAX; i++) {
        const struct tt_arg *arg = &e->args.v[i];
        if (!arg->hidden) {
            e->out[count++] = (struct tt_fxt_out_arg){name_ref(e, arg), *arg};
        }
    }
    return count;
}

static bool name_is(const struct tt_arg *arg, const char *name)
{
    return arg->name.length == strlen(name) && memcmp(arg->name.data, name, arg->name.length) == 0;
}

/* Removes the last argument if it has this name, which the record has elsewhere; *value is its number. */
static unsigned drop_last(const struct tt_fxt_events *e, unsigned count, const char *name,
                          uint64_t *value)
{
    if (count > 0 && name_is(&e->out[count - 1].value, name)) {
        *value = e->out[count - 1].value.value.u;
        return count - 1;
    }
    return count;
}

/* Returns the track of an event: its thread, or its CPU, or the capture. */
static uint32_t track_of(const struct tt_fxt_events *e, const struct tt_event *event)
{
    if (event->thread < e->tracks->threads) {
        return event->thread;
    }
    return event->cpu < e->tracks->cpus ? tt_fxt_track_of_cpu(e->tracks, event->cpu)
                                        : tt_fxt_track_of_capture(e->tracks);
}

/* ---- events ------------------------------------------------------------------------------- */

static void put_on(struct tt_fxt_events *e, const struct tt_event *event, uint32_t track,
                   enum tt_fxt_event_kind kind)
{
    struct record r = {.kind = kind, .track = track, .ticks = event->ticks};
    r.texts = texts_of(e, event->type);
    r.count = take_args(e, event);
    put_record(e, &r);
}

static void put_end(struct tt_fxt_events *e, uint32_t track, uint64_t ticks, uint32_t type)
{
    struct record r = {.kind = TT_FXT_EVENT_END, .track = track, .ticks = ticks};
    r.texts = texts_of(e, type);
    put_record(e, &r);
}

/* A thread is in one call at a time: a call that begins ends one whose end was not recorded. */
static void put_call(struct tt_fxt_events *e, const struct tt_event *event)
{
    uint32_t thread = event->thread;
    if (thread >= e->tracks->threads) {
        put_on(e, event, track_of(e, event), TT_FXT_EVENT_INSTANT);
        return;
    }
    if (e->in_call[thread]) {
        put_end(e, thread, event->ticks, event->type);
    }
    e->in_call[thread] = 1;
    put_on(e, event, thread, TT_FXT_EVENT_BEGIN);
}

/* Ends the interrupts of a CPU that are open. */
static void end_interrupts(struct tt_fxt_events *e, uint16_t cpu, uint64_t ticks, uint32_t type)
{
    for (; e->interrupts[cpu] > 0; e->interrupts[cpu]--) {
        put_end(e, tt_fxt_track_of_cpu(e->tracks, cpu), ticks, type);
    }
}

/* Names the duration of an interrupt after its event and the first argument: the vector. */
static void put_interrupt(struct tt_fxt_events *e, const struct tt_event *event)
{
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    tt_events_clue(e->events, event, false, &clue);
    if (event->cpu >= e->tracks->cpus || clue.role == TT_CLUE_DELIVER) {
        put_on(e, event, track_of(e, event), TT_FXT_EVENT_INSTANT);
        return;
    }
    e->interrupts[event->cpu]++;
    struct record r = {.kind = TT_FXT_EVENT_BEGIN,
                       .track = tt_fxt_track_of_cpu(e->tracks, event->cpu),
                       .ticks = event->ticks};
    r.count = take_args(e, event);
    r.texts = texts_of(e, event->type);
    char name[TT_FXT_TEXT_MAX];
    struct tt_text text = tt_text_of(name, sizeof name);
    if (r.count > 0) {
        tt_text_str(&text, tt_types_at(e->capture, event->type)->name);
        tt_text_char(&text, ' ');
        tt_line_value(&text, &e->out[0].value);
        r.texts.name = tt_fxt_writer_text(e->w, name, text.used);
    }
    put_record(e, &r);
}

/* Puts a duration of a program: the action has its thread and, for a measurement, its type. */
static void put_duration(struct tt_fxt_events *e, const struct tt_event *event,
                         const struct tt_action *a)
{
    struct record r = {.ticks = event->ticks, .texts = texts_of(e, a->other)};
    uint64_t end;
    r.track = a->thread < e->tracks->threads ? a->thread : tt_fxt_track_of_capture(e->tracks);
    r.count = take_args(e, event);
    switch (a->kind) {
    case TT_ACTION_SLICE_BEGIN:
        r.kind = TT_FXT_EVENT_BEGIN;
        break;
    case TT_ACTION_SLICE_END:
        r.kind = TT_FXT_EVENT_END;
        break;
    case TT_ACTION_SLICE:
        r.kind = TT_FXT_EVENT_COMPLETE;
        r.count = drop_last(e, r.count, "end", &end);
        r.has_tail = true;
        r.tail = tt_fxt_time_of(e->clock, event->ticks + a->value);
        break;
    default:
        r.kind =
            a->kind == TT_ACTION_ASYNC_BEGIN ? TT_FXT_EVENT_ASYNC_BEGIN : TT_FXT_EVENT_ASYNC_END;
        r.has_tail = true;
        r.tail = a->value;
        break;
    }
    put_record(e, &r);
}

static void put_with_id(struct tt_fxt_events *e, const struct tt_event *event)
{
    struct record r = {.kind = (enum tt_fxt_event_kind)kinds_with_id[event->kind],
                       .track = track_of(e, event),
                       .ticks = event->ticks,
                       .has_tail = true};
    r.texts = texts_of(e, event->type);
    r.count = drop_last(e, take_args(e, event), "id", &r.tail);
    put_record(e, &r);
}

/* ---- counters ----------------------------------------------------------------------------- */

/* Splits "counter:argument:id"; a name of another form is a counter with one argument. */
static void split_series(const char *name, size_t length, size_t *counter, size_t *argument,
                         uint64_t *id)
{
    size_t at = length;
    uint64_t scale = 1;
    *id = 0;
    *counter = length;
    *argument = 0;
    for (; at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9' && length - at < 19; at--) {
        *id += (uint64_t)(name[at - 1] - '0') * scale;
        scale *= 10;
    }
    size_t colon = at;
    if (at == length || at < 2 || name[at - 1] != ':') {
        *id = 0;
        return;
    }
    for (at--; at > 0 && name[at - 1] != ':'; at--) {
    }
    if (at == 0) {
        *id = 0;
        return;
    }
    *counter = at - 1;
    *argument = colon - 1 - at;
}

/* Returns a track of the counting process: the event's, if its thread is of that process. */
static uint32_t track_of_series(const struct tt_fxt_events *e, const struct tt_event *event,
                                uint32_t process)
{
    uint32_t track = track_of(e, event);
    if (process < e->tracks->processes &&
        (track >= e->tracks->threads || tt_thread_at(e->capture, track)->process != process)) {
        for (uint32_t i = 0; i < e->tracks->threads; i++) {
            if (tt_thread_at(e->capture, i)->process == process) {
                return i;
            }
        }
    }
    return process < e->tracks->processes ? track : tt_fxt_track_of_capture(e->tracks);
}

static void put_counter(struct tt_fxt_events *e, const struct tt_event *event,
                        const struct tt_action *a)
{
    const struct tt_series *series = tt_series_at(e->capture, a->other);
    size_t length, counter, argument;
    const char *name = tt_capture_text(e->capture, series->name, &length);
    struct record r = {.kind = TT_FXT_EVENT_COUNTER,
                       .track = track_of_series(e, event, series->process),
                       .ticks = event->ticks,
                       .count = 1,
                       .has_tail = true};
    split_series(name, length, &counter, &argument, &r.tail);
    r.texts = texts_of(e, event->type);
    r.texts.name = tt_fxt_writer_text(e->w, name, counter);
    e->out[0] = (struct tt_fxt_out_arg){argument > 0
                                            ? tt_fxt_writer_text(e->w, name + counter + 1, argument)
                                            : text_of(e->w, "value"),
                                        {.type = TT_ARG_DOUBLE}};
    memcpy(&e->out[0].value.value.d, &a->value, sizeof a->value);
    put_record(e, &r);
}

/* ---- both --------------------------------------------------------------------------------- */

void tt_fxt_events_put_counters(struct tt_fxt_events *e, const struct tt_event *event,
                                const struct tt_action *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].other < tt_series_count(e->capture)) {
            put_counter(e, event, &values[i]);
        }
    }
}

/* Writes an event whose actions have its meaning, except for counters that are sums. */
static void put_actions(struct tt_fxt_events *e, const struct tt_event *event,
                        const struct tt_action *actions, uint32_t count)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (actions[i].kind == TT_ACTION_COUNTER &&
            !tt_format_has(e->capture->format, TT_FORMAT_SUMS)) {
            tt_fxt_events_put_counters(e, event, &actions[i], 1);
            written++;
            continue;
        }
        switch (actions[i].kind) {
        case TT_ACTION_SLICE_BEGIN:
        case TT_ACTION_SLICE_END:
        case TT_ACTION_SLICE:
        case TT_ACTION_ASYNC_BEGIN:
        case TT_ACTION_ASYNC_END:
            put_duration(e, event, &actions[i]);
            written++;
            break;
        default:
            break;
        }
    }
    if (written == 0 && forms[event->kind] != FORM_COUNTER) {
        put_on(e, event, track_of(e, event), TT_FXT_EVENT_INSTANT);
    }
}

void tt_fxt_events_put(struct tt_fxt_events *e, const struct tt_event *event,
                       const struct tt_action *actions, uint32_t count)
{
    uint32_t thread = event->thread;
    bool in_call = thread < e->tracks->threads && e->in_call[thread];
    switch (forms[event->kind]) {
    case FORM_NONE:
        if (event->kind == TT_KIND_SWITCH && event->cpu < e->tracks->cpus) {
            end_interrupts(e, event->cpu, event->ticks, event->type);
        }
        break;
    case FORM_CALL:
        put_call(e, event);
        break;
    case FORM_CALL_END:
        put_on(e, event, track_of(e, event), in_call ? TT_FXT_EVENT_END : TT_FXT_EVENT_INSTANT);
        if (in_call) {
            e->in_call[thread] = 0;
        }
        break;
    case FORM_INTERRUPT:
        put_interrupt(e, event);
        break;
    case FORM_INTERRUPT_END:
        if (event->cpu < e->tracks->cpus && e->interrupts[event->cpu] > 0) {
            e->interrupts[event->cpu]--;
            put_on(e, event, tt_fxt_track_of_cpu(e->tracks, event->cpu), TT_FXT_EVENT_END);
        }
        break;
    case FORM_WITH_ID:
        put_with_id(e, event);
        break;
    case FORM_BEGIN:
    case FORM_END:
    case FORM_COMPLETE:
    case FORM_COUNTER:
        put_actions(e, event, actions, count);
        break;
    default:
        put_on(e, event, track_of(e, event), TT_FXT_EVENT_INSTANT);
        break;
    }
}

void tt_fxt_events_put_mark(struct tt_fxt_events *e, uint64_t ticks, const char *name,
                            const char *const *texts)
{
    struct record r = {
        .kind = TT_FXT_EVENT_INSTANT, .track = tt_fxt_track_of_capture(e->tracks), .ticks = ticks};
    r.texts = (struct tt_fxt_type_texts){text_of(e->w, "tracetui"), text_of(e->w, name), true};
    for (; texts && texts[0] && r.count < TT_FXT_ARGS_MAX; texts += 2) {
        struct tt_arg value = {.type = TT_ARG_STRING};
        value.value.s = (struct tt_arg_span){texts[1], (uint32_t)strlen(texts[1])};
        e->out[r.count++] = (struct tt_fxt_out_arg){text_of(e->w, texts[0]), value};
    }
    put_record(e, &r);
}

void tt_fxt_events_put_loss(struct tt_fxt_events *e, uint64_t ticks)
{
    tt_fxt_events_put_mark(e, ticks, "records lost", NULL);
    for (uint32_t cpu = 0; cpu < e->tracks->cpus; cpu++) {
        if (e->interrupts[cpu] > 0) {
            end_interrupts(e, (uint16_t)cpu, ticks, 0);
        }
    }
}
