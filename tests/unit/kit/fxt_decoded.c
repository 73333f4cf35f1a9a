/* SPDX-License-Identifier: Apache-2.0 */
#include "fxt_decoded.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "event_of.h"
#include "format/fxt/fxt_internal.h"
#include "same_action.h"
#include "tracetui/trace.h"

#define BATCH     5
#define ROOM      (BATCH + TT_ACTIONS_PER_EVENT)
#define BLOB_SIZE 64

struct block {
    uint8_t blob[BLOB_SIZE];
    size_t blob_size;
    size_t first_event;
    size_t first_action;
    uint32_t count;
    uint32_t action_count;
};

struct blocks {
    struct block *v;
    size_t count;
};

static void *grown(void *old, size_t count, size_t item)
{
    void *new = realloc(old, (count + 1) * item);
    cr_assert_not_null(new);
    return new;
}

static void keep(struct fxt_reading *r, const struct tt_batch *batch)
{
    for (uint32_t i = 0; i < batch->action_count; i++) {
        r->actions = grown(r->actions, r->action_count, sizeof *r->actions);
        r->actions[r->action_count++] = batch->actions[i];
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        r->events = grown(r->events, r->count, sizeof *r->events);
        r->events[r->count++] = batch->events[i];
    }
    r->records += batch->records;
}

static void learn(struct fxt_reading *r, struct blocks *blocks, bool fast)
{
    struct tt_event events[BATCH];
    struct tt_action actions[ROOM];
    struct tt_cursor *cursor = r->c->format->cursor_new(r->c, true);
    enum tt_decode_result result = TT_DECODE_MORE;
    cr_assert_not_null(cursor);
    cursor->fast = cursor->fast && fast;
    while (result == TT_DECODE_MORE) {
        struct block block = {.first_event = r->count, .first_action = r->action_count};
        struct tt_batch batch = {.events = events,
                                 .capacity = BATCH,
                                 .actions = actions,
                                 .action_capacity = ROOM,
                                 .unwanted = NOTES,
                                 .byte_budget = 4096};
        block.blob_size = r->c->format->cursor_save(cursor, block.blob, sizeof block.blob);
        cr_assert_leq(block.blob_size, sizeof block.blob);
        result = r->c->format->decode(cursor, r->c->bytes.size, true, &batch);
        cr_assert_neq(result, TT_DECODE_MEMORY);
        block.count = batch.count;
        block.action_count = batch.action_count;
        keep(r, &batch);
        blocks->v = grown(blocks->v, blocks->count, sizeof *blocks->v);
        blocks->v[blocks->count++] = block;
    }
    cr_assert_eq(r->c->format->cursor_pos(cursor), r->c->bytes.size);
    r->c->format->cursor_free(cursor);
}

static void check_block(const struct fxt_reading *r, struct tt_cursor *cursor,
                        const struct block *block)
{
    struct tt_event events[BATCH];
    struct tt_action actions[ROOM];
    struct tt_batch batch = {.events = events,
                             .capacity = BATCH,
                             .actions = actions,
                             .action_capacity = ROOM,
                             .unwanted = NOTES,
                             .byte_budget = 4096};
    r->c->format->cursor_load(cursor, block->blob, block->blob_size);
    r->c->format->decode(cursor, r->c->bytes.size, true, &batch);
    cr_assert_eq(batch.count, block->count);
    cr_assert_eq(batch.action_count, block->action_count);
    for (uint32_t i = 0; i < batch.count; i++) {
        const struct tt_event *e = &r->events[block->first_event + i];
        cr_assert_eq(events[i].ticks, e->ticks);
        cr_assert_eq(events[i].pos, e->pos);
        cr_assert_eq(events[i].type, e->type, "pos %llx", (unsigned long long)e->pos);
        cr_assert_eq(events[i].thread, e->thread, "pos %llx", (unsigned long long)e->pos);
        cr_assert_eq(events[i].length, e->length);
        cr_assert_eq(events[i].cpu, e->cpu);
        cr_assert_eq(events[i].kind, e->kind);
        cr_assert_eq(events[i].flags, e->flags);
    }
    for (uint32_t i = 0; i < batch.action_count; i++) {
        const struct tt_action *a = &r->actions[block->first_action + i];
        cr_assert(same_action(a, &actions[i]), "action %u", i);
    }
}

static void check_blocks(const struct fxt_reading *r, const struct blocks *blocks, bool fast)
{
    struct tt_cursor *cursor = r->c->format->cursor_new(r->c, false);
    cr_assert_not_null(cursor);
    cursor->fast = cursor->fast && fast;
    for (size_t i = blocks->count; i-- > 0;) {
        check_block(r, cursor, &blocks->v[i]);
    }
    r->c->format->cursor_free(cursor);
}

