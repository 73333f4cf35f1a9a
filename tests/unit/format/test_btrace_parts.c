/* SPDX-License-Identifier: Apache-2.0 */
/* Multipart traces: joined, interleaved, and damaged in every way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"
#include "format/btrace/btrace_multipart.h"
#include "trace/trace_internal.h"
#include "tracetui/timeline.h"

static uint8_t pattern[4096];

static void make_pattern(void)
{
    for (unsigned i = 0; i < sizeof pattern; i++) {
        pattern[i] = (uint8_t)('a' + i % 23);
    }
}

static uint64_t plain(struct stream *s, uint32_t ts)
{
    return stream_words(s, 14, 5, ts, (const uint32_t[]){1, 2}, 2);
}

static uint32_t parts_of(const struct reading *r, uint32_t event, struct tt_part *parts,
                         uint32_t max)
{
    return tt_format_btrace.parts(r->capture, &r->events[event], r->capture->bytes.size, parts,
                                  max);
}

/* Expects the payload of the parts to be A, then D. */
static void expect_payload(const struct reading *r, uint32_t event, uint32_t a, uint32_t length)
{
    struct tt_part parts[64];
    uint32_t count = parts_of(r, event, parts, 64);
    cr_assert_leq(count, 64);
    struct stream joined = {0};
    for (uint32_t i = 0; i < count; i++) {
        stream_bytes(&joined, r->capture->bytes.data + parts[i].offset + parts[i].header,
                     parts[i].length - parts[i].header);
    }
    cr_assert_eq(joined.size, length + 4u);
    cr_expect_eq(tt_load_u32(joined.bytes, false), a);
    cr_expect_eq(memcmp(joined.bytes + 4, pattern, length), 0);
    stream_free(&joined);
}

Test(btrace_parts, every_length)
{
    make_pattern();
    for (uint32_t length = 85; length <= 500; length++) {
        struct stream s = {0};
        stream_parts(&s, 1, 0, 5, 77, 0x1234, pattern, length);
        struct reading r = read_stream(&s);
        cr_assert_eq(r.count, 1);
        cr_expect_eq(r.records, 1 + (length - 1) / 80);
        cr_expect_eq(r.events[0].flags, TT_EVENT_MULTIPART);
        cr_expect_eq(r.events[0].pos, 0);
        cr_expect_eq(r.events[0].ticks, 5);
        expect_payload(&r, 0, 0x1234, length);
        struct tt_args args;
        describe(&r, 0, &args);
        cr_expect_eq(args.v[0].value.u, 0x1234);
        cr_expect_eq(args.v[1].value.s.length, length);
        cr_expect_eq(args.v[1].raw_offset, 4);
        cr_expect_eq(args.v[1].raw_length, length);
        cr_expect_eq(memcmp(args.v[1].value.s.data, pattern, length), 0);
        cr_expect_eq(tt_health_kept(r.capture), 0);
        reading_free(&r);
        stream_free(&s);
    }
}

