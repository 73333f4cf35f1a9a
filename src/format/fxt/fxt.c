/* SPDX-License-Identifier: Apache-2.0 */
/* fxt: the Fuchsia trace format: probe, open, close, the format's table. */
#include <stdlib.h>

#include "base/hash.h"
#include "format/fxt/fxt_internal.h"
#include "format/fxt/fxt_sched.h"
#include "tracetui/text.h"
#include "tracetui/time.h"

#define MAGIC_SCORE 100
/* Sound records in a row that make the format likely without the magic number. */
#define CHAIN_RECORDS 16u
#define CHAIN_SCORE   40

/*
 * The same of a file that was cut at the front: records in a row, and of these with different times. Three quarters of
 * the times follow the one before by less than a step.
 */
#define CUT_RECORDS 64u
#define CUT_TIMES   16u
#define CUT_STEP    (UINT64_C(1) << 30)
#define CUT_SCORE   20
#define CUT_BYTES   (UINT64_C(64) << 10)

/* Limits of the scan for clocks at open. */
#define SCAN_BYTES     (UINT64_C(1) << 20)
#define SCAN_PROVIDERS 64u

/* Checked steps of time are larger than a millisecond and than LEAST_STEP ticks. */
#define STEPS_PER_S 1000
#define LEAST_STEP  16
#define DAY_S       86400u

/* ---- probe ------------------------------------------------------------------------------ */

/* Returns the score of `head` read as words of one byte order. */
static int score_as(struct tt_bytes head, bool big)
{
    if (head.size < 8) {
        return 0;
    }
    if (tt_load_u64(head.data, big) == TT_FXT_MAGIC) {
        return MAGIC_SCORE;
    }
    uint32_t chain = tt_fxt_count_valid(head.data, 0, head.size, big, CHAIN_RECORDS);
    return chain == CHAIN_RECORDS ? CHAIN_SCORE : 0;
}

/* Returns whether enough sound records follow from a place on. */
static bool has_records(struct tt_bytes head, uint64_t pos, bool big)
{
    uint64_t last = 0;
    uint32_t timed = 0, times = 0, near = 0;
    for (uint32_t count = 0; count < CUT_RECORDS; count++) {
        struct tt_fxt_view view;
        uint32_t words =
            head.size - pos < 8 ? 0 : tt_fxt_sound_record(head.data, pos, head.size, big, &view);
        if (words == 0) {
            return false;
        }
        struct tt_fxt_record record = {head.data + pos, pos, words, big};
        if (tt_fxt_layout_of(tt_fxt_word(&record, 0))->timed) {
            uint64_t ticks = tt_fxt_word(&record, view.at[TT_FXT_TIME]);
            times += ticks != last;
            near += timed == 0 || ticks - last < CUT_STEP;
            timed++;
            last = ticks;
        }
        pos += (uint64_t)words * 8;
    }
    return times >= CUT_TIMES && near >= timed - timed / 4;
}

/* Where a file begins to be a trace. */
struct front {
    int score; /* 0: nowhere */
    bool big;
    uint64_t pos; /* of the first record: 0 unless the file was cut at the front */
};

static struct front fxt_find_front(struct tt_bytes head)
{
    int little = score_as(head, false), big = score_as(head, true);
    struct front front = {.score = little > big ? little : big, .big = big > little};
    for (uint64_t at = 1; front.score == 0 && at < CUT_BYTES && at + 8 <= head.size; at++) {
        front.big = has_records(head, at, true);
        front.score = front.big || has_records(head, at, false) ? CUT_SCORE : 0;
        front.pos = front.score ? at : 0;
    }
    return front;
}

static int fxt_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    int little = score_as(head, false), big = score_as(head, true);
    return little > big ? little : big;
}

static bool probe_cut(struct tt_bytes head)
{
    return fxt_find_front(head).score > 0;
}

/* ---- scan for clocks -------------------------------------------------------------------- */

