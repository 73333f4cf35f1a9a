/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/views/summary/foot.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/missing.h"
#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/messages.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/lanes.h"
#include "tui/model/time_label.h"

#define LINE_BYTES   1024
#define WORK_AT_ONCE 8000u
#define STATES_SHOWN 12
#define THOUSAND     1000u
#define NAME_PART    5 /* the parts of a service begin after this fraction of the line, or the name */
#define PARTS        (TT_CLASS_COUNT + 1)
#define IRQ          TT_CLASS_COUNT /* number of the part of interrupts */

/* ---- texts -------------------------------------------------------------------------------- */

/* Appends a share in percent, its integer part in at least `width` columns; false: it is too large. */
static bool write_share(struct tt_text *text, uint64_t ticks, uint64_t whole, unsigned width)
{
    uint64_t tenths;
    if (!tt_mul_div(ticks, THOUSAND, whole, &tenths)) {
        return false;
    }
    tt_text_u64_width(text, tenths / 10, width, ' ');
    tt_text_put(text, ".%ju %%", tenths % 10);
    return true;
}

static void write_duration(const struct tt_workspace *ws, struct tt_text *text, const char *words,
                           uint64_t ticks)
{
    tt_text_put(text, "%s%s", words, tt_words_duration(ws, ticks).s);
}

/* Appends a thread, if it is known. */
static void write_thread(const struct tt_workspace *ws, struct tt_text *text, const char *words,
                         uint32_t thread)
{
    if (thread != TT_NO_THREAD) {
        tt_text_str(text, words);
        tt_line_thread(text, ws->opened.capture, thread);
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

/* Draws a line of the area and empties the text. */
static void draw_line(struct tt_area area, int y, struct tt_text *text)
{
    tt_draw_text(area, 1, y, area.width - 1, TT_ROLE_STATUS, text->buffer, text->used);
    text->used = 0;
}

/* Returns `end`, or, in a capture that grows, where it ended when the shown rows were counted. */
static uint64_t counted_to(const struct tt_summary_table *tab, uint64_t end)
{
    const uint64_t to = tab->sheet.request.window.to;
    return tab->sheet.timelines && tab->range.keys.to_ticks == UINT64_MAX && to < end ? to : end;
}

/* ---- states of a thread ------------------------------------------------------------------- */

void tt_summary_states_free(struct tt_summary_states *states)
{
    free(states->ticks);
    memset(states, 0, sizeof *states);
}

void tt_summary_states_ask(struct tt_summary_states *states, const struct tt_workspace *ws,
                           const struct tt_summary_table *tab)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    uint32_t thread = row && tab->table == &tt_table_threads ? row->of.thread : TT_NO_THREAD;
    uint64_t from, to;
    tt_summary_range_ends(ws, &tab->range, &from, &to);
    to = counted_to(tab, to);
    if (states->ticks && states->thread == thread && states->from == from && states->to == to) {
        return;
    }
    uint32_t count = ws->opened.capture->format->state_count;
    if (states->count != count || !states->ticks) {
        free(states->ticks);
        states->ticks = malloc((size_t)count * sizeof *states->ticks + 1);
        states->count = states->ticks ? count : 0;
    }
    if (states->count > 0) {
        memset(states->ticks, 0, states->count * sizeof *states->ticks);
    }
    states->thread = thread;
    states->from = states->reached = from;
    states->to = to;
    states->complete = thread == TT_NO_THREAD || states->count == 0;
}

bool tt_summary_states_work(struct tt_summary_states *states, const struct tt_workspace *ws,
                            uint64_t budget_ns)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint64_t until = tt_now_ns() + budget_ns;
    while (timelines && !states->complete && budget_ns > 0) {
        uint64_t work = WORK_AT_ONCE;
        tt_thread_states_part(timelines, states->thread, states->to, &states->reached, &work,
                              states->ticks, states->count);
        states->complete = states->reached >= states->to;
        if (tt_now_ns() >= until) {
            break;
        }
    }
    return !timelines || states->complete;
}

