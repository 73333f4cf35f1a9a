// SPDX-License-Identifier: Apache-2.0
//
// engine: internal interface of engine.c (CPUs, time, interrupts), kernel.c (objects and services)
// and script.c (thread scripts). Sinks do not include it.
//
// A CPU has a stack of frames: the running thread at the bottom, interrupts above it. Each frame
// has a `need`: the ticks that remain before its next action. The need of the top frame is an
// appointment in the queue. Code that disturbs the CPU first freezes the appointment into the need
// and settles the CPU again at the end:
//
//     queue: cpu 0 step at t ---- disturbed at t0 < t ---- freeze: need = t - t0
//            ... interrupt, preemption, anything ...      settle: step at now + need
//
// The kernel has one lock: an action is atomic, and emitting an event takes time.

#ifndef TTSIM_ENGINE_H
#define TTSIM_ENGINE_H

#include "queue.h"
#include "rng.h"
#include "sim.h"

enum sim_op {
    SIM_OP_RUN,        // a..b ns of computing
    SIM_OP_SLEEP,      // a..b us
    SIM_OP_PERIOD,     // until the next multiple of a us, plus b us; at once if one was missed
    SIM_OP_STOP,       // stopped for a..b us (as a debugger would)
    SIM_OP_SUSPEND,    // waiting for a signal that comes after a..b us
    SIM_OP_PAGE,       // page fault: a..b us; text = object
    SIM_OP_TIMEOUT,    // the next message ends after a..b us; c = 1: the server gets a pulse then
    SIM_OP_SEND,       // message to channel a, type b, c bytes
    SIM_OP_RECEIVE,    // message or pulse from channel a
    SIM_OP_SKIP_PULSE, // skip a steps if the last receive was a pulse
    SIM_OP_READ,       // read a more bytes of the message
    SIM_OP_REPLY,      // to the last message; nothing after a pulse
    SIM_OP_ERROR,      // likewise, with error a
    SIM_OP_DEFER,      // leave the last message of channel a unanswered for now
    SIM_OP_REPLY_LATE, // to the newest deferred message, if there is one
    SIM_OP_PULSE,      // to channel a, code b
    SIM_OP_LOCK,       // mutex a
    SIM_OP_UNLOCK,
    SIM_OP_SEM_WAIT, // semaphore a
    SIM_OP_SEM_POST,
    SIM_OP_COND_WAIT,   // condition variable a with mutex b
    SIM_OP_COND_SIGNAL, // condition variable a; b = 1: all
    SIM_OP_BARRIER,     // barrier a, of b threads
    SIM_OP_QUEUE_SEND,  // queue a
    SIM_OP_QUEUE_RECEIVE,
    SIM_OP_INTR,      // wait for interrupt object a
    SIM_OP_SIGWAIT,   // wait for signal, as signal target a
    SIM_OP_KILL,      // signal b to target a
    SIM_OP_USER,      // user event a with values (count, b)
    SIM_OP_USER_TEXT, // user event a with text ("%u" = count)
    SIM_OP_COUNT,     // count up
    SIM_OP_LOG,       // a line of the system log; a = severity
    SIM_OP_PATH,      // open path text
    SIM_OP_MMAP,      // map a bytes of text
    SIM_OP_MUNMAP,    // unmap them
    SIM_OP_CLOCK,     // read the clock
    SIM_OP_CONNECT,   // attach to channel a
    SIM_OP_PRIORITY,  // own priority becomes a
    SIM_OP_YIELD,
    SIM_OP_THREAD,     // create a thread from the scenario's extra template a
    SIM_OP_JOIN,       // wait for the end of that thread
    SIM_OP_SLAY,       // end that thread if it waits for the answer to a message
    SIM_OP_SPAWN,      // request a process from procnto, from the extra template a
    SIM_OP_SERVE_PROC, // procnto's own work: create or destroy a process
    SIM_OP_THREAD_IN,  // first thread of that process
    SIM_OP_EXIT,
    SIM_OP_CRASH,  // end, as the only thread of the server that has channel a
    SIM_OP_ALIVE,  // skip b steps if channel a has a server
    SIM_OP_REPEAT, // go back b steps, a times in all
    SIM_OP_CHANCE, // continue with a probability of a per cent, else skip b steps
    SIM_OP_TRACE,  // start the trace
    SIM_OP_LAST
};

// Special object numbers:
enum {
    SIM_OWN = -1, // that of the thread's process (generated populations)
    SIM_ANY = -2  // any of the scenario's own, at random
};

struct sim_step {
    uint8_t op;
    int32_t a, b, c;
    const char *text;
};

