// SPDX-License-Identifier: Apache-2.0
//
// sim: the scheduler simulator's objects and events, and the interface between engine and sinks.
//
// The engine (engine.c, kernel.c, script.c) simulates a priority-preemptive SMP kernel in integer
// ticks of one clock. It emits a sequence of `struct sim_event` to a `struct sim_sink`. Sinks are
// the writers (one per file format) and the truth (truth.c). A sink does not use the engine; an
// event has all data for the sinks.
//
//     scenario.c --tables--> engine --sim_event--> write_kev.c | write_fxt.c | ... --> out.c
//                                        \-------> truth.c                         --> out.c
//
// Time: `sim_event.time` is strictly ascending. The kernel has one lock, like QNX's, so no two
// events share an instant. Writers copy times unchanged, and the truth is exact to the tick. With
// `ties`, events of different CPUs may share an instant; their order is then the emission order.
//
// Start: the engine runs without output until the thread "tracelogger" starts the trace. It then
// emits existing objects (flag SIM_DUMP), and from then on every event.
//
// Memory: threads and processes are in arrays of fixed size; slots are reused. Pointers in an event
// are valid during the call only. Single-threaded, no locks.

#ifndef TTSIM_SIM_H
#define TTSIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIM_CPU_MAX = 64,
    SIM_NAME_MAX = 64,
    SIM_VALUES = 16,
    SIM_DYNAMIC_THREADS = 96, // slots for threads that scripts create
    SIM_DYNAMIC_PROCESSES = 24,
    // A slot's pids repeat after this many, so that short runs reuse pids. All pids are below
    // SIM_PID_MAX.
    SIM_PID_ROUND = 16,
    SIM_PID_MAX = 4096 * (SIM_PID_ROUND + 2)
};

// The kernel that the run imitates. It selects the thread states and the form of interrupts.
enum sim_model { SIM_QNX64, SIM_QNX71, SIM_QNX80 };

// Thread states, by the names of QNX. Those after WAITCTX exist in SIM_QNX80 only; older kernels
// wait in CONDVAR instead, because there such objects are implemented by condition variables.
// SIM_QNX80 has no WAITTHREAD: there the creator of a thread waits in WAITCTX.
enum sim_state {
    SIM_DEAD,
    SIM_RUNNING,
    SIM_READY,
    SIM_STOPPED,
    SIM_SEND,
    SIM_RECEIVE,
    SIM_REPLY,
    SIM_WAITTHREAD,
    SIM_WAITPAGE,
    SIM_SIGSUSPEND,
    SIM_SIGWAITINFO,
    SIM_NANOSLEEP,
    SIM_MUTEX,
    SIM_CONDVAR,
    SIM_JOIN,
    SIM_INTR,
    SIM_SEM,
    SIM_WAITCTX,
    SIM_MQ_SEND,
    SIM_MQ_RECEIVE,
    SIM_RWLOCK_READ,
    SIM_RWLOCK_WRITE,
    SIM_BARRIER,
    SIM_STATES,
    SIM_UNKNOWN = 255
};

enum sim_policy { SIM_FIFO = 1, SIM_RR = 2 };

// The event that ended a wait. An interrupt ends one with SIM_WAKE_TIMER or SIM_WAKE_INTERRUPT, a
// thread with one of the others.
enum sim_wake_kind {
    SIM_WAKE_NONE, // it did not wait: created, or displaced
    SIM_WAKE_MESSAGE,
    SIM_WAKE_REPLY,
    SIM_WAKE_PULSE,
    SIM_WAKE_SIGNAL,
    SIM_WAKE_UNLOCK,
    SIM_WAKE_CONDVAR,
    SIM_WAKE_POST,
    SIM_WAKE_BARRIER,
    SIM_WAKE_QUEUE,
    SIM_WAKE_CREATE, // the created thread ran
    SIM_WAKE_EXIT,   // the joined thread ended
    SIM_WAKE_TIMER,
    SIM_WAKE_INTERRUPT,
    SIM_WAKE_ERROR, // by a thread
    SIM_WAKE_KINDS
};

