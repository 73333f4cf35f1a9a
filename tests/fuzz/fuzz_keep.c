/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index caches with changed bytes and valid checksums: they are refused, or results may be wrong,
 * but no byte outside is read and every loop ends.
 *
 *      input     choice | change | change | ...                      at most CHANGES
 *      choice    bits 0, 1: which capture
 *                bit 2: its index is finished, too
 *                bit 4: the checksums are not updated: every change is detected
 *      change    section | what is done | place, 4 bytes | number, 8 bytes
 *
 * An input is a list of changes and not a file, so that every input starts from a valid file of the
 * current layout. Without changes everything is restored, and the answers are those of the indexed
 * capture. A changed section is in a buffer of exactly its size.
 *
 * For changes in the timelines only, a capture that was opened and restored once is reused, and
 * only the affected results are compared.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>

#include "../lib/kept.h"
#include "base/hash.h"
#include "format/capture_tables_cache.h"
#include "fuzz.h"
#include "trace/cache/save_index.h"
#include "trace/cache/save_timeline.h"
#include "tracetui/counters.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/slices.h"

#define CHANGES      16
#define CHANGE_BYTES 14
#define ROWS         8 /* of these many at either end everything is asked */
#define STEPS        32
#define CELLS        3

enum { FINISHED = 4, SUMS_STAY = 16 };

/* ---- the captures ------------------------------------------------------------------------- */

static const enum tt_section_tag WHOLE[] = {TT_SECTION_CAPTURE, TT_SECTION_DECODER,
                                            TT_SECTION_INDEX, TT_SECTION_TIMELINES,
                                            TT_SECTION_TRACKS};
#define WHOLE_SECTIONS (sizeof WHOLE / sizeof WHOLE[0])
#define OF_LANES       (1u << 3 | 1u << 4) /* those of WHOLE that only timelines come of */

struct answers {
    uint64_t tables, rows, lanes;
};

struct subject {
    char path[64]; /* of the capture */
    uint8_t *kept; /* all bytes of the index cache */
    size_t kept_size;
    struct tt_section_file file;
    struct tt_trace *restored; /* from it, without timelines */
    struct answers answers;    /* of the indexed capture */
};

#define MOST 65536u

/* A capture that is put together in memory. */
struct pieces {
    uint8_t bytes[MOST];
    size_t size;
};

/* Appends up to `most` bytes of a file, from offset `skip`. */
static void add_file(struct pieces *p, const char *path, size_t skip, size_t most)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL); /* to be run from the top of the source */
    require(fseek(file, (long)skip, SEEK_SET) == 0);
    most = most < MOST - p->size ? most : MOST - p->size;
    p->size += fread(p->bytes + p->size, 1, most, file);
    fclose(file);
}

/* Truncates it after its last complete record. */
static void cut_fxt(struct pieces *p)
{
    size_t at = 0;
    while (p->size - at >= 8) {
        size_t size = (size_t)(tt_load_u64(p->bytes + at, false) >> 4 & 0xfff) * 8;
        if (size == 0 || size > p->size - at) {
            break;
        }
        at += size;
    }
    p->size = at;
}

static void cut_btrace(struct pieces *p)
{
    size_t at = 0;
    while (at < p->size && p->bytes[at] >= 4 && p->bytes[at] + 3u <= p->size - at) {
        at += (p->bytes[at] + 3u) / 4 * 4;
    }
    p->size = at;
}

/* Makes a capture with a ring for each CPU, as the kernel of QNX 8.0 writes it. */
static void make_rings(struct pieces *p)
{
    static const char key[] = "TRACE_SYS_RELEASE::";
    for (size_t at = 0; at + sizeof key < p->size && at < 1024; at++) {
        if (memcmp(p->bytes + at, key, sizeof key - 1) == 0) {
            p->bytes[at + sizeof key - 1] = '8';
        }
    }
}

/*
 * Each is a few blocks long. Slices, counters and traces of several parts follow the bytes of a
 * sample.
 */
