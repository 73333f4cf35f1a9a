/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_excerpt: writes a part of a QNX capture.
 *
 *      header and system page | BUFFER, TIME of each CPU, list of objects | slots | BUFFER, slots | ...
 *
 * The list is what the kernel writes when tracing starts: PROCCREATE_NAME of each process, and
 * THCREATE, the state and PROCTHREAD_NAME of each thread; then KER_EXIT TRACE_EVENT, which ends it.
 * It continues the buffer whose first slots are left out. A thread that left its CPU in the kernel is
 * listed twice, first as running: the events before the next switch are its own.
 *
 * 8.0 has buffers of one CPU: a buffer without its beginning gets TIME and BUFFER, one without its
 * end BUFFER_END.
 */
#include <stdlib.h>
#include <string.h>

#include "format/excerpt_format.h"
#include "format/kev/kev_decode.h"

#define CONTROL(event)   (KEV_CLASS_CONTROL << 10 | (event))
#define THREAD(event)    (KEV_CLASS_THREAD << 10 | (event))
#define IS_TIME          CONTROL(1u)
#define IS_BUFFER        CONTROL(2u)
#define IS_BUFFER_END    CONTROL(4u)
#define TRACE_EVENT_EXIT (KEV_CLASS_CALL << 10 | (KEV_EXIT + 1))
#define COOKIE           0xe6e6e6e6u
#define SLOTS_PER_STEP   4096u
#define NO_BUFFER        UINT64_MAX
#define BUFFER_REACH     65536u /* slots that are searched for the BUFFER of a slot */
#define NAME_MAX_BYTES   1024u  /* kev_store_name */

enum { CREATE = 24, PROCESS_CREATE = 64, PROCESS_NAME = 192, THREAD_NAME = 320, RUNNING = 1 };

struct tt_excerpt_state {
    const struct tt_excerpt_job *job;
    const struct kev_decoder *d;
    const uint8_t *bytes;
    uint64_t next;     /* offset of the next slot to be looked at */
    uint64_t previous; /* offset of the last slot written; 0: none */
    uint64_t buffer;   /* 8.0: offset of the BUFFER of the last slot written, or NO_BUFFER */
    bool has_end;      /* 8.0: that buffer has its BUFFER_END */
    uint32_t cpu;      /* that writes the list */
    uint64_t slots;    /* of the beginning */
    bool counting;     /* slots are counted and not written */
};

/* ---- slots -------------------------------------------------------------------------------- */

static uint32_t kev_excerpt_word_at(const struct tt_excerpt_state *state, uint64_t offset,
                                    unsigned word)
{
    return tt_load_u32(state->bytes + offset + 4 * (uint64_t)word, state->d->big);
}

static uint32_t code_at(const struct tt_excerpt_state *state, uint64_t offset)
{
    uint32_t header = kev_excerpt_word_at(state, offset, 0);
    return kev_structure(header) == KEV_SIMPLE ? kev_code(header) : 0;
}

static bool is_readable(const struct tt_excerpt_state *state, uint64_t offset)
{
    return state->job->limit >= KEV_SLOT && offset <= state->job->limit - KEV_SLOT;
}

static void put_slot(struct tt_excerpt_state *state, uint32_t header, uint32_t stamp,
                     uint32_t first, uint32_t second)
{
    const uint32_t words[] = {header, stamp, first, second};
    state->slots++;
    for (unsigned i = 0; i < 4 && !state->counting; i++) {
        tt_excerpt_put_u32(state->job->out, words[i], state->d->big);
    }
}

/* Writes a slot of the beginning. */
static void put_new(struct tt_excerpt_state *state, uint32_t cpu, uint32_t code, uint32_t first,
                    uint32_t second)
{
    put_slot(state, cpu << 24 | code, (uint32_t)state->job->ticks, first, second);
}

