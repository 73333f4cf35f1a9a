/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_walk: the fields of any class, one after the other. Headers of packets are read so, the parts of events that have no
 * plan, and the fields whose place depends on others. Recursion is bounded by the depth of classes.
 */
#include <string.h>

#include "format/ctf/ctf_internal.h"

struct ctf_walk ctf_walk_of(const uint8_t *bytes, uint64_t at, uint64_t end, uint64_t *registers)
{
    return (struct ctf_walk){.bytes = bytes, .at = at, .end = end, .registers = registers};
}

uint64_t ctf_load_bits(const uint8_t *bytes, uint64_t at, const struct ctf_class *type)
{
    const uint8_t *p = bytes + at / 8;
    const unsigned first = (unsigned)(at % 8), bits = type->bits, spanned = (first + bits + 7) / 8;
    uint64_t low = 0, high = 0;                         /* up to nine bytes */
    if (!type->big && (spanned == 1 || spanned == 4)) { /* of LTTng's compact headers */
        low = (spanned == 1 ? *p : tt_load_u32(p, false)) >> first;
    } else if (type->big) {
        for (unsigned i = 0; i < spanned; i++) {
            high = high << 8 | low >> 56;
            low = low << 8 | p[i];
        }
        unsigned after = spanned * 8 - first - bits;
        low = after ? low >> after | high << (64 - after) : low;
    } else {
        for (unsigned i = 0; i < spanned; i++) {
            if (i < 8) {
                low |= (uint64_t)p[i] << (8 * i);
            } else {
                high = p[i];
            }
        }
        low = first ? low >> first | high << (64 - first) : low;
    }
    uint64_t value = bits < 64 ? low & ((UINT64_C(1) << bits) - 1) : low;
    if (type->reversed) {
        uint64_t turned = 0;
        for (unsigned i = 0; i < bits; i++) {
            turned = turned << 1 | (value >> i & 1);
        }
        value = turned;
    }
    if (type->is_signed && bits < 64 && value >> (bits - 1) != 0) {
        value |= ~((UINT64_C(1) << bits) - 1);
    }
    return value;
}

bool ctf_in_range(const struct ctf_label *label, uint64_t value, bool is_signed)
{
    return is_signed
               ? (int64_t)value >= (int64_t)label->low && (int64_t)value <= (int64_t)label->high
               : value >= label->low && value <= label->high;
}

const struct ctf_member *ctf_option(const struct ctf_class *type, uint64_t selector)
{
    for (const struct ctf_member *member = type->members; member; member = member->next) {
        if (member->any && selector != 0) {
            return member;
        }
        for (const struct ctf_label *range = member->ranges; range; range = range->next) {
            if (ctf_in_range(range, selector, type->selector_is_signed)) {
                return member;
            }
        }
    }
    return NULL;
}

static bool ctf_walk_leave(struct ctf_walk *walk)
{
    walk->at = CTF_NONE;
    return false;
}

/* Moves over `bits`. Returns false if they leave the packet. */
static inline bool ctf_walk_advance(struct ctf_walk *walk, uint64_t bits)
{
    if (walk->at > walk->end || bits > walk->end - walk->at) {
        return ctf_walk_leave(walk);
    }
    walk->at += bits;
    return true;
}

uint64_t ctf_walk_varint(struct ctf_walk *walk, const struct ctf_class *type)
{
    uint64_t value = 0;
    walk->at = ctf_align(walk->at, 8);
    for (unsigned shift = 0;; shift += 7) {
        uint64_t at = walk->at;
        if (!ctf_walk_advance(walk, 8)) {
            return 0;
        }
        uint8_t byte = walk->bytes[at / 8];
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if ((byte & 0x80) == 0) {
            bool negative = type->is_signed && (byte & 0x40) != 0 && shift + 7 < 64;
            return negative ? value | ~UINT64_C(0) << (shift + 7) : value;
        }
    }
}

/* Notes the value of a number: for other fields, and by its role. */
static void ctf_walk_note(struct ctf_walk *walk, const struct ctf_class *type, uint64_t value)
{
    if (type->save) {
        walk->registers[type->save - 1] = value;
    }
    if (type->role) {
        walk->roles[type->role] = value;
        walk->has |= UINT32_C(1) << type->role;
        if (type->role == CTF_ROLE_TIME) {
            walk->clock =
                ctf_clock_next(walk->clock, value, type->kind == CTF_VARINT ? 64 : type->bits);
        }
    }
}

static bool walk_string(struct ctf_walk *walk)
{
    uint64_t at = walk->at / 8, end = walk->end / 8;
    const uint8_t *nul = at < end ? memchr(walk->bytes + at, 0, end - at) : NULL;
    return nul ? ctf_walk_advance(walk, (uint64_t)(nul + 1 - walk->bytes - (ptrdiff_t)at) * 8)
               : ctf_walk_leave(walk);
}

