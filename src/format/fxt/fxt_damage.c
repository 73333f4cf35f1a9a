/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_damage: judges which records are damage and where a stretch of it ends.
 *
 *      ... good | odd record | next | next | ...      is what follows sound? are the times near?
 *      ... good | damage ....... | sound | sound ...  any alignment; enough of them agree
 *
 *  Only records that the fast path leaves are judged, and only by the learning cursor, whose
 * decisions are kept by position (tables `jumps` and `lost`). docs/format-fxt.md has the rules.
 */
#include "format/fxt/fxt_damage.h"

#include "tracetui/time.h"

/* Keeps the registers of what is rare out of what is not. */
#define APART __attribute__((noinline))

/* Sound records that must follow one that is odd. */
#define NEXT_RECORDS 2
/* Records of unknown type among these, and how many have to be sound then. */
#define UNKNOWN_STEPS 2
#define NEXT_UNKNOWN  4
/* With fewer threads than these a new one is nothing odd. */
#define KNOWN_THREADS 8
/* Timed records after a step of time that are compared with it; as many are needed to refute it. */
#define NEIGHBOURS     8
#define MIN_NEIGHBOURS 4
/* A wrong time is farther from its neighbours than their span times one of these. */
#define AHEAD_SPANS  16
#define BEHIND_SPANS 256
/* A complete event has a wrong end if it takes LONG_TIMES the time of the capture before it. */
#define LONG_TIMES 1024
/* Records that end damage: AGREEING_RECORDS if most agree with what was before, else SOUND_RECORDS. */
#define AGREEING_RECORDS 8
#define AGREEING_LEAST   6
#define SOUND_RECORDS    32
/* A chain that ends with the file may be shorter, but a single small record proves nothing. */
#define WORDS_AT_END 4
/* STEPS legal steps of time within STEPS * STEP_BYTES double the size of checked ones. */
#define STEPS      64
#define STEP_BYTES UINT64_C(4096)

static uint64_t fxt_damage_distance(uint64_t one, uint64_t other)
{
    return one < other ? other - one : one - other;
}

/* Converts ticks of the current provider to model ticks. */
static uint64_t model_time(struct tt_cursor *cursor, uint64_t ticks)
{
    uint64_t time = ticks;
    if (cursor->rate != cursor->clock && !tt_mul_div(ticks, cursor->clock, cursor->rate, &time)) {
        time = UINT64_MAX;
    }
    return time;
}

static inline bool is_established(const struct tt_cursor *cursor)
{
    struct tt_fxt *fxt = cursor->fxt;
    if (!fxt->crowd.established) {
        fxt->crowd.established = tt_thread_count(fxt->capture) >= KNOWN_THREADS;
    }
    return fxt->crowd.established;
}

void tt_fxt_mark(struct tt_cursor *cursor, uint64_t pos)
{
    struct tt_fxt *fxt = cursor->fxt;
    cursor->no_memory |= !tt_fxt_table_put(&fxt->jumps, pos >> TT_FXT_CHUNK_BITS, 1, 0, pos + 1);
    atomic_store_explicit(&fxt->any_lost, true, memory_order_relaxed);
}

/* ---- what follows ----------------------------------------------------------------------- */

enum follow { FOLLOWS, FOLLOWS_NOT, FOLLOWS_END };

static bool has_chain(struct tt_cursor *cursor, uint64_t pos, uint64_t end, uint64_t limit);

/* Returns whether the bytes end inside a record that begins at `pos`: it is not damage before others. */
static bool is_cut(struct tt_cursor *cursor, uint64_t header, uint64_t pos, uint64_t limit)
{
    return tt_fxt_claimed_words(header) > (limit - pos) / 8 && tt_fxt_header_plausible(header) &&
           !has_chain(cursor, pos + 8, pos + 8 + TT_FXT_NEAR_BYTES, limit);
}

