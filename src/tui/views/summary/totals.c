/* SPDX-License-Identifier: Apache-2.0 */
/* summary/totals: the totals of the table, and the states of the row under the cursor. */
#include "tui/views/summary/totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/model/workspace.h"

#define LINE_BYTES   1024
#define WORK_AT_ONCE 8000u
#define STATES_SHOWN 12
#define THOUSAND     1000u

/* ---- states ------------------------------------------------------------------------------- */

void tt_summary_states_free(struct tt_summary_states *s)
{
    free(s->ticks);
    memset(s, 0, sizeof *s);
}

void tt_summary_states_ask(struct tt_summary_states *s, const struct tt_workspace *ws,
                           const struct tt_summary_table *tab)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    uint32_t thread = row && tab->table == &tt_table_threads ? row->of.thread : TT_NO_THREAD;
    uint64_t from, to;
    tt_summary_range_ends(ws, &tab->range, &from, &to);
    if (s->ticks && s->thread == thread && s->from == from && s->to == to) {
        return;
    }
    uint32_t count = ws->opened.capture->format->state_count;
    if (s->count != count || !s->ticks) {
        free(s->ticks);
        s->ticks = malloc((size_t)count * sizeof *s->ticks + 1);
        s->count = s->ticks ? count : 0;
    }
    if (s->count > 0) {
        memset(s->ticks, 0, s->count * sizeof *s->ticks);
    }
    s->thread = thread;
    s->from = s->reached = from;
    s->to = to;
    s->complete = thread == TT_NO_THREAD || s->count == 0;
}

bool tt_summary_states_work(struct tt_summary_states *s, const struct tt_workspace *ws,
                            uint64_t budget_ns)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint64_t until = tt_now_ns() + budget_ns;
    while (t && !s->complete && budget_ns > 0) {
        uint64_t work = WORK_AT_ONCE;
        tt_thread_states_part(t, s->thread, s->to, &s->reached, &work, s->ticks, s->count);
        s->complete = s->reached >= s->to;
        if (tt_now_ns() >= until) {
            break;
        }
    }
    return !t || s->complete;
}

/* ---- texts -------------------------------------------------------------------------------- */

bool tt_summary_share(struct tt_text *text, uint64_t ticks, uint64_t whole, unsigned width)
{
    uint64_t tenths;
    if (!tt_mul_div(ticks, THOUSAND, whole, &tenths)) {
        return false;
    }
    tt_text_u64_width(text, tenths / 10, width, ' ');
    tt_text_char(text, '.');
    tt_text_u64(text, tenths % 10);
    tt_text_str(text, " %");
    return true;
}

struct share {
    const char *name;
    uint64_t ticks;
};

/* Inserts a share into the list of the largest, which is in descending order. */
static void keep_share(struct share *shares, unsigned *count, const char *name, uint64_t ticks)
{
    unsigned at = *count;
    if (ticks == 0) {
        return;
    }
    while (at > 0 && shares[at - 1].ticks < ticks) {
        at--;
    }
    if (at >= STATES_SHOWN) {
        return;
    }
    *count += *count < STATES_SHOWN;
    for (unsigned i = *count - 1; i > at; i--) {
        shares[i] = shares[i - 1];
    }
    shares[at] = (struct share){name, ticks};
}

static unsigned shares_of(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_summary_states *states, const struct tt_table_row *row,
                          struct share *shares)
{
    unsigned count = 0;
    const struct tt_format *format = ws->opened.capture->format;
    if (tab->table == &tt_table_cpus) {
        keep_share(shares, &count, "busy", tt_table_number(tab->table, row, "busy"));
        keep_share(shares, &count, "idle", tt_table_number(tab->table, row, "idle"));
        keep_share(shares, &count, "interrupts", tt_table_number(tab->table, row, "irq"));
        keep_share(shares, &count, "kernel", tt_table_number(tab->table, row, "kernel"));
        keep_share(shares, &count, "unknown", tt_table_number(tab->table, row, "unknown"));
    } else if (tab->table == &tt_table_threads && states->complete &&
               states->thread == row->of.thread) {
        for (uint32_t i = 0; i < states->count; i++) {
            keep_share(shares, &count, format->states[i].name, states->ticks[i]);
        }
    } else if (tab->table == &tt_table_threads || tab->table == &tt_table_processes) {
        for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
            keep_share(shares, &count, tt_class_name(i), tt_table_classes(tab->table, row)[i]);
        }
    }
    return count;
}

