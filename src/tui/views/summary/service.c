/* SPDX-License-Identifier: Apache-2.0 */
/* summary/service: the parts of a service, and the lines below the tables of messages. */
#include "tui/views/summary/service.h"

#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/messages.h"
#include "tracetui/missing.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/lanes.h"
#include "tui/model/time_label.h"
#include "tui/views/summary/totals.h"

#define LINE_BYTES 1024
#define NAME_PART  5 /* the parts of a service begin after this fraction of the line, or the name */
#define PARTS      (TT_CLASS_COUNT + 1)
#define IRQ        TT_CLASS_COUNT /* number of the part of interrupts */

/* The parts from left to right. */
static const uint8_t order[PARTS] = {TT_CLASS_RUNNING, IRQ,
                                     TT_CLASS_READY,   TT_CLASS_IPC,
                                     TT_CLASS_LOCK,    TT_CLASS_CONDITION,
                                     TT_CLASS_SLEEP,   TT_CLASS_WAIT,
                                     TT_CLASS_STOPPED, TT_CLASS_DEAD,
                                     TT_CLASS_UNKNOWN};

/* The parts of a service in ticks, and their sum. */
struct times {
    uint64_t part[PARTS];
    uint64_t known;
};

static struct times times_of(const struct tt_table *table, const struct tt_table_row *row)
{
    struct times times = {.known = 0};
    const uint64_t *classes = tt_table_classes(table, row);
    memcpy(times.part, classes, TT_CLASS_COUNT * sizeof *classes);
    times.part[IRQ] = tt_table_number(table, row, "irq_pct");
    times.part[IRQ] = times.part[IRQ] != TT_TABLE_NONE ? times.part[IRQ] : 0;
    for (unsigned i = 0; i < PARTS; i++) {
        times.known += times.part[i];
    }
    return times;
}

/* ---- bar ---------------------------------------------------------------------------------- */

/*
 * Divides the columns among the parts; a part that is not 0 has at least one column if there are as
 * many, taken from the widest.
 */
static void divide(const struct times *times, int width, int *columns)
{
    uint64_t before = 0, edge = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        uint64_t to = edge;
        before += times->part[order[i]];
        if (!tt_mul_div(before, (uint64_t)width, times->known, &to) || to > (uint64_t)width) {
            to = (uint64_t)width;
        }
        columns[i] = (int)(to - edge);
        edge = to;
    }
    for (unsigned i = 0; i < PARTS; i++) {
        unsigned widest = 0;
        for (unsigned k = 1; k < PARTS; k++) {
            widest = columns[k] > columns[widest] ? k : widest;
        }
        if (columns[i] == 0 && times->part[order[i]] > 0 && columns[widest] > 1) {
            columns[i]++;
            columns[widest]--;
        }
    }
}

void tt_service_draw_bar(const struct tt_workspace *ws, const struct tt_table *table,
                         const struct tt_table_row *row, struct tt_area line)
{
    struct times times = times_of(table, row);
    int columns[PARTS], x = 0;
    if (times.known == 0 || line.width <= 0) {
        return;
    }
    divide(&times, line.width, columns);
    for (unsigned i = 0; i < PARTS; i++) {
        for (int k = 0; k < columns[i] && x < line.width; k++, x++) {
            if (order[i] == IRQ) {
                tt_draw_fill(line, x, 0, 1, TT_ROLE_CPU_IRQ,
                             tt_term_glyph(&ws->term, TT_GLYPH_IRQ));
            } else {
                tt_lanes_draw_cell(ws, line, x, 0, (struct tt_lane_cell){.class_ = order[i]});
            }
        }
    }
}

/* ---- text --------------------------------------------------------------------------------- */

static void write_part(const struct times *times, unsigned part, struct tt_text *text)
{
    const size_t start = text->used;
    tt_text_str(text, "  ");
    tt_text_str(text, part == IRQ ? "interrupts" : tt_class_name((uint8_t)part));
    tt_text_char(text, ' ');
    if (times->part[part] == 0 || !tt_summary_share(text, times->part[part], times->known, 2)) {
        text->used = start;
    }
}

void tt_service_text(const struct tt_table *table, const struct tt_table_row *row, int columns,
                     struct tt_text *text)
{
    const struct times times = times_of(table, row);
    const size_t start = text->used, fits = start + (size_t)(columns > 0 ? columns : 0);
    /* The states in the order of the bar, or, if they need more columns, in the reverse one. */
    for (int turn = 0; times.known > 0 && turn < 2 && (turn == 0 || text->used > fits); turn++) {
        text->used = start;
        for (unsigned i = 0; i < PARTS; i++) {
            const unsigned part = order[turn > 0 ? PARTS - 1 - i : i];
            if (part != IRQ) {
                write_part(&times, part, text);
            }
        }
    }
    write_part(&times, IRQ, text);
}