/* Returns whether sound records begin at `pos`; FOLLOWS_END: the bytes end before that is known. */
static enum follow follow_at(struct tt_cursor *cursor, uint64_t pos, uint64_t limit)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    struct tt_fxt_view view;
    uint32_t unknown = 0;
    for (uint32_t count = 0; count < (unknown ? NEXT_UNKNOWN : NEXT_RECORDS);) {
        if (limit - pos < 8) {
            return FOLLOWS_END;
        }
        uint64_t header = tt_load_u64(bytes + pos, fxt->big);
        uint32_t words = tt_fxt_claimed_words(header);
        bool overruns = words > (limit - pos) / 8;
        bool is_unknown =
            !tt_fxt_layout_of(header) && words != 0 && !overruns && unknown++ < UNKNOWN_STEPS;
        if (overruns && is_cut(cursor, header, pos, limit)) {
            return FOLLOWS_END;
        }
        if (is_unknown ? has_chain(cursor, pos + 8, pos + (uint64_t)words * 8, limit)
                       : !tt_fxt_sound_record(bytes, pos, limit, fxt->big, &view)) {
            return FOLLOWS_NOT;
        }
        count += !is_unknown;
        pos += (uint64_t)words * 8;
    }
    return FOLLOWS;
}

/* Returns whether sound records follow an odd record that ends at `next`, or may do so. */
static bool is_followed(struct tt_cursor *cursor, uint64_t next, uint64_t limit, bool final)
{
    enum follow follow = follow_at(cursor, next, limit);
    if (follow == FOLLOWS_END && !final) {
        tt_fxt_believe(cursor, (struct tt_fxt_belief){TT_FXT_BELIEVED_RECORD, next, 0, 0});
    }
    return follow != FOLLOWS_NOT;
}

/* ---- references ------------------------------------------------------------------------- */

static bool knows_string(struct tt_cursor *cursor, uint32_t ref)
{
    tt_string string;
    return ref == 0 || tt_fxt_ref_is_inline(ref) ||
           tt_fxt_string_at(cursor->fxt, cursor->provider, ref, cursor->pos, &string);
}

bool tt_fxt_find_koid(const struct tt_fxt_record *record, const struct tt_fxt_view *view,
                      uint64_t *koid)
{
    uint32_t at = view->at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < view->args; i++) {
        struct tt_fxt_arg arg;
        if (!tt_fxt_arg_at(record, at, &arg)) {
            return false;
        }
        if (arg.type == TT_FXT_ARG_KOID) {
            *koid = arg.value;
            return true;
        }
        at += arg.words;
    }
    return false;
}

static bool knows_ref(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                      const struct tt_fxt_view *view, unsigned role)
{
    uint32_t lane, at = view->at[role];
    if (at != 0) {
        uint64_t tid = view->process_alone ? 0 : tt_fxt_word(record, at + 1);
        return tt_fxt_knows_thread(cursor, tt_fxt_word(record, at), tid);
    }
    const uint32_t place = tt_fxt_thread_place(cursor->provider, view->value[role]);
    return view->value[role] == 0 || cursor->threads[place].provider == cursor->provider ||
           tt_fxt_thread_at(cursor->fxt, cursor->provider, view->value[role], cursor->pos, &lane);
}

/* Returns whether the capture has the threads of a timed record. */
static bool knows_threads(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                          const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    uint64_t waker;
    switch (layout->does) {
    case TT_FXT_DOES_SWITCH:
        return tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_A])) &&
               tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_B]));
    case TT_FXT_DOES_WAKEUP:
        return tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_A])) &&
               (!tt_fxt_find_koid(record, view, &waker) || tt_fxt_knows_tid(cursor, waker));
    case TT_FXT_DOES_SWITCH_LEGACY:
        return knows_ref(cursor, record, view, TT_FXT_THREAD) &&
               knows_ref(cursor, record, view, TT_FXT_INCOMING);
    default:
        return knows_ref(cursor, record, view, TT_FXT_THREAD);
    }
}

/* Returns whether the CPU of a scheduling record has been seen before; true of other records. */
static inline bool knows_cpu(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                             const struct tt_fxt_layout *layout)
{
    uint64_t header = tt_fxt_word(record, 0), cpu = 0;
    if (layout->does == TT_FXT_DOES_SWITCH || layout->does == TT_FXT_DOES_WAKEUP) {
        cpu = tt_fxt_bits(header, 20, 16);
    } else if (layout->does == TT_FXT_DOES_SWITCH_LEGACY) {
        cpu = tt_fxt_bits(header, 16, 8);
    }
    return cpu == 0 || cpu < cursor->fxt->capture->cpu_count;
}

/* ---- steps of time ---------------------------------------------------------------------- */

/* Times from `step` before the base to STEPS_AHEAD `step` after it need no check. */
#define STEPS_AHEAD 8u

