/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "tracetui/time_spec.h"

static void good(const char *text, enum tt_time_spec_kind kind, int64_t value)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(text, &when);
    cr_assert_eq(status.code, TT_OK, "%s: %s", text, status.text);
    cr_assert_eq(when.kind, kind, "%s", text);
    cr_assert_eq(when.value, value, "%s: %lld", text, (long long)when.value);
}

static void bad(const char *text, const char *part)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(text, &when);
    cr_assert_eq(status.code, TT_ERR_USAGE, "'%s' was taken", text);
    cr_assert(strstr(status.text, part), "'%s' has no '%s'", status.text, part);
}

Test(time_spec, units)
{
    good("1.2s", TT_TIME_SPEC_NS, 1200000000);
    good("3ms", TT_TIME_SPEC_NS, 3000000);
    good("4us", TT_TIME_SPEC_NS, 4000);
    good("4\xc2\xb5s", TT_TIME_SPEC_NS, 4000);
    good("5ns", TT_TIME_SPEC_NS, 5);
    good("0s", TT_TIME_SPEC_NS, 0);
    good("500t", TT_TIME_SPEC_TICKS, 500);
    good("#1234", TT_TIME_SPEC_EVENT, 1234);
    good("40%", TT_TIME_SPEC_PART, 400000000);
    good("12.5%", TT_TIME_SPEC_PART, 125000000);
    good("100%", TT_TIME_SPEC_PART, 1000000000);
}

Test(time_spec, before_the_origin)
{
    good("-1.5ms", TT_TIME_SPEC_NS, -1500000);
    good("-7t", TT_TIME_SPEC_TICKS, -7);
}

Test(time_spec, no_digit_is_lost)
{
    good("1.000000001s", TT_TIME_SPEC_NS, 1000000001);
    good("9000000000.999999999s", TT_TIME_SPEC_NS, INT64_C(9000000000999999999));
    good("0.001us", TT_TIME_SPEC_NS, 1);
    good("1.0000000000000s", TT_TIME_SPEC_NS, 1000000000);
    good("9223372036854775000t", TT_TIME_SPEC_TICKS, INT64_C(9223372036854775000));
}

Test(time_spec, too_large_or_too_fine)
{
    bad("0.5ns", "too precise");
    bad("0.0000000001s", "too precise");
    bad("1.5t", "too precise");
    bad("9300000000s", "large");
    bad("99999999999999999999t", "write it as");
}

Test(time_spec, nonsense)
{
    bad("", "write it as");
    bad("s", "write it as");
    bad("abc", "write it as");
    bad("12", "unit");
    bad("12h", "units");
    bad("1s200ms", "units");
    bad("101%", "part");
    bad("-1%", "part");
    bad("#", "event");
    bad("#-1", "event");
    bad("#1.5", "event");
    bad("#12x", "event");
}
