// SPDX-License-Identifier: Apache-2.0
//
// write_btrace: writes a run as Symbian BTrace records in the format of BTRACE.EXE: consecutive
// records, no header, little-endian.
//
//     size flags category sub | Header2 | Timestamp | Timestamp2 | context | PC | Extra | data
//
// On one CPU there is no Header2 and the time stamp is a 32-bit fast counter; on several CPUs it has
// 64 bits. Mutexes of even number are fast mutexes (category 17), the others and semaphores
// and condition variables are Symbian's own (23). An interrupt whose handler wakes a thread queues
// a DFC: its IRQ has no end, an IDFC follows. Text that does not fit comes as a multipart trace.
// Document: the class reference of BTrace; e32btrace.h.

#include "btrace_ring.h"
#include "writer.h"

#include <stdlib.h>
#include <string.h>

enum {
    CAT_PRINTF = 0,
    CAT_KERN_PRINTF = 1,
    CAT_NAMES = 3,
    CAT_CPU = 4,
    CAT_PERF = 5,
    CAT_MESSAGES = 6,
    CAT_REQUESTS = 7,
    CAT_CHUNKS = 8,
    CAT_PAGING = 10,
    CAT_PRIORITY = 11,
    CAT_META = 15,
    CAT_FAST_MUTEX = 17,
    CAT_SYNC = 23
};
enum { IRQ_START, IRQ_END, FIQ_START, FIQ_END, IDFC_START, IDFC_END, NEW_THREAD };
enum {
    NANO_CREATE = 0,
    NANO_DESTROY = 1,
    THREAD_CREATE = 2,
    THREAD_DESTROY = 3,
    THREAD_NAME = 4,
    PROCESS_NAME = 5,
    THREAD_ID = 6,
    PROCESS_CREATE = 7,
    PROCESS_DESTROY = 8
};
enum { HEADER2 = 1, STAMP = 2, STAMP2 = 4, CONTEXT = 8, PC = 16, EXTRA = 32, MISSING = 128 };
enum { DATA_MAX = 80, OBJECTS_MAX = 512 };

#define NULL_THREAD_ID 0xffffffffu // of a text that no thread writes

struct task {
    uint32_t condition, mutex; // of the condition wait it is in
    uint32_t message;          // handle of the message under way, 0: none
    uint64_t object;           // mutex or semaphore that it waits for in a call, 0: none
    bool faulting;
};

struct btrace {
    struct sim_write_config config;
    struct sim_counts counts;
    struct btrace_ring ring;
    struct task *tasks; // by thread slot
    const struct sim_event *event;
    bool smp, stamps64;
    bool missing;      // records were lost since the last
    bool defining;     // the record names an object: each file of a split trace has it
    uint32_t dropping; // engine events still to be lost
    uint64_t heard, written_events;
    uint32_t depth[SIM_CPU_MAX];  // interrupts in progress
    uint8_t written[SIM_CPU_MAX]; // one bit per depth: the begin event was written
    bool idfc[SIM_CPU_MAX], fiq[SIM_CPU_MAX];
    uint32_t big; // id of the next multipart trace
    uint32_t message;
    uint32_t known[OBJECTS_MAX]; // objects whose names were written
    uint32_t known_count;
};

// Identifiers ------------------------------------------------------------------------------------

static uint32_t nthread(const struct sim_thread *thread)
{
    return 0xc8000000u + thread->index * 0x400u;
}

static uint32_t dprocess(const struct sim_process *process)
{
    return 0xc7000000u + process->index * 0x200u;
}

static uint32_t thread_id(const struct sim_thread *thread)
{
    return thread->life + 2; // never reused, unlike its address
}

static uint32_t object_id(uint64_t address)
{
    return 0xc6000000u + (uint32_t)(address & 0xffffffu);
}

static bool is_fast_mutex(uint64_t address)
{
    return (address / 0x20 & 1) == 0;
}

// Records ----------------------------------------------------------------------------------------

struct record {
    uint8_t bytes[128];
    uint32_t used;
};