/* Returns whether time without a state is time off the CPU, of which the format has no reason. */
static bool unknown_is_off(const struct tt_capture *capture)
{
    return tt_format_has(capture->format, TT_FORMAT_UNKNOWN_IS_OFF);
}

static const char *class_name_of(const struct tt_capture *capture, unsigned class_)
{
    return class_ == TT_CLASS_UNKNOWN && unknown_is_off(capture) ? "not recorded"
                                                                 : tt_class_name((uint8_t)class_);
}

/* The largest shares of a row, in descending order. */
struct shares {
    struct {
        const char *name;
        uint64_t ticks;
    } largest[STATES_SHOWN];
    unsigned count;
};

static void add_share(struct shares *shares, const char *name, uint64_t ticks)
{
    unsigned at = shares->count;
    while (at > 0 && shares->largest[at - 1].ticks < ticks) {
        at--;
    }
    if (ticks == 0 || at >= STATES_SHOWN) {
        return;
    }
    shares->count += shares->count < STATES_SHOWN;
    for (unsigned i = shares->count - 1; i > at; i--) {
        shares->largest[i] = shares->largest[i - 1];
    }
    shares->largest[at].name = name;
    shares->largest[at].ticks = ticks;
}

/* Appends the shares of the row's states, or of its classes. */
static void write_shares(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         const struct tt_summary_states *states, const struct tt_table_row *row,
                         struct tt_text *text)
{
    static const struct {
        const char *name, *key;
    } of_cpu[] = {{"busy", "busy"},
                  {"idle", "idle"},
                  {"interrupts", "irq"},
                  {"kernel", "kernel"},
                  {"unknown", "unknown"}};
    const struct tt_capture *capture = ws->opened.capture;
    const bool of_threads = tab->table == &tt_table_threads;
    struct shares shares = {.count = 0};
    if (tab->table == &tt_table_cpus) {
        for (size_t i = 0; i < sizeof of_cpu / sizeof *of_cpu; i++) {
            add_share(&shares, of_cpu[i].name, tt_table_number(tab->table, row, of_cpu[i].key));
        }
    } else if (of_threads && states->complete && states->thread == row->of.thread) {
        for (uint32_t i = 0; i < states->count; i++) {
            const struct tt_state_info *state = &capture->format->states[i];
            const bool off = state->class_ == TT_CLASS_UNKNOWN && unknown_is_off(capture);
            add_share(&shares, off ? "not recorded" : state->name, states->ticks[i]);
        }
    } else if (of_threads || tab->table == &tt_table_processes) {
        for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
            add_share(&shares, class_name_of(capture, i), tt_table_classes(tab->table, row)[i]);
        }
    }
    for (unsigned i = 0; i < shares.count; i++) {
        tt_text_put(text, "%s%s ", i == 0 ? ": " : "  ", shares.largest[i].name);
        write_share(text, shares.largest[i].ticks, tab->sheet.window, 1);
    }
}

