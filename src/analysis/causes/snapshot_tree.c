/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot_tree: arranges the rows of a snapshot below the threads and causes that they wait for.
 */
#include <stdlib.h>

#include "analysis/causes/snapshot_text.h"

#define NO_ROW UINT32_MAX

/* The waiting rows of each row, as lists. */
struct builder {
    struct tt_snapshot_tree *tree;
    const struct tt_snapshot *s;
    uint32_t *first; /* by row: the first row that waits for it, or NO_ROW */
    uint32_t *other; /* by row: the next row that waits for the same one */
    bool *done;      /* by row: it has its line, or is not wanted */
};

static void snapshot_tree_add_line(struct builder *builder, uint32_t row, uint32_t indent,
                                   bool root)
{
    builder->tree->lines[builder->tree->count++] = (struct tt_snapshot_line){row, indent, root};
    if (!root) {
        builder->done[row] = true;
    }
}

static uint32_t parent_of(const struct builder *builder, uint32_t row)
{
    const struct tt_snapshot_row *at = &builder->s->rows[row];
    const struct tt_snapshot_row *next =
        at->doing != TT_DOING_IDLE ? tt_snapshot_next(builder->s, at) : NULL;
    return next ? (uint32_t)(next - builder->s->rows) : NO_ROW;
}

/* Adds a row and those that wait for it, each once, without recursion: a chain may be long. */
static void add_branch(struct builder *builder, uint32_t root, uint32_t indent)
{
    uint32_t at = root, child = builder->first[root];
    snapshot_tree_add_line(builder, root, indent, false);
    for (;;) {
        while (child != NO_ROW && builder->done[child]) {
            child = builder->other[child];
        }
        if (child != NO_ROW) {
            snapshot_tree_add_line(builder, child, ++indent, false);
            at = child;
            child = builder->first[at];
        } else if (at == root) {
            return;
        } else {
            child = builder->other[at];
            at = parent_of(builder, at);
            indent--;
        }
    }
}

static bool same_root(const struct tt_snapshot_row *left, const struct tt_snapshot_row *right)
{
    const bool idle = left->doing == TT_DOING_IDLE;
    if (idle || right->doing == TT_DOING_IDLE) {
        return idle && right->doing == TT_DOING_IDLE;
    }
    return left->waits_for == right->waits_for && left->by == right->by &&
           (left->waits_for != TT_WAITS_FOR_INTERRUPT || left->vector == right->vector);
}

/* Adds a root and the rows that wait for it; a row that waits for nothing is a root itself. */
static void add_root(struct builder *builder, uint32_t row)
{
    const struct tt_snapshot_row *first = &builder->s->rows[row];
    if (first->waits_for == TT_WAITS_FOR_NOTHING && first->doing != TT_DOING_IDLE) {
        add_branch(builder, row, 0);
        return;
    }
    snapshot_tree_add_line(builder, row, 0, true);
    for (uint32_t i = row; i < builder->s->count; i++) {
        if (!builder->done[i] && parent_of(builder, i) == NO_ROW &&
            same_root(first, &builder->s->rows[i])) {
            add_branch(builder, i, 1);
        }
    }
}

bool tt_snapshot_tree_make(struct tt_snapshot_tree *tree, const struct tt_snapshot *snapshot,
                           bool (*wanted)(const void *arg, const struct tt_snapshot_row *row),
                           const void *arg)
{
    size_t rows = (size_t)snapshot->count + 1;
    tt_snapshot_tree_free(tree);
    struct builder b = {.tree = tree,
                        .s = snapshot,
                        .first = malloc(rows * sizeof *b.first),
                        .other = malloc(rows * sizeof *b.other),
                        .done = malloc(rows * sizeof *b.done)};
    tree->lines = malloc(2 * rows * sizeof *tree->lines); /* a row has at most its root above it */
    bool ok = b.first && b.other && b.done && tree->lines;
    if (ok) {
        uint32_t count = b.s->count;
        for (uint32_t i = 0; i < count; i++) {
            b.first[i] = b.other[i] = NO_ROW;
            b.done[i] = !wanted(arg, &b.s->rows[i]);
        }
        for (uint32_t i = count; i-- > 0;) {
            uint32_t parent = parent_of(&b, i);
            if (!b.done[i] && parent != NO_ROW) {
                b.other[i] = b.first[parent];
                b.first[parent] = i;
            }
        }
        for (uint32_t i = 0; i < 2 * count; i++) { /* idle threads come last */
            const uint32_t row = i % count;
            const bool idle = b.s->rows[row].doing == TT_DOING_IDLE;
            if (!b.done[row] && idle == (i >= count) && parent_of(&b, row) == NO_ROW) {
                add_root(&b, row);
            }
        }
        /* The other rows wait in a cycle, or for rows that are not wanted. */
        for (uint32_t i = 0; i < count; i++) {
            if (!b.done[i]) {
                add_branch(&b, i, 0);
            }
        }
    }
    free(b.first);
    free(b.other);
    free(b.done);
    return ok;
}

void tt_snapshot_tree_free(struct tt_snapshot_tree *tree)
{
    free(tree->lines);
    *tree = (struct tt_snapshot_tree){0};
}
