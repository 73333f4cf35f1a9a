// SPDX-License-Identifier: Apache-2.0
//
// write_kev: writes a run as a QNX kernel event trace (.kev), like tracelogger.
//
//     text header, no separators | system page | buffer | buffer | ...
//     buffer (6.4, 7.1):  BUFFER slot, then slots of all CPUs
//     buffer (8.0):       TIME, BUFFER, slots of one CPU, BUFFER_END
//     slot: header word, low half of the clock, two payload words
//
// Losses: a buffer to be lost is selected when it is opened, so that whether an event is lost is
// known at once. Events are then in one buffer; otherwise they may straddle two, up to 7.1.
// Document: QNX Neutrino System Analysis Toolkit guide; the layouts of the header, the system page
// and the slots as in the public QNX headers.

#include "kev_calls.h"
#include "kev_header.h"
#include "writer.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLASS_CONTROL = 1,
    CLASS_CALL = 2,
    CLASS_INT = 3,
    CLASS_THREAD = 4,
    CLASS_SYSTEM = 5,
    CLASS_USER = 6,
    CLASS_COMM = 7,
    CLASS_QVM = 10
};
enum { CONTROL_TIME = 1, CONTROL_BUFFER = 2, CONTROL_BUFFER_END = 4, CONTROL_DROPPED = 8 };
enum { THREAD_CREATE = 24, THREAD_DESTROY = 25 };
enum { PROC_CREATE = 64, PROC_DESTROY = 128, PROC_CREATE_NAME = 192, PROC_THREAD_NAME = 320 };
enum { CALL_64 = 0x200, CALL_EXIT = 128 };
enum { BUFFER_ROOM = 1024, WORDS_MAX = 48, COOKIE = (int)0xe6e6e6e6 };

struct buffer {
    uint8_t *slots;
    uint32_t used;     // slots
    uint32_t sequence; // of this buffer, as if none were dropped
    uint32_t dropped;  // buffers before it, and not numbered: kev_dropped
    uint32_t missing;  // events in the latest of them, until a DROPPED event
    uint32_t at;       // slot of its BUFFER event
    bool open, lost;
};

// A combine event whose first slots are written and whose rest is held back for a while.
struct held {
    uint32_t header, cpu;
    uint32_t slots, next; // next < slots: there is a rest
    uint64_t time;
    uint32_t word[WORDS_MAX];
};

struct kev {
    struct sim_write_config config;
    struct sim_out *out;
    struct sim_counts counts;
    enum sim_model model;
    uint32_t limit;   // slots in a buffer
    uint32_t buffers; // 1, or one a CPU
    struct buffer buffer[SIM_CPU_MAX];
    bool needs_time[SIM_CPU_MAX];
    uint64_t last_time[SIM_CPU_MAX];
    uint64_t engine_events; // received so far
    uint64_t *firsts;       // dry: engine event that opened each of the last buffers
    uint64_t opened;
    bool ended;          // the last buffer is being handed over
    struct held present; // the event under construction
    uint32_t words;
    struct held held;
};

// Slots ------------------------------------------------------------------------------------------

static void put_word(const struct kev *kev, uint8_t *at, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (kev->config.big_endian)
        word = __builtin_bswap32(word);
#else
    if (!kev->config.big_endian)
        word = __builtin_bswap32(word);
#endif
    memcpy(at, &word, 4);
}

static void put_slot(struct kev *kev, struct buffer *buffer, uint32_t header, uint64_t time,
                     uint32_t first, uint32_t second)
{
    uint8_t *slot = buffer->slots + 16 * buffer->used++;
    put_word(kev, slot, header);
    put_word(kev, slot + 4, (uint32_t)time);
    put_word(kev, slot + 8, first);
    put_word(kev, slot + 12, second);
}

static uint32_t control(uint32_t cpu, uint32_t event)
{
    return cpu << 24 | CLASS_CONTROL << 10 | event;
}

