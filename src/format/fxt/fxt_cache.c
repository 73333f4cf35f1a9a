/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_cache: writes the decoder's tables to the index cache and restores them.
 *
 *      u64 1 if a provider's buffer filled up | u64 providers without the implicit one | their ids
 *      the tables, in the order of TT_FXT_TABLES (layout of each: fxt_references.c)
 */
#include <string.h>

#include "base/section_file.h"
#include "format/capture_tables.h"
#include "format/fxt/fxt_internal.h"

void tt_fxt_save(const struct tt_capture *capture, struct tt_section_writer *writer)
{
    const struct tt_fxt *fxt = capture->decoder;
    uint64_t providers = tt_column_count(&fxt->providers);
    tt_section_put_u64(writer, atomic_load_explicit(&fxt->any_lost, memory_order_relaxed));
    tt_section_put_u64(writer, providers - 1);
    for (uint64_t i = 1; i < providers; i++) {
        const struct tt_fxt_provider *provider = tt_column_at(&fxt->providers, i);
        tt_section_put_u64(writer, provider->id);
    }
#define X(name, values) tt_fxt_references_save(&fxt->name, writer);
    TT_FXT_TABLES(X)
#undef X
}

/* ---- restore ---------------------------------------------------------------------------- */

/* Exclusive upper bounds of the values in a table. */
struct bounds {
    enum tt_fxt_values values;
    uint64_t providers;
    uint64_t texts;
    uint64_t lanes;
    uint64_t types;
    uint64_t series;
    uint64_t places;
};

static bool is_valid(const void *arg, uint64_t a, uint64_t value)
{
    const struct bounds *bounds = arg;
    switch (bounds->values) {
    case TT_FXT_PROVIDERS:
        return value < bounds->providers;
    case TT_FXT_CLOCKS:
        return value != 0;
    case TT_FXT_TICKS:
        return true;
    case TT_FXT_TEXTS:
        return value < bounds->texts;
    case TT_FXT_LANES:
        return value < bounds->lanes;
    case TT_FXT_TYPES:
        return value < bounds->types;
    case TT_FXT_OBJECTS:
        return (uint32_t)value < bounds->texts;
    case TT_FXT_SERIES:
        return value < bounds->series;
    case TT_FXT_PLACES:
        return value > a && value <= bounds->places; /* otherwise decoding would not terminate */
    }
    return false;
}

static bool restore_providers(struct tt_fxt *fxt, struct tt_reader *reader)
{
    uint64_t any_lost = tt_read_u64(reader);
    uint64_t count = tt_section_count(reader, sizeof(uint64_t));
    bool good = !reader->failed && any_lost <= 1 && count < TT_FXT_NO_PROVIDER;
    atomic_store_explicit(&fxt->any_lost, any_lost == 1, memory_order_relaxed);
    for (uint64_t i = 0; good && i < count; i++) {
        struct tt_fxt_provider *provider = tt_column_next(&fxt->providers);
        good = provider != NULL;
        if (good) {
            provider->id = tt_read_u64(reader);
            tt_column_publish(&fxt->providers);
        }
    }
    return good;
}

static bool restore_table(struct tt_fxt_table *table, struct tt_reader *reader,
                          struct bounds *bounds, enum tt_fxt_values values)
{
    bounds->values = values;
    return tt_fxt_table_restore(table, reader, is_valid, bounds);
}

bool tt_fxt_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    struct tt_fxt *fxt = capture->decoder;
    bool good = restore_providers(fxt, reader);
    struct bounds bounds = {
        .providers = tt_column_count(&fxt->providers),
        .texts = tt_column_count(&capture->tables->strings),
        .lanes = tt_thread_count(capture),
        .types = tt_types_count(capture),
        .series = tt_series_count(capture),
        .places = capture->bytes.size,
    };
#define X(name, values) good = good && restore_table(&fxt->name, reader, &bounds, values);
    TT_FXT_TABLES(X)
#undef X
    return good && !reader->failed && reader->pos == reader->bytes.size;
}
