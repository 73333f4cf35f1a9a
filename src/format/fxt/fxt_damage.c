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
#include "format/fxt/fxt_names.h"
#include "tracetui/time.h"

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

static uint64_t distance(uint64_t one, uint64_t other)
{
    return one < other ? other - one : one - other;
}

/* Converts ticks of the current provider to model ticks. */
static uint64_t model_time(const struct tt_cursor *cursor, uint64_t ticks)
{
    uint64_t time = ticks;
    if (cursor->rate != cursor->clock && !tt_mul_div(ticks, cursor->clock, cursor->rate, &time)) {
        time = UINT64_MAX;
    }
    return time;
}

static bool is_established(const struct tt_cursor *cursor)
{
    return tt_thread_count(cursor->fxt->capture) >= KNOWN_THREADS;
}

void tt_fxt_mark(struct tt_cursor *cursor, uint64_t pos)
{
    struct tt_fxt *fxt = cursor->fxt;
    cursor->no_memory |= !tt_fxt_table_put(&fxt->jumps, pos >> TT_FXT_CHUNK_BITS, 1, 0, pos + 1);
    atomic_store_explicit(&fxt->any_lost, true, memory_order_relaxed);
}

/* ---- what follows ----------------------------------------------------------------------- */

enum follow { FOLLOWS, FOLLOWS_NOT, FOLLOWS_END };

static bool has_chain(const struct tt_cursor *cursor, uint64_t pos, uint64_t end, uint64_t limit);

/* Returns whether the bytes end inside a record that begins at `pos`: it is not damage before others. */
static bool is_cut(const struct tt_cursor *cursor, uint64_t header, uint64_t pos, uint64_t limit)
{
    return tt_fxt_claimed_words(header) > (limit - pos) / 8 && tt_fxt_header_plausible(header) &&
           !has_chain(cursor, pos + 8, pos + 8 + TT_FXT_NEAR_BYTES, limit);
}

/* Returns whether sound records begin at `pos`; FOLLOWS_END: the bytes end before that is known. */
static enum follow follow_at(const struct tt_cursor *cursor, uint64_t pos, uint64_t limit)
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
static bool is_followed(const struct tt_cursor *cursor, uint64_t next, uint64_t limit)
{
    enum follow follow = follow_at(cursor, next, limit);
    struct tt_capture *c = cursor->fxt->capture;
    c->guessed = c->guessed || follow == FOLLOWS_END;
    return follow != FOLLOWS_NOT;
}

/* ---- references ------------------------------------------------------------------------- */

static bool knows_string(const struct tt_cursor *cursor, uint32_t ref)
{
    tt_string string;
    return ref == 0 || tt_fxt_ref_is_inline(ref) ||
           tt_fxt_string_at(cursor->fxt, cursor->provider, ref, cursor->pos, &string);
}

/* Finds an argument that is a koid: of a wakeup the waker. */
static bool find_koid(const struct tt_fxt_record *record, const struct tt_fxt_view *view,
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

static bool knows_ref(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                      const struct tt_fxt_view *view, unsigned role)
{
    uint32_t lane, at = view->at[role];
    if (at != 0) {
        uint64_t tid = view->process_alone ? 0 : tt_fxt_word(record, at + 1);
        return tt_fxt_knows_thread(cursor, tt_fxt_word(record, at), tid);
    }
    return view->value[role] == 0 ||
           tt_fxt_thread_at(cursor->fxt, cursor->provider, view->value[role], cursor->pos, &lane);
}

/* Returns whether the capture has the threads of a timed record. */
static bool knows_threads(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                          const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    uint64_t waker;
    switch (layout->does) {
    case TT_FXT_DOES_SWITCH:
        return tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_A])) &&
               tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_B]));
    case TT_FXT_DOES_WAKEUP:
        return tt_fxt_knows_tid(cursor, tt_fxt_word(record, view->at[TT_FXT_A])) &&
               (!find_koid(record, view, &waker) || tt_fxt_knows_tid(cursor, waker));
    case TT_FXT_DOES_SWITCH_LEGACY:
        return knows_ref(cursor, record, view, TT_FXT_THREAD) &&
               knows_ref(cursor, record, view, TT_FXT_INCOMING);
    default:
        return knows_ref(cursor, record, view, TT_FXT_THREAD);
    }
}

