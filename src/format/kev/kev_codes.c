/* SPDX-License-Identifier: Apache-2.0 */
/* kev_codes: what a code (class and event number) means to the decoder: its type, kind and task. */
#include <stdio.h>

#include "format/kev/kev_decode.h"

/* ---- event types -------------------------------------------------------------------------- */

struct code_task {
    uint16_t code;
    uint8_t task;
};

#define CODE(class_, event) ((class_) << 10 | (event))

static const struct code_task code_tasks[] = {
    {CODE(KEV_CLASS_CONTROL, 1), KEV_TIME},
    {CODE(KEV_CLASS_CONTROL, 2), KEV_BUFFER},
    {CODE(KEV_CLASS_CONTROL, 4), KEV_BUFFER_END},
    {CODE(KEV_CLASS_CONTROL, 8), KEV_DROPPED},
    {CODE(KEV_CLASS_CALL, 13), KEV_ERROR_CALL},
    {CODE(KEV_CLASS_CALL, 14), KEV_RECEIVE_CALL},
    {CODE(KEV_CLASS_CALL, 14 | KEV_64_BIT), KEV_RECEIVE_CALL},
    {CODE(KEV_CLASS_CALL, 24), KEV_RECEIVE_CALL},
    {CODE(KEV_CLASS_CALL, 24 | KEV_64_BIT), KEV_RECEIVE_CALL},
    {CODE(KEV_CLASS_CALL, 80), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 81), KEV_LOCK_FREE},
    {CODE(KEV_CLASS_CALL, 82), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 85), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 80 | KEV_64_BIT), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 81 | KEV_64_BIT), KEV_LOCK_FREE},
    {CODE(KEV_CLASS_CALL, 82 | KEV_64_BIT), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 85 | KEV_64_BIT), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 1 + KEV_EXIT), KEV_TRACE_EXIT},
    {CODE(KEV_CLASS_CALL, (1 + KEV_EXIT) | KEV_64_BIT), KEV_TRACE_EXIT},
    {CODE(KEV_CLASS_INTERRUPT, 1), KEV_INTERRUPT_ENTER},
    {CODE(KEV_CLASS_INTERRUPT, 2), KEV_INTERRUPT_LEAVE},
    {CODE(KEV_CLASS_INTERRUPT, 5), KEV_INTERRUPT_ENTER},
    {CODE(KEV_CLASS_THREAD, 24), KEV_THREAD_CREATE},
    {CODE(KEV_CLASS_THREAD, 25), KEV_THREAD_DESTROY},
    {CODE(KEV_CLASS_THREAD, 64), KEV_PROCESS_CREATE},
    {CODE(KEV_CLASS_THREAD, 128), KEV_PROCESS_DESTROY},
    {CODE(KEV_CLASS_THREAD, 192), KEV_PROCESS_CREATE},
    {CODE(KEV_CLASS_THREAD, 256), KEV_PROCESS_DESTROY},
    {CODE(KEV_CLASS_THREAD, 320), KEV_THREAD_NAME},
    {CODE(KEV_CLASS_SYSTEM, 2), KEV_OF_THREAD},  /* PATHMGR */
    {CODE(KEV_CLASS_SYSTEM, 5), KEV_OF_THREAD},  /* APS_BNKR */
    {CODE(KEV_CLASS_SYSTEM, 17), KEV_OF_THREAD}, /* PAGEWAIT */
    {CODE(KEV_CLASS_SYSTEM, 18), KEV_OF_THREAD}, /* TIMER */
    {CODE(KEV_CLASS_COMM, 0), KEV_MESSAGE_SEND},
    {CODE(KEV_CLASS_COMM, 1), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 2), KEV_MESSAGE_RECEIVE},
    {CODE(KEV_CLASS_COMM, 3), KEV_PULSE_RECEIVE},
    {CODE(KEV_CLASS_COMM, 4), KEV_KERNEL_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 5), KEV_KERNEL_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 6), KEV_KERNEL_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 7), KEV_KERNEL_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 8), KEV_KERNEL_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 10), KEV_MESSAGE_REPLY},
    {CODE(KEV_CLASS_COMM, 11), KEV_MESSAGE_ERROR},
    {CODE(KEV_CLASS_QVM, 0), KEV_GUEST_ENTER},
    {CODE(KEV_CLASS_QVM, 1), KEV_GUEST_EXIT},
    {CODE(KEV_CLASS_QVM, 7), KEV_GUEST_CYCLES},
};

static bool is_virtual_thread(const struct kev_decoder *decoder, uint32_t event)
{
    return decoder->release != KEV_8 && event >= 26 && event < 52;
}

/* Returns the layout of the call that an INT_CALL event interrupts, or NULL. */
static const struct kev_layout *call_of(const struct kev_decoder *decoder, uint32_t code)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    if (kev_class_of(code) != KEV_CLASS_CALL || number < KEV_BROKEN_OFF ||
        number >= KEV_BROKEN_OFF + KEV_EXIT) {
        return NULL;
    }
    return decoder->layouts[CODE(KEV_CLASS_CALL, number - KEV_BROKEN_OFF)];
}

bool kev_code_is_known(const struct kev_decoder *decoder, uint32_t code)
{
    uint32_t class_ = kev_class_of(code);
    return decoder->layouts[code] || call_of(decoder, code) || class_ == KEV_CLASS_USER ||
           class_ == KEV_CLASS_QUIP;
}

