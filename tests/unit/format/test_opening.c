/* SPDX-License-Identifier: Apache-2.0 */
/* Results of opening in each format: all facts, and whether two files open with the same state. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"
#include "fxt_build.h"
#include "kev_build.h"
#include "trx_build.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Opens the bytes as the format with this name, without a probe: small files have few signs. */
static struct tt_capture *open_bytes(const char *format, const void *bytes, size_t size)
{
    struct tt_capture *c;
    unsigned at = 0;
    while (strcmp(tt_formats[at]->name, format) != 0) {
        at++;
    }
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &c);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_formats[at]->open(c, NULL);
    cr_assert(!tt_failed(&status), "%s", status.text);
    c->format = tt_formats[at];
    return c;
}

/* ---- facts -------------------------------------------------------------------------------- */

/* Compares all facts after opening, a line for each: "section: key = value". */
static void check_facts(const char *format, const void *bytes, size_t size, const char *wanted)
{
    struct tt_capture *c = open_bytes(format, bytes, size);
    static char lines[8192];
    struct tt_text text = tt_text_of(lines, sizeof lines);
    for (uint32_t i = 0; i < tt_facts_count(c); i++) {
        const struct tt_fact *fact = tt_facts_at(c, i);
        tt_text_str(&text, fact->section);
        tt_text_str(&text, ": ");
        tt_text_str(&text, fact->key);
        tt_text_str(&text, " = ");
        tt_text_str(&text, fact->value);
        tt_text_char(&text, '\n');
    }
    cr_expect_str_eq(tt_text_cstr(&text), wanted, "%s", tt_text_cstr(&text));
    tt_capture_free(c);
}

#define THREADX_RATE "clock: rate = not in the capture: times are ticks (--clock HZ)\n"
#define THREADX_REGISTRY                                                                           \
    "registry: objects = 1 of 1 slots\n"                                                           \
    "registry: thread 0x1000 = name=\"alpha\" stack_start=0x100 stack_size=512\n"
/* 48 bytes of header, 48 of the object, 32 for each of 2 entries; the second one is the oldest. */
#define THREADX_NARROW                                                                             \
    "header: ULONG = 32 bits\n"                                                                    \
    "header: byte order = little-endian\n"                                                         \
    "header: timer mask = 0x0000ffff\n"                                                            \
    "header: trace base = 0x20000000\n"                                                            \
    "header: registry start = 0x20000030\n"                                                        \
    "header: registry end = 0x20000060\n"                                                          \
    "header: object name size = 32\n"                                                              \
    "header: buffer start = 0x20000060\n"                                                          \
    "header: buffer end = 0x200000a0\n"                                                            \
    "header: buffer oldest = 0x20000080\n" THREADX_RATE THREADX_REGISTRY
/* 96 bytes of header, 64 of the object, 64 for each entry. */
#define THREADX_WIDE                                                                               \
    "header: ULONG = 64 bits\n"                                                                    \
    "header: byte order = big-endian\n"                                                            \
    "header: timer mask = 0x0000ffff\n"                                                            \
    "header: trace base = 0x20000000\n"                                                            \
    "header: registry start = 0x20000060\n"                                                        \
    "header: registry end = 0x200000a0\n"                                                          \
    "header: object name size = 32\n"                                                              \
    "header: buffer start = 0x200000a0\n"                                                          \
    "header: buffer end = 0x20000120\n"                                                            \
    "header: buffer oldest = 0x200000e0\n" THREADX_RATE THREADX_REGISTRY

Test(opening, facts_of_threadx)
{
    static const struct trx_kit_object objects[] = {
        {.type = 1, .address = 0x1000, .parameters = {0x100, 512}, .name = "alpha"},
    };
    static const struct trx_kit_entry entries[] = {{{0x1000, 5, 103, 1}}, {{0x1000, 5, 103, 2}}};
    struct trx_kit_buffer buffer = {.mask = 0xffff,
                                    .objects = objects,
                                    .object_count = 1,
                                    .entries = entries,
                                    .entry_count = 2,
                                    .oldest = 1};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct trx_bytes wide = trx_as_layout(&bytes, true, true);
    struct trx_bytes hex = trx_as_intel_hex(&bytes);
    check_facts("trx", bytes.data, bytes.size, THREADX_NARROW);
    check_facts("trx", wide.data, wide.size, THREADX_WIDE);
    check_facts("trx", hex.data, hex.size,
                "header: container = Intel HEX\n"
                "header: offsets = count in the bytes that the container holds\n" THREADX_NARROW);
    trx_bytes_free(&bytes);
    trx_bytes_free(&wide);
    trx_bytes_free(&hex);
}

