/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace: trace.dat of trace-cmd: probe, open, close, the format's table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define NS_PER_S UINT64_C(1000000000)

static const uint8_t magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static int ftrace_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    if (ftrace_is_perf(head)) {
        return 100;
    }
    return tt_bytes_has(head, 0, sizeof magic) && memcmp(head.data, magic, sizeof magic) == 0 ? 100
                                                                                              : 0;
}

/* ---- open --------------------------------------------------------------------------------- */

static void ftrace_close_capture(struct tt_capture *capture)
{
    struct ftrace *ftrace = capture->decoder;
    if (!ftrace) {
        return;
    }
    capture->decoder = NULL;
    ftrace_spool_close(ftrace);
    ftrace_symbols_free(ftrace);
    linux_threads_free(&ftrace->threads);
    for (unsigned i = 0; i < LINUX_TIDS / LINUX_TASK_GROUP; i++) {
        free(ftrace->waits[i]);
    }
    tt_column_free(&ftrace->pages);
    tt_column_free(&ftrace->losses);
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        tt_column_free(&ftrace->streams[i].jumps);
        tt_column_free(&ftrace->streams[i].left);
        tt_column_free(&ftrace->streams[i].notes);
    }
    free(ftrace->walks);
    free(ftrace->next);
    free(ftrace->buffers);
    free(ftrace->instances);
    free(ftrace->streams);
    free(ftrace->events);
    free(ftrace->named);
    free(ftrace->series);
    tt_arena_free(&ftrace->arena);
    free(ftrace);
}

static struct ftrace *ftrace_new_decoder(struct tt_capture *capture)
{
    struct ftrace *ftrace = calloc(1, sizeof *ftrace);
    struct ftrace_event **events = calloc(FTRACE_IDS, sizeof(struct ftrace_event *));
    _Atomic uint32_t *named = calloc(FTRACE_NAMED, sizeof *named);
    _Atomic uint32_t *series = calloc(FTRACE_SERIES, sizeof *series);
    if (!ftrace || !events || !named || !series) {
        free(ftrace);
        free(events);
        free(named);
        free(series);
        return NULL;
    }
    ftrace->named = named;
    ftrace->series = series;
    ftrace->capture = ftrace->threads.capture = capture;
    ftrace->events = events;
    ftrace->machine = ftrace->release = ftrace->clock_name = "";
    ftrace->common_type = (struct ftrace_place){0, 2, false};
    ftrace->common_flags = (struct ftrace_place){2, 1, false};
    ftrace->common_preempt = (struct ftrace_place){3, 1, false};
    ftrace->common_pid = (struct ftrace_place){4, 4, true};
    ftrace->common_end = 8;
    atomic_init(&ftrace->unknown_type, FTRACE_NO_TYPE);
    tt_column_init(&ftrace->pages, sizeof(struct ftrace_page));
    tt_column_init(&ftrace->losses, sizeof(struct ftrace_loss));
    return ftrace;
}

static bool ftrace_add_number(struct tt_capture *capture, const char *section, const char *key,
                              uint64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return tt_facts_add(capture, section, key, text, (size_t)length);
}

static bool ftrace_add_facts(struct tt_capture *capture, struct ftrace *ftrace)
{
    const char *packer = ftrace->packer == 'z' ? "zstd" : ftrace->packer == 'g' ? "zlib" : "none";
    bool good =
        (ftrace->is_perf || ftrace_add_number(capture, "header", "version", ftrace->version)) &&
        ftrace_add_fact(ftrace, "header", "byte order",
                        ftrace->big ? "big-endian" : "little-endian") &&
        ftrace_add_number(capture, "header", "bits of the kernel", ftrace->kernel_long * 8u) &&
        ftrace_add_number(capture, "header", "page size", ftrace->page_size) &&
        ftrace_add_fact(ftrace, "header", "compression", packer) &&
        ftrace_add_number(capture, "header", "event formats", ftrace->event_count) &&
        ftrace_add_fact(ftrace, "recording", "kernel", ftrace->release) &&
        ftrace_add_fact(ftrace, "recording", "machine", ftrace->machine) &&
        ftrace_add_fact(ftrace, "recording", "real time", ftrace->is_rt ? "PREEMPT_RT" : "") &&
        ftrace_add_fact(ftrace, "clock", "trace clock", ftrace->clock_name);
    for (size_t i = 0; good && i < ftrace->buffer_count; i++) {
        good = ftrace_add_fact(ftrace, "recording", "instance", ftrace->buffers[i].name);
    }
    return good;
}

