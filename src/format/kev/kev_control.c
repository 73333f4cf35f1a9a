/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_control: CONTROL events (time, buffers and their losses), checks at the end of the file, and
 * health notes.
 *
 * A kernel buffer begins with CONTROL/BUFFER: its sequence number, one more than the previous one,
 * and its number of slots, this one included. In ring mode only the last buffer has a count; 0 is
 * "not filled in". 8.0 has one ring per CPU with its own sequence numbers and may write a last
 * short buffer that starts again at 1; a TIME may precede the BUFFER there. If no buffer of its ring is
 * free, the kernel of 8.0 discards the CPU's events, without a gap in the sequence numbers, and writes
 * DROPPED when it continues ("System Analysis Toolkit" of 8.0, "Overruns").
 */
#include <string.h>

#include "base/bits.h"
#include "format/kev/kev_decode.h"
#include "tracetui/text.h"

#define ALL_CPUS      KEV_CPUS
#define SEQUENCE_MASK 0x7ffu      /* the bits that traceprinter prints */
#define COOKIE        0xe6e6e6e6u /* both words of CONTROL/BUFFER_END */
#define MISSING       "buffers missing"
#define SLOTS_MOST    (1u << 20) /* of a buffer */

void kev_note(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos, uint64_t value,
              const char *detail)
{
    if (cursor->learn) {
        tt_health_add(cursor->capture, kind, pos, pos, value, detail);
    }
}

void kev_forget_running(struct tt_cursor *cursor, uint32_t cpu)
{
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (cpu >= KEV_CPUS || cpu == i) {
            cursor->cpu[i].running = TT_NO_THREAD;
        }
    }
}

/* ---- time --------------------------------------------------------------------------------- */

/* Raises the times of some CPUs to `min`. */
static void raise_ticks(struct tt_cursor *cursor, uint64_t cpus, uint64_t min)
{
    for (; cpus != 0; cpus &= cpus - 1) {
        struct kev_cpu *cpu = &cursor->cpu[tt_lowest_bit(cpus)];
        cpu->ticks = cpu->ticks < min ? min : cpu->ticks;
    }
}

/*
 * With synchronous clocks: an idle CPU must not miss an overflow of the low half. A capture may have
 * a TIME per CPU and buffer, so that mostly only the CPUs that are behind are looked at.
 */
static void advance_other_cpus(struct tt_cursor *cursor, uint64_t ticks)
{
    if (!cursor->d->global_clock || cursor->d->release == KEV_8 || ticks < UINT32_MAX) {
        return;
    }
    uint64_t min = ticks - ((uint64_t)1 << 31);
    if (min <= cursor->ahead_of) {
        raise_ticks(cursor, cursor->behind, min);
    } else {
        raise_ticks(cursor, cursor->s.active, min);

        /* Sets which CPUs are behind a time that is soon reached by none. */
        cursor->ahead_of = ticks - KEV_BACK_WINDOW;
        cursor->behind = 0;
        for (uint64_t left = cursor->s.active; left != 0; left &= left - 1) {
            uint32_t cpu = tt_lowest_bit(left);
            cursor->behind |= (uint64_t)(cursor->cpu[cpu].ticks < cursor->ahead_of) << cpu;
        }
    }
}

KEV_COLD void kev_on_time(struct tt_cursor *cursor, struct kev_slot *slot)
{
    slot->ticks = kev_time_of_event(slot->stamp, kev_slot_word(cursor, slot, 0),
                                    kev_slot_word(cursor, slot, 1));
    cursor->s.time_seen = true;
    advance_other_cpus(cursor, slot->ticks);
}

/* ---- losses and buffers ------------------------------------------------------------------- */

static void check_count(struct tt_cursor *cursor, uint64_t end)
{
    const struct kev_state *state = &cursor->s;
    if (state->buffer_pos == UINT64_MAX || state->buffer_slots == 0 || cursor->d->source) {
        return;
    }
    uint64_t present = (end - state->buffer_pos) / KEV_SLOT;
    uint64_t slack = cursor->d->release == KEV_8 ? 1 : 0;
    if (present + slack < state->buffer_slots || present > state->buffer_slots + slack) {
        kev_note(cursor, TT_HEALTH_COUNT_MISMATCH, state->buffer_pos, state->buffer_slots,
                 "slots announced by the buffer");
    }
}

