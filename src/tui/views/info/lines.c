/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info/lines: builds the lines of the Info view.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tracetui/format.h"
#include "tracetui/missing.h"
#include "tui/views/info/view.h"

#define RECORDS_EACH 100 /* maximum of health records shown per kind; all are counted */

static void add_line(struct tt_info_view *v, struct tt_info_line line)
{
    struct tt_info_line *lines = tt_array_grow_32(v->lines, v->count, &v->room, sizeof *lines);
    if (!lines) {
        v->failed = true;
        return;
    }
    v->lines = lines;
    v->lines[v->count++] = line;
}

static void add(struct tt_info_view *v, enum tt_info_kind kind, uint64_t number)
{
    add_line(v, (struct tt_info_line){.kind = kind, .number = number});
}

static void add_title(struct tt_info_view *v, const char *text)
{
    if (v->count > 0) {
        add_line(v, (struct tt_info_line){.kind = TT_LINE_BLANK, .text = text});
    }
    add_line(v, (struct tt_info_line){.kind = TT_LINE_TITLE, .text = text});
}

/* ---- counts ------------------------------------------------------------------------------- */

static int by_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares rows of one class by their types, others by their classes. */
static int compare_counts(const void *left, const void *right)
{
    const struct tt_count_row *a = left, *b = right;
    const bool types = a->class_id == b->class_id;
    int order = 0;
    if (types && (!a->name || !b->name)) {
        return (b->name == NULL) - (a->name == NULL); /* a class comes before its types */
    }
    if (a->sort == TT_SORT_COUNT) {
        order = types ? by_u64(b->events, a->events) : by_u64(b->class_events, a->class_events);
    } else if (a->sort == TT_SORT_NAME) {
        order = types ? strcmp(a->name, b->name) : strcmp(a->class_name, b->class_name);
    }
    if (order == 0) {
        order = types ? by_u64(a->type, b->type) : by_u64(a->class_id, b->class_id);
    }
    return a->reverse ? -order : order;
}

/* Counts the events by type and by class, and adds the rows in the order that the user chose. */
static void add_counts(struct tt_info_view *v, struct tt_trace *trace)
{
    const struct tt_capture *c = tt_trace_capture(trace);
    const uint32_t types = tt_types_count(c), classes = tt_classes_count(c);
    uint64_t *sums = calloc((size_t)classes + 1, sizeof *sums);
    struct tt_count_row *rows = malloc(((size_t)types + classes + 1) * sizeof *rows);
    uint32_t count = 0;
    free(v->counts);
    v->counts = rows;
    v->failed |= !sums || !rows;
    for (uint32_t type = 0; sums && rows && type < types; type++) {
        const struct tt_event_type *info = tt_types_at(c, type);
        struct tt_count_row row = {.class_name = info->class_name,
                                   .events = tt_trace_type_events(trace, type),
                                   .class_id = info->class_id,
                                   .type = type,
                                   .sort = (uint8_t)v->sort,
                                   .reverse = v->reverse};
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
        add_title(v, "counts");
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool is_class = !rows[i].name;
        add_line(v, (struct tt_info_line){.kind = is_class ? TT_LINE_CLASS : TT_LINE_TYPE,
                                          .number = is_class ? rows[i].class_id : rows[i].type,
                                          .count = &rows[i]});
    }
    free(sums);
}

/* ---- lines -------------------------------------------------------------------------------- */

static void add_facts(struct tt_info_view *v, const struct tt_capture *c)
{
    uint32_t last = TT_NO_FACT;
    for (uint32_t i = tt_facts_next(c, last); i != TT_NO_FACT; i = tt_facts_next(c, i)) {
        if (!tt_facts_same_section(c, last, i)) {
            add_title(v, tt_facts_at(c, i)->section);
        }
        add(v, TT_LINE_FACT, i);
        last = i;
    }
}

static void add_health(struct tt_info_view *v, const struct tt_capture *c)
{
    bool sound = true;
    add_title(v, "health");
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t all = tt_health_count(c, (enum tt_health_kind)kind), listed = 0;
        if (all > 0) {
            sound = false;
            add(v, TT_LINE_HEALTH, kind);
        }
        for (uint32_t i = 0;
             listed < RECORDS_EACH && (i = tt_health_next(c, kind, i)) != UINT32_MAX; i++) {
            add(v, TT_LINE_RECORD, i);
            listed++;
        }
        if (all > listed) {
            add_line(v, (struct tt_info_line){
                            .kind = TT_LINE_MORE, .number = kind, .more = all - listed});
        }
    }
    if (sound) {
        add(v, TT_LINE_SOUND, 0);
    }
}

/* Adds what was not recorded. Before the index is complete, it may still follow. */
static void add_missing(struct tt_info_view *v, const struct tt_workspace *ws)
{
    uint32_t missing = ws->index.progress.finished ? tt_missing_find(ws->opened.trace) : 0;
    if (missing != 0) {
        add_title(v, "not in the capture");
    }
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        if (missing >> i & 1) {
            add(v, TT_LINE_MISSING, i);
            add(v, TT_LINE_REMEDY, i);
        }
    }
}

void tt_info_renew(const struct tt_workspace *ws, struct tt_info_view *v)
{
    const struct tt_capture *c = ws->opened.capture;
    const bool had = v->list.at < v->count;
    const struct tt_info_line was = had ? v->lines[v->list.at] : (struct tt_info_line){0};
    if (!v->stale && v->built_rows == ws->index.rows &&
        v->built_finished == ws->index.progress.finished) {
        return;
    }
    v->count = 0;
    v->failed = !tt_registry_totals(c, &v->totals);
    add_title(v, "capture");
    for (unsigned i = 0; i < TT_INFO_COUNT; i++) {
        if (i != TT_INFO_WALL || c->has_wall_clock) {
            add(v, TT_LINE_SUMMARY, i);
        }
    }
    add_facts(v, c);
    add_counts(v, ws->opened.trace);
    add_health(v, c);
    add_missing(v, ws);
    v->stale = false;
    v->built_rows = ws->index.rows;
    v->built_finished = ws->index.progress.finished;
    /* The cursor stays on its line, and the line at its place on the screen. */
    for (uint32_t i = 0; had && i < v->count; i++) {
        const struct tt_info_line *line = &v->lines[i];
        if (line->kind == was.kind && line->number == was.number &&
            (line->text == was.text ||
             (line->text && was.text && strcmp(line->text, was.text) == 0))) {
            v->list.top = v->list.top + i > v->list.at ? v->list.top + i - v->list.at : 0;
            v->list.at = i;
            break;
        }
    }
}

bool tt_info_find_times(const struct tt_workspace *ws, struct tt_info_view *v, uint64_t deadline)
{
    for (int y = 0; tt_list_row(&v->list, y) < v->count; y++) {
        struct tt_info_line *line = &v->lines[tt_list_row(&v->list, y)];
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
