/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file_read.h"
#include "format/trx/trx_tables.h"

#define FILE_MAX  ((size_t)4 << 20)
#define ITEMS     13u /* number, name, caption, two colours of three, four labels */
#define ITEMS_FEW 9u  /* the same with colours of one item, as FF0000 */
#define LABELS    4u
#define LAST_ID   65535ul

struct span {
    const char *at;
    size_t length;
};

static struct span trx_names_trimmed(const char *at, size_t length)
{
    while (length > 0 && (at[0] == ' ' || at[0] == '\t')) {
        at++;
        length--;
    }
    while (length > 0 &&
           (at[length - 1] == ' ' || at[length - 1] == '\t' || at[length - 1] == '\r')) {
        length--;
    }
    return (struct span){at, length};
}

static bool trx_names_is_word(struct span line, const char *word)
{
    return line.length == strlen(word) && memcmp(line.at, word, line.length) == 0;
}

static bool read_id(struct span item, uint16_t *id)
{
    unsigned long value = 0;
    if (item.length == 0 || item.length > 5) {
        return false;
    }
    for (size_t i = 0; i < item.length; i++) {
        if (item.at[i] < '0' || item.at[i] > '9') {
            return false;
        }
        value = value * 10 + (unsigned long)(item.at[i] - '0');
    }
    *id = (uint16_t)value;
    return value > 0 && value <= LAST_ID;
}

/* Returns false only when out of memory. */
static bool trx_names_add_name(struct trx_names *names, const struct span items[ITEMS],
                               const struct span labels[LABELS], uint16_t id, uint32_t line)
{
    struct trx_name *grown =
        tt_array_grow(names->names, names->count, &names->capacity, sizeof *grown);
    names->names = grown ? grown : names->names;
    struct trx_name *name = grown ? &grown[names->count] : NULL;

    if (!name) {
        return false;
    }
    name->id = id;
    name->line = line;
    name->name = tt_arena_text(&names->arena, items[1].at, items[1].length);
    bool good = name->name != NULL;
    for (size_t i = 0; i < LABELS; i++) {
        name->labels[i] = tt_arena_text(&names->arena, labels[i].at, labels[i].length);
        good = good && name->labels[i];
    }
    names->count += good;
    return good;
}

static bool is_colour(struct span item)
{
    size_t digits = 0;
    while (digits < item.length && strchr("0123456789abcdefABCDEF", item.at[digits]) &&
           item.at[digits] != '\0') {
        digits++;
    }
    return digits == 6 && item.length == 6;
}

static bool parse_line(struct trx_names *names, struct span line, uint32_t number)
{
    struct span items[ITEMS];
    size_t count = 0;
    const char *at = line.at;
    const char *end = line.at + line.length;
    while (count < ITEMS) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        items[count++] = trx_names_trimmed(at, (size_t)(stop - at));
        if (!comma) {
            break;
        }
        at = comma + 1;
    }
    uint16_t id;
    bool is_short = count == ITEMS_FEW && is_colour(items[3]) && is_colour(items[4]);
    if ((count < ITEMS && !is_short) || !read_id(items[0], &id)) {
        if (names->bad_lines++ == 0) {
            names->first_bad_line = number;
        }
        return true;
    }
    return trx_names_add_name(names, items, &items[count - LABELS], id, number);
}

static int compare_names(const void *left, const void *right)
{
    const struct trx_name *name = left;
    const struct trx_name *trx_name = right;
    if (name->id != trx_name->id) {
        return name->id < trx_name->id ? -1 : 1;
    }
    return (name->line > trx_name->line) - (name->line < trx_name->line);
}

struct tt_status trx_names_parse(struct trx_names *names, const char *text, size_t length)
{
    bool inside = false;
    uint32_t number = 0;
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t stop = newline ? (size_t)(newline - text) : length;
        struct span line = trx_names_trimmed(text + at, stop - at);
        at = stop + 1;
        number++;
        if (trx_names_is_word(line, "Start")) {
            inside = true;
        } else if (trx_names_is_word(line, "End")) {
            break;
        } else if (inside && line.length > 0 &&
                   !(line.length >= 2 && line.at[0] == '/' && line.at[1] == '/') &&
                   !parse_line(names, line, number)) {
            return tt_error_memory();
        }
    }
    if (!inside) {
        return tt_error(TT_ERR_USAGE, "no \"Start\" line: not a custom event file (.trxc)");
    }
    if (names->count > 1) {
        qsort(names->names, names->count, sizeof *names->names, compare_names);
    }
    return tt_ok();
}

struct tt_status trx_names_read(struct trx_names *names, const char *path)
{
    char *text;
    size_t length;
    int error = tt_file_text(path, FILE_MAX, &text, &length);
    if (error != 0) {
        return tt_error_errno(error, path);
    }
    struct tt_status status = trx_names_parse(names, text, length);
    free(text);
    return tt_status_context(status, path);
}

void trx_names_free(struct trx_names *names)
{
    free(names->names);
    tt_arena_free(&names->arena);
    memset(names, 0, sizeof *names);
}

const struct trx_name *trx_names_find(const struct trx_names *names, unsigned id)
{
    size_t low = 0;
    size_t high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->names[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < names->count && names->names[low].id == id ? &names->names[low] : NULL;
}
