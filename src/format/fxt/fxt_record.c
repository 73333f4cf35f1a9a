/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_record: interprets the record layouts and parses arguments. */
#include "format/fxt/fxt_record.h"

const uint8_t tt_fxt_arg_value_words[16] = {
    [TT_FXT_ARG_INT64] = 1,
    [TT_FXT_ARG_UINT64] = 1,
    [TT_FXT_ARG_DOUBLE] = 1,
    [TT_FXT_ARG_STRING] = TT_FXT_TEXT_VALUE,
    [TT_FXT_ARG_POINTER] = 1,
    [TT_FXT_ARG_KOID] = 1,
    [TT_FXT_ARG_BLOB] = TT_FXT_BLOB_VALUE,
};

/* State of parsing one record. `at` is the next word; an atom that does not fit ends the walk. */
struct walk {
    const struct tt_fxt_record *record;
    struct tt_fxt_view *view;
    uint32_t at;
};

static bool pass_words(struct walk *walk, unsigned role, uint64_t words)
{
    if (words > walk->record->words - walk->at) {
        return false;
    }
    walk->view->at[role] = walk->at;
    walk->at += (uint32_t)words;
    return true;
}

static bool pass_inline(struct walk *walk, unsigned role, bool is_inline, uint32_t words)
{
    return !is_inline || pass_words(walk, role, words);
}

static bool pass_sized(struct walk *walk, unsigned role)
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
    return pass_words(walk, role, 1 + size / 8 + (size % 8 != 0));
}

/* ---- argument lists --------------------------------------------------------------------- */

/* Returns the words of the argument at word `at`, or 0 if it does not fit. */
static inline uint32_t arg_words(const struct tt_fxt_record *record, uint32_t at)
{
    if (at >= record->words) {
        return 0;
    }
    uint64_t header = tt_fxt_word(record, at);
    uint32_t words = (uint32_t)tt_fxt_bits(header, 4, 12);
    return words > record->words - at || words < tt_fxt_arg_min_words(header) ? 0 : words;
}

/* Finds the end of `count` arguments from view->end on; returns false at the first that does not
 * fit. */
static inline bool find_args(const struct tt_fxt_record *record, struct tt_fxt_view *view,
                             uint32_t count)
{
    uint32_t at = view->end;
    uint32_t words = 1;
    view->at[TT_FXT_ARGS] = at;
    view->value[TT_FXT_ARGS] = count;
    uint32_t i = 0;
    for (; i < count && (words = arg_words(record, at)) != 0; i++) {
        at += words;
    }
    view->args = (uint8_t)i;
    view->end = at;
    return words != 0;
}

/* ---- layout interpreter ----------------------------------------------------------------- */

static bool pass_args(struct walk *walk, uint32_t count)
{
    walk->view->end = walk->at;
    bool whole = find_args(walk->record, walk->view, count);
    walk->at = walk->view->end;
    return whole;
}

static bool pass_atom(struct walk *walk, const struct tt_fxt_atom *atom, uint32_t field)
{
    switch (atom->op) {
    case TT_FXT_OP_TIME:
    case TT_FXT_OP_WORD:
        return pass_words(walk, atom->role, 1);
    case TT_FXT_OP_OPTIONAL:
        (void)(walk->at < walk->record->words && pass_words(walk, atom->role, 1));
        return true;
    case TT_FXT_OP_WORDS:
        return pass_words(walk, atom->role, field);
    case TT_FXT_OP_THREAD:
        return pass_inline(walk, atom->role, field == 0, 2);
    case TT_FXT_OP_PROCESS:
        walk->view->process_alone = field == 0;
        return pass_inline(walk, atom->role, field == 0, 1);
    case TT_FXT_OP_TEXT:
        return pass_inline(walk, atom->role, tt_fxt_ref_is_inline(field),
                           tt_fxt_stream_words(tt_fxt_ref_length(field)));
    case TT_FXT_OP_STREAM:
        return pass_words(walk, atom->role, tt_fxt_stream_words(field));
    case TT_FXT_OP_ARGS:
        return pass_args(walk, field);
    default:
        return pass_sized(walk, atom->role);
    }
}

static void parse_atoms(const struct tt_fxt_record *record, const struct tt_fxt_atom *atoms,
                        struct tt_fxt_view *view)
{
    struct walk walk = {record, view, 1};
    memset(view, 0, sizeof *view);
    const struct tt_fxt_atom *atom = atoms;
    for (; atom->op != TT_FXT_OP_END; atom++) {
        uint32_t field =
            (atom->width == 0 || atom->word >= record->words)
                ? 0
                : (uint32_t)tt_fxt_bits(tt_fxt_word(record, atom->word), atom->lsb, atom->width);
        view->value[atom->role] = field;
        view->usable = view->usable || atom->op == TT_FXT_OP_ARGS;
        if (!pass_atom(&walk, atom, field)) {
            break;
        }
    }
    view->whole = atom->op == TT_FXT_OP_END;
    view->usable = view->usable || view->whole;
    view->end = walk.at;
}

