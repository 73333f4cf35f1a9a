/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blobs: saves the payloads of blob records as files: dump --blobs DIRECTORY.
 *
 *      DIRECTORY/1-NAME, 2-NAME, ...      a file per blob; blobs of type and name of an earlier one
 *                                         continue its file
 *
 * Names come from the capture: everything but letters, digits, dots, dashes and underscores becomes an
 * underscore. An existing file is never overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"

#define BATCH      256u
#define FILES_MOST 4096u
#define NAME_MOST  64u
#define PATH_BYTES 4096u
#define COPY_BYTES 65536u

/* A file that was begun. Blobs that are definitions continue the one with their type and name. */
struct blob_file {
    char name[NAME_MOST + 1];
    uint64_t type;
    bool continues;
};

struct saver {
    struct tt_input *input;
    struct tt_event_selection *pick;
    struct tt_output *out;
    const char *directory;
    struct blob_file *files; /* FILES_MOST */
    unsigned count;
    struct tt_args args;
    struct tt_event batch[BATCH];
    uint64_t matches[TT_FILTER_WORDS];
    struct tt_bytes payload; /* the next bytes to copy */
    size_t length;
    unsigned char copy[COPY_BYTES];
};

static const struct tt_arg *blobs_argument(const struct saver *saver, const char *name)
{
    for (unsigned i = 0; i < saver->args.count; i++) {
        const struct tt_arg *arg = &saver->args.v[i];
        if (arg->name.length == strlen(name) &&
            memcmp(arg->name.data, name, arg->name.length) == 0) {
            return arg;
        }
    }
    return NULL;
}

/* Returns the number of the file for a blob, from 0; FILES_MOST: there are too many. */
static unsigned file_of(struct saver *saver, const struct tt_event *event)
{
    const struct tt_arg *type = blobs_argument(saver, "type");
    struct blob_file file = {.type = type ? type->value.u : 0,
                             .continues = event->kind == TT_KIND_DEFINITION && type};

    /* Sets the name of a file to that of the blob, or of its event. */
    const struct tt_arg *name = blobs_argument(saver, "name");
    const char *text = tt_types_at(saver->input->capture, event->type)->name;
    size_t length = strlen(text);
    if (name && name->type == TT_ARG_STRING && name->value.s.length > 0) {
        text = name->value.s.data;
        length = name->value.s.length;
    }
    length = length < NAME_MOST ? length : NAME_MOST;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '.' || c == '-' || c == '_';
        file.name[i] = plain ? c : '_';
    }
    file.name[length] = '\0';

    for (unsigned i = 0; i < saver->count && file.continues; i++) {
        if (saver->files[i].continues && saver->files[i].type == file.type &&
            strcmp(saver->files[i].name, file.name) == 0) {
            return i;
        }
    }
    if (saver->count < FILES_MOST) {
        saver->files[saver->count] = file;
    }
    return saver->count;
}

static void copy_guarded(void *arg)
{
    struct saver *saver = arg;
    memcpy(saver->copy, saver->payload.data, saver->length);
}

static struct tt_status write_payload(struct saver *saver, int fd)
{
    while (saver->payload.size > 0) {
        saver->length = saver->payload.size < COPY_BYTES ? (size_t)saver->payload.size : COPY_BYTES;
        if (!tt_sigbus_guard(copy_guarded, saver)) {
            saver->input->shrunk = true;
            return tt_ok();
        }
        for (size_t done = 0; done < saver->length;) {
            ssize_t n = write(fd, saver->copy + done, saver->length - done);
            if (n <= 0 && errno != EINTR) {
                return tt_error_errno(n == 0 ? EIO : errno, "write");
            }
            done += n > 0 ? (size_t)n : 0;
        }
        saver->payload =
            tt_bytes_slice(saver->payload, saver->length, saver->payload.size - saver->length);
    }
    return tt_ok();
}

/* Saves the payload of an event, if it has one. */
static struct tt_status save_payload(struct saver *saver, const struct tt_event *event)
{
    struct tt_part part;
    if (!tt_events_describe(saver->input->events, event, &saver->args)) {
        saver->input->shrunk = true;
        return tt_ok();
    }
    const struct tt_arg *payload = blobs_argument(saver, "payload");
    if (!payload || payload->type != TT_ARG_BYTES || payload->raw_length == 0 ||
        tt_events_parts(saver->input->events, event, &part, 1) == 0) {
        return tt_ok();
    }

