/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_internal: declarations shared by the files of the ThreadX decoder.
 *
 *  The tape is the ring from its oldest entry to its newest, so `pos` is the entry's index in time
 * order x entry size, wherever the entry is in the file; a derived RUNNING is at its predecessor's
 * pos + 1:
 *
 *       file   | header | registry | 5 6 7 8 | 1 2 3 4 |        entries as numbered in time
 *       tape                       | 1 2 3 4 5 6 7 8 |
 *                                        ^ pos 2 x size; a RUNNING after it: pos 2 x size + 1
 *
 *  The meaning of an entry depends on later ones. The order of the entries, the timer's direction and
 * the number of cores depend on all of them: the learning cursor passes over the whole ring before it
 * decodes, and reads three words of each entry (trx_plan_make); then it sets `ordered` with release.
 * The next context depends on a few later entries: it is found piece by piece while the cursor
 * decodes, as are the contexts (trx_plan_extend); `ready` is the number of complete steps, and
 * `planned` is set when there are no more. Both are linear in the number of entries, with 8 bytes
 * stored per entry. What is ordered, or ready, is constant, and any thread may read it. Contexts and
 * types are added while other threads read them: an entry that refers to one is ready after it is
 * complete.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_INTERNAL_H
#define TRACETUI_FORMAT_TRX_TRX_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/hash.h"
#include "format/trx/trx_container.h"
#include "format/trx/trx_header.h"
#include "format/trx/trx_names.h"
#include "format/trx/trx_registry.h"
#include "format/trx/trx_tables.h"
#include "tracetui/format.h"

#define TRX_ADDRESS_ISR  UINT64_C(0xffffffff)
#define TRX_ADDRESS_INIT UINT64_C(0xf0f0f0f0)

#define TRX_ID_RESUME           1u
#define TRX_ID_SUSPEND          2u
#define TRX_ID_ISR_ENTER        3u
#define TRX_ID_ISR_EXIT         4u
#define TRX_ID_TIME_SLICE       5u
#define TRX_ID_RUNNING          6u
#define TRX_ID_BLOCK_ALLOCATE   10u
#define TRX_ID_BYTE_ALLOCATE    20u
#define TRX_ID_FLAGS_GET        32u
#define TRX_ID_MUTEX_GET        52u
#define TRX_ID_MUTEX_PUT        57u
#define TRX_ID_QUEUE_DELETE     61u
#define TRX_ID_QUEUE_FLUSH      62u
#define TRX_ID_QUEUE_FRONT_SEND 63u
#define TRX_ID_QUEUE_RECEIVE    68u
#define TRX_ID_QUEUE_SEND       69u
#define TRX_ID_SEMAPHORE_GET    83u
#define TRX_ID_CREATE           100u
#define TRX_ID_DELETE           101u
#define TRX_ID_PRIORITY         108u
#define TRX_ID_RELINQUISH       109u

#define TRX_CORES   32u /* maximum of ThreadX SMP */
#define TRX_NO_CORE UINT32_MAX

#define TRX_DERIVED_DELAY 12u /* ticks from an event to the RUNNING after it */

/* An entry of the ring, its words widened to 64 bits. */
struct trx_entry {
    uint64_t context;
    uint64_t priority;
    uint64_t event;
    uint64_t stamp; /* raw */
    uint64_t info[4];
};

/*
 * Contexts: everything an event can occur in or a CPU can switch to, as small numbers for the plan
 * and the cursor. 0 to 3 are constants. A damaged file may contain as many thread addresses as
 * words: contexts beyond TRX_CONTEXTS_MAX share one, the crowd, which has no lane.
 */
enum {
    TRX_IDLE,
    TRX_ISR,
    TRX_INIT,
    TRX_CROWD,
    TRX_FIRST_THREAD,
    TRX_LEFT = 0x1ffffffe,
    TRX_NO_CONTEXT
};
#define TRX_CONTEXTS_MAX 65536u

struct trx_context {
    uint64_t address;
    uint32_t thread;   /* in the capture's registry; TT_NO_THREAD: none (idle) */
    uint16_t priority; /* at the last entry that was learned; TRX_NO_PRIORITY: none was */
};