static void count_event(struct kev *kev, struct buffer *buffer, uint32_t class)
{
    if (buffer->lost) {
        kev->counts.lost++;
        buffer->missing++;
        return;
    }
    kev->counts.events++;
    kev->counts.classes[class]++;
}

static void hand_over(struct kev *kev, struct buffer *buffer, uint64_t time, uint32_t cpu)
{
    if (!buffer->open)
        return;
    if (kev->model == SIM_QNX80) {
        put_slot(kev, buffer, control(cpu, CONTROL_BUFFER_END), time, (uint32_t)COOKIE,
                 (uint32_t)COOKIE);
        count_event(kev, buffer, CLASS_CONTROL);
    }
    // In ring mode only the last buffer is flushed normally: the others have a count of 0.
    uint32_t count = kev->config.ring && !kev->ended && kev->model != SIM_QNX80 ? 0 : buffer->used;
    put_word(kev, buffer->slots + 16 * buffer->at + 12, count);
    if (buffer->lost) {
        kev->counts.lost_buffers++;
        buffer->dropped++;
    } else {
        kev->counts.records += buffer->used;
        if (kev->model == SIM_QNX80 && time > kev->counts.last)
            kev->counts.last = time;
        if (!kev->config.dry)
            sim_out_put(kev->out, buffer->slots, 16u * (size_t)buffer->used);
    }
    buffer->open = false;
}

static bool is_lost(const struct kev *kev, const struct buffer *buffer, uint32_t cpu)
{
    // Never one of the first: they have the names.
    return kev->config.lose != 0 && kev->opened > 8 &&
           sim_mix(kev->config.run->seed ^ ((uint64_t)cpu << 32 | buffer->sequence)) %
                   kev->config.lose ==
               0;
}

// Returns the clock of a TIME event: a little before the time of its slot.
static void put_time(struct kev *kev, struct buffer *buffer, uint64_t time, uint32_t cpu)
{
    uint64_t read = time > 40 ? time - time % 37 : time;
    if (read <= kev->last_time[cpu])
        read = time;
    put_slot(kev, buffer, control(cpu, CONTROL_TIME), time, (uint32_t)(read >> 32), (uint32_t)read);
    count_event(kev, buffer, CLASS_CONTROL);
    kev->needs_time[cpu] = false;
    kev->last_time[cpu] = time;
}

// The kernel had no free buffer in the ring of the CPU and discarded its events.
static void put_dropped(struct kev *kev, struct buffer *buffer, uint64_t time, uint32_t cpu)
{
    put_slot(kev, buffer, control(cpu, CONTROL_DROPPED), time, buffer->missing, 0);
    count_event(kev, buffer, CLASS_CONTROL);
    buffer->missing = 0;
}

static void open_buffer(struct kev *kev, struct buffer *buffer, uint64_t time, uint32_t cpu)
{
    bool per_cpu = kev->model == SIM_QNX80;
    if (kev->firsts != NULL)
        kev->firsts[kev->opened % kev->config.ring_buffers] = kev->engine_events;
    kev->opened++;
    buffer->open = true;
    buffer->used = 0;
    buffer->sequence++;
    buffer->lost = is_lost(kev, buffer, cpu);
    bool drops = per_cpu && kev->config.kev_dropped;
    if (drops && !buffer->lost && buffer->missing > 0)
        put_dropped(kev, buffer, time, cpu);
    if (per_cpu)
        put_time(kev, buffer, time, cpu);
    else
        memset(kev->needs_time, 1, sizeof kev->needs_time);
    buffer->at = buffer->used;
    put_slot(kev, buffer, control(cpu, CONTROL_BUFFER), time,
             buffer->sequence - (drops ? buffer->dropped : 0), 0);
    count_event(kev, buffer, CLASS_CONTROL);
}

static struct buffer *buffer_of(struct kev *kev, uint32_t cpu)
{
    return &kev->buffer[kev->model == SIM_QNX80 ? cpu : 0];
}

static uint32_t room_in(const struct kev *kev, const struct buffer *buffer)
{
    uint32_t end = kev->model == SIM_QNX80 ? 1 : 0;
    return buffer->open ? kev->limit - end - buffer->used : 0;
}

