// SPDX-License-Identifier: Apache-2.0
//
// write_fxt: writes a run as a Fuchsia trace (.fxt).
//
// Mapping: a switch is a scheduling record with the state of the outgoing thread; a wake is a wakeup record (new form only). A kernel call is a duration on the caller's
// thread; a message an async span from send to reply and a flow from client to server; a page
// fault a complete event, written when it is over; an interrupt a duration on a thread that
// represents the CPU. User events with values are counters, those with text instants.
// With several providers the first is the kernel's; user events and logs go to the others, with
// clocks of their own.

#include "fxt_records.h"

#include <stdlib.h>
#include <string.h>

enum { OUT_NEW = 0, OUT_RUNNING = 1, OUT_SUSPENDED = 2, OUT_BLOCKED = 3, OUT_DEAD = 5 };
enum { OBJECT_PROCESS = 1, OBJECT_THREAD = 2 };
enum { KERNEL_KOID = 0x400, CPU_KOID = 0x500 }; // the threads that represent CPUs

struct fxt_task {
    bool in_call;
    uint64_t fault;   // begin of its wait for a page; 0: none
    uint64_t message; // number of its open message; 0: none
};

struct fxt {
    struct sim_write_config config;
    struct sim_counts counts;
    struct fxt_file file;
    struct fxt_task *tasks; // by thread slot
    uint64_t messages;
    uint32_t depth[SIM_CPU_MAX];
    bool started;
};

static uint64_t koid(const struct sim_thread *thread)
{
    return sim_thread_koid(thread);
}

static uint64_t process_koid(const struct sim_thread *thread)
{
    return thread->idle ? 0 : sim_process_koid(thread->process);
}

// Losses: the provider's buffer is full for a while, as a record reports.
static bool is_dropped(struct fxt *fxt, struct fxt_provider *provider)
{
    uint32_t lose = fxt->config.lose;
    provider->events++;
    if (provider->dropping == 0 &&
        (lose == 0 || provider->events % 500 != 0 || provider->events < 2000 ||
         sim_mix(provider->events ^ fxt->config.run->seed) % lose != 0))
        return false;
    if (provider->dropping == 0) {
        provider->dropping = 150;
        fxt->counts.lost_buffers++;
        fxt_begin(&fxt->file, provider, FXT_METADATA);
        fxt_bits(&fxt->file, 16, 3);
        fxt_bits(&fxt->file, 20, provider->id);
        fxt_end(&fxt->file);
    }
    provider->dropping--;
    fxt->counts.lost++;
    return true;
}

static struct fxt_provider *kernel(struct fxt *fxt)
{
    return &fxt->file.provider[0];
}

static struct fxt_provider *provider_of(struct fxt *fxt, const struct sim_event *event)
{
    uint32_t others = fxt->file.providers - 1;
    if (others == 0)
        return kernel(fxt);
    return &fxt->file.provider[1 + event->thread->process->index % others];
}

// Begins an event of a thread, up to its arguments.
static void begin_event(struct fxt *fxt, struct fxt_provider *provider, enum fxt_event_type type,
                        const struct sim_thread *thread, uint64_t time, const char *category,
                        const char *name)
{
    struct fxt_file *file = &fxt->file;
    fxt_begin(file, provider, FXT_EVENT);
    uint64_t process = process_koid(thread), who = koid(thread);
    uint32_t reference = fxt_thread(file, process, who);
    uint32_t category_reference = fxt_string(file, category);
    uint32_t name_reference = fxt_string(file, name);
    fxt_bits(file, 16, type);
    fxt_bits(file, 24, reference);
    fxt_bits(file, 32, category_reference);
    fxt_bits(file, 48, name_reference);
    fxt_word(file, fxt_ticks(file, provider, time));
    fxt_thread_tail(file, reference, process, who);
    fxt_string_tail(file, category_reference, category);
    fxt_string_tail(file, name_reference, name);
}

static void end_event(struct fxt *fxt)
{
    fxt_end(&fxt->file);
    fxt->counts.events++;
}

static void end_with_arguments(struct fxt *fxt)
{
    fxt_arguments(&fxt->file, 20);
    end_event(fxt);
}