struct trx_contexts {
    struct trx_context *items; /* room for TRX_CONTEXTS_MAX; they never move */
    _Atomic uint32_t count;    /* complete ones */
    pthread_mutex_t lock;      /* of `by_address`; the writer reads without it */
    struct tt_hash by_address;
};

/*
 * Plan of one entry. All that decoding an entry branches on is in these words, which are loaded at once:
 *
 *       bits of `context` 0..15    16..20           24..28   29..31
 *                       | number | enum trx_effect | core   | below |
 *
 * Until the next context is found, `next` is that of the last information word, if it is a thread.
 */
struct trx_step {
    uint32_t context; /* number, with the bits below */
    uint16_t next;    /* number of the context that runs after it */
    uint16_t subject; /* of the thread that the event refers to; TRX_IDLE: none */
};
#define TRX_STEP_DERIVED  (UINT32_C(1) << 31) /* a RUNNING follows ... */
#define TRX_STEP_LATE     (UINT32_C(1) << 30) /* ... TRX_DERIVED_DELAY ticks later */
#define TRX_STEP_PRIORITY (UINT32_C(1) << 29) /* the context's priority has changed */
#define TRX_STEP_CORE     24                  /* core number, five bits; 0 if it is invalid */
#define TRX_STEP_EFFECT   16                  /* five bits */
#define TRX_STEP_CONTEXT  ((UINT32_C(1) << TRX_STEP_EFFECT) - 1)
_Static_assert(TRX_CONTEXTS_MAX == TRX_STEP_CONTEXT + 1 && TRX_CORES == 32,
               "a step has room for both");

/* Effects of an event on threads, besides the switch to its context. */
enum trx_effect {
    TRX_NO_EFFECT,
    TRX_SUSPENDS,
    TRX_RESUMES,
    TRX_ENTERS, /* an interrupt */
    TRX_LEAVES,
    TRX_SLICES, /* the time slice of a thread ends */
    TRX_RELINQUISHES,
    TRX_CREATES,
    TRX_DELETES,
    TRX_SETS_PRIORITY,
    TRX_WAITS, /* calls for an object that is neither a mutex nor a queue */
    TRX_GETS_MUTEX,
    TRX_PUTS_MUTEX,
    TRX_SENDS, /* to a queue */
    TRX_SENDS_FRONT,
    TRX_RECEIVES,
    TRX_CLEARS_QUEUE,
    TRX_EFFECTS
};
_Static_assert(TRX_EFFECTS <= 32, "a step has room for it");

static inline enum trx_effect trx_step_effect(uint32_t word)
{
    return (enum trx_effect)(word >> TRX_STEP_EFFECT & 31);
}

static inline uint32_t trx_step_core(uint32_t word)
{
    return word >> TRX_STEP_CORE & (TRX_CORES - 1);
}

/* Facts of an entry, besides its step, for the rules of trx_next_context.c (trx_learn). */
struct trx_links {
    uint32_t following;   /* next entry of this core; TRX_NO_ENTRY: none is learned yet */
    uint32_t interrupted; /* context in an interrupt's priority word; TRX_IDLE: none */
};
#define TRX_NO_ENTRY UINT32_MAX

/*
 * The last entries in the order of time, as their index + 1; 0: none. The table of contexts is by
 * their hash with the core: a place has the last entry of all pairs with its hash, so that it never
 * is too early. Until all steps are complete.
 */
struct trx_last_entries {
    uint32_t of_core[TRX_CORES];
    uint32_t *of_pair; /* by core and context */
    unsigned shift;    /* of the hash */
};

/* Entries that follow each other in the file. */
struct trx_segment {
    uint64_t offset; /* in the file */
    uint32_t first;  /* index of the first one */
    uint32_t count;
    uint64_t
        before; /* offset of the entry whose time this one gets, since its own is wrong; 0: it is not */
    uint32_t copy; /* place of its copy, with that time */
    bool lost;     /* others before them are */
};

