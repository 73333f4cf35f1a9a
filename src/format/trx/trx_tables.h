/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_tables: names of the trace events of ThreadX, FileX, NetX, NetX Duo and USBX, of the four
 * information words of each, and of enumerated values. Const tables and look-ups; any thread.
 *
 *  Sources: tx_trace.h and the call sites of ThreadX 6.4.2; fx_api.h, nx_api.h, ux_api.h (comments
 * of the headers only). Ids: 1-199 ThreadX, 200-299 FileX, 300-599 NetX, 600-999 USBX, higher ones
 * the application's own.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_TABLES_H
#define TRACETUI_FORMAT_TRX_TRX_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/event.h"
#include "tracetui/format.h"

#define TRX_FIRST_USER_ID 1000u /* a higher id without a name is the application's */

/* Event classes: the bits of tx_trace_event_filter, and classes for the rest. */
#define TRX_CLASS_INFO(X)                                                                          \
    X(TX_INTERNAL)                                                                                 \
    X(TX_BLOCK)                                                                                    \
    X(TX_BYTE)                                                                                     \
    X(TX_EVENT_FLAGS)                                                                              \
    X(TX_INTERRUPT)                                                                                \
    X(TX_MUTEX)                                                                                    \
    X(TX_QUEUE)                                                                                    \
    X(TX_SEMAPHORE)                                                                                \
    X(TX_THREAD)                                                                                   \
    X(TX_TIME)                                                                                     \
    X(TX_TIMER)                                                                                    \
    X(FX_INTERNAL)                                                                                 \
    X(FX_DIRECTORY)                                                                                \
    X(FX_FILE)                                                                                     \
    X(FX_MEDIA)                                                                                    \
    X(FX_SYSTEM)                                                                                   \
    X(FX_UNICODE)                                                                                  \
    X(NX_INTERNAL)                                                                                 \
    X(NX_ARP)                                                                                      \
    X(NX_ICMP)                                                                                     \
    X(NX_IGMP)                                                                                     \
    X(NX_IP)                                                                                       \
    X(NX_ND)                                                                                       \
    X(NX_PACKET)                                                                                   \
    X(NX_RARP)                                                                                     \
    X(NX_SYSTEM)                                                                                   \
    X(NX_TCP)                                                                                      \
    X(NX_UDP)                                                                                      \
    X(UX_ERROR)                                                                                    \
    X(UX_HOST_STACK)                                                                               \
    X(UX_HOST_CLASS)                                                                               \
    X(UX_DEVICE_STACK)                                                                             \
    X(UX_DEVICE_CLASS)                                                                             \
    X(USER)                                                                                        \
    X(UNKNOWN)

enum trx_class {
#define X(name) TRX_CLASS_##name,
    TRX_CLASS_INFO(X)
#undef X
        TRX_CLASS_COUNT
};

const char *trx_class_name(unsigned class_);

/* Object types of the registry, with the numbers of the file. */
enum trx_object_type {
    TRX_OBJECT_NONE,
    TRX_OBJECT_THREAD,
    TRX_OBJECT_TIMER,
    TRX_OBJECT_QUEUE,
    TRX_OBJECT_SEMAPHORE,
    TRX_OBJECT_MUTEX,
    TRX_OBJECT_EVENT_FLAGS,
    TRX_OBJECT_BLOCK_POOL,
    TRX_OBJECT_BYTE_POOL,
    TRX_OBJECT_MEDIA,
    TRX_OBJECT_FILE,
    TRX_OBJECT_IP,
    TRX_OBJECT_PACKET_POOL,
    TRX_OBJECT_TCP_SOCKET,
    TRX_OBJECT_UDP_SOCKET,
    TRX_OBJECT_USB_HOST_DEVICE = 21,
    TRX_OBJECT_USB_HOST_INTERFACE,
    TRX_OBJECT_USB_HOST_ENDPOINT,
    TRX_OBJECT_USB_HOST_CLASS,
    TRX_OBJECT_USB_DEVICE,
    TRX_OBJECT_USB_DEVICE_INTERFACE,
    TRX_OBJECT_USB_DEVICE_ENDPOINT,
    TRX_OBJECT_USB_DEVICE_CLASS,
    TRX_OBJECT_TYPES
};

/* Name and notation of a registry parameter. */
struct trx_parameter_info {
    const char *name; /* NULL: no such parameter */
    uint8_t hex;
};

