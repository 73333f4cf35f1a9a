/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of record layouts, and the parsing of arguments. */
#include "format/fxt/fxt_record.h"

/* Walks one record. `at` is the next word; what does not fit ends the walk. */
struct walk {
    const struct tt_fxt_record *record;
    struct tt_fxt_view *view;
    uint32_t at;
};

static bool take(struct walk *walk, unsigned role, uint64_t words)
{
    if (words > walk->record->words - walk->at) {
        return false;
    }
    walk->view->at[role] = walk->at;
    walk->at += (uint32_t)words;
    return true;
}

static bool take_inline(struct walk *walk, unsigned role, bool is_inline, uint32_t words)
{
    return !is_inline || take(walk, role, words);
}

static bool take_sized(struct walk *walk, unsigned role)
{
    if (walk->at >= walk->record->words) {
        return false;
    }
    uint64_t size = tt_fxt_word(walk->record, walk->at);
    uint64_t room = (uint64_t)(walk->record->words - walk->at - 1) * 8;
    if (size > room) {
        return false;
    }
    walk->view->value[role] = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX);
    return take(walk, role, 1 + size / 8 + (size % 8 != 0));
}

static bool take_args(struct walk *walk, unsigned role, uint32_t count)
{
    walk->view->at[role] = walk->at;
    for (uint32_t i = 0; i < count; i++) {
        struct tt_fxt_arg arg;
        if (!tt_fxt_arg_at(walk->record, walk->at, &arg)) {
            return false;
        }
        walk->at += arg.words;
        walk->view->args++;
    }
    return true;
}

static bool take_atom(struct walk *walk, const struct tt_fxt_atom *atom, uint32_t field)
{
    switch (atom->op) {
    case TT_FXT_OP_TIME:
    case TT_FXT_OP_WORD:
        return take(walk, atom->role, 1);
    case TT_FXT_OP_OPTIONAL:
        (void)(walk->at < walk->record->words && take(walk, atom->role, 1));
        return true;
    case TT_FXT_OP_WORDS:
        return take(walk, atom->role, field);
    case TT_FXT_OP_THREAD:
        return take_inline(walk, atom->role, field == 0, 2);
    case TT_FXT_OP_PROCESS:
        walk->view->process_alone = field == 0;
        return take_inline(walk, atom->role, field == 0, 1);
    case TT_FXT_OP_TEXT:
        return take_inline(walk, atom->role, tt_fxt_ref_is_inline(field),
                           tt_fxt_stream_words(tt_fxt_ref_length(field)));
    case TT_FXT_OP_STREAM:
        return take(walk, atom->role, tt_fxt_stream_words(field));
    case TT_FXT_OP_ARGS:
        return take_args(walk, atom->role, field);
    default:
        return take_sized(walk, atom->role);
    }
}

static uint32_t field_of(const struct tt_fxt_record *record, const struct tt_fxt_atom *atom)
{
    if (atom->width == 0 || atom->word >= record->words) {
        return 0;
    }
    return (uint32_t)tt_fxt_bits(tt_fxt_word(record, atom->word), atom->lsb, atom->width);
}

static void parse_atoms(const struct tt_fxt_record *record, const struct tt_fxt_atom *atoms,
                        struct tt_fxt_view *view)
{
    struct walk walk = {record, view, 1};
    memset(view, 0, sizeof *view);
    const struct tt_fxt_atom *atom = atoms;
    for (; atom->op != TT_FXT_OP_END; atom++) {
        uint32_t field = field_of(record, atom);
        view->value[atom->role] = field;
        view->usable = view->usable || atom->op == TT_FXT_OP_ARGS;
        if (!take_atom(&walk, atom, field)) {
            break;
        }
    }
    view->whole = atom->op == TT_FXT_OP_END;
    view->usable = view->usable || view->whole;
    view->end = walk.at;
}

void tt_fxt_parse(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                  struct tt_fxt_view *view)
{
    parse_atoms(record, layout->atoms, view);
    if (layout->other && !(view->whole && view->end == record->words)) {
        struct tt_fxt_view other;
        parse_atoms(record, layout->other, &other);
        if (other.whole && (other.end == record->words || !view->whole)) {
            *view = other;
            view->is_other = true;
        }
    }
}

