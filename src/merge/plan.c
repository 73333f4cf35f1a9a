/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan: finds an instant that each capture has in common with the reference, and from these the maps to
 * the common clock.
 */
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "merge/guests.h"
#include "tracetui/text.h"
#include "tracetui/time.h"
#include "tracetui/time_spec.h"

/* A capture on the clock of the reference: the same instant on both clocks, or pairs of events. */
struct place {
    struct tt_clock_pair *pairs; /* from: ticks of the capture; to: ticks of the reference */
    unsigned pair_count;
    struct tt_time_spec offset;
};

struct maker {
    const struct tt_merge_request *request;
    struct tt_merge_plan *plan;
    struct merge_capture captures[TT_MERGE_MOST];
    struct place places[TT_MERGE_MOST];
};

void tt_merge_plan_free(struct tt_merge_plan *plan)
{
    if (plan) {
        for (unsigned i = 0; plan->sources && i < plan->count; i++) {
            free((char *)plan->sources[i].path);
        }
        free(plan->sources);
        free(plan);
    }
}

static const struct tt_capture *capture_of(const struct maker *maker, unsigned number)
{
    return tt_trace_capture(maker->captures[number].trace);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Sets the name of a source: the last `parts` components of its path. */
static void plan_set_name(struct tt_merge_source *source, unsigned parts)
{
    const char *name = source->path + strlen(source->path);
    while (name > source->path && (name[-1] != '/' || --parts > 0)) {
        name--;
    }
    size_t length = strlen(name);
    size_t skipped = length < sizeof source->name ? 0 : length - sizeof source->name + 1;
    memcpy(source->name, name + skipped, length - skipped + 1);
}

static bool is_name_unique(const struct tt_merge_plan *plan, unsigned number)
{
    for (unsigned i = 0; i < plan->count; i++) {
        if (i != number && strcmp(plan->sources[i].name, plan->sources[number].name) == 0) {
            return false;
        }
    }
    return true;
}

/* ---- the request ---------------------------------------------------------------------------- */

/*
 * Returns the text after the number of a capture, "2:", and sets *number, counted from 0; the text
 * itself, and no change, without a number. NULL if there is no such capture.
 */
static const char *after_number(const struct maker *maker, const char *text, unsigned *number)
{
    const char *end = text;
    uint64_t value;
    if (!tt_digits_pass(&end, &value) || *end != ':') {
        return text;
    }
    *number = (unsigned)value - 1;
    return value >= 1 && value <= maker->plan->count ? end + 1 : NULL;
}

static struct tt_status read_offset(struct maker *maker, const char *text)
{
    unsigned number = 1;
    struct tt_time_spec offset;
    const char *rest = after_number(maker, text, &number);
    if (!rest || number == 0) {
        return tt_error(TT_ERR_USAGE, "--offset: '%.80s': captures 2 to %u have an offset", text,
                        maker->plan->count);
    }
    struct tt_status status = tt_time_spec_parse(rest, &offset);
    if (tt_failed(&status)) {
        return tt_status_context(status, "--offset");
    }
    if (offset.kind != TT_TIME_SPEC_NS && offset.kind != TT_TIME_SPEC_TICKS) {
        return tt_error(TT_ERR_USAGE, "--offset: '%.80s' is not a duration", text);
    }
    maker->places[number].offset = offset;
    return tt_ok();
}

static struct tt_status read_alignment(struct maker *maker, const char *a, const char *b)
{
    unsigned first = 0, second = 1;
    const char *event_a = after_number(maker, a, &first),
               *event_b = after_number(maker, b, &second);
    if (!event_a || !event_b) {
        return tt_error(TT_ERR_USAGE, "--align: '%.80s': no capture with this number",
                        event_a ? b : a);
    }
    if ((first == 0) == (second == 0)) {
        return tt_error(TT_ERR_USAGE, "--align: one of the two events must be of capture 1");
    }
    unsigned other = first == 0 ? second : first;
    struct place *place = &maker->places[other];
    struct tt_clock_pair *pairs =
        realloc(place->pairs, (place->pair_count + 1) * sizeof *place->pairs);
    if (!pairs) {
        return tt_error_memory();
    }
    place->pairs = pairs;
    struct tt_clock_pair *pair = &pairs[place->pair_count++];
    struct tt_status status =
        merge_capture_find(&maker->captures[0], first == 0 ? event_a : event_b, &pair->to);
    if (!tt_failed(&status)) {
        status = merge_capture_find(&maker->captures[other], first == 0 ? event_b : event_a,
                                    &pair->from);
    }
    return tt_failed(&status) ? tt_status_context(status, "--align") : status;
}

static struct tt_status read_request(struct maker *maker)
{
    const struct tt_merge_request *request = maker->request;
    struct tt_status status = tt_ok();
    for (unsigned i = 0; i < request->offset_count && !tt_failed(&status); i++) {
        status = read_offset(maker, request->offsets[i]);
    }
    for (unsigned i = 0; i < request->alignment_count && !tt_failed(&status); i++) {
        status = read_alignment(maker, request->alignments[2 * i], request->alignments[2 * i + 1]);
    }
    return status;
}

/* ---- clocks --------------------------------------------------------------------------------- */

#define RATE_MOST UINT64_C(4000000000) /* times of hours remain small numbers */

/* Finds the rate of the common clock. */
static struct tt_status set_rate(struct maker *maker)
{
    struct tt_merge_plan *plan = maker->plan;
    for (unsigned i = 0; i < plan->count; i++) {
        plan->sources[i].hz = capture_of(maker, i)->clock_hz;
        if (plan->sources[i].is_log && plan->hz != 0) {
            continue; /* a log is rounded to the clock of the captures, whose ticks stay as they are */
        }

        /*
         * Returns a rate of which both rates are divisors, so that each tick of either clock is a
         * number of ticks; the higher one of both if there is none up to RATE_MOST. 0: there is no
         * clock.
         */
        uint64_t a = plan->hz;
        uint64_t b = plan->sources[i].hz;
        uint64_t divisor = a, rest = b, both;
        while (rest != 0) {
            uint64_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        bool exact = a != 0 && b != 0 && tt_mul_div(a, b, divisor, &both) && both <= RATE_MOST;
        plan->hz = exact ? both : a > b ? a : b;
    }
    unsigned buffers = 0;
    for (unsigned i = 0; i < plan->count; i++) {
        buffers += strcmp(capture_of(maker, i)->format->name, "trx") == 0;
    }
    plan->in_turn = plan->one_system && buffers == plan->count;
    for (unsigned i = 0; i < plan->count; i++) {
        uint64_t hz = plan->sources[i].hz;
        if (plan->one_system && buffers > 0 && !plan->in_turn) {
            return tt_error(TT_ERR_USAGE, "--one-system: only some captures are ThreadX buffers");
        }
        if (hz == 0 && plan->hz != 0) {
            return tt_error(TT_ERR_USAGE, "%s: the rate of its clock is unknown: add --clock HZ",
                            plan->sources[i].name);
        }
        if (hz != plan->hz && plan->one_system) {
            return tt_error(TT_ERR_USAGE,
                            "--one-system: the clocks of %s and %s have different rates",
                            plan->sources[0].name, plan->sources[i].name);
        }
    }
    return tt_ok();
}

/*
 * Moves the capture's instant of a pair later by a duration, which may be negative. Instead of a time
 * before 0 of the common clock, uses a later one of the capture.
 */
static void shift(struct tt_clock_pair *pair, const struct tt_time_spec *by, uint64_t own_hz,
                  uint64_t hz)
{
    uint64_t size = by->value < 0 ? 0 - (uint64_t)by->value : (uint64_t)by->value, ticks = size;
    if (by->kind == TT_TIME_SPEC_NS && !tt_ns_to_ticks(size, hz, &ticks)) {
        ticks = TT_TICKS_LAST;
    }
    if (by->value >= 0 && pair->to < TT_TICKS_LAST - ticks) {
        pair->to += ticks;
    } else if (by->value < 0 && pair->to >= ticks) {
        pair->to -= ticks;
    } else if (by->value < 0) {
        uint64_t later;
        pair->from += tt_mul_div(ticks - pair->to, own_hz, hz, &later) ? later : 0;
        pair->to = 0;
    }
}

/* Finds how a capture is aligned, and pairs of instants for it; `one` is room for two pairs. */
static struct tt_status find_pairs(struct maker *maker, unsigned number, struct tt_clock_pair *one,
                                   const struct tt_clock_pair **pairs, unsigned *count)
{
    struct tt_merge_source *source = &maker->plan->sources[number];
    const struct place *place = &maker->places[number];
    bool dated = capture_of(maker, 0)->has_wall_clock &&
                 capture_of(maker, number)->has_wall_clock && maker->plan->hz != 0;
    *pairs = place->pair_count > 0 ? place->pairs : one;
    *count = place->pair_count > 0 ? place->pair_count : 1;
    if (place->pair_count > 0) {
        source->by = TT_MERGE_BY_EVENTS;
        source->pairs = place->pair_count;
        return tt_ok();
    }
    unsigned found = place->offset.kind == TT_TIME_SPEC_NONE
                         ? merge_guests_pairs(maker->captures, maker->plan, number, one)
                         : 0;
    if (found > 0) {
        source->by = TT_MERGE_BY_GUEST;
        *count = found;
        return tt_ok();
    }
    if (place->offset.kind == TT_TIME_SPEC_NONE && dated) {
        source->by = TT_MERGE_BY_DATE;

        /* Uses the dates of tick 0 of both clocks. */
        const struct tt_capture *left = capture_of(maker, 0), *right = capture_of(maker, number);
        bool later = right->wall_clock >= left->wall_clock;
        uint64_t apart = later ? (uint64_t)right->wall_clock - (uint64_t)left->wall_clock
                               : (uint64_t)left->wall_clock - (uint64_t)right->wall_clock;
        uint64_t hz = later ? left->clock_hz : right->clock_hz, ticks;
        if (!tt_mul_div(apart, hz, 1, &ticks)) {
            ticks = TT_TICKS_LAST;
        }
        *one = (struct tt_clock_pair){later ? 0 : ticks, later ? ticks : 0};

        return tt_ok();
    }
    const struct tt_merge_source *first = &maker->plan->sources[0];
    if (place->offset.kind == TT_TIME_SPEC_NONE && capture_of(maker, number)->since_boot &&
        (!first->is_log || capture_of(maker, 0)->since_boot)) {
        source->by = TT_MERGE_BY_BOOT;
        *one = (struct tt_clock_pair){0, 0};
        return tt_ok();
    }
    source->by = place->offset.kind == TT_TIME_SPEC_NONE ? TT_MERGE_BY_START : TT_MERGE_BY_OFFSET;

    /* Uses the first events, the other capture's `offset` after that of the reference. */
    struct tt_status status = merge_capture_index(&maker->captures[0]);
    if (!tt_failed(&status)) {
        status = merge_capture_index(&maker->captures[number]);
    }
    one->from = maker->captures[number].first_ticks;
    one->to = maker->captures[0].first_ticks;
    return status;
}

/* Maps the clock of a capture to that of the reference, in ticks of the common rate. */
static struct tt_status map_to_reference(struct maker *maker, unsigned number)
{
    struct tt_merge_source *source = &maker->plan->sources[number];
    const struct tt_merge_source *first = &maker->plan->sources[0];
    const uint64_t hz = maker->plan->hz ? maker->plan->hz : 1, own_hz = source->hz ? source->hz : 1;
    const struct tt_clock_map to_common = {0, 0, first->hz ? first->hz : 1, hz};
    struct tt_clock_pair room[2];
    const struct tt_clock_pair *found;
    unsigned count;
    struct tt_status status = find_pairs(maker, number, room, &found, &count);
    struct tt_clock_pair *pairs = calloc(count, sizeof *pairs);
    for (unsigned i = 0; pairs && !tt_failed(&status) && i < count; i++) {
        pairs[i].from = found[i].from;
        pairs[i].to = tt_clock_map_ticks(&to_common, found[i].to);
    }
    if (!tt_failed(&status) && !pairs) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status) && source->by == TT_MERGE_BY_OFFSET) {
        const struct tt_time_spec *offset = &maker->places[number].offset;
        if (offset->kind == TT_TIME_SPEC_NS && maker->plan->hz == 0) {
            status =
                tt_error(TT_ERR_USAGE, "--offset: the captures have no clock: use ticks (500t)");
        }
        shift(pairs, offset, own_hz, hz);
    }
    if (!tt_failed(&status) &&
        !tt_clock_map_fit(pairs, count, own_hz, hz, &source->clock, &source->residual)) {
        status = tt_error(TT_ERR_USAGE, "--align: %s: the pairs of events contradict each other",
                          source->name);
    }
    free(pairs);
    return status;
}