struct trx_object_info {
    const char *name; /* "event flags group"; NULL: a reserved number */
    struct trx_parameter_info parameters[2];
};

/* Returns the info of a type, never NULL; that of an unknown number has the name "object". */
const struct trx_object_info *trx_object_info(unsigned type);

/* Type of an information word. */
enum trx_arg_type {
    TRX_ARG_NONE,    /* not used by this event */
    TRX_ARG_DECIMAL, /* a count, size, tick or port */
    TRX_ARG_HEX,
    TRX_ARG_POINTER, /* an address on the target */
    TRX_ARG_IPV4,
    TRX_ARG_WAIT, /* 0: no wait, 0xffffffff: forever, else ticks */
    TRX_ARG_STATE,
    TRX_ARG_SOCKET_STATE,
    TRX_ARG_GET_OPTION,
    TRX_ARG_SET_OPTION,
    TRX_ARG_INHERIT,
    TRX_ARG_ACTIVATE,
    TRX_ARG_OPEN_TYPE,
    TRX_ARG_NEXT, /* the next thread; 0: the system becomes idle */
    TRX_ARG_FIRST_OBJECT,
    TRX_ARG_THREAD = TRX_ARG_FIRST_OBJECT, /* this and higher: address of an object of this type */
    TRX_ARG_TIMER,
    TRX_ARG_QUEUE,
    TRX_ARG_SEMAPHORE,
    TRX_ARG_MUTEX,
    TRX_ARG_EVENT_FLAGS,
    TRX_ARG_BLOCK_POOL,
    TRX_ARG_BYTE_POOL,
    TRX_ARG_MEDIA,
    TRX_ARG_FILE,
    TRX_ARG_IP,
    TRX_ARG_PACKET_POOL,
    TRX_ARG_SOCKET,
    TRX_ARG_USB_DEVICE,
    TRX_ARG_USB_INTERFACE,
    TRX_ARG_USB_ENDPOINT,
    TRX_ARG_USB_CLASS,
    TRX_ARG_TYPES
};

struct trx_arg_info {
    const char *name; /* NULL: unused word */
    uint8_t type;     /* enum trx_arg_type */
};

struct trx_event_info {
    uint16_t id;
    uint8_t class_; /* enum trx_class */
    uint8_t kind;   /* enum tt_kind */
    const char *name;
    struct trx_arg_info args[4];
};

/* Returns the event with this id, or NULL. O(log n). */
const struct trx_event_info *trx_event_find(unsigned id);
/* Returns event `index` of all named ones in order of id; NULL after the last. For tests. */
const struct trx_event_info *trx_event_at(size_t index);

/*
 * Returns the object types an argument of this type may refer to, likeliest first, terminated by 0.
 */
const uint8_t *trx_arg_objects(unsigned arg_type);
/* Returns the name of an enumerated value, or NULL. */
const char *trx_value_name(unsigned arg_type, uint64_t value);

/* Thread states of the decoder: 0 unknown, 1 running, from 2 on ThreadX's own. */
#define TRX_STATE_RUNNING  1u
#define TRX_STATE_OF(code) ((uint16_t)((code) + 2u)) /* for a ThreadX state code below 15 */
#define TRX_STATE_READY    TRX_STATE_OF(0u)
#define TRX_STATE_CODES    15u
#define TRX_CODE_PRIORITY  14u /* TX_PRIORITY_CHANGE: leaves the state as it is */
extern const struct tt_state_info trx_states[];
extern const uint32_t trx_state_count;

/* The products' tables, each sorted by id (trx_tables_*.c). */
struct trx_event_table {
    const struct trx_event_info *events;
    size_t count;
};
extern const struct trx_event_table trx_events_threadx;
extern const struct trx_event_table trx_events_filex;
extern const struct trx_event_table trx_events_netx;
extern const struct trx_event_table trx_events_usbx;

/* A row of such a table. */
#define TRX_EVENT(id, class_, kind, name, ...)                                                     \
    {                                                                                              \
        id, TRX_CLASS_##class_, TT_KIND_##kind, #name,                                             \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TRX_ARG(name, type)                                                                        \
    {                                                                                              \
#name, TRX_ARG_##type                                                                      \
    }
#define TRX_UNUSED                                                                                 \
    {                                                                                              \
        NULL, TRX_ARG_NONE                                                                         \
    }

#endif