/* Sets the times that need no check, and those of which the nanoseconds need none either. */
static void set_range(struct tt_cursor *cursor)
{
    struct tt_fxt_pace *pace = &cursor->fxt->pace;
    const uint64_t most = cursor->max_ticks, ahead = STEPS_AHEAD * pace->step;
    const uint64_t latest = ahead + cursor->fxt->longest;
    pace->low = pace->base > pace->step ? pace->base - pace->step : 0;
    pace->span = pace->base - pace->low + ahead;
    bool fits = most > latest && pace->base < most - latest;
    pace->fast_low = fits ? pace->low : UINT64_MAX;
    pace->fast_span = fits ? pace->span : 0;
}

/* Returns whether a time needs no check. */
static bool is_paced(const struct tt_fxt_pace *pace, uint64_t ticks)
{
    return ticks - pace->low <= pace->span;
}

/* Returns whether a time is that of a step from the last record. */
static bool is_step(const struct tt_fxt_pace *pace, uint64_t ticks)
{
    return pace->timed && !is_paced(pace, ticks) &&
           fxt_damage_distance(ticks, pace->last) > pace->step;
}

struct neighbours {
    uint64_t times[NEIGHBOURS];
    uint32_t count;
    enum follow end; /* FOLLOWS: all have been found, or a section of another provider begins */
};

/* Collects the times of the records from `pos` on. */
static void find_neighbours(struct tt_cursor *cursor, uint64_t pos, uint64_t limit,
                            struct neighbours *found)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    struct tt_fxt_view view;
    found->count = 0;
    while (found->count < NEIGHBOURS) {
        uint64_t header = limit - pos < 8 ? 0 : tt_load_u64(bytes + pos, fxt->big);
        if (limit - pos < 8 || is_cut(cursor, header, pos, limit)) {
            found->end = FOLLOWS_END;
            return;
        }
        uint32_t words = tt_fxt_sound_record(bytes, pos, limit, fxt->big, &view);
        if (words == 0) {
            found->end = FOLLOWS_NOT;
            return;
        }
        const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
        struct tt_fxt_record record = {bytes + pos, pos, words, fxt->big};
        if ((header & 15) <= 1) {
            break; /* another provider, another clock */
        }
        if (layout->timed) {
            found->times[found->count++] =
                model_time(cursor, tt_fxt_word(&record, view.at[TT_FXT_TIME]));
        }
        pos += (uint64_t)words * 8;
    }
    found->end = FOLLOWS;
}

/* Returns whether a time is far from its neighbours, while these are near each other. */
static bool is_far(const struct neighbours *found, uint64_t ticks, uint64_t last)
{
    uint64_t low = last, high = last;
    for (uint32_t i = 0; i < found->count; i++) {
        low = found->times[i] < low ? found->times[i] : low;
        high = found->times[i] > high ? found->times[i] : high;
    }
    uint64_t spans = ticks > last ? AHEAD_SPANS : BEHIND_SPANS;
    return fxt_damage_distance(ticks, last) / spans > high - low;
}

/*
 * Returns whether a complete event ends so late that its end is wrong: after the rest of any capture, and a
 * thousand times as long as this one so far.
 */
static bool ends_too_late(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                          const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                          uint64_t ticks)
{
    const struct tt_fxt_pace *pace = &cursor->fxt->pace;
    if (layout->does != TT_FXT_DOES_SLICE || !view->at[TT_FXT_TAIL] || !pace->timed) {
        return false;
    }
    uint64_t end = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TAIL]));
    uint64_t far = pace->last + 2 * cursor->fxt->longest;
    return end > ticks && far > pace->last && end > far &&
           (end - ticks) / LONG_TIMES > fxt_damage_distance(pace->last, pace->first);
}

/* A complete event is written when it ends. */
static bool ends_here(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                      const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                      uint64_t ticks)
{
    const struct tt_fxt_pace *pace = &cursor->fxt->pace;
    if (layout->does != TT_FXT_DOES_SLICE || !view->at[TT_FXT_TAIL] || ticks > pace->last) {
        return false;
    }
    uint64_t end = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TAIL]));
    return end >= ticks && !is_step(pace, end);
}

/* Returns how far from the last time a capture may go on, if nothing else is known. */
static uint64_t reach_of(struct tt_cursor *cursor)
{
    const struct tt_fxt_pace *pace = &cursor->fxt->pace;
    uint64_t reach = 2 * fxt_damage_distance(pace->last, pace->first);
    return reach > cursor->clock ? reach : cursor->clock;
}

