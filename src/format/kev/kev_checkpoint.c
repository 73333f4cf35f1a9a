/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_checkpoint: the state of a cursor as bytes:
 *
 *      struct kev_state | the CPUs of `active` | open events | late priorities
 *
 * The index has one checkpoint per block of about a thousand events. With many CPUs, whole structs
 * would be most of its memory, so a CPU is stored as differences of variable length:
 *
 *      last_ticks - ticks | running + 1
 *      of 8.0 also: ticks - control | control - before_control | sequence
 *
 * A checkpoint may come from an index cache: one that is no valid state of this capture is
 * rejected.
 */
#include <string.h>

#include "format/kev/kev_decode.h"

#define NUMBER_BYTES 10u                        /* 64 bits, 7 per byte */
#define CPU_BYTES    (3 * NUMBER_BYTES + 2 * 5) /* at most */

struct blob {
    uint8_t *bytes;
    size_t capacity;
    size_t used;
};

static void kev_checkpoint_write_bytes(struct blob *blob, const void *data, size_t size)
{
    if (blob->used <= blob->capacity && size <= blob->capacity - blob->used) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no bytes, no capacity */
        memcpy(blob->bytes + blob->used, data, size);
    }
    blob->used += size;
}

static bool read_bytes(struct tt_reader *reader, void *to, size_t size)
{
    const uint8_t *bytes = tt_read_span(reader, size);
    if (bytes) {
        memcpy(to, bytes, size);
    }
    return bytes != NULL;
}

/* Seven bits a byte, the lowest first; all bytes but the last have the top bit. */
static uint8_t *number_write(uint8_t *at, uint64_t number)
{
    while (number >= 0x80) {
        *at++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *at++ = (uint8_t)number;
    return at;
}

static uint64_t number_read(struct tt_reader *reader)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = tt_read_u8(reader);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return number;
        }
    }
    reader->failed = true;
    return 0;
}

/* Writes a - b modulo 2^64, zigzag encoded: small differences of either sign are short. */
static uint8_t *difference_write(uint8_t *at, uint64_t a, uint64_t b)
{
    uint64_t difference = a - b;
    return number_write(at, difference >> 63 ? ~(difference << 1) : difference << 1);
}

/* Reads the b that was written with a. */
static uint64_t difference_read(struct tt_reader *reader, uint64_t a)
{
    uint64_t number = number_read(reader);
    return a - (number & 1 ? ~(number >> 1) : number >> 1);
}

/* ---- validation ---------------------------------------------------------------------------- */

static bool kev_checkpoint_is_thread(const struct tt_cursor *cursor, uint32_t thread)
{
    return thread == TT_NO_THREAD || thread < tt_thread_count(cursor->capture);
}

/* Returns whether a byte is a valid bool. */
static bool kev_checkpoint_is_flag(const uint8_t *state, size_t at)
{
    return state[at] <= 1;
}

