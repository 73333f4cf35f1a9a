// SPDX-License-Identifier: Apache-2.0
//
// write_trx: writes a run as a ThreadX event trace buffer (.trx), the image of the buffer in the
// target's memory:
//
//     control header | object registry | event entries, a ring
//
// Mapping of QNX services: channels are queues, condition variables and barriers are event flags, an
// interrupt that a thread waits for is a semaphore, page faults are waits for a driver. There is no
// entry for a thread that begins to run: SUSPEND and RESUME have the next thread, a word that is
// patched when the scheduler has selected it.
// Documents: "TraceX", chapter 11 (file format); ThreadX's tx_trace.h for the identifiers.

#include "writer.h"

#include <stdlib.h>
#include <string.h>

enum {
    ID_RESUME = 1,
    ID_SUSPEND = 2,
    ID_ISR_ENTER = 3,
    ID_ISR_EXIT = 4,
    ID_TIME_SLICE = 5,
    ID_RUNNING = 6,
    ID_FLAGS_GET = 32,
    ID_FLAGS_SET = 36,
    ID_MUTEX_GET = 52,
    ID_MUTEX_PUT = 57,
    ID_QUEUE_RECEIVE = 68,
    ID_QUEUE_SEND = 69,
    ID_SEMAPHORE_GET = 83,
    ID_SEMAPHORE_PUT = 88,
    ID_THREAD_CREATE = 100,
    ID_PRIORITY_CHANGE = 108,
    ID_RELINQUISH = 109,
    ID_SLEEP = 112,
    ID_TIME_GET = 120,
    ID_USER = 4096
};
enum { TYPE_THREAD = 1, TYPE_QUEUE = 3, TYPE_SEMAPHORE = 4, TYPE_MUTEX = 5, TYPE_FLAGS = 6 };
enum { STATE_COMPLETED = 1, STATE_SUSPENDED = 3, STATE_PRIORITY_CHANGE = 14 };
enum { NAME_SIZE = 32, STACK_SIZE = 0x1000, OBJECTS_MAX = 4096, PENDING = 8, RECENT = 256 };

#define CONTEXT_ISR 0xffffffffu
#define FOREVER     0xffffffffu
#define BASE        0x20010000u
#define THREADS_AT  0x20400000u // control block of each thread slot
#define STACKS_AT   0x21000000u

struct entry {
    uint64_t context, priority, id, time, info[4];
};

struct object {
    uint8_t type, available;
    uint16_t priority; // of a thread
    uint64_t address, parameter[2];
    char name[NAME_SIZE];
};

struct trx {
    struct sim_write_config config;
    struct sim_out *out;
    struct sim_counts counts;
    struct entry *ring;
    uint64_t *heard_at; // dry: engine event of each entry in the ring
    uint64_t total;     // entries so far
    uint64_t heard;     // engine events so far
    uint64_t mask;
    const struct sim_event *event;
    uint32_t depth[SIM_CPU_MAX];            // interrupts in progress
    uint64_t current[SIM_CPU_MAX];          // thread on each CPU, 0: idle
    uint64_t next[SIM_CPU_MAX];             // thread that will run there
    uint8_t next_priority[SIM_CPU_MAX];     // its priority, in the engine's order
    uint64_t pending[SIM_CPU_MAX][PENDING]; // entries whose next thread may still change
    uint32_t pending_count[SIM_CPU_MAX];
    struct object objects[OBJECTS_MAX];
    uint32_t object_count;
    struct object *recent[RECENT]; // found last, by address
    uint8_t leaving[SIM_CPU_MAX];  // state in which the CPU's thread is about to wait, 0: none
};

// Addresses --------------------------------------------------------------------------------------

static uint64_t thread_address(const struct sim_thread *thread)
{
    return thread->idle ? 0 : THREADS_AT + 0x100ull * thread->index;
}

static uint64_t stack_start(const struct sim_thread *thread)
{
    return STACKS_AT + (uint64_t)STACK_SIZE * thread->index;
}