struct sim_thread_template {
    const char *name;
    const struct sim_step *script;
    uint16_t steps;
    uint8_t priority;
    uint8_t policy;
    int8_t cpu;     // bound to this CPU (modulo the number of CPUs); -1: runs anywhere
    uint8_t copies; // 0 counts as 1
};

struct sim_process_template {
    const char *name;
    bool is32; // a 32-bit program where the kernel has 64 bits
    struct sim_thread_template threads[6];
};

struct sim_device {
    uint16_t vector;
    uint16_t level;    // a higher one interrupts a lower
    uint32_t mean_us;  // mean distance; the tick's is exact
    int8_t cpu;        // -1: any
    int8_t intr;       // interrupt object it wakes, -1: none
    int8_t pulse_chan; // or channel that gets a pulse, -1: none
    uint8_t handlers;  // number of attached handlers
    uint8_t owner;     // index of the process template whose handler it is
    bool fast;         // a FIQ, on systems that have it
};

struct sim_scenario {
    const char *name;
    const char *about;
    const struct sim_process_template *processes; // the first is procnto; ends with name NULL
    const struct sim_process_template *extra;     // created by scripts; ends with name NULL
    const struct sim_device *devices;             // first the tick; ends with mean_us 0
    const uint8_t *channels;                      // owner (process template index) of each channel
    const uint8_t *mutexes;                       // 1: inherits priority
    uint8_t channel_count, mutex_count, sem_count, cond_count, barrier_count, queue_count;
    uint8_t intr_count, signal_count;
    uint16_t default_cpus, default_processes, default_threads;
};

struct sim_task;

struct sim_list {
    struct sim_task *head, *tail;
};

struct sim_mutex {
    struct sim_task *owner;
    struct sim_list waiters;
    uint64_t address;
    bool inherits;
};

struct sim_semaphore {
    int32_t count;
    struct sim_list waiters;
    uint64_t address;
};

struct sim_condition {
    struct sim_list waiters;
    uint64_t address;
};

struct sim_barrier {
    uint32_t arrived;
    struct sim_list waiters;
    uint64_t address;
};

enum { SIM_PULSES = 32, SIM_QUEUE_ROOM = 4, SIM_FRAMES = 4, SIM_OWNED = 4 };

struct sim_entry {
    const struct sim_thread *sender;
    uint64_t sent; // time of the call
};

struct sim_mqueue {
    struct sim_entry entries[SIM_QUEUE_ROOM]; // a ring
    uint32_t first, count;
    struct sim_list senders, receivers;
    uint64_t address;
};

struct sim_pulse {
    uint32_t code;
    uint32_t value;
    uint64_t serial; // never reused, unlike its connection
};

enum { SIM_DEFERRED = 4 };

struct sim_channel {
    struct sim_process *owner;
    uint32_t chid;
    struct sim_list senders, receivers;
    struct sim_pulse pulses[SIM_PULSES]; // a full ring loses the newest
    uint32_t pulse_first, pulse_count;
    struct sim_task *deferred[SIM_DEFERRED]; // clients to be answered later, by any thread
    uint32_t deferred_count;
};

struct sim_interrupt_object {
    struct sim_task *waiter;
    bool pending;
};

struct sim_task {
    struct sim_thread pub; // first: a task is a thread
    const struct sim_step *script;
    uint16_t steps, pc;
    uint8_t phase;
    bool is_server;          // serves at the priority of its client
    uint8_t base_priority;   // own
    uint8_t served_priority; // of the client while serving, else 0
    uint8_t owned_count;
    int16_t bound_cpu; // -1: any
    uint16_t repeats;
    uint64_t need;   // ticks before its next action
    uint64_t called; // time of its last kernel call
    uint64_t woken;  // time at which it last became ready after a wait
    struct sim_task *next, *previous;
    struct sim_list *on; // the list it is in
    struct sim_mutex *blocked_on;
    struct sim_mutex *owned[SIM_OWNED];
    struct sim_mutex *cond_mutex; // to lock again after a condition wait
    struct sim_task *serving;     // client that waits for the reply
    struct sim_task *creator;     // waits until this task runs
    struct sim_task *parent;      // creator, while it lives and has no newer child
    struct sim_task *child;       // last created thread, while it lives
    struct sim_task *joiner;      // waits for the end of this task
    struct sim_process *new_process;
    uint32_t rcvid, message_type, message_length, server_channel;
    uint32_t new_template;
    bool got_pulse;
    struct sim_pulse pulse;
    uint32_t own_object, count;
    uint64_t period;  // ticks: the next time of SIM_OP_PERIOD
    uint64_t wait;    // ticks of the wait that is about to begin
    uint64_t timeout; // ticks of the next message's, 0: none
    bool pulses;      // at its timeout the server gets a pulse, and the client continues to wait
    bool received;    // its message was received
    bool failed;      // its server ended before the answer
    struct {          // cause of its wait, for the truth
        uint8_t kind; // enum sim_wait_kind
        const struct sim_task *thread;
        const struct sim_process *process;
        uint64_t object;
    } waits_for;
};

