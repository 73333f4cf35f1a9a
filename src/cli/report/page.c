/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/page.h"

#include <string.h>

#include "cli/version.h"
#include "print/print.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* The colours of the page; those of the pictures follow. */
static const char style[] =
    ":root{color-scheme:light dark;--text:#1c1c1c;--back:#ffffff;--dim:#666666;--line:#d0d0d0;"
    "--head:#f2f2f2;--link:#1f5fbf}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--text:#d0d0d0;--back:#1e1e1e;"
    "--dim:#9a9a9a;--line:#444444;--head:#2a2a2a;--link:#6a9fd8}}\n"
    "body{margin:0 auto;padding:1em 1.5em;max-width:76em;color:var(--text);background:var(--back);"
    "font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin:2em 0 .4em;border-bottom:1px solid var(--line)}"
    "h3{font-size:1em;margin:1.6em 0 .4em}\n"
    "a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}\n"
    "nav ol{margin:0;padding-left:1.4em;columns:2 22em}nav ol ol{columns:1;font-size:.9em}\n"
    "p{margin:.4em 0}.note,footer{color:var(--dim);font-size:.9em}\n"
    "pre,code,table,.picture{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
    "font-size:13px}\n"
    "pre{margin:.4em 0;overflow-x:auto;line-height:1.3}\n"
    "div{overflow-x:auto}table{border-collapse:collapse;white-space:nowrap}\n"
    "th,td{padding:.1em .7em;text-align:right;border-bottom:1px solid var(--line)}"
    "th{background:var(--head)}.t{text-align:left}\n"
    ".picture{display:block;max-width:100%;height:auto;margin:.6em 0;fill:var(--text);"
    "font-size:14px;border:1px solid var(--line)}.picture text{white-space:pre}\n"
    "@media print{body{max-width:none;padding:0;font-size:11px}nav ol{columns:2}"
    "pre,code,table{font-size:9px}pre{white-space:pre-wrap}div{overflow:visible}"
    "table{white-space:normal}h2,h3{break-after:avoid}.picture,tr{break-inside:avoid}}\n";

/* ---- escaping ------------------------------------------------------------------------------- */

static void page_add(struct tt_output *out, const char *markup)
{
    tt_output_write(out, markup, strlen(markup));
}

/* Adds a text, with the characters that HTML reserves as references. */
static void add_html(struct tt_output *out, const char *bytes, size_t length)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        for (size_t i = 0; i < length; i++) {
            if (!tt_text_reference(&text, (unsigned char)bytes[i])) {
                tt_text_char(&text, bytes[i]);
            }
        }
    } while (!tt_output_end(out, &text));
}

/* ---- the page ------------------------------------------------------------------------------- */

struct tt_status tt_page_open(struct tt_page *page, const struct tt_options *options,
                              const char *path)
{
    *page = (struct tt_page){.options = options, .path = path};
    struct tt_status body = tt_output_open_memory(&page->body, SIZE_MAX);
    struct tt_status contents = tt_output_open_memory(&page->contents, SIZE_MAX);
    struct tt_status status = tt_failed(&body) ? body : contents;
    if (tt_failed(&status)) {
        tt_page_close(page);
    }
    return status;
}

void tt_page_close(struct tt_page *page)
{
    tt_output_close(&page->body, false);
    tt_output_close(&page->contents, false);
}

struct tt_status tt_page_status(const struct tt_page *page)
{
    return tt_failed(&page->body.status) ? page->body.status : page->contents.status;
}

size_t tt_page_left(const struct tt_page *page)
{
    size_t most = TT_PAGE_MOST - TT_PAGE_FRAME;
    size_t used = page->body.used + page->contents.used;
    return used < most ? most - used : 0;
}

void tt_page_markup(struct tt_page *page, const char *markup)
{
    page_add(&page->body, markup);
}

static void page_text(struct tt_page *page, const char *bytes, size_t length)
{
    add_html(&page->body, bytes, length);
}

void tt_page_end(struct tt_page *page)
{
    if (page->in_section) {
        page_add(&page->body, "</section>\n");
        page_add(&page->contents, "</li>\n");
        page->in_section = false;
    }
}