// Returns a plausible stack pointer of the current context.
static uint64_t stack_pointer(const struct trx *trx)
{
    const struct sim_thread *thread = trx->event->context;
    uint64_t depth = 96 + sim_mix(trx->total * 64 + thread->index) % 900 / 8 * 8;
    return stack_start(thread) + STACK_SIZE - depth;
}

static uint64_t threadx_priority(uint64_t priority)
{
    return 255 - priority;
}

// Registry ---------------------------------------------------------------------------------------

static struct object *find_object(struct trx *trx, uint32_t type, uint64_t address)
{
    struct object **recent = &trx->recent[address / 32 % RECENT];
    if (*recent != NULL && (*recent)->address == address && (*recent)->type == type)
        return *recent;
    for (uint32_t i = 0; i < trx->object_count; i++)
        if (trx->objects[i].address == address && trx->objects[i].type == type)
            return *recent = &trx->objects[i];
    return NULL;
}

static struct object *add_object(struct trx *trx, uint32_t type, uint64_t address)
{
    struct object *object = find_object(trx, type, address);
    if (object != NULL || trx->object_count == OBJECTS_MAX)
        return object;
    object = &trx->objects[trx->object_count++];
    object->type = (uint8_t)type;
    object->address = address;
    return object;
}

static void name_object(struct object *object, const char *text, const char *more)
{
    size_t used = 0;
    memset(object->name, 0, sizeof object->name);
    for (; *text != '\0' && used < NAME_SIZE - 1; text++)
        object->name[used++] = *text;
    if (*more != '\0' && used > 0 && used < NAME_SIZE - 1)
        object->name[used++] = '/';
    for (; *more != '\0' && used < NAME_SIZE - 1; more++)
        object->name[used++] = *more;
}

static void define_thread(struct trx *trx, const struct sim_thread *thread)
{
    if (thread->idle)
        return;
    struct object *object = add_object(trx, TYPE_THREAD, thread_address(thread));
    if (object == NULL)
        return;
    object->available = 0;
    object->priority = (uint16_t)threadx_priority(thread->priority);
    object->parameter[0] = stack_start(thread);
    object->parameter[1] = STACK_SIZE;
    name_object(object, thread->process->name, thread->name);
}

// Returns the control block of an object, registered at its first use.
static uint64_t object_address(struct trx *trx, uint32_t type, uint64_t key, const char *what)
{
    uint64_t address = 0x20300000u + (uint64_t)type * 0x10000u + (key & 0xffffu);
    struct object *object = find_object(trx, type, address);
    if (object == NULL && (object = add_object(trx, type, address)) != NULL) {
        char number[8];
        uint32_t n = (uint32_t)(key & 0xffffu) / 0x20;
        size_t at = sizeof number - 1;
        number[at] = '\0';
        do {
            number[--at] = (char)('0' + n % 10);
            n /= 10;
        } while (n > 0);
        name_object(object, what, number + at);
        object->parameter[0] = type == TYPE_MUTEX || type == TYPE_SEMAPHORE ? 1 : 0;
        if (type == TYPE_QUEUE) {
            object->parameter[0] = 256;
            object->parameter[1] = 4;
        }
    }
    return address;
}

// Entries ----------------------------------------------------------------------------------------

static uint64_t raw_time(const struct trx *trx, uint64_t time)
{
    uint64_t raw = trx->config.trx_down ? 0 - time : time;
    // Bits outside the mask are those of the timer register.
    uint64_t rest = sim_mix(time) & ~trx->mask & 0xffffffffu;
    return (raw & trx->mask) | rest;
}

