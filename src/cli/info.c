/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/info.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_columns.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/writers.h"
#include "tracetui/event_line.h"
#include "tracetui/fields.h"
#include "tracetui/format.h"
#include "tracetui/merge_plan.h"
#include "tracetui/missing.h"
#include "tracetui/snapshot.h"

#define LABEL_COLUMN 13 /* column of the values in the head */
#define NAME_COLUMN  34 /* last column of the numbers in the lists */
#define INDENT       2
#define AT_ONCE      1024u

/* Events of one name; types that differ only in their number are combined. */
struct name_count {
    const struct tt_event_type *type;
    uint64_t events;
};

/* The facts of one capture. Counts include derived events. */
struct summary {
    struct tt_input *input;
    uint64_t *type_events; /* counts of the selected events by type; NULL: all events */
    uint64_t matching;
    uint64_t *class_events; /* indexed by class */
    struct name_count *names;
    size_t name_count;
    struct tt_snapshot last; /* at the last event, for deadlocks */
    struct tt_registry_totals totals;
};

static int by_name(const void *a, const void *b)
{
    const struct tt_event_type *x = ((const struct name_count *)a)->type;
    const struct tt_event_type *y = ((const struct name_count *)b)->type;
    if (x->class_id != y->class_id) {
        return x->class_id < y->class_id ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static int by_class_and_count(const void *a, const void *b)
{
    const struct name_count *x = a, *y = b;
    if (x->type->class_id == y->type->class_id && x->events != y->events) {
        return x->events > y->events ? -1 : 1;
    }
    return by_name(a, b);
}

/* Merges entries of the same name; the list is sorted by name. */
static void merge_names(struct summary *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->name_count; i++) {
        if (kept > 0 && by_name(&s->names[kept - 1], &s->names[i]) == 0) {
            s->names[kept - 1].events += s->names[i].events;
        } else {
            s->names[kept++] = s->names[i];
        }
    }
    s->name_count = kept;
}

/* Counts the selected events, and with a filter those that it matches. */
static struct tt_status count_types(struct summary *s, const struct tt_event_selection *pick,
                                    const struct tt_filter_result *found)
{
    struct tt_event batch[AT_ONCE];
    uint32_t types = tt_types_count(s->input->capture);
    s->type_events = calloc((size_t)types + 1, sizeof *s->type_events);
    if (!s->type_events) {
        return tt_error_memory();
    }
    for (uint64_t row = pick->first_row; row < pick->end_row; row += AT_ONCE) {
        uint64_t end = row + AT_ONCE < pick->end_row ? row + AT_ONCE : pick->end_row;
        bool none = found && tt_filter_result_rank(found, row) == tt_filter_result_rank(found, end);
        uint32_t count =
            none ? 0 : tt_events_read(s->input->events, row, (uint32_t)(end - row), batch);
        for (uint32_t i = 0; i < count; i++) {
            if (batch[i].type < types && tt_event_selection_matches(pick, &batch[i]) &&
                (!found || tt_filter_result_has(found, row + i))) {
                s->type_events[batch[i].type]++;
                s->matching++;
            }
        }
    }
    return tt_ok();
}

static struct tt_status run_filter(struct summary *s, const struct tt_event_selection *pick)
{
    struct tt_filter_result *found = NULL;
    struct tt_status status = tt_event_selection_find(pick, s->input, &found);
    if (!tt_failed(&status)) {
        status = count_types(s, pick, found);
    }
    tt_filter_result_free(found);
    return status;
}

/* Counts the selected events, if not all are selected. */
static struct tt_status count_picked(const struct tt_options *options, struct summary *s)
{
    bool all = !options->filter && options->from.kind == TT_TIME_SPEC_NONE &&
               options->to.kind == TT_TIME_SPEC_NONE && options->threads.count == 0 &&
               !options->cpus.given;
    struct tt_event_selection pick;
    struct tt_status status = all ? tt_ok() : tt_event_selection_make(options, s->input, &pick);
    if (all || tt_failed(&status)) {
        return status;
    }
    status = pick.plan ? run_filter(s, &pick) : count_types(s, &pick, NULL);
    tt_event_selection_free(&pick);
    return status;
}

/* Counts classes and names; false if out of memory. */
static bool summarize(struct summary *s)
{
    const struct tt_capture *c = s->input->capture;
    uint32_t types = tt_types_count(c);
    s->class_events = calloc((size_t)tt_classes_count(c) + 1, sizeof *s->class_events);
    s->names = calloc((size_t)types + 1, sizeof *s->names);
    if (!s->class_events || !s->names) {
        return false;
    }
    for (uint32_t i = 0; i < types; i++) {
        uint64_t events =
            s->type_events ? s->type_events[i] : tt_trace_type_events(s->input->trace, i);
        if (events > 0) {
            s->names[s->name_count++] = (struct name_count){tt_types_at(c, i), events};
            s->class_events[tt_types_at(c, i)->class_id] += events;
        }
    }
    qsort(s->names, s->name_count, sizeof *s->names, by_name);
    merge_names(s);
    qsort(s->names, s->name_count, sizeof *s->names, by_class_and_count);
    return true;
}

/* ---- text --------------------------------------------------------------------------------- */

static void label(struct tt_text *text, const char *name)
{
    size_t start = text->used;
    tt_text_fill(text, ' ', INDENT);
    tt_text_escaped(text, name, strlen(name));
    tt_text_pad_to(text, start, LABEL_COLUMN, 1);
}

static void counted(struct tt_text *text, uint64_t count, const char *one, const char *more)
{
    tt_text_grouped(text, count);
    tt_text_char(text, ' ');
    tt_text_str(text, count == 1 ? one : more);
}

/* Writes "  NAME           1,234", with the number right-aligned if it fits. */
static void name_and_count(struct tt_text *text, const char *first, const char *second,
                           uint64_t count)
{
    char digits[32];
    struct tt_text number = tt_text_of(digits, sizeof digits);
    tt_text_grouped(&number, count);

    size_t start = text->used;
    tt_text_fill(text, ' ', INDENT);
    tt_text_escaped(text, first, strlen(first));
    if (second) {
        tt_text_char(text, ' ');
        tt_text_escaped(text, second, strlen(second));
    }
    tt_text_shorten(text, start + INDENT, TT_NAME_COLUMNS);
    size_t column = number.used < NAME_COLUMN ? NAME_COLUMN - number.used : 0;
    tt_text_pad_to(text, start, column, 2);
    tt_text_bytes(text, number.buffer, number.used);
}

static void text_time(struct tt_text *text, const struct tt_input *input)
{
    const struct tt_capture *c = input->capture;
    const struct tt_progress *p = &input->progress;
    label(text, "time");
    if (p->events == 0) {
        tt_text_str(text, "no events\n");
        return;
    }
    tt_line_time(text, c, tt_relative_ticks(c, p->first_ticks, p->first_ticks));
    tt_text_str(text, " .. ");
    tt_line_time(text, c, tt_relative_ticks(c, p->last_ticks, p->first_ticks));
    tt_text_str(text, c->clock_hz ? " s\n" : " ticks\n");
}

static void text_head(struct tt_text *text, const struct summary *s)
{
    const struct tt_input *input = s->input;
    const struct tt_capture *c = input->capture;
    const struct tt_progress *p = &input->progress;
    tt_text_escaped(text, input->path, strlen(input->path));
    tt_text_char(text, '\n');
    label(text, "format");
    tt_text_str(text, c->format->title);
    if (c->version[0]) {
        tt_text_str(text, ", ");
        tt_text_escaped(text, c->version, strlen(c->version));
    }
    tt_text_char(text, '\n');
    label(text, "events");
    tt_text_grouped(text, p->events);
    tt_text_str(text, " in ");
    counted(text, p->records, "record", "records");
    if (p->derived > 0) {
        tt_text_str(text, ", and ");
        counted(text, p->derived, "derived", "derived");
    }
    tt_text_char(text, '\n');
    if (s->type_events) {
        label(text, "matching");
        counted(text, s->matching, "event\n", "events\n");
    }
    text_time(text, input);
    label(text, "clock");
    if (c->clock_hz) {
        counted(text, c->clock_hz, "Hz\n", "Hz\n");
    } else {
        tt_text_str(text, "none: times are ticks (--clock HZ gives one)\n");
    }
    label(text, "CPUs");
    tt_text_grouped(text, c->cpu_count);
    tt_text_char(text, '\n');
    label(text, "threads");
    tt_text_grouped(text, s->totals.threads);
    tt_text_str(text, " in ");
    counted(text, s->totals.processes, "process", "processes");
    if (s->totals.idle > 0) {
        tt_text_str(text, ", and ");
        counted(text, s->totals.idle, "idle thread", "idle threads");
    }
    tt_text_char(text, '\n');
}

static void text_ticks(struct tt_text *text, const struct summary *s, uint64_t ticks)
{
    const struct tt_capture *c = s->input->capture;
    tt_line_time(text, c, tt_relative_ticks(c, ticks, s->input->progress.first_ticks));
}

/* Writes when each capture of a merged one begins and ends, and the time that all have in common. */
static void text_members(struct tt_text *text, const struct summary *s)
{
    const struct tt_merge *merge = s->input->capture->merge;
    struct tt_merge_extent extents[TT_MERGE_MOST];
    uint64_t from = 0, to = UINT64_MAX;
    tt_merge_extents(s->input->trace, s->input->events, extents);
    tt_text_str(text, "\ntime of the captures\n");
    for (unsigned i = 0; i < merge->count; i++) {
        const char *name = merge->members[i].capture->label;
        size_t start = text->used;
        tt_text_fill(text, ' ', INDENT);
        tt_text_escaped(text, name, strlen(name));
        tt_text_pad_to(text, start, 2 * LABEL_COLUMN, 2);
        text_ticks(text, s, extents[i].first_ticks);
        tt_text_str(text, " .. ");
        text_ticks(text, s, extents[i].last_ticks);
        tt_text_str(text, s->input->capture->clock_hz ? " s, " : " ticks, ");
        counted(text, extents[i].events, "event\n", "events\n");
        from = extents[i].first_ticks > from ? extents[i].first_ticks : from;
        to = extents[i].last_ticks < to ? extents[i].last_ticks : to;
    }
    size_t start = text->used;
    tt_text_fill(text, ' ', INDENT);
    tt_text_str(text, "overlap");
    tt_text_pad_to(text, start, 2 * LABEL_COLUMN, 2);
    if (from <= to) {
        text_ticks(text, s, from);
        tt_text_str(text, " .. ");
        text_ticks(text, s, to);
        tt_text_str(text, s->input->capture->clock_hz ? " s\n" : " ticks\n");
    } else {
        tt_text_str(text, "none\n");
    }
}

static void text_facts(struct tt_text *text, const struct tt_capture *c)
{
    uint32_t last = TT_NO_FACT;
    for (uint32_t i = tt_facts_next(c, last); i != TT_NO_FACT; i = tt_facts_next(c, i)) {
        const struct tt_fact *fact = tt_facts_at(c, i);
        if (!tt_facts_same_section(c, last, i)) {
            tt_text_char(text, '\n');
            tt_text_escaped(text, fact->section, strlen(fact->section));
            tt_text_char(text, '\n');
        }
        size_t start = text->used;
        tt_text_fill(text, ' ', INDENT);
        tt_text_escaped(text, fact->key, strlen(fact->key));
        tt_text_pad_to(text, start, 2 * LABEL_COLUMN, 2);
        tt_text_escaped(text, fact->value, strlen(fact->value));
        tt_text_char(text, '\n');
        last = i;
    }
}

static void text_counts(struct tt_text *text, const struct summary *s)
{
    const struct tt_input *input = s->input;
    uint32_t classes = tt_classes_count(input->capture);
    if (input->progress.events == 0 || s->name_count == 0) {
        return;
    }
    tt_text_str(text, s->type_events ? "\nclasses that match\n" : "\nclasses\n");
    for (uint32_t i = 0; i < classes; i++) {
        uint64_t count = s->class_events[i];
        if (count > 0) {
            name_and_count(text, tt_classes_name(input->capture, i), NULL, count);
            tt_text_char(text, '\n');
        }
    }
    tt_text_str(text, s->type_events ? "\nevents that match\n" : "\nevents\n");
    for (size_t i = 0; i < s->name_count; i++) {
        const struct tt_event_type *type = s->names[i].type;
        name_and_count(text, type->class_name, type->name, s->names[i].events);
        tt_text_char(text, '\n');
    }
}

#define STRETCHES 10u /* of damaged bytes that are listed */

/* Lists the first stretches of damaged bytes. */
static void text_stretches(struct tt_text *text, const struct tt_capture *c)
{
    uint64_t rest = tt_health_count(c, TT_HEALTH_DAMAGED);
    const uint64_t most = rest > STRETCHES ? rest - STRETCHES : 0;
    for (uint32_t i = 0; rest > most && (i = tt_health_next(c, TT_HEALTH_DAMAGED, i)) != UINT32_MAX;
         i++) {
        const struct tt_health_record record = tt_health_at(c, i);
        tt_text_fill(text, ' ', INDENT * 2);
        tt_health_stretch_text(&record, text);
        tt_text_char(text, '\n');
        rest--;
    }
    if (rest > 0) {
        tt_text_fill(text, ' ', INDENT * 2);
        tt_text_str(text, "and ");
        tt_text_grouped(text, rest);
        tt_text_str(text, " more\n");
    }
}

static void text_first_place(struct tt_text *text, const struct tt_capture *c, unsigned kind)
{
    const uint32_t first = tt_health_next(c, kind, 0);
    if (first != UINT32_MAX) {
        tt_text_str(text, ", first at offset 0x");
        tt_text_hex(text, tt_health_at(c, first).offset, 1);
    }
}

/* Writes the deadlocks at the end of the capture; returns whether there are any. */
static bool text_deadlocks(struct tt_text *text, const struct summary *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->last.count; i++) {
        if (tt_snapshot_begins_deadlock(&s->last, &s->last.rows[i])) {
            any = true;
            label(text, "deadlock");
            tt_snapshot_put_cycle(text, s->input->capture, &s->last, &s->last.rows[i]);
            tt_text_char(text, '\n');
        }
    }
    return any;
}

