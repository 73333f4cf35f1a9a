/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tpt_header: the lines that traceprinter writes around the events, and what follows from the first events.
 *
 *      TRACEPRINTER version 1.02
 *      TRACEPARSER LIBRARY version 1.02
 *       -- HEADER FILE INFORMATION --
 *             TRACE_FILE_NAME:: all_classes.kev
 *       -- KERNEL EVENTS --
 */
#include <stdio.h>
#include <stdlib.h>

#include "format/tpt/tpt_internal.h"

#define HEADER_REACH (UINT64_C(1) << 20) /* the first event begins before it */
#define EVENTS_MOST  4096u               /* events that decide about the release */

static struct tpt_span line_at(struct tt_bytes bytes, uint64_t pos)
{
    const uint8_t *from = bytes.data + pos;
    const uint8_t *end = memchr(from, '\n', (size_t)(bytes.size - pos));
    return (struct tpt_span){from, end ? end : bytes.data + bytes.size};
}

static bool begins(struct tpt_span line, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(line.end - line.at) >= length && memcmp(line.at, text, length) == 0;
}

static struct tpt_span trimmed(struct tpt_span line)
{
    while (line.at < line.end && (*line.at == ' ' || *line.at == '\t')) {
        line.at++;
    }
    while (line.at < line.end && (line.end[-1] == ' ' || line.end[-1] == '\r')) {
        line.end--;
    }
    return line;
}

bool tpt_header_has(struct tpt_span line)
{
    line = trimmed(line);
    return line.at == line.end || begins(line, "TRACE_") || begins(line, "TRACEPRINTER ") ||
           begins(line, "TRACEPARSER ") || begins(line, "-- HEADER FILE") ||
           begins(line, "-- KERNEL EVENTS");
}

/* TRACE_key:: value */
static bool read_key(struct kev_header *header, struct tpt_span line)
{
    const uint8_t *key = line.at + sizeof "TRACE_" - 1, *colon = key;
    while (colon < line.end && *colon != ':') {
        colon++;
    }
    if (line.end - colon < 2 || colon[1] != ':') {
        return true;
    }
    const struct tpt_span value = trimmed((struct tpt_span){colon + 2, line.end});
    return kev_header_take(header, tt_bytes_of(key, (uint64_t)(colon - key)),
                           tt_bytes_of(value.at, (uint64_t)(value.end - value.at)));
}

/* Returns whether the event is one of those that 8.0 has added: BUFFER_END, DROPPED, INT_DELIVER. */
static bool is_of_8(uint32_t code)
{
    return code == (KEV_CLASS_CONTROL << 10 | 4) || code == (KEV_CLASS_CONTROL << 10 | 8) ||
           code == (KEV_CLASS_INTERRUPT << 10 | 7);
}

/* Sets the release: an earlier one of the list if later ones know no more events. */
static void find_release(struct tpt_decoder *decoder, struct tt_bytes bytes)
{
    static const enum kev_release of_7[] = {KEV_7, KEV_8, KEV_6_6, KEV_6_4};
    static const enum kev_release of_6[] = {KEV_6_4, KEV_6_6, KEV_7, KEV_8};
    const enum kev_release *releases = decoder->whole_times ? of_7 : of_6;
    enum kev_release best = releases[0];
    uint32_t most = 0;
    for (unsigned i = 0; i < 4; i++) {
        /* How many of the first events have labels of the release. */
        enum kev_release release = releases[i];
        memset(decoder->kev.layouts, 0, KEV_CODES * sizeof *decoder->kev.layouts);
        kev_tables_fill(decoder->kev.layouts, release);
        decoder->kev.release = release;
        tpt_labels_fill(decoder);
        struct tpt_payload none = {.big = decoder->kev.big};
        struct tpt_record record;
        uint32_t known = 0, events = 0;
        for (uint64_t pos = 0; events < EVENTS_MOST; pos = record.end) {
            tpt_record_read(decoder, bytes, pos, true, &record, &none);
            if (record.sort == TPT_CUT) {
                break;
            }
            events += record.sort <= TPT_DOUBTFUL;
            known += record.sort == TPT_EVENT && decoder->kev.layouts[record.code] &&
                     (release == KEV_8 || !is_of_8(record.code));
        }

        best = known > most ? releases[i] : best;
        most = known > most ? known : most;
    }
    decoder->kev.release = best;
}