static struct entry *put(struct trx *trx, uint32_t id, uint64_t info1, uint64_t info2,
                         uint64_t info3, uint64_t info4)
{
    const struct sim_event *event = trx->event;
    uint32_t ring = trx->config.ring_buffers;
    struct entry *entry = &trx->ring[trx->total % ring];
    uint32_t cpu = event->cpu;
    if (trx->heard_at != NULL)
        trx->heard_at[trx->total % ring] = trx->heard;
    if (trx->depth[cpu] > 0 || id == ID_TIME_SLICE) {
        entry->context = CONTEXT_ISR;
        entry->priority = trx->current[cpu];
    } else {
        if (id != ID_RESUME)
            trx->pending_count[cpu] = 0; // the thread continued: earlier entries are final
        uint64_t priority = threadx_priority(event->context->priority);
        entry->context = thread_address(event->context);
        entry->priority = 0x80000000u | priority << 16 | priority;
    }
    entry->id = id | (trx->config.run->cpus > 1 ? cpu << 24 : 0);
    entry->time = raw_time(trx, event->time);
    entry->info[0] = info1;
    entry->info[1] = info2;
    entry->info[2] = info3;
    entry->info[3] = info4;
    trx->total++;
    trx->counts.events++;
    trx->counts.records++;
    return entry;
}

// Notes that the last entry has the next thread, which may still change.
static void put_pending(struct trx *trx, uint32_t cpu)
{
    if (trx->pending_count[cpu] < PENDING)
        trx->pending[cpu][trx->pending_count[cpu]++] = trx->total - 1;
}

static uint64_t *next_word(struct entry *entry)
{
    switch (entry->id & 0xffff) {
    case ID_RESUME:
        return &entry->info[3];
    case ID_RELINQUISH:
        return &entry->info[1];
    default: // ID_TIME_SLICE
        return &entry->info[0];
    }
}

// Patches the selected thread into the entries that led to it. A RESUME before the one that resumed
// this thread is unchanged. Returns false if no entry has the thread.
static bool patch_next(struct trx *trx, const struct sim_event *event)
{
    uint32_t cpu = event->cpu, count = trx->pending_count[cpu];
    uint64_t chosen = thread_address(event->thread);
    uint32_t first = count;
    bool patched = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t n = trx->pending[cpu][i];
        if (trx->total - n > trx->config.ring_buffers)
            continue;
        struct entry *entry = &trx->ring[n % trx->config.ring_buffers];
        bool resumes = (entry->id & 0xffff) == ID_RESUME;
        if (!resumes || entry->info[0] == chosen)
            first = i < first ? i : first;
        if (i >= first) {
            *next_word(entry) = chosen;
            patched = true;
        }
    }
    trx->pending_count[cpu] = 0;
    trx->current[cpu] = trx->next[cpu] = chosen;
    trx->next_priority[cpu] = event->thread->idle ? 0 : event->thread->priority;
    return patched;
}

// States -----------------------------------------------------------------------------------------

static uint32_t threadx_state(unsigned state)
{
    static const uint8_t states[SIM_STATES] = {[SIM_DEAD] = STATE_COMPLETED,
                                               [SIM_STOPPED] = STATE_SUSPENDED,
                                               [SIM_SEND] = 5,
                                               [SIM_RECEIVE] = 5,
                                               [SIM_REPLY] = 5,
                                               [SIM_WAITTHREAD] = STATE_SUSPENDED,
                                               [SIM_WAITPAGE] = 10,
                                               [SIM_SIGSUSPEND] = STATE_SUSPENDED,
                                               [SIM_SIGWAITINFO] = 7,
                                               [SIM_NANOSLEEP] = 4,
                                               [SIM_MUTEX] = 13,
                                               [SIM_CONDVAR] = 7,
                                               [SIM_JOIN] = STATE_SUSPENDED,
                                               [SIM_INTR] = 6,
                                               [SIM_SEM] = 6,
                                               [SIM_WAITCTX] = STATE_SUSPENDED,
                                               [SIM_MQ_SEND] = 5,
                                               [SIM_MQ_RECEIVE] = 5,
                                               [SIM_RWLOCK_READ] = 13,
                                               [SIM_RWLOCK_WRITE] = 13,
                                               [SIM_BARRIER] = 7};
    return states[state];
}

