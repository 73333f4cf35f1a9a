/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of a capture, changed here and there, with sums that fit: it is refused, or answers
 * are given that may be wrong, but nothing is read that is not there and nothing goes on for ever.
 *
 *      input     choice | change | change | ...                      at most CHANGES
 *      choice    bits 0, 1: which capture; bit 2: its index is finished, too
 *      change    section | what is done | place, 4 bytes | number, 8 bytes
 *
 * An input says what to change and not what to read, so that every input begins at a good file,
 * whatever the layout of that is by now. Without changes everything is taken, and the answers are
 * those of the capture that was read. Each section lies in memory of its very size.
 */
#include <stdio.h>

#include "base/hash.h"
#include "format/tables_keep.h"
#include "fuzz.h"
#include "trace/index_keep.h"
#include "trace/timeline_keep.h"
#include "trace/trace_internal.h"
#include "tracetui/counters.h"
#include "tracetui/format.h"
#include "tracetui/line.h"
#include "tracetui/slices.h"

#define CHANGES      16
#define CHANGE_BYTES 14
#define ROWS         40 /* of these many at either end everything is asked */
#define STEPS        64
#define CELLS        8

/* ---- the captures ------------------------------------------------------------------------- */

static const enum tt_keep_tag TAGS[] = {TT_KEEP_CAPTURE, TT_KEEP_DECODER, TT_KEEP_INDEX,
                                        TT_KEEP_TIMELINES, TT_KEEP_TRACKS};
#define SECTIONS (sizeof TAGS / sizeof TAGS[0])

struct subject {
    char path[64]; /* of the capture */
    uint8_t *kept; /* all bytes of the kept file */
    struct tt_keep_file file;
    uint64_t answers; /* of the capture that was read */
};

static size_t read_sample(const char *path, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL); /* to be run from the top of the source */
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

