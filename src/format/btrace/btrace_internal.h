/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_internal: declarations shared by the files of the BTrace decoder.
 *
 *       btrace.c           probe, open, the format's table
 *       btrace_decode.c    the walk along the tape, the cursor's state, events
 *       btrace_decode_fast.c runs of plain records
 *       btrace_clock.c     timestamps to ticks
 *       btrace_damage.c    what is a record
 *       btrace_verdicts.c  the decisions about it
 *       btrace_learn.c     what the learning cursor adds: types, names of objects, health
 *       btrace_threads.c   processes and threads
 *       btrace_cpu.c       threads and interrupts on a CPU
 *       btrace_heap.c      sums of heaps and chunks
 *       btrace_multipart.c traces in several records
 *       btrace_actions.c   what a record means for threads and CPUs
 *       btrace_describe.c  arguments and parts of one event
 *       btrace_edges.c     begin and end events
 *       btrace_cache.c     the decoder's tables in the index cache
 *
 *  A tape position is a file offset. The decoder belongs to the capture, a cursor to its user; only
 * the learning cursor has a `learner`.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_INTERNAL_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_INTERNAL_H

#include <stdatomic.h>

#include "format/action_out.h"
#include "format/btrace/btrace_clock.h"
#include "format/btrace/btrace_cpu.h"
#include "format/btrace/btrace_heap.h"
#include "format/btrace/btrace_multipart.h"
#include "format/btrace/btrace_names.h"
#include "format/btrace/btrace_record.h"
#include "format/btrace/btrace_tables.h"
#include "format/btrace/btrace_verdicts.h"
#include "tracetui/format.h"

/* Indices into btrace_states. */
enum btrace_state {
    BTRACE_STATE_UNKNOWN, /* off the CPU, reason not recorded */
    BTRACE_STATE_RUNNING,
    BTRACE_STATE_FAST_MUTEX,
    BTRACE_STATE_MUTEX,
    BTRACE_STATE_SEMAPHORE,
    BTRACE_STATE_CONDVAR,
    BTRACE_STATE_DEAD,
    BTRACE_STATE_COUNT,
};

extern const struct tt_excerpt_format btrace_excerpt; /* btrace_excerpt.c */

extern const struct tt_state_info btrace_states[BTRACE_STATE_COUNT];

/* Counter series with fixed names. */
enum btrace_series {
    BTRACE_SERIES_FREE_RAM,
    BTRACE_SERIES_KERNEL_MISC,
    BTRACE_SERIES_DRIVER_RAM,
    BTRACE_SERIES_PAGING_CACHE,
    BTRACE_SERIES_ALL_CHUNKS,
    BTRACE_SERIES_COUNT,
};

/* Effects of a record on threads and CPUs, by its category and sub-category. */
enum btrace_effect {
    BTRACE_NO_EFFECT,
    BTRACE_SWITCHES,
    BTRACE_ENTERS_IRQ,
    BTRACE_LEAVES_IRQ,
    BTRACE_ENTERS_FIQ,
    BTRACE_LEAVES_FIQ,
    BTRACE_ENTERS_IDFC,
    BTRACE_LEAVES_IDFC,
    BTRACE_ACQUIRES,
    BTRACE_WAITS_FAST_MUTEX,
    BTRACE_WAITS_MUTEX,
    BTRACE_WAITS_SEMAPHORE,
    BTRACE_WAITS_CONDVAR,
    BTRACE_FREES_FAST_MUTEX,
    BTRACE_FREES_MUTEX,
    BTRACE_FREES_SEMAPHORE,
    BTRACE_FREES_CONDVAR,
    BTRACE_SENDS_MESSAGE,
    BTRACE_RECEIVES_MESSAGE,
    BTRACE_COMPLETES_MESSAGE,
    BTRACE_SETS_PRIORITY,
    BTRACE_CREATES_THREAD,
    BTRACE_DESTROYS_THREAD,
    BTRACE_CREATES_PROCESS,
    BTRACE_DESTROYS_PROCESS,
    BTRACE_STARTS_MEASUREMENT,
    BTRACE_ENDS_MEASUREMENT,
    BTRACE_COUNTS_KERNEL_MEMORY,
    BTRACE_COUNTS_CHUNK,
    BTRACE_COUNTS_HEAP,
    BTRACE_EFFECTS,
};

