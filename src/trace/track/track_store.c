/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/varint.h"
#include "trace/track/track_code.h"

#define UNPACKED      UINT64_C(1)
#define RELEASE_STEP  (UINT64_C(1) << 20)
#define RELEASE_ALIGN (UINT64_C(1) << 16) /* a multiple of the page size */

/* The directory of a CPU's occupants. */
struct cpu_directory {
    uint64_t place;
    uint64_t chunks;
    const struct tt_track_directory *directory;
};

struct tt_track_store {
    struct tt_bytes bytes;
    struct tt_bytes mapped;   /* whole pages of it, which are released; empty: none */
    struct tt_arena arena;    /* directories */
    uint8_t *memory;          /* of chunks */
    uint64_t capacity;        /* without the bytes that are read after a chunk */
    pthread_mutex_t lock;     /* unpacks chunks; taken before `cpu_lock` */
    pthread_mutex_t cpu_lock; /* the same for chunks of occupants */
    pthread_mutex_t room;     /* protects `used`; taken last */
    uint64_t used;
    uint64_t unreleased;   /* bytes of chunks since the pages of the codes were released */
    struct tt_track *cpus; /* the occupants */
    const struct tt_track **occupants;
    struct cpu_directory *known; /* in ascending order of places */
    uint32_t known_count;
    struct tt_code_refs refs;
};

/* ---- the store ------------------------------------------------------------------------------ */

#define CPUS_MAX 65536u

static uint64_t word_at(struct tt_bytes bytes, uint64_t at)
{
    uint64_t word;
    memcpy(&word, bytes.data + at, sizeof word);
    return word;
}

/* Restores the occupants of one CPU. */
static bool take_cpu(struct tt_track_store *store, struct tt_track *track, uint64_t place,
                     uint64_t chunks)
{
    if (chunks == 0) {
        return true;
    }
    const struct tt_track_directory *directory =
        tt_track_store_directory(store, place, chunks, track);
    uint32_t n = store->known_count;
    if (!directory || (n > 0 && store->known[n - 1].place >= place)) {
        return false;
    }
    directory->stored->is_cpu = true;
    tt_track_restore(track, directory, chunks);
    store->known[store->known_count++] = (struct cpu_directory){place, chunks, directory};
    return true;
}

/* Restores the occupants of each CPU, listed before `end`. */
static bool take_cpus(struct tt_track_store *store, uint64_t end, uint32_t count, uint32_t sums)
{
    size_t room = count > 0 ? count : 1;
    store->cpus = calloc(room, sizeof *store->cpus);
    store->occupants = calloc(room, sizeof *store->occupants);
    store->known = calloc(room, sizeof *store->known);
    if (!store->cpus || !store->occupants || !store->known) {
        return false;
    }
    const uint64_t size = 2 * sizeof(uint64_t);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = end - (count - i) * size;
        tt_track_init(&store->cpus[i], sums);
        store->occupants[i] = &store->cpus[i];
        if (!take_cpu(store, &store->cpus[i], word_at(store->bytes, at),
                      word_at(store->bytes, at + size / 2))) {
            return false;
        }
    }
    store->refs = (struct tt_code_refs){store->occupants, count};
    return true;
}

static bool take_end(struct tt_track_store *store, uint32_t cpu_sums)
{
    uint64_t size = store->bytes.size;
    if (size < TT_CODE_AFTER + 2 * sizeof(uint64_t)) {
        return false;
    }
    uint64_t end = size - TT_CODE_AFTER - 2 * sizeof(uint64_t);
    uint64_t cpus = word_at(store->bytes, end);
    store->capacity = word_at(store->bytes, end + sizeof(uint64_t));
    if (cpus > CPUS_MAX || cpus > end / (2 * sizeof(uint64_t)) ||
        store->capacity / TT_PACK_MOST > size) {
        return false;
    }
    /* Pages that are not used take no memory. */
    store->memory = malloc((size_t)store->capacity + TT_PACK_MOST);
    if (!store->memory) {
        return false;
    }
    memset(store->memory + store->capacity, 0, TT_PACK_MOST);
    return take_cpus(store, end, (uint32_t)cpus, cpu_sums);
}

struct tt_track_store *tt_track_store_new(struct tt_bytes bytes, uint32_t cpu_sums)
{
    struct tt_track_store *store = calloc(1, sizeof *store);
    if (!store) {
        return NULL;
    }
    store->bytes = bytes;
    pthread_mutex_init(&store->lock, NULL);
    pthread_mutex_init(&store->cpu_lock, NULL);
    pthread_mutex_init(&store->room, NULL);
    if (!take_end(store, cpu_sums)) {
        tt_track_store_free(store);
        return NULL;
    }
    return store;
}