// Ends an event whose type has a word after the arguments.
static void end_with_word(struct fxt *fxt, uint64_t word)
{
    fxt_arguments(&fxt->file, 20);
    fxt_word(&fxt->file, word);
    end_event(fxt);
}

// Definitions ------------------------------------------------------------------------------------

static void define(struct fxt *fxt, uint32_t type, uint64_t id, const char *name, uint64_t process)
{
    struct fxt_file *file = &fxt->file;
    fxt_begin(file, kernel(fxt), FXT_KERNEL);
    uint32_t reference = fxt_string(file, name);
    fxt_bits(file, 16, type);
    fxt_bits(file, 24, reference);
    fxt_word(file, id);
    fxt_string_tail(file, reference, name);
    if (process != 0)
        fxt_arg_koid(file, "process", process);
    fxt_arguments(file, 40);
    fxt_end(file);
}

static void define_cpus(struct fxt *fxt)
{
    char name[] = "cpu-00";
    define(fxt, OBJECT_PROCESS, KERNEL_KOID, "cpus", 0);
    for (uint32_t i = 0; i < fxt->config.run->cpus; i++) {
        name[4] = (char)('0' + i / 10);
        name[5] = (char)('0' + i % 10);
        define(fxt, OBJECT_THREAD, CPU_KOID + i, name, KERNEL_KOID);
    }
}

// Writes records other than events: blobs, a userspace object, a large record, a module.
static void define_extras(struct fxt *fxt, const struct sim_event *event)
{
    static const char note[] = "written by a simulator: every interval is known";
    struct fxt_file *file = &fxt->file;
    const struct sim_thread *thread = event->thread;
    fxt_begin(file, kernel(fxt), FXT_BLOB);
    uint32_t name = fxt_string(file, "note");
    fxt_bits(file, 16, name);
    fxt_bits(file, 32, sizeof note - 1);
    fxt_bits(file, 48, 1);
    fxt_string_tail(file, name, "note");
    fxt_stream(file, note, sizeof note - 1);
    fxt_end(file);

    fxt_begin(file, kernel(fxt), FXT_USERSPACE);
    uint32_t process = fxt_thread(file, process_koid(thread), 0);
    name = fxt_string(file, "trace session");
    fxt_bits(file, 16, process);
    fxt_bits(file, 24, name);
    fxt_word(file, 0x100080000);
    if (process == 0)
        fxt_word(file, process_koid(thread));
    fxt_string_tail(file, name, "trace session");
    fxt_arg_uint64(file, "seed", fxt->config.run->seed);
    fxt_arg_bool(file, "simulated", true);
    fxt_arguments(file, 40);
    fxt_end(file);
}

// A large record has a size of 32 bits and its own format word.
static void put_large(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    static const char line[] = "0x00081000 symbol_of_the_simulated_kernel_nnn\n..";
    enum { LINE = 48 };
    uint32_t lines = fxt->config.fxt_large ? 840 : 600; // 5,040 or 3,600 words: 12 bits hold 4,095
    uint64_t process = process_koid(event->thread), thread = koid(event->thread);
    fxt_begin(file, kernel(fxt), FXT_LARGE);
    uint32_t category = fxt_string(file, "kernel:meta"), name = fxt_string(file, "symbols");
    uint32_t reference = fxt_thread(file, process, thread);
    fxt_word(file, category | (uint64_t)name << 16 | (uint64_t)reference << 36);
    fxt_string_tail(file, category, "kernel:meta");
    fxt_string_tail(file, name, "symbols");
    fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
    fxt_thread_tail(file, reference, process, thread);
    fxt_word(file, (uint64_t)lines * LINE);
    for (uint32_t i = 0; i < lines; i++)
        fxt_stream(file, line, LINE);
    end_event(fxt);
}

