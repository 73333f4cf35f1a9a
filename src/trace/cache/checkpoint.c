/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "format/capture_tables_cache.h"
#include "trace/cache/save_build.h"
#include "trace/cache/save_index.h"
#include "trace/cache/save_lanes.h"
#include "trace/cache/save_timeline.h"
#include "trace/track/track_store.h"
#include "tracetui/format.h"

/* Recorded sections, and the tags of the same sections of the finished index. */
enum { CAPTURE, DECODER, INDEX, BUILDER, LANES, PARTS };

static const enum tt_section_tag open_tags[PARTS] = {
    TT_SECTION_OPEN_CAPTURE, TT_SECTION_OPEN_DECODER, TT_SECTION_OPEN_INDEX,
    TT_SECTION_OPEN_BUILDER, TT_SECTION_OPEN_LANES};
static const enum tt_section_tag final_tags[] = {TT_SECTION_CAPTURE, TT_SECTION_DECODER,
                                                 TT_SECTION_INDEX};
#define FINAL_PARTS (sizeof final_tags / sizeof final_tags[0])

struct tt_cache_checkpoint {
    const struct tt_timelines *timelines;
    struct tt_section_writer *parts[PARTS]; /* NULL: equal to that of the finished index */
    struct tt_open_tracks tracks;
};

/* ---- recording ---------------------------------------------------------------------------- */

static void put_part(struct tt_index *index, unsigned part, struct tt_section_writer *w)
{
    const struct tt_capture *c = index->capture;
    if (part == CAPTURE) {
        tt_tables_save(c, w);
    } else if (part == DECODER) {
        if (c->format->cache.save) {
            c->format->cache.save(c, w);
        }
    } else {
        tt_index_save(index, w);
    }
}

static bool note(struct tt_cache_checkpoint *checkpoint, const struct tt_builder *b)
{
    struct tt_section_writer **parts = checkpoint->parts;
    for (unsigned part = 0; part < PARTS; part++) {
        parts[part] = tt_section_writer_gathering();
        if (!parts[part]) {
            return false;
        }
    }
    bool good = true;
    for (unsigned part = 0; part < FINAL_PARTS; part++) {
        put_part(b->index, part, parts[part]);
        good = good && !tt_section_failed(parts[part]);
    }
    return good && tt_builder_save(b, parts[BUILDER]) &&
           tt_lanes_save(b->publisher.feed.timelines, &checkpoint->tracks, parts[LANES]);
}

struct tt_cache_checkpoint *tt_cache_checkpoint_new(const struct tt_builder *b)
{
    struct tt_cache_checkpoint *checkpoint =
        tt_builder_can_save(b) ? calloc(1, sizeof *checkpoint) : NULL;
    if (!checkpoint) {
        return NULL;
    }
    checkpoint->timelines = b->publisher.feed.timelines;
    if (!note(checkpoint, b)) {
        tt_cache_checkpoint_free(checkpoint);
        return NULL;
    }
    return checkpoint;
}

void tt_cache_checkpoint_free(struct tt_cache_checkpoint *checkpoint)
{
    if (checkpoint) {
        for (unsigned part = 0; part < PARTS; part++) {
            tt_section_writer_free(checkpoint->parts[part]);
        }
        tt_open_tracks_free(&checkpoint->tracks);
        free(checkpoint);
    }
}

bool tt_cache_checkpoint_is_of(const struct tt_cache_checkpoint *checkpoint,
                               const struct tt_timelines *t)
{
    return checkpoint->timelines == t;
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool is_same(struct tt_bytes a, struct tt_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, (size_t)a.size) == 0);
}

