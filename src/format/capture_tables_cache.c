/* SPDX-License-Identifier: Apache-2.0 */
/* capture_tables_cache: writes a capture's tables to the index cache and restores them. One pair of
 * functions per table. */
#include "format/capture_tables_cache.h"

#include <stdlib.h>
#include <string.h>

#include "format/capture_tables.h"

#define NONE UINT32_MAX

/* Returns entry `number`: one from opening (*had), or the next one, published when complete. */
static void *find_or_add_entry(struct tt_column *column, uint64_t number, bool *had)
{
    *had = number < tt_column_count(column);
    return *had ? tt_column_at(column, number) : tt_column_next(column);
}

/* Reads the number of entries, of at least `min` bytes each; not fewer than opening found. */
static bool restore_count(const struct tt_column *column, struct tt_reader *reader, uint64_t min,
                          uint64_t *count)
{
    *count = tt_section_count(reader, min);
    return !reader->failed && *count >= tt_column_count(column) && *count < NONE;
}

/* ---- hash tables ------------------------------------------------------------------------ */

/*
 * Saved unchanged, with free slots: in another arrangement entries of equal hash could be found in
 * another order.
 */
static void save_hash(const struct tt_hash *table, struct tt_section_writer *writer)
{
    tt_section_put_u64(writer, table->capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const struct tt_hash_slot *slot = &table->slots[i];
        tt_section_put_u32(writer, slot->number == TT_HASH_NONE ? 0 : slot->hash);
        tt_section_put_u32(writer, slot->number);
    }
}

#define SLOT_BYTES 8u

/* Values are below `count`; a free slot ends each search. */
static bool restore_hash(struct tt_hash *table, struct tt_reader *reader, uint64_t count)
{
    uint64_t capacity = tt_section_count(reader, SLOT_BYTES);
    if (reader->failed || (capacity & (capacity - 1)) != 0) {
        return false;
    }
    struct tt_hash restored = {.capacity = (size_t)capacity};
    if (capacity > 0) {
        restored.slots = calloc(restored.capacity, sizeof *restored.slots);
        if (!restored.slots) {
            return false;
        }
    }
    bool sound = true;
    for (size_t i = 0; i < restored.capacity; i++) {
        restored.slots[i].hash = tt_read_u32(reader);
        restored.slots[i].number = tt_read_u32(reader);
        sound =
            sound && (restored.slots[i].number == TT_HASH_NONE || restored.slots[i].number < count);
        restored.used += restored.slots[i].number != TT_HASH_NONE;
    }
    if (!sound || (capacity > 0 && restored.used >= restored.capacity)) {
        tt_hash_free(&restored);
        return false;
    }
    tt_hash_free(table);
    *table = restored;
    return true;
}

/* ---- texts ------------------------------------------------------------------------------ */

static void save_strings(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&tables->strings);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_string_entry *entry = tt_column_at(&tables->strings, i);
        tt_section_put_u64(writer, entry->length);
        tt_section_put(writer, entry->bytes, entry->length + 1);
    }
    save_hash(&tables->string_hash, writer);
}

/* An entry from opening has to be equal. */
static bool restore_string(struct tt_tables *tables, uint64_t number, const char *bytes,
                           uint64_t length)
{
    bool had;
    struct tt_string_entry *entry = find_or_add_entry(&tables->strings, number, &had);
    if (!entry || had) {
        return entry && entry->length == length && memcmp(entry->bytes, bytes, entry->length) == 0;
    }
    entry->bytes = bytes;
    entry->length = (size_t)length;
    tt_column_publish(&tables->strings);
    return true;
}

static bool restore_strings(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->strings, reader, sizeof(uint64_t) + 1, &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = tt_read_u64(reader);
        const char *bytes = (const char *)tt_read_span(reader, length);
        const char *end = (const char *)tt_read_span(reader, 1);
        if (!bytes || !end || *end != '\0' || !restore_string(tables, i, bytes, length)) {
            return false;
        }
    }
    return restore_hash(&tables->string_hash, reader, count);
}

/* ---- types ------------------------------------------------------------------------------ */

static void save_types(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    uint64_t classes = tt_column_count(&tables->classes), count = tt_column_count(&tables->types);
    tt_section_put_u64(writer, classes);
    for (uint64_t i = 0; i < classes; i++) {
        const char *const *name = tt_column_at(&tables->classes, i);
        tt_section_put_text(writer, *name);
    }
    save_hash(&tables->class_hash, writer);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_event_type *type = tt_column_at(&tables->types, i);
        tt_section_put_u64(writer, type->code);
        tt_section_put_u32(writer, type->class_id);
        tt_section_put_u32(writer, type->kind);
        tt_section_put_text(writer, type->name);
    }
    save_hash(&tables->type_hash, writer);
}

