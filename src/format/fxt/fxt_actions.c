/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_actions: turns timed records into events, with actions for slices, counters, async and flows.
 */
#include "format/fxt/fxt_names.h"
#include "tracetui/text.h"
#include "tracetui/time.h"

void tt_fxt_health(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos, uint64_t value,
                   const char *detail)
{
    if (cursor->learning) {
        tt_health_add(cursor->fxt->capture, kind, pos, pos, value, detail);
    }
}

uint64_t tt_fxt_convert_time(struct tt_cursor *cursor, uint64_t ticks, uint64_t pos)
{
    uint64_t time = ticks;
    if (cursor->rate != cursor->clock && !tt_mul_div(ticks, cursor->clock, cursor->rate, &time)) {
        time = UINT64_MAX;
    }
    if (time > cursor->max_ticks) {
        tt_fxt_health(cursor, TT_HEALTH_TIME_RANGE, pos, ticks,
                      "ticks whose nanoseconds need more than 63 bits");
    }
    return time;
}

/* ---- names ------------------------------------------------------------------------------ */

/* Names an unregistered string by its index. */
static tt_string unknown_name(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                              uint32_t ref)
{
    char text[TT_FXT_UNKNOWN_TEXT];
    tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, ref,
                  "string that is not registered");
    return tt_fxt_text(cursor, text, tt_fxt_unknown_text(text, ref));
}

static inline tt_string fxt_actions_name_of(struct tt_cursor *cursor,
                                            const struct tt_fxt_record *record, uint32_t ref,
                                            uint32_t at)
{
    tt_string string = tt_fxt_string_ref(cursor, record, ref, at);
    return string != TT_FXT_UNKNOWN ? string : unknown_name(cursor, record, ref);
}

static inline void check_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                             uint32_t ref)
{
    if (ref != 0 && !tt_fxt_ref_is_inline(ref) &&
        tt_fxt_string_ref(cursor, record, ref, 0) == TT_FXT_UNKNOWN) {
        tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, ref,
                      "string that is not registered");
    }
}

void tt_fxt_check_args(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                       const struct tt_fxt_view *view)
{
    uint32_t at = view->at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < view->args; i++) {
        uint64_t header = tt_fxt_word(record, at);
        unsigned type = header & 15;
        check_ref(cursor, record, (uint16_t)(header >> 16));
        if (type == TT_FXT_ARG_STRING) {
            check_ref(cursor, record, (uint16_t)(header >> 32));
        } else if (type >= TT_FXT_ARG_TYPES) {
            tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_EVENT, record->pos, type,
                          "argument of unknown type");
        }
        at += (uint32_t)tt_fxt_bits(header, 4, 12);
    }
}

/* ---- counters --------------------------------------------------------------------------- */

/* Returns "name:argument:id", the usual name of a counter track. Each text is cut to half the
 * buffer. */
static tt_string series_name(struct tt_cursor *cursor, uint32_t type, tt_string argument,
                             uint64_t id)
{
    struct tt_capture *capture = cursor->fxt->capture;
    struct tt_text text = tt_text_of(cursor->text, sizeof cursor->text);
    const size_t most = sizeof cursor->text / 2 - 32;
    size_t length;
    const char *bytes = tt_types_at(capture, type)->name;
    length = strlen(bytes);
    tt_text_bytes(&text, bytes, length < most ? length : most);
    tt_text_char(&text, ':');
    bytes = tt_capture_text(capture, argument, &length);
    tt_text_bytes(&text, bytes, length < most ? length : most);
    tt_text_char(&text, ':');
    tt_text_u64(&text, id);
    return tt_capture_intern(capture, text.buffer, text.used);
}

/* Returns the number of a series, which a learning cursor adds; UINT32_MAX if it is unknown. */
static uint32_t find_series(struct tt_cursor *cursor, uint32_t type, tt_string argument,
                            uint64_t id, uint32_t process)
{
    struct tt_fxt *fxt = cursor->fxt;
    uint64_t key = (uint64_t)type << 32 | argument;
    uint64_t name;
    uint64_t series;
    if (!tt_fxt_table_get(&fxt->series_names, key, id, 0, &name)) {
        name = cursor->learning ? series_name(cursor, type, argument, id) : 0;
        if (name == 0 || !tt_fxt_table_put(&fxt->series_names, key, id, 0, name)) {
            cursor->no_memory |= cursor->learning;
            return UINT32_MAX;
        }
    }
    if (tt_fxt_table_get(&fxt->series, name, process, 0, &series)) {
        return (uint32_t)series;
    }
    series = cursor->learning ? tt_series_add(fxt->capture, (tt_string)name, process) : UINT32_MAX;
    if (series == UINT32_MAX || !tt_fxt_table_put(&fxt->series, name, process, 0, series)) {
        cursor->no_memory |= cursor->learning;
        return UINT32_MAX;
    }
    return (uint32_t)series;
}

