// SPDX-License-Identifier: Apache-2.0
//
// ftrace_formats: see ftrace_formats.h.

#include "ftrace_formats.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASK                                                                                       \
    "((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1)"
#define LETTERS                                                                                    \
    "{ 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" " \
    "}, "                                                                                          \
    "{ 0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }"

// 4.14 lists bits, but stores the index of the state.
static const struct ftrace_kernel kernels[] = {
    {"6.1", "6.1.0", LETTERS, MASK, 0x100, 1, 2, 4, 0x10, 0x20, false, false},
    {"6.1-rt", "6.1.0-rt", LETTERS, MASK, 0x100, 1, 2, 4, 0x10, 0x20, false, true},
    {"4.14", "4.14.62", LETTERS, MASK, 0x1000, 1, 2, 3, 5, 6, false, false},
    {"3.10", "3.10.0",
     "{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, "
     "{ 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }",
     "(1024-1)", 0x400, 1, 2, 4, 0x40, 0x40, true, false},
};

static const struct ftrace_machine machines[] = {
    {"x86_64", true, false, {0, 0, 1, 19, 44, 45, 42, 56, 60, 62, 128, 202, 230, 144, 24, 228}},
    {"i686", false, false, {0, 3, 4, 145, 369, 371, 362, 120, 1, 37, 177, 240, 267, 156, 158, 265}},
    {"aarch64_be",
     true,
     true,
     {0, 63, 64, 65, 206, 207, 203, 220, 93, 129, 137, 98, 115, 119, 124, 113}},
    {"armv7b",
     false,
     true,
     {0, 3, 4, 145, 290, 292, 283, 120, 1, 37, 177, 240, 265, 156, 158, 263}},
};