static bool restore_classes(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->classes, reader, sizeof(uint32_t) + 1, &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *name = tt_section_text(reader);
        bool had;
        const char **entry = find_or_add_entry(&tables->classes, i, &had);
        if (!name || reader->failed || !entry || (had && strcmp(*entry, name) != 0)) {
            return false;
        }
        if (!had) {
            *entry = name;
            tt_column_publish(&tables->classes);
        }
    }
    return restore_hash(&tables->class_hash, reader, count);
}

static bool restore_type(struct tt_tables *tables, uint64_t number,
                         const struct tt_event_type *kept)
{
    bool had;
    struct tt_event_type *type = find_or_add_entry(&tables->types, number, &had);
    if (!type || had) {
        return type && type->code == kept->code && type->class_id == kept->class_id &&
               type->kind == kept->kind && strcmp(type->name, kept->name) == 0;
    }
    *type = *kept;
    tt_column_publish(&tables->types);
    return true;
}

static bool saved_tables_restore_types(struct tt_tables *tables, struct tt_reader *reader)
{
    if (!restore_classes(tables, reader)) {
        return false;
    }
    uint64_t count;
    if (!restore_count(&tables->types, reader, sizeof(uint64_t) + 3 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_event_type type = {.code = tt_read_u64(reader), .class_id = tt_read_u32(reader)};
        uint32_t kind = tt_read_u32(reader);
        type.name = tt_section_text(reader);
        if (reader->failed || !type.name || type.class_id >= tt_column_count(&tables->classes) ||
            kind >= TT_KIND_COUNT) {
            return false;
        }
        const char *const *class_name = tt_column_at(&tables->classes, type.class_id);
        type.class_name = *class_name;
        type.kind = (uint8_t)kind;
        if (!restore_type(tables, i, &type)) {
            return false;
        }
    }
    return restore_hash(&tables->type_hash, reader, count);
}

/* ---- processes and threads -------------------------------------------------------------- */

static void save_processes(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&tables->processes);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_process *process = tt_column_at(&tables->processes, i);
        tt_section_put_u64(writer, process->pid);
        tt_section_put_u64(writer, process->first_when);
        tt_section_put_u64(writer, process->end_when);
        tt_section_put_u32(writer, process->older);
        tt_section_put_u32(writer, process->repeated_begins);
        tt_section_put_u32(writer, process->begin_unknown);
        tt_section_put_u32(writer, process->name);
    }
    save_hash(&tables->process_hash, writer);
}

/* Returns the entry from opening, whose id has to match, or a new one. */
static struct tt_process *find_or_add_process(struct tt_tables *tables, uint64_t number,
                                              uint64_t pid)
{
    bool had;
    struct tt_process *process = find_or_add_entry(&tables->processes, number, &had);
    if (!process || (had && process->pid != pid)) {
        return NULL;
    }
    process->pid = pid;
    if (!had) {
        tt_column_publish(&tables->processes);
    }
    return process;
}

/*
 * Links the processes of a pid in both directions. All chains of `older` end if every process is
 * reached from an oldest one.
 */
static bool link_processes(struct tt_tables *tables)
{
    uint64_t count = tt_column_count(&tables->processes), reached = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *process = tt_column_at(&tables->processes, i);
        struct tt_process *older =
            process->older < count ? tt_column_at(&tables->processes, process->older) : NULL;
        if (older && (older->newer != NONE || older->pid != process->pid)) {
            return false;
        }
        if (older) {
            older->newer = (uint32_t)i;
        } else if (process->older != NONE) {
            return false;
        }
        process->shares_pid = process->older != NONE;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *oldest = tt_column_at(&tables->processes, i);
        if (oldest->older != NONE) {
            continue;
        }
        oldest->shares_pid = oldest->newer != NONE;
        uint32_t newest = (uint32_t)i;
        for (uint32_t n = newest; n != NONE; reached++) {
            newest = n;
            n = ((struct tt_process *)tt_column_at(&tables->processes, n))->newer;
        }
        for (uint32_t n = (uint32_t)i; n != NONE;) {
            struct tt_process *p = tt_column_at(&tables->processes, n);
            p->newest = newest;
            p->near = n;
            n = p->newer;
        }
    }
    return reached == count;
}

