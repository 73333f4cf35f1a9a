/* SPDX-License-Identifier: Apache-2.0 */
/* Single entries of a ThreadX buffer: addresses of the network as text, and calls that resume a thread. */
#include <criterion/criterion.h>

#include "format/trx/trx_tables.h"
#include "trx_build.h"

#define A 0x1000u
#define B 0x2000u
#define C 0x3000u

static const struct trx_kit_object threads[] = {
    {.type = TRX_OBJECT_THREAD, .address = A, .parameters = {0x100, 512}, .name = "alpha"},
    {.type = TRX_OBJECT_THREAD, .address = B, .parameters = {0x300, 512}, .name = "beta"},
};

static void load(struct trx_kit *kit, const struct trx_kit_entry *entries, uint32_t count)
{
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = threads,
                                    .object_count = 2,
                                    .entries = entries,
                                    .entry_count = count};
    trx_kit_load_buffer(kit, &buffer);
    cr_assert_eq(kit->count, count);
}

Test(trx_entries, addresses_of_the_network_are_dotted)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 300, 1, C, 0xc0a80001u, 0, 0}},
                                                   {{A, 5, 300, 2, C, 0, 0, 0}},
                                                   {{A, 5, 300, 3, C, UINT32_MAX, 0, 0}}};
    static const char *const labels[] = {"192.168.0.1", "0.0.0.0", "255.255.255.255"};
    static struct tt_args args;
    struct trx_kit kit;
    load(&kit, entries, 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert(trx_kit_describe(&kit, i, &args));
        cr_expect(trx_kit_labelled(trx_kit_arg(&args, "source_ip"), labels[i]), "%s", labels[i]);
    }
    trx_kit_close(&kit);
}

/* The kind of a wake is that of the last call in the same context on the same core. */
Test(trx_entries, the_call_that_resumes_is_one_of_its_core)
{
    static const struct {
        struct trx_kit_entry entries[2];
        unsigned kind;
    } cases[] = {
        {{{{A, 5, 88, 1, C}}, {{A, 5, 1, 2, B}}}, TT_WAKE_POST},
        {{{{A, 5, 0x01000000 | 88, 1, C}}, {{A, 5, 1, 2, B}}}, TT_WAKE_UNKNOWN},
        {{{{B, 5, 88, 1, C}}, {{A, 5, 1, 2, B}}}, TT_WAKE_UNKNOWN},
        {{{{A, 5, 1, 1, B}}, {{A, 5, 1, 2, B}}}, TT_WAKE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trx_kit kit;
        struct tt_clue clue = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
        load(&kit, cases[i].entries, 2);
        kit.capture->format->clue(kit.capture, &kit.events[1], UINT64_MAX, true, &clue);
        cr_expect_eq(clue.role, TT_CLUE_WOKEN, "case %zu", i);
        cr_expect_eq(clue.kind, cases[i].kind, "case %zu: %u", i, clue.kind);
        cr_expect_eq(clue.value, cases[i].kind == TT_WAKE_POST ? C : 0, "case %zu", i);
        trx_kit_close(&kit);
    }
}
