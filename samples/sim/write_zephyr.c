// SPDX-License-Identifier: Apache-2.0
//
// write_zephyr: writes a run as a Zephyr trace in the Common Trace Format: a directory with the metadata of
// a release, and the stream as the target sends it.
//
// Mapping: a switch is thread_switched_out, then thread_switched_in. A thread that waits records what it
// waits for (X_blocking, k_sleep_enter) and that it is pending; a wake is thread_sched_ready in the context
// of the thread or the interrupt that wakes it, between the enter and the exit of the call that does it.
// Messages and pulses are message queues, barriers and signals are event objects, an interrupt that a thread
// waits for is a semaphore. A page fault is a wait without an object.
//
// A thread's id is the address of its control block, by slot.

#include "rng.h"
#include "writer.h"
#include "zephyr_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_AT = 0x20010000, THREAD_SIZE = 0x100, NAME = 20, RECORD_MAX = 64, GROUP = 256 };
enum { PACKET = 1024, CPU_CONTEXT = 37, RAM_CONTEXT = 36 };
#define FOREVER UINT32_C(0xffffd8f0) // -10000 us: one tick before zero

struct zephyr_stream {
    struct sim_out out;
    uint8_t packet[PACKET];
    uint32_t used; // context included; 0: it has not begun
    uint64_t begin, time;
    uint64_t packets, records; // begun so far; records in the current one
    uint64_t discarded;
    bool is_lost;
};

struct zephyr_cpu {
    uint64_t timer; // that expires; 0: none
    uint64_t given; // the semaphore that the handler gives; 0: none
    uint32_t depth;
};

struct zephyr {
    struct sim_write_config config;
    const struct zephyr_release *release;
    struct sim_out *out; // the metadata
    struct sim_counts counts;
    struct zephyr_cpu cpu[SIM_CPU_MAX];
    uint64_t *objects;             // of the call that a thread is in, by slot
    struct zephyr_stream *streams; // one of each CPU with ZEPHYR_CPU and ZEPHYR_LINK, else one
    struct ftrace_text ram;        // packets of ZEPHYR_RAM, one after the other
    const struct sim_event *event; // the current one
    bool failed;
};

// Packets ----------------------------------------------------------------------------------------

