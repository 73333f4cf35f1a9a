/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/platform.h"
#include "base/varint.h"

#define LEVEL         1 /* higher ones save one part in fifty and take twice the time */
#define RELEASE_STEP  (UINT64_C(1) << 20)
#define RELEASE_ALIGN (UINT64_C(1) << 16) /* a multiple of the page size */

/* ---- the content of a frame ----------------------------------------------------------------- */

/* Largest content: numbers of 32 and of 64 bits. */
#define CONTENT_MOST                                                                               \
    (TT_STORE_GROUP * (3u * 5u * TT_TRACK_CHUNK + TT_VARINT_MOST * TT_TRACK_SUMS_MAX))

struct stream {
    uint8_t *at;
    const uint8_t *end; /* of the content; TT_VARINT_MOST bytes after it are readable */
    bool writes;
    bool failed;
};

/* Writes a number, or reads one of at most `most`. */
static inline uint64_t track_store_pass(struct stream *stream, uint64_t number, uint64_t most)
{
    if (stream->writes) {
        stream->at = tt_varint_store(stream->at, number);
        return number;
    }
    stream->failed = stream->failed || stream->at >= stream->end;
    stream->at = (uint8_t *)(uintptr_t)tt_varint_load(stream->at, &number);
    stream->failed = stream->failed || number > most;
    stream->at = stream->failed ? (uint8_t *)(uintptr_t)stream->end : stream->at;
    return stream->failed ? 0 : number;
}

static inline void pass_list(struct stream *stream, uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = (uint32_t)track_store_pass(stream, numbers[i], UINT32_MAX);
    }
}

/*
 * Writes the chunks of a group, or reads them: their bases and numbers of items and sums are set. Returns
 * the stream after them, which is kept in registers meanwhile.
 */
static struct stream pass_group(struct stream s, struct tt_pack_items *items, uint32_t count)
{
    uint64_t sums[TT_TRACK_SUMS_MAX] = {0};
    for (struct tt_pack_items *chunk = items; chunk < items + count; chunk++) {
        uint32_t before = 0;
        for (uint32_t i = 0; i < chunk->count; i++) {
            before += (uint32_t)track_store_pass(&s, chunk->delta[i] - before, UINT32_MAX - before);
            chunk->delta[i] = before;
        }
        pass_list(&s, chunk->value, chunk->count);
        pass_list(&s, chunk->more, chunk->wide ? chunk->count : 0);
        for (uint32_t i = 0; i < chunk->sum_count; i++) {
            uint64_t difference =
                track_store_pass(&s, tt_varint_fold(chunk->sums[i] - sums[i]), UINT64_MAX);
            sums[i] += tt_varint_unfold(difference);
            chunk->sums[i] = sums[i];
        }
    }
    return s;
}

/* ---- saving --------------------------------------------------------------------------------- */

struct tt_track_saver {
    struct tt_section_writer *frames;
    struct tt_section_writer *directories;
    ZSTD_CCtx *packer;
    bool failed;
    struct tt_pack_items items[TT_STORE_GROUP];
    uint8_t content[CONTENT_MOST];
    uint8_t frame[ZSTD_COMPRESSBOUND(CONTENT_MOST)];
};

struct tt_track_saver *tt_track_saver_new(struct tt_section_writer *frames,
                                          struct tt_section_writer *directories)
{
    struct tt_track_saver *saver = malloc(sizeof *saver);
    ZSTD_CCtx *packer = saver ? ZSTD_createCCtx() : NULL;
    if (!packer) {
        free(saver);
        return NULL;
    }
    saver->frames = frames;
    saver->directories = directories;
    saver->packer = packer;
    saver->failed = false;
    return saver;
}

void tt_track_saver_free(struct tt_track_saver *saver)
{
    if (saver) {
        ZSTD_freeCCtx(saver->packer);
        free(saver);
    }
}

bool tt_track_saver_failed(const struct tt_track_saver *saver)
{
    return saver->failed;
}

/* Writes the frame of a group; returns its size. */
static size_t put_frame(struct tt_track_saver *saver, uint32_t count)
{
    struct stream s = {.at = saver->content, .writes = true};
    s = pass_group(s, saver->items, count);
    size_t size = ZSTD_compressCCtx(saver->packer, saver->frame, sizeof saver->frame,
                                    saver->content, (size_t)(s.at - saver->content), LEVEL);
    saver->failed = saver->failed || ZSTD_isError(size);
    if (!saver->failed) {
        tt_section_put(saver->frames, saver->frame, size);
    }
    return size;
}

