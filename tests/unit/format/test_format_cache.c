/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index cache of each decoder: the decoder's tables of a completely decoded capture are
 * restored into the same capture, newly opened; all results have to be equal: events, actions,
 * arguments, parts, edges and streams of all blocks by cursors that do not learn, and the output of
 * the format's own styles.
 *
 *  A modified section is rejected or gives other results, without undefined behaviour (checked by
 * sanitizers).
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btrace_build.h"
#include "format/capture_tables.h"
#include "format/capture_tables_cache.h"
#include "format/fxt/fxt_internal.h"
#include "fxt_build.h"
#include "style/style.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/map.h"

enum { BLOCK = 16, ACTIONS = 500 };

/* ---- a decoded capture ------------------------------------------------------------------ */

struct block {
    void *blob;
    size_t blob_size;
    uint32_t count;
};

struct learnt {
    struct tt_bytes bytes;
    struct tt_capture_options options;
    struct tt_capture *capture;
    struct block *blocks;
    size_t block_count;
};

static const struct tt_map *folder; /* the files of a capture that is a directory; NULL */

static struct tt_capture *open_capture(struct tt_bytes bytes,
                                       const struct tt_capture_options *options)
{
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(bytes, &c);
    cr_assert(!tt_failed(&status), "%s", status.text);
    c->files = folder;
    status = tt_capture_open(c, "keep", options);
    if (tt_failed(&status)) {
        tt_capture_free(c);
        return NULL;
    }
    return c;
}

static struct tt_batch batch_of(struct tt_event *events, uint32_t capacity,
                                struct tt_action *actions)
{
    struct tt_batch batch = {
        .events = events, .capacity = capacity, .actions = actions, .action_capacity = ACTIONS};
    return batch;
}

static void learn_blocks(struct learnt *l)
{
    static struct tt_event events[BLOCK];
    static struct tt_action actions[ACTIONS];
    const struct tt_format *format = l->capture->format;
    struct tt_cursor *cursor = format->cursor_new(l->capture, true);
    cr_assert_not_null(cursor);
    for (enum tt_decode_result result = TT_DECODE_MORE; result == TT_DECODE_MORE;) {
        l->blocks = realloc(l->blocks, (l->block_count + 1) * sizeof *l->blocks);
        struct block *block = &l->blocks[l->block_count++];
        block->blob_size = format->cursor_save(cursor, NULL, 0);
        block->blob = malloc(block->blob_size + 1);
        format->cursor_save(cursor, block->blob, block->blob_size);
        struct tt_batch batch = batch_of(events, BLOCK, actions);
        result = format->decode(cursor, l->bytes.size, true, &batch);
        cr_assert_neq(result, TT_DECODE_MEMORY);
        block->count = batch.count;
    }
    tt_cursor_free(format, cursor);
}

/* Returns false if it is a capture of the only format without a cache. */
static bool learn(struct learnt *l, struct tt_bytes bytes, const struct tt_capture_options *options)
{
    *l = (struct learnt){.bytes = bytes, .options = *options};
    l->capture = open_capture(bytes, options);
    cr_assert_not_null(l->capture, "it does not open");
    if (!l->capture->format->cache.save) {
        cr_assert_str_eq(l->capture->format->name, "trx");
        tt_capture_free(l->capture);
        return false;
    }
    learn_blocks(l);
    return true;
}

static void forget(struct learnt *l)
{
    for (size_t i = 0; i < l->block_count; i++) {
        free(l->blocks[i].blob);
    }
    free(l->blocks);
    tt_capture_free(l->capture);
}

/* ---- cache ------------------------------------------------------------------------------ */

struct kept {
    uint8_t *bytes;
    struct tt_section_file file;
};

/* Aligned like a mapping. */
static struct kept keep(const struct tt_capture *c)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_section_writer *w = tt_section_writer_new(fileno(file), NULL);
    cr_assert_not_null(w);
    tt_section(w, TT_SECTION_CAPTURE);
    tt_tables_save(c, w);
    tt_section(w, TT_SECTION_DECODER);
    c->format->cache.save(c, w);
    struct tt_status status = tt_section_file_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_section_writer_free(w);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    struct kept kept;
    cr_assert_eq(posix_memalign((void **)&kept.bytes, 4096, (size_t)size), 0);
    cr_assert_eq(pread(fileno(file), kept.bytes, (size_t)size, 0), (ssize_t)size);
    fclose(file);
    cr_assert(tt_section_file_open(tt_bytes_of(kept.bytes, (uint64_t)size), &kept.file));
    return kept;
}