static void put32(struct record *record, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        record->bytes[record->used++] = (uint8_t)(value >> (8 * i));
}

static void put_bytes(struct record *record, const char *bytes, size_t length)
{
    memcpy(record->bytes + record->used, bytes, length);
    record->used += (uint32_t)length;
}

static uint32_t context_id(const struct btrace *bt)
{
    uint32_t cpu = bt->event->cpu;
    if (bt->depth[cpu] == 0)
        return nthread(bt->event->context);
    return bt->idfc[cpu] && bt->depth[cpu] == 1 ? 3 : bt->fiq[cpu] ? 1 : 2;
}

// Begins a record: all but the data. part: 0, or 1 to 3 of a multipart trace.
static struct record start(struct btrace *bt, uint32_t category, uint32_t sub, uint32_t extensions,
                           uint32_t part)
{
    const struct sim_event *event = bt->event;
    struct record record = {.used = 4};
    uint32_t flags = extensions | STAMP | (bt->smp || part != 0 ? HEADER2 : 0) |
                     (bt->stamps64 ? STAMP2 : 0) | (part != 0 ? EXTRA : 0) |
                     (bt->missing ? MISSING : 0);
    bt->missing = false;
    record.bytes[1] = (uint8_t)flags;
    record.bytes[2] = (uint8_t)category;
    record.bytes[3] = (uint8_t)sub;
    if (flags & HEADER2)
        put32(&record, part | (uint32_t)event->cpu << 20);
    put32(&record, (uint32_t)event->time);
    if (flags & STAMP2)
        put32(&record, (uint32_t)(event->time >> 32));
    if (flags & CONTEXT)
        put32(&record, context_id(bt));
    if (flags & PC)
        put32(&record, 0x80001000u + category * 0x100u + sub * 4u);
    return record;
}

// A split trace has a file per CPU. The writer gets the events of all CPUs: a message that is sent on one
// CPU and received on another has one handle.
static bool is_of_file(const struct btrace *bt)
{
    const struct sim_event *event = bt->event;
    return bt->config.only_cpu == UINT32_MAX || event->cpu == bt->config.only_cpu || bt->defining ||
           event->kind == SIM_PROC_CREATE || event->kind == SIM_THREAD_CREATE;
}

static void finish(struct btrace *bt, struct record *record)
{
    if (!is_of_file(bt))
        return;
    record->bytes[0] = (uint8_t)record->used;
    bt->counts.records++;
    btrace_ring_put(&bt->ring, record->bytes, record->used, bt->heard > 0 ? bt->heard - 1 : 0);
}

static void count_event(struct btrace *bt, uint32_t category)
{
    if (!is_of_file(bt))
        return;
    bt->counts.events++;
    bt->counts.classes[category]++;
}

// Writes a record of up to three words.
static void put(struct btrace *bt, uint32_t category, uint32_t sub, uint32_t extensions,
                uint32_t count, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t words[3] = {a, b, c};
    struct record record = start(bt, category, sub, extensions, 0);
    for (uint32_t i = 0; i < count; i++)
        put32(&record, words[i]);
    finish(bt, &record);
    count_event(bt, category);
}

// Writes words, then text without its NUL, truncated if too long.
static void put_named(struct btrace *bt, uint32_t category, uint32_t sub, uint32_t a, uint32_t b,
                      const char *text)
{
    struct record record = start(bt, category, sub, 0, 0);
    size_t length = strlen(text);
    put32(&record, a);
    put32(&record, b);
    put_bytes(&record, text, length < DATA_MAX ? length : DATA_MAX);
    finish(bt, &record);
    count_event(bt, category);
}

