// SPDX-License-Identifier: Apache-2.0
//
// lttng_events: see lttng_events.h.

#include "lttng_events.h"

#include <stddef.h>
#include <string.h>

static const struct lttng_event events[LTTNG_ENTRY] =
    {[FTRACE_PRINT] = {"lttng_logger", {{'t', "msg", '1'}}},
     [FTRACE_SWITCH] = {"sched_switch",
                        {{'c', "prev_comm", '0'},
                         {'i', "prev_tid", '1'},
                         {'n', "prev_prio", '2'},
                         {'l', "prev_state", '3'},
                         {'c', "next_comm", '4'},
                         {'i', "next_tid", '5'},
                         {'n', "next_prio", '6'}}},
     [FTRACE_WAKING] =
         {"sched_waking",
          {{'c', "comm", '0'}, {'i', "tid", '1'}, {'n', "prio", '2'}, {'i', "target_cpu", '3'}}},
     [FTRACE_WAKEUP] =
         {"sched_wakeup",
          {{'c', "comm", '0'}, {'i', "tid", '1'}, {'n', "prio", '2'}, {'i', "target_cpu", '3'}}},
     [FTRACE_WAKEUP_NEW] =
         {"sched_wakeup_new",
          {{'c', "comm", '0'}, {'i', "tid", '1'}, {'n', "prio", '2'}, {'i', "target_cpu", '3'}}},
     [FTRACE_MIGRATE] = {"sched_migrate_task",
                         {{'c', "comm", '0'},
                          {'i', "tid", '1'},
                          {'n', "prio", '2'},
                          {'i', "orig_cpu", '3'},
                          {'i', "dest_cpu", '4'}}},
     [FTRACE_FORK] = {"sched_process_fork",
                      {{'c', "parent_comm", '0'},
                       {'i', "parent_tid", '1'},
                       {'i', "parent_pid", 'P'},
                       {'u', "parent_ns_inum", '-'},
                       {'c', "child_comm", '2'},
                       {'i', "child_tid", '3'},
                       {'v', "vtids", '3'},
                       {'i', "child_pid", 'C'},
                       {'u', "child_ns_inum", '-'}}},
     [FTRACE_EXIT] = {"sched_process_exit",
                      {{'c', "comm", '0'}, {'i', "tid", '1'}, {'n', "prio", '2'}}},
     [FTRACE_PI_SETPRIO] =
         {"sched_pi_setprio",
          {{'c', "comm", '0'}, {'i', "tid", '1'}, {'n', "oldprio", '2'}, {'n', "newprio", '3'}}},
     [FTRACE_STAT_RUNTIME] =
         {"sched_stat_runtime",
          {{'c', "comm", '0'}, {'i', "tid", '1'}, {'x', "runtime", '2'}, {'x', "vruntime", '3'}}},
     [FTRACE_IRQ_ENTRY] = {"irq_handler_entry", {{'i', "irq", '0'}, {'s', "name", '1'}}},
     [FTRACE_IRQ_EXIT] = {"irq_handler_exit", {{'i', "irq", '0'}, {'i', "ret", '1'}}},
     [FTRACE_SOFTIRQ_ENTRY] = {"irq_softirq_entry", {{'u', "vec", '0'}}},
     [FTRACE_SOFTIRQ_EXIT] = {"irq_softirq_exit", {{'u', "vec", '0'}}},
     [FTRACE_SOFTIRQ_RAISE] = {"irq_softirq_raise", {{'u', "vec", '0'}}},
     [FTRACE_LOCAL_TIMER_ENTRY] = {"x86_irq_vectors_local_timer_entry", {{'i', "vector", '0'}}},
     [FTRACE_LOCAL_TIMER_EXIT] = {"x86_irq_vectors_local_timer_exit", {{'i', "vector", '0'}}},
     [FTRACE_HRTIMER_ENTRY] = {"timer_hrtimer_expire_entry",
                               {{'p', "hrtimer", '0'}, {'x', "now", '1'}, {'p', "function", '2'}}},
     [FTRACE_HRTIMER_EXIT] = {"timer_hrtimer_expire_exit", {{'p', "hrtimer", '0'}}},
     [FTRACE_SIGNAL] = {"signal_generate",
                        {{'i', "sig", '0'},
                         {'i', "errno", '1'},
                         {'i', "code", '2'},
                         {'c', "comm", '3'},
                         {'i', "pid", '4'},
                         {'i', "group", '-'},
                         {'i', "result", '-'}}},
     [FTRACE_PAGE_FAULT] = {"x86_exceptions_page_fault_user",
                            {{'p', "address", '0'}, {'p', "ip", '1'}, {'L', "error_code", '2'}}},
     [FTRACE_CPU_IDLE] = {"power_cpu_idle", {{'u', "state", '0'}, {'u', "cpu_id", '1'}}},
     [FTRACE_CONSOLE] = {"printk_console", {{'t', "msg", '0'}}},
     [LTTNG_DUMP_START] = {"lttng_statedump_start", {{0}}},
     [LTTNG_DUMP_PROCESS] = {"lttng_statedump_process_state",
                             {{'i', "tid", '0'},
                              {'i', "pid", '1'},
                              {'i', "ppid", '-'},
                              {'c', "name", '2'},
                              {'i', "type", '-'},
                              {'i', "mode", '3'},
                              {'i', "submode", '-'},
                              {'i', "status", '4'},
                              {'u', "cpu", '5'}}},
     [LTTNG_DUMP_END] = {"lttng_statedump_end", {{0}}}};

