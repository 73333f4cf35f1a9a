/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_internal: declarations shared by the files of the FXT decoder.
 *
 *      fxt.c             the format table: probe, open, close
 *      fxt_decode.c      records in file order, definitions, damage
 *      fxt_decode_fast.c the fast path
 *      fxt_actions.c     timed records to events and actions
 *      fxt_sched.c       scheduling records to switches and wakeups
 *      fxt_names.c       references to strings, threads, types, through the cursor's caches
 *      fxt_objects.c     names of kernel and userspace objects
 *      fxt_describe.c    arguments on demand
 *      fxt_edges.c       begin and end events
 *      fxt_clues.c       the waker of each wake
 *      fxt_damage.c      which records are damage, where a stretch of it ends
 *      fxt_strangers.c   threads that only damage mentions, and those that run after it
 *      fxt_record.c fxt_tables_records.c fxt_resync.c    bytes to atoms
 *      fxt_references.c  registrations by key and position
 *      fxt_cache.c       all of them in the index cache
 *
 *  Providers. Strings, threads and the clock belong to a provider. A provider here is one
 * incarnation of an id: a provider info record with a known id starts a new one with empty tables.
 * Provider 0 is the implicit one, for files without provider records; references that a provider
 * has not registered are looked up there, because one known writer registers them before it names
 * its provider.
 *
 *  The learning cursor writes the tables, and only at positions that were not read before
 * (`learnt`); other cursors look up. `struct tt_fxt` lives from open to close; each cursor belongs
 * to its caller and to one thread.
 */
#ifndef TRACETUI_FORMAT_FXT_FXT_INTERNAL_H
#define TRACETUI_FORMAT_FXT_FXT_INTERNAL_H

#include "format/fxt/fxt_record.h"
#include "format/fxt/fxt_references.h"
#include "tracetui/format.h"

#define TT_FXT_DEFAULT_HZ  UINT64_C(1000000000)
#define TT_FXT_NO_PROVIDER UINT32_MAX
#define TT_FXT_MAX_TEXT    32768

struct tt_fxt_provider {
    uint64_t id;
    uint64_t last_switch; /* model ticks of its last scheduling record; 0: none */
    uint64_t lost_since;  /* last record known to precede the loss */
    bool lost;            /* its buffer filled up, and no scheduling record followed yet */
    bool damaged;         /* the same, because of damage */
    bool events_lost;     /* the same for events */
    uint64_t events_lost_since;
    uint64_t last_ticks; /* last timed record of its latest section */
};

/* Texts that the decoder compares with. */
struct tt_fxt_words {
    tt_string incoming_weight;
    tt_string outgoing_weight;
    tt_string weight;
    tt_string waker;
    tt_string process;
    tt_string cpu;
};

/* Ranges of a table's values: numbers in the capture's tables, except those without bounds. */
enum tt_fxt_values {
    TT_FXT_PROVIDERS,
    TT_FXT_CLOCKS, /* not 0 */
    TT_FXT_TICKS,
    TT_FXT_TEXTS,
    TT_FXT_LANES,
    TT_FXT_TYPES,
    TT_FXT_OBJECTS, /* type << 32 | tt_string */
    TT_FXT_SERIES,
    TT_FXT_PLACES, /* positions after the first half of the key */
};

/*
 * X(table, values). The comments give the key.
 */