struct sim_frame {
    uint16_t device;
    uint8_t phase;
    uint64_t need;
};

struct sim_cpu {
    uint16_t number;
    uint16_t kick_priority; // priority that a pending reschedule will bring, 0: none pending
    bool resched;
    uint8_t depth; // interrupt frames
    struct sim_frame frames[SIM_FRAMES];
    struct sim_task *current;
    struct sim_task *idle;
    struct sim_task *handoff;            // runs next, out of turn
    const struct sim_device *delivering; // SIM_QNX80: its INT_DELIVER is in progress
    uint64_t stamp;                      // time of its last event
};

struct sim {
    struct sim_config config;
    const struct sim_scenario *scenario;
    struct sim_rng rng;
    struct sim_queue queue;  // CPUs (step, reschedule, slice), then devices
    struct sim_queue timers; // per task: end of its wait, checked by the tick
    uint64_t now;
    uint64_t end; // 0: none
    bool tracing, done;
    uint32_t warm_up; // events before tracing starts
    bool slice_over;  // the current switch is for a used-up slice
    struct sim_cpu cpu[SIM_CPU_MAX];
    struct sim_cpu *here; // CPU of the current action
    struct sim_list ready[256];
    uint64_t ready_bits[4];
    struct sim_task *tasks;
    uint32_t task_count, task_max;
    struct sim_process *processes;
    uint32_t process_count, process_max;
    uint32_t *next_tid;     // per process slot
    uint32_t *live_threads; // per process slot
    uint32_t *generation;   // per process slot
    uint32_t serial;        // of the next process
    uint64_t pulses;        // sent so far
    uint32_t lives;         // threads created
    struct sim_channel *channels;
    struct sim_mutex *mutexes;
    struct sim_semaphore *semaphores;
    struct sim_condition *conditions;
    struct sim_barrier *barriers;
    struct sim_mqueue *queues;
    struct sim_interrupt_object *interrupts;
    struct sim_task **signal_targets;
    uint32_t channel_count, mutex_count, sem_count; // with the generated ones
    uint32_t device_count;
    uint64_t tick;     // ticks of the clock between tick interrupts
    uint64_t tick_due; // time of the next one
    uint64_t slice;
    uint32_t cost_event, cost_call, cost_user, cost_ipi, cost_irq; // ticks, means
    struct sim_sink *sinks;
    size_t sink_count;
    struct sim_event event;
    char text[128];
};

// engine.c ---------------------------------------------------------------------------------------

// Converts nanoseconds to ticks, at least 1.
uint64_t sim_ticks(const struct sim *sim, uint64_t ns);

// Returns about `mean` ticks: 1/2 to 3/2 of it, at least 1.
uint64_t sim_about(struct sim *sim, uint32_t mean);

// Begins an event of the CPU of the current action and advances time. The caller fills in the values
// of the kind; sim_emit emits the event.
struct sim_event *sim_begin(struct sim *sim, enum sim_kind kind);
void sim_emit(struct sim *sim);

void sim_list_append(struct sim_list *list, struct sim_task *task);
void sim_list_prepend(struct sim_list *list, struct sim_task *task);
void sim_list_by_priority(struct sim_list *list, struct sim_task *task);
void sim_list_remove(struct sim_task *task);

// Puts a task into a state, for an object, and emits the event. Not for READY, RUNNING.
void sim_block(struct sim *sim, struct sim_task *task, enum sim_state state, uint64_t object);

// Makes a waiting task ready. `kind` and `object` are those of struct sim_wake_cause; within an
// interrupt only SIM_WAKE_TIMER is kept, any other kind becomes SIM_WAKE_INTERRUPT.
void sim_wake(struct sim *sim, struct sim_task *task, enum sim_wake_kind kind, uint64_t object);

// Sets and emits the thread or process (the other is NULL) that a task waits for from now on.
void sim_wait_for(struct sim *sim, struct sim_task *task, enum sim_wait_kind kind,
                  const struct sim_task *thread, const struct sim_process *process,
                  uint64_t object);

void sim_set_priority(struct sim *sim, struct sim_task *task, uint8_t priority);

// Yields the current CPU to tasks of equal priority.
void sim_yield(struct sim *sim);