static unsigned task_of(const struct kev_decoder *decoder, uint32_t code)
{
    uint32_t event = code & KEV_EVENT_MASK;
    for (size_t i = 0; i < sizeof code_tasks / sizeof code_tasks[0]; i++) {
        if (code_tasks[i].code == code) {
            return code_tasks[i].task;
        }
    }
    if (kev_class_of(code) == KEV_CLASS_THREAD && event < KEV_STATE_EVENTS &&
        !is_virtual_thread(decoder, event)) {
        return KEV_STATE; /* also unnamed ones: they are states too */
    }
    if (!kev_code_is_known(decoder, code)) {
        return KEV_UNKNOWN;
    }
    return kev_class_of(code) == KEV_CLASS_CONTROL ? KEV_CONTROL : KEV_PLAIN;
}

static const char *intern_number(struct tt_capture *capture, const char *prefix, uint32_t number)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%s_%u", prefix, number);
    return tt_capture_text(capture, tt_capture_intern(capture, text, (size_t)length), NULL);
}

static const char *event_name(struct tt_cursor *cursor, uint32_t code)
{
    const struct kev_decoder *decoder = cursor->d;
    uint32_t event = code & KEV_EVENT_MASK;
    const struct kev_layout *layout =
        decoder->layouts[code] ? decoder->layouts[code] : call_of(decoder, code);
    if (layout) {
        return layout->name;
    }
    const char *given =
        kev_class_of(code) == KEV_CLASS_USER ? kev_names_user(decoder->names, event) : NULL;
    if (given) {
        return given;
    }
    if (kev_class_of(code) == KEV_CLASS_CALL) {
        return intern_number(cursor->capture, "CALL", event & ~KEV_64_BIT & (KEV_EXIT - 1));
    }
    bool is_state = kev_class_of(code) == KEV_CLASS_THREAD && event < KEV_STATE_EVENTS;
    return intern_number(cursor->capture, is_state ? "STATE" : "EVENT", event);
}

static uint32_t type_of_code(const struct tt_capture *capture, uint32_t code)
{
    uint32_t count = tt_types_count(capture);
    for (uint32_t i = 0; i < count; i++) {
        if (tt_types_at(capture, i)->code == code) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Returns the bits for kev_find_types.c, which ignores tasks that only make actions or notes. */
static uint32_t fast_bits(unsigned task, uint32_t code)
{
    switch (task) {
    case KEV_CONTROL:
    case KEV_TIME:
    case KEV_BUFFER:
    case KEV_BUFFER_END:
    case KEV_DROPPED:
    case KEV_THREAD_CREATE:
    case KEV_THREAD_DESTROY:
    case KEV_THREAD_NAME:
    case KEV_PROCESS_CREATE:
        return 0;
    case KEV_OF_THREAD:
        return KEV_INFO_FAST | KEV_INFO_NAMES;
    case KEV_STATE:
        return KEV_INFO_FAST | KEV_INFO_NAMES | ((code & KEV_EVENT_MASK) == 1 ? KEV_INFO_RUNS : 0u);
    default:
        /* It may be an empty slot, or the header of another capture. */
        return code != 0 && !kev_is_text(code) ? KEV_INFO_FAST : 0;
    }
}

/*
 * Returns the bit for kev_decode_fast.c, which decodes messages and others aside. It judges nothing: events that the
 * release does not have are left to kev_decode.c.
 */
static uint32_t action_bits(const struct kev_decoder *decoder, unsigned task, unsigned kind,
                            uint32_t code)
{
    if (!kev_code_is_known(decoder, code)) {
        return 0;
    }
    switch (task) {
    case KEV_PLAIN:
    case KEV_STATE:
    case KEV_INTERRUPT_ENTER:
    case KEV_INTERRUPT_LEAVE:
    case KEV_MESSAGE_RECEIVE:
    case KEV_PULSE_RECEIVE:
    case KEV_RECEIVE_CALL:
    case KEV_ERROR_CALL:
    case KEV_OF_THREAD:
    case KEV_TRACE_EXIT:
        return code != 0 && !(TT_NOTE_KINDS >> kind & 1) ? KEV_INFO_FAST_ACTIONS : 0;
    default:
        return 0;
    }
}

KEV_COLD uint32_t kev_code_info(struct tt_cursor *cursor, uint32_t code)
{
    struct kev_decoder *decoder = cursor->d;
    struct tt_capture *capture = cursor->capture;
    unsigned kind = kev_kind_of(code);
    uint32_t type = type_of_code(capture, code);
    if (type == UINT32_MAX && cursor->learn) {
        const char *class_name = kev_class_name(decoder->release, code);
        if (!class_name) {
            class_name = intern_number(capture, "CLASS", kev_class_of(code));
        }
        type = tt_types_add(capture, class_name, event_name(cursor, code), code, kind);
        cursor->out_of_memory = cursor->out_of_memory || type == UINT32_MAX;
    }
    unsigned task = task_of(decoder, code);
    uint32_t info =
        kev_info(task, kind, type) | fast_bits(task, code) | action_bits(decoder, task, kind, code);
    if (type != UINT32_MAX) {
        atomic_store_explicit(&decoder->codes[code], info, memory_order_release);
    }
    return info;
}
