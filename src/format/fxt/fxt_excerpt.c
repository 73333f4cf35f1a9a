/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_excerpt: writes a part of a Fuchsia trace.
 *
 *      magic, providers, clocks | strings, threads, objects | states | records and definitions
 *
 * The beginning has the definitions before the range that are still valid: the last string and thread
 * of each index, all objects and the strings and threads that they refer to. States are switches to and from no thread, which begin no wait and no
 * run (docs/format-fxt.md, "No thread"). From the first record of the range to the last one, all
 * definitions are written.
 */
#include <stdlib.h>
#include <string.h>

#include "format/excerpt_format.h"
#include "format/fxt/fxt_sched.h"
#include "tracetui/time.h"

#define RECORDS_PER_STEP 4096u
#define STRINGS          32768u
#define PROVIDERS        64u /* with a table of their own; of others all definitions are written */
#define NO_RECORD        UINT64_MAX

/* The valid definitions of a provider: positions + 1, 0: none. */
struct provider_tables {
    uint64_t id;
    uint64_t strings[STRINGS];
    uint64_t threads[TT_FXT_THREADS];
};

struct tt_excerpt_state {
    const struct tt_excerpt_job *job;
    struct tt_fxt *fxt;
    uint64_t next;
    uint64_t section; /* record that selects the provider and is not written yet; or NO_RECORD */
    struct provider_tables *tables[PROVIDERS];
    uint32_t table_count;
    struct provider_tables *current; /* NULL: more than PROVIDERS */
    struct tt_record_set needed;     /* strings and threads that objects refer to */
    bool no_memory;
};

/* ---- records ------------------------------------------------------------------------------ */

/* Returns the record at a position and its layout; false at the end and at damaged bytes. */
static bool record_at(const struct tt_excerpt_state *state, uint64_t pos,
                      struct tt_fxt_record *record, const struct tt_fxt_layout **layout)
{
    const uint8_t *bytes = state->job->capture->bytes.data;
    if (state->job->limit < 8 || pos > state->job->limit - 8) {
        return false;
    }
    uint64_t header = tt_load_u64(bytes + pos, state->fxt->big);
    uint32_t words = tt_fxt_claimed_words(header);
    *record = (struct tt_fxt_record){bytes + pos, pos, words, state->fxt->big};
    *layout = tt_fxt_layout_of(header);
    return words > 0 && words <= (state->job->limit - pos) / 8;
}

static void fxt_excerpt_put_record(struct tt_excerpt_state *state,
                                   const struct tt_fxt_record *record)
{
    tt_excerpt_put(state->job->out, record->bytes, (size_t)record->words * 8);
}

static void fxt_excerpt_put_word(struct tt_excerpt_state *state, uint64_t word)
{
    uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);
    tt_excerpt_put_u32(state->job->out, state->fxt->big ? high : low, state->fxt->big);
    tt_excerpt_put_u32(state->job->out, state->fxt->big ? low : high, state->fxt->big);
}

/* Writes the record that selects the current provider, unless it is written. */
static void put_section(struct tt_excerpt_state *state)
{
    struct tt_fxt_record record;
    const struct tt_fxt_layout *layout;
    if (state->section != NO_RECORD && record_at(state, state->section, &record, &layout)) {
        fxt_excerpt_put_record(state, &record);
    }
    state->section = NO_RECORD;
}

/* ---- tables ------------------------------------------------------------------------------- */

static void select_tables(struct tt_excerpt_state *state, uint64_t id, bool is_new)
{
    state->current = NULL;
    for (uint32_t i = 0; i < state->table_count && !state->current; i++) {
        state->current = state->tables[i]->id == id ? state->tables[i] : NULL;
    }
    if (state->current && is_new) {
        memset(state->current, 0, sizeof *state->current);
        state->current->id = id;
    }
    if (!state->current && state->table_count < PROVIDERS) {
        state->current = calloc(1, sizeof *state->current);
        state->no_memory |= !state->current;
        if (state->current) {
            state->current->id = id;
            state->tables[state->table_count++] = state->current;
        }
    }
}

/* Returns the place of a definition in the tables of its provider; NULL if it has none. */
static uint64_t *fxt_excerpt_place_of(struct tt_excerpt_state *state,
                                      const struct tt_fxt_record *record,
                                      const struct tt_fxt_layout *layout)
{
    uint64_t header = tt_fxt_word(record, 0);
    if (state->current && layout->does == TT_FXT_DOES_STRING) {
        return &state->current->strings[tt_fxt_bits(header, 16, 15)];
    }
    if (state->current && layout->does == TT_FXT_DOES_THREAD) {
        return &state->current->threads[tt_fxt_bits(header, 16, 8)];
    }
    return NULL;
}