static void put_resume(struct trx *trx, const struct sim_thread *thread, uint32_t was)
{
    const struct sim_event *event = trx->event;
    uint32_t cpu = event->cpu;
    uint64_t address = thread_address(thread), next = trx->next[cpu];
    bool leaving = trx->leaving[cpu] != 0 || event->kind == SIM_THREAD_CREATE;
    if (leaving) {
        next = trx->current[cpu]; // the caller continues until it waits
    } else if (trx->config.run->cpus == 1 &&
               (next == 0 || thread->priority > trx->next_priority[cpu])) {
        // On one CPU the next thread is certain at once; on several it is known when a thread runs.
        next = trx->next[cpu] = address;
        trx->next_priority[cpu] = thread->priority;
    }
    put(trx, ID_RESUME, address, was, stack_pointer(trx), next);
    if (!leaving)
        put_pending(trx, cpu);
    trx->counts.named[0].count++;
}

static enum sim_written put_state(struct trx *trx, const struct sim_event *event)
{
    const struct sim_thread *thread = event->thread;
    if (event->flags & SIM_DUMP || thread->idle)
        return SIM_WRITTEN_NONE;
    if (event->code == SIM_READY) {
        if (event->value[0] == SIM_RUNNING || event->value[0] == SIM_READY)
            return SIM_WRITTEN_NONE; // displaced, or just created: ThreadX has no entry for it
        put_resume(trx, thread, threadx_state((unsigned)event->value[0]));
        return SIM_WRITTEN;
    }
    // A waiting thread that waits for another object is still suspended. The caller completes its
    // service before it leaves the CPU: the SUSPEND is written then.
    if (thread == event->context)
        trx->leaving[event->cpu] = (uint8_t)threadx_state(event->code);
    return SIM_WRITTEN_NONE;
}

static enum sim_written put_switch(struct trx *trx, const struct sim_event *event)
{
    uint32_t cpu = event->cpu;
    bool leaves = trx->leaving[cpu] != 0 && (event->flags & SIM_DUMP) == 0;
    if (leaves) {
        put(trx, ID_SUSPEND, thread_address(event->context), trx->leaving[cpu], stack_pointer(trx),
            thread_address(event->thread));
        trx->counts.named[1].count++;
        trx->leaving[cpu] = 0;
        trx->pending_count[cpu] = 0;
    }
    bool patched = patch_next(trx, event);
    return leaves ? SIM_WRITTEN : patched ? SIM_WRITTEN_EARLIER : SIM_WRITTEN_NONE;
}

// Services ---------------------------------------------------------------------------------------

static uint64_t mutex_address(struct trx *trx, uint64_t key)
{
    return object_address(trx, TYPE_MUTEX, key, "mutex");
}

static uint64_t queue_address(struct trx *trx, uint64_t channel)
{
    return object_address(trx, TYPE_QUEUE, channel * 0x20, "channel");
}

static void put_mutex_get(struct trx *trx, uint64_t key, const struct sim_thread *owner)
{
    put(trx, ID_MUTEX_GET, mutex_address(trx, key), FOREVER,
        owner != NULL ? thread_address(owner) : 0, owner != NULL);
}

static void put_mutex_put(struct trx *trx, uint64_t key)
{
    put(trx, ID_MUTEX_PUT, mutex_address(trx, key), thread_address(trx->event->context), 1,
        stack_pointer(trx));
}

static enum sim_written put_exit(struct trx *trx, const struct sim_event *event)
{
    if (event->code == SIM_C_TRACE_EVENT) {
        // tx_trace_enable leaves two, so that a buffer is never empty.
        put(trx, ID_RUNNING, 0, 0, 0, 0);
        put(trx, ID_RUNNING, 0, 0, 0, 0);
        return SIM_WRITTEN;
    }
    if (event->code == SIM_C_CONDVAR_WAIT) {
        put_mutex_get(trx, event->value[1], NULL);
        return SIM_WRITTEN;
    }
    return SIM_WRITTEN_NONE;
}