#define TT_FXT_TABLES(X)                                                                           \
    X(sections, TT_FXT_PROVIDERS) /* (0, 0) */                                                     \
    X(ids, TT_FXT_PROVIDERS)      /* (id, 0) */                                                    \
    X(rates, TT_FXT_CLOCKS)       /* (provider, 0): ticks per second */                            \
    X(times, TT_FXT_TICKS)        /* (provider, 0): last ticks of its section */                   \
    X(strings, TT_FXT_TEXTS)      /* (provider, index) */                                          \
    X(threads, TT_FXT_LANES)      /* (provider, index) */                                          \
    X(texts, TT_FXT_TEXTS)        /* (hash, n-th text with this hash) */                           \
    X(types, TT_FXT_TYPES)        /* (category, name) */                                           \
    X(tids, TT_FXT_LANES)         /* (tid, 0) of threads seen first with their process */          \
    X(koids, TT_FXT_OBJECTS)      /* (koid, 0) */                                                  \
    X(objects, TT_FXT_TEXTS)      /* (process koid, pointer) */                                    \
    X(series_names, TT_FXT_TEXTS) /* (type << 32 | argument name, counter id) */                   \
    X(series, TT_FXT_SERIES)      /* (tt_string, process) */                                       \
    X(deadlines, TT_FXT_TICKS)    /* (thread, deadline): capacity, in the units of weights */      \
    X(jumps, TT_FXT_PLACES)       /* (position of damage, 0): where decoding resumes; */           \
                                  /* (number of a chunk, 1): the chunk has damage, wrong times */  \
                                  /* or the end of a loss */                                       \
    X(lost, TT_FXT_TICKS)         /* (position, 0 for a scheduling record, 1 for an event): */     \
                                  /* ticks since which records before it were lost; */             \
                                  /* (position, 2): ticks instead of a wrong time; */              \
                                  /* (position, 16 + CPU): lane that runs on it after damage */

/* Bytes of a chunk, as a shift: the fast path leaves marked ones to fxt_decode.c. */
#define TT_FXT_CHUNK_BITS 16

/* Times that the learning cursor has met; model ticks. */
struct tt_fxt_pace {
    uint64_t first;   /* of the first timed record */
    uint64_t last;    /* of the last one whose time is not wrong */
    uint64_t base;    /* the last time that was outside of the range before it */
    uint64_t step;    /* larger steps between timed records are judged */
    uint64_t counted; /* position of the first of the steps that are counted */
    uint64_t steps;   /* legal ones that are larger */
    uint64_t timed;   /* 0: no timed record yet */
    uint64_t walk; /* a record, at least TT_FXT_NEAR_BYTES before the position or the first one */
    uint64_t walk_next; /* a later one */
    uint64_t searched;  /* bytes that were searched for threads */
    uint64_t low;       /* times from this on, ... */
    uint64_t span;      /* ... up to `low` + `span`, need no check */
    uint64_t fast_low;  /* the same for the fast path */
    uint64_t fast_span;
};

/* Properties of the capture's threads, as far as these have been looked at. */
struct tt_fxt_crowd {
    uint64_t most;    /* largest koid */
    uint32_t seen;    /* threads that have been looked at */
    uint32_t named;   /* threads before the first one without a name and a process */
    bool references;  /* one is that of a reference that is not registered */
    bool established; /* there are enough threads for a new one to be odd */
};

enum tt_fxt_belief_kind {
    TT_FXT_BELIEVED_RECORD, /* records follow at `next` */
    TT_FXT_BELIEVED_THREAD, /* the koid `value` is mentioned after `next` */
    TT_FXT_BELIEVED_TIME,   /* the records from `next` on continue from `value`, not from `last` */
};

/* A decision at the end of a growing file, without the bytes after it. */
struct tt_fxt_belief {
    enum tt_fxt_belief_kind kind;
    uint64_t next;
    uint64_t value;
    uint64_t last;
};

#define TT_FXT_BELIEFS 16u

/* Bytes around a place that may decide on it. */
#define TT_FXT_NEAR_BYTES UINT64_C(65536)

struct tt_fxt {
    struct tt_capture *capture;
    bool big;
    bool definitions;        /* return definitions as events */
    uint64_t longest;        /* ticks that no complete event takes: a day */
    uint64_t max_ticks;      /* largest ticks whose nanoseconds fit 63 bits */
    uint64_t default_hz;     /* of providers without an initialization record */
    uint64_t front;          /* of the first record: 0 unless the file was cut at the front */
    uint64_t first_ticks;    /* first timed record near the start: time of earlier definitions */
    uint64_t learnt;         /* the learning cursor has read all positions below; owned by it */
    uint32_t facts;          /* facts about providers so far; owned by the learning cursor */
    struct tt_fxt_pace pace; /* this and what follows: owned by the learning cursor */
    struct tt_fxt_crowd crowd;
    struct tt_fxt_belief beliefs[TT_FXT_BELIEFS];
    uint32_t belief_count;
    struct tt_fxt_words words;
    struct tt_column providers; /* struct tt_fxt_provider; written by the learning cursor */
    _Atomic bool any_lost;

#define X(name, values) struct tt_fxt_table name;
    TT_FXT_TABLES(X)
#undef X
};