Test(opening, facts_of_btrace)
{
    static const uint32_t info[] = {0xd58637bd, 0xe0431bde, 1};
    struct stream s = {0};
    stream_record(&s, &(struct rec){.category = 15, .sub = 2});
    check_facts("btrace", s.bytes, s.size, "clock: timestamps = none\n");
    stream_free(&s);
    stream_words(&s, 7, 0, 1, info, 3);
    stream_words(&s, 7, 0, 2, info, 3);
    check_facts("btrace", s.bytes, s.size,
                "clock: timestamps = Timestamp\n"
                "clock: width = 32 bits, unwrapped\n"
                "clock: direction = counts up\n"
                "clock: period = not in the capture (no EMetaTraceTimestampsInfo)\n");
    stream_free(&s);
    for (unsigned i = 0; i < 9; i++) {
        stream_record(&s, &(struct rec){.flags = TS | TS2,
                                        .category = 15,
                                        .ts = 100 - i,
                                        .ts2 = 7,
                                        .data = info,
                                        .length = sizeof info});
    }
    check_facts("btrace", s.bytes, s.size,
                "clock: timestamps = Timestamp and Timestamp2\n"
                "clock: width = 64 bits, Timestamp2 is the high half\n"
                "clock: direction = counts down\n"
                "clock: period of Timestamp = 1 µs (0xd58637bd)\n"
                "clock: period of Timestamp2 = 1.024 ms (0xe0431bde)\n");
    stream_free(&s);
}

Test(opening, facts_of_fuchsia)
{
    struct fxt_out out = {.big = true};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "one");
    fxt_init(&out, 1000);
    fxt_simple_event(&out, 0, 10, 1, 2, "c", "n");
    check_facts("fxt", out.bytes, out.size,
                "header: byte order = big-endian\n"
                "header: magic number = present\n"
                "clock: unit = ticks\n"
                "clock: ticks a second = 1000\n");
    fxt_provider_info(&out, 2, "two");
    fxt_init(&out, 2000);
    fxt_simple_event(&out, 0, 10, 1, 2, "c", "n");
    check_facts("fxt", out.bytes, out.size,
                "header: byte order = big-endian\n"
                "header: magic number = present\n"
                "clock: unit = nanoseconds: the providers' clocks differ\n"
                "clock: ticks a second = 1000000000\n");
    free(out.bytes);
    out = (struct fxt_out){.big = false};
    fxt_simple_event(&out, 0, 10, 1, 2, "c", "n");
    check_facts("fxt", out.bytes, out.size,
                "header: byte order = little-endian\n"
                "header: magic number = missing\n"
                "clock: unit = ticks\n"
                "clock: ticks a second = 1000000000\n");
    free(out.bytes);
}

/* ---- files that open alike ---------------------------------------------------------------- */

#define FILES_MAX 16

struct files {
    struct tt_bytes bytes[FILES_MAX];
    unsigned count;
};

static void add_file(struct files *files, const void *bytes, size_t size)
{
    void *copy = malloc(size);
    cr_assert(copy && files->count < FILES_MAX);
    memcpy(copy, bytes, size);
    files->bytes[files->count++] = tt_bytes_of(copy, size);
}

/* Each file opens as itself and as no other. */
static void check_files(const char *format, struct files *files)
{
    for (unsigned i = 0; i < files->count; i++) {
        struct tt_capture *a = open_bytes(format, files->bytes[i].data, files->bytes[i].size);
        for (unsigned k = 0; k < files->count; k++) {
            struct tt_capture *b = open_bytes(format, files->bytes[k].data, files->bytes[k].size);
            bool same = a->opening == b->opening && a->big_endian == b->big_endian &&
                        a->streams == b->streams;
            cr_expect_eq(same, i == k, "files %u and %u", i, k);
            tt_capture_free(b);
        }
        tt_capture_free(a);
    }
    for (unsigned i = 0; i < files->count; i++) {
        free((void *)(uintptr_t)files->bytes[i].data);
    }
}

struct kev_file {
    const char *release;
    bool big;
    const char *cpus;
    uint32_t msb; /* of the TIME on CPU 0; 0: no TIME */
    unsigned last_cpu;
    bool swapped;     /* the name is swapped word by word */
    const char *more; /* of the header */
};

