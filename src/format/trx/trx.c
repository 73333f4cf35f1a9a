/* SPDX-License-Identifier: Apache-2.0 */
/* trx: the ThreadX trace buffer (.trx, TraceX): probe, open, positions, the format's table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_counters.h"
#include "format/trx/trx_internal.h"
#include "format/trx/trx_join.h"

#define PROBE_IMAGE 128u /* bytes of a decoded container, enough for a header */

static int trx_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    uint8_t image[PROBE_IMAGE];
    struct trx_container_report report;
    int score = trx_header_probe(head);
    if (score > 0) {
        return score;
    }
    enum trx_container container = trx_container_guess(head);
    size_t length = trx_container_decode(container, head, image, sizeof image, &report);
    score = trx_header_probe(tt_bytes_of(image, length));
    return score > 5 ? score - 5 : 0;
}

/* ---- open ------------------------------------------------------------------------------- */

/* Decodes a container; the decoded image replaces the file's bytes. */
static struct tt_status trx_unpack(struct tt_capture *capture, struct trx_decoder *decoder)
{
    struct trx_container_report report;
    enum trx_container container = trx_container_guess(capture->bytes);
    if (container == TRX_CONTAINER_NONE) {
        return tt_error_at(TT_ERR_NOT_CAPTURE, 0, "not a ThreadX trace buffer");
    }
    uint64_t room = capture->bytes.size / 2 + 1;
    size_t capacity = room < TRX_IMAGE_MAX ? (size_t)room : TRX_IMAGE_MAX;
    decoder->image = malloc(capacity);
    if (!decoder->image) {
        return tt_error_memory();
    }
    uint64_t text_size = capture->bytes.size;
    size_t length =
        trx_container_decode(container, capture->bytes, decoder->image, capacity, &report);
    decoder->container = container;
    capture->bytes = tt_bytes_of(decoder->image, length);
    if (report.bad_lines > 0) {
        tt_health_add(capture, TT_HEALTH_CONTAINER, report.first_bad_line, 0, report.bad_lines,
                      "lines that are no records: skipped");
    }
    if (report.bad_sums > 0) {
        tt_health_add(capture, TT_HEALTH_CONTAINER, report.first_bad_sum, 0, report.bad_sums,
                      "records with a wrong checksum: used all the same");
    }
    if (report.jumps > 0) {
        tt_health_add(capture, TT_HEALTH_HEADER, report.first_jump, 0, report.jumps,
                      "addresses in the container that do not follow: data put end to end");
    }
    if (report.full) {
        tt_health_add(capture, TT_HEALTH_CONTAINER, text_size, 0, length,
                      "bytes read, and it holds more");
    }
    return tt_ok();
}

/* Makes one buffer of those that follow each other in the file; the image replaces the file's bytes. */
static struct tt_status trx_join_buffers(struct tt_capture *capture, struct trx_decoder *decoder)
{
    struct trx_joined joined;
    const uint64_t size = capture->bytes.size;
    if (!trx_join(capture->bytes, &joined)) {
        return tt_error_memory();
    }
    if (!joined.image) {
        return trx_header_read(capture->bytes, &decoder->header);
    }
    char text[64];
    const int length =
        snprintf(text, sizeof text, "%" PRIu64 ", one after the other", joined.buffers);
    decoder->image = joined.image;
    capture->bytes = tt_bytes_of(joined.image, joined.size);
    if (joined.rest < size) {
        tt_health_add(capture, TT_HEALTH_NOT_READ, joined.rest, 0, size - joined.rest,
                      "bytes after the buffers; --find lists other buffers in them");
    }
    struct tt_status status = trx_header_read(capture->bytes, &decoder->header);
    if (joined.back > 0) {
        tt_health_add(capture, TT_HEALTH_OUT_OF_ORDER, 0, 0, joined.back,
                      "buffers that begin before the end of the one in front of them");
    }
    decoder->header.entries = joined.entries;
    decoder->header.oldest = 0;
    decoder->header.doubts &= ~(unsigned)TRX_DOUBT_OLDEST;
    return tt_facts_add(capture, "header", "buffers", text, (size_t)length) ? status
                                                                            : tt_error_memory();
}