// Writes a word and text of any length: one record, or a multipart trace.
static void put_text(struct btrace *bt, uint32_t category, uint32_t word, const char *text,
                     size_t length)
{
    count_event(bt, category);
    if (length <= DATA_MAX + 4) {
        struct record record = start(bt, category, 0, CONTEXT, 0);
        put32(&record, word);
        put_bytes(&record, text, length);
        finish(bt, &record);
        return;
    }
    uint32_t id = bt->big++;
    for (size_t at = 0; at < length; at += DATA_MAX) {
        size_t part = length - at < DATA_MAX ? length - at : DATA_MAX;
        uint32_t which = at == 0 ? 1 : at + part < length ? 2 : 3;
        struct record record = start(bt, category, 0, CONTEXT, which);
        put32(&record, id); // Extra
        put32(&record, (uint32_t)length);
        put32(&record, at == 0 ? word : (uint32_t)at);
        put_bytes(&record, text + at, part);
        finish(bt, &record);
    }
}

// Names ------------------------------------------------------------------------------------------

static void put_process_name(struct btrace *bt, uint32_t thread, const struct sim_process *process)
{
    char name[SIM_NAME_MAX + 24];
    size_t length = strlen(process->name);
    uint32_t generation = 1 + process->serial % 9999;
    memcpy(name, process->name, length);
    memcpy(name + length, ".exe[100041af]0000", 19);
    for (size_t at = length + 17; generation > 0; at--, generation /= 10)
        name[at] = (char)('0' + generation % 10);
    put_named(bt, CAT_NAMES, PROCESS_NAME, thread, dprocess(process), name);
}

static void thread_name(const struct sim_thread *thread, char *name)
{
    if (thread->idle) {
        memcpy(name, "Null", 5);
        if (thread->cpu > 0) {
            size_t at = 4;
            if (thread->cpu >= 10)
                name[at++] = (char)('0' + thread->cpu / 10);
            name[at++] = (char)('0' + thread->cpu % 10);
            name[at] = '\0';
        }
        return;
    }
    memcpy(name, thread->name[0] != '\0' ? thread->name : "Main",
           thread->name[0] != '\0' ? strlen(thread->name) + 1 : 5);
}

static void put_thread(struct btrace *bt, const struct sim_event *event)
{
    const struct sim_thread *thread = event->thread;
    bool dump = (event->flags & SIM_DUMP) != 0;
    char name[SIM_NAME_MAX];
    thread_name(thread, name);
    if (!dump)
        put(bt, CAT_NAMES, NANO_CREATE, 0, 1, nthread(thread), 0, 0);
    put_process_name(bt, nthread(thread), thread->process);
    put_named(bt, CAT_NAMES, dump ? THREAD_NAME : THREAD_CREATE, nthread(thread),
              dprocess(thread->process), name);
    put(bt, CAT_NAMES, THREAD_ID, 0, 3, nthread(thread), dprocess(thread->process),
        thread_id(thread));
}

// The name is written with its first thread.
static void put_process(struct btrace *bt, const struct sim_event *event)
{
    bool create = event->kind == SIM_PROC_CREATE;
    put(bt, CAT_NAMES, create ? PROCESS_CREATE : PROCESS_DESTROY, 0, 1, dprocess(event->process), 0,
        0);
}

// Writes an object's name before its first use.
static uint32_t named_object(struct btrace *bt, uint64_t address, uint32_t category, uint32_t sub,
                             const char *what)
{
    uint32_t id = object_id(address);
    for (uint32_t i = 0; i < bt->known_count; i++)
        if (bt->known[i] == id)
            return id;
    if (bt->known_count == OBJECTS_MAX)
        return id;
    bt->known[bt->known_count++] = id;
    char name[32];
    size_t used = strlen(what);
    memcpy(name, what, used);
    for (uint32_t n = (uint32_t)(address & 0xffff) / 0x20 + 1; n > 0; n /= 10)
        name[used++] = (char)('0' + n % 10); // any distinct name
    name[used] = '\0';
    bt->defining = true;
    put_named(bt, category, sub, id, category == CAT_FAST_MUTEX ? 0 : nthread(bt->event->context),
              name);
    bt->defining = false;
    return id;
}

static uint32_t mutex_id(struct btrace *bt, uint64_t address)
{
    bool fast = is_fast_mutex(address);
    return named_object(bt, address, fast ? CAT_FAST_MUTEX : CAT_SYNC, fast ? 3 : 0x10,
                        fast ? "FastLock" : "Mutex");
}