static void store(uint8_t *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

static struct zephyr_stream *stream_of(struct zephyr *zephyr)
{
    bool by_cpu = zephyr->release->packets == ZEPHYR_CPU || zephyr->release->packets == ZEPHYR_LINK;
    return &zephyr->streams[by_cpu ? zephyr->event->cpu : 0];
}

// The packets of one link go to the first stream.
static struct sim_out *out_of(struct zephyr *zephyr, struct zephyr_stream *stream)
{
    return zephyr->release->packets == ZEPHYR_LINK ? &zephyr->streams->out : &stream->out;
}

static void put_context(struct zephyr *zephyr, struct zephyr_stream *stream)
{
    uint8_t *at = stream->packet;
    bool ram = zephyr->release->packets == ZEPHYR_RAM;
    store(at, 0xc1fc1fc1, 4);
    at += ram ? 4 : 8; // one stream block: its number is 0
    store(at, stream->begin, 8);
    store(at + 8, stream->time, 8);
    store(at + 16, 8 * (uint64_t)stream->used, 4);
    store(at + 20, 8 * PACKET, 4);
    store(at + 24, ram ? stream->packets : stream->discarded, ram ? 8 : 4);
    if (!ram)
        at[28] = (uint8_t)(stream - zephyr->streams);
}

static void end_packet(struct zephyr *zephyr, struct zephyr_stream *stream)
{
    if (stream->records == 0 || zephyr->release->packets == ZEPHYR_PLAIN)
        return;
    if (stream->is_lost) {
        zephyr->counts.lost += stream->records;
        zephyr->counts.lost_buffers++;
        stream->discarded += stream->records;
    } else {
        put_context(zephyr, stream);
        if (zephyr->release->packets == ZEPHYR_RAM)
            ftrace_text_add(&zephyr->ram, stream->packet, PACKET);
        else if (!zephyr->config.dry)
            sim_out_put(out_of(zephyr, stream), stream->packet, PACKET);
    }
    memset(stream->packet, 0, PACKET);
    stream->used = 0;
    stream->records = 0;
}

// Makes room for the records of one event of the engine. Returns whether they are lost.
static bool room(struct zephyr *zephyr)
{
    struct zephyr_stream *stream = stream_of(zephyr);
    uint32_t lose = zephyr->config.lose;
    if (zephyr->release->packets == ZEPHYR_PLAIN)
        return false;
    if (stream->used != 0 && PACKET - stream->used < GROUP)
        end_packet(zephyr, stream);
    if (stream->used == 0) {
        uint64_t number = stream->packets++ * SIM_CPU_MAX + (uint64_t)(stream - zephyr->streams);
        stream->is_lost = lose != 0 && zephyr->release->packets != ZEPHYR_RAM &&
                          stream->packets > 8 &&
                          sim_mix(number ^ zephyr->config.run->seed) % lose == 0;
        stream->used = zephyr->release->packets == ZEPHYR_RAM ? RAM_CONTEXT : CPU_CONTEXT;
    }
    return stream->is_lost;
}

// Records ----------------------------------------------------------------------------------------

static uint32_t thread_address(const struct sim_thread *thread)
{
    return THREADS_AT + THREAD_SIZE * thread->index;
}

static void name_of(char *name, const struct sim_thread *thread)
{
    const char *from = thread->name[0] != '\0' ? thread->name : thread->process->name;
    memset(name, 0, NAME);
    if (thread->idle)
        snprintf(name, NAME, "idle %02u", (unsigned)(thread->cpu % 100));
    else
        for (size_t i = 0; i + 1 < NAME && from[i] != '\0'; i++)
            name[i] = from[i];
}

// The fields of a record; those that its layout lacks are ignored.
struct fields {
    const struct sim_thread *thread;
    uint64_t id, timeout, arg0, arg1;
    int8_t prio;
    const char *name;
};

static uint32_t put_field(uint8_t *to, char field, const struct fields *fields)
{
    char name[NAME] = "";
    switch (field) {
    case 'T':
        store(to, thread_address(fields->thread), 4);
        name_of(name, fields->thread);
        memcpy(to + 4, name, NAME);
        return 4 + NAME;
    case 'n':
        if (fields->name != NULL)
            snprintf(name, NAME, "%s", fields->name);
        else
            name_of(name, fields->thread);
        memcpy(to, name, NAME);
        return NAME;
    case 'j':
        store(to, fields->thread != NULL ? thread_address(fields->thread) : fields->id, 4);
        return 4;
    case 'p':
        store(to, (uint8_t)fields->prio, 1);
        return 1;
    case 'b':
        store(to, 0x20100000 + 0x1000u * fields->thread->index, 4);
        store(to + 4, 0x1000, 4);
        return 8;
    case 'o':
        store(to, fields->timeout, 4);
        return 4;
    case 'v':
        store(to, 1, 4);
        return 4;
    case 'a':
        store(to, fields->arg0, 4);
        return 4;
    case 'c':
        store(to, fields->arg1, 4);
        return 4;
    case 'r':
        store(to, 0, 4);
        return 4;
    default:
        store(to, fields->id, 4);
        return 4;
    }
}

// Returns whether the release records the event.
static bool put(struct zephyr *zephyr, enum zephyr_event event, const struct fields *fields)
{
    const struct zephyr_release *release = zephyr->release;
    struct zephyr_stream *stream = stream_of(zephyr);
    uint8_t record[RECORD_MAX];
    uint32_t used = (uint32_t)release->time_bytes + release->id_bytes;
    if (event == ZEPHYR_NONE || !zephyr_has(release, event))
        return false;
    const struct zephyr_layout *layout = zephyr_layout_of(event);
    store(record, zephyr->event->time, release->time_bytes);
    store(record + release->time_bytes, layout->id, release->id_bytes);
    for (const char *field = layout->fields; *field != '\0'; field++)
        used += put_field(record + used, *field, fields);
    if (release->core_id) {
        store(record + used, zephyr->event->cpu, 4);
        used += 4;
    }
    if (stream->records++ == 0)
        stream->begin = zephyr->event->time;
    stream->time = zephyr->event->time;
    if (release->packets != ZEPHYR_PLAIN) {
        memcpy(stream->packet + stream->used, record, used);
        stream->used += used;
    } else if (!zephyr->config.dry) {
        sim_out_put(&stream->out, record, used);
    }
    if (!stream->is_lost) {
        zephyr->counts.events++;
        zephyr->counts.records++;
    }
    return true;
}

static void put_thread(struct zephyr *zephyr, enum zephyr_event event,
                       const struct sim_thread *thread)
{
    put(zephyr, event, &(struct fields){.thread = thread});
}

static bool put_object(struct zephyr *zephyr, enum zephyr_event event, uint64_t id)
{
    return put(zephyr, event, &(struct fields){.id = id, .timeout = FOREVER});
}

// Calls ------------------------------------------------------------------------------------------

// The events of a kernel call. A wait without an event of its own begins with `enter`.
struct service {
    uint8_t enter, blocking, exit;
};

static struct service service_of(uint32_t code)
{
    static const struct service take = {ZEPHYR_SEM_TAKE_ENTER, ZEPHYR_SEM_TAKE_BLOCKING,
                                        ZEPHYR_SEM_TAKE_EXIT},
                                give = {ZEPHYR_SEM_GIVE_ENTER, ZEPHYR_NONE, ZEPHYR_SEM_GIVE_EXIT},
                                queue_put = {ZEPHYR_PUT_ENTER, ZEPHYR_PUT_BLOCKING,
                                             ZEPHYR_PUT_EXIT},
                                queue_get = {ZEPHYR_GET_ENTER, ZEPHYR_GET_BLOCKING,
                                             ZEPHYR_GET_EXIT},
                                event_wait = {ZEPHYR_EVENT_WAIT_ENTER, ZEPHYR_EVENT_WAIT_BLOCKING,
                                              ZEPHYR_EVENT_WAIT_EXIT},
                                none = {ZEPHYR_NONE, ZEPHYR_NONE, ZEPHYR_NONE};
    switch (code) {
    case SIM_C_SEM_WAIT:
    case SIM_C_INTERRUPT_WAIT:
        return take;
    case SIM_C_SEM_POST:
        return give;
    case SIM_C_MUTEX_LOCK:
        return (struct service){ZEPHYR_MUTEX_LOCK_ENTER, ZEPHYR_MUTEX_LOCK_BLOCKING,
                                ZEPHYR_MUTEX_LOCK_EXIT};
    case SIM_C_MUTEX_UNLOCK:
        return (struct service){ZEPHYR_MUTEX_UNLOCK_ENTER, ZEPHYR_NONE, ZEPHYR_MUTEX_UNLOCK_EXIT};
    case SIM_C_MSG_SENDV:
    case SIM_C_MSG_SEND_PULSE:
    case SIM_C_MSG_REPLYV:
    case SIM_C_MSG_ERROR:
    case SIM_C_QUEUE_SEND:
        return queue_put;
    case SIM_C_MSG_RECEIVEV:
    case SIM_C_QUEUE_RECEIVE:
        return queue_get;
    case SIM_C_CONDVAR_SIGNAL:
        return (struct service){ZEPHYR_SIGNAL_ENTER, ZEPHYR_NONE, ZEPHYR_SIGNAL_EXIT};
    case SIM_C_CONDVAR_WAIT: // its enter is recorded where it waits
        return (struct service){ZEPHYR_NONE, ZEPHYR_WAIT_ENTER, ZEPHYR_WAIT_EXIT};
    case SIM_C_TIMER_TIMEOUT:
        return (struct service){ZEPHYR_NONE, ZEPHYR_SLEEP_ENTER, ZEPHYR_SLEEP_EXIT};
    case SIM_C_BARRIER_WAIT:
    case SIM_C_SIGNAL_WAITINFO:
        return event_wait;
    case SIM_C_SIGNAL_KILL:
        return (struct service){ZEPHYR_EVENT_POST_ENTER, ZEPHYR_NONE, ZEPHYR_EVENT_POST_EXIT};
    case SIM_C_THREAD_JOIN:
        return (struct service){ZEPHYR_JOIN_ENTER, ZEPHYR_JOIN_BLOCKING, ZEPHYR_JOIN_EXIT};
    default:
        return none;
    }
}

// Returns the address of the object of a call; a reply goes to the queue of its client.
static uint64_t object_of(const struct sim_event *event)
{
    switch (event->code) {
    case SIM_C_INTERRUPT_WAIT:
        return 0x20004000 + 0x20u * event->object;
    case SIM_C_MSG_SENDV:
    case SIM_C_MSG_SEND_PULSE:
    case SIM_C_MSG_RECEIVEV:
        return 0x20008000 + 0x40u * event->object;
    case SIM_C_MSG_REPLYV:
    case SIM_C_MSG_ERROR:
        return 0x2000c000;
    case SIM_C_SIGNAL_KILL:
    case SIM_C_SIGNAL_WAITINFO:
        return 0x2000e000;
    case SIM_C_THREAD_JOIN:
        return event->value[0];
    default:
        return event->value[0] & UINT32_MAX;
    }
}

static enum sim_written put_call(struct zephyr *zephyr, const struct sim_event *event)
{
    struct service service = service_of(event->code);
    bool enters = event->kind == SIM_CALL, recorded = false;
    if (event->code == SIM_C_SCHED_YIELD && enters)
        recorded = put(zephyr, ZEPHYR_YIELD, &(struct fields){0});
    if (event->code == SIM_C_SCHED_SET && enters)
        recorded =
            put(zephyr, ZEPHYR_PRIORITY_SET,
                &(struct fields){.thread = event->thread, .prio = (int8_t)(100 - event->value[3])});
    if (enters)
        zephyr->objects[event->thread->index] = object_of(event);
    recorded |= put_object(zephyr, (enum zephyr_event)(enters ? service.enter : service.exit),
                           zephyr->objects[event->thread->index]);
    if (enters &&
        event->flags & SIM_USERLAND) // a mutex without contention: Zephyr's kernel records it
        put_object(zephyr, (enum zephyr_event)service.exit, object_of(event));
    return recorded ? SIM_WRITTEN : SIM_WRITTEN_NONE;
}

// Scheduling -------------------------------------------------------------------------------------

static enum sim_written put_switch(struct zephyr *zephyr, const struct sim_event *event)
{
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    put_thread(zephyr, ZEPHYR_SWITCHED_OUT, event->partner);
    put_thread(zephyr, ZEPHYR_SWITCHED_IN, event->thread);
    if (event->thread->idle)
        put(zephyr, ZEPHYR_IDLE, &(struct fields){0});
    return SIM_WRITTEN;
}

// Returns the event that begins a wait in a state.
static enum zephyr_event blocking_of(uint32_t state)
{
    static const uint8_t events[SIM_STATES] = {
        [SIM_SEND] = ZEPHYR_PUT_BLOCKING,           [SIM_REPLY] = ZEPHYR_PUT_BLOCKING,
        [SIM_MQ_SEND] = ZEPHYR_PUT_BLOCKING,        [SIM_RECEIVE] = ZEPHYR_GET_BLOCKING,
        [SIM_MQ_RECEIVE] = ZEPHYR_GET_BLOCKING,     [SIM_SIGWAITINFO] = ZEPHYR_EVENT_WAIT_BLOCKING,
        [SIM_BARRIER] = ZEPHYR_EVENT_WAIT_BLOCKING, [SIM_NANOSLEEP] = ZEPHYR_SLEEP_ENTER,
        [SIM_MUTEX] = ZEPHYR_MUTEX_LOCK_BLOCKING,   [SIM_CONDVAR] = ZEPHYR_WAIT_ENTER,
        [SIM_SEM] = ZEPHYR_SEM_TAKE_BLOCKING,       [SIM_INTR] = ZEPHYR_SEM_TAKE_BLOCKING,
        [SIM_JOIN] = ZEPHYR_JOIN_BLOCKING};
    return events[state] != 0 ? (enum zephyr_event)events[state] : ZEPHYR_NONE;
}

// A timer's expiry and the handler's call end after the wake that they make.
static void end_context(struct zephyr *zephyr)
{
    struct zephyr_cpu *cpu = &zephyr->cpu[zephyr->event->cpu];
    if (cpu->timer != 0)
        put_object(zephyr, ZEPHYR_EXPIRY_EXIT, cpu->timer);
    if (cpu->given != 0)
        put_object(zephyr, ZEPHYR_SEM_GIVE_EXIT, cpu->given);
    cpu->timer = cpu->given = 0;
}

static enum sim_written put_state(struct zephyr *zephyr, const struct sim_event *event)
{
    bool wakes =
        event->code == SIM_READY && event->value[0] != SIM_RUNNING && event->value[0] != SIM_READY;
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    if (wakes) {
        put_thread(zephyr, ZEPHYR_SCHED_READY, event->thread);
        end_context(zephyr);
        return zephyr->release->old ? SIM_WRITTEN_NONE : SIM_WRITTEN;
    }
    if (event->code <= SIM_READY || event->thread != event->context)
        return SIM_WRITTEN_NONE;
    if (event->code == SIM_STOPPED) {
        put_thread(zephyr, ZEPHYR_SUSPEND, event->thread);
        return SIM_WRITTEN;
    }
    put(zephyr, blocking_of(event->code),
        &(struct fields){.id = event->code == SIM_MUTEX ? event->value[0] & UINT32_MAX
                                                        : zephyr->objects[event->thread->index],
                         .timeout = FOREVER});
    if (event->code != SIM_NANOSLEEP)
        put_thread(zephyr, ZEPHYR_SCHED_PEND, event->thread);
    return SIM_WRITTEN;
}

static enum sim_written put_create(struct zephyr *zephyr, const struct sim_event *event)
{
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    put_thread(zephyr, ZEPHYR_CREATE, event->thread);
    put_thread(zephyr, ZEPHYR_INFO, event->thread);
    put_thread(zephyr, ZEPHYR_SCHED_READY, event->thread);
    return SIM_WRITTEN;
}

static enum sim_written put_priority(struct zephyr *zephyr, const struct sim_event *event)
{
    put(zephyr, ZEPHYR_SCHED_PRIORITY_SET,
        &(struct fields){.thread = event->thread, .prio = (int8_t)(100 - event->value[0])});
    return zephyr->release->old ? SIM_WRITTEN_NONE : SIM_WRITTEN;
}

// Interrupts -------------------------------------------------------------------------------------

static enum sim_written put_interrupt(struct zephyr *zephyr, const struct sim_event *event)
{
    struct zephyr_cpu *cpu = &zephyr->cpu[event->cpu];
    bool enters = event->kind == SIM_IRQ_ENTER;
    if (!enters && cpu->depth == 0)
        return SIM_WRITTEN_NONE;
    if (!enters)
        end_context(zephyr);
    cpu->depth += enters ? 1u : UINT32_MAX;
    put(zephyr, enters ? ZEPHYR_ISR_ENTER : ZEPHYR_ISR_EXIT, &(struct fields){0});
    return SIM_WRITTEN;
}

static enum sim_written put_handler_end(struct zephyr *zephyr, const struct sim_event *event)
{
    struct zephyr_cpu *cpu = &zephyr->cpu[event->cpu];
    if (event->value[0] == 0 || cpu->depth == 0)
        return SIM_WRITTEN_NONE;
    end_context(zephyr);
    cpu->given = 0x20004000 + 0x20u * event->object;
    put_object(zephyr, ZEPHYR_SEM_GIVE_ENTER, cpu->given);
    return SIM_WRITTEN;
}

static enum sim_written put_timer(struct zephyr *zephyr, const struct sim_event *event)
{
    struct zephyr_cpu *cpu = &zephyr->cpu[event->cpu];
    if (cpu->depth == 0 || !zephyr_has(zephyr->release, ZEPHYR_EXPIRY_ENTER))
        return SIM_WRITTEN_NONE;
    end_context(zephyr);
    cpu->timer = thread_address(event->thread) + 0x40;
    put_object(zephyr, ZEPHYR_EXPIRY_ENTER, cpu->timer);
    return SIM_WRITTEN;
}

static enum sim_written put_note(struct zephyr *zephyr, const struct sim_event *event)
{
    put(zephyr, ZEPHYR_NAMED,
        &(struct fields){.name = event->kind == SIM_USER ? "progress" : event->text,
                         .arg0 = event->kind == SIM_USER ? event->value[0] : event->code,
                         .arg1 = event->code});
    return zephyr->release->old ? SIM_WRITTEN_NONE : SIM_WRITTEN;
}

static enum sim_written dispatch(struct zephyr *zephyr, const struct sim_event *event)
{
    switch (event->kind) {
    case SIM_RUN:
        return put_switch(zephyr, event);
    case SIM_STATE:
        return put_state(zephyr, event);
    case SIM_PRIORITY:
        return put_priority(zephyr, event);
    case SIM_THREAD_CREATE:
        return put_create(zephyr, event);
    case SIM_THREAD_NAME:
        if (event->flags & SIM_DUMP)
            return SIM_WRITTEN_NONE;
        put_thread(zephyr, ZEPHYR_NAME_SET, event->thread);
        return SIM_WRITTEN;
    case SIM_THREAD_DESTROY:
        put_thread(zephyr, ZEPHYR_ABORT, event->thread);
        return SIM_WRITTEN;
    case SIM_CALL:
    case SIM_CALL_EXIT:
        return put_call(zephyr, event);
    case SIM_IRQ_ENTER:
    case SIM_IRQ_EXIT:
        return put_interrupt(zephyr, event);
    case SIM_HANDLER_EXIT:
        return put_handler_end(zephyr, event);
    case SIM_SYS_TIMER:
        return put_timer(zephyr, event);
    case SIM_USER:
    case SIM_USER_TEXT:
        return put_note(zephyr, event);
    default:
        return SIM_WRITTEN_NONE;
    }
}

static enum sim_written zephyr_event(void *self, const struct sim_event *event)
{
    struct zephyr *zephyr = self;
    zephyr->event = event;
    bool is_lost = room(zephyr);
    enum sim_written written = dispatch(zephyr, event);
    return written == SIM_WRITTEN && is_lost ? SIM_WRITTEN_LOST : written;
}

// The capture ------------------------------------------------------------------------------------

static uint32_t stream_count(const struct zephyr *zephyr)
{
    bool by_cpu = zephyr->release->packets == ZEPHYR_CPU || zephyr->release->packets == ZEPHYR_LINK;
    return by_cpu ? zephyr->config.run->cpus : 1;
}

static void zephyr_free(struct zephyr *zephyr)
{
    for (uint32_t i = 0; zephyr->streams != NULL && i < stream_count(zephyr); i++)
        if (zephyr->streams[i].out.block != NULL && !sim_out_close(&zephyr->streams[i].out) &&
            zephyr->out->error == 0)
            zephyr->out->error = zephyr->streams[i].out.error;
    ftrace_text_free(&zephyr->ram);
    free(zephyr->streams);
    free(zephyr->objects);
    free(zephyr);
}

static bool open_streams(struct zephyr *zephyr)
{
    uint32_t files = zephyr->release->packets == ZEPHYR_CPU ? zephyr->config.run->cpus : 1;
    zephyr->streams = calloc(stream_count(zephyr), sizeof *zephyr->streams);
    zephyr->objects = calloc(zephyr->config.thread_slots, sizeof *zephyr->objects);
    if (zephyr->streams == NULL || zephyr->objects == NULL)
        return false;
    for (uint32_t i = 0; i < files && !zephyr->config.dry; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/channel0_%u", zephyr->config.directory, i);
        if (!sim_out_open(&zephyr->streams[i].out, path))
            return false;
    }
    return true;
}

static void *zephyr_open(const struct sim_write_config *config, struct sim_out *out,
                         const char **why)
{
    struct zephyr *zephyr = calloc(1, sizeof *zephyr);
    *why = "out of memory";
    if (zephyr == NULL)
        return NULL;
    zephyr->config = *config;
    zephyr->out = out;
    zephyr->release = zephyr_release_find(config->zephyr_release);
    *why = "--zephyr-release: 3.5, 4.3, 4.4, 4.5, smp, cpu, link or ram";
    if (zephyr->release == NULL) {
        free(zephyr);
        return NULL;
    }
    *why = "out of memory, or the files of the directory are not writable";
    if (!open_streams(zephyr)) {
        zephyr_free(zephyr);
        return NULL;
    }
    struct ftrace_text text = {0};
    zephyr_metadata(zephyr->release, &text);
    if (!config->dry)
        for (size_t at = 0; at < text.used; at += 4096)
            sim_out_put(out, text.bytes + at, text.used - at < 4096 ? text.used - at : 4096);
    ftrace_text_free(&text);
    return zephyr;
}

static void zephyr_flush(void *self)
{
    struct zephyr *zephyr = self;
    for (uint32_t i = 0; i < stream_count(zephyr); i++)
        if (zephyr->streams[i].out.block != NULL)
            sim_out_flush(&zephyr->streams[i].out);
}

// The slots of a RAM buffer: the packets begin in its middle, and two slots were never used.
static void write_ram(struct zephyr *zephyr)
{
    size_t packets = zephyr->ram.used / PACKET, slots = packets + 2, first = slots / 3;
    uint8_t unused[PACKET] = {0};
    store(unused, 0xc1fc1fc1, 4);
    store(unused + 20, 8 * RAM_CONTEXT, 4);
    store(unused + 24, 8 * PACKET, 4);
    for (size_t slot = 0; slot < slots && !zephyr->config.dry; slot++) {
        size_t number = (slot + slots - first) % slots;
        sim_out_put(&zephyr->streams->out,
                    number < packets ? (const void *)(zephyr->ram.bytes + number * PACKET) : unused,
                    PACKET);
    }
}

static void zephyr_close(void *self, struct sim_counts *counts)
{
    struct zephyr *zephyr = self;
    for (uint32_t i = 0; i < stream_count(zephyr); i++)
        end_packet(zephyr, &zephyr->streams[i]);
    if (zephyr->release->packets == ZEPHYR_RAM)
        write_ram(zephyr);
    *counts = zephyr->counts;
    zephyr_free(zephyr);
}

static const struct sim_counts *zephyr_counts(const void *self)
{
    return &((const struct zephyr *)self)->counts;
}

static const struct sim_view *zephyr_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {
        .leaves_at_switch = true,
        .names_outgoing = true,
        .created_ready = true,
        .cpu_streams = true,
        .leaves_by_reason = true,
        .states = {[SIM_DEAD] = {SIM_DEAD, "dead", false},
                   [SIM_RUNNING] = {SIM_RUNNING, "running", false},
                   [SIM_READY] = {SIM_READY, "ready", false},
                   [SIM_STOPPED] = {SIM_STOPPED, "suspended", false},
                   [SIM_SEND] = {SIM_REPLY, "queue", false},
                   [SIM_RECEIVE] = {SIM_REPLY, "queue", false},
                   [SIM_REPLY] = {SIM_REPLY, "queue", false},
                   [SIM_MQ_SEND] = {SIM_REPLY, "queue", false},
                   [SIM_MQ_RECEIVE] = {SIM_REPLY, "queue", false},
                   [SIM_NANOSLEEP] = {SIM_NANOSLEEP, "sleep", false},
                   [SIM_MUTEX] = {SIM_MUTEX, "mutex", false},
                   [SIM_CONDVAR] = {SIM_CONDVAR, "condvar", false},
                   [SIM_SEM] = {SIM_SEM, "semaphore", false},
                   [SIM_INTR] = {SIM_SEM, "semaphore", false},
                   [SIM_SIGWAITINFO] = {SIM_BARRIER, "event", false},
                   [SIM_BARRIER] = {SIM_BARRIER, "event", false},
                   [SIM_JOIN] = {SIM_JOIN, "join", false}},
        .other = {SIM_SIGSUSPEND, "pending", false}};
    (void)config;
    return &view;
}

const struct sim_writer sim_writer_zephyr = {"zephyr",     false,         "metadata",
                                             zephyr_open,  zephyr_event,  zephyr_flush,
                                             zephyr_close, zephyr_counts, zephyr_view};