Test(btrace_parts, long_text_is_cut)
{
    make_pattern();
    struct stream s = {0};
    stream_parts(&s, 1, 0, 5, 77, 1, pattern, sizeof pattern);
    struct reading r = read_stream(&s);
    struct tt_args args;
    describe(&r, 0, &args);
    cr_expect(args.cut);
    cr_expect_gt(args.v[1].value.s.length, 1500);
    cr_expect_eq(memcmp(args.v[1].value.s.data, pattern, args.v[1].value.s.length), 0);
    expect_payload(&r, 0, 1, sizeof pattern);
    cr_expect_eq(tt_health_kept(r.capture), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, interleaved_with_others_and_with_records)
{
    make_pattern();
    struct stream s = {0};
    for (uint32_t id = 0; id < 4; id++) {
        stream_part(&s, 1, 194, 1, id, id, 300, id, pattern, 80);
        plain(&s, id);
    }
    for (uint32_t at = 80; at < 300; at += 80) {
        for (uint32_t id = 0; id < 4; id++) {
            uint32_t take = 300 - at > 80 ? 80 : 300 - at;
            stream_part(&s, take == 80 ? 2 : 3, 194, 1, 10, id, 300, at, pattern + at, take);
            plain(&s, 10);
        }
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 4 + 16);
    for (uint32_t id = 0; id < 4; id++) {
        expect_payload(&r, id * 2, id, 300);
    }
    cr_expect_eq(tt_health_kept(r.capture), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, a_reused_id)
{
    make_pattern();
    struct stream s = {0};
    stream_parts(&s, 1, 0, 1, 3, 0xa, pattern, 100);
    stream_parts(&s, 1, 0, 5, 3, 0xb, pattern, 200);
    stream_part(&s, 1, 1, 0, 9, 3, 170, 0xc, pattern, 80); /* never finished */
    stream_parts(&s, 1, 0, 10, 3, 0xd, pattern, 90);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 4);
    expect_payload(&r, 0, 0xa, 100);
    expect_payload(&r, 1, 0xb, 200);
    expect_payload(&r, 2, 0xc, 80);
    expect_payload(&r, 3, 0xd, 90);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), 1);
    cr_expect_eq(tt_health_at(r.capture, 0).offset, r.events[2].pos);
    cr_expect(strstr(args_line(&r, 2), "missing_bytes=90"), "%s", args_line(&r, 2));
    cr_expect(!tt_health_damaged(r.capture));
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, without_first_or_last)
{
    make_pattern();
    struct stream s = {0};
    stream_part(&s, 2, 1, 0, 1, 8, 300, 80, pattern, 80);
    stream_part(&s, 3, 1, 0, 2, 8, 300, 160, pattern, 80);
    plain(&s, 3);
    stream_part(&s, 1, 1, 0, 4, 9, 300, 5, pattern, 80);
    stream_part(&s, 2, 1, 0, 5, 9, 300, 80, pattern, 80);
    plain(&s, 6);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 3);
    cr_expect_eq(r.records, 6);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_ORPHAN_PART), 2);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), 1);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, offsets_and_lengths_that_do_not_fit)
{
    make_pattern();
    static const struct {
        uint32_t what, n, offset;
        size_t length;
    } bad[] = {
        {2, 300, 160, 80},                          /* a part left out */
        {2, 300, 0, 80},                            /* goes back */
        {2, 300, 400, 80},                          /* beyond the end */
        {2, 300, UINT32_MAX, 80}, {2, 301, 80, 80}, /* another length */
        {3, 300, 80, 80},                           /* the last one, too early */
        {3, 100, 80, 80},                           /* more than is left */
        {2, 300, 80, 0},                            /* no bytes at all */
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct stream s = {0};
        uint32_t total = bad[i].n == 100 ? 100 : 300;
        stream_part(&s, 1, 1, 0, 1, 8, total, 5, pattern, 80);
        stream_part(&s, bad[i].what, 1, 0, 2, 8, bad[i].n, bad[i].offset, pattern, bad[i].length);
        plain(&s, 3);
        struct reading r = read_stream(&s);
        cr_assert_eq(r.count, 2, "case %u", i);
        bool empty = bad[i].length == 0;
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_COUNT_MISMATCH), empty ? 0 : 1, "case %u",
                     i);
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), 1, "case %u", i);
        cr_expect_eq(parts_of(&r, 0, NULL, 0), empty ? 2 : 1, "case %u", i);
        reading_free(&r);
        stream_free(&s);
    }
}

Test(btrace_parts, an_invalid_first_part)
{
    make_pattern();
    struct stream s = {0};
    stream_part(&s, 1, 1, 0, 1, 8, 10, 5, pattern, 80); /* shorter than itself */
    stream_record(&s, &(struct rec){.flags = H2 | TS, .category = 1, .header2 = 1}); /* no id */
    stream_record(&s, &(struct rec){.flags = H2 | TS | EXTRA,
                                    .category = 1,
                                    .header2 = 3,
                                    .data = pattern,
                                    .length = 3}); /* too short */
    for (uint32_t i = 0; i < 8; i++) {
        plain(&s, i);
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 10);
    for (uint32_t i = 0; i < r.count; i++) {
        args_line(&r, i);
        parts_of(&r, i, NULL, 0);
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), 2);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_ORPHAN_PART), 1);
    reading_free(&r);
    stream_free(&s);
}

/* Both implementations of the rule have the same maximum distance between parts. */
Test(btrace_parts, the_gap_is_the_same_for_health_and_for_arguments)
{
    make_pattern();
    for (uint32_t gap = BTRACE_GROUP_GAP - 2; gap <= BTRACE_GROUP_GAP + 1; gap++) {
        struct stream s = {0};
        stream_part(&s, 1, 1, 0, 1, 8, 100, 5, pattern, 80);
        for (uint32_t i = 1; i < gap; i++) {
            stream_words(&s, 15, 2, 1, NULL, 0);
        }
        stream_part(&s, 3, 1, 0, 2, 8, 100, 80, pattern, 20);
        struct reading r = read_stream(&s);
        bool joins = gap <= BTRACE_GROUP_GAP;
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_ORPHAN_PART), joins ? 0 : 1);
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), joins ? 0 : 1);
        cr_expect_eq(parts_of(&r, 0, NULL, 0), joins ? 2 : 1);
        reading_free(&r);
        stream_free(&s);
    }
}