static uint32_t fxt_actions_series_of(struct tt_cursor *cursor, uint32_t type, tt_string argument,
                                      uint64_t id, uint32_t process)
{
    const struct tt_fxt_series_entry *cached =
        tt_fxt_cached_series(cursor, type, argument, id, process);
    if (tt_fxt_is_series(cached, type, argument, id, process)) {
        return cached->series;
    }
    /* The old entry moves to the second place, so that two alternating series both stay cached. */
    uint32_t place = tt_fxt_series_place(type, argument, id, process);
    struct tt_fxt_series_entry found = {id, type, argument, process, UINT32_MAX};
    found.series = find_series(cursor, type, argument, id, process);
    cursor->series[place ^ 1] = cursor->series[place];
    cursor->series[place] = found;
    return found.series;
}

static void fxt_actions_add_counters(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                     const struct tt_fxt_view *view, const struct tt_event *event,
                                     struct tt_batch *batch)
{
    const struct tt_capture *capture = cursor->fxt->capture;
    uint32_t process = UINT32_MAX;
    if (event->thread != TT_NO_THREAD) {
        process = tt_thread_at(capture, event->thread)->process;
    }
    uint64_t id = tt_fxt_word(record, view->at[TT_FXT_TAIL]);
    uint32_t at = view->at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < view->args; i++) {
        struct tt_fxt_arg arg;
        uint64_t bits;
        if (!tt_fxt_arg_at(record, at, &arg)) {
            return;
        }
        if (tt_fxt_number_bits(arg.type, arg.value, &bits)) {
            tt_string name = tt_fxt_string_ref(cursor, record, arg.name_ref, at + 1);
            if (name == TT_FXT_UNKNOWN) {
                char text[TT_FXT_UNKNOWN_TEXT];
                name = tt_fxt_text(cursor, text, tt_fxt_unknown_text(text, arg.name_ref));
            }
            bool key = tt_fxt_is_key(cursor, name, arg.type, bits, id, view->args);
            struct tt_action *action =
                key ? NULL : tt_fxt_event_action(cursor, batch, TT_ACTION_COUNTER, event);
            if (action) {
                action->other = fxt_actions_series_of(cursor, event->type, name, id, process);
                action->value = bits;
            }
        }
        at += arg.words;
    }
}

/* ---- events ----------------------------------------------------------------------------- */

static void fxt_actions_add_value(const struct tt_cursor *cursor, struct tt_batch *batch,
                                  unsigned kind, const struct tt_event *event, uint64_t value)
{
    struct tt_action *action = tt_fxt_event_action(cursor, batch, kind, event);
    if (action) {
        action->value = value;
    }
}

static void fxt_actions_add_slice(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                  const struct tt_fxt_view *view, const struct tt_event *event,
                                  struct tt_batch *batch)
{
    uint64_t end = tt_fxt_word(record, view->at[TT_FXT_TAIL]);
    if (end < tt_fxt_word(record, view->at[TT_FXT_TIME])) {
        tt_fxt_health(cursor, TT_HEALTH_TIME_RANGE, record->pos, end,
                      "duration ends before it begins");
        return;
    }
    uint64_t end_ticks = tt_fxt_time(cursor, end, record->pos);
    fxt_actions_add_value(cursor, batch, TT_ACTION_SLICE, event, end_ticks - event->ticks);
}

static const uint8_t id_actions[] = {
    [TT_FXT_DOES_ASYNC_BEGIN] = TT_ACTION_ASYNC_BEGIN,
    [TT_FXT_DOES_ASYNC_END] = TT_ACTION_ASYNC_END,
    [TT_FXT_DOES_FLOW_BEGIN] = TT_ACTION_FLOW_BEGIN,
    [TT_FXT_DOES_FLOW_STEP] = TT_ACTION_FLOW_STEP,
    [TT_FXT_DOES_FLOW_END] = TT_ACTION_FLOW_END,
};

/* Adds the first event of a provider after its buffer filled up: ends of slices may be missing. */
static void add_events_loss(struct tt_cursor *cursor, const struct tt_event *event,
                            struct tt_batch *batch)
{
    struct tt_fxt *fxt = cursor->fxt;
    struct tt_fxt_provider *provider = cursor->stream;
    uint64_t since;
    if (cursor->learning && provider->events_lost) {
        provider->events_lost = false;
        tt_fxt_mark(cursor, event->pos);
        cursor->no_memory |=
            !tt_fxt_table_put(&fxt->lost, event->pos, 1, 0, provider->events_lost_since);
    }
    if (atomic_load_explicit(&fxt->any_lost, memory_order_relaxed) &&
        tt_fxt_table_get(&fxt->lost, event->pos, 1, 0, &since)) {
        struct tt_action *action = tt_fxt_action(batch, TT_ACTION_LOST_SLICES, TT_NO_THREAD);
        if (action) {
            action->state = (uint16_t)cursor->provider;
            action->value = since;
        }
    }
}

