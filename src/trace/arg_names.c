/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arg_names: looks up the processes and threads that arguments refer to, by the rules of the
 * format.
 */
#include "trace/arg_names.h"

#include <string.h>

#include "trace/events.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"

#define NAME_ROOM 256u
#define CALL_STEP 16u

/* ---- rules -------------------------------------------------------------------------------- */

static bool arg_names_is_text(const char *text, const char *other, size_t length)
{
    return strncmp(text, other, length) == 0 && text[length] == '\0';
}

/* Returns whether `name` is the pattern, or begins like one that ends with *. */
static bool fits(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    return length > 0 && pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0
                                                    : strcmp(pattern, name) == 0;
}

const struct tt_arg_rule *tt_arg_rule_of(const struct tt_capture *capture, uint32_t type,
                                         const char *name, size_t length)
{
    const struct tt_arg_rule *rule = capture->format->refers.args;
    if (!rule || type >= tt_types_count(capture)) {
        return NULL;
    }
    const struct tt_event_type *event_type = tt_types_at(capture, type);
    for (; rule->name; rule++) {
        if (arg_names_is_text(rule->name, name, length) &&
            (!rule->class_name || strcmp(rule->class_name, event_type->class_name) == 0) &&
            (!rule->event || fits(rule->event, event_type->name))) {
            return rule;
        }
    }
    return NULL;
}

bool tt_arg_may_mean(const struct tt_format *format, const char *name, size_t length,
                     enum tt_arg_meaning meaning)
{
    for (const struct tt_arg_rule *rule = format->refers.args; rule && rule->name; rule++) {
        if (rule->meaning == meaning && arg_names_is_text(rule->name, name, length)) {
            return true;
        }
    }
    return false;
}

/* ---- processes and threads ---------------------------------------------------------------- */

static bool arg_names_is_number(const struct tt_arg *arg)
{
    return arg->type == TT_ARG_I64 || arg->type == TT_ARG_U64 || arg->type == TT_ARG_HEX ||
           arg->type == TT_ARG_KOID || arg->type == TT_ARG_POINTER;
}

static uint64_t when_of(const struct tt_capture *capture, const struct tt_event *event)
{
    return capture->lanes_by_time ? event->ticks : event->pos;
}

static uint32_t own_process(const struct tt_capture *capture, const struct tt_event *event)
{
    return event->thread < tt_thread_count(capture) ? tt_thread_at(capture, event->thread)->process
                                                    : UINT32_MAX;
}

/* Finds the process of a tid: that of argument `name`, or of the event's thread. */
static uint32_t process_for(const struct tt_capture *capture, const struct tt_event *event,
                            const struct tt_args *args, const char *name)
{
    for (unsigned i = 0; name && i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (arg_names_is_text(name, arg->name.data, arg->name.length) && arg_names_is_number(arg) &&
            arg->value.u != 0) {
            return tt_registry_find_process(capture, arg->value.u, when_of(capture, event));
        }
    }
    return own_process(capture, event);
}

static uint32_t arg_names_thread_of(const struct tt_capture *capture, const struct tt_event *event,
                                    uint32_t process, uint64_t tid)
{
    return process < tt_process_count(capture)
               ? tt_registry_find_thread(capture, tt_process_at(capture, process)->pid, tid,
                                         when_of(capture, event))
               : TT_NO_THREAD;
}

/* ---- targets ------------------------------------------------------------------------------ */

/* Finds the target of a number alone, for all meanings except PEER. */
static bool find_target(const struct tt_capture *capture, const struct tt_event *of_whole,
                        const struct tt_args *args, unsigned index, struct tt_arg_target *target)
{
    struct tt_event own;
    const struct tt_capture *c = tt_merge_own(capture, of_whole, &own);
    const struct tt_event *event = &own;
    const struct tt_arg *arg = &args->v[index];
    const struct tt_arg_rule *rule =
        arg_names_is_number(arg) ? tt_arg_rule_of(c, event->type, arg->name.data, arg->name.length)
                                 : NULL;
    *target = (struct tt_arg_target){UINT32_MAX, TT_NO_THREAD, NULL, TT_ARG_PLAIN};
    if (!rule) {
        return false;
    }
    target->meaning = (uint8_t)rule->meaning;
    switch (rule->meaning) {
    case TT_ARG_OWN_PROCESS:
    case TT_ARG_PROCESS:
        target->process = rule->meaning == TT_ARG_OWN_PROCESS && arg->value.u == 0
                              ? own_process(c, event)
                              : tt_registry_find_process(c, arg->value.u, when_of(c, event));
        break;
    case TT_ARG_THREAD:
        target->thread =
            arg_names_thread_of(c, event, process_for(c, event, args, rule->process), arg->value.u);
        break;
    case TT_ARG_OWNER:
        target->thread = c->format->refers.arg_owner
                             ? c->format->refers.arg_owner(c, event, arg->value.u, &target->special)
                             : TT_NO_THREAD;
        break;
    default:
        break;
    }
    if (target->thread != TT_NO_THREAD) {
        target->process = tt_thread_at(c, target->thread)->process;
    }
    return target->process != UINT32_MAX || target->special;
}

