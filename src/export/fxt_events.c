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

struct tt_status tt_fxt_events_open(struct tt_fxt_events *fxt_events,
                                    const struct tt_export_request *request,
                                    struct tt_events *events, struct tt_fxt_tracks *tracks,
                                    struct tt_fxt_writer *writer, struct tt_fxt_clock clock)
{
    memset(fxt_events, 0, sizeof *fxt_events);
    fxt_events->request = request;
    fxt_events->capture = tracks->capture;
    fxt_events->events = events;
    fxt_events->tracks = tracks;
    fxt_events->w = writer;
    fxt_events->clock = clock;
    fxt_events->type_count = tt_types_count(fxt_events->capture);
    fxt_events->types = calloc((size_t)fxt_events->type_count + 1, sizeof *fxt_events->types);
    fxt_events->in_call = calloc((size_t)tracks->threads + 1, sizeof *fxt_events->in_call);
    fxt_events->interrupts = calloc((size_t)tracks->cpus + 1, sizeof *fxt_events->interrupts);
    return fxt_events->types && fxt_events->in_call && fxt_events->interrupts ? tt_ok()
                                                                              : tt_error_memory();
}

void tt_fxt_events_close(struct tt_fxt_events *events)
{
    free(events->types);
    free(events->in_call);
    free(events->interrupts);
}

bool tt_fxt_events_need_actions(const struct tt_event *event)
{
    return forms[event->kind] >= FORM_BEGIN;
}

bool tt_fxt_events_in_call(const struct tt_fxt_events *events, uint32_t thread)
{
    return thread < events->tracks->threads && events->in_call[thread];
}

bool tt_fxt_events_is_end(const struct tt_event *event)
{
    unsigned form = forms[event->kind];
    return form == FORM_CALL_END || form == FORM_END;
}

/* ---- records ------------------------------------------------------------------------------ */

static struct tt_fxt_text_ref fxt_events_text_of(struct tt_fxt_writer *writer, const char *text)
{
    return tt_fxt_writer_text(writer, text, strlen(text));
}