static void add_kev(struct files *files, const struct kev_file *file)
{
    static const uint32_t name[] = {0x61626364, 0x65666768, 0x6a000000};
    struct kev_build b;
    kev_build_empty(&b, file->big);
    kev_build_text(&b, "TRACE_HEADER_BEGIN::TRACE_CYCLES_PER_SEC::1000");
    kev_build_text(&b, file->big ? "TRACE_BIG_ENDIAN::TRUE" : "TRACE_LITTLE_ENDIAN::TRUE");
    kev_build_text(&b, "TRACE_SYS_RELEASE::");
    kev_build_text(&b, file->release);
    kev_build_text(&b, "TRACE_CPU_NUM::");
    kev_build_text(&b, file->cpus);
    kev_build_text(&b, file->more ? file->more : "");
    kev_build_text(&b, "TRACE_SYSPAGE_LEN::0TRACE_HEADER_END::");
    kev_build_slots_begin(&b);
    if (file->msb > 0) {
        kev_build_time(&b, 0, 100, file->msb);
    }
    kev_build_event(&b, 0, KB_USER, 1, 110, 2, 0, 0);
    kev_build_event(&b, file->last_cpu, KB_USER, 1, 120, 2, 0, 0);
    if (file->big) {
        uint32_t words[] = {1, 4099, name[0], name[1], name[2], 0};
        for (unsigned i = 2; file->swapped && i < 6; i++) {
            words[i] = (words[i] & 0xff) << 24 | (words[i] & 0xff00) << 8 |
                       (words[i] >> 8 & 0xff00) | words[i] >> 24;
        }
        kev_build_words(&b, 0, KB_THREAD, 192, 130, words, 6);
    }
    add_file(files, b.bytes, b.size);
    kev_build_free(&b);
}

Test(opening, qnx_files_that_differ)
{
    static const struct kev_file list[] = {
        {"7.1.0", false, "4", 7, 0, false, NULL},         {"6.4.1", false, "4", 7, 0, false, NULL},
        {"7.1.0", true, "4", 7, 0, false, NULL},          {"7.1.0", true, "4", 7, 0, true, NULL},
        {"7.1.0", false, "3", 7, 0, false, NULL},         {"7.1.0", false, "4", 8, 0, false, NULL},
        {"7.1.0", false, "4", 7, 1, false, NULL},         {"7.1.0", false, "4", 0, 0, false, NULL},
        {"7.1.0", false, "4", 7, 0, false, "TRACE_X::1"},
    };
    struct files files = {.count = 0};
    for (size_t i = 0; i < COUNT(list); i++) {
        add_kev(&files, &list[i]);
    }
    check_files("kev", &files);
}

struct btrace_file {
    uint32_t info[3]; /* 0: no record with the periods */
    uint32_t ts[3];
    uint32_t ts2[3];
    uint8_t flags;
};

Test(opening, btrace_files_that_differ)
{
    static const struct btrace_file list[] = {
        {{0xd58637bd, 0xe0431bde, 1}, {100, 200, 300}, {7, 7, 7}, TS | TS2},
        {{0xd58637bd, 0xe0431bde, 3}, {100, 200, 300}, {7, 7, 7}, TS | TS2}, /* another flag */
        {{0xd58637bd, 0xe0431bdf, 1}, {100, 200, 300}, {7, 7, 7}, TS | TS2}, /* period of TS2 */
        {{0xd58637be, 0xe0431bde, 1}, {100, 200, 300}, {7, 7, 7}, TS | TS2}, /* period of TS */
        {{0xd58637bd, 0xe0431bde, 0}, {100, 200, 300}, {7, 7, 7}, TS | TS2}, /* 32 bits */
        {{0xd58637bd, 0xe0431bde, 1}, {300, 200, 100}, {7, 7, 7}, TS | TS2}, /* counts down */
        {{0xd58637bd, 0xe0431bde, 1}, {101, 200, 300}, {7, 7, 7}, TS | TS2}, /* first time */
        {{0xd58637bd, 0xe0431bde, 1}, {100, 200, 300}, {8, 8, 8}, TS | TS2},
        {{0, 0, 0}, {100, 200, 300}, {7, 7, 7}, TS | TS2},
        {{0xd58637bd, 0xe0431bde, 1}, {100, 200, 300}, {7, 7, 7}, TS},
        {{0xd58637bd, 0xe0431bde, 1}, {100, 200, 300}, {7, 8, 9}, TS2},
        {{0xd58637bd, 0xe0431bde, 1}, {100, 200, 300}, {7, 8, 9}, 0},
    };
    struct files files = {.count = 0};
    for (size_t i = 0; i < COUNT(list); i++) {
        const struct btrace_file *file = &list[i];
        struct stream s = {0};
        for (unsigned n = 0; n < 3; n++) {
            bool info = n == 0 && file->info[0] != 0;
            stream_record(&s, &(struct rec){.flags = file->flags,
                                            .category = 15,
                                            .sub = info ? 0 : 2,
                                            .ts = file->ts[n],
                                            .ts2 = file->ts2[n],
                                            .data = info ? file->info : NULL,
                                            .length = info ? 12 : 0});
        }
        add_file(&files, s.bytes, s.size);
        stream_free(&s);
    }
    check_files("btrace", &files);
}

