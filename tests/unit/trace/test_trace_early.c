/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A capture that is indexed while it arrives, through a pipe or the decompression: tables, index,
 * timelines and tracks equal those of the complete file byte for byte, wherever the pieces end. The
 * writer sends a piece when the indexing thread has made the previous one readable. Others may read what has
 * arrived.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "../../lib/kept.h"
#include "alone.h"
#include "base/clock.h"
#include "base/section_file.h"
#include "kev_build.h"

#define PATIENCE_MS 60000u

static const enum tt_section_tag COMPARED[] = {TT_SECTION_CAPTURE, TT_SECTION_DECODER,
                                               TT_SECTION_TIMELINES, TT_SECTION_TRACKS};

struct input {
    const char *name;
    uint8_t *bytes;
    size_t size;
};

static struct input load(const char *path)
{
    struct input input = {path, NULL, 0};
    int fd = open(path, O_RDONLY);
    input.bytes = kept_read(fd, &input.size);
    cr_assert_not_null(input.bytes, "%s", path);
    close(fd);
    return input;
}

/* ---- the writer ------------------------------------------------------------------------------ */

struct writer {
    const struct input *input;
    size_t first; /* bytes sent before the first handshake */
    size_t piece;
    bool waits; /* for what is decoded; not with compressed bytes */
    bool slow;  /* rests before each piece of the first half, and then until the trace is opened */
    char path[64];
    _Atomic(struct tt_trace *) trace;
    _Atomic bool over; /* the reader has failed */
    pthread_t thread;
    size_t sent;
};

static void write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n <= 0) {
            return; /* the reader has ended */
        }
        bytes += n;
        size -= (size_t)n;
    }
}

/* Waits until the bytes sent so far are readable by the indexing thread. */
static void await_reader(const struct writer *w)
{
    uint64_t end = tt_now_ms() + PATIENCE_MS;
    for (;;) {
        struct tt_trace *trace = atomic_load(&w->trace);
        if (atomic_load(&w->over) || (trace && tt_trace_progress(trace).bytes_total >= w->sent)) {
            return;
        }
        cr_assert_lt(tt_now_ms(), end, "%s: not read up to %zu", w->input->name, w->sent);
        sched_yield();
    }
}

static void rest(const struct writer *w)
{
    const struct timespec nap = {0, 3000000};
    uint64_t end = tt_now_ms() + PATIENCE_MS;
    if (w->sent < w->input->size / 2) {
        nanosleep(&nap, NULL);
        return;
    }
    while (!atomic_load(&w->trace)) {
        cr_assert_lt(tt_now_ms(), end, "%s: not opened", w->input->name);
        sched_yield();
    }
}

static void *send_all(void *arg)
{
    struct writer *w = arg;
    int fd = open(w->path, O_WRONLY);
    write_all(fd, w->input->bytes, w->first);
    for (w->sent = w->first; w->sent < w->input->size && !atomic_load(&w->over);) {
        if (w->waits) {
            await_reader(w);
        }
        if (w->slow) {
            rest(w);
        }
        size_t left = w->input->size - w->sent, some = left < w->piece ? left : w->piece;
        write_all(fd, w->input->bytes + w->sent, some);
        w->sent += some;
    }
    close(fd);
    return NULL;
}

static void start_writer(struct writer *w)
{
    snprintf(w->path, sizeof w->path, "/tmp/tracetui-early-XXXXXX");
    int fd = mkstemp(w->path);
    cr_assert_geq(fd, 0);
    close(fd);
    unlink(w->path);
    cr_assert_eq(mkfifo(w->path, 0600), 0);
    cr_assert_eq(pthread_create(&w->thread, NULL, send_all, w), 0);
}

/* ---- the reader ------------------------------------------------------------------------------ */