static void put_together(struct pieces *p, unsigned number)
{
    p->size = 0;
    switch (number) {
    case 0:
        add_file(p, "samples/fast1.kev", 0, MOST);
        break;
    case 1:
        add_file(p, "samples/demo.kev", 0, 24000);
        make_rings(p);
        break;
    case 2:
        add_file(p, "samples/demo.fxt", 0, 44000);
        cut_fxt(p);
        add_file(p, "tests/fuzz/corpus/fuzz_fxt/busy_le", 1, MOST);
        add_file(p, "tests/fuzz/corpus/fuzz_fxt/events_le", 1, MOST);
        add_file(p, "tests/fuzz/corpus/fuzz_fxt/others_le", 1, MOST);
        break;
    default:
        add_file(p, "samples/demo.btrace", 0, 18000);
        cut_btrace(p);
        add_file(p, "tests/fuzz/corpus/fuzz_btrace/memory", 0, MOST);
        add_file(p, "tests/fuzz/corpus/fuzz_btrace/multipart", 0, MOST);
        break;
    }
}

static struct tt_trace *open_trace(const struct subject *s)
{
    struct tt_trace_options options = {.capture = {.definitions = true}};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(s->path, &options, &trace);
    require(!tt_failed(&status));
    return trace;
}

/*
 * Limits the process to one CPU: no second thread is started, and runs of an input are identical.
 */
static struct tt_status make_index(struct tt_trace *trace)
{
    cpu_set_t all, one;
    bool known = sched_getaffinity(0, sizeof all, &all) == 0;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (known) {
        sched_setaffinity(0, sizeof one, &one);
    }
    struct tt_status status = tt_trace_index(trace);
    if (known) {
        sched_setaffinity(0, sizeof all, &all);
    }
    return status;
}

/* ---- results ------------------------------------------------------------------------------ */

static void tell(uint64_t *answers, uint64_t number)
{
    *answers = tt_hash_of_pair(*answers, number);
}

static void ask_row(const struct tt_capture *c, struct tt_events *events, uint64_t row,
                    uint64_t *answers)
{
    static struct tt_args args;
    static char buffer[8192];
    struct tt_event event;
    struct tt_part parts[4];
    struct tt_edge edges[TT_EDGES_PER_EVENT] = {{0}};
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    require(tt_events_read(events, row, 1, &event) == 1);
    require(event.thread == TT_NO_THREAD || event.thread < tt_thread_count(c));
    require(event.type == UINT32_MAX || event.type < tt_types_count(c));
    if (event.type != UINT32_MAX && tt_events_describe(events, &event, &args)) {
        tt_line_event(&text, c, &event, &args, 0);
    }
    tell(answers, tt_hash_of(buffer, text.used));
    tell(answers, tt_events_parts(events, &event, parts, 4));
    if (c->format->edges && event.type != UINT32_MAX) {
        tell(answers, c->format->edges(c, &event, c->bytes.size, edges));
        tell(answers, edges[0].key);
    }
    tell(answers, tt_events_number(events, row));
}

static void ask_rows(struct tt_trace *trace, uint64_t *answers)
{
    struct tt_events *events = tt_events_new(trace);
    require(events != NULL);
    uint64_t rows = tt_events_rows(events);
    for (uint64_t row = 0; row < rows; row++) {
        if (row == ROWS && rows > 2 * ROWS) {
            row = rows - ROWS;
        }
        ask_row(trace->capture, events, row, answers);
    }
    uint64_t last = tt_trace_progress(trace).last_ticks;
    tell(answers, tt_events_row_at_time(events, last / 3));
    tell(answers, tt_events_row_at_time(events, last));
    tt_events_free(events);
}

