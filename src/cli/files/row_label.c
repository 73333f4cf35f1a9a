/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/files/row_label.h"

#include <stdlib.h>
#include <string.h>

#include "print/record/fields.h"

static const char column[] = "capture,";

void tt_row_label_begin(struct tt_row_label *label, const char *path)
{
    size_t capacity = 16 * strlen(path) + 64; /* escapes have at most 12 bytes */
    free(label->label);
    label->label = malloc(capacity);
    label->label_length = 0;
    label->begins = label->csv;
    label->rest_used = 0;
    if (!label->label) {
        label->no_memory = true;
        return;
    }
    struct tt_text text = tt_text_of(label->label, capacity);
    struct tt_fields fields = tt_fields_begin(&text, label->csv ? TT_FIELDS_CSV : TT_FIELDS_JSON);
    tt_field_text(&fields, "capture", path);
    tt_text_char(&text, ',');
    label->label_length = text.used;
}

static bool keep_header(struct tt_row_label *label, const char *line, size_t length)
{
    free(label->header);
    label->header = malloc(length);
    label->header_length = length;
    label->no_memory |= !label->header;
    if (label->header) {
        memcpy(label->header, line, length);
    }
    return label->header;
}

static bool is_header(const struct tt_row_label *label, const char *line, size_t length)
{
    return label->header && length == label->header_length &&
           memcmp(line, label->header, length) == 0;
}

static bool write_header(struct tt_row_label *label, const char *line, size_t length)
{
    return tt_sink_put(&label->sink, column, sizeof column - 1) &&
           tt_sink_put(&label->sink, line, length);
}

/* Writes one line with its newline. */
static bool row_label_write_line(struct tt_row_label *label, const char *line, size_t length)
{
    bool begins = label->begins;
    label->begins = false;
    if (begins) {
        return is_header(label, line, length) ||
               (keep_header(label, line, length) && write_header(label, line, length));
    }
    if (label->csv && is_header(label, line, length)) {
        return write_header(label, line, length);
    }
    if (!label->csv && line[0] != '{') {
        return tt_sink_put(&label->sink, line, length); /* no row */
    }
    size_t skipped = label->csv ? 0 : 1;
    return tt_sink_put(&label->sink, label->label, label->label_length) &&
           tt_sink_put(&label->sink, line + skipped, length - skipped);
}

static bool keep_rest(struct tt_row_label *label, const char *bytes, size_t length)
{
    if (label->rest_capacity - label->rest_used < length) {
        size_t capacity = 2 * (label->rest_used + length);
        char *larger = realloc(label->rest, capacity);
        if (!larger) {
            label->no_memory = true;
            return false;
        }
        label->rest = larger;
        label->rest_capacity = capacity;
    }
    memcpy(label->rest + label->rest_used, bytes, length);
    label->rest_used += length;
    return true;
}

static bool write_rest(struct tt_row_label *label)
{
    size_t length = label->rest_used;
    label->rest_used = 0;
    return row_label_write_line(label, label->rest, length);
}

bool tt_row_label_write(struct tt_row_label *label, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    bool more = !label->no_memory;
    while (more && bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *after = newline ? newline + 1 : end;
        size_t part = (size_t)(after - bytes);
        if (!newline || label->rest_used > 0) {
            more = keep_rest(label, bytes, part) && (!newline || write_rest(label));
        } else {
            more = row_label_write_line(label, bytes, part);
        }
        bytes = after;
    }
    return more;
}

bool tt_row_label_end(struct tt_row_label *label)
{
    return !label->no_memory && (label->rest_used == 0 || write_rest(label));
}

void tt_row_label_free(struct tt_row_label *label)
{
    free(label->label);
    free(label->header);
    free(label->rest);
    label->label = label->header = label->rest = NULL;
}