static void add_link(struct tt_page *page, const char *id, const char *title, size_t length)
{
    page_add(&page->contents, "<li><a href=\"#");
    page_add(&page->contents, id);
    page_add(&page->contents, "\">");
    add_html(&page->contents, title, length);
    page_add(&page->contents, "</a>");
}

void tt_page_section(struct tt_page *page, const char *id, const char *title)
{
    tt_page_end(page);
    add_link(page, id, title, strlen(title));
    page_add(&page->body, "<section id=\"");
    page_add(&page->body, id);
    page_add(&page->body, "\">\n<h2>");
    page_text(page, title, strlen(title));
    page_add(&page->body, "</h2>\n");
    page->in_section = true;
}

void tt_page_part(struct tt_page *page, const char *id, unsigned number, const char *title,
                  size_t length)
{
    char buffer[64];
    struct tt_text own = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&own, "%s-%u", id, number);
    page_add(&page->contents, number == 1 ? "\n<ol>\n" : "");
    add_link(page, tt_text_cstr(&own), title, length);
    page_add(&page->contents, "</li>\n");
    page_add(&page->body, "<h3 id=\"");
    page_add(&page->body, buffer);
    page_add(&page->body, "\">");
    page_text(page, title, length);
    page_add(&page->body, "</h3>\n");
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Appends a word as a shell reads it. */
static void page_put_word(struct tt_text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=+@%,";
    if (*word && strspn(word, plain) == strlen(word)) {
        tt_text_str(text, word);
        return;
    }
    tt_text_char(text, '\'');
    for (const char *p = word; *p; p += *p == '\'') {
        size_t part = strcspn(p, "'");
        tt_text_escaped(text, p, part);
        p += part;
        tt_text_str(text, *p ? "'\\''" : "");
    }
    tt_text_char(text, '\'');
}

static void put_option(struct tt_text *text, const char *name, const char *value)
{
    if (value) {
        tt_text_put(text, " %s ", name);
        page_put_word(text, value);
    }
}

/* Appends a time as it may be typed: 1500us, 500t, '#12', 40%. */
static void page_put_when(struct tt_text *text, const struct tt_time_spec *when)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int64_t value = when->value;
    unsigned unit = 0;
    switch (when->kind) {
    case TT_TIME_SPEC_NS:
        for (; unit < 3 && value % 1000 == 0 && value != 0; unit++) {
            value /= 1000;
        }
        tt_text_put(text, "%jd%s", value, units[unit]);
        break;
    case TT_TIME_SPEC_TICKS:
        tt_text_put(text, "%jdt", value);
        break;
    case TT_TIME_SPEC_EVENT:
        tt_text_put(text, "'#%jd'", value);
        break;
    default:
        tt_text_put(text, "%ju.", (uint64_t)value / 10000000);
        tt_text_u64_width(text, (uint64_t)value % 10000000, 7, '0');
        tt_text_char(text, '%');
        break;
    }
}

#define COMMAND_BYTES 1024u

void tt_page_command(struct tt_page *page, const char *before, const char *words, const char *after)
{
    char buffer[COMMAND_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&text, "tracetui %s", words);

    /* Appends the options of the report that the command also needs. */
    const struct tt_options *options = page->options;
    bool jobs = strstr(words, "--by job") != NULL;
    bool responses = strstr(words, "response") != NULL;
    if (options->from.kind != TT_TIME_SPEC_NONE) {
        tt_text_str(&text, " --from ");
        page_put_when(&text, &options->from);
    }
    if (options->to.kind != TT_TIME_SPEC_NONE) {
        tt_text_str(&text, " --to ");
        page_put_when(&text, &options->to);
    }
    put_option(&text, "--job-ends", jobs || responses ? options->job_ends : NULL);
    put_option(&text, "--deadline", jobs ? options->deadlines : NULL);
    put_option(&text, "--names", options->names);
    put_option(&text, "--metadata", options->metadata);
    if (options->clock_hz) {
        tt_text_put(&text, " --clock %ju", options->clock_hz);
    }

    tt_text_char(&text, ' ');
    page_put_word(&text, page->path);
    tt_page_markup(page, "<p class=\"note\">");
    page_text(page, before, strlen(before));
    tt_page_markup(page, "<code>");
    page_text(page, buffer, text.used);
    tt_page_markup(page, text.truncated ? ELLIPSIS "</code>" : "</code>");
    page_text(page, after, strlen(after));
    tt_page_markup(page, "</p>\n");
}