static struct tt_status map_clocks(struct maker *maker)
{
    struct tt_merge_plan *plan = maker->plan;
    struct tt_status status = tt_ok();
    uint64_t hz = plan->hz ? plan->hz : 1;
    plan->sources[0].clock =
        (struct tt_clock_map){0, 0, plan->sources[0].hz ? plan->sources[0].hz : 1, hz};
    plan->sources[0].by = plan->one_system ? TT_MERGE_BY_SYSTEM : TT_MERGE_BY_REFERENCE;
    for (unsigned i = 1; i < plan->count && !tt_failed(&status); i++) {
        if (plan->one_system) {
            plan->sources[i].clock = plan->sources[0].clock;
            plan->sources[i].by = TT_MERGE_BY_SYSTEM;
        } else {
            status = map_to_reference(maker, i);
        }
    }
    if (!tt_failed(&status)) {
        /*
         * Moves the common tick 0 before tick 0 of every capture, by whole seconds: a time before
         * it would be lost.
         */

        uint64_t before = 0;
        for (unsigned i = 1; i < plan->count; i++) {
            const struct tt_clock_map *map = &plan->sources[i].clock;
            uint64_t span = tt_clock_map_span(map, map->from_at);
            uint64_t short_by = span > map->to_at ? span - map->to_at : 0;
            before = short_by > before ? short_by : before;
        }

        uint64_t seconds = before / hz + (before % hz != 0);
        before = seconds <= TT_TICKS_LAST / hz ? seconds * hz : before;
        for (unsigned i = 0; i < plan->count; i++) {
            struct tt_clock_map *map = &plan->sources[i].clock;
            map->to_at = map->to_at < TT_TICKS_LAST - before ? map->to_at + before : TT_TICKS_LAST;
        }
        const struct tt_capture *first = capture_of(maker, 0);
        plan->has_wall_clock = first->has_wall_clock && plan->hz != 0;
        plan->wall_clock = plan->has_wall_clock ? first->wall_clock - (int64_t)seconds : 0;
    }
    return status;
}