Test(opening, fuchsia_files_that_differ)
{
    static const struct {
        bool big;
        uint64_t rate, ticks;
    } list[] = {{false, 1000, 10}, {true, 1000, 10}, {false, 2000, 10}, {false, 1000, 11}};
    struct files files = {.count = 0};
    for (size_t i = 0; i < COUNT(list); i++) {
        struct fxt_out out = {.big = list[i].big};
        fxt_magic(&out);
        fxt_init(&out, list[i].rate);
        fxt_simple_event(&out, 0, list[i].ticks, 1, 2, "c", "n");
        add_file(&files, out.bytes, out.size);
        free(out.bytes);
    }
    check_files("fxt", &files);
}

Test(opening, threadx_files_that_differ)
{
    static const struct trx_kit_object objects[] = {
        {.type = 1, .address = 0x1000, .parameters = {0x100, 512}, .name = "alpha"},
        {.type = 1, .address = 0x2000, .parameters = {0x100, 512}, .name = "beta"},
    };
    static const struct trx_kit_entry entries[] = {
        {{0x1000, 5, 103, 1}}, {{0x1000, 5, 103, 2}}, {{0x1000, 5, 103, 3}}};
    struct files files = {.count = 0};
    for (unsigned i = 0; i < 3; i++) {
        struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                        .objects = objects,
                                        .object_count = i == 1 ? 2 : 1,
                                        .entries = entries,
                                        .entry_count = i == 2 ? 3 : 2};
        struct trx_bytes bytes = trx_kit_make(&buffer);
        add_file(&files, bytes.data, bytes.size);
        if (i == 0) {
            struct trx_bytes hex = trx_as_intel_hex(&bytes);
            add_file(&files, hex.data, hex.size);
            trx_bytes_free(&hex);
            add_file(&files, bytes.data, 48 + 48 - 1); /* a registry that is not whole */
        }
        trx_bytes_free(&bytes);
    }
    check_files("trx", &files);
}

/* ---- clocks ------------------------------------------------------------------------------- */

/* Opens the bytes with a clock of 5 Hz from the user. */
static void check_clock(const char *format, const void *bytes, size_t size, uint64_t wanted)
{
    static const struct tt_capture_options user = {.clock_hz = 5};
    struct tt_capture *c;
    unsigned at = 0;
    while (strcmp(tt_formats[at]->name, format) != 0) {
        at++;
    }
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &c);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_formats[at]->open(c, &user);
    cr_assert(!tt_failed(&status), "%s", status.text);
    c->format = tt_formats[at];
    cr_expect_eq(c->clock_hz, wanted, "%s: %llu Hz", format, (unsigned long long)c->clock_hz);
    tt_capture_free(c);
}

Test(opening, a_clock_of_the_user_counts_where_the_file_has_none)
{
    for (unsigned has = 0; has < 2; has++) {
        struct kev_build b;
        kev_build_empty(&b, false);
        kev_build_text(&b, "TRACE_HEADER_BEGIN::");
        kev_build_text(&b, has ? "TRACE_CYCLES_PER_SEC::1000" : "");
        kev_build_text(&b, "TRACE_LITTLE_ENDIAN::TRUETRACE_SYS_RELEASE::7.1.0TRACE_CPU_NUM::1");
        kev_build_text(&b, "TRACE_SYSPAGE_LEN::0TRACE_HEADER_END::");
        kev_build_slots_begin(&b);
        kev_build_event(&b, 0, KB_USER, 1, 110, 2, 0, 0);
        check_clock("kev", b.bytes, b.size, has ? 1000 : 5);
        kev_build_free(&b);
        struct fxt_out fxt = {.big = false};
        fxt_magic(&fxt);
        if (has) {
            fxt_init(&fxt, 24000000);
        }
        fxt_simple_event(&fxt, 0, 5, 1, 2, "c", "n");
        check_clock("fxt", fxt.bytes, fxt.size, has ? 24000000 : 1000000000);
        free(fxt.bytes);
    }
}
