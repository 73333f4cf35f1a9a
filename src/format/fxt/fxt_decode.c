/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_decode: reads the records one after another, applies definitions, and resynchronizes where a
 * record's size is wrong.
 */
#include <stdlib.h>

#include "format/fxt/fxt_names.h"
#include "tracetui/text.h"

/* Saved state of a cursor. The provider and its clock follow from the position. */
struct state {
    uint64_t pos;
    uint64_t last_ticks;
};

/* Providers that get a line among the facts. */
#define PROVIDER_FACTS 64u

/* ---- cursors ---------------------------------------------------------------------------- */

struct tt_cursor *tt_fxt_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) {
        return NULL;
    }
    cursor->fxt = capture->decoder;
    cursor->learn = learn;
    cursor->fast = cursor->fxt->big == tt_host_is_big();
    cursor->clock = capture->clock_hz;
    cursor->max_ticks = cursor->fxt->max_ticks;
    for (uint32_t i = 0; i < TT_FXT_TYPE_CACHE; i++) {
        cursor->types[i].type = UINT32_MAX;
    }
    for (uint32_t i = 0; i < TT_FXT_LANE_CACHE; i++) {
        cursor->lanes[i].lane = TT_NO_THREAD;
    }
    cursor->tids[0].tid = TT_FXT_NO_KEY;
    for (uint32_t i = 0; i < TT_FXT_SERIES_CACHE; i++) {
        cursor->series[i].type = UINT32_MAX;
    }
    for (uint32_t i = 0; i < TT_FXT_LAYOUTS; i++) {
        cursor->layout_types[i] = UINT32_MAX;
    }
    struct state start = {0, cursor->fxt->first_ticks};
    tt_fxt_cursor_load(cursor, &start, sizeof start);
    return cursor;
}

void tt_fxt_cursor_free(struct tt_cursor *cursor)
{
    free(cursor);
}

size_t tt_fxt_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    struct state state = {cursor->pos, cursor->last_ticks};
    if (capacity >= sizeof state) {
        memcpy(blob, &state, sizeof state);
    }
    return sizeof state;
}

/* Switches the cursor to a provider; the caller sets the last time of its stream. */
static void enter_provider(struct tt_cursor *cursor, uint32_t provider, uint64_t pos)
{
    if (provider == 0 && cursor->used_implicit) {
        /* Other providers fall back on the implicit one, whose definitions may change now. */
        tt_fxt_forget(cursor);
    }
    cursor->provider = provider;
    cursor->stream = cursor->learn ? tt_column_at(&cursor->fxt->providers, provider) : NULL;
    cursor->rate = tt_fxt_rate_at(cursor->fxt, provider, pos);
}

void tt_fxt_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    struct state state = {0, 0};
    memcpy(&state, blob, size < sizeof state ? size : sizeof state);
    tt_fxt_forget(cursor);
    cursor->pos = state.pos;
    cursor->last_ticks = state.last_ticks;
    cursor->resync = 0;
    enter_provider(cursor, tt_fxt_provider_at(cursor->fxt, state.pos), state.pos);
}

uint64_t tt_fxt_cursor_pos(const struct tt_cursor *cursor)
{
    return cursor->pos;
}

/* ---- providers -------------------------------------------------------------------------- */

static bool fxt_decode_put(struct tt_cursor *cursor, struct tt_fxt_table *table, uint64_t a,
                           uint64_t b, uint64_t pos, uint64_t value)
{
    bool done = tt_fxt_table_put(table, a, b, pos, value);
    cursor->no_memory |= !done;
    return done;
}

/* Adds a new incarnation of a provider id; returns UINT32_MAX when out of memory. */
static uint32_t learn_provider(struct tt_cursor *cursor, uint64_t id, uint64_t pos)
{
    struct tt_fxt *fxt = cursor->fxt;
    uint64_t count = tt_column_count(&fxt->providers);
    struct tt_fxt_provider *provider =
        count < TT_FXT_NO_PROVIDER ? tt_column_next(&fxt->providers) : NULL;
    if (!provider || !fxt_decode_put(cursor, &fxt->ids, id, 0, pos, count)) {
        cursor->no_memory = true;
        return TT_FXT_NO_PROVIDER;
    }
    provider->id = id;
    tt_column_publish(&fxt->providers);
    return (uint32_t)count;
}

