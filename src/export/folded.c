/* SPDX-License-Identifier: Apache-2.0 */
#include "export/folded.h"

#include "trace/line_parts.h"
#include "trace/slice_name.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

#define LINE_BYTES 65536u

/* Appends a name as a part of a path. */
static void put_part(struct tt_text *text, size_t from)
{
    for (size_t i = from; i < text->used; i++) {
        text->buffer[i] = text->buffer[i] == ';' ? ',' : text->buffer[i];
    }
    tt_text_char(text, ';');
}

size_t tt_export_folded(const struct tt_trace *trace, const struct tt_calls *calls, bool of_run,
                        struct tt_sink *sink)
{
    static const char no_process[] = "-";
    const struct tt_capture *capture = calls->capture;
    const uint64_t hz = capture->clock_hz;
    size_t lines = 0;
    char buffer[LINE_BYTES];
    for (uint32_t node = calls->first; node != TT_NO_CALL && !sink->stopped;
         node = tt_calls_next(calls, node)) {
        const struct tt_call *call = &calls->calls[node];
        int64_t ns;
        uint64_t ticks = of_run ? call->sums.self_run : call->sums.self;
        uint32_t path[TT_SLICE_DEPTHS], process = calls->names[call->name].process;
        unsigned count = 0;
        if (ticks == 0) {
            continue;
        }
        for (uint32_t at = node; at != TT_NO_CALL; at = calls->calls[at].parent) {
            path[count++] = calls->calls[at].name;
        }
        struct tt_text line = tt_text_of(buffer, sizeof buffer);
        size_t length = sizeof no_process - 1;
        const char *name =
            process < tt_process_count(capture)
                ? tt_process_base_name(capture, tt_process_at(capture, process), &length)
                : no_process;
        tt_text_escaped(&line, name, length);
        put_part(&line, 0);
        while (count-- > 0) {
            const size_t from = line.used;
            tt_slice_name(trace, process, calls->names[path[count]].type, &line);
            put_part(&line, from);
        }
        line.used--;
        if (hz != 0) {
            ticks = tt_ticks_to_ns(ticks, hz, &ns) ? (uint64_t)ns : INT64_MAX;
        }
        tt_text_put(&line, " %ju\n", (uintmax_t)ticks);
        tt_sink_flush(sink, &line);
        lines++;
    }
    return lines;
}
