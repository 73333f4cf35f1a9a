/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a CTF trace: a size in two bytes, metadata of that size, and a stream. The metadata are TSDL, JSON, or packets of
 * either.
 *
 * A second cursor decodes every batch again from its saved state and must find the same events and actions.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "fuzz_decode.h"
#include "tracetui/event_line.h"
#include "tracetui/map.h"

enum { BATCH = 61, ACTIONS = BATCH + TT_ACTIONS_PER_EVENT, BLOB = 4096 };

static void write_file(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    require(file != NULL);
    require(fwrite(data, 1, size, file) == size);
    fclose(file);
}

static void describe_all(const struct tt_capture *c, const struct tt_batch *batch)
{
    static struct tt_args args;
    static char buffer[2048];
    struct tt_edge edges[TT_EDGES_PER_EVENT];
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct tt_event *event = &batch->events[i];
        struct tt_clue clue = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
        fuzz_check_event(c, event);
        require(c->format->describe(c, event, c->bytes.size, &args));
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_line_event(&text, c, event, &args, 0);
        memset(edges, 0, sizeof edges);
        require(c->format->edges(c, event, c->bytes.size, edges) <= TT_EDGES_PER_EVENT);
        c->format->clue(c, event, c->bytes.size, true, &clue);
        require(tt_capture_offset(c, event->pos) + event->length <= c->bytes.size);
    }
}

static void read_again(const struct tt_capture *c, struct tt_cursor *cursor, const void *blob,
                       size_t blob_size, const struct tt_batch *first)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    struct tt_batch again = {
        .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
    c->format->cursor_load(cursor, blob, blob_size);
    c->format->decode(cursor, c->bytes.size, true, &again);
    require(again.count >= first->count && again.action_count >= first->action_count);
    require(memcmp(events, first->events, first->count * sizeof *events) == 0);
    require(memcmp(actions, first->actions, first->action_count * sizeof *actions) == 0);
}

static void read_capture(struct tt_capture *c)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[ACTIONS];
    static uint8_t blob[BLOB];
    struct tt_cursor *learner = c->format->cursor_new(c, true);
    struct tt_cursor *second = c->format->cursor_new(c, false);
    enum tt_decode_result result;
    require(learner && second);
    do {
        struct tt_batch batch = {
            .events = events, .capacity = BATCH, .actions = actions, .action_capacity = ACTIONS};
        size_t size = c->format->cursor_save(learner, blob, BLOB);
        require(size <= BLOB);
        result = c->format->decode(learner, c->bytes.size, true, &batch);
        require(result != TT_DECODE_MEMORY);
        fuzz_check_batch(c, c->format, &batch);
        describe_all(c, &batch);
        read_again(c, second, blob, size, &batch);
    } while (result == TT_DECODE_MORE);
    tt_cursor_free(c->format, learner);
    tt_cursor_free(c->format, second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char folder[] = "/tmp/tracetui-fuzz-ctf-XXXXXX";
    static int made;
    if (size < 2) {
        return 0;
    }
    size_t metadata = (size_t)data[0] | (size_t)data[1] << 8;
    metadata = metadata < size - 2 ? metadata : size - 2;
    if (!made) {
        require(mkdtemp(folder) != NULL);
        made = 1;
    }
    write_file(folder, "metadata", data + 2, metadata);
    write_file(folder, "stream", data + 2 + metadata, size - 2 - metadata);
    struct tt_map *map;
    struct tt_capture *c;
    struct tt_map_options options = {.folders = true};
    struct tt_status status = tt_map_open(folder, &options, &map);
    require(!tt_failed(&status));
    status = tt_capture_new(tt_map_bytes(map), &c);
    require(!tt_failed(&status));
    c->files = map;
    status = tt_capture_open(c, folder, NULL);
    require(status.code != TT_ERR_MEMORY);
    if (!tt_failed(&status) && strcmp(c->format->name, "ctf") == 0) {
        read_capture(c);
    }
    tt_capture_free(c);
    tt_map_close(map);
    return 0;
}
