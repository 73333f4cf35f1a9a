/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_plan: the arguments of an event as text, by a plan that a decoder makes once for each type of event.
 *
 * A line of `dump` then is written from the bytes of the record, without a struct tt_arg for each argument:
 *
 *      record   | pid: 4 bytes | comm: 16 bytes      |
 *      plan       literal "pid=", decimal of 4 | literal " comm=\"", text of 16
 *      text     pid=114 comm="adc"
 *
 * The text is that of tt_line_args on the arguments of tt_format.describe; what a plan cannot have is described. A
 * plan is in the decoder's arena and does not change: any thread may use it.
 */
#ifndef TRACETUI_FORMAT_TEXT_PLAN_H
#define TRACETUI_FORMAT_TEXT_PLAN_H

#include "base/arena.h"
#include "tracetui/event.h"
#include "tracetui/text.h"

#define TT_TEXT_LITERAL 40u
#define TT_TEXT_LABEL   64u
#define TT_TEXT_SHORT   16u /* texts up to this length are written at once */

enum tt_text_field_kind {
    TT_TEXT_UNSIGNED,
    TT_TEXT_SIGNED,
    TT_TEXT_HEX,
    TT_TEXT_CHARACTERS, /* in `size` bytes, up to a NUL among them */
    TT_TEXT_STRING,     /* up to its NUL; the places of the fields after it count from there */
    TT_TEXT_ELSEWHERE, /* characters whose place in the record (16 bits) and size (16 bits above) are in the field */
};

#define TT_TEXT_VARIABLE 256u /* the longest text whose size is in the record */

/* Writes the label of a value at `to`, TT_TEXT_LABEL bytes at most. Returns its end; NULL if it is not that short. */
typedef char *tt_text_label(char *to, const void *of, uint64_t value);

/* A field, in a cache line. */
struct tt_text_field {
    char literal[TT_TEXT_LITERAL]; /* what comes before the value */
    uint8_t literal_length;
    uint8_t kind; /* enum tt_text_field_kind */
    bool big;
    uint32_t at;          /* bytes from the begin of the record */
    uint32_t size;        /* of the field; 1, 2, 4 or 8 for a number; 0 for a string */
    tt_text_label *label; /* NULL: none */
    const void *label_of;
};

/* The fields of an event. */
struct tt_text_plan {
    const struct tt_text_field *v;
    uint32_t count;
    uint32_t least; /* bytes that the record must have */
    uint32_t most;  /* of the text, and bytes after it that writing may change */
};

/* A plan that is made. `is_whole` ends with a field that a plan cannot have. */
struct tt_text_plan_maker {
    struct tt_text_field v[TT_ARGS_MAX];
    struct tt_text_plan made;
    bool is_whole;
};

/* Begins an empty plan. */
void tt_text_plan_begin(struct tt_text_plan_maker *maker);
/*
 * Adds the field of an argument, which has its name and type; `field` has the rest. Of texts only the kind is used. Hidden
 * arguments are left out.
 */
void tt_text_plan_add(struct tt_text_plan_maker *maker, const struct tt_arg *arg,
                      struct tt_text_field field);
/* Copies the plan into the arena; NULL if it is not whole. False if out of memory. */
bool tt_text_plan_end(const struct tt_text_plan_maker *maker, struct tt_arena *arena,
                      const struct tt_text_plan **plan);

/*
 * Appends the text of a record of `size` bytes. Returns false, and appends nothing, if there is no plan, no room, or a
 * text that has to be escaped: the event is described then.
 */
bool tt_text_plan_put(const struct tt_text_plan *plan, const uint8_t *record, uint64_t size,
                      struct tt_text *text);

#endif