/* Adds a loss on a CPU, or on all, since the event at `since`. It also cuts the runs of guests, if there are any. */
static void add_loss(const struct tt_cursor *cursor, struct tt_batch *batch, uint32_t cpu,
                     uint64_t since)
{
    const _Atomic uint32_t *enter = &cursor->d->codes[KEV_GUEST_ENTER_CODE];
    const bool has_guests = atomic_load_explicit(enter, memory_order_relaxed) != 0;
    struct tt_action *lost = kev_act(batch, TT_ACTION_LOST);
    struct tt_action *slices = lost && has_guests ? kev_act(batch, TT_ACTION_LOST_SLICES) : NULL;
    if (lost) {
        lost->cpu = cpu < KEV_CPUS ? (uint16_t)cpu : TT_NO_CPU;
        lost->value = since;
    }
    if (slices) {
        slices->state = kev_guest_stream(cursor, cpu < KEV_CPUS ? cpu : 0);
        slices->value = since;
    }
}

static void report_loss(struct tt_cursor *cursor, const struct kev_slot *slot,
                        struct tt_batch *batch, uint32_t cpu, uint32_t count, const char *detail)
{
    kev_note(cursor, TT_HEALTH_LOST, slot->pos, count, detail);
    kev_forget_running(cursor, cpu);
    cursor->s.lost_when = slot->when;
    cursor->s.lost = 1;
    cursor->generation++; /* pids may mean other processes now */
    add_loss(cursor, batch, cpu,
             cpu < KEV_CPUS ? cursor->cpu[cpu].before_control : cursor->before_buffer);
}

/*
 * Returns the latest time before the slot: of the event before it, or of a CPU other than its own, since the last slot
 * before damage may have a wrong time. CPUs with their own rings are not in order of time.
 */
static uint64_t latest_before(const struct tt_cursor *cursor, const struct kev_slot *slot,
                              uint64_t before)
{
    uint64_t cpus = cursor->d->release == KEV_8 ? 0 : cursor->s.active;
    for (; cpus != 0; cpus &= cpus - 1) {
        const uint32_t cpu = tt_lowest_bit(cpus);
        const uint64_t ticks = cursor->cpu[cpu].ticks;
        before = cpu != slot->cpu && ticks > before && ticks < slot->ticks ? ticks : before;
    }
    return before;
}

KEV_COLD void kev_on_damage(struct tt_cursor *cursor, const struct kev_slot *slot, uint64_t before,
                            struct tt_batch *batch)
{
    add_loss(cursor, batch, KEV_CPUS, latest_before(cursor, slot, before));
    cursor->s.lost_when = slot->when;
    cursor->s.damaged = 0;
}

static void report_out_of_order(struct tt_cursor *cursor, const struct kev_slot *slot,
                                uint32_t sequence, uint32_t cpu)
{
    kev_note(cursor, TT_HEALTH_OUT_OF_ORDER, slot->pos, sequence, "sequence number of the buffer");
    kev_forget_running(cursor, cpu);
}

/*
 * Returns whether the slots since the latest buffer are also those of the buffers between it and this one: their
 * BUFFER events are damaged, not lost.
 */
static bool is_complete(const struct tt_cursor *cursor, const struct kev_slot *slot, uint32_t ahead)
{
    const struct kev_state *state = &cursor->s;
    return ahead > 1 && ahead <= INT32_MAX && state->buffer_pos != UINT64_MAX &&
           state->buffer_slots > 0 && !cursor->d->source &&
           (slot->pos - state->buffer_pos) / KEV_SLOT + state->buffer_slots / 2 >=
               (uint64_t)ahead * state->buffer_slots;
}

/* One ring for all CPUs: a sequence number follows the highest one so far. */
static void check_sequence(struct tt_cursor *cursor, const struct kev_slot *slot,
                           struct tt_batch *batch, uint32_t sequence)
{
    struct kev_state *state = &cursor->s;
    if (state->sequence_known == 0) {
        state->sequence_known = UINT64_MAX;
        state->newest = sequence;
    } else {
        uint32_t ahead = sequence - state->newest;
        bool wrapped = ((sequence ^ (state->newest + 1)) & SEQUENCE_MASK) == 0 && ahead > INT32_MAX;
        if (ahead == 1 || wrapped || is_complete(cursor, slot, ahead)) {
            if (state->sequence != state->newest) {
                kev_forget_running(cursor, ALL_CPUS); /* the buffers between were out of order */
            }
            state->newest = sequence;
        } else if (ahead > 0 && ahead <= INT32_MAX) {
            report_loss(cursor, slot, batch, ALL_CPUS, ahead - 1, MISSING);
            state->newest = sequence;
        } else {
            report_out_of_order(cursor, slot, sequence, ALL_CPUS);
        }
    }
    state->sequence = sequence;
}

