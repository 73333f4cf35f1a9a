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
static bool restore_count(const struct tt_column *column, struct tt_reader *r, uint64_t min,
                          uint64_t *count)
{
    *count = tt_section_count(r, min);
    return !r->failed && *count >= tt_column_count(column) && *count < NONE;
}

/* ---- hash tables ------------------------------------------------------------------------ */

/*
 * Saved unchanged, with free slots: in another arrangement entries of equal hash could be found in
 * another order.
 */
static void save_hash(const struct tt_hash *table, struct tt_section_writer *w)
{
    tt_section_put_u64(w, table->capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const struct tt_hash_slot *slot = &table->slots[i];
        tt_section_put_u32(w, slot->number == TT_HASH_NONE ? 0 : slot->hash);
        tt_section_put_u32(w, slot->number);
    }
}

#define SLOT_BYTES 8u

/* Values are below `count`; a free slot ends each search. */
static bool restore_hash(struct tt_hash *table, struct tt_reader *r, uint64_t count)
{
    uint64_t capacity = tt_section_count(r, SLOT_BYTES);
    if (r->failed || (capacity & (capacity - 1)) != 0) {
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
        restored.slots[i].hash = tt_read_u32(r);
        restored.slots[i].number = tt_read_u32(r);
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

static void save_strings(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&t->strings);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_string_entry *entry = tt_column_at(&t->strings, i);
        tt_section_put_u64(w, entry->length);
        tt_section_put(w, entry->bytes, entry->length + 1);
    }
    save_hash(&t->string_hash, w);
}

/* An entry from opening has to be equal. */
static bool restore_string(struct tt_tables *t, uint64_t number, const char *bytes, uint64_t length)
{
    bool had;
    struct tt_string_entry *entry = find_or_add_entry(&t->strings, number, &had);
    if (!entry || had) {
        return entry && entry->length == length && memcmp(entry->bytes, bytes, entry->length) == 0;
    }
    entry->bytes = bytes;
    entry->length = (size_t)length;
    tt_column_publish(&t->strings);
    return true;
}

static bool restore_strings(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->strings, r, sizeof(uint64_t) + 1, &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = tt_read_u64(r);
        const char *bytes = (const char *)tt_read_span(r, length);
        const char *end = (const char *)tt_read_span(r, 1);
        if (!bytes || !end || *end != '\0' || !restore_string(t, i, bytes, length)) {
            return false;
        }
    }
    return restore_hash(&t->string_hash, r, count);
}

/* ---- types ------------------------------------------------------------------------------ */

static void save_types(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t classes = tt_column_count(&t->classes), count = tt_column_count(&t->types);
    tt_section_put_u64(w, classes);
    for (uint64_t i = 0; i < classes; i++) {
        const char *const *name = tt_column_at(&t->classes, i);
        tt_section_put_text(w, *name);
    }
    save_hash(&t->class_hash, w);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_event_type *type = tt_column_at(&t->types, i);
        tt_section_put_u64(w, type->code);
        tt_section_put_u32(w, type->class_id);
        tt_section_put_u32(w, type->kind);
        tt_section_put_text(w, type->name);
    }
    save_hash(&t->type_hash, w);
}

static bool restore_classes(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->classes, r, sizeof(uint32_t) + 1, &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *name = tt_section_text(r);
        bool had;
        const char **entry = find_or_add_entry(&t->classes, i, &had);
        if (!name || r->failed || !entry || (had && strcmp(*entry, name) != 0)) {
            return false;
        }
        if (!had) {
            *entry = name;
            tt_column_publish(&t->classes);
        }
    }
    return restore_hash(&t->class_hash, r, count);
}

static bool restore_type(struct tt_tables *t, uint64_t number, const struct tt_event_type *kept)
{
    bool had;
    struct tt_event_type *type = find_or_add_entry(&t->types, number, &had);
    if (!type || had) {
        return type && type->code == kept->code && type->class_id == kept->class_id &&
               type->kind == kept->kind && strcmp(type->name, kept->name) == 0;
    }
    *type = *kept;
    tt_column_publish(&t->types);
    return true;
}