static struct tt_fxt_type_texts texts_of(struct tt_fxt_events *events, uint32_t type)
{
    struct tt_fxt_type_texts *known = type < events->type_count ? &events->types[type] : NULL;
    if (known && known->known) {
        return *known;
    }
    const struct tt_event_type *event_type = tt_types_at(events->capture, type);
    struct tt_fxt_type_texts texts = {
        fxt_events_text_of(events->w, tt_classes_name(events->capture, event_type->class_id)),
        fxt_events_text_of(events->w, event_type->name), true};
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

static void fxt_events_put_record(struct tt_fxt_events *events, const struct record *record)
{
    uint8_t ref = tt_fxt_track_ref(events->tracks, events->w, record->track);
    tt_fxt_writer_event(
        events->w, &(struct tt_fxt_event){.kind = record->kind,
                                          .ref = ref,
                                          .ids = tt_fxt_track_ids(events->tracks, record->track),
                                          .ns = tt_fxt_time_of(events->clock, record->ticks),
                                          .category = record->texts.category,
                                          .name = record->texts.name,
                                          .args = events->out,
                                          .count = record->count,
                                          .has_tail = record->has_tail,
                                          .tail = record->tail});
}

void tt_fxt_events_put_plain(struct tt_fxt_events *events, enum tt_fxt_event_kind kind,
                             uint32_t track, uint64_t ticks, struct tt_fxt_type_texts texts,
                             const uint64_t *id)
{
    struct record r = {.kind = kind, .track = track, .ticks = ticks, .texts = texts};
    if (id) {
        r.has_tail = true;
        r.tail = *id;
    }
    fxt_events_put_record(events, &r);
}

/* Returns the reference of an argument's name. */
static struct tt_fxt_text_ref name_ref(struct tt_fxt_events *events, const struct tt_arg *arg)
{
    struct tt_fxt_constant *known =
        &events->constants[(uintptr_t)arg->name.data / 4 % TT_FXT_CONSTANTS];
    if (arg->plain && known->text == arg->name.data && known->length == arg->name.length) {
        return known->ref;
    }
    struct tt_fxt_text_ref ref = tt_fxt_writer_text(events->w, arg->name.data, arg->name.length);
    if (arg->plain && !ref.inline_bytes) {
        *known = (struct tt_fxt_constant){arg->name.data, arg->name.length, ref};
    }
    return ref;
}

/* Describes an event and resolves the names of its visible arguments; returns their number. */
static unsigned describe_args(struct tt_fxt_events *events, const struct tt_event *event)
{
    unsigned count = 0;
    if (!tt_events_describe(events->events, event, &events->args)) {
        events->shrunk = true;
        return 0;
    }
    for (unsigned i = 0; i < events->args.count && count < TT_FXT_ARGS_MAX; i++) {
        const struct tt_arg *arg = &events->args.v[i];
        if (!arg->hidden) {
            events->out[count++] = (struct tt_fxt_out_arg){name_ref(events, arg), *arg};
        }
    }
    return count;
}

static bool name_is(const struct tt_arg *arg, const char *name)
{
    return arg->name.length == strlen(name) && memcmp(arg->name.data, name, arg->name.length) == 0;
}

/* Removes the last argument if it has this name, which the record has elsewhere; *value is its number. */
static unsigned drop_last(const struct tt_fxt_events *events, unsigned count, const char *name,
                          uint64_t *value)
{
    if (count > 0 && name_is(&events->out[count - 1].value, name)) {
        *value = events->out[count - 1].value.value.u;
        return count - 1;
    }
    return count;
}

/* Returns the track of an event: its thread, or its CPU, or the capture. */
static uint32_t fxt_events_track_of(const struct tt_fxt_events *events,
                                    const struct tt_event *event)
{
    if (event->thread < events->tracks->threads) {
        return event->thread;
    }
    return event->cpu < events->tracks->cpus ? tt_fxt_track_of_cpu(events->tracks, event->cpu)
                                             : tt_fxt_track_of_capture(events->tracks);
}

/* ---- events ------------------------------------------------------------------------------- */

static void put_on(struct tt_fxt_events *events, const struct tt_event *event, uint32_t track,
                   enum tt_fxt_event_kind kind)
{
    struct record r = {.kind = kind, .track = track, .ticks = event->ticks};
    r.texts = texts_of(events, event->type);
    r.count = describe_args(events, event);
    fxt_events_put_record(events, &r);
}

static void put_end(struct tt_fxt_events *events, uint32_t track, uint64_t ticks, uint32_t type)
{
    struct record r = {.kind = TT_FXT_EVENT_END, .track = track, .ticks = ticks};
    r.texts = texts_of(events, type);
    fxt_events_put_record(events, &r);
}

/* A thread is in one call at a time: a call that begins ends one whose end was not recorded. */
static void fxt_events_put_call(struct tt_fxt_events *events, const struct tt_event *event)
{
    uint32_t thread = event->thread;
    if (thread >= events->tracks->threads) {
        put_on(events, event, fxt_events_track_of(events, event), TT_FXT_EVENT_INSTANT);
        return;
    }
    if (events->in_call[thread]) {
        put_end(events, thread, event->ticks, event->type);
    }
    events->in_call[thread] = 1;
    put_on(events, event, thread, TT_FXT_EVENT_BEGIN);
}

/* Ends the interrupts of a CPU that are open. */
static void end_interrupts(struct tt_fxt_events *events, uint16_t cpu, uint64_t ticks,
                           uint32_t type)
{
    for (; events->interrupts[cpu] > 0; events->interrupts[cpu]--) {
        put_end(events, tt_fxt_track_of_cpu(events->tracks, cpu), ticks, type);
    }
}

/* Names the duration of an interrupt after its event and the first argument: the vector. */
static void fxt_events_put_interrupt(struct tt_fxt_events *events, const struct tt_event *event)
{
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    tt_events_clue(events->events, event, false, &clue);
    if (event->cpu >= events->tracks->cpus || clue.role == TT_CLUE_DELIVER) {
        put_on(events, event, fxt_events_track_of(events, event), TT_FXT_EVENT_INSTANT);
        return;
    }
    events->interrupts[event->cpu]++;
    struct record r = {.kind = TT_FXT_EVENT_BEGIN,
                       .track = tt_fxt_track_of_cpu(events->tracks, event->cpu),
                       .ticks = event->ticks};
    r.count = describe_args(events, event);
    r.texts = texts_of(events, event->type);
    char name[TT_FXT_TEXT_MAX];
    struct tt_text text = tt_text_of(name, sizeof name);
    if (r.count > 0) {
        tt_text_str(&text, tt_types_at(events->capture, event->type)->name);
        tt_text_char(&text, ' ');
        tt_line_value(&text, &events->out[0].value);
        r.texts.name = tt_fxt_writer_text(events->w, name, text.used);
    }
    fxt_events_put_record(events, &r);
}

/* Puts a duration of a program: the action has its thread and, for a measurement, its type. */
static void fxt_events_put_duration(struct tt_fxt_events *events, const struct tt_event *event,
                                    const struct tt_action *action)
{
    struct record r = {.ticks = event->ticks, .texts = texts_of(events, action->other)};
    uint64_t end;
    r.track = action->thread < events->tracks->threads ? action->thread
                                                       : tt_fxt_track_of_capture(events->tracks);
    r.count = describe_args(events, event);
    switch (action->kind) {
    case TT_ACTION_SLICE_BEGIN:
        r.kind = TT_FXT_EVENT_BEGIN;
        break;
    case TT_ACTION_SLICE_END:
        r.kind = TT_FXT_EVENT_END;
        break;
    case TT_ACTION_SLICE:
        r.kind = TT_FXT_EVENT_COMPLETE;
        r.count = drop_last(events, r.count, "end", &end);
        r.has_tail = true;
        r.tail = tt_fxt_time_of(events->clock, event->ticks + action->value);
        break;
    default:
        r.kind = action->kind == TT_ACTION_ASYNC_BEGIN ? TT_FXT_EVENT_ASYNC_BEGIN
                                                       : TT_FXT_EVENT_ASYNC_END;
        r.has_tail = true;
        r.tail = action->value;
        break;
    }
    fxt_events_put_record(events, &r);
}

static void put_with_id(struct tt_fxt_events *events, const struct tt_event *event)
{
    struct record r = {.kind = (enum tt_fxt_event_kind)kinds_with_id[event->kind],
                       .track = fxt_events_track_of(events, event),
                       .ticks = event->ticks,
                       .has_tail = true};
    r.texts = texts_of(events, event->type);
    r.count = drop_last(events, describe_args(events, event), "id", &r.tail);
    fxt_events_put_record(events, &r);
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
static uint32_t track_of_series(const struct tt_fxt_events *events, const struct tt_event *event,
                                uint32_t process)
{
    uint32_t track = fxt_events_track_of(events, event);
    if (process < events->tracks->processes &&
        (track >= events->tracks->threads ||
         tt_thread_at(events->capture, track)->process != process)) {
        for (uint32_t i = 0; i < events->tracks->threads; i++) {
            if (tt_thread_at(events->capture, i)->process == process) {
                return i;
            }
        }
    }
    return process < events->tracks->processes ? track : tt_fxt_track_of_capture(events->tracks);
}

/* ---- both --------------------------------------------------------------------------------- */

void tt_fxt_events_put_counters(struct tt_fxt_events *events, const struct tt_event *event,
                                const struct tt_action *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].other < tt_series_count(events->capture)) {
            const struct tt_action *action = &values[i];
            const struct tt_series *series = tt_series_at(events->capture, action->other);
            size_t length, counter, argument;
            const char *name = tt_capture_text(events->capture, series->name, &length);
            struct record r = {.kind = TT_FXT_EVENT_COUNTER,
                               .track = track_of_series(events, event, series->process),
                               .ticks = event->ticks,
                               .count = 1,
                               .has_tail = true};
            split_series(name, length, &counter, &argument, &r.tail);
            r.texts = texts_of(events, event->type);
            r.texts.name = tt_fxt_writer_text(events->w, name, counter);
            events->out[0] = (struct tt_fxt_out_arg){
                argument > 0 ? tt_fxt_writer_text(events->w, name + counter + 1, argument)
                             : fxt_events_text_of(events->w, "value"),
                {.type = TT_ARG_DOUBLE}};
            memcpy(&events->out[0].value.value.d, &action->value, sizeof action->value);
            fxt_events_put_record(events, &r);
        }
    }
}

