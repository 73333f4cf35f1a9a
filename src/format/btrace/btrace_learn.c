/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_learn: what the learning cursor adds on its first pass: types, names of objects, health.
 */
#include <stdlib.h>
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "tracetui/text.h"

enum {
    SERIES_MAX = 256, /* maximum number of heap counters, and of chunk counters */
};

struct btrace_learner *btrace_learner_new(void)
{
    struct btrace_learner *learner = calloc(1, sizeof *learner);
    if (learner && !(learner->groups = btrace_groups_new())) {
        free(learner);
        learner = NULL;
    }
    return learner;
}

void btrace_learner_free(struct btrace_learner *learner)
{
    if (learner) {
        btrace_groups_free(learner->groups);
        free(learner);
    }
}

void btrace_learn_health(struct tt_cursor *cursor, enum tt_health_kind kind, uint64_t pos,
                         uint64_t value, const char *detail)
{
    if (btrace_learns(cursor, pos)) {
        tt_health_add(cursor->capture, kind, pos, pos, value, detail);
    }
}

/* ---- types ------------------------------------------------------------------------------ */

/* Returns `prefix` and a number as a text that lives as long as the capture; `fallback` when out of
 * memory. */
static const char *btrace_learn_numbered(struct tt_capture *capture, const char *prefix,
                                         unsigned number, const char *fallback)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, prefix);
    tt_text_u64(&text, number);
    tt_string string = tt_capture_intern(capture, buffer, text.used);
    return string ? tt_capture_text(capture, string, NULL) : fallback;
}

static const char *btrace_learn_class_of(struct tt_capture *capture, uint8_t category)
{
    const struct btrace_category *known = btrace_category_of(category);
    if (known) {
        return known->name;
    }
    if (category >= BTRACE_EXTENSION_FIRST) {
        return btrace_learn_numbered(capture, "ESymbianExtentions", category, "ESymbianExtentions");
    }
    if (category >= BTRACE_PLATFORM_FIRST) {
        return btrace_learn_numbered(capture, "EPlatformSpecific", category, "EPlatformSpecific");
    }
    return btrace_learn_numbered(capture, "Category", category, "Category");
}

static unsigned btrace_learn_kind_of(const struct btrace_sub *layout, uint8_t category)
{
    if (layout) {
        return layout->kind;
    }
    return category >= BTRACE_PLATFORM_FIRST ? TT_KIND_USER : TT_KIND_EVENT;
}

/* Returns whether btrace_learn has something to do for a record of these numbers. */
static bool teaches(const struct btrace_sub *layout, uint8_t category, uint8_t sub)
{
    if (!layout) {
        return category < BTRACE_PLATFORM_FIRST; /* unknown: reported */
    }
    switch (category) {
    case BTRACE_THREAD_IDENTIFICATION:
    case BTRACE_META_TRACE:
    case BTRACE_CHUNKS:
    case BTRACE_HEAP:
        return true;
    case BTRACE_CLIENT_SERVER:
        return sub == BTRACE_SESSION_ATTACH || layout->names;
    default:
        return layout->names;
    }
}

static unsigned btrace_learn_work(uint8_t category, uint8_t sub, unsigned kind)
{
    return btrace_effect_of(category, sub) | (TT_NOTE_KINDS >> kind & 1 ? BTRACE_WORK_NOTE : 0) |
           (category != BTRACE_CPU_USAGE ? BTRACE_WORK_INFER : 0);
}

uint64_t btrace_code_of(uint8_t category, uint8_t sub, uint32_t type)
{
    const struct btrace_sub *layout = btrace_sub_of(category, sub);
    bool known = layout || category >= BTRACE_PLATFORM_FIRST;
    bool plain = known && category != BTRACE_PROFILING;
    bool learns = teaches(layout, category, sub);
    uint64_t code = (uint32_t)(type + 1);
    code |= (uint64_t)btrace_learn_kind_of(layout, category) << BTRACE_CODE_KIND;
    code |= (uint64_t)btrace_learn_work(category, sub, btrace_learn_kind_of(layout, category))
            << BTRACE_CODE_WORK;
    code |= learns ? BTRACE_CODE_TEACHES : 0;
    code |= plain ? BTRACE_CODE_PLAIN : 0;
    code |= plain && !learns ? BTRACE_CODE_PLAIN_NEW : 0;
    return code;
}

void btrace_set_type(struct btrace_decoder *decoder, uint8_t category, uint8_t sub, uint32_t type)
{
    atomic_store_explicit(&decoder->codes[(uint32_t)sub << 8 | category],
                          btrace_code_of(category, sub, type), memory_order_release);
}