static void put_profile(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    uint64_t process = process_koid(event->thread), thread = koid(event->thread);
    fxt_begin(file, kernel(fxt), FXT_PROFILER);
    uint32_t reference = fxt_thread(file, process, thread);
    fxt_bits(file, 16, 2); // backtrace
    fxt_bits(file, 20, reference);
    fxt_bits(file, 28, 3);
    fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
    fxt_thread_tail(file, reference, process, thread);
    for (uint64_t i = 0; i < 3; i++)
        fxt_word(file, 0x2030400000 + event->thread->index * 0x1000 + i * 0x84);
    end_event(fxt);
}

// Scheduling -------------------------------------------------------------------------------------

static uint32_t leaving_state(const struct fxt *fxt, const struct sim_event *event)
{
    const struct sim_thread *out = event->partner;
    if (event->flags & SIM_PREEMPT)
        return fxt->config.fxt_legacy ? OUT_NEW : OUT_RUNNING;
    if (out->state == SIM_STOPPED)
        return OUT_SUSPENDED;
    return out->state == SIM_DEAD ? OUT_DEAD : OUT_BLOCKED;
}

static int32_t weight(const struct sim_thread *thread)
{
    return thread->idle ? INT32_MIN : thread->priority;
}

static void put_switch(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    const struct sim_thread *out = event->partner, *in = event->thread;
    uint32_t state = leaving_state(fxt, event);
    fxt_begin(file, kernel(fxt), FXT_SCHEDULING);
    if (fxt->config.fxt_legacy) {
        uint32_t from = fxt_thread(file, process_koid(out), koid(out));
        uint32_t to = fxt_thread(file, process_koid(in), koid(in));
        fxt_bits(file, 16, event->cpu);
        fxt_bits(file, 24, state);
        fxt_bits(file, 28, from);
        fxt_bits(file, 36, to);
        fxt_bits(file, 44, out->priority);
        fxt_bits(file, 52, in->priority);
        fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
        fxt_thread_tail(file, from, process_koid(out), koid(out));
        fxt_thread_tail(file, to, process_koid(in), koid(in));
    } else {
        fxt_bits(file, 60, 1);
        fxt_bits(file, 20, event->cpu);
        fxt_bits(file, 36, state);
        fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
        fxt_word(file, koid(out));
        fxt_word(file, koid(in));
        fxt_arg_int32(file, "incoming_weight", weight(in));
        fxt_arg_int32(file, "outgoing_weight", weight(out));
        fxt_arguments(file, 16);
    }
    end_event(fxt);
}

static void put_wakeup(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    fxt_begin(file, kernel(fxt), FXT_SCHEDULING);
    fxt_bits(file, 60, 2);
    fxt_bits(file, 20, event->cpu);
    fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
    fxt_word(file, koid(event->thread));
    fxt_arg_int32(file, "weight", weight(event->thread));
    // Only a running thread is a waker: an interrupt wakes on behalf of none.
    if (!event->wake.interrupt)
        fxt_arg_koid(file, "waker", koid(event->context));
    fxt_arguments(file, 16);
    end_event(fxt);
}

static enum sim_written put_run(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_task *task = &fxt->tasks[event->thread->index];
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    if (task->fault != 0) {
        begin_event(fxt, kernel(fxt), FXT_COMPLETE, event->thread, task->fault, "kernel:vm",
                    "page fault");
        end_with_word(fxt, fxt_ticks(&fxt->file, kernel(fxt), event->time));
        task->fault = 0;
    }
    put_switch(fxt, event); // the last, so that the newest record has the newest time
    return SIM_WRITTEN;
}

static enum sim_written put_state(struct fxt *fxt, const struct sim_event *event)
{
    bool wake = event->code == SIM_READY && event->value[0] != SIM_RUNNING &&
                (event->flags & SIM_DUMP) == 0;
    if (!wake || fxt->config.fxt_legacy || event->value[0] == SIM_READY)
        return SIM_WRITTEN_NONE;
    put_wakeup(fxt, event);
    return SIM_WRITTEN;
}

// Calls and messages -----------------------------------------------------------------------------

