/* SPDX-License-Identifier: Apache-2.0 */
/* complete: derives the possible next words from the words before the caret. */
#include "table/registry.h"
#include "tracetui/check_complete.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "check/rules_internal.h"
#include "check/write.h"
#include "tracetui/filter.h"
#include "tracetui/merge.h"

#define TYPED_BYTES 16384u
#define WORDS_MOST  64u
#define WORD_BYTES  128u
#define NAME_BYTES  1024u
#define NAMES_MOST  5000u /* names of one kind that are offered at most */

/* The words before the caret; a filter or a quoted text is one word, of which the first bytes are kept. */
struct context {
    struct tt_rule_completion *out;
    const char *prefix; /* from the start of the last word to the caret */
    size_t length;
    char words[WORDS_MOST][WORD_BYTES];
    unsigned count;
    size_t filter; /* byte after the brace of a filter that has no end; 0: none */
};

static void offer(const struct context *c, const char *word)
{
    if (strncasecmp(word, c->prefix, c->length) == 0) {
        c->out->offer(c->out->arg, word);
    }
}

static void offer_all(const struct context *c, const char *const *words)
{
    for (; *words; words++) {
        offer(c, *words);
    }
}

/* Returns the word `back` places before the last one, which is being typed; "" if there is none. */
static const char *word_before(const struct context *c, unsigned back)
{
    return back <= c->count ? c->words[c->count - back] : "";
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(*words, word) == 0) {
            return true;
        }
    }
    return false;
}

static void offer_compares(const struct context *c)
{
    for (unsigned i = TT_LESS; i <= TT_NOT_EQUAL; i++) {
        offer(c, tt_rule_compare_text(i));
    }
}

/* ---- words -------------------------------------------------------------------------------- */

