/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_literal: a word that every match of a regex has in it, so that only lines that have it are
 * rendered and matched.
 *
 *      \bpid=4100 tid=[12]\b        "pid"; what stands in a line between blanks, = ( ) " and ~
 *      timeout|EINTR                "timeout" or "EINTR"
 *      .*x?                         none: every line is matched
 *
 * A word is of letters, digits, _ and - and could not stand in a number: so it stands in the text
 * of a thread, in a type's class or name, or in a name, a label or a text among the arguments.
 * Where texts have bytes that are not plain, nothing is said of them. Reads the pattern as simply
 * as it can and gives up on all that could mean something else.
 */
#ifndef TRACETUI_FILTER_LITERAL_H
#define TRACETUI_FILTER_LITERAL_H

#include "tracetui/event.h"

#define TT_LITERALS     8 /* alternatives */
#define TT_LITERAL_MOST 32

struct tt_literals {
    unsigned count; /* 0: none is known; else every match has one of these in it */
    bool ignore_case;
    struct tt_literal {
        uint8_t length;
        char text[TT_LITERAL_MOST]; /* in small letters where case is ignored */
    } v[TT_LITERALS];
    uint8_t shortest;
    bool stops[256]; /* bytes that one of them begins with, or that are not plain */
};

void tt_literals_of(const char *pattern, size_t length, bool ignore_case, struct tt_literals *out);

/* May a text of the line have one of them in it? True where that cannot be told. */
bool tt_literals_may_be_in(const struct tt_literals *literals, const char *text, size_t length);
/* The same of the arguments. */
bool tt_literals_may_be_in_args(const struct tt_literals *literals, const struct tt_args *args);

#endif
