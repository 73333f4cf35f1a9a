/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline/systems.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "trace/timeline/timeline.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"

/* The state of the builder that lasts in one system, while another one is selected. X(type, name, member) */
#define LASTING(X)                                                                                 \
    X(struct tt_object_shared, shared, objects.shared)                                             \
    X(uint32_t, object_losses, objects.loss)                                                       \
    X(uint32_t, gap_max, messages.gap_max)                                                         \
    X(uint32_t, posted, messages.posted)                                                           \
    X(uint32_t, posted_process, messages.posted_process)                                           \
    X(uint16_t, posted_cpu, messages.posted_cpu)                                                   \
    X(uint16_t, message_losses, messages.losses)

struct kept {
#define X(type, name, member) type name;
    LASTING(X)
#undef X
};

struct tt_systems {
    const struct tt_merge *merge;
    unsigned member; /* the selected one */
    unsigned count;  /* of systems */
    struct tt_system of_member[TT_MERGE_MOST];
    struct kept kept[TT_MERGE_MOST];      /* by system; not valid for the selected one */
    _Atomic uint64_t ends[TT_MERGE_MOST]; /* by system; UINT64_MAX: not reached yet */
};

/* Sets the system of a capture whose states have the numbers of its format after `first`. */
static void set_system(struct tt_system *system, const struct tt_format *format, unsigned first)
{
    for (uint32_t i = format->state_count; i-- > 0;) {
        uint16_t state = (uint16_t)(i > 0 ? i + first : 0);
        switch (format->states[i].class_) {
        case TT_CLASS_READY:
            system->ready_state = state;
            break;
        case TT_CLASS_DEAD:
            system->dead_state = state;
            break;
        case TT_CLASS_RUNNING:
            system->running_state = state;
            break;
        default:
            break;
        }
    }
    system->message_id = format->refers.message_id;
    system->ids_of_process = tt_format_has(format, TT_FORMAT_LOCAL_IDS);
}

static void systems_keep(const struct tt_timelines *timelines, struct kept *kept)
{
#define X(type, name, member) kept->name = timelines->member;
    LASTING(X)
#undef X
}

static void resume(struct tt_timelines *timelines, const struct kept *kept)
{
#define X(type, name, member) timelines->member = kept->name;
    LASTING(X)
#undef X
}

bool tt_systems_init(struct tt_timelines *timelines)
{
    const struct tt_merge *merge = timelines->capture->merge;
    const struct tt_format *format = timelines->capture->format;
    timelines->system = (struct tt_system){.running_state = (uint16_t)format->state_count};
    if (!merge) {
        set_system(&timelines->system, format, 0);
        return true;
    }
    struct tt_systems *systems = calloc(1, sizeof *systems);
    timelines->systems = systems;
    if (!systems) {
        return false;
    }
    systems->merge = merge;
    systems->count = merge->one_system ? 1 : merge->count;
    for (unsigned i = 0; i < merge->count; i++) {
        const struct tt_merge_member *member = &merge->members[i];
        struct tt_system *system = &systems->of_member[i];
        system->running_state = (uint16_t)format->state_count;
        set_system(system, member->capture->format, member->first_state);
        system->salt = tt_merge_salt(merge, i);
        system->number = (uint8_t)member->capture->space;
        systems_keep(timelines, &systems->kept[i]);
        atomic_init(&systems->ends[i], UINT64_MAX);
    }
    timelines->system = systems->of_member[0];
    return true;
}

void tt_systems_free(struct tt_timelines *timelines)
{
    free(timelines->systems);
}

void tt_systems_select(struct tt_timelines *timelines, uint64_t pos)
{
    struct tt_systems *systems = timelines->systems;
    unsigned member = tt_merge_at(systems->merge, pos), before = timelines->system.number;
    if (member == systems->member) {
        return;
    }
    systems->member = member;
    timelines->system = systems->of_member[member];
    if (timelines->system.number != before) {
        systems_keep(timelines, &systems->kept[before]);
        resume(timelines, &systems->kept[timelines->system.number]);
    }
}

uint64_t tt_systems_begin(const struct tt_timelines *timelines, unsigned system)
{
    uint64_t begin = atomic_load_explicit(&timelines->begin, memory_order_relaxed);
    if (tt_systems_count(timelines) < 2) {
        return begin;
    }
    const struct tt_merge_member *member = &timelines->systems->merge->members[system];
    uint64_t own = atomic_load_explicit(&member->begin, memory_order_relaxed);
    return own < UINT64_MAX && own > begin ? own : begin;
}

void tt_systems_end(struct tt_timelines *timelines, unsigned system, uint64_t ticks)
{
    if (system < tt_systems_count(timelines) && timelines->systems) {
        atomic_store_explicit(&timelines->systems->ends[system], ticks, memory_order_release);
    }
}

uint64_t tt_timelines_end_of(const struct tt_timelines *timelines, unsigned system)
{
    uint64_t end = tt_timelines_end(timelines);
    if (!timelines->systems || system >= timelines->systems->count) {
        return end;
    }
    uint64_t own = atomic_load_explicit(&timelines->systems->ends[system], memory_order_acquire);
    return own < end ? own : end;
}

unsigned tt_systems_count(const struct tt_timelines *timelines)
{
    return timelines->systems ? timelines->systems->count : 1;
}
