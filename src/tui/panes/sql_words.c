/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/input/completion.h"
#include "tui/panes/sql_query.h"

#include <string.h>
#include <strings.h>

#define WORD_BYTES 128

struct word {
    const char *text;
    size_t length;
};

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '@';
}

static bool is(struct word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.text, text, word.length) == 0;
}

/* Returns the next word from `*at` on; its length is 0 at the end. */
static struct word sql_words_next_word(const char **at, const char *end)
{
    const char *from = *at;
    while (from < end && !is_word_char(*from)) {
        from++;
    }
    *at = from;
    while (*at < end && is_word_char(**at)) {
        (*at)++;
    }
    return (struct word){from, (size_t)(*at - from)};
}

static bool contains(const char *text, const char *end, const char *name)
{
    for (struct word word = sql_words_next_word(&text, end); word.length > 0;
         word = sql_words_next_word(&text, end)) {
        if (is(word, name)) {
            return true;
        }
    }
    return false;
}

/* Returns whether a table before `table` that is offered has a column of this name. */
static bool is_offered(const char *text, const char *end, bool all, unsigned table,
                       const char *name)
{
    struct tt_sql_table_info info;
    struct tt_sql_column_info column;
    for (unsigned i = 0; i < table && tt_sql_table_at(i, &info); i++) {
        for (unsigned k = 0; ((all && !info.is_sums) || contains(text, end, info.name)) &&
                             tt_sql_column_at(i, k, &column);
             k++) {
            if (strcmp(column.name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Offers the columns of the tables in the query; returns whether it has a table. */
static bool sql_words_offer_columns(const char *text, const char *end, bool all,
                                    struct tt_completion *out)
{
    struct tt_sql_table_info table;
    struct tt_sql_column_info column;
    bool any = false;
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        if ((!all || table.is_sums) && !contains(text, end, table.name)) {
            continue;
        }
        any = true;
        for (unsigned k = 0; tt_sql_column_at(i, k, &column); k++) {
            if (!is_offered(text, end, all, i, column.name)) {
                tt_completion_offer(out, column.name, NULL, column.doc);
            }
        }
    }
    return any;
}

/* Offers "percentile(" for percentile(x, p), after `sign`. */
static void offer_call(const char *sign, const char *call, const char *help,
                       struct tt_completion *out)
{
    char insert[WORD_BYTES];
    struct tt_text text = tt_text_of(insert, sizeof insert - 1);
    size_t length = strcspn(call, "(");
    tt_text_str(&text, sign);
    tt_text_bytes(&text, call, length + (call[length] == '('));
    if (!text.truncated) {
        insert[text.used] = '\0';
        tt_completion_offer(out, insert, call, help);
    }
}

void tt_query_complete(const struct tt_query_definitions *definitions, const char *text,
                       size_t from, size_t caret, struct tt_completion *out)
{
    size_t word = caret;
    while (word > from && is_word_char(text[word - 1])) {
        word--;
    }
    struct word last = {"", 0};
    const char *at = text + from, *end = text + strlen(text);
    for (struct word w = sql_words_next_word(&at, text + word); w.length > 0;
         w = sql_words_next_word(&at, text + word)) {
        last = w;
    }
    bool of_table = word > from && text[word - 1] == '.';
    tt_completion_begin(out, text, word, caret);
    if (is(last, "from") || is(last, "join")) {
        struct tt_sql_table_info table;
        for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
            tt_completion_offer(out, table.name, NULL, table.doc);
        }
        for (size_t i = 0; i < definitions->count; i++) {
            if (!strchr(definitions->v[i].name, '(')) {
                tt_completion_offer(out, definitions->v[i].name, NULL,
                                    "a view of the configuration");
            }
        }
        return;
    }
    if (!sql_words_offer_columns(text + from, end, false, out)) {
        sql_words_offer_columns(text + from, end, true, out);
    }
    if (!of_table) {
        struct tt_sql_function_info function;
        for (unsigned i = 0; tt_sql_function_at(i, &function); i++) {
            offer_call("", function.call, function.doc, out);
        }
        for (size_t i = 0; i < definitions->count; i++) {
            if (strchr(definitions->v[i].name, '(')) {
                offer_call("@", definitions->v[i].name, "a macro of the configuration", out);
            }
        }
        static const char *const keywords[] = {
            "select",   "from",      "where",     "group by", "having",      "order by", "limit",
            "join",     "left join", "on",        "using",    "as",          "and",      "or",
            "not",      "between",   "in",        "is null",  "is not null", "like",     "glob",
            "distinct", "desc",      "union all", "with",     "case when",   "then",     "else",
            "end",      "cast(",     "count(",    "sum(",     "avg(",        "min(",     "max(",
        };
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
            tt_completion_offer(out, keywords[i], NULL, NULL);
        }
    }
    tt_completion_sort(out);
}
