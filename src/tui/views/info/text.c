/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/text: formats a line of the Info view when it is drawn.
 */
#include <string.h>

#include "analysis/missing.h"
#include "tracetui/format.h"
#include "tui/views/info/view.h"

#define LABEL_WIDTH  26 /* of a pair; LABEL_NARROW on a screen below LABEL_FROM columns */
#define LABEL_NARROW 16
#define LABEL_FROM   72
#define LINE_BYTES   1024
#define COUNT_END    46 /* last column of the counts, if the screen is wide enough */

static void write_time_span(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_progress *progress = &ws->index.progress;
    if (progress->events == 0) {
        tt_text_str(text, "no events");
        return;
    }
    enum tt_times times = ws->nav.times;
    tt_text_put(text, "%s .. %s", tt_words_moment(ws, progress->first_ticks).s,
                tt_words_moment(ws, progress->last_ticks).s);
    if (ws->opened.capture->clock_hz && times != TT_TIMES_TICKS) {
        bool dated = times == TT_TIMES_ABSOLUTE && ws->opened.capture->has_wall_clock;
        tt_text_str(text, dated ? " " : " s");
        if (dated) {
            tt_time_label_zone(ws, text);
        }
    } else {
        tt_text_str(text, " ticks");
    }
    tt_text_put(text, ", %s",
                tt_words_duration(ws, progress->last_ticks - progress->first_ticks).s);
}

static void write_events(const struct tt_progress *progress, struct tt_text *text)
{
    tt_text_put(text, "%'ju in %'ju records", progress->events, progress->records);
    if (progress->derived > 0) {
        tt_text_put(text, ", and %'ju derived", progress->derived);
    }
}

static void write_health(const struct tt_capture *capture, struct tt_text *text)
{
    uint64_t all = 0, damage = 0;
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(capture, (enum tt_health_kind)kind);
        all += count;
        damage += tt_health_is_damage(kind) ? count : 0;
    }
    if (all == 0) {
        tt_text_str(text, "no problems found");
        return;
    }
    tt_text_put(text, "%'ju%s", all, all == 1 ? " problem" : " problems");
    if (damage > 0) {
        tt_text_put(text, ", %'ju damage", damage);
    }
    tt_text_str(text, ": Enter shows them");
}

static void write_index(const struct tt_workspace *ws, struct tt_text *text)
{
    static const char *const texts[TT_CACHE_STATES] = {
#define X(id, key, text) text,
        TT_CACHE_INFO(X)
#undef X
    };
    tt_text_put(text, "%'ju bytes of memory, %u%s", tt_trace_memory(ws->opened.trace),
                ws->index.progress.runs, ws->index.progress.runs == 1 ? " run" : " runs");
    struct tt_status why;
    enum tt_cache_state state = tt_trace_cache(ws->opened.trace, &why);
    if (texts[state][0]) {
        tt_text_put(text, ", %s", texts[state]);
    }
    if (tt_failed(&why)) {
        tt_text_put(text, ": %s", why.text);
    }
}

static void write_threads(const struct tt_registry_totals *totals, struct tt_text *text)
{
    tt_text_put(text, "%'u in %'u%s", totals->threads, totals->processes,
                totals->processes == 1 ? " process" : " processes");
    if (totals->idle > 0) {
        tt_text_put(text, ", and %'u%s", totals->idle,
                    totals->idle == 1 ? " idle thread" : " idle threads");
    }
}

