/* SPDX-License-Identifier: Apache-2.0 */
/*
 * address_types: event types that name the slices of functions and callbacks by their address, "0x40472b", and that
 * no event has. A decoder has a table of them; only its learning cursor adds types, so a type that another cursor
 * does not find is none of the events before.
 *
 * The table has TT_ADDRESS_TYPES places, and holds what fits near the place of its hash. Any number of readers, one
 * writer.
 */
#ifndef TRACETUI_FORMAT_ADDRESS_TYPES_H
#define TRACETUI_FORMAT_ADDRESS_TYPES_H

#include <stdatomic.h>

#include "tracetui/capture.h"

#define TT_ADDRESS_TYPES 4096u

struct tt_address_types {
    _Atomic uint32_t at[TT_ADDRESS_TYPES]; /* types + 1, by hash of class and code */
};

/*
 * Returns the type of a class for an address, which is added if `learn` and it is new; `otherwise` if there is none or
 * no room. `code` is that of the type, which tells the addresses of the class apart; `class_name` is a constant.
 */
struct tt_address {
    const char *class_name;
    uint64_t address, code;
};
uint32_t tt_address_type(struct tt_capture *capture, struct tt_address_types *types, bool learn,
                         const struct tt_address *of, uint32_t otherwise);
/* Adds the types of a class that a capture has, after it was restored from an index cache. */
void tt_address_types_restore(const struct tt_capture *capture, struct tt_address_types *types,
                              const char *class_name);

#endif
