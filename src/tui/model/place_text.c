/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/place_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/time_spec.h"

struct tt_status tt_place_parse(struct tt_workspace *ws, const char *text, uint64_t *ticks,
                                uint64_t *pos)
{
    char with_sign[64];
    size_t digits = strspn(text, "0123456789");
    if (text[0] == '\'') {
        int mark = text[1] >= 'a' && text[1] <= 'z' && !text[2] ? text[1] - 'a' : -1;
        if (mark < 0 || !ws->nav.marks[mark].set) {
            return tt_error(TT_ERR_USAGE, "no such mark");
        }
        *ticks = ws->nav.marks[mark].ticks;
        *pos = ws->nav.marks[mark].pos;
        return tt_ok();
    }
    if (digits > 0 && text[digits] == '\0' && digits < sizeof with_sign - 1) {
        snprintf(with_sign, sizeof with_sign, "#%s", text); /* a plain number is an event number */
        text = with_sign;
    }
    if (text[0] == '0' && text[1] == 'x') {
        /* Parses "0x1a40": the event whose record contains this byte of the file, or the next one. */
        char *end;
        errno = 0;
        unsigned long long offset = strtoull(text, &end, 16);
        struct tt_event event;
        if (errno != 0 || *end != '\0' || end == text + 2 || strspn(text + 2, "+- ") > 0) {
            return tt_error(TT_ERR_USAGE, "'%.40s' is not a file offset: write it as 0x1a40", text);
        }
        if (!tt_events_at_offset(ws->opened.events, offset, &event)) {
            return tt_error(TT_ERR_USAGE, "no event at or after offset %.40s", text);
        }
        *ticks = event.ticks;
        *pos = event.pos;
        return tt_ok();
    }
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(text, &when);
    if (!tt_failed(&status)) {
        status = tt_time_spec_resolve(&when, ws->opened.trace, ws->opened.events, ticks, pos);
    }
    return status;
}

struct tt_status tt_place_parse_range(struct tt_workspace *ws, const char *text, uint64_t *from,
                                      uint64_t *to)
{
    char start[64];
    uint64_t pos;
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : 0;
    if (!dots || length == 0 || length >= sizeof start || !dots[2]) {
        return tt_error(TT_ERR_USAGE, "expected in, out, all, selection, or FROM..TO as 1s..2s");
    }
    memcpy(start, text, length);
    start[length] = '\0';
    struct tt_status status = tt_place_parse(ws, start, from, &pos);
    if (!tt_failed(&status)) {
        status = tt_place_parse(ws, dots + 2, to, &pos);
    }
    if (!tt_failed(&status) && *from >= *to) {
        status = tt_error(TT_ERR_USAGE, "the range ends before it begins");
    }
    return status;
}
