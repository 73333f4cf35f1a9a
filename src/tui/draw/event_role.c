/* SPDX-License-Identifier: Apache-2.0 */
/* event_role: the roles of events and thread states in a theme. */
#include "tui/draw/event_role.h"

#include "tracetui/action.h"
#include "tracetui/event.h"

enum tt_role tt_role_of_kind(unsigned kind)
{
    static const uint8_t roles[TT_KIND_COUNT] = {
        [TT_KIND_EVENT] = TT_ROLE_EVENT,
        [TT_KIND_ENTER] = TT_ROLE_EVENT_CALL,
        [TT_KIND_EXIT] = TT_ROLE_EVENT_CALL,
        [TT_KIND_INTERRUPTED] = TT_ROLE_EVENT_CALL,
        [TT_KIND_STATE] = TT_ROLE_EVENT_STATE,
        [TT_KIND_SWITCH] = TT_ROLE_EVENT_STATE,
        [TT_KIND_WAKEUP] = TT_ROLE_EVENT_STATE,
        [TT_KIND_LIFETIME] = TT_ROLE_EVENT_STATE,
        [TT_KIND_INTERRUPT_ENTER] = TT_ROLE_EVENT_INTERRUPT,
        [TT_KIND_INTERRUPT_EXIT] = TT_ROLE_EVENT_INTERRUPT,
        [TT_KIND_MESSAGE] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_CONTROL] = TT_ROLE_EVENT_CONTROL,
        [TT_KIND_USER] = TT_ROLE_EVENT_USER,
        [TT_KIND_INSTANT] = TT_ROLE_EVENT_USER,
        [TT_KIND_BEGIN] = TT_ROLE_EVENT_CALL,
        [TT_KIND_END] = TT_ROLE_EVENT_CALL,
        [TT_KIND_COMPLETE] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_BEGIN] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_INSTANT] = TT_ROLE_EVENT_CALL,
        [TT_KIND_ASYNC_END] = TT_ROLE_EVENT_CALL,
        [TT_KIND_FLOW_BEGIN] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_FLOW_STEP] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_FLOW_END] = TT_ROLE_EVENT_MESSAGE,
        [TT_KIND_COUNTER] = TT_ROLE_EVENT,
        [TT_KIND_LOG] = TT_ROLE_EVENT_USER,
        [TT_KIND_LOG_WARNING] = TT_ROLE_WARNING,
        [TT_KIND_LOG_ERROR] = TT_ROLE_ERROR,
        [TT_KIND_SAMPLE] = TT_ROLE_EVENT,
        [TT_KIND_BLOB] = TT_ROLE_EVENT,
        [TT_KIND_DEFINITION] = TT_ROLE_EVENT_CONTROL,
    };
    return kind < TT_KIND_COUNT ? (enum tt_role)roles[kind] : TT_ROLE_EVENT;
}

enum tt_role tt_role_of_class(unsigned class_)
{
    static const uint8_t roles[TT_CLASS_COUNT] = {
        [TT_CLASS_UNKNOWN] = TT_ROLE_UNKNOWN, [TT_CLASS_RUNNING] = TT_ROLE_RUNNING,
        [TT_CLASS_READY] = TT_ROLE_READY,     [TT_CLASS_IPC] = TT_ROLE_IPC,
        [TT_CLASS_LOCK] = TT_ROLE_LOCK,       [TT_CLASS_SLEEP] = TT_ROLE_SLEEP,
        [TT_CLASS_WAIT] = TT_ROLE_WAIT,       [TT_CLASS_STOPPED] = TT_ROLE_STOPPED,
        [TT_CLASS_DEAD] = TT_ROLE_DEAD,       [TT_CLASS_CONDITION] = TT_ROLE_CONDITION,
    };
    return class_ < TT_CLASS_COUNT ? (enum tt_role)roles[class_] : TT_ROLE_UNKNOWN;
}
