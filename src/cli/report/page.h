/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page: an HTML page that is built in memory, with a bound on its size.
 *
 *      section    <section id="threads"><h2>CPU time by thread</h2>      and a link to it in the contents
 *        command  the command that prints the same numbers
 *        lines    text of a command, as preformatted text
 *        table    rows of cells
 *
 * All text that is passed in is escaped for HTML here; control characters are escaped before, where
 * text leaves the capture. A page of any capture stays below TT_PAGE_MOST: content that does not
 * fit is left out, and the page names the command that prints it. One thread.
 */
#ifndef TT_CLI_REPORT_PAGE_H
#define TT_CLI_REPORT_PAGE_H

#include "cli/options.h"
#include "cli/output.h"
#include "tracetui/table.h"

#define TT_PAGE_MOST  1000000u /* bytes of a page */
#define TT_PAGE_FRAME 100000u  /* of these for the head and the style sheet */
#define TT_PAGE_SCRAP 48000u   /* most bytes of the lines of one text, or of one table */
#define TT_PAGE_CELL  120u     /* most bytes of a cell before it is escaped */

struct tt_page {
    const struct tt_options *options;
    const char *path;          /* of the capture */
    struct tt_output body;     /* sections */
    struct tt_output contents; /* links to them */
    bool in_section;
};

/* Some columns and rows of a run. */
struct tt_page_table {
    const struct tt_table_run *run;
    const struct tt_table_column *const *columns;
    size_t column_count;
    const struct tt_table_row *rows;
    size_t row_count;
};

/* On failure nothing needs to be freed. */
struct tt_status tt_page_open(struct tt_page *page, const struct tt_options *options,
                              const char *path);
void tt_page_close(struct tt_page *page);
/* Returns TT_ERR_MEMORY if anything could not be added. */
struct tt_status tt_page_status(const struct tt_page *page);

/* Returns the number of bytes that the body may still have. */
size_t tt_page_left(const struct tt_page *page);

/* Adds markup as it is, or a text, escaped. */
void tt_page_markup(struct tt_page *page, const char *markup);

/* Begins a section, and ends the one before. `id` is unique on the page. */
void tt_page_section(struct tt_page *page, const char *id, const char *title);
/* Begins part `number` of a section, with its title in the contents below that of the section. */
void tt_page_part(struct tt_page *page, const char *id, unsigned number, const char *title,
                  size_t length);
/* Ends the last section. */
void tt_page_end(struct tt_page *page);

/*
 * Adds a line: `before`, the command with the options that select the range, the clock and the jobs,
 * and `after`. `words` are the command and its own options: "stats --by thread".
 */
void tt_page_command(struct tt_page *page, const char *before, const char *words,
                     const char *after);
/* Adds lines as preformatted text, at most TT_PAGE_SCRAP bytes; returns false if some are cut off. */
bool tt_page_lines(struct tt_page *page, const char *bytes, size_t length);
/* Adds a table of at most TT_PAGE_SCRAP bytes; returns the number of its rows that fit. */
size_t tt_page_table(struct tt_page *page, const struct tt_page_table *table);

/* Writes the page: `title`, the rules of the pictures for light and dark, contents, sections. */
void tt_page_write(const struct tt_page *page, const char *title, const struct tt_output *light,
                   const struct tt_output *dark, struct tt_output *out);

#endif