static const struct lttng_event entries[LTTNG_CALLS] = {
    [FTRACE_CALL_READ] = {"syscall_entry_read", {{'u', "fd", '0'}, {'L', "count", '2'}}},
    [FTRACE_CALL_WRITE] = {"syscall_entry_write",
                           {{'u', "fd", '0'}, {'p', "buf", '1'}, {'L', "count", '2'}}},
    [FTRACE_CALL_READV] = {"syscall_entry_readv",
                           {{'L', "fd", '0'}, {'p', "vec", '1'}, {'L', "vlen", '2'}}},
    [FTRACE_CALL_SENDTO] = {"syscall_entry_sendto",
                            {{'i', "fd", '0'},
                             {'p', "buff", '1'},
                             {'L', "len", '2'},
                             {'u', "flags", '3'},
                             {'p', "addr", '4'},
                             {'i', "addr_len", '5'}}},
    [FTRACE_CALL_RECVFROM] = {"syscall_entry_recvfrom",
                              {{'i', "fd", '0'}, {'L', "size", '2'}, {'u', "flags", '3'}}},
    [FTRACE_CALL_CONNECT] = {"syscall_entry_connect", {{'i', "fd", '0'}, {'i', "addrlen", '2'}}},
    [FTRACE_CALL_CLONE] = {"syscall_entry_clone", {{'L', "clone_flags", '0'}, {'p', "newsp", '1'}}},
    [FTRACE_CALL_EXIT] = {"syscall_entry_exit", {{'i', "error_code", '0'}}},
    [FTRACE_CALL_KILL] = {"syscall_entry_kill", {{'i', "pid", '0'}, {'i', "sig", '1'}}},
    [FTRACE_CALL_SIGWAIT] = {"syscall_entry_rt_sigtimedwait",
                             {{'p', "uthese", '0'}, {'L', "sigsetsize", '3'}}},
    [FTRACE_CALL_FUTEX] = {"syscall_entry_futex",
                           {{'p', "uaddr", '0'},
                            {'i', "op", '1'},
                            {'u', "val", '2'},
                            {'p', "utime", '3'},
                            {'p', "uaddr2", '4'},
                            {'u', "val3", '5'}}},
    [FTRACE_CALL_NANOSLEEP] = {"syscall_entry_clock_nanosleep",
                               {{'i', "which_clock", '0'},
                                {'i', "flags", '1'},
                                {'p', "rqtp", '2'}}},
    [FTRACE_CALL_SETSCHEDULER] = {"syscall_entry_sched_setscheduler",
                                  {{'i', "pid", '0'}, {'i', "policy", '1'}, {'p', "param", '2'}}},
    [FTRACE_CALL_YIELD] = {"syscall_entry_sched_yield", {{0}}},
    [FTRACE_CALL_GETTIME] = {"syscall_entry_clock_gettime", {{'i', "which_clock", '0'}}}};

