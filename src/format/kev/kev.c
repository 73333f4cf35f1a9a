/* SPDX-License-Identifier: Apache-2.0 */
/* kev: function table of the QNX format; opens and closes captures. */
#include "format/kev/kev.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/kev/kev_internal.h"

#define BEGIN_KEY "TRACE_HEADER_BEGIN::"
#define BEGIN_AT  99u /* see kev_header.c */

static int kev_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    const size_t length = sizeof BEGIN_KEY - 1;
    for (uint64_t at = 0; at + length <= head.size && at + length <= BEGIN_AT; at++) {
        if (memcmp(head.data + at, BEGIN_KEY, length) == 0) {
            return at == 0 ? 100 : 80;
        }
    }
    return 0;
}

void kev_close_capture(struct tt_capture *capture)
{
    struct kev_decoder *decoder = capture->decoder;
    if (decoder) {
        kev_names_free(decoder->names);
        free(decoder->layouts);
        free(decoder);
        capture->decoder = NULL;
    }
}

/* Returns the CPU count: the header's, or more if the first slots have higher numbers. */
static uint32_t count_cpus(uint32_t in_header, uint64_t seen)
{
    uint32_t count = in_header;
    for (uint32_t i = count; i < KEV_CPUS; i++) {
        if (seen >> i & 1) {
            count = i + 1;
        }
    }
    return count > 0 ? count : 1;
}

static const char *const recording[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "tracelogger with the thread class enabled",
    [TT_MISSING_WAKEUPS] = "tracelogger with the thread class enabled, THREADY not filtered out",
    [TT_MISSING_PRIORITIES] = "tracelogger -w: wide events have the priority of each state",
    [TT_MISSING_INTERRUPTS] = "tracelogger with the interrupt class (no -F2)",
    [TT_MISSING_CALLS] = "tracelogger with the kernel call class enabled",
    [TT_MISSING_MESSAGES] = "tracelogger with the communication class enabled",
    [TT_MISSING_NAMES] = "tracelogger with the process class enabled, started before the programs",
    [TT_MISSING_RECORDS] =
        "tracelogger -b 512 (more buffers), fewer classes, or a file in /dev/shmem",
};

struct tt_status kev_open_events(struct tt_capture *capture,
                                 const struct tt_capture_options *options)
{
    struct kev_decoder *decoder = capture->decoder;
    if (options && options->names_path) {
        struct tt_status status = kev_names_read(capture, options->names_path, &decoder->names);
        if (tt_failed(&status)) {
            return status;
        }
    }
    if (capture->clock_hz == 0 && options) {
        capture->clock_hz = options->clock_hz;
    }
    /* One ring per CPU: file order is not time order. */
    capture->lanes_by_time = decoder->release == KEV_8;
    capture->recording = recording;
    capture->cycles.mult = 1;
    for (uint32_t event = 0; event < KEV_STATE_EVENTS; event++) {
        decoder->state_numbers[event] = (uint8_t)kev_state_of(decoder->release, event);
    }
    uint64_t seen = 0;
    kev_start_find(capture, decoder, capture->bytes.size, &decoder->start, &seen);
    capture->cpu_count = count_cpus(decoder->cpu_num, seen);
    if (decoder->release == KEV_8) { /* one ring per CPU; INT_DELIVER has no end */
        capture->streams = decoder->cpu_num;
        capture->unrecordable = 1u << TT_MISSING_INTERRUPTS;
    }
    const uint64_t opening[] = {decoder->slots,   decoder->release,     decoder->by_words,
                                decoder->cpu_num, decoder->start.known, decoder->start.has_time};
    capture->opening =
        tt_hash_of_pair(tt_hash_of(opening, sizeof opening),
                        tt_hash_of(decoder->start.ticks, sizeof decoder->start.ticks));
    /* A file without slots is searched again once it has some. */
    atomic_store(&decoder->start_known, seen != 0);
    return tt_ok();
}

static struct tt_status kev_open_capture(struct tt_capture *capture,
                                         const struct tt_capture_options *options)
{
    struct kev_decoder *decoder = calloc(1, sizeof *decoder);
    const struct kev_layout **layouts = calloc(KEV_CODES, sizeof *layouts);
    if (!decoder || !layouts) {
        free(decoder);
        free(layouts);
        return tt_error_memory();
    }
    capture->decoder = decoder;
    decoder->layouts = layouts;
    decoder->clock_vector = UINT32_MAX;
    capture->origin_ticks = UINT64_MAX;
    struct tt_status status = kev_header_read(capture, decoder);
    if (status.code == TT_ERR_NOT_CAPTURE && kev_cut_read(capture, decoder)) {
        status = tt_ok();
    }
    if (!tt_failed(&status)) {
        kev_tables_fill(decoder->layouts, decoder->release);
        decoder->by_words = decoder->big && kev_order_find(capture, decoder, capture->bytes.size);
        status = kev_open_events(capture, options);
    }
    if (tt_failed(&status)) {
        kev_close_capture(capture);
    }
    return status;
}

/* ---- format table ------------------------------------------------------------------------- */

const struct tt_format tt_format_kev = {
    .name = "kev",
    .title = "QNX kernel event trace",
    .extensions = ".kev",
    .flags = TT_FORMAT_NAMES | TT_FORMAT_REPLIES | TT_FORMAT_LOCAL_IDS | TT_FORMAT_RINGS |
             TT_FORMAT_GUESTS,
    .states = kev_states,
    .state_count = KEV_STATE_COUNT,
    .probe = kev_probe,
    .probe_cut = kev_cut_probe,
    .open = kev_open_capture,
    .close = kev_close_capture,
    .cursor_new = kev_cursor_new,
    .cursor_free = kev_cursor_free,
    .cursor_save = kev_cursor_save,
    .cursor_load = kev_cursor_load,
    .cursor_pos = kev_cursor_pos,
    .decode = kev_cursor_decode,
    .describe = kev_describe,
    .parts = kev_parts,
    .edges = kev_edges,
    .clue = kev_clue,
    .hosts = kev_has_guests,
    .tape.find_types = kev_find_types,
    .refers.args = kev_arg_rules,
    .refers.arg_owner = kev_arg_owner,
    .refers.is_owner = kev_is_owner,
    .refers.message_id = kev_message_id,
    .refers.error_name = kev_errno_name,
    .cache = {kev_save, kev_restore},
    .tool.message_records = "SND_MESSAGE, REC_MESSAGE and REPLY_MESSAGE, and pulses",
    .excerpt = &kev_excerpt,
};