// Kinds of fields: c a comm of 16 characters, h short, i int, u unsigned int, l long, L unsigned
// long, p pointer, x s64, X u64, d a text elsewhere in the event (__data_loc), A six unsigned longs, b a
// text that is the rest of the event.
static const struct format {
    uint16_t id;
    const char *system, *name;
    struct {
        char kind;
        const char *type, *name;
    } fields[FTRACE_FIELDS];
    const char *print;
} formats[FTRACE_EVENTS] = {
    [FTRACE_PRINT] = {5,
                      "ftrace",
                      "print",
                      {{'L', "unsigned long", "ip"}, {'b', "char", "buf[]"}},
                      "\"%ps: %s\", (void *)REC->ip, REC->buf"},
    [FTRACE_SWITCH] = {319,
                       "sched",
                       "sched_switch",
                       {{'c', "char", "prev_comm[16]"},
                        {'i', "pid_t", "prev_pid"},
                        {'i', "int", "prev_prio"},
                        {'l', "long", "prev_state"},
                        {'c', "char", "next_comm[16]"},
                        {'i', "pid_t", "next_pid"},
                        {'i', "int", "next_prio"}},
                       NULL},
    [FTRACE_WAKING] = {322,
                       "sched",
                       "sched_waking",
                       {{'c', "char", "comm[16]"},
                        {'i', "pid_t", "pid"},
                        {'i', "int", "prio"},
                        {'i', "int", "target_cpu"}},
                       "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, "
                       "REC->prio, REC->target_cpu"},
    [FTRACE_WAKEUP] = {321,
                       "sched",
                       "sched_wakeup",
                       {{'c', "char", "comm[16]"},
                        {'i', "pid_t", "pid"},
                        {'i', "int", "prio"},
                        {'i', "int", "target_cpu"}},
                       "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, "
                       "REC->prio, REC->target_cpu"},
    [FTRACE_WAKEUP_NEW] = {320,
                           "sched",
                           "sched_wakeup_new",
                           {{'c', "char", "comm[16]"},
                            {'i', "pid_t", "pid"},
                            {'i', "int", "prio"},
                            {'i', "int", "target_cpu"}},
                           "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, "
                           "REC->prio, REC->target_cpu"},
    [FTRACE_MIGRATE] = {318,
                        "sched",
                        "sched_migrate_task",
                        {{'c', "char", "comm[16]"},
                         {'i', "pid_t", "pid"},
                         {'i', "int", "prio"},
                         {'i', "int", "orig_cpu"},
                         {'i', "int", "dest_cpu"}},
                        "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", REC->comm, REC->pid, "
                        "REC->prio, REC->orig_cpu, REC->dest_cpu"},
    [FTRACE_FORK] = {313,
                     "sched",
                     "sched_process_fork",
                     {{'c', "char", "parent_comm[16]"},
                      {'i', "pid_t", "parent_pid"},
                      {'c', "char", "child_comm[16]"},
                      {'i', "pid_t", "child_pid"}},
                     "\"comm=%s pid=%d child_comm=%s child_pid=%d\", REC->parent_comm, "
                     "REC->parent_pid, REC->child_comm, REC->child_pid"},
    [FTRACE_EXEC] = {312,
                     "sched",
                     "sched_process_exec",
                     {{'d', "__data_loc char[]", "filename"},
                      {'i', "pid_t", "pid"},
                      {'i', "pid_t", "old_pid"}},
                     "\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, "
                     "REC->old_pid"},
    [FTRACE_EXIT] = {316,
                     "sched",
                     "sched_process_exit",
                     {{'c', "char", "comm[16]"}, {'i', "pid_t", "pid"}, {'i', "int", "prio"}},
                     "\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio"},
    [FTRACE_PI_SETPRIO] = {306,
                           "sched",
                           "sched_pi_setprio",
                           {{'c', "char", "comm[16]"},
                            {'i', "pid_t", "pid"},
                            {'i', "int", "oldprio"},
                            {'i', "int", "newprio"}},
                           "\"comm=%s pid=%d oldprio=%d newprio=%d\", REC->comm, REC->pid, "
                           "REC->oldprio, REC->newprio"},
    [FTRACE_STAT_RUNTIME] = {307,
                             "sched",
                             "sched_stat_runtime",
                             {{'c', "char", "comm[16]"},
                              {'i', "pid_t", "pid"},
                              {'X', "u64", "runtime"},
                              {'X', "u64", "vruntime"}},
                             "\"comm=%s pid=%d runtime=%Lu [ns] vruntime=%Lu [ns]\", REC->comm, "
                             "REC->pid, (unsigned long long)REC->runtime, "
                             "(unsigned long long)REC->vruntime"},
    [FTRACE_NEWTASK] = {132,
                        "task",
                        "task_newtask",
                        {{'i', "pid_t", "pid"},
                         {'c', "char", "comm[16]"},
                         {'L', "unsigned long", "clone_flags"},
                         {'h', "short", "oom_score_adj"}},
                        "\"pid=%d comm=%s clone_flags=%lx oom_score_adj=%hd\", REC->pid, "
                        "REC->comm, REC->clone_flags, REC->oom_score_adj"},
    [FTRACE_RENAME] = {131,
                       "task",
                       "task_rename",
                       {{'i', "pid_t", "pid"},
                        {'c', "char", "oldcomm[16]"},
                        {'c', "char", "newcomm[16]"},
                        {'h', "short", "oom_score_adj"}},
                       "\"pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd\", REC->pid, "
                       "REC->oldcomm, REC->newcomm, REC->oom_score_adj"},
    [FTRACE_IRQ_ENTRY] = {152,
                          "irq",
                          "irq_handler_entry",
                          {{'i', "int", "irq"}, {'d', "__data_loc char[]", "name"}},
                          "\"irq=%d name=%s\", REC->irq, __get_str(name)"},
    [FTRACE_IRQ_EXIT] = {151,
                         "irq",
                         "irq_handler_exit",
                         {{'i', "int", "irq"}, {'i', "int", "ret"}},
                         "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\""},
    [FTRACE_SOFTIRQ_ENTRY] = {150, "irq", "softirq_entry", {{'u', "unsigned int", "vec"}}, ""},
    [FTRACE_SOFTIRQ_EXIT] = {149, "irq", "softirq_exit", {{'u', "unsigned int", "vec"}}, ""},
    [FTRACE_SOFTIRQ_RAISE] = {148, "irq", "softirq_raise", {{'u', "unsigned int", "vec"}}, ""},
    [FTRACE_LOCAL_TIMER_ENTRY] = {92,
                                  "irq_vectors",
                                  "local_timer_entry",
                                  {{'i', "int", "vector"}},
                                  "\"vector=%d\", REC->vector"},
    [FTRACE_LOCAL_TIMER_EXIT] = {91,
                                 "irq_vectors",
                                 "local_timer_exit",
                                 {{'i', "int", "vector"}},
                                 "\"vector=%d\", REC->vector"},
    [FTRACE_HRTIMER_ENTRY] = {378,
                              "timer",
                              "hrtimer_expire_entry",
                              {{'p', "void *", "hrtimer"},
                               {'x', "s64", "now"},
                               {'p', "void *", "function"}},
                              "\"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, "
                              "REC->function, (unsigned long long) REC->now"},
    [FTRACE_HRTIMER_EXIT] = {377,
                             "timer",
                             "hrtimer_expire_exit",
                             {{'p', "void *", "hrtimer"}},
                             "\"hrtimer=%p\", REC->hrtimer"},
    [FTRACE_CONTENTION_BEGIN] = {331,
                                 "lock",
                                 "contention_begin",
                                 {{'p', "void *", "lock_addr"}, {'u', "unsigned int", "flags"}},
                                 "\"%p (flags=%s)\", REC->lock_addr, __print_flags(REC->flags, "
                                 "\"|\", { (1U << 0), \"SPIN\" }, { (1U << 1), \"READ\" }, { (1U "
                                 "<< 2), \"WRITE\" }, { (1U << 3), \"RT\" }, { (1U << 4), "
                                 "\"PERCPU\" }, { (1U << 5), \"MUTEX\" } )"},
    [FTRACE_CONTENTION_END] = {330,
                               "lock",
                               "contention_end",
                               {{'p', "void *", "lock_addr"}, {'i', "int", "ret"}},
                               "\"%p (ret=%d)\", REC->lock_addr, REC->ret"},
    [FTRACE_SYS_ENTER] = {351,
                          "raw_syscalls",
                          "sys_enter",
                          {{'l', "long", "id"}, {'A', "unsigned long", "args[6]"}},
                          "\"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], "
                          "REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]"},
    [FTRACE_SYS_EXIT] = {350,
                         "raw_syscalls",
                         "sys_exit",
                         {{'l', "long", "id"}, {'l', "long", "ret"}},
                         "\"NR %ld = %ld\", REC->id, REC->ret"},
    [FTRACE_SIGNAL] = {188,
                       "signal",
                       "signal_generate",
                       {{'i', "int", "sig"},
                        {'i', "int", "errno"},
                        {'i', "int", "code"},
                        {'c', "char", "comm[16]"},
                        {'i', "pid_t", "pid"},
                        {'i', "int", "group"},
                        {'i', "int", "result"}},
                       "\"sig=%d errno=%d code=%d comm=%s pid=%d grp=%d res=%d\", REC->sig, "
                       "REC->errno, REC->code, REC->comm, REC->pid, REC->group, REC->result"},
    [FTRACE_PAGE_FAULT] = {160,
                           "exceptions",
                           "page_fault_user",
                           {{'L', "unsigned long", "address"},
                            {'L', "unsigned long", "ip"},
                            {'L', "unsigned long", "error_code"}},
                           "\"address=%ps ip=%ps error_code=0x%lx\", (void *)REC->address, "
                           "(void *)REC->ip, REC->error_code"},
    [FTRACE_CPU_IDLE] = {477,
                         "power",
                         "cpu_idle",
                         {{'u', "u32", "state"}, {'u', "u32", "cpu_id"}},
                         "\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, "
                         "(unsigned long)REC->cpu_id"},
    [FTRACE_CONSOLE] =
        {141, "printk", "console", {{'d', "__data_loc char[]", "msg"}}, "\"%s\", __get_str(msg)"},
    [FTRACE_OPEN] = {520,
                     "fs",
                     "do_sys_open",
                     {{'d', "__data_loc char[]", "filename"},
                      {'i', "int", "flags"},
                      {'i', "int", "mode"}},
                     "\"\\\"%s\\\" %x %o\", __get_str(filename), REC->flags, REC->mode"},
};