// Returns a buffer in which an event of `slots` slots may begin. With losses and in rings an event
// is in one buffer; otherwise it may continue in the next buffer, as in real captures.
static struct buffer *buffer_for(struct kev *kev, uint64_t time, uint32_t cpu, uint32_t slots)
{
    struct buffer *buffer = buffer_of(kev, cpu);
    bool whole = kev->model == SIM_QNX80 || kev->config.lose != 0 || kev->config.ring;
    if (room_in(kev, buffer) < (whole ? slots + 1 : 1)) {
        hand_over(kev, buffer, time, cpu);
        open_buffer(kev, buffer, time, cpu);
    }
    if (kev->needs_time[cpu] || time >> 32 != kev->last_time[cpu] >> 32) {
        put_time(kev, buffer, time, cpu);
        if (room_in(kev, buffer) == 0) {
            hand_over(kev, buffer, time, cpu);
            open_buffer(kev, buffer, time, cpu);
            put_time(kev, buffer, time, cpu);
        }
    }
    return buffer;
}

// Writes slots from..to of an event where there is room.
static void put_slots(struct kev *kev, const struct held *what, uint32_t from, uint32_t to,
                      uint64_t now, uint32_t cpu)
{
    struct buffer *buffer = buffer_of(kev, cpu);
    for (uint32_t i = from; i < to; i++) {
        uint32_t part = what->slots == 1 ? 0 : i == 0 ? 1 : i + 1 < what->slots ? 2 : 3;
        if (room_in(kev, buffer) == 0) {
            hand_over(kev, buffer, now, cpu);
            open_buffer(kev, buffer, now, cpu);
        }
        put_slot(kev, buffer, what->header | part << 30, what->time, what->word[2 * i],
                 what->word[2 * i + 1]);
    }
}

static bool is_holding(const struct kev *kev)
{
    return kev->held.next < kev->held.slots;
}

static void release_held(struct kev *kev, uint64_t now, uint32_t cpu)
{
    put_slots(kev, &kev->held, kev->held.next, kev->held.slots, now, cpu);
    kev->held.next = kev->held.slots;
}

// Holds back all but the first slot of the current event; they follow another CPU's slots.
static bool hold(struct kev *kev, const struct sim_event *event, uint32_t slots)
{
    uint32_t interlace = kev->config.interlace;
    if (interlace == 0 || slots == 1 || is_holding(kev) || sim_mix(event->time) % interlace != 0)
        return false;
    kev->held = kev->present;
    kev->held.next = 1;
    return true;
}

// Writes kev->present as one event.
static enum sim_written put_event(struct kev *kev, const struct sim_event *event, uint32_t class,
                                  uint32_t number)
{
    struct held *present = &kev->present;
    uint32_t slots = kev->words <= 2 ? 1 : (kev->words + 1) / 2;
    while (kev->words < 2 * slots)
        present->word[kev->words++] = 0;
    present->header = (uint32_t)event->cpu << 24 | class << 10 | number;
    present->cpu = event->cpu;
    present->slots = slots;
    present->time = event->time;
    if (is_holding(kev) && kev->held.cpu == event->cpu)
        release_held(kev, event->time, event->cpu);
    struct buffer *buffer = buffer_for(kev, event->time, event->cpu, slots);
    kev->last_time[event->cpu] = event->time;
    count_event(kev, buffer, class);
    bool holding = is_holding(kev);
    uint32_t first = holding || hold(kev, event, slots) ? 1 : slots;
    put_slots(kev, present, 0, first, event->time, event->cpu);
    if (holding) {
        release_held(kev, event->time, event->cpu);
        put_slots(kev, present, 1, slots, event->time, event->cpu);
    }
    return buffer->lost ? SIM_WRITTEN_LOST : SIM_WRITTEN;
}

// Payloads ---------------------------------------------------------------------------------------

