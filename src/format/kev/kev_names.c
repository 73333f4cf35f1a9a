/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_names: names for user events and interrupt vectors from the user's INI file, parsed by inih:
 *
 *      [user]              ; event number 0 to 1023, decimal or 0x...
 *      111 = frame begin
 *      [interrupt]         ; vector, as in the capture
 *      0x25 = eth0
 */
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digits.h"
#include "base/file_read.h"
#include "format/kev/kev_internal.h"

#define FILE_MAX    ((size_t)4 << 20)
#define VECTORS_MAX 4096u

struct vector_name {
    uint32_t vector;
    tt_string name;
};

struct kev_names {
    struct tt_capture *capture; /* owns the strings */
    tt_string user[KEV_EVENT_MASK + 1];
    struct vector_name *vectors; /* sorted by vector after reading */
    uint32_t vector_count;
    uint32_t vector_capacity;
    const char *wrong; /* while reading: the error in the line */
};

static bool kev_names_parse_number(const char *text, uint32_t *number)
{
    uint64_t value;
    bool parsed = tt_digits_parse(text, strlen(text), &value) && value <= UINT32_MAX;
    *number = parsed ? (uint32_t)value : 0;
    return parsed;
}

static bool add_vector(struct kev_names *names, uint32_t vector, tt_string name)
{
    struct vector_name *grown = names->vector_count < VECTORS_MAX
                                    ? tt_array_grow_32(names->vectors, names->vector_count,
                                                       &names->vector_capacity, sizeof *grown)
                                    : NULL;
    if (!grown) {
        return false;
    }
    names->vectors = grown;
    names->vectors[names->vector_count].vector = vector;
    names->vectors[names->vector_count].name = name;
    names->vector_count++;
    return true;
}

/* Callback of inih: returns 1 to continue, 0 to stop with this line as the error. */
static int kev_names_read_line(void *user, const char *section, const char *key, const char *value)
{
    struct kev_names *names = user;
    uint32_t number = 0;
    if (names->wrong) {
        return 1; /* inih continues to the end; the first error is reported */
    }
    if (!kev_names_parse_number(key, &number)) {
        names->wrong = "the key is not a number";
        return 0;
    }
    tt_string name = tt_capture_intern(names->capture, value, strlen(value));
    if (strcmp(section, "user") == 0) {
        if (number > KEV_EVENT_MASK) {
            names->wrong = "user events are numbered 0 to 1023";
            return 0;
        }
        names->user[number] = name;
        return 1;
    }
    if (strcmp(section, "interrupt") == 0) {
        if (!add_vector(names, number, name)) {
            names->wrong = "too many interrupt names";
            return 0;
        }
        return 1;
    }
    names->wrong = "the section is neither [user] nor [interrupt]";
    return 0;
}

static int by_vector(const void *a, const void *b)
{
    const struct vector_name *left = a;
    const struct vector_name *right = b;
    return (left->vector > right->vector) - (left->vector < right->vector);
}

struct lines {
    const char *next;
    size_t length; /* bytes from there on */
};

/* Returns the next line, or as much as fits, like fgets. */
static char *kev_names_next_line(char *out, int capacity, void *stream)
{
    struct lines *lines = stream;
    if (lines->length == 0 || capacity < 2) {
        return NULL;
    }
    const char *end = memchr(lines->next, '\n', lines->length);
    size_t length = end ? (size_t)(end - lines->next) + 1 : lines->length;
    length = length < (size_t)capacity ? length : (size_t)capacity - 1;
    memcpy(out, lines->next, length);
    out[length] = '\0';
    lines->next += length;
    lines->length -= length;
    return out;
}

struct tt_status kev_names_read(struct tt_capture *capture, const char *path,
                                struct kev_names **names)
{
    struct lines lines;
    char *text;
    int error = tt_file_text(path, FILE_MAX, &text, &lines.length);
    struct kev_names *read = error == 0 ? calloc(1, sizeof *read) : NULL;
    if (!read) {
        free(text);
        return error != 0 ? tt_error_errno(error, path) : tt_error_memory();
    }
    read->capture = capture;
    lines.next = text;
    int line = ini_parse_stream(kev_names_next_line, &lines, kev_names_read_line, read);
    free(text);
    if (line != 0) {
        struct tt_status status =
            line < 0 ? tt_error_memory()
                     : tt_error(TT_ERR_USAGE, "%s: line %d: %s", path, line,
                                read->wrong ? read->wrong : "not \"number = name\"");
        kev_names_free(read);
        return status;
    }
    if (read->vector_count > 0) {
        qsort(read->vectors, read->vector_count, sizeof read->vectors[0], by_vector);
    }
    *names = read;
    return tt_ok();
}

void kev_names_free(struct kev_names *names)
{
    if (names) {
        free(names->vectors);
        free(names);
    }
}

const char *kev_names_user(const struct kev_names *names, uint32_t event)
{
    if (!names || event > KEV_EVENT_MASK || names->user[event] == 0) {
        return NULL;
    }
    return tt_capture_text(names->capture, names->user[event], NULL);
}

const char *kev_names_vector(const struct kev_names *names, uint32_t vector)
{
    if (!names || names->vector_count == 0) {
        return NULL;
    }
    struct vector_name wanted = {vector, 0};
    const struct vector_name *found =
        bsearch(&wanted, names->vectors, names->vector_count, sizeof names->vectors[0], by_vector);
    return found ? tt_capture_text(names->capture, found->name, NULL) : NULL;
}