static bool restore_types(struct tt_tables *t, struct tt_reader *r)
{
    if (!restore_classes(t, r)) {
        return false;
    }
    uint64_t count;
    if (!restore_count(&t->types, r, sizeof(uint64_t) + 3 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_event_type type = {.code = tt_read_u64(r), .class_id = tt_read_u32(r)};
        uint32_t kind = tt_read_u32(r);
        type.name = tt_section_text(r);
        if (r->failed || !type.name || type.class_id >= tt_column_count(&t->classes) ||
            kind >= TT_KIND_COUNT) {
            return false;
        }
        const char *const *class_name = tt_column_at(&t->classes, type.class_id);
        type.class_name = *class_name;
        type.kind = (uint8_t)kind;
        if (!restore_type(t, i, &type)) {
            return false;
        }
    }
    return restore_hash(&t->type_hash, r, count);
}

/* ---- processes and threads -------------------------------------------------------------- */

static void save_processes(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&t->processes);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_process *p = tt_column_at(&t->processes, i);
        tt_section_put_u64(w, p->pid);
        tt_section_put_u64(w, p->first_when);
        tt_section_put_u64(w, p->end_when);
        tt_section_put_u32(w, p->older);
        tt_section_put_u32(w, p->repeated_begins);
        tt_section_put_u32(w, p->begin_unknown);
        tt_section_put_u32(w, p->name);
    }
    save_hash(&t->process_hash, w);
}

/* Returns the entry from opening, whose id has to match, or a new one. */
static struct tt_process *find_or_add_process(struct tt_tables *t, uint64_t number, uint64_t pid)
{
    bool had;
    struct tt_process *p = find_or_add_entry(&t->processes, number, &had);
    if (!p || (had && p->pid != pid)) {
        return NULL;
    }
    p->pid = pid;
    if (!had) {
        tt_column_publish(&t->processes);
    }
    return p;
}

/*
 * Links the processes of a pid in both directions. All chains of `older` end if every process is
 * reached from an oldest one.
 */
static bool link_processes(struct tt_tables *t)
{
    uint64_t count = tt_column_count(&t->processes), reached = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *p = tt_column_at(&t->processes, i);
        struct tt_process *older = p->older < count ? tt_column_at(&t->processes, p->older) : NULL;
        if (older && (older->newer != NONE || older->pid != p->pid)) {
            return false;
        }
        if (older) {
            older->newer = (uint32_t)i;
        } else if (p->older != NONE) {
            return false;
        }
        p->shares_pid = p->older != NONE;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *oldest = tt_column_at(&t->processes, i);
        if (oldest->older != NONE) {
            continue;
        }
        oldest->shares_pid = oldest->newer != NONE;
        uint32_t newest = (uint32_t)i;
        for (uint32_t n = newest; n != NONE; reached++) {
            newest = n;
            n = ((struct tt_process *)tt_column_at(&t->processes, n))->newer;
        }
        for (uint32_t n = (uint32_t)i; n != NONE;) {
            struct tt_process *p = tt_column_at(&t->processes, n);
            p->newest = newest;
            p->near = n;
            n = p->newer;
        }
    }
    return reached == count;
}

static bool restore_processes(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->processes, r, 3 * sizeof(uint64_t) + 4 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_process *p = find_or_add_process(t, i, tt_read_u64(r));
        if (!p) {
            return false;
        }
        p->first_when = tt_read_u64(r);
        p->end_when = tt_read_u64(r);
        p->older = tt_read_u32(r);
        p->newer = NONE;
        p->repeated_begins = tt_read_u32(r);
        p->begin_unknown = tt_read_u32(r) != 0;
        p->name = tt_read_u32(r);
        p->threads = 0;
    }
    return !r->failed && link_processes(t) && restore_hash(&t->process_hash, r, count);
}

