/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_literal: finds a word that every match of a regex contains, so that only lines with that
 * word are rendered and matched.
 *
 *      \bpid=4100 tid=[12]\b        "pid"; words are separated by blanks, = ( ) " and ~
 *      timeout|EINTR                "timeout" or "EINTR"
 *      .*x?                         none: every line is matched
 *
 * A word consists of letters, digits, _ and - and cannot occur in a number; it is therefore part of
 * a thread's text, of a type's class or name, or of the name, label or text of an argument. Texts
 * with bytes that are escaped in the line count as a possible match. The pattern parser is simple
 * and gives up on everything ambiguous.
 */
#ifndef TRACETUI_FILTER_LITERAL_H
#define TRACETUI_FILTER_LITERAL_H

#include "tracetui/event.h"

#define TT_LITERALS     8 /* alternatives */
#define TT_LITERAL_MOST 32

struct tt_literals {
    unsigned count; /* 0: none is known; else every match contains one of these */
    bool ignore_case;
    struct tt_literal {
        uint8_t length;
        char text[TT_LITERAL_MOST]; /* lower case if case is ignored */
    } v[TT_LITERALS];
    uint8_t shortest;
    bool stops[256]; /* first bytes of the words, and unprintable bytes */
};

void tt_literals_of(const char *pattern, size_t length, bool ignore_case, struct tt_literals *out);

/* Returns whether a text of the line may contain one of the words; true if that is unknown. */
bool tt_literals_may_be_in(const struct tt_literals *literals, const char *text, size_t length);
/* Does the same for the arguments. */
bool tt_literals_may_be_in_args(const struct tt_literals *literals, const struct tt_args *args);

#endif