static bool read_state(struct tt_cursor *cursor, struct tt_reader *from)
{
    struct kev_state *state = &cursor->s;
    const uint8_t *bytes = tt_read_span(from, sizeof *state);
    if (!bytes || !kev_checkpoint_is_flag(bytes, offsetof(struct kev_state, in_dump)) ||
        !kev_checkpoint_is_flag(bytes, offsetof(struct kev_state, dump_state_due)) ||
        !kev_checkpoint_is_flag(bytes, offsetof(struct kev_state, dump_at_end)) ||
        !kev_checkpoint_is_flag(bytes, offsetof(struct kev_state, begun)) ||
        !kev_checkpoint_is_flag(bytes, offsetof(struct kev_state, time_seen))) {
        return false;
    }
    memcpy(state, bytes, sizeof *state);
    return state->pos >= cursor->d->slots && state->late_count <= KEV_LATE_MAX &&
           state->dump_cpu < KEV_CPUS;
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static void write_cpu(struct blob *blob, const struct tt_cursor *cursor, const struct kev_cpu *cpu)
{
    uint8_t bytes[CPU_BYTES];
    uint8_t *end = difference_write(bytes, cursor->s.last_ticks, cpu->ticks);
    end = number_write(end, cpu->running + UINT32_C(1)); /* TT_NO_THREAD: 0 */
    if (cursor->d->release == KEV_8) {
        end = difference_write(end, cpu->ticks, cpu->control);
        end = difference_write(end, cpu->control, cpu->before_control);
        end = number_write(end, cpu->sequence);
    }
    kev_checkpoint_write_bytes(blob, bytes, (size_t)(end - bytes));
}

/* ---- all of it ---------------------------------------------------------------------------- */

size_t kev_cursor_save(const struct tt_cursor *cursor, void *bytes, size_t capacity)
{
    struct blob blob = {bytes, bytes ? capacity : 0, 0};
    kev_checkpoint_write_bytes(&blob, &cursor->s, sizeof cursor->s);
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (cursor->s.active >> i & 1) {
            write_cpu(&blob, cursor, &cursor->cpu[i]);
        }
    }
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        kev_checkpoint_write_bytes(&blob, cursor->open[i],
                                   cursor->open_count[i] * sizeof cursor->open[i][0]);
    }
    kev_checkpoint_write_bytes(&blob, cursor->late, cursor->s.late_count * sizeof cursor->late[0]);
    return blob.used;
}

static bool read_open(struct tt_cursor *cursor, struct tt_reader *from)
{
    struct kev_open open;
    if (!read_bytes(from, &open, sizeof open) || open.cpu >= KEV_CPUS || open.code >= KEV_CODES ||
        !kev_checkpoint_is_thread(cursor, open.thread) ||
        cursor->open_count[open.cpu] == KEV_OPEN_EVENTS) {
        return false;
    }
    cursor->open[open.cpu][cursor->open_count[open.cpu]++] = open;
    return true;
}

/*
 * Returns whether the lane cache stays valid: a cursor loaded with its own position has the meaning
 * of pids there already. Only events change it, except where time or a loss decides.
 */
static bool lanes_stay_valid(const struct tt_cursor *cursor, uint64_t previous_pos)
{
    return cursor->s.pos == previous_pos && cursor->s.lost_when == 0 &&
           !cursor->capture->lanes_by_time;
}

void kev_cursor_load(struct tt_cursor *cursor, const void *bytes, size_t size)
{
    struct tt_reader from = tt_reader_of(tt_bytes_of(bytes, size), false);
    const uint64_t pos = cursor->s.pos;
    const uint32_t generation = cursor->generation;
    kev_cursor_reset(cursor);
    bool good = read_state(cursor, &from);
    for (uint32_t i = 0; good && i < KEV_CPUS; i++) {
        if (cursor->s.active >> i & 1) {
            struct kev_cpu *cpu = &cursor->cpu[i];
            cpu->ticks = difference_read(&from, cursor->s.last_ticks);
            cpu->running = (uint32_t)number_read(&from) - 1;
            cpu->control = 0;
            cpu->before_control = 0;
            cpu->sequence = 0;
            if (cursor->d->release == KEV_8) {
                cpu->control = difference_read(&from, cpu->ticks);
                cpu->before_control = difference_read(&from, cpu->control);
                cpu->sequence = (uint32_t)number_read(&from);
            }
            good = !from.failed && kev_checkpoint_is_thread(cursor, cpu->running);
        }
    }
    for (uint32_t i = 0; good && i < cursor->s.open_count; i++) {
        good = read_open(cursor, &from);
    }
    for (uint32_t i = 0; good && i < cursor->s.late_count; i++) {
        struct kev_late *late = &cursor->late[i];
        good = read_bytes(&from, late, sizeof *late) &&
               kev_checkpoint_is_thread(cursor, late->thread) && late->cpu < KEV_CPUS;
    }
    if (!good) {
        kev_cursor_reset(cursor);
    } else if (lanes_stay_valid(cursor, pos)) {
        cursor->generation = generation;
    }
}