/*
 * Judges a step from the time `last` to `ticks`, with the records from `next` on. *open: none has come yet, and
 * the step is one that does not wait for them.
 */
static enum tt_fxt_verdict judge_step(struct tt_cursor *cursor, uint64_t ticks, uint64_t last,
                                      uint64_t next, uint64_t limit, bool final, bool *open)
{
    struct neighbours found;
    uint32_t here = 0;
    /* Two times of garbage are as far from each other as from the others. */
    const uint64_t parts = fxt_damage_distance(ticks, last) > reach_of(cursor) ? 2 : 1;
    find_neighbours(cursor, next, limit, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        here += fxt_damage_distance(found.times[i], ticks) <
                fxt_damage_distance(found.times[i], last) / parts;
        if (here > i) {
            return TT_FXT_IS_GOOD; /* the first one follows */
        }
    }
    if (found.end == FOLLOWS_END && !final) {
        *open = found.count == 0 && fxt_damage_distance(ticks, last) <= reach_of(cursor);
        return *open ? TT_FXT_IS_GOOD : TT_FXT_IS_UNDECIDED;
    }
    if (found.count >= MIN_NEIGHBOURS && here <= 1 && is_far(&found, ticks, last)) {
        return TT_FXT_HAS_BAD_TIME;
    }
    bool broken =
        found.end == FOLLOWS_NOT && found.count < MIN_NEIGHBOURS && is_established(cursor);
    return broken ? TT_FXT_IS_DAMAGE : TT_FXT_IS_GOOD;
}

/* Judges the step to a record's time, and counts it if it is legal. */
static APART enum tt_fxt_verdict judge_time(struct tt_cursor *cursor,
                                            const struct tt_fxt_record *record, uint64_t ticks,
                                            uint64_t limit, bool final)
{
    struct tt_fxt_pace *pace = &cursor->fxt->pace;
    const uint64_t next = record->pos + (uint64_t)record->words * 8;
    bool open = false;
    enum tt_fxt_verdict verdict = judge_step(cursor, ticks, pace->last, next, limit, final, &open);
    if (open) {
        tt_fxt_believe(cursor,
                       (struct tt_fxt_belief){TT_FXT_BELIEVED_TIME, next, ticks, pace->last});
    }
    if (verdict == TT_FXT_IS_GOOD) {
        /* Counts a legal step. */
        uint64_t pos = record->pos;

        if (++pace->steps == STEPS) {
            bool often = pos - pace->counted < STEPS * STEP_BYTES;
            pace->step <<= often && pace->step < UINT64_MAX / 64;
            pace->counted = pos;
            pace->steps = 0;
            set_range(cursor);
        }
    }
    return verdict;
}

/* ---- the end of a growing file ---------------------------------------------------------- */

void tt_fxt_believe(struct tt_cursor *cursor, struct tt_fxt_belief belief)
{
    struct tt_fxt *fxt = cursor->fxt;
    if (fxt->belief_count == TT_FXT_BELIEFS) {
        fxt->capture->guessed = true;
        fxt->belief_count = 0;
    }
    fxt->beliefs[fxt->belief_count++] = belief;
}

/* Returns whether a belief is still open; if it turns out to be wrong, it was a guess. */
static bool fxt_damage_is_open(struct tt_cursor *cursor, const struct tt_fxt_belief *belief,
                               uint64_t limit, bool final)
{
    struct tt_capture *capture = cursor->fxt->capture;
    bool open = false;
    if (belief->kind == TT_FXT_BELIEVED_RECORD) {
        enum follow follow = follow_at(cursor, belief->next, limit);
        capture->guessed |= follow == FOLLOWS_NOT;
        open = follow == FOLLOWS_END && !final;
    } else if (belief->kind == TT_FXT_BELIEVED_THREAD) {
        enum tt_fxt_mention found =
            tt_fxt_find_mention(cursor, belief->value, belief->next, limit, final);
        capture->guessed |= found == TT_FXT_NOT_MENTIONED;
        open = found == TT_FXT_MAY_BE_MENTIONED;
    } else {
        enum tt_fxt_verdict verdict =
            judge_step(cursor, belief->value, belief->last, belief->next, limit, final, &open);
        capture->guessed |= verdict != TT_FXT_IS_GOOD && verdict != TT_FXT_IS_UNDECIDED;
        open |= verdict == TT_FXT_IS_UNDECIDED;
    }
    return open;
}