static enum sim_written put_call(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_task *task = &fxt->tasks[event->thread->index];
    bool enter = event->kind == SIM_CALL, dies = event->code == SIM_C_THREAD_DESTROY;
    if (event->flags & SIM_USERLAND || (!enter && !task->in_call))
        return SIM_WRITTEN_NONE; // not in the kernel, or begun before the trace
    task->in_call = enter && !dies;
    begin_event(fxt, kernel(fxt),
                !enter ? FXT_FINISH
                : dies ? FXT_INSTANT
                       : FXT_BEGIN,
                event->thread, event->time, "kernel:syscall", sim_call_name(event->code));
    if (enter && event->code == SIM_C_MUTEX_LOCK)
        fxt_arg_pointer(&fxt->file, "mutex", event->value[0]);
    if (enter && event->code == SIM_C_MSG_SENDV)
        fxt_arg_uint32(&fxt->file, "type", (uint32_t)event->value[3]);
    if (!enter && event->code == SIM_C_MSG_RECEIVEV)
        fxt_arg_int64(&fxt->file, "rcvid", (int64_t)event->value[0]);
    end_with_arguments(fxt);
    return SIM_WRITTEN;
}

static void put_message(struct fxt *fxt, const struct sim_event *event, enum fxt_event_type async,
                        enum fxt_event_type flow, const struct sim_thread *client)
{
    uint64_t message = fxt->tasks[client->index].message;
    if (async != FXT_ASYNC_INSTANT || event->code == SIM_COMM_RMSG) {
        begin_event(fxt, kernel(fxt), async, client, event->time, "kernel:ipc", "message");
        end_with_word(fxt, message);
    }
    begin_event(fxt, kernel(fxt), flow, event->thread, event->time, "kernel:ipc", "message");
    end_with_word(fxt, message);
}

static enum sim_written put_comm(struct fxt *fxt, const struct sim_event *event)
{
    switch (event->code) {
    case SIM_COMM_SMSG:
        fxt->tasks[event->thread->index].message = ++fxt->messages;
        put_message(fxt, event, FXT_ASYNC_BEGIN, FXT_FLOW_BEGIN, event->thread);
        return SIM_WRITTEN;
    case SIM_COMM_RMSG:
        if (fxt->tasks[event->partner->index].message == 0)
            return SIM_WRITTEN_NONE;
        put_message(fxt, event, FXT_ASYNC_INSTANT, FXT_FLOW_STEP, event->partner);
        return SIM_WRITTEN;
    case SIM_COMM_REPLY:
    case SIM_COMM_ERROR:
        if (fxt->tasks[event->partner->index].message == 0)
            return SIM_WRITTEN_NONE;
        put_message(fxt, event, FXT_ASYNC_END, FXT_FLOW_END, event->partner);
        fxt->tasks[event->partner->index].message = 0;
        return SIM_WRITTEN;
    default:
        begin_event(fxt, kernel(fxt), FXT_INSTANT, event->thread, event->time, "kernel:ipc",
                    event->code == SIM_COMM_SIGNAL ? "signal" : "pulse");
        fxt_arg_uint64(&fxt->file, "id", event->value[0]);
        end_with_arguments(fxt);
        return SIM_WRITTEN;
    }
}

// Interrupts, user events, the rest --------------------------------------------------------------

static enum sim_written put_interrupt(struct fxt *fxt, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    bool enter = event->kind == SIM_IRQ_ENTER;
    uint32_t *depth = &fxt->depth[event->cpu];
    if (!enter && *depth == 0)
        return SIM_WRITTEN_NONE;
    *depth = enter ? *depth + 1 : *depth - 1;
    // As begin_event, for the thread that represents the CPU.
    fxt_begin(file, kernel(fxt), FXT_EVENT);
    uint32_t reference = fxt_thread(file, KERNEL_KOID, CPU_KOID + event->cpu);
    uint32_t category = fxt_string(file, "kernel:irq"), name = fxt_string(file, "irq");
    fxt_bits(file, 16, enter ? FXT_BEGIN : FXT_FINISH);
    fxt_bits(file, 24, reference);
    fxt_bits(file, 32, category);
    fxt_bits(file, 48, name);
    fxt_word(file, fxt_ticks(file, kernel(fxt), event->time));
    fxt_thread_tail(file, reference, KERNEL_KOID, CPU_KOID + event->cpu);
    fxt_string_tail(file, category, "kernel:irq");
    fxt_string_tail(file, name, "irq");
    if (enter)
        fxt_arg_uint32(file, "vector", event->code);
    end_with_arguments(fxt);
    return SIM_WRITTEN;
}