/* Opens the capture and restores the tables; returns NULL if the decoder rejects `decoder`. */
static struct tt_capture *restore(const struct learnt *l, const struct kept *kept,
                                  struct tt_bytes decoder)
{
    struct tt_capture *c = open_capture(l->bytes, &l->options);
    cr_assert_not_null(c);
    struct tt_reader tables = tt_section_reader(&kept->file.sections[TT_SECTION_CAPTURE]);
    cr_assert(tt_tables_restore(c, &tables));
    struct tt_reader own = tt_reader_of(decoder, tt_host_is_big());
    if (!tt_capture_restore(c, &own)) {
        tt_capture_free(c);
        return NULL;
    }
    return c;
}

/* ---- all results ------------------------------------------------------------------------ */

static void tell_args(FILE *out, const struct tt_args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        fprintf(out, " %.*s/%u/%u/%u+%u=", (int)arg->name.length, arg->name.data, arg->type,
                arg->hidden, arg->raw_offset, arg->raw_length);
        if (arg->type == TT_ARG_STRING || arg->type == TT_ARG_BYTES) {
            fwrite(arg->value.s.data, 1, arg->value.s.length, out);
        } else {
            fprintf(out, "%llx", (unsigned long long)arg->value.u);
        }
        fprintf(out, "(%.*s)", (int)arg->label.length, arg->label.length ? arg->label.data : "");
    }
}

static void tell_parts_and_edges(FILE *out, const struct tt_capture *c,
                                 const struct tt_event *event)
{
    const struct tt_format *format = c->format;
    struct tt_part parts[8];
    uint32_t count = tt_capture_parts(c, event, c->bytes.size, parts, 8);
    fprintf(out, " parts %u", count);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        fprintf(out, " %llu+%u", (unsigned long long)parts[i].offset, parts[i].length);
    }
    struct tt_edge edges[TT_EDGES_PER_EVENT];
    memset(edges, 0, sizeof edges);
    count = format->edges ? format->edges(c, event, c->bytes.size, edges) : 0;
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, " edge %llx %llu %u %u %u", (unsigned long long)edges[i].key,
                (unsigned long long)edges[i].ticks, edges[i].thread, edges[i].cpu, edges[i].side);
    }
    fprintf(out, " stream %u", tt_capture_stream(c, event));
}

static void tell_event(FILE *out, const struct tt_capture *c, const struct tt_event *event)
{
    static struct tt_args args;
    const struct tt_event_type *type =
        event->type < tt_types_count(c) ? tt_types_at(c, event->type) : NULL;
    uint32_t settled = event->thread != TT_NO_THREAD
                           ? tt_registry_settle(c, event->thread, event->ticks)
                           : event->thread;
    fprintf(out, "%llu %llu %u %u/%u cpu %u type %u %s %s kind %u flags %u:",
            (unsigned long long)event->ticks, (unsigned long long)event->pos, event->length,
            event->thread, settled, event->cpu, event->type, type ? type->class_name : "",
            type ? type->name : "", event->kind, event->flags);
    if (c->format->describe(c, event, c->bytes.size, &args)) {
        tell_args(out, &args);
        fputs(args.is_partial ? " partial" : "", out);
    }
    tell_parts_and_edges(out, c, event);
    fputc('\n', out);
}

static void tell_action(FILE *out, const struct tt_capture *c, const struct tt_action *action)
{
    bool both = action->kind == TT_ACTION_SWITCH || action->kind == TT_ACTION_WAKEUP;
    cr_assert(action->thread == TT_NO_THREAD || action->thread < tt_thread_count(c));
    cr_assert(!both || action->other == TT_NO_THREAD || action->other < tt_thread_count(c));
    fprintf(out, "  %u of %llx: %llx %u %u %u %d %u %u\n", action->kind,
            (unsigned long long)action->pos, (unsigned long long)action->value, action->thread,
            action->other, action->cpu, action->priority, action->state, action->flags);
}