void tt_summary_states_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                            const struct tt_summary_states *states, struct tt_area line)
{
    const struct tt_table *table = tab->table;
    const bool irqs = table == &tt_table_interrupts, pairs = table == &tt_table_pairs;
    const bool inversions = table == &tt_table_inversions;
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!row) {
        return;
    }
    /* The states matter most: a long name leaves room for them. */
    tt_table_row_title(&text, &tab->sheet, row);
    text.used = tt_grid_fitting(&ws->term.grid, buffer, text.used,
                                pairs || inversions ? line.width : line.width / 2);
    if (table == &tt_table_blame || inversions) {
        write_duration(ws, &text, " ", tt_table_number(table, row, inversions ? "dur" : "total"));
    }
    write_shares(ws, tab, states, row, &text);
    if (pairs || irqs || table == &tt_table_event_names) {
        tt_text_put(&text, ": %'ju%s", tt_table_number(table, row, "count"),
                    pairs  ? " switches"
                    : irqs ? " interrupts"
                           : " events");
    }
    const struct tt_table_column *longest = tt_table_longest(&tab->sheet, &table->columns[0], row);
    const struct tt_distribution *distribution =
        longest ? tt_table_distribution(table, row, longest->samples) : NULL;
    if (distribution && table != &tt_table_cpus && !pairs) {
        const char *words = longest->samples == TT_SAMPLES_duration   ? "  longest "
                            : longest->samples == TT_SAMPLES_period   ? "  longest period "
                            : longest->samples == TT_SAMPLES_response ? "  response max "
                                                                      : "  sch delay max ";
        write_duration(ws, &text, words, distribution->max);
    }
    if (irqs && tt_table_number(table, row, "wakes") != TT_TABLE_NONE) {
        const size_t used = text.used;
        tt_text_str(&text, "  woke ");
        if (!write_cell(tab, row, "woken", &text)) {
            text.used = used;
            tt_text_str(&text, "  woke no thread");
        }
    }
    draw_line(line, 0, &text);
}

/* ---- total -------------------------------------------------------------------------------- */

void tt_summary_total_ask(struct tt_summary_total *total, const struct tt_workspace *ws,
                          const struct tt_summary_table *tab)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (!timelines) {
        return;
    }
    const struct tt_summary_total asked = {.number = tt_timelines_number(timelines),
                                           .cpus = tt_cpu_count(timelines),
                                           .limit = counted_to(tab, tt_timelines_limit(timelines)),
                                           .rows = ws->index.rows,
                                           .from = tab->range.keys.from_ticks,
                                           .to = tab->range.keys.to_ticks};
    if (total->number != asked.number || total->limit != asked.limit || total->cpus != asked.cpus ||
        total->rows != asked.rows || total->from != asked.from || total->to != asked.to) {
        *total = asked;
    }
}

static bool is_summed(const struct tt_summary_total *total)
{
    return total->summed >= total->cpus || total->summed >= TT_NO_CPU;
}

bool tt_summary_total_work(struct tt_summary_total *total, const struct tt_workspace *ws,
                           uint64_t deadline)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (!timelines || total->number != tt_timelines_number(timelines)) {
        return true; /* the next frame requests others */
    }
    /* Without time nothing is added: a frame that is complete would have to be drawn again. */
    while (!is_summed(total) && tt_now_ns() < deadline) {
        struct tt_cpu_sums c;
        uint64_t to = total->to == UINT64_MAX ? total->limit : total->to;
        tt_cpu_sum(timelines, (uint16_t)total->summed++, total->from, to, &c);
        total->busy += c.busy;
        total->switches += c.switches;
    }
    return is_summed(total);
}

/* Draws what is missing or still pending at the right end of a line; returns its width. */
static int draw_progress(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                         struct tt_area line)
{
    char buffer[96];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    unsigned role = TT_ROLE_PROGRESS;
    if (tab->failed) {
        role = TT_ROLE_ERROR;
        tt_text_str(&text, "out of memory");
    } else if (!tab->sheet.complete) {
        tt_text_put(&text, "%s%u%s", tab->stopped ? "stopped at " : "counting ",
                    tt_table_percent(&tab->sheet),
                    tab->stopped ? " %, R resumes" : " %, Esc stops");
    } else if (tab->as_of != ws->index.progress.last_ticks) {
        tt_text_str(&text, "as of ");
        tt_summary_moment(ws, tab->as_of, 1, &text);
        tt_text_str(&text, ws->opened.capture->clock_hz ? " s" : " ticks");
    } else if (tab->sheet.left_out > 0) {
        role = TT_ROLE_WARNING;
        tt_text_put(&text, "%s%'ju of %'ju",
                    tab->table == &tt_table_single_messages ? "the longest " : "the most frequent ",
                    tab->sheet.count, tab->sheet.count + tab->sheet.left_out);
    }
    tt_draw_text(line, line.width - (int)text.used - 1, 0, (int)text.used, role, buffer, text.used);
    return (int)text.used;
}