static void ask_thread(const struct tt_timelines *t, uint32_t thread, const uint64_t *edges,
                       uint64_t *answers)
{
    struct tt_interval_at at;
    bool more = tt_interval_first(t, thread, &at);
    for (unsigned left = STEPS; more && left-- > 0; more = tt_interval_next(t, &at)) {
        struct tt_interval interval = tt_interval_get(t, at);
        tell(answers, interval.start ^ interval.end << 8 ^ interval.state ^ interval.cpu);
    }
    struct tt_thread_cell cells[CELLS];
    struct tt_thread_sums sums;
    uint64_t ticks = 0;
    uint32_t type = 0;
    int min = 0, max = 0;
    tt_thread_cells(t, thread, edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        tt_thread_sum(t, thread, edges[i], edges[CELLS], &sums);
        tell(answers, sums.ticks[TT_CLASS_RUNNING] ^ cells[i].ticks[TT_CLASS_RUNNING] << 8);
        tell(answers, (uint64_t)tt_thread_priority(t, thread, edges[i]));
    }
    if (tt_thread_note(t, thread, edges[0], edges[CELLS], &ticks, &type)) {
        tell(answers, ticks ^ type);
    }
    if (tt_thread_priority_range(t, thread, edges[0], edges[CELLS], &min, &max)) {
        tell(answers, (uint64_t)min ^ (uint64_t)max << 8);
    }
}

static void ask_slices(const struct tt_timelines *t, uint32_t thread, const uint64_t *edges,
                       uint64_t *answers)
{
    uint32_t rows = tt_slice_rows(t, thread);
    for (uint32_t n = 0; n < rows && n < 2 * TT_SLICE_DEPTHS; n++) {
        const struct tt_slice_row *row = tt_slice_row(t, thread, n);
        struct tt_slice_cell cells[CELLS];
        struct tt_slice_at at;
        tt_slice_cells(t, row, edges, CELLS, cells);
        tell(answers, cells[0].ticks ^ tt_slice_ticks(t, row, edges[1], edges[CELLS]));
        bool more = tt_slice_first(t, row, edges[0], edges[CELLS], &at);
        for (unsigned left = STEPS; more && left-- > 0; more = tt_slice_next(&at)) {
            struct tt_slice slice = tt_slice_get(t, at);
            tell(answers, slice.start ^ slice.end << 8 ^ slice.type);
        }
    }
}

static void ask_cpu(const struct tt_timelines *t, uint16_t cpu, const uint64_t *edges,
                    uint64_t *answers)
{
    struct tt_occupation_at at;
    struct tt_cpu_cell cells[CELLS];
    struct tt_cpu_sums sums;
    bool more = tt_occupation_first(t, cpu, &at);
    for (unsigned left = STEPS; more && left-- > 0; more = tt_occupation_next(t, &at)) {
        struct tt_occupation occupation = tt_occupation_get(t, at);
        tell(answers, occupation.start ^ occupation.end << 8 ^ occupation.occupant);
    }
    tt_cpu_cells(t, cpu, edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        tt_cpu_sum(t, cpu, edges[i], edges[CELLS], &sums);
        tell(answers, sums.busy ^ sums.irq << 8 ^ cells[i].busy ^ cells[i].occupant);
        tell(answers, tt_cpu_irq(t, cpu, edges[i], edges[i + 1]));
        tell(answers, tt_cpu_irq_depth(t, cpu, edges[i]));
    }
}

static void ask_counter(const struct tt_timelines *t, uint32_t series, const uint64_t *edges,
                        uint64_t *answers)
{
    struct tt_counter_range cells[CELLS];
    struct tt_counter_at at;
    tt_counter_cells(t, series, edges, CELLS, cells);
    tell(answers, cells[0].changes ^ cells[CELLS - 1].changes << 8);
    bool more = tt_counter_first(t, series, &at);
    for (unsigned left = STEPS; more && left-- > 0; more = tt_counter_next(t, &at)) {
        struct tt_counter_value value = tt_counter_get(t, at);
        tell(answers, value.start ^ value.end << 8 ^ value.known);
    }
}

