/* SPDX-License-Identifier: Apache-2.0 */
/* The text of arguments by a plan is that of the arguments. */
#include <criterion/criterion.h>
#include <string.h>

#include "format/text_plan.h"
#include "tracetui/event_line.h"

#define ROOM 4096u

static struct tt_text_plan_maker maker;
static struct tt_args args;
static char out[ROOM], expected[ROOM];

static char *put_odd(char *to, const void *of, uint64_t value)
{
    const size_t length = value % 2 ? strlen(of) : 0;
    memcpy(to, of, length);
    return value == 7 ? NULL : to + length;
}

static struct tt_arg *add(const char *name, unsigned type)
{
    struct tt_arg *arg = tt_args_add_constant(&args, name, (uint32_t)strlen(name));
    arg->type = (uint8_t)type;
    return arg;
}

/* Writes a record by the plan, in exactly `room` bytes; NULL if it does not. */
static const char *put(const void *record, size_t size, size_t room)
{
    struct tt_arena arena = {0};
    const struct tt_text_plan *plan;
    struct tt_text text = tt_text_of(out, room);
    cr_assert(tt_text_plan_end(&maker, &arena, &plan));
    memset(out, '#', sizeof out);
    const bool good = tt_text_plan_put(plan, record, size, &text);
    cr_assert_eq(out[room], '#', "nothing is written beyond the room");
    cr_assert(good || text.used == 0);
    tt_arena_free(&arena);
    return good ? tt_text_cstr(&text) : NULL;
}

static void expect_args(const void *record, size_t size)
{
    struct tt_text text = tt_text_of(expected, sizeof expected);
    tt_line_args(&text, &args);
    const char *had = put(record, size, ROOM - 1);
    cr_assert_not_null(had, "%s", tt_text_cstr(&text));
    cr_assert_str_eq(had, tt_text_cstr(&text));
}

static void begin(void)
{
    tt_args_clear(&args);
    tt_text_plan_begin(&maker);
}

Test(text_plan, numbers_of_all_sizes_and_orders)
{
    uint8_t record[16];
    static const uint64_t values[] = {0,         9,         10,         127,
                                      128,       255,       0x7fff,     0x8000,
                                      99999999,  100000000, UINT32_MAX, UINT64_C(1) << 40,
                                      INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (unsigned each = 0; each < 4 * 2 * 3; each++) {
            const unsigned size = 1u << each % 4, big = each / 4 % 2;
            const unsigned types[] = {TT_ARG_U64, TT_ARG_I64, TT_ARG_HEX};
            begin();
            struct tt_arg *arg = add("value", types[each / 8]);
            tt_text_plan_add(&maker, arg,
                             (struct tt_text_field){.at = 3, .size = size, .big = big != 0});
            for (unsigned byte = 0; byte < size; byte++) {
                record[3 + (big ? size - 1 - byte : byte)] = (uint8_t)(values[i] >> 8 * byte);
            }
            const unsigned unused = 64 - 8 * size;
            arg->value.u = values[i] << unused >> unused;
            if (arg->type == TT_ARG_I64) {
                arg->value.i = (int64_t)(values[i] << unused) >> unused;
            }
            expect_args(record, 3 + size);
            cr_assert_null(put(record, 2 + size, ROOM - 1), "a record that is too short");
        }
    }
}

Test(text_plan, texts_end_at_a_nul_or_the_end_of_the_field)
{
    for (uint32_t size = 0; size <= 40; size++) {
        for (uint32_t length = 0; length <= size; length++) {
            char record[64] = {0};
            memset(record, 'x', 40);
            memcpy(record, "abcdefghijklmnopqrstuvwxyzabcdefghijklmn", length);
            record[length] = length < size ? '\0' : 'y';
            begin();
            struct tt_arg *arg = add("comm", TT_ARG_STRING);
            arg->value.s = (struct tt_arg_span){record, length};
            tt_text_plan_add(&maker, arg,
                             (struct tt_text_field){.kind = TT_TEXT_CHARACTERS, .size = size});
            expect_args(record, size);
            for (uint32_t at = 0; at < length; at++) {
                const char had = record[at];
                record[at] = at % 3 == 0 ? '"' : at % 3 == 1 ? '\x1b' : (char)0xc3;
                cr_assert_null(put(record, size, ROOM - 1), "a text that is escaped");
                record[at] = had;
            }
        }
    }
}

