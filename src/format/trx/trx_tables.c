/* SPDX-License-Identifier: Apache-2.0 */
/* trx_tables: look-ups in the event tables; names of classes, objects, states and options. */
#include "format/trx/trx_tables.h"

const char *trx_class_name(unsigned class_)
{
    static const char *const names[] = {
#define X(name) #name,
        TRX_CLASS_INFO(X)
#undef X
    };
    return names[class_ < TRX_CLASS_COUNT ? class_ : TRX_CLASS_UNKNOWN];
}

/* In order of id: each table is sorted, so all together are. */
static const struct trx_event_table *const tables[] = {&trx_events_threadx, &trx_events_filex,
                                                       &trx_events_netx, &trx_events_usbx};
#define TABLE_COUNT (sizeof tables / sizeof tables[0])

const struct trx_event_info *trx_event_find(unsigned id)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (id <= tables[i]->events[tables[i]->count - 1].id) {
            const struct trx_event_table *table = tables[i];
            size_t low = 0;
            size_t high = table->count;
            while (low < high) {
                size_t middle = low + (high - low) / 2;
                if (table->events[middle].id < id) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low < table->count && table->events[low].id == id ? &table->events[low] : NULL;
        }
    }
    return NULL;
}

const struct trx_event_info *trx_event_at(size_t index)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (index < tables[i]->count) {
            return &tables[i]->events[index];
        }
        index -= tables[i]->count;
    }
    return NULL;
}

/* Parameters as the registering calls pass them, which may differ from the manual. */
/* clang-format off */
static const struct trx_object_info objects[TRX_OBJECT_TYPES] = {
    [TRX_OBJECT_NONE] = {"object", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_THREAD] = {"thread", {{"stack_start", 1}, {"stack_size", 0}}},
    [TRX_OBJECT_TIMER] = {"timer", {{"initial_ticks", 0}, {"reschedule_ticks", 0}}},
    [TRX_OBJECT_QUEUE] = {"queue", {{"queue_bytes", 0}, {"message_words", 0}}},
    [TRX_OBJECT_SEMAPHORE] = {"semaphore", {{"initial_count", 0}, {NULL, 0}}},
    [TRX_OBJECT_MUTEX] = {"mutex", {{"inherit", 0}, {NULL, 0}}},
    [TRX_OBJECT_EVENT_FLAGS] = {"event flags", {{NULL, 0}, {NULL, 0}}},
    [TRX_OBJECT_BLOCK_POOL] = {"block pool", {{"pool_bytes", 0}, {"block_size", 0}}},
    [TRX_OBJECT_BYTE_POOL] = {"byte pool", {{"pool_bytes", 0}, {NULL, 0}}},
    [TRX_OBJECT_MEDIA] = {"media", {{"fat_cache", 0}, {"sector_cache", 0}}},
    [TRX_OBJECT_FILE] = {"file", {{NULL, 0}, {NULL, 0}}},
    [TRX_OBJECT_IP] = {"ip", {{"stack_start", 1}, {"stack_size", 0}}},
    [TRX_OBJECT_PACKET_POOL] = {"packet pool", {{"payload_size", 0}, {"packets", 0}}},
    [TRX_OBJECT_TCP_SOCKET] = {"tcp socket", {{"type_of_service", 1}, {"window_size", 0}}},
    [TRX_OBJECT_UDP_SOCKET] = {"udp socket", {{"type_of_service", 1}, {"queue_maximum", 0}}},
    [TRX_OBJECT_USB_HOST_DEVICE] = {"usb host device", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_HOST_INTERFACE] = {"usb host interface", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_HOST_ENDPOINT] = {"usb host endpoint", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_HOST_CLASS] = {"usb host class", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_DEVICE] = {"usb device", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_DEVICE_INTERFACE] = {"usb device interface", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_DEVICE_ENDPOINT] = {"usb device endpoint", {{"parameter_1", 1}, {"parameter_2", 1}}},
    [TRX_OBJECT_USB_DEVICE_CLASS] = {"usb device class", {{"parameter_1", 1}, {"parameter_2", 1}}},
};
/* clang-format on */

const struct trx_object_info *trx_object_info(unsigned type)
{
    bool known = type < TRX_OBJECT_TYPES && objects[type].name;
    return &objects[known ? type : TRX_OBJECT_NONE];
}

const uint8_t *trx_arg_objects(unsigned arg_type)
{
    static const uint8_t wanted[TRX_ARG_TYPES][3] = {
        [TRX_ARG_NEXT] = {TRX_OBJECT_THREAD},
        [TRX_ARG_THREAD] = {TRX_OBJECT_THREAD},
        [TRX_ARG_TIMER] = {TRX_OBJECT_TIMER},
        [TRX_ARG_QUEUE] = {TRX_OBJECT_QUEUE},
        [TRX_ARG_SEMAPHORE] = {TRX_OBJECT_SEMAPHORE},
        [TRX_ARG_MUTEX] = {TRX_OBJECT_MUTEX},
        [TRX_ARG_EVENT_FLAGS] = {TRX_OBJECT_EVENT_FLAGS},
        [TRX_ARG_BLOCK_POOL] = {TRX_OBJECT_BLOCK_POOL},
        [TRX_ARG_BYTE_POOL] = {TRX_OBJECT_BYTE_POOL},
        [TRX_ARG_MEDIA] = {TRX_OBJECT_MEDIA},
        [TRX_ARG_FILE] = {TRX_OBJECT_FILE},
        [TRX_ARG_IP] = {TRX_OBJECT_IP},
        [TRX_ARG_PACKET_POOL] = {TRX_OBJECT_PACKET_POOL},
        [TRX_ARG_SOCKET] = {TRX_OBJECT_TCP_SOCKET, TRX_OBJECT_UDP_SOCKET},
        [TRX_ARG_USB_DEVICE] = {TRX_OBJECT_USB_HOST_DEVICE, TRX_OBJECT_USB_DEVICE},
        [TRX_ARG_USB_INTERFACE] = {TRX_OBJECT_USB_HOST_INTERFACE, TRX_OBJECT_USB_DEVICE_INTERFACE},
        [TRX_ARG_USB_ENDPOINT] = {TRX_OBJECT_USB_HOST_ENDPOINT, TRX_OBJECT_USB_DEVICE_ENDPOINT},
        [TRX_ARG_USB_CLASS] = {TRX_OBJECT_USB_HOST_CLASS, TRX_OBJECT_USB_DEVICE_CLASS},
    };
    return wanted[arg_type < TRX_ARG_TYPES ? arg_type : TRX_ARG_NONE];
}