/* Indexes the stream, which stays the caller's. */
static struct tt_trace *index_stream(const struct stream *s)
{
    struct tt_trace *trace = calloc(1, sizeof *trace);
    cr_assert(trace);
    struct tt_status status = tt_capture_new(tt_bytes_of(s->bytes, s->size), &trace->capture);
    cr_assert(!tt_failed(&status));
    status = tt_format_btrace.open(trace->capture, &(struct tt_capture_options){0});
    cr_assert(!tt_failed(&status));
    trace->capture->format = &tt_format_btrace;
    status = tt_index_init(&trace->index, trace->capture, NULL);
    cr_assert(!tt_failed(&status));
    trace->has_index = true;
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

Test(btrace_parts, after_the_last_event_extend_the_capture)
{
    make_pattern();
    struct stream s = {0};
    stream_switch(&s, 10, 0x1000);
    stream_part(&s, 1, 1, 0, 20, 8, 200, 5, pattern, 80);
    stream_part(&s, 2, 1, 0, 30, 8, 200, 80, pattern + 80, 80);
    stream_part(&s, 3, 1, 0, 45, 8, 200, 160, pattern + 160, 40);
    struct tt_trace *trace = index_stream(&s);
    struct tt_progress progress = tt_trace_progress(trace);
    cr_expect_eq(progress.events, 2);
    cr_expect_eq(progress.first_ticks, 10);
    cr_expect_eq(progress.last_ticks, 45);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    cr_assert(t);
    cr_expect_eq(tt_timelines_end(t), 45);
    struct tt_cpu_sums sums;
    tt_cpu_sum(t, 0, tt_timelines_begin(t), tt_timelines_end(t), &sums);
    cr_expect_eq(sums.busy, 35); /* the thread runs until the last part */
    tt_trace_close(trace);
    stream_free(&s);
}

/* Eight parts of a trace that began before the capture: records, but no event and so no time. */
Test(btrace_parts, without_an_event_give_no_time)
{
    make_pattern();
    struct stream s = {0};
    for (uint32_t i = 0; i < 8; i++) {
        stream_part(&s, 2, 1, 0, 10 + i, 8, 2000, 80 + 80 * i, pattern, 80);
    }
    struct tt_trace *trace = index_stream(&s);
    struct tt_progress progress = tt_trace_progress(trace);
    cr_expect_eq(progress.events, 0);
    cr_expect_eq(progress.records, 8);
    cr_expect_eq(progress.last_ticks, 0);
    tt_trace_close(trace);
    stream_free(&s);
}

/* Thousands of open traces with repeating ids: each part has the same cost. */
Test(btrace_parts, distant_and_near_parts_of_many_traces)
{
    make_pattern();
    enum { TRACES = 300 };
    struct stream s = {0};
    for (uint32_t id = 0; id < TRACES; id++) {
        stream_part(&s, 1, 194, 1, id, id, 300, id, pattern, 80);
    }
    for (uint32_t at = 80; at < 300; at += 80) {
        uint32_t take = 300 - at > 80 ? 80 : 300 - at;
        for (uint32_t id = TRACES; id-- > 0;) {
            stream_part(&s, take == 80 ? 2 : 3, 194, 1, 400, id, 300, at, pattern + at, take);
        }
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, TRACES);
    for (uint32_t id = 0; id < TRACES; id++) {
        expect_payload(&r, id, id, 300);
    }
    cr_expect_eq(tt_health_kept(r.capture), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, thousands_of_open_traces)
{
    make_pattern();
    enum { TRACES = 20000, CYCLE = 5000 };
    struct stream s = {0};
    for (uint32_t i = 0; i < TRACES; i++) {
        stream_part(&s, 1, 1, 0, i, i % CYCLE, 1000, 5, pattern, 80);
        stream_part(&s, 2, 1, 0, i, (i * 7) % CYCLE, 1000, 80, pattern, 80);
    }
    struct reading r = read_stream(&s);
    cr_expect_eq(r.count, TRACES);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNFINISHED), TRACES);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_parts, names_longer_than_a_record)
{
    struct stream s = {0};
    char path[300];
    memset(path, 'p', sizeof path);
    memcpy(path, "Z:\\sys\\bin\\", 11);
    stream_parts(&s, 9, 0, 1, 1, 0xcafe, path, 200); /* ECodeSegCreated */
    stream_words(&s, 9, 2, 9, (const uint32_t[]){0xcafe}, 1);
    struct stream name = {0};
    uint8_t process[4] = {0x00, 0x90, 0, 0};
    stream_bytes(&name, process, 4);
    stream_bytes(&name, path, 150);
    stream_parts(&s, 3, 5, 10, 2, 0, name.bytes, (uint32_t)name.size); /* EProcessName */
    stream_parts(&s, 3, 4, 12, 3, 0x1000, name.bytes, (uint32_t)name.size);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 4);
    char wanted[400];
    snprintf(wanted, sizeof wanted, "code_seg=0x0000cafe(Z:\\\\sys\\\\bin\\\\%.*s)", 189,
             path + 11);
    cr_expect_str_eq(args_line(&r, 1), wanted);
    cr_expect_eq(strlen(process_name_of(&r, 0)), 150);
    cr_expect_eq(strlen(thread_name(&r, 0)), 150);
    reading_free(&r);
    stream_free(&s);
    stream_free(&name);
}