/* Finds the provider that `id` refers to at `pos`. */
static bool find_provider(const struct tt_cursor *cursor, uint64_t id, uint64_t pos,
                          uint32_t *provider)
{
    uint64_t number = 0;
    bool known = tt_fxt_table_get(&cursor->fxt->ids, id, 0, pos, &number) || id == 0;
    *provider = (uint32_t)number;
    return known;
}

/* Begins a section of `provider` with the record at `pos`. */
static void switch_provider(struct tt_cursor *cursor, uint32_t provider, uint64_t pos)
{
    struct tt_fxt *fxt = cursor->fxt;
    if (cursor->learning) {
        cursor->stream->last_ticks = cursor->last_ticks;
        if (fxt->definitions) {
            fxt_decode_put(cursor, &fxt->times, tt_fxt_provider_at(fxt, pos), 0, pos,
                           cursor->last_ticks);
        }
        fxt_decode_put(cursor, &fxt->sections, 0, 0, pos, provider);
    }
    uint64_t time = fxt->first_ticks;
    if (fxt->definitions) {
        tt_fxt_table_get(&fxt->times, provider, 0, pos, &time);
    }
    cursor->last_ticks = time;
    enter_provider(cursor, provider, pos);
}

static void add_provider_fact(struct tt_cursor *cursor, uint64_t id, const char *name,
                              uint32_t length)
{
    char key[40];
    if (cursor->fxt->facts >= PROVIDER_FACTS) {
        return;
    }
    struct tt_text text = tt_text_of(key, sizeof key);
    tt_text_str(&text, "provider ");
    tt_text_u64(&text, id);
    memcpy(cursor->text, name, length);
    cursor->fxt->facts++;
    cursor->no_memory |=
        !tt_facts_add(cursor->fxt->capture, "recording", tt_text_cstr(&text), cursor->text, length);
}

static void read_provider_info(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                               const struct tt_fxt_view *view)
{
    uint64_t id = tt_fxt_bits(tt_fxt_word(record, 0), 20, 32);
    uint32_t provider = 0;
    if (cursor->learning) {
        if (view->at[TT_FXT_STREAM]) {
            add_provider_fact(cursor, id, tt_fxt_bytes_at(record, view->at[TT_FXT_STREAM]),
                              view->value[TT_FXT_STREAM]);
        }
        provider = learn_provider(cursor, id, record->pos);
    } else {
        find_provider(cursor, id, record->pos, &provider);
    }
    if (!cursor->no_memory) {
        switch_provider(cursor, provider, record->pos);
    }
}

static void read_provider_section(struct tt_cursor *cursor, const struct tt_fxt_record *record)
{
    uint64_t id = tt_fxt_bits(tt_fxt_word(record, 0), 20, 32);
    uint32_t provider;
    if (!find_provider(cursor, id, record->pos, &provider) && cursor->learning) {
        tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, id,
                      "section of a provider that was not introduced");
        provider = learn_provider(cursor, id, record->pos);
    }
    if (!cursor->no_memory) {
        switch_provider(cursor, provider, record->pos);
    }
}

/* Notes that records of a provider are missing at the cursor. */
static void lose_records(struct tt_cursor *cursor, struct tt_fxt_provider *provider)
{
    uint64_t last = provider->last_switch;
    if (provider == cursor->stream && cursor->last_ticks > last) {
        last = cursor->last_ticks;
    }
    provider->lost_since = provider->lost ? provider->lost_since : last;
    provider->lost = true;
    last = provider == cursor->stream ? cursor->last_ticks : provider->last_ticks;
    provider->events_lost_since = provider->events_lost ? provider->events_lost_since : last;
    provider->events_lost = true;
    atomic_store_explicit(&cursor->fxt->any_lost, true, memory_order_relaxed);
}

static void learn_provider_event(struct tt_cursor *cursor, const struct tt_fxt_record *record)
{
    uint64_t header = tt_fxt_word(record, 0);
    uint64_t id = tt_fxt_bits(header, 20, 32);
    uint32_t number;
    if (tt_fxt_bits(header, 52, 4) != 0) {
        return;
    }
    tt_fxt_health(cursor, TT_HEALTH_LOST, record->pos, id, "provider whose buffer filled up");
    if (find_provider(cursor, id, record->pos, &number)) {
        lose_records(cursor, tt_column_at(&cursor->fxt->providers, number));
    }
}

