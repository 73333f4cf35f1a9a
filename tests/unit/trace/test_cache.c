/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restoring an index cache gives the same index and tables; damaged bytes are harmless. The samples
 * are too small for the cache itself, so these tests call its parts.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/capture_tables_cache.h"
#include "trace/cache/save_index.h"
#include "trace/cache/save_timeline.h"
#include "trace/trace_internal.h"
#include "tracetui/event_line.h"
#include "tracetui/timeline.h"

/*
 * ---- an index cache in memory -----------------------------------------------------------------
 */

struct kept {
    uint8_t *bytes; /* aligned like a mapping */
    size_t size;
    struct tt_section_file file;
};

static struct tt_trace *open_sample(const char *path)
{
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert_eq(status.code, TT_OK, "%s: %s", path, status.text);
    return trace;
}

static struct tt_trace *indexed_sample(const char *path)
{
    struct tt_trace *trace = open_sample(path);
    struct tt_status status = tt_trace_index(trace);
    cr_assert_eq(status.code, TT_OK, "%s: %s", path, status.text);
    return trace;
}

static void keep(struct tt_trace *trace, struct kept *kept)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_section_writer *w = tt_section_writer_new(fileno(file), NULL);
    tt_section(w, TT_SECTION_CAPTURE);
    tt_tables_save(trace->capture, w);
    tt_section(w, TT_SECTION_DECODER);
    trace->capture->format->cache.save(trace->capture, w);
    tt_section(w, TT_SECTION_INDEX);
    tt_index_save(&trace->index, w);
    if (tt_trace_timelines(trace)) {
        tt_timelines_save(tt_trace_timelines(trace), w);
    }
    struct tt_status status = tt_section_file_finish(w);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    kept->size = tt_section_file_size(w);
    tt_section_writer_free(w);
    void *bytes = NULL;
    cr_assert_eq(posix_memalign(&bytes, 4096, kept->size), 0);
    kept->bytes = bytes;
    cr_assert_eq(pread(fileno(file), bytes, kept->size, 0), (ssize_t)kept->size);
    fclose(file);
    cr_assert(tt_section_file_open(tt_bytes_of(kept->bytes, kept->size), &kept->file));
}

/* Returns a trace of the same file restored from the cache; NULL if that is rejected. */
static struct tt_trace *restored_sample(const char *path, struct kept *kept)
{
    struct tt_trace *trace = open_sample(path);
    struct tt_reader capture = tt_section_reader(&kept->file.sections[TT_SECTION_CAPTURE]);
    struct tt_reader decoder = tt_section_reader(&kept->file.sections[TT_SECTION_DECODER]);
    struct tt_reader index = tt_section_reader(&kept->file.sections[TT_SECTION_INDEX]);
    if (!tt_tables_restore(trace->capture, &capture) ||
        !tt_capture_restore(trace->capture, &decoder) || !tt_index_restore(&trace->index, &index)) {
        tt_trace_close(trace);
        return NULL;
    }
    trace->index.cached = &kept->file;
    return trace;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void same_text(const char *what, uint32_t number, const char *a, const char *b)
{
    cr_expect_str_eq(a ? a : "(none)", b ? b : "(none)", "%s %u", what, number);
}

static void compare_tables(struct tt_capture *a, struct tt_capture *b)
{
    same_text("title", 0, a->title, b->title);
    same_text("version", 0, a->version, b->version);
    cr_expect_eq(a->cpu_count, b->cpu_count);
    cr_expect_eq(a->origin_ticks, b->origin_ticks);
    cr_expect_eq(a->lanes_by_time, b->lanes_by_time);
    cr_expect_eq(tt_registry_any_moved(a), tt_registry_any_moved(b));
    cr_assert_eq(tt_types_count(a), tt_types_count(b));
    for (uint32_t i = 0; i < tt_types_count(a); i++) {
        const struct tt_event_type *x = tt_types_at(a, i), *y = tt_types_at(b, i);
        same_text("type", i, x->name, y->name);
        same_text("class of type", i, x->class_name, y->class_name);
        cr_expect(x->class_id == y->class_id && x->code == y->code && x->kind == y->kind);
        cr_expect_eq(tt_types_find(b, x->class_name, x->name, x->code),
                     tt_types_find(a, x->class_name, x->name, x->code));
    }
    cr_assert_eq(tt_process_count(a), tt_process_count(b));
    for (uint32_t i = 0; i < tt_process_count(a); i++) {
        const struct tt_process *x = tt_process_at(a, i), *y = tt_process_at(b, i);
        cr_expect(x->pid == y->pid && x->first_when == y->first_when &&
                      x->end_when == y->end_when && x->older == y->older && x->newer == y->newer &&
                      x->shares_pid == y->shares_pid && x->threads == y->threads &&
                      x->name == y->name,
                  "process %u", i);
        cr_expect_eq(tt_registry_find_process(a, x->pid, x->first_when),
                     tt_registry_find_process(b, x->pid, x->first_when));
    }
    cr_assert_eq(tt_thread_count(a), tt_thread_count(b));
    for (uint32_t i = 0; i < tt_thread_count(a); i++) {
        const struct tt_thread *x = tt_thread_at(a, i), *y = tt_thread_at(b, i);
        cr_expect(x->tid == y->tid && x->process == y->process && x->index == y->index &&
                      x->idle == y->idle && x->pseudo == y->pseudo,
                  "thread %u", i);
        same_text("thread", i, tt_capture_text(a, x->name, NULL),
                  tt_capture_text(b, y->name, NULL));
        uint64_t when = tt_process_at(a, x->process)->first_when;
        cr_expect_eq(tt_registry_find_thread(a, tt_process_at(a, x->process)->pid, x->tid, when),
                     tt_registry_find_thread(b, tt_process_at(b, y->process)->pid, y->tid, when));
    }
    cr_assert_eq(tt_series_count(a), tt_series_count(b));
    cr_assert_eq(tt_facts_count(a), tt_facts_count(b));
    for (uint32_t i = 0; i < tt_facts_count(a); i++) {
        same_text("fact", i, tt_facts_at(a, i)->value, tt_facts_at(b, i)->value);
    }
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        cr_expect_eq(tt_health_count(a, kind), tt_health_count(b, kind));
    }
    cr_assert_eq(tt_health_kept(a), tt_health_kept(b));
    for (uint32_t i = 0; i < tt_health_kept(a); i++) {
        struct tt_health_record x = tt_health_at(a, i), y = tt_health_at(b, i);
        cr_expect(x.kind == y.kind && x.offset == y.offset && x.pos == y.pos && x.value == y.value);
        same_text("health", i, x.detail, y.detail);
    }
}

