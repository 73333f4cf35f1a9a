/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_damage: slots that cannot follow those before them: damaged bytes, a wrong time, or neither.
 *
 * A slot is judged if its CPU has had none, if its stamp is further than KEV_NEAR from that of its CPU and from
 * that of the latest event, or if it continues an event that did not begin. All of this happens in sound captures
 * (a CPU that was idle, a pause of all, lost buffers), so the slots around it decide. RUN slots are compared from
 * this place on, and from each of the 15 bytes after it:
 *
 *      0   4   8   12  16      the bytes after an insertion or a deletion: slots that begin elsewhere
 *      |hd |st |payload|       points for a known event, and for a stamp near that of its CPU;
 *        |hd |st |payload|     less for a class that does not exist
 *
 * Where the slots lie right, the slot alone is in question: its CPU's next slot agrees with it, or with the time
 * before it. Where no slots lie right, the bytes up to those that do are damaged.
 *
 * The decision is a function of these bytes and of the times of the CPUs, so all cursors make the same one.
 */
#include "format/kev/kev_decode.h"

#define RUN       16u
#define RUN_LEAST 4u /* fewer slots than this decide nothing */
#define AGREEING  8u /* known events near the time before damage that end it */
#define LAST                                                                                       \
    ((RUN - RUN_LEAST) * KEV_SLOT) /* of the last ones of a run: furthest from the damage */
#define LOOK       512u            /* slots in which a CPU's next one is looked for */
#define LOOK_TIME  4096u
#define LOOK_NAMES 2048u
#define LOOK_LEAST 256u /* slots up to the end of the file without a name that deny it as well */
#define POINTS     2 /* for a known event, and for a stamp that is near that of the slot before */
#define CONTINUES  8 /* for the first stamp of a CPU that is near that before them all */
#define PENALTY    4
#define MARGIN     6
#define HIGH_WORDS ((uint64_t)1 << 32)

/* The bytes that may decide. */
struct judge {
    const struct tt_cursor *cursor;
    const uint8_t *base;
    uint64_t limit;
    bool final; /* the file does not grow */
};

static uint32_t kev_damage_word_at(const struct judge *judge, uint64_t pos, uint32_t word)
{
    return tt_load_u32(judge->base + pos + 4 * (uint64_t)word, judge->cursor->d->big);
}

/* Returns whether a slot with this header can exist: its class, and its CPU by the header or by slots before. */
static bool is_possible(const struct judge *judge, uint32_t header)
{
    const uint32_t cpu = kev_cpu(header);
    return kev_has_class(kev_code(header)) &&
           (judge->cursor->d->cpu_num == 0 || cpu < judge->cursor->d->cpu_num ||
            (judge->cursor->s.active >> cpu & 1) != 0);
}

/* Returns the slots from `pos` on, at most `most`. */
static uint32_t slots_from(const struct judge *judge, uint64_t pos, uint32_t most)
{
    uint64_t slots = judge->limit > pos ? (judge->limit - pos) / KEV_SLOT : 0;
    return slots < most ? (uint32_t)slots : most;
}

/* Returns whether the slots that decide about `pos` are there: those of the 16 places after it, and of the next slot. */
static bool decides(const struct judge *judge, uint64_t pos)
{
    return judge->final || slots_from(judge, pos, RUN + 2) == RUN + 2;
}

/* Returns the points of the slots that begin at `pos`. */
static int points_of(const struct judge *judge, uint64_t pos)
{
    const struct tt_cursor *cursor = judge->cursor;
    uint32_t last[KEV_CPUS];
    uint64_t seen = 0;
    int points = 0;
    for (uint32_t left = slots_from(judge, pos, RUN); left > 0; left--, pos += KEV_SLOT) {
        const uint32_t header = kev_damage_word_at(judge, pos, 0),
                       stamp = kev_damage_word_at(judge, pos, 1), cpu = kev_cpu(header);
        if (!kev_has_class(kev_code(header))) {
            points -= PENALTY;
            continue;
        }
        const bool again = seen >> cpu & 1, active = cursor->s.active >> cpu & 1;
        const uint64_t ticks = active ? cursor->cpu[cpu].ticks : cursor->s.last_ticks;
        points += kev_code_is_known(cursor->d, kev_code(header)) ? POINTS : 0;
        if (kev_is_near(stamp, again ? last[cpu] : (uint32_t)ticks)) {
            points += again ? POINTS : CONTINUES;
        }
        last[cpu] = stamp;
        seen |= UINT64_C(1) << cpu;
    }
    return points;
}