uint32_t btrace_type_add(struct tt_cursor *cursor, uint8_t category, uint8_t sub)
{
    struct tt_capture *capture = cursor->capture;
    const struct btrace_sub *layout = btrace_sub_of(category, sub);
    const char *class_name = btrace_learn_class_of(capture, category);
    const char *name;
    if (layout && layout->number == sub) {
        name = layout->name;
    } else {
        name = btrace_learn_numbered(capture, layout ? layout->name : "Sub", sub, "Sub");
    }
    uint32_t type = tt_types_add(capture, class_name, name, (uint64_t)category << 8 | sub,
                                 btrace_learn_kind_of(layout, category));

    if (type == UINT32_MAX) {
        cursor->learner->memory_short = true;
    } else {
        btrace_set_type(cursor->decoder, category, sub, type);
    }
    return type;
}

/* ---- names ------------------------------------------------------------------------------ */

static enum btrace_object btrace_learn_object_of(uint8_t field_type)
{
    switch (field_type) {
    case BF_CHUNK:
        return BTRACE_OBJECT_CHUNK;
    case BF_CODE_SEG:
        return BTRACE_OBJECT_CODE_SEG;
    case BF_SERVER:
        return BTRACE_OBJECT_SERVER;
    case BF_FAST_MUTEX:
        return BTRACE_OBJECT_FAST_MUTEX;
    case BF_SEMAPHORE:
        return BTRACE_OBJECT_SEMAPHORE;
    case BF_MUTEX:
        return BTRACE_OBJECT_MUTEX;
    default:
        return BTRACE_OBJECT_CONDVAR;
    }
}

/* Names a counter: its meaning, the object's name if it has one, its address. */
static void learn_series(struct tt_cursor *cursor, enum btrace_object series, uint32_t address,
                         struct tt_bytes name, uint64_t pos)
{
    uint32_t *count = series == BTRACE_SERIES_HEAP ? &cursor->learner->heap_series
                                                   : &cursor->learner->chunk_series;
    if (*count >= SERIES_MAX) {
        return;
    }
    char buffer[BTRACE_NAME_MAX + 32];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, series == BTRACE_SERIES_HEAP ? "heap" : "chunk");
    tt_text_str(&text, " 0x");
    tt_text_hex(&text, address, 8);
    if (name.size > 0) {
        tt_text_char(&text, ' ');
        tt_text_bytes(&text, (const char *)name.data, (size_t)name.size);
    }
    tt_string string = tt_capture_intern(cursor->capture, buffer, text.used);
    uint32_t number = tt_series_add(cursor->capture, string, UINT32_MAX);
    btrace_set_name(cursor, series, address, pos, number);
    (*count)++;
}

static bool has_series(struct tt_cursor *cursor, enum btrace_object series, uint32_t address)
{
    return btrace_names_find(&cursor->decoder->names, series, address, true) != BTRACE_NO_NAME;
}

/* Learns from a record whose text names the object in its first field. */
static void learn_object(struct tt_cursor *cursor, const struct btrace_sub *layout,
                         struct tt_bytes payload, uint64_t pos)
{
    unsigned words = 0;
    while (layout->fields[words].type != BF_TEXT) {
        words++; /* all fields before a name are words in these records */
    }
    if (payload.size < words * 4u) {
        return;
    }
    uint32_t address = btrace_word(payload, 0);
    struct tt_bytes name = tt_bytes_slice(payload, words * 4u, BTRACE_NAME_MAX);
    btrace_set_name(cursor, btrace_learn_object_of(layout->fields[0].type), address, pos,
                    btrace_intern_name(cursor, name));
    if (layout->fields[0].type == BF_CHUNK) {
        learn_series(cursor, BTRACE_SERIES_CHUNK, address, name, pos);
    }
}

static void learn_memory(struct tt_cursor *cursor, const struct btrace_record *record,
                         struct tt_bytes payload)
{
    enum btrace_object series =
        record->category == BTRACE_HEAP ? BTRACE_SERIES_HEAP : BTRACE_SERIES_CHUNK;
    uint32_t address = btrace_word(payload, 0);
    if (!has_series(cursor, series, address)) {
        learn_series(cursor, series, address, tt_bytes_of(NULL, 0), record->pos);
    }
}

/* ---- single record ---------------------------------------------------------------------- */