void tt_track_save(struct tt_track_saver *saver, const struct tt_track *track)
{
    uint64_t chunks = tt_track_chunks(track), base = 0;
    saver->failed = saver->failed || tt_section_failed(saver->frames);
    tt_varint_put(saver->directories, chunks);
    for (uint64_t at = 0; at < chunks && !saver->failed; at += TT_STORE_GROUP) {
        uint32_t count = (uint32_t)(chunks - at < TT_STORE_GROUP ? chunks - at : TT_STORE_GROUP);
        for (uint32_t i = 0; i < count; i++) {
            /* Collects a chunk and its sums. */
            uint64_t chunk = at + i;
            struct tt_pack_items *items = &saver->items[i];
            struct tt_track_page page;
            tt_track_load(track, (uint32_t)chunk, TT_TRACK_CHUNK, &page);
            items->base = page.base;
            items->count = page.count < TT_TRACK_CHUNK ? page.count : TT_TRACK_CHUNK;
            items->sum_count = chunk > 0 ? track->sum_count : 0;
            items->wide = track->wide;
            memcpy(items->delta, page.delta, items->count * sizeof *items->delta);
            memcpy(items->value, page.value, items->count * sizeof *items->value);
            if (track->wide) {
                tt_track_load_more(track, &page, TT_TRACK_CHUNK, items->more);
            }
            tt_track_sums(track, (struct tt_track_place){(uint32_t)chunk, 0}, items->sums);
        }
        tt_varint_put(saver->directories, put_frame(saver, count));
        for (uint32_t i = 0; i < count; i++) {
            tt_varint_put(saver->directories, saver->items[i].base - base);
            tt_varint_put(saver->directories, saver->items[i].count);
            base = saver->items[i].base;
        }
    }
}

/* ---- the store ------------------------------------------------------------------------------ */

struct tt_track_store {
    struct tt_bytes frames;
    struct tt_bytes mapped; /* whole pages of it, which are released; empty: none */
    struct tt_arena arena;  /* directories, and chunks under the lock */
    uint64_t next;          /* frame of the next directory */
    pthread_mutex_t lock;   /* unpacks chunks; guards the rest */
    ZSTD_DCtx *unpacker;
    uint64_t unreleased; /* bytes of frames since their pages were released */
    struct tt_pack_items items[TT_STORE_GROUP];
    struct tt_track_entry layouts[TT_STORE_GROUP];
    uint8_t content[CONTENT_MOST + TT_VARINT_MOST];
    uint8_t chunks[sizeof(struct tt_stored_chunks) + TT_STORE_GROUP * TT_PACK_MOST];
};

struct tt_track_store *tt_track_store_new(struct tt_bytes frames)
{
    struct tt_track_store *store = calloc(1, sizeof *store);
    if (!store) {
        return NULL;
    }
    store->frames = frames;
    store->unpacker = ZSTD_createDCtx();
    pthread_mutex_init(&store->lock, NULL);
    if (!store->unpacker) {
        tt_track_store_free(store);
        return NULL;
    }
    return store;
}

void tt_track_store_free(struct tt_track_store *store)
{
    if (store) {
        pthread_mutex_destroy(&store->lock);
        tt_arena_free(&store->arena);
        ZSTD_freeDCtx(store->unpacker);
        free(store);
    }
}

void tt_track_store_release(struct tt_track_store *store)
{
    uint64_t skip = (0 - (uint64_t)(uintptr_t)store->frames.data) % RELEASE_ALIGN;
    if (store->frames.size >= skip + RELEASE_ALIGN) {
        uint64_t size = (store->frames.size - skip) / RELEASE_ALIGN * RELEASE_ALIGN;
        store->mapped = tt_bytes_slice(store->frames, skip, size);
    }
}

uint64_t tt_track_store_memory(const struct tt_track_store *store)
{
    return sizeof *store + tt_arena_memory(&store->arena);
}

/* ---- directories ---------------------------------------------------------------------------- */

bool tt_track_restore_from(struct tt_track_store *store, struct tt_reader *reader,
                           struct tt_track *track)
{
    uint64_t chunks = tt_varint_read(reader),
             groups = (chunks + TT_STORE_GROUP - 1) / TT_STORE_GROUP;
    if (chunks == 0 || reader->failed || chunks > tt_read_left(reader) / 2 || chunks > UINT32_MAX) {
        return chunks == 0 && !reader->failed;
    }
    struct tt_track_directory *directory = tt_arena_words(
        &store->arena, sizeof *directory + (size_t)chunks * sizeof directory->entries[0]);
    struct tt_stored_track *stored =
        tt_arena_words(&store->arena, sizeof *stored + (size_t)groups * sizeof stored->groups[0]);
    if (!directory || !stored) {
        return false;
    }
    *directory = (struct tt_track_directory){.stored = stored, .first = 0};
    stored->store = store;
    stored->count = chunks;
    stored->sum_count = track->sum_count;
    stored->wide = track->wide;
    for (uint64_t i = 0; i < chunks; i++) {
        struct tt_track_entry *entry = &directory->entries[i];
        if (i % TT_STORE_GROUP == 0) {
            struct tt_stored_group *group = &stored->groups[i / TT_STORE_GROUP];
            atomic_init(&group->chunks, NULL);
            group->at = store->next;
            group->size = tt_varint_read(reader);
            if (group->size > store->frames.size - store->next) {
                return false;
            }
            store->next += group->size;
        }

        /*
         * Reads the entry of a chunk, of which `before` is the one before it or NULL; false:
         * impossible.
         */
        const struct tt_track_entry *before = i > 0 ? entry - 1 : NULL;
        uint64_t since = tt_varint_read(reader), count = tt_varint_read(reader);
        uint64_t first = before ? tt_pack_first(before) + tt_pack_count(before) : 0;
        memset(entry, 0, sizeof *entry);
        entry->base = (before ? before->base : 0) + since;
        entry->first = (uint32_t)first;
        entry->where = (first >> 32 & 0xff) << 8 | count;
        if (!(!reader->failed && entry->base >= since && count - 1 < TT_TRACK_CHUNK &&
              first >> 40 == 0)) {
            return false;
        }
    }
    tt_track_restore(track, directory, chunks);
    return true;
}

