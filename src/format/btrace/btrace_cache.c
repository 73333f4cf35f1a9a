/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_cache: writes names, jumps between parts and verdicts to the index cache and restores them. Types
 * follow from the capture's; open finds the counter series and the clock.
 *
 *      u64 keys | for each: u32 object, address | u64 versions, newest first: u64 from, u64 value
 *      u64 jumps | for each: u64 from, to
 *      u64 verdicts | for each: struct btrace_verdict
 */
#include <string.h>

#include "base/section_file.h"
#include "format/btrace/btrace_internal.h"
#include "format/capture_tables.h"

#define KEY_BYTES     (2 * sizeof(uint32_t) + sizeof(uint64_t))
#define VERSION_BYTES (2 * sizeof(uint64_t))
#define JUMP_BYTES    (2 * sizeof(uint64_t))

static void keep_names(const struct btrace_names *names, struct tt_section_writer *w)
{
    uint64_t count = tt_column_count(&names->keys);
    tt_section_put_u64(w, count);
    for (uint32_t i = 0; i < count && !tt_section_failed(w); i++) {
        const struct btrace_key *key = btrace_names_at(names, i);
        const struct btrace_version *v;
        uint32_t versions = btrace_names_versions(names, i, &v);
        tt_section_put_u32(w, key->object);
        tt_section_put_u32(w, key->address);
        tt_section_put_u64(w, versions);
        for (; v; v = btrace_names_version(names, v->older)) {
            tt_section_put_u64(w, v->from);
            tt_section_put_u64(w, atomic_load_explicit(&v->value, memory_order_relaxed));
        }
    }
}

void btrace_save(const struct tt_capture *c, struct tt_section_writer *w)
{
    const struct btrace_decoder *d = c->decoder;
    keep_names(&d->names, w);
    uint64_t count = tt_column_count(&d->jumps.list);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct btrace_jump *jump = tt_column_at(&d->jumps.list, i);
        tt_section_put_u64(w, jump->from);
        tt_section_put_u64(w, jump->to);
    }
    count = tt_column_count(&d->verdicts);
    tt_section_put_u64(w, count);
    for (uint64_t i = 0; i < count; i++) {
        tt_section_put(w, tt_column_at(&d->verdicts, i), sizeof(struct btrace_verdict));
    }
}

/* ---- restore ---------------------------------------------------------------------------- */

/* Returns the exclusive upper bound of the values of such an object. */
static uint64_t values_of(const struct tt_capture *c, uint32_t object)
{
    switch (object) {
    case BTRACE_OBJECT_THREAD:
    case BTRACE_OBJECT_RTHREAD:
        return tt_thread_count(c);
    case BTRACE_OBJECT_PROCESS:
    case BTRACE_OBJECT_OWNER:
        return tt_process_count(c);
    case BTRACE_OBJECT_SESSION:
        return (uint64_t)UINT32_MAX + 1; /* an address */
    case BTRACE_SERIES_HEAP:
    case BTRACE_SERIES_CHUNK:
        return tt_series_count(c);
    default: /* named by a text */
        return tt_column_count(&c->tables->strings);
    }
}

/* Adds the versions of a key from the last one, the oldest, on. */
static bool restore_versions(struct btrace_names *names, uint32_t key, struct tt_bytes versions,
                             uint64_t values)
{
    uint64_t next = 0;
    for (uint64_t at = versions.size; at > 0; at -= VERSION_BYTES) {
        const uint8_t *version = versions.data + at - VERSION_BYTES;
        uint64_t from = tt_load_u64(version, tt_host_is_big());
        uint64_t value = tt_load_u64(version + 8, tt_host_is_big());
        if (from < next || from == UINT64_MAX || value >= values ||
            !btrace_names_set(names, key, from, (uint32_t)value)) {
            return false;
        }
        next = from + 1;
    }
    return true;
}

static bool restore_names(struct tt_capture *c, struct btrace_names *names, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, KEY_BYTES);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t object = tt_read_u32(r);
        uint32_t address = tt_read_u32(r);
        uint64_t versions = tt_section_count(r, VERSION_BYTES);
        const uint8_t *bytes = tt_read_span(r, versions * VERSION_BYTES);
        bool known = bytes && object < BTRACE_OBJECTS;
        uint32_t key = known ? btrace_names_key(names, object, address) : BTRACE_NO_NAME;
        struct tt_bytes list = tt_bytes_of(bytes, versions * VERSION_BYTES);
        if (key != i || /* out of memory, or a duplicate */
            !restore_versions(names, key, list, values_of(c, object))) {
            return false;
        }
    }
    return !r->failed;
}

/* A backward jump would make decoding endless. */
static bool restore_jumps(const struct tt_capture *c, struct btrace_jumps *jumps,
                          struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, JUMP_BYTES);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = tt_read_u64(r);
        uint64_t to = tt_read_u64(r);
        if (to <= from || to >= c->bytes.size || !btrace_jumps_add(jumps, from, to)) {
            return false;
        }
    }
    return !r->failed;
}

/* Returns whether a verdict may follow another one, and does not make decoding endless. */
static bool may_follow(const struct tt_capture *c, const struct btrace_verdict *v,
                       const struct btrace_verdict *before)
{
    const bool damage = v->kind == BTRACE_IS_DAMAGE, lane = v->kind == BTRACE_RUNS_ON;
    const bool same = v->pos == before->pos && (damage || lane);
    return v->kind < BTRACE_VERDICT_KINDS && v->pos >= before->pos && v->cpu < BTRACE_CPUS &&
           (before->kind != BTRACE_RUNS_ON || same) && (!lane || v->value < tt_thread_count(c)) &&
           (!damage || (v->value > v->pos && v->value <= c->bytes.size));
}

static bool restore_verdicts(const struct tt_capture *c, struct tt_column *verdicts,
                             struct tt_reader *r)
{
    struct btrace_verdict before = {0}, verdict;
    uint64_t count = tt_section_count(r, sizeof verdict);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(r, sizeof verdict);
        if (!bytes) {
            return false;
        }
        memcpy(&verdict, bytes, sizeof verdict);
        if (!may_follow(c, &verdict, &before) || !btrace_verdicts_add(verdicts, verdict)) {
            return false;
        }
        before = verdict;
    }
    return !r->failed && before.kind != BTRACE_RUNS_ON;
}

/* Records find their type by category and sub-category, which are the type's code. */
static bool restore_types(const struct tt_capture *c, struct btrace_decoder *d)
{
    uint32_t count = tt_types_count(c);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t code = tt_types_at(c, i)->code;
        if (code > UINT16_MAX) {
            return false;
        }
        btrace_set_type(d, (uint8_t)(code >> 8), (uint8_t)(code & UINT8_MAX), i);
    }
    return true;
}

bool btrace_restore(struct tt_capture *c, struct tt_reader *r)
{
    struct btrace_decoder *d = c->decoder;
    return restore_types(c, d) && restore_names(c, &d->names, r) &&
           restore_jumps(c, &d->jumps, r) && restore_verdicts(c, &d->verdicts, r) &&
           r->pos == r->bytes.size;
}