static struct tt_trace *open_path(const char *path, uint64_t early)
{
    struct tt_trace_options options = {.map.early = early};
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

struct indexed {
    uint8_t *bytes; /* NULL: no lanes */
    size_t size;
    uint64_t capture_size;
    struct tt_progress progress;
};

static struct indexed index_of(struct tt_trace *trace)
{
    struct indexed i = {0};
    i.bytes = kept_make(trace, &i.size);
    i.capture_size = tt_trace_capture(trace)->bytes.size;
    i.progress = tt_trace_progress(trace);
    return i;
}

/* Returns the index of the complete bytes. */
static struct indexed index_whole(const struct input *input)
{
    char path[] = "/tmp/tracetui-whole-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    write_all(fd, input->bytes, input->size);
    close(fd);
    struct tt_trace *trace = open_path(path, 0);
    cr_expect_not(trace->early.is_early);
    struct indexed whole = index_of(trace);
    tt_trace_close(trace);
    unlink(path);
    return whole;
}

#define PROGRESS_BYTES (6 * sizeof(uint64_t)) /* see trace/cache/save_index.c */

/* Cuts the counts by type off the section of the index; returns the number of those that are not 0. */
static uint64_t cut_counts(struct tt_bytes *section)
{
    uint64_t types, counted = 0;
    memcpy(&types, section->data + PROGRESS_BYTES, sizeof types);
    const uint8_t *counts = section->data + PROGRESS_BYTES + sizeof types;
    for (uint64_t i = 0, count; i < types; i++) {
        memcpy(&count, counts + i * sizeof count, sizeof count);
        counted = count != 0 ? i + 1 : counted;
    }
    *section = tt_bytes_slice(*section, PROGRESS_BYTES + (1 + types) * sizeof types, UINT64_MAX);
    return counted;
}

/* There is room for more counts if the decoder was far ahead of the publishing thread. */
static void expect_same_index(const char *name, struct tt_bytes a, struct tt_bytes b)
{
    struct tt_bytes x = a, y = b;
    uint64_t counted = cut_counts(&x);
    cr_assert_eq(counted, cut_counts(&y), "%s", name);
    cr_expect_eq(memcmp(a.data, b.data, PROGRESS_BYTES), 0, "%s: progress", name);
    cr_expect_eq(memcmp(a.data + PROGRESS_BYTES + sizeof counted,
                        b.data + PROGRESS_BYTES + sizeof counted, counted * sizeof counted),
                 0, "%s: counts by type", name);
    cr_expect(x.size == y.size && memcmp(x.data, y.data, (size_t)x.size) == 0, "%s: blocks", name);
}

static void expect_same(const char *name, const struct indexed *a, const struct indexed *b)
{
    struct tt_section_file one, other;
    cr_expect_eq(a->capture_size, b->capture_size, "%s", name);
    cr_expect_eq(memcmp(&a->progress, &b->progress, offsetof(struct tt_progress, status)), 0, "%s",
                 name);
    cr_assert_eq(!a->bytes, !b->bytes, "%s", name);
    if (!a->bytes) {
        return;
    }
    cr_assert(tt_section_file_open(tt_bytes_of(a->bytes, a->size), &one));
    cr_assert(tt_section_file_open(tt_bytes_of(b->bytes, b->size), &other));
    for (size_t i = 0; i < sizeof COMPARED / sizeof COMPARED[0]; i++) {
        struct tt_bytes x = one.sections[COMPARED[i]].bytes, y = other.sections[COMPARED[i]].bytes;
        cr_expect(x.size == y.size && memcmp(x.data, y.data, (size_t)x.size) == 0,
                  "%s: section %u is another", name, (unsigned)COMPARED[i]);
    }
    expect_same_index(name, one.sections[TT_SECTION_INDEX].bytes,
                      other.sections[TT_SECTION_INDEX].bytes);
    tt_section_file_free(&one);
    tt_section_file_free(&other);
}

/* The expected use of the first opening. */
enum opening { KEPT, REPEATED };

/*
 * Indexes a capture as it arrives, after `early` bytes. `piece`: bytes between two handshakes; 0: none,
 * since the input is compressed.
 */
static void check(const struct input *input, size_t early, size_t piece, enum opening opening)
{
    struct writer w = {.input = input,
                       .first = piece > 0 ? early : 0,
                       .piece = piece > 0 ? piece : 1000,
                       .waits = piece > 0};
    struct indexed whole = index_whole(input);
    start_writer(&w);
    struct tt_trace *trace = open_path(w.path, early);
    const struct tt_capture *opened = tt_trace_capture(trace);
    cr_expect(!w.waits || trace->early.is_early, "%s: all had arrived", input->name);
    atomic_store(&w.trace, trace);
    struct indexed now = index_of(trace);
    cr_expect(!w.waits || (opened == tt_trace_capture(trace)) == (opening == KEPT),
              "%s: indexed %s", input->name, opening == KEPT ? "again" : "once");
    expect_same(input->name, &now, &whole);
    pthread_join(w.thread, NULL);
    tt_trace_close(trace);
    free(now.bytes);
    free(whole.bytes);
    unlink(w.path);
}

/* The first bytes of small.fxt lack a provider whose clock is another one. */
static const struct {
    const char *path;
    enum opening half; /* expected if half of it has arrived */
} FILES[] = {
    {"samples/demo.kev", KEPT},           {"samples/demo.fxt", KEPT},
    {"samples/demo.btrace", KEPT},        {"samples/fast1.kev", KEPT},
    {"samples/wide4.kev", KEPT},          {"tests/filter/small.kev", KEPT},
    {"tests/filter/small.fxt", REPEATED}, {"tests/filter/small.btrace", KEPT},
};
#define FILE_COUNT (sizeof FILES / sizeof FILES[0])

Test(trace_early, samples_in_odd_pieces)
{
    static const size_t pieces[] = {61, 4096, 4097, 50001};
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct input input = load(FILES[i].path);
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
            check(&input, input.size / 2, pieces[k], FILES[i].half);
        }
        free(input.bytes);
    }
}