/* Adds the string or thread of a reference to those that are written. */
static void fxt_excerpt_need(struct tt_excerpt_state *state, const uint64_t *places, uint32_t ref,
                             uint32_t limit)
{
    if (state->current && ref > 0 && ref < limit && places[ref] > 0) {
        state->no_memory |= !tt_record_set_add(&state->needed, places[ref] - 1);
    }
}

/* Adds what the record of an object refers to. */
static void need_references(struct tt_excerpt_state *state, const struct tt_fxt_record *record,
                            const struct tt_fxt_layout *layout)
{
    struct tt_fxt_view view;
    struct tt_fxt_arg arg;
    tt_fxt_parse(record, layout, &view);
    if (!state->current || !view.usable) {
        return;
    }
    const uint64_t *strings = state->current->strings;
    fxt_excerpt_need(state, strings, view.value[TT_FXT_NAME], STRINGS);
    fxt_excerpt_need(state, state->current->threads, view.value[TT_FXT_THREAD], TT_FXT_THREADS);
    uint32_t at = view.at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < view.args && tt_fxt_arg_at(record, at, &arg); i++) {
        fxt_excerpt_need(state, strings, arg.name_ref, STRINGS);
        fxt_excerpt_need(state, strings, arg.type == TT_FXT_ARG_STRING ? arg.text_ref : 0, STRINGS);
        at += arg.words;
    }
}

static bool changes_provider(const struct tt_fxt_layout *layout)
{
    return layout->does == TT_FXT_DOES_PROVIDER_INFO ||
           layout->does == TT_FXT_DOES_PROVIDER_SECTION;
}

static bool fxt_excerpt_is_definition(const struct tt_fxt_record *record,
                                      const struct tt_fxt_layout *layout)
{
    switch (layout->does) {
    case TT_FXT_DOES_PROVIDER_INFO:
    case TT_FXT_DOES_INIT:
    case TT_FXT_DOES_STRING:
    case TT_FXT_DOES_THREAD:
    case TT_FXT_DOES_USER_OBJECT:
    case TT_FXT_DOES_KERNEL_OBJECT:
        return true;
    default:
        return tt_fxt_word(record, 0) == TT_FXT_MAGIC;
    }
}

/* Walks the records before the range; twice: to find the valid definitions, then to write them. */
static void walk_past(struct tt_excerpt_state *state, bool first_walk)
{
    struct tt_fxt_record record;
    const struct tt_fxt_layout *layout;
    select_tables(state, 0, false);
    state->section = NO_RECORD;
    for (uint64_t pos = 0; pos < state->job->first_pos; pos += (uint64_t)record.words * 8) {
        if (!record_at(state, pos, &record, &layout)) {
            record.words = 1; /* damaged: the next record is searched word by word */
            continue;
        }
        if (!layout) {
            continue;
        }
        if (changes_provider(layout)) {
            /* Follows the provider of the records. */
            uint64_t id = tt_fxt_bits(tt_fxt_word(&record, 0), 20, 32);
            bool is_info = layout->does == TT_FXT_DOES_PROVIDER_INFO;
            select_tables(state, id, is_info && first_walk);
            state->section = is_info ? NO_RECORD : record.pos;
        }
        uint64_t *place = fxt_excerpt_place_of(state, &record, layout);
        if (first_walk) {
            if (place) {
                *place = pos + 1;
            } else if (layout->does == TT_FXT_DOES_KERNEL_OBJECT ||
                       layout->does == TT_FXT_DOES_USER_OBJECT) {
                need_references(state, &record, layout);
            }
        } else if (fxt_excerpt_is_definition(&record, layout) &&
                   (!place || *place == pos + 1 || tt_record_set_has(&state->needed, pos))) {
            put_section(state);
            fxt_excerpt_put_record(state, &record);
        }
    }
}

/* ---- states ------------------------------------------------------------------------------- */

/* Returns the time of the beginning in ticks of the provider of the first record. */
static uint64_t stamp_of(const struct tt_excerpt_state *state)
{
    uint64_t rate = tt_fxt_rate_at(
        state->fxt, tt_fxt_provider_at(state->fxt, state->job->first_pos), state->job->first_pos);
    uint64_t clock = state->job->capture->clock_hz;
    uint64_t stamp = state->job->ticks;
    return rate == clock || clock == 0 || !tt_mul_div(state->job->ticks, rate, clock, &stamp)
               ? state->job->ticks
               : stamp;
}