static void ask_timelines(const struct tt_capture *c, const struct tt_timelines *t,
                          uint64_t *answers)
{
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t), ticks = 0;
    uint64_t edges[CELLS + 1];
    for (unsigned i = 0; i <= CELLS; i++) {
        edges[i] = begin + (end - begin) / CELLS * i + (i == CELLS);
    }
    for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
        ask_thread(t, thread, edges, answers);
        ask_slices(t, thread, edges, answers);
    }
    ask_slices(t, TT_NO_THREAD, edges, answers);
    for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        ask_cpu(t, (uint16_t)cpu, edges, answers);
    }
    for (uint32_t series = 0; series < tt_counter_series(t); series++) {
        ask_counter(t, series, edges, answers);
    }
    tell(answers, tt_loss_in(t, edges[0], edges[CELLS], &ticks) ? ticks : 0);
}

/* Compares processes, facts and health as they are shown. */
static void ask_tables(const struct tt_capture *c, uint64_t *answers)
{
    for (uint32_t i = 0; i < tt_process_count(c); i++) {
        const struct tt_process *p = tt_process_at(c, i);
        size_t length;
        const char *name = tt_capture_text(c, p->name, &length);
        tell(answers, p->pid ^ tt_hash_of(name, length));
        tell(answers, tt_registry_find_process(c, p->pid, p->first_when));
    }
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        uint64_t pid = tt_process_at(c, thread->process)->pid;
        tell(answers, tt_registry_find_thread(c, pid, thread->tid, 0));
        tell(answers, tt_registry_settle(c, i, 0));
    }
    for (uint32_t i = 0; i < tt_facts_count(c); i++) {
        const struct tt_fact *fact = tt_facts_at(c, i);
        tell(answers, tt_hash_of(fact->value, strlen(fact->value)));
    }
    for (uint32_t i = 0; i < tt_health_kept(c); i++) {
        struct tt_health_record record = tt_health_at(c, i);
        tell(answers, record.offset ^ tt_hash_of(record.detail ? record.detail : "",
                                                 record.detail ? strlen(record.detail) : 0));
    }
}

/* ---- changes of the index cache ----------------------------------------------------------- */

struct section {
    uint8_t *bytes;
    size_t size;
};

struct change {
    uint8_t what;
    uint32_t place;
    uint64_t number;
};

static void resize(struct section *s, size_t size)
{
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    require(bytes != NULL);
    memcpy(bytes, s->bytes, s->size < size ? s->size : size);
    if (size > s->size) {
        memset(bytes + s->size, 0, size - s->size);
    }
    free(s->bytes);
    s->bytes = bytes;
    s->size = size;
}

/* Writes the first bytes of the number, as many as fit. */
static void put(struct section *s, size_t at, uint64_t number, size_t size)
{
    memcpy(s->bytes + at, &number, size < s->size - at ? size : s->size - at);
}

static void apply(struct section *s, const struct change *change)
{
    if (s->size == 0) {
        return;
    }
    size_t at = change->place % s->size, aligned = at / 8 * 8, words = at / 4 * 4;
    size_t count = change->number % 64 < s->size - at ? change->number % 64 : s->size - at;
    uint64_t number = 0;
    switch (change->what % 8) {
    case 0:
        put(s, at, change->number, 1);
        break;
    case 1:
        s->bytes[at] ^= (uint8_t)change->number;
        break;
    case 2:
        put(s, words, change->number, 4);
        break;
    case 3:
        put(s, aligned, change->number, 8);
        break;
    case 4: /* a little more or less */
        memcpy(&number, s->bytes + aligned, s->size - aligned < 8 ? s->size - aligned : 8);
        put(s, aligned, number + (uint64_t)(int64_t)(int8_t)change->number, 8);
        break;
    case 5:
        resize(s, at);
        break;
    case 6: /* some bytes less */
        memmove(s->bytes + at, s->bytes + at + count, s->size - at - count);
        resize(s, s->size - count);
        break;
    default: /* some zeros more */
        resize(s, s->size + count);
        memmove(s->bytes + at + count, s->bytes + at, s->size - at - count);
        memset(s->bytes + at, 0, count);
        break;
    }
}