/* Returns whether slots that begin at `pos` have the points of sound ones, with two bad ones among them. */
static bool are_sound(const struct judge *judge, uint64_t pos, int points)
{
    return points >= POINTS * ((int)slots_from(judge, pos, RUN) - 3) - PENALTY / 2;
}

/* Returns whether a slot with this header is of a known event and of a CPU that exists. */
static bool is_known_slot(const struct judge *judge, uint32_t header)
{
    return is_possible(judge, header) && kev_code_is_known(judge->cursor->d, kev_code(header));
}

/* Returns whether `count` slots begin at `pos`, all of them known events of CPUs that exist. */
static bool are_known(const struct judge *judge, uint64_t pos, uint32_t count)
{
    bool known = slots_from(judge, pos, count) == count;
    for (uint32_t i = 0; known && i < count; i++, pos += KEV_SLOT) {
        known = is_known_slot(judge, kev_damage_word_at(judge, pos, 0));
    }
    return known;
}

/* Returns whether known events begin at `pos`, all of them near the time of their CPU or of the latest event. */
static bool are_agreeing(const struct judge *judge, uint64_t pos)
{
    const struct tt_cursor *cursor = judge->cursor;
    bool agree = are_known(judge, pos, AGREEING);
    for (uint32_t i = 0; agree && i < AGREEING; i++, pos += KEV_SLOT) {
        const uint32_t cpu = kev_cpu(kev_damage_word_at(judge, pos, 0)),
                       stamp = kev_damage_word_at(judge, pos, 1);
        agree = kev_is_near(stamp, (uint32_t)cursor->s.last_ticks) ||
                ((cursor->s.active >> cpu & 1) != 0 &&
                 kev_is_near(stamp, (uint32_t)cursor->cpu[cpu].ticks));
    }
    return agree;
}

/*
 * Returns the best of the 16 places from `pos` on; another one than `pos` is better by more than `margin`. Where all
 * slots are known events, only headers that are shifted by up to three bytes can be so elsewhere, and other places are
 * not tried: in a quiet capture each event is judged.
 */
static uint64_t best_place(const struct judge *judge, uint64_t pos, int margin, int *points)
{
    uint64_t best = pos;
    const int own = points_of(judge, pos);
    const bool known = are_known(judge, pos, RUN);
    *points = own;
    for (uint64_t shift = 1; shift < KEV_SLOT; shift++) {
        const bool overlaps = shift <= 3 || shift >= KEV_SLOT - 3;
        if (known && (!overlaps || !are_known(judge, pos + shift + LAST, RUN_LEAST))) {
            continue;
        }
        const int others = points_of(judge, pos + shift);
        if (others > *points && others > own + margin) {
            *points = others;
            best = pos + shift;
        }
    }
    return best;
}

/*
 * Returns where slots begin again after `pos`, or the end of the bytes. While the file grows, the bytes of an earlier search
 * are not searched again.
 */
static uint64_t next_slots(const struct judge *judge, struct tt_cursor *cursor, uint64_t pos)
{
    uint64_t at =
        cursor->searched == pos && cursor->searched_to > pos ? cursor->searched_to : pos + 1;
    int points;
    for (; decides(judge, at) && slots_from(judge, at, RUN) >= RUN_LEAST; at++) {
        const uint32_t header = kev_damage_word_at(judge, at, 0);
        if (!is_known_slot(judge, header)) {
            continue;
        }
        const bool sound =
            are_known(judge, at, RUN_LEAST) && are_sound(judge, at, points_of(judge, at));
        for (uint64_t shift = 0; shift < (sound ? KEV_SLOT : 1); shift++) {
            if (are_agreeing(judge, at + shift)) {
                return at + shift;
            }
        }
        if (sound) {
            return best_place(judge, at, 0, &points);
        }
    }
    cursor->searched = pos;
    cursor->searched_to = judge->final ? 0 : at;
    return judge->limit;
}

