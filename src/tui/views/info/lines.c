/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/lines: builds the lines of the Info view.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/missing.h"
#include "base/array.h"
#include "base/clock.h"
#include "tracetui/format.h"
#include "tui/views/info/view.h"

#define RECORDS_EACH 100 /* maximum of health records shown per kind; all are counted */

static void info_lines_add_line(struct tt_info_view *view, struct tt_info_line line)
{
    struct tt_info_line *lines =
        tt_array_grow_32(view->lines, view->count, &view->room, sizeof *lines);
    if (!lines) {
        view->failed = true;
        return;
    }
    view->lines = lines;
    view->lines[view->count++] = line;
}

static void info_lines_add(struct tt_info_view *view, enum tt_info_kind kind, uint64_t number)
{
    info_lines_add_line(view, (struct tt_info_line){.kind = kind, .number = number});
}

static void add_title(struct tt_info_view *view, const char *text)
{
    if (view->count > 0) {
        info_lines_add_line(view, (struct tt_info_line){.kind = TT_LINE_BLANK, .text = text});
    }
    info_lines_add_line(view, (struct tt_info_line){.kind = TT_LINE_TITLE, .text = text});
}

/* ---- counts ------------------------------------------------------------------------------- */

static int by_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares rows of one class by their types, others by their classes. */
static int compare_counts(const void *left, const void *right)
{
    const struct tt_count_row *first = left, *second = right;
    const bool types = first->class_id == second->class_id;
    int order = 0;
    if (types && (!first->name || !second->name)) {
        return (second->name == NULL) - (first->name == NULL); /* a class comes before its types */
    }
    if (first->sort == TT_SORT_COUNT) {
        order = types ? by_u64(second->events, first->events)
                      : by_u64(second->class_events, first->class_events);
    } else if (first->sort == TT_SORT_NAME) {
        order = types ? strcmp(first->name, second->name)
                      : strcmp(first->class_name, second->class_name);
    }
    if (order == 0) {
        order =
            types ? by_u64(first->type, second->type) : by_u64(first->class_id, second->class_id);
    }
    return first->reverse ? -order : order;
}

/* Counts the events by type and by class, and adds the rows in the order that the user chose. */
static void add_counts(struct tt_info_view *view, struct tt_trace *trace)
{
    const struct tt_capture *capture = tt_trace_capture(trace);
    const uint32_t types = tt_types_count(capture), classes = tt_classes_count(capture);
    uint64_t *sums = calloc((size_t)classes + 1, sizeof *sums);
    struct tt_count_row *rows = malloc(((size_t)types + classes + 1) * sizeof *rows);
    uint32_t count = 0;
    free(view->counts);
    view->counts = rows;
    view->failed |= !sums || !rows;
    for (uint32_t type = 0; sums && rows && type < types; type++) {
        const struct tt_event_type *info = tt_types_at(capture, type);
        struct tt_count_row row = {.class_name = info->class_name,
                                   .events = tt_trace_type_events(trace, type),
                                   .class_id = info->class_id,
                                   .type = type,
                                   .sort = (uint8_t)view->sort,
                                   .reverse = view->reverse};
        if (row.events > 0 && sums[row.class_id] == 0) {
            rows[count++] = row; /* of the class */
        }
        sums[row.class_id] += row.events;
        row.name = info->name;
        if (row.events > 0) {
            rows[count++] = row;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        rows[i].class_events = sums[rows[i].class_id];
        rows[i].events = rows[i].name ? rows[i].events : rows[i].class_events;
    }
    if (count > 0) {
        qsort(rows, count, sizeof *rows, compare_counts);
        add_title(view, "counts");
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool is_class = !rows[i].name;
        info_lines_add_line(
            view, (struct tt_info_line){.kind = is_class ? TT_LINE_CLASS : TT_LINE_TYPE,
                                        .number = is_class ? rows[i].class_id : rows[i].type,
                                        .count = &rows[i]});
    }
    free(sums);
}

static void info_lines_add_health(struct tt_info_view *view, const struct tt_capture *capture)
{
    bool sound = true;
    add_title(view, "health");
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t all = tt_health_count(capture, (enum tt_health_kind)kind), listed = 0;
        if (all > 0) {
            sound = false;
            info_lines_add(view, TT_LINE_HEALTH, kind);
        }
        for (uint32_t i = 0;
             listed < RECORDS_EACH && (i = tt_health_next(capture, kind, i)) != UINT32_MAX; i++) {
            info_lines_add(view, TT_LINE_RECORD, i);
            listed++;
        }
        if (all > listed) {
            info_lines_add_line(
                view,
                (struct tt_info_line){.kind = TT_LINE_MORE, .number = kind, .more = all - listed});
        }
    }
    if (sound) {
        info_lines_add(view, TT_LINE_SOUND, 0);
    }
}

