/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status: errors as values.
 *
 * A function that can fail returns a `struct tt_status`. It travels up unchanged (or with a
 * clearer text put in front by tt_status_context) until main.c or cli/ prints it as
 *
 *     tracetui: capture.kev: offset 0x1a40: what is wrong
 *
 * Nothing below them prints or exits. The struct owns its text; copying it has no side effects,
 * and any thread may do so.
 */
#ifndef TRACETUI_STATUS_H
#define TRACETUI_STATUS_H

#include <stdbool.h>
#include <stdint.h>

enum tt_code {
    TT_OK = 0,
    TT_ERR_MEMORY,      /* an allocation failed */
    TT_ERR_IO,          /* the system refused: open, read, map, write */
    TT_ERR_NOT_CAPTURE, /* the bytes are of no known format */
    TT_ERR_FORMAT,      /* a known format, but unusable from its header on */
    TT_ERR_USAGE,       /* the caller asked for something that makes no sense */
    TT_ERR_CANCELLED,   /* somebody asked for the work to stop */
};

#define TT_NO_OFFSET   UINT64_MAX
#define TT_STATUS_TEXT 200

struct tt_status {
    enum tt_code code;
    uint64_t offset; /* byte in the file that it is about, or TT_NO_OFFSET */
    char text[TT_STATUS_TEXT];
};

#if defined(__GNUC__)
#define TT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TT_PRINTF(fmt, args)
#endif

/* All is well. */
struct tt_status tt_ok(void);

/* An error with a text; a text too long is cut. */
struct tt_status tt_error(enum tt_code code, const char *fmt, ...) TT_PRINTF(2, 3);

/* An error about the byte at `offset` of the file. */
struct tt_status tt_error_at(enum tt_code code, uint64_t offset, const char *fmt, ...)
    TT_PRINTF(3, 4);

/* An error from errno, with what was tried: "open: No such file or directory". */
struct tt_status tt_error_errno(int errnum, const char *what);

/* The usual one: out of memory. */
struct tt_status tt_error_memory(void);

/* Puts `what: ` in front of an error's text; leaves a good status alone. */
struct tt_status tt_status_context(struct tt_status status, const char *what);

static inline bool tt_failed(const struct tt_status *status)
{
    return status->code != TT_OK;
}

#endif