/* Adds a word that is complete. A name with its colon begins the rule again. */
static void add_word(struct context *c, const char *word, size_t length, bool closed)
{
    if (!closed && word[length - 1] == ':') {
        c->count = 0;
    } else if (c->count < WORDS_MOST) {
        length = length < WORD_BYTES - 1 ? length : WORD_BYTES - 1;
        memcpy(c->words[c->count], word, length);
        c->words[c->count++][length] = '\0';
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void split(struct context *c, const char *line, size_t caret)
{
    char typed[TYPED_BYTES]; /* up to the caret: a word that ends after it is being typed */
    size_t at = 0;
    caret = caret < sizeof typed ? caret : 0; /* nothing is offered in a longer line */
    snprintf(typed, sizeof typed, "%.*s", (int)caret, line);
    while (at < caret) {
        if (is_blank(line[at])) {
            at++;
            continue;
        }
        bool closed = line[at] == '"' || line[at] == '{';
        size_t end = closed ? tt_scan_end(typed, at) : at;
        end = closed && end == 0 ? caret + 1 : end;
        while (!closed && end < caret && !is_blank(line[end])) {
            end++;
        }
        if (end > caret || (end == caret && !closed)) { /* it is being typed */
            c->filter = closed && line[at] == '{' ? at + 1 : 0;
            break;
        }
        add_word(c, line + at, end - at, closed);
        at = end;
    }
    c->out->from = at;
    c->prefix = line + at;
    c->length = caret - at;
}

/* ---- names of the capture ----------------------------------------------------------------- */

static void offer_threads(const struct context *c)
{
    const struct tt_capture *capture = c->out->capture;
    for (uint32_t i = 0; capture && i < tt_thread_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (tt_thread_is_counted(tt_thread_at(capture, i))) {
            tt_rule_write_name_of(&text, capture, i);
            offer(c, tt_text_cstr(&text));
        }
    }
}

static void offer_processes(const struct context *c)
{
    const struct tt_capture *capture = c->out->capture;
    if (capture && tt_merge_any_lacks_processes(capture)) {
        offer_threads(c);
    }
    for (uint32_t i = 0; capture && i < tt_process_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (tt_merge_lacks_processes(capture, i, TT_NO_THREAD)) {
            continue;
        }
        tt_rule_write_process(&text, capture, i);
        offer(c, tt_text_cstr(&text));
    }
}

static void offer_events(const struct context *c, bool classes)
{
    const struct tt_capture *capture = c->out->capture;
    for (uint32_t i = 0; capture && i < tt_types_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const char *name =
            classes ? tt_types_at(capture, i)->class_name : tt_types_at(capture, i)->name;
        tt_rule_write_word(&text, name, strlen(name));
        offer(c, tt_text_cstr(&text));
    }
}

static void offer_names(const struct context *c, const struct tt_table *table)
{
    const struct tt_table_column *of = tt_table_name_column(table, 0);
    bool of_message = of->unit == TT_UNIT_NAME && table->filter == TT_FILTER_MESSAGES;
    offer(c, "*");
    offer(c, "~");
    if (of->unit == TT_UNIT_LANE_NAME) {
        offer_threads(c);
    } else if (of->unit == TT_UNIT_PROCESS_NAME || of_message) {
        offer_processes(c);
    } else if (table == &tt_table_event_names) {
        offer_events(c, false);
    }
}

/* ---- filters ------------------------------------------------------------------------------ */

/* Offers the fields of a filter, or the values of the field before the caret. */
static void complete_filter(struct context *c, const char *line, size_t caret)
{
    static const char *const joins[] = {"and", "or", "not", NULL};
    static const char *const operators[] = {"=", "!=", "~", "in", NULL};
    struct context inner = {.out = c->out};
    split(&inner, line + c->filter, caret - c->filter);
    c->out->from += c->filter;
    const char *field = word_before(&inner, 2), *last = word_before(&inner, 1);
    if (is_one_of(last, operators)) {
        if (strcmp(field, "thread") == 0) {
            offer_threads(&inner);
        } else if (strcmp(field, "process") == 0) {
            offer_processes(&inner);
        } else if (strcmp(field, "event") == 0 || strcmp(field, "class") == 0) {
            offer_events(&inner, strcmp(field, "class") == 0);
        }
        return;
    }
    const struct tt_filter_field *known;
    bool after_field = false;
    for (unsigned i = 0; (known = tt_filter_field_at(i)) != NULL; i++) {
        after_field |= strcmp(known->name, last) == 0;
    }
    if (after_field) {
        offer_all(&inner, operators);
        return;
    }
    if (inner.count > 0 && !is_one_of(last, joins)) {
        offer_all(&inner, joins);
        offer(&inner, "}");
        return;
    }
    for (unsigned i = 0; (known = tt_filter_field_at(i)) != NULL; i++) {
        offer(&inner, known->name);
    }
    offer(&inner, "not");
}

/* ---- rules -------------------------------------------------------------------------------- */

/* Offers the first words of all measures, or the second words after `first`. */
static void offer_measures(const struct context *c, const struct tt_table *table, const char *first)
{
    for (size_t i = 0; i < table->column_count; i++) {
        enum tt_rule_unit unit;
        const char *key = table->columns[i].key, *last = tt_rule_key_quantile(table, key);
        char word[WORD_BYTES];
        struct tt_text text = tt_text_of(word, sizeof word);
        if (!tt_rule_column(&table->columns[i], &unit)) {
            continue;
        }
        tt_text_bytes(&text, key, last ? (size_t)(last - key) - 1 : strlen(key));
        if (!first) {
            offer(c, tt_text_cstr(&text));
        } else if (last && strcmp(tt_text_cstr(&text), first) == 0) {
            offer(c, last);
        }
    }
}

static void offer_tables(const struct context *c, const char *first)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        if (tt_rule_selector(table) || table == &tt_table_total) {
            offer_measures(c, table, first);
        }
    }
}

/* Offers the words that begin a rule. */
static void offer_begin(const struct context *c)
{
    static const char *const words[] = {"every", "never",      "no",      "count",   "rate",
                                        "max",   "p99",        "mean",    "min",     "inversions",
                                        "{",     "reaction",   "entry",   "handler", "to_ready",
                                        "set",   "to_running", "include", NULL};
    offer_all(c, words);
    for (unsigned i = 0; i < TT_HEALTH_COUNT; i++) {
        offer(c, tt_health_key(i));
    }
    offer_tables(c, NULL);
}

