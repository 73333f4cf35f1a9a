/* SPDX-License-Identifier: Apache-2.0 */
/* limit: numbers with units, as limits of rules, and comparing them. */
#include <string.h>

#include "base/u128.h"
#include "check/rules_internal.h"
#include "tracetui/time.h"

#define DECIMALS_MOST 9u

static const struct {
    const char *word;
    enum tt_rule_unit unit;
    uint64_t scale; /* to the unit */
} units[] = {
    {"", TT_RULE_UNIT_COUNT, 1},        {"ns", TT_RULE_UNIT_NS, 1},
    {"us", TT_RULE_UNIT_NS, 1000},      {"ms", TT_RULE_UNIT_NS, 1000000},
    {"s", TT_RULE_UNIT_NS, 1000000000}, {"t", TT_RULE_UNIT_TICKS, 1},
    {"%", TT_RULE_UNIT_PERCENT, 1},     {"/s", TT_RULE_UNIT_HZ, 1},
    {"Hz", TT_RULE_UNIT_HZ, 1},
};

#define UNITS (sizeof units / sizeof *units)

bool tt_rule_is_unit(const char *word)
{
    for (size_t i = 1; i < UNITS; i++) {
        if (strcmp(units[i].word, word) == 0) {
            return true;
        }
    }
    return false;
}

/* Parses digits with a point; *end is the rest. False without digits, or if there are too many. */
static bool limit_parse_decimal(const char *text, struct tt_decimal *value, const char **end)
{
    bool point = false, digits = false;
    *value = (struct tt_decimal){0, 0};
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        uint64_t digit = (uint64_t)(*text - '0');
        if (value->number > (UINT64_MAX - digit) / 10 || value->decimals >= DECIMALS_MOST) {
            return false;
        }
        value->number = value->number * 10 + digit;
        value->decimals += point;
        digits = true;
    }
    *end = text;
    return digits;
}

/* Removes zeros at the end of the decimals. */
static void shorten(struct tt_decimal *value)
{
    while (value->decimals > 0 && value->number % 10 == 0) {
        value->number /= 10;
        value->decimals--;
    }
}

static const char *unit_example(enum tt_rule_unit unit)
{
    static const char *const examples[] = {[TT_RULE_UNIT_COUNT] = "a number: 3",
                                           [TT_RULE_UNIT_NS] = "a time: 200us, 1.5ms, 500t",
                                           [TT_RULE_UNIT_TICKS] = "a time: 500t",
                                           [TT_RULE_UNIT_PERCENT] = "a share: 80%",
                                           [TT_RULE_UNIT_HZ] = "a rate: 100/s"};
    return examples[unit];
}

struct tt_status tt_rule_limit_parse(const char *word, enum tt_rule_unit unit,
                                     struct tt_rule_limit *limit)
{
    const char *rest;
    size_t i = 0;
    if (!limit_parse_decimal(word, &limit->value, &rest)) {
        return tt_error(TT_ERR_USAGE, "'%.40s' is not a limit; expected %s", word,
                        unit_example(unit));
    }
    while (i < UNITS && strcmp(units[i].word, rest) != 0) {
        i++;
    }
    if (i == UNITS) {
        return tt_error(TT_ERR_USAGE, "no unit '%.20s' in '%.40s'; expected %s", rest, word,
                        unit_example(unit));
    }
    limit->unit = units[i].unit;
    limit->unitless = limit->unit == TT_RULE_UNIT_COUNT && limit->value.number == 0;
    bool time = limit->unit == TT_RULE_UNIT_TICKS && unit == TT_RULE_UNIT_NS;
    bool rate = limit->unit == TT_RULE_UNIT_COUNT && unit == TT_RULE_UNIT_HZ;
    if (limit->unit != unit && !time && !rate && !limit->unitless) {
        return rest[0] ? tt_error(TT_ERR_USAGE, "'%.40s' has the wrong unit; expected %s", word,
                                  unit_example(unit))
                       : tt_error(TT_ERR_USAGE, "'%.40s' needs a unit; expected %s", word,
                                  unit_example(unit));
    }
    limit->unit = limit->unitless || rate ? unit : limit->unit;

    /* Multiplies, and removes decimals. */
    struct tt_decimal *value = &limit->value;
    uint64_t by = units[i].scale;
    shorten(value);
    while (value->decimals > 0 && by % 10 == 0) {
        by /= 10;
        value->decimals--;
    }
    if (by != 0 && value->number > UINT64_MAX / by) {
        return tt_error(TT_ERR_USAGE, "the limit '%.40s' is too large", word);
    }
    value->number *= by;

    if (limit->value.decimals > 0 &&
        (limit->unit == TT_RULE_UNIT_NS || limit->unit == TT_RULE_UNIT_TICKS)) {
        return tt_error(TT_ERR_USAGE, "the limit '%.40s' is finer than a %s", word,
                        limit->unit == TT_RULE_UNIT_NS ? "nanosecond" : "tick");
    }
    return tt_ok();
}

static uint64_t power_of_10(unsigned n)
{
    uint64_t power = 1;
    while (n-- > 0) {
        power *= 10;
    }
    return power;
}

int tt_decimal_compare(struct tt_decimal a, struct tt_decimal b)
{
    unsigned most = a.decimals > b.decimals ? a.decimals : b.decimals;
    struct tt_wide x = tt_u128_mul(a.number, power_of_10(most - a.decimals));
    struct tt_wide y = tt_u128_mul(b.number, power_of_10(most - b.decimals));
    if (x.high != y.high) {
        return x.high < y.high ? -1 : 1;
    }
    return x.low == y.low ? 0 : x.low < y.low ? -1 : 1;
}

void tt_decimal_put(struct tt_text *text, struct tt_decimal value)
{
    shorten(&value);
    tt_text_decimal(text, value.number, value.decimals);
}