void tt_fxt_check_beliefs(struct tt_cursor *cursor, uint64_t limit, bool final)
{
    struct tt_fxt *fxt = cursor->fxt;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < fxt->belief_count; i++) {
        if (fxt_damage_is_open(cursor, &fxt->beliefs[i], limit, final)) {
            fxt->beliefs[kept++] = fxt->beliefs[i];
        }
    }
    fxt->belief_count = kept;
}

/* ---- end of damage ---------------------------------------------------------------------- */

enum standing { STRANGE, NEUTRAL, AGREES };

/* Returns how a sound record stands to what was before the damage. */
static enum standing standing_of(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 const struct tt_fxt_view *view)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const struct tt_fxt_pace *pace = &fxt->pace;
    uint64_t header = tt_fxt_word(record, 0);
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
    if (layout->does == TT_FXT_DOES_INIT || layout->does == TT_FXT_DOES_PROVIDER_INFO) {
        return STRANGE;
    }
    if (!layout->timed) {
        return NEUTRAL;
    }
    uint64_t ticks = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TIME]));
    bool named = layout->class_name || (knows_string(cursor, view->value[TT_FXT_CATEGORY]) &&
                                        knows_string(cursor, view->value[TT_FXT_NAME]));
    bool known = named &&
                 (!pace->timed || fxt_damage_distance(ticks, pace->last) <= reach_of(cursor)) &&
                 knows_threads(cursor, record, layout, view) && knows_cpu(cursor, record, layout);
    return known ? AGREES : STRANGE;
}

/* Returns whether a chain from `from` to `pos`, at which the bytes end, is long enough. */
static enum tt_fxt_resync end_chain(struct tt_cursor *cursor, uint64_t from, uint64_t pos,
                                    uint64_t limit, uint32_t count, bool final)
{
    if (!final) {
        return TT_FXT_RESYNC_UNDECIDED;
    }
    bool aligned = (from - cursor->pos) % 8 == 0;
    bool enough = aligned        ? pos - from >= WORDS_AT_END * 8
                  : pos == limit ? count >= MIN_NEIGHBOURS
                                 : count >= AGREEING_RECORDS;
    return enough ? TT_FXT_RESYNC_FOUND : TT_FXT_RESYNC_NONE;
}

/* Returns whether enough records follow from `from` on. */
static enum tt_fxt_resync try_chain(struct tt_cursor *cursor, uint64_t from, uint64_t limit,
                                    bool final)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    uint64_t pos = from;
    uint32_t agreeing = 0;
    bool strange = false;
    for (uint32_t count = 0; count < SOUND_RECORDS; count++) {
        if (limit - pos < 8) {
            return end_chain(cursor, from, pos, limit, count, final);
        }
        uint64_t header = tt_load_u64(bytes + pos, fxt->big);
        if (!tt_fxt_header_plausible(header)) {
            return TT_FXT_RESYNC_NONE;
        }
        if (tt_fxt_claimed_words(header) > (limit - pos) / 8) {
            fxt->capture->guessed = fxt->capture->guessed || count == 0;
            return count == 0 ? TT_FXT_RESYNC_NONE
                              : end_chain(cursor, from, pos, limit, count, final);
        }
        struct tt_fxt_view view;
        uint32_t words = tt_fxt_sound_record(bytes, pos, limit, fxt->big, &view);
        if (words == 0) {
            return TT_FXT_RESYNC_NONE;
        }
        struct tt_fxt_record record = {bytes + pos, pos, words, fxt->big};
        enum standing standing = standing_of(cursor, &record, &view);
        strange = strange || (count == 0 && standing == STRANGE);
        agreeing += standing == AGREES;
        if (count + 1 >= AGREEING_RECORDS && agreeing >= AGREEING_LEAST && !strange) {
            return TT_FXT_RESYNC_FOUND;
        }
        pos += (uint64_t)words * 8;
    }
    /* A strange record before those that agree, such as one that sets the clock, is damage still. */
    return strange && agreeing >= SOUND_RECORDS / 2 ? TT_FXT_RESYNC_NONE : TT_FXT_RESYNC_FOUND;
}

/* Returns whether records that agree with what was before begin between two positions. */
static bool has_chain(struct tt_cursor *cursor, uint64_t pos, uint64_t end, uint64_t limit)
{
    for (; pos < end && limit - pos >= 8; pos++) {
        if (try_chain(cursor, pos, limit, false) == TT_FXT_RESYNC_FOUND) {
            return true;
        }
    }
    return false;
}

