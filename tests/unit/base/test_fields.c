/* SPDX-License-Identifier: Apache-2.0 */
/* One description of a record in its three forms. */
#include <criterion/criterion.h>
#include <math.h>

#include "print/record/fields.h"

static char buffer[512];

/* Writes every kind of value, known or not. */
static const char *record(enum tt_fields_form form)
{
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_fields fields = tt_fields_begin(&text, form);
    tt_field_u64(&fields, "n", 7);
    tt_field_u64(&fields, "large", UINT64_C(9007199254740993));
    tt_field_i64(&fields, "less", -3);
    tt_field_number(&fields, "none", false, 1);
    tt_field_decimal(&fields, "part", 12345, 3);
    tt_field_real(&fields, "real", (double)INFINITY);
    tt_field_flag(&fields, "flag", true);
    tt_field_text(&fields, "text", "=a,\"\x01");
    tt_field_line(&fields, "line", "a\\x01", 5);
    tt_field_name(&fields, "a b", 3, "~2");
    tt_field_text(&fields, NULL, NULL);
    tt_fields_end(&fields);
    return tt_text_cstr(&text);
}

Test(fields, one_description_has_three_forms)
{
    cr_expect_str_eq(record(TT_FIELDS_HEADER), "n,large,less,none,part,real,flag,text,line,a b\n");
    cr_expect_str_eq(record(TT_FIELDS_CSV), "7,9007199254740993,-3,,12.345,inf,1,"
                                            "\"'=a,\"\"\\x01\",a\\x01,\n");
    cr_expect_str_eq(record(TT_FIELDS_JSON),
                     "{\"n\":7,\"large\":\"9007199254740993\",\"less\":-3,\"none\":null,"
                     "\"part\":12.345,\"real\":\"inf\",\"flag\":true,\"text\":\"=a,\\\"\\u0001\","
                     "\"line\":\"a\\\\x01\",\"a b~2\":null}\n");
}

Test(fields, objects_and_arrays_are_nested)
{
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_fields fields = tt_fields_begin(&text, TT_FIELDS_JSON);
    tt_field_open(&fields, "empty", '[');
    tt_field_close(&fields, ']');
    tt_field_open(&fields, "list", '[');
    tt_field_u64(&fields, NULL, 1);
    tt_field_open(&fields, NULL, '{');
    size_t start = tt_field_open_text(&fields, "id");
    tt_text_str(&text, "0x");
    tt_text_hex(&text, 31, 1);
    tt_field_close_text(&fields, start);
    tt_field_close(&fields, '}');
    tt_field_close(&fields, ']');
    tt_field_u64(&fields, "last", 2);
    tt_fields_end(&fields);
    cr_expect_str_eq(tt_text_cstr(&text),
                     "{\"empty\":[],\"list\":[1,{\"id\":\"0x1f\"}],\"last\":2}\n");
}