static char *tell_block(const struct tt_capture *c, struct tt_cursor *cursor,
                        const struct block *block)
{
    static struct tt_event events[BLOCK];
    static struct tt_action actions[ACTIONS];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    struct tt_batch batch = batch_of(events, block->count, actions);
    c->format->cursor_load(cursor, block->blob, block->blob_size);
    if (block->count > 0) {
        c->format->decode(cursor, c->bytes.size, true, &batch);
    }
    for (uint32_t i = 0; i < batch.count; i++) {
        tell_event(out, c, &events[i]);
    }
    for (uint32_t i = 0; i < batch.action_count; i++) {
        tell_action(out, c, &actions[i]);
    }
    fclose(out);
    return text;
}

static char *tell_style(struct tt_capture *c, const struct tt_style *style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct tt_sink sink = tt_sink_of_file(out);
    struct tt_status status = style->print(c, &sink, NULL, NULL);
    cr_assert(!tt_failed(&status), "%s", status.text);
    fclose(out);
    return text;
}

/* Frees both texts; reports the first line that differs. */
static void expect_same(char *want, char *got, const char *path)
{
    size_t at = 0, line = 0;
    while (want[at] && want[at] == got[at]) {
        line = want[at++] == '\n' ? at : line;
    }
    cr_expect(want[at] == got[at], "%s: %.*s\n   became %.*s", path,
              (int)strcspn(want + line, "\n"), want + line, (int)strcspn(got + line, "\n"),
              got + line);
    free(want);
    free(got);
}

static void compare_all(const struct learnt *l, struct tt_capture *restored, const char *path)
{
    const struct tt_format *format = l->capture->format;
    struct tt_cursor *a = format->cursor_new(l->capture, false);
    struct tt_cursor *b = format->cursor_new(restored, false);
    cr_assert(a && b);
    for (size_t i = 0; i < l->block_count; i++) {
        char *want = tell_block(l->capture, a, &l->blocks[i]);
        expect_same(want, tell_block(restored, b, &l->blocks[i]), path);
    }
    for (size_t i = l->block_count; i-- > 0;) { /* in reverse: cursor caches do not help */
        char *want = tell_block(l->capture, a, &l->blocks[i]);
        expect_same(want, tell_block(restored, b, &l->blocks[i]), path);
    }
    tt_cursor_free(format, a);
    tt_cursor_free(format, b);
    for (const struct tt_style *style = tt_styles; style->name; style++) {
        if (strcmp(style->format, format->name) == 0) {
            char *want = tell_style(l->capture, style);
            expect_same(want, tell_style(restored, style), path);
        }
    }
}

/* ---- captures --------------------------------------------------------------------------- */

static struct tt_bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size + 1);
    cr_assert_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return tt_bytes_of(bytes, (uint64_t)size);
}

/* Replaces the first byte by `head`. */
static struct tt_bytes put_before(const void *head, size_t length, struct tt_bytes body)
{
    uint8_t *bytes = malloc(length + (size_t)body.size);
    memcpy(bytes, head, length);
    memcpy(bytes + length, body.data + 1, (size_t)body.size - 1);
    return tt_bytes_of(bytes, length + body.size - 1);
}

/* Converts an input of fuzz_kev to a capture: releases differ in the distribution of CPUs. */
static struct tt_bytes kev_of_input(struct tt_bytes input, const char *release)
{
    char header[192];
    int length = snprintf(header, sizeof header,
                          "TRACE_HEADER_BEGIN::TRACE_CPU_NUM::4TRACE_CYCLES_PER_SEC::1000000"
                          "TRACE_%s_ENDIAN::TRUETRACE_SYS_RELEASE::%sTRACE_HEADER_END::",
                          input.data[0] & 1 ? "BIG" : "LITTLE", release);
    return put_before(header, (size_t)length, input);
}

static struct tt_bytes fxt_of_input(struct tt_bytes input)
{
    static const uint8_t magic[8] = {0x10, 0, 4, 0x46, 0x78, 0x54, 0x16, 0};
    uint8_t head[8];
    for (size_t i = 0; i < sizeof head; i++) {
        head[i] = magic[input.data[0] & 1 ? 7 - i : i];
    }
    return put_before(head, sizeof head, input);
}