/* Returns whether the CPU of a scheduling record has been seen before; true of other records. */
static bool knows_cpu(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
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

/* ---- threads that are mentioned once ------------------------------------------------------ */

/* Bytes that tell whether a thread is mentioned again: at least, at most. */
#define MENTION_LEAST UINT64_C(8192)
/* An outlier is OUTLIER times the largest koid. */
#define OUTLIER 256

/* Returns whether the file mentions a koid after `pos`, or may do so. */
static bool is_mentioned(const struct tt_cursor *cursor, uint64_t koid, uint64_t pos,
                         uint64_t limit, bool final)
{
    const struct tt_fxt *fxt = cursor->fxt;
    uint64_t end = limit - pos > TT_FXT_NEAR_BYTES ? pos + TT_FXT_NEAR_BYTES : limit;
    if ((!final && end == limit) || end - pos < MENTION_LEAST) {
        fxt->capture->guessed = fxt->capture->guessed || !final;
        return true;
    }
    for (; end - pos >= 8; pos++) {
        if (tt_load_u64(fxt->capture->bytes.data + pos, fxt->big) == koid) {
            return true;
        }
    }
    return false;
}

/* Returns whether a thread is that of a reference that is not registered. */
static bool is_reference(const struct tt_thread *thread)
{
    return thread->tid >> 52 == 1;
}

static bool has_references(const struct tt_capture *c)
{
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        if (is_reference(tt_thread_at(c, i))) {
            return true;
        }
    }
    return false;
}

/* Returns whether a koid is far above those of the threads of the capture. */
static bool is_outlier(const struct tt_cursor *cursor, uint64_t koid)
{
    const struct tt_capture *c = cursor->fxt->capture;
    uint64_t most = 0;
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        most = thread->tid > most && !is_reference(thread) ? thread->tid : most;
    }
    return koid / OUTLIER > most;
}

/* Returns whether a koid that nothing else mentions is the thread of a timed record. */
static bool mentions_once(const struct tt_cursor *cursor, uint64_t koid, uint64_t next,
                          uint64_t limit, bool final)
{
    return !tt_fxt_knows_tid(cursor, koid) && !is_mentioned(cursor, koid, next, limit, final);
}

/* Returns whether kernel objects or other records name all threads so far, or their processes. */
static bool has_names(const struct tt_capture *c)
{
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        if (thread->name == 0 && tt_process_at(c, thread->process)->pid == 0) {
            return false;
        }
    }
    return true;
}

/*
 * Returns whether the references of other records are registered, and an event's is not and is not used
 * again.
 */
static bool has_strange_ref(const struct tt_cursor *cursor, uint32_t ref, uint64_t pos,
                            uint64_t limit, bool final)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    struct tt_fxt_view view;
    uint32_t words, lane;
    uint64_t begin = pos, end = limit - pos > TT_FXT_NEAR_BYTES ? pos + TT_FXT_NEAR_BYTES : limit;
    if (tt_fxt_thread_at(fxt, cursor->provider, ref, cursor->pos, &lane) ||
        has_references(fxt->capture) || (!final && end == limit)) {
        return false;
    }
    for (; end - pos >= 8; pos += (uint64_t)words * 8) {
        uint64_t header = tt_load_u64(bytes + pos, fxt->big);
        words = tt_fxt_sound_record(bytes, pos, end, fxt->big, &view);
        bool same = (header & 15) == TT_FXT_EVENT && (header >> 24 & 0xff) == ref;
        if (words == 0 || same) {
            return words != 0 ? false : pos - begin >= MENTION_LEAST;
        }
    }
    return pos - begin >= MENTION_LEAST;
}

/* Returns whether there is a switch of a CPU near before the cursor. */
static bool has_switched(const struct tt_cursor *cursor, uint64_t cpu)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    uint64_t pos = fxt->pace.walk, end = cursor->pos;
    uint64_t begin = end > TT_FXT_NEAR_BYTES ? end - TT_FXT_NEAR_BYTES : 0;
    while (pos < end) {
        uint64_t header = tt_load_u64(bytes + pos, fxt->big), next;
        const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
        if (tt_fxt_table_get(&fxt->jumps, pos, 0, 0, &next)) {
            pos = next;
            continue;
        }
        if (pos >= begin && layout && layout->does == TT_FXT_DOES_SWITCH &&
            tt_fxt_bits(header, 20, 16) == cpu) {
            return true;
        }
        pos += (uint64_t)tt_fxt_claimed_words(header) * 8;
    }
    return false;
}