/* ---- other definitions ------------------------------------------------------------------ */

static void read_init(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                      const struct tt_fxt_view *view)
{
    uint64_t rate = tt_fxt_word(record, view->at[TT_FXT_A]);
    if (rate == 0) {
        tt_fxt_health(cursor, TT_HEALTH_HEADER, record->pos, rate,
                      "ticks a second: not a clock, left as it was");
        return;
    }
    if (cursor->learning) {
        fxt_decode_put(cursor, &cursor->fxt->rates, cursor->provider, 0, record->pos, rate);
    }
    cursor->rate = rate;
}

static void read_string(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                        const struct tt_fxt_view *view)
{
    uint32_t index = (uint32_t)tt_fxt_bits(tt_fxt_word(record, 0), 16, 15);
    if (index == 0) {
        return; /* index 0 is the empty string and cannot be redefined */
    }
    tt_fxt_forget_string(cursor, index);
    if (cursor->learning) {
        const char *text = tt_fxt_bytes_at(record, view->at[TT_FXT_STREAM]);
        tt_string string = tt_fxt_inline_text(cursor, text, view->value[TT_FXT_STREAM]);
        if (!cursor->no_memory && fxt_decode_put(cursor, &cursor->fxt->strings, cursor->provider,
                                                 index, record->pos, string)) {
            tt_fxt_remember_string(cursor, index, string);
        }
    }
}

static void read_thread(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                        const struct tt_fxt_view *view)
{
    uint32_t index = (uint32_t)tt_fxt_bits(tt_fxt_word(record, 0), 16, 8);
    if (index == 0) {
        return; /* ref 0 is an inline thread */
    }
    tt_fxt_forget_thread(cursor, index);
    if (cursor->learning) {
        uint32_t lane = tt_fxt_lane(cursor, tt_fxt_word(record, view->at[TT_FXT_A]),
                                    tt_fxt_word(record, view->at[TT_FXT_B]));
        if (lane != TT_NO_THREAD && fxt_decode_put(cursor, &cursor->fxt->threads, cursor->provider,
                                                   index, record->pos, lane)) {
            tt_fxt_remember_thread(cursor, index, lane);
        }
    }
}

static void read_definition(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                            const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    switch (layout->does) {
    case TT_FXT_DOES_PROVIDER_INFO:
        read_provider_info(cursor, record, view);
        break;
    case TT_FXT_DOES_PROVIDER_SECTION:
        read_provider_section(cursor, record);
        break;
    case TT_FXT_DOES_PROVIDER_EVENT:
        if (cursor->learning) {
            learn_provider_event(cursor, record);
        }
        break;
    case TT_FXT_DOES_INIT:
        read_init(cursor, record, view);
        break;
    case TT_FXT_DOES_STRING:
        read_string(cursor, record, view);
        break;
    case TT_FXT_DOES_THREAD:
        read_thread(cursor, record, view);
        break;
    case TT_FXT_DOES_KERNEL_OBJECT:
    case TT_FXT_DOES_USER_OBJECT:
        if (cursor->learning) {
            tt_fxt_check_args(cursor, record, view);
            if (layout->does == TT_FXT_DOES_KERNEL_OBJECT) {
                tt_fxt_learn_kernel_object(cursor, record, view);
            } else {
                tt_fxt_learn_user_object(cursor, record, view);
            }
        }
        break;
    default:
        break;
    }
}

/* ---- records ---------------------------------------------------------------------------- */

/*
 * Returns whether a record's size is wrong. A record larger than its contents may be extended or
 * damaged; it is damaged if no record follows it. The learning cursor's decision is kept, since
 * more bytes of a growing file could change it.
 */
static bool size_is_wrong(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                          const struct tt_fxt_view *view, uint64_t limit)
{
    if (view->whole && view->end == record->words) {
        return false;
    }
    if (!cursor->learning) {
        uint64_t unused;
        return tt_fxt_table_get(&cursor->fxt->jumps, record->pos, 0, 0, &unused);
    }
    uint64_t next = record->pos + (uint64_t)record->words * 8;
    struct tt_capture *capture = cursor->fxt->capture;
    return !tt_fxt_record_may_follow(capture->bytes.data, next, limit, cursor->fxt->big,
                                     &capture->guessed);
}

