/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_registry: the objects of a trace buffer (threads, queues, sockets...) by their address.
 *
 *      ULONG of 4 bytes                      ULONG of 8 bytes
 *      +0  u8 slot is free                   +0  the same four bytes, 4 unused
 *      +1  u8 type, 0: never used
 *      +2  u8 0x80 | priority >> 8           (threads of newer kernels; 0 else)
 *      +3  u8 priority & 0xff
 *      +4  address +8 +12 two parameters     +8  address +16 +24 two parameters
 *      +16 name, NUL-terminated              +32 name
 *
 * A slot whose type is not 0 counts, free or not: what was deleted still names older events.
 *
 * Which object does an address mean? The first slot with it, as in TraceX, but a slot of the type
 * that the argument asks for goes first: an address that was a semaphore once and is a queue now
 * gives the queue its own name in queue events.
 *
 * Built by one thread at open and constant from then on: any thread may look up, in O(1). At most
 * TRX_SLOTS_MAX slots are read.
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_REGISTRY_H
#define TRACETUI_FORMAT_TRX_TRX_REGISTRY_H

#include <stdbool.h>

#include "base/hash.h"
#include "format/trx/trx_header.h"
#include "tracetui/capture.h"

#define TRX_SLOTS_MAX   65536u
#define TRX_NO_PRIORITY UINT16_MAX

struct trx_object {
    uint64_t address;
    uint64_t parameters[2];
    tt_string name; /* in the capture's table */
    uint32_t slot;
    uint16_t priority; /* when it was registered; TRX_NO_PRIORITY: not recorded */
    uint8_t type;
    uint8_t reserved[2]; /* as they stand in the slot */
    bool deleted;
};

struct trx_registry {
    struct trx_object *objects; /* in order of slots */
    uint32_t count;
    uint32_t slots; /* read */
    struct tt_hash by_address;
};

/* Reads the slots that lie inside `bytes`. False when out of memory; *r is freed by the caller. */
bool trx_registry_read(struct trx_registry *r, struct tt_capture *c, const struct trx_header *h,
                       struct tt_bytes bytes);
void trx_registry_free(struct trx_registry *r);

/* The object that `address` means where one of `types` (0 at the end) is wanted, or NULL. */
const struct trx_object *trx_registry_find(const struct trx_registry *r, uint64_t address,
                                           const uint8_t *types);

/* A fact for each object, and one for the whole. False when out of memory. */
bool trx_registry_facts(const struct trx_registry *r, struct tt_capture *c);

#endif
