/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_registry: the objects of a trace buffer (threads, queues, sockets...) by address.
 *
 *       ULONG of 4 bytes                      ULONG of 8 bytes
 *       +0  u8 slot is free                   +0  the same four bytes, 4 unused
 *       +1  u8 type, 0: never used
 *       +2  u8 0x80 | priority >> 8           (threads of newer kernels; else 0)
 *       +3  u8 priority & 0xff
 *       +4  address +8 +12 two parameters     +8  address +16 +24 two parameters
 *       +16 name, NUL-terminated              +32 name
 *
 *  Slots whose type is not 0 are used, free or not: a deleted object still names older events.
 *
 *  An address may be in several slots. The first slot of the type that the argument expects is
 * used, otherwise the first slot of any type, as in TraceX: an address that was a semaphore and is
 * now a queue has the queue's name in queue events.
 *
 *  Built by one thread at open and constant from then on; any thread may look up, in O(1). At most
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
    uint16_t priority; /* at registration; TRX_NO_PRIORITY: not recorded */
    uint8_t type;
    uint8_t reserved[2]; /* unchanged from the slot */
    bool deleted;
};

struct trx_registry {
    struct trx_object *objects; /* in slot order */
    uint32_t count;
    uint32_t slots; /* slots read */
    struct tt_hash by_address;
};

/* Reads the slots inside `bytes`. Returns false when out of memory; the caller frees *registry. */
bool trx_registry_read(struct trx_registry *registry, struct tt_capture *capture,
                       const struct trx_header *header, struct tt_bytes bytes);
void trx_registry_free(struct trx_registry *registry);

/* Finds the object at `address`, preferably of one of `types` (terminated by 0); NULL if there is
 * none. */
const struct trx_object *trx_registry_find(const struct trx_registry *registry, uint64_t address,
                                           const uint8_t *types);

/* Returns whether a thread has, or had, this address. */
bool trx_registry_has_thread(const struct trx_registry *registry, uint64_t address);

/* Adds a fact for each object and one for the registry. Returns false when out of memory. */
bool trx_registry_facts(const struct trx_registry *registry, struct tt_capture *capture);

#endif
