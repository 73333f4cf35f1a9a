/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_names: the objects at an address, by position in the stream.
 *
 *  Kernel objects are identified by address, addresses are reused, and a name may come after the
 * first use. So each (kind, address) has versions, each valid from its position on; positions
 * before the first version use the first one:
 *
 *       address 0x0098e254      version 0            version 1
 *       position     0 ---------1000-----------------2000-------->
 *                    "SimTsyCPM"                     "ESock_DIP"
 *
 *  A version's value is a lane, a process, a text or an address, depending on the kind. The
 * versions of an address are linked from the newest back, with a jump pointer each (skew-binary
 * list), so that any position is found in O(log versions).
 *
 *  One thread (of the learning cursor) adds; any thread looks up. The table owns its memory.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_NAMES_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_NAMES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/column.h"
#include "base/hash.h"
#include "tracetui/capture.h"

enum btrace_object {
    BTRACE_OBJECT_THREAD,     /* NThread -> lane number */
    BTRACE_OBJECT_PROCESS,    /* DProcess -> process number */
    BTRACE_OBJECT_RTHREAD,    /* RThread::Id() -> lane number */
    BTRACE_OBJECT_CHUNK,      /* -> text */
    BTRACE_OBJECT_CODE_SEG,   /* -> text */
    BTRACE_OBJECT_SERVER,     /* -> text */
    BTRACE_OBJECT_SESSION,    /* -> address of its server */
    BTRACE_OBJECT_FAST_MUTEX, /* -> text */
    BTRACE_OBJECT_SEMAPHORE,  /* -> text */
    BTRACE_OBJECT_MUTEX,      /* -> text */
    BTRACE_OBJECT_CONDVAR,    /* -> text */
    BTRACE_SERIES_HEAP,       /* RAllocator -> number of its counter series */
    BTRACE_SERIES_CHUNK,      /* DChunk -> number of its counter series */
    BTRACE_OBJECT_OWNER,      /* lane with unknown process at first -> its process */
    BTRACE_OBJECTS
};

#define BTRACE_NO_NAME UINT32_MAX

struct btrace_version {
    uint64_t from; /* position */
    _Atomic uint32_t value;
    uint32_t older; /* BTRACE_NO_NAME: none */
    uint32_t jump;
    uint32_t depth; /* versions before it */
};

/* A key. `life` and the members after `newest` are private to the writer. */
struct btrace_key {
    uint32_t address;
    uint8_t object;
    uint8_t life;
    _Atomic uint32_t newest;
    uint32_t id;           /* of a thread: RThread::Id(); UINT32_MAX: unknown */
    uint32_t generation;   /* of a thread: number of lanes at the address */
    tt_string name_before; /* of a thread: its name before the newest one */
    uint64_t fresh_from;
};

/* A key that the writer looked up. */
struct btrace_recent {
    uint32_t address;
    uint32_t object;
    uint32_t number; /* + 1; 0: none */
};

#define BTRACE_RECENT_KEYS 256u

struct btrace_names {
    pthread_mutex_t lock; /* held by readers that look up and the writer that adds a key */
    struct tt_hash hash;
    struct tt_column keys;
    struct tt_column versions;
    struct btrace_recent recent[BTRACE_RECENT_KEYS]; /* writer only */
};

bool btrace_names_init(struct btrace_names *names);
void btrace_names_free(struct btrace_names *names);

/* Returns the key's number, or BTRACE_NO_NAME. `writer`: the caller is the one that adds. */
uint32_t btrace_names_find(struct btrace_names *names, enum btrace_object object, uint32_t address,
                           bool writer);
/* The same, but adds a new key without a version (writer). BTRACE_NO_NAME: out of memory. */
uint32_t btrace_names_key(struct btrace_names *names, enum btrace_object object, uint32_t address);

static inline struct btrace_key *btrace_names_at(const struct btrace_names *names, uint32_t key)
{
    return (struct btrace_key *)tt_column_at(&names->keys, key);
}

/*
 * Sets the key's value from `from` on (writer). Replaces a version that starts at the same
 * position. Returns false when out of memory.
 */
bool btrace_names_set(struct btrace_names *names, uint32_t key, uint64_t from, uint32_t value);

/* Value at a position and its range; BTRACE_NO_NAME if there is none. */
struct btrace_found {
    uint32_t value;
    uint64_t from;
    uint64_t until; /* UINT64_MAX: the newest version */
};
struct btrace_found btrace_names_value(const struct btrace_names *names, uint32_t key,
                                       uint64_t pos);

/* Returns the number of versions of a key, and its newest one, from which `older` links to the
 * others. */
uint32_t btrace_names_versions(const struct btrace_names *names, uint32_t key,
                               const struct btrace_version **newest);
/* Returns a version by its number, as in `older`. */
const struct btrace_version *btrace_names_version(const struct btrace_names *names,
                                                  uint32_t version);

/* Returns the value of the newest version of a key, or BTRACE_NO_NAME (writer). */
uint32_t btrace_names_newest(const struct btrace_names *names, uint32_t key);

/*
 * Finds the key and its value at `pos`; BTRACE_NO_NAME if there is none. Any thread; takes the lock, unless
 * the caller is the writer.
 */
uint32_t btrace_names_lookup(struct btrace_names *names, enum btrace_object object,
                             uint32_t address, uint64_t pos, bool writer);

#endif
