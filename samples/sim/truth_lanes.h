// SPDX-License-Identifier: Apache-2.0
//
// truth_lanes: internal interface of truth.c (follows the events), truth_write.c (writes records, keeps
// sums) and truth_causes.c (writes wakes, waits and priorities).

#ifndef TTSIM_TRUTH_LANES_H
#define TTSIM_TRUTH_LANES_H

#include "json.h"
#include "truth.h"

enum { CLASS_RUNNING, CLASS_READY, CLASS_IPC, CLASS_LOCK, CLASS_SLEEP, CLASS_WAIT, CLASS_STOPPED };
enum { CLASS_DEAD = CLASS_STOPPED + 1, CLASS_UNKNOWN, CLASSES };
enum ready_kind { READY_OTHER, READY_WOKEN, READY_PREEMPTED };
enum delay_kind { DELAY_SCH, DELAY_PREEMPTED, DELAY_WAIT, DELAYS };
enum why { WHY_UNKNOWN, WHY_VOLUNTARY, WHY_PREEMPTED };

struct delay_sum {
    uint64_t count, ticks, max;
};

// A thread from its creation to its destruction. A lane has one, or several in sequence if the
// format does not distinguish them.
struct life {
    uint32_t number; // sim_thread.life
    uint64_t begin, end;
    bool since_before; // it existed before the capture, or its creation was lost
    bool ended;
    bool written;
};

struct lane {
    bool used;
    struct lane *next; // of all lanes
    uint64_t pid, tid; // as recorded
    uint32_t qnx_tid, serial;
    struct life life;  // the current or the last one
    uint32_t instance; // number of processes of this pid whose end is in the capture before
    char name[SIM_NAME_MAX];
    uint8_t idle;
    uint8_t state;    // enum sim_state, or SIM_UNKNOWN
    bool begun;       // its creation or a state was recorded: a lane from then on
    bool since_known; // false: the state began before the capture, or in a loss
    bool end_unseen;  // of the interval to be closed: its end was lost
    bool forgotten;   // its end was not seen, and another thread has its slot
    uint32_t slot;    // of the thread in the simulation: addresses in files are derived from it
    uint64_t since;
    uint64_t irq_at_since; // of its CPU, while running
    int cpu;               // runs there, or ran there last; -1: never seen running
    enum ready_kind ready_kind;
    uint64_t left_at; // when it left its CPU to wait, UINT64_MAX: not known
    uint64_t class_ticks[CLASSES];
    uint64_t irq_ticks; // within running
    uint64_t in, out, out_why[3], migrations;
    struct delay_sum delay[DELAYS];
    struct delay_sum slice;        // runs whose beginning and end are known, without interrupts
    uint64_t sent_at, received_at; // the message in transit; 0: not seen
    uint64_t message;              // its id
    bool message_open;
    bool in_call;       // the capture has the begin of its kernel call
    bool in_fault;      // and of its page fault
    bool client_unseen; // the capture does not contain the sender
    bool server_unseen; // the capture does not contain the receiver
    uint64_t server_pid, server_tid;
    uint64_t chid, error; // of the message; 0: not known
    uint16_t priority;    // the last one in the capture, plus 1; 0: none
};

// A pulse that was sent and not received.
struct pulse_truth {
    uint64_t serial, id, sent, pid, tid, server_pid, chid;
    bool of_kernel, unseen; // unseen: the capture does not contain the sender
};

// The thread or process that the thread of a slot waits for.
struct wait_truth {
    uint8_t kind; // enum sim_wait_kind
    uint64_t pid, tid, by_pid, by_tid, since, object;
    uint32_t slot, by_slot;
};

enum cpu_state { CPU_UNKNOWN, CPU_KERNEL, CPU_RUNNING };

struct cpu_truth {
    enum cpu_state state;
    struct lane *occupant; // current or last thread; NULL: not known
    enum why left;         // why the occupant left, while in the kernel
    bool met;              // a thread was seen on it
    bool reasoned;         // a record has the reason why its thread leaves next
    bool delivered;        // SIM_QNX80: an INT_DELIVER was seen
    uint64_t last;         // time up to which the sums are
    uint64_t busy, idle, irq, kernel, unknown, switches;
    uint32_t depth;
    struct {
        uint32_t vector;
        uint64_t since;
    } frames[8];
};