/* A stream has no magic number, so nothing precedes the input. */
static struct tt_bytes btrace_of_input(struct tt_bytes input)
{
    return put_before("", 0, input);
}

/* Calls `check` for each file; returns false if there is none. */
static bool each_file(const char *pattern, void (*check)(const char *path, struct tt_bytes bytes))
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        return false;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct tt_bytes bytes = read_file(found.gl_pathv[i]);
        check(found.gl_pathv[i], bytes);
        free((void *)(uintptr_t)bytes.data);
    }
    globfree(&found);
    return true;
}

/* ---- equal results ---------------------------------------------------------------------- */

static void check_options(const char *path, struct tt_bytes bytes,
                          const struct tt_capture_options *options)
{
    struct learnt l;
    cr_assert(learn(&l, bytes, options), "%s: does not open, or its format has no keep", path);
    struct kept kept = keep(l.capture);
    struct tt_bytes decoder = kept.file.sections[TT_SECTION_DECODER].bytes;
    struct tt_capture *restored = restore(&l, &kept, decoder);
    cr_expect_not_null(restored, "%s: refused", path);
    if (restored) {
        compare_all(&l, restored, path);
        tt_capture_free(restored);
    }
    forget(&l);
    free(kept.bytes);
}

static void check(const char *path, struct tt_bytes bytes)
{
    struct tt_capture_options plain = {0}, definitions = {.definitions = true, .clock_hz = 1000000};
    check_options(path, bytes, &plain);
    check_options(path, bytes, &definitions);
}

static void check_and_free(const char *path, struct tt_bytes bytes)
{
    check(path, bytes);
    free((void *)(uintptr_t)bytes.data);
}

static void check_kev_input(const char *path, struct tt_bytes input)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        check_and_free(path, kev_of_input(input, releases[i]));
    }
}

static void check_fxt_input(const char *path, struct tt_bytes input)
{
    check_and_free(path, fxt_of_input(input));
}

static void check_btrace_input(const char *path, struct tt_bytes input)
{
    check_and_free(path, btrace_of_input(input));
}

Test(format_cache, samples)
{
    cr_assert(each_file("samples/*.kev", check));
    cr_assert(each_file("samples/*.fxt", check));
    cr_assert(each_file("samples/*.btrace", check));
}

Test(format_cache, real_kev)
{
    if (!each_file("../shared/captures/kev/*.kev", check)) {
        cr_skip("no real captures here");
    }
}

Test(format_cache, real_fxt)
{
    if (!each_file("../shared/captures/fxt/*.fxt", check)) {
        cr_skip("no real captures here");
    }
}

Test(format_cache, real_btrace)
{
    if (!each_file("../shared/captures/btrace/*.log", check)) {
        cr_skip("no real captures here");
    }
}

Test(format_cache, inputs_of_the_fuzz_targets)
{
    cr_assert(each_file("tests/fuzz/corpus/fuzz_kev/*", check_kev_input));
    cr_assert(each_file("tests/fuzz/corpus/fuzz_fxt/*", check_fxt_input));
    cr_assert(each_file("tests/fuzz/corpus/fuzz_btrace/*", check_btrace_input));
}

