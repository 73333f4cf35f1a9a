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

const struct tt_merge_member *merge_member_at(const struct tt_capture *capture, uint64_t pos)
{
    return &capture->merge->members[tt_merge_at(capture->merge, pos)];
}

uint64_t merge_limit(const struct tt_capture *capture, unsigned member, uint64_t limit)
{
    const struct tt_capture *of = capture->merge->members[member].capture;
    const struct tt_map *map = merge_of(capture)->map;
    uint64_t own = limit > of->file_base ? limit - of->file_base : 0;
    return map ? tt_map_file(map, member).bytes.size : own < of->bytes.size ? own : of->bytes.size;
}

const struct tt_capture *tt_merge_own(const struct tt_capture *capture,
                                      const struct tt_event *event, struct tt_event *own)
{
    *own = *event;
    if (!capture->merge) {
        return capture;
    }
    const struct tt_merge_member *member = merge_member_at(capture, event->pos);
    uint16_t first = atomic_load_explicit(&member->first_cpu, memory_order_relaxed);
    own->ticks = tt_clock_map_back(&member->clock, event->ticks);
    own->pos -= member->capture->base;
    own->type = tt_types_own(member->capture, event->type);
    own->cpu = event->cpu == TT_NO_CPU ? TT_NO_CPU : (uint16_t)(event->cpu - first);
    return member->capture;
}

const char *tt_merge_name(const struct tt_capture *capture, uint64_t pos)
{
    return capture->merge ? merge_member_at(capture, pos)->capture->label : NULL;
}

unsigned tt_merge_of_process(const struct tt_capture *capture, uint32_t process)
{
    return capture->merge && process < tt_process_count(capture)
               ? tt_process_at(capture, process)->space
               : 0;
}

unsigned tt_merge_of_thread(const struct tt_capture *capture, uint32_t thread)
{
    return capture->merge && thread < tt_thread_count(capture)
               ? tt_merge_of_process(capture, tt_thread_at(capture, thread)->process)
               : 0;
}

unsigned tt_merge_of_cpu(const struct tt_capture *capture, uint16_t cpu)
{
    unsigned number = tt_merge_headings(capture);
    while (number > 1 && atomic_load_explicit(&capture->merge->members[number - 1].first_cpu,
                                              memory_order_relaxed) > cpu) {
        number--;
    }
    return number > 0 ? number - 1 : 0;
}

uint32_t tt_merge_vcpu(const struct tt_capture *capture, uint16_t cpu)
{
    if (tt_merge_headings(capture) == 0 || cpu == TT_NO_CPU) {
        return TT_NO_THREAD;
    }
    const struct tt_merge_member *members = capture->merge->members;
    const struct tt_merge_member *member = &members[tt_merge_of_cpu(capture, cpu)];
    const struct tt_merge_guest *guest = &member->source->guest;
    const unsigned number = cpu - atomic_load_explicit(&member->first_cpu, memory_order_relaxed);
    if (guest->host == 0 || number >= guest->vcpu_count) {
        return TT_NO_THREAD;
    }
    const struct tt_merge_vcpu *vcpu = &guest->vcpus[number];
    return tt_registry_find_thread(members[guest->host - 1].capture, vcpu->pid, vcpu->tid,
                                   vcpu->when);
}

unsigned tt_merge_of_event(const struct tt_capture *capture, const struct tt_event *event)
{
    return tt_merge_headings(capture) > 0 ? tt_merge_at(capture->merge, event->pos) : 0;
}

unsigned tt_merge_headings(const struct tt_capture *capture)
{
    return capture->merge && !capture->merge->one_system ? capture->merge->count : 0;
}

uint64_t tt_merge_salt(const struct tt_merge *merge, unsigned member)
{
    return merge->one_system || member == 0 ? 0 : tt_hash_of_pair(member, UINT64_MAX);
}

uint64_t tt_merge_salt_of(const struct tt_capture *capture, uint32_t thread)
{
    return capture->merge ? tt_merge_salt(capture->merge, tt_merge_of_thread(capture, thread)) : 0;
}

const struct tt_capture *tt_merge_system(const struct tt_capture *capture, unsigned space)
{
    return space < tt_merge_headings(capture) ? capture->merge->members[space].capture : capture;
}

const struct tt_format *tt_merge_format_of(const struct tt_capture *capture, uint32_t thread)
{
    return tt_merge_system(capture, tt_merge_of_thread(capture, thread))->format;
}

unsigned tt_merge_of_side(const struct tt_capture *capture, uint32_t process, uint32_t thread)
{
    return process < tt_process_count(capture) ? tt_merge_of_process(capture, process)
                                               : tt_merge_of_thread(capture, thread);
}