void tt_summary_total_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           const struct tt_summary_total *total, struct tt_area line)
{
    const uint64_t hz = ws->opened.capture->clock_hz, window = tab->sheet.window;
    const int progress = draw_progress(ws, tab, line);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, tab->filters != 0 ? "all threads  " : "total  ");
    if (tt_trace_timelines(ws->opened.trace) && is_summed(total)) {
        uint64_t rate;
        tt_text_put(&text, "%'ju switches", total->switches);
        if (hz > 0 && tt_mul_div(total->switches, hz, window, &rate)) {
            tt_text_str(&text, "  ");
            tt_units_count(&text, rate);
            tt_text_str(&text, "/s");
        }
        const size_t used = text.used;
        tt_text_str(&text, "  busy ");
        if (total->cpus > 0 && write_share(&text, total->busy / total->cpus, window, 1)) {
            tt_text_put(&text, " of %u%s", total->cpus, total->cpus == 1 ? " CPU" : " CPUs");
        } else {
            text.used = used;
        }
    }
    int used =
        tt_draw_text(line, 1, 0, line.width - progress - 3, TT_ROLE_STATUS, buffer, text.used);
    /* The base of the percentages in the shown columns: "% of one CPU". */
    text.used = 0;
    for (unsigned i = 0; i < tab->columns.count && text.used == 0; i++) {
        const struct tt_summary_column *column = &tab->columns.v[i];
        if (column->width > 0 && column->stat->unit == TT_UNIT_SHARE) {
            tt_summary_column_title(column, &text);
            tt_text_str(&text, tab->table == &tt_table_blame ? " of the range" : " of one CPU");
        }
    }
    const int width = (int)text.used, end = line.width - 1 - (progress > 0 ? progress + 2 : 0);
    if (used + 4 + width + progress < line.width) {
        tt_draw_text(line, end - width, 0, width, TT_ROLE_DIM, buffer, text.used);
    }
}

/* ---- parts of a service ------------------------------------------------------------------- */

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

static struct times summary_foot_times_of(const struct tt_table *table,
                                          const struct tt_table_row *row)
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

void tt_service_draw_bar(const struct tt_workspace *ws, const struct tt_table *table,
                         const struct tt_table_row *row, struct tt_area line)
{
    struct times times = summary_foot_times_of(table, row);
    int columns[PARTS], x = 0;
    if (times.known == 0 || line.width <= 0) {
        return;
    }

    /*
     * Divides the columns among the parts; a part that is not 0 has at least one column if there
     * are as many, taken from the widest.
     */
    int width = line.width;
    uint64_t before = 0, edge = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        uint64_t to = edge;
        before += times.part[order[i]];
        if (!tt_mul_div(before, (uint64_t)width, times.known, &to) || to > (uint64_t)width) {
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
        if (columns[i] == 0 && times.part[order[i]] > 0 && columns[widest] > 1) {
            columns[i]++;
            columns[widest]--;
        }
    }

    for (unsigned i = 0; i < PARTS; i++) {
        for (int k = 0; k < columns[i] && x < line.width; k++, x++) {
            if (order[i] == IRQ) {
                tt_draw_fill(line, x, 0, 1, TT_ROLE_CPU_IRQ,
                             tt_term_glyph(&ws->term, TT_GLYPH_IRQ));
            } else {
                const bool off = order[i] == TT_CLASS_UNKNOWN && unknown_is_off(ws->opened.capture);
                tt_lanes_draw_cell(
                    ws, line, x, 0,
                    (struct tt_lane_cell){.class_ = off ? (uint8_t)TT_LANE_OFF : order[i]});
            }
        }
    }
}

