/* SPDX-License-Identifier: Apache-2.0 */
#include "format/address_types.h"

#include <string.h>

#include "base/hash.h"
#include "tracetui/text.h"

#define PROBES 32u

static uint64_t address_types_hash(const char *class_name, uint64_t code)
{
    return tt_hash_of_pair(code, (uint64_t)class_name[0]);
}

/* Adds the type that is named by an address; returns its number + 1, 0 if out of memory. */
static uint32_t add_address(struct tt_capture *capture, const struct tt_address *of)
{
    char text[24];
    size_t length;
    struct tt_text name = tt_text_of(text, sizeof text);
    tt_text_str(&name, "0x");
    tt_text_hex(&name, of->address, 1);
    const char *copy =
        tt_capture_text(capture, tt_capture_intern(capture, text, name.used), &length);
    return tt_types_add(capture, of->class_name, copy, of->code, TT_KIND_EVENT) + 1;
}

uint32_t tt_address_type(struct tt_capture *capture, struct tt_address_types *types, bool learn,
                         const struct tt_address *of, uint32_t otherwise)
{
    const uint64_t hash = address_types_hash(of->class_name, of->code);
    for (unsigned i = 0; i < PROBES; i++) {
        _Atomic uint32_t *place = &types->at[(hash + i) % TT_ADDRESS_TYPES];
        uint32_t type = atomic_load_explicit(place, memory_order_acquire);
        if (type == 0 && learn) {
            type = add_address(capture, of);
            atomic_store_explicit(place, type, memory_order_release);
        }
        if (type == 0) {
            return otherwise;
        }
        const struct tt_event_type *known = tt_types_at(capture, type - 1);
        if (known->code == of->code && strcmp(known->class_name, of->class_name) == 0) {
            return type - 1;
        }
    }
    return otherwise;
}

void tt_address_types_restore(const struct tt_capture *capture, struct tt_address_types *types,
                              const char *class_name)
{
    const uint32_t count = tt_types_count(capture);
    for (uint32_t type = 0; type < count; type++) {
        const struct tt_event_type *known = tt_types_at(capture, type);
        const uint64_t hash = address_types_hash(class_name, known->code);
        bool names = strcmp(known->class_name, class_name) == 0;
        for (unsigned i = 0; names && i < PROBES; i++) {
            _Atomic uint32_t *place = &types->at[(hash + i) % TT_ADDRESS_TYPES];
            if (atomic_load_explicit(place, memory_order_relaxed) == 0) {
                atomic_store_explicit(place, type + 1, memory_order_release);
                break;
            }
        }
    }
}
