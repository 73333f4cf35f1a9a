/* SPDX-License-Identifier: Apache-2.0 */
/* event_scan: scans events in time slices. */
#include "tui/filter/event_scan.h"

#include <time.h>

#include "base/clock.h"
#include "tracetui/time.h"

#define CHUNK 512u

void tt_event_scan_start(struct tt_event_scan *search, enum tt_event_scan_by by, bool forward,
                         const struct tt_event *from, uint64_t row)
{
    search->active = true;
    search->from_start = false;
    search->wrap = false;
    search->by = by;
    search->forward = forward;
    search->start_row = row;
    search->row = forward ? row + 1 : row;
    search->ticks = from->ticks;
    search->pos = from->pos;
    switch (by) {
    case TT_EVENT_SCAN_THREAD:
        search->value = from->thread;
        break;
    case TT_EVENT_SCAN_CPU:
        search->value = from->cpu;
        break;
    case TT_EVENT_SCAN_TYPE:
        search->value = from->type;
        break;
    }
}

static bool event_scan_matches(const struct tt_event_scan *search, const struct tt_event *event)
{
    switch (search->by) {
    case TT_EVENT_SCAN_THREAD:
        return event->thread == search->value;
    case TT_EVENT_SCAN_CPU:
        return event->cpu == search->value;
    default:
        return event->type == search->value;
    }
}

static bool skips(const struct tt_event_scan *search, uint64_t row)
{
    return search->skips && search->skips(search->skips_arg, row);
}

/* Returns the index of the first match in the direction of the scan, or `count`. */
static uint32_t event_scan_find_match(const struct tt_event_scan *search,
                                      const struct tt_event *events, uint64_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = search->forward ? i : count - 1 - i;
        if (event_scan_matches(search, &events[at]) && !skips(search, first + at)) {
            return at;
        }
    }
    return count;
}

enum tt_event_scan_result tt_event_scan_step(struct tt_event_scan *search, struct tt_events *events,
                                             uint64_t budget_ns, struct tt_event *found,
                                             uint64_t *row)
{
    struct tt_event chunk[CHUNK];
    uint64_t until = tt_now_ns() + budget_ns;
    uint64_t here = tt_events_row_at_key(events, search->ticks, search->pos);
    search->row = search->forward ? here + 1 : here;
    if (search->from_start) {
        search->from_start = false;
        search->row = 0;
    }
    do {
        uint64_t first = search->row;
        uint32_t wanted = CHUNK;
        if (!search->forward) {
            wanted = first < CHUNK ? (uint32_t)first : CHUNK;
            first -= wanted;
        }
        uint32_t count = wanted > 0 ? tt_events_read(events, first, wanted, chunk) : 0;
        if (count == 0 && search->wrap) {
            search->wrap = false;
            search->from_start = true;
            search->start_row = 0;
            return TT_EVENT_SCAN_GOING;
        }
        if (count == 0) {
            search->active = false;
            return TT_EVENT_SCAN_NONE;
        }
        uint32_t at = event_scan_find_match(search, chunk, first, count);
        if (at < count) {
            *found = chunk[at];
            *row = first + at;
            search->active = false;
            return TT_EVENT_SCAN_FOUND;
        }
        const struct tt_event *last = &chunk[search->forward ? count - 1 : 0];
        search->row = search->forward ? first + count : first;
        search->ticks = last->ticks;
        search->pos = last->pos;
    } while (tt_now_ns() < until);
    return TT_EVENT_SCAN_GOING;
}

unsigned tt_event_scan_percent(const struct tt_event_scan *search, uint64_t rows)
{
    uint64_t whole = search->forward ? rows - search->start_row : search->start_row;
    uint64_t done =
        search->forward ? search->row - search->start_row : search->start_row - search->row;
    return whole > 0 && done <= whole ? (unsigned)((double)done * 100.0 / (double)whole) : 0;
}
