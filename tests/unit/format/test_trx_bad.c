/* SPDX-License-Identifier: Apache-2.0 */
/* Bad input: readable parts are decoded, problems are reported, and all accesses stay in bounds. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "event_of.h"
#include "format/trx/trx_tables.h"
#include "trx_build.h"

#define A 0x1000u

/* Header words by offset, in a 32-bit buffer. */
enum {
    MASK = 4,
    BASE = 8,
    REGISTRY_START = 12,
    NAME_SIZE = 16,
    REGISTRY_END = 20,
    BUFFER_START = 24,
    BUFFER_END = 28,
    OLDEST = 32
};

static struct trx_bytes sound(void)
{
    static const struct trx_kit_object objects[] = {
        {.type = TRX_OBJECT_THREAD, .address = A, .name = "alpha"},
        {.type = TRX_OBJECT_QUEUE, .address = 0x3000, .name = "queue"},
    };
    static struct trx_kit_entry entries[20];
    for (uint32_t i = 0; i < 20; i++) {
        entries[i] = (struct trx_kit_entry){{A, 5, 68, 10 * i, 0x3000, 0x140, 0, i}};
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = objects,
                                    .object_count = 2,
                                    .entries = entries,
                                    .entry_count = 20};
    return trx_kit_make(&buffer);
}

/* Decodes a sound buffer with the word at `offset` overwritten. */
static void load_with(struct trx_kit *kit, size_t offset, uint32_t value)
{
    struct trx_bytes bytes = sound();
    trx_kit_put_word(&bytes, false, false, offset, value);
    trx_kit_load(kit, &bytes);
    kit->owned = bytes;
    trx_kit_touch_all(kit);
}

static void check_all_there(const struct trx_kit *kit)
{
    cr_assert_eq(kit->count, 20);
    cr_assert_str_eq(trx_kit_thread(kit, 0), "alpha");
    cr_assert_eq(kit->events[19].ticks, 190);
}

static void check_with(size_t offset, uint32_t value, enum tt_health_kind kind, uint32_t events)
{
    struct trx_kit kit;
    load_with(&kit, offset, value);
    cr_assert_eq(kit.count, events, "word %zu = 0x%x: %u events", offset, value, kit.count);
    cr_assert_geq(tt_health_count(kit.capture, kind), 1, "word %zu = 0x%x", offset, value);
    if (events == 20) {
        check_all_there(&kit);
    }
    trx_kit_close(&kit);
}

Test(trx_bad, header_pointers)
{
    const uint32_t start = TRX_KIT_BASE + 48 + 2 * 48;
    check_with(BASE, 0, TT_HEALTH_MALFORMED, 20);
    check_with(BASE, 0xfffffff0, TT_HEALTH_MALFORMED, 20);
    check_with(REGISTRY_START, 0, TT_HEALTH_MALFORMED, 20);
    check_with(REGISTRY_START, 0xffffff00, TT_HEALTH_MALFORMED, 20);
    check_with(REGISTRY_START, start + 96, TT_HEALTH_MALFORMED, 20);
    check_with(REGISTRY_END, 0, TT_HEALTH_HEADER, 20);
    check_with(REGISTRY_END, 0xffffffff, TT_HEALTH_HEADER, 20);
    check_with(BUFFER_START, 0, TT_HEALTH_MALFORMED, 0);
    check_with(BUFFER_START, TRX_KIT_BASE, TT_HEALTH_MALFORMED, 0);
    check_with(BUFFER_START, 0xfffffff0, TT_HEALTH_MALFORMED, 0);
    check_with(BUFFER_END, 0, TT_HEALTH_MALFORMED, 20);
    check_with(BUFFER_END, start, TT_HEALTH_MALFORMED, 20);
    check_with(BUFFER_END, start - 32, TT_HEALTH_MALFORMED, 20);
    check_with(BUFFER_END, 0xffffffff, TT_HEALTH_TRUNCATED, 20);
    check_with(OLDEST, start + 5, TT_HEALTH_HEADER, 20);
    check_with(OLDEST, 0, TT_HEALTH_HEADER, 20);
    check_with(OLDEST, 0xffffffff, TT_HEALTH_HEADER, 20);
}