static bool restore_processes(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->processes, reader, 3 * sizeof(uint64_t) + 4 * sizeof(uint32_t),
                       &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *process = find_or_add_process(tables, i, tt_read_u64(reader));
        if (!process) {
            return false;
        }
        process->first_when = tt_read_u64(reader);
        process->end_when = tt_read_u64(reader);
        process->older = tt_read_u32(reader);
        process->newer = NONE;
        process->repeated_begins = tt_read_u32(reader);
        process->begin_unknown = tt_read_u32(reader) != 0;
        process->name = tt_read_u32(reader);
        process->threads = 0;
    }
    return !reader->failed && link_processes(tables) &&
           restore_hash(&tables->process_hash, reader, count);
}

static void save_threads(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&tables->threads);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_thread *thread = tt_column_at(&tables->threads, i);
        tt_section_put_u64(writer, thread->tid);
        tt_section_put_u32(writer, thread->process);
        tt_section_put_u32(writer, thread->index);
        tt_section_put_u32(writer, thread->name);
        tt_section_put_u32(writer, (uint32_t)thread->idle | (uint32_t)thread->pseudo << 1);
    }
    uint64_t moves = tt_column_count(&tables->moves);
    tt_section_put_u64(writer, moves);
    for (uint64_t i = 0; i < moves; i++) {
        const struct tt_move *move = tt_column_at(&tables->moves, i);
        tt_section_put_u32(writer, move->thread);
        tt_section_put_u32(writer, move->from);
    }
}

static bool restore_moves(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->moves, reader, 2 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_move *move = find_or_add_entry(&tables->moves, i, &had);
        uint32_t thread = tt_read_u32(reader), from = tt_read_u32(reader);
        if (!move || thread >= tt_column_count(&tables->threads) ||
            from >= tt_column_count(&tables->processes)) {
            return false;
        }
        *move = (struct tt_move){thread, from};
        if (!had) {
            tt_column_publish(&tables->moves);
        }
    }
    return !reader->failed;
}

static bool restore_threads(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->threads, reader, sizeof(uint64_t) + 4 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_thread *thread = find_or_add_entry(&tables->threads, i, &had);
        uint64_t tid = tt_read_u64(reader);
        uint32_t process = tt_read_u32(reader);
        if (!thread || (had && thread->tid != tid) ||
            process >= tt_column_count(&tables->processes)) {
            return false;
        }
        thread->tid = tid;
        thread->process = process;
        thread->index = tt_read_u32(reader);
        thread->name = tt_read_u32(reader);
        uint32_t what = tt_read_u32(reader);
        thread->idle = (what & 1) != 0;
        thread->pseudo = (what & 2) != 0;
        ((struct tt_process *)tt_column_at(&tables->processes, process))->threads++;
        if (!had) {
            tt_column_publish(&tables->threads);
        }
    }
    return restore_moves(tables, reader) && tt_tables_find_lanes(tables);
}

static bool restore_series(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->series, reader, 2 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_series *series = find_or_add_entry(&tables->series, i, &had);
        uint32_t name = tt_read_u32(reader), process = tt_read_u32(reader);
        if (!series || (had && series->name != name) ||
            (process != NONE && process >= tt_column_count(&tables->processes))) {
            return false;
        }
        series->name = name;
        series->process = process;
        if (!had) {
            tt_column_publish(&tables->series);
        }
    }
    return true;
}

static void save_facts(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&tables->facts);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_fact *fact = tt_column_at(&tables->facts, i);
        tt_section_put_text(writer, fact->section);
        tt_section_put_text(writer, fact->key);
        tt_section_put_text(writer, fact->value);
    }
}