/*
 * The properties of a sub-category that decoding uses, in a word that is loaded at once:
 *
 *       bits 0..31                   32..39   40..47       48..
 *       | number of its type, plus 1 | kind | its work   | traits |
 *
 *  0: not seen.
 */
#define BTRACE_CODE_KIND    32
#define BTRACE_CODE_WORK    40
#define BTRACE_CODE_TEACHES (UINT64_C(1) << 48) /* there may be something to learn from it */
/* Known, and the thread is that of the context; NEW: also for a cursor that learns from it. */
#define BTRACE_CODE_PLAIN     (UINT64_C(1) << 49)
#define BTRACE_CODE_PLAIN_NEW (UINT64_C(1) << 50)

/* The work of a record beside its event: an enum btrace_effect, and these flags. */
#define BTRACE_WORK_EFFECT 0x3fu /* mask of the effect */
#define BTRACE_WORK_NOTE   0x40u /* its kind is in TT_NOTE_KINDS */
#define BTRACE_WORK_INFER  0x80u /* without a context its thread is the one on the CPU */

static inline unsigned btrace_code_work(uint64_t code)
{
    return code >> BTRACE_CODE_WORK & UINT8_MAX;
}

static inline enum btrace_effect btrace_code_effect(uint64_t code)
{
    return (enum btrace_effect)(btrace_code_work(code) & BTRACE_WORK_EFFECT);
}

struct btrace_decoder {
    struct btrace_clock clock;
    uint64_t front; /* of the first record: 0 unless the file was cut at the front */
    struct btrace_names names;
    struct btrace_jumps jumps;
    struct tt_column verdicts;            /* btrace_verdicts.h */
    uint32_t series[BTRACE_SERIES_COUNT]; /* numbers of counter series */
    /* By category and sub-category as in a record's first word. Only pages in use take memory. */
    _Atomic uint64_t codes[1u << 16];
};

/* A measurement between EMetaTraceMeasurementStart and its End. */
struct btrace_measurement {
    uint32_t id;
    uint32_t id2;
    uint32_t thread; /* lane that started it, or TT_NO_THREAD */
    uint32_t type;   /* of the event that started it */
};

#define BTRACE_MEASUREMENTS 16

/* Everything that decides the meaning of the next record. Plain data: saved and loaded. */
struct btrace_state_blob {
    uint64_t pos;
    struct btrace_time time;
    int64_t kernel_misc; /* bytes since the start of the capture */
    int64_t driver_ram;
    uint64_t lost_after; /* ticks of the last record before the loss in `lost` */
    bool any;            /* a record has been read */
    bool lost;           /* records were lost, not yet reported in an event */
    bool switches;       /* an ENewThreadContext has been read */
    bool resuming;       /* a CPU has a thread that `resumes` */
    bool overwritten;    /* the stream is the newest part of a ring: its beginning is missing */
    uint8_t measurement_count;
    uint8_t cpu_count; /* used part of `cpus` */
    struct btrace_measurement measurements[BTRACE_MEASUREMENTS];
    struct btrace_cpu cpus[BTRACE_CPUS];
};

/* Cache of recently used lanes by address; 0: empty. */
struct btrace_lane_slot {
    uint32_t address;
    uint32_t lane;
    /*
     * The number of processes that had ended, as the learning cursor counts them, when this was the
     * lane of its next record with the address; BTRACE_UNSETTLED: it may not be.
     */
    uint32_t settled;
    /* For other records, and other cursors: */
    uint32_t newest; /* the key's newest version at that time */
    const struct btrace_key *key;
    uint64_t from;
    uint64_t until;
    /* To find out whether the lane's process has ended; learner only. NULL: not looked up yet. */
    const struct tt_thread *thread;
    const struct tt_process *process;
    uint32_t process_number;
};

#define BTRACE_LANE_SLOTS 256
#define BTRACE_UNSETTLED  UINT32_MAX

/* A record of which more bytes may show something wrong, and what it was judged by. */
struct btrace_belief {
    uint64_t pos;
    uint64_t ticks;
    unsigned cpus;
    bool started, damaged;
};

