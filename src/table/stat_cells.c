/* SPDX-License-Identifier: Apache-2.0 */
#include "table/stat_cells.h"

#include <ctype.h>
#include <string.h>

#include "tracetui/merge.h"
#include "tracetui/objects.h"
#include "tracetui/time.h"

TT_CELL_FUNCTION(tt_stat_charged)
{
    const struct tt_stat_row *charge = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, charge->to, cell);
    if (cell->kind == TT_CELL_NONE && charge->b.by && charge->b.by[0]) {
        tt_table_set_text(cell, charge->b.by);
    }
}

/*
 * Sets the name of a client or server process; short: without the UID and generation that Symbian appends,
 * "sensor.exe" of "sensor.exe[100041b2]0001".
 */
static void set_partner(const struct tt_table_run *run, uint32_t process,
                        struct tt_table_cell *cell)
{
    enum { DIGITS = 8 };
    tt_table_set_process(run->capture, TT_UNIT_PROCESS_NAME, process, cell);
    const char *name = cell->text.buffer;
    for (size_t i = 1; run->request.short_names && i + DIGITS + 1 < cell->text.used; i++) {
        size_t digits = 0;
        while (name[i] == '[' && digits < DIGITS && isxdigit((unsigned char)name[i + 1 + digits])) {
            digits++;
        }
        if (digits == DIGITS && name[i + 1 + DIGITS] == ']') {
            cell->text.used = i;
        }
    }
}

TT_CELL_FUNCTION(tt_stat_client)
{
    const struct tt_stat_row *messages = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, messages->thread, cell);
    if (cell->kind == TT_CELL_NONE &&
        !tt_merge_lacks_processes(run->capture, messages->peer, messages->thread)) {
        set_partner(run, messages->peer, cell);
    }
}

TT_CELL_FUNCTION(tt_stat_server)
{
    const struct tt_stat_row *messages = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, messages->to, cell);
    if (cell->kind == TT_CELL_NONE &&
        !tt_merge_lacks_processes(run->capture, messages->process, messages->to)) {
        set_partner(run, messages->process, cell);
    }
}

TT_CELL_FUNCTION(tt_stat_queue)
{
    const struct tt_stat_row *messages = row;
    const struct tt_object queue = {
        .id = messages->number,
        .process = TT_NO_THREAD,
        .kind = TT_OBJECT_QUEUE,
        .system = (uint8_t)tt_merge_of_process(run->capture, messages->process)};
    size_t length = 0;
    const char *name = tt_object_name(run->capture, &queue, &length);
    (void)column;
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    } else if (messages->channel != TT_TABLE_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_u64(&cell->text, messages->channel);
    } else if (messages->number != TT_TABLE_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_char(&cell->text, '#');
        tt_text_u64(&cell->text, messages->number);
    }
}

TT_CELL_FUNCTION(tt_stat_object_kind)
{
    const struct tt_stat_row *object = row;
    (void)run;
    (void)column;
    tt_table_set_text(cell, tt_object_kind_name((unsigned)object->post));
}

TT_CELL_FUNCTION(tt_stat_object_name)
{
    const struct tt_stat_row *stat = row;
    const struct tt_object object = {.id = stat->number,
                                     .process = stat->process,
                                     .kind = (uint8_t)stat->post,
                                     .system = (uint8_t)stat->o.system};
    size_t length = 0;
    const char *name = tt_object_name(run->capture, &object, &length);
    (void)column;
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    }
}

TT_CELL_FUNCTION(tt_stat_object_label)
{
    const struct tt_stat_row *stat = row;
    tt_stat_object_name(run, column, row, cell);
    if (cell->kind == TT_CELL_NONE && stat->number != TT_NO_OBJECT_ID) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, "0x");
        tt_text_hex(&cell->text, stat->number, 1);
    }
}

TT_CELL_FUNCTION(tt_stat_part)
{
    const struct tt_stat_row *messages = row;
    uint64_t ticks;
    (void)run;
    memcpy(&ticks, (const char *)row + column->field, sizeof ticks);
    tt_table_set_part(cell, ticks, messages->m.known);
}

TT_CELL_FUNCTION(tt_stat_parts)
{
    const struct tt_stat_messages *m = &((const struct tt_stat_row *)row)->m;
    uint64_t percent;
    (void)run;
    (void)column;
    for (unsigned i = 0; i <= TT_CLASS_COUNT; i++) {
        uint64_t ticks = i < TT_CLASS_COUNT ? m->class_ticks[i] : m->irq;
        if (ticks > 0 && tt_mul_div(ticks, 100, m->known, &percent)) {
            tt_text_str(&cell->text, cell->kind == TT_CELL_TEXT ? " " : "");
            tt_text_str(&cell->text, i < TT_CLASS_COUNT ? tt_class_name((uint8_t)i) : "interrupts");
            tt_text_char(&cell->text, ' ');
            tt_text_u64(&cell->text, percent);
            cell->kind = TT_CELL_TEXT;
        }
    }
}
