/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status: errors as values.
 *
 * A function that can fail returns a `struct tt_status`. It propagates upwards, unchanged or with a
 * prefix added by tt_status_context, until main.c or cli/ prints it:
 *
 *     tracetui: capture.kev: offset 0x1a40: what is wrong
 *
 * Code below these neither prints nor exits. The struct contains its text; copy it freely, on any
 * thread.
 */
#ifndef TRACETUI_STATUS_H
#define TRACETUI_STATUS_H

#include <stdbool.h>
#include <stdint.h>

enum tt_code {
    TT_OK = 0,
    TT_ERR_MEMORY,      /* an allocation failed */
    TT_ERR_IO,          /* a system call failed: open, read, map, write */
    TT_ERR_NOT_CAPTURE, /* not of any known format */
    TT_ERR_FORMAT,      /* of a known format, but the header is unusable */
    TT_ERR_USAGE,       /* invalid argument, option or filter */
    TT_ERR_CANCELLED,   /* stopped on request */
};

#define TT_NO_OFFSET   UINT64_MAX
#define TT_STATUS_TEXT 200

struct tt_status {
    enum tt_code code;
    uint64_t offset; /* offset in the file in bytes, or TT_NO_OFFSET */
    char text[TT_STATUS_TEXT];
};

#if defined(__GNUC__)
#define TT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TT_PRINTF(fmt, args)
#endif

/* Returns success. */
struct tt_status tt_ok(void);

/* Returns an error with a formatted text, truncated to TT_STATUS_TEXT bytes. */
struct tt_status tt_error(enum tt_code code, const char *fmt, ...) TT_PRINTF(2, 3);

/* Returns an error about the byte at `offset` of the file. */
struct tt_status tt_error_at(enum tt_code code, uint64_t offset, const char *fmt, ...)
    TT_PRINTF(3, 4);

/*
 * Returns TT_ERR_IO for an errno value and the failed operation: "open: No such file or directory".
 */
struct tt_status tt_error_errno(int errnum, const char *what);

/* Returns TT_ERR_MEMORY. */
struct tt_status tt_error_memory(void);

/* Prepends `what: ` to an error's text; returns success unchanged. */
struct tt_status tt_status_context(struct tt_status status, const char *what);

static inline bool tt_failed(const struct tt_status *status)
{
    return status->code != TT_OK;
}

#endif