/* ---- cursors ---------------------------------------------------------------------------- */

#define TT_FXT_STRING_CACHE 1024u
#define TT_FXT_NO_KEY       UINT64_MAX
#define TT_FXT_TYPE_CACHE   2048u
#define TT_FXT_LANE_CACHE   4096u
#define TT_FXT_TID_BITS     13
#define TT_FXT_SERIES_CACHE 1024u
#define TT_FXT_TEXT_CACHE   512u
#define TT_FXT_THREADS      256u
#define TT_FXT_THREAD_SETS  8u

/* Bits: of two different ones, only OUTGOING and INCOMING make 3 together. */
enum tt_fxt_weight {
    TT_FXT_WEIGHT_NONE = 0,
    TT_FXT_WEIGHT_OUTGOING = 1,
    TT_FXT_WEIGHT_INCOMING = 2,
    TT_FXT_WEIGHT_WAKER = 4,
};

/* A registered string, and what it means as a name. */
struct tt_fxt_string_entry {
    uint64_t key; /* tt_fxt_string_key, or TT_FXT_NO_KEY: free */
    tt_string string;
    tt_string category; /* of the event type that had this name last; TT_FXT_UNKNOWN: none had */
    uint32_t type;      /* that event type */
    uint8_t role;       /* enum tt_fxt_weight: of an argument with this name */
};

struct tt_fxt_type_entry {
    tt_string category;
    tt_string name;
    uint32_t type; /* UINT32_MAX: free */
};

struct tt_fxt_text_entry {
    const char *text; /* the interned text; NULL: free */
    uint32_t length;
    tt_string string;
};

struct tt_fxt_thread_entry {
    uint32_t provider; /* TT_FXT_NO_PROVIDER: free */
    uint32_t lane;
};

struct tt_fxt_lane_entry {
    uint64_t pid;
    uint64_t tid;
    uint32_t lane; /* TT_NO_THREAD: free */
};

/* The same for a thread whose process is not recorded. */
struct tt_fxt_tid_entry {
    uint64_t tid; /* 0: free, and in the place of 0 TT_FXT_NO_KEY */
    uint32_t lane;
    uint32_t
        known; /* 1: the capture has it as an idle thread; or its last weight with a deadline */
};

struct tt_fxt_series_entry {
    uint64_t id;
    uint32_t type; /* UINT32_MAX: free */
    tt_string argument;
    uint32_t process;
    uint32_t series;
};

struct tt_cursor {
    struct tt_fxt *fxt;
    uint64_t pos;
    uint64_t rate;       /* ticks per second of the current provider */
    uint64_t last_ticks; /* last timed record of the current provider: the time of definitions */
    uint64_t limit;      /* of the current call of tt_fxt_decode */
    uint64_t resync;     /* end of the bytes searched for a sound record; 0: no search */
    uint64_t clock;      /* ticks per second of the model */
    uint64_t max_ticks;  /* largest model ticks whose nanoseconds fit 63 bits */
    struct tt_fxt_provider *stream; /* the current provider; learning cursor only */
    uint32_t provider;
    bool used_implicit; /* caches of another provider have entries of the implicit one */
    bool fast;          /* fast path enabled (tests disable it) */
    bool learn;         /* this is the learning cursor */
    bool learning;      /* the record at `pos` is new to it */
    bool no_memory;     /* an allocation failed; the record was not read */