Test(trx_bad, registry_of_impossible_size)
{
    struct trx_bytes bytes = sound();
    trx_kit_put_word(&bytes, false, false, REGISTRY_END, 0xf0000000);
    trx_kit_put_word(&bytes, false, false, BUFFER_START, 0xf0000000);
    trx_kit_put_word(&bytes, false, false, BUFFER_END, 0xf0000280);
    trx_kit_put_word(&bytes, false, false, OLDEST, 0xf0000000);
    struct trx_kit kit;
    trx_kit_load(&kit, &bytes);
    kit.owned = bytes;
    cr_assert_eq(kit.count, 0);
    cr_assert(tt_health_damaged(kit.capture));
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "thread 0x1000"),
                     "name=\"alpha\" stack_start=0x0 stack_size=0");
    trx_kit_close(&kit);
}

Test(trx_bad, name_sizes)
{
    struct trx_kit kit;
    load_with(&kit, NAME_SIZE, 0);
    cr_assert_eq(kit.count, 20);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_HEADER), 1);
    trx_kit_close(&kit);
    load_with(&kit, NAME_SIZE, 0xffffffff);
    cr_assert_eq(kit.count, 20);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_HEADER), 1);
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "objects"), "0 of 0 slots");
    trx_kit_close(&kit);
}

Test(trx_bad, header_words_at_their_limits)
{
    static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t offset = 4; offset < 48; offset += 4) {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            struct trx_kit kit;
            load_with(&kit, offset, values[i]);
            cr_assert_leq(kit.count, 2 * 24);
            trx_kit_close(&kit);
        }
    }
}

/* ---- other files ------------------------------------------------------------------------ */

static void check_refused(const char *text, size_t length, enum tt_code code)
{
    struct trx_bytes bytes = {malloc(length + 1), length};
    memcpy(bytes.data, text, length);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_eq(status.code, code, "'%.20s': %d %s", text, status.code, status.text);
    cr_assert(strlen(status.text) > 10);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

Test(trx_bad, other_files_named_trx)
{
    static const char xml[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><TestRun id=\"1\">";
    static const char marked[] = "\xef\xbb\xbf<?xml version=\"1.0\"?><TestRun/>";
    static const char text[] = "Some notes about a trace, 42 of them.\n";
    static const char hex[] = ":10000000AABBCCDDEEFF00112233445566778899A8\n:00000001FF\n";
    static const char srec[] = "S1130000285F245F2212226A000424290008237C2A\nS9030000FC\n";
    check_refused(xml, sizeof xml - 1, TT_ERR_NOT_CAPTURE);
    check_refused(marked, sizeof marked - 1, TT_ERR_NOT_CAPTURE);
    check_refused(text, sizeof text - 1, TT_ERR_NOT_CAPTURE);
    check_refused(hex, sizeof hex - 1, TT_ERR_NOT_CAPTURE);
    check_refused(srec, sizeof srec - 1, TT_ERR_NOT_CAPTURE);
    check_refused("", 0, TT_ERR_NOT_CAPTURE);
    check_refused("BTXT\xff\xff\xff\xff", 8, TT_ERR_FORMAT);
    check_refused("42545854ffffffff", 16, TT_ERR_FORMAT);
}

/* ---- truncated files -------------------------------------------------------------------- */

static void check_cut(const struct trx_bytes *whole, size_t length)
{
    /* A copy: the sanitizer finds reads beyond it. */
    struct trx_bytes cut = {malloc(length ? length : 1), length};
    memcpy(cut.data, whole->data, length);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &cut, NULL);
    if (!tt_failed(&status)) {
        cr_assert(trx_kit_decode(&kit, 64));
        trx_kit_touch_all(&kit);
        cr_assert_leq(kit.records, length / 32);
    }
    trx_kit_close(&kit);
    trx_bytes_free(&cut);
}

static void check_cuts(const struct trx_bytes *whole)
{
    uint64_t seed = 7;
    for (size_t length = 0; length < 4096 && length < whole->size; length++) {
        check_cut(whole, length);
    }
    for (size_t back = 1; back <= 256 && back <= whole->size; back++) {
        check_cut(whole, whole->size - back);
    }
    for (unsigned i = 0; i < 500; i++) {
        check_cut(whole, (size_t)(trx_kit_random(&seed) % whole->size));
    }
}

Test(trx_bad, truncated_buffers_show_the_rest)
{
    struct trx_bytes bytes = sound();
    for (size_t entries = 0; entries < 20; entries++) {
        struct trx_bytes cut = {bytes.data, 48 + 2 * 48 + 32 * entries + 7};
        struct trx_kit kit;
        trx_kit_load(&kit, &cut);
        cr_assert_eq(kit.count, entries);
        cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_TRUNCATED), 1);
        cr_assert_eq(tt_health_at(kit.capture, 0).value, 20 - entries);
        cr_assert_eq(tt_health_at(kit.capture, 0).offset, cut.size);
        trx_kit_close(&kit);
    }
    trx_bytes_free(&bytes);
}