static void learn_info(struct tt_cursor *cursor, const struct btrace_record *record)
{
    const struct btrace_clock *clock = &cursor->decoder->clock;
    if (record->sub != BTRACE_TIMESTAMPS_INFO || cursor->learner->info_reported) {
        return;
    }
    if (!clock->has_periods) {
        btrace_learn_health(cursor, TT_HEALTH_HEADER, record->pos, btrace_record_word(record, 0),
                            "EMetaTraceTimestampsInfo is too late in the file to be used");
        cursor->learner->info_reported = true;
    } else if (btrace_record_word(record, 0) != clock->period ||
               btrace_record_word(record, 1) != clock->period2 ||
               btrace_record_word(record, 2) != clock->info_flags) {
        btrace_learn_health(cursor, TT_HEALTH_HEADER, record->pos, btrace_record_word(record, 0),
                            "EMetaTraceTimestampsInfo differs from the first one");
        cursor->learner->info_reported = true;
    }
}

static void learn_payload(struct tt_cursor *cursor, const struct btrace_record *record,
                          struct tt_bytes payload)
{
    const struct btrace_sub *layout = record->layout;
    if (!layout) {
        return;
    }
    switch (record->category) {
    case BTRACE_THREAD_IDENTIFICATION:
        btrace_learn_identity(cursor, record->sub, payload, record->pos);
        break;
    case BTRACE_CLIENT_SERVER:
        if (record->sub == BTRACE_SESSION_ATTACH && payload.size >= 8) {
            btrace_set_name(cursor, BTRACE_OBJECT_SESSION, btrace_word(payload, 0), record->pos,
                            btrace_word(payload, 1));
        }
        break;
    case BTRACE_CHUNKS:
        if (record->sub >= BTRACE_CHUNK_ALLOCATED && record->sub <= BTRACE_CHUNK_REMOVED) {
            learn_memory(cursor, record, payload);
        }
        break;
    case BTRACE_HEAP:
        if (record->sub <= BTRACE_HEAP_FREE) {
            learn_memory(cursor, record, payload);
        }
        break;
    case BTRACE_META_TRACE:
        learn_info(cursor, record);
        break;
    default:
        break;
    }
    if (layout->names) {
        learn_object(cursor, layout, payload, record->pos);
    }
}

static void unfinished(struct tt_cursor *cursor, const struct btrace_group *group)
{
    tt_health_add(cursor->capture, TT_HEALTH_UNFINISHED, group->first_pos, group->first_pos,
                  group->filled, "bytes of the multipart trace found");
}

/* Learns from a complete multipart trace: names beyond its first part are now available. */
static void learn_whole(struct tt_cursor *cursor, struct tt_bytes bytes, uint64_t first_pos)
{
    struct btrace_record first, part;
    if (btrace_record_read(bytes, first_pos, &first) != BTRACE_READ_OK) {
        return;
    }
    const struct btrace_sub *layout = first.layout;
    bool renames = first.category == BTRACE_THREAD_IDENTIFICATION;
    if (!layout || !(layout->names || renames)) {
        return;
    }
    uint8_t joined[BTRACE_NAME_MAX + 16];
    struct tt_bytes payload = btrace_payload(&first);
    uint64_t used = payload.size;
    memcpy(joined, payload.data, (size_t)used);
    struct btrace_gather gather;
    btrace_gather_start(&gather, bytes, &cursor->decoder->jumps, &first);
    while (used < sizeof joined && btrace_gather_next(&gather, &part)) {
        uint64_t length = btrace_part_bytes(&part);
        length = length < sizeof joined - used ? length : sizeof joined - used;
        memcpy(joined + used, part.data + 8, (size_t)length);
        used += length;
    }
    payload = tt_bytes_of(joined, used);
    struct tt_bytes name = tt_bytes_slice(payload, 8, used);
    struct btrace_names *names = &cursor->decoder->names;
    if (!renames) {
        learn_object(cursor, layout, payload, first_pos);
    } else if (first.sub == BTRACE_PROCESS_NAME) {
        uint32_t process = btrace_names_lookup(names, BTRACE_OBJECT_PROCESS,
                                               btrace_word(payload, 1), first_pos, true);
        tt_registry_process_name(cursor->capture, process, btrace_intern_name(cursor, name));
    } else if (first.sub == BTRACE_THREAD_CREATE || first.sub == BTRACE_THREAD_NAME) {
        uint32_t lane = btrace_names_lookup(names, BTRACE_OBJECT_THREAD, btrace_word(payload, 0),
                                            first_pos, true);
        tt_registry_thread_name(cursor->capture, lane, btrace_intern_name(cursor, name));
    }
}