// Services ---------------------------------------------------------------------------------------

enum mutex_act { MUTEX_TAKE, MUTEX_GIVE, MUTEX_BLOCK };

static void put_mutex(struct btrace *bt, uint64_t address, enum mutex_act act)
{
    static const uint8_t fast[] = {0, 1, 4}, slow[] = {0x12, 0x13, 0x14};
    uint32_t id = mutex_id(bt, address);
    if (is_fast_mutex(address)) // only the assembler of the single-CPU kernel has the PC
        put(bt, CAT_FAST_MUTEX, fast[act], bt->smp ? CONTEXT : CONTEXT | PC, 1, id, 0, 0);
    else
        put(bt, CAT_SYNC, slow[act], CONTEXT, 1, id, 0, 0);
}

static void put_semaphore(struct btrace *bt, uint64_t address, uint32_t sub)
{
    put(bt, CAT_SYNC, sub, CONTEXT, 1, named_object(bt, address, CAT_SYNC, 0, "Sem"), 0, 0);
}

static void put_condition(struct btrace *bt, uint32_t sub, uint64_t condition, uint64_t mutex)
{
    uint32_t id = named_object(bt, condition, CAT_SYNC, 0x20, "CondVar");
    put(bt, CAT_SYNC, sub, CONTEXT, 2, id, object_id(mutex), 0);
}

static bool put_call(struct btrace *bt, const struct sim_event *event)
{
    struct task *task = &bt->tasks[event->thread->index];
    const uint64_t *value = event->value;
    switch (event->code) {
    case SIM_C_MUTEX_LOCK:
        task->object = event->flags & SIM_USERLAND ? 0 : value[0];
        if (event->flags & SIM_USERLAND)
            put_mutex(bt, value[0], MUTEX_TAKE);
        return event->flags & SIM_USERLAND;
    case SIM_C_SEM_WAIT:
        task->object = value[0];
        return false;
    case SIM_C_MUTEX_UNLOCK:
        put_mutex(bt, value[0], MUTEX_GIVE);
        return true;
    case SIM_C_SEM_POST:
        put_semaphore(bt, value[0], 3);
        return true;
    case SIM_C_CONDVAR_WAIT:
    case SIM_C_BARRIER_WAIT:
        task->condition = (uint32_t)value[0];
        task->mutex = (uint32_t)value[1];
        return false;
    case SIM_C_QUEUE_SEND:
    case SIM_C_QUEUE_RECEIVE:
        task->condition = (uint32_t)value[0];
        task->mutex = (uint32_t)value[0] + 0x10;
        return false;
    case SIM_C_CONDVAR_SIGNAL:
        put_condition(bt, value[1] != 0 ? 0x25 : 0x24, value[0], value[0] + 0x10);
        return true;
    default:
        return false;
    }
}

static bool put_exit(struct btrace *bt, const struct sim_event *event)
{
    struct task *task = &bt->tasks[event->thread->index];
    switch (event->code) {
    case SIM_C_TRACE_EVENT:
        put_named(bt, CAT_META, 1, 1, 0, "simulated run");
        return true;
    case SIM_C_MUTEX_LOCK:
    case SIM_C_SEM_WAIT:
        if (task->object == 0)
            return false; // waited since before the trace
        if (event->code == SIM_C_MUTEX_LOCK)
            put_mutex(bt, task->object, MUTEX_TAKE);
        else
            put_semaphore(bt, task->object, 2);
        task->object = 0;
        return true;
    case SIM_C_CONDVAR_WAIT:
    case SIM_C_BARRIER_WAIT:
    case SIM_C_QUEUE_SEND:
    case SIM_C_QUEUE_RECEIVE:
        if (task->condition == 0)
            return false; // waited since before the trace
        put_condition(bt, 0x23, task->condition, task->mutex);
        task->condition = 0;
        return true;
    default:
        return false;
    }
}