Test(text_plan, strings_move_the_fields_after_them)
{
    const char record[] = "\x05one\0two\0\x07";
    begin();
    struct tt_arg *arg = add("a", TT_ARG_U64);
    arg->value.u = 5;
    tt_text_plan_add(&maker, arg, (struct tt_text_field){.size = 1});
    for (unsigned i = 0; i < 2; i++) {
        arg = add(i ? "c" : "b", TT_ARG_STRING);
        arg->value.s = (struct tt_arg_span){i ? "two" : "one", 3};
        tt_text_plan_add(&maker, arg, (struct tt_text_field){.kind = TT_TEXT_STRING, .at = 1});
    }
    arg = add("d", TT_ARG_U64);
    arg->value.u = 7;
    tt_text_plan_add(&maker, arg, (struct tt_text_field){.at = 1, .size = 1});
    expect_args(record, 10);
    for (size_t size = 0; size < 10; size++) {
        cr_assert_null(put(record, size, ROOM - 1), "%zu bytes", size);
    }
}

Test(text_plan, texts_elsewhere_are_within_the_record)
{
    uint8_t record[300] = {8, 0, 3, 0, 0, 0, 0, 0, 'i', 'r', 'q'};
    begin();
    struct tt_arg *arg = add("name", TT_ARG_STRING);
    arg->value.s = (struct tt_arg_span){"irq", 3};
    tt_text_plan_add(&maker, arg, (struct tt_text_field){.kind = TT_TEXT_ELSEWHERE, .size = 4});
    expect_args(record, 11);
    cr_assert_null(put(record, 10, ROOM - 1), "it leaves the record");
    record[1] = 1;
    cr_assert_null(put(record, 11, ROOM - 1), "it begins beyond the record");
    record[1] = 0;
    record[2] = 1;
    record[3] = 1; /* 257 bytes */
    cr_assert_null(put(record, sizeof record, ROOM - 1), "a text that is too long");
}

Test(text_plan, labels_follow_their_values)
{
    uint8_t record[] = {1, 2, 7};
    for (uint32_t at = 0; at < 3; at++) {
        begin();
        struct tt_arg *arg = add("state", TT_ARG_U64);
        tt_text_plan_add(
            &maker, arg,
            (struct tt_text_field){.at = at, .size = 1, .label = put_odd, .label_of = "odd"});
        arg->value.u = record[at];
        if (at == 0) {
            tt_arg_label(arg, "odd", 3);
        }
        if (at < 2) {
            expect_args(record, 3);
        } else {
            cr_assert_null(put(record, 3, ROOM - 1), "a label that cannot be written");
        }
    }
}

Test(text_plan, what_a_plan_cannot_have_is_described)
{
    static const char long_name[] = "a_name_that_is_longer_than_what_a_cache_line_has";
    for (unsigned i = 0; i < 5; i++) {
        begin();
        struct tt_arg *arg = add(i == 0 ? long_name : "x", i == 1 ? TT_ARG_DOUBLE : TT_ARG_U64);
        arg->plain = i != 2;
        arg->digits = i == 3;
        tt_text_plan_add(&maker, arg, (struct tt_text_field){.size = i == 4 ? 3 : 4});
        cr_assert_null(put("abcd", 4, ROOM - 1), "%u", i);
    }
    begin();
    add("x", TT_ARG_DOUBLE)->hidden = 1;
    tt_text_plan_add(&maker, &args.v[0], (struct tt_text_field){.size = 3});
    cr_assert_str_eq(put("", 0, ROOM - 1), "", "a hidden argument has no text");
}

Test(text_plan, nothing_is_written_without_room)
{
    begin();
    struct tt_arg *arg = add("x", TT_ARG_U64);
    arg->value.u = 1;
    tt_text_plan_add(&maker, arg, (struct tt_text_field){.size = 1});
    for (size_t room = 0; room < 200; room++) {
        const char *had = put("\x01", 1, room);
        cr_assert(!had || strcmp(had, "x=1") == 0);
        cr_assert(had || room < 100);
    }
}
