/* SPDX-License-Identifier: Apache-2.0 */
/* fields: the fields and operators of the filter language, one row each. */
#include <string.h>

#include "base/nearest_word.h"
#include "filter/filter_internal.h"

#define EQUAL  "= !="
#define TEXT   "= != ~ !~ in"
#define NUMBER "= != < <= > >= in"

#define TEXT_OPS   (TT_OPS_EQUAL | TT_OPS_MATCH | TT_OPS_LIST)
#define NUMBER_OPS (TT_OPS_EQUAL | TT_OPS_ORDER | TT_OPS_LIST)

static const char *const op_texts[TT_OP_COUNT] = {
    [TT_OP_EQ] = "=",    [TT_OP_NE] = "!=", [TT_OP_LT] = "<",
    [TT_OP_LE] = "<=",   [TT_OP_GT] = ">",  [TT_OP_GE] = ">=",
    [TT_OP_MATCH] = "~", [TT_OP_IN] = "in", [TT_OP_NO_MATCH] = "!~",
};

const char *tt_filter_op_text(enum tt_filter_op op)
{
    return op_texts[op];
}

static const struct tt_filter_field_info fields[TT_FIELD_COUNT] = {
    [TT_FIELD_LINE] = {{"", "", ""}, 0, TT_VALUES_TEXT, false},
    [TT_FIELD_TIME] = {{"time", NUMBER, "as in the time column: 1.2s 3ms 500t #1234 40%"},
                       NUMBER_OPS,
                       TT_VALUES_TIME,
                       false},
    [TT_FIELD_N] = {{"n", NUMBER, "the event's number"}, NUMBER_OPS, TT_VALUES_NUMBER, true},
    [TT_FIELD_OFFSET] = {{"offset", NUMBER, "file offset of its first byte"},
                         NUMBER_OPS,
                         TT_VALUES_NUMBER,
                         true},
    [TT_FIELD_CPU] = {{"cpu", NUMBER, "number of the CPU"}, NUMBER_OPS, TT_VALUES_NUMBER, true},
    [TT_FIELD_PID] = {{"pid", NUMBER, "process number of its thread"},
                      NUMBER_OPS,
                      TT_VALUES_NUMBER,
                      true},
    [TT_FIELD_TID] = {{"tid", NUMBER, "thread number"}, NUMBER_OPS, TT_VALUES_NUMBER, true},
    [TT_FIELD_PROCESS] = {{"process", TEXT, "process name of its thread"},
                          TEXT_OPS,
                          TT_VALUES_TEXT,
                          false},
    [TT_FIELD_THREAD] = {{"thread", TEXT, "as in the thread column, a name, or PROCESS/TID"},
                         TEXT_OPS,
                         TT_VALUES_TEXT,
                         false},
    [TT_FIELD_CLASS] = {{"class", TEXT, "class of the event"}, TEXT_OPS, TT_VALUES_TEXT, false},
    [TT_FIELD_EVENT] = {{"event", TEXT, "name of the event"}, TEXT_OPS, TT_VALUES_TEXT, false},
    [TT_FIELD_KIND] = {{"kind", EQUAL " in", "state, switch, enter, exit, user, ..."},
                       TT_OPS_EQUAL | TT_OPS_LIST,
                       TT_VALUES_KIND,
                       false},
    [TT_FIELD_STATE] = {{"state", TEXT, "state of its thread, or the class of that state"},
                        TEXT_OPS,
                        TT_VALUES_TEXT,
                        false},
    [TT_FIELD_PRIORITY] = {{"priority", NUMBER, "priority of its thread at that time"},
                           NUMBER_OPS,
                           TT_VALUES_NUMBER,
                           true},
    [TT_FIELD_DUR] = {{"dur", NUMBER, "duration of the state that it begins: 1ms 20us 5t"},
                      NUMBER_OPS,
                      TT_VALUES_DURATION,
                      false},
    [TT_FIELD_ARG] = {{"arg.NAME", NUMBER " ~ !~", "an argument of the event"},
                      TT_OPS_EVERY,
                      TT_VALUES_ANY,
                      false},
    [TT_FIELD_INFERRED] = {{"inferred", EQUAL, "yes: the thread is inferred"},
                           TT_OPS_EQUAL,
                           TT_VALUES_FLAG,
                           false},
    [TT_FIELD_DERIVED] = {{"derived", EQUAL, "yes: inferred by the decoder, not recorded"},
                          TT_OPS_EQUAL,
                          TT_VALUES_FLAG,
                          false},
    [TT_FIELD_MALFORMED] = {{"malformed", EQUAL, "yes: part of the record is unreadable"},
                            TT_OPS_EQUAL,
                            TT_VALUES_FLAG,
                            false},
    [TT_FIELD_CAPTURE] = {{"capture", TEXT, "of merged captures: name of its file"},
                          TEXT_OPS,
                          TT_VALUES_TEXT,
                          false},
};

const struct tt_filter_field_info *tt_filter_field_info(enum tt_filter_field_id id)
{
    return &fields[id];
}

const struct tt_filter_field *tt_filter_field_at(unsigned index)
{
    return index + 1 < TT_FIELD_COUNT ? &fields[index + 1].shown : NULL;
}

enum tt_filter_field_id tt_filter_field_find(const char *name, size_t length)
{
    for (unsigned i = TT_FIELD_LINE + 1; i < TT_FIELD_COUNT; i++) {
        const char *known = fields[i].shown.name;
        if (i != TT_FIELD_ARG && strlen(known) == length && memcmp(known, name, length) == 0) {
            return (enum tt_filter_field_id)i;
        }
    }
    return TT_FIELD_COUNT;
}

const char *tt_filter_field_nearest(const char *name, size_t length)
{
    struct tt_nearest_word search = tt_nearest_word_of(name, length);
    for (unsigned i = TT_FIELD_LINE + 1; i < TT_FIELD_COUNT; i++) {
        if (i != TT_FIELD_ARG) {
            tt_nearest_word_try(&search, fields[i].shown.name);
        }
    }
    return search.nearest;
}
