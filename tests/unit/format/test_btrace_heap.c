/* SPDX-License-Identifier: Apache-2.0 */
/* The account of heaps and chunks, compared with plain tables. */
#include <criterion/criterion.h>

#include "format/btrace/btrace_heap.h"

enum { HEAPS = 3, BLOCKS = 900, CHUNKS = 5 };

static uint64_t seed;

static uint32_t dice(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 16) % below);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 3;
}

TestSuite(btrace_ledger, .init = begin_seed);

Test(btrace_ledger, heaps_match_a_plain_table)
{
    static uint32_t sizes[HEAPS][BLOCKS]; /* 0: not allocated */
    int64_t sums[HEAPS] = {0};
    struct btrace_ledger ledger;
    btrace_ledger_init(&ledger);
    for (uint32_t heap = 0; heap < HEAPS; heap++) {
        cr_assert(btrace_ledger_heap_create(&ledger, heap + 1));
    }
    for (unsigned step = 0; step < 40000; step++) {
        uint32_t heap = dice(HEAPS), block = dice(BLOCKS), address = 0x400000 + 16 * block;
        int64_t sum = -1;
        if (sizes[heap][block] == 0) {
            uint32_t size = 1 + dice(5000);
            cr_assert(btrace_ledger_alloc(&ledger, heap + 1, address, size, &sum));
            sizes[heap][block] = size;
            sums[heap] += size;
        } else {
            cr_assert(btrace_ledger_release(&ledger, heap + 1, address, &sum));
            sums[heap] -= sizes[heap][block];
            sizes[heap][block] = 0;
        }
        cr_assert_eq(sum, sums[heap], "step %u: %lld, not %lld", step, (long long)sum,
                     (long long)sums[heap]);
    }
    /* A block that was never allocated changes nothing. */
    int64_t sum = -1;
    cr_assert(btrace_ledger_release(&ledger, 1, 0x10, &sum));
    cr_expect_eq(sum, sums[0]);
    /* A heap that is created again under the same address is empty. */
    cr_assert(btrace_ledger_heap_create(&ledger, 2));
    cr_assert(btrace_ledger_alloc(&ledger, 2, 0x20, 7, &sum));
    cr_expect_eq(sum, 7);
    btrace_ledger_free(&ledger);
}

/* The id of a heap is the address of its allocator: another heap may be created there, with blocks
 * at the addresses of the first one's blocks. */
Test(btrace_ledger, a_recreated_heap_is_empty)
{
    int64_t sum = -1;
    struct btrace_ledger ledger;
    btrace_ledger_init(&ledger);
    cr_assert(btrace_ledger_alloc(&ledger, 1, 0x10, 50, &sum), "met before its creation");
    cr_assert(btrace_ledger_heap_create(&ledger, 1));
    cr_assert(btrace_ledger_alloc(&ledger, 1, 0x20, 100, &sum));
    cr_assert(btrace_ledger_alloc(&ledger, 1, 0x30, 200, &sum));
    cr_expect_eq(sum, 300);
    cr_assert(btrace_ledger_heap_create(&ledger, 2));
    cr_assert(btrace_ledger_alloc(&ledger, 2, 0x20, 1000, &sum));
    cr_assert(btrace_ledger_heap_create(&ledger, 1));
    cr_assert(btrace_ledger_alloc(&ledger, 1, 0x20, 7, &sum));
    cr_expect_eq(sum, 7, "in the place of an old block");
    cr_assert(btrace_ledger_release(&ledger, 1, 0x30, &sum));
    cr_expect_eq(sum, 7, "an old block is freed");
    cr_assert(btrace_ledger_release(&ledger, 1, 0x10, &sum));
    cr_expect_eq(sum, 7, "an older one");
    cr_assert(btrace_ledger_release(&ledger, 1, 0x20, &sum));
    cr_expect_eq(sum, 0);
    cr_assert(btrace_ledger_release(&ledger, 2, 0x20, &sum));
    cr_expect_eq(sum, 0, "the other heap's is its own");
    btrace_ledger_free(&ledger);
}

Test(btrace_ledger, chunks_and_their_sum)
{
    int64_t sums[CHUNKS] = {0}, all = 0;
    struct btrace_ledger ledger;
    btrace_ledger_init(&ledger);
    for (unsigned step = 0; step < 2000; step++) {
        uint32_t chunk = dice(CHUNKS);
        if (dice(10) == 0) {
            bool known = btrace_ledger_chunk_gone(&ledger, chunk);
            cr_assert(known || sums[chunk] == 0, "step %u", step);
            all -= sums[chunk];
            sums[chunk] = 0;
        } else {
            int64_t change = (int64_t)dice(100000) - 30000, sum;
            cr_assert(btrace_ledger_chunk(&ledger, chunk, change, &sum));
            sums[chunk] += change;
            all += change;
            cr_assert_eq(sum, sums[chunk], "step %u", step);
        }
        cr_assert_eq(ledger.all_chunks, all, "step %u", step);
    }
    btrace_ledger_free(&ledger);
}
