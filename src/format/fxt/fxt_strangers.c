/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_strangers: threads that one record alone mentions, and that other records contradict.
 *
 *  What is searched in all is limited by what has been read, so that a capture of strangers alone is not
 * searched again for each of them.
 */
#include "format/fxt/fxt_damage.h"

/* Bytes that may be searched, beside SEARCH_RATE for each byte before the cursor. */
#define SEARCH_FREE (UINT64_C(4) << 20)
#define SEARCH_RATE 4

static bool may_search(struct tt_cursor *cursor)
{
    return cursor->fxt->pace.searched <= SEARCH_FREE + SEARCH_RATE * cursor->pos;
}

/* Bytes that tell whether a thread is mentioned again: at least, at most. */
#define MENTION_LEAST UINT64_C(8192)
/* An outlier is OUTLIER times the largest koid. */
#define OUTLIER 256

enum tt_fxt_mention tt_fxt_find_mention(struct tt_cursor *cursor, uint64_t koid, uint64_t pos,
                                        uint64_t limit, bool final)
{
    struct tt_fxt *fxt = cursor->fxt;
    const uint64_t end = limit - pos > TT_FXT_NEAR_BYTES ? pos + TT_FXT_NEAR_BYTES : limit;
    if ((final && end - pos < MENTION_LEAST) || !may_search(cursor)) {
        return TT_FXT_MENTIONED;
    }
    fxt->pace.searched += end - pos;
    for (; end - pos >= 8; pos++) {
        if (tt_load_u64(fxt->capture->bytes.data + pos, fxt->big) == koid) {
            fxt->pace.searched -= end - pos;
            return TT_FXT_MENTIONED;
        }
    }
    return !final && end == limit ? TT_FXT_MAY_BE_MENTIONED : TT_FXT_NOT_MENTIONED;
}

/* Returns whether the file mentions a koid after `pos`, or may do so. */
static bool is_mentioned(struct tt_cursor *cursor, uint64_t koid, uint64_t pos, uint64_t limit,
                         bool final)
{
    enum tt_fxt_mention found = tt_fxt_find_mention(cursor, koid, pos, limit, final);
    if (found == TT_FXT_MAY_BE_MENTIONED) {
        tt_fxt_believe(cursor, (struct tt_fxt_belief){TT_FXT_BELIEVED_THREAD, pos, koid, 0});
    }
    return found != TT_FXT_NOT_MENTIONED;
}

/* Returns what is known about all threads of the capture. */
static const struct tt_fxt_crowd *crowd_of(struct tt_cursor *cursor)
{
    struct tt_fxt_crowd *crowd = &cursor->fxt->crowd;
    const struct tt_capture *capture = cursor->fxt->capture;
    const uint32_t count = tt_thread_count(capture);
    for (; crowd->seen < count; crowd->seen++) {
        const struct tt_thread *thread = tt_thread_at(capture, crowd->seen);
        if ((thread->tid >> 52 == 1)) {
            crowd->references = true;
        } else if (thread->tid > crowd->most) {
            crowd->most = thread->tid;
        }
    }
    for (; crowd->named < count; crowd->named++) {
        const struct tt_thread *thread = tt_thread_at(capture, crowd->named);
        if (thread->name == 0 && tt_process_at(capture, thread->process)->pid == 0) {
            break;
        }
    }
    return crowd;
}

bool tt_fxt_is_outlier(struct tt_cursor *cursor, uint64_t koid)
{
    return koid / OUTLIER > crowd_of(cursor)->most;
}

/* Returns whether a koid that nothing else mentions is the thread of a timed record. */
static bool mentions_once(struct tt_cursor *cursor, uint64_t koid, uint64_t next, uint64_t limit,
                          bool final)
{
    return !tt_fxt_knows_tid(cursor, koid) && !is_mentioned(cursor, koid, next, limit, final);
}

/*
 * Returns whether the references of other records are registered, and an event's is not and is not used
 * again.
 */