/* Calls `check` for a directory of the metadata and the stream of an input (fuzz_ctf.c). */
static void with_folder(const char *path, struct tt_bytes input,
                        void (*check_it)(const char *path, struct tt_bytes bytes))
{
    char name[] = "/tmp/tracetui-cache-XXXXXX", file[2][64];
    const uint64_t size = (uint64_t)input.data[0] | (uint64_t)input.data[1] << 8;
    const struct tt_bytes parts[2] = {tt_bytes_slice(input, 2, size),
                                      tt_bytes_slice(input, 2 + size, input.size)};
    const struct tt_map_options options = {.folders = true};
    struct tt_map *map;
    cr_assert_not_null(mkdtemp(name));
    for (unsigned i = 0; i < 2; i++) {
        snprintf(file[i], sizeof file[i], "%s/%s", name, i == 0 ? "metadata" : "stream");
        FILE *out = fopen(file[i], "wb");
        cr_assert(out && fwrite(parts[i].data, 1, parts[i].size, out) == parts[i].size);
        fclose(out);
    }
    struct tt_status status = tt_map_open(name, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    folder = map;
    check_it(path, tt_map_bytes(map));
    folder = NULL;
    tt_map_close(map);
    unlink(file[0]);
    unlink(file[1]);
    rmdir(name);
}

static void check_ctf_input(const char *path, struct tt_bytes input)
{
    with_folder(path, input, check);
}

Test(format_cache, ctf)
{
    cr_assert(each_file("tests/fuzz/corpus/fuzz_ctf/*", check_ctf_input));
}

Test(format_cache, names_from_the_user)
{
    char path[] = "/tmp/tracetui-keep-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    static const char names[] = "[user]\n1 = first\n2 = second\n[interrupt]\n33 = timer\n";
    cr_assert_eq(write(fd, names, sizeof names - 1), (ssize_t)sizeof names - 1);
    close(fd);
    struct tt_bytes bytes = read_file("samples/demo.kev");
    struct tt_capture_options options = {.names_path = path};
    check_options(path, bytes, &options);
    free((void *)(uintptr_t)bytes.data);
    unlink(path);
}

/* Registers an object: a pointer means it from this record on, and another one later. */
static void register_pointer(struct fxt_out *out, const char *name)
{
    size_t at = fxt_begin(out, 6 | (uint64_t)FXT_INLINE(strlen(name)) << 24);
    fxt_word(out, 0xabcd);
    fxt_word(out, 1);
    fxt_text(out, name);
    fxt_end(out, at);
}

static void point_to_it(struct fxt_out *out, uint64_t ticks)
{
    size_t at = fxt_begin(out, fxt_event(0, 1, 0, 0, 0));
    fxt_word(out, ticks);
    fxt_word(out, 1);
    fxt_word(out, 2);
    fxt_arg_long(out, 7, "p", 0xabcd);
    fxt_end(out, at);
}

Test(format_cache, pointers_by_position)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t i = 0; i < 300; i++) { /* more registrations than one history has */
        char name[32];
        snprintf(name, sizeof name, "object %u", (unsigned)i);
        point_to_it(&out, 2 * i);
        register_pointer(&out, name);
    }
    check_and_free("pointers", tt_bytes_of(out.bytes, out.size));
}

/* Definitions have no time: they have that of their provider's last record, sections ago. */
Test(format_cache, definitions_of_two_providers)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "one");
    fxt_provider_info(&out, 2, "two");
    for (uint64_t i = 1; i < 100; i++) {
        fxt_section(&out, 1);
        fxt_string(&out, 1 + i % 3, i % 2 ? "odd" : "even");
        fxt_simple_event(&out, 0, 1000 * i, 1, 2, "c", "one");
        fxt_section(&out, 2);
        fxt_string(&out, 1 + i % 3, i % 2 ? "other" : "another");
        fxt_simple_event(&out, 0, 7 * i, 3, 4, "c", "two");
    }
    check_and_free("providers", tt_bytes_of(out.bytes, out.size));
}

/* Parts so far apart that a walk does not find them. */
Test(format_cache, distant_parts)
{
    static const uint8_t data[240] = "parts";
    struct stream s = {0};
    for (uint32_t i = 0; i < 200; i++) {
        stream_switch(&s, i, 0x1000 + i % 5 * 4);
        if (i % 90 == 0) {
            unsigned what = i == 0 ? 1 : i == 90 ? 2 : 3;
            uint32_t from = i / 90 * 80;
            stream_part(&s, what, 194, 1, i, 7, 240, what == 1 ? 5 : from, data + from, 80);
        }
    }
    check_and_free("parts", tt_bytes_of(s.bytes, s.size));
}

/* ---- invalid sections ------------------------------------------------------------------- */

static void ask_all(const struct learnt *l, struct tt_capture *c)
{
    struct tt_cursor *cursor = c->format->cursor_new(c, false);
    cr_assert_not_null(cursor);
    for (size_t i = 0; i < l->block_count; i++) {
        free(tell_block(c, cursor, &l->blocks[i]));
    }
    tt_cursor_free(c->format, cursor);
}