static void text_health(struct tt_text *text, const struct summary *s)
{
    const struct tt_capture *c = s->input->capture;
    tt_text_str(text, "\nhealth\n");
    bool sound = !text_deadlocks(text, s);
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(c, (enum tt_health_kind)kind);
        if (count == 0) {
            continue;
        }
        sound = false;
        name_and_count(text, tt_health_key(kind), NULL, count);
        tt_text_str(text, "  ");
        tt_text_str(text, tt_health_text(kind));
        text_first_place(text, c, kind);
        tt_text_char(text, '\n');
        if (kind == TT_HEALTH_DAMAGED) {
            text_stretches(text, c);
        }
    }
    if (sound) {
        tt_text_str(text, "  no problems found\n");
    }
}

/* Writes what was not recorded: a line for what that costs, and one for how to record it. */
static void text_missing(struct tt_text *text, const struct summary *s)
{
    uint32_t missing = tt_missing_find(s->input->trace);
    if (missing == 0) {
        return;
    }
    tt_text_str(text, "\nnot in the capture\n");
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        if (missing >> i & 1) {
            label(text, tt_missing_key(i));
            tt_text_str(text, tt_missing_cost(i));
            tt_text_char(text, '\n');
            tt_text_fill(text, ' ', INDENT * 2);
            tt_text_str(text, tt_missing_remedy(s->input->capture, i));
            tt_text_char(text, '\n');
        }
    }
}

