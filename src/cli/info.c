/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/info.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/snapshot.h"
#include "analysis/missing.h"
#include "base/text_columns.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/writers.h"
#include "merge/merge_plan.h"
#include "print/record/fields.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"

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
    const struct tt_event_type *type = ((const struct name_count *)a)->type;
    const struct tt_event_type *event_type = ((const struct name_count *)b)->type;
    if (type->class_id != event_type->class_id) {
        return type->class_id < event_type->class_id ? -1 : 1;
    }
    return strcmp(type->name, event_type->name);
}

static int by_class_and_count(const void *a, const void *b)
{
    const struct name_count *left = a, *right = b;
    if (left->type->class_id == right->type->class_id && left->events != right->events) {
        return left->events > right->events ? -1 : 1;
    }
    return by_name(a, b);
}

/* Counts the selected events, and with a filter those that it matches. */
static struct tt_status count_types(struct summary *summary, const struct tt_event_selection *pick,
                                    const struct tt_filter_result *found)
{
    struct tt_event batch[AT_ONCE];
    uint32_t types = tt_types_count(summary->input->capture);
    summary->type_events = calloc((size_t)types + 1, sizeof *summary->type_events);
    if (!summary->type_events) {
        return tt_error_memory();
    }
    for (uint64_t row = pick->first_row; row < pick->end_row; row += AT_ONCE) {
        uint64_t end = row + AT_ONCE < pick->end_row ? row + AT_ONCE : pick->end_row;
        bool none = found && tt_filter_result_rank(found, row) == tt_filter_result_rank(found, end);
        uint32_t count =
            none ? 0 : tt_events_read(summary->input->events, row, (uint32_t)(end - row), batch);
        for (uint32_t i = 0; i < count; i++) {
            if (batch[i].type < types && tt_event_selection_matches(pick, &batch[i]) &&
                (!found || tt_filter_result_has(found, row + i))) {
                summary->type_events[batch[i].type]++;
                summary->matching++;
            }
        }
    }
    return tt_ok();
}

static struct tt_status run_filter(struct summary *summary, const struct tt_event_selection *pick)
{
    struct tt_filter_result *found = NULL;
    struct tt_status status = tt_event_selection_find(pick, summary->input, &found);
    if (!tt_failed(&status)) {
        status = count_types(summary, pick, found);
    }
    tt_filter_result_free(found);
    return status;
}

/* Counts the selected events, if not all are selected. */
static struct tt_status count_picked(const struct tt_options *options, struct summary *summary)
{
    bool all = !options->filter && options->from.kind == TT_TIME_SPEC_NONE &&
               options->to.kind == TT_TIME_SPEC_NONE && options->threads.count == 0 &&
               !options->cpus.given;
    struct tt_event_selection pick;
    struct tt_status status =
        all ? tt_ok() : tt_event_selection_make(options, summary->input, &pick);
    if (all || tt_failed(&status)) {
        return status;
    }
    status = pick.plan ? run_filter(summary, &pick) : count_types(summary, &pick, NULL);
    tt_event_selection_free(&pick);
    return status;
}

/* Counts classes and names; false if out of memory. */
static bool summarize(struct summary *summary)
{
    const struct tt_capture *capture = summary->input->capture;
    uint32_t types = tt_types_count(capture);
    summary->class_events =
        calloc((size_t)tt_classes_count(capture) + 1, sizeof *summary->class_events);
    summary->names = calloc((size_t)types + 1, sizeof *summary->names);
    if (!summary->class_events || !summary->names) {
        return false;
    }
    for (uint32_t i = 0; i < types; i++) {
        uint64_t events = summary->type_events ? summary->type_events[i]
                                               : tt_trace_type_events(summary->input->trace, i);
        if (events > 0) {
            summary->names[summary->name_count++] =
                (struct name_count){tt_types_at(capture, i), events};
            summary->class_events[tt_types_at(capture, i)->class_id] += events;
        }
    }
    qsort(summary->names, summary->name_count, sizeof *summary->names, by_name);

    /* Merges entries of the same name; the list is sorted by name. */
    size_t kept = 0;
    for (size_t i = 0; i < summary->name_count; i++) {
        if (kept > 0 && by_name(&summary->names[kept - 1], &summary->names[i]) == 0) {
            summary->names[kept - 1].events += summary->names[i].events;
        } else {
            summary->names[kept++] = summary->names[i];
        }
    }
    summary->name_count = kept;

    qsort(summary->names, summary->name_count, sizeof *summary->names, by_class_and_count);
    return true;
}

