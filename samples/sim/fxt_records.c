// SPDX-License-Identifier: Apache-2.0
//
// Fuchsia trace records: see fxt_records.h.

#include "fxt_records.h"

#include <stdlib.h>
#include <string.h>

// Words, chunks, sections ------------------------------------------------------------------------

static void put_word(const struct fxt_file *file, uint8_t *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (file->big_endian)
        word = __builtin_bswap64(word);
#else
    if (!file->big_endian)
        word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, 8);
}

static void write_word(struct fxt_file *file, uint64_t word)
{
    uint8_t bytes[8];
    put_word(file, bytes, word);
    if (!file->dry)
        sim_out_put(file->out, bytes, sizeof bytes);
    file->counts->records++;
    file->counts->classes[word & 15]++;
}

static void flush_chunk(struct fxt_file *file, struct fxt_provider *provider)
{
    uint32_t index = (uint32_t)(provider - file->provider);
    if (provider->used == 0)
        return;
    if (file->section != index + 1) {
        write_word(file, FXT_METADATA | 1u << 4 | 2u << 16 | (uint64_t)provider->id << 20);
        file->section = index + 1;
    }
    if (!file->dry)
        sim_out_put(file->out, provider->chunk, provider->used);
    provider->used = 0;
}

void fxt_file_flush(struct fxt_file *file)
{
    for (uint32_t i = 0; i < file->providers; i++)
        flush_chunk(file, &file->provider[i]);
}

// Streams keep the order of their bytes; the words around them are in the file's byte order.
static void append(struct fxt_file *file, struct fxt_provider *provider, const uint64_t *words,
                   uint32_t count, const bool *is_stream)
{
    if (provider->used + 8 * count > FXT_CHUNK)
        flush_chunk(file, provider);
    uint8_t *at = provider->chunk + provider->used;
    for (uint32_t i = 0; i < count; i++, at += 8) {
        if (is_stream != NULL && is_stream[i])
            memcpy(at, &words[i], 8);
        else
            put_word(file, at, words[i]);
    }
    provider->used += 8 * count;
    file->counts->records++;
    file->counts->classes[words[0] & 15]++;
}

// Texts are at most FXT_TEXT_MAX bytes here: definitions are written at once, from the stack.
static void append_text_record(struct fxt_file *file, struct fxt_provider *provider,
                               uint64_t header, const char *text)
{
    uint64_t words[1 + FXT_TEXT_MAX / 8] = {0};
    bool is_stream[1 + FXT_TEXT_MAX / 8] = {false};
    size_t length = strlen(text);
    uint32_t count = 1 + (uint32_t)(length + 7) / 8;
    memcpy(&words[1], text, length);
    memset(&is_stream[1], true, sizeof is_stream - sizeof is_stream[0]);
    words[0] = header | (uint64_t)count << 4;
    append(file, provider, words, count, is_stream);
}

// Records ----------------------------------------------------------------------------------------

void fxt_begin(struct fxt_file *file, struct fxt_provider *provider, enum fxt_type type)
{
    file->record.provider = provider;
    file->record.words[0] = (uint64_t)type;
    file->record.count = 1;
    file->record.arguments = 0;
    file->record.references = 0;
}

void fxt_word(struct fxt_file *file, uint64_t word)
{
    struct fxt_record *record = &file->record;
    record->is_stream[record->count] = false;
    record->words[record->count++] = word;
}

void fxt_bits(struct fxt_file *file, uint32_t shift, uint64_t bits)
{
    file->record.words[0] |= bits << shift;
}

void fxt_stream(struct fxt_file *file, const char *bytes, size_t length)
{
    struct fxt_record *record = &file->record;
    for (size_t at = 0; at < length; at += 8) {
        size_t part = length - at < 8 ? length - at : 8;
        record->words[record->count] = 0;
        memcpy(&record->words[record->count], bytes + at, part);
        record->is_stream[record->count++] = true;
    }
}

void fxt_end(struct fxt_file *file)
{
    struct fxt_record *record = &file->record;
    record->words[0] |= (uint64_t)record->count << 4;
    append(file, record->provider, record->words, record->count, record->is_stream);
}

