/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments: those beyond the capacity are left out and counted. */
#include <criterion/criterion.h>
#include <string.h>

#include "tracetui/event.h"

Test(args, arguments_beyond_the_capacity_are_cut)
{
    static struct tt_args args;
    tt_args_clear(&args);
    for (unsigned i = 0; i < TT_ARGS_MAX; i++) {
        struct tt_arg *arg = tt_args_add(&args, "name");
        cr_assert_not_null(arg);
        cr_assert_eq(arg->name.length, 4);
    }
    cr_expect_not(args.cut);
    cr_expect_null(tt_args_add(&args, "one more"));
    cr_expect(args.cut);
    cr_expect_eq(args.count, TT_ARGS_MAX);
    tt_args_clear(&args);
    cr_expect_not(args.cut);
    cr_expect_not_null(tt_args_add(&args, "the first again"));
}

Test(args, texts_fill_the_scratch_to_its_last_byte)
{
    static struct tt_args args;
    tt_args_clear(&args);
    char *first = tt_args_scratch(&args, TT_ARGS_SCRATCH - 10);
    char *last = tt_args_scratch(&args, 10);
    cr_assert_eq(first, args.scratch);
    cr_assert_eq(last, args.scratch + TT_ARGS_SCRATCH - 10);
    cr_expect_not(args.cut);
    cr_expect_not_null(tt_args_scratch(&args, 0));
    cr_expect_null(tt_args_scratch(&args, 1));
    cr_expect(args.cut);
    tt_args_clear(&args);
    cr_expect_null(tt_args_scratch(&args, UINT32_MAX), "more than all of it");
    cr_expect(args.cut);
    cr_expect_eq(tt_args_scratch(&args, TT_ARGS_SCRATCH), args.scratch);
}