/* Writes an int32 argument with an inline name of 15 characters. */
static void put_weight(struct tt_excerpt_state *state, const char *name, int32_t weight)
{
    char text[16] = {0};
    memcpy(text, name, 15);
    fxt_excerpt_put_word(state, TT_FXT_ARG_INT32 | UINT64_C(3) << 4 |
                                    (uint64_t)(TT_FXT_INLINE | 15u) << 16 |
                                    (uint64_t)(uint32_t)weight << 32);
    tt_excerpt_put(state->job->out, text, sizeof text);
}

static void fxt_excerpt_put_switch(struct tt_excerpt_state *excerpt_state, uint64_t stamp,
                                   uint32_t thread, bool enters, unsigned state)
{
    const struct tt_excerpt_thread *of = &excerpt_state->job->threads[thread];
    const struct tt_thread *t = tt_thread_at(excerpt_state->job->capture, thread);
    int32_t weight = t->idle ? INT32_MIN
                     : of->priority != TT_NO_PRIORITY
                         ? tt_fxt_weight(excerpt_state->job->capture, thread, of->priority)
                         : 0;
    uint64_t cpu = of->role >= TT_EXCERPT_LAST_RUN && of->cpu != TT_NO_CPU ? of->cpu : 0;
    enum { SWITCH = 1, WORDS = 10, WEIGHTS = 2 };
    fxt_excerpt_put_word(excerpt_state, TT_FXT_SCHEDULING | (uint64_t)WORDS << 4 |
                                            (uint64_t)WEIGHTS << 16 | cpu << 20 |
                                            (uint64_t)state << 36 | (uint64_t)SWITCH << 60);
    fxt_excerpt_put_word(excerpt_state, stamp);
    fxt_excerpt_put_word(excerpt_state, enters ? 0 : t->tid);
    fxt_excerpt_put_word(excerpt_state, enters ? t->tid : 0);
    put_weight(excerpt_state, "outgoing_weight", enters ? INT32_MIN : weight);
    put_weight(excerpt_state, "incoming_weight", enters ? weight : INT32_MIN);
}

static unsigned outgoing_of(uint32_t state)
{
    for (unsigned i = 1; i < 6; i++) {
        if (tt_fxt_outgoing_states[i] == state) {
            return i;
        }
    }
    return 1;
}

/* Writes the thread's kernel object with its process, if there is none before the range. */
static void fxt_excerpt_put_object(struct tt_excerpt_state *state, uint32_t thread)
{
    const struct tt_capture *capture = state->job->capture;
    const struct tt_thread *t = tt_thread_at(capture, thread);
    uint64_t object;
    enum { KERNEL_OBJECT = 7, THREAD = 2 };
    if (tt_fxt_table_get(&state->fxt->koids, t->tid, 0, state->job->first_pos, &object)) {
        return;
    }
    size_t length = 0;
    const char *name = t->name ? tt_capture_text(capture, t->name, &length) : "";
    uint32_t words = tt_fxt_stream_words((uint32_t)(length = length < 1024 ? length : 1024));
    fxt_excerpt_put_word(
        state, KERNEL_OBJECT | (uint64_t)(5 + words) << 4 | (uint64_t)THREAD << 16 |
                   (uint64_t)(length ? TT_FXT_INLINE | length : 0) << 24 | UINT64_C(1) << 40);
    fxt_excerpt_put_word(state, t->tid);
    char padded[8];
    for (size_t at = 0; at < length; at += 8) {
        memset(padded, 0, sizeof padded);
        memcpy(padded, name + at, length - at < 8 ? length - at : 8);
        tt_excerpt_put(state->job->out, padded, sizeof padded);
    }
    fxt_excerpt_put_word(state,
                         TT_FXT_ARG_KOID | UINT64_C(3) << 4 | (uint64_t)(TT_FXT_INLINE | 7u) << 16);
    tt_excerpt_put(state->job->out, "process", 8);
    fxt_excerpt_put_word(state, tt_process_at(capture, t->process)->pid);
}

struct by_koid {
    uint64_t tid;
    uint32_t thread;
};