struct changes {
    const uint8_t *data;
    size_t count;
};

static struct changes changes_of(const uint8_t *data, size_t size)
{
    size_t count = size / CHANGE_BYTES;
    return (struct changes){data, count < CHANGES ? count : CHANGES};
}

static struct change change_at(const struct changes *c, size_t i)
{
    const uint8_t *from = c->data + i * CHANGE_BYTES;
    return (struct change){from[1], tt_load_u32(from + 2, false), tt_load_u64(from + 6, false)};
}

/*
 * Applies the changes of the input to copies of their sections; returns a bit per changed section.
 * The caller frees their bytes.
 */
static unsigned change_sections(const struct changes *c, const struct tt_section_file *file,
                                struct section sections[WHOLE_SECTIONS])
{
    unsigned changed = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t number = c->data[i * CHANGE_BYTES] % WHOLE_SECTIONS;
        struct section *s = &sections[number];
        if (!(changed & 1u << number)) {
            struct tt_bytes kept = file->sections[WHOLE[number]].bytes;
            s->bytes = fuzz_copy(kept.data, (size_t)kept.size, 0);
            s->size = (size_t)kept.size;
            changed |= 1u << number;
        }
        struct change change = change_at(c, i);
        apply(s, &change);
    }
    return changed;
}

/* ---- one input ---------------------------------------------------------------------------- */

static struct answers ask_all(struct tt_trace *trace, const struct tt_timelines *t)
{
    struct answers answers = {0};
    ask_tables(trace->capture, &answers.tables);
    ask_rows(trace, &answers.rows);
    ask_timelines(trace->capture, t, &answers.lanes);
    return answers;
}

static bool is_same(struct answers a, struct answers b)
{
    return a.tables == b.tables && a.rows == b.rows && a.lanes == b.lanes;
}

static bool restore(struct tt_trace *trace, struct tt_section_file *file)
{
    struct tt_reader tables = tt_section_reader(&file->sections[TT_SECTION_CAPTURE]);
    struct tt_reader decoder = tt_section_reader(&file->sections[TT_SECTION_DECODER]);
    struct tt_reader index = tt_section_reader(&file->sections[TT_SECTION_INDEX]);
    if (!tt_tables_restore(trace->capture, &tables) ||
        !tt_capture_restore(trace->capture, &decoder) || !tt_index_restore(&trace->index, &index)) {
        return false;
    }
    trace->index.cached = file;
    return true;
}

static struct tt_timelines *restore_timelines(const struct tt_trace *trace,
                                              const struct tt_section_file *file)
{
    return tt_timelines_restore(trace->capture, &file->sections[TT_SECTION_TIMELINES],
                                &file->sections[TT_SECTION_TRACKS]);
}

/* Restores timelines if nothing else was changed. */
static void try_timelines(const struct subject *s, const struct tt_section_file *file)
{
    uint64_t answers = 0;
    struct tt_timelines *t = restore_timelines(s->restored, file);
    if (t) {
        ask_timelines(s->restored->capture, t, &answers);
    }
    tt_timelines_free(t);
}

/* Finishes the index; damaged tracks are rebuilt from it. */
static void try_finishing(const struct subject *s, struct tt_trace *trace, bool changed)
{
    struct tt_status status = make_index(trace);
    require(changed || !tt_failed(&status));
    if (!tt_failed(&status) && tt_trace_timelines(trace)) {
        struct answers answers = ask_all(trace, tt_trace_timelines(trace));
        require(changed || is_same(answers, s->answers));
    }
}