static void add(struct kev *kev, uint64_t word)
{
    kev->present.word[kev->words++] = (uint32_t)word;
}

// Writes 64 bits in the byte order of the target.
static void add64(struct kev *kev, uint64_t value)
{
    add(kev, kev->config.big_endian ? value >> 32 : value);
    add(kev, kev->config.big_endian ? value : value >> 32);
}

// Writes four bytes in memory order, the lowest first.
static void add_bytes(struct kev *kev, uint64_t bytes)
{
    uint32_t word = (uint32_t)bytes;
    add(kev, kev->config.big_endian ? __builtin_bswap32(word) : word);
}

// Writes two shorts of the target, `first` at the lower address.
static void add_shorts(struct kev *kev, uint64_t first, uint64_t second)
{
    uint32_t a = first & 0xffff, b = second & 0xffff;
    add(kev, kev->config.big_endian ? a << 16 | b : b << 16 | a);
}

// Writes text with its NUL, padded with zeros to a word.
static void add_text(struct kev *kev, const char *text)
{
    size_t length = strlen(text) + 1;
    for (size_t at = 0; at < length; at += 4) {
        uint8_t bytes[4] = {0};
        memcpy(bytes, text + at, length - at < 4 ? length - at : 4);
        add_bytes(kev, (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                           (uint32_t)bytes[3] << 24);
    }
}

static bool is_wide(const struct kev *kev, uint32_t number)
{
    return kev->config.kev_mode == SIM_KEV_WIDE ||
           (kev->config.kev_mode == SIM_KEV_MIXED && number % 2 == 1);
}

// Writes one character of a layout: see kev_calls.h.
static void add_field(struct kev *kev, const struct sim_event *event, char field)
{
    if (field >= 'a' && (event->bytes >> (field - 'a') & 1) != 0)
        add_bytes(kev, event->value[field - 'a']);
    else if (field >= 'a')
        add(kev, event->value[field - 'a']);
    else if (field >= 'A')
        add64(kev, event->value[field - 'A']);
    else if (field == ':')
        add64(kev, 0);
    else if (field == '.' || kev->model == SIM_QNX64)
        add(kev, 0);
}

static enum sim_written put_call(struct kev *kev, const struct sim_event *event)
{
    const struct kev_call *call = &kev_calls[event->code];
    bool barrier = event->code == SIM_C_BARRIER_WAIT && kev->model == SIM_QNX80;
    if (call->number < 0 || event->flags & SIM_USERLAND || barrier)
        return SIM_WRITTEN_NONE;
    bool leave = event->kind == SIM_CALL_EXIT;
    const struct kev_layout *layout = leave ? &call->leave : &call->enter;
    uint32_t number = (uint32_t)call->number + (leave ? CALL_EXIT : 0);
    bool wide = is_wide(kev, (uint32_t)call->number);
    const char *fields = wide ? layout->wide : layout->fast;
    if (event->thread->process->is64 && layout->wide64 != NULL) {
        fields = wide ? layout->wide64 : layout->fast64;
        number |= CALL_64;
    }
    for (; *fields != '\0'; fields++)
        add_field(kev, event, *fields);
    return put_event(kev, event, CLASS_CALL, number);
}

static enum sim_written put_state(struct kev *kev, const struct sim_event *event)
{
    static const uint8_t numbers[SIM_STATES] = {
        [SIM_DEAD] = 0,         [SIM_RUNNING] = 1,       [SIM_READY] = 2,    [SIM_STOPPED] = 3,
        [SIM_SEND] = 4,         [SIM_RECEIVE] = 5,       [SIM_REPLY] = 6,    [SIM_MQ_SEND] = 7,
        [SIM_MQ_RECEIVE] = 8,   [SIM_WAITTHREAD] = 8,    [SIM_WAITPAGE] = 9, [SIM_SIGSUSPEND] = 10,
        [SIM_SIGWAITINFO] = 11, [SIM_NANOSLEEP] = 12,    [SIM_MUTEX] = 13,   [SIM_CONDVAR] = 14,
        [SIM_JOIN] = 15,        [SIM_INTR] = 16,         [SIM_SEM] = 17,     [SIM_WAITCTX] = 18,
        [SIM_RWLOCK_READ] = 19, [SIM_RWLOCK_WRITE] = 20, [SIM_BARRIER] = 21};
    uint32_t number = numbers[event->kind == SIM_RUN ? SIM_RUNNING : event->code];
    add(kev, event->thread->process->pid);
    add(kev, event->thread->tid);
    if (kev->config.kev_mode != SIM_KEV_FAST) {
        add(kev, event->thread->priority);
        add(kev, event->thread->policy);
    }
    return put_event(kev, event, CLASS_THREAD, number);
}

static enum sim_written put_thread(struct kev *kev, const struct sim_event *event, uint32_t number)
{
    add(kev, event->thread->process->pid);
    add(kev, event->thread->tid);
    if (number == PROC_THREAD_NAME)
        add_text(kev, event->text);
    return put_event(kev, event, CLASS_THREAD, number);
}

static enum sim_written put_process(struct kev *kev, const struct sim_event *event)
{
    bool create = event->kind == SIM_PROC_CREATE;
    add(kev, event->process->parent_pid);
    add(kev, event->process->pid);
    if (create && event->text != NULL)
        add_text(kev, event->text);
    return put_event(kev, event, CLASS_THREAD,
                     !create               ? PROC_DESTROY
                     : event->text != NULL ? PROC_CREATE_NAME
                                           : PROC_CREATE);
}

static enum sim_written put_comm(struct kev *kev, const struct sim_event *event)
{
    static const uint8_t numbers[] = {
        [SIM_COMM_SMSG] = 0,   [SIM_COMM_SPULSE] = 1,     [SIM_COMM_RMSG] = 2,
        [SIM_COMM_RPULSE] = 3, [SIM_COMM_SPULSE_EXE] = 4, [SIM_COMM_SIGNAL] = 9,
        [SIM_COMM_REPLY] = 10, [SIM_COMM_ERROR] = 11,     [SIM_COMM_SPULSE_UN] = 7};
    if (event->code == SIM_COMM_SIGNAL) {
        add(kev, event->value[0]);
        add(kev, event->value[1]);
        for (int i = 0; i < 8 && kev->config.kev_mode == SIM_KEV_WIDE; i++)
            add(kev, 0);
    } else {
        bool answers = event->code == SIM_COMM_REPLY || event->code == SIM_COMM_ERROR;
        add(kev, answers ? event->partner->tid : event->value[0]);
        add(kev, event->partner_pid);
    }
    return put_event(kev, event, CLASS_COMM, numbers[event->code]);
}

static enum sim_written put_interrupt(struct kev *kev, const struct sim_event *event)
{
    bool is64 = kev->model == SIM_QNX71;
    uint32_t number = 7;
    if (event->kind == SIM_HANDLER_ENTER)
        add(kev, event->process->pid);
    add(kev, event->code);
    switch (event->kind) {
    case SIM_IRQ_ENTER:
        number = is64 ? 5 : 1;
        if (is64) {
            add(kev, 0);
            add64(kev, 0xffffff8000000000u + event->value[0]);
        } else {
            add(kev, event->value[0]);
        }
        break;
    case SIM_IRQ_EXIT:
        number = 2;
        add(kev, event->value[0]);
        break;
    case SIM_HANDLER_ENTER:
        number = is64 ? 6 : 3;
        for (int i = 0; i < 2; i++)
            is64 ? add64(kev, event->value[i]) : add(kev, event->value[i]);
        break;
    case SIM_HANDLER_EXIT:
        number = 4; // struct sigevent
        add(kev, event->value[0]);
        add(kev, event->value[1]);
        add(kev, event->value[3]);
        add_shorts(kev, event->value[2], 0);
        break;
    default:
        break;
    }
    return put_event(kev, event, CLASS_INT, number);
}

static enum sim_written put_user(struct kev *kev, const struct sim_event *event)
{
    if (event->kind == SIM_USER_TEXT) {
        add_text(kev, event->text);
    } else {
        add(kev, event->value[0]);
        add(kev, event->value[1]);
    }
    return put_event(kev, event, CLASS_USER, event->code & 0x3ff);
}

static void add_mapping(struct kev *kev, const struct sim_event *event)
{
    add(kev, event->process->pid);
    add64(kev, event->value[0]);
    add64(kev, event->value[1]);
    if (event->kind == SIM_SYS_MUNMAP)
        return;
    add(kev, event->value[2]);
    if (kev->config.kev_mode == SIM_KEV_FAST)
        return;
    add(kev, event->value[3]);
    add(kev, event->value[4]);
    add64(kev, 0);
    add64(kev, event->value[5]);
    add_text(kev, event->text);
}

static enum sim_written put_system(struct kev *kev, const struct sim_event *event)
{
    static const struct {
        uint8_t number;
        bool since66;
    } rules[SIM_KINDS] = {[SIM_SYS_PATH] = {2, false},     [SIM_SYS_MMAP] = {6, false},
                          [SIM_SYS_MUNMAP] = {7, false},   [SIM_SYS_SLOG] = {12, false},
                          [SIM_SYS_PAGEWAIT] = {17, true}, [SIM_SYS_TIMER] = {18, true}};
    const struct sim_thread *thread = event->thread;
    if (rules[event->kind].since66 && kev->model == SIM_QNX64)
        return SIM_WRITTEN_NONE;
    if (event->kind == SIM_SYS_MMAP || event->kind == SIM_SYS_MUNMAP) {
        add_mapping(kev, event);
    } else if (event->kind == SIM_SYS_SLOG) {
        add(kev, event->value[0]);
        add(kev, event->code);
        add_text(kev, event->text);
    } else {
        add(kev, thread->process->pid);
        add(kev, thread->tid);
        if (event->kind == SIM_SYS_PATH) {
            add_text(kev, event->text);
        } else {
            add(kev, event->value[0]);
            add(kev, event->value[1]);
        }
        if (event->kind == SIM_SYS_PAGEWAIT && kev->config.kev_mode != SIM_KEV_FAST) {
            add(kev, event->value[2]);
            add(kev, event->value[3]);
            add64(kev, event->value[4]);
            add_text(kev, event->text);
        }
    }
    return put_event(kev, event, CLASS_SYSTEM, rules[event->kind].number);
}

static enum sim_written put_guest(struct kev *kev, const struct sim_event *event)
{
    static const uint8_t numbers[SIM_KINDS] = {[SIM_GUEST_EXIT] = 1, [SIM_GUEST_CYCLES] = 7};
    if (event->kind == SIM_GUEST_EXIT) {
        add(kev, 0);          // status
        add(kev, 0x7e00000u); // hw_reason
        add64(kev, event->value[1]);
    } else if (event->kind == SIM_GUEST_CYCLES) {
        add64(kev, event->value[2]);
        add64(kev, event->value[3]);
    }
    if (event->kind != SIM_GUEST_CYCLES)
        add64(kev, event->value[0]);
    if (event->kind == SIM_GUEST_EXIT)
        add64(kev, 0); // payload
    return put_event(kev, event, CLASS_QVM, numbers[event->kind]);
}

static enum sim_written dispatch(struct kev *kev, const struct sim_event *event)
{
    kev->words = 0;
    switch (event->kind) {
    case SIM_PROC_CREATE:
    case SIM_PROC_DESTROY:
        return put_process(kev, event);
    case SIM_THREAD_CREATE:
        return put_thread(kev, event, THREAD_CREATE);
    case SIM_THREAD_DESTROY:
        return put_thread(kev, event, THREAD_DESTROY);
    case SIM_THREAD_NAME:
        return put_thread(kev, event, PROC_THREAD_NAME);
    case SIM_RUN:
    case SIM_STATE:
        return put_state(kev, event);
    case SIM_CALL:
    case SIM_CALL_EXIT:
        return put_call(kev, event);
    case SIM_COMM:
        return put_comm(kev, event);
    case SIM_IRQ_ENTER:
    case SIM_IRQ_EXIT:
    case SIM_HANDLER_ENTER:
    case SIM_HANDLER_EXIT:
    case SIM_IRQ_DELIVER:
        return put_interrupt(kev, event);
    case SIM_USER:
    case SIM_USER_TEXT:
        return put_user(kev, event);
    case SIM_SYS_PATH:
    case SIM_SYS_MMAP:
    case SIM_SYS_MUNMAP:
    case SIM_SYS_PAGEWAIT:
    case SIM_SYS_TIMER:
    case SIM_SYS_SLOG:
        return put_system(kev, event);
    case SIM_GUEST_ENTER:
    case SIM_GUEST_CYCLES:
    case SIM_GUEST_EXIT:
        return put_guest(kev, event);
    default:
        return SIM_WRITTEN_NONE; // priorities, time slices: QNX has no event of its own
    }
}

static enum sim_written kev_event(void *self, const struct sim_event *event)
{
    struct kev *kev = self;
    enum sim_written written = dispatch(kev, event);
    kev->engine_events++;
    return written;
}

// The file ---------------------------------------------------------------------------------------

static void kev_free(struct kev *kev)
{
    for (uint32_t i = 0; i < SIM_CPU_MAX; i++)
        free(kev->buffer[i].slots);
    free(kev->firsts);
    free(kev);
}

static uint32_t default_limit(const struct kev *kev)
{
    if (kev->model == SIM_QNX80)
        return 1011;
    if (kev->config.ring)
        return 1014 * 95 / 100;
    return kev->model == SIM_QNX64 ? 1014 - 300 : 1014 * 70 / 100;
}

static void *kev_open(const struct sim_write_config *config, struct sim_out *out, const char **why)
{
    struct kev *kev = calloc(1, sizeof *kev);
    *why = "out of memory";
    if (kev == NULL)
        return NULL;
    kev->config = *config;
    kev->out = out;
    kev->model = config->run->model;
    kev->buffers = kev->model == SIM_QNX80 ? config->run->cpus : 1;
    kev->limit = config->kev_slots != 0 ? config->kev_slots : default_limit(kev);
    for (uint32_t i = 0; i < kev->buffers; i++) {
        kev->buffer[i].slots = malloc((size_t)BUFFER_ROOM * 16);
        // Up to 7.1 the count continues from trace to trace; 8.0 starts at 1.
        kev->buffer[i].sequence = kev->model == SIM_QNX80 ? 0 : 32;
        if (kev->buffer[i].slots == NULL) {
            kev_free(kev);
            return NULL;
        }
    }
    if (config->dry && config->ring) {
        kev->firsts = calloc(config->ring_buffers, sizeof *kev->firsts);
        if (kev->firsts == NULL) {
            kev_free(kev);
            return NULL;
        }
    }
    if (!config->dry)
        kev_header_write(config, out);
    return kev;
}

static void kev_flush(void *self)
{
    struct kev *kev = self;
    if (is_holding(kev))
        release_held(kev, kev->held.time, kev->held.cpu);
    for (uint32_t i = 0; i < kev->buffers; i++)
        hand_over(kev, &kev->buffer[i], kev->last_time[i], i);
}

static void kev_close(void *self, struct sim_counts *counts)
{
    struct kev *kev = self;
    kev->ended = true;
    kev_flush(kev);
    *counts = kev->counts;
    if (kev->firsts != NULL && kev->opened > kev->config.ring_buffers)
        counts->skip = kev->firsts[kev->opened % kev->config.ring_buffers];
    kev_free(kev);
}

static const struct sim_counts *kev_counts(const void *self)
{
    return &((const struct kev *)self)->counts;
}

const struct sim_writer sim_writer_kev = {"kev",     false,     NULL,       kev_open, kev_event,
                                          kev_flush, kev_close, kev_counts, NULL};