static enum sim_written put_call(struct trx *trx, const struct sim_event *event)
{
    const uint64_t *value = event->value;
    uint64_t sp = stack_pointer(trx);
    switch (event->code) {
    case SIM_C_MSG_SENDV:
    case SIM_C_MSG_SEND_PULSE:
        put(trx, ID_QUEUE_SEND, queue_address(trx, event->object), sp + 32, FOREVER, 0);
        break;
    case SIM_C_MSG_RECEIVEV:
        put(trx, ID_QUEUE_RECEIVE, queue_address(trx, event->object), sp + 32, FOREVER, 0);
        break;
    case SIM_C_QUEUE_SEND:
    case SIM_C_QUEUE_RECEIVE:
        put(trx, event->code == SIM_C_QUEUE_SEND ? ID_QUEUE_SEND : ID_QUEUE_RECEIVE,
            object_address(trx, TYPE_QUEUE, 0x8000 + value[0] % 0x4000, "queue"), sp + 32, FOREVER,
            value[1]);
        break;
    case SIM_C_MSG_REPLYV:
    case SIM_C_MSG_ERROR:
        put(trx, ID_FLAGS_SET, object_address(trx, TYPE_FLAGS, 0xffe0, "reply"), 1, 0, 1);
        break;
    case SIM_C_MUTEX_LOCK:
        put_mutex_get(trx, value[0], event->partner);
        break;
    case SIM_C_MUTEX_UNLOCK:
        put_mutex_put(trx, value[0]);
        break;
    case SIM_C_CONDVAR_WAIT:
        put_mutex_put(trx, value[1]);
        put(trx, ID_FLAGS_GET, object_address(trx, TYPE_FLAGS, value[0], "flags"), 1, 0, 1);
        break;
    case SIM_C_BARRIER_WAIT:
        put(trx, ID_FLAGS_GET, object_address(trx, TYPE_FLAGS, 0x4000 + value[0] % 0x4000, "meet"),
            1, 0, 0);
        break;
    case SIM_C_CONDVAR_SIGNAL:
        put(trx, ID_FLAGS_SET, object_address(trx, TYPE_FLAGS, value[0], "flags"), 1, 0, 1);
        break;
    case SIM_C_SEM_WAIT:
        put(trx, ID_SEMAPHORE_GET, object_address(trx, TYPE_SEMAPHORE, value[0], "semaphore"),
            FOREVER, value[2], sp);
        break;
    case SIM_C_SEM_POST:
        put(trx, ID_SEMAPHORE_PUT, object_address(trx, TYPE_SEMAPHORE, value[0], "semaphore"),
            value[1], value[1] == 0, sp);
        break;
    case SIM_C_INTERRUPT_WAIT:
        put(trx, ID_SEMAPHORE_GET,
            object_address(trx, TYPE_SEMAPHORE, 0x8000 + event->object * 0x20, "interrupt"),
            FOREVER, 0, sp);
        break;
    case SIM_C_TIMER_TIMEOUT:
        put(trx, ID_SLEEP, value[2] * 1000 + value[3] / 1000000 + 1, 0, sp, 0);
        break;
    case SIM_C_SCHED_SET:
        put(trx, ID_PRIORITY_CHANGE, thread_address(event->thread), threadx_priority(value[3]),
            threadx_priority(event->thread->priority), 0);
        break;
    case SIM_C_SCHED_YIELD:
        put(trx, ID_RELINQUISH, sp, trx->current[event->cpu], 0, 0);
        put_pending(trx, event->cpu);
        break;
    case SIM_C_CLOCK_TIME:
        put(trx, ID_TIME_GET, event->time / (trx->config.run->clock_hz / 1000), sp, 0, 0);
        break;
    default:
        return SIM_WRITTEN_NONE;
    }
    return SIM_WRITTEN;
}

// Interrupts, user events ------------------------------------------------------------------------

static void put_isr(struct trx *trx, const struct sim_event *event, uint32_t id)
{
    put(trx, id, 0x2000fc00u - 0x80u * trx->depth[event->cpu], event->code, trx->depth[event->cpu],
        0);
}