#define AT_ONCE 256u

/* Reads all events with their contents; returns a checksum of the lines. */
static uint64_t read_events(struct tt_trace *trace)
{
    static struct tt_event events[AT_ONCE];
    static struct tt_args args;
    static char line[65536];
    struct tt_events *e = tt_events_new(trace);
    cr_assert_not_null(e);
    uint64_t sum = tt_events_rows(e);
    for (uint64_t row = 0; row < tt_events_rows(e); row += AT_ONCE) {
        uint32_t count = tt_events_read(e, row, AT_ONCE, events);
        for (uint32_t i = 0; i < count; i++) {
            struct tt_text text = tt_text_of(line, sizeof line);
            tt_events_describe(e, &events[i], &args);
            tt_line_event(&text, trace->capture, &events[i], &args, 0);
            sum = tt_event_sum(sum, &events[i]);
            for (size_t k = 0; k < text.used; k++) {
                sum = sum * 31 + (uint8_t)line[k];
            }
        }
        sum = sum * 31 + tt_events_number(e, row);
    }
    tt_events_free(e);
    return sum;
}

static uint64_t read_lanes(struct tt_trace *trace)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    if (!t) {
        return 1;
    }
    uint64_t sum = tt_timelines_begin(t) * 31 + tt_timelines_end(t);
    for (uint32_t n = 0; n < tt_thread_count(trace->capture); n++) {
        struct tt_interval_at at;
        for (bool more = tt_interval_first(t, n, &at); more; more = tt_interval_next(t, &at)) {
            struct tt_interval i = tt_interval_get(t, at);
            sum = sum * 31 + i.start;
            sum = sum * 31 + i.end + i.state + i.cpu;
        }
    }
    for (uint32_t n = 0; n < tt_cpu_count(t); n++) {
        struct tt_cpu_sums s;
        tt_cpu_sum(t, (uint16_t)n, tt_timelines_begin(t), tt_timelines_end(t), &s);
        sum = sum * 31 + s.busy + s.idle * 3 + s.irq * 5 + s.switches * 7;
    }
    return sum;
}

static void kept_is_the_same(const char *path)
{
    struct kept kept;
    struct tt_trace *made = indexed_sample(path);
    keep(made, &kept);
    struct tt_trace *taken = restored_sample(path, &kept);
    cr_assert_not_null(taken, "%s: was refused", path);
    struct tt_status status = tt_trace_index(taken);
    cr_assert_eq(status.code, TT_OK, "%s: %s", path, status.text);
    cr_expect(!taken->index.cached_damaged, "%s: timelines were made again", path);
    compare_tables(made->capture, taken->capture);
    struct tt_progress p = tt_trace_progress(made), q = tt_trace_progress(taken);
    cr_expect(p.events == q.events && p.derived == q.derived && p.records == q.records &&
              p.first_ticks == q.first_ticks && p.last_ticks == q.last_ticks && p.runs == q.runs &&
              p.bytes_done == q.bytes_done && q.finished);
    for (uint32_t i = 0; i < tt_types_count(made->capture); i++) {
        cr_expect_eq(tt_trace_type_events(made, i), tt_trace_type_events(taken, i));
    }
    cr_expect_eq(read_events(made), read_events(taken), "%s: events", path);
    cr_expect_eq(read_lanes(made), read_lanes(taken), "%s: lanes", path);
    tt_trace_close(made);
    tt_trace_close(taken);
    tt_section_file_free(&kept.file);
    free(kept.bytes);
}

