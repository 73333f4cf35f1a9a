/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_file: baselines as text, a line per row.
 *
 *      tracetui-baseline 1
 *      table thread kev clock 51279034 1602469 32         format, clock or ticks, window, block, blocks
 *      measures run ready delay_p99
 *      row <key> <name> <first> <second> 123,12 13 - ... 45 ...
 *      end 12                                             number of rows
 *
 * Fields are separated by tabs. A field of values has the value of the whole window, a comma and those of
 * the blocks; `-` is no value. Texts are escaped, so that they contain no tab and no newline. Several
 * tables follow each other; each begins with the first line.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digits.h"
#include "base/file_read.h"
#include "compare/baseline_internal.h"

#define MAGIC      "tracetui-baseline 1"
#define LINE_BYTES 65536u

/* ---- writing ------------------------------------------------------------------------------ */

static void baseline_file_put_number(struct tt_text *text, char before, uint64_t value)
{
    tt_text_char(text, before);
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
    } else {
        tt_text_u64(text, value);
    }
}

static void baseline_file_put_field(struct tt_text *text, const char *field)
{
    tt_text_char(text, '\t');
    tt_text_str(text, field);
}

/* Writes the line of a row in pieces, whose buffer is `text`. */
static void baseline_file_write_row(struct tt_sink *sink, struct tt_text *text,
                                    const struct tt_baseline *baseline,
                                    const struct tt_baseline_row *row)
{
    tt_text_str(text, "row\t");
    for (const char *key = row->key; *key; key++) {
        if (*key == TT_KEY_PART[0]) { /* a control character */
            tt_text_str(text, "\\|");
        } else {
            tt_text_char(text, *key);
        }
    }
    baseline_file_put_field(text, row->name);
    baseline_file_put_field(text, row->first);
    baseline_file_put_field(text, row->second);
    for (uint32_t m = 0; m < baseline->measure_count; m++) {
        tt_sink_flush(sink, text);
        baseline_file_put_number(text, '\t', row->values[m]);
        for (uint32_t k = 0; row->blocks && k < baseline->block_count; k++) {
            baseline_file_put_number(text, k == 0 ? ',' : ' ',
                                     row->blocks[(size_t)m * baseline->block_count + k]);
        }
    }
    tt_text_char(text, '\n');
    tt_sink_flush(sink, text);
}