/* ---- messages of calls -------------------------------------------------------------------- */

/* Finds the thread or process in the arguments of a message event. */
static bool find_in_message(struct tt_events *events, const struct tt_event *event,
                            struct tt_arg_target *target)
{
    const struct tt_capture *capture = events->trace->capture;
    struct tt_args args;
    struct tt_arg_target found;
    if (!tt_events_describe(events, event, &args)) {
        return false;
    }
    for (unsigned i = 0; i < args.count; i++) {
        if (find_target(capture, event, &args, i, &found)) {
            target->process = found.process;
            target->thread = found.thread != TT_NO_THREAD ? found.thread : target->thread;
        }
    }
    return target->process != UINT32_MAX;
}

/* Finds the message that the event's thread sends or answers before its next call. */
static bool find_peer(struct tt_events *events, const struct tt_event *call,
                      struct tt_arg_target *target)
{
    struct tt_event list[CALL_STEP];
    events = tt_events_of_system(events, tt_merge_of_event(events->trace->capture, call));
    uint64_t row = tt_events_row_at_key(events, call->ticks, call->pos) + 1;
    for (uint32_t passed = 0; passed < TT_ARG_CALL_REACH; passed += CALL_STEP) {
        uint32_t count = tt_events_read(events, row + passed, CALL_STEP, list);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_event *event = &list[i];
            if (event->thread != call->thread || event->cpu != call->cpu) {
                continue;
            }
            if (event->kind == TT_KIND_MESSAGE) {
                return find_in_message(events, event, target);
            }
            if (event->kind == TT_KIND_ENTER || event->kind == TT_KIND_EXIT) {
                return false;
            }
        }
        if (count < CALL_STEP) {
            break;
        }
    }
    return false;
}

bool tt_arg_target(struct tt_events *events, const struct tt_event *event,
                   const struct tt_args *args, unsigned index, struct tt_arg_target *target)
{
    const struct tt_capture *capture = events->trace->capture;
    return find_target(capture, event, args, index, target) ||
           (target->meaning == TT_ARG_PEER && find_peer(events, event, target));
}

void tt_args_resolve(struct tt_events *events, const struct tt_event *event, struct tt_args *args)
{
    const struct tt_capture *capture = events->trace->capture;
    struct tt_arg_target target;
    if (!capture->format->refers.args) {
        return;
    }
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        if (!arg->hidden && arg->label.length == 0 &&
            tt_arg_target(events, event, args, i, &target)) {
            /*
             * ---- labels
             * -------------------------------------------------------------------------------
             */
            if (target.special) {
                tt_arg_label(arg, target.special, (uint32_t)strlen(target.special));
            } else if (target.meaning == TT_ARG_THREAD) {
                /* Labels the tid of a process with the thread's own name. */
                tt_string name = tt_thread_at(capture, target.thread)->name;
                size_t length;
                const char *text = tt_capture_text(capture, name, &length);
                if (name != 0) {
                    tt_arg_label(arg, text, (uint32_t)length);
                }
            } else if (target.thread != TT_NO_THREAD) {
                /* Labels an argument with a whole thread: "store/2 journal". */
                uint32_t thread = target.thread;
                char name[NAME_ROOM];
                struct tt_text text = tt_text_of(name, sizeof name);
                tt_line_thread(&text, capture, thread);
                char *kept = text.truncated || text.used > TT_ARGS_SCRATCH - args->scratch_used
                                 ? NULL
                                 : tt_args_scratch(args, (uint32_t)text.used);
                if (kept) {
                    memcpy(kept, name, text.used);
                    tt_arg_label(arg, kept, (uint32_t)text.used);
                }
            } else {
                size_t length;
                const char *name =
                    tt_process_base_name(capture, tt_process_at(capture, target.process), &length);
                tt_arg_label(arg, name, (uint32_t)length);
            }
            arg->named = arg->label.length > 0;
        }
    }
}