static void save_threads(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&t->threads);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_thread *thread = tt_column_at(&t->threads, i);
        tt_section_put_u64(w, thread->tid);
        tt_section_put_u32(w, thread->process);
        tt_section_put_u32(w, thread->index);
        tt_section_put_u32(w, thread->name);
        tt_section_put_u32(w, (uint32_t)thread->idle | (uint32_t)thread->pseudo << 1);
    }
    uint64_t moves = tt_column_count(&t->moves);
    tt_section_put_u64(w, moves);
    for (uint64_t i = 0; i < moves; i++) {
        const struct tt_move *move = tt_column_at(&t->moves, i);
        tt_section_put_u32(w, move->thread);
        tt_section_put_u32(w, move->from);
    }
}

static bool restore_moves(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->moves, r, 2 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_move *move = find_or_add_entry(&t->moves, i, &had);
        uint32_t thread = tt_read_u32(r), from = tt_read_u32(r);
        if (!move || thread >= tt_column_count(&t->threads) ||
            from >= tt_column_count(&t->processes)) {
            return false;
        }
        *move = (struct tt_move){thread, from};
        if (!had) {
            tt_column_publish(&t->moves);
        }
    }
    return !r->failed;
}

static bool restore_threads(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->threads, r, sizeof(uint64_t) + 4 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_thread *thread = find_or_add_entry(&t->threads, i, &had);
        uint64_t tid = tt_read_u64(r);
        uint32_t process = tt_read_u32(r);
        if (!thread || (had && thread->tid != tid) || process >= tt_column_count(&t->processes)) {
            return false;
        }
        thread->tid = tid;
        thread->process = process;
        thread->index = tt_read_u32(r);
        thread->name = tt_read_u32(r);
        uint32_t what = tt_read_u32(r);
        thread->idle = (what & 1) != 0;
        thread->pseudo = (what & 2) != 0;
        ((struct tt_process *)tt_column_at(&t->processes, process))->threads++;
        if (!had) {
            tt_column_publish(&t->threads);
        }
    }
    return restore_moves(t, r) && tt_tables_find_lanes(t);
}

/* ---- series, facts, health -------------------------------------------------------------- */

static void save_series(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&t->series);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_series *series = tt_column_at(&t->series, i);
        tt_section_put_u32(w, series->name);
        tt_section_put_u32(w, series->process);
    }
}

static bool restore_series(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->series, r, 2 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        bool had;
        struct tt_series *series = find_or_add_entry(&t->series, i, &had);
        uint32_t name = tt_read_u32(r), process = tt_read_u32(r);
        if (!series || (had && series->name != name) ||
            (process != NONE && process >= tt_column_count(&t->processes))) {
            return false;
        }
        series->name = name;
        series->process = process;
        if (!had) {
            tt_column_publish(&t->series);
        }
    }
    return true;
}

static void save_facts(const struct tt_tables *t, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&t->facts);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_fact *fact = tt_column_at(&t->facts, i);
        tt_section_put_text(w, fact->section);
        tt_section_put_text(w, fact->key);
        tt_section_put_text(w, fact->value);
    }
}

static bool restore_facts(struct tt_tables *t, struct tt_reader *r)
{
    uint64_t count;
    if (!restore_count(&t->facts, r, 3 * sizeof(uint32_t), &count)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_fact kept = {.section = tt_section_text(r)};
        kept.key = tt_section_text(r);
        kept.value = tt_section_text(r);
        bool had;
        struct tt_fact *fact = find_or_add_entry(&t->facts, i, &had);
        if (r->failed || !kept.section || !kept.key || !kept.value || !fact) {
            return false;
        }
        if (had && (strcmp(fact->section, kept.section) != 0 || strcmp(fact->key, kept.key) != 0 ||
                    strcmp(fact->value, kept.value) != 0)) {
            return false;
        }
        if (!had) {
            *fact = kept;
            tt_column_publish(&t->facts);
        }
    }
    return true;
}

