/* SPDX-License-Identifier: Apache-2.0 */
/* status: creates errors and adds context to them. */
#include "tracetui/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct tt_status tt_ok(void)
{
    struct tt_status status = {TT_OK, TT_NO_OFFSET, ""};
    return status;
}

static struct tt_status make_error(enum tt_code code, uint64_t offset, const char *fmt, va_list ap)
{
    struct tt_status status = {code, offset, ""};
    vsnprintf(status.text, sizeof status.text, fmt, ap);
    return status;
}

struct tt_status tt_error(enum tt_code code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct tt_status status = make_error(code, TT_NO_OFFSET, fmt, ap);
    va_end(ap);
    return status;
}

struct tt_status tt_error_at(enum tt_code code, uint64_t offset, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct tt_status status = make_error(code, offset, fmt, ap);
    va_end(ap);
    return status;
}

struct tt_status tt_error_errno(int errnum, const char *what)
{
    char reason[128] = "";
    if (strerror_r(errnum, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", errnum);
    }
    return tt_error(TT_ERR_IO, "%s: %s", what, reason);
}

struct tt_status tt_error_memory(void)
{
    return tt_error(TT_ERR_MEMORY, "out of memory");
}

struct tt_status tt_status_context(struct tt_status status, const char *what)
{
    if (tt_failed(&status)) {
        struct tt_status inner = status;
        status = tt_error_at(inner.code, inner.offset, "%s: %s", what, inner.text);
    }
    return status;
}