/* Writes an event of more than two words: `text` follows the first two, with its NUL. */
static void kev_excerpt_put_text(struct tt_excerpt_state *state, uint32_t code, uint32_t first,
                                 uint32_t second, const char *text, size_t length)
{
    const uint32_t header = state->cpu << 24 | code, stamp = (uint32_t)state->job->ticks;
    length = length < NAME_MAX_BYTES - 1 ? length : NAME_MAX_BYTES - 1;
    put_slot(state, header | (uint32_t)KEV_BEGIN << 30, stamp, first, second);
    for (size_t at = 0; at <= length; at += 8) {
        uint8_t bytes[8] = {0};
        memcpy(bytes, text + at, length - at < 8 ? length - at : 8);
        /* Texts are in the order of the file, unless a converter swapped them word by word. */
        bool big = state->d->by_words ? !state->d->big : state->d->big;
        bool is_last = at + 8 > length;
        put_slot(state, header | (uint32_t)(is_last ? KEV_END : KEV_MIDDLE) << 30, stamp,
                 tt_load_u32(bytes, big), tt_load_u32(bytes + 4, big));
    }
}

/* ---- the list of objects ------------------------------------------------------------------ */

static void kev_excerpt_put_state(struct tt_excerpt_state *state, uint32_t pid, uint32_t tid,
                                  uint32_t cpu, uint32_t event, int16_t priority)
{
    uint32_t header = cpu << 24 | THREAD(event), stamp = (uint32_t)state->job->ticks;
    if (priority == TT_NO_PRIORITY) {
        put_slot(state, header, stamp, pid, tid);
        return;
    }
    put_slot(state, header | (uint32_t)KEV_BEGIN << 30, stamp, pid, tid);
    put_slot(state, header | (uint32_t)KEV_END << 30, stamp, (uint32_t)(int32_t)priority, 0);
}

/* Returns the event of a state; UINT32_MAX if there is none. */
static uint32_t event_of(const struct kev_decoder *decoder, uint32_t state)
{
    for (uint32_t event = 0; event < KEV_STATE_EVENTS; event++) {
        if (decoder->state_numbers[event] == state && event != CREATE && event != CREATE + 1) {
            return event;
        }
    }
    return UINT32_MAX;
}

/* Returns a flag per process: it is alive, or a thread of it is listed. NULL if out of memory. */
static bool *listed_processes(const struct tt_excerpt_state *state)
{
    const struct tt_capture *capture = state->job->capture;
    uint64_t when = capture->lanes_by_time ? state->job->ticks + 1 : state->job->first_pos;
    uint32_t count = tt_process_count(capture);
    bool *listed = calloc((size_t)count + 1, sizeof *listed);
    for (uint32_t i = 0; listed && i < count; i++) {
        const struct tt_process *p = tt_process_at(capture, i);
        listed[i] = p->first_when < when && p->end_when >= when;
    }
    for (uint32_t i = 0; listed && i < state->job->thread_count; i++) {
        uint32_t process = tt_thread_at(capture, i)->process;
        if (state->job->threads[i].role != TT_EXCERPT_ABSENT && process < count) {
            listed[process] = true;
        }
    }
    return listed;
}

struct of_process {
    uint32_t process, thread;
};

static int compare_threads(const void *a, const void *b)
{
    const struct of_process *left = a, *right = b;
    return left->process != right->process
               ? (left->process > right->process) - (left->process < right->process)
               : (left->thread > right->thread) - (left->thread < right->thread);
}

struct list {
    const bool *processes;
    const struct of_process *threads;
    uint32_t thread_count;
};