KEV_COLD void kev_on_buffer(struct tt_cursor *cursor, const struct kev_slot *slot,
                            struct tt_batch *batch)
{
    uint32_t sequence = kev_slot_word(cursor, slot, 0);
    check_count(cursor, slot->pos);
    if (cursor->d->release == KEV_8) {
        /* 8.0: one ring per CPU. */
        uint64_t bit = (uint64_t)1 << slot->cpu;
        struct kev_cpu *cpu = &cursor->cpu[slot->cpu];
        if (cursor->s.sequence_known & bit) {
            uint32_t ahead = sequence - cpu->sequence;
            if (ahead > 1 && ahead <= INT32_MAX) {
                report_loss(cursor, slot, batch, slot->cpu, ahead - 1, MISSING);
            } else if (ahead != 1 && sequence != 1) {
                report_out_of_order(cursor, slot, sequence, slot->cpu);
            }
        }
        cursor->s.sequence_known |= bit;
        cpu->sequence = sequence;
    } else if (kev_slot_word(cursor, slot, 1) <= SLOTS_MOST) {
        check_sequence(cursor, slot, batch, sequence);
    } else {
        cursor->s.newest++; /* damaged */
    }
    cursor->s.buffer_pos = slot->pos;
    cursor->s.buffer_cpu = (uint8_t)slot->cpu;
    cursor->s.buffer_slots = kev_slot_word(cursor, slot, 1);
    advance_other_cpus(cursor, slot->ticks);
}

KEV_COLD void kev_on_buffer_end(struct tt_cursor *cursor, const struct kev_slot *slot)
{
    if (kev_slot_word(cursor, slot, 0) != COOKIE || kev_slot_word(cursor, slot, 1) != COOKIE) {
        kev_note(cursor, TT_HEALTH_MALFORMED, slot->pos, kev_slot_word(cursor, slot, 0),
                 "BUFFER_END without its cookie");
    }
}

KEV_COLD void kev_on_dropped(struct tt_cursor *cursor, const struct kev_slot *slot,
                             struct tt_batch *batch)
{
    report_loss(cursor, slot, batch, cursor->d->release == KEV_8 ? slot->cpu : ALL_CPUS,
                kev_slot_word(cursor, slot, 0), "first word of DROPPED");
}

/* ---- the end ------------------------------------------------------------------------------ */

KEV_COLD void kev_on_end(struct tt_cursor *cursor, uint64_t limit)
{
    if (!cursor->learn || cursor->ended) {
        return;
    }
    cursor->ended = true;
    uint64_t pos = cursor->s.pos;
    if (limit < cursor->d->slots) {
        kev_note(cursor, TT_HEALTH_TRUNCATED, limit, cursor->d->slots - limit,
                 "bytes of the system page missing");
        return;
    }
    for (uint32_t cpu = 0; cpu < KEV_CPUS; cpu++) {
        for (uint32_t i = 0; i < cursor->open_count[cpu]; i++) {
            kev_note(cursor, TT_HEALTH_UNFINISHED, cursor->open[cpu][i].pos,
                     cursor->open[cpu][i].parts, "slots of the event found");
        }
    }
    uint64_t other =
        limit - pos >= KEV_SLOT ? kev_other_header(cursor->capture, pos, limit) : UINT64_MAX;
    check_count(cursor, cursor->zeros_end > 0 ? cursor->zeros_end : pos);
    if (other != UINT64_MAX) {
        /* Reports the bytes from the header of another capture on. */
        uint64_t size = limit - other;
        char buffer[80];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_grouped(&text, size);
        tt_text_str(&text, " bytes from the header of another capture on; --find lists both");
        struct tt_capture *capture = cursor->capture;
        kev_note(cursor, TT_HEALTH_NOT_READ, other, size,
                 tt_capture_text(capture,
                                 tt_capture_intern(capture, buffer, strlen(tt_text_cstr(&text))),
                                 NULL));
    } else if (limit > pos) {
        kev_note(cursor, TT_HEALTH_TRUNCATED, pos, limit - pos, "bytes of a slot at the end");
    }
}
