/* SPDX-License-Identifier: Apache-2.0 */
/* Two captures of ThreadX 6.4.2 kernels: counts, cores, priorities, thresholds, objects. */
#include <criterion/criterion.h>
#include <string.h>

#include "trx_build.h"

static void load_or_skip(struct trx_kit *kit, const char *path)
{
    struct trx_bytes bytes = trx_bytes_read(path);
    if (!bytes.data) {
        cr_skip_test(TRX_CAPTURES " is not there");
    }
    trx_kit_load(kit, &bytes);
    kit->owned = bytes;
    trx_kit_touch_all(kit);
}

struct id_count {
    unsigned id;
    unsigned count;
};

static void check_ids(const struct trx_kit *kit, const struct id_count *ids, size_t count)
{
    unsigned total = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned found = 0;
        for (uint32_t k = 0; k < kit->count; k++) {
            bool derived = kit->events[k].flags & TT_EVENT_DERIVED;
            found += !derived && tt_types_at(kit->capture, kit->events[k].type)->code == ids[i].id;
        }
        cr_assert_eq(found, ids[i].count, "id %u: %u", ids[i].id, found);
        total += found;
    }
    cr_assert_eq(total, kit->records);
}

/* Counts the events in contexts of threads with this priority and threshold. */
static unsigned count_priorities(const struct trx_kit *kit, uint64_t priority, uint64_t threshold)
{
    static struct tt_args args;
    unsigned found = 0;
    for (uint32_t i = 0; i < kit->count; i++) {
        cr_assert(trx_kit_describe(kit, i, &args));
        const struct tt_arg *p = trx_kit_arg(&args, "priority");
        const struct tt_arg *t = trx_kit_arg(&args, "threshold");
        if (p && p->raw_length > 0 && p->hidden) {
            cr_assert_not_null(t);
            found += p->value.u == priority && t->value.u == threshold;
        }
    }
    return found;
}

static unsigned count_thread(const struct trx_kit *kit, const char *name)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < kit->count; i++) {
        bool derived = kit->events[i].flags & TT_EVENT_DERIVED;
        found += !derived && strcmp(trx_kit_thread(kit, i), name) == 0;
    }
    return found;
}

static void check_order(const struct trx_kit *kit)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < kit->count; i++) {
        if (!(kit->events[i].flags & TT_EVENT_DERIVED)) {
            cr_assert_geq(kit->events[i].ticks, ticks);
            ticks = kit->events[i].ticks;
        }
    }
}

/* Checks the objects created by the application of both captures. */
static void check_objects(const struct trx_kit *kit, const char *const keys[8],
                          const char *const values[8])
{
    cr_assert_str_eq(trx_kit_fact(kit, "registry", "objects"), "16 of 24 slots");
    for (size_t i = 0; i < 8; i++) {
        const char *fact = trx_kit_fact(kit, "registry", keys[i]);
        cr_assert_not_null(fact, "%s is missing", keys[i]);
        cr_assert_str_eq(fact, values[i]);
    }
}

