/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of an exported record: as many as fit, whatever their size. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "export/fxt_writer.h"

static bool drop(void *arg, const char *bytes, size_t length)
{
    (void)arg;
    (void)bytes;
    (void)length;
    return true;
}

/* Names and values have `length` bytes each; a record begins with `before` words. */
static unsigned take(size_t length, unsigned before)
{
    static char text[TT_FXT_TEXT_MAX];
    static struct tt_fxt_writer w;
    struct tt_fxt_out_arg args[TT_FXT_ARGS_MAX];
    memset(args, 0, sizeof args);
    memset(text, 'x', sizeof text);
    cr_assert(tt_fxt_writer_open(&w, (struct tt_sink){.write = drop}));
    for (unsigned i = 0; i < TT_FXT_ARGS_MAX; i++) {
        args[i].name = (struct tt_fxt_text_ref){(uint16_t)(0x8000u | length), text};
        args[i].value.type = TT_ARG_STRING;
        args[i].value.value.s.data = text;
        args[i].value.value.s.length = (uint32_t)length;
    }
    tt_fxt_writer_begin(&w, TT_FXT_RECORD_EVENT, 0);
    for (unsigned i = 0; i < before; i++) {
        tt_fxt_writer_word(&w, 0);
    }
    unsigned count = tt_fxt_writer_args(&w, args, TT_FXT_ARGS_MAX);
    size_t used = w.used - w.record;
    cr_expect_leq(used, TT_FXT_RECORD_MAX, "%zu bytes each after %u words", length, before);
    /* The rule: one word, and two texts in whole words. */
    cr_expect_eq(used, 8 * (1 + before) + count * (8 + 2 * ((length + 7) / 8 * 8)));
    tt_fxt_writer_end(&w);
    tt_fxt_writer_close(&w);
    return count;
}

Test(fxt_writer, arguments_that_do_not_fit_are_left_out)
{
    cr_expect_eq(take(8, 0), TT_FXT_ARGS_MAX);
    cr_expect_eq(take(1000, 0), TT_FXT_ARGS_MAX);
    unsigned fewer = 0;
    for (unsigned before = 0; before < 4000; before += 50) {
        fewer += take(1000, before) < TT_FXT_ARGS_MAX;
    }
    cr_expect_geq(fewer, 70);
}