static enum sim_written put_interrupt(struct trx *trx, const struct sim_event *event)
{
    uint32_t *depth = &trx->depth[event->cpu];
    switch (event->kind) {
    case SIM_IRQ_ENTER:
        trx->counts.named[2].count++;
        trx->counts.named[3].count += *depth > 0;
        ++*depth;
        put_isr(trx, event, ID_ISR_ENTER);
        return SIM_WRITTEN;
    case SIM_IRQ_EXIT:
        if (*depth == 0)
            return SIM_WRITTEN_NONE;
        put_isr(trx, event, ID_ISR_EXIT);
        --*depth;
        return SIM_WRITTEN;
    case SIM_HANDLER_EXIT:
        if (event->value[0] == 0)
            return SIM_WRITTEN_NONE;
        put(trx, ID_SEMAPHORE_PUT,
            object_address(trx, TYPE_SEMAPHORE, 0x8000 + event->object * 0x20, "interrupt"), 0, 1,
            0x2000fb00u);
        return SIM_WRITTEN;
    default:
        return SIM_WRITTEN_NONE;
    }
}

static void put_user_text(struct trx *trx, const struct sim_event *event)
{
    uint64_t words[4] = {0};
    size_t length = strlen(event->text);
    for (size_t i = 0; i < 16 && i < length; i++)
        words[i / 4] |= (uint64_t)(uint8_t)event->text[i] << 8 * (i % 4);
    put(trx, ID_USER + event->code, words[0], words[1], words[2], words[3]);
}

static void thread_created(struct trx *trx, const struct sim_event *event)
{
    define_thread(trx, event->thread);
    if (event->flags & SIM_DUMP)
        return;
    put(trx, ID_THREAD_CREATE, thread_address(event->thread),
        threadx_priority(event->thread->priority), stack_start(event->thread), STACK_SIZE);
    put_resume(trx, event->thread, STATE_SUSPENDED);
}

static enum sim_written dispatch(struct trx *trx, const struct sim_event *event)
{
    trx->event = event;
    switch (event->kind) {
    case SIM_THREAD_CREATE:
        thread_created(trx, event);
        return event->flags & SIM_DUMP ? SIM_WRITTEN_NONE : SIM_WRITTEN;
    case SIM_THREAD_NAME:
        define_thread(trx, event->thread);
        return SIM_WRITTEN_NONE;
    case SIM_THREAD_DESTROY: {
        struct object *object = find_object(trx, TYPE_THREAD, thread_address(event->thread));
        if (object != NULL)
            object->available = 1;
        return SIM_WRITTEN_NONE;
    }
    case SIM_RUN:
        return put_switch(trx, event);
    case SIM_STATE:
        return put_state(trx, event);
    case SIM_PRIORITY:
        if (trx->next[event->thread->cpu] == thread_address(event->thread))
            trx->next_priority[event->thread->cpu] = (uint8_t)event->value[0];
        return SIM_WRITTEN_NONE;
    case SIM_CALL:
        return put_call(trx, event);
    case SIM_CALL_EXIT:
        return put_exit(trx, event);
    case SIM_TIME_SLICE:
        put(trx, ID_TIME_SLICE, trx->current[event->cpu], 1, 0, stack_pointer(trx));
        put_pending(trx, event->cpu);
        return SIM_WRITTEN;
    case SIM_USER:
        put(trx, ID_USER + event->code, event->value[0], event->value[1], 0, 0);
        return SIM_WRITTEN;
    case SIM_USER_TEXT:
        put_user_text(trx, event);
        return SIM_WRITTEN;
    default:
        return put_interrupt(trx, event);
    }
}

static enum sim_written trx_event(void *self, const struct sim_event *event)
{
    struct trx *trx = self;
    enum sim_written written = dispatch(trx, event);
    trx->heard++;
    return written;
}

// The file ---------------------------------------------------------------------------------------

