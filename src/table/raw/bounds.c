/* SPDX-License-Identifier: Apache-2.0 */
#include "table/raw/bounds.h"

#include "tracetui/event_line.h"

bool tt_raw_wants_thread(const struct tt_table_run *run, uint32_t thread)
{
    return run->bounds.wants_thread ? run->bounds.wants_thread(run->bounds.arg, thread)
                                    : tt_table_includes(run, thread);
}

uint32_t tt_raw_next_thread(const struct tt_table_run *run, uint32_t thread)
{
    if (run->bounds.next_thread) {
        return run->bounds.next_thread(run->bounds.arg, thread);
    }
    uint32_t count = tt_thread_count(run->capture);
    while (thread < count && !tt_table_includes(run, thread)) {
        thread++;
    }
    return thread < count ? thread : count;
}

const char *tt_raw_state(const struct tt_capture *capture, unsigned state)
{
    const struct tt_format *format = capture->format;
    return state < format->state_count ? format->states[state].name : NULL;
}

uint32_t tt_raw_occupant(const struct tt_capture *capture, uint32_t occupant)
{
    return occupant < tt_thread_count(capture) ? occupant : UINT32_MAX;
}

void tt_raw_set_process(const struct tt_capture *capture, uint32_t process,
                        struct tt_table_cell *cell)
{
    tt_table_set_process(capture, TT_UNIT_PROCESS_NAME, process, cell);
    if (cell->kind == TT_CELL_NONE && process < tt_process_count(capture)) {
        cell->kind = TT_CELL_TEXT;
        tt_line_process(&cell->text, capture, process);
    }
}