static void info_text(struct tt_text *text, const struct summary *s, unsigned parts)
{
    if (parts & TT_INFO_HEAD) {
        text_head(text, s);
        if (s->input->capture->merge) {
            text_members(text, s);
        }
    }
    if (parts & TT_INFO_FACTS) {
        text_facts(text, s->input->capture);
    }
    if (parts & TT_INFO_COUNTS) {
        text_counts(text, s);
    }
    if (parts & TT_INFO_HEALTH) {
        text_health(text, s);
    }
    if (parts & TT_INFO_MISSING) {
        text_missing(text, s);
    }
}

/* ---- json --------------------------------------------------------------------------------- */

static void put_classes(struct tt_fields *fields, const struct summary *s)
{
    const struct tt_capture *c = s->input->capture;
    uint32_t classes = tt_classes_count(c);
    tt_field_open(fields, "classes", '{');
    for (uint32_t i = 0; i < classes; i++) {
        if (s->class_events[i] > 0) {
            const char *name = tt_classes_name(c, i);
            tt_field_name(fields, name, strlen(name), NULL);
            tt_field_u64(fields, NULL, s->class_events[i]);
        }
    }
    tt_field_close(fields, '}');
    tt_field_open(fields, "health", '{');
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(c, (enum tt_health_kind)kind);
        if (count > 0) {
            tt_field_u64(fields, tt_health_key(kind), count);
        }
    }
    tt_field_close(fields, '}');
}