struct image {
    struct trx *trx;
    uint32_t word; // bytes of a ULONG
};

static void store(const struct image *image, uint8_t *at, uint64_t value, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        at[image->trx->config.big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static void number(const struct image *image, uint64_t value, uint32_t size)
{
    store(image, sim_out_room(image->trx->out, size), value, size);
}

static void word(const struct image *image, uint64_t value)
{
    number(image, value, image->word);
}

static void write_entry(const struct image *image, const struct entry *entry)
{
    uint64_t words[8] = {entry->context, entry->priority, entry->id,      entry->time,
                         entry->info[0], entry->info[1],  entry->info[2], entry->info[3]};
    uint8_t *at = sim_out_room(image->trx->out, 8 * image->word);
    for (uint32_t i = 0; i < 8; i++)
        store(image, at + i * image->word, words[i], image->word);
}

static void pad(const struct image *image, uint32_t bytes)
{
    static const uint8_t zeros[8];
    sim_out_put(image->trx->out, zeros, bytes);
}

static void write_header(const struct image *image, uint32_t objects, uint32_t entries)
{
    const struct trx *trx = image->trx;
    uint32_t w = image->word;
    uint64_t registry = BASE + 12ull * w;
    uint64_t buffer = registry + (uint64_t)objects * (4 * w + NAME_SIZE);
    uint64_t ring = trx->config.ring_buffers;
    uint64_t oldest = trx->total % ring;
    word(image, 0x54585442u);
    word(image, trx->mask);
    word(image, BASE);
    word(image, registry);
    number(image, 0, 2);
    number(image, NAME_SIZE, 2);
    pad(image, w - 4);
    word(image, buffer);
    word(image, buffer);
    word(image, buffer + (uint64_t)entries * 8 * w);
    word(image, buffer + oldest * 8 * w);
    word(image, 0xaaaaaaaau);
    word(image, 0xbbbbbbbbu);
    word(image, 0xccccccccu);
}

static void write_object(const struct image *image, const struct object *object)
{
    bool thread = object->type == TYPE_THREAD;
    number(image, object->type == 0 ? 1 : object->available, 1);
    number(image, object->type, 1);
    number(image, thread ? 0x80u | object->priority >> 8 : 0, 1);
    number(image, thread ? object->priority & 0xff : 0, 1);
    pad(image, image->word - 4);
    word(image, object->address);
    word(image, object->parameter[0]);
    word(image, object->parameter[1]);
    sim_out_put(image->trx->out, object->name, NAME_SIZE);
}

static void write_image(struct trx *trx)
{
    const struct image image = {trx, trx->config.trx_64 ? 8 : 4};
    static const struct object empty;
    uint32_t objects = trx->object_count + 4; // a few slots that were never used
    write_header(&image, objects, trx->config.ring_buffers);
    for (uint32_t i = 0; i < objects; i++)
        write_object(&image, i < trx->object_count ? &trx->objects[i] : &empty);
    for (uint32_t i = 0; i < trx->config.ring_buffers; i++)
        write_entry(&image, &trx->ring[i]);
}

static void trx_free(struct trx *trx)
{
    free(trx->ring);
    free(trx->heard_at);
    free(trx);
}

static void *trx_open(const struct sim_write_config *config, struct sim_out *out, const char **why)
{
    static const char *const names[] = {"resumptions", "suspensions", "interrupts", "nested"};
    struct trx *trx = calloc(1, sizeof *trx);
    *why = "out of memory";
    if (trx == NULL)
        return NULL;
    trx->config = *config;
    trx->out = out;
    trx->mask = config->trx_bits == 32 ? 0xffffffffu : (1ull << config->trx_bits) - 1;
    trx->ring = calloc(config->ring_buffers, sizeof *trx->ring);
    if (config->dry)
        trx->heard_at = calloc(config->ring_buffers, sizeof *trx->heard_at);
    if (trx->ring == NULL || (config->dry && trx->heard_at == NULL)) {
        trx_free(trx);
        return NULL;
    }
    for (int i = 0; i < 4; i++)
        trx->counts.named[i].name = names[i];
    return trx;
}

static void trx_flush(void *self)
{
    (void)self; // the image exists when the run is over
}

// Counts what is left in a ring that was overwritten.
static void count_ring(const struct trx *trx, struct sim_counts *counts)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < 4; i++)
        counts->named[i].count = 0;
    for (uint64_t n = trx->total - trx->config.ring_buffers; n < trx->total; n++) {
        uint32_t id = trx->ring[n % trx->config.ring_buffers].id & 0xffff;
        counts->named[0].count += id == ID_RESUME;
        counts->named[1].count += id == ID_SUSPEND;
        counts->named[2].count += id == ID_ISR_ENTER;
        counts->named[3].count += id == ID_ISR_ENTER && open > 0;
        if (id == ID_ISR_ENTER)
            open++;
        else if (id == ID_ISR_EXIT && open > 0)
            open--;
    }
}