static bool restore_facts(struct tt_tables *tables, struct tt_reader *reader)
{
    uint64_t count;
    if (!restore_count(&tables->facts, reader, 3 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_fact kept = {.section = tt_section_text(reader)};
        kept.key = tt_section_text(reader);
        kept.value = tt_section_text(reader);
        bool had;
        struct tt_fact *fact = find_or_add_entry(&tables->facts, i, &had);
        if (reader->failed || !kept.section || !kept.key || !kept.value || !fact) {
            return false;
        }
        if (had && (strcmp(fact->section, kept.section) != 0 || strcmp(fact->key, kept.key) != 0 ||
                    strcmp(fact->value, kept.value) != 0)) {
            return false;
        }
        if (!had) {
            *fact = kept;
            tt_column_publish(&tables->facts);
        }
    }
    return true;
}

static void save_health(const struct tt_tables *tables, struct tt_section_writer *writer)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        tt_section_put_u64(writer, tables->health_counts[kind]);
    }
    uint64_t count = tt_column_count(&tables->health);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_health_record *record = tt_column_at(&tables->health, i);
        tt_section_put_u64(writer, record->offset);
        tt_section_put_u64(writer, record->pos);
        tt_section_put_u64(writer, record->line);
        tt_section_put_u64(writer, record->value);
        tt_section_put_u32(writer, record->kind);
        tt_section_put_text(writer, record->detail);
    }
}

static bool restore_health(struct tt_tables *tables, struct tt_reader *reader)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        tables->health_counts[kind] = tt_read_u64(reader);
    }
    uint64_t count;
    if (!restore_count(&tables->health, reader, 4 * sizeof(uint64_t) + 2 * sizeof(uint32_t),
                       &count) ||
        count > TT_HEALTH_KEPT) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_health_record kept = {.offset = tt_read_u64(reader)};
        kept.pos = tt_read_u64(reader);
        kept.line = tt_read_u64(reader);
        kept.value = tt_read_u64(reader);
        uint32_t kind = tt_read_u32(reader);
        kept.detail = tt_section_text(reader);
        bool had;
        struct tt_health_record *record = find_or_add_entry(&tables->health, i, &had);
        if (reader->failed || kind >= TT_HEALTH_COUNT || !record ||
            (had && (record->kind != kind || record->offset != kept.offset))) {
            return false;
        }
        kept.kind = (uint8_t)kind;
        *record = kept;
        if (!had) {
            tt_column_publish(&tables->health);
        }
    }
    return true;
}

static bool restore_text(struct tt_reader *reader, char *text, size_t size)
{
    const uint8_t *kept = tt_read_span(reader, size);
    if (!kept || !memchr(kept, '\0', size)) {
        return false;
    }
    memcpy(text, kept, size);
    return true;
}

static bool restore_capture(struct tt_capture *capture, struct tt_reader *reader)
{
    if (!restore_text(reader, capture->version, sizeof capture->version) ||
        !restore_text(reader, capture->title, sizeof capture->title)) {
        return false;
    }
    capture->clock_hz = tt_read_u64(reader);
    capture->origin_ticks = tt_read_u64(reader);
    uint32_t cpus = tt_read_u32(reader);
    capture->cpu_count = cpus;
    capture->lanes_by_time = tt_read_u32(reader) != 0;
    capture->wall_clock = (int64_t)tt_read_u64(reader);
    capture->has_wall_clock = tt_read_u32(reader) != 0;
    return !reader->failed && cpus > 0 && cpus <= TT_NO_CPU;
}

void tt_tables_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    /* ---- capture ---------------------------------------------------------------------------- */
    tt_section_put(writer, capture->version, sizeof capture->version);
    tt_section_put(writer, capture->title, sizeof capture->title);
    tt_section_put_u64(writer, capture->clock_hz);
    tt_section_put_u64(writer, capture->origin_ticks);
    tt_section_put_u32(writer, capture->cpu_count);
    tt_section_put_u32(writer, capture->lanes_by_time);
    tt_section_put_u64(writer, capture->has_wall_clock ? (uint64_t)capture->wall_clock : 0);
    tt_section_put_u32(writer, capture->has_wall_clock);

    save_strings(capture->tables, writer);
    save_types(capture->tables, writer);
    save_processes(capture->tables, writer);
    save_threads(capture->tables, writer);

    /* ---- series, facts, health -------------------------------------------------------------- */
    const struct tt_tables *tables = capture->tables;
    uint64_t count = tt_column_count(&tables->series);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_series *series = tt_column_at(&tables->series, i);
        tt_section_put_u32(writer, series->name);
        tt_section_put_u32(writer, series->process);
    }

    save_facts(capture->tables, writer);
    save_health(capture->tables, writer);
}

bool tt_tables_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct tt_tables *tables = capture->tables;
    return restore_capture(capture, reader) && restore_strings(tables, reader) &&
           saved_tables_restore_types(tables, reader) && restore_processes(tables, reader) &&
           restore_threads(tables, reader) && restore_series(tables, reader) &&
           restore_facts(tables, reader) && restore_health(tables, reader) && !reader->failed;
}