// The cause of a wait, as far as it is a thread or a process.
enum sim_wait_kind {
    SIM_WAIT_NONE,
    SIM_WAIT_HOLDER,  // of the mutex
    SIM_WAIT_SERVER,  // the thread that received its message
    SIM_WAIT_RECEIVE, // a process: no thread of it has received the message yet
    SIM_WAIT_JOIN,    // the thread whose end it waits for
    SIM_WAIT_CREATE,  // the thread that it created
    SIM_WAIT_KINDS
};

struct sim_process {
    uint32_t index; // slot
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t serial; // never reused, unlike a pid
    uint32_t threads_made;
    uint32_t first_life; // that of its first thread
    bool is64;           // a 64-bit program (never in SIM_QNX64)
    bool alive;
    char name[SIM_NAME_MAX];
};

struct sim_thread {
    uint32_t index; // slot
    uint32_t tid;
    uint32_t life; // never reused, unlike tid and slot
    uint32_t
        number; // of the threads that its process created, from 1; never reused within the process
    struct sim_process *process;
    uint8_t state;    // enum sim_state
    uint8_t priority; // current, with inheritance; 255 is the highest, 0 is idle
    uint8_t policy;   // enum sim_policy
    uint8_t idle;     // 1: the idle thread of CPU `cpu`
    uint16_t cpu;     // runs there, or ran there last
    bool alive;       // exists: created and not destroyed
    char name[SIM_NAME_MAX];
};

// Numbers that are never reused, for formats that need such. Idle threads have no process.
static inline uint64_t sim_process_koid(const struct sim_process *process)
{
    return (uint64_t)(process->serial + 1) << 20;
}

static inline uint64_t sim_thread_koid(const struct sim_thread *thread)
{
    return sim_process_koid(thread->process) + thread->number;
}

// The numbers of Linux: a thread has one that is unique, a process that of its first thread. Idle threads
// have 0.
static inline uint64_t sim_linux_tid(const struct sim_thread *thread)
{
    return thread->idle ? 0 : 100u + thread->life;
}

static inline uint64_t sim_linux_pid(const struct sim_thread *thread)
{
    return thread->idle ? 0 : 100u + thread->process->first_life;
}

// Kernel services. A call is a SIM_CALL at its entry and a SIM_CALL_EXIT at its end; the caller
// may wait in between. Values, by position:
enum sim_call {
    SIM_C_TRACE_EVENT,     // exit: 0
    SIM_C_MSG_SENDV,       // coid sparts rparts msg0 msg1 msg2       exit: status rmsg0 rmsg1 rmsg2
    SIM_C_MSG_RECEIVEV,    // chid rparts                             exit: see SIM_RECEIVE_VALUES
    SIM_C_MSG_REPLYV,      // rcvid sparts status msg0 msg1 msg2      exit: 0
    SIM_C_MSG_READV,       // rcvid msg_p parts offset                exit: bytes msg0 msg1 msg2
    SIM_C_MSG_SEND_PULSE,  // coid priority code value                exit: 0
    SIM_C_SIGNAL_KILL,     // nd pid tid signo code value             exit: 0
    SIM_C_SIGNAL_WAITINFO, // mask0 mask1                            exit: signo 0
    SIM_C_CONNECT_ATTACH,  // nd pid chid index flags                 exit: coid
    SIM_C_THREAD_CREATE,   // pid func arg flags stack priority policy exit: tid owner
    SIM_C_THREAD_DESTROY,  // tid priority status_p                   no exit: the caller is gone
    SIM_C_THREAD_JOIN,     // tid status_p                            exit: 0 status_p
    SIM_C_INTERRUPT_WAIT,  // flags sec nsec                          exit: 0
    SIM_C_TIMER_TIMEOUT,   // clock flags sec nsec                    exit: 0 sec nsec
    SIM_C_MUTEX_LOCK,      // sync_p count owner inherits             exit: 0
    SIM_C_MUTEX_UNLOCK,    // sync_p count owner inherits             exit: 0
    SIM_C_CONDVAR_WAIT,    // sync_p mutex_p count owner mcount mown  exit: 0 mutex_p
    SIM_C_BARRIER_WAIT,    // sync_p mutex_p, as CONDVAR_WAIT          exit: 0
    SIM_C_CONDVAR_SIGNAL,  // sync_p all count owner                  exit: 0
    SIM_C_SEM_POST,        // sync_p count owner                      exit: 0
    SIM_C_SEM_WAIT,        // sync_p try count owner                  exit: 0
    SIM_C_SCHED_SET,       // pid tid policy priority, see below      exit: 0
    SIM_C_SCHED_YIELD,     //                                         exit: 0
    SIM_C_CLOCK_TIME,      // clock sec nsec                          exit: 0 sec nsec
    SIM_C_QUEUE_SEND,      // queue_p count       (not a QNX kernel call: ThreadX only)
    SIM_C_QUEUE_RECEIVE,   // queue_p count       (likewise)
    SIM_C_MSG_ERROR,       // rcvid error                             exit: 0
    SIM_C_THREAD_SLAY,     // tid priority status_p: another thread   exit: 0
    SIM_CALLS
};