/*
 * Returns whether a switch or wakeup contradicts the others: a thread that only it mentions leaves or has a
 * CPU, where the record before or after it names another one.
 */
static bool has_stranger(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                         const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                         uint64_t limit, bool final)
{
    uint64_t next = record->pos + (uint64_t)record->words * 8, koid;
    uint64_t cpu = tt_fxt_bits(tt_fxt_word(record, 0), 20, 16);
    bool switched = false;
    if (layout->does == TT_FXT_DOES_SWITCH || layout->does == TT_FXT_DOES_WAKEUP) {
        switched = has_switched(cursor, cpu);
    }
    if (layout->does == TT_FXT_DOES_SWITCH) {
        uint64_t outgoing = tt_fxt_word(record, view->at[TT_FXT_A]);
        uint64_t incoming = tt_fxt_word(record, view->at[TT_FXT_B]);
        return switched && ((!cursor->stream->lost && outgoing != 0 &&
                             mentions_once(cursor, outgoing, next, limit, final)) ||
                            (incoming != 0 && mentions_once(cursor, incoming, next, limit, final)));
    }
    if (layout->does == TT_FXT_DOES_WAKEUP) {
        uint64_t woken = tt_fxt_word(record, view->at[TT_FXT_A]);
        return (mentions_once(cursor, woken, next, limit, final) &&
                (has_names(cursor->fxt->capture) || is_outlier(cursor, woken))) ||
               (switched && find_koid(record, view, &koid) && koid != 0 &&
                mentions_once(cursor, koid, next, limit, final));
    }
    bool is_event = (tt_fxt_word(record, 0) & 15) == TT_FXT_EVENT;
    if (is_event && !view->at[TT_FXT_THREAD]) {
        return has_strange_ref(cursor, view->value[TT_FXT_THREAD], next, limit, final);
    }
    if (is_event) {
        koid = tt_fxt_word(record, view->at[TT_FXT_THREAD] + 1);
        return !is_mentioned(cursor, koid, next, limit, final) && is_outlier(cursor, koid);
    }
    return false;
}

void tt_fxt_find_runners(const struct tt_cursor *cursor, uint64_t pos,
                         uint64_t koids[TT_FXT_RUNNERS], uint32_t *cpus)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    uint64_t end =
        cursor->limit - pos > TT_FXT_NEAR_BYTES ? pos + TT_FXT_NEAR_BYTES : cursor->limit;
    uint32_t words, seen = 0;
    struct tt_fxt_view view;
    *cpus = 0;
    for (; end - pos >= 8; pos += (uint64_t)words * 8) {
        words = tt_fxt_sound_record(bytes, pos, end, fxt->big, &view);
        if (words == 0) {
            break;
        }
        struct tt_fxt_record record = {bytes + pos, pos, words, fxt->big};
        uint64_t header = tt_fxt_word(&record, 0), cpu = tt_fxt_bits(header, 20, 16);
        if (tt_fxt_layout_of(header)->does != TT_FXT_DOES_SWITCH || cpu >= TT_FXT_RUNNERS ||
            (seen >> cpu & 1)) {
            continue;
        }
        seen |= 1u << cpu;
        koids[cpu] = tt_fxt_word(&record, view.at[TT_FXT_A]);
        *cpus |= (uint32_t)(koids[cpu] != 0) << cpu;
    }
    fxt->capture->guessed = fxt->capture->guessed || end == cursor->limit;
}

/* ---- steps of time ---------------------------------------------------------------------- */

/* Returns whether a time is that of a step from the last record. */
static bool is_step(const struct tt_fxt_pace *pace, uint64_t ticks)
{
    return pace->timed && !tt_fxt_is_paced(pace, ticks) && distance(ticks, pace->last) > pace->step;
}

