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

static void add(struct tt_info_view *v, enum tt_info_kind kind, uint64_t number, const char *text)
{
    struct tt_info_line *lines = tt_array_grow_32(v->lines, v->count, &v->room, sizeof *lines);
    if (!lines) {
        v->failed = true;
        return;
    }
    v->lines = lines;
    struct tt_info_line line = {.kind = kind, .number = number, .text = text};
    v->lines[v->count++] = line;
}

static void add_title(struct tt_info_view *v, const char *text)
{
    if (v->count > 0) {
        add(v, TT_LINE_BLANK, 0, NULL);
    }
    add(v, TT_LINE_TITLE, 0, text);
}

static void add_facts(struct tt_info_view *v, const struct tt_capture *c)
{
    uint32_t last = TT_NO_FACT;
    for (uint32_t i = tt_facts_next(c, last); i != TT_NO_FACT; i = tt_facts_next(c, i)) {
        if (!tt_facts_same_section(c, last, i)) {
            add_title(v, tt_facts_at(c, i)->section);
        }
        add(v, TT_LINE_FACT, i, NULL);
        last = i;
    }
}

static void add_health_kind(struct tt_info_view *v, const struct tt_capture *c, unsigned kind)
{
    uint64_t listed = 0;
    add(v, TT_LINE_HEALTH, kind, NULL);
    for (uint32_t i = 0; listed < RECORDS_EACH && (i = tt_health_next(c, kind, i)) != UINT32_MAX;
         i++) {
        add(v, TT_LINE_RECORD, i, NULL);
        listed++;
    }
    uint64_t all = tt_health_count(c, (enum tt_health_kind)kind);
    if (all > listed) {
        add(v, TT_LINE_MORE, all - listed, NULL);
    }
}

static void add_health(struct tt_info_view *v, const struct tt_capture *c)
{
    bool sound = true;
    add_title(v, "health");
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        if (tt_health_count(c, (enum tt_health_kind)kind) > 0) {
            sound = false;
            add_health_kind(v, c, kind);
        }
    }
    if (sound) {
        add(v, TT_LINE_SOUND, 0, NULL);
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
            add(v, TT_LINE_MISSING, i, NULL);
            add(v, TT_LINE_REMEDY, i, NULL);
        }
    }
}

static bool has_summary(const struct tt_workspace *ws, unsigned number)
{
    return number != TT_INFO_WALL || ws->opened.capture->has_wall_clock;
}

/* Identity of a line, independent of its position. */
struct about {
    struct tt_info_line line;
    struct tt_count_row count; /* valid for TT_LINE_COUNT */
};

static struct about about_line(const struct tt_info_view *v, uint32_t at)
{
    struct about about = {.line = v->lines[at]};
    if (about.line.kind == TT_LINE_COUNT) {
        about.count = v->counts[about.line.number];
    }
    return about;
}

static bool is_about(const struct tt_info_view *v, uint32_t at, const struct about *about)
{
    const struct tt_info_line *line = &v->lines[at];
    if (line->kind != about->line.kind || line->kind == TT_LINE_BLANK ||
        line->kind == TT_LINE_MORE) {
        return false;
    }
    if (line->kind == TT_LINE_TITLE) {
        return strcmp(line->text, about->line.text) == 0;
    }
    if (line->kind == TT_LINE_COUNT) {
        const struct tt_count_row *row = &v->counts[line->number];
        return row->class_id == about->count.class_id &&
               (row->name == NULL) == (about->count.name == NULL) &&
               (!row->name || row->type == about->count.type);
    }
    return line->number == about->line.number;
}

/* Keeps the cursor on the same line of the list and at the same place on the screen. */
static void hold_line(struct tt_info_view *v, const struct about *about)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (is_about(v, i, about)) {
            v->top = v->top + i > v->at ? v->top + i - v->at : 0;
            v->at = i;
            return;
        }
    }
}

static void make_lines(const struct tt_workspace *ws, struct tt_info_view *v)
{
    bool had = v->at < v->count;
    const struct about about = had ? about_line(v, v->at) : (struct about){0};
    v->count = 0;
    v->failed = false;
    add_title(v, "capture");
    for (unsigned i = 0; i < TT_INFO_COUNT; i++) {
        if (has_summary(ws, i)) {
            add(v, TT_LINE_SUMMARY, i, NULL);
        }
    }
    add_facts(v, ws->opened.capture);
    free(v->counts);
    v->counts = NULL;
    v->count_rows = 0;
    v->failed |= !tt_registry_totals(ws->opened.capture, &v->totals);
    v->failed |= !tt_counts_take(ws->opened.trace, v->sort, v->reverse, &v->counts, &v->count_rows);
    if (v->count_rows > 0) {
        add_title(v, "counts");
    }
    for (uint32_t i = 0; i < v->count_rows; i++) {
        add(v, TT_LINE_COUNT, i, NULL);
    }
    add_health(v, ws->opened.capture);
    add_missing(v, ws);
    v->stale = false;
    v->built_rows = ws->index.rows;
    v->built_finished = ws->index.progress.finished;
    if (had) {
        hold_line(v, &about);
    }
    v->at = v->at < v->count ? v->at : v->count > 0 ? v->count - 1 : 0;
}

void tt_info_renew(const struct tt_workspace *ws, struct tt_info_view *v)
{
    if (v->stale || v->built_rows != ws->index.rows ||
        v->built_finished != ws->index.progress.finished) {
        make_lines(ws, v);
    }
}

/* Returns the first record on the screen whose time is not known, or NULL. */
static struct tt_info_line *next_unknown(const struct tt_info_view *v)
{
    uint32_t end = v->top + (uint32_t)v->height;
    for (uint32_t i = v->top; i < v->count && i < end; i++) {
        if (v->lines[i].kind == TT_LINE_RECORD && !v->lines[i].looked_up) {
            return &v->lines[i];
        }
    }
    return NULL;
}

bool tt_info_has_times(const struct tt_info_view *v)
{
    return !next_unknown(v);
}

bool tt_info_find_times(const struct tt_workspace *ws, struct tt_info_view *v, uint64_t deadline)
{
    struct tt_info_line *line;
    while ((line = next_unknown(v)) != NULL) {
        uint64_t offset = tt_health_at(ws->opened.capture, (uint32_t)line->number).offset;
        struct tt_event event;
        line->has_time = tt_events_at_offset(ws->opened.events, offset, &event);
        line->ticks = line->has_time ? event.ticks : 0;
        line->looked_up = true;
        if (tt_now_ns() >= deadline) {
            return tt_info_has_times(v);
        }
    }
    return true;
}
