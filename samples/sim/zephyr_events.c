// SPDX-License-Identifier: Apache-2.0
//
// zephyr_events: see zephyr_events.h.

#include "zephyr_events.h"

#include <string.h>

static const struct zephyr_release releases[] = {
    {"3.5", 4, 1, false, true, ZEPHYR_PLAIN},  {"4.3", 4, 1, false, false, ZEPHYR_PLAIN},
    {"4.4", 4, 2, false, false, ZEPHYR_PLAIN}, {"4.5", 8, 2, false, false, ZEPHYR_PLAIN},
    {"smp", 4, 1, true, false, ZEPHYR_PLAIN},  {"cpu", 8, 2, false, false, ZEPHYR_CPU},
    {"link", 8, 2, false, false, ZEPHYR_LINK}, {"ram", 8, 2, false, false, ZEPHYR_RAM},
};

static const struct zephyr_layout layouts[ZEPHYR_EVENTS] = {
    [ZEPHYR_SWITCHED_OUT] = {0x10, true, "thread_switched_out", "T"},
    [ZEPHYR_SWITCHED_IN] = {0x11, true, "thread_switched_in", "T"},
    [ZEPHYR_PRIORITY_SET] = {0x12, true, "thread_priority_set", "Tp"},
    [ZEPHYR_CREATE] = {0x13, true, "thread_create", "T"},
    [ZEPHYR_ABORT] = {0x14, true, "thread_abort", "T"},
    [ZEPHYR_SUSPEND] = {0x15, true, "thread_suspend", "T"},
    [ZEPHYR_RESUME] = {0x16, true, "thread_resume", "T"},
    [ZEPHYR_INFO] = {0x19, true, "thread_info", "Tb"},
    [ZEPHYR_NAME_SET] = {0x1a, true, "thread_name_set", "T"},
    [ZEPHYR_ISR_ENTER] = {0x1b, true, "isr_enter", ""},
    [ZEPHYR_ISR_EXIT] = {0x1c, true, "isr_exit", ""},
    [ZEPHYR_IDLE] = {0x1e, true, "idle", ""},
    [ZEPHYR_SEM_GIVE_ENTER] = {0x22, true, "semaphore_give_enter", "i"},
    [ZEPHYR_SEM_GIVE_EXIT] = {0x23, true, "semaphore_give_exit", "i"},
    [ZEPHYR_SEM_TAKE_ENTER] = {0x24, true, "semaphore_take_enter", "io"},
    [ZEPHYR_SEM_TAKE_BLOCKING] = {0x25, true, "semaphore_take_blocking", "io"},
    [ZEPHYR_SEM_TAKE_EXIT] = {0x26, true, "semaphore_take_exit", "ior"},
    [ZEPHYR_MUTEX_LOCK_ENTER] = {0x29, true, "mutex_lock_enter", "io"},
    [ZEPHYR_MUTEX_LOCK_BLOCKING] = {0x2a, true, "mutex_lock_blocking", "io"},
    [ZEPHYR_MUTEX_LOCK_EXIT] = {0x2b, true, "mutex_lock_exit", "ior"},
    [ZEPHYR_MUTEX_UNLOCK_ENTER] = {0x2c, true, "mutex_unlock_enter", "i"},
    [ZEPHYR_MUTEX_UNLOCK_EXIT] = {0x2d, true, "mutex_unlock_exit", "i"},
    [ZEPHYR_NAMED] = {0x62, false, "named_event", "nac"},
    [ZEPHYR_SLEEP_ENTER] = {0x7f, false, "k_sleep_enter", "o"},
    [ZEPHYR_SLEEP_EXIT] = {0x80, false, "k_sleep_exit", "or"},
    [ZEPHYR_PUT_ENTER] = {0x8a, false, "msgq_put_enter", "io"},
    [ZEPHYR_PUT_BLOCKING] = {0x8b, false, "msgq_put_blocking", "io"},
    [ZEPHYR_PUT_EXIT] = {0x8c, false, "msgq_put_exit", "ior"},
    [ZEPHYR_GET_ENTER] = {0x8d, false, "msgq_get_enter", "io"},
    [ZEPHYR_GET_BLOCKING] = {0x8e, false, "msgq_get_blocking", "io"},
    [ZEPHYR_GET_EXIT] = {0x8f, false, "msgq_get_exit", "ior"},
    [ZEPHYR_SIGNAL_ENTER] = {0x98, false, "condvar_signal_enter", "i"},
    [ZEPHYR_SIGNAL_EXIT] = {0x9a, false, "condvar_signal_exit", "ir"},
    [ZEPHYR_WAIT_ENTER] = {0x9d, false, "condvar_wait_enter", "io"},
    [ZEPHYR_WAIT_EXIT] = {0x9e, false, "condvar_wait_exit", "ior"},
    [ZEPHYR_JOIN_ENTER] = {0xda, false, "thread_join_enter", "jo"},
    [ZEPHYR_JOIN_BLOCKING] = {0xdb, false, "thread_join_blocking", "jo"},
    [ZEPHYR_JOIN_EXIT] = {0xdc, false, "thread_join_exit", "jor"},
    [ZEPHYR_YIELD] = {0xe3, false, "thread_yield", ""},
    [ZEPHYR_SCHED_PRIORITY_SET] = {0xe9, false, "thread_sched_priority_set", "jpn"},
    [ZEPHYR_SCHED_READY] = {0xea, false, "thread_sched_ready", "T"},
    [ZEPHYR_SCHED_PEND] = {0xeb, false, "thread_sched_pend", "T"},
    [ZEPHYR_EVENT_POST_ENTER] = {0xfb, false, "event_post_enter", "ev"},
    [ZEPHYR_EVENT_POST_EXIT] = {0xfc, false, "event_post_exit", "ev"},
    [ZEPHYR_EVENT_WAIT_ENTER] = {0xfd, false, "event_wait_enter", "evo"},
    [ZEPHYR_EVENT_WAIT_BLOCKING] = {0xfe, false, "event_wait_blocking", "evo"},
    [ZEPHYR_EVENT_WAIT_EXIT] = {0xff, false, "event_wait_exit", "evr"},
    [ZEPHYR_EXPIRY_ENTER] = {0x100, false, "timer_expiry_enter", "i"},
    [ZEPHYR_EXPIRY_EXIT] = {0x101, false, "timer_expiry_exit", "i"},
};