/* ---- lines and tables ----------------------------------------------------------------------- */

bool tt_page_lines(struct tt_page *page, const char *bytes, size_t length)
{
    size_t start = page->body.used, done = 0;
    tt_page_markup(page, "<pre>\n");
    while (done < length) {
        const char *end = memchr(bytes + done, '\n', length - done);
        size_t line = end ? (size_t)(end - bytes) + 1 - done : length - done;
        size_t before = page->body.used;
        page_text(page, bytes + done, line);
        if (page->body.used - start > TT_PAGE_SCRAP) {
            page->body.used = before;
            break;
        }
        done += line;
    }
    tt_page_markup(page, "</pre>\n");
    return done >= length;
}

/* Adds a row, NULL: the headings; of a long cell its first code points. */
static void page_add_row(struct tt_page *page, const struct tt_print *print,
                         const struct tt_table_row *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    tt_page_markup(page, "<tr>");
    for (size_t i = 0; i < print->count; i++) {
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        tt_page_markup(page, row ? "<td" : "<th");
        tt_page_markup(page, tt_unit_is_name(print->columns[i]->unit) ? " class=\"t\">" : ">");
        if (row) {
            tt_print_cell(&cell, print, i, row);
        } else {
            tt_print_heading(&cell, print, i);
        }
        size_t length = cell.used <= TT_PAGE_CELL ? cell.used : TT_PAGE_CELL;
        while (length > 0 && length < cell.used && ((unsigned char)buffer[length] & 0xc0) == 0x80) {
            length--;
        }
        page_text(page, buffer, length);
        tt_page_markup(page, length < cell.used ? ELLIPSIS : "");
        tt_page_markup(page, row ? "</td>" : "</th>");
    }
    tt_page_markup(page, "</tr>\n");
}

size_t tt_page_table(struct tt_page *page, const struct tt_page_table *table)
{
    size_t start = page->body.used, row = 0;
    struct tt_print print = {
        .run = table->run, .form = TT_PRINT_TEXT, .count = table->column_count};
    memcpy(print.columns, table->columns, table->column_count * sizeof *table->columns);
    for (size_t i = 0; i < table->row_count; i++) {
        tt_print_measure(&print, &table->rows[i]);
    }
    tt_print_settle(&print);
    tt_page_markup(page, "<div><table>\n<thead>");
    page_add_row(page, &print, NULL);
    tt_page_markup(page, "</thead>\n<tbody>\n");
    for (; row < table->row_count; row++) {
        size_t before = page->body.used;
        page_add_row(page, &print, &table->rows[row]);
        if (page->body.used - start > TT_PAGE_SCRAP) {
            page->body.used = before;
            break;
        }
    }
    tt_page_markup(page, "</tbody>\n</table></div>\n");
    return row;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_memory(struct tt_output *out, const struct tt_output *memory)
{
    tt_output_write(out, memory->buffer, memory->used);
}

void tt_page_write(const struct tt_page *page, const char *title, const struct tt_output *light,
                   const struct tt_output *dark, struct tt_output *out)
{
    char buffer[1024];
    struct tt_text safe = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&safe, title, strlen(title));
    page_add(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
    add_html(out, buffer, safe.used);
    page_add(out, "</title>\n<style>\n");
    page_add(out, style);
    page_add(out, "@media not screen,(prefers-color-scheme:light){\n");
    write_memory(out, light);
    page_add(out, "}\n@media screen and (prefers-color-scheme:dark){\n");
    write_memory(out, dark);
    page_add(out, "}\n</style>\n</head>\n<body>\n<h1>");
    add_html(out, buffer, safe.used);
    page_add(out, "</h1>\n<nav>\n<ol>\n");
    write_memory(out, &page->contents);
    page_add(out, "</ol>\n</nav>\n<main>\n");
    write_memory(out, &page->body);
    page_add(out, "</main>\n<footer>tracetui " TT_VERSION "</footer>\n</body>\n</html>\n");
}
