// SPDX-License-Identifier: Apache-2.0
//
// writer: converts the engine's events to one file format, as far as the format can represent them.
// It receives the events one by one and stores only the format's own buffer or ring.
//
// Ring modes: a ring has the newest part of a run, which is known only at the end. A run is
// therefore simulated twice: first with `dry` set, which writes nothing and counts the events
// before the kept part, then with `skip` set to that number. No events are stored, and the truth
// begins at the same event.

#ifndef TTSIM_WRITER_H
#define TTSIM_WRITER_H

#include "out.h"
#include "sim.h"

enum sim_kev_mode { SIM_KEV_FAST, SIM_KEV_WIDE, SIM_KEV_MIXED };

enum sim_ftrace_compression { SIM_FTRACE_NONE, SIM_FTRACE_ZSTD, SIM_FTRACE_ZLIB };

struct sim_write_config {
    const struct sim_config *run;
    bool dry;
    bool ring;
    bool overwritten; // the file has the newest part of the run only
    bool big_endian;
    uint32_t lose;         // one buffer in N is lost; 0: none
    uint32_t ring_buffers; // buffers (kev), events (trx), KiB (btrace)
    bool kev_dropped;      // kev 8.0: a loss is a DROPPED event, without a gap in the sequence
    uint32_t interlace;    // kev: one combine event in N is split; 0: none
    enum sim_kev_mode kev_mode;
    bool btrace_64;         // 64-bit time stamps also on one CPU
    uint32_t btrace_ring;   // KiB of a free-running buffer; 0: all is kept
    bool fxt_legacy;        // the older context switch records
    bool fxt_large;         // a large record, with more words than other headers can represent
    uint32_t fxt_providers; // 1..8
    uint32_t thread_slots;  // sim_thread_slots()
    bool trx_64, trx_down;
    uint32_t trx_bits;         // width of the timer: 16, 24 or 32
    bool ftrace_v6, ftrace_32; // version 6; a kernel of 32 bits
    uint32_t ftrace_page;      // bytes
    enum sim_ftrace_compression ftrace_compression;
    const char *ftrace_kernel;
    const char *directory; // of a capture that is one
    bool lttng_ctf2, lttng_large,
        lttng_contexts;    // metadata in JSON; large event headers; pid, tid, procname
    uint32_t lttng_packet; // bytes
    const char *zephyr_release;
    uint32_t kev_slots; // slots in a buffer, 0: the version's own
    uint32_t only_cpu;  // records of this CPU only (btrace); UINT32_MAX: all
};

struct sim_counts {
    uint64_t events;  // in the file, as the format counts them
    uint64_t records; // slots (kev), records (fxt, btrace), entries (trx), events (ftrace)
    uint64_t lost;    // events that were lost on purpose
    uint64_t lost_buffers;
    uint64_t classes[32]; // events by class (kev), type (fxt), category (btrace)
    struct {
        const char *name; // NULL after the last
        uint64_t count;
    } named[8];    // other counts of the format
    uint64_t last; // time of the last record, where the format has one after the events
    uint64_t skip; // dry: events of the engine before the kept part
};

enum sim_written {
    SIM_WRITTEN_NONE,    // the format cannot represent it
    SIM_WRITTEN_EARLIER, // a switch: a record before it has the next thread
    SIM_WRITTEN,
    SIM_WRITTEN_LOST // it went into a buffer that is lost
};

// The states that a format can represent, where QNX traces have more. The truth has the visible ones.
struct sim_view {
    bool koids;         // processes and threads have ids that are not reused
    bool linux_ids;     // those of Linux; else koids
    bool created_ready; // the creation of a thread makes it ready
    bool cpu_streams;   // each CPU has a stream of its own, with losses of its own
    bool
        leaves_by_reason; // records before a switch show why: where they are unseen, so is the state
    bool names_running;   // each record has the thread that runs on its CPU
    bool lives;           // threads that reuse a tid and slot are distinct
    bool leaves_at_switch; // a thread runs until the next one runs
    bool names_outgoing;   // a switch has the outgoing thread and its state
    bool no_wakes;         // there are no wakeups
    bool initial_runs;     // threads that run at the start appear to begin then
    bool no_interrupts;    // interrupt time is part of the threads'
    bool at_records;       // records have the running thread; a switch without a record is seen in
                           // the one before it (SIM_WRITTEN_EARLIER), else in the next one
    struct {
        uint8_t state;    // visible enum sim_state, or SIM_UNKNOWN
        const char *name; // NULL: see `other`
        bool by_call;     // seen as `other` where its kernel call began unseen
    } states[SIM_STATES], other;
};

struct sim_writer {
    const char *name;
    bool hears_all; // keeps its ring in memory: receives the events before the kept part, too
    const char *main_file; // of a capture that is a directory; NULL: it is a file
    // Returns NULL if out of memory or with a reason in *why.
    void *(*open)(const struct sim_write_config *config, struct sim_out *out, const char **why);
    enum sim_written (*event)(void *self, const struct sim_event *event);
    // Writes buffered data during the run (paced output).
    void (*flush)(void *self);
    // Ends the file and frees the writer.
    void (*close)(void *self, struct sim_counts *counts);
    // Returns the counts so far.
    const struct sim_counts *(*counts)(const void *self);
    // Returns the visible states; NULL: all.
    const struct sim_view *(*view)(const struct sim_write_config *config);
};

extern const struct sim_writer sim_writer_kev;
extern const struct sim_writer sim_writer_trx;
extern const struct sim_writer sim_writer_fxt;
extern const struct sim_writer sim_writer_btrace;
extern const struct sim_writer sim_writer_ftrace;
extern const struct sim_writer sim_writer_lttng;
extern const struct sim_writer sim_writer_zephyr;

#endif