/*
 * Appends the parts: "  running 31.0 %  ready  4.1 %  lock 64.9 %  interrupts  0.2 %". The order does
 * not depend on the row, so that a part keeps its place while the cursor moves; only if the states need
 * more than `columns`, those that a service waits in come first.
 */
static void write_parts(const struct tt_table_run *run, const struct tt_table_row *row, int columns,
                        struct tt_text *text)
{
    const struct tt_table *table = run->table;
    const struct times times = summary_foot_times_of(table, row);
    const size_t start = text->used, fits = start + (size_t)(columns > 0 ? columns : 0);
    for (int turn = 0; times.known > 0 && turn < 2; turn++) {
        size_t states = start;
        text->used = start;
        for (unsigned i = 0; i <= PARTS; i++) {
            const unsigned part = i == PARTS ? IRQ : order[turn > 0 ? PARTS - 1 - i : i];
            if (times.part[part] > 0 && (part != IRQ || i == PARTS)) {
                const size_t used = text->used;
                tt_text_put(text, "  %s ",
                            part == IRQ ? "interrupts" : class_name_of(run->capture, part));
                text->used =
                    write_share(text, times.part[part], times.known, 2) ? text->used : used;
            }
            states = i < PARTS ? text->used : states;
        }
        if (states <= fits) {
            return;
        }
    }
}

/* ---- messages ----------------------------------------------------------------------------- */

/* Appends the load of a server. */
static void write_server(const struct tt_summary_table *tab, const struct tt_table_row *row,
                         struct tt_text *text)
{
    const size_t start = text->used;
    uint64_t mean; /* in thousandths */
    tt_text_str(text, "utilization ");
    if (!write_share(text, tt_table_number(tab->table, row, "busy"), tab->sheet.window, 1)) {
        text->used = start;
    }
    if (tt_mul_div(tt_table_number(tab->table, row, "waiting_mean"), 1000, tab->sheet.window,
                   &mean)) {
        tt_text_put(text, "  queue mean %ju.", mean / 1000);
        tt_text_u64_width(text, mean % 1000 / 10, 2, '0');
        tt_text_put(text, ", deepest %ju", tt_table_number(tab->table, row, "waiting_max"));
    }
    tt_text_put(text, "  threads busy at once %ju",
                tt_table_number(tab->table, row, "serving_max"));
}

/* Appends the parts of a round: of a single message its own, of sums the longest of each. */
static void write_round(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                        const struct tt_table_row *row, struct tt_text *text)
{
    static const struct {
        enum tt_samples_of samples;
        const char *words;
    } parts[] = {{TT_SAMPLES_queue, "  queue "},
                 {TT_SAMPLES_service, "  service "},
                 {TT_SAMPLES_back, "  return "}};
    const bool single = tab->table == &tt_table_single_messages;
    const size_t start = text->used;
    bool any = single;
    tt_text_str(text, single ? "" : "longest");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct tt_distribution *distribution =
            tt_table_distribution(tab->table, row, parts[i].samples);
        if (distribution) {
            write_duration(ws, text, parts[i].words + (text->used > 0 ? 0 : 2), distribution->max);
            any = true;
        }
    }
    text->used = any ? text->used : start;
    if (single) {
        tt_text_str(text, "  end: ");
        write_cell(tab, row, "end", text);
        const size_t used = text->used;
        tt_text_char(text, ' ');
        text->used = write_cell(tab, row, "error", text) ? text->used : used;
    }
}

/* Draws the longest wait for an object, with its thread and the holder, and the longest hold. */
static void draw_object(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                        const struct tt_table_row *row, struct tt_area area)
{
    const struct tt_table *table = tab->table;
    const uint64_t most = tt_table_number(table, row, "waiting_max");
    struct tt_table_place wait, hold;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_table_row_title(&text, &tab->sheet, row);
    if (tt_table_place_of(&tab->sheet, tt_table_column_of(table, "wait_max"), row, &wait)) {
        write_duration(ws, &text, ": longest wait ", wait.length);
        write_thread(ws, &text, " of ", wait.thread);
        write_thread(ws, &text, ", held by ", wait.other);
    }
    draw_line(area, 0, &text);
    tt_text_put(&text, "at most %ju%s", most,
                most == 1 ? " thread waits" : " threads wait at once");
    if (tt_table_distribution(table, row, TT_SAMPLES_hold)) {
        tt_table_place_of(&tab->sheet, tt_table_column_of(table, "hold_max"), row, &hold);
        write_duration(ws, &text, "; longest hold ", hold.length);
        write_thread(ws, &text, " by ", hold.thread);
    }
    draw_line(area, 1, &text);
}