enum tt_fxt_resync tt_fxt_find_end(struct tt_cursor *cursor, uint64_t *pos, uint64_t limit,
                                   bool final)
{
    while (*pos <= limit && limit - *pos >= 8) {
        enum tt_fxt_resync result = try_chain(cursor, *pos, limit, final);
        if (result != TT_FXT_RESYNC_NONE) {
            return result;
        }
        *pos += 1;
    }
    return final ? TT_FXT_RESYNC_NONE : TT_FXT_RESYNC_UNDECIDED;
}

/* ---- verdicts --------------------------------------------------------------------------- */

static APART enum tt_fxt_verdict judge_timed(struct tt_cursor *cursor,
                                             const struct tt_fxt_record *record,
                                             const struct tt_fxt_layout *layout,
                                             const struct tt_fxt_view *view, uint64_t limit,
                                             bool final)
{
    uint64_t next = record->pos + (uint64_t)record->words * 8;
    uint64_t ticks = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TIME]));
    if (is_established(cursor)) {
        if (!(knows_threads(cursor, record, layout, view) && knows_cpu(cursor, record, layout)) &&
            (!is_followed(cursor, next, limit, final) ||
             tt_fxt_has_stranger(cursor, record, layout, view, limit, final))) {
            return TT_FXT_IS_DAMAGE;
        }
        if (ends_too_late(cursor, record, layout, view, ticks)) {
            return TT_FXT_HAS_BAD_TIME;
        }
    }
    if (is_step(&cursor->fxt->pace, ticks)) {
        if (ends_here(cursor, record, layout, view, ticks)) {
            return TT_FXT_IS_GOOD;
        }
        const enum tt_fxt_verdict verdict = judge_time(cursor, record, ticks, limit, final);
        if (verdict == TT_FXT_HAS_BAD_TIME && !knows_threads(cursor, record, layout, view)) {
            return TT_FXT_IS_DAMAGE;
        }
        if (verdict != TT_FXT_IS_GOOD) {
            return verdict;
        }
    }

    /* Takes the time of a record that is good. */
    struct tt_fxt_pace *pace = &cursor->fxt->pace;
    if (!pace->timed || !is_paced(pace, ticks)) {
        pace->first = pace->timed ? pace->first : ticks;
        pace->timed = 1;
        pace->base = ticks;
        set_range(cursor);
    }
    pace->last = ticks;

    return TT_FXT_IS_GOOD;
}