const struct zephyr_release *zephyr_release_find(const char *name)
{
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++)
        if (strcmp(releases[i].name, name) == 0)
            return &releases[i];
    return NULL;
}

const struct zephyr_layout *zephyr_layout_of(enum zephyr_event event)
{
    return &layouts[event];
}

bool zephyr_has(const struct zephyr_release *release, enum zephyr_event event)
{
    return (layouts[event].old || !release->old) &&
           (release->id_bytes > 1 || layouts[event].id < 0x100);
}

static const char *declaration_of(char field)
{
    switch (field) {
    case 'T':
        return "\t\tuint32_t thread_id;\n\t\tctf_bounded_string_t name[20];\n";
    case 'j':
        return "\t\tuint32_t thread_id;\n";
    case 'p':
        return "\t\tint8_t prio;\n";
    case 'b':
        return "\t\tuint32_t stack_base;\n\t\tuint32_t stack_size;\n";
    case 'o':
        return "\t\tuint32_t timeout;\n";
    case 'r':
        return "\t\tint32_t ret;\n";
    case 'e':
        return "\t\tuint32_t event_id;\n";
    case 'v':
        return "\t\tuint32_t events;\n";
    case 'n':
        return "\t\tctf_bounded_string_t name[20];\n";
    case 'a':
        return "\t\tuint32_t arg0;\n";
    case 'c':
        return "\t\tuint32_t arg1;\n";
    default:
        return "\t\tuint32_t id;\n";
    }
}