static const struct lttng_event exits[LTTNG_CALLS] = {
    [FTRACE_CALL_READ] = {"syscall_exit_read", {{'l', "ret", '1'}}},
    [FTRACE_CALL_WRITE] = {"syscall_exit_write", {{'l', "ret", '1'}}},
    [FTRACE_CALL_READV] = {"syscall_exit_readv", {{'l', "ret", '1'}}},
    [FTRACE_CALL_SENDTO] = {"syscall_exit_sendto", {{'l', "ret", '1'}}},
    [FTRACE_CALL_RECVFROM] = {"syscall_exit_recvfrom", {{'l', "ret", '1'}}},
    [FTRACE_CALL_CONNECT] = {"syscall_exit_connect", {{'l', "ret", '1'}}},
    [FTRACE_CALL_CLONE] = {"syscall_exit_clone", {{'l', "ret", '1'}}},
    [FTRACE_CALL_KILL] = {"syscall_exit_kill", {{'l', "ret", '1'}}},
    [FTRACE_CALL_SIGWAIT] = {"syscall_exit_rt_sigtimedwait", {{'l', "ret", '1'}}},
    [FTRACE_CALL_FUTEX] = {"syscall_exit_futex", {{'l', "ret", '1'}}},
    [FTRACE_CALL_NANOSLEEP] = {"syscall_exit_clock_nanosleep", {{'l', "ret", '1'}}},
    [FTRACE_CALL_SETSCHEDULER] = {"syscall_exit_sched_setscheduler", {{'l', "ret", '1'}}},
    [FTRACE_CALL_YIELD] = {"syscall_exit_sched_yield", {{'l', "ret", '1'}}},
    [FTRACE_CALL_GETTIME] = {"syscall_exit_clock_gettime", {{'l', "ret", '1'}}}};

const struct lttng_event *lttng_event_of(uint32_t number)
{
    if (number >= LTTNG_EXIT)
        return &exits[number - LTTNG_EXIT];
    if (number >= LTTNG_ENTRY)
        return &entries[number - LTTNG_ENTRY];
    return &events[number];
}

struct lttng_kind lttng_kind_of(char kind)
{
    switch (kind) {
    case 'c':
    case 't':
        return (struct lttng_kind){.size = 1, .is_signed = true, .is_text = true};
    case 'i':
    case 'n':
    case 'v':
        return (struct lttng_kind){.size = 4, .is_signed = true};
    case 'u':
        return (struct lttng_kind){.size = 4};
    case 'l':
        return (struct lttng_kind){.is_signed = true};
    case 'p':
        return (struct lttng_kind){.is_hexadecimal = true};
    case 'x':
        return (struct lttng_kind){.size = 8};
    default:
        return (struct lttng_kind){0};
    }
}

static uint32_t bytes_of(const struct lttng_form *form, struct lttng_kind kind)
{
    return kind.size != 0 ? kind.size : form->is64 ? 8 : 4;
}

// TSDL -------------------------------------------------------------------------------------------

static uint32_t align_bits(const struct lttng_form *form, uint32_t bytes)
{
    return form->natural ? 8 * bytes : 8;
}

static void print_uuid(struct ftrace_text *text, const uint8_t *uuid)
{
    for (int i = 0; i < 16; i++)
        ftrace_text_print(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                          uuid[i]);
}

static void tsdl_integer(const struct lttng_form *form, struct ftrace_text *text, uint32_t bytes,
                         struct lttng_kind kind)
{
    ftrace_text_print(text,
                      "integer { size = %u; align = %u; signed = %d; encoding = %s; base = %d; }",
                      8 * bytes, align_bits(form, bytes), kind.is_signed,
                      kind.is_text ? "UTF8" : "none", kind.is_hexadecimal ? 16 : 10);
}

