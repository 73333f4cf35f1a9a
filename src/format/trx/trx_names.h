/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_names: names of an application's own events, or other names of built-in ones, from a TraceX custom
 * event file (.trxc). A colour is also one item: FF0000.
 *
 *       // comment
 *       Start
 *       4096, name, AB, (r, g, b), (r, g, b), label1, label2, label3, label4
 *       End
 *
 *  Read once at open and constant from then on; owns its texts. Any thread may look up, O(log n).
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_NAMES_H
#define TRACETUI_FORMAT_TRX_TRX_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tracetui/status.h"

struct trx_name {
    uint16_t id;
    uint32_t line; /* of the file; the first one of an id is used */
    const char *name;
    const char *labels[4];
};

struct trx_names {
    struct trx_name *names; /* sorted by id */
    size_t count;
    size_t capacity;
    uint32_t bad_lines;
    uint32_t first_bad_line;
    struct tt_arena arena;
};

/* Reads `path`. Invalid lines are counted and skipped. */
struct tt_status trx_names_read(struct trx_names *names, const char *path);
/* Reads the same from text in memory. */
struct tt_status trx_names_parse(struct trx_names *names, const char *text, size_t length);
void trx_names_free(struct trx_names *names);

const struct trx_name *trx_names_find(const struct trx_names *names, unsigned id);

#endif
