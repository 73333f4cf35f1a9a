/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_identity (internal): which capture, read in which way by which program, a kept file was
 * made of. All that would make another model is in it but the bytes themselves: of those a sample,
 * with the times that the system notes at every change.
 *
 * The path is not in it: one capture under two links has one kept file.
 */
#ifndef TRACETUI_TRACE_CACHE_IDENTITY_H
#define TRACETUI_TRACE_CACHE_IDENTITY_H

#include "base/section_file.h"
#include "tracetui/capture.h"
#include "tracetui/map.h"

/* Compared byte by byte: what is not used is 0. */
struct tt_identity {
    uint64_t size;
    int64_t modified_s;
    int64_t modified_ns;
    int64_t changed_s; /* of the inode: who puts the other time back cannot put this one */
    int64_t changed_ns;
    uint64_t samples;   /* XXH3 of the first and last 64 KB and of 4 KB here and there */
    uint64_t beginning; /* of the first 64 KB */
    uint64_t names;     /* of the content of the names file; 0: none */
    uint64_t clock_hz;
    uint64_t definitions;
    char format[16];
    char program[32]; /* its version, and of what layout the kept file is */
};

#define TT_IDENTITY_NAME   16 /* letters */
#define TT_IDENTITY_FAMILY 8  /* the first of them: those of a capture that has grown stay */

/* False: what is behind the map is no file, is being written to now, or is gone. */
bool tt_identity_of(struct tt_identity *identity, const struct tt_map *map,
                    const struct tt_capture *c, const struct tt_capture_options *options);
/*
 * Is what was read of the file still in it? It has the size and times that it had; or it has grown,
 * and the samples are the same.
 */
bool tt_identity_holds(const struct tt_identity *identity, const struct tt_map *map);
/*
 * Is `older` that of the capture as it was before it grew? All that is not of its size and times is
 * the same, and so are the samples of as many bytes as it had.
 */
bool tt_identity_grew(const struct tt_identity *older, const struct tt_identity *identity,
                      const struct tt_map *map);
/* What a kept file of this capture is called: letters, and a 0. */
void tt_identity_name(const struct tt_identity *identity, char name[TT_IDENTITY_NAME + 1]);

#endif