/* ---- making it ------------------------------------------------------------------------------ */

static struct tt_merge_plan *new_plan(const struct tt_merge_request *request)
{
    struct tt_merge_plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        return NULL;
    }
    plan->sources = calloc(request->count, sizeof *plan->sources);
    plan->count = request->count;
    plan->one_system = request->one_system;
    plan->follows = request->options.map.follow;
    bool good = plan->sources != NULL;
    for (unsigned i = 0; good && i < request->count; i++) {
        plan->sources[i].path = strdup(request->paths[i]);
        plan->sources[i].is_log = i >= request->count - request->log_count;
        good = plan->sources[i].path != NULL;
    }
    if (!good) {
        tt_merge_plan_free(plan);
        return NULL;
    }

    /*
     * Names each capture after its file, with the directory or a number if two files have the same
     * name.
     */
    bool clash[TT_MERGE_MOST];
    for (unsigned parts = 1; parts <= 2; parts++) {
        for (unsigned i = 0; i < plan->count; i++) {
            clash[i] = parts == 1 || !is_name_unique(plan, i);
        }
        for (unsigned i = 0; i < plan->count; i++) {
            if (clash[i]) {
                plan_set_name(&plan->sources[i], parts);
            }
        }
    }
    for (unsigned i = 0; i < plan->count; i++) {
        clash[i] = !is_name_unique(plan, i);
    }
    for (unsigned i = 0; i < plan->count; i++) {
        struct tt_text text = tt_text_of(plan->sources[i].name, sizeof plan->sources[i].name);
        size_t used = strlen(plan->sources[i].name);
        if (clash[i]) {
            text.used =
                used < sizeof plan->sources[i].name - 5 ? used : sizeof plan->sources[i].name - 5;
            tt_text_str(&text, "#");
            tt_text_u64(&text, i + 1);
            tt_text_cstr(&text);
        }
    }

    return plan;
}

