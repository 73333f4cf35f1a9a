/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace: trace.dat of trace-cmd: probe, open, close, the format's table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define NS_PER_S UINT64_C(1000000000)

static const uint8_t magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static int probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    if (ftrace_is_perf(head)) {
        return 100;
    }
    return tt_bytes_has(head, 0, sizeof magic) && memcmp(head.data, magic, sizeof magic) == 0 ? 100
                                                                                              : 0;
}

/* ---- open --------------------------------------------------------------------------------- */

static void close_capture(struct tt_capture *c)
{
    struct ftrace *d = c->decoder;
    if (!d) {
        return;
    }
    c->decoder = NULL;
    ftrace_spool_close(d);
    ftrace_symbols_free(d);
    ftrace_tasks_free(d);
    tt_column_free(&d->pages);
    tt_column_free(&d->losses);
    for (size_t i = 0; i < d->stream_count; i++) {
        tt_column_free(&d->streams[i].left);
        tt_column_free(&d->streams[i].notes);
    }
    free(d->walks);
    free(d->next);
    free(d->buffers);
    free(d->instances);
    free(d->streams);
    free(d->events);
    free(d->named);
    free(d->series);
    tt_arena_free(&d->arena);
    free(d);
}

static struct ftrace *new_decoder(struct tt_capture *c)
{
    struct ftrace *d = calloc(1, sizeof *d);
    struct ftrace_event **events = calloc(FTRACE_IDS, sizeof(struct ftrace_event *));
    _Atomic uint32_t *named = calloc(FTRACE_NAMED, sizeof *named);
    _Atomic uint32_t *series = calloc(FTRACE_SERIES, sizeof *series);
    if (!d || !events || !named || !series) {
        free(d);
        free(events);
        free(named);
        free(series);
        return NULL;
    }
    d->named = named;
    d->series = series;
    d->capture = c;
    d->events = events;
    d->machine = d->release = d->clock_name = "";
    d->common_type = (struct ftrace_place){0, 2, false};
    d->common_flags = (struct ftrace_place){2, 1, false};
    d->common_preempt = (struct ftrace_place){3, 1, false};
    d->common_pid = (struct ftrace_place){4, 4, true};
    atomic_init(&d->unknown_type, FTRACE_NO_TYPE);
    tt_column_init(&d->pages, sizeof(struct ftrace_page));
    tt_column_init(&d->losses, sizeof(struct ftrace_loss));
    return d;
}

/* Sets the rate of the clock: ns, unless the clock counts something else. */
static void set_clock(struct tt_capture *c, const struct ftrace *d,
                      const struct tt_capture_options *options)
{
    const char *name = d->clock_name;
    bool cycles =
        strcmp(name, "x86-tsc") == 0 || strcmp(name, "ppc-tb") == 0 || strcmp(name, "counter") == 0;
    c->clock_hz = !cycles || d->clock.mult ? NS_PER_S : options ? options->clock_hz : 0;
}

static bool add_number(struct tt_capture *c, const char *section, const char *key, uint64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return tt_facts_add(c, section, key, text, (size_t)length);
}

static bool add_facts(struct tt_capture *c, struct ftrace *d)
{
    const char *packer = d->packer == 'z' ? "zstd" : d->packer == 'g' ? "zlib" : "none";
    bool good =
        (d->is_perf || add_number(c, "header", "version", d->version)) &&
        ftrace_add_fact(d, "header", "byte order", d->big ? "big-endian" : "little-endian") &&
        add_number(c, "header", "bits of the kernel", d->kernel_long * 8u) &&
        add_number(c, "header", "page size", d->page_size) &&
        ftrace_add_fact(d, "header", "compression", packer) &&
        add_number(c, "header", "event formats", d->event_count) &&
        ftrace_add_fact(d, "recording", "kernel", d->release) &&
        ftrace_add_fact(d, "recording", "machine", d->machine) &&
        ftrace_add_fact(d, "recording", "real time", d->is_rt ? "PREEMPT_RT" : "") &&
        ftrace_add_fact(d, "clock", "trace clock", d->clock_name);
    for (size_t i = 0; good && i < d->buffer_count; i++) {
        good = ftrace_add_fact(d, "recording", "instance", d->buffers[i].name);
    }
    return good;
}

/* Completes what the header has: positions, calls, the order of pages. */
static bool prepare(struct ftrace *d)
{
    uint32_t largest = d->page_size;
    for (size_t i = 0; i < d->stream_count; i++) {
        tt_column_init(&d->streams[i].left, sizeof(uint8_t));
        tt_column_init(&d->streams[i].notes, sizeof(struct ftrace_note));
        largest = d->streams[i].page_size > largest ? d->streams[i].page_size : largest;
    }
    while ((UINT32_C(1) << d->page_shift) < largest) {
        d->page_shift++;
    }
    d->abi = linux_abi_of(d->machine);
    d->is_rt |= strstr(d->release, "-rt") != NULL;
    linux_calls_of(d->abi, d->calls);
    if (d->leave.mark == 0) {
        linux_leave_finish(&d->leave, 0);
    }
    d->next = calloc(d->stream_count ? d->stream_count : 1, sizeof *d->next);
    if (!d->next) {
        return false;
    }
    ftrace_survey(d);
    return !d->no_memory;
}