/* Lists the first stretches of damaged bytes, if there are any. */
static void put_stretches(struct tt_fields *fields, const struct tt_capture *c)
{
    uint32_t listed = 0;
    for (uint32_t i = 0;
         listed < STRETCHES && (i = tt_health_next(c, TT_HEALTH_DAMAGED, i)) != UINT32_MAX; i++) {
        const struct tt_health_record record = tt_health_at(c, i);
        if (listed++ == 0) {
            tt_field_open(fields, "damaged_bytes", '[');
        }
        tt_field_open(fields, NULL, '{');
        tt_field_u64(fields, "offset", record.offset);
        tt_field_u64(fields, "bytes", record.value);
        tt_field_close(fields, '}');
    }
    if (listed > 0) {
        tt_field_close(fields, ']');
    }
}

/* Writes the kinds of records that are missing, and the deadlocks at the end, a text each. */
static void put_findings(struct tt_fields *fields, const struct summary *s)
{
    char buffer[8192];
    uint32_t missing = tt_missing_find(s->input->trace);
    tt_field_open(fields, "missing", '[');
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        if (missing >> i & 1) {
            tt_field_text(fields, NULL, tt_missing_key(i));
        }
    }
    tt_field_close(fields, ']');
    tt_field_open(fields, "deadlocks", '[');
    for (uint32_t i = 0; i < s->last.count; i++) {
        if (tt_snapshot_begins_deadlock(&s->last, &s->last.rows[i])) {
            struct tt_text cycle = tt_text_of(buffer, sizeof buffer);
            tt_snapshot_put_cycle(&cycle, s->input->capture, &s->last, &s->last.rows[i]);
            tt_field_line(fields, NULL, cycle.buffer, cycle.used);
        }
    }
    tt_field_close(fields, ']');
}

