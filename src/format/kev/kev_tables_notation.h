/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_tables_notation: short macros for the rows of the event tables; only table files include it.
 * The letters are those of traceprinter's argument lists:
 *
 *      H D P   one word: hexadecimal, signed, address     X E Q   the same in two words
 *      S       one word of text                           N       a string to the payload's end
 *      PAD     an unused word                             SIG     a struct sigevent
 *
 * A field is present in both modes; prefix W: in wide mode only, F: in fast mode only.
 */
#ifndef TRACETUI_FORMAT_KEV_KEV_TABLES_NOTATION_H
#define TRACETUI_FORMAT_KEV_KEV_TABLES_NOTATION_H

#include "format/kev/kev_internal.h"

/* clang-format off */
#define FIELD(name, type, modes) {name, sizeof name - 1, type, modes}

#define H(name)  FIELD(name, KEV_H32, KEV_BOTH)
#define D(name)  FIELD(name, KEV_D32, KEV_BOTH)
#define P(name)  FIELD(name, KEV_P32, KEV_BOTH)
#define X(name)  FIELD(name, KEV_H64, KEV_BOTH)
#define E(name)  FIELD(name, KEV_D64, KEV_BOTH)
#define Q(name)  FIELD(name, KEV_P64, KEV_BOTH)
#define S(name)  FIELD(name, KEV_TEXT, KEV_BOTH)
#define N(name)  FIELD(name, KEV_STRING, KEV_BOTH)
#define SIG(name) FIELD(name, KEV_SIGEVENT, KEV_BOTH)
#define PAD      FIELD("pad", KEV_PAD, KEV_BOTH)

#define WH(name) FIELD(name, KEV_H32, KEV_WIDE)
#define WD(name) FIELD(name, KEV_D32, KEV_WIDE)
#define WP(name) FIELD(name, KEV_P32, KEV_WIDE)
#define WX(name) FIELD(name, KEV_H64, KEV_WIDE)
#define WE(name) FIELD(name, KEV_D64, KEV_WIDE)
#define WQ(name) FIELD(name, KEV_P64, KEV_WIDE)
#define WS(name) FIELD(name, KEV_TEXT, KEV_WIDE)
#define WN(name) FIELD(name, KEV_STRING, KEV_WIDE)
#define WPAD     FIELD("pad", KEV_PAD, KEV_WIDE)

#define FH(name) FIELD(name, KEV_H32, KEV_FAST)
#define FD(name) FIELD(name, KEV_D32, KEV_FAST)

#define END      {NULL, 0, 0, 0}
#define FIELDS(...) (const struct kev_field[]){__VA_ARGS__, END}

/* Lists of many events. */
#define NO_FIELDS (const struct kev_field[]){END}
#define NOTHING   FIELDS(H("empty"), H("empty"))
#define RET_H     FIELDS(H("ret_val"), H("empty"))
#define RET_D     FIELDS(D("ret_val"), H("empty"))
/* clang-format on */

#endif