struct trx_plan {
    struct trx_step *steps;
    size_t step_pages;          /* large pages of `steps`; 0: allocated as usual */
    struct trx_plan_walk *walk; /* until all steps are complete */
    struct trx_last_entries last;
    uint32_t entries;             /* used entries, that is, events */
    uint32_t first;               /* ring index of the oldest */
    struct trx_segment *segments; /* of a damaged ring, in the order of time (trx_damage.c) */
    uint32_t segment_count;       /* 0: the ring is not damaged */
    uint8_t *copies;              /* of entries with wrong times, without what their events do */
    uint32_t gap;       /* events before this one are cut off by the file's end; 0: none */
    uint32_t beginning; /* entries before this one show the beginning of an excerpt; 0: none */
    uint32_t cores;
    uint32_t piece; /* entries of the first piece; 0: the usual number */
    bool counts_down;
    bool apart;                /* each core has a timer of its own */
    uint64_t ahead[TRX_CORES]; /* added to a core's stamps, it makes them those of one timer */
    bool has_internal;         /* RESUME and SUSPEND were recorded */
};

/* Event type by id: number in the capture's table and names of the words. */
struct trx_type {
    _Atomic(const struct trx_event_info *) info; /* set last; NULL: not seen */
    uint32_t number;
    uint8_t kind;
    bool unknown; /* no product has the id */
};
#define TRX_TYPES_PER_PAGE 256u

/*
 * The properties of a type for decoding, in one word:
 *
 *       bits 0..31                   32..39   40
 *       | number of the type, plus 1 | kind | no product has the id |
 *
 *  0: not seen, or the id is TRX_CODES or more.
 */
#define TRX_CODE_KIND    32
#define TRX_CODE_UNKNOWN (UINT64_C(1) << 40)
#define TRX_CODES        256u

static inline uint64_t trx_code_of(const struct trx_type *type)
{
    return type ? ((uint64_t)type->number + 1) | (uint64_t)type->kind << TRX_CODE_KIND |
                      (type->unknown ? TRX_CODE_UNKNOWN : 0)
                : 0;
}

struct trx_decoder {
    struct tt_capture *capture;
    struct trx_header header;
    struct trx_registry registry;
    struct trx_names names;
    enum trx_container container;
    uint8_t *image; /* decoded container; NULL: the file is the buffer */
    struct trx_contexts contexts;
    _Atomic(struct trx_type *) types[65536 / TRX_TYPES_PER_PAGE];
    _Atomic uint64_t codes[TRX_CODES]; /* of the types with these ids */
    struct tt_arena arena;             /* infos of application events */
    struct trx_plan plan;
    _Atomic bool ordered;   /* order of the entries, direction and cores are known */
    _Atomic uint32_t ready; /* entries with a complete step */
    _Atomic bool planned;   /* all of them */
};

extern const struct tt_excerpt_format trx_excerpt; /* trx_excerpt.c */

/* ---- entries ---------------------------------------------------------------------------- */

/* Loads an entry whose words have 64 bits, or are big-endian. */
void trx_entry_load_other(const struct trx_header *header, const uint8_t *p,
                          struct trx_entry *entry);

/* Loads the entry at `p`, which has entry_size bytes. */
static inline void trx_entry_load(const struct trx_header *header, const uint8_t *p,
                                  struct trx_entry *entry)
{
    if (!header->usual) {
        trx_entry_load_other(header, p, entry);
        return;
    }
    entry->context = tt_load_u32(p, false);
    entry->priority = tt_load_u32(p + 4, false);
    entry->event = tt_load_u32(p + 8, false);
    entry->stamp = tt_load_u32(p + 12, false);
    entry->info[0] = tt_load_u32(p + 16, false);
    entry->info[1] = tt_load_u32(p + 20, false);
    entry->info[2] = tt_load_u32(p + 24, false);
    entry->info[3] = tt_load_u32(p + 28, false);
}

/* The words of an entry in the file. */
enum { TRX_WORD_CONTEXT, TRX_WORD_PRIORITY, TRX_WORD_EVENT, TRX_WORD_STAMP, TRX_WORD_INFO };