static void tsdl_field(const struct lttng_form *form, struct ftrace_text *text,
                       const struct lttng_field *field)
{
    struct lttng_kind kind = lttng_kind_of(field->kind);
    ftrace_text_print(text, "\t\t");
    if (field->kind == 's') {
        ftrace_text_print(text, "string _%s;\n", field->name);
        return;
    }
    if (field->kind == 't' || field->kind == 'v') {
        tsdl_integer(form, text, 4, lttng_kind_of('u'));
        ftrace_text_print(text, " __%s_length;\n\t\t", field->name);
    }
    tsdl_integer(form, text, bytes_of(form, kind), kind);
    ftrace_text_print(text, " _%s", field->name);
    if (field->kind == 'c')
        ftrace_text_print(text, "[16]");
    if (field->kind == 't' || field->kind == 'v')
        ftrace_text_print(text, "[ __%s_length ]", field->name);
    ftrace_text_print(text, ";\n");
}

static void tsdl_types(const struct lttng_form *form, struct ftrace_text *text)
{
    static const struct {
        const char *name;
        uint8_t bytes; // 0: a word
    } types[] = {
        {"uint8_t", 1}, {"uint16_t", 2}, {"uint32_t", 4}, {"uint64_t", 8}, {"unsigned long", 0}};
    ftrace_text_print(text, "/* CTF 1.8 */\n\n");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint32_t bytes = types[i].bytes != 0 ? types[i].bytes : form->is64 ? 8 : 4;
        ftrace_text_print(text,
                          "typealias integer { size = %u; align = %u; signed = false; } := %s;\n",
                          8 * bytes, align_bits(form, bytes), types[i].name);
    }
    ftrace_text_print(
        text, "typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
              "typealias integer { size = 27; align = 1; signed = false; } := uint27_t;\n\n");
}