static void note_doubts(struct tt_capture *capture, const struct trx_header *header)
{
    static const struct {
        unsigned doubt;
        enum tt_health_kind kind;
        const char *detail;
    } notes[] = {
        {TRX_DOUBT_BASE, TT_HEALTH_MALFORMED, "registry start does not follow the header"},
        {TRX_DOUBT_REGISTRY_END, TT_HEALTH_HEADER, "registry end is not where the buffer starts"},
        {TRX_DOUBT_BUFFER_START, TT_HEALTH_MALFORMED,
         "buffer start lies before the registry: no entries can be found"},
        {TRX_DOUBT_BUFFER_END, TT_HEALTH_MALFORMED,
         "buffer end lies before buffer start: entries are read to the file's end"},
        {TRX_DOUBT_OLDEST, TT_HEALTH_HEADER,
         "oldest entry is no entry of the buffer: entries are read in the file's order"},
        {TRX_DOUBT_MASK, TT_HEALTH_HEADER, "timer mask is 0: all times are equal"},
        {TRX_DOUBT_NAME_SIZE, TT_HEALTH_HEADER, "odd size of object names"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (header->doubts & notes[i].doubt) {
            tt_health_add(capture, notes[i].kind, 0, 0, header->doubts, notes[i].detail);
        }
    }
    if (header->slots > TRX_SLOTS_MAX) {
        tt_health_add(capture, TT_HEALTH_HEADER, header->registry_offset, 0, header->slots,
                      "slots in the object registry: more than are read");
    }
}

static bool add_address(struct tt_capture *capture, const char *key, uint64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "0x%08" PRIx64, value);
    return tt_facts_add(capture, "header", key, text, (size_t)length);
}

static bool trx_add_text(struct tt_capture *capture, const char *section, const char *key,
                         const char *value)
{
    return tt_facts_add(capture, section, key, value, strlen(value));
}

static bool trx_add_facts(struct tt_capture *capture, const struct trx_decoder *decoder)
{
    const struct trx_header *header = &decoder->header;
    char name_size[16];
    snprintf(name_size, sizeof name_size, "%" PRIu32, header->name_size);
    const bool is_unpacked = decoder->container != TRX_CONTAINER_NONE;
    if (decoder->image &&
        !((!is_unpacked ||
           trx_add_text(capture, "header", "container", trx_container_name(decoder->container))) &&
          trx_add_text(capture, "header", "offsets",
                       is_unpacked ? "count in the bytes that the container holds"
                                   : "count in the buffers as one"))) {
        return false;
    }
    return trx_add_text(capture, "header", "ULONG", header->wide ? "64 bits" : "32 bits") &&
           trx_add_text(capture, "header", "byte order",
                        header->big ? "big-endian" : "little-endian") &&
           add_address(capture, "timer mask", header->mask) &&
           add_address(capture, "trace base", header->base) &&
           add_address(capture, "registry start", header->registry_start) &&
           add_address(capture, "registry end", header->registry_end) &&
           trx_add_text(capture, "header", "object name size", name_size) &&
           add_address(capture, "buffer start", header->buffer_start) &&
           add_address(capture, "buffer end", header->buffer_end) &&
           add_address(capture, "buffer oldest", header->buffer_oldest) &&
           trx_add_text(capture, "clock", "rate",
                        capture->clock_hz ? "given"
                                          : "not in the capture: times are ticks (--clock HZ)");
}

static bool add_name_facts(struct tt_capture *capture, const struct trx_names *names)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%zu", names->count);
    bool good = tt_facts_add(capture, "names", "events named", text, (size_t)length);
    if (names->bad_lines > 0) {
        length = snprintf(text, sizeof text, "%u, the first is line %u", names->bad_lines,
                          names->first_bad_line);
        good = good && tt_facts_add(capture, "names", "lines not understood", text, (size_t)length);
    }
    return good;
}

/* Adds lanes for all threads of the registry, in its order, also for those without events. */
static bool add_registry_threads(struct trx_decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->registry.count; i++) {
        const struct trx_object *object = &decoder->registry.objects[i];
        if (object->type == TRX_OBJECT_THREAD && object->address != 0 &&
            trx_context_add(decoder, object->address) == TRX_NO_CONTEXT) {
            return false;
        }
    }
    return true;
}

static struct tt_status read_all(struct tt_capture *capture, struct trx_decoder *decoder,
                                 const struct tt_capture_options *options)
{
    struct tt_status status = tt_ok();
    if (trx_header_probe(capture->bytes) == 0) {
        status = trx_unpack(capture, decoder);
    }
    if (!tt_failed(&status)) {
        status = decoder->image ? trx_header_read(capture->bytes, &decoder->header)
                                : trx_join_buffers(capture, decoder);
    }
    if (!tt_failed(&status) && options && options->names_path) {
        status = trx_names_read(&decoder->names, options->names_path);
    }
    if (tt_failed(&status)) {
        return status;
    }
    capture->clock_hz = options ? options->clock_hz : 0;
    capture->big_endian = decoder->header.big;
    note_doubts(capture, &decoder->header);
    bool good = trx_contexts_init(&decoder->contexts) && trx_add_facts(capture, decoder) &&
                (!options || !options->names_path || add_name_facts(capture, &decoder->names)) &&
                trx_registry_read(&decoder->registry, capture, &decoder->header, capture->bytes) &&
                trx_registry_facts(&decoder->registry, capture) && add_registry_threads(decoder);
    return good ? tt_ok() : tt_error_memory();
}