Test(trx_bad, a_gap_where_the_ring_was_cut_is_a_loss)
{
    struct trx_bytes bytes = sound();
    const uint32_t start = TRX_KIT_BASE + 48 + 2 * 48;
    trx_kit_put_word(&bytes, false, false, OLDEST, start + 10 * 32);
    bytes.size -= 3 * 32;
    struct trx_kit kit;
    trx_kit_load(&kit, &bytes);
    kit.owned = bytes;
    cr_assert_eq(kit.count, 17);
    unsigned lost = 0;
    for (uint32_t i = 0; i < kit.action_count; i++) {
        if (kit.actions[i].kind == TT_ACTION_LOST) {
            /* Entries 10..16, then the ring continues at 0. */
            cr_assert_eq(event_of(&kit.actions[i], kit.events, kit.count), 7);
            lost++;
        }
    }
    cr_assert_eq(lost, 1);
    trx_kit_close(&kit);
}

Test(trx_bad, truncated_built_captures)
{
    struct trx_bytes bytes = sound();
    struct trx_bytes wide = trx_as_layout(&bytes, true, true);
    struct trx_bytes hex = trx_as_intel_hex(&bytes);
    struct trx_bytes srec = trx_as_s_record(&bytes, 3);
    struct trx_bytes dump = trx_as_hex_dump(&bytes);
    check_cuts(&bytes);
    check_cuts(&wide);
    check_cuts(&hex);
    check_cuts(&srec);
    check_cuts(&dump);
    trx_bytes_free(&bytes);
    trx_bytes_free(&wide);
    trx_bytes_free(&hex);
    trx_bytes_free(&srec);
    trx_bytes_free(&dump);
}

static struct trx_bytes read_or_skip(const char *path)
{
    struct trx_bytes bytes = trx_bytes_read(path);
    if (!bytes.data) {
        cr_skip_test(TRX_CAPTURES " is not there");
    }
    return bytes;
}

Test(trx_bad, truncated_real_captures)
{
    struct trx_bytes bytes = read_or_skip(TRX_CAPTURES "demo_threadx.trx");
    check_cuts(&bytes);
    trx_bytes_free(&bytes);
}

/* ---- flipped bits ----------------------------------------------------------------------- */

static void mutate(struct trx_bytes *bytes, uint64_t *seed)
{
    static const uint8_t ends[] = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
    unsigned changes = 1 + (unsigned)(trx_kit_random(seed) % 8);
    for (unsigned i = 0; i < changes; i++) {
        /* Half of them in the header and the beginning of the registry. */
        size_t room = trx_kit_random(seed) % 2 && bytes->size > 160 ? 160 : bytes->size;
        size_t at = (size_t)(trx_kit_random(seed) % room);
        uint64_t how = trx_kit_random(seed);
        if (how % 2) {
            bytes->data[at] ^= (uint8_t)(1u << (how >> 8) % 8);
        } else {
            bytes->data[at] = ends[(how >> 8) % sizeof ends];
        }
    }
}