/* Counts a legal step. */
static void count_step(struct tt_fxt_pace *pace, uint64_t pos)
{
    if (++pace->steps == STEPS) {
        bool often = pos - pace->counted < STEPS * STEP_BYTES;
        pace->step <<= often && pace->step < UINT64_MAX / 64;
        pace->counted = pos;
        pace->steps = 0;
    }
}

/* Takes the time of a record that is good. */
static void pace_record(struct tt_fxt_pace *pace, uint64_t ticks)
{
    if (!pace->timed) {
        pace->timed = 1;
        pace->first = ticks;
        pace->base = ticks;
    }
    if (!tt_fxt_is_paced(pace, ticks)) {
        pace->base = ticks;
    }
    pace->last = ticks;
}

struct neighbours {
    uint64_t times[NEIGHBOURS];
    uint32_t count;
    enum follow end; /* FOLLOWS: all have been found, or a section of another provider begins */
};

/* Collects the times of the records from `pos` on. */
static void find_neighbours(const struct tt_cursor *cursor, uint64_t pos, uint64_t limit,
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
    return distance(ticks, last) / spans > high - low;
}

/*
 * Returns whether a complete event ends so late that its end is wrong: after the rest of any capture, and a
 * thousand times as long as this one so far.
 */
static bool ends_too_late(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
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
           (end - ticks) / LONG_TIMES > distance(pace->last, pace->first);
}