#define SOFTIRQS                                                                                   \
    "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" "  \
    "}, "                                                                                          \
    "{ 2, \"NET_TX\" }, { 3, \"NET_RX\" }, { 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, "                \
    "{ 6, \"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" }, { 9, \"RCU\" })"

const struct ftrace_kernel *ftrace_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

const struct ftrace_machine *ftrace_machine_find(bool is64, bool big_endian)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].is64 == is64 && machines[i].big_endian == big_endian)
            return &machines[i];
    return NULL;
}

// Layouts ----------------------------------------------------------------------------------------

static uint16_t size_of(char kind, uint16_t word)
{
    switch (kind) {
    case 'c':
        return 16;
    case 'h':
        return 2;
    case 'l':
    case 'L':
    case 'p':
        return word;
    case 'x':
    case 'X':
        return 8;
    case 'A':
        return (uint16_t)(6 * word);
    case 'b':
        return 0;
    default:
        return 4;
    }
}

// i686 aligns 64-bit integers to 4 bytes.
static uint16_t alignment_of(char kind, const struct ftrace_machine *machine)
{
    switch (kind) {
    case 'c':
    case 'b':
        return 1;
    case 'h':
        return 2;
    case 'x':
    case 'X':
        return machine->is64 || machine->big_endian ? 8 : 4;
    case 'l':
    case 'L':
    case 'p':
    case 'A':
        return machine->is64 ? 8 : 4;
    default:
        return 4;
    }
}

static bool has_success(const struct ftrace_layout *layout, enum ftrace_event event, int field)
{
    return layout->kernel->wakes_only && field == 3 &&
           (event == FTRACE_WAKEUP || event == FTRACE_WAKEUP_NEW);
}