#define BTRACE_BELIEFS 4u

struct btrace_learner {
    struct btrace_groups *groups;
    uint64_t frontier; /* everything before it has been learnt */
    uint64_t records;  /* records so far */
    uint32_t heap_series;
    uint32_t chunk_series;
    bool memory_short;  /* an allocation failed */
    bool info_reported; /* a differing second EMetaTraceTimestampsInfo was reported */
    bool cpu_reported;  /* a CPU beyond BTRACE_CPUS was reported */
    bool may_expire;    /* a multipart trace may be open */
    unsigned beliefs;   /* used part of `belief`, at the end of a growing file */
    struct btrace_belief belief[BTRACE_BELIEFS];
};

struct tt_cursor {
    struct tt_capture *capture;
    struct btrace_decoder *decoder;
    struct btrace_learner *learner;
    struct btrace_state_blob state;
    struct btrace_ledger ledger;
    uint64_t bad_from;      /* last unreadable position waiting for more bytes ... */
    uint64_t bad_resume;    /* ... and the end of the search so far */
    struct tt_action spare; /* written if no actions are requested */
    uint32_t ends;          /* processes whose end was learned */
    /* Bytes of a header by its flags; UINT8_MAX if the record cannot be plain in a run of `flags`. */
    uint8_t headers[UINT8_MAX + 1];
    uint8_t headers_flags;
    /* The first one is that of address 0, no thread: always in the cache. */
    struct btrace_lane_slot lanes[BTRACE_LANE_SLOTS + 1];
};

/* Returns the payload of a single record; of a first part, without N. */
static inline struct tt_bytes btrace_payload(const struct btrace_record *record)
{
    struct tt_bytes all = tt_bytes_of(record->data, record->length);
    return record->part == BTRACE_FIRST ? tt_bytes_slice(all, 4, all.size) : all;
}

/* Returns a word of a payload; 0 if it ends before. */
static inline uint32_t btrace_word(struct tt_bytes payload, unsigned index)
{
    return tt_bytes_has(payload, index * 4u, 4) ? tt_load_u32(payload.data + index * 4u, false) : 0;
}

/* ---- btrace_learn.c --------------------------------------------------------------------- */

struct btrace_learner *btrace_learner_new(void);
void btrace_learner_free(struct btrace_learner *learner);

/* Returns whether this is a learning cursor that reads `pos` for the first time. */
static inline bool btrace_learns(const struct tt_cursor *cursor, uint64_t pos)
{
    return cursor->learner && pos >= cursor->learner->frontier;
}

/*
 * Returns whether there may be something to learn from a record with this code, beside its type and its
 * thread. Most records are single ones of a category without names and sums, on a known CPU.
 */
static inline bool btrace_teaches(const struct tt_cursor *cursor,
                                  const struct btrace_record *record, uint64_t code)
{
    return (code & BTRACE_CODE_TEACHES) != 0 || record->part != BTRACE_WHOLE ||
           (record->flags & BTRACE_TRUNCATED) != 0 || record->cpu >= cursor->capture->cpu_count ||
           record->cpu >= BTRACE_CPUS || cursor->learner->may_expire;
}

/* Learns from a record; `bytes`: the file up to the limit. */
void btrace_learn(struct tt_cursor *cursor, struct tt_bytes bytes,
                  const struct btrace_record *record);
/* Reports bytes that are not records. */
void btrace_learn_bad(struct tt_cursor *cursor, uint64_t from, uint64_t to);
/* Reports a problem of a record, if it is read for the first time. */
void btrace_learn_health(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos,
                         uint64_t value, const char *detail);
/* Handles the end of a file that does not grow: open traces remain unfinished. */
void btrace_learn_end(struct tt_cursor *cursor, uint64_t pos);

/* Adds a type that a record has for the first time; UINT32_MAX when out of memory. */
uint32_t btrace_type_add(struct tt_cursor *cursor, uint8_t category, uint8_t sub);

/* Returns the code of a record by the high half of its first word; 0 if its type is not known. */
static inline uint64_t btrace_code_at(const struct btrace_decoder *decoder, uint32_t half)
{
    return atomic_load_explicit(&decoder->codes[half], memory_order_acquire);
}