void tt_track_store_free(struct tt_track_store *store)
{
    if (store) {
        pthread_mutex_destroy(&store->lock);
        pthread_mutex_destroy(&store->cpu_lock);
        pthread_mutex_destroy(&store->room);
        tt_arena_free(&store->arena);
        free(store->memory);
        free(store->cpus);
        free(store->occupants);
        free(store->known);
        free(store);
    }
}

void tt_track_store_release(struct tt_track_store *store)
{
    uint64_t skip = (0 - (uint64_t)(uintptr_t)store->bytes.data) % RELEASE_ALIGN;
    if (store->bytes.size >= skip + RELEASE_ALIGN) {
        uint64_t size = (store->bytes.size - skip) / RELEASE_ALIGN * RELEASE_ALIGN;
        store->mapped = tt_bytes_slice(store->bytes, skip, size);
    }
}

uint64_t tt_track_store_memory(const struct tt_track_store *store)
{
    return store->capacity + tt_arena_memory(&store->arena);
}

/* ---- directories ---------------------------------------------------------------------------- */

/*
 * Reads the entries, and the place of each code relative to the first. Returns false if one is
 * impossible; *size is the size of the codes.
 */
static bool read_entries(struct tt_reader *r, struct tt_track_directory *directory, uint64_t chunks,
                         uint64_t *size)
{
    uint64_t base = 0, first = 0;
    *size = 0;
    for (uint64_t i = 0; i < chunks; i++) {
        struct tt_track_entry *entry = &directory->entries[i];
        uint64_t since = tt_varint_read(r), length = tt_varint_read(r);
        uint64_t count = length & 1 ? tt_varint_read(r) : tt_track_capacity(i);
        base += since;
        if (r->failed || base < since || count - 1 >= TT_TRACK_CHUNK || first >> 40 != 0 ||
            length / 2 > TT_CODE_MOST) {
            return false;
        }
        memset(entry, 0, sizeof *entry);
        entry->base = base;
        entry->first = (uint32_t)first;
        entry->where = (first >> 32 & 0xff) << 8 | count;
        atomic_init(&directory->stored->where[i], *size << 1);
        *size += length / 2;
        first += count;
    }
    return true;
}

/* The codes of the chunks that are not needed are before the directory, too. */
static bool read_rest(struct tt_reader *r, uint64_t chunks, uint64_t *size)
{
    for (uint64_t i = 0; i < chunks; i++) {
        tt_varint_read(r);
        uint64_t length = tt_varint_read(r);
        if (length & 1) {
            tt_varint_read(r);
        }
        if (r->failed || length / 2 > TT_CODE_MOST) {
            return false;
        }
        *size += length / 2;
    }
    return true;
}

