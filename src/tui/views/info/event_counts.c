/* SPDX-License-Identifier: Apache-2.0 */
/* info/event_counts: counts events by class and type. */
#include "tui/views/info/event_counts.h"

#include <stdlib.h>
#include <string.h>

static int by_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_classes(const struct tt_count_row *a, const struct tt_count_row *b)
{
    int order = 0;
    if (a->sort == TT_SORT_COUNT) {
        order = by_u64(b->class_events, a->class_events);
    } else if (a->sort == TT_SORT_NAME) {
        order = strcmp(a->class_name, b->class_name);
    }
    return order ? order : by_u64(a->class_id, b->class_id);
}

static int compare_types(const struct tt_count_row *a, const struct tt_count_row *b)
{
    int order = 0;
    if (a->sort == TT_SORT_COUNT) {
        order = by_u64(b->events, a->events);
    } else if (a->sort == TT_SORT_NAME) {
        order = strcmp(a->name, b->name);
    }
    return order ? order : by_u64(a->type, b->type);
}

static int compare_rows(const void *left, const void *right)
{
    const struct tt_count_row *a = left, *b = right;
    int sign = a->reverse ? -1 : 1;
    if (a->class_id != b->class_id) {
        return sign * compare_classes(a, b);
    }
    if (!a->name || !b->name) {
        return (b->name == NULL) - (a->name == NULL);
    }
    return sign * compare_types(a, b);
}

/* Appends the rows of the types that have events and sums up their classes. */
static uint32_t add_types(struct tt_trace *trace, uint32_t types, struct tt_count_row *rows,
                          uint64_t *sums)
{
    const struct tt_capture *c = tt_trace_capture(trace);
    uint32_t count = 0;
    for (uint32_t type = 0; type < types; type++) {
        uint64_t events = tt_trace_type_events(trace, type);
        if (events == 0) {
            continue;
        }
        const struct tt_event_type *info = tt_types_at(c, type);
        struct tt_count_row row = {.class_name = info->class_name,
                                   .name = info->name,
                                   .events = events,
                                   .class_id = info->class_id,
                                   .type = type};
        sums[info->class_id] += events;
        rows[count++] = row;
    }
    return count;
}

static uint32_t add_classes(uint32_t classes, struct tt_count_row *rows, uint32_t count,
                            const uint64_t *sums, uint8_t *seen)
{
    uint32_t types = count;
    for (uint32_t i = 0; i < types; i++) {
        uint32_t class_id = rows[i].class_id;
        rows[i].class_events = sums[class_id];
        if (class_id < classes && !seen[class_id]) {
            seen[class_id] = 1;
            rows[count] = rows[i];
            rows[count].name = NULL;
            rows[count].events = sums[class_id];
            count++;
        }
    }
    return count;
}

bool tt_counts_take(struct tt_trace *trace, enum tt_sort sort, bool reverse,
                    struct tt_count_row **rows, uint32_t *count)
{
    const struct tt_capture *c = tt_trace_capture(trace);
    uint32_t types = tt_types_count(c);
    uint32_t classes = tt_classes_count(c);
    uint64_t *sums = calloc((size_t)classes + 1, sizeof *sums);
    uint8_t *seen = calloc((size_t)classes + 1, 1);
    *rows = malloc(((size_t)types + classes + 1) * sizeof **rows);
    bool ok = sums && seen && *rows;
    if (ok) {
        *count = add_types(trace, types, *rows, sums);
        *count = add_classes(classes, *rows, *count, sums, seen);
        for (uint32_t i = 0; i < *count; i++) {
            (*rows)[i].sort = (uint8_t)sort;
            (*rows)[i].reverse = reverse;
        }
        qsort(*rows, *count, sizeof **rows, compare_rows);
    } else {
        free(*rows);
        *rows = NULL;
        *count = 0;
    }
    free(sums);
    free(seen);
    return ok;
}