static int compare_koids(const void *a, const void *b)
{
    const struct by_koid *left = a, *right = b;
    return left->tid != right->tid
               ? (left->tid > right->tid) - (left->tid < right->tid)
               : (left->thread > right->thread) - (left->thread < right->thread);
}

static void fxt_excerpt_put_states(struct tt_excerpt_state *state)
{
    const struct tt_excerpt_job *job = state->job;
    struct by_koid *sorted = calloc((size_t)job->thread_count + 1, sizeof *sorted);
    uint32_t count = 0;
    for (uint32_t i = 0; sorted && i < job->thread_count; i++) {
        if (job->threads[i].role >= TT_EXCERPT_IN_STATE) {
            sorted[count++] = (struct by_koid){tt_thread_at(job->capture, i)->tid, i};
        }
    }
    if (!sorted) {
        state->no_memory = true;
        return;
    }
    qsort(sorted, count, sizeof *sorted, compare_koids);
    const uint64_t stamp = stamp_of(state);
    for (uint32_t i = 0; i < count; i++) {
        fxt_excerpt_put_object(state, sorted[i].thread);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_excerpt_thread *of = &job->threads[sorted[i].thread];
        if (of->role != TT_EXCERPT_IN_STATE) {
            fxt_excerpt_put_switch(state, stamp, sorted[i].thread, true, TT_FXT_OUTGOING_LOST);
        }
        if (of->role != TT_EXCERPT_ON_CPU) {
            fxt_excerpt_put_switch(state, stamp, sorted[i].thread, false, outgoing_of(of->state));
        }
    }
    free(sorted);
}

/* ---- interface ---------------------------------------------------------------------------- */

static void fxt_excerpt_end(struct tt_excerpt_state *state)
{
    for (uint32_t i = 0; i < state->table_count; i++) {
        free(state->tables[i]);
    }
    tt_record_set_free(&state->needed);
    free(state);
}

static struct tt_excerpt_state *fxt_excerpt_begin(const struct tt_excerpt_job *job)
{
    struct tt_excerpt_state *state = calloc(1, sizeof *state);
    if (!state) {
        return NULL;
    }
    state->job = job;
    state->fxt = job->capture->decoder;
    state->section = NO_RECORD;
    tt_record_set_make(&state->needed, 0, 8);
    if (job->has_past) {
        walk_past(state, true);
        if (!state->no_memory) {
            walk_past(state, false);
            put_section(state);
            fxt_excerpt_put_states(state);
        }
        state->next = job->first_pos;
    }
    if (state->no_memory) {
        fxt_excerpt_end(state);
        return NULL;
    }
    return state;
}

/* Writes records of the set, and the definitions between them. */
static bool fxt_excerpt_step(struct tt_excerpt_state *state)
{
    struct tt_fxt_record record;
    const struct tt_fxt_layout *layout;
    for (uint32_t n = 0; n < RECORDS_PER_STEP && !state->job->out->sink.stopped; n++) {
        uint64_t next = state->next;
        if (!tt_record_set_next(state->job->records, &next)) {
            return false;
        }
        if (!record_at(state, state->next, &record, &layout)) {
            if (next == state->next) {
                return false;
            }
            state->next += 8;
            continue;
        }
        bool is_marked = next == state->next;
        if (layout && changes_provider(layout)) {
            state->section = layout->does == TT_FXT_DOES_PROVIDER_INFO ? NO_RECORD : state->next;
        }
        if (is_marked || (layout && (fxt_excerpt_is_definition(&record, layout) ||
                                     layout->does == TT_FXT_DOES_PROVIDER_EVENT))) {
            put_section(state);
            fxt_excerpt_put_record(state, &record);
        }
        state->next += (uint64_t)record.words * 8;
    }
    return true;
}

static uint64_t fxt_excerpt_base_of(const struct tt_capture *capture)
{
    (void)capture;
    return 0;
}

static bool fxt_excerpt_is_kept(const struct tt_capture *capture, const struct tt_event *event)
{
    (void)capture;
    return event->kind == TT_KIND_SWITCH || event->kind == TT_KIND_WAKEUP ||
           event->kind == TT_KIND_STATE || event->kind == TT_KIND_LIFETIME ||
           event->kind == TT_KIND_CONTROL;
}

const struct tt_excerpt_format tt_fxt_excerpt = {
    .unit = 8,
    .base = fxt_excerpt_base_of,
    .is_kept = fxt_excerpt_is_kept,
    .begin = fxt_excerpt_begin,
    .step = fxt_excerpt_step,
    .end = fxt_excerpt_end,
};