/* Writes the captures of a merged one: name, format, alignment, extent. */
static void put_captures(struct tt_fields *fields, const struct summary *s)
{
    const struct tt_capture *c = s->input->capture;
    struct tt_merge_extent extents[TT_MERGE_MOST];
    tt_merge_extents(s->input->trace, s->input->events, extents);
    tt_field_open(fields, "captures", '[');
    for (unsigned i = 0; i < c->merge->count; i++) {
        const struct tt_merge_member *member = &c->merge->members[i];
        const struct tt_merge_source *source = member->source;
        bool any = extents[i].events > 0;
        tt_field_open(fields, NULL, '{');
        tt_field_text(fields, "name", source->name);
        tt_field_text(fields, "format", member->capture->format->name);
        tt_field_text(fields, "by", tt_merge_by_text(source->by));
        tt_field_u64(fields, "pairs", source->pairs);
        tt_field_number(fields, "residual_ticks", source->pairs > 0, source->residual);
        tt_field_i64(fields, "drift_ppb",
                     tt_clock_map_drift(&member->clock, source->hz ? source->hz : 1,
                                        c->clock_hz ? c->clock_hz : 1));
        tt_field_u64(fields, "events", extents[i].events);
        tt_field_number(fields, "first_ticks", any, extents[i].first_ticks);
        tt_field_number(fields, "last_ticks", any, extents[i].last_ticks);
        tt_field_close(fields, '}');
    }
    tt_field_close(fields, ']');
}

