// SPDX-License-Identifier: Apache-2.0
//
// ftrace_formats: the events of a Linux kernel as trace.dat describes them: their numbers, fields,
// offsets and print formats, for some kernels and machines. Document: Documentation/trace/events.rst
// of Linux, and the formats of recorded files.
//
// A layout is computed once per file and constant from then on.

#ifndef TTSIM_FTRACE_FORMATS_H
#define TTSIM_FTRACE_FORMATS_H

#include "sim.h"

enum ftrace_event {
    FTRACE_PRINT,
    FTRACE_SWITCH,
    FTRACE_WAKING,
    FTRACE_WAKEUP,
    FTRACE_WAKEUP_NEW,
    FTRACE_MIGRATE,
    FTRACE_FORK,
    FTRACE_EXEC,
    FTRACE_EXIT,
    FTRACE_PI_SETPRIO,
    FTRACE_STAT_RUNTIME,
    FTRACE_NEWTASK,
    FTRACE_RENAME,
    FTRACE_IRQ_ENTRY,
    FTRACE_IRQ_EXIT,
    FTRACE_SOFTIRQ_ENTRY,
    FTRACE_SOFTIRQ_EXIT,
    FTRACE_SOFTIRQ_RAISE,
    FTRACE_LOCAL_TIMER_ENTRY,
    FTRACE_LOCAL_TIMER_EXIT,
    FTRACE_HRTIMER_ENTRY,
    FTRACE_HRTIMER_EXIT,
    FTRACE_CONTENTION_BEGIN,
    FTRACE_CONTENTION_END,
    FTRACE_SYS_ENTER,
    FTRACE_SYS_EXIT,
    FTRACE_SIGNAL,
    FTRACE_PAGE_FAULT,
    FTRACE_CPU_IDLE,
    FTRACE_CONSOLE,
    FTRACE_OPEN,
    FTRACE_EVENTS
};

enum { FTRACE_FIELDS = 8 };

// The differences between kernels. Values of prev_state are those of the file.
struct ftrace_kernel {
    const char *name, *release;
    const char *states; // the list of letters in the print format of sched_switch
    const char *mask;   // of that list
    uint32_t preempted; // the mark of a thread that is displaced
    uint32_t sleeping, uninterruptible, stopped, dead, zombie;
    bool wakes_only; // sched_wakeup with a field `success`, no sched_waking
    bool is_rt;      // one more common field
};

// `calls` has the numbers of the system calls, by enum ftrace_call.
struct ftrace_machine {
    const char *name;
    bool is64, big_endian;
    uint16_t calls[16];
};

enum ftrace_call {
    FTRACE_CALL_NONE,
    FTRACE_CALL_READ,
    FTRACE_CALL_WRITE,
    FTRACE_CALL_READV,
    FTRACE_CALL_SENDTO,
    FTRACE_CALL_RECVFROM,
    FTRACE_CALL_CONNECT,
    FTRACE_CALL_CLONE,
    FTRACE_CALL_EXIT,
    FTRACE_CALL_KILL,
    FTRACE_CALL_SIGWAIT,
    FTRACE_CALL_FUTEX,
    FTRACE_CALL_NANOSLEEP,
    FTRACE_CALL_SETSCHEDULER,
    FTRACE_CALL_YIELD,
    FTRACE_CALL_GETTIME
};

struct ftrace_layout {
    const struct ftrace_kernel *kernel;
    const struct ftrace_machine *machine;
    struct ftrace_place {
        uint16_t offset, size;
        char kind; // of the field, see ftrace_formats.c
    } fields[FTRACE_EVENTS][FTRACE_FIELDS];
    uint16_t field_count[FTRACE_EVENTS];
    uint16_t size[FTRACE_EVENTS]; // of the fixed part, a multiple of 4
    uint16_t common;              // bytes of the common fields
    uint32_t lacking;             // bit an event: the kernel does not have it
};

// A text or block of bytes that grows.
struct ftrace_text {
    char *bytes;
    size_t used, capacity;
    bool failed; // out of memory
};

// Returns NULL if there is none of this name.
const struct ftrace_kernel *ftrace_kernel_find(const char *name);
const struct ftrace_machine *ftrace_machine_find(bool is64, bool big_endian);

void ftrace_layout_make(struct ftrace_layout *layout, const struct ftrace_kernel *kernel,
                        const struct ftrace_machine *machine);

// Returns the number of an event in the file.
uint16_t ftrace_event_id(enum ftrace_event event);
const char *ftrace_event_system(enum ftrace_event event);
// Appends the format of an event.
void ftrace_format_text(const struct ftrace_layout *layout, enum ftrace_event event,
                        struct ftrace_text *text);

void ftrace_text_add(struct ftrace_text *text, const void *bytes, size_t length);
void ftrace_text_print(struct ftrace_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ftrace_text_free(struct ftrace_text *text);

#endif