Test(trx_real, wrapped_32_bit_buffer)
{
    static const struct id_count ids[] = {{68, 584}, {69, 582}, {1, 213},  {2, 209}, {112, 74},
                                          {3, 41},   {4, 41},   {109, 38}, {52, 33}, {57, 33},
                                          {10, 20},  {17, 20},  {20, 20},  {27, 20}, {83, 19},
                                          {36, 14},  {88, 14},  {32, 14},  {120, 8}, {4103, 8},
                                          {108, 1},  {107, 1},  {114, 1},  {111, 1}, {4098, 1}};
    static const char *const keys[] = {
        "thread 0x484ee0",     "mutex 0x4123c0",     "semaphore 0x412420", "queue 0x412460",
        "block pool 0x412300", "byte pool 0x4122a0", "timer 0x412240",     "thread 0x412f60"};
    static const char *const values[] = {
        "name=\"System Timer Thread\" stack_start=0x484d40 stack_size=400 priority=0",
        "name=\"inversion mutex\" inherit=0",
        "name=\"work sem\" initial_count=1",
        "name=\"small queue\" queue_bytes=64 message_words=1",
        "name=\"blk pool\" pool_bytes=1000 block_size=32",
        "name=\"byte pool with a rather long ob\" pool_bytes=4000",
        "name=\"app timer\" initial_ticks=5 reschedule_ticks=5",
        "name=\"high\" stack_start=0x4130d0 stack_size=20000 priority=4"};
    struct trx_kit kit;
    load_or_skip(&kit, TRX_CAPTURES "gen_up_le32_wrapped.trx");
    cr_assert_eq(kit.records, 2010);
    cr_assert_eq(kit.capture->cpu_count, 1);
    cr_assert_str_eq(trx_kit_fact(&kit, "recording", "oldest entry"), "1167");
    cr_assert_str_eq(trx_kit_fact(&kit, "header", "ULONG"), "32 bits");
    check_ids(&kit, ids, sizeof ids / sizeof ids[0]);
    check_objects(&kit, keys, values);
    check_order(&kit);
    cr_assert_eq(count_thread(&kit, "slicer A"), 649);
    cr_assert_eq(count_thread(&kit, "slicer B"), 647);
    cr_assert_eq(count_thread(&kit, "low"), 190);
    cr_assert_eq(count_thread(&kit, "System Timer Thread"), 141);
    cr_assert_eq(count_thread(&kit, "Interrupt"), 123);
    cr_assert_eq(count_priorities(&kit, 20, 20), 1296);
    cr_assert_eq(count_priorities(&kit, 16, 12), 190);
    cr_assert_eq(count_priorities(&kit, 0, 0), 141);
    cr_assert_eq(count_priorities(&kit, 14, 10), 51);
    cr_assert_eq(count_priorities(&kit, 10, 10), 49);
    cr_assert_not(tt_health_damaged(kit.capture));
    cr_assert_eq(tt_health_kept(kit.capture), 0);
    trx_kit_close(&kit);
}

Test(trx_real, smp_64_bit_buffer)
{
    static const struct id_count ids[] = {
        {68, 643}, {69, 643}, {1, 208}, {2, 134}, {5, 103}, {112, 64}, {109, 32}, {52, 29},
        {57, 29},  {10, 18},  {17, 18}, {20, 18}, {27, 18}, {83, 17},  {36, 12},  {88, 12},
        {32, 12},  {4103, 7}, {108, 1}, {107, 1}, {114, 1}, {111, 1},  {4098, 1}};
    static const char *const keys[] = {
        "thread 0x499420",     "mutex 0x416400",     "semaphore 0x416460", "queue 0x4164a0",
        "block pool 0x416340", "byte pool 0x4162c0", "timer 0x416260",     "thread 0x417160"};
    static const char *const values[] = {
        "name=\"System Timer Thread\" stack_start=0x499260 stack_size=400 priority=0",
        "name=\"inversion mutex\" inherit=0",
        "name=\"work sem\" initial_count=1",
        "name=\"small queue\" queue_bytes=128 message_words=1",
        "name=\"blk pool\" pool_bytes=1000 block_size=32",
        "name=\"byte pool with a rather long ob\" pool_bytes=4000",
        "name=\"app timer\" initial_ticks=5 reschedule_ticks=5",
        "name=\"high\" stack_start=0x417320 stack_size=20000 priority=4"};
    static const unsigned cores[] = {518, 389, 634, 481};
    unsigned seen[4] = {0};
    struct trx_kit kit;
    load_or_skip(&kit, TRX_CAPTURES "gen_smp_le64_4core.trx");
    cr_assert_eq(kit.records, 2022);
    cr_assert_eq(kit.capture->cpu_count, 4);
    cr_assert_str_eq(trx_kit_fact(&kit, "header", "ULONG"), "64 bits");
    check_ids(&kit, ids, sizeof ids / sizeof ids[0]);
    check_objects(&kit, keys, values);
    check_order(&kit);
    for (uint32_t i = 0; i < kit.count; i++) {
        cr_assert(kit.events[i].cpu < 4);
        seen[kit.events[i].cpu] += !(kit.events[i].flags & TT_EVENT_DERIVED);
    }
    cr_assert_arr_eq(seen, cores, sizeof cores);
    cr_assert_eq(count_thread(&kit, "Interrupt"), 207);
    cr_assert_eq(count_thread(&kit, "slicer A"), 656);
    cr_assert_eq(count_priorities(&kit, 20, 20), 1312);
    cr_assert_eq(count_priorities(&kit, 16, 12), 168);
    cr_assert_eq(count_priorities(&kit, 18, 18), 36);
    cr_assert_not(tt_health_damaged(kit.capture));
    /* Two seconds of a nanosecond counter that wraps at 10^9: reported, not corrected. */
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_TIME_RANGE), 1);
    cr_assert_eq(tt_health_at(kit.capture, 0).value, 2);
    trx_kit_close(&kit);
}