/* ---- the lines below the table ------------------------------------------------------------ */

/* Appends the load of a server. */
static void write_server(const struct tt_summary_table *tab, const struct tt_table_row *row,
                         struct tt_text *text)
{
    const size_t start = text->used;
    uint64_t mean; /* in thousandths */
    tt_text_str(text, "utilization ");
    if (!tt_summary_share(text, tt_table_number(tab->table, row, "busy"), tab->sheet.window, 1)) {
        text->used = start;
    }
    if (tt_mul_div(tt_table_number(tab->table, row, "waiting_mean"), 1000, tab->sheet.window,
                   &mean)) {
        tt_text_str(text, "  queue mean ");
        tt_text_u64(text, mean / 1000);
        tt_text_char(text, '.');
        tt_text_u64_width(text, mean % 1000 / 10, 2, '0');
        tt_text_str(text, ", deepest ");
        tt_text_u64(text, tt_table_number(tab->table, row, "waiting_max"));
    }
    tt_text_str(text, "  threads busy at once ");
    tt_text_u64(text, tt_table_number(tab->table, row, "serving_max"));
}

static void write_length(const struct tt_workspace *ws, const char *word,
                         const struct tt_distribution *d, struct tt_text *text)
{
    if (d) {
        tt_text_str(text, text->used > 0 ? "  " : "");
        tt_text_str(text, word);
        tt_time_label_duration(ws, text, d->max);
    }
}

/* Appends the text of a column; returns whether it has one. */
static bool write_cell(const struct tt_summary_table *tab, const struct tt_table_row *row,
                       const char *key, struct tt_text *text)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_table_column *column = tt_table_column_of(tab->table, key);
    struct tt_table_cell cell = tt_table_cell_of(&tab->sheet, column, row, buffer, sizeof buffer);
    tt_text_bytes(text, cell.text.buffer, cell.text.used);
    return cell.kind == TT_CELL_TEXT;
}

/* Appends the parts of a round: of a single message its own, of sums the longest of each. */
static void write_round(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                        const struct tt_table_row *row, struct tt_text *text)
{
    bool single = tab->table == &tt_table_single_messages;
    tt_text_str(text, single ? "" : "longest");
    write_length(ws, "queue ", tt_table_distribution(tab->table, row, TT_SAMPLES_queue), text);
    write_length(ws, "service ", tt_table_distribution(tab->table, row, TT_SAMPLES_service), text);
    write_length(ws, "return ", tt_table_distribution(tab->table, row, TT_SAMPLES_back), text);
    if (single) {
        tt_text_str(text, "  end: ");
        write_cell(tab, row, "end", text);
        size_t used = text->used;
        tt_text_char(text, ' ');
        text->used = write_cell(tab, row, "error", text) ? text->used : used;
    }
}

