/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sql/sql_commands.h"

#include <string.h>

#include "sql/sql.h"

#define WIDTH      80u
#define NAME_WIDTH 20u
#define TYPE_WIDTH 9u
#define DOC_BYTES  1024
#define COMMANDS   ".tables lists the tables, .schema all columns, .schema TABLE those of a table.\n"

void tt_sql_print_help(struct tt_output *out)
{
    static const char help[] =
        "A statement of SQL per line; docs/sql.md has the tables. Tab completes, ^D ends,\n"
        "^C stops a query.\n" COMMANDS;
    tt_output_write(out, help, sizeof help - 1);
}

/* Prints a name and what it is, whose lines are aligned; words are not broken. */
static void print_entry(struct tt_output *out, const char *name, const char *type, const char *page)
{
    char buffer[DOC_BYTES];
    struct tt_text plain = tt_text_of(buffer, sizeof buffer);
    const size_t indent = NAME_WIDTH + (type ? TYPE_WIDTH : 0);

    /* Appends the text of a page without its mark-up: `code`; of [a link](page) the page. */
    for (const char *p = page; *p; p++) {
        const char *middle = *p == '[' ? strstr(p, "](") : NULL;
        const char *end = middle ? strchr(middle, ')') : NULL;
        if (end) {
            tt_text_str(&plain, "docs/");
            tt_text_bytes(&plain, middle + 2, (size_t)(end - middle) - 2);
            p = end;
        } else if (*p != '`') {
            tt_text_char(&plain, *p);
        }
    }
    tt_text_cstr(&plain);

    const char *rest = buffer;
    do {
        size_t length = strlen(rest), fit = length < WIDTH - indent ? length : WIDTH - indent;
        while (fit < length && fit > 0 && rest[fit] != ' ') {
            fit--;
        }
        fit = fit > 0 ? fit : strcspn(rest, " ");
        TT_PRINT_LINE(out, {
            size_t start = text.used;
            tt_text_str(&text, rest == buffer ? name : "");
            tt_text_pad_to(&text, start, NAME_WIDTH, rest == buffer ? 2 : 0);
            if (type) {
                tt_text_str(&text, rest == buffer ? type : "");
                tt_text_pad_to(&text, start, indent, rest == buffer ? 2 : 0);
            }
            tt_text_bytes(&text, rest, fit);
            tt_text_char(&text, '\n');
        });
        rest += fit;
        rest += *rest == ' ';
    } while (*rest);
}

static void list_table(unsigned table, struct tt_output *out)
{
    struct tt_sql_column_info column;
    for (unsigned k = 0; tt_sql_column_at(table, k, &column); k++) {
        print_entry(out, column.name, column.type, column.doc);
    }
}

static struct tt_status list_columns(const char *name, size_t length, struct tt_output *out)
{
    struct tt_sql_table_info table;
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        if (strlen(table.name) == length && memcmp(table.name, name, length) == 0) {
            list_table(i, out);
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_USAGE, "no table \"%.*s\"; .tables lists them",
                    (int)(length < 40 ? length : 40), name);
}

struct tt_status tt_sql_command(const char *line, size_t length, struct tt_output *out)
{
    static const char schema[] = ".schema ";
    while (length > 0 &&
           (line[length - 1] == ' ' || line[length - 1] == ';' || line[length - 1] == '\r')) {
        length--;
    }
    if (length == 7 && memcmp(line, ".tables", 7) == 0) {
        struct tt_sql_table_info table;
        for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
            print_entry(out, table.name, NULL, table.doc);
        }
        return tt_ok();
    }
    if (length == 7 && memcmp(line, ".schema", 7) == 0) {
        /* Lists the columns of all tables, each below the name of its table. */
        struct tt_sql_table_info table;
        for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
            TT_PRINT_LINE(out, tt_text_put(&text, i > 0 ? "\n%s\n" : "%s\n", table.name));
            list_table(i, out);
        }

        return tt_ok();
    }
    if (length > sizeof schema - 1 && memcmp(line, schema, sizeof schema - 1) == 0) {
        size_t skip = sizeof schema - 1;
        skip += strspn(line + skip, " ");
        return list_columns(line + skip, length - skip, out);
    }
    if (length == 5 && memcmp(line, ".help", 5) == 0) {
        tt_sql_print_help(out);
        return tt_ok();
    }
    return tt_error(TT_ERR_USAGE, "no command \"%.*s\"; there are .tables, .schema TABLE, .help",
                    (int)(length < 40 ? length : 40), line);
}
