/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format: what a decoder is. A format is one const table of functions, one folder below
 * src/format/ and one line in src/format/formats.c. A decoder knows the bytes of its file, the
 * tables of struct tt_capture, and nothing of blocks, timelines or screens.
 *
 * Reading. The file is a tape. A cursor walks it forwards and fills batches:
 *
 *      open      reads the header; the cursor starts at the first record behind it
 *      decode    from the cursor's place: up to batch->capacity events, with their actions
 *      save/load the cursor's state as a small blob: all that is needed to go on from there
 *
 *      tape   [ header | r r r r r r | r r r r r r | r r r ...
 *                        ^ block 0     ^ block 1     ^ block 2
 *                        blob 0        blob 1        blob 2
 *
 * The index keeps one blob a block; decoding a block again from its blob gives the very same
 * events. Exactly one cursor of a capture, the index's, is a learning one: it adds to the
 * capture's tables (types, threads, names, health). All others only look up; whatever they meet
 * has been learnt before, because blocks are published after they were learnt.
 *
 * Within a batch events stand in the order of the tape; the caller sorts by time where needed.
 *
 * Speed: decode allocates nothing (but for tables that grow when something new is met), formats
 * nothing, and hashes nothing per event where an index would do.
 *
 * Faults: decode reads mapped bytes and runs inside tt_sigbus_guard: while it touches them it holds
 * no lock. See map.h.
 */
#ifndef TRACETUI_FORMAT_H
#define TRACETUI_FORMAT_H

#include "tracetui/action.h"
#include "tracetui/capture.h"
#include "tracetui/event.h"

struct tt_text;
struct tt_section_writer;

/*
 * What an event begins or ends. Begin and end of one thing share a key (make it with a hash, so
 * that keys of different sorts differ); of things open at once under one key the last begun ends
 * first.
 */
enum tt_edge_side {
    TT_EDGE_BEGIN,
    TT_EDGE_END,
    TT_EDGE_END_ALL, /* all that is open under the key */
    TT_EDGE_FORGET,  /* what is open under the key never ends */
    TT_EDGE_WHOLE,   /* begins here and ends `ticks` later */
};

struct tt_edge {
    uint64_t key;
    uint64_t ticks;  /* of WHOLE */
    uint32_t event;  /* of those asked about */
    uint32_t thread; /* a loss on this lane, or on this CPU, leaves the duration unknown; */
    uint16_t cpu;    /* or TT_NO_THREAD, TT_NO_CPU */
    uint8_t side;    /* enum tt_edge_side */
    bool alone;      /* of BEGIN: what was open under the key never ends */
};

#define TT_EDGES_PER_EVENT 4

/*
 * What the format's own tool counts, by its own rules. A number that it does not have is
 * TT_NO_TOTAL.
 */
#define TT_NO_TOTAL UINT64_MAX

struct tt_totals {
    uint64_t context_switches;
    uint64_t preemptions;
    uint64_t time_slices;
    uint64_t suspensions;
    uint64_t resumptions;
    uint64_t interrupts; /* nested ones too */
    uint64_t nested_interrupts;
    uint64_t inversions_deterministic;
    uint64_t inversions_nondeterministic;
};

/* The same of one thread, and its stack in bytes. */
struct tt_thread_totals {
    uint64_t suspensions;
    uint64_t resumptions;
    uint64_t stack_min; /* least free bytes seen in the range */
    uint64_t stack_size;
    uint64_t scratch; /* the format's own while it counts */
};

/* Events from one key up to, not including, another. */
struct tt_key_range {
    uint64_t from_ticks;
    uint64_t from_pos;
    uint64_t to_ticks;
    uint64_t to_pos;
};

/* One of the format's own thread states. Number 0 is always "unknown". */
struct tt_state_info {
    const char *name; /* "RECEIVE", "QUEUE_SUSP" */
    uint8_t class_;   /* enum tt_class */
};

struct tt_batch {
    struct tt_event *events;
    uint32_t count;
    uint32_t capacity;
    struct tt_action *actions; /* NULL: not wanted */
    uint32_t action_count;
    uint32_t action_capacity; /* the batch also ends when less than TT_ACTIONS_PER_EVENT are left */
    uint64_t unwanted;        /* kinds of actions that are left out, a bit each (1 << kind) */
    uint64_t byte_budget;     /* stop when this many bytes of the tape are done; 0: no bound */
    uint64_t records;         /* out: records (slots) that were read, added to what stands here */
};

/*
 * The batch's next action, which belongs to `event` and says nothing yet; NULL: no actions are
 * wanted. One of a kind that is not wanted is written and not counted: of which kind the next one
 * is cannot be foreseen, so no branch asks.
 */
static inline struct tt_action *tt_batch_act(struct tt_batch *batch, const struct tt_event *event,
                                             unsigned kind)
{
    if (!batch->actions || batch->action_count >= batch->action_capacity) {
        return NULL;
    }
    struct tt_action *action = &batch->actions[batch->action_count];
    batch->action_count += ((batch->unwanted | UINT64_C(1) << TT_ACTION_NONE) >> kind & 1) == 0;
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = 0;
    action->thread = TT_NO_THREAD;
    action->other = TT_NO_THREAD;
    action->cpu = TT_NO_CPU;
    action->priority = TT_NO_PRIORITY;
    action->state = 0;
    action->kind = (uint8_t)kind;
    action->flags = 0;
    return action;
}

/* Events that the programs put there: rare, and what a person looks for first. */
#define TT_NOTE_KINDS                                                                              \
    (UINT64_C(1) << TT_KIND_USER | UINT64_C(1) << TT_KIND_LOG | UINT64_C(1) << TT_KIND_INSTANT)

/* To be called behind the actions of each event: adds its note, if it is such a one. */
static inline void tt_batch_note(struct tt_batch *batch, const struct tt_event *event)
{
    if ((TT_NOTE_KINDS >> event->kind & 1) != 0 && event->thread != TT_NO_THREAD) {
        struct tt_action *note = tt_batch_act(batch, event, TT_ACTION_NOTE);
        if (note) {
            note->thread = event->thread;
            note->other = event->type;
            note->cpu = event->cpu;
        }
    }
}

enum tt_decode_result {
    TT_DECODE_MORE,   /* the batch is full or its budget used; call again */
    TT_DECODE_END,    /* nothing whole is left below the limit; a growing file may bring more */
    TT_DECODE_MEMORY, /* an allocation failed */
};

struct tt_cursor; /* the decoder's own */
struct tt_texts;  /* as well */

/* A way of printing a capture that is the format's own (`dump --style NAME`). */
struct tt_style {
    const char *name;
    const char *help;
    /*
     * Prints the whole capture in its own order through `write` (which returns false to stop).
     * `wanted` says which events to print; NULL: all. Runs inside tt_sigbus_guard.
     */
    struct tt_status (*print)(struct tt_capture *c,
                              bool (*wanted)(void *arg, const struct tt_event *event),
                              bool (*write)(void *arg, const char *bytes, size_t length),
                              void *arg);
};

struct tt_format {
    const char *name;       /* "kev": on the command line and in json */
    const char *title;      /* "QNX kernel event trace" */
    const char *extensions; /* ".kev .kev2": only to break ties */
    const struct tt_state_info *states;
    uint32_t state_count;
    const struct tt_style *styles;
    uint32_t style_count;
    /*
     * Whose a thread is, and whether it idles, is known before its actions or makes no difference
     * to what was fed before: timelines may be fed while decoding goes on.
     */
    bool lanes_stay;

    /*
     * How sure it is that these are the first bytes (all there are, up to some MB) of its format:
     * 0 no .. 100 certain. Reads nothing outside `head`; `size` is the whole file's.
     */
    int (*probe)(struct tt_bytes head, uint64_t size);

    /*
     * Reads the header, sets the capture's facts and c->decoder. Must cost the same for any size
     * of file. On failure it leaves nothing behind.
     */
    struct tt_status (*open)(struct tt_capture *c, const struct tt_capture_options *options);
    /* Also after an open that a fault in the mapping ended: c->decoder may still be NULL. */
    void (*close)(struct tt_capture *c);

    /* A cursor at the tape's start, or NULL when out of memory. `learn`: the index's one. */
    struct tt_cursor *(*cursor_new)(struct tt_capture *c, bool learn);
    void (*cursor_free)(struct tt_cursor *cursor);
    /* Writes the state into blob if it fits; returns its size in bytes in any case. */
    size_t (*cursor_save)(const struct tt_cursor *cursor, void *blob, size_t capacity);
    /* Takes a state that cursor_save of the same capture wrote. */
    void (*cursor_load)(struct tt_cursor *cursor, const void *blob, size_t size);
    /* The tape position of the next record. */
    uint64_t (*cursor_pos)(const struct tt_cursor *cursor);

    /*
     * Decodes on, reading only bytes of the file below `limit`. `final`: the file will not grow,
     * so half a record at the end is damage and not "not yet".
     */
    enum tt_decode_result (*decode)(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch);

    /*
     * The arguments of an event of this capture, in order. Reads only bytes below `limit`.
     * False when its bytes are gone.
     */
    bool (*describe)(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args);
    /*
     * The arguments as a line has them (tt_line_args of what `describe` gives), sooner, for who
     * writes many: what can be worked out of the capture beforehand, when its index is done.
     * Read-only once made. All three NULL: there is no sooner way. texts_new: NULL when out of
     * memory.
     */
    struct tt_texts *(*texts_new)(const struct tt_capture *c);
    void (*texts_free)(struct tt_texts *texts);
    /*
     * Writes them at `to`, where there are `room` bytes, and returns the place behind, which is
     * `to` if all are hidden. NULL: the event is one to be described, or the room may not do. Runs
     * inside tt_sigbus_guard.
     */
    char *(*texts_put)(const struct tt_texts *texts, const struct tt_capture *c,
                       const struct tt_event *event, uint64_t limit, char *to, size_t room);
    /* The event's records; returns how many there are, fills at most `max`. */
    uint32_t (*parts)(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                      struct tt_part *parts, uint32_t max);
    /*
     * Are all records of an event with TT_EVENT_MULTIPART below `limit`, or will no more be taken?
     * NULL: an event is given when it is whole. Runs inside tt_sigbus_guard.
     */
    bool (*is_whole)(const struct tt_capture *c, const struct tt_event *event, uint64_t limit);
    /* File offset of a tape position; NULL: the same number. */
    uint64_t (*offset)(const struct tt_capture *c, uint64_t pos);
    /*
     * Which of the file's streams an event is of, each nearly in the order of time by itself
     * (a ring for each CPU, a provider). NULL: there is one. Asked by the indexer.
     */
    uint32_t (*stream)(const struct tt_capture *c, const struct tt_event *event);
    /* How many of them the file's header announces, 0: it does not. NULL: none does. */
    uint32_t (*streams)(const struct tt_capture *c);
    /*
     * Did opening find the same in both? One was opened when the file had fewer bytes. Compares
     * what the decoder keeps of its own; NULL: nothing that could differ.
     */
    bool (*opened_alike)(const struct tt_capture *a, const struct tt_capture *b);
    /* The file is written as a whole, and again in place: nothing of it means anything before. */
    bool is_snapshot;
    /*
     * What an event begins and ends, into room for TT_EDGES_PER_EVENT; returns how many edges.
     * `event` and `alone` are false when called. NULL: nothing. Any thread.
     */
    uint32_t (*edges)(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                      struct tt_edge *edges);
    /*
     * NULL where the format's tool has no such numbers. `threads`: as many as tt_thread_count.
     * Called when the index is done; walks the capture once, and stops where its bytes are gone.
     */
    void (*totals)(const struct tt_capture *c, const struct tt_key_range *range, uint64_t limit,
                   struct tt_totals *totals, struct tt_thread_totals *threads);
    /*
     * Writes what the learning cursor found out on its way to the end, in so far as all else asks
     * for it: cursors that do not learn, describe, parts, edges, totals. Into a section of a kept
     * file (base/section_file.h), behind the capture's tables, whose numbers it may write. NULL: captures
     * of this format are not kept.
     */
    void (*keep)(const struct tt_capture *c, struct tt_section_writer *w);
    /*
     * The opposite, into a capture that was just opened and whose tables have been restored. No
     * learning cursor may follow but one that is restored itself. Trusts nothing: false when a
     * number is none of the tables, or when there is no memory; the capture is good for nothing but
     * being freed then.
     */
    bool (*restore)(struct tt_capture *c, struct tt_reader *r);
    /*
     * What the learning cursor knows of its way beside its state (cursor_save) and what `keep`
     * writes, so that another one can go on where it stands when the file has grown; written when
     * nothing whole is left. NULL: a file of this format that has grown is read anew.
     */
    void (*keep_cursor)(const struct tt_cursor *cursor, struct tt_section_writer *w);
    /* The opposite, into a new learning cursor with the state. False as above. */
    bool (*restore_cursor)(struct tt_cursor *cursor, struct tt_reader *r);
};

/* All formats, NULL at the end. */
extern const struct tt_format *const tt_formats[];

#endif
