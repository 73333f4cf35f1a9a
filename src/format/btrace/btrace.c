/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace: Symbian BTrace: probe, open, close, the format's table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "tracetui/text.h"

/* Any wait that the trace shows may be one for the next activation. */
#define WAIT(state, name, class_, object)                                                          \
    [state] = {name, class_, TT_STATE_ENDS_JOB, TT_WAKE_UNKNOWN, object, NULL}

const struct tt_state_info btrace_states[BTRACE_STATE_COUNT] = {
    [BTRACE_STATE_UNKNOWN] = {.name = "UNKNOWN", .class_ = TT_CLASS_UNKNOWN},
    [BTRACE_STATE_RUNNING] = {.name = "RUNNING", .class_ = TT_CLASS_RUNNING},
    WAIT(BTRACE_STATE_FAST_MUTEX, "FAST_MUTEX", TT_CLASS_LOCK, TT_OBJECT_FAST_MUTEX),
    WAIT(BTRACE_STATE_MUTEX, "MUTEX", TT_CLASS_LOCK, TT_OBJECT_MUTEX),
    WAIT(BTRACE_STATE_SEMAPHORE, "SEMAPHORE", TT_CLASS_CONDITION, TT_OBJECT_SEMAPHORE),
    WAIT(BTRACE_STATE_CONDVAR, "CONDVAR", TT_CLASS_CONDITION, TT_OBJECT_CONDVAR),
    [BTRACE_STATE_DEAD] = {.name = "DEAD", .class_ = TT_CLASS_DEAD},
};

/* ---- probe ------------------------------------------------------------------------------ */

/*
 * There is no magic number, so the chain of records is checked. Each record must be one that a
 * kernel can write, all have the same timestamp flags, and time advances in small steps. Of random
 * bytes one record in about thirty passes the first two checks and one step in eight the third;
 * ASCII text (letters are unassigned categories) and zeros never pass. A stream of a few records
 * has to be consistent to its last byte.
 */
enum {
    PROBE_RECORDS = 4096, /* maximum that is checked */
    LEAST_RECORDS = 8,
    MANY_RECORDS = 64, /* enough to accept damage after them */
    SURE = 90,
    LIKELY = 60,
    POSSIBLE = 30,
    CUT = 20,
    CUT_BYTES = 64 << 10, /* of a file that was cut at the front, in which its records begin */
    /* Largest normal step of Timestamp, and of Timestamp2 if there is one. */
    TAME_STEP_BITS = 28,
    TAME_STEP2_BITS = 20,
};

struct probe {
    unsigned records;
    unsigned wild;    /* steps of time that are far too large */
    unsigned changes; /* records whose flags differ from the previous one's */
    bool to_the_end;  /* the last record ends with the file */
    bool broken;      /* there are bytes that are not a record */
    bool exact;       /* the data of all records fit their layouts */
    struct btrace_record last;
};