// Values of the exit of MSG_RECEIVEV: 0 rcvid, 1..3 message words, 4 pid, 5 tid, 6 chid, 7 scoid,
// 8 coid, 9 msglen, 10 srcmsglen, 11 dstmsglen, 12 priority, 13 flags.
// Values of SCHED_SET from 10 on, the parameters of the sporadic policy: 10 low priority, 11 most
// replenishments, 12 and 13 their period in s and ns, 14 and 15 the budget in s and ns.

// Of messages, value 2 is the channel's id; of pulses also value 3, a number that is never reused.
enum sim_comm {
    SIM_COMM_SMSG,       // value 0 rcvid; thread: the sender; partner_pid: the receiver's process
    SIM_COMM_SPULSE,     // value 0 scoid; partner_pid: the receiver's process
    SIM_COMM_RMSG,       // value 0 rcvid; thread: the receiver; partner: the sender
    SIM_COMM_RPULSE,     // value 0 scoid
    SIM_COMM_SPULSE_EXE, // a pulse of the kernel itself
    SIM_COMM_SIGNAL,     // value 0 signo, 1 code
    SIM_COMM_REPLY,      // partner: the client that is answered
    SIM_COMM_ERROR,      // the same, with error value 1
    SIM_COMM_SPULSE_UN   // a pulse of the kernel: a client's timeout is over
};

enum sim_kind {
    SIM_PROC_CREATE,    // process, text = name
    SIM_PROC_DESTROY,   // process
    SIM_THREAD_CREATE,  // thread
    SIM_THREAD_DESTROY, // thread
    SIM_THREAD_NAME,    // thread, text = name
    SIM_RUN,            // thread runs on cpu from now; partner: the previous thread of the CPU
    SIM_STATE, // thread is in `code`; value 0: what it waits for, or its state before READY; READY
               // also has `wake`
    SIM_PRIORITY, // thread's priority is now value 0 (was value 1)
    SIM_CALL,     // thread calls service `code` (enum sim_call)
    SIM_CALL_EXIT,
    SIM_COMM,          // `code` is enum sim_comm
    SIM_IRQ_ENTER,     // code = vector; value 0 ip; 1 nesting depth before; 2 a FIQ
    SIM_IRQ_EXIT,      // code = vector; value 0: 1 = a kernel call was interrupted
    SIM_HANDLER_ENTER, // code = vector; process: the handler's; value 0 ip, 1 area
    SIM_HANDLER_EXIT,  // code = vector; value 0 notify, 1 id, 2 code, 3 value
    SIM_IRQ_DELIVER,   // code = vector (SIM_QNX80: there is no handler)
    SIM_USER,          // code = number; values 0, 1
    SIM_USER_TEXT,     // code = number; text
    SIM_SYS_PATH,      // thread opens text
    SIM_SYS_MMAP,      // process; value 0 address, 1 length, 2 flags, 3 prot, 4 fd, 5 offset; text
    SIM_SYS_MUNMAP,    // process; value 0 address, 1 length
    SIM_SYS_PAGEWAIT,  // thread; value 0 ip, 1 address, 2 fault, 3 flags, 4 offset; text = object
    SIM_SYS_TIMER,     // thread's timer expired; value 0 timer id (~0: a timeout), 1 flags
    SIM_SYS_SLOG,      // code = severity; value 0 opcode; text = message
    SIM_SYS_IPI,       // code = command; value 0 ip; thread: the interrupted one
    SIM_TIME_SLICE,    // thread's slice is used up (ThreadX only)
    SIM_WAITS_FOR,     // no event of a trace: from now on thread waits for partner, or for process;
                       // `code` is enum sim_wait_kind, SIM_WAIT_NONE: for none; value 0: the object
    SIM_ENTRY_TAKEN, // no event of a trace: thread takes an entry of a queue that partner sent; value
                     // 0: address of the queue, 1: time of the send, 2: time of the receive
    // Of thread, a vCPU; value 0 the guest's ip, 1 its clock less that of the host, 2 and 3 its clock at the begin and
    // the end of the run.
    SIM_GUEST_ENTER,
    SIM_GUEST_CYCLES,
    SIM_GUEST_EXIT,
    SIM_KINDS
};