Test(cache, each_sample_is_restored_unchanged)
{
    kept_is_the_same("samples/demo.kev");
    kept_is_the_same("samples/fast1.kev");
    kept_is_the_same("samples/wide4.kev");
    kept_is_the_same("samples/demo.fxt");
    kept_is_the_same("tests/filter/small.fxt");
    kept_is_the_same("tests/filter/small.btrace");
}

Test(cache, the_cache_of_another_capture_is_rejected_or_harmless)
{
    struct kept kept;
    struct tt_trace *made = indexed_sample("samples/demo.kev");
    keep(made, &kept);
    tt_trace_close(made);
    struct tt_trace *taken = restored_sample("samples/fast1.kev", &kept);
    cr_expect_null(taken);
    if (taken) {
        tt_trace_close(taken);
    }
    tt_section_file_free(&kept.file);
    free(kept.bytes);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Restores a cache with corrected checksums, and reads the result. */
static bool take_anything(const char *path, struct kept *kept)
{
    struct tt_trace *trace = restored_sample(path, kept);
    if (!trace) {
        return false;
    }
    read_events(trace);
    if (!tt_failed(&(struct tt_status){tt_trace_index(trace).code, 0, ""})) {
        read_lanes(trace);
    }
    tt_trace_close(trace);
    return true;
}

/* Flips a bit in every byte of a small file, or in some bytes of a large one. */
static void flip_bytes(const char *path, enum tt_section_tag tag, uint64_t most)
{
    struct kept kept;
    struct tt_trace *made = indexed_sample(path);
    keep(made, &kept);
    tt_trace_close(made);
    struct tt_bytes section = kept.file.sections[tag].bytes;
    uint8_t *bytes = (uint8_t *)(uintptr_t)section.data;
    uint64_t step = section.size / most + 1, tried = 0;
    for (uint64_t at = 0; at < section.size; at += step) {
        uint8_t bit = (uint8_t)(1u << (at * 5 + at / 7) % 8);
        bytes[at] ^= bit;
        take_anything(path, &kept); /* rejected or accepted: the sanitizers check */
        tried++;
        bytes[at] ^= bit;
    }
    cr_expect_gt(tried, 0);
    cr_expect(take_anything(path, &kept), "the bytes are as they were");
    tt_section_file_free(&kept.file);
    free(kept.bytes);
}

static void cut_section(const char *path, enum tt_section_tag tag, uint64_t most)
{
    struct kept kept;
    struct tt_trace *made = indexed_sample(path);
    keep(made, &kept);
    tt_trace_close(made);
    struct tt_bytes whole = kept.file.sections[tag].bytes;
    for (uint64_t size = 0; size < whole.size; size += whole.size / most + 1) {
        uint8_t *cut =
            malloc(size + 1); /* exact size, so that the sanitizer detects a read beyond it */
        memcpy(cut, whole.data, size);
        kept.file.sections[tag].bytes = tt_bytes_of(cut, size);
        cr_expect(!take_anything(path, &kept), "%s: %u cut to %llu", path, (unsigned)tag,
                  (unsigned long long)size);
        free(cut);
    }
    tt_section_file_free(&kept.file);
    free(kept.bytes);
}

Test(cache, damaged_tables_and_index_are_harmless)
{
    flip_bytes("tests/filter/small.kev", TT_SECTION_CAPTURE, 400);
    flip_bytes("tests/filter/small.kev", TT_SECTION_INDEX, 400);
    flip_bytes("tests/filter/small.fxt", TT_SECTION_CAPTURE, 400);
    flip_bytes("tests/filter/small.fxt", TT_SECTION_INDEX, 400);
    flip_bytes("tests/filter/small.btrace", TT_SECTION_CAPTURE, 400);
    flip_bytes("tests/filter/small.btrace", TT_SECTION_INDEX, 400);
}

Test(cache, truncated_tables_and_index_are_rejected)
{
    cut_section("tests/filter/small.kev", TT_SECTION_CAPTURE, 200);
    cut_section("tests/filter/small.kev", TT_SECTION_INDEX, 200);
    cut_section("tests/filter/small.fxt", TT_SECTION_CAPTURE, 200);
    cut_section("tests/filter/small.btrace", TT_SECTION_INDEX, 200);
}