/* Returns whether the data end with a field (older kernels write fewer fields). */
static bool fits_layout(const struct btrace_record *record)
{
    const struct btrace_sub *layout = record->layout;
    if (!layout || record->part != BTRACE_WHOLE) {
        return layout != NULL && record->part != BTRACE_WHOLE;
    }
    const struct btrace_field *field = btrace_fields_of(
        layout, record->category, tt_bytes_of(record->data, record->length), record->length);
    unsigned at = 0;
    for (; field->type != BF_END && at < record->length; field++) {
        if (field->type == BF_TEXT) {
            const uint8_t *bytes = record->data + at;
            unsigned length = record->length - at;
            for (unsigned i = 0; i < length; i++) {
                if (bytes[i] >= 0x7f || (bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n')) {
                    return false;
                }
            }
            return true;
        }
        if (field->type >= BF_NAME) {
            return true; /* of any size */
        }
        at += btrace_field_bytes(field->type);
    }
    return at == record->length;
}

static bool is_wild(const struct btrace_record *last, const struct btrace_record *record)
{
    bool second = (record->flags & BTRACE_HAS_TIMESTAMP2) != 0;
    uint32_t up =
        second ? record->timestamp2 - last->timestamp2 : record->timestamp - last->timestamp;
    uint32_t down = 0 - up;
    return (up < down ? up : down) >> (second ? TAME_STEP2_BITS : TAME_STEP_BITS) != 0;
}

static struct probe probe_chain(struct tt_bytes head)
{
    struct probe p = {.exact = true};
    struct btrace_record r;
    uint64_t pos = 0;
    while (p.records < PROBE_RECORDS) {
        enum btrace_read read = btrace_record_read(head, pos, &r);
        if (read == BTRACE_READ_END) {
            p.to_the_end = true;
            break;
        }
        if (read == BTRACE_READ_PARTIAL) {
            break;
        }
        if (read == BTRACE_READ_BAD || !btrace_record_is_plausible(&r) ||
            (p.records > 0 && ((r.flags ^ p.last.flags) & BTRACE_STREAM_FLAGS))) {
            p.broken = true;
            break;
        }

        const struct btrace_record *last = &p.last;
        p.exact &= fits_layout(&r) && (r.flags & BTRACE_STREAM_FLAGS) != 0;
        if (p.records > 0) {
            p.wild += is_wild(last, &r);
            p.changes += r.timestamp != last->timestamp || r.timestamp2 != last->timestamp2 ||
                         r.category != last->category || r.sub != last->sub;
        }
        p.last = r;
        p.records++;

        pos = btrace_record_next(&r);
    }
    return p;
}

static int btrace_probe(struct tt_bytes head, uint64_t size)
{
    struct probe p = probe_chain(head);
    if (p.records < LEAST_RECORDS) {
        /* Finds the score of a complete file of less than LEAST_RECORDS. */
        bool whole = head.size == size;
        bool usual_start = p.last.category == BTRACE_THREAD_IDENTIFICATION ||
                           (p.last.category == BTRACE_META_TRACE && p.last.sub == 0);
        if (!whole || !p.to_the_end || !p.exact || p.records == 0 || p.wild > 0) {
            return 0;
        }
        return p.records > 1 || usual_start ? POSSIBLE : 0;
    }
    if (p.changes == 0 || p.wild > p.records / 4) {
        return 0;
    }
    if (!p.broken) {
        return p.records < MANY_RECORDS ? LIKELY : SURE;
    }
    return p.records < MANY_RECORDS ? POSSIBLE : LIKELY;
}

/* Where a file begins to be a trace. */
struct front {
    int score;    /* 0: nowhere */
    uint64_t pos; /* of the first record: 0 unless the file was cut at the front */
};

static struct front btrace_find_front(struct tt_bytes head, uint64_t size)
{
    struct front front = {.score = btrace_probe(head, size)};
    for (uint64_t at = 1; front.score == 0 && at < CUT_BYTES && at < head.size; at++) {
        struct probe p = probe_chain(tt_bytes_slice(head, at, head.size - at));
        bool found = p.records >= MANY_RECORDS && p.exact && p.changes > p.records / 2 &&
                     p.wild <= p.records / 16;
        front = found ? (struct front){CUT, at} : front;
    }
    return front;
}

static bool probe_cut(struct tt_bytes head)
{
    return btrace_find_front(head, head.size).score > 0;
}

/* ---- open ------------------------------------------------------------------------------- */

static void btrace_add_fact(struct tt_capture *capture, const char *section, const char *key,
                            const char *value)
{
    tt_facts_add(capture, section, key, value, strlen(value));
}

static void add_period_fact(struct tt_capture *capture, const char *key, uint32_t period)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    btrace_period_text(&text, period);
    tt_text_str(&text, " (0x");
    tt_text_hex(&text, period, 8);
    tt_text_char(&text, ')');
    tt_facts_add(capture, "clock", key, buffer, text.used);
}

static void btrace_add_facts(struct tt_capture *capture, const struct btrace_clock *clock)
{
    static const char *const stamps[] = {"none", "Timestamp", "Timestamp2",
                                         "Timestamp and Timestamp2"};
    btrace_add_fact(capture, "clock", "timestamps", stamps[clock->stream_flags >> 1]);
    if (clock->stream_flags == 0) {
        return;
    }
    btrace_add_fact(capture, "clock", "width",
                    clock->wide ? "64 bits, Timestamp2 is the high half" : "32 bits, unwrapped");
    btrace_add_fact(capture, "clock", "direction", clock->down ? "counts down" : "counts up");
    if (clock->has_periods) {
        add_period_fact(capture, "period of Timestamp", clock->period);
        add_period_fact(capture, "period of Timestamp2", clock->period2);
    } else {
        btrace_add_fact(capture, "clock", "period",
                        "not in the capture (no EMetaTraceTimestampsInfo)");
    }
}

