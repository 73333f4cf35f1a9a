/* SPDX-License-Identifier: Apache-2.0 */
/* capture: chooses the format of a file, opens it, and reads the user's names. */
#include "tracetui/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/capture_tables.h"
#include "tracetui/format.h"
#include "tracetui/map.h"

/* Bytes of the file that a probe may read. */
#define PROBE_BYTES (UINT64_C(4) << 20)

/* Creates a capture with these tables, or with tables of its own if they are NULL. */
static struct tt_status new_capture(struct tt_bytes bytes, struct tt_tables *tables,
                                    struct tt_capture **capture)
{
    struct tt_capture *c = calloc(1, sizeof *c);
    *capture = NULL;
    if (!c) {
        return tt_error_memory();
    }
    c->tables = tables ? tables : tt_tables_new();
    if (!c->tables) {
        free(c);
        return tt_error_memory();
    }
    c->bytes = bytes;
    c->cpu_count = 1;
    c->origin_ticks = UINT64_MAX;
    *capture = c;
    return tt_ok();
}

struct tt_status tt_capture_new(struct tt_bytes bytes, struct tt_capture **capture)
{
    return new_capture(bytes, NULL, capture);
}

struct tt_status tt_capture_new_member(struct tt_bytes bytes, const struct tt_capture *whole,
                                       struct tt_capture **capture)
{
    struct tt_own_types *own = tt_own_types_new();
    struct tt_status status = own ? new_capture(bytes, whole->tables, capture) : tt_error_memory();
    if (tt_failed(&status)) {
        tt_own_types_free(own);
        *capture = NULL;
        return status;
    }
    (*capture)->own_types = own;
    return status;
}

static bool has_extension(const struct tt_format *format, const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!dot || strchr(dot, '/')) {
        return false;
    }
    size_t length = strlen(dot);
    for (const char *at = format->extensions; (at = strstr(at, dot)) != NULL; at++) {
        if ((at == format->extensions || at[-1] == ' ') &&
            (at[length] == '\0' || at[length] == ' ')) {
            return true;
        }
    }
    return false;
}

/* Returns the format of a log if the file is to be read as one. */
static const struct tt_format *format_of_logs(const struct tt_capture_options *options)
{
    const struct tt_format *const *at = tt_formats;
    while (options && options->is_log && *at && !tt_format_has(*at, TT_FORMAT_LOG)) {
        at++;
    }
    return options && options->is_log ? *at : NULL;
}

static const struct tt_format *capture_find_format(struct tt_bytes bytes, const char *path)
{
    struct tt_bytes head = tt_bytes_slice(bytes, 0, PROBE_BYTES);
    const struct tt_format *best = NULL;
    int best_score = 0;
    for (size_t i = 0; tt_formats[i]; i++) {
        int score = tt_formats[i]->probe(head, bytes.size) * 2;
        if (score > 0 && has_extension(tt_formats[i], path)) {
            score++;
        }
        if (score > best_score) {
            best_score = score;
            best = tt_formats[i];
        }
    }
    for (size_t i = 0; best_score < 2 && tt_formats[i]; i++) {
        const struct tt_format *format = tt_formats[i];
        if (format->probe_cut && format->probe_cut(head) &&
            (!best || has_extension(format, path))) {
            best = format;
        }
    }
    return best;
}

/* Checks the names file here, since formats without names do not read it. */
static struct tt_status check_names(const struct tt_capture_options *options)
{
    struct stat info;
    const char *path = options ? options->names_path : NULL;
    if (!path) {
        return tt_ok();
    }
    if (stat(path, &info) != 0) {
        return tt_error_errno(errno, path);
    }
    if (S_ISDIR(info.st_mode)) {
        return tt_error_errno(EISDIR, path);
    }
    return S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode)
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "%.200s: names are read from a file or a pipe", path);
}

static void close_decoder(struct tt_capture *capture)
{
    if (capture->format->close) {
        capture->format->close(capture);
        return;
    }
    free(capture->decoder);
    capture->decoder = NULL;
}

struct tt_status tt_capture_open(struct tt_capture *capture, const char *path,
                                 const struct tt_capture_options *options)
{
    if (capture->bytes.size == 0) {
        return tt_error(TT_ERR_NOT_CAPTURE, "the file is empty");
    }
    /* Only the bytes of its first file can be read as one piece. */
    struct tt_bytes first = capture->files ? tt_map_file(capture->files, 0).bytes : capture->bytes;
    const struct tt_format *format = format_of_logs(options);
    format = format ? format : capture_find_format(first, path);
    if (!format) {
        return tt_error_at(TT_ERR_NOT_CAPTURE, 0, "not a capture of any known format");
    }
    struct tt_status status = check_names(options);
    if (tt_failed(&status)) {
        return status;
    }
    /* Set first: after a mapping fault the caller frees the capture, which closes it. */
    capture->format = format;
    status = format->open(capture, options);
    if (!tt_failed(&status) && tt_capture_out_of_memory(capture)) {
        status = tt_error_memory();
        close_decoder(capture);
    }
    if (tt_failed(&status)) {
        capture->format = NULL;
    }
    return status;
}

void tt_capture_free(struct tt_capture *capture)
{
    if (!capture) {
        return;
    }
    if (capture->format) {
        close_decoder(capture);
    }
    if (!capture->own_types) {
        tt_tables_free(capture->tables);
    }
    tt_own_types_free(capture->own_types);
    free(capture);
}

uint64_t tt_capture_offset(const struct tt_capture *capture, uint64_t pos)
{
    return capture->format->tape.offset ? capture->format->tape.offset(capture, pos) : pos;
}

void tt_cursor_free(const struct tt_format *format, struct tt_cursor *cursor)
{
    if (cursor && format->cursor_free) {
        format->cursor_free(cursor);
    } else {
        free(cursor);
    }
}

uint32_t tt_capture_parts(const struct tt_capture *capture, const struct tt_event *event,
                          uint64_t limit, struct tt_part *parts, uint32_t max)
{
    if (capture->format->parts) {
        return capture->format->parts(capture, event, limit, parts, max);
    }
    if (event->flags & TT_EVENT_DERIVED) {
        return 0;
    }
    if (max > 0) {
        *parts = (struct tt_part){tt_capture_offset(capture, event->pos), event->length, 0};
    }
    return 1;
}

bool tt_capture_can_save(const struct tt_capture *capture)
{
    bool has_all = capture->format->cache.save || !capture->decoder;
    return has_all && !capture->merge;
}

bool tt_capture_restore(struct tt_capture *capture, struct tt_reader *reader)
{
    return !capture->format->cache.restore || capture->format->cache.restore(capture, reader);
}