static void info_json(struct tt_text *text, const struct summary *s)
{
    const struct tt_capture *c = s->input->capture;
    const struct tt_progress *p = &s->input->progress;
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_text(&fields, "format", c->format->name);
    tt_field_text(&fields, "version", c->version);
    tt_field_number(&fields, "clock_hz", c->clock_hz != 0, c->clock_hz);
    tt_field_u64(&fields, "cpus", c->cpu_count);
    tt_field_u64(&fields, "events", p->events);
    tt_field_u64(&fields, "records", p->records);
    tt_field_u64(&fields, "derived", p->derived);
    if (s->type_events) {
        tt_field_u64(&fields, "matching", s->matching);
    }
    tt_field_number(&fields, "first_ticks", p->events > 0, p->first_ticks);
    tt_field_number(&fields, "last_ticks", p->events > 0, p->last_ticks);
    tt_field_u64(&fields, "threads", s->totals.threads);
    tt_field_u64(&fields, "idle_threads", s->totals.idle);
    tt_field_u64(&fields, "processes", s->totals.processes);
    if (c->merge) {
        put_captures(&fields, s);
    }
    put_classes(&fields, s);
    put_stretches(&fields, c);
    put_findings(&fields, s);
    tt_fields_end(&fields);
}

/* ---- the command -------------------------------------------------------------------------- */

static void info_print(const struct tt_options *options, const struct summary *s, unsigned parts,
                       struct tt_output *out)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        if (options->format == TT_OUTPUT_JSONL) {
            info_json(&text, s);
        } else {
            tt_text_str(&text, out->begun ? "\n" : "");
            info_text(&text, s, parts);
        }
    } while (!tt_output_end(out, &text));
}

/* Returns whether a thread waits for another one at the last event, as in each deadlock. */
static bool has_waiting_thread(const struct tt_timelines *t, uint32_t threads)
{
    struct tt_interval_at at;
    for (uint32_t thread = 0; thread < threads; thread++) {
        if (tt_interval_find(t, thread, tt_timelines_end(t), &at)) {
            struct tt_interval i = tt_interval_get(t, at);
            if (i.class_ == TT_CLASS_IPC || tt_class_is_lock(i.class_)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Computes what the threads do at the last event if there may be a deadlock: a crowd of a million
 * threads costs 150 MB. Returns false if out of memory.
 */
static bool find_last(struct summary *s)
{
    const struct tt_timelines *t = tt_trace_timelines(s->input->trace);
    if (!t || !has_waiting_thread(t, tt_thread_count(s->input->capture))) {
        return true;
    }
    struct tt_wakes *wakes = tt_wakes_new(s->input->trace);
    bool ok = wakes && tt_snapshot_make(wakes, tt_timelines_end(t), &s->last);
    tt_wakes_free(wakes);
    return ok;
}

struct tt_status tt_info_print(const struct tt_options *options, struct tt_input *input,
                               unsigned parts, struct tt_output *out)
{
    struct summary summary = {.input = input};
    bool health = parts & TT_INFO_HEALTH;
    struct tt_status status = count_picked(options, &summary);
    if (!tt_failed(&status) &&
        (!summarize(&summary) || !tt_registry_totals(input->capture, &summary.totals) ||
         (health && !find_last(&summary)))) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        info_print(options, &summary, parts, out);
    }
    free(summary.type_events);
    free(summary.class_events);
    free(summary.names);
    tt_snapshot_free(&summary.last);
    return status;
}

static struct tt_status info_input(const struct tt_options *options, struct tt_input *input,
                                   struct tt_output *out)
{
    return tt_info_print(options, input, TT_INFO_ALL, out);
}

enum tt_exit tt_command_info(const struct tt_options *options)
{
    return tt_command_each_input(options, info_input);
}