static void packet_types(const struct zephyr_release *release, struct ftrace_text *text)
{
    if (release->packets == ZEPHYR_RAM)
        ftrace_text_print(text, "struct packet_context {\n\tuint64_t timestamp_begin;\n"
                                "\tuint64_t timestamp_end;\n\tuint32_t content_size;\n"
                                "\tuint32_t packet_size;\n\tuint64_t packet_seq_num;\n};\n\n");
    else if (release->packets != ZEPHYR_PLAIN)
        ftrace_text_print(text,
                          "clock {\n\tname = cycles;\n\tfreq = 1000000000;\n\toffset = 0;\n};\n\n"
                          "typealias integer { size = 64; align = 8; signed = false; "
                          "map = clock.cycles.value; } := uint64_cycles_t;\n\n"
                          "struct packet_context {\n\tuint64_cycles_t timestamp_begin;\n"
                          "\tuint64_cycles_t timestamp_end;\n\tuint32_t content_size;\n"
                          "\tuint32_t packet_size;\n\tuint32_t events_discarded;\n"
                          "\tuint8_t cpu_id;\n};\n\n");
}

static void header_types(const struct zephyr_release *release, struct ftrace_text *text)
{
    bool clocked = release->packets == ZEPHYR_CPU || release->packets == ZEPHYR_LINK;
    ftrace_text_print(text, "struct event_header {\n\t%s timestamp;\n\tuint%u_t id;\n};\n\n",
                      clocked                    ? "uint64_cycles_t"
                      : release->time_bytes == 8 ? "uint64_t"
                                                 : "uint32_t",
                      8u * release->id_bytes);
    ftrace_text_print(text, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n");
    if (release->packets != ZEPHYR_PLAIN)
        ftrace_text_print(text, "\tpacket.header := struct {\n\t\tuint32_t magic;\n%s\t};\n",
                          clocked ? "\t\tuint32_t stream_id;\n" : "");
    ftrace_text_print(
        text, "};\n\nstream {\n%s\tevent.header := struct event_header;\n%s};\n\n",
        clocked ? "\tid = 0;\n" : "",
        release->packets != ZEPHYR_PLAIN ? "\tpacket.context := struct packet_context;\n" : "");
}

void zephyr_metadata(const struct zephyr_release *release, struct ftrace_text *text)
{
    static const struct {
        const char *name;
        uint8_t bits;
        bool is_signed;
    } types[] = {{"int8_t", 8, true},   {"uint8_t", 8, false},   {"uint16_t", 16, false},
                 {"int32_t", 32, true}, {"uint32_t", 32, false}, {"uint64_t", 64, false}};
    ftrace_text_print(text, "/* CTF 1.8 */\n");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        ftrace_text_print(text, "typealias integer { size = %u; align = 8; signed = %s; } := %s;\n",
                          types[i].bits, types[i].is_signed ? "true" : "false", types[i].name);
    ftrace_text_print(text, "typealias integer { size = 8; align = 8; signed = false; "
                            "encoding = ASCII; } := ctf_bounded_string_t;\n\n");
    packet_types(release, text);
    header_types(release, text);
    for (int event = 0; event < ZEPHYR_EVENTS; event++) {
        const struct zephyr_layout *layout = &layouts[event];
        if (!zephyr_has(release, (enum zephyr_event)event))
            continue;
        ftrace_text_print(text, "event {\n\tname = %s;\n\tid = 0x%X;\n", layout->name, layout->id);
        if (layout->fields[0] != '\0' || release->core_id)
            ftrace_text_print(text, "\tfields := struct {\n");
        for (const char *field = layout->fields; *field != '\0'; field++)
            ftrace_text_print(text, "%s", declaration_of(*field));
        if (release->core_id)
            ftrace_text_print(text, "\t\tuint32_t core_id;\n");
        if (layout->fields[0] != '\0' || release->core_id)
            ftrace_text_print(text, "\t};\n");
        ftrace_text_print(text, "};\n\n");
    }
}