/* Functions of the loops over entries, which exist twice: for usual words and for others; and rare ones. */
#if defined(__GNUC__)
#define TRX_HOT               inline __attribute__((always_inline))
#define TRX_RARE              __attribute__((noinline))
#define TRX_RARELY(condition) __builtin_expect(!!(condition), 0)
#else
#define TRX_HOT inline
#define TRX_RARE
#define TRX_RARELY(condition) (condition)
#endif

#define TRX_USUAL_ENTRY 32u /* bytes of an entry of usual words */

/*
 * Returns whether the words of entries are those of most targets, of 32 bits and little-endian, and the
 * timer has all bits below its highest one.
 */
static inline bool trx_is_usual(const struct trx_header *header)
{
    return header->usual;
}

/*
 * Returns a word of the entry at `p`, which has entry_size bytes. `usual` is trx_is_usual, which a loop
 * over entries decides once.
 */
static inline uint64_t trx_word_if(bool usual, const struct trx_header *header, const uint8_t *p,
                                   unsigned word)
{
    return usual ? tt_load_u32(p + (size_t)word * 4, false)
                 : trx_load(header, p + (size_t)word * header->word);
}

static inline uint64_t trx_word(const struct trx_header *header, const uint8_t *p, unsigned word)
{
    return trx_word_if(trx_is_usual(header), header, p, word);
}

/* Event id and core of an event word; TRX_NO_CORE if ThreadX has no such core. */
static inline uint32_t trx_id_of(uint64_t event)
{
    return (uint32_t)(event & 0xffff);
}

static inline uint32_t trx_core_of(uint64_t event)
{
    uint64_t core = event >> 24;
    return core < TRX_CORES ? (uint32_t)core : TRX_NO_CORE;
}

/* Returns the words of an entry that are threads, besides its context; 0: none (trx_learn.c). */
void trx_learn_mentioned(const struct trx_header *header, const uint8_t *at, uint64_t words[3]);

/* A ring has a single core if fewer than one entry in this number has another one. */
#define TRX_OTHER_CORES 16u

/* A ring of fewer entries is too short to tell damage from others. */
#define TRX_DAMAGE_LEAST 256u

/* ---- trx_damage.c ----------------------------------------------------------------------- */

struct trx_walk;

/* Finds the segments of a damaged ring, and reports what is between. Returns false when out of memory. */
bool trx_damage_find(struct trx_decoder *decoder, uint64_t limit);
/* Does trx_entry_offset, trx_entry_at, trx_walk_next at the end of a segment; for damaged rings. */
uint64_t trx_damage_offset(const struct trx_decoder *decoder, uint64_t index);
const uint8_t *trx_damage_entry(const struct trx_decoder *decoder, uint64_t index);
void trx_damage_walk(struct trx_walk *walk);
/* Returns the entry after the last one of the segment of entry `index`. */
uint32_t trx_damage_end(const struct trx_plan *plan, uint32_t index);
/* Returns whether entries before entry `index` are lost. */
bool trx_damage_before(const struct trx_plan *plan, uint32_t index);
/* Returns whether the time of entry `index` is wrong: it has that of the entry before, and does nothing. */
bool trx_damage_time(const struct trx_plan *plan, uint32_t index);

/* Returns the file offset of entry `index` in time order; requires the plan. */
static inline uint64_t trx_entry_offset(const struct trx_decoder *decoder, uint64_t index)
{
    if (TRX_RARELY(decoder->plan.segment_count > 0)) {
        return trx_damage_offset(decoder, index);
    }
    uint64_t place = index + decoder->plan.first;
    if (place >= decoder->plan.entries) {
        place -= decoder->plan.entries;
    }
    return decoder->header.buffer_offset + place * decoder->header.entry_size;
}

/*
 * Returns the bytes of entry `index`, which are in the file up to the limit: those that have its time. Of an entry
 * with a wrong time, a copy.
 */
static inline const uint8_t *trx_entry_at(const struct trx_decoder *decoder, uint64_t index)
{
    return TRX_RARELY(decoder->plan.segment_count > 0)
               ? trx_damage_entry(decoder, index)
               : decoder->capture->bytes.data + trx_entry_offset(decoder, index);
}

