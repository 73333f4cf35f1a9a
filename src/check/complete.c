/* SPDX-License-Identifier: Apache-2.0 */
/* complete: derives the possible next words from the words before the caret. */
#include "check/check_complete.h"
#include "table/registry.h"

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

static void complete_offer(const struct context *context, const char *word)
{
    if (strncasecmp(word, context->prefix, context->length) == 0) {
        context->out->offer(context->out->arg, word);
    }
}

static void offer_all(const struct context *context, const char *const *words)
{
    for (; *words; words++) {
        complete_offer(context, *words);
    }
}

/* Returns the word `back` places before the last one, which is being typed; "" if there is none. */
static const char *word_before(const struct context *context, unsigned back)
{
    return back <= context->count ? context->words[context->count - back] : "";
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

static void offer_compares(const struct context *context)
{
    for (unsigned i = TT_LESS; i <= TT_NOT_EQUAL; i++) {
        complete_offer(context, tt_rule_compare_text(i));
    }
}

/* ---- words -------------------------------------------------------------------------------- */

static bool complete_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void complete_split(struct context *context, const char *line, size_t caret)
{
    char typed[TYPED_BYTES]; /* up to the caret: a word that ends after it is being typed */
    size_t at = 0;
    caret = caret < sizeof typed ? caret : 0; /* nothing is offered in a longer line */
    snprintf(typed, sizeof typed, "%.*s", (int)caret, line);
    while (at < caret) {
        if (complete_is_blank(line[at])) {
            at++;
            continue;
        }
        bool closed = line[at] == '"' || line[at] == '{';
        size_t end = closed ? tt_scan_end(typed, at) : at;
        end = closed && end == 0 ? caret + 1 : end;
        while (!closed && end < caret && !complete_is_blank(line[end])) {
            end++;
        }
        if (end > caret || (end == caret && !closed)) { /* it is being typed */
            context->filter = closed && line[at] == '{' ? at + 1 : 0;
            break;
        }

        /* Adds a word that is complete. A name with its colon begins the rule again. */
        const char *word = line + at;
        size_t length = end - at;
        if (!closed && word[length - 1] == ':') {
            context->count = 0;
        } else if (context->count < WORDS_MOST) {
            length = length < WORD_BYTES - 1 ? length : WORD_BYTES - 1;
            memcpy(context->words[context->count], word, length);
            context->words[context->count++][length] = '\0';
        }

        at = end;
    }
    context->out->from = at;
    context->prefix = line + at;
    context->length = caret - at;
}

/* ---- names of the capture ----------------------------------------------------------------- */

static void offer_threads(const struct context *context)
{
    const struct tt_capture *capture = context->out->capture;
    for (uint32_t i = 0; capture && i < tt_thread_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (tt_thread_is_counted(tt_thread_at(capture, i))) {
            tt_rule_write_name_of(&text, capture, i);
            complete_offer(context, tt_text_cstr(&text));
        }
    }
}

static void offer_processes(const struct context *context)
{
    const struct tt_capture *capture = context->out->capture;
    if (capture && tt_merge_any_lacks_processes(capture)) {
        offer_threads(context);
    }
    for (uint32_t i = 0; capture && i < tt_process_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (tt_merge_lacks_processes(capture, i, TT_NO_THREAD)) {
            continue;
        }
        tt_rule_write_process(&text, capture, i);
        complete_offer(context, tt_text_cstr(&text));
    }
}

static void offer_events(const struct context *context, bool classes)
{
    const struct tt_capture *capture = context->out->capture;
    for (uint32_t i = 0; capture && i < tt_types_count(capture) && i < NAMES_MOST; i++) {
        char buffer[NAME_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const char *name =
            classes ? tt_types_at(capture, i)->class_name : tt_types_at(capture, i)->name;
        tt_rule_write_word(&text, name, strlen(name));
        complete_offer(context, tt_text_cstr(&text));
    }
}

static void complete_offer_names(const struct context *context, const struct tt_table *table)
{
    const struct tt_table_column *of = tt_table_name_column(table, 0);
    bool of_message = of->unit == TT_UNIT_NAME && table->filter == TT_FILTER_MESSAGES;
    complete_offer(context, "*");
    complete_offer(context, "~");
    if (of->unit == TT_UNIT_LANE_NAME) {
        offer_threads(context);
    } else if (of->unit == TT_UNIT_PROCESS_NAME || of_message) {
        offer_processes(context);
    } else if (table == &tt_table_event_names) {
        offer_events(context, false);
    }
}

/* ---- filters ------------------------------------------------------------------------------ */

/* Offers the fields of a filter, or the values of the field before the caret. */
static void complete_filter(struct context *context, const char *line, size_t caret)
{
    static const char *const joins[] = {"and", "or", "not", NULL};
    static const char *const operators[] = {"=", "!=", "~", "in", NULL};
    struct context inner = {.out = context->out};
    complete_split(&inner, line + context->filter, caret - context->filter);
    context->out->from += context->filter;
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
        complete_offer(&inner, "}");
        return;
    }
    for (unsigned i = 0; (known = tt_filter_field_at(i)) != NULL; i++) {
        complete_offer(&inner, known->name);
    }
    complete_offer(&inner, "not");
}

/* ---- rules -------------------------------------------------------------------------------- */

/* Offers the first words of all measures, or the second words after `first`. */
static void offer_measures(const struct context *context, const struct tt_table *table,
                           const char *first)
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
            complete_offer(context, tt_text_cstr(&text));
        } else if (last && strcmp(tt_text_cstr(&text), first) == 0) {
            complete_offer(context, last);
        }
    }
}