/* Appends the length of the row's maximum. */
static void write_maximum(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_table_row *row, struct tt_text *text)
{
    const struct tt_table_column *name = &tab->table->columns[0];
    const struct tt_table_column *longest = tt_table_longest(&tab->sheet, name, row);
    const struct tt_distribution *d =
        longest ? tt_table_distribution(tab->table, row, longest->samples) : NULL;
    if (d) {
        tt_text_str(text, longest->samples == TT_SAMPLES_duration   ? "  longest "
                          : longest->samples == TT_SAMPLES_period   ? "  longest period "
                          : longest->samples == TT_SAMPLES_response ? "  response max "
                                                                    : "  sch delay max ");
        tt_time_label_duration(ws, text, d->max);
    }
}

void tt_summary_line_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_summary_states *states, struct tt_area line)
{
    struct tt_table_row unpacked;
    const struct tt_table_row *row = tt_summary_table_row(tab, &unpacked);
    char buffer[LINE_BYTES], piece[LINE_BYTES];
    if (!row) {
        return;
    }
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_text name = tt_text_of(piece, sizeof piece);
    tt_table_row_title(&name, &tab->sheet, row);
    /* The states matter most: a long name leaves room for them. */
    bool names = tab->table == &tt_table_pairs || tab->table == &tt_table_inversions;
    bool irqs = tab->table == &tt_table_interrupts;
    int room = names ? line.width : line.width / 2;
    size_t fits = tt_grid_fitting(&ws->term.grid, piece, name.used, room);
    tt_text_bytes(&text, piece, fits);
    struct share shares[STATES_SHOWN + 1];
    unsigned count = shares_of(ws, tab, states, row, shares);
    bool more =
        count > 0 || tab->table == &tt_table_pairs || tab->table == &tt_table_event_names || irqs;
    tt_text_str(&text, more ? ":" : "");
    if (tab->table == &tt_table_blame || tab->table == &tt_table_inversions) {
        tt_text_char(&text, ' ');
        bool blames = tab->table == &tt_table_blame;
        tt_time_label_duration(ws, &text,
                               tt_table_number(tab->table, row, blames ? "total" : "dur"));
    }
    for (unsigned i = 0; i < count; i++) {
        tt_text_str(&text, i == 0 ? " " : "  ");
        tt_text_str(&text, shares[i].name);
        tt_text_char(&text, ' ');
        tt_summary_share(&text, shares[i].ticks, tab->sheet.window, 1);
    }
    if (tab->table == &tt_table_pairs) {
        tt_text_char(&text, ' ');
        tt_text_grouped(&text, tt_table_number(tab->table, row, "count"));
        tt_text_str(&text, " switches");
    }
    if (tab->table == &tt_table_event_names || irqs) {
        tt_text_char(&text, ' ');
        tt_text_grouped(&text, tt_table_number(tab->table, row, "count"));
        tt_text_str(&text, irqs ? " interrupts" : " events");
    }
    if (tab->table != &tt_table_cpus && tab->table != &tt_table_pairs) {
        write_maximum(ws, tab, row, &text);
    }
    if (irqs && tt_table_number(tab->table, row, "wakes") != TT_TABLE_NONE) {
        const struct tt_table_column *woken = tt_table_column_of(tab->table, "woken");
        struct tt_table_cell cell = tt_table_cell_of(&tab->sheet, woken, row, piece, sizeof piece);
        tt_text_str(&text, cell.kind == TT_CELL_TEXT ? "  woke " : "  woke no thread");
        tt_text_bytes(&text, cell.text.buffer, cell.text.used);
    }
    tt_draw_text(line, 1, 0, line.width - 1, TT_ROLE_STATUS, buffer, text.used);
}

/* ---- total -------------------------------------------------------------------------------- */

/* Appends a rate per second, "61.0 k/s", if the capture has a clock. */
static void write_rate(const struct tt_workspace *ws, uint64_t count, uint64_t window,
                       struct tt_text *text)
{
    uint64_t hz = ws->opened.capture->clock_hz, rate;
    if (hz == 0 || !tt_mul_div(count, hz, window, &rate)) {
        return;
    }
    tt_text_str(text, "  ");
    tt_units_count(text, rate);
    tt_text_str(text, "/s");
}