static void free_decoder(struct trx_decoder *decoder)
{
    trx_plan_free(&decoder->plan);
    trx_registry_free(&decoder->registry);
    trx_names_free(&decoder->names);
    trx_contexts_free(&decoder->contexts);
    for (size_t i = 0; i < sizeof decoder->types / sizeof decoder->types[0]; i++) {
        free(atomic_load_explicit(&decoder->types[i], memory_order_relaxed));
    }
    tt_arena_free(&decoder->arena);
    free(decoder->image);
    free(decoder);
}

static const char *const recording[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "a larger buffer, and no tx_trace_event_filter of thread events",
    [TT_MISSING_INTERRUPTS] =
        "tx_trace_isr_enter_insert() and tx_trace_isr_exit_insert() in the handlers",
    [TT_MISSING_NAMES] = "more registry entries in tx_trace_enable()",
    [TT_MISSING_CLOCK] = "the rate of the trace timer, given by --clock HZ",
};

static struct tt_status trx_open_capture(struct tt_capture *capture,
                                         const struct tt_capture_options *options)
{
    struct trx_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        return tt_error_memory();
    }
    struct tt_bytes file = capture->bytes;
    decoder->capture = capture;
    capture->decoder = decoder;
    pthread_mutex_init(&decoder->contexts.lock, NULL);
    struct tt_status status = read_all(capture, decoder, options);
    if (tt_failed(&status)) {
        capture->bytes = file;
        capture->decoder = NULL;
        free_decoder(decoder);
        return status;
    }
    /* The bytes of the registry, and the number of entries. */
    const uint64_t opening[] = {file.size >= decoder->header.buffer_offset, decoder->registry.count,
                                decoder->header.entries, decoder->image != NULL};
    capture->opening = tt_hash_of(opening, sizeof opening);
    snprintf(capture->title, sizeof capture->title, "ThreadX");
    capture->recording = recording;
    snprintf(capture->version, sizeof capture->version, "%s-bit ULONG, %s-endian",
             decoder->header.wide ? "64" : "32", decoder->header.big ? "big" : "little");
    return status;
}

static void trx_close_capture(struct tt_capture *capture)
{
    if (capture->decoder) {
        free_decoder(capture->decoder);
        capture->decoder = NULL;
    }
}

/* ---- positions -------------------------------------------------------------------------- */

static uint64_t offset_of(const struct tt_capture *capture, uint64_t pos)
{
    const struct trx_decoder *decoder = capture->decoder;
    uint64_t index = pos / decoder->header.entry_size;
    bool ordered = atomic_load_explicit(&decoder->ordered, memory_order_acquire);
    if (!ordered || index >= decoder->plan.entries) {
        return decoder->header.buffer_offset + pos;
    }
    return trx_entry_offset(decoder, index);
}

/* ---- format table ------------------------------------------------------------------------- */

const struct tt_format tt_format_trx = {
    .name = "trx",
    .title = "ThreadX event trace",
    .extensions = ".trx .hex .srec",
    .flags =
        TT_FORMAT_SNAPSHOT | TT_FORMAT_NAMES | TT_FORMAT_NO_PROCESSES | TT_FORMAT_LOW_IS_URGENT,
    .states = trx_states,
    .state_count = TRX_STATE_CODES + 2,
    .probe = trx_probe,
    .open = trx_open_capture,
    .close = trx_close_capture,
    .cursor_new = trx_cursor_new,
    .cursor_free = trx_cursor_free,
    .cursor_save = trx_cursor_save,
    .cursor_load = trx_cursor_load,
    .cursor_pos = trx_cursor_pos,
    .decode = trx_decode,
    .describe = trx_describe,
    .edges = trx_edges,
    .clue = trx_clue,
    .tape.offset = offset_of,
    .refers.message_id = trx_message_id,
    .refers.object_name = trx_object_name,
    .tool = {"queue send and queue receive events", trx_totals, trx_tool_inversions, trx_tool_rows},
    .excerpt = &trx_excerpt,
};