static struct fxt_reading open_bytes(const void *bytes, size_t size, bool definitions)
{
    struct fxt_reading r = {0};
    struct tt_capture_options options = {.definitions = definitions};
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &r.c);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_capture_open(r.c, "test.fxt", &options);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_str_eq(r.c->format->name, "fxt");
    return r;
}

/* Expects the same results with and without the fast path. */
static void check_without_fast_path(const struct fxt_reading *r, bool definitions)
{
    struct blocks blocks = {0};
    struct fxt_reading other = open_bytes(r->c->bytes.data, r->c->bytes.size, definitions);
    learn(&other, &blocks, false);
    cr_assert_eq(other.count, r->count);
    cr_assert_eq(other.action_count, r->action_count);
    cr_assert_eq(other.records, r->records);
    for (size_t i = 0; i < blocks.count; i++) {
        const struct block *block = &blocks.v[i];
        for (uint32_t n = 0; n < block->count; n++) {
            size_t e = block->first_event + n;
            cr_assert_eq(memcmp(&r->events[e], &other.events[e], sizeof other.events[e]), 0);
        }
    }
    if (r->action_count > 0) {
        cr_assert(same_actions(r->actions, other.actions, r->action_count));
    }
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        cr_assert_eq(tt_health_count(other.c, kind), tt_health_count(r->c, kind));
    }
    cr_assert_eq(tt_thread_count(other.c), tt_thread_count(r->c));
    cr_assert_eq(other.c->cpu_count, r->c->cpu_count);
    check_blocks(&other, &blocks, true);
    free(blocks.v);
    fxt_reading_free(&other);
}

struct fxt_reading fxt_read(const void *bytes, size_t size, bool definitions)
{
    struct blocks blocks = {0};
    struct fxt_reading r = open_bytes(bytes, size, definitions);
    learn(&r, &blocks, true);
    check_blocks(&r, &blocks, true);
    check_blocks(&r, &blocks, false);
    check_without_fast_path(&r, definitions);
    free(blocks.v);
    return r;
}

void fxt_reading_free(struct fxt_reading *r)
{
    tt_capture_free(r->c);
    free(r->events);
    free(r->actions);
}

const char *fxt_class(const struct fxt_reading *r, size_t event)
{
    return tt_types_at(r->c, r->events[event].type)->class_name;
}

const char *fxt_name(const struct fxt_reading *r, size_t event)
{
    return tt_types_at(r->c, r->events[event].type)->name;
}

size_t fxt_find(const struct fxt_reading *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(fxt_name(r, i), name) == 0) {
            return i;
        }
    }
    cr_assert(false, "no event named %s", name);
    return 0;
}

const struct tt_action *fxt_action_of(const struct fxt_reading *r, size_t event, size_t n)
{
    for (size_t i = 0; i < r->action_count; i++) {
        const struct tt_action *a = &r->actions[i];
        if (a->pos == r->events[event].pos && a->ticks == r->events[event].ticks && n-- == 0) {
            return &r->actions[i];
        }
    }
    return NULL;
}

const struct tt_args *fxt_describe(const struct fxt_reading *r, size_t event)
{
    static struct tt_args args;
    cr_assert(r->c->format->describe(r->c, &r->events[event], r->c->bytes.size, &args));
    return &args;
}

bool fxt_span_is(struct tt_arg_span span, const char *text)
{
    return span.length == strlen(text) && memcmp(span.data, text, span.length) == 0;
}

const struct tt_arg *fxt_arg_named(const struct tt_args *args, const char *name)
{
    for (unsigned i = 0; i < args->count; i++) {
        if (fxt_span_is(args->v[i].name, name)) {
            return &args->v[i];
        }
    }
    return NULL;
}

uint64_t fxt_tid(const struct fxt_reading *r, uint32_t lane)
{
    cr_assert_lt(lane, tt_thread_count(r->c));
    return tt_thread_at(r->c, lane)->tid;
}

uint64_t fxt_pid(const struct fxt_reading *r, uint32_t lane)
{
    cr_assert_lt(lane, tt_thread_count(r->c));
    return tt_process_at(r->c, tt_thread_at(r->c, lane)->process)->pid;
}

const char *fxt_lane_name(const struct fxt_reading *r, uint32_t lane)
{
    return tt_capture_text(r->c, tt_thread_at(r->c, lane)->name, NULL);
}

struct tt_trace *fxt_index(const struct fxt_out *out)
{
    char path[] = "/tmp/tt-fxt-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, out->bytes, out->size), (ssize_t)out->size);
    close(fd);
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    unlink(path);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}