/* Finds the stamp of a CPU's next slot of a known event; returns false if there is none soon. */
static bool next_of_cpu(const struct judge *judge, uint64_t pos, uint32_t cpu, uint32_t *stamp)
{
    for (uint32_t left = slots_from(judge, pos, LOOK); left > 0; left--, pos += KEV_SLOT) {
        const uint32_t header = kev_damage_word_at(judge, pos, 0);
        if (kev_cpu(header) == cpu && kev_structure(header) < KEV_MIDDLE &&
            kev_code_is_known(judge->cursor->d, kev_code(header))) {
            *stamp = kev_damage_word_at(judge, pos, 1);
            return true;
        }
    }
    return false;
}

/* Returns whether the slots after `pos` go on from the latest event, and none from this stamp. */
static bool goes_on_without(const struct judge *judge, uint64_t pos, uint32_t stamp)
{
    uint32_t near = 0, from_it = 0;
    for (uint32_t left = slots_from(judge, pos + KEV_SLOT, RUN); left > 0; left--) {
        pos += KEV_SLOT;
        near +=
            kev_is_near(kev_damage_word_at(judge, pos, 1), (uint32_t)judge->cursor->s.last_ticks);
        from_it += kev_is_near(kev_damage_word_at(judge, pos, 1), stamp);
    }
    return near >= RUN / 2 && from_it == 0;
}

/* Judges one slot among sound ones. */
static enum kev_verdict judge_slot(const struct judge *judge, const struct kev_slot *slot)
{
    const struct tt_cursor *cursor = judge->cursor;
    const bool known = kev_code_is_known(cursor->d, slot->code);
    uint32_t next = 0;
    const bool found = next_of_cpu(judge, slot->pos + KEV_SLOT, slot->cpu, &next);
    if (found && kev_is_near(slot->stamp, next)) {
        return KEV_SOUND;
    }
    if (!found && !judge->final && slots_from(judge, slot->pos + KEV_SLOT, LOOK) < LOOK) {
        return KEV_WAIT;
    }
    if (cursor->s.active >> slot->cpu & 1) {
        const bool agrees = found && (kev_is_near((uint32_t)cursor->cpu[slot->cpu].ticks, next) ||
                                      kev_is_near((uint32_t)cursor->s.last_ticks, next));
        if (found ? !agrees && known : known || !goes_on_without(judge, slot->pos, slot->stamp)) {
            return KEV_SOUND;
        }
        return known ? KEV_BAD_TIME : KEV_DAMAGED;
    }
    /* Any number is an event of a user or of QUIP. */
    const uint32_t class_ = kev_class_of(slot->code);
    const bool follows = known && class_ != KEV_CLASS_USER && class_ != KEV_CLASS_QUIP &&
                         kev_is_near(slot->stamp, (uint32_t)cursor->s.last_ticks);
    return follows || (is_possible(judge, slot->header) && (known || !found)) ? KEV_SOUND
                                                                              : KEV_DAMAGED;
}

KEV_COLD enum kev_verdict kev_judge(struct tt_cursor *cursor, const struct kev_slot *slot,
                                    const struct kev_span *span, uint64_t *end)
{
    const struct judge j = {cursor, cursor->capture->bytes.data, span->limit, span->final};
    if (!decides(&j, slot->pos)) {
        return KEV_WAIT;
    }
    if (slots_from(&j, slot->pos, RUN) < RUN_LEAST) {
        return KEV_SOUND;
    }
    uint64_t pos = slot->pos;
    int points;
    uint64_t best = best_place(&j, pos, MARGIN, &points);
    if (best == pos && are_sound(&j, best, points)) {
        const enum kev_verdict verdict =
            kev_structure(slot->header) < KEV_MIDDLE ? judge_slot(&j, slot) : KEV_SOUND;
        if (verdict != KEV_DAMAGED) {
            return verdict;
        }
        pos += KEV_SLOT; /* this slot alone, if those after it are sound */
        best = best_place(&j, pos, MARGIN, &points);
    }
    *end = are_sound(&j, best, points) ? best : next_slots(&j, cursor, pos);
    return span->final || *end < span->limit ? KEV_DAMAGED : KEV_WAIT;
}