bool tt_merge_lacks_processes(const struct tt_capture *capture, uint32_t process, uint32_t thread)
{
    return tt_format_has(
        tt_merge_system(capture, tt_merge_of_side(capture, process, thread))->format,
        TT_FORMAT_NO_PROCESSES);
}

bool tt_merge_any_lacks_processes(const struct tt_capture *capture)
{
    bool any = tt_format_has(capture->format, TT_FORMAT_NO_PROCESSES);
    for (unsigned i = 0; i < tt_merge_headings(capture) && !any; i++) {
        any = tt_format_has(capture->merge->members[i].capture->format, TT_FORMAT_NO_PROCESSES);
    }
    return any;
}

uint64_t tt_merge_offset(const struct tt_capture *capture, uint64_t pos)
{
    return capture->merge
               ? tt_capture_offset(capture, pos) - merge_member_at(capture, pos)->capture->file_base
               : tt_capture_offset(capture, pos);
}

/* ---- opening -------------------------------------------------------------------------------- */

static void close_merge(struct tt_capture *capture)
{
    struct merge_decoder *decoder = capture->decoder;
    capture->decoder = NULL;
    capture->merge = NULL;
    if (!decoder) {
        return;
    }
    for (unsigned i = 0; i < decoder->merge.count; i++) {
        tt_capture_free(decoder->merge.members[i].capture);
        free(decoder->paths[i]);
    }
    free(decoder->merge.members);
    free(decoder->states);
    free(decoder->plan);
    free(decoder);
}

static struct merge_decoder *merge_new_decoder(const struct tt_merge_plan *plan,
                                               const struct tt_map *map)
{
    struct merge_decoder *decoder = calloc(1, sizeof *decoder);
    struct tt_merge_member *members = calloc(plan->count, sizeof *members);
    struct tt_merge_source *sources = calloc(plan->count, sizeof *sources);
    if (!decoder || !members || !sources) {
        free(decoder);
        free(members);
        free(sources);
        return NULL;
    }
    memcpy(sources, plan->sources, plan->count * sizeof *sources);
    decoder->plan = sources;
    decoder->merge.members = members;
    decoder->merge.one_system = plan->one_system;
    decoder->in_turn = plan->in_turn;
    decoder->map = plan->follows ? map : NULL;
    return decoder;
}

/* Opens the file `number` as the next member. */
static struct tt_status open_member(struct tt_capture *capture, struct merge_decoder *decoder,
                                    unsigned number, const struct tt_map *map, uint64_t *base,
                                    const struct tt_capture_options *options)
{
    struct tt_merge_member *member = &decoder->merge.members[number];
    struct tt_merge_source *source = &decoder->plan[number];
    struct tt_map_file file = tt_map_file(map, number);
    if (decoder->in_turn) { /* zeros are between the files */
        const struct tt_map_file last = tt_map_file(map, tt_map_file_count(map) - 1);
        file.bytes.size = last.at + last.bytes.size - file.at;
    }
    decoder->paths[number] = strdup(source->path);
    source->path = decoder->paths[number];
    struct tt_status status = tt_capture_new_member(file.bytes, capture, &member->capture);
    if (!source->path || tt_failed(&status)) {
        return tt_error_memory();
    }
    struct tt_capture *own = member->capture;
    decoder->merge.count = number + 1;
    own->label = source->name;
    own->space = decoder->merge.one_system ? 0 : number;
    own->file_base = file.at;
    own->base = *base > file.at ? *base : file.at;
    atomic_init(&member->begin, UINT64_MAX);
    atomic_init(&member->end_pos, UINT64_MAX);
    member->source = source;
    member->clock = source->clock;
    if (source->problem) {
        tt_health_add(own, TT_HEALTH_GUEST, 0, own->base, number + 1, source->problem);
    }
    if (file.damage) {
        tt_health_add(own, TT_HEALTH_CONTAINER, file.damage_at, 0, 0, file.damage);
    }
    own->beside = source->is_log && number > 0 ? decoder->merge.members[0].capture : NULL;
    status = tt_capture_open(own, source->path, options);
    /* A format with a stream per CPU finds processes by time if asked; positions differ by file. */
    own->lanes_by_time |= !tt_failed(&status) && decoder->merge.one_system &&
                          tt_format_has(own->format, TT_FORMAT_RINGS);
    /* An unpacked container can have more bytes than its file. */
    *base = own->base + (own->bytes.size > file.bytes.size ? own->bytes.size : file.bytes.size) + 1;
    return tt_failed(&status) ? tt_status_context(status, source->name) : status;
}

