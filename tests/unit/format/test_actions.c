/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions of all decoders: each has the key of an event of its batch, program events have a note,
 * and masked kinds are left out without other effects.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_of.h"
#include "same_action.h"
#include "tracetui/format.h"

enum { BATCH = 64, ROOM = (BATCH + 1) * TT_ACTIONS_PER_EVENT };

struct decoded {
    struct tt_event *events;
    struct tt_action *actions;
    uint32_t count;
    uint32_t action_count;
};

static void append(struct decoded *d, const struct tt_batch *batch)
{
    d->events = realloc(d->events, (d->count + batch->count + 1) * sizeof *d->events);
    d->actions =
        realloc(d->actions, (d->action_count + batch->action_count + 1) * sizeof *d->actions);
    cr_assert(d->events && d->actions);
    for (uint32_t i = 0; i < batch->action_count; i++) {
        cr_assert_lt(event_of(&batch->actions[i], batch->events, batch->count), batch->count);
        cr_assert_eq(batch->unwanted >> batch->actions[i].kind & 1, 0);
        d->actions[d->action_count++] = batch->actions[i];
    }
    memcpy(d->events + d->count, batch->events, batch->count * sizeof *d->events);
    d->count += batch->count;
}

static struct decoded decode(struct tt_capture *c, bool learn, uint64_t unwanted)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ROOM];
    struct decoded d = {0};
    struct tt_cursor *cursor = c->format->cursor_new(c, learn);
    enum tt_decode_result result = TT_DECODE_MORE;
    cr_assert_not_null(cursor);
    while (result == TT_DECODE_MORE) {
        struct tt_batch batch = {.events = events,
                                 .capacity = BATCH,
                                 .actions = actions,
                                 .action_capacity = ROOM,
                                 .unwanted = unwanted};
        result = c->format->decode(cursor, c->bytes.size, true, &batch);
        cr_assert_neq(result, TT_DECODE_MEMORY);
        append(&d, &batch);
    }
    c->format->cursor_free(cursor);
    return d;
}

static void free_decoded(struct decoded *d)
{
    free(d->events);
    free(d->actions);
}

static void check_notes(const struct decoded *all, const char *path)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct tt_event *event = &all->events[i];
        bool own = event->kind == TT_KIND_USER || event->kind == TT_KIND_LOG ||
                   event->kind == TT_KIND_INSTANT;
        if (!own || event->thread == TT_NO_THREAD) {
            continue;
        }
        while (at < all->action_count && all->actions[at].kind != TT_ACTION_NOTE) {
            at++;
        }
        cr_assert_lt(at, all->action_count, "%s: event %u has no note", path, i);
        cr_assert_eq(all->actions[at].pos, event->pos, "%s: event %u", path, i);
        cr_assert_eq(all->actions[at].other, event->type);
        cr_assert_eq(all->actions[at].thread, event->thread);
        at++;
    }
    for (; at < all->action_count; at++) {
        cr_assert_neq(all->actions[at].kind, TT_ACTION_NOTE, "%s: a note of no event", path);
    }
}

/* Expects the remaining actions to equal those of the other kinds. */
static void check_left(const struct decoded *all, const struct decoded *left, uint64_t unwanted,
                       const char *path)
{
    uint32_t at = 0;
    cr_assert_eq(left->count, all->count);
    cr_assert_arr_eq(left->events, all->events, all->count * sizeof *all->events);
    for (uint32_t i = 0; i < all->action_count; i++) {
        if ((unwanted >> all->actions[i].kind & 1) == 0) {
            cr_assert_lt(at, left->action_count, "%s", path);
            cr_assert(same_action(&left->actions[at++], &all->actions[i]), "%s: action %u", path,
                      i);
        }
    }
    cr_assert_eq(at, left->action_count, "%s", path);
}

static void check_file(const char *path)
{
    const size_t most = (size_t)4 << 20;
    uint8_t *bytes = malloc(most);
    FILE *file = fopen(path, "rb");
    cr_assert(file && bytes, "%s", path);
    size_t size = fread(bytes, 1, most, file);
    fclose(file);
    struct tt_capture *c;
    struct tt_capture_options options = {0};
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, path, &options);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    struct decoded learnt = decode(c, true, 0), all = decode(c, false, 0);
    check_left(&learnt, &all, 0, path);
    check_notes(&all, path);
    uint64_t state = 88172645463325252u;
    for (unsigned round = 0; round <= TT_ACTION_NOTE + 20; round++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t unwanted = round <= TT_ACTION_NOTE ? UINT64_C(1) << round
                            : round % 2             ? state
                                                    : state | UINT64_C(1) << 63;
        struct decoded left = decode(c, false, unwanted);
        check_left(&all, &left, unwanted, path);
        free_decoded(&left);
    }
    free_decoded(&learnt);
    free_decoded(&all);
    tt_capture_free(c);
    free(bytes);
}

static bool check_files(const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        return false;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_file(found.gl_pathv[i]);
    }
    globfree(&found);
    return true;
}

Test(actions, all_formats)
{
    static const char *const samples[] = {"samples/demo.kev", "samples/demo.fxt",
                                          "samples/demo.trx", "samples/demo.btrace",
                                          "tests/filter/small.*"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        cr_assert(check_files(samples[i]), "%s", samples[i]);
    }
}

Test(actions, real_fuchsia_traces)
{
    if (!check_files("../shared/captures/fxt/*.fxt")) {
        cr_skip("no real captures here");
    }
}