void tt_baseline_write(const struct tt_baseline *baseline, struct tt_sink *sink)
{
    char *buffer = malloc(LINE_BYTES);
    struct tt_text text = tt_text_of(buffer, LINE_BYTES);
    if (!buffer) {
        return;
    }
    tt_text_str(&text, MAGIC "\ntable");
    baseline_file_put_field(&text, baseline->table->name);
    baseline_file_put_field(&text, baseline->format);
    baseline_file_put_field(&text, baseline->has_clock ? "clock" : "ticks");
    baseline_file_put_number(&text, '\t', baseline->window);
    baseline_file_put_number(&text, '\t', baseline->block);
    baseline_file_put_number(&text, '\t', baseline->block_count);
    tt_text_str(&text, "\nmeasures");
    for (uint32_t m = 0; m < baseline->measure_count; m++) {
        baseline_file_put_field(&text, baseline->measures[m].key);
    }
    tt_text_char(&text, '\n');
    tt_sink_flush(sink, &text);
    for (size_t i = 0; i < baseline->count && !sink->stopped; i++) {
        baseline_file_write_row(sink, &text, baseline, &baseline->rows[i]);
    }
    tt_text_str(&text, "end");
    baseline_file_put_number(&text, '\t', baseline->count);
    tt_text_char(&text, '\n');
    tt_sink_flush(sink, &text);
    free(buffer);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct reader {
    char *at;
    uint64_t line;
};

static struct tt_status baseline_file_wrong(const struct reader *reader, const char *what)
{
    return tt_error(TT_ERR_FORMAT, "line %llu: %s", (unsigned long long)reader->line, what);
}

/* Returns the next line without its end; NULL after the last one, or if its end is missing. */
static char *baseline_file_next_line(struct reader *reader)
{
    char *line = reader->at, *end = strchr(line, '\n');
    if (!end) {
        return NULL;
    }
    *end = '\0';
    reader->at = end + 1;
    reader->line++;
    return line;
}

/* Cuts a field off a line; NULL if there is none. */
static char *next_field(char **line)
{
    char *field = *line;
    if (!field) {
        return NULL;
    }
    char *tab = strchr(field, '\t');
    *line = tab ? tab + 1 : NULL;
    if (tab) {
        *tab = '\0';
    }
    return field;
}

/* Reads a number, or `-` if there may be none; advances *p. */
static bool baseline_file_read_number(char **p, bool may_miss, uint64_t *number)
{
    const char *text = *p;
    if (may_miss && **p == '-') {
        *number = TT_BASELINE_NONE;
        ++*p;
        return true;
    }
    bool read = tt_digits_pass(&text, number);
    *p += text - *p;
    return read;
}

static bool read_whole(char *field, uint64_t *number)
{
    return field && baseline_file_read_number(&field, false, number) && *field == '\0';
}

/* Reads the line of a table with its numbers. */
static bool baseline_file_read_head(struct tt_baseline *baseline, char *line)
{
    uint64_t blocks = 0;
    char *tag = next_field(&line), *word = next_field(&line);
    char *format = next_field(&line), *clock = next_field(&line);
    for (size_t i = 0; word && (baseline->table = tt_table_any_at(i)) != NULL; i++) {
        if (strcmp(baseline->table->name, word) == 0) {
            break;
        }
    }
    if (!baseline->table || !tt_baseline_has(baseline->table) || strcmp(tag, "table") != 0 ||
        !format || !clock || !read_whole(next_field(&line), &baseline->window) ||
        !read_whole(next_field(&line), &baseline->block) ||
        !read_whole(next_field(&line), &blocks) || line || blocks > TT_BASELINE_MOST) {
        return false;
    }
    baseline->block_count = (uint32_t)blocks;
    baseline->has_clock = strcmp(clock, "clock") == 0;
    baseline->format = tt_arena_text(&baseline->names->texts, format, strlen(format));
    return baseline->format && (baseline->has_clock || strcmp(clock, "ticks") == 0);
}

static bool read_measures(struct tt_baseline *baseline, char *line)
{
    char *key = next_field(&line);
    bool ok = strcmp(key, "measures") == 0;
    while (ok && (key = next_field(&line)) != NULL) {
        ok = baseline->measure_count < TT_BASELINE_MEASURES &&
             tt_baseline_find_measure(baseline->table, key,
                                      &baseline->measures[baseline->measure_count]);
        baseline->measure_count += ok;
    }
    return ok && baseline->measure_count > 0;
}

/* Reads the values of a measure; rows either all have blocks, or none. */
static bool read_values(const struct tt_baseline *baseline, struct tt_baseline_row *row,
                        uint32_t measure, char *field)
{
    if (!field || !baseline_file_read_number(&field, true, &row->values[measure])) {
        return false;
    }
    if (*field == '\0') {
        row->blocks = NULL;
        return true;
    }
    for (uint32_t k = 0; k < baseline->block_count; k++) {
        if (*field++ != (k == 0 ? ',' : ' ') || !row->blocks ||
            !baseline_file_read_number(&field, true,
                                       &row->blocks[(size_t)measure * baseline->block_count + k])) {
            return false;
        }
    }
    return *field == '\0';
}

/* Restores the separators of a key in place; returns its length. A backslash is one of two. */
static size_t restore_key(char *key)
{
    char *to = key;
    for (const char *from = key; *from; from++) {
        if (from[0] == '\\' && from[1] == '|') {
            *to++ = TT_KEY_PART[0];
            from++;
            continue;
        }
        if (from[0] == '\\' && from[1] != '\0') {
            *to++ = *from++;
        }
        *to++ = *from;
    }
    *to = '\0';
    return (size_t)(to - key);
}

/* Escapes a text again, so that an edited file cannot control a terminal. */
static const char *safe_text(struct tt_baseline *baseline, const char *field)
{
    char buffer[LINE_BYTES / 8];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_printable(&text, field, strlen(field));
    return tt_arena_text(&baseline->names->texts, text.buffer, text.used);
}

static struct tt_status read_row(struct tt_baseline *baseline, const struct reader *reader,
                                 char *line)
{
    char *key = next_field(&line), *name = next_field(&line), *first = next_field(&line);
    char *second = next_field(&line);
    if (!second) {
        return baseline_file_wrong(reader, "a field is missing");
    }
    size_t length = restore_key(key),
           blocks = (size_t)baseline->measure_count * baseline->block_count;
    if (tt_baseline_find(baseline, key, length) != SIZE_MAX) {
        return baseline_file_wrong(reader, "a second row with this key");
    }
    struct tt_baseline_row *row = tt_baseline_add_row(baseline, key, length);
    struct tt_arena *texts = &baseline->names->texts;
    row = row && (row->name = safe_text(baseline, name)) &&
                  (row->first = safe_text(baseline, first)) &&
                  (row->second = safe_text(baseline, second)) &&
                  (row->values =
                       tt_arena_words(texts, baseline->measure_count * sizeof *row->values)) &&
                  (row->blocks = tt_arena_words(texts, (blocks + 1) * sizeof *row->blocks))
              ? row
              : NULL;
    if (!row) {
        return tt_error_memory();
    }
    for (uint32_t m = 0; m < baseline->measure_count; m++) {
        if (!read_values(baseline, row, m, next_field(&line))) {
            return baseline_file_wrong(reader, "not the values of a row");
        }
    }
    return line ? baseline_file_wrong(reader, "more values than measures") : tt_ok();
}

/* Reads one table up to its end. */
static struct tt_status read_table(struct reader *reader, struct tt_baseline **baseline)
{
    struct tt_baseline *b = *baseline = calloc(1, sizeof *b);
    struct tt_status status = tt_ok();
    uint64_t count;
    char *line = baseline_file_next_line(reader);
    if (!b || !(b->names = calloc(1, sizeof *b->names))) {
        return tt_error_memory();
    }
    if (!line || strcmp(line, MAGIC) != 0) {
        return baseline_file_wrong(reader, "not a baseline of this version");
    }
    if (!(line = baseline_file_next_line(reader)) || !baseline_file_read_head(b, line)) {
        return baseline_file_wrong(reader, "not a table");
    }
    if (!(line = baseline_file_next_line(reader)) || !read_measures(b, line)) {
        return baseline_file_wrong(reader, "not the measures of a table");
    }
    while (!tt_failed(&status) && (line = baseline_file_next_line(reader)) != NULL) {
        char *tag = next_field(&line);
        if (strcmp(tag, "end") == 0) {
            return read_whole(next_field(&line), &count) && count == b->count
                       ? tt_ok()
                       : baseline_file_wrong(reader, "the number of rows is wrong");
        }
        status = strcmp(tag, "row") == 0 ? read_row(b, reader, line)
                                         : baseline_file_wrong(reader, "not a row");
    }
    return tt_failed(&status) ? status
                              : baseline_file_wrong(reader, "the file ends inside a table");
}

bool tt_baseline_is_file(const char *path)
{
    static const char magic[] = MAGIC "\n";
    char begin[sizeof magic] = "";
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return false; /* opening a pipe could wait, and reading it would take its bytes */
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, begin, sizeof magic - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    return got == (ssize_t)sizeof magic - 1 && memcmp(begin, magic, sizeof magic - 1) == 0;
}

struct tt_status tt_baseline_read(const char *path, const struct tt_table *table,
                                  struct tt_baseline **baseline)
{
    char *text;
    size_t length;
    *baseline = NULL;
    int failure = tt_file_text(path, TT_BASELINE_BYTES, &text, &length);
    if (failure != 0) {
        return tt_error_errno(failure, "read");
    }
    struct reader r = {text, 0};
    struct tt_status status = tt_ok();
    while (!tt_failed(&status) && *r.at && (!*baseline || (*baseline)->table != table)) {
        tt_baseline_free(*baseline);
        status = read_table(&r, baseline);
    }
    if (!tt_failed(&status) && (!*baseline || (*baseline)->table != table)) {
        status = tt_error(TT_ERR_USAGE, "the baseline has no table '%s'", table->name);
    }
    free(text);
    return status;
}