uint64_t fxt_ticks(const struct fxt_file *file, const struct fxt_provider *provider, uint64_t time)
{
    if (provider->ticks_per_second == file->clock_hz)
        return time;
    uint64_t seconds = time / file->clock_hz, rest = time % file->clock_hz;
    // rest and the rates are below 2^34: the product fits in two parts.
    uint64_t high = (rest >> 17) * provider->ticks_per_second;
    uint64_t low = (rest & 0x1ffff) * provider->ticks_per_second;
    uint64_t quotient = high / file->clock_hz, left = high % file->clock_hz;
    return seconds * provider->ticks_per_second + (quotient << 17) +
           ((left << 17) + low) / file->clock_hz;
}

// References -------------------------------------------------------------------------------------

static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash ^ hash >> 15;
}

uint32_t fxt_string_inline(const char *text)
{
    return *text == '\0' ? 0 : 0x8000u | (uint32_t)strlen(text);
}

// Returns false for an index that the pending record refers to: it must not be redefined yet.
static bool may_define(const struct fxt_record *record, uint32_t place)
{
    for (uint32_t i = 0; i < record->references; i++)
        if (record->referred[i] == place)
            return false;
    return record->references < sizeof record->referred / sizeof record->referred[0];
}

static void refer(struct fxt_record *record, uint32_t place)
{
    if (record->references < sizeof record->referred / sizeof record->referred[0])
        record->referred[record->references++] = place;
}

uint32_t fxt_string(struct fxt_file *file, const char *text)
{
    struct fxt_provider *provider = file->record.provider;
    if (*text == '\0')
        return 0;
    if (strlen(text) >= FXT_TEXT_MAX || sim_rng_below(&file->rng, 32) == 0)
        return fxt_string_inline(text);
    // Two texts share an index: the later registration replaces the earlier.
    uint32_t index = 1 + hash_text(text) % (FXT_STRINGS - 1);
    char *known = provider->strings[index];
    if (strcmp(known, text) != 0) {
        if (!may_define(&file->record, index))
            return fxt_string_inline(text);
        memcpy(known, text, strlen(text) + 1);
        append_text_record(file, provider,
                           FXT_STRING | (uint64_t)index << 16 | (uint64_t)strlen(text) << 32, text);
    }
    refer(&file->record, index);
    return index;
}

void fxt_string_tail(struct fxt_file *file, uint32_t reference, const char *text)
{
    if (reference & 0x8000)
        fxt_stream(file, text, reference & 0x7fff);
}

uint32_t fxt_thread(struct fxt_file *file, uint64_t process, uint64_t thread)
{
    struct fxt_provider *provider = file->record.provider;
    if (sim_rng_below(&file->rng, 32) == 0)
        return 0;
    uint32_t index = 1 + (uint32_t)(sim_mix(thread) % (FXT_THREADS - 1));
    uint64_t *known = provider->threads[index];
    if (known[0] != process || known[1] != thread) {
        if (!may_define(&file->record, 0x8000 + index))
            return 0;
        uint64_t words[3] = {FXT_THREAD | 3u << 4 | (uint64_t)index << 16, process, thread};
        known[0] = process;
        known[1] = thread;
        append(file, provider, words, 3, NULL);
    }
    refer(&file->record, 0x8000 + index);
    return index;
}

void fxt_thread_tail(struct fxt_file *file, uint32_t reference, uint64_t process, uint64_t thread)
{
    if (reference != 0)
        return;
    fxt_word(file, process);
    fxt_word(file, thread);
}

// Arguments --------------------------------------------------------------------------------------

// Begins an argument; its value in `bits` or in the words that the caller adds.
static uint32_t argument(struct fxt_file *file, uint32_t type, const char *name, uint64_t bits)
{
    uint32_t at = file->record.count;
    uint32_t reference = fxt_string(file, name);
    fxt_word(file, type | (uint64_t)reference << 16 | bits << 32);
    fxt_string_tail(file, reference, name);
    return at;
}

static void argument_end(struct fxt_file *file, uint32_t at)
{
    file->record.words[at] |= (uint64_t)(file->record.count - at) << 4;
    file->record.arguments++;
}