enum {
    SIM_DUMP = 1,     // an object that exists when the trace starts or ends
    SIM_USERLAND = 2, // a service done without entering the kernel (an uncontended mutex)
    SIM_PREEMPT = 4   // SIM_RUN: the previous thread was still ready
};

// The end of a thread's wait. The waker is the event's context, unless it is an interrupt.
struct sim_wake_cause {
    uint8_t kind;    // enum sim_wake_kind
    bool interrupt;  // the innermost one of the event's CPU
    uint32_t vector; // its number
    uint64_t object; // an address, rcvid, scoid, signal number, tid, or 0
};

struct sim_event {
    uint64_t time; // ticks of the run's clock
    uint16_t cpu;
    uint8_t kind; // enum sim_kind
    uint8_t flags;
    uint32_t code;
    const struct sim_thread *context; // the thread that runs on `cpu`
    const struct sim_thread *thread;  // the subject, often the same
    const struct sim_thread *partner;
    const struct sim_process *process;
    uint32_t partner_pid;
    uint32_t object;            // calls and handlers: number of the channel or interrupt object
    uint64_t value[SIM_VALUES]; // those not listed for the kind are 0
    struct sim_wake_cause wake; // SIM_STATE: of READY
    uint32_t bytes;             // bit a value: four bytes in the order of memory, lowest first
    const char *text;           // NULL, or NUL-terminated
};

// A receiver of events. `event` returns false to end the run after this event.
struct sim_sink {
    void *self;
    bool (*event)(void *self, const struct sim_event *event);
};

// The configuration of a run, from the command line (options.c).
struct sim_config {
    const char *scenario;
    uint64_t seed;
    uint64_t clock_hz;
    uint64_t start_ticks; // clock at the start of the trace, approximately
    uint64_t end_ticks;   // simulated ticks after the start at which the run ends; 0: never
    uint32_t cpus;
    uint32_t processes;            // extra background processes
    uint32_t threads;              // extra background threads, distributed over the processes
    uint32_t load;                 // per cent of the scenario's own run times
    char loaded[2 * SIM_NAME_MAX]; // process and thread whose run times are scaled, or ""
    uint32_t loaded_pct;           // by this many per cent
    uint32_t rate;                 // device interrupts per second; 0: the scenario's own
    enum sim_model model;
    bool ties;        // events of different CPUs may share an instant
    bool has_queues;  // message queues are kernel objects in any release
    bool dump_at_end; // ring mode: existing objects are emitted at the end
};

struct sim;

// Returns the configuration with the scenario's defaults filled in.
void sim_actual(const struct sim *sim, struct sim_config *config);

// Returns the number of thread slots, above every sim_thread.index; constant for a configuration.
uint32_t sim_thread_slots(const struct sim *sim);

// Creates a run. Returns NULL if out of memory or without such a scenario; *why has the cause.
struct sim *sim_open(const struct sim_config *config, const char **why);

// Runs until a sink ends it or the time is over; in ring mode then emits existing objects. Returns false if
// tracing does not start, since interrupts take all the time: their periods are few ticks of a slow clock.
bool sim_run(struct sim *sim, struct sim_sink *sinks, size_t sink_count);
void sim_close(struct sim *sim);

const char *sim_state_name(unsigned state);
// running ready ipc lock sleep wait stopped dead unknown
const char *sim_state_class(unsigned state);
const char *sim_call_name(unsigned call);
const char *sim_wake_name(unsigned kind); // enum sim_wake_kind
const char *sim_wait_name(unsigned kind); // enum sim_wait_kind

// The scenarios: name and a one-line description, NULL after the last.
const char *sim_scenario_name(size_t n);
const char *sim_scenario_about(size_t n);

#endif