/* Returns the place of a core and the address of a context in the table of last entries. */
static inline size_t trx_pair_place(unsigned shift, uint32_t core, uint64_t address)
{
    return (address + ((uint64_t)core << 40)) * UINT64_C(0x9e3779b97f4a7c15) >> shift;
}

/* Returns the ticks from one masked stamp to the next. */
static inline uint64_t trx_ticks_between(uint64_t before, uint64_t after, uint64_t mask,
                                         bool counts_down)
{
    uint64_t from = counts_down ? after : before, to = counts_down ? before : after;
    return to >= from ? to - from : (mask - from) + to + 1;
}

/*
 * The ticks up to the current entry of a loop over entries, in usual ones without a comparison: those
 * of all entries are fewer than 2^63.
 */
struct trx_time {
    uint64_t ticks;
    uint64_t stamp; /* masked */
    uint64_t mask;
    const struct trx_plan *plan;
    uint32_t down; /* UINT32_MAX: the timer counts down; otherwise 0 */
};

/* A walk over the entries in time order, which checks for the ring's end with one comparison. */
struct trx_walk {
    const uint8_t *at;    /* the current entry */
    const uint8_t *begin; /* the entry after the ring's last one */
    const uint8_t *end;
    uint32_t size;
    const struct trx_decoder *d;       /* of a damaged ring */
    const struct trx_segment *segment; /* of a damaged ring; NULL: it is not damaged */
    const struct trx_segment *segments_end;
};

struct trx_walk trx_damage_walk_begin(const struct trx_decoder *decoder, uint32_t index);

/*
 * Starts a walk at entry `index` in time order; requires the order of the entries in the plan. Without
 * entries, the offset of the buffer may be any number.
 */
static inline struct trx_walk trx_walk_begin(const struct trx_decoder *decoder, uint32_t index)
{
    if (decoder->plan.entries == 0) {
        return (struct trx_walk){0};
    }
    const uint8_t *begin = decoder->capture->bytes.data + decoder->header.buffer_offset;
    uint32_t size = decoder->header.entry_size;
    if (TRX_RARELY(decoder->plan.segment_count > 0)) {
        return trx_damage_walk_begin(decoder, index);
    }
    return (struct trx_walk){.at = decoder->capture->bytes.data + trx_entry_offset(decoder, index),
                             .begin = begin,
                             .end = begin + (size_t)decoder->plan.entries * size,
                             .size = size};
}

static inline void trx_walk_next(struct trx_walk *walk)
{
    walk->at += walk->size;
    if (TRX_RARELY(walk->at == walk->end)) {
        walk->at = walk->begin;
        if (walk->segment) {
            trx_damage_walk(walk);
        }
    }
}

/* Returns the masked stamp of an entry with this event word, of the one timer. */
static inline uint64_t trx_stamp_of(const struct trx_plan *plan, uint64_t mask, uint64_t event,
                                    uint64_t stamp)
{
    uint32_t core = trx_core_of(event);
    return (plan->apart ? stamp + plan->ahead[core == TRX_NO_CORE ? 0 : core] : stamp) & mask;
}

/*
 * Returns the ticks from *before to a stamp of trx_stamp_of, which becomes *before. Timers of cores that are not
 * exactly alike may step back a little: no time passes then.
 */
static inline uint64_t trx_stamp_step(const struct trx_plan *plan, uint64_t mask, uint64_t *before,
                                      uint64_t stamp)
{
    uint64_t ticks = trx_ticks_between(*before, stamp, mask, plan->counts_down);
    if (plan->apart && ticks > mask / 2) {
        return 0;
    }
    *before = stamp;
    return ticks;
}

/* Returns the sum, at most INT64_MAX, at which time stops for an absurd timer mask. */
static inline uint64_t trx_ticks_add(uint64_t ticks, uint64_t more)
{
    return more > (uint64_t)INT64_MAX - ticks ? (uint64_t)INT64_MAX : ticks + more;
}

