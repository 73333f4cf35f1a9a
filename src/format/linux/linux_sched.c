/* SPDX-License-Identifier: Apache-2.0 */
/* linux_sched: the states of threads of Linux. */
#include "format/linux/linux_sched.h"

#include <stdio.h>

const struct tt_state_info linux_states[LINUX_STATES] = {
#define X(id, name, class_, flags, wake, object) [id] = {name, class_, flags, wake, object, NULL},
    LINUX_STATE_INFO(X)
#undef X
};

/* Letters of states, the more specific one first: of TASK_KILLABLE (D and K) and of a noload sleep (D and N). */
static const struct {
    char letter;
    uint8_t state;
} letters[] = {
    {'Z', LINUX_ZOMBIE},   {'X', LINUX_DEAD},    {'x', LINUX_DEAD},    {'I', LINUX_IDLE},
    {'N', LINUX_IDLE},     {'P', LINUX_PARKED},  {'T', LINUX_STOPPED}, {'t', LINUX_TRACED},
    {'S', LINUX_SLEEPING}, {'D', LINUX_BLOCKED}, {'K', LINUX_BLOCKED}, {'W', LINUX_BLOCKED},
    {'n', LINUX_READY},
};

/* The letters of 4.15 and later. */
static const char recent[] = "SDTtXZPI";
/* Of 4.14, by index: the print format has the letters of masks, but the kernel stores an index. */
static const char indexed[] = "RSDTtXZPI";
#define MARK_OF_4_14 UINT64_C(0x1000)
#define RECENT_MARK  UINT64_C(0x100)

void linux_leave_add(struct linux_leave *leave, uint64_t bit, char letter)
{
    if (leave->count < LINUX_LETTERS) {
        leave->letters[leave->count].bit = bit;
        leave->letters[leave->count++].letter = letter;
    }
}

static uint8_t state_of_letter(char letter)
{
    for (unsigned i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == letter) {
            return letters[i].state;
        }
    }
    return LINUX_READY;
}

/* Returns the state of a mask: that of its most specific letter. */
static uint8_t state_of_mask(const struct linux_leave *leave, uint64_t mask)
{
    for (unsigned i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        for (unsigned k = 0; k < leave->count; k++) {
            if ((mask & leave->letters[k].bit) != 0 &&
                leave->letters[k].letter == letters[i].letter) {
                return letters[i].state;
            }
        }
    }
    return mask == 0 ? LINUX_READY : LINUX_BLOCKED;
}

void linux_leave_finish(struct linux_leave *leave, uint64_t mark)
{
    if (leave->count == 0) {
        for (unsigned i = 0; recent[i]; i++) {
            linux_leave_add(leave, UINT64_C(1) << i, recent[i]);
        }
    }
    leave->mark = mark ? mark : RECENT_MARK;
    const uint64_t last = leave->letters[leave->count - 1].bit;
    leave->is_index = leave->mark == MARK_OF_4_14 && last == 0x80 &&
                      leave->letters[leave->count - 1].letter == 'I';
    for (unsigned mask = 0; mask < 256; mask++) {
        leave->low[mask] = !leave->is_index            ? state_of_mask(leave, mask)
                           : mask < sizeof indexed - 1 ? state_of_letter(indexed[mask])
                                                       : (uint8_t)LINUX_BLOCKED;
    }
}

uint64_t linux_leave_of_kernel(struct linux_leave *leave, const char *release, bool is_raw)
{
    static const char before_4_14[] = "SDTtXZxK", raw[] = "SDTtXZPx";
    unsigned major = 0, minor = 0;
    const int count = sscanf(release, "%3u.%3u", &major, &minor);
    const unsigned version = count == 2 ? major * 1000 + minor : 0;
    if (version == 0 || (version >= 4014 && !is_raw)) {
        linux_leave_finish(leave, 0);
        return 0;
    }
    const char *letters_of = version < 4014 ? before_4_14 : raw;
    for (unsigned i = 0; letters_of[i]; i++) {
        linux_leave_add(leave, UINT64_C(1) << i, letters_of[i]);
    }
    linux_leave_finish(leave, version < 3009   ? 512
                              : version < 4002 ? 1024
                              : version < 4008 ? 2048
                                               : 4096);
    return version >= 4002 ? 1024 : 0;
}

unsigned linux_leave_text(const struct linux_leave *leave, uint64_t prev_state, char *text)
{
    unsigned used = 0;
    const uint64_t low = prev_state & ~leave->mark;
    if (leave->is_index && low < sizeof indexed - 1) {
        text[used++] = indexed[low];
    }
    for (unsigned i = 0; !leave->is_index && i < leave->count; i++) {
        if ((prev_state & leave->letters[i].bit) != 0) {
            if (used > 0) {
                text[used++] = '|';
            }
            text[used++] = leave->letters[i].letter;
        }
    }
    if (used == 0) {
        text[used++] = 'R';
    }
    if ((prev_state & leave->mark) != 0) {
        text[used++] = '+';
    }
    return used;
}

char *linux_leave_label(char *to, const void *leave, uint64_t prev_state)
{
    return to + linux_leave_text(leave, prev_state, to);
}