/* Does the same by category and sub-category. */
static inline uint64_t btrace_code_known(const struct btrace_decoder *decoder, uint8_t category,
                                         uint8_t sub)
{
    return btrace_code_at(decoder, (uint32_t)sub << 8 | category);
}

/* Returns the code of a record with this type number. */
uint64_t btrace_code_of(uint8_t category, uint8_t sub, uint32_t type);

/*
 * Returns the code of a record; a learning cursor adds the type. The type is UINT32_MAX if it is unknown
 * or if memory is exhausted.
 */
static inline uint64_t btrace_code(struct tt_cursor *cursor, uint8_t category, uint8_t sub)
{
    uint64_t known = btrace_code_known(cursor->decoder, category, sub);
    if (known != 0) {
        return known;
    }
    uint32_t type = cursor->learner ? btrace_type_add(cursor, category, sub) : UINT32_MAX;
    return btrace_code_of(category, sub, type);
}

/* Stores the type number, and so the code, of a record. Writer only. */
void btrace_set_type(struct btrace_decoder *decoder, uint8_t category, uint8_t sub, uint32_t type);

/* ---- btrace_threads.c ------------------------------------------------------------------- */

/* Maximum bytes of a name; longer ones are cut. */
#define BTRACE_NAME_MAX 512u

/* Interns the text of a name. */
tt_string btrace_intern_name(struct tt_cursor *cursor, struct tt_bytes text);
/* Sets the value of the object at `address` from `pos` on (see btrace_names.h). */
void btrace_set_name(struct tt_cursor *cursor, enum btrace_object object, uint32_t address,
                     uint64_t pos, uint32_t value);
/* Learns from a record of EThreadIdentification. */
void btrace_learn_identity(struct tt_cursor *cursor, uint8_t sub, struct tt_bytes payload,
                           uint64_t pos);
/* struct btrace_key.life, of threads and processes */
enum btrace_life {
    BTRACE_LIFE_FRESH = 1, /* a create record was read; the next name decides what is new */
    BTRACE_LIFE_ENDED = 2, /* a record of the end was read */
    BTRACE_LIFE_NAMED = 4,
    BTRACE_LIFE_GONE = 8,     /* EThreadDestroy was read: the thread no longer runs */
    BTRACE_LIFE_RENAMED = 16, /* the name changed after the thread's id was read */
};

/* Initializes the cache of lanes. */
void btrace_lanes_init(struct tt_cursor *cursor);

static inline struct btrace_lane_slot *btrace_lane_slot(struct tt_cursor *cursor, uint32_t nthread)
{
    uint32_t mixed = (nthread >> 2 ^ nthread >> 8 ^ nthread >> 14) % BTRACE_LANE_SLOTS;
    return &cursor->lanes[mixed + (nthread != 0)];
}

/* Returns whether a slot has the lane of its address at `pos`. */
static inline bool btrace_lane_is_current(const struct btrace_lane_slot *slot, uint64_t pos)
{
    return pos >= slot->from && pos < slot->until &&
           slot->newest == atomic_load_explicit(&slot->key->newest, memory_order_acquire);
}

/*
 * Returns whether a slot has the lane of an NThread at `pos`. `learns`: btrace_learns. The learner itself
 * makes the changes after which a slot is no longer settled.
 */
static inline bool btrace_lane_is_known(const struct tt_cursor *cursor,
                                        const struct btrace_lane_slot *slot, uint32_t nthread,
                                        uint64_t pos, bool learns)
{
    return slot->address == nthread &&
           (learns ? slot->settled == cursor->ends : btrace_lane_is_current(slot, pos));
}

/* btrace_lane_of for an NThread that is not in the cache, or if a process has ended since. */
uint32_t btrace_lane_find(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos);

/* Returns whether an NThread has a lane, for the learner. */
bool btrace_lane_exists(const struct tt_cursor *cursor, uint32_t nthread);
/* Returns whether an address is far from all threads so far: the kernel allocates them in its heap. */
bool btrace_lane_is_far(const struct tt_cursor *cursor, uint32_t nthread);

