/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexing of a grown capture resumes at its checkpoint; wherever that is, the result equals, byte
 * by byte, that of the whole capture. The captures are cut at many places, so that unfinished state
 * is saved and restored: open blocks, multipart traces, slices, the reorder buffer, deferred
 * health.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "../../lib/paused.h"
#include "base/section_file.h"
#include "btrace_build.h"
#include "fxt_build.h"
#include "trace/index/feed.h"

static const enum tt_section_tag COMPARED[] = {TT_SECTION_CAPTURE, TT_SECTION_DECODER,
                                               TT_SECTION_INDEX, TT_SECTION_TIMELINES,
                                               TT_SECTION_TRACKS};

struct capture_file {
    const char *name;
    int fd;
    char path[64];
};

static struct capture_file file_of(const char *name, const uint8_t *bytes, size_t size)
{
    struct capture_file f = {.name = name};
    snprintf(f.path, sizeof f.path, "/tmp/tracetui-going-on-XXXXXX");
    f.fd = mkstemp(f.path);
    cr_assert_geq(f.fd, 0);
    cr_assert_eq(write(f.fd, bytes, size), (ssize_t)size);
    return f;
}

static struct tt_trace *open_file(const struct capture_file *f)
{
    struct tt_trace_options options = {.capture = {.definitions = true}};
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(f->path, &options, &trace);
    return tt_failed(&status) ? NULL : trace;
}

/* The index cache of the file so far; NULL: it is not a capture yet. */
static uint8_t *keep_file(const struct capture_file *f, bool goes_on, bool *has_pause, size_t *size)
{
    *has_pause = false;
    struct tt_trace *trace = open_file(f);
    uint8_t *bytes = trace ? paused_keep(trace, goes_on, has_pause, size) : NULL;
    tt_trace_close(trace);
    return bytes;
}

static void expect_same(const struct capture_file *f, size_t cut, const uint8_t *a, size_t a_size,
                        const uint8_t *b, size_t b_size)
{
    struct tt_section_file one, other;
    cr_assert(tt_section_file_open(tt_bytes_of(a, a_size), &one));
    cr_assert(tt_section_file_open(tt_bytes_of(b, b_size), &other));
    for (size_t i = 0; i < sizeof COMPARED / sizeof COMPARED[0]; i++) {
        struct tt_bytes x = one.sections[COMPARED[i]].bytes, y = other.sections[COMPARED[i]].bytes;
        cr_expect(x.size == y.size && memcmp(x.data, y.data, (size_t)x.size) == 0,
                  "%s, cut at %zu: section %u is another", f->name, cut, (unsigned)COMPARED[i]);
    }
}

/* Resumes from the checkpoint of the file with `cut` bytes. */
static void go_on(const struct capture_file *f, size_t cut, uint8_t *kept, size_t kept_size,
                  const uint8_t *whole, size_t whole_size)
{
    struct tt_section_file file;
    bool has_pause;
    size_t size = 0;
    cr_assert(tt_section_file_open(tt_bytes_of(kept, kept_size), &file));
    cr_assert(tt_cache_checkpoint_is_saved(&file) && tt_cache_checkpoint_open(&file));
    struct tt_trace *trace = open_file(f);
    cr_assert_not_null(trace);
    cr_assert(tt_cache_checkpoint_restore(&trace->index, &file, cut), "%s, cut at %zu", f->name,
              cut);
    uint8_t *now = paused_keep(trace, false, &has_pause, &size);
    cr_assert_not_null(now);
    expect_same(f, cut, now, size, whole, whole_size);
    free(now);
    tt_trace_close(trace);
    tt_section_file_free(&file);
}

/* Cuts it at multiples of `step` from `first` on; returns the number of cuts that could resume. */
static unsigned cut_and_go_on(const char *name, const uint8_t *bytes, size_t size, size_t first,
                              size_t step)
{
    struct capture_file f = file_of(name, bytes, size);
    unsigned gone_on = 0;
    bool has_pause;
    size_t whole_size = 0, kept_size = 0;
    uint8_t *whole = keep_file(&f, false, &has_pause, &whole_size);
    cr_assert_not_null(whole, "%s", name);
    for (size_t cut = first; cut < size; cut += step) {
        cr_assert_eq(ftruncate(f.fd, (off_t)cut), 0);
        uint8_t *kept = keep_file(&f, true, &has_pause, &kept_size);
        cr_assert_eq(pwrite(f.fd, bytes + cut, size - cut, (off_t)cut), (ssize_t)(size - cut));
        if (kept && has_pause) {
            go_on(&f, cut, kept, kept_size, whole, whole_size);
            gone_on++;
        }
        free(kept);
    }
    free(whole);
    close(f.fd);
    unlink(f.path);
    return gone_on;
}

/* The first `size` bytes of a file, cut at about `cuts` places. */
static void check_sample(const char *path, size_t size, size_t cuts)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(size);
    cr_assert(file && bytes, "%s", path);
    size = fread(bytes, 1, size, file);
    fclose(file);
    size_t first = size / 2, step = (size - first) / cuts | 1;
    unsigned gone_on = cut_and_go_on(path, bytes, size, first, step);
    cr_expect_geq(gone_on, cuts, "%s", path);
    free(bytes);
}

Test(checkpoint, samples_cut_at_many_places)
{
    check_sample("tests/filter/small.kev", 40000, 40);
    check_sample("tests/filter/small.fxt", 40000, 40);
    check_sample("tests/filter/small.btrace", 20000, 40);
    check_sample("samples/demo.btrace", 50000, 40);
}

/* More actions than the reorder buffer has: only then is there state of lanes to save. */
#define ENOUGH (TT_FEED_WINDOW + TT_FEED_WINDOW / 4)

/* Parts of seven multipart traces among switches: at every cut some of them are open. */
Test(checkpoint, open_multipart_traces)
{
    static const uint8_t data[800] = "parts";
    struct stream s = {0};
    for (uint32_t i = 0; i < ENOUGH; i++) {
        stream_switch(&s, i, 0x1000 + i % 5 * 4);
        uint32_t id = i % 7, part = i / 7 % 10;
        unsigned what = part == 0 ? 1 : part == 9 ? 3 : 2;
        stream_part(&s, what, 194, 1, i, id, 800, what == 1 ? id : part * 80, data + part * 80, 80);
    }
    unsigned gone_on = cut_and_go_on("parts", s.bytes, s.size, s.size - 30000, 4 * 401);
    cr_expect_geq(gone_on, 18);
    stream_free(&s);
}

/* Unmatched ends are reported after indexing, in the order in which they were found. */
Test(checkpoint, open_slices_and_unmatched_ends)
{
    enum { BEGIN = 2, END = 3, ASYNC_BEGIN = 5, ASYNC_END = 7 };
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_init(&out, 1000000);
    for (uint64_t i = 0; i < ENOUGH / 3; i++) {
        fxt_simple_event(&out, END, 1000 * i, 1, 2 + i % 3, "c", "none");
        fxt_simple_event(&out, BEGIN, 1000 * i + 10, 1, 2 + i % 3, "c", "a slice");
        if (i % 4 != 0) {
            fxt_simple_event(&out, END, 1000 * i + 20, 1, 2 + i % 3, "c", "a slice");
            fxt_simple_event(&out, END, 1000 * i + 30, 1, 2 + i % 3, "c", "a slice");
        }
    }
    unsigned gone_on = cut_and_go_on("slices", out.bytes, out.size, out.size - 20000, 8 * 117);
    cr_expect_geq(gone_on, 20);
    free(out.bytes);
}