/* ---- arguments ---------------------------------------------------------------------------- */

/* Where the value of each argument type stands. */
enum value_place { IN_NOTHING, IN_HEADER, IN_WORD, IN_TEXT, IN_BLOB, IN_UNKNOWN };

static const uint8_t value_places[16] = {
    [TT_FXT_ARG_NULL] = IN_NOTHING,      [TT_FXT_ARG_INT32] = IN_HEADER,
    [TT_FXT_ARG_UINT32] = IN_HEADER,     [TT_FXT_ARG_INT64] = IN_WORD,
    [TT_FXT_ARG_UINT64] = IN_WORD,       [TT_FXT_ARG_DOUBLE] = IN_WORD,
    [TT_FXT_ARG_STRING] = IN_TEXT,       [TT_FXT_ARG_POINTER] = IN_WORD,
    [TT_FXT_ARG_KOID] = IN_WORD,         [TT_FXT_ARG_BOOL] = IN_HEADER,
    [TT_FXT_ARG_BLOB] = IN_BLOB,         [TT_FXT_ARG_TYPES] = IN_UNKNOWN,
    [TT_FXT_ARG_TYPES + 1] = IN_UNKNOWN, [TT_FXT_ARG_TYPES + 2] = IN_UNKNOWN,
    [TT_FXT_ARG_TYPES + 3] = IN_UNKNOWN, [TT_FXT_ARG_TYPES + 4] = IN_UNKNOWN,
};

static uint64_t header_value(uint64_t header, unsigned type)
{
    uint32_t bits = (uint32_t)(header >> 32);
    switch (type) {
    case TT_FXT_ARG_INT32:
        return (uint64_t)(int64_t)(int32_t)bits;
    case TT_FXT_ARG_BOOL:
        return bits & 1;
    default:
        return bits;
    }
}

/* The value stands at word `data`; `room` words of the argument are left from there. */
static bool value_at(const struct tt_fxt_record *record, uint64_t header, uint32_t data,
                     uint32_t room, struct tt_fxt_arg *arg)
{
    switch (value_places[arg->type]) {
    case IN_NOTHING:
        return true;
    case IN_HEADER:
        arg->value = header_value(header, arg->type);
        return true;
    case IN_WORD:
        if (room < 1) {
            return false;
        }
        arg->data = data;
        arg->value = tt_fxt_word(record, data);
        return true;
    case IN_TEXT:
        arg->text_ref = (uint16_t)(header >> 32);
        arg->data = data;
        arg->length = tt_fxt_ref_is_inline(arg->text_ref) ? tt_fxt_ref_length(arg->text_ref) : 0;
        return tt_fxt_stream_words(arg->length) <= room;
    case IN_BLOB:
        arg->data = data;
        arg->length = (uint32_t)(header >> 32);
        return tt_fxt_stream_words(arg->length) <= room;
    default:
        arg->value = header >> 32;
        arg->data = data;
        arg->length = room * 8;
        return true;
    }
}

bool tt_fxt_arg_at(const struct tt_fxt_record *record, uint32_t at, struct tt_fxt_arg *arg)
{
    if (at >= record->words) {
        return false;
    }
    uint64_t header = tt_fxt_word(record, at);
    memset(arg, 0, sizeof *arg);
    arg->type = (uint8_t)(header & 15);
    arg->words = (uint32_t)tt_fxt_bits(header, 4, 12);
    arg->name_ref = (uint16_t)(header >> 16);
    arg->at = at;
    if (arg->words == 0 || arg->words > record->words - at) {
        return false;
    }
    uint32_t name = 0;
    if (tt_fxt_ref_is_inline(arg->name_ref)) {
        name = tt_fxt_stream_words(tt_fxt_ref_length(arg->name_ref));
    }
    if (name > arg->words - 1) {
        return false;
    }
    return value_at(record, header, at + 1 + name, arg->words - 1 - name, arg);
}