static void save_health(const struct tt_tables *t, struct tt_section_writer *w)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        tt_section_put_u64(w, t->health_counts[kind]);
    }
    uint64_t count = tt_column_count(&t->health);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_health_record *record = tt_column_at(&t->health, i);
        tt_section_put_u64(w, record->offset);
        tt_section_put_u64(w, record->pos);
        tt_section_put_u64(w, record->value);
        tt_section_put_u32(w, record->kind);
        tt_section_put_text(w, record->detail);
    }
}

static bool restore_health(struct tt_tables *t, struct tt_reader *r)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        t->health_counts[kind] = tt_read_u64(r);
    }
    uint64_t count;
    if (!restore_count(&t->health, r, 3 * sizeof(uint64_t) + 2 * sizeof(uint32_t), &count) ||
        count > TT_HEALTH_KEPT) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_health_record kept = {.offset = tt_read_u64(r)};
        kept.pos = tt_read_u64(r);
        kept.value = tt_read_u64(r);
        uint32_t kind = tt_read_u32(r);
        kept.detail = tt_section_text(r);
        bool had;
        struct tt_health_record *record = find_or_add_entry(&t->health, i, &had);
        if (r->failed || kind >= TT_HEALTH_COUNT || !record ||
            (had && (record->kind != kind || record->offset != kept.offset))) {
            return false;
        }
        kept.kind = (uint8_t)kind;
        *record = kept;
        if (!had) {
            tt_column_publish(&t->health);
        }
    }
    return true;
}

/* ---- capture ---------------------------------------------------------------------------- */

static void save_capture(const struct tt_capture *c, struct tt_section_writer *w)
{
    tt_section_put(w, c->version, sizeof c->version);
    tt_section_put(w, c->title, sizeof c->title);
    tt_section_put_u64(w, c->clock_hz);
    tt_section_put_u64(w, c->origin_ticks);
    tt_section_put_u32(w, c->cpu_count);
    tt_section_put_u32(w, c->lanes_by_time);
    tt_section_put_u64(w, c->has_wall_clock ? (uint64_t)c->wall_clock : 0);
    tt_section_put_u32(w, c->has_wall_clock);
}

static bool restore_text(struct tt_reader *r, char *text, size_t size)
{
    const uint8_t *kept = tt_read_span(r, size);
    if (!kept || !memchr(kept, '\0', size)) {
        return false;
    }
    memcpy(text, kept, size);
    return true;
}

static bool restore_capture(struct tt_capture *c, struct tt_reader *r)
{
    if (!restore_text(r, c->version, sizeof c->version) ||
        !restore_text(r, c->title, sizeof c->title)) {
        return false;
    }
    c->clock_hz = tt_read_u64(r);
    c->origin_ticks = tt_read_u64(r);
    uint32_t cpus = tt_read_u32(r);
    c->cpu_count = cpus;
    c->lanes_by_time = tt_read_u32(r) != 0;
    c->wall_clock = (int64_t)tt_read_u64(r);
    c->has_wall_clock = tt_read_u32(r) != 0;
    return !r->failed && cpus > 0 && cpus <= TT_NO_CPU;
}

void tt_tables_save(const struct tt_capture *c, struct tt_section_writer *w)
{
    save_capture(c, w);
    save_strings(c->tables, w);
    save_types(c->tables, w);
    save_processes(c->tables, w);
    save_threads(c->tables, w);
    save_series(c->tables, w);
    save_facts(c->tables, w);
    save_health(c->tables, w);
}

bool tt_tables_restore(struct tt_capture *c, struct tt_reader *r)
{
    struct tt_tables *t = c->tables;
    return restore_capture(c, r) && restore_strings(t, r) && restore_types(t, r) &&
           restore_processes(t, r) && restore_threads(t, r) && restore_series(t, r) &&
           restore_facts(t, r) && restore_health(t, r) && !r->failed;
}