/* Finds the directory of a CPU's occupants, which the store has read; NULL: it is another track. */
static const struct cpu_directory *find_known(const struct tt_track_store *store, uint64_t place)
{
    uint32_t low = 0, high = store->known_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (store->known[middle].place < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < store->known_count && store->known[low].place == place;
    return found ? &store->known[low] : NULL;
}

const struct tt_track_directory *tt_track_store_directory(struct tt_track_store *store,
                                                          uint64_t place, uint64_t chunks,
                                                          const struct tt_track *track)
{
    const struct cpu_directory *known = find_known(store, place);
    if (known) {
        bool fits = chunks > 0 && chunks <= known->chunks && !track->wide &&
                    track->sum_count == known->directory->stored->sum_count;
        return fits ? known->directory : NULL;
    }
    struct tt_reader r = tt_reader_of(store->bytes, tt_host_is_big());
    tt_read_span(&r, place);
    uint64_t all = tt_varint_read(&r), size = 0;
    if (r.failed || chunks == 0 || chunks > all || all > tt_read_left(&r) / 2 || all > UINT32_MAX) {
        return NULL;
    }
    struct tt_track_directory *directory = tt_arena_words(
        &store->arena, sizeof *directory + (size_t)chunks * sizeof directory->entries[0]);
    struct tt_stored_track *stored =
        tt_arena_words(&store->arena, sizeof *stored + (size_t)chunks * sizeof stored->where[0]);
    if (!directory || !stored) {
        return NULL;
    }
    *directory = (struct tt_track_directory){.stored = stored, .first = 0};
    stored->store = store;
    stored->sum_count = track->sum_count;
    stored->wide = track->wide;
    stored->is_cpu = false;
    if (!read_entries(&r, directory, chunks, &size) || !read_rest(&r, all - chunks, &size) ||
        size > place) {
        return NULL;
    }
    for (uint64_t i = 0; i < chunks; i++) {
        uint64_t at = atomic_load_explicit(&stored->where[i], memory_order_relaxed);
        atomic_init(&stored->where[i], at + ((place - size) << 1));
    }
    return directory;
}

/* ---- unpacking ------------------------------------------------------------------------------ */

const uint8_t *tt_stored_bytes(const struct tt_stored_track *stored, uint64_t word)
{
    return stored->store->memory + (word >> 1);
}

/* Computes the sums of the chunk before `chunk`, or of none if that begins a group. */
static bool sums_before(const struct tt_stored_track *stored, const struct tt_track_entry *entries,
                        uint64_t chunk, uint64_t *sums)
{
    uint64_t from = chunk / TT_STORE_GROUP * TT_STORE_GROUP;
    bool sound = true;
    memset(sums, 0, stored->sum_count * sizeof *sums);
    for (uint64_t i = chunk; i > from; i--) {
        uint64_t word = atomic_load_explicit(&stored->where[i - 1], memory_order_relaxed);
        if (i > 1 && word & UNPACKED) {
            tt_pack_sums(&entries[i - 1], tt_stored_bytes(stored, word), stored->sum_count, sums);
            from = i;
            break;
        }
    }
    for (uint64_t i = from > 0 ? from : 1; sound && i < chunk; i++) { /* chunk 0 has no sums */
        uint64_t word = atomic_load_explicit(&stored->where[i], memory_order_relaxed);
        sound = tt_code_add_sums(stored->store->bytes, word >> 1, stored->sum_count, sums);
    }
    return sound;
}

static uint64_t take_room(struct tt_track_store *store, const uint8_t *bytes, size_t size)
{
    pthread_mutex_lock(&store->room);
    /* More than the capacity only if damaged: the zeros after it are read as the chunk. */
    uint64_t at = size <= store->capacity - store->used ? store->used : store->capacity;
    store->used += at == store->used && at < store->capacity ? size : 0;
    store->unreleased += size;
    if (store->mapped.size > 0 && store->unreleased >= RELEASE_STEP) {
        tt_platform_release_pages((void *)(uintptr_t)store->mapped.data,
                                  (size_t)store->mapped.size);
        store->unreleased = 0;
    }
    pthread_mutex_unlock(&store->room);
    if (at < store->capacity) {
        memcpy(store->memory + at, bytes, size);
    }
    return at;
}

/* Unpacks a chunk under the lock of its kind. */
static uint64_t unpack(struct tt_stored_track *stored, struct tt_track_entry *entries,
                       uint64_t chunk, uint64_t code)
{
    struct tt_track_store *store = stored->store;
    struct tt_track_entry *entry = &entries[chunk], layout;
    struct tt_pack_items items = {.base = entry->base,
                                  .first = tt_pack_first(entry),
                                  .count = tt_pack_count(entry),
                                  .sum_count = chunk > 0 ? stored->sum_count : 0,
                                  .wide = stored->wide};
    uint8_t packed[TT_PACK_MOST];
    if (!sums_before(stored, entries, chunk, items.sums) ||
        !tt_code_get(store->bytes, code, stored->is_cpu ? NULL : &store->refs, &items)) {
        memset(items.delta, 0, sizeof items.delta);
        memset(items.value, 0, sizeof items.value);
        memset(items.more, 0, sizeof items.more);
        memset(items.sums, 0, sizeof items.sums);
    }
    size_t size = tt_pack(&items, packed, &layout);
    uint64_t word = take_room(store, packed, size) << 1 | UNPACKED;
    entry->delta_bits = layout.delta_bits;
    entry->value_bits = layout.value_bits;
    entry->distinct = layout.distinct;
    entry->more_bits = layout.more_bits;
    atomic_store_explicit(&stored->where[chunk], word, memory_order_release);
    return word;
}

uint64_t tt_stored_unpack(struct tt_stored_track *stored, struct tt_track_entry *entries,
                          uint64_t chunk)
{
    struct tt_track_store *store = stored->store;
    pthread_mutex_t *lock = stored->is_cpu ? &store->cpu_lock : &store->lock;
    pthread_mutex_lock(lock);
    uint64_t word = atomic_load_explicit(&stored->where[chunk], memory_order_relaxed);
    if (!(word & UNPACKED)) {
        word = unpack(stored, entries, chunk, word >> 1);
    }
    pthread_mutex_unlock(lock);
    return word;
}