/* A file that is complete is opened and indexed once. */
/* An opening with too few bytes for a header is tried again with more. */
Test(trace_early, slow_input_is_opened_with_few_bytes)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct input input = load(FILES[i].path);
        struct writer w = {.input = &input, .first = 10, .piece = 400, .slow = true};
        struct indexed whole = index_whole(&input);
        struct tt_trace_options options = {
            .map = {.early = input.size, .early_few = 10, .early_ms = 1}};
        struct tt_trace *trace = NULL;
        start_writer(&w);
        struct tt_status status = tt_trace_open(w.path, &options, &trace);
        cr_assert(!tt_failed(&status), "%s", status.text);
        cr_expect(trace->early.is_early, "%s: all had arrived", input.name);
        atomic_store(&w.trace, trace);
        struct indexed now = index_of(trace);
        expect_same(input.name, &now, &whole);
        pthread_join(w.thread, NULL);
        tt_trace_close(trace);
        free(now.bytes);
        free(whole.bytes);
        free(input.bytes);
        unlink(w.path);
    }
}

Test(trace_early, a_plain_file_does_not_arrive)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct tt_trace *trace = open_path(FILES[i].path, 1);
        cr_expect_not(trace->early.is_early, "%s", FILES[i].path);
        tt_trace_close(trace);
    }
}

Test(trace_early, the_end_of_samples_byte_by_byte)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct input input = load(FILES[i].path);
        size_t bytes = input.size / 4 < 6007 ? input.size / 4 : 6007;
        check(&input, input.size - bytes, 1, KEPT);
        check(&input, input.size - 2 * bytes, 7, KEPT);
        free(input.bytes);
    }
}

/* ---- compressed ------------------------------------------------------------------------------ */

/* Returns the bytes in two gzip members, or two zstd frames. */
static struct input compress_in_two(const struct input *plain, bool zstd)
{
    size_t half = plain->size / 2, bound = ZSTD_compressBound(plain->size) + 1000;
    struct input out = {plain->name, malloc(2 * bound), 0};
    cr_assert_not_null(out.bytes);
    for (int i = 0; i < 2; i++) {
        const uint8_t *from = plain->bytes + (i == 0 ? 0 : half);
        size_t size = i == 0 ? half : plain->size - half;
        if (zstd) {
            out.size += ZSTD_compress(out.bytes + out.size, bound, from, size, 1);
            continue;
        }
        z_stream z = {.next_in = (Bytef *)from, .avail_in = (uInt)size};
        z.next_out = out.bytes + out.size;
        z.avail_out = (uInt)bound;
        cr_assert_eq(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
        cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
        out.size += z.total_out;
        deflateEnd(&z);
    }
    return out;
}

/* Through a pipe, and from a file. */
static void check_packed(const struct input *packed)
{
    check(packed, 1, 0, KEPT);
    check(packed, 40000, 0, KEPT);
    char path[] = "/tmp/tracetui-packed-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    write_all(fd, packed->bytes, packed->size);
    close(fd);
    struct indexed whole = index_whole(packed);
    struct tt_trace *trace = open_path(path, 20000);
    struct indexed now = index_of(trace);
    expect_same(packed->name, &now, &whole);
    tt_trace_close(trace);
    unlink(path);
    free(now.bytes);
    free(whole.bytes);
}

Test(trace_early, compressed_intact_and_damaged)
{
    for (size_t i = 0; i < 2 * FILE_COUNT; i++) {
        struct input plain = load(FILES[i / 2].path);
        struct input packed = compress_in_two(&plain, i % 2 != 0);
        check_packed(&packed);
        packed.size -= 5; /* the health is that of the file, its container first */
        check_packed(&packed);
        packed.bytes[packed.size - packed.size / 9] ^= 0x55;
        check_packed(&packed);
        free(packed.bytes);
        free(plain.bytes);
    }
}

/* ---- what needs all bytes -------------------------------------------------------------------- */

Test(trace_early, a_snapshot_is_opened_when_it_is_complete)
{
    struct input input = load("samples/demo.trx");
    struct writer w = {.input = &input, .first = 20000, .piece = 1000};
    start_writer(&w);
    struct tt_trace *trace = open_path(w.path, 20000), *whole = open_path("samples/demo.trx", 0);
    cr_expect_not(trace->early.is_early);
    cr_expect_eq(tt_trace_capture(trace)->bytes.size, input.size);
    tt_trace_index(trace);
    tt_trace_index(whole);
    struct tt_progress now = tt_trace_progress(trace), expected = tt_trace_progress(whole);
    cr_expect_eq(memcmp(&now, &expected, offsetof(struct tt_progress, status)), 0);
    pthread_join(w.thread, NULL);
    tt_trace_close(trace);
    tt_trace_close(whole);
    unlink(w.path);
    free(input.bytes);
}

/* A CPU that occurs after the first bytes is one more CPU of the capture. */
Test(trace_early, a_first_opening_that_was_wrong_is_repeated)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    for (uint32_t i = 0; i < 3000; i++) {
        kev_build_event(&b, i < 2000 ? 0 : 5, KB_THREAD, 1, 1000 + i, 2, 4099u, 1u + i % 3);
    }
    struct input input = {"a late CPU", b.bytes, b.size};
    check(&input, 20000, 5000, REPEATED);
    kev_build_free(&b);
}