static void offer_tables(const struct context *context, const char *first)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        if (tt_rule_selector(table) || table == &tt_table_total) {
            offer_measures(context, table, first);
        }
    }
}

/* Offers the words that begin a rule. */
static void offer_begin(const struct context *context)
{
    static const char *const words[] = {"every", "never",      "no",      "count",   "rate",
                                        "max",   "p99",        "mean",    "min",     "inversions",
                                        "{",     "reaction",   "entry",   "handler", "to_ready",
                                        "set",   "to_running", "include", NULL};
    offer_all(context, words);
    for (unsigned i = 0; i < TT_HEALTH_COUNT; i++) {
        complete_offer(context, tt_health_key(i));
    }
    offer_tables(context, NULL);
}

/* Offers the selectors whose table has the measure that was typed. */
static void offer_selectors(const struct context *context)
{
    const char *second = context->count > 2 ? context->words[1] : "";
    const struct tt_table_column *column;
    if (strcmp(context->words[0], "count") == 0 || strcmp(context->words[0], "rate") == 0) {
        complete_offer(context, "{");
    }
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        const char *word = tt_rule_selector(table);
        struct tt_status status = tt_ok();
        if (word) {
            status = tt_rule_measure_find(table, context->words[0], second, false, &column);
        }
        if (word && !tt_failed(&status)) {
            complete_offer(context, word);
        }
    }
    if (strcmp(context->words[0], "inversions") == 0 || tt_rule_is_part(context->words[0])) {
        complete_offer(context, "thread");
    }
}

/* Offers the words that may follow an event of a sequence. */
static void offer_after_filter(const struct context *context)
{
    static const char *const every[] = {"is", "same", "within", NULL};
    static const char *const absence[] = {"between", "and", "same", "within", NULL};
    static const char *const then[] = {"then", "same", "within", NULL};
    static const char *const window[] = {"within", "during", "to", NULL};
    const char *first = context->words[0];
    offer_all(context, strcmp(first, "every") == 0 ? every
                       : strcmp(first, "no") == 0  ? absence
                       : first[0] == '{'           ? then
                                                   : window);
    bool judges = strcmp(first, "count") == 0 || strcmp(first, "rate") == 0;
    bool time = context->count > 1 &&
                (strcmp(context->words[1], "time") == 0 || strcmp(first, "time") == 0);
    if (judges || time) {
        offer_compares(context);
    }
    if (time) {
        complete_offer(context, "same");
        complete_offer(context, "pair");
    }
}

/* Offers the words that always follow the keyword `last`; returns false for other words. */
static bool offer_keyword(const struct context *context, const char *last)
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
                complete_offer(context, table[i].next[k]);
            }
            return true;
        }
    }
    return false;
}

/* Offers the words that may follow a selector's name: the second name, or the comparison. */
static void offer_after_name(const struct context *context, const struct tt_table *table,
                             const char *last)
{
    const char *between = tt_rule_has_two(table) ? tt_rule_between(table) : NULL;
    if (between && strcmp(last, between) == 0) {
        complete_offer_names(context, table);
    } else if (between && strcmp(word_before(context, 2), between) != 0) {
        complete_offer(context, between);
    } else if (tt_rule_is_part(context->words[0]) &&
               strcmp(word_before(context, 2), "interrupt") != 0) {
        complete_offer(context, strcmp(last, "to") == 0 ? "interrupt" : "to");
    } else {
        offer_compares(context);
    }
}

/* Returns whether the words are a measure of the whole capture. */
static bool is_of_capture(const struct context *context)
{
    const struct tt_table_column *column;
    struct tt_status status =
        tt_rule_measure_find(&tt_table_total, context->words[0],
                             context->count > 1 ? context->words[1] : "", false, &column);
    bool found = !tt_failed(&status);
    for (unsigned i = 0; i < TT_HEALTH_COUNT; i++) {
        found |= context->count == 1 && strcmp(tt_health_key(i), context->words[0]) == 0;
    }
    return found;
}

/* Offers the columns of a table: those that measure something, or all. */
static void complete_offer_columns(const struct context *context, const struct tt_table *table,
                                   bool all)
{
    enum tt_rule_unit unit;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        if (all || tt_rule_column(column, &unit)) {
            complete_offer(context, column->sql ? column->sql : column->key);
        }
    }
}