/* ---- text --------------------------------------------------------------------------------- */

static void info_label(struct tt_text *text, const char *name)
{
    size_t start = text->used;
    tt_text_fill(text, ' ', INDENT);
    tt_text_escaped(text, name, strlen(name));
    tt_text_pad_to(text, start, LABEL_COLUMN, 1);
}

static void info_counted(struct tt_text *text, uint64_t count, const char *one, const char *more)
{
    tt_text_put(text, "%'ju ", count);
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
    const struct tt_capture *capture = input->capture;
    const struct tt_progress *progress = &input->progress;
    info_label(text, "time");
    if (progress->events == 0) {
        tt_text_str(text, "no events\n");
        return;
    }
    tt_line_time(text, capture,
                 tt_relative_ticks(capture, progress->first_ticks, progress->first_ticks));
    tt_text_str(text, " .. ");
    tt_line_time(text, capture,
                 tt_relative_ticks(capture, progress->last_ticks, progress->first_ticks));
    tt_text_str(text, capture->clock_hz ? " s\n" : " ticks\n");
}

static void text_head(struct tt_text *text, const struct summary *summary)
{
    const struct tt_input *input = summary->input;
    const struct tt_capture *capture = input->capture;
    const struct tt_progress *progress = &input->progress;
    tt_text_escaped(text, input->path, strlen(input->path));
    tt_text_char(text, '\n');
    info_label(text, "format");
    tt_text_str(text, capture->format->title);
    if (capture->version[0]) {
        tt_text_str(text, ", ");
        tt_text_escaped(text, capture->version, strlen(capture->version));
    }
    tt_text_char(text, '\n');
    info_label(text, "events");
    tt_text_put(text, "%'ju in ", progress->events);
    info_counted(text, progress->records, "record", "records");
    if (progress->derived > 0) {
        tt_text_str(text, ", and ");
        info_counted(text, progress->derived, "derived", "derived");
    }
    tt_text_char(text, '\n');
    if (summary->type_events) {
        info_label(text, "matching");
        info_counted(text, summary->matching, "event\n", "events\n");
    }
    text_time(text, input);
    info_label(text, "clock");
    if (capture->clock_hz) {
        info_counted(text, capture->clock_hz, "Hz\n", "Hz\n");
    } else {
        tt_text_str(text, "none: times are ticks (--clock HZ gives one)\n");
    }
    info_label(text, "CPUs");
    tt_text_put(text, "%'u\n", capture->cpu_count);
    info_label(text, "threads");
    tt_text_put(text, "%'u in ", summary->totals.threads);
    info_counted(text, summary->totals.processes, "process", "processes");
    if (summary->totals.idle > 0) {
        tt_text_str(text, ", and ");
        info_counted(text, summary->totals.idle, "idle thread", "idle threads");
    }
    tt_text_char(text, '\n');
}

static void text_ticks(struct tt_text *text, const struct summary *summary, uint64_t ticks)
{
    const struct tt_capture *capture = summary->input->capture;
    tt_line_time(text, capture,
                 tt_relative_ticks(capture, ticks, summary->input->progress.first_ticks));
}