void tt_fxt_parse_by_table(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
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

/* ---- fast paths ------------------------------------------------------------------------- */

/* Clears the members that the fast paths and their callers use: a third of the cost of clearing
 * all. */
static inline void clear_view(struct tt_fxt_view *view)
{
    view->at[TT_FXT_TIME] = 0;
    view->at[TT_FXT_THREAD] = 0;
    view->at[TT_FXT_CATEGORY] = 0;
    view->at[TT_FXT_NAME] = 0;
    view->at[TT_FXT_ARGS] = 0;
    view->at[TT_FXT_TAIL] = 0;
    view->end = 1;
    view->args = 0;
    view->process_alone = false;
    view->is_other = false;
    view->usable = false;
    view->whole = false;
}

/* Skips the stream of an inline string ref; returns false if it does not fit. */
static inline bool fxt_record_skip_text(const struct tt_fxt_record *record,
                                        struct tt_fxt_view *view, unsigned role, uint32_t ref)
{
    view->value[role] = ref;
    if (tt_fxt_ref_is_inline(ref)) {
        uint32_t words = tt_fxt_stream_words(tt_fxt_ref_length(ref));
        if (words > record->words - view->end) {
            return false;
        }
        view->at[role] = view->end;
        view->end += words;
    }
    return true;
}

static inline bool pass_tail(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                             struct tt_fxt_view *view)
{
    if (layout->tail == TT_FXT_OP_END) {
        return true;
    }
    if (view->end >= record->words) {
        return layout->tail == TT_FXT_OP_OPTIONAL;
    }
    view->at[TT_FXT_TAIL] = view->end++;
    return true;
}

/* Parses the newer scheduling records: a time, one or two thread koids, arguments. */
static inline void parse_sched(const struct tt_fxt_record *record, uint64_t header, bool two,
                               struct tt_fxt_view *view)
{
    uint32_t words = record->words;
    clear_view(view);
    view->at[TT_FXT_TIME] = words > 1 ? 1 : 0;
    view->at[TT_FXT_A] = words > 2 ? 2 : 0;
    view->at[TT_FXT_B] = two && words > 3 ? 3 : 0;
    view->end = two ? 4 : 3;
    if (view->end > words) {
        view->end = words;
        return;
    }
    view->usable = true;
    view->whole = find_args(record, view, (uint32_t)tt_fxt_bits(header, 16, 4));
}

void tt_fxt_parse(const struct tt_fxt_record *record, const struct tt_fxt_layout *layout,
                  struct tt_fxt_view *view)
{
    uint64_t header = tt_fxt_word(record, 0);
    if ((header & 15) == TT_FXT_EVENT) {
        clear_view(view);
        if (record->words < 2) {
            return;
        }
        view->at[TT_FXT_TIME] = 1;
        view->end = 2;
        view->value[TT_FXT_THREAD] = (uint8_t)(header >> 24);
        if (view->value[TT_FXT_THREAD] == 0) {
            if (record->words < 4) {
                return;
            }
            view->at[TT_FXT_THREAD] = 2;
            view->end = 4;
        }
        if (!fxt_record_skip_text(record, view, TT_FXT_CATEGORY, (uint16_t)(header >> 32)) ||
            !fxt_record_skip_text(record, view, TT_FXT_NAME, (uint16_t)(header >> 48))) {
            return;
        }
        view->usable = true;
        view->whole = find_args(record, view, (uint32_t)tt_fxt_bits(header, 20, 4)) &&
                      pass_tail(record, layout, view);
    } else if (layout->does == TT_FXT_DOES_SWITCH) {
        parse_sched(record, header, true, view);
    } else if (layout->does == TT_FXT_DOES_WAKEUP) {
        parse_sched(record, header, false, view);
    } else {
        tt_fxt_parse_by_table(record, layout, view);
    }
}

/* ---- arguments -------------------------------------------------------------------------- */

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

bool tt_fxt_arg_at(const struct tt_fxt_record *record, uint32_t at, struct tt_fxt_arg *arg)
{
    uint32_t words = arg_words(record, at);
    if (words == 0) {
        return false;
    }
    uint64_t header = tt_fxt_word(record, at);
    uint32_t data = at + 1 + tt_fxt_arg_name_words(header);
    memset(arg, 0, sizeof *arg);
    arg->type = (uint8_t)(header & 15);
    arg->words = words;
    arg->name_ref = (uint16_t)(header >> 16);
    arg->at = at;
    switch (tt_fxt_arg_value_words[arg->type]) {
    case 1:
        arg->data = data;
        arg->value = tt_fxt_word(record, data);
        break;
    case TT_FXT_TEXT_VALUE:
        arg->text_ref = (uint16_t)(header >> 32);
        arg->data = data;
        arg->length = tt_fxt_ref_is_inline(arg->text_ref) ? tt_fxt_ref_length(arg->text_ref) : 0;
        break;
    case TT_FXT_BLOB_VALUE:
        arg->data = data;
        arg->length = (uint32_t)(header >> 32);
        break;
    default:
        arg->value = header_value(header, arg->type);
        if (arg->type >= TT_FXT_ARG_TYPES) {
            arg->data = data;
            arg->length = (at + words - data) * 8;
        }
        break;
    }
    return true;
}