static bool put_state(struct btrace *bt, const struct sim_event *event)
{
    const struct task *task = &bt->tasks[event->thread->index];
    if (event->flags & SIM_DUMP)
        return false;
    if (event->code == SIM_DEAD) {
        put(bt, CAT_NAMES, THREAD_DESTROY, 0, 3, nthread(event->thread),
            dprocess(event->thread->process), thread_id(event->thread));
        return true;
    }
    if (event->thread != event->context)
        return false; // blocked already
    if (event->code == SIM_MUTEX)
        put_mutex(bt, event->value[0], MUTEX_BLOCK);
    else if (event->code == SIM_SEM)
        put_semaphore(bt, event->value[0], 4);
    else if (event->code == SIM_CONDVAR && task->condition != 0)
        put_condition(bt, 0x22, task->condition, task->mutex);
    else
        return false;
    return true;
}

static bool put_comm(struct btrace *bt, const struct sim_event *event)
{
    struct task *client;
    switch (event->code) {
    case SIM_COMM_SMSG:
        client = &bt->tasks[event->thread->index];
        client->message = 0xc9000000u + (bt->message++ % 4096) * 0x40u;
        put(bt, CAT_MESSAGES, 4, CONTEXT, 3, client->message, event->partner_pid & 0xff,
            0xca000000u + (event->partner_pid & 0xffff) * 0x10u);
        return true;
    case SIM_COMM_RMSG:
    case SIM_COMM_REPLY:
    case SIM_COMM_ERROR:
        client = &bt->tasks[event->partner->index];
        if (client->message == 0)
            return false; // sent before the trace
        if (event->code == SIM_COMM_RMSG) {
            put(bt, CAT_MESSAGES, 5, CONTEXT, 1, client->message, 0, 0);
            return true;
        }
        put(bt, CAT_MESSAGES, 6, CONTEXT, 2, client->message, 0, 0);
        put(bt, CAT_REQUESTS, 0, CONTEXT, 3, nthread(event->partner), client->message + 8, 0);
        client->message = 0;
        return true;
    default:
        return false;
    }
}

// CPUs -------------------------------------------------------------------------------------------

static void put_cpu(struct btrace *bt, uint32_t sub, uint32_t vector)
{
    bool has_vector = bt->smp && sub == IRQ_START;
    put(bt, CAT_CPU, sub, 0, has_vector ? 1 : 0, vector, 0, 0);
}

static bool put_run(struct btrace *bt, const struct sim_event *event)
{
    struct task *task = &bt->tasks[event->thread->index];
    struct record record = start(bt, CAT_CPU, NEW_THREAD, 0, 0);
    // The context of this record is the new thread.
    record.bytes[1] |= CONTEXT;
    put32(&record, nthread(event->thread));
    finish(bt, &record);
    count_event(bt, CAT_CPU);
    if (task->faulting && (event->flags & SIM_DUMP) == 0) {
        task->faulting = false;
        put(bt, CAT_PAGING, 2, CONTEXT, 2, 0x01234000, 0x10042000, 0);
    }
    return true;
}

// Tracks the nesting, whether written or not.
static void enter_interrupt(struct btrace *bt, const struct sim_event *event, bool written)
{
    uint32_t cpu = event->cpu, level = bt->depth[cpu]++;
    bt->written[cpu] = (uint8_t)((bt->written[cpu] & ~(1u << level)) | (uint32_t)written << level);
    bt->fiq[cpu] = event->value[2] != 0;
}

// Returns true if the end event is to be written.
static bool leave_interrupt(struct btrace *bt, const struct sim_event *event)
{
    uint32_t cpu = event->cpu;
    if (bt->depth[cpu] == 0)
        return false; // entered before the trace
    bt->fiq[cpu] = false;
    return (bt->written[cpu] >> --bt->depth[cpu] & 1) != 0;
}