    struct tt_fxt_string_entry strings[TT_FXT_STRING_CACHE];
    struct tt_fxt_text_entry texts[TT_FXT_TEXT_CACHE];
    struct tt_fxt_type_entry types[TT_FXT_TYPE_CACHE];
    struct tt_fxt_thread_entry threads[TT_FXT_THREADS * TT_FXT_THREAD_SETS];
    struct tt_fxt_lane_entry lanes[TT_FXT_LANE_CACHE];
    struct tt_fxt_tid_entry tids[1u << TT_FXT_TID_BITS];
    struct tt_fxt_series_entry series[TT_FXT_SERIES_CACHE];
    uint32_t layout_types[TT_FXT_LAYOUTS]; /* UINT32_MAX: not looked up yet */

    char text[TT_FXT_MAX_TEXT]; /* copy of a text of the file */
};

/* ---- fxt_actions.c ---------------------------------------------------------------------- */

/* Adds a health entry for the record at `pos`, if it is new. */
void tt_fxt_health(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos, uint64_t value,
                   const char *detail);

uint64_t tt_fxt_convert_time(struct tt_cursor *cursor, uint64_t ticks, uint64_t pos);
/* Converts ticks of the current provider to model ticks; reports overflows to health. */
static inline uint64_t tt_fxt_time(struct tt_cursor *cursor, uint64_t ticks, uint64_t pos)
{
    bool same = cursor->rate == cursor->clock && ticks <= cursor->max_ticks;
    return same ? ticks : tt_fxt_convert_time(cursor, ticks, pos);
}

/* Appends the event of a timed record, with its actions. The atoms before the arguments are
 * complete. */
void tt_fxt_emit(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                 const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                 struct tt_batch *batch);
/* Appends the event of a definition. */
void tt_fxt_emit_definition(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                            const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                            struct tt_batch *batch);
/* Caches the references of each argument, for the fast path; reports undefined ones to health. */
void tt_fxt_check_args(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                       const struct tt_fxt_view *view);

/* Returns the next action of the batch's last event, or NULL if actions are not requested. */
static inline struct tt_action *tt_fxt_action(struct tt_batch *batch, unsigned kind,
                                              uint32_t thread)
{
    struct tt_action *action = tt_batch_act(batch, &batch->events[batch->count - 1], kind);
    if (action) {
        action->thread = thread;
    }
    return action;
}

/* Appends an action of `event` with its provider; a slice has the name of its event. */
static inline struct tt_action *tt_fxt_event_action(const struct tt_cursor *cursor,
                                                    struct tt_batch *batch, unsigned kind,
                                                    const struct tt_event *event)
{
    struct tt_action *action = tt_batch_act(batch, event, kind);
    if (action) {
        action->state = (uint16_t)cursor->provider;
        action->thread = event->thread;
        action->other = event->type;
    }
    return action;
}

/* ---- fxt_damage.c ----------------------------------------------------------------------- */

/* Returns whether damaged bytes were before: a reference may be to what was registered in them. */
static inline bool tt_fxt_may_lack(const struct tt_fxt *fxt)
{
    return tt_health_count(fxt->capture, TT_HEALTH_DAMAGED) > 0;
}

enum tt_fxt_resync {
    TT_FXT_RESYNC_FOUND,
    TT_FXT_RESYNC_NONE,
    TT_FXT_RESYNC_UNDECIDED, /* the bytes end before a decision */
};

enum tt_fxt_verdict {
    TT_FXT_IS_GOOD,
    TT_FXT_IS_DAMAGE,
    TT_FXT_HAS_BAD_TIME,
    TT_FXT_IS_UNDECIDED, /* the bytes after the record are needed */
};

/* Returns whether the stream of a record is text of UTF-8 without control characters, and zeros after it. */
bool tt_fxt_has_text(const struct tt_fxt_record *record, const struct tt_fxt_view *view);

/* Judges a record that is new to a learning cursor. O(1). */
enum tt_fxt_verdict tt_fxt_judge(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                                 uint64_t limit, bool final);

/* Looks again at what was decided when there were fewer bytes; another result sets `guessed` of the capture. */
void tt_fxt_check_beliefs(struct tt_cursor *cursor, uint64_t limit, bool final);