static void read_whole_record(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                              const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                              struct tt_batch *batch)
{
    if (!view->whole) {
        tt_fxt_health(cursor, TT_HEALTH_MALFORMED, record->pos, record->words,
                      "words: too few for what the record should hold");
    }
    if (layout->timed) {
        if (view->usable) {
            tt_fxt_emit(cursor, record, layout, view, batch);
        }
        return;
    }
    bool name_cut = layout->does == TT_FXT_DOES_PROVIDER_INFO;
    if (view->usable || name_cut) {
        read_definition(cursor, record, layout, view);
    }
    if (cursor->fxt->definitions && !cursor->no_memory) {
        tt_fxt_emit_definition(cursor, record, layout, view, batch);
    }
}

enum record_result { RECORD_DONE, RECORD_IS_DAMAGE, RECORD_UNDECIDED, RECORD_NO_MEMORY };

static bool is_usual_string(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                            const struct tt_fxt_view *view)
{
    return layout && layout->does == TT_FXT_DOES_STRING && view->whole &&
           view->end == record->words && tt_fxt_has_text(record, view);
}

/* Judges a record that is new; others have been judged. */
static enum tt_fxt_verdict fxt_decode_judge(struct tt_cursor *cursor,
                                            const struct tt_fxt_record *record,
                                            const struct tt_fxt_layout *layout,
                                            const struct tt_fxt_view *view, uint64_t limit,
                                            bool final)
{
    if (size_is_wrong(cursor, record, view, limit)) {
        return TT_FXT_IS_DAMAGE;
    }
    if (!cursor->learning || is_usual_string(record, layout, view)) {
        return TT_FXT_IS_GOOD;
    }
    enum tt_fxt_verdict verdict = tt_fxt_judge(cursor, record, layout, view, limit, final);
    if (verdict == TT_FXT_HAS_BAD_TIME) {
        fxt_decode_put(cursor, &cursor->fxt->lost, record->pos, 2, 0, cursor->fxt->pace.last);
        tt_fxt_mark(cursor, record->pos);
        tt_fxt_health(cursor, TT_HEALTH_BAD_TIME, record->pos,
                      tt_fxt_word(record, view->at[TT_FXT_TIME]),
                      "ticks that the records around it contradict");
    }
    return verdict;
}

/* Reads one record; leaves the batch unchanged when out of memory. */
static enum record_result read_record(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                      uint64_t limit, bool final, struct tt_batch *batch)
{
    uint32_t events = batch->count;
    uint32_t actions = batch->action_count;
    uint64_t header = tt_fxt_word(record, 0);
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
    struct tt_fxt_view view;
    if (layout) {
        tt_fxt_parse(record, layout, &view);
    } else {
        memset(&view, 0, sizeof view);
    }
    enum tt_fxt_verdict verdict = fxt_decode_judge(cursor, record, layout, &view, limit, final);
    if (verdict == TT_FXT_IS_DAMAGE) {
        return RECORD_IS_DAMAGE;
    }
    if (verdict == TT_FXT_IS_UNDECIDED) {
        return RECORD_UNDECIDED;
    }
    if (layout) {
        read_whole_record(cursor, record, layout, &view, batch);
    } else {
        tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_EVENT, record->pos, header & 15,
                      "record of unknown type");
    }
    if (cursor->no_memory) {
        batch->count = events;
        batch->action_count = actions;
        return RECORD_NO_MEMORY;
    }
    return RECORD_DONE;
}

/* ---- damage ----------------------------------------------------------------------------- */

/* Jumps to the position that the learning cursor found. */
static bool skip_learnt_damage(struct tt_cursor *cursor)
{
    uint64_t next;
    bool known = tt_fxt_table_get(&cursor->fxt->jumps, cursor->pos, 0, 0, &next);
    if (known) {
        tt_fxt_move_to(cursor, next);
    }
    return known;
}

/*
 * Resynchronizes after a record whose size is wrong. Returns false if the bytes contain no sound
 * record: the cursor is at their end, or stays where it is if the file may grow.
 */