// Emits that a task has taken an entry of a queue.
void sim_emit_taken(struct sim *sim, const struct sim_task *task, const struct sim_mqueue *queue,
                    const struct sim_entry *entry, uint64_t received);

// Emits the cause of the wait of each waiting task.
void sim_emit_waits(struct sim *sim);

// Emits all existing objects (flag SIM_DUMP).
void sim_dump(struct sim *sim);

// kernel.c ---------------------------------------------------------------------------------------

bool sim_mutex_try(struct sim_task *task, struct sim_mutex *mutex);
void sim_mutex_lock(struct sim *sim, struct sim_task *task, struct sim_mutex *mutex);
void sim_mutex_unlock(struct sim *sim, struct sim_task *task, struct sim_mutex *mutex);
void sim_condition_wait(struct sim *sim, struct sim_task *task, struct sim_condition *condition,
                        struct sim_mutex *mutex);
void sim_condition_signal(struct sim *sim, struct sim_condition *condition, bool all);
void sim_semaphore_wait(struct sim *sim, struct sim_task *task, struct sim_semaphore *semaphore);
void sim_semaphore_post(struct sim *sim, struct sim_semaphore *semaphore);
void sim_barrier_wait(struct sim *sim, struct sim_task *task, struct sim_barrier *barrier,
                      uint32_t size);
void sim_queue_send(struct sim *sim, struct sim_task *task, struct sim_mqueue *queue);
void sim_queue_receive(struct sim *sim, struct sim_task *task, struct sim_mqueue *queue);

void sim_message_send(struct sim *sim, struct sim_task *client, uint32_t channel);
void sim_message_receive(struct sim *sim, struct sim_task *server, uint32_t channel);
void sim_message_received(struct sim *sim, struct sim_task *server, uint32_t channel);
void sim_message_reply(struct sim *sim, struct sim_task *server);
void sim_message_error(struct sim *sim, struct sim_task *server, uint32_t error);
// Ends the wait of a client without an answer at its timeout.
void sim_message_timeout(struct sim *sim, struct sim_task *client);
// Ends a thread that waits for an answer; others are not changed.
void sim_message_slay(struct sim *sim, struct sim_task *client);
// Ends the only thread of the server of a channel; its clients stop waiting.
void sim_server_crash(struct sim *sim, struct sim_task *server, uint32_t channel);
void sim_pulse_send(struct sim *sim, uint32_t channel, uint32_t code, uint32_t value,
                    enum sim_comm kind);

// Sets the end of a timed wait; the tick checks it.
void sim_timer_set(struct sim *sim, struct sim_task *task, uint64_t ticks);

// Create a process, a thread. Return NULL without a free slot.
struct sim_process *sim_process_new(struct sim *sim, const char *name, uint32_t parent_pid,
                                    bool is32);
struct sim_task *sim_task_new(struct sim *sim, struct sim_process *process,
                              const struct sim_thread_template *from, uint32_t copy);
void sim_task_exit(struct sim *sim, struct sim_task *task);
void sim_process_bury(struct sim *sim, struct sim_process *process);

// calls.c ----------------------------------------------------------------------------------------

enum { SIM_SPAWN_TYPE = 0x10000 }; // message types from here on request a process from procnto

typedef void (*sim_fill_fn)(struct sim *, struct sim_task *, const struct sim_step *,
                            struct sim_event *);
typedef void (*sim_body_fn)(struct sim *, struct sim_task *, const struct sim_step *);

// By operation. `call` is enum sim_call plus 1; 0: not a kernel call.
struct sim_call_rule {
    uint8_t call;
    sim_fill_fn fill;
    sim_body_fn body;
    sim_fill_fn leave; // NULL: returns zeros
};
extern const struct sim_call_rule sim_call_rules[SIM_OP_LAST];

// Returns a random value of a..b of a step, times `unit` nanoseconds.
uint64_t sim_random_ns(struct sim *sim, const struct sim_step *step, uint64_t unit);
struct sim_mutex *sim_mutex_of(struct sim *sim, const struct sim_task *task, int32_t a);
void sim_fill_mutex(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                    struct sim_event *event);

// script.c ---------------------------------------------------------------------------------------

// Executes one action of the task that runs on sim->here and sets its next need.
void sim_act(struct sim *sim, struct sim_task *task);

// scenario.c -------------------------------------------------------------------------------------

const struct sim_scenario *sim_scenario_find(const char *name);

// Returns the template of a generated background thread by number.
const struct sim_thread_template *sim_background_thread(uint32_t n);

// Returns whether a thread is the one of --thread-load, "sensor/sample"; the process may have a path.
bool sim_is_loaded(const char *loaded, const char *process, const char *thread);

#endif
