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

/*
 * Writes an event whose arguments have names and values of `length` bytes, after a category and a name of `before`
 * bytes; returns the number of its arguments.
 */
static unsigned arguments_of(size_t length, size_t before)
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
    struct tt_fxt_text_ref name = {(uint16_t)(0x8000u | before), text};
    struct tt_fxt_event event = {.kind = TT_FXT_EVENT_ASYNC_BEGIN,
                                 .category = name,
                                 .name = name,
                                 .args = args,
                                 .count = TT_FXT_ARGS_MAX,
                                 .has_tail = true};
    tt_fxt_writer_event(&w, &event);
    size_t used = w.used - w.record, words = (before + 7) / 8;
    unsigned count = w.buffer[w.record + 2] >> 4;
    cr_expect_leq(used, TT_FXT_RECORD_MAX, "%zu bytes each after twice %zu", length, before);
    /* The rule: header, time, two ids, two texts and a tail; an argument is one word and two texts. */
    cr_expect_eq(used, 8 * (5 + 2 * words) + count * (8 + 2 * ((length + 7) / 8 * 8)));
    tt_fxt_writer_close(&w);
    return count;
}

Test(fxt_writer, arguments_that_do_not_fit_are_left_out)
{
    cr_expect_eq(arguments_of(8, 8), TT_FXT_ARGS_MAX);
    cr_expect_eq(arguments_of(1000, 1024), TT_FXT_ARGS_MAX);
    unsigned fewer = 0;
    for (size_t before = 8; before <= 1024; before += 8) {
        fewer += arguments_of(1024, before) < TT_FXT_ARGS_MAX;
    }
    cr_expect_geq(fewer, 10);
    cr_expect_leq(fewer, 100);
}