/* Adds the actions of a complete event record. */
static void add_actions(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                        const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                        const struct tt_event *event, struct tt_batch *batch)
{
    uint64_t tail = view->at[TT_FXT_TAIL] ? tt_fxt_word(record, view->at[TT_FXT_TAIL]) : 0;
    switch (layout->does) {
    case TT_FXT_DOES_COUNTER:
        fxt_actions_add_counters(cursor, record, view, event, batch);
        break;
    case TT_FXT_DOES_SLICE_BEGIN:
        tt_fxt_event_action(cursor, batch, TT_ACTION_SLICE_BEGIN, event);
        break;
    case TT_FXT_DOES_SLICE_END:
        tt_fxt_event_action(cursor, batch, TT_ACTION_SLICE_END, event);
        break;
    case TT_FXT_DOES_SLICE:
        fxt_actions_add_slice(cursor, record, view, event, batch);
        break;
    case TT_FXT_DOES_ASYNC_BEGIN:
    case TT_FXT_DOES_ASYNC_END:
    case TT_FXT_DOES_FLOW_BEGIN:
    case TT_FXT_DOES_FLOW_STEP:
    case TT_FXT_DOES_FLOW_END:
        fxt_actions_add_value(cursor, batch, id_actions[layout->does], event, tail);
        break;
    case TT_FXT_DOES_UNKNOWN_EVENT:
        tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_EVENT, record->pos,
                      tt_fxt_bits(tt_fxt_word(record, 0), 16, 4), "event record of unknown type");
        break;
    default:
        break;
    }
}

static struct tt_event *fxt_actions_next_event(const struct tt_fxt_record *record,
                                               const struct tt_fxt_layout *layout,
                                               struct tt_batch *batch)
{
    struct tt_event *event = &batch->events[batch->count++];
    uint64_t length = (uint64_t)record->words * 8;
    event->pos = record->pos;
    event->thread = TT_NO_THREAD;
    event->length = (uint32_t)(length < UINT32_MAX ? length : UINT32_MAX);
    event->cpu = TT_NO_CPU;
    event->kind = layout->kind;
    event->flags = 0;
    return event;
}

/* A record with a process and no thread belongs to thread 0 of the process, as newer writers have
 * it. */
static uint32_t fxt_actions_thread_of(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                      const struct tt_fxt_view *view)
{
    if (view->process_alone) {
        return tt_fxt_lane(cursor, tt_fxt_word(record, view->at[TT_FXT_THREAD]), 0);
    }
    return tt_fxt_thread_ref(cursor, record, view->value[TT_FXT_THREAD], view->at[TT_FXT_THREAD]);
}

static bool is_sched(const struct tt_fxt_layout *layout)
{
    return layout->does == TT_FXT_DOES_SWITCH || layout->does == TT_FXT_DOES_SWITCH_LEGACY ||
           layout->does == TT_FXT_DOES_WAKEUP;
}

void tt_fxt_emit(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                 const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                 struct tt_batch *batch)
{
    struct tt_event *event = fxt_actions_next_event(record, layout, batch);
    uint32_t actions = batch->action_count;
    event->ticks = tt_fxt_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TIME]), record->pos);
    event->flags = view->whole ? 0 : TT_EVENT_MALFORMED;

    /* Gives an event whose time is wrong that of the record before it. */
    const struct tt_fxt *fxt = cursor->fxt;
    uint64_t ticks;
    if (atomic_load_explicit(&fxt->any_lost, memory_order_relaxed) &&
        tt_fxt_table_get(&fxt->lost, event->pos, 2, 0, &ticks)) {
        event->ticks = ticks;
        event->flags |= TT_EVENT_BAD_TIME;
    }

    cursor->last_ticks = event->ticks;
    if (layout->class_name) {
        event->type = tt_fxt_layout_type(cursor, layout);
    } else {
        tt_string category = fxt_actions_name_of(cursor, record, view->value[TT_FXT_CATEGORY],
                                                 view->at[TT_FXT_CATEGORY]);
        tt_string name =
            fxt_actions_name_of(cursor, record, view->value[TT_FXT_NAME], view->at[TT_FXT_NAME]);
        event->type = tt_fxt_type(cursor, category, name, layout->kind);
    }
    if (view->args > 0) {
        tt_fxt_check_args(cursor, record, view);
    }
    if (is_sched(layout)) {
        tt_fxt_emit_sched(cursor, record, layout, view, batch);
    } else {
        event->thread = fxt_actions_thread_of(cursor, record, view);
        add_events_loss(cursor, event, batch);
        if (view->whole) {
            add_actions(cursor, record, layout, view, event, batch);
        }
        tt_batch_note(batch, event);
    }
    if (event->flags & TT_EVENT_BAD_TIME) {
        batch->action_count = actions;
    }
}

void tt_fxt_emit_definition(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                            const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                            struct tt_batch *batch)
{
    struct tt_event *event = fxt_actions_next_event(record, layout, batch);
    event->ticks = cursor->last_ticks;
    event->type = tt_fxt_layout_type(cursor, layout);
    event->flags = TT_EVENT_DEFINITION;
    if (!view->whole) {
        event->flags |= TT_EVENT_MALFORMED;
    }
}