static void trx_close(void *self, struct sim_counts *counts)
{
    struct trx *trx = self;
    uint32_t ring = trx->config.ring_buffers;
    *counts = trx->counts;
    if (trx->total > ring) {
        count_ring(trx, counts);
        counts->events = counts->records = ring;
        if (trx->heard_at != NULL)
            counts->skip = trx->heard_at[trx->total % ring];
    }
    if (!trx->config.dry)
        write_image(trx);
    trx_free(trx);
}

static const struct sim_counts *trx_counts(const void *self)
{
    return &((const struct trx *)self)->counts;
}

// A thread leaves at its SUSPEND entry, or at the entry that has the next thread.
static const struct sim_view *trx_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {
        .leaves_at_switch = true,
        .names_outgoing = true,
        .at_records = true,
        .states = {[SIM_DEAD] = {SIM_DEAD, "COMPLETED", false},
                   [SIM_RUNNING] = {SIM_RUNNING, "RUNNING", false},
                   [SIM_READY] = {SIM_READY, "READY", false},
                   [SIM_SEND] = {SIM_REPLY, "QUEUE_SUSP", false},
                   [SIM_RECEIVE] = {SIM_REPLY, "QUEUE_SUSP", false},
                   [SIM_REPLY] = {SIM_REPLY, "QUEUE_SUSP", false},
                   [SIM_MQ_SEND] = {SIM_REPLY, "QUEUE_SUSP", false},
                   [SIM_MQ_RECEIVE] = {SIM_REPLY, "QUEUE_SUSP", false},
                   [SIM_WAITPAGE] = {SIM_WAITPAGE, "IO_DRIVER", false},
                   [SIM_SIGWAITINFO] = {SIM_CONDVAR, "EVENT_FLAG", false},
                   [SIM_CONDVAR] = {SIM_CONDVAR, "EVENT_FLAG", false},
                   [SIM_BARRIER] = {SIM_CONDVAR, "EVENT_FLAG", false},
                   [SIM_NANOSLEEP] = {SIM_NANOSLEEP, "SLEEP", false},
                   [SIM_MUTEX] = {SIM_MUTEX, "MUTEX_SUSP", false},
                   [SIM_RWLOCK_READ] = {SIM_MUTEX, "MUTEX_SUSP", false},
                   [SIM_RWLOCK_WRITE] = {SIM_MUTEX, "MUTEX_SUSP", false},
                   [SIM_INTR] = {SIM_SEM, "SEMAPHORE_SUSP", false},
                   [SIM_SEM] = {SIM_SEM, "SEMAPHORE_SUSP", false}},
        .other = {SIM_STOPPED, "SUSPENDED", false}};
    // On several a thread that another CPU displaces has no entry: the truth is the simulation's own.
    return config->run->cpus == 1 ? &view : NULL;
}

const struct sim_writer sim_writer_trx = {"trx",     true,      NULL,       trx_open, trx_event,
                                          trx_flush, trx_close, trx_counts, trx_view};