/* The decoder's section, modified in a copy of exactly its size. */
struct change {
    const struct learnt *l;
    const struct kept *kept;
    uint8_t *copy;
    uint64_t size;
};

static bool is_refused(const struct change *change, uint64_t size)
{
    struct tt_capture *c = restore(change->l, change->kept, tt_bytes_of(change->copy, size));
    if (c) {
        ask_all(change->l, c);
        tt_capture_free(c);
    }
    return !c;
}

/*
 * Modifies the bytes one by one, by a small and a large change; at most `most` positions across the
 * section.
 */
static void change_bytes(const struct change *change, uint64_t most)
{
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    uint64_t step = change->size / most + 1;
    for (uint64_t at = 0; at < change->size; at += step) {
        for (size_t i = 0; i < sizeof flips; i++) {
            change->copy[at] ^= flips[i];
            is_refused(change, change->size);
            change->copy[at] ^= flips[i];
        }
    }
}

static void cut_off(const struct change *change, uint64_t most, const char *path)
{
    uint64_t step = change->size / most + 1;
    for (uint64_t size = 0; size < change->size; size += step) {
        cr_expect(is_refused(change, size), "%s: cut to %llu of %llu bytes", path,
                  (unsigned long long)size, (unsigned long long)change->size);
    }
}

static void check_changes(const char *path, struct tt_bytes bytes)
{
    struct learnt l;
    struct tt_capture_options options = {.definitions = true};
    cr_assert(learn(&l, bytes, &options), "%s: does not open, or its format has no keep", path);
    struct kept kept = keep(l.capture);
    struct tt_bytes decoder = kept.file.sections[TT_SECTION_DECODER].bytes;
    struct change change = {&l, &kept, malloc((size_t)decoder.size), decoder.size};
    memcpy(change.copy, decoder.data, (size_t)decoder.size);
    cr_expect_not(is_refused(&change, change.size), "%s", path);
    change_bytes(&change, 400);
    cut_off(&change, 200, path);
    free(change.copy);
    forget(&l);
    free(kept.bytes);
}

static void change_fxt_input(const char *path, struct tt_bytes input)
{
    struct tt_bytes bytes = fxt_of_input(input);
    check_changes(path, bytes);
    free((void *)(uintptr_t)bytes.data);
}

static void change_btrace_input(const char *path, struct tt_bytes input)
{
    struct tt_bytes bytes = btrace_of_input(input);
    check_changes(path, bytes);
    free((void *)(uintptr_t)bytes.data);
}

static void change_kev_input(const char *path, struct tt_bytes input)
{
    struct tt_bytes bytes = kev_of_input(input, "8.0.0");
    check_changes(path, bytes);
    free((void *)(uintptr_t)bytes.data);
}

static void change_ctf_input(const char *path, struct tt_bytes input)
{
    with_folder(path, input, check_changes);
}

Test(format_cache, changed_sections_of_ctf_do_no_harm)
{
    cr_assert(each_file("tests/fuzz/corpus/fuzz_ctf/*", change_ctf_input));
}

Test(format_cache, changed_sections_do_no_harm)
{
    cr_assert(each_file("tests/fuzz/corpus/fuzz_fxt/*_le", change_fxt_input));
    cr_assert(each_file("tests/fuzz/corpus/fuzz_btrace/*", change_btrace_input));
    cr_assert(each_file("tests/fuzz/corpus/fuzz_kev/*_wide_le", change_kev_input));
}

/* Modifies each byte of some of the cursor states, which are in the same file. */
static void change_states(const char *path, struct tt_bytes bytes)
{
    static const uint8_t flips[] = {0x01, 0x02, 0x80, 0xff};
    struct learnt l;
    struct tt_capture_options options = {0};
    cr_assert(learn(&l, bytes, &options), "%s", path);
    for (size_t b = 0; b < l.block_count; b += 1 + l.block_count / 10) {
        uint8_t *blob = l.blocks[b].blob;
        struct tt_cursor *cursor = l.capture->format->cursor_new(l.capture, false);
        for (size_t at = 0; at < l.blocks[b].blob_size; at++) {
            for (size_t i = 0; i < sizeof flips; i++) {
                blob[at] ^= flips[i];
                free(tell_block(l.capture, cursor, &l.blocks[b]));
                blob[at] ^= flips[i];
            }
        }
        tt_cursor_free(l.capture->format, cursor);
    }
    forget(&l);
}