void tt_cache_checkpoint_shrink(struct tt_cache_checkpoint *checkpoint, struct tt_index *index)
{
    for (unsigned part = 0; part < FINAL_PARTS; part++) {
        struct tt_section_writer *now = tt_section_writer_gathering();
        if (!now) {
            return;
        }
        put_part(index, part, now);
        if (!tt_section_failed(now) &&
            is_same(tt_section_gathered(now), tt_section_gathered(checkpoint->parts[part]))) {
            tt_section_writer_free(checkpoint->parts[part]);
            checkpoint->parts[part] = NULL;
        }
        tt_section_writer_free(now);
    }
}

void tt_cache_put(struct tt_index *index, const struct tt_cache_checkpoint *checkpoint,
                  struct tt_section_writer *w)
{
    for (unsigned part = 0; part < FINAL_PARTS; part++) {
        /* The index is used in place: unpacking it would delay the first screen. */
        (part == INDEX ? tt_section : tt_section_packed)(w, final_tags[part]);
        put_part(index, part, w);
    }
    tt_timelines_save(atomic_load(&index->timelines), checkpoint ? &checkpoint->tracks : NULL, w);
    for (unsigned part = 0; checkpoint && part < PARTS; part++) {
        if (checkpoint->parts[part]) {
            struct tt_bytes noted = tt_section_gathered(checkpoint->parts[part]);
            tt_section_packed(w, open_tags[part]);
            tt_section_put(w, noted.data, (size_t)noted.size);
        }
    }
}

/* ---- restoring ------------------------------------------------------------------------------ */

static enum tt_section_tag tag_of(const struct tt_section_file *file, unsigned part)
{
    bool recorded = file->sections[open_tags[part]].bytes.data || part >= FINAL_PARTS;
    return recorded ? open_tags[part] : final_tags[part];
}

static const struct tt_section *section_of(const struct tt_section_file *file, unsigned part)
{
    return &file->sections[tag_of(file, part)];
}

bool tt_cache_checkpoint_is_saved(const struct tt_section_file *file)
{
    return section_of(file, BUILDER)->bytes.data && section_of(file, LANES)->bytes.data &&
           file->sections[TT_SECTION_OPEN_PLACES].bytes.data;
}

bool tt_cache_checkpoint_open(struct tt_section_file *file)
{
    bool sound = tt_section_open(&file->sections[TT_SECTION_OPEN_PLACES]);
    for (unsigned part = 0; sound && part < PARTS; part++) {
        sound = tt_section_open(&file->sections[tag_of(file, part)]);
    }
    return sound;
}

static bool resume(struct tt_index *index, const struct tt_section_file *file)
{
    struct tt_reader r = tt_section_reader(section_of(file, BUILDER));
    struct tt_timelines *t = tt_lanes_restore(index->capture, section_of(file, LANES),
                                              &file->sections[TT_SECTION_OPEN_PLACES],
                                              &file->sections[TT_SECTION_TRACKS]);
    if (t) {
        t->gone = index->cached_gone;
        if (index->cached_gone) {
            tt_track_store_release(t->store);
        }
    }
    atomic_store_explicit(&index->timelines, t, memory_order_release);
    struct tt_builder *b = t ? malloc(sizeof *b) : NULL;
    struct tt_status status = b ? tt_builder_init(b, index) : tt_error_memory();
    if (tt_failed(&status)) {
        free(b);
        return false;
    }
    index->resumed = b;
    return tt_builder_resume(b, t, &r);
}

bool tt_cache_checkpoint_restore(struct tt_index *index, const struct tt_section_file *file,
                                 uint64_t size)
{
    struct tt_reader capture = tt_section_reader(section_of(file, CAPTURE));
    struct tt_reader decoder = tt_section_reader(section_of(file, DECODER));
    struct tt_reader blocks = tt_section_reader(section_of(file, INDEX));
    uint64_t read = 0;
    return tt_builder_saved_size(section_of(file, BUILDER)->bytes, &read) == size &&
           tt_tables_restore(index->capture, &capture) &&
           tt_capture_restore(index->capture, &decoder) &&
           tt_index_restore_open(index, &blocks, size, read) && resume(index, file);
}
