/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_clues: the roles of scheduling records in wakes. A wakeup record has the koid of its waker in the
 * argument "waker"; without it the waker is unknown. Records without a process know threads by koid.
 * Flows show the kinds of wakes.
 */
#include "format/fxt/fxt_names.h"

/* Returns whether the name of an argument is "waker". */
static bool is_waker(const struct tt_fxt *fxt, const struct tt_fxt_record *record,
                     const struct tt_fxt_arg *arg, uint32_t at)
{
    static const char waker[] = "waker";
    if (tt_fxt_ref_is_inline(arg->name_ref)) {
        return tt_fxt_ref_length(arg->name_ref) == sizeof waker - 1 &&
               memcmp(tt_fxt_bytes_at(record, at + 1), waker, sizeof waker - 1) == 0;
    }
    tt_string string;
    return fxt->words.waker != 0 &&
           tt_fxt_string_at(fxt, tt_fxt_provider_at(fxt, record->pos), arg->name_ref, record->pos,
                            &string) &&
           string == fxt->words.waker;
}

static uint32_t waker_of(const struct tt_fxt *fxt, const struct tt_fxt_record *record,
                         const struct tt_fxt_layout *layout)
{
    struct tt_fxt_view view;
    tt_fxt_parse(record, layout, &view);
    uint32_t at = view.at[TT_FXT_ARGS];
    for (uint32_t i = 0; view.whole && i < view.args; i++) {
        struct tt_fxt_arg arg;
        if (!tt_fxt_arg_at(record, at, &arg)) {
            break;
        }
        bool number = arg.type == TT_FXT_ARG_KOID || arg.type == TT_FXT_ARG_UINT64;
        if (number && is_waker(fxt, record, &arg, at)) {
            uint64_t koid = arg.value;
            uint64_t lane;
            if (tt_fxt_table_get(&fxt->tids, koid, 0, UINT64_MAX, &lane)) {
                return (uint32_t)lane;
            }
            return tt_registry_find_thread(fxt->capture, 0, koid, 0);
        }
        at += arg.words;
    }
    return TT_NO_THREAD;
}

static bool is_flow(const struct tt_event *event)
{
    return event->kind == TT_KIND_FLOW_BEGIN || event->kind == TT_KIND_FLOW_STEP ||
           event->kind == TT_KIND_FLOW_END;
}

static void clue_of_flow(const struct tt_fxt *fxt, const struct tt_event *event, uint64_t limit,
                         bool with_details, struct tt_clue *clue)
{
    struct tt_fxt_record record;
    struct tt_fxt_view view;
    clue->role = TT_CLUE_FLOW;
    clue->thread = event->thread;
    if (with_details && tt_fxt_find_record(fxt, event, limit, &record)) {
        const struct tt_fxt_layout *layout = tt_fxt_layout_of(tt_fxt_word(&record, 0));
        if (layout) {
            tt_fxt_parse(&record, layout, &view);
        }
        bool whole = layout && view.whole && view.at[TT_FXT_TAIL] != 0;
        clue->role = whole ? TT_CLUE_FLOW : TT_CLUE_NONE;
        clue->value = whole ? tt_fxt_word(&record, view.at[TT_FXT_TAIL]) : 0;
    }
}

void tt_fxt_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue)
{
    const struct tt_fxt *fxt = capture->decoder;
    struct tt_fxt_record record;
    if (event->kind == TT_KIND_SWITCH) {
        clue->role = TT_CLUE_SWITCH;
        clue->thread = event->thread;
    } else if (event->kind == TT_KIND_WAKEUP) {
        clue->role = TT_CLUE_WOKEN;
        clue->thread = event->thread;
        clue->kind = TT_WAKE_PLAIN;
        if (with_details && tt_fxt_find_record(fxt, event, limit, &record)) {
            const struct tt_fxt_layout *layout = tt_fxt_layout_of(tt_fxt_word(&record, 0));
            clue->other = layout ? waker_of(fxt, &record, layout) : TT_NO_THREAD;
        }
    } else if (is_flow(event)) {
        clue_of_flow(fxt, event, limit, with_details, clue);
    }
}