    /* Saves the payload at `offset` of the capture in its file. */
    uint64_t offset = part.offset + part.header + payload->raw_offset;
    uint64_t length = payload->raw_length;
    char path[PATH_BYTES];
    struct tt_text name = tt_text_of(path, sizeof path);
    unsigned number = file_of(saver, event);
    if (number >= FILES_MOST) {
        return tt_error(TT_ERR_USAGE,
                        "--blobs: more than %u blobs; select some with --filter or "
                        "--from",
                        FILES_MOST);
    }
    bool is_new = number == saver->count;
    tt_text_put(&name, "%s/%u-%s", saver->directory, number + 1, saver->files[number].name);
    if (name.truncated || name.used == sizeof path) {
        return tt_error(TT_ERR_USAGE, "--blobs: the path is too long");
    }
    path[name.used] = '\0';
    saver->payload = tt_bytes_slice(saver->input->capture->bytes, offset, length);
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_APPEND | (is_new ? O_CREAT | O_EXCL : 0), 0666);
    if (fd < 0) {
        return tt_status_context(tt_error_errno(errno, "open"), path);
    }
    uint64_t bytes = saver->payload.size;
    saver->count += is_new;
    struct tt_status status = write_payload(saver, fd);
    if (close(fd) != 0 && !tt_failed(&status)) {
        status = tt_error_errno(errno, "close");
    }
    if (!tt_failed(&status)) {
        TT_PRINT_LINE(saver->out,
                      (tt_text_escaped(&text, path, strlen(path)), tt_text_char(&text, ' '),
                       tt_text_u64(&text, bytes), tt_text_str(&text, " bytes at 0x"),
                       tt_text_hex(&text, offset, 1), tt_text_char(&text, '\n')));
    }
    return tt_status_context(status, path);
}

static struct tt_status save_rows(struct saver *saver, struct tt_filter_worker *filter)
{
    struct tt_status status = tt_ok();
    for (uint64_t row = saver->pick->first_row;
         row < saver->pick->end_row && !tt_failed(&status);) {
        uint64_t left = saver->pick->end_row - row;
        uint32_t count = tt_events_read(saver->input->events, row,
                                        left < BATCH ? (uint32_t)left : BATCH, saver->batch);
        if (filter && count > 0) {
            tt_filter_test(filter, saver->batch, row, count, saver->matches);
        }
        for (uint32_t i = 0; i < count && !tt_failed(&status); i++) {
            bool matches = !filter || (saver->matches[i / 64] >> (i % 64) & 1u);
            if (matches && tt_event_selection_matches(saver->pick, &saver->batch[i])) {
                status = save_payload(saver, &saver->batch[i]);
            }
        }
        if (count == 0) {
            saver->input->shrunk = true;
            break;
        }
        row += count;
    }
    return status;
}

static struct tt_status blobs_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_filter_worker *filter = NULL;
    struct saver *saver = calloc(1, sizeof *saver);
    struct blob_file *files = calloc(FILES_MOST, sizeof *files);
    struct tt_status status = saver && files ? tt_ok() : tt_error_memory();
    if (!tt_failed(&status)) {
        status = tt_event_selection_make(options, input, &pick);
    }
    if (tt_failed(&status)) {
        free(saver);
        free(files);
        return status;
    }
    saver->input = input;
    saver->pick = &pick;
    saver->out = out;
    saver->directory = options->blobs;
    saver->files = files;
    if (pick.plan) {
        filter = tt_filter_worker_new(pick.plan, input->events);
        status = filter ? tt_ok() : tt_error_memory();
    }
    if (!tt_failed(&status) && mkdir(options->blobs, 0777) != 0 && errno != EEXIST) {
        status = tt_status_context(tt_error_errno(errno, "mkdir"), options->blobs);
    }
    if (!tt_failed(&status)) {
        status = save_rows(saver, filter);
    }
    tt_filter_worker_free(filter);
    tt_event_selection_free(&pick);
    free(files);
    free(saver);
    return status;
}

enum tt_exit tt_command_blobs(const struct tt_options *options)
{
    struct tt_options with = *options;
    with.definitions = true; /* most blobs are no events */
    return tt_command_each_input(&with, blobs_input);
}