static void try_whole(const struct subject *s, struct tt_section_file *file, bool finish,
                      unsigned changed)
{
    if (changed && !(changed & ~OF_LANES) && !finish) {
        try_timelines(s, file);
        return;
    }
    struct tt_trace *trace = open_trace(s);
    struct tt_timelines *t = NULL;
    bool restored = restore(trace, file);
    require(changed || restored);
    if (restored && finish) {
        try_finishing(s, trace, changed != 0);
    } else if (restored && (t = restore_timelines(trace, file)) != NULL) {
        struct answers answers = ask_all(trace, t);
        require(changed || is_same(answers, s->answers));
    }
    require(changed || finish || t);
    tt_timelines_free(t);
    tt_trace_close(trace);
}

static void try_sections(const struct subject *s, unsigned choice, const struct changes *c)
{
    struct section sections[WHOLE_SECTIONS] = {{0}};
    struct tt_section_file file = s->file;
    unsigned changed = change_sections(c, &file, sections);
    for (size_t i = 0; i < WHOLE_SECTIONS; i++) {
        if (changed & 1u << i) {
            struct tt_section *section = &file.sections[WHOLE[i]];
            section->bytes = tt_bytes_of(sections[i].bytes, sections[i].size);
            section->sum = tt_section_sum(section->bytes);
        }
    }
    try_whole(s, &file, (choice & FINISHED) != 0, changed);
    for (size_t i = 0; i < WHOLE_SECTIONS; i++) {
        free(sections[i].bytes);
    }
}

/*
 * Changes the file without updating its checksums: the file is refused, or each changed section is.
 */
static void try_file(const struct subject *s, const struct changes *c)
{
    struct section whole = {fuzz_copy(s->kept, s->kept_size, 0), s->kept_size};
    struct tt_section_file file, sound;
    require(tt_section_file_open(tt_bytes_of(s->kept, s->kept_size), &sound));
    for (size_t i = 0; i < c->count; i++) {
        struct change change = change_at(c, i);
        apply(&whole, &change);
    }
    bool opened = tt_section_file_open(tt_bytes_of(whole.bytes, whole.size), &file);
    for (unsigned tag = 0; opened && tag < TT_SECTION_TAGS; tag++) {
        struct tt_bytes now = file.sections[tag].bytes, was = sound.sections[tag].bytes;
        bool same = now.size == was.size &&
                    (now.size == 0 || memcmp(now.data, was.data, (size_t)now.size) == 0);
        require(same || !tt_section_is_valid(&file.sections[tag]));
    }
    require(opened || c->count > 0);
    free(whole.bytes);
}

/* ---- preparation --------------------------------------------------------------------------- */

/* Makes the index cache of a capture, and its answers. */
static void prepare(struct subject *s, const struct pieces *p)
{
    fuzz_file(p->bytes, p->size, s->path); /* open until the end */
    struct tt_trace *trace = open_trace(s);
    require(trace->capture->format->cache.save != NULL);
    s->kept = kept_make(trace, &s->kept_size);
    require(s->kept != NULL);
    s->answers = ask_all(trace, tt_trace_timelines(trace));
    tt_trace_close(trace);
    require(tt_section_file_open(tt_bytes_of(s->kept, s->kept_size), &s->file));
    for (unsigned tag = 0; tag < TT_SECTION_TAGS; tag++) {
        struct tt_section *section = &s->file.sections[tag];
        require(!section->bytes.data ||
                tt_section_open(section)); /* the unpacked section is changed */
    }
    s->restored = open_trace(s);
    require(restore(s->restored, &s->file));
}

static const struct subject *subject_of(unsigned choice)
{
    static struct subject subjects[4];
    static struct pieces pieces;
    struct subject *s = &subjects[choice & 3];
    if (!s->kept) {
        put_together(&pieces, choice & 3);
        prepare(s, &pieces);
    }
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    const struct subject *s = subject_of(data[0]);
    struct changes changes = changes_of(data + 1, size - 1);
    if (data[0] & SUMS_STAY) {
        try_file(s, &changes);
    } else {
        try_sections(s, data[0], &changes);
    }
    return 0;
}