static void put_counter(struct fxt *fxt, struct fxt_provider *provider,
                        const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    begin_event(fxt, provider, FXT_COUNTER, event->thread, event->time, "app", "progress");
    fxt_arg_uint64(file, "count", event->value[0]);
    fxt_arg_double(file, "level", (double)(event->value[0] % 100) / 8.0);
    fxt_arg_int32(file, "trend", (int32_t)(event->value[0] % 7) - 3);
    end_with_word(fxt, event->code);
}

static void put_text(struct fxt *fxt, struct fxt_provider *provider, const struct sim_event *event,
                     const char *category, const char *name)
{
    begin_event(fxt, provider, FXT_INSTANT, event->thread, event->time, category, name);
    fxt_arg_string(&fxt->file, "text", event->text);
    fxt_arg_uint32(&fxt->file, "number", event->code);
    fxt_arg_null(&fxt->file, "nothing");
    fxt_arg_blob(&fxt->file, "raw", event->text, (uint32_t)strlen(event->text));
    end_with_arguments(fxt);
}

static void put_log(struct fxt *fxt, struct fxt_provider *provider, const struct sim_event *event)
{
    struct fxt_file *file = &fxt->file;
    uint64_t process = process_koid(event->thread), thread = koid(event->thread);
    size_t length = strlen(event->text);
    fxt_begin(file, provider, FXT_LOG);
    uint32_t reference = fxt_thread(file, process, thread);
    fxt_bits(file, 16, length);
    fxt_bits(file, 32, reference);
    fxt_word(file, fxt_ticks(file, provider, event->time));
    fxt_thread_tail(file, reference, process, thread);
    fxt_stream(file, event->text, length);
    end_event(fxt);
}

static enum sim_written put_mapping(struct fxt *fxt, const struct sim_event *event)
{
    begin_event(fxt, kernel(fxt), FXT_INSTANT, event->thread, event->time, "kernel:vm",
                event->kind == SIM_SYS_MMAP ? "map" : "unmap");
    fxt_arg_pointer(&fxt->file, "address", event->value[0]);
    fxt_arg_uint64(&fxt->file, "length", event->value[1]);
    fxt_arg_koid(&fxt->file, "process", sim_process_koid(event->process));
    fxt_arg_bool(&fxt->file, "shared", event->kind == SIM_SYS_MMAP);
    end_with_arguments(fxt);
    return SIM_WRITTEN;
}

static enum sim_written put_definition(struct fxt *fxt, const struct sim_event *event)
{
    const struct sim_thread *thread = event->thread;
    if (event->kind == SIM_PROC_CREATE)
        define(fxt, OBJECT_PROCESS, sim_process_koid(event->process), event->text, 0);
    else
        define(fxt, OBJECT_THREAD, koid(thread), thread->name, process_koid(thread));
    return SIM_WRITTEN_NONE;
}

static enum sim_written put_start(struct fxt *fxt, const struct sim_event *event)
{
    define_cpus(fxt);
    define_extras(fxt, event);
    put_large(fxt, event);
    fxt->started = true;
    return SIM_WRITTEN;
}

static bool is_user(const struct sim_event *event)
{
    return event->kind == SIM_USER || event->kind == SIM_USER_TEXT || event->kind == SIM_SYS_SLOG;
}

static bool is_definition(const struct sim_event *event)
{
    return event->kind == SIM_PROC_CREATE || event->kind == SIM_THREAD_CREATE ||
           event->kind == SIM_THREAD_NAME;
}