static void kev_excerpt_put_list(struct tt_excerpt_state *state, const struct list *list)
{
    uint32_t next = 0, count = tt_process_count(state->job->capture);
    for (uint32_t i = 0; i < count; i++) {
        if (list->processes[i]) {
            const struct tt_capture *capture = state->job->capture;
            const struct tt_process *p = tt_process_at(capture, i);
            size_t length = 0;
            const char *name = tt_capture_text(capture, p->name, &length);
            if (p->name != 0 && name) {
                kev_excerpt_put_text(state, THREAD(PROCESS_NAME), 0, (uint32_t)p->pid, name,
                                     length);
            } else {
                put_new(state, state->cpu, THREAD(PROCESS_CREATE), 0, (uint32_t)p->pid);
            }
        }
        for (; next < list->thread_count && list->threads[next].process == i; next++) {
            uint32_t pid = (uint32_t)tt_process_at(state->job->capture, i)->pid;

            uint32_t number = list->threads[next].thread;
            const struct tt_capture *capture = state->job->capture;
            const struct tt_excerpt_thread *of = &state->job->threads[number];
            const struct tt_thread *thread = tt_thread_at(capture, number);
            const uint32_t tid = (uint32_t)thread->tid;
            uint32_t event =
                of->role >= TT_EXCERPT_IN_STATE ? event_of(state->d, of->state) : UINT32_MAX;
            if (event != UINT32_MAX) {
                bool on_cpu = of->role == TT_EXCERPT_ON_CPU && of->cpu < KEV_CPUS;
                if (of->role == TT_EXCERPT_LAST_RUN && of->cpu < KEV_CPUS) {
                    put_new(state, state->cpu, THREAD(CREATE), pid, tid);
                    kev_excerpt_put_state(state, pid, tid, of->cpu, RUNNING, of->priority);
                }
                put_new(state, state->cpu, THREAD(CREATE), pid, tid);
                kev_excerpt_put_state(state, pid, tid, on_cpu ? of->cpu : state->cpu, event,
                                      of->priority);
            }
            size_t length = 0;
            const char *name = tt_capture_text(capture, thread->name, &length);
            if (thread->name != 0 && name) {
                kev_excerpt_put_text(state, THREAD(THREAD_NAME), pid, tid, name, length);
            }
        }
    }
    put_new(state, state->cpu, TRACE_EVENT_EXIT, 0, 0);
}

/* ---- buffers ------------------------------------------------------------------------------ */

/* Returns whether a slot of 8.0 begins a buffer: TIME may precede its BUFFER. */
static bool begins_buffer(const struct tt_excerpt_state *state, uint64_t offset)
{
    uint32_t code = code_at(state, offset);
    return code == IS_BUFFER || (code == IS_TIME && is_readable(state, offset + KEV_SLOT) &&
                                 code_at(state, offset + KEV_SLOT) == IS_BUFFER);
}

/* Returns the offset of the BUFFER before a slot, or of the one that the slot belongs to. */
static uint64_t buffer_before(const struct tt_excerpt_state *state, uint64_t offset)
{
    if (state->d->release == KEV_8 && begins_buffer(state, offset)) {
        return code_at(state, offset) == IS_BUFFER ? offset : offset + KEV_SLOT;
    }
    for (uint32_t n = 0; n < BUFFER_REACH && offset >= state->d->slots + KEV_SLOT; n++) {
        offset -= KEV_SLOT;
        if (code_at(state, offset) == IS_BUFFER) {
            return offset;
        }
    }
    return NO_BUFFER;
}

/* Returns the number of slots of the set from `offset` on, up to the next BUFFER or BUFFER_END. */
static uint32_t slots_from(const struct tt_excerpt_state *state, uint64_t offset)
{
    uint32_t count = 0;
    bool per_cpu = state->d->release == KEV_8;
    uint64_t buffer = per_cpu ? buffer_before(state, offset) : 0;
    while (tt_record_set_next(state->job->records, &offset) && is_readable(state, offset) &&
           count < UINT32_MAX) {
        if (per_cpu ? buffer_before(state, offset) != buffer
                    : code_at(state, offset) == IS_BUFFER) {
            break;
        }
        count++;
        if (per_cpu && code_at(state, offset) == IS_BUFFER_END) {
            return count;
        }
        offset += KEV_SLOT;
    }
    return count + per_cpu; /* a BUFFER_END is added */
}

static void kev_excerpt_put_time(struct tt_excerpt_state *state, uint32_t cpu)
{
    put_new(state, cpu, IS_TIME, (uint32_t)(state->job->ticks >> 32), (uint32_t)state->job->ticks);
}

/* Writes the BUFFER_END of a buffer of 8.0 whose last slots are left out. */
static void put_buffer_end(struct tt_excerpt_state *state)
{
    if (state->d->release == KEV_8 && state->buffer != NO_BUFFER && !state->has_end) {
        put_slot(state, kev_cpu(kev_excerpt_word_at(state, state->buffer, 0)) << 24 | IS_BUFFER_END,
                 kev_excerpt_word_at(state, state->previous, 1), COOKIE, COOKIE);
    }
}