static void write_summary(const struct tt_workspace *ws, const struct tt_info_view *view,
                          struct tt_text *text, enum tt_info_summary number)
{
    const struct tt_capture *capture = ws->opened.capture;
    const char *path = tt_trace_path(ws->opened.trace);
    switch (number) {
    case TT_INFO_FILE:
        tt_text_escaped(text, path, strlen(path));
        tt_text_put(text, ", %'ju bytes",
                    ws->index.following.live.follows ? ws->index.following.live.bytes
                                                     : ws->index.progress.bytes_total);
        break;
    case TT_INFO_FORMAT:
        tt_text_str(text, capture->format->title);
        if (capture->version[0]) {
            tt_text_str(text, ", ");
            tt_text_escaped(text, capture->version, strlen(capture->version));
        }
        break;
    case TT_INFO_EVENTS:
        write_events(&ws->index.progress, text);
        break;
    case TT_INFO_TIME:
        write_time_span(ws, text);
        break;
    case TT_INFO_CLOCK:
        if (capture->clock_hz) {
            tt_text_put(text, "%'ju Hz", capture->clock_hz);
        } else {
            tt_text_str(text, "none: times are ticks (--clock HZ gives one)");
        }
        break;
    case TT_INFO_WALL:
        tt_time_label_date(ws, text, ws->index.progress.first_ticks);
        break;
    case TT_INFO_CPUS:
        tt_text_u64(text, capture->cpu_count);
        break;
    case TT_INFO_THREADS:
        write_threads(&view->totals, text);
        break;
    case TT_INFO_MEMORY:
        write_index(ws, text);
        break;
    case TT_INFO_HEALTH:
        write_health(capture, text);
        break;
    case TT_INFO_COUNT:
        break;
    }
}

static void draw_pair(struct tt_area line, const char *label, struct tt_text *text, unsigned role)
{
    char buffer[128];
    struct tt_text name = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&name, label, strlen(label));
    int width = line.width < LABEL_FROM ? LABEL_NARROW : LABEL_WIDTH;
    tt_draw_text(line, 3, 0, width - 1, TT_ROLE_DIM, buffer, name.used);
    tt_draw_text(line, 3 + width, 0, line.width - 3 - width, role, text->buffer, text->used);
}

static void draw_number(struct tt_area line, int end, unsigned role, uint64_t number)
{
    char buffer[32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_grouped(&text, number);
    int width = (int)text.used;
    tt_draw_text(line, end - width, 0, width, role, buffer, text.used);
}

static void draw_count(const struct tt_workspace *ws, struct tt_area line,
                       const struct tt_count_row *row)
{
    char buffer[LINE_BYTES];
    bool is_class = row->name == NULL;
    int x = is_class ? 3 : 5, end = line.width - 10 < COUNT_END ? line.width - 10 : COUNT_END;
    unsigned role = is_class ? TT_ROLE_TITLE : TT_ROLE_TEXT;
    const char *name = is_class ? row->class_name : row->name;
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&text, name, strlen(name));
    tt_draw_text(line, x, 0, end - 13 - x, role, text.buffer, text.used);
    draw_number(line, end, role, row->events);

    uint64_t all = ws->index.progress.events + ws->index.progress.derived;
    uint64_t permille = all > 0 ? (uint64_t)((double)row->events * 1000.0 / (double)all) : 0;
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_u64_width(&text, permille / 10, 4, ' ');
    tt_text_put(&text, ".%ju %%", permille % 10);
    tt_draw_text(line, end + 1, 0, 9, is_class ? TT_ROLE_TEXT : TT_ROLE_DIM, buffer, text.used);
}

static void draw_health(const struct tt_workspace *ws, struct tt_area line, unsigned kind)
{
    unsigned role = tt_health_is_damage(kind) ? TT_ROLE_ERROR : TT_ROLE_WARNING;
    tt_draw(line, 3, 0, 20, role, tt_health_key(kind));
    draw_number(line, 34, role, tt_health_count(ws->opened.capture, (enum tt_health_kind)kind));
    tt_draw(line, 36, 0, line.width - 36, TT_ROLE_TEXT, tt_health_text(kind));
}