static bool has_strange_ref(struct tt_cursor *cursor, uint32_t ref, uint64_t pos, uint64_t limit,
                            bool final)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    struct tt_fxt_view view;
    uint32_t words, lane;
    uint64_t begin = pos, end = limit - pos > TT_FXT_NEAR_BYTES ? pos + TT_FXT_NEAR_BYTES : limit;
    if (tt_fxt_thread_at(fxt, cursor->provider, ref, cursor->pos, &lane) ||
        crowd_of(cursor)->references || tt_fxt_may_lack(fxt) || !may_search(cursor)) {
        return false;
    }
    if (!final && end == limit) {
        fxt->capture->guessed = true;
        return false;
    }
    cursor->fxt->pace.searched += end - pos;
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
static bool has_switched(struct tt_cursor *cursor, uint64_t cpu)
{
    const struct tt_fxt *fxt = cursor->fxt;
    const uint8_t *bytes = fxt->capture->bytes.data;
    uint64_t pos = fxt->pace.walk, end = cursor->pos;
    uint64_t begin = end > TT_FXT_NEAR_BYTES ? end - TT_FXT_NEAR_BYTES : 0;
    cursor->fxt->pace.searched += end - pos;
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

bool tt_fxt_is_misplaced(struct tt_cursor *cursor, uint64_t pid, uint64_t tid, uint64_t next,
                         uint64_t limit, bool final)
{
    const struct tt_capture *capture = cursor->fxt->capture;
    if (!tt_fxt_may_lack(cursor->fxt) || tt_fxt_knows_thread(cursor, pid, tid)) {
        return false;
    }
    if (tt_fxt_knows_tid(cursor, tid)) {
        const uint32_t lane = tt_fxt_lane_of_tid(cursor, tid);
        return tt_process_at(capture, tt_thread_at(capture, lane)->process)->pid != 0;
    }
    return (tt_fxt_is_outlier(cursor, tid) || tt_fxt_is_outlier(cursor, pid)) &&
           !is_mentioned(cursor, tid, next, limit, final);
}

bool tt_fxt_has_stranger(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                         const struct tt_fxt_layout *layout, const struct tt_fxt_view *view,
                         uint64_t limit, bool final)
{
    uint64_t next = record->pos + (uint64_t)record->words * 8, koid;
    uint64_t cpu = tt_fxt_bits(tt_fxt_word(record, 0), 20, 16);
    bool switched = false;
    if (layout->does == TT_FXT_DOES_SWITCH || layout->does == TT_FXT_DOES_WAKEUP) {
        switched =
            tt_fxt_may_lack(cursor->fxt) || (may_search(cursor) && has_switched(cursor, cpu));
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
                (tt_fxt_may_lack(cursor->fxt) ||
                 crowd_of(cursor)->named == tt_thread_count(cursor->fxt->capture) ||
                 tt_fxt_is_outlier(cursor, woken))) ||
               (switched && tt_fxt_find_koid(record, view, &koid) && koid != 0 &&
                mentions_once(cursor, koid, next, limit, final));
    }
    bool is_event = (tt_fxt_word(record, 0) & 15) == TT_FXT_EVENT;
    if (is_event && !view->at[TT_FXT_THREAD]) {
        return has_strange_ref(cursor, view->value[TT_FXT_THREAD], next, limit, final);
    }
    if (is_event) {
        koid = tt_fxt_word(record, view->at[TT_FXT_THREAD] + 1);
        return tt_fxt_is_misplaced(cursor, tt_fxt_word(record, view->at[TT_FXT_THREAD]), koid, next,
                                   limit, final) ||
               (!is_mentioned(cursor, koid, next, limit, final) && tt_fxt_is_outlier(cursor, koid));
    }
    return false;
}

void tt_fxt_find_runners(struct tt_cursor *cursor, uint64_t pos, uint64_t koids[TT_FXT_RUNNERS],
                         uint32_t *cpus)
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