/* Returns the time of the first entry, or of one with a masked stamp of trx_stamp_of. */
static inline struct trx_time trx_time_begin(const struct trx_decoder *decoder, uint64_t stamp)
{
    return (struct trx_time){.stamp = stamp,
                             .mask = decoder->header.mask,
                             .plan = &decoder->plan,
                             .down = decoder->plan.counts_down ? UINT32_MAX : 0};
}

/* Returns the masked stamp of the entry at `p`, of the one timer. */
static inline uint64_t trx_stamp_at(const struct trx_decoder *decoder, const uint8_t *p)
{
    return trx_stamp_of(&decoder->plan, decoder->header.mask,
                        trx_word(&decoder->header, p, TRX_WORD_EVENT),
                        trx_word(&decoder->header, p, TRX_WORD_STAMP));
}

/* Steps the time to an entry with this event word and stamp. */
static TRX_HOT void trx_time_step(struct trx_time *time, bool usual, uint64_t event, uint64_t stamp)
{
    if (usual) {
        const uint64_t masked = stamp & time->mask;
        uint32_t more = (uint32_t)masked - (uint32_t)time->stamp;
        time->ticks += ((more ^ time->down) - time->down) & (uint32_t)time->mask;
        time->stamp = masked;
    } else {
        uint64_t of_all = trx_stamp_of(time->plan, time->mask, event, stamp);
        time->ticks = trx_ticks_add(time->ticks,
                                    trx_stamp_step(time->plan, time->mask, &time->stamp, of_all));
    }
}

/* Priority and threshold of a thread's priority word; TRX_NO_PRIORITY: threshold not recorded. */
static inline uint16_t trx_priority_of(uint64_t word)
{
    return (uint16_t)(word & 0x3ff);
}

static inline uint16_t trx_threshold_of(uint64_t word)
{
    return word & 0x80000000u ? (uint16_t)(word >> 16 & 0x3ff) : TRX_NO_PRIORITY;
}

static inline bool trx_is_thread(uint32_t context)
{
    return context != TRX_ISR && context != TRX_INIT;
}

/* ---- contexts and types (writer: the learning cursor) ----------------------------------- */

/* Allocates the table of contexts. Returns false when out of memory. */
bool trx_contexts_init(struct trx_contexts *contexts);
void trx_contexts_free(struct trx_contexts *contexts);
/*
 * Returns the number of an address, which is added with its lane if new; TRX_CROWD if the table is
 * full, TRX_NO_CONTEXT when out of memory.
 */
uint32_t trx_context_add(struct trx_decoder *decoder, uint64_t address);
/* Returns the number of an address, or TRX_NO_CONTEXT. Any thread. */
uint32_t trx_context_find(const struct trx_decoder *decoder, uint64_t address);
/* Does the same for the writer. */
uint32_t trx_context_find_known(const struct trx_decoder *decoder, uint64_t address);

static inline uint32_t trx_context_count(const struct trx_decoder *decoder)
{
    return atomic_load_explicit(&decoder->contexts.count, memory_order_acquire);
}

/*
 * Cache of recently found contexts by address, since a ring has few threads: their numbers. Initially
 * zero, which is the context of address 0; that one is always in its place, the first.
 */
#define TRX_CACHE_BITS 10
struct trx_context_cache {
    uint32_t numbers[1 << TRX_CACHE_BITS];
};

static inline size_t trx_context_place(uint64_t address)
{
    return (uint32_t)((uint32_t)address * UINT32_C(0x9e3779b1)) >> (32 - TRX_CACHE_BITS);
}

/* Adds the lane of ISR or INIT. Returns false when out of memory. */
bool trx_context_make_lane(struct trx_decoder *decoder, uint32_t context);
static inline uint32_t trx_context_thread(const struct trx_decoder *decoder, uint32_t context)
{
    return context < trx_context_count(decoder) ? decoder->contexts.items[context].thread
                                                : TT_NO_THREAD;
}

/* Adds the type of an id, unless it is there; returns NULL when out of memory. */
const struct trx_type *trx_type_make(struct trx_decoder *decoder, unsigned id);

