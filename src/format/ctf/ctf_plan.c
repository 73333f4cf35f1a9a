/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_plan: classes compiled into steps; places of fields; the usual forms of event headers. */
#include <string.h>

#include "format/ctf/ctf_internal.h"

#define STEPS_MOST 4096u /* of one part of an event; what comes after is walked */

struct maker {
    struct ctf_step *steps; /* NULL: they are counted only */
    uint32_t count;
    bool is_open; /* the last step is a run that can grow */
    struct ctf_step last;
};

/* Ends the last step and begins another one. */
static void begin_step(struct maker *maker, struct ctf_step step)
{
    if (maker->steps && maker->count > 0) {
        maker->steps[maker->count - 1] = maker->last;
    }
    maker->last = step;
    maker->count++;
    maker->is_open = step.kind == CTF_STEP_RUN;
}

/* Adds a field of constant size. */
static void add_fixed(struct maker *maker, uint32_t align, uint64_t bits)
{
    if (maker->is_open && align <= maker->last.align) {
        maker->last.bits = ctf_align(maker->last.bits, align) + bits;
        return;
    }
    begin_step(maker, (struct ctf_step){.kind = CTF_STEP_RUN, .align = align, .bits = bits});
}

static bool has_saves(const struct ctf_class *type)
{
    bool has = type->save != 0;
    for (const struct ctf_member *member = type->members; member && !has; member = member->next) {
        has = has_saves(member->type);
    }
    return has;
}

static void add_class(struct maker *maker, const struct ctf_class *type)
{
    const struct ctf_class *item = type->kind == CTF_ARRAY ? type->members->type : NULL;
    if (type->fixed != CTF_NONE && !has_saves(type)) {
        add_fixed(maker, type->align, type->fixed);
    } else if (type->kind == CTF_STRUCT && maker->count < STEPS_MOST) {
        add_fixed(maker, type->align, 0);
        for (const struct ctf_member *member = type->members; member; member = member->next) {
            add_class(maker, member->type);
        }
    } else if (type->kind == CTF_INTEGER) {
        begin_step(maker, (struct ctf_step){.kind = CTF_STEP_SAVE,
                                            .number = (uint8_t)(type->save - 1),
                                            .align = type->align,
                                            .bits = type->bits,
                                            .type = type});
    } else if (type->kind == CTF_STRING) {
        begin_step(maker, (struct ctf_step){.kind = CTF_STEP_STRING, .align = type->align});
    } else if ((type->kind == CTF_TEXT || type->kind == CTF_BLOB) && type->from) {
        begin_step(maker, (struct ctf_step){.kind = CTF_STEP_ITEMS,
                                            .number = (uint8_t)(type->from - 1),
                                            .align = type->align,
                                            .bits = 8,
                                            .stride = 8});
    } else if (item && type->from && item->fixed != CTF_NONE && item->fixed > 0) {
        begin_step(maker, (struct ctf_step){.kind = CTF_STEP_ITEMS,
                                            .number = (uint8_t)(type->from - 1),
                                            .align = type->align,
                                            .bits = item->fixed,
                                            .stride = ctf_align(item->fixed, item->align)});
    } else {
        begin_step(maker,
                   (struct ctf_step){.kind = CTF_STEP_WALK, .align = type->align, .type = type});
    }
}

bool ctf_plan_make(struct ctf *ctf, struct ctf_plan *plan, const struct ctf_class *type,
                   const char *prefix)
{
    *plan = (struct ctf_plan){.type = type, .align = type ? type->align : 1, .prefix = prefix};
    if (!type) {
        return true;
    }
    struct maker counting = {.steps = NULL}, making = {.steps = NULL};
    add_class(&counting, type);
    making.steps = ctf_new(ctf, (counting.count + 1) * sizeof *making.steps);
    if (!making.steps) {
        return false;
    }
    add_class(&making, type);
    making.steps[making.count - 1] = making.last;
    plan->steps = making.steps;
    plan->count = making.count;
    plan->bits =
        making.count == 1 && making.last.kind == CTF_STEP_RUN ? making.last.bits : CTF_NONE;
    return ctf_leaves_make(ctf, plan);
}

uint64_t ctf_skip(const struct ctf_plan *plan, const uint8_t *bytes, uint64_t at, uint64_t end,
                  uint64_t *registers)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct ctf_step *step = &plan->steps[i];
        at = ctf_align(at, step->align);
        switch ((enum ctf_step_kind)step->kind) {
        case CTF_STEP_RUN:
            at += step->bits;
            break;
        case CTF_STEP_SAVE:
            if (at + step->bits > end) {
                return CTF_NONE;
            }
            registers[step->number] = ctf_load(bytes, at, step->type);
            at += step->bits;
            break;
        case CTF_STEP_STRING: {
            const uint8_t *from = bytes + at / 8;
            const uint8_t *nul = at < end ? memchr(from, 0, (end - at) / 8) : NULL;
            if (!nul) {
                return CTF_NONE;
            }
            at += (uint64_t)(nul + 1 - from) * 8;
            break;
        }
        case CTF_STEP_ITEMS: {
            uint64_t count = registers[step->number];
            if (count > end / step->stride) {
                return CTF_NONE;
            }
            at += count ? (count - 1) * step->stride + step->bits : 0;
            break;
        }
        case CTF_STEP_WALK: {
            struct ctf_walk walk = ctf_walk_of(bytes, at, end, registers);
            if (!ctf_walk_over(&walk, step->type)) {
                return CTF_NONE;
            }
            at = walk.at;
            break;
        }
        }
        if (at > end) {
            return CTF_NONE;
        }
    }
    return at;
}