/* Offers the selectors whose table has the measure that was typed. */
static void offer_selectors(const struct context *c)
{
    const char *second = c->count > 2 ? c->words[1] : "";
    const struct tt_table_column *column;
    if (strcmp(c->words[0], "count") == 0 || strcmp(c->words[0], "rate") == 0) {
        offer(c, "{");
    }
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        const char *word = tt_rule_selector(table);
        struct tt_status status = tt_ok();
        if (word) {
            status = tt_rule_measure_find(table, c->words[0], second, false, &column);
        }
        if (word && !tt_failed(&status)) {
            offer(c, word);
        }
    }
    if (strcmp(c->words[0], "inversions") == 0 || tt_rule_is_part(c->words[0])) {
        offer(c, "thread");
    }
}

/* Offers the words that may follow an event of a sequence. */
static void offer_after_filter(const struct context *c)
{
    static const char *const every[] = {"is", "same", "within", NULL};
    static const char *const absence[] = {"between", "and", "same", "within", NULL};
    static const char *const then[] = {"then", "same", "within", NULL};
    static const char *const window[] = {"within", "during", "to", NULL};
    const char *first = c->words[0];
    offer_all(c, strcmp(first, "every") == 0 ? every
                 : strcmp(first, "no") == 0  ? absence
                 : first[0] == '{'           ? then
                                             : window);
    bool judges = strcmp(first, "count") == 0 || strcmp(first, "rate") == 0;
    bool time = c->count > 1 && (strcmp(c->words[1], "time") == 0 || strcmp(first, "time") == 0);
    if (judges || time) {
        offer_compares(c);
    }
    if (time) {
        offer(c, "same");
        offer(c, "pair");
    }
}

/* Offers the words that always follow the keyword `last`; returns false for other words. */
static bool offer_keyword(const struct context *c, const char *last)
{
    static const struct {
        const char *last;
        const char *next[5];
    } table[] = {
        {"is", {"followed"}},
        {"followed", {"by"}},
        {"time", {"from"}},
        {"from", {"{"}},
        {"every", {"{"}},
        {"never", {"{"}},
        {"no", {"{"}},
        {"between", {"{"}},
        {"and", {"{"}},
        {"then", {"{"}},
        {"during", {"{"}},
        {"same", {"thread", "cpu", "process", "arg:"}},
        {"pair", {"first", "last"}},
        {"inversions", {"of"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].last, last) == 0) {
            for (size_t k = 0; k < 5 && table[i].next[k]; k++) {
                offer(c, table[i].next[k]);
            }
            return true;
        }
    }
    return false;
}

/* Offers the words that may follow a selector's name: the second name, or the comparison. */
static void offer_after_name(const struct context *c, const struct tt_table *table,
                             const char *last)
{
    const char *between = tt_rule_has_two(table) ? tt_rule_between(table) : NULL;
    if (between && strcmp(last, between) == 0) {
        offer_names(c, table);
    } else if (between && strcmp(word_before(c, 2), between) != 0) {
        offer(c, between);
    } else if (tt_rule_is_part(c->words[0]) && strcmp(word_before(c, 2), "interrupt") != 0) {
        offer(c, strcmp(last, "to") == 0 ? "interrupt" : "to");
    } else {
        offer_compares(c);
    }
}

/* Returns whether the words are a measure of the whole capture. */
static bool is_of_capture(const struct context *c)
{
    const struct tt_table_column *column;
    struct tt_status status = tt_rule_measure_find(&tt_table_total, c->words[0],
                                                   c->count > 1 ? c->words[1] : "", false, &column);
    bool found = !tt_failed(&status);
    for (unsigned i = 0; i < TT_HEALTH_COUNT; i++) {
        found |= c->count == 1 && strcmp(tt_health_key(i), c->words[0]) == 0;
    }
    return found;
}

/* Offers the columns of a table: those that measure something, or all. */
static void offer_columns(const struct context *c, const struct tt_table *table, bool all)
{
    enum tt_rule_unit unit;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        if (all || tt_rule_column(column, &unit)) {
            offer(c, column->sql ? column->sql : column->key);
        }
    }
}

