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

static void keep_names(const struct btrace_names *names, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&names->keys);
    tt_section_put_u64(writer, count);
    for (uint32_t i = 0; i < count && !tt_section_failed(writer); i++) {
        const struct btrace_key *key = btrace_names_at(names, i);
        const struct btrace_version *version;
        uint32_t versions = btrace_names_versions(names, i, &version);
        tt_section_put_u32(writer, key->object);
        tt_section_put_u32(writer, key->address);
        tt_section_put_u64(writer, versions);
        for (; version; version = btrace_names_version(names, version->older)) {
            tt_section_put_u64(writer, version->from);
            tt_section_put_u64(writer, atomic_load_explicit(&version->value, memory_order_relaxed));
        }
    }
}

void btrace_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    const struct btrace_decoder *decoder = capture->decoder;
    keep_names(&decoder->names, writer);
    uint64_t count = tt_column_count(&decoder->jumps.list);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct btrace_jump *jump = tt_column_at(&decoder->jumps.list, i);
        tt_section_put_u64(writer, jump->from);
        tt_section_put_u64(writer, jump->to);
    }
    count = tt_column_count(&decoder->verdicts);
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count; i++) {
        tt_section_put(writer, tt_column_at(&decoder->verdicts, i), sizeof(struct btrace_verdict));
    }
}

/* ---- restore ---------------------------------------------------------------------------- */

/* Returns the exclusive upper bound of the values of such an object. */
static uint64_t values_of(const struct tt_capture *capture, uint32_t object)
{
    switch (object) {
    case BTRACE_OBJECT_THREAD:
    case BTRACE_OBJECT_RTHREAD:
        return tt_thread_count(capture);
    case BTRACE_OBJECT_PROCESS:
    case BTRACE_OBJECT_OWNER:
        return tt_process_count(capture);
    case BTRACE_OBJECT_SESSION:
        return (uint64_t)UINT32_MAX + 1; /* an address */
    case BTRACE_SERIES_HEAP:
    case BTRACE_SERIES_CHUNK:
        return tt_series_count(capture);
    default: /* named by a text */
        return tt_column_count(&capture->tables->strings);
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

static bool restore_names(struct tt_capture *capture, struct btrace_names *names,
                          struct tt_reader *reader)
{
    uint64_t count = tt_section_count(reader, KEY_BYTES);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t object = tt_read_u32(reader);
        uint32_t address = tt_read_u32(reader);
        uint64_t versions = tt_section_count(reader, VERSION_BYTES);
        const uint8_t *bytes = tt_read_span(reader, versions * VERSION_BYTES);
        bool known = bytes && object < BTRACE_OBJECTS;
        uint32_t key = known ? btrace_names_key(names, object, address) : BTRACE_NO_NAME;
        struct tt_bytes list = tt_bytes_of(bytes, versions * VERSION_BYTES);
        if (key != i || /* out of memory, or a duplicate */
            !restore_versions(names, key, list, values_of(capture, object))) {
            return false;
        }
    }
    return !reader->failed;
}

/* A backward jump would make decoding endless. */
static bool restore_jumps(const struct tt_capture *capture, struct btrace_jumps *jumps,
                          struct tt_reader *reader)
{
    uint64_t count = tt_section_count(reader, JUMP_BYTES);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = tt_read_u64(reader);
        uint64_t to = tt_read_u64(reader);
        if (to <= from || to >= capture->bytes.size || !btrace_jumps_add(jumps, from, to)) {
            return false;
        }
    }
    return !reader->failed;
}

/* Returns whether a verdict may follow another one, and does not make decoding endless. */
static bool may_follow(const struct tt_capture *capture, const struct btrace_verdict *verdict,
                       const struct btrace_verdict *before)
{
    const bool damage = verdict->kind == BTRACE_IS_DAMAGE, lane = verdict->kind == BTRACE_RUNS_ON;
    const bool same = verdict->pos == before->pos && (damage || lane);
    return verdict->kind < BTRACE_VERDICT_KINDS && verdict->pos >= before->pos &&
           verdict->cpu < BTRACE_CPUS && (before->kind != BTRACE_RUNS_ON || same) &&
           (!lane || verdict->value < tt_thread_count(capture)) &&
           (!damage || (verdict->value > verdict->pos && verdict->value <= capture->bytes.size));
}

static bool restore_verdicts(const struct tt_capture *capture, struct tt_column *verdicts,
                             struct tt_reader *reader)
{
    struct btrace_verdict before = {0}, verdict;
    uint64_t count = tt_section_count(reader, sizeof verdict);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *bytes = tt_read_span(reader, sizeof verdict);
        if (!bytes) {
            return false;
        }
        memcpy(&verdict, bytes, sizeof verdict);
        if (!may_follow(capture, &verdict, &before) || !btrace_verdicts_add(verdicts, verdict)) {
            return false;
        }
        before = verdict;
    }
    return !reader->failed && before.kind != BTRACE_RUNS_ON;
}

/* Records find their type by category and sub-category, which are the type's code. */
static bool btrace_cache_restore_types(const struct tt_capture *capture,
                                       struct btrace_decoder *decoder)
{
    uint32_t count = tt_types_count(capture);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t code = tt_types_at(capture, i)->code;
        if (code > UINT16_MAX) {
            return false;
        }
        btrace_set_type(decoder, (uint8_t)(code >> 8), (uint8_t)(code & UINT8_MAX), i);
    }
    return true;
}

bool btrace_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct btrace_decoder *decoder = capture->decoder;
    return btrace_cache_restore_types(capture, decoder) &&
           restore_names(capture, &decoder->names, reader) &&
           restore_jumps(capture, &decoder->jumps, reader) &&
           restore_verdicts(capture, &decoder->verdicts, reader) &&
           reader->pos == reader->bytes.size;
}