/* Writes when each capture of a merged one begins and ends, and the time that all have in common. */
static void text_members(struct tt_text *text, const struct summary *summary)
{
    const struct tt_merge *merge = summary->input->capture->merge;
    struct tt_merge_extent extents[TT_MERGE_MOST];
    uint64_t from = 0, to = UINT64_MAX;
    tt_merge_extents(summary->input->trace, summary->input->events, extents);
    tt_text_str(text, "\ntime of the captures\n");
    for (unsigned i = 0; i < merge->count; i++) {
        const char *name = merge->members[i].capture->label;
        size_t start = text->used;
        tt_text_fill(text, ' ', INDENT);
        tt_text_escaped(text, name, strlen(name));
        tt_text_pad_to(text, start, 2 * LABEL_COLUMN, 2);
        text_ticks(text, summary, extents[i].first_ticks);
        tt_text_str(text, " .. ");
        text_ticks(text, summary, extents[i].last_ticks);
        tt_text_str(text, summary->input->capture->clock_hz ? " s, " : " ticks, ");
        info_counted(text, extents[i].events, "event\n", "events\n");
        from = extents[i].first_ticks > from ? extents[i].first_ticks : from;
        to = extents[i].last_ticks < to ? extents[i].last_ticks : to;
    }
    size_t start = text->used;
    tt_text_fill(text, ' ', INDENT);
    tt_text_str(text, "overlap");
    tt_text_pad_to(text, start, 2 * LABEL_COLUMN, 2);
    if (from <= to) {
        text_ticks(text, summary, from);
        tt_text_str(text, " .. ");
        text_ticks(text, summary, to);
        tt_text_str(text, summary->input->capture->clock_hz ? " s\n" : " ticks\n");
    } else {
        tt_text_str(text, "none\n");
    }
}

static void text_facts(struct tt_text *text, const struct tt_capture *capture)
{
    uint32_t last = TT_NO_FACT;
    for (uint32_t i = tt_facts_next(capture, last); i != TT_NO_FACT;
         i = tt_facts_next(capture, i)) {
        const struct tt_fact *fact = tt_facts_at(capture, i);
        if (!tt_facts_same_section(capture, last, i)) {
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

static void text_counts(struct tt_text *text, const struct summary *summary)
{
    const struct tt_input *input = summary->input;
    uint32_t classes = tt_classes_count(input->capture);
    if (input->progress.events == 0 || summary->name_count == 0) {
        return;
    }
    tt_text_str(text, summary->type_events ? "\nclasses that match\n" : "\nclasses\n");
    for (uint32_t i = 0; i < classes; i++) {
        uint64_t count = summary->class_events[i];
        if (count > 0) {
            name_and_count(text, tt_classes_name(input->capture, i), NULL, count);
            tt_text_char(text, '\n');
        }
    }
    tt_text_str(text, summary->type_events ? "\nevents that match\n" : "\nevents\n");
    for (size_t i = 0; i < summary->name_count; i++) {
        const struct tt_event_type *type = summary->names[i].type;
        name_and_count(text, type->class_name, type->name, summary->names[i].events);
        tt_text_char(text, '\n');
    }
}

#define STRETCHES 10u /* of damaged bytes that are listed */

/* Writes the deadlocks at the end of the capture; returns whether there are any. */
static bool text_deadlocks(struct tt_text *text, const struct summary *summary)
{
    bool any = false;
    for (uint32_t i = 0; i < summary->last.count; i++) {
        if (tt_snapshot_begins_deadlock(&summary->last, &summary->last.rows[i])) {
            any = true;
            info_label(text, "deadlock");
            tt_snapshot_put_cycle(text, summary->input->capture, &summary->last,
                                  &summary->last.rows[i]);
            tt_text_char(text, '\n');
        }
    }
    return any;
}

static void text_health(struct tt_text *text, const struct summary *summary)
{
    const struct tt_capture *capture = summary->input->capture;
    tt_text_str(text, "\nhealth\n");
    bool sound = !text_deadlocks(text, summary);
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(capture, (enum tt_health_kind)kind);
        if (count == 0) {
            continue;
        }
        sound = false;
        name_and_count(text, tt_health_key(kind), NULL, count);
        tt_text_put(text, "  %s", tt_health_text(kind));

        const uint32_t first = tt_health_next(capture, kind, 0);
        if (first != UINT32_MAX) {
            const struct tt_health_record record = tt_health_at(capture, first);
            tt_text_str(text, ", first at ");
            tt_health_place_text(&record, text);
        }

        tt_text_char(text, '\n');
        if (kind == TT_HEALTH_DAMAGED) {
            /* Lists the first stretches of damaged bytes. */
            uint64_t rest = tt_health_count(capture, TT_HEALTH_DAMAGED);
            const uint64_t most = rest > STRETCHES ? rest - STRETCHES : 0;
            for (uint32_t i = 0;
                 rest > most && (i = tt_health_next(capture, TT_HEALTH_DAMAGED, i)) != UINT32_MAX;
                 i++) {
                const struct tt_health_record record = tt_health_at(capture, i);
                tt_text_fill(text, ' ', INDENT * 2);
                tt_health_stretch_text(&record, text);
                tt_text_char(text, '\n');
                rest--;
            }
            if (rest > 0) {
                tt_text_fill(text, ' ', INDENT * 2);
                tt_text_put(text, "and %'ju more\n", rest);
            }
        }
    }
    if (sound) {
        tt_text_str(text, "  no problems found\n");
    }
}

static void info_text(struct tt_text *text, const struct summary *summary, unsigned parts)
{
    if (parts & TT_INFO_HEAD) {
        text_head(text, summary);
        if (summary->input->capture->merge) {
            text_members(text, summary);
        }
    }
    if (parts & TT_INFO_FACTS) {
        text_facts(text, summary->input->capture);
    }
    if (parts & TT_INFO_COUNTS) {
        text_counts(text, summary);
    }
    if (parts & TT_INFO_HEALTH) {
        text_health(text, summary);
    }
    if (parts & TT_INFO_MISSING) {
        /*
         * Writes what was not recorded: a line for what that costs, and one for how to record it.
         */
        uint32_t missing = tt_missing_find(summary->input->trace);
        if (missing == 0) {
            return;
        }
        tt_text_str(text, "\nnot in the capture\n");
        for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
            if (missing >> i & 1) {
                info_label(text, tt_missing_key(i));
                tt_text_put(text, "%s\n", tt_missing_cost(i));
                tt_text_fill(text, ' ', INDENT * 2);
                tt_text_put(text, "%s\n", tt_missing_remedy(summary->input->capture, i));
            }
        }
    }
}

/* ---- json --------------------------------------------------------------------------------- */

static void put_classes(struct tt_fields *fields, const struct summary *summary)
{
    const struct tt_capture *capture = summary->input->capture;
    uint32_t classes = tt_classes_count(capture);
    tt_field_open(fields, "classes", '{');
    for (uint32_t i = 0; i < classes; i++) {
        if (summary->class_events[i] > 0) {
            const char *name = tt_classes_name(capture, i);
            tt_field_name(fields, name, strlen(name), NULL);
            tt_field_u64(fields, NULL, summary->class_events[i]);
        }
    }
    tt_field_close(fields, '}');
    tt_field_open(fields, "health", '{');
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        uint64_t count = tt_health_count(capture, (enum tt_health_kind)kind);
        if (count > 0) {
            tt_field_u64(fields, tt_health_key(kind), count);
        }
    }
    tt_field_close(fields, '}');
}