/* btrace_lane_of for a cursor of which `learns` is btrace_learns. */
static inline uint32_t btrace_lane_at(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos,
                                      bool learns)
{
    const struct btrace_lane_slot *slot = btrace_lane_slot(cursor, nthread);
    return btrace_lane_is_known(cursor, slot, nthread, pos, learns)
               ? slot->lane
               : btrace_lane_find(cursor, nthread, pos);
}

/* Returns the lane of an NThread at `pos`; a learning cursor adds it. TT_NO_THREAD for 0. */
static inline uint32_t btrace_lane_of(struct tt_cursor *cursor, uint32_t nthread, uint64_t pos)
{
    return btrace_lane_at(cursor, nthread, pos, btrace_learns(cursor, pos));
}

/* ---- btrace_actions.c ------------------------------------------------------------------- */

/*
 * Returns the CPU whose context a record changes or uses; NULL if it is not followed. The first use
 * adds the CPU.
 */
static inline struct btrace_cpu *btrace_cpu_of(struct tt_cursor *cursor,
                                               const struct btrace_record *record)
{
    struct btrace_state_blob *state = &cursor->state;
    if (record->cpu >= BTRACE_CPUS) {
        return NULL;
    }
    while (state->cpu_count <= record->cpu) {
        btrace_cpu_reset(&state->cpus[state->cpu_count++]);
    }
    return &state->cpus[record->cpu];
}

/* Handles a loss of records after the time `after`: the threads on the CPUs are unknown. */
void btrace_handle_loss(struct tt_cursor *cursor, uint64_t after);

/* A record that is applied to the cursor's state. */
struct btrace_actor {
    struct tt_cursor *cursor;
    const struct tt_event *event;
    struct tt_action_out out;
    struct btrace_cpu *cpu; /* NULL: not followed */
    const uint8_t *record;
    uint32_t header; /* bytes before the payload */
};

/* Returns the effect of a record. */
enum btrace_effect btrace_effect_of(uint8_t category, uint8_t sub);
/* Functions that apply a record to the cursor's state, and add its actions if requested. */
extern void (*const btrace_acts[BTRACE_EFFECTS])(struct btrace_actor *actor);
/* Adds the actions of a loss before the record. */
void btrace_act_loss(struct btrace_actor *actor);
/* Adds the switch to a thread that runs on after damage: on the record's CPU or, if none does, on another. */
void btrace_act_resume(struct btrace_actor *actor);
/* Adds the note of a program's own event, whose kind is in TT_NOTE_KINDS. */
void btrace_act_note(struct btrace_actor *actor);
/* ---- btrace_decode.c -------------------------------------------------------------------- */

struct tt_cursor *btrace_cursor_new(struct tt_capture *capture, bool learn);
void btrace_cursor_free(struct tt_cursor *cursor);
size_t btrace_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void btrace_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t btrace_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result btrace_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch);

/* ---- btrace_decode_fast.c --------------------------------------------------------------- */

/* Returns whether the batch has room for an event; `start`: position of its first one. */
static inline bool btrace_has_room(const struct tt_batch *batch, uint64_t start, uint64_t pos)
{
    if (batch->count >= batch->capacity ||
        (batch->byte_budget != 0 && pos - start >= batch->byte_budget)) {
        return false;
    }
    return !batch->actions || batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT;
}

/*
 * Decodes records up to the first one that is not plain, or until the batch is full; see
 * btrace_decode_fast.c. `start`: position of the batch's first record.
 */
void btrace_decode_plain(struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t start,
                         struct tt_batch *batch);

/* ---- btrace_describe.c ------------------------------------------------------------------ */

bool btrace_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args);
const char *btrace_object_name(const struct tt_capture *capture, unsigned kind, uint64_t id,
                               size_t *length);
/*
 * An interrupt begins with its Start record; a message lasts from EMessageSend to EMessageComplete.
 */
uint32_t btrace_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges);
/* struct tt_format, clue. */
void btrace_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue);
uint32_t btrace_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max);

/* ---- btrace_cache.c --------------------------------------------------------------------- */

void btrace_save(const struct tt_capture *capture, struct tt_section_writer *writer);
bool btrace_restore(struct tt_capture *capture, struct tt_reader *reader);

#endif