static void tsdl_blocks(const struct lttng_form *form, struct ftrace_text *text)
{
    ftrace_text_print(text, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
    print_uuid(text, form->uuid);
    ftrace_text_print(text,
                      "\";\n\tbyte_order = %s;\n\tpacket.header := struct {\n"
                      "\t\tuint32_t magic;\n\t\tuint8_t  uuid[16];\n\t\tuint32_t stream_id;\n"
                      "\t\tuint64_t stream_instance_id;\n\t};\n};\n\n",
                      form->big_endian ? "be" : "le");
    ftrace_text_print(text,
                      "env {\n\thostname = \"simulated\";\n\tdomain = \"kernel\";\n"
                      "\tsysname = \"Linux\";\n\tkernel_release = \"%s\";\n"
                      "\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n"
                      "\ttracer_minor = 13;\n\ttracer_patchlevel = 9;\n};\n\n",
                      form->kernel_release);
    ftrace_text_print(text, "clock {\n\tname = \"monotonic\";\n\tuuid = \"");
    print_uuid(text, form->clock_uuid);
    ftrace_text_print(text, "\";\n\tdescription = \"Monotonic Clock\";\n"
                            "\tfreq = 1000000000; /* Frequency, in Hz */\n"
                            "\toffset = 1767225600000000000;\n};\n\n");
    static const uint8_t clock_bits[] = {27, 32, 64};
    for (size_t i = 0; i < sizeof clock_bits; i++)
        ftrace_text_print(text,
                          "typealias integer {\n\tsize = %u; align = %u; signed = false;\n"
                          "\tmap = clock.monotonic.value;\n} := uint%u_clock_monotonic_t;\n\n",
                          clock_bits[i],
                          clock_bits[i] == 27 ? 1 : align_bits(form, clock_bits[i] / 8),
                          clock_bits[i]);
}

static void tsdl_header(const struct lttng_form *form, struct ftrace_text *text)
{
    uint32_t bits = form->large ? 16 : 5, last = form->large ? 65534 : 30;
    ftrace_text_print(text, "struct packet_context {\n"
                            "\tuint64_clock_monotonic_t timestamp_begin;\n"
                            "\tuint64_clock_monotonic_t timestamp_end;\n\tuint64_t content_size;\n"
                            "\tuint64_t packet_size;\n\tuint64_t packet_seq_num;\n"
                            "\tunsigned long events_discarded;\n\tuint32_t cpu_id;\n};\n\n");
    ftrace_text_print(text,
                      "struct event_header {\n\tenum : uint%u_t { compact = 0 ... %u, "
                      "extended = %u } id;\n\tvariant <id> {\n\t\tstruct {\n"
                      "\t\t\tuint%u_clock_monotonic_t timestamp;\n\t\t} compact;\n\t\tstruct {\n"
                      "\t\t\tuint32_t id;\n\t\t\tuint64_clock_monotonic_t timestamp;\n"
                      "\t\t} extended;\n\t} v;\n} align(%u);\n\n",
                      bits, last, last + 1, form->large ? 32 : 27,
                      !form->natural ? 8
                      : form->large  ? 16
                                     : 32);
    ftrace_text_print(text, "stream {\n\tid = 0;\n\tevent.header := struct event_header;\n"
                            "\tpacket.context := struct packet_context;\n");
    if (form->contexts) {
        static const struct lttng_field contexts[] = {
            {'i', "pid", '0'}, {'i', "tid", '1'}, {'c', "procname", '2'}};
        ftrace_text_print(text, "\tevent.context := struct {\n");
        for (size_t i = 0; i < 3; i++)
            tsdl_field(form, text, &contexts[i]);
        ftrace_text_print(text, "\t};\n");
    }
    ftrace_text_print(text, "};\n\n");
}

void lttng_metadata_tsdl(const struct lttng_form *form, struct ftrace_text *text)
{
    tsdl_types(form, text);
    tsdl_blocks(form, text);
    tsdl_header(form, text);
    for (uint32_t number = 0; number < LTTNG_EVENTS; number++) {
        const struct lttng_event *event = lttng_event_of(number);
        if (event->name == NULL)
            continue;
        ftrace_text_print(text,
                          "event {\n\tname = \"%s\";\n\tid = %u;\n\tstream_id = 0;\n"
                          "\tfields := struct {\n",
                          event->name, number);
        for (int i = 0; i < LTTNG_FIELDS && event->fields[i].kind != 0; i++)
            tsdl_field(form, text, &event->fields[i]);
        ftrace_text_print(text, "\t};\n};\n\n");
    }
}

// JSON -------------------------------------------------------------------------------------------

// Begins a fragment, without the closing brace.
static void json_fragment(struct ftrace_text *text, const char *type)
{
    ftrace_text_print(text, "\x1e{\"type\":\"%s\"", type);
}

static void json_uuid(struct ftrace_text *text, const uint8_t *uuid)
{
    for (int i = 0; i < 16; i++)
        ftrace_text_print(text, "%s%u", i == 0 ? "" : ",", uuid[i]);
}

// Begins the class of an integer, without the closing brace.
static void json_integer(const struct lttng_form *form, struct ftrace_text *text, uint32_t bits,
                         uint32_t align, bool is_signed)
{
    ftrace_text_print(text,
                      "{\"type\":\"fixed-length-%s-integer\",\"length\":%u,\"byte-order\":\"%s\","
                      "\"alignment\":%u",
                      is_signed ? "signed" : "unsigned", bits,
                      form->big_endian ? "big-endian" : "little-endian", align);
}

static void json_role(const struct lttng_form *form, struct ftrace_text *text, const char *name,
                      uint32_t bits, const char *role)
{
    ftrace_text_print(text, "{\"name\":\"%s\",\"field-class\":", name);
    json_integer(form, text, bits, bits % 8 == 0 ? align_bits(form, bits / 8) : 1, false);
    if (role != NULL)
        ftrace_text_print(text, ",\"roles\":[\"%s\"]", role);
    ftrace_text_print(text, "}}");
}

static void json_field(const struct lttng_form *form, struct ftrace_text *text,
                       const struct lttng_field *field, const char *origin)
{
    struct lttng_kind kind = lttng_kind_of(field->kind);
    uint32_t bytes = bytes_of(form, kind);
    bool sized = field->kind == 't' || field->kind == 'v';
    if (sized) {
        ftrace_text_print(text, "{\"name\":\"_%s_length\",\"field-class\":", field->name);
        json_integer(form, text, 32, align_bits(form, 4), false);
        ftrace_text_print(text, "}},");
    }
    ftrace_text_print(text, "{\"name\":\"%s\",\"field-class\":", field->name);
    if (field->kind == 's')
        ftrace_text_print(text, "{\"type\":\"null-terminated-string\"");
    else if (field->kind == 'c')
        ftrace_text_print(text, "{\"type\":\"static-length-string\",\"length\":16");
    else if (sized)
        ftrace_text_print(text,
                          "{\"type\":\"dynamic-length-%s\",\"length-field-location\":{\"origin\":"
                          "\"%s\",\"path\":[\"_%s_length\"]}",
                          kind.is_text ? "string" : "array", origin, field->name);
    if (field->kind == 'v')
        ftrace_text_print(text, ",\"element-field-class\":");
    if (field->kind != 's' && !kind.is_text) {
        json_integer(form, text, 8 * bytes, align_bits(form, bytes), kind.is_signed);
        if (kind.is_hexadecimal)
            ftrace_text_print(text, ",\"preferred-display-base\":16");
    }
    ftrace_text_print(text, field->kind == 'v' ? "}}}" : "}}");
}

static void json_structure(const struct lttng_form *form, struct ftrace_text *text,
                           const struct lttng_field *fields, int count, const char *origin)
{
    ftrace_text_print(text, "{\"type\":\"structure\",\"member-classes\":[");
    for (int i = 0; i < count && fields[i].kind != 0; i++) {
        ftrace_text_print(text, "%s", i == 0 ? "" : ",");
        json_field(form, text, &fields[i], origin);
    }
    ftrace_text_print(text, "]}");
}

static void json_trace(const struct lttng_form *form, struct ftrace_text *text)
{
    json_fragment(text, "preamble");
    ftrace_text_print(text, ",\"version\":2,\"uuid\":[");
    json_uuid(text, form->uuid);
    ftrace_text_print(text, "]}\n");
    json_fragment(text, "trace-class");
    ftrace_text_print(text,
                      ",\"namespace\":\"lttng.org,2009\",\"name\":\"simulated\",\"uid\":\"1\","
                      "\"packet-header-field-class\":{\"type\":\"structure\","
                      "\"member-classes\":[");
    json_role(form, text, "magic", 32, "packet-magic-number");
    ftrace_text_print(text, ",{\"name\":\"uuid\",\"field-class\":{\"type\":\"static-length-blob\","
                            "\"length\":16,\"roles\":[\"metadata-stream-uuid\"]}},");
    json_role(form, text, "stream_id", 32, "data-stream-class-id");
    ftrace_text_print(text, ",");
    json_role(form, text, "stream_instance_id", 64, "data-stream-id");
    ftrace_text_print(text,
                      "]},\"environment\":{\"hostname\":\"simulated\",\"domain\":\"kernel\","
                      "\"sysname\":\"Linux\",\"kernel_release\":\"%s\",\"tracer_name\":"
                      "\"lttng-modules\",\"tracer_major\":2,\"tracer_minor\":15,"
                      "\"tracer_patchlevel\":0}}\n",
                      form->kernel_release);
    json_fragment(text, "clock-class");
    ftrace_text_print(text, ",\"id\":\"monotonic\",\"frequency\":1000000000,"
                            "\"origin\":\"unix-epoch\",\"offset-from-origin\":"
                            "{\"seconds\":1767225600,\"cycles\":0}}\n");
}

// An extended header has its own number and time after the compact ones, which it replaces.
static void json_header(const struct lttng_form *form, struct ftrace_text *text)
{
    uint32_t bits = form->large ? 16 : 5, last = form->large ? 65534 : 30;
    uint32_t align = !form->natural ? 8 : form->large ? 16 : 32;
    ftrace_text_print(text,
                      "\"event-record-header-field-class\":{\"type\":\"structure\","
                      "\"minimum-alignment\":%u,\"member-classes\":[",
                      align);
    ftrace_text_print(text, "{\"name\":\"id\",\"field-class\":");
    json_integer(form, text, bits, bits % 8 == 0 ? align_bits(form, bits / 8) : 1, false);
    ftrace_text_print(text,
                      ",\"mappings\":{\"compact\":[[0,%u]],\"extended\":[[%u,%u]]},"
                      "\"roles\":[\"event-record-class-id\"]}},",
                      last, last + 1, last + 1);
    ftrace_text_print(text,
                      "{\"name\":\"v\",\"field-class\":{\"type\":\"variant\",\"selector-field-"
                      "location\":{\"origin\":\"event-record-header\",\"path\":[\"id\"]},"
                      "\"options\":[{\"name\":\"compact\",\"selector-field-ranges\":[[0,%u]],"
                      "\"field-class\":{\"type\":\"structure\",\"member-classes\":[",
                      last);
    json_role(form, text, "timestamp", form->large ? 32 : 27, "default-clock-timestamp");
    ftrace_text_print(text,
                      "]}},{\"name\":\"extended\",\"selector-field-ranges\":[[%u,%u]],"
                      "\"field-class\":{\"type\":\"structure\",\"member-classes\":[",
                      last + 1, last + 1);
    json_role(form, text, "id", 32, "event-record-class-id");
    ftrace_text_print(text, ",");
    json_role(form, text, "timestamp", 64, "default-clock-timestamp");
    ftrace_text_print(text, "]}}]}}]}");
}

static void json_stream(const struct lttng_form *form, struct ftrace_text *text)
{
    static const struct {
        const char *name, *role;
    } context[] = {{"timestamp_begin", "default-clock-timestamp"},
                   {"timestamp_end", "packet-end-default-clock-timestamp"},
                   {"content_size", "packet-content-length"},
                   {"packet_size", "packet-total-length"},
                   {"packet_seq_num", "packet-sequence-number"}};
    json_fragment(text, "data-stream-class");
    ftrace_text_print(text, ",\"id\":0,\"default-clock-class-id\":\"monotonic\","
                            "\"packet-context-field-class\":{\"type\":\"structure\","
                            "\"member-classes\":[");
    for (int i = 0; i < 5; i++) {
        json_role(form, text, context[i].name, 64, context[i].role);
        ftrace_text_print(text, ",");
    }
    json_role(form, text, "events_discarded", form->is64 ? 64 : 32,
              "discarded-event-record-counter-snapshot");
    ftrace_text_print(text, ",");
    json_role(form, text, "cpu_id", 32, NULL);
    ftrace_text_print(text, "]},");
    json_header(form, text);
    if (form->contexts) {
        static const struct lttng_field contexts[] = {
            {'i', "pid", '0'}, {'i', "tid", '1'}, {'c', "procname", '2'}};
        ftrace_text_print(text, ",\"event-record-common-context-field-class\":");
        json_structure(form, text, contexts, 3, "event-record-common-context");
    }
    ftrace_text_print(text, "}\n");
}

void lttng_metadata_json(const struct lttng_form *form, struct ftrace_text *text)
{
    json_trace(form, text);
    json_stream(form, text);
    for (uint32_t number = 0; number < LTTNG_EVENTS; number++) {
        const struct lttng_event *event = lttng_event_of(number);
        if (event->name == NULL)
            continue;
        json_fragment(text, "event-record-class");
        ftrace_text_print(text,
                          ",\"id\":%u,\"data-stream-class-id\":0,\"name\":\"%s\","
                          "\"payload-field-class\":",
                          number, event->name);
        json_structure(form, text, event->fields, LTTNG_FIELDS, "event-record-payload");
        ftrace_text_print(text, "}\n");
    }
}