void tt_summary_total_ask(struct tt_summary_total *total, const struct tt_workspace *ws,
                          const struct tt_summary_table *tab)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint64_t from = tab->range.keys.from_ticks, to = tab->range.keys.to_ticks;
    if (!t) {
        return;
    }
    uint64_t limit = tt_timelines_limit(t);
    uint32_t cpus = tt_cpu_count(t), number = tt_timelines_number(t);
    if (total->number == number && total->limit == limit && total->cpus == cpus &&
        total->rows == ws->index.rows && total->from == from && total->to == to) {
        return;
    }
    *total = (struct tt_summary_total){.number = number,
                                       .cpus = cpus,
                                       .limit = limit,
                                       .rows = ws->index.rows,
                                       .from = from,
                                       .to = to};
}

static bool is_summed(const struct tt_summary_total *total)
{
    return total->summed >= total->cpus || total->summed >= TT_NO_CPU;
}

bool tt_summary_total_work(struct tt_summary_total *total, const struct tt_workspace *ws,
                           uint64_t deadline)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    if (!t || total->number != tt_timelines_number(t)) {
        return true; /* the next frame requests others */
    }
    /* Without time nothing is added: a frame that is complete would have to be drawn again. */
    while (!is_summed(total) && tt_now_ns() < deadline) {
        struct tt_cpu_sums c;
        uint64_t to = total->to == UINT64_MAX ? total->limit : total->to;
        tt_cpu_sum(t, (uint16_t)total->summed++, total->from, to, &c);
        total->busy += c.busy;
        total->switches += c.switches;
    }
    return is_summed(total);
}

static void write_totals(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         const struct tt_summary_total *total, struct tt_text *text)
{
    uint32_t cpus = total->cpus;
    tt_text_grouped(text, total->switches);
    tt_text_str(text, " switches");
    write_rate(ws, total->switches, tab->sheet.window, text);
    size_t used = text->used;
    tt_text_str(text, "  busy ");
    if (cpus == 0 || !tt_summary_share(text, total->busy / cpus, tab->sheet.window, 1)) {
        text->used = used;
        return;
    }
    tt_text_str(text, " of ");
    tt_text_u64(text, cpus);
    tt_text_str(text, cpus == 1 ? " CPU" : " CPUs");
}

/* Draws what is missing or still pending; returns its width. */
int tt_summary_progress_draw(const struct tt_summary_table *tab, struct tt_area line)
{
    char buffer[96];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    unsigned role = TT_ROLE_PROGRESS;
    if (tab->failed) {
        role = TT_ROLE_ERROR;
        tt_text_str(&text, "out of memory");
    } else if (!tab->sheet.complete) {
        tt_text_str(&text, tab->stopped ? "stopped at " : "counting ");
        tt_text_u64(&text, tt_table_percent(&tab->sheet));
        tt_text_str(&text, tab->stopped ? " %, R resumes" : " %, Esc stops");
    } else if (tab->sheet.left_out > 0) {
        role = TT_ROLE_WARNING;
        tt_text_str(&text, tab->table == &tt_table_single_messages ? "the longest "
                                                                   : "the most frequent ");
        tt_text_grouped(&text, tab->sheet.count);
        tt_text_str(&text, " of ");
        tt_text_grouped(&text, tab->sheet.count + tab->sheet.left_out);
    }
    tt_draw_text(line, line.width - (int)text.used - 1, 0, (int)text.used, role, buffer, text.used);
    return (int)text.used;
}

/* Appends the base of the percentages in the shown columns: "% of one CPU". */
static void write_base(const struct tt_summary_table *tab, struct tt_text *text)
{
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *c = &tab->columns.v[i];
        if (c->width > 0 && c->stat->unit == TT_UNIT_SHARE) {
            tt_summary_column_title(c, text);
            tt_text_str(text, tab->table == &tt_table_blame ? " of the range" : " of one CPU");
            return;
        }
    }
}

void tt_summary_total_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           const struct tt_summary_total *total, struct tt_area line)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    int progress = tt_summary_progress_draw(tab, line);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, tab->filters != 0 ? "all threads  " : "total  ");
    if (t && is_summed(total)) {
        write_totals(ws, tab, total, &text);
    }
    int used =
        1 + tt_draw_text(line, 1, 0, line.width - progress - 3, TT_ROLE_STATUS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    write_base(tab, &text);
    int width = (int)text.used;
    if (used + 2 + width + 1 + progress < line.width) {
        tt_draw_text(line, line.width - 1 - width - (progress > 0 ? progress + 2 : 0), 0, width,
                     TT_ROLE_DIM, buffer, text.used);
    }
}