/* Finds where the damage at the cursor ends: moves *pos, from where the search begins, there. */
enum tt_fxt_resync tt_fxt_find_end(struct tt_cursor *cursor, uint64_t *pos, uint64_t limit,
                                   bool final);

/* Notes that decoding at a position needs the tables `jumps` and `lost` (learning cursor). */
void tt_fxt_mark(struct tt_cursor *cursor, uint64_t pos);

#define TT_FXT_RUNNERS 16u /* CPUs whose threads are known after damage */
#define TT_FXT_RUNNER  16u /* first second half of their keys */

/*
 * Finds the threads that run after damage, at the scheduling record at `pos`: those that leave in the next
 * scheduling record of each CPU. Sets bits of *cpus and their koids.
 */
void tt_fxt_find_runners(struct tt_cursor *cursor, uint64_t pos, uint64_t koids[TT_FXT_RUNNERS],
                         uint32_t *cpus);

/* ---- fxt_decode_fast.c ------------------------------------------------------------------ */

static inline bool tt_fxt_has_room(const struct tt_batch *batch)
{
    return batch->count < batch->capacity &&
           (!batch->actions ||
            batch->action_count + TT_ACTIONS_PER_EVENT <= batch->action_capacity);
}

/* Moves the cursor to `pos`; everything before it has been learnt. */
static inline void tt_fxt_move_to(struct tt_cursor *cursor, uint64_t pos)
{
    cursor->pos = pos;
    cursor->resync = 0;
    if (cursor->learn && pos > cursor->fxt->learnt) {
        cursor->fxt->learnt = pos;
    }
}

/*
 * Decodes records from the cursor's position on while they are frequent ones whose references are
 * cached, lie below `limit` and begin before `end`. The result is the same as that of tt_fxt_emit.
 */
void tt_fxt_decode_fast(struct tt_cursor *cursor, uint64_t limit, uint64_t end,
                        struct tt_batch *batch);

/* ---- fxt_sched.c ------------------------------------------------------------------------ */

#define TT_FXT_STATES 7
extern const struct tt_state_info tt_fxt_states[TT_FXT_STATES];

/* Sets thread and CPU of the batch's last event from a scheduling record, and adds its actions. */
void tt_fxt_emit_sched(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                       const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                       struct tt_batch *batch);

/* ---- fxt_objects.c ---------------------------------------------------------------------- */

void tt_fxt_learn_kernel_object(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                const struct tt_fxt_view *view);
void tt_fxt_learn_user_object(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                              const struct tt_fxt_view *view);
/* Returns the name of an object, or its type; false if the object is unknown. Any thread. */
bool tt_fxt_koid_label(const struct tt_fxt *fxt, uint64_t koid, struct tt_arg_span *label);
bool tt_fxt_pointer_label(const struct tt_fxt *fxt, uint64_t pid, uint64_t pointer, uint64_t pos,
                          struct tt_arg_span *label);

extern const struct tt_excerpt_format tt_fxt_excerpt; /* fxt_excerpt.c */

/* ---- fxt_cache.c ------------------------------------------------------------------------ */

void tt_fxt_save(const struct tt_capture *capture, struct tt_section_writer *writer);
bool tt_fxt_restore(struct tt_capture *capture, struct tt_reader *reader);

/* ---- fxt_decode.c and fxt_describe.c: functions of the format table --------------------- */

struct tt_cursor *tt_fxt_cursor_new(struct tt_capture *capture, bool learn);
void tt_fxt_cursor_free(struct tt_cursor *cursor);
size_t tt_fxt_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void tt_fxt_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t tt_fxt_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result tt_fxt_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch);
bool tt_fxt_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args);
/* Finds the record of an event; returns false if its bytes are gone. */
bool tt_fxt_find_record(const struct tt_fxt *fxt, const struct tt_event *event, uint64_t limit,
                        struct tt_fxt_record *record);
/* Slices nest within their thread, as Fuchsia defines it; asynchronous ones have an id. */
void tt_fxt_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue);
uint32_t tt_fxt_edges(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_edge *edges);
uint32_t tt_fxt_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max);

#endif