static void add_series(struct tt_capture *capture, struct btrace_decoder *decoder)
{
    static const char *const names[BTRACE_SERIES_COUNT] = {
        [BTRACE_SERIES_FREE_RAM] = "free RAM",
        [BTRACE_SERIES_KERNEL_MISC] = "kernel memory, miscellaneous",
        [BTRACE_SERIES_DRIVER_RAM] = "physical RAM of drivers",
        [BTRACE_SERIES_PAGING_CACHE] = "demand paging cache, minimum",
        [BTRACE_SERIES_ALL_CHUNKS] = "all chunks",
    };
    for (unsigned i = 0; i < BTRACE_SERIES_COUNT; i++) {
        decoder->series[i] = tt_series_add(
            capture, tt_capture_intern(capture, names[i], strlen(names[i])), UINT32_MAX);
    }
}

static struct btrace_decoder *btrace_new_decoder(void)
{
    struct btrace_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder && !btrace_names_init(&decoder->names)) {
        free(decoder);
        return NULL;
    }
    if (decoder && !btrace_jumps_init(&decoder->jumps)) {
        btrace_names_free(&decoder->names);
        free(decoder);
        return NULL;
    }
    if (decoder) {
        tt_column_init(&decoder->verdicts, sizeof(struct btrace_verdict));
    }
    return decoder;
}

static const char *const recording[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "btrace -f4,3,15: ECpuUsage, EThreadIdentification, EMetaTrace",
    [TT_MISSING_INTERRUPTS] = "btrace -f4: ECpuUsage has interrupts on kernels that trace them",
    [TT_MISSING_NAMES] = "btrace -f3: EThreadIdentification",
    [TT_MISSING_CLOCK] = "btrace -f15: EMetaTrace has the period; or --clock HZ",
    [TT_MISSING_RECORDS] = "btrace -b with a larger buffer, or fewer categories",
};

static struct tt_status btrace_open(struct tt_capture *capture,
                                    const struct tt_capture_options *options)
{
    /* Reads the file before anything is allocated, since a mapping fault may end the call. */
    const uint64_t front = btrace_find_front(capture->bytes, capture->bytes.size).pos;
    struct btrace_clock clock = btrace_clock_scan(capture->bytes, front);
    struct btrace_decoder *decoder = btrace_new_decoder();
    if (!decoder) {
        return tt_error_memory();
    }
    decoder->clock = clock;
    decoder->front = front;
    capture->clock_hz = decoder->clock.hz;
    if (capture->clock_hz == 0 && options) {
        capture->clock_hz = options->clock_hz;
    }
    capture->cpu_count = decoder->clock.cpus;
    /* With the CPUs: the first record of one that the scan did not see may be taken for damage. */
    const uint64_t opening[] = {
        decoder->front,    clock.wide,         clock.down,   clock.second_only, clock.cpus,
        clock.has_periods, clock.stream_flags, clock.period, clock.period2,     clock.info_flags,
        clock.base,        clock.hz,           clock.start,
    };
    capture->opening = tt_hash_of(opening, sizeof opening);
    capture->decoder = decoder;
    capture->recording = recording;
    snprintf(capture->version, sizeof capture->version, "BTrace");
    snprintf(capture->title, sizeof capture->title, "Symbian BTrace");
    btrace_add_facts(capture, &decoder->clock);
    add_series(capture, decoder);
    return tt_ok();
}

static void btrace_close(struct tt_capture *capture)
{
    struct btrace_decoder *decoder = capture->decoder;
    if (!decoder) {
        return;
    }
    btrace_names_free(&decoder->names);
    btrace_jumps_free(&decoder->jumps);
    tt_column_free(&decoder->verdicts);
    free(decoder);
    capture->decoder = NULL;
}

const struct tt_format tt_format_btrace = {
    .name = "btrace",
    .title = "Symbian BTrace",
    .extensions = ".btrace .utf .bin .log",
    .flags = TT_FORMAT_LATE_LANES | TT_FORMAT_ADDRESSES | TT_FORMAT_NO_WAKERS | TT_FORMAT_SUMS |
             TT_FORMAT_UNKNOWN_IS_OFF,
    .states = btrace_states,
    .state_count = BTRACE_STATE_COUNT,
    .probe = btrace_probe,
    .probe_cut = probe_cut,
    .open = btrace_open,
    .close = btrace_close,
    .cursor_new = btrace_cursor_new,
    .cursor_free = btrace_cursor_free,
    .cursor_save = btrace_cursor_save,
    .cursor_load = btrace_cursor_load,
    .cursor_pos = btrace_cursor_pos,
    .decode = btrace_decode,
    .describe = btrace_describe,
    .parts = btrace_parts,
    .edges = btrace_edges,
    .clue = btrace_clue,
    .refers.object_name = btrace_object_name,
    .cache = {btrace_save, btrace_restore},
    .tool.message_records = "EMessageSend, EMessageReceive and EMessageComplete",
    .excerpt = &btrace_excerpt,
};
