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

#include "base/file_read.h"
#include "compare/baseline_internal.h"

#define MAGIC      "tracetui-baseline 1"
#define LINE_BYTES 65536u

/* ---- writing ------------------------------------------------------------------------------ */

struct writer {
    struct tt_text text;
    bool (*write)(void *arg, const char *bytes, size_t length);
    void *arg;
    bool open;
};

static void flush(struct writer *w)
{
    w->open = w->open && w->write(w->arg, w->text.buffer, w->text.used);
    w->text.used = 0;
}

static void put_number(struct tt_text *text, char before, uint64_t value)
{
    tt_text_char(text, before);
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
    } else {
        tt_text_u64(text, value);
    }
}

static void put_field(struct tt_text *text, const char *field)
{
    tt_text_char(text, '\t');
    tt_text_str(text, field);
}

static void write_row(struct writer *w, const struct tt_baseline *b,
                      const struct tt_baseline_row *row)
{
    tt_text_str(&w->text, "row\t");
    for (const char *key = row->key; *key; key++) {
        if (*key == TT_KEY_PART[0]) { /* a control character */
            tt_text_str(&w->text, "\\|");
        } else {
            tt_text_char(&w->text, *key);
        }
    }
    put_field(&w->text, row->name);
    put_field(&w->text, row->first);
    put_field(&w->text, row->second);
    for (uint32_t m = 0; m < b->measure_count; m++) {
        flush(w);
        put_number(&w->text, '\t', row->values[m]);
        for (uint32_t k = 0; row->blocks && k < b->block_count; k++) {
            put_number(&w->text, k == 0 ? ',' : ' ', row->blocks[(size_t)m * b->block_count + k]);
        }
    }
    tt_text_char(&w->text, '\n');
    flush(w);
}