/* Ends the previous buffer and begins the one of a slot, where the slot does not. */
static void change_buffer(struct tt_excerpt_state *state, uint64_t offset)
{
    if (offset == state->previous + KEV_SLOT && !begins_buffer(state, offset)) {
        return;
    }
    uint64_t buffer = buffer_before(state, offset);
    if (buffer == state->buffer) {
        return;
    }
    put_buffer_end(state);
    state->buffer = buffer;
    state->has_end = false;
    if (buffer != NO_BUFFER && !tt_record_set_has(state->job->records, buffer)) {
        /* Writes the TIME and the BUFFER of a buffer of 8.0 whose first slots are left out. */
        uint32_t cpu = kev_cpu(kev_excerpt_word_at(state, buffer, 0));
        bool has_time = state->d->start.has_time;
        if (has_time) {
            kev_excerpt_put_time(state, cpu);
        }
        put_new(state, cpu, IS_BUFFER, kev_excerpt_word_at(state, buffer, 2),
                slots_from(state, offset) + 1 + has_time);
    }
}

/* ---- the beginning ------------------------------------------------------------------------ */

/*
 * Writes the beginning, which belongs to the buffer of the first slot: its first slots are left out.
 * If they are not, it is a buffer of its own, before that one.
 */
static void kev_excerpt_put_beginning(struct tt_excerpt_state *state, const struct list *list,
                                      uint32_t count)
{
    uint64_t first = state->d->slots;
    bool has_first = tt_record_set_next(state->job->records, &first) && is_readable(state, first);
    uint64_t buffer = has_first ? buffer_before(state, first) : NO_BUFFER;
    bool per_cpu = state->d->release == KEV_8;
    bool is_own = per_cpu && has_first && begins_buffer(state, first);
    uint32_t sequence = buffer == NO_BUFFER ? 1 : kev_excerpt_word_at(state, buffer, 2) - is_own;
    state->cpu = buffer == NO_BUFFER ? 0 : kev_cpu(kev_excerpt_word_at(state, buffer, 0));
    if (per_cpu && state->d->start.has_time) {
        kev_excerpt_put_time(state, state->cpu);
    }
    put_new(state, state->cpu, IS_BUFFER, sequence, count);
    for (uint32_t cpu = 0;
         !per_cpu && state->d->start.has_time && cpu < state->job->capture->cpu_count; cpu++) {
        kev_excerpt_put_time(state, cpu);
    }
    kev_excerpt_put_list(state, list);
    for (uint32_t i = 0; i < state->job->interrupt_count; i++) {
        uint64_t at = state->job->interrupts[i].pos;
        if (is_readable(state, at)) {
            put_slot(state, kev_excerpt_word_at(state, at, 0), (uint32_t)state->job->ticks,
                     kev_excerpt_word_at(state, at, 2), kev_excerpt_word_at(state, at, 3));
        }
    }
    if (per_cpu && is_own) {
        put_new(state, state->cpu, IS_BUFFER_END, COOKIE, COOKIE);
    } else if (per_cpu) {
        state->buffer = buffer;
    }
}

static bool begin_with_list(struct tt_excerpt_state *state)
{
    bool *processes = listed_processes(state);
    uint32_t thread_count = 0;

    /* The threads of the beginning, sorted by process. */
    const struct tt_excerpt_job *job = state->job;
    struct of_process *threads = calloc((size_t)job->thread_count + 1, sizeof *threads);
    thread_count = 0;
    for (uint32_t i = 0; threads && i < job->thread_count; i++) {
        if (job->threads[i].role != TT_EXCERPT_ABSENT) {
            threads[(thread_count)++] =
                (struct of_process){tt_thread_at(job->capture, i)->process, i};
        }
    }
    if (threads) {
        qsort(threads, thread_count, sizeof *threads, compare_threads);
    }

    bool ok = processes && threads;
    if (ok) {
        struct list list = {processes, threads, thread_count};
        uint64_t first = state->d->slots;
        bool has_first =
            tt_record_set_next(state->job->records, &first) && is_readable(state, first);
        bool is_own = state->d->release == KEV_8 && has_first && begins_buffer(state, first);
        state->counting = true;
        kev_excerpt_put_beginning(state, &list, 0);
        uint64_t count = state->slots + (has_first && !is_own ? slots_from(state, first) : 0);
        state->counting = false;
        state->slots = 0;
        kev_excerpt_put_beginning(state, &list, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);
    }
    free(processes);
    free(threads);
    return ok;
}