/* Writes an event whose actions have its meaning, except for counters that are sums. */
static void put_actions(struct tt_fxt_events *events, const struct tt_event *event,
                        const struct tt_action *actions, uint32_t count)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (actions[i].kind == TT_ACTION_COUNTER &&
            !tt_format_has(events->capture->format, TT_FORMAT_SUMS)) {
            tt_fxt_events_put_counters(events, event, &actions[i], 1);
            written++;
            continue;
        }
        if (actions[i].flags & TT_ACTION_LENGTH) {
            continue; /* an event with the end of the slice follows */
        }
        switch (actions[i].kind) {
        case TT_ACTION_SLICE_BEGIN:
        case TT_ACTION_SLICE_END:
        case TT_ACTION_SLICE:
        case TT_ACTION_ASYNC_BEGIN:
        case TT_ACTION_ASYNC_END:
            fxt_events_put_duration(events, event, &actions[i]);
            written++;
            break;
        default:
            break;
        }
    }
    if (written == 0 && forms[event->kind] != FORM_COUNTER) {
        put_on(events, event, fxt_events_track_of(events, event), TT_FXT_EVENT_INSTANT);
    }
}

void tt_fxt_events_put(struct tt_fxt_events *events, const struct tt_event *event,
                       const struct tt_action *actions, uint32_t count)
{
    uint32_t thread = event->thread;
    bool in_call = thread < events->tracks->threads && events->in_call[thread];
    switch (forms[event->kind]) {
    case FORM_NONE:
        if (event->kind == TT_KIND_SWITCH && event->cpu < events->tracks->cpus) {
            end_interrupts(events, event->cpu, event->ticks, event->type);
        }
        break;
    case FORM_CALL:
        fxt_events_put_call(events, event);
        break;
    case FORM_CALL_END:
        put_on(events, event, fxt_events_track_of(events, event),
               in_call ? TT_FXT_EVENT_END : TT_FXT_EVENT_INSTANT);
        if (in_call) {
            events->in_call[thread] = 0;
        }
        break;
    case FORM_INTERRUPT:
        fxt_events_put_interrupt(events, event);
        break;
    case FORM_INTERRUPT_END:
        if (event->cpu < events->tracks->cpus && events->interrupts[event->cpu] > 0) {
            events->interrupts[event->cpu]--;
            put_on(events, event, tt_fxt_track_of_cpu(events->tracks, event->cpu),
                   TT_FXT_EVENT_END);
        }
        break;
    case FORM_WITH_ID:
        put_with_id(events, event);
        break;
    case FORM_BEGIN:
    case FORM_END:
    case FORM_COMPLETE:
    case FORM_COUNTER:
        put_actions(events, event, actions, count);
        break;
    default:
        put_on(events, event, fxt_events_track_of(events, event), TT_FXT_EVENT_INSTANT);
        break;
    }
}