static struct tt_status fail_at_end(const struct input *input, uint64_t limit)
{
    struct writer w = {.input = input, .first = 60000, .piece = 1000, .waits = true};
    struct tt_trace_options options = {.map = {.early = 60000, .spool_limit = limit}};
    struct tt_trace *trace = NULL;
    start_writer(&w);
    struct tt_status status = tt_trace_open(w.path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_expect(trace->early.is_early);
    atomic_store(&w.trace, trace);
    status = tt_trace_index(trace);
    atomic_store(&w.over, true);
    pthread_join(w.thread, NULL);
    tt_trace_close(trace);
    unlink(w.path);
    return status;
}

Test(trace_early, an_error_after_the_opening_is_that_of_indexing, ALONE)
{
    signal(SIGPIPE, SIG_IGN);
    struct input input = load("samples/demo.kev");
    struct tt_status status = fail_at_end(&input, 61500);
    cr_expect_eq(status.code, TT_ERR_IO);
    cr_expect_str_eq(status.text, "unpacked: spool limit of 61500 bytes exceeded");
    free(input.bytes);
}

/* ---- readers on other threads ---------------------------------------------------------------- */

/* The events of a capture. */
struct list {
    struct tt_event *events;
    uint32_t count;
};

static struct list events_of(struct tt_trace *trace)
{
    struct tt_events *reader = tt_events_new(trace);
    cr_assert(reader);
    struct list list = {.count = (uint32_t)tt_events_rows(reader)};
    list.events = malloc((list.count + 1u) * sizeof *list.events);
    cr_assert(list.events);
    cr_assert_eq(tt_events_read(reader, 0, list.count, list.events), list.count);
    tt_events_free(reader);
    return list;
}

static int compare_events(const void *a, const void *b)
{
    return tt_event_compare(a, b);
}

/* Reads events while the capture arrives: each is one of the complete capture. Returns their number. */
static uint64_t read_while_it_arrives(struct tt_trace *trace, const struct list *whole)
{
    struct tt_events *reader = tt_events_new(trace);
    uint64_t end = tt_now_ms() + PATIENCE_MS, seed = 1, read = 0;
    cr_assert(reader);
    while (!tt_trace_progress(trace).finished) {
        uint64_t rows = tt_events_rows(reader);
        struct tt_event event;
        cr_assert_lt(tt_now_ms(), end);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (rows > 0 && tt_events_read(reader, (seed >> 33) % rows, 1, &event) == 1) {
            const struct tt_event *same =
                bsearch(&event, whole->events, whole->count, sizeof event, compare_events);
            cr_assert(same && same->type == event.type && same->cpu == event.cpu, "%s",
                      tt_trace_path(trace));
            read++;
        }
    }
    tt_events_free(reader);
    return read;
}

static struct list whole_list(const struct input *input)
{
    struct writer w = {.input = input, .first = input->size, .piece = 1};
    start_writer(&w);
    struct tt_trace *trace = open_path(w.path, 0);
    cr_assert_eq(tt_trace_index(trace).code, TT_OK);
    struct list list = events_of(trace);
    pthread_join(w.thread, NULL);
    tt_trace_close(trace);
    unlink(w.path);
    return list;
}

static void expect_events(struct tt_trace *trace, const struct list *whole)
{
    struct list now = events_of(trace);
    cr_assert_eq(now.count, whole->count, "%s", tt_trace_path(trace));
    cr_expect_eq(memcmp(now.events, whole->events, now.count * sizeof *now.events), 0, "%s",
                 tt_trace_path(trace));
    free(now.events);
}

/* Waits until the index is finished. */
static void await_end(struct tt_trace *trace)
{
    uint64_t end = tt_now_ms() + PATIENCE_MS;
    while (!tt_trace_progress(trace).finished) {
        cr_assert_lt(tt_now_ms(), end);
        sched_yield();
    }
}

Test(trace_early, others_read_what_has_arrived)
{
    uint64_t read = 0;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct input input = load(FILES[i].path);
        struct list whole = whole_list(&input);
        struct writer w = {.input = &input, .first = input.size / 2, .piece = 997, .waits = true};
        struct tt_arrival arrived = {0};
        start_writer(&w);
        struct tt_trace *trace = open_path(w.path, input.size / 2), *again;
        cr_expect(tt_trace_is_arriving(trace, &arrived));
        cr_expect(arrived.bytes >= input.size / 2 && arrived.total == 0);
        cr_assert_eq(tt_trace_index_start(trace, NULL, NULL).code, TT_OK);
        cr_expect_not(tt_trace_is_outdated(trace));
        atomic_store(&w.trace, trace);
        read += read_while_it_arrives(trace, &whole);
        cr_expect_eq(tt_trace_is_outdated(trace), FILES[i].half == REPEATED, "%s", FILES[i].path);
        cr_expect_not(tt_trace_is_arriving(trace, &arrived));
        cr_assert_eq(tt_trace_restart(trace, &again).code, TT_OK);
        cr_assert_eq(tt_trace_index_start(again, NULL, NULL).code, TT_OK);
        await_end(again);
        cr_expect_not(tt_trace_is_outdated(again));
        expect_events(FILES[i].half == KEPT ? trace : again, &whole);
        expect_events(again, &whole);
        pthread_join(w.thread, NULL);
        tt_trace_close(again);
        tt_trace_close(trace);
        free(whole.events);
        unlink(w.path);
        free(input.bytes);
    }
    cr_expect_gt(read, 0);
}