static void argument_word(struct fxt_file *file, uint32_t type, const char *name, uint64_t value)
{
    uint32_t at = argument(file, type, name, 0);
    fxt_word(file, value);
    argument_end(file, at);
}

void fxt_arg_null(struct fxt_file *file, const char *name)
{
    argument_end(file, argument(file, 0, name, 0));
}

void fxt_arg_int32(struct fxt_file *file, const char *name, int32_t value)
{
    argument_end(file, argument(file, 1, name, (uint32_t)value));
}

void fxt_arg_uint32(struct fxt_file *file, const char *name, uint32_t value)
{
    argument_end(file, argument(file, 2, name, value));
}

void fxt_arg_int64(struct fxt_file *file, const char *name, int64_t value)
{
    argument_word(file, 3, name, (uint64_t)value);
}

void fxt_arg_uint64(struct fxt_file *file, const char *name, uint64_t value)
{
    argument_word(file, 4, name, value);
}

void fxt_arg_double(struct fxt_file *file, const char *name, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    argument_word(file, 5, name, bits);
}

void fxt_arg_string(struct fxt_file *file, const char *name, const char *text)
{
    uint32_t reference = fxt_string_inline(text);
    uint32_t at = argument(file, 6, name, reference);
    fxt_string_tail(file, reference, text);
    argument_end(file, at);
}

void fxt_arg_pointer(struct fxt_file *file, const char *name, uint64_t value)
{
    argument_word(file, 7, name, value);
}

void fxt_arg_koid(struct fxt_file *file, const char *name, uint64_t value)
{
    argument_word(file, 8, name, value);
}

void fxt_arg_bool(struct fxt_file *file, const char *name, bool value)
{
    argument_end(file, argument(file, 9, name, value));
}

void fxt_arg_blob(struct fxt_file *file, const char *name, const char *bytes, uint32_t length)
{
    uint32_t at = argument(file, 10, name, length);
    fxt_stream(file, bytes, length);
    argument_end(file, at);
}

void fxt_arguments(struct fxt_file *file, uint32_t shift)
{
    fxt_bits(file, shift, file->record.arguments);
}

// The file ---------------------------------------------------------------------------------------

static void announce(struct fxt_file *file, struct fxt_provider *provider, const char *name)
{
    uint64_t words[2] = {FXT_INITIALIZATION | 2u << 4, provider->ticks_per_second};
    append_text_record(file, provider,
                       FXT_METADATA | 1u << 16 | (uint64_t)provider->id << 20 |
                           (uint64_t)strlen(name) << 52,
                       name);
    file->section = (uint32_t)(provider - file->provider) + 1; // an info record begins it too
    append(file, provider, words, 2, NULL);
    flush_chunk(file, provider);
}

bool fxt_file_open(struct fxt_file *file, const struct sim_write_config *config,
                   struct sim_out *out, struct sim_counts *counts)
{
    static const uint32_t clocks[] = {24000000, 1000000000, 19200000};
    static const char *const names[] = {"ktrace", "app_a", "app_b", "app_c",
                                        "app_d",  "app_e", "app_f", "app_g"};
    file->out = out;
    file->counts = counts;
    file->big_endian = config->big_endian;
    file->dry = config->dry;
    file->clock_hz = config->run->clock_hz;
    file->providers = config->fxt_providers;
    sim_rng_seed(&file->rng, config->run->seed ^ 0x667874);
    write_word(file, 0x0016547846040010u);
    for (uint32_t i = 0; i < file->providers; i++) {
        struct fxt_provider *provider = &file->provider[i];
        provider->id = i + 1;
        provider->ticks_per_second = i == 0 ? file->clock_hz : clocks[(i - 1) % 3];
        provider->chunk = malloc(FXT_CHUNK);
        provider->strings = calloc(FXT_STRINGS, sizeof *provider->strings);
        if (provider->chunk == NULL || provider->strings == NULL)
            return false;
        announce(file, provider, names[i]);
    }
    return true;
}

void fxt_file_close(struct fxt_file *file)
{
    for (uint32_t i = 0; i < file->providers; i++) {
        if (file->provider[i].chunk != NULL)
            flush_chunk(file, &file->provider[i]);
        free(file->provider[i].chunk);
        free(file->provider[i].strings);
    }
}