void tt_fxt_events_put_mark(struct tt_fxt_events *events, uint64_t ticks, const char *name,
                            const char *const *texts)
{
    struct record r = {.kind = TT_FXT_EVENT_INSTANT,
                       .track = tt_fxt_track_of_capture(events->tracks),
                       .ticks = ticks};
    r.texts = (struct tt_fxt_type_texts){fxt_events_text_of(events->w, "tracetui"),
                                         fxt_events_text_of(events->w, name), true};
    for (; texts && texts[0] && r.count < TT_FXT_ARGS_MAX; texts += 2) {
        struct tt_arg value = {.type = TT_ARG_STRING};
        value.value.s = (struct tt_arg_span){texts[1], (uint32_t)strlen(texts[1])};
        events->out[r.count++] =
            (struct tt_fxt_out_arg){fxt_events_text_of(events->w, texts[0]), value};
    }
    fxt_events_put_record(events, &r);
}

void tt_fxt_events_put_loss(struct tt_fxt_events *events, uint64_t ticks)
{
    tt_fxt_events_put_mark(events, ticks, "records lost", NULL);
    for (uint32_t cpu = 0; cpu < events->tracks->cpus; cpu++) {
        if (events->interrupts[cpu] > 0) {
            end_interrupts(events, (uint16_t)cpu, ticks, 0);
        }
    }
}