struct scan_provider {
    uint32_t id;
    uint64_t rate; /* 0: the provider has no clock of its own */
};

struct scan {
    struct scan_provider providers[SCAN_PROVIDERS]; /* [0]: the implicit provider */
    uint32_t count;
    uint32_t current;
    uint64_t default_hz;
    uint64_t rate; /* common rate of all timed records so far; 0: none yet */
    bool differ;
    bool has_first;
    uint64_t first_ticks; /* of the first timed record */
    uint64_t first_rate;
    bool has_base; /* an initialization record has a wall clock */
    uint64_t base_tick;
    uint64_t base_time;
    uint64_t base_rate;
};

static void scan_enter(struct scan *scan, uint32_t id, bool restart)
{
    uint32_t i = 0;
    while (i < scan->count && (scan->providers[i].id != id || (i == 0 && id != 0))) {
        i++;
    }
    if (i == SCAN_PROVIDERS) {
        i = 0;
    } else if (i == scan->count) {
        scan->count++;
        scan->providers[i].id = id;
        scan->providers[i].rate = 0;
    } else if (restart && i != 0) {
        scan->providers[i].rate = 0;
    }
    scan->current = i;
}

static void scan_record(struct scan *scan, const struct tt_fxt_record *record)
{
    uint64_t header = tt_fxt_word(record, 0);
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
    struct tt_fxt_view view;
    if (!layout) {
        return;
    }
    bool info = layout->does == TT_FXT_DOES_PROVIDER_INFO;
    if (info || layout->does == TT_FXT_DOES_PROVIDER_SECTION) {
        scan_enter(scan, (uint32_t)tt_fxt_bits(header, 20, 32), info);
        return;
    }
    if (!layout->timed && layout->does != TT_FXT_DOES_INIT) {
        return;
    }
    tt_fxt_parse(record, layout, &view);
    if (!view.usable) {
        return;
    }
    if (layout->timed) {
        uint64_t ticks = tt_fxt_word(record, view.at[TT_FXT_TIME]);
        uint64_t own = scan->providers[scan->current].rate;
        uint64_t implicit = scan->providers[0].rate;
        uint64_t rate = own ? own : implicit ? implicit : scan->default_hz;

        if (!scan->has_first) {
            scan->has_first = true;
            scan->first_ticks = ticks;
            scan->first_rate = rate;
        }
        scan->differ = scan->differ || (scan->rate != 0 && scan->rate != rate);
        scan->rate = rate;
    } else {
        uint64_t rate = tt_fxt_word(record, view.at[TT_FXT_A]);
        if (rate == 0) {
            return;
        }
        scan->providers[scan->current].rate = rate;
        if (view.at[TT_FXT_C] && !scan->has_base) {
            scan->has_base = true;
            scan->base_tick = tt_fxt_word(record, view.at[TT_FXT_B]);
            scan->base_time = tt_fxt_word(record, view.at[TT_FXT_C]);
            scan->base_rate = rate;
        }
    }
}

static void scan_start(struct tt_bytes bytes, const struct front *front, uint64_t default_hz,
                       struct scan *scan)
{
    memset(scan, 0, sizeof *scan);
    scan->default_hz = default_hz;
    scan->count = 1;
    uint64_t pos = front->pos;
    while (pos < SCAN_BYTES && bytes.size - pos >= 8) {
        uint32_t words = tt_fxt_claimed_words(tt_load_u64(bytes.data + pos, front->big));
        if (words == 0 || words > (bytes.size - pos) / 8) {
            return;
        }
        struct tt_fxt_record record = {bytes.data + pos, pos, words, front->big};
        scan_record(scan, &record);
        pos += (uint64_t)words * 8;
    }
}

/* ---- open ------------------------------------------------------------------------------- */

/* Calls `act` for each table. */
static void each_table(struct tt_fxt *fxt, void (*act)(struct tt_fxt_table *table))
{
#define X(name, values) act(&fxt->name);
    TT_FXT_TABLES(X)
#undef X
}

