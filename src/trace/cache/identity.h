/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity: identifies the capture of an index cache, the options it was read with and the program.
 * It covers everything that determines the index except the bytes of the capture: it has samples of
 * these, and the file times that the system updates on every change.
 *
 * It includes the inode and not the path: a capture with two links has one index cache.
 */
#ifndef TRACETUI_TRACE_CACHE_IDENTITY_H
#define TRACETUI_TRACE_CACHE_IDENTITY_H

#include "base/section_file.h"
#include "tracetui/capture.h"
#include "tracetui/map.h"

/* Compared byte by byte: unused bytes are 0. */
struct tt_identity {
    uint64_t size;
    int64_t modified_s;
    int64_t modified_ns;
    int64_t changed_s; /* of the inode: cannot be set back, unlike the time above */
    int64_t changed_ns;
    uint64_t device; /* with the inode: the file */
    uint64_t inode;
    uint64_t samples; /* XXH3 of the first and last 64 KB and of pieces of 4 KB between */
    uint64_t names;   /* of the content of the names file; 0: none */
    uint64_t clock_hz;
    uint64_t definitions;
    char format[16];
    char program[32]; /* version, and TT_SECTION_LAYOUT */
};

#define TT_IDENTITY_NAME 16 /* characters */

/*
 * Computes the identity. Returns false if the map has no file, or the file is being written or
 * gone.
 */
bool tt_identity_of(struct tt_identity *identity, const struct tt_map *map,
                    const struct tt_capture *capture, const struct tt_capture_options *options);
/* Returns whether the file still has the bytes that were read: its size and times are unchanged. */
bool tt_identity_holds(const struct tt_identity *identity, const struct tt_map *map);
/*
 * Writes the name of the index cache of this capture: characters and a NUL. It depends on the file, the
 * options and the program: the index cache of a file that has changed or grown replaces the one before.
 */
void tt_identity_name(const struct tt_identity *identity, char name[TT_IDENTITY_NAME + 1]);

#endif