struct sim_truth {
    const struct sim_config *config;
    enum sim_truth_detail detail;
    const struct sim_view *view; // NULL: all is seen
    struct json json;
    struct lane *lanes;  // all, the newest first
    struct lane spare;   // used if out of memory
    struct lane **slots; // by slot: the lane of its thread, or of its previous one; NULL: none
    struct cpu_truth cpu[SIM_CPU_MAX];
    uint64_t first, last; // times of the first and the last event that the file has
    uint64_t stream_last[SIM_CPU_MAX];
    uint64_t lost[SIM_CPU_MAX];            // events lost since the last that was kept, by stream
    const struct sim_losses *known_losses; // of CPUs with a stream each, in order of begin
    size_t loss_at;                        // the next of them to begin
    bool in_loss[SIM_CPU_MAX];             // one has begun
    uint64_t events, by_kind[SIM_KINDS];
    uint64_t lost_total, losses, messages, pulses, interrupts, nested, switches, intervals;
    uint64_t lives, wakes;
    uint32_t slot_count;
    struct pulse_truth *open_pulses;
    uint32_t open_count, open_max;
    struct wait_truth *waits;                // by slot
    struct sim_event postponed[SIM_CPU_MAX]; // switches that no record has yet; thread NULL: none
    bool cpu_streams;                        // each CPU has a stream of its own
    bool sees_priorities;                    // states are recorded with the thread's priority
    bool overwritten;                        // the capture has the newest part of the run only
    bool started;
    uint32_t uses[SIM_PID_MAX];        // processes of each pid that ended
    uint32_t last_serial[SIM_PID_MAX]; // serial of the last one, 0: it ended, or none
};

// truth_write.c -----------------------------------------------------------------------------------

bool truth_is_full(const struct sim_truth *truth);
bool truth_is_waiting(unsigned state);

// Return the properties of the format's view: see struct sim_view.
bool truth_sees_koids(const struct sim_truth *truth);
bool truth_sees_lives(const struct sim_truth *truth);
bool truth_sees_switches_only(const struct sim_truth *truth);

// Sets the ids of a thread by the format's numbering.
void truth_ids(const struct sim_truth *truth, const struct sim_thread *thread, uint64_t *pid,
               uint64_t *tid);

// Returns the state that the format shows for a state.
unsigned truth_seen_as(const struct sim_truth *truth, unsigned state);

const char *truth_state_name(const struct sim_truth *truth, unsigned state);

// Returns the ticks of interrupts on a CPU until now.
uint64_t truth_irq_until(const struct cpu_truth *cpu, uint64_t now);

// Ends the lane's interval and begins one of another state; `known`: it begins just now.
void truth_set_state(struct sim_truth *truth, struct lane *lane, unsigned state, uint64_t now,
                     bool known);
// Changes the state where the end of the current interval was not seen.
void truth_cut_state(struct sim_truth *truth, struct lane *lane, unsigned state, uint64_t now);
void truth_close_interval(struct sim_truth *truth, struct lane *lane, uint64_t now);
// Writes the lane's current life, once, when it or the capture ends.
void truth_write_life(struct sim_truth *truth, struct lane *lane, uint64_t now);
void truth_write_delay(struct sim_truth *truth, struct lane *lane, enum delay_kind kind,
                       uint64_t from, uint64_t to);
// Writes the message of a client. `replied` 0: it was not answered. `why`: "lost" where a loss makes
// the rest unknown, "left" and "died" where the client stopped waiting or ended; NULL.
void truth_write_message(struct sim_truth *truth, struct lane *client, uint64_t replied,
                         const char *why, uint64_t at);
// Follow the pulses: sent, received, and lost from a time on (0: not received in the capture).
// Writes an entry that was taken from a queue.
void truth_entry_taken(struct sim_truth *truth, const struct sim_event *event);
void truth_pulse_sent(struct sim_truth *truth, const struct sim_event *event, bool unseen);
void truth_pulse_received(struct sim_truth *truth, const struct sim_event *event, bool unseen);
void truth_pulses_end(struct sim_truth *truth, uint64_t lost);
void truth_write_switch(struct sim_truth *truth, const struct lane *from, const struct lane *to,
                        uint32_t cpu, uint64_t now, enum why why);
void truth_write_interrupt(struct sim_truth *truth, uint32_t cpu, uint64_t end, bool cut);
void truth_write_loss(struct sim_truth *truth, uint32_t stream, uint64_t from, uint64_t to);
// Writes a loss after which the stream has no records: the capture does not show it.
void truth_write_lost_end(struct sim_truth *truth, uint32_t stream);
void truth_write_start(struct sim_truth *truth, const char *format);
void truth_sum_lane(struct sim_truth *truth, const struct lane *lane);
void truth_sum_cpu(struct sim_truth *truth, uint32_t number);
void truth_sum_run(struct sim_truth *truth, const struct sim_counts *counts);

// truth_causes.c ---------------------------------------------------------------------------------

// Writes the wake of a thread that waited in the visible state `was`.
void truth_write_wake(struct sim_truth *truth, const struct sim_event *event, unsigned was);
// Tracks the causes of waits (SIM_WAITS_FOR), and ends those that are left.
void truth_wait(struct sim_truth *truth, const struct sim_event *event);
void truth_close_waits(struct sim_truth *truth);
// Write a change of a priority: in the kernel, and where an event of the capture has it.
void truth_priority(struct sim_truth *truth, const struct sim_event *event);
void truth_priority_seen(struct sim_truth *truth, struct lane *lane,
                         const struct sim_thread *thread, uint64_t now);

#endif