/* A complete event is written when it ends. */
static bool ends_here(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
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

static enum tt_fxt_verdict judge_step(struct tt_cursor *cursor, uint64_t ticks, uint64_t next,
                                      uint64_t limit, bool final)
{
    const struct tt_fxt_pace *pace = &cursor->fxt->pace;
    struct neighbours found;
    uint32_t here = 0;
    find_neighbours(cursor, next, limit, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        here += distance(found.times[i], ticks) < distance(found.times[i], pace->last);
        if (here > i) {
            return TT_FXT_IS_GOOD; /* the first one follows */
        }
    }
    if (found.end == FOLLOWS_END && !final) {
        return TT_FXT_IS_UNDECIDED;
    }
    if (found.count >= MIN_NEIGHBOURS && here <= 1 && is_far(&found, ticks, pace->last)) {
        return TT_FXT_HAS_BAD_TIME;
    }
    bool broken =
        found.end == FOLLOWS_NOT && found.count < MIN_NEIGHBOURS && is_established(cursor);
    return broken ? TT_FXT_IS_DAMAGE : TT_FXT_IS_GOOD;
}

/* ---- end of damage ---------------------------------------------------------------------- */

enum standing { STRANGE, NEUTRAL, AGREES };

/* Returns how a sound record stands to what was before the damage. */
static enum standing standing_of(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
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
    uint64_t reach = 2 * distance(pace->last, pace->first);
    reach = reach > cursor->clock ? reach : cursor->clock;
    bool named = layout->class_name || (knows_string(cursor, view->value[TT_FXT_CATEGORY]) &&
                                        knows_string(cursor, view->value[TT_FXT_NAME]));
    bool known = named && (!pace->timed || distance(ticks, pace->last) <= reach) &&
                 knows_threads(cursor, record, layout, view) && knows_cpu(cursor, record, layout);
    return known ? AGREES : STRANGE;
}

/* Returns whether a chain from `from` to `pos`, at which the bytes end, is long enough. */
static enum tt_fxt_resync end_chain(const struct tt_cursor *cursor, uint64_t from, uint64_t pos,
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
static enum tt_fxt_resync try_chain(const struct tt_cursor *cursor, uint64_t from, uint64_t limit,
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
    return TT_FXT_RESYNC_FOUND;
}

/* Returns whether records that agree with what was before begin between two positions. */
static bool has_chain(const struct tt_cursor *cursor, uint64_t pos, uint64_t end, uint64_t limit)
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

static enum tt_fxt_verdict judge_timed(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                       const struct tt_fxt_layout *layout,
                                       const struct tt_fxt_view *view, uint64_t limit, bool final)
{
    uint64_t next = record->pos + (uint64_t)record->words * 8;
    uint64_t ticks = model_time(cursor, tt_fxt_word(record, view->at[TT_FXT_TIME]));
    if (is_established(cursor) &&
        !(knows_threads(cursor, record, layout, view) && knows_cpu(cursor, record, layout))) {
        if (!is_followed(cursor, next, limit) ||
            has_stranger(cursor, record, layout, view, limit, final)) {
            return TT_FXT_IS_DAMAGE;
        }
    }
    if (is_established(cursor) && ends_too_late(cursor, record, layout, view, ticks)) {
        return TT_FXT_HAS_BAD_TIME;
    }
    if (is_step(&cursor->fxt->pace, ticks)) {
        if (ends_here(cursor, record, layout, view, ticks)) {
            return TT_FXT_IS_GOOD;
        }
        enum tt_fxt_verdict verdict = judge_step(cursor, ticks, next, limit, final);
        if (verdict != TT_FXT_IS_GOOD) {
            return verdict;
        }
        count_step(&cursor->fxt->pace, record->pos);
    }
    pace_record(&cursor->fxt->pace, ticks);
    return TT_FXT_IS_GOOD;
}

/* Returns whether bytes are text of UTF-8 without control characters, and zeros after it. */
static bool is_utf8(const uint8_t *bytes, uint32_t length, uint32_t size)
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

/* The same, eight characters of ASCII at a time. */
static inline bool is_text(const uint8_t *bytes, uint32_t length)
{
    const uint64_t ones = UINT64_MAX / 255;
    uint64_t odd = 0, word;
    for (uint32_t i = 0; i < length; i += 8) {
        word = tt_load_u64(bytes + i, false);
        uint32_t left = length - i;
        uint64_t rest = left < 8 ? UINT64_MAX << left * 8 : 0; /* of the bytes after the text */
        odd |= word & rest;
        word |= ones * ' ' & rest;
        odd |= (word | (word - ones * ' ') | ((word ^ ones * 0x7f) - ones)) & ones << 7;
    }
    return odd == 0 || is_utf8(bytes, length, tt_fxt_stream_words(length) * 8);
}

/* Returns whether a definition is a text, or names a thread that is cached. */
static bool is_usual_definition(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    if (layout->does == TT_FXT_DOES_STRING) {
        uint32_t length = view->value[TT_FXT_STREAM];
        return is_text((const uint8_t *)tt_fxt_bytes_at(record, view->at[TT_FXT_STREAM]), length);
    }
    if (layout->does == TT_FXT_DOES_THREAD) {
        uint64_t pid = tt_fxt_word(record, view->at[TT_FXT_A]);
        uint64_t tid = tt_fxt_word(record, view->at[TT_FXT_B]);
        const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
        return entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
    }
    return false;
}

/* Returns whether a definition is likely right by itself: of a thread that is known or may be new. */
static bool is_plain(const struct tt_cursor *cursor, const struct tt_fxt_record *record,
                     const struct tt_fxt_layout *layout, const struct tt_fxt_view *view)
{
    if (layout->does == TT_FXT_DOES_THREAD) {
        return tt_fxt_knows_thread(cursor, tt_fxt_word(record, view->at[TT_FXT_A]),
                                   tt_fxt_word(record, view->at[TT_FXT_B]));
    }
    uint64_t koid = layout->does == TT_FXT_DOES_KERNEL_OBJECT
                        ? tt_fxt_word(record, view->at[TT_FXT_A])
                        : UINT64_MAX;
    return knows_string(cursor, view->value[TT_FXT_NAME]) &&
           (tt_fxt_knows_tid(cursor, koid) || !is_outlier(cursor, koid));
}

enum tt_fxt_verdict tt_fxt_judge(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                 const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                                 uint64_t limit, bool final)
{
    bool exact = layout && view->whole && view->end == record->words;
    uint64_t next = record->pos + (uint64_t)record->words * 8;
    if (!exact && has_chain(cursor, record->pos + 8, next, limit)) {
        return TT_FXT_IS_DAMAGE;
    }
    if (exact && !layout->timed && is_usual_definition(cursor, record, layout, view)) {
        return TT_FXT_IS_GOOD;
    }
    if ((!exact || !layout->timed) && is_established(cursor) && !is_followed(cursor, next, limit) &&
        !(exact && is_plain(cursor, record, layout, view))) {
        return TT_FXT_IS_DAMAGE;
    }
    if (layout && layout->timed && view->usable) {
        return judge_timed(cursor, record, layout, view, limit, final);
    }
    return TT_FXT_IS_GOOD;
}