static void check_mutations(const struct trx_bytes *whole, unsigned count, uint64_t seed)
{
    for (unsigned i = 0; i < count; i++) {
        struct trx_bytes bytes = {malloc(whole->size), whole->size};
        memcpy(bytes.data, whole->data, whole->size);
        mutate(&bytes, &seed);
        struct trx_kit kit;
        struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
        if (!tt_failed(&status)) {
            cr_assert(trx_kit_decode(&kit, 300));
            cr_assert_leq(kit.records, whole->size / 32);
            trx_kit_touch_all(&kit);
        }
        trx_kit_close(&kit);
        trx_bytes_free(&bytes);
    }
}

Test(trx_bad, mutations_of_built_captures)
{
    struct trx_bytes bytes = sound();
    struct trx_bytes wide = trx_as_layout(&bytes, true, false);
    struct trx_bytes hex = trx_as_intel_hex(&bytes);
    struct trx_bytes srec = trx_as_s_record(&bytes, 4);
    check_mutations(&bytes, 4000, 1);
    check_mutations(&wide, 2000, 2);
    check_mutations(&hex, 1000, 3);
    check_mutations(&srec, 1000, 4);
    trx_bytes_free(&bytes);
    trx_bytes_free(&wide);
    trx_bytes_free(&hex);
    trx_bytes_free(&srec);
}

Test(trx_bad, mutations_of_real_captures)
{
    static const char *const paths[] = {
        TRX_CAPTURES "demo_threadx.trx", TRX_CAPTURES "demo_netx_tcp.trx",
        TRX_CAPTURES "gen_up_le32_wrapped.trx", TRX_CAPTURES "gen_smp_le64_4core.trx"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct trx_bytes bytes = read_or_skip(paths[i]);
        check_mutations(&bytes, 100, 11 + i);
        trx_bytes_free(&bytes);
    }
}

/* Entries whose look-ahead always reaches the end of the ring. */
Test(trx_bad, look_ahead_is_linear)
{
    enum { COUNT = 200000 };
    struct trx_kit_entry *entries = calloc(COUNT, sizeof *entries);
    cr_assert_not_null(entries);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t context = i % 4 == 0 ? A : 0xffffffff;
        uint64_t id = i % 4 == 0 ? 109 : 1;
        entries[i] = (struct trx_kit_entry){{context, 0, id, i, 0x100000 + i % 5, 0, 0, 0}};
    }
    struct trx_kit_buffer buffer = {
        .mask = UINT32_MAX, .entries = entries, .entry_count = COUNT, .oldest = 0};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.records, COUNT);
    trx_kit_close(&kit);
    free(entries);
}

/* Every entry has a context of its own: beyond a limit they share one. */
Test(trx_bad, as_many_threads_as_entries)
{
    enum { COUNT = 70000 };
    struct trx_kit_entry *entries = calloc(COUNT, sizeof *entries);
    cr_assert_not_null(entries);
    for (uint32_t i = 0; i < COUNT; i++) {
        entries[i] = (struct trx_kit_entry){{0x10000 + 4 * i, 5, 1 + i % 65535, i}};
    }
    struct trx_kit_buffer buffer = {
        .mask = UINT32_MAX, .entries = entries, .entry_count = COUNT, .oldest = 0};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.records, COUNT);
    cr_assert_lt(tt_thread_count(kit.capture), 65536);
    cr_assert_neq(kit.events[0].thread, TT_NO_THREAD);
    cr_assert_eq(kit.events[kit.count - 1].thread, TT_NO_THREAD);
    trx_kit_touch_all(&kit);
    trx_kit_close(&kit);
    free(entries);
}