/* Finds the date of the first capture, which the dates of logs may lack. */
static struct tt_status find_log_date(struct maker *maker, struct tt_capture_options *options)
{
    struct tt_merge_plan *plan = maker->plan;
    const struct tt_capture *first = capture_of(maker, 0);
    uint64_t ticks = 0;
    if (!first->has_wall_clock || first->clock_hz == 0) {
        return tt_ok();
    }
    struct tt_status status =
        merge_capture_begin(plan->sources[0].path, &maker->request->options, &ticks);
    plan->has_log_date = options->has_log_date = true;
    plan->log_begin = options->log_begin = first->wall_clock;
    plan->log_date = options->log_date = first->wall_clock + (int64_t)(ticks / first->clock_hz);
    return status;
}

static struct tt_status make(struct maker *maker)
{
    struct tt_status status = tt_ok();
    struct tt_merge_plan *plan = maker->plan;
    struct tt_trace_options options = maker->request->options;
    options.map.follow = false;
    for (unsigned i = 0; i < plan->count && !tt_failed(&status); i++) {
        const struct tt_merge_source *source = &plan->sources[i];
        maker->captures[i].name = source->name;
        if (source->is_log && i > 0 && !options.capture.is_log) {
            status = find_log_date(maker, &options.capture);
        }
        options.capture.is_log = source->is_log;
        status = tt_failed(&status)
                     ? status
                     : merge_capture_open(&maker->captures[i], source->path, &options);
    }
    if (!tt_failed(&status)) {
        status = set_rate(maker);
    }
    if (!tt_failed(&status)) {
        status = read_request(maker);
    }
    for (unsigned i = 0; plan->follows && i < plan->count && !tt_failed(&status); i++) {
        if (tt_capture_is_snapshot(capture_of(maker, i))) {
            status = tt_error(TT_ERR_USAGE, "%s: a buffer in memory is not followed with --log",
                              plan->sources[i].name);
        }
    }
    if (!tt_failed(&status) && !maker->plan->one_system) {
        bool placed[TT_MERGE_MOST] = {false};
        for (unsigned i = 0; i < maker->plan->count; i++) {
            placed[i] = maker->places[i].pair_count > 0 ||
                        maker->places[i].offset.kind != TT_TIME_SPEC_NONE;
        }
        status = merge_guests_find(maker->captures, maker->plan, placed);
    }
    return tt_failed(&status) ? status : map_clocks(maker);
}

struct tt_status tt_merge_plan_make(const struct tt_merge_request *request,
                                    struct tt_merge_plan **plan)
{
    *plan = NULL;
    if (request->count < 2 || request->count > TT_MERGE_MOST) {
        return tt_error(TT_ERR_USAGE, "--merge: expected 2 to %u captures", TT_MERGE_MOST);
    }
    if (request->one_system && request->offset_count + request->alignment_count > 0) {
        return tt_error(TT_ERR_USAGE, "--one-system: all captures have the same clock, without "
                                      "--offset and --align");
    }
    struct maker *maker = calloc(1, sizeof *maker);
    struct tt_merge_plan *made = maker ? new_plan(request) : NULL;
    struct tt_status status = tt_error_memory();
    if (made) {
        maker->request = request;
        maker->plan = made;
        status = make(maker);
    }
    for (unsigned i = 0; maker && i < TT_MERGE_MOST; i++) {
        merge_capture_close(&maker->captures[i]);
        free(maker->places[i].pairs);
    }
    free(maker);
    if (tt_failed(&status)) {
        tt_merge_plan_free(made);
        return status;
    }
    *plan = made;
    return status;
}