static void free_fxt(struct tt_fxt *fxt)
{
    each_table(fxt, tt_fxt_table_free);
    tt_column_free(&fxt->providers);
    free(fxt);
}

static struct tt_fxt *new_fxt(struct tt_capture *capture, bool big)
{
    struct tt_fxt *fxt = calloc(1, sizeof *fxt);
    if (!fxt) {
        return NULL;
    }
    fxt->capture = capture;
    fxt->big = big;
    each_table(fxt, tt_fxt_table_init);
    tt_column_init(&fxt->providers, sizeof(struct tt_fxt_provider));
    if (!tt_column_next(&fxt->providers)) {
        free_fxt(fxt);
        return NULL;
    }
    tt_column_publish(&fxt->providers);
    return fxt;
}

static bool intern_words(struct tt_fxt *fxt)
{
    const struct {
        tt_string *word;
        const char *text;
    } words[] = {
        {&fxt->words.incoming_weight, "incoming_weight"},
        {&fxt->words.outgoing_weight, "outgoing_weight"},
        {&fxt->words.weight, "weight"},
        {&fxt->words.waker, "waker"},
        {&fxt->words.process, "process"},
        {&fxt->words.cpu, "cpu"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i].word = tt_capture_intern(fxt->capture, words[i].text, strlen(words[i].text));
        if (*words[i].word == 0) {
            return false;
        }
    }
    return true;
}

static bool add_number_fact(struct tt_capture *capture, const char *section, const char *key,
                            uint64_t value)
{
    char buffer[24];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_u64(&text, value);
    return tt_facts_add(capture, section, key, buffer, text.used);
}

static bool fxt_add_facts(struct tt_capture *capture, const struct scan *scan, bool has_magic)
{
    const char *order = capture->big_endian ? "big-endian" : "little-endian";
    const char *magic = has_magic ? "present" : "missing";
    const char *unit = scan->differ ? "nanoseconds: the providers' clocks differ" : "ticks";
    return tt_facts_add(capture, "header", "byte order", order, strlen(order)) &&
           tt_facts_add(capture, "header", "magic number", magic, strlen(magic)) &&
           tt_facts_add(capture, "clock", "unit", unit, strlen(unit)) &&
           add_number_fact(capture, "clock", "ticks a second", capture->clock_hz) &&
           (!scan->has_base ||
            (add_number_fact(capture, "clock", "base tick", scan->base_tick) &&
             add_number_fact(capture, "clock", "base time (ns)", scan->base_time)));
}

static void set_clock(struct tt_fxt *fxt, const struct scan *scan)
{
    struct tt_capture *capture = fxt->capture;
    capture->clock_hz = scan->differ      ? TT_FXT_DEFAULT_HZ
                        : scan->rate == 0 ? scan->default_hz
                                          : scan->rate;
    fxt->default_hz = scan->default_hz;
    if (!tt_mul_div(INT64_MAX, capture->clock_hz, TT_NS_PER_S, &fxt->max_ticks)) {
        fxt->max_ticks = UINT64_MAX;
    }
    fxt->first_ticks = 0;
    if (scan->has_first &&
        !tt_mul_div(scan->first_ticks, capture->clock_hz, scan->first_rate, &fxt->first_ticks)) {
        fxt->first_ticks = UINT64_MAX;
    }
    uint64_t step = capture->clock_hz / STEPS_PER_S;
    fxt->longest =
        capture->clock_hz < UINT64_MAX / 4 / DAY_S ? capture->clock_hz * DAY_S : UINT64_MAX / 4;
    fxt->pace.step = step > LEAST_STEP ? step : LEAST_STEP;
    fxt->pace.fast_low = UINT64_MAX; /* until there is a time */
    /* Computes the date of tick 0 from an initialization record with a wall clock. */
    int64_t base;
    if (!scan->has_base || scan->base_time > INT64_MAX ||
        !tt_ticks_to_ns(scan->base_tick, scan->base_rate, &base)) {
        return;
    }
    int64_t ns = (int64_t)scan->base_time - base;
    capture->wall_clock = ns / TT_NS_PER_S - (ns % TT_NS_PER_S < 0);
    capture->has_wall_clock = true;
}