void tt_baseline_write(const struct tt_baseline *b,
                       bool (*write)(void *arg, const char *bytes, size_t length), void *arg)
{
    char *buffer = malloc(LINE_BYTES);
    struct writer w = {tt_text_of(buffer, LINE_BYTES), write, arg, true};
    if (!buffer) {
        return;
    }
    tt_text_str(&w.text, MAGIC "\ntable");
    put_field(&w.text, b->table->name);
    put_field(&w.text, b->format);
    put_field(&w.text, b->has_clock ? "clock" : "ticks");
    put_number(&w.text, '\t', b->window);
    put_number(&w.text, '\t', b->block);
    put_number(&w.text, '\t', b->block_count);
    tt_text_str(&w.text, "\nmeasures");
    for (uint32_t m = 0; m < b->measure_count; m++) {
        put_field(&w.text, b->measures[m].key);
    }
    tt_text_char(&w.text, '\n');
    flush(&w);
    for (size_t i = 0; i < b->count && w.open; i++) {
        write_row(&w, b, &b->rows[i]);
    }
    tt_text_str(&w.text, "end");
    put_number(&w.text, '\t', b->count);
    tt_text_char(&w.text, '\n');
    flush(&w);
    free(buffer);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct reader {
    char *at;
    uint64_t line;
};

static struct tt_status wrong(const struct reader *r, const char *what)
{
    return tt_error(TT_ERR_FORMAT, "line %llu: %s", (unsigned long long)r->line, what);
}

/* Returns the next line without its end; NULL after the last one, or if its end is missing. */
static char *next_line(struct reader *r)
{
    char *line = r->at, *end = strchr(line, '\n');
    if (!end) {
        return NULL;
    }
    *end = '\0';
    r->at = end + 1;
    r->line++;
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
static bool read_number(char **p, bool may_miss, uint64_t *number)
{
    char *start = *p;
    *number = 0;
    if (may_miss && **p == '-') {
        *number = TT_BASELINE_NONE;
        ++*p;
        return true;
    }
    for (; **p >= '0' && **p <= '9'; ++*p) {
        unsigned digit = (unsigned)(**p - '0');
        if (*number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        *number = *number * 10 + digit;
    }
    return *p > start;
}

static bool read_whole(char *field, uint64_t *number)
{
    return field && read_number(&field, false, number) && *field == '\0';
}

/* Reads the line of a table with its numbers. */
static bool read_head(struct tt_baseline *b, char *line)
{
    uint64_t blocks = 0;
    char *tag = next_field(&line), *word = next_field(&line);
    char *format = next_field(&line), *clock = next_field(&line);
    for (size_t i = 0; word && (b->table = tt_table_any_at(i)) != NULL; i++) {
        if (strcmp(b->table->name, word) == 0) {
            break;
        }
    }
    if (!b->table || !tt_baseline_has(b->table) || strcmp(tag, "table") != 0 || !format || !clock ||
        !read_whole(next_field(&line), &b->window) || !read_whole(next_field(&line), &b->block) ||
        !read_whole(next_field(&line), &blocks) || line || blocks > TT_BASELINE_MOST) {
        return false;
    }
    b->block_count = (uint32_t)blocks;
    b->has_clock = strcmp(clock, "clock") == 0;
    b->format = tt_arena_text(&b->names->texts, format, strlen(format));
    return b->format && (b->has_clock || strcmp(clock, "ticks") == 0);
}

static bool read_measures(struct tt_baseline *b, char *line)
{
    char *key = next_field(&line);
    bool ok = strcmp(key, "measures") == 0;
    while (ok && (key = next_field(&line)) != NULL) {
        ok = b->measure_count < TT_BASELINE_MEASURES &&
             tt_baseline_find_measure(b->table, key, &b->measures[b->measure_count]);
        b->measure_count += ok;
    }
    return ok && b->measure_count > 0;
}

/* Reads the values of a measure; rows either all have blocks, or none. */
static bool read_values(const struct tt_baseline *b, struct tt_baseline_row *row, uint32_t measure,
                        char *field)
{
    if (!field || !read_number(&field, true, &row->values[measure])) {
        return false;
    }
    if (*field == '\0') {
        row->blocks = NULL;
        return true;
    }
    for (uint32_t k = 0; k < b->block_count; k++) {
        if (*field++ != (k == 0 ? ',' : ' ') || !row->blocks ||
            !read_number(&field, true, &row->blocks[(size_t)measure * b->block_count + k])) {
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
static const char *safe_text(struct tt_baseline *b, const char *field)
{
    char buffer[LINE_BYTES / 8];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_printable(&text, field, strlen(field));
    return tt_arena_text(&b->names->texts, text.buffer, text.used);
}

static struct tt_status read_row(struct tt_baseline *b, const struct reader *r, char *line)
{
    char *key = next_field(&line), *name = next_field(&line), *first = next_field(&line);
    char *second = next_field(&line);
    if (!second) {
        return wrong(r, "a field is missing");
    }
    size_t length = restore_key(key), blocks = (size_t)b->measure_count * b->block_count;
    if (tt_baseline_find(b, key, length) != SIZE_MAX) {
        return wrong(r, "a second row with this key");
    }
    struct tt_baseline_row *row = tt_baseline_add_row(b, key, length);
    struct tt_arena *texts = &b->names->texts;
    row = row && (row->name = safe_text(b, name)) && (row->first = safe_text(b, first)) &&
                  (row->second = safe_text(b, second)) &&
                  (row->values = tt_arena_words(texts, b->measure_count * sizeof *row->values)) &&
                  (row->blocks = tt_arena_words(texts, (blocks + 1) * sizeof *row->blocks))
              ? row
              : NULL;
    if (!row) {
        return tt_error_memory();
    }
    for (uint32_t m = 0; m < b->measure_count; m++) {
        if (!read_values(b, row, m, next_field(&line))) {
            return wrong(r, "not the values of a row");
        }
    }
    return line ? wrong(r, "more values than measures") : tt_ok();
}

/* Reads one table up to its end. */
static struct tt_status read_table(struct reader *r, struct tt_baseline **baseline)
{
    struct tt_baseline *b = *baseline = calloc(1, sizeof *b);
    struct tt_status status = tt_ok();
    uint64_t count;
    char *line = next_line(r);
    if (!b || !(b->names = calloc(1, sizeof *b->names))) {
        return tt_error_memory();
    }
    if (!line || strcmp(line, MAGIC) != 0) {
        return wrong(r, "not a baseline of this version");
    }
    if (!(line = next_line(r)) || !read_head(b, line)) {
        return wrong(r, "not a table");
    }
    if (!(line = next_line(r)) || !read_measures(b, line)) {
        return wrong(r, "not the measures of a table");
    }
    while (!tt_failed(&status) && (line = next_line(r)) != NULL) {
        char *tag = next_field(&line);
        if (strcmp(tag, "end") == 0) {
            return read_whole(next_field(&line), &count) && count == b->count
                       ? tt_ok()
                       : wrong(r, "the number of rows is wrong");
        }
        status = strcmp(tag, "row") == 0 ? read_row(b, r, line) : wrong(r, "not a row");
    }
    return tt_failed(&status) ? status : wrong(r, "the file ends inside a table");
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
