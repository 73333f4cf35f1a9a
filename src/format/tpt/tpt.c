/* SPDX-License-Identifier: Apache-2.0 */
/* tpt: function table of traceprinter's text, most of which is kev's; opens captures. */
#include <stdlib.h>

#include "format/kev/kev_decode.h"
#include "format/tpt/tpt_internal.h"

#define PROBE_REACH (UINT64_C(1) << 20)
#define LOOK_BYTES  4096u

/* Decides by its first bytes whether a file is text: few of them are control characters, as in a damaged one. */
static bool is_text(struct tt_bytes head)
{
    const size_t looked = head.size < LOOK_BYTES ? (size_t)head.size : LOOK_BYTES;
    size_t controls = 0;
    for (size_t i = 0; i < looked; i++) {
        controls += head.data[i] < '\t';
    }
    return controls <= looked / 8;
}

/* A text is one if it has an event; with traceprinter's own line before it, it is certain. */
static int tpt_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    bool is_named = false;
    if (!is_text(head)) {
        return 0;
    }
    const uint8_t *at = head.data;
    const uint8_t *end = at + (head.size < PROBE_REACH ? head.size : PROBE_REACH);
    while (at < end) {
        const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
        const struct tpt_span line = {at, stop ? stop : end};
        struct tpt_head found;
        if (tpt_head_read(line, &found)) {
            return is_named ? 100 : 60;
        }
        is_named =
            is_named || (line.end - line.at > 13 && memcmp(line.at, "TRACEPRINTER ", 13) == 0);
        at = line.end + 1;
    }
    return is_named ? 90 : 0;
}

static struct tt_status tpt_open_capture(struct tt_capture *capture,
                                         const struct tt_capture_options *options)
{
    struct tpt_decoder *decoder = calloc(1, sizeof *decoder);
    const struct kev_layout **layouts = calloc(KEV_CODES, sizeof *layouts);
    if (!decoder || !layouts) {
        free(decoder);
        free(layouts);
        return tt_error_memory();
    }
    capture->decoder = decoder;
    decoder->kev.layouts = layouts;
    decoder->kev.source = &tpt_source;
    decoder->kev.clock_vector = UINT32_MAX;
    capture->origin_ticks = UINT64_MAX;
    struct tt_status status = tpt_header_read(capture, decoder);
    if (!tt_failed(&status)) {
        status = kev_open_events(capture, options);
    }
    if (tt_failed(&status)) {
        kev_close_capture(capture);
        return status;
    }
    decoder->kev.start.has_time = decoder->kev.start.has_time || decoder->whole_times;
    return tt_ok();
}

/* ---- format table --------------------------------------------------------------------------- */

const struct tt_format tt_format_tpt = {
    .name = "tpt",
    .title = "text of QNX's traceprinter",
    .extensions = ".txt",
    .flags = TT_FORMAT_NAMES | TT_FORMAT_REPLIES | TT_FORMAT_LOCAL_IDS | TT_FORMAT_RINGS |
             TT_FORMAT_GUESTS,
    .states = kev_states,
    .state_count = KEV_STATE_COUNT,
    .probe = tpt_probe,
    .open = tpt_open_capture,
    .close = kev_close_capture,
    .cursor_new = kev_cursor_new,
    .cursor_free = kev_cursor_free,
    .cursor_save = kev_cursor_save,
    .cursor_load = kev_cursor_load,
    .cursor_pos = kev_cursor_pos,
    .decode = tpt_decode,
    .describe = kev_describe,
    .parts = kev_parts,
    .edges = kev_edges,
    .clue = kev_clue,
    .hosts = kev_has_guests,
    .refers.args = kev_arg_rules,
    .refers.arg_owner = kev_arg_owner,
    .refers.is_owner = kev_is_owner,
    .refers.message_id = kev_message_id,
    .refers.error_name = kev_errno_name,
    .cache = {kev_save, kev_restore},
    .tool.message_records = "SND_MESSAGE, REC_MESSAGE and REPLY_MESSAGE, and pulses",
};