/* Writes the kinds of records that are missing, and the deadlocks at the end, a text each. */
static void put_findings(struct tt_fields *fields, const struct summary *summary)
{
    char buffer[8192];
    uint32_t missing = tt_missing_find(summary->input->trace);
    tt_field_open(fields, "missing", '[');
    for (unsigned i = 0; i < TT_MISSING_COUNT; i++) {
        if (missing >> i & 1) {
            tt_field_text(fields, NULL, tt_missing_key(i));
        }
    }
    tt_field_close(fields, ']');
    tt_field_open(fields, "deadlocks", '[');
    for (uint32_t i = 0; i < summary->last.count; i++) {
        if (tt_snapshot_begins_deadlock(&summary->last, &summary->last.rows[i])) {
            struct tt_text cycle = tt_text_of(buffer, sizeof buffer);
            tt_snapshot_put_cycle(&cycle, summary->input->capture, &summary->last,
                                  &summary->last.rows[i]);
            tt_field_line(fields, NULL, cycle.buffer, cycle.used);
        }
    }
    tt_field_close(fields, ']');
}

/* Writes the captures of a merged one: name, format, alignment, extent. */
static void put_captures(struct tt_fields *fields, const struct summary *summary)
{
    const struct tt_capture *capture = summary->input->capture;
    struct tt_merge_extent extents[TT_MERGE_MOST];
    tt_merge_extents(summary->input->trace, summary->input->events, extents);
    tt_field_open(fields, "captures", '[');
    for (unsigned i = 0; i < capture->merge->count; i++) {
        const struct tt_merge_member *member = &capture->merge->members[i];
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
                                        capture->clock_hz ? capture->clock_hz : 1));
        tt_field_u64(fields, "events", extents[i].events);
        tt_field_number(fields, "first_ticks", any, extents[i].first_ticks);
        tt_field_number(fields, "last_ticks", any, extents[i].last_ticks);
        tt_field_close(fields, '}');
    }
    tt_field_close(fields, ']');
}