/* ---- places --------------------------------------------------------------------------------- */

struct ctf_place ctf_place_in(const struct ctf_class *type, unsigned scope, const char *name)
{
    struct ctf_place place = {.type = NULL, .scope = (uint8_t)scope};
    uint64_t at = 0;
    while (type && type->kind == CTF_STRUCT) {
        size_t length = strcspn(name, ".");
        const struct ctf_member *member = type->members;
        for (; member; member = member->next) {
            at = at == CTF_NONE ? CTF_NONE : ctf_align(at, member->type->align);
            if (strncmp(member->name, name, length) == 0 && member->name[length] == '\0') {
                break;
            }
            at = at == CTF_NONE || member->type->fixed == CTF_NONE ? CTF_NONE
                                                                   : at + member->type->fixed;
        }
        if (!member) {
            return place;
        }
        type = member->type;
        if (!name[length]) {
            place.type = type;
            place.offset = at;
            return place;
        }
        name += length + 1;
    }
    return place;
}

struct ctf_place ctf_place_of(const struct ctf_event *event, const char *name)
{
    struct ctf_place place = ctf_place_in(event->payload, CTF_PAYLOAD, name);
    if (!place.type) {
        place = ctf_place_in(event->context, CTF_EVENT_CONTEXT, name);
    }
    if (!place.type && event->of) {
        place = ctf_place_in(event->of->classes[CTF_COMMON_CONTEXT], CTF_COMMON_CONTEXT, name);
    }
    return place;
}

/* ---- headers -------------------------------------------------------------------------------- */

/* Notes the id and the time among the members up to a variant. Returns it; NULL: there is none, or *good is false. */
static const struct ctf_member *read_part(struct ctf_header_part *part,
                                          const struct ctf_class *type, bool *good)
{
    const struct ctf_member *member = type->members;
    part->align = type->align;
    for (; member && member->type->kind != CTF_VARIANT; member = member->next) {
        if (member->type->fixed == CTF_NONE) {
            *good = false;
            return NULL;
        }
        uint64_t at = ctf_align(part->bits, member->type->align);
        bool number = member->type->kind == CTF_INTEGER;
        if (member->type->role == CTF_ROLE_ID && number) {
            part->id = member->type;
            part->id_at = at;
        } else if (member->type->role == CTF_ROLE_TIME && number) {
            *good = *good && !part->time;
            part->time = member->type;
            part->time_at = at;
        } else if (member->type->role != CTF_ROLE_NONE || member->type->kind == CTF_STRUCT) {
            *good = false;
        }
        part->bits = at + member->type->fixed;
    }
    return member;
}

void ctf_header_make(struct ctf_stream_class *of)
{
    const struct ctf_class *type = of->classes[CTF_EVENT_HEADER];
    struct ctf_header *header = &of->header;
    *header = (struct ctf_header){.is_usual = type != NULL, .align = type ? type->align : 1};
    if (!type) {
        return;
    }
    const struct ctf_member *variant = read_part(&header->first, type, &header->is_usual);
    if (!variant || !header->is_usual) {
        /* A number that others refer to is walked, so that it gets to its register. */
        header->is_usual = header->is_usual && !has_saves(type);
        return;
    }
    const struct ctf_class *selector = header->first.id;
    unsigned count = 0;
    header->is_usual = !variant->next && selector && variant->type->from == selector->save;
    for (const struct ctf_member *member = type->members; member != variant;
         member = member->next) {
        header->is_usual =
            header->is_usual && (member->type == selector || !has_saves(member->type));
    }
    header->selector = selector;
    header->selector_at = header->first.id_at;
    for (const struct ctf_member *ctf_member = variant->type->members;
         ctf_member && header->is_usual; ctf_member = ctf_member->next) {
        struct ctf_header_part *option = &header->options[count];
        if (count++ == 4 || ctf_member->type->kind != CTF_STRUCT || !ctf_member->ranges ||
            ctf_member->ranges->next || variant->type->selector_is_signed ||
            has_saves(ctf_member->type)) {
            header->is_usual = false;
            break;
        }
        if (read_part(option, ctf_member->type, &header->is_usual)) {
            header->is_usual = false;
        }
        option->ranges = ctf_member->ranges;
    }
    header->option_count = count;
    const struct ctf_header_part *first = &header->first, *short_form = &header->options[0];
    if (header->is_usual && count > 0 && header->align % 8 == 0 && first->id_at == 0 &&
        !first->time && first->bits == first->id->bits && !short_form->id && short_form->time &&
        short_form->time_at == 0 && short_form->align == 1 && !first->id->big &&
        !short_form->time->big && !first->id->is_signed && !short_form->time->is_signed &&
        !first->id->reversed && !short_form->time->reversed && first->bits < 32 &&
        first->bits + short_form->bits == 32 && short_form->time->bits == short_form->bits) {
        header->word = (unsigned)first->bits;
    }
}