/* With a ring per CPU a state has more members. */
static void change_states_of_rings(const char *path, struct tt_bytes bytes)
{
    static const char key[] = "TRACE_SYS_RELEASE::";
    for (uint64_t at = 0; at + sizeof key < bytes.size && at < 4096; at++) {
        if (memcmp(bytes.data + at, key, sizeof key - 1) == 0) {
            ((uint8_t *)(uintptr_t)bytes.data)[at + sizeof key - 1] = '8';
        }
    }
    change_states(path, bytes);
}

Test(format_cache, changed_states_do_no_harm)
{
    cr_assert(each_file("samples/demo.kev", change_states));
    cr_assert(each_file("samples/demo.kev", change_states_of_rings));
    cr_assert(each_file("samples/demo.fxt", change_states));
    cr_assert(each_file("samples/demo.btrace", change_states));
}

Test(format_cache, the_cache_of_another_capture_is_rejected)
{
    struct tt_bytes one = read_file("samples/fast1.kev"), other = read_file("samples/wide4.kev");
    struct tt_capture_options options = {0};
    struct learnt a, b;
    cr_assert(learn(&a, one, &options) && learn(&b, other, &options));
    struct kept kept_a = keep(a.capture), kept_b = keep(b.capture);
    cr_expect_null(restore(&a, &kept_a, kept_b.file.sections[TT_SECTION_DECODER].bytes));
    forget(&a);
    forget(&b);
    free(kept_a.bytes);
    free(kept_b.bytes);
    free((void *)(uintptr_t)one.data);
    free((void *)(uintptr_t)other.data);
}

/* Cursors of QNX look types up by their code: class << 10 | event, 15 bits. */
Test(format_cache, types_with_codes_beyond_the_format_are_rejected)
{
    static const struct {
        uint64_t code;
        bool good;
    } cases[] = {{0x7fff, true}, {0x8000, false}, {0x8001, false}, {UINT64_MAX, false}};
    struct tt_bytes bytes = read_file("samples/demo.kev");
    struct tt_capture_options options = {0};
    struct learnt l;
    cr_assert(learn(&l, bytes, &options));
    struct tt_event_type *last =
        (struct tt_event_type *)(uintptr_t)tt_types_at(l.capture, tt_types_count(l.capture) - 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        last->code = cases[i].code;
        struct kept kept = keep(l.capture);
        struct tt_capture *c = restore(&l, &kept, kept.file.sections[TT_SECTION_DECODER].bytes);
        cr_expect_eq(c != NULL, cases[i].good, "code %llx", (unsigned long long)cases[i].code);
        tt_capture_free(c);
        free(kept.bytes);
    }
    forget(&l);
    free((void *)(uintptr_t)bytes.data);
}

/* Values of tables are numbers of series and texts of the capture. */
Test(format_cache, values_beyond_the_tables_of_the_capture_are_rejected)
{
    struct tt_bytes bytes = read_file("samples/demo.fxt");
    struct tt_capture_options options = {0};
    for (unsigned i = 0; i < 4; i++) {
        struct learnt l;
        cr_assert(learn(&l, bytes, &options));
        struct tt_fxt *fxt = l.capture->decoder;
        uint64_t beyond = i % 2;
        bool put =
            i < 2 ? tt_fxt_table_put(&fxt->series, UINT32_MAX, 0, 0,
                                     tt_series_count(l.capture) - 1 + beyond)
                  : tt_fxt_table_put(&fxt->series_names, UINT32_MAX, 0, 0,
                                     tt_column_count(&l.capture->tables->strings) - 1 + beyond);
        cr_assert(put);
        struct kept kept = keep(l.capture);
        struct tt_capture *c = restore(&l, &kept, kept.file.sections[TT_SECTION_DECODER].bytes);
        cr_expect_eq(c != NULL, !beyond, "table %u", i);
        tt_capture_free(c);
        free(kept.bytes);
        forget(&l);
    }
    free((void *)(uintptr_t)bytes.data);
}
