/* SPDX-License-Identifier: Apache-2.0 */
#include "table/raw/bounds.h"

struct tt_table_bounds tt_raw_bounds(const struct tt_table_run *run)
{
    if (run->request.bounds) {
        return *run->request.bounds;
    }
    const struct tt_key_range *keys = &run->request.keys;
    return (struct tt_table_bounds){.from = keys->from_ticks,
                                    .last = keys->to_ticks - (keys->to_ticks > 0),
                                    .id_last = UINT64_MAX,
                                    .cpu = UINT32_MAX,
                                    .type = UINT32_MAX,
                                    .object = UINT32_MAX};
}

bool tt_raw_wants_thread(const struct tt_table_run *run, const struct tt_table_bounds *bounds,
                         uint32_t thread)
{
    return bounds->wants_thread ? bounds->wants_thread(bounds->arg, thread)
                                : tt_table_includes(run, thread);
}

uint32_t tt_raw_next_thread(const struct tt_table_run *run, const struct tt_table_bounds *bounds,
                            uint32_t thread)
{
    if (bounds->next_thread) {
        return bounds->next_thread(bounds->arg, thread);
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
        tt_text_u64(&cell->text, tt_process_at(capture, process)->pid);
    }
}