static bool fxt_decode_skip_damage(struct tt_cursor *cursor, uint64_t limit, bool final,
                                   bool overruns)
{
    struct tt_fxt *fxt = cursor->fxt;
    if (!cursor->learning) {
        return skip_learnt_damage(cursor);
    }
    uint64_t least = cursor->pos < fxt->front ? fxt->front : cursor->pos + 1;
    uint64_t at = cursor->resync > least ? cursor->resync : least;
    enum tt_fxt_resync found = tt_fxt_find_end(cursor, &at, limit, final);
    if (found == TT_FXT_RESYNC_UNDECIDED) {
        cursor->resync = at;
        return false;
    }
    bool cut = found == TT_FXT_RESYNC_NONE && overruns;
    uint64_t next = found == TT_FXT_RESYNC_FOUND ? at : limit;
    if (!fxt_decode_put(cursor, &fxt->jumps, cursor->pos, 0, 0, next)) {
        return false;
    }
    if (!cut) {
        tt_fxt_mark(cursor, cursor->pos);
        lose_records(cursor, cursor->stream);
        cursor->stream->damaged = true;
    }
    tt_fxt_health(cursor, cut ? TT_HEALTH_TRUNCATED : TT_HEALTH_DAMAGED, cursor->pos,
                  next - cursor->pos, cut ? "bytes of a record cut short" : "bytes skipped");
    tt_fxt_move_to(cursor, next);
    return true;
}

/* ---- decoding --------------------------------------------------------------------------- */

/* Reads the record at the cursor; sets *result and returns false when decoding has to stop. */
static bool fxt_decode_step(struct tt_cursor *cursor, uint64_t limit, bool final,
                            struct tt_batch *batch, enum tt_decode_result *result)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    uint64_t pos = cursor->pos;
    if (pos >= limit || limit - pos < 8) {
        if (final && limit > cursor->pos) {
            tt_fxt_health(cursor, TT_HEALTH_TRUNCATED, cursor->pos, limit - cursor->pos,
                          "bytes of a record cut short");
            tt_fxt_move_to(cursor, limit);
        }
        *result = TT_DECODE_END;

        return false;
    }
    uint64_t header = pos < fxt->front ? 0 : tt_load_u64(bytes + pos, fxt->big);
    uint32_t words = tt_fxt_claimed_words(header);
    bool overruns = words > (limit - pos) / 8;
    enum record_result done = RECORD_IS_DAMAGE;
    *result = TT_DECODE_END;
    if (!cursor->learning && skip_learnt_damage(cursor)) {
        return true;
    }
    if (overruns && !final) {
        return false;
    }
    if (words != 0 && !overruns) {
        struct tt_fxt_record record = {bytes + pos, pos, words, fxt->big};
        done = read_record(cursor, &record, limit, final, batch);
    }
    if (done == RECORD_DONE) {
        batch->records++;
        tt_fxt_move_to(cursor, pos + (uint64_t)words * 8);
        return true;
    }
    bool skipped =
        done == RECORD_IS_DAMAGE && fxt_decode_skip_damage(cursor, limit, final, overruns);
    if (cursor->no_memory) {
        *result = TT_DECODE_MEMORY;
    }
    return skipped;
}

enum tt_decode_result tt_fxt_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                    struct tt_batch *batch)
{
    enum tt_decode_result result = TT_DECODE_MORE;
    cursor->limit = limit;
    if (cursor->learn) {
        /* Notes places to walk from, and looks at what more bytes decide. */
        struct tt_fxt_pace *pace = &cursor->fxt->pace;
        if (cursor->pos > pace->walk_next && cursor->pos - pace->walk_next > TT_FXT_NEAR_BYTES) {
            pace->walk = pace->walk_next;
            pace->walk_next = cursor->pos;
        }
        if (cursor->fxt->belief_count > 0) {
            tt_fxt_check_beliefs(cursor, limit, final);
        }
    }
    uint64_t budget = batch->byte_budget ? batch->byte_budget : UINT64_MAX;
    uint64_t end = budget > UINT64_MAX - cursor->pos ? UINT64_MAX : cursor->pos + budget;
    while (tt_fxt_has_room(batch) && cursor->pos < end) {
        cursor->no_memory = false;
        cursor->learning = cursor->learn && cursor->pos >= cursor->fxt->learnt;
        uint64_t before = cursor->pos;
        if (cursor->fast && cursor->pos >= cursor->fxt->front) {
            tt_fxt_decode_fast(cursor, limit, end, batch);
        }
        if (cursor->pos == before && !fxt_decode_step(cursor, limit, final, batch, &result)) {
            return result;
        }
    }
    return TT_DECODE_MORE;
}