/* With a ring for each CPU: what the kernel of QNX 8.0 writes. */
static void make_rings(uint8_t *bytes, size_t size)
{
    static const char key[] = "TRACE_SYS_RELEASE::";
    for (size_t at = 0; at + sizeof key < size && at < 1024; at++) {
        if (memcmp(bytes + at, key, sizeof key - 1) == 0) {
            bytes[at + sizeof key - 1] = '8';
        }
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

static void put_all(struct tt_trace *trace, struct tt_keep_writer *w)
{
    const struct tt_capture *c = trace->capture;
    tt_keep_section(w, TT_KEEP_CAPTURE);
    tt_tables_keep(c, w);
    tt_keep_section(w, TT_KEEP_DECODER);
    c->format->keep(c, w);
    tt_keep_section(w, TT_KEEP_INDEX);
    tt_index_keep(&trace->index, w);
    tt_timelines_keep(tt_trace_timelines(trace), NULL, w);
    struct tt_status status = tt_keep_finish(w);
    require(!tt_failed(&status));
}

static void keep(struct subject *s, struct tt_trace *trace)
{
    FILE *file = tmpfile();
    require(file != NULL);
    struct tt_keep_writer *w = tt_keep_writer_new(fileno(file), NULL);
    require(w != NULL);
    put_all(trace, w);
    tt_keep_writer_free(w);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    require(size > 0);
    s->kept = malloc((size_t)size);
    require(s->kept && pread(fileno(file), s->kept, (size_t)size, 0) == (ssize_t)size);
    fclose(file);
    require(tt_keep_open(tt_bytes_of(s->kept, (uint64_t)size), &s->file));
}

/* ---- everything is asked ------------------------------------------------------------------ */

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
    for (uint64_t part = 0; part < CELLS; part++) {
        tell(answers, tt_events_row_at_time(events, last / CELLS * part));
    }
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
    int least = 0, greatest = 0;
    tt_thread_cells(t, thread, edges, CELLS, cells);
    for (unsigned i = 0; i < CELLS; i++) {
        tt_thread_sum(t, thread, edges[i], edges[CELLS], &sums);
        tell(answers, sums.ticks[TT_CLASS_RUNNING] ^ cells[i].ticks[TT_CLASS_RUNNING] << 8);
        tell(answers, (uint64_t)tt_thread_priority(t, thread, edges[i]));
    }
    if (tt_thread_note(t, thread, edges[0], edges[CELLS], &ticks, &type)) {
        tell(answers, ticks ^ type);
    }
    if (tt_thread_priority_range(t, thread, edges[0], edges[CELLS], &least, &greatest)) {
        tell(answers, (uint64_t)least ^ (uint64_t)greatest << 8);
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

/* Processes, facts and health as a person is shown them. */
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

static uint64_t ask_all(struct tt_trace *trace, const struct tt_timelines *t)
{
    uint64_t answers = 0;
    ask_tables(trace->capture, &answers);
    ask_rows(trace, &answers);
    ask_timelines(trace->capture, t, &answers);
    return answers;
}

/* ---- changing what was kept --------------------------------------------------------------- */

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

/* Writes as many bytes of the number as there is room for. */
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

/* Does as the input says; returns whether anything was to be changed. */
static bool change_sections(const uint8_t *data, size_t size, struct section *sections)
{
    size_t count = size / CHANGE_BYTES < CHANGES ? size / CHANGE_BYTES : CHANGES;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = data + i * CHANGE_BYTES;
        struct change change = {from[1], tt_load_u32(from + 2, false),
                                tt_load_u64(from + 6, false)};
        apply(&sections[from[0] % SECTIONS], &change);
    }
    return count > 0;
}

/* ---- one input ---------------------------------------------------------------------------- */

static bool restore(struct tt_trace *trace, struct tt_keep_file *file)
{
    struct tt_reader tables = tt_keep_reader(&file->sections[TT_KEEP_CAPTURE]);
    struct tt_reader decoder = tt_keep_reader(&file->sections[TT_KEEP_DECODER]);
    struct tt_reader index = tt_keep_reader(&file->sections[TT_KEEP_INDEX]);
    if (!tt_tables_restore(trace->capture, &tables) ||
        !trace->capture->format->restore(trace->capture, &decoder) ||
        !tt_index_restore(&trace->index, &index)) {
        return false;
    }
    trace->index.kept = file;
    return true;
}

static void try_sections(const struct subject *s, struct tt_keep_file *file, bool finish,
                         bool changed)
{
    struct tt_trace *trace = open_trace(s);
    struct tt_timelines *t = NULL;
    if (restore(trace, file)) {
        t = tt_timelines_restore(trace->capture, &file->sections[TT_KEEP_TIMELINES],
                                 &file->sections[TT_KEEP_TRACKS]);
    }
    require(changed || t);
    if (t) {
        uint64_t answers = ask_all(trace, t);
        require(changed || answers == s->answers);
    }
    if (trace->index.kept && finish) {
        struct tt_status status = tt_trace_index(trace);
        require(changed || !tt_failed(&status));
        if (!tt_failed(&status) && tt_trace_timelines(trace)) {
            uint64_t answers = ask_all(trace, tt_trace_timelines(trace));
            require(changed || answers == s->answers);
        }
    }
    tt_timelines_free(t);
    tt_trace_close(trace);
}

static void prepare(struct subject *s, const char *sample, size_t room, bool rings)
{
    uint8_t *bytes = malloc(room);
    require(bytes != NULL);
    size_t size = read_sample(sample, bytes, room);
    if (rings) {
        make_rings(bytes, size);
    }
    fuzz_file(bytes, size, s->path); /* open until the end */
    free(bytes);
    struct tt_trace *trace = open_trace(s);
    require(trace->capture->format->keep != NULL);
    struct tt_status status = tt_trace_index(trace);
    require(!tt_failed(&status));
    s->answers = ask_all(trace, tt_trace_timelines(trace));
    keep(s, trace);
    tt_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct subject subjects[4];
    if (size < 1) {
        return 0;
    }
    if (!subjects[0].kept) { /* a block or two each */
        prepare(&subjects[0], "samples/demo.kev", 60000, false);
        prepare(&subjects[1], "samples/demo.kev", 60000, true);
        prepare(&subjects[2], "samples/demo.fxt", 70000, false);
        prepare(&subjects[3], "samples/demo.btrace", 40000, false);
    }
    const struct subject *s = &subjects[data[0] & 3];
    struct section sections[SECTIONS];
    for (size_t i = 0; i < SECTIONS; i++) {
        struct tt_bytes kept = s->file.sections[TAGS[i]].bytes;
        sections[i].bytes = fuzz_copy(kept.data, (size_t)kept.size, 0);
        sections[i].size = (size_t)kept.size;
    }
    bool changed = change_sections(data + 1, size - 1, sections);
    struct tt_keep_file file = {0};
    for (size_t i = 0; i < SECTIONS; i++) {
        struct tt_keep_section *section = &file.sections[TAGS[i]];
        section->bytes = tt_bytes_of(sections[i].bytes, sections[i].size);
        section->sum = tt_keep_sum(section->bytes);
    }
    try_sections(s, &file, (data[0] & 4) != 0, changed);
    for (size_t i = 0; i < SECTIONS; i++) {
        free(sections[i].bytes);
    }
    return 0;
}