/* Draws the CPU time of a server process for a client. */
static void draw_client(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                        const struct tt_table_row *row, struct tt_area area)
{
    const struct tt_table *table = tab->table;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_table_row_title(&text, &tab->sheet, row);
    write_duration(ws, &text, ": imposed ", tt_table_number(table, row, "imposed"));
    write_duration(ws, &text, ", with interrupts ", tt_table_number(table, row, "imposed_gross"));
    draw_line(area, 0, &text);
    write_duration(ws, &text, "charged ", tt_table_number(table, row, "charged"));
    write_duration(ws, &text, "; the client itself ", tt_table_number(table, row, "client_self"));
    draw_line(area, 1, &text);
}

void tt_messages_foot_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           struct tt_area area)
{
    const struct tt_table *table = tab->table;
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    struct tt_area last = tt_area_part(area, 0, area.height - 1, area.width, 1);
    const int progress = draw_progress(ws, tab, last);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!row) {
        return;
    }
    if (table == &tt_table_objects) {
        draw_object(ws, tab, row, area);
        return;
    }
    if (table == &tt_table_matrix) {
        draw_client(ws, tab, row, area);
        return;
    }
    tt_table_row_title(&text, &tab->sheet, row);
    text.used = tt_grid_fitting(&ws->term.grid, buffer, text.used, area.width / 2);
    int columns = tt_grid_columns(&ws->term.grid, buffer, text.used);
    int x = 1 + (columns > area.width / NAME_PART ? columns : area.width / NAME_PART);
    tt_draw_text(area, 1, 0, columns, TT_ROLE_STATUS, buffer, text.used);
    const bool has_parts = tt_table_number(table, row, "irq_pct") != TT_TABLE_NONE;
    text.used = 0;
    tt_text_str(&text, has_parts ? "  service" : row->of.kind ? "  posts have no answer" : "");
    write_parts(&tab->sheet, row, area.width - x - (int)text.used, &text);
    tt_draw_text(area, x, 0, area.width - x, TT_ROLE_STATUS, buffer, text.used);
    tt_service_draw_bar(ws, table, row, tt_area_part(area, 1, 1, area.width - 2, 1));
    text.used = 0;
    if (table == &tt_table_servers) {
        write_server(tab, row, &text);
    } else {
        const uint64_t imposed = table == &tt_table_message_pairs
                                     ? tt_table_number(table, row, "imposed")
                                     : TT_TABLE_NONE;
        if (imposed != TT_TABLE_NONE) { /* the CPU time of the server for its client is known */
            write_duration(ws, &text, "imposed ", imposed);
            write_duration(ws, &text, ", charged ", tt_table_number(table, row, "charged"));
            tt_text_str(&text, "  ");
        }
        write_round(ws, tab, row, &text);
    }
    tt_draw_text(last, 1, 0, last.width - progress - 3, TT_ROLE_STATUS, buffer, text.used);
}

void tt_messages_none_draw(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                           struct tt_area area)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const char *records = ws->opened.capture->format->tool.message_records;
    const char *remedy = tt_missing_remedy(ws->opened.capture, TT_MISSING_MESSAGES), *why = NULL;
    if (tab->table == &tt_table_objects) {
        why = "no wait for a lock or another object is recorded in this range";
    } else if (timelines && tt_message_rows(timelines) > 0) {
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