/* ---- unpacking ------------------------------------------------------------------------------ */

/* Chunks without a layout, which have zeros only. */
static const struct {
    struct tt_stored_chunks chunks;
    uint8_t bytes[TT_PACK_MOST];
} no_chunks;

/* Unpacks the frame of a group into the items of the store. Returns false if it is damaged. */
static bool read_frame(struct tt_stored_track *stored, const struct tt_track_entry *entries,
                       const struct tt_stored_group *group, uint32_t count)
{
    struct tt_track_store *store = stored->store;
    size_t size = ZSTD_decompressDCtx(store->unpacker, store->content, CONTENT_MOST,
                                      store->frames.data + group->at, (size_t)group->size);
    if (ZSTD_isError(size)) {
        return false;
    }
    struct stream s = {.at = store->content, .end = store->content + size};
    for (uint32_t i = 0; i < count; i++) {
        struct tt_pack_items *items = &store->items[i];
        items->base = entries[i].base;
        items->first = tt_pack_first(&entries[i]);
        items->count = tt_pack_count(&entries[i]);
        items->sum_count = items->first > 0 ? stored->sum_count : 0;
        items->wide = stored->wide;
    }
    s = pass_group(s, store->items, count);
    return !s.failed && s.at == s.end;
}

/* Packs the items of the store, and completes their entries. Returns NULL when out of memory. */
static const struct tt_stored_chunks *pack_group(struct tt_track_store *store,
                                                 struct tt_track_entry *entries, uint32_t count)
{
    struct tt_stored_chunks chunks = {{0}};
    size_t used = sizeof chunks;
    for (uint32_t i = 0; i < count; i++) {
        chunks.at[i] = (uint32_t)used;
        used += tt_pack(&store->items[i], store->chunks + used, &store->layouts[i]);
    }
    memcpy(store->chunks, &chunks, sizeof chunks);
    /* Reading a chunk accesses some bytes after it. */
    void *memory = tt_arena_words(&store->arena, used + sizeof(uint64_t));
    if (!memory) {
        return NULL;
    }
    memcpy(memory, store->chunks, used + sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++) {
        entries[i].delta_bits = store->layouts[i].delta_bits;
        entries[i].value_bits = store->layouts[i].value_bits;
        entries[i].distinct = store->layouts[i].distinct;
        entries[i].more_bits = store->layouts[i].more_bits;
    }
    return memory;
}

const struct tt_stored_chunks *tt_stored_unpack(struct tt_stored_track *stored,
                                                struct tt_track_entry *entries, uint64_t number)
{
    struct tt_track_store *store = stored->store;
    struct tt_stored_group *group = &stored->groups[number];
    uint64_t first = number * TT_STORE_GROUP, left = stored->count - first;
    uint32_t count = (uint32_t)(left < TT_STORE_GROUP ? left : TT_STORE_GROUP);
    pthread_mutex_lock(&store->lock);
    const struct tt_stored_chunks *chunks =
        atomic_load_explicit(&group->chunks, memory_order_relaxed);
    if (!chunks) {
        chunks = read_frame(stored, entries + first, group, count)
                     ? pack_group(store, entries + first, count)
                     : NULL;
        chunks = chunks ? chunks : &no_chunks.chunks;
        atomic_store_explicit(&group->chunks, chunks, memory_order_release);
        store->unreleased += group->size;
        if (store->mapped.size > 0 && store->unreleased >= RELEASE_STEP) {
            tt_platform_release_pages((void *)(uintptr_t)store->mapped.data,
                                      (size_t)store->mapped.size);
            store->unreleased = 0;
        }
    }
    pthread_mutex_unlock(&store->lock);
    return chunks;
}