static enum sim_written dispatch(struct fxt *fxt, struct fxt_provider *provider,
                                 const struct sim_event *event)
{
    switch (event->kind) {
    case SIM_RUN:
        return put_run(fxt, event);
    case SIM_STATE:
        return put_state(fxt, event);
    case SIM_CALL_EXIT:
        if (event->code == SIM_C_TRACE_EVENT)
            return put_start(fxt, event);
        return put_call(fxt, event);
    case SIM_CALL:
        return put_call(fxt, event);
    case SIM_COMM:
        return put_comm(fxt, event);
    case SIM_IRQ_ENTER:
    case SIM_IRQ_EXIT:
        return put_interrupt(fxt, event);
    case SIM_USER:
        put_counter(fxt, provider, event);
        return SIM_WRITTEN;
    case SIM_USER_TEXT:
        put_text(fxt, provider, event, "app", "mark");
        return SIM_WRITTEN;
    case SIM_SYS_SLOG:
        put_log(fxt, provider, event);
        return SIM_WRITTEN;
    case SIM_SYS_PATH:
        put_text(fxt, kernel(fxt), event, "kernel:fs", "open");
        return SIM_WRITTEN;
    case SIM_SYS_MMAP:
    case SIM_SYS_MUNMAP:
        return put_mapping(fxt, event);
    case SIM_SYS_PAGEWAIT:
        fxt->tasks[event->thread->index].fault = event->time;
        return SIM_WRITTEN_NONE;
    case SIM_TIME_SLICE:
        put_profile(fxt, event);
        return SIM_WRITTEN;
    default:
        return SIM_WRITTEN_NONE;
    }
}

static enum sim_written fxt_event(void *self, const struct sim_event *event)
{
    struct fxt *fxt = self;
    struct fxt_provider *provider = is_user(event) ? provider_of(fxt, event) : kernel(fxt);
    if (event->kind == SIM_THREAD_CREATE)
        memset(&fxt->tasks[event->thread->index], 0, sizeof fxt->tasks[0]);
    // Definitions are never lost: they have a separate buffer.
    if (is_definition(event))
        return put_definition(fxt, event);
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    if (is_dropped(fxt, provider))
        return SIM_WRITTEN_LOST;
    return dispatch(fxt, provider, event);
}

static void fxt_free(struct fxt *fxt)
{
    fxt_file_close(&fxt->file);
    free(fxt->tasks);
    free(fxt);
}

static void *fxt_open(const struct sim_write_config *config, struct sim_out *out, const char **why)
{
    struct fxt *fxt = calloc(1, sizeof *fxt);
    *why = "out of memory";
    if (fxt == NULL)
        return NULL;
    fxt->config = *config;
    fxt->tasks = calloc(config->thread_slots, sizeof *fxt->tasks);
    if (fxt->tasks == NULL || !fxt_file_open(&fxt->file, config, out, &fxt->counts)) {
        fxt_free(fxt);
        return NULL;
    }
    return fxt;
}

static void fxt_flush(void *self)
{
    fxt_file_flush(&((struct fxt *)self)->file);
}

static void fxt_close(void *self, struct sim_counts *counts)
{
    struct fxt *fxt = self;
    fxt_file_flush(&fxt->file);
    *counts = fxt->counts;
    fxt_free(fxt);
}

static const struct sim_counts *fxt_counts(const void *self)
{
    return &((const struct fxt *)self)->counts;
}

// All waits are one state, which begins with the switch; interrupts are durations.
#define FXT_VIEW                                                                                   \
    .koids = true, .leaves_at_switch = true, .names_outgoing = true, .no_interrupts = true,        \
    .states = {[SIM_DEAD] = {SIM_DEAD, "dead", false},                                             \
               [SIM_RUNNING] = {SIM_RUNNING, "running", false},                                    \
               [SIM_READY] = {SIM_READY, "ready", false},                                          \
               [SIM_STOPPED] = {SIM_STOPPED, "suspended", false}},                                 \
    .other = {SIM_WAITPAGE, "blocked", false}

static const struct sim_view *fxt_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {FXT_VIEW};
    static const struct sim_view legacy = {.no_wakes = true, FXT_VIEW};
    return config->fxt_legacy ? &legacy : &view;
}

const struct sim_writer sim_writer_fxt = {"fxt",     false,     NULL,       fxt_open, fxt_event,
                                          fxt_flush, fxt_close, fxt_counts, fxt_view};