/* The reason is in the restarted trace, which has the same bytes although the file is gone. */
Test(trace_early, a_damaged_file_is_restarted_with_its_damage)
{
    struct input plain = load("samples/demo.kev"), packed = compress_in_two(&plain, false);
    char path[] = "/tmp/tracetui-packed-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    write_all(fd, packed.bytes, packed.size - 5);
    close(fd);
    struct tt_trace_options options = {.map.early = 20000};
    struct tt_trace *trace = NULL, *again = NULL;
    cr_assert_eq(tt_trace_open(path, &options, &trace).code, TT_OK);
    cr_assert_eq(tt_trace_index_start(trace, NULL, NULL).code, TT_OK);
    await_end(trace);
    unlink(path);
    cr_expect_eq(tt_trace_is_outdated(trace), trace->early.is_early);
    cr_assert_eq(tt_trace_restart(trace, &again).code, TT_OK);
    cr_expect_eq(tt_health_count(tt_trace_capture(again), TT_HEALTH_CONTAINER), 1);
    tt_trace_close(trace);
    cr_assert_eq(tt_trace_index(again).code, TT_OK);
    tt_trace_close(again);
    free(packed.bytes);
    free(plain.bytes);
}

/* The end of the reader ends a wait for bytes that do not come. */
Test(trace_early, closing_does_not_wait_for_the_rest, ALONE)
{
    signal(SIGPIPE, SIG_IGN);
    struct input input = load("samples/demo.kev");
    struct writer w = {.input = &input, .first = 60000, .piece = 1000, .waits = true};
    start_writer(&w);
    struct tt_trace *trace = open_path(w.path, 60000);
    cr_assert_eq(tt_trace_index_start(trace, NULL, NULL).code, TT_OK);
    tt_trace_wait_rows(trace, 1);
    tt_trace_close(trace);
    atomic_store(&w.over, true);
    pthread_join(w.thread, NULL);
    unlink(w.path);
    free(input.bytes);
}