/*
 * Columns: name, class, flags, kind of wake, kind of object. In the states that end a job a thread
 * waits for its next activation; in all others it waits for something it needs.
 */
#define ENDS TT_STATE_ENDS_JOB
/* clang-format off */
const struct tt_state_info trx_states[] = {
    {"unknown", TT_CLASS_UNKNOWN, 0, 0, 0, NULL},
    {"RUNNING", TT_CLASS_RUNNING, 0, 0, 0, NULL},
    {"READY", TT_CLASS_READY, 0, 0, 0, NULL},
    {"COMPLETED", TT_CLASS_DEAD, ENDS, 0, 0, NULL},
    {"TERMINATED", TT_CLASS_DEAD, 0, 0, 0, NULL},
    {"SUSPENDED", TT_CLASS_STOPPED, ENDS, 0, 0, NULL},
    {"SLEEP", TT_CLASS_SLEEP, ENDS, 0, 0, NULL},
    {"QUEUE_SUSP", TT_CLASS_IPC, ENDS, 0, TT_OBJECT_QUEUE, NULL},
    {"SEMAPHORE_SUSP", TT_CLASS_CONDITION, ENDS, 0, TT_OBJECT_SEMAPHORE, NULL},
    {"EVENT_FLAG", TT_CLASS_CONDITION, ENDS, 0, TT_OBJECT_FLAGS, NULL},
    {"BLOCK_MEMORY", TT_CLASS_WAIT, 0, 0, TT_OBJECT_BLOCK_POOL, NULL},
    {"BYTE_MEMORY", TT_CLASS_WAIT, 0, 0, TT_OBJECT_BYTE_POOL, NULL},
    {"IO_DRIVER", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"FILE", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"TCP_IP", TT_CLASS_IPC, 0, 0, 0, NULL},
    {"MUTEX_SUSP", TT_CLASS_LOCK, 0, 0, TT_OBJECT_MUTEX, NULL},
    {"PRIORITY_CHANGE", TT_CLASS_UNKNOWN, 0, 0, 0, NULL},
};
/* clang-format on */
#undef ENDS
const uint32_t trx_state_count = sizeof trx_states / sizeof trx_states[0];

struct value_names {
    uint8_t first; /* value of names[0] */
    uint8_t count;
    const char *const *names;
};

static const char *const socket_states[] = {
    "CLOSED",     "LISTEN",     "SYN_SENT", "SYN_RECEIVED", "ESTABLISHED", "CLOSE_WAIT",
    "FIN_WAIT_1", "FIN_WAIT_2", "CLOSING",  "TIMED_WAIT",   "LAST_ACK"};
static const char *const get_options[] = {"OR", "OR_CLEAR", "AND", "AND_CLEAR"};
static const char *const set_options[] = {"OR", NULL, "AND"};
static const char *const inherit[] = {"NO_INHERIT", "INHERIT"};
static const char *const activate[] = {"NO_ACTIVATE", "AUTO_ACTIVATE"};
static const char *const open_types[] = {"READ", "WRITE", "FAST_READ"};

#define NAMES(first, names)                                                                        \
    {                                                                                              \
        first, sizeof(names) / sizeof((names)[0]), names                                           \
    }

/* clang-format off */
static const struct value_names values[TRX_ARG_FIRST_OBJECT] = {
    [TRX_ARG_SOCKET_STATE] = NAMES(1, socket_states),
    [TRX_ARG_GET_OPTION] = NAMES(0, get_options),
    [TRX_ARG_SET_OPTION] = NAMES(0, set_options),
    [TRX_ARG_INHERIT] = NAMES(0, inherit),
    [TRX_ARG_ACTIVATE] = NAMES(0, activate),
    [TRX_ARG_OPEN_TYPE] = NAMES(0, open_types),
};
/* clang-format on */

const char *trx_value_name(unsigned arg_type, uint64_t value)
{
    if (arg_type == TRX_ARG_WAIT) {
        return value == 0 ? "NO_WAIT" : value == UINT32_MAX ? "WAIT_FOREVER" : NULL;
    }
    if (arg_type == TRX_ARG_STATE) {
        return value < TRX_STATE_CODES ? trx_states[value + 2].name : NULL;
    }
    if (arg_type == TRX_ARG_NEXT) {
        return value == 0 ? "idle" : NULL;
    }
    if (arg_type >= TRX_ARG_FIRST_OBJECT || value < values[arg_type].first) {
        return NULL;
    }
    value -= values[arg_type].first;
    return value < values[arg_type].count ? values[arg_type].names[value] : NULL;
}