static struct tt_excerpt_state *kev_excerpt_begin(const struct tt_excerpt_job *job)
{
    const struct kev_decoder *decoder = job->capture->decoder;
    struct tt_excerpt_state *state = calloc(1, sizeof *state);
    if (!state) {
        return NULL;
    }
    state->job = job;
    state->d = decoder;
    state->bytes = job->capture->bytes.data;
    state->next = decoder->slots;
    state->previous = UINT64_MAX - KEV_SLOT;
    state->buffer = NO_BUFFER;
    tt_excerpt_put(job->out, state->bytes,
                   (size_t)(decoder->slots < job->limit ? decoder->slots : job->limit));
    if (job->has_past && !begin_with_list(state)) {
        free(state);
        return NULL;
    }
    return state;
}

/* ---- the slots ---------------------------------------------------------------------------- */

static bool kev_excerpt_step(struct tt_excerpt_state *state)
{
    for (uint32_t n = 0; n < SLOTS_PER_STEP && !state->job->out->sink.stopped; n++) {
        if (!tt_record_set_next(state->job->records, &state->next) ||
            !is_readable(state, state->next)) {
            if (state->previous != UINT64_MAX - KEV_SLOT) {
                put_buffer_end(state);
            }
            return false;
        }

        uint64_t offset = state->next;
        bool per_cpu = state->d->release == KEV_8;
        if (per_cpu) {
            change_buffer(state, offset);
        }
        uint32_t code = code_at(state, offset);
        if (code == IS_BUFFER) {
            /*
             * Writes a BUFFER with the number of slots that are left of it; 0 means "not filled
             * in".
             */
            uint32_t announced = kev_excerpt_word_at(state, offset, 3),
                     present = slots_from(state, offset + KEV_SLOT) + 1;
            if (state->d->release == KEV_8 && state->previous + KEV_SLOT == offset &&
                code_at(state, state->previous) == IS_TIME) {
                present++;
            }
            put_slot(state, kev_excerpt_word_at(state, offset, 0),
                     kev_excerpt_word_at(state, offset, 1), kev_excerpt_word_at(state, offset, 2),
                     present < announced ? present : announced);
        } else {
            tt_excerpt_put(state->job->out, state->bytes + offset, KEV_SLOT);
        }
        state->has_end = code == IS_BUFFER_END;
        state->previous = offset;

        state->next += KEV_SLOT;
    }
    return true;
}

static void kev_excerpt_end(struct tt_excerpt_state *state)
{
    free(state);
}

static uint64_t kev_excerpt_base_of(const struct tt_capture *capture)
{
    const struct kev_decoder *decoder = capture->decoder;
    return decoder->slots;
}

static bool kev_excerpt_is_kept(const struct tt_capture *capture, const struct tt_event *event)
{
    (void)capture;
    return event->kind == TT_KIND_STATE || event->kind == TT_KIND_LIFETIME ||
           event->kind == TT_KIND_CONTROL || event->kind == TT_KIND_INTERRUPT_ENTER ||
           event->kind == TT_KIND_INTERRUPT_EXIT;
}

/* Decodes the list event by event. */
static uint64_t list_end(struct tt_capture *capture, uint64_t limit)
{
    struct tt_event event;
    struct tt_cursor *cursor = kev_cursor_new(capture, false);
    uint64_t end = 0;
    bool more = cursor != NULL;
    while (more) {
        struct tt_batch batch = {.events = &event, .capacity = 1};
        more = kev_cursor_decode(cursor, limit, true, &batch) == TT_DECODE_MORE;
        bool in_list = cursor->s.in_dump && !cursor->s.dump_at_end;
        if (in_list && batch.count > 0 && event.ticks >= end) {
            end = event.ticks + (event.ticks < UINT64_MAX);
        }
        more = more && (in_list || !cursor->s.begun);
    }
    kev_cursor_free(cursor);
    return end;
}

const struct tt_excerpt_format kev_excerpt = {
    .unit = KEV_SLOT,
    .base = kev_excerpt_base_of,
    .is_kept = kev_excerpt_is_kept,
    .list_end = list_end,
    .begin = kev_excerpt_begin,
    .step = kev_excerpt_step,
    .end = kev_excerpt_end,
};