/* Appends how a capture is known as the guest of another one. */
static void put_guest(struct tt_text *text, const struct tt_merge_source *sources,
                      const struct tt_merge_guest *guest)
{
    if (guest->host == 0) {
        return;
    }
    tt_text_put(text, ", guest of %s", sources[guest->host - 1].name);
    if (guest->events > 0) {
        tt_text_str(text, ", offset: ");
        tt_text_i64(text, (int64_t)guest->offset);
        tt_text_put(text, " ticks, events in its runs: %u of %u", guest->inside, guest->events);
    }
    tt_text_str(text, ", vCPUs:");
    for (unsigned i = 0; i < guest->vcpu_count && text->used + 24 < text->capacity; i++) {
        tt_text_put(text, " %u/%u", guest->vcpus[i].pid, guest->vcpus[i].tid);
    }
}

/* Adds a line of Info for each capture. */
static bool merge_add_facts(struct tt_capture *capture, const struct merge_decoder *decoder)
{
    bool good = true;
    for (unsigned i = 0; i < decoder->merge.count && good; i++) {
        char buffer[400];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_str(&text, decoder->merge.members[i].capture->format->title);
        tt_text_str(&text, "; time by ");

        /* Writes how a capture was aligned. */
        const struct tt_merge_source *source = &decoder->plan[i];
        int64_t ns;
        tt_text_str(&text, tt_merge_by_text(source->by));
        if (source->by == TT_MERGE_BY_DATE) {
            tt_text_str(&text, " (to 1 s)");
        }
        if (source->pairs > 0) {
            tt_text_str(&text, ", pairs: ");
            tt_text_u64(&text, source->pairs);
            bool is_ns = tt_ticks_to_ns(source->residual, capture->clock_hz, &ns);
            tt_text_str(&text, ", residual: ");
            tt_text_u64(&text, is_ns ? (uint64_t)ns : source->residual);
            tt_text_str(&text, is_ns ? " ns" : " ticks");
        }
        if (source->pairs > 1 && capture->clock_hz != 0) {
            tt_text_str(&text, ", drift: ");

            /* Writes a signed number of 10^-9 in 10^-6. */
            int64_t drift = tt_clock_map_drift(&source->clock, source->hz, capture->clock_hz);
            uint64_t size = drift < 0 ? 0 - (uint64_t)drift : (uint64_t)drift;
            tt_text_str(&text, drift < 0 ? "-" : "+");
            tt_text_u64(&text, size / 1000);
            tt_text_char(&text, '.');
            tt_text_u64_width(&text, size % 1000, 3, '0');
            tt_text_str(&text, " ppm");
        }
        put_guest(&text, decoder->plan, &source->guest);
        if (source->problem) {
            tt_text_put(&text, ", not by clockcycles_offset: %s", source->problem);
        }

        const char *value = tt_text_cstr(&text);
        good = tt_facts_add(capture, "captures", decoder->plan[i].name, value, strlen(value));
    }
    return good;
}

struct tt_status tt_merge_open(struct tt_capture *capture, const struct tt_merge_plan *plan,
                               const struct tt_map *map, const struct tt_capture_options *options)
{
    struct merge_decoder *decoder = merge_new_decoder(plan, map);
    if (!decoder) {
        return tt_error_memory();
    }
    /* Set first: after a mapping fault the caller frees the capture, which closes it. */
    decoder->format.close = close_merge;
    capture->decoder = decoder;
    capture->format = &decoder->format;
    capture->merge = &decoder->merge;

    struct tt_status status = tt_ok();
    struct tt_capture_options of_member = *options;
    of_member.has_log_date = plan->has_log_date;
    of_member.log_date = plan->log_date;
    of_member.log_begin = plan->log_begin;
    uint64_t base = 0;
    const unsigned members = plan->in_turn ? 1 : plan->count;
    for (unsigned i = 0; i < members && !tt_failed(&status); i++) {
        of_member.is_log = plan->sources[i].is_log;
        status = open_member(capture, decoder, i, map, &base, &of_member);
        capture->lanes_by_time |=
            !tt_failed(&status) && decoder->merge.members[i].capture->lanes_by_time;
    }

    capture->clock_hz = plan->hz;
    capture->has_wall_clock = plan->has_wall_clock;
    capture->wall_clock = plan->wall_clock;
    capture->origin_ticks = UINT64_MAX;

    struct tt_text title = tt_text_of(capture->title, sizeof capture->title);
    tt_text_u64(&title, decoder->merge.count);
    tt_text_str(&title, " captures");
    tt_text_cstr(&title);

    if (!tt_failed(&status) && (!merge_states_set(decoder) || !merge_add_facts(capture, decoder) ||
                                tt_capture_out_of_memory(capture))) {
        status = tt_error_memory();
    }
    if (tt_failed(&status)) {
        capture->format = NULL;
        close_merge(capture);
        return status;
    }
    capture->big_endian = decoder->merge.members[0].capture->big_endian;
    merge_format_set(decoder);
    return status;
}