/* Offers the word that follows in the conditions on a row, or its comparison. */
static void offer_term(const struct context *context, const struct tt_table *table)
{
    static const char *const names[] = {"=", "!=", "~", "!~", NULL};
    static const char *const before[] = {"where", "and", NULL};
    const struct tt_table_column *column = tt_table_column_of(table, word_before(context, 2));
    if (is_one_of(word_before(context, 1), before)) {
        complete_offer_columns(context, table, true);
    } else if (is_one_of(word_before(context, 2), before)) {
        offer_all(context, names);
        offer_compares(context);
    } else if (!is_one_of(word_before(context, 3), before)) {
        complete_offer(context, "and");
        offer_compares(context);
    } else if (column && column->unit == TT_UNIT_LANE_NAME) {
        offer_threads(context);
    } else if (column && column->unit == TT_UNIT_PROCESS_NAME) {
        offer_processes(context);
    }
}

/* Completes QUANTILE of COLUMN of TABLE where ...; returns false for other rules. */
static bool complete_rows(const struct context *context)
{
    const struct tt_table *table =
        context->count > 4 ? tt_rule_any_table(context->words[4], NULL) : NULL;
    bool counts = strcmp(context->words[0], "count") == 0;
    enum tt_quantile quantile;
    if (context->count < 2 || !tt_quantile_find(context->words[0], &quantile) ||
        strcmp(context->words[1], "of") != 0 ||
        (context->count > 3 && strcmp(context->words[3], "of") != 0)) {
        return false;
    }
    for (size_t i = 0; context->count == 2 && (table = tt_table_any_at(i)) != NULL; i++) {
        complete_offer_columns(context, table, counts && table->next);
    }
    for (size_t i = 0; context->count == 4 && (table = tt_table_any_at(i)) != NULL; i++) {
        if (tt_table_column_of(table, context->words[2])) {
            complete_offer(context, table->name);
        }
    }
    if (context->count == 3 && context->words[2][0] != '{') {
        complete_offer(context, "of");
        return !tt_rule_table(context->words[2]); /* also a selector: count of event NAME */
    }
    if (context->count == 5) {
        complete_offer(context, "where");
        offer_compares(context);
    } else if (table && context->count > 5) {
        offer_term(context, table);
    }
    return context->count > 3;
}

static void complete_rule(struct context *context)
{
    static const char *const windows[] = {"within", "during", NULL};
    static const char *const joins[] = {"same", "pair", NULL};
    static const char *const after_join[] = {"within", "pair", "during", NULL};
    const char *last = word_before(context, 1);
    const struct tt_table *table = NULL; /* of the selector, after `of` */
    enum tt_quantile quantile;
    bool compared = false;
    for (unsigned i = 0; i < context->count; i++) {
        compared |= context->words[i][0] == '<' || context->words[i][0] == '>' ||
                    context->words[i][0] == '=' || strcmp(context->words[i], "!=") == 0;
        if (!table && i > 0 && strcmp(context->words[i - 1], "of") == 0) {
            table = tt_rule_table(context->words[i]);
        }
    }
    if (context->count == 0) {
        offer_begin(context);
    } else if (complete_rows(context)) {
        return;
    } else if (strcmp(last, "of") == 0) {
        offer_selectors(context);
    } else if (table && strcmp(word_before(context, 2), "of") == 0) {
        complete_offer_names(context, table);
    } else if (compared) {
        if (!offer_keyword(context, last)) {
            offer_all(context, windows);
            complete_offer(context, last[0] == '{' ? "to" : "within");
        }
    } else if (table) {
        offer_after_name(context, table, last);
    } else if (is_one_of(word_before(context, 2), joins)) {
        offer_all(context, after_join);
        offer_compares(context);
    } else if (last[0] == '{') {
        offer_after_filter(context);
    } else if (!offer_keyword(context, last)) {
        if (strcmp(last, "by") == 0 || strcmp(last, "to") == 0) {
            complete_offer(context, "{");
            return;
        }
        if (context->count == 1) {
            offer_tables(context, last);
            complete_offer(context, tt_quantile_find(last, &quantile) ? "time" : "of");
            for (unsigned i = 0; tt_rule_is_part(last) && i < TT_QUANTILE_COUNT_; i++) {
                complete_offer(context, tt_quantile_word(i));
            }
        }
        complete_offer(context, "of");
        if (is_of_capture(context)) {
            offer_compares(context);
        }
    }
}

void tt_rule_complete(struct tt_rule_completion *completion, const char *line, size_t caret)
{
    struct context c = {.out = completion};
    complete_split(&c, line, caret);
    if (c.filter > 0) {
        complete_filter(&c, line, caret);
    } else {
        complete_rule(&c);
    }
}
