/* SPDX-License-Identifier: Apache-2.0 */
/* arena: pieces of any size, in chunks of any size. */
#include <criterion/criterion.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"

/* Pieces stay where they are, aligned and with their bytes, up to chunks of a large page each. */
Test(arena, pieces_stay_and_do_not_overlap)
{
    enum { PIECES = 6000, SIZE = 10007 };
    static uint8_t *pieces[PIECES];
    struct tt_arena arena = {0};
    for (unsigned i = 0; i < PIECES; i++) {
        pieces[i] = tt_arena_words(&arena, SIZE);
        cr_assert_not_null(pieces[i]);
        cr_assert_eq((uintptr_t)pieces[i] % alignof(uint64_t), 0);
        memset(pieces[i], (int)(i % 251), SIZE);
    }
    for (unsigned i = 0; i < PIECES; i++) {
        for (unsigned at = 0; at < SIZE; at += 97) {
            cr_assert_eq(pieces[i][at], i % 251);
        }
        cr_assert_eq(pieces[i][SIZE - 1], i % 251);
    }
    cr_assert_geq(tt_arena_memory(&arena), (uint64_t)PIECES * SIZE);
    cr_assert_leq(tt_arena_memory(&arena), (uint64_t)PIECES * SIZE + 2 * TT_LARGE_PAGE);
    tt_arena_free(&arena);
    cr_assert_eq(tt_arena_memory(&arena), 0);
}

/* Trimming returns the unused end of a large page; pieces keep their bytes, and more can be added. */
Test(arena, a_trimmed_arena_has_little_more_memory_than_its_pieces)
{
    enum { PIECES = 900, SIZE = 10000, PAGES = 64 * 1024 };
    static uint8_t *pieces[PIECES];
    struct tt_arena arena = {0};
    void *probe = tt_platform_large_pages(1);
    cr_assert_not_null(probe);
    bool trims = tt_platform_trim_large_page(probe, 1) < TT_LARGE_PAGE;
    tt_platform_free_large_pages(probe, 1);
    for (unsigned i = 0; i < PIECES; i++) {
        pieces[i] = tt_arena_bytes(&arena, SIZE);
        cr_assert_not_null(pieces[i]);
        memset(pieces[i], (int)(i % 251), SIZE);
        if (i % 97 == 0) {
            uint64_t before = tt_arena_memory(&arena);
            tt_arena_trim(&arena);
            cr_assert_leq(tt_arena_memory(&arena), before);
        }
    }
    tt_arena_trim(&arena);
    /* At each trimming, at most a piece and a page are unused; and at the end of each chunk, a piece. */
    cr_assert(!trims || tt_arena_memory(&arena) < PIECES * SIZE + 14 * (SIZE + PAGES));
    for (unsigned i = 0; i < PIECES; i++) {
        cr_assert(pieces[i][0] == i % 251 && pieces[i][SIZE - 1] == i % 251);
    }
    tt_arena_free(&arena);
    cr_assert_eq(tt_arena_memory(&arena), 0);
}

/* A piece as large as a chunk, or larger, has one of its own, and the next one continues before. */
Test(arena, large_pieces_have_chunks_of_their_own)
{
    static const size_t sizes[] = {TT_LARGE_PAGE - 64, TT_LARGE_PAGE - 33, TT_LARGE_PAGE - 32,
                                   TT_LARGE_PAGE - 31, TT_LARGE_PAGE,      5 * TT_LARGE_PAGE + 1};
    for (size_t before = 0; before < 32 * TT_LARGE_PAGE; before += 15 * TT_LARGE_PAGE) {
        struct tt_arena arena = {0};
        for (size_t had = 0; had < before; had += 100000) {
            cr_assert_not_null(tt_arena_bytes(&arena, 100000));
        }
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint8_t *small = tt_arena_bytes(&arena, 1), *piece = tt_arena_alloc(&arena, sizes[i]);
            cr_assert(small && piece);
            *small = 1;
            memset(piece, 2, sizes[i]);
            cr_assert_eq(*small, 1);
            cr_assert_eq((uintptr_t)piece % alignof(max_align_t), 0);
        }
        tt_arena_free(&arena);
    }
    struct tt_arena arena = {0};
    cr_assert_null(tt_arena_alloc(&arena, SIZE_MAX));
}