/* Draws the longest wait for an object, with its thread and the holder, and the longest hold. */
static void draw_object(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                        const struct tt_table_row *row, struct tt_area area)
{
    const struct tt_capture *c = ws->opened.capture;
    struct tt_table_place wait, hold;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_table_column *of_wait = tt_table_column_of(tab->table, "wait_max");
    const struct tt_table_column *of_hold = tt_table_column_of(tab->table, "hold_max");
    tt_table_row_title(&text, &tab->sheet, row);
    if (tt_table_place_of(&tab->sheet, of_wait, row, &wait)) {
        tt_text_str(&text, ": longest wait ");
        tt_time_label_duration(ws, &text, wait.length);
        if (wait.thread != TT_NO_THREAD) {
            tt_text_str(&text, " of ");
            tt_line_thread(&text, c, wait.thread);
        }
        if (wait.other != TT_NO_THREAD) {
            tt_text_str(&text, ", held by ");
            tt_line_thread(&text, c, wait.other);
        }
    }
    tt_draw_text(area, 1, 0, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    uint64_t most = tt_table_number(tab->table, row, "waiting_max");
    tt_text_str(&text, "at most ");
    tt_text_u64(&text, most);
    tt_text_str(&text, most == 1 ? " thread waits" : " threads wait at once");
    if (tt_table_distribution(tab->table, row, TT_SAMPLES_hold)) {
        tt_table_place_of(&tab->sheet, of_hold, row, &hold);
        tt_text_str(&text, "; longest hold ");
        tt_time_label_duration(ws, &text, hold.length);
        if (hold.thread != TT_NO_THREAD) {
            tt_text_str(&text, " by ");
            tt_line_thread(&text, c, hold.thread);
        }
    }
    tt_draw_text(area, 1, 1, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
}

/* Appends the CPU time of a server for its clients, if it is computed. */
static void write_cpu(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                      const struct tt_table_row *row, struct tt_text *text)
{
    if (tt_table_number(tab->table, row, "imposed") != TT_TABLE_NONE) {
        tt_text_str(text, "imposed ");
        tt_time_label_duration(ws, text, tt_table_number(tab->table, row, "imposed"));
        tt_text_str(text, ", charged ");
        tt_time_label_duration(ws, text, tt_table_number(tab->table, row, "charged"));
        tt_text_str(text, "  ");
    }
}

/* Draws the CPU time of a server process for a client. */
static void draw_cell(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                      const struct tt_table_row *row, struct tt_area area)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_table_row_title(&text, &tab->sheet, row);
    tt_text_str(&text, ": imposed ");
    tt_time_label_duration(ws, &text, tt_table_number(tab->table, row, "imposed"));
    tt_text_str(&text, ", with interrupts ");
    tt_time_label_duration(ws, &text, tt_table_number(tab->table, row, "imposed_gross"));
    tt_draw_text(area, 1, 0, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "charged ");
    tt_time_label_duration(ws, &text, tt_table_number(tab->table, row, "charged"));
    tt_text_str(&text, "; the client itself ");
    tt_time_label_duration(ws, &text, tt_table_number(tab->table, row, "client_self"));
    tt_draw_text(area, 1, 1, area.width - 1, TT_ROLE_STATUS, buffer, text.used);
}

void tt_service_draw_foot(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          struct tt_area area)
{
    struct tt_table_row unpacked;
    const struct tt_table_row *row = tt_summary_table_row(tab, &unpacked);
    struct tt_area last = tt_area_part(area, 0, area.height - 1, area.width, 1);
    int progress = tt_summary_progress_draw(tab, last);
    char buffer[LINE_BYTES];
    if (!row) {
        return;
    }
    if (tab->table == &tt_table_objects) {
        draw_object(ws, tab, row, area);
        return;
    }
    if (tab->table == &tt_table_matrix) {
        draw_cell(ws, tab, row, area);
        return;
    }
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_table_row_title(&text, &tab->sheet, row);
    size_t fits = tt_grid_fitting(&ws->term.grid, buffer, text.used, area.width / 2);
    text.used = fits;
    int columns = tt_grid_columns(&ws->term.grid, buffer, fits);
    tt_draw_text(area, 1, 0, columns, TT_ROLE_STATUS, buffer, fits);
    int x = 1 + (columns > area.width / NAME_PART ? columns : area.width / NAME_PART);
    text = tt_text_of(buffer, sizeof buffer);
    bool has_parts = tt_table_number(tab->table, row, "irq_pct") != TT_TABLE_NONE;
    tt_text_str(&text, has_parts ? "  service" : row->of.kind ? "  not answered" : "");
    tt_service_text(tab->table, row, area.width - x - (int)text.used, &text);
    tt_draw_text(area, x, 0, area.width - x, TT_ROLE_STATUS, buffer, text.used);
    tt_service_draw_bar(ws, tab->table, row, tt_area_part(area, 1, 1, area.width - 2, 1));
    text = tt_text_of(buffer, sizeof buffer);
    if (tab->table == &tt_table_message_pairs) {
        write_cpu(ws, tab, row, &text);
    }
    if (tab->table == &tt_table_servers) {
        write_server(tab, row, &text);
    } else {
        write_round(ws, tab, row, &text);
    }
    tt_draw_text(last, 1, 0, last.width - progress - 3, TT_ROLE_STATUS, buffer, text.used);
}

/* ---- no messages -------------------------------------------------------------------------- */

void tt_service_draw_none(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          struct tt_area area)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    const char *records = ws->opened.capture->format->message_records;
    const char *remedy = tt_missing_remedy(ws->opened.capture, TT_MISSING_MESSAGES), *why = NULL;
    if (tab->table == &tt_table_objects) {
        why = "no wait for a lock or another object is recorded in this range";
    } else if (t && tt_message_rows(t) > 0) {
        why = tab->filters != 0 ? "no message of the shown threads in this range"
                                : "no message in this range";
    } else if (!ws->index.progress.finished) {
        why = "no message so far";
    }
    if (why) {
        tt_draw(area, 1, 0, area.width - 1, TT_ROLE_DIM, why);
        return;
    }
    tt_draw(area, 1, 0, area.width - 1, TT_ROLE_WARNING, "This capture contains no message.");
    int x = 1 + tt_draw(area, 1, 1, area.width - 1, TT_ROLE_TEXT,
                        records ? "Messages come from these records: "
                                : "Its format has no records of messages.");
    tt_draw(area, x, 1, area.width - x, TT_ROLE_TEXT, records ? records : "");
    x = 1 + tt_draw(area, 1, 2, area.width - 1, TT_ROLE_TEXT, remedy ? "To record them: " : "");
    tt_draw(area, x, 2, area.width - x, TT_ROLE_TEXT,
            remedy ? remedy : "Info lists what else is not in the capture.");
}