static bool walk_array(struct ctf_walk *walk, const struct ctf_class *type)
{
    const struct ctf_class *item = type->members->type;
    uint64_t length = ctf_length(type, walk->registers);
    if (type->role == CTF_ROLE_UUID && length >= 16 && item->fixed == 8 &&
        tt_bytes_has(tt_bytes_of(walk->bytes, walk->end / 8), walk->at / 8, 16)) {
        walk->uuid = walk->bytes + walk->at / 8;
    }
    if (item->fixed != CTF_NONE) {
        uint64_t stride = ctf_align(item->fixed, item->align);
        if (length == 0 || stride == 0) {
            return true;
        }
        return length - 1 <= walk->end / stride
                   ? ctf_walk_advance(walk, (length - 1) * stride + item->fixed)
                   : ctf_walk_leave(walk);
    }
    for (uint64_t i = 0, before = CTF_NONE; i < length && walk->at != before; i++) {
        before = walk->at; /* items without bits end the walk: there may be 2^64 of them */
        if (!ctf_walk_over(walk, item)) {
            return walk->found ? false : ctf_walk_leave(walk);
        }
    }
    return true;
}

bool ctf_walk_over(struct ctf_walk *walk, const struct ctf_class *type)
{
    walk->at = ctf_align(walk->at, type->align);
    if (type == walk->target) {
        walk->found = true;
        return false;
    }
    uint64_t at = walk->at;
    switch ((enum ctf_kind)type->kind) {
    case CTF_INTEGER:
        if (!ctf_walk_advance(walk, type->bits)) {
            return false;
        }
        if (type->save | type->role) {
            ctf_walk_note(walk, type, ctf_load(walk->bytes, at, type));
        }
        return true;
    case CTF_FLOAT:
        return ctf_walk_advance(walk, type->bits);
    case CTF_VARINT: {
        uint64_t value = ctf_walk_varint(walk, type);
        if (walk->at == CTF_NONE) {
            return false;
        }
        ctf_walk_note(walk, type, value);
        return true;
    }
    case CTF_STRING:
        return walk_string(walk);
    case CTF_TEXT:
    case CTF_BLOB: {
        uint64_t length = ctf_length(type, walk->registers);
        if (type->role == CTF_ROLE_UUID && length >= 16 && ctf_walk_advance(walk, 128)) {
            walk->uuid = walk->bytes + at / 8;
            walk->at = at;
        }
        return length <= UINT64_MAX / 8 ? ctf_walk_advance(walk, length * 8) : ctf_walk_leave(walk);
    }
    case CTF_STRUCT:
        for (const struct ctf_member *member = type->members; member; member = member->next) {
            if (!ctf_walk_over(walk, member->type)) {
                return false;
            }
        }
        return true;
    case CTF_ARRAY:
        return walk_array(walk, type);
    case CTF_VARIANT: {
        const struct ctf_member *ctf_member = ctf_option(type, walk->registers[type->from - 1]);
        if (!ctf_member) { /* no option: an optional field that is absent, or a variant whose rest is unknown */
            return type->members && type->members->any ? true : ctf_walk_leave(walk);
        }
        return ctf_walk_over(walk, ctf_member->type);
    }
    }
    return ctf_walk_leave(walk);
}

/* ---- records -------------------------------------------------------------------------------- */

uint64_t ctf_find(const struct ctf_record *record, const struct ctf_place *place)
{
    const struct ctf_event *of = record->of;
    const struct ctf_class *root = !of                                 ? NULL
                                   : place->scope == CTF_PAYLOAD       ? of->payload
                                   : place->scope == CTF_EVENT_CONTEXT ? of->context
                                   : of->of ? of->of->classes[place->scope]
                                            : NULL;
    if (!root) {
        return CTF_NONE;
    }
    struct ctf_walk walk =
        ctf_walk_of(record->bytes, record->at[place->scope], record->after, record->registers);
    walk.target = place->type;
    ctf_walk_over(&walk, root);
    return walk.found ? walk.at : CTF_NONE;
}

struct tt_bytes ctf_string(const struct ctf_record *record, const struct ctf_place *place)
{
    const struct ctf_class *type = place->type;
    uint64_t at = !type                       ? CTF_NONE
                  : place->offset != CTF_NONE ? record->at[place->scope] + place->offset
                                              : ctf_find(record, place);
    if (at == CTF_NONE || at > record->after) {
        return tt_bytes_of("", 0);
    }
    uint64_t most = (record->after - at) / 8;
    if (type->kind != CTF_STRING) {
        uint64_t length = ctf_length(type, record->registers);
        most = length < most ? length : most;
    }
    const uint8_t *text = record->bytes + at / 8;
    const uint8_t *nul = most ? memchr(text, 0, most) : NULL;
    return tt_bytes_of(text, nul ? (uint64_t)(nul - text) : most);
}