void ftrace_layout_make(struct ftrace_layout *layout, const struct ftrace_kernel *kernel,
                        const struct ftrace_machine *machine)
{
    memset(layout, 0, sizeof *layout);
    layout->kernel = kernel;
    layout->machine = machine;
    // The lazy count takes a byte; what follows it is aligned, a comm too.
    layout->common = kernel->is_rt ? 12 : 8;
    if (kernel->wakes_only)
        layout->lacking =
            1u << FTRACE_WAKING | 1u << FTRACE_CONTENTION_BEGIN | 1u << FTRACE_CONTENTION_END;
    for (int event = 0; event < FTRACE_EVENTS; event++) {
        uint16_t at = layout->common, count = 0;
        for (int i = 0; i < FTRACE_FIELDS && formats[event].fields[i].kind != 0; i++) {
            char kind = formats[event].fields[i].kind;
            uint16_t alignment = alignment_of(kind, machine);
            if (has_success(layout, (enum ftrace_event)event, i))
                at = (uint16_t)(at + 4);
            at = (uint16_t)((at + alignment - 1) / alignment * alignment);
            uint16_t size = size_of(kind, machine->is64 ? 8 : 4);
            layout->fields[event][count++] = (struct ftrace_place){at, size, kind};
            at = (uint16_t)(at + size);
        }
        layout->field_count[event] = count;
        layout->size[event] = (uint16_t)((at + 3) / 4 * 4);
    }
}

uint16_t ftrace_event_id(enum ftrace_event event)
{
    return formats[event].id;
}

const char *ftrace_event_system(enum ftrace_event event)
{
    return formats[event].system;
}

// Texts ------------------------------------------------------------------------------------------

static void print_field(struct ftrace_text *text, const char *type, const char *name,
                        unsigned offset, unsigned size, bool is_signed)
{
    ftrace_text_print(text, "\tfield:%s%s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type,
                      type[0] != '\0' ? " " : "", name, offset, size, is_signed);
}

static void print_switch(const struct ftrace_kernel *kernel, struct ftrace_text *text)
{
    ftrace_text_print(text,
                      "\"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s%%s ==> "
                      "next_comm=%%s next_pid=%%d next_prio=%%d\", REC->prev_comm, REC->prev_pid, "
                      "REC->prev_prio, (REC->prev_state & %s) ? __print_flags(REC->prev_state & "
                      "%s, \"|\", %s) : \"R\", REC->prev_state & 0x%x ? \"+\" : \"\", "
                      "REC->next_comm, REC->next_pid, REC->next_prio\n",
                      kernel->mask, kernel->mask, kernel->states, kernel->preempted);
}

void ftrace_format_text(const struct ftrace_layout *layout, enum ftrace_event event,
                        struct ftrace_text *text)
{
    const struct format *format = &formats[event];
    ftrace_text_print(text, "name: %s\nID: %u\nformat:\n", format->name, format->id);
    print_field(text, "unsigned short", "common_type", 0, 2, false);
    print_field(text, "unsigned char", "common_flags", 2, 1, false);
    print_field(text, "unsigned char", "common_preempt_count", 3, 1, false);
    print_field(text, "int", "common_pid", 4, 4, true);
    if (layout->kernel->is_rt)
        print_field(text, "unsigned char", "common_preempt_lazy_count", 8, 1, false);
    ftrace_text_print(text, "\n");
    for (int i = 0; i < layout->field_count[event]; i++) {
        struct ftrace_place place = layout->fields[event][i];
        bool is_signed = strchr("chilxb", place.kind) != NULL || place.kind == 'd';
        if (has_success(layout, event, i))
            print_field(text, "int", "success", place.offset - 4u, 4, true);
        print_field(text, format->fields[i].type, format->fields[i].name, place.offset, place.size,
                    is_signed);
    }
    ftrace_text_print(text, "\nprint fmt: ");
    if (event == FTRACE_SWITCH)
        print_switch(layout->kernel, text);
    else
        ftrace_text_print(text, "%s\n", format->print[0] != '\0' ? format->print : SOFTIRQS);
}

void ftrace_text_add(struct ftrace_text *text, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    if (length > text->capacity - text->used) {
        size_t capacity = 2 * (text->used + length) + 256;
        char *grown = realloc(text->bytes, capacity);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->used, bytes, length);
    text->used += length;
}

void ftrace_text_print(struct ftrace_text *text, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof line)
        ftrace_text_add(text, line, (size_t)length);
    else
        text->failed = true;
}

void ftrace_text_free(struct ftrace_text *text)
{
    free(text->bytes);
    *text = (struct ftrace_text){0};
}