/* Returns the type of an id; NULL: no event of it was decoded. Any thread. */
static inline const struct trx_type *trx_type_find(const struct trx_decoder *decoder, unsigned id)
{
    const struct trx_type *page =
        atomic_load_explicit(&decoder->types[id / TRX_TYPES_PER_PAGE % 256], memory_order_acquire);
    const struct trx_type *type = page ? &page[id % TRX_TYPES_PER_PAGE] : NULL;
    return type && atomic_load_explicit(&type->info, memory_order_acquire) ? type : NULL;
}

extern const struct trx_event_info trx_nameless; /* of ids that no table has */

/* Returns the info of an id, never NULL; that of an unknown id has generic names. */
static inline const struct trx_event_info *trx_type_info(const struct trx_decoder *decoder,
                                                         unsigned id)
{
    const struct trx_type *type = trx_type_find(decoder, id);
    return type ? atomic_load_explicit(&type->info, memory_order_relaxed) : &trx_nameless;
}

/* ---- the plan --------------------------------------------------------------------------- */

enum trx_plan_result { TRX_PLAN_READY, TRX_PLAN_NOT_YET, TRX_PLAN_MEMORY };

/*
 * Passes over the ring in the bytes below `limit`. NOT_YET: the ring extends beyond `limit` and the file
 * may still grow.
 */
enum trx_plan_result trx_plan_make(struct trx_decoder *decoder, uint64_t limit, bool final);
void trx_plan_free(struct trx_plan *plan);
/* Finds out whether each core has a timer of its own, and aligns them (trx_timers.c). */
void trx_timers_align(struct trx_decoder *decoder);

/*
 * Finds the contexts, the next context, and missing RUNNING events, of at least one more entry;
 * requires an ordered ring. Returns false when out of memory.
 */
bool trx_plan_extend(struct trx_decoder *decoder);
/*
 * Learns from the entries from index `from` up to, but not including, `to`: adds their contexts, and
 * begins their steps; in this order of entries. Sets their `links`, and `following` of the links in
 * `last`: by core those of its last entry before `from`, and afterwards of its last one before `to`.
 * Returns false when out of memory.
 */
bool trx_learn(struct trx_decoder *decoder, struct trx_context_cache *cache, uint32_t from,
               uint32_t to, struct trx_links *links, struct trx_links *last[TRX_CORES]);
/* Sets the number of entries of the first piece, for tests; 0: the usual number. */
void trx_plan_piece(struct trx_decoder *decoder, uint32_t entries);
void trx_plan_walk_free(struct trx_plan_walk *walk);

/* ---- functions of the format table ------------------------------------------------------ */

struct tt_cursor *trx_cursor_new(struct tt_capture *capture, bool learn);
void trx_cursor_free(struct tt_cursor *cursor);
size_t trx_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity);
void trx_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size);
uint64_t trx_cursor_pos(const struct tt_cursor *cursor);
enum tt_decode_result trx_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch);
bool trx_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args);
void trx_message_id(uint64_t id, struct tt_message_id *parts);
const char *trx_object_name(const struct tt_capture *capture, unsigned kind, uint64_t id,
                            size_t *length);
/* struct tt_format, clue. */
/*
 * Finds the call of a RESUME, entry `index`: the last entry of its core before it, RESUMEs of that call left
 * out. Returns false if that one has another context, or is not in the ring.
 */
bool trx_find_call(const struct tt_capture *capture, uint64_t index, uint64_t limit,
                   const struct trx_entry *resume, struct trx_entry *call);
void trx_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
              bool with_details, struct tt_clue *clue);
/* An interrupt lasts from ISR_ENTER to ISR_EXIT on its core. */
uint32_t trx_edges(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                   struct tt_edge *edges);
void trx_totals(const struct tt_capture *capture, const struct tt_key_range *range, uint64_t limit,
                struct tt_totals *totals, struct tt_thread_totals *threads);
void trx_tool_inversions(const struct tt_capture *capture, const struct tt_key_range *range,
                         uint64_t limit, struct tt_thread_totals *threads,
                         bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                         void *arg);

#endif
