/* SPDX-License-Identifier: Apache-2.0 */
/* merge: opens the members of a merged capture, and makes its format. */
#include "tracetui/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/merge/merge_events.h"
#include "format/merge/merge_internal.h"
#include "tracetui/map.h"
#include "tracetui/text.h"
#include "tracetui/time.h"

/* ---- members -------------------------------------------------------------------------------- */

const char *tt_merge_by_text(unsigned by)
{
    static const char *const texts[] = {
#define X(id, text) text,
        TT_MERGE_BY_INFO(X)
#undef X
    };
    return by < TT_MERGE_BY_COUNT ? texts[by] : "?";
}

unsigned tt_merge_at(const struct tt_merge *merge, uint64_t pos)
{
    unsigned low = 0, high = merge->count;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (merge->members[middle].capture->base <= pos) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct tt_merge_member *merge_member_at(const struct tt_capture *c, uint64_t pos)
{
    return &c->merge->members[tt_merge_at(c->merge, pos)];
}

uint64_t merge_limit(const struct tt_merge_member *member, uint64_t limit)
{
    const struct tt_capture *c = member->capture;
    uint64_t own = limit > c->file_base ? limit - c->file_base : 0;
    return own < c->bytes.size ? own : c->bytes.size;
}

const struct tt_capture *tt_merge_own(const struct tt_capture *c, const struct tt_event *event,
                                      struct tt_event *own)
{
    *own = *event;
    if (!c->merge) {
        return c;
    }
    const struct tt_merge_member *member = merge_member_at(c, event->pos);
    uint16_t first = atomic_load_explicit(&member->first_cpu, memory_order_relaxed);
    own->ticks = tt_clock_map_back(&member->clock, event->ticks);
    own->pos -= member->capture->base;
    own->type = tt_types_own(member->capture, event->type);
    own->cpu = event->cpu == TT_NO_CPU ? TT_NO_CPU : (uint16_t)(event->cpu - first);
    return member->capture;
}

const char *tt_merge_name(const struct tt_capture *c, uint64_t pos)
{
    return c->merge ? merge_member_at(c, pos)->capture->label : NULL;
}

unsigned tt_merge_of_process(const struct tt_capture *c, uint32_t process)
{
    return c->merge && process < tt_process_count(c) ? tt_process_at(c, process)->space : 0;
}

unsigned tt_merge_of_thread(const struct tt_capture *c, uint32_t thread)
{
    return c->merge && thread < tt_thread_count(c)
               ? tt_merge_of_process(c, tt_thread_at(c, thread)->process)
               : 0;
}

unsigned tt_merge_of_cpu(const struct tt_capture *c, uint16_t cpu)
{
    unsigned number = tt_merge_headings(c);
    while (number > 1 && atomic_load_explicit(&c->merge->members[number - 1].first_cpu,
                                              memory_order_relaxed) > cpu) {
        number--;
    }
    return number > 0 ? number - 1 : 0;
}

unsigned tt_merge_of_event(const struct tt_capture *c, const struct tt_event *event)
{
    return tt_merge_headings(c) > 0 ? tt_merge_at(c->merge, event->pos) : 0;
}

unsigned tt_merge_headings(const struct tt_capture *c)
{
    return c->merge && !c->merge->one_system ? c->merge->count : 0;
}

uint64_t tt_merge_salt(const struct tt_merge *merge, unsigned member)
{
    return merge->one_system || member == 0 ? 0 : tt_hash_of_pair(member, UINT64_MAX);
}

uint64_t tt_merge_salt_of(const struct tt_capture *c, uint32_t thread)
{
    return c->merge ? tt_merge_salt(c->merge, tt_merge_of_thread(c, thread)) : 0;
}

const struct tt_capture *tt_merge_system(const struct tt_capture *c, unsigned space)
{
    return space < tt_merge_headings(c) ? c->merge->members[space].capture : c;
}

const struct tt_format *tt_merge_format_of(const struct tt_capture *c, uint32_t thread)
{
    return tt_merge_system(c, tt_merge_of_thread(c, thread))->format;
}

unsigned tt_merge_of_side(const struct tt_capture *c, uint32_t process, uint32_t thread)
{
    return process < tt_process_count(c) ? tt_merge_of_process(c, process)
                                         : tt_merge_of_thread(c, thread);
}

bool tt_merge_lacks_processes(const struct tt_capture *c, uint32_t process, uint32_t thread)
{
    return tt_format_has(tt_merge_system(c, tt_merge_of_side(c, process, thread))->format,
                         TT_FORMAT_NO_PROCESSES);
}

bool tt_merge_any_lacks_processes(const struct tt_capture *c)
{
    bool any = tt_format_has(c->format, TT_FORMAT_NO_PROCESSES);
    for (unsigned i = 0; i < tt_merge_headings(c) && !any; i++) {
        any = tt_format_has(c->merge->members[i].capture->format, TT_FORMAT_NO_PROCESSES);
    }
    return any;
}

uint64_t tt_merge_offset(const struct tt_capture *c, uint64_t pos)
{
    return c->merge ? tt_capture_offset(c, pos) - merge_member_at(c, pos)->capture->file_base
                    : tt_capture_offset(c, pos);
}

/* ---- opening -------------------------------------------------------------------------------- */

static void close_merge(struct tt_capture *c)
{
    struct merge_decoder *d = c->decoder;
    c->decoder = NULL;
    c->merge = NULL;
    if (!d) {
        return;
    }
    for (unsigned i = 0; i < d->merge.count; i++) {
        tt_capture_free(d->merge.members[i].capture);
        free(d->paths[i]);
    }
    free(d->merge.members);
    free(d->states);
    free(d->plan);
    free(d);
}

static struct merge_decoder *new_decoder(const struct tt_merge_plan *plan)
{
    struct merge_decoder *d = calloc(1, sizeof *d);
    struct tt_merge_member *members = calloc(plan->count, sizeof *members);
    struct tt_merge_source *sources = calloc(plan->count, sizeof *sources);
    if (!d || !members || !sources) {
        free(d);
        free(members);
        free(sources);
        return NULL;
    }
    memcpy(sources, plan->sources, plan->count * sizeof *sources);
    d->plan = sources;
    d->merge.members = members;
    d->merge.one_system = plan->one_system;
    return d;
}

/* Opens the file `number` as the next member. */
static struct tt_status open_member(struct tt_capture *c, struct merge_decoder *d, unsigned number,
                                    const struct tt_map *map, uint64_t *base,
                                    const struct tt_capture_options *options)
{
    struct tt_merge_member *member = &d->merge.members[number];
    struct tt_merge_source *source = &d->plan[number];
    const struct tt_map_file file = tt_map_file(map, number);
    d->paths[number] = strdup(source->path);
    source->path = d->paths[number];
    struct tt_status status = tt_capture_new_member(file.bytes, c, &member->capture);
    if (!source->path || tt_failed(&status)) {
        return tt_error_memory();
    }
    struct tt_capture *own = member->capture;
    d->merge.count = number + 1;
    own->label = source->name;
    own->space = d->merge.one_system ? 0 : number;
    own->file_base = file.at;
    own->base = *base > file.at ? *base : file.at;
    atomic_init(&member->begin, UINT64_MAX);
    atomic_init(&member->end_pos, UINT64_MAX);
    member->source = source;
    member->clock = source->clock;
    if (file.damage) {
        tt_health_add(own, TT_HEALTH_CONTAINER, file.damage_at, 0, 0, file.damage);
    }
    status = tt_capture_open(own, source->path, options);
    /* A format with a stream per CPU finds processes by time if asked; positions differ by file. */
    own->lanes_by_time |=
        !tt_failed(&status) && d->merge.one_system && tt_format_has(own->format, TT_FORMAT_RINGS);
    /* An unpacked container can have more bytes than its file. */
    *base = own->base + (own->bytes.size > file.bytes.size ? own->bytes.size : file.bytes.size) + 1;
    return tt_failed(&status) ? tt_status_context(status, source->name) : status;
}

static struct tt_status open_members(struct tt_capture *c, struct merge_decoder *d,
                                     const struct tt_merge_plan *plan, const struct tt_map *map,
                                     const struct tt_capture_options *options)
{
    struct tt_status status = tt_ok();
    uint64_t base = 0;
    for (unsigned i = 0; i < plan->count && !tt_failed(&status); i++) {
        status = open_member(c, d, i, map, &base, options);
        c->lanes_by_time |= !tt_failed(&status) && d->merge.members[i].capture->lanes_by_time;
    }
    return status;
}

static void set_title(struct tt_capture *c, const struct merge_decoder *d)
{
    struct tt_text title = tt_text_of(c->title, sizeof c->title);
    tt_text_u64(&title, d->merge.count);
    tt_text_str(&title, " captures");
    tt_text_cstr(&title);
}

/* Writes a signed number of 10^-9 in 10^-6. */
static void put_drift(struct tt_text *text, int64_t drift)
{
    uint64_t size = drift < 0 ? 0 - (uint64_t)drift : (uint64_t)drift;
    tt_text_str(text, drift < 0 ? "-" : "+");
    tt_text_u64(text, size / 1000);
    tt_text_char(text, '.');
    tt_text_u64_width(text, size % 1000, 3, '0');
    tt_text_str(text, " ppm");
}

/* Writes how a capture was aligned. */
static void put_alignment(struct tt_text *text, const struct tt_capture *c,
                          const struct tt_merge_source *source)
{
    int64_t ns;
    tt_text_str(text, tt_merge_by_text(source->by));
    if (source->by == TT_MERGE_BY_DATE) {
        tt_text_str(text, " (to 1 s)");
    }
    if (source->pairs > 0) {
        tt_text_str(text, ", pairs: ");
        tt_text_u64(text, source->pairs);
        bool is_ns = tt_ticks_to_ns(source->residual, c->clock_hz, &ns);
        tt_text_str(text, ", residual: ");
        tt_text_u64(text, is_ns ? (uint64_t)ns : source->residual);
        tt_text_str(text, is_ns ? " ns" : " ticks");
    }
    if (source->pairs > 1 && c->clock_hz != 0) {
        tt_text_str(text, ", drift: ");
        put_drift(text, tt_clock_map_drift(&source->clock, source->hz, c->clock_hz));
    }
}

/* Adds a line of Info for each capture. */
static bool add_facts(struct tt_capture *c, const struct merge_decoder *d)
{
    bool good = true;
    for (unsigned i = 0; i < d->merge.count && good; i++) {
        char buffer[200];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, d->merge.members[i].capture->format->title);
        tt_text_str(&text, "; time by ");
        put_alignment(&text, c, &d->plan[i]);
        const char *value = tt_text_cstr(&text);
        good = tt_facts_add(c, "captures", d->plan[i].name, value, strlen(value));
    }
    return good;
}

struct tt_status tt_merge_open(struct tt_capture *c, const struct tt_merge_plan *plan,
                               const struct tt_map *map, const struct tt_capture_options *options)
{
    struct merge_decoder *d = new_decoder(plan);
    if (!d) {
        return tt_error_memory();
    }
    /* Set first: after a mapping fault the caller frees the capture, which closes it. */
    d->format.close = close_merge;
    c->decoder = d;
    c->format = &d->format;
    c->merge = &d->merge;
    struct tt_status status = open_members(c, d, plan, map, options);
    c->clock_hz = plan->hz;
    c->has_wall_clock = plan->has_wall_clock;
    c->wall_clock = plan->wall_clock;
    c->origin_ticks = UINT64_MAX;
    set_title(c, d);
    if (!tt_failed(&status) &&
        (!merge_states_set(d) || !add_facts(c, d) || tt_capture_out_of_memory(c))) {
        status = tt_error_memory();
    }
    if (tt_failed(&status)) {
        c->format = NULL;
        close_merge(c);
        return status;
    }
    c->big_endian = d->merge.members[0].capture->big_endian;
    merge_format_set(d);
    return status;
}