static void draw_record(const struct tt_workspace *ws, struct tt_area line,
                        const struct tt_info_line *of)
{
    char buffer[LINE_BYTES];
    struct tt_health_record record = tt_health_at(ws->opened.capture, (uint32_t)of->number);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_health_place_text(&record, &text);
    int x = 5 + tt_draw_text(line, 5, 0, line.width - 5, TT_ROLE_TEXT, buffer, text.used);
    x = x < 23 ? 23 : x + 1;
    if (of->has_time) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_time_label_moment(ws, &text, of->ticks);
        x += tt_draw_text(line, x, 0, line.width - x, TT_ROLE_TIME, buffer, text.used) + 2;
    }
    text = tt_text_of(buffer, sizeof buffer);
    if (record.value > 0 || !record.detail) {
        tt_text_grouped(&text, record.value);
        tt_text_char(&text, ' ');
    }
    if (record.detail) {
        tt_text_escaped(&text, record.detail, strlen(record.detail));
    }
    tt_draw_text(line, x, 0, line.width - x, TT_ROLE_DIM, buffer, text.used);
}

static void draw_title(const struct tt_workspace *ws, const struct tt_info_view *view,
                       struct tt_area line, const char *title)
{
    static const char *const orders[TT_SORT_COUNT_OF] = {
#define X(id, name) name,
        TT_SORT_INFO(X)
#undef X
    };
    int x = 1 + tt_draw(line, 1, 0, line.width - 1, TT_ROLE_TITLE, title);
    if (strcmp(title, "counts") == 0) {
        x += 2;
        x += tt_draw(line, x, 0, line.width - x, TT_ROLE_COLUMNS, orders[view->sort]) + 1;
        bool up = view->sort == TT_SORT_COUNT ? view->reverse : !view->reverse;
        tt_draw_fill(line, x, 0, 1, TT_ROLE_COLUMNS,
                     tt_term_glyph(&ws->term, up ? TT_GLYPH_UP : TT_GLYPH_DOWN));
    }
}

void tt_info_draw_line(const struct tt_workspace *ws, const struct tt_info_view *view,
                       struct tt_area area, const struct tt_info_line *line)
{
    char buffer[LINE_BYTES];
    static const char *const labels[TT_INFO_COUNT] = {
#define X(id, label) label,
        TT_INFO_SUMMARY_INFO(X)
#undef X
    };
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_fact *fact;
    switch (line->kind) {
    case TT_LINE_BLANK:
        break;
    case TT_LINE_TITLE:
        draw_title(ws, view, area, line->text);
        break;
    case TT_LINE_SUMMARY:
        write_summary(ws, view, &text, (enum tt_info_summary)line->number);
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): each line of it has a label */
        draw_pair(area, labels[line->number], &text, TT_ROLE_TEXT);
        break;
    case TT_LINE_FACT:
        fact = tt_facts_at(ws->opened.capture, (uint32_t)line->number);
        tt_text_escaped(&text, fact->value, strlen(fact->value));
        draw_pair(area, fact->key, &text, TT_ROLE_TEXT);
        break;
    case TT_LINE_CLASS:
    case TT_LINE_TYPE:
        draw_count(ws, area, line->count);
        break;
    case TT_LINE_HEALTH:
        draw_health(ws, area, (unsigned)line->number);
        break;
    case TT_LINE_RECORD:
        draw_record(ws, area, line);
        break;
    case TT_LINE_MORE:
        tt_text_put(&text, "and %'ju more", line->more);
        tt_draw_text(area, 5, 0, area.width - 5, TT_ROLE_DIM, text.buffer, text.used);
        break;
    case TT_LINE_SOUND:
        tt_draw(area, 3, 0, area.width - 3, TT_ROLE_TEXT, "no problems found");
        break;
    case TT_LINE_MISSING:
        tt_text_str(&text, tt_missing_cost((unsigned)line->number));
        draw_pair(area, tt_missing_key((unsigned)line->number), &text, TT_ROLE_TEXT);
        break;
    case TT_LINE_REMEDY:
        tt_text_str(&text, tt_missing_remedy(ws->opened.capture, (unsigned)line->number));
        tt_draw_text(area, 5, 0, area.width - 5, TT_ROLE_DIM, text.buffer, text.used);
        break;
    }
}
