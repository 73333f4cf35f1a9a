/* SPDX-License-Identifier: Apache-2.0 */
/* set: the lanes of now, and those before, which readers may still use. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_read.h"
#include "lane/lane.h"

#define FILE_MOST ((size_t)1 << 20)

struct owned_set {
    struct tt_lane_set set;
    struct owned_set *before;
    struct tt_lane_definition *added; /* or NULL */
    const struct tt_lane_definition *v[];
};

struct tt_lane_list {
    _Atomic(struct owned_set *) now;
    const struct tt_lane_queries *queries;
};

static const struct tt_lane_set no_lanes;

struct tt_lane_list *tt_lane_list_new(const struct tt_lane_queries *queries)
{
    struct tt_lane_list *lanes = calloc(1, sizeof *lanes);
    if (lanes) {
        lanes->queries = queries;
    }
    return lanes;
}

void tt_lane_list_free(struct tt_lane_list *lanes)
{
    struct owned_set *set = lanes ? atomic_load(&lanes->now) : NULL;
    while (set) {
        struct owned_set *before = set->before;
        tt_lane_definition_free(set->added);
        free(set);
        set = before;
    }
    free(lanes);
}

const struct tt_lane_set *tt_lane_list_now(const struct tt_lane_list *lanes)
{
    const struct owned_set *now =
        lanes ? atomic_load_explicit(&lanes->now, memory_order_acquire) : NULL;
    return now ? &now->set : &no_lanes;
}

const struct tt_lane_queries *tt_lane_list_queries(const struct tt_lane_list *lanes)
{
    return lanes ? lanes->queries : NULL;
}

uint32_t tt_lane_set_find(const struct tt_lane_set *set, const char *name)
{
    uint32_t lane = 0;
    while (lane < set->count && strcmp(set->v[lane]->name, name) != 0) {
        lane++;
    }
    return lane < set->count ? lane : UINT32_MAX;
}

/* Publishes a set with `definition` in place of number `at`, after the last one, or, if NULL, without it. */
static bool publish_set(struct tt_lane_list *lanes, uint32_t at,
                        struct tt_lane_definition *definition)
{
    const struct tt_lane_set *old = tt_lane_list_now(lanes);
    struct owned_set *set = calloc(1, sizeof *set + ((size_t)old->count + 1) * sizeof *set->v);
    if (!set) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < old->count; i++) {
        if (i != at) {
            set->v[count++] = old->v[i];
        } else if (definition) {
            set->v[count++] = definition;
        }
    }
    if (at >= old->count && definition) {
        set->v[count++] = definition;
    }
    set->set = (struct tt_lane_set){set->v, count};
    set->added = definition;
    set->before = atomic_load(&lanes->now);
    atomic_store_explicit(&lanes->now, set, memory_order_release);
    return true;
}

struct tt_status tt_lane_list_add(struct tt_lane_list *lanes, struct tt_lane_definition *definition)
{
    if (publish_set(lanes, tt_lane_set_find(tt_lane_list_now(lanes), definition->name),
                    definition)) {
        return tt_ok();
    }
    tt_lane_definition_free(definition);
    return tt_error_memory();
}

bool tt_lane_list_remove(struct tt_lane_list *lanes, const char *name)
{
    uint32_t lane = tt_lane_set_find(tt_lane_list_now(lanes), name);
    return lane != UINT32_MAX && publish_set(lanes, lane, NULL);
}

struct tt_status tt_lane_list_define(struct tt_lane_list *lanes, const char *text)
{
    struct tt_lane_definition *definition;
    struct tt_status status = tt_lane_parse(NULL, text, &definition);
    return tt_failed(&status) ? status : tt_lane_list_add(lanes, definition);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Ends the line at `at` and joins it with the lines after it that it needs; returns the next one, and counts. */
static char *end_line(char *at, unsigned *lines)
{
    for (;;) {
        size_t length = strcspn(at, "\n");
        char *end = at + length;
        bool last = *end == '\0';
        *lines += 1;
        if (length > 0 && end[-1] == '\r') {
            end[-1] = ' ';
        }
        if (last || length == 0 || end[-1] != '\\') {
            *end = '\0';
            return last ? end : end + 1;
        }
        end[-1] = *end = ' ';
        at = end + 1;
    }
}

struct tt_status tt_lane_list_read(struct tt_lane_list *lanes, const char *path)
{
    char *text;
    size_t length;
    int error = tt_file_text(path, FILE_MOST, &text, &length);
    if (error != 0) {
        return tt_status_context(tt_error(TT_ERR_IO, "%s", strerror(error)), path);
    }
    struct tt_status status = tt_ok();
    unsigned lines = 0;
    char *next;
    for (char *at = text; at < text + length && !tt_failed(&status); at = next) {
        unsigned line = lines + 1;
        next = end_line(at, &lines);
        at += strspn(at, " \t");
        if (*at == '\0' || *at == '#') {
            continue;
        }
        status = tt_lane_list_define(lanes, at);
        if (tt_failed(&status)) {
            char where[32];
            struct tt_text shown = tt_text_of(where, sizeof where);
            tt_text_put(&shown, "line %u", line);
            status = tt_status_context(status, tt_text_cstr(&shown));
        }
    }
    free(text);
    return tt_failed(&status) ? tt_status_context(status, path) : status;
}