static void info_json(struct tt_text *text, const struct summary *summary)
{
    const struct tt_capture *capture = summary->input->capture;
    const struct tt_progress *progress = &summary->input->progress;
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_text(&fields, "format", capture->format->name);
    tt_field_text(&fields, "version", capture->version);
    tt_field_number(&fields, "clock_hz", capture->clock_hz != 0, capture->clock_hz);
    tt_field_u64(&fields, "cpus", capture->cpu_count);
    tt_field_u64(&fields, "events", progress->events);
    tt_field_u64(&fields, "records", progress->records);
    tt_field_u64(&fields, "derived", progress->derived);
    if (summary->type_events) {
        tt_field_u64(&fields, "matching", summary->matching);
    }
    tt_field_number(&fields, "first_ticks", progress->events > 0, progress->first_ticks);
    tt_field_number(&fields, "last_ticks", progress->events > 0, progress->last_ticks);
    tt_field_u64(&fields, "threads", summary->totals.threads);
    tt_field_u64(&fields, "idle_threads", summary->totals.idle);
    tt_field_u64(&fields, "processes", summary->totals.processes);
    if (capture->merge) {
        put_captures(&fields, summary);
    }
    put_classes(&fields, summary);

    /* Lists the first stretches of damaged bytes, if there are any. */
    uint32_t listed = 0;
    for (uint32_t i = 0;
         listed < STRETCHES && (i = tt_health_next(capture, TT_HEALTH_DAMAGED, i)) != UINT32_MAX;
         i++) {
        const struct tt_health_record record = tt_health_at(capture, i);
        if (listed++ == 0) {
            tt_field_open(&fields, "damaged_bytes", '[');
        }
        tt_field_open(&fields, NULL, '{');
        tt_field_u64(&fields, "offset", record.offset);
        tt_field_u64(&fields, "bytes", record.value);
        tt_field_close(&fields, '}');
    }
    if (listed > 0) {
        tt_field_close(&fields, ']');
    }

    put_findings(&fields, summary);
    tt_fields_end(&fields);
}

/* Returns whether a thread waits for another one at the last event, as in each deadlock. */
static bool has_waiting_thread(const struct tt_timelines *timelines, uint32_t threads)
{
    struct tt_interval_at at;
    for (uint32_t thread = 0; thread < threads; thread++) {
        if (tt_interval_find(timelines, thread, tt_timelines_end(timelines), &at)) {
            struct tt_interval i = tt_interval_get(timelines, at);
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
static bool find_last(struct summary *summary)
{
    const struct tt_timelines *timelines = tt_trace_timelines(summary->input->trace);
    if (!timelines || !has_waiting_thread(timelines, tt_thread_count(summary->input->capture))) {
        return true;
    }
    struct tt_wakes *wakes = tt_wakes_new(summary->input->trace);
    bool ok = wakes && tt_snapshot_make(wakes, tt_timelines_end(timelines), &summary->last);
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
        /*
         * ---- the command
         * --------------------------------------------------------------------------
         */
        struct tt_text text;
        do {
            text = tt_output_begin(out);
            if (options->format == TT_OUTPUT_JSONL) {
                info_json(&text, &summary);
            } else {
                tt_text_str(&text, out->begun ? "\n" : "");
                info_text(&text, &summary, parts);
            }
        } while (!tt_output_end(out, &text));
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