/* ---- threads ------------------------------------------------------------------------------ */

enum kev_naming kev_naming_of(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid,
                              uint64_t pos)
{
    const struct judge j = {cursor, cursor->capture->bytes.data, cursor->limit, cursor->final};
    const uint32_t slots = slots_from(&j, pos + KEV_SLOT, LOOK_NAMES);
    for (uint32_t i = 0; i < slots; i++) {
        pos += KEV_SLOT;
        const uint32_t header = kev_damage_word_at(&j, pos, 0);
        if (kev_class_of(kev_code(header)) == KEV_CLASS_THREAD &&
            kev_structure(header) < KEV_MIDDLE && kev_damage_word_at(&j, pos, 2) == pid &&
            kev_damage_word_at(&j, pos, 3) == tid) {
            return KEV_NAMED_AGAIN;
        }
    }
    return slots == LOOK_NAMES || (j.final && slots >= LOOK_LEAST) ? KEV_NAMED_ONCE
           : j.final                                               ? KEV_NAMED_AGAIN
                                                                   : KEV_NAMED_PERHAPS;
}

/* ---- CONTROL/TIME ------------------------------------------------------------------------- */

static uint64_t time_at(const struct judge *judge, uint64_t pos)
{
    return kev_time_of_event(kev_damage_word_at(judge, pos, 1), kev_damage_word_at(judge, pos, 2),
                             kev_damage_word_at(judge, pos, 3));
}

static bool is_within(uint64_t a, uint64_t b, uint64_t ticks)
{
    return a > b ? a - b < ticks : b - a < ticks;
}

KEV_COLD enum kev_verdict kev_judge_time(const struct tt_cursor *cursor,
                                         const struct kev_slot *slot, const struct kev_span *span)
{
    const struct judge j = {cursor, cursor->capture->bytes.data, span->limit, span->final};
    const uint64_t time = time_at(&j, slot->pos), before = cursor->cpu[slot->cpu].ticks;
    uint64_t pos = slot->pos + KEV_SLOT;
    if (kev_structure(slot->header) >= KEV_MIDDLE || !(cursor->s.active >> slot->cpu & 1) ||
        is_within(time, before, HIGH_WORDS)) {
        return KEV_SOUND;
    }
    if (!kev_is_near(slot->stamp, kev_damage_word_at(&j, slot->pos, 3))) {
        return KEV_BAD_TIME; /* the low half is read just before the stamp */
    }
    const uint32_t slots = slots_from(&j, pos, LOOK_TIME);
    for (uint32_t left = slots; left > 0; left--, pos += KEV_SLOT) {
        const uint32_t header = kev_damage_word_at(&j, pos, 0);
        if (kev_code(header) != KEV_CODE_TIME || kev_structure(header) >= KEV_MIDDLE ||
            (kev_cpu(header) != slot->cpu && !cursor->d->global_clock)) {
            continue;
        }
        if (is_within(time_at(&j, pos), time, HIGH_WORDS)) {
            return KEV_SOUND;
        }
        if (is_within(time_at(&j, pos), before, HIGH_WORDS)) {
            return KEV_BAD_TIME;
        }
    }
    if (slots < LOOK_TIME && !j.final) {
        return KEV_WAIT;
    }
    /* Without another TIME, the slots after it lie right at least, or only a few are left. */
    int points;
    pos = slot->pos + KEV_SLOT;
    const bool goes_on =
        slots_from(&j, pos, RUN) < RUN_LEAST ||
        (best_place(&j, pos, MARGIN, &points) == pos && are_sound(&j, pos, points));
    return goes_on ? KEV_SOUND : KEV_BAD_TIME;
}