/* Adds what was not recorded. Before the index is complete, it may still follow. */
static void add_missing(struct tt_info_view *view, const struct tt_workspace *ws)
{
    uint32_t missing = ws->index.progress.finished ? tt_missing_find(ws->opened.trace) : 0;
    if (missing != 0) {
        add_title(view, "not in the capture");
    }
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        if (missing >> i & 1) {
            info_lines_add(view, TT_LINE_MISSING, i);
            info_lines_add(view, TT_LINE_REMEDY, i);
        }
    }
}

void tt_info_renew(const struct tt_workspace *ws, struct tt_info_view *view)
{
    const struct tt_capture *capture = ws->opened.capture;
    const bool had = view->list.at < view->count;
    const struct tt_info_line was = had ? view->lines[view->list.at] : (struct tt_info_line){0};
    if (!view->stale && view->built_rows == ws->index.rows &&
        view->built_finished == ws->index.progress.finished) {
        return;
    }
    view->count = 0;
    view->failed = !tt_registry_totals(capture, &view->totals);
    add_title(view, "capture");
    for (unsigned i = 0; i < TT_INFO_COUNT; i++) {
        if (i != TT_INFO_WALL || capture->has_wall_clock) {
            info_lines_add(view, TT_LINE_SUMMARY, i);
        }
    }

    /*
     * ---- lines --------------------------------------------------------------------------------
     */
    uint32_t last = TT_NO_FACT;
    for (uint32_t i = tt_facts_next(capture, last); i != TT_NO_FACT;
         i = tt_facts_next(capture, i)) {
        if (!tt_facts_same_section(capture, last, i)) {
            add_title(view, tt_facts_at(capture, i)->section);
        }
        info_lines_add(view, TT_LINE_FACT, i);
        last = i;
    }

    add_counts(view, ws->opened.trace);
    info_lines_add_health(view, capture);
    add_missing(view, ws);
    view->stale = false;
    view->built_rows = ws->index.rows;
    view->built_finished = ws->index.progress.finished;
    /* The cursor stays on its line, and the line at its place on the screen. */
    for (uint32_t i = 0; had && i < view->count; i++) {
        const struct tt_info_line *line = &view->lines[i];
        if (line->kind == was.kind && line->number == was.number &&
            (line->text == was.text ||
             (line->text && was.text && strcmp(line->text, was.text) == 0))) {
            view->list.top =
                view->list.top + i > view->list.at ? view->list.top + i - view->list.at : 0;
            view->list.at = i;
            break;
        }
    }
}

bool tt_info_find_times(const struct tt_workspace *ws, struct tt_info_view *view, uint64_t deadline)
{
    for (int y = 0; tt_list_row(&view->list, y) < view->count; y++) {
        struct tt_info_line *line = &view->lines[tt_list_row(&view->list, y)];
        struct tt_event event;
        if (line->kind != TT_LINE_RECORD || line->looked_up) {
            continue;
        }
        if (deadline == 0) {
            return false;
        }
        uint64_t offset = tt_health_at(ws->opened.capture, (uint32_t)line->number).offset;
        line->has_time = tt_events_at_offset(ws->opened.events, offset, &event);
        line->ticks = line->has_time ? event.ticks : 0;
        line->looked_up = true;
        deadline = tt_now_ns() < deadline ? deadline : 0;
    }
    return true;
}
