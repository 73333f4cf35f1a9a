/* SPDX-License-Identifier: Apache-2.0 */
/* measures: the columns that a rule can use, and the words for them. */
#include <string.h>

#include "base/nearest_word.h"
#include "check/rules_internal.h"
#include "table/registry.h"

#define KEY_BYTES 64u

/* Returns whether rules name rows of a table; those of the total have no name. */
static bool has_rows(const struct tt_table *table)
{
    return !table->is_upright && table != &tt_table_single_messages;
}

const struct tt_table *tt_rule_table(const char *word)
{
    const struct tt_table *table = tt_table_find(word, NULL);
    return table && has_rows(table) ? table : NULL;
}

const struct tt_table *tt_rule_any_table(const char *word, struct tt_nearest_word *search)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_any_at(i)) && strcmp(table->name, word) != 0; i++) {
        if (search) {
            tt_nearest_word_try(search, table->name);
        }
    }
    return table;
}

void tt_rule_try_selectors(struct tt_nearest_word *search)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        if (has_rows(table)) {
            tt_nearest_word_try(search, table->name);
        }
    }
}

const char *tt_rule_selector(const struct tt_table *table)
{
    return has_rows(table) ? table->name : NULL;
}

bool tt_rule_has_two(const struct tt_table *table)
{
    return table != &tt_table_inversions && table != &tt_table_services &&
           tt_table_name_column(table, 1) != NULL;
}

const char *tt_rule_between(const struct tt_table *table)
{
    return strstr(table->row_name, "] by [") ? "by" : "->";
}

bool tt_rule_column(const struct tt_table_column *column, enum tt_rule_unit *unit)
{
    switch (column->unit) {
    case TT_UNIT_COUNT:
        *unit = TT_RULE_UNIT_COUNT;
        return !column->is_identity;
    case TT_UNIT_NUMBER:
    case TT_UNIT_DEPTH:
        *unit = TT_RULE_UNIT_COUNT;
        return true;
    case TT_UNIT_TIME_MS:
    case TT_UNIT_TIME_US:
    case TT_UNIT_MEAN_US:
        *unit = TT_RULE_UNIT_NS;
        return true;
    case TT_UNIT_SHARE:
    case TT_UNIT_PART:
        *unit = TT_RULE_UNIT_PERCENT;
        return true;
    case TT_UNIT_RATE:
        *unit = TT_RULE_UNIT_HZ;
        return true;
    default:
        return false;
    }
}

const char *tt_rule_key_quantile(const struct tt_table *table, const char *key)
{
    const char *last = strrchr(key, '_');
    enum tt_quantile quantile;
    /* Of interrupts, `handler max` is a reaction. */
    bool splits = last && table != &tt_table_interrupts && tt_quantile_find(last + 1, &quantile);
    return splits ? last + 1 : NULL;
}

/* Returns the column of a key that a rule can use. */
static const struct tt_table_column *measures_find_key(const struct tt_table *table,
                                                       const char *key)
{
    const struct tt_table_column *column = tt_table_column_of(table, key);
    enum tt_rule_unit unit;
    return column && tt_rule_column(column, &unit) ? column : NULL;
}

/* Finds a column in one order of the words: its share if `percent`, else its own key or its rate. */
static const struct tt_table_column *find_words(const struct tt_table *table, const char *a,
                                                const char *b, bool percent)
{
    const char *const ends[] = {percent ? "_pct" : "", "", "_hz"};
    const struct tt_table_column *found = NULL;
    for (size_t i = 0; i < 3 && !found; i++) {
        char key[KEY_BYTES];
        struct tt_text text = tt_text_of(key, sizeof key);
        tt_text_put(&text, "%s%s%s%s", a, b[0] ? "_" : "", b, ends[i]);
        found = text.used < sizeof key ? measures_find_key(table, tt_text_cstr(&text)) : NULL;
    }
    return found;
}

/* Appends the last parts of the keys that begin with a word: "mean p50 p99 max". */
static void put_parts_of(struct tt_text *text, const struct tt_table *table, const char *word)
{
    size_t count = table->column_count, length = strlen(word);
    const struct tt_table_column *columns = table->columns;
    enum tt_rule_unit unit;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(columns[i].key, word, length) == 0 && columns[i].key[length] == '_' &&
            tt_rule_column(&columns[i], &unit)) {
            tt_text_put(text, "%s%s", text->used > 0 ? " " : "", columns[i].key + length + 1);
        }
    }
}

/* Returns the word of another table that has the measure, or NULL. */
static const char *other_table(const struct tt_table *table, const char *first, const char *second)
{
    const struct tt_table *other;
    for (size_t i = 0; (other = tt_table_at(i)) != NULL; i++) {
        if (other != table && has_rows(other) &&
            (find_words(other, first, second, false) || find_words(other, second, first, false))) {
            return other->name;
        }
    }
    return NULL;
}

static const char *nearest_measure(const struct tt_table *table, const char *word)
{
    struct tt_nearest_word search = tt_nearest_word_of(word, strlen(word));
    static const char *const groups[] = {"delay",    "preempted_wait", "wait",     "slice",
                                         "response", "period",         "round",    "queue",
                                         "service",  "return",         "duration", "hold"};
    char parts[160];
    const struct tt_table_column *columns = table->columns;
    size_t count = table->column_count;
    enum tt_rule_unit unit;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct tt_text text = tt_text_of(parts, sizeof parts);
        put_parts_of(&text, table, groups[i]);
        if (text.used > 0) {
            tt_nearest_word_try(&search, groups[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (tt_rule_column(&columns[i], &unit)) {
            tt_nearest_word_try(&search, columns[i].key);
        }
    }
    for (unsigned i = 0; table == &tt_table_total && i < TT_HEALTH_COUNT; i++) {
        tt_nearest_word_try(&search, tt_health_key(i));
    }
    return search.nearest;
}

static struct tt_status unknown_measure(const struct tt_table *table, const char *first,
                                        const char *second)
{
    char parts[160];
    struct tt_text text = tt_text_of(parts, sizeof parts);
    const char *of = tt_rule_selector(table);
    const char *other = other_table(table, first, second);
    put_parts_of(&text, table, first);
    if (text.used > 0) {
        return second[0] ? tt_error(TT_ERR_USAGE, "no '%.40s' of %.40s; it has: %.100s", second,
                                    first, tt_text_cstr(&text))
                         : tt_error(TT_ERR_USAGE, "%.40s needs one of: %.100s", first,
                                    tt_text_cstr(&text));
    }
    if (other) {
        return tt_error(TT_ERR_USAGE, "'%.40s' is a measure of %s, not of %s", first, other,
                        of ? of : "the whole capture");
    }
    const char *near = nearest_measure(table, first);
    const char *near2 = second[0] && !near ? nearest_measure(table, second) : near;
    return near2 ? tt_error(TT_ERR_USAGE, "no measure '%.40s' of %s; did you mean '%s'?",
                            near ? first : second, of ? of : "the whole capture", near2)
                 : tt_error(TT_ERR_USAGE, "no measure '%.40s' of %s (docs/check.md lists them)",
                            first, of ? of : "the whole capture");
}

struct tt_status tt_rule_measure_find(const struct tt_table *table, const char *first,
                                      const char *second, bool percent,
                                      const struct tt_table_column **column)
{
    *column = find_words(table, first, second, percent);
    if (!*column && second[0]) {
        *column = find_words(table, second, first, percent);
    }
    return *column ? tt_ok() : unknown_measure(table, first, second);
}
