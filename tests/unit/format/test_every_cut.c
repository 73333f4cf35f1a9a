/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The committed samples truncated at every length (larger ones: the first 4 KB, the last 256 bytes
 * and 500 others): opened, decoded to the end and described near the cut. Each is either rejected
 * with a message, or decoded; only a cut inside a record is damage.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracetui/format.h"

#define WHOLE_UP_TO  32768u
#define BATCH_EVENTS 1024u
#define DESCRIBED    24u

struct cutter {
    struct tt_batch batch;
    struct tt_args *args;
    uint64_t opened;
    uint64_t refused;
};

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    cr_assert(bytes);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void describe_last(struct cutter *k, struct tt_capture *c, uint64_t limit)
{
    uint32_t first = k->batch.count > DESCRIBED ? k->batch.count - DESCRIBED : 0;
    for (uint32_t i = first; i < k->batch.count; i++) {
        struct tt_part parts[8];
        tt_args_clear(k->args);
        c->format->describe(c, &k->batch.events[i], limit, k->args);
        uint32_t count = tt_capture_parts(c, &k->batch.events[i], limit, parts, 8);
        for (uint32_t p = 0; p < count && p < 8; p++) {
            cr_assert(tt_bytes_has(c->bytes, parts[p].offset, parts[p].length));
        }
    }
}

static void decode_all(struct cutter *k, struct tt_capture *c)
{
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    cr_assert(cursor);
    enum tt_decode_result result;
    do {
        k->batch.count = k->batch.action_count = 0;
        result = c->format->decode(cursor, c->bytes.size, true, &k->batch);
        cr_assert_neq(result, TT_DECODE_MEMORY);
        describe_last(k, c, c->bytes.size);
    } while (result == TT_DECODE_MORE);
    tt_cursor_free(c->format, cursor);
}

/* A copy of exactly this length: the sanitizer finds reads beyond it. */
static void cut_at(struct cutter *k, const char *path, const uint8_t *bytes, size_t length)
{
    static const struct tt_capture_options none;
    uint8_t *copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    struct tt_capture *c = NULL;
    struct tt_status status = tt_capture_new(tt_bytes_of(copy, length), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, path, &none);
    if (tt_failed(&status)) {
        cr_assert_neq(status.text[0], '\0');
        k->refused++;
    } else {
        decode_all(k, c);
        k->opened++;
    }
    tt_capture_free(c);
    free(copy);
}

static void cut_everywhere(struct cutter *k, const char *path)
{
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    size_t step = size <= WHOLE_UP_TO ? 1 : (size - 4096 - 256) / 500;
    for (size_t length = 0; length <= size; length++) {
        bool every = size <= WHOLE_UP_TO || length < 4096 || size - length <= 256;
        if (every || length % step == 0) {
            cut_at(k, path, bytes, length);
        }
    }
    free(bytes);
}

Test(samples, cut_at_every_length)
{
    struct cutter k = {0};
    glob_t found;
    cr_assert_eq(glob("samples/*.[kftb][exrt][vtxr]*", 0, NULL, &found), 0);
    k.batch.events = malloc(BATCH_EVENTS * sizeof *k.batch.events);
    k.batch.capacity = BATCH_EVENTS;
    k.batch.action_capacity = 4 * BATCH_EVENTS;
    k.batch.actions = malloc(k.batch.action_capacity * sizeof *k.batch.actions);
    k.args = malloc(sizeof *k.args);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        cut_everywhere(&k, found.gl_pathv[i]);
    }
    cr_assert_gt(k.opened, 1000);
    cr_assert_gt(k.refused, 100);
    globfree(&found);
    free(k.batch.events);
    free(k.batch.actions);
    free(k.args);
}
