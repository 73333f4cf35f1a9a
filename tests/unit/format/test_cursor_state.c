/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a cursor, saved before each event and loaded into another one, which then decodes that
 * event alone: the same event and actions. Counters of heaps and chunks are sums from the start of a
 * BTrace stream: the other cursor has none of them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"
#include "same_action.h"
#include "tracetui/format.h"

enum { ACTIONS = 500, EVENTS = 3000, BLOB = 1 << 16 };

struct step {
    struct tt_event event;
    struct tt_action actions[ACTIONS];
    uint32_t events;
    uint32_t count; /* of actions */
    enum tt_decode_result result;
};

static struct step step_of(const struct tt_format *format, struct tt_cursor *cursor, uint64_t size)
{
    static struct step s;
    struct tt_batch batch = {
        .events = &s.event, .capacity = 1, .actions = s.actions, .action_capacity = ACTIONS};
    s.result = format->decode(cursor, size, true, &batch);
    s.events = batch.count;
    s.count = batch.action_count;
    return s;
}

/* All actions of `part` are in `whole`, in its order; only counters may be missing. */
static void expect_actions(const struct step *whole, const struct step *part, bool counters,
                           const char *name, uint32_t event)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        if (found < part->count && same_action(&whole->actions[i], &part->actions[found])) {
            found++;
        } else {
            cr_assert(counters && whole->actions[i].kind == TT_ACTION_COUNTER,
                      "%s: event %u: action %u of %u is lost", name, event, i, whole->count);
        }
    }
    cr_assert_eq(found, part->count, "%s: event %u: an action that is not in the whole", name,
                 event);
}

static void learn(struct tt_capture *c)
{
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    cr_assert_not_null(cursor);
    while (step_of(c->format, cursor, c->bytes.size).result == TT_DECODE_MORE) {
    }
    c->format->cursor_free(cursor);
}

/* Returns the number of actions that only the cursor that read from the start has. */
static uint32_t check(struct tt_bytes bytes, const char *name)
{
    static uint8_t blob[BLOB];
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(bytes, &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, name, &(struct tt_capture_options){0});
    cr_assert(!tt_failed(&status), "%s: %s", name, status.text);
    const struct tt_format *format = c->format;
    const bool counters = strcmp(format->name, "btrace") == 0;
    learn(c);
    struct tt_cursor *whole = format->cursor_new(c, false);
    uint32_t missing = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        size_t size = format->cursor_save(whole, blob, sizeof blob);
        cr_assert_leq(size, sizeof blob);
        struct step want = step_of(format, whole, bytes.size);
        if (want.events == 0) {
            break;
        }
        struct tt_cursor *part = format->cursor_new(c, false);
        cr_assert_not_null(part);
        format->cursor_load(part, blob, size);
        struct step got = step_of(format, part, bytes.size);
        format->cursor_free(part);
        cr_assert_eq(got.events, 1, "%s: event %u", name, i);
        cr_assert(want.event.ticks == got.event.ticks && want.event.pos == got.event.pos &&
                      want.event.type == got.event.type && want.event.thread == got.event.thread &&
                      want.event.cpu == got.event.cpu && want.event.flags == got.event.flags,
                  "%s: event %u", name, i);
        expect_actions(&want, &got, counters && i > 0, name, i);
        missing += want.count - got.count;
    }
    format->cursor_free(whole);
    tt_capture_free(c);
    return missing;
}

static uint32_t check_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    uint8_t *bytes = malloc(1 << 22);
    cr_assert_not_null(bytes);
    size_t size = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    uint32_t missing = check(tt_bytes_of(bytes, size), path);
    free(bytes);
    return missing;
}

Test(cursor_state, of_each_format)
{
    static const char *const paths[] = {"samples/demo.kev", "samples/wide4.kev", "samples/demo.fxt",
                                        "samples/demo.trx", "samples/demo.btrace"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check_file(paths[i]);
    }
}

/*
 * Heaps and chunks: their contents are known only to a cursor that read from the start of the
 * stream.
 */
Test(cursor_state, sums_of_a_stream_with_a_gap)
{
    struct stream s = {0};
    stream_words(&s, 8, 0, 1, (const uint32_t[]){0x500, 0x10000}, 2);
    stream_words(&s, 14, 0, 2, (const uint32_t[]){0x9000, 8}, 2);
    for (uint32_t i = 0; i < 8; i++) {
        stream_words(&s, 14, 2, 3 + 4 * i, (const uint32_t[]){0x9000, 0x100 * i, 64 + i, 60}, 4);
        stream_words(&s, 8, 3, 4 + 4 * i, (const uint32_t[]){0x500, 0, 4096}, 3);
        stream_words(&s, 14, 3, 5 + 4 * i,
                     (const uint32_t[]){0x9000, 0x100 * i + 8, 96, 90, 0x100 * i}, 5);
        stream_words(&s, 14, 4, 6 + 4 * i, (const uint32_t[]){0x9000, 0x100 * i + 8}, 2);
    }
    uint32_t missing = check(tt_bytes_of(s.bytes, s.size), "heaps");
    /* A sum of the heap in three events of four, a chunk's and that of all chunks in the fourth. */
    cr_expect_geq(missing, 8 * 5 - 2, "%u", missing);
    stream_free(&s);
}