static const char *const recording[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "ffx trace start --categories kernel:sched,kernel:meta,...",
    [TT_MISSING_WAKEUPS] = "ffx trace start on a release with thread wakeup records (kernel:sched)",
    [TT_MISSING_NAMES] = "ffx trace start --categories kernel:meta,...",
    [TT_MISSING_RECORDS] = "ffx trace start --buffer-size 64 (MB), or --buffering-mode streaming",
};

static struct tt_status fxt_open(struct tt_capture *capture,
                                 const struct tt_capture_options *options)
{
    struct scan scan;
    const struct front front = fxt_find_front(capture->bytes);
    const bool big = front.big, has_magic = front.score == MAGIC_SCORE;
    scan_start(capture->bytes, &front,
               !has_magic && options && options->clock_hz ? options->clock_hz : TT_FXT_DEFAULT_HZ,
               &scan);
    /* No byte of the file is read below: a mapping fault cannot leak what is allocated here. */
    struct tt_fxt *fxt = new_fxt(capture, big);
    if (!fxt) {
        return tt_error_memory();
    }
    fxt->front = front.pos;
    fxt->definitions = options && options->definitions;
    capture->big_endian = big;
    capture->recording = recording;
    set_clock(fxt, &scan);
    const uint64_t opening[] = {fxt->front, fxt->default_hz, fxt->max_ticks, fxt->first_ticks};
    capture->opening = tt_hash_of(opening, sizeof opening);
    memcpy(capture->title, "Fuchsia trace", sizeof "Fuchsia trace");
    if (!intern_words(fxt) || !fxt_add_facts(capture, &scan, has_magic)) {
        free_fxt(fxt);
        return tt_error_memory();
    }
    if (!has_magic) {
        tt_health_add(capture, TT_HEALTH_HEADER, 0, 0, 0, "no magic number at the start");
    }
    capture->decoder = fxt;
    return tt_ok();
}

static void fxt_close(struct tt_capture *capture)
{
    if (capture->decoder) {
        free_fxt(capture->decoder);
        capture->decoder = NULL;
    }
}

static uint32_t stream_of(const struct tt_capture *capture, const struct tt_event *event)
{
    const struct tt_fxt *fxt = capture->decoder;
    return tt_column_count(&fxt->providers) > 1 ? tt_fxt_provider_at(fxt, event->pos) : 0;
}

/* ---- format table ----------------------------------------------------------------------- */

const struct tt_format tt_format_fxt = {
    .name = "fxt",
    .title = "Fuchsia trace",
    .extensions = ".fxt",
    .flags = TT_FORMAT_FLOWS,
    .states = tt_fxt_states,
    .state_count = TT_FXT_STATES,
    .probe = fxt_probe,
    .probe_cut = probe_cut,
    .open = fxt_open,
    .close = fxt_close,
    .cursor_new = tt_fxt_cursor_new,
    .cursor_free = tt_fxt_cursor_free,
    .cursor_save = tt_fxt_cursor_save,
    .cursor_load = tt_fxt_cursor_load,
    .cursor_pos = tt_fxt_cursor_pos,
    .decode = tt_fxt_decode,
    .describe = tt_fxt_describe,
    .parts = tt_fxt_parts,
    .edges = tt_fxt_edges,
    .clue = tt_fxt_clue,
    .tape.stream = stream_of,
    .refers.weight = tt_fxt_weight,
    .cache = {tt_fxt_save, tt_fxt_restore},
    .tool.message_records = "flow begin and flow end records",
    .excerpt = &tt_fxt_excerpt,
};