static bool put_interrupt(struct btrace *bt, const struct sim_event *event)
{
    uint32_t cpu = event->cpu;
    bool fiq = event->value[2] != 0;
    switch (event->kind) {
    case SIM_IRQ_ENTER:
        put_cpu(bt, fiq ? FIQ_START : IRQ_START, event->code);
        enter_interrupt(bt, event, true);
        return true;
    case SIM_HANDLER_EXIT:
        if (bt->depth[cpu] != 1 || bt->written[cpu] != 1 || bt->idfc[cpu] || event->value[0] == 0)
            return false;
        put_cpu(bt, IDFC_START, 0);
        bt->idfc[cpu] = true;
        return true;
    case SIM_IRQ_EXIT:
        if (!leave_interrupt(bt, event))
            return false;
        if (bt->depth[cpu] == 0 && bt->idfc[cpu])
            put_cpu(bt, IDFC_END, 0);
        else
            put_cpu(bt, fiq ? FIQ_END : IRQ_END, 0);
        if (bt->depth[cpu] == 0)
            bt->idfc[cpu] = false;
        return true;
    default:
        return false;
    }
}

// The rest ---------------------------------------------------------------------------------------

// Writes a log line; every eighth is followed by a long dump.
static void put_log(struct btrace *bt, const struct sim_event *event)
{
    static const char filler[] = " 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char text[512];
    size_t length = strlen(event->text);
    bool in_thread = bt->depth[event->cpu] == 0;
    uint32_t thread = in_thread ? thread_id(event->context) : NULL_THREAD_ID;
    memcpy(text, event->text, length);
    if (sim_mix(event->time) % 8 == 0)
        for (size_t end = 160 + (size_t)(sim_mix(event->time) / 8 % 240); length < end; length++)
            text[length] = filler[length % (sizeof filler - 1)];
    put_text(bt, event->kind == SIM_SYS_SLOG ? CAT_KERN_PRINTF : CAT_PRINTF, thread, text, length);
}

static void put_mapping(struct btrace *bt, const struct sim_event *event)
{
    put(bt, CAT_CHUNKS, event->kind == SIM_SYS_MMAP ? 5 : 6, CONTEXT, 3,
        0xcb000000u + event->process->index * 0x80u, 0, (uint32_t)event->value[1]);
}

static bool dispatch(struct btrace *bt, const struct sim_event *event)
{
    const struct sim_thread *thread = event->thread;
    switch (event->kind) {
    case SIM_PROC_CREATE:
    case SIM_PROC_DESTROY:
        put_process(bt, event);
        return true;
    case SIM_THREAD_CREATE:
        put_thread(bt, event);
        return true;
    case SIM_THREAD_DESTROY:
        put(bt, CAT_NAMES, NANO_DESTROY, 0, 1, nthread(thread), 0, 0);
        return true;
    case SIM_RUN:
        return put_run(bt, event);
    case SIM_STATE:
        return put_state(bt, event);
    case SIM_PRIORITY:
        put(bt, CAT_PRIORITY, 0, CONTEXT, 2, nthread(thread), (uint32_t)event->value[0] / 4, 0);
        return true;
    case SIM_CALL:
        return put_call(bt, event);
    case SIM_CALL_EXIT:
        return put_exit(bt, event);
    case SIM_COMM:
        return put_comm(bt, event);
    case SIM_USER:
        put(bt, CAT_PERF, event->code & 0xff, CONTEXT | PC, 3, (uint32_t)event->value[0],
            (uint32_t)event->value[1], (uint32_t)(event->time / (bt->config.run->clock_hz / 1000)));
        return true;
    case SIM_USER_TEXT:
    case SIM_SYS_SLOG:
        put_log(bt, event);
        return true;
    case SIM_SYS_MMAP:
    case SIM_SYS_MUNMAP:
        put_mapping(bt, event);
        return true;
    case SIM_SYS_PAGEWAIT:
        bt->tasks[thread->index].faulting = true;
        put(bt, CAT_PAGING, 0, CONTEXT, 2, (uint32_t)event->value[1], (uint32_t)event->value[0], 0);
        return true;
    default:
        return put_interrupt(bt, event);
    }
}

// The period of a tick, as a 24-bit mantissa and a power of two: 1/hz, or the ticks' half of it.
static uint32_t period(uint64_t hz)
{
    uint64_t mantissa = UINT64_MAX / hz;
    int exponent = -64;
    for (; mantissa >= 1u << 24; mantissa >>= 1)
        exponent++;
    return (uint32_t)mantissa | (uint32_t)(uint8_t)exponent << 24;
}