/* Offers the word that follows in the conditions on a row, or its comparison. */
static void offer_term(const struct context *c, const struct tt_table *table)
{
    static const char *const names[] = {"=", "!=", "~", "!~", NULL};
    static const char *const before[] = {"where", "and", NULL};
    const struct tt_table_column *column = tt_table_column_of(table, word_before(c, 2));
    if (is_one_of(word_before(c, 1), before)) {
        offer_columns(c, table, true);
    } else if (is_one_of(word_before(c, 2), before)) {
        offer_all(c, names);
        offer_compares(c);
    } else if (!is_one_of(word_before(c, 3), before)) {
        offer(c, "and");
        offer_compares(c);
    } else if (column && column->unit == TT_UNIT_LANE_NAME) {
        offer_threads(c);
    } else if (column && column->unit == TT_UNIT_PROCESS_NAME) {
        offer_processes(c);
    }
}

/* Completes QUANTILE of COLUMN of TABLE where ...; returns false for other rules. */
static bool complete_rows(const struct context *c)
{
    const struct tt_table *table = c->count > 4 ? tt_rule_any_table(c->words[4], NULL) : NULL;
    bool counts = strcmp(c->words[0], "count") == 0;
    enum tt_quantile quantile;
    if (c->count < 2 || !tt_quantile_find(c->words[0], &quantile) ||
        strcmp(c->words[1], "of") != 0 || (c->count > 3 && strcmp(c->words[3], "of") != 0)) {
        return false;
    }
    for (size_t i = 0; c->count == 2 && (table = tt_table_any_at(i)) != NULL; i++) {
        offer_columns(c, table, counts && table->next);
    }
    for (size_t i = 0; c->count == 4 && (table = tt_table_any_at(i)) != NULL; i++) {
        if (tt_table_column_of(table, c->words[2])) {
            offer(c, table->name);
        }
    }
    if (c->count == 3 && c->words[2][0] != '{') {
        offer(c, "of");
        return !tt_rule_table(c->words[2]); /* also a selector: count of event NAME */
    }
    if (c->count == 5) {
        offer(c, "where");
        offer_compares(c);
    } else if (table && c->count > 5) {
        offer_term(c, table);
    }
    return c->count > 3;
}

static void complete_rule(struct context *c)
{
    static const char *const windows[] = {"within", "during", NULL};
    static const char *const joins[] = {"same", "pair", NULL};
    static const char *const after_join[] = {"within", "pair", "during", NULL};
    const char *last = word_before(c, 1);
    const struct tt_table *table = NULL; /* of the selector, after `of` */
    enum tt_quantile quantile;
    bool compared = false;
    for (unsigned i = 0; i < c->count; i++) {
        compared |= c->words[i][0] == '<' || c->words[i][0] == '>' || c->words[i][0] == '=' ||
                    strcmp(c->words[i], "!=") == 0;
        if (!table && i > 0 && strcmp(c->words[i - 1], "of") == 0) {
            table = tt_rule_table(c->words[i]);
        }
    }
    if (c->count == 0) {
        offer_begin(c);
    } else if (complete_rows(c)) {
        return;
    } else if (strcmp(last, "of") == 0) {
        offer_selectors(c);
    } else if (table && strcmp(word_before(c, 2), "of") == 0) {
        offer_names(c, table);
    } else if (compared) {
        if (!offer_keyword(c, last)) {
            offer_all(c, windows);
            offer(c, last[0] == '{' ? "to" : "within");
        }
    } else if (table) {
        offer_after_name(c, table, last);
    } else if (is_one_of(word_before(c, 2), joins)) {
        offer_all(c, after_join);
        offer_compares(c);
    } else if (last[0] == '{') {
        offer_after_filter(c);
    } else if (!offer_keyword(c, last)) {
        if (strcmp(last, "by") == 0 || strcmp(last, "to") == 0) {
            offer(c, "{");
            return;
        }
        if (c->count == 1) {
            offer_tables(c, last);
            offer(c, tt_quantile_find(last, &quantile) ? "time" : "of");
            for (unsigned i = 0; tt_rule_is_part(last) && i < TT_QUANTILE_COUNT_; i++) {
                offer(c, tt_quantile_word(i));
            }
        }
        offer(c, "of");
        if (is_of_capture(c)) {
            offer_compares(c);
        }
    }
}

void tt_rule_complete(struct tt_rule_completion *completion, const char *line, size_t caret)
{
    struct context c = {.out = completion};
    split(&c, line, caret);
    if (c.filter > 0) {
        complete_filter(&c, line, caret);
    } else {
        complete_rule(&c);
    }
}
