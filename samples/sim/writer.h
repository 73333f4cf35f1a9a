// SPDX-License-Identifier: Apache-2.0
//
// A writer turns the engine's events into one file format, as far as the format can say them.
// It is told the events one by one and keeps only what its format keeps (a buffer, a ring).
//
// Ring modes. A ring holds the newest part of a run, but which part is known at its end only. So
// a run is made twice: first with `dry` set, which writes nothing and finds how many events come
// before the kept part; then with `skip` set to that number. Nothing has to be remembered, and
// the truth can begin at the same event.

#ifndef TTSIM_WRITER_H
#define TTSIM_WRITER_H

#include "out.h"
#include "sim.h"

enum sim_kev_mode { SIM_KEV_FAST, SIM_KEV_WIDE, SIM_KEV_MIXED };

struct sim_write_config {
    const struct sim_config *run;
    bool dry;
    bool ring;
    bool big_endian;
    uint32_t lose;         // one buffer in so many is lost; 0: none
    uint32_t ring_buffers; // buffers (kev), events (trx), KiB (btrace)
    uint32_t interlace;    // kev: one combine event in so many is parted; 0: none
    enum sim_kev_mode kev_mode;
    bool btrace_64;         // time stamps of 64 bits on one CPU too
    uint32_t btrace_ring;   // KiB of a free-running buffer; 0: all is kept
    bool fxt_legacy;        // context switches as they were recorded at first
    uint32_t fxt_providers; // 1..8
    uint32_t thread_slots;  // sim_thread_slots()
    bool trx_64, trx_down;
    uint32_t trx_bits;  // width of the timer: 16, 24 or 32
    uint32_t kev_slots; // slots in a buffer, 0: the version's own
};

struct sim_counts {
    uint64_t events;  // in the file, by the format's own meaning
    uint64_t records; // slots (kev), records (fxt, btrace), entries (trx)
    uint64_t lost;    // events that were lost on purpose
    uint64_t lost_buffers;
    uint64_t classes[32]; // events by class (kev), type (fxt), category (btrace)
    struct {
        const char *name; // NULL after the last
        uint64_t count;
    } named[8];    // what else the format counts
    uint64_t last; // time of the last record, where the format puts one behind the events
    uint64_t skip; // dry: events of the engine before the kept part
};

enum sim_written {
    SIM_WRITTEN_NONE, // the format cannot say it
    SIM_WRITTEN,
    SIM_WRITTEN_LOST // it went into a buffer that is lost
};

// What a format lets one see of the states, where that is less than QNX's traces show. The truth
// is told as it can be seen.
struct sim_view {
    bool koids;            // processes and threads go by their koids
    bool lives;            // a thread that has another one's tid and slot is told apart from it
    bool leaves_at_switch; // a thread runs until the next one does, whatever it waits for
    bool names_outgoing;   // a switch says who leaves, and into what state
    bool no_wakes;         // nothing tells when a thread becomes ready
    bool initial_runs;     // who runs at the start is told as if it began to run just then
    bool no_interrupts;    // their time is not told apart from that of threads
    struct {
        uint8_t state;    // enum sim_state that it is seen as, or SIM_UNKNOWN
        const char *name; // NULL: see `other`
    } states[SIM_STATES], other;
};

struct sim_writer {
    const char *name;
    bool hears_all; // its ring is its own memory: it wants the events before the kept part too
    // NULL: out of memory, or *why says what cannot be.
    void *(*open)(const struct sim_write_config *config, struct sim_out *out, const char **why);
    enum sim_written (*event)(void *self, const struct sim_event *event);
    // Hands over what is buffered, in the middle of the run (paced output).
    void (*flush)(void *self);
    // Ends the file and frees the writer.
    void (*close)(void *self, struct sim_counts *counts);
    // So far.
    const struct sim_counts *(*counts)(const void *self);
    // What it lets one see, NULL: all states, when they happen.
    const struct sim_view *(*view)(const struct sim_write_config *config);
};

extern const struct sim_writer sim_writer_kev;
extern const struct sim_writer sim_writer_trx;
extern const struct sim_writer sim_writer_fxt;
extern const struct sim_writer sim_writer_btrace;

#endif
