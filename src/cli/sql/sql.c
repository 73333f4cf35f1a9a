/* SPDX-License-Identifier: Apache-2.0 */
/* sql: runs statements on captures: of the command line, a file, standard input, or a prompt. */
#include <stdlib.h>
#include <string.h>

#include "base/file_read.h"
#include "cli/commands.h"
#include "cli/sql/captures.h"
#include "cli/sql/rows.h"
#include "cli/sql/sql_commands.h"
#include "cli/sql/sql_prompt.h"
#include "sql/sql.h"

#define SCRIPT_MOST ((size_t)1 << 20)

struct tt_status tt_sql_run(struct tt_sql *sql, const char *text, int format, struct tt_output *out)
{
    char *expanded;
    struct tt_status status = tt_sql_expand(sql, text, &expanded);
    const char *rest = expanded ? expanded : text;
    while (!tt_failed(&status) && *(rest += strspn(rest, " \t\r\n"))) {
        if (*rest == '.') { /* no statement begins with a dot */
            size_t length = strcspn(rest, "\n");
            status = tt_sql_command(rest, length, out);
            rest += length;
            continue;
        }
        struct tt_sql_query *query;
        status = tt_sql_prepare(sql, rest, &query, &rest, NULL);
        if (query) {
            status = tt_sql_print(query, format, out);
            tt_sql_query_free(query);
        }
    }
    free(expanded);
    return status;
}

static struct tt_status run_all(struct tt_sql *sql, const struct tt_options *options,
                                struct tt_output *out)
{
    if (options->to_database) {
        /* Copies the tables, or the rows of the query, into a database. */
        char *expanded = NULL;
        struct tt_status status =
            options->query ? tt_sql_expand(sql, options->query, &expanded) : tt_ok();
        if (!tt_failed(&status)) {
            status = tt_sql_copy(sql, expanded ? expanded : options->query, options->to_database);
        }
        free(expanded);
        return tt_status_context(status, options->to_database);
    }
    if (options->query) {
        return tt_sql_run(sql, options->query, options->format, out);
    }
    if (!options->query_file && tt_line_reader_is_possible()) {
        return tt_sql_ask(sql, options, out);
    }

    const char *path = options->query_file ? options->query_file : "-";
    char *text = NULL;
    size_t length;
    int error =
        tt_file_text(strcmp(path, "-") == 0 ? "/dev/stdin" : path, SCRIPT_MOST, &text, &length);
    struct tt_status status = error != 0 ? tt_error_errno(error, "read") : tt_ok();
    if (!tt_failed(&status)) {
        status = tt_sql_run(sql, text, options->format, out);
    }
    free(text);
    return tt_failed(&status) && options->query_file ? tt_status_context(status, path) : status;
}

static struct tt_status open_session(const struct tt_options *options,
                                     const struct tt_sql_captures *captures, struct tt_sql **sql)
{
    struct tt_sql_limits limits = {.time_ms = options->timeout_ms, .memory = options->memory_limit};
    struct tt_sql_source *sources = calloc(captures->count, sizeof *sources);
    if (!sources) {
        return tt_error_memory();
    }
    for (size_t i = 0; i < captures->count; i++) {
        sources[i] =
            (struct tt_sql_source){captures->inputs[i].path, captures->inputs[i].trace, false};
    }
    struct tt_status status = tt_sql_open(sources, captures->count, &limits, sql);
    free(sources);
    for (size_t i = 0; !tt_failed(&status) && i < options->sql_definition_count; i++) {
        status =
            tt_status_context(tt_sql_define(*sql, &options->sql_definitions[i]), "configuration");
    }
    return status;
}

static enum tt_exit query_captures(const struct tt_options *options,
                                   const struct tt_sql_captures *captures, enum tt_exit result)
{
    struct tt_sql *sql = NULL;
    struct tt_output out;
    struct tt_status status = open_session(options, captures, &sql);
    if (tt_failed(&status)) {
        tt_sql_close(sql);
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    status = tt_output_open(&out, options->output);
    status = tt_failed(&status) ? status : run_all(sql, options, &out);
    tt_sql_close(sql);
    status = tt_output_finish(&out, status, true);
    if (tt_failed(&status)) {
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    for (size_t i = 0; i < captures->count; i++) {
        status = tt_ok();
        result = tt_exit_worse(result, tt_input_verdict(&captures->inputs[i], &status));
    }
    return result;
}

/* Runs a command such as .tables, which needs no capture. */
static enum tt_exit run_without_captures(const struct tt_options *options)
{
    struct tt_output out;
    struct tt_status status = tt_output_open(&out, options->output);
    if (!tt_failed(&status)) {
        status = tt_sql_command(options->query, strlen(options->query), &out);
    }
    status = tt_output_finish(&out, status, true);
    return tt_exit_of(&status, TT_EXIT_GOOD);
}

enum tt_exit tt_command_sql(const struct tt_options *options)
{
    struct tt_sql_captures captures;
    enum tt_exit result = TT_EXIT_GOOD;
    struct tt_status status = tt_command_check_output(options);
    if (!tt_failed(&status) && !tt_sql_is_built_in()) {
        struct tt_sql *none;
        status = tt_sql_open(NULL, 0, NULL, &none);
    }
    if (tt_failed(&status)) {
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    if (options->files.count == 0) {
        return run_without_captures(options);
    }
    if (tt_sql_captures_open(&captures, options, &result)) {
        result = query_captures(options, &captures, result);
    }
    tt_sql_captures_close(&captures);
    return result;
}