/* Completes what the header has: positions, calls, the order of pages. */
static bool ftrace_prepare(struct ftrace *ftrace)
{
    uint32_t largest = ftrace->page_size;
    for (size_t i = 0; i < ftrace->stream_count; i++) {
        tt_column_init(&ftrace->streams[i].jumps, sizeof(struct ftrace_jump));
        tt_column_init(&ftrace->streams[i].left, sizeof(uint8_t));
        tt_column_init(&ftrace->streams[i].notes, sizeof(struct ftrace_note));
        largest = ftrace->streams[i].page_size > largest ? ftrace->streams[i].page_size : largest;
    }
    while ((UINT32_C(1) << ftrace->page_shift) < largest) {
        ftrace->page_shift++;
    }
    ftrace->abi = linux_abi_of(ftrace->machine);
    ftrace->is_rt |= strstr(ftrace->release, "-rt") != NULL;
    linux_calls_of(ftrace->abi, ftrace->calls);
    if (ftrace->leave.mark == 0) {
        linux_leave_finish(&ftrace->leave, 0);
    }
    ftrace->next = calloc(ftrace->stream_count ? ftrace->stream_count : 1, sizeof *ftrace->next);
    if (!ftrace->next) {
        return false;
    }
    ftrace_survey(ftrace);
    return !ftrace->no_memory;
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

static struct tt_status ftrace_open_capture(struct tt_capture *capture,
                                            const struct tt_capture_options *options)
{
    struct ftrace *ftrace = ftrace_new_decoder(capture);
    if (!ftrace) {
        return tt_error_memory();
    }
    capture->decoder = ftrace;
    ftrace->limit = capture->bytes.size;
    capture->origin_ticks = UINT64_MAX;
    capture->cpu_count = 1;
    bool is_perf = ftrace_is_perf(capture->bytes);
    struct tt_status status = is_perf ? ftrace_perf_read(ftrace) : ftrace_header_read(ftrace);
    if (!tt_failed(&status) && !is_perf) {
        status = ftrace_unpack_pages(ftrace);
    }
    if (!tt_failed(&status) && options && options->whole && !capture->files &&
        tt_health_count(capture, TT_HEALTH_TRUNCATED) > 0) {
        status = tt_error_at(TT_ERR_FORMAT, capture->bytes.size, "trace.dat is not complete");
    }
    if (!tt_failed(&status)) {
        /* Sets the rate of the clock: ns, unless the clock counts something else. */
        const char *name = ftrace->clock_name;
        bool cycles = strcmp(name, "x86-tsc") == 0 || strcmp(name, "ppc-tb") == 0 ||
                      strcmp(name, "counter") == 0;
        capture->clock_hz = !cycles || ftrace->clock.mult ? NS_PER_S
                            : options                     ? options->clock_hz
                                                          : 0;
        if (strcmp(name, "x86-tsc") == 0) {
            capture->cycles.mult = ftrace->clock.mult ? ftrace->clock.mult : 1;
            capture->cycles.shift = ftrace->clock.mult ? ftrace->clock.shift : 0;
            capture->cycles.offset = ftrace->clock.offset;
        }

        status = ftrace_prepare(ftrace) && ftrace_add_facts(capture, ftrace) && !ftrace->no_memory
                     ? tt_ok()
                     : tt_error_memory();
    }
    if (tt_failed(&status)) {
        ftrace_close_capture(capture);
        return status;
    }
    capture->streams = (uint32_t)ftrace->stream_count;
    capture->opening = (uint64_t)ftrace->timers_nest << 1 | ftrace->is_rt;
    capture->recording = is_perf ? recording_by_perf : recording_by_trace_cmd;
    snprintf(capture->title, sizeof capture->title, "Linux %.60s", ftrace->release);
    if (is_perf) {
        snprintf(capture->version, sizeof capture->version, "perf.data");
    } else {
        snprintf(capture->version, sizeof capture->version,
                 capture->files ? "pages of trace.dat" : "trace.dat %u", ftrace->version);
    }
    return tt_ok();
}

/* ---- streams ------------------------------------------------------------------------------ */

static uint32_t stream_of_event(const struct tt_capture *capture, const struct tt_event *event)
{
    const struct ftrace *ftrace = capture->decoder;
    const struct ftrace_page *page = tt_column_at(&ftrace->pages, event->pos >> ftrace->page_shift);
    return page->stream;
}

const struct tt_format tt_format_ftrace = {
    .name = "ftrace",
    .title = "Linux capture",
    .extensions = ".dat .data",
    .flags = TT_FORMAT_SNAPSHOT | TT_FORMAT_LOW_IS_URGENT | TT_FORMAT_RINGS,
    .states = linux_states,
    .state_count = LINUX_STATES,
    .probe = ftrace_probe,
    .open = ftrace_open_capture,
    .close = ftrace_close_capture,
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
    .tape.stream = stream_of_event,
    .cache = {ftrace_save, ftrace_restore},
};