/* clang-format off */
static const char *const recording_by_trace_cmd[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "trace-cmd record -e sched:sched_switch -e sched:sched_waking ...",
    [TT_MISSING_WAKEUPS] = "trace-cmd record -e sched:sched_waking -e sched:sched_wakeup_new ...",
    [TT_MISSING_INTERRUPTS] = "trace-cmd record -e irq -e irq_vectors -e timer:hrtimer_expire_entry -e timer:hrtimer_expire_exit ...",
    [TT_MISSING_CALLS] = "trace-cmd record -e raw_syscalls ...",
    [TT_MISSING_NAMES] = "echo 4096 > /sys/kernel/tracing/saved_cmdlines_size, and trace-cmd record -e task ...",
    [TT_MISSING_CLOCK] = "trace-cmd record -C mono ...",
    [TT_MISSING_RECORDS] = "trace-cmd record -b 20000 (KB per CPU) ...",
};
static const char *const recording_by_perf[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "perf record -a -e 'sched:*' ...",
    [TT_MISSING_WAKEUPS] = "perf record -a -e 'sched:*' ...",
    [TT_MISSING_PRIORITIES] = "perf record -a -e 'sched:*' ...",
    [TT_MISSING_INTERRUPTS] = "perf record -a -e 'irq:*' -e 'irq_vectors:*' -e 'timer:hrtimer_expire*' ...",
    [TT_MISSING_CALLS] = "perf record -a -e 'raw_syscalls:*' ...",
    [TT_MISSING_NAMES] = "perf record -a -e 'sched:*' -e 'task:*' ...",
    [TT_MISSING_RECORDS] = "perf record -a -m 16M ..., or fewer events",
};
/* clang-format on */

static struct tt_status open_capture(struct tt_capture *c, const struct tt_capture_options *options)
{
    struct ftrace *d = new_decoder(c);
    if (!d) {
        return tt_error_memory();
    }
    c->decoder = d;
    d->limit = c->bytes.size;
    c->origin_ticks = UINT64_MAX;
    c->cpu_count = 1;
    bool is_perf = ftrace_is_perf(c->bytes);
    struct tt_status status = is_perf ? ftrace_perf_read(d) : ftrace_header_read(d);
    if (!tt_failed(&status) && !is_perf) {
        status = ftrace_unpack_pages(d);
    }
    if (!tt_failed(&status) && options && options->whole && !c->files &&
        tt_health_count(c, TT_HEALTH_TRUNCATED) > 0) {
        status = tt_error_at(TT_ERR_FORMAT, c->bytes.size, "trace.dat is not complete");
    }
    if (!tt_failed(&status)) {
        set_clock(c, d, options);
        status = prepare(d) && add_facts(c, d) && !d->no_memory ? tt_ok() : tt_error_memory();
    }
    if (tt_failed(&status)) {
        close_capture(c);
        return status;
    }
    c->streams = (uint32_t)d->stream_count;
    c->opening = (uint64_t)d->timers_nest << 1 | d->is_rt;
    c->recording = is_perf ? recording_by_perf : recording_by_trace_cmd;
    snprintf(c->title, sizeof c->title, "Linux %.60s", d->release);
    if (is_perf) {
        snprintf(c->version, sizeof c->version, "perf.data");
    } else {
        snprintf(c->version, sizeof c->version, c->files ? "pages of trace.dat" : "trace.dat %u",
                 d->version);
    }
    return tt_ok();
}

/* ---- streams ------------------------------------------------------------------------------ */

static uint32_t stream_of(const struct tt_capture *c, const struct tt_event *event)
{
    const struct ftrace *d = c->decoder;
    const struct ftrace_page *page = tt_column_at(&d->pages, event->pos >> d->page_shift);
    return page->stream;
}

const struct tt_format tt_format_ftrace = {
    .name = "ftrace",
    .title = "Linux capture",
    .extensions = ".dat .data",
    .flags = TT_FORMAT_SNAPSHOT | TT_FORMAT_LOW_IS_URGENT | TT_FORMAT_RINGS,
    .states = linux_states,
    .state_count = LINUX_STATES,
    .probe = probe,
    .open = open_capture,
    .close = close_capture,
    .cursor_new = ftrace_cursor_new,
    .cursor_save = ftrace_cursor_save,
    .cursor_load = ftrace_cursor_load,
    .cursor_pos = ftrace_cursor_pos,
    .decode = ftrace_decode,
    .describe = ftrace_describe,
    .parts = ftrace_parts,
    .edges = ftrace_edges,
    .clue = ftrace_clue,
    .tape.offset = ftrace_offset,
    .tape.stream = stream_of,
    .cache = {ftrace_save, ftrace_restore},
};
