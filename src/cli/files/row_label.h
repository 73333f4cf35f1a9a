/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_label: adds the name of the capture to each row of CSV or JSON lines, as the first column or key.
 *
 *      pid,tid,...            capture,pid,tid,...
 *      4102,1,...      -->    runs/7.kev,4102,1,...
 *      {"pid":4102,...}       {"capture":"runs/7.kev","pid":4102,...}
 *
 * The output of each capture begins with its header in CSV. A header that equals the one before is left
 * out, so the rows of many captures are one table. No row of these formats contains a line break.
 *
 * The struct owns its memory until tt_row_label_free; a zeroed struct with `csv` and `sink` set is
 * ready. One thread.
 */
#ifndef TT_CLI_FILES_ROW_LABEL_H
#define TT_CLI_FILES_ROW_LABEL_H

#include "base/sink.h"

struct tt_row_label {
    bool csv; /* else JSON lines */
    struct tt_sink sink;
    /* Private. */
    char *label; /* "NAME," or {"capture":"NAME", */
    size_t label_length;
    char *header; /* the last one; NULL: none */
    size_t header_length;
    bool begins; /* the next line is the header */
    char *rest;  /* an incomplete line */
    size_t rest_used;
    size_t rest_capacity;
    bool no_memory;
};

/* Begins the rows of a capture. On failure, out of memory, tt_row_label_write returns false. */
void tt_row_label_begin(struct tt_row_label *label, const char *path);

/* Writes rows, in pieces of any length; returns false if no more are needed. */
bool tt_row_label_write(struct tt_row_label *label, const char *bytes, size_t length);

/* Ends the rows of a capture: writes an incomplete last line. */
bool tt_row_label_end(struct tt_row_label *label);

void tt_row_label_free(struct tt_row_label *label);

#endif