static bool add_form(struct tt_capture *capture, const char *key, const char *value)
{
    return tt_facts_add(capture, "text", key, value, strlen(value));
}

/* Reads the form of the first event, whose line begins at `pos`. */
static bool read_form(struct tt_capture *capture, struct tpt_decoder *decoder, uint64_t pos)
{
    const struct tpt_span line = line_at(capture->bytes, pos);
    struct tpt_head head;
    if (!tpt_head_read(line, &head)) {
        return true;
    }
    const bool is_usual = begins(line, "t:0x");
    /* The class is padded to 16 columns in 7.x, to 8 before; BUFFER, the first event, has no padding then. */
    const ptrdiff_t width = head.after - 1 - line.at - (ptrdiff_t)(sizeof "t:0x CPU:00 " - 1);
    decoder->whole_times = head.is_time || head.whole || !is_usual || width >= 16 + 8;
    decoder->microseconds = head.is_time;
    return add_form(capture, "form",
                    head.is_time           ? "times in microseconds (-p)"
                    : !is_usual            ? "another order of columns (-p)"
                    : decoder->whole_times ? "of 7.x and 8.0"
                                           : "of 6.3 to 6.6");
}

struct tt_status tpt_header_read(struct tt_capture *capture, struct tpt_decoder *decoder)
{
    const struct tt_bytes bytes = tt_bytes_slice(capture->bytes, 0, capture->bytes.size);
    struct kev_header header = {.c = capture, .d = &decoder->kev, .encoding_supported = true};
    bool kept = true;
    for (uint64_t pos = 0; kept && pos < bytes.size && pos < HEADER_REACH;) {
        const struct tpt_span line = line_at(bytes, pos), text = trimmed(line);
        struct tpt_head head;
        if (tpt_head_read(line, &head)) {
            kept = read_form(capture, decoder, pos);
            break;
        }
        if (begins(text, "TRACE_MACHINE:: aarch64") || begins(text, "TRACE_MACHINE:: x86_64")) {
            decoder->is_64 = true;
        }
        if (begins(text, "TRACE_")) {
            kept = read_key(&header, text);
        } else if (begins(text, "TRACEPRINTER ") || begins(text, "TRACEPARSER ")) {
            const bool is_library = begins(text, "TRACEPARSER ");
            const size_t before =
                is_library ? sizeof "TRACEPARSER LIBRARY " : sizeof "TRACEPRINTER ";
            const size_t length = (size_t)(text.end - text.at),
                         name = length < before ? length : before - 1;
            kept = tt_facts_add(capture, "text", is_library ? "library" : "printer",
                                (const char *)text.at + name, length - name);
        }
        pos = (uint64_t)(line.end - bytes.data) + 1;
    }
    if (!kept) {
        return tt_error_memory();
    }
    decoder->kev.big = header.big && !header.little;
    kev_header_end(&header);
    if (decoder->microseconds) {
        capture->clock_hz = 1000000;
    }
    if (!header.has_release) {
        static const char *const names[] = {"6.4 (inferred)", "6.6 (inferred)", "7.x (inferred)",
                                            "8.0 (inferred)"};
        find_release(decoder, bytes);
        kept = add_form(capture, "release", names[decoder->kev.release]);
        tt_health_add(capture, TT_HEALTH_HEADER, 0, 0, 0,
                      "no TRACE_SYS_RELEASE: the release is inferred from the events");
    }
    decoder->is_64 = decoder->is_64 && decoder->kev.release >= KEV_7;
    memset(decoder->kev.layouts, 0, KEV_CODES * sizeof *decoder->kev.layouts);
    kev_tables_fill(decoder->kev.layouts, decoder->kev.release);
    tpt_labels_fill(decoder);
    return kept ? tt_ok() : tt_error_memory();
}