static void put_stamps_info(struct btrace *bt)
{
    uint32_t one = period(bt->config.run->clock_hz);
    uint32_t two = bt->stamps64 ? one + (32u << 24) : period(1000);
    bt->defining = true;
    put(bt, CAT_META, 0, 0, 3, one, two, bt->stamps64);
    bt->defining = false;
}

static bool is_dropped(struct btrace *bt)
{
    uint32_t lose = bt->config.lose;
    bt->heard++;
    if (bt->dropping == 0 && (lose == 0 || bt->heard % 500 != 0 || bt->heard < 2000 ||
                              sim_mix(bt->heard ^ bt->config.run->seed) % lose != 0))
        return false;
    if (bt->dropping == 0) {
        bt->dropping = 150;
        bt->counts.lost_buffers++;
    }
    bt->dropping--;
    bt->missing = true;
    bt->counts.lost++;
    return true;
}

static enum sim_written btrace_event(void *self, const struct sim_event *event)
{
    struct btrace *bt = self;
    bt->event = event;
    if (bt->heard == 0)
        put_stamps_info(bt);
    if (is_dropped(bt)) {
        // Interrupts continue unrecorded: one whose begin event may be lost has no end event.
        memset(bt->written, 0, sizeof bt->written);
        memset(bt->idfc, 0, sizeof bt->idfc);
        if (event->kind == SIM_IRQ_ENTER)
            enter_interrupt(bt, event, false);
        else if (event->kind == SIM_IRQ_EXIT)
            leave_interrupt(bt, event);
        return SIM_WRITTEN_LOST;
    }
    return dispatch(bt, event) ? SIM_WRITTEN : SIM_WRITTEN_NONE;
}

static void btrace_free(struct btrace *bt)
{
    btrace_ring_close(&bt->ring);
    free(bt->tasks);
    free(bt);
}

static void *btrace_open(const struct sim_write_config *config, struct sim_out *out,
                         const char **why)
{
    struct btrace *bt = calloc(1, sizeof *bt);
    *why = "out of memory";
    if (bt == NULL)
        return NULL;
    bt->config = *config;
    bt->smp = config->run->cpus > 1;
    bt->stamps64 = bt->smp || config->btrace_64;
    bt->tasks = calloc(config->thread_slots, sizeof *bt->tasks);
    if (bt->tasks == NULL || !btrace_ring_open(&bt->ring, config, out)) {
        btrace_free(bt);
        return NULL;
    }
    return bt;
}

static void btrace_flush(void *self)
{
    (void)self; // records go to the file's buffer at once; a ring shows at the end
}

static void btrace_close(void *self, struct sim_counts *counts)
{
    struct btrace *bt = self;
    *counts = bt->counts;
    btrace_ring_finish(&bt->ring, counts);
    btrace_free(bt);
}

static const struct sim_counts *btrace_counts(const void *self)
{
    return &((const struct btrace *)self)->counts;
}

// Running is exact, waits for locks have a begin event, other waits are not recorded.
static const struct sim_view *btrace_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {
        .lives = true,
        .leaves_at_switch = true,
        .no_wakes = true,
        .initial_runs = true,
        .states = {[SIM_DEAD] = {SIM_DEAD, "DEAD", false},
                   [SIM_RUNNING] = {SIM_RUNNING, "RUNNING", false},
                   [SIM_MUTEX] = {SIM_MUTEX, "MUTEX", false},
                   [SIM_SEM] = {SIM_SEM, "SEM", false},
                   [SIM_CONDVAR] = {SIM_CONDVAR, "CONDVAR", false}},
        .other = {SIM_UNKNOWN, "UNKNOWN", false}};
    (void)config;
    return &view;
}

const struct sim_writer sim_writer_btrace = {"btrace",     true,          NULL,
                                             btrace_open,  btrace_event,  btrace_flush,
                                             btrace_close, btrace_counts, btrace_view};
