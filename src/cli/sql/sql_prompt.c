/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sql/sql_prompt.h"

#include <ctype.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/sql/sql_commands.h"
#include "edit/history_file.h"

#define HISTORY "sql_history"

/* ---- words ---------------------------------------------------------------------------------- */

static const char *const keywords[] = {
    "and",      "as",     "asc",   "avg(", "between", "by",     "case", "count(", "desc",
    "distinct", "else",   "end",   "from", "group",   "having", "in",   "is",     "join",
    "left",     "like",   "limit", "max(", "min(",    "not",    "null", "on",     "or",
    "order",    "select", "sum(",  "then", "using",   "values", "when", "where",  "with",
};

static bool sql_prompt_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Adds a word that begins with the typed text. */
static void sql_prompt_offer(struct tt_line_words *words, const char *typed, size_t length,
                             const char *word)
{
    if (strncmp(typed, word, length) == 0) {
        tt_line_words_add(words, word);
    }
}

static void sql_prompt_offer_columns(struct tt_line_words *words, const char *typed, size_t length,
                                     unsigned table)
{
    struct tt_sql_column_info column;
    for (unsigned i = 0; tt_sql_column_at(table, i, &column); i++) {
        sql_prompt_offer(words, typed, length, column.name);
    }
}

/* Returns whether the line has the name as a word. */
static bool names(const char *line, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = strstr(line, name); p; p = strstr(p + 1, name)) {
        if ((p == line || !sql_prompt_is_word(p[-1])) && !sql_prompt_is_word(p[length])) {
            return true;
        }
    }
    return false;
}

void tt_sql_complete(const char *line, size_t caret, struct tt_line_words *words)
{
    size_t from = caret;
    while (from > 0 && sql_prompt_is_word(line[from - 1])) {
        from--;
    }
    const char *typed = line + from;
    size_t length = caret - from;
    bool column = from > 0 && line[from - 1] == '.';
    words->from = from;
    struct tt_sql_table_info table;
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        if (!column) {
            sql_prompt_offer(words, typed, length, table.name);
        }
        if (names(line, table.name)) {
            sql_prompt_offer_columns(words, typed, length, i);
        }
    }
    if (!column) {
        struct tt_sql_function_info function;
        for (unsigned i = 0; tt_sql_function_at(i, &function); i++) {
            char name[64];
            size_t end = strcspn(function.call, "(") + 1;
            end = end < sizeof name ? end : sizeof name - 1;
            memcpy(name, function.call, end);
            name[end] = '\0';
            sql_prompt_offer(words, typed, length, name);
        }

        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
            sql_prompt_offer(words, typed, length, keywords[i]);
        }
    }
}

/* Adds the macros after @, else the views of the configuration. */
static void offer_definitions(struct tt_line_words *words, const char *line, size_t caret,
                              const struct tt_options *options)
{
    const char *typed = line + words->from;
    char before = words->from > 0 ? typed[-1] : '\0';
    for (size_t i = 0; i < options->sql_definition_count && before != '.'; i++) {
        const struct tt_sql_definition *definition = &options->sql_definitions[i];
        char name[64];
        size_t length = strcspn(definition->name, "(") + definition->is_macro;
        if (definition->is_macro == (before == '@') && length < sizeof name) {
            memcpy(name, definition->name, length);
            name[length] = '\0';
            sql_prompt_offer(words, typed, caret - words->from, name);
        }
    }
}

static void sql_prompt_complete(void *arg, const char *line, size_t caret,
                                struct tt_line_words *words)
{
    tt_sql_complete(line, caret, words);
    offer_definitions(words, line, caret, arg);
}

/* ---- the prompt ----------------------------------------------------------------------------- */

/* The session whose query ^C stops. */
static struct tt_sql *volatile running;

static void stop(int signal_number)
{
    (void)signal_number;
    if (running) {
        tt_sql_interrupt(running);
    }
}

struct tt_status tt_sql_ask(struct tt_sql *sql, const struct tt_options *options,
                            struct tt_output *out)
{
    struct tt_options own = *options;
    struct tt_line_reader reader = {.in = STDIN_FILENO,
                                    .out = STDOUT_FILENO,
                                    .prompt = "sql> ",
                                    .complete = sql_prompt_complete,
                                    .arg = &own};
    if (!options->no_session) {
        tt_history_load(&reader.history, HISTORY);
    }
    tt_sql_print_help(out);
    tt_output_flush(out);
    while (tt_output_is_open(out) && tt_line_reader_read(&reader)) {
        /* Runs a statement; ^C stops it. */
        const char *line = reader.line;
        int format = options->format;
        struct sigaction action = {.sa_handler = stop}, old;
        sigemptyset(&action.sa_mask);
        running = sql;
        sigaction(SIGINT, &action, &old);
        struct tt_status status = tt_sql_run(sql, line, format, out);
        sigaction(SIGINT, &old, NULL);
        running = NULL;
        tt_output_flush(out);
        if (tt_failed(&status)) {
            tt_message_error(NULL, &status);
        }

        tt_output_flush(out);
    }
    if (!options->no_session) {
        tt_history_save(&reader.history, HISTORY);
    }
    tt_line_reader_free(&reader);
    return tt_ok();
}