/* Records a jump to a part beyond the reach of a walk from the previous one. */
static void learn_jump(struct tt_cursor *cursor, const struct btrace_group *before, uint64_t pos)
{
    if (cursor->learner->records - before->record > BTRACE_GROUP_NEAR &&
        !btrace_jumps_add(&cursor->decoder->jumps, before->last_pos, pos)) {
        cursor->learner->memory_short = true;
    }
}

static void learn_part(struct tt_cursor *cursor, struct tt_bytes bytes,
                       const struct btrace_record *record)
{
    struct btrace_learner *learner = cursor->learner;
    struct btrace_group before;
    switch (btrace_groups_part(learner->groups, record, learner->records, &before)) {
    case BTRACE_PART_TAKEN:
        learn_jump(cursor, &before, record->pos);
        break;
    case BTRACE_PART_FINISHED:
        learn_jump(cursor, &before, record->pos);
        learn_whole(cursor, bytes, before.first_pos);
        break;
    case BTRACE_PART_ORPHAN:
        btrace_learn_health(cursor, TT_HEALTH_ORPHAN_PART, record->pos, record->extra,
                            "multipart id");
        break;
    case BTRACE_PART_MISFIT:
        btrace_learn_health(cursor, TT_HEALTH_COUNT_MISMATCH, record->pos,
                            btrace_record_word(record, 1), "offset or length of a multipart part");
        unfinished(cursor, &before);
        break;
    }
}

static void learn_first_part(struct tt_cursor *cursor, const struct btrace_record *record)
{
    struct btrace_learner *learner = cursor->learner;
    struct btrace_group closed;
    if (record->length < 8 || !(record->flags & BTRACE_HAS_EXTRA) ||
        btrace_part_bytes(record) > btrace_record_word(record, 0)) {
        btrace_learn_health(cursor, TT_HEALTH_COUNT_MISMATCH, record->pos,
                            btrace_record_word(record, 0), "length of a multipart trace");
        closed =
            (struct btrace_group){.first_pos = record->pos, .filled = btrace_part_bytes(record)};
        unfinished(cursor, &closed);
        return;
    }
    learner->may_expire = true;
    if (btrace_groups_open(learner->groups, record, learner->records, &closed)) {
        unfinished(cursor, &closed);
    }
}

void btrace_learn(struct tt_cursor *cursor, struct tt_bytes bytes,
                  const struct btrace_record *record)
{
    struct btrace_learner *learner = cursor->learner;
    struct btrace_group closed;
    learner->records++;
    while (btrace_groups_expire(learner->groups, learner->records, &closed)) {
        unfinished(cursor, &closed);
    }
    learner->may_expire = learner->may_expire && btrace_groups_any(learner->groups);
    if (!btrace_record_is_known(record)) {
        btrace_learn_health(cursor, TT_HEALTH_UNKNOWN_EVENT, record->pos,
                            (uint64_t)record->category << 8 | record->sub,
                            "category and sub-category, a byte each");
    }
    if (record->flags & BTRACE_TRUNCATED) {
        btrace_learn_health(cursor, TT_HEALTH_CUT_BY_WRITER, record->pos, record->length,
                            "bytes of data");
    }
    if (record->cpu >= BTRACE_CPUS && !learner->cpu_reported) {
        btrace_learn_health(cursor, TT_HEALTH_HEADER, record->pos, record->cpu, "number of a CPU");
        learner->cpu_reported = true;
    }
    if (record->cpu >= cursor->capture->cpu_count) {
        cursor->capture->cpu_count = record->cpu + 1u;
    }
    if (record->part == BTRACE_MIDDLE || record->part == BTRACE_LAST) {
        learn_part(cursor, bytes, record);
        return;
    }
    if (record->part == BTRACE_FIRST) {
        learn_first_part(cursor, record);
    }
    learn_payload(cursor, record, btrace_payload(record));
}

static void close_all(struct tt_cursor *cursor)
{
    struct btrace_group closed;
    while (btrace_groups_expire(cursor->learner->groups, UINT64_MAX, &closed)) {
        unfinished(cursor, &closed);
    }
}

void btrace_learn_bad(struct tt_cursor *cursor, uint64_t from, uint64_t to)
{
    if (btrace_learns(cursor, from)) {
        tt_health_add(cursor->capture, TT_HEALTH_DAMAGED, from, from, to - from,
                      "bytes that are no records");
        close_all(cursor);
        cursor->learner->frontier = to;
    }
}

void btrace_learn_end(struct tt_cursor *cursor, uint64_t pos)
{
    if (btrace_learns(cursor, pos)) {
        close_all(cursor);
    }
}