/* Returns whether bytes are text of UTF-8 without control characters, and zeros after it. */
static APART bool is_utf8(const uint8_t *bytes, uint32_t length, uint32_t size)
{
    uint32_t more = 0, i = 0;
    for (; i < length; i++) {
        bool continues = bytes[i] >> 6 == 2;
        if (bytes[i] < ' ' || bytes[i] == 0x7f || continues != (more > 0)) {
            return false;
        }
        more = continues          ? more - 1
               : bytes[i] >= 0xf0 ? 3
               : bytes[i] >= 0xe0 ? 2
               : bytes[i] >= 0xc0 ? 1
                                  : 0;
    }
    for (; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return more == 0;
}

/* Sets the highest bits of the bytes of a word that are not printable ASCII. */
static inline uint64_t odd_letters(uint64_t word)
{
    const uint64_t ones = UINT64_MAX / 255;
    return (word | (word - ones * ' ') | ((word ^ ones * 0x7f) - ones)) & ones << 7;
}

bool tt_fxt_has_text(const struct tt_fxt_record *record, const struct tt_fxt_view *view)
{
    const uint8_t *bytes = (const uint8_t *)tt_fxt_bytes_at(record, view->at[TT_FXT_STREAM]);
    const uint32_t length = view->value[TT_FXT_STREAM];
    uint64_t odd = 0;
    uint32_t i = 0;
    /* Eight characters of ASCII at a time. */
    for (; i + 8 <= length; i += 8) {
        odd |= odd_letters(tt_load_u64(bytes + i, false));
    }
    if (i < length) {
        uint64_t word = tt_load_u64(bytes + i, false), rest = UINT64_MAX << (length - i) * 8;
        odd |= (word & rest) | odd_letters(word | (UINT64_MAX / 255 * ' ' & rest));
    }
    return odd == 0 || is_utf8(bytes, length, tt_fxt_stream_words(length) * 8);
}

/* Returns whether a definition is likely right by itself: of a thread that is known or may be new, or a blob. */
static bool fxt_damage_is_plain(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    uint64_t koid, process;
    switch (layout->does) {
    case TT_FXT_DOES_THREAD:
        return tt_fxt_knows_thread(cursor, tt_fxt_word(record, view->at[TT_FXT_A]),
                                   tt_fxt_word(record, view->at[TT_FXT_B]));
    case TT_FXT_DOES_KERNEL_OBJECT:
        koid = tt_fxt_word(record, view->at[TT_FXT_A]);
        return knows_string(cursor, view->value[TT_FXT_NAME]) &&
               (tt_fxt_knows_tid(cursor, koid) ? !tt_fxt_find_koid(record, view, &process) ||
                                                     tt_fxt_knows_thread(cursor, process, koid)
                                               : !tt_fxt_is_outlier(cursor, koid));
    case TT_FXT_DOES_NOTHING:
        return (tt_fxt_word(record, 0) & 15) == TT_FXT_BLOB &&
               knows_string(cursor, view->value[TT_FXT_NAME]);
    default:
        return false;
    }
}

/* Judges a definition, or a record that does not fill its size. */
static APART enum tt_fxt_verdict judge_other(struct tt_cursor *cursor,
                                             const struct tt_fxt_record *record,
                                             const struct tt_fxt_layout *layout,
                                             const struct tt_fxt_view *view, uint64_t limit,
                                             bool final)
{
    uint64_t next = record->pos + (uint64_t)record->words * 8;
    bool exact = layout && view->whole && view->end == record->words;
    if (!exact && has_chain(cursor, record->pos + 8, next, limit)) {
        return TT_FXT_IS_DAMAGE;
    }
    uint64_t process;
    if (exact &&
        ((layout->does == TT_FXT_DOES_THREAD &&
          tt_fxt_is_misplaced(cursor, tt_fxt_word(record, view->at[TT_FXT_A]),
                              tt_fxt_word(record, view->at[TT_FXT_B]), next, limit, final)) ||
         (layout->does == TT_FXT_DOES_KERNEL_OBJECT && tt_fxt_find_koid(record, view, &process) &&
          tt_fxt_is_misplaced(cursor, process, tt_fxt_word(record, view->at[TT_FXT_A]), next, limit,
                              final)))) {
        return TT_FXT_IS_DAMAGE;
    }
    if (is_established(cursor) && !(exact && fxt_damage_is_plain(cursor, record, layout, view)) &&
        !is_followed(cursor, next, limit, final)) {
        return TT_FXT_IS_DAMAGE;
    }
    return layout && layout->timed && view->usable
               ? judge_timed(cursor, record, layout, view, limit, final)
               : TT_FXT_IS_GOOD;
}

/* Returns whether a thread reference was read last for its place. */
static inline bool is_at_hand(const struct tt_cursor *cursor, const struct tt_fxt_view *view,
                              unsigned role)
{
    return view->at[role] == 0 && view->value[role] != 0 &&
           cursor->threads[tt_fxt_thread_place(cursor->provider, view->value[role])].provider ==
               cursor->provider;
}

/* Takes an older switch of threads and a CPU that are known, at a time that needs no check; false: it is not one. */
static inline bool takes_switch(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                const struct tt_fxt_view *view)
{
    struct tt_fxt_pace *pace = &cursor->fxt->pace;
    const uint64_t ticks = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TIME]));
    if (!pace->timed || !is_paced(pace, ticks) || !is_at_hand(cursor, view, TT_FXT_THREAD) ||
        !is_at_hand(cursor, view, TT_FXT_INCOMING) ||
        tt_fxt_bits(tt_fxt_word(record, 0), 16, 8) >= cursor->fxt->capture->cpu_count) {
        return false;
    }
    pace->last = ticks;
    return true;
}

enum tt_fxt_verdict tt_fxt_judge(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                                 uint64_t limit, bool final)
{
    bool exact = layout && view->whole && view->end == record->words;
    if (exact && layout->does == TT_FXT_DOES_SWITCH_LEGACY && takes_switch(cursor, record, view)) {
        return TT_FXT_IS_GOOD;
    }
    return exact && layout->timed ? judge_timed(cursor, record, layout, view, limit, final)
                                  : judge_other(cursor, record, layout, view, limit, final);
}
